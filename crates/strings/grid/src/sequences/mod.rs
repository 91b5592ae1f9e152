//! Integer sequences of the maximum string problem, as the On-Line Encyclopedia of Integer Sequences (OEIS) takes them:
//! exact definitions, terms by the engines of this crate, b-files, and what an editor asks for.

use std::fmt::Write;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;

use ishi_work::Progress;
/// Whole numbers of any length.
pub use num_bigint::BigUint;
use thiserror::Error;

use crate::domination::{self, BoardShape, CountError, DEEPEST, DominationStatus};
use crate::frontier::{self, symmetry};
use crate::{construct, positions};

mod entries;
mod kept;
#[cfg(test)]
mod tests;

pub use entries::SequenceEntry;
pub use kept::KeptNumbers;

/// A sequence; [`Sequence::entry`] says what it is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Sequence {
    /// The most strings on `n x n`.
    MostStrings,
    /// Optimal boards of alternating colours on `n x n`.
    OptimalBoards,
    /// Optimal boards of alternating colours on all rectangles, by antidiagonals.
    OptimalRectangles,
    /// Legal positions with the most strings, in any colours.
    AnyColours,
    /// Optimal boards of alternating colours up to turning, mirroring and exchanging the colours.
    Classes,
    /// Optimal boards of alternating colours up to turning and mirroring.
    ColouredClasses,
    /// Legal positions by their number of strings.
    PositionsByStrings,
}

/// What a term takes: threads, and who looks on.
pub struct TermWork<'a> {
    /// Threads; the terms do not depend on them.
    pub threads: NonZeroUsize,
    /// Told what is done, of how much, with a note; may stop it.
    pub observe: &'a mut dyn FnMut(Progress<&str>) -> ControlFlow<()>,
}

/// Why there is no term.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum SequenceError {
    /// The observer asked to stop.
    #[error("stopped")]
    Stopped,
    /// The index is below the first.
    #[error("the first index of {name} is {first}, not {index}")]
    TooEarly {
        /// Name of the sequence.
        name: &'static str,
        /// Its first index.
        first: usize,
        /// What was asked for.
        index: usize,
    },
    /// An engine's limit.
    #[error("{0}")]
    Engine(String),
}

impl Sequence {
    /// All of them.
    pub const ALL: [Sequence; 7] = [
        Sequence::MostStrings,
        Sequence::OptimalBoards,
        Sequence::OptimalRectangles,
        Sequence::AnyColours,
        Sequence::Classes,
        Sequence::ColouredClasses,
        Sequence::PositionsByStrings,
    ];

    /// The sequence of a name such as `optimal-boards`.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Sequence> {
        Sequence::ALL.into_iter().find(|sequence| sequence.entry().name == name)
    }

    /// The numbers of index `n`: one, or a row of a table, in order.
    ///
    /// ```
    /// use std::num::NonZeroUsize;
    /// use std::ops::ControlFlow;
    /// use ishi_grid::sequences::{Sequence, TermWork};
    /// let mut work = TermWork { threads: NonZeroUsize::MIN, observe: &mut |_| ControlFlow::Continue(()) };
    /// assert_eq!(Sequence::Classes.compute_row(6, &mut work).unwrap(), [39u32.into()]);
    /// assert_eq!(Sequence::PositionsByStrings.compute_row(2, &mut work).unwrap(), [1u32, 24, 32].map(Into::into));
    /// ```
    ///
    /// # Errors
    /// See [`SequenceError`].
    pub fn compute_row(self, n: usize, work: &mut TermWork<'_>) -> Result<Vec<BigUint>, SequenceError> {
        let SequenceEntry { name, offset, .. } = self.entry();
        if n < offset {
            return Err(SequenceError::TooEarly { name, first: offset, index: n });
        }
        match self {
            Sequence::MostStrings => Ok(vec![BigUint::from(n * n - domination_number(n, n, work)?)]),
            Sequence::OptimalBoards => Ok(vec![count_optimal_boards(n, n, work)?.boards]),
            Sequence::OptimalRectangles => (1..=n).map(|i| count_rectangle(i, n + 1 - i, work)).collect(),
            Sequence::AnyColours => Ok(vec![count_any_colours(n, work)?]),
            Sequence::Classes => Ok(vec![symmetry_orbits(n, work)?.classes]),
            Sequence::ColouredClasses => Ok(vec![count_coloured_classes(n, work)?]),
            Sequence::PositionsByStrings => count_by_strings(n, work),
        }
    }
}

