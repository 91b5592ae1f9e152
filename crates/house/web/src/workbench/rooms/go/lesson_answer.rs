//! An answer to a lesson that its review has not judged: it is searched as the review searches, by the program that judged it. What it loses is said in
//! the lesson, with the reply (`ui/lesson.ts`).

use std::sync::Arc;

use axum::extract::{Form, Path};
use axum::http::StatusCode;
use ishi_go::{Move, Point, Position};
use ishi_go_play::analyst::JudgeError;
use ishi_go_play::explain::answer::{JudgedAnswer, judge_answer};
use ishi_go_play::explain::listener::Listener;
use ishi_go_play::explain::{ExplainParams, Explainer};
use ishi_work::Stop;
use maud::{Markup, html};
use serde::Deserialize;

use super::insight::{AnswerProgress, PositionJudging};
use super::reviewed::{REVIEW_LEVEL, line_words, name_moves};
use super::table::GoTable;
use super::think::table_topic;
use super::{ToldMeanwhile, check_spot, tell_of_asker};
use crate::workbench::error::PageError;
use crate::workbench::judge_sessions::WaitListener;
use crate::workbench::page::partial_response;
use crate::workbench::texts::args;
use crate::workbench::visitor::Visitor;
use crate::workbench::{DeskState, PageAnswer};
use crate::workers::JobStop;

#[derive(Deserialize)]
pub(super) struct LessonAnswerForm {
    /// The number of the lesson's move.
    number: usize,
    at: String,
    /// A name that the page has made up: whether the search waits is told under it.
    #[serde(default)]
    asker: String,
}

/// What a lesson asks, as a search needs it.
struct AskedLesson {
    /// Before the mistake.
    position: Position,
    /// The number of that place's node, in the order of the file.
    node: usize,
    better: Move,
    /// What the mistake lost, in points.
    mistake: f64,
    /// The program that has judged the game; none: ishi itself.
    judge: Option<String>,
}

impl AskedLesson {
    /// The lesson about the move of this number.
    ///
    /// # Errors
    /// If the review of the table has none.
    fn find(table: &GoTable, number: usize) -> Result<AskedLesson, PageError> {
        AskedLesson::find_known(table, number)?
            .ok_or_else(|| PageError::invalid_input_with("go-there-is-no-lesson-about-move", args![number]))
    }

    fn find_known(table: &GoTable, number: usize) -> Result<Option<AskedLesson>, PageError> {
        let size = table.size()?;
        let Some(review) = &table.review else { return Ok(None) };
        let lesson = review.lessons.iter().find(|lesson| lesson.number == number);
        let better = lesson.and_then(|lesson| size.parse_move(lesson.better.as_deref()?).ok());
        let line = review.find_line(table).unwrap_or_default();
        let played = number.checked_sub(1).and_then(|at| Some((review.rows.get(at)?, *line.get(at)?)));
        let (Some(better), Some((row, played))) = (better, played) else { return Ok(None) };
        let Some(before) = table.tree.node(played).parent() else { return Ok(None) };
        let position = table.replay_to(before)?.position;
        let node = table.number_of_node(before);
        let asked =
            AskedLesson { position, node, better, mistake: row.lost_points, judge: review.judge.clone() };
        // A record in which a side moves twice says otherwise whose turn it is.
        Ok(Some(asked).filter(|asked| asked.position.to_move().letter() == row.color))
    }

    /// What an answer is worth. `tell_wait` hears whether that waits for another question to the program that judges.
    fn judge(
        &self,
        answer: Point,
        judging: &PositionJudging,
        listener: Listener,
        stop: &JobStop,
        tell_wait: WaitListener,
    ) -> Result<JudgedAnswer, PageError> {
        let params = ExplainParams { listener, ..ExplainParams::of_level(REVIEW_LEVEL) };
        let judge = judging.create_telling_judge(params.analyst.clone(), stop.gone_flag(), tell_wait);
        let explainer = Explainer::new(params, judging.seed).with_judge(judge).with_stop(stop.clone());
        let judged = judge_answer(&explainer, &self.position, answer, self.better, self.mistake);
        if let Some(JudgeError::Failed(_)) = explainer.judge_failure() {
            return Err(PageError::new(StatusCode::BAD_GATEWAY, "go-the-judge-of-the-review-has-failed"));
        }
        if stop.is_requested() {
            return Err(PageError::server_closing());
        }
        judged.ok_or_else(PageError::internal_error)
    }

