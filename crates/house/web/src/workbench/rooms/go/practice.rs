//! One's own mistakes as problems that come back, of Go. An answer that the lesson does not name is searched: it is right if that finds it as good.

use std::sync::Arc;

use axum::Router;
use axum::extract::{Form, Path};
use axum::http::StatusCode;
use axum::response::Redirect;
use axum::routing::{get, post};
use ishi_go::picture::{BoardPicture, PictureMark, PictureTone};
use ishi_go::{BoardSize, Color, Move, Point, Position, Rules};
use ishi_go_play::analyst::JudgeError;
use ishi_go_play::explain::{ExplainParams, Explainer, MoveVerdict, words};
use ishi_sgf::{GoGame, point_text};
use maud::{Markup, html};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::game::{page_words, script_text};
use super::insight::PositionJudging;
use super::reviewed::{GoLesson, GoReview, TriedLine, line_words};
use super::table::{self, GoTable};
use super::view::{BoardClick, render_board_frame};
use crate::workbench::error::PageError;
use crate::workbench::judge_sessions::WaitListener;
use crate::workbench::live::LiveTopics;
use crate::workbench::page::{Room, partial_response};
use crate::workbench::rooms::both_languages::BothLanguages;
use crate::workbench::rooms::lessons::answer_sign;
use crate::workbench::rooms::practice::{
    self, CardVerdict, GamePlace, KeptCard, MOST_GAMES, MistakeProblem, NewCardsForm, PracticeCard,
    PracticeWords, ReviewedGame, now_seconds,
};
use crate::workbench::visitor::Visitor;
use crate::workbench::{DeskState, PageAnswer, WorkbenchState};
use crate::workers::JobStop;

pub(super) fn routes() -> Router<Arc<WorkbenchState>> {
    Router::new()
        .route("/go/practice", get(show_overview))
        .route("/go/practice/add", post(add_lessons))
        .route("/go/practice/next", get(practice::go_to_next::<GoMistake>))
        .route("/go/practice/{key}", get(show_card).post(answer_card))
        .route("/go/practice/{key}/grade", post(practice::grade_card::<GoMistake>))
        .route("/go/practice/{key}/forget", post(practice::forget_card::<GoMistake>))
}

/// What a card of Go asks.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct GoMistake {
    columns: usize,
    rows: usize,
    black: Vec<String>,
    white: Vec<String>,
    /// `B` or `W`.
    to_move: char,
    komi: f64,
    rules: String,
    question: BothLanguages,
    answer: BothLanguages,
    better: String,
    /// All moves that answer the lesson. Cards that an older version made have none.
    #[serde(default)]
    answers: Vec<String>,
    played: String,
    /// How the better move goes on, itself first, and how the mistake is answered: colour and vertex, as `B D4`. Cards that an older version made
    /// have none.
    #[serde(default)]
    better_line: Vec<String>,
    #[serde(default)]
    refutation: Vec<String>,
    /// What can be tried besides, and how it fails, from the same position on.
    #[serde(default)]
    tried: Vec<TriedLine>,
}

impl MistakeProblem for GoMistake {
    const KIND: &'static str = "go-card";
    const ROOM: Room = Room::Go;
    const GAMES: &'static str = "/go";
    const DOOR: &'static str = "/";

    fn words(visitor: &Visitor) -> PracticeWords {
        PracticeWords {
            title: visitor.text("go-your-own-mistakes"),
            about: visitor.text("go-problems-out-of-your-reviewed-games"),
            door: visitor.text("go-open-a-record"),
        }
    }
}

/// An answer, and what was found about it besides the lesson.
struct JudgedAnswer {
    point: Point,
    verdict: CardVerdict,
    text: String,
}

