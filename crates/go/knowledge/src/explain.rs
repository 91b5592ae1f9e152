//! What a move does: proved by reading the position before it and after it, so that what is said holds.

use ishi_go::{Board, Color, Move, Point, Position};
use ishi_reading::{Effort, Outcome, PointSet, Reader, Status};

use crate::analysis::Analysis;
use crate::chains::{ChainFacts, Chains};
use crate::groups::Group;
use crate::links::{Link, corners};
use crate::oracle::{Fate, Oracle, Strength};
use crate::reasons::{Family, NAME_ONLY, Reason, telling};
use crate::rules::{self, Rule, Suggestion};
use crate::tactical::READ_LIBERTIES;

/// Lines around a move in which its effects are looked for.
const NEAR: usize = 6;
/// Lines around a move in which it may settle connections of which level 2 does not say that it does.
const NEAR_LINK: usize = 3;
/// How deep claims are read before they are made.
const DEEP: Effort = Effort { nodes: [12_000, 8_000, 4_000] };

/// What a move does and why it is suggested.
#[derive(Clone, Debug, PartialEq)]
pub struct MoveReasons {
    /// The move.
    pub mv: Point,
    /// Who plays it.
    pub color: Color,
    /// What it does, proved; the weightiest first.
    pub effects: Vec<Reason>,
    /// What else speaks for it: place, shape, plan.
    pub ideas: Vec<Reason>,
    /// Its place among the moves that rules suggest, from 1; none of them suggests it: `None`.
    pub rank: Option<usize>,
    /// What the rules think it is worth, in points.
    pub value: f64,
}

impl MoveReasons {
    /// Leaves out ideas that presume that the side is ahead, or behind, where a search does not say so (none: it says neither).
    pub fn fit(&mut self, leads: Option<bool>) {
        self.ideas.retain(|idea| rules::presumes(idea.rule).is_none_or(|presumed| Some(presumed) == leads));
    }

    /// All reasons, effects first.
    pub fn all(&self) -> impl Iterator<Item = &Reason> {
        self.effects.iter().chain(&self.ideas)
    }

    /// Is nothing proved of the move, and nothing but a name known?
    pub fn says_little(&self) -> bool {
        let is_little = |idea: &Reason| idea.value <= NAME_ONLY || idea.is_filler();
        self.effects.is_empty() && self.ideas.iter().all(is_little)
    }
}

/// Ideas that are said of a move at most: more are noise.
const MOST_IDEAS: usize = 3;

/// Families whose claims are read before they are said; rules of these only propose.
fn is_read(family: Family) -> bool {
    let read = [Family::Capture, Family::Save, Family::Connect, Family::Cut, Family::Ko];
    read.contains(&family)
}

/// Ideas about a chain's liberties say nothing beside an effect that says what becomes of it, nor does that a point is neutral.
fn is_weaker(idea: &Reason, effects: &[Reason], chains: &Chains) -> bool {
    let of_liberties = ["take-liberties", "gain-liberties", "race-liberty", "push-out"];
    let chain = |stone: Option<Point>| stone.and_then(|stone| chains.at(stone)).map(ChainFacts::name);
    let about = if idea.rule.name == "race-liberty" { idea.other } else { idea.about };
    let is_said = |effect: &Reason| {
        matches!(effect.rule.family, Family::Capture | Family::Save | Family::Ko)
            && chain(effect.about) == chain(about)
    };
    let is_of_liberties = of_liberties.contains(&idea.rule.name) && about.is_some();
    // Who takes, or lives, fills no neutral point.
    is_of_liberties && effects.iter().any(is_said) || idea.rule.name == "fill-dame" && !effects.is_empty()
}

/// A chain close to a move, and what the move changes for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Nearby {
    /// Its stone nearest to the move.
    pub stone: Point,
    /// Whose it is.
    pub color: Color,
    /// How many stones it has.
    pub stones: usize,
    /// Does the move touch it?
    pub touched: bool,
    /// Its liberties before the move.
    pub liberties: usize,
    /// Its liberties after it.
    pub left: usize,
    /// How it stood before the move, where that was read.
    pub danger: Option<Danger>,
}

