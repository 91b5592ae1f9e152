//! Makes a record of a game as it is played.

use ishi_go::{BoardSize, Color, Move, Point};

use crate::info::GameResult;
use crate::points::{move_text, point_text};
use crate::text::escape_composed;
use crate::tree::{GameTree, Ident, NodeId, Property, Value};

/// Marks on points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// TR.
    Triangle,
    /// SQ.
    Square,
    /// CR.
    Circle,
    /// MA.
    Cross,
    /// SL.
    Selected,
    /// TB.
    BlackTerritory,
    /// TW.
    WhiteTerritory,
}

impl Mark {
    fn ident(self) -> &'static str {
        match self {
            Mark::Triangle => "TR",
            Mark::Square => "SQ",
            Mark::Circle => "CR",
            Mark::Cross => "MA",
            Mark::Selected => "SL",
            Mark::BlackTerritory => "TB",
            Mark::WhiteTerritory => "TW",
        }
    }
}

/// Builds a game tree of one line: info in the root, a node for every move. Comments and marks go to the last
/// node.
///
/// ```
/// use ishi_go::{BoardSize, Color, Move, Point};
/// use ishi_sgf::{Collection, GameBuilder, GameResult, Mark};
/// let mut game = GameBuilder::new(BoardSize::square(9).unwrap());
/// game.player(Color::Black, "ishi").komi(7.5).rules("Chinese").result(GameResult::Points(Color::Black, 0.5));
/// game.play(Color::Black, Move::Play(Point::new(4, 4))).comment("the centre").mark(Mark::Circle, Point::new(4, 4));
/// game.play(Color::White, Move::Pass);
/// assert_eq!(
///     Collection::of(game.finish()).to_sgf(),
///     "(;FF[4]CA[UTF-8]GM[1]SZ[9]PB[ishi]KM[7.5]RU[Chinese]RE[B+0.5];B[ee]C[the centre]CR[ee]\n;W[])\n"
/// );
/// ```
#[derive(Clone, Debug)]
pub struct GameBuilder {
    tree: GameTree,
    at: NodeId,
    size: BoardSize,
}

impl GameBuilder {
    /// A game on a board of this size.
    pub fn new(size: BoardSize) -> GameBuilder {
        let mut builder = GameBuilder { tree: GameTree::new(), at: NodeId::ROOT, size };
        builder.tree.normalise();
        let sides = if size.width() == size.height() {
            Value::text(&size.width().to_string())
        } else {
            Value::composed(&size.width().to_string(), &size.height().to_string())
        };
        builder.set_root("GM", Value::text("1"));
        builder.set_root("SZ", sides);
        builder
    }

    fn set_root(&mut self, name: &'static str, value: Value) -> &mut Self {
        self.tree.root_mut().set(property(name, [value]));
        self
    }

    /// Sets a property of the root to this text.
    pub fn info(&mut self, ident: Ident, text: &str) -> &mut Self {
        self.tree.root_mut().set(Property::new(ident, [Value::text(text)]));
        self
    }

    /// PB or PW.
    pub fn player(&mut self, color: Color, name: &str) -> &mut Self {
        self.set_root(["PB", "PW"][color.index()], Value::text(name))
    }

    /// BR or WR.
    pub fn rank(&mut self, color: Color, rank: &str) -> &mut Self {
        self.set_root(["BR", "WR"][color.index()], Value::text(rank))
    }

    /// KM, points.
    pub fn komi(&mut self, points: f64) -> &mut Self {
        self.set_root("KM", Value::text(&points.to_string()))
    }

    /// HA, stones; the stones themselves are a matter of [`GameBuilder::setup`].
    pub fn handicap(&mut self, stones: u32) -> &mut Self {
        self.set_root("HA", Value::text(&stones.to_string()))
    }

    /// RU.
    pub fn rules(&mut self, rules: &str) -> &mut Self {
        self.set_root("RU", Value::text(rules))
    }

    /// RE.
    pub fn result(&mut self, result: GameResult) -> &mut Self {
        self.set_root("RE", Value::text(&result.to_string()))
    }