/// The card of a lesson; none if a pass is better, or a ko forbids a move, which stones on a board do not say.
fn make_card(
    table: &GoTable,
    review: &GoReview,
    lesson: &GoLesson,
    title: &str,
    now: i64,
) -> Result<Option<PracticeCard<GoMistake>>, PageError> {
    let size = table.size()?;
    let better = lesson.better.as_deref().and_then(|better| size.parse_point(better).ok());
    let last = review.find_line(table).and_then(|line| line.last().copied());
    let (Some(better), Some(last)) = (better, last) else { return Ok(None) };
    let game = GoGame::read_line_to(&table.tree, last)?;
    let played = lesson.number.saturating_sub(1);
    let shown = game.replay_position(table.rules(), Some(played))?;
    let board = shown.position.board();
    let Some(row) = review.rows.get(played).filter(|_| board.ko_point().is_none()) else {
        return Ok(None);
    };
    let stones = |color: Color| {
        let own = size.points().filter(|&point| board.color(point) == Some(color));
        own.map(|point| point.to_string()).collect()
    };
    let [question, answer] = lesson.texts().map(Clone::clone);
    let problem = GoMistake {
        columns: size.width(),
        rows: size.height(),
        black: stones(Color::Black),
        white: stones(Color::White),
        to_move: row.color,
        komi: shown.position.komi(),
        rules: table.rules().to_string(),
        question,
        answer,
        better: better.to_string(),
        answers: lesson.answering_vertices().into_iter().map(str::to_string).collect(),
        played: row.vertex.clone(),
        better_line: lesson.better_line.clone(),
        refutation: lesson.refutation.clone(),
        tried: lesson.tried.clone(),
    };
    let place = GamePlace { table: &table.key, title: title.to_string(), number: lesson.number };
    Ok(Some(PracticeCard::new(problem, place, now)))
}

impl GoMistake {
    fn color(&self) -> Color {
        if self.to_move == Color::Black.letter() { Color::Black } else { Color::White }
    }

    fn position(&self) -> Result<Position, PageError> {
        let size = BoardSize::new(self.columns, self.rows).map_err(PageError::from_system_error)?;
        let mut stones = Vec::new();
        for (color, vertices) in [(Color::Black, &self.black), (Color::White, &self.white)] {
            for vertex in vertices {
                stones.push((color, size.parse_point(vertex).map_err(PageError::from_system_error)?));
            }
        }
        let rules: Rules = self.rules.parse().map_err(PageError::from_system_error)?;
        let mut position =
            Position::from_setup(size, rules, stones, self.color()).map_err(PageError::from_system_error)?;
        position.set_komi(self.komi).map_err(PageError::from_system_error)?;
        Ok(position)
    }

    /// The lines of the lesson with their titles, each from the position before the mistake.
    fn lines<'a>(&'a self, visitor: &Visitor) -> Vec<(&'a str, Vec<String>)> {
        let own = |vertex: &str| format!("{} {vertex}", self.to_move);
        let better = match self.better_line.as_slice() {
            [] => vec![own(&self.better)],
            line => line.to_vec(),
        };
        let mut lines = vec![(visitor.text("go-the-better-line"), better)];
        if !self.refutation.is_empty() && self.played != "pass" {
            let refuted = std::iter::once(own(&self.played)).chain(self.refutation.iter().cloned());
            lines.push((visitor.text("go-what-followed"), refuted.collect()));
        }
        // The moves follow after a colon, in place of the full stop.
        let title = |line: &'a TriedLine| line.title.say(visitor).trim_end_matches(['.', '。']);
        lines.extend(self.tried.iter().map(|line| (title(line), line.moves.clone())));
        lines
    }

    /// What a move is worth as an answer. Moves that the lesson does not name are searched beside the better one. `tell_wait` hears whether that waits
    /// for another question to the program that judges.
    fn judge_answer(
        &self,
        point: Point,
        judging: &PositionJudging,
        visitor: &Visitor,
        stop: &JobStop,
        tell_wait: WaitListener,
    ) -> Result<JudgedAnswer, PageError> {
        let position = self.position()?;
        let known = |verdict| Ok(JudgedAnswer { point, verdict, text: String::new() });
        if point.to_string() == self.better {
            return known(CardVerdict::Right);
        }
        if point.to_string() == self.played {
            return known(CardVerdict::AsInTheGame);
        }
        if self.answers.contains(&point.to_string()) {
            return known(CardVerdict::AsGood);
        }
        position.check_move(self.color(), point.into())?;
        let better = position.size().parse_point(&self.better).map_err(PageError::from_system_error)?;
        let params = ExplainParams { listener: visitor.listener, ..ExplainParams::of_level(5) };
        let judge = judging.create_telling_judge(params.analyst.clone(), stop.gone_flag(), tell_wait);
        let mut explainer = Explainer::new(params, judging.seed).with_judge(judge).with_stop(stop.clone());
        let explanation = explainer.explain_move(&position, Some(Move::Play(better)), &[point]);
        if let Some(JudgeError::Failed(_)) = explainer.judge_failure() {
            return Err(PageError::new(StatusCode::BAD_GATEWAY, "go-the-judge-has-failed"));
        }
        let other = explanation.why_not.first();
        let is_worse = other.is_none_or(|other| other.verdict == MoveVerdict::Worse);
        let text = words::why_not_text(&explanation, visitor.language).trim().to_string();
        let verdict = if is_worse { CardVerdict::Wrong } else { CardVerdict::AsGood };
        Ok(JudgedAnswer { point, verdict, text })
    }
}

