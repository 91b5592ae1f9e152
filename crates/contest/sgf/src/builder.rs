//! Makes a record of a game as it is played.

use ishi_go::{BoardSize, Color, Move, Point};

use crate::info::GameResult;
use crate::points::{move_text, point_text};
use crate::text::escape_composed;
use crate::tree::{GameTree, Ident, NodeId, Property, PropertyValue};

/// Marks on points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordMark {
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

impl RecordMark {
    fn property_name(self) -> &'static str {
        match self {
            RecordMark::Triangle => "TR",
            RecordMark::Square => "SQ",
            RecordMark::Circle => "CR",
            RecordMark::Cross => "MA",
            RecordMark::Selected => "SL",
            RecordMark::BlackTerritory => "TB",
            RecordMark::WhiteTerritory => "TW",
        }
    }
}

/// Builds a game tree of one line: info in the root, a node for every move. Comments and marks go to the last
/// node.
///
/// ```
/// use ishi_go::{BoardSize, Color, Move, Point};
/// use ishi_sgf::{Collection, GameBuilder, GameResult, RecordMark};
/// let mut game = GameBuilder::new(BoardSize::square(9).unwrap());
/// game.set_player(Color::Black, "ishi").set_komi(7.5).set_rules("Chinese").set_result(GameResult::Points(Color::Black, 0.5));
/// game.add_move(Color::Black, Move::Play(Point::new(4, 4))).add_comment("the centre").add_mark(RecordMark::Circle, Point::new(4, 4));
/// game.add_move(Color::White, Move::Pass);
/// assert_eq!(
///     Collection::from_game(game.into_tree()).to_sgf(),
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
        builder.tree.normalise_root();
        let sides = if size.width() == size.height() {
            PropertyValue::from_text(&size.width().to_string())
        } else {
            PropertyValue::from_composed(&size.width().to_string(), &size.height().to_string())
        };
        builder.set_root_property("GM", PropertyValue::from_text("1"));
        builder.set_root_property("SZ", sides);
        builder
    }

    fn set_root_property(&mut self, name: &'static str, value: PropertyValue) -> &mut Self {
        self.tree.root_mut().set_property(Property::with_name(name, [value]));
        self
    }

    /// Sets a property of the root to this text.
    ///
    /// ```
    /// use ishi_go::BoardSize;
    /// use ishi_sgf::{Collection, GameBuilder, Ident};
    /// let mut game = GameBuilder::new(BoardSize::square(9).unwrap());
    /// game.set_info(Ident::new("PC").unwrap(), "Kyoto");
    /// assert!(Collection::from_game(game.into_tree()).to_sgf().contains("PC[Kyoto]"));
    /// ```
    pub fn set_info(&mut self, ident: Ident, text: &str) -> &mut Self {
        self.tree.root_mut().set_property(Property::new(ident, [PropertyValue::from_text(text)]));
        self
    }

    /// PB or PW.
    pub fn set_player(&mut self, color: Color, name: &str) -> &mut Self {
        self.set_root_property(["PB", "PW"][color.index()], PropertyValue::from_text(name))
    }

    /// BR or WR.
    pub fn set_rank(&mut self, color: Color, rank: &str) -> &mut Self {
        self.set_root_property(["BR", "WR"][color.index()], PropertyValue::from_text(rank))
    }

    /// KM, points.
    pub fn set_komi(&mut self, points: f64) -> &mut Self {
        self.set_root_property("KM", PropertyValue::from_text(&points.to_string()))
    }

    /// HA, stones; the stones themselves are a matter of [`GameBuilder::add_setup`].
    pub fn set_handicap(&mut self, stones: u32) -> &mut Self {
        self.set_root_property("HA", PropertyValue::from_text(&stones.to_string()))
    }

    /// RU.
    pub fn set_rules(&mut self, rules: &str) -> &mut Self {
        self.set_root_property("RU", PropertyValue::from_text(rules))
    }

    /// RE.
    pub fn set_result(&mut self, result: GameResult) -> &mut Self {
        self.set_root_property("RE", PropertyValue::from_text(&result.to_string()))
    }

    /// DT, such as `2026-11-21`.
    pub fn set_date(&mut self, date: &str) -> &mut Self {
        self.set_root_property("DT", PropertyValue::from_text(date))
    }

    /// EV.
    pub fn set_event(&mut self, event: &str) -> &mut Self {
        self.set_root_property("EV", PropertyValue::from_text(event))
    }

    /// RO.
    pub fn set_round(&mut self, round: &str) -> &mut Self {
        self.set_root_property("RO", PropertyValue::from_text(round))
    }

    /// GN.
    pub fn set_game_name(&mut self, name: &str) -> &mut Self {
        self.set_root_property("GN", PropertyValue::from_text(name))
    }

    /// AP: name and version of the program.
    pub fn set_application(&mut self, name: &str, version: &str) -> &mut Self {
        self.set_root_property("AP", PropertyValue::from_composed(name, version))
    }

    /// TM: seconds of main time; OT: the overtime in words.
    pub fn set_time(&mut self, seconds: f64, overtime: Option<&str>) -> &mut Self {
        self.set_root_property("TM", PropertyValue::from_text(&seconds.to_string()));
        if let Some(overtime) = overtime {
            self.set_root_property("OT", PropertyValue::from_text(overtime));
        }
        self
    }

    /// Puts stones of this colour on points (AB, AW). After a move this begins a new node, because set-up and
    /// moves do not mix.
    pub fn add_setup(&mut self, color: Color, points: &[Point]) -> &mut Self {
        if points.is_empty() {
            return self;
        }
        let node = self.tree.node(self.at);
        if ["B", "W"].iter().any(|name| node.property(name).is_some()) {
            self.at = self.tree.add_child(self.at);
        }
        points.iter().for_each(|&point| self.add_value(["AB", "AW"][color.index()], self.point_value(point)));
        self
    }

    /// Says who is to play (PL).
    pub fn set_to_play(&mut self, color: Color) -> &mut Self {
        let value = PropertyValue::from_text(&color.letter().to_string());
        self.tree.node_mut(self.at).set_property(Property::with_name("PL", [value]));
        self
    }

    /// Adds a node with this move.
    pub fn add_move(&mut self, color: Color, mv: Move) -> &mut Self {
        self.at = self.tree.add_child(self.at);
        let value = PropertyValue::from_text(&move_text(self.size, mv));
        self.tree.node_mut(self.at).push_property(Property::with_name(["B", "W"][color.index()], [value]));
        self
    }

    /// C of the last node; a second comment begins a new line.
    pub fn add_comment(&mut self, text: &str) -> &mut Self {
        let node = self.tree.node_mut(self.at);
        let before = node.value("C").map(|old| old.to_text() + "\n").unwrap_or_default();
        node.set_text("C", &(before + text));
        self
    }

    /// BL or WL of the last node: seconds left to this player.
    pub fn set_time_left(&mut self, color: Color, seconds: f64) -> &mut Self {
        let value = PropertyValue::from_text(&format!("{seconds:.3}"));
        self.tree.node_mut(self.at).set_property(Property::with_name(["BL", "WL"][color.index()], [value]));
        self
    }

    /// Marks a point in the last node.
    pub fn add_mark(&mut self, mark: RecordMark, point: Point) -> &mut Self {
        self.add_value(mark.property_name(), self.point_value(point));
        self
    }

    /// LB: writes a label on a point in the last node.
    pub fn add_label(&mut self, point: Point, text: &str) -> &mut Self {
        let raw = format!("{}:{}", point_text(self.size, point), escape_composed(text));
        if let Some(value) = PropertyValue::from_raw(&raw) {
            self.add_value("LB", value);
        }
        self
    }

    /// The game.
    pub fn into_tree(self) -> GameTree {
        self.tree
    }

    fn point_value(&self, point: Point) -> PropertyValue {
        PropertyValue::from_text(&point_text(self.size, point))
    }

    fn add_value(&mut self, name: &'static str, value: PropertyValue) {
        let node = self.tree.node_mut(self.at);
        let values: Vec<PropertyValue> = node.values(name).cloned().chain([value]).collect();
        node.set_property(Property::with_name(name, values));
    }
}
