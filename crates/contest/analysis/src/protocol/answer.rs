//! Reports of a search as the protocol's answers.

use ishi_engine::{MoveReport, SearchReport};
use ishi_go::{Board, Color, Move, Point, Position, Symmetry};
use serde_json::{Map, Value, json};

use super::query::AnalysisQuery;
use super::settings::Perspective;
use crate::labels::games::points_by_row;

/// What an answer is about.
#[derive(Clone, Copy, Debug)]
pub struct AnswerSubject<'a> {
    /// The query.
    pub query: &'a AnalysisQuery,
    /// The turn.
    pub turn: usize,
    /// Its position.
    pub position: &'a Position,
    /// What is thought of all moves before any search, if it is known.
    pub policy: Option<&'a SearchReport>,
}

/// Figures have six decimals, owners and priors of points four: more would be noise.
const DECIMALS: i32 = 6;
const POINT_DECIMALS: i32 = 4;

fn rounded_value(number: f64, decimals: i32) -> Value {
    let scale = 10_f64.powi(decimals);
    // Zero without a sign.
    Value::from((number * scale).round() / scale + 0.0)
}

fn figure_value(number: f64) -> Value {
    rounded_value(number, DECIMALS)
}

/// A win rate from 0 to 1 as utility from -1 to 1.
fn utility_of_win_rate(win_rate: f64) -> f64 {
    2.0 * win_rate - 1.0
}

/// Whose view is told.
#[derive(Clone, Copy)]
struct AnswerView {
    opposite: bool,
}

impl AnswerView {
    fn view_win_rate(self, rate: f64) -> f64 {
        if self.opposite { 1.0 - rate } else { rate }
    }

    fn view_score(self, points: f64) -> f64 {
        if self.opposite { -points } else { points }
    }
}

