//! Which moves are looked at: the games of files, and the places in them.

use std::path::{Path, PathBuf};

use clap::Args;
use ishi_go::{Color, Move, Point, Position, Rules};
use ishi_patterns::records::RecordedGame;
use ishi_sgf::{GoGame, RecordReplayError, Warnings};

use crate::commands::go::games;
use crate::commands::sgf::format_record_faults;
use crate::context::{Context, Failure};
use crate::files;
use crate::numbers::number_in;

/// Faults of each sort that are told of a file, a line each.
const FAULTS_TOLD: usize = 3;

/// The options that say which moves are looked at.
#[derive(Args, Debug)]
pub(super) struct StudyPlacesArgs {
    /// Games: SGF, or those of `ishi go records`
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// How many moves to look at, evenly spread; all if not given
    #[arg(long, value_name = "N", value_parser = number_in::<usize>(1..))]
    pub(super) moves: Option<usize>,
    /// Only moves of the middle game
    #[arg(long)]
    middle: bool,
}

/// A move of a record and the position before it.
pub(super) struct StudyCase {
    /// The file's name, without its folder.
    pub(super) file: String,
    /// Game and move, from 1.
    pub(super) game: usize,
    pub(super) number: usize,
    pub(super) position: Position,
    pub(super) mv: Point,
}

impl StudyCase {
    pub(super) fn format_place(&self) -> String {
        format!("game {}, move {}", self.game, self.number)
    }
}

/// A game: its file, its start, and its moves in turn.
pub(super) struct StudyGame {
    pub(super) file: String,
    pub(super) start: Position,
    pub(super) moves: Vec<(Color, Move)>,
}

impl StudyPlacesArgs {
    /// The games of all files. What of a record is damaged is said on stderr.
    pub(super) fn read_all_games(&self, context: &Context) -> Result<Vec<StudyGame>, Failure> {
        let mut games = Vec::new();
        for path in &self.files {
            let file = path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
            // The name becomes the source of a pattern, which must be one line.
            let file = file.replace(char::is_control, " ").trim().to_string();
            games.extend(read_games(path, context)?.into_iter().map(|(start, moves)| StudyGame {
                file: file.clone(),
                start,
                moves,
            }));
        }
        Ok(games)
    }

    pub(super) fn nothing_to_study_failure(&self) -> Failure {
        let names: Vec<String> = self.files.iter().map(|path| path.display().to_string()).collect();
        let what = if self.middle { "moves of the middle game" } else { "moves" };
        Failure::input(format!("{}: there are no {what} to study", names.join(", ")))
    }

    /// The moves to look at, evenly spread: numbers of the game and of the move, from 0.
    pub(super) fn choose_evenly(&self, games: &[StudyGame]) -> Vec<(usize, usize)> {
        let all = self.list_all(games);
        let wanted = self.moves.unwrap_or(all.len()).min(all.len());
        (0..wanted).map(|n| all[n * all.len() / wanted.max(1)]).collect()
    }

    /// All moves of games, or those of the middle game, but for passes.
    pub(super) fn list_all(&self, games: &[StudyGame]) -> Vec<(usize, usize)> {
        games
            .iter()
            .enumerate()
            .flat_map(|(game, record)| (0..record.moves.len()).map(move |number| (game, number)))
            .filter(|&(game, number)| games[game].moves[number].1 != Move::Pass)
            .filter(|&(game, number)| {
                let area = games[game].start.size().area();
                !self.middle || (area / 7..area * 2 / 5).contains(&number)
            })
            .collect()
    }
}

/// The move of this number of the game, both from 0, if it is legal and no pass.
pub(super) fn build_case(
    StudyGame { file, start, moves }: &StudyGame,
    game: usize,
    number: usize,
) -> Option<StudyCase> {
    let mut position = start.clone();
    for &(color, mv) in &moves[..number] {
        position.play(color, mv).ok()?;
    }
    let (color, mv) = moves[number];
    position.set_to_move(color);
    let mv = mv.point()?;
    let legal = position.is_legal(color, mv.into());
    legal.then(|| StudyCase { file: file.clone(), game: game + 1, number: number + 1, position, mv })
}

/// Where a game that was played begins, and its moves.
type StartAndMoves = (Position, Vec<(Color, Move)>);

