//! What `--teach` has measured, kept in a file, so that the same command goes on after a stop.

use std::path::{Path, PathBuf};

use ishi_go_play::explain::measure::{MeasuredMove, MeasuredReview};
use ishi_rng::checksum::{NO_CHECKSUM, check_sealed_text, seal_text};
use serde::{Deserialize, Serialize};

use crate::context::Failure;
use crate::files;

/// What a file of measurements begins with, the version last.
const FORMAT: &str = "ishi-teach 1";
/// What stands before the checksum of the text.
const CHECKSUM_MARK: &str = "\"checksum\":\"";

/// What is measured, and by whom: with anything else other figures would come out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct MeasuredRun {
    /// Version and build of the program that explains.
    pub(super) program: String,
    /// A checksum of all games.
    pub(super) games: String,
    /// The judge with its visits.
    pub(super) judge: String,
    /// Does a second judge look at blunders?
    pub(super) two_judges: bool,
    /// How much thought explanations get.
    pub(super) level: u32,
    /// The seed.
    pub(super) seed: String,
}

impl MeasuredRun {
    /// What differs from another run, in words; nothing if they are the same.
    fn find_difference(&self, other: &MeasuredRun) -> Option<&'static str> {
        let pairs = [
            ("another build of ishi", self.program != other.program),
            ("other games", self.games != other.games),
            ("another judge", self.judge != other.judge || self.two_judges != other.two_judges),
            ("another level", self.level != other.level),
            ("another seed", self.seed != other.seed),
        ];
        pairs.into_iter().find(|(_, differs)| *differs).map(|(what, _)| what)
    }
}

/// Game and move, from 0.
pub(super) type MeasuredPlace = (usize, usize);

/// What was measured so far.
#[derive(Serialize, Deserialize)]
struct KeptFigures {
    format: String,
    /// The checksum of the whole text, see [`ishi_rng::checksum::seal_text`].
    checksum: String,
    run: MeasuredRun,
    moves: Vec<(MeasuredPlace, MeasuredMove)>,
    /// By the number of the game, from 0.
    reviews: Vec<(usize, MeasuredReview)>,
}

impl KeptFigures {
    fn of_run(run: MeasuredRun) -> KeptFigures {
        KeptFigures {
            format: FORMAT.to_string(),
            checksum: NO_CHECKSUM.to_string(),
            run,
            moves: Vec::new(),
            reviews: Vec::new(),
        }
    }

    fn to_text(&self) -> Result<String, Failure> {
        let text = serde_json::to_string(self).map_err(Failure::outside)?;
        Ok(seal_text(&text, CHECKSUM_MARK))
    }
}

/// What was kept of this run; why not, if it is damaged or of another run.
fn parse_figures(text: &str, run: &MeasuredRun) -> Result<KeptFigures, String> {
    check_sealed_text(text, CHECKSUM_MARK)
        .map_err(|error| format!("these are no kept measurements, or damaged ones: {error}"))?;
    let kept: KeptFigures =
        serde_json::from_str(text).map_err(|error| format!("these are no kept measurements: {error}"))?;
    if kept.format != FORMAT {
        return Err(format!("its format must be {FORMAT:?}, not {:?}", kept.format));
    }
    match kept.run.find_difference(run) {
        None => Ok(KeptFigures { checksum: NO_CHECKSUM.to_string(), ..kept }),
        Some(what) => Err(format!("it was measured with {what}; give the same, or another file")),
    }
}

/// The measurements of a run, in a file if one is given: it is written after every one of them.
pub(super) struct MeasureStore {
    path: Option<PathBuf>,
    kept: KeptFigures,
}

impl MeasureStore {
    /// What the file has of this run; nothing yet if there is no file.
    pub(super) fn open(path: Option<&Path>, run: MeasuredRun) -> Result<MeasureStore, Failure> {
        let kept = match path {
            Some(path) if path.exists() => {
                let bytes = files::read_file_or_stdin(path)?;
                parse_figures(&String::from_utf8_lossy(&bytes), &run)
                    .map_err(|problem| Failure::in_file(path, problem))?
            }
            _ => KeptFigures::of_run(run),
        };
        Ok(MeasureStore { path: path.map(Path::to_path_buf), kept })
    }

    /// What was measured of a move.
    pub(super) fn find_move(&self, place: MeasuredPlace) -> Option<&MeasuredMove> {
        self.kept.moves.iter().find(|(known, _)| *known == place).map(|(_, found)| found)
    }

    /// What was measured of a game's review.
    pub(super) fn find_review(&self, game: usize) -> Option<&MeasuredReview> {
        self.kept.reviews.iter().find(|(known, _)| *known == game).map(|(_, found)| found)
    }

    /// Keeps what was measured of a move.
    pub(super) fn keep_move(&mut self, place: MeasuredPlace, found: MeasuredMove) -> Result<(), Failure> {
        self.kept.moves.push((place, found));
        self.write()
    }

