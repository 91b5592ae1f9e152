//! What ishi knows of a position: levels of knowledge drawn over the board, and the reasons of moves in words.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ishi_engine::SearchReport;
use ishi_go::picture::BoardPicture;
use ishi_go::{BoardSize, Color, Move, Point, Position};
use ishi_go_play::analyst::{Analyst, JudgeControl, JudgeError, OwnSearches, PositionJudge};
use ishi_go_play::explain::picture::draw_explanation;
use ishi_go_play::explain::teach::{TaughtLine, Teaching, teach_move, teach_question};
use ishi_go_play::explain::{ErrorModel, ExplainParams, Explainer, words};
use ishi_go_play::tactics::Tactics;
use ishi_knowledge::show::{AnalysisLevel, AnalysisView};
use ishi_knowledge::{Analysis, rules};
use ishi_rng::Seed;
use ishi_words::Language;
use ishi_work::{Stop, StopFlag};
use maud::{Markup, PreEscaped, html};
use serde::Serialize;

use super::reviewed::{line_words, name_moves};
use crate::workbench::judge_sessions::{ChosenJudge, WaitListener};
use crate::workbench::texts::{args, text_id};
use crate::workbench::visitor::Visitor;
use crate::workers::JobStop;

/// The levels that can be shown, with their names.
pub(super) const LEVELS: [(AnalysisLevel, &str); 9] = [
    (AnalysisLevel::Groups, text_id("go-groups-and-their-strength")),
    (AnalysisLevel::Eyes, text_id("go-eyes")),
    (AnalysisLevel::Links, text_id("go-connections")),
    (AnalysisLevel::Influence, text_id("go-influence")),
    (AnalysisLevel::Territory, text_id("go-territory-and-moyos")),
    (AnalysisLevel::Status, text_id("go-ladders-and-captures")),
    (AnalysisLevel::Chains, text_id("go-chains-and-liberties")),
    (AnalysisLevel::Suggestions, text_id("go-suggested-moves")),
    (AnalysisLevel::Strategy, text_id("go-strategy")),
];

/// Playouts for the fate of each doubtful group: an answer within a second.
const GROUP_PLAYOUTS: u64 = 300;

/// A level as a picture and as the table that the commands print.
pub(super) struct LevelView {
    pub(super) picture: BoardPicture,
    pub(super) text: String,
}

/// Looks at a position.
pub(super) fn view_level(
    position: &Position,
    level: AnalysisLevel,
    language: Language,
    seed: Seed,
) -> LevelView {
    let mut tactics = Tactics::new(seed).with_playouts(GROUP_PLAYOUTS);
    let analysis = Analysis::analyze(position, &mut tactics);
    let suggestions = match level {
        AnalysisLevel::Suggestions => rules::suggest_moves(position, &analysis),
        _ => Vec::new(),
    };
    let shown =
        AnalysisView { position, analysis: &analysis, suggestions: &suggestions, outlooks: &[], language };
    LevelView { picture: shown.level_picture(level), text: shown.level_text(level) }
}

/// What a person asks of a position.
pub(super) enum PositionQuestion {
    /// What to play, and why.
    Best,
    /// Why this move was played.
    Played(Move),
    /// Why not here?
    WhyNot(Point),
}

/// The answer in words and pictures.
pub(super) struct QuestionAnswer {
    title: String,
    text: String,
    /// Shapes, patterns, other moves and groups, for whoever asks.
    details: String,
    details_title: &'static str,
    lines: Vec<AnswerLine>,
    pictures: Vec<String>,
}

/// A line that the page plays on the board, from the position that was asked about.
#[derive(Debug, PartialEq)]
struct AnswerLine {
    title: &'static str,
    /// Colour and vertex, as `B D4`.
    moves: Vec<String>,
}

