//! Practice of openings: positions of the book are asked, and what was missed comes back in later sessions.
//!
//! A position that was missed is a card. It comes back in the next session, after a right answer two sessions later, then four, eight
//! and sixteen, and then it is taken for known. A wrong answer puts it back to the start (S. Leitner's boxes).

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fmt;
use std::str::FromStr;

use ishi_othello::{Board, Color, Move, Position, Square};
use ishi_rng::Rng;
use ishi_rng::checksum::{check_sealed_lines, seal_lines};

use crate::book::{Book, BookMove};

/// Discs by which an answer may be worse than the best move of the book.
pub const MOST_LOSS_OF_ANSWER: i32 = 1;
/// Discs by which a move of the other side may be worse than the best, as people play it.
const MOST_LOSS_OF_OTHERS: i32 = 3;
/// Right answers in a row, in different sessions, after which a position is known.
const ANSWERS_TO_KNOW: u8 = 5;
/// The first line of a file behind its checksum.
const HEAD: &str = "ishi-openings-practice 1";
/// The same without the version.
const HEAD_NAME: &str = "ishi-openings-practice ";

/// A position that was missed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PracticeCard {
    /// The moves that led to it.
    pub moves: String,
    /// Right answers in a row, in different sessions: 0 to 4.
    pub known: u8,
    /// The session from which on it is asked again.
    pub due: u32,
}

/// What was missed so far, over all sessions.
///
/// ```
/// use ishi_othello_play::practice::OpeningPractice;
/// use ishi_othello::Position;
/// let mut practice = OpeningPractice::default();
/// practice.begin_session();
/// practice.note_answer(&Position::from_transcript("f5f6").unwrap(), false);
/// assert!(practice.due_positions().is_empty(), "it comes back in the next session");
/// practice.begin_session();
/// assert_eq!(practice.due_positions().len(), 1);
/// let kept: OpeningPractice = practice.to_string().parse().unwrap();
/// assert_eq!(kept, practice);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OpeningPractice {
    session: u32,
    /// By canonical board.
    cards: BTreeMap<Board, PracticeCard>,
}

/// A file of practice that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PracticeError {
    line: usize,
    problem: String,
}

impl fmt::Display for PracticeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.problem)
    }
}

impl std::error::Error for PracticeError {}

impl OpeningPractice {
    /// A new session: what is due by now comes back.
    pub fn begin_session(&mut self) {
        self.session = self.session.saturating_add(1);
    }

    /// The number of the session, from 1; 0 before the first.
    pub fn session(&self) -> u32 {
        self.session
    }

    /// What was missed and is not known yet.
    pub fn cards(&self) -> impl Iterator<Item = &PracticeCard> {
        self.cards.values()
    }

    /// The positions that are to be asked in this session, the one that waits longest first.
    pub fn due_positions(&self) -> Vec<Position> {
        let mut due: Vec<&PracticeCard> = self.cards().filter(|card| card.due <= self.session).collect();
        due.sort_by_key(|card| card.due);
        // The moves of a card are legal: it was made from a position, or read and looked at.
        due.into_iter().filter_map(|card| position_to_ask(&card.moves).ok()).collect()
    }

    /// Keeps an answer. A position that was answered rightly at once makes no card, and a card counts one right answer a session.
    pub fn note_answer(&mut self, asked: &Position, good: bool) {
        let mut asked = asked.clone();
        asked.pass_if_forced();
        let (board, session) = (asked.board().canonical_form().0, self.session);
        if !good {
            let card =
                PracticeCard { moves: asked.to_transcript(), known: 0, due: session.saturating_add(1) };
            self.cards.insert(board, card);
            return;
        }
        let Some(card) = self.cards.get_mut(&board).filter(|card| card.due <= session) else { return };
        card.known += 1;
        card.due = session.saturating_add(1 << card.known);
        if card.known >= ANSWERS_TO_KNOW {
            self.cards.remove(&board);
        }
    }
}

/// A line for the checksum, one for the format, one for the session, and one for each card: moves, right answers, session.
impl fmt::Display for OpeningPractice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let line = |card: &PracticeCard| format!("{} {} {}\n", card.moves, card.known, card.due);
        let cards: String = self.cards().map(line).collect();
        f.write_str(&seal_lines(&format!("{HEAD}\nsession {}\n{cards}", self.session)))
    }
}

impl FromStr for OpeningPractice {
    type Err = PracticeError;

