//! The folder of a review's pages. Every game stands there twice: as a page, and as data, from which pages and index are made
//! again without another review.

use std::path::{Path, PathBuf};

use ishi_words::Language;
use serde::{Deserialize, Serialize};

use super::answers::AnswerFile;
use super::game_review::GameReview;
use super::page;
use super::record::RecordFile;
use crate::context::Failure;
use crate::digest::hex_digest_of_parts;
use crate::files;

/// A review as the folder keeps it. One that was edited, damaged, put under another game's name, or made by another program is made anew.
#[derive(Serialize, Deserialize)]
struct KeptReview {
    program: String,
    /// SHA-256 of the program, the file's name and the review, as hexadecimal digits.
    checksum: String,
    /// The review as JSON.
    review: String,
}

impl KeptReview {
    fn seal(program: &str, key: &str, review: &GameReview) -> Result<KeptReview, Failure> {
        let review = serde_json::to_string(review).map_err(Failure::outside)?;
        let checksum = hex_digest_of_parts(&[program.as_bytes(), key.as_bytes(), review.as_bytes()]);
        Ok(KeptReview { program: program.to_string(), checksum, review })
    }

    /// The review of a file, if it is as this program wrote it.
    fn read_valid(program: &str, path: &Path) -> Option<GameReview> {
        let kept: KeptReview = serde_json::from_slice(&files::read_file(path).ok()?).ok()?;
        let key = path.file_stem()?.to_string_lossy();
        let checksum = hex_digest_of_parts(&[program.as_bytes(), key.as_bytes(), kept.review.as_bytes()]);
        let is_valid = kept.program == program && kept.checksum == checksum;
        is_valid.then(|| serde_json::from_str(&kept.review).ok()).flatten()
    }
}

/// A folder of pages.
pub(super) struct ReviewFolder {
    path: PathBuf,
    /// The program that writes there now.
    program: String,
}

impl ReviewFolder {
    /// The folder, made if there is none.
    pub(super) fn open_or_create(path: &Path) -> Result<ReviewFolder, Failure> {
        files::make_folder(path)?;
        Ok(ReviewFolder { path: path.to_path_buf(), program: files::describe_program() })
    }

    /// The name of a game's files, without ending: the record's name, and digits that follow from its bytes and the options.
    pub(super) fn file_key(file: &RecordFile<'_>, game: usize, options: &str) -> String {
        let digest =
            hex_digest_of_parts(&[file.bytes.as_slice(), game.to_string().as_bytes(), options.as_bytes()]);
        let stem = file.path.file_stem().map_or_else(|| "game".into(), |stem| stem.to_string_lossy());
        let plain = |c: char| if c.is_ascii_alphanumeric() || c == '-' || c == '_' { c } else { '-' };
        let name: String = stem.chars().take(40).map(plain).collect();
        format!("{name}-{}", &digest[..12])
    }

    /// The review of this key, if the folder has one that this program wrote.
    pub(super) fn find_review(&self, key: &str) -> Option<GameReview> {
        KeptReview::read_valid(&self.program, &self.data_path(key))
    }

    /// Keeps a review under this key.
    pub(super) fn keep_review(&self, key: &str, review: &GameReview) -> Result<(), Failure> {
        let kept = KeptReview::seal(&self.program, key, review)?;
        let text = serde_json::to_vec(&kept).map_err(Failure::outside)?;
        files::write_file(&self.data_path(key), &text, true)
    }

    fn data_path(&self, key: &str) -> PathBuf {
        self.path.join(format!("{key}.json"))
    }

    /// The file with what is judged for the review of this key, from its beginning until it is kept. One that holds no answers begins anew.
    pub(super) fn answers_path(&self, key: &str) -> PathBuf {
        let path = self.path.join(format!("{key}.answers"));
        if AnswerFile::holds_something_else(&path) {
            files::remove_if_possible(&path);
        }
        path
    }

    /// Writes the page of a game.
    pub(super) fn write_game_page(
        &self,
        key: &str,
        review: &GameReview,
        language: Language,
    ) -> Result<(), Failure> {
        let page = self.path.join(format!("{key}.html"));
        files::write_page(&page, &page::game_page(review, language), true)
    }

    /// Writes the index of all games of the folder, by their names.
    pub(super) fn write_index(&self, language: Language) -> Result<(), Failure> {
        let mut games: Vec<(String, GameReview)> = Vec::new();
        for path in files::list_folder(&self.path)? {
            let is_data = path.extension().is_some_and(|extension| extension == "json");
            let name = path.file_stem().map(|stem| format!("{}.html", stem.to_string_lossy()));
            if let (true, Some(name)) = (is_data, name)
                && let Some(review) = KeptReview::read_valid(&self.program, &path)
            {
                games.push((name, review));
            }
        }
        games.sort_by(|a, b| a.0.cmp(&b.0));
        let rows: Vec<(String, &GameReview)> =
            games.iter().map(|(name, review)| (name.clone(), review)).collect();
        files::write_file(&self.path.join("index.html"), page::index_page(&rows, language).as_bytes(), true)
    }
}

