//! How strong the person at this workbench is, by games against ishi at a rank, and the opponent that follows from it.
//!
//! The estimate moves after each game by how much the result differs from what was expected, as Elo's does (A. E. Elo, *The Rating of
//! Chessplayers, Past and Present*, 1978). One rank is 100 of its points (docs/judge.md). It moves far after the first games.

use ishi_go_play::go_rank::Rank;
use ishi_lab::store::{Store, StoreError, StoredDocument};
use serde::{Deserialize, Serialize};

use crate::workbench::WorkbenchState;
use crate::workbench::documents::overwrite_body;
use crate::workbench::error::PageError;

/// The kind of its document, and the only key.
const KIND: &str = "go-standing";
const KEY: &str = "own";

/// Of whom nothing is known: 15 kyu, in ranks above 23 kyu.
const UNKNOWN: f64 = 8.0;
/// Ranks that make one side win ten times as often: 400 points of Elo.
const TENFOLD: f64 = 4.0;
/// By how many ranks the estimate moves at most after the first game, and after later ones.
const FIRST_STEP: f64 = 3.0;
const LATER_STEP: f64 = 0.8;
/// It leaves the ranks of ishi by so much at most.
const BEYOND: f64 = 1.0;
/// Games that are remembered, so that none counts twice.
const REMEMBERED: usize = 200;

/// A game that counts: against ishi at a rank, on even terms, and nothing was taken back.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct RatedGame {
    /// The key of its table.
    pub(super) table: String,
    /// The opponent, as `12k`.
    pub(super) rank: String,
    /// The person's share: 1 for a win, a half for a draw, 0 for a loss.
    pub(super) score: f64,
}

/// The person's strength, as it is kept.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct OwnStanding {
    /// Ranks above 23 kyu; none before the first game.
    strength: Option<f64>,
    games: u32,
    latest: Vec<RatedGame>,
}

fn ranks_above_weakest(rank: Rank) -> f64 {
    f64::from(rank.steps_above(Rank::WEAKEST))
}

impl OwnStanding {
    /// The rank that is nearest: the opponent that fits.
    pub(crate) fn rank(&self) -> Rank {
        let strength = self.strength.unwrap_or(UNKNOWN);
        let distance = |rank: &Rank| (ranks_above_weakest(*rank) - strength).abs();
        Rank::all().min_by(|a, b| distance(a).total_cmp(&distance(b))).unwrap_or(Rank::WEAKEST)
    }

    /// How many games have counted.
    pub(crate) fn games(&self) -> u32 {
        self.games
    }

    /// Have games counted that are not remembered any more?
    fn has_forgotten_some(&self) -> bool {
        usize::try_from(self.games).is_ok_and(|games| games > self.latest.len())
    }

