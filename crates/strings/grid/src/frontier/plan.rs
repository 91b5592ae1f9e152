//! The steps of a sweep: which vertex comes, whom it touches, who leaves the frontier.

use super::graph::Graph;

/// A vertex on the frontier that the new one touches.
#[derive(Clone, Copy, Debug)]
pub(super) struct NearVertex {
    /// Its slot.
    pub(super) slot: usize,
    /// Its region.
    pub(super) region: usize,
    /// Loss when the new vertex covers it and it was covered before.
    pub(super) again: u32,
    /// Loss when the new vertex covers it and it was not covered before.
    pub(super) first: u32,
    /// Covers that a cell of the new vertex gets from it when it is chosen.
    pub(super) times: u32,
    /// Same colour on the chess board.
    pub(super) odd: bool,
}

/// A vertex that leaves the frontier after a step.
#[derive(Clone, Copy, Debug)]
pub(super) struct LeavingVertex {
    pub(super) slot: usize,
    pub(super) region: usize,
    /// It has a neighbour outside of its region, which the region's own problem lets cover it for nothing.
    pub(super) relaxed: bool,
}

/// One vertex.
#[derive(Clone, Debug)]
pub(super) struct PlanStep {
    pub(super) vertex: usize,
    pub(super) slot: usize,
    pub(super) region: usize,
    pub(super) weight: u32,
    /// Loss of choosing the vertex whatever its neighbours are.
    pub(super) lone: u32,
    pub(super) near: Vec<NearVertex>,
    pub(super) leave: Vec<LeavingVertex>,
    /// Slots in use after the step.
    pub(super) frontier: Vec<usize>,
}

/// All steps. The slots of a region lie next to each other, the region of vertices without a table comes last.
#[derive(Clone, Debug)]
pub(super) struct SweepPlan {
    pub(super) steps: Vec<PlanStep>,
    /// First slot of every region, and the number of all slots at the end.
    pub(super) bases: Vec<usize>,
    /// Loss is `reach * size - cells`.
    pub(super) reach: u32,
    pub(super) cells: u32,
}

impl SweepPlan {
    /// `order` holds every vertex once, `regions[v]` is the region of vertex `v`, below `count`.
    pub(super) fn new(graph: &Graph, order: &[usize], regions: &[usize], count: usize) -> SweepPlan {
        let mut time = vec![0; graph.len()];
        for (step, &vertex) in order.iter().enumerate() {
            time[vertex] = step;
        }
        let (slots, widths) = assign_slots(graph, order, regions, count, &time);
        let mut bases = vec![0];
        for width in widths {
            bases.push(bases[bases.len() - 1] + width);
        }
        let slots: Vec<usize> =
            slots.iter().zip(regions).map(|(slot, &region)| bases[region] + slot).collect();
        let steps = order.iter().map(|&vertex| plan_step(graph, vertex, regions, &time, &slots)).collect();
        SweepPlan { steps, bases, reach: graph.reach(), cells: graph.cells() }
    }

    /// Slots of one region.
    pub(super) fn region_slots(&self, region: usize) -> usize {
        self.bases[region + 1] - self.bases[region]
    }

    /// Slots of all regions.
    pub(super) fn slot_count(&self) -> usize {
        self.bases[self.bases.len() - 1]
    }
}

/// The step after which a vertex leaves: the last of its own and its neighbours'.
fn last_step(graph: &Graph, vertex: usize, time: &[usize]) -> usize {
    graph.links(vertex).iter().map(|link| time[link.to]).fold(time[vertex], usize::max)
}

fn leaving_vertices(graph: &Graph, vertex: usize, time: &[usize]) -> Vec<usize> {
    let mut found: Vec<usize> = graph.links(vertex).iter().map(|link| link.to).collect();
    found.push(vertex);
    found.retain(|&other| last_step(graph, other, time) == time[vertex]);
    found.sort_unstable();
    found.dedup();
    found
}

/// The slot of every vertex within its region (the lowest free one), and the slots of every region.
fn assign_slots(
    graph: &Graph,
    order: &[usize],
    regions: &[usize],
    count: usize,
    time: &[usize],
) -> (Vec<usize>, Vec<usize>) {
    let mut taken: Vec<Vec<bool>> = vec![Vec::new(); count];
    let mut slots = vec![0; graph.len()];
    for &vertex in order {
        let region = &mut taken[regions[vertex]];
        let slot = region.iter().position(|taken| !taken).unwrap_or(region.len());
        if slot == region.len() {
            region.push(false);
        }
        region[slot] = true;
        slots[vertex] = slot;
        // A vertex that leaves is still there during the step: only the next vertex may take its slot.
        for other in leaving_vertices(graph, vertex, time) {
            taken[regions[other]][slots[other]] = false;
        }
    }
    (slots, taken.iter().map(Vec::len).collect())
}

fn plan_step(graph: &Graph, vertex: usize, regions: &[usize], time: &[usize], slots: &[usize]) -> PlanStep {
    let near = |to: usize, odd: bool| {
        let again = graph.weight(to) * graph.link_count(to, vertex);
        let times = graph.link_count(vertex, to);
        NearVertex {
            slot: slots[to],
            region: regions[to],
            again,
            first: again - graph.weight(to),
            times,
            odd,
        }
    };
    let mut touched = Vec::new();
    let mut seen = Vec::new();
    // A neighbour that comes later counts the link at its own step.
    for link in graph.links(vertex).iter().filter(|link| time[link.to] < time[vertex]) {
        if !seen.contains(&link.to) {
            seen.push(link.to);
            touched.push(near(link.to, link.odd));
        }
    }
    // A vertex of another region may cover it, of which the tables of its region know nothing.
    let relaxed = |other: usize| graph.links(other).iter().any(|link| regions[link.to] != regions[other]);
    let leave = leaving_vertices(graph, vertex, time)
        .into_iter()
        .map(|other| LeavingVertex { slot: slots[other], region: regions[other], relaxed: relaxed(other) })
        .collect();
    PlanStep {
        vertex,
        slot: slots[vertex],
        region: regions[vertex],
        weight: graph.weight(vertex),
        lone: graph.weight(vertex) * (graph.lacking_neighbours(vertex) + graph.link_count(vertex, vertex)),
        near: touched,
        leave,
        frontier: (0..graph.len())
            .filter(|&other| time[other] <= time[vertex] && last_step(graph, other, time) > time[vertex])
            .map(|other| slots[other])
            .collect(),
    }
}
