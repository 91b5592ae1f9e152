//! What a move does: proved by reading the position before it and after it, so that what is said holds.

use ishi_go::{Board, Color, Move, Point, Position};
use ishi_reading::{ChainReader, ChainStatus, PointSet, ReadingEffort, ReadingOutcome};

use crate::analysis::Analysis;
use crate::chains::{ChainFacts, Chains};
use crate::groups::Group;
use crate::links::{Link, rectangle_corners};
use crate::oracle::{Fate, GroupStrength, Oracle};
use crate::reasons::{NAME_ONLY, Reason, RuleFamily, reasons_to_tell};
use crate::rules::{self, Rule, Suggestion};
use crate::tactical::READ_LIBERTIES;

/// Lines around a move in which its effects are looked for.
const NEAR: usize = 6;
/// Lines around a move in which it may settle connections of which level 2 does not say that it does.
const NEAR_LINK: usize = 3;
/// A move joins or cuts two stones if both are within so many lines of it, or it lies between them.
const BY_LINK: usize = 2;
/// How deep claims are read before they are made.
const DEEP: ReadingEffort = ReadingEffort { nodes: [12_000, 8_000, 4_000] };

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
    pub fn drop_unfit_ideas(&mut self, leads: Option<bool>) {
        self.ideas
            .retain(|idea| rules::presumed_lead(idea.rule).is_none_or(|presumed| Some(presumed) == leads));
    }

    /// All reasons, effects first.
    pub fn all_reasons(&self) -> impl Iterator<Item = &Reason> {
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
fn is_read(family: RuleFamily) -> bool {
    let read = [RuleFamily::Capture, RuleFamily::Save, RuleFamily::Connect, RuleFamily::Cut, RuleFamily::Ko];
    read.contains(&family)
}

/// Ideas about a chain's liberties say nothing beside an effect that says what becomes of it, nor does that a point is neutral.
fn is_weaker(idea: &Reason, effects: &[Reason], chains: &Chains) -> bool {
    let of_liberties = ["take-liberties", "gain-liberties", "race-liberty", "push-out"];
    let chain = |stone: Option<Point>| stone.and_then(|stone| chains.chain_at(stone)).map(ChainFacts::name);
    let about = if idea.rule.name == "race-liberty" { idea.other } else { idea.about };
    let is_said = |effect: &Reason| {
        matches!(effect.rule.family, RuleFamily::Capture | RuleFamily::Save | RuleFamily::Ko)
            && chain(effect.about) == chain(about)
    };
    let is_of_liberties = of_liberties.contains(&idea.rule.name) && about.is_some();
    // Who takes, or lives, fills no neutral point.
    is_of_liberties && effects.iter().any(is_said) || idea.rule.name == "fill-dame" && !effects.is_empty()
}

/// A chain close to a move, and what the move changes for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NearbyChain {
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
    pub danger: Option<ChainDanger>,
}

/// How a chain stands that may be captured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChainDanger {
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
pub fn find_nearby_chains(position: &Position, analysis: &Analysis, mv: Point) -> Vec<NearbyChain> {
    let mut next = position.clone();
    if next.play(position.to_move(), Move::Play(mv)).is_err() {
        return Vec::new();
    }
    let after = Chains::from_board(next.board());
    let nearby = |chain: &ChainFacts| {
        let stone =
            chain.stones.iter().min_by_key(|&stone| (stone.lines_to(mv), stone.steps_to(mv), stone))?;
        let danger = match analysis.chain_status(stone) {
            Some(ChainStatus::InDanger { .. }) => Some(ChainDanger::Open),
            Some(ChainStatus::Captured { .. }) => Some(ChainDanger::Lost),
            _ => None,
        };
        (stone.lines_to(mv) <= 2).then(|| NearbyChain {
            stone,
            color: chain.color.unwrap_or(position.to_move()),
            stones: chain.stones.len(),
            touched: chain.liberties.contains(mv),
            liberties: chain.liberties.len(),
            left: after.chain_at(stone).map_or(0, |now| now.liberties.len()),
            danger,
        })
    };
    let mut found: Vec<NearbyChain> = analysis.chains.iter().filter_map(nearby).collect();
    found.sort_by_key(|chain| (!chain.touched, chain.liberties, chain.stone));
    found.truncate(MOST_NEARBY);
    found
}

