//! The editor of one pattern. What is being edited is a document of its own, kept with every change, so that it may be unfinished;
//! saving puts it into its collection, which checks it.

use std::collections::HashMap;
use std::sync::Arc;

use axum::Router;
use axum::extract::{Form, Path, Query};
use axum::routing::{get, post};
use ishi_go::{Color, Point};
use ishi_lab::store::{DamagedDocument, DocumentList, StoredDocument};
use ishi_patterns::joseki::book::MoveKind;
use ishi_patterns::library::{
    BilingualWords, ChainAttribute, ChainClaim, DiagramEdges, DiagramSquare, DiagramTurn, Pattern,
    PatternBranch, PatternDiagram, PatternLibrary, PointSign, SIDE, text,
};
use maud::{Markup, html};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::collection::PatternCollection;
use super::names;
use super::view::{
    self, claim_words, colored_move, kind_name, pattern_path, render_branch, render_description, sign_name,
};
use crate::workbench::answer::redirect_to;
use crate::workbench::error::PageError;
use crate::workbench::page::{Page, Room, partial_response};
use crate::workbench::random_text::new_key;
use crate::workbench::rooms::deep_pictures::DeepPictures;
use crate::workbench::rooms::history::History;
use crate::workbench::rooms::own_collections::keep_new_collection;
use crate::workbench::texts::{PageText, args};
use crate::workbench::visitor::Visitor;
use crate::workbench::{DeskState, PageAnswer, WorkbenchState};

const KIND: &str = "pattern-draft";
/// Moves of a tree that is edited by hand.
const MOST_MOVES: usize = 500;

pub(super) fn routes() -> Router<Arc<WorkbenchState>> {
    Router::new()
        .route("/patterns/drafts", post(begin_draft))
        .route("/patterns/edit/{draft}", get(show_editor).post(perform_action))
        .route("/patterns/edit/{draft}/save", post(save_draft))
        .route("/patterns/edit/{draft}/discard", post(discard_draft))
}

/// What is kept.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct StoredDraft {
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
    kept: StoredDraft,
    pattern: Pattern,
}

impl Draft {
    async fn load(desk: &WorkbenchState, key: &str) -> Result<Draft, PageError> {
        let document = desk
            .find_document(KIND, key)
            .await?
            .ok_or_else(|| PageError::not_found("patterns-there-is-no-such-draft-it"))?;
        let kept: StoredDraft =
            serde_json::from_value(document.body).map_err(PageError::from_system_error)?;
        let pattern = text::parse_draft_pattern(kept.history.text()).map_err(PageError::from_system_error)?;
        Ok(Draft { key: key.to_string(), revision: document.revision, kept, pattern })
    }

    async fn save(&mut self, desk: &WorkbenchState) -> Result<(), PageError> {
        let (title, body) = (self.pattern.name.clone(), json!(self.kept));
        self.revision = desk.keep_body(KIND, &self.key, title, body, self.revision).await?;
        Ok(())
    }

    fn edit_path(&self) -> String {
        format!("/patterns/edit/{}", self.key)
    }
}

/// Addresses and names of what is being edited for a collection, the last changed first, and what is damaged of all that is edited.
pub(super) async fn list_drafts(
    desk: &WorkbenchState,
    key: &str,
) -> Result<(Vec<(String, String)>, Vec<DamagedDocument>), PageError> {
    let DocumentList { documents, damaged } =
        desk.ask_store(|store| store.latest_documents(KIND, 100)).await?;
    let is_of = |kept: &StoredDocument| kept.body["collection"] == key;
    let named = |kept: StoredDocument| (format!("/patterns/edit/{}", kept.key), kept.title);
    Ok((documents.into_iter().filter(is_of).map(named).collect(), damaged))
}

#[derive(Deserialize)]
struct BeginDraftForm {
    /// The collection it will be saved into, or `new`.
    collection: String,
    /// The collection it is copied from, if that is another one.
    from: Option<String>,
    name: Option<String>,
}

async fn begin_draft(desk: DeskState, visitor: Visitor, Form(given): Form<BeginDraftForm>) -> PageAnswer {
    let target = load_target_collection(&desk, &visitor, &given.collection).await?;
    let (pattern, original) = match (&given.from, &given.name) {
        (Some(from), Some(name)) => {
            let shelf = PatternCollection::load(&desk, from).await?;
            let mut pattern = view::find_pattern(&shelf, name)?.clone();
            pattern.name = find_free_name(&target, &pattern.name);
            (pattern, None)
        }
        (None, Some(name)) => (view::find_pattern(&target, name)?.clone(), Some(name.clone())),
        _ => (empty_pattern(find_free_name(&target, "new-pattern")), None),
    };
    let path = create_draft(&desk, target, pattern, original).await?;
    Ok(redirect_to(&visitor, &path))
}

