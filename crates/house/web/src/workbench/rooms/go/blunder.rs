//! The teaching game: ishi tells a blunder, with its reason, before it answers. The person may take the move back, or leave it.

use std::sync::Arc;

use ishi_go::{Move, Position};
use ishi_go_play::analyst::JudgeError;
use ishi_go_play::explain::Explainer;
use ishi_go_play::explain::blunder::{blunder_params, find_blunder};
use ishi_go_play::explain::listener::Listener;
use ishi_go_play::explain::say::teaching_text;
use ishi_go_play::explain::teach::Teaching;
use ishi_work::StopFlag;

use super::insight::PositionJudging;
use super::table::{GoTable, is_move, now_ms};
use super::think::table_topic;
use crate::workbench::WorkbenchState;
use crate::workbench::judge_sessions::WaitListener;
use crate::workbench::live::LiveTopics;
use crate::workbench::rooms::blunder::BlunderWarning;
use crate::workbench::rooms::both_languages::BothLanguages;

/// What pages are told while a move is looked at and answered, by the names of its words (`ui/look.ts`).
#[derive(Clone, Copy)]
enum LookState {
    /// The move is looked at.
    Looks,
    /// The program that judges answers another question first.
    Waits,
    /// The engine thinks about its answer.
    Answers,
}

impl LookState {
    fn name(self) -> &'static str {
        match self {
            LookState::Looks => "looks",
            LookState::Waits => "waits",
            LookState::Answers => "answers",
        }
    }
}

/// Tells the pages of a table how far the look at its last move is.
#[derive(Clone)]
pub(super) struct LookTeller {
    live: Arc<LiveTopics>,
    topic: String,
    /// What is told is of this revision, also to who comes later.
    revision: u64,
}

impl LookTeller {
    pub(super) fn new(desk: &WorkbenchState, table: &GoTable) -> LookTeller {
        let (topic, revision) = (table_topic(&table.key), table.revision);
        LookTeller { live: Arc::clone(&desk.live), topic, revision }
    }

    fn tell(&self, state: LookState) {
        let told = serde_json::json!({ "look": self.revision.to_string(), "state": state.name() });
        self.live.publish(&self.topic, "look", told.to_string());
    }

    fn wait_listener(&self) -> WaitListener {
        let own = self.clone();
        Box::new(move |waits| own.tell(if waits { LookState::Waits } else { LookState::Looks }))
    }
}

/// Looks at a move with this judge; if its program fails, ishi judges.
fn look_at_move(
    position: &Position,
    mv: Move,
    listener: Listener,
    judging: &PositionJudging,
    stop: &StopFlag,
    teller: &LookTeller,
) -> Option<Teaching> {
    let params = blunder_params(listener);
    let judge = judging.create_telling_judge(params.analyst.clone(), stop.clone(), teller.wait_listener());
    let mut explainer = Explainer::new(params, judging.seed).with_judge(judge).with_stop(stop.clone());
    let found = find_blunder(&mut explainer, position, mv, stop);
    match explainer.judge_failure() {
        Some(JudgeError::Failed(_)) if judging.program.is_some() => {
            let own = PositionJudging { seed: judging.seed, program: None };
            look_at_move(position, mv, listener, &own, stop, teller)
        }
        _ => found,
    }
}

/// What is told of the last move of a table, if a person has played it and it is a blunder. None if somebody stops the search.
fn find_warning(
    table: &GoTable,
    judging: &PositionJudging,
    stop: &StopFlag,
    teller: &LookTeller,
) -> Option<BlunderWarning> {
    let listener = table.taught?;
    let parent = table.tree.node(table.node).parent().filter(|_| is_move(&table.tree, table.node))?;
    let last = table.replay_here().ok()?.last?;
    let before = table.replay_to(parent).ok()?.position;
    if !table.seats[last.color.index()].is_person() || before.to_move() != last.color {
        return None;
    }
    let teaching = look_at_move(&before, last.mv, listener, judging, stop, teller)?;
    Some(BlunderWarning {
        vertex: last.mv.to_string(),
        reason: BothLanguages::from_words(|language| teaching_text(&teaching, language).trim().to_string()),
    })
}

/// Judges the last move of a teaching game, once. True if it is a blunder: then the engine waits.
pub(super) fn warn_of_blunder(
    table: &mut GoTable,
    judging: &PositionJudging,
    stop: &StopFlag,
    teller: &LookTeller,
) -> bool {
    if table.taught.is_none() || table.is_judged {
        return false;
    }
    teller.tell(LookState::Looks);
    table.is_judged = true;
    table.warning = find_warning(table, judging, stop, teller);
    // The look is no thought of the engine: its clock begins now.
    table.since = now_ms();
    table.due &= table.warning.is_none();
    if table.due {
        teller.tell(LookState::Answers);
    }
    table.warning.is_some()
}

#[cfg(test)]
mod tests {
    use axum::extract::{Form, Path, State};
    use ishi_go::Color;
    use ishi_rng::Seed;
    use ishi_words::Language;

