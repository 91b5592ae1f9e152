//! What engines do at a table: their moves in a game, and the analysis that is streamed to those who look.

use std::sync::Arc;
use std::time::{Duration, Instant};

use ishi_arena::stopwatch::WallClock;
use ishi_engine::time::TimeLeft;
use ishi_engine::{Control, Engine, EngineAction, MoveReport, SearchLimits, SearchReport};
use ishi_go::picture::{BoardPicture, PictureTone};
use ishi_go::{Color, Move, Position};
use ishi_go_play::analyst::Analyst;
use ishi_go_play::explain::review::LossClass;
use ishi_go_play::{catalog, judge};
use ishi_rng::Seed;
use ishi_sgf::GameResult;
use ishi_work::{Stop, StopFlag};
use maud::{Markup, PreEscaped, html};

use super::area::BoardArea;
use super::blunder::{LookTeller, warn_of_blunder};
use super::insight::PositionJudging;
use super::table::{GoTable, KIND, Seat};
use crate::workbench::WorkbenchState;
use crate::workbench::texts::{LanguageTexts, page_languages};
use crate::workbench::thoughts::BackgroundTasks;
use crate::workbench::visitor::Visitor;

/// The events of a table.
pub(super) fn table_topic(key: &str) -> String {
    format!("go/{key}")
}

fn move_key(key: &str) -> String {
    format!("go/{key}/move")
}

fn analysis_key(key: &str) -> String {
    format!("go/{key}/analysis")
}

/// An analysis ends when nobody has looked for so long.
const UNSEEN: Duration = Duration::from_secs(5);

/// Engines that play each other stop when nobody has looked for so long.
const DESERTED: Duration = Duration::from_secs(30);

/// A game against a person goes on for so long after the page was closed: the answer to the last move.
const PATIENCE: Duration = Duration::from_secs(120);

/// Positions after which an analysis has seen enough: half a minute.
const ENOUGH: u64 = 20_000;

/// Playouts for the proposal of dead stones.
pub(super) const JUDGED: u32 = judge::DEFAULT_PLAYOUTS;

/// The time between two reports of an analysis.
const REPORT: Duration = Duration::from_millis(400);

/// Candidates that are shown.
const SHOWN: usize = 8;

/// Lets the engine that is to move at this table think, if there is one and it does not think already.
pub(super) fn wake_engine(desk: &Arc<WorkbenchState>, table: &GoTable) {
    let key = move_key(&table.key);
    if !table.due || desk.moves.is_running(&key) {
        return;
    }
    let (own, name) = (Arc::clone(desk), table.key.clone());
    desk.moves.start_task(&key, move |stop| {
        while !stop.is_requested() && play_engine_move(&own, &name, stop) {
            // Two engines may play a long game.
            own.moves.give_way(&move_key(&name), stop);
        }
    });
}

/// The engine need not move any more: the place has changed.
pub(super) fn stop_engine(desk: &WorkbenchState, key: &str) {
    desk.moves.stop_task(&move_key(key));
}