/// How a chain stands that may be captured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Danger {
    /// Who moves first decides.
    Open,
    /// It cannot get away.
    Lost,
}

/// Groups near a move whose fate is asked after it at most, the largest first.
const MOST_FATES: usize = 2;

/// Chains near a move that are told at most.
const MOST_NEARBY: usize = 3;

/// The chains within two lines of a move: those it touches first, then those with the fewest liberties.
pub fn surroundings(position: &Position, analysis: &Analysis, mv: Point) -> Vec<Nearby> {
    let mut next = position.clone();
    if next.play(position.to_move(), Move::Play(mv)).is_err() {
        return Vec::new();
    }
    let after = Chains::of(next.board());
    let nearby = |chain: &ChainFacts| {
        let stone =
            chain.stones.iter().min_by_key(|&stone| (stone.lines_to(mv), stone.steps_to(mv), stone))?;
        let danger = match analysis.chain_status(stone) {
            Some(Status::InDanger { .. }) => Some(Danger::Open),
            Some(Status::Captured { .. }) => Some(Danger::Lost),
            _ => None,
        };
        (stone.lines_to(mv) <= 2).then(|| Nearby {
            stone,
            color: chain.color.unwrap_or(position.to_move()),
            stones: chain.stones.len(),
            touched: chain.liberties.contains(mv),
            liberties: chain.liberties.len(),
            left: after.at(stone).map_or(0, |now| now.liberties.len()),
            danger,
        })
    };
    let mut found: Vec<Nearby> = analysis.chains.iter().filter_map(nearby).collect();
    found.sort_by_key(|chain| (!chain.touched, chain.liberties, chain.stone));
    found.truncate(MOST_NEARBY);
    found
}

/// Reasons for a move of the side to move, which must be legal. `suggestions` are [`rules::suggest`]'s for the same position.
pub fn reasons(
    position: &Position,
    analysis: &Analysis,
    suggestions: &[Suggestion],
    mv: Point,
    oracle: &mut impl Oracle,
) -> MoveReasons {
    let color = position.to_move();
    let mut effects = effects(position, analysis, mv, oracle);
    effects.sort_by(|a, b| b.value.total_cmp(&a.value));
    let effects: Vec<Reason> = telling(&effects, []).into_iter().cloned().collect();
    let place = suggestions.iter().position(|suggestion| suggestion.mv == mv);
    let mut after = position.board().clone();
    after.play_unchecked(color, Move::Play(mv));
    // What the move takes off the board no idea is about.
    let stands = |stone: Option<Point>| stone.is_none_or(|stone| !is_gone(position.board(), &after, stone));
    let told = |reason: &&Reason| {
        let said = ["live", "kill", "answer-dead", "isolate", "run-join"];
        !is_read(reason.rule.family)
            && !said.contains(&reason.rule.name)
            && stands(reason.about)
            && stands(reason.other)
            && !is_weaker(reason, &effects, &analysis.chains)
    };
    let mut ideas: Vec<Reason> = Vec::new();
    let known = place.iter().flat_map(|&n| &suggestions[n].reasons).filter(told);
    for reason in telling(known, &effects) {
        if ideas.len() < MOST_IDEAS && ideas.iter().all(|other| other.rule.family != reason.rule.family) {
            ideas.push(reason.clone());
        }
    }
    let value = place.map_or(0.0, |n| suggestions[n].value);
    MoveReasons { mv, color, effects, ideas, rank: place.map(|n| n + 1), value }
}

