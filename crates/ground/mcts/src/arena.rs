//! Memory of the nodes: chunks that are allocated when they are first needed.
//!
//! The children of a node are a block of consecutive nodes in one chunk. A block lies behind the block of its parent, in
//! allocation as after compaction; so compaction can slide blocks towards the front in the order of their numbers, without a
//! second arena and without marks.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::Range;
use std::sync::OnceLock;
use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::Relaxed;

use crate::node::{FIRST_MARK, Node, NodeLink};

/// Nodes of a chunk: a block of any length fits, since a block has at most as many nodes as there are actions.
const CHUNK: usize = 1 << 16;
/// Number of the root.
pub(crate) const ROOT: u32 = 0;

/// All nodes.
#[derive(Debug)]
pub(crate) struct Arena {
    chunks: Box<[OnceLock<Box<[Node]>>]>,
    /// Nodes that there may be.
    capacity: usize,
    /// The number that the next block may get.
    next: AtomicU32,
}

impl Arena {
    /// An arena with a fresh root, for that many bytes of nodes.
    pub(crate) fn new(bytes: usize) -> Arena {
        let capacity = (bytes / size_of::<Node>()).clamp(1, FIRST_MARK as usize - CHUNK);
        let chunks = (0..capacity.div_ceil(CHUNK)).map(|_| OnceLock::new()).collect();
        Arena { chunks, capacity, next: AtomicU32::new(1) }
    }

    /// Nodes that there may be.
    pub(crate) fn capacity(&self) -> usize {
        self.capacity
    }

    /// Nodes in use, with the gaps at the ends of chunks.
    pub(crate) fn used_nodes(&self) -> usize {
        self.next.load(Relaxed) as usize
    }

    /// Bytes allocated.
    pub(crate) fn allocated_bytes(&self) -> usize {
        let nodes: usize = self.chunks.iter().filter_map(OnceLock::get).map(|chunk| chunk.len()).sum();
        nodes * size_of::<Node>() + self.chunks.len() * size_of::<OnceLock<Box<[Node]>>>()
    }

    /// The nodes from `first` on.
    #[inline]
    pub(crate) fn node_block(&self, first: u32, length: usize) -> &[Node] {
        let at = first as usize % CHUNK;
        &self.chunk(first as usize / CHUNK)[at..at + length]
    }

    pub(crate) fn node(&self, number: u32) -> &Node {
        &self.node_block(number, 1)[0]
    }

    /// The children of a node; none for a leaf.
    pub(crate) fn children_of(&self, node: &Node) -> &[Node] {
        match node.link() {
            NodeLink::Children(first) => self.node_block(first, node.child_count()),
            _ => &[],
        }
    }

    fn chunk(&self, index: usize) -> &[Node] {
        self.chunks[index].get_or_init(|| {
            let nodes = (self.capacity - index * CHUNK).min(CHUNK);
            (0..nodes).map(|_| Node::default()).collect()
        })
    }

    /// Where a block of that length may begin, from `at` on; none: it does not fit any more.
    fn fit_block(&self, at: usize, length: usize) -> Option<usize> {
        let room = CHUNK - at % CHUNK;
        let first = if length <= room { at } else { at + room };
        (first + length <= self.capacity).then_some(first)
    }

    /// Takes a block of that many nodes, which hold anything; none: the arena is full.
    pub(crate) fn allocate_block(&self, length: usize) -> Option<u32> {
        let mut at = self.next.load(Relaxed);
        loop {
            let first = self.fit_block(at as usize, length)?;
            match self.next.compare_exchange_weak(at, (first + length) as u32, Relaxed, Relaxed) {
                Ok(_) => return Some(first as u32),
                Err(seen) => at = seen,
            }
        }
    }

    /// Frees every node; the root is fresh.
    pub(crate) fn clear(&mut self) {
        self.next.store(1, Relaxed);
        self.node(ROOT).copy_from(&Node::default());
    }

    /// Makes `root` the root, drops the children of nodes (other than the root) of which `keep` says so, and moves what is
    /// left together.
    pub(crate) fn compact(&mut self, root: u32, keep: impl Fn(&Node) -> bool) {
        // 1. Blocks that stay and have not been moved, by old number, with the new number of the parent.
        let mut waiting = BinaryHeap::new();
        let new_root = self.node(ROOT);
        new_root.copy_from(self.node(root));
        if let NodeLink::Children(first) = new_root.link() {
            waiting.push(Reverse((first, ROOT)));
        }
        let mut next = 1;
        // 2. The foremost of them goes to the next free place. That is never behind its old one, and all that waits is behind.
        while let Some(Reverse((old, parent))) = waiting.pop() {
            let parent = self.node(parent);
            let length = parent.child_count();
            let new = self.fit_block(next, length).expect("a block moves towards the front") as u32;
            next = new as usize + length;
            parent.set_children(new, length as u16);
            // 3. Its nodes move, and tell of their children.
            for (number, old) in (new..).zip(block_numbers(old, length)) {
                let node = self.node(number);
                node.copy_from(self.node(old));
                match node.link() {
                    NodeLink::Children(first) if keep(node) => waiting.push(Reverse((first, number))),
                    NodeLink::Children(_) => node.set_leaf(),
                    _ => {}
                }
            }
        }
        self.next.store(next as u32, Relaxed);
    }

    /// Calls `visit` for every node with children, the root first.
    pub(crate) fn for_each_parent(&self, mut visit: impl FnMut(&Node)) {
        let mut open = vec![self.node(ROOT)];
        while let Some(node) = open.pop() {
            let children = self.children_of(node);
            if !children.is_empty() {
                visit(node);
                open.extend(children.iter().filter(|child| matches!(child.link(), NodeLink::Children(_))));
            }
        }
    }
}

/// The numbers of a block.
fn block_numbers(first: u32, length: usize) -> Range<u32> {
    first..first + length as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_stay_in_one_chunk() {
        let arena = Arena::new(3 * CHUNK * size_of::<Node>());
        for length in [1, 361, 40_000, 30_000, CHUNK] {
            if let Some(first) = arena.allocate_block(length) {
                assert_eq!(arena.node_block(first, length).len(), length);
            }
        }
        assert_eq!(arena.allocate_block(CHUNK), None);
    }

    #[test]
    fn an_arena_ends_where_its_memory_ends() {
        let arena = Arena::new(100 * size_of::<Node>());
        assert_eq!(arena.allocate_block(98), Some(1));
        assert_eq!(arena.allocate_block(2), None);
        assert_eq!(arena.allocate_block(1), Some(99));
        assert_eq!(arena.allocate_block(1), None);
        assert_eq!((arena.used_nodes(), arena.capacity()), (100, 100));
    }
}
