//! Problems of life and death, with reading as the judge: it finds the refutation of a wrong move, and plays against a right one.
//!
//! The positions are shapes that every book has; they were set up here. Nothing is stored of their solutions.

use std::sync::Arc;

use axum::Router;
use axum::extract::{Form, Path};
use axum::routing::get;
use ishi_go::picture::{BoardPicture, PictureMark, PictureTone};
use ishi_go::{Board, Color, Diagram, Move, Point, Position, Rules};
use ishi_go_play::problems::attempt::{AttemptVerdict, ProblemAttempt};
use maud::{Markup, html};
use serde::Deserialize;

use super::view::{BoardClick, render_board_frame};
use crate::workbench::error::PageError;
use crate::workbench::page::{Page, Room, partial_response};
use crate::workbench::rooms::deep_pictures::DeepPictures;
use crate::workbench::texts::{args, text_id};
use crate::workbench::visitor::Visitor;
use crate::workbench::{DeskState, PageAnswer, WorkbenchState};

/// Moves of an attempt: no problem here is longer.
const LONGEST: usize = 40;

/// A problem: White's or Black's stones by their diagram, who moves, and a stone of the group that it is about.
struct GoProblem {
    /// The name of its text.
    name: &'static str,
    to_move: Color,
    stone: &'static str,
    diagram: &'static str,
}

