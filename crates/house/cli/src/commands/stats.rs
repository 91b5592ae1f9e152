//! `ishi stats`: the statistics of match results, from counts on the command line.

use std::fmt;
use std::io::Write;
use std::str::FromStr;

use clap::{Args, Subcommand};
use ishi_sheet::SheetTable;
use ishi_stats::chi_square::{ChiSquare, test_goodness_of_fit, test_independence};
use ishi_stats::elo::{elo_difference, exact_likelihood_of_superiority, expected_score};
use ishi_stats::{
    ConfidenceLevel, GameOutcomes, Interval, IntervalMethod, Proportion, ScoreReport, Sprt, SprtDecision,
    StatsError, TestAlternative, TestMethod,
};
use ishi_words::format_count;
use serde::Serialize;

use crate::context::{Context, Failure};
use crate::numbers::OptionNumber;

const HELP: &str = "\
Examples:
  ishi stats binom 540 1000                  is 540 of 1000 more than chance?
  ishi stats score 60 20 40                  score and Elo of 60 wins, 20 draws, 40 losses
  ishi stats elo --difference 100            the score that 100 Elo more should bring
  ishi stats sprt 620 80 500 --elo0 0 --elo1 20
                                             may the match stop?
  ishi stats chi2 30,12 18,25                does the opening change the result?

With --json every command prints one JSON object. An infinite Elo is null there.";

const BINOM_HELP: &str = "\
Examples:
  ishi stats binom 540 1000                  won 540 of 1000: rate, intervals, tests of one half
  ishi stats binom 75 400 --p0 0.2           tests whether the true rate is 0.2
  ishi stats binom 9 10 --confidence 0.99    99% intervals

How to read it: a small two-sided p says that the rate differs from p0. \
`greater` and `less` test one direction, to be chosen before the match. \
Prefer the Wilson interval and the exact test. Draws: `ishi stats score`.";

const SCORE_HELP: &str = "\
Examples:
  ishi stats score 60 20 40                  60 wins, 20 draws, 40 losses
  ishi stats score --pairs 13 37 50 25 3     128 game pairs with 0, 1/2, 1, 3/2 and 2 points
  ishi stats score 10 0 0 --json             wins only: the Elo is infinite, its lower end is not

Give pairs where the two games of a pair start from the same opening with \
colours swapped: only pairs tell the variance right then.";

const ELO_HELP: &str = "\
Examples:
  ishi stats elo --score 0.64                a score of 0.64 is about 100 Elo
  ishi stats elo --difference=-100           100 Elo less should score about 0.36";

const SPRT_HELP: &str = "\
Examples:
  ishi stats sprt 620 80 500 --elo0 0 --elo1 20
  ishi stats sprt --pairs 13 37 50 25 3 --elo0 -2 --elo1 3
  ishi stats sprt 620 80 500 --elo0 0 --elo1 20 --alpha 0.01 --beta 0.01

H0 says that the difference is elo0, H1 that it is elo1. Look after every game \
(after every pair with --pairs), and stop at the first decision.";

const CHI2_HELP: &str = "\
Examples:
  ishi stats chi2 16,18,16,14,12,12          one row: are the counts even?
  ishi stats chi2 89,37,30 --weights 2,1,1   one row: are they as 2 to 1 to 1?
  ishi stats chi2 30,12 18,25                more rows: are rows and columns independent?";

/// Options of `ishi stats`.
#[derive(Args, Debug)]
#[command(after_long_help = HELP, arg_required_else_help = true)]
pub(crate) struct StatsArgs {
    #[command(subcommand)]
    command: StatsCommand,
}

#[derive(Subcommand, Debug)]
enum StatsCommand {
    /// Win rate of games without draws: intervals and tests
    Binom(BinomArgs),
    /// Score of games with draws, or of game pairs: intervals, Elo, superiority
    Score(ScoreArgs),
    /// From score to Elo difference and back
    Elo(EloArgs),
    /// Sequential test: may the match stop?
    Sprt(SprtArgs),
    /// Chi-square test: goodness of fit, or independence
    Chi2(Chi2Args),
}

