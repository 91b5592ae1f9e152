//! A table: a record with all its variations, the place in it, who plays, and the clock. All of it is one document of the store.

use std::time::Duration;

use ishi_arena::{GameClock, TimeControl};
use ishi_go::{BoardSize, Color, Move, Point, Position, Rules, handicap};
use ishi_go_play::catalog;
use ishi_go_play::explain::listener::Listener;
use ishi_go_play::explain::record_marks::write_move_value;
use ishi_go_play::go_rank::Rank;
use ishi_go_play::judge::FinalStatus;
use ishi_lab::store::{Store, StoreError, StoredDocument};
use ishi_sgf::{
    Collection, GameBuilder, GameResult, GameTree, GoGame, NodeId, Property, PropertyValue, ReplayedGame,
    ReshapedTree, Warnings, move_text, point_text,
};
use serde::{Deserialize, Serialize};

use super::game::{color_name, is_played};
use super::reviewed::{GoReview, REVIEW_LEVEL};
use crate::workbench::WorkbenchState;
use crate::workbench::budget;
use crate::workbench::error::PageError;
use crate::workbench::made_by::describe_game;
use crate::workbench::rooms::blunder::BlunderWarning;
pub(super) use crate::workbench::rooms::now_ms;
use crate::workbench::rooms::standing::{self, RatedGame};
use crate::workbench::texts::{KeptText, PageText, args};
use crate::workbench::visitor::Visitor;

/// The kind of its documents.
pub(super) const KIND: &str = "go";

/// Nodes of a record: far more than any book of joseki has.
const MOST_NODES: usize = 20_000;

/// Faults of a record that are told.
const MOST_ODDITIES: usize = 20;

/// How the text of a player of a rank begins, and that of a level.
pub(super) const RANKED: &str = "go-rank:rank=";
pub(super) const LEVELLED: &str = "go-mcts:level=";

/// How forms name the rank that follows from the person's results, and a player of it.
pub(crate) const OWN_RANK: &str = "own";
pub(super) const OWN_RANKED: &str = "go-rank:rank=own";

/// Who sits there: a person, or a player of the catalog.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Seat(pub(super) Option<String>);

impl Seat {
    pub(super) fn is_person(&self) -> bool {
        self.0.is_none()
    }

    /// The rank at which ishi sits there, if the player's text says that and nothing else.
    fn rank(&self) -> Option<Rank> {
        self.0.as_deref()?.strip_prefix(RANKED)?.parse().ok()
    }

    /// A name for records: `ishi, 8k`, `ishi by playouts, level 5`, or the engine's own text.
    pub(super) fn title(&self) -> String {
        let spec = self.0.as_deref().unwrap_or("");
        let rank = spec.strip_prefix(RANKED).map(|rank| format!("ishi, {rank}"));
        let level = || spec.strip_prefix(LEVELLED).map(|level| format!("ishi by playouts, level {level}"));
        rank.or_else(level).unwrap_or_else(|| spec.to_string())
    }
}

/// The table as it is kept.
#[derive(Serialize, Deserialize)]
struct StoredGoTable {
    sgf: String,
    /// The place, counted in the order of the file.
    node: usize,
    seats: [Seat; 2],
    clock: String,
    /// Who moved, and the seconds of each move of the game so far.
    spent: Vec<(char, f64)>,
    since: u64,
    /// An engine is to move, and shall.
    due: bool,
    dead: Option<Vec<String>>,
    #[serde(default)]
    seki: Vec<String>,
    #[serde(default)]
    review: Option<GoReview>,
    #[serde(default)]
    oddities: Vec<KeptText>,
    #[serde(default)]
    is_rated: bool,
    #[serde(default)]
    taught: Option<Listener>,
    #[serde(default)]
    judge: Option<String>,
    #[serde(default)]
    is_judged: bool,
    #[serde(default)]
    warning: Option<BlunderWarning>,
}

/// A table.
pub(super) struct GoTable {
    pub(super) key: String,
    pub(super) revision: u64,
    pub(super) tree: GameTree,
    pub(super) node: NodeId,
    pub(super) seats: [Seat; 2],
    pub(super) control: TimeControl,
    /// Who moved, and the seconds of each move since the game began.
    pub(super) spent: Vec<(char, f64)>,
    /// When the side to move began to think, in milliseconds since 1970.
    pub(super) since: u64,
    pub(super) due: bool,
    /// The stones that are taken off before counting, while it is being agreed on.
    pub(super) dead: Option<Vec<Point>>,
    /// The stones that were proved to stand in seki when counting began.
    seki: Vec<Point>,
    pub(super) review: Option<GoReview>,
    /// What was not as it should be in the record that was opened.
    pub(super) oddities: Vec<KeptText>,
    /// Its result counts for the person's strength.
    pub(super) is_rated: bool,
    /// It counted and had ended already when it was loaded.
    had_ended: bool,
    /// To whom blunders are told before the engine answers; none: they are not told.
    pub(super) taught: Option<Listener>,
    /// The name of the program that judges moves of a teaching game; `None`: ishi itself.
    pub(super) judge: Option<String>,
    /// The last move has been judged, or is not to be.
    pub(super) is_judged: bool,
    /// The last move is a blunder.
    pub(super) warning: Option<BlunderWarning>,
}

/// What a new game is.
#[derive(Clone, Debug)]
pub(super) struct NewGame {
    pub(super) size: BoardSize,
    pub(super) rules: Rules,
    pub(super) komi: f64,
    pub(super) handicap: usize,
    pub(super) seats: [Seat; 2],
    pub(super) control: TimeControl,
    /// To whom blunders are told before the engine answers; none: they are not told.
    pub(super) taught: Option<Listener>,
    /// The name of the program that judges moves of a teaching game; `None`: ishi itself.
    pub(super) judge: Option<String>,
}

/// Komi of a game on even terms, in points.
const EVEN_KOMI: std::ops::RangeInclusive<f64> = 5.0..=8.0;

/// Lines of the smallest board on which usual komi makes a game even: on fewer lines Black, or White, wins by far.
const EVEN_SIDE: usize = 9;