const fn new_problem(
    name: &'static str,
    to_move: Color,
    stone: &'static str,
    diagram: &'static str,
) -> GoProblem {
    GoProblem { name, to_move, stone, diagram }
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
    new_problem(text_id("go-three-in-a-row"), Color::Black, "A2", THREE),
    new_problem(text_id("go-take-it-away"), Color::White, "A2", THREE),
    new_problem(text_id("go-bulky-five"), Color::White, "A3", FIVE),
    new_problem(text_id("go-save-the-five"), Color::Black, "A3", FIVE),
    new_problem(
        text_id("go-rabbity-six"),
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
    new_problem(text_id("go-six-in-the-corner"), Color::White, "A3", SIX_IN_THE_CORNER),
    new_problem(text_id("go-six-outside-closed"), Color::Black, "A3", SIX_IN_THE_CORNER),
    new_problem(text_id("go-a-cross-of-five"), Color::Black, "B5", CROSS),
    new_problem(text_id("go-the-cross-attacked"), Color::White, "B5", CROSS),
    new_problem(
        text_id("go-on-the-edge"),
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

    /// Plays a person's moves, each with the answer of the judge; moves are all of them so far.
    fn judge_moves(&self, moves: &[Move]) -> Result<ProblemAttempt, PageError> {
        let start = self.position()?;
        let stone = self.stone_point(start.board())?;
        ProblemAttempt::from_moves(&start, stone, moves).map_err(PageError::from)
    }

    fn task_text(&self, visitor: &Visitor) -> Result<String, PageError> {
        let stone = self.stone;
        Ok(match (self.to_move, self.is_to_live()?) {
            (Color::Black, true) => visitor.text_with("go-black-to-play-save-the-group", args![stone]),
            (Color::White, true) => visitor.text_with("go-white-to-play-save-the-group", args![stone]),
            (Color::Black, false) => visitor.text_with("go-black-to-play-take-the-group", args![stone]),
            (Color::White, false) => visitor.text_with("go-white-to-play-take-the-group", args![stone]),
        })
    }
}

fn find_problem(number: usize) -> Result<&'static GoProblem, PageError> {
    let found = number.checked_sub(1).and_then(|at| PROBLEMS.get(at));
    found.ok_or_else(|| {
        let most = PROBLEMS.len();
        PageError::not_found_with("go-there-is-no-problem-there-are", args![number, most])
    })
}

async fn list_problems(visitor: Visitor) -> PageAnswer {
    let title = visitor.text("go-problems");
    let mut pictures = DeepPictures::for_page(&visitor);
    let cards = PROBLEMS.iter().enumerate().map(|(at, problem)| -> Result<Markup, PageError> {
        let picture = BoardPicture::from_board(problem.position()?.board());
        Ok(html! {
            a.panel.problem href=(format!("/go/problems/{}", at + 1)) {
                div.board.deep { (pictures.draw(picture)) }
                strong { (at + 1) ". " (visitor.text(problem.name)) }
                span.quiet { (problem.task_text(&visitor)?) }
            }
        })
    });
    let cards = cards.collect::<Result<Vec<_>, _>>()?;
    let body = html! {
        h1 { (title) }
        p { (visitor.text("go-every-move-is-read-out-a")) }
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

async fn show_problem(Path(number): Path<usize>, visitor: Visitor) -> PageAnswer {
    let problem = find_problem(number)?;
    let attempt = problem.judge_moves(&[])?;
    let title = format!("{number}. {}", visitor.text(problem.name));
    let body = html! {
        h1 { (title) }
        p { (problem.task_text(&visitor)?) }
        div #problem data-stays { (render_attempt(problem, number, &attempt, &visitor)?) }
        p.row {
            a.button href="/go/problems" { (visitor.text("go-all-problems")) }
            @if number < PROBLEMS.len() {
                a.button href=(format!("/go/problems/{}", number + 1)) { (visitor.text("go-next-problem")) }
            }
        }
    };
    Ok(Page::new(Room::Go, &title).render_page(&visitor, body))
}

async fn play_attempt(
    desk: DeskState,
    Path(number): Path<usize>,
    visitor: Visitor,
    Form(played): Form<AttemptForm>,
) -> PageAnswer {
    let problem = find_problem(number)?;
    let size = problem.position()?.size();
    let words = played.moves.split_whitespace().chain(Some(played.at.as_str()).filter(|at| !at.is_empty()));
    let moves: Result<Vec<Move>, _> = words.map(|word| size.parse_move(word)).collect();
    let moves = moves?;
    if moves.len() > LONGEST {
        return Err(PageError::invalid_input("go-this-attempt-is-long-enough-begin"));
    }
    let attempt = desk.compute(move |_| problem.judge_moves(&moves)).await??;
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
    let words = match attempt.verdict {
        AttemptVerdict::Open => visitor.text("go-your-move"),
        AttemptVerdict::Right => visitor.text("go-right-so-far-go-on"),
        AttemptVerdict::Solved => visitor.text("go-solved-nothing-changes-it-any-more"),
        AttemptVerdict::Ko => visitor.text("go-it-comes-to-a-ko-is"),
        AttemptVerdict::Refuted => visitor.text("go-that-is-refuted-by-the-last"),
        AttemptVerdict::Unknown => visitor.text("go-that-was-not-read-to-the"),
    };
    let class = match attempt.verdict {
        AttemptVerdict::Solved | AttemptVerdict::Right => "good",
        AttemptVerdict::Refuted => "bad",
        _ => "",
    };
    let action = format!("/go/problems/{number}");
    let stone = Some(position.to_move());
    let click = BoardClick { path: &action, target: "#problem", fields: "moves", stone };
    Ok(html! {
        div.columns {
            (render_board_frame("problem-board", position.size(), Some(click), position.board(), &picture.with_depth().with_name(visitor.text("go-board")).to_svg(), visitor))
            div.panel {
                p.verdict.(class) data-heard { (words) }
                input type="hidden" name="moves" value=(moves.join(" "));
                @if !moves.is_empty() {
                    p { (visitor.text("go-moves")) (visitor.text("workbench-colon")) (moves.join(" ")) }
                    button hx-post=(action) hx-vals="{\"moves\": \"\"}" hx-target="#problem" { (visitor.text("go-begin-again")) }
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
                .map(|point| problem.judge_moves(&[point.into()]).unwrap().verdict)
                .collect();
            let is_good =
                |verdict: &&AttemptVerdict| matches!(verdict, AttemptVerdict::Right | AttemptVerdict::Solved);
            let good = verdicts.iter().filter(is_good).count();
            assert!((1..=3).contains(&good), "{}: {good} of {} moves solve it", problem.name, verdicts.len());
            assert!(verdicts.contains(&AttemptVerdict::Refuted), "{}: {verdicts:?}", problem.name);
        }
    }
}
