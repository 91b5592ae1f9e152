//! The editor of one pattern. What is being edited is a document of its own, kept with every change, so that it may be unfinished;
//! saving puts it into its collection, which checks it.

use std::collections::HashMap;
use std::sync::Arc;

use axum::Router;
use axum::extract::{Form, Path, Query, State};
use axum::response::Response;
use axum::routing::{get, post};
use ishi_go::{Color, Point};
use ishi_patterns::joseki::book::Kind;
use ishi_patterns::library::{
    Attribute, Branch, Claim, Diagram, Edges, Pattern, SIDE, Sign, Square, Turn, Words, text,
};
use maud::{Markup, PreEscaped, html};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::collection;
use super::view::{self, branch_words, claim_words, description, kind_name, pattern_path, sign_name};
use super::{go_to, sheet};
use crate::workbench::Desk;
use crate::workbench::desk::new_key;
use crate::workbench::error::PageError;
use crate::workbench::page::{Page, Room, part};
use crate::workbench::rooms::history::History;
use crate::workbench::visitor::Visitor;

const KIND: &str = "pattern-draft";
/// Moves of a tree that is edited by hand.
const MOST_MOVES: usize = 500;

pub(super) fn routes() -> Router<Arc<Desk>> {
    Router::new()
        .route("/patterns/drafts", post(begin))
        .route("/patterns/edit/{draft}", get(editor).post(act))
        .route("/patterns/edit/{draft}/save", post(save))
        .route("/patterns/edit/{draft}/discard", post(discard))
}

/// What is kept.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Kept {
    collection: String,
    /// Its name in the collection; `None` for a new one.
    original: Option<String>,
    /// Its text there when the draft was begun, so that a change by another tab is noticed.
    base: Option<String>,
    history: History,
}

/// A draft and its revision.
struct Draft {
    key: String,
    revision: u64,
    kept: Kept,
    pattern: Pattern,
}

impl Draft {
    async fn load(desk: &Desk, key: &str) -> Result<Draft, PageError> {
        let wanted = key.to_string();
        let document = desk.store(move |store| store.document(KIND, &wanted)).await?;
        let document = document.ok_or_else(|| {
            PageError::missing(
                "there is no such draft: it was saved or discarded",
                "その下書きはありません（保存または破棄されました）",
            )
        })?;
        let kept: Kept = serde_json::from_value(document.body).map_err(PageError::outside)?;
        let pattern = text::parse_draft(kept.history.text()).map_err(PageError::outside)?;
        Ok(Draft { key: key.to_string(), revision: document.revision, kept, pattern })
    }

    async fn keep(&mut self, desk: &Desk) -> Result<(), PageError> {
        let (key, title, body) = (self.key.clone(), self.pattern.name.clone(), json!(self.kept));
        let revision = self.revision;
        let kept = desk.store(move |store| store.keep_document(KIND, &key, &title, &body, revision)).await?;
        self.revision = kept.ok_or_else(PageError::changed_elsewhere)?;
        Ok(())
    }

    fn path(&self) -> String {
        format!("/patterns/edit/{}", self.key)
    }
}

/// Addresses and names of what is being edited for a collection, the last changed first.
pub(super) async fn of_collection(desk: &Desk, key: &str) -> Result<Vec<(String, String)>, PageError> {
    let drafts = desk.store(|store| store.documents(KIND, 100)).await?;
    let is_of = |kept: &ishi_lab::store::Document| kept.body["collection"] == key;
    let named = |kept: ishi_lab::store::Document| (format!("/patterns/edit/{}", kept.key), kept.title);
    Ok(drafts.into_iter().filter(is_of).map(named).collect())
}

#[derive(Deserialize)]
struct Begin {
    /// The collection it will be saved into, or `new`.
    collection: String,
    /// The collection it is copied from, if that is another one.
    from: Option<String>,
    name: Option<String>,
}

async fn begin(
    State(desk): State<Arc<Desk>>,
    visitor: Visitor,
    Form(given): Form<Begin>,
) -> Result<Response, PageError> {
    let target = target(&desk, &visitor, &given.collection).await?;
    let (pattern, original) = match (&given.from, &given.name) {
        (Some(from), Some(name)) => {
            let shelf = collection::load(&desk, from).await?;
            let mut pattern = view::find(&shelf, name)?.clone();
            pattern.name = free_name(&target, &pattern.name);
            (pattern, None)
        }
        (None, Some(name)) => (view::find(&target, name)?.clone(), Some(name.clone())),
        _ => (empty(free_name(&target, "new-pattern")), None),
    };
    let path = make(&desk, target, pattern, original).await?;
    Ok(go_to(&visitor, &path))
}

