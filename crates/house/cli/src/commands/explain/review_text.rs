//! The words of `ishi review`: what it prints, and what stands on its pages.

use std::fmt::Write;

use ishi_go::Color;
use ishi_go_play::explain::review_report::LessonReport;
use ishi_knowledge::words::color_name;
use ishi_sgf::GameResult;
use ishi_words::{Language, format_count};

use super::game_review::GameReview;

/// Words of texts and pages.
pub(super) struct ReviewWords {
    pub(super) lang: &'static str,
    pub(super) index: &'static str,
    pub(super) win_rate: &'static str,
    pub(super) lead: &'static str,
    pub(super) turning: &'static str,
    pub(super) no_turning: &'static str,
    pub(super) lessons: &'static str,
    pub(super) answer: &'static str,
    pub(super) parts: &'static str,
    pub(super) no_worst: &'static str,
    pub(super) moves: &'static str,
    pub(super) columns: [&'static str; 4],
}

pub(super) fn review_words(language: Language) -> ReviewWords {
    match language {
        Language::English => ReviewWords {
            lang: "en",
            index: "All games",
            win_rate: "Black's win rate",
            lead: "Black's lead in points",
            turning: "Turning points",
            no_turning: "The lead never changed for long.",
            lessons: "Lessons",
            answer: "Answer",
            parts: "How the game went",
            no_worst: "No move lost much.",
            moves: "moves",
            columns: ["game", "moves", "turning points", "worst lesson"],
        },
        Language::Japanese => ReviewWords {
            lang: "ja",
            index: "棋譜一覧",
            win_rate: "黒の勝率",
            lead: "黒のリード（目）",
            turning: "局面の転換",
            no_turning: "大きな逆転なし。",
            lessons: "この碁の教訓",
            answer: "答え",
            parts: "碁の流れ",
            no_worst: "大きな損はありません。",
            moves: "手",
            columns: ["対局", "手数", "局面の転換", "最も損な手"],
        },
    }
}

/// File, players with their ranks, length, result.
fn format_header(review: &GameReview, language: Language) -> String {
    let player = |name: &String, rank: &Option<String>| match (rank, language) {
        (None, _) => name.clone(),
        (Some(rank), Language::English) => format!("{name} ({rank})"),
        (Some(rank), Language::Japanese) => format!("{name}（{rank}）"),
    };
    let [black, white] =
        [player(&review.black, &review.black_rank), player(&review.white, &review.white_rank)];
    let (file, moves) = (&review.file, review.moves.len());
    match language {
        Language::English => {
            let result = review.result.as_ref().map_or(String::new(), |result| format!(", {result}"));
            format!("{file}: {black} - {white}, {}{result}", format_count(moves, "move"))
        }
        Language::Japanese => {
            let result = review.result.as_ref();
            let result = result.map_or(String::new(), |result| format!("、{}", japanese_result(result)));
            format!("{file}：黒 {black} 対 白 {white}、{moves}手{result}")
        }
    }
}

/// A result as records have it, in Japanese; a text that is none as it stands.
fn japanese_result(result: &str) -> String {
    let Ok(read) = result.parse::<GameResult>() else { return format!("結果{result}") };
    let how = match read {
        GameResult::Points(_, points) => format!("{}勝ち", japanese_margin(points)),
        GameResult::Resignation(_) => "中押し勝ち".to_string(),
        GameResult::Time(_) => "時間切れ勝ち".to_string(),
        GameResult::Forfeit(_) => "反則勝ち".to_string(),
        GameResult::Win(_) => "勝ち".to_string(),
        GameResult::Draw => "持碁".to_string(),
        GameResult::Void => "無勝負".to_string(),
        GameResult::Unknown => "結果不明".to_string(),
    };
    match read.winner() {
        Some(winner) => format!("{}の{how}", color_name(winner, Language::Japanese)),
        None => how,
    }
}

/// A margin in points, as players say it: half a point is 半目.
fn japanese_margin(points: f64) -> String {
    let whole = points.trunc();
    match (whole, points - whole) {
        (0.0, 0.5) => "半目".to_string(),
        (whole, 0.5) => format!("{whole}目半"),
        _ => format!("{points}目"),
    }
}

/// Who is ahead from a move on, with the chance to win: the mean of so many moves.
fn format_turning_point(
    number: usize,
    (leader, share, moves): (Color, f64, usize),
    language: Language,
) -> String {
    let (leader, share) = (color_name(leader, language), 100.0 * share);
    let mean = match (language, moves) {
        (_, 1) => String::new(),
        (Language::English, _) => format!(", the mean of {moves} moves"),
        (Language::Japanese, _) => format!("{moves}手の平均で"),
    };
    language.choose(
        format!("{leader} ahead from move {number} (a chance of {share:.0} % to win{mean})"),
        format!("{number}手目から{leader}優勢（{mean}勝率{share:.0}%）"),
    )
}

/// The review as the command prints it.
pub(super) fn format_review(review: &GameReview, language: Language) -> String {
    let english = language == Language::English;
    let mut text = format_header(review, language) + "\n";
    let turn = |&number: &usize| format_turning_point(number, review.leader_from(number), language);
    let turns: Vec<String> = review.turning_points.iter().map(turn).collect();
    let none = if english { "the lead never changed for long" } else { "大きな逆転なし" };
    let words = review_words(language);
    let colon = if english { ": " } else { "：" };
    let _ = writeln!(
        text,
        "{}{colon}{}",
        words.turning,
        if turns.is_empty() { none.to_string() } else { turns.join(", ") }
    );
    if review.lost_nothing() {
        let _ = writeln!(text, "{}", words.no_worst);
    }
    for sentence in review.sentences() {
        let _ = writeln!(text, "{sentence}");
    }
    for (n, reviewed) in review.lessons.iter().enumerate() {
        let LessonReport { title, question, text: told, .. } = &reviewed.lesson;
        let head = if english { "Lesson" } else { "教訓" };
        let _ = writeln!(text, "\n{head} {}{colon}{title}\n{question}\n{}", n + 1, told.trim());
    }
    text.push('\n');
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_turning_point_says_whose_chance_it_is() {
        let told = |moves: usize, language| format_turning_point(76, (Color::Black, 0.582, moves), language);
        let english = "Black ahead from move 76 (a chance of 58 % to win, the mean of 10 moves)";
        assert_eq!(told(10, Language::English), english);
        assert_eq!(told(1, Language::English), "Black ahead from move 76 (a chance of 58 % to win)");
        assert_eq!(told(10, Language::Japanese), "76手目から黒優勢（10手の平均で勝率58%）");
        assert_eq!(told(1, Language::Japanese), "76手目から黒優勢（勝率58%）");
    }

    #[test]
    fn results_are_told_in_japanese() {
        let expected = [
            ("B+R", "黒の中押し勝ち"),
            ("W+T", "白の時間切れ勝ち"),
            ("B+Forfeit", "黒の反則勝ち"),
            ("B+0.5", "黒の半目勝ち"),
            ("B+3.5", "黒の3目半勝ち"),
            ("W+10", "白の10目勝ち"),
            ("B+2.25", "黒の2.25目勝ち"),
            ("W+", "白の勝ち"),
            ("0", "持碁"),
            ("Void", "無勝負"),
            ("?", "結果不明"),
            ("Kuro won", "結果Kuro won"),
        ];
        for (result, words) in expected {
            assert_eq!(japanese_result(result), words, "{result}");
        }
    }
}