    /// What is said of an answer, for the page's script, and a button that shows the line.
    fn render_answer(&self, answer: Point, judged: &JudgedAnswer, visitor: &Visitor) -> Markup {
        let moves = name_moves(&judged.line);
        let title = match judged.is_good {
            true => visitor.text("go-how-it-goes-on"),
            false => visitor.text("go-how-it-is-answered"),
        };
        html! {
            div.row.walks data-node=(self.node) data-good[judged.is_good] data-said=(answer_words(answer, judged, visitor)) {
                @if moves.len() > 1 {
                    button type="button" data-walk=(moves.join(",")) { (title) (visitor.text("workbench-colon")) (line_words(&moves)) }
                }
            }
        }
    }
}

/// What an answer loses, and the reply that shows it.
fn answer_words(answer: Point, judged: &JudgedAnswer, visitor: &Visitor) -> String {
    let (points, point) = (judged.lost_points.round() as u64, answer);
    if judged.is_good && points == 0 {
        return visitor.text_with("go-answer-is-also-good", args![point]);
    }
    if judged.is_good {
        return visitor.text_with("go-answer-is-nearly-as-good", args![point]);
    }
    let share = format!("{:.0}", 100.0 * judged.lost_win_rate);
    let loses = match points {
        0 => visitor.text_with("go-answer-loses-chances", args![point, share]),
        points => visitor.text_with("go-answer-loses-points", args![point, points]),
    };
    let rest = match judged.line.get(1) {
        Some((_, reply)) => visitor.text_with("go-the-reply-is-try-again", args![reply]),
        None => visitor.text("go-try-again").to_string(),
    };
    format!("{loses}{}{rest}", visitor.language.choose(" ", ""))
}

/// Searches an answer that the review has not judged.
pub(super) async fn answer_lesson(
    desk: DeskState,
    Path(key): Path<String>,
    visitor: Visitor,
    Form(given): Form<LessonAnswerForm>,
) -> PageAnswer {
    check_spot(&given.asker)?;
    let table = GoTable::load(&desk, &key).await?;
    let answer = table.size()?.parse_point(&given.at)?;
    let asked = AskedLesson::find(&table, given.number)?;
    asked.position.check_move(asked.position.to_move(), answer.into())?;
    let program = desk.choose_judge(asked.judge.as_deref());
    let judging = PositionJudging { seed: desk.settings.seed, program: program.clone() };
    let (live, topic, asker) = (Arc::clone(&desk.live), table_topic(&key), given.asker);
    let meanwhile = ToldMeanwhile { live: Arc::clone(&live), topic: topic.clone() };
    let tell = move |waits: bool| {
        let progress = if waits { AnswerProgress::of_waiting() } else { AnswerProgress::default() };
        live.publish(&topic, "why", tell_of_asker(&asker, &progress));
    };
    let (tell_waiting, listener, reader) = (tell.clone(), visitor.listener, visitor.clone());
    let judge_it = move |stop: &JobStop| {
        // What was told of the wait is forgotten with the answer.
        let _meanwhile = meanwhile;
        let judged = asked.judge(answer, &judging, listener, stop, Box::new(tell))?;
        Ok::<Markup, PageError>(asked.render_answer(answer, &judged, &reader))
    };
    let told = desk.compute_judged(program, move || tell_waiting(true), judge_it).await??;
    Ok(partial_response(told))
}

#[cfg(test)]
mod tests {
    use axum::extract::State;
    use ishi_words::Language;

    use super::super::reviewed::{GoLesson, GoReview, ReviewedMove};
    use super::*;
    use crate::workbench::WorkbenchState;
    use crate::workbench::desk::{test_desk, test_desk_with_broken_judge, test_desk_with_busy_judge};

    /// White's first move is a mistake: F4 was better.
    fn reviewed_table(judge: Option<&str>) -> GoTable {
        let mut table = GoTable::from_record("t".to_string(), b"(;SZ[9]KM[7];B[cc];W[aa])").unwrap();
        let row = |color: char, vertex: &str, lost_points: f64| ReviewedMove {
            color,
            vertex: vertex.to_string(),
            black_lead: 0.0,
            black_win_rate: 0.5,
            lost_points,
            lost_win_rate: lost_points / 40.0,
        };
        let mut lesson = GoLesson::with_answer(2, "Better: it is bigger.", "もっと良い手があります。");
        lesson.better = Some("F4".to_string());
        let rows = vec![row('B', "C7", 0.0), row('W', "A9", 8.0)];
        let judge = judge.map(str::to_string);
        table.review = Some(GoReview { judge, ..GoReview::of_lessons(rows, vec![lesson]) });
        table
    }

