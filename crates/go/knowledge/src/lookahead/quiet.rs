//! Quiescence: what whoever moves first decides is settled before a position is counted.

use ishi_go::{Color, Point, Position};
use ishi_reading::ChainStatus;

use super::{LookAhead, settling, take_back};
use crate::analysis::Analysis;
use crate::groups::Group;
use crate::links::Link;
use crate::oracle::{GroupStrength, Oracle};
use crate::style::Quiescence;

/// Stones whose fate is decided by who moves first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Unsettled {
    /// One of them.
    pub stone: Point,
    /// Whose they are.
    pub color: Color,
    /// Points that are at stake: the stones twice, and their liberties.
    pub worth: f64,
    /// The opponent's move that takes them, where it is known.
    pub attack: Option<Point>,
    /// The owner's move that saves them, where it is known.
    pub defence: Option<Point>,
}

impl Unsettled {
    /// The move by which a side decides it.
    pub fn settling_move(&self, color: Color) -> Option<Point> {
        if color == self.color { self.defence } else { self.attack }
    }
}

/// Groups and chains that are unsettled, the biggest first.
pub fn find_unsettled(analysis: &Analysis) -> Vec<Unsettled> {
    let is_critical = |group: &Group| group.strength == GroupStrength::Critical && !group.by_capture;
    let critical = analysis.groups.iter().filter(|group| is_critical(group));
    let groups = critical.filter_map(|group| {
        let (fate, worth) = (group.fate?, worth_of_stones(group.stones.len(), group.liberties.len()));
        Some(Unsettled {
            stone: group.name(),
            color: group.color,
            worth,
            attack: fate.kill,
            defence: fate.save,
        })
    });
    let chains = analysis.status.iter().filter_map(|(name, status)| {
        let ChainStatus::InDanger { attack, defence } = status else { return None };
        // With its group it is told already.
        let group = analysis.group_at(*name)?;
        let chain = analysis.chains.chain_at(*name).filter(|_| !is_critical(group))?;
        let worth = worth_of_stones(chain.stones.len(), chain.liberties.len());
        Some(Unsettled { stone: *name, color: chain.color?, worth, attack: attack.mv, defence: defence.mv })
    });
    let mut found: Vec<Unsettled> = groups.chain(chains).collect();
    found.sort_by(|a, b| b.worth.total_cmp(&a.worth).then(a.stone.index().cmp(&b.stone.index())));
    found
}

fn worth_of_stones(stones: usize, liberties: usize) -> f64 {
    (2 * stones + liberties) as f64
}

/// A position whose count can be believed.
#[derive(Clone, Debug, PartialEq)]
pub struct QuietPosition {
    /// Black's lead after komi, in points.
    pub black_lead: f64,
    /// Who is to move when all is settled.
    pub to_move: Color,
    /// What that is worth, in points; 0 when the game is over.
    pub sente: f64,
    /// The moves that settled it.
    pub line: Vec<(Color, Point)>,
}

impl QuietPosition {
    /// Points by which a side leads.
    pub fn lead_for(&self, color: Color) -> f64 {
        if color == Color::Black { self.black_lead } else { -self.black_lead }
    }

    /// The lead, and the value of sente for whose turn it is.
    pub fn value_for(&self, color: Color) -> f64 {
        self.lead_for(color) + if color == self.to_move { self.sente } else { -self.sente }
    }
}

/// Positions that one search for quiet looks at, at most.
const MOST_POSITIONS: u64 = 16;
/// Moves that a search for quiet tries in a position, at most.
const CHOICES: usize = 3;

impl<O: Oracle> LookAhead<O> {
    /// A position in which what was unsettled is settled, as the style says. The position is left as it was.
    pub fn settle_to_quiet(&mut self, position: &mut Position) -> QuietPosition {
        match self.params.style.quiescence {
            Quiescence::OneLine => self.settle_in_turn(position),
            Quiescence::Search => {
                let end = self.nodes + MOST_POSITIONS;
                let window = [f64::NEG_INFINITY, f64::INFINITY];
                self.search_for_quiet(position, self.params.quiet, window, end)
            }
        }
    }

