//! `ishi strings torture`: extreme boards as records, for Go programs to be tried on.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use ishi_go::{BoardSize, Color, Move, Point};
use ishi_grid::Cell;
use ishi_grid::torture::{TortureBoard, all_torture_boards};
use ishi_sgf::{Collection, GameBuilder};
use serde::Serialize;

use crate::context::{Context, Failure};
use crate::files;

const HELP: &str = "\
Examples:
  ishi strings torture boards       a record for every board, and a README that says what each is
  ishi strings torture              only the list
  ishi strings torture --json

The boards have the most chains, the most liberties, the longest chain, the most captures, the most \
kos and the like, on 19x19 and 25x25. `ishi gtp-check ENGINE` tries an engine on them.";

/// Options of `ishi strings torture`.
#[derive(Args, Debug)]
#[command(after_long_help = HELP)]
pub struct TortureArgs {
    /// The folder for the records; made if it does not exist
    folder: Option<PathBuf>,
    /// Replace files that exist
    #[arg(long, requires = "folder")]
    force: bool,
}

#[derive(Serialize)]
struct TortureEntry {
    name: String,
    width: usize,
    height: usize,
    stones: usize,
    moves: usize,
    to_play: &'static str,
    rules: &'static str,
    about: String,
}

/// Lists the boards, or writes them.
pub fn run(args: &TortureArgs, context: &Context) -> Result<(), Failure> {
    let boards = all_torture_boards();
    if let Some(folder) = &args.folder {
        write_records(folder, &boards, args.force)?;
    }
    let entries: Vec<TortureEntry> = boards.iter().map(torture_entry).collect();
    files::print_result(context, &entries, || match &args.folder {
        None => entries.iter().map(|entry| format!("{:<28} {}\n", entry.name, entry.about)).collect(),
        Some(folder) => {
            format!("{} records and README.md written into {}\n", boards.len(), folder.display())
        }
    })
}

fn torture_entry(torture: &TortureBoard) -> TortureEntry {
    let board = &torture.board;
    TortureEntry {
        name: torture.name.clone(),
        width: board.width(),
        height: board.height(),
        stones: board.width() * board.height() - board.empty_count(),
        moves: torture.moves.len(),
        to_play: if torture.to_play == Cell::Black { "black" } else { "white" },
        rules: torture.rules,
        about: torture.about.clone(),
    }
}

fn write_records(folder: &Path, boards: &[TortureBoard], force: bool) -> Result<(), Failure> {
    files::make_folder(folder)?;
    for torture in boards {
        files::write_sgf(&folder.join(format!("{}.sgf", torture.name)), &record_sgf(torture)?, force)?;
    }
    files::write_file(&folder.join("README.md"), readme_text(boards).as_bytes(), force)
}

fn readme_text(boards: &[TortureBoard]) -> String {
    let mut text = "# Extreme boards\n\nWritten by `ishi strings torture`: boards that are legal and as far from ordinary \
                    games as can be, for Go programs to be tried on (`ishi gtp-check ENGINE` does that). Every record says \
                    in its comment what it is.\n\n| record | stones | moves | to play | what it is |\n| --- | ---: | ---: | --- | --- |\n"
        .to_string();
    for TortureEntry { name, stones, moves, to_play, about, .. } in boards.iter().map(torture_entry) {
        let _ = writeln!(text, "| [{name}]({name}.sgf) | {stones} | {moves} | {to_play} | {about} |");
    }
    text
}

/// The board as a record.
pub fn record_sgf(torture: &TortureBoard) -> Result<String, Failure> {
    let size = board_size(torture)?;
    let mut game = GameBuilder::new(size);
    let rules = if torture.rules == "japanese" { "Japanese" } else { "Chinese" };
    game.set_game_name(&torture.name)
        .set_application("ishi", env!("CARGO_PKG_VERSION"))
        .set_rules(rules)
        .set_komi(7.5);
    if torture.handicap > 0 {
        game.set_handicap(u32::try_from(torture.handicap).map_err(Failure::outside)?);
    }
    for color in Color::ALL {
        game.add_setup(color, &setup_stones(torture, color));
    }
    if let Some(first) = cell_color(torture.to_play) {
        game.set_to_play(first);
    }
    game.add_comment(&torture.about);
    for (color, mv) in played_moves(torture) {
        game.add_move(color, mv);
    }
    Ok(Collection::from_game(game.into_tree()).to_sgf())
}

