//! Arguments of the analysis commands: `[COLOR] [INTERVAL] KEY VALUE...`, colour, interval and keys in any order, as
//! Leela Zero takes them. A key that is not known is an error: who asks for something wants it.

use std::time::Duration;

use ishi_go::{Color, Move, Position};

use crate::restrict::{self, Restriction};
use ishi_engine::session::CommandRefusal;
use ishi_engine::session::args::CommandArgs;

/// Who reads the lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AnalysisDialect {
    /// Leela Zero: whole numbers up to 10000.
    LeelaZero,
    /// KataGo and Sabaki: decimals, scores, ownership.
    KataGo,
}

/// What is asked for.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct GtpAnalysisRequest {
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

impl GtpAnalysisRequest {
    /// Reads all arguments.
    pub(super) fn parse(
        args: &mut CommandArgs<'_>,
        dialect: AnalysisDialect,
        position: &Position,
    ) -> Result<GtpAnalysisRequest, CommandRefusal> {
        let mut request = GtpAnalysisRequest {
            color: position.to_move(),
            interval: centiseconds_to_duration(INTERVAL),
            min_moves: 0,
            max_moves: usize::MAX,
            allowed: None,
            root_info: false,
            ownership: false,
        };
        let mut restrictions = Vec::new();
        while let Some(word) = args.peek() {
            if let Some(color) = args.take_optional_color() {
                request.color = color;
            } else if word.starts_with(|c: char| c.is_ascii_digit() || c == '.') {
                request.interval = take_interval(args)?;
            } else {
                args.take();
                request.parse_key(word, args, dialect, position, &mut restrictions)?;
            }
        }
        request.allowed = restricted_moves(&restrictions, request.color, position)?;
        Ok(request)
    }

    fn parse_key(
        &mut self,
        key: &str,
        args: &mut CommandArgs<'_>,
        dialect: AnalysisDialect,
        position: &Position,
        restrictions: &mut Vec<Restriction>,
    ) -> Result<(), CommandRefusal> {
        match (key, dialect) {
            ("interval", _) => self.interval = take_interval(args)?,
            ("minmoves", _) => self.min_moves = args.take_number("minmoves")?,
            ("maxmoves", _) => self.max_moves = args.take_number("maxmoves")?,
            ("avoid" | "allow", _) => restrictions.push(take_restriction(key, args, position)?),
            ("rootInfo", AnalysisDialect::KataGo) => self.root_info = take_boolean(args, key)?,
            ("ownership", AnalysisDialect::KataGo) => self.ownership = take_boolean(args, key)?,
            _ => return Err(args.syntax_error(format!("key {key:?} is not supported"))),
        }
        Ok(())
    }
}

fn centiseconds_to_duration(number: f64) -> Duration {
    Duration::from_secs_f64(number.clamp(INTERVALS.0, INTERVALS.1) / 100.0)
}

fn take_interval(args: &mut CommandArgs<'_>) -> Result<Duration, CommandRefusal> {
    args.take_real("INTERVAL").map(centiseconds_to_duration)
}

fn take_boolean(args: &mut CommandArgs<'_>, key: &str) -> Result<bool, CommandRefusal> {
    let word = args.take_word(key)?;
    word.parse().map_err(|_| args.syntax_error(format!("{key} must be true or false, not {word:?}")))
}

/// Reads `COLOR VERTEX,VERTEX,... DEPTH` of `avoid` or `allow`.
fn take_restriction(
    key: &str,
    args: &mut CommandArgs<'_>,
    position: &Position,
) -> Result<Restriction, CommandRefusal> {
    let color = args.take_color()?;
    let vertices = args.take_word("VERTICES")?;
    let moves = vertices.split(',').map(|text| position.size().parse_move(text));
    let moves = moves.collect::<Result<_, _>>().map_err(|error| args.syntax_error(error))?;
    let depth: u32 = args.take_number("DEPTH")?;
    if depth == 0 {
        return Err(args.syntax_error("DEPTH must be 1 or more"));
    }
    Ok(Restriction { avoid: key == "avoid", color, moves, depth })
}

/// The moves that the restrictions leave to `color`.
fn restricted_moves(
    list: &[Restriction],
    color: Color,
    position: &Position,
) -> Result<Option<Vec<Move>>, CommandRefusal> {
    // The other side does not move at depth 1: there is nothing to restrict.
    if let Some(other) = list.iter().find(|other| other.color != color && other.depth > 1) {
        let reason = "the moves of the analysed side can be restricted, the answers to them not";
        return Err(format!(
            "avoid or allow {} to depth {} is not supported: {reason}",
            other.color, other.depth
        )
        .into());
    }
    restrict::allowed_moves(list, color, position).map_err(CommandRefusal::from)
}
