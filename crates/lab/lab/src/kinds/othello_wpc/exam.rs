//! What a piece counter is worth: the standard, the random player, published players.

use std::path::{Path, PathBuf};

use ishi_othello::Wpc;
use ishi_othello::oneply::{Rules, Tally};
use ishi_othello_play::league::{Member, interval};
use ishi_rng::Seed;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use toml::Spanned;

use crate::expected::{Finding, number};
use crate::report::Table;
use crate::source::{Source, SourceError};

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Params {
    /// Double games against the standard.
    double_games: Spanned<u64>,
    /// Double games against each other player.
    others: Spanned<u64>,
    /// Files of published players, from the folder of the experiment; what is not there is skipped, out loud.
    players: Vec<String>,
}

/// An examination.
pub(super) struct Exam {
    double_games: u64,
    others: u64,
    found: Vec<(String, PathBuf, String)>,
    missing: Vec<String>,
}

/// A score.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Score {
    opponent: String,
    wins: u64,
    draws: u64,
    losses: u64,
}

/// What came of it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Report {
    /// Who was examined.
    pub(super) weights: String,
    scores: Vec<Score>,
}

impl Exam {
    pub(super) fn new(source: &Source, folder: &Path, params: Params) -> Result<Exam, SourceError> {
        let double_games =
            source.within(&params.double_games, 1..=10_000_000, "double games are 1 to 10000000")?;
        let others = source.within(&params.others, 1..=10_000_000, "double games are 1 to 10000000")?;
        let mut exam = Exam { double_games, others, found: Vec::new(), missing: Vec::new() };
        for file in params.players {
            let path = folder.join(&file);
            let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            match std::fs::read(&path) {
                Ok(bytes) => {
                    let hash: String =
                        Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
                    exam.found.push((name, path, hash));
                }
                Err(error) => exam.missing.push(format!("games against {name}: {error}")),
            }
        }
        Ok(exam)
    }

    /// Everything that the result follows from, besides the player and the seed.
    pub(super) fn description(&self) -> Value {
        let players: Vec<Value> = self.found.iter().map(|(name, _, hash)| json!([name, hash])).collect();
        json!({ "double_games": self.double_games, "others": self.others, "players": players, "views": "by trial" })
    }

    pub(super) fn skipped(&self) -> Vec<String> {
        self.missing.clone()
    }

    /// Plays all its games.
    pub(super) fn examine(&self, wpc: &Wpc, seed: Seed) -> Result<Report, String> {
        let counter = |wpc| Member::Counter(wpc);
        let mut opponents = vec![
            ("standard".to_string(), counter(Wpc::standard()), self.double_games),
            ("random".to_string(), counter(Wpc::random()), self.others),
        ];
        for (name, path, _) in &self.found {
            let bytes = std::fs::read(path).map_err(|e| format!("{}: {e}", path.display()))?;
            let member = Member::read(&bytes).map_err(|e| format!("{}: {e}", path.display()))?;
            opponents.push((name.clone(), member, self.others));
        }
        let me = counter(wpc.clone());
        let scores = opponents.into_iter().map(|(opponent, member, double_games)| {
            let results = me.play(&member, &Rules::default(), seed.child(&opponent, 0), 0..2 * double_games);
            let Tally { wins, draws, losses } = Tally::of(&results);
            Score { opponent, wins, draws, losses }
        });
        Ok(Report { weights: wpc.to_string(), scores: scores.collect() })
    }
}

impl Score {
    fn tally(&self) -> Tally {
        Tally { wins: self.wins, draws: self.draws, losses: self.losses }
    }
}

impl Report {
    /// The mean score, each opponent counting as much.
    fn mean(&self) -> f64 {
        self.scores.iter().map(|score| score.tally().score()).sum::<f64>() / self.scores.len().max(1) as f64
    }

    pub(super) fn findings(&self, key: &str) -> Vec<Finding> {
        let what =
            if key == "rules" { "10 weights from the rules" } else { "64 weights against the standard" };
        let finding = |name: &str, text: String, value, interval| Finding {
            key: format!("{key}.{name}"),
            what: format!("{what}: {text}"),
            value,
            interval,
            unit: String::new(),
            decimals: 4,
            note: String::new(),
        };
        let mut findings = Vec::new();
        for score in self.scores.iter().take(2) {
            let ends = interval(score.tally());
            let text = format!("score against {}", score.opponent);
            findings.push(finding(&score.opponent, text, score.tally().score(), Some([ends.low, ends.high])));
        }
        findings.push(finding(
            "mean",
            "mean score against all players of the table".into(),
            self.mean(),
            None,
        ));
        findings
    }

    pub(super) fn table(&self) -> Table {
        let mut table = Table::new(["against", "#won", "#drawn", "#lost", "#score", "#interval"]);
        for score in &self.scores {
            let ends = interval(score.tally());
            table.row([
                score.opponent.clone(),
                score.wins.to_string(),
                score.draws.to_string(),
                score.losses.to_string(),
                number(score.tally().score(), 4),
                format!("{} to {}", number(ends.low, 4), number(ends.high, 4)),
            ]);
        }
        table.row(["mean".to_string(), String::new(), String::new(), String::new(), number(self.mean(), 4)]);
        table
    }
}