/// The size of the board.
pub fn board_size(torture: &TortureBoard) -> Result<BoardSize, Failure> {
    BoardSize::new(torture.board.width(), torture.board.height()).map_err(Failure::input)
}

/// The stones of the set-up.
pub fn setup_stones(torture: &TortureBoard, of: Color) -> Vec<Point> {
    let board = &torture.board;
    let width = board.width();
    let cells = board.cells().iter().enumerate().filter(|(_, cell)| cell_color(**cell) == Some(of));
    cells.map(|(at, _)| Point::new(at % width, board.height() - 1 - at / width)).collect()
}

/// The moves from the set-up.
pub fn played_moves(torture: &TortureBoard) -> impl Iterator<Item = (Color, Move)> {
    let height = torture.board.height();
    torture.moves.iter().filter_map(move |turn| {
        let mv = turn.at.map_or(Move::Pass, |(x, y)| Move::Play(Point::new(x, height - 1 - y)));
        Some((cell_color(turn.color)?, mv))
    })
}

/// The colour of a stone.
pub fn cell_color(cell: Cell) -> Option<Color> {
    match cell {
        Cell::Empty => None,
        Cell::Black => Some(Color::Black),
        Cell::White => Some(Color::White),
    }
}

#[cfg(test)]
mod tests {
    use ishi_go::Rules;
    use ishi_sgf::GoGame;

    use super::*;

    fn played(torture: &TortureBoard) -> ishi_sgf::ReplayedGame {
        let reading = ishi_sgf::read_collection(record_sgf(torture).unwrap().as_bytes()).unwrap();
        assert!(reading.warnings.is_empty(), "{}", torture.name);
        let game = GoGame::read_main_line(&reading.collection.games[0]).unwrap();
        assert!(game.warnings.is_empty(), "{}", torture.name);
        let rules: Rules = torture.rules.parse().unwrap();
        game.replay_position(rules, None).unwrap()
    }

    /// Every move of every board is legal, and what is said of captures is true.
    #[test]
    fn the_boards_are_what_they_say() {
        let boards = all_torture_boards();
        for torture in &boards {
            let end = played(torture);
            assert_eq!(end.illegal, [], "{}", torture.name);
            assert_eq!(end.moves, torture.moves.len(), "{}", torture.name);
        }
        let prisoners = |name: &str| {
            let torture = boards.iter().find(|torture| torture.name == name).unwrap();
            played(torture).prisoners
        };
        assert_eq!(prisoners("most-chains-played-19"), [0, 0]);
        assert_eq!(prisoners("most-stones-captured-19"), [0, 360]);
        assert_eq!(prisoners("most-stones-captured-25"), [0, 624]);
        assert_eq!(prisoners("most-chains-captured-19"), [288, 0]);
        assert_eq!(prisoners("captures-again-and-again-19"), [360, 720]);
        assert_eq!(prisoners("triple-ko-19"), [30, 30]);
        assert_eq!(prisoners("ladder-19"), [34, 0]);
        assert_eq!(prisoners("ladder-25"), [46, 0]);
        assert_eq!(prisoners("snapbacks-19"), [5 * 7 + 4, 4 * 7 + 5]);
    }

    #[test]
    fn whoever_is_to_play_can_do_what_is_said() {
        let boards = all_torture_boards();
        let position = |name: &str| {
            let torture = boards.iter().find(|torture| torture.name == name).unwrap();
            played(&TortureBoard { moves: Vec::new(), ..torture.clone() }).position
        };
        for name in ["longest-chain-19", "longest-chain-25", "two-eyes-19", "two-eyes-25"] {
            let position = position(name);
            let legal = position
                .size()
                .points()
                .filter(|&point| position.clone().play(position.to_move(), Move::Play(point)).is_ok());
            assert_eq!(legal.count(), 0, "{name}");
        }
        let mut windmill = position("one-empty-point-19");
        let centre = Move::Play(Point::new(9, 9));
        assert_eq!(windmill.clone().play(Color::Black, centre), Ok(180));
        assert_eq!(windmill.play(Color::White, centre), Ok(180));
    }
}
