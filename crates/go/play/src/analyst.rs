//! Who says what positions are worth, for explanations, reviews and the page.
//!
//! [`PositionJudge`] is the one seam: behind it stand our own searches ([`OwnSearches`]: by the network, by playouts on boards that the
//! network does not see) and, in `ishi-analysis`, any program that speaks KataGo's analysis protocol.

use std::sync::Arc;

use ishi_go::{BoardSize, Position};
use ishi_judge::network::Network;
use ishi_judge::planes;
use ishi_rng::Seed;
use ishi_work::Stop;

use crate::explain::value::ErrorModel;
use crate::go_network::{NetworkParams, NetworkPlayer};
use ishi_engine::{Control, Engine, SearchLimits, SearchReport};

/// Why a judge gives no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum JudgeError {
    /// Somebody stopped the work.
    #[error("stopped")]
    Stopped,
    /// It cannot be asked, or answers what cannot be: what happened, and what must be.
    #[error("{0}")]
    Failed(String),
}

/// What a judge is given besides positions.
pub struct JudgeControl<'a> {
    /// Asked every now and then, from any thread: stop now?
    pub stop: &'a (dyn Stop + Sync),
    /// Hears how many of the positions are judged.
    pub tell: &'a mut dyn FnMut(usize),
}

impl JudgeControl<'_> {
    /// Has positions judged one after another. Each is counted, and whoever has been told of one is asked before the next whether to stop.
    ///
    /// # Errors
    /// If the stop was requested between two of them.
    pub fn judge_each(
        &mut self,
        positions: &[Position],
        mut judge: impl FnMut(&Position, &(dyn Stop + Sync)) -> SearchReport,
    ) -> Result<Vec<SearchReport>, JudgeError> {
        let mut reports = Vec::new();
        for position in positions {
            if !reports.is_empty() && self.stop.is_requested() {
                return Err(JudgeError::Stopped);
            }
            reports.push(judge(position, self.stop));
            (self.tell)(reports.len());
        }
        Ok(reports)
    }
}

/// Somebody who says what positions are worth. What is said of a position depends on that position alone, as far as the judge can help it.
pub trait PositionJudge: Send {
    /// What is thought of each position, from the side to move, in the order in which they are given.
    ///
    /// # Errors
    /// If there is no answer for all of them. A search that is stopped in its middle may give what it has.
    fn judge_positions(
        &mut self,
        positions: &[Position],
        control: &mut JudgeControl<'_>,
    ) -> Result<Vec<SearchReport>, JudgeError>;

    /// How far what it says of boards of this size may be off.
    fn error_model(&self, size: BoardSize) -> ErrorModel;

    /// Is it quicker to ask for many positions at once than for one after another?
    fn likes_many(&self) -> bool;
}

/// Our own searches as a judge; everything random follows from the seed.
#[derive(Clone, Debug)]
pub struct OwnSearches {
    /// Searches.
    pub analyst: Analyst,
    /// For playouts.
    pub seed: Seed,
}

impl OwnSearches {
    /// Searches one position. A search that is stopped in its middle gives what it has.
    pub fn search_position(&self, position: &Position, stop: &(dyn Stop + Sync)) -> SearchReport {
        self.analyst.search_position(position, self.seed, stop)
    }
}

impl PositionJudge for OwnSearches {
    fn judge_positions(
        &mut self,
        positions: &[Position],
        control: &mut JudgeControl<'_>,
    ) -> Result<Vec<SearchReport>, JudgeError> {
        control.judge_each(positions, |position, stop| self.search_position(position, stop))
    }

    fn error_model(&self, size: BoardSize) -> ErrorModel {
        if planes::size_fits(size) { ErrorModel::NETWORK } else { ErrorModel::PLAYOUTS }
    }

    fn likes_many(&self) -> bool {
        false
    }
}

/// Positions judged for a search of each level, from 1 to 10.
const VISITS: [u64; 10] = [8, 12, 20, 32, 50, 80, 120, 200, 400, 800];

/// Searches positions by [`NetworkPlayer`].
#[derive(Clone, Debug)]
pub struct Analyst {
    /// The network.
    pub network: Arc<Network>,
    /// Positions judged for a search; 1 and more.
    pub visits: u64,
}

impl Analyst {
    /// The thought of a level, with the network that the program has.
    ///
    /// # Panics
    /// If `level` is not 1 to 10.
    pub fn of_level(level: u32) -> Analyst {
        Analyst { network: Network::shipped(), visits: Analyst::visits_of_level(level) }
    }

    /// Positions judged for a search of a level, 1 to 10.
    ///
    /// # Panics
    /// If `level` is not 1 to 10.
    pub fn visits_of_level(level: u32) -> u64 {
        VISITS[level as usize - 1]
    }

    /// The player that searches.
    pub fn new_player(&self, seed: Seed) -> NetworkPlayer {
        let params = NetworkParams {
            visits: self.visits,
            reuse: false,
            problem_playouts: 0,
            ..NetworkParams::default()
        };
        NetworkPlayer::new(params, Arc::clone(&self.network), seed)
    }

    /// What a search says of a position; it depends on nothing else. It ends early once `stop` says so.
    pub fn search_position(&self, position: &Position, seed: Seed, stop: &(dyn Stop + Sync)) -> SearchReport {
        let mut nobody = |_: &SearchReport| {};
        let control = Control::with_limits(SearchLimits::default(), &mut nobody);
        let mut control = Control { stop, may_resign: false, ..control };
        self.new_player(seed).choose(position, position.to_move(), &mut control).report
    }
}