impl NewGame {
    /// Does it count for the person's strength: against ishi at a rank, on even terms, without help?
    fn is_rated(&self) -> bool {
        let has_both =
            self.seats.iter().any(Seat::is_person) && self.seats.iter().any(|seat| seat.rank().is_some());
        let is_even = self.handicap < 2 && EVEN_KOMI.contains(&self.komi) && self.size.width() >= EVEN_SIDE;
        has_both && is_even && self.taught.is_none()
    }

    /// Does a person play against an engine?
    fn has_person_and_engine(&self) -> bool {
        self.seats.iter().any(Seat::is_person) && !self.seats.iter().all(Seat::is_person)
    }
}

impl GoTable {
    /// A table for a new game.
    pub(super) fn new(key: String, game: &NewGame) -> Result<GoTable, PageError> {
        let mut builder = GameBuilder::new(game.size);
        builder
            .set_komi(game.komi)
            .set_rules(&game.rules.to_string())
            .set_application("ishi", env!("CARGO_PKG_VERSION"));
        for color in Color::ALL {
            let seat = &game.seats[color.index()];
            if !seat.is_person() {
                builder.set_player(color, &seat.title());
            }
        }
        if game.handicap >= 2 {
            let stones = handicap::fixed_placement(game.size, game.handicap)?;
            builder
                .set_handicap(game.handicap as u32)
                .add_setup(Color::Black, &stones)
                .set_to_play(Color::White);
        }
        let tree = builder.into_tree();
        let mut table = GoTable {
            seats: game.seats.clone(),
            control: game.control,
            is_rated: game.is_rated(),
            // Nobody is told of blunders where no engine waits.
            taught: game.taught.filter(|_| game.has_person_and_engine()),
            judge: game.judge.clone().filter(|_| game.taught.is_some()),
            ..GoTable::from_tree(key, tree)
        };
        table.due = table.engine_is_to_move()?;
        Ok(table)
    }

    fn from_tree(key: String, tree: GameTree) -> GoTable {
        GoTable {
            key,
            revision: 0,
            tree,
            node: NodeId::ROOT,
            seats: Default::default(),
            control: TimeControl::default(),
            spent: Vec::new(),
            since: now_ms(),
            due: false,
            dead: None,
            seki: Vec::new(),
            review: None,
            oddities: Vec::new(),
            is_rated: false,
            had_ended: false,
            taught: None,
            judge: None,
            is_judged: false,
            warning: None,
        }
    }

    /// A table with the first game of a record.
    pub(super) fn from_record(key: String, bytes: &[u8]) -> Result<GoTable, PageError> {
        let reading = ishi_sgf::read_collection(bytes)?;
        let mut games = reading.collection.games;
        let mut oddities: Vec<PageText> = reading.warnings.iter().map(PageText::of_error).collect();
        if games.len() > 1 {
            oddities.push(PageText::with("go-the-record-has-games-this-is", args![games = games.len()]));
        }
        if games.is_empty() {
            return Err(PageError::invalid_input("go-there-is-no-game-in-this"));
        }
        GoTable::from_game(key, games.swap_remove(0), oddities)
    }

    /// A table with a game of a record. What was told of the record comes before what is told of its moves.
    pub(super) fn from_game(
        key: String,
        game: GameTree,
        mut oddities: Vec<PageText>,
    ) -> Result<GoTable, PageError> {
        let mut table = GoTable::from_tree(key, game);
        table.check_size()?;
        // A record that cannot be replayed is said so now, not when somebody steps through it.
        let last = table.tree.main_line().last().unwrap_or(NodeId::ROOT);
        let shown = table.replay_to(last)?;
        oddities.extend(shown.illegal.iter().map(PageText::of_error));
        table.oddities = oddities.iter().take(MOST_ODDITIES).map(KeptText::from_page_text).collect();
        Ok(table)
    }

    fn check_size(&self) -> Result<(), PageError> {
        let nodes = self.tree.node_count();
        if nodes > MOST_NODES {
            return Err(PageError::invalid_input_with(
                "go-the-record-has-nodes-is-the",
                args![nodes, most_nodes = MOST_NODES],
            ));
        }
        Ok(())
    }

    /// From the store.
    pub(super) fn from_document(document: &StoredDocument) -> Result<GoTable, PageError> {
        let kept: StoredGoTable =
            serde_json::from_value(document.body.clone()).map_err(PageError::from_system_error)?;
        let reading = ishi_sgf::read_collection(kept.sgf.as_bytes()).map_err(PageError::from_system_error)?;
        let tree = reading.collection.games.into_iter().next().ok_or_else(PageError::internal_error)?;
        let mut table = GoTable::from_tree(document.key.clone(), tree);
        let size = table.size()?;
        table.node = table.tree.preorder().nth(kept.node).unwrap_or(NodeId::ROOT);
        table.control = kept.clock.parse().map_err(PageError::from_system_error)?;
        let points = |list: Vec<String>| list.iter().filter_map(|text| size.parse_point(text).ok()).collect();
        (table.dead, table.seki) = (kept.dead.map(points), points(kept.seki));
        (table.seats, table.spent, table.since, table.due) = (kept.seats, kept.spent, kept.since, kept.due);
        (table.revision, table.review, table.oddities) = (document.revision, kept.review, kept.oddities);
        (table.is_rated, table.taught, table.judge) = (kept.is_rated, kept.taught, kept.judge);
        (table.is_judged, table.warning) = (kept.is_judged, kept.warning);
        table.had_ended = table.rated_game().is_some();
        Ok(table)
    }

    /// Loads one. It is read where nobody else's page waits for it: a record may have megabytes of remarks.
    pub(super) async fn load(desk: &WorkbenchState, key: &str) -> Result<GoTable, PageError> {
        let document = desk.find_document(KIND, key).await?.ok_or_else(|| table_not_found(key))?;
        desk.draw(move || GoTable::from_document(&document)).await?
    }

    /// Keeps it, unless somebody else was faster.
    pub(super) async fn save(&mut self, desk: &WorkbenchState) -> Result<(), PageError> {
        let (title, body) = (self.title(), self.to_json());
        self.revision = desk.keep_body(KIND, &self.key, title, body, self.revision).await?;
        let had_ended = self.had_ended;
        match self.rated_game() {
            Some(game) => {
                desk.ask_store(move |store| standing::note_game::<Rank>(store, game, had_ended)).await
            }
            None => Ok(()),
        }
    }

