//! What searches think of positions, and how sure a difference is.

use ishi_go::{Color, Move};

use ishi_engine::{MoveReport, SearchReport};

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
    /// By how much the lead may be off, for what is told of it. Of differences between two positions nine in ten are off by less than
    /// [`PositionValue::margin_beside`], which is the root of the sum of both squares.
    pub lead_margin: f64,
    /// The best move of the side to move, where it was asked for.
    pub best: Option<Move>,
    /// Lead and win rate in the mean of all that was looked at, where the judge says so. Positions after two moves are held against each
    /// other by these: the value of the best move alone has few visits, and is luckier where there are more moves to choose from.
    pub means: Option<[f64; 2]>,
}

/// A move and what it changed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MoveValue {
    /// From 1.
    pub number: usize,
    /// Who played.
    pub color: Color,
    /// The move.
    pub mv: Move,
    /// Black's lead after it, in points after komi.
    pub black_lead: f64,
    /// Black's probability of winning after it, 0 to 1.
    pub black_win_rate: f64,
    /// What it lost for its side, in points; 0 if that is within the noise.
    pub lost_points: f64,
    /// What it lost for its side of the probability of winning; 0 if that is within the noise.
    pub lost_win_rate: f64,
    /// By how many points the loss may be off: nine in ten are off by less. 0 where nothing was lost; infinite where the judge says nothing of it.
    pub lost_margin: f64,
    /// The move that is better, where it lost something.
    pub better: Option<Move>,
}

/// This part of its margin is not sure of a loss. Nine in ten are off by less than the margin to either side, so that of normal deviates four in five
/// lose more than what is left.
const UNSURE_PART: f64 = 0.5;

impl MoveValue {
    /// What of the loss is sure, as points: the chance to win that it cost, and the points that it has more than half of its margin. In fights a
    /// search may be off by more points than a move loses, and where a game is decided they cost no chance to win.
    pub fn sure_loss(&self) -> f64 {
        worth_in_points((self.lost_points - UNSURE_PART * self.lost_margin).max(0.0), self.lost_win_rate)
    }
}

/// How a move is beside another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
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

/// How much more two searches of equal positions differ than independent playouts would: measured on moves that are each other's images
/// in an empty board, whose win rates differ by 1.3 to 1.5 times as much. A search's playouts follow what it has found.
const SPREAD: f64 = 1.5;
/// How far the values of a judge may be off, in comparisons of moves of one position, where what is wrong of both cancels out.
///
/// The square of a lead's standard error is the sum of the squares of two parts: what more effort does not mend (`floor_points`), and what
/// the leads spread (`SearchReport::score_deviation`) by the square root of the visits, times `spread_share`. docs/notes/explain.md ("How
/// sure a difference is") says from which games each was taken.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ErrorModel {
    /// Points by which the lead is off, however many visits there are.
    pub floor_points: f64,
    /// Of the leads' standard deviation by the root of the visits.
    pub spread_share: f64,
    /// The same as `floor_points` of the chance to win, at even chances.
    pub floor_win_rate: f64,
    /// Of the standard deviation of playouts that are won or lost, by the root of their number.
    pub win_share: f64,
    /// Are positions compared by the means over all moves that were looked at? Playouts are such means already.
    pub compares_means: bool,
    /// What is told as the margin of a lead; where it was not measured it follows from the standard error.
    pub margin: Option<MarginModel>,
}

/// By how much leads may be off, as it is told. Standard errors order comparisons well, but most of what a judge is wrong by is none of the
/// search's chance: more visits do not mend it, and it is larger the less the lines of a search agree.
///
/// The square of a margin is the sum of the squares of two parts: what it is at least (`floor_points`), and `spread_share` of how far
/// leads within the search lie apart. docs/notes/judge.md ("How large an error is") says from what both were taken.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MarginModel {
    /// Points by which a lead may be off where the whole search agrees.
    pub floor_points: f64,
    /// Of the deviation of leads, behind the best move and between moves.
    pub spread_share: f64,
}

impl MarginModel {
    /// Of searches by the network that ships.
    pub const NETWORK: MarginModel = MarginModel { floor_points: 0.66, spread_share: 1.2 };

    fn margin_of_report(&self, report: &SearchReport) -> f64 {
        let behind_best = report.score_deviation.unwrap_or(0.0);
        self.floor_points.hypot(self.spread_share * behind_best.hypot(deviation_between_moves(report)))
    }
}

/// Standard errors that nine in ten of normal deviates are within.
const NINE_IN_TEN: f64 = 1.645;