fn count_rectangle(width: usize, height: usize, work: &mut TermWork<'_>) -> Result<BigUint, SequenceError> {
    Ok(count_optimal_boards(width, height, work)?.boards)
}

/// Optimal boards of alternating colours.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OptimalBoardCount {
    /// Empty points of each.
    pub empties: usize,
    /// How many there are.
    pub boards: BigUint,
}

/// Up to so many lines tables of the usual depth are enough.
const FEW_STATES: usize = 24;

/// Counts the optimal boards of a size, with white stones on even and black stones on odd points.
///
/// # Errors
/// See [`SequenceError`].
pub fn count_optimal_boards(
    width: usize,
    height: usize,
    work: &mut TermWork<'_>,
) -> Result<OptimalBoardCount, SequenceError> {
    let shape = BoardShape::new(width, height);
    let empties = match construct::construct_empties(width, height) {
        // The count finds any smaller set itself.
        Some(built) => built.empty_count(),
        None => domination_number(width, height, work)?,
    };
    let mut options = solver_options(work);
    if width.min(height) > FEW_STATES {
        options.depth = DEEPEST;
    }
    let observe = &mut *work.observe;
    let counts = domination::count_boards(&shape, empties, 1, options, &mut |progress| {
        let note = format!("{width}x{height}: {} states", progress.note.states);
        observe(progress.with_note(note.as_str()))
    });
    let mut counts = counts.map_err(|error| match error {
        CountError::Stopped => SequenceError::Stopped,
        error => engine_error(&error),
    })?;
    Ok(OptimalBoardCount { empties: counts.empties, boards: counts.boards.remove(0) })
}

fn solver_options(work: &TermWork<'_>) -> domination::DominationOptions {
    domination::DominationOptions { threads: work.threads.get(), ..domination::DominationOptions::default() }
}

fn engine_error(error: &dyn std::error::Error) -> SequenceError {
    SequenceError::Engine(error.to_string())
}

/// The size of a smallest dominating set, proved.
fn domination_number(width: usize, height: usize, work: &mut TermWork<'_>) -> Result<usize, SequenceError> {
    let options = solver_options(work);
    let observe = &mut *work.observe;
    let solution = domination::solve_domination(&BoardShape::new(width, height), options, &mut |progress| {
        let note = format!("{width}x{height}: {} states", progress.note.states);
        observe(progress.with_note(note.as_str()))
    });
    match (solution.status, solution.empties) {
        (DominationStatus::Optimal, Some(empties)) => Ok(empties),
        (DominationStatus::Stopped, _) => Err(SequenceError::Stopped),
        _ => Err(SequenceError::Engine(format!("{width}x{height} is too large to be solved"))),
    }
}

fn symmetry_orbits(n: usize, work: &mut TermWork<'_>) -> Result<symmetry::SymmetryOrbits, SequenceError> {
    let optimal = count_optimal_boards(n, n, work)?;
    let options = frontier::SweepOptions { threads: work.threads.get(), ..frontier::SweepOptions::default() };
    let mut stopped = false;
    let observe = &mut *work.observe;
    let found = symmetry::count_orbits(
        n,
        n,
        optimal.empties as u32,
        Some(&optimal.boards),
        options,
        &mut |symmetry, progress| {
            let note = format!("{n}x{n}, {}: {} states", symmetry.name(), progress.note.states);
            let flow = observe(progress.with_note(note.as_str()));
            stopped |= flow == ControlFlow::Break(());
            flow
        },
    );
    match found {
        _ if stopped => Err(SequenceError::Stopped),
        found => found.map_err(|error| engine_error(&error)),
    }
}

