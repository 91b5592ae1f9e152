//! How strong the person at this workbench is, by games against opponents whose strength is known, and the opponent that follows from it. Each
//! game has its own ladder of opponents, and its own document.

use std::fmt::Display;
use std::str::FromStr;

use ishi_go_play::go_rank::Rank;
use ishi_lab::store::{Store, StoreError, StoredDocument};
use ishi_othello_play::levels::Level;
use ishi_stats::{RatedOpponent, nearest_opponent, strength_after_game};
use maud::{Markup, html};
use serde::{Deserialize, Serialize};

use crate::workbench::WorkbenchState;
use crate::workbench::documents::overwrite_body;
use crate::workbench::error::PageError;
use crate::workbench::texts::args;
use crate::workbench::visitor::Visitor;

/// The opponents of a game.
pub(crate) trait KeptLadder: RatedOpponent + Display + FromStr + 'static {
    /// The kind of the document with the person's strength.
    const KIND: &'static str;
}

impl KeptLadder for Rank {
    const KIND: &'static str = "go-standing";
}

impl KeptLadder for Level {
    const KIND: &'static str = "othello-standing";
}

/// The only key of such a document.
const KEY: &str = "own";
/// Strengths are kept in so many points of Elo: ranks of Go.
const POINTS_KEPT: f64 = 100.0;
/// Games that are remembered, so that none counts twice.
const REMEMBERED: usize = 200;

/// A game that counts: on even terms, and nothing was taken back.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct RatedGame {
    /// The key of its table.
    pub(crate) table: String,
    /// The opponent, as `12k`.
    #[serde(rename = "rank")]
    pub(crate) opponent: String,
    /// The person's share: 1 for a win, a half for a draw, 0 for a loss.
    pub(crate) score: f64,
}

/// The person's strength, as it is kept.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct OwnStanding {
    /// Hundreds of points on the ladder of opponents; none before the first game.
    strength: Option<f64>,
    games: u32,
    latest: Vec<RatedGame>,
}

impl OwnStanding {
    fn points(&self) -> Option<f64> {
        self.strength.map(|strength| strength * POINTS_KEPT)
    }

    /// The opponent that fits.
    pub(crate) fn opponent<R: KeptLadder>(&self) -> R {
        nearest_opponent(self.points())
    }

    /// How many games have counted.
    pub(crate) fn games(&self) -> u32 {
        self.games
    }

    /// Have games counted that are not remembered any more?
    fn has_forgotten_some(&self) -> bool {
        usize::try_from(self.games).is_ok_and(|games| games > self.latest.len())
    }

    /// Lets a game count. False if it has counted already, or nobody knows how strong its opponent is.
    fn count_game<R: KeptLadder>(&mut self, game: RatedGame) -> bool {
        let Ok(opponent) = game.opponent.parse::<R>() else { return false };
        if self.latest.iter().any(|known| known.table == game.table) {
            return false;
        }
        let after = strength_after_game(self.points(), self.games, opponent, game.score);
        let Some(after) = after else { return false };
        self.strength = Some(after / POINTS_KEPT);
        self.games = self.games.saturating_add(1);
        self.latest.push(game);
        let forgotten = self.latest.len().saturating_sub(REMEMBERED);
        self.latest.drain(..forgotten);
        true
    }
}

