//! Problems of life and death, with reading as the judge: it finds the refutation of a wrong move, and plays against a right one.
//!
//! The positions are shapes that every book has; they were set up here. Nothing is stored of their solutions.

use std::sync::Arc;

use axum::Router;
use axum::extract::{Form, Path, State};
use axum::response::Response;
use axum::routing::get;
use ishi_go::picture::{Mark, Picture, Tone};
use ishi_go::{Board, Color, Diagram, Move, Point, Position, Rules};
use ishi_reading::{LifeReader, Outcome};
use maud::{Markup, PreEscaped, html};
use serde::Deserialize;

use super::view::board_frame;
use crate::workbench::Desk;
use crate::workbench::error::PageError;
use crate::workbench::page::{Page, Room, part};
use crate::workbench::visitor::Visitor;

/// Moves that are read for an answer: some tenths of a second.
const READ: u32 = 300_000;

/// Moves of an attempt: no problem here is longer.
const LONGEST: usize = 40;

/// A problem: White's or Black's stones by their diagram, who moves, and a stone of the group that it is about.
struct Problem {
    english: &'static str,
    japanese: &'static str,
    to_move: Color,
    stone: &'static str,
    diagram: &'static str,
}

const fn problem(
    english: &'static str,
    japanese: &'static str,
    to_move: Color,
    stone: &'static str,
    diagram: &'static str,
) -> Problem {
    Problem { english, japanese, to_move, stone, diagram }
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

const PROBLEMS: [Problem; 10] = [
    problem("Three in a row", "三目ナカデ", Color::Black, "A2", THREE),
    problem("Take it away", "三目ナカデ（殺す）", Color::White, "A2", THREE),
    problem("Bulky five", "五目ナカデ", Color::White, "A3", FIVE),
    problem("Save the five", "五目を活きる", Color::Black, "A3", FIVE),
    problem(
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
    problem("Six in the corner", "隅の六目", Color::White, "A3", SIX_IN_THE_CORNER),
    problem("Six, outside closed", "隅の六目（活き）", Color::Black, "A3", SIX_IN_THE_CORNER),
    problem("A cross of five", "花五", Color::Black, "B5", CROSS),
    problem("The cross attacked", "花五を殺す", Color::White, "B5", CROSS),
    problem(
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

pub(super) fn routes() -> Router<Arc<Desk>> {
    Router::new().route("/go/problems", get(list)).route("/go/problems/{number}", get(show).post(attempt))
}

impl Problem {
    fn position(&self) -> Result<Position, PageError> {
        let diagram: Diagram = self.diagram.parse().map_err(PageError::outside)?;
        diagram.position(Rules::CHINESE, self.to_move).map_err(PageError::outside)
    }

    fn stone(&self, board: &Board) -> Result<Point, PageError> {
        board.size().parse_point(self.stone).map_err(PageError::outside)
    }

    /// Is the group to be saved, or to be taken?
    fn is_to_live(&self) -> Result<bool, PageError> {
        let position = self.position()?;
        let stone = self.stone(position.board())?;
        Ok(position.board().color(stone) == Some(self.to_move))
    }

    fn task(&self, visitor: &Visitor) -> Result<String, PageError> {
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

fn find(number: usize) -> Result<&'static Problem, PageError> {
    let found = number.checked_sub(1).and_then(|at| PROBLEMS.get(at));
    found.ok_or_else(|| {
        let most = PROBLEMS.len();
        PageError::missing(
            format!("there is no problem {number}: there are 1 to {most}"),
            format!("問題 {number} はありません（1〜{most}）"),
        )
    })
}

/// How an attempt stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
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

struct Attempt {
    position: Position,
    verdict: Verdict,
}

/// Plays a person's moves, each with the answer of the judge; moves are all of them so far.
fn judge(problem: &Problem, moves: &[Move]) -> Result<Attempt, PageError> {
    let mut position = problem.position()?;
    for &mv in moves {
        position.play(position.to_move(), mv).map_err(PageError::input)?;
    }
    let mut attempt = Attempt { position, verdict: Verdict::Open };
    if !moves.is_empty() {
        attempt.answer(problem)?;
    }
    Ok(attempt)
}

impl Attempt {
    /// The other side's best answer to the last move, and what becomes of the group.
    fn answer(&mut self, problem: &Problem) -> Result<(), PageError> {
        let to_live = problem.is_to_live()?;
        let stone = problem.stone(self.position.board())?;
        let board = self.position.board();
        if board.color(stone).is_none() {
            self.verdict = if to_live { Verdict::Refuted } else { Verdict::Solved };
            return Ok(());
        }
        let mut reader = LifeReader::new(READ);
        // The judge moves now: against a group that shall live it kills, for one that shall die it lives.
        let found = if to_live { reader.die(board, stone) } else { reader.live(board, stone) };
        let Some(found) = found else {
            self.verdict = Verdict::Unknown;
            return Ok(());
        };
        self.verdict = match found.outcome {
            Outcome::Works => Verdict::Refuted,
            Outcome::KoFirst | Outcome::KoSecond => Verdict::Ko,
            Outcome::Fails => Verdict::Right,
        };
        let color = self.position.to_move();
        let reply = found.mv.or_else(|| resistance(&self.position, stone));
        match reply.filter(|&point| self.position.is_legal(color, point.into())) {
            Some(point) => {
                self.position.play(color, Move::Play(point)).map_err(PageError::input)?;
            }
            None => {
                self.position.play(color, Move::Pass).map_err(PageError::input)?;
            }
        }
        if self.verdict == Verdict::Right && self.is_settled(stone, to_live) {
            self.verdict = Verdict::Solved;
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
        let still = if to_live { reader.die(board, stone) } else { reader.live(board, stone) };
        still.is_some_and(|answer| answer.outcome == Outcome::Fails)
    }
}

/// Where a side that has lost plays on: a point of the group's inside, so that a person can show how it goes on.
fn resistance(position: &Position, stone: Point) -> Option<Point> {
    let board = position.board();
    let chain = board.chain(stone)?;
    let color = position.to_move();
    board.chain_liberties(chain).into_iter().find(|&point| board.is_sensible(color, point))
}

async fn list(visitor: Visitor) -> Result<Response, PageError> {
    let title = visitor.say("Problems", "詰碁");
    let cards = PROBLEMS.iter().enumerate().map(|(at, problem)| -> Result<Markup, PageError> {
        let picture = Picture::of(problem.position()?.board());
        Ok(html! {
            a.panel.problem href=(format!("/go/problems/{}", at + 1)) {
                (PreEscaped(picture.svg()))
                strong { (at + 1) ". " (visitor.say(problem.english, problem.japanese)) }
                span.quiet { (problem.task(&visitor)?) }
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
    Ok(Page::new(Room::Go, title).show(&visitor, body))
}

#[derive(Deserialize)]
struct Played {
    #[serde(default)]
    at: String,
    #[serde(default)]
    moves: String,
}

async fn show(Path(number): Path<usize>, visitor: Visitor) -> Result<Response, PageError> {
    let problem = find(number)?;
    let attempt = judge(problem, &[])?;
    let title = format!("{number}. {}", visitor.say(problem.english, problem.japanese));
    let body = html! {
        h1 { (title) }
        p { (problem.task(&visitor)?) "." }
        div #problem { (view(problem, number, &attempt, &visitor)?) }
        p.row {
            a.button href="/go/problems" { (visitor.say("All problems", "問題一覧")) }
            @if number < PROBLEMS.len() {
                a.button href=(format!("/go/problems/{}", number + 1)) { (visitor.say("Next problem", "次の問題")) }
            }
        }
    };
    Ok(Page::new(Room::Go, &title).show(&visitor, body))
}

async fn attempt(
    State(desk): State<Arc<Desk>>,
    Path(number): Path<usize>,
    visitor: Visitor,
    Form(played): Form<Played>,
) -> Result<Response, PageError> {
    let problem = find(number)?;
    let size = problem.position()?.size();
    let words = played.moves.split_whitespace().chain(Some(played.at.as_str()).filter(|at| !at.is_empty()));
    let moves: Result<Vec<Move>, _> = words.map(|word| size.parse_move(word)).collect();
    let moves = moves.map_err(PageError::input)?;
    if moves.len() > LONGEST {
        return Err(PageError::refused(
            "this attempt is long enough: begin again",
            "手数が多すぎます。最初からどうぞ",
        ));
    }
    let attempt = desk.compute(move |_| judge(problem, &moves)).await??;
    Ok(part(view(problem, number, &attempt, &visitor)?))
}

fn view(problem: &Problem, number: usize, attempt: &Attempt, visitor: &Visitor) -> Result<Markup, PageError> {
    let position = &attempt.position;
    let mut picture = Picture::of(position.board());
    let stone = problem.stone(position.board())?;
    if position.board().color(stone).is_some() {
        picture = picture.mark(stone, Mark::Triangle, Tone::Note);
    }
    for (at, &(_, mv)) in position.moves().iter().enumerate() {
        if let Some(point) = mv.point().filter(|&point| position.board().color(point).is_some()) {
            picture = picture.label(point, (at + 1).to_string(), None);
        }
    }
    let moves: Vec<String> = position.moves().iter().map(|(_, mv)| mv.to_string()).collect();
    let words = match attempt.verdict {
        Verdict::Open => visitor.say("Your move.", "どうぞ。"),
        Verdict::Right => visitor.say("Right so far. Go on.", "正解です。続けてください。"),
        Verdict::Solved => visitor.say("Solved: nothing changes it any more.", "正解！もう変わりません。"),
        Verdict::Ko => {
            visitor.say("It comes to a ko: is there better?", "コウになります。もっと良い手はありませんか。")
        }
        Verdict::Refuted => {
            visitor.say("That is refuted by the last move on the board.", "失敗です。最後の手が反撃です。")
        }
        Verdict::Unknown => visitor.say("That was not read to the end.", "読み切れませんでした。"),
    };
    let class = match attempt.verdict {
        Verdict::Solved | Verdict::Right => "good",
        Verdict::Refuted => "bad",
        _ => "",
    };
    let action = format!("/go/problems/{number}");
    Ok(html! {
        div.columns {
            (board_frame("problem-board", position.size(), Some((&action, "#problem", "moves")), position.board(), &picture.svg(), visitor))
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
            let verdicts: Vec<Verdict> = position
                .legal_moves(problem.to_move)
                .into_iter()
                .map(|point| judge(problem, &[point.into()]).unwrap().verdict)
                .collect();
            let is_good = |verdict: &&Verdict| matches!(verdict, Verdict::Right | Verdict::Solved);
            let good = verdicts.iter().filter(is_good).count();
            assert!(
                (1..=3).contains(&good),
                "{}: {good} of {} moves solve it",
                problem.english,
                verdicts.len()
            );
            assert!(verdicts.contains(&Verdict::Refuted), "{}: {verdicts:?}", problem.english);
        }
    }
}
