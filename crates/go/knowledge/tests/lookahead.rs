//! Looking ahead: what is unsettled is settled before it is counted, and what looks best is refuted where it should be.

use ishi_go::{BoardSize, Color, Diagram, Move, Position, Rules};
use ishi_knowledge::lookahead::{LookAhead, LookAheadParams, SearchPlan, find_unsettled};
use ishi_knowledge::{Keeper, NoOracle, ReadingOracle, Style, check, rules};

fn position(text: &str, to_move: Color) -> Position {
    let diagram: Diagram = text.parse().unwrap();
    let mut position = diagram.to_position(Rules::CHINESE, to_move).unwrap();
    position.set_komi(0.0).unwrap();
    position
}

fn look(params: LookAheadParams) -> LookAhead<ReadingOracle> {
    LookAhead::new(params, ReadingOracle::default())
}

fn search(position: &mut Position, params: LookAheadParams) -> SearchPlan {
    look(params).search(position, &|_| true, &|| false)
}

fn vertices(line: &[Move]) -> Vec<String> {
    line.iter().map(ToString::to_string).collect()
}

/// White's group in the corner has an eye space of three: B1 decides, for both.
const CRITICAL: &str = "
    . . . . . . .
    . . X . . . .
    . . . . X . .
    . . . . . . .
    X X X X X . .
    O O O O X . .
    . . . O X . .
";

#[test]
fn a_critical_group_is_settled_by_whoever_is_to_move() {
    let [lead_if_black, lead_if_white] = [Color::Black, Color::White].map(|color| {
        let mut position = position(CRITICAL, color);
        let before = position.clone();
        let mut ahead = look(LookAheadParams::default());
        let analysis = ahead.cached_analysis(&position);
        let open = find_unsettled(&analysis);
        assert_eq!(open.len(), 1, "{open:?}");
        let quiet = ahead.settle_to_quiet(&mut position);
        assert_eq!(position.hash(), before.hash());
        let told: Vec<String> = quiet.line.iter().map(|(by, point)| format!("{by} {point}")).collect();
        assert_eq!(told, [format!("{color} B1")]);
        assert_eq!(quiet.to_move, !color);
        (analysis.black_lead, quiet.black_lead)
    });
    // The count that does not look ahead is the same for both; settled, the whole corner goes to one side.
    assert_eq!(lead_if_black.0, lead_if_white.0);
    assert!(lead_if_black.1 > lead_if_black.0 + 4.0, "{lead_if_black:?}");
    assert!(lead_if_white.1 < lead_if_white.0 - 2.0, "{lead_if_white:?}");
    assert!(lead_if_black.1 - lead_if_white.1 >= 14.0, "five stones and three points of eye, both ways");
}

/// The bigger of two is settled first, the other side takes the second; what is worth less than sente is left.
#[test]
fn the_bigger_comes_first() {
    let text = "
        . . . X O O O .
        . . . X X X X O
        . . . . . . O O
        . . . . . . . .
        . . . . . . . .
        X X X X X . . .
        O O O O X . . .
        . . . O X . . .
    ";
    let mut position = position(text, Color::Black);
    let mut ahead = look(LookAheadParams::default());
    let open = find_unsettled(&ahead.cached_analysis(&position));
    assert!(open.len() >= 2 && open.windows(2).all(|two| two[0].worth >= two[1].worth), "{open:?}");
    let first = open[0].settling_move(Color::Black).unwrap();
    let quiet = ahead.settle_to_quiet(&mut position);
    assert_eq!(quiet.line[0], (Color::Black, first));
    assert_eq!(quiet.line[1].0, Color::White);
    assert_ne!(quiet.line[1].1, first);
    let none = LookAheadParams { quiet: 0, ..LookAheadParams::default() };
    assert!(look(none).settle_to_quiet(&mut position).line.is_empty());
}

#[test]
fn the_same_question_has_the_same_answer_and_leaves_no_trace() {
    let mut position = Position::new(BoardSize::square(9).unwrap(), Rules::CHINESE);
    for vertex in ["E5", "C4", "C5", "D4", "E3", "G4", "G6", "F3"] {
        let mv = position.size().parse_move(vertex).unwrap();
        position.play(position.to_move(), mv).unwrap();
    }
    let params = LookAheadParams { width: 3, ..LookAheadParams::default() };
    let before = position.clone();
    let mut ahead = look(params).with_checking();
    let analysis = ahead.cached_analysis(&position);
    let first = ahead.search(&mut position, &|_| true, &|| false);
    assert_eq!(first.depth, 2);
    assert_eq!(ahead.take_differences(), []);
    assert_eq!((position.hash(), position.moves()), (before.hash(), before.moves()));
    assert_eq!(check::compare_analyses(&position, &analysis, &look(params).cached_analysis(&position)), []);
    // Asked again, and by one that has seen another game before.
    assert_eq!(ahead.search(&mut position, &|_| true, &|| false), first);
    let mut other = look(params);
    other.search(&mut Position::new(BoardSize::square(7).unwrap(), Rules::CHINESE), &|_| true, &|| false);
    assert_eq!(other.search(&mut position, &|_| true, &|| false), first);
}

