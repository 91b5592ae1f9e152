//! What the commands that read logs of decks share: the options, the files, progress and Ctrl-C.

use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

use clap::Args;
use flate2::read::MultiGzDecoder;
use ishi_deck::scores::log::{CardVocabulary, Day, DeckLog, LogEntry, LogError, LogFormat};
use ishi_deck::scores::trial::MOST_CARDS;

use crate::context::{Context, Failure};
use crate::files;
use crate::progress::ProgressDisplay;

/// The formats, for the help of commands.
pub(super) const FORMATS: &str = "\
A log holds decks in one of four formats, told apart by its first line; it may be compressed (gzip):
  tournament  a deck a line, tabs between: the date, then \"count card\" for each card
  lines       a deck a line, a card a field (CSV or tabs); a heading may name columns leader and date
  long        a card a line below a heading: deck,card and, where wanted, count,leader,date
  compact     a deck a line of whole numbers, the leader's first with a colon: 17: 3 5 9
Lists as Magic Arena, MTGO and Moxfield export them are read by the workbench: ishi serve, room Decks.";

/// Which decks.
#[derive(Args, Debug)]
pub(super) struct DeckLogArgs {
    /// Logs of decks; - is standard input
    #[arg(required = true, value_name = "LOG")]
    logs: Vec<PathBuf>,
    /// tournament, lines, long or compact; found by the first line if not given
    #[arg(long)]
    format: Option<LogFormat>,
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
        for path in &self.logs {
            let name = super::options::source_name(path);
            let mut log = DeckLog::new(open_log(path)?, self.format);
            loop {
                let line = log.line_number();
                let fault = |error: LogError| match error {
                    LogError::Read(error) => {
                        Failure::outside(format!("cannot read {name} after line {line}: {error}"))
                    }
                    error => Failure::input(format!("{name}: {error}")),
                };
                let Some(mut entry) = log.next_deck(&mut vocabulary).map_err(fault)? else { break };
                if self.leader_first {
                    entry.leader = entry.leader.or(entry.cards.first().copied());
                }
                decks += 1;
                if decks % BETWEEN_LOOKS == 0 {
                    display.show_message(|| format!("{decks} decks read"));
                    if context.is_stop_requested() {
                        return Err(Failure::Interrupted);
                    }
                }
                if self.wants_day(entry.day).map_err(|what| Failure::input(format!("{name}: {what}")))? {
                    see(entry);
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

/// Opens a log; what begins like gzip is decompressed.
fn open_log(path: &Path) -> Result<Box<dyn BufRead>, Failure> {
    let fault = |error: io::Error| Failure::outside(format!("cannot read {}: {error}", path.display()));
    let mut reader = BufReader::with_capacity(1 << 16, files::open_file_or_stdin(path)?);
    let compressed = reader.fill_buf().map_err(fault)?.starts_with(&[0x1F, 0x8B]);
    Ok(if compressed {
        Box::new(BufReader::with_capacity(1 << 16, MultiGzDecoder::new(reader)))
    } else {
        Box::new(reader)
    })
}
