//! Lessons in words.

use ishi_go::Color;
use ishi_knowledge::words::{color_name, phase_name};
use ishi_words::Language;

use super::lesson::{Lesson, LessonHead, PhaseSummary, Praise};
use super::owners::{Cause, MatterKind};
use super::say::{points_text, teaching_text};

/// A part of the game that changes the lead by less, in points, was even.
const EVEN: f64 = 2.0;

/// What a lesson is about: "The fight in the upper right, moves 134 to 275: four chances to settle it (about 40 points)".
pub fn lesson_title(head: &LessonHead, language: Language) -> String {
    let (subject, chance) = lesson_subject(head, language);
    let (first, last) = (head.numbers[0], head.numbers[head.numbers.len() - 1]);
    let count = head.numbers.len();
    let cost = match head.lost_points >= 0.5 {
        true => points_text(head.lost_points, language),
        false => {
            let share = 100.0 * head.key.lost_win_rate;
            language.choose(format!("{share:.0} % of the chance to win"), format!("勝率{share:.0}%"))
        }
    };
    match (language, count) {
        (Language::English, 1) => format!("{subject}, move {first} ({cost})"),
        (Language::English, _) => {
            format!("{subject}, moves {first} to {last}: {} chances to {chance} ({cost})", number_word(count))
        }
        (Language::Japanese, 1) => format!("{first}手目、{subject}（{cost}）"),
        (Language::Japanese, _) => {
            format!("{first}手目から{last}手目、{subject}：{chance}機会が{count}回（{cost}）")
        }
    }
}

/// What it is about, and what could have been done about it.
fn lesson_subject(head: &LessonHead, language: Language) -> (String, &'static str) {
    let Some(reason) = head.cause.carrying() else {
        let subject = match head.cause {
            Cause::Spread => language.choose("Small differences all over the board", "盤全体の小さな差"),
            _ => language.choose("One move", "一手の損"),
        };
        return (subject.to_string(), language.choose("do better", "より良く打つ"));
    };
    let there = reason.place.english_with_preposition();
    let place = reason.place.name(Language::Japanese);
    match (reason.kind.is_about_stones(), language) {
        (true, Language::English) => (format!("The fight {there}"), "settle it"),
        (true, Language::Japanese) => (format!("{place}の戦い"), "決める"),
        (false, Language::English) => (format!("Territory {there}"), "take it"),
        (false, Language::Japanese) => (format!("{place}の地"), "得をする"),
    }
}

fn number_word(number: usize) -> String {
    let words = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
    words.get(number).map_or_else(|| number.to_string(), ToString::to_string)
}

/// What is asked about the position of a lesson.
pub fn lesson_question(head: &LessonHead, language: Language) -> String {
    let mover = color_name(head.color, language);
    let number = head.key.number;
    let question = question_of_matter(head, language);
    language.choose(
        format!("Before move {number}, {mover} to play: {question}"),
        format!("{number}手目、{mover}番：{question}"),
    )
}

fn question_of_matter(head: &LessonHead, language: Language) -> String {
    let other = color_name(!head.color, language);
    let Some(reason) = head.cause.carrying() else {
        return language.choose("where would you play?", "どこに打ちますか。").to_string();
    };
    let stone = reason.stone.map_or(String::new(), |stone| stone.to_string());
    let (place, there) = (reason.place.name(language), reason.place.english_with_preposition());
    let (english, japanese) = match reason.kind {
        MatterKind::SavesStones => {
            (format!("how do the stones at {stone} live?"), format!("{stone}の石はどうすれば助かりますか。"))
        }
        MatterKind::KillsStones => (
            format!("how are {other}'s stones at {stone} killed?"),
            format!("{other}{stone}の石はどうすれば取れますか。"),
        ),
        MatterKind::Strengthens => {
            ("which stones need help?".to_string(), "守るべき石はどれですか。".to_string())
        }
        MatterKind::Weakens => (
            format!("which of {other}'s stones can be attacked?"),
            format!("攻められる{other}石はどれですか。"),
        ),
        MatterKind::BuildsTerritory | MatterKind::TakesOver => {
            ("where is the biggest point?".to_string(), "一番大きいところはどこですか。".to_string())
        }
        MatterKind::ReducesTerritory => (
            format!("how is {other}'s territory {there} reduced?"),
            format!("{place}の{other}地をどう減らしますか。"),
        ),
    };
    language.choose(english, japanese)
}

/// The whole lesson: what it is about, the question, and what is said of the move that was played, with the answer.
pub fn lesson_text(lesson: &Lesson, language: Language) -> String {
    let (title, question) = (lesson_title(&lesson.head, language), lesson_question(&lesson.head, language));
    format!("{title}\n{question}\n{}", teaching_text(&lesson.teaching, language))
}

/// What a player did well.
pub fn praise_sentence(praise: &Praise, color: Color, language: Language) -> String {
    let [own, other] = [color, !color].map(|color| color_name(color, language));
    match *praise {
        Praise::KeptGift { number, points } => {
            let points = points_text(points, language);
            language.choose(
                format!("What went well: {other}'s move {number} gave {points} away, and {own} kept them."),
                format!("良かった点：{other}の{number}手目の損（{points}）を{own}はしっかり守りました。"),
            )
        }
        Praise::CleanRun { first, last } => language.choose(
            format!("What went well: from move {first} to move {last} {own} lost nothing."),
            format!("良かった点：{first}手目から{last}手目まで、{own}に損な手はありません。"),
        ),
    }
}

