//! Integer sequences as work of a campaign: a task counts the boards of one size, or a row of sizes. The files are those of `ishi strings oeis`,
//! byte for byte.
//!
//! A count is not divided further: it sweeps over its board, and what begins at different first rows is the same some rows later. Parts of one
//! count would each do nearly all of it (docs/notes/campaigns.md).

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroUsize;
use std::path::PathBuf;

use ishi_grid::sequences::{BigUint, Sequence, SequenceError, SequenceTerms, TermWork};
use ishi_lab::experiment::TaskOutput;
use ishi_lab::store::FinishedTask;
use ishi_rng::Seed;
use ishi_work::{Progress, StopFlag};
use serde_json::{Value, json};

use super::{KEPT, OeisArgs, SequenceRow, format_rows, row_of_terms, write_terms};
use crate::commands::campaign::shared_work::{
    FinishedTasks, SharedWork, SharedWorkArgs, WorkAnswer, WorkInputs, wrong_result,
};
use crate::commands::strings::ledger::Ledger;
use crate::context::{Context, Failure};
use crate::files;

impl SharedWorkArgs for OeisArgs {
    type Work = SharedSequences;

    fn check_options(&self) -> Result<(), String> {
        if self.out.is_none() {
            return Err("a folder must be given to write into, and --list must be left out".into());
        }
        Ok(())
    }

    fn load_work(self, seed: Seed, _: &mut WorkInputs<'_>) -> Result<SharedSequences, Failure> {
        let mut known = BTreeSet::new();
        let asked = self.chosen_sequences().iter().filter(|&&sequence| known.insert(sequence));
        let asked: Vec<(Sequence, usize)> =
            asked.map(|&sequence| (sequence, self.last_index(sequence))).collect();
        let rows_of = |&(sequence, last): &(Sequence, usize)| {
            (sequence.entry().offset..=last).map(move |index| (sequence, index))
        };
        let mut rows: Vec<(Sequence, usize)> = asked.iter().flat_map(rows_of).collect();
        // The longest ones first: nobody waits for them in the end.
        rows.sort_by_key(|&(_, index)| Reverse(index));
        Ok(SharedSequences { out: self.out.unwrap_or_default(), seed, asked, rows })
    }
}

/// Sequences that workers compute.
pub(crate) struct SharedSequences {
    out: PathBuf,
    /// The seed of the context. Nothing here follows from it.
    seed: Seed,
    /// The sequences in their order, with their last indices.
    asked: Vec<(Sequence, usize)>,
    /// What tasks compute, by place: a sequence at an index.
    rows: Vec<(Sequence, usize)>,
}

impl SharedSequences {
    fn row(&self, place: u64) -> Option<(Sequence, usize)> {
        self.rows.get(usize::try_from(place).ok()?).copied()
    }

    /// The terms of all sequences. All results are there, in the order of their places.
    fn join_rows(&self, results: &[FinishedTask]) -> Result<Vec<SequenceTerms>, Failure> {
        let mut found = BTreeMap::new();
        for (&key, finished) in self.rows.iter().zip(results) {
            found.insert(key, read_row(finished)?);
        }
        let rows_of = |&(sequence, last): &(Sequence, usize)| {
            let indices = sequence.entry().offset..=last;
            let rows = indices.filter_map(|index| found.get(&(sequence, index)).cloned()).collect();
            SequenceTerms { sequence, rows }
        };
        Ok(self.asked.iter().map(rows_of).collect())
    }

    /// Keeps the terms that the folder does not have yet, so that the command goes on from there.
    fn keep_terms(&self, all: &[SequenceTerms]) -> Result<(), Failure> {
        let path = self.out.join(KEPT);
        let mut ledger = Ledger::open(Some(&path))?;
        for terms in all {
            let entry = terms.sequence.entry();
            for (index, row) in (entry.offset..).zip(&terms.rows) {
                let index = index.to_string();
                match ledger.get(entry.name, &index) {
                    None => ledger.append_row(entry.name, &index, row.clone())?,
                    Some(known) if known == row.as_slice() => {}
                    Some(_) => {
                        let what = format!("it has other numbers of {} {index}", entry.name);
                        return Err(Failure::in_file(&path, what));
                    }
                }
            }
        }
        Ok(())
    }
}

impl SharedWork for SharedSequences {
    fn facts(&self) -> Value {
        let sequence = |(sequence, last): &(Sequence, usize)| json!([sequence.entry().name, last]);
        json!({ "sequences": self.asked.iter().map(sequence).collect::<Value>() })
    }