/// What a move changes, as far as reading proves it.
pub fn effects(position: &Position, analysis: &Analysis, mv: Point, oracle: &mut impl Oracle) -> Vec<Reason> {
    let color = position.to_move();
    let mut next = position.clone();
    if next.play(color, Move::Play(mv)).is_err() {
        return Vec::new();
    }
    let after = Chains::of(next.board());
    let mut look = Look {
        next: &next,
        analysis,
        after: &after,
        mv,
        color,
        before: position.board(),
        reader: Reader::default(),
        deep: Reader::new(DEEP),
    };
    let mut found = look.taken();
    found.extend(look.enemies(oracle));
    found.extend(look.rescues(&found, oracle));
    found.extend(look.links(oracle));
    found.extend(look.fates(oracle));
    found
}

/// Does a stone leave the board between two positions?
fn is_gone(before: &Board, after: &Board, stone: Point) -> bool {
    before.color(stone).is_some() && after.color(stone).is_none()
}

/// A position before and after a move.
struct Look<'a> {
    next: &'a Position,
    analysis: &'a Analysis,
    after: &'a Chains,
    mv: Point,
    color: Color,
    before: &'a Board,
    reader: Reader,
    /// Reads once more what is about to be said.
    deep: Reader,
}

impl Look<'_> {
    fn is_near(&self, stones: &PointSet) -> bool {
        stones.iter().any(|stone| stone.lines_to(self.mv) <= NEAR)
    }

    /// Chains of a colour that stand near before the move and after it.
    fn standing(&self, color: Color) -> Vec<ChainFacts> {
        let near = |chain: &&ChainFacts| chain.color == Some(color) && self.is_near(&chain.stones);
        let stands = |chain: &&ChainFacts| self.next.board().color(chain.name()) == Some(color);
        self.analysis.chains.iter().filter(near).filter(stands).cloned().collect()
    }

    fn now(&self, stone: Point) -> Option<&ChainFacts> {
        self.after.at(stone)
    }

    fn taken(&self) -> Vec<Reason> {
        let gone = |chain: &&ChainFacts| {
            chain.color == Some(!self.color) && is_gone(self.before, self.next.board(), chain.name())
        };
        let taken = |chain: &ChainFacts| {
            let single_ko = chain.stones.len() == 1 && self.next.board().ko().is_some();
            if single_ko {
                Reason::of(rules::named("take-ko")).about(chain.name()).count(1)
            } else {
                rules::taken(chain.name(), chain.stones.len())
            }
        };
        self.analysis.chains.iter().filter(gone).map(taken).collect()
    }

    /// Enemy chains that are captured now, or threatened.
    fn enemies(&mut self, oracle: &mut impl Oracle) -> Vec<Reason> {
        let mut found = Vec::new();
        let mut in_atari = Vec::new();
        for chain in self.standing(!self.color) {
            let name = chain.name();
            let Some(liberties) = self.now(name).map(|now| now.liberties.len()) else { continue };
            if liberties > READ_LIBERTIES {
                continue;
            }
            let touched = chain.liberties.contains(self.mv);
            let before = self.analysis.chain_status(name).copied();
            if matches!(before, Some(Status::Captured { .. })) {
                continue;
            }
            if self.is_captured(&chain, oracle) {
                found.push(self.captured(&chain, liberties));
            } else if touched && liberties == 1 {
                in_atari.push(chain.clone());
            } else if !matches!(before, Some(Status::InDanger { .. })) {
                found.extend(self.threatened(&chain, oracle));
            }
        }
        found.extend(ataris(&in_atari));
        found
    }

    /// Is the chain lost now, and was it not before, by deeper reading? Only of moves close to it.
    fn is_captured(&mut self, chain: &ChainFacts, oracle: &mut impl Oracle) -> bool {
        let (name, before, board) = (chain.name(), self.before, self.next.board());
        let close = chain.stones.or(&chain.liberties).grown().grown().contains(self.mv);
        close
            && self.reader.defend(board, name).outcome == Outcome::Fails
            && self.reader.attack(board, name).outcome == Outcome::Works
            && self.deep.defend(board, name).outcome == Outcome::Fails
            && self.deep.defend(before, name).outcome != Outcome::Fails
            && oracle.falls(board, name, false) != Some(false)
    }

    /// The reason that a chain cannot get away any more.
    fn captured(&mut self, chain: &ChainFacts, liberties: usize) -> Reason {
        let board = self.next.board();
        let mut sequence = vec![(self.color, self.mv)];
        sequence.extend(self.reader.sequence(board, chain.name(), false));
        let name = if is_ladder(self.before, chain.name(), &sequence) {
            "ladder"
        } else if !chain.stones.grown().contains(self.mv) && chain.stones.len() <= 3 && liberties >= 2 {
            "net"
        } else {
            "capture"
        };
        let count = chain.stones.len();
        Reason::of(rules::named(name)).about(chain.name()).count(count).plus(1.5 * count as f64).by(sequence)
    }

    fn threatened(&mut self, chain: &ChainFacts, oracle: &mut impl Oracle) -> Option<Reason> {
        let board = self.next.board();
        let attack = self.reader.attack(board, chain.name());
        let close = chain.stones.or(&chain.liberties).grown().contains(self.mv);
        let was = self.deep.attack(self.before, chain.name()).outcome;
        let works =
            attack.outcome == Outcome::Works && oracle.falls(board, chain.name(), true) != Some(false);
        if !works || !close || was != Outcome::Fails {
            return None;
        }
        let sequence = self.reader.sequence(board, chain.name(), true);
        let count = chain.stones.len();
        let reason = Reason::of(rules::named("threaten")).about(chain.name()).count(count);
        Some(reason.plus(0.3 * count as f64).by(sequence))
    }

    /// Own chains that could have been captured, and now cannot.
    fn rescues(&mut self, found: &[Reason], oracle: &mut impl Oracle) -> Vec<Reason> {
        let taken = found
            .iter()
            .find(|reason| matches!(reason.rule.name, "take-stone" | "take-stones"))
            .and_then(|reason| reason.about);
        let mut rescues = Vec::new();
        for chain in self.standing(self.color) {
            let name = chain.name();
            let was = match self.analysis.chain_status(name) {
                Some(Status::InDanger { attack, .. } | Status::Captured { attack }) => attack.outcome,
                _ => continue,
            };
            let attack = self.reader.attack(self.next.board(), name).outcome;
            let close = chain.stones.or(&chain.liberties).grown().grown().contains(self.mv);
            if was != Outcome::Works || attack != Outcome::Fails || !close && taken.is_none() {
                continue;
            }
            if self.deep.attack(self.next.board(), name).outcome != Outcome::Fails
                || oracle.falls(self.next.board(), name, true) == Some(true)
                || self.is_dead_still(name, oracle)
            {
                continue;
            }
            let count = chain.stones.len();
            let rule = match taken {
                Some(_) => "save-by-capture",
                None if chain.liberties.len() == 1 && chain.liberties.contains(self.mv) => {
                    "extend-from-atari"
                }
                None => "save",
            };
            let reason = Reason::of(rules::named(rule)).about(name).count(count).plus(1.5 * count as f64);
            rescues.push(Reason { other: taken, ..reason });
        }
        rescues
    }

    /// Was the group of a stone dead before, and is it now? Then nothing is saved, though it cannot be taken at once.
    fn is_dead_still(&self, stone: Point, oracle: &mut impl Oracle) -> bool {
        let was_dead = self.analysis.group(stone).is_some_and(|group| group.strength == Strength::Dead);
        was_dead && oracle.fate(self.next.board(), stone).is_some_and(|fate| fate.strength == Strength::Dead)
    }

    /// Connections that were open and are settled.
    fn links(&mut self, oracle: &mut impl Oracle) -> Vec<Reason> {
        let mut found = Vec::new();
        let analysis = self.analysis;
        for link in analysis.links.iter().filter(|link| link.strength.is_open()) {
            let [a, b] = link.stones;
            let board = self.next.board();
            let decides = link.cut == Some(self.mv) || link.connect == Some(self.mv);
            let is_near = link.stones.iter().any(|stone| stone.lines_to(self.mv) <= NEAR_LINK);
            if board.color(a).is_none() || board.color(b).is_none() || !(decides || is_near) {
                continue;
            }
            let own = board.color(a) == Some(self.color);
            if self.is_settled(board, own, link.stones)
                && !self.is_settled(self.before, own, link.stones)
                && oracle.cuts(self.before, link.stones) != Some(false)
                && (own || oracle.connects(board, link.stones) != Some(true))
            {
                let verb = if own { "connect" } else { "cut" };
                found.push(Reason::of(self.named_link(verb, link)).about(a).with(b));
            }
        }
        found.sort_by(|a, b| b.value.total_cmp(&a.value));
        found.truncate(2);
        found
    }

    /// The rule for a link that the move settles. A hane around a stone that the move takes is none.
    fn named_link(&self, verb: &str, link: &Link) -> &'static Rule {
        let [a, b] = link.stones;
        if corners(a, b).into_iter().any(|point| is_gone(self.before, self.next.board(), point)) {
            rules::named(verb)
        } else {
            rules::of_link(verb, self.before, link)
        }
    }

    /// Are the stones connected, our own, though the opponent moves first, or cut, the opponent's, though it moves first?
    fn is_settled(&mut self, board: &Board, own: bool, [a, b]: [Point; 2]) -> bool {
        let attempt = if own { self.deep.disconnect(board, a, b) } else { self.deep.connect(board, a, b) };
        attempt.outcome == Outcome::Fails
    }

    /// Groups whose fate was open and is settled.
    fn fates(&self, oracle: &mut impl Oracle) -> Vec<Reason> {
        let mut found = Vec::new();
        let stands = |group: &Group| self.next.board().color(group.name()) == Some(group.color);
        // Of captures more is said elsewhere.
        let urgent = self.analysis.urgent().into_iter().filter(|group| !group.by_capture);
        let near = urgent.filter(|group| stands(group) && self.is_near(&group.stones));
        for group in near.take(MOST_FATES) {
            let name = group.name();
            let own = group.color == self.color;
            let rule = if own { "live" } else { "kill" };
            // The quick look comes first.
            let is_critical = |fate: Fate| fate.strength == Strength::Critical;
            if !oracle.is_settled(self.next.board(), name, own, false)
                || !oracle.sure_fate(self.before, name).is_some_and(is_critical)
                || !oracle.is_settled(self.next.board(), name, own, true)
            {
                continue;
            }
            let mut sequence = vec![(self.color, self.mv)];
            sequence.extend(oracle.line(self.next.board(), name, rule == "live"));
            // It ends with the winner's move; the move itself is no sequence.
            while sequence.last().is_some_and(|&(color, _)| color != self.color) {
                sequence.pop();
            }
            sequence.truncate(if sequence.len() > 1 { sequence.len() } else { 0 });
            let count = group.stones.len();
            let reason = Reason::of(rules::named(rule)).about(name).count(count);
            found.push(reason.plus(1.6 * count as f64).by(sequence));
        }
        found
    }
}

