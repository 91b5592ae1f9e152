//! Why a move loses: its main cause, with the line that shows it.
//!
//! Two lines are held against each other: what follows the move played, and what follows the best move. What the opponent gets on
//! the one and not on the other is a possible cause. Each has a price in discs. The evaluation says what each part of the board is worth
//! at the ends of both lines, and in finished games the discs say it. For corners a search says it, too: the value where the
//! corner is taken, less that of the opponent's best move without it. It says the same of a single answer that the best move would have
//! spared: without the answer the move would lose so much less. For what is counted (moves, safe moves, stable discs) there are fixed
//! prices besides, and a search of the other moves that have the same fault limits them (`contrast`). The dearest cause is told, if the
//! loss is still there at the end of its line, by the search along the line and by a deeper one. Where none explains enough of the loss, the
//! line that refutes the move is told.

use ishi_othello::{Board, CORNERS, Square, iter_squares};

use super::areas::{AreaCosts, BoardArea};
use super::contrast::OtherMoves;
use super::facts::MoveFacts;
use super::line::{BoardStanding, FollowedLine, LinePly, find_touched_corner, is_diagonal};
use super::reasons::{CoachReason, find_faults, find_merits};
use super::regions::{ParityRegion, count_frontier, find_regions};
use super::shapes::{count_moves_in, find_unbalanced_edges};
use crate::eval::Evaluation;
use crate::levels::LevelLimits;
use crate::search::{CutConfidence, FoundMove, ScoreMeaning, SearchEffort, SearchTask, Searcher};

/// Discs that a move must lose for a cause to be told.
pub const LEAST_LOSS_TOLD: i32 = 2;

/// Discs that a praised move may lose at most.
pub const MOST_LOSS_PRAISED: i32 = 1;

/// Lines are compared up to so many plies.
const PLIES_COMPARED: usize = 10;
/// Moves and safe moves are counted after so many plies, when both have answered.
const PLIES_COUNTED: usize = 4;
/// Plies of the line that refutes a move, as it is told.
const PLIES_TOLD: usize = 6;
/// Plies of an expected line that are believed where nothing is proved, the move and the answer: the rest was searched less deep.
const PLIES_TRUSTED: usize = 2;
/// A fault that stands on the board right after the move is told with the move alone: what follows shows no more of it.
const PLIES_OF_FAULT: usize = 1;
/// Plies after which moves are counted, as far as the loss is still there: what comes first is tried first.
const PLIES_TRIED: [usize; 4] = [PLIES_COUNTED, PLIES_COUNTED + 2, 2, 1];
/// A corner that the opponent takes later than this where nothing is proved is worth what the board says. One that is taken later on the
/// better line nobody misses.
const PLIES_NEAR: usize = 6;
/// A corner that the opponent takes later than this is no reason, though it be proved: four moves ahead a player sees something else first.
const PLIES_TO_CORNER: usize = 8;
/// A corner that falls on the better line, too, counts only if it falls so many plies later there.
const PLIES_LATER: usize = 4;
/// Who has more moves than this in a quarter of the board has not lost access to it.
const MOST_ACCESS: u32 = 1;
/// Lengths of the lines, with both answers and more, of which one is chosen after which the loss is still there.
const AREA_TRIES: usize = 5;
/// Plies by which the end of a line that is told is searched deeper than the positions along it.
pub(super) const PLIES_TO_CONFIRM: u32 = 6;
/// The end of a line that is told is solved from so many empty squares more than positions along the line, ...
const SOLVED_MORE: u32 = 6;
/// ... up to so many.
const SOLVED_QUICKLY: u32 = 20;
/// Causes or ends of lines that are tried before the mistake alone is told.
const MOST_TRIES: usize = 6;
/// Discs by which the value may change along a line that is told: where it changes more, one of both went wrong on it.
const MOST_DRIFT: i32 = 1;
/// Of a large loss the other side may give back this part: a line that shows nearly all of it is better than none.
const PART_GIVEN_BACK: i32 = 6;
/// Where no line is that good, one is told on which the value changes by so many discs more.
const MORE_DRIFT: i32 = 1;
/// Ends of lines that are tried then.
const MORE_TRIES: usize = 3;
/// From this loss on the value after the mistake is looked at once more, as deep as ends of lines are: reviews look at smaller losses so deep.
const LARGE_LOSS: i32 = 5;
/// The dearest cause is told if it costs so many discs, however much the move loses.
const ENOUGH_COST: f64 = 2.0;
/// Discs that a part of the board must cost to be a cause.
const LEAST_AREA_COST: f64 = 1.0;
/// Discs that an answer must be worth to the opponent: where something else is as good, it was not needed.
const LEAST_WORTH_TO_OTHER: f64 = 1.0;
/// Discs that the square of the best move must be worth to the one who erred, too, to be the best of both.
const LEAST_WORTH_TO_OWN: f64 = 1.0;
/// Discs that a single answer must be worth to be told, and that it must lose after the best move against another one there: else it is as good
/// there, and the mistake does not allow it.
const LEAST_SPARED: f64 = 2.0;
/// Empty squares from which on games are followed to their ends.
const FINISHED_FROM: u32 = 12;
/// Plies within which a region must be filled for its last move to count: so many a player follows at the end of a game.
const PLIES_OF_PARITY: usize = FINISHED_FROM as usize;
/// Empty squares from which on the last move of a region counts.
const PARITY_FROM: u32 = 20;
/// With so many moves nobody is about to run out of them.
const MOVES_ENOUGH: u32 = 3;
/// With more safe moves nobody counts them: there the moves themselves say more.
const SAFE_MOVES_COUNTED: u32 = 6;
/// Where no cause costs enough, one that says by what something is lost comes before a part of the board if it costs this part of the loss, ...
const PART_BEFORE_AREA: f64 = 0.125;
/// ... in discs at least and at most so many.
const COST_BEFORE_AREA: (f64, f64) = (1.0, 1.5);
/// Empty squares from which on safe moves count: before, all moves are safe, and nobody runs out of them.
const TEMPO_FROM: u32 = 48;
/// Empty squares that must be left where discs that nobody can turn are counted.
const LEFT_WITH_STABLE: u32 = 7;
/// Empty squares down to which moves, safe moves and openness count.
const MOBILITY_UNTIL: u32 = 10;

/// Empty squares down to which walls count: later, most discs have an empty square beside them, and nobody lacks moves for that.
const WALLS_UNTIL: u32 = 20;

/// How hard to look for what a corner is worth.
const PROBE: SearchEffort =
    SearchEffort { depth: 6, exact: 12, win_loss: 12, confidence: CutConfidence::Good };

/// Prices in discs.
mod price {
    /// A corner at least, before the last squares: where taking it can wait, a search says that it is worth nothing now.
    pub(super) const CORNER: f64 = 5.0;
    /// One that the very next move takes: whatever else the move does, this is what a player must see first.
    pub(super) const CORNER_AT_ONCE: f64 = 12.0;
    /// A move more for the opponent, or one less for oneself.
    pub(super) const MOVE: f64 = 0.5;
    /// A safe move.
    pub(super) const SAFE_MOVE: f64 = 0.9;
    /// A disc that nobody can turn any more.
    pub(super) const STABLE_DISC: f64 = 0.9;
    /// An empty square beside the discs turned.
    pub(super) const OPEN_SQUARE: f64 = 0.6;
    /// The last move of a region.
    pub(super) const LAST_MOVE: f64 = 2.5;
    /// A pass.
    pub(super) const PASS: f64 = 2.5;
    /// A disc of the result that is turned back at once.
    pub(super) const DISC_TURNED: f64 = 0.25;
    /// An own disc beside an empty square.
    pub(super) const FRONTIER_DISC: f64 = 0.3;
    /// A pass, or the last move of a region, where the game is followed to its end, as a part of the loss.
    pub(super) const PART_OF_LOSS: f64 = 0.5;
    /// What the discs of a part of the board at the end of a game count in the comparison with other causes: those that have a name
    /// say more, where they explain as much.
    pub(super) const RANK_OF_FINAL_DISCS: f64 = 0.49;
    /// The same of what the evaluation sees in a part of the board: all that the loss has is somewhere, so that this is dear whatever the cause.
    pub(super) const RANK_OF_AREA: f64 = 0.4;
    /// The same of a single answer that the mistake allows: a corner, an edge or safe moves say more, where they explain about as much.
    pub(super) const RANK_OF_ANSWER: f64 = 0.6;
    /// The same of what sets a move apart from the best one, and of moves in a quarter of the board: what is counted on more of it says more.
    pub(super) const RANK_OF_FACT: f64 = 0.4;
    /// To leave a quiet move or a pull for one that opens the position.
    pub(super) const QUIET_LEFT: f64 = 2.0;
    /// Being left with hardly a move, besides the moves themselves: who has none must soon play what is bad.
    pub(super) const NO_MOVES: f64 = 3.0;
}

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

/// The main reason why a move loses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MainReason {
    /// What is behind it.
    pub cause: MistakeCause,
    /// What it costs, in discs; at most what the move loses.
    pub cost: i32,
    /// The line that shows it; the move played first.
    pub line: Vec<Square>,
    /// The line of the best move that it is held against; the best move first.
    pub better: Vec<Square>,
    /// The opponent's answer on the line; `None` if it has none there, or must pass.
    pub answer: Option<Square>,
}

/// A move that loses, with what a search has found of it.
#[derive(Clone, Copy, Debug)]
pub struct FoundMistake<'a> {
    /// The board before it, seen by the one who made it.
    pub board: Board,
    /// What is expected to follow; the move first.
    pub line: &'a [Square],
    /// What it is worth to the one who made it, in discs.
    pub value: i32,
    /// The best move, with value and variation.
    pub best: &'a FoundMove,
    /// Are both values proved, and the lines with them?
    pub proved: bool,
}

/// The main reason why a move loses; `None` if it loses less than [`LEAST_LOSS_TOLD`] discs. `effort` is how hard to look at the end of
/// a line.
pub fn find_main_reason(
    mistake: FoundMistake<'_>,
    searcher: &mut Searcher,
    effort: SearchEffort,
    limits: LevelLimits<'_>,
) -> Option<MainReason> {
    let loss = mistake.best.score - mistake.value;
    if loss < LEAST_LOSS_TOLD {
        return None;
    }
    let mut probe = MistakeProbe { searcher, effort, limits };
    let mut lines = probe.follow_lines(&mistake);
    let others = probe.follow_others(&lines);
    for (tries, more) in [(MOST_TRIES, 0), (MORE_TRIES, MORE_DRIFT)] {
        if more > 0 {
            lines.allow_more_drift(more, &probe.searcher.evaluation());
        }
        for _ in 0..tries {
            let main = probe.find_main_cause(&lines, &others);
            let main = main.unwrap_or_else(|| lines.find_refutation());
            // The mistake alone needs no further look, and says nothing of how it is answered: a line that holds less well comes before.
            if main.plies <= 1 && matches!(main.cause, MistakeCause::Refuted { .. }) {
                break;
            }
            if probe.confirm_end(&mut lines, main.plies) {
                return Some(lines.to_reason(&main));
            }
        }
    }
    // The move alone always holds: its value is what was found of it.
    lines.keep_mistake_alone(&probe.searcher.evaluation());
    let main = probe.find_main_cause(&lines, &others);
    Some(lines.to_reason(&main.unwrap_or_else(|| lines.find_refutation())))
}

/// How hard to look at the end of a line that is told, where positions along it were looked at so hard.
fn confirming_effort(effort: SearchEffort) -> SearchEffort {
    let exact = effort.exact_and_more(SOLVED_MORE, SOLVED_QUICKLY);
    SearchEffort { depth: effort.depth + PLIES_TO_CONFIRM, exact, win_loss: exact, ..effort }
}

/// A possible cause.
#[derive(Clone, Copy, Debug)]
pub(super) struct PricedCause {
    pub(super) cause: MistakeCause,
    /// In discs.
    pub(super) cost: f64,
    /// Plies of the line played that show it, the mistake counted.
    pub(super) plies: usize,
    /// Plies of the better line that it is held against.
    better_plies: usize,
}

impl PricedCause {
    /// Both lines are told up to the same ply.
    fn new(cause: MistakeCause, cost: f64, plies: usize) -> PricedCause {
        PricedCause { cause, cost, plies, better_plies: plies }
    }

    /// Does it hold the numbers of moves right after both moves against each other?
    fn says_moves_at_once(&self) -> bool {
        self.plies == 1 && matches!(self.cause, MistakeCause::GivesMobility { .. })
    }

    /// By what causes are ranked: the cost, but that causes which have a name go before parts of the board.
    fn rank(&self) -> f64 {
        match self.cause {
            MistakeCause::WeakensArea { .. } => price::RANK_OF_AREA * self.cost,
            MistakeCause::AllowsAnswer { .. } => price::RANK_OF_ANSWER * self.cost,
            MistakeCause::LosesArea { .. } => price::RANK_OF_FINAL_DISCS * self.cost,
            MistakeCause::LosesAccess { .. }
            | MistakeCause::MissesMerit { .. }
            | MistakeCause::HasFault { .. } => price::RANK_OF_FACT * self.cost,
            _ => self.cost,
        }
    }
}

/// Where a corner falls, the discs that nobody can turn follow from it, and it was the square beside it that gave it away: the corner
/// is told first.
fn yield_to_corners(found: &mut [PricedCause]) {
    let poisoned = found.iter().find_map(|priced| match priced.cause {
        MistakeCause::PoisonsSquare { corner, .. } => Some((corner, priced.cost)),
        _ => None,
    });
    for priced in found.iter_mut() {
        if let (MistakeCause::OpensCorner { corner, .. }, Some((poisoned, cost))) = (priced.cause, poisoned)
            && corner == poisoned
        {
            priced.cost = priced.cost.max(cost);
        }
    }
    let is_corner = |priced: &&PricedCause| {
        matches!(priced.cause, MistakeCause::OpensCorner { .. } | MistakeCause::MissesCorner { .. })
    };
    let dearest = found.iter().filter(is_corner).map(|priced| priced.cost).fold(0.0, f64::max);
    if dearest < ENOUGH_COST {
        return;
    }
    for priced in found {
        if matches!(priced.cause, MistakeCause::OpensEdge { .. } | MistakeCause::GivesStable { .. }) {
            priced.cost = priced.cost.min(dearest);
        }
    }
}