    /// Keeps the table from a thread that thinks. False if somebody else was faster.
    pub(super) fn save_blocking(&mut self, store: &mut Store) -> Result<bool, StoreError> {
        let kept = store.keep_document(KIND, &self.key, &self.title(), &self.to_json(), self.revision)?;
        self.revision = kept.unwrap_or(self.revision);
        if let Some(game) = self.rated_game().filter(|_| kept.is_some()) {
            standing::note_game::<Rank>(store, game, self.had_ended)?;
        }
        Ok(kept.is_some())
    }

    /// The game as it counts for the person's strength, if it counts and has ended.
    pub(super) fn rated_game(&self) -> Option<RatedGame> {
        if !self.is_rated {
            return None;
        }
        let person = Color::ALL.into_iter().find(|color| self.seats[color.index()].is_person())?;
        let rank = self.seats[(!person).index()].rank()?;
        let result = self.result()?;
        let score = match result.winner() {
            Some(winner) if winner == person => 1.0,
            Some(_) => 0.0,
            None if result == GameResult::Draw => 0.5,
            None => return None,
        };
        Some(RatedGame { table: self.key.clone(), opponent: rank.to_string(), score })
    }

    /// What becomes of the stones, while it is being agreed on.
    pub(super) fn final_status(&self) -> Option<FinalStatus> {
        let dead = self.dead.clone()?;
        Some(FinalStatus { dead, seki: self.seki.clone() })
    }

    /// Begins to count.
    pub(super) fn propose_count(&mut self, status: FinalStatus) {
        (self.dead, self.seki) = (Some(status.dead), status.seki);
    }

    fn to_json(&self) -> serde_json::Value {
        let vertices = |points: &Vec<Point>| points.iter().map(ToString::to_string).collect();
        let kept = StoredGoTable {
            sgf: self.to_sgf(),
            node: self.number_of_node(self.node),
            seats: self.seats.clone(),
            clock: self.control.to_string(),
            spent: self.spent.clone(),
            since: self.since,
            due: self.due,
            dead: self.dead.as_ref().map(vertices),
            seki: vertices(&self.seki),
            review: self.review.clone(),
            oddities: self.oddities.clone(),
            is_rated: self.is_rated,
            taught: self.taught,
            judge: self.judge.clone(),
            is_judged: self.is_judged,
            warning: self.warning.clone(),
        };
        serde_json::to_value(kept).unwrap_or_default()
    }

    pub(super) fn to_sgf(&self) -> String {
        Collection::from_game(self.tree.clone()).to_sgf()
    }

    /// The record with the review's words after the comments of its moves, what it says of each move as other programs show it, and the lines of its
    /// lessons as variations.
    pub(super) fn to_reviewed_record(&self, visitor: &Visitor) -> Collection {
        let mut tree = self.tree.clone();
        for (node, remark) in self.review.iter().flat_map(|review| review.write_remarks(self, visitor)) {
            let node = tree.node_mut(node);
            let kept = node.value("C").map(PropertyValue::to_text).unwrap_or_default();
            let text =
                if kept.trim().is_empty() { remark } else { format!("{}\n\n{remark}", kept.trim_end()) };
            node.set_text("C", &text);
        }
        let rows = self.review.iter().flat_map(|review| review.rows_with_nodes(self));
        for (node, row) in rows {
            write_move_value(tree.node_mut(node), row.black_lead, row.black_win_rate, row.lost_win_rate);
        }
        let lines = self.review.iter().flat_map(|review| review.taught_lines(self, visitor));
        if let Ok(size) = self.size() {
            lines.for_each(|(node, title, moves)| add_variation(&mut tree, node, title, moves, size));
        }
        Collection::from_game(tree)
    }

    /// What ishi did in the record, such as `game k3x, black person, white go-rank:rank=8k, reviewed at level 5`. `None` if it did nothing.
    pub(super) fn describe_work(&self) -> Option<String> {
        let by_engine = self.seats.iter().any(|seat| !seat.is_person());
        let review = self.review.as_ref().map(|review| {
            let judge = review.judge.as_ref().map(|judge| format!(", judged by {judge}"));
            format!(", reviewed at level {REVIEW_LEVEL}") + &judge.unwrap_or_default()
        });
        (by_engine || review.is_some()).then(|| {
            let engines = self.seats.each_ref().map(|seat| seat.0.as_deref());
            describe_game(&self.key, engines) + &review.unwrap_or_default()
        })
    }

    pub(super) fn info(&self) -> ishi_sgf::GameInfo {
        ishi_sgf::GameInfo::read_main_line(&self.tree, &mut Warnings::new())
    }

    /// Such as `Honinbo Shusaku - Gennan Inseki`, or who plays. Lists have it as it was kept.
    pub(super) fn title(&self) -> String {
        self.title_with(|color| color.to_string())
    }

    /// The same for a visitor, in whose language a side without a name is called.
    pub(super) fn title_for(&self, visitor: &Visitor) -> String {
        self.title_with(|color| color_name(color, visitor).to_string())
    }

    fn title_with(&self, side: impl Fn(Color) -> String) -> String {
        let info = self.info();
        let name =
            |player: &ishi_sgf::PlayerInfo, color: Color| player.name.clone().unwrap_or_else(|| side(color));
        info.name.clone().unwrap_or_else(|| {
            format!("{} - {}", name(&info.black, Color::Black), name(&info.white, Color::White))
        })
    }

    pub(super) fn size(&self) -> Result<BoardSize, PageError> {
        let size = self.info().size;
        BoardSize::new(size.width.into(), size.height.into()).map_err(PageError::from)
    }

    pub(super) fn rules(&self) -> Rules {
        self.info().rules_or_chinese()
    }

    /// What the record shows at a node.
    pub(super) fn replay_to(&self, node: NodeId) -> Result<ReplayedGame, PageError> {
        let game = GoGame::read_line_to(&self.tree, node)?;
        game.replay_position(self.rules(), None).map_err(PageError::from)
    }

    pub(super) fn replay_here(&self) -> Result<ReplayedGame, PageError> {
        self.replay_to(self.node)
    }

    pub(super) fn position(&self) -> Result<Position, PageError> {
        Ok(self.replay_here()?.position)
    }

    /// The result that the record states.
    pub(super) fn result(&self) -> Option<GameResult> {
        self.info().result
    }

