//! The file of `--answers`: what a judge has said of positions, a line for each. A review that was interrupted goes on with it, and a game that has
//! gone on, or another command, has new positions judged alone.
//!
//! Numbers are read back to the last bit, so that a review says the same with the file as without it. A line that is damaged is
//! as none: its position is judged again.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use ishi_engine::{MoveReport, SearchReport};
use ishi_go::{BoardSize, Point, Position};
use ishi_go_play::explain::kept::AnswerStore;
use ishi_go_play::explain::position_key;
use ishi_rng::checksum::{seal_line, split_sealed_line};

use crate::context::{Context, Failure};
use crate::digest::short_digest;
use crate::files;

/// The first line, the version last.
const HEAD: &str = "# ishi-answers 1";
/// How the first line of any version begins.
const ANY_HEAD: &str = "# ishi-answers ";
/// Between the columns of a line: maker, position, what the search spent, its values, moves, owners, checksum.
const GAP: char = '\t';
/// In the place of values that are those of the candidate before.
const SAME: &str = "=";
/// The end of a number that has as many bits as an `f32`.
const SHORT: char = 'f';
/// More visits than any search has.
const MOST_VISITS: u64 = 1 << 40;
/// Hexadecimal digits of an owner: the bits of a number.
const OWNER_DIGITS: usize = 8;
/// How much a point can be a side's, with what rounding adds.
const SURE_OWNER: f32 = 1.01;

/// Answers of one maker in a file, which may have those of others, too.
pub(super) struct AnswerFile {
    path: PathBuf,
    /// Whose answers: a digest of what decides them.
    maker: String,
    /// By position, as they stand in the file.
    known: BTreeMap<String, String>,
    context: Context,
    /// Does the file end within a line, as that was being written when the program was killed or the disk was full?
    is_torn: bool,
    has_warned: bool,
}

impl AnswerFile {
    /// Opens a file, or begins it. `maker` says who answers, and all that answers depend on beside the position.
    pub(super) fn open(path: &Path, maker: &str, context: &Context) -> Result<AnswerFile, Failure> {
        if files::is_standard(path) {
            return Err(Failure::input("--answers must be a file, which is read, too: - is none"));
        }
        let bytes = read_bytes(path)?;
        if bytes.is_empty() {
            // Another command may begin it at this moment: nothing of that is lost, and a second such line is passed over.
            files::append_to_file(path, format!("{HEAD}\n").as_bytes())?;
        }
        let text = String::from_utf8_lossy(&bytes);
        if let Some(fault) = find_fault_of_head(&bytes, &text) {
            return Err(Failure::in_file(path, fault));
        }
        let maker = short_digest(maker);
        Ok(AnswerFile {
            path: path.to_path_buf(),
            known: collect_answers(&text, &maker),
            maker,
            context: context.clone(),
            is_torn: !text.is_empty() && !text.ends_with('\n'),
            has_warned: false,
        })
    }

    /// Is there a file that holds no answers? Who keeps answers unasked begins another one in its place. What cannot be read may be answers.
    pub(super) fn holds_something_else(path: &Path) -> bool {
        read_bytes(path)
            .is_ok_and(|bytes| find_fault_of_head(&bytes, &String::from_utf8_lossy(&bytes)).is_some())
    }

    /// Adds a line at once, so that a kill loses none. Whoever cannot keep it is told so once, and the work goes on.
    fn append_line(&mut self, key: &str, answer: &str) {
        let line = seal_line(&format!("{}{GAP}{key}{GAP}{answer}", self.maker), GAP);
        let end_of_torn = if self.is_torn { "\n" } else { "" };
        let written = files::append_to_file(&self.path, format!("{end_of_torn}{line}\n").as_bytes());
        self.is_torn = written.is_err();
        if let Err(failure) = written
            && !self.has_warned
        {
            self.has_warned = true;
            let note = "what is judged from here on may not be kept";
            self.context.print_progress(format_args!("ishi: {failure}: {note}"));
        }
    }
}

impl AnswerStore for AnswerFile {
    fn find_answer(&mut self, position: &Position) -> Option<SearchReport> {
        read_answer(self.known.get(&answer_key(position))?, position.size())
    }