    fn task_count(&self) -> u64 {
        self.rows.len() as u64
    }

    fn task_spec(&self, place: u64) -> Value {
        self.row(place).map_or(
            Value::Null,
            |(sequence, index)| json!({ "sequence": sequence.entry().name, "index": index }),
        )
    }

    fn seed(&self) -> Seed {
        self.seed
    }

    fn do_task(&self, place: u64, _: Option<&Value>, stop: &StopFlag) -> WorkAnswer {
        let (sequence, index) = self.row(place).ok_or_else(|| format!("there is no term {place}"))?;
        let mut observe = |_: Progress<&str>| stop.to_flow();
        let mut work = TermWork { threads: NonZeroUsize::MIN, observe: &mut observe };
        match sequence.compute_row(index, &mut work) {
            Ok(row) => {
                let numbers: Value = row.iter().map(ToString::to_string).collect();
                Ok(Some(TaskOutput::from(numbers)))
            }
            Err(SequenceError::Stopped) => Ok(None),
            Err(error) => Err(format!("{}, n = {index}: {error}", sequence.entry().name)),
        }
    }

    fn report(&self, results: &mut FinishedTasks<'_>, context: &Context) -> Result<String, Failure> {
        let results = results.collect::<Result<Vec<FinishedTask>, Failure>>()?;
        let all = self.join_rows(&results)?;
        files::make_folder(&self.out)?;
        self.keep_terms(&all)?;
        all.iter().try_for_each(|terms| write_terms(&self.out, terms))?;
        let rows: Vec<SequenceRow> = all.iter().map(row_of_terms).collect();
        files::result_text(context, &rows, || format_rows(&rows))
    }
}

/// A task's result: whole numbers as texts, as they are long.
fn read_row(finished: &FinishedTask) -> Result<Vec<BigUint>, Failure> {
    let number = |value: &Value| value.as_str()?.parse::<BigUint>().ok();
    let row: Option<Vec<BigUint>> =
        finished.result.as_array().and_then(|values| values.iter().map(number).collect());
    let row = row.filter(|row| !row.is_empty());
    row.ok_or_else(|| wrong_result(finished, "be whole numbers, and is not"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::campaign::shared_work::{WorkLine, finished_task, load_from_words};

    fn load(line: &str) -> SharedSequences {
        load_from_words::<OeisArgs>(&shlex::split(line).unwrap()).unwrap()
    }

    #[test]
    fn terms_of_tasks_are_those_of_one_thread() {
        let work = load("out --sequence optimal-boards --sequence positions-by-strings --to 4");
        let never = StopFlag::default();
        let compute = |place| finished_task(work.do_task(place, None, &never).unwrap().unwrap().result);
        let results: Vec<FinishedTask> = (0..work.task_count()).map(compute).collect();
        let all = work.join_rows(&results).unwrap();
        assert_eq!(all.len(), 2);
        for terms in all {
            let mut observe = |_: Progress<&str>| std::ops::ControlFlow::Continue(());
            let threads = NonZeroUsize::new(2).unwrap();
            let mut term_work = TermWork { threads, observe: &mut observe };
            let first = terms.sequence.entry().offset;
            assert_eq!(terms.last_index(), 4);
            for (index, row) in (first..).zip(&terms.rows) {
                assert_eq!(terms.sequence.compute_row(index, &mut term_work).unwrap(), *row);
            }
        }
        assert!(work.do_task(work.task_count(), None, &never).is_err());
        assert!(work.join_rows(&[finished_task(json!(["x"]))]).is_err());
    }

    #[test]
    fn a_task_is_a_sequence_at_an_index_and_the_last_ones_come_first() {
        let work = load("out --sequence classes --sequence most-strings --sequence classes --to 6");
        let more = load("other --sequence classes --to 7");
        assert_eq!(work.asked, [(Sequence::Classes, 6), (Sequence::MostStrings, 6)], "each of them once");
        let indices: Vec<usize> = work.rows.iter().map(|&(_, index)| index).collect();
        assert!(indices.is_sorted_by(|a, b| a >= b), "{indices:?}");
        assert_eq!(more.task_spec(1), work.task_spec(0), "terms that are there are not computed again");
        assert_ne!(more.facts(), work.facts());
    }

    #[test]
    fn a_stop_breaks_off() {
        let work = load("out --sequence classes --to 6");
        let stop = StopFlag::default();
        stop.request();
        assert!(work.do_task(0, None, &stop).unwrap().is_none());
        assert!(WorkLine::<OeisArgs>::parse_words(&["--list".to_string()]).is_err());
    }
}