    pub(super) fn engine_is_to_move(&self) -> Result<bool, PageError> {
        let position = self.position()?;
        let seat = &self.seats[position.to_move().index()];
        Ok(!seat.is_person() && !position.is_over() && self.result().is_none())
    }

    /// Facts that positions need must be ones that they understand.
    pub(super) fn check_facts(&self) -> Result<(), PageError> {
        let text = self.tree.root().value("KM").map(PropertyValue::to_simple_text).unwrap_or_default();
        if !text.trim().is_empty() && self.info().komi.is_none() {
            return Err(PageError::invalid_input_with(
                "go-komi-is-no-number-write-points",
                args![text = format!("{text:?}")],
            ));
        }
        self.replay_here().map(|_| ())
    }

    // What is done at it.

    /// Plays a move for the side to move: goes to it if it is there already, adds it otherwise.
    pub(super) fn play(&mut self, mv: Move) -> Result<(), PageError> {
        let position = self.position()?;
        let color = position.to_move();
        position.check_move(color, mv)?;
        self.spend_time(color)?;
        let size = position.size();
        let name = ["B", "W"][color.index()];
        let is_it = |child: &NodeId| {
            self.tree.node(*child).value(name).is_some_and(|value| {
                let text = value.to_simple_text();
                text == move_text(size, mv) || (mv == Move::Pass && text == "tt" && size.area() <= 361)
            })
        };
        let known = self.tree.children(self.node).find(is_it);
        self.node = match known {
            Some(child) => child,
            None => {
                // Another move in place of one that was played takes that back.
                self.is_rated &= self.tree.node(self.node).first_child().is_none();
                let child = self.tree.add_child(self.node);
                self.tree.node_mut(child).set_text(name, &move_text(size, mv));
                child
            }
        };
        self.check_size()?;
        self.dead = None;
        self.forget_judgement();
        self.due = self.engine_is_to_move()?;
        Ok(())
    }

    /// The place is another one: what was judged does not stand here.
    fn forget_judgement(&mut self) {
        (self.is_judged, self.warning) = (false, None);
    }

    /// The record is changed otherwise than by a move: it counts no more, and what was judged does not stand.
    fn leave_played_game(&mut self) {
        self.is_rated = false;
        self.forget_judgement();
    }

    /// The blunder that was told stays: the engine shall answer it.
    pub(super) fn leave_blunder(&mut self) {
        if self.warning.is_some() {
            // The person has read meanwhile. The engine begins to think now.
            self.since = now_ms();
        }
        (self.is_judged, self.warning) = (true, None);
    }

    /// Takes the time since the last move off the clock of who moves; too long a thought loses the game.
    fn spend_time(&mut self, color: Color) -> Result<(), PageError> {
        let spent = now_ms().saturating_sub(self.since) as f64 / 1000.0;
        self.since = now_ms();
        if self.control.is_none() || self.result().is_some() {
            return Ok(());
        }
        let mut clock = self.clocks()[color.index()];
        self.spent.push((color.letter(), spent));
        if clock.spend(Duration::from_secs_f64(spent)).is_err() {
            self.end_game(GameResult::Time(!color));
        }
        Ok(())
    }

    /// Both clocks, before the time of the move that is being thought about.
    pub(super) fn clocks(&self) -> [GameClock; 2] {
        let mut clocks = [GameClock::new(self.control); 2];
        for &(letter, spent) in &self.spent {
            let color = if letter == Color::Black.letter() { Color::Black } else { Color::White };
            // Who has overstepped has lost already.
            let _ = clocks[color.index()].spend(Duration::from_secs_f64(spent.max(0.0)));
        }
        clocks
    }

    /// Is the last move of a teaching game looked at before the engine answers it?
    pub(super) fn is_looked_at(&self) -> bool {
        self.due && self.taught.is_some() && !self.is_judged
    }

    /// Does the clock of the side to move run? Not after the end, while stones are agreed on, and while a blunder is looked for and told.
    pub(super) fn clock_runs(&self) -> bool {
        let has_stopped = self.result().is_some() || self.dead.is_some() || self.warning.is_some();
        !self.control.is_none() && !has_stopped && !self.is_looked_at()
    }

    /// Has the side to move been thinking for too long?
    pub(super) fn flag_fell(&self, color: Color) -> bool {
        let spent = Duration::from_millis(now_ms().saturating_sub(self.since));
        self.clocks()[color.index()].max_move_time().is_some_and(|most| spent > most)
    }

    /// Writes the result down; nobody is to move any more.
    pub(super) fn end_game(&mut self, result: GameResult) {
        self.tree.root_mut().set_text("RE", &result.to_string());
        self.due = false;
        self.dead = None;
        self.warning = None;
    }

    pub(super) fn resign(&mut self) -> Result<(), PageError> {
        let loser = match &self.seats {
            [black, white] if black.is_person() && !white.is_person() => Color::Black,
            [black, white] if !black.is_person() && white.is_person() => Color::White,
            _ => self.position()?.to_move(),
        };
        self.end_game(GameResult::Resignation(!loser));
        Ok(())
    }

    /// Takes the result back, or moves until a person is to move: they are gone from the record, unless it goes on after them.
    pub(super) fn undo(&mut self) -> Result<(), PageError> {
        if self.tree.node(self.node).first_child().is_some() {
            self.step_by(-1);
            return Ok(());
        }
        self.leave_played_game();
        if self.result().is_some() {
            self.tree.root_mut().properties.retain(|property| property.ident() != "RE");
            (self.due, self.since) = (false, now_ms());
            return Ok(());
        }
        for _ in 0..2 {
            let Some(parent) = self.tree.node(self.node).parent() else { break };
            let gone = self.node;
            self.node = parent;
            let changed = self.tree.without_node(gone);
            self.adopt_tree(changed);
            self.spent.pop();
            let to_move = self.position()?.to_move();
            if self.seats[to_move.index()].is_person() {
                break;
            }
        }
        (self.dead, self.due, self.since) = (None, false, now_ms());
        self.forget_lost_review();
        Ok(())
    }

    /// Goes on with a reshaped tree; where the place is gone, at the root.
    fn adopt_tree(&mut self, changed: ReshapedTree) {
        self.node = changed.new_node(self.node).unwrap_or(NodeId::ROOT);
        self.tree = changed.tree;
    }

