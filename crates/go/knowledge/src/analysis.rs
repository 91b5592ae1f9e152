//! All that is known of a position.

use ishi_go::{Board, Color, Point, Position};
use ishi_reading::ChainStatus;

use crate::chains::Chains;
use crate::connections::Connections;
use crate::eyes::EyeSpace;
use crate::groups::{self, Group};
use crate::influence::Influence;
use crate::links::Link;
use crate::oracle::{GroupStrength, Oracle};
use crate::strategy::{self, GameBalance, GamePhase};
use crate::style::{PhaseRule, Style};
use crate::tactical::{self, Tactical};

/// What is known of a position, level by level.
///
/// ```
/// use ishi_go::{BoardSize, Move, Position, Rules};
/// use ishi_knowledge::{Analysis, NoOracle, GamePhase};
/// let mut position = Position::new(BoardSize::square(19).unwrap(), Rules::CHINESE);
/// position.play(position.to_move(), position.size().parse_move("Q16").unwrap()).unwrap();
/// let analysis = Analysis::analyze(&position, &mut NoOracle);
/// assert_eq!((analysis.chains.iter().count(), analysis.phase), (1, GamePhase::Opening));
/// ```
#[derive(Clone, Debug)]
pub struct Analysis {
    /// How the position was judged.
    pub style: Style,
    /// Level 1.
    pub chains: Chains,
    /// Level 1: connection points on straight lines, if the style goes by them.
    pub connections: Option<Connections>,
    /// Level 2: the chains that were read, by their names.
    pub status: Vec<(Point, ChainStatus)>,
    /// Level 2: connections.
    pub links: Vec<Link>,
    /// Level 2: eye spaces.
    pub spaces: Vec<EyeSpace>,
    /// Level 3: groups.
    pub groups: Vec<Group>,
    /// Level 3: influence.
    pub influence: Influence,
    /// Black's lead by territory after komi, in points; moyos count as far as they are sure.
    pub black_lead: f64,
    /// How far the game is.
    pub phase: GamePhase,
    /// What the move is worth, in points.
    pub sente: f64,
    /// How the game stands for the side to move.
    pub balance: GameBalance,
    group_at: Vec<Option<u16>>,
}

impl Analysis {
    /// Looks at a position in ishi's way, from scratch.
    pub fn analyze(position: &Position, oracle: &mut impl Oracle) -> Analysis {
        Analysis::analyze_in_style(Style::ishi(), position, oracle)
    }

    /// Looks at a position in a style, from scratch.
    ///
    /// ```
    /// use ishi_go::{BoardSize, Position, Rules};
    /// use ishi_knowledge::{Analysis, NoOracle, Style};
    /// let position = Position::new(BoardSize::square(19).unwrap(), Rules::CHINESE);
    /// assert_eq!(Analysis::analyze_in_style(Style::many_faces(), &position, &mut NoOracle).style, Style::many_faces());
    /// ```
    pub fn analyze_in_style(style: Style, position: &Position, oracle: &mut impl Oracle) -> Analysis {
        Analysis::from_tactical(position, Tactical::in_style(style, position.board()), oracle)
    }

    /// Level 3 over the levels below it, which are those of the same position.
    pub fn from_tactical(position: &Position, below: Tactical, oracle: &mut impl Oracle) -> Analysis {
        let board = position.board();
        let groups = groups::find_groups(board, &below, oracle);
        let Tactical { style, chains, connections, status, links, spaces } = below;
        let group_at = index_groups_by_point(&groups);
        let strength =
            |point: Point| group_at[point.index()].map(|number| groups[usize::from(number)].strength);
        let influence = Influence::compute(style, board, strength, &links);
        let black_lead = estimate_lead(board, &influence, strength) - position.white_bonus();
        Analysis {
            style,
            phase: strategy::find_phase(style, position, &groups),
            sente: strategy::value_of_sente(style, position),
            balance: strategy::find_balance(style, position, black_lead, position.to_move()),
            chains,
            connections,
            status,
            links,
            spaces,
            influence,
            black_lead,
            groups,
            group_at,
        }
    }

    /// The group on a point.
    pub fn group_at(&self, point: Point) -> Option<&Group> {
        self.group_at[point.index()].map(|number| &self.groups[usize::from(number)])
    }

    /// How the chain on a point stands; `None`: it was not read, and is safe for the moment.
    pub fn chain_status(&self, point: Point) -> Option<&ChainStatus> {
        let name = self.chains.chain_at(point)?.name();
        self.status.iter().find(|(chain, _)| *chain == name).map(|(_, status)| status)
    }

    /// How it goes on if the chain of a stone is attacked, or defended: the readings of level 2 played out.
    pub fn expected_sequence(&self, board: &Board, stone: Point, attacking: bool) -> Vec<(Color, Point)> {
        tactical::tactical_reader().read_sequence(board, stone, attacking)
    }

    /// May a pass be the best move? In the endgame; and, where that begins with move 120 and waits until all groups are stable, once the move
    /// is worth no more than a point: before that somebody always gains by moving.
    pub fn may_pass(&self) -> bool {
        match self.style.phase {
            PhaseRule::Stones => self.phase == GamePhase::Endgame,
            PhaseRule::Situation => self.sente <= 1.0,
        }
    }

    /// Groups whose fate the next move decides, the largest first.
    pub fn critical_groups(&self) -> Vec<&Group> {
        let mut urgent: Vec<&Group> =
            self.groups.iter().filter(|group| group.strength == GroupStrength::Critical).collect();
        urgent.sort_by_key(|group| std::cmp::Reverse(group.stones.len()));
        urgent
    }
}

fn index_groups_by_point(groups: &[Group]) -> Vec<Option<u16>> {
    let mut places = vec![None; Point::INDICES];
    for (number, group) in groups.iter().enumerate() {
        for stone in group.stones.iter() {
            places[stone.index()] = Some(number as u16);
        }
    }
    places
}

/// Black's lead in area, as far as influence is sure: stones alive count whole, dead ones for the other side.
fn estimate_lead(
    board: &Board,
    influence: &Influence,
    strength: impl Fn(Point) -> Option<GroupStrength>,
) -> f64 {
    let sign = |color: Color| if color == Color::Black { 1.0 } else { -1.0 };
    let of = |point: Point| match (board.color(point), strength(point)) {
        (Some(color), Some(GroupStrength::Dead)) => -sign(color),
        (Some(color), Some(GroupStrength::Critical)) => 0.3 * sign(color),
        (Some(color), _) => sign(color),
        (None, _) => match influence.territory_owner(point) {
            Some(color) => sign(color),
            None => f64::from(influence.balance_at(point)) * 0.6,
        },
    };
    board.size().points().map(of).sum()
}