/// What the other side does if a move is not played, where that undoes what the move does.
#[derive(Clone, Debug, PartialEq)]
pub struct Threat {
    /// The other side's move.
    pub mv: Point,
    /// What it does.
    pub reason: Reason,
}

/// What the effects of a move prevent: for each that reading has found an answer to, that answer, if the oracle does not contradict.
/// Equal moves are told once for each effect, a capture once.
pub fn threats(
    position: &Position,
    analysis: &Analysis,
    effects: &[Reason],
    oracle: &mut impl Oracle,
) -> Vec<Threat> {
    let mut passed = position.clone();
    if passed.play(position.to_move(), Move::Pass).is_err() {
        return Vec::new();
    }
    let found = effects.iter().filter_map(|effect| threat(position.board(), analysis, effect));
    let mut told: Vec<Threat> = Vec::new();
    for threat in found.filter_map(|threat| confirmed(&passed, &analysis.chains, threat, oracle)) {
        // One capture may undo several effects.
        if !told.iter().any(|known| known.mv == threat.mv && known.reason.does_the_same(&threat.reason)) {
            told.push(threat);
        }
    }
    told
}

/// The threat, if it holds after the move; what is taken off the board at once is said to be.
fn confirmed(
    position: &Position,
    chains: &Chains,
    threat: Threat,
    oracle: &mut impl Oracle,
) -> Option<Threat> {
    let mut next = position.clone();
    next.play(position.to_move(), Move::Play(threat.mv)).ok()?;
    let (board, about) = (next.board(), threat.reason.about?);
    let mut named = [Some(about), threat.reason.other].into_iter().flatten();
    if let Some(gone) = named.find(|&stone| is_gone(position.board(), board, stone)) {
        let chain = chains.at(gone)?;
        return Some(Threat { reason: rules::taken(chain.name(), chain.stones.len()), ..threat });
    }
    let link = threat.reason.other.map(|other| [about, other]);
    let holds = match threat.reason.rule.family {
        Family::Capture => oracle.falls(board, about, false) != Some(false),
        Family::Save => oracle.falls(board, about, true) != Some(true),
        Family::Cut => oracle.connects(board, link?) != Some(true),
        Family::Connect => oracle.cuts(board, link?) != Some(true),
        _ => match threat.reason.rule.name {
            "kill" => oracle.is_settled(board, about, false, true),
            "live" => oracle.is_settled(board, about, true, true),
            _ => true,
        },
    };
    holds.then_some(threat)
}

