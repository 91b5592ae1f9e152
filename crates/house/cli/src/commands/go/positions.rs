//! `ishi go positions`: positions of records as training samples, with what judges say of them.

use std::collections::BTreeMap;
use std::io::BufWriter;
use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use ishi_analysis::labels::games::GameTerms;
use ishi_analysis::labels::samples::{sample_from_game, sample_from_label};
use ishi_analysis::labels::{
    GamePlace, LabelPlan, NO_CHECKSUM_COLUMN, PositionLabel, label, labels_have_checksums,
};
use ishi_arena::stopwatch::WallClock;
use ishi_go::Rules;
use ishi_judge::samples::{self, SampleField};
use ishi_judge::{PlaneEncoder, SampleWriter};
use ishi_patterns::records::{self, RecordedGame};
use ishi_work::{Clock, Pace, Progress};
use serde::Serialize;

use super::games::read_text;
use crate::context::{Context, Failure};
use crate::files;
use crate::numbers::number_in;

pub(super) const HELP: &str = "\
Examples:
  ishi go positions games.txt.gz --labels labels.tsv --out samples.bin
  ishi go positions games.txt.gz other.txt.gz --labels a.tsv --labels b.tsv.gz --out samples.bin
  ishi go positions games.txt.gz --positions 500000 --out moves.bin
  ishi go positions games.txt.gz --per-game 4 --out moves.bin --json
  ishi go positions games.txt.gz --labels a.tsv --without spread,played --out samples.bin

Writes training samples: what the network sees of a position, and what is known of it. With --labels it \
takes the positions that a judge has labelled (`ishi go label`), each with the judge's moves, winner, lead, \
spread and owners. Without, it draws positions as `ishi go label` does. Either way a sample has the move \
that was played and the winner of the game, where the record says who it is.

Labels may be read while they are still being written: a last line that is not whole is left out. Each sample \
holds the line of its game in its file, so that games can be split into those to learn from and others. \
docs/formats.md has the format, docs/judge.md an example that reads it.";

/// Positions between two looks at Ctrl-C.
const CHUNK: usize = 4096;
/// Time between two lines of progress.
const TELL_EVERY: Duration = Duration::from_secs(10);

/// Options of `ishi go positions`.
#[derive(Args, Debug)]
pub(super) struct GoPositionsArgs {
    /// Games (of `ishi go records`)
    #[arg(value_name = "GAMES", required = true)]
    games: Vec<PathBuf>,
    /// Labels of positions of these games; may be given several times
    #[arg(long, value_name = "FILE", conflicts_with = "per_game")]
    labels: Vec<PathBuf>,
    /// Where the samples go
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Replace the file if it exists
    #[arg(long)]
    force: bool,
    /// Positions at most [default: all labels; without labels 100000, or as many as --per-game gives]
    #[arg(long, value_name = "N", value_parser = number_in::<usize>(1..))]
    positions: Option<usize>,
    /// Positions of each game at most
    #[arg(long, value_name = "K", value_parser = number_in::<usize>(1..))]
    per_game: Option<usize>,
    /// Rules of positions without labels: the records do not say them
    #[arg(long, default_value = "chinese", value_name = "RULES", conflicts_with = "labels")]
    rules: Rules,
    /// What the samples must not tell: judge-policy, played, game-winner, judge-winner, lead, spread, owners; several with commas
    #[arg(long, value_name = "WHAT", value_delimiter = ',')]
    without: Vec<SampleField>,
    /// Leave out the first so many games of each file
    #[arg(long, default_value_t = 0, value_name = "N")]
    skip: usize,
    /// Take so many games after them
    #[arg(long, value_name = "N", value_parser = number_in::<usize>(1..))]
    take: Option<usize>,
}

/// Positions that are drawn without labels if nobody says how many.
const USUAL: usize = 100_000;

/// Reads, encodes and writes.
pub(super) fn run(args: &GoPositionsArgs, context: &Context) -> Result<(), Failure> {
    if files::is_standard(&args.out) {
        return Err(Failure::input("--out: give a file, as the samples are many"));
    }
    if args.out.exists() && !args.out.is_file() {
        return Err(Failure::input(format!("{} is no file: give another name", args.out.display())));
    }
    files::check_writable(&args.out, args.force)?;
    if args.labels.is_empty()
        && [SampleField::Played, SampleField::GameWinner].iter().all(|what| args.without.contains(what))
    {
        let problem = "without labels there are only these two, and one of them must stay";
        return Err(Failure::input(format!("--without played,game-winner: {problem}")));
    }
    let games = SourceGames::read_files(args)?;
    let texts = args.labels.iter().map(|path| read_text(path)).collect::<Result<Vec<_>, _>>()?;
    let (jobs, passed_over) = if args.labels.is_empty() {
        (games.drawn_jobs(args, context), 0)
    } else {
        games.labelled_jobs(args, &texts)?
    };
    if jobs.is_empty() {
        return Err(Failure::input("there is no position to write"));
    }
    let bytes = write_samples(args, &games, &jobs, context)?;
    let report = GoPositionsReport { games: games.records.len(), positions: jobs.len(), passed_over, bytes };
    files::print_result(context, &report, || report.to_text())
}

