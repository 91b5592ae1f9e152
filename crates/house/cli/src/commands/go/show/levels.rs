//! The levels of knowledge as JSON.

use ishi_go::{Color, Point};
use ishi_knowledge::show::{self, Level, Shown};
use ishi_knowledge::words;
use ishi_reading::{Answer, PointSet, Status};
use ishi_words::Language;
use serde_json::{Map, Value, json};

/// The levels that are asked for, by their names.
pub(super) fn report(shown: &Shown<'_>, levels: &[Level]) -> Value {
    let mut report = Map::new();
    report.insert("size".into(), json!(shown.position.size().to_string()));
    report.insert("moves".into(), json!(shown.position.moves().len()));
    report.insert("to_move".into(), json!(shown.position.to_move().to_string()));
    report.insert("rows".into(), json!(super::rows(shown.position)));
    for &level in levels {
        report.insert(level.name().into(), without_minus_zero(of(shown, level)));
    }
    Value::Object(report)
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

fn of(shown: &Shown<'_>, level: Level) -> Value {
    match level {
        Level::Chains => chains(shown),
        Level::Status => status(shown),
        Level::Links => links(shown),
        Level::Eyes => eyes(shown),
        Level::Groups => groups(shown),
        Level::Influence => influence(shown),
        Level::Territory => territory(shown),
        Level::Strategy => strategy(shown),
        Level::Suggestions => suggestions(shown),
    }
}

fn name(point: Point) -> Value {
    json!(point.to_string())
}

fn maybe(point: Option<Point>) -> Value {
    point.map_or(Value::Null, name)
}

fn names(points: &PointSet) -> Value {
    points.iter().map(name).collect()
}

fn answer(shown: &Shown<'_>, chain: Point, attacking: bool, answer: &Answer) -> Value {
    let sequence = moves(&shown.sequence(chain, attacking));
    json!({
        "outcome": show::outcome(answer.outcome),
        "move": maybe(answer.mv),
        "sequence": sequence,
        "nodes": answer.nodes,
    })
}

/// As `B D4`.
fn moves(sequence: &[(Color, Point)]) -> Value {
    sequence.iter().map(|(color, point)| json!(format!("{} {point}", color.letter()))).collect()
}

fn chains(shown: &Shown<'_>) -> Value {
    let all = &shown.analysis.chains;
    let one = |chain: &ishi_knowledge::ChainFacts| {
        json!({
            "name": name(chain.name()),
            "color": chain.color.map(|color| color.to_string()),
            "stones": names(&chain.stones),
            "liberties": names(&chain.liberties),
            "enemies": all.enemies(chain).into_iter().map(name).collect::<Vec<_>>(),
        })
    };
    all.iter().map(one).collect()
}

fn status(shown: &Shown<'_>) -> Value {
    let one = |(chain, status): &(Point, Status)| {
        let (word, attack, defence) = match status {
            Status::Safe => ("safe", None, None),
            Status::InDanger { attack, defence } => ("in danger", Some(attack), Some(defence)),
            Status::Captured { attack } => ("captured", Some(attack), None),
        };
        json!({
            "chain": name(*chain),
            "status": word,
            "attack": attack.map(|attack| answer(shown, *chain, true, attack)),
            "defence": defence.map(|defence| answer(shown, *chain, false, defence)),
        })
    };
    shown.analysis.status.iter().map(one).collect()
}

fn links(shown: &Shown<'_>) -> Value {
    let board = shown.position.board();
    let one = |link: &ishi_knowledge::Link| {
        json!({
            "color": board.color(link.stones[0]).map(|color| color.to_string()),
            "stones": link.stones.map(name),
            "kind": show::link_kind(link.kind),
            "shared": link.shared.each_ref().map(names),
            "strength": show::link_strength(link.strength),
            "cut": maybe(link.cut),
            "connect": maybe(link.connect),
        })
    };
    shown.analysis.links.iter().map(one).collect()
}

/// In halves, if the opponent moves twice, first, or second.
fn half_eyes(count: ishi_knowledge::EyeCount) -> Value {
    json!([count.least, count.second, count.first].map(halves))
}

/// Eighths of an eye in halves: a whole number where they are.
fn halves(eighths: u8) -> Value {
    if eighths.is_multiple_of(4) { json!(eighths / 4) } else { json!(f64::from(eighths) / 4.0) }
}

fn eyes(shown: &Shown<'_>) -> Value {
    let one = |space: &ishi_knowledge::EyeSpace| {
        json!({
            "color": space.color.to_string(),
            "points": names(&space.points),
            "kind": show::eye_kind(space.kind),
            "half_eyes": half_eyes(space.eyes),
            "vital": maybe(space.vital.first().copied()),
            "vital_points": space.vital.iter().map(|&point| name(point)).collect::<Vec<_>>(),
        })
    };
    shown.analysis.spaces.iter().map(one).collect()
}

fn groups(shown: &Shown<'_>) -> Value {
    let one = |group: &ishi_knowledge::Group| {
        json!({
            "name": name(group.name()),
            "color": group.color.to_string(),
            "stones": names(&group.stones),
            "chains": group.chains.iter().map(|&chain| name(chain)).collect::<Vec<_>>(),
            "liberties": names(&group.liberties),
            "half_eyes": half_eyes(group.eyes),
            "potential": group.potential.iter().map(potential).collect::<Vec<_>>(),
            "escapes": group.escapes.iter().map(escape).collect::<Vec<_>>(),
            "neighbours": group.neighbours.iter().map(|&other| name(other)).collect::<Vec<_>>(),
            "prospects": group.prospects(),
            "strength": show::strength(group.strength),
            "kill": maybe(group.fate.and_then(|fate| fate.kill)),
            "save": maybe(group.fate.and_then(|fate| fate.save)),
            "if_attacked": moves(&shown.life_line(group, true)),
            "if_defended": moves(&shown.life_line(group, false)),
        })
    };
    shown.analysis.groups.iter().map(one).collect()
}

fn potential(way: &ishi_knowledge::Potential) -> Value {
    json!({"move": name(way.mv), "kind": show::potential_kind(way.kind), "half_eyes": halves(way.gain)})
}

fn escape(way: &ishi_knowledge::Escape) -> Value {
    json!({"point": name(way.point), "ahead": show::ahead(way.ahead), "half_eyes": way.worth()})
}

/// Rows from the top, a number for each point.
fn rows(shown: &Shown<'_>, of: impl Fn(Point) -> Value) -> Value {
    let size = shown.position.size();
    let row = |row: usize| (0..size.width()).map(|column| of(Point::new(column, row))).collect::<Vec<_>>();
    (0..size.height()).rev().map(row).collect()
}

/// From -1, White's, to +1, Black's; three decimals.
fn influence(shown: &Shown<'_>) -> Value {
    rows(shown, |point| {
        let balance = f64::from(shown.analysis.influence.balance(point));
        json!((1000.0 * balance).round() / 1000.0)
    })
}

fn territory(shown: &Shown<'_>) -> Value {
    let influence = &shown.analysis.influence;
    let board = shown.position.board();
    let of = |of: &dyn Fn(Point) -> Option<Color>, color| {
        let own = |point: &Point| board.color(*point).is_none() && of(*point) == Some(color);
        shown.position.size().points().filter(own).map(name).collect::<Vec<_>>()
    };
    let sides = |find: &dyn Fn(Point) -> Option<Color>| json!({"black": of(find, Color::Black), "white": of(find, Color::White)});
    json!({
        "territory": sides(&|point| influence.territory(point)),
        "moyo": sides(&|point| influence.moyo(point)),
        "thickness": {
            "black": influence.thickness(Color::Black),
            "white": influence.thickness(Color::White),
        },
        "black_lead": shown.analysis.black_lead,
    })
}

fn strategy(shown: &Shown<'_>) -> Value {
    let analysis = shown.analysis;
    json!({
        "phase": words::phase(analysis.phase, Language::English),
        "balance": words::balance(analysis.balance, Language::English),
        "black_lead": analysis.black_lead,
        "sente": analysis.sente,
        "urgent": analysis.urgent().into_iter().map(|group| name(group.name())).collect::<Vec<_>>(),
    })
}

fn suggestions(shown: &Shown<'_>) -> Value {
    let reason = |reason: &ishi_knowledge::Reason| {
        json!({
            "rule": reason.rule.name,
            "family": reason.rule.family.name(),
            "value": reason.value,
            "text": words::reason(reason, Language::English),
        })
    };
    let ahead = |number: usize| {
        let outlook = shown.outlooks.get(number)?.as_ref()?;
        let line: Vec<String> = outlook.line.iter().map(ToString::to_string).collect();
        Some(json!({ "value": outlook.value, "lead": outlook.lead, "line": line }))
    };
    let one = |(number, suggestion): (usize, &ishi_knowledge::rules::Suggestion)| {
        json!({
            "move": name(suggestion.mv),
            "value": suggestion.value,
            "ahead": ahead(number),
            "reasons": suggestion.reasons.iter().map(reason).collect::<Vec<_>>(),
        })
    };
    shown.suggestions.iter().enumerate().map(one).collect()
}
