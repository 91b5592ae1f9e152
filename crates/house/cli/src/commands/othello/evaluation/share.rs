//! Self-play as work of a campaign: a task is some games. The file is that of `ishi othello evaluation self-play`, byte for byte.

use std::path::PathBuf;

use ishi_lab::experiment::TaskOutput;
use ishi_lab::store::FinishedTask;
use ishi_othello::Board;
use ishi_othello::wthor::WthorGame;
use ishi_othello_play::eval::positions;
use ishi_othello_play::eval::train::EvalSample;
use ishi_rng::Seed;
use ishi_work::StopFlag;
use serde::Serialize;
use serde_json::{Value, json};

use super::{SelfPlayArgs, WrittenFile, new_searcher, parse_games, play_game};
use crate::commands::campaign::intervals::MeanEstimate;
use crate::commands::campaign::shared_work::{
    FinishedTasks, SharedWork, SharedWorkArgs, WorkAnswer, WorkInputs, wrong_result,
};
use crate::context::{Context, Failure};
use crate::digest::hex_digest;
use crate::files;

/// Games of a task: some seconds at the usual depth.
const GAMES_OF_TASK: u64 = 8;

/// What the result of a task must be.
const FORM: &str = "be the positions of its games, and is not";

impl SharedWorkArgs for SelfPlayArgs {
    type Work = SharedSelfPlay;

    fn load_work(self, seed: Seed, inputs: &mut WorkInputs<'_>) -> Result<SharedSelfPlay, Failure> {
        let (mut openings, mut records) = (Vec::new(), Vec::new());
        for path in &self.records {
            let bytes = inputs.read(path)?;
            records.push(hex_digest(&bytes));
            openings.extend(parse_games(path, &bytes)?);
        }
        Ok(SharedSelfPlay { args: self, seed, records, openings })
    }
}

/// Games that workers play.
pub(crate) struct SharedSelfPlay {
    args: SelfPlayArgs,
    seed: Seed,
    /// The checksums of the records whose openings are played.
    records: Vec<String>,
    openings: Vec<WthorGame>,
}

impl SharedSelfPlay {
    /// The numbers of a task's games.
    fn games_of_task(&self, place: u64) -> std::ops::Range<u32> {
        let games = self.args.games;
        let bound = |number: u64| u32::try_from(number).unwrap_or(u32::MAX).min(games);
        bound(place * GAMES_OF_TASK)..bound((place + 1) * GAMES_OF_TASK)
    }

    /// The file of all positions, game after game.
    fn encode_file(&self, results: &[FinishedTask]) -> Result<Vec<u8>, Failure> {
        let mut bytes = positions::MAGIC.to_vec();
        let mut number = 0;
        for (place, finished) in (0..).zip(results) {
            let games = finished.result.as_array().map_or(&[][..], Vec::as_slice);
            let numbers = self.games_of_task(place);
            if games.len() != numbers.len() {
                return Err(wrong_result(finished, FORM));
            }
            for (game, samples) in numbers.zip(games) {
                for sample in samples.as_array().into_iter().flatten() {
                    let sample = read_sample(sample).ok_or_else(|| wrong_result(finished, FORM))?;
                    positions::encode_label(number, game, &sample, &mut bytes);
                    number += 1;
                }
            }
        }
        Ok(bytes)
    }

    /// Writes the file, unless another one is in its place. The beginning of it may be there.
    fn write_positions(&self, bytes: &[u8]) -> Result<(), Failure> {
        let out: &PathBuf = &self.args.out;
        if out.exists() && !bytes.starts_with(&files::read_file_or_stdin(out)?) {
            let problem = "it holds something else: give another name";
            return Err(Failure::in_file(out, problem));
        }
        files::write_file(out, bytes, true)
    }
}

impl SharedWork for SharedSelfPlay {
    fn facts(&self) -> Value {
        let SelfPlayArgs { games, depth, exact, .. } = self.args;
        json!({
            "records": self.records,
            "games": games,
            "depth": depth,
            "exact": exact,
            "seed": self.seed.to_string(),
        })
    }

    fn task_count(&self) -> u64 {
        u64::from(self.args.games).div_ceil(GAMES_OF_TASK)
    }

    /// A task is the same however many games there are in all.
    fn task_spec(&self, place: u64) -> Value {
        let games = self.games_of_task(place);
        let mut spec = self.facts();
        spec["games"] = json!(games.len());
        spec["from"] = json!(games.start);
        spec
    }

    fn seed(&self) -> Seed {
        self.seed
    }

    fn do_task(&self, place: u64, _: Option<&Value>, stop: &StopFlag) -> WorkAnswer {
        let mut searcher = new_searcher();
        let mut games = Vec::new();
        for game in self.games_of_task(place) {
            if stop.is_requested() {
                return Ok(None);
            }
            let samples = play_game(&self.args, &self.openings, &mut searcher, self.seed, game);
            games.push(samples.iter().map(write_sample).collect::<Value>());
        }
        Ok(Some(TaskOutput::from(Value::from(games))))
    }