fn read_games(path: &Path, context: &Context) -> Result<Vec<StartAndMoves>, Failure> {
    let bytes = files::read_file_or_stdin(path)?;
    if !games::is_sgf(&bytes) {
        let text = files::read_unpacked(path)?;
        if let Some(warning) = warn_of_open_line(path, &text) {
            context.print_progress(warning);
        }
        let records = games::parse_games(path, text, usize::MAX)?;
        return records.iter().map(start_and_moves).collect();
    }
    let wrong = |problem: String| Failure::in_file(path, problem);
    let reading = ishi_sgf::read_collection(&bytes).map_err(|error| wrong(error.to_string()))?;
    let mut faults = RecordFaults { warnings: reading.warnings, illegal: Vec::new() };
    let mut games = Vec::new();
    for tree in &reading.collection.games {
        let game = GoGame::read_main_line(tree).map_err(|error| wrong(error.to_string()))?;
        let replay = |moves| game.replay_position(Rules::CHINESE, moves);
        let [start, end] = [Some(0), None].map(replay);
        let start = start.map_err(|error| wrong(error.to_string()))?;
        // A record whose later stones cannot be set up is studied up to there.
        faults.illegal.extend(match end {
            Ok(end) => end.illegal.into_iter().next(),
            Err(error) => Some(error),
        });
        faults.warnings.append(game.warnings.clone());
        games.push((start.position, game.moves().map(|played| (played.color, played.mv)).collect()));
    }
    faults.format_lines(path).iter().for_each(|line| context.print_progress(line));
    Ok(games)
}

/// Lines of records end with a line feed: a file that ends without one may have been cut off.
fn warn_of_open_line(path: &Path, text: &[u8]) -> Option<String> {
    if text.last().is_none_or(|&end| end == b'\n') {
        return None;
    }
    let line = text.iter().filter(|&&byte| byte == b'\n').count() + 1;
    let name = path.display();
    Some(format!(
        "ishi: warning: {name}: line {line}: the file ends within this line: its game may be cut off"
    ))
}

/// What is wrong with the records of a file.
struct RecordFaults {
    /// What was repaired in reading, or left out.
    warnings: Warnings,
    /// Of each game the first move that breaks the rules.
    illegal: Vec<RecordReplayError>,
}

impl RecordFaults {
    /// The lines that say so on stderr.
    fn format_lines(&self, path: &Path) -> Vec<String> {
        let name = path.display();
        let unstudied = |error: &RecordReplayError| {
            format!("ishi: warning: {name}: {error}: it is not studied, nor what follows")
        };
        let mut lines: Vec<String> = self.illegal.iter().take(FAULTS_TOLD).map(unstudied).collect();
        if let Some(more) = self.illegal.len().checked_sub(FAULTS_TOLD + 1) {
            let games = ishi_words::format_count(more + 1, "more game");
            lines.push(format!("ishi: warning: {name}: and {games} with such a move"));
        }
        lines.extend(format_record_faults(name, &[], [&self.warnings, &Warnings::new()], FAULTS_TOLD));
        lines
    }
}

fn start_and_moves(record: &RecordedGame) -> Result<StartAndMoves, Failure> {
    let stones = record.setup.iter().map(|&point| (Color::Black, point));
    let mut position =
        Position::from_setup(record.size, Rules::CHINESE, stones, record.first).map_err(Failure::input)?;
    if let Some(komi) = record.komi {
        position.set_komi(komi).map_err(Failure::input)?;
    }
    let colors = std::iter::successors(Some(record.first), |&color| Some(!color));
    Ok((position, colors.zip(record.moves.iter().copied()).collect()))
}

/// A part of all, in hundredths; 0 of nothing.
pub(super) fn percent_of(part: usize, all: usize) -> f64 {
    100.0 * part as f64 / all.max(1) as f64
}

#[cfg(test)]
mod tests {
    use ishi_patterns::records::parse_records;

    use super::*;

    /// What a move loses of the chance to win hangs on the komi with which the game was played.
    #[test]
    fn games_of_records_begin_with_their_komi() {
        let line = |komi: &str| format!("g\tx\t2026\t9\t{komi}\t0\t-\tB+R\t-\t-\tB\teecc\n");
        let games = parse_records(&["0.5", "6.5?", "?"].map(line).concat()).unwrap();
        let starts = games.iter().map(|game| start_and_moves(game).unwrap());
        let found: Vec<(f64, usize)> = starts.map(|(start, moves)| (start.komi(), moves.len())).collect();
        assert_eq!(found, [(0.5, 2), (6.5, 2), (Rules::CHINESE.default_komi, 2)]);
    }
}
