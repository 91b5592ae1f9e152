//! What searches think of positions, and how sure a difference is.

use ishi_go::{BoardSize, Color, Move};
use ishi_judge::planes;

use ishi_engine::SearchReport;

/// What a search thinks of a position, for one side.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PositionValue {
    /// Expected lead in points, after komi.
    pub lead: f64,
    /// Probability of winning, 0 to 1.
    pub win_rate: f64,
    /// Standard error of the lead.
    pub lead_error: f64,
    /// Standard error of the win rate.
    pub win_rate_error: f64,
    /// The best move of the side to move, where it was asked for.
    pub best: Option<Move>,
}

/// How a move is beside another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum MoveVerdict {
    /// It is better.
    Better,
    /// The difference is within what the searches may be wrong by.
    #[serde(rename = "as good")]
    AsGood,
    /// It is worse.
    Worse,
}

/// Of two searches guided by the network, after two moves of a position: errors of each, in points and in chances to win at even chances.
/// With them 26 of 30 claims were right by a strong judge (docs/judge.md, "How sure a difference is").
const JUDGED_ERRORS: [f64; 2] = [1.0, 0.04];

/// How much more two searches of equal positions differ than independent playouts would: measured on moves that are each other's images
/// in an empty board, whose win rates differ by 1.3 to 1.5 times as much. A search's playouts follow what it has found.
const SPREAD: f64 = 1.5;
/// The least differences that are told, in points and in chances to win.
const LEAST: [f64; 2] = [0.5, 0.005];
/// Lead and win rate contradict each other if they differ in opposite directions by more than so many standard errors.
const CONTRADICTED: f64 = 1.0;
/// Points that are as much as the whole probability of winning.
const WINNING: f64 = 50.0;

/// A lead and a probability of winning as one number.
pub(super) fn worth_in_points(lead: f64, win_rate: f64) -> f64 {
    lead + WINNING * win_rate
}

impl PositionValue {
    /// Of the side to move, as an [`crate::analyst::Analyst`] reports it on a board of this size.
    pub(super) fn from_search(report: &SearchReport, size: BoardSize) -> PositionValue {
        if planes::size_fits(size) {
            PositionValue::from_judged_search(report)
        } else {
            PositionValue::from_playouts(report)
        }
    }

    fn from_judged_search(report: &SearchReport) -> PositionValue {
        let share = report.win_rate.clamp(0.02, 0.98);
        let [lead_error, win_rate_error] = JUDGED_ERRORS;
        PositionValue {
            lead: report.score,
            win_rate: report.win_rate,
            lead_error,
            win_rate_error: win_rate_error * 2.0 * (share * (1.0 - share)).sqrt(),
            best: None,
        }
    }

    fn from_playouts(report: &SearchReport) -> PositionValue {
        let playouts = report.playouts.max(1) as f64;
        // Nothing is sure of a share that all playouts agree on: as if one of them did not.
        let share = report.win_rate.clamp(1.0 / playouts.max(2.0), 1.0 - 1.0 / playouts.max(2.0));
        PositionValue {
            lead: report.score,
            win_rate: report.win_rate,
            lead_error: SPREAD * report.score_deviation.unwrap_or(f64::INFINITY) / playouts.sqrt(),
            win_rate_error: SPREAD * (share * (1.0 - share) / playouts).sqrt(),
            best: None,
        }
    }

    /// Black's value as it is for a side, or a side's for Black.
    pub(super) fn for_side(self, color: Color) -> PositionValue {
        if color == Color::Black { self } else { self.for_other_side() }
    }

    /// The same for the other side.
    pub(super) fn for_other_side(self) -> PositionValue {
        PositionValue { lead: -self.lead, win_rate: 1.0 - self.win_rate, ..self }
    }

    /// What this is more than another value of the same side, in points and in chances to win.
    pub fn difference_from(&self, other: &PositionValue) -> [f64; 2] {
        [self.lead - other.lead, self.win_rate - other.win_rate]
    }

    /// How this is beside another value of the same side; so many (`sure`) standard errors of the difference are noise,
    /// in the mean of lead and win rate.
    ///
    /// ```
    /// use ishi_go_play::explain::{PositionValue, MoveVerdict};
    /// let even = PositionValue { lead: 0.0, win_rate: 0.5, lead_error: 0.8, win_rate_error: 0.016, best: None };
    /// let less = PositionValue { lead: -1.0, win_rate: 0.49, ..even };
    /// assert_eq!(less.compare_with(&even, 2.0), MoveVerdict::AsGood);
    /// assert_eq!(PositionValue { lead: -5.0, ..less }.compare_with(&even, 2.0), MoveVerdict::Worse);
    /// // More points, but fewer wins.
    /// assert_eq!(PositionValue { lead: 8.0, win_rate: 0.47, ..less }.compare_with(&even, 2.0), MoveVerdict::AsGood);
    /// ```
    pub fn compare_with(&self, other: &PositionValue, sure: f64) -> MoveVerdict {
        let errors = |difference: f64, a: f64, b: f64| difference / a.hypot(b).max(f64::MIN_POSITIVE);
        let [points, share] = self.difference_from(other);
        let lead = errors(points, self.lead_error, other.lead_error);
        let wins = errors(share, self.win_rate_error, other.win_rate_error);
        // Both are of the same search: the mean, so that an outlier of one of them says less, and nothing where they contradict each other.
        let mean = f64::midpoint(lead, wins);
        let is_contradicted = lead * wins < 0.0 && lead.abs().min(wins.abs()) > CONTRADICTED;
        let is_told = |sign: f64| sign * points >= LEAST[0] || sign * share >= LEAST[1];
        if is_contradicted {
            MoveVerdict::AsGood
        } else if mean > sure && is_told(1.0) {
            MoveVerdict::Better
        } else if mean < -sure && is_told(-1.0) {
            MoveVerdict::Worse
        } else {
            MoveVerdict::AsGood
        }
    }
}
