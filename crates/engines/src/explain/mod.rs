//! Why a move: what it does, what happens if it is not played, what else there is, and why not another one.
//!
//! Knowledge says what moves do ([`ishi_knowledge::explain`], claims proved by reading), a search says what they are worth, and
//! [`Tactics`] says which groups live. Words are made at the edge: [`words::tell`].

pub mod picture;
pub mod review;
pub mod words;

use ishi_go::{Color, Move, Point, Position};
use ishi_knowledge::explain::{MoveReasons, reasons};
use ishi_knowledge::rules::{self, Suggestion};
use ishi_knowledge::{Analysis, Keeper};
use ishi_rng::Seed;

use crate::engine::{Control, Engine, Limits, MoveReport, Report};
use crate::go_mcts::{DynamicKomi, MctsPlayer, Params};
use crate::tactics::Tactics;

/// How much thought an explanation gets.
#[derive(Clone, Debug)]
pub struct ExplainParams {
    /// The search that says what moves are worth.
    pub search: Params,
    /// Playouts for the fate of each doubtful group.
    pub group_playouts: u64,
    /// Other moves to be told.
    pub alternatives: usize,
}

/// Playouts below which win rates of moves are noise; explanations of low levels get as many.
const LEAST_PLAYOUTS: u64 = 1000;

impl ExplainParams {
    /// The thought of a level (see [`crate::go_mcts::presets::level`]), but for a least number of playouts.
    ///
    /// # Panics
    /// If `level` is not 1 to 10.
    pub fn of_level(level: u32) -> ExplainParams {
        let mut search = crate::go_mcts::presets::level(level.max(5));
        search.playouts = search.playouts.max(LEAST_PLAYOUTS);
        search.threads = 1;
        // What is said of the winner is said of the game as it is.
        search.dynamic_komi = DynamicKomi::Off;
        ExplainParams { search, group_playouts: 300, alternatives: 2 }
    }
}

impl Default for ExplainParams {
    fn default() -> Self {
        ExplainParams::of_level(5)
    }
}

/// A move with its reasons and what a search thinks of it.
#[derive(Clone, Debug, PartialEq)]
pub struct ExplainedMove {
    /// The reasons.
    pub reasons: MoveReasons,
    /// Probability of winning after it, for its side, 0 to 1.
    pub win_rate: f64,
    /// Expected lead after it, for its side, in points after komi.
    pub score: f64,
    /// The expected continuation, this move first.
    pub variation: Vec<Move>,
}

/// A move that was asked about, and the answer to it.
#[derive(Clone, Debug, PartialEq)]
pub struct WhyNot {
    /// The move.
    pub mv: ExplainedMove,
    /// The opponent's best answer to it.
    pub answer: Option<ExplainedMove>,
}

/// An explanation of a position and a move in it.
#[derive(Clone, Debug)]
pub struct Explanation {
    /// What is known of the position before the move.
    pub analysis: Analysis,
    /// Who is to move.
    pub color: Color,
    /// Moves played before.
    pub played: usize,
    /// The move that is explained: the one that was played, or the best one.
    pub mv: Option<ExplainedMove>,
    /// What the opponent does if nothing is done here, be it elsewhere; none if it passes.
    pub otherwise: Option<ExplainedMove>,
    /// The best other moves, the best first.
    pub alternatives: Vec<ExplainedMove>,
    /// The moves that were asked about.
    pub why_not: Vec<WhyNot>,
    /// Points that the search expects Black to lead by, after komi.
    pub black_lead: f64,
    /// Black's probability of winning.
    pub black_win_rate: f64,
}

/// Explains moves. Answers do not depend on earlier questions.
///
/// ```
/// use ishi_engines::explain::{ExplainParams, Explainer, words};
/// use ishi_go::{BoardSize, Position, Rules};
/// use ishi_knowledge::words::Language;
/// use ishi_rng::Seed;
/// let mut position = Position::new(BoardSize::square(9).unwrap(), Rules::CHINESE);
/// for vertex in ["E5", "E6", "D6", "A1", "F6", "A2"] {
///     let mv = position.size().parse_move(vertex).unwrap();
///     position.play(position.to_move(), mv).unwrap();
/// }
/// let take = position.size().parse_move("E7").unwrap();
/// let mut explainer = Explainer::new(ExplainParams::default(), Seed::new(1));
/// let explanation = explainer.explain(&position, Some(take), &[]);
/// let text = words::tell(&explanation, Language::English);
/// assert!(text.contains("takes the stone at E6"), "{text}");
/// ```
pub struct Explainer {
    params: ExplainParams,
    seed: Seed,
    tactics: Tactics,
    keeper: Keeper,
}

impl Explainer {
    /// An explainer; everything random follows from the seed.
    pub fn new(params: ExplainParams, seed: Seed) -> Explainer {
        let tactics = Tactics::new(seed.child("tactics", 0)).with_playouts(params.group_playouts);
        Explainer { params, seed, tactics, keeper: Keeper::new() }
    }

