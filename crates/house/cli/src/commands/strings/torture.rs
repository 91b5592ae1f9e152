//! `ishi strings torture`: extreme boards as records, for Go programs to be tried on.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use ishi_go::{BoardSize, Color, Move, Point};
use ishi_grid::Cell;
use ishi_grid::torture::{Torture, all};
use ishi_sgf::{Collection, GameBuilder};
use serde::Serialize;

use crate::context::{Context, Failure};
use crate::files;

const HELP: &str = "\
Examples:
  ishi strings torture boards       a record for every board, and a README that says what each is
  ishi strings torture              only the list
  ishi strings torture --json

The boards have the most chains, the most liberties, the longest chain, the most captures, the most
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
struct Entry {
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
    let boards = all();
    if let Some(folder) = &args.folder {
        write(folder, &boards, args.force)?;
    }
    let entries: Vec<Entry> = boards.iter().map(entry).collect();
    if context.json {
        let text = serde_json::to_string_pretty(&entries).map_err(Failure::outside)?;
        return files::print(format!("{text}\n").as_bytes());
    }
    let mut text = String::new();
    match &args.folder {
        None => entries.iter().for_each(|entry| {
            let _ = writeln!(text, "{:<28} {}", entry.name, entry.about);
        }),
        Some(folder) => {
            let _ =
                writeln!(text, "{} records and README.md written into {}", boards.len(), folder.display());
        }
    }
    files::print(text.as_bytes())
}

fn entry(torture: &Torture) -> Entry {
    let board = &torture.board;
    Entry {
        name: torture.name.clone(),
        width: board.width(),
        height: board.height(),
        stones: board.width() * board.height() - board.empties(),
        moves: torture.moves.len(),
        to_play: if torture.to_play == Cell::Black { "black" } else { "white" },
        rules: torture.rules,
        about: torture.about.clone(),
    }
}

fn write(folder: &Path, boards: &[Torture], force: bool) -> Result<(), Failure> {
    std::fs::create_dir_all(folder)
        .map_err(|error| Failure::outside(format!("cannot make the folder {}: {error}", folder.display())))?;
    for torture in boards {
        files::write(&folder.join(format!("{}.sgf", torture.name)), record(torture)?.as_bytes(), force)?;
    }
    files::write(&folder.join("README.md"), index(boards).as_bytes(), force)
}

fn index(boards: &[Torture]) -> String {
    let mut text = "# Extreme boards\n\nWritten by `ishi strings torture`: boards that are legal and as far from ordinary \
                    games as can be, for Go programs to be tried on (`ishi gtp-check ENGINE` does that). Every record says \
                    in its comment what it is.\n\n| record | stones | moves | to play | what it is |\n| --- | ---: | ---: | --- | --- |\n"
        .to_string();
    for Entry { name, stones, moves, to_play, about, .. } in boards.iter().map(entry) {
        let _ = writeln!(text, "| [{name}]({name}.sgf) | {stones} | {moves} | {to_play} | {about} |");
    }
    text
}

/// The board as a record.
pub fn record(torture: &Torture) -> Result<String, Failure> {
    let size = size(torture)?;
    let mut game = GameBuilder::new(size);
    let rules = if torture.rules == "japanese" { "Japanese" } else { "Chinese" };
    game.name(&torture.name).application("ishi", env!("CARGO_PKG_VERSION")).rules(rules).komi(7.5);
    if torture.handicap > 0 {
        game.handicap(u32::try_from(torture.handicap).map_err(Failure::outside)?);
    }
    for color in Color::ALL {
        game.setup(color, &stones(torture, color));
    }
    if let Some(first) = color(torture.to_play) {
        game.to_play(first);
    }
    game.comment(&torture.about);
    for (color, mv) in moves(torture) {
        game.play(color, mv);
    }
    Ok(Collection::of(game.finish()).to_sgf())
}

/// The size of the board.
pub fn size(torture: &Torture) -> Result<BoardSize, Failure> {
    BoardSize::new(torture.board.width(), torture.board.height()).map_err(Failure::input)
}

/// The stones of the set-up.
pub fn stones(torture: &Torture, of: Color) -> Vec<Point> {
    let board = &torture.board;
    let width = board.width();
    let cells = board.cells().iter().enumerate().filter(|(_, cell)| color(**cell) == Some(of));
    cells.map(|(at, _)| Point::new(at % width, board.height() - 1 - at / width)).collect()
}

/// The moves from the set-up.
pub fn moves(torture: &Torture) -> impl Iterator<Item = (Color, Move)> {
    let height = torture.board.height();
    torture.moves.iter().filter_map(move |turn| {
        let mv = turn.at.map_or(Move::Pass, |(x, y)| Move::Play(Point::new(x, height - 1 - y)));
        Some((color(turn.color)?, mv))
    })
}

/// The colour of a stone.
pub fn color(cell: Cell) -> Option<Color> {
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

    fn played(torture: &Torture) -> ishi_sgf::Replayed {
        let reading = ishi_sgf::read(record(torture).unwrap().as_bytes()).unwrap();
        assert!(reading.warnings.is_empty(), "{}", torture.name);
        let game = GoGame::read(&reading.collection.games[0]).unwrap();
        assert!(game.warnings.is_empty(), "{}", torture.name);
        let rules: Rules = torture.rules.parse().unwrap();
        game.position(rules, None).unwrap()
    }

    /// Every move of every board is legal, and what is said of captures is true.
    #[test]
    fn the_boards_are_what_they_say() {
        let boards = all();
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
        let boards = all();
        let position = |name: &str| {
            let torture = boards.iter().find(|torture| torture.name == name).unwrap();
            played(&Torture { moves: Vec::new(), ..torture.clone() }).position
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