/// The collection that a draft is begun for: one of the person's own, or a new one.
async fn load_target_collection(
    desk: &Arc<WorkbenchState>,
    visitor: &Visitor,
    key: &str,
) -> Result<PatternCollection, PageError> {
    let key = if key == "new" {
        let title = visitor.text("patterns-my-patterns").to_string();
        keep_new_collection(desk, title, &PatternLibrary::default()).await?
    } else {
        key.to_string()
    };
    let shelf = PatternCollection::load(desk, &key).await?;
    PatternCollection::load_own(desk, &key, shelf.revision).await
}

/// Begins a draft; gives its address.
async fn create_draft(
    desk: &WorkbenchState,
    target: PatternCollection,
    pattern: Pattern,
    original: Option<String>,
) -> Result<String, PageError> {
    let written = text::write_pattern(&pattern);
    let base = original.is_some().then(|| written.clone());
    let kept = StoredDraft { collection: target.key, original, base, history: History::new(written) };
    let mut draft = Draft { key: new_key(), revision: 0, kept, pattern };
    draft.save(desk).await?;
    Ok(draft.edit_path())
}

/// Begins a draft of a pattern that comes from elsewhere, for a collection or a new one; gives its address.
pub(super) async fn begin_draft_with(
    desk: &Arc<WorkbenchState>,
    visitor: &Visitor,
    collection: &str,
    mut pattern: Pattern,
) -> Result<String, PageError> {
    let target = load_target_collection(desk, visitor, collection).await?;
    pattern.name = find_free_name(&target, &pattern.name);
    create_draft(desk, target, pattern, None).await
}

fn find_free_name(shelf: &PatternCollection, name: &str) -> String {
    let numbered = |n: usize| {
        if n == 1 { name.to_string() } else { format!("{}-{n}", name.chars().take(55).collect::<String>()) }
    };
    let library = shelf.content();
    let mut names = (1..=library.patterns().len() + 1).map(numbered);
    names.find(|name| library.find_pattern(name).is_none()).unwrap_or_default()
}

fn empty_pattern(name: String) -> Pattern {
    Pattern {
        name,
        source: names::HAND_MADE.to_string(),
        seen: 0,
        words: BilingualWords::default(),
        diagram: PatternDiagram {
            edges: DiagramEdges::NONE,
            width: 5,
            height: 5,
            black: 0,
            white: 0,
            empty: 0,
        },
        attributes: Vec::new(),
        moves: Vec::new(),
    }
}

/// Where in the tree somebody is: numbers of moves, `0.2.1`; empty at its root.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct TreePath(Vec<usize>);

impl TreePath {
    fn parse(text: &str) -> TreePath {
        TreePath(text.split('.').filter_map(|number| number.parse().ok()).collect())
    }

    /// The same, or what of it there still is.
    fn clip_to_tree(&self, pattern: &Pattern) -> TreePath {
        TreePath(self.0[..self.branches_along(pattern).len()].to_vec())
    }

    /// The moves that lead here.
    fn branches_along<'a>(&self, pattern: &'a Pattern) -> Vec<&'a PatternBranch> {
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
    fn replies<'a>(&self, pattern: &'a mut Pattern) -> &'a mut Vec<PatternBranch> {
        self.0.iter().fold(&mut pattern.moves, |branches, &step| &mut branches[step].replies)
    }

    fn child(&self, number: usize) -> TreePath {
        TreePath(self.0.iter().copied().chain([number]).collect())
    }
}

impl std::fmt::Display for TreePath {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let steps: Vec<String> = self.0.iter().map(ToString::to_string).collect();
        f.write_str(&steps.join("."))
    }
}

/// What a click on the board does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum EditTool {
    /// The next sign.
    Cycle,
    Put(PointSign),
    Play(Color),
}

impl EditTool {
    fn all() -> Vec<EditTool> {
        let signs = PointSign::ALL.map(EditTool::Put);
        [EditTool::Cycle].into_iter().chain(signs).chain(Color::ALL.map(EditTool::Play)).collect()
    }

    /// Its value in forms, which is also its key on the board.
    fn form_value(self) -> char {
        match self {
            EditTool::Cycle => 'c',
            EditTool::Put(sign) => sign.letter(),
            EditTool::Play(color) => color.letter(),
        }
    }

