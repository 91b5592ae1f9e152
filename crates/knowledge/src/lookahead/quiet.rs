//! Quiescence: what whoever moves first decides is settled before a position is counted.

use ishi_go::{Color, Point, Position};
use ishi_reading::Status;

use super::{LookAhead, take_back};
use crate::analysis::Analysis;
use crate::groups::Group;
use crate::oracle::{Oracle, Strength};

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
    pub fn settling(&self, color: Color) -> Option<Point> {
        if color == self.color { self.defence } else { self.attack }
    }
}

/// Groups and chains that are unsettled, the biggest first.
pub fn unsettled(analysis: &Analysis) -> Vec<Unsettled> {
    let is_critical = |group: &Group| group.strength == Strength::Critical && !group.by_capture;
    let critical = analysis.groups.iter().filter(|group| is_critical(group));
    let groups = critical.filter_map(|group| {
        let (fate, worth) = (group.fate?, worth(group.stones.len(), group.liberties.len()));
        Some(Unsettled {
            stone: group.name(),
            color: group.color,
            worth,
            attack: fate.kill,
            defence: fate.save,
        })
    });
    let chains = analysis.status.iter().filter_map(|(name, status)| {
        let Status::InDanger { attack, defence } = status else { return None };
        // With its group it is told already.
        let group = analysis.group(*name)?;
        let chain = analysis.chains.at(*name).filter(|_| !is_critical(group))?;
        let worth = worth(chain.stones.len(), chain.liberties.len());
        Some(Unsettled { stone: *name, color: chain.color?, worth, attack: attack.mv, defence: defence.mv })
    });
    let mut found: Vec<Unsettled> = groups.chain(chains).collect();
    found.sort_by(|a, b| b.worth.total_cmp(&a.worth).then(a.stone.index().cmp(&b.stone.index())));
    found
}

fn worth(stones: usize, liberties: usize) -> f64 {
    (2 * stones + liberties) as f64
}

/// A position whose count can be believed.
#[derive(Clone, Debug, PartialEq)]
pub struct Quiet {
    /// Black's lead after komi, in points.
    pub black_lead: f64,
    /// Who is to move when all is settled.
    pub to_move: Color,
    /// What that is worth, in points; 0 when the game is over.
    pub sente: f64,
    /// The moves that settled it.
    pub line: Vec<(Color, Point)>,
}

impl Quiet {
    /// Points by which a side leads.
    pub fn lead(&self, color: Color) -> f64 {
        if color == Color::Black { self.black_lead } else { -self.black_lead }
    }

    /// The lead, and the value of sente for whose turn it is.
    pub fn value(&self, color: Color) -> f64 {
        self.lead(color) + if color == self.to_move { self.sente } else { -self.sente }
    }
}

impl<O: Oracle> LookAhead<O> {
    /// Settles what is unsettled: the side to move the biggest, the other side what is the biggest then, and so on, as long as more
    /// is at stake than the move is worth elsewhere. The position is left as it was.
    pub fn quiet(&mut self, position: &mut Position) -> Quiet {
        let mut line: Vec<(Color, Point)> = Vec::new();
        let mut analysis = self.analysis(position);
        while line.len() < self.params.quiet && !position.is_over() {
            let color = position.to_move();
            let worthy = unsettled(&analysis).into_iter().filter(|open| open.worth > analysis.sente);
            let mut moves = worthy.filter_map(|open| open.settling(color));
            let Some(point) = moves.find(|&point| position.play(color, point.into()).is_ok()) else { break };
            line.push((color, point));
            analysis = self.analysis(position);
        }
        let sente = if position.is_over() { 0.0 } else { analysis.sente };
        let to_move = position.to_move();
        take_back(position, line.len());
        Quiet { black_lead: analysis.black_lead, to_move, sente, line }
    }
}