/// The lines of what is said of a move: how it goes on or is answered, what comes if it is not played, and the better one.
fn walkable_lines(teaching: &Teaching, visitor: &Visitor) -> Vec<AnswerLine> {
    let own = teaching.mv.point().map(|point| (teaching.color, point));
    let after_it = |moves: &[(Color, Point)]| -> Vec<(Color, Point)> {
        own.into_iter().chain(moves.iter().copied()).collect()
    };
    let goes_on = teaching.plan.as_ref().map(|plan| (visitor.text("go-how-it-goes-on"), plan.moves.clone()));
    let told = teaching.line.as_ref().and_then(|line| match line {
        TaughtLine::Refutation { moves, .. } => {
            Some((visitor.text("go-how-it-is-answered"), after_it(moves)))
        }
        TaughtLine::Expected { moves, .. } => Some((visitor.text("go-if-it-is-not-played"), moves.clone())),
        TaughtLine::Threat { mv, .. } => {
            Some((visitor.text("go-if-it-is-not-played"), vec![(!teaching.color, *mv)]))
        }
        TaughtLine::NothingHere { .. } | TaughtLine::ComesLater { .. } | TaughtLine::TheirPoint(_) => None,
    });
    let better =
        teaching.better.as_ref().map(|better| (visitor.text("go-the-better-line"), better.moves.clone()));
    let lines = [goes_on, told, better].into_iter().flatten().filter(|(_, moves)| !moves.is_empty());
    lines
        .map(|(title, moves): (_, Vec<(Color, Point)>)| AnswerLine { title, moves: name_moves(&moves) })
        .collect()
}

/// What has been searched for an answer so far.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub(super) struct AnswerProgress {
    /// Sentences: how the move looks at first sight, then what is proved.
    known: Vec<String>,
    found: Vec<SearchedLine>,
    /// The moves whose position is being searched; none between two searches.
    now: Option<Vec<String>>,
    /// Does the program that judges answer another question first?
    waits: bool,
}

impl AnswerProgress {
    /// The progress of an answer that has not begun: the program that judges answers others first.
    pub(super) fn of_waiting() -> AnswerProgress {
        AnswerProgress { waits: true, ..AnswerProgress::default() }
    }
}

/// A position that was searched: the moves that lead to it, and what it is worth to the one who is to move in the position asked about.
#[derive(Clone, Debug, PartialEq, Serialize)]
struct SearchedLine {
    line: Vec<String>,
    win_rate: f64,
    lead: f64,
}

/// What is known of an answer by now, and who hears of it.
struct ToldProgress<T> {
    progress: AnswerProgress,
    tell: T,
}

impl<T: FnMut(&AnswerProgress)> ToldProgress<T> {
    fn change_and_tell(&mut self, change: impl FnOnce(&mut AnswerProgress)) {
        change(&mut self.progress);
        (self.tell)(&self.progress);
    }
}

/// The progress as the searches and who asks them share it: all in one thread.
type SharedProgress<T> = Arc<Mutex<ToldProgress<T>>>;

fn share_progress<T>(tell: T) -> SharedProgress<T> {
    Arc::new(Mutex::new(ToldProgress { progress: AnswerProgress::default(), tell }))
}

fn lock_progress<T>(shared: &SharedProgress<T>) -> MutexGuard<'_, ToldProgress<T>> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A judge that tells what its searches are about and what they have found.
struct ToldSearches<T> {
    judge: Box<dyn PositionJudge>,
    /// Moves before the position that is asked about.
    played: usize,
    told: SharedProgress<T>,
}

/// A position that was searched, as the one sees it who is to move before the line.
fn searched_line(line: Vec<String>, report: &SearchReport) -> SearchedLine {
    let is_own = line.len().is_multiple_of(2);
    let win_rate = if is_own { report.win_rate } else { 1.0 - report.win_rate };
    let lead = if is_own { report.score } else { -report.score };
    SearchedLine { line, win_rate, lead }
}

impl<T: FnMut(&AnswerProgress) + Send> PositionJudge for ToldSearches<T> {
    fn judge_positions(
        &mut self,
        positions: &[Position],
        control: &mut JudgeControl<'_>,
    ) -> Result<Vec<SearchReport>, JudgeError> {
        let mut reports = Vec::new();
        for position in positions {
            if !reports.is_empty() && control.stop.is_requested() {
                return Err(JudgeError::Stopped);
            }
            reports.push(self.judge_and_tell(position, control.stop)?);
            (control.tell)(reports.len());
        }
        Ok(reports)
    }

    fn error_model(&self, size: BoardSize) -> ErrorModel {
        self.judge.error_model(size)
    }

    /// Each search is told by itself.
    fn likes_many(&self) -> bool {
        false
    }
}

