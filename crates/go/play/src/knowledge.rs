//! A player that knows and looks ahead: no playouts, no chance. See [`ishi_knowledge::lookahead`].

use ishi_go::{Color, Move, Position};
use ishi_knowledge::lookahead::{LookAhead, LookAheadParams, Outlook, SearchPlan};
use ishi_knowledge::{ReadingOracle, Style, rules};
use ishi_rng::Seed;

use ishi_engine::catalog::{CatalogError, KeyValuePairs, parse_pairs};
use ishi_engine::numeric;
use ishi_engine::parameter::{Parameter, ParameterFault, format_params};
use ishi_engine::{Choice, Control, Engine, EngineAction, MoveReport, SearchReport};

/// Plays what an alpha-beta over suggested moves likes best. Never resigns; passes when nothing gains anything.
#[derive(Clone, Debug)]
pub struct KnowledgePlayer {
    params: LookAheadParams,
}

impl KnowledgePlayer {
    /// A player; nothing is random in it.
    pub fn new(params: LookAheadParams) -> KnowledgePlayer {
        KnowledgePlayer { params }
    }
}

/// A field of the style, which knows its values itself.
macro_rules! style_field {
    ($key:literal, $about:literal, $japanese:literal) => {
        Parameter {
            key: $key,
            about: $about,
            japanese: $japanese,
            allowed: |_| style_words($key),
            get: |params| params.style.get($key).unwrap_or_default().to_string(),
            set: |params, text| params.style.set($key, text).map_err(ParameterFault::own),
        }
    };
}

/// Both values of a field.
fn style_words(key: &str) -> String {
    let field = Style::DIFFERENCES.iter().find(|field| field.key == key);
    field.map_or_else(String::new, |field| format!("{}, {}", field.ishi, field.many_faces))
}

/// The parameters of the search, which stand before those of the style.
const SEARCH_PARAMETERS: usize = 5;

/// All parameters. A preset sets every field of the style, and how far it looks.
pub(crate) const ENTRIES: &[Parameter<LookAheadParams>] = &[
    numeric!("depth", "plies of the search, 1 to 20", "探索の手数、1から20", 1, 20, depth),
    numeric!(
        "width",
        "suggestions looked at in each position, 1 to 400",
        "各局面で見る提案の数、1から400",
        1,
        400,
        width
    ),
    numeric!(
        "quiet",
        "moves at most that settle a position before it is counted, 0 to 50",
        "数える前に局面を落ち着かせる手の数の上限、0から50",
        0,
        50,
        quiet
    ),
    numeric!(
        "nodes",
        "positions looked at for a move, where no other limit is given",
        "他に制限がないとき、1手で見る局面の数",
        1,
        1_000_000,
        nodes
    ),
    numeric!(
        "trust",
        "share of a suggestion's own value that counts, 0 to 10",
        "提案そのものの価値を数える割合、0から10",
        0.0,
        10.0,
        trust
    ),
    Parameter {
        key: "preset",
        about: "or many-faces, the way of D. Fotland's program; or single fields of it:",
        japanese: "または many-faces（D. Fotland のプログラムのやり方）。または次の項目ごとに：",
        allowed: |_| "ishi, many-faces".to_string(),
        get: |params| {
            let name = if params.style == Style::many_faces() { "many-faces" } else { "ishi" };
            name.to_string()
        },
        set: |params, text| {
            *params = LookAheadParams::for_style(Style::from_preset(text).map_err(ParameterFault::own)?);
            Ok(())
        },
    },
    style_field!(
        "influence",
        "how influence fades with distance; or inverse-distance",
        "影響力が距離とともに弱まる法則。または inverse-distance"
    ),
    style_field!(
        "walls",
        "connections that influence does not pass; or all",
        "影響力を通さない連絡。または all"
    ),
    style_field!(
        "balance",
        "from which lead a side is ahead or behind; or points",
        "どれだけの差で優勢・劣勢とみなすか。または points"
    ),
    style_field!(
        "phase",
        "what tells opening, middle game and endgame; or situation",
        "布石・中盤・ヨセの見分け方。または situation"
    ),
    style_field!(
        "sente",
        "by what the value of the move falls from 7 to 1; or moves",
        "手番の価値が7から1へ下がる基準。または moves"
    ),
    style_field!("eyes", "how fine eyes are counted; or eighths", "眼を数える細かさ。または eighths"),
    style_field!("vital", "vital points of an eye space; or all", "眼形の急所。または all"),
    style_field!(
        "shared",
        "points that two chains share, and the types that follow from them; or straight-lines",
        "二つの連が共有する点と、そこから決まる連絡の種類。または straight-lines"
    ),
    style_field!(
        "potential",
        "where a group could make eyes; or five-types",
        "群れが眼を作れそうな所。または five-types"
    ),
    style_field!("escapes", "points by which a group gets out; or lists", "群れが逃げ出す点。または lists"),
    style_field!(
        "urgent-first",
        "urgent groups and urgent pattern moves before all others; or yes",
        "急ぐ群れと急ぐ型の手を他のすべてより先にする。または yes"
    ),
    style_field!(
        "move-kinds",
        "what the kinds of joseki and pattern moves do; or acting",
        "定石や型の手の種類の扱い。または acting"
    ),
    style_field!(
        "variations",
        "how joseki and pattern sequences are played out; or unfolded",
        "定石や型の手順の進め方。または unfolded"
    ),
    style_field!(
        "quiescence",
        "how a position is settled before it is counted; or search",
        "数える前に局面を落ち着かせる方法。または search"
    ),
    style_field!(
        "finishing",
        "moves more at nearly dead groups when ahead; or yes",
        "優勢のとき、死にかけた群れに手を加える。または yes"
    ),
    style_field!(
        "desperate",
        "bluffs and help for hopeless groups when behind; or yes",
        "劣勢のとき、勝負手や望みの薄い群れの救出をする。または yes"
    ),
    style_field!(
        "purposes",
        "patterns by purpose: cut, enclose, invade, endgame, life, shape; or yes",
        "目的ごとの型：切り、囲い、打ち込み、ヨセ、死活、形。または yes"
    ),
];