    async fn ask(
        desk: &Arc<WorkbenchState>,
        number: usize,
        at: &str,
        language: Language,
    ) -> Result<String, PageError> {
        let form = LessonAnswerForm { number, at: at.to_string(), asker: "me".to_string() };
        let visitor = Visitor::for_language(language);
        let answer =
            answer_lesson(State(Arc::clone(desk)), Path("t".to_string()), visitor, Form(form)).await?;
        let bytes = axum::body::to_bytes(answer.into_body(), usize::MAX).await.unwrap();
        Ok(String::from_utf8(bytes.to_vec()).unwrap())
    }

    #[tokio::test]
    async fn an_answer_that_nobody_has_judged_is_searched() {
        let desk = Arc::new(test_desk());
        reviewed_table(None).save(&desk).await.unwrap();
        let bad = ask(&desk, 2, "J1", Language::English).await.unwrap();
        assert!(bad.contains("J1 loses about ") && bad.contains("Try again."), "{bad}");
        assert!(!bad.contains("data-good") && bad.contains("data-node=\"1\""), "{bad}");
        assert!(bad.contains("How it is answered: J1 ") && bad.contains("data-walk=\"W J1,B "), "{bad}");
        let same = ask(&desk, 2, "F4", Language::Japanese).await.unwrap();
        assert!(same.contains("data-good") && same.contains("F4も好手です"), "{same}");
        // A stone, a place beyond the board, and moves without a lesson.
        for (number, at) in [(2, "C7"), (2, "Z30"), (1, "J1"), (0, "J1"), (9, "J1")] {
            assert!(ask(&desk, number, at, Language::English).await.is_err(), "{number} {at}");
        }
        desk.end_work();
        desk.join_threads();
    }

    /// The program that judged the game judges the answer, whatever the visitor has chosen since. One that fails says nothing of it.
    #[tokio::test]
    async fn the_judge_of_the_review_judges_the_answer() {
        let desk = Arc::new(test_desk_with_broken_judge());
        reviewed_table(Some("broken")).save(&desk).await.unwrap();
        let failed = ask(&desk, 2, "J1", Language::English).await;
        assert_eq!(failed.err().map(|error| error.status), Some(StatusCode::BAD_GATEWAY));
        desk.end_work();
        desk.join_threads();
    }

    #[tokio::test]
    async fn who_waits_for_the_judge_with_an_answer_is_told_so() {
        let (desk, _, places) = test_desk_with_busy_judge().await;
        let desk = Arc::new(desk);
        reviewed_table(Some("broken")).save(&desk).await.unwrap();
        let last_told = || desk.live.last_event(&table_topic("t"), "why").map(|told| told.to_string());
        let told = async {
            while last_told().is_none() {
                tokio::task::yield_now().await;
            }
            let told = last_told().unwrap_or_default();
            drop(places);
            told
        };
        let (_, told) = tokio::join!(ask(&desk, 2, "J1", Language::English), told);
        assert!(told.contains(r#""asker":"me""#) && told.contains(r#""waits":true"#), "{told}");
        assert_eq!(last_told(), None, "it is answered");
        desk.end_work();
        desk.join_threads();
    }

    #[test]
    fn what_an_answer_loses_is_said_with_its_reply() {
        let position = reviewed_table(None).replay_here().unwrap().position;
        let point = |vertex: &str| position.size().parse_point(vertex).unwrap();
        let (color, visitor) = (position.to_move(), Visitor::for_language(Language::English));
        let say = |lost_points: f64, is_good: bool, line: &[&str]| {
            let line = line.iter().map(|vertex| (color, point(vertex))).collect();
            let judged = JudgedAnswer { lost_points, lost_win_rate: 0.2, is_good, line };
            answer_words(point("D4"), &judged, &visitor)
        };
        assert_eq!(say(5.6, false, &["D4", "E5"]), "D4 loses about 6 points. The reply is E5. Try again.");
        assert_eq!(say(1.2, false, &["D4"]), "D4 loses about 1 point. Try again.");
        assert_eq!(say(0.3, false, &["D4"]), "D4 loses about 20 % of the chance to win. Try again.");
        let judged = JudgedAnswer {
            lost_points: 5.6,
            lost_win_rate: 0.2,
            is_good: false,
            line: vec![(color, point("D4")), (!color, point("E5"))],
        };
        let japanese = answer_words(point("D4"), &judged, &Visitor::for_language(Language::Japanese));
        assert_eq!(japanese, "D4は約6目の損です。E5と応じられます。もう一度考えてください。");
        assert!(say(0.0, true, &["D4"]).contains("D4 is also good"));
        assert!(say(0.8, true, &["D4"]).contains("a point"));
    }
}
