//! A controller: commands out, answers in, over any [`EngineConnection`].
//!
//! Engines in the wild print banners and debug lines on stdout, echo no ids, answer late: whatever stands before an
//! answer is kept as [`GtpClient::noise_lines`], late answers are skipped, and an error quotes what was said.

use std::collections::{BTreeSet, VecDeque};
use std::fmt;
use std::io::{BufRead, Write};
use std::time::Duration;

use ishi_go::{BoardSize, Color, Move, Point};

use crate::protocol::{CommandId, GtpAnswer, parse_answer_head};

/// A way to an engine and back.
pub trait EngineConnection {
    /// Why it failed: timeout, crash, closed pipe.
    type Error: fmt::Debug + fmt::Display;

    /// Sends a line (given without newline). The answer is wanted within `limit` from now; a connection without a
    /// clock ignores that.
    ///
    /// # Errors
    /// If the line could not be sent.
    fn send_line(&mut self, line: &str, limit: Option<Duration>) -> Result<(), Self::Error>;

    /// The next line without its newline, `None` if the engine has closed its output.
    ///
    /// # Errors
    /// If no line came in time, or reading failed.
    fn receive_line(&mut self) -> Result<Option<String>, Self::Error>;
}

/// A connection over a reader and a writer, without a clock.
#[derive(Debug)]
pub struct StreamConnection<R, W> {
    reader: R,
    writer: W,
}

impl<R: BufRead, W: Write> StreamConnection<R, W> {
    /// Reads answers from `reader`, writes commands to `writer`.
    pub fn new(reader: R, writer: W) -> Self {
        StreamConnection { reader, writer }
    }
}

impl<R: BufRead, W: Write> EngineConnection for StreamConnection<R, W> {
    type Error = std::io::Error;

    fn send_line(&mut self, line: &str, _limit: Option<Duration>) -> std::io::Result<()> {
        self.writer.write_all(line.as_bytes())?;
        self.writer.write_all(b"\n")?;
        self.writer.flush()
    }

    fn receive_line(&mut self) -> std::io::Result<Option<String>> {
        let mut line = Vec::new();
        let count = self.reader.read_until(b'\n', &mut line)?;
        Ok((count > 0).then(|| String::from_utf8_lossy(&line).trim_end_matches(['\n', '\r']).to_string()))
    }
}

/// Why a command got no usable answer.
#[derive(Debug, thiserror::Error)]
pub enum ClientError<E: fmt::Debug + fmt::Display> {
    /// The engine answered `?`.
    #[error("the engine refused \"{command}\": {message}")]
    Refused {
        /// The command.
        command: String,
        /// What the engine said.
        message: String,
    },
    /// The engine answered, but not what the command asks for.
    #[error("the engine answered \"{command}\" with {answer:?}: expected {wanted}")]
    Unusable {
        /// The command.
        command: String,
        /// The answer.
        answer: String,
        /// What would be right.
        wanted: String,
    },
    /// The engine closed its output.
    #[error("the engine ended without an answer to \"{command}\"")]
    Ended {
        /// The command.
        command: String,
    },
    /// The connection failed.
    #[error("no answer to \"{command}\": {error}")]
    Connection {
        /// The command.
        command: String,
        /// What happened.
        error: E,
    },
    /// The command itself would break the protocol.
    #[error("invalid command {command:?}: a command must be one line without control characters and #")]
    Command {
        /// The command.
        command: String,
    },
}

/// An answer of `genmove`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GenmoveAnswer {
    /// A stone or a pass; the engine has played it.
    Move(Move),
    /// The engine resigns; nothing was played.
    Resign,
}

/// The vertex, `pass` or `resign`.
impl fmt::Display for GenmoveAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GenmoveAnswer::Move(mv) => mv.fmt(f),
            GenmoveAnswer::Resign => f.pad("resign"),
        }
    }
}

/// An answer of `final_score`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FinalScore {
    /// The winner and by how many points (above 0); infinite for a win by resignation or time.
    Win(Color, f64),
    /// A draw.
    Draw,
}

