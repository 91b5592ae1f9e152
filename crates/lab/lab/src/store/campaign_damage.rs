//! Damaged rows of campaigns: which they are, what can be done about them, and how they are taken out. They hide nothing else from whoever looks.
//! Whoever computes with them is refused.

use super::database::{Database, SqlFieldError, SqlRow, sql_values};
use super::queue::{SEALED_ENTRY, SEALED_JOB, SEALED_JOIN, SEALED_WORKER};
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
    /// What names a row.
    key: &'static str,
    /// In this order names are read from the table, and not from an index, which may have other ones once a bit has changed.
    order: &'static str,
    /// Tables that name a row of this one by their column `run`.
    dependants: &'static [&'static str],
}

/// Jobs come first: what belongs to a damaged one goes with it.
const MENDED_TABLES: [MendedTable; 5] = [
    MendedTable {
        name: "jobs",
        sealed: SEALED_JOB,
        clocks: "",
        key: "run",
        order: "campaign, run",
        dependants: &["joins", "failures", "queue"],
    },
    MendedTable {
        name: "workers",
        sealed: SEALED_WORKER,
        clocks: ", seen",
        key: "id",
        order: "seen, id",
        dependants: &[],
    },
    MendedTable {
        name: "failures",
        sealed: failures::SEALED_COLUMNS,
        clocks: "",
        key: "run, place",
        order: "noticed, run, place",
        dependants: &[],
    },
    MendedTable {
        name: "joins",
        sealed: SEALED_JOIN,
        clocks: "",
        key: "run, place",
        order: "end_place, run, place",
        dependants: &[],
    },
    MendedTable {
        name: "queue",
        sealed: SEALED_ENTRY,
        clocks: ", lease",
        key: "run, place",
        order: "lease, run, place",
        dependants: &[],
    },
];

impl MendedTable {
    /// Takes out what is damaged, and says how many rows these were.
    fn remove_damaged(&self, database: &mut dyn Database) -> Result<u64, StoreError> {
        if self.find_damaged(database)?.is_empty() {
            return Ok(0);
        }
        // Rows are found by their numbers, which must not change, and then by their names, of which an index may have other ones.
        database.hold_table(self.name)?;
        let numbers = self.find_damaged(database)?;
        // The last one first, so that the others keep their numbers.
        for number in numbers.iter().rev() {
            self.remove_row(*number, database)?;
        }
        Ok(numbers.len() as u64)
    }

    /// The numbers of damaged rows, in the order of this table.
    fn find_damaged(&self, database: &mut dyn Database) -> Result<Vec<usize>, StoreError> {
        let MendedTable { name, sealed, clocks, order, .. } = self;
        let sql = format!("SELECT {sealed}, checksum{clocks} FROM {name} ORDER BY {order}");
        let count = sealed.split(',').count();
        let is_damaged = |row: &SqlRow| {
            let mut clocks = count + 1..row.0.len();
            seal::check_row(row, count).is_err() || clocks.any(|at| row.get::<i64>(at).is_err())
        };
        let (mut damaged, mut rows) = (Vec::new(), 0);
        database.visit_rows(&sql, &mut |row| {
            damaged.extend(is_damaged(row).then_some(rows));
            rows += 1;
        })?;
        Ok(damaged)
    }

    /// Takes out the row of this number, and first what names it.
    fn remove_row(&self, number: usize, database: &mut dyn Database) -> Result<(), StoreError> {
        let MendedTable { name, key, order, dependants, .. } = self;
        let row = format!("SELECT {key} FROM {name} ORDER BY {order} LIMIT 1 OFFSET $1");
        for table in *dependants {
            database.execute(&format!("DELETE FROM {table} WHERE run IN ({row})"), sql_values![number])?;
        }
        let delete = format!("DELETE FROM {name} WHERE ({key}) IN ({row})");
        database.execute(&delete, sql_values![number]).map(drop)
    }
}

impl Store {
    /// Takes out damaged jobs, with their queue, and damaged workers, failures, joins and tasks of the queue, of whatever campaign. Whoever asks for
    /// a job again makes it and its queue anew, a worker that is there notes itself again, and what has failed is tried anew. Says how many rows
    /// these were.
    ///
    /// # Errors
    /// If the database cannot be written.
    pub fn remove_damaged_campaign_rows(&mut self) -> Result<u64, StoreError> {
        self.write_transaction(|database| {
            let mut all = 0;
            for table in &MENDED_TABLES {
                all += table.remove_damaged(database)?;
            }
            Ok(all)
        })
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
            let error = seal::check_row_of(row, 3, || format!("job of run {}", row.shown_text(0))).err()?;
            Some(CampaignDamage::removable(row.shown_text(1), row.shown_text(0), error))
        })
    }

    /// Tasks of the queue that are damaged.
    fn find_damaged_entries(&self) -> Result<Vec<CampaignDamage>, StoreError> {
        let sql = format!(
            "SELECT {SEALED_ENTRY}, checksum, lease, (SELECT campaign FROM jobs WHERE jobs.run = queue.run) FROM queue \
             ORDER BY run, place"
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
            "SELECT {SEALED_JOIN}, checksum, (SELECT campaign FROM jobs WHERE jobs.run = joins.run) FROM joins \
             ORDER BY run, place"
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
            database.visit_rows(sql, &mut |row| damaged.extend(check(row)))?;
            Ok(damaged)
        })
    }
}
