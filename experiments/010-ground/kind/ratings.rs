//! Part 3: a round robin of the built-in players, with GNU Go as an anchor where it is installed.
//!
//! A task is a pair of games of the arena, the same as `ishi match` plays: `ishi ratings` counts them too.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use ishi_arena::process::EngineCommand;
use ishi_arena::{Contestant, GoMatchSettings, MatchPlan, Openings, PlayerSpec};
use ishi_go::Color;
use ishi_lab::LabError;
use ishi_lab::body::{
    IntervalPlot, IntervalRow, LinePlot, PlotSeries, ReportBody, SheetBlock, SheetSection, SheetTable,
};
use ishi_lab::expected::{ReportFinding, format_number};
use ishi_lab::experiment::{ExperimentTask, TaskEnd, TaskResults};
use ishi_lab::source::{SourceError, TomlSource};
use ishi_rng::Seed;
use ishi_stats::{
    PairResult, PlayerIndex, PlayerRating, RatingAnchor, Ratings, RatingsParams, compute_ratings,
};
use ishi_words::{CodedMessage, coded};
use ishi_work::StopFlag;
use serde::Deserialize;
use toml::Spanned;

use crate::pairs::{self, GameOutcome, PairOutcome, parse_program_spec};

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RoundRobinParams {
    side: Spanned<usize>,
    komi: Spanned<f64>,
    opening_moves: Spanned<usize>,
    pairs: Spanned<u64>,
    players: Spanned<Vec<Spanned<String>>>,
    /// A program that holds the scale, where it is installed.
    anchor: Option<AnchorParams>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct AnchorParams {
    name: String,
    command: Spanned<String>,
}

/// Who plays whom how often.
pub(super) struct RoundRobin {
    settings: GoMatchSettings,
    opening_moves: usize,
    pairs: u64,
    seed: Seed,
    builtin: Vec<Contestant>,
    anchor: Option<AnchorParams>,
    /// The anchor as it introduced itself, or why it does not play.
    found: OnceLock<Result<Option<Contestant>, String>>,
    /// All pairs to be played, by name, in their order.
    plans: OnceLock<Vec<(String, MatchPlan)>>,
}

/// A pairing's name and its pairs.
struct PlayerPairing<'a> {
    players: [usize; 2],
    contestants: [&'a Contestant; 2],
}

impl RoundRobin {
    /// Checks the parameters. No program is started yet.
    pub(super) fn new(
        source: &TomlSource,
        params: RoundRobinParams,
        seed: Seed,
    ) -> Result<RoundRobin, SourceError> {
        let settings = pairs::read_settings(source, (&params.side, 2..=25), &params.komi, 0)?;
        let opening_moves = pairs::read_opening_moves(source, &params.opening_moves, &settings)?;
        let pairs = pairs::check_pairs(source, &params.pairs)?;
        if let Some(anchor) = &params.anchor {
            parse_program_spec(anchor.command.get_ref())
                .map_err(|e| source.error_at(Some(anchor.command.span()), e))?;
        }
        Ok(RoundRobin {
            builtin: check_players(source, &params.players, &settings)?,
            opening_moves,
            pairs,
            seed: seed.child_seed("ratings", 0),
            anchor: params.anchor,
            found: OnceLock::new(),
            plans: OnceLock::new(),
            settings,
        })
    }

    /// The anchor, or nothing if there is none or it does not play; it is started once to find out.
    fn find_anchor(&self) -> &Result<Option<Contestant>, String> {
        self.found.get_or_init(|| {
            let Some(AnchorParams { name, command }) = &self.anchor else { return Ok(None) };
            let spec = parse_program_spec(command.get_ref())?;
            let contestant = Contestant::try_out(Some(name), &spec, &self.settings);
            contestant.map(Some).map_err(|error| error.to_string())
        })
    }

    pub(super) fn list_skipped(&self) -> Vec<String> {
        let name = self.anchor.as_ref().map_or("", |anchor| anchor.name.as_str());
        let why = |error: &String| format!("games against {name}, which holds the scale: {error}");
        self.find_anchor().as_ref().err().map(why).into_iter().collect()
    }

    /// The anchor's program.
    pub(super) fn programs(&self) -> Vec<EngineCommand> {
        let read = |anchor: &AnchorParams| parse_program_spec(anchor.command.get_ref()).ok();
        self.anchor.iter().filter_map(read).filter_map(|spec| pairs::find_program(&spec)).collect()
    }

    /// The built-in players, then the anchor.
    fn players(&self) -> Vec<&Contestant> {
        let anchor = self.find_anchor().as_ref().ok().and_then(Option::as_ref);
        self.builtin.iter().chain(anchor).collect()
    }

    fn list_pairings(&self) -> Vec<PlayerPairing<'_>> {
        let players = self.players();
        let mut pairings = Vec::new();
        for (b, &second) in players.iter().enumerate() {
            for (a, &first) in players[..b].iter().enumerate() {
                pairings.push(PlayerPairing { players: [a, b], contestants: [first, second] });
            }
        }
        pairings
    }

    /// A match of a single pair.
    fn plan_pair(&self, pairing: &PlayerPairing<'_>, number: u64, openings: &Openings) -> MatchPlan {
        let [a, b] = pairing.contestants;
        // By names, so that a player more changes nothing for the others.
        let seed = self.seed.child_seed(&format!("{} - {}", a.name, b.name), number);
        pairs::plan_one_pair([a.clone(), b.clone()], &self.settings, openings.clone(), seed)
    }

    /// The first pairs of all pairings, then the second ones, and so on: what is there early is balanced. All pairings
    /// play the same openings, which makes their results easier to compare.
    fn pair_plans(&self) -> &[(String, MatchPlan)] {
        self.plans.get_or_init(|| {
            let pairings = self.list_pairings();
            let openings: Openings = Openings::Random(self.opening_moves);
            let mut plans = Vec::new();
            for number in 0..self.pairs {
                let opening =
                    openings.opening_for_pair(number, &self.settings, self.seed.child_seed("openings", 0));
                let opening = Openings::List(vec![opening]);
                plans.extend(
                    pairings.iter().map(|p| (p.task_name(number), self.plan_pair(p, number, &opening))),
                );
            }
            plans
        })
    }

    pub(super) fn tasks(&self) -> Vec<ExperimentTask> {
        pairs::pair_tasks(self.pair_plans())
    }

    pub(super) fn run_pair(&self, task: &ExperimentTask, stop: &StopFlag) -> TaskEnd {
        Ok(pairs::play_pair(self.pair_plans(), task, stop)?.map(|(output, _)| output))
    }

    pub(super) fn add_report(&self, results: &TaskResults, body: &mut ReportBody) -> Result<(), LabError> {
        let table = self.cross_table(results)?;
        let names: Vec<String> = self.players().iter().map(|player| player.name.clone()).collect();
        let rated = compute_ratings(&names, &table.pair_results(), &self.ratings_params(names.len()))?;
        body.findings.extend(rating_findings(&rated));
        body.sections.push(SheetSection {
            heading: "Ratings of the built-in players".into(),
            blocks: vec![
                SheetBlock::Text(self.describe_conditions(&rated)),
                SheetBlock::Table(rating_table(&rated, table.games)),
                SheetBlock::Intervals("ratings".into(), rating_plot(&rated)),
                SheetBlock::Text(
                    "Points of the player in the row against the player in the column, in per cent:".into(),
                ),
                SheetBlock::Table(table.percentage_table(&names)),
            ],
        });
        if let Some(plot) = playouts_plot(&rated) {
            let text = "Flat Monte Carlo by playouts for a move:";
            let section = body.sections.last_mut().map(|section| &mut section.blocks);
            section.into_iter().for_each(|blocks| {
                blocks.extend([
                    SheetBlock::Text(text.into()),
                    SheetBlock::Lines("playouts".into(), plot.clone()),
                ]);
            });
        }
        Ok(())
    }

    /// The anchor holds the scale at 0; without it the first player does.
    fn ratings_params(&self, players: usize) -> RatingsParams {
        let anchor = if players > self.builtin.len() { players - 1 } else { 0 };
        RatingsParams { anchor: RatingAnchor::Player(PlayerIndex(anchor)), ..RatingsParams::default() }
    }

    fn describe_conditions(&self, rated: &Ratings) -> String {
        let GoMatchSettings { size, komi, .. } = &self.settings;
        let anchor = rated.players.iter().find(|player| player.rating.std_error == 0.0);
        let anchor = anchor.map_or("", |player| player.name.as_str());
        let mut text = format!(
            "Every player against every other, {} pairs of games each on {size} with Chinese rules and komi {komi}; both \
             games of a pair begin with the same random opening, colours swapped. Elo by maximum likelihood with 95% \
             intervals; {anchor} stands at 0.",
            self.pairs
        );
        if rated.virtual_draws > 0.0 {
            let draws = format_number(rated.virtual_draws, 1);
            text += &format!(
                " A player won or lost everything: {draws} virtual draws were added to each pairing, without which the rating would be infinite."
            );
        }
        text
    }

    fn cross_table(&self, results: &TaskResults) -> Result<CrossTable, LabError> {
        let mut table = CrossTable::default();
        for pairing in self.list_pairings() {
            for number in 0..self.pairs {
                if let Some(pair) = results.get::<PairOutcome>(&pairing.task_name(number))? {
                    pair.games.iter().for_each(|game| table.add_game(pairing.players, game));
                }
            }
        }
        Ok(table)
    }
}