impl FinalScore {
    /// Reads `B+3.5`, `W+0.5`, `0`, `Draw`, and also `B+R`, `B+Resign`, `W+T`. `None` for anything else.
    ///
    /// ```
    /// use ishi_go::Color;
    /// use ishi_gtp::FinalScore;
    /// assert_eq!(FinalScore::parse("B+3.5"), Some(FinalScore::Win(Color::Black, 3.5)));
    /// assert_eq!(FinalScore::parse("Jigo"), Some(FinalScore::Draw));
    /// assert_eq!(FinalScore::parse("B wins"), None);
    /// ```
    pub fn parse(text: &str) -> Option<FinalScore> {
        let text = text.split_whitespace().next()?;
        if ["0", "draw", "jigo"].iter().any(|draw| text.eq_ignore_ascii_case(draw)) {
            return Some(FinalScore::Draw);
        }
        let (winner, margin) = text.split_once('+')?;
        let winner = winner.parse().ok()?;
        let points: f64 = match margin.to_ascii_lowercase().as_str() {
            "r" | "resign" | "t" | "time" => f64::INFINITY,
            digits => digits.parse().ok().filter(|points: &f64| points.is_finite() && *points >= 0.0)?,
        };
        Some(if points == 0.0 { FinalScore::Draw } else { FinalScore::Win(winner, points) })
    }
}

/// What `final_status_list` is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StoneStatus {
    /// Stones that live.
    Alive,
    /// Stones that are dead.
    Dead,
    /// Stones in seki.
    Seki,
}

impl fmt::Display for StoneStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            StoneStatus::Alive => "alive",
            StoneStatus::Dead => "dead",
            StoneStatus::Seki => "seki",
        })
    }
}

/// Lines kept from what an engine prints outside its answers.
const NOISE_LINES: usize = 200;

/// An answer longer than this (16 MiB) is an engine gone mad.
const ANSWER_BYTES: usize = 1 << 24;

/// Lines longer than this are cut in errors.
const QUOTED: usize = 200;

/// A controller of one engine.
///
/// ```
/// use ishi_go::{BoardSize, Color, Move};
/// use ishi_gtp::{GtpClient, GenmoveAnswer, StreamConnection};
/// let answers = "Engine 1.0 ready\n=1\n\n=2 D4\n\n=3 resign\n\n".as_bytes();
/// let mut client = GtpClient::new(StreamConnection::new(answers, Vec::new()));
/// client.boardsize(BoardSize::square(9).unwrap()).unwrap();
/// let d4 = BoardSize::square(9).unwrap().parse_move("D4").unwrap();
/// assert_eq!(client.genmove(Color::Black).unwrap(), GenmoveAnswer::Move(d4));
/// assert_eq!(client.genmove(Color::White).unwrap(), GenmoveAnswer::Resign);
/// assert_eq!(client.noise_lines().collect::<Vec<_>>(), ["Engine 1.0 ready"]);
/// ```
#[derive(Debug)]
pub struct GtpClient<C> {
    connection: C,
    last_id: u32,
    limit: Option<Duration>,
    size: BoardSize,
    noise: VecDeque<String>,
}

/// The outcome of a command.
pub type CommandResult<T, C> = Result<T, ClientError<<C as EngineConnection>::Error>>;

impl<C: EngineConnection> GtpClient<C> {
    /// A controller of a freshly started engine.
    pub fn new(connection: C) -> Self {
        let size = BoardSize::square(19).expect("19 lines are allowed");
        GtpClient { connection, last_id: 0, limit: None, size, noise: VecDeque::new() }
    }

    /// Every answer from now on is wanted within this time, or `None` to wait for ever.
    pub fn set_limit(&mut self, limit: Option<Duration>) {
        self.limit = limit;
    }

    /// The connection.
    pub fn connection(&self) -> &C {
        &self.connection
    }

    /// The connection, for what is not in the protocol.
    pub fn connection_mut(&mut self) -> &mut C {
        &mut self.connection
    }

    /// Gives the connection back.
    pub fn into_connection(self) -> C {
        self.connection
    }

    /// The last lines the engine printed outside its answers.
    pub fn noise_lines(&self) -> impl Iterator<Item = &str> {
        self.noise.iter().map(String::as_str)
    }