/// A position to write.
enum SampleJob<'a> {
    Drawn(GamePlace),
    Labelled { path: &'a Path, line: usize, text: &'a str, game: usize },
}

/// The games of all files.
struct SourceGames {
    records: Vec<RecordedGame>,
    /// Which of them are not left out.
    taken: Vec<bool>,
}

impl SourceGames {
    fn read_files(args: &GoPositionsArgs) -> Result<SourceGames, Failure> {
        let (mut all, mut taken) = (Vec::new(), Vec::new());
        let end = args.take.map_or(usize::MAX, |take| args.skip.saturating_add(take));
        for path in &args.games {
            let found = records::parse_records(&read_text(path)?);
            let found = found.map_err(|error| Failure::in_file(path, error))?;
            taken.extend((0..found.len()).map(|game| (args.skip..end).contains(&game)));
            all.extend(found);
        }
        Ok(SourceGames { records: all, taken })
    }

    /// Positions at random, in an order that the seed decides.
    fn drawn_jobs(&self, args: &GoPositionsArgs, context: &Context) -> Vec<SampleJob<'static>> {
        let taken: Vec<usize> = (0..self.records.len()).filter(|&game| self.taken[game]).collect();
        let games: Vec<RecordedGame> = taken.iter().map(|&game| self.records[game].clone()).collect();
        let usual = if args.per_game.is_some() { usize::MAX } else { USUAL };
        let positions = args.positions.unwrap_or(usual);
        let plan = LabelPlan::new(&games, context.seed, args.per_game.unwrap_or(usize::MAX));
        let places = plan.take(positions);
        places.map(|place| SampleJob::Drawn(GamePlace { game: taken[place.game], ..place })).collect()
    }

    /// The lines of the label files; and how many are of games that are left out.
    fn labelled_jobs<'a>(
        &self,
        args: &'a GoPositionsArgs,
        texts: &'a [String],
    ) -> Result<(Vec<SampleJob<'a>>, usize), Failure> {
        let mut by_id = BTreeMap::new();
        for (game, record) in self.records.iter().enumerate() {
            if by_id.insert(record.id.as_str(), game).is_some() {
                let problem = "two games have this id: labels do not say which of them they are of";
                return Err(Failure::input(format!("{:?}: {problem}", record.id)));
            }
        }
        let (mut jobs, mut passed_over) = (Vec::new(), 0);
        for (path, text) in args.labels.iter().zip(texts) {
            // A line without an end is still being written.
            let whole = text.rfind('\n').map_or("", |end| &text[..end]);
            let need_checksums = labels_have_checksums(text);
            for (number, text) in whole.lines().enumerate() {
                let line = number + 1;
                // Remarks have checksums, too, as a damaged line may look like a remark.
                let (text, has_checksum) =
                    label::split_checksum_column(text).map_err(|error| line_failure(path, line, error))?;
                if text.starts_with('#') || text.trim().is_empty() {
                    continue;
                }
                if need_checksums && !has_checksum {
                    return Err(line_failure(path, line, NO_CHECKSUM_COLUMN));
                }
                let (id, _) = label::read_place(text).map_err(|error| line_failure(path, line, error))?;
                let Some(&game) = by_id.get(id) else {
                    return Err(line_failure(path, line, format!("no game {id:?} is among the games given")));
                };
                if self.taken[game] {
                    jobs.push(SampleJob::Labelled { path, line, text, game });
                } else {
                    passed_over += 1;
                }
            }
        }
        jobs.truncate(args.positions.unwrap_or(usize::MAX));
        Ok((jobs, passed_over))
    }

    /// The bytes of a record.
    fn encode_job(
        &self,
        job: &SampleJob<'_>,
        args: &GoPositionsArgs,
        encoder: &mut PlaneEncoder,
    ) -> Result<[u8; samples::RECORD], Failure> {
        let sample = match *job {
            SampleJob::Drawn(GamePlace { game, moment }) => {
                let record = &self.records[game];
                sample_from_game(encoder, record, GameTerms::from_record(record, args.rules), moment)
                    .map_err(|error| Failure::input(format!("game {:?}: {error}", record.id)))?
            }
            SampleJob::Labelled { path, line, text, game } => {
                let record = &self.records[game];
                let label = PositionLabel::from_line(text, record.size)
                    .map_err(|error| line_failure(path, line, error))?;
                sample_from_label(encoder, record, &label).map_err(|error| line_failure(path, line, error))?
            }
        };
        Ok(args.without.iter().fold(sample, |sample, &what| sample.without_field(what)).to_record())
    }
}

fn line_failure(path: &Path, line: usize, problem: impl std::fmt::Display) -> Failure {
    Failure::input(format!("{}: line {line}, {problem}", path.display()))
}

