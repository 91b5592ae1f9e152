//! Lessons in words.

use ishi_go::{Color, Move};
use ishi_knowledge::words::{color_name, phase_name};
use ishi_words::Language;

use super::lesson::{Lesson, LessonHead, PhaseLoss, PhaseSummary, Praise};
use super::owners::{Cause, MatterKind};
use super::say::{points_text, teaching_text};
use super::value::MoveValue;

/// A part of the game that changes the lead by less, in points, was even.
const EVEN: f64 = 2.0;

/// Whoever waits for lessons is told of the first loss of so many points and more.
const FIRST_TOLD: f64 = 3.0;

/// What a lesson is about: "The fight in the upper right, moves 134 to 275: four chances to settle it (the largest about 40 points)". What
/// several chances lost is not added up: each side gives some of it back in between.
pub fn lesson_title(head: &LessonHead, language: Language) -> String {
    let (subject, chance) = lesson_subject(head, language);
    let (first, last) = (head.numbers[0], head.numbers[head.numbers.len() - 1]);
    let count = head.numbers.len();
    let [points, win_rate] = head.largest_loss;
    let cost = loss_text(points, win_rate, language);
    match (language, count) {
        (Language::English, 1) => format!("{subject}, move {first} ({cost})"),
        (Language::English, _) => {
            let chances = format!("{} chances to {chance}", number_word(count));
            format!("{subject}, moves {first} to {last}: {chances} (the largest {cost})")
        }
        (Language::Japanese, 1) => format!("{subject}、{first}手目（{cost}）"),
        (Language::Japanese, _) => {
            format!("{subject}、{first}手目から{last}手目：{chance}機会が{count}回（最大で{cost}）")
        }
    }
}

/// What a mistake lost: its points, or where these are few its chances.
pub(super) fn loss_text(points: f64, win_rate: f64, language: Language) -> String {
    let share = 100.0 * win_rate;
    match points >= 0.5 {
        true => points_text(points, language),
        false => language.choose(format!("{share:.0} % of the chance to win"), format!("勝率{share:.0}%")),
    }
}

/// What it is about, and what could have been done about it.
fn lesson_subject(head: &LessonHead, language: Language) -> (String, &'static str) {
    let Some(reason) = head.cause.carrying() else {
        return (subject_without_area(head, language), language.choose("do better", "より良く打つ"));
    };
    if !head.is_answered_there() {
        let subject = language.choose("Where to play first", "どこから打つか");
        return (subject.to_string(), language.choose("do better", "より良く打つ"));
    }
    let there = reason.place.english_with_preposition();
    let place = reason.place.name(Language::Japanese);
    match (reason.kind.is_about_stones(), language) {
        (true, Language::English) => (format!("The fight {there}"), "settle it"),
        (true, Language::Japanese) => (format!("{place}の戦い"), "決める"),
        (false, Language::English) => (format!("Territory {there}"), "take it"),
        (false, Language::Japanese) => (format!("{place}の地"), "得をする"),
    }
}

