//! `ishi strings oeis`: b-files and texts for the On-Line Encyclopedia of Integer Sequences.

pub(crate) mod share;

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use clap::Args;
use ishi_grid::sequences::{Sequence, SequenceError, SequenceTerms, TermWork};
use ishi_work::Progress;
use serde::Serialize;

use super::ledger::Ledger;
use super::work::SweepWatch;
use crate::context::{Context, Failure};
use crate::files;

const HELP: &str = "\
Examples:
  ishi strings oeis --list                                  the sequences
  ishi strings oeis out                                     all of them, as far as minutes go
  ishi strings oeis out --sequence optimal-boards --to 64   one, further
  ishi strings oeis out --to 6 --json

OUT gets a b-file for each sequence (b347632.txt; a sequence without a number: b-NAME.txt), beside it NAME.txt \
with what an editor asks for, and terms.txt with every term as soon as it is known. After Ctrl-C, or \
to go further, the same command goes on from there.";

/// Where terms are kept.
const KEPT: &str = "terms.txt";

/// Writes integer sequences.
#[derive(Args, Debug)]
#[command(after_long_help = HELP)]
pub struct OeisArgs {
    /// Folder to write into; it is made if it is not there
    #[arg(value_name = "OUT", required_unless_present = "list")]
    out: Option<PathBuf>,
    /// Only this sequence; may be given several times
    #[arg(long = "sequence", value_name = "NAME", value_parser = parse_sequence)]
    sequences: Vec<Sequence>,
    /// Last index (for tables: last row); if not given, what takes minutes
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=127))]
    to: Option<u16>,
    /// Only list the sequences
    #[arg(long, conflicts_with_all = ["sequences", "to", "out"])]
    list: bool,
}

fn parse_sequence(name: &str) -> Result<Sequence, String> {
    Sequence::from_name(name).ok_or_else(|| {
        let names: Vec<&str> = Sequence::ALL.iter().map(|sequence| sequence.entry().name).collect();
        format!("must be one of {}", names.join(", "))
    })
}

#[derive(Serialize)]
struct SequenceRow {
    sequence: &'static str,
    /// The encyclopedia's number; nothing for a new one.
    number: Option<&'static str>,
    title: &'static str,
    first: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    last: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    b_file: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    last_term: Option<String>,
}

/// Computes and writes.
pub fn run(args: &OeisArgs, context: &Context) -> Result<(), Failure> {
    let Some(out) = &args.out else { return list_sequences(context) };
    files::make_folder(out)?;
    let mut ledger = Ledger::open(Some(&out.join(KEPT)))?;
    let mut rows = Vec::new();
    for &sequence in args.chosen_sequences() {
        let mut rows_of_sequence = Vec::new();
        let last = args.last_index(sequence);
        let ended = compute_terms(sequence, last, &mut ledger, context, &mut rows_of_sequence);
        let terms = SequenceTerms { sequence, rows: rows_of_sequence };
        if !terms.rows.is_empty() {
            write_terms(out, &terms)?;
        }
        ended?;
        rows.push(row_of_terms(&terms));
    }
    print_rows(&rows, context)
}

impl OeisArgs {
    /// The sequences that were asked for, or all.
    fn chosen_sequences(&self) -> &[Sequence] {
        if self.sequences.is_empty() { &Sequence::ALL } else { &self.sequences }
    }

    /// The last index of a sequence.
    fn last_index(&self, sequence: Sequence) -> usize {
        let entry = sequence.entry();
        self.to.map_or(entry.usual_last, usize::from).max(entry.offset)
    }
}

/// The b-file, and what an editor asks for.
fn write_terms(out: &Path, terms: &SequenceTerms) -> Result<(), Failure> {
    let entry = terms.sequence.entry();
    files::write_file(&out.join(entry.b_file_name()), terms.to_b_file().as_bytes(), true)?;
    let text = out.join(format!("{}.txt", entry.name));
    files::write_file(&text, terms.to_editor_text().as_bytes(), true)
}

fn row_of_terms(terms: &SequenceTerms) -> SequenceRow {
    SequenceRow {
        last: Some(terms.last_index()),
        b_file: Some(terms.sequence.entry().b_file_name()),
        last_term: terms.rows.iter().flatten().next_back().map(ToString::to_string),
        ..sequence_row(terms.sequence)
    }
}

fn compute_terms(
    sequence: Sequence,
    last: usize,
    ledger: &mut Ledger,
    context: &Context,
    rows: &mut Vec<Vec<ishi_grid::sequences::BigUint>>,
) -> Result<(), Failure> {
    let entry = sequence.entry();
    let mut watch = SweepWatch::new(context);
    for n in entry.offset..=last {
        let index = n.to_string();
        if let Some(known) = ledger.get(entry.name, &index) {
            rows.push(known.to_vec());
            continue;
        }
        let mut observe = |step: Progress<&str>| {
            let note = format!("{} {n} of {last}, {}", entry.name, step.note);
            watch.observe_progress(step.with_note(note.as_str()))
        };
        let threads = NonZeroUsize::new(context.threads).unwrap_or(NonZeroUsize::MIN);
        let row =
            sequence.compute_row(n, &mut TermWork { threads, observe: &mut observe }).map_err(|error| {
                match error {
                    SequenceError::Stopped => Failure::Interrupted,
                    error => Failure::Input(format!(
                        "{}, n = {n}: {error}; the terms before are written",
                        entry.name
                    )),
                }
            })?;
        ledger.append_row(entry.name, &index, row.clone())?;
        rows.push(row);
    }
    Ok(())
}

fn sequence_row(sequence: Sequence) -> SequenceRow {
    let entry = sequence.entry();
    SequenceRow {
        sequence: entry.name,
        number: entry.number,
        title: entry.title,
        first: entry.offset,
        last: None,
        b_file: None,
        last_term: None,
    }
}

fn list_sequences(context: &Context) -> Result<(), Failure> {
    let rows: Vec<SequenceRow> = Sequence::ALL.into_iter().map(sequence_row).collect();
    print_rows(&rows, context)
}

fn print_rows(rows: &[SequenceRow], context: &Context) -> Result<(), Failure> {
    files::print_result(context, &rows, || format_rows(rows))
}

fn format_rows(rows: &[SequenceRow]) -> String {
    let mut text = String::new();
    for row in rows {
        text += &format!("{:22} {:8} {}\n", row.sequence, row.number.unwrap_or("new"), row.title);
        if let (Some(last), Some(file), Some(term)) = (row.last, &row.b_file, &row.last_term) {
            text += &format!("{:22} {file}: {} to {last}, ends with {term}\n", "", row.first);
        }
    }
    text
}