#[derive(Args, Debug)]
#[command(after_long_help = BINOM_HELP)]
struct BinomArgs {
    /// Games won
    wins: u64,
    /// Games played
    games: u64,
    /// The rate to test
    #[arg(long, default_value_t = 0.5, value_name = "RATE")]
    p0: f64,
    /// Level of the intervals
    #[arg(long, default_value = "0.95", value_name = "LEVEL")]
    confidence: ConfidenceLevel,
}

/// Wins, draws and losses, or game pairs.
#[derive(Args, Debug)]
struct OutcomeArgs {
    /// Games won
    #[arg(required_unless_present = "pairs", requires_all = ["draws", "losses"])]
    wins: Option<u64>,
    /// Games drawn
    draws: Option<u64>,
    /// Games lost
    losses: Option<u64>,
    /// Game pairs instead of games: how many brought 0, 1/2, 1, 3/2 and 2 points
    #[arg(long, num_args = 5, value_names = ["P0", "P1", "P2", "P3", "P4"], conflicts_with = "wins")]
    pairs: Option<Vec<u64>>,
}

impl OutcomeArgs {
    fn to_outcomes(&self) -> GameOutcomes {
        match self.pairs.as_deref() {
            Some(&[a, b, c, d, e]) => GameOutcomes::from_pairs([a, b, c, d, e]),
            _ => GameOutcomes::from_games(
                self.wins.unwrap_or(0),
                self.draws.unwrap_or(0),
                self.losses.unwrap_or(0),
            ),
        }
    }
}

#[derive(Args, Debug)]
#[command(after_long_help = SCORE_HELP)]
struct ScoreArgs {
    #[command(flatten)]
    outcomes: OutcomeArgs,
    /// Level of the intervals
    #[arg(long, default_value = "0.95", value_name = "LEVEL")]
    confidence: ConfidenceLevel,
}

#[derive(Args, Debug)]
#[command(after_long_help = ELO_HELP, group = clap::ArgGroup::new("from").required(true))]
struct EloArgs {
    /// A score from 0 to 1, to be turned into an Elo difference
    #[arg(long, group = "from")]
    score: Option<f64>,
    /// An Elo difference, to be turned into a score
    #[arg(long, group = "from", value_name = "ELO")]
    difference: Option<f64>,
}

#[derive(Args, Debug)]
#[command(after_long_help = SPRT_HELP)]
struct SprtArgs {
    #[command(flatten)]
    outcomes: OutcomeArgs,
    /// Elo difference under H0
    #[arg(long, value_name = "ELO")]
    elo0: f64,
    /// Elo difference under H1, greater than under H0
    #[arg(long, value_name = "ELO")]
    elo1: f64,
    /// Probability of accepting H1 when H0 holds
    #[arg(long, default_value_t = 0.05, value_name = "P")]
    alpha: f64,
    /// Probability of accepting H0 when H1 holds
    #[arg(long, default_value_t = 0.05, value_name = "P")]
    beta: f64,
}

#[derive(Args, Debug)]
#[command(after_long_help = CHI2_HELP)]
struct Chi2Args {
    /// Rows of counts, separated by commas
    #[arg(required = true, value_name = "COUNT,COUNT,...")]
    rows: Vec<NumberList<u64>>,
    /// Expected proportions of a single row, separated by commas; even ones if not given
    #[arg(long, value_name = "W,W,...")]
    weights: Option<NumberList<f64>>,
}

/// Numbers separated by commas.
#[derive(Clone, Debug, PartialEq)]
struct NumberList<T>(Vec<T>);

impl<T: OptionNumber> FromStr for NumberList<T> {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number = |part: &str| {
            let is_large = !part.trim().is_empty() && part.trim().bytes().all(|byte| byte.is_ascii_digit());
            let wanted = if is_large { "a smaller number" } else { T::KIND };
            let error = || format!("{part:?} must be {wanted}; write numbers with commas, as 30,12");
            part.trim().parse().map_err(|_| error())
        };
        text.split(',').map(number).collect::<Result<Vec<T>, String>>().map(NumberList)
    }
}

