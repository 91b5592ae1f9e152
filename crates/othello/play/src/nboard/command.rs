//! Lines of NBoard's protocol, as a GUI sends them.

use ishi_othello::Move;

/// A line that is understood.
#[derive(Clone, Debug, PartialEq)]
pub enum NBoardLine {
    /// `nboard 2`: the protocol's version.
    Version(u32),
    /// `set depth 12`: plies of the middle game's search.
    Depth(u32),
    /// `set game (;GM[Othello]...;)`: a game in GGF.
    Game(String),
    /// `set contempt -50`: what a draw of the book is worth for Black, in hundredths of a disc.
    Contempt(i32),
    /// `move F5/1.25/2.5`, or in version 1 of the protocol `F5` alone.
    Move(NBoardMove),
    /// `hint 3`: how many moves are to be valued.
    Hint(usize),
    /// `go`
    Go,
    /// `ping 7`: anything that thinks is to stop. The number as it was written.
    Ping(String),
    /// `learn`
    Learn,
    /// `analyze`
    Analyze,
    /// `quit`, which the specification does not name but GUIs send.
    Quit,
}

/// A move with what its player thought of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NBoardMove {
    /// The move.
    pub mv: Move,
    /// Its value for the one who played it, in discs, if it was given.
    pub eval: Option<f64>,
    /// Seconds that it took; 0 if not given.
    pub seconds: f64,
}

impl NBoardMove {
    /// Reads `F5/eval/seconds`; Edax and others put spaces in place of the slashes. What cannot be read counts as left
    /// out; `None` if the move cannot.
    pub fn from_text(text: &str) -> Option<NBoardMove> {
        let mut parts = text.split(|c: char| c == '/' || c.is_whitespace());
        let mv = parts.next()?.parse().ok()?;
        let mut figure = || parts.next()?.parse::<f64>().ok().filter(|figure| figure.is_finite());
        let (eval, seconds) = (figure(), figure());
        Some(NBoardMove { mv, eval, seconds: seconds.unwrap_or(0.0).clamp(0.0, 1e9) })
    }
}

impl NBoardLine {
    /// Reads a line, with or without its end. `None`: it is not understood, and must be ignored.
    ///
    /// ```
    /// use ishi_othello_play::nboard::NBoardLine;
    /// assert_eq!(NBoardLine::parse(b"set depth 12\r\n"), Some(NBoardLine::Depth(12)));
    /// assert_eq!(NBoardLine::parse(b"ping 3"), Some(NBoardLine::Ping("3".to_string())));
    /// assert_eq!(NBoardLine::parse(b"set colour blue"), None);
    /// let Some(NBoardLine::Move(played)) = NBoardLine::parse(b"move PA//0.3") else { panic!() };
    /// assert_eq!((played.mv.to_string().as_str(), played.eval, played.seconds), ("pass", None, 0.3));
    /// ```
    pub fn parse(line: &[u8]) -> Option<NBoardLine> {
        let text = String::from_utf8_lossy(line);
        let (name, rest) = split_first_word(&text);
        match name {
            "nboard" => rest.parse().ok().map(NBoardLine::Version),
            "set" => NBoardLine::parse_setting(rest),
            "move" => NBoardMove::from_text(rest).map(NBoardLine::Move),
            "hint" => Some(NBoardLine::Hint(split_first_word(rest).0.parse().unwrap_or(1))),
            "go" => Some(NBoardLine::Go),
            "ping" => Some(NBoardLine::Ping(whole_number(rest)?.to_string())),
            "learn" => Some(NBoardLine::Learn),
            "analyze" | "analyse" => Some(NBoardLine::Analyze),
            "quit" => Some(NBoardLine::Quit),
            _ if rest.is_empty() => NBoardMove::from_text(name).map(NBoardLine::Move),
            _ => None,
        }
    }

    fn parse_setting(text: &str) -> Option<NBoardLine> {
        let (name, value) = split_first_word(text);
        match name {
            "depth" => value.parse().ok().map(NBoardLine::Depth),
            "game" => Some(NBoardLine::Game(value.to_string())),
            "contempt" => value.parse().ok().map(NBoardLine::Contempt),
            _ => None,
        }
    }
}

/// What stands behind `move` in a line that [`NBoardLine::parse`] does not understand, forty letters at most.
pub(super) fn unreadable_move(line: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(line);
    let (name, rest) = split_first_word(&text);
    (name == "move").then(|| rest.chars().take(40).collect())
}

/// Does this line stop what is being thought? Only a ping does: other lines are for afterwards.
pub fn is_ping(line: &[u8]) -> bool {
    matches!(NBoardLine::parse(line), Some(NBoardLine::Ping(_)))
}

/// The first word, and the rest without spaces around it.
fn split_first_word(text: &str) -> (&str, &str) {
    let text = text.trim();
    let (name, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    (name, rest.trim())
}

/// A whole number, as it was written.
fn whole_number(text: &str) -> Option<&str> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    (!digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn lines() {
        for (line, expected) in [
            ("nboard 2", Some(NBoardLine::Version(2))),
            ("  go  ", Some(NBoardLine::Go)),
            ("hint", Some(NBoardLine::Hint(1))),
            ("hint 4", Some(NBoardLine::Hint(4))),
            ("set contempt -100", Some(NBoardLine::Contempt(-100))),
            ("set game (;GM[Othello];)", Some(NBoardLine::Game("(;GM[Othello];)".to_string()))),
            ("learn", Some(NBoardLine::Learn)),
            ("analyze", Some(NBoardLine::Analyze)),
            ("quit", Some(NBoardLine::Quit)),
            ("ping x", None),
            ("set depth deep", None),
            ("move i9", None),
            ("go go", Some(NBoardLine::Go)),
            ("", None),
            ("engine", None),
        ] {
            assert_eq!(NBoardLine::parse(line.as_bytes()), expected, "{line}");
        }
    }

    #[test]
    fn moves() {
        for (line, mv, eval, seconds) in [
            ("move F5", "f5", None, 0.0),
            ("move f5/1.5/2.25", "f5", Some(1.5), 2.25),
            ("move F5//2", "f5", None, 2.0),
            ("move d6 -1.00 0.5", "d6", Some(-1.0), 0.5),
            ("move PA", "pass", None, 0.0),
            ("move PASS/3", "pass", Some(3.0), 0.0),
            ("D6", "d6", None, 0.0),
            ("move f5/nan/inf", "f5", None, 0.0),
        ] {
            let Some(NBoardLine::Move(played)) = NBoardLine::parse(line.as_bytes()) else { panic!("{line}") };
            assert_eq!((played.mv.to_string().as_str(), played.eval, played.seconds), (mv, eval, seconds));
        }
    }

    proptest! {
        #[test]
        fn no_bytes_make_it_panic(line in proptest::collection::vec(any::<u8>(), 0..100)) {
            NBoardLine::parse(&line);
        }

        #[test]
        fn words_of_the_protocol_in_any_order(line in "((set|game|depth|move|ping|hint|PA|F5|/|-1|go|3) ?){0,6}") {
            let ping = is_ping(line.as_bytes());
            prop_assert_eq!(ping, matches!(NBoardLine::parse(line.as_bytes()), Some(NBoardLine::Ping(_))));
        }
    }
}