    /// DT, such as `2026-11-21`.
    pub fn date(&mut self, date: &str) -> &mut Self {
        self.set_root("DT", Value::text(date))
    }

    /// EV.
    pub fn event(&mut self, event: &str) -> &mut Self {
        self.set_root("EV", Value::text(event))
    }

    /// RO.
    pub fn round(&mut self, round: &str) -> &mut Self {
        self.set_root("RO", Value::text(round))
    }

    /// GN.
    pub fn name(&mut self, name: &str) -> &mut Self {
        self.set_root("GN", Value::text(name))
    }

    /// AP: name and version of the program.
    pub fn application(&mut self, name: &str, version: &str) -> &mut Self {
        self.set_root("AP", Value::composed(name, version))
    }

    /// TM: seconds of main time; OT: the overtime in words.
    pub fn time(&mut self, seconds: f64, overtime: Option<&str>) -> &mut Self {
        self.set_root("TM", Value::text(&seconds.to_string()));
        if let Some(overtime) = overtime {
            self.set_root("OT", Value::text(overtime));
        }
        self
    }

    /// Puts stones of this colour on points (AB, AW). After a move this begins a new node, because set-up and
    /// moves do not mix.
    pub fn setup(&mut self, color: Color, points: &[Point]) -> &mut Self {
        if points.is_empty() {
            return self;
        }
        let node = self.tree.node(self.at);
        if ["B", "W"].iter().any(|name| node.property(name).is_some()) {
            self.at = self.tree.add_child(self.at);
        }
        points.iter().for_each(|&point| self.add_value(["AB", "AW"][color.index()], self.point(point)));
        self
    }

    /// Says who is to play (PL).
    pub fn to_play(&mut self, color: Color) -> &mut Self {
        let value = Value::text(&color.letter().to_string());
        self.tree.node_mut(self.at).set(property("PL", [value]));
        self
    }

    /// Adds a node with this move.
    pub fn play(&mut self, color: Color, mv: Move) -> &mut Self {
        self.at = self.tree.add_child(self.at);
        let value = Value::text(&move_text(self.size, mv));
        self.tree.node_mut(self.at).push(property(["B", "W"][color.index()], [value]));
        self
    }

    /// C of the last node; a second comment begins a new line.
    pub fn comment(&mut self, text: &str) -> &mut Self {
        let node = self.tree.node_mut(self.at);
        let before = node.value("C").map(|old| old.to_text() + "\n").unwrap_or_default();
        node.set(property("C", [Value::text(&(before + text))]));
        self
    }

    /// BL or WL of the last node: seconds left to this player.
    pub fn time_left(&mut self, color: Color, seconds: f64) -> &mut Self {
        let value = Value::text(&format!("{seconds:.3}"));
        self.tree.node_mut(self.at).set(property(["BL", "WL"][color.index()], [value]));
        self
    }

    /// Marks a point in the last node.
    pub fn mark(&mut self, mark: Mark, point: Point) -> &mut Self {
        self.add_value(mark.ident(), self.point(point));
        self
    }

    /// LB: writes a label on a point in the last node.
    pub fn label(&mut self, point: Point, text: &str) -> &mut Self {
        let raw = format!("{}:{}", point_text(self.size, point), escape_composed(text));
        if let Some(value) = Value::from_raw(&raw) {
            self.add_value("LB", value);
        }
        self
    }

    /// The game.
    pub fn finish(self) -> GameTree {
        self.tree
    }

    fn point(&self, point: Point) -> Value {
        Value::text(&point_text(self.size, point))
    }

    fn add_value(&mut self, name: &'static str, value: Value) {
        let node = self.tree.node_mut(self.at);
        let values: Vec<Value> = node.values(name).cloned().chain([value]).collect();
        node.set(property(name, values));
    }
}

/// `name` is a constant of this file.
fn property(name: &'static str, values: impl IntoIterator<Item = Value>) -> Property {
    Property::new(Ident::new(name).expect("capital letters"), values)
}
