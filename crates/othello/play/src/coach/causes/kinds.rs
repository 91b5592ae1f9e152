//! What is behind a loss, and what one may learn from it.

use ishi_othello::Square;

use crate::coach::areas::BoardArea;
use crate::coach::reasons::CoachReason;

/// What is behind a loss. Where two cost alike, the earlier is told. `better` has the figure on the line of the best move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum MistakeCause {
    /// The opponent gets a corner.
    OpensCorner {
        /// Which.
        corner: Square,
        /// After how many moves of the line, the mistake not counted.
        after: usize,
        /// The disc without which the corner could not be taken, if there is one alone (Japanese 種石).
        seed: Option<Square>,
    },
    /// The best move takes a corner, or leads to it.
    MissesCorner {
        /// Which.
        corner: Square,
    },
    /// The opponent answers on the square of the best move, which is worth much to both.
    LeavesSquare {
        /// Which.
        square: Square,
    },
    /// The one who erred must pass.
    MustPass,
    /// The best move makes the opponent pass.
    SparesPass,
    /// The opponent gets the last move of a region of empty squares.
    GivesLastMove {
        /// A square of the region.
        region: Square,
        /// How many squares it has.
        size: u32,
        /// Are these all empty squares?
        whole: bool,
    },
    /// The move enters a region with an even number of empty squares, and leaves one with an odd number to the opponent.
    EntersEven {
        /// How many squares the region has.
        size: u32,
        /// A square of the odd region, that of the best move.
        odd: Square,
        /// And how many it has.
        odd_size: u32,
    },
    /// The opponent gets discs at an edge that nobody can turn.
    OpensEdge {
        /// Which edge.
        edge: BoardEdge,
        /// How many discs of the edge more than on the other line.
        discs: u32,
    },
    /// Of the discs that nobody can turn, the opponent gets more than the one who erred, against the other line.
    GivesStable {
        /// How many.
        discs: u32,
    },
    /// Fewer safe moves are left than the opponent has.
    LosesTempo {
        /// Own safe moves, and the opponent's.
        safe: (u32, u32),
        /// The same on the better line.
        better: (u32, u32),
    },
    /// The opponent has more moves, or the one who erred fewer.
    GivesMobility {
        /// Own moves, and the opponent's.
        moves: (u32, u32),
        /// The same on the better line.
        better: (u32, u32),
    },
    /// The one who erred is left with many discs beside empty squares (Japanese 壁).
    BuildsWall {
        /// How many.
        discs: u32,
        /// And after the best move.
        better: u32,
    },
    /// The move turns discs at the rim where a quieter one was better.
    BreaksQuiet {
        /// Empty squares beside the discs turned (Japanese 開放度).
        openness: u32,
        /// And with the best move.
        better: u32,
        /// Does the best move join own discs (Japanese 引っ張り)?
        pull: bool,
        /// Has the opponent more moves after it? If not, the one who erred has fewer.
        gives: bool,
    },
    /// The square touches an empty corner.
    PoisonsSquare {
        /// Which corner.
        corner: Square,
        /// Diagonally (an X-square) or along the edge (a C-square)?
        diagonal: bool,
    },
    /// The answer turns many discs for good.
    TurnsBack {
        /// How many discs.
        discs: u32,
        /// And after the best move.
        better: u32,
    },
    /// The opponent has one answer that is better than its others, and that the best move would have spared the one who erred.
    AllowsAnswer {
        /// Where.
        square: Square,
        /// By how many discs it is better than the next best answer.
        discs: u32,
        /// What it would lose after the best move, against another answer there, in discs; `None` if it would not be legal.
        after_best: Option<u32>,
        /// What speaks for it and not for the next best answer.
        merit: Option<CoachReason>,
    },
    /// The one who erred is left with five discs at an edge, of which one touches an empty corner and none the other (Japanese ウイング).
    UnbalancesEdge {
        /// Which edge.
        edge: BoardEdge,
    },
    /// In a quarter of the board the one who erred has fewer moves against the opponent's than after the best move: that side has lost access.
    LosesAccess {
        /// The corner of the quarter.
        quarter: Square,
        /// Own moves there, and the opponent's.
        moves: (u32, u32),
        /// The same on the better line.
        better: (u32, u32),
    },
    /// The best move has something for itself that the move played has not, nor any other move that loses little.
    MissesMerit {
        /// What.
        merit: CoachReason,
    },
    /// The move has something against itself that the best move has not, nor any other move that loses little.
    HasFault {
        /// What.
        fault: CoachReason,
    },
    /// By the evaluation, this part of the board is worth less at the end of the line.
    WeakensArea {
        /// Which part.
        area: BoardArea,
        /// By how many discs.
        discs: u32,
    },
    /// At the end of the game the opponent has more discs in this part of the board.
    LosesArea {
        /// Which part.
        area: BoardArea,
        /// How many discs more than after the best move.
        discs: u32,
    },
    /// Nothing of all that: what the line brings, in discs for the one who erred.
    Refuted {
        /// After the move played.
        value: i32,
        /// After the best move.
        better: i32,
    },
}

/// The four edges.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum BoardEdge {
    /// Row 1.
    Top,
    /// Row 8.
    Bottom,
    /// Column a.
    Left,
    /// Column h.
    Right,
}

impl MistakeCause {
    /// Does it say where something is lost, or that it is, but not by what? Then facts of the board say more beside it.
    pub fn says_only_where(self) -> bool {
        matches!(self, MistakeCause::WeakensArea { .. } | MistakeCause::Refuted { .. })
    }