    /// Deletes the node and all after it.
    pub(super) fn cut_branch(&mut self) {
        let Some(parent) = self.tree.node(self.node).parent() else { return };
        self.leave_played_game();
        let changed = self.tree.without_node(self.node);
        self.node = parent;
        self.adopt_tree(changed);
        (self.due, self.dead) = (false, None);
        self.forget_lost_review();
    }

    /// A review goes with its line, and with nothing else.
    fn forget_lost_review(&mut self) {
        let review = self.review.take();
        self.review = review.filter(|review| review.find_line(self).is_some());
    }

    /// Makes the line through this node the main line.
    pub(super) fn promote_line(&mut self) {
        let changed = self.tree.with_main_line(self.node);
        self.adopt_tree(changed);
    }

    /// The node so many steps from here: back to the root, or on along first variations.
    pub(super) fn step_by(&mut self, steps: i64) {
        let begun = self.node;
        for _ in 0..steps.unsigned_abs().min(MOST_NODES as u64) {
            let node = self.tree.node(self.node);
            let next = if steps < 0 { node.parent() } else { node.first_child() };
            let Some(next) = next else { break };
            self.node = next;
        }
        self.dead = None;
        if self.node != begun {
            self.forget_judgement();
        }
    }

    /// The place that a page shows, as the number of its node in the order of the file: what is done is done there.
    ///
    /// # Errors
    /// If there are fewer nodes.
    pub(super) fn go_to_node(&mut self, number: usize) -> Result<(), PageError> {
        let found = self.node_of_number(number)?;
        if found != self.node {
            // What was proposed there does not hold here, and an engine is not asked to move here.
            (self.node, self.dead, self.due) = (found, None, false);
            self.forget_judgement();
        }
        Ok(())
    }

    /// The number by which pages and what is kept name a node: its place in the order of the file.
    pub(super) fn number_of_node(&self, node: NodeId) -> usize {
        self.tree.preorder().position(|other| other == node).unwrap_or(0)
    }

    fn node_of_number(&self, number: usize) -> Result<NodeId, PageError> {
        let nodes = self.tree.node_count();
        self.tree.preorder().nth(number).ok_or_else(|| {
            PageError::not_found_with(
                "go-there-is-no-node-the-record",
                args![number, nodes, last = nodes - 1],
            )
        })
    }

    /// The nodes from the root through this one, and on along first variations.
    pub(super) fn current_line(&self) -> Vec<NodeId> {
        let mut line = self.tree.path_to(self.node);
        let on = std::iter::successors(Some(self.node), |&node| self.tree.node(node).first_child());
        line.extend(on.skip(1));
        line
    }

    /// The moves of the line that is shown. A value that is no move is none.
    pub(super) fn count_moves(&self) -> usize {
        let Ok(size) = self.size() else { return 0 };
        self.current_line().into_iter().filter(|&node| is_played(&self.tree, size, node)).count()
    }

    /// Puts a stone down or takes it away, as set-up in this node (in a node of its own after a move).
    pub(super) fn set_up(&mut self, point: Point, stone: Option<Color>) -> Result<(), PageError> {
        let size = self.size()?;
        if is_move(&self.tree, self.node) {
            self.node = self.tree.add_child(self.node);
        } else {
            // The positions after it are others now.
            self.review = None;
        }
        let text = point_text(size, point);
        let node = self.tree.node_mut(self.node);
        for name in ["AB", "AW", "AE"] {
            toggle_value(node, name, &text, false);
        }
        let name = match stone {
            Some(Color::Black) => "AB",
            Some(Color::White) => "AW",
            None => "AE",
        };
        toggle_value(self.tree.node_mut(self.node), name, &text, true);
        self.leave_played_game();
        // Set-up that leaves a chain without liberties is refused before it is kept.
        self.replay_here()?;
        (self.due, self.dead) = (false, None);
        Ok(())
    }

    /// Sets whose turn it is from here on.
    pub(super) fn set_to_play(&mut self, color: Color) {
        if is_move(&self.tree, self.node) {
            self.node = self.tree.add_child(self.node);
        }
        let text = color.letter().to_string();
        self.tree.node_mut(self.node).set_text("PL", &text);
        self.due = false;
        self.leave_played_game();
    }

    /// Puts a mark on a point, or takes it away.
    pub(super) fn toggle_mark(&mut self, name: &'static str, point: Point) -> Result<(), PageError> {
        let text = point_text(self.size()?, point);
        let node = self.tree.node_mut(self.node);
        let had = node.values(name).any(|value| value.raw_text() == text);
        for each in ["TR", "SQ", "CR", "MA"] {
            toggle_value(node, each, &text, false);
        }
        if !had {
            toggle_value(node, name, &text, true);
        }
        Ok(())
    }

    /// Puts the next free letter on a point, or takes its label away.
    pub(super) fn toggle_label(&mut self, point: Point) -> Result<(), PageError> {
        let text = point_text(self.size()?, point);
        let mut labels = self.labels();
        if labels.iter().any(|(place, _)| *place == text) {
            labels.retain(|(place, _)| *place != text);
        } else {
            let free =
                ('A'..='Z').map(String::from).find(|letter| labels.iter().all(|(_, used)| used != letter));
            labels.push((text, free.unwrap_or_else(|| "?".into())));
        }
        let node = self.tree.node_mut(self.node);
        node.properties.retain(|property| property.ident() != "LB");
        if !labels.is_empty() {
            node.push_property(Property::with_name(
                "LB",
                labels.iter().map(|(place, text)| PropertyValue::from_composed(place, text)),
            ));
        }
        Ok(())
    }

    /// Labels of this node: the point as SGF writes it, and the text.
    pub(super) fn labels(&self) -> Vec<(String, String)> {
        let values = self.tree.node(self.node).values("LB");
        let split = |value: &PropertyValue| {
            let (place, text) = ishi_sgf::split_composed(value.raw_text())?;
            Some((place.to_string(), ishi_sgf::unescape_simple(text)))
        };
        values.filter_map(split).collect()
    }

    pub(super) fn comment(&self) -> String {
        self.tree.node(self.node).value("C").map(PropertyValue::to_text).unwrap_or_default()
    }

    /// Sets the comment of a node by its number in the order of the file (`None`: of the place), without going there.
    pub(super) fn set_comment_at(&mut self, number: Option<usize>, text: &str) -> Result<(), PageError> {
        let node = number.map_or(Ok(self.node), |number| self.node_of_number(number))?;
        self.set_comment(node, text);
        Ok(())
    }