    fn report(&self, results: &mut FinishedTasks<'_>, context: &Context) -> Result<String, Failure> {
        let results = results.collect::<Result<Vec<FinishedTask>, Failure>>()?;
        self.write_positions(&self.encode_file(&results)?)?;
        let (positions, first_score) = survey_games(&results)?;
        let file = WrittenFile { file: &self.args.out, games: Some(self.args.games) };
        let report = SharedSelfPlayReport { file, positions, first_score };
        files::result_text(context, &report, || report.to_text())
    }
}

/// What the command tells, and what the games say together.
#[derive(Serialize)]
struct SharedSelfPlayReport<'a> {
    #[serde(flatten)]
    file: WrittenFile<'a>,
    positions: usize,
    /// By how many discs the side to move is ahead in a game's first position, as its label says; `None` without positions.
    first_score: Option<MeanEstimate>,
}

impl SharedSelfPlayReport<'_> {
    fn to_text(&self) -> String {
        let mut text = self.file.to_text() + &format!("{} positions\n", self.positions);
        if let Some(mean) = &self.first_score {
            text += &format!("mean score of a game's first position, in discs of the side to move: {mean}\n");
        }
        text
    }
}

/// How many positions there are, and the mean score of the games' first ones.
fn survey_games(results: &[FinishedTask]) -> Result<(usize, Option<MeanEstimate>), Failure> {
    let (mut positions, mut first_scores) = (0, Vec::new());
    for finished in results {
        for game in finished.result.as_array().into_iter().flatten() {
            let samples: Option<Vec<EvalSample>> =
                game.as_array().into_iter().flatten().map(read_sample).collect();
            let samples = samples.ok_or_else(|| wrong_result(finished, FORM))?;
            positions += samples.len();
            let first = samples.iter().max_by_key(|sample| sample.board.empty_count());
            first_scores.extend(first.map(|sample| f64::from(sample.score)));
        }
    }
    Ok((positions, MeanEstimate::from_values(&first_scores)))
}

/// A position as text: the discs of the side to move, those of the other, and the score.
fn write_sample(sample: &EvalSample) -> String {
    let Board { player, opponent } = sample.board;
    format!("{player:016x} {opponent:016x} {}", sample.score as i8)
}

/// Reads [`write_sample`].
fn read_sample(value: &Value) -> Option<EvalSample> {
    let words: Vec<&str> = value.as_str()?.split(' ').collect();
    let [player, opponent, score] = words[..] else { return None };
    let discs = |text: &str| u64::from_str_radix(text, 16).ok();
    let board = Board { player: discs(player)?, opponent: discs(opponent)? };
    let score = score.parse::<i8>().ok().filter(|score| score.unsigned_abs() <= 64)?;
    (board.player & board.opponent == 0).then_some(EvalSample { board, score: f32::from(score), weight: 1.0 })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::campaign::shared_work::{finished_task, load_from_words};

    #[test]
    fn positions_are_kept_as_text() {
        for score in [-64.0, -1.0, 0.0, 38.0, 64.0] {
            let sample = EvalSample { board: Board::START, score, weight: 1.0 };
            let read = read_sample(&json!(write_sample(&sample))).unwrap();
            assert_eq!((read.board, read.score, read.weight), (sample.board, score, 1.0));
        }
        for wrong in ["", "1 2", "1 2 65", "3 1 0", "x 2 0", "1 2 3 4"] {
            assert!(read_sample(&json!(wrong)).is_none(), "{wrong}");
        }
        assert!(read_sample(&json!(7)).is_none());
    }

    #[test]
    fn games_are_surveyed_by_their_first_positions() {
        let later = Board { player: 0xff, opponent: 0xff00 };
        let game = |first: f32| {
            let sample = |board, score| json!(write_sample(&EvalSample { board, score, weight: 1.0 }));
            json!([sample(later, 60.0), sample(Board::START, first)])
        };
        let results = [json!([game(2.0), game(4.0)]), json!([game(6.0)])].map(finished_task);
        let (positions, mean) = survey_games(&results).unwrap();
        assert_eq!((positions, mean), (6, MeanEstimate::from_values(&[2.0, 4.0, 6.0])));
        assert_eq!(survey_games(&[]).unwrap(), (0, None));
        assert!(survey_games(&[finished_task(json!([["x"]]))]).is_err());
    }

    #[test]
    fn tasks_cut_the_games_into_parts() {
        let words = ["--out", "x.bin", "--games", "21", "--depth", "1", "--exact", "4"].map(str::to_string);
        let work = load_from_words::<SelfPlayArgs>(&words).unwrap();
        let parts: Vec<_> = (0..work.task_count()).map(|place| work.games_of_task(place)).collect();
        assert_eq!(parts, [0..8, 8..16, 16..21]);
        assert_ne!(work.task_spec(0), work.task_spec(1));
    }
}