/// One move of an engine. True if the next one is an engine's, too.
fn play_engine_move(desk: &WorkbenchState, key: &str, stop: &StopFlag) -> bool {
    let Some(mut table) = load_table(desk, key).filter(|table| table.due) else { return false };
    let Ok(position) = table.position() else { return false };
    let color = position.to_move();
    let Seat(Some(spec)) = &table.seats[color.index()] else { return false };
    let both = table.seats.iter().all(|seat| !seat.is_person());
    let patience = if both { DESERTED } else { PATIENCE };
    // Tables differ, so that nobody meets the same game again and again.
    let seed = desk.settings.seed.child_seed(&table.key, position.moves().len() as u64);
    let Ok(mut engine) = catalog::create_go_player(spec, seed) else { return false };
    // The game does not wait for a program that hangs again and again.
    let program = desk.choose_judge(table.judge.as_deref()).filter(|program| !program.has_hung_lately());
    let judging = PositionJudging { seed, program };
    let teller = LookTeller::new(desk, &table);
    if warn_of_blunder(&mut table, &judging, stop, &teller) {
        return !stop.is_requested() && keep_engine_turn(desk, key, &mut table);
    }
    let begun = Instant::now();
    // The page that asked for the move may not have begun to listen.
    let unseen = || begun.elapsed() > patience && desk.live.unseen_for(&table_topic(key)) > patience;
    let deserted = || stop.is_requested() || unseen();
    let clock = WallClock::start();
    let left = table.clocks()[color.index()].time_left();
    let mut nobody = |_: &SearchReport| {};
    let mut control = Control {
        limits: SearchLimits { time: time_budget(&table, &position, left), ..SearchLimits::default() },
        clock: &clock,
        stop: &deserted,
        ..Control::with_limits(SearchLimits::default(), &mut nobody)
    };
    let choice = engine.choose(&position, color, &mut control);
    if deserted() {
        return false;
    }
    let done = match choice.action {
        EngineAction::Move(mv) => table.play(mv).is_ok(),
        EngineAction::Resign => {
            table.end_game(GameResult::Resignation(!color));
            true
        }
    };
    if !done {
        return false;
    }
    if table.result().is_none()
        && let Ok(position) = table.position()
        && position.is_over()
    {
        table.propose_count(judge::judge_final_status(&position, JUDGED, seed));
    }
    keep_engine_turn(desk, key, &mut table)
}

/// Keeps what an engine's turn has brought, and tells the pages. True if an engine is to move now.
fn keep_engine_turn(desk: &WorkbenchState, key: &str, table: &mut GoTable) -> bool {
    match desk.ask_store_blocking(|store| table.save_blocking(store)) {
        Ok(true) => {
            publish_change(desk, key, table.revision);
            table.due
        }
        // Somebody else has changed the table meanwhile: the thought was in vain, and perhaps it is to be thought again.
        Ok(false) => true,
        Err(_) => false,
    }
}

fn load_table(desk: &WorkbenchState, key: &str) -> Option<GoTable> {
    let document = desk.ask_store_blocking(|store| store.find_document(KIND, key)).ok()??;
    GoTable::from_document(&document).ok()
}

fn time_budget(table: &GoTable, position: &Position, left: Option<TimeLeft>) -> Option<Duration> {
    table.control.system.budget_for_move(left?, position.size().area(), position.moves().len())
}

/// All pages of the table hear that it is another one now.
pub(super) fn publish_change(desk: &WorkbenchState, key: &str, revision: u64) {
    desk.live.publish(&table_topic(key), "changed", revision.to_string());
}

/// Is the analysis on?
pub(super) fn is_analysing(desk: &WorkbenchState, key: &str) -> bool {
    desk.thoughts.is_running(&analysis_key(key))
}

pub(super) fn stop_analysis(desk: &WorkbenchState, key: &str) {
    desk.thoughts.stop_task(&analysis_key(key));
    forget_analysis(desk, key);
}

/// The events by which pages hear thoughts, in all languages.
fn analysis_events() -> Vec<String> {
    let told = page_languages().iter().map(thought_event);
    std::iter::once("overlay".to_string()).chain(told).collect()
}

/// What was thought of another position is not to be shown any more.
pub(super) fn forget_analysis(desk: &WorkbenchState, key: &str) {
    for name in analysis_events() {
        desk.live.forget_event(&table_topic(key), &name);
    }
}