/// The collection that a draft is begun for: one of the person's own, or a new one.
async fn target(desk: &Arc<Desk>, visitor: &Visitor, key: &str) -> Result<collection::Shelf, PageError> {
    let key = if key == "new" {
        let title = visitor.say("My patterns", "自分のパターン").to_string();
        collection::make(desk, title, &ishi_patterns::library::Library::default()).await?
    } else {
        key.to_string()
    };
    let shelf = collection::load(desk, &key).await?;
    sheet::own(desk, &key, shelf.revision).await
}

/// Begins a draft; gives its address.
async fn make(
    desk: &Desk,
    target: collection::Shelf,
    pattern: Pattern,
    original: Option<String>,
) -> Result<String, PageError> {
    let written = text::write_pattern(&pattern);
    let base = original.is_some().then(|| written.clone());
    let kept = Kept { collection: target.key, original, base, history: History::new(written) };
    let mut draft = Draft { key: new_key(), revision: 0, kept, pattern };
    draft.keep(desk).await?;
    Ok(draft.path())
}

/// Begins a draft of a pattern that comes from elsewhere, for a collection or a new one; gives its address.
pub(super) async fn begin_with(
    desk: &Arc<Desk>,
    visitor: &Visitor,
    collection: &str,
    mut pattern: Pattern,
) -> Result<String, PageError> {
    let target = target(desk, visitor, collection).await?;
    pattern.name = free_name(&target, &pattern.name);
    make(desk, target, pattern, None).await
}

fn free_name(shelf: &collection::Shelf, name: &str) -> String {
    let numbered = |n: usize| {
        if n == 1 { name.to_string() } else { format!("{}-{n}", name.chars().take(55).collect::<String>()) }
    };
    let library = shelf.library();
    let mut names = (1..=library.patterns().len() + 1).map(numbered);
    names.find(|name| library.find(name).is_none()).unwrap_or_default()
}

fn empty(name: String) -> Pattern {
    Pattern {
        name,
        source: "hand-made".to_string(),
        seen: 0,
        words: Words::default(),
        diagram: Diagram { edges: Edges::NONE, width: 5, height: 5, black: 0, white: 0, empty: 0 },
        attributes: Vec::new(),
        moves: Vec::new(),
    }
}

/// Where in the tree somebody is: numbers of moves, `0.2.1`; empty at its root.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Place(Vec<usize>);

impl Place {
    fn read(text: &str) -> Place {
        Place(text.split('.').filter_map(|number| number.parse().ok()).collect())
    }

    /// The same, or what of it there still is.
    fn in_tree(&self, pattern: &Pattern) -> Place {
        let mut branches = &pattern.moves;
        let mut steps = Vec::new();
        for &step in &self.0 {
            let Some(branch) = branches.get(step) else { break };
            steps.push(step);
            branches = &branch.replies;
        }
        Place(steps)
    }

    /// The moves that lead here.
    fn line<'a>(&self, pattern: &'a Pattern) -> Vec<&'a Branch> {
        let mut branches = &pattern.moves;
        let mut line = Vec::new();
        for &step in &self.0 {
            let Some(branch) = branches.get(step) else { break };
            line.push(branch);
            branches = &branch.replies;
        }
        line
    }

    /// The moves that follow here.
    fn replies<'a>(&self, pattern: &'a mut Pattern) -> &'a mut Vec<Branch> {
        self.0.iter().fold(&mut pattern.moves, |branches, &step| &mut branches[step].replies)
    }

    fn child(&self, number: usize) -> Place {
        Place(self.0.iter().copied().chain([number]).collect())
    }
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let steps: Vec<String> = self.0.iter().map(ToString::to_string).collect();
        f.write_str(&steps.join("."))
    }
}

/// What a click on the board does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tool {
    /// The next sign.
    Cycle,
    Put(Sign),
    Play(Color),
}

impl Tool {
    fn all() -> Vec<Tool> {
        let signs = Sign::ALL.map(Tool::Put);
        [Tool::Cycle].into_iter().chain(signs).chain(Color::ALL.map(Tool::Play)).collect()
    }

    /// Its value in forms, which is also its key on the board.
    fn value(self) -> char {
        match self {
            Tool::Cycle => 'c',
            Tool::Put(sign) => sign.letter(),
            Tool::Play(color) => color.letter(),
        }
    }

    fn read(text: &str) -> Tool {
        let is_it = |tool: &Tool| text.chars().eq([tool.value()]);
        Tool::all().into_iter().find(is_it).unwrap_or(Tool::Cycle)
    }

    fn name(self, visitor: &Visitor) -> String {
        match self {
            Tool::Cycle => visitor.say("in turn", "順に切り替え").to_string(),
            Tool::Put(sign) => sign_name(visitor, sign).to_string(),
            Tool::Play(Color::Black) => visitor.say("a move of Black", "黒の着手").to_string(),
            Tool::Play(Color::White) => visitor.say("a move of White", "白の着手").to_string(),
        }
    }
}

