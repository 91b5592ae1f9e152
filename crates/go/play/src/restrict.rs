//! Moves that a search may choose from, as GTP's analysis commands and KataGo's analysis protocol restrict them.

use ishi_go::{Color, Move, Position};

/// Moves that a side may not make, or those that it may make alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Restriction {
    /// Are the moves forbidden, or all others?
    pub avoid: bool,
    /// Whose moves.
    pub color: Color,
    /// The moves.
    pub moves: Vec<Move>,
    /// For moves less than this many plies below the root. A search here restricts its first move only.
    pub depth: u32,
}

/// The moves that restrictions leave to `color` as its first; `None`: all. Moves of `avoid` may be given in several parts.
///
/// # Errors
/// If a side has more than one list of the only moves allowed, or has it together with one of moves to avoid.
pub fn allowed_moves(
    list: &[Restriction],
    color: Color,
    position: &Position,
) -> Result<Option<Vec<Move>>, String> {
    let list: Vec<&Restriction> = list.iter().filter(|restriction| restriction.color == color).collect();
    let allows: Vec<&Restriction> = list.iter().copied().filter(|restriction| !restriction.avoid).collect();
    match allows[..] {
        [] if list.is_empty() => Ok(None),
        [] => {
            let legal = position.legal_moves(color).into_iter().map(Move::Play).chain([Move::Pass]);
            let free = |mv: &Move| !list.iter().any(|restriction| restriction.moves.contains(mv));
            Ok(Some(legal.filter(free).collect()))
        }
        [only] if list.len() == 1 => Ok(Some(only.moves.clone())),
        _ => Err("allow can be given once, and not together with avoid".into()),
    }
}
