//! Figures of a run, one value for each seed, with the keys of `expected.toml`.

use ishi_lab::LabError;
use ishi_lab::expected::ReportFinding;
use ishi_othello_learn::evolution::{LearningMethod, LearningOptions, LeavingTime};

use super::super::run::LearningRun;
use super::trial::{
    CurveValue, LearningTrial, ValueScale, estimate_mean, mean_value, standard_score, top_score,
};

/// A run's figures.
struct RunFigures<'a> {
    run: &'a LearningRun,
    trials: &'a [LearningTrial],
    findings: &'a mut Vec<ReportFinding>,
}

impl RunFigures<'_> {
    /// The mean over the seeds with its interval.
    fn add_mean(
        &mut self,
        key: &str,
        what: &str,
        scale: ValueScale,
        of: impl Fn(&LearningTrial) -> Option<f64>,
    ) -> Result<(), LabError> {
        let values: Vec<f64> = self.trials.iter().filter_map(of).collect();
        let Some(estimate) = estimate_mean(&values, scale)? else { return Ok(()) };
        let (key, what) = (format!("{}.{key}", self.run.name), format!("{}: {what}", self.run.name));
        let finding = ReportFinding::new(key, what, estimate.mean, ("", 3));
        self.findings.push(finding.with_interval(estimate.interval));
        Ok(())
    }

    /// The mean of shares over the seeds.
    fn add_share(
        &mut self,
        key: &str,
        what: &str,
        of: impl Fn(&LearningTrial) -> Option<f64>,
    ) -> Result<(), LabError> {
        self.add_mean(key, what, ValueScale::Share, of)
    }

    /// A count over the seeds.
    fn add_count(
        &mut self,
        key: &str,
        what: &str,
        of: impl Fn(&LearningTrial) -> Option<f64>,
    ) -> Result<(), LabError> {
        self.add_mean(key, what, ValueScale::Positive, of)?;
        self.set_last_decimals(1);
        Ok(())
    }

    /// Sets the decimals of the finding that was added last.
    fn set_last_decimals(&mut self, decimals: usize) {
        if let Some(finding) = self.findings.last_mut() {
            finding.decimals = decimals;
        }
    }

    fn add_curve_findings(&mut self, curve: CurveValue, whose: &str) -> Result<(), LabError> {
        self.add_share("late", &format!("{whose} against the standard, mean of the second half"), |trial| {
            trial.late_mean(trial.games, curve)
        })?;
        self.add_share("highest", &format!("{whose} against the standard, highest point"), |trial| {
            trial.highest_value(curve)
        })?;
        self.add_mean(
            "change",
            &format!("{whose}: change from one to the next, second half"),
            ValueScale::Positive,
            |trial| trial.mean_change(curve),
        )
    }

    fn add_individual_findings(&mut self) -> Result<(), LabError> {
        self.add_share("previous", "winner against the opponent that it replaces", |trial| {
            mean_value(trial.successes().filter_map(|point| point.previous))
        })?;
        self.add_curve_findings(standard_score, "winner")?;
        self.add_share("final", "last player against the standard", |trial| {
            trial.final_members().first().map(|member| member.standard)
        })?;
        self.add_population_findings()
    }

    fn add_group_findings(&mut self) -> Result<(), LabError> {
        let scores = |trial: &LearningTrial| {
            trial.final_members().iter().map(|member| member.standard).collect::<Vec<_>>()
        };
        self.add_share("mean", "members at the end against the standard", |trial| {
            mean_value(scores(trial).into_iter())
        })?;
        self.add_share("best", "best of the members against the standard", |trial| {
            scores(trial).into_iter().reduce(f64::max)
        })?;
        self.add_share(
            "champion",
            "winner of a longer league of the members against the standard",
            |trial| trial.champion().map(|member| member.standard),
        )?;
        self.add_share("random", "members at the end against random moves", |trial| {
            mean_value(trial.final_members().iter().map(|member| member.random))
        })?;
        self.add_rated_findings()?;
        let rated = self.trials.iter().any(|trial| trial.points.iter().any(|point| point.top.is_some()));
        if rated {
            self.add_curve_findings(top_score, "best-rated member")
        } else {
            self.add_curve_findings(standard_score, "members")
        }?;
        self.add_share("members-late", "members against the standard, mean of the second half", |trial| {
            trial.late_mean(trial.games, standard_score)
        })?;
        self.add_mean(
            "best-change",
            "best of the members: change from one group to the next, second half",
            ValueScale::Positive,
            |trial| trial.mean_change(|point| point.best),
        )?;
        if self.run.method == LearningMethod::Group { self.add_population_findings() } else { Ok(()) }
    }

    /// The best-rated member, which is what the paper's one figure is of.
    fn add_rated_findings(&mut self) -> Result<(), LabError> {
        let of = |place: usize| {
            move |trial: &LearningTrial| trial.members_by_rating().get(place).map(|m| m.standard)
        };
        self.add_share("top", "best-rated member against the standard", of(0))?;
        self.add_mean(
            "top-sd",
            "best-rated member: deviation over series of N games",
            ValueScale::Positive,
            |trial| trial.members_by_rating().first().map(|m| m.series_sd),
        )?;
        self.set_last_decimals(4);
        let members = self.trials.iter().map(|trial| trial.final_members().len()).max().unwrap_or(1);
        for (place, key, what) in [(0, "top-rank", "best-rated"), (1, "second-rank", "second by rating")] {
            let what = format!("rank of the {what} of the members against the standard");
            self.add_mean(key, &what, ValueScale::Rank(members), |trial| trial.standard_rank(place))?;
            self.set_last_decimals(1);
        }
        Ok(())
    }

    fn add_population_findings(&mut self) -> Result<(), LabError> {
        self.add_share("successes", "share of populations that succeed", LearningTrial::success_rate)?;
        self.add_count("winners", "best players that the run has made", |trial| {
            trial.end.as_ref().map(|_| trial.count_successes() as f64)
        })
    }
}

