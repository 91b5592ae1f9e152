//! Lessons in words.

use ishi_go::{Color, Move};
use ishi_knowledge::words::{color_name, phase_name};
use ishi_words::Language;

use super::answer_tree::{AnswerTree, ProvedGoal};
use super::lesson::{Lesson, LessonHead, PhaseLoss, PhaseSummary, Praise};
use super::listener::Listener;
use super::owners::{CarryingReason, Cause, MatterKind};
use super::review::LossClass;
use super::say::{points_text, teaching_text};
use super::value::MoveValue;
use super::words::{difference_text, low_chance_reason};

/// A part of the game that changes the lead by less, in points, was even.
const EVEN: f64 = 2.0;

/// To a beginner a loss of so many points is big, and very big.
const BIG: f64 = 5.0;
const VERY_BIG: f64 = 15.0;

/// Whoever waits for lessons is told of the first loss of so many points and more.
const FIRST_TOLD: f64 = 3.0;

/// What a lesson is about: "The fight in the upper right, moves 134 to 275: four chances to settle it (the largest about 40 points)". What
/// several chances lost is not added up: each side gives some of it back in between. A beginner hears in words how large the loss is, a dan player
/// in tenths of points, and what it lost of the chance to win.
pub fn lesson_title(head: &LessonHead, listener: Listener, language: Language) -> String {
    let (subject, chance) = lesson_subject(head, language);
    let (first, last) = (head.numbers[0], head.numbers[head.numbers.len() - 1]);
    let count = head.numbers.len();
    let cost = cost_for_listener(head, listener, language);
    let largest = match listener {
        Listener::Beginner => language.choose(format!("{cost} in one of them"), format!("一度は{cost}")),
        Listener::Kyu | Listener::Dan => {
            language.choose(format!("the largest {cost}"), format!("最大で{cost}"))
        }
    };
    match (language, count) {
        (Language::English, 1) => format!("{subject}, move {first} ({cost})"),
        (Language::English, _) => {
            let chances = format!("{} chances to {chance}", number_word(count));
            format!("{subject}, moves {first} to {last}: {chances} ({largest})")
        }
        (Language::Japanese, 1) => format!("{subject}、{first}手目（{cost}）"),
        (Language::Japanese, _) => {
            format!("{subject}、{first}手目から{last}手目：{chance}機会が{count}回（{largest}）")
        }
    }
}

/// What the move of a lesson lost that lost most, as its listener is told.
fn cost_for_listener(head: &LessonHead, listener: Listener, language: Language) -> String {
    let [points, win_rate] = head.largest_loss;
    match listener {
        Listener::Beginner => loss_in_words(points, win_rate, language).to_string(),
        Listener::Kyu => loss_text(points, win_rate, language),
        Listener::Dan => difference_text(points, 100.0 * win_rate, language),
    }
}

/// How large a loss is, for who has no feeling for points yet.
fn loss_in_words(points: f64, win_rate: f64, language: Language) -> &'static str {
    let class = LossClass::from_lost_win_rate(win_rate);
    if points >= VERY_BIG || class == Some(LossClass::Blunder) {
        language.choose("a very big loss", "とても大きな損")
    } else if points >= BIG || class == Some(LossClass::Mistake) {
        language.choose("a big loss", "大きな損")
    } else {
        language.choose("a small loss", "小さな損")
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
        MatterKind::ReducesTerritory => {
            let [english, japanese] = middle_of_territory(reason, head);
            (
                format!("how is {other}'s territory {there}{english} reduced?"),
                format!("{place}{japanese}の{other}地をどう減らしますか。"),
            )
        }
    };
    language.choose(english, japanese)
}

/// Where the middle of a territory is, in English and in Japanese, as the answer tells it too. It is left out where the better move is played
/// within the territory. From outside it may stand in another part of the board than the one that the territory is called by.
fn middle_of_territory(reason: &CarryingReason, head: &LessonHead) -> [String; 2] {
    let is_within = head.better_points().iter().any(|&better| reason.area.points.contains(better));
    match reason.middle.filter(|_| !is_within) {
        Some(middle) => [format!(", around {middle},"), format!("（{middle}付近）")],
        None => Default::default(),
    }
}