    fn set_comment(&mut self, node: NodeId, text: &str) {
        let node = self.tree.node_mut(node);
        if text.trim().is_empty() {
            node.properties.retain(|property| property.ident() != "C");
        } else {
            node.set_text("C", text);
        }
    }

    /// Sets or removes a text of the root, such as the name of a player.
    pub(super) fn set_info(&mut self, name: &'static str, text: &str) {
        let root = self.tree.root_mut();
        if text.trim().is_empty() {
            root.properties.retain(|property| property.ident() != name);
        } else {
            root.set_text(name, text.trim());
        }
    }
}

pub(super) fn table_not_found(key: &str) -> PageError {
    PageError::not_found_with("go-there-is-no-table-was-it", args![key])
}

/// Is there a move in this node?
pub(super) fn is_move(tree: &GameTree, node: NodeId) -> bool {
    let node = tree.node(node);
    node.property("B").is_some() || node.property("W").is_some()
}

/// Adds moves (`B D4`) after a node as a variation, as far as they can be read.
fn add_variation(tree: &mut GameTree, after: NodeId, title: &str, moves: &[String], size: BoardSize) {
    let line = moves.iter().map_while(|text| {
        let (letter, vertex) = text.split_once(' ')?;
        let color = if letter == "B" { Color::Black } else { Color::White };
        Some((color, size.parse_move(vertex).ok()?))
    });
    tree.add_line(after, size, title, line);
}

/// Adds a value to a list property, or takes it out; an empty list is no property.
fn toggle_value(node: &mut ishi_sgf::Node, name: &'static str, text: &str, present: bool) {
    let mut values: Vec<PropertyValue> =
        node.values(name).filter(|value| value.raw_text() != text).cloned().collect();
    if present {
        values.push(PropertyValue::from_text(text));
    }
    node.properties.retain(|property| property.ident() != name);
    if !values.is_empty() {
        node.push_property(Property::with_name(name, values));
    }
}

/// A seat as a form names it: nothing, or a player of the catalog.
pub(super) fn parse_seat(text: &str) -> Result<Seat, PageError> {
    let text = text.trim();
    if text.is_empty() || text == "person" {
        return Ok(Seat(None));
    }
    budget::check_player(text)?;
    catalog::create_go_player(text, ishi_rng::Seed::new(1))?;
    Ok(Seat(Some(text.to_string())))
}

#[cfg(test)]
mod tests {
    use ishi_words::Language;

    use super::super::reviewed::{GoLesson, ReviewedMove, TriedLine};
    use super::*;
    use crate::workbench::rooms::both_languages::BothLanguages;

    fn table(sgf: &str) -> GoTable {
        GoTable::from_record("t".into(), sgf.as_bytes()).unwrap()
    }

    fn play(table: &mut GoTable, vertex: &str) {
        let mv = table.size().unwrap().parse_move(vertex).unwrap();
        table.play(mv).unwrap();
    }

    #[test]
    fn values_that_are_no_moves_are_not_counted() {
        assert_eq!(table("(;GM[1]SZ[19];B[dd];W[..];B[dp];W[])").count_moves(), 3);
        assert_eq!(table("(;GM[1]SZ[9];B[..])").count_moves(), 0);
    }

    #[test]
    fn a_move_that_is_there_is_gone_to_and_another_is_a_variation() {
        let mut table = table("(;GM[1]SZ[9];B[ee];W[cc])");
        play(&mut table, "E5");
        assert_eq!(table.tree.node_count(), 3);
        play(&mut table, "D4");
        assert_eq!(table.tree.node_count(), 4);
        table.promote_line();
        assert!(table.to_sgf().replace('\n', "").ends_with(";B[ee](;W[df])(;W[cc]))"), "{}", table.to_sgf());
        table.cut_branch();
        assert!(table.to_sgf().replace('\n', "").ends_with(";B[ee];W[cc])"), "{}", table.to_sgf());
    }

    fn review_of(moves: &[(char, &str)]) -> GoReview {
        let row = |&(color, vertex): &(char, &str)| ReviewedMove {
            color,
            vertex: vertex.into(),
            black_lead: 1.5,
            black_win_rate: 0.5,
            lost_points: 4.0,
            lost_win_rate: 0.3,
        };
        GoReview::of_lessons(moves.iter().map(row).collect(), vec![GoLesson::with_answer(2, "worse", "悪い")])
    }

    #[test]
    fn a_review_stays_with_its_line_and_goes_with_it() {
        let mut table = table("(;GM[1]SZ[9];B[ee];W[cc];B[])");
        table.review = Some(review_of(&[('B', "E5"), ('W', "C7"), ('B', "pass")]));
        play(&mut table, "E5");
        play(&mut table, "D4");
        assert!(table.review.is_some(), "a variation deletes no review");
        table.promote_line();
        let line = table.review.as_ref().unwrap().find_line(&table).unwrap();
        assert_eq!(line.len(), 3);
        table.cut_branch();
        assert!(table.review.is_some());
        table.go_to_node(2).unwrap();
        table.cut_branch();
        assert!(table.review.is_none(), "its line is gone: {}", table.to_sgf());
        assert!(table.go_to_node(2).is_err());
    }

    #[test]
    fn the_saved_record_has_the_reviews_words() {
        let mut table = table("(;GM[1]SZ[9];B[ee];W[cc]C[mine])");
        table.review = Some(review_of(&[('B', "E5"), ('W', "C7")]));
        let [english, japanese] = [Language::English, Language::Japanese]
            .map(|language| table.to_reviewed_record(&Visitor::for_language(language)).to_sgf());
        assert!(english.contains("C[mine\n\n") && english.contains("worse"), "{english}");
        assert!(japanese.contains("悪い") && japanese.contains("目"), "{japanese}");
        assert_eq!((english.matches("]V[").count(), english.matches("]SBKV[").count()), (2, 2), "{english}");
        assert!(!table.to_sgf().contains("SBKV"), "what is kept stays as it was");
        assert!(!table.to_sgf().contains("worse"), "what is kept stays as it was");
    }