/// Reasons for a move of the side to move, which must be legal. `suggestions` are [`rules::suggest_moves`]'s for the same position.
pub fn find_move_reasons(
    position: &Position,
    analysis: &Analysis,
    suggestions: &[Suggestion],
    mv: Point,
    oracle: &mut impl Oracle,
) -> MoveReasons {
    let color = position.to_move();
    let mut effects = prove_effects(position, analysis, mv, oracle);
    effects.sort_by(|a, b| b.value.total_cmp(&a.value));
    let effects: Vec<Reason> = reasons_to_tell(&effects, []).into_iter().cloned().collect();
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
    for reason in reasons_to_tell(known, &effects) {
        if ideas.len() < MOST_IDEAS && ideas.iter().all(|other| other.rule.family != reason.rule.family) {
            ideas.push(reason.clone());
        }
    }
    let value = place.map_or(0.0, |n| suggestions[n].value);
    MoveReasons { mv, color, effects, ideas, rank: place.map(|n| n + 1), value }
}

/// What a move changes, as far as reading proves it.
pub fn prove_effects(
    position: &Position,
    analysis: &Analysis,
    mv: Point,
    oracle: &mut impl Oracle,
) -> Vec<Reason> {
    let color = position.to_move();
    let mut next = position.clone();
    if next.play(color, Move::Play(mv)).is_err() {
        return Vec::new();
    }
    let after = Chains::from_board(next.board());
    let mut look = MoveComparison {
        next: &next,
        analysis,
        after: &after,
        mv,
        color,
        before: position.board(),
        reader: ChainReader::default(),
        deep: ChainReader::new(DEEP),
    };
    let mut found = look.taken_stones();
    found.extend(look.effects_on_enemies(oracle));
    found.extend(look.rescue_reasons(&found, oracle));
    found.extend(look.settled_links(oracle));
    found.extend(look.settled_fates(oracle));
    found
}

/// Is a move near enough to two stones to be told to join or to cut them? From afar it does so by the moves that follow, which nobody sees in
/// these words.
fn is_by_link(mv: Point, [a, b]: [Point; 2]) -> bool {
    let is_within = |at: usize, ends: [usize; 2]| {
        at.abs_diff(ends[0]) + at.abs_diff(ends[1]) == ends[0].abs_diff(ends[1])
    };
    let is_between =
        is_within(mv.column(), [a.column(), b.column()]) && is_within(mv.row(), [a.row(), b.row()]);
    is_between || [a, b].iter().all(|stone| stone.lines_to(mv) <= BY_LINK)
}

/// Does a stone leave the board between two positions?
fn is_gone(before: &Board, after: &Board, stone: Point) -> bool {
    before.color(stone).is_some() && after.color(stone).is_none()
}

/// A position before and after a move.
struct MoveComparison<'a> {
    next: &'a Position,
    analysis: &'a Analysis,
    after: &'a Chains,
    mv: Point,
    color: Color,
    before: &'a Board,
    reader: ChainReader,
    /// Reads once more what is about to be said.
    deep: ChainReader,
}