    fn keep_answer(&mut self, position: &Position, report: SearchReport) -> SearchReport {
        let Some(answer) = write_answer(&report, position.size()) else { return report };
        let key = answer_key(position);
        self.append_line(&key, &answer);
        let passed_on = read_answer(&answer, position.size()).unwrap_or(report);
        self.known.insert(key, answer);
        passed_on
    }
}

/// The bytes of a file; none if there is no file.
fn read_bytes(path: &Path) -> Result<Vec<u8>, Failure> {
    match files::read_file(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        read => read.map_err(|error| Failure::outside(format!("cannot read {}: {error}", path.display()))),
    }
}

/// Why it is no file of answers; none if it is one, or empty.
fn find_fault_of_head(bytes: &[u8], text: &str) -> Option<String> {
    match text.lines().next() {
        _ if bytes.is_empty() => None,
        Some(HEAD) => None,
        Some(other) if other.starts_with(ANY_HEAD) => {
            Some("its answers are of another version of ishi; give another name".to_string())
        }
        _ => Some("it exists and holds no answers of ishi; give another name".to_string()),
    }
}

/// The answers of a maker in a file's text, by position.
fn collect_answers(text: &str, maker: &str) -> BTreeMap<String, String> {
    let answer_of_line = |line: &str| {
        let Ok((content, true)) = split_sealed_line(line, GAP) else { return None };
        let (own, rest) = content.split_once(GAP)?;
        let (key, answer) = rest.split_once(GAP)?;
        (own == maker).then(|| (key.to_string(), answer.to_string()))
    };
    text.lines().skip(1).filter_map(answer_of_line).collect()
}

fn answer_key(position: &Position) -> String {
    let [first, second] = position_key(position);
    format!("{first:016x}{second:016x}")
}

/// What a search says, as the columns of a line; none if it says whose some points are and says nothing of others.
fn write_answer(report: &SearchReport, size: BoardSize) -> Option<String> {
    let values = write_values(report.win_rate, report.score, report.score_deviation);
    let values = format!("{},{values}", report.playouts);
    let mut last = String::new();
    let moves: Vec<String> = report.moves.iter().map(|found| write_candidate(found, &mut last)).collect();
    Some(format!("{values}{GAP}{}{GAP}{}", moves.join(";"), write_owners(report, size)?))
}

/// A candidate. Most have no visits and the same values, so that those of the last one are not told again.
fn write_candidate(found: &MoveReport, last: &mut String) -> String {
    let values = write_values(found.win_rate, found.score, found.score_deviation);
    let values = format!("{},{values}", write_number(found.lower_bound));
    let told = if values == *last { SAME.to_string() } else { values.clone() };
    *last = values;
    let MoveReport { mv, visits, .. } = found;
    let (prior, line) = (write_number(found.prior), join_words(&found.variation));
    let line_visits = join_words(&found.variation_visits);
    format!("{mv},{visits},{prior},{line},{line_visits},{told}")
}

fn write_values(win_rate: f64, score: f64, deviation: Option<f64>) -> String {
    let deviation = deviation.map_or(String::new(), write_number);
    format!("{},{},{deviation}", write_number(win_rate), write_number(score))
}

/// The shortest text that is read back as the same number. Those with half as many bits are told apart by their end.
fn write_number(number: f64) -> String {
    let short = number as f32;
    if f64::from(short) == number { format!("{short}{SHORT}") } else { number.to_string() }
}

fn join_words<T: ToString>(words: &[T]) -> String {
    words.iter().map(ToString::to_string).collect::<Vec<String>>().join(" ")
}

/// The owners of all points, row by row from A1; nothing if nothing is known, and none if only some are known.
fn write_owners(report: &SearchReport, size: BoardSize) -> Option<String> {
    let known: BTreeMap<usize, f32> =
        report.ownership.iter().map(|&(point, owner)| (point.index(), owner)).collect();
    if known.is_empty() {
        return Some(String::new());
    }
    let digits = |point: Point| Some(format!("{:08x}", known.get(&point.index())?.to_bits()));
    size.points().map(digits).collect()
}

