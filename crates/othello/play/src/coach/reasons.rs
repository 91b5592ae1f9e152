//! Why a move is good or bad, from the facts of the board.
//!
//! A reason is a fact that stands out against the other moves: against their mean ([`find_reasons`]), or against one move
//! that is better or worse ([`find_faults`], [`find_merits`]). Reasons explain, they do not decide: what a move is worth, the
//! search says.

use ishi_othello::{Board, CORNERS, Square, iter_squares};

use super::facts::MoveFacts;

/// Empty squares from which on parity counts.
const PARITY_FROM: u32 = 20;
/// Empty squares down to which mobility, openness and frontier count: near the end only the count does.
const MOBILITY_UNTIL: u32 = 12;
/// Empty squares down to which it is a fault to turn many discs.
const GREED_UNTIL: u32 = 24;

/// A reason for or against a move; the most important kind first. `usual` is the figure of the moves that it is
/// compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum CoachReason {
    /// For: turns the opponent's last discs.
    WipesOut,
    /// For: takes a corner.
    TakesCorner {
        /// Which.
        corner: Square,
    },
    /// Against: the opponent may take a corner now, and could not before.
    GivesCorner {
        /// Which.
        corner: Square,
    },
    /// For: the opponent has no move.
    ForcesPass,
    /// For: the disc stands on an edge between two of the opponent's and cannot be turned along it.
    Wedges {
        /// Where.
        square: Square,
    },
    /// Against: the opponent may put a disc between two own ones on an edge.
    AllowsWedge {
        /// Where.
        square: Square,
    },
    /// Against: the square touches an empty corner diagonally.
    XSquare {
        /// Which corner.
        corner: Square,
    },
    /// Against: the square touches an empty corner along the edge.
    CSquare {
        /// Which corner.
        corner: Square,
    },
    /// For: discs that nobody can turn again.
    GainsStable {
        /// How many more than before, the opponent's gain taken away.
        discs: u32,
    },
    /// For: leaves the opponent few moves.
    FewReplies {
        /// How many.
        replies: u32,
        /// And after the other moves.
        usual: u32,
    },
    /// Against: leaves the opponent many moves.
    ManyReplies {
        /// How many.
        replies: u32,
        /// And after the other moves.
        usual: u32,
    },
    /// Against: leaves itself few moves.
    FewOwnMoves {
        /// How many, were it to move again.
        moves: u32,
        /// And after the other moves.
        usual: u32,
    },
    /// For: turns only discs inside, so that it opens nothing to the opponent.
    Quiet,
    /// For: joins own discs, and opens little.
    Pulls {
        /// Empty squares beside the discs turned.
        openness: u32,
    },
    /// Against: turns discs at the rim of the position, beside many empty squares.
    Opens {
        /// Empty squares beside the discs turned.
        openness: u32,
        /// And with the other moves.
        usual: u32,
    },
    /// Against: leaves many own discs beside empty squares.
    LongFrontier {
        /// How many.
        discs: u32,
        /// And after the other moves.
        usual: u32,
    },
    /// Against: turns many discs early in the game.
    Greedy {
        /// How many.
        turned: u32,
    },
    /// For: plays into a region with an odd number of empty squares, of which it may get the last.
    KeepsParity {
        /// The size of the region.
        size: u32,
    },
    /// Against: plays into a region with an even number of empty squares though there is an odd one.
    LosesParity {
        /// The size of the region.
        size: u32,
    },
}

impl CoachReason {
    /// Does it speak for the move?
    pub fn is_merit(self) -> bool {
        matches!(
            self,
            CoachReason::WipesOut
                | CoachReason::TakesCorner { .. }
                | CoachReason::ForcesPass
                | CoachReason::Wedges { .. }
                | CoachReason::GainsStable { .. }
                | CoachReason::FewReplies { .. }
                | CoachReason::Quiet
                | CoachReason::Pulls { .. }
                | CoachReason::KeepsParity { .. }
        )
    }