    /// Explains a legal move of the side to move in the position (`None`: the best one), and why not others. Passes have no reasons.
    pub fn explain(&mut self, position: &Position, mv: Option<Move>, why_not: &[Point]) -> Explanation {
        let color = position.to_move();
        let analysis = self.keeper.analysis(position, &mut self.tactics);
        let suggestions = rules::suggest(position, &analysis);
        let report = self.search(position);
        let best = report.moves.iter().find_map(|found| found.mv.point());
        let explained = match mv {
            Some(mv) => mv.point(),
            None => best.or(suggestions.first().map(|suggestion| suggestion.mv)),
        };
        let mut view = Seen { position, analysis: &analysis, suggestions: &suggestions, report: &report };
        let mv = explained.map(|point| self.look(&mut view, point));
        let others = report.moves.iter().filter_map(|found| found.mv.point());
        let others: Vec<Point> = others
            .filter(|point| Some(*point) != explained && !why_not.contains(point))
            .take(self.params.alternatives)
            .collect();
        let alternatives = others.into_iter().map(|point| self.look(&mut view, point)).collect();
        let legal = why_not.iter().filter(|&&point| position.is_legal(color, point.into()));
        let why_not = legal.map(|&point| self.why_not(&mut view, point)).collect();
        let sign = if color == Color::Black { 1.0 } else { -1.0 };
        Explanation {
            color,
            played: position.moves().len(),
            otherwise: explained.and_then(|_| self.answer(position, Move::Pass)),
            mv,
            alternatives,
            why_not,
            black_lead: sign * report.score,
            black_win_rate: if color == Color::Black { report.win_rate } else { 1.0 - report.win_rate },
            analysis,
        }
    }

    /// What the search thinks of a position: Black's lead in points after komi, and Black's probability of winning.
    pub fn value(&self, position: &Position) -> (f64, f64) {
        let report = self.search(position);
        match position.to_move() {
            Color::Black => (report.score, report.win_rate),
            Color::White => (-report.score, 1.0 - report.win_rate),
        }
    }

    fn search(&self, position: &Position) -> Report {
        let mut player = MctsPlayer::new(self.params.search.clone(), self.seed);
        let mut nobody = |_: &Report| {};
        let limits = Limits { playouts: Some(self.params.search.playouts), ..Limits::default() };
        player.choose(position, position.to_move(), &mut Control::quiet(limits, &mut nobody)).report
    }

    /// Reasons and values of a move.
    fn look(&mut self, seen: &mut Seen<'_>, point: Point) -> ExplainedMove {
        let reasons = reasons(seen.position, seen.analysis, seen.suggestions, point, &mut self.tactics);
        let known = seen.report.moves.iter().find(|found| found.mv.point() == Some(point));
        let enough = self.params.search.playouts / 20;
        match known.filter(|found| found.visits >= enough) {
            Some(found) => explained(reasons, found),
            None => {
                let (win_rate, score, variation) = self.value_after(seen.position, point);
                ExplainedMove { reasons, win_rate, score, variation }
            }
        }
    }

    /// What a move is worth that the search has hardly looked at: by a search from the position after it.
    fn value_after(&self, position: &Position, point: Point) -> (f64, f64, Vec<Move>) {
        let mut after = position.clone();
        if after.play(position.to_move(), Move::Play(point)).is_err() {
            return (0.0, 0.0, Vec::new());
        }
        let report = self.search(&after);
        let mut variation = vec![Move::Play(point)];
        variation.extend(report.moves.first().iter().flat_map(|best| best.variation.iter().copied()));
        (1.0 - report.win_rate, -report.score, variation)
    }

    fn why_not(&mut self, seen: &mut Seen<'_>, point: Point) -> WhyNot {
        let mv = self.look(seen, point);
        WhyNot { mv, answer: self.answer(seen.position, Move::Play(point)) }
    }

    /// The opponent's best answer to a move; none if that is a pass.
    fn answer(&mut self, position: &Position, mv: Move) -> Option<ExplainedMove> {
        let mut after = position.clone();
        after.play(position.to_move(), mv).ok()?;
        let report = self.search(&after);
        let answer = report.moves.first()?.mv.point()?;
        let analysis = self.keeper.analysis(&after, &mut self.tactics);
        let suggestions = rules::suggest(&after, &analysis);
        let mut seen =
            Seen { position: &after, analysis: &analysis, suggestions: &suggestions, report: &report };
        Some(self.look(&mut seen, answer))
    }
}

/// Lines within which an answer is about the same place.
pub(crate) const NEAR: usize = 7;

/// What has been found out about a position.
struct Seen<'a> {
    position: &'a Position,
    analysis: &'a Analysis,
    suggestions: &'a [Suggestion],
    report: &'a Report,
}

fn explained(reasons: MoveReasons, found: &MoveReport) -> ExplainedMove {
    ExplainedMove {
        reasons,
        win_rate: found.win_rate,
        score: found.score,
        variation: found.variation.clone(),
    }
}
