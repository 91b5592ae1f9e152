//! What the commands that read logs of decks share: the options, the files, progress and Ctrl-C.

use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use clap::Args;
use flate2::read::MultiGzDecoder;
use ishi_deck::scores::lists::{ListedDecks, are_lists, read_deck_lists};
use ishi_deck::scores::log::{CardVocabulary, Day, DeckLog, LogEntry, LogError, LogFormat};
use ishi_deck::scores::trial::MOST_CARDS;

use crate::context::{Context, Failure};
use crate::files;
use crate::progress::ProgressDisplay;

/// The formats, for the help of commands.
pub(super) const FORMATS: &str = "\
A log holds decks in one of five formats, told apart by its beginning; it may be compressed (gzip):
  tournament  a deck a line, tabs between: the date, then \"count card\" for each card
  lines       a deck a line, a card a field (CSV or tabs); a heading may name columns leader and date
  long        a card a line below a heading: deck,card and, where wanted, count,leader,date
  compact     a deck a line of whole numbers, the leader's first with a colon: 17: 3 5 9
  lists       a card a line, an empty line between decks: as Magic Arena, MTGO and Moxfield export
              them, CSV with the columns Count and Name, or names alone; sideboards are not counted";

/// How a file holds decks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum DeckFileFormat {
    /// It is read a deck at a time.
    Log(LogFormat),
    /// Its whole text is read.
    Lists,
}

impl FromStr for DeckFileFormat {
    type Err = String;

    fn from_str(text: &str) -> Result<DeckFileFormat, String> {
        if text == "lists" {
            return Ok(DeckFileFormat::Lists);
        }
        text.parse::<LogFormat>().map(DeckFileFormat::Log).map_err(|error: String| format!("{error}, lists"))
    }
}

/// Which decks.
#[derive(Args, Debug)]
pub(super) struct DeckLogArgs {
    /// Logs of decks; - is standard input
    #[arg(required = true, value_name = "LOG")]
    logs: Vec<PathBuf>,
    /// tournament, lines, long, compact or lists; found by the beginning if not given
    #[arg(long)]
    format: Option<DeckFileFormat>,
    /// The first card of every deck leads it, where the log does not say who does
    #[arg(long)]
    leader_first: bool,
    /// Only decks of this day and later, as 2026-02-28
    #[arg(long, value_name = "DAY")]
    pub(super) since: Option<Day>,
    /// Only decks before this day
    #[arg(long, value_name = "DAY")]
    pub(super) until: Option<Day>,
}

/// Decks between two looks at progress and Ctrl-C.
const BETWEEN_LOOKS: u64 = 1 << 12;
/// From how many bytes of a file it is seen whether it holds lists.
const BEGINNING: u64 = 1 << 16;
/// Bytes of a file of lists, at most: it is read as a whole.
const LONGEST_LISTS: u64 = 1 << 28;

