//! The text of commands and answers (GTP 2 draft 2, sections 2.5 to 2.8).
//!
//! Both directions are made for the wild: a command line may be of any length and hold any bytes, and an answer is
//! written such that no text of a handler can break the protocol.

use std::fmt;

/// The number a controller puts before a command; echoed as it was written, leading zeros and all.
///
/// ```
/// use ishi_gtp::CommandId;
/// assert_eq!(CommandId::from(7), CommandId::parse("7").unwrap());
/// assert_ne!(CommandId::from(7), CommandId::parse("07").unwrap(), "it is echoed as it was written");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct CommandId(String);

impl CommandId {
    /// The digits as an id, or `None` if the text is not all digits.
    ///
    /// ```
    /// use ishi_gtp::CommandId;
    /// assert_eq!(CommandId::parse("007").unwrap().to_string(), "007");
    /// assert!(CommandId::parse("7a").is_none());
    /// ```
    pub fn parse(text: &str) -> Option<CommandId> {
        let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        digits.then(|| CommandId(text.to_string()))
    }
}

impl From<u32> for CommandId {
    fn from(number: u32) -> CommandId {
        CommandId(number.to_string())
    }
}

impl fmt::Display for CommandId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A command line after the preprocessing of section 2.5.
///
/// ```
/// use ishi_gtp::GtpCommand;
/// let command = GtpCommand::parse(b"17\tplay  B d4 # a good move\r\n").unwrap();
/// assert_eq!(command.id.as_ref().unwrap().to_string(), "17");
/// assert_eq!(command.name, "play");
/// assert_eq!(command.args, ["B", "d4"]);
/// assert!(GtpCommand::parse(b"  # only a comment").is_none());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GtpCommand {
    /// The id, if there was one.
    pub id: Option<CommandId>,
    /// The command's name as written; empty if the line held only an id.
    pub name: String,
    /// The arguments, split at white space.
    pub args: Vec<String>,
    /// Everything after the name as written, trimmed: for arguments that may hold spaces, such as file names.
    pub rest: String,
}

impl GtpCommand {
    /// Reads a line, with or without its newline. `None` if there is nothing in it: such lines get no answer.
    ///
    /// Control characters are removed, tabs become spaces, `#` starts a comment, and bytes that are not UTF-8 become
    /// U+FFFD.
    ///
    /// ```
    /// use ishi_gtp::GtpCommand;
    /// let command = GtpCommand::parse(b"12\tboardsize 9 # a small one").unwrap();
    /// assert_eq!((command.name.as_str(), command.rest.as_str()), ("boardsize", "9"));
    /// ```
    pub fn parse(line: &[u8]) -> Option<GtpCommand> {
        let text = clean_line(line);
        let (first, after) = split_word(&text);
        if first.is_empty() {
            return None;
        }
        let id = CommandId::parse(first);
        let (name, rest) = if id.is_some() { split_word(after) } else { (first, after) };
        let args = rest.split_whitespace().map(str::to_string).collect();
        Some(GtpCommand { id, name: name.to_string(), args, rest: rest.trim().to_string() })
    }
}

/// The command as a controller writes it, without the newline.
impl fmt::Display for GtpCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(id) = &self.id {
            write!(f, "{id} ")?;
        }
        f.write_str(&self.name)?;
        if self.rest.is_empty() { Ok(()) } else { write!(f, " {}", self.rest) }
    }
}

/// Is this line GoGui's request to end the running command? (GoGui manual, "Interrupting Commands".)
///
/// ```
/// use ishi_gtp::protocol::is_interrupt;
/// assert!(is_interrupt(b"# interrupt\r\n"));
/// assert!(!is_interrupt(b"# interrupted"));
/// ```
pub fn is_interrupt(line: &[u8]) -> bool {
    let text: Vec<u8> = line.iter().copied().filter(|byte| !byte.is_ascii_whitespace()).collect();
    text == b"#interrupt"
}