/// Begins to think about a position, or about another one. With an area moves are looked for there alone. `place` is how pages know their place: they
/// show only what is thought of it.
pub(super) fn start_analysis(
    desk: &Arc<WorkbenchState>,
    key: &str,
    position: Position,
    area: Option<BoardArea>,
    place: String,
) {
    stop_analysis(desk, key);
    let (own, name, seed) = (Arc::clone(desk), key.to_string(), desk.settings.seed);
    desk.thoughts.start_task(&analysis_key(key), move |stop| {
        let topic = table_topic(&name);
        let begun = Instant::now();
        // The page needs a moment to come back with its ears.
        let unseen = || begun.elapsed() > UNSEEN && own.live.unseen_for(&topic) > UNSEEN;
        let turns = own.thoughts.take_turns(&analysis_key(&name), stop);
        run_analysis(&position, area, seed, &|| turns.is_requested() || unseen(), &mut |report| {
            if !stop.is_requested() {
                publish_thought(&own, &topic, &place, &position, report);
            }
        });
        stay_until_left(&own.thoughts, stop, &unseen);
        if unseen() {
            stop_analysis(&own, &name);
        }
    });
}

/// A search that has seen enough does not end the analysis: what it found stays in sight, and whoever steps on has the next place analysed. Others have
/// its place meanwhile.
fn stay_until_left(tasks: &BackgroundTasks, stop: &StopFlag, is_left: &dyn Fn() -> bool) {
    while !stop.is_requested() && !is_left() {
        tasks.rest(REPORT);
    }
}

fn run_analysis(
    position: &Position,
    area: Option<BoardArea>,
    seed: Seed,
    stop: &(dyn Stop + Sync),
    hear: &mut dyn FnMut(&SearchReport),
) {
    let mut player = Analyst::of_level(10).new_player(seed);
    let clock = WallClock::start();
    let limits = SearchLimits { playouts: Some(ENOUGH), ..SearchLimits::default() };
    let allowed = area.map(|area| area.list_moves(position));
    let mut control = Control {
        clock: &clock,
        stop,
        allowed: allowed.as_deref(),
        may_resign: false,
        report_every: REPORT,
        ..Control::with_limits(limits, hear)
    };
    player.choose(position, position.to_move(), &mut control);
}

fn publish_thought(
    desk: &WorkbenchState,
    topic: &str,
    place: &str,
    position: &Position,
    report: &SearchReport,
) {
    let of_place = |part: Markup| html! { div data-place=(place) { (part) } }.into_string();
    desk.live.publish(topic, "overlay", of_place(PreEscaped(draw_overlay(position, report))));
    for texts in page_languages() {
        let told = render_thought(position.to_move(), report, &Visitor::for_texts(texts));
        desk.live.publish(topic, thought_event(texts), of_place(told));
    }
}

/// The event by which pages in this language hear thoughts.
pub(super) fn thought_event(texts: &LanguageTexts) -> String {
    format!("thought-{}", texts.tag)
}

/// The candidates that are shown, best first. Of a move that nobody has searched nothing is known: only the first one is shown all the same.
fn searched_moves(report: &SearchReport) -> impl Iterator<Item = &MoveReport> {
    let is_known = |(rank, found): &(usize, &MoveReport)| *rank == 0 || found.visits > 0;
    report.moves.iter().enumerate().filter(is_known).map(|(_, found)| found).take(SHOWN)
}

/// A candidate beside the best one.
struct ComparedMove<'a> {
    found: &'a MoveReport,
    is_best: bool,
    /// Points that it brings more than the best one: below zero for a loss.
    points: f64,
    /// What it loses of the chance to win, if that is much.
    loss: Option<LossClass>,
}

/// The candidates that are shown, each compared with the first one.
fn compared_moves(report: &SearchReport) -> Vec<ComparedMove<'_>> {
    let Some(best) = report.moves.first() else { return Vec::new() };
    let compared = searched_moves(report).enumerate().map(|(rank, found)| {
        let loss = LossClass::from_lost_win_rate(best.win_rate - found.win_rate);
        ComparedMove { found, is_best: rank == 0, points: found.score - best.score, loss }
    });
    compared.collect()
}