    fn parse(text: &str) -> EditTool {
        let is_it = |tool: &EditTool| text.chars().eq([tool.form_value()]);
        EditTool::all().into_iter().find(is_it).unwrap_or(EditTool::Cycle)
    }

    fn display_name(self, visitor: &Visitor) -> String {
        match self {
            EditTool::Cycle => visitor.text("patterns-in-turn").to_string(),
            EditTool::Put(sign) => sign_name(visitor, sign).to_string(),
            EditTool::Play(Color::Black) => visitor.text("patterns-a-move-of-black").to_string(),
            EditTool::Play(Color::White) => visitor.text("patterns-a-move-of-white").to_string(),
        }
    }
}

/// The fields of a form.
struct DraftFields(HashMap<String, String>);

impl DraftFields {
    fn get_text(&self, name: &str) -> &str {
        self.0.get(name).map_or("", |value| value.trim())
    }

    fn parse_number<T: std::str::FromStr>(&self, name: &str, right: &str) -> Result<T, PageError> {
        let text = self.get_text(name);
        text.parse().map_err(|_| {
            PageError::invalid_input_with(
                "patterns-it-must-be",
                args![name, text = format!("{text:?}"), right],
            )
        })
    }

    fn parse_square(&self) -> Result<DiagramSquare, PageError> {
        let text = self.get_text("at");
        DiagramSquare::parse(text).ok_or_else(|| {
            PageError::invalid_input_with(
                "patterns-is-no-point-from-a1-to",
                args![text = format!("{text:?}")],
            )
        })
    }
}

