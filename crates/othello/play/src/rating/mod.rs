//! Ratings: an opponent of every strength between the levels.
//!
//! Steps between [levels](super::levels) are uneven, and up to 300 points of Elo. A rating is a place on a scale that has no gaps. It chooses a level,
//! which says how far the player looks, and an error: a standard deviation in discs by which the values of moves are blurred. The higher the
//! rating, the smaller the error, until a higher level takes over with a larger one.
//!
//! The scale is ishi's own: level 1 stands at [`Rating::OF_LEVEL_1`], and so many points are as many points of Elo in games of ratings
//! beside each other. `table` was measured, and is written anew, by the example `rating_ladder`.

mod table;

use std::fmt;
use std::str::FromStr;

use ishi_words::{CodedError, ErrorFacts, facts};

use super::levels::Level;
use table::RUNGS;

/// How strong a player is, in points of ishi's own scale.
///
/// ```
/// use ishi_othello_play::rating::Rating;
/// let (weak, strong): (Rating, Rating) = ("700".parse().unwrap(), "1500".parse().unwrap());
/// assert!(weak.strength().level < strong.strength().level);
/// assert!("10".parse::<Rating>().unwrap_err().to_string().starts_with("invalid rating \"10\": a rating must be a number from "));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Rating(u16);

/// What makes a player as strong as its rating.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RatedStrength {
    /// How far it looks.
    pub level: Level,
    /// Standard deviation of the error in judging a move, in discs.
    pub error: f64,
}

/// A line of the table.
#[derive(Clone, Copy)]
struct LadderRung {
    rating: u16,
    level: u8,
    /// Discs.
    error: f64,
}

const fn rung(rating: u16, level: u8, error: f64) -> LadderRung {
    LadderRung { rating, level, error }
}

impl Rating {
    /// The weakest player of the scale.
    pub const LOWEST: Rating = Rating(RUNGS[0].rating);
    /// The strongest.
    pub const HIGHEST: Rating = Rating(RUNGS[RUNGS.len() - 1].rating);
    /// What level 1 has, by definition.
    pub const OF_LEVEL_1: Rating = Rating(600);
    /// Points between lines of the table.
    pub const STEP: u16 = 60;

    /// The rating of so many points, from [`Rating::LOWEST`] to [`Rating::HIGHEST`].
    pub const fn new(points: u16) -> Option<Rating> {
        if points >= Rating::LOWEST.0 && points <= Rating::HIGHEST.0 { Some(Rating(points)) } else { None }
    }

    /// Its points.
    pub const fn points(self) -> u16 {
        self.0
    }

    /// Ratings in steps of [`Rating::STEP`], the lowest first.
    pub fn steps() -> impl Iterator<Item = Rating> {
        (Rating::LOWEST.0..=Rating::HIGHEST.0).step_by(usize::from(Rating::STEP)).map(Rating)
    }

    /// What a player of this rating is made of. Between lines of the table the error changes evenly.
    pub fn strength(self) -> RatedStrength {
        let fits = |(low, high): &(LadderRung, LadderRung)| {
            low.level == high.level && (low.rating..=high.rating).contains(&self.0)
        };
        let (low, high) =
            RUNGS.windows(2).map(|pair| (pair[0], pair[1])).find(fits).expect("the table has no gaps");
        let part = f64::from(self.0 - low.rating) / f64::from(high.rating - low.rating);
        RatedStrength {
            level: Level::new(high.level).expect("the table has levels"),
            error: low.error + part * (high.error - low.error),
        }
    }
}

impl fmt::Display for Rating {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

/// The text was no rating.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RatingError(String);

impl fmt::Display for RatingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (low, high) = (Rating::LOWEST, Rating::HIGHEST);
        write!(f, "invalid rating {:?}: a rating must be a number from {low} to {high}", self.0)
    }
}

impl std::error::Error for RatingError {}

impl CodedError for RatingError {
    fn facts(&self) -> ErrorFacts {
        let (low, high) = (Rating::LOWEST.0, Rating::HIGHEST.0);
        facts!["othello-rating", text = format!("{:?}", self.0), low, high]
    }
}

impl FromStr for Rating {
    type Err = RatingError;

    fn from_str(text: &str) -> Result<Rating, RatingError> {
        let points = text.trim().parse().ok().and_then(Rating::new);
        points.ok_or_else(|| RatingError(text.to_string()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::levels::{LevelLimits, LevelPlayer};
    use crate::search::{SearchParams, Searcher};
    use ishi_engine::StoppedClock;
    use ishi_othello::Board;
    use ishi_rng::Seed;

    /// Every rating can be played: no level comes before a lower one, and within a level the error falls.
    #[test]
    fn the_scale_has_no_gaps() {
        let all: Vec<RatedStrength> =
            (Rating::LOWEST.0..=Rating::HIGHEST.0).map(|points| Rating(points).strength()).collect();
        for (below, above) in all.iter().zip(&all[1..]) {
            assert!(below.level <= above.level, "{below:?} {above:?}");
            assert!(below.level < above.level || below.error > above.error, "{below:?} {above:?}");
            assert!(above.error >= 0.0);
        }
        assert!(all[0].level < all[all.len() - 1].level);
    }

    /// Lines stand at even steps; where a line has the rating of the one before, the next level takes over.
    #[test]
    fn steps_are_even() {
        for (below, above) in RUNGS.iter().zip(&RUNGS[1..]) {
            let step = if below.level == above.level { Rating::STEP } else { 0 };
            assert_eq!(above.rating - below.rating, step, "{}", above.rating);
        }
        assert_eq!(Rating::steps().last(), Some(Rating::HIGHEST));
        assert!(Rating::steps().any(|rating| rating == Rating::OF_LEVEL_1));
    }

    #[test]
    fn ratings_are_numbers_of_the_scale() {
        assert_eq!("901".parse::<Rating>().unwrap().points(), 901);
        for text in ["", "x", "-1", "0", "70000", "12.5"] {
            let message = text.parse::<Rating>().unwrap_err().to_string();
            let wanted = format!(
                "invalid rating {text:?}: a rating must be a number from {} to {}",
                RUNGS[0].rating,
                RUNGS[RUNGS.len() - 1].rating
            );
            assert_eq!(message, wanted);
        }
    }

    /// How many of the games that the first rating plays against the second it wins, half a game for a draw.
    fn play_games(first: Rating, second: Rating, games: u64) -> f64 {
        let player = |rating, seed| {
            let searcher = Searcher::new(SearchParams { hash_bits: 12, threads: 1 });
            LevelPlayer::rated(rating, Seed::new(seed), searcher)
        };
        let limits = LevelLimits { time: None, clock: &StoppedClock, stop: &|| false };
        let play = |game: u64| {
            let mut players = [player(first, 2 * game), player(second, 2 * game + 1)];
            let (mut board, mut turn) = (Board::START, usize::from(game % 2 == 1));
            while !board.is_over() {
                let found = players[turn].choose_move(board, limits);
                board = found.mv.square().map_or(board.pass(), |square| board.play_unchecked(square));
                turn = 1 - turn;
            }
            let score = if turn == 0 { board.final_score() } else { -board.final_score() };
            f64::from(score.signum() + 1) / 2.0
        };
        (0..games).map(play).sum()
    }

    #[test]
    fn a_higher_rating_is_stronger() {
        // 420 points: eleven games in twelve.
        let won = play_games(Rating(1140), Rating(720), 40);
        assert!(won >= 28.0, "{won} of 40");
    }
}
