//! The levels of knowledge as JSON.

use ishi_go::{Color, Point, Position};
use ishi_knowledge::show::{self, AnalysisLevel, AnalysisView};
use ishi_knowledge::words;
use ishi_reading::{ChainStatus, PointSet, ReadingAnswer};
use ishi_words::Language;
use serde_json::{Map, Value, json};

/// The levels that are asked for, by their names.
pub(super) fn levels_report(shown: &AnalysisView<'_>, levels: &[AnalysisLevel]) -> Value {
    let mut report = Map::new();
    report.insert("size".into(), json!(shown.position.size().to_string()));
    report.insert("moves".into(), json!(shown.position.moves().len()));
    report.insert("to_move".into(), json!(shown.position.to_move().to_string()));
    report.insert("rows".into(), json!(board_rows(shown.position)));
    for &level in levels {
        report.insert(level.name().into(), without_minus_zero(level_json(shown, level)));
    }
    Value::Object(report)
}

/// The board as text, a row each, the top one first.
pub(super) fn board_rows(position: &Position) -> Vec<String> {
    let (size, board) = (position.size(), position.board());
    let symbol = |point: Point| match board.color(point) {
        Some(Color::Black) => 'X',
        Some(Color::White) => 'O',
        None => '.',
    };
    let row = |row: usize| (0..size.width()).map(|column| symbol(Point::new(column, row))).collect();
    (0..size.height()).rev().map(row).collect()
}

/// Zeros have no sign.
fn without_minus_zero(value: Value) -> Value {
    match value {
        Value::Number(number) if number.as_f64() == Some(0.0) && number.is_f64() => json!(0.0),
        Value::Array(list) => list.into_iter().map(without_minus_zero).collect(),
        Value::Object(map) => {
            Value::Object(map.into_iter().map(|(name, value)| (name, without_minus_zero(value))).collect())
        }
        other => other,
    }
}

fn level_json(shown: &AnalysisView<'_>, level: AnalysisLevel) -> Value {
    match level {
        AnalysisLevel::Chains => chains_json(shown),
        AnalysisLevel::Status => status_json(shown),
        AnalysisLevel::Links => links_json(shown),
        AnalysisLevel::Eyes => eyes_json(shown),
        AnalysisLevel::Groups => groups_json(shown),
        AnalysisLevel::Influence => influence_json(shown),
        AnalysisLevel::Territory => territory_json(shown),
        AnalysisLevel::Strategy => strategy_json(shown),
        AnalysisLevel::Suggestions => suggestions_json(shown),
    }
}

fn point_json(point: Point) -> Value {
    json!(point.to_string())
}

fn optional_point_json(point: Option<Point>) -> Value {
    point.map_or(Value::Null, point_json)
}

fn point_set_json(points: &PointSet) -> Value {
    points.iter().map(point_json).collect()
}

fn answer_json(shown: &AnalysisView<'_>, chain: Point, attacking: bool, answer: &ReadingAnswer) -> Value {
    let sequence = sequence_json(&shown.expected_sequence(chain, attacking));
    json!({
        "outcome": show::outcome_name(answer.outcome),
        "move": optional_point_json(answer.mv),
        "sequence": sequence,
        "nodes": answer.nodes,
    })
}

/// A sequence as texts such as `B D4`.
fn sequence_json(sequence: &[(Color, Point)]) -> Value {
    sequence.iter().map(|(color, point)| json!(format!("{} {point}", color.letter()))).collect()
}

fn chains_json(shown: &AnalysisView<'_>) -> Value {
    let all = &shown.analysis.chains;
    let one = |chain: &ishi_knowledge::ChainFacts| {
        json!({
            "name": point_json(chain.name()),
            "color": chain.color.map(|color| color.to_string()),
            "stones": point_set_json(&chain.stones),
            "liberties": point_set_json(&chain.liberties),
            "enemies": all.enemy_neighbours(chain).into_iter().map(point_json).collect::<Vec<_>>(),
        })
    };
    all.iter().map(one).collect()
}

fn status_json(shown: &AnalysisView<'_>) -> Value {
    let one = |(chain, status): &(Point, ChainStatus)| {
        let (word, attack, defence) = match status {
            ChainStatus::Safe => ("safe", None, None),
            ChainStatus::InDanger { attack, defence } => ("in danger", Some(attack), Some(defence)),
            ChainStatus::Captured { attack } => ("captured", Some(attack), None),
        };
        json!({
            "chain": point_json(*chain),
            "status": word,
            "attack": attack.map(|attack| answer_json(shown, *chain, true, attack)),
            "defence": defence.map(|defence| answer_json(shown, *chain, false, defence)),
        })
    };
    shown.analysis.status.iter().map(one).collect()
}

fn links_json(shown: &AnalysisView<'_>) -> Value {
    let board = shown.position.board();
    let one = |link: &ishi_knowledge::Link| {
        json!({
            "color": board.color(link.stones[0]).map(|color| color.to_string()),
            "stones": link.stones.map(point_json),
            "kind": show::link_kind_name(link.kind),
            "shared": link.shared.each_ref().map(point_set_json),
            "strength": show::link_strength_name(link.strength),
            "cut": optional_point_json(link.cut),
            "connect": optional_point_json(link.connect),
        })
    };
    shown.analysis.links.iter().map(one).collect()
}

/// In halves, if the opponent moves twice, first, or second.
fn half_eyes_json(count: ishi_knowledge::EyeCount) -> Value {
    json!([count.least, count.second, count.first].map(halves_json))
}

