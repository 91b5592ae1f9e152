//! What is thought of moves before any playout: the strengths that `ishi_patterns` has learned, as probabilities for the
//! tree's widening and bias, and as opinions that its statistics begin with. The network's strengths take their place where it is
//! asked: they are better, and cost as much as a few playouts.

use ishi_go::{Board, Color, Move, Point};
use ishi_mcts::{Action, Candidate};
use ishi_patterns::{FeatureScratch, MoveContext, MoveNetwork, MovePredictor, NetMemory};

use super::playout::action_of_move;

/// Who corrects the learned strengths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RatedBy {
    /// Nobody.
    Strengths,
    /// The network that has learned the moves of games.
    Games,
    /// The network that has learned what kills groups and saves them.
    Life,
}

impl RatedBy {
    /// Reads the network, so that the first question need not wait for it.
    pub(crate) fn load_network(self) {
        self.network();
    }

    fn network(self) -> Option<&'static MoveNetwork> {
        match self {
            RatedBy::Strengths => None,
            RatedBy::Games => MoveNetwork::shipped(),
            RatedBy::Life => MoveNetwork::shipped_of_life(),
        }
    }
}

/// How opinions follow from strengths.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PriorParams {
    /// Playouts that an opinion is worth; 0: none.
    pub weight: f32,
    /// Win rate that a move loses in opinion for each factor e that its strength is below the strongest's.
    pub slope: f32,
    /// Do candidates have learned strengths? If not, all are alike.
    pub learned: bool,
    /// Does a network correct them? Without `learned` none is asked.
    pub by: RatedBy,
}

impl Default for PriorParams {
    fn default() -> Self {
        PriorParams { weight: 30.0, slope: 0.05, learned: true, by: RatedBy::Games }
    }
}

/// What a thread needs to rate moves.
#[derive(Default)]
pub(crate) struct RatingMemory {
    scratch: Option<FeatureScratch>,
    network: Option<Box<NetMemory>>,
    rated: Vec<(Point, f32)>,
}

/// A pass is this strong beside the moves of the board: it is tried when nothing else is any good.
const PASS_STRENGTH: f32 = 1e-4;

/// A position whose moves are rated.
pub(crate) struct RatedPosition<'a> {
    pub(crate) board: &'a Board,
    /// The side to move.
    pub(crate) color: Color,
    /// The two moves before, passes where there are none.
    pub(crate) history: [Action; 2],
    /// Is a pass one of the candidates? It is in any case if there is no other.
    pub(crate) with_pass: bool,
}

impl PriorParams {
    /// Adds the candidates of a position with their priors: points that are wanted and no own eyes, and a pass. Opinions are about
    /// these points alone: beside the strongest of them.
    pub(crate) fn rate_moves(
        &self,
        rated: &RatedPosition<'_>,
        is_wanted: impl Fn(Point) -> bool,
        memory: &mut RatingMemory,
        out: &mut Vec<Candidate>,
    ) {
        self.fill_strengths(rated, &is_wanted, memory);
        let usable =
            |&&(point, _): &&(Point, f32)| is_wanted(point) && rated.board.is_sensible(rated.color, point);
        let plain =
            |mv: Move, prior: f32| Candidate { action: action_of_move(mv), prior, weight: 0.0, value: 0.0 };
        out.extend(
            memory.rated.iter().filter(usable).map(|&(point, strength)| plain(point.into(), strength)),
        );
        if rated.with_pass || out.is_empty() {
            out.push(plain(Move::Pass, PASS_STRENGTH));
        }
        self.form_opinions(out);
    }

    /// The strengths of the points where a stone may be put: of those that are wanted, and maybe of others.
    fn fill_strengths(
        &self,
        rated: &RatedPosition<'_>,
        is_wanted: impl Fn(Point) -> bool,
        memory: &mut RatingMemory,
    ) {
        let &RatedPosition { board, color, history: [before, last], .. } = rated;
        if !self.learned {
            memory.rated.clear();
            memory
                .rated
                .extend(board.size().points().filter(|&p| board.is_legal(color, p)).map(|p| (p, 1.0)));
            return;
        }
        let point = |action: Action| (action.0 != 0).then(|| Point::from_index(action.0.into()));
        let context = MoveContext { board, to_move: color, last: point(last), before: point(before) };
        if let Some(network) = self.by.network() {
            let working = memory.network.get_or_insert_default();
            network.rate_moves(&context, MovePredictor::shipped(), working, &mut memory.rated);
        } else {
            let scratch = memory.scratch.get_or_insert_with(FeatureScratch::new);
            MovePredictor::shipped().rate_wanted(&context, is_wanted, scratch, &mut memory.rated);
        }
    }

    /// Turns strengths into probabilities and opinions.
    fn form_opinions(&self, candidates: &mut [Candidate]) {
        let total: f32 = candidates.iter().map(|candidate| candidate.prior).sum();
        let most = candidates.iter().map(|candidate| candidate.prior).fold(0.0, f32::max);
        for candidate in candidates {
            candidate.weight = self.weight;
            // No opinion is certain: playouts must be able to overrule it.
            candidate.value = (0.5 + self.slope * (candidate.prior / most).ln()).clamp(0.05, 0.95);
            candidate.prior /= total;
        }
    }
}