/// Reads what [`write_answer`] has written; none if it is no answer about a board of this size.
fn read_answer(text: &str, size: BoardSize) -> Option<SearchReport> {
    let columns: Vec<&str> = text.split(GAP).collect();
    let [values, moves, owners] = columns[..] else { return None };
    let (playouts, values) = values.split_once(',')?;
    let [win_rate, score, deviation] = read_values(values)?;
    let mut last = "";
    let candidates = moves.split(';').filter(|candidate| !candidate.is_empty());
    Some(SearchReport {
        moves: candidates
            .map(|candidate| read_candidate(candidate, &mut last, size))
            .collect::<Option<_>>()?,
        playouts: read_count(playouts)?,
        win_rate: win_rate?,
        score: score?,
        score_deviation: deviation,
        ownership: read_owners(owners, size)?,
    })
}

/// Reads a candidate; `last` are the values of the one before.
fn read_candidate<'a>(text: &'a str, last: &mut &'a str, size: BoardSize) -> Option<MoveReport> {
    let fields: Vec<&str> = text.splitn(6, ',').collect();
    let [mv, visits, prior, line, line_visits, values] = fields[..] else { return None };
    if values != SAME {
        *last = values;
    }
    let (lower_bound, values) = last.split_once(',')?;
    let [win_rate, score, deviation] = read_values(values)?;
    let read_move = |vertex: &str| size.parse_move(vertex).ok();
    let unsearched: MoveReport = MoveReport::unsearched_move(read_move(mv)?);
    Some(MoveReport {
        visits: read_count(visits)?,
        win_rate: win_rate?,
        lower_bound: read_number(lower_bound)?,
        score: score?,
        score_deviation: deviation,
        prior: read_number(prior)?,
        variation: read_words(line, read_move)?,
        variation_visits: read_words(line_visits, read_count)?,
        ..unsearched
    })
}

/// Chance to win, points and their deviation, each none where nothing is told; none at all if a number is no number.
fn read_values(text: &str) -> Option<[Option<f64>; 3]> {
    let fields: Vec<&str> = text.split(',').collect();
    let [win_rate, score, deviation] = fields[..] else { return None };
    let read = |field: &str| Some(read_words(field, read_number)?.first().copied());
    Some([read(win_rate)?, read(score)?, read(deviation)?])
}

fn read_words<T>(text: &str, read: impl Fn(&str) -> Option<T>) -> Option<Vec<T>> {
    text.split_whitespace().map(read).collect()
}

fn read_number(text: &str) -> Option<f64> {
    let number = match text.strip_suffix(SHORT) {
        Some(short) => f64::from(short.parse::<f32>().ok()?),
        None => text.parse().ok()?,
    };
    number.is_finite().then_some(number)
}

fn read_count(text: &str) -> Option<u64> {
    text.parse().ok().filter(|&count| count <= MOST_VISITS)
}

fn read_owners(text: &str, size: BoardSize) -> Option<Vec<(Point, f32)>> {
    if text.is_empty() {
        return Some(Vec::new());
    }
    let owner = |at: usize| {
        let bits = u32::from_str_radix(text.get(at..at + OWNER_DIGITS)?, 16).ok()?;
        Some(f32::from_bits(bits)).filter(|owner| owner.abs() <= SURE_OWNER)
    };
    let owners: Vec<f32> = (0..text.len()).step_by(OWNER_DIGITS).map(owner).collect::<Option<_>>()?;
    (owners.len() == size.area()).then(|| size.points().zip(owners).collect())
}

#[cfg(test)]
mod tests {
    use ishi_fuzz_targets::number_from_environment;
    use ishi_go::{Color, Rules};
    use ishi_go_play::analyst::{Analyst, JudgeControl, OwnSearches, PositionJudge};
    use ishi_go_play::explain::kept::KeptJudge;
    use ishi_rng::Seed;
    use ishi_rng::damage::{set_back_version, try_damaged_copies, try_mixed_copies};
    use ishi_work::StopFlag;

    use super::*;

    fn quiet_context() -> Context {
        let stop = StopFlag::default();
        Context { json: false, seed: Seed::new(1), threads: 1, threads_given: true, stop, quiet: true }
    }

