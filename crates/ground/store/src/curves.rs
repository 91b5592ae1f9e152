//! Campaigns over time: when their tasks were finished, who worked then, and what their matches have brought so far.

use std::collections::BTreeMap;

use serde_json::Value;

use super::campaigns::TASKS_OF_CAMPAIGN;
use super::database::{INDEXED_BY, NOW, NOW_MILLISECONDS, SqlFieldError, SqlRow, sql_values};
use super::queue::{SEALED_WORKER, WORKER_SILENCE};
use super::{CampaignCourse, Store, StoreError, read_json_column, runs, seal};

/// Lengths of spans in seconds that people count in. Longer ones are whole days.
const ROUND_SECONDS: [i64; 18] =
    [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400, 21_600, 43_200, 86_400];

/// Where more tasks are finished, they are counted by minutes: so many seconds would be read one by one otherwise.
const MOST_BY_SECONDS: u64 = 50_000;

/// The matches of a campaign by their runs, each with how many places a part of it has, for `FROM`: at most `$2` parts hold the finished ones. Places
/// from `end_place` on are of other campaigns alone; there are none where it is 0.
const PARTED_MATCHES: &str = "(\
    SELECT runs.name AS run, MAX(run_tasks.place) / $2 + 1 AS places, jobs.end_place AS end_place \
    FROM jobs JOIN runs ON runs.name = jobs.run JOIN run_tasks ON run_tasks.run = runs.name \
    AND (jobs.end_place = 0 OR run_tasks.place < jobs.end_place) \
    WHERE jobs.campaign = $1 AND runs.kind = 'match' GROUP BY runs.name, jobs.end_place) AS parted";

/// The finished tasks of a campaign, counted in spans of one length.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaskSpans {
    /// When the first task was finished, in seconds since 1970 by the clock of the database; where very many are, the beginning of that minute.
    /// There the first span begins.
    pub first: i64,
    /// When the last span ends: now, or with the last result of a campaign that is done.
    pub end: i64,
    /// The length of a span in seconds, at least 1. The last one may be shorter.
    pub seconds: i64,
    /// Tasks that were finished in each span.
    pub finished: Vec<u64>,
}

impl TaskSpans {
    /// Begin and end of each span, in seconds since the first result. A last span that has hardly begun is left out, because it says too
    /// little.
    ///
    /// ```
    /// use ishi_store::TaskSpans;
    /// let spans = TaskSpans { first: 1000, end: 1070, seconds: 30, finished: vec![5, 10, 1] };
    /// assert_eq!(spans.bounds(), [[0, 30], [30, 60]]);
    /// assert_eq!(spans.tasks_per_minute(), [10.0, 20.0]);
    /// ```
    pub fn bounds(&self) -> Vec<[i64; 2]> {
        let all = self.end.saturating_sub(self.first);
        let bounds = (0_i64..).zip(&self.finished).map(|(number, _)| {
            let begin = number * self.seconds;
            [begin, (begin + self.seconds).min(all)]
        });
        let says_enough = |&[begin, end]: &[i64; 2]| begin == 0 || 2 * (end - begin) >= self.seconds;
        bounds.filter(says_enough).collect()
    }

    /// How many tasks a minute were finished in each span of [`TaskSpans::bounds`].
    pub fn tasks_per_minute(&self) -> Vec<f64> {
        let bounds = self.bounds();
        let rate =
            |([begin, end], &count): (&[i64; 2], &u64)| 60.0 * count as f64 / (end - begin).max(1) as f64;
        bounds.iter().zip(&self.finished).map(rate).collect()
    }
}

/// When a worker was there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WorkerSpan {
    /// When it was first heard of, in seconds since 1970 by the clock of the database.
    pub from: i64,
    /// The end of the second in which it left or fell silent; of this second, if it is still there.
    pub until: i64,
    /// Tasks that it does at once.
    pub threads: u64,
}