    /// Sends any command line, without id, and returns what stands after the `=`, lines joined by newlines.
    ///
    /// ```
    /// use ishi_gtp::{GtpClient, StreamConnection};
    /// let answers = "=1 GNU Go\n\n?2 unknown command\n\n".as_bytes();
    /// let mut client = GtpClient::new(StreamConnection::new(answers, Vec::new()));
    /// assert_eq!(client.send_command("name").unwrap(), "GNU Go");
    /// assert!(client.send_command("dance").is_err());
    /// ```
    ///
    /// # Errors
    /// If the engine refuses it, ends, or does not answer in time.
    pub fn send_command(&mut self, command: &str) -> CommandResult<String, C> {
        let answer = self.request_answer(command)?;
        if answer.ok {
            return Ok(answer.content);
        }
        Err(ClientError::Refused {
            command: shorten_for_message(command),
            // Some engines explain themselves on further lines.
            message: shorten_for_message(&answer.content.lines().collect::<Vec<_>>().join(": ")),
        })
    }

    /// Like [`GtpClient::send_command`] with another time limit for this command only.
    ///
    /// # Errors
    /// As [`GtpClient::send_command`].
    pub fn send_command_within(
        &mut self,
        limit: Option<Duration>,
        command: &str,
    ) -> CommandResult<String, C> {
        let usual = std::mem::replace(&mut self.limit, limit);
        let answer = self.send_command(command);
        self.limit = usual;
        answer
    }

    /// Sends a command line and returns the answer, refused or not.
    ///
    /// # Errors
    /// If the engine ends or does not answer in time.
    pub fn request_answer(&mut self, command: &str) -> CommandResult<GtpAnswer, C> {
        if command.trim().is_empty() || command.chars().any(|c| c.is_control() || c == '#') {
            return Err(ClientError::Command { command: shorten_for_message(command) });
        }
        self.last_id = self.last_id.wrapping_add(1) % (1 << 31);
        let line = format!("{} {command}", self.last_id);
        let failed = |error| ClientError::Connection { command: shorten_for_message(command), error };
        self.connection.send_line(&line, self.limit).map_err(failed)?;
        self.receive_answer(command)
    }

    /// Reads up to the answer of the last command.
    fn receive_answer(&mut self, command: &str) -> CommandResult<GtpAnswer, C> {
        let wanted = CommandId::from(self.last_id);
        loop {
            let line = self.next_output_line(command)?;
            let Some((ok, id, first)) = parse_answer_head(&line) else {
                self.keep_noise(line);
                continue;
            };
            let late = id.is_some_and(|id| id != wanted);
            let mut content = first.to_string();
            self.receive_answer_lines(command, &mut content)?;
            if !late {
                return Ok(GtpAnswer { ok, content });
            }
            self.keep_noise(format!("late answer: {line}"));
        }
    }

    /// Reads the lines of an answer after its first.
    fn receive_answer_lines(&mut self, command: &str, content: &mut String) -> CommandResult<(), C> {
        loop {
            let line = self.next_output_line(command)?;
            if line.trim().is_empty() {
                content.truncate(content.trim_end().len());
                return Ok(());
            }
            content.push('\n');
            content.push_str(&line);
            if content.len() > ANSWER_BYTES {
                return Err(ClientError::Unusable {
                    command: shorten_for_message(command),
                    answer: shorten_for_message(content),
                    wanted: format!("an answer that ends within {ANSWER_BYTES} bytes"),
                });
            }
        }
    }

    fn next_output_line(&mut self, command: &str) -> CommandResult<String, C> {
        match self.connection.receive_line() {
            Ok(Some(line)) => Ok(line),
            Ok(None) => Err(ClientError::Ended { command: shorten_for_message(command) }),
            Err(error) => Err(ClientError::Connection { command: shorten_for_message(command), error }),
        }
    }

    fn keep_noise(&mut self, line: String) {
        if line.trim().is_empty() {
            return;
        }
        if self.noise.len() == NOISE_LINES {
            self.noise.pop_front();
        }
        self.noise.push_back(shorten_for_message(&line));
    }
}

/// What the commands of GTP 2 mean.
impl<C: EngineConnection> GtpClient<C> {
    /// The engine's name.
    ///
    /// # Errors
    /// As [`GtpClient::send_command`].
    pub fn name(&mut self) -> CommandResult<String, C> {
        self.send_command("name")
    }

    /// The engine's version; empty for an engine that has none.
    ///
    /// # Errors
    /// As [`GtpClient::send_command`].
    pub fn version(&mut self) -> CommandResult<String, C> {
        self.send_command("version")
    }