    /// What one may learn from it.
    pub fn kind(self) -> LessonKind {
        match self {
            MistakeCause::OpensCorner { .. } | MistakeCause::MissesCorner { .. } => LessonKind::Corners,
            MistakeCause::AllowsAnswer { merit: Some(CoachReason::Wedges { .. }), .. } => {
                LessonKind::StableDiscs
            }
            MistakeCause::LeavesSquare { .. } | MistakeCause::AllowsAnswer { .. } => LessonKind::KeySquares,
            MistakeCause::PoisonsSquare { .. } => LessonKind::DangerousSquares,
            MistakeCause::MustPass | MistakeCause::SparesPass => LessonKind::Passes,
            MistakeCause::GivesLastMove { .. } | MistakeCause::EntersEven { .. } => LessonKind::Parity,
            MistakeCause::OpensEdge { .. } | MistakeCause::GivesStable { .. } => LessonKind::StableDiscs,
            MistakeCause::LosesTempo { .. } => LessonKind::Tempo,
            MistakeCause::GivesMobility { .. } | MistakeCause::BuildsWall { .. } => LessonKind::Mobility,
            MistakeCause::BreaksQuiet { .. } => LessonKind::QuietMoves,
            MistakeCause::UnbalancesEdge { .. } => LessonKind::StableDiscs,
            MistakeCause::LosesAccess { .. } => LessonKind::Mobility,
            MistakeCause::MissesMerit { merit: fact } | MistakeCause::HasFault { fault: fact } => {
                lesson_of_fact(fact)
            }
            MistakeCause::WeakensArea { area, .. } => match area {
                BoardArea::Edge(_) => LessonKind::StableDiscs,
                BoardArea::Corner(_) => LessonKind::Corners,
                BoardArea::Quarter(_) | BoardArea::Middle => LessonKind::Mobility,
            },
            MistakeCause::TurnsBack { .. }
            | MistakeCause::LosesArea { .. }
            | MistakeCause::Refuted { .. } => LessonKind::Counting,
        }
    }
}

/// What one may learn from what sets a move apart.
fn lesson_of_fact(fact: CoachReason) -> LessonKind {
    match fact {
        CoachReason::TakesCorner { .. } | CoachReason::GivesCorner { .. } => LessonKind::Corners,
        CoachReason::XSquare { .. } | CoachReason::CSquare { .. } => LessonKind::DangerousSquares,
        CoachReason::ForcesPass => LessonKind::Passes,
        CoachReason::Wedges { .. } | CoachReason::AllowsWedge { .. } | CoachReason::GainsStable { .. } => {
            LessonKind::StableDiscs
        }
        CoachReason::KeepsParity { .. } | CoachReason::LosesParity { .. } => LessonKind::Parity,
        CoachReason::Quiet | CoachReason::Pulls { .. } | CoachReason::Opens { .. } => LessonKind::QuietMoves,
        CoachReason::FewReplies { .. }
        | CoachReason::ManyReplies { .. }
        | CoachReason::FewOwnMoves { .. }
        | CoachReason::LongFrontier { .. }
        | CoachReason::Greedy { .. } => LessonKind::Mobility,
        CoachReason::WipesOut => LessonKind::Counting,
    }
}

/// What one may learn from mistakes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LessonKind {
    /// Corners given away or missed.
    Corners,
    /// X-squares and C-squares.
    DangerousSquares,
    /// Passes.
    Passes,
    /// The last move of a region.
    Parity,
    /// Edges, and discs that nobody can turn.
    StableDiscs,
    /// Safe moves.
    Tempo,
    /// Moves that each side has.
    Mobility,
    /// Moves that open nothing.
    QuietMoves,
    /// Squares that are worth much to both sides.
    KeySquares,
    /// Reading a line to its end.
    Counting,
}

impl LessonKind {
    /// All of them.
    pub const ALL: [LessonKind; 10] = [
        LessonKind::Corners,
        LessonKind::DangerousSquares,
        LessonKind::Passes,
        LessonKind::Parity,
        LessonKind::StableDiscs,
        LessonKind::Tempo,
        LessonKind::Mobility,
        LessonKind::QuietMoves,
        LessonKind::KeySquares,
        LessonKind::Counting,
    ];

    /// Its name in what is kept.
    pub fn name(self) -> &'static str {
        match self {
            LessonKind::Corners => "corners",
            LessonKind::DangerousSquares => "dangerous-squares",
            LessonKind::Passes => "passes",
            LessonKind::Parity => "parity",
            LessonKind::StableDiscs => "stable-discs",
            LessonKind::Tempo => "tempo",
            LessonKind::Mobility => "mobility",
            LessonKind::QuietMoves => "quiet-moves",
            LessonKind::KeySquares => "key-squares",
            LessonKind::Counting => "counting",
        }
    }

    /// The kind of this name, if there is one.
    pub fn from_name(name: &str) -> Option<LessonKind> {
        LessonKind::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

impl BoardEdge {
    /// All four.
    pub const ALL: [BoardEdge; 4] = [BoardEdge::Top, BoardEdge::Bottom, BoardEdge::Left, BoardEdge::Right];

    /// Its eight squares, as a bitboard.
    pub fn squares(self) -> u64 {
        match self {
            BoardEdge::Top => 0xff,
            BoardEdge::Bottom => 0xff << 56,
            BoardEdge::Left => 0x0101_0101_0101_0101,
            BoardEdge::Right => 0x8080_8080_8080_8080,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_of_lessons_have_names_of_their_own() {
        for (place, kind) in LessonKind::ALL.into_iter().enumerate() {
            assert_eq!(LessonKind::from_name(kind.name()), Some(kind));
            assert_eq!(kind as usize, place, "all of them, in their order");
        }
        assert_eq!(LessonKind::from_name("Corners"), None);
    }
}