/// What follows the move played, and what follows the best one.
pub(super) struct ComparedLines {
    pub(super) board: Board,
    loss: i32,
    /// What the best move is worth, in discs.
    best: i32,
    pub(super) played: FollowedLine,
    /// What the line played is worth by search after each of its moves, to the one who erred; the first is the mistake.
    values: Vec<i32>,
    pub(super) better: FollowedLine,
    /// Are the lines those of exact scores?
    proved: bool,
    /// Discs by which the value may change along a line that is told, either way.
    drift: i32,
    /// What the parts of the board cost.
    areas: AreaCosts,
}

impl ComparedLines {
    fn to_reason(&self, priced: &PricedCause) -> MainReason {
        let mut line = self.played.squares();
        line.truncate(priced.plies);
        let mut better = self.better.squares();
        better.truncate(priced.better_plies);
        let answer = self.played.plies.get(1).filter(|ply| !ply.own && priced.plies > 1);
        MainReason {
            cause: priced.cause,
            cost: (priced.cost.round() as i32).clamp(1, self.loss),
            line,
            better,
            answer: answer.map(|ply| ply.square),
        }
    }

    /// After so many moves of the line played, are at least [`LEAST_LOSS_TOLD`] discs of the loss still there, and stand both sides about as after
    /// the mistake? Where one has much less, it went wrong on the way, and the line shows something else.
    fn is_loss_still_there(&self, plies: usize) -> bool {
        let value = plies.checked_sub(1).and_then(|last| self.values.get(last));
        let mistake = self.values.first().copied().unwrap_or(self.best - self.loss);
        let given_back = self.drift.max(self.loss / PART_GIVEN_BACK);
        let most = (mistake + given_back).min(self.best - LEAST_LOSS_TOLD);
        let holds = |&value: &i32| (mistake - self.drift..=most).contains(&value);
        value.is_none_or(holds)
    }

    /// May the line be told up to there? It ends with the mistake itself, or with what the other side plays. One that ends with a further move
    /// of the one who erred leaves open how that is answered: of such lines a deeper search confirmed far fewer.
    fn can_end_after(&self, plies: usize) -> bool {
        let last = plies.checked_sub(1).and_then(|last| self.played.plies.get(last));
        let is_answered = plies <= 1 || self.proved || last.is_none_or(|ply| !ply.own);
        is_answered && self.is_loss_still_there(plies)
    }

    /// The first of these numbers of plies that the line has and after which it may end; the mistake alone if there is none.
    fn choose_plies(&self, wanted: impl IntoIterator<Item = usize>) -> usize {
        let fits = |&plies: &usize| plies <= self.played.plies.len() && self.can_end_after(plies);
        wanted.into_iter().find(fits).unwrap_or(self.plies_up_to(1))
    }

    /// Plies that show a fault of the move itself: up to where both have answered, as far as the loss is still there.
    fn plies_shown(&self) -> usize {
        self.choose_plies((1..=self.plies_up_to(PLIES_COUNTED)).rev())
    }

    /// What a cause must cost to be the main one: a quarter of the loss, or [`ENOUGH_COST`], as large losses have many causes. A part of the board
    /// must cost half of the loss. It says where something is lost, and not by what. So must an answer: without it the move would lose less
    /// than half. So must a fact that sets the move apart: all other moves that share it lose at least half as much.
    fn least_cost(&self, cause: MistakeCause) -> f64 {
        let loss = f64::from(self.loss);
        match cause {
            MistakeCause::WeakensArea { .. }
            | MistakeCause::AllowsAnswer { .. }
            | MistakeCause::MissesMerit { .. }
            | MistakeCause::HasFault { .. } => loss / 2.0,
            _ => (loss / 4.0).min(ENOUGH_COST),
        }
    }

    /// In which turn a cause may be told, the lowest first; `None` if it costs too little. Causes that say by what something is lost come first. In the
    /// second turn they may cost less, and what sets the moves apart is told. A part of the board is told where nothing else is left: it says
    /// where something is lost, and nobody learns by what.
    fn turn_of(&self, priced: &PricedCause) -> Option<u8> {
        let is_enough = priced.cost >= self.least_cost(priced.cause);
        let (least, most) = COST_BEFORE_AREA;
        let is_something = priced.cost >= (PART_BEFORE_AREA * f64::from(self.loss)).clamp(least, most);
        match priced.cause {
            MistakeCause::WeakensArea { .. } => is_enough.then_some(2),
            MistakeCause::LosesAccess { .. }
            | MistakeCause::MissesMerit { .. }
            | MistakeCause::HasFault { .. } => is_enough.then_some(1),
            _ if is_enough => Some(0),
            _ => is_something.then_some(1),
        }
    }

    /// Lets the value change by so many discs more along a line that is told. Parts of the board are compared anew: other lengths hold then.
    fn allow_more_drift(&mut self, more: i32, evaluation: &Evaluation) {
        self.drift += more;
        self.areas = self.find_area_costs(evaluation);
    }

    /// Forgets what the line is worth after later moves, where no search has confirmed it: no cause is told with them any more.
    fn keep_mistake_alone(&mut self, evaluation: &Evaluation) {
        self.values.iter_mut().skip(1).for_each(|value| *value = i32::MIN);
        self.areas = self.find_area_costs(evaluation);
    }

    /// The last resort: the line itself, as far as it holds.
    fn find_refutation(&self) -> PricedCause {
        let plies = self.choose_plies((1..=self.plies_up_to(PLIES_TOLD)).rev());
        let cause = MistakeCause::Refuted { value: self.best - self.loss, better: self.best };
        PricedCause::new(cause, f64::from(self.loss), plies)
    }

    /// All but corners and single answers.
    fn price_causes(&self) -> Vec<PricedCause> {
        let mut found = self.price_passes();
        found.extend(self.price_last_moves());
        found.extend(self.price_even_region());
        found.extend(self.price_stable_discs());
        found.extend(self.price_moves());
        found.extend(self.price_wall());
        found.extend(self.price_the_square());
        found.extend(self.price_turned_discs());
        found.extend(self.price_unbalanced_edge());
        found.extend(self.price_access());
        found.extend(self.price_facts());
        found.extend(self.price_areas());
        found
    }

    /// What the parts of the board cost after different numbers of plies, as many as are told at most: first what explains the loss best when both
    /// have answered, and at last right after the other side's answer or the move itself, where a loss is still there if it is anywhere.
    fn list_area_costs(&self, evaluation: &Evaluation) -> Vec<AreaCosts> {
        let both_end = self.played.end.is_over() && self.better.end.is_over();
        if both_end && self.board.empty_count() <= FINISHED_FROM {
            return AreaCosts::compare_lines(&self.played, &self.better, evaluation).into_iter().collect();
        }
        let most = self.played.plies.len().min(self.better.plies.len()).min(PLIES_TOLD);
        let at_plies = |plies| {
            let [played, better] = [&self.played, &self.better].map(|line| self.first_plies(line, plies));
            AreaCosts::compare_lines(&played, &better, evaluation)
        };
        let lengths = (PLIES_COUNTED..=most).filter(|&plies| self.can_end_after(plies));
        let mut all: Vec<AreaCosts> = lengths.filter_map(&at_plies).collect();
        let unexplained = |costs: &AreaCosts| (costs.total_cost() - f64::from(self.loss)).abs();
        all.sort_by(|a, b| unexplained(a).total_cmp(&unexplained(b)));
        all.truncate(AREA_TRIES);
        all.extend((1..PLIES_COUNTED.min(most + 1)).rev().filter_map(&at_plies));
        all
    }

    /// What the parts of the board cost, where it explains the loss best and the loss is still there.
    fn find_area_costs(&self, evaluation: &Evaluation) -> AreaCosts {
        let all = self.list_area_costs(evaluation);
        let holds = all.iter().position(|costs| self.can_end_after(costs.plies));
        all.into_iter().nth(holds.unwrap_or(0)).unwrap_or_default()
    }

    /// Parts of the board: by the evaluation, or by the discs of finished games.
    fn price_areas(&self) -> Vec<PricedCause> {
        let AreaCosts { plies, finished, .. } = self.areas;
        let priced = |area: BoardArea| {
            let cost = self.areas.of_area(area);
            let of_loss = cost.min(f64::from(self.loss));
            // A disc that changes its owner counts twice.
            let cause = match finished {
                true => MistakeCause::LosesArea { area, discs: (cost / 2.0).round() as u32 },
                false => MistakeCause::WeakensArea { area, discs: of_loss.round() as u32 },
            };
            // Games that are over may differ in length.
            let better_plies = if finished { self.better.plies.len() } else { plies };
            PricedCause { better_plies, ..PricedCause::new(cause, of_loss, plies) }
        };
        let is_dear = |area: &BoardArea| self.areas.of_area(*area) >= LEAST_AREA_COST;
        BoardArea::list_all(self.areas.occupied).into_iter().filter(is_dear).map(priced).collect()
    }

    /// Own discs beside empty squares.
    fn price_wall(&self) -> Option<PricedCause> {
        let plies = self.areas.plies;
        let [discs, better] =
            [&self.played, &self.better].map(|line| count_wall(self.first_plies(line, plies).end));
        let counts = plies > 0 && self.board.empty_count() > WALLS_UNTIL && discs >= better + 3;
        counts.then(|| {
            let cost = price::FRONTIER_DISC * f64::from(discs - better);
            let cost = cost.max(self.areas.of_area(BoardArea::Middle));
            PricedCause::new(MistakeCause::BuildsWall { discs, better }, cost, plies)
        })
    }

    /// Plies of the line played, so many at most.
    fn plies_up_to(&self, most: usize) -> usize {
        self.played.plies.len().min(most)
    }

    fn price_passes(&self) -> Vec<PricedCause> {
        let [played, better] = [&self.played, &self.better].map(|line| passes_soon(line, self.board));
        let must = (played.0 && !better.0).then(|| {
            let plies = self.plies_before_pass(&self.played, |passes| passes.0);
            PricedCause::new(MistakeCause::MustPass, self.price_of_finished(price::PASS), plies)
        });
        let spares = (better.1 && !played.1).then(|| PricedCause {
            better_plies: self.plies_before_pass(&self.better, |passes| passes.1),
            ..PricedCause::new(
                MistakeCause::SparesPass,
                self.price_of_finished(price::PASS),
                self.plies_shown(),
            )
        });
        must.into_iter().chain(spares).collect()
    }

    /// What a cause costs that decides finished games: a part of the loss there, if that is more.
    fn price_of_finished(&self, usual: f64) -> f64 {
        if self.areas.finished { usual.max(price::PART_OF_LOSS * f64::from(self.loss)) } else { usual }
    }

    /// Plies of a line up to its first pass of this side: what is told of a pass is true right there.
    fn plies_before_pass(&self, line: &FollowedLine, has_passed: fn((bool, bool)) -> bool) -> usize {
        let most = line.plies.len().min(PLIES_COUNTED);
        (1..most).find(|&plies| has_passed(self.first_plies(line, plies).passes)).unwrap_or(most)
    }

    fn first_plies(&self, line: &FollowedLine, plies: usize) -> FollowedLine {
        line.first_plies(self.board, plies)
    }

    /// Regions whose last square the opponent fills, and would not on the better line.
    fn price_last_moves(&self) -> Vec<PricedCause> {
        if self.board.empty_count() > PARITY_FROM {
            return Vec::new();
        }
        let regions = find_regions(self.board);
        let whole = regions.len() == 1;
        let cost = self.price_of_finished(price::LAST_MOVE);
        let is_given = |region: u64| {
            self.played.is_last_of_region_own(region) == Some(false)
                && self.better.is_last_of_region_own(region) == Some(true)
        };
        let given = regions.iter().filter(|region| region.size() > 1 && is_given(region.squares));
        let priced = given.map(|region| {
            let last = self.played.plies.iter().rposition(|ply| region.squares & ply.square.bit() != 0);
            let (size, region) = (region.size(), Square::from_lowest_bit(region.squares));
            let plies = last.map_or(self.played.plies.len(), |last| last + 1);
            PricedCause::new(MistakeCause::GivesLastMove { region, size, whole }, cost, plies)
        });
        // What is filled far away shows nothing that this move has done.
        priced.filter(|priced| priced.plies <= PLIES_OF_PARITY).collect()
    }

    /// The move enters an even region, the best one an odd region, which the opponent enters instead.
    fn price_even_region(&self) -> Option<PricedCause> {
        if self.board.empty_count() > PARITY_FROM {
            return None;
        }
        let [played, best] = [self.played.plies.first()?, self.better.plies.first()?].map(|ply| ply.square);
        let (entered, odd) = (find_region_of(self.board, played)?, find_region_of(self.board, best)?);
        if entered.is_odd() || !odd.is_odd() {
            return None;
        }
        let enters = |ply: &LinePly| odd.squares & ply.square.bit() != 0;
        let (number, first) = self.played.plies.iter().enumerate().find(|(_, ply)| enters(ply))?;
        (!first.own && number < PLIES_TOLD).then(|| {
            let cause = MistakeCause::EntersEven { size: entered.size(), odd: best, odd_size: odd.size() };
            PricedCause::new(cause, self.price_of_finished(price::LAST_MOVE), number + 1)
        })
    }

    /// Discs that nobody can turn: at one edge, or anywhere.
    fn price_stable_discs(&self) -> Vec<PricedCause> {
        // When a game is over, no disc can be turned: there the discs themselves are counted.
        // And shortly before, all discs become such ones: that says no more than the loss itself.
        let most = PLIES_COMPARED.min(self.board.empty_count().saturating_sub(LEFT_WITH_STABLE) as usize);
        if self.areas.finished || most == 0 {
            return Vec::new();
        }
        let plies = self.choose_plies((1..=self.plies_up_to(most)).rev());
        let [played, better] = [&self.played, &self.better]
            .map(|line| BoardStanding::of_board(self.first_plies(line, plies).end).stable);
        // What the opponent gets more, and the one who erred less: discs of both sides count, or the sentence would be false.
        let lead = |stable: (u64, u64)| stable.1.count_ones() as i32 - stable.0.count_ones() as i32;
        let priced = |cause, cost| PricedCause {
            better_plies: self.better.plies.len().min(plies),
            ..PricedCause::new(cause, cost, plies)
        };
        let others_gain = |edge: BoardEdge| {
            let count = |discs: u64| (discs & edge.squares() & !CORNERS).count_ones() as i32;
            count(played.1) - count(better.1)
        };
        let mut found = Vec::new();
        let edge =
            BoardEdge::ALL.into_iter().max_by_key(|&edge| (others_gain(edge), std::cmp::Reverse(edge)));
        if let Some(edge) = edge.filter(|&edge| others_gain(edge) >= 3) {
            let discs = others_gain(edge) as u32;
            let cost = price::STABLE_DISC * f64::from(discs) + 0.5;
            let cost = cost.max(self.areas.of_area(BoardArea::Edge(edge)));
            found.push(priced(MistakeCause::OpensEdge { edge, discs }, cost));
        }
        let discs = lead(played) - lead(better);
        if discs >= 2 {
            let cost = price::STABLE_DISC * f64::from(discs);
            let cause = MistakeCause::GivesStable { discs: discs as u32 };
            found.push(priced(cause, cost));
        }
        found
    }