/// The fields of a form.
struct Fields(HashMap<String, String>);

impl Fields {
    fn text(&self, name: &str) -> &str {
        self.0.get(name).map_or("", |value| value.trim())
    }

    fn number<T: std::str::FromStr>(&self, name: &str, right: &str) -> Result<T, PageError> {
        let text = self.text(name);
        text.parse().map_err(|_| {
            PageError::refused(
                format!("{name} {text:?}: {right} is right"),
                format!("{name} {text:?}：{right} の形で入力してください"),
            )
        })
    }

    fn square(&self) -> Result<Square, PageError> {
        let text = self.text("at");
        Square::parse(text).ok_or_else(|| {
            PageError::refused(
                format!("{text:?} is no point from A1 to H8"),
                format!("{text:?} は A1～H8 の点ではありません"),
            )
        })
    }
}

async fn editor(
    State(desk): State<Arc<Desk>>,
    visitor: Visitor,
    Path(key): Path<String>,
    Query(query): Query<HashMap<String, String>>,
) -> Result<Response, PageError> {
    let draft = Draft::load(&desk, &key).await?;
    let fields = Fields(query);
    let place = Place::read(fields.text("path")).in_tree(&draft.pattern);
    let table = table(&visitor, &draft, &place, Tool::read(fields.text("tool")));
    if visitor.partial {
        return Ok(part(table));
    }
    let title = visitor.say("Edit a pattern", "パターンの編集");
    let body = html! { h1 { (title) } #editor { (table) } };
    Ok(Page::new(Room::Patterns, title).show(&visitor, body))
}

async fn act(
    State(desk): State<Arc<Desk>>,
    visitor: Visitor,
    Path(key): Path<String>,
    Form(fields): Form<HashMap<String, String>>,
) -> Result<Response, PageError> {
    let fields = Fields(fields);
    let mut draft = Draft::load(&desk, &key).await?;
    if draft.revision != fields.number::<u64>("revision", "7")? {
        return Err(PageError::changed_elsewhere());
    }
    let tool = Tool::read(fields.text("tool"));
    let mut place = Place::read(fields.text("path")).in_tree(&draft.pattern);
    let changed = match fields.text("do") {
        "undo" => draft.kept.history.undo(),
        "redo" => draft.kept.history.redo(),
        what => {
            change(&mut draft.pattern, what, &fields, tool, &mut place)?;
            let written = text::write_pattern(&draft.pattern);
            // What cannot be read again is not kept: words with line breaks, for one.
            text::parse_draft(&written).map_err(PageError::input)?;
            draft.kept.history.change(written)
        }
    };
    if changed {
        draft.pattern = text::parse_draft(draft.kept.history.text()).map_err(PageError::outside)?;
        draft.keep(&desk).await?;
    }
    let place = place.in_tree(&draft.pattern);
    Ok(part(table(&visitor, &draft, &place, tool)))
}

fn change(
    pattern: &mut Pattern,
    what: &str,
    fields: &Fields,
    tool: Tool,
    place: &mut Place,
) -> Result<(), PageError> {
    match what {
        // A click on the board has no name for what it does.
        "" => click(pattern, fields.square()?, tool, place),
        "frame" => frame(pattern, fields),
        "shift" => shift(pattern, fields.text("by")),
        "turn" => {
            let number: usize = fields.number("by", "1")?;
            let turn = *Turn::ALL.get(number).unwrap_or(&Turn::NONE);
            turned(pattern, turn);
            Ok(())
        }
        "exchange" => {
            pattern.diagram = pattern.diagram.exchanged();
            exchange(&mut pattern.moves);
            Ok(())
        }
        "facts" => facts(pattern, fields),
        "move" => edit_move(pattern, fields, place),
        "remove-move" => {
            let Some(last) = place.0.pop() else { return Ok(()) };
            place.replies(pattern).remove(last);
            Ok(())
        }
        "attribute" => {
            let attribute = Attribute { at: fields.square()?, claim: claim(fields)? };
            if !pattern.attributes.contains(&attribute) {
                pattern.attributes.push(attribute);
            }
            Ok(())
        }
        "remove-attribute" => {
            let number: usize = fields.number("by", "0")?;
            if number < pattern.attributes.len() {
                pattern.attributes.remove(number);
            }
            Ok(())
        }
        other => Err(PageError::refused(
            format!("{other:?} is nothing that the editor does"),
            format!("{other:?} という操作はありません"),
        )),
    }
}

fn click(pattern: &mut Pattern, at: Square, tool: Tool, place: &mut Place) -> Result<(), PageError> {
    if pattern.diagram.frame() & at.bit() == 0 {
        return Err(PageError::refused(
            format!("{at} lies outside the frame: make the frame larger first"),
            format!("{at} は枠の外です。先に枠を広げてください"),
        ));
    }
    match tool {
        Tool::Cycle => {
            let sign = pattern.diagram.sign(at).next();
            pattern.diagram.set_sign(at, sign);
        }
        Tool::Put(sign) => pattern.diagram.set_sign(at, sign),
        Tool::Play(color) => {
            if pattern.move_count() >= MOST_MOVES {
                return Err(PageError::refused(
                    format!("a pattern has {MOST_MOVES} moves at most here"),
                    format!("手は{MOST_MOVES}個までです"),
                ));
            }
            let replies = place.replies(pattern);
            let known = replies.iter().position(|branch| (branch.color, branch.at) == (color, at));
            let number = known.unwrap_or(replies.len());
            if known.is_none() {
                replies.push(Branch::new(color, at));
            }
            *place = place.child(number);
        }
    }
    Ok(())
}

fn frame(pattern: &mut Pattern, fields: &Fields) -> Result<(), PageError> {
    let side = |name: &str| -> Result<usize, PageError> {
        let number = fields.number(name, "1-8")?;
        if (1..=SIDE).contains(&number) {
            return Ok(number);
        }
        Err(PageError::refused(
            format!("{name} {number}: 1 to 8 are right"),
            format!("{name} {number}：1～8 が正しい値です"),
        ))
    };
    let (width, height) = (side("width")?, side("height")?);
    pattern.diagram.width = width;
    pattern.diagram.height = height;
    pattern.diagram.edges = match fields.text("edges") {
        "corner" => Edges::CORNER,
        "bottom" => Edges::BOTTOM,
        _ => Edges::NONE,
    };
    let inside = pattern.diagram.frame();
    let Diagram { black, white, empty, .. } = &mut pattern.diagram;
    for board in [black, white, empty] {
        *board &= inside;
    }
    pattern.attributes.retain(|attribute| inside & attribute.at.bit() != 0);
    Ok(())
}

/// Everything moves by a line, if there is room for it.
fn shift(pattern: &mut Pattern, by: &str) -> Result<(), PageError> {
    let (columns, rows) = match by {
        "left" => (-1, 0),
        "right" => (1, 0),
        "down" => (0, -1),
        _ => (0, 1),
    };
    let Diagram { width, height, .. } = pattern.diagram;
    let moved = |at: Square| {
        let (column, row) = (at.column() as i32 + columns, at.row() as i32 + rows);
        let inside = (0..width as i32).contains(&column) && (0..height as i32).contains(&row);
        inside.then(|| Square::new(column as usize, row as usize))
    };
    let used = pattern.diagram.asked() | squares(&pattern.moves);
    let frame = (0..SIDE * SIDE).map(Square::from_index).filter(|at| used & at.bit() != 0);
    if frame.clone().any(|at| moved(at).is_none()) {
        return Err(PageError::refused(
            "there is no room: points in use would leave the frame",
            "枠に余裕がありません。使われている点が枠から出てしまいます",
        ));
    }
    rename(pattern, |at| moved(at).unwrap_or(at));
    Ok(())
}

fn squares(branches: &[Branch]) -> u64 {
    branches.iter().fold(0, |bits, branch| bits | branch.at.bit() | squares(&branch.replies))
}

/// Every point becomes another one.
fn rename(pattern: &mut Pattern, to: impl Fn(Square) -> Square + Copy) {
    let old = pattern.diagram;
    for at in (0..SIDE * SIDE).map(Square::from_index).filter(|at| old.frame() & at.bit() != 0) {
        pattern.diagram.set_sign(at, Sign::Any);
    }
    for at in (0..SIDE * SIDE).map(Square::from_index).filter(|at| old.asked() & at.bit() != 0) {
        pattern.diagram.set_sign(to(at), old.sign(at));
    }
    pattern.attributes.iter_mut().for_each(|attribute| attribute.at = to(attribute.at));
    rename_moves(&mut pattern.moves, to);
}

fn rename_moves(branches: &mut [Branch], to: impl Fn(Square) -> Square + Copy) {
    for branch in branches {
        branch.at = to(branch.at);
        rename_moves(&mut branch.replies, to);
    }
}

fn turned(pattern: &mut Pattern, turn: Turn) {
    let Diagram { width, height, .. } = pattern.diagram;
    pattern.diagram = pattern.diagram.turned(turn);
    let to = |at: Square| turn.square(at, width, height);
    pattern.attributes.iter_mut().for_each(|attribute| attribute.at = to(attribute.at));
    rename_moves(&mut pattern.moves, to);
}

fn exchange(branches: &mut [Branch]) {
    for branch in branches {
        branch.color = !branch.color;
        exchange(&mut branch.replies);
    }
}

fn facts(pattern: &mut Pattern, fields: &Fields) -> Result<(), PageError> {
    pattern.seen = fields.number("seen", "120")?;
    pattern.name = fields.text("name").to_string();
    pattern.source = fields.text("source").to_string();
    pattern.words = words(fields)?;
    // A name or a source that is wrong may be kept in a draft, but only if it is a line.
    if [&pattern.name, &pattern.source].iter().any(|line| line.chars().any(char::is_control)) {
        return Err(PageError::refused("name and source are one line each", "名前と出典は一行ずつです"));
    }
    Ok(())
}

pub(in super::super) fn words_from(en: &str, ja: &str) -> Result<Words, PageError> {
    let words = Words { en: en.trim().to_string(), ja: ja.trim().to_string() };
    words.check().map_err(PageError::input)?;
    Ok(words)
}

fn words(fields: &Fields) -> Result<Words, PageError> {
    words_from(fields.text("en"), fields.text("ja"))
}

fn edit_move(pattern: &mut Pattern, fields: &Fields, place: &Place) -> Result<(), PageError> {
    let Some((&last, parents)) = place.0.split_last() else { return Ok(()) };
    let (played, won) = (fields.number("played", "120")?, fields.number("won", "61")?);
    let words = words(fields)?;
    let branch = &mut Place(parents.to_vec()).replies(pattern)[last];
    branch.kind = fields.text("kind").parse().unwrap_or_default();
    (branch.played, branch.won, branch.words) = (played, won, words);
    Ok(())
}

fn claim(fields: &Fields) -> Result<Claim, PageError> {
    Ok(match fields.text("claim") {
        "alive" => Claim::Alive,
        "dead" => Claim::Dead,
        "least" => Claim::AtLeast(fields.number("count", "1-99")?),
        "most" => Claim::AtMost(fields.number("count", "1-99")?),
        _ => Claim::Liberties(fields.number("count", "1-99")?),
    })
}

// --- what is seen ---

fn table(visitor: &Visitor, draft: &Draft, place: &Place, tool: Tool) -> Markup {
    let path = draft.path();
    html! {
        input type="hidden" name="revision" value=(draft.revision);
        input type="hidden" name="path" value=(place);
        div.columns {
            div { (board(visitor, draft, place, &path)) (tools(visitor, tool)) (verdict(visitor, draft)) (ends(visitor, draft, &path)) }
            div { (tree_panel(visitor, draft, place, &path)) (facts_panel(visitor, draft, &path)) (frame_panel(visitor, draft, &path))
                (attributes_panel(visitor, draft, &path)) }
        }
        (view::variants(visitor, &draft.pattern))
        details { summary { (visitor.say("As text", "テキスト")) } pre tabindex="0" { (text::write_pattern(&draft.pattern)) } }
    }
}

fn board(visitor: &Visitor, draft: &Draft, place: &Place, path: &str) -> Markup {
    let line = place.line(&draft.pattern);
    let moves: Vec<(Color, Point)> =
        line.iter().map(|mv| (mv.color, Point::new(mv.at.column(), mv.at.row()))).collect();
    let picture = view::with_claims(draft.pattern.diagram.picture(SIDE, SIDE), &draft.pattern.attributes);
    let picture = picture.sequence(&moves);
    let margin = picture.margin();
    html! {
        div.board #pattern-board tabindex="0" role="application" data-columns=(SIDE) data-rows=(SIDE) data-margin=(margin) data-field="24"
            data-action=(path) data-target="#editor" data-with="revision path tool" data-says="board-says" data-tools="tool"
            aria-label=(visitor.say("The pattern: arrow keys move, Enter changes the point, X O . x o % _ ? put a sign, B and W a move",
                                    "パターン：矢印キーで移動、Enterで変更、X O . x o % _ ? で記号、BとWで着手")) {
            (PreEscaped(picture.svg()))
        }
        p.unseen #board-says aria-live="polite" {}
        div.unseen { (description(visitor, &draft.pattern.diagram)) }
    }
}

fn tools(visitor: &Visitor, chosen: Tool) -> Markup {
    html! {
        fieldset.tools {
            legend { (visitor.say("A click puts", "クリックで置くもの")) }
            @for tool in Tool::all() {
                label { input type="radio" name="tool" value=(tool.value()) checked[tool == chosen];
                    " " @if tool != Tool::Cycle { code { (tool.value()) } " " } (tool.name(visitor)) }
            }
        }
    }
}

fn verdict(visitor: &Visitor, draft: &Draft) -> Markup {
    html! {
        @match draft.pattern.check() {
            Ok(()) => p.good #verdict { "✓ " (visitor.say("This is a pattern: it can be saved.", "パターンとして正しく、保存できます。")) },
            Err(error) => p.bad #verdict { "✗ " (visitor.say("Not yet a pattern: ", "まだパターンではありません：")) (error) },
        }
    }
}

/// A button that does something to the draft.
fn button(path: &str, values: &serde_json::Value, words: &str, disabled: bool, key: Option<&str>) -> Markup {
    html! {
        button type="button" hx-post=(path) hx-target="#editor" hx-include="[name=revision],[name=path],[name=tool]:checked"
            hx-vals=(values) disabled[disabled] data-key=[key] { (words) }
    }
}

fn ends(visitor: &Visitor, draft: &Draft, path: &str) -> Markup {
    let history = &draft.kept.history;
    html! {
        div.row {
            (button(path, &json!({ "do": "undo" }), visitor.say("Undo (u)", "元に戻す (u)"), !history.can_undo(), Some("u")))
            (button(path, &json!({ "do": "redo" }), visitor.say("Redo (r)", "やり直す (r)"), !history.can_redo(), Some("r")))
            button.main type="button" hx-post={ (path) "/save" } hx-include="[name=revision]" hx-target="#message" data-key="s" {
                (visitor.say("Save (s)", "保存 (s)")) }
            button type="button" hx-post={ (path) "/discard" } hx-target="#message" { (visitor.say("Discard the draft", "下書きを破棄")) }
        }
        p.quiet { (visitor.say("Every change is kept in this draft; saving puts it into the collection.",
                               "変更はすべてこの下書きに残ります。保存するとパターン集に入ります。")) }
    }
}

fn tree_panel(visitor: &Visitor, draft: &Draft, place: &Place, path: &str) -> Markup {
    let chosen = place.line(&draft.pattern).last().copied();
    html! {
        section.panel aria-labelledby="tree" {
            h2 #tree { (visitor.say("Moves", "手")) }
            p.quiet { (visitor.say("Choose a move; then a click with B or W adds an answer to it.",
                                   "手を選び、BかWでクリックすると応手を加えます。")) }
            ul.tree {
                li { (jump(path, &Place::default(), place, html! { (visitor.say("Start", "初形")) }))
                    (branches(visitor, &draft.pattern.moves, &Place::default(), place, path)) }
            }
            @if let Some(branch) = chosen {
                form.form hx-post=(path) hx-target="#editor" hx-include="[name=revision],[name=path],[name=tool]:checked" {
                    input type="hidden" name="do" value="move";
                    h3.wide { (branch.color.letter()) " " (branch.at) }
                    label for="move-kind" { (visitor.say("Kind", "種類")) }
                    select #move-kind name="kind" {
                        @for kind in Kind::ALL { option value=(kind.name()) selected[kind == branch.kind] { (kind_name(visitor, kind)) } }
                    }
                    label for="played" { (visitor.say("Played", "着手数")) }
                    input #played name="played" type="number" min="0" value=(branch.played);
                    label for="won" { (visitor.say("Won", "勝ち数")) }
                    input #won name="won" type="number" min="0" value=(branch.won);
                    label for="move-en" { "English" }
                    input #move-en name="en" lang="en" maxlength="400" value=(branch.words.en);
                    label for="move-ja" { "日本語" }
                    input #move-ja name="ja" lang="ja" maxlength="400" value=(branch.words.ja);
                    div.row.wide {
                        button { (visitor.say("Change the move", "手を変更")) }
                        (button(path, &json!({ "do": "remove-move" }),
                            visitor.say("Delete the move and what follows", "この手と続きを削除"), false, None))
                    }
                }
            }
        }
    }
}