async fn show_editor(
    desk: DeskState,
    visitor: Visitor,
    Path(key): Path<String>,
    Query(query): Query<HashMap<String, String>>,
) -> PageAnswer {
    let draft = Draft::load(&desk, &key).await?;
    let fields = DraftFields(query);
    let place = TreePath::parse(fields.get_text("path")).clip_to_tree(&draft.pattern);
    let table = render_table(&visitor, &draft, &place, EditTool::parse(fields.get_text("tool")));
    if visitor.partial {
        return Ok(partial_response(table));
    }
    let title = visitor.text("patterns-edit-a-pattern");
    let body = html! { h1 { (title) } #editor data-stays { (table) } };
    Ok(Page::new(Room::Patterns, title).render_page(&visitor, body))
}

async fn perform_action(
    desk: DeskState,
    visitor: Visitor,
    Path(key): Path<String>,
    Form(fields): Form<HashMap<String, String>>,
) -> PageAnswer {
    let fields = DraftFields(fields);
    let mut draft = Draft::load(&desk, &key).await?;
    if draft.revision != fields.parse_number::<u64>("revision", "7")? {
        return Err(PageError::changed_elsewhere());
    }
    let tool = EditTool::parse(fields.get_text("tool"));
    let mut place = TreePath::parse(fields.get_text("path")).clip_to_tree(&draft.pattern);
    let changed = match fields.get_text("do") {
        "undo" => draft.kept.history.undo(),
        "redo" => draft.kept.history.redo(),
        what => {
            apply_change(&mut draft.pattern, what, &fields, tool, &mut place)?;
            let written = text::write_pattern(&draft.pattern);
            // What cannot be read again is not kept: words with line breaks, for one.
            text::parse_draft_pattern(&written)?;
            draft.kept.history.set_text(written)
        }
    };
    if changed {
        draft.pattern =
            text::parse_draft_pattern(draft.kept.history.text()).map_err(PageError::from_system_error)?;
        draft.save(&desk).await?;
    }
    let place = place.clip_to_tree(&draft.pattern);
    Ok(partial_response(render_table(&visitor, &draft, &place, tool)))
}

fn apply_change(
    pattern: &mut Pattern,
    what: &str,
    fields: &DraftFields,
    tool: EditTool,
    place: &mut TreePath,
) -> Result<(), PageError> {
    match what {
        // A click on the board has no name for what it does.
        "" => click_square(pattern, fields.parse_square()?, tool, place),
        "frame" => set_frame(pattern, fields),
        "shift" => shift_pattern(pattern, fields.get_text("by")),
        "turn" => {
            let number: usize = fields.parse_number("by", "1")?;
            let turn = *DiagramTurn::ALL.get(number).unwrap_or(&DiagramTurn::NONE);
            pattern.turn_by(turn);
            Ok(())
        }
        "exchange" => {
            pattern.exchange_colors();
            Ok(())
        }
        "facts" => set_facts(pattern, fields),
        "move" => edit_move(pattern, fields, place),
        "remove-move" => {
            let Some(last) = place.0.pop() else { return Ok(()) };
            place.replies(pattern).remove(last);
            Ok(())
        }
        "attribute" => {
            let attribute = ChainAttribute { at: fields.parse_square()?, claim: parse_claim(fields)? };
            if !pattern.attributes.contains(&attribute) {
                pattern.attributes.push(attribute);
            }
            Ok(())
        }
        "remove-attribute" => {
            let number: usize = fields.parse_number("by", "0")?;
            if number < pattern.attributes.len() {
                pattern.attributes.remove(number);
            }
            Ok(())
        }
        other => Err(PageError::invalid_input_with(
            "patterns-is-nothing-that-the-editor-does",
            args![other = format!("{other:?}")],
        )),
    }
}

fn click_square(
    pattern: &mut Pattern,
    at: DiagramSquare,
    tool: EditTool,
    place: &mut TreePath,
) -> Result<(), PageError> {
    if pattern.diagram.frame_points() & at.bit() == 0 {
        return Err(PageError::invalid_input_with("patterns-lies-outside-the-frame-make-the", args![at]));
    }
    match tool {
        EditTool::Cycle => {
            let sign = pattern.diagram.sign_at(at).next_sign();
            pattern.diagram.set_sign(at, sign);
        }
        EditTool::Put(sign) => pattern.diagram.set_sign(at, sign),
        EditTool::Play(color) => {
            if pattern.move_count() >= MOST_MOVES {
                return Err(PageError::invalid_input_with(
                    "patterns-a-pattern-must-have-moves-at",
                    args![most_moves = MOST_MOVES],
                ));
            }
            let replies = place.replies(pattern);
            let known = replies.iter().position(|branch| (branch.color, branch.at) == (color, at));
            let number = known.unwrap_or(replies.len());
            if known.is_none() {
                replies.push(PatternBranch::new(color, at));
            }
            *place = place.child(number);
        }
    }
    Ok(())
}

fn set_frame(pattern: &mut Pattern, fields: &DraftFields) -> Result<(), PageError> {
    let side = |name: &str| -> Result<usize, PageError> {
        let number = fields.parse_number(name, "1-8")?;
        if (1..=SIDE).contains(&number) {
            return Ok(number);
        }
        Err(PageError::invalid_input_with("patterns-it-must-be-1-to-8", args![name, number]))
    };
    let (width, height) = (side("width")?, side("height")?);
    pattern.diagram.width = width;
    pattern.diagram.height = height;
    pattern.diagram.edges = match fields.get_text("edges") {
        "corner" => DiagramEdges::CORNER,
        "bottom" => DiagramEdges::BOTTOM,
        _ => DiagramEdges::NONE,
    };
    let inside = pattern.diagram.frame_points();
    let PatternDiagram { black, white, empty, .. } = &mut pattern.diagram;
    for board in [black, white, empty] {
        *board &= inside;
    }
    pattern.attributes.retain(|attribute| inside & attribute.at.bit() != 0);
    Ok(())
}

/// Everything moves by a line, if there is room for it.
fn shift_pattern(pattern: &mut Pattern, by: &str) -> Result<(), PageError> {
    let (columns, rows) = match by {
        "left" => (-1, 0),
        "right" => (1, 0),
        "down" => (0, -1),
        _ => (0, 1),
    };
    if pattern.shift_by(columns, rows) {
        Ok(())
    } else {
        Err(PageError::invalid_input("patterns-there-is-no-room-points-in"))
    }
}

fn set_facts(pattern: &mut Pattern, fields: &DraftFields) -> Result<(), PageError> {
    pattern.seen = fields.parse_number("seen", "120")?;
    pattern.name = fields.get_text("name").to_string();
    pattern.source = names::read_source(fields.get_text("source"), &pattern.source);
    pattern.words = parse_words(fields)?;
    // A name or a source that is wrong may be kept in a draft, but only if it is a line.
    if [&pattern.name, &pattern.source].iter().any(|line| line.chars().any(char::is_control)) {
        return Err(PageError::invalid_input("patterns-name-and-source-are-one-line"));
    }
    Ok(())
}

pub(in super::super) fn make_words(en: &str, ja: &str) -> Result<BilingualWords, PageError> {
    let words = BilingualWords { en: en.trim().to_string(), ja: ja.trim().to_string() };
    words.check_sentences()?;
    Ok(words)
}

fn parse_words(fields: &DraftFields) -> Result<BilingualWords, PageError> {
    make_words(fields.get_text("en"), fields.get_text("ja"))
}

fn edit_move(pattern: &mut Pattern, fields: &DraftFields, place: &TreePath) -> Result<(), PageError> {
    let Some((&last, parents)) = place.0.split_last() else { return Ok(()) };
    let (played, won) = (fields.parse_number("played", "120")?, fields.parse_number("won", "61")?);
    let words = parse_words(fields)?;
    let branch = &mut TreePath(parents.to_vec()).replies(pattern)[last];
    branch.kind = fields.get_text("kind").parse().unwrap_or_default();
    (branch.played, branch.won, branch.words) = (played, won, words);
    Ok(())
}

fn parse_claim(fields: &DraftFields) -> Result<ChainClaim, PageError> {
    Ok(match fields.get_text("claim") {
        "alive" => ChainClaim::Alive,
        "dead" => ChainClaim::Dead,
        "least" => ChainClaim::AtLeast(fields.parse_number("count", "1-99")?),
        "most" => ChainClaim::AtMost(fields.parse_number("count", "1-99")?),
        _ => ChainClaim::Liberties(fields.parse_number("count", "1-99")?),
    })
}

// --- what is seen ---

fn render_table(visitor: &Visitor, draft: &Draft, place: &TreePath, tool: EditTool) -> Markup {
    let path = draft.edit_path();
    html! {
        input type="hidden" name="revision" value=(draft.revision);
        input type="hidden" name="path" value=(place);
        div.columns {
            div { (render_board(visitor, draft, place, &path)) (render_tools(visitor, tool)) (render_verdict(visitor, draft)) (render_end_buttons(visitor, draft, &path)) }
            div { (render_tree_panel(visitor, draft, place, &path)) (render_facts_panel(visitor, draft, &path)) (render_frame_panel(visitor, draft, &path))
                (render_attributes_panel(visitor, draft, &path)) }
        }
        (view::render_variants(visitor, &draft.pattern))
        details { summary { (visitor.text("patterns-as-text")) } pre tabindex="0" { (text::write_pattern(&draft.pattern)) } }
    }
}

fn render_board(visitor: &Visitor, draft: &Draft, place: &TreePath, path: &str) -> Markup {
    let line = place.branches_along(&draft.pattern);
    let moves: Vec<(Color, Point)> =
        line.iter().map(|mv| (mv.color, Point::new(mv.at.column(), mv.at.row()))).collect();
    let picture =
        view::draw_claims(draft.pattern.diagram.draw_picture(SIDE, SIDE), &draft.pattern.attributes);
    let picture = picture.with_sequence(&moves);
    let margin = picture.margin();
    html! {
        div.board.deep #pattern-board tabindex="0" role="application" data-columns=(SIDE) data-rows=(SIDE) data-margin=(margin) data-field="24"
            data-action=(path) data-target="#editor" data-with="revision path tool" data-says="board-says" data-tools="tool"
            aria-label=(visitor.text("patterns-the-pattern-arrow-keys-move-enter")) {
            (DeepPictures::for_page(visitor).draw(picture))
        }
        p.unseen #board-says aria-live="polite" {}
        div.unseen { (render_description(visitor, &draft.pattern.diagram)) }
    }
}

fn render_tools(visitor: &Visitor, chosen: EditTool) -> Markup {
    html! {
        fieldset.tools {
            legend { (visitor.text("patterns-a-click-puts")) }
            @for tool in EditTool::all() {
                label { input type="radio" name="tool" value=(tool.form_value()) checked[tool == chosen];
                    " " @if tool != EditTool::Cycle { code { (tool.form_value()) } " " } (tool.display_name(visitor)) }
            }
        }
    }
}

fn render_verdict(visitor: &Visitor, draft: &Draft) -> Markup {
    html! {
        @match draft.pattern.check_pattern() {
            Ok(()) => p.good #verdict data-heard { "✓ " (visitor.text("patterns-this-is-a-pattern-it-can")) },
            Err(error) => p.bad #verdict data-heard { "✗ " (visitor.text("patterns-not-yet-a-pattern")) (PageText::of_error(error).in_language(visitor.texts)) },
        }
    }
}

/// A button that does something to the draft.
fn render_button(
    path: &str,
    values: &serde_json::Value,
    words: &str,
    disabled: bool,
    key: Option<&str>,
) -> Markup {
    html! {
        button type="button" hx-post=(path) hx-target="#editor" hx-include="[name=revision],[name=path],[name=tool]:checked"
            hx-vals=(values) disabled[disabled] data-key=[key] { (words) }
    }
}

fn render_end_buttons(visitor: &Visitor, draft: &Draft, path: &str) -> Markup {
    let history = &draft.kept.history;
    html! {
        div.row {
            (render_button(path, &json!({ "do": "undo" }), visitor.text("patterns-undo-u"), !history.can_undo(), Some("u")))
            (render_button(path, &json!({ "do": "redo" }), visitor.text("patterns-redo-r"), !history.can_redo(), Some("r")))
            button.main type="button" hx-post={ (path) "/save" } hx-include="[name=revision]" hx-target="#message" data-key="s" {
                (visitor.text("patterns-save-s")) }
            button type="button" hx-post={ (path) "/discard" } hx-target="#message" { (visitor.text("patterns-discard-the-draft")) }
        }
        p.quiet { (visitor.text("patterns-every-change-is-kept-in-this")) }
    }
}

fn render_tree_panel(visitor: &Visitor, draft: &Draft, place: &TreePath, path: &str) -> Markup {
    let chosen = place.branches_along(&draft.pattern).last().copied();
    html! {
        section.panel aria-labelledby="tree" {
            h2 #tree { (visitor.text("patterns-moves")) }
            p.quiet { (visitor.text("patterns-choose-a-move-then-a-click")) }
            ul.tree {
                li { (render_jump_link(path, &TreePath::default(), place, html! { (visitor.text("patterns-start")) }))
                    (render_branches(visitor, &draft.pattern.moves, &TreePath::default(), place, path)) }
            }
            @if let Some(branch) = chosen {
                form.form hx-post=(path) hx-target="#editor" hx-include="[name=revision],[name=path],[name=tool]:checked" {
                    input type="hidden" name="do" value="move";
                    h3.wide { (colored_move(visitor, branch.color, branch.at)) }
                    label for="move-kind" { (visitor.text("patterns-kind")) }
                    select #move-kind name="kind" {
                        @for kind in MoveKind::ALL { option value=(kind.name()) selected[kind == branch.kind] { (kind_name(visitor, kind)) } }
                    }
                    label for="played" { (visitor.text("patterns-played")) }
                    input #played name="played" type="number" min="0" value=(branch.played);
                    label for="won" { (visitor.text("patterns-won")) }
                    input #won name="won" type="number" min="0" value=(branch.won);
                    label for="move-en" { "English" }
                    input #move-en name="en" lang="en" maxlength="400" value=(branch.words.en);
                    label for="move-ja" { "日本語" }
                    input #move-ja name="ja" lang="ja" maxlength="400" value=(branch.words.ja);
                    div.row.wide {
                        button { (visitor.text("patterns-change-the-move")) }
                        (render_button(path, &json!({ "do": "remove-move" }),
                            visitor.text("patterns-delete-the-move-and-what-follows"), false, None))
                    }
                }
            }
        }
    }
}