/// Section 2.5: removes comments and control characters, turns tabs into spaces.
fn clean_line(line: &[u8]) -> String {
    let end = line.iter().position(|&byte| byte == b'#' || byte == b'\n').unwrap_or(line.len());
    let bytes: Vec<u8> = line[..end]
        .iter()
        .filter(|&&byte| byte == b'\t' || !byte.is_ascii_control())
        .map(|&byte| if byte == b'\t' { b' ' } else { byte })
        .collect();
    String::from_utf8_lossy(&bytes).into_owned()
}

/// The first word and what follows it.
fn split_word(text: &str) -> (&str, &str) {
    let text = text.trim_start();
    text.split_once(char::is_whitespace).unwrap_or((text, ""))
}

/// What a command is answered with.
///
/// ```
/// use ishi_gtp::{GtpAnswer, CommandId};
/// assert_eq!(GtpAnswer::success("D4").to_gtp_text(Some(&CommandId::from(3))), "=3 D4\n\n");
/// assert_eq!(GtpAnswer::failure("unknown command").to_gtp_text(None), "? unknown command\n\n");
/// assert_eq!(GtpAnswer::success("").to_gtp_text(None), "=\n\n");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct GtpAnswer {
    /// `=` or `?`.
    pub ok: bool,
    /// What follows; may have several lines.
    pub content: String,
}

impl GtpAnswer {
    /// A success.
    pub fn success(content: impl fmt::Display) -> GtpAnswer {
        GtpAnswer { ok: true, content: content.to_string() }
    }

    /// A failure.
    ///
    /// ```
    /// use ishi_gtp::GtpAnswer;
    /// assert_eq!(GtpAnswer::failure("illegal move").to_gtp_text(None), "? illegal move\n\n");
    /// ```
    pub fn failure(content: impl fmt::Display) -> GtpAnswer {
        GtpAnswer { ok: false, content: content.to_string() }
    }

    /// `=` or `?` with the id.
    pub(crate) fn answer_mark(ok: bool, id: Option<&CommandId>) -> String {
        let sign = if ok { "=" } else { "?" };
        id.map_or_else(|| sign.to_string(), |id| format!("{sign}{id}"))
    }

    /// The answer as an engine writes it, with the blank line that ends it. Blank lines inside the content are left
    /// out, since the first one would end the answer (section 2.6).
    ///
    /// ```
    /// use ishi_gtp::{CommandId, GtpAnswer};
    /// let answer = GtpAnswer::success("a\n\nb");
    /// assert_eq!(answer.to_gtp_text(Some(&CommandId::from(4))), "=4 a\nb\n\n");
    /// ```
    pub fn to_gtp_text(&self, id: Option<&CommandId>) -> String {
        let mut text = Self::answer_mark(self.ok, id);
        for (number, line) in answer_lines(&self.content).enumerate() {
            match number {
                0 if line.is_empty() => {}
                0 => text.extend([" ", &line]),
                _ => text.extend(["\n", &line]),
            }
        }
        text.push_str("\n\n");
        text
    }
}

/// The lines of an answer: no control characters, no blank lines but the first, no spaces at the end.
pub(crate) fn answer_lines(content: &str) -> impl Iterator<Item = String> {
    let tidy = |line: &str| {
        let text: String = line.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        text.trim_end().to_string()
    };
    content
        .split('\n')
        .map(tidy)
        .enumerate()
        .filter(|(n, line)| *n == 0 || !line.is_empty())
        .map(|(_, line)| line)
}