fn threat(board: &Board, analysis: &Analysis, effect: &Reason) -> Option<Threat> {
    let about = effect.about?;
    let named = |name: &str| Reason::of(rules::named(name)).about(about).count(effect.count);
    let link = || {
        let stones = [about, effect.other?];
        analysis.links.iter().find(|link| link.stones == stones)
    };
    let (mv, reason) = match effect.rule.name {
        "live" => (analysis.group(about)?.fate?.kill?, named("kill")),
        "kill" => (analysis.group(about)?.fate?.save?, named("live")),
        "save" | "save-by-capture" | "extend-from-atari" => {
            let Some(Status::InDanger { attack, .. } | Status::Captured { attack }) =
                analysis.chain_status(about)
            else {
                return None;
            };
            let sequence = analysis.sequence(board, about, true);
            let is_atari = analysis.chains.at(about)?.liberties.len() == 1;
            let reason = if is_atari {
                rules::taken(about, effect.count)
            } else {
                rules::captured(about, effect.count, attack.outcome, sequence)
            };
            (attack.mv?, reason)
        }
        "capture" | "ladder" | "net" => match analysis.chain_status(about)? {
            Status::InDanger { defence, .. } => (defence.mv?, named("save")),
            _ => return None,
        },
        name if name.starts_with("connect") => {
            let link = link()?;
            (link.cut?, Reason::of(rules::of_link("cut", board, link)).about(about).with(effect.other?))
        }
        name if name.starts_with("cut") => {
            let link = link()?;
            (
                link.connect?,
                Reason::of(rules::of_link("connect", board, link)).about(about).with(effect.other?),
            )
        }
        _ => return None,
    };
    Some(Threat { mv, reason })
}