/// Checks the players' names, and that there are two at least and none twice.
fn check_players(
    source: &TomlSource,
    players: &Spanned<Vec<Spanned<String>>>,
    settings: &GoMatchSettings,
) -> Result<Vec<Contestant>, SourceError> {
    let mut contestants: Vec<Contestant> = Vec::new();
    for text in players.get_ref() {
        let spec: PlayerSpec = text
            .get_ref()
            .parse()
            .map_err(|e: ishi_arena::PlayerError| source.value_error(text, CodedMessage::from_error(e)))?;
        let right =
            coded!["lab-source-builtin", "only built-in players stand here; a program can be the anchor"];
        source.require(matches!(spec, PlayerSpec::Builtin(_)), text, right)?;
        let contestant = Contestant::try_out(Some(text.get_ref()), &spec, settings);
        let contestant = contestant.map_err(|e| source.value_error(text, CodedMessage::from_error(e)))?;
        let right = coded!["lab-source-player-twice", "this player is named twice: leave one out"];
        source.require(contestants.iter().all(|other| other.spec != contestant.spec), text, right)?;
        contestants.push(contestant);
    }
    let right = coded!["lab-source-two-players", "a round robin needs two players at least"];
    source.require_at(contestants.len() >= 2, players.span(), right)?;
    Ok(contestants)
}