impl ComparedMove<'_> {
    /// Points with their sign: `−3.2`, `+0.4`, `0.0`; from ten on whole ones.
    fn points_text(&self) -> String {
        let points = without_negative_zero(self.points);
        let sign = if points < 0.0 { "−" } else { "+" };
        match points.abs() {
            0.0 => "0.0".to_string(),
            size if size < 10.0 => format!("{sign}{size:.1}"),
            size => format!("{sign}{size:.0}"),
        }
    }

    /// Its colour on the board. What it says stands there in figures, too.
    fn tone(&self) -> PictureTone {
        match self.loss {
            _ if self.is_best => PictureTone::Good,
            None => PictureTone::Fair,
            Some(LossClass::Doubtful) => PictureTone::Step(2),
            Some(LossClass::Mistake) => PictureTone::Step(1),
            Some(LossClass::Blunder) => PictureTone::Step(0),
        }
    }

    /// What it loses against the best one, for the table.
    fn render_comparison(&self, visitor: &Visitor) -> Markup {
        html! {
            @if self.is_best { (visitor.text("go-best")) } @else { (self.points_text()) }
            @if let Some(loss) = self.loss { " " (render_loss_sign(loss, visitor)) }
        }
    }
}

/// The sign of a loss, with its meaning for a pointer and for those who hear it.
fn render_loss_sign(loss: LossClass, visitor: &Visitor) -> Markup {
    let name = loss.name(visitor.language);
    html! { strong.bad title=(name) { (loss.sign()) } span.unseen { " " (name) } }
}

/// What the discs on the board and the signs say.
fn render_thought_key(visitor: &Visitor) -> Markup {
    let losses = [LossClass::Doubtful, LossClass::Mistake, LossClass::Blunder];
    html! {
        p.quiet { (visitor.text("go-what-candidates-say")) }
        ul.key.quiet {
            @for loss in losses { li { strong.bad { (loss.sign()) } " " (loss.name(visitor.language)) } }
        }
    }
}

/// Points in tenths, where a little less than nothing is nothing.
fn without_negative_zero(points: f64) -> f64 {
    (10.0 * points).round() / 10.0 + 0.0
}

/// Ownership as small squares, but on stones that keep what they stand on; the best moves with what they lose against the
/// first one, in points, and their win rates.
fn draw_overlay(position: &Position, report: &SearchReport) -> String {
    let mover = position.to_move();
    let mut picture = BoardPicture::from_board(position.board());
    for &(point, mean) in &report.ownership {
        let color = if mean >= 0.0 { mover } else { !mover };
        let share = f64::from(mean.abs());
        if share > 0.15 && position.board().color(point) != Some(color) {
            picture = picture.with_shade(point, PictureTone::from_color(color), 0.38, share * 0.75);
        }
    }
    for compared in compared_moves(report) {
        let Some(point) = compared.found.mv.point() else { continue };
        let chance = format!("{:.0}", 100.0 * compared.found.win_rate);
        // A disc has no room for the wider sign.
        let points = compared.points_text().replace('−', "-");
        picture = picture.with_disc(point, [points, chance], compared.tone());
    }
    picture.overlay_svg()
}