    /// Does it say what sets a move apart, whatever it costs? A square beside a corner is no fault by itself: where the corner costs something,
    /// it is the main reason.
    pub(super) fn is_fact(self) -> bool {
        !matches!(self, CoachReason::XSquare { .. } | CoachReason::CSquare { .. })
    }

    /// The same kind of reason, whatever its figures.
    pub(super) fn is_like(self, other: CoachReason) -> bool {
        std::mem::discriminant(&self) == std::mem::discriminant(&other)
    }

    /// The same fault, and no less of it: as many replies, as few own moves, the same square to wedge in.
    pub(super) fn is_no_less_than(self, other: CoachReason) -> bool {
        let is_enough = match (self, other) {
            (CoachReason::ManyReplies { replies, .. }, CoachReason::ManyReplies { replies: least, .. }) => {
                replies >= least
            }
            (CoachReason::FewOwnMoves { moves, .. }, CoachReason::FewOwnMoves { moves: most, .. }) => {
                moves <= most
            }
            (CoachReason::Opens { openness, .. }, CoachReason::Opens { openness: least, .. }) => {
                openness >= least
            }
            (CoachReason::LongFrontier { discs, .. }, CoachReason::LongFrontier { discs: least, .. }) => {
                discs >= least
            }
            (CoachReason::Greedy { turned }, CoachReason::Greedy { turned: least }) => turned >= least,
            (CoachReason::AllowsWedge { square }, CoachReason::AllowsWedge { square: same }) => {
                square == same
            }
            _ => true,
        };
        is_enough && self.is_like(other)
    }
}

/// Why this legal move is better or worse than the others on the whole; the weightiest reasons first.
///
/// ```
/// use ishi_othello_play::coach::{CoachReason, find_reasons};
/// use ishi_othello::Board;
/// // Black has c3, White has b2 and d4: Black takes the corner.
/// let board = Board { player: 1 << 18, opponent: 1 << 9 | 1 << 27 };
/// let corner = "a1".parse().unwrap();
/// assert_eq!(find_reasons(board, corner)[0], CoachReason::TakesCorner { corner });
/// ```
pub fn find_reasons(board: Board, square: Square) -> Vec<CoachReason> {
    let others: Vec<MoveFacts> =
        iter_squares(board.legal_moves() & !square.bit()).map(|at| MoveFacts::from_move(board, at)).collect();
    let facts = MoveFacts::from_move(board, square);
    let usual =
        if others.is_empty() { UsualFigures::from_facts(&facts) } else { UsualFigures::mean_of(&others) };
    compare_facts(board, &facts, &usual)
}

/// What speaks against a move and not as well against a better one.
pub fn find_faults(board: Board, played: Square, better: Square) -> Vec<CoachReason> {
    distinguishing_reasons(board, played, better).into_iter().filter(|reason| !reason.is_merit()).collect()
}

/// What speaks for a move and not as well for a worse one.
pub fn find_merits(board: Board, good: Square, worse: Square) -> Vec<CoachReason> {
    distinguishing_reasons(board, good, worse).into_iter().filter(|reason| reason.is_merit()).collect()
}

/// Reasons of the first move that the second does not share.
fn distinguishing_reasons(board: Board, square: Square, other: Square) -> Vec<CoachReason> {
    let (facts, others) = (MoveFacts::from_move(board, square), MoveFacts::from_move(board, other));
    let shared = compare_facts(board, &others, &UsualFigures::from_facts(&facts));
    let own = compare_facts(board, &facts, &UsualFigures::from_facts(&others));
    own.into_iter().filter(|&reason| !shared.iter().any(|&shared| shared.is_like(reason))).collect()
}

/// Figures that a move's are compared with.
struct UsualFigures {
    replies: f64,
    own_moves: f64,
    openness: f64,
    frontier: f64,
    turned: f64,
}

impl UsualFigures {
    fn from_facts(facts: &MoveFacts) -> UsualFigures {
        UsualFigures::mean_of(std::slice::from_ref(facts))
    }

