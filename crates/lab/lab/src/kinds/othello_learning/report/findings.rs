//! Figures of a run, one value for each seed, with the keys of `expected.toml`.

use super::super::Run;
use super::super::options::{Leaves, Method, Options};
use super::trial::{Curve, Scale, Trial, estimate, mean, standard, top};
use crate::error::LabError;
use crate::expected::Finding;

/// A run's figures.
struct Figures<'a> {
    run: &'a Run,
    trials: &'a [Trial],
    findings: &'a mut Vec<Finding>,
}

impl Figures<'_> {
    /// The mean over the seeds with its interval.
    fn add(
        &mut self,
        key: &str,
        what: &str,
        scale: Scale,
        of: impl Fn(&Trial) -> Option<f64>,
    ) -> Result<(), LabError> {
        let values: Vec<f64> = self.trials.iter().filter_map(of).collect();
        let Some(estimate) = estimate(&values, scale)? else { return Ok(()) };
        self.findings.push(Finding {
            key: format!("{}.{key}", self.run.name),
            what: format!("{}: {what}", self.run.name),
            value: estimate.mean,
            interval: estimate.interval,
            unit: String::new(),
            decimals: 3,
            note: String::new(),
        });
        Ok(())
    }

    /// A count over the seeds.
    fn count(&mut self, key: &str, what: &str, of: impl Fn(&Trial) -> Option<f64>) -> Result<(), LabError> {
        self.add(key, what, Scale::Positive, of)?;
        self.decimals(1);
        Ok(())
    }

    /// For the finding that was added last.
    fn decimals(&mut self, decimals: usize) {
        if let Some(finding) = self.findings.last_mut() {
            finding.decimals = decimals;
        }
    }

    fn of_curve(&mut self, curve: Curve, whose: &str) -> Result<(), LabError> {
        self.add(
            "late",
            &format!("{whose} against the standard, mean of the second half"),
            Scale::Share,
            |trial| trial.late(trial.games, curve),
        )?;
        self.add(
            "highest",
            &format!("{whose} against the standard, highest point"),
            Scale::Share,
            |trial| trial.highest(curve),
        )?;
        self.add(
            "change",
            &format!("{whose}: change from one to the next, second half"),
            Scale::Positive,
            |trial| trial.change(curve),
        )
    }

    fn of_individual(&mut self) -> Result<(), LabError> {
        self.add("previous", "winner against the opponent that it replaces", Scale::Share, |trial| {
            mean(trial.successes().filter_map(|point| point.previous))
        })?;
        self.of_curve(standard, "winner")?;
        self.add("final", "last player against the standard", Scale::Share, |trial| {
            trial.members().first().map(|member| member.standard)
        })?;
        self.of_populations()
    }

    fn of_many(&mut self) -> Result<(), LabError> {
        let scores = |trial: &Trial| trial.members().iter().map(|member| member.standard).collect::<Vec<_>>();
        self.add("mean", "members at the end against the standard", Scale::Share, |trial| {
            mean(scores(trial).into_iter())
        })?;
        self.add("best", "best of the members against the standard", Scale::Share, |trial| {
            scores(trial).into_iter().reduce(f64::max)
        })?;
        self.add(
            "champion",
            "winner of a longer league of the members against the standard",
            Scale::Share,
            |trial| trial.champion().map(|member| member.standard),
        )?;
        self.add("random", "members at the end against random moves", Scale::Share, |trial| {
            mean(trial.members().iter().map(|member| member.random))
        })?;
        self.of_rated()?;
        let rated = self.trials.iter().any(|trial| trial.points.iter().any(|point| point.top.is_some()));
        if rated { self.of_curve(top, "best-rated member") } else { self.of_curve(standard, "members") }?;
        self.add(
            "members-late",
            "members against the standard, mean of the second half",
            Scale::Share,
            |trial| trial.late(trial.games, standard),
        )?;
        self.add(
            "best-change",
            "best of the members: change from one group to the next, second half",
            Scale::Positive,
            |trial| trial.change(|point| point.best),
        )?;
        if self.run.method == Method::Group { self.of_populations() } else { Ok(()) }
    }

    /// The best-rated member, which is what the paper's one figure is of.
    fn of_rated(&mut self) -> Result<(), LabError> {
        let of = |place: usize| move |trial: &Trial| trial.by_rating().get(place).map(|m| m.standard);
        self.add("top", "best-rated member against the standard", Scale::Share, of(0))?;
        self.add(
            "top-sd",
            "best-rated member: deviation over series of N games",
            Scale::Positive,
            |trial| trial.by_rating().first().map(|m| m.series_sd),
        )?;
        self.decimals(4);
        let members = self.trials.iter().map(|trial| trial.members().len()).max().unwrap_or(1);
        for (place, key, what) in [(0, "top-rank", "best-rated"), (1, "second-rank", "second by rating")] {
            let what = format!("rank of the {what} of the members against the standard");
            self.add(key, &what, Scale::Rank(members), |trial| trial.rank(place))?;
            self.decimals(1);
        }
        Ok(())
    }

    fn of_populations(&mut self) -> Result<(), LabError> {
        self.add("successes", "share of populations that succeed", Scale::Share, Trial::success_rate)?;
        self.count("winners", "best players that the run has made", |trial| {
            trial.end.as_ref().map(|_| trial.winners() as f64)
        })
    }
}

/// All findings of a run.
pub(super) fn findings(run: &Run, trials: &[Trial], findings: &mut Vec<Finding>) -> Result<(), LabError> {
    let mut figures = Figures { run, trials, findings };
    match run.method {
        Method::Individual => figures.of_individual()?,
        _ => figures.of_many()?,
    }
    figures.count("games", "games of learning, in millions", |trial| {
        trial.end.as_ref().map(|_| trial.games as f64 / 1e6)
    })
}

/// What sections 4.3 and 5.3 count, by our options.
pub(super) fn costs(individual: &Options, group: &Options) -> Vec<Finding> {
    let generations = |options: &Options| options.population as u64 * (options.t_max + 1);
    let own = individual.series * individual.games;
    let most = group.group as u64;
    let league = |members: u64| members * (members - 1) / 2 * group.games;
    let largest = if group.leaves == Leaves::AfterLeague { most + 1 } else { most };
    let finding = |key: &str, what: &str, games: u64| Finding {
        key: format!("cost.{key}"),
        what: format!("games: {what}"),
        value: games as f64,
        interval: None,
        unit: String::new(),
        decimals: 0,
        note: String::new(),
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
