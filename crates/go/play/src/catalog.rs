//! Players of Go by name: `go-flat:playouts=500,exploration=0.5`.

use std::sync::Arc;

use ishi_judge::network::Network;
use ishi_rng::Seed;

use crate::capture::choose_capture_move;
use crate::flat::{FlatParams, FlatPlayer};
use crate::go_mcts::{MctsParams, MctsPlayer, mcts_rows};
use crate::go_network::{NetworkParams, NetworkPlayer};
use crate::go_rank::{RankParams, RankPlayer};
use crate::knowledge::{self, KnowledgePlayer};
use crate::random::choose_random_move;
use crate::simple::SimplePlayer;
use ishi_engine::Engine;
use ishi_engine::catalog::{CatalogEntry, CatalogError, find_entry, no_parameters, parse_pairs};
use ishi_engine::parameter::{list_rows, read_params};

/// All built-in players of Go, weakest first.
pub const ENTRIES: [CatalogEntry; 7] = [
    CatalogEntry {
        name: "go-random",
        about: "a legal move at random, never into an own eye",
        japanese: "打てる所からでたらめに選ぶ。自分の眼には打たない",
        parameters: no_parameters,
    },
    CatalogEntry {
        name: "go-capture",
        about: "looks one move ahead for captures and escapes",
        japanese: "一手先の取りと逃げを見る",
        parameters: no_parameters,
    },
    CatalogEntry {
        name: "go-flat",
        about: "flat Monte Carlo with uniformly random playouts",
        japanese: "一様乱数のプレイアウトによる原始モンテカルロ",
        parameters: || list_rows(FlatParams::ENTRIES),
    },
    CatalogEntry {
        name: "go-knowledge",
        about: "alpha-beta over moves that rules suggest, territory counted when all is settled; no playouts",
        japanese: "規則が提案する手のアルファベータ探索。落ち着いた所で地を数え、プレイアウトはしない",
        parameters: || list_rows(knowledge::ENTRIES),
    },
    CatalogEntry {
        name: "go-mcts",
        about: "Monte-Carlo tree search",
        japanese: "モンテカルロ木探索",
        parameters: mcts_rows,
    },
    CatalogEntry {
        name: "go-rank",
        about: "as strong as people of a rank, 25k to 6k, with their errors",
        japanese: "25級から6級までの人と同じ強さで、同じような間違いもする",
        parameters: || list_rows(RankParams::ENTRIES),
    },
    CatalogEntry {
        name: "go-network",
        about: "a tree of positions that a network judges",
        japanese: "ネットワークが評価する局面の木を探索する",
        parameters: || list_rows(NetworkParams::ENTRIES),
    },
];

/// Makes a player of Go from `NAME` or `NAME:KEY=VALUE,KEY=VALUE`.
///
/// # Errors
/// Says which name, key or value is wrong and what would be right.
///
/// ```
/// use ishi_go_play::catalog;
/// use ishi_rng::Seed;
/// let engine = catalog::create_go_player("go-flat:playouts=500", Seed::new(1)).unwrap();
/// assert_eq!(engine.name(), "go-flat");
/// let error = catalog::create_go_player("go-flat:playout=500", Seed::new(1)).err().unwrap();
/// assert_eq!(
///     error.to_string(),
///     "engine go-flat has no parameter \"playout\": it has playouts, allocation, exploration, resign"
/// );
/// ```
pub fn create_go_player(spec: &str, seed: Seed) -> Result<Box<dyn Engine>, CatalogError> {
    create_guided_player(spec, seed, Network::shipped)
}

