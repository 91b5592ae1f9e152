//! Problems put to a player: positions with a question, what is expected of the answer, and the judgement.
//!
//! A question is a GTP command (`reg_genmove`, `restricted_genmove`, `attack`, `owl_defend`, ...), answered by a [`Session`] that has set the
//! position up with `play`, as a controller would. [`text`] reads problems a line each, [`sgf`] records whose first right moves are marked, [`suite`]
//! regression suites of other programs. [`captures`] draws questions of capture out of games. [`attempt`] judges what a person tries. [`ProblemParts`] keeps problems of one game together.

pub mod attempt;
pub mod captures;
mod expected;
mod parts;
mod proved;
pub mod sgf;
pub mod suite;
pub mod text;

use ishi_go::{BoardSize, Color, Point, Position, Rules};
use ishi_gtp::{CommandInput, Inbox, serve_commands};
use ishi_rng::Seed;

use crate::catalog;
use crate::session::{self, Session, SessionSettings};
pub use expected::{ExpectedAnswer, ExpectedAnswerError};
use ishi_engine::catalog::CatalogError;
use ishi_engine::session::Host;
pub use parts::ProblemParts;
pub use proved::is_proved;

/// Points that a move is chosen from at most, as some controllers' lines end near 1,000 characters.
const MOST_POINTS: usize = 150;

/// A position, a question about it, and what is expected.
#[derive(Clone, Debug, PartialEq)]
pub struct Problem {
    /// Its name.
    pub name: String,
    /// What it is counted with: its level or its question.
    pub group: String,
    /// The GTP command that asks.
    pub query: String,
    /// Its arguments.
    pub args: String,
    /// The board.
    pub size: BoardSize,
    /// Black stones in the order they are put down.
    pub black: Vec<Point>,
    /// White stones.
    pub white: Vec<Point>,
    /// Points for White, if it matters.
    pub komi: Option<f64>,
    /// The right answers.
    pub expected: ExpectedAnswer,
}

/// How a problem was answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProblemReply {
    /// With this.
    Answer(String),
    /// The question was refused, for this reason.
    Refused(String),
    /// There is no such command.
    Unknown,
    /// It was interrupted.
    Stopped,
}

impl ProblemReply {
    /// Is it right?
    pub fn is_right(&self, expected: &ExpectedAnswer) -> bool {
        matches!(self, ProblemReply::Answer(answer) if expected.fits_answer(answer))
    }

    /// Has it the right code, or is it right where no code is expected?
    pub fn is_right_by_code(&self, expected: &ExpectedAnswer) -> bool {
        matches!(self, ProblemReply::Answer(answer) if expected.fits_by_code(answer))
    }
}

impl Problem {
    /// A move that is to be found in the part of the board with stones; the whole board, if one of the moves expected lies outside.
    ///
    /// # Errors
    /// If no move is expected.
    pub fn from_right_moves(
        name: &str,
        group: &str,
        size: BoardSize,
        to_move: Color,
        [black, white]: [Vec<Point>; 2],
        moves: &[Point],
    ) -> Result<Problem, ExpectedAnswerError> {
        let area = area_around_stones(size, &black, &white);
        let (query, args) = if moves.iter().all(|mv| area.contains(mv)) {
            let points: Vec<String> = area.iter().map(Point::to_string).collect();
            ("restricted_genmove", format!("{to_move} {}", points.join(" ")))
        } else {
            ("reg_genmove", to_move.to_string())
        };
        Ok(Problem {
            name: name.to_string(),
            group: group.to_string(),
            query: query.to_string(),
            args,
            size,
            black,
            white,
            komi: None,
            expected: ExpectedAnswer::from_moves(moves)?,
        })
    }

    /// The position.
    ///
    /// # Errors
    /// Which stone cannot stand where it does.
    pub fn position(&self) -> Result<Position, ishi_go::SetupError> {
        let of =
            |color, stones: &[Point]| stones.iter().map(move |&point| (color, point)).collect::<Vec<_>>();
        let stones = [of(Color::Black, &self.black), of(Color::White, &self.white)].concat();
        Position::from_setup(self.size, Rules::CHINESE, stones, Color::Black)
    }