    /// Moves and safe moves of both sides: of both kinds where a difference shows first. Of moves the difference right after the mistake is told
    /// where it is larger: that is what a player sees.
    fn price_moves(&self) -> Vec<PricedCause> {
        let mut found: Vec<PricedCause> = Vec::new();
        for plies in PLIES_TRIED.into_iter().filter(|&plies| self.choose_plies([plies]) == plies) {
            for priced in self.price_moves_after(plies) {
                match found.iter_mut().find(|other| is_same_kind(other.cause, priced.cause)) {
                    None => found.push(priced),
                    Some(other) if priced.says_moves_at_once() && priced.cost > other.cost => *other = priced,
                    Some(_) => {}
                }
            }
        }
        found
    }

    /// Moves and safe moves of both sides after so many plies of both lines.
    fn price_moves_after(&self, plies: usize) -> Vec<PricedCause> {
        if self.board.empty_count() <= MOBILITY_UNTIL {
            return Vec::new();
        }
        let [played, better] = [&self.played, &self.better]
            .map(|line| BoardStanding::of_board(self.first_plies(line, plies).end));
        let margin = |moves| f64::from(margin_of(moves));
        let safe_lost = margin(better.safe_moves) - margin(played.safe_moves);
        let safe_count = played.safe_moves.0 <= SAFE_MOVES_COUNTED && self.board.empty_count() <= TEMPO_FROM;
        let moves_lost = margin(better.moves) - margin(played.moves);
        let tempo = MistakeCause::LosesTempo { safe: played.safe_moves, better: better.safe_moves };
        let mobility = MistakeCause::GivesMobility { moves: played.moves, better: better.moves };
        let runs_out = played.moves.0 <= 1 && better.moves.0 >= MOVES_ENOUGH;
        let cost_of_moves = price::MOVE * moves_lost + if runs_out { price::NO_MOVES } else { 0.0 };
        let cost_of_moves = cost_of_moves.max(self.areas.moves);
        let found = [(tempo, safe_lost, price::SAFE_MOVE * safe_lost), (mobility, moves_lost, cost_of_moves)];
        let counts = |cause| cause != tempo || safe_count;
        let priced = found.into_iter().filter(|&(cause, lost, _)| lost >= 2.0 && counts(cause));
        priced.map(|(cause, _, cost)| PricedCause::new(cause, cost, plies)).collect()
    }

    /// What is wrong with the square itself, and with what it turns.
    fn price_the_square(&self) -> Vec<PricedCause> {
        let (Some(played), Some(best)) = (self.played.plies.first(), self.better.plies.first()) else {
            return Vec::new();
        };
        let plies = self.plies_shown();
        let mut found = Vec::new();
        if let (Some(corner), None) =
            (find_touched_corner(self.board, played.square), find_touched_corner(self.board, best.square))
        {
            let diagonal = is_diagonal(corner, played.square);
            // Not every such square is poison: the corner must cost something.
            let cost = self.areas.of_area(BoardArea::Corner(corner));
            if cost >= LEAST_AREA_COST {
                found.push(PricedCause::new(MistakeCause::PoisonsSquare { corner, diagonal }, cost, plies));
            }
        }
        let facts = [played, best].map(|ply| MoveFacts::from_move(self.board, ply.square));
        let ([openness, better], pull) = (facts.each_ref().map(|facts| facts.openness), facts[1].pulls);
        // It is said that the opponent gets moves, or that own ones are gone: open squares alone do neither.
        let gives = facts[0].replies > facts[1].replies;
        let shows = gives || facts[0].own_moves < facts[1].own_moves;
        if self.board.empty_count() > MOBILITY_UNTIL && openness >= better + 2 && shows {
            let cost = price::OPEN_SQUARE * f64::from(openness - better);
            let cost = cost.max(self.areas.of_area(BoardArea::Middle));
            let cost = if better == 0 || pull { cost.max(price::QUIET_LEFT) } else { cost };
            let cause = MistakeCause::BreaksQuiet { openness, better, pull, gives };
            found.push(PricedCause::new(cause, cost, plies));
        }
        found
    }

    /// An edge that the move leaves unbalanced, and the best one does not. It costs what the evaluation sees at the edge.
    fn price_unbalanced_edge(&self) -> Option<PricedCause> {
        let [played, best] =
            [&self.played, &self.better].map(|line| find_unbalanced_edges(self.first_plies(line, 1).end));
        let edge = played.into_iter().find(|edge| !best.contains(edge))?;
        let cost = self.areas.of_area(BoardArea::Edge(edge));
        (cost >= LEAST_AREA_COST)
            .then(|| PricedCause::new(MistakeCause::UnbalancesEdge { edge }, cost, PLIES_OF_FAULT))
    }

    /// The quarter of the board that costs most, if moves there are lost: it says what happens in that part.
    fn price_access(&self) -> Option<PricedCause> {
        let AreaCosts { plies, finished, .. } = self.areas;
        if finished || plies == 0 || self.board.empty_count() <= MOBILITY_UNTIL {
            return None;
        }
        let ends = [&self.played, &self.better].map(|line| self.first_plies(line, plies).end);
        let priced = iter_squares(CORNERS).filter_map(|quarter| {
            let area = BoardArea::Quarter(quarter);
            let [moves, better] = ends.map(|end| count_moves_in(end, area.squares()));
            let is_lost =
                moves.0 <= MOST_ACCESS && moves.0 < better.0 && margin_of(moves) <= margin_of(better) - 2;
            let cause = MistakeCause::LosesAccess { quarter, moves, better };
            is_lost.then(|| PricedCause::new(cause, self.areas.of_area(area), plies))
        });
        priced.max_by(|a, b| a.cost.total_cmp(&b.cost))
    }

    /// What the best move has for itself and the move played has not, and what that has against itself. Each costs the whole loss, less what others
    /// say (`contrast`). A square beside a corner and a corner have causes of their own.
    fn price_facts(&self) -> Vec<PricedCause> {
        let (Some(played), Some(best)) = (self.played.plies.first(), self.better.plies.first()) else {
            return Vec::new();
        };
        let of_corner = |fact: &CoachReason| {
            matches!(fact, CoachReason::TakesCorner { .. } | CoachReason::GivesCorner { .. })
        };
        let first =
            |facts: Vec<CoachReason>| facts.into_iter().find(|fact| fact.is_fact() && !of_corner(fact));
        let merit = first(find_merits(self.board, best.square, played.square));
        let fault = first(find_faults(self.board, played.square, best.square));
        let priced = |cause, plies| PricedCause::new(cause, f64::from(self.loss), plies);
        let causes = [
            merit.map(|merit| priced(MistakeCause::MissesMerit { merit }, self.plies_shown())),
            fault.map(|fault| priced(MistakeCause::HasFault { fault }, PLIES_OF_FAULT)),
        ];
        causes.into_iter().flatten().collect()
    }

    /// The square of the best move, on which the opponent answers: what it is worth to both.
    fn price_key_square(&self, square: Square, worth: f64) -> PricedCause {
        let cost = worth.min(f64::from(self.loss));
        PricedCause::new(MistakeCause::LeavesSquare { square }, cost, PLIES_TRUSTED)
    }

    /// An answer that the best move would have spared: what it is worth to the other, which is what the move would not lose without it.
    fn price_allowed(
        &self,
        answer: &LinePly,
        next: Square,
        worth: f64,
        after_best: Option<f64>,
    ) -> PricedCause {
        let cause = MistakeCause::AllowsAnswer {
            square: answer.square,
            discs: worth.round() as u32,
            after_best: after_best.map(|loss| loss.round() as u32),
            merit: find_merits(answer.before, answer.square, next).first().copied(),
        };
        // What follows the answer shows how it works.
        PricedCause::new(cause, worth.min(f64::from(self.loss)), self.plies_shown().max(PLIES_TRUSTED))
    }

    /// Near the end: discs that the opponent's answer turns.
    fn price_turned_discs(&self) -> Option<PricedCause> {
        let discs = count_turned_by_answer(&self.played)?;
        let better = count_turned_by_answer(&self.better).unwrap_or(0);
        let near_the_end = self.board.empty_count() <= MOBILITY_UNTIL;
        (near_the_end && discs >= better + 3).then(|| {
            let cost = price::DISC_TURNED * 2.0 * f64::from(discs - better);
            PricedCause::new(MistakeCause::TurnsBack { discs, better }, cost, self.plies_up_to(2))
        })
    }
}

/// A searcher with how hard to look.
struct MistakeProbe<'a, 'b> {
    searcher: &'a mut Searcher,
    effort: SearchEffort,
    limits: LevelLimits<'b>,
}

impl MistakeProbe<'_, '_> {
    fn search(&mut self, board: Board, effort: SearchEffort) -> FoundMove {
        let LevelLimits { time, clock, stop } = self.limits;
        let mut silent = |_: &FoundMove| {};
        let mut task = SearchTask { time, clock, stop, ..SearchTask::new(effort, &mut silent) };
        self.searcher.search_board(board, &mut task)
    }

    /// The value of a board for its side to move.
    fn value_of(&mut self, board: Board, effort: SearchEffort) -> i32 {
        match board.is_over() {
            true => board.final_score(),
            false => self.search(board, effort).score,
        }
    }

    /// What follows the move played, and what follows the best one, with what the parts of the board cost.
    fn follow_lines(&mut self, mistake: &FoundMistake<'_>) -> ComparedLines {
        let FoundMistake { board, line, value, best, proved } = *mistake;
        let to_corner = self.find_opened_corner(mistake).map(|corner| [line[0], corner]);
        let line = to_corner.as_ref().map_or(line, |moves| &moves[..]);
        let (played, values) = self.follow_line(board, line, value, proved);
        let (better, _) = self.follow_line(board, &best.variation, best.score, proved);
        let (areas, best) = (AreaCosts::default(), best.score);
        let loss = best - value;
        let mut lines =
            ComparedLines { board, loss, best, played, values, better, proved, drift: MOST_DRIFT, areas };
        self.look_at_mistake_again(&mut lines);
        lines.areas = lines.find_area_costs(&self.searcher.evaluation());
        lines
    }

    /// A corner that the move has opened and the best one would not, where the other side can take it at once and gives hardly anything back by
    /// that. A player sees it first, whatever else is a little better. None where the expected answer takes a corner, or all is proved.
    fn find_opened_corner(&mut self, mistake: &FoundMistake<'_>) -> Option<Square> {
        let FoundMistake { board, line, value, best, proved } = *mistake;
        let takes_corner = |square: &Square| CORNERS & square.bit() != 0;
        if proved || self.limits.time.is_some() || line.get(1).is_some_and(takes_corner) {
            return None;
        }
        let [after, better] = [*line.first()?, best.mv.square()?].map(|square| board.play_unchecked(square));
        let opened = after.legal_moves() & CORNERS & !board.pass().legal_moves() & !better.legal_moves();
        let given_back = MOST_DRIFT.max((best.score - value) / PART_GIVEN_BACK);
        let mut value_after = |corner| self.value_of_end(&FollowedLine::new(board, &[line[0], corner]));
        let cheapest = iter_squares(opened).map(|corner| (value_after(corner), corner)).min();
        cheapest.filter(|&(left, _)| left <= value + given_back).map(|(_, corner)| corner)
    }

    /// A line with at least as many moves as are compared, or to the end of the game, and what it is worth after each of its moves to the
    /// one who made the first. Each move is searched anew, but where the line is proved: what was expected was searched less and less
    /// deep.
    fn follow_line(
        &mut self,
        board: Board,
        squares: &[Square],
        value: i32,
        proved: bool,
    ) -> (FollowedLine, Vec<i32>) {
        let trusted = if proved { squares.len() } else { squares.len().min(PLIES_TRUSTED) };
        let mut line = FollowedLine::new(board, &squares[..trusted]);
        let mut values = vec![value; if proved { line.plies.len() } else { 1 }];
        while line.plies.len() < PLIES_COMPARED && !line.end.is_over() {
            let found = self.search_end(&line, self.effort);
            let value = if line.own_turn { found.score } else { -found.score };
            values.resize(line.plies.len(), value);
            let is_proved = found.meaning == ScoreMeaning::Exact;
            let (before, mut longer) = (line.plies.len(), line.squares());
            longer.extend(found.variation.iter().take(if is_proved { usize::MAX } else { 1 }));
            line = FollowedLine::new(board, &longer);
            if is_proved {
                values.resize(line.plies.len(), value);
            }
            if line.plies.len() == before {
                break;
            }
        }
        if values.len() < line.plies.len() {
            let end = if line.end.is_over() { line.end.final_score() } else { self.value_of_end(&line) };
            values.resize(line.plies.len(), end);
        }
        (line, values)
    }

    /// The value of the end of a line for the one who made its first move.
    fn value_of_end(&mut self, line: &FollowedLine) -> i32 {
        let value = self.search_end(line, self.effort).score;
        if line.own_turn { value } else { -value }
    }

    /// Searches the end of a line so deep that the same side is to move at the last positions as in a search from before the line: what the
    /// evaluation says depends on who is to move.
    fn search_end(&mut self, line: &FollowedLine, effort: SearchEffort) -> FoundMove {
        let depth = effort.depth.saturating_sub(u32::from(!line.own_turn)).max(1);
        self.search(line.board_to_move(), SearchEffort { depth, ..effort })
    }

    /// After a large loss, looks at the mistake as deep as at the ends of lines, which are held against its value. A value by which it loses
    /// nothing is not taken: it is told that the move loses.
    fn look_at_mistake_again(&mut self, lines: &mut ComparedLines) {
        if lines.loss < LARGE_LOSS || lines.proved || self.limits.time.is_some() {
            return;
        }
        let mistake = lines.first_plies(&lines.played, 1);
        if mistake.end.is_over() {
            return;
        }
        let found = self.value_looked_at_deeper(&mistake);
        let loses = found <= lines.best - LEAST_LOSS_TOLD;
        if let Some(value) = lines.values.first_mut().filter(|_| loses) {
            *value = found;
        }
    }

    /// The value of the end of a line for the one who made its first move, by a search that is deeper than those along it.
    fn value_looked_at_deeper(&mut self, end: &FollowedLine) -> i32 {
        let found = self.search_end(end, confirming_effort(self.effort));
        if end.own_turn { found.score } else { -found.score }
    }

