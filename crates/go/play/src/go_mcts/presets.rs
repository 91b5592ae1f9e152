//! Parameters by name, and levels for people.

use ishi_mcts::{FinalMove, Selection, TreeParams};

use super::local::ProblemParams;
use super::params::MctsParams;
use super::playout::PlayoutParams;
use super::priors::{PriorParams, RatedBy};
use super::proofs::ProofParams;
use super::reward::RewardParams;
use super::tabu::{TabuKind, TabuParams};

/// Names of presets: the player at its best, the same without the network's knowledge, and the variants of M. Itoh and T. Ohta, "An application of Monte-Carlo tree
/// search including game state tabu lists for playing 19x19 Go" (2016).
pub const NAMES: [&str; 6] = ["ishi", "strong", "uct", "tabu18", "tabu18-hash", "tabu18-hash-win"];

/// Levels for people: 1 to this.
pub const LEVELS: u32 = 10;

/// The parameters of a preset.
pub fn params_of_preset(name: &str) -> Option<MctsParams> {
    match name {
        "ishi" => Some(MctsParams::default()),
        "strong" => Some(strong_params()),
        // The paper's threshold for plain UCT: one node more after every playout.
        "uct" => Some(paper_params(TabuKind::None, 1)),
        "tabu18" => Some(paper_params(TabuKind::Moves, 30)),
        "tabu18-hash" => Some(paper_params(TabuKind::Hash, 30)),
        "tabu18-hash-win" => Some(paper_params(TabuKind::HashWin, 30)),
        _ => None,
    }
}

/// No network rates moves, those of problems neither.
fn params_without_networks() -> MctsParams {
    let prior = PriorParams { by: RatedBy::Strengths, ..PriorParams::default() };
    let ProblemParams { playouts: problem_playouts, network: problem_network, .. } =
        ProblemParams::with_network(false);
    MctsParams { prior, problem_network, problem_playouts, ..MctsParams::default() }
}

/// The same search with learned strengths only.
fn strong_params() -> MctsParams {
    MctsParams { proofs: ProofParams::OFF, ..params_without_networks() }
}

/// UCT with the settings of the paper's table 1: UCB1 with C = 1.5, 8000 playouts a move, the child with the highest win rate. That
/// playouts draw uniformly is our choice: the paper changed the search of GNU Go 3.8, whose playouts choose by 3x3 patterns.
fn paper_params(kind: TabuKind, expand_at: u32) -> MctsParams {
    MctsParams {
        playouts: 8000,
        reuse: false,
        prior: PriorParams { weight: 0.0, learned: false, by: RatedBy::Strengths, ..PriorParams::default() },
        tree: TreeParams {
            selection: Selection::Ucb1,
            exploration: 1.5,
            first_play_urgency: 10.0,
            bias: 0.0,
            widening_start: 0,
            expand_at,
            final_move: FinalMove::WinRate,
            final_share: 0.0,
            stop_when_settled: false,
            ..TreeParams::default()
        },
        playout: PlayoutParams::uniform(),
        proofs: ProofParams::OFF,
        reward: RewardParams::WINNER_ONLY,
        tabu: TabuParams::with_kind(kind),
        ..params_without_networks()
    }
}

/// The first level that asks the network.
const NETWORK_FROM: u32 = 7;

/// A level: below 5 without learned strengths, below 3 with playouts that do not answer; from 7 with the networks; more and more playouts.
///
/// # Panics
/// If `level` is not 1 to [`LEVELS`].
pub fn params_of_level(level: u32) -> MctsParams {
    const PLAYOUTS: [u64; LEVELS as usize] = [40, 200, 150, 400, 110, 350, 1000, 3000, 8000, 25000];
    let knowing = if level < NETWORK_FROM { strong_params() } else { MctsParams::default() };
    let mut params = MctsParams { playouts: PLAYOUTS[level as usize - 1], ..knowing };
    if level < 5 {
        params.prior.learned = false;
        // Widening goes by strengths.
        params.tree.widening_start = 0;
    }
    if level < 3 {
        params.playout = PlayoutParams::uniform();
    }
    params
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Where the search knows no network, problems know none either, and have more playouts.
    #[test]
    fn problems_know_as_much_as_games() {
        let named = NAMES.iter().map(|name| params_of_preset(name).unwrap());
        for params in named.chain((1..=LEVELS).map(params_of_level)) {
            let knows = params.prior.by == RatedBy::Games;
            assert_eq!(params.problem_network, knows);
            assert_eq!(params.problem_playouts, ProblemParams::with_network(knows).playouts);
            assert_eq!(params.proofs == ProofParams::OFF, !knows);
        }
        assert!((1..=LEVELS).all(|n| (n >= NETWORK_FROM) == params_of_level(n).problem_network));
    }
}
