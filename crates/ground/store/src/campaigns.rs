//! How far campaigns are: what is finished, what it cost, and how fast it goes.

use super::database::{NOW, SqlFieldError, sql_values};
use super::{CampaignDamage, CampaignFailure, DamageCure, JobList, OpenJob, Store, StoreError, WorkerNote};

/// The pace is that of so many seconds, by the clock of the database.
const RECENT_SECONDS: i64 = 600;

/// The tasks of a campaign's jobs, for `IN (...)`. Of a match they are its own pairs: another campaign may want more. A match that it wants no more of,
/// as it is decided or stopped, has all of its pairs, for nobody knows any more how many were wanted.
pub(super) const TASKS_OF_CAMPAIGN: &str = "\
    SELECT run_tasks.task FROM run_tasks JOIN jobs ON jobs.run = run_tasks.run WHERE jobs.campaign = $1 \
    AND NOT (jobs.end_place > 0 AND run_tasks.place >= jobs.end_place \
    AND EXISTS (SELECT 1 FROM runs WHERE runs.name = jobs.run AND runs.kind = 'match'))";

/// The member of a job that says how many tasks come at most, in other jobs, when this one is done: a tuning hands out one step at a time.
pub const LATER_TASKS: &str = "later_tasks";

/// How far a campaign is.
#[derive(Clone, Debug, PartialEq)]
pub struct CampaignCourse {
    /// Its name.
    pub name: String,
    /// Its jobs, by run.
    pub jobs: Vec<OpenJob>,
    /// Tasks that are finished. Here and below those of a match are the pairs that the campaign wants, though another one may want more.
    pub finished: u64,
    /// Processor seconds that these took, of ishi's own threads.
    pub cpu_seconds: f64,
    /// Tasks that were finished in the last ten minutes.
    pub recent: u64,
    /// Seconds since the first of those was finished.
    pub recent_seconds: i64,
    /// Results that differed from those that stand.
    pub alarms: u64,
}

impl CampaignCourse {
    /// Tasks that nobody has finished.
    pub fn open(&self) -> u64 {
        self.jobs.iter().map(|job| job.open).sum()
    }

    /// Those of them that a worker has.
    pub fn claimed(&self) -> u64 {
        self.jobs.iter().map(|job| job.claimed).sum()
    }

    /// Tasks that were not finished when their jobs were stopped.
    pub fn stopped(&self) -> u64 {
        self.jobs.iter().map(OpenJob::stopped).sum()
    }

    /// Tasks that come at most when those that are open are done: those of a tuning's next steps, and of the tunings after it.
    ///
    /// ```
    /// use ishi_store::{CampaignCourse, LATER_TASKS, OpenJob};
    /// let (run, campaign) = ("match-1".to_string(), "ladder".to_string());
    /// let job = serde_json::json!({ LATER_TASKS: 90 });
    /// let job = OpenJob { run, campaign, job, open: 10, claimed: 0, failed: 0 };
    /// let course = CampaignCourse {
    ///     name: "ladder".into(), jobs: vec![job], finished: 31, cpu_seconds: 60.0, recent: 31, recent_seconds: 60, alarms: 0,
    /// };
    /// assert_eq!((course.open(), course.later()), (10, 90));
    /// assert_eq!(course.seconds_left(), Some(200.0));
    /// ```
    pub fn later(&self) -> u64 {
        let open = self.jobs.iter().filter(|job| job.open > 0);
        open.filter_map(|job| job.job[LATER_TASKS].as_u64()).max().unwrap_or(0)
    }

    /// Tasks a second of late; `None` where too few were finished to say.
    ///
    /// ```
    /// use ishi_store::CampaignCourse;
    /// let course = CampaignCourse {
    ///     name: "ladder".into(), jobs: vec![], finished: 31, cpu_seconds: 60.0, recent: 31, recent_seconds: 60, alarms: 0,
    /// };
    /// assert_eq!(course.tasks_per_second(), Some(0.5));
    /// assert_eq!(course.seconds_left(), Some(0.0));
    /// ```
    pub fn tasks_per_second(&self) -> Option<f64> {
        // The span begins where the first of them ended: only the others were done within it.
        let others = self.recent.checked_sub(1).filter(|&others| others > 0)?;
        (self.recent_seconds > 0).then(|| others as f64 / self.recent_seconds as f64)
    }

    /// How long the rest takes at this pace, with what comes at most ([`CampaignCourse::later`]).
    pub fn seconds_left(&self) -> Option<f64> {
        let left = self.open().saturating_add(self.later()) as f64;
        if left == 0.0 { Some(0.0) } else { self.tasks_per_second().map(|pace| left / pace) }
    }
}

/// Campaigns, and what of them cannot be read.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CourseList {
    /// Those that have jobs, by name.
    pub courses: Vec<CampaignCourse>,
    /// Damaged jobs, and campaigns whose figures cannot be read: they are not among the others.
    pub damaged: Vec<CampaignDamage>,
}