/// A part of the game in a sentence.
pub fn phase_sentence(part: &PhaseSummary, language: Language) -> String {
    let phase = phase_name(part.phase, language);
    let gain = part.lead_after - part.lead_before;
    let winner = color_name(if gain > 0.0 { Color::Black } else { Color::White }, language);
    let gain = points_text(gain.abs(), language);
    let is_even = (part.lead_after - part.lead_before).abs() < EVEN;
    let moves = match (language, part.first == part.last) {
        (Language::English, true) => format!("The {phase} (move {})", part.first),
        (Language::English, false) => format!("The {phase} (moves {} to {})", part.first, part.last),
        (Language::Japanese, true) => format!("{phase}（{}手目）", part.first),
        (Language::Japanese, false) => format!("{phase}（{}手目から{}手目）", part.first, part.last),
    };
    let stand = lead_text(part.lead_after, language);
    match (language, is_even) {
        (Language::English, true) => format!("{moves} was even: {stand} after it."),
        (Language::English, false) => format!("{moves} went to {winner}, by {gain}: {stand} after it."),
        (Language::Japanese, true) => format!("{moves}は互角で、終わって{stand}。"),
        (Language::Japanese, false) => format!("{moves}は{winner}が{gain}得をし、終わって{stand}。"),
    }
}

/// Who leads: "Black leads by 4 points", or nobody.
fn lead_text(black_lead: f64, language: Language) -> String {
    let whole = black_lead.abs().round();
    let leader = color_name(if black_lead > 0.0 { Color::Black } else { Color::White }, language);
    match (language, whole) {
        (Language::English, 0.0) => "nobody leads".to_string(),
        (Language::English, 1.0) => format!("{leader} leads by 1 point"),
        (Language::English, _) => format!("{leader} leads by {whole:.0} points"),
        (Language::Japanese, 0.0) => "差はありません".to_string(),
        (Language::Japanese, _) => format!("{leader}が{whole:.0}目リードです"),
    }
}

#[cfg(test)]
mod tests {
    use ishi_knowledge::GamePhase;

    use super::super::lesson::choose_lessons;
    use super::super::lesson::tests::swing;
    use super::*;

    fn head(swings: &[super::super::lesson::Swing]) -> LessonHead {
        choose_lessons(swings, swings[0].value.color, 1).remove(0)
    }

    #[test]
    fn a_fight_is_one_lesson_with_its_chances() {
        let saves = MatterKind::SavesStones;
        let fight = head(&[swing(135, 8.0, saves, "Q16 R16"), swing(175, 12.0, saves, "Q16 R16")]);
        let english =
            "The fight in the upper right, moves 135 to 175: two chances to settle it (about 20 points)";
        assert_eq!(lesson_title(&fight, Language::English), english);
        let japanese = "135手目から175手目、右上の戦い：決める機会が2回（約20目）";
        assert_eq!(lesson_title(&fight, Language::Japanese), japanese);
        let question = "Before move 175, Black to play: how do the stones at Q16 live?";
        assert_eq!(lesson_question(&fight, Language::English), question);
        assert_eq!(
            lesson_question(&fight, Language::Japanese),
            "175手目、黒番：Q16の石はどうすれば助かりますか。"
        );
    }

    #[test]
    fn territory_and_small_differences_have_their_own_words() {
        let side = head(&[swing(40, 7.0, MatterKind::ReducesTerritory, "B10 B11")]);
        assert_eq!(
            lesson_title(&side, Language::English),
            "Territory on the left side, move 40 (about 7 points)"
        );
        assert_eq!(lesson_title(&side, Language::Japanese), "40手目、左辺の地（約7目）");
        let question = "Before move 40, White to play: how is Black's territory on the left side reduced?";
        assert_eq!(lesson_question(&side, Language::English), question);
        assert_eq!(
            lesson_question(&side, Language::Japanese),
            "40手目、白番：左辺の黒地をどう減らしますか。"
        );
        let spread = head(&[swing(40, 3.0, MatterKind::SavesStones, "")]);
        let english = "Small differences all over the board, move 40 (about 3 points)";
        assert_eq!(lesson_title(&spread, Language::English), english);
        assert!(lesson_question(&spread, Language::English).ends_with("where would you play?"));
    }

    #[test]
    fn parts_of_a_game_and_praise_are_sentences() {
        let part = |lead_before, lead_after| PhaseSummary {
            phase: GamePhase::Opening,
            first: 1,
            last: 40,
            lead_before,
            lead_after,
        };
        let even = "The opening (moves 1 to 40) was even: nobody leads after it.";
        assert_eq!(phase_sentence(&part(-1.0, 0.2), Language::English), even);
        let gained =
            "The opening (moves 1 to 40) went to White, by about 6 points: White leads by 7 points after it.";
        assert_eq!(phase_sentence(&part(-1.0, -7.0), Language::English), gained);
        let japanese = "布石（1手目から40手目）は白が約6目得をし、終わって白が7目リードです。";
        assert_eq!(phase_sentence(&part(-1.0, -7.0), Language::Japanese), japanese);
        let gift = Praise::KeptGift { number: 54, points: 12.2 };
        let english = "What went well: White's move 54 gave about 12 points away, and Black kept them.";
        assert_eq!(praise_sentence(&gift, Color::Black, Language::English), english);
        let run = Praise::CleanRun { first: 31, last: 95 };
        let japanese = "良かった点：31手目から95手目まで、黒に損な手はありません。";
        assert_eq!(praise_sentence(&run, Color::Black, Language::Japanese), japanese);
    }
}
