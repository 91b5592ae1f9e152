//! The store ([`ishi_store`]) with the journal of matches: the database knows no game, and the journal says how its matches are kept.

mod journal;

pub use ishi_store::*;
pub use journal::{
    GameConditions, KeptMatches, PAIR_KIND, StoreJournal, describe_match_run, find_kept_pairs,
    open_match_job, pair_result, pair_task, results_version_of_players, start_match,
};
