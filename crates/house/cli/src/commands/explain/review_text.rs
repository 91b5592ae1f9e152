//! The words of `ishi review`: what it prints, and what stands on its pages.

use std::fmt::Write;

use ishi_go_play::explain::review_report::LessonReport;
use ishi_knowledge::words::color_name;
use ishi_words::Language;

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
            format!("{file}: {black} - {white}, {moves} moves{result}")
        }
        Language::Japanese => {
            let result = review.result.as_ref();
            let result = result.map_or(String::new(), |result| format!("、{}", japanese_result(result)));
            format!("{file}：黒 {black} 対 白 {white}、{moves}手{result}")
        }
    }
}

/// A result as records have it, in Japanese; one that is unusual as it stands.
fn japanese_result(result: &str) -> String {
    let (winner, by) = match result.split_once('+') {
        Some(("B", by)) => ("黒", by),
        Some(("W", by)) => ("白", by),
        _ if matches!(result, "0" | "Draw") => return "持碁".to_string(),
        _ => return format!("結果{result}"),
    };
    match by {
        "" => format!("{winner}の勝ち"),
        "R" | "Resign" => format!("{winner}の中押し勝ち"),
        "T" | "Time" => format!("{winner}の時間切れ勝ち"),
        "F" | "Forfeit" => format!("{winner}の反則勝ち"),
        points if points.parse::<f64>().is_ok() => format!("{winner}の{points}目勝ち"),
        _ => format!("結果{result}"),
    }
}

/// The review as the command prints it.
pub(super) fn format_review(review: &GameReview, language: Language) -> String {
    let english = language == Language::English;
    let mut text = format_header(review, language) + "\n";
    let turn = |&number: &usize| {
        let (leader, share, moves) = review.leader_from(number);
        let (leader, share) = (color_name(leader, language), 100.0 * share);
        if english {
            let plural = if moves == 1 { "" } else { "s" };
            format!("{leader} ahead from move {number} ({share:.0} %, the mean of {moves} move{plural})")
        } else {
            format!("{number}手目から{leader}優勢（{moves}手の平均{share:.0}%）")
        }
    };
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
    fn results_are_told_in_japanese() {
        let told = ["B+R", "W+T", "B+3.5", "W+", "0", "Void"].map(japanese_result);
        let words = ["黒の中押し勝ち", "白の時間切れ勝ち", "黒の3.5目勝ち", "白の勝ち", "持碁", "結果Void"];
        assert_eq!(told, words);
    }
}