    fn from_str(text: &str) -> Result<OpeningPractice, PracticeError> {
        let error = |line, problem: String| PracticeError { line, problem };
        let by_hand = "take this line away if you changed the file by hand";
        check_sealed_lines(text, HEAD_NAME).map_err(|problem| error(1, format!("{problem}; {by_hand}")))?;
        let mut lines = text.lines().zip(1..).filter(|(line, _)| !line.starts_with('#'));
        let head = lines.next();
        if head.map(|(line, _)| line) != Some(HEAD) {
            let line = head.map_or(1, |(_, number)| number);
            return Err(error(line, format!("the first line must be {HEAD:?}")));
        }
        let second = lines.next();
        let session = second.and_then(|(line, _)| line.strip_prefix("session ")?.parse::<u32>().ok());
        let number = second.map_or(2, |(_, number)| number);
        let session = session
            .ok_or_else(|| error(number, "it must be the session, such as \"session 4\"".to_string()))?;
        let mut practice = OpeningPractice { session, ..OpeningPractice::default() };
        for (line, number) in lines {
            let (board, card) = parse_card(line).map_err(|problem| error(number, problem))?;
            if practice.cards.insert(board, card).is_some() {
                return Err(error(number, "this position stands in a line before".to_string()));
            }
        }
        Ok(practice)
    }
}

/// The position after these moves, with a side to move that has one. Transcripts leave a forced pass out, also at their end.
fn position_to_ask(moves: &str) -> Result<Position, String> {
    let mut position = Position::from_transcript(moves).map_err(|error| error.to_string())?;
    position.pass_if_forced();
    Ok(position)
}

/// A card with its canonical board, or what is wrong.
fn parse_card(line: &str) -> Result<(Board, PracticeCard), String> {
    let problem =
        || format!("{line:?} must be moves, right answers (0 to 4) and a session, such as \"f5d6 0 2\"");
    let words: Vec<&str> = line.split(' ').collect();
    let &[moves, known, due] = words.as_slice() else { return Err(problem()) };
    let known = known.parse::<u8>().ok().filter(|&known| known < ANSWERS_TO_KNOW).ok_or_else(problem)?;
    let due = due.parse::<u32>().map_err(|_| problem())?;
    let position = position_to_ask(moves)?;
    let card = PracticeCard { moves: position.to_transcript(), known, due };
    Ok((position.board().canonical_form().0, card))
}

/// An answer, held against the book.
#[derive(Clone, Debug, PartialEq)]
pub struct JudgedAnswer {
    /// Is it within [`MOST_LOSS_OF_ANSWER`] discs of the best?
    pub good: bool,
    /// Discs that it loses; `None` if the book does not have it, as it loses too much.
    pub loss: Option<i32>,
    /// The good answers, the best first.
    pub good_moves: Vec<BookMove>,
}

/// What the book says of an answer.
pub fn judge_answer(book: &Book, board: Board, answer: Square) -> JudgedAnswer {
    let moves = book.moves(board);
    let best = moves.first().map_or(0, |best| best.value);
    let loss = moves.iter().find(|known| known.square == answer).map(|known| best - known.value);
    let good = loss.is_some_and(|loss| loss <= MOST_LOSS_OF_ANSWER);
    JudgedAnswer { good, loss, good_moves: list_good_moves(book, board) }
}

/// The moves of the book that are right as answers, the best first.
pub fn list_good_moves(book: &Book, board: Board) -> Vec<BookMove> {
    let moves = book.moves(board);
    let best = moves.first().map_or(0, |best| best.value);
    moves.into_iter().filter(|known| best - known.value <= MOST_LOSS_OF_ANSWER).collect()
}

/// What is to be asked in a session.
#[derive(Clone, Copy, Debug)]
pub struct QuestionWish<'a> {
    /// Openings are asked from here on.
    pub from: &'a Position,
    /// Whose moves are asked; both sides' if there is none.
    pub color: Option<Color>,
    /// New positions.
    pub count: usize,
    /// Moves beyond `from` at most.
    pub plies: usize,
}

/// So many drawn positions in a row that are known already end the drawing: a small book may have fewer than are wanted.
const MOST_KNOWN_IN_A_ROW: usize = 500;

/// What is due, and new positions behind it; none twice.
pub fn gather_questions(
    book: &Book,
    wish: QuestionWish<'_>,
    practice: &OpeningPractice,
    rng: &mut Rng,
) -> VecDeque<Position> {
    let canonical = |position: &Position| -> Board { position.board().canonical_form().0 };
    let mut queue: VecDeque<Position> =
        practice.due_positions().into_iter().filter(|due| !book.moves(due.board()).is_empty()).collect();
    let mut known: BTreeSet<Board> = queue.iter().map(canonical).collect();
    let (mut new, mut known_in_a_row) = (0, 0);
    while new < wish.count && known_in_a_row < MOST_KNOWN_IN_A_ROW {
        let Some(drawn) = draw_question(book, wish.from, wish.color, wish.plies, rng) else { break };
        if known.insert(canonical(&drawn)) {
            queue.push_back(drawn);
            (new, known_in_a_row) = (new + 1, 0);
        } else {
            known_in_a_row += 1;
        }
    }
    queue
}