/// What a look into the store says. None if it cannot be read: it is damaged (`/damaged` tells of it), or a later version has written it.
fn read_found(found: Result<Option<StoredDocument>, StoreError>) -> Result<Option<OwnStanding>, StoreError> {
    match found {
        Ok(None) => Ok(Some(OwnStanding::default())),
        Ok(Some(document)) => Ok(serde_json::from_value(document.body).ok()),
        Err(StoreError::DamagedDocument { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Lets a game count that has ended, unless it has counted already. What cannot be read stays as it is: the table is kept all the same.
///
/// `had_ended`: the table had this result before. Then it is new only as long as all games are remembered.
pub(crate) fn note_game<R: KeptLadder>(
    store: &mut Store,
    game: RatedGame,
    had_ended: bool,
) -> Result<(), StoreError> {
    let Some(mut standing) = read_found(store.find_document(R::KIND, KEY))? else { return Ok(()) };
    if (had_ended && standing.has_forgotten_some()) || !standing.count_game::<R>(game) {
        return Ok(());
    }
    overwrite_body(store, R::KIND, KEY, "", &serde_json::json!(standing))
}

/// The person's strength at a game. Where it cannot be read nothing is known.
pub(crate) async fn load_standing<R: KeptLadder>(desk: &WorkbenchState) -> Result<OwnStanding, PageError> {
    let kind = R::KIND;
    desk.ask_store(move |store| Ok(read_found(store.find_document(kind, KEY))?.unwrap_or_default())).await
}

/// `your strength (8 kyu)`, where the words are those of the opponent that fits.
pub(crate) fn own_strength_words(opponent: &str, visitor: &Visitor) -> String {
    visitor.text_with("workbench-your-strength", args![opponent])
}

/// How strong the person is, once a game has counted. The words are those of the opponent that fits.
pub(crate) fn render_standing(standing: &OwnStanding, opponent: &str, visitor: &Visitor) -> Markup {
    let games = standing.games();
    html! {
        @if games > 0 { p.standing { (visitor.text_with("workbench-your-strength-after-games", args![games, opponent])) } }
    }
}

/// What a game says that counts.
pub(crate) fn render_counting(is_rated: bool, visitor: &Visitor) -> Markup {
    html! {
        @if is_rated { p.quiet { (visitor.text("workbench-it-counts-for-your-strength")) } }
    }
}

#[cfg(test)]
mod tests {
    use ishi_lab::store::DamagedDocument;

    use super::*;
    use crate::workbench::desk::test_desk;

    fn game(table: usize, rank: Rank, score: f64) -> RatedGame {
        RatedGame { table: format!("t{table}"), opponent: rank.to_string(), score }
    }

    #[test]
    fn the_opponent_follows_the_results() {
        let mut standing = OwnStanding::default();
        assert_eq!((standing.opponent::<Rank>().to_string(), standing.games()), ("15k".to_string(), 0));
        for table in 0..6 {
            let before = standing.opponent::<Rank>();
            assert!(standing.count_game::<Rank>(game(table, before, 1.0)));
            assert!(standing.opponent::<Rank>() >= before, "a win never leads to a weaker opponent");
        }
        let strong = standing.opponent::<Rank>();
        assert!(strong > "13k".parse::<Rank>().unwrap(), "{strong}");
        for table in 6..66 {
            standing.count_game::<Rank>(game(table, standing.opponent::<Rank>(), 0.0));
        }
        assert_eq!((standing.opponent::<Rank>(), standing.games()), (Rank::WEAKEST, 66));
        for table in 66..166 {
            standing.count_game::<Rank>(game(table, standing.opponent::<Rank>(), 1.0));
        }
        assert_eq!(standing.opponent::<Rank>(), Rank::STRONGEST);
    }

    #[test]
    fn an_expected_result_moves_little_and_no_game_counts_twice() {
        let rank = |text: &str| text.parse::<Rank>().unwrap();
        let mut standing = OwnStanding::default();
        standing.count_game::<Rank>(game(1, rank("10k"), 0.5));
        assert_eq!(standing.opponent::<Rank>(), rank("10k"), "a draw with a first opponent is that rank");
        let known = standing.clone();
        assert!(!standing.count_game::<Rank>(game(1, rank("10k"), 1.0)), "this table has counted");
        assert_eq!(standing, known);
        standing.count_game::<Rank>(game(2, rank("23k"), 1.0));
        assert_eq!(standing.opponent::<Rank>(), rank("10k"), "a win against a far weaker one was expected");
        assert!(
            !standing.count_game::<Rank>(RatedGame { opponent: "5d".into(), ..game(3, rank("23k"), 1.0) })
        );
    }

    #[tokio::test]
    async fn each_game_has_a_ladder_and_a_strength_of_its_own() {
        let desk = test_desk();
        for (table, opponent, score) in [("a", "7", 1.0), ("b", "15", 0.0), ("c", "7k", 0.0)] {
            let ended = RatedGame { table: table.into(), opponent: opponent.into(), score };
            desk.ask_store(move |store| note_game::<Level>(store, ended, false)).await.unwrap();
        }
        let othello = load_standing::<Level>(&desk).await.unwrap();
        assert_eq!(
            (othello.games(), othello.opponent::<Level>().number()),
            (1, 8),
            "nobody else has a strength"
        );
        assert_eq!(load_standing::<Rank>(&desk).await.unwrap().games(), 0);
    }

    /// What Go has kept before Othello had the same.
    #[test]
    fn an_earlier_strength_is_read() {
        let kept = serde_json::json!({
            "strength": 13.0,
            "games": 1,
            "latest": [{ "table": "t", "rank": "10k", "score": 0.5 }],
        });
        let standing: OwnStanding = serde_json::from_value(kept.clone()).unwrap();
        assert_eq!(standing.opponent::<Rank>().to_string(), "10k");
        assert_eq!(serde_json::json!(standing), kept);
    }

    #[test]
    fn few_games_are_remembered() {
        let mut standing = OwnStanding::default();
        for table in 0..REMEMBERED + 7 {
            standing.count_game::<Rank>(game(table, Rank::WEAKEST, 0.5));
        }
        assert_eq!((standing.latest.len(), standing.latest[0].table.as_str()), (REMEMBERED, "t7"));
    }

    #[tokio::test]
    async fn what_has_counted_is_kept() {
        let desk = test_desk();
        assert_eq!(load_standing::<Rank>(&desk).await.unwrap(), OwnStanding::default());
        for score in [1.0, 0.0] {
            let ended = game(1, Rank::STRONGEST, score);
            desk.ask_store(move |store| note_game::<Rank>(store, ended, false)).await.unwrap();
        }
        let standing = load_standing::<Rank>(&desk).await.unwrap();
        assert_eq!((standing.games(), standing.opponent::<Rank>()), (1, Rank::STRONGEST));
    }

    #[test]
    fn a_damaged_strength_is_unknown_and_no_fault_of_a_game() {
        let damaged = DamagedDocument {
            kind: Rank::KIND.to_string(),
            key: KEY.to_string(),
            title: String::new(),
            cause: "damaged".to_string(),
        };
        let error = StoreError::DamagedDocument { path: "a.db".into(), damaged: Box::new(damaged) };
        assert_eq!(read_found(Err(error)).unwrap(), None);
        assert_eq!(read_found(Ok(None)).unwrap(), Some(OwnStanding::default()));
    }

    #[tokio::test]
    async fn what_a_later_version_has_kept_is_not_overwritten() {
        let desk = test_desk();
        let later = serde_json::json!({ "strength": "shodan" });
        let body = later.clone();
        desk.ask_store(move |store| overwrite_body(store, Rank::KIND, KEY, "", &body)).await.unwrap();
        desk.ask_store(|store| note_game::<Rank>(store, game(1, Rank::STRONGEST, 1.0), false)).await.unwrap();
        let kept = desk.ask_store(|store| store.find_document(Rank::KIND, KEY)).await.unwrap();
        assert_eq!(kept.unwrap().body, later);
        assert_eq!(load_standing::<Rank>(&desk).await.unwrap().games(), 0);
    }

    #[tokio::test]
    async fn a_forgotten_game_does_not_count_again() {
        let desk = test_desk();
        let note = |table: usize, had_ended: bool| {
            desk.ask_store(move |store| {
                note_game::<Rank>(store, game(table, Rank::STRONGEST, 0.5), had_ended)
            })
        };
        note(0, true).await.unwrap();
        let mut standing = load_standing::<Rank>(&desk).await.unwrap();
        assert_eq!(standing.games(), 1, "the server was killed before it could count");
        for table in 1..=REMEMBERED {
            standing.count_game::<Rank>(game(table, Rank::STRONGEST, 0.5));
        }
        let body = serde_json::json!(standing);
        desk.ask_store(move |store| overwrite_body(store, Rank::KIND, KEY, "", &body)).await.unwrap();
        note(0, true).await.unwrap();
        assert_eq!(load_standing::<Rank>(&desk).await.unwrap(), standing, "it was only looked at again");
        note(REMEMBERED + 1, false).await.unwrap();
        assert_eq!(load_standing::<Rank>(&desk).await.unwrap().games(), standing.games() + 1);
    }
}
