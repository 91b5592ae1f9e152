//! What a visitor's player, board or deck may cost, so that no form can take the machine from the others.

use std::thread::available_parallelism;

use ishi_engine::budget::PlayerBudget;
use ishi_work::memory::free_memory;

use super::error::PageError;
use super::texts::args;

/// Bytes for a player's tree or table.
const MEMORY: u64 = 256 << 20;
/// What a move takes with this is about a minute of one thread on the largest board: 0.3 ms a playout, 5 ms a position that is judged.
const PLAYOUTS: u64 = 200_000;
const VISITS: u64 = 10_000;
const NODES: u64 = 100_000;
/// Reading a hundred moves takes less than half as long as the playout that they are read for.
const READING: u64 = 100;
/// Playouts end by themselves after little more than one board.
const BOARDS: u64 = 4;
/// The longest tabu queues that papers tell of are of 20.
const TENURE: u64 = 50;
/// In Othello, what level 20 has, or less: without selective cuts twenty plies take as long.
const DEPTH: u64 = 20;
const EXACT: u64 = 26;
const WIN_LOSS: u64 = 30;

/// So many searches of a room may run at once, also on a small machine: each gets this part of what is left.
const SHARES: u64 = 4;

/// Bytes that a solver may take: so many, or its share of what the machine has left.
pub(super) fn memory_share(most: usize) -> usize {
    share_of_free(most, free_memory())
}

fn share_of_free(most: usize, free: Option<u64>) -> usize {
    free.map_or(most, |free| most.min(usize::try_from(free / SHARES).unwrap_or(usize::MAX)))
}

/// The most that a visitor's player may use on this machine.
fn visitor_budget() -> PlayerBudget {
    let threads = available_parallelism().map_or(1, |cores| cores.get() as u64);
    PlayerBudget {
        threads,
        memory: MEMORY,
        playouts: PLAYOUTS,
        visits: VISITS,
        nodes: NODES,
        reading: READING,
        boards: BOARDS,
        tenure: TENURE,
        depth: DEPTH,
        exact: EXACT,
        win_loss: WIN_LOSS,
    }
}