/// A session of practice: what is still to be asked, and how it goes. A position that was missed is asked again behind the others.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PracticeSession {
    queue: VecDeque<Position>,
    /// Those that were missed.
    again: Vec<Position>,
    /// Positions that were answered rightly at once.
    pub right: usize,
    /// Positions that were not.
    pub missed: usize,
}

impl PracticeSession {
    /// A session that asks these positions.
    pub fn new(queue: VecDeque<Position>) -> PracticeSession {
        PracticeSession { queue, ..PracticeSession::default() }
    }

    /// A session that was left, by the moves that lead to what is still to be asked and to what was missed, as
    /// [`PracticeSession::list_moves`] has them. What is no game is left out.
    pub fn resume([queue, again]: [&[String]; 2], right: usize, missed: usize) -> PracticeSession {
        let positions = |moves: &[String]| -> Vec<Position> {
            moves.iter().filter_map(|moves| position_to_ask(moves).ok()).collect()
        };
        PracticeSession { queue: positions(queue).into(), again: positions(again), right, missed }
    }

    /// The moves that lead to what is still to be asked, and to what was missed.
    pub fn list_moves(&self) -> [Vec<String>; 2] {
        let queue = self.queue.iter().map(Position::to_transcript).collect();
        [queue, self.again.iter().map(Position::to_transcript).collect()]
    }

    /// What is asked now; `None` if the session is over.
    pub fn question(&self) -> Option<&Position> {
        self.queue.front()
    }

    /// How many are asked after this one.
    pub fn count_left(&self) -> usize {
        self.queue.len().saturating_sub(1)
    }

    /// The question was answered. The first answer to a position counts, and is kept.
    pub fn note_answer(&mut self, practice: &mut OpeningPractice, good: bool) {
        let Some(asked) = self.queue.pop_front() else { return };
        if self.again.iter().all(|missed| missed.board() != asked.board()) {
            practice.note_answer(&asked, good);
            *(if good { &mut self.right } else { &mut self.missed }) += 1;
        }
        if !good {
            self.again.push(asked.clone());
            self.queue.push_back(asked);
        }
    }
}

/// A position of the book to ask `color` about, or either side if there is none: up to so many plies beyond `from`. Moves on the way
/// are good ones of the side that is asked, and of the other what people play, the frequent ones more often. `None` if the book has
/// nothing there.
pub fn draw_question(
    book: &Book,
    from: &Position,
    color: Option<Color>,
    plies: usize,
    rng: &mut Rng,
) -> Option<Position> {
    let mut game = from.clone();
    let mut found = Vec::new();
    for _ in 0..plies {
        game.pass_if_forced();
        let is_asked = color.is_none_or(|color| color == game.to_move());
        let Some(next) = draw_move(&book.moves(game.board()), is_asked, rng) else { break };
        if is_asked {
            found.push(game.clone());
        }
        if game.play(Move::Play(next)).is_err() {
            break;
        }
    }
    rng.choose(&found).cloned()
}