    /// Settles what is unsettled: the side to move the biggest, the other side what is the biggest then, and so on, as long as more
    /// is at stake than the move is worth elsewhere.
    fn settle_in_turn(&mut self, position: &mut Position) -> QuietPosition {
        let mut line: Vec<(Color, Point)> = Vec::new();
        let mut analysis = self.cached_analysis(position);
        while line.len() < self.params.quiet && !position.is_over() {
            let color = position.to_move();
            let worthy = find_unsettled(&analysis).into_iter().filter(|open| open.worth > analysis.sente);
            let mut moves = worthy.filter_map(|open| open.settling_move(color));
            let Some(point) = moves.find(|&point| position.play(color, point.into()).is_ok()) else { break };
            line.push((color, point));
            analysis = self.cached_analysis(position);
        }
        let now = quiet_as_is(position, &analysis);
        take_back(position, line.len());
        QuietPosition { line, ..now }
    }

    /// Searches for quiet: the side to move chooses among the moves that settle something, up to `left` more of them in a line, and
    /// calls on itself. Where more is at stake than the move is worth elsewhere it has to choose one of them; where only a pattern of a
    /// local sequence has a move, it may also leave things as they are. Fail-soft alpha-beta; no more positions once there are `end`.
    fn search_for_quiet(
        &mut self,
        position: &mut Position,
        left: usize,
        [mut alpha, beta]: [f64; 2],
        end: u64,
    ) -> QuietPosition {
        let analysis = self.cached_analysis(position);
        let now = quiet_as_is(position, &analysis);
        if left == 0 || position.is_over() || self.nodes >= end {
            return now;
        }
        let color = position.to_move();
        let mut moves = deciding_moves(&analysis, color);
        let mut best = moves.is_empty().then(|| now.clone());
        if let Some(now) = &best {
            moves = settling::settling_moves(position, &analysis);
            alpha = alpha.max(now.value_for(color));
        }
        for point in moves.into_iter().take(CHOICES) {
            if alpha >= beta {
                break;
            }
            if position.play(color, point.into()).is_err() {
                continue;
            }
            let mut found = self.search_for_quiet(position, left - 1, [-beta, -alpha], end);
            position.undo();
            found.line.insert(0, (color, point));
            alpha = alpha.max(found.value_for(color));
            if best.as_ref().is_none_or(|best| found.value_for(color) > best.value_for(color)) {
                best = Some(found);
            }
        }
        best.unwrap_or(now)
    }
}

/// A position as it is.
fn quiet_as_is(position: &Position, analysis: &Analysis) -> QuietPosition {
    let sente = if position.is_over() { 0.0 } else { analysis.sente };
    QuietPosition { black_lead: analysis.black_lead, to_move: position.to_move(), sente, line: Vec::new() }
}

/// Moves of a side that decide about more than the move is worth elsewhere, the biggest first: they save or take stones, connect or cut.
fn deciding_moves(analysis: &Analysis, color: Color) -> Vec<Point> {
    let stones = find_unsettled(analysis)
        .into_iter()
        .filter_map(|open| Some((open.worth, open.settling_move(color)?)));
    let links = analysis.links.iter().filter_map(|link| link_deciding_move(analysis, link, color));
    let mut all: Vec<(f64, Point)> = stones.chain(links).collect();
    all.retain(|(worth, _)| *worth > analysis.sente);
    all.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.index().cmp(&b.1.index())));
    let mut moves: Vec<Point> = Vec::new();
    for (_, mv) in all {
        if !moves.contains(&mv) {
            moves.push(mv);
        }
    }
    moves
}

/// The move by which a side decides about a connection, with what it is worth: as much as the weaker part's stones and liberties, if that
/// part does not live or is lost anyway.
fn link_deciding_move(analysis: &Analysis, link: &Link, color: Color) -> Option<(f64, Point)> {
    if !link.strength.is_open() {
        return None;
    }
    let parts = link.stones.map(|stone| analysis.group_at(stone));
    let [Some(one), Some(other)] = parts else { return None };
    let weaker = if one.strength <= other.strength { one } else { other };
    if one.name() == other.name() || matches!(weaker.strength, GroupStrength::Dead | GroupStrength::Alive) {
        return None;
    }
    let mv = if color == one.color { link.connect } else { link.cut };
    Some((worth_of_stones(weaker.stones.len(), weaker.liberties.len()) / 2.0, mv?))
}