    fn mean_of(facts: &[MoveFacts]) -> UsualFigures {
        let mean = |figure: fn(&MoveFacts) -> u32| {
            facts.iter().map(|facts| f64::from(figure(facts))).sum::<f64>() / facts.len().max(1) as f64
        };
        UsualFigures {
            replies: mean(|facts| facts.replies),
            own_moves: mean(|facts| facts.own_moves),
            openness: mean(|facts| facts.openness),
            frontier: mean(|facts| facts.frontier),
            turned: mean(|facts| facts.turned),
        }
    }
}

/// The reasons that a move has against these figures, the weightiest first.
fn compare_facts(board: Board, facts: &MoveFacts, usual: &UsualFigures) -> Vec<CoachReason> {
    let mut reasons = tactical_reasons(board, facts);
    reasons.extend(corner_and_edge_reasons(facts));
    if board.empty_count() > MOBILITY_UNTIL {
        reasons.extend(mobility_reasons(facts, usual));
    }
    reasons.extend(greed_reason(board, facts, usual));
    reasons.extend(parity_reason(board, facts));
    reasons.sort();
    reasons
}

fn tactical_reasons(board: Board, facts: &MoveFacts) -> Vec<CoachReason> {
    let after = board.play_unchecked(facts.square);
    match (after.player, facts.replies) {
        (0, _) => vec![CoachReason::WipesOut],
        (_, 0) if !after.is_over() => vec![CoachReason::ForcesPass],
        _ => Vec::new(),
    }
}

fn corner_and_edge_reasons(facts: &MoveFacts) -> Vec<CoachReason> {
    let square = facts.square;
    let takes_corner = CORNERS & square.bit() != 0;
    let mut reasons: Vec<CoachReason> =
        iter_squares(facts.corners_given).map(|corner| CoachReason::GivesCorner { corner }).collect();
    if takes_corner {
        reasons.push(CoachReason::TakesCorner { corner: square });
    }
    if facts.wedge {
        reasons.push(CoachReason::Wedges { square });
    }
    reasons.extend(iter_squares(facts.wedges_given).map(|square| CoachReason::AllowsWedge { square }));
    // A corner that is given away at once says more than the square beside it.
    let threatened = |corner: &Square| facts.corners_given & corner.bit() == 0;
    reasons.extend(facts.x_square_of.filter(threatened).map(|corner| CoachReason::XSquare { corner }));
    reasons.extend(facts.c_square_of.filter(threatened).map(|corner| CoachReason::CSquare { corner }));
    // The corner itself is always stable: that is said already.
    let discs = facts.stable_gain - i32::from(takes_corner);
    if discs >= 2 {
        reasons.push(CoachReason::GainsStable { discs: discs as u32 });
    }
    reasons
}

fn mobility_reasons(facts: &MoveFacts, usual: &UsualFigures) -> Vec<CoachReason> {
    let (replies, moves, openness, discs) = (facts.replies, facts.own_moves, facts.openness, facts.frontier);
    let mut reasons = Vec::new();
    if replies > 0 && is_far_below(replies, usual.replies) {
        reasons.push(CoachReason::FewReplies { replies, usual: round_figure(usual.replies) });
    }
    if is_far_above(replies, usual.replies) {
        reasons.push(CoachReason::ManyReplies { replies, usual: round_figure(usual.replies) });
    }
    if is_far_below(moves, usual.own_moves) {
        reasons.push(CoachReason::FewOwnMoves { moves, usual: round_figure(usual.own_moves) });
    }
    if openness == 0 {
        reasons.push(CoachReason::Quiet);
    }
    if facts.pulls {
        reasons.push(CoachReason::Pulls { openness });
    }
    if is_far_above(openness, usual.openness) {
        reasons.push(CoachReason::Opens { openness, usual: round_figure(usual.openness) });
    }
    if is_far_above(discs, usual.frontier) {
        reasons.push(CoachReason::LongFrontier { discs, usual: round_figure(usual.frontier) });
    }
    reasons
}

/// At least 2 and at least a third below.
fn is_far_below(figure: u32, usual: f64) -> bool {
    let figure = f64::from(figure);
    usual - figure >= 2.0 && figure <= usual * 2.0 / 3.0
}