/// Computes and prints.
pub(crate) fn run(args: &StatsArgs, context: &Context) -> Result<(), Failure> {
    let answer = compute_answer(&args.command, context.json).map_err(Failure::input)?;
    match writeln!(std::io::stdout(), "{answer}") {
        // A reader that has seen enough (`| head -1`) is no failure.
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            Err(Failure::outside(format!("cannot write the answer: {error}")))
        }
        _ => Ok(()),
    }
}

/// The answer as text or JSON.
fn compute_answer(command: &StatsCommand, json: bool) -> Result<String, StatsError> {
    Ok(match command {
        StatsCommand::Binom(args) => format_output(&BinomOutput::compute_output(args)?, json),
        StatsCommand::Score(args) => format_output(&ScoreOutput::compute_output(args)?, json),
        StatsCommand::Elo(args) => format_output(&EloOutput::compute_output(args)?, json),
        StatsCommand::Sprt(args) => format_output(&SprtOutput::compute_output(args)?, json),
        StatsCommand::Chi2(args) => format_output(&Chi2Output::compute_output(args)?, json),
    })
}

fn format_output<T: Serialize + fmt::Display>(value: &T, json: bool) -> String {
    match json.then(|| crate::made_by::to_json(value)) {
        Some(Ok(text)) => text,
        // Plain structs of numbers always have a JSON form.
        _ => value.to_string(),
    }
}

#[derive(Serialize)]
struct BinomOutput {
    wins: u64,
    games: u64,
    rate: f64,
    confidence: f64,
    intervals: BinomIntervals,
    p0: f64,
    tests: BinomTests,
}

#[derive(Serialize)]
struct BinomIntervals {
    wilson: Interval,
    wilson_corrected: Interval,
    clopper_pearson: Interval,
    wald: Interval,
}

#[derive(Serialize)]
struct BinomTests {
    exact: PValues,
    mid_p: PValues,
    normal: PValues,
    normal_corrected: PValues,
}

#[derive(Serialize)]
struct PValues {
    two_sided: f64,
    greater: f64,
    less: f64,
}

impl PValues {
    fn compute_tests(proportion: &Proportion, method: TestMethod, p0: f64) -> Result<Self, StatsError> {
        let p = |alternative| proportion.p_value(method, alternative, p0);
        Ok(PValues {
            two_sided: p(TestAlternative::TwoSided)?,
            greater: p(TestAlternative::Greater)?,
            less: p(TestAlternative::Less)?,
        })
    }
}

impl BinomOutput {
    fn compute_output(args: &BinomArgs) -> Result<Self, StatsError> {
        let proportion = Proportion::new(args.wins, args.games)?;
        let interval = |method| proportion.rate_interval(method, args.confidence);
        let test = |method| PValues::compute_tests(&proportion, method, args.p0);
        Ok(BinomOutput {
            wins: args.wins,
            games: args.games,
            rate: proportion.rate(),
            confidence: args.confidence.level(),
            intervals: BinomIntervals {
                wilson: interval(IntervalMethod::Wilson),
                wilson_corrected: interval(IntervalMethod::WilsonCorrected),
                clopper_pearson: interval(IntervalMethod::ClopperPearson),
                wald: interval(IntervalMethod::Wald),
            },
            p0: args.p0,
            tests: BinomTests {
                exact: test(TestMethod::Exact)?,
                mid_p: test(TestMethod::MidP)?,
                normal: test(TestMethod::Normal)?,
                normal_corrected: test(TestMethod::NormalCorrected)?,
            },
        })
    }
}

impl BinomOutput {
    fn interval_table(&self) -> SheetTable {
        let title = format!("{} interval", format_percent(self.confidence));
        let mut table = SheetTable::new([title.as_str(), "#low", "#high"])
            .with_text_widths(&[28, 8, 8])
            .with_indented_rows();
        let intervals = &self.intervals;
        for (name, ends) in [
            ("Wilson", intervals.wilson),
            ("Wilson, corrected", intervals.wilson_corrected),
            ("exact (Clopper-Pearson)", intervals.clopper_pearson),
            ("Wald", intervals.wald),
        ] {
            table.add_row([name.to_string(), format!("{:.4}", ends.low), format!("{:.4}", ends.high)]);
        }
        table
    }

