//! What a piece counter is worth: the standard, the random player, published players.

use std::path::{Path, PathBuf};

use ishi_lab::body::SheetTable;
use ishi_lab::expected::{ReportFinding, format_number};
use ishi_lab::source::{SourceError, TomlSource};
use ishi_othello::Wpc;
use ishi_othello::oneply::{LeagueRules, MatchTally};
use ishi_othello_play::league::{LeagueMember, score_interval};
use ishi_rng::Seed;
use ishi_work::Stop;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use toml::Spanned;

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ExamParams {
    /// Double games against the standard.
    double_games: Spanned<u64>,
    /// Double games against each other player.
    others: Spanned<u64>,
    /// Files of published players, from the folder of the experiment; what is not there is skipped, out loud.
    players: Vec<String>,
}

/// Double games between two looks at whether to stop: some milliseconds of counters, tenths of a second of networks.
const DOUBLE_GAMES_AT_ONCE: u64 = 100;

/// An examination.
pub(super) struct Exam {
    double_games: u64,
    others: u64,
    found: Vec<(String, PathBuf, String)>,
    missing: Vec<String>,
}

/// A score.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct ExamScore {
    opponent: String,
    wins: u64,
    draws: u64,
    losses: u64,
}

/// What came of it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct ExamReport {
    /// The weights that were examined.
    pub(super) weights: String,
    scores: Vec<ExamScore>,
}

impl Exam {
    pub(super) fn new(source: &TomlSource, folder: &Path, params: ExamParams) -> Result<Exam, SourceError> {
        let double_games =
            source.check_range(&params.double_games, 1..=10_000_000, "double games must be 1 to 10000000")?;
        let others =
            source.check_range(&params.others, 1..=10_000_000, "double games must be 1 to 10000000")?;
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

    pub(super) fn missing_players(&self) -> Vec<String> {
        self.missing.clone()
    }

    /// Plays all its games. Nothing if it was told to stop.
    pub(super) fn examine_player(
        &self,
        wpc: &Wpc,
        seed: Seed,
        stop: &dyn Stop,
    ) -> Result<Option<ExamReport>, String> {
        let counter = |wpc| LeagueMember::Counter(wpc);
        let mut opponents = vec![
            ("standard".to_string(), counter(Wpc::standard()), self.double_games),
            ("random".to_string(), counter(Wpc::random()), self.others),
        ];
        for (name, path, _) in &self.found {
            let bytes = std::fs::read(path).map_err(|e| format!("{}: {e}", path.display()))?;
            let member = LeagueMember::from_bytes(&bytes).map_err(|e| format!("{}: {e}", path.display()))?;
            opponents.push((name.clone(), member, self.others));
        }
        let me = counter(wpc.clone());
        let mut scores = Vec::new();
        for (opponent, member, double_games) in opponents {
            let seed = seed.child_seed(&opponent, 0);
            let Some(tally) = play_double_games(&me, &member, seed, double_games, stop) else {
                return Ok(None);
            };
            let MatchTally { wins, draws, losses } = tally;
            scores.push(ExamScore { opponent, wins, draws, losses });
        }
        Ok(Some(ExamReport { weights: wpc.to_string(), scores }))
    }
}

/// Games of a player against another, a few at a time; nothing if they were stopped. A game follows from its number, so that parts of a match are
/// the match.
fn play_double_games(
    player: &LeagueMember,
    other: &LeagueMember,
    seed: Seed,
    double_games: u64,
    stop: &dyn Stop,
) -> Option<MatchTally> {
    let mut tally = MatchTally::default();
    let mut begun = 0;
    while begun < double_games {
        if stop.is_requested() {
            return None;
        }
        let end = double_games.min(begun + DOUBLE_GAMES_AT_ONCE);
        let results = player.play_against(other, &LeagueRules::default(), seed, 2 * begun..2 * end);
        let part = MatchTally::from_results(&results);
        tally.wins += part.wins;
        tally.draws += part.draws;
        tally.losses += part.losses;
        begun = end;
    }
    Some(tally)
}

impl ExamScore {
    fn tally(&self) -> MatchTally {
        MatchTally { wins: self.wins, draws: self.draws, losses: self.losses }
    }
}

impl ExamReport {
    /// The mean score, each opponent counting as much.
    fn mean_score(&self) -> f64 {
        self.scores.iter().map(|score| score.tally().mean_score()).sum::<f64>()
            / self.scores.len().max(1) as f64
    }

    pub(super) fn list_findings(&self, key: &str) -> Vec<ReportFinding> {
        let what =
            if key == "rules" { "10 weights from the rules" } else { "64 weights against the standard" };
        let finding = |name: &str, text: &str, value| {
            ReportFinding::new(format!("{key}.{name}"), format!("{what}: {text}"), value, ("", 4))
        };
        let mut findings = Vec::new();
        for score in self.scores.iter().take(2) {
            let ends = score_interval(score.tally());
            let text = format!("score against {}", score.opponent);
            let score = finding(&score.opponent, &text, score.tally().mean_score());
            findings.push(score.with_interval(Some([ends.low, ends.high])));
        }
        findings.push(finding("mean", "mean score against all players of the table", self.mean_score()));
        findings
    }

    pub(super) fn score_table(&self) -> SheetTable {
        let mut table = SheetTable::new(["against", "#won", "#drawn", "#lost", "#score", "#interval"]);
        for score in &self.scores {
            let ends = score_interval(score.tally());
            table.add_row([
                score.opponent.clone(),
                score.wins.to_string(),
                score.draws.to_string(),
                score.losses.to_string(),
                format_number(score.tally().mean_score(), 4),
                format!("{} to {}", format_number(ends.low, 4), format_number(ends.high, 4)),
            ]);
        }
        table.add_row([
            "mean".to_string(),
            String::new(),
            String::new(),
            String::new(),
            format_number(self.mean_score(), 4),
        ]);
        table
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    fn exam() -> Exam {
        Exam { double_games: 250, others: 30, found: Vec::new(), missing: Vec::new() }
    }

    #[test]
    fn parts_of_a_match_are_the_match() {
        let report = exam().examine_player(&Wpc::standard(), Seed::new(5), &|| false).unwrap().unwrap();
        let counter = LeagueMember::Counter;
        for (score, (member, games)) in
            report.scores.iter().zip([(Wpc::standard(), 500), (Wpc::random(), 60)])
        {
            let seed = Seed::new(5).child_seed(&score.opponent, 0);
            let whole = counter(Wpc::standard()).play_against(
                &counter(member),
                &LeagueRules::default(),
                seed,
                0..games,
            );
            assert_eq!(score.tally(), MatchTally::from_results(&whole), "{}", score.opponent);
        }
        assert_eq!(report.scores.len(), 2);
    }

    /// At whatever look it is told to stop, and no later.
    #[test]
    fn an_examination_hears_a_stop_within_a_match() {
        for allowed in [0, 1, 2, 3] {
            let looks = Cell::new(0);
            let stop = || {
                looks.set(looks.get() + 1);
                looks.get() > allowed
            };
            let report = exam().examine_player(&Wpc::standard(), Seed::new(5), &stop).unwrap();
            assert!(report.is_none(), "{allowed}");
            assert_eq!(looks.get(), allowed + 1);
        }
        let looks = Cell::new(0);
        let counting = || {
            looks.set(looks.get() + 1);
            false
        };
        assert!(exam().examine_player(&Wpc::standard(), Seed::new(5), &counting).unwrap().is_some());
        assert_eq!(looks.get(), 4, "three parts of 250 double games, and one of 30");
    }
}