/// The same, where this network guides `go-network` and `go-rank`, not the one that the program ships with.
///
/// # Errors
/// As [`create_go_player`].
pub fn create_guided_player(
    spec: &str,
    seed: Seed,
    network: impl FnOnce() -> Arc<Network>,
) -> Result<Box<dyn Engine>, CatalogError> {
    // These keep tables of their parameters themselves.
    match spec.split_once(':').unwrap_or((spec, "")) {
        ("go-mcts", params) => {
            return Ok(Box::new(MctsPlayer::new(MctsParams::read_spec(params)?, seed)));
        }
        ("go-network", params) => {
            let params = read_params(NetworkParams::ENTRIES, "go-network", params)?;
            return Ok(Box::new(NetworkPlayer::new(params, network(), seed)));
        }
        ("go-rank", params) => {
            let params = read_params(RankParams::ENTRIES, "go-rank", params)?;
            return Ok(Box::new(RankPlayer::new(params, network(), seed)));
        }
        _ => {}
    }
    let (entry, pairs) = find_entry(&ENTRIES, spec)?;
    Ok(match entry.name {
        "go-random" => Box::new(SimplePlayer::new(entry.name, choose_random_move, seed)),
        "go-capture" => Box::new(SimplePlayer::new(entry.name, choose_capture_move, seed)),
        "go-knowledge" => Box::new(KnowledgePlayer::new(knowledge::parse_params(&pairs)?)),
        _ => Box::new(FlatPlayer::new(parse_pairs(FlatParams::ENTRIES, &pairs)?, seed)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_entry_can_be_made_and_names_itself() {
        for entry in ENTRIES {
            let engine = create_go_player(entry.name, Seed::new(1)).unwrap();
            assert_eq!(engine.name(), entry.name);
            let again = create_go_player(&engine.spec(), Seed::new(1)).unwrap();
            assert_eq!(again.spec(), engine.spec(), "the printed parameters make the same engine");
        }
    }

    #[test]
    fn every_field_of_a_style_is_a_parameter() {
        use ishi_knowledge::Style;
        let entry = ENTRIES.iter().find(|entry| entry.name == "go-knowledge").unwrap();
        let rows = (entry.parameters)();
        for field in Style::DIFFERENCES {
            let row = rows.iter().find(|row| row.key == field.key).unwrap();
            assert_eq!(row.usual, field.ishi, "{}", field.key);
            assert_eq!(row.about, format!("{}; or {}", field.about, field.many_faces));
            assert!(row.japanese.ends_with(&format!("。または {}", field.many_faces)), "{}", row.japanese);
            let spec = |text: &str| create_go_player(text, Seed::new(1)).unwrap().spec();
            let one = spec(&format!("go-knowledge:{}={}", field.key, field.many_faces));
            assert!(one.ends_with(&format!("trust=0.5,{}={}", field.key, field.many_faces)), "{one}");
            assert_eq!(spec(&one), one);
        }
        let most =
            create_go_player("go-knowledge:influence=fading,preset=many-faces", Seed::new(1)).unwrap().spec();
        assert!(!most.contains("influence") && most.contains("walls=all"), "{most}");
        let error =
            create_go_player("go-knowledge:preset=few-faces", Seed::new(1)).err().unwrap().to_string();
        assert_eq!(error, "preset=few-faces is unknown: write ishi or many-faces");
    }

    /// What the command line, pages and documents show is what the player takes: every parameter with its usual value, both texts and no
    /// key twice.
    #[test]
    fn every_row_is_a_parameter_that_the_player_takes() {
        for entry in ENTRIES {
            let rows = (entry.parameters)();
            for row in &rows {
                assert_eq!(rows.iter().filter(|other| other.key == row.key).count(), 1, "{}", row.key);
                assert!(!row.about.is_empty() && !row.allowed.is_empty(), "{} {}", entry.name, row.key);
                assert!(row.japanese.chars().any(|c| c > '\u{3000}'), "{} {}", entry.name, row.japanese);
                let usual = if row.key == "level" { "3" } else { &row.usual };
                let spec = format!("{}:{}={usual}", entry.name, row.key);
                assert!(create_go_player(&spec, Seed::new(1)).is_ok(), "{spec}");
            }
        }
    }

    #[test]
    fn errors_say_what_is_right() {
        let error = |spec: &str| create_go_player(spec, Seed::new(1)).err().unwrap().to_string();
        assert_eq!(
            error("go-flt"),
            "no engine \"go-flt\": there are go-random, go-capture, go-flat, go-knowledge, go-mcts, go-rank, go-network"
        );
        assert_eq!(error("go-random:x=1"), "engine go-random has no parameter \"x\": it has none");
        assert_eq!(
            error("go-flat:playouts"),
            "parameter \"playouts\" of go-flat has no value: write KEY=VALUE"
        );
        assert_eq!(error("go-flat:resign=2"), "resign=2 is out of range: write a number from 0 to 1");
        assert_eq!(error("go-flat:allocation=all"), "allocation \"all\" is unknown: write ucb or even");
    }
}