    fn test_table(&self) -> SheetTable {
        let title = format!("p-value of rate = {}", self.p0);
        let mut table = SheetTable::new([title.as_str(), "#two-sided", "#greater", "#less"])
            .with_text_widths(&[28, 10, 10, 10])
            .with_indented_rows();
        let tests = &self.tests;
        for (name, p) in [
            ("exact", &tests.exact),
            ("mid-p", &tests.mid_p),
            ("normal", &tests.normal),
            ("normal, corrected", &tests.normal_corrected),
        ] {
            let values = [p.two_sided, p.greater, p.less].map(format_p_value);
            table.add_row([name.to_string()].into_iter().chain(values));
        }
        table
    }
}

impl fmt::Display for BinomOutput {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} won of {}: rate {:.4}\n", self.wins, self.games, self.rate)?;
        let (intervals, tests) = (self.interval_table().to_text(), self.test_table().to_text());
        write!(f, "{intervals}\n{}", tests.trim_end())
    }
}

#[derive(Serialize)]
struct ScoreOutput {
    #[serde(flatten)]
    report: ScoreReport,
    /// Of single games only: pairs are not independent games.
    superiority_exact: Option<f64>,
}

impl ScoreOutput {
    fn compute_output(args: &ScoreArgs) -> Result<Self, StatsError> {
        Ok(ScoreOutput {
            report: args.outcomes.to_outcomes().score_report(args.confidence)?,
            superiority_exact: args
                .outcomes
                .wins
                .zip(args.outcomes.losses)
                .map(|(wins, losses)| exact_likelihood_of_superiority(wins, losses)),
        })
    }
}

impl fmt::Display for ScoreOutput {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ScoreReport { games, score, std_error, confidence, interval, wald, elo, .. } = self.report;
        let level = format_percent(confidence.level());
        let Interval { low, high } = interval;
        writeln!(f, "games        {games}")?;
        writeln!(f, "score        {score:.4}  ({level} interval {low:.4} to {high:.4})")?;
        let Interval { low, high } = wald;
        writeln!(f, "std. error   {std_error:.4}  (score plus and minus: {low:.4} to {high:.4})")?;
        let Interval { low, high } = self.report.elo_interval;
        writeln!(f, "Elo          {elo:+.1}  ({level} interval {low:+.1} to {high:+.1})")?;
        write!(f, "superiority  {:.4}", self.report.superiority)?;
        match self.superiority_exact {
            Some(exact) => write!(f, "  (exact {exact:.4})"),
            None => Ok(()),
        }
    }
}

#[derive(Serialize)]
struct EloOutput {
    score: f64,
    difference: f64,
}

impl EloOutput {
    fn compute_output(args: &EloArgs) -> Result<Self, StatsError> {
        match (args.score, args.difference.unwrap_or(0.0)) {
            (Some(score), _) => Ok(EloOutput { score, difference: elo_difference(score)? }),
            (None, elo) if elo.is_nan() => {
                let expected = "it must be a number, as 100".to_string();
                Err(StatsError { argument: "difference", value: elo.to_string(), expected })
            }
            (None, elo) => Ok(EloOutput { score: expected_score(elo), difference: elo }),
        }
    }
}

impl fmt::Display for EloOutput {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "score {:.4}  Elo {:+.1}", self.score, self.difference)
    }
}

#[derive(Serialize)]
struct SprtOutput {
    games: u64,
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
    llr: f64,
    llr_approximate: f64,
    lower: f64,
    upper: f64,
    decision: SprtDecision,
}

impl SprtOutput {
    fn compute_output(args: &SprtArgs) -> Result<Self, StatsError> {
        let sprt = Sprt::new(args.elo0, args.elo1, args.alpha, args.beta)?;
        let outcomes = args.outcomes.to_outcomes();
        let report = sprt.sprt_report(&outcomes);
        Ok(SprtOutput {
            games: outcomes.number_of_games(),
            elo0: args.elo0,
            elo1: args.elo1,
            alpha: args.alpha,
            beta: args.beta,
            llr: report.llr,
            llr_approximate: sprt.approximate_log_likelihood_ratio(&outcomes),
            lower: report.lower,
            upper: report.upper,
            decision: report.decision,
        })
    }
}

