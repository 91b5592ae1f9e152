//! Problems of life and death, with reading as the judge: it finds the refutation of a wrong move, and plays against a right one.
//!
//! The positions are shapes that every book has; they were set up here. Nothing is stored of their solutions.

use std::sync::Arc;

use axum::Router;
use axum::extract::{Form, Path, State};
use axum::response::Response;
use axum::routing::get;
use ishi_go::picture::{BoardPicture, PictureMark, PictureTone};
use ishi_go::{Board, Color, Diagram, Move, Point, Position, Rules};
use ishi_reading::{LifeReader, ReadingOutcome};
use maud::{Markup, PreEscaped, html};
use serde::Deserialize;

use super::view::render_board_frame;
use crate::workbench::WorkbenchState;
use crate::workbench::error::PageError;
use crate::workbench::page::{Page, Room, partial_response};
use crate::workbench::visitor::Visitor;

/// Moves that are read for an answer: some tenths of a second.
const READ: u32 = 300_000;

/// Moves of an attempt: no problem here is longer.
const LONGEST: usize = 40;

/// A problem: White's or Black's stones by their diagram, who moves, and a stone of the group that it is about.
struct GoProblem {
    english: &'static str,
    japanese: &'static str,
    to_move: Color,
    stone: &'static str,
    diagram: &'static str,
}

const fn new_problem(
    english: &'static str,
    japanese: &'static str,
    to_move: Color,
    stone: &'static str,
    diagram: &'static str,
) -> GoProblem {
    GoProblem { english, japanese, to_move, stone, diagram }
}

// Positions that are asked about from both sides.

const THREE: &str = "
        . . . . . . .
        . . . . . . .
        O O O O O . .
        X X X X O . .
        . . . X O . .";

const FIVE: &str = "
        . . . . . . . .
        . . . . . . . .
        O O O O O . . .
        X X X O O . . .
        . . X X O . . .
        . . . X O . . .";

const SIX_IN_THE_CORNER: &str = "
        . . . . . . . .
        . . . . . . . .
        O O O O O . . .
        X X X X O O . .
        . . . X O . . .
        . . . X O . . .";

const CROSS: &str = "
        O O O O O O O .
        O O X X X O O .
        O X X . X X O .
        O X . . . X O .
        O X X . X X O .
        O O X X X O O .
        O O O O O O O .
        . . . . . . . .";

const PROBLEMS: [GoProblem; 10] = [
    new_problem("Three in a row", "三目ナカデ", Color::Black, "A2", THREE),
    new_problem("Take it away", "三目ナカデ（殺す）", Color::White, "A2", THREE),
    new_problem("Bulky five", "五目ナカデ", Color::White, "A3", FIVE),
    new_problem("Save the five", "五目ナカデ（活きる）", Color::Black, "A3", FIVE),
    new_problem(
        "Rabbity six",
        "花六",
        Color::White,
        "A4",
        "
        . . . . . . . .
        . . . . . . . .
        O O O O . . . .
        X X X O O . . .
        X . X X O . . .
        . . . X O . . .
        . . X X O . . .",
    ),
    new_problem("Six in the corner", "隅の六目", Color::White, "A3", SIX_IN_THE_CORNER),
    new_problem("Six, outside closed", "隅の六目（活き）", Color::Black, "A3", SIX_IN_THE_CORNER),
    new_problem("A cross of five", "花五", Color::Black, "B5", CROSS),
    new_problem("The cross attacked", "花五（殺す）", Color::White, "B5", CROSS),
    new_problem(
        "On the edge",
        "辺の三目",
        Color::Black,
        "C2",
        "
        . . . . . . . . .
        . . . . . . . . .
        . O O O O O O O .
        . O X X X X X O .
        . O X . . . X O .",
    ),
];

pub(super) fn routes() -> Router<Arc<WorkbenchState>> {
    Router::new()
        .route("/go/problems", get(list_problems))
        .route("/go/problems/{number}", get(show_problem).post(play_attempt))
}

