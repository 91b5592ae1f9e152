//! Damaged rows of campaigns: which they are, what can be done about them, and how they are taken out. They hide nothing else from whoever looks.
//! Whoever computes with them is refused.

use std::ops::ControlFlow;

use super::database::{Database, ROW_ADDRESS, ROW_AT_ADDRESS, SqlFieldError, SqlRow, sql_values};
use super::queue::{SEALED_ENTRY, SEALED_JOB, SEALED_JOIN, SEALED_WORKER, WANTED_RUNS};
use super::{Store, StoreError, failures, runs, seal};

/// What can be done about a damaged row, where there is no copy of the database from before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DamageCure {
    /// [`Store::remove_damaged_campaign_rows`] takes it out. Whoever needs it makes it anew.
    Remove,
    /// [`Store::forget_damaged_run`] takes it out, with all that names it.
    ForgetRun,
    /// Nothing.
    CopyOnly,
}

/// A row of a campaign that is damaged. What is told of it may be damaged, too.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CampaignDamage {
    /// The campaign; empty where none is known, as of a worker, which belongs to none.
    pub campaign: String,
    /// The run; empty where the row is no run's.
    pub run: String,
    /// Which row it is, and what is wrong with it, in a few words.
    pub cause: String,
    /// What can be done.
    pub cure: DamageCure,
}

impl CampaignDamage {
    /// A row that is taken out and comes anew.
    pub(super) fn removable(
        campaign: String,
        run: String,
        SqlFieldError(cause): SqlFieldError,
    ) -> CampaignDamage {
        CampaignDamage { campaign, run, cause, cure: DamageCure::Remove }
    }
}

/// A table whose damaged rows are taken out.
struct MendedTable {
    name: &'static str,
    /// The columns that the checksum is of.
    sealed: &'static str,
    /// Whole numbers that are read, too, and change too often for a checksum: each with a comma before it.
    clocks: &'static str,
    /// Tables with rows that go with the last row of their `run` in this one.
    dependants: &'static [&'static str],
}

/// Jobs come first: what belongs to a damaged one goes with it, where no other campaign wants the run.
const MENDED_TABLES: [MendedTable; 5] = [
    MendedTable { name: "jobs", sealed: SEALED_JOB, clocks: "", dependants: &["joins", "failures", "queue"] },
    MendedTable { name: "workers", sealed: SEALED_WORKER, clocks: ", seen", dependants: &[] },
    MendedTable { name: "failures", sealed: failures::SEALED_COLUMNS, clocks: "", dependants: &[] },
    MendedTable { name: "joins", sealed: SEALED_JOIN, clocks: "", dependants: &[] },
    MendedTable { name: "queue", sealed: SEALED_ENTRY, clocks: ", lease", dependants: &[] },
];

/// Rows that are taken out in one transaction at most: meanwhile others wait.
const BATCH: usize = 500;

/// How often a table is looked through: a row that others change just then moves, and is found by the next look.
const MOST_LOOKS: usize = 5;

impl MendedTable {
    /// Whether a row of this table is damaged. It begins with what is sealed, the checksum and the clocks.
    fn is_damaged(&self, row: &SqlRow) -> bool {
        let count = self.sealed.split(',').count();
        let clocks = self.clocks.matches(',').count();
        let mut clocks = count + 1..count + 1 + clocks;
        seal::check_row(row, count).is_err() || clocks.any(|at| row.get::<i64>(at).is_err())
    }

    /// Where the damaged rows stand. Names could be those of an index, which may have other ones once a bit has changed.
    fn find_damaged(&self, database: &mut dyn Database) -> Result<Vec<String>, StoreError> {
        let MendedTable { name, sealed, clocks, .. } = self;
        let sql = format!("SELECT {sealed}, checksum{clocks}, {ROW_ADDRESS} FROM {name}");
        let mut damaged = Vec::new();
        database.visit_rows(&sql, &mut |row| {
            if self.is_damaged(row) {
                damaged.push(row.shown_text(row.0.len() - 1));
            }
            ControlFlow::Continue(())
        })?;
        Ok(damaged)
    }

    /// Takes out the rows at these addresses that are damaged, each after what names it. Says how many these were. Others may have changed the table
    /// since it was looked through.
    fn remove_rows(&self, addresses: &[String], database: &mut dyn Database) -> Result<u64, StoreError> {
        let MendedTable { name, sealed, clocks, dependants } = self;
        let select = format!("SELECT {sealed}, checksum{clocks} FROM {name} WHERE {ROW_AT_ADDRESS}");
        database.hold_table(name)?;
        let mut removed = 0;
        for address in addresses {
            let rows = database.query(&select, sql_values![address])?;
            if !rows.first().is_some_and(|row| self.is_damaged(row)) {
                continue;
            }
            for table in *dependants {
                let delete = format!(
                    "DELETE FROM {table} WHERE run IN (SELECT run FROM {name} WHERE {ROW_AT_ADDRESS}) \
                     AND 1 = (SELECT COUNT(*) FROM {name} AS rows_of_run WHERE rows_of_run.run = {table}.run)"
                );
                database.execute(&delete, sql_values![address])?;
            }
            let delete = format!("DELETE FROM {name} WHERE {ROW_AT_ADDRESS}");
            removed += database.execute(&delete, sql_values![address])?;
        }
        Ok(removed)
    }
}