fn jump(path: &str, to: &Place, chosen: &Place, words: Markup) -> Markup {
    html! {
        a href={ (path) "?path=" (to) } hx-get={ (path) "?path=" (to) } hx-include="[name=tool]:checked" hx-target="#editor"
            aria-current=[(to == chosen).then_some("true")] { (words) }
    }
}

fn branches(visitor: &Visitor, branches: &[Branch], at: &Place, chosen: &Place, path: &str) -> Markup {
    html! {
        @if !branches.is_empty() {
            ul.tree {
                @for (number, branch) in branches.iter().enumerate() {
                    @let here = at.child(number);
                    li { (jump(path, &here, chosen, branch_words(visitor, branch)))
                        (self::branches(visitor, &branch.replies, &here, chosen, path)) }
                }
            }
        }
    }
}

fn facts_panel(visitor: &Visitor, draft: &Draft, path: &str) -> Markup {
    let pattern = &draft.pattern;
    html! {
        section.panel aria-labelledby="facts" {
            h2 #facts { (visitor.say("Name and words", "名前と言葉")) }
            form.form hx-post=(path) hx-target="#editor" hx-include="[name=revision],[name=path],[name=tool]:checked" {
                input type="hidden" name="do" value="facts";
                label for="name" { (visitor.say("Name", "名前")) }
                input #name name="name" value=(pattern.name) maxlength="60" pattern="[a-z0-9\\-]+" required
                    title=(visitor.say("a-z, 0-9 and -", "a-z、0-9、-"));
                label for="source" { (visitor.say("Source", "出典")) }
                input #source name="source" value=(pattern.source) maxlength="200";
                label for="seen" { (visitor.say("Seen", "出現数")) }
                input #seen name="seen" type="number" min="0" value=(pattern.seen);
                label for="en" { "English" }
                input #en name="en" lang="en" maxlength="400" value=(pattern.words.en);
                label for="ja" { "日本語" }
                input #ja name="ja" lang="ja" maxlength="400" value=(pattern.words.ja);
                div.wide { button { (visitor.say("Change", "変更")) } }
            }
        }
    }
}