    /// The commands the engine knows.
    ///
    /// # Errors
    /// As [`GtpClient::send_command`].
    pub fn list_commands(&mut self) -> CommandResult<BTreeSet<String>, C> {
        Ok(self.send_command("list_commands")?.split_whitespace().map(str::to_string).collect())
    }

    /// Does the engine know this command?
    ///
    /// # Errors
    /// As [`GtpClient::send_command`].
    pub fn known_command(&mut self, name: &str) -> CommandResult<bool, C> {
        Ok(self.send_command(&format!("known_command {name}"))?.eq_ignore_ascii_case("true"))
    }

    /// Sets the size (`rectangular_boardsize` if width and height differ); the board is arbitrary until
    /// [`GtpClient::clear_board`].
    ///
    /// # Errors
    /// As [`GtpClient::send_command`].
    pub fn boardsize(&mut self, size: BoardSize) -> CommandResult<(), C> {
        let (width, height) = (size.width(), size.height());
        let square = width == height;
        self.send_command(&if square {
            format!("boardsize {width}")
        } else {
            format!("rectangular_boardsize {width} {height}")
        })?;
        self.size = size;
        Ok(())
    }

    /// Empties the board.
    ///
    /// # Errors
    /// As [`GtpClient::send_command`].
    pub fn clear_board(&mut self) -> CommandResult<(), C> {
        self.send_command("clear_board").map(drop)
    }

    /// Sets komi, in points for White.
    ///
    /// # Errors
    /// As [`GtpClient::send_command`].
    pub fn set_komi(&mut self, points: f64) -> CommandResult<(), C> {
        self.send_command(&format!("komi {points}")).map(drop)
    }

    /// Tells of a move.
    ///
    /// # Errors
    /// As [`GtpClient::send_command`]; an engine that holds it illegal refuses.
    pub fn play(&mut self, color: Color, mv: Move) -> CommandResult<(), C> {
        self.send_command(&format!("play {color} {mv}")).map(drop)
    }

    /// Asks for a move and has it played.
    ///
    /// # Errors
    /// As [`GtpClient::send_command`], and if the answer is no vertex of the board.
    pub fn genmove(&mut self, color: Color) -> CommandResult<GenmoveAnswer, C> {
        self.request_move(&format!("genmove {color}"))
    }

    /// Asks for a move without playing it.
    ///
    /// # Errors
    /// As [`GtpClient::genmove`].
    pub fn reg_genmove(&mut self, color: Color) -> CommandResult<GenmoveAnswer, C> {
        self.request_move(&format!("reg_genmove {color}"))
    }

    /// Asks for a move that removes dead stones, after two passes, as KGS does.
    ///
    /// # Errors
    /// As [`GtpClient::genmove`].
    pub fn genmove_cleanup(&mut self, color: Color) -> CommandResult<GenmoveAnswer, C> {
        self.request_move(&format!("kgs-genmove_cleanup {color}"))
    }

    fn request_move(&mut self, command: &str) -> CommandResult<GenmoveAnswer, C> {
        let answer = self.send_command(command)?;
        let text = answer.trim();
        if text.eq_ignore_ascii_case("resign") {
            return Ok(GenmoveAnswer::Resign);
        }
        self.size.parse_move(text).map(GenmoveAnswer::Move).map_err(|error| ClientError::Unusable {
            command: command.to_string(),
            answer: shorten_for_message(&answer),
            wanted: format!("a vertex, pass or resign ({error})"),
        })
    }

    /// Takes the last move back.
    ///
    /// # Errors
    /// As [`GtpClient::send_command`].
    pub fn undo(&mut self) -> CommandResult<(), C> {
        self.send_command("undo").map(drop)
    }

    /// The engine's opinion of the result.
    ///
    /// # Errors
    /// As [`GtpClient::send_command`], and if the answer is no score.
    pub fn final_score(&mut self) -> CommandResult<FinalScore, C> {
        let answer = self.send_command("final_score")?;
        FinalScore::parse(&answer).ok_or_else(|| ClientError::Unusable {
            command: "final_score".to_string(),
            answer: shorten_for_message(&answer),
            wanted: "a score such as B+3.5 or 0".to_string(),
        })
    }

    /// The stones of this status.
    ///
    /// # Errors
    /// As [`GtpClient::send_command`], and if the answer holds something else than vertices of the board.
    pub fn final_status_list(&mut self, status: StoneStatus) -> CommandResult<Vec<Point>, C> {
        self.request_points(&format!("final_status_list {status}"))
    }