/// The stones that a goal is about, at the beginning of a sentence: "The 3 stones at C5".
fn stones_of_goal(tree: &AnswerTree, language: Language) -> String {
    match (tree.goal.stones().as_slice(), tree.stones) {
        ([one, other], _) => language.choose(format!("{one} and {other}"), format!("{one}と{other}")),
        ([stone, ..], 1) => language.choose(format!("The stone at {stone}"), format!("{stone}の石")),
        ([stone, ..], count) => {
            language.choose(format!("The {count} stones at {stone}"), format!("{stone}の{count}子"))
        }
        ([], _) => String::new(),
    }
}

/// What a line of a tree is called: what the other side wants there, if anything, and what it comes to.
pub fn tried_line_name(tree: &AnswerTree, language: Language) -> String {
    let reached = goal_sentence(tree, language);
    if tree.tries.is_empty() {
        return reached;
    }
    let (other, [_, wish]) = (color_name(!tree.side, language), wish_of_tries(tree));
    language.choose(
        format!("{} {reached}", try_sentence(tree, language)),
        format!("{other}が{wish}としても、{reached}"),
    )
}

/// What the other side wants by its tries, as it stands in a sentence in English and in Japanese.
fn wish_of_tries(tree: &AnswerTree) -> [&'static str; 2] {
    match tree.goal {
        ProvedGoal::Catches(_) => ["to get away", "逃げよう"],
        ProvedGoal::Saves(_) => ["to capture", "取ろう"],
        ProvedGoal::Connects(_) => ["to cut", "切ろう"],
        ProvedGoal::Cuts(_) => ["to connect", "つながろう"],
        ProvedGoal::Kills(_) => ["to live", "生きよう"],
        ProvedGoal::Lives(_) => ["to kill", "殺そう"],
    }
}

/// What the other side wants by a try, said of that move.
pub(super) fn try_sentence(tree: &AnswerTree, language: Language) -> String {
    let other = color_name(!tree.side, language);
    let [english, japanese] = wish_of_tries(tree);
    language.choose(format!("{other} tries {english}."), format!("{other}が{japanese}とする手です。"))
}

/// What is reached at the end of each line of a tree.
pub(super) fn goal_sentence(tree: &AnswerTree, language: Language) -> String {
    let stones = stones_of_goal(tree, language);
    let is_one = tree.stones == 1;
    let english = match tree.goal {
        ProvedGoal::Catches(_) if is_one => "is caught",
        ProvedGoal::Catches(_) => "are caught",
        // Whether they live in the end is more than the reading of captures knows.
        ProvedGoal::Saves(_) if is_one => "is not caught",
        ProvedGoal::Saves(_) => "are not caught",
        ProvedGoal::Connects(_) => "are connected",
        ProvedGoal::Cuts(_) => "stay cut off from each other",
        ProvedGoal::Kills(_) if is_one => "is dead",
        ProvedGoal::Kills(_) => "are dead",
        ProvedGoal::Lives(_) if is_one => "lives",
        ProvedGoal::Lives(_) => "live",
    };
    let japanese = match tree.goal {
        ProvedGoal::Catches(_) | ProvedGoal::Kills(_) if tree.is_taken => "は取られました",
        ProvedGoal::Catches(_) => "は逃げられません",
        ProvedGoal::Saves(_) => "は取られません",
        ProvedGoal::Connects(_) => "はつながっています",
        ProvedGoal::Cuts(_) => "は切れたままです",
        ProvedGoal::Kills(_) => "は死んでいます",
        ProvedGoal::Lives(_) => "は生きています",
    };
    language.choose(format!("{stones} {english}."), format!("{stones}{japanese}。"))
}