impl WorkerSpan {
    /// The seconds of a span of time during which it was there.
    pub fn seconds_within(&self, begin: i64, end: i64) -> i64 {
        self.until.min(end).saturating_sub(self.from.max(begin)).max(0)
    }
}

/// A match of a campaign and what it has brought so far.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CampaignMatch {
    /// Its run.
    pub run: String,
    /// The first player's name.
    pub a: String,
    /// The second player's name.
    pub b: String,
    /// How many pairs brought the first player 0, 1/2, 1, 3/2 and 2 points.
    pub pairs: [u64; 5],
    /// The same of its parts, one after the other, which have the same number of places each. Parts without a finished pair are left out.
    pub parts: Vec<[u64; 5]>,
}

impl CampaignMatch {
    /// Pairs that are finished.
    pub fn finished(&self) -> u64 {
        self.pairs.iter().sum()
    }
}

impl Store {
    /// The finished tasks of a campaign in at most about so many spans; `None` before the first result.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub fn task_spans(&self, course: &CampaignCourse, most: u32) -> Result<Option<TaskSpans>, StoreError> {
        let unit: i64 = if course.finished > MOST_BY_SECONDS { 60 } else { 1 };
        // One look at each task, for its second or minute. The unit is a value: a statement is kept for each text.
        let counts = format!(
            "SELECT finished / $2, COUNT(*), MAX(finished), {NOW} FROM tasks {INDEXED_BY} tasks_over_time \
             WHERE id IN ({TASKS_OF_CAMPAIGN}) GROUP BY 1 ORDER BY 1"
        );
        let counts: Vec<(i64, u64, i64, i64)> =
            self.query_rows(&counts, sql_values![&course.name, unit], |row| {
                Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?))
            })?;
        let last = counts.iter().map(|&(_, _, last, _)| last).max();
        let (Some(&(first, _, _, now)), Some(last)) = (counts.first(), last) else { return Ok(None) };
        let first = first.saturating_mul(unit);
        // A task is finished within a second. The clock may have been set back since.
        let last = last.saturating_add(1);
        let end = if course.open() > 0 { now.max(last) } else { last };
        // No number holds their span where a bit of one has changed.
        let Some(all) = end.checked_sub(first) else {
            let cause =
                format!("tasks of {}: the times at which they were finished are impossible", course.name);
            return Err(StoreError::DamagedRow { path: self.path.clone(), cause });
        };
        let seconds = span_length(all, most);
        // Lengths from a minute on are whole minutes.
        let seconds = seconds.max(unit);
        let spans = usize::try_from(divide_up(all, seconds)).unwrap_or(1).max(1);
        let mut finished = vec![0; spans];
        for (number, count, ..) in counts {
            let number = number.saturating_mul(unit).saturating_sub(first) / seconds;
            // What was finished since the end was asked for belongs to the last span.
            finished[usize::try_from(number).unwrap_or(0).min(spans - 1)] += count;
        }
        Ok(Some(TaskSpans { first, end, seconds, finished }))
    }

    /// When the workers of the database were there, whatever they worked at. Those that are damaged are left out: [`Store::survey_campaigns`] names them.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub fn worker_spans(&self) -> Result<Vec<WorkerSpan>, StoreError> {
        let sql = format!("SELECT {SEALED_WORKER}, checksum, started, seen, {NOW_MILLISECONDS} FROM workers");
        let spans = self.query_rows(&sql, &[], |row| Ok(read_span(row).ok()))?;
        Ok(spans.into_iter().flatten().collect())
    }

    /// The matches of a campaign in the order in which they were begun, with what the pairs that it wants have brought. Each has at most so many parts.
    ///
    /// # Errors
    /// If the database cannot be read, or the run of one of them is damaged.
    pub fn campaign_matches(
        &self,
        campaign: &str,
        most_parts: u32,
    ) -> Result<Vec<CampaignMatch>, StoreError> {
        let columns = runs::SEALED_COLUMNS;
        let sql = format!(
            "SELECT {columns}, checksum FROM runs WHERE kind = 'match' \
             AND name IN (SELECT run FROM jobs WHERE campaign = $1) ORDER BY started, name"
        );
        // In the first game of a pair the match's first player has Black, in the second White.
        let counts = format!(
            "SELECT run_tasks.run, run_tasks.place / parted.places, first_game.winner, second_game.winner, COUNT(*) \
             FROM {PARTED_MATCHES} JOIN run_tasks ON run_tasks.run = parted.run \
             AND (parted.end_place = 0 OR run_tasks.place < parted.end_place) \
             JOIN games AS first_game {INDEXED_BY} games_by_outcome \
             ON first_game.task = run_tasks.task AND first_game.number = 0 \
             JOIN games AS second_game {INDEXED_BY} games_by_outcome \
             ON second_game.task = run_tasks.task AND second_game.number = 1 GROUP BY 1, 2, 3, 4"
        );
        let mut matches = self.query_rows(&sql, sql_values![campaign], read_match)?;
        let mut parts: BTreeMap<String, BTreeMap<u64, [u64; 5]>> = BTreeMap::new();
        let values = sql_values![campaign, most_parts.max(1)];
        for PairGroup { run, part, points, count } in self.query_rows(&counts, values, read_group)? {
            parts.entry(run).or_default().entry(part).or_default()[points] += count;
        }
        for each in &mut matches {
            each.take_parts(parts.remove(&each.run).unwrap_or_default());
        }
        Ok(matches)
    }
}