    /// Places the handicap stones of the fixed pattern and returns them.
    ///
    /// # Errors
    /// As [`GtpClient::final_status_list`].
    pub fn fixed_handicap(&mut self, stones: usize) -> CommandResult<Vec<Point>, C> {
        self.request_points(&format!("fixed_handicap {stones}"))
    }

    /// Lets the engine place handicap stones and returns them.
    ///
    /// # Errors
    /// As [`GtpClient::final_status_list`].
    pub fn place_free_handicap(&mut self, stones: usize) -> CommandResult<Vec<Point>, C> {
        self.request_points(&format!("place_free_handicap {stones}"))
    }

    /// Tells of handicap stones.
    ///
    /// # Errors
    /// As [`GtpClient::send_command`].
    pub fn set_free_handicap(&mut self, stones: &[Point]) -> CommandResult<(), C> {
        let vertices: Vec<String> = stones.iter().map(Point::to_string).collect();
        self.send_command(&format!("set_free_handicap {}", vertices.join(" "))).map(drop)
    }

    fn request_points(&mut self, command: &str) -> CommandResult<Vec<Point>, C> {
        let answer = self.send_command(command)?;
        let parse = |word| self.size.parse_point(word);
        answer.split_whitespace().map(parse).collect::<Result<_, _>>().map_err(|error| {
            ClientError::Unusable {
                command: command.to_string(),
                answer: shorten_for_message(&answer),
                wanted: format!("vertices ({error})"),
            }
        })
    }

    /// Sets main time, and the Canadian overtime period with its number of stones; `byoyomi` above zero with
    /// `stones` 0 means no time limit. GTP 2 has whole seconds: fractions are dropped.
    ///
    /// # Errors
    /// As [`GtpClient::send_command`].
    pub fn time_settings(&mut self, main: Duration, byoyomi: Duration, stones: u32) -> CommandResult<(), C> {
        self.send_command(&format!("time_settings {} {} {stones}", main.as_secs(), byoyomi.as_secs()))
            .map(drop)
    }

    /// Tells how much time is left, in whole seconds as GTP 2 has it; `stones` is 0 in main time.
    ///
    /// # Errors
    /// As [`GtpClient::send_command`].
    pub fn time_left(&mut self, color: Color, left: Duration, stones: u32) -> CommandResult<(), C> {
        self.send_command(&format!("time_left {color} {} {stones}", left.as_secs())).map(drop)
    }

    /// Sets the rules by name (`chinese`, `japanese`, `aga`, `new_zealand`), as KGS does.
    ///
    /// # Errors
    /// As [`GtpClient::send_command`].
    pub fn kgs_rules(&mut self, name: &str) -> CommandResult<(), C> {
        self.send_command(&format!("kgs-rules {name}")).map(drop)
    }

    /// Loads a game record from a file the engine can read, up to before `before_move` if given.
    ///
    /// # Errors
    /// As [`GtpClient::send_command`].
    pub fn loadsgf(&mut self, path: &str, before_move: Option<u32>) -> CommandResult<(), C> {
        let number = before_move.map_or(String::new(), |number| format!(" {number}"));
        self.send_command(&format!("loadsgf {path}{number}")).map(drop)
    }

    /// The board as the engine draws it.
    ///
    /// # Errors
    /// As [`GtpClient::send_command`].
    pub fn showboard(&mut self) -> CommandResult<String, C> {
        self.send_command("showboard")
    }

    /// Processor time used so far, in seconds.
    ///
    /// # Errors
    /// As [`GtpClient::send_command`], and if the answer is no number.
    pub fn cputime(&mut self) -> CommandResult<f64, C> {
        let answer = self.send_command("cputime")?;
        answer.trim().parse().map_err(|_| ClientError::Unusable {
            command: "cputime".to_string(),
            answer: shorten_for_message(&answer),
            wanted: "seconds such as 1.25".to_string(),
        })
    }

    /// Asks the engine to end.
    ///
    /// # Errors
    /// As [`GtpClient::send_command`].
    pub fn quit(&mut self) -> CommandResult<(), C> {
        self.send_command("quit").map(drop)
    }
}