impl<T: FnMut(&AnswerProgress)> ToldSearches<T> {
    fn judge_and_tell(
        &mut self,
        position: &Position,
        stop: &(dyn Stop + Sync),
    ) -> Result<SearchReport, JudgeError> {
        let line: Vec<String> =
            position.moves().iter().skip(self.played).map(|(_, mv)| mv.to_string()).collect();
        lock_progress(&self.told).change_and_tell(|progress| progress.now = Some(line.clone()));
        let mut control = JudgeControl { stop, tell: &mut |_| {} };
        let reports = self.judge.judge_positions(std::slice::from_ref(position), &mut control)?;
        let report = reports.into_iter().next().ok_or(JudgeError::Stopped)?;
        lock_progress(&self.told).change_and_tell(|progress| {
            progress.now = None;
            progress.found.push(searched_line(line, &report));
        });
        Ok(report)
    }
}

/// Who judges positions: our own searches from this seed, or a program.
pub(super) struct PositionJudging {
    pub(super) seed: Seed,
    pub(super) program: Option<ChosenJudge>,
}

impl PositionJudging {
    /// Raising `stop` ends every wait for a program. `tell_wait` hears whether it waits for another question of the same program.
    pub(super) fn create_telling_judge(
        &self,
        analyst: Analyst,
        stop: StopFlag,
        tell_wait: WaitListener,
    ) -> Box<dyn PositionJudge> {
        match &self.program {
            Some(program) => program.create_judge(analyst.visits, stop, tell_wait),
            None => Box::new(OwnSearches { analyst, seed: self.seed }),
        }
    }

    /// Why its program has failed, as visitors may read it.
    pub(super) fn hide_command(&self, why: &str) -> String {
        self.program.as_ref().map_or_else(|| why.to_string(), |program| program.hide_command(why))
    }
}

/// Answers, in seconds of thought; who does not wait any more ends it. `tell` hears how the move looks at first sight, what is proved, and
/// before and after each search what is known by then.
pub(super) fn answer_question(
    position: &Position,
    question: &PositionQuestion,
    judging: &PositionJudging,
    visitor: &Visitor,
    stop: &JobStop,
    tell: impl FnMut(&AnswerProgress) + Send + 'static,
) -> QuestionAnswer {
    let params = ExplainParams { listener: visitor.listener, ..ExplainParams::of_level(5) };
    let told = share_progress(tell);
    let seed = judging.seed;
    let heard = Arc::clone(&told);
    let tell_wait =
        move |waits: bool| lock_progress(&heard).change_and_tell(|progress| progress.waits = waits);
    let judge = judging.create_telling_judge(params.analyst.clone(), stop.gone_flag(), Box::new(tell_wait));
    let judge = ToldSearches { judge, played: position.moves().len(), told: Arc::clone(&told) };
    let mut explainer = Explainer::new(params, seed).with_judge(Box::new(judge)).with_stop(stop.clone());
    let language = visitor.language;
    let (mv, asked) = match question {
        PositionQuestion::Best => (None, Vec::new()),
        PositionQuestion::Played(mv) => (Some(*mv), Vec::new()),
        PositionQuestion::WhyNot(point) => (None, vec![*point]),
    };
    let explanation = explainer.explain_in_steps(position, mv, &asked, &mut |step| {
        let sentence = step.sentence(language);
        lock_progress(&told).change_and_tell(|progress| progress.known.push(sentence));
    });
    if let Some(JudgeError::Failed(why)) = explainer.judge_failure() {
        return QuestionAnswer::of_failure(question, judging.hide_command(&why), visitor);
    }
    let text = match question {
        PositionQuestion::WhyNot(_) => {
            words::why_not_text(&explanation, language) + "\n" + &words::move_comment(&explanation, language)
        }
        _ => words::explanation_text(&explanation, language),
    };
    let teaching = match question {
        PositionQuestion::WhyNot(_) => {
            explanation.why_not.first().and_then(|asked| teach_question(&explanation, asked))
        }
        _ => Some(teach_move(&explanation)),
    };
    let lines = teaching.map(|teaching| walkable_lines(&teaching, visitor)).unwrap_or_default();
    let drawn = draw_explanation(position, &explanation, language);
    QuestionAnswer {
        title: question.title(visitor),
        text,
        details: words::details_text(&explanation, language),
        details_title: visitor.text("go-details"),
        lines,
        pictures: drawn.iter().map(BoardPicture::to_svg).collect(),
    }
}

