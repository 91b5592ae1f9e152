//! The folder of a review's pages. Every game stands there twice: as a page, and as data, from which pages and index are made
//! again without another review.

use std::path::{Path, PathBuf};

use ishi_words::Language;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::page;
use super::review::GameReview;
use crate::context::Failure;
use crate::files;

/// The program that reviews: another version may see a game otherwise.
const PROGRAM: &str = concat!("ishi ", env!("CARGO_PKG_VERSION"));

/// A review as the folder keeps it. One that was edited, damaged, or made by another version is made anew.
#[derive(Serialize, Deserialize)]
struct KeptReview {
    program: String,
    /// SHA-256 of program and review, as hexadecimal digits.
    checksum: String,
    /// The review as JSON.
    review: String,
}

impl KeptReview {
    fn seal(review: &GameReview) -> Result<KeptReview, Failure> {
        let review = serde_json::to_string(review).map_err(Failure::outside)?;
        let checksum = hex_digest(&[PROGRAM.as_bytes(), review.as_bytes()]);
        Ok(KeptReview { program: PROGRAM.to_string(), checksum, review })
    }

    /// The review of a file, if it is as this version wrote it.
    fn read_valid(path: &Path) -> Option<GameReview> {
        let kept: KeptReview = serde_json::from_slice(&files::read_file(path).ok()?).ok()?;
        let checksum = hex_digest(&[PROGRAM.as_bytes(), kept.review.as_bytes()]);
        let is_valid = kept.program == PROGRAM && kept.checksum == checksum;
        is_valid.then(|| serde_json::from_str(&kept.review).ok()).flatten()
    }
}

/// SHA-256 of these parts, each with its length before it.
fn hex_digest(parts: &[&[u8]]) -> String {
    let mut hasher = Sha256::new();
    for part in parts {
        hasher.update((part.len() as u64).to_le_bytes());
        hasher.update(part);
    }
    hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A folder of pages.
pub(super) struct ReviewFolder {
    path: PathBuf,
}

impl ReviewFolder {
    /// The folder, made if there is none.
    pub(super) fn open_or_create(path: &Path) -> Result<ReviewFolder, Failure> {
        files::make_folder(path)?;
        Ok(ReviewFolder { path: path.to_path_buf() })
    }

    /// The name of a game's files, without ending: the record's name, and digits that follow from its bytes and the options.
    pub(super) fn file_key(record: &Path, bytes: &[u8], game: usize, options: &str) -> String {
        let digest = hex_digest(&[bytes, game.to_string().as_bytes(), options.as_bytes()]);
        let stem = record.file_stem().map_or_else(|| "game".into(), |stem| stem.to_string_lossy());
        let plain = |c: char| if c.is_ascii_alphanumeric() || c == '-' || c == '_' { c } else { '-' };
        let name: String = stem.chars().take(40).map(plain).collect();
        format!("{name}-{}", &digest[..12])
    }

    /// The review that the folder has, or a new one, which is put there with its page.
    pub(super) fn load_or_review(
        &self,
        key: &str,
        language: Language,
        review: impl FnOnce() -> Result<GameReview, Failure>,
    ) -> Result<GameReview, Failure> {
        let data = self.path.join(format!("{key}.json"));
        let review = match KeptReview::read_valid(&data) {
            Some(kept) => kept,
            None => {
                let fresh = review()?;
                let text = serde_json::to_vec(&KeptReview::seal(&fresh)?).map_err(Failure::outside)?;
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
        let mut games: Vec<(String, GameReview)> = Vec::new();
        for path in files::list_folder(&self.path)? {
            let is_data = path.extension().is_some_and(|extension| extension == "json");
            let name = path.file_stem().map(|stem| format!("{}.html", stem.to_string_lossy()));
            if let (true, Some(name)) = (is_data, name)
                && let Some(review) = KeptReview::read_valid(&path)
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