    /// The dearest cause whose line shows a loss that is still there; `None` if none costs enough.
    fn find_main_cause(&mut self, lines: &ComparedLines, others: &OtherMoves) -> Option<PricedCause> {
        let mut found = self.price_corners(lines);
        found.extend(self.price_answer(lines, others));
        found.extend(lines.price_causes());
        found.iter_mut().for_each(|priced| others.limit_price(lines, priced));
        yield_to_corners(&mut found);
        let can_be_told = found.into_iter().filter(|priced| lines.can_end_after(priced.plies));
        let mut in_turn: Vec<(u8, PricedCause)> =
            can_be_told.filter_map(|priced| Some((lines.turn_of(&priced)?, priced))).collect();
        in_turn.sort_by(|(first, a), (second, b)| {
            first.cmp(second).then(b.rank().total_cmp(&a.rank())).then(a.cause.cmp(&b.cause))
        });
        in_turn.into_iter().next().map(|(_, priced)| priced)
    }

    /// Is the loss still there after so many moves of the line played when one looks deeper than along the line? What is found there is
    /// kept, so that another end is chosen if not.
    fn confirm_end(&mut self, lines: &mut ComparedLines, plies: usize) -> bool {
        let end = lines.first_plies(&lines.played, plies);
        if plies <= 1 || lines.proved || end.end.is_over() || self.limits.time.is_some() {
            return true;
        }
        let found = self.value_looked_at_deeper(&end);
        if let Some(value) = lines.values.get_mut(plies - 1) {
            *value = found;
        }
        let holds = lines.is_loss_still_there(plies);
        if !holds {
            lines.areas = lines.find_area_costs(&self.searcher.evaluation());
        }
        holds
    }

    /// What the other moves are worth, and what is expected to follow them.
    fn follow_others(&mut self, lines: &ComparedLines) -> OtherMoves {
        let LevelLimits { time, clock, stop } = self.limits;
        let mut silent = |_: &FoundMove| {};
        let mut task = SearchTask { time, clock, stop, ..SearchTask::new(PROBE, &mut silent) };
        OtherMoves::new(lines, &self.searcher.search_each_move(lines.board, &mut task))
    }

    /// Corners that the opponent takes on the line played, or that are taken on the better line alone.
    fn price_corners(&mut self, lines: &ComparedLines) -> Vec<PricedCause> {
        let mut found = Vec::new();
        for (number, ply) in lines.played.plies.iter().enumerate().take(PLIES_TO_CORNER) {
            if !ply.own
                && ply.takes_corner()
                && !takes(&lines.better, ply.square, false, number + PLIES_LATER)
            {
                let cause = MistakeCause::OpensCorner {
                    corner: ply.square,
                    after: number,
                    seed: single_square(ply.find_seeds()),
                };
                let cost = self.price_corner(lines, number, ply);
                found.push(PricedCause::new(cause, cost, number + 1));
            }
        }
        for (number, ply) in lines.better.plies.iter().enumerate().take(PLIES_NEAR) {
            // One that is taken in the end all the same, however late, is not missed.
            if ply.own && ply.takes_corner() && !takes(&lines.played, ply.square, true, usize::MAX) {
                let cost = self.worth_of_corner(ply).max(lines.areas.of_area(BoardArea::Corner(ply.square)));
                let cause = MistakeCause::MissesCorner { corner: ply.square };
                let plies = lines.plies_shown();
                found.push(PricedCause { better_plies: number + 1, ..PricedCause::new(cause, cost, plies) });
            }
        }
        found
    }

    /// What it costs that the opponent takes a corner by this ply of the line played.
    fn price_corner(&mut self, lines: &ComparedLines, number: usize, ply: &LinePly) -> f64 {
        let area = lines.areas.of_area(BoardArea::Corner(ply.square));
        // One that falls in the end on the better line, too, is worth what the board says, and so is one that is far away.
        let is_far = !lines.proved && number >= PLIES_NEAR;
        if is_far || takes(&lines.better, ply.square, false, PLIES_COMPARED) {
            return area;
        }
        let least = if number == 1 { price::CORNER_AT_ONCE } else { 0.0 };
        self.worth_of_corner(ply).max(least).max(area)
    }

    /// What a move to a corner is worth to the one who makes it, and [`price::CORNER`] at least before the last squares.
    fn worth_of_corner(&mut self, ply: &LinePly) -> f64 {
        let least = if ply.before.empty_count() > MOBILITY_UNTIL { price::CORNER } else { 0.0 };
        self.worth_of_move(ply).max(least)
    }

    /// What a move is worth to the one who makes it: its value less that of the best move elsewhere.
    fn worth_of_move(&mut self, ply: &LinePly) -> f64 {
        self.hold_against_next(ply).0
    }

    /// What a move is worth to the one who makes it, and the best move elsewhere, if there is one; if not, a pass stands for it.
    fn hold_against_next(&mut self, ply: &LinePly) -> (f64, Option<Square>) {
        let mut value_after = |board: Board| -self.value_of(board, PROBE);
        let with = value_after(ply.before.play_unchecked(ply.square));
        let elsewhere = iter_squares(ply.before.legal_moves() & !ply.square.bit());
        let next = elsewhere
            .map(|square| (value_after(ply.before.play_unchecked(square)), square))
            .max_by_key(|&(value, _)| value);
        let without = next.map_or_else(|| value_after(ply.before.pass()), |(value, _)| value);
        (f64::from(with - without), next.map(|(_, square)| square))
    }

    /// The opponent's answer, where without it the move would lose less: the square of the best move, or another that the best move would
    /// have spared. A corner says more by itself, and near the end all squares are filled.
    fn price_answer(&mut self, lines: &ComparedLines, others: &OtherMoves) -> Option<PricedCause> {
        let best = lines.better.plies.first()?;
        let answer = lines.played.plies.get(1).filter(|ply| !ply.own)?;
        if answer.takes_corner() || lines.board.empty_count() <= MOBILITY_UNTIL {
            return None;
        }
        let (to_other, next) = self.hold_against_next(answer);
        if to_other < LEAST_WORTH_TO_OTHER {
            return None;
        }
        let to_own = f64::from(others.least_loss_beside(best.square).unwrap_or(lines.loss));
        if answer.square == best.square && to_own >= LEAST_WORTH_TO_OWN {
            return Some(lines.price_key_square(answer.square, to_other + to_own));
        }
        let next = next.filter(|_| to_other >= LEAST_SPARED)?;
        let after_best = self.find_loss_after(best, answer.square);
        let is_spared = after_best.is_none_or(|loss| loss >= LEAST_SPARED);
        is_spared.then(|| lines.price_allowed(answer, next, to_other, after_best))
    }

    /// What an answer to this move would lose against another one, in discs, 0 at least: 0 too where there is no other. `None` if it would not be
    /// legal.
    fn find_loss_after(&mut self, best: &LinePly, answer: Square) -> Option<f64> {
        let before = best.before.play_unchecked(best.square);
        if !before.is_legal(answer) {
            return None;
        }
        let (worth, next) = self.hold_against_next(&LinePly { square: answer, own: false, before });
        Some(next.map_or(0.0, |_| (-worth).max(0.0)))
    }
}

/// The region of empty squares with this one.
pub(super) fn find_region_of(board: Board, square: Square) -> Option<ParityRegion> {
    find_regions(board).into_iter().find(|region| region.squares & square.bit() != 0)
}

/// Has the one who made the first move of a line to pass before both have answered, and the other?
pub(super) fn passes_soon(line: &FollowedLine, board: Board) -> (bool, bool) {
    line.first_plies(board, PLIES_COUNTED).passes
}

/// Discs that the answer to the first move of a line turns; `None` if there is no answer.
pub(super) fn count_turned_by_answer(line: &FollowedLine) -> Option<u32> {
    let answer = line.plies.get(1).filter(|ply| !ply.own);
    answer.map(|ply| ply.before.flips(ply.square).count_ones())
}

/// Own discs beside empty squares.
pub(super) fn count_wall(board: Board) -> u32 {
    count_frontier(board.player, board)
}

/// Does the one who made the first move of a line (or the other) take this square within so many plies?
fn takes(line: &FollowedLine, square: Square, own: bool, plies: usize) -> bool {
    line.plies.iter().take(plies).any(|ply| ply.square == square && ply.own == own)
}

/// Are these causes of one kind, whatever their figures?
fn is_same_kind(one: MistakeCause, other: MistakeCause) -> bool {
    std::mem::discriminant(&one) == std::mem::discriminant(&other)
}

/// Own moves, less those of the other.
pub(super) fn margin_of((own, other): (u32, u32)) -> i32 {
    own as i32 - other as i32
}

