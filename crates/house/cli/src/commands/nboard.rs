//! `ishi nboard`: our player of Othello for NBoard and what else speaks its protocol.

use std::io::{self, IsTerminal};
use std::time::Duration;

use clap::Args;
use ishi_gtp::{Inbox, ServeEnd};
use ishi_othello_play::book::Book;
use ishi_othello_play::levels::{Level, LevelPlayer};
use ishi_othello_play::nboard::{NBoard, NBoardSettings, is_ping};
use ishi_othello_play::rating::Rating;
use ishi_othello_play::search::{SearchParams, SearchTables, Searcher};

use super::gtp::{MachineHost, abort_on_stop, feed_stdin};
use crate::context::{Context, Failure};

const EXAMPLES: &str = "\
Examples:
  ishi nboard                      in NBoard: Engine > Add engine, with this command
  ishi nboard --level 5            an easy opponent, whatever depth NBoard sets
  ishi nboard --rating 1200        an opponent between the levels (docs/othello.md)
  printf 'nboard 2\\nset depth 8\\nmove F5\\ngo\\n' | ishi nboard

docs/protocols.md says what it understands. The exit code is 0 at `quit` and at the end of \
input, when all lines before it have been answered.";

/// How often it is looked whether anybody still reads the answers.
const LOOK: Duration = Duration::from_millis(500);

/// Options of `ishi nboard`.
#[derive(Args, Debug)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct NBoardArgs {
    /// Play at this level, 1 to 20, instead of as deep as NBoard sets
    #[arg(long, value_name = "LEVEL")]
    level: Option<Level>,
    /// Play at this rating of ishi's own scale, instead of a level; without the book
    #[arg(long, value_name = "POINTS", conflicts_with = "level")]
    rating: Option<Rating>,
    /// The hash table has 2 to this power entries of 16 bytes, 10 to 30
    #[arg(long, default_value = "22", value_name = "BITS", value_parser = clap::value_parser!(u32).range(10..=30))]
    hash: u32,
    /// Play without the opening book
    #[arg(long)]
    no_book: bool,
    /// What it calls itself in the GUI
    #[arg(long, default_value = "ishi", value_name = "NAME")]
    name: String,
}

/// Serves until `quit` or the end of input.
pub(crate) fn run(args: &NBoardArgs, context: &Context) -> Result<(), Failure> {
    if args.name.is_empty() || args.name.contains(char::is_whitespace) {
        return Err(Failure::input(format!("invalid name {:?}: NBoard takes one word", args.name)));
    }
    let params = SearchParams { hash_bits: args.hash, threads: context.threads };
    let searcher = Searcher::with_tables(SearchTables::reserve(params).map_err(Failure::input)?);
    let settings = NBoardSettings {
        name: args.name.clone(),
        fixed_level: args.level.is_some() || args.rating.is_some(),
        book: (!args.no_book && args.rating.is_none()).then(Book::builtin),
    };
    let player = match args.rating {
        Some(rating) => LevelPlayer::rated(rating, context.seed, searcher),
        None => LevelPlayer::new(args.level.unwrap_or(Level::HIGHEST), context.seed, searcher),
    };
    let mut nboard = NBoard::new(player, Box::new(MachineHost::start_clock()), settings);
    if io::stdin().is_terminal() && !context.quiet {
        tell!("ishi nboard: type nboard 2, set depth 8, move F5, go; quit ends");
    }
    serve_nboard(&mut nboard, context)
}

fn serve_nboard(nboard: &mut NBoard, context: &Context) -> Result<(), Failure> {
    let mut inbox = Inbox::with_interrupt(is_ping);
    feed_stdin(inbox.clone(), abort_when_unread);
    abort_on_stop(inbox.clone(), context);
    match nboard.serve_lines(&mut inbox, &mut io::stdout().lock()) {
        Ok(ServeEnd::EndOfInput) if context.is_stop_requested() => Err(Failure::Interrupted),
        Ok(_) => Ok(()),
        Err(error) => Err(Failure::outside(format!("the line to the GUI failed: {error}"))),
    }
}

/// A GUI that has ended leaves no long search behind: as soon as nobody reads stdout, what runs is given up.
fn abort_when_unread(inbox: &Inbox) {
    wait_until_nobody_reads();
    inbox.abort();
}

/// Waits until nobody reads stdout any more.
#[cfg(unix)]
pub(super) fn wait_until_nobody_reads() {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    let stdout = io::stdout();
    loop {
        let mut watched = [PollFd::new(&stdout, PollFlags::empty())];
        let timeout = Timespec::try_from(LOOK).ok();
        let gone = PollFlags::ERR | PollFlags::HUP;
        if poll(&mut watched, timeout.as_ref()).is_ok() && watched[0].revents().intersects(gone) {
            return;
        }
        std::thread::sleep(LOOK);
    }
}

/// Where a pipe cannot be asked, a write that fails tells: this waits for ever.
#[cfg(not(unix))]
pub(super) fn wait_until_nobody_reads() {
    loop {
        std::thread::sleep(LOOK);
    }
}
