//! Players of Go by name: `go-flat:playouts=500,exploration=0.5`.

use std::sync::Arc;

use ishi_judge::network::Network;
use ishi_rng::Seed;

use crate::capture::choose_capture_move;
use crate::flat::{Allocation, FlatParams, FlatPlayer};
use crate::go_mcts::MctsPlayer;
use crate::go_network::NetworkPlayer;
use crate::go_rank::RankPlayer;
use crate::knowledge::{self, KnowledgePlayer};
use crate::random::choose_random_move;
use crate::simple::SimplePlayer;
use ishi_engine::Engine;
use ishi_engine::catalog::{CatalogEntry, CatalogError, find_entry, parse_in_range};

/// All built-in players of Go, weakest first.
pub const ENTRIES: [CatalogEntry; 7] = [
    CatalogEntry { name: "go-random", about: "a legal move at random, never into an own eye", params: &[] },
    CatalogEntry { name: "go-capture", about: "looks one move ahead for captures and escapes", params: &[] },
    CatalogEntry {
        name: "go-flat",
        about: "flat Monte Carlo with uniformly random playouts",
        params: &[
            "playouts=2000     playouts for a move, where no other limit is given",
            "allocation=ucb    ucb, or even: playouts to the candidates in turn",
            "exploration=0.7   constant C of UCB1",
            "resign=0.03       resigns below this win rate; 0: never",
        ],
    },
    CatalogEntry {
        name: "go-knowledge",
        about: "alpha-beta over moves that rules suggest, territory counted when all is settled; no playouts",
        params: &[
            "depth=2           plies of the search, 1 to 20",
            "width=5           suggestions looked at in each position, 1 to 400",
            "quiet=4           moves at most that settle a position before it is counted, 0 to 50",
            "nodes=2000        positions looked at for a move, where no other limit is given",
            "trust=0.5         share of a suggestion's own value that counts, 0 to 10",
            "preset=ishi       or many-faces, the way of D. Fotland's program; or single fields of it:",
            "influence=fading  how influence fades with distance; or inverse-distance",
            "walls=other-side  connections that influence does not pass; or all",
            "balance=board-share from which lead a side is ahead or behind; or points",
            "phase=stones      what tells opening, middle game and endgame; or situation",
            "sente=stones      by what the value of the move falls from 7 to 1; or moves",
            "eyes=halves       how fine eyes are counted; or eighths",
            "vital=one         vital points of an eye space; or all",
            "shared=steps      points that two chains share, and the types that follow from them; or straight-lines",
            "potential=seen    where a group could make eyes; or five-types",
            "escapes=best      points by which a group gets out; or lists",
            "urgent-first=no   urgent groups and urgent pattern moves before all others; or yes",
            "move-kinds=alike  what the kinds of joseki and pattern moves do; or acting",
            "variations=most-played how joseki and pattern sequences are played out; or unfolded",
            "quiescence=one-line how a position is settled before it is counted; or search",
            "finishing=no      moves more at nearly dead groups when ahead; or yes",
            "desperate=no      bluffs and help for hopeless groups when behind; or yes",
            "purposes=no       patterns by purpose: cut, enclose, invade, endgame, life, shape; or yes",
        ],
    },
    CatalogEntry { name: "go-mcts", about: "Monte-Carlo tree search", params: &[] },
    CatalogEntry {
        name: "go-rank",
        about: "as strong as people of a rank, 23k to 6k, with their errors",
        params: &[],
    },
    CatalogEntry { name: "go-network", about: "a tree of positions that a network judges", params: &[] },
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
            return Ok(Box::new(MctsPlayer::new(params.parse().map_err(CatalogError::new)?, seed)));
        }
        ("go-network", params) => {
            let params = params.parse().map_err(CatalogError::new)?;
            return Ok(Box::new(NetworkPlayer::new(params, network(), seed)));
        }
        ("go-rank", params) => {
            let params = params.parse().map_err(CatalogError::new)?;
            return Ok(Box::new(RankPlayer::new(params, network(), seed)));
        }
        _ => {}
    }
    let (entry, pairs) = find_entry(&ENTRIES, spec)?;
    Ok(match entry.name {
        "go-random" => Box::new(SimplePlayer::new(entry.name, choose_random_move, seed)),
        "go-capture" => Box::new(SimplePlayer::new(entry.name, choose_capture_move, seed)),
        "go-knowledge" => Box::new(KnowledgePlayer::new(knowledge::parse_params(&pairs)?)),
        _ => Box::new(FlatPlayer::new(parse_flat_params(&pairs)?, seed)),
    })
}

fn parse_flat_params(pairs: &[(&str, &str)]) -> Result<FlatParams, CatalogError> {
    let mut params = FlatParams::default();
    for &(key, value) in pairs {
        match key {
            "playouts" => params.playouts = parse_in_range(key, value, 1, u64::MAX)?,
            "allocation" => params.allocation = parse_allocation(value)?,
            "exploration" => params.exploration = parse_in_range(key, value, 0.0, 100.0)?,
            _ => params.resign_below = parse_in_range(key, value, 0.0, 1.0)?,
        }
    }
    Ok(params)
}

fn parse_allocation(value: &str) -> Result<Allocation, CatalogError> {
    match value {
        "ucb" => Ok(Allocation::Ucb),
        "even" => Ok(Allocation::Even),
        _ => Err(CatalogError::new(format!("allocation {value:?} is unknown: write ucb or even"))),
    }
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
        for field in Style::DIFFERENCES {
            let start = format!("{}={} ", field.key, field.ishi);
            let line = entry.params.iter().find(|line| line.starts_with(&start)).unwrap();
            assert!(line.ends_with(&format!("{}; or {}", field.about, field.many_faces)), "{line}");
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