/// Is the chain of a stone caught by a ladder: repeated atari, three at least, and its owner answers?
fn is_ladder(before: &Board, stone: Point, sequence: &[(Color, Point)]) -> bool {
    let mut board = before.clone();
    let Some(owner) = before.color(stone) else { return false };
    let mut ataris = 0;
    for &(color, mv) in sequence {
        if !board.is_legal(color, mv) {
            return false;
        }
        board.play_unchecked(color, Move::Play(mv));
        let Some(chain) = board.chain(stone).filter(|_| board.color(stone) == Some(owner)) else { break };
        if color != owner {
            if board.atari(chain).is_none() {
                return false;
            }
            ataris += 1;
        }
    }
    ataris >= 3
}

/// One atari, or two at once.
fn ataris(chains: &[ChainFacts]) -> Option<Reason> {
    match chains {
        [] => None,
        [one] => {
            let count = one.stones.len();
            let reason = Reason::of(rules::named("atari")).about(one.name()).count(count);
            Some(reason.plus(0.3 * count as f64))
        }
        [one, other, ..] => {
            let reason = Reason::of(rules::named("double-atari")).about(one.name()).with(other.name());
            Some(reason.count(one.stones.len() + other.stones.len()))
        }
    }
}

/// Does a claim hold if it is read again with other effort? `None`: it is no claim that reading can check.
///
/// `position` is the one before the move of its side to move.
pub fn holds(reason: &Reason, position: &Position, mv: Point, effort: Effort) -> Option<bool> {
    let color = position.to_move();
    let mut next = position.clone();
    next.play(color, Move::Play(mv)).ok()?;
    let (before, after) = (position.board(), next.board());
    let (about, other) = (reason.about?, reason.other);
    let mut reader = Reader::new(effort);
    let fails = |answer: ishi_reading::Answer| answer.outcome == Outcome::Fails;
    let claim = match reason.rule.name {
        "take-stone" | "take-stones" | "take-ko" => after.color(about).is_none(),
        "capture" | "ladder" | "net" => fails(reader.defend(after, about)),
        "atari" => after.chain(about).and_then(|chain| after.atari(chain)).is_some(),
        "double-atari" => [Some(about), other]
            .into_iter()
            .all(|stone| stone.and_then(|s| after.chain(s)).and_then(|chain| after.atari(chain)).is_some()),
        "threaten" => !fails(reader.attack(after, about)),
        "save" | "save-by-capture" | "extend-from-atari" => {
            fails(reader.attack(after, about)) && !fails(reader.attack(before, about))
        }
        name if name.starts_with("connect") && other.is_some() => {
            fails(reader.disconnect(after, about, other?)) && !fails(reader.disconnect(before, about, other?))
        }
        name if name.starts_with("cut") && other.is_some() => {
            fails(reader.connect(after, about, other?)) && !fails(reader.connect(before, about, other?))
        }
        _ => return None,
    };
    Some(claim)
}