impl GoProblem {
    fn position(&self) -> Result<Position, PageError> {
        let diagram: Diagram = self.diagram.parse().map_err(PageError::from_system_error)?;
        diagram.to_position(Rules::CHINESE, self.to_move).map_err(PageError::from_system_error)
    }

    fn stone_point(&self, board: &Board) -> Result<Point, PageError> {
        board.size().parse_point(self.stone).map_err(PageError::from_system_error)
    }

    /// Is the group to be saved, or to be taken?
    fn is_to_live(&self) -> Result<bool, PageError> {
        let position = self.position()?;
        let stone = self.stone_point(position.board())?;
        Ok(position.board().color(stone) == Some(self.to_move))
    }

    fn task_text(&self, visitor: &Visitor) -> Result<String, PageError> {
        let stone = self.stone;
        Ok(match (self.to_move, self.is_to_live()?) {
            (Color::Black, true) => {
                visitor.say("Black to play: save the group at", "黒先活き：").to_string() + " " + stone
            }
            (Color::White, true) => {
                visitor.say("White to play: save the group at", "白先活き：").to_string() + " " + stone
            }
            (Color::Black, false) => {
                visitor.say("Black to play: take the group at", "黒先白死：").to_string() + " " + stone
            }
            (Color::White, false) => {
                visitor.say("White to play: take the group at", "白先黒死：").to_string() + " " + stone
            }
        })
    }
}

fn find_problem(number: usize) -> Result<&'static GoProblem, PageError> {
    let found = number.checked_sub(1).and_then(|at| PROBLEMS.get(at));
    found.ok_or_else(|| {
        let most = PROBLEMS.len();
        PageError::not_found(
            format!("there is no problem {number}: there are 1 to {most}"),
            format!("問題 {number} はありません（1〜{most}）"),
        )
    })
}

/// How an attempt stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum AttemptVerdict {
    /// Nothing was played yet.
    Open,
    /// The last move keeps what was asked for, and the other side has answered.
    Right,
    /// Whatever the other side does, it is done.
    Solved,
    /// It works, but only by a ko.
    Ko,
    /// The answer that is on the board refutes it.
    Refuted,
    /// It was not read to the end.
    Unknown,
}

struct ProblemAttempt {
    position: Position,
    verdict: AttemptVerdict,
}

/// Plays a person's moves, each with the answer of the judge; moves are all of them so far.
fn judge_moves(problem: &GoProblem, moves: &[Move]) -> Result<ProblemAttempt, PageError> {
    let mut position = problem.position()?;
    for &mv in moves {
        position.play(position.to_move(), mv).map_err(PageError::from_input_error)?;
    }
    let mut attempt = ProblemAttempt { position, verdict: AttemptVerdict::Open };
    if !moves.is_empty() {
        attempt.answer_last_move(problem)?;
    }
    Ok(attempt)
}

impl ProblemAttempt {
    /// The other side's best answer to the last move, and what becomes of the group.
    fn answer_last_move(&mut self, problem: &GoProblem) -> Result<(), PageError> {
        let to_live = problem.is_to_live()?;
        let stone = problem.stone_point(self.position.board())?;
        let board = self.position.board();
        if board.color(stone).is_none() {
            self.verdict = if to_live { AttemptVerdict::Refuted } else { AttemptVerdict::Solved };
            return Ok(());
        }
        let mut reader = LifeReader::new(READ);
        // The judge moves now: against a group that shall live it kills, for one that shall die it lives.
        let found = if to_live { reader.read_death(board, stone) } else { reader.read_life(board, stone) };
        let Some(found) = found else {
            self.verdict = AttemptVerdict::Unknown;
            return Ok(());
        };
        self.verdict = match found.outcome {
            ReadingOutcome::Works => AttemptVerdict::Refuted,
            ReadingOutcome::KoFirst | ReadingOutcome::KoSecond => AttemptVerdict::Ko,
            ReadingOutcome::Fails => AttemptVerdict::Right,
        };
        let color = self.position.to_move();
        let reply = found.mv.or_else(|| find_resistance(&self.position, stone));
        match reply.filter(|&point| self.position.is_legal(color, point.into())) {
            Some(point) => {
                self.position.play(color, Move::Play(point)).map_err(PageError::from_input_error)?;
            }
            None => {
                self.position.play(color, Move::Pass).map_err(PageError::from_input_error)?;
            }
        }
        if self.verdict == AttemptVerdict::Right && self.is_settled(stone, to_live) {
            self.verdict = AttemptVerdict::Solved;
        }
        Ok(())
    }