impl PositionQuestion {
    /// What stands above its answer.
    fn title(&self, visitor: &Visitor) -> String {
        match self {
            PositionQuestion::Best => visitor.text("go-what-to-play-and-why").to_string(),
            PositionQuestion::Played(mv) => visitor.text_with("go-why-move", args![mv]),
            PositionQuestion::WhyNot(point) => visitor.text_with("go-why-not-point", args![point]),
        }
    }
}

impl QuestionAnswer {
    /// The program that judges has failed: its last words are the details.
    fn of_failure(question: &PositionQuestion, why: String, visitor: &Visitor) -> QuestionAnswer {
        QuestionAnswer {
            title: question.title(visitor),
            text: visitor.text("go-the-judge-has-failed").to_string(),
            details: why,
            details_title: visitor.text("go-details"),
            lines: Vec::new(),
            pictures: Vec::new(),
        }
    }

    /// `node`: the place that was asked about, counted in the order of the file. Lines begin there (`ui/lesson.ts`).
    pub(super) fn render_answer(&self, node: usize, visitor: &Visitor) -> Markup {
        html! {
            h3 { (self.title) }
            p.told { (self.text.trim()) }
            div.row.walks data-node=(node) {
                @for line in &self.lines {
                    button type="button" data-walk=(line.moves.join(",")) { (line.title) (visitor.text("workbench-colon")) (line_words(&line.moves)) }
                }
            }
            details { summary { (self.details_title) } p.told { (self.details.trim()) } }
            div.cards { @for picture in &self.pictures { div { (PreEscaped(picture)) } } }
        }
    }
}

#[cfg(test)]
mod tests {
    use ishi_go::{Color, Rules};

    use super::*;

    fn own_searches() -> PositionJudging {
        PositionJudging { seed: Seed::new(1), program: None }
    }

    /// Each search is told before it begins and after it ends, with the moves that lead to it.
    #[test]
    fn searches_say_what_they_are_about_and_what_they_found() {
        let mut position = Position::new(BoardSize::square(5).unwrap(), Rules::CHINESE);
        let center = position.size().parse_point("C3").unwrap();
        position.play(Color::Black, center.into()).unwrap();
        let told = Arc::new(Mutex::new(Vec::new()));
        let heard = Arc::clone(&told);
        let params = ExplainParams::of_level(1);
        let hear = move |progress: &AnswerProgress| heard.lock().unwrap().push(progress.clone());
        let judge = Box::new(OwnSearches { analyst: params.analyst.clone(), seed: Seed::new(1) });
        let judge = ToldSearches { judge, played: 1, told: share_progress(hear) };
        Explainer::new(params, Seed::new(1)).with_judge(Box::new(judge)).explain_move(&position, None, &[]);
        let told = told.lock().unwrap();
        assert_eq!(
            (&told[0].now, told[0].found.len()),
            (&Some(Vec::new()), 0),
            "the position itself comes first"
        );
        for (before, after) in told.iter().zip(told.iter().skip(1)).step_by(2) {
            assert_eq!((after.now.as_ref(), after.found.len()), (None, before.found.len() + 1));
            assert_eq!(Some(&after.found[before.found.len()].line), before.now.as_ref());
        }
        let lines: Vec<usize> = told[told.len() - 1].found.iter().map(|found| found.line.len()).collect();
        assert!(lines.contains(&1), "no move was searched: {lines:?}");
    }

    /// Several positions are counted one after another, and a stop between two of them ends the work.
    #[test]
    fn searches_count_positions_and_stop_between_them() {
        let position = Position::new(BoardSize::square(5).unwrap(), Rules::CHINESE);
        let positions = [position.clone(), position.clone(), position];
        let new_judge = || ToldSearches {
            judge: Box::new(OwnSearches { analyst: ExplainParams::of_level(1).analyst, seed: Seed::new(1) }),
            played: 0,
            told: share_progress(|_: &AnswerProgress| {}),
        };
        let mut counts = Vec::new();
        let mut tell = |done: usize| counts.push(done);
        let never = StopFlag::default();
        let mut control = JudgeControl { stop: &never, tell: &mut tell };
        assert_eq!(new_judge().judge_positions(&positions, &mut control).unwrap().len(), 3);
        assert_eq!(counts, [1, 2, 3]);

        let (stop, mut last) = (StopFlag::default(), 0);
        let mut tell = |done: usize| {
            last = done;
            if done == 2 {
                stop.request();
            }
        };
        let mut control = JudgeControl { stop: &stop, tell: &mut tell };
        let stopped = new_judge().judge_positions(&positions, &mut control);
        assert_eq!((stopped.unwrap_err(), last), (JudgeError::Stopped, 2));
    }