async fn show_overview(desk: DeskState, visitor: Visitor) -> PageAnswer {
    let listed = desk.ask_store(|store| store.latest_documents(table::KIND, MOST_GAMES)).await?;
    let games = listed.documents.iter().filter_map(|document| GoTable::from_document(document).ok());
    let reviewed = games.filter(|game| game.review.as_ref().is_some_and(|review| !review.lessons.is_empty()));
    let games: Vec<ReviewedGame> =
        reviewed.map(|game| ReviewedGame { title: game.title_for(&visitor), key: game.key }).collect();
    practice::render_overview::<GoMistake>(&desk, &games, &visitor).await
}

/// Makes a card of every lesson of this learner that has none.
async fn add_lessons(
    desk: DeskState,
    visitor: Visitor,
    Form(wanted): Form<NewCardsForm>,
) -> Result<Redirect, PageError> {
    let game = GoTable::load(&desk, &wanted.table).await?;
    let title = game.title_for(&visitor);
    practice::keep_new_cards(&desk, cards_of_game(&game, &title, &wanted.learner, now_seconds())?).await
}

/// The cards of a learner's lessons, under the title that the game has for who asks for them.
fn cards_of_game(
    game: &GoTable,
    title: &str,
    learner: &str,
    now: i64,
) -> Result<Vec<PracticeCard<GoMistake>>, PageError> {
    let mut cards = Vec::new();
    let Some(review) = &game.review else { return Ok(cards) };
    for lesson in &review.lessons {
        let is_wanted = review
            .rows
            .get(lesson.number.saturating_sub(1))
            .is_some_and(|row| learner.is_empty() || learner == row.color.to_string());
        if is_wanted {
            cards.extend(make_card(game, review, lesson, title, now)?);
        }
    }
    Ok(cards)
}

async fn show_card(desk: DeskState, Path(key): Path<String>, visitor: Visitor) -> PageAnswer {
    let kept = KeptCard::<GoMistake>::load(&desk, &key).await?;
    let board = render_question(&kept, &visitor)?;
    kept.render_page(kept.card.problem.question.say(&visitor), board, &visitor)
}

/// The board that is answered on.
fn render_question(kept: &KeptCard<GoMistake>, visitor: &Visitor) -> Result<Markup, PageError> {
    let position = kept.card.problem.position()?;
    let picture = BoardPicture::from_board(position.board()).with_depth().with_name(visitor.text("go-board"));
    let path = kept.path();
    let click = BoardClick { path: &path, target: "#card", fields: "", stone: Some(position.to_move()) };
    Ok(html! {
        div.columns {
            (render_board_frame("card-board", position.size(), Some(click), position.board(), &picture.to_svg(), visitor))
            div.panel {
                p.verdict role="status" data-heard data-searching=(visitor.text("go-searching-point")) { (visitor.text("go-your-move")) }
                // Shown while this page waits for an answer: others that show the card have not asked.
                p.queued.quiet role="status" sse-swap=(QUEUED) {}
            }
        }
    })
}

/// The event that says whether an answer waits for another question.
const QUEUED: &str = "queued";

/// Tells the pages of a card whether its answer waits for another question to the program that judges.
struct WaitNotice {
    live: Arc<LiveTopics>,
    topic: String,
    words: &'static str,
}

impl WaitNotice {
    fn tell(&self, waits: bool) {
        let told = html! { @if waits { (self.words) } };
        self.live.publish(&self.topic, QUEUED, told.into_string());
    }
}

/// Whatever comes of the answer, it waits no more, also where nobody waits for it.
impl Drop for WaitNotice {
    fn drop(&mut self) {
        self.tell(false);
    }
}

#[derive(Deserialize)]
struct AnswerForm {
    at: String,
}