impl fmt::Display for SprtOutput {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "games     {}", self.games)?;
        writeln!(
            f,
            "LLR       {:.4}  (bounds {:.4} and {:.4}; normal approximation {:.4})",
            self.llr, self.lower, self.upper, self.llr_approximate
        )?;
        write!(f, "decision  ")?;
        match self.decision {
            SprtDecision::Continue => write!(f, "play on"),
            SprtDecision::AcceptH0 => {
                write!(f, "stop: H0 accepted, the difference is {} Elo or less", self.elo0)
            }
            SprtDecision::AcceptH1 => {
                write!(f, "stop: H1 accepted, the difference is {} Elo or more", self.elo1)
            }
        }
    }
}

#[derive(Serialize)]
struct Chi2Output {
    test: &'static str,
    #[serde(flatten)]
    result: ChiSquare,
}

impl Chi2Output {
    fn compute_output(args: &Chi2Args) -> Result<Self, StatsError> {
        let rows: Vec<Vec<u64>> = args.rows.iter().map(|row| row.0.clone()).collect();
        let (test, result) = match (&rows[..], &args.weights) {
            ([row], None) => ("goodness of fit", test_goodness_of_fit(row, &vec![1.0; row.len()])?),
            ([row], Some(weights)) => ("goodness of fit", test_goodness_of_fit(row, &weights.0)?),
            (_, None) => ("independence", test_independence(&rows)?),
            (_, Some(_)) => {
                let expected =
                    "weights are for a single row; leave them out to test independence".to_string();
                return Err(StatsError {
                    argument: "number of rows",
                    value: rows.len().to_string(),
                    expected,
                });
            }
        };
        Ok(Chi2Output { test, result })
    }
}

impl fmt::Display for Chi2Output {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ChiSquare { statistic, degrees, p_value, smallest_expected } = self.result;
        let (test, p, degrees) = (self.test, format_p_value(p_value), format_count(degrees, "degree"));
        write!(f, "{test}: chi-square {statistic:.4} on {degrees} of freedom, p = {p}")?;
        if smallest_expected < 5.0 {
            let rough = "below 5 the p-value is rough";
            write!(f, "\nthe smallest expected count is {smallest_expected:.1}: {rough}")?;
        }
        Ok(())
    }
}

/// 0.95 as "95%", 0.999 as "99.9%".
fn format_percent(level: f64) -> String {
    // Twelve digits drop the rounding error of the multiplication.
    format!("{}%", (level * 1e14).round() / 1e12)
}