/// Burnside's lemma for the boards in both colourings: a symmetry leaves a board alone if it leaves the set of empty points
/// alone and exchanges no colours. On even boards the reflections of rows and columns and the quarter turns exchange them.
fn count_coloured_classes(n: usize, work: &mut TermWork<'_>) -> Result<BigUint, SequenceError> {
    let orbits = symmetry_orbits(n, work)?;
    if n == 1 {
        // No stones: the two colourings are one board.
        return Ok(orbits.classes);
    }
    let exchanges = |symmetry| {
        n.is_multiple_of(2)
            && matches!(
                symmetry,
                symmetry::RectangleSymmetry::Columns
                    | symmetry::RectangleSymmetry::Rows
                    | symmetry::RectangleSymmetry::QuarterTurn
            )
    };
    let kept = orbits.fixed.iter().filter(|(symmetry, ..)| !exchanges(*symmetry));
    let sum: BigUint = kept.map(|(_, times, boards)| boards * *times).sum();
    Ok(sum * 2u32 / 8u32)
}

fn count_any_colours(n: usize, work: &mut TermWork<'_>) -> Result<BigUint, SequenceError> {
    let observe = &mut *work.observe;
    let found = positions::count_optimal(n, n, work.threads, &mut |progress| {
        let note = format!("{n}x{n}, {}: {} states", progress.note.pass, progress.note.states);
        observe(progress.with_note(note.as_str()))
    });
    found.map(|found| found.positions).map_err(|error| positions_error(&error))
}

fn count_by_strings(n: usize, work: &mut TermWork<'_>) -> Result<Vec<BigUint>, SequenceError> {
    let observe = &mut *work.observe;
    let found = positions::count_by_chains(n, n, work.threads, &mut |progress| {
        let note = format!("{n}x{n}, {}: {} states", progress.note.pass, progress.note.states);
        observe(progress.with_note(note.as_str()))
    });
    found.map(|found| found.positions).map_err(|error| positions_error(&error))
}

fn positions_error(error: &positions::PositionsError) -> SequenceError {
    match error {
        positions::PositionsError::Stopped => SequenceError::Stopped,
        error => engine_error(error),
    }
}

/// Rows of a sequence from its first index on, as they are written to files.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SequenceTerms {
    /// Whose they are.
    pub sequence: Sequence,
    /// Row by row.
    pub rows: Vec<Vec<BigUint>>,
}

/// Characters of the line of terms in the text for the editor, as the encyclopedia has it.
const LINE_OF_TERMS: usize = 260;

impl SequenceTerms {
    /// The last index.
    #[must_use]
    pub fn last_index(&self) -> usize {
        (self.sequence.entry().offset + self.rows.len()).saturating_sub(1)
    }

    /// The b-file: remarks, then `n a(n)` line by line. Tables are numbered through.
    #[must_use]
    pub fn to_b_file(&self) -> String {
        let entry = self.sequence.entry();
        let mut text = format!("# {}: {}\n", entry.label(), entry.title);
        let _ = writeln!(text, "# Computed by ishi: {}", entry.oeis_command(self.last_index()));
        if entry.is_table() {
            let _ = writeln!(text, "# Rows {} to {}, flattened.", entry.offset, self.last_index());
        }
        for (i, term) in self.rows.iter().flatten().enumerate() {
            let _ = writeln!(text, "{} {term}", entry.offset + i);
        }
        text
    }

    /// What an editor asks for: name, offset, terms, definition, program, checks, bounds, references.
    #[must_use]
    pub fn to_editor_text(&self) -> String {
        let entry = self.sequence.entry();
        let mut line = String::new();
        for term in self.rows.iter().flatten().map(ToString::to_string) {
            if !line.is_empty() && line.len() + term.len() + 2 > LINE_OF_TERMS {
                break;
            }
            line += if line.is_empty() { "" } else { ", " };
            line += &term;
        }
        let mut text = format!(
            "{}\n\nNAME\n{}\n\nOFFSET\n{}\n\nDATA\n{line}\n",
            entry.label(),
            entry.title,
            entry.offset
        );
        for (title, paragraphs) in entry.text_sections() {
            let _ = write!(text, "\n{title}\n");
            for paragraph in paragraphs {
                let _ = writeln!(text, "{paragraph}");
            }
        }
        let _ = write!(text, "\nPROGRAM\n{}\n", entry.oeis_command(self.last_index()));
        let many = self.rows.iter().map(Vec::len).sum::<usize>();
        let _ = write!(
            text,
            "\nB-FILE\n{}: {many} terms, index {} to {}\n",
            entry.b_file_name(),
            entry.offset,
            self.last_index()
        );
        text
    }
}