/// One of the moves that the side that is asked (or the other) plays.
fn draw_move(moves: &[BookMove], is_asked: bool, rng: &mut Rng) -> Option<Square> {
    let best = moves.first()?.value;
    let most_loss = if is_asked { MOST_LOSS_OF_ANSWER } else { MOST_LOSS_OF_OTHERS };
    let near: Vec<&BookMove> = moves.iter().filter(|known| best - known.value <= most_loss).collect();
    let weight = |known: &BookMove| known.games as usize + 1;
    let mut drawn = rng.next_index(near.iter().map(|&known| weight(known)).sum());
    for &known in &near {
        match drawn.checked_sub(weight(known)) {
            Some(rest) => drawn = rest,
            None => return Some(known.square),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use ishi_rng::Seed;

    fn position(moves: &str) -> Position {
        Position::from_transcript(moves).unwrap()
    }

    fn square(text: &str) -> Square {
        text.parse().unwrap()
    }

    /// However many are wanted, drawing ends; and no position is asked twice.
    #[test]
    fn all_positions_of_a_book_may_be_wanted() {
        let from = position("f5d6c3");
        let wish = QuestionWish { from: &from, color: None, count: usize::MAX, plies: 2 };
        let mut rng = Seed::new(1).stream("practice", 0);
        let queue = gather_questions(Book::builtin(), wish, &OpeningPractice::default(), &mut rng);
        let boards: BTreeSet<Board> =
            queue.iter().map(|position| position.board().canonical_form().0).collect();
        assert!(boards.len() == queue.len() && !queue.is_empty());
    }

    #[test]
    fn a_missed_position_is_asked_again_behind_the_others_and_counts_once() {
        let (first, second) = (position("f5d6"), position("f5f6"));
        let mut practice = OpeningPractice::default();
        practice.begin_session();
        let mut session = PracticeSession::new([first.clone(), second.clone()].into());
        session.note_answer(&mut practice, false);
        assert_eq!((session.question(), session.count_left()), (Some(&second), 1));
        // It goes on where it was left.
        let [queue, again] = session.list_moves();
        assert_eq!((queue.join(" "), again.join(" ")), ("f5f6 f5d6".to_string(), "f5d6".to_string()));
        session = PracticeSession::resume([&queue, &again], session.right, session.missed);
        session.note_answer(&mut practice, true);
        assert_eq!(session.question().map(Position::board), Some(first.board()));
        session.note_answer(&mut practice, true);
        assert_eq!((session.question(), session.right, session.missed), (None, 1, 1));
        assert_eq!(practice.cards().map(|card| card.moves.as_str()).collect::<Vec<_>>(), ["f5d6"]);
        session.note_answer(&mut practice, true);
        assert_eq!(session.right, 1, "nothing was asked");
    }

    /// The number of sessions until the next one in which the only card is due.
    fn sessions_until_due(practice: &mut OpeningPractice) -> Option<u32> {
        (1..=40).find(|_| {
            practice.begin_session();
            !practice.due_positions().is_empty()
        })
    }

    #[test]
    fn what_was_missed_comes_back_ever_later_until_it_is_known() {
        let mut practice = OpeningPractice::default();
        let asked = position("f5d6c3");
        practice.begin_session();
        practice.note_answer(&asked, true);
        assert_eq!(practice.cards().count(), 0, "what is known needs no card");
        practice.note_answer(&asked, false);
        practice.note_answer(&asked, true);
        let card = practice.cards().next().unwrap();
        assert_eq!((card.known, card.due), (0, 2), "the same session says nothing of the next");
        let mut waits = Vec::new();
        while let Some(sessions) = sessions_until_due(&mut practice) {
            waits.push(sessions);
            // Another orientation is the same position.
            practice.note_answer(&position("c4e3f6"), true);
            practice.note_answer(&asked, true);
        }
        assert_eq!(waits, [1, 2, 4, 8, 16]);
        assert_eq!(practice.cards().count(), 0);
        // A wrong answer begins again.
        practice.note_answer(&asked, false);
        assert_eq!(sessions_until_due(&mut practice), Some(1));
        practice.note_answer(&asked, true);
        assert_eq!(sessions_until_due(&mut practice), Some(2));
        practice.note_answer(&asked, false);
        assert_eq!(sessions_until_due(&mut practice), Some(1));
    }

    /// Black has no move after these: White is asked, before the card is kept and after it.
    #[test]
    fn a_position_behind_a_forced_pass_comes_back_from_the_file() {
        let before = position("c4c3e6b4a4a5c2a3");
        let mut asked = before.clone();
        assert!(asked.pass_if_forced());
        let mut practice = OpeningPractice::default();
        practice.begin_session();
        practice.note_answer(&asked, false);
        let mut again: OpeningPractice = practice.to_string().parse().unwrap();
        assert_eq!(again, practice);
        again.begin_session();
        assert_eq!(again.due_positions()[0].board(), asked.board());
        again.note_answer(&asked, true);
        assert_eq!(again.cards().next().map(|card| card.known), Some(1));
        again.note_answer(&before, false);
        assert_eq!(again.cards().count(), 1, "it is the same position");
    }

    #[test]
    fn files_say_what_is_wrong_and_where() {
        let problem = |text: &str| text.parse::<OpeningPractice>().unwrap_err().to_string();
        assert_eq!(problem(""), "line 1: the first line must be \"ishi-openings-practice 1\"");
        assert!(problem(&format!("{HEAD}\nsession x\n")).starts_with("line 2: it must be the session"));
        let with = |card: &str| problem(&format!("{HEAD}\nsession 3\nf5d6 1 4\n{card}\n"));
        assert!(with("f5f6 1").starts_with("line 4: \"f5f6 1\" must be moves"));
        assert!(with("f5f6 5 4").contains("right answers (0 to 4)"));
        assert!(with("f5f5 1 4").starts_with("line 4: "));
        assert_eq!(with("c4e3 1 4"), "line 4: this position stands in a line before");
        let whole = format!("{HEAD}\nsession 3\nf5d6 1 4\n");
        assert_eq!(whole.parse::<OpeningPractice>().unwrap().to_string(), seal_lines(&whole));
        assert!(
            problem(&seal_lines(&format!("{HEAD}\nsession x\n")))
                .starts_with("line 3: it must be the session")
        );
    }

    /// Blocks were exchanged, so that the line of the checksum is a remark: then nothing would hold the rest to it.
    #[test]
    fn what_is_left_of_a_kept_file_is_no_file_by_hand() {
        let by_hand = format!("# practice of openings\n{HEAD}\nsession 3\nf5d6 1 4\n");
        assert_eq!(by_hand.parse::<OpeningPractice>().map(|practice| practice.session()), Ok(3));
        for left in ["# checenings-practice 1", "# ishi-openiksum 01234567"] {
            let damaged = format!("{left}\n{HEAD}\nsession 3\nf5d6 1 4\n");
            let error = damaged.parse::<OpeningPractice>().unwrap_err().to_string();
            assert!(error.starts_with("line 1: it is damaged: a checksum"), "{left}: {error}");
        }
        let newer = seal_lines(&format!("{HEAD_NAME}2\nsession 3\n")).parse::<OpeningPractice>();
        assert!(newer.unwrap_err().to_string().starts_with("line 2: the first line must be"));
    }

    #[test]
    fn damaged_files_are_refused_or_mean_the_same() {
        let mut practice = OpeningPractice::default();
        for (number, moves) in ["f5d6c3", "f5f6", "f5d6c4"].into_iter().enumerate() {
            practice.begin_session();
            practice.note_answer(&position(moves), number == 1);
        }
        let text = practice.to_string();
        assert_eq!(text.parse::<OpeningPractice>().as_ref(), Ok(&practice));
        let mut refused = 0;
        ishi_rng::damage::try_damaged_copies(text.as_bytes(), Seed::new(1), 400, |what, damaged| {
            let read =
                std::str::from_utf8(damaged).ok().and_then(|text| text.parse::<OpeningPractice>().ok());
            assert!(read.is_none() || read.as_ref() == Some(&practice), "{what}");
            refused += usize::from(read.is_none());
        });
        assert!(refused > 250, "{refused}");
    }

    #[test]
    fn answers_are_held_against_the_book() {
        let board = position("f5").board();
        let best = Book::builtin().moves(board)[0];
        let judged = judge_answer(Book::builtin(), board, best.square);
        assert_eq!((judged.good, judged.loss), (true, Some(0)));
        assert_eq!(judged.good_moves[0], best);
        // The parallel opening loses more.
        let judged = judge_answer(Book::builtin(), board, square("f4"));
        assert!(!judged.good && judged.loss.is_none_or(|loss| loss > MOST_LOSS_OF_ANSWER));
        assert!(judged.good_moves.iter().all(|known| known.square != square("f4")));
    }

    /// Questions are positions of the book with the side to move that is asked, after good moves of that side.
    #[test]
    fn questions_are_drawn_from_the_book() {
        let (book, from) = (Book::builtin(), position("f5d6"));
        let mut rng = Seed::new(1).stream("practice", 0);
        let mut seen = std::collections::BTreeSet::new();
        for _ in 0..60 {
            let asked = draw_question(book, &from, Some(Color::Black), 8, &mut rng).unwrap();
            assert_eq!(asked.to_move(), Color::Black);
            assert!(asked.to_transcript().starts_with("f5d6") && asked.moves().len() < 10);
            assert!(!book.moves(asked.board()).is_empty());
            let mut game = from.clone();
            for &(color, mv) in &asked.moves()[2..] {
                let judged = judge_answer(book, game.board(), mv.square().unwrap());
                assert!(color == Color::White || judged.good, "{}", asked.to_transcript());
                game.play(mv).unwrap();
            }
            seen.insert(asked.to_transcript());
        }
        assert!(seen.len() > 5, "{seen:?}");
        assert_eq!(draw_question(book, &position("f5f4f3"), None, 8, &mut rng), None);
        assert_eq!(draw_question(book, &from, Some(Color::White), 1, &mut rng), None, "Black is to move");
    }
}