/// All that is shown of campaigns. What is damaged hides nothing else.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CampaignSurvey {
    /// The campaigns that have jobs, by name.
    pub courses: Vec<CampaignCourse>,
    /// What has failed and is not finished, by campaign, run and place.
    pub failures: Vec<CampaignFailure>,
    /// All workers that were ever noted, those that were heard of last first.
    pub workers: Vec<WorkerNote>,
    /// Rows that are damaged.
    pub damaged: Vec<CampaignDamage>,
}

impl Store {
    /// All that is shown of campaigns.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub fn survey_campaigns(&self) -> Result<CampaignSurvey, StoreError> {
        self.complete_survey(self.campaign_courses()?)
    }

    /// The same with the course of one campaign: only its tasks are looked at. What else is damaged is named, but for the times and costs of other
    /// campaigns' tasks.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub fn survey_campaign(&self, name: &str) -> Result<CampaignSurvey, StoreError> {
        let jobs = self.list_whole_jobs_of(name)?;
        let damaged = self.find_damaged_jobs()?;
        self.complete_survey(self.measure_campaigns(JobList { jobs, damaged })?)
    }

    /// Adds everything but the courses.
    fn complete_survey(&self, courses: CourseList) -> Result<CampaignSurvey, StoreError> {
        let CourseList { courses, mut damaged } = courses;
        damaged.extend(self.find_damaged_runs_of_jobs()?);
        damaged.extend(self.find_damaged_joins()?);
        let (failures, of_failures) = self.split_failures()?;
        let (workers, of_workers) = self.split_workers()?;
        damaged.extend(of_failures.into_iter().chain(of_workers));
        Ok(CampaignSurvey { courses, failures, workers, damaged })
    }

    /// All campaigns that have jobs, by name.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub fn campaign_courses(&self) -> Result<CourseList, StoreError> {
        self.measure_campaigns(self.list_whole_jobs()?)
    }

    /// The campaigns of these jobs, which stand by campaign.
    fn measure_campaigns(&self, jobs: JobList) -> Result<CourseList, StoreError> {
        let JobList { jobs, mut damaged } = jobs;
        let mut courses: Vec<CampaignCourse> = Vec::new();
        for jobs in jobs.chunk_by(|job, next| job.campaign == next.campaign) {
            let name = &jobs[0].campaign;
            match self.measure_campaign(name) {
                Ok(course) => courses.push(CampaignCourse { jobs: jobs.to_vec(), ..course }),
                Err(StoreError::DamagedRow { cause, .. }) => {
                    damaged.push(self.find_unreadable_task(name, cause)?);
                }
                Err(error) => return Err(error),
            }
        }
        Ok(CourseList { courses, damaged })
    }

    /// Why a campaign has no figures: the task whose time or cost is none. Otherwise what was told.
    fn find_unreadable_task(&self, campaign: &str, told: String) -> Result<CampaignDamage, StoreError> {
        let sql = format!(
            "SELECT id, cpu_seconds, finished FROM tasks WHERE id IN ({TASKS_OF_CAMPAIGN}) ORDER BY id"
        );
        let causes = self.query_rows(&sql, sql_values![campaign], |row| {
            let read = row.get::<f64>(1).and_then(|_| row.get::<i64>(2));
            Ok(read.err().map(|error| error.within(&format!("task {}", row.shown_text(0)))))
        })?;
        let SqlFieldError(cause) = causes.into_iter().flatten().next().unwrap_or(SqlFieldError(told));
        let (campaign, run) = (campaign.to_string(), String::new());
        Ok(CampaignDamage { campaign, run, cause, cure: DamageCure::CopyOnly })
    }

    /// The figures of a campaign, without its jobs. Its tasks are looked at once: their rows are long, and there may be millions.
    fn measure_campaign(&self, name: &str) -> Result<CampaignCourse, StoreError> {
        let recent = format!("CASE WHEN finished > {NOW} - {RECENT_SECONDS} THEN finished END");
        let tasks = format!(
            "SELECT COUNT(*), COALESCE(SUM(cpu_seconds), 0.0), COUNT({recent}), COALESCE({NOW} - MIN({recent}), 0), \
             COALESCE(MAX(finished), 0), COALESCE(MAX(cpu_seconds), 0.0) FROM tasks WHERE id IN ({TASKS_OF_CAMPAIGN})"
        );
        let alarms = format!("SELECT COUNT(*) FROM alarms WHERE task IN ({TASKS_OF_CAMPAIGN})");
        let values = sql_values![name];
        let alarms = self.query_row(&alarms, values, |row| row.get(0))?.unwrap_or(0);
        let course = self.query_row(&tasks, values, |row| {
            // What is no number comes behind all numbers.
            row.get::<i64>(4)?;
            row.get::<f64>(5)?;
            Ok(CampaignCourse {
                name: name.to_string(),
                jobs: Vec::new(),
                finished: row.get(0)?,
                cpu_seconds: row.get(1)?,
                recent: row.get(2)?,
                recent_seconds: row.get(3)?,
                alarms,
            })
        })?;
        course.ok_or_else(|| StoreError::Other {
            path: self.path().to_path_buf(),
            cause: format!("the tasks of {name} were not counted"),
        })
    }
}