impl PlayerPairing<'_> {
    fn task_name(&self, number: u64) -> String {
        let [a, b] = self.contestants;
        format!("ratings/{} - {}/{number:03}", a.name, b.name)
    }
}

/// Wins, draws and losses of the player who was Black, by (Black, White).
#[derive(Default)]
struct CrossTable {
    games: u64,
    lines: BTreeMap<(usize, usize), [u64; 3]>,
}

impl CrossTable {
    fn add_game(&mut self, [a, b]: [usize; 2], game: &GameOutcome) {
        let (black, white) = if game.black == "a" { (a, b) } else { (b, a) };
        let outcome = pairs::outcome_for(Color::Black, &game.result);
        self.lines.entry((black, white)).or_default()[outcome] += 1;
        self.games += 1;
    }

    fn pair_results(&self) -> Vec<PairResult> {
        let result = |(&(first, second), &[wins, draws, losses]): (&(usize, usize), &[u64; 3])| PairResult {
            first: PlayerIndex(first),
            second: PlayerIndex(second),
            wins,
            draws,
            losses,
        };
        self.lines.iter().map(result).collect()
    }

    /// Half points of `a` against `b`, and their games, whoever was Black.
    fn half_points(&self, a: usize, b: usize) -> (u64, u64) {
        let [wins, draws, losses] = self.lines.get(&(a, b)).copied().unwrap_or_default();
        let [others_wins, others_draws, others_losses] = self.lines.get(&(b, a)).copied().unwrap_or_default();
        let games = wins + draws + losses + others_wins + others_draws + others_losses;
        (2 * (wins + others_losses) + draws + others_draws, games)
    }