impl ErrorModel {
    /// Of searches by the network that ships: fitted on 68 positions, and held against others.
    pub const NETWORK: ErrorModel = ErrorModel {
        floor_points: 0.5,
        spread_share: 0.5,
        floor_win_rate: 0.02,
        win_share: 0.0,
        compares_means: true,
        margin: Some(MarginModel::NETWORK),
    };
    /// Of playouts.
    pub const PLAYOUTS: ErrorModel = ErrorModel {
        floor_points: 0.0,
        spread_share: SPREAD,
        floor_win_rate: 0.0,
        win_share: SPREAD,
        compares_means: false,
        margin: None,
    };
    /// Of a program that speaks the analysis protocol: assumed, and not fitted. Its spread is that of the final score, some 15 points, which is
    /// far more than what it is wrong by.
    pub const PROGRAM: ErrorModel = ErrorModel {
        floor_points: 0.5,
        spread_share: 0.1,
        floor_win_rate: 0.02,
        win_share: 0.1,
        compares_means: true,
        margin: None,
    };

    /// The value of the position of a report, for the side to move, with its errors.
    pub fn value_of_report(&self, report: &SearchReport) -> PositionValue {
        let visits = report.playouts.max(1) as f64;
        // Nothing is sure of a share that all playouts agree on: as if one of them did not.
        let least = if self.floor_win_rate > 0.0 { LEAST_SHARE } else { 1.0 / visits.max(2.0) };
        let share = report.win_rate.clamp(least, 1.0 - least);
        let deviation = (share * (1.0 - share)).sqrt();
        let spread = match report.score_deviation {
            Some(spread) => self.spread_share * spread / visits.sqrt(),
            None if self.floor_points > 0.0 => 0.0,
            None => f64::INFINITY,
        };
        let lead_error = self.floor_points.hypot(spread);
        PositionValue {
            lead: report.score,
            win_rate: report.win_rate,
            lead_error,
            lead_margin: self
                .margin
                .map_or(NINE_IN_TEN * lead_error, |margin| margin.margin_of_report(report)),
            win_rate_error: deviation * (2.0 * self.floor_win_rate).hypot(self.win_share / visits.sqrt()),
            best: None,
            means: if self.compares_means { means_over_moves(report) } else { None },
        }
    }
}

/// Lead and win rate in the mean of all visits; none of a search without visits.
fn means_over_moves(report: &SearchReport) -> Option<[f64; 2]> {
    let visits: f64 = report.moves.iter().map(|found| found.visits as f64).sum();
    let sum = |value: fn(&MoveReport) -> f64| -> f64 {
        report.moves.iter().map(|found| found.visits as f64 * value(found)).sum()
    };
    (visits > 0.0).then(|| [sum(|found| found.score) / visits, sum(|found| found.win_rate) / visits])
}

/// How far the leads of moves lie apart, each counted by its visits.
fn deviation_between_moves(report: &SearchReport) -> f64 {
    let Some([mean, _]) = means_over_moves(report) else { return 0.0 };
    let visits: f64 = report.moves.iter().map(|found| found.visits as f64).sum();
    let squares = report.moves.iter().map(|found| found.visits as f64 * (found.score - mean).powi(2));
    (squares.sum::<f64>() / visits).sqrt()
}

/// Shares of wins that are nearer to none, or to all, are as sure as this one.
const LEAST_SHARE: f64 = 0.02;
/// The least differences that are told, in points and in chances to win.
const LEAST: [f64; 2] = [0.5, 0.005];
/// Lead and win rate contradict each other if they differ in opposite directions by more than so many standard errors.
const CONTRADICTED: f64 = 1.0;
/// Points that are as much as the whole probability of winning.
const WINNING: f64 = 50.0;

/// A lead of so many points is clear, and the side that leads wins mostly.
const CLEAR_LEAD: f64 = 20.0;
/// Of even games the network gives no less to the side with such a lead; docs/notes/explain.md ("Leads and chances") has the figures.
const CHANCE_OF_CLEAR_LEAD: f64 = 0.8;

/// Two stones and more are a handicap.
const LEAST_HANDICAP: usize = 2;

/// Is Black's chance low because Black has so many stones of handicap? A network that has learned from results of people's games expects the
/// stronger player to win back much of the lead.
pub(super) fn is_low_by_handicap(black_lead: f64, black_win_rate: f64, handicap: usize) -> bool {
    handicap >= LEAST_HANDICAP && black_lead > 0.0 && is_chance_low(black_lead, black_win_rate)
}

/// Is the chance of the side that leads low beside its lead?
pub(super) fn is_chance_low(black_lead: f64, black_win_rate: f64) -> bool {
    let chance = if black_lead > 0.0 { black_win_rate } else { 1.0 - black_win_rate };
    black_lead.abs() >= CLEAR_LEAD && chance < CHANCE_OF_CLEAR_LEAD
}