/// The whole lesson: what it is about, the question, and what is said of the move that was played, with the answer.
pub fn lesson_text(lesson: &Lesson, language: Language) -> String {
    let title = lesson_title(&lesson.head, lesson.teaching.listener, language);
    let question = lesson_question(&lesson.head, language);
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
    let gain = part.lead_after - part.lead_before;
    let is_even = gain.abs() < EVEN;
    let winner = if gain > 0.0 { Color::Black } else { Color::White };
    let (name, points) = (color_name(winner, language), points_text(gain.abs(), language));
    let (moves, stand) = (phase_moves(part, language), lead_text(part.lead_after, language));
    let losses = phase_losses(part, is_even, language);
    let told = match (language, is_even) {
        (Language::English, true) if part.lead_after.abs() < EVEN => {
            format!("The {moves} came out even: {stand} after it.")
        }
        (Language::English, true) => format!("Neither side gained in the {moves}: {stand} after it."),
        (Language::English, false) if leads_all_the_same(part, !winner) => {
            let stand = stand.replace("leads", "still leads");
            format!("{name} gained {points} in the {moves}, but {stand} after it.")
        }
        (Language::English, false) => format!("{name} gained {points} in the {moves}: {stand} after it."),
        (Language::Japanese, true) if part.lead_after.abs() < EVEN => {
            format!("{moves}は互角でした。終わった時点で{stand}。")
        }
        (Language::Japanese, true) => {
            format!("{moves}ではどちらも得をしていません。終わった時点で{stand}。")
        }
        (Language::Japanese, false) if leads_all_the_same(part, !winner) => {
            format!("{moves}は{name}が{points}得をしましたが、終わった時点でもまだ{stand}。")
        }
        (Language::Japanese, false) => {
            format!("{moves}は{name}が{points}得をしました。終わった時点で{stand}。")
        }
    };
    let chance = part.low_chance.map_or(String::new(), |chance| low_chance_sentence(chance, language));
    language.choose(format!("{told} {losses}{chance}"), format!("{told}{losses}{chance}"))
}

/// Why the chance beside a lead is low, in a game with a handicap: a sentence behind that of the lead.
fn low_chance_sentence(black_win_rate: f64, language: Language) -> String {
    let share = 100.0 * black_win_rate;
    let (english, japanese) = low_chance_reason();
    language.choose(
        format!(" Black's chance to win is {share:.0} % then{english}."),
        format!("その時の黒の勝率は{share:.0}%です{japanese}。"),
    )
}

/// A part of the game with its moves: "opening (moves 1 to 40)".
fn phase_moves(part: &PhaseSummary, language: Language) -> String {
    let phase = phase_name(part.phase, language);
    match (language, part.first == part.last) {
        (Language::English, true) => format!("{phase} (move {})", part.first),
        (Language::English, false) => format!("{phase} (moves {} to {})", part.first, part.last),
        (Language::Japanese, true) => format!("{phase}（{}手目）", part.first),
        (Language::Japanese, false) => format!("{phase}（{}手目から{}手目）", part.first, part.last),
    }
}