/// The square of a bitboard with one alone.
fn single_square(bits: u64) -> Option<Square> {
    (bits.count_ones() == 1).then(|| Square::from_lowest_bit(bits))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coach::testing;
    use crate::search::SearchParams;
    use ishi_engine::StoppedClock;
    use ishi_othello::Move;
    use ishi_rng::Seed;

    const LIMITS: LevelLimits<'static> = LevelLimits { time: None, clock: &StoppedClock, stop: &|| false };
    const EFFORT: SearchEffort =
        SearchEffort { depth: 6, exact: 12, win_loss: 12, confidence: CutConfidence::Full };

    #[test]
    fn kinds_of_lessons_have_names_of_their_own() {
        for (place, kind) in LessonKind::ALL.into_iter().enumerate() {
            assert_eq!(LessonKind::from_name(kind.name()), Some(kind));
            assert_eq!(kind as usize, place, "all of them, in their order");
        }
        assert_eq!(LessonKind::from_name("Corners"), None);
    }

    /// The main reason against a move, if it loses, and how much it loses.
    fn judge(board: Board, played: Square) -> (i32, Option<MainReason>) {
        let mut searcher = Searcher::new(SearchParams { hash_bits: 14, threads: 1 });
        let search = |searcher: &mut Searcher, board| {
            let mut probe = MistakeProbe { searcher, effort: EFFORT, limits: LIMITS };
            probe.search(board, EFFORT)
        };
        let best = search(&mut searcher, board);
        let after = board.play_unchecked(played);
        let (value, mut line) = (
            match after.is_over() {
                true => -after.final_score(),
                false => -search(&mut searcher, after).score,
            },
            vec![played],
        );
        line.extend(search(&mut searcher, after).variation);
        let proved = best.meaning == ScoreMeaning::Exact;
        let mistake = FoundMistake { board, line: &line, value, best: &best, proved };
        (best.score - value, find_main_reason(mistake, &mut searcher, EFFORT, LIMITS))
    }

    fn random_board(seed: u64, plies: usize) -> Board {
        let mut rng = Seed::new(seed).stream("causes", 0);
        let mut board = Board::START;
        for _ in 0..plies {
            let children: Vec<Board> = board.children().map(|(_, child)| child).collect();
            board = rng.choose(&children).copied().unwrap_or(board.pass());
        }
        board
    }

    /// Lines without values, of a move that loses 4 discs.
    fn compare(board: Board, played: FollowedLine, better: FollowedLine) -> ComparedLines {
        ComparedLines {
            board,
            loss: 4,
            best: 0,
            played,
            values: Vec::new(),
            better,
            proved: false,
            drift: MOST_DRIFT,
            areas: AreaCosts::default(),
        }
    }

    /// Neighbouring moves of random boards, played after so many plies, each a line of its own; the second stands for the best one.
    fn list_pairs(
        seeds: u64,
        plies: impl Fn(u64) -> usize,
    ) -> impl Iterator<Item = ([Square; 2], ComparedLines)> {
        (0..seeds).map(move |seed| random_board(seed, plies(seed))).flat_map(|board| {
            let moves: Vec<Square> = iter_squares(board.legal_moves()).collect();
            let pairs: Vec<[Square; 2]> = moves.windows(2).map(|pair| [pair[0], pair[1]]).collect();
            pairs.into_iter().map(move |pair| {
                let [played, better] = pair.map(|first| FollowedLine::new(board, &[first]));
                (pair, compare(board, played, better))
            })
        })
    }

    #[test]
    fn a_corner_that_is_opened_is_told_with_the_line_that_takes_it() {
        let mut told = 0;
        for seed in 0..12 {
            let board = random_board(seed, 40 + (seed as usize % 4) * 2);
            for played in iter_squares(board.legal_moves()) {
                let Some(reason) = judge(board, played).1 else { continue };
                let MistakeCause::OpensCorner { corner, .. } = reason.cause else { continue };
                assert_eq!((reason.line[0], *reason.line.last().unwrap()), (played, corner));
                assert!(CORNERS & corner.bit() != 0, "{reason:?}");
                told += 1;
            }
        }
        assert!(told > 0);
    }

    /// Every move that loses 2 discs has a reason, others have none; the line is legal and shows what is said.
    #[test]
    fn every_loss_has_a_reason_that_its_line_shows() {
        let (mut told, mut refuted, mut counted, mut weighed, mut set_apart) = (0, 0, 0, 0, 0);
        for seed in 0..12 {
            let board = random_board(seed, 44 + (seed as usize % 4) * 2);
            for played in iter_squares(board.legal_moves()) {
                let (loss, reason) = judge(board, played);
                assert_eq!(reason.is_some(), loss >= LEAST_LOSS_TOLD, "{board:?} {played}");
                let Some(reason) = reason else { continue };
                assert!((1..=loss).contains(&reason.cost), "{reason:?}");
                let line = FollowedLine::new(board, &reason.line);
                assert_eq!((line.squares(), reason.line[0]), (reason.line.clone(), played), "{reason:?}");
                told += 1;
                let best = FollowedLine::new(board, &reason.better);
                assert_eq!(best.squares(), reason.better, "{reason:?}");
                let answer = line.plies.get(1).filter(|ply| !ply.own).map(|ply| ply.square);
                assert_eq!(reason.answer, answer);
                let last = line.plies.last().unwrap();
                match reason.cause {
                    MistakeCause::Refuted { value, better } => {
                        refuted += 1;
                        assert_eq!(better - value, loss);
                    }
                    MistakeCause::OpensCorner { corner, after, .. } => {
                        assert_eq!((last.square, last.own, line.plies.len()), (corner, false, after + 1));
                    }
                    MistakeCause::LeavesSquare { square } => {
                        assert_eq!((&reason.line, reason.answer), (&vec![played, square], Some(square)));
                        assert_eq!(reason.better[0], square, "{reason:?}");
                    }
                    MistakeCause::AllowsAnswer { square, discs, .. } => {
                        assert_eq!(reason.answer, Some(square), "{reason:?}");
                        assert!(discs >= 2, "{reason:?}");
                    }
                    MistakeCause::MustPass => assert!(line.passes.0 && !line.own_turn, "{reason:?}"),
                    MistakeCause::SparesPass => {
                        assert!(!line.passes.1 && best.passes.1 && best.own_turn, "{reason:?}");
                    }
                    MistakeCause::GivesLastMove { region, .. } => {
                        let regions = find_regions(board);
                        let region = regions.iter().find(|each| each.squares & region.bit() != 0).unwrap();
                        assert_eq!(line.is_last_of_region_own(region.squares), Some(false));
                    }
                    MistakeCause::LosesTempo { safe, .. } => {
                        assert_eq!(BoardStanding::of_board(line.end).safe_moves, safe);
                    }
                    MistakeCause::GivesMobility { moves, .. } => {
                        assert_eq!(BoardStanding::of_board(line.end).moves, moves);
                    }
                    MistakeCause::PoisonsSquare { corner, .. } => {
                        assert_eq!(find_touched_corner(board, played), Some(corner));
                    }
                    MistakeCause::TurnsBack { discs, .. } => {
                        assert_eq!(last.before.flips(last.square).count_ones(), discs);
                    }
                    MistakeCause::MissesCorner { corner } => {
                        assert_eq!(reason.better.last(), Some(&corner));
                    }
                    MistakeCause::BuildsWall { discs, .. } => {
                        assert_eq!(count_frontier(line.end.player, line.end), discs);
                    }
                    MistakeCause::LosesArea { area, discs } => {
                        let better = FollowedLine::new(board, &reason.better).end;
                        let margin = |end: Board| {
                            (end.player & area.squares()).count_ones() as i32
                                - (end.opponent & area.squares()).count_ones() as i32
                        };
                        let lost = margin(better) - margin(line.end);
                        assert!((lost - 2 * discs as i32).abs() <= 1, "{reason:?}");
                        counted += 1;
                    }
                    MistakeCause::LosesAccess { quarter, moves, better } => {
                        let squares = BoardArea::Quarter(quarter).squares();
                        assert_eq!(count_moves_in(line.end, squares), moves);
                        assert_eq!(count_moves_in(best.end, squares), better);
                        set_apart += 1;
                    }
                    MistakeCause::MissesMerit { merit } => {
                        check_figures(board, merit, reason.better[0], played);
                        set_apart += 1;
                    }
                    MistakeCause::HasFault { fault } => {
                        assert_eq!(reason.line, [played], "{reason:?}");
                        check_figures(board, fault, played, reason.better[0]);
                        set_apart += 1;
                    }
                    MistakeCause::WeakensArea { discs, .. } => {
                        assert!((1..=loss).contains(&(discs as i32)));
                        assert_eq!(reason.better.len(), reason.line.len());
                        weighed += 1;
                    }
                    _ => (),
                }
            }
        }
        assert!(told > 30 && refuted * 4 < told, "{told} told, {refuted} of them refuted");
        assert!(counted > 0 && weighed * 4 < told, "{counted} counted, {weighed} weighed by the evaluation");
        assert!(set_apart > 0);
    }

    /// Checks by the board alone what is said of a move beside another one.
    fn check_figures(board: Board, fact: CoachReason, square: Square, other: Square) {
        let [after, after_other] = [square, other].map(|square| board.play_unchecked(square));
        let count = |board: Board| board.legal_moves().count_ones();
        match fact {
            CoachReason::FewReplies { replies, usual } | CoachReason::ManyReplies { replies, usual } => {
                assert_eq!((replies, usual), (count(after), count(after_other)));
            }
            CoachReason::FewOwnMoves { moves, usual } => {
                assert_eq!((moves, usual), (count(after.pass()), count(after_other.pass())));
            }
            CoachReason::AllowsWedge { square } => {
                assert!(after.is_legal(square), "{square} can be played");
                let wedged = after.play_unchecked(square);
                assert!(!wedged.is_legal(square) && wedged.opponent & square.bit() != 0);
            }
            CoachReason::Greedy { turned } => {
                assert_eq!(turned, board.flips(square).count_ones());
            }
            CoachReason::ForcesPass => assert_eq!(count(after), 0),
            _ => (),
        }
    }

    /// The best move of a board that has one.
    fn find_best(probe: &mut MistakeProbe<'_, '_>, board: Board) -> Option<Square> {
        let found = (!board.is_over()).then(|| probe.search(board, EFFORT));
        found.and_then(|found| found.mv.square())
    }

    /// A square by which one answers and the other had its best move is told as far as both need it, but no corner, and nothing near the end.
    #[test]
    fn the_best_square_of_both_is_told_where_both_need_it() {
        let (mut told, mut as_good_elsewhere) = (0, 0);
        for seed in 0..30 {
            let board = random_board(seed, if seed % 3 == 0 { 52 } else { 34 });
            let late = board.empty_count() <= MOBILITY_UNTIL;
            let mut searcher = Searcher::new(SearchParams { hash_bits: 12, threads: 1 });
            let mut probe = MistakeProbe { searcher: &mut searcher, effort: EFFORT, limits: LIMITS };
            let Some(square) = find_best(&mut probe, board) else { continue };
            for played in iter_squares(board.legal_moves() & !square.bit()) {
                let both = FollowedLine::new(board, &[played, square]);
                let lines = compare(board, both.clone(), FollowedLine::new(board, &[square]));
                let others = probe.follow_others(&lines);
                let found = probe.price_answer(&lines, &others);
                let answers = both.plies.len() == 2 && !both.plies[1].own;
                if late || !answers || CORNERS & square.bit() != 0 {
                    assert!(found.is_none(), "{board:?} {played} {square}");
                    continue;
                }
                as_good_elsewhere += usize::from(found.is_none());
                let Some(priced) = found else { continue };
                assert_eq!(priced.plies, 2);
                assert!((LEAST_WORTH_TO_OTHER..=4.0).contains(&priced.cost), "{priced:?}");
                let is_needed = others.least_loss_beside(square).is_none_or(|loss| loss >= 1);
                match priced.cause {
                    MistakeCause::LeavesSquare { square: at } => assert!(at == square && is_needed),
                    MistakeCause::AllowsAnswer { square: at, after_best: None, .. } => {
                        assert!(at == square && !is_needed);
                    }
                    other => panic!("{board:?} {other:?}"),
                }
                // Another best move, and nothing is said.
                let other = compare(board, both, FollowedLine::new(board, &[played]));
                assert!(probe.price_answer(&other, &others).is_none(), "{board:?} {played} {square}");
                told += usize::from(is_needed);
            }
        }
        assert!(told > 0 && as_good_elsewhere > 0, "{told} told, {as_good_elsewhere} as good elsewhere");
    }

    /// Is this move the best alone, by searches that know of none before?
    fn leads_others(board: Board, square: Square) -> bool {
        let value = |square: Square| {
            let mut searcher = Searcher::new(SearchParams { hash_bits: 12, threads: 1 });
            let mut probe = MistakeProbe { searcher: &mut searcher, effort: EFFORT, limits: LIMITS };
            -probe.value_of(board.play_unchecked(square), PROBE)
        };
        let others = iter_squares(board.legal_moves() & !square.bit());
        others.map(value).max().is_none_or(|next| value(square) > next)
    }

    /// A single answer is told where the others are worse, and where it is not possible after the best move, or loses there.
    #[test]
    fn an_answer_is_told_where_the_best_move_spares_it() {
        let (mut impossible, mut loses_there, mut as_good_there, mut seen_again) = (0, 0, 0, 0);
        for seed in 0..20 {
            let board = random_board(seed, 30);
            let mut searcher = Searcher::new(SearchParams { hash_bits: 12, threads: 1 });
            let mut probe = MistakeProbe { searcher: &mut searcher, effort: EFFORT, limits: LIMITS };
            let Some(best) = find_best(&mut probe, board) else { continue };
            for played in iter_squares(board.legal_moves() & !best.bit()) {
                let after = board.play_unchecked(played);
                let Some(answer) = find_best(&mut probe, after) else { continue };
                let line = FollowedLine::new(board, &[played, answer]);
                let lines = compare(board, line, FollowedLine::new(board, &[best]));
                let others = probe.follow_others(&lines);
                let found = probe.price_answer(&lines, &others);
                let is_legal = board.play_unchecked(best).is_legal(answer);
                let Some(priced) = found else {
                    as_good_there += usize::from(is_legal);
                    continue;
                };
                let MistakeCause::AllowsAnswer { square, discs, after_best, .. } = priced.cause else {
                    assert_eq!(priced.cause, MistakeCause::LeavesSquare { square: best });
                    continue;
                };
                assert_eq!((square, after_best.is_some()), (answer, is_legal), "{board:?}");
                assert!(discs >= 2 && after_best.is_none_or(|loss| loss >= 2), "{board:?} {priced:?}");
                assert_eq!(priced.cost, f64::from(discs).min(4.0));
                assert_eq!(lines.to_reason(&priced).line, [played, answer]);
                let others_there = board.play_unchecked(best).legal_moves() & !answer.bit();
                assert!(after_best.is_none() || others_there != 0, "{board:?}: an only move loses nothing");
                impossible += usize::from(after_best.is_none());
                loses_there += usize::from(after_best.is_some());
                seen_again += usize::from(leads_others(after, answer));
            }
        }
        let told = impossible + loses_there;
        assert!(impossible > 0 && loses_there > 0, "{impossible} impossible, {loses_there} lose there");
        assert!(as_good_there > 0 && seen_again * 4 >= told * 3, "{seen_again} of {told} are seen again");
    }

    /// Its first move, and then always the first that is legal, to the end of the game.
    fn follow_to_the_end(board: Board, first: Square) -> FollowedLine {
        let mut line = FollowedLine::new(board, &[first]);
        while let Some(next) = iter_squares(line.board_to_move().legal_moves()).next() {
            let mut squares = line.squares();
            squares.push(next);
            line = FollowedLine::new(board, &squares);
        }
        line
    }

    /// The first two legal moves, each followed to the end of the game; the second stands for the best one.
    fn compare_first_moves(board: Board) -> Option<ComparedLines> {
        let mut moves = iter_squares(board.legal_moves());
        let (first, second) = (moves.next()?, moves.next()?);
        Some(compare(board, follow_to_the_end(board, first), follow_to_the_end(board, second)))
    }

    /// The last move of a region counts where the region is filled soon.
    #[test]
    fn last_moves_far_away_are_not_told() {
        let (mut told, mut far) = (0, 0);
        for seed in 0..300 {
            let board = random_board(seed, 42);
            let Some(lines) = compare_first_moves(board) else { continue };
            let is_given = |region: &ParityRegion| {
                let [played, better] =
                    [&lines.played, &lines.better].map(|line| line.is_last_of_region_own(region.squares));
                region.size() > 1 && played == Some(false) && better == Some(true)
            };
            let given = find_regions(board).iter().filter(|region| is_given(region)).count();
            let found = lines.price_last_moves();
            assert!(found.iter().all(|priced| priced.plies <= PLIES_OF_PARITY), "{board:?} {found:?}");
            told += found.len();
            far += given - found.len();
        }
        assert!(told > 0 && far > 0, "{told} told, {far} far away");
    }

    /// Moves are counted after the first number of plies that shows a difference, if one does, or right after the move, where it is larger.
    #[test]
    fn moves_are_counted_where_a_difference_shows() {
        let (mut when_answered, mut elsewhere, mut at_once, mut nowhere) = (0, 0, 0, 0);
        for seed in 0..200 {
            let board = random_board(seed, 30);
            let lines = compare_first_moves(board).filter(|lines| lines.played.plies.len() >= PLIES_TRIED[1]);
            let Some(lines) = lines else { continue };
            let shows = |&plies: &usize| {
                let [played, better] = [&lines.played, &lines.better]
                    .map(|line| BoardStanding::of_board(lines.first_plies(line, plies).end).moves);
                margin_of(better) >= margin_of(played) + 2
            };
            let is_mobility =
                |priced: &&PricedCause| matches!(priced.cause, MistakeCause::GivesMobility { .. });
            let cost_after = |plies: usize| {
                lines.price_moves_after(plies).iter().find(is_mobility).map_or(0.0, |priced| priced.cost)
            };
            let first = PLIES_TRIED.into_iter().find(|plies| lines.can_end_after(*plies) && shows(plies));
            let is_larger = first.is_some_and(|plies| plies > 1 && cost_after(1) > cost_after(plies));
            let wanted = if is_larger { Some(1) } else { first };
            at_once += usize::from(is_larger);
            let found = lines.price_moves();
            assert_eq!(found.iter().find(is_mobility).map(|priced| priced.plies), wanted, "{board:?}");
            assert!(found.iter().filter(is_mobility).count() <= 1);
            match wanted {
                Some(PLIES_COUNTED) => when_answered += 1,
                Some(_) => elsewhere += 1,
                None => nowhere += 1,
            }
        }
        let counts = [when_answered, elsewhere, at_once, nowhere];
        assert!(!counts.contains(&0), "{counts:?}");
    }

    /// A corner is missed only if the one who erred gets it at no time on the line played, and soon on the better one.
    #[test]
    fn a_corner_that_falls_late_is_not_missed() {
        let (mut told, mut late, mut far) = (0, 0, 0);
        for seed in 0..300 {
            let board = random_board(seed, 40);
            // What is far away counts not even where all is proved.
            let Some(lines) = compare_first_moves(board) else { continue };
            let lines = ComparedLines { proved: true, ..lines };
            let mut searcher = Searcher::new(SearchParams { hash_bits: 12, threads: 1 });
            let mut probe = MistakeProbe { searcher: &mut searcher, effort: EFFORT, limits: LIMITS };
            for priced in probe.price_corners(&lines) {
                let MistakeCause::MissesCorner { corner } = priced.cause else { continue };
                assert!(!takes(&lines.played, corner, true, usize::MAX), "{board:?} {priced:?}");
                assert!(priced.better_plies <= PLIES_NEAR, "{board:?} {priced:?}");
                told += 1;
            }
            let corners = lines.better.plies.iter().enumerate().take(PLIES_COMPARED);
            for (number, ply) in corners.filter(|(_, ply)| ply.own && ply.takes_corner()) {
                let within = |plies| takes(&lines.played, ply.square, true, plies);
                late += usize::from(within(usize::MAX) && !within(PLIES_COMPARED));
                far += usize::from(!within(usize::MAX) && number >= PLIES_NEAR);
            }
        }
        assert!(told > 0 && late > 0 && far > 0, "{told} told, {late} late, {far} far");
    }

    /// A part of the board and a single answer must explain half of a loss, and other causes a quarter or 2 discs.
    #[test]
    fn parts_of_the_board_and_answers_must_explain_half_of_the_loss() {
        let line = FollowedLine::new(Board::START, &[]);
        let lines = compare(Board::START, line.clone(), line);
        let area = MistakeCause::WeakensArea { area: BoardArea::Middle, discs: 3 };
        let square = Square::from_lowest_bit(1);
        let answer = MistakeCause::AllowsAnswer { square, discs: 3, after_best: None, merit: None };
        let least = |loss| {
            let lines =
                ComparedLines { loss, ..compare(Board::START, lines.played.clone(), lines.better.clone()) };
            [area, answer, MistakeCause::MustPass].map(|cause| lines.least_cost(cause))
        };
        assert_eq!([2, 4, 20].map(least), [[1.0, 1.0, 0.5], [2.0, 2.0, 1.0], [10.0, 10.0, 2.0]]);
    }

    /// A pass in the middle of a line is told with the moves before it, not with those behind.
    #[test]
    fn a_pass_is_told_where_it_is() {
        let first_moves = |board: Board| {
            let mut squares = Vec::new();
            while squares.len() < PLIES_COUNTED {
                let to_move = FollowedLine::new(board, &squares).board_to_move();
                let Some(next) = iter_squares(to_move.legal_moves()).next() else { break };
                squares.push(next);
            }
            FollowedLine::new(board, &squares)
        };
        let (mut own, mut others) = (0, 0);
        for seed in 0..400 {
            let board = random_board(seed, 50);
            if board.legal_moves() == 0 {
                continue;
            }
            let (line, none) = (first_moves(board), FollowedLine::new(board, &[]));
            for priced in compare(board, line.clone(), none.clone()).price_passes() {
                assert_eq!(priced.cause, MistakeCause::MustPass);
                let told = FollowedLine::new(board, &line.squares()[..priced.plies]);
                assert!(told.passes.0 && !told.own_turn, "{board:?}");
                own += 1;
            }
            for priced in compare(board, none, line.clone()).price_passes() {
                assert_eq!(priced.cause, MistakeCause::SparesPass);
                let told = FollowedLine::new(board, &line.squares()[..priced.better_plies]);
                assert!(told.passes.1 && told.own_turn, "{board:?}");
                others += 1;
            }
        }
        assert!(own > 0 && others > 0, "{own} own passes, {others} of the other side");
    }

    /// What is said of discs that nobody can turn counts those of both sides, and is told with the lines where they stand.
    #[test]
    fn stable_discs_of_both_sides_count() {
        let follow = |board: Board, first: Square| {
            let mut squares = vec![first];
            while squares.len() < PLIES_COMPARED {
                let to_move = FollowedLine::new(board, &squares).board_to_move();
                let Some(next) = iter_squares(to_move.legal_moves()).next() else { break };
                squares.push(next);
            }
            FollowedLine::new(board, &squares)
        };
        let (mut told, mut made_up_for) = (0, 0);
        for seed in 0..400 {
            let board = random_board(seed, 40);
            let mut lines = iter_squares(board.legal_moves()).map(|first| follow(board, first));
            let (Some(played), Some(better)) = (lines.next(), lines.next()) else { continue };
            // Lines that are proved may end with any move.
            let lines = ComparedLines { proved: true, ..compare(board, played, better) };
            let [on_played, on_better] =
                [&lines.played, &lines.better].map(|line| BoardStanding::of_board(line.end).stable);
            let count = |discs: u64| discs.count_ones() as i32;
            let others_gain = count(on_played.1) - count(on_better.1);
            let own_gain = count(on_played.0) - count(on_better.0);
            let found = lines.price_stable_discs();
            let of_all = found.iter().find_map(|priced| match priced.cause {
                MistakeCause::GivesStable { discs } => Some((discs as i32, *priced)),
                _ => None,
            });
            assert_eq!(of_all.is_some(), others_gain - own_gain >= 2, "{board:?}");
            made_up_for += usize::from(others_gain >= 2 && of_all.is_none());
            let Some((discs, priced)) = of_all else { continue };
            assert_eq!(discs, others_gain - own_gain, "{board:?}");
            let reason = lines.to_reason(&priced);
            assert_eq!((reason.line, reason.better), (lines.played.squares(), lines.better.squares()));
            told += 1;
        }
        assert!(told > 0 && made_up_for > 0, "{told} told, {made_up_for} made up for by own discs");
    }

    /// Stable discs are counted while squares are left: at the end all discs are such ones.
    #[test]
    fn stable_discs_are_not_counted_at_the_end() {
        let (mut told, mut left_out) = (0, 0);
        for seed in 0..300 {
            let board = random_board(seed, 48);
            let Some(lines) = compare_first_moves(board) else { continue };
            let [on_played, on_better] =
                [&lines.played, &lines.better].map(|line| BoardStanding::of_board(line.end).stable);
            let found = lines.price_stable_discs();
            for priced in &found {
                let end = lines.first_plies(&lines.played, priced.plies).end;
                assert!(end.empty_count() >= LEFT_WITH_STABLE, "{board:?} {priced:?}");
                told += 1;
            }
            let differs = on_played.1.count_ones() >= on_better.1.count_ones() + 4;
            left_out += usize::from(found.is_empty() && differs);
        }
        assert!(told > 0 && left_out > 0, "{told} told, {left_out} left out");
    }

    /// Who is left with hardly a move pays more for it than for the moves alone.
    #[test]
    fn running_out_of_moves_costs_more() {
        let (mut none_left, mut some_left) = (0, 0);
        for (pair, lines) in list_pairs(300, |seed| if seed % 2 == 0 { 34 } else { 46 }) {
            let [worse, best] =
                [&lines.played, &lines.better].map(|line| BoardStanding::of_board(line.end).moves);
            let found = lines.price_moves();
            let is_mobility =
                |priced: &&PricedCause| matches!(priced.cause, MistakeCause::GivesMobility { .. });
            let Some(priced) = found.iter().find(is_mobility) else { continue };
            let usual = price::MOVE * f64::from(margin_of(best) - margin_of(worse));
            let runs_out = worse.0 <= 1 && best.0 >= MOVES_ENOUGH;
            let more = if runs_out { price::NO_MOVES } else { 0.0 };
            assert_eq!(priced.cost, usual + more, "{:?} {pair:?}", lines.board);
            none_left += usize::from(runs_out);
            some_left += usize::from(!runs_out);
        }
        assert!(none_left > 0 && some_left > 0, "{none_left} with none left, {some_left} with some");
    }

    /// In the opening moves are counted, and not safe moves. Later safe moves are counted where few are left.
    #[test]
    fn safe_moves_are_counted_where_they_are_scarce() {
        let (mut told, mut early, mut many) = (0, 0, 0);
        for (pair, lines) in list_pairs(200, |seed| if seed % 2 == 0 { 8 } else { 24 }) {
            let [worse, best] =
                [&lines.played, &lines.better].map(|line| BoardStanding::of_board(line.end).safe_moves);
            let found = lines.price_moves();
            let is_told = found.iter().any(|priced| matches!(priced.cause, MistakeCause::LosesTempo { .. }));
            let loses = margin_of(best) >= margin_of(worse) + 2;
            let (late, few) = (lines.board.empty_count() <= TEMPO_FROM, worse.0 <= SAFE_MOVES_COUNTED);
            assert_eq!(is_told, loses && late && few, "{:?} {pair:?}", lines.board);
            told += usize::from(is_told);
            early += usize::from(loses && !late && few);
            many += usize::from(loses && late && !few);
        }
        assert!(
            told > 0 && early > 0 && many > 0,
            "{told} told, {early} early, {many} where enough are left"
        );
    }

    /// A move that opens the position is blamed for it only if the opponent has more moves after it, or the one who erred fewer.
    #[test]
    fn open_squares_are_told_where_they_cost_moves() {
        let (mut given, mut lost, mut without_moves) = (0, 0, 0);
        for (pair, lines) in list_pairs(100, |_| 24) {
            let [worse, best] = pair.map(|square| MoveFacts::from_move(lines.board, square));
            let (opens, gives) = (worse.openness >= best.openness + 2, worse.replies > best.replies);
            let loses = worse.own_moves < best.own_moves;
            let found = lines.price_the_square();
            let told = found.iter().find_map(|priced| match priced.cause {
                MistakeCause::BreaksQuiet { gives, .. } => Some(gives),
                _ => None,
            });
            let wanted = (opens && (gives || loses)).then_some(gives);
            assert_eq!(told, wanted, "{:?} {pair:?}", lines.board);
            given += usize::from(told == Some(true));
            lost += usize::from(told == Some(false));
            without_moves += usize::from(opens && told.is_none());
        }
        assert!(given > 0 && lost > 0 && without_moves > 0, "{given} {lost} {without_moves}");
    }

    /// A square beside a corner is blamed where the corner costs something, and not elsewhere.
    #[test]
    fn squares_are_poison_where_the_corner_costs_something() {
        let evaluation = Evaluation::shipped();
        let (mut told, mut harmless) = (0, 0);
        for (pair, mut lines) in list_pairs(100, |_| 36) {
            lines.areas =
                AreaCosts::compare_lines(&lines.played, &lines.better, &evaluation).unwrap_or_default();
            let touched = pair.map(|square| find_touched_corner(lines.board, square));
            let is_told = lines.price_the_square().iter().any(|priced| {
                matches!(priced.cause, MistakeCause::PoisonsSquare { corner, .. } if Some(corner) == touched[0])
            });
            let [Some(corner), None] = touched else {
                assert!(!is_told, "{:?} {pair:?}", lines.board);
                continue;
            };
            let costs = lines.areas.of_area(BoardArea::Corner(corner)) >= LEAST_AREA_COST;
            assert_eq!(is_told, costs, "{:?} {pair:?}", lines.board);
            told += usize::from(is_told);
            harmless += usize::from(!is_told);
        }
        assert!(told > 0 && harmless > 0, "{told} told, {harmless} harmless");
    }

    /// No fault costs more than another move loses that has it, too.
    #[test]
    fn no_fault_costs_more_than_another_move_with_it_loses() {
        let (mut limited, mut made_nothing, mut kept) = (0, 0, 0);
        for seed in 0..40 {
            let board = random_board(seed, 34);
            let moves: Vec<Square> = iter_squares(board.legal_moves()).collect();
            let mut searcher = Searcher::new(SearchParams { hash_bits: 12, threads: 1 });
            let mut probe = MistakeProbe { searcher: &mut searcher, effort: EFFORT, limits: LIMITS };
            for pair in moves.windows(2) {
                let [played, better] = [pair[0], pair[1]].map(|first| FollowedLine::new(board, &[first]));
                let [openness, least] =
                    [pair[0], pair[1]].map(|square| MoveFacts::from_move(board, square).openness);
                let cause = MistakeCause::BreaksQuiet { openness, better: least, pull: false, gives: true };
                let mut priced = PricedCause::new(cause, 3.0, 1);
                let lines = compare(board, played, better);
                probe.follow_others(&lines).limit_price(&lines, &mut priced);
                let best = moves.iter().map(|&square| value_after(&mut probe, board, square)).max().unwrap();
                let facts = MoveFacts::from_move(board, pair[0]);
                let alike = moves.iter().filter(|&&square| {
                    let other = MoveFacts::from_move(board, square);
                    square != pair[0] && other.openness >= openness && other.replies >= facts.replies
                });
                let least = alike.map(|&square| best - value_after(&mut probe, board, square)).min();
                let wanted = least.map_or(3.0, |least| f64::from(least).min(3.0));
                assert_eq!(priced.cost, wanted, "{board:?} {pair:?}");
                made_nothing += usize::from(priced.cost == 0.0);
                limited += usize::from(priced.cost < 3.0);
                kept += usize::from(priced.cost == 3.0);
            }
        }
        assert!(made_nothing > 0 && limited > made_nothing && kept > 0, "{made_nothing} {limited} {kept}");
    }

    /// As a search finds the first of these moves, with the others to follow.
    fn found_move(variation: &[Square], score: i32) -> FoundMove {
        FoundMove {
            mv: Move::Play(variation[0]),
            score,
            meaning: ScoreMeaning::Estimate,
            depth: 6,
            confidence: CutConfidence::Good,
            variation: variation.to_vec(),
            nodes: 1,
        }
    }

    /// An answer that is played after another move, too, is worth no more than that move loses.
    #[test]
    fn an_answer_that_other_moves_allow_costs_what_they_lose() {
        let found = |square: Square, answer: Square, score: i32| found_move(&[square, answer], score);
        let (mut limited, mut kept) = (0, 0);
        for seed in 0..40 {
            let board = random_board(seed, 24);
            let moves: Vec<Square> = iter_squares(board.legal_moves()).collect();
            let [played, best, other, ..] = moves[..] else { continue };
            let answers_to = |square| iter_squares(board.play_unchecked(square).legal_moves()).next();
            let [Some(answer), Some(to_best), Some(to_other)] = [played, best, other].map(answers_to) else {
                continue;
            };
            let lines = compare(
                board,
                FollowedLine::new(board, &[played, answer]),
                FollowedLine::new(board, &[best]),
            );
            // Only the better move of those that allow it limits the price.
            let all = [found(best, to_best, 0), found(other, to_other, -1), found(played, answer, -4)];
            let square = answer;
            let cause = MistakeCause::AllowsAnswer { square, discs: 3, after_best: None, merit: None };
            let mut priced = PricedCause::new(cause, 3.0, 2);
            OtherMoves::new(&lines, &all).limit_price(&lines, &mut priced);
            let least = [(to_best, 0.0), (to_other, 1.0)].into_iter().find(|(to, _)| *to == answer);
            assert_eq!(priced.cost, least.map_or(3.0, |(_, loss)| loss), "{board:?}");
            limited += usize::from(least.is_some());
            kept += usize::from(least.is_none());
        }
        assert!(limited > 0 && kept > 0, "{limited} limited, {kept} kept");
    }

    /// As the search of every move finds it.
    fn value_after(probe: &mut MistakeProbe<'_, '_>, board: Board, square: Square) -> i32 {
        let effort = SearchEffort {
            depth: PROBE.depth - 1,
            exact: PROBE.exact - 1,
            win_loss: PROBE.exact - 1,
            ..PROBE
        };
        -probe.value_of(board.play_unchecked(square), effort)
    }

    /// An end of a line is told only where the loss is still there and nobody went wrong once more.
    #[test]
    fn ends_are_chosen_where_the_loss_is_still_there() {
        let board = random_board(1, 20);
        let mut squares = Vec::new();
        while squares.len() < 5 {
            let to_move = FollowedLine::new(board, &squares).board_to_move();
            squares.extend(iter_squares(to_move.legal_moves()).next());
        }
        let line = FollowedLine::new(board, &squares);
        let values = vec![-4, -5, -3, -2, -7];
        let lines = ComparedLines { values, ..compare(board, line.clone(), line) };
        let holds: Vec<bool> = (1..=5).map(|plies| lines.is_loss_still_there(plies)).collect();
        assert_eq!(holds, [true, true, true, false, false]);
        assert_eq!(lines.choose_plies([4, 5, 2, 3]), 2);
        assert_eq!(lines.choose_plies([5, 6]), 1, "the mistake alone is left");
        assert_eq!(
            (lines.plies_shown(), lines.find_refutation().plies),
            (2, 2),
            "the third ply is not answered"
        );
        let lines = ComparedLines { proved: true, ..lines };
        assert_eq!((lines.plies_shown(), lines.find_refutation().plies), (3, 3));
    }

    /// A corner that a move has opened is followed where it can be taken at little cost, and the best move would not have opened it.
    #[test]
    fn a_corner_that_is_open_is_followed_where_taking_it_costs_little() {
        let (mut followed, mut too_dear) = (0, 0);
        for seed in 0..60 {
            let board = random_board(seed, 36);
            let moves: Vec<Square> = iter_squares(board.legal_moves()).collect();
            for pair in moves.windows(2) {
                let [played, other] = [pair[0], pair[1]];
                let [after, better] = [played, other].map(|square| board.play_unchecked(square));
                let before = board.pass().legal_moves();
                let opened = after.legal_moves() & CORNERS & !before & !better.legal_moves();
                let mut searcher = Searcher::new(SearchParams { hash_bits: 12, threads: 1 });
                let effort =
                    SearchEffort { depth: 2, exact: 0, win_loss: 0, confidence: CutConfidence::Full };
                let mut probe = MistakeProbe { searcher: &mut searcher, effort, limits: LIMITS };
                let best = found_move(&[other], 6);
                let line = [played];
                let mistake = FoundMistake { board, line: &line, value: 0, best: &best, proved: false };
                let found = probe.find_opened_corner(&mistake);
                let proved = FoundMistake { proved: true, ..mistake };
                assert_eq!(probe.find_opened_corner(&proved), None);
                let mut left = |corner| probe.value_of_end(&FollowedLine::new(board, &[played, corner]));
                match found {
                    Some(corner) => {
                        assert!(
                            opened & corner.bit() != 0 && left(corner) <= MOST_DRIFT,
                            "{board:?} {played}"
                        );
                        followed += 1;
                    }
                    None => {
                        assert!(
                            iter_squares(opened).all(|corner| left(corner) > MOST_DRIFT),
                            "{board:?} {played}"
                        );
                        too_dear += usize::from(opened != 0);
                    }
                }
            }
        }
        assert!(followed > 0 && too_dear > 0, "{followed} followed, {too_dear} too dear");
    }

    /// A line that is not proved ends with the mistake itself or with what the other side plays, whatever is told with it.
    #[test]
    fn lines_end_where_the_other_side_has_answered() {
        let (mut alone, mut answered) = (0, 0);
        for seed in 0..6 {
            let board = random_board(seed, 30);
            for played in iter_squares(board.legal_moves()) {
                let Some(reason) = judge(board, played).1 else { continue };
                let line = FollowedLine::new(board, &reason.line);
                let is_own = line.plies.last().is_some_and(|ply| ply.own);
                assert_eq!(is_own, reason.line.len() == 1, "{board:?} {reason:?}");
                alone += usize::from(is_own);
                answered += usize::from(!is_own);
            }
        }
        assert!(alone > 0 && answered > 0, "{alone} alone, {answered} answered");
    }

    /// Of a large loss the other side may give a part back on a line that is told. The one who erred may go wrong once more no further than after
    /// a small one.
    #[test]
    fn of_a_large_loss_a_part_may_be_given_back() {
        let board = random_board(1, 20);
        let line = FollowedLine::new(board, &[Square::from_lowest_bit(board.legal_moves())]);
        let holds = |loss: i32, drift: i32, value: i32| {
            let values = vec![-loss, value];
            let lines = ComparedLines { loss, drift, values, ..compare(board, line.clone(), line.clone()) };
            lines.is_loss_still_there(2)
        };
        assert!(holds(18, MOST_DRIFT, -15) && !holds(18, MOST_DRIFT, -14), "3 of 18 discs are a sixth");
        assert!(holds(18, MOST_DRIFT, -19) && !holds(18, MOST_DRIFT, -20));
        assert!(holds(4, MOST_DRIFT, -3) && !holds(4, MOST_DRIFT, -2) && !holds(4, MOST_DRIFT, -6));
        assert!(holds(4, MOST_DRIFT + MORE_DRIFT, -2) && holds(4, MOST_DRIFT + MORE_DRIFT, -6));
        assert!(!holds(2, MOST_DRIFT + MORE_DRIFT, -1), "the least that is told must be there");
    }

    /// Where the value may change more along a line, parts of the board are compared at ends that hold only then.
    #[test]
    fn with_more_drift_other_lengths_hold() {
        let evaluation = Evaluation::shipped();
        let mut checked = 0;
        for seed in 0..20 {
            let Some(lines) = compare_first_moves(random_board(seed, 30)) else { continue };
            if [&lines.played, &lines.better].iter().any(|line| line.plies.len() <= PLIES_COMPARED) {
                continue;
            }
            // Two discs less than right after the mistake.
            let mut values = vec![-6; PLIES_COMPARED];
            values[0] = -4;
            let mut lines = ComparedLines { values, ..lines };
            lines.areas = lines.find_area_costs(&evaluation);
            assert_eq!((lines.areas.plies, lines.drift), (1, MOST_DRIFT), "{:?}", lines.board);
            lines.allow_more_drift(MORE_DRIFT, &evaluation);
            assert_eq!(lines.drift, MOST_DRIFT + MORE_DRIFT);
            assert!(lines.areas.plies >= PLIES_COUNTED, "{:?}", lines.board);
            checked += 1;
        }
        assert!(checked > 0);
    }

    /// After a large loss the ends of lines are held against a value that was looked for as deep as theirs.
    #[test]
    fn a_large_mistake_is_looked_at_again() {
        let (mut changed, mut kept) = (0, 0);
        for seed in 0..16 {
            let board = random_board(seed, 30);
            let Some(first) = iter_squares(board.legal_moves()).next() else { continue };
            let mut searcher = Searcher::new(SearchParams { hash_bits: 12, threads: 1 });
            let effort = SearchEffort { depth: 2, exact: 0, win_loss: 0, confidence: CutConfidence::Full };
            let mut probe = MistakeProbe { searcher: &mut searcher, effort, limits: LIMITS };
            let played = FollowedLine::new(board, &[first]);
            let deeper = probe.value_looked_at_deeper(&played);
            for (loss, best) in [(LARGE_LOSS, 0), (LARGE_LOSS, 64), (LARGE_LOSS - 1, 64)] {
                let values = vec![best - loss];
                let lines = compare(board, played.clone(), played.clone());
                let mut lines = ComparedLines { loss, best, values, ..lines };
                probe.look_at_mistake_again(&mut lines);
                let is_taken = loss >= LARGE_LOSS && deeper <= best - LEAST_LOSS_TOLD;
                let wanted = if is_taken { deeper } else { best - loss };
                assert_eq!(lines.values, [wanted], "{board:?} {loss} {best}");
                changed += usize::from(is_taken);
                kept += usize::from(!is_taken);
            }
        }
        assert!(changed > 0 && kept > 0, "{changed} changed, {kept} kept");
    }

    /// A corner that falls far away is no reason, though the line be proved.
    #[test]
    fn corners_far_away_are_no_reason() {
        let (mut told, mut left_out) = (0, 0);
        for seed in 0..60 {
            let board = random_board(seed, 42);
            let random_line = |stream| {
                let mut rng = Seed::new(seed).stream("far corners", stream);
                let mut line = FollowedLine::new(board, &[]);
                while line.plies.len() < 14 && !line.end.is_over() {
                    let moves: Vec<Square> = iter_squares(line.board_to_move().legal_moves()).collect();
                    let next = rng.choose(&moves).copied();
                    line =
                        FollowedLine::new(board, &line.squares().into_iter().chain(next).collect::<Vec<_>>());
                }
                line
            };
            let lines = ComparedLines { proved: true, ..compare(board, random_line(1), random_line(2)) };
            let mut searcher = Searcher::new(SearchParams { hash_bits: 12, threads: 1 });
            let mut probe = MistakeProbe { searcher: &mut searcher, effort: EFFORT, limits: LIMITS };
            let found = probe.price_corners(&lines);
            for priced in &found {
                match priced.cause {
                    MistakeCause::OpensCorner { after, .. } => assert!(after < PLIES_TO_CORNER),
                    MistakeCause::MissesCorner { .. } => assert!(priced.better_plies <= PLIES_NEAR),
                    _ => panic!("{priced:?}"),
                }
            }
            let falls_late = |(number, ply): (usize, &LinePly)| {
                number >= PLIES_TO_CORNER && !ply.own && ply.takes_corner()
            };
            told += found.len();
            left_out += lines.played.plies.iter().enumerate().filter(|&ply| falls_late(ply)).count();
        }
        assert!(told > 0 && left_out > 0, "{told} told, {left_out} left out");
    }

    /// Who enters an even region where the best move enters an odd one is told so, if the other enters the odd one next, and soon.
    #[test]
    fn entering_an_even_region_is_told_where_the_other_takes_the_odd_one() {
        let (mut told, mut own_first) = (0, 0);
        for seed in 0..400 {
            let board = random_board(seed, 46);
            let moves: Vec<Square> = iter_squares(board.legal_moves()).collect();
            let [played, .., best] = moves[..] else { continue };
            let after = board.play_unchecked(played);
            for answer in iter_squares(after.legal_moves()) {
                let next = iter_squares(after.play_unchecked(answer).legal_moves()).next();
                let line: Vec<Square> = [Some(played), Some(answer), next].into_iter().flatten().collect();
                let line = FollowedLine::new(board, &line);
                let lines = compare(board, line.clone(), FollowedLine::new(board, &[best]));
                let found = lines.price_even_region();
                let [even, odd] = [played, best].map(|square| find_region_of(board, square).unwrap());
                let differs = !even.is_odd() && odd.is_odd();
                let first = line.plies.iter().find(|ply| odd.squares & ply.square.bit() != 0);
                let wanted = differs && first.is_some_and(|ply| !ply.own);
                assert_eq!(found.is_some(), wanted, "{board:?} {played} {answer} {best}");
                own_first += usize::from(differs && first.is_some_and(|ply| ply.own));
                let Some(priced) = found else { continue };
                let cause = MistakeCause::EntersEven { size: even.size(), odd: best, odd_size: odd.size() };
                assert_eq!((priced.cause, priced.cost), (cause, price::LAST_MOVE));
                // The line is told up to where the other enters the odd region.
                let last = line.plies[priced.plies - 1];
                assert!(!last.own && odd.squares & last.square.bit() != 0);
                told += 1;
            }
        }
        assert!(told > 0 && own_first > 0, "{told} told, {own_first} where the mover came first");
    }

    /// Regions of three empty squares at a1 and a8, one of eight at h1, and two of one.
    const WITH_REGIONS: &str = "-OOO---- -OOXO--- -OOOXOO- XXXOOXOX XXOOOOXX XOXOXOOX O-XXXXOX --XO-O-O";

    /// The line of these moves, all of which are legal.
    fn follow_named(board: Board, moves: &str) -> FollowedLine {
        let squares: Vec<Square> = moves.split_whitespace().map(testing::square).collect();
        let line = FollowedLine::new(board, &squares);
        assert_eq!(line.squares(), squares);
        line
    }

    /// The region of the best move counts where the other enters it within the plies that are told.
    #[test]
    fn an_odd_region_that_is_entered_late_is_no_reason() {
        let board = testing::board(WITH_REGIONS);
        let entered_after = |moves: &str| {
            let lines = compare(board, follow_named(board, moves), follow_named(board, "a2"));
            lines.price_even_region().map(|priced| priced.plies)
        };
        assert_eq!(entered_after("e1 a3"), Some(2));
        assert_eq!(entered_after("e1 b8 h2 b7 h3 a3"), Some(PLIES_TOLD));
        assert_eq!(entered_after("e1 f1 g2 h3 h2 h1 g1 a3"), None);
    }

    /// Even and odd regions are no reason while more than 20 squares are empty.
    #[test]
    fn even_regions_count_near_the_end() {
        // A disc on e8 changes nothing but the number of empty squares.
        for (last_row, empties) in [("---X-X--", PARITY_FROM + 1), ("---XXX--", PARITY_FROM)] {
            let rows = "--OX---- --OOX--- -XOXOXX- OOOXXOXO OOXXXXOO OXOXOXXO X-XXXXX-";
            let board = testing::board(&format!("{rows} {last_row}"));
            assert_eq!(board.empty_count(), empties);
            let lines = compare(board, follow_named(board, "f2 a3"), follow_named(board, "b1"));
            let found = lines.price_even_region().map(|priced| priced.cause);
            let cause = MistakeCause::EntersEven { size: 8, odd: testing::square("b1"), odd_size: 5 };
            assert_eq!(found, (empties == PARITY_FROM).then_some(cause));
        }
    }

    /// To enter an even region costs no more than another move into one loses. Moves into odd regions do not limit it.
    #[test]
    fn an_even_region_costs_what_other_moves_into_one_lose() {
        let board = testing::board(WITH_REGIONS);
        let lines = compare(board, follow_named(board, "e1 a3"), follow_named(board, "a2"));
        let cost_beside = |other: &str, score: i32| {
            let all = [("a2", 0), (other, score), ("e1", -4)];
            let all = all.map(|(name, score)| found_move(&[testing::square(name)], score));
            let mut priced = lines.price_even_region().unwrap();
            OtherMoves::new(&lines, &all).limit_price(&lines, &mut priced);
            priced.cost
        };
        assert_eq!(cost_beside("h2", 0), 0.0);
        assert_eq!(cost_beside("h2", -1), 1.0);
        assert_eq!(cost_beside("h2", -3), price::LAST_MOVE, "it loses more than the price");
        assert_eq!(cost_beside("b7", 0), price::LAST_MOVE, "its region is odd");
    }

    /// Near the end nobody is blamed for a wall.
    #[test]
    fn walls_are_told_while_moves_are_scarce() {
        let (mut told, mut late) = (0, 0);
        for (pair, mut lines) in list_pairs(200, |seed| if seed % 2 == 0 { 24 } else { 44 }) {
            lines.areas.plies = 1;
            let [discs, better] = [&lines.played, &lines.better].map(|line| count_wall(line.end));
            let (is_wall, counts) = (discs >= better + 3, lines.board.empty_count() > WALLS_UNTIL);
            assert_eq!(lines.price_wall().is_some(), is_wall && counts, "{:?} {pair:?}", lines.board);
            told += usize::from(is_wall && counts);
            late += usize::from(is_wall && !counts);
        }
        assert!(told > 0 && late > 0, "{told} told, {late} late");
    }

    /// Where no end of a line is confirmed, what is told is told of the move alone.
    #[test]
    fn without_a_confirmed_end_the_move_alone_is_told() {
        let evaluation = Evaluation::shipped();
        let mut named = 0;
        for seed in 0..24 {
            let board = random_board(seed, 30);
            let moves: Vec<Square> = iter_squares(board.legal_moves()).take(2).collect();
            let [first, second] = moves[..] else { continue };
            let mut searcher = Searcher::new(SearchParams { hash_bits: 12, threads: 1 });
            let mut probe = MistakeProbe { searcher: &mut searcher, effort: PROBE, limits: LIMITS };
            let (played, values) = probe.follow_line(board, &[first], -4, false);
            let (better, _) = probe.follow_line(board, &[second], 0, false);
            let mut lines = ComparedLines { values, ..compare(board, played, better) };
            let others = probe.follow_others(&lines);
            lines.values.fill(-4);
            assert_eq!(lines.plies_shown(), PLIES_COUNTED, "{board:?}");
            lines.keep_mistake_alone(&evaluation);
            assert_eq!((lines.plies_shown(), lines.areas.plies), (1, 1), "{board:?}");
            assert_eq!(lines.find_refutation().plies, 1);
            let Some(main) = probe.find_main_cause(&lines, &others) else { continue };
            assert_eq!(lines.to_reason(&main).line, [first], "{board:?} {main:?}");
            named += 1;
        }
        assert!(named > 0);
    }

    /// The end that is told is looked at deeper, and what is found there is kept.
    #[test]
    fn ends_are_confirmed_by_a_deeper_search() {
        let (mut confirmed, mut refused) = (0, 0);
        for seed in 0..24 {
            let board = random_board(seed, 30);
            let Some(first) = iter_squares(board.legal_moves()).next() else { continue };
            let mut searcher = Searcher::new(SearchParams { hash_bits: 12, threads: 1 });
            let effort = SearchEffort { depth: 2, exact: 0, win_loss: 0, confidence: CutConfidence::Full };
            let mut probe = MistakeProbe { searcher: &mut searcher, effort, limits: LIMITS };
            let (played, mut values) = probe.follow_line(board, &[first], 0, false);
            let last = values[3];
            values[..2].fill(last);
            let mut lines =
                ComparedLines { values, best: last + 4, ..compare(board, played.clone(), played) };
            assert!(lines.is_loss_still_there(4));
            let is_confirmed = probe.confirm_end(&mut lines, 4);
            let end = lines.first_plies(&lines.played, 4);
            let found = probe.search_end(&end, confirming_effort(effort)).score;
            assert_eq!(lines.values[3], if end.own_turn { found } else { -found }, "{board:?}");
            assert_eq!(is_confirmed, lines.is_loss_still_there(4));
            assert_eq!(is_confirmed, (last - MOST_DRIFT..=last + MOST_DRIFT).contains(&lines.values[3]));
            confirmed += usize::from(is_confirmed);
            refused += usize::from(!is_confirmed);
        }
        assert!(confirmed > 0 && refused > 0, "{confirmed} confirmed, {refused} refused");
    }

    /// With few empty squares all is solved: after the line that is told the loss is still there.
    #[test]
    fn the_loss_is_still_there_after_the_line() {
        let mut checked = 0;
        for seed in 20..30 {
            let board = random_board(seed, 51);
            let mut searcher = Searcher::new(SearchParams { hash_bits: 12, threads: 1 });
            let mut probe = MistakeProbe { searcher: &mut searcher, effort: EFFORT, limits: LIMITS };
            let best = probe.value_of(board, EFFORT);
            for played in iter_squares(board.legal_moves()) {
                let Some(reason) = judge(board, played).1 else { continue };
                let line = FollowedLine::new(board, &reason.line);
                let value = probe.value_of(line.board_to_move(), EFFORT);
                let value = if line.own_turn { value } else { -value };
                assert!(value <= best - LEAST_LOSS_TOLD, "{board:?} {reason:?}");
                checked += 1;
            }
        }
        assert!(checked > 10, "{checked}");
    }

    /// Causes that cost enough come first, then what costs less or sets the moves apart, and parts of the board at last.
    #[test]
    fn parts_of_the_board_are_told_last() {
        let line = FollowedLine::new(Board::START, &[]);
        let lines = ComparedLines { loss: 8, ..compare(Board::START, line.clone(), line) };
        let turn = |cause, cost| lines.turn_of(&PricedCause::new(cause, cost, 1));
        let area = MistakeCause::WeakensArea { area: BoardArea::Middle, discs: 8 };
        assert_eq!([8.0, 4.0, 3.9].map(|cost| turn(area, cost)), [Some(2), Some(2), None]);
        let pass = MistakeCause::MustPass;
        assert_eq!([2.0, 1.9, 1.0, 0.9].map(|cost| turn(pass, cost)), [Some(0), Some(1), Some(1), None]);
        let fault = MistakeCause::HasFault { fault: CoachReason::Greedy { turned: 7 } };
        assert_eq!([8.0, 4.0, 3.9].map(|cost| turn(fault, cost)), [Some(1), Some(1), None]);
        let quarter = testing::square("a1");
        let access = MistakeCause::LosesAccess { quarter, moves: (0, 3), better: (2, 2) };
        assert_eq!([8.0, 2.0, 1.9].map(|cost| turn(access, cost)), [Some(1), Some(1), None]);
    }

    /// A square beside one corner is not limited by a square beside another.
    #[test]
    fn squares_beside_other_corners_are_another_fault() {
        let board = testing::board("--OXXO-- -OX----- -------- ---OX--- ---XO--- -------- -------- --------");
        let lines = compare(board, follow_named(board, "b1"), follow_named(board, "c4"));
        let cost_beside = |other: &str, score: i32| {
            let all = [("c4", 0), (other, score), ("b1", -8)];
            let all = all.map(|(name, score)| found_move(&[testing::square(name)], score));
            let cause = MistakeCause::PoisonsSquare { corner: testing::square("a1"), diagonal: false };
            let mut priced = PricedCause::new(cause, 5.0, 1);
            OtherMoves::new(&lines, &all).limit_price(&lines, &mut priced);
            priced.cost
        };
        assert!(board.is_legal(testing::square("g1")) && board.is_legal(testing::square("a2")));
        assert_eq!(cost_beside("g1", 0), 5.0, "g1 touches h1");
        assert_eq!(cost_beside("a2", -1), 1.0, "a2 touches a1");
    }

    /// Five discs to one side of an edge are told where the edge costs something, and the best move does not leave them.
    #[test]
    fn an_unbalanced_edge_is_told_where_it_costs_something() {
        let board = testing::board("-XXXO--- ---XO--- ---XO--- --XOX--- ---XO--- ---OX--- -------- --------");
        let best = iter_squares(board.legal_moves() & !BoardEdge::Top.squares()).next().unwrap();
        let mut lines = compare(board, follow_named(board, "f1"), FollowedLine::new(board, &[best]));
        let cause = MistakeCause::UnbalancesEdge { edge: BoardEdge::Top };
        for (square, cost, is_told) in [("g1", 3.0, true), ("g1", 0.9, false), ("a5", 3.0, false)] {
            lines.areas = AreaCosts::of_one_square(testing::square(square), cost);
            let found = lines.price_unbalanced_edge().map(|priced| (priced.cause, priced.cost));
            assert_eq!(found, is_told.then_some((cause, cost)), "{square} {cost}");
        }
        lines.areas = AreaCosts::of_one_square(testing::square("g1"), 3.0);
        std::mem::swap(&mut lines.played, &mut lines.better);
        assert!(lines.price_unbalanced_edge().is_none(), "the other way round nothing is unbalanced");
    }

    /// Moves in a quarter of the board are told where the one who erred has one or none, and fewer, by 2 at least against the other's.
    #[test]
    fn access_to_a_quarter_is_lost_where_moves_there_are() {
        let evaluation = Evaluation::shipped();
        let (mut told, mut kept) = (0, 0);
        for (pair, mut lines) in list_pairs(60, |_| 30) {
            lines.areas =
                AreaCosts::compare_lines(&lines.played, &lines.better, &evaluation).unwrap_or_default();
            let moves_in = |end: Board, corner: &str| {
                let corner = testing::square(corner);
                let is_near = |square: &Square| {
                    (square.column() < 4) == (corner.column() < 4) && (square.row() < 4) == (corner.row() < 4)
                };
                [end, end.pass()]
                    .map(|board| iter_squares(board.legal_moves()).filter(is_near).count() as i32)
            };
            let is_lost = |corner: &&str| {
                let [[own, other], [better_own, better_other]] =
                    [&lines.played, &lines.better].map(|line| moves_in(line.end, corner));
                own <= 1 && own < better_own && own - other + 2 <= better_own - better_other
            };
            let lost: Vec<Square> = ["a1", "h1", "a8", "h8"]
                .iter()
                .filter(|corner| is_lost(corner))
                .map(|corner| testing::square(corner))
                .collect();
            match lines.price_access().map(|priced| priced.cause) {
                Some(MistakeCause::LosesAccess { quarter, .. }) => {
                    assert!(lost.contains(&quarter), "{pair:?}")
                }
                other => assert!(other.is_none() && lost.is_empty(), "{pair:?} {lost:?}"),
            }
            told += usize::from(!lost.is_empty());
            kept += usize::from(lost.is_empty());
        }
        assert!(told > 0 && kept > 0, "{told} told, {kept} kept");
    }

    /// What a cause of 4 discs costs where the best move is the only other one, and loses nothing.
    fn cost_beside_best(lines: &ComparedLines, cause: MistakeCause) -> f64 {
        let mut priced = PricedCause::new(cause, 4.0, 1);
        OtherMoves::new(lines, &[found_move(&lines.better.squares(), 0)]).limit_price(lines, &mut priced);
        priced.cost
    }

    /// Access that another move loses, too, costs no more; but not where the one who erred keeps more moves there after it.
    #[test]
    fn access_is_lost_elsewhere_too_where_no_more_own_moves_are_left() {
        let mut checked = 0;
        for (pair, lines) in list_pairs(20, |_| 30) {
            for quarter in iter_squares(CORNERS) {
                let there = count_moves_in(lines.better.end, BoardArea::Quarter(quarter).squares());
                let cost_of = |moves| {
                    cost_beside_best(&lines, MistakeCause::LosesAccess { quarter, moves, better: (9, 0) })
                };
                assert_eq!(cost_of(there), 0.0, "{pair:?} {there:?}");
                assert_eq!(cost_of((there.0 + 1, there.1 + 1)), 0.0, "{pair:?} {there:?}");
                if there.0 > 0 && there.1 > 0 {
                    assert_eq!(cost_of((there.0 - 1, there.1 - 1)), 4.0, "{pair:?} {there:?}");
                    checked += 1;
                }
            }
        }
        assert!(checked > 0);
    }

    /// A fault of another move limits the price where there is no less of it.
    #[test]
    fn a_lesser_fault_of_another_move_limits_nothing() {
        let mut checked = 0;
        for ([other, best], lines) in list_pairs(40, |_| 30) {
            let board = lines.board;
            let [played, better] = [best; 2].map(|first| FollowedLine::new(board, &[first]));
            let lines = compare(board, played, better);
            for fault in find_faults(board, other, best) {
                let CoachReason::ManyReplies { replies, usual } = fault else { continue };
                let all = [found_move(&[best], 0), found_move(&[other], -1)];
                for (more, cost) in [(0, 1.0), (1, 4.0)] {
                    let fault = CoachReason::ManyReplies { replies: replies + more, usual };
                    let mut priced = PricedCause::new(MistakeCause::HasFault { fault }, 4.0, 1);
                    OtherMoves::new(&lines, &all).limit_price(&lines, &mut priced);
                    assert_eq!(priced.cost, cost, "{board:?} {other} {fault:?}");
                }
                checked += 1;
            }
        }
        assert!(checked > 0);
    }

    /// To miss a quiet move costs no more than the best of the moves that are not quiet loses.
    #[test]
    fn a_missed_merit_costs_what_moves_without_it_lose() {
        let (mut limited, mut whole) = (0, 0);
        // Later in the game there are few moves, and all the others may be quiet.
        for (pair, lines) in list_pairs(240, |seed| if seed % 2 == 0 { 28 } else { 44 }) {
            let quiet = MistakeCause::MissesMerit { merit: CoachReason::Quiet };
            let found = lines.price_facts().into_iter().find(|priced| priced.cause == quiet);
            let Some(mut priced) = found else { continue };
            let is_quiet = |square| MoveFacts::from_move(lines.board, square).openness == 0;
            assert!(is_quiet(pair[1]) && !is_quiet(pair[0]), "{:?} {pair:?}", lines.board);
            let all: Vec<FoundMove> = iter_squares(lines.board.legal_moves())
                .map(|square| found_move(&[square], if square == pair[1] { 0 } else { -2 }))
                .collect();
            OtherMoves::new(&lines, &all).limit_price(&lines, &mut priced);
            let others = iter_squares(lines.board.legal_moves() & !pair[0].bit() & !pair[1].bit());
            let is_limited = others.into_iter().any(|square| !is_quiet(square));
            assert_eq!(priced.cost, if is_limited { 2.0 } else { 4.0 }, "{:?} {pair:?}", lines.board);
            limited += usize::from(is_limited);
            whole += usize::from(!is_limited);
        }
        assert!(limited > 0 && whole > 0, "{limited} limited, {whole} whole");
    }

    /// Parts of the board are told with as many plies as a bare line at most.
    #[test]
    fn lines_of_parts_of_the_board_are_short() {
        let evaluation = Evaluation::shipped();
        let mut checked = 0;
        for seed in 0..20 {
            let Some(lines) = compare_first_moves(random_board(seed, 30)) else { continue };
            let longer = lines.played.plies.len().min(lines.better.plies.len()) > PLIES_TOLD;
            let all = lines.list_area_costs(&evaluation);
            assert!(all.iter().all(|costs| costs.plies <= PLIES_TOLD), "{:?}", lines.board);
            checked += usize::from(longer && all.iter().any(|costs| costs.plies == PLIES_TOLD));
        }
        assert!(checked > 0);
    }
}