    use super::super::think::wake_engine;
    use super::super::{ShownPlace, perform_action, view};
    use super::*;
    use crate::workbench::desk::{test_desk, test_desk_with_broken_judge, test_desk_with_judge};
    use crate::workbench::rooms::go::table::Seat;
    use crate::workbench::visitor::Visitor;

    /// Black is to play: D7 is the big point, C1 is worth little.
    const GAME: &str = "(;GM[1]SZ[9]KM[7.5]RU[chinese];B[ee];W[ef];B[df];W[eg];B[dg];W[eh];B[ff];W[gf];B[fg];W[fh];B[dh];W[gg];B[ei];W[hh]";

    fn warn_of_blunder(table: &mut GoTable, judging: &PositionJudging, stop: &StopFlag) -> bool {
        let teller = LookTeller::new(&test_desk(), table);
        super::warn_of_blunder(table, judging, stop, &teller)
    }

    /// Who comes later hears of it, too.
    #[test]
    fn pages_are_told_what_a_move_waits_for() {
        let desk = test_desk();
        let told = || desk.live.last_event(&table_topic("t"), "look").map(|told| told.to_string());
        let look = |last: &str| {
            let mut table = taught_table(last);
            table.revision = 7;
            assert!(table.is_looked_at());
            let teller = LookTeller::new(&desk, &table);
            super::warn_of_blunder(&mut table, &own_searches(), &StopFlag::default(), &teller);
            assert!(!table.is_looked_at());
            told()
        };
        assert_eq!(look("ci").as_deref(), Some(r#"{"look":"7","state":"looks"}"#), "a blunder has no answer");
        assert_eq!(look("dc").as_deref(), Some(r#"{"look":"7","state":"answers"}"#));
        let mut listener = LookTeller::new(&desk, &taught_table("ci")).wait_listener();
        for (waits, state) in [(true, "waits"), (false, "looks")] {
            listener(waits);
            assert_eq!(told(), Some(format!(r#"{{"look":"0","state":"{state}"}}"#)));
        }
    }

    /// The words stand beside the board, with the time since the move.
    #[test]
    fn a_page_says_that_a_move_is_looked_at_and_by_whom() {
        let (desk, mut table) = (test_desk_with_broken_judge(), taught_table("ci"));
        let page = |table: &GoTable, language: Language| {
            view::render_table(&desk, table, &Visitor::for_language(language)).unwrap().into_string()
        };
        table.since = now_ms().saturating_sub(4_000);
        let own = page(&table, Language::English);
        assert!(own.contains("ishi looks at your move") && own.contains("data-look=\"0\""), "{own}");
        assert!(own.contains("data-seconds=") && !own.contains("data-seconds=\"0"), "{own}");
        table.judge = Some("broken".to_string());
        assert!(page(&table, Language::English).contains("broken looks at your move"));
        assert!(page(&table, Language::Japanese).contains("broken があなたの手を調べています"));
        table.is_judged = true;
        let judged = page(&table, Language::English);
        assert!(!judged.contains("data-look=") && judged.contains("ishi is thinking"), "{judged}");
    }

    fn own_searches() -> PositionJudging {
        PositionJudging { seed: Seed::new(1), program: None }
    }

    fn taught_table(last: &str) -> GoTable {
        taught_record(&format!("{GAME};B[{last}])"), Color::White)
    }

    /// The end of a record, where this side is an engine's.
    fn taught_record(record: &str, engine: Color) -> GoTable {
        let mut table = GoTable::from_record("t".into(), record.as_bytes()).unwrap();
        table.seats[engine.index()] = Seat(Some("go-random".into()));
        table.taught = Some(Listener::Beginner);
        table.step_by(i64::MAX);
        table.due = true;
        table
    }

    #[test]
    fn a_blunder_is_told_with_its_reason_before_it_is_answered() {
        let (mut table, stop) = (taught_table("ci"), StopFlag::default());
        assert!(warn_of_blunder(&mut table, &own_searches(), &stop));
        assert!(!table.due, "the engine answers a blunder that is told");
        let warning = table.warning.clone().unwrap();
        let [english, japanese] = [Language::English, Language::Japanese]
            .map(|language| warning.reason.say(&Visitor::for_language(language)).to_string());
        assert_eq!(warning.vertex, "C1");
        let parts = ["Black C1 loses about", "Better: "];
        assert!(parts.iter().all(|part| english.contains(part)), "{english}");
        assert!(japanese.contains("C1") && japanese != english, "{japanese}");
        assert!(!english.contains("give or take"), "a beginner hears of no errors: {english}");
        // Taken back, it is the person's turn, and the next move is judged anew.
        table.undo().unwrap();
        assert!(table.warning.is_none() && !table.is_judged);
        assert_eq!(table.position().unwrap().to_move(), Color::Black);
    }

    /// The same game with the colours exchanged. Leads are Black's.
    #[test]
    fn blunders_of_white_are_told_too() {
        let exchanged =
            format!("{GAME};B[ci])").replace(";B[", ";?[").replace(";W[", ";B[").replace(";?[", ";W[");
        let record = exchanged.replace("KM[7.5]", "KM[-7.5]");
        let mut table = taught_record(&record, Color::Black);
        assert!(warn_of_blunder(&mut table, &own_searches(), &StopFlag::default()) && !table.due);
        let warning = table.warning.unwrap();
        let told = warning.reason.say(&Visitor::for_language(Language::English));
        assert_eq!(warning.vertex, "C1");
        assert!(told.contains("White C1 loses about"), "{told}");
    }

    /// Pages may make a step of an undo, so that this deed has a name of its own.
    #[tokio::test]
    async fn a_blunder_is_taken_back_under_the_name_that_its_page_sends() {
        let desk = Arc::new(test_desk());
        let mut table = taught_table("ci");
        let reason = BothLanguages::from_words(|_| "bad".to_string());
        table.warning = Some(BlunderWarning { vertex: "C1".to_string(), reason });
        (table.is_judged, table.due) = (true, false);
        table.save(&desk).await.unwrap();
        let visitor = Visitor::for_language(Language::English);
        let page = view::render_table(&desk, &table, &visitor).unwrap().into_string();
        assert!(page.contains("hx-post=\"/go/t/do/take-back\""), "{page}");
        let shown =
            ShownPlace { revision: Some(table.revision), node: Some(table.number_of_node(table.node)) };
        let deed = Path(("t".to_string(), "take-back".to_string()));
        perform_action(State(Arc::clone(&desk)), deed, visitor, Form(shown)).await.unwrap();
        let after = GoTable::load(&desk, "t").await.unwrap();
        assert!(after.warning.is_none() && !after.is_judged);
        assert_eq!(after.tree.node_count(), table.tree.node_count() - 1, "{}", after.to_sgf());
    }

    /// A game does not wait for a program that fails.
    #[test]
    fn a_blunder_is_told_though_the_judge_fails() {
        let desk = test_desk_with_broken_judge();
        let program = desk.choose_judge(Some("broken"));
        assert!(program.is_some() && desk.choose_judge(Some("other")).is_none());
        let judging = PositionJudging { program, ..own_searches() };
        let mut table = taught_table("ci");
        assert!(warn_of_blunder(&mut table, &judging, &StopFlag::default()) && !table.due);
    }

    /// Says of every position that nobody is ahead: no move is a blunder.
    const EVEN: &str = r#"while read -r line; do id=${line#*\"id\":\"}; turn=${line#*\"analyzeTurns\":\[}; echo "{\"id\":\"${id%%\"*}\",\"turnNumber\":${turn%%]*},\"moveInfos\":[],\"rootInfo\":{\"visits\":9,\"winrate\":0.5,\"scoreLead\":0}}"; done"#;

    /// What ishi calls a blunder is none for the program with which the game began, and so it is answered.
    #[tokio::test]
    async fn the_program_of_a_teaching_game_judges_its_moves() {
        let desk = Arc::new(test_desk_with_judge("even", &format!("sh -c '{EVEN}'")));
        let mut table = taught_table("ci");
        table.judge = Some("even".to_string());
        table.save(&desk).await.unwrap();
        wake_engine(&desk, &table);
        desk.moves.join_threads();
        let after = GoTable::load(&desk, "t").await.unwrap();
        assert!(after.warning.is_none(), "{:?}", after.warning.as_ref().map(|warning| &warning.vertex));
        assert_eq!(after.tree.node_count(), table.tree.node_count() + 1, "{}", after.to_sgf());
        desk.end_work();
        desk.join_threads();
    }

    /// Whoever starts the server may allow other programs while a game goes on.
    #[test]
    fn a_judge_is_named_as_long_as_it_is_allowed() {
        let mut table = taught_table("ci");
        table.judge = Some("broken".to_string());
        let visitor = Visitor::for_language(Language::English);
        let [allowed, refused] = [test_desk_with_broken_judge(), test_desk()]
            .map(|desk| view::render_table(&desk, &table, &visitor).unwrap().into_string());
        assert!(allowed.contains("A teaching game") && allowed.contains("Judged by broken."), "{allowed}");
        assert!(refused.contains("A teaching game") && !refused.contains("Judged by broken."), "{refused}");
    }

    #[test]
    fn a_blunder_that_is_left_is_not_told_again() {
        let mut table = taught_table("ci");
        table.leave_blunder();
        assert!(!warn_of_blunder(&mut table, &own_searches(), &StopFlag::default()));
        assert!(table.due && table.warning.is_none());
    }

    #[test]
    fn good_moves_and_games_that_teach_nothing_go_on() {
        let mut good = taught_table("dc");
        good.since = 0;
        assert!(!warn_of_blunder(&mut good, &own_searches(), &StopFlag::default()));
        assert!(good.due && good.is_judged, "D7 is the best point");
        assert!(good.since > 0, "the clock of the engine begins after the look");
        let mut plain = taught_table("ci");
        plain.taught = None;
        assert!(!warn_of_blunder(&mut plain, &own_searches(), &StopFlag::default()) && plain.due);
        let mut engines = taught_table("ci");
        engines.seats[0] = Seat(Some("go-random".into()));
        assert!(!warn_of_blunder(&mut engines, &own_searches(), &StopFlag::default()) && engines.due);
    }
}