fn frame_panel(visitor: &Visitor, draft: &Draft, path: &str) -> Markup {
    let Diagram { width, height, edges, .. } = draft.pattern.diagram;
    let choices = [
        ("none", Edges::NONE, visitor.say("none: it floats", "なし（盤上どこでも）")),
        ("bottom", Edges::BOTTOM, visitor.say("the lower edge", "下辺")),
        ("corner", Edges::CORNER, visitor.say("the lower left corner", "左下隅")),
    ];
    html! {
        section.panel aria-labelledby="frame" {
            h2 #frame { (visitor.say("Frame", "枠")) }
            form.row hx-post=(path) hx-target="#editor" hx-include="[name=revision],[name=path],[name=tool]:checked" {
                input type="hidden" name="do" value="frame";
                label for="width" { (visitor.say("Columns", "列")) }
                input #width name="width" type="number" min="1" max="8" value=(width);
                label for="height" { (visitor.say("Rows", "行")) }
                input #height name="height" type="number" min="1" max="8" value=(height);
                label for="edges" { (visitor.say("Edge", "辺")) }
                select #edges name="edges" { @for (value, each, words) in choices { option value=(value) selected[each == edges] { (words) } } }
                button { (visitor.say("Change", "変更")) }
            }
            div.row role="group" aria-label=(visitor.say("Shift", "ずらす")) {
                @for (by, words) in [("left", visitor.say("← left", "← 左へ")), ("right", visitor.say("→ right", "→ 右へ")),
                                     ("up", visitor.say("↑ up", "↑ 上へ")), ("down", visitor.say("↓ down", "↓ 下へ"))] {
                    (button(path, &json!({ "do": "shift", "by": by }), words, false, None))
                }
            }
            div.row role="group" aria-label=(visitor.say("Symmetries", "対称")) {
                @for (number, &turn) in Turn::ALL.iter().enumerate().skip(1) {
                    (button(path, &json!({ "do": "turn", "by": number.to_string() }), view::turn_name(visitor, turn), false, None))
                }
                (button(path, &json!({ "do": "exchange" }), visitor.say("exchange the colours", "色を交換"), false, None))
            }
        }
    }
}