/// Writes the file as a whole or not at all; gives its size in bytes.
fn write_samples(
    args: &GoPositionsArgs,
    games: &SourceGames,
    jobs: &[SampleJob<'_>],
    context: &Context,
) -> Result<u64, Failure> {
    let name = args.out.display();
    let failed = |error: std::io::Error| Failure::outside(format!("cannot write {name}: {error}"));
    let mut file = files::GrowingFile::begin_at(&args.out).map_err(failed)?;
    let mut out = SampleWriter::new(BufWriter::new(file.file_mut())).map_err(failed)?;
    let clock = WallClock::start();
    let mut pace = Pace::start(TELL_EVERY, clock.now());
    for (number, chunk) in jobs.chunks(CHUNK).enumerate() {
        context.check_stop()?;
        for record in encode_chunk(games, chunk, args, context.threads)? {
            out.write_record(&record).map_err(failed)?;
        }
        let now = clock.now();
        if pace.is_due(now) {
            let progress = Progress::new(number * CHUNK + chunk.len(), jobs.len(), "positions");
            let (rate, left) = (pace.rate(&progress, now), pace.seconds_left(&progress, now));
            let Progress { done, total, unit, .. } = progress;
            context.print_progress(format_args!(
                "{done} of {total} {unit}, {rate:.0} a second, {left:.0} s left"
            ));
        }
    }
    drop(out.finish().map_err(failed)?);
    file.move_into_place(args.force).map_err(failed)?;
    Ok((samples::HEADER + jobs.len() * samples::SEALED_RECORD) as u64)
}

/// The records of a chunk in their order.
fn encode_chunk(
    games: &SourceGames,
    jobs: &[SampleJob<'_>],
    args: &GoPositionsArgs,
    threads: usize,
) -> Result<Vec<[u8; samples::RECORD]>, Failure> {
    let part = jobs.len().div_ceil(threads.max(1));
    let work = |jobs: &[SampleJob<'_>]| {
        let mut encoder = PlaneEncoder::default();
        jobs.iter().map(|job| games.encode_job(job, args, &mut encoder)).collect::<Result<Vec<_>, _>>()
    };
    std::thread::scope(|scope| {
        let workers: Vec<_> = jobs.chunks(part).map(|jobs| scope.spawn(move || work(jobs))).collect();
        let joined =
            workers.into_iter().map(|worker| worker.join().unwrap_or_else(|panic| resume_unwind(panic)));
        Ok(joined.collect::<Result<Vec<_>, _>>()?.concat())
    })
}

#[derive(Serialize)]
struct GoPositionsReport {
    /// Games of the files.
    games: usize,
    /// Samples.
    positions: usize,
    /// Labels of games that are left out.
    passed_over: usize,
    /// Size of the file.
    bytes: u64,
}

impl GoPositionsReport {
    fn to_text(&self) -> String {
        let GoPositionsReport { games, positions, passed_over, bytes } = self;
        let mut text = format!("{positions} positions of {games} games, {bytes} bytes.\n");
        if *passed_over > 0 {
            text += &format!("{passed_over} labels are of games that were left out.\n");
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;
    use ishi_fuzz_targets::number_from_environment;
    use ishi_rng::Seed;
    use ishi_rng::checksum::seal_line;
    use ishi_rng::damage::try_damaged_copies;

    use super::*;

    #[derive(Parser)]
    struct CommandLine {
        #[command(flatten)]
        args: GoPositionsArgs,
    }

    const GAME: &str = "g\tmade\t2026\t2\t6.5\t0\t-\tB+R\t?\t?\tB\taabb\n";

    /// Lines may be missing, as in a file that was cut off, but none is another.
    #[test]
    fn damaged_labels_are_refused_or_missing() {
        let records = records::parse_records(GAME).unwrap();
        let games = SourceGames { taken: vec![true; records.len()], records };
        let words = ["positions", "games.txt", "--labels", "labels.tsv", "--out", "samples.bin"];
        let CommandLine { args } = CommandLine::try_parse_from(words).unwrap();
        let read = |text: String| -> Option<Vec<String>> {
            let texts = [text];
            let (jobs, _) = games.labelled_jobs(&args, &texts).ok()?;
            let line = |job: &SampleJob<'_>| match *job {
                SampleJob::Labelled { text, game, .. } => {
                    let label = PositionLabel::from_line(text, games.records[game].size);
                    label.ok().map(|_| text.to_string())
                }
                SampleJob::Drawn(_) => None,
            };
            jobs.iter().map(line).collect()
        };
        let label = |moves: u32| format!("g\t{moves}\t6.5\tchinese\t0.2500\t-3.10\t5.0\tba:900 ..:3\tammy");
        let labels: Vec<String> = (0..4).map(label).collect();
        let sealed: String = labels.iter().map(|label| seal_line(label, '\t') + "\n").collect();
        let whole = format!("# ishi-labels-2\n# judge: made up\n{sealed}");
        assert_eq!(read(whole.clone()).unwrap(), labels);
        let (mut refused, mutants) = (0, number_from_environment("ISHI_MUTANTS", 300));
        try_damaged_copies(whole.as_bytes(), Seed::new(1), mutants, |what, damaged| {
            let text = String::from_utf8(damaged.to_vec()).ok();
            match text.and_then(&read) {
                Some(found) => assert!(found.iter().all(|label| labels.contains(label)), "{what}"),
                None => refused += 1,
            }
        });
        assert!(refused > mutants / 2, "{refused}");
    }
}