/// The best moves in a table; the page draws a row's variation when it is pointed at.
fn render_thought(mover: Color, report: &SearchReport, visitor: &Visitor) -> Markup {
    let say = |id: &'static str| visitor.text(id);
    let sign = if mover == Color::Black { 1.0 } else { -1.0 };
    let lead = sign * report.score;
    let black = if mover == Color::Black { report.win_rate } else { 1.0 - report.win_rate };
    let leader = if lead >= 0.0 { Color::Black } else { Color::White };
    html! {
        p {
            strong { (say("go-black")) " " (format!("{:.1} %", 100.0 * black)) }
            ", " @if leader == Color::Black { (say("go-black")) } @else { (say("go-white")) }
            (format!(" +{:.1}", lead.abs()))
            span.quiet { " · " (report.playouts) " " (say("go-positions")) }
        }
        div.scroll tabindex="0" role="region" aria-label=(say("go-best-moves")) {
            table.moves {
                thead { tr {
                    th scope="col" { (say("go-move")) }
                    th.number scope="col" { (say("go-against-the-best")) }
                    th.number scope="col" { (say("go-wins")) }
                    th.number scope="col" { (say("go-score")) }
                    th.number scope="col" { (say("go-visits")) }
                    th scope="col" { (say("go-expected")) }
                } }
                tbody {
                    @for compared in compared_moves(report) {
                        @let found = compared.found;
                        @let line: Vec<String> = found.variation.iter().take(12).map(Move::to_string).collect();
                        tr tabindex="0" data-variation=(line.join(" ")) data-first=(mover.letter()) {
                            td { strong { (found.mv) } }
                            td.number { (compared.render_comparison(visitor)) }
                            td.number { (format!("{:.1} %", 100.0 * found.win_rate)) }
                            td.number { (format!("{:+.1}", without_negative_zero(found.score))) }
                            td.number { (found.visits) }
                            td.variation { (line.join(" ")) }
                        }
                    }
                }
            }
        }
        (render_thought_key(visitor))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use ishi_go::{BoardSize, Rules};

    use super::*;
    use crate::workbench::texts::{english, find_page_language, made_up_language};

    #[test]
    fn a_thought_names_its_moves_in_every_language() {
        let position = Position::new(BoardSize::square(5).unwrap(), Rules::CHINESE);
        let mut last = None;
        let stop = StopFlag::default();
        run_analysis(&position, None, Seed::new(1), &stop, &mut |report: &SearchReport| {
            last = Some(report.clone());
            stop.request();
        });
        let report = last.unwrap();
        let best = report.moves[0].mv.to_string();
        let texts = [english(), find_page_language("ja").unwrap(), made_up_language()]
            .map(|texts| render_thought(Color::Black, &report, &Visitor::for_texts(texts)).into_string());
        assert!(texts.iter().all(|text| text.contains(&format!("<strong>{best}</strong>"))));
        assert!(texts[1].contains("候補手") && !texts[0].contains("候補手"));
        assert!(texts[2].contains("~Best moves"), "{}", texts[2]);
        assert!(draw_overlay(&position, &report).contains("<text"));
    }

    /// The opponent's answers may be anywhere. Where nobody can move the search passes.
    #[test]
    fn an_analysis_of_an_area_chooses_among_its_moves() {
        let mut position = Position::new(BoardSize::square(5).unwrap(), Rules::CHINESE);
        let find = |position: &Position, corners: &str| {
            let area = BoardArea::parse(corners, position.size()).unwrap();
            let (mut last, stop) = (None, StopFlag::default());
            run_analysis(position, area, Seed::new(1), &stop, &mut |report: &SearchReport| {
                last = Some(report.clone());
                stop.request();
            });
            let mut names: Vec<String> =
                last.unwrap().moves.iter().map(|found| found.mv.to_string()).collect();
            names.sort();
            names
        };
        assert_eq!(find(&position, "A1 B2"), ["A1", "A2", "B1", "B2"]);
        let a1 = position.size().parse_point("A1").unwrap();
        position.play(Color::Black, a1.into()).unwrap();
        assert_eq!(find(&position, "A1 A1"), ["pass"]);
    }

    /// Its search is over, and others have its only turn.
    #[test]
    fn an_analysis_is_on_until_it_is_stopped_or_left() {
        let tasks = Arc::new(BackgroundTasks::new(1));
        let shared = Arc::clone(&tasks);
        tasks.start_task("a", move |stop| stay_until_left(&shared, stop, &|| false));
        let (told, heard) = channel();
        tasks.start_task("b", move |_| told.send(()).unwrap());
        heard.recv().unwrap();
        assert!(tasks.is_running("a"));
        tasks.stop_task("a");
        assert!(!tasks.is_running("a"));
        // Nobody looks: it ends by itself.
        stay_until_left(&tasks, &StopFlag::default(), &|| true);
        tasks.join_threads();
    }

    /// A move that nobody has searched has no chances that could be shown.
    #[test]
    fn moves_that_were_not_searched_are_not_shown() {
        let position = Position::new(BoardSize::square(5).unwrap(), Rules::CHINESE);
        let found = |vertex: &str, visits: u64| -> MoveReport {
            let mv = position.size().parse_move(vertex).unwrap();
            MoveReport { visits, score: -0.01, ..MoveReport::unsearched_move(mv) }
        };
        let report = |visits: u64| SearchReport {
            moves: vec![found("C3", 9), found("B2", visits), found("D4", 2)],
            ..SearchReport::default()
        };
        let told = |report: &SearchReport| {
            render_thought(Color::Black, report, &Visitor::for_texts(english())).into_string()
        };
        let labels = |report: &SearchReport| draw_overlay(&position, report).matches("<circle").count();
        let (known, unknown) = (report(1), report(0));
        assert!(told(&known).contains("<strong>B2</strong>") && told(&known).contains("+0.0"));
        let table = told(&unknown);
        assert!(!table.contains("B2") && table.contains("D4") && !table.contains("-0.0"), "{table}");
        assert_eq!(labels(&known), labels(&unknown) + 1);
    }

    /// What a candidate loses is told in points, on the board and in words, and the chance to win stays.
    #[test]
    fn candidates_are_compared_with_the_best_one() {
        let position = Position::new(BoardSize::square(5).unwrap(), Rules::CHINESE);
        let found = |vertex: &str, score: f64, win_rate: f64| {
            let mv = position.size().parse_move(vertex).unwrap();
            MoveReport { visits: 5, score, win_rate, ..MoveReport::unsearched_move(mv) }
        };
        let moves = vec![
            found("C3", 2.04, 0.6),
            found("B2", 2.5, 0.59),
            found("D4", -1.2, 0.5),
            found("A1", -21.0, 0.1),
        ];
        let report = SearchReport { moves, ..SearchReport::default() };
        let picture = draw_overlay(&position, &report);
        for text in [">0.0<", ">60<", ">+0.5<", ">-3.2<", ">50<", ">-23<", ">10<"] {
            assert!(picture.contains(text), "{text} in {picture}");
        }
        let tones = compared_moves(&report).iter().map(ComparedMove::tone).collect::<Vec<PictureTone>>();
        let steps = [PictureTone::Good, PictureTone::Fair, PictureTone::Step(2), PictureTone::Step(0)];
        assert_eq!(tones, steps);
        let told = |tag: &str| {
            let texts = find_page_language(tag).unwrap();
            render_thought(Color::Black, &report, &Visitor::for_texts(texts)).into_string()
        };
        let (english, japanese) = (told("en"), told("ja"));
        assert!(english.contains(">best<") && english.contains(">−3.2 <strong"), "{english}");
        assert!(english.contains("50.0 %") && english.contains("doubtful") && english.contains("blunder"));
        assert!(
            japanese.contains(">最善<") && japanese.contains("最善手との差") && japanese.contains("疑問手")
        );
    }

    #[test]
    fn thoughts_are_forgotten_in_every_language() {
        let events = analysis_events();
        for texts in page_languages() {
            assert!(events.contains(&thought_event(texts)), "{} in {events:?}", texts.tag);
        }
    }

    #[test]
    fn stones_that_live_have_no_square() {
        let mut position = Position::new(BoardSize::square(5).unwrap(), Rules::CHINESE);
        let [c3, a1] = ["C3", "A1"].map(|text| position.size().parse_point(text).unwrap());
        position.play(Color::Black, c3.into()).unwrap();
        let squares = |ownership: Vec<(ishi_go::Point, f32)>| {
            draw_overlay(&position, &SearchReport { ownership, ..SearchReport::default() })
                .matches("<rect")
                .count()
        };
        // White is to move: shares are White's.
        assert_eq!(squares(vec![(c3, -0.9), (a1, -0.9)]), 1);
        assert_eq!(squares(vec![(c3, 0.9), (a1, -0.9)]), 2);
    }
}
