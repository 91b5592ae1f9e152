//! A board as the store keeps it: what was asked, what was found, what was proved.

use ishi_grid::construct::SHORTEST;
use ishi_grid::frontier::Wrap;
use ishi_grid::strings::{StringsTask, read_given};
use ishi_grid::{Board, Cell};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::workbench::WorkbenchState;
use crate::workbench::budget::memory_share;
use crate::workbench::documents::RoomDocument;
use crate::workbench::error::PageError;
use crate::workbench::texts::args;

/// The kind of its documents, and of the texts of certificates.
pub(super) const KIND: &str = "strings";
pub(super) const PROOFS: &str = "strings-certificate";

/// Lines each way of a board that is solved.
pub(super) const MOST_SOLVED: usize = 120;
/// Lines each way of a board with wraps; states grow with the shorter side.
const MOST_WRAPPED: usize = 24;
/// Bytes that the states of a board and its tables of bounds may take together, about. The tables of large boards whose points are all free take up to
/// 660 MB, as they repeat themselves from some size on.
pub(super) const MEMORY: usize = 1 << 30;
/// Lines each way of a board that the rule builds.
pub(super) const MOST_BUILT: usize = 1000;

/// How, and on what surface.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum BoardKind {
    /// Solved, with a proof.
    Board,
    /// The columns at both ends are joined.
    Cylinder,
    /// The rows as well.
    Torus,
    /// Built by the rule for large boards, which is known to be best.
    Rule,
}

impl BoardKind {
    pub(super) const ALL: [BoardKind; 4] =
        [BoardKind::Board, BoardKind::Cylinder, BoardKind::Torus, BoardKind::Rule];

    pub(super) fn name(self) -> &'static str {
        match self {
            BoardKind::Board => "board",
            BoardKind::Cylinder => "cylinder",
            BoardKind::Torus => "torus",
            BoardKind::Rule => "rule",
        }
    }
}

/// What was found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct FoundBoard {
    pub(super) strings: usize,
    /// No board has more.
    pub(super) bound: usize,
    pub(super) empty_points: usize,
    pub(super) states: u64,
    pub(super) widest: usize,
    /// Did the independent checker accept the board?
    pub(super) verified: bool,
    pub(super) seconds: f64,
    /// Rows of letters from the top.
    pub(super) board: Vec<String>,
}

/// A certificate that was written and checked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct CheckedCertificate {
    pub(super) strings: usize,
    pub(super) depth: u32,
    pub(super) prices: usize,
    pub(super) bytes: usize,
    /// The last states are listed after so many points.
    #[serde(alias = "antidiagonal")]
    pub(super) reach: u32,
    pub(super) states: usize,
    pub(super) widest: usize,
    pub(super) accepted: bool,
    pub(super) seconds: f64,
}

/// A board that was asked for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct StringsRequest {
    pub(super) width: usize,
    pub(super) height: usize,
    pub(super) way: BoardKind,
    /// Rows of `? . # X O`.
    pub(super) given: Option<String>,
    pub(super) found: Option<FoundBoard>,
    pub(super) proof: Option<CheckedCertificate>,
}

impl StringsRequest {
    /// Refuses what cannot be solved.
    pub(super) fn check_solvable(&self) -> Result<(), PageError> {
        let (least, most) = match self.way {
            BoardKind::Board => (1, MOST_SOLVED),
            BoardKind::Cylinder => (3, MOST_WRAPPED),
            BoardKind::Torus => (3, MOST_WRAPPED),
            BoardKind::Rule => (SHORTEST, MOST_BUILT),
        };
        let fits = |side: usize| (least..=most).contains(&side);
        if !fits(self.width) || !fits(self.height) {
            let (width, height, way) = (self.width, self.height, self.way.name());
            return Err(PageError::invalid_input_with(
                "strings-x-is-no-size-for-write",
                args![width, height, way, least, most],
            ));
        }
        if self.given.is_some() && self.way != BoardKind::Board {
            return Err(PageError::invalid_input("strings-points-can-be-given-on-plain"));
        }
        self.to_task(1).map(|_| ())
    }

    /// The question for the solvers.
    pub(super) fn to_task(&self, threads: usize) -> Result<StringsTask, PageError> {
        let given = self.given.as_deref().map(|text| read_given(text, self.width, self.height));
        let wrap = match self.way {
            BoardKind::Cylinder => Some(Wrap::Cylinder),
            BoardKind::Torus => Some(Wrap::Torus),
            BoardKind::Board | BoardKind::Rule => None,
        };
        let given = given.transpose()?;
        let free = StringsTask::new(self.width, self.height);
        Ok(StringsTask { wrap, given, threads, memory: Some(memory_share(MEMORY)), ..free })
    }

    /// A name for people, the same in both languages.
    pub(super) fn title(&self) -> String {
        let way = if self.way == BoardKind::Board { String::new() } else { format!(" {}", self.way.name()) };
        let given = if self.given.is_some() { " ?.#" } else { "" };
        let found = self.found.as_ref().map(|found| format!(": {}", found.strings)).unwrap_or_default();
        format!("{}x{}{way}{given}{found}", self.width, self.height)
    }