/// Judges an answer, and asks how hard it was.
async fn answer_card(
    desk: DeskState,
    Path(key): Path<String>,
    visitor: Visitor,
    Form(given): Form<AnswerForm>,
) -> PageAnswer {
    let kept = KeptCard::<GoMistake>::load(&desk, &key).await?;
    let size = kept.card.problem.position()?.size();
    let point = size.parse_point(&given.at)?;
    let notice = Arc::new(WaitNotice {
        live: Arc::clone(&desk.live),
        topic: kept.audience().topic(visitor.texts),
        words: visitor.text("go-the-judge-answers-another-question"),
    });
    let program = desk.choose_judge(visitor.judge.as_deref());
    let judging = PositionJudging { seed: desk.settings.seed, program: program.clone() };
    let (problem, reader) = (kept.card.problem.clone(), visitor.clone());
    let waiting = Arc::clone(&notice);
    let judge_it = move |stop: &JobStop| {
        notice.tell(false);
        problem.judge_answer(point, &judging, &reader, stop, Box::new(move |waits| notice.tell(waits)))
    };
    let judged = desk.compute_judged(program, move || waiting.tell(true), judge_it).await??;
    Ok(partial_response(render_answer(&kept, &judged, &visitor)?))
}

/// The answer with what was played and what is better, and how hard it was.
fn render_answer(
    kept: &KeptCard<GoMistake>,
    judged: &JudgedAnswer,
    visitor: &Visitor,
) -> Result<Markup, PageError> {
    let problem = &kept.card.problem;
    let position = problem.position()?;
    let better = position.size().parse_point(&problem.better).map_err(PageError::from_system_error)?;
    let picture = BoardPicture::from_board(position.board())
        .with_mark(better, PictureMark::Circle, PictureTone::Note)
        .with_label(judged.point, answer_sign(judged.verdict.is_right()), None)
        .with_depth()
        .with_name(visitor.text("go-board"));
    Ok(html! {
        div.columns {
            (render_board_frame("card-board", position.size(), None, position.board(), &picture.to_svg(), visitor))
            div.panel {
                (judged.verdict.render(judged.point, visitor))
                @if !judged.text.is_empty() { p.told { (judged.text) } }
                h3 { (visitor.text("workbench-the-lesson")) }
                p.told data-about="1" { (problem.answer.say(visitor).trim()) }
                (render_walks(problem, visitor))
                (render_card_game(problem, position.size(), visitor))
                (kept.render_grades(judged.verdict.is_right(), visitor))
            }
        }
    })
}

/// The lines of the lesson, and steps for the one that is walked through on the board (`ui/go_card.ts`).
fn render_walks(problem: &GoMistake, visitor: &Visitor) -> Markup {
    let say = |id| visitor.text(id);
    let step = |by: &str, key: &str, label: &str, sign: &str| {
        html! {
            button type="button" data-card-step=(by) data-key=(key) aria-label=(label) title=(label) { span aria-hidden="true" { (sign) } }
        }
    };
    html! {
        div.row.walks data-node="0" {
            @for (title, moves) in problem.lines(visitor) {
                button type="button" data-walk=(moves.join(",")) { (title) (say("workbench-colon")) (line_words(&moves)) }
            }
        }
        div.row.card-steps hidden {
            (step("-1", "ArrowLeft", say("workbench-back"), "‹"))
            (step("1", "ArrowRight", say("workbench-on"), "›"))
            button type="button" data-card-leave { (say("go-back-to-the-problem")) }
        }
    }
}