fn render_jump_link(path: &str, to: &TreePath, chosen: &TreePath, words: Markup) -> Markup {
    html! {
        a href={ (path) "?path=" (to) } hx-get={ (path) "?path=" (to) } hx-include="[name=tool]:checked" hx-target="#editor"
            aria-current=[(to == chosen).then_some("true")] { (words) }
    }
}

fn render_branches(
    visitor: &Visitor,
    branches: &[PatternBranch],
    at: &TreePath,
    chosen: &TreePath,
    path: &str,
) -> Markup {
    html! {
        @if !branches.is_empty() {
            ul.tree {
                @for (number, branch) in branches.iter().enumerate() {
                    @let here = at.child(number);
                    li { (render_jump_link(path, &here, chosen, render_branch(visitor, branch)))
                        (self::render_branches(visitor, &branch.replies, &here, chosen, path)) }
                }
            }
        }
    }
}

fn render_facts_panel(visitor: &Visitor, draft: &Draft, path: &str) -> Markup {
    let pattern = &draft.pattern;
    html! {
        section.panel aria-labelledby="facts" {
            h2 #facts { (visitor.text("patterns-name-and-words")) }
            form.form hx-post=(path) hx-target="#editor" hx-include="[name=revision],[name=path],[name=tool]:checked" {
                input type="hidden" name="do" value="facts";
                label for="name" { (visitor.text("patterns-name")) }
                input #name name="name" value=(pattern.name) maxlength="60" pattern="[a-z0-9\\-]+" required
                    title=(visitor.text("patterns-a-z-0-9-and"));
                label for="source" { (visitor.text("patterns-source")) }
                input #source name="source" value=(names::source_words(visitor, &pattern.source)) maxlength="200";
                label for="seen" { (visitor.text("patterns-seen")) }
                input #seen name="seen" type="number" min="0" value=(pattern.seen);
                label for="en" { "English" }
                input #en name="en" lang="en" maxlength="400" value=(pattern.words.en);
                label for="ja" { "日本語" }
                input #ja name="ja" lang="ja" maxlength="400" value=(pattern.words.ja);
                div.wide { button { (visitor.text("patterns-change")) } }
            }
        }
    }
}