    #[test]
    fn only_what_ishi_did_is_told_as_its_work() {
        let mut table = table("(;GM[1]SZ[9];B[ee];W[cc])");
        assert_eq!(table.describe_work(), None);
        table.seats[1] = Seat(Some("go-mcts:level=5".into()));
        assert_eq!(table.describe_work().as_deref(), Some("game t, black person, white go-mcts:level=5"));
        table.review = Some(review_of(&[('B', "E5"), ('W', "C7")]));
        assert!(table.describe_work().unwrap().ends_with("level=5, reviewed at level 5"));
        table.review.as_mut().unwrap().judge = Some("katago".to_string());
        assert!(table.describe_work().unwrap().ends_with("reviewed at level 5, judged by katago"));
    }

    #[test]
    fn the_saved_record_has_the_lines_of_its_lessons() {
        let mut table = table("(;GM[1]SZ[9];B[ee];W[cc];B[gg])");
        let mut review = review_of(&[('B', "E5"), ('W', "C7"), ('B', "G3")]);
        review.lessons[0].better_line = vec!["W G7".into(), "B C3".into()];
        review.lessons[0].refutation = vec!["B C6".into()];
        let title = BothLanguages::from_words(|_| "White tries to cut.".to_string());
        let moves = ["W G7", "B C3", "W H3"].map(String::from).to_vec();
        review.lessons[0].tried = vec![TriedLine { title, moves }];
        let mut last = GoLesson::with_answer(3, "worse", "悪い");
        last.refutation = vec!["W C6".into()];
        review.lessons.push(last);
        table.review = Some(review);
        let visitor = Visitor::for_language(Language::English);
        let saved = table.to_reviewed_record(&visitor).to_sgf().replace('\n', "");
        let better = "(;W[gc]C[The better line];B[cg];W[hg]C[White tries to cut.])";
        assert!(saved.contains(better), "{saved}");
        assert!(saved.contains("(;B[cd]C[What followed])"), "{saved}");
        assert!(!saved.contains("W[cd]"), "the game goes on after its end: {saved}");
        let again = GoTable::from_record("u".into(), saved.as_bytes()).unwrap();
        assert_eq!(again.tree.main_line().count(), 4, "the game is another one: {saved}");
        assert!(!table.to_sgf().contains("gc"), "what is kept stays as it was");
    }

    #[test]
    fn a_side_without_a_name_is_called_in_the_language_of_the_visitor() {
        let unnamed = table("(;GM[1]SZ[9]PB[Aki];B[ee])");
        let of = |language| unnamed.title_for(&Visitor::for_language(language));
        assert_eq!([of(Language::English), of(Language::Japanese)], ["Aki - White", "Aki - 白"]);
    }

    #[test]
    fn what_is_kept_comes_back() {
        let mut first = table("(;GM[1]SZ[9]KM[6.5];B[ee]C[centre];W[cc])");
        first.step_by(1);
        first.toggle_label(Point::new(0, 0)).unwrap();
        first.toggle_mark("TR", Point::new(1, 1)).unwrap();
        (first.is_rated, first.taught) = (true, Some(Listener::Dan));
        first.judge = Some("katago".to_string());
        first.leave_blunder();
        let document = StoredDocument {
            kind: KIND.into(),
            key: "t".into(),
            title: first.title(),
            body: first.to_json(),
            revision: 3,
            changed: 0,
        };
        let again = GoTable::from_document(&document).unwrap();
        assert_eq!((again.to_sgf(), again.revision, again.comment()), (first.to_sgf(), 3, "centre".into()));
        assert_eq!(again.labels(), [("ai".to_string(), "A".to_string())]);
        assert_eq!(again.position().unwrap().moves().len(), 1);
        assert_eq!((again.is_rated, again.taught, again.is_judged), (true, Some(Listener::Dan), true));
        assert_eq!(again.judge.as_deref(), Some("katago"));
    }

    /// Versions before teaching games kept nothing of them.
    #[test]
    fn a_table_of_an_older_version_comes_back() {
        let mut body = table("(;GM[1]SZ[9];B[ee])").to_json();
        let fields = body.as_object_mut().unwrap();
        for later in ["is_rated", "taught", "judge", "is_judged", "warning", "seki"] {
            assert!(fields.remove(later).is_some(), "{later}");
        }
        let (kind, key, title) = (KIND.to_string(), "t".to_string(), String::new());
        let document = StoredDocument { kind, key, title, body, revision: 1, changed: 0 };
        let again = GoTable::from_document(&document).unwrap();
        assert_eq!((again.is_rated, again.taught, again.is_judged), (false, None, false));
        assert!(again.warning.is_none() && again.tree.node_count() == 2);
    }

    fn ranked_game() -> NewGame {
        NewGame {
            size: BoardSize::square(9).unwrap(),
            rules: Rules::CHINESE,
            komi: 7.5,
            handicap: 0,
            seats: [Seat(None), Seat(Some(format!("{RANKED}12k")))],
            control: TimeControl::default(),
            taught: None,
            judge: None,
        }
    }

    const WON: GameResult = GameResult::Resignation(Color::Black);

    #[test]
    fn an_even_game_against_a_rank_counts_when_it_has_ended() {
        let mut table = GoTable::new("t".into(), &ranked_game()).unwrap();
        play(&mut table, "E5");
        assert_eq!(table.rated_game(), None, "it goes on");
        table.end_game(GameResult::Void);
        assert_eq!(table.rated_game(), None, "nobody has won or lost");
        table.end_game(WON);
        let counted = |score| RatedGame { table: "t".into(), opponent: "12k".into(), score };
        assert_eq!(table.rated_game(), Some(counted(1.0)));
        table.end_game(GameResult::Draw);
        assert_eq!(table.rated_game(), Some(counted(0.5)));
        table.undo().unwrap();
        table.end_game(WON);
        assert_eq!(table.rated_game(), None, "the result was taken back");
        let ended = |game: NewGame| {
            let mut table = GoTable::new("t".into(), &game).unwrap();
            table.end_game(GameResult::Time(Color::White));
            table.rated_game()
        };
        assert_eq!(ended(ranked_game()), Some(counted(0.0)));
        for other in [
            NewGame { taught: Some(Listener::Kyu), ..ranked_game() },
            NewGame { handicap: 2, ..ranked_game() },
            NewGame { komi: 50.0, ..ranked_game() },
            NewGame { size: BoardSize::square(5).unwrap(), ..ranked_game() },
            NewGame { seats: [Seat(None), Seat(Some(format!("{RANKED}12k,resign=0.5")))], ..ranked_game() },
            NewGame { seats: Default::default(), ..ranked_game() },
            NewGame { seats: [Seat(None), Seat(Some("go-random".into()))], ..ranked_game() },
        ] {
            assert_eq!(ended(other.clone()), None, "{other:?}");
        }
    }

