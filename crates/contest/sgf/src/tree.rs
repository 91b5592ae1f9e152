//! The data: a collection of game trees, a tree of nodes in an arena, a node of properties with raw values.
//!
//! Values are kept as they stood between the brackets (decoded to Unicode, escapes in place), so that what the
//! program does not know survives unchanged. Nothing here recurses: a tree may be as deep as memory allows.

use std::fmt;
use std::num::NonZeroU32;

use crate::text::{escape_composed, escape_value, is_well_escaped, unescape_simple, unescape_text};
use crate::warning::FileLocation;

/// What a file holds: game trees, usually one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Collection {
    /// The games in the order of the file.
    pub games: Vec<GameTree>,
}

/// The index of a node in its [`GameTree`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(NonZeroU32); // One more than the index, so that an Option of it is four bytes.

impl NodeId {
    /// The root of every tree.
    pub const ROOT: NodeId = NodeId(NonZeroU32::MIN);

    pub(crate) fn index(self) -> usize {
        self.0.get() as usize - 1
    }
}

/// The name of a property: capital letters, and digits after the first.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Ident(Box<str>);

/// The text is no property name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("invalid property name {0:?}: write capital letters, such as AB")]
pub struct IdentError(String);

impl Ident {
    /// A property name.
    ///
    /// # Errors
    /// If the text is not capital letters, with digits after the first.
    pub fn new(text: &str) -> Result<Ident, IdentError> {
        let first = text.bytes().next().is_some_and(|b| b.is_ascii_uppercase());
        if first && text.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit()) {
            Ok(Ident(text.into()))
        } else {
            Err(IdentError(text.to_string()))
        }
    }

    /// The name of a property as old files write it: lower case letters are dropped (`SiZe` is `SZ`); a name of
    /// lower case letters only is read as if it were capital. `text` begins with a letter.
    pub(crate) fn from_old_spelling(text: &str) -> Ident {
        let kept: String = text.chars().filter(|c| !c.is_ascii_lowercase()).collect();
        Ident::new(&kept).unwrap_or_else(|_| Ident(text.to_ascii_uppercase().into()))
    }

    /// The name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl PartialEq<str> for Ident {
    fn eq(&self, other: &str) -> bool {
        &*self.0 == other
    }
}

impl fmt::Display for Ident {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for Ident {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// One value of a property. Two values are equal if their raw texts are, wherever they stood.
#[derive(Clone, Debug, Default)]
pub struct PropertyValue {
    raw: String,
    place: FileLocation,
}

impl PropertyValue {
    /// A value of text, which is escaped.
    ///
    /// ```
    /// use ishi_sgf::PropertyValue;
    /// assert_eq!(PropertyValue::from_text("a]").raw_text(), "a\\]");
    /// ```
    pub fn from_text(text: &str) -> PropertyValue {
        PropertyValue { raw: escape_value(text), place: FileLocation::NONE }
    }

    /// A composed value: two texts with a colon between them.
    ///
    /// ```
    /// use ishi_sgf::PropertyValue;
    /// assert_eq!(PropertyValue::from_composed("a:b", "c").raw_text(), "a\\:b:c");
    /// ```
    pub fn from_composed(left: &str, right: &str) -> PropertyValue {
        let raw = format!("{}:{}", escape_composed(left), escape_composed(right));
        PropertyValue { raw, place: FileLocation::NONE }
    }

    /// A value that is escaped already; `None` if an unescaped `]` or a trailing backslash would break the file.
    pub fn from_raw(raw: &str) -> Option<PropertyValue> {
        is_well_escaped(raw).then(|| PropertyValue { raw: raw.to_string(), place: FileLocation::NONE })
    }

    pub(crate) fn from_escaped(raw: String, place: FileLocation) -> PropertyValue {
        debug_assert!(is_well_escaped(&raw), "{raw:?}");
        PropertyValue { raw, place }
    }

    /// What stood between the brackets, escapes in place.
    pub fn raw_text(&self) -> &str {
        &self.raw
    }

    /// The value as `Text`.
    pub fn to_text(&self) -> String {
        unescape_text(&self.raw)
    }

    /// The value as `SimpleText`.
    pub fn to_simple_text(&self) -> String {
        unescape_simple(&self.raw)
    }