/// The text, cut to a length that fits into an error message.
fn shorten_for_message(text: &str) -> String {
    if text.chars().count() <= QUOTED {
        return text.to_string();
    }
    text.chars().take(QUOTED).chain("...".chars()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client(answers: &str) -> GtpClient<StreamConnection<&[u8], Vec<u8>>> {
        GtpClient::new(StreamConnection::new(answers.as_bytes(), Vec::new()))
    }

    fn sent(client: GtpClient<StreamConnection<&[u8], Vec<u8>>>) -> String {
        String::from_utf8(client.into_connection().writer).unwrap()
    }

    #[test]
    fn commands_carry_ids_and_answers_may_have_lines() {
        let mut client = client("=1 name\nplay\r\n\n= 2\n\n");
        let known = client.list_commands().unwrap();
        assert!(known.contains("play") && known.contains("name"));
        assert_eq!(client.version().unwrap(), "2");
        assert_eq!(sent(client), "1 list_commands\n2 version\n");
    }

    #[test]
    fn noise_and_late_answers_are_skipped_and_kept() {
        let mut client = client("loading...\n== ready ==\n\n?1 no\n\n=1 late\nmore\n\n=2 GNU Go\n\n");
        let refused = client.send_command("frobnicate").unwrap_err().to_string();
        assert_eq!(refused, "the engine refused \"frobnicate\": no");
        assert_eq!(client.name().unwrap(), "GNU Go");
        let noise: Vec<&str> = client.noise_lines().collect();
        assert_eq!(noise, ["loading...", "== ready ==", "late answer: =1 late"]);
    }

    #[test]
    fn unusable_answers_are_quoted() {
        let mut client = client("=1 I9\n\n=2 b+what\n\n=3 A1 Z9\n\n=4");
        let error = |error: ClientError<std::io::Error>| error.to_string();
        let genmove = error(client.genmove(Color::Black).unwrap_err());
        assert!(genmove.contains("I9") && genmove.contains("column I is not used"), "{genmove}");
        assert!(error(client.final_score().unwrap_err()).contains("such as B+3.5"));
        assert!(error(client.final_status_list(StoneStatus::Dead).unwrap_err()).contains("Z9"));
        assert!(error(client.undo().unwrap_err()).contains("ended without an answer to \"undo\""));
    }

    #[test]
    fn a_command_cannot_break_the_protocol() {
        let mut client = client("");
        for bad in ["", " ", "name\nquit", "name # x", "a\rb"] {
            assert!(matches!(client.send_command(bad), Err(ClientError::Command { .. })), "{bad:?}");
        }
        assert_eq!(sent(client), "");
    }

    #[test]
    fn scores() {
        for (text, score) in [
            ("B+3.5", Some(FinalScore::Win(Color::Black, 3.5))),
            ("w+12", Some(FinalScore::Win(Color::White, 12.0))),
            ("W+R", Some(FinalScore::Win(Color::White, f64::INFINITY))),
            ("0", Some(FinalScore::Draw)),
            ("Draw", Some(FinalScore::Draw)),
            ("B+0.0 (upper bound)", Some(FinalScore::Draw)),
            ("", None),
            ("B+-1", None),
            ("B+inf", None),
            ("X+3", None),
            ("cannot score", None),
        ] {
            assert_eq!(FinalScore::parse(text), score, "{text}");
        }
    }

    #[test]
    fn whole_session() {
        let answers: String = (1..=8).map(|id| format!("={id}\n\n")).collect();
        let mut client = client(&answers);
        let size = BoardSize::new(9, 7).unwrap();
        client.boardsize(size).unwrap();
        client.clear_board().unwrap();
        client.set_komi(6.5).unwrap();
        client.play(Color::White, Move::Pass).unwrap();
        client.set_free_handicap(&[Point::new(2, 2), Point::new(6, 6)]).unwrap();
        client.time_settings(Duration::from_secs(60), Duration::from_secs(10), 5).unwrap();
        client.time_left(Color::Black, Duration::from_millis(9_900), 0).unwrap();
        assert_eq!(client.final_status_list(StoneStatus::Dead).unwrap(), []);
        let lines = "1 rectangular_boardsize 9 7\n2 clear_board\n3 komi 6.5\n4 play white pass\n\
            5 set_free_handicap C3 G7\n6 time_settings 60 10 5\n7 time_left black 9 0\n8 final_status_list dead\n";
        assert_eq!(sent(client), lines);
    }
}