/// A lead and a probability of winning as one number.
pub(super) fn worth_in_points(lead: f64, win_rate: f64) -> f64 {
    lead + WINNING * win_rate
}

impl PositionValue {
    /// Black's value as it is for a side, or a side's for Black.
    pub(super) fn for_side(self, color: Color) -> PositionValue {
        if color == Color::Black { self } else { self.for_other_side() }
    }

    /// The same for the other side.
    pub(super) fn for_other_side(self) -> PositionValue {
        let means = self.means.map(|[lead, win_rate]| [-lead, 1.0 - win_rate]);
        PositionValue { lead: -self.lead, win_rate: 1.0 - self.win_rate, means, ..self }
    }

    /// What this is more than another value of the same side, in points and in chances to win: by their means, where both have them.
    pub fn difference_from(&self, other: &PositionValue) -> [f64; 2] {
        let [own, others] = match (self.means, other.means) {
            (Some(own), Some(others)) => [own, others],
            _ => [self, other].map(|value| [value.lead, value.win_rate]),
        };
        [own[0] - others[0], own[1] - others[1]]
    }

    /// By how many points the difference from another value may be off: nine in ten are off by less.
    pub fn margin_beside(&self, other: &PositionValue) -> f64 {
        self.lead_margin.hypot(other.lead_margin)
    }

    /// By how many standard errors this is better than another value of the same side, worse where that is below 0: the mean of lead and win
    /// rate. Both are of the same search, so that an outlier of one of them says less; 0 where they contradict each other.
    pub fn sureness_beside(&self, other: &PositionValue) -> f64 {
        let errors = |difference: f64, a: f64, b: f64| difference / a.hypot(b).max(f64::MIN_POSITIVE);
        let [points, share] = self.difference_from(other);
        let lead = errors(points, self.lead_error, other.lead_error);
        let wins = errors(share, self.win_rate_error, other.win_rate_error);
        let is_contradicted = lead * wins < 0.0 && lead.abs().min(wins.abs()) > CONTRADICTED;
        if is_contradicted { 0.0 } else { f64::midpoint(lead, wins) }
    }

