//! The folder of a review's pages. Every game stands there twice: as a page, and as data, from which pages and index are made
//! again without another review.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

use ishi_words::Language;

use super::page;
use super::review::GameReview;
use crate::context::Failure;
use crate::files;

/// A folder of pages.
pub(super) struct ReviewFolder {
    path: PathBuf,
}

impl ReviewFolder {
    /// The folder, made if there is none.
    pub(super) fn open_or_create(path: &Path) -> Result<ReviewFolder, Failure> {
        let failed = |error| Failure::outside(format!("cannot make the folder {}: {error}", path.display()));
        fs::create_dir_all(path).map_err(failed)?;
        Ok(ReviewFolder { path: path.to_path_buf() })
    }

    /// The name of a game's files, without ending: the record's name, and a number that follows from its bytes and the options.
    pub(super) fn file_key(record: &Path, bytes: &[u8], game: usize, options: &impl Hash) -> String {
        let mut hasher = DefaultHasher::new();
        (bytes, game, options).hash(&mut hasher);
        let stem = record.file_stem().map_or_else(|| "game".into(), |stem| stem.to_string_lossy());
        let plain = |c: char| if c.is_ascii_alphanumeric() || c == '-' || c == '_' { c } else { '-' };
        let name: String = stem.chars().take(40).map(plain).collect();
        format!("{name}-{:012x}", hasher.finish() >> 16)
    }

    /// The review that the folder has, or a new one, which is put there with its page.
    pub(super) fn load_or_review(
        &self,
        key: &str,
        language: Language,
        review: impl FnOnce() -> Result<GameReview, Failure>,
    ) -> Result<GameReview, Failure> {
        let data = self.path.join(format!("{key}.json"));
        let kept = fs::read(&data).ok().and_then(|bytes| serde_json::from_slice(&bytes).ok());
        let review = match kept {
            Some(kept) => kept,
            None => {
                let fresh = review()?;
                let text = serde_json::to_vec(&fresh).map_err(Failure::outside)?;
                files::write_file(&data, &text, true)?;
                fresh
            }
        };
        let page = self.path.join(format!("{key}.html"));
        files::write_file(&page, page::game_page(&review, language).as_bytes(), true)?;
        Ok(review)
    }

    /// Writes the index of all games of the folder, by their names.
    pub(super) fn write_index(&self, language: Language) -> Result<(), Failure> {
        let failed = |error| Failure::outside(format!("cannot read {}: {error}", self.path.display()));
        let mut games: Vec<(String, GameReview)> = Vec::new();
        for entry in fs::read_dir(&self.path).map_err(failed)? {
            let path = entry.map_err(failed)?.path();
            let is_data = path.extension().is_some_and(|extension| extension == "json");
            let name = path.file_stem().map(|stem| format!("{}.html", stem.to_string_lossy()));
            let read = || fs::read(&path).ok().and_then(|bytes| serde_json::from_slice(&bytes).ok());
            if let (true, Some(name)) = (is_data, name)
                && let Some(review) = read()
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
