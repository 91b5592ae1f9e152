//! Writes a collection: always UTF-8 and FF[4], values as they are, without recursion.

use crate::tree::{Collection, GameTree, Ident, Node, NodeId, Property, PropertyValue};

/// Nodes with one short property that go on one line.
const LINE: usize = 72;

impl Collection {
    /// A collection of one game.
    pub fn from_game(game: GameTree) -> Collection {
        Collection { games: vec![game] }
    }

    /// Says in every root which program wrote the record (AP): its name and version.
    pub fn set_application(&mut self, name: &str, version: &str) {
        self.set_in_roots("AP", &PropertyValue::from_composed(name, version));
    }

    /// Says in every root how the record was made: MADEBY, such as version, seed and command. `FF[4]` lets programs have properties of their own, and
    /// others keep what they do not know.
    ///
    /// ```
    /// let mut collection = ishi_sgf::read_collection(b"(;GM[1]MADEBY[before];B[aa])").unwrap().collection;
    /// collection.set_made_by("ishi 0.1.0, seed 1");
    /// assert_eq!(collection.to_sgf(), "(;FF[4]CA[UTF-8]GM[1]MADEBY[ishi 0.1.0, seed 1];B[aa])\n");
    /// ```
    pub fn set_made_by(&mut self, text: &str) {
        self.set_in_roots("MADEBY", &PropertyValue::from_text(text));
    }

    fn set_in_roots(&mut self, name: &'static str, value: &PropertyValue) {
        for game in &mut self.games {
            game.root_mut().set_property(Property::with_name(name, [value.clone()]));
        }
    }

    /// The collection as SGF `FF[4]` in UTF-8. FF and CA of every root say so; all else is written as it was read.
    ///
    /// ```
    /// let reading = ishi_sgf::read_collection(b"(;GaMe[1]FF[3]XY[kept];B[aa](;W[bb])(;W[cc]))").unwrap();
    /// assert_eq!(
    ///     reading.collection.to_sgf(),
    ///     "(;FF[4]CA[UTF-8]GM[1]XY[kept];B[aa]\n(;W[bb])\n(;W[cc]))\n"
    /// );
    /// ```
    pub fn to_sgf(&self) -> String {
        let mut out = String::new();
        for game in &self.games {
            write_game(game, &mut out);
            out.push('\n');
        }
        out
    }
}

enum WriteTask {
    Node(NodeId),
    Open(NodeId),
    Close,
}

fn write_game(game: &GameTree, out: &mut String) {
    let mut line_start = out.len();
    out.push('(');
    let mut tasks = vec![WriteTask::Close, WriteTask::Node(NodeId::ROOT)];
    while let Some(task) = tasks.pop() {
        match task {
            WriteTask::Close => out.push(')'),
            WriteTask::Open(id) => {
                out.push_str("\n(");
                line_start = out.len();
                tasks.extend([WriteTask::Close, WriteTask::Node(id)]);
            }
            WriteTask::Node(id) => {
                if out.len() > line_start + LINE {
                    out.push('\n');
                    line_start = out.len();
                }
                write_node(game.node(id), id == NodeId::ROOT, out);
                let mut children: Vec<NodeId> = game.children(id).collect();
                match children.len() {
                    1 => tasks.push(WriteTask::Node(children[0])),
                    _ => tasks.extend(children.drain(..).rev().map(WriteTask::Open)),
                }
            }
        }
    }
}

fn write_node(node: &Node, root: bool, out: &mut String) {
    out.push(';');
    if root {
        out.push_str("FF[4]CA[UTF-8]");
    }
    for property in &node.properties {
        let replaced = root && matches!(property.ident().as_str(), "FF" | "CA");
        if !replaced {
            write_property(property, out);
        }
    }
}

fn write_property(property: &Property, out: &mut String) {
    out.push_str(property.ident().as_str());
    for value in property.values() {
        out.push('[');
        out.push_str(value.raw_text());
        out.push(']');
    }
}

impl GameTree {
    /// Puts `FF[4]` and `CA[UTF-8]` at the head of the root, as the writer does: then what is written is read back
    /// as the same tree.
    pub fn normalise_root(&mut self) {
        let head = ["FF", "CA"].map(|name| Ident::new(name).expect("a property name"));
        let properties = &mut self.root_mut().properties;
        properties.retain(|property| !head.contains(property.ident()));
        let values = ["4", "UTF-8"].map(PropertyValue::from_text);
        let new = head.into_iter().zip(values).map(|(ident, value)| Property::new(ident, [value]));
        properties.splice(0..0, new);
    }
}
