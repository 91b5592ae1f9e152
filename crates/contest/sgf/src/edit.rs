//! Changes of a tree's shape. Where nodes go or change places, all are numbered anew: whoever keeps a [`NodeId`] asks for its new one.

use ishi_go::{BoardSize, Color, Move};

use crate::points::move_text;
use crate::tree::{GameTree, NodeId};

/// A changed tree, and where each node of the old one is in it.
#[derive(Clone, Debug)]
pub struct ReshapedTree {
    /// The tree.
    pub tree: GameTree,
    places: Vec<Option<NodeId>>,
}

impl ReshapedTree {
    /// The new number of a node of the old tree; none if it is gone.
    pub fn new_node(&self, old: NodeId) -> Option<NodeId> {
        self.places.get(old.index()).copied().flatten()
    }
}

impl GameTree {
    /// The tree without this node and all that comes after it. The root stays.
    ///
    /// ```
    /// let game = ishi_sgf::read_collection(b"(;GM[1](;B[aa];W[bb])(;B[cc]))").unwrap().collection.games.remove(0);
    /// let first = game.children(ishi_sgf::NodeId::ROOT).next().unwrap();
    /// assert_eq!(game.without_node(first).tree.node_count(), 2);
    /// ```
    pub fn without_node(&self, gone: NodeId) -> ReshapedTree {
        self.reshape_tree(|_, children| {
            if gone != NodeId::ROOT {
                children.retain(|&child| child != gone);
            }
        })
    }

    /// The tree with the line through this node as its main line: it and the nodes before it come first among their siblings.
    pub fn with_main_line(&self, through: NodeId) -> ReshapedTree {
        let path = self.path_to(through);
        self.reshape_tree(|_, children| {
            if let Some(at) = children.iter().position(|child| path.contains(child)) {
                children[..=at].rotate_right(1);
            }
        })
    }

    /// Adds moves after a node as a variation, along those that are there. The first one that is new gets the comment. Nothing is added after
    /// the last move of the game: it would become a part of it.
    ///
    /// ```
    /// use ishi_go::{BoardSize, Color};
    /// let mut game = ishi_sgf::read_collection(b"(;SZ[9];B[ee];W[cc])").unwrap().collection.games.remove(0);
    /// let size = BoardSize::square(9).unwrap();
    /// let first = game.main_line().nth(1).unwrap();
    /// game.add_line(first, size, "better", [(Color::White, size.parse_move("G7").unwrap())]);
    /// assert!(ishi_sgf::Collection::from_game(game).to_sgf().contains("(;W[gc]C[better])"));
    /// ```
    pub fn add_line(
        &mut self,
        after: NodeId,
        size: BoardSize,
        comment: &str,
        moves: impl IntoIterator<Item = (Color, Move)>,
    ) {
        let end = self.main_line().last();
        if self.node(after).first_child().is_none() {
            return;
        }
        let (mut at, mut comment) = (after, Some(comment));
        for (color, mv) in moves {
            let (name, place) = (["B", "W"][color.index()], move_text(size, mv));
            let is_it =
                |child: &NodeId| self.node(*child).value(name).is_some_and(|value| value.to_text() == place);
            if let Some(known) = self.children(at).find(is_it) {
                at = known;
                continue;
            }
            if Some(at) == end {
                return;
            }
            at = self.add_child(at);
            let node = self.node_mut(at);
            node.set_text(name, &place);
            if let Some(comment) = comment.take() {
                node.set_text("C", comment);
            }
        }
    }

    /// Copies the tree; `change` may reorder and drop the children of each node.
    fn reshape_tree(&self, change: impl Fn(NodeId, &mut Vec<NodeId>)) -> ReshapedTree {
        let mut tree = GameTree::new();
        tree.root_mut().properties.clone_from(&self.root().properties);
        let mut places = vec![None; self.node_count()];
        places[NodeId::ROOT.index()] = Some(NodeId::ROOT);
        // Children are made when their parent is visited, all at once, so that the order of siblings holds.
        let mut open = vec![(NodeId::ROOT, NodeId::ROOT)];
        while let Some((old, new)) = open.pop() {
            let mut children: Vec<NodeId> = self.children(old).collect();
            change(old, &mut children);
            for child in children {
                let made = tree.add_child(new);
                tree.node_mut(made).properties.clone_from(&self.node(child).properties);
                places[child.index()] = Some(made);
                open.push((child, made));
            }
        }
        ReshapedTree { tree, places }
    }
}

#[cfg(test)]
mod tests {
    use ishi_go::{BoardSize, Color, Move};

    use crate::tree::{Collection, NodeId};

    fn sgf(tree: crate::GameTree) -> String {
        Collection::from_game(tree).to_sgf().replace('\n', "")
    }

    const GAME: &str = "(;FF[4]CA[UTF-8]GM[1](;B[aa](;W[bb])(;W[cc]))(;B[dd];W[ee]))";

    fn game() -> crate::GameTree {
        crate::read_collection(GAME.as_bytes()).unwrap().collection.games.remove(0)
    }

    #[test]
    fn a_line_becomes_the_main_line_and_nothing_is_lost() {
        let game = game();
        let last = game.preorder().last().unwrap();
        let changed = game.with_main_line(last);
        assert_eq!(sgf(changed.tree.clone()), "(;FF[4]CA[UTF-8]GM[1](;B[dd];W[ee])(;B[aa](;W[bb])(;W[cc])))");
        let place = changed.new_node(last).unwrap();
        assert_eq!(changed.tree.main_line().last(), Some(place));
    }

    #[test]
    fn a_line_is_a_variation_and_never_the_game_itself() {
        let mut game =
            crate::read_collection(b"(;SZ[9];B[ee];W[cc];B[gg])").unwrap().collection.games.remove(0);
        let size = BoardSize::square(9).unwrap();
        let nodes: Vec<NodeId> = game.main_line().collect();
        let line = |vertices: &str| {
            let colors = [Color::White, Color::Black].into_iter().cycle();
            let moves = vertices.split(' ').map(|vertex| size.parse_move(vertex).unwrap());
            colors.zip(moves).collect::<Vec<(Color, Move)>>()
        };
        game.add_line(nodes[1], size, "better", line("G7 C3"));
        // What the game has already is gone along, but not beyond its end.
        game.add_line(nodes[1], size, "followed", line("C7 G4"));
        game.add_line(nodes[1], size, "beyond", line("C7 G3 E3"));
        game.add_line(nodes[3], size, "the end", line("E3"));
        let written = sgf(game);
        assert!(written.contains("(;W[gc]C[better];B[cg])"), "{written}");
        assert!(written.contains("(;B[gf]C[followed])"), "{written}");
        assert!(!written.contains("beyond") && !written.contains("the end"), "{written}");
    }

    #[test]
    fn a_branch_goes_with_all_that_follows() {
        let game = game();
        let first = game.children(NodeId::ROOT).next().unwrap();
        let changed = game.without_node(first);
        assert_eq!(sgf(changed.tree.clone()), "(;FF[4]CA[UTF-8]GM[1];B[dd];W[ee])");
        assert_eq!(changed.new_node(first), None);
        assert_eq!(game.without_node(NodeId::ROOT).tree, game);
    }
}