/// The first line of an answer: the sign, the id and the text after them. `None` if the line starts no answer.
///
/// ```
/// use ishi_gtp::{CommandId, parse_answer_head};
/// assert_eq!(parse_answer_head("=3 D4"), Some((true, CommandId::parse("3"), "D4")));
/// assert_eq!(parse_answer_head("D4"), None);
/// ```
pub fn parse_answer_head(line: &str) -> Option<(bool, Option<CommandId>, &str)> {
    let ok = match line.as_bytes().first()? {
        b'=' => true,
        b'?' => false,
        _ => return None,
    };
    let after = &line[1..];
    let digits = after.bytes().take_while(u8::is_ascii_digit).count();
    let (id, text) = after.split_at(digits);
    let separated = text.is_empty() || text.starts_with(char::is_whitespace);
    separated.then(|| (ok, CommandId::parse(id), text.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// line, id, name, arguments
    const LINES: [(&[u8], &str, &str, &str); 11] = [
        (b"name", "", "name", ""),
        (b"1 name\r\n", "1", "name", ""),
        (b"007 name", "007", "name", ""),
        (b"99999999999999999999 name", "99999999999999999999", "name", ""),
        (b"\t 3\tplay\tw\tQ16\t", "3", "play", "w|Q16"),
        (b"play b D4#x", "", "play", "b|D4"),
        (b"na\x01me\x7f", "", "name", ""),
        (b"17", "17", "", ""),
        (b"-1 name", "", "-1", "name"),
        (b"loadsgf a  b.sgf 3", "", "loadsgf", "a|b.sgf|3"),
        (b"echo \xff", "", "echo", "\u{fffd}"),
    ];

    #[test]
    fn lines_are_read_as_the_specification_says() {
        for (line, id, name, args) in LINES {
            let command = GtpCommand::parse(line).unwrap();
            let found = command.id.map_or(String::new(), |id| id.to_string());
            assert_eq!((found.as_str(), command.name.as_str()), (id, name), "{line:?}");
            assert_eq!(command.args.join("|"), args, "{line:?}");
        }
        for nothing in ["", "\n", "\r\n", " \t ", "# x", "  # 3 name"] {
            assert_eq!(GtpCommand::parse(nothing.as_bytes()), None, "{nothing:?}");
        }
    }

    #[test]
    fn interrupts_are_comments() {
        for line in ["# interrupt", "#interrupt\r\n", " # interrupt \n"] {
            assert!(is_interrupt(line.as_bytes()), "{line:?}");
            assert_eq!(GtpCommand::parse(line.as_bytes()), None);
        }
        assert!(!is_interrupt(b"# interrupted"));
        assert!(!is_interrupt(b"interrupt"));
    }

    #[test]
    fn answers_have_no_blank_line_inside() {
        let text = |content| GtpAnswer::success(content).to_gtp_text(Some(&CommandId::from(4)));
        assert_eq!(text("a\n\nb\n"), "=4 a\nb\n\n");
        assert_eq!(text("\nboard \n  \nend"), "=4\nboard\nend\n\n");
        assert_eq!(text("a\rb\u{7}"), "=4 a b\n\n");
        assert_eq!(GtpAnswer::failure("").to_gtp_text(None), "?\n\n");
    }

    #[test]
    fn heads_of_answers() {
        assert_eq!(parse_answer_head("=3 D4"), Some((true, Some(CommandId::from(3)), "D4")));
        assert_eq!(parse_answer_head("?\tno"), Some((false, None, "no")));
        assert_eq!(parse_answer_head("="), Some((true, None, "")));
        for noise in ["", "=== Engine ===", "=3x", "?what", "info", "é"] {
            assert_eq!(parse_answer_head(noise), None, "{noise}");
        }
    }

    proptest! {
        #[test]
        fn no_bytes_make_it_panic(line in proptest::collection::vec(any::<u8>(), 0..200)) {
            if let Some(command) = GtpCommand::parse(&line) {
                let again = GtpCommand::parse(command.to_string().as_bytes()).unwrap();
                prop_assert_eq!(&again.args, &command.args);
                let answer = GtpAnswer::success(&command.rest).to_gtp_text(command.id.as_ref());
                prop_assert_eq!(answer.find("\n\n"), Some(answer.len() - 2));
            }
            parse_answer_head(&String::from_utf8_lossy(&line));
            is_interrupt(&line);
        }

        #[test]
        fn any_answer_ends_at_its_blank_line(content in "(?s).{0,60}", ok: bool) {
            let answer = GtpAnswer { ok, content }.to_gtp_text(Some(&CommandId::from(1)));
            prop_assert_eq!(answer.find("\n\n"), Some(answer.len() - 2));
            prop_assert!(parse_answer_head(answer.lines().next().unwrap()).is_some());
        }
    }
}
