//! Players of Othello by name: `othello:level=12`.

use ishi_engine::catalog::{CatalogEntry, CatalogError, find_entry};
use ishi_engine::{Engine, Othello};
use ishi_rng::Seed;

use crate::players::{self, OnePlyPlayer, SearchPlayer};

/// All built-in players of Othello, weakest first.
pub const OTHELLO_ENTRIES: [CatalogEntry; 4] = [
    CatalogEntry { name: "othello-random", about: "a legal move at random", params: &[] },
    CatalogEntry { name: "othello-greedy", about: "takes the most discs it can", params: &[] },
    CatalogEntry {
        name: "othello-wpc",
        about: "weighted piece counter, one move ahead",
        params: &[
            "weights=standard  standard, or 10 or 64 numbers with spaces between",
            "epsilon=0         probability of a move at random",
        ],
    },
    CatalogEntry {
        name: "othello",
        about: "alpha-beta with a learned evaluation, exact endgames and a book",
        params: &[
            "level=10          1 to 20: how strong; or instead of it the next four",
            "depth=8           plies it looks ahead, 1 to 60",
            "exact=14          empty squares from which on it plays perfectly, 0 to 60",
            "win_loss=16       empty squares from which on it knows who wins; not fewer than exact",
            "confidence=95     of selective cuts, in per cent: 73, 87, 95, 99 or 100 (none)",
            "threads=1         more: quicker, and not the same moves every time",
            "hash=20           2 to this power entries of 16 bytes, 10 to 30; 16 if it needs no more",
            "book=yes          yes or no; levels below 10 do without",
            "reuse=no          yes or no: what one search has found serves the next ones of a game",
        ],
    },
];

/// Makes a player of Othello from `NAME` or `NAME:KEY=VALUE,KEY=VALUE`.
///
/// # Errors
/// Says which name, key or value is wrong and what would be right.
///
/// ```
/// use ishi_othello_play::catalog;
/// use ishi_rng::Seed;
/// let engine = catalog::create_othello_player("othello:level=12", Seed::new(1)).unwrap();
/// assert_eq!(engine.spec(), "othello:level=12,threads=1,hash=20,book=yes");
/// let error = catalog::create_othello_player("othello:level=21", Seed::new(1)).err().unwrap();
/// assert_eq!(error.to_string(), "invalid level \"21\": a level is a number from 1 to 20");
/// ```
pub fn create_othello_player(spec: &str, seed: Seed) -> Result<Box<dyn Engine<Othello>>, CatalogError> {
    let (entry, pairs) = find_entry(&OTHELLO_ENTRIES, spec)?;
    Ok(match entry.name {
        "othello-random" => Box::new(OnePlyPlayer::with_random_moves(seed)),
        "othello-greedy" => Box::new(OnePlyPlayer::with_most_discs(seed)),
        "othello-wpc" => Box::new(OnePlyPlayer::with_wpc(players::parse_wpc_params(&pairs)?, seed)),
        _ => Box::new(SearchPlayer::new(players::parse_search_params(&pairs)?, seed)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_player_of_othello_can_be_made_and_names_itself() {
        for entry in OTHELLO_ENTRIES {
            let engine = create_othello_player(entry.name, Seed::new(1)).unwrap();
            assert_eq!(engine.name(), entry.name);
            let again = create_othello_player(&engine.spec(), Seed::new(1)).unwrap();
            assert_eq!(again.spec(), engine.spec(), "the printed parameters make the same engine");
        }
        for spec in [
            "othello:depth=7,exact=12,win_loss=14,confidence=100,threads=2,hash=18,book=no",
            "othello:level=3,threads=1,hash=16,book=no",
            "othello-wpc:weights=1 -0.25 0.1 0.05 -0.25 0.01 0.01 0.05 0.02 0.5,epsilon=0.1",
        ] {
            assert_eq!(create_othello_player(spec, Seed::new(1)).unwrap().spec(), spec);
        }
    }

    #[test]
    fn errors_about_othello_say_what_is_right() {
        let error = |spec: &str| create_othello_player(spec, Seed::new(1)).err().unwrap().to_string();
        assert!(
            error("go-flat").starts_with("no engine \"go-flat\": there are othello-random, othello-greedy")
        );
        assert_eq!(
            error("othello:level=3,depth=4"),
            "level and depth together: give either a level or how far to look"
        );
        assert_eq!(error("othello:depth=0"), "depth=0 is out of range: write a number from 1 to 60");
        assert_eq!(error("othello:exact=20,win_loss=18"), "win_loss=18 is less than exact=20");
        assert_eq!(
            error("othello:confidence=50"),
            "confidence \"50\" is unknown: write 73, 87, 95, 99 or 100"
        );
        assert_eq!(error("othello:book=maybe"), "book \"maybe\" is unknown: write yes or no");
        assert!(error("othello-wpc:weights=1 2").starts_with("invalid piece counter with 2 weights"));
        assert_eq!(error("othello-wpc:epsilon=2"), "epsilon=2 is out of range: write a number from 0 to 1");
    }
}