#[cfg(test)]
mod tests {
    use ishi_fuzz_targets::number_from_environment;
    use ishi_rng::Seed;
    use ishi_rng::damage::{set_back_version, try_damaged_copies, try_mixed_copies};

    use super::*;

    /// Whether a program takes the review that the folder has of this key. Without one it keeps a new one.
    fn load(path: &Path, program: &str, key: &str) -> (String, bool) {
        let folder = ReviewFolder { path: path.to_path_buf(), program: program.to_string() };
        if let Some(kept) = folder.find_review(key) {
            return (kept.file, false);
        }
        let fresh = GameReview { file: format!("{key}.sgf"), game: 1, ..GameReview::default() };
        folder.keep_review(key, &fresh).unwrap();
        (fresh.file, true)
    }

    #[test]
    fn only_what_this_program_wrote_of_this_game_is_taken() {
        let folder = tempfile::tempdir().unwrap();
        let load = |program, key| load(folder.path(), program, key);
        let made = |key: &str| (format!("{key}.sgf"), true);
        let taken = |key: &str| (format!("{key}.sgf"), false);
        assert_eq!([load("ishi 1 (a)", "one"), load("ishi 1 (a)", "one")], [made("one"), taken("one")]);
        // A newer build of the same version, and after it the older one again.
        assert_eq!([load("ishi 1 (b)", "one"), load("ishi 1 (b)", "one")], [made("one"), taken("one")]);
        assert_eq!(load("ishi 1 (a)", "one"), made("one"));
        // A review under another game's name.
        std::fs::copy(folder.path().join("one.json"), folder.path().join("two.json")).unwrap();
        assert_eq!([load("ishi 1 (a)", "two"), load("ishi 1 (a)", "one")], [made("two"), taken("one")]);
    }

    /// A review that was damaged, or is in part another one of the same game, is made anew.
    #[test]
    fn damaged_reviews_are_made_anew() {
        let place = tempfile::tempdir().unwrap();
        let folder = ReviewFolder { path: place.path().to_path_buf(), program: "ishi 2 (a)".to_string() };
        let make_review = |sentences: usize| GameReview {
            file: "one.sgf".to_string(),
            game: 1,
            black: "\u{9ed2} \"B\"".to_string(),
            turning_points: (0..sentences).map(|number| 10 * number).collect(),
            praise: (0..sentences).map(|number| format!("\"{number}\": \u{2461}\nwell done")).collect(),
            ..GameReview::default()
        };
        let path = folder.data_path("one");
        let keep = |sentences| {
            folder.keep_review("one", &make_review(sentences)).unwrap();
            std::fs::read(&path).unwrap()
        };
        let [before, whole] = [4, 9].map(keep);
        let to_text = |review: &GameReview| serde_json::to_string(review).unwrap();
        let known = to_text(&make_review(9));
        assert_eq!(folder.find_review("one").as_ref().map(to_text), Some(known.clone()));
        let (mut refused, mutants) = (0, number_from_environment("ISHI_MUTANTS", 400));
        let mut check = |what: &str, damaged: &[u8]| {
            std::fs::write(&path, damaged).unwrap();
            match folder.find_review("one") {
                Some(found) => assert_eq!(to_text(&found), known, "{what}"),
                None => refused += 1,
            }
        };
        try_damaged_copies(&whole, Seed::new(1), mutants, &mut check);
        try_mixed_copies(&whole, &before, Seed::new(1), mutants / 4, &mut check);
        check("of an older version", &set_back_version(&whole).unwrap());
        assert!(refused > mutants, "{refused} of {mutants}");
    }

    /// Answers to a review stand beside it under its name, and what is there and holds none goes.
    #[test]
    fn answers_begin_anew_where_something_else_stands() {
        let place = tempfile::tempdir().unwrap();
        let folder = ReviewFolder { path: place.path().to_path_buf(), program: "ishi 2 (a)".to_string() };
        let path = folder.answers_path("one");
        assert_eq!((path.file_name().unwrap().to_str(), path.exists()), (Some("one.answers"), false));
        std::fs::write(&path, "# ishi-answers 1\nand a line that was cut o").unwrap();
        assert!(folder.answers_path("one").exists());
        std::fs::write(&path, "\0\0\0\0").unwrap();
        assert!(!folder.answers_path("one").exists());
    }

    /// It may be answers all the same: whoever opens it hears why it cannot be read.
    #[cfg(unix)]
    #[test]
    fn what_cannot_be_read_stays() {
        let place = tempfile::tempdir().unwrap();
        let folder = ReviewFolder { path: place.path().to_path_buf(), program: "ishi 2 (a)".to_string() };
        let path = place.path().join("one.answers");
        // A link to a folder: it could be removed, and cannot be read.
        std::os::unix::fs::symlink(place.path(), &path).unwrap();
        assert!(files::read_file(&path).is_err());
        assert_eq!(folder.answers_path("one"), path);
        assert!(path.is_symlink());
    }

    #[test]
    fn this_program_knows_its_build() {
        assert_eq!(files::describe_program(), files::describe_program());
        assert!(files::describe_build().is_some());
    }
}