    /// The commands that set it up and ask.
    fn setup_script(&self) -> String {
        let (width, height) = (self.size.width(), self.size.height());
        let mut lines = vec![
            if width == height {
                format!("boardsize {width}")
            } else {
                format!("rectangular_boardsize {width} {height}")
            },
            "clear_board".to_string(),
        ];
        lines.extend(self.komi.map(|komi| format!("komi {komi}")));
        lines.extend(self.black.iter().map(|stone| format!("play black {stone}")));
        lines.extend(self.white.iter().map(|stone| format!("play white {stone}")));
        lines.push(format!("{} {}\n", self.query, self.args));
        lines.join("\n")
    }
}

/// Puts a problem to a player made for it alone, so that no answer depends on those before. Whoever aborts the inbox interrupts the answer.
///
/// # Errors
/// If there is no such player.
///
/// ```
/// use ishi_go_play::problems::{ProblemReply, ask_player, text};
/// use ishi_engine::session::NoHost;
/// use ishi_gtp::Inbox;
/// use ishi_rng::Seed;
/// // Black in the lower left corner has one liberty.
/// let problems = text::parse_problems("corner\tattack\tA1\t9\twhite\tai\tbi\t7\t[1 A2]\t0\n").unwrap();
/// let reply = ask_player(&problems[0], "go-random", Box::new(NoHost), Seed::new(1), &Inbox::new()).unwrap();
/// assert_eq!(reply, ProblemReply::Answer("1 A2".to_string()));
/// assert!(reply.is_right(&problems[0].expected));
/// ```
pub fn ask_player(
    problem: &Problem,
    engine: &str,
    host: Box<dyn Host>,
    seed: Seed,
    inbox: &Inbox,
) -> Result<ProblemReply, CatalogError> {
    let player = catalog::create_go_player(engine, seed)?;
    if !session::all_commands().iter().any(|command| command.name == problem.query) {
        return Ok(ProblemReply::Unknown);
    }
    let settings = SessionSettings { seed, ..SessionSettings::default() };
    let mut session = Session::new(player, host, settings).expect("the komi is that of the rules");
    inbox.push_bytes(problem.setup_script().as_bytes());
    inbox.close();
    let mut output = Vec::new();
    // Writing to memory cannot fail, and nothing is read.
    let _ = serve_commands(&mut session, &mut inbox.clone(), &mut output);
    Ok(if inbox.is_interrupted() {
        ProblemReply::Stopped
    } else {
        last_reply(&String::from_utf8_lossy(&output))
    })
}

/// The last answer of several; the first that was refused, if one before it was.
fn last_reply(output: &str) -> ProblemReply {
    let mut last = ProblemReply::Stopped;
    for answer in output.split("\n\n").filter(|answer| !answer.trim().is_empty()) {
        match answer.trim_start().split_at_checked(1) {
            Some(("=", text)) => last = ProblemReply::Answer(text.trim().to_string()),
            Some((_, reason)) => return ProblemReply::Refused(reason.trim().to_string()),
            None => {}
        }
    }
    last
}

/// Empty points of the part of the board where stones stand, with a line around it, and all up to an edge that is near; those nearest to stones
/// first.
pub fn area_around_stones(size: BoardSize, black: &[Point], white: &[Point]) -> Vec<Point> {
    let stones: Vec<Point> = black.iter().chain(white).copied().collect();
    let from_top = |point: Point| size.height() - 1 - point.row();
    let columns = extend_range(stones.iter().map(|stone| stone.column()), size.width());
    let rows = extend_range(stones.iter().map(|&stone| from_top(stone)), size.height());
    let nearest = |point: Point| stones.iter().map(|&stone| stone.steps_to(point)).min().unwrap_or(0);
    let inside = |point: &Point| columns.contains(&point.column()) && rows.contains(&from_top(*point));
    let empty = size.points().filter(inside).filter(|point| !stones.contains(point));
    let mut points: Vec<Point> = empty.collect();
    points.sort_by_key(|&point| (nearest(point), point.column(), from_top(point)));
    points.truncate(MOST_POINTS);
    points
}