fn render_frame_panel(visitor: &Visitor, draft: &Draft, path: &str) -> Markup {
    let PatternDiagram { width, height, edges, .. } = draft.pattern.diagram;
    let choices = [
        ("none", DiagramEdges::NONE, visitor.text("patterns-none-it-floats")),
        ("bottom", DiagramEdges::BOTTOM, visitor.text("patterns-the-lower-edge")),
        ("corner", DiagramEdges::CORNER, visitor.text("patterns-the-lower-left-corner")),
    ];
    html! {
        section.panel aria-labelledby="frame" {
            h2 #frame { (visitor.text("patterns-frame")) }
            form.row hx-post=(path) hx-target="#editor" hx-include="[name=revision],[name=path],[name=tool]:checked" {
                input type="hidden" name="do" value="frame";
                label for="width" { (visitor.text("patterns-columns")) }
                input #width name="width" type="number" min="1" max="8" value=(width);
                label for="height" { (visitor.text("patterns-rows")) }
                input #height name="height" type="number" min="1" max="8" value=(height);
                label for="edges" { (visitor.text("patterns-edge")) }
                select #edges name="edges" { @for (value, each, words) in choices { option value=(value) selected[each == edges] { (words) } } }
                button { (visitor.text("patterns-change")) }
            }
            div.row role="group" aria-label=(visitor.text("patterns-shift")) {
                @for (by, words) in [("left", visitor.text("patterns-left")), ("right", visitor.text("patterns-right")),
                                     ("up", visitor.text("patterns-up")), ("down", visitor.text("patterns-down"))] {
                    (render_button(path, &json!({ "do": "shift", "by": by }), words, false, None))
                }
            }
            div.row role="group" aria-label=(visitor.text("patterns-symmetries")) {
                @for (number, &turn) in DiagramTurn::ALL.iter().enumerate().skip(1) {
                    (render_button(path, &json!({ "do": "turn", "by": number.to_string() }), view::turn_name(visitor, turn), false, None))
                }
                (render_button(path, &json!({ "do": "exchange" }), visitor.text("patterns-exchange-the-colours"), false, None))
            }
        }
    }
}

