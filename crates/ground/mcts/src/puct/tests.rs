use super::*;

/// Heaps: who takes the last stone wins. Each action takes one to three from one heap. The judge knows ends, or the exact winner.
struct Heaps {
    heaps: [u8; 3],
    knows_winners: bool,
    judged: usize,
    largest_batch: usize,
}

impl Heaps {
    fn new(heaps: [u8; 3]) -> Heaps {
        Heaps { heaps, knows_winners: false, judged: 0, largest_batch: 0 }
    }

    /// By Sprague and Grundy: a heap of n counts n mod 4.
    fn is_won(heaps: [u8; 3]) -> bool {
        heaps.iter().fold(0, |sum, heap| sum ^ (heap % 4)) != 0
    }
}

impl JudgedGame for Heaps {
    type Position = [u8; 3];

    fn root(&self) -> [u8; 3] {
        self.heaps
    }

    fn play(&self, heaps: &mut [u8; 3], action: Action) {
        heaps[usize::from(action.0 / 4)] -= (action.0 % 4) as u8;
    }

    fn judge_leaves(&mut self, leaves: &mut [JudgedLeaf<[u8; 3]>]) {
        self.judged += leaves.len();
        self.largest_batch = self.largest_batch.max(leaves.len());
        for leaf in leaves {
            for (heap, &left) in leaf.position.iter().enumerate() {
                leaf.moves.extend(
                    (1..=left.min(3)).map(|taken| (Action((4 * heap) as u16 + u16::from(taken)), 1.0)),
                );
            }
            let known = self.knows_winners || leaf.moves.is_empty();
            let win = if !known {
                0.5
            } else if Heaps::is_won(leaf.position) {
                1.0
            } else {
                0.0
            };
            leaf.worth = Worth { win, lead: 10.0 * (2.0 * win - 1.0) };
        }
    }
}

fn search(game: &mut Heaps, params: JudgedParams, visits: u64) -> JudgedTree {
    let mut tree = JudgedTree::new(params);
    let done = tree.search(game, &mut |done| visits.saturating_sub(done));
    assert_eq!(done, visits);
    tree
}

fn leaves_a_lost_position(game: &Heaps, action: Action) -> bool {
    let mut after = game.heaps;
    game.play(&mut after, action);
    !Heaps::is_won(after)
}

#[test]
fn finds_the_winning_move_from_ends_alone() {
    for batch in [1, 8] {
        for heaps in [[3, 1, 1], [2, 3, 2], [1, 2, 5]] {
            let mut game = Heaps::new(heaps);
            let tree = search(&mut game, JudgedParams { batch, ..JudgedParams::default() }, 20_000);
            let best = &tree.ranked_moves()[0];
            assert!(leaves_a_lost_position(&game, best.action), "{heaps:?} {batch} {best:?}");
            assert!(best.win > 0.8 && best.lead > 5.0, "{best:?}");
            assert!(game.largest_batch <= batch);
        }
    }
}

/// What is true of every tree, whatever the judge says: visits of children and the own judgement add up, nothing waits.
#[test]
fn visits_add_up() {
    let mut game = Heaps::new([4, 5, 6]);
    for batch in [1, 3, 16] {
        let tree = search(&mut game, JudgedParams { batch, ..JudgedParams::default() }, 3_000);
        for node in &tree.nodes {
            assert_eq!(node.pending, 0);
            let below: u32 = node
                .edges
                .iter()
                .filter_map(|edge| edge.to)
                .map(|to| tree.nodes[to as usize].sums.visits)
                .sum();
            if !node.is_over() {
                assert_eq!(node.sums.visits, below + 1);
            }
            let priors: f32 = node.edges.iter().map(|edge| edge.prior).sum();
            assert!(node.edges.is_empty() || (priors - 1.0).abs() < 1e-4);
        }
    }
}

/// The root's mean is that of all judgements, each seen by the side to move at the root: a second way to it.
#[test]
fn means_are_those_of_the_judgements() {
    struct Noted(Heaps, Vec<(usize, Worth)>);
    impl JudgedGame for Noted {
        type Position = [u8; 3];
        fn root(&self) -> [u8; 3] {
            self.0.root()
        }
        fn play(&self, position: &mut [u8; 3], action: Action) {
            self.0.play(position, action);
        }
        fn judge_leaves(&mut self, leaves: &mut [JudgedLeaf<[u8; 3]>]) {
            self.0.judge_leaves(leaves);
            self.1.extend(leaves.iter().map(|leaf| (leaf.path.len(), leaf.worth)));
        }
    }
    let mut game = Noted(Heaps { knows_winners: true, ..Heaps::new([9, 10, 12]) }, Vec::new());
    let mut tree = JudgedTree::new(JudgedParams { batch: 4, ..JudgedParams::default() });
    let visits = tree.search(&mut game, &mut |done| 200_u64.saturating_sub(done));
    assert_eq!(visits, game.1.len() as u64, "no end is reached by so few");
    let seen =
        game.1.iter().map(|&(depth, worth)| if depth % 2 == 0 { worth } else { worth.for_other_side() });
    let (win, lead) = seen
        .fold((0.0, 0.0), |(win, lead), worth| (win + f64::from(worth.win), lead + f64::from(worth.lead)));
    assert!((tree.win_chance() - win / visits as f64).abs() < 1e-6);
    assert!((tree.mean_lead() - lead / visits as f64).abs() < 1e-4);
}

#[test]
fn a_judge_who_knows_is_followed_at_once() {
    let mut game = Heaps { knows_winners: true, ..Heaps::new([3, 5, 7]) };
    let tree = search(&mut game, JudgedParams::default(), 60);
    assert!(leaves_a_lost_position(&game, tree.ranked_moves()[0].action));
    assert_eq!(tree.root_worth(), Some(Worth { win: 1.0, lead: 10.0 }));
}

#[test]
fn what_follows_a_played_move_stays() {
    let mut game = Heaps::new([3, 5, 7]);
    let mut tree = search(&mut game, JudgedParams::default(), 5_000);
    let best = tree.ranked_moves().swap_remove(0);
    assert_eq!(tree.advance(best.action), best.visits);
    assert_eq!(
        tree.ranked_moves()[0].visits,
        tree.ranked_moves().iter().map(|told| told.visits).max().unwrap()
    );
    let mut after = game.heaps;
    game.play(&mut after, best.action);
    let kept = tree.len();
    let judged = game.judged;
    game.heaps = after;
    tree.search(&mut game, &mut |done| 100_u64.saturating_sub(done));
    assert!(tree.len() <= kept + 100 && game.judged <= judged + 100);
    assert_eq!(tree.advance(Action(99)), 0);
    assert!(tree.is_empty());
}

#[test]
fn a_full_tree_goes_on_without_growing() {
    let mut game = Heaps::new([9, 9, 9]);
    let tree = search(&mut game, JudgedParams { most_positions: 50, ..JudgedParams::default() }, 1_000);
    assert!(tree.len() <= 50);
    assert_eq!(tree.visits(), 1_000);
}

#[test]
fn nothing_allowed_gives_no_moves() {
    let mut game = Heaps::new([0, 0, 0]);
    let tree = search(&mut game, JudgedParams::default(), 10);
    assert!(tree.ranked_moves().is_empty());
    assert_eq!(tree.win_chance(), 0.0);
}