/// Lines from the first to the last one taken, one more at either end, and up to the edge from the third line on.
fn extend_range(taken: impl Iterator<Item = usize> + Clone, lines: usize) -> std::ops::RangeInclusive<usize> {
    let (first, last) = (taken.clone().min().unwrap_or(0), taken.max().unwrap_or(lines - 1));
    let (first, last) = (first.saturating_sub(1), (last + 1).min(lines - 1));
    (if first <= 2 { 0 } else { first })..=(if last + 3 >= lines { lines - 1 } else { last })
}

#[cfg(test)]
mod tests {
    use super::*;
    use ishi_engine::session::NoHost;

    fn ask(line: &str, engine: &str) -> (ProblemReply, Problem) {
        let problem = text::parse_problems(line).unwrap().remove(0);
        let reply =
            super::ask_player(&problem, engine, Box::new(NoHost), Seed::new(1), &Inbox::new()).unwrap();
        (reply, problem)
    }

    #[test]
    fn questions_are_put_as_they_stand() {
        // White has one liberty left.
        let (reply, problem) = ask("l\tattack\tE5\t9\tblack\teddefe\tee\t5.5\t[1 E4]\t0\n", "go-random");
        assert!(reply.is_right(&problem.expected), "{reply:?}");
        let (reply, _) = ask("l\tjuggle\tE5\t9\tblack\t-\tee\t5.5\t[1]\t0\n", "go-random");
        assert_eq!(reply, ProblemReply::Unknown);
        let (reply, problem) = ask("l\teval_eye\tZ99\t9\tblack\t-\tee\t5.5\t[0]\t0\n", "go-random");
        assert!(matches!(&reply, ProblemReply::Refused(reason) if reason.contains("Z99")), "{reply:?}");
        assert!(!reply.is_right(&problem.expected) && !reply.is_right_by_code(&problem.expected));
    }

    /// A space that White's stones open at one end has eyes if Black moves first; it is no reason to refuse.
    #[test]
    fn eyes_of_open_spaces_are_told() {
        let line = "l\teval_eye\tC5\t7\tblack\tbbcbdbebbcbdcdedcedeee\tecfc\t-\t[0 2 D5 D5]\t0\n";
        let (reply, problem) = ask(line, "go-random");
        assert!(reply.is_right(&problem.expected), "{reply:?}");
        let (reply, _) = ask("l\teval_eye\tE5\t9\tblack\t-\t-\t-\t[0 0]\t0\n", "go-random");
        assert!(matches!(&reply, ProblemReply::Answer(text) if text.starts_with('0')), "{reply:?}");
    }

    /// What nobody can capture is defended by a move, too, as GNU Go does it.
    #[test]
    fn a_defence_has_a_move() {
        let (reply, _) = ask("l\tdefend\tE5\t9\tblack\tee\tff\t-\t[1]\t0\n", "go-random");
        let ProblemReply::Answer(text) = &reply else { panic!("{reply:?}") };
        let (code, mv) = text.split_once(' ').unwrap();
        let near = ["E4", "E6", "D5", "F5"];
        assert!(code == "1" && near.contains(&mv), "{text}");
    }

    #[test]
    fn areas_reach_near_edges() {
        let size = BoardSize::square(19).unwrap();
        let stones = [Point::new(16, 16)];
        let points = area_around_stones(size, &stones, &[]);
        assert_eq!(points.len(), 15, "a corner of 4x4 points less a stone");
        assert_eq!(points[0].to_string(), "Q17", "beside the stone, from the left");
        assert_eq!(area_around_stones(size, &[Point::new(9, 9)], &[]).len(), 8);
        let far = area_around_stones(size, &[Point::new(0, 0)], &[Point::new(18, 18)]);
        assert_eq!(far.len(), MOST_POINTS);
    }
}