impl CampaignMatch {
    fn take_parts(&mut self, parts: BTreeMap<u64, [u64; 5]>) {
        self.parts = parts.into_values().collect();
        self.pairs = [0, 1, 2, 3, 4].map(|points| self.parts.iter().map(|part| part[points]).sum());
    }
}

/// Pairs of a part of a match that had the same outcome.
struct PairGroup {
    run: String,
    part: u64,
    /// Half points of the match's first player.
    points: usize,
    count: u64,
}

/// The shortest round length that divides so many seconds into at most so many spans.
fn span_length(all: i64, most: u32) -> i64 {
    const DAY: i64 = 86_400;
    let least = divide_up(all, i64::from(most.max(1)));
    let round = ROUND_SECONDS.into_iter().find(|&seconds| seconds >= least);
    round.unwrap_or_else(|| divide_up(least, DAY).saturating_mul(DAY))
}

/// The least whole number that is not below the quotient of two that are not negative.
fn divide_up(number: i64, by: i64) -> i64 {
    number / by + i64::from(number % by > 0)
}

/// When a worker was there.
fn read_span(row: &SqlRow) -> Result<WorkerSpan, SqlFieldError> {
    seal::check_row(row, 6)?;
    let (state, started, seen, now): (String, i64, i64, i64) =
        (row.get(5)?, row.get(7)?, row.get(8)?, row.get(9)?);
    let is_there = state != "gone" && now.saturating_sub(seen) <= WORKER_SILENCE;
    let until = if is_there { now.max(seen) } else { seen };
    Ok(WorkerSpan { from: started / 1000, until: until / 1000 + 1, threads: row.get(2)? })
}

/// A row of a run.
fn read_match(row: &SqlRow) -> Result<CampaignMatch, SqlFieldError> {
    runs::check_run(row)?;
    let spec = read_json_column(row, 2)?;
    let name = |side: &str| {
        let told = spec.get(format!("{side}_name")).or_else(|| spec.get(side));
        told.and_then(Value::as_str).unwrap_or_default().to_string()
    };
    Ok(CampaignMatch { run: row.get(0)?, a: name("a"), b: name("b"), pairs: [0; 5], parts: Vec::new() })
}