    fn percentage_table(&self, names: &[String]) -> SheetTable {
        let mut table = SheetTable::new(["player"]);
        names.iter().for_each(|name| table.add_number_column(name));
        for (a, name) in names.iter().enumerate() {
            let cell = |b| match self.half_points(a, b) {
                (_, 0) => String::new(),
                (half_points, games) => format_number(50.0 * half_points as f64 / games as f64, 1),
            };
            table.add_row(std::iter::once(name.clone()).chain((0..names.len()).map(cell)));
        }
        table
    }
}

/// The rating of each player, and how much each is stronger than the one named before it.
fn rating_findings(rated: &Ratings) -> Vec<ReportFinding> {
    let mut findings = Vec::new();
    for pair in rated.players.windows(2) {
        let [weaker, stronger] = pair else { continue };
        if let Some(gap) = rated.rating_difference(stronger.player, weaker.player) {
            let (from, to) = (&weaker.name, &stronger.name);
            let (key, what) = (format!("ratings.{to} - {from}"), format!("{to} over {from}"));
            let finding = ReportFinding::new(key, what, gap.elo, ("Elo", 0));
            findings.push(finding.with_interval(Some([gap.interval.low, gap.interval.high])));
        }
    }
    findings
}

fn rating_table(rated: &Ratings, games: u64) -> SheetTable {
    let mut table = SheetTable::new(["player", "#Elo", "#interval", "#games", "#score, per cent"]);
    for PlayerRating { name, rating, games, score, .. } in rated.ranking() {
        let interval = match rating.std_error == 0.0 {
            true => "held fixed".to_string(),
            false => format!(
                "{} to {}",
                format_number(rating.interval.low, 0),
                format_number(rating.interval.high, 0)
            ),
        };
        table.add_row([
            name.clone(),
            format_number(rating.elo, 0),
            interval,
            games.to_string(),
            format_number(100.0 * score, 1),
        ]);
    }
    table.add_row(["all games".to_string(), String::new(), String::new(), games.to_string()]);
    table
}

fn rating_plot(rated: &Ratings) -> IntervalPlot {
    let row = |player: &PlayerRating| {
        let interval = Some([player.rating.interval.low, player.rating.interval.high]);
        IntervalRow::new(&player.name, player.rating.elo, interval, Vec::new())
    };
    let rows = rated.ranking().into_iter().map(row).collect();
    IntervalPlot::new("Ratings with 95% intervals", "Elo", rows)
}

/// Elo by playouts, if there are two players `go-flat` at least that differ in nothing else.
fn playouts_plot(rated: &Ratings) -> Option<LinePlot> {
    let playouts = |name: &str| name.strip_prefix("go-flat:playouts=")?.parse::<f64>().ok();
    let point = |player: &PlayerRating| {
        let interval = player.rating.interval;
        Some((playouts(&player.name)?, player.rating.elo, Some([interval.low, interval.high])))
    };
    let mut points: Vec<_> = rated.players.iter().filter_map(point).collect();
    points.sort_by(|a, b| a.0.total_cmp(&b.0));
    (points.len() >= 2).then(|| {
        let (title, axes) = ("go-flat by playouts for a move", ["playouts for a move (logarithmic)", "Elo"]);
        let series = vec![PlotSeries { name: "go-flat".into(), points }];
        LinePlot { logarithmic_x: true, ..LinePlot::new(title, axes, series) }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The id of a task follows from it: what PATH is must not change it, or games that were played are played again.
    #[test]
    fn a_program_is_called_as_it_is_written() {
        let PlayerSpec::External(command) = parse_program_spec(" gnugo --mode gtp ").unwrap() else {
            panic!()
        };
        assert_eq!(
            (command.program.as_str(), command.args),
            ("gnugo", vec!["--mode".to_string(), "gtp".into()])
        );
    }
}