/// Eighths of an eye in halves: a whole number where they are.
fn halves_json(eighths: u8) -> Value {
    if eighths.is_multiple_of(4) { json!(eighths / 4) } else { json!(f64::from(eighths) / 4.0) }
}

fn eyes_json(shown: &AnalysisView<'_>) -> Value {
    let one = |space: &ishi_knowledge::EyeSpace| {
        json!({
            "color": space.color.to_string(),
            "points": point_set_json(&space.points),
            "kind": show::eye_kind_name(space.kind),
            "half_eyes": half_eyes_json(space.eyes),
            "vital": optional_point_json(space.vital.first().copied()),
            "vital_points": space.vital.iter().map(|&point| point_json(point)).collect::<Vec<_>>(),
        })
    };
    shown.analysis.spaces.iter().map(one).collect()
}

fn groups_json(shown: &AnalysisView<'_>) -> Value {
    let one = |group: &ishi_knowledge::Group| {
        json!({
            "name": point_json(group.name()),
            "color": group.color.to_string(),
            "stones": point_set_json(&group.stones),
            "chains": group.chains.iter().map(|&chain| point_json(chain)).collect::<Vec<_>>(),
            "liberties": point_set_json(&group.liberties),
            "half_eyes": half_eyes_json(group.eyes),
            "potential": group.potential.iter().map(potential_json).collect::<Vec<_>>(),
            "escapes": group.escapes.iter().map(escape_json).collect::<Vec<_>>(),
            "neighbours": group.neighbours.iter().map(|&other| point_json(other)).collect::<Vec<_>>(),
            "prospects": group.prospects(),
            "strength": show::strength_name(group.strength),
            "kill": optional_point_json(group.fate.and_then(|fate| fate.kill)),
            "save": optional_point_json(group.fate.and_then(|fate| fate.save)),
            "if_attacked": sequence_json(&shown.life_sequence(group, true)),
            "if_defended": sequence_json(&shown.life_sequence(group, false)),
        })
    };
    shown.analysis.groups.iter().map(one).collect()
}

fn potential_json(way: &ishi_knowledge::PotentialEye) -> Value {
    json!({"move": point_json(way.mv), "kind": show::potential_kind_name(way.kind), "half_eyes": halves_json(way.gain)})
}

fn escape_json(way: &ishi_knowledge::Escape) -> Value {
    json!({"point": point_json(way.point), "ahead": show::escape_target_text(way.ahead), "half_eyes": way.worth()})
}

/// Rows from the top, a number for each point.
fn rows_json(shown: &AnalysisView<'_>, of: impl Fn(Point) -> Value) -> Value {
    let size = shown.position.size();
    let row = |row: usize| (0..size.width()).map(|column| of(Point::new(column, row))).collect::<Vec<_>>();
    (0..size.height()).rev().map(row).collect()
}

/// From -1, White's, to +1, Black's; three decimals.
fn influence_json(shown: &AnalysisView<'_>) -> Value {
    rows_json(shown, |point| {
        let balance = f64::from(shown.analysis.influence.balance_at(point));
        json!((1000.0 * balance).round() / 1000.0)
    })
}

fn territory_json(shown: &AnalysisView<'_>) -> Value {
    let influence = &shown.analysis.influence;
    let board = shown.position.board();
    let of = |of: &dyn Fn(Point) -> Option<Color>, color| {
        let own = |point: &Point| board.color(*point).is_none() && of(*point) == Some(color);
        shown.position.size().points().filter(own).map(point_json).collect::<Vec<_>>()
    };
    let sides = |find: &dyn Fn(Point) -> Option<Color>| json!({"black": of(find, Color::Black), "white": of(find, Color::White)});
    json!({
        "territory": sides(&|point| influence.territory_owner(point)),
        "moyo": sides(&|point| influence.moyo_owner(point)),
        "thickness": {
            "black": influence.thickness_of(Color::Black),
            "white": influence.thickness_of(Color::White),
        },
        "black_lead": shown.analysis.black_lead,
    })
}

fn strategy_json(shown: &AnalysisView<'_>) -> Value {
    let analysis = shown.analysis;
    json!({
        "phase": words::phase_name(analysis.phase, Language::English),
        "balance": words::describe_balance(analysis.balance, Language::English),
        "black_lead": analysis.black_lead,
        "sente": analysis.sente,
        "urgent": analysis.critical_groups().into_iter().map(|group| point_json(group.name())).collect::<Vec<_>>(),
    })
}

fn suggestions_json(shown: &AnalysisView<'_>) -> Value {
    let reason = |reason: &ishi_knowledge::Reason| {
        json!({
            "rule": reason.rule.name,
            "family": reason.rule.family.name(),
            "value": reason.value,
            "text": words::describe_reason(reason, Language::English),
        })
    };
    let ahead = |number: usize| {
        let outlook = shown.outlooks.get(number)?.as_ref()?;
        let line: Vec<String> = outlook.line.iter().map(ToString::to_string).collect();
        Some(json!({ "value": outlook.value, "lead": outlook.lead, "line": line }))
    };
    let one = |(number, suggestion): (usize, &ishi_knowledge::rules::Suggestion)| {
        json!({
            "move": point_json(suggestion.mv),
            "value": suggestion.value,
            "ahead": ahead(number),
            "reasons": suggestion.reasons.iter().map(reason).collect::<Vec<_>>(),
        })
    };
    shown.suggestions.iter().enumerate().map(one).collect()
}
