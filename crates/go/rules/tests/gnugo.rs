//! Random games on 5x5 to 19x19, move by move the same as in a real GNU Go: legal moves of both colours, captures and
//! the stones on the board, after moves and after undo. GNU Go 3.8 allows what we call the simple ko without suicide.

// The oracle of this test is a process.
#![allow(clippy::disallowed_methods)]

use std::collections::BTreeSet;
use std::io::{Read, Write};
use std::process::{Command, Stdio};

use ishi_go::{BoardSize, Color, KoRule, Move, Point, Position, Rules};
use ishi_rng::{Rng, Seed};

/// Where Debian installs it, then the path.
const PROGRAMS: [&str; 2] = ["/usr/games/gnugo", "gnugo"];

/// Commands, each with the answer that GNU Go must give.
#[derive(Default)]
struct Script {
    lines: Vec<(String, Answer)>,
    /// Positions in which a ko may not be retaken.
    kos: usize,
}

/// What an answer must be.
#[derive(Clone, Debug, PartialEq)]
enum Answer {
    /// Success, whatever the text.
    Success,
    /// These words in any order.
    Words(BTreeSet<String>),
}

fn words(items: impl IntoIterator<Item = impl ToString>) -> Answer {
    Answer::Words(items.into_iter().map(|item| item.to_string()).collect())
}

impl Script {
    fn say(&mut self, command: String, answer: Answer) {
        self.lines.push((command, answer));
    }

    /// Asks everything about a position.
    fn ask_all(&mut self, position: &Position) {
        self.kos += usize::from(position.board().ko_point().is_some());
        for color in Color::ALL {
            self.say(format!("all_legal {color}"), words(position.legal_moves(color)));
            self.say(format!("captures {color}"), words([position.prisoners(color)]));
            let board = position.board();
            let stones = position.size().points().filter(|&point| board.color(point) == Some(color));
            self.say(format!("list_stones {color}"), words(stones));
        }
    }

    /// A random game with some moves taken back.
    fn add_game(&mut self, side: usize, rng: &mut Rng) {
        let size = BoardSize::square(side).unwrap();
        let mut position = Position::new(size, Rules { ko: KoRule::Simple, ..Rules::CHINESE });
        self.say(format!("boardsize {side}"), Answer::Success);
        self.say("clear_board".to_string(), Answer::Success);
        for _ in 0..(3 * side * side).min(450) {
            if rng.chance(0.04) && position.undo().is_some() {
                self.say("undo".to_string(), Answer::Success);
            } else {
                self.play_random(&mut position, rng);
            }
            self.ask_all(&position);
        }
    }

    fn play_random(&mut self, position: &mut Position, rng: &mut Rng) {
        let color = if rng.chance(0.1) { !position.to_move() } else { position.to_move() };
        let legal = position.legal_moves(color);
        // Captures more often than chance has them: they make the kos.
        let captures: Vec<Point> = legal.iter().copied().filter(|&p| captures(position, color, p)).collect();
        let choice = if rng.chance(0.3) && !captures.is_empty() { &captures } else { &legal };
        let mv = rng.choose(choice).map_or(Move::Pass, |&point| Move::Play(point));
        position.play(color, mv).unwrap();
        self.say(format!("play {color} {mv}"), Answer::Success);
    }
}

fn captures(position: &Position, color: Color, point: Point) -> bool {
    let board = position.board();
    let taken = |&n: &Point| {
        board.color(n) == Some(!color)
            && board.chain(n).and_then(|chain| board.atari_liberty(chain)) == Some(point)
    };
    point.neighbours().iter().any(taken)
}

/// Runs GNU Go on a script and gives its answers; `None` if there is no GNU Go.
fn gnugo(script: &Script) -> Option<Vec<Answer>> {
    let start = |program: &&str| {
        let pipes = (Stdio::piped(), Stdio::piped(), Stdio::null());
        let mut command = Command::new(program);
        command.args(["--mode", "gtp"]).stdin(pipes.0).stdout(pipes.1).stderr(pipes.2).spawn().ok()
    };
    let mut child = PROGRAMS.iter().find_map(start)?;
    let mut input = child.stdin.take().unwrap();
    let mut text: String = script.lines.iter().map(|(command, _)| format!("{command}\n")).collect();
    text.push_str("quit\n");
    let writer = std::thread::spawn(move || input.write_all(text.as_bytes()));
    let mut output = String::new();
    child.stdout.take().unwrap().read_to_string(&mut output).unwrap();
    writer.join().unwrap().unwrap();
    child.wait().unwrap();
    let answers = output.split("\n\n").map(|answer| match answer.trim().strip_prefix('=') {
        Some(result) => words(result.split_whitespace()),
        None => panic!("GNU Go refuses: {answer}"),
    });
    let expected = script.lines.len();
    Some(answers.take(expected).collect())
}

#[test]
fn random_games_are_the_same_in_gnu_go() {
    let mut script = Script::default();
    for side in 5..=19 {
        let mut rng = Seed::new(38).stream("gnugo", side as u64);
        script.add_game(side, &mut rng);
    }
    assert!(script.kos > 50, "only {} kos", script.kos);
    let Some(answers) = gnugo(&script) else {
        let _ = writeln!(std::io::stderr(), "SKIPPED: needs GNU Go 3.8 (apt-get install gnugo)");
        return;
    };
    assert_eq!(answers.len(), script.lines.len());
    for (number, ((command, expected), answer)) in script.lines.iter().zip(&answers).enumerate() {
        if *expected != Answer::Success && expected != answer {
            let start =
                script.lines[..number].iter().rposition(|(c, _)| c.starts_with("boardsize")).unwrap_or(0);
            let game: Vec<&str> = script.lines[start..number]
                .iter()
                .map(|(command, _)| command.as_str())
                .filter(|c| ["boardsize", "play", "undo"].iter().any(|kept| c.starts_with(kept)))
                .collect();
            panic!("{command}: expected {expected:?}, GNU Go says {answer:?} after\n{}", game.join("\n"));
        }
    }
}

#[test]
fn fixed_handicaps_are_the_same_in_gnu_go() {
    let mut script = Script::default();
    for side in 7..=19 {
        let size = BoardSize::square(side).unwrap();
        script.say(format!("boardsize {side}"), Answer::Success);
        for stones in 2..=ishi_go::handicap::max_fixed_stones(size) {
            script.say("clear_board".to_string(), Answer::Success);
            let points = ishi_go::handicap::fixed_placement(size, stones).unwrap();
            script.say(format!("fixed_handicap {stones}"), words(points));
        }
    }
    let Some(answers) = gnugo(&script) else {
        let _ = writeln!(std::io::stderr(), "SKIPPED: needs GNU Go 3.8 (apt-get install gnugo)");
        return;
    };
    assert_eq!(answers.len(), script.lines.len());
    for ((command, expected), answer) in script.lines.iter().zip(&answers) {
        assert!(
            *expected == Answer::Success || expected == answer,
            "{command}: {expected:?}, not {answer:?}"
        );
    }
}