impl MoveComparison<'_> {
    fn is_near(&self, stones: &PointSet) -> bool {
        stones.iter().any(|stone| stone.lines_to(self.mv) <= NEAR)
    }

    /// Chains of a colour that stand near before the move and after it.
    fn standing_chains(&self, color: Color) -> Vec<ChainFacts> {
        let near = |chain: &&ChainFacts| chain.color == Some(color) && self.is_near(&chain.stones);
        let stands = |chain: &&ChainFacts| self.next.board().color(chain.name()) == Some(color);
        self.analysis.chains.iter().filter(near).filter(stands).cloned().collect()
    }

    fn chain_after(&self, stone: Point) -> Option<&ChainFacts> {
        self.after.chain_at(stone)
    }

    fn taken_stones(&self) -> Vec<Reason> {
        let gone = |chain: &&ChainFacts| {
            chain.color == Some(!self.color) && is_gone(self.before, self.next.board(), chain.name())
        };
        let taken = |chain: &ChainFacts| {
            let single_ko = chain.stones.len() == 1 && self.next.board().ko_point().is_some();
            if single_ko {
                Reason::for_rule(rules::rule_named("take-ko")).about_stone(chain.name()).with_count(1)
            } else {
                rules::taking_reason(chain.name(), chain.stones.len())
            }
        };
        self.analysis.chains.iter().filter(gone).map(taken).collect()
    }

    /// Enemy chains that are captured now, or threatened.
    fn effects_on_enemies(&mut self, oracle: &mut impl Oracle) -> Vec<Reason> {
        let mut found = Vec::new();
        let mut in_atari = Vec::new();
        for chain in self.standing_chains(!self.color) {
            let name = chain.name();
            let Some(liberties) = self.chain_after(name).map(|now| now.liberties.len()) else { continue };
            if liberties > READ_LIBERTIES {
                continue;
            }
            let touched = chain.liberties.contains(self.mv);
            let before = self.analysis.chain_status(name).copied();
            if matches!(before, Some(ChainStatus::Captured { .. })) {
                continue;
            }
            if self.is_captured(&chain, oracle) {
                found.push(self.capture_reason(&chain, liberties));
            } else if touched && liberties == 1 {
                in_atari.push(chain.clone());
            } else if !matches!(before, Some(ChainStatus::InDanger { .. })) {
                found.extend(self.threat_reason(&chain, oracle));
            }
        }
        found.extend(atari_reason(&in_atari));
        found
    }

    /// Is the chain lost now, and was it not before, by deeper reading? Only of moves close to it.
    fn is_captured(&mut self, chain: &ChainFacts, oracle: &mut impl Oracle) -> bool {
        let (name, before, board) = (chain.name(), self.before, self.next.board());
        let close =
            chain.stones.union(&chain.liberties).with_neighbours().with_neighbours().contains(self.mv);
        close
            && self.reader.defend(board, name).outcome == ReadingOutcome::Fails
            && self.reader.attack(board, name).outcome == ReadingOutcome::Works
            && self.deep.defend(board, name).outcome == ReadingOutcome::Fails
            && self.deep.defend(before, name).outcome != ReadingOutcome::Fails
            && oracle.falls_to_attack(board, name, false) != Some(false)
    }

    /// The reason that a chain cannot get away any more.
    fn capture_reason(&mut self, chain: &ChainFacts, liberties: usize) -> Reason {
        let board = self.next.board();
        let mut sequence = vec![(self.color, self.mv)];
        sequence.extend(self.reader.read_sequence(board, chain.name(), false));
        let name = if is_ladder(self.before, chain.name(), &sequence) {
            "ladder"
        } else if !chain.stones.with_neighbours().contains(self.mv)
            && chain.stones.len() <= 3
            && liberties >= 2
        {
            "net"
        } else {
            "capture"
        };
        let count = chain.stones.len();
        Reason::for_rule(rules::rule_named(name))
            .about_stone(chain.name())
            .with_count(count)
            .with_added_value(1.5 * count as f64)
            .with_sequence(sequence)
    }

    fn threat_reason(&mut self, chain: &ChainFacts, oracle: &mut impl Oracle) -> Option<Reason> {
        let board = self.next.board();
        let attack = self.reader.attack(board, chain.name());
        let close = chain.stones.union(&chain.liberties).with_neighbours().contains(self.mv);
        let was = self.deep.attack(self.before, chain.name()).outcome;
        let works = attack.outcome == ReadingOutcome::Works
            && oracle.falls_to_attack(board, chain.name(), true) != Some(false);
        if !works || !close || was != ReadingOutcome::Fails {
            return None;
        }
        let sequence = self.reader.read_sequence(board, chain.name(), true);
        let count = chain.stones.len();
        let reason =
            Reason::for_rule(rules::rule_named("threaten")).about_stone(chain.name()).with_count(count);
        Some(reason.with_added_value(0.3 * count as f64).with_sequence(sequence))
    }

    /// Own chains that could have been captured, and now cannot.
    fn rescue_reasons(&mut self, found: &[Reason], oracle: &mut impl Oracle) -> Vec<Reason> {
        let taken = found
            .iter()
            .find(|reason| matches!(reason.rule.name, "take-stone" | "take-stones"))
            .and_then(|reason| reason.about);
        let mut rescues = Vec::new();
        for chain in self.standing_chains(self.color) {
            let name = chain.name();
            let was = match self.analysis.chain_status(name) {
                Some(ChainStatus::InDanger { attack, .. } | ChainStatus::Captured { attack }) => {
                    attack.outcome
                }
                _ => continue,
            };
            let attack = self.reader.attack(self.next.board(), name).outcome;
            let close =
                chain.stones.union(&chain.liberties).with_neighbours().with_neighbours().contains(self.mv);
            if was != ReadingOutcome::Works || attack != ReadingOutcome::Fails || !close && taken.is_none() {
                continue;
            }
            if self.deep.attack(self.next.board(), name).outcome != ReadingOutcome::Fails
                || oracle.falls_to_attack(self.next.board(), name, true) == Some(true)
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
            let reason = Reason::for_rule(rules::rule_named(rule))
                .about_stone(name)
                .with_count(count)
                .with_added_value(1.5 * count as f64);
            rescues.push(Reason { other: taken, ..reason });
        }
        rescues
    }

    /// Was the group of a stone dead before, and is it now? Then nothing is saved, though it cannot be taken at once.
    fn is_dead_still(&self, stone: Point, oracle: &mut impl Oracle) -> bool {
        let was_dead =
            self.analysis.group_at(stone).is_some_and(|group| group.strength == GroupStrength::Dead);
        was_dead
            && oracle.fate(self.next.board(), stone).is_some_and(|fate| fate.strength == GroupStrength::Dead)
    }

    /// Connections that were open and are settled.
    fn settled_links(&mut self, oracle: &mut impl Oracle) -> Vec<Reason> {
        let mut found = Vec::new();
        let analysis = self.analysis;
        for link in analysis.links.iter().filter(|link| link.strength.is_open()) {
            let [a, b] = link.stones;
            let board = self.next.board();
            let decides = link.cut == Some(self.mv) || link.connect == Some(self.mv);
            let is_near = link.stones.iter().any(|stone| stone.lines_to(self.mv) <= NEAR_LINK);
            let is_told = (decides || is_near) && is_by_link(self.mv, link.stones);
            if board.color(a).is_none() || board.color(b).is_none() || !is_told {
                continue;
            }
            let own = board.color(a) == Some(self.color);
            if self.is_settled(board, own, link.stones)
                && !self.is_settled(self.before, own, link.stones)
                && oracle.can_cut(self.before, link.stones) != Some(false)
                && (own || oracle.can_connect(board, link.stones) != Some(true))
            {
                let verb = if own { "connect" } else { "cut" };
                found.push(
                    Reason::for_rule(self.rule_for_link(verb, link)).about_stone(a).with_other_stone(b),
                );
            }
        }
        found.sort_by(|a, b| b.value.total_cmp(&a.value));
        found.truncate(2);
        found
    }

    /// The rule for a link that the move settles. A hane around a stone that the move takes is none.
    fn rule_for_link(&self, verb: &str, link: &Link) -> &'static Rule {
        let [a, b] = link.stones;
        if rectangle_corners(a, b).into_iter().any(|point| is_gone(self.before, self.next.board(), point)) {
            rules::rule_named(verb)
        } else {
            rules::rule_of_link(verb, self.before, link)
        }
    }

    /// Are the stones connected, our own, though the opponent moves first, or cut, the opponent's, though it moves first?
    fn is_settled(&mut self, board: &Board, own: bool, [a, b]: [Point; 2]) -> bool {
        let attempt = if own { self.deep.disconnect(board, a, b) } else { self.deep.connect(board, a, b) };
        attempt.outcome == ReadingOutcome::Fails
    }

    /// Groups whose fate was open and is settled.
    fn settled_fates(&self, oracle: &mut impl Oracle) -> Vec<Reason> {
        let mut found = Vec::new();
        let stands = |group: &Group| self.next.board().color(group.name()) == Some(group.color);
        // Of captures more is said elsewhere.
        let urgent = self.analysis.critical_groups().into_iter().filter(|group| !group.by_capture);
        let near = urgent.filter(|group| stands(group) && self.is_near(&group.stones));
        for group in near.take(MOST_FATES) {
            let name = group.name();
            let own = group.color == self.color;
            let rule = if own { "live" } else { "kill" };
            // The quick look comes first.
            let is_critical = |fate: Fate| fate.strength == GroupStrength::Critical;
            if !oracle.is_settled(self.next.board(), name, own, false)
                || !oracle.sure_fate(self.before, name).is_some_and(is_critical)
                || !oracle.is_settled(self.next.board(), name, own, true)
            {
                continue;
            }
            let mut sequence = vec![(self.color, self.mv)];
            sequence.extend(oracle.fight_sequence(self.next.board(), name, rule == "live"));
            // It ends with the winner's move; the move itself is no sequence.
            while sequence.last().is_some_and(|&(color, _)| color != self.color) {
                sequence.pop();
            }
            sequence.truncate(if sequence.len() > 1 { sequence.len() } else { 0 });
            let count = group.stones.len();
            let reason = Reason::for_rule(rules::rule_named(rule)).about_stone(name).with_count(count);
            found.push(reason.with_added_value(1.6 * count as f64).with_sequence(sequence));
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
pub fn find_prevented_threats(
    position: &Position,
    analysis: &Analysis,
    effects: &[Reason],
    oracle: &mut impl Oracle,
) -> Vec<Threat> {
    let mut passed = position.clone();
    if passed.play(position.to_move(), Move::Pass).is_err() {
        return Vec::new();
    }
    let found = effects.iter().filter_map(|effect| threat_against_effect(position.board(), analysis, effect));
    let mut told: Vec<Threat> = Vec::new();
    for threat in found.filter_map(|threat| confirm_threat(&passed, &analysis.chains, threat, oracle)) {
        // One capture may undo several effects.
        if !told.iter().any(|known| known.mv == threat.mv && known.reason.does_the_same(&threat.reason)) {
            told.push(threat);
        }
    }
    told
}

/// The threat, if it holds after the move; what is taken off the board at once is said to be.
fn confirm_threat(
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
        let chain = chains.chain_at(gone)?;
        return Some(Threat { reason: rules::taking_reason(chain.name(), chain.stones.len()), ..threat });
    }
    let link = threat.reason.other.map(|other| [about, other]);
    let holds = match threat.reason.rule.family {
        RuleFamily::Capture => oracle.falls_to_attack(board, about, false) != Some(false),
        RuleFamily::Save => oracle.falls_to_attack(board, about, true) != Some(true),
        RuleFamily::Cut => oracle.can_connect(board, link?) != Some(true),
        RuleFamily::Connect => oracle.can_cut(board, link?) != Some(true),
        _ => match threat.reason.rule.name {
            "kill" => oracle.is_settled(board, about, false, true),
            "live" => oracle.is_settled(board, about, true, true),
            _ => true,
        },
    };
    holds.then_some(threat)
}

fn threat_against_effect(board: &Board, analysis: &Analysis, effect: &Reason) -> Option<Threat> {
    let about = effect.about?;
    let named =
        |name: &str| Reason::for_rule(rules::rule_named(name)).about_stone(about).with_count(effect.count);
    let link = || {
        let stones = [about, effect.other?];
        analysis.links.iter().find(|link| link.stones == stones)
    };
    let (mv, reason) = match effect.rule.name {
        "live" => (analysis.group_at(about)?.fate?.kill?, named("kill")),
        "kill" => (analysis.group_at(about)?.fate?.save?, named("live")),
        "save" | "save-by-capture" | "extend-from-atari" => {
            let Some(ChainStatus::InDanger { attack, .. } | ChainStatus::Captured { attack }) =
                analysis.chain_status(about)
            else {
                return None;
            };
            let sequence = analysis.expected_sequence(board, about, true);
            let is_atari = analysis.chains.chain_at(about)?.liberties.len() == 1;
            let reason = if is_atari {
                rules::taking_reason(about, effect.count)
            } else {
                rules::capture_reason(about, effect.count, attack.outcome, sequence)
            };
            (attack.mv?, reason)
        }
        "capture" | "ladder" | "net" => match analysis.chain_status(about)? {
            ChainStatus::InDanger { defence, .. } => (defence.mv?, named("save")),
            _ => return None,
        },
        name if name.starts_with("connect") => {
            let link = link()?;
            (
                link.cut?,
                Reason::for_rule(rules::rule_of_link("cut", board, link))
                    .about_stone(about)
                    .with_other_stone(effect.other?),
            )
        }
        name if name.starts_with("cut") => {
            let link = link()?;
            (
                link.connect?,
                Reason::for_rule(rules::rule_of_link("connect", board, link))
                    .about_stone(about)
                    .with_other_stone(effect.other?),
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
            if board.atari_liberty(chain).is_none() {
                return false;
            }
            ataris += 1;
        }
    }
    ataris >= 3
}

/// One atari, or two at once.
fn atari_reason(chains: &[ChainFacts]) -> Option<Reason> {
    match chains {
        [] => None,
        [one] => {
            let count = one.stones.len();
            let reason =
                Reason::for_rule(rules::rule_named("atari")).about_stone(one.name()).with_count(count);
            Some(reason.with_added_value(0.3 * count as f64))
        }
        [one, other, ..] => {
            let reason = Reason::for_rule(rules::rule_named("double-atari"))
                .about_stone(one.name())
                .with_other_stone(other.name());
            Some(reason.with_count(one.stones.len() + other.stones.len()))
        }
    }
}

/// Does a claim hold if it is read again with other effort? `None`: it is no claim that reading can check.
///
/// `position` is the one before the move of its side to move.
pub fn recheck_claim(reason: &Reason, position: &Position, mv: Point, effort: ReadingEffort) -> Option<bool> {
    let color = position.to_move();
    let mut next = position.clone();
    next.play(color, Move::Play(mv)).ok()?;
    let (before, after) = (position.board(), next.board());
    let (about, other) = (reason.about?, reason.other);
    let mut reader = ChainReader::new(effort);
    let fails = |answer: ishi_reading::ReadingAnswer| answer.outcome == ReadingOutcome::Fails;
    let claim = match reason.rule.name {
        "take-stone" | "take-stones" | "take-ko" => after.color(about).is_none(),
        "capture" | "ladder" | "net" => fails(reader.defend(after, about)),
        "atari" => after.chain(about).and_then(|chain| after.atari_liberty(chain)).is_some(),
        "double-atari" => [Some(about), other].into_iter().all(|stone| {
            stone.and_then(|s| after.chain(s)).and_then(|chain| after.atari_liberty(chain)).is_some()
        }),
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
        let board = diagram.to_board().unwrap();
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