    #[test]
    fn what_a_search_found_is_told_from_the_view_of_who_is_to_move() {
        let report = SearchReport { win_rate: 0.75, score: 3.0, ..SearchReport::default() };
        let values = [vec![], vec!["D4".to_string()]].map(|line| {
            let found = searched_line(line, &report);
            [found.win_rate, found.lead]
        });
        assert_eq!(values, [[0.75, 3.0], [0.25, -3.0]]);
    }

    /// How a move looks is told before anything is searched, and what is proved before the last search.
    #[test]
    fn the_first_look_is_told_before_the_searches() {
        let mut position = Position::new(BoardSize::square(9).unwrap(), Rules::CHINESE);
        for vertex in ["E5", "E6", "D6", "A1", "F6", "A2"] {
            let mv = position.size().parse_move(vertex).unwrap();
            position.play(position.to_move(), mv).unwrap();
        }
        let take = position.size().parse_move("E7").unwrap();
        let told = Arc::new(Mutex::new(Vec::new()));
        let heard = Arc::clone(&told);
        let tell = move |progress: &AnswerProgress| heard.lock().unwrap().push(progress.clone());
        let (visitor, question) = (Visitor::for_language(Language::English), PositionQuestion::Played(take));
        let stop = JobStop::default();
        answer_question(&position, &question, &own_searches(), &visitor, &stop, tell);
        let told = told.lock().unwrap();
        assert!(told[0].known[0].starts_with("At first sight: Black E7 "), "{:?}", told[0]);
        assert!(told[0].found.is_empty() && told[0].now.is_none(), "before any search: {:?}", told[0]);
        let proved = told.iter().find(|progress| progress.known.len() > 1).expect("it takes a stone");
        assert!(proved.known[1].contains("takes the stone at E6"), "{proved:?}");
        assert!(proved.found.len() < told[told.len() - 1].found.len(), "{proved:?}");
    }

    /// What a text says of later moves can be walked through: each line begins with a move of the position that was asked about.
    #[test]
    fn the_lines_of_an_answer_can_be_walked_through() {
        let mut position = Position::new(BoardSize::square(9).unwrap(), Rules::CHINESE);
        for vertex in ["E5", "E6", "D6", "A1", "F6", "A2"] {
            let mv = position.size().parse_move(vertex).unwrap();
            position.play(position.to_move(), mv).unwrap();
        }
        let bad = position.size().parse_point("J9").unwrap();
        let visitor = Visitor::for_language(Language::English);
        let ask = |question: PositionQuestion| {
            answer_question(
                &position,
                &question,
                &own_searches(),
                &visitor,
                &JobStop::default(),
                |_: &AnswerProgress| {},
            )
        };
        for question in [PositionQuestion::Played(bad.into()), PositionQuestion::WhyNot(bad)] {
            let answer = ask(question);
            let line = |title: &str| {
                let found = answer.lines.iter().find(|line| line.title == title);
                found.unwrap_or_else(|| panic!("{title}: {:?}", answer.lines)).moves.clone()
            };
            assert_eq!(line("How it is answered")[0], "B J9");
            assert!(line("How it is answered")[1].starts_with("W "), "{:?}", answer.lines);
            assert!(line("The better line")[0].starts_with("B "), "{:?}", answer.lines);
            let html = answer.render_answer(6, &visitor).into_string();
            assert!(html.contains("data-node=\"6\"") && html.contains("data-walk=\"B J9,W "), "{html}");
        }
    }

    #[test]
    fn every_level_is_drawn_and_told() {
        let mut position = Position::new(BoardSize::square(9).unwrap(), Rules::CHINESE);
        for vertex in ["E5", "C3", "G3", "C7"] {
            let mv = position.size().parse_move(vertex).unwrap();
            position.play(position.to_move(), mv).unwrap();
        }
        for (level, ..) in LEVELS {
            let seen = view_level(&position, level, Language::Japanese, Seed::new(1));
            assert!(seen.picture.to_svg().contains("<svg"), "{}", level.name());
            assert!(!seen.text.trim().is_empty(), "{}", level.name());
        }
    }
}
