//! `ishi othello practice`: openings are asked, and what was missed comes back.

use std::fmt::Write as _;
use std::io::{self, BufRead, IsTerminal};
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use ishi_othello::{Color, Position, Square};
use ishi_othello_play::book::Book;
use ishi_othello_play::openings::OpeningNames;
use ishi_othello_play::practice::{
    JudgedAnswer, OpeningPractice, PracticeSession, QuestionWish, gather_questions, judge_answer,
};

use super::coach::{Language, in_brackets, input, picture, print_text, words};
use crate::context::{Context, Failure};
use crate::files;
use crate::typed::TypedInput;

const HELP: &str = "\
Examples:
  ishi othello practice                            ten positions of the book
  ishi othello practice --from f5d6c3d3c4 --color white
  ishi othello practice --file openings.txt        what was missed comes back the next time
  ishi othello practice --book my.book --count 20 --lang ja

A position is shown, and you answer with a move. An answer is right if the book finds it \
within a disc of the best. A missed position is asked again behind the others. With --file it \
also comes back in later sessions: after one, then two, four, eight and sixteen. An empty line shows the answer, and \
quit ends.";

/// Asks openings, and again what was missed.
#[derive(Args, Debug)]
#[command(after_long_help = HELP)]
pub struct PracticeArgs {
    /// Moves from which on openings are asked, such as f5d6
    #[arg(long, default_value = "start", value_name = "POSITION", allow_hyphen_values = true)]
    from: String,
    /// Whose moves are asked
    #[arg(long, value_enum, default_value = "both")]
    color: AskedSide,
    /// New positions to ask
    #[arg(long, default_value_t = 10, value_name = "N")]
    count: usize,
    /// Moves beyond --from at most
    #[arg(long, default_value_t = 12, value_name = "N")]
    plies: usize,
    /// Where missed positions are kept
    #[arg(long, value_name = "FILE")]
    file: Option<PathBuf>,
    /// A book; if not given, the one that is built in
    #[arg(long, value_name = "FILE")]
    book: Option<PathBuf>,
    /// Language
    #[arg(long, default_value = "en", value_name = "en|ja")]
    lang: Language,
}

#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
enum AskedSide {
    Black,
    White,
    Both,
}

impl AskedSide {
    fn color(self) -> Option<Color> {
        match self {
            AskedSide::Black => Some(Color::Black),
            AskedSide::White => Some(Color::White),
            AskedSide::Both => None,
        }
    }
}

/// Asks until all is answered, the user quits, or the input ends.
pub fn run(args: &PracticeArgs, context: &Context) -> Result<(), Failure> {
    let from = input::parse_position(&args.from)?;
    if from.setup() != Position::start().setup() {
        let problem =
            format!("{:?}: it must be moves from the start, such as f5d6: cards keep moves", args.from);
        return Err(Failure::input(problem));
    }
    if let Some(path) = &args.file {
        // What was missed is kept at the end: nobody practises for nothing.
        files::check_writable(path, true)?;
    }
    let book = super::book::load_book(args.book.as_deref())?;
    let mut practice = read_practice(args.file.as_deref())?;
    practice.begin_session();
    // Another session asks other positions.
    let mut rng = context.seed.stream("othello-practice", u64::from(practice.session()));
    let wish = QuestionWish { from: &from, color: args.color.color(), count: args.count, plies: args.plies };
    let queue = gather_questions(&book, wish, &practice, &mut rng);
    if queue.is_empty() {
        return Err(Failure::Negative(match args.count {
            0 => "nothing missed is due, and --count 0 asks nothing new".to_string(),
            _ => format!("{}: the book has nothing to ask there", args.from),
        }));
    }
    let session = PracticeSession::new(queue);
    let mut desk = PracticeDesk { book, practice, session, language: args.lang, context };
    let ended = desk.ask_all(&mut TypedInput::start());
    if let Some(path) = &args.file {
        save_practice(path, &desk.practice)?;
    }
    ended?;
    desk.print_result(args.file.is_some())
}

fn read_practice(path: Option<&Path>) -> Result<OpeningPractice, Failure> {
    let Some(path) = path.filter(|path| path.exists()) else { return Ok(OpeningPractice::default()) };
    let name = path.display();
    let text = String::from_utf8(files::read_file_or_stdin(path)?)
        .map_err(|_| Failure::input(format!("{name}: it must be text, written by ishi othello practice")))?;
    text.parse::<OpeningPractice>().map_err(|error| Failure::input(format!("{name}: {error}")))
}

fn save_practice(path: &Path, practice: &OpeningPractice) -> Result<(), Failure> {
    let error = |error| Failure::outside(format!("cannot write {}: {error}", path.display()));
    files::write_or_replace(path, practice.to_string().as_bytes(), true).map_err(error)
}

/// What the user said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PracticeAnswer {
    Play(Square),
    /// The answer is not known.
    Unknown,
    Quit,
}

struct PracticeDesk<'a> {
    book: Book,
    practice: OpeningPractice,
    session: PracticeSession,
    language: Language,
    context: &'a Context,
}