    /// Nothing more has to be done: it holds even if the person passes now.
    fn is_settled(&self, stone: Point, to_live: bool) -> bool {
        let board = self.position.board();
        if board.color(stone).is_none() {
            return !to_live;
        }
        let mut reader = LifeReader::new(READ);
        let still = if to_live { reader.read_death(board, stone) } else { reader.read_life(board, stone) };
        still.is_some_and(|answer| answer.outcome == ReadingOutcome::Fails)
    }
}

/// Where a side that has lost plays on: a point of the group's inside, so that a person can show how it goes on.
fn find_resistance(position: &Position, stone: Point) -> Option<Point> {
    let board = position.board();
    let chain = board.chain(stone)?;
    let color = position.to_move();
    board.chain_liberties(chain).into_iter().find(|&point| board.is_sensible(color, point))
}

async fn list_problems(visitor: Visitor) -> Result<Response, PageError> {
    let title = visitor.say("Problems", "詰碁");
    let cards = PROBLEMS.iter().enumerate().map(|(at, problem)| -> Result<Markup, PageError> {
        let picture = BoardPicture::from_board(problem.position()?.board());
        Ok(html! {
            a.panel.problem href=(format!("/go/problems/{}", at + 1)) {
                (PreEscaped(picture.to_svg()))
                strong { (at + 1) ". " (visitor.say(problem.english, problem.japanese)) }
                span.quiet { (problem.task_text(&visitor)?) }
            }
        })
    });
    let cards = cards.collect::<Result<Vec<_>, _>>()?;
    let body = html! {
        h1 { (title) }
        p { (visitor.say("Every move is read out: a wrong one is refuted on the board, a right one is answered as well as can be.",
            "打った手はすべて読み切って判定します。間違いには最善の応手、正解には最強の抵抗で応じます。")) }
        div.cards { @for card in cards { (card) } }
    };
    Ok(Page::new(Room::Go, title).render_page(&visitor, body))
}

#[derive(Deserialize)]
struct AttemptForm {
    #[serde(default)]
    at: String,
    #[serde(default)]
    moves: String,
}

async fn show_problem(Path(number): Path<usize>, visitor: Visitor) -> Result<Response, PageError> {
    let problem = find_problem(number)?;
    let attempt = judge_moves(problem, &[])?;
    let title = format!("{number}. {}", visitor.say(problem.english, problem.japanese));
    let body = html! {
        h1 { (title) }
        p { (problem.task_text(&visitor)?) "." }
        div #problem { (render_attempt(problem, number, &attempt, &visitor)?) }
        p.row {
            a.button href="/go/problems" { (visitor.say("All problems", "問題一覧")) }
            @if number < PROBLEMS.len() {
                a.button href=(format!("/go/problems/{}", number + 1)) { (visitor.say("Next problem", "次の問題")) }
            }
        }
    };
    Ok(Page::new(Room::Go, &title).render_page(&visitor, body))
}

