//! `ishi go check`: games of the program against itself with all checks on.

use clap::Args;
use ishi_go_play::checking::{self, CheckGame, CheckParams, CheckedGame};
use ishi_knowledge::Style;
use serde::Serialize;

use crate::context::{Context, Failure};
use crate::files;
use crate::numbers::number_in;

pub(super) const HELP: &str = "\
Examples:
  ishi go check                          a hundred games, checked after every tenth move
  ishi go check --games 9 --every 1      few games, all levels after every move
  ishi go check --from 57 --games 1      game 57 again
  ishi go check --games 20 --json
  ishi go check --games 20 --style many-faces    what is kept in the way of D. Fotland's program

Players of levels 1 to 5 play on 9x9, 13x13 and 19x19 with handicaps 0 to 9. After every move \
the board and its chains are compared with what follows from the stones alone. After every \
--every moves, the readings, links and eyes that were kept are compared with those found from \
scratch. The position is judged, moves are played and taken back, and it is judged again. \
Whatever differs is an error of the program. It is told, and the exit code is 1. Games depend \
only on their number, --seed and --playouts. Ctrl-C ends after the current game's move, and \
marks that game as broken off (exit code 130).";

/// Options of `ishi go check`.
#[derive(Args, Debug)]
pub(super) struct GoCheckArgs {
    /// How many games
    #[arg(long, default_value = "100", value_name = "N", value_parser = number_in::<usize>(1..))]
    games: usize,
    /// Number of the first game, from 0
    #[arg(long, default_value_t = 0, value_name = "N")]
    from: u64,
    /// Check all levels after every so many moves
    #[arg(long, default_value = "10", value_name = "N", value_parser = number_in::<usize>(1..))]
    every: usize,
    /// Moves that a look-ahead plays and takes back
    #[arg(long, default_value_t = 3, value_name = "N")]
    ahead: usize,
    /// Playouts of a move at most
    #[arg(long, default_value_t = 40, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    playouts: u64,
    /// How positions are judged: ishi, many-faces, or KEY=VALUE,... as `ishi gtp --help` lists for go-knowledge
    #[arg(long, default_value = "ishi", value_name = "STYLE")]
    style: Style,
}

#[derive(Serialize)]
struct GoCheckReport {
    seed: String,
    games: Vec<CheckedGameReport>,
    moves: usize,
    checked: usize,
    differences: usize,
}

#[derive(Serialize)]
struct CheckedGameReport {
    #[serde(flatten)]
    game: CheckGame,
    #[serde(flatten)]
    result: CheckedGame,
}

impl CheckedGameReport {
    fn to_line(&self) -> String {
        let CheckGame { number, size, handicap, levels: [black, white] } = self.game;
        let CheckedGame { moves, checked, differences, is_stopped } = &self.result;
        let mut text = format!(
            "game {number:>3}: {:>5}, handicap {handicap}, level {black} - level {white}: {moves:>3} moves, \
             {checked:>3} checked, {} differences{}\n",
            size.to_string(),
            differences.len(),
            if *is_stopped { " (broken off)" } else { "" }
        );
        for difference in self.result.difference_texts() {
            text.push_str(&format!("  {difference}\n"));
        }
        text
    }
}

/// Plays and checks games.
pub(super) fn run(args: &GoCheckArgs, context: &Context) -> Result<(), Failure> {
    let params =
        CheckParams { every: args.every, ahead: args.ahead, playouts: args.playouts, style: args.style };
    let stop = || context.is_stop_requested();
    let mut report = GoCheckReport {
        seed: context.seed.to_string(),
        games: Vec::new(),
        moves: 0,
        checked: 0,
        differences: 0,
    };
    let mut is_stopped = false;
    for number in (args.from..).take(args.games) {
        let game = CheckGame::from_number(number);
        let result = checking::play_checked_game(game, &params, context.seed, &stop);
        is_stopped = result.is_stopped;
        report.moves += result.moves;
        report.checked += result.checked;
        report.differences += result.differences.len();
        let line = CheckedGameReport { game, result };
        if !context.json {
            files::print_bytes(line.to_line().as_bytes())?;
        }
        report.games.push(line);
        if is_stopped {
            break;
        }
    }
    files::print_result(context, &report, || {
        let GoCheckReport { games, moves, checked, differences, seed } = &report;
        format!(
            "{} games{}, {moves} moves, {checked} positions checked with look-ahead, {differences} differences (seed {seed})\n",
            games.iter().filter(|game| !game.result.is_stopped).count(),
            if is_stopped { " and one broken off" } else { "" }
        )
    })?;
    match (report.differences, is_stopped) {
        (0, true) => Err(Failure::Interrupted),
        (0, false) => Ok(()),
        (count, _) => Err(Failure::Negative(format!("{count} differences: errors of the program"))),
    }
}