impl AnswerSubject<'_> {
    fn view(&self) -> AnswerView {
        let to_move = self.position.to_move();
        AnswerView {
            opposite: match self.query.settings.perspective {
                Perspective::Black => to_move == Color::White,
                Perspective::White => to_move == Color::Black,
                Perspective::SideToMove => false,
            },
        }
    }

    /// The answer to a query that was ended before anything was found.
    pub fn empty_answer(query: &AnalysisQuery, turn: usize) -> Value {
        json!({ "id": query.id, "isDuringSearch": false, "noResults": true, "turnNumber": turn })
    }

    /// The answer with this report of the search, from the side to move.
    pub fn answer_report(&self, report: &SearchReport, during: bool) -> Value {
        let include = self.query.include;
        // The only legal move may need no visit: it is told all the same.
        let told = report.moves.iter().enumerate().filter(|(order, mv)| mv.visits > 0 || *order == 0);
        let moves: Vec<Value> = told.map(|(order, mv)| self.move_info(order, mv)).collect();
        let mut answer = Map::new();
        let mut put = |name: &str, value: Value| answer.insert(name.to_string(), value);
        put("id", Value::from(self.query.id.as_str()));
        put("isDuringSearch", Value::from(during));
        put("turnNumber", Value::from(self.turn));
        put("moveInfos", Value::Array(moves));
        put("rootInfo", self.root_info(report));
        if include.ownership && !report.ownership.is_empty() {
            put("ownership", self.owner_values(&report.ownership, |mean| self.view().view_score(mean)));
        }
        if include.ownership_deviation && !report.ownership.is_empty() {
            put("ownershipStdev", self.owner_values(&report.ownership, owner_deviation));
        }
        if let Some(policy) = self.policy.filter(|_| include.policy) {
            put("policy", self.policy_values(policy));
        }
        Value::Object(answer)
    }

    fn move_info(&self, order: usize, mv: &MoveReport) -> Value {
        let (view, include) = (self.view(), self.query.include);
        let line = self.query.settings.variation + 1;
        let variation: Vec<String> = mv.variation.iter().take(line).map(Move::to_string).collect();
        let (rate, bound, score) = (
            view.view_win_rate(mv.win_rate),
            view.view_win_rate(mv.lower_bound),
            figure_value(view.view_score(mv.score)),
        );
        let mut info = Map::new();
        let mut put = |name: &str, value: Value| info.insert(name.to_string(), value);
        put("move", Value::from(mv.mv.to_string()));
        put("order", Value::from(order));
        for name in ["visits", "edgeVisits", "weight", "edgeWeight"] {
            put(name, Value::from(mv.visits));
        }
        put("winrate", figure_value(rate));
        put("lcb", figure_value(bound));
        put("utility", figure_value(utility_of_win_rate(rate)));
        put("utilityLcb", figure_value(utility_of_win_rate(bound)));
        for name in ["scoreLead", "scoreMean", "scoreSelfplay"] {
            put(name, score.clone());
        }
        if let Some(deviation) = mv.score_deviation {
            put("scoreStdev", figure_value(deviation));
        }
        put("prior", figure_value(mv.prior));
        put("pv", Value::from(variation));
        if include.variation_visits && !mv.variation_visits.is_empty() {
            let visits: Vec<u64> = mv.variation_visits.iter().copied().take(line).collect();
            put("pvVisits", Value::from(visits.clone()));
            put("pvEdgeVisits", Value::from(visits));
        }
        if include.move_ownership && !mv.ownership.is_empty() {
            put("ownership", self.owner_values(&mv.ownership, |mean| view.view_score(mean)));
        }
        if include.move_ownership_deviation && !mv.ownership.is_empty() {
            put("ownershipStdev", self.owner_values(&mv.ownership, owner_deviation));
        }
        Value::Object(info)
    }

    fn root_info(&self, report: &SearchReport) -> Value {
        let view = self.view();
        let (rate, score) =
            (view.view_win_rate(report.win_rate), figure_value(view.view_score(report.score)));
        let mut info = Map::new();
        let mut put = |name: &str, value: Value| info.insert(name.to_string(), value);
        put("currentPlayer", Value::from(if self.position.to_move() == Color::Black { "B" } else { "W" }));
        put("visits", Value::from(report.playouts));
        put("weight", Value::from(report.playouts));
        put("winrate", figure_value(rate));
        put("utility", figure_value(utility_of_win_rate(rate)));
        if let Some(best) = report.moves.first() {
            put("lcb", figure_value(view.view_win_rate(best.lower_bound)));
        }
        for name in ["scoreLead", "scoreMean", "scoreSelfplay"] {
            put(name, score.clone());
        }
        if let Some(deviation) = report.score_deviation {
            put("scoreStdev", figure_value(deviation));
        }
        put("thisHash", Value::from(exact_position_hash(self.position)));
        put("symHash", Value::from(symmetric_position_hash(self.position)));
        Value::Object(info)
    }

    fn owner_values(&self, means: &[(Point, f32)], told: impl Fn(f64) -> f64) -> Value {
        let mut by_point = vec![0.0; Point::INDICES];
        for &(point, mean) in means {
            by_point[point.index()] = told(mean.into());
        }
        points_by_row(self.position.size())
            .map(|point| rounded_value(by_point[point.index()], POINT_DECIMALS))
            .collect()
    }

    /// Shares of one for legal moves, -1 for others; the last number is the pass.
    fn policy_values(&self, report: &SearchReport) -> Value {
        let sum: f64 = report.moves.iter().map(|mv| mv.prior).sum();
        let prior = |mv: Move| {
            let found = report.moves.iter().find(|one| one.mv == mv).map_or(0.0, |one| one.prior);
            rounded_value(if sum > 0.0 { found / sum } else { 0.0 }, DECIMALS)
        };
        let to_move = self.position.to_move();
        let at = |point: Point| match self.position.is_legal(to_move, point.into()) {
            true => prior(point.into()),
            false => Value::from(-1),
        };
        points_by_row(self.position.size()).map(at).chain([prior(Move::Pass)]).collect()
    }
}

/// The standard deviation of an owner over playouts: at the end of each a point is one side's (-1 or 1), but for rare neutral
/// points.
fn owner_deviation(mean: f64) -> f64 {
    (1.0 - mean * mean).max(0.0).sqrt()
}

/// Mixes the ko into a hash: any odd number with bits all over does.
const KO: u64 = 0x9E37_79B9_7F4A_7C15;

/// Stones, side to move, and the point of a ko.
fn exact_position_hash(position: &Position) -> String {
    let ko = position.board().ko_point().map_or(0, |point| (point.index() as u64 + 1).wrapping_mul(KO));
    format!("{:016X}", position.situation_hash() ^ ko)
}

/// The same for all mirror images and rotations: the least of their hashes.
fn symmetric_position_hash(position: &Position) -> String {
    let side = position.situation_hash() ^ position.hash();
    let hash = |board: &Board| {
        board.hash() ^ side ^ board.ko_point().map_or(0, |point| (point.index() as u64 + 1).wrapping_mul(KO))
    };
    let images = Symmetry::for_size(position.size())
        .iter()
        .map(|symmetry| hash(&symmetry.map_board(position.board())));
    format!("{:016X}", images.min().expect("there is the identity"))
}