#[cfg(test)]
mod tests {
    use ishi_go::Diagram;

    use super::*;

    /// Three ataris in a row are a ladder; a move between that leaves two liberties makes it none.
    #[test]
    fn only_repeated_atari_is_a_ladder() {
        let diagram: Diagram = "
            . . . . . . .
            . . . . . . .
            . . . X . . .
            . . X O . . .
            . . X . . . .
            . . . . . . .
            . . . . . . .
        "
        .parse()
        .unwrap();
        let board = diagram.board().unwrap();
        let point = |vertex: &str| board.size().parse_point(vertex).unwrap();
        let line = |vertices: &[&str]| -> Vec<(Color, Point)> {
            let colors = [Color::Black, Color::White].into_iter().cycle();
            colors.zip(vertices.iter().map(|vertex| point(vertex))).collect()
        };
        let is_one = |vertices: &[&str]| is_ladder(&board, point("D4"), &line(vertices));
        assert!(is_one(&["E4", "D3", "D2", "E3", "F3"]));
        assert!(!is_one(&["E4", "D3", "D2"]), "two ataris are not yet a ladder");
        assert!(!is_one(&["D2", "E4", "F4", "D3", "E3"]), "the first leaves two liberties");
        assert!(!is_one(&["E4", "D3", "E4"]), "a point that is taken");
    }
}