/// Does a side lead before a part of the game and after it, by a whole point at least?
fn leads_all_the_same(part: &PhaseSummary, side: Color) -> bool {
    let lead = |black: f64| if side == Color::Black { black } else { -black };
    lead(part.lead_before) > 0.0 && lead(part.lead_after).round() >= 1.0
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

    use super::super::answer_tree::TreeMove;
    use super::super::lesson::tests::{choose_lessons, swing};
    use super::*;

    #[test]
    fn lines_of_trees_say_what_is_tried_and_what_it_comes_to() {
        let [stone, other] = [Point::new(2, 4), Point::new(4, 4)];
        let tree_of = |goal: ProvedGoal, tries: Vec<TreeMove>| {
            let (side, moves) = (Color::Black, Vec::new());
            AnswerTree { goal, side, stones: 1, is_taken: false, moves, tries }
        };
        let told = |goal: ProvedGoal, stones: usize, language: Language| {
            let attempt = TreeMove { color: Color::White, mv: stone, replies: Vec::new() };
            tried_line_name(&AnswerTree { stones, ..tree_of(goal, vec![attempt]) }, language)
        };
        let (catches, joins) = (ProvedGoal::Catches(stone), ProvedGoal::Connects([stone, other]));
        let english = |goal: ProvedGoal, stones: usize| told(goal, stones, Language::English);
        assert_eq!(english(catches, 3), "White tries to get away. The 3 stones at C5 are caught.");
        assert_eq!(english(joins, 2), "White tries to cut. C5 and E5 are connected.");
        assert_eq!(english(ProvedGoal::Lives(stone), 1), "White tries to kill. The stone at C5 lives.");
        let japanese = "白が逃げようとしても、C5の3子は逃げられません。";
        assert_eq!(told(catches, 3, Language::Japanese), japanese);
        let tree = tree_of(ProvedGoal::Saves(stone), Vec::new());
        assert_eq!(tried_line_name(&tree, Language::English), "The stone at C5 is not caught.");
    }

    fn title(head: &LessonHead, language: Language) -> String {
        lesson_title(head, Listener::Kyu, language)
    }

    /// The same loss in words, in whole points, and in tenths with the chance to win.
    #[test]
    fn titles_tell_a_loss_as_their_listener_hears_it() {
        let chances = [
            swing(135, 8.0, MatterKind::SavesStones, "Q16 R16"),
            swing(175, 12.0, MatterKind::SavesStones, "Q16 R16"),
        ];
        let mut fight = head(&chances);
        fight.largest_loss = [12.34, 0.2];
        let told = |listener: Listener, language: Language| lesson_title(&fight, listener, language);
        let ends_with = |listener: Listener, english: &str, japanese: &str| {
            let title = told(listener, Language::English);
            assert!(title.ends_with(english), "{title}");
            let title = told(listener, Language::Japanese);
            assert!(title.ends_with(japanese), "{title}");
        };
        ends_with(Listener::Beginner, "(a big loss in one of them)", "（一度は大きな損）");
        ends_with(Listener::Kyu, "(the largest about 12 points)", "（最大で約12目）");
        let [english, japanese] =
            [Language::English, Language::Japanese].map(|language| difference_text(12.34, 20.0, language));
        let [english, japanese] = [format!("(the largest {english})"), format!("（最大で{japanese}）")];
        assert!(english.contains("12.3") && english.contains("20 %"), "{english}");
        ends_with(Listener::Dan, &english, &japanese);
        let single = head(&chances[..1]);
        assert!(lesson_title(&single, Listener::Beginner, Language::English).ends_with("(a big loss)"));
        let words = |points, win_rate| loss_in_words(points, win_rate, Language::English);
        assert_eq!([words(2.0, 0.05), words(2.0, 0.2)], ["a small loss", "a big loss"]);
        assert_eq!([words(16.0, 0.0), words(0.0, 0.4)], ["a very big loss"; 2]);
    }

    fn head(swings: &[super::super::lesson::Swing]) -> LessonHead {
        let size = BoardSize::square(19).unwrap();
        choose_lessons(swings, size, swings[0].value.color, 1).remove(0)
    }

    #[test]
    fn a_fight_is_one_lesson_with_its_chances() {
        let saves = MatterKind::SavesStones;
        let fight = head(&[swing(135, 8.0, saves, "Q16 R16"), swing(175, 12.0, saves, "Q16 R16")]);
        let english = "The fight in the upper right, moves 135 to 175: two chances to settle it (the largest about 12 points)";
        assert_eq!(title(&fight, Language::English), english);
        let japanese = "右上の戦い、135手目から175手目：決める機会が2回（最大で約12目）";
        assert_eq!(title(&fight, Language::Japanese), japanese);
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
        assert_eq!(title(&side, Language::English), "Territory on the left side, move 40 (about 7 points)");
        assert_eq!(title(&side, Language::Japanese), "左辺の地、40手目（約7目）");
        let question = "Before move 40, White to play: how is Black's territory on the left side reduced?";
        assert_eq!(lesson_question(&side, Language::English), question);
        assert_eq!(
            lesson_question(&side, Language::Japanese),
            "40手目、白番：左辺の黒地をどう減らしますか。"
        );
        let spread = head(&[swing(40, 4.0, MatterKind::SavesStones, "")]);
        let english = "Small differences all over the board, move 40 (about 4 points)";
        assert_eq!(title(&spread, Language::English), english);
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
            low_chance: None,
        };
        let point = |column, row| Move::Play(Point::new(column, row));
        let loss = |number, points| Some(PhaseLoss { number, mv: point(2, 3), points });
        let [none, one, both] = [[None, None], [None, loss(24, 11.2)], [loss(25, 12.0), loss(24, 11.2)]];
        let even =
            "The opening (moves 1 to 40) came out even: nobody leads after it. No move in it lost much.";
        assert_eq!(phase_sentence(&part(-1.0, 0.2, none), Language::English), even);
        let gained = "White gained about 6 points in the opening (moves 1 to 40): White leads by 7 points after it. \
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

    /// Who gains may be behind all the same, and where nobody gains one side may lead, by its handicap.
    #[test]
    fn who_leads_is_told_beside_who_gained() {
        let told = |lead_before: f64, lead_after: f64| {
            let (phase, worst) = (GamePhase::Endgame, [None; 2]);
            let part = PhaseSummary {
                phase,
                first: 169,
                last: 253,
                lead_before,
                lead_after,
                worst,
                low_chance: None,
            };
            [Language::English, Language::Japanese].map(|language| phase_sentence(&part, language))
        };
        let [english, japanese] = told(11.2, 7.1);
        let gained = "White gained about 4 points in the endgame (moves 169 to 253), but Black still leads by 7 points after it. ";
        assert!(english.starts_with(gained), "{english}");
        let gained =
            "ヨセ（169手目から253手目）は白が約4目得をしましたが、終わった時点でもまだ黒が7目リードです。";
        assert!(japanese.starts_with(gained), "{japanese}");
        let turned = "White gained about 12 points in the endgame (moves 169 to 253): White leads by 5 points after it. ";
        assert!(told(7.0, -5.0)[0].starts_with(turned));
        let [english, japanese] = told(95.6, 95.0);
        let kept =
            "Neither side gained in the endgame (moves 169 to 253): Black leads by 95 points after it. ";
        assert!(english.starts_with(kept), "{english}");
        let kept =
            "ヨセ（169手目から253手目）ではどちらも得をしていません。終わった時点で黒が95目リードです。";
        assert!(japanese.starts_with(kept), "{japanese}");
        assert!(told(1.0, 0.2)[0].contains("came out even"));
    }

    #[test]
    fn a_chance_that_is_low_beside_its_lead_has_its_reason() {
        let part = PhaseSummary {
            phase: GamePhase::Opening,
            first: 1,
            last: 40,
            lead_before: 72.0,
            lead_after: 71.6,
            worst: [None; 2],
            low_chance: Some(0.716),
        };
        let english = "Neither side gained in the opening (moves 1 to 40): Black leads by 72 points after it. No move in it lost much. \
                       Black's chance to win is 72 % then (low for such a lead: with a handicap White is taken for the stronger player).";
        assert_eq!(phase_sentence(&part, Language::English), english);
        let japanese = "布石（1手目から40手目）ではどちらも得をしていません。終わった時点で黒が72目リードです。大きな損をした手はありません。\
                        その時の黒の勝率は72%です（置碁では白を上手と見るので、リードのわりに低くなります）。";
        assert_eq!(phase_sentence(&part, Language::Japanese), japanese);
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
            low_chance: None,
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
            low_chance: None,
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
        assert_eq!(title(&head, Language::English), "Where to play first, move 135 (about 8 points)");
        assert_eq!(title(&head, Language::Japanese), "どこから打つか、135手目（約8目）");
    }

    /// A move that reduces a territory from outside may stand in another part of the board: the question names the territory as the answer does.
    #[test]
    fn a_territory_that_is_reduced_from_outside_is_asked_about_by_its_middle() {
        let point = |column, row| Point::new(column, row);
        let questions = |better: Point| {
            let mut mistake = swing(51, 8.0, MatterKind::ReducesTerritory, "R17 S17 R18 S18");
            mistake.value.better = Some(Move::Play(better));
            let mut head = head(&[mistake]);
            let middle = Some(point(16, 16));
            let reason = CarryingReason { middle, ..*head.cause.carrying().unwrap() };
            head.cause = Cause::Carried(Box::new(reason));
            [Language::English, Language::Japanese].map(|language| lesson_question(&head, language))
        };
        let [english, japanese] = questions(point(15, 14));
        let asked = "Before move 51, Black to play: how is White's territory in the upper right, around R17, reduced?";
        assert_eq!(english, asked);
        assert_eq!(japanese, "51手目、黒番：右上（R17付近）の白地をどう減らしますか。");
        let [english, japanese] = questions(point(16, 16));
        assert_eq!(
            english,
            "Before move 51, Black to play: how is White's territory in the upper right reduced?"
        );
        assert_eq!(japanese, "51手目、黒番：右上の白地をどう減らしますか。");
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
            title(&head, Language::English),
            "Play in the upper right, moves 135 to 175: two chances to do better (the largest about 12 points)"
        );
        assert_eq!(
            title(&head, Language::Japanese),
            "右上の打ち方、135手目から175手目：より良く打つ機会が2回（最大で約12目）"
        );
        assert!(lesson_question(&head, Language::English).ends_with("where would you play?"));
    }
}