    /// How this is beside another value of the same side; so many (`sure`) standard errors of the difference are noise,
    /// in the mean of lead and win rate.
    ///
    /// ```
    /// use ishi_go_play::explain::{PositionValue, MoveVerdict};
    /// let even = PositionValue { win_rate: 0.5, lead_error: 0.8, win_rate_error: 0.016, ..PositionValue::default() };
    /// let less = PositionValue { lead: -1.0, win_rate: 0.49, ..even };
    /// assert_eq!(less.compare_with(&even, 2.0), MoveVerdict::AsGood);
    /// assert_eq!(PositionValue { lead: -5.0, ..less }.compare_with(&even, 2.0), MoveVerdict::Worse);
    /// // More points, but fewer wins.
    /// assert_eq!(PositionValue { lead: 8.0, win_rate: 0.47, ..less }.compare_with(&even, 2.0), MoveVerdict::AsGood);
    /// ```
    pub fn compare_with(&self, other: &PositionValue, sure: f64) -> MoveVerdict {
        let [points, share] = self.difference_from(other);
        let sureness = self.sureness_beside(other);
        let is_told = |sign: f64| sign * points >= LEAST[0] || sign * share >= LEAST[1];
        if sureness > sure && is_told(1.0) {
            MoveVerdict::Better
        } else if sureness < -sure && is_told(-1.0) {
            MoveVerdict::Worse
        } else {
            MoveVerdict::AsGood
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(visits: u64, win_rate: f64, spread: Option<f64>) -> SearchReport {
        SearchReport {
            playouts: visits,
            score: 3.0,
            win_rate,
            score_deviation: spread,
            ..SearchReport::default()
        }
    }

    #[test]
    fn errors_follow_visits_and_spread() {
        let model = ErrorModel {
            floor_points: 0.6,
            spread_share: 2.0,
            floor_win_rate: 0.03,
            win_share: 0.4,
            compares_means: false,
            margin: None,
        };
        let value = model.value_of_report(&report(100, 0.5, Some(4.0)));
        // 0.6 and 2 * 4 / 10 points; 3 % and 0.4 * 0.5 / 10.
        assert!((value.lead_error - 1.0).abs() < 1e-9, "{value:?}");
        assert!((value.win_rate_error - 0.03_f64.hypot(0.02)).abs() < 1e-9, "{value:?}");
        assert_eq!((value.lead, value.win_rate), (3.0, 0.5));
        let more = model.value_of_report(&report(10_000, 0.5, Some(4.0)));
        assert!((more.lead_error - 0.6_f64.hypot(0.08)).abs() < 1e-9, "more visits mend the spread alone");
        let wild = model.value_of_report(&report(100, 0.5, Some(20.0)));
        assert!(wild.lead_error > 4.0);
        let lost = model.value_of_report(&report(100, 0.0, Some(4.0)));
        assert!(lost.win_rate_error > 0.0 && lost.win_rate_error < value.win_rate_error, "{lost:?}");
    }

    /// A search whose lines agree is off by little, one in a fight by much, however many visits there are.
    #[test]
    fn margins_follow_how_far_leads_lie_apart() {
        let model = ErrorModel {
            margin: Some(MarginModel { floor_points: 3.0, spread_share: 2.0 }),
            ..ErrorModel::NETWORK
        };
        let mv =
            |visits: u64, score: f64| MoveReport { visits, score, ..MoveReport::unsearched_move(Move::Pass) };
        let margin = |visits: u64, deviation: Option<f64>, moves: Vec<MoveReport>| {
            model.value_of_report(&SearchReport { moves, ..report(visits, 0.5, deviation) }).lead_margin
        };
        assert!((margin(50, None, vec![]) - 3.0).abs() < 1e-9, "nothing is known but the least");
        assert!((margin(50, Some(2.0), vec![mv(50, 1.0)]) - 5.0).abs() < 1e-9, "3 and twice 2");
        assert!((margin(5000, Some(2.0), vec![mv(5000, 1.0)]) - 5.0).abs() < 1e-9);
        // The mean of 30 at 1 and 10 at 5 is 2, and their deviation the root of 3; what has no visits says nothing.
        let apart = margin(40, Some(1.0), vec![mv(30, 1.0), mv(10, 5.0), mv(0, 90.0)]);
        assert!((apart - 5.0).abs() < 1e-9, "3 and twice the root of 1 and 3: {apart}");
        let other = PositionValue { lead_margin: 12.0, ..PositionValue::default() };
        let beside = PositionValue { lead_margin: 5.0, ..PositionValue::default() }.margin_beside(&other);
        assert!((beside - 13.0).abs() < 1e-9, "{beside}");
    }

    /// What was not measured is told as normal deviates are.
    #[test]
    fn margins_of_playouts_follow_from_the_standard_error() {
        let value = ErrorModel::PLAYOUTS.value_of_report(&report(400, 0.5, Some(20.0)));
        assert!((value.lead_margin - 1.645 * 1.5).abs() < 1e-9, "{value:?}");
        assert!(ErrorModel::PLAYOUTS.value_of_report(&report(1, 0.5, None)).lead_margin.is_infinite());
    }

    /// A best move that is lucky does not count.
    #[test]
    fn positions_are_compared_by_all_that_was_looked_at() {
        let mv = |visits: u64, score: f64| MoveReport {
            visits,
            score,
            win_rate: 0.5,
            ..MoveReport::unsearched_move(Move::Pass)
        };
        let with_moves = |moves: Vec<MoveReport>| SearchReport { moves, ..report(40, 0.5, Some(1.0)) };
        let lucky =
            ErrorModel::NETWORK.value_of_report(&with_moves(vec![mv(10, 3.0), mv(30, -1.0), mv(0, 90.0)]));
        assert_eq!((lucky.lead, lucky.means), (3.0, Some([0.0, 0.5])));
        let steady = ErrorModel::NETWORK.value_of_report(&with_moves(vec![mv(40, 2.0)]));
        assert_eq!(steady.difference_from(&lucky), [2.0, 0.0]);
        assert_eq!(steady.for_other_side().difference_from(&lucky.for_other_side()), [-2.0, 0.0]);
        let playouts = ErrorModel::PLAYOUTS.value_of_report(&with_moves(vec![mv(40, 2.0)]));
        assert_eq!((playouts.means, playouts.difference_from(&lucky)), (None, [0.0, 0.0]));
    }

    /// Playouts that are independent are off by their deviation by the root of their number, times what searches are more.
    #[test]
    fn playouts_without_a_spread_say_nothing_of_points() {
        let value = ErrorModel::PLAYOUTS.value_of_report(&report(400, 0.5, Some(20.0)));
        assert!((value.lead_error - 1.5).abs() < 1e-9 && (value.win_rate_error - 0.0375).abs() < 1e-9);
        let blind = ErrorModel::PLAYOUTS.value_of_report(&report(1, 0.5, None));
        assert!(blind.lead_error.is_infinite());
        assert_eq!(
            ErrorModel::NETWORK.value_of_report(&report(1, 0.5, None)).lead_error,
            ErrorModel::NETWORK.floor_points
        );
    }
}