impl Store {
    /// Takes out damaged jobs, with their queue where no other campaign wants it, and damaged workers, failures, joins and tasks of the queue, of
    /// whatever campaign. Whoever asks for a job again makes it and its queue anew, a worker that is there notes itself again, and what has failed is
    /// tried anew. Says how many rows these were. Workers go on meanwhile: tables are looked through outside transactions, and some rows at a time
    /// are taken out.
    ///
    /// # Errors
    /// If the database cannot be written. Some rows may have been taken out by then.
    pub fn remove_damaged_campaign_rows(&mut self) -> Result<u64, StoreError> {
        let mut all = 0;
        for table in &MENDED_TABLES {
            for _ in 0..MOST_LOOKS {
                let damaged = self.insist(|database| table.find_damaged(database))?;
                if damaged.is_empty() {
                    break;
                }
                for batch in damaged.chunks(BATCH) {
                    all += self.write_transaction(|database| table.remove_rows(batch, database))?;
                }
            }
        }
        Ok(all)
    }

    /// All damaged rows of campaigns, those of the queue among them, which a survey leaves out: there may be millions of whole ones.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub fn find_campaign_damage(&self) -> Result<Vec<CampaignDamage>, StoreError> {
        let mut damaged = self.survey_campaigns()?.damaged;
        damaged.extend(self.find_damaged_entries()?);
        Ok(damaged)
    }

    /// Jobs that are damaged, of whatever campaign. Their tasks are not counted.
    pub(super) fn find_damaged_jobs(&self) -> Result<Vec<CampaignDamage>, StoreError> {
        let sql = format!("SELECT {SEALED_JOB}, checksum FROM jobs ORDER BY campaign, run");
        self.find_damaged_rows(&sql, |row| {
            let error = seal::check_row_of(row, 4, || format!("job of run {}", row.shown_text(0))).err()?;
            Some(CampaignDamage::removable(row.shown_text(1), row.shown_text(0), error))
        })
    }

    /// Tasks of the queue that are damaged.
    fn find_damaged_entries(&self) -> Result<Vec<CampaignDamage>, StoreError> {
        let sql = format!(
            "SELECT {SEALED_ENTRY}, checksum, lease, campaign FROM queue LEFT JOIN {WANTED_RUNS} ON wanted_run = run \
             ORDER BY run, place, campaign"
        );
        self.find_damaged_rows(&sql, |row| {
            let name = || format!("task {} of run {} in the queue", row.shown_text(1), row.shown_text(0));
            let whole = seal::check_row_of(row, 4, name)
                .and_then(|()| row.get::<i64>(5).map(drop).map_err(|error| error.within(&name())));
            Some(CampaignDamage::removable(row.shown_text(6), row.shown_text(0), whole.err()?))
        })
    }

    /// The runs of jobs that are damaged.
    pub(super) fn find_damaged_runs_of_jobs(&self) -> Result<Vec<CampaignDamage>, StoreError> {
        const SQL: &str = "SELECT runs.name, runs.kind, runs.spec, runs.checksum, jobs.campaign \
            FROM jobs JOIN runs ON runs.name = jobs.run ORDER BY jobs.campaign, runs.name";
        self.find_damaged_rows(SQL, |row| {
            let SqlFieldError(cause) = runs::check_run(row).err()?;
            let (campaign, run) = (row.shown_text(4), row.shown_text(0));
            Some(CampaignDamage { campaign, run, cause, cure: DamageCure::ForgetRun })
        })
    }

    /// Tasks that wait for others, and do not say for which.
    pub(super) fn find_damaged_joins(&self) -> Result<Vec<CampaignDamage>, StoreError> {
        let sql = format!(
            "SELECT {SEALED_JOIN}, checksum, campaign FROM joins LEFT JOIN {WANTED_RUNS} ON wanted_run = run \
             ORDER BY run, place, campaign"
        );
        self.find_damaged_rows(&sql, |row| {
            let name = || format!("join of task {} of run {}", row.shown_text(1), row.shown_text(0));
            let error = seal::check_row_of(row, 4, name).err()?;
            Some(CampaignDamage::removable(row.shown_text(5), row.shown_text(0), error))
        })
    }

    fn find_damaged_rows(
        &self,
        sql: &str,
        check: impl Fn(&SqlRow) -> Option<CampaignDamage>,
    ) -> Result<Vec<CampaignDamage>, StoreError> {
        self.insist(|database| {
            let mut damaged = Vec::new();
            database.visit_rows(sql, &mut |row| {
                damaged.extend(check(row));
                ControlFlow::Continue(())
            })?;
            Ok(damaged)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::noted::NotedDatabase;
    use super::*;

    /// No transaction looks through a table, and none is long.
    #[test]
    fn damaged_rows_are_taken_out_some_at_a_time() {
        let (mut database, notes) = NotedDatabase::with_tables();
        let insert = "INSERT INTO joins (run, place, first_place, end_place) VALUES ('r', $1, 0, 1)";
        for place in 0..2 * BATCH + 3 {
            database.execute(insert, sql_values![place]).unwrap();
        }
        notes.take();
        let mut store = Store::of_database(Box::new(database));
        assert_eq!(store.remove_damaged_campaign_rows().unwrap(), 2 * BATCH as u64 + 3);
        // Jobs, workers and failures are whole. Joins are looked through again, and the queue comes last.
        let whole = "d".repeat(BATCH);
        assert_eq!(notes.take(), format!("vvvv({whole})({whole})(ddd)vv"));
        assert!(store.find_damaged_joins().unwrap().is_empty());
    }
}