    /// Where its bracket stands.
    pub fn place(&self) -> FileLocation {
        self.place
    }
}

impl PartialEq for PropertyValue {
    fn eq(&self, other: &PropertyValue) -> bool {
        self.raw == other.raw
    }
}

impl Eq for PropertyValue {}

/// A property: its name and at least one value.
#[derive(Clone, Debug)]
pub struct Property {
    ident: Ident,
    values: Vec<PropertyValue>,
    place: FileLocation,
}

impl Property {
    /// A property; without a value it gets an empty one, as in `KO[]`.
    pub fn new(ident: Ident, values: impl IntoIterator<Item = PropertyValue>) -> Property {
        Property::from_parts(ident, values.into_iter().collect(), FileLocation::NONE)
    }

    /// A property of a name that the program itself writes, such as `"KM"`.
    ///
    /// # Panics
    /// If the name has anything but capital letters.
    pub fn with_name(name: &'static str, values: impl IntoIterator<Item = PropertyValue>) -> Property {
        Property::new(Ident::new(name).expect("capital letters"), values)
    }

    pub(crate) fn from_parts(ident: Ident, mut values: Vec<PropertyValue>, place: FileLocation) -> Property {
        // A property has a value at least, as `value` takes for granted.
        if values.is_empty() {
            values.push(PropertyValue::default());
        }
        Property { ident, values, place }
    }

    /// Its name.
    pub fn ident(&self) -> &Ident {
        &self.ident
    }

    /// Its values, at least one.
    pub fn values(&self) -> &[PropertyValue] {
        &self.values
    }

    /// Its first value.
    pub fn value(&self) -> &PropertyValue {
        &self.values[0]
    }

    /// Where its name stands.
    pub fn place(&self) -> FileLocation {
        self.place
    }
}

impl PartialEq for Property {
    fn eq(&self, other: &Property) -> bool {
        self.ident == other.ident && self.values == other.values
    }
}

impl Eq for Property {}

/// `KM[6.5]`, as it is written.
impl fmt::Display for Property {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.ident)?;
        self.values.iter().try_for_each(|value| write!(f, "[{}]", value.raw))
    }
}

/// A node: properties in the order of the file, and its place in the tree.
#[derive(Clone, Debug, Default)]
pub struct Node {
    /// The properties in the order of the file. The same name may come twice.
    pub properties: Vec<Property>,
    parent: Option<NodeId>,
    first_child: Option<NodeId>,
    last_child: Option<NodeId>,
    next_sibling: Option<NodeId>,
}

impl Node {
    /// The first property of this name.
    pub fn property(&self, name: &str) -> Option<&Property> {
        self.properties.iter().find(|property| property.ident == *name)
    }

    /// The first value of the first property of this name.
    ///
    /// ```
    /// let reading = ishi_sgf::read_collection(b"(;GM[1]C[a\\]b])").unwrap();
    /// let root = reading.collection.games[0].root();
    /// assert_eq!(root.value("C").map(|value| value.to_text()).as_deref(), Some("a]b"));
    /// assert!(root.value("GC").is_none());
    /// ```
    pub fn value(&self, name: &str) -> Option<&PropertyValue> {
        self.property(name).map(Property::value)
    }

    /// All values of all properties of this name.
    ///
    /// ```
    /// let reading = ishi_sgf::read_collection(b"(;AB[aa][bb]AB[cc])").unwrap();
    /// let points = reading.collection.games[0].root().values("AB").map(|value| value.to_text());
    /// assert_eq!(points.collect::<Vec<_>>(), ["aa", "bb", "cc"]);
    /// ```
    pub fn values<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a PropertyValue> {
        self.properties.iter().filter(move |property| property.ident == *name).flat_map(|p| &p.values)
    }

    /// Puts a property in the place of the first of its name, or at the end.
    pub fn set_property(&mut self, property: Property) {
        match self.properties.iter_mut().find(|old| old.ident == property.ident) {
            Some(old) => *old = property,
            None => self.properties.push(property),
        }
    }

    /// The same of a text: its property has this one value.
    ///
    /// # Panics
    /// If the name has anything but capital letters.
    pub fn set_text(&mut self, name: &'static str, text: &str) {
        self.set_property(Property::with_name(name, [PropertyValue::from_text(text)]));
    }

    /// Adds a property at the end.
    pub fn push_property(&mut self, property: Property) {
        self.properties.push(property);
    }

    /// The node before this one.
    pub fn parent(&self) -> Option<NodeId> {
        self.parent
    }

    /// The next node, on the first variation.
    pub fn first_child(&self) -> Option<NodeId> {
        self.first_child
    }

    /// The next variation beside this node.
    pub fn next_sibling(&self) -> Option<NodeId> {
        self.next_sibling
    }
}

