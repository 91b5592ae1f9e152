//! A line for every move.

use ishi_knowledge::rules::Suggestion;
use ishi_sheet::{SheetBlock, SheetTable};
use serde::Serialize;

use super::places::StudyCase;

/// A move of a record beside our suggestions.
#[derive(Serialize)]
pub(super) struct StudiedMove {
    file: String,
    /// From 1.
    game: usize,
    number: usize,
    color: String,
    #[serde(rename = "move")]
    mv: String,
    /// From 1; none if no rule suggests the move.
    pub(super) rank: Option<usize>,
    /// How many suggestions there were.
    suggestions: usize,
    /// Our first.
    first: Option<FirstSuggestion>,
    /// It is not among our candidates.
    pub(super) missing: bool,
}

#[derive(Serialize)]
struct FirstSuggestion {
    #[serde(rename = "move")]
    mv: String,
    /// The rule that counts most for it.
    rule: Option<&'static str>,
    value: f64,
}

impl StudiedMove {
    /// The first `candidates` suggestions are our candidates.
    pub(super) fn from_case(case: &StudyCase, suggestions: &[Suggestion], candidates: usize) -> StudiedMove {
        let rank = suggestions.iter().position(|suggestion| suggestion.mv == case.mv);
        let first = suggestions.first().map(|suggestion| FirstSuggestion {
            mv: suggestion.mv.to_string(),
            rule: suggestion.reasons.first().map(|reason| reason.rule.name),
            value: suggestion.value,
        });
        StudiedMove {
            file: case.file.clone(),
            game: case.game,
            number: case.number,
            color: case.position.to_move().to_string(),
            mv: case.mv.to_string(),
            rank: rank.map(|rank| rank + 1),
            suggestions: suggestions.len(),
            first,
            missing: rank.is_none_or(|rank| rank >= candidates),
        }
    }

    /// The move, and how far it is from being a candidate.
    pub(super) fn describe_lack(&self) -> String {
        let StudiedMove { game, number, color, mv, .. } = self;
        let rank = self.rank.map_or("no rule suggests it".to_string(), |rank| format!("our number {rank}"));
        format!("game {game}, move {number}: {color} {mv} ({rank})")
    }
}

/// The moves as tables, one for each game.
pub(super) fn move_blocks(moves: &[StudiedMove]) -> Vec<SheetBlock> {
    let games = moves.chunk_by(|a, b| a.game == b.game);
    games.flat_map(|of_game| [game_heading(&of_game[0]), SheetBlock::Table(move_table(of_game))]).collect()
}

fn game_heading(studied: &StudiedMove) -> SheetBlock {
    SheetBlock::Text(format!("game {}, {}", studied.game, studied.file))
}

fn move_table(moves: &[StudiedMove]) -> SheetTable {
    let mut table = SheetTable::new(["#move", "played", "#rank", "of", "ishi's first, its rule", ""])
        .with_text_widths(&[5, 11, 6, 4, 32])
        .with_text_gaps(&[2, 1, 2, 1, 1]);
    for studied in moves {
        let StudiedMove { number, color, mv, rank, suggestions, first, missing, .. } = studied;
        let first = first.as_ref().map_or("none".to_string(), |first| {
            format!("{:<4} {}", first.mv, first.rule.unwrap_or("by strength alone"))
        });
        table.add_row([
            number.to_string(),
            format!("{color:<5} {mv}"),
            rank.map_or("-".to_string(), |rank| rank.to_string()),
            suggestions.to_string(),
            first,
            if *missing { "missing" } else { "" }.to_string(),
        ]);
    }
    table
}