/// At least 3 and at least a third above.
fn is_far_above(figure: u32, usual: f64) -> bool {
    let figure = f64::from(figure);
    figure - usual >= 3.0 && figure >= usual * 4.0 / 3.0
}

fn round_figure(figure: f64) -> u32 {
    figure.round() as u32
}

fn greed_reason(board: Board, facts: &MoveFacts, usual: &UsualFigures) -> Option<CoachReason> {
    let many = facts.turned >= 5 && f64::from(facts.turned) >= 2.0 * usual.turned;
    (board.empty_count() > GREED_UNTIL && many).then_some(CoachReason::Greedy { turned: facts.turned })
}

fn parity_reason(board: Board, facts: &MoveFacts) -> Option<CoachReason> {
    let size = facts.region.size();
    // With one region alone the parity of all empty squares is decided by passes only.
    if board.empty_count() > PARITY_FROM || size == board.empty_count() {
        return None;
    }
    match facts.region.is_odd() {
        true => Some(CoachReason::KeepsParity { size }),
        false if facts.odd_regions > 0 => Some(CoachReason::LosesParity { size }),
        false => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coach::testing::{board, square};
    use proptest::prelude::*;

    /// Figures and squares count, what they are compared with does not.
    #[test]
    fn the_same_fault_may_be_a_lesser_one() {
        let many = |replies| CoachReason::ManyReplies { replies, usual: 20 - replies };
        let few = |moves| CoachReason::FewOwnMoves { moves, usual: moves + 3 };
        let opens = |openness| CoachReason::Opens { openness, usual: 20 - openness };
        let frontier = |discs| CoachReason::LongFrontier { discs, usual: 20 - discs };
        let greedy = |turned| CoachReason::Greedy { turned };
        let wedge = |name: &str| CoachReason::AllowsWedge { square: square(name) };
        let parity = |size| CoachReason::LosesParity { size };
        for (worse, lesser) in [
            (many(14), many(9)),
            (few(1), few(2)),
            (opens(8), opens(7)),
            (frontier(12), frontier(11)),
            (greedy(8), greedy(7)),
        ] {
            assert!(worse.is_no_less_than(lesser) && worse.is_no_less_than(worse), "{worse:?}");
            assert!(!lesser.is_no_less_than(worse), "{lesser:?}");
        }
        assert!(wedge("c1").is_no_less_than(wedge("c1")) && !wedge("h4").is_no_less_than(wedge("c1")));
        assert!(parity(2).is_no_less_than(parity(4)));
        assert!(!many(14).is_no_less_than(opens(8)), "another fault");
    }

    /// Has the move this reason among its reasons?
    fn check(rows: &str, mv: &str, expected: CoachReason) {
        let board = board(rows);
        assert!(board.is_legal(square(mv)), "{mv} is legal in {rows}");
        let found = find_reasons(board, square(mv));
        assert!(found.contains(&expected), "{mv}: {found:?}");
    }

    #[test]
    fn corners() {
        let rows = "-------- -OX----- -------- ---XO--- ---OX--- -------- -------- --------";
        assert!(!find_reasons(board(rows), square("a2")).is_empty());
        let rows = "-------- -O------ --X----- ---XO--- ---OX--- -------- -------- --------";
        check(rows, "a1", CoachReason::TakesCorner { corner: square("a1") });
        let rows = "-------- -------- --O----- ---X---- ----O--- -------- -------- --------";
        check(rows, "b2", CoachReason::GivesCorner { corner: square("a1") });
    }

    #[test]
    fn squares_beside_corners() {
        let rows = "-------- -------- --O----- ---XO--- ---OX--- ----O--- -------- --------";
        check(rows, "b2", CoachReason::XSquare { corner: square("a1") });
        let rows = "--OX---- -------- -------- ---XO--- ---OX--- -------- -------- --------";
        check(rows, "b1", CoachReason::CSquare { corner: square("a1") });
    }

    #[test]
    fn wedges() {
        let rows = "--O-O--- ---O---- ---X---- -------- -------- -------- -------- --------";
        check(rows, "d1", CoachReason::Wedges { square: square("d1") });
        // Both discs beside it are turned: nothing protects it along the edge.
        let rows = "-XO-OX-- ---X---- -------- -------- -------- -------- -------- --------";
        let found = find_reasons(board(rows), square("d1"));
        assert!(!found.contains(&CoachReason::Wedges { square: square("d1") }), "{found:?}");
        let rows = "-------- -------- -OX----- -XO----- X------- -------- -------- --------";
        check(rows, "a3", CoachReason::AllowsWedge { square: square("a4") });
    }

    #[test]
    fn passes_and_wipe_outs() {
        let rows = "-------- -------- -------- ---XO--- -------- -------- -------- --------";
        check(rows, "f4", CoachReason::WipesOut);
        // White keeps h8 but has nowhere to go.
        let rows = "-OX----- -------- -------- -------- -------- -------- ------X- -------O";
        check(rows, "a1", CoachReason::TakesCorner { corner: square("a1") });
    }

    #[test]
    fn mobility_and_openness() {
        // A disc inside: White's e5 is surrounded.
        let rows = "-------- --XXXX-- --XXXXX- --XXXXX- --XXOXX- --XX-X-- -------- --------";
        let found = find_reasons(board(rows), square("e6"));
        assert!(found.contains(&CoachReason::Quiet), "{found:?}");
        // The opening Rose, before d7.
        check(
            "-------- -------- ---OO--- ---OOX-- --OXOX-- --XXOX-- -------- --------",
            "d7",
            CoachReason::Pulls { openness: 2 },
        );
    }

    #[test]
    fn parity_of_regions() {
        let rows = "-OXXXXXX XXXXXXXX XXXXXXXX XXXXXXXX XXXXXXXX XXXXXXXX XXXXXOOX XXXXXX--";
        check(rows, "a1", CoachReason::KeepsParity { size: 1 });
        check(rows, "h8", CoachReason::LosesParity { size: 2 });
    }

    /// Compared with the corner, the X-square beside it gives the corner away.
    #[test]
    fn faults_are_seen_beside_a_better_move() {
        let board = board("------X- -----O-- --O-O--- ---X---- ----O--- -------- -------- --------");
        assert!(board.is_legal(square("b2")) && !board.is_legal(square("f2")));
        let better = iter_squares(board.legal_moves() & !square("b2").bit()).next().unwrap();
        let found = find_faults(board, square("b2"), better);
        assert_eq!(found[0], CoachReason::GivesCorner { corner: square("a1") });
        assert!(found.iter().all(|reason| !reason.is_merit()));
        assert!(find_merits(board, better, square("b2")).iter().all(|reason| reason.is_merit()));
    }

    proptest! {
        /// Reasons are sorted and never contradict each other, on boards of random games.
        #[test]
        fn reasons_do_not_contradict_each_other(seed: u64, plies in 0usize..58) {
            let mut rng = ishi_rng::Seed::new(seed).stream("test", 0);
            let mut board = Board::START;
            for _ in 0..plies {
                let children: Vec<Board> = board.children().map(|(_, child)| child).collect();
                board = rng.choose(&children).copied().unwrap_or(board.pass());
            }
            for square in iter_squares(board.legal_moves()) {
                let found = find_reasons(board, square);
                prop_assert!(found.is_sorted());
                let (few, many) = (CoachReason::FewReplies { replies: 0, usual: 0 }, CoachReason::ManyReplies { replies: 0, usual: 0 });
                let (keeps, loses) = (CoachReason::KeepsParity { size: 0 }, CoachReason::LosesParity { size: 0 });
                let (pulls, opens) = (CoachReason::Pulls { openness: 0 }, CoachReason::Opens { openness: 0, usual: 0 });
                let pairs = [(few, many), (keeps, loses), (pulls, opens), (pulls, CoachReason::Quiet)];
                for (one, other) in pairs {
                    let has = |kind: CoachReason| found.iter().any(|reason| reason.is_like(kind));
                    prop_assert!(!(has(one) && has(other)), "{:?}", found);
                }
                prop_assert!(find_faults(board, square, square).is_empty());
            }
        }
    }
}