fn attributes_panel(visitor: &Visitor, draft: &Draft, path: &str) -> Markup {
    html! {
        section.panel aria-labelledby="attributes" {
            h2 #attributes { (visitor.say("Chains", "連の条件")) }
            @for (number, Attribute { at, claim }) in draft.pattern.attributes.iter().enumerate() {
                p { (at) ": " (claim_words(visitor, *claim)) " "
                    (button(path, &json!({ "do": "remove-attribute", "by": number.to_string() }), visitor.say("Remove", "外す"), false, None)) }
            }
            form.row hx-post=(path) hx-target="#editor" hx-include="[name=revision],[name=path],[name=tool]:checked" {
                input type="hidden" name="do" value="attribute";
                label for="at" { (visitor.say("The chain at", "連の点")) }
                input #at name="at" size="3" maxlength="2" required pattern="[A-Ha-h][1-8]" placeholder="C4";
                label for="claim" { (visitor.say("is", "条件")) }
                select #claim name="claim" {
                    option value="exactly" { (visitor.say("with exactly so many liberties", "ダメの数がちょうど")) }
                    option value="least" { (visitor.say("with at least so many liberties", "ダメの数が少なくとも")) }
                    option value="most" { (visitor.say("with at most so many liberties", "ダメの数が多くとも")) }
                    option value="alive" { (visitor.say("alive", "活き")) }
                    option value="dead" { (visitor.say("dead", "死に")) }
                }
                label for="count" { (visitor.say("liberties", "ダメ")) }
                input #count name="count" type="number" min="1" max="99" value="2";
                button { (visitor.say("Add", "加える")) }
            }
        }
    }
}