/// A row of pairs with the same outcome.
fn read_group(row: &SqlRow) -> Result<PairGroup, SqlFieldError> {
    let half_points = |column: usize, own: &str| {
        let winner: String = row.get(column)?;
        Ok::<usize, SqlFieldError>(if winner.is_empty() { 1 } else { 2 * usize::from(winner == own) })
    };
    let points = half_points(2, "B")? + half_points(3, "W")?;
    Ok(PairGroup { run: row.get(0)?, part: row.get(1)?, points, count: row.get(4)? })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::{NewResult, QueueEntry, StoreTask, TaskCost, TaskKind};

    /// A campaign whose tasks were finished at these times.
    fn store_with_times(times: &[i64]) -> Store {
        let mut store = Store::in_memory().unwrap();
        store.start_run("r", "test", &json!({})).unwrap();
        let task = |place: u64| StoreTask::new(TaskKind::new("test"), json!({ "number": place }));
        let entry = |place| QueueEntry { place, task: task(place).id(), after: None };
        let entries: Vec<QueueEntry> = (0..times.len() as u64).map(entry).collect();
        store.open_job("r", "c", &json!({}), &entries).unwrap();
        let new =
            NewResult { result: json!(1), seed: "1".into(), cost: TaskCost::default(), games: Vec::new() };
        for (place, &time) in (0..).zip(times) {
            store.keep_result_in_run(&task(place), &new, Some(("r", place))).unwrap();
            let (sql, id) = ("UPDATE tasks SET finished = $1 WHERE id = $2", task(place).id());
            let changed = store
                .write_transaction(|database| database.execute(sql, sql_values![time, id.as_str()]))
                .unwrap();
            assert_eq!(changed, 1);
        }
        store
    }

    /// By seconds, and by minutes as where very many are finished: each span has the tasks that one finds in it one by one.
    #[test]
    fn tasks_are_counted_as_one_by_one() {
        let times: Vec<i64> = (0..200).map(|n| 1_000_007 + n * n * 7919 % 9001).collect();
        let (least, greatest) = (times.iter().min().unwrap(), times.iter().max().unwrap());
        let store = store_with_times(&times);
        for (finished, unit) in [(200, 1), (MOST_BY_SECONDS + 1, 60)] {
            let course = CampaignCourse {
                name: "c".into(),
                jobs: Vec::new(),
                finished,
                cpu_seconds: 0.0,
                recent: 0,
                recent_seconds: 0,
                alarms: 0,
            };
            for most in [1, 7, 60, 1000] {
                let spans = store.task_spans(&course, most).unwrap().unwrap();
                assert_eq!((spans.first, spans.end), (least / unit * unit, greatest + 1));
                assert!(spans.seconds % unit == 0 && spans.finished.len() <= most as usize, "{spans:?}");
                let begins = (0..).map(|number: i64| spans.first + number * spans.seconds);
                let in_span = |begin: i64| {
                    times.iter().filter(|&time| (begin..begin + spans.seconds).contains(time)).count() as u64
                };
                let slowly: Vec<u64> = begins.take(spans.finished.len()).map(in_span).collect();
                assert_eq!(spans.finished, slowly);
                assert_eq!(slowly.iter().sum::<u64>(), 200);
            }
        }
    }

    #[test]
    fn spans_have_round_lengths() {
        let lengths =
            [1, 60, 61, 100, 3600, 100_000, 86_400 * 60, 86_400 * 61].map(|all| span_length(all, 60));
        assert_eq!(lengths, [1, 1, 2, 2, 60, 1800, 86_400, 172_800]);
    }

    #[test]
    fn a_worker_counts_for_the_time_that_it_is_there() {
        let worker = WorkerSpan { from: 100, until: 160, threads: 2 };
        let times = [[0, 100], [90, 130], [100, 160], [150, 900], [160, 170]];
        assert_eq!(times.map(|[begin, end]| worker.seconds_within(begin, end)), [0, 30, 60, 10, 0]);
    }
}
