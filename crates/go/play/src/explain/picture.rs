//! An explanation in pictures: the move with its alternatives and the groups in doubt, how it goes on, and what happens without it.

use ishi_go::picture::{BoardPicture, PictureMark, PictureTone};
use ishi_go::{Color, Move, Point, Position};
use ishi_knowledge::show::strength_tone;
use ishi_knowledge::words;
use ishi_words::Language;

use super::explanation::{ExplainedMove, Explanation};

/// Moves of a sequence that are drawn.
const DRAWN: usize = 8;
/// Groups that are named.
const NAMED: usize = 4;

/// The pictures of an explanation of a position: the move, then the sequences, where there are some.
pub fn draw_explanation(
    position: &Position,
    explanation: &Explanation,
    language: Language,
) -> Vec<BoardPicture> {
    let drawer = ExplanationDrawer { position, explanation, language };
    let mut pictures = vec![drawer.draw_move()];
    let sequences = [
        (explanation.mv.as_ref(), drawer.in_language("How it goes on", "続き")),
        (explanation.otherwise.as_ref(), drawer.in_language("If it is not played", "打たないと")),
    ];
    for (mv, title) in sequences {
        pictures.extend(mv.and_then(|mv| drawer.draw_sequence(mv, title)));
    }
    pictures
}

/// The position of a question, with the move before: nothing that tells the answer.
pub fn draw_question(position: &Position, title: &str) -> BoardPicture {
    let picture = BoardPicture::from_board(position.board()).with_title(title);
    match position.last_move().and_then(|(_, mv)| mv.point()) {
        Some(last) => picture.with_mark(last, PictureMark::Square, PictureTone::Note),
        None => picture,
    }
}

struct ExplanationDrawer<'a> {
    position: &'a Position,
    explanation: &'a Explanation,
    language: Language,
}

impl ExplanationDrawer<'_> {
    fn in_language<'a>(&self, english: &'a str, japanese: &'a str) -> &'a str {
        match self.language {
            Language::English => english,
            Language::Japanese => japanese,
        }
    }

    fn board_picture(&self) -> BoardPicture {
        BoardPicture::from_board(self.position.board())
    }

    /// The move as a stone with its number; other moves as A, B, those asked about as small letters; groups in doubt by colour.
    fn draw_move(&self) -> BoardPicture {
        let Explanation { mv, alternatives, why_not, played, color, .. } = self.explanation;
        let number = played + 1;
        let name = words::color_name(*color, self.language);
        let place = mv.as_ref().map_or("-".to_string(), |mv| mv.reasons.mv.to_string());
        let title = match self.language {
            Language::English => format!("Move {number}: {name} {place}"),
            Language::Japanese => format!("{number}手目：{name} {place}"),
        };
        let mut picture = self.shade_groups(self.board_picture().with_title(title));
        if let Some(last) = self.position.last_move().and_then(|(_, mv)| mv.point()) {
            let key = self.in_language("square: the move before", "□：直前の手");
            picture = picture
                .with_mark(last, PictureMark::Square, PictureTone::Note)
                .with_key_line(Some(PictureTone::Note), key);
        }
        if let Some(mv) = mv {
            picture = picture.with_stone(*color, mv.reasons.mv, "").with_mark(
                mv.reasons.mv,
                PictureMark::Circle,
                PictureTone::Bad,
            );
        }
        for (letter, other) in ('A'..='Z').zip(alternatives) {
            picture = picture.with_label(other.mv.reasons.mv, letter, None);
        }
        for (letter, asked) in ('a'..='z').zip(why_not) {
            picture = picture.with_label(asked.mv.reasons.mv, letter, Some(PictureTone::Bad));
        }
        let key = |picture: BoardPicture, is_used: bool, english, japanese| {
            if is_used { picture.with_key_line(None, self.in_language(english, japanese)) } else { picture }
        };
        let picture = key(picture, !alternatives.is_empty(), "A, B: other moves", "A・B：他の手");
        key(picture, !why_not.is_empty(), "a, b: asked about", "a・b：質問の手")
    }

    /// Groups that have to be looked after, the most doubtful and largest first, by the colour of their strength.
    fn shade_groups(&self, picture: BoardPicture) -> BoardPicture {
        self.explanation.groups_in_doubt().into_iter().take(NAMED).fold(picture, |picture, group| {
            let tone = strength_tone(group.strength);
            let picture = group
                .stones
                .iter()
                .fold(picture, |picture, stone| picture.with_shade(stone, tone, 0.55, 0.95));
            let name = format!("{} {}", words::color_name(group.color, self.language), group.name());
            picture.with_key_line(
                Some(tone),
                format!("{name}: {}", words::describe_strength(group.strength, self.language)),
            )
        })
    }

    /// The expected sequence with its numbers; nothing if it is one move.
    fn draw_sequence(&self, mv: &ExplainedMove, title: &str) -> Option<BoardPicture> {
        let mut color = mv.reasons.color;
        let mut moves: Vec<(Color, Point)> = Vec::new();
        for step in mv.variation.iter().take(DRAWN) {
            if let Move::Play(point) = step {
                moves.push((color, *point));
            }
            color = !color;
        }
        (moves.len() > 1).then(|| self.board_picture().with_title(title).with_sequence(&moves))
    }
}