/// The position and then the mistake, as a game of the page.
fn render_card_game(problem: &GoMistake, size: BoardSize, visitor: &Visitor) -> Markup {
    let place = |vertex: &String| size.parse_point(vertex).ok().map(|point| point_text(size, point));
    let places = |vertices: &[String]| vertices.iter().filter_map(place).collect::<Vec<String>>();
    let played = place(&problem.played).unwrap_or_default();
    let known = json!({
        "size": [size.width(), size.height()],
        "node": 0,
        "first": problem.to_move,
        "nodes": [
            { "d": { "AB": places(&problem.black), "AW": places(&problem.white) } },
            { "m": format!("{}{played}", problem.to_move) },
        ],
        "review": null,
        "words": page_words(visitor),
    });
    html! { script #card-game type="application/json" { (script_text(&known)) } }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use axum::extract::State;
    use ishi_rng::Seed;

    use super::super::reviewed::ReviewedMove;
    use super::*;
    use crate::workbench::desk::{test_desk_with_broken_judge, test_desk_with_busy_judge};

    /// A game with a review that says of one move that another was better.
    fn reviewed_game(sgf: &str, number: usize, better: &str) -> GoTable {
        let mut game = GoTable::from_record("abc".to_string(), sgf.as_bytes()).unwrap();
        let size = game.size().unwrap();
        let record = GoGame::read_line_to(&game.tree, game.tree.main_line().last().unwrap()).unwrap();
        assert_eq!(size.area(), 81);
        let rows = record.moves().map(|played| ReviewedMove {
            color: played.color.letter(),
            vertex: played.mv.to_string(),
            black_lead: 0.0,
            black_win_rate: 0.5,
            lost_points: 8.0,
            lost_win_rate: 0.2,
        });
        let mut lesson = GoLesson::with_answer(number, "Better: it is bigger.", "もっと良い手があります。");
        lesson.better = Some(better.to_string());
        game.review = Some(GoReview::of_lessons(rows.collect(), vec![lesson]));
        game
    }

    const TITLE: &str = "黒 - 白";

    const GAME: &str = "(;SZ[9]KM[7];B[ee];W[de];B[aa];W[ff])";

    fn card_with_better(better: &str) -> Option<PracticeCard<GoMistake>> {
        cards_of_game(&reviewed_game(GAME, 3, better), TITLE, "", 0).unwrap().pop()
    }

    /// The stones before the mistake, who made it, and nothing of the game after it.
    #[test]
    fn a_lesson_becomes_a_card_of_its_player() {
        let card = card_with_better("C3").unwrap();
        let kept: PracticeCard<GoMistake> = serde_json::from_value(card.to_json()).unwrap();
        let problem = &kept.problem;
        let position = problem.position().unwrap();
        assert_eq!((position.to_move(), position.komi(), position.moves().len()), (Color::Black, 7.0, 0));
        assert_eq!((problem.black.join(" "), problem.white.join(" ")), ("E5".to_string(), "D5".to_string()));
        assert_eq!((kept.key(), problem.played.as_str()), ("abc-3".to_string(), "A9"));
        assert!(kept.schedule.is_due(0), "it is asked at once");
        assert_eq!(kept.to_json()["title"], TITLE, "in the language of who has asked for it");
        let count =
            |learner: &str| cards_of_game(&reviewed_game(GAME, 3, "C3"), TITLE, learner, 0).unwrap().len();
        assert_eq!([count("B"), count("W"), count("")], [1, 0, 1]);
        assert!(card_with_better("pass").is_none(), "a pass is no point to click on");
    }

    /// What follows the better move, and the mistake, is walked through from the position that was asked about.
    #[test]
    fn the_lines_of_a_card_begin_before_the_mistake() {
        let visitor = Visitor::for_language(ishi_words::Language::English);
        let older = card_with_better("C3").unwrap().problem;
        assert_eq!(older.lines(&visitor), [("The better line", vec!["B C3".to_string()])]);
        let mut game = reviewed_game(GAME, 3, "C3");
        let lesson = &mut game.review.as_mut().unwrap().lessons[0];
        lesson.better_line = ["B C3", "W G7"].map(String::from).to_vec();
        lesson.refutation = vec!["W C7".to_string()];
        let title = BothLanguages::from_words(|_| "White tries to cut.".to_string());
        let moves = ["B C3", "W C4", "B D3"].map(String::from).to_vec();
        lesson.tried = vec![TriedLine { title, moves }];
        let problem = cards_of_game(&game, TITLE, "", 0).unwrap().pop().unwrap().problem;
        let walks = render_walks(&problem, &visitor).into_string();
        for line in [
            r#"data-walk="B C3,W G7">The better line: "#,
            r#"data-walk="B A9,W C7">What followed: "#,
            r#"data-walk="B C3,W C4,B D3">White tries to cut: "#,
        ] {
            assert!(walks.contains(line), "{line}: {walks}");
        }
        let game = render_card_game(&problem, problem.position().unwrap().size(), &visitor).into_string();
        assert!(game.contains(r#"{"d":{"AB":["ee"],"AW":["de"]}},{"m":"Baa"}"#), "{game}");
    }

    #[test]
    fn answers_that_the_lesson_does_not_name_are_searched() {
        let sgf = "(;SZ[9]KM[7];B[cc];W[aa])";
        let card = cards_of_game(&reviewed_game(sgf, 2, "F4"), TITLE, "W", 0).unwrap().pop().unwrap().problem;
        let position = card.position().unwrap();
        let point = |vertex: &str| position.size().parse_point(vertex).unwrap();
        let visitor = Visitor::for_language(ishi_words::Language::English);
        let judging = |program| PositionJudging { seed: Seed::new(1), program };
        let judge = |vertex: &str| {
            let stop = JobStop::default();
            card.judge_answer(point(vertex), &judging(None), &visitor, &stop, Box::new(|_| {}))
        };
        assert_eq!(judge("F4").unwrap().verdict, CardVerdict::Right);
        assert_eq!(judge("A9").unwrap().verdict, CardVerdict::AsInTheGame);
        assert!(judge("C7").is_err(), "a stone stands there");
        let wrong = judge("J1").unwrap();
        assert_eq!(wrong.verdict, CardVerdict::Wrong);
        assert!(wrong.text.contains("White J1 loses"), "{}", wrong.text);
        // What a program that fails has not judged is neither right nor wrong.
        let broken = judging(test_desk_with_broken_judge().choose_judge(Some("broken")));
        let stop = JobStop::default();
        let failed = card.judge_answer(point("J1"), &broken, &visitor, &stop, Box::new(|_| {}));
        let Err(failed) = failed else { panic!("nobody has judged it") };
        assert_eq!(failed.status, StatusCode::BAD_GATEWAY);
    }

    /// Another search might think otherwise: the lesson and its problem must not contradict each other.
    #[test]
    fn whatever_answers_the_lesson_answers_its_problem() {
        let mut game = reviewed_game(GAME, 3, "C3");
        game.review.as_mut().unwrap().lessons[0].answers = ["C3", "J1"].map(String::from).to_vec();
        let card = cards_of_game(&game, TITLE, "", 0).unwrap().pop().unwrap().problem;
        let point = card.position().unwrap().size().parse_point("J1").unwrap();
        // A judge that fails is not asked.
        let judging = PositionJudging {
            seed: Seed::new(1),
            program: test_desk_with_broken_judge().choose_judge(Some("broken")),
        };
        let visitor = Visitor::for_language(ishi_words::Language::English);
        let judged = card.judge_answer(point, &judging, &visitor, &JobStop::default(), Box::new(|_| {}));
        let judged = judged.unwrap();
        assert_eq!((judged.verdict, judged.text.as_str()), (CardVerdict::AsGood, ""));
    }

    /// Long enough for everything here.
    const PATIENCE: Duration = Duration::from_secs(60);

    #[tokio::test]
    async fn who_waits_for_the_judge_with_an_answer_is_told_so() {
        let (desk, visitor, places) = test_desk_with_busy_judge().await;
        let cards = cards_of_game(&reviewed_game(GAME, 3, "C3"), TITLE, "", 0).unwrap();
        let _ = practice::keep_new_cards(&desk, cards).await.unwrap();
        let desk = Arc::new(desk);
        let kept = KeptCard::<GoMistake>::load(&desk, "abc-3").await.unwrap();
        let topic = kept.audience().topic(visitor.texts);
        let last_told = || desk.live.last_event(&topic, QUEUED).map(|told| told.to_string());
        let told = async {
            while last_told().is_none() {
                tokio::task::yield_now().await;
            }
            let told = last_told();
            drop(places);
            told
        };
        let answer = AnswerForm { at: "J1".to_string() };
        let asked =
            answer_card(State(Arc::clone(&desk)), Path("abc-3".to_string()), visitor.clone(), Form(answer));
        let both = async { tokio::join!(asked, told) };
        let (answer, told) = tokio::time::timeout(PATIENCE, both).await.expect("it is told");
        assert_eq!(told.as_deref(), Some(visitor.text("go-the-judge-answers-another-question")));
        assert_eq!(answer.err().map(|error| error.status), Some(StatusCode::BAD_GATEWAY));
        assert_eq!(last_told().as_deref(), Some(""), "who comes later has not asked");
        let page = kept_page(&desk, &visitor).await;
        assert!(page.contains(&format!("data-events=\"{topic}\"")) && page.contains("sse-swap=\"queued\""));
        assert!(page.contains("data-searching="), "what is said at once: {page}");
    }

    /// The page of the card.
    async fn kept_page(desk: &Arc<WorkbenchState>, visitor: &Visitor) -> String {
        let page = show_card(State(Arc::clone(desk)), Path("abc-3".to_string()), visitor.clone()).await;
        let bytes = axum::body::to_bytes(page.unwrap().into_body(), usize::MAX).await.unwrap();
        String::from_utf8(bytes.to_vec()).unwrap()
    }
}
