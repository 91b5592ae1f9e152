//! Joseki as text, for people to read and edit.
//!
//! ```text
//! ishi-joseki 1
//! B D4 41235 41020 2018 normal
//!  en the star point
//!  W F3 2203 2280 2018 urgent
//!   B C6 ...
//! ```
//!
//! A line is a move: as many spaces as moves lead to it, colour, point (as if the corner were the lower left one), how often it was
//! played, its score (twice the wins of who played it), the last year, and its [`MoveKind`]. `=` at the end says that the position goes
//! on above, where another order of moves has led to it. Words of a move, `en` and `ja`, stand below it, one space further in. Lines
//! that begin with `#`, and empty ones, are remarks.

use std::str::FromStr;

use ishi_go::Color;
use ishi_words::{CodedError, CodedMessage, coded, facts};

use super::book::{Joseki, MoveKind, MoveStats, actual_move};
use super::corner::{CornerBoard, CornerMove, CornerPoint};
use crate::text_error::{TextError, no_first_line, parse_move_kind, wrong_first_line};

const MAGIC: &str = "ishi-joseki 1";

/// Writes joseki.
pub fn write_joseki(joseki: &Joseki) -> String {
    let mut text = format!("{MAGIC}\n");
    let mut written = vec![false; joseki.nodes().len()];
    write_node(joseki, &CornerBoard::default(), 0, 0, &mut written, &mut text);
    text
}

fn write_node(
    joseki: &Joseki,
    board: &CornerBoard,
    node: usize,
    depth: usize,
    written: &mut [bool],
    text: &mut String,
) {
    written[node] = true;
    for branch in &joseki.nodes()[node].branches {
        let mv = actual_move(board.corner(), branch.mv);
        let MoveStats { count, score, year } = branch.stats;
        let known = written[branch.to] && !joseki.nodes()[branch.to].branches.is_empty();
        let (indent, color, point) = (" ".repeat(depth), mv.color.letter(), mv.point);
        let goes_on = if known { " =" } else { "" };
        text.push_str(&format!("{indent}{color} {point} {count} {score} {year} {}{goes_on}\n", branch.kind));
        if let Some(words) = joseki.move_words(board.corner(), mv) {
            for (language, sentence) in [("en", &words.en), ("ja", &words.ja)] {
                if !sentence.is_empty() {
                    text.push_str(&format!("{indent} {language} {sentence}\n"));
                }
            }
        }
        if !written[branch.to] {
            let mut after = board.clone();
            assert!(after.play(mv), "a move of the graph is legal");
            write_node(joseki, &after, branch.to, depth + 1, written, text);
        }
    }
}

/// Reads joseki.
///
/// # Errors
/// The first line that is wrong.
pub fn parse_joseki(text: &str) -> Result<Joseki, TextError> {
    let mut joseki = Joseki::default();
    // The positions that lead to the line, by depth.
    let mut path = vec![CornerBoard::default()];
    // The move above, of which words are said.
    let mut above: Option<CornerMove> = None;
    let mut lines = text.lines().enumerate();
    let wrong = |line: usize, problem: CodedMessage| TextError { line: line + 1, problem };
    match lines.next() {
        Some((_, MAGIC)) => {}
        Some((n, other)) => return Err(wrong(n, wrong_first_line(other, MAGIC))),
        None => return Err(wrong(0, no_first_line(MAGIC))),
    }
    for (n, line) in lines {
        let words = line.trim_start_matches(' ');
        if words.is_empty() || words.starts_with('#') {
            continue;
        }
        let depth = line.len() - words.len();
        if depth >= path.len() {
            let problem = coded![
                "joseki-text-depth",
                "{depth} spaces, but the line above leads to {most} at most",
                depth,
                most = path.len() - 1
            ];
            return Err(wrong(n, problem));
        }
        if let Some((language @ ("en" | "ja"), sentence)) = words.split_once(' ') {
            let mv = above.filter(|_| depth > 0 && depth + 1 == path.len());
            let mv = mv.ok_or_else(|| {
                let problem = coded![
                    "joseki-text-words",
                    "{words}: words stand one space further in than their move, right below it",
                    words = format!("{words:?}")
                ];
                wrong(n, problem)
            })?;
            let corner = path[depth - 1].corner();
            let mut said = joseki.move_words(corner, mv).cloned().unwrap_or_default();
            let place = if language == "en" { &mut said.en } else { &mut said.ja };
            *place = sentence.trim().to_string();
            joseki.set_words(corner, mv, said).map_err(|error| wrong(n, CodedMessage::from_error(error)))?;
            continue;
        }
        let (mv, kind, stats) = parse_move_line(words).map_err(|problem| wrong(n, problem))?;
        path.truncate(depth + 1);
        let mut board = path[depth].clone();
        joseki.add_move(&mut board, mv, kind, stats).map_err(|error| {
            let CornerMove { color, point } = mv;
            let facts = facts!["joseki-text-move", color, point, reason = error.facts()];
            wrong(n, CodedMessage::new(format_args!("{color} {point}: {error}"), facts))
        })?;
        path.push(board);
        above = Some(mv);
    }
    Ok(joseki.sorted_copy())
}

fn parse_move_line(words: &str) -> Result<(CornerMove, MoveKind, MoveStats), CodedMessage> {
    let fields: Vec<&str> = words.split_whitespace().collect();
    let fields = fields.strip_suffix(&["="]).unwrap_or(&fields);
    let &[color, point, count, score, year, kind] = fields else {
        return Err(coded![
            "joseki-text-parts",
            "{words} has {parts} parts and must have 6: B D4 100 104 2018 normal",
            words = format!("{words:?}"),
            parts = fields.len()
        ]);
    };
    let color: Color = color.parse().map_err(|_| {
        coded!["joseki-text-color", "{text} is no colour: it must be B or W", text = format!("{color:?}")]
    })?;
    let point = CornerPoint::parse(point).ok_or_else(|| {
        coded![
            "joseki-text-point",
            "{text} is no point: it must be one from A1 to K10",
            text = format!("{point:?}")
        ]
    })?;
    let (count, score): (u32, u32) = (parse_number("count", count)?, parse_number("score", score)?);
    let most = count.saturating_mul(2);
    if score > most {
        return Err(coded![
            "joseki-score",
            "score {score}: twice the wins of {count} games are {most} at most",
            score,
            count,
            most
        ]);
    }
    let year = parse_number("year", year)?;
    Ok((CornerMove { color, point }, parse_move_kind(kind)?, MoveStats { count, score, year }))
}

fn parse_number<N: FromStr>(what: &str, text: &str) -> Result<N, CodedMessage> {
    text.parse().map_err(|_| {
        coded![
            "joseki-text-number",
            "{what} must be a whole number from 0 on that is not too large, not {text}",
            what,
            text = format!("{text:?}")
        ]
    })
}
