//! Arguments of the analysis commands: `[COLOR] [INTERVAL] KEY VALUE...`, colour, interval and keys in any order, as
//! Leela Zero takes them. A key that is not known is an error: who asks for something wants it.

use std::time::Duration;

use ishi_go::{Color, Move, Position};

use crate::restrict::{self, Restriction};
use ishi_engine::session::Refusal;
use ishi_engine::session::args::Args;

/// Who reads the lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dialect {
    /// Leela Zero: whole numbers up to 10000.
    LeelaZero,
    /// KataGo and Sabaki: decimals, scores, ownership.
    KataGo,
}

/// What is asked for.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Request {
    pub(super) color: Color,
    pub(super) interval: Duration,
    pub(super) min_moves: usize,
    pub(super) max_moves: usize,
    /// Moves to choose from; `None`: all.
    pub(super) allowed: Option<Vec<Move>>,
    pub(super) root_info: bool,
    pub(super) ownership: bool,
}

/// Between lines where nobody says otherwise.
const INTERVAL: f64 = 100.0;

/// The shortest and the longest interval, in hundredths of a second.
const INTERVALS: (f64, f64) = (1.0, 1e8);

impl Request {
    /// Reads all arguments.
    pub(super) fn parse(
        args: &mut Args<'_>,
        dialect: Dialect,
        position: &Position,
    ) -> Result<Request, Refusal> {
        let mut request = Request {
            color: position.to_move(),
            interval: centiseconds(INTERVAL),
            min_moves: 0,
            max_moves: usize::MAX,
            allowed: None,
            root_info: false,
            ownership: false,
        };
        let mut restrictions = Vec::new();
        while let Some(word) = args.peek() {
            if let Some(color) = args.optional_color() {
                request.color = color;
            } else if word.starts_with(|c: char| c.is_ascii_digit() || c == '.') {
                request.interval = interval(args)?;
            } else {
                args.take();
                request.key(word, args, dialect, position, &mut restrictions)?;
            }
        }
        request.allowed = allowed(&restrictions, request.color, position)?;
        Ok(request)
    }

    fn key(
        &mut self,
        key: &str,
        args: &mut Args<'_>,
        dialect: Dialect,
        position: &Position,
        restrictions: &mut Vec<Restriction>,
    ) -> Result<(), Refusal> {
        match (key, dialect) {
            ("interval", _) => self.interval = interval(args)?,
            ("minmoves", _) => self.min_moves = args.number("minmoves")?,
            ("maxmoves", _) => self.max_moves = args.number("maxmoves")?,
            ("avoid" | "allow", _) => restrictions.push(restriction(key, args, position)?),
            ("rootInfo", Dialect::KataGo) => self.root_info = boolean(args, key)?,
            ("ownership", Dialect::KataGo) => self.ownership = boolean(args, key)?,
            _ => return Err(args.error(format!("key {key:?} is not supported"))),
        }
        Ok(())
    }
}

fn centiseconds(number: f64) -> Duration {
    Duration::from_secs_f64(number.clamp(INTERVALS.0, INTERVALS.1) / 100.0)
}

fn interval(args: &mut Args<'_>) -> Result<Duration, Refusal> {
    args.real("INTERVAL").map(centiseconds)
}

fn boolean(args: &mut Args<'_>, key: &str) -> Result<bool, Refusal> {
    let word = args.word(key)?;
    word.parse().map_err(|_| args.error(format!("{key} {word:?} is neither true nor false")))
}

/// Reads `COLOR VERTEX,VERTEX,... DEPTH` of `avoid` or `allow`.
fn restriction(key: &str, args: &mut Args<'_>, position: &Position) -> Result<Restriction, Refusal> {
    let color = args.color()?;
    let vertices = args.word("VERTICES")?;
    let moves = vertices.split(',').map(|text| position.size().parse_move(text)).collect::<Result<_, _>>()?;
    let depth: u32 = args.number("DEPTH")?;
    if depth == 0 {
        return Err(args.error("DEPTH must be 1 or more"));
    }
    Ok(Restriction { avoid: key == "avoid", color, moves, depth })
}

/// The moves that the restrictions leave to `color`.
fn allowed(list: &[Restriction], color: Color, position: &Position) -> Result<Option<Vec<Move>>, Refusal> {
    // The other side does not move at depth 1: there is nothing to restrict.
    if let Some(other) = list.iter().find(|other| other.color != color && other.depth > 1) {
        let reason = "the moves of the analysed side can be restricted, the answers to them not";
        return Err(format!(
            "avoid or allow {} to depth {} is not supported: {reason}",
            other.color, other.depth
        )
        .into());
    }
    restrict::allowed(list, color, position).map_err(Refusal::from)
}