/// All findings of a run.
pub(super) fn add_run_findings(
    run: &LearningRun,
    trials: &[LearningTrial],
    findings: &mut Vec<ReportFinding>,
) -> Result<(), LabError> {
    let mut figures = RunFigures { run, trials, findings };
    match run.method {
        LearningMethod::Individual => figures.add_individual_findings()?,
        _ => figures.add_group_findings()?,
    }
    figures.add_count("games", "games of learning, in millions", |trial| {
        trial.end.as_ref().map(|_| trial.games as f64 / 1e6)
    })
}

/// What sections 4.3 and 5.3 count, by our options.
pub(super) fn cost_findings(individual: &LearningOptions, group: &LearningOptions) -> Vec<ReportFinding> {
    let generations = |options: &LearningOptions| options.population as u64 * (options.t_max + 1);
    let own = individual.series * individual.games;
    let most = group.group as u64;
    let league = |members: u64| members * (members - 1) / 2 * group.games;
    let largest = if group.leaves == LeavingTime::AfterLeague { most + 1 } else { most };
    let finding = |key: &str, what: &str, games: u64| {
        ReportFinding::new(format!("cost.{key}"), format!("games: {what}"), games as f64, ("", 0))
    };
    vec![
        finding("individual.player", "a player of individual learning", own),
        finding("individual.generation", "NP of them", individual.population as u64 * own),
        finding(
            "individual.population",
            "a first population and Tmax generations",
            generations(individual) * own,
        ),
        finding("group.player.least", "a player in a group of one", group.games),
        finding("group.player.most", "a player in a group of Gmax", most * group.games),
        finding("group.generation.least", "NP of them, group of one", group.population as u64 * group.games),
        finding(
            "group.generation.most",
            "NP of them, group of Gmax",
            group.population as u64 * most * group.games,
        ),
        finding(
            "group.population.least",
            "first population and Tmax generations, group of one",
            generations(group) * group.games,
        ),
        finding(
            "group.population.most",
            "first population and Tmax generations, group of Gmax",
            generations(group) * most * group.games,
        ),
        finding("group.league.least", "a league of two", league(2)),
        finding("group.league.most", "the largest league", league(largest)),
    ]
}