/// Four significant digits at least, small values with exponent.
fn format_p_value(p: f64) -> String {
    match p {
        p if p >= 0.1 => format!("{p:.4}"),
        p if p >= 0.0001 => format!("{p:.6}"),
        p => format!("{p:.2e}"),
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Line {
        #[command(subcommand)]
        command: StatsCommand,
    }

    fn line(words: &str) -> Result<StatsCommand, clap::Error> {
        let words = std::iter::once("stats").chain(words.split_whitespace());
        crate::parser_words::parse_words(words).map(|line: Line| line.command)
    }

    fn text(words: &str) -> String {
        compute_answer(&line(words).unwrap(), false).unwrap()
    }

    fn json(words: &str) -> serde_json::Value {
        serde_json::from_str(&compute_answer(&line(words).unwrap(), true).unwrap()).unwrap()
    }

    /// The published figures: 540 of 1000 has p = 0.012 and the interval 0.509 to 0.571.
    #[test]
    fn binom_prints_intervals_and_tests() {
        let text = text("binom 540 1000");
        let row =
            |name: &str| text.lines().find(|line| line.trim_start().starts_with(name)).unwrap().to_string();
        assert_eq!(text.lines().next(), Some("540 won of 1000: rate 0.5400"));
        assert_eq!(row("Wilson ").split_whitespace().collect::<Vec<_>>(), ["Wilson", "0.5090", "0.5707"]);
        assert!(row("exact (Clopper-Pearson)").ends_with("0.5085   0.5712"), "{text}");
        // scipy.stats.binomtest, rounded.
        let exact = "exact 0.012444 0.006222 0.9948";
        assert!(
            text.lines().any(|line| line.split_whitespace().collect::<Vec<_>>().join(" ") == exact),
            "{text}"
        );
        let json = json("binom 540 1000 --confidence 0.9");
        assert_eq!(json["confidence"], 0.9);
        assert!((json["tests"]["exact"]["two_sided"].as_f64().unwrap() - 0.012444146277171799).abs() < 1e-10);
    }

    #[test]
    fn score_takes_games_or_pairs() {
        let games = json("score 60 20 40");
        assert_eq!(games["games"], 120);
        assert!((games["elo"].as_f64().unwrap() - 58.4511).abs() < 1e-3, "{games}");
        let pairs = json("score --pairs 13 37 50 25 3");
        assert_eq!((&pairs["games"], &pairs["score"]), (&256.into(), &0.4375.into()));
        assert!(pairs["superiority_exact"].is_null());
        assert!(text("score 10 0 0").contains("Elo          +inf"), "{}", text("score 10 0 0"));
        assert!(json("score 10 0 0")["elo"].is_null());
    }

    #[test]
    fn elo_goes_both_ways() {
        assert_eq!(text("elo --difference 400"), "score 0.9091  Elo +400.0");
        assert_eq!(text("elo --difference -400"), "score 0.0909  Elo -400.0");
        assert_eq!(text("elo --score 0.5"), "score 0.5000  Elo +0.0");
        assert!(line("elo").is_err());
        assert!(line("elo --score 0.5 --difference 3").is_err());
        assert!(compute_answer(&line("elo --difference NaN").unwrap(), false).is_err());
    }

    #[test]
    fn sprt_says_whether_to_stop() {
        assert!(text("sprt 60 10 50 --elo0 0 --elo1 30").ends_with("decision  play on"));
        let stopped = json("sprt 600 100 500 --elo0 -5 --elo1 30");
        assert_eq!(stopped["decision"], "accept_h1");
        let pairs = json("sprt --pairs 13 37 50 25 3 --elo0 0 --elo1 2.716");
        assert!((pairs["llr"].as_f64().unwrap() + 0.5377).abs() < 1e-3, "{pairs}");
        assert!(line("sprt 1 2 --elo0 0 --elo1 5").is_err());
        assert!(line("sprt 1 2 3 --pairs 1 2 3 4 5 --elo0 0 --elo1 5").is_err());
    }

    #[test]
    fn chi2_fits_one_row_and_compares_more() {
        assert_eq!(
            text("chi2 16,18,16,14,12,12"),
            "goodness of fit: chi-square 2.0000 on 5 degrees of freedom, p = 0.8491"
        );
        assert_eq!(json("chi2 16,18,16,14,12,12 --weights 16,16,16,16,16,8")["statistic"], 3.5);
        assert!(text("chi2 10,20 30,15").starts_with("independence: chi-square 8.0357 on 1"));
        assert!(text("chi2 1,2 3,1").ends_with("below 5 the p-value is rough"));
    }

    #[test]
    fn bad_input_is_quoted() {
        let error = line("chi2 1,x").unwrap_err().to_string();
        assert!(
            error.contains("\"x\" must be a whole number; write numbers with commas, as 30,12"),
            "{error}"
        );
        let error = line("chi2 1,99999999999999999999").unwrap_err().to_string();
        assert!(error.contains("\"99999999999999999999\" must be a smaller number"), "{error}");
        let error = line("chi2 1,2 --weights 1,").unwrap_err().to_string();
        assert!(error.contains("\"\" must be a number; write"), "{error}");
        let error = line("binom 5 10 --confidence 95").unwrap_err().to_string();
        assert!(error.contains("invalid confidence 95: it must lie between 0 and 1"), "{error}");
        let error = compute_answer(&line("binom 11 10").unwrap(), false).unwrap_err().to_string();
        assert_eq!(error, "invalid number of wins 11: it must lie from 0 to 10");
        assert!(compute_answer(&line("chi2 1,2 3,4 --weights 1,1").unwrap(), false).is_err());
    }

    #[test]
    fn levels_are_written_as_percent() {
        assert_eq!([0.95, 0.999, 0.9, 0.57].map(format_percent), ["95%", "99.9%", "90%", "57%"]);
    }
}