async fn play_attempt(
    State(desk): State<Arc<WorkbenchState>>,
    Path(number): Path<usize>,
    visitor: Visitor,
    Form(played): Form<AttemptForm>,
) -> Result<Response, PageError> {
    let problem = find_problem(number)?;
    let size = problem.position()?.size();
    let words = played.moves.split_whitespace().chain(Some(played.at.as_str()).filter(|at| !at.is_empty()));
    let moves: Result<Vec<Move>, _> = words.map(|word| size.parse_move(word)).collect();
    let moves = moves.map_err(PageError::from_input_error)?;
    if moves.len() > LONGEST {
        return Err(PageError::invalid_input(
            "this attempt is long enough: begin again",
            "手数が多すぎます。最初からどうぞ",
        ));
    }
    let attempt = desk.compute(move |_| judge_moves(problem, &moves)).await??;
    Ok(partial_response(render_attempt(problem, number, &attempt, &visitor)?))
}

fn render_attempt(
    problem: &GoProblem,
    number: usize,
    attempt: &ProblemAttempt,
    visitor: &Visitor,
) -> Result<Markup, PageError> {
    let position = &attempt.position;
    let mut picture = BoardPicture::from_board(position.board());
    let stone = problem.stone_point(position.board())?;
    if position.board().color(stone).is_some() {
        picture = picture.with_mark(stone, PictureMark::Triangle, PictureTone::Note);
    }
    for (at, &(_, mv)) in position.moves().iter().enumerate() {
        if let Some(point) = mv.point().filter(|&point| position.board().color(point).is_some()) {
            picture = picture.with_label(point, (at + 1).to_string(), None);
        }
    }
    let moves: Vec<String> = position.moves().iter().map(|(_, mv)| mv.to_string()).collect();
    let words =
        match attempt.verdict {
            AttemptVerdict::Open => visitor.say("Your move.", "どうぞ。"),
            AttemptVerdict::Right => visitor.say("Right so far. Go on.", "正解です。続けてください。"),
            AttemptVerdict::Solved => {
                visitor.say("Solved: nothing changes it any more.", "正解！もう変わりません。")
            }
            AttemptVerdict::Ko => visitor
                .say("It comes to a ko: is there better?", "コウになります。もっと良い手はありませんか。"),
            AttemptVerdict::Refuted => visitor
                .say("That is refuted by the last move on the board.", "失敗です。最後の手が反撃です。"),
            AttemptVerdict::Unknown => visitor.say("That was not read to the end.", "読み切れませんでした。"),
        };
    let class = match attempt.verdict {
        AttemptVerdict::Solved | AttemptVerdict::Right => "good",
        AttemptVerdict::Refuted => "bad",
        _ => "",
    };
    let action = format!("/go/problems/{number}");
    Ok(html! {
        div.columns {
            (render_board_frame("problem-board", position.size(), Some((&action, "#problem", "moves")), position.board(), &picture.with_depth().to_svg(), visitor))
            div.panel {
                p.verdict.(class) role="status" { (words) }
                input type="hidden" name="moves" value=(moves.join(" "));
                @if !moves.is_empty() {
                    p { (visitor.say("Moves", "手順")) ": " (moves.join(" ")) }
                    button hx-post=(action) hx-vals="{\"moves\": \"\"}" hx-target="#problem" { (visitor.say("Begin again", "最初から")) }
                }
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every problem has a solution, and not every move is one.
    #[test]
    fn problems_can_be_solved_and_be_failed() {
        for problem in &PROBLEMS {
            let position = problem.position().unwrap();
            let verdicts: Vec<AttemptVerdict> = position
                .legal_moves(problem.to_move)
                .into_iter()
                .map(|point| judge_moves(problem, &[point.into()]).unwrap().verdict)
                .collect();
            let is_good =
                |verdict: &&AttemptVerdict| matches!(verdict, AttemptVerdict::Right | AttemptVerdict::Solved);
            let good = verdicts.iter().filter(is_good).count();
            assert!(
                (1..=3).contains(&good),
                "{}: {good} of {} moves solve it",
                problem.english,
                verdicts.len()
            );
            assert!(verdicts.contains(&AttemptVerdict::Refuted), "{}: {verdicts:?}", problem.english);
        }
    }
}