    /// Lets a game count. False if it has counted already, or its opponent has no rank.
    fn count_game(&mut self, game: RatedGame) -> bool {
        let Ok(rank) = game.rank.parse::<Rank>() else { return false };
        if self.latest.iter().any(|known| known.table == game.table) {
            return false;
        }
        let opponent = ranks_above_weakest(rank);
        // Who has chosen the first opponent knows best.
        let strength = self.strength.unwrap_or(opponent);
        let expected = 1.0 / (1.0 + 10.0_f64.powf((opponent - strength) / TENFOLD));
        let step = (FIRST_STEP / (1.0 + f64::from(self.games) / 2.0)).max(LATER_STEP);
        let most = ranks_above_weakest(Rank::STRONGEST) + BEYOND;
        self.strength = Some((strength + step * (game.score - expected)).clamp(-BEYOND, most));
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
pub(super) fn note_game(store: &mut Store, game: RatedGame, had_ended: bool) -> Result<(), StoreError> {
    let Some(mut standing) = read_found(store.find_document(KIND, KEY))? else { return Ok(()) };
    if (had_ended && standing.has_forgotten_some()) || !standing.count_game(game) {
        return Ok(());
    }
    overwrite_body(store, KIND, KEY, "", &serde_json::json!(standing))
}

/// The person's strength. Where it cannot be read nothing is known.
pub(crate) async fn load_standing(desk: &WorkbenchState) -> Result<OwnStanding, PageError> {
    desk.ask_store(|store| Ok(read_found(store.find_document(KIND, KEY))?.unwrap_or_default())).await
}

#[cfg(test)]
mod tests {
    use ishi_lab::store::DamagedDocument;

    use super::*;
    use crate::workbench::desk::test_desk;

    fn game(table: usize, rank: Rank, score: f64) -> RatedGame {
        RatedGame { table: format!("t{table}"), rank: rank.to_string(), score }
    }

    #[test]
    fn the_opponent_follows_the_results() {
        let mut standing = OwnStanding::default();
        assert_eq!((standing.rank().to_string(), standing.games()), ("15k".to_string(), 0));
        for table in 0..6 {
            let before = standing.rank();
            assert!(standing.count_game(game(table, before, 1.0)));
            assert!(standing.rank() >= before, "a win never leads to a weaker opponent");
        }
        let strong = standing.rank();
        assert!(strong > "13k".parse::<Rank>().unwrap(), "{strong}");
        for table in 6..66 {
            standing.count_game(game(table, standing.rank(), 0.0));
        }
        assert_eq!((standing.rank(), standing.games()), (Rank::WEAKEST, 66));
        for table in 66..166 {
            standing.count_game(game(table, standing.rank(), 1.0));
        }
        assert_eq!(standing.rank(), Rank::STRONGEST);
    }

    #[test]
    fn an_expected_result_moves_little_and_no_game_counts_twice() {
        let rank = |text: &str| text.parse::<Rank>().unwrap();
        let mut standing = OwnStanding::default();
        standing.count_game(game(1, rank("10k"), 0.5));
        assert_eq!(standing.rank(), rank("10k"), "a draw with a first opponent is that rank");
        let known = standing.clone();
        assert!(!standing.count_game(game(1, rank("10k"), 1.0)), "this table has counted");
        assert_eq!(standing, known);
        standing.count_game(game(2, rank("23k"), 1.0));
        assert_eq!(standing.rank(), rank("10k"), "a win against a far weaker one was expected");
        assert!(!standing.count_game(RatedGame { rank: "5d".into(), ..game(3, rank("23k"), 1.0) }));
    }

    #[test]
    fn few_games_are_remembered() {
        let mut standing = OwnStanding::default();
        for table in 0..REMEMBERED + 7 {
            standing.count_game(game(table, Rank::WEAKEST, 0.5));
        }
        assert_eq!((standing.latest.len(), standing.latest[0].table.as_str()), (REMEMBERED, "t7"));
    }

    #[tokio::test]
    async fn what_has_counted_is_kept() {
        let desk = test_desk();
        assert_eq!(load_standing(&desk).await.unwrap(), OwnStanding::default());
        for score in [1.0, 0.0] {
            let ended = game(1, Rank::STRONGEST, score);
            desk.ask_store(move |store| note_game(store, ended, false)).await.unwrap();
        }
        let standing = load_standing(&desk).await.unwrap();
        assert_eq!((standing.games(), standing.rank()), (1, Rank::STRONGEST));
    }

    #[test]
    fn a_damaged_strength_is_unknown_and_no_fault_of_a_game() {
        let damaged = DamagedDocument {
            kind: KIND.to_string(),
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
        desk.ask_store(move |store| overwrite_body(store, KIND, KEY, "", &body)).await.unwrap();
        desk.ask_store(|store| note_game(store, game(1, Rank::STRONGEST, 1.0), false)).await.unwrap();
        let kept = desk.ask_store(|store| store.find_document(KIND, KEY)).await.unwrap();
        assert_eq!(kept.unwrap().body, later);
        assert_eq!(load_standing(&desk).await.unwrap().games(), 0);
    }

    #[tokio::test]
    async fn a_forgotten_game_does_not_count_again() {
        let desk = test_desk();
        let note = |table: usize, had_ended: bool| {
            desk.ask_store(move |store| note_game(store, game(table, Rank::STRONGEST, 0.5), had_ended))
        };
        note(0, true).await.unwrap();
        let mut standing = load_standing(&desk).await.unwrap();
        assert_eq!(standing.games(), 1, "the server was killed before it could count");
        for table in 1..=REMEMBERED {
            standing.count_game(game(table, Rank::STRONGEST, 0.5));
        }
        let body = serde_json::json!(standing);
        desk.ask_store(move |store| overwrite_body(store, KIND, KEY, "", &body)).await.unwrap();
        note(0, true).await.unwrap();
        assert_eq!(load_standing(&desk).await.unwrap(), standing, "it was only looked at again");
        note(REMEMBERED + 1, false).await.unwrap();
        assert_eq!(load_standing(&desk).await.unwrap().games(), standing.games() + 1);
    }
}
