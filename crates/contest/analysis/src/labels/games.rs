//! A position of a record, with the rules and the komi that it is judged by.

use ishi_go::{Color, KoRule, Point, Position, Rules};
use ishi_patterns::records::RecordedGame;

use super::plan::Moment;

/// What records do not say, or not always.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GameTerms {
    /// The rules: the records have no column for them.
    pub rules: Rules,
    /// Points that White receives, compensation for a handicap apart.
    pub komi: f64,
}

impl GameTerms {
    /// The record's komi, or what is usual by the rules if it has none.
    #[must_use]
    pub fn from_record(record: &RecordedGame, rules: Rules) -> GameTerms {
        GameTerms { rules, komi: record.komi.unwrap_or(rules.default_komi) }
    }
}

/// The position at a moment. Black's stones at the beginning are a handicap if they are two or more, as KataGo has it.
///
/// Records are taken as they are: a move that these rules forbid was legal by those of its game.
///
/// # Panics
/// If the record has fewer moves, or was not checked when it was read.
#[must_use]
pub fn position_at(record: &RecordedGame, terms: GameTerms, moment: Moment) -> Position {
    let tolerant = Rules { ko: KoRule::Simple, suicide: true, ..terms.rules };
    let stones = record.setup.iter().map(|&point| (Color::Black, point));
    let mut position = Position::from_setup(record.size, tolerant, stones, record.first)
        .expect("set-up stones were checked when the record was read");
    position.set_komi(terms.komi).expect("komi is a number");
    position.set_handicap(if record.setup.len() >= 2 { record.setup.len() } else { 0 });
    for mv in moment.played_moves(record) {
        let color = position.to_move();
        position.play(color, mv).expect("moves were checked when the record was read");
    }
    position.set_rules(terms.rules);
    position
}

/// The points of a board as KataGo lists them and labels have them: row by row from the upper left corner.
pub(crate) fn points_by_row(size: ishi_go::BoardSize) -> impl Iterator<Item = Point> {
    let columns = size.width();
    (0..size.height()).rev().flat_map(move |row| (0..columns).map(move |column| Point::new(column, row)))
}

/// The point's place in a list of all, row by row from A1.
pub(super) fn index_of_point(point: Point, size: ishi_go::BoardSize) -> usize {
    point.row() * size.width() + point.column()
}