#[test]
fn limits_end_a_search_with_a_move() {
    let mut position = position(CRITICAL, Color::Black);
    let few = search(&mut position, LookAheadParams { nodes: 3, ..LookAheadParams::default() });
    assert!(few.nodes < 10 && few.best_move() != Move::Pass);
    let stopped = look(LookAheadParams::default()).search(&mut position, &|_| true, &|| true);
    assert_eq!(stopped.depth, 0);
    assert_ne!(stopped.best_move(), Move::Pass);
    let corner = position.size().parse_move("B1").unwrap();
    let only = look(LookAheadParams::default()).search(&mut position, &|mv| mv != corner, &|| false);
    assert!(only.candidates.iter().all(|candidate| Move::Play(candidate.suggestion.mv) != corner));
    assert_eq!(search(&mut position, LookAheadParams::default()).best_move(), corner);
}

/// A joseki is played out to its end.
#[test]
fn sequences_of_suggestions_are_played_out() {
    let mut position = Position::new(BoardSize::square(19).unwrap(), Rules::CHINESE);
    for vertex in ["Q16", "D4", "Q4", "R6"] {
        let mv = position.size().parse_move(vertex).unwrap();
        position.play(position.to_move(), mv).unwrap();
    }
    let mut ahead = look(LookAheadParams::default());
    let suggestions = rules::suggest_moves(&position, &ahead.cached_analysis(&position));
    let is_joseki = |name: &str| name.starts_with("joseki");
    let found = suggestions
        .iter()
        .find(|found| {
            found.reasons.iter().any(|reason| is_joseki(reason.rule.name) && reason.sequence.len() > 2)
        })
        .expect("a joseki that goes on");
    let sequence = found.reasons.iter().find(|reason| reason.sequence.len() > 1).unwrap().sequence.clone();
    let outlook = ahead.play_out(&mut position, found).unwrap();
    let told: Vec<Move> = sequence.iter().map(|&(_, point)| Move::Play(point)).collect();
    assert_eq!(vertices(&outlook.line[..told.len()]), vertices(&told));
    assert_eq!(position.moves().len(), 4);
}

/// What the position was analysed by is not read again, and says the same.
#[test]
fn a_keeper_that_knows_the_position_saves_reading_and_changes_nothing() {
    let mut position = position(CRITICAL, Color::White);
    let keeper_of = |position: &Position, style: Style| {
        let mut keeper = Keeper::with_style(style);
        let analysis = keeper.analyze(position, &mut NoOracle);
        (keeper, rules::suggest_moves(position, &analysis))
    };
    let (known, suggestions) = keeper_of(&position, Style::ishi());
    let before = known.reading_counts();
    assert!(before.read > 0, "there is something to read");
    let other = keeper_of(&position, Style::many_faces()).0;
    let mut play_all = |mut ahead: LookAhead<ReadingOracle>| {
        let told: Vec<_> =
            suggestions.iter().map(|suggestion| ahead.play_out(&mut position, suggestion)).collect();
        (told, ahead.reading_counts())
    };
    let params = LookAheadParams::default();
    let (expected, alone) = play_all(look(params));
    let (told, both) = play_all(look(params).with_keeper(known));
    assert_eq!(told, expected);
    assert!(both.read < before.read + alone.read, "{both:?}: {before:?} and {alone:?}");
    assert_eq!(play_all(look(params).with_keeper(other)), (expected, alone), "it is left aside");
}

/// What one ply likes best, and rules too, loses three stones to the answer: two plies see it.
#[test]
fn an_answer_refutes_the_top_suggestion() {
    let text = "
        . . . . . . .
        . . . . . . .
        . X O O . . .
        . . X O X X .
        . . X X O O X
        . . . O O X .
        . . . . . . X
    ";
    let mut position = position(text, Color::White);
    position.set_komi(7.5).unwrap();
    let parse = |position: &Position, vertex: &str| position.size().parse_move(vertex).unwrap();
    position.play(Color::White, parse(&position, "B6")).unwrap();
    let deep = LookAheadParams { width: 6, ..LookAheadParams::default() };
    let [tempting, best] = ["B4", "C2"].map(|vertex| parse(&position, vertex));
    let suggestions = rules::suggest_moves(&position, &look(deep).cached_analysis(&position));
    assert_eq!(Move::Play(suggestions[0].mv), tempting);
    assert_eq!(search(&mut position, LookAheadParams { depth: 1, ..deep }).best_move(), tempting);
    let plan = search(&mut position, deep);
    assert_eq!(plan.best_move(), best);
    let refuted = plan.candidates.iter().find(|found| Move::Play(found.suggestion.mv) == tempting).unwrap();
    let line = vertices(&refuted.outlook.line);
    assert!(line[0] == "B4" && line.contains(&"C2".to_string()), "the three stones are lost: {line:?}");
    assert!(plan.candidates[0].outlook.value > refuted.outlook.value + 4.0);
}