/// One game with all its variations. There is always a root.
///
/// ```
/// use ishi_sgf::{GameTree, Ident, NodeId, Property, PropertyValue};
/// let mut game = GameTree::new();
/// let move1 = game.add_child(NodeId::ROOT);
/// game.node_mut(move1).push_property(Property::new(Ident::new("B").unwrap(), [PropertyValue::from_text("pd")]));
/// assert_eq!(game.main_line().count(), 2);
/// ```
#[derive(Clone, Debug)]
pub struct GameTree {
    nodes: Vec<Node>,
}

impl Default for GameTree {
    fn default() -> GameTree {
        GameTree::new()
    }
}

impl GameTree {
    /// A tree of an empty root.
    pub fn new() -> GameTree {
        GameTree { nodes: vec![Node::default()] }
    }

    /// Number of nodes.
    pub fn node_count(&self) -> usize {
        self.nodes.len()
    }

    /// The root.
    pub fn root(&self) -> &Node {
        &self.nodes[0]
    }

    /// The root, to be changed.
    pub fn root_mut(&mut self) -> &mut Node {
        &mut self.nodes[0]
    }

    /// The node of this index.
    ///
    /// # Panics
    /// If the index is from a larger tree.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }

    /// The node of this index, to be changed.
    ///
    /// # Panics
    /// If the index is from a larger tree.
    pub fn node_mut(&mut self, id: NodeId) -> &mut Node {
        &mut self.nodes[id.index()]
    }

    /// Adds an empty node as the last variation after `parent`.
    ///
    /// # Panics
    /// If `parent` is from a larger tree, or the tree has 2^32 - 1 nodes already.
    pub fn add_child(&mut self, parent: NodeId) -> NodeId {
        let number = u32::try_from(self.nodes.len() + 1).ok().and_then(NonZeroU32::new);
        let id = NodeId(number.expect("fewer than 2^32 nodes"));
        match self.node(parent).last_child {
            Some(last) => self.node_mut(last).next_sibling = Some(id),
            None => self.node_mut(parent).first_child = Some(id),
        }
        self.node_mut(parent).last_child = Some(id);
        self.nodes.push(Node { parent: Some(parent), ..Node::default() });
        id
    }

    /// The nodes after `parent`, one for each variation.
    pub fn children(&self, parent: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(self.node(parent).first_child, |&child| self.node(child).next_sibling)
    }

    /// The root and the first child of each node in turn.
    pub fn main_line(&self) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(Some(NodeId::ROOT), |&node| self.node(node).first_child)
    }

    /// The nodes from the root to this one.
    ///
    /// ```
    /// let reading = ishi_sgf::read_collection(b"(;GM[1];B[aa](;W[bb])(;W[cc]))").unwrap();
    /// let game = &reading.collection.games[0];
    /// let last = game.preorder().last().unwrap();
    /// assert_eq!(game.path_to(last).len(), 3);
    /// ```
    pub fn path_to(&self, node: NodeId) -> Vec<NodeId> {
        let mut path: Vec<NodeId> =
            std::iter::successors(Some(node), |&node| self.node(node).parent).collect();
        path.reverse();
        path
    }

    /// All nodes in the order of a file: each before its children, variations in turn. Without recursion.
    ///
    /// ```
    /// let reading = ishi_sgf::read_collection(b"(;GM[1];B[aa](;W[bb])(;W[cc]))").unwrap();
    /// let game = &reading.collection.games[0];
    /// assert_eq!((game.preorder().count(), game.main_line().count()), (4, 3));
    /// ```
    pub fn preorder(&self) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(Some(NodeId::ROOT), |&id| self.next_in_preorder(id))
    }

    fn next_in_preorder(&self, id: NodeId) -> Option<NodeId> {
        let node = self.node(id);
        let up = |id: &NodeId| self.node(*id).parent;
        node.first_child
            .or_else(|| std::iter::successors(Some(id), up).find_map(|id| self.node(id).next_sibling))
    }
}

/// Two trees are equal if they have the same shape and the same properties, however they were built.
impl PartialEq for GameTree {
    fn eq(&self, other: &GameTree) -> bool {
        let links = |tree: &GameTree, id: NodeId| {
            let node = tree.node(id);
            (node.first_child.is_some(), node.next_sibling.is_some())
        };
        // Preorder and these two links tell the whole shape, without recursion: a tree may be deeper than the stack.
        self.node_count() == other.node_count()
            && self.preorder().zip(other.preorder()).all(|(a, b)| {
                links(self, a) == links(other, b) && self.node(a).properties == other.node(b).properties
            })
    }
}

impl Eq for GameTree {}