/// What a lesson is about that no area carries: its place, if its mistakes have one.
fn subject_without_area(head: &LessonHead, language: Language) -> String {
    match (head.place, &head.cause) {
        (Some(place), _) => language.choose(
            format!("Play {}", place.english_with_preposition()),
            format!("{}の打ち方", place.name(Language::Japanese)),
        ),
        (None, Cause::Spread) => {
            language.choose("Small differences all over the board", "盤全体の小さな差").to_string()
        }
        (None, _) => language.choose("One move", "一手の損").to_string(),
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
    let Some(reason) = head.cause.carrying().filter(|_| head.is_answered_there()) else {
        return language.choose("where would you play?", "どこに打ちますか。").to_string();
    };
    let stone = reason.stone.map_or(String::new(), |stone| stone.to_string());
    let (place, there) = (reason.place.name(language), reason.place.english_with_preposition());
    let (english, japanese) = match reason.kind {
        // As the lesson tells it: not that stones live or die for certain.
        MatterKind::SavesStones if !reason.is_sure[0] => {
            (format!("how are the stones at {stone} helped?"), format!("{stone}の石をどう守りますか。"))
        }
        MatterKind::KillsStones if !reason.is_sure[0] => (
            format!("how are {other}'s stones at {stone} attacked?"),
            format!("{other}{stone}の石をどう攻めますか。"),
        ),
        MatterKind::SavesStones => {
            (format!("how do the stones at {stone} live?"), format!("{stone}の石はどうすれば助かりますか。"))
        }
        MatterKind::KillsStones => (
            format!("how are {other}'s stones at {stone} killed?"),
            format!("{other}{stone}の石はどうすれば取れますか。"),
        ),
        MatterKind::Strengthens => (
            "which stones need help, and which move helps them?".to_string(),
            "守るべき石はどれで、どこに打って守りますか。".to_string(),
        ),
        MatterKind::Weakens => (
            format!("which of {other}'s stones can be attacked, and from where?"),
            format!("攻められる{other}石はどれで、どこから攻めますか。"),
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

/// A mistake in a sentence, for whoever waits for the lessons of a game: what it lost, and the better move. None of a move that lost less than
/// three points, and of passes.
pub fn first_mistake_sentence(mistake: &MoveValue, language: Language) -> Option<String> {
    if mistake.lost_points < FIRST_TOLD {
        return None;
    }
    let (mv, better) = (mistake.mv.point()?, mistake.better?.point()?);
    let (name, number) = (color_name(mistake.color, language), mistake.number);
    let lost = loss_text(mistake.lost_points, mistake.lost_win_rate, language);
    Some(language.choose(
        format!("First found: {name}'s move {number}, {mv}, loses {lost}. {better} is better."),
        format!("最初に見つかった損：{name}の{number}手目{mv}（{lost}）。{better}がまさります。"),
    ))
}

/// A move in a sentence: its vertex, or that it is a pass.
fn move_words(mv: Move, language: Language) -> String {
    mv.point().map_or_else(|| language.choose("a pass", "パス").to_string(), |point| point.to_string())
}

/// What a player did well.
pub fn praise_sentence(praise: &Praise, color: Color, language: Language) -> String {
    let [own, other] = [color, !color].map(|color| color_name(color, language));
    match *praise {
        Praise::UsedMistake { number, mistake, points, answer } => {
            let (points, mistake) = (points_text(points, language), move_words(mistake, language));
            let [english, japanese] = match answer {
                Some(answer) => [
                    format!("{own} used that with {answer}"),
                    format!("を、{own}は{answer}でとがめました"),
                ],
                None => [format!("{own} kept that"), format!("のあと、{own}はその得を守りました")],
            };
            language.choose(
                format!("What went well: {other} gave {points} away with move {number} ({mistake}), and {english}."),
                format!("良かった点：{other}の{number}手目{mistake}のミス（{points}の損）{japanese}。"),
            )
        }
        Praise::CleanRun { first, last, count } => language.choose(
            format!(
                "What went well: from move {first} to move {last} {own} made {count} moves without a clear loss."
            ),
            format!("良かった点：{first}手目から{last}手目まで、{own}の{count}手にはっきりした損はありません。"),
        ),
        Praise::FewMistakes { lessons: 0 } => language.choose(
            format!("What went well: {own} made no mistake that is both large and sure."),
            format!("良かった点：{own}には、大きくてはっきりした損がありません。"),
        ),
        Praise::FewMistakes { .. } => language.choose(
            format!("What went well: {own} made no other mistake that is both large and sure."),
            format!("良かった点：{own}には、ほかに大きくてはっきりした損がありません。"),
        ),
    }
}

/// A part of the game: who gained in it, how the game stands after it, and the largest losses in it.
pub fn phase_sentence(part: &PhaseSummary, language: Language) -> String {
    let phase = phase_name(part.phase, language);
    let gain = part.lead_after - part.lead_before;
    let winner = color_name(if gain > 0.0 { Color::Black } else { Color::White }, language);
    let is_even = gain.abs() < EVEN;
    let gain = points_text(gain.abs(), language);
    let moves = match (language, part.first == part.last) {
        (Language::English, true) => format!("The {phase} (move {})", part.first),
        (Language::English, false) => format!("The {phase} (moves {} to {})", part.first, part.last),
        (Language::Japanese, true) => format!("{phase}（{}手目）", part.first),
        (Language::Japanese, false) => format!("{phase}（{}手目から{}手目）", part.first, part.last),
    };
    let (stand, losses) = (lead_text(part.lead_after, language), phase_losses(part, is_even, language));
    match (language, is_even) {
        (Language::English, true) => format!("{moves} came out even: {stand} after it. {losses}"),
        (Language::English, false) => {
            format!("{moves} went to {winner}, by {gain}: {stand} after it. {losses}")
        }
        (Language::Japanese, true) => format!("{moves}は互角でした。終わった時点で{stand}。{losses}"),
        (Language::Japanese, false) => {
            format!("{moves}は{winner}が{gain}得をしました。終わった時点で{stand}。{losses}")
        }
    }
}

/// The move of each player that lost most in a part of the game. Where none lost much, a part that was not even had many small losses.
fn phase_losses(part: &PhaseSummary, is_even: bool, language: Language) -> String {
    let tell = |(color, loss): (Color, PhaseLoss)| {
        let PhaseLoss { number, mv, points } = loss;
        let (name, points) = (color_name(color, language), points_text(points, language));
        let mv = move_words(mv, language);
        language.choose(
            format!("{name}'s move {number} ({mv}, {points})"),
            format!("{name}の{number}手目{mv}（{points}）"),
        )
    };
    let worst = Color::ALL.into_iter().zip(part.worst);
    let told: Vec<String> = worst.filter_map(|(color, loss)| Some(tell((color, loss?)))).collect();
    match (language, told.as_slice()) {
        (Language::English, []) if is_even => "No move in it lost much.".to_string(),
        (Language::English, []) => "It came of many small losses.".to_string(),
        (Language::English, [one]) => format!("The largest loss in it was {one}."),
        (Language::English, all) => format!("The largest losses in it were {}.", all.join(" and ")),
        (Language::Japanese, []) if is_even => "大きな損をした手はありません。".to_string(),
        (Language::Japanese, []) => "小さな損の積み重ねです。".to_string(),
        (Language::Japanese, all) => format!("最も損をした手は{}です。", all.join("と")),
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
    use ishi_go::{BoardSize, Point};
    use ishi_knowledge::GamePhase;

    use super::super::lesson::choose_lessons;
    use super::super::lesson::tests::swing;
    use super::super::owners::CarryingReason;
    use super::*;

    fn head(swings: &[super::super::lesson::Swing]) -> LessonHead {
        let size = BoardSize::square(19).unwrap();
        choose_lessons(swings, size, swings[0].value.color, 1).remove(0)
    }

    #[test]
    fn a_fight_is_one_lesson_with_its_chances() {
        let saves = MatterKind::SavesStones;
        let fight = head(&[swing(135, 8.0, saves, "Q16 R16"), swing(175, 12.0, saves, "Q16 R16")]);
        let english = "The fight in the upper right, moves 135 to 175: two chances to settle it (the largest about 12 points)";
        assert_eq!(lesson_title(&fight, Language::English), english);
        let japanese = "右上の戦い、135手目から175手目：決める機会が2回（最大で約12目）";
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
        assert_eq!(lesson_title(&side, Language::Japanese), "左辺の地、40手目（約7目）");
        let question = "Before move 40, White to play: how is Black's territory on the left side reduced?";
        assert_eq!(lesson_question(&side, Language::English), question);
        assert_eq!(
            lesson_question(&side, Language::Japanese),
            "40手目、白番：左辺の黒地をどう減らしますか。"
        );
        let spread = head(&[swing(40, 4.0, MatterKind::SavesStones, "")]);
        let english = "Small differences all over the board, move 40 (about 4 points)";
        assert_eq!(lesson_title(&spread, Language::English), english);
        assert!(lesson_question(&spread, Language::English).ends_with("where would you play?"));
    }

    #[test]
    fn parts_of_a_game_and_praise_are_sentences() {
        let part = |lead_before, lead_after, worst| PhaseSummary {
            phase: GamePhase::Opening,
            first: 1,
            last: 40,
            lead_before,
            lead_after,
            worst,
        };
        let point = |column, row| Move::Play(Point::new(column, row));
        let loss = |number, points| Some(PhaseLoss { number, mv: point(2, 3), points });
        let [none, one, both] = [[None, None], [None, loss(24, 11.2)], [loss(25, 12.0), loss(24, 11.2)]];
        let even =
            "The opening (moves 1 to 40) came out even: nobody leads after it. No move in it lost much.";
        assert_eq!(phase_sentence(&part(-1.0, 0.2, none), Language::English), even);
        let gained = "The opening (moves 1 to 40) went to White, by about 6 points: White leads by 7 points after it. \
                      The largest loss in it was White's move 24 (C4, about 11 points).";
        assert_eq!(phase_sentence(&part(-1.0, -7.0, one), Language::English), gained);
        let told = phase_sentence(&part(-1.0, 0.2, both), Language::English);
        let losses = "The largest losses in it were Black's move 25 (C4, about 12 points) and White's move 24 (C4, about 11 points).";
        assert!(told.ends_with(losses), "{told}");
        let japanese = "布石（1手目から40手目）は白が約6目得をしました。終わった時点で白が7目リードです。\
                        最も損をした手は黒の25手目C4（約12目）と白の24手目C4（約11目）です。";
        assert_eq!(phase_sentence(&part(-1.0, -7.0, both), Language::Japanese), japanese);
        let mistake = point(5, 7);
        let used = Praise::UsedMistake { number: 54, mistake, points: 12.2, answer: Some(Point::new(6, 7)) };
        let english =
            "What went well: White gave about 12 points away with move 54 (F8), and Black used that with G8.";
        assert_eq!(praise_sentence(&used, Color::Black, Language::English), english);
        let japanese = "良かった点：白の54手目F8のミス（約12目の損）を、黒はG8でとがめました。";
        assert_eq!(praise_sentence(&used, Color::Black, Language::Japanese), japanese);
        let run = Praise::CleanRun { first: 31, last: 95, count: 33 };
        let english = "What went well: from move 31 to move 95 Black made 33 moves without a clear loss.";
        assert_eq!(praise_sentence(&run, Color::Black, Language::English), english);
        let japanese = "良かった点：31手目から95手目まで、黒の33手にはっきりした損はありません。";
        assert_eq!(praise_sentence(&run, Color::Black, Language::Japanese), japanese);
    }

    #[test]
    fn fewer_lessons_than_were_asked_for_are_told_as_that() {
        let told =
            |lessons, language| praise_sentence(&Praise::FewMistakes { lessons }, Color::White, language);
        let none = "What went well: White made no mistake that is both large and sure.";
        assert_eq!(told(0, Language::English), none);
        assert_eq!(told(0, Language::Japanese), "良かった点：白には、大きくてはっきりした損がありません。");
        let no_other = "What went well: White made no other mistake that is both large and sure.";
        assert_eq!(told(2, Language::English), no_other);
        assert_eq!(
            told(2, Language::Japanese),
            "良かった点：白には、ほかに大きくてはっきりした損がありません。"
        );
    }

    #[test]
    fn a_part_that_many_small_losses_decided_says_so() {
        let part = PhaseSummary {
            phase: GamePhase::Opening,
            first: 1,
            last: 40,
            lead_before: -1.0,
            lead_after: -7.0,
            worst: [None; 2],
        };
        let english = phase_sentence(&part, Language::English);
        assert!(
            english.ends_with("White leads by 7 points after it. It came of many small losses."),
            "{english}"
        );
        let japanese = phase_sentence(&part, Language::Japanese);
        assert!(japanese.ends_with("白が7目リードです。小さな損の積み重ねです。"), "{japanese}");
    }

    /// Whoever plays elsewhere after a mistake has not used it with that move.
    #[test]
    fn what_was_kept_without_an_answer_is_told_as_that() {
        let mistake = Move::Play(Point::new(5, 7));
        let kept = Praise::UsedMistake { number: 54, mistake, points: 12.2, answer: None };
        let english =
            "What went well: White gave about 12 points away with move 54 (F8), and Black kept that.";
        assert_eq!(praise_sentence(&kept, Color::Black, Language::English), english);
        let japanese = "良かった点：白の54手目F8のミス（約12目の損）のあと、黒はその得を守りました。";
        assert_eq!(praise_sentence(&kept, Color::Black, Language::Japanese), japanese);
    }

    #[test]
    fn a_pass_has_its_word_in_each_language() {
        let pass = PhaseLoss { number: 24, mv: Move::Pass, points: 11.2 };
        let part = PhaseSummary {
            phase: GamePhase::Opening,
            first: 1,
            last: 40,
            lead_before: -1.0,
            lead_after: 10.0,
            worst: [None, Some(pass)],
        };
        let english = phase_sentence(&part, Language::English);
        assert!(english.ends_with("was White's move 24 (a pass, about 11 points)."), "{english}");
        let japanese = phase_sentence(&part, Language::Japanese);
        assert!(japanese.ends_with("最も損をした手は白の24手目パス（約11目）です。"), "{japanese}");
        let kept = Praise::UsedMistake { number: 24, mistake: Move::Pass, points: 11.2, answer: None };
        let english = praise_sentence(&kept, Color::Black, Language::English);
        assert!(english.ends_with("with move 24 (a pass), and Black kept that."), "{english}");
        let japanese = praise_sentence(&kept, Color::Black, Language::Japanese);
        assert!(japanese.contains("白の24手目パスのミス"), "{japanese}");
    }

    #[test]
    fn the_first_mistake_is_told_with_the_better_move() {
        let mut mistake = swing(24, 11.2, MatterKind::SavesStones, "Q16").value;
        mistake.mv = Move::Play(Point::new(3, 2));
        let told = |mistake: &MoveValue, language| first_mistake_sentence(mistake, language);
        let english = "First found: White's move 24, D3, loses about 11 points. Q16 is better.";
        assert_eq!(told(&mistake, Language::English).as_deref(), Some(english));
        let japanese = "最初に見つかった損：白の24手目D3（約11目）。Q16がまさります。";
        assert_eq!(told(&mistake, Language::Japanese).as_deref(), Some(japanese));
        let small = MoveValue { lost_points: 2.9, ..mistake };
        assert_eq!(told(&small, Language::English), None, "too small to be told at once");
        mistake.better = None;
        assert_eq!(told(&mistake, Language::English), None, "it lost nothing");
    }

    /// The stones of the lesson may be lost by a move at them, and the better move be elsewhere: then neither question nor title is about them.
    #[test]
    fn what_is_answered_elsewhere_is_neither_asked_nor_called_by_the_stones() {
        let mut mistake = swing(135, 8.0, MatterKind::SavesStones, "Q16 R16");
        mistake.value.better = Some(Move::Play(Point::new(2, 2)));
        let question = "Before move 135, Black to play: where would you play?";
        let head = head(&[mistake]);
        assert_eq!(lesson_question(&head, Language::English), question);
        assert_eq!(lesson_title(&head, Language::English), "Where to play first, move 135 (about 8 points)");
        assert_eq!(lesson_title(&head, Language::Japanese), "どこから打つか、135手目（約8目）");
    }

    /// The judge is not sure of a fate: then it is not asked how stones live or are killed.
    #[test]
    fn what_is_not_sure_is_asked_as_that() {
        let questions = |kind: MatterKind| {
            let mut head = head(&[swing(135, 8.0, kind, "Q16 R16")]);
            let reason = CarryingReason { is_sure: [false; 2], ..*head.cause.carrying().unwrap() };
            head.cause = Cause::Carried(Box::new(reason));
            [Language::English, Language::Japanese].map(|language| lesson_question(&head, language))
        };
        let [english, japanese] = questions(MatterKind::KillsStones);
        assert_eq!(english, "Before move 135, Black to play: how are White's stones at Q16 attacked?");
        assert_eq!(japanese, "135手目、黒番：白Q16の石をどう攻めますか。");
        let [english, japanese] = questions(MatterKind::SavesStones);
        assert_eq!(english, "Before move 135, Black to play: how are the stones at Q16 helped?");
        assert_eq!(japanese, "135手目、黒番：Q16の石をどう守りますか。");
    }

    #[test]
    fn a_lesson_with_a_place_and_no_area_has_its_place_as_title() {
        let fight = [
            swing(135, 8.0, MatterKind::SavesStones, "Q16 R16"),
            swing(175, 12.0, MatterKind::SavesStones, "Q16 R16"),
        ];
        let head = LessonHead { cause: Cause::Spread, ..head(&fight) };
        assert_eq!(
            lesson_title(&head, Language::English),
            "Play in the upper right, moves 135 to 175: two chances to do better (the largest about 12 points)"
        );
        assert_eq!(
            lesson_title(&head, Language::Japanese),
            "右上の打ち方、135手目から175手目：より良く打つ機会が2回（最大で約12目）"
        );
        assert!(lesson_question(&head, Language::English).ends_with("where would you play?"));
    }
}