/// Who takes the decks of a file of this name.
type TakeDeck<'a> = &'a mut dyn FnMut(&str, LogEntry<'_>) -> Result<(), Failure>;

impl DeckLogArgs {
    /// Reads all logs, a deck at a time, with one vocabulary.
    pub(super) fn read_decks(
        &self,
        context: &Context,
        mut see: impl FnMut(LogEntry<'_>),
    ) -> Result<CardVocabulary, Failure> {
        let mut vocabulary = CardVocabulary::default();
        let mut display = ProgressDisplay::spinner(context);
        let mut decks = 0;
        let mut take = |name: &str, mut entry: LogEntry<'_>| -> Result<(), Failure> {
            if self.leader_first {
                entry.leader = entry.leader.or(entry.cards.first().copied());
            }
            decks += 1;
            if decks % BETWEEN_LOOKS == 0 {
                display.show_message(|| format!("{decks} decks read"));
                context.check_stop()?;
            }
            if self.wants_day(entry.day).map_err(|what| Failure::input(format!("{name}: {what}")))? {
                see(entry);
            }
            Ok(())
        };
        for path in &self.logs {
            let name = super::options::source_name(path);
            match open_decks(path, &name, self.format)? {
                DeckSource::Log(reader, format) => {
                    take_log(&name, DeckLog::new(reader, format), &mut vocabulary, &mut take)?;
                }
                DeckSource::Lists(reader) => {
                    let text = read_lists_text(&name, reader)?;
                    let lists = context.run_until_stopped(move || read_deck_lists(&text))?;
                    let lists = lists.map_err(|error| Failure::input(format!("{name}: {error}")))?;
                    take_lists(&name, &lists, &mut vocabulary, &mut take)?;
                }
            }
        }
        Ok(vocabulary)
    }

    fn wants_day(&self, day: Option<Day>) -> Result<bool, String> {
        if self.since.is_none() && self.until.is_none() {
            return Ok(true);
        }
        let day = day.ok_or("the log has no dates, so --since and --until cannot be used")?;
        Ok(self.since.is_none_or(|since| day >= since) && self.until.is_none_or(|until| day < until))
    }
}

/// Scores of all pairs, also of those that never met, are to be had of so many cards at most.
pub(super) fn check_card_count(cards: usize, what: &str) -> Result<(), Failure> {
    if cards <= MOST_CARDS {
        return Ok(());
    }
    Err(Failure::Input(format!(
        "{what} holds a score for every pair, and {cards} cards are too many for that (at most {MOST_CARDS}): raise --min-support"
    )))
}

/// A file of decks that is opened.
enum DeckSource {
    Log(Box<dyn BufRead>, Option<LogFormat>),
    Lists(Box<dyn BufRead>),
}

/// Opens a file and sees what it holds, where nobody says it.
fn open_decks(path: &Path, name: &str, format: Option<DeckFileFormat>) -> Result<DeckSource, Failure> {
    let mut reader = open_log(path)?;
    match format {
        Some(DeckFileFormat::Log(format)) => return Ok(DeckSource::Log(reader, Some(format))),
        Some(DeckFileFormat::Lists) => return Ok(DeckSource::Lists(reader)),
        None => {}
    }
    let mut beginning = Vec::new();
    let read = reader.by_ref().take(BEGINNING).read_to_end(&mut beginning);
    read.map_err(|error| {
        let lines = beginning.iter().filter(|byte| **byte == b'\n').count();
        files::reading_failure(&error, format!("cannot read {name} after line {lines}: {error}"))
    })?;
    if beginning.trim_ascii_start().starts_with(b"(;") {
        return Err(Failure::input(format!("{name}: it must hold decks, and is a record of a game (SGF)")));
    }
    let holds_lists = begins_with_lists(&beginning);
    let whole: Box<dyn BufRead> = Box::new(Cursor::new(beginning).chain(reader));
    Ok(if holds_lists { DeckSource::Lists(whole) } else { DeckSource::Log(whole, None) })
}

/// Does a file that begins so hold lists? The last line of a longer one may be cut.
fn begins_with_lists(beginning: &[u8]) -> bool {
    let is_whole = (beginning.len() as u64) < BEGINNING;
    let end = beginning.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
    let lines = if is_whole { beginning } else { &beginning[..end] };
    std::str::from_utf8(lines).is_ok_and(are_lists)
}

/// Takes the decks of a log, one after the other.
fn take_log(
    name: &str,
    mut log: DeckLog<Box<dyn BufRead>>,
    vocabulary: &mut CardVocabulary,
    take: TakeDeck<'_>,
) -> Result<(), Failure> {
    loop {
        let line = log.line_number();
        let fault = |error: LogError| match error {
            LogError::Read(error) => {
                files::reading_failure(&error, format!("cannot read {name} after line {line}: {error}"))
            }
            error => Failure::input(format!("{name}: {error}")),
        };
        let Some(entry) = log.next_deck(vocabulary).map_err(fault)? else { return Ok(()) };
        take(name, entry)?;
    }
}

/// Takes the decks of lists, as the workbench reads them.
fn take_lists(
    name: &str,
    lists: &ListedDecks,
    vocabulary: &mut CardVocabulary,
    take: TakeDeck<'_>,
) -> Result<(), Failure> {
    // Files are read as one: each has numbers of its own for its cards.
    let names = lists.vocabulary.names();
    let numbers: Vec<u32> = names.iter().map(|card| vocabulary.intern_name(card)).collect();
    for deck in &lists.decks {
        let cards: Vec<u32> = deck.cards.iter().map(|&card| numbers[card as usize]).collect();
        let leader = deck.leader.map(|card| numbers[card as usize]);
        take(name, LogEntry { day: None, leader, cards: &cards })?;
    }
    Ok(())
}

fn read_lists_text(name: &str, reader: Box<dyn BufRead>) -> Result<String, Failure> {
    let mut bytes = Vec::new();
    let read = reader.take(LONGEST_LISTS + 1).read_to_end(&mut bytes);
    read.map_err(|error| files::reading_failure(&error, format!("cannot read {name}: {error}")))?;
    if bytes.len() as u64 > LONGEST_LISTS {
        return Err(Failure::input(format!(
            "{name}: lists must have at most {LONGEST_LISTS} bytes, and a log with a deck a line may be longer"
        )));
    }
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to() + 1;
        Failure::input(format!("{name}: no UTF-8 text at byte {at}"))
    })
}

/// Opens a log; what begins like gzip is decompressed.
fn open_log(path: &Path) -> Result<Box<dyn BufRead>, Failure> {
    let fault =
        |error: io::Error| files::reading_failure(&error, format!("cannot read {}: {error}", path.display()));
    let mut reader = BufReader::with_capacity(1 << 16, files::open_file_or_stdin(path)?);
    let compressed = reader.fill_buf().map_err(fault)?.starts_with(&[0x1F, 0x8B]);
    Ok(if compressed {
        Box::new(BufReader::with_capacity(1 << 16, MultiGzDecoder::new(reader)))
    } else {
        Box::new(reader)
    })
}