fn render_attributes_panel(visitor: &Visitor, draft: &Draft, path: &str) -> Markup {
    html! {
        section.panel aria-labelledby="attributes" {
            h2 #attributes { (visitor.text("patterns-chains")) }
            @for (number, ChainAttribute { at, claim }) in draft.pattern.attributes.iter().enumerate() {
                p { (at) (visitor.text("workbench-colon")) (claim_words(visitor, *claim)) " "
                    (render_button(path, &json!({ "do": "remove-attribute", "by": number.to_string() }), visitor.text("patterns-remove"), false, None)) }
            }
            form.row hx-post=(path) hx-target="#editor" hx-include="[name=revision],[name=path],[name=tool]:checked" {
                input type="hidden" name="do" value="attribute";
                label for="at" { (visitor.text("patterns-the-chain-at")) }
                input #at name="at" size="3" maxlength="2" required pattern="[A-Ha-h][1-8]" placeholder="C4";
                label for="claim" { (visitor.text("patterns-is")) }
                select #claim name="claim" {
                    option value="exactly" { (visitor.text("patterns-with-exactly-so-many-liberties")) }
                    option value="least" { (visitor.text("patterns-with-at-least-so-many-liberties")) }
                    option value="most" { (visitor.text("patterns-with-at-most-so-many-liberties")) }
                    option value="alive" { (visitor.text("patterns-alive")) }
                    option value="dead" { (visitor.text("patterns-dead")) }
                }
                label for="count" { (visitor.text("patterns-liberties")) }
                input #count name="count" type="number" min="1" max="99" value="2";
                button { (visitor.text("patterns-add")) }
            }
        }
    }
}

// --- its end ---

#[derive(Deserialize)]
struct DraftRevisionForm {
    revision: u64,
}

