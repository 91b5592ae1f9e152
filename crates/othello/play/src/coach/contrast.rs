//! What a fault costs by search: the other moves that have it, too.
//!
//! Where another move has the same fault and loses little, the fault is not what makes a move lose. So none costs more than the best of the
//! other moves that have it loses. Where all other moves fail to do what the best one does, that is just what it is worth.

use ishi_othello::{Board, Square};

use super::areas::BoardArea;
use super::causes::{
    ComparedLines, MistakeCause, PricedCause, count_turned_by_answer, count_wall, find_region_of, margin_of,
    passes_soon,
};
use super::facts::MoveFacts;
use super::line::{BoardStanding, FollowedLine, find_touched_corner, is_diagonal};
use super::reasons::{find_faults, find_merits};
use super::shapes::{count_moves_in, find_unbalanced_edges};
use crate::search::FoundMove;

/// The moves of a position but the one that was played, with what they lose by one search.
#[derive(Debug)]
pub(super) struct OtherMoves {
    moves: Vec<OtherMove>,
}

#[derive(Debug)]
struct OtherMove {
    /// What is expected; the move first.
    line: FollowedLine,
    /// In discs.
    loss: i32,
}

impl OtherMoves {
    /// Of all moves of a position that were searched alike.
    pub(super) fn new(lines: &ComparedLines, all: &[FoundMove]) -> OtherMoves {
        let played = lines.played.plies.first().map(|ply| ply.square);
        let best = all.iter().map(|found| found.score).max().unwrap_or(0);
        let moves = all.iter().filter(|found| found.mv.square() != played).map(|found| OtherMove {
            line: FollowedLine::new(lines.board, &found.variation),
            loss: best - found.score,
        });
        OtherMoves { moves: moves.collect() }
    }

    /// A cause costs no more than the best of the other moves that have the same fault loses.
    pub(super) fn limit_price(&self, lines: &ComparedLines, priced: &mut PricedCause) {
        let alike = self.moves.iter().filter(|other| has_fault(priced, lines, &other.line));
        if let Some(least) = alike.map(|other| other.loss).min() {
            priced.cost = priced.cost.min(f64::from(least));
        }
    }

    /// What any of them loses at least, but for the one to this square, in discs; `None` if there is no other.
    pub(super) fn least_loss_beside(&self, square: Square) -> Option<i32> {
        let goes_there = |other: &&OtherMove| other.line.plies.first().is_none_or(|ply| ply.square == square);
        self.moves.iter().filter(|other| !goes_there(other)).map(|other| other.loss).min()
    }
}

/// Has another move this fault, too, and no less of it? `line` is what follows that move. Corners, edges that are opened, stable discs and
/// parts of the board have prices of their own, by what stands there.
fn has_fault(priced: &PricedCause, lines: &ComparedLines, line: &FollowedLine) -> bool {
    let (board, Some(first)) = (lines.board, line.plies.first().map(|ply| ply.square)) else { return false };
    // A line that ends before does not show it.
    let reaches = line.plies.len() >= priced.plies || line.end.is_over();
    let at_end = |line: &FollowedLine| line.first_plies(board, priced.plies).end;
    let standing = |line: &FollowedLine| BoardStanding::of_board(at_end(line));
    match priced.cause {
        MistakeCause::PoisonsSquare { corner, diagonal } => touches_corner(board, first, corner, diagonal),
        MistakeCause::BreaksQuiet { openness, gives, .. } => {
            let facts = MoveFacts::from_move(board, first);
            let played = lines.played.plies.first().map(|ply| MoveFacts::from_move(board, ply.square));
            let costs_as_much = |played: MoveFacts| match gives {
                true => facts.replies >= played.replies,
                false => facts.own_moves <= played.own_moves,
            };
            facts.openness >= openness && played.is_some_and(costs_as_much)
        }
        MistakeCause::GivesMobility { moves, .. } => {
            reaches && margin_of(standing(line).moves) <= margin_of(moves)
        }
        MistakeCause::LosesTempo { safe, .. } => {
            reaches && margin_of(standing(line).safe_moves) <= margin_of(safe)
        }
        MistakeCause::BuildsWall { discs, .. } => reaches && count_wall(at_end(line)) >= discs,
        MistakeCause::TurnsBack { discs, .. } => count_turned_by_answer(line) >= Some(discs),
        MistakeCause::LeavesSquare { square } | MistakeCause::AllowsAnswer { square, .. } => {
            line.plies.get(1).is_some_and(|ply| !ply.own && ply.square == square)
        }
        MistakeCause::MustPass => passes_soon(line, board).0,
        MistakeCause::SparesPass => !passes_soon(line, board).1,
        MistakeCause::GivesLastMove { region, .. } => find_region_of(board, region)
            .is_some_and(|region| line.is_last_of_region_own(region.squares) == Some(false)),
        MistakeCause::EntersEven { .. } => {
            find_region_of(board, first).is_some_and(|region| !region.is_odd())
        }
        MistakeCause::LosesAccess { quarter, moves, .. } => {
            let squares = BoardArea::Quarter(quarter).squares();
            let there = count_moves_in(at_end(line), squares);
            reaches && there.0 <= moves.0 && margin_of(there) <= margin_of(moves)
        }
        MistakeCause::UnbalancesEdge { edge } => {
            find_unbalanced_edges(line.first_plies(board, 1).end).contains(&edge)
        }
        // Another move without it may stand for the best one as well.
        MistakeCause::MissesMerit { merit } => lines.played.plies.first().is_some_and(|played| {
            !find_merits(board, first, played.square).iter().any(|other| other.is_like(merit))
        }),
        MistakeCause::HasFault { fault } => lines.better.plies.first().is_some_and(|best| {
            find_faults(board, first, best.square).iter().any(|other| other.is_no_less_than(fault))
        }),
        _ => false,
    }
}

/// Touches a square this empty corner, diagonally or along the edge?
fn touches_corner(board: Board, square: Square, corner: Square, diagonal: bool) -> bool {
    find_touched_corner(board, square) == Some(corner) && is_diagonal(corner, square) == diagonal
}
