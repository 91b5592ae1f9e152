//! Parameters of the player, as text.

use std::str::FromStr;

use ishi_judge::network::Instructions;
use ishi_mcts::JudgedParams;

use crate::go_mcts::ProblemParams;
use ishi_engine::parameter::{Parameter, YES_NO, changed_params, parse_params, set_param};
use ishi_engine::{numeric, worded};

/// Parameters of a [`super::NetworkPlayer`].
#[derive(Clone, Debug, PartialEq)]
pub struct NetworkParams {
    /// Positions judged for a move, where no other limit is given; 1 and more.
    pub visits: u64,
    /// Threads that judge positions together; 1 and more. As many positions are judged at a time, or `tree.batch`, if that is more.
    pub threads: usize,
    /// Playouts for the answer to a problem ([`crate::go_mcts::solve_problem`]); 0: it is answered as any position.
    pub problem_playouts: u64,
    /// Resigns below this chance to win; 0: never.
    pub resign_below: f64,
    /// Keep what the last search found of the game's next position.
    pub reuse: bool,
    /// Judge positions in single precision, also where the processor is faster in bfloat16.
    pub single_precision: bool,
    /// Temperature of the priors, above 0: more makes unlikely moves likelier.
    pub temperature: f32,
    /// The tree.
    pub tree: JudgedParams,
}

impl Default for NetworkParams {
    fn default() -> NetworkParams {
        NetworkParams {
            visits: 100,
            threads: 1,
            problem_playouts: ProblemParams::default().playouts,
            resign_below: 0.03,
            reuse: true,
            single_precision: false,
            temperature: 1.0,
            tree: JudgedParams::default(),
        }
    }
}

/// A parameter that can be written as text.
pub type NetworkEntry = Parameter<NetworkParams>;

impl NetworkParams {
    /// All parameters, the most important first.
    pub const ENTRIES: &'static [NetworkEntry] = &[
        numeric!(
            "visits",
            "positions judged for a move, where no other limit is given",
            "他に制限がないとき、1手で評価する局面の数",
            1,
            100_000_000,
            visits
        ),
        numeric!(
            "threads",
            "threads that judge positions together",
            "一緒に局面を評価するスレッドの数",
            1,
            256,
            threads
        ),
        numeric!(
            "problem-playouts",
            "playouts for a problem in one part of the board; 0: answered as any position",
            "盤の一部の問題でのプレイアウト数。0 なら普通の局面として答える",
            0,
            100_000_000,
            problem_playouts
        ),
        numeric!(
            "resign",
            "resigns below this chance to win; 0: never",
            "勝つ見込みがこれを下回ると投了する。0 なら投了しない",
            0.0,
            0.5,
            resign_below
        ),
        worded!(
            "reuse",
            "keep what was found of the game's next position: yes or no",
            "次の局面について分かったことを残す：yes か no",
            YES_NO,
            reuse
        ),
        numeric!("batch", "positions judged together", "まとめて評価する局面の数", 1, 1024, tree.batch),
        worded!(
            "single-precision",
            "judge in single precision, also where the processor is faster in bfloat16: yes or no",
            "bfloat16 のほうが速い CPU でも単精度で評価する：yes か no",
            YES_NO,
            single_precision
        ),
        numeric!(
            "temperature",
            "of the priors: more makes unlikely moves likelier",
            "事前確率の温度。高いほど、ありそうにない手も選ばれやすい",
            0.05,
            20.0,
            temperature
        ),
        numeric!("exploration", "weight of the prior", "事前確率の重み", 0.001, 100.0, tree.exploration),
        numeric!(
            "growth",
            "how much that weight grows with the visits",
            "その重みが訪問数とともに増える度合い",
            0.0,
            100.0,
            tree.exploration_growth
        ),
        numeric!(
            "first-play",
            "how much worse what was never looked at counts",
            "まだ見ていない手をどれだけ低く見るか",
            0.0,
            2.0,
            tree.first_play_reduction
        ),
        numeric!(
            "lead-share",
            "share of the lead beside the chance to win",
            "勝つ見込みのほかに、リードを考える割合",
            0.0,
            1.0,
            tree.lead_share
        ),
        numeric!(
            "lead-scale",
            "lead in points at which its share is half",
            "その割合が半分になるリード（目）",
            0.1,
            1000.0,
            tree.lead_scale
        ),
    ];

    /// What the network is evaluated with.
    pub(super) fn instructions(&self) -> Instructions {
        if self.single_precision { Instructions::best_exact() } else { Instructions::best() }
    }

    /// Those of the tree: a batch has work for all threads.
    pub(super) fn tree_params(&self) -> JudgedParams {
        JudgedParams { batch: self.tree.batch.max(self.threads), ..self.tree }
    }

    /// Sets a parameter.
    ///
    /// # Errors
    /// Says which key or value is wrong, and what would be right.
    pub fn set_param(&mut self, key: &str, value: &str) -> Result<(), String> {
        set_param(Self::ENTRIES, "go-network", self, key, value)
    }

    /// The parameters that differ from the usual ones, as they are read.
    pub fn spec(&self) -> String {
        changed_params(Self::ENTRIES, self)
    }
}

/// Reads `KEY=VALUE,KEY=VALUE`.
///
/// ```
/// use ishi_go_play::go_network::NetworkParams;
/// let params: NetworkParams = "visits=50,batch=4".parse().unwrap();
/// assert_eq!((params.visits, params.spec().as_str()), (50, "visits=50,batch=4"));
/// let error = "visits=0".parse::<NetworkParams>().unwrap_err();
/// assert_eq!(error, "invalid visits \"0\": write a number from 1 to 100000000");
/// ```
impl FromStr for NetworkParams {
    type Err = String;

    fn from_str(text: &str) -> Result<NetworkParams, String> {
        parse_params(Self::ENTRIES, "go-network", text)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use ishi_engine::parameter::list_rows;

    use super::*;

    /// The table of docs/judge.md: keys and usual values, of which a line may hold several.
    fn documented() -> BTreeMap<String, String> {
        let text = include_str!("../../../../../docs/judge.md");
        let table = text.split_once("| parameter | usual | what |\n").unwrap().1;
        let lines = table.lines().skip(1).take_while(|line| line.starts_with('|'));
        let pairs = |line: &str| {
            let mut cells = line.trim_start_matches("| ").split(" | ");
            let (keys, values) = (cells.next().unwrap(), cells.next().unwrap());
            let keys = keys.split(", ").map(|key| key.trim_matches('`').to_string());
            keys.zip(values.split(", ").map(str::to_string)).collect::<Vec<_>>()
        };
        lines.flat_map(pairs).collect()
    }

    #[test]
    fn the_page_about_the_network_lists_all_parameters_with_their_usual_values() {
        let rows = list_rows(NetworkParams::ENTRIES).into_iter().map(|row| (row.key.to_string(), row.usual));
        assert_eq!(documented(), rows.collect());
    }
}