// --- its end ---

#[derive(Deserialize)]
struct Seen {
    revision: u64,
}

async fn save(
    State(desk): State<Arc<Desk>>,
    visitor: Visitor,
    Path(key): Path<String>,
    Form(seen): Form<Seen>,
) -> Result<Response, PageError> {
    let draft = Draft::load(&desk, &key).await?;
    if draft.revision != seen.revision {
        return Err(PageError::changed_elsewhere());
    }
    let Draft { kept, pattern, revision, .. } = draft;
    let shelf = collection::load(&desk, &kept.collection).await?;
    let mut library = shelf.library().clone();
    let name = pattern.name.clone();
    match &kept.original {
        None => library.add(pattern).map_err(PageError::input)?,
        Some(original) => {
            let now = library.find(original).map(text::write_pattern);
            if now != kept.base {
                return Err(PageError::changed_elsewhere());
            }
            library.replace(original, pattern).map_err(PageError::input)?;
        }
    }
    collection::change(&desk, &shelf, &library).await?;
    // What another tab has done to the draft meanwhile is kept, as a draft.
    desk.store(move |store| store.forget_document_at(KIND, &key, revision)).await?;
    Ok(go_to(&visitor, &pattern_path(&kept.collection, &name)))
}

async fn discard(
    State(desk): State<Arc<Desk>>,
    visitor: Visitor,
    Path(key): Path<String>,
) -> Result<Response, PageError> {
    let draft = Draft::load(&desk, &key).await?;
    desk.store(move |store| store.forget_document(KIND, &key)).await?;
    Ok(go_to(&visitor, &format!("/patterns?c={}", draft.kept.collection)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pattern() -> Pattern {
        text::parse_draft(
            "pattern p\nsource s\n: X O .\n: . ? x\nat A2 liberties 2+\nB A1 3 2 normal\n W C2 0 0 urgent\n",
        )
        .unwrap()
    }

    fn fields(pairs: &[(&str, &str)]) -> Fields {
        Fields(pairs.iter().map(|(name, value)| ((*name).to_string(), (*value).to_string())).collect())
    }

    #[test]
    fn turning_four_times_and_exchanging_twice_change_nothing() {
        let mut turning = pattern();
        for _ in 0..4 {
            turned(&mut turning, Turn::ALL[5]);
            turning.check().unwrap();
        }
        assert_eq!(turning, pattern());
        for _ in 0..2 {
            change(&mut turning, "exchange", &fields(&[]), Tool::Cycle, &mut Place::default()).unwrap();
        }
        assert_eq!(turning, pattern());
    }

    #[test]
    fn shifting_needs_room_and_takes_all_along() {
        let mut moving = pattern();
        assert!(shift(&mut moving, "right").is_err());
        frame(&mut moving, &fields(&[("width", "4"), ("height", "3")])).unwrap();
        shift(&mut moving, "right").unwrap();
        shift(&mut moving, "up").unwrap();
        assert_eq!(moving.attributes[0].at.to_string(), "B3");
        assert_eq!(moving.moves[0].at.to_string(), "B2");
        shift(&mut moving, "left").unwrap();
        shift(&mut moving, "down").unwrap();
        frame(&mut moving, &fields(&[("width", "3"), ("height", "2")])).unwrap();
        assert_eq!(moving, pattern());
    }

    #[test]
    fn clicks_put_signs_and_add_moves() {
        let mut clicked = pattern();
        let mut place = Place::read("0.0");
        let at = |text: &str| Square::parse(text).unwrap();
        click(&mut clicked, at("B1"), Tool::Cycle, &mut place).unwrap();
        assert_eq!(clicked.diagram.sign(at("B1")), Sign::Black);
        click(&mut clicked, at("B1"), Tool::Play(Color::Black), &mut place).unwrap();
        assert_eq!((place.to_string().as_str(), clicked.move_count()), ("0.0.0", 3));
        assert!(click(&mut clicked, at("D1"), Tool::Cycle, &mut place).is_err(), "outside the frame");
        change(&mut clicked, "remove-move", &fields(&[]), Tool::Cycle, &mut place).unwrap();
        assert_eq!((place.to_string().as_str(), clicked.move_count()), ("0.0", 2));
        assert_eq!(Place::read("0.7.1").in_tree(&clicked), Place::read("0"));
    }

    #[test]
    fn every_tool_has_its_own_value() {
        for tool in Tool::all() {
            assert_eq!(Tool::read(&tool.value().to_string()), tool);
        }
        assert_eq!(Tool::read("nonsense"), Tool::Cycle);
    }
}