/// Refuses a player that would cost too much, before it is made.
pub(super) fn check_player(player: &str) -> Result<(), PageError> {
    visitor_budget().check(player).map_err(|over| {
        let (key, value, most) = (over.key, over.value, over.most);
        // Of `by=search-N` it is the number that counts.
        if key == "by" {
            return PageError::invalid_input_with(
                "workbench-by-is-more-than-this-server",
                args![value, most],
            );
        }
        PageError::invalid_input_with("workbench-is-more-than-this-server-gives", args![key, value, most])
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use ishi_engine::budget::FREE_PARAMETERS;
    use ishi_engine::parameter::Parameter;
    use ishi_go_play::go_mcts::{self, MctsParams};
    use ishi_go_play::go_network::NetworkParams;
    use ishi_go_play::go_rank::RankParams;
    use ishi_go_play::{catalog as go, go_mcts::presets};
    use ishi_othello_play::catalog as othello;
    use ishi_words::Language;

    use super::*;
    use crate::workbench::visitor::Visitor;

    fn takes_numbers<P: Default + 'static>(entry: &Parameter<P>) -> bool {
        ["0", "0.5", "1", "1048576"].iter().any(|text| (entry.set)(&mut P::default(), text).is_ok())
    }

    fn numeric_keys<P: Default + 'static>(entries: &'static [Parameter<P>]) -> Vec<&'static str> {
        entries.iter().filter(|entry| takes_numbers(entry)).map(|entry| entry.key).collect()
    }

    /// Every number that can be set in a player: by the catalogs' tables, and by those of the players whose usual values are no numbers.
    fn all_numeric_keys() -> BTreeSet<&'static str> {
        let rows = go::ENTRIES.iter().chain(&othello::OTHELLO_ENTRIES).flat_map(|entry| (entry.parameters)());
        rows.filter(|row| row.usual.parse::<f64>().is_ok())
            .map(|row| row.key)
            .chain(numeric_keys(go_mcts::ENTRIES))
            .chain(numeric_keys(NetworkParams::ENTRIES))
            .chain(numeric_keys(RankParams::ENTRIES))
            // Sets all the others.
            .chain(["level"])
            .collect()
    }

    #[test]
    fn every_number_of_every_player_is_in_the_budget_or_costs_nothing() {
        let budget = visitor_budget();
        let keys = all_numeric_keys();
        for key in &keys {
            let (is_bound, is_free) = (budget.most_of(key).is_some(), FREE_PARAMETERS.contains(key));
            assert!(
                is_bound != is_free,
                "{key} must be in the budget or in FREE_PARAMETERS, and not in both"
            );
        }
        assert!(keys.len() > FREE_PARAMETERS.len() && keys.contains("proofs") && keys.contains("nodes"));
        let unknown: Vec<_> = FREE_PARAMETERS.iter().filter(|key| !keys.contains(*key)).collect();
        assert!(unknown.is_empty(), "no player has {unknown:?}");
    }

    /// What the program itself offers is within the budget.
    #[test]
    fn presets_levels_and_defaults_are_within_the_budget() {
        let levels = (1..=presets::LEVELS).map(presets::params_of_level);
        let named = presets::NAMES.iter().filter_map(|name| presets::params_of_preset(name));
        for params in levels.chain(named) {
            check_all(go_mcts::ENTRIES, &params);
        }
        check_all(go_mcts::ENTRIES, &MctsParams::default());
        check_all(NetworkParams::ENTRIES, &NetworkParams::default());
        for entry in go::ENTRIES.iter().chain(&othello::OTHELLO_ENTRIES) {
            for row in (entry.parameters)().into_iter().filter(|row| row.key != "memory") {
                let player = format!("{}:{}={}", entry.name, row.key, row.usual);
                assert!(check_player(&player).is_ok(), "{player}");
            }
        }
    }

    fn check_all<P: 'static>(entries: &[Parameter<P>], params: &P) {
        // The tree grows with the playouts, which are bound.
        for entry in entries.iter().filter(|entry| entry.key != "memory") {
            let text = format!("player:{}={}", entry.key, (entry.get)(params));
            assert!(check_player(&text).is_ok(), "{text}");
        }
    }

    /// All factors of a move's work at their most, with what each costs on a board of 25x25: microseconds of one thread.
    #[test]
    fn a_move_ends_even_with_all_factors_at_their_most() {
        let budget = visitor_budget();
        let within = |key: &str, asked: u64| asked.min(budget.most_of(key).unwrap_or(u64::MAX));
        let playout = 300 * within("limit", 100) + within("proofs", 1_000_000);
        let minutes = |micros: u64| micros / 60_000_000;
        assert!(minutes(within("playouts", 1_000_000_000_000) * playout) < 10);
        assert!(minutes(within("visits", 100_000_000) * 5000) < 10);
    }

    #[test]
    fn a_solver_takes_no_more_than_its_share_of_what_is_left() {
        assert_eq!(share_of_free(1 << 30, Some(8 << 30)), 1 << 30);
        assert_eq!(share_of_free(1 << 30, Some(1 << 30)), 256 << 20);
        assert_eq!(share_of_free(1 << 30, None), 1 << 30, "it is not known what is left");
    }

    #[test]
    fn what_is_too_much_is_said_in_both_languages() {
        let words = |player: &str, language: Language| {
            let visitor = Visitor::for_language(language);
            check_player(player).unwrap_err().localized_message(&visitor)
        };
        let english = "proofs=1000000 is more than this server gives a player: proofs must be at most 100";
        assert_eq!(words("go-mcts:proofs=1000000", Language::English), english);
        let japanese = "by=search-999999 はこのサーバーの上限を超えています。数は 10000 以下にしてください";
        assert_eq!(words("go-rank:by=search-999999", Language::Japanese), japanese);
    }
}
