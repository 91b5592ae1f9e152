//! An engine for every client of Go, which plays the first legal point that is no eye of its own.
//!
//! `cargo build -p ishi-gtp --example first_point`, then name `target/debug/examples/first_point` as an engine in Sabaki, GoGui or `ishi match`.

#![allow(clippy::disallowed_methods)] // It talks through a pipe, which a thread reads.

use std::io::{BufRead, stdin, stdout};

use ishi_go::{BoardSize, Color, Move, Position, Rules};
use ishi_gtp::{CommandExchange, CommandHandler, GtpAnswer, GtpCommand, Inbox, serve_commands};

const COMMANDS: &str = "protocol_version\nname\nversion\nlist_commands\nboardsize\nclear_board\nkomi\nplay\ngenmove\n\
                        showboard\nquit";

struct FirstPoint {
    game: Position,
    is_finished: bool,
}

fn new_game(lines: usize) -> Option<Position> {
    Some(Position::new(BoardSize::square(lines).ok()?, Rules::CHINESE))
}

fn read_color(args: &[String]) -> Option<Color> {
    args.first()?.parse().ok()
}

impl FirstPoint {
    fn set_size(&mut self, args: &[String]) -> GtpAnswer {
        match args.first().and_then(|text| new_game(text.parse().ok()?)) {
            Some(game) => {
                self.game = game;
                GtpAnswer::success("")
            }
            None => GtpAnswer::failure("unacceptable size"),
        }
    }

    fn set_komi(&mut self, args: &[String]) -> GtpAnswer {
        match args.first().and_then(|text| text.parse().ok()).map(|komi| self.game.set_komi(komi)) {
            Some(Ok(())) => GtpAnswer::success(""),
            _ => GtpAnswer::failure("syntax error"),
        }
    }

    fn play_move(&mut self, args: &[String]) -> GtpAnswer {
        let mv = args.get(1).and_then(|text| self.game.size().parse_move(text).ok());
        let (Some(color), Some(mv)) = (read_color(args), mv) else {
            return GtpAnswer::failure("syntax error");
        };
        match self.game.play(color, mv) {
            Ok(_) => GtpAnswer::success(""),
            Err(_) => GtpAnswer::failure("illegal move"),
        }
    }

    fn choose_move(&mut self, args: &[String]) -> GtpAnswer {
        let Some(color) = read_color(args) else { return GtpAnswer::failure("syntax error") };
        let points = self.game.legal_moves(color).into_iter();
        let first = points.filter(|&point| !self.game.board().is_eyelike(color, point)).min();
        let mv = first.map_or(Move::Pass, Move::Play);
        match self.game.play(color, mv) {
            Ok(_) => GtpAnswer::success(mv),
            Err(error) => GtpAnswer::failure(error),
        }
    }
}

impl CommandHandler for FirstPoint {
    fn handle_command(&mut self, command: &GtpCommand, _: &mut CommandExchange<'_>) -> GtpAnswer {
        let args = &command.args;
        match command.name.as_str() {
            "protocol_version" => GtpAnswer::success(2),
            "name" => GtpAnswer::success("First point"),
            "version" => GtpAnswer::success(env!("CARGO_PKG_VERSION")),
            "list_commands" => GtpAnswer::success(COMMANDS),
            "boardsize" => self.set_size(args),
            "clear_board" => {
                self.game = Position::new(self.game.size(), Rules::CHINESE);
                GtpAnswer::success("")
            }
            "komi" => self.set_komi(args),
            "play" => self.play_move(args),
            "genmove" => self.choose_move(args),
            "showboard" => GtpAnswer::success(format!("\n{}", self.game)),
            "quit" => {
                self.is_finished = true;
                GtpAnswer::success("")
            }
            _ => GtpAnswer::failure("unknown command"),
        }
    }

    fn is_finished(&self) -> bool {
        self.is_finished
    }
}

fn main() -> std::io::Result<()> {
    let mut inbox = Inbox::new();
    let fed = inbox.clone();
    // Who reads the pipe fills the inbox: so the next command may come before the last one is answered.
    std::thread::spawn(move || {
        for line in stdin().lock().split(b'\n').map_while(Result::ok) {
            fed.push_bytes(&line);
            fed.push_bytes(b"\n");
        }
        fed.close();
    });
    let game = new_game(19).expect("a usual board");
    serve_commands(&mut FirstPoint { game, is_finished: false }, &mut inbox, &mut stdout())?;
    Ok(())
}