impl PracticeDesk<'_> {
    /// A position that was missed is asked again behind the others.
    fn ask_all(&mut self, input: &mut impl BufRead) -> Result<(), Failure> {
        print_text(self.language.choose(
            "Answer with a square such as f5. An empty line shows the answer, quit ends.\n",
            "f5のようなマスで答えてください。空行で答えを表示、quitで終了します。\n",
        ))?;
        while let Some(position) = self.session.question().cloned() {
            let Some(answer) = self.ask_for_answer(&position, input)? else { return Ok(()) };
            let judged = answer.map(|square| judge_answer(&self.book, position.board(), square));
            let good = judged.as_ref().is_some_and(|judged| judged.good);
            print_text(self.tell_judgement(&position, answer, judged.as_ref()))?;
            self.session.note_answer(&mut self.practice, good);
        }
        Ok(())
    }

    /// A legal move, or none if it is not known; nothing if the user has had enough.
    fn ask_for_answer(
        &self,
        position: &Position,
        input: &mut impl BufRead,
    ) -> Result<Option<Option<Square>>, Failure> {
        print_text(self.describe_question(position))?;
        loop {
            let mut text = String::new();
            let read = input.read_line(&mut text);
            self.context.check_stop()?;
            if read.map_err(|error| Failure::outside(format!("cannot read your move: {error}")))? == 0 {
                return Ok(None);
            }
            match parse_answer(&text, self.language) {
                Ok(PracticeAnswer::Play(square)) if position.board().is_legal(square) => {
                    return Ok(Some(Some(square)));
                }
                Ok(PracticeAnswer::Play(square)) => print_text(self.language.choose(
                    format!("{square} turns no disc: answer with a dotted square.\n"),
                    format!("{square}では石を返せません。点の付いたマスで答えてください。\n"),
                ))?,
                Ok(PracticeAnswer::Unknown) => return Ok(Some(None)),
                Ok(PracticeAnswer::Quit) => return Ok(None),
                Err(problem) => print_text(format!("{problem}\n"))?,
            }
        }
    }

    fn describe_question(&self, position: &Position) -> String {
        let mut text = picture::board_picture(position);
        let name = OpeningNames::builtin().title_of_game(position, self.language);
        let name = name.map(|name| in_brackets(name, self.language)).unwrap_or_default();
        let color = words::color_name(position.to_move(), self.language);
        let moves = position.to_transcript();
        let left = self.session.count_left();
        let ask = self.language.choose(
            format!("{moves}{name}  {color} to move, {left} more: "),
            format!("{moves}{name}　{color}番、残り{left}問："),
        );
        let end = if io::stdin().is_terminal() { "" } else { "\n" };
        let _ = write!(text, "{ask}{end}");
        text
    }

    fn tell_judgement(
        &self,
        position: &Position,
        answer: Option<Square>,
        judged: Option<&JudgedAnswer>,
    ) -> String {
        let unknown = || judge_answer(&self.book, position.board(), Square::from_lowest_bit(0));
        let judged = judged.cloned().unwrap_or_else(unknown);
        let language = self.language;
        let verdict = match (answer, judged.good, judged.loss) {
            (None, ..) => String::new(),
            (Some(square), true, _) => {
                language.choose(format!("Right: {square}. "), format!("正解：{square}。"))
            }
            (Some(square), false, Some(loss)) => language
                .choose(format!("{square} loses {loss} discs. "), format!("{square}は{loss}石損です。")),
            (Some(square), false, None) => language
                .choose(format!("{square} is not in the book. "), format!("{square}は定石にありません。")),
        };
        let good: Vec<String> =
            judged.good_moves.iter().map(|known| self.describe_good_move(position, known.square)).collect();
        let list = good.join(language.choose(", ", "、"));
        language.choose(format!("{verdict}Good moves: {list}\n"), format!("{verdict}良い手：{list}\n"))
    }

    /// `c4 (Tiger)`.
    fn describe_good_move(&self, position: &Position, square: Square) -> String {
        let opening = OpeningNames::builtin().opening_at(position.board().play_unchecked(square));
        let name = opening.and_then(|opening| opening.name(self.language));
        format!("{square}{}", name.map(|name| in_brackets(name, self.language)).unwrap_or_default())
    }

    fn print_result(&self, is_kept: bool) -> Result<(), Failure> {
        let PracticeSession { right, missed, .. } = self.session;
        let coming = match (is_kept, self.practice.cards().count()) {
            (false, _) | (true, 0) => String::new(),
            (true, later) => self
                .language
                .choose(format!(" {later} will come back."), format!("後日また{later}問出ます。")),
        };
        print_text(self.language.choose(
            format!("{right} right, {missed} missed.{coming}\n"),
            format!("正解{right}問、不正解{missed}問。{coming}\n"),
        ))
    }
}

fn parse_answer(text: &str, language: Language) -> Result<PracticeAnswer, String> {
    let text = text.trim();
    match text.to_lowercase().as_str() {
        "" => Ok(PracticeAnswer::Unknown),
        "quit" | "q" | "exit" => Ok(PracticeAnswer::Quit),
        _ => text.parse().map(PracticeAnswer::Play).map_err(|_| {
            language.choose(
                format!("invalid answer {text:?}: it must be a square such as f5, an empty line, or quit"),
                format!("「{text}」は分かりません。f5のようなマス、空行、quitのどれかで答えてください。"),
            )
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_user_answers() {
        let parse = |text| parse_answer(text, Language::English);
        assert_eq!(parse(" F5\n"), Ok(PracticeAnswer::Play("f5".parse().unwrap())));
        assert_eq!(parse("\n"), Ok(PracticeAnswer::Unknown));
        assert_eq!(parse("quit\n"), Ok(PracticeAnswer::Quit));
        assert!(parse("i9").unwrap_err().starts_with("invalid answer \"i9\""));
        assert!(parse_answer("i9", Language::Japanese).unwrap_err().starts_with("「i9」は分かりません。"));
    }
}