    #[test]
    fn only_a_person_against_an_engine_is_taught() {
        let engine = || Seat(Some("go-random".into()));
        let taught = |seats: [Seat; 2]| {
            let game = NewGame { taught: Some(Listener::Kyu), seats, ..ranked_game() };
            GoTable::new("t".into(), &game).unwrap().taught
        };
        assert_eq!(taught([engine(), Seat(None)]), Some(Listener::Kyu));
        assert_eq!(taught([Seat(None), Seat(None)]), None);
        assert_eq!(taught([engine(), engine()]), None);
    }

    #[test]
    fn a_game_in_which_something_is_taken_back_does_not_count() {
        let new_table = || {
            let mut table = GoTable::new("t".into(), &ranked_game()).unwrap();
            ["E5", "C3", "G7"].into_iter().for_each(|vertex| play(&mut table, vertex));
            table
        };
        let mut stepped = new_table();
        stepped.go_to_node(1).unwrap();
        play(&mut stepped, "C3");
        stepped.end_game(WON);
        assert!(stepped.rated_game().is_some(), "who steps through the game takes nothing back");
        let change: [fn(&mut GoTable); 4] = [
            |table| table.undo().unwrap(),
            |table| {
                table.go_to_node(2).unwrap();
                play(table, "G3");
            },
            |table| table.cut_branch(),
            |table| table.set_up(Point::new(0, 0), Some(Color::Black)).unwrap(),
        ];
        for change in change {
            let mut table = new_table();
            change(&mut table);
            table.end_game(WON);
            assert_eq!(table.rated_game(), None, "{}", table.to_sgf());
        }
    }

    fn warning_of(vertex: &str) -> BlunderWarning {
        let reason = BothLanguages::from_words(|_| "bad".to_string());
        BlunderWarning { vertex: vertex.to_string(), reason }
    }

    /// Time that the person reads, and that the look itself takes, is not the engine's.
    #[test]
    fn the_engines_clock_stands_while_a_blunder_is_looked_for_and_told() {
        let mut table = table("(;GM[1]SZ[9];B[ee])");
        table.step_by(1);
        table.seats[1] = Seat(Some("go-random".into()));
        table.control = "300".parse().unwrap();
        (table.taught, table.due, table.since) = (Some(Listener::Kyu), true, 0);
        assert!(table.flag_fell(Color::White) && !table.clock_runs(), "the move is looked at");
        (table.warning, table.is_judged, table.due) = (Some(warning_of("E5")), true, false);
        assert!(!table.clock_runs(), "the blunder is told");
        table.leave_blunder();
        assert!(table.clock_runs() && !table.flag_fell(Color::White));
        table.end_game(GameResult::Draw);
        assert!(!table.clock_runs());
    }

    /// A warning that stayed would refuse every move at the place before it.
    #[test]
    fn who_steps_away_from_a_blunder_leaves_its_warning() {
        let mut table = table("(;GM[1]SZ[9];B[ee];W[cc])");
        table.step_by(1);
        (table.warning, table.is_judged) = (Some(warning_of("E5")), true);
        table.step_by(0);
        assert!(table.warning.is_some(), "it is the same place");
        table.undo().unwrap();
        assert_eq!(table.tree.node_count(), 3, "the record goes on there: nothing is deleted");
        assert!(table.warning.is_none() && !table.is_judged);
    }

    #[test]
    fn set_up_and_marks_toggle() {
        let mut table = table("(;GM[1]SZ[9];B[ee])");
        table.step_by(1);
        table.set_up(Point::new(0, 0), Some(Color::White)).unwrap();
        assert_eq!(table.tree.node_count(), 3, "set-up has a node of its own");
        table.set_up(Point::new(0, 0), None).unwrap();
        table.toggle_mark("CR", Point::new(2, 2)).unwrap();
        table.toggle_mark("CR", Point::new(2, 2)).unwrap();
        assert!(table.to_sgf().contains(";AE[ai])"), "{}", table.to_sgf());
    }

    #[test]
    fn undo_in_the_middle_of_a_record_loses_nothing() {
        let mut table = table("(;GM[1]SZ[9]RE[B+R];B[ee];W[cc];B[gg])");
        table.step_by(2);
        table.undo().unwrap();
        assert_eq!((table.tree.node_count(), table.position().unwrap().moves().len()), (4, 1));
        table.step_by(9);
        table.undo().unwrap();
        assert_eq!((table.tree.node_count(), table.result()), (4, None));
    }

    #[test]
    fn stones_in_seki_are_kept_while_it_is_counted() {
        let point = |vertex: &str| BoardSize::square(9).unwrap().parse_point(vertex).unwrap();
        let status = FinalStatus { dead: vec![point("A1")], seki: vec![point("B1"), point("C1")] };
        let mut table = table("(;GM[1]SZ[9])");
        assert_eq!(table.final_status(), None);
        table.propose_count(status.clone());
        let (kind, key, title) = (KIND.to_string(), "t".to_string(), String::new());
        let document = StoredDocument { kind, key, title, body: table.to_json(), revision: 1, changed: 0 };
        assert_eq!(GoTable::from_document(&document).unwrap().final_status(), Some(status));
    }

    #[test]
    fn undo_takes_both_moves_back() {
        let mut table = table("(;GM[1]SZ[9];B[ee];W[cc])");
        table.seats[1] = Seat(Some("go-random".into()));
        table.step_by(2);
        table.undo().unwrap();
        assert_eq!((table.tree.node_count(), table.position().unwrap().to_move()), (1, Color::Black));
    }

    #[test]
    fn bad_records_are_refused_in_words() {
        for (bytes, words) in
            [(&b"no record"[..], "SGF"), (b"(;GM[2])", "no game of Go"), (b"(;SZ[30])", "30")]
        {
            let error = GoTable::from_record("t".into(), bytes).err().unwrap();
            assert!(format!("{error:?}").contains(words), "{error:?}");
        }
    }
}