async fn save_draft(
    desk: DeskState,
    visitor: Visitor,
    Path(key): Path<String>,
    Form(seen): Form<DraftRevisionForm>,
) -> PageAnswer {
    let draft = Draft::load(&desk, &key).await?;
    if draft.revision != seen.revision {
        return Err(PageError::changed_elsewhere());
    }
    let Draft { kept, pattern, revision, .. } = draft;
    let mut shelf = PatternCollection::load(&desk, &kept.collection).await?;
    let mut library = shelf.content().clone();
    let name = pattern.name.clone();
    match &kept.original {
        None => library.add_pattern(pattern)?,
        Some(original) => {
            let now = library.find_pattern(original).map(text::write_pattern);
            if now != kept.base {
                return Err(PageError::changed_elsewhere());
            }
            library.replace_pattern(original, pattern)?;
        }
    }
    shelf.replace_content(&desk, &library).await?;
    // What another tab has done to the draft meanwhile is kept, as a draft.
    desk.ask_store(move |store| store.forget_document_revision(KIND, &key, revision)).await?;
    Ok(redirect_to(&visitor, &pattern_path(&kept.collection, &name)))
}

async fn discard_draft(desk: DeskState, visitor: Visitor, Path(key): Path<String>) -> PageAnswer {
    let draft = Draft::load(&desk, &key).await?;
    desk.ask_store(move |store| store.forget_document(KIND, &key)).await?;
    Ok(redirect_to(&visitor, &format!("/patterns?c={}", draft.kept.collection)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pattern() -> Pattern {
        text::parse_draft_pattern(
            "pattern p\nsource s\n: X O .\n: . ? x\nat A2 liberties 2+\nB A1 3 2 normal\n W C2 0 0 urgent\n",
        )
        .unwrap()
    }

    fn fields(pairs: &[(&str, &str)]) -> DraftFields {
        DraftFields(pairs.iter().map(|(name, value)| ((*name).to_string(), (*value).to_string())).collect())
    }

    #[test]
    fn turning_four_times_and_exchanging_twice_change_nothing() {
        let mut turning = pattern();
        for _ in 0..4 {
            turning.turn_by(DiagramTurn::ALL[5]);
            turning.check_pattern().unwrap();
        }
        assert_eq!(turning, pattern());
        for _ in 0..2 {
            apply_change(&mut turning, "exchange", &fields(&[]), EditTool::Cycle, &mut TreePath::default())
                .unwrap();
        }
        assert_eq!(turning, pattern());
    }

    #[test]
    fn shifting_needs_room_and_takes_all_along() {
        let mut moving = pattern();
        assert!(shift_pattern(&mut moving, "right").is_err());
        set_frame(&mut moving, &fields(&[("width", "4"), ("height", "3")])).unwrap();
        shift_pattern(&mut moving, "right").unwrap();
        shift_pattern(&mut moving, "up").unwrap();
        assert_eq!(moving.attributes[0].at.to_string(), "B3");
        assert_eq!(moving.moves[0].at.to_string(), "B2");
        shift_pattern(&mut moving, "left").unwrap();
        shift_pattern(&mut moving, "down").unwrap();
        set_frame(&mut moving, &fields(&[("width", "3"), ("height", "2")])).unwrap();
        assert_eq!(moving, pattern());
    }

    #[test]
    fn clicks_put_signs_and_add_moves() {
        let mut clicked = pattern();
        let mut place = TreePath::parse("0.0");
        let at = |text: &str| DiagramSquare::parse(text).unwrap();
        click_square(&mut clicked, at("B1"), EditTool::Cycle, &mut place).unwrap();
        assert_eq!(clicked.diagram.sign_at(at("B1")), PointSign::Black);
        click_square(&mut clicked, at("B1"), EditTool::Play(Color::Black), &mut place).unwrap();
        assert_eq!((place.to_string().as_str(), clicked.move_count()), ("0.0.0", 3));
        assert!(
            click_square(&mut clicked, at("D1"), EditTool::Cycle, &mut place).is_err(),
            "outside the frame"
        );
        apply_change(&mut clicked, "remove-move", &fields(&[]), EditTool::Cycle, &mut place).unwrap();
        assert_eq!((place.to_string().as_str(), clicked.move_count()), ("0.0", 2));
        assert_eq!(TreePath::parse("0.7.1").clip_to_tree(&clicked), TreePath::parse("0"));
    }

    #[test]
    fn every_tool_has_its_own_value() {
        for tool in EditTool::all() {
            assert_eq!(EditTool::parse(&tool.form_value().to_string()), tool);
        }
        assert_eq!(EditTool::parse("nonsense"), EditTool::Cycle);
    }
}