    pub(super) fn found_rows(&self) -> Option<&[String]> {
        self.found.as_ref().map(|found| found.board.as_slice())
    }

    /// The board found.
    pub(super) fn found_board(&self) -> Option<Board> {
        let rows = self.found_rows()?;
        let mut board = Board::new(self.width, self.height);
        for (y, row) in rows.iter().enumerate().take(self.height) {
            for (x, letter) in row.chars().enumerate().take(self.width) {
                match letter {
                    'X' => board.set(x, y, Cell::Black),
                    'O' => board.set(x, y, Cell::White),
                    _ => {}
                }
            }
        }
        Some(board)
    }

    /// Is it one that certificates speak of?
    pub(super) fn can_be_proved(&self) -> bool {
        self.way == BoardKind::Board
            && self.given.is_none()
            && self.found.as_ref().is_some_and(|found| found.strings == found.bound)
    }

    /// What was found, with what was asked.
    pub(super) fn to_result_document(&self) -> Value {
        let found = self.found.as_ref();
        json!({
            "width": self.width,
            "height": self.height,
            "surface": self.way.name(),
            "given": self.given,
            "optimal": found.map(|found| found.strings == found.bound),
            "found": found,
            "certificate": self.proof,
        })
    }
}

/// Rows of letters.
pub(super) fn board_rows(board: &Board) -> Vec<String> {
    board.cells().chunks(board.width()).map(|row| row.iter().map(|cell| cell.letter()).collect()).collect()
}

impl RoomDocument for StringsRequest {
    const KIND: &'static str = KIND;

    fn listed_title(&self) -> String {
        self.title()
    }

    fn not_found(key: &str) -> PageError {
        PageError::not_found_with("strings-there-is-no-board-it-may", args![key = format!("{key:?}")])
    }
}

/// The board of this key.
pub(super) async fn load_request(desk: &WorkbenchState, key: &str) -> Result<StringsRequest, PageError> {
    desk.load_document(key).await.map(|(asked, _)| asked)
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use ishi_grid::strings::solve_task;

    use super::*;

    fn asked(width: usize, height: usize, way: BoardKind) -> StringsRequest {
        StringsRequest { width, height, way, given: None, found: None, proof: None }
    }

    #[test]
    fn sizes_have_limits_for_each_way() {
        for (size, way) in [
            (1, BoardKind::Board),
            (120, BoardKind::Board),
            (3, BoardKind::Torus),
            (16, BoardKind::Rule),
            (1000, BoardKind::Rule),
        ] {
            assert!(asked(size, size, way).check_solvable().is_ok(), "{size} {way:?}");
        }
        for (size, way) in [
            (0, BoardKind::Board),
            (121, BoardKind::Board),
            (2, BoardKind::Torus),
            (15, BoardKind::Rule),
            (1001, BoardKind::Rule),
        ] {
            assert!(asked(size, size, way).check_solvable().is_err(), "{size} {way:?}");
        }
        let given = Some("??\n??".to_string());
        assert!(
            StringsRequest { given: given.clone(), ..asked(2, 2, BoardKind::Board) }.check_solvable().is_ok()
        );
        assert!(StringsRequest { given, ..asked(3, 3, BoardKind::Board) }.check_solvable().is_err());
    }

    #[test]
    fn no_board_may_take_all_memory() {
        for way in BoardKind::ALL {
            let memory = asked(20, 20, way).to_task(1).unwrap().memory;
            assert!(memory.is_some_and(|memory| memory <= MEMORY), "{way:?}");
        }
    }

    /// What is offered is solved, and not refused for its memory.
    #[test]
    fn the_largest_board_has_memory_enough() {
        let task = asked(MOST_SOLVED, MOST_SOLVED, BoardKind::Board).to_task(2).unwrap();
        // Whatever this machine has left.
        let task = StringsTask { memory: Some(MEMORY), ..task };
        let found = solve_task(&task, &mut |_| ControlFlow::Continue(())).unwrap();
        let side = MOST_SOLVED + 2;
        assert_eq!(found.strings, MOST_SOLVED * MOST_SOLVED - (side * side / 5 - 4));
    }

    #[test]
    fn boards_come_back_from_their_rows() {
        let board = Board::with_alternating_stones(4, 3, |x, y| x == y);
        let found = FoundBoard {
            strings: 9,
            bound: 9,
            empty_points: 3,
            states: 1,
            widest: 1,
            verified: true,
            seconds: 0.0,
            board: board_rows(&board),
        };
        let kept = StringsRequest { found: Some(found), ..asked(4, 3, BoardKind::Board) };
        assert_eq!(kept.found_board(), Some(board));
        assert!(kept.can_be_proved() && kept.title() == "4x3: 9");
        assert_eq!(kept.to_result_document()["optimal"], true);
    }
}