    /// A board of 9x9 after so many moves.
    fn position(played: usize) -> Position {
        let mut position = Position::new(BoardSize::square(9).unwrap(), Rules::CHINESE);
        let colors = Color::ALL.into_iter().cycle();
        for (vertex, color) in ["C3", "G7", "D7", "pass"].into_iter().zip(colors).take(played) {
            let mv = position.size().parse_move(vertex).unwrap();
            position.play(color, mv).unwrap();
        }
        position
    }

    fn searches() -> OwnSearches {
        OwnSearches { analyst: Analyst::of_level(1), seed: Seed::new(1) }
    }

    fn search(position: &Position) -> SearchReport {
        searches().search_position(position, &|| false)
    }

    fn open(path: &Path, maker: &str) -> AnswerFile {
        AnswerFile::open(path, maker, &quiet_context()).unwrap()
    }

    #[test]
    fn an_answer_is_read_as_it_was() {
        for played in 0..5 {
            let here = position(played);
            let report = search(&here);
            let text = write_answer(&report, here.size()).unwrap();
            assert_eq!(read_answer(&text, here.size()), Some(report), "{text}");
            assert_eq!(read_answer(&text, BoardSize::square(7).unwrap()), None, "of another board");
        }
        let odd = SearchReport { playouts: 1, win_rate: 1.0 / 3.0, score: -0.0, ..SearchReport::default() };
        let size = BoardSize::square(9).unwrap();
        let text = write_answer(&odd, size).unwrap();
        assert_eq!(text, "1,0.3333333333333333,-0f,\t\t");
        assert_eq!(read_answer(&text, size), Some(odd));
        let some = SearchReport { ownership: vec![(Point::new(0, 0), 1.0)], ..SearchReport::default() };
        assert_eq!(write_answer(&some, size), None, "nothing is known of the other points");
        for wrong in [
            "1,0.5f,NaN,\t\t",
            "1,0.5f,infinityf,\t\t",
            "1,0.5f,,\t\t",
            "1,0.5f,2f,\t\t3f800000",
            "9999999999999,0.5f,2f,\t\t",
            "1,0.5f,2f,\t",
            "1,0.5f,2f,\tC3,1,0.5f,C3,1,=\t",
            "1,0.5f,2f,\tC3,1,0.5f,Z3,1,0f,0f,0f,\t",
        ] {
            assert_eq!(read_answer(wrong, size), None, "{wrong}");
        }
    }