/// The parameters in these pairs; their keys are known.
pub(crate) fn parse_params(pairs: &KeyValuePairs<'_>) -> Result<LookAheadParams, CatalogError> {
    // A preset sets all the others, so it comes first, wherever it stands.
    let mut pairs = pairs.clone();
    pairs.sort_by_key(|&(key, _)| key != "preset");
    parse_pairs(ENTRIES, &pairs)
}

impl Engine for KnowledgePlayer {
    fn name(&self) -> &str {
        "go-knowledge"
    }

    fn spec(&self) -> String {
        let numbers = format_params(&ENTRIES[..SEARCH_PARAMETERS], &self.params);
        match self.params.style.to_string().as_str() {
            "ishi" => format!("go-knowledge:{numbers}"),
            "many-faces" => format!("go-knowledge:preset=many-faces,{numbers}"),
            fields => format!("go-knowledge:{numbers},{fields}"),
        }
    }

    fn set_seed(&mut self, _: Seed) {}

    fn choose(&mut self, position: &Position, color: Color, control: &mut Control<'_>) -> Choice {
        let mut position = position.clone();
        position.set_to_move(color);
        let limits = control.limits;
        let nodes = limits.playouts.map_or(self.params.nodes, |most| most.min(self.params.nodes));
        let started = control.clock.now();
        let is_late = || limits.time.is_some_and(|time| control.clock.now().saturating_sub(started) >= time);
        let params = LookAheadParams { nodes, ..self.params };
        let mut ahead = LookAhead::new(params, ReadingOracle::default());
        let plan = ahead.search(&mut position, &|mv| control.allows_move(mv), &|| {
            control.stop.is_requested() || is_late()
        });
        let mv = choose_allowed(&plan, &position, control);
        let report = build_report(&plan, mv, ahead.cached_analysis(&position).sente);
        (control.observer)(&report);
        Choice { action: EngineAction::Move(mv), report }
    }
}

/// The best move that is allowed; where no suggestion is, the most usual of those that are.
fn choose_allowed(plan: &SearchPlan, position: &Position, control: &Control<'_>) -> Move {
    let best = plan.best_move();
    if control.allows_move(best) {
        return best;
    }
    if let Some(candidate) = plan.candidates.first() {
        return candidate.suggestion.mv.into();
    }
    let mut usual = rules::move_strengths(position);
    usual.retain(|&(point, _)| {
        control.allows_move(point.into()) && position.is_legal(position.to_move(), point.into())
    });
    let most = usual.into_iter().max_by(|a, b| a.1.total_cmp(&b.1));
    most.map_or(Move::Pass, |(point, _)| point.into())
}

fn build_report(plan: &SearchPlan, mv: Move, sente: f64) -> SearchReport {
    let told = |mv: Move, outlook: &Outlook| MoveReport {
        mv,
        visits: 1,
        win_rate: estimate_win_rate(outlook.lead, sente),
        lower_bound: estimate_win_rate(outlook.lead, sente),
        score: outlook.lead,
        variation: outlook.line.clone(),
        ..MoveReport::unsearched_move(mv)
    };
    let seen = plan.candidates.iter().filter(|candidate| candidate.outlook.value.is_finite());
    let mut moves: Vec<MoveReport> = seen
        .map(|candidate| told(candidate.suggestion.mv.into(), &candidate.outlook))
        .chain(plan.pass.iter().map(|outlook| told(Move::Pass, outlook)))
        .collect();
    moves.sort_by_key(|report| report.mv != mv);
    let score = moves.first().filter(|report| report.mv == mv).map_or(0.0, |report| report.score);
    SearchReport {
        moves,
        playouts: plan.nodes,
        win_rate: estimate_win_rate(score, sente),
        score,
        ..SearchReport::default()
    }
}

/// A guess, not a statistic: a lead of twice what the move is worth wins nearly three games of four.
fn estimate_win_rate(lead: f64, sente: f64) -> f64 {
    1.0 / (1.0 + (-lead / (2.0 * sente)).exp())
}

#[cfg(test)]
mod tests {
    use ishi_engine::parameter::list_rows;

    use super::*;

    /// docs/explain.md has a line for each parameter but the fields of styles, which have tables of their own there.
    #[test]
    fn the_page_about_the_player_lists_its_parameters() {
        let text = include_str!("../../../../docs/explain.md");
        let table = text.split_once("| parameter | default | what it is |\n").unwrap().1;
        let lines: Vec<&str> = table.lines().skip(1).take_while(|line| line.starts_with('|')).collect();
        let rows = list_rows(ENTRIES);
        let (whole, fields) = rows.split_at(SEARCH_PARAMETERS + 1);
        assert_eq!(lines.len(), whole.len());
        for (line, row) in lines.iter().zip(whole) {
            let start = format!("| `{}` | {} | {}", row.key, row.usual, row.about);
            // Names of presets are set in code, and link to the styles.
            assert!(row.key == "preset" || line.starts_with(&start), "{line} is not {start}");
        }
        for row in fields {
            assert!(text.contains(&format!("| `{}` | `{}`", row.key, row.usual)), "{} is missing", row.key);
        }
    }
}