    /// Keeps what was measured of a game's review.
    pub(super) fn keep_review(&mut self, game: usize, found: MeasuredReview) -> Result<(), Failure> {
        self.kept.reviews.push((game, found));
        self.write()
    }

    fn write(&self) -> Result<(), Failure> {
        match &self.path {
            Some(path) => files::write_file(path, self.kept.to_text()?.as_bytes(), true),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use ishi_go_play::explain::MoveVerdict;
    use ishi_go_play::explain::measure::MeasuredComparison;
    use ishi_rng::Seed;
    use ishi_rng::damage::try_damaged_copies;

    use super::*;

    fn run() -> MeasuredRun {
        MeasuredRun {
            program: "ishi 1".into(),
            games: "00ff".into(),
            judge: "nobody".into(),
            two_judges: false,
            level: 5,
            seed: "7".into(),
        }
    }

    fn measured(words: usize) -> MeasuredMove {
        MeasuredMove { words, claims: vec![("atari".into(), true)], ..MeasuredMove::default() }
    }

    fn kept_text() -> String {
        let kept = KeptFigures {
            moves: vec![((0, 11), measured(30)), ((4, 2), measured(41))],
            reviews: vec![(3, MeasuredReview { lessons: 5, ..MeasuredReview::default() })],
            ..KeptFigures::of_run(run())
        };
        kept.to_text().unwrap()
    }

    /// What is kept of one move is there when the next is measured, and in the next run.
    #[test]
    fn a_file_of_measurements_is_gone_on_with() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("kept.json");
        let open = |run| MeasureStore::open(Some(&path), run);
        let mut first = open(run()).unwrap();
        assert!(first.find_move((4, 2)).is_none() && first.find_review(3).is_none());
        first.keep_move((4, 2), measured(30)).unwrap();
        let review = MeasuredReview { lessons: 5, ..MeasuredReview::default() };
        open(run()).unwrap().keep_review(3, review).unwrap();
        let again = open(run()).unwrap();
        assert_eq!(again.find_move((4, 2)), Some(&measured(30)));
        assert_eq!(again.find_review(3), Some(&review));
        assert!(again.find_move((2, 4)).is_none() && again.find_review(4).is_none());
        let Err(Failure::Input(other)) = open(MeasuredRun { level: 6, ..run() }) else {
            panic!("another level")
        };
        assert!(other.contains("kept.json: it was measured with another level"), "{other}");
        let mut nowhere = MeasureStore::open(None, run()).unwrap();
        nowhere.keep_move((0, 0), measured(1)).unwrap();
        assert!(nowhere.find_move((0, 0)).is_some());
    }

    /// A quick reader of decimals is off by a bit for such numbers: what goes on would end with other figures than what was never stopped.
    #[test]
    fn figures_come_back_to_the_last_bit() {
        let seconds = [31.245_270_191_439_438, 121.487_919_511_619_45];
        let comparison = MeasuredComparison {
            verdict: MoveVerdict::AsGood,
            sureness: 0.1 + 0.2,
            gain: -seconds[0],
            judged_gain: f64::MIN_POSITIVE,
        };
        let measured = MeasuredMove { seconds, comparisons: vec![comparison], ..MeasuredMove::default() };
        let kept = KeptFigures { moves: vec![((0, 11), measured.clone())], ..KeptFigures::of_run(run()) };
        let read = parse_figures(&kept.to_text().unwrap(), &run()).unwrap();
        assert_eq!(read.moves, [((0, 11), measured)]);
    }

    #[test]
    fn measurements_of_another_run_are_not_gone_on_with() {
        let kept = kept_text();
        assert!(parse_figures(&kept, &run()).is_ok());
        let others = [
            (MeasuredRun { program: "ishi 2".into(), ..run() }, "another build of ishi"),
            (MeasuredRun { games: "00fe".into(), ..run() }, "other games"),
            (MeasuredRun { judge: "somebody".into(), ..run() }, "another judge"),
            (MeasuredRun { two_judges: true, ..run() }, "another judge"),
            (MeasuredRun { level: 4, ..run() }, "another level"),
            (MeasuredRun { seed: "8".into(), ..run() }, "another seed"),
        ];
        for (other, what) in others {
            let problem = parse_figures(&kept, &other).err().unwrap();
            assert_eq!(problem, format!("it was measured with {what}; give the same, or another file"));
        }
        let older = seal_text(
            &serde_json::to_string(&KeptFigures {
                format: "ishi-teach 0".into(),
                ..KeptFigures::of_run(run())
            })
            .unwrap(),
            CHECKSUM_MARK,
        );
        let problem = parse_figures(&older, &run()).err().unwrap();
        assert_eq!(problem, "its format must be \"ishi-teach 1\", not \"ishi-teach 0\"");
    }

    #[test]
    fn damaged_measurements_are_refused() {
        try_damaged_copies(kept_text().as_bytes(), Seed::new(1), 400, |what, damaged| {
            assert!(parse_figures(&String::from_utf8_lossy(damaged), &run()).is_err(), "{what}");
        });
    }
}