    /// Each maker has its own answers, and nothing is judged twice, also after a line that was torn by a kill.
    #[test]
    fn answers_come_back_to_their_maker() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("answers");
        let reports: Vec<SearchReport> = (0..3).map(|played| search(&position(played))).collect();
        let mut file = open(&path, "one");
        assert_eq!(file.keep_answer(&position(0), reports[0].clone()), reports[0]);
        assert_eq!(
            file.find_answer(&position(0)),
            Some(reports[0].clone()),
            "also before it is opened again"
        );
        file.keep_answer(&position(1), reports[1].clone());
        assert_eq!(open(&path, "two").find_answer(&position(0)), None);
        // The second line is cut off in its middle.
        let whole = std::fs::read(&path).unwrap();
        std::fs::write(&path, &whole[..whole.len() - 40]).unwrap();
        let mut file = open(&path, "one");
        assert_eq!(file.find_answer(&position(0)), Some(reports[0].clone()));
        assert_eq!(file.find_answer(&position(1)), None);
        open(&path, "two").keep_answer(&position(2), reports[2].clone());
        file.keep_answer(&position(1), reports[1].clone());
        let known = |maker: &str| {
            let mut file = open(&path, maker);
            [0, 1, 2].map(|played| file.find_answer(&position(played)).is_some())
        };
        assert_eq!([known("one"), known("two")], [[true, true, false], [false, false, true]]);
    }

    /// The same is said with the file as without it, and nothing is searched that it has.
    #[test]
    fn a_judge_with_a_file_says_what_it_says_without() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("answers");
        let positions: Vec<Position> = (0..4).map(position).collect();
        let ask = || {
            let mut judge = KeptJudge::new(Box::new(searches()), open(&path, "own"));
            let mut control = JudgeControl { stop: &|| false, tell: &mut |_| {} };
            judge.judge_positions(&positions, &mut control).unwrap()
        };
        let alone: Vec<SearchReport> = positions.iter().map(search).collect();
        assert_eq!(ask(), alone);
        let length = std::fs::metadata(&path).unwrap().len();
        assert_eq!(ask(), alone);
        assert_eq!(std::fs::metadata(&path).unwrap().len(), length, "nothing was new");
    }

    #[test]
    fn what_holds_no_answers_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("answers");
        for (text, words) in [
            ("(;GM[1])", "holds no answers"),
            ("# ishi-answers 2\n", "of another version"),
            ("# ishi-answers 10\n", "of another version"),
        ] {
            std::fs::write(&path, text).unwrap();
            let Err(failure) = AnswerFile::open(&path, "one", &quiet_context()) else { panic!("{text}") };
            assert!(failure.to_string().contains(words), "{failure}");
            assert!(AnswerFile::holds_something_else(&path), "{text}");
            assert_eq!(std::fs::read_to_string(&path).unwrap(), text, "it stays as it is");
        }
        let none = folder.path().join("none");
        assert!(!AnswerFile::holds_something_else(&none) && !none.exists());
        let Err(failure) = AnswerFile::open(Path::new("-"), "one", &quiet_context()) else { panic!("-") };
        assert!(failure.to_string().contains("must be a file"), "{failure}");
    }

    /// Two commands begin one file: the second one finds it empty, and writes its first line after what the first one has judged.
    #[test]
    fn a_file_that_two_commands_begin_has_the_answers_of_both() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("answers");
        let reports = [0, 1].map(|played| search(&position(played)));
        open(&path, "one").keep_answer(&position(0), reports[0].clone());
        files::append_to_file(&path, format!("{HEAD}\n").as_bytes()).unwrap();
        open(&path, "one").keep_answer(&position(1), reports[1].clone());
        let mut file = open(&path, "one");
        let found = [0, 1].map(|played| file.find_answer(&position(played)));
        assert_eq!(found, reports.map(Some));
    }

    /// Whoever has the file open already goes on writing to it.
    #[cfg(unix)]
    #[test]
    fn an_empty_file_is_begun_and_not_replaced() {
        use std::os::unix::fs::MetadataExt;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("answers");
        std::fs::write(&path, "").unwrap();
        let number = || std::fs::metadata(&path).unwrap().ino();
        let before = number();
        open(&path, "one");
        assert_eq!(number(), before);
        assert_eq!(std::fs::read_to_string(&path).unwrap(), format!("{HEAD}\n"));
    }

    /// A file that cannot be written ends no work.
    #[test]
    fn what_cannot_be_kept_is_passed_on() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("answers");
        let mut file = open(&path, "one");
        std::fs::remove_file(&path).unwrap();
        std::fs::create_dir(&path).unwrap();
        let report = search(&position(1));
        assert_eq!(file.keep_answer(&position(1), report.clone()), report);
        assert!(file.has_warned);
        assert_eq!(file.find_answer(&position(1)), Some(report), "in this run it is known");
    }

    #[test]
    fn no_damage_gives_another_answer() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("answers");
        let reports: Vec<SearchReport> = (0..4).map(|played| search(&position(played))).collect();
        let mut file = open(&path, "one");
        let mut keep = |played: usize| {
            file.keep_answer(&position(played), reports[played].clone());
            std::fs::read(&path).unwrap()
        };
        let [_, before, _, whole] = [0, 1, 2, 3].map(&mut keep);
        let mut lost = 0;
        let mutants = number_from_environment("ISHI_MUTANTS", 400);
        let mut check = |what: &str, damaged: &[u8]| {
            std::fs::write(&path, damaged).unwrap();
            let Ok(mut file) = AnswerFile::open(&path, "one", &quiet_context()) else {
                lost += 1;
                return;
            };
            for (played, report) in reports.iter().enumerate() {
                match file.find_answer(&position(played)) {
                    Some(found) => assert_eq!(&found, report, "{what}"),
                    None => lost += 1,
                }
            }
        };
        try_damaged_copies(&whole, Seed::new(1), mutants, &mut check);
        try_mixed_copies(&whole, &before, Seed::new(1), mutants / 4, &mut check);
        check("of an older version", &set_back_version(&whole).unwrap());
        assert!(lost > mutants / 2, "{lost} of {mutants}");
    }
}
