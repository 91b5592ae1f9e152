//! Players of Othello by name: `othello:level=12`.

use ishi_engine::catalog::{CatalogEntry, CatalogError, find_entry, no_parameters, parse_pairs};
use ishi_engine::parameter::list_rows;
use ishi_engine::{Engine, Othello};
use ishi_rng::Seed;
use ishi_words::CodedError;

use crate::players::{OnePlyPlayer, SearchPlayer, SearchPlayerOptions, WpcParams};

/// All built-in players of Othello, weakest first.
pub const OTHELLO_ENTRIES: [CatalogEntry; 4] = [
    CatalogEntry {
        name: "othello-random",
        about: "a legal move at random",
        japanese: "打てる所からでたらめに選ぶ",
        parameters: no_parameters,
    },
    CatalogEntry {
        name: "othello-greedy",
        about: "takes the most discs it can",
        japanese: "最も多く返せる手を打つ",
        parameters: no_parameters,
    },
    CatalogEntry {
        name: "othello-wpc",
        about: "weighted piece counter, one move ahead",
        japanese: "マスの重みの評価（WPC）で一手読む",
        parameters: || list_rows(WpcParams::ENTRIES),
    },
    CatalogEntry {
        name: "othello",
        about: "alpha-beta with a learned evaluation, exact endgames and a book",
        japanese: "学習した評価による探索、終盤完全読み、定石",
        parameters: || list_rows(SearchPlayerOptions::ENTRIES),
    },
];

/// Makes a player of Othello from `NAME` or `NAME:KEY=VALUE,KEY=VALUE`.
///
/// # Errors
/// Says which name, key or value is wrong and what would be right, or that there is no memory for the player's table.
///
/// ```
/// use ishi_othello_play::catalog;
/// use ishi_rng::Seed;
/// let engine = catalog::create_othello_player("othello:level=12", Seed::new(1)).unwrap();
/// assert_eq!(engine.spec(), "othello:level=12,threads=1,hash=20,book=yes");
/// let error = catalog::create_othello_player("othello:level=21", Seed::new(1)).err().unwrap();
/// assert_eq!(error.to_string(), "invalid level \"21\": a level must be a number from 1 to 20");
/// ```
pub fn create_othello_player(spec: &str, seed: Seed) -> Result<Box<dyn Engine<Othello>>, CatalogError> {
    let (entry, pairs) = find_entry(&OTHELLO_ENTRIES, spec)?;
    Ok(match entry.name {
        "othello-random" => Box::new(OnePlyPlayer::with_random_moves(seed)),
        "othello-greedy" => Box::new(OnePlyPlayer::with_most_discs(seed)),
        "othello-wpc" => Box::new(OnePlyPlayer::with_wpc(parse_pairs(WpcParams::ENTRIES, &pairs)?, seed)),
        _ => {
            let options: SearchPlayerOptions = parse_pairs(SearchPlayerOptions::ENTRIES, &pairs)?;
            let player = SearchPlayer::new(options.to_params()?, seed);
            Box::new(player.map_err(|error| CatalogError::new(error, error.facts()))?)
        }
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
            "othello:rating=999,threads=1,hash=16,book=no",
            "othello-wpc:weights=1 -0.25 0.1 0.05 -0.25 0.01 0.01 0.05 0.02 0.5,epsilon=0.1",
        ] {
            assert_eq!(create_othello_player(spec, Seed::new(1)).unwrap().spec(), spec);
        }
    }

    /// What the command line and the pages show is what the player takes.
    #[test]
    fn every_row_is_a_parameter_that_the_player_takes() {
        for entry in OTHELLO_ENTRIES {
            for row in (entry.parameters)() {
                assert!(row.japanese.chars().any(|c| c > '\u{3000}'), "{}", row.japanese);
                let spec = format!("{}:{}={}", entry.name, row.key, row.usual);
                assert!(create_othello_player(&spec, Seed::new(1)).is_ok(), "{spec}");
            }
        }
        assert_eq!((OTHELLO_ENTRIES[2].parameters)().len() + (OTHELLO_ENTRIES[3].parameters)().len(), 13);
    }

    /// Each confidence that an error names is taken.
    #[test]
    fn every_confidence_that_is_named_is_taken() {
        let error = create_othello_player("othello:confidence=50", Seed::new(1)).err().unwrap().to_string();
        let (_, named) = error.split_once("write ").unwrap();
        let named: Vec<&str> = named.split([',', ' ']).filter(|word| word.parse::<u32>().is_ok()).collect();
        assert_eq!(named.len(), 5, "{error}");
        for percent in named {
            let spec = format!("othello:confidence={percent}");
            assert!(create_othello_player(&spec, Seed::new(1)).is_ok(), "{spec}");
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
            "confidence \"50\" is unknown: write 63, 87, 95, 99 or 100"
        );
        assert_eq!(error("othello:book=maybe"), "book \"maybe\" is unknown: write yes or no");
        assert!(error("othello-wpc:weights=1 2").starts_with("invalid piece counter with 2 weights"));
        assert_eq!(error("othello-wpc:epsilon=2"), "epsilon=2 is out of range: write a number from 0 to 1");
    }
}
