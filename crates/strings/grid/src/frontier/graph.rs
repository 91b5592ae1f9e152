//! Weighted graphs whose vertices stand for one or more cells each.

use std::collections::BTreeMap;

use thiserror::Error;

/// Which lines of a board are closed to rings.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Wrap {
    /// None: an ordinary board.
    Plane,
    /// Every row: the last column is next to the first.
    Cylinder,
    /// Every row and every column.
    Torus,
}

/// The way from a vertex to a neighbour.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GraphLink {
    /// The neighbour; may be the vertex itself (two neighbouring cells in one orbit).
    pub to: usize,
    /// Neighbours of one cell of this vertex that belong to `to`, at least 1.
    pub times: u32,
    /// Both ends have the same colour on a chess board: the link closes a ring of an odd number of cells.
    pub odd: bool,
}

/// Why links make no graph.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum GraphError {
    /// Different numbers of weights and of lists of links.
    #[error("{weights} weights, but links of {links} vertices")]
    Lengths {
        /// Weights given.
        weights: usize,
        /// Lists given.
        links: usize,
    },
    /// A link that leads nowhere, or a weight or a multiplicity of 0.
    #[error("vertex {vertex} has weight 0, or a link that leads nowhere or counts 0 times")]
    Malformed {
        /// The vertex, from 0.
        vertex: usize,
    },
    /// `weight * times` differs between the two directions.
    #[error("the links between vertices {from} and {to} do not agree in the two directions")]
    OneWay {
        /// One end.
        from: usize,
        /// The other end.
        to: usize,
    },
}

/// A weighted graph, possibly the quotient of a larger one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Graph {
    weights: Vec<u32>,
    links: Vec<Vec<GraphLink>>,
    reach: u32,
}

impl Graph {
    /// A graph with `weights[v]` cells in vertex `v` and its links, one for every neighbour.
    ///
    /// # Errors
    /// Links that do not lead to a vertex, and links whose two directions do not count the same pairs of cells.
    pub fn new(weights: Vec<u32>, links: Vec<Vec<GraphLink>>) -> Result<Graph, GraphError> {
        if weights.len() != links.len() {
            return Err(GraphError::Lengths { weights: weights.len(), links: links.len() });
        }
        for (from, list) in links.iter().enumerate() {
            if weights[from] == 0 || list.iter().any(|link| link.to >= weights.len() || link.times == 0) {
                return Err(GraphError::Malformed { vertex: from });
            }
            for link in list {
                let back: u32 =
                    links[link.to].iter().filter(|other| other.to == from).map(|other| other.times).sum();
                let there: u32 =
                    list.iter().filter(|other| other.to == link.to).map(|other| other.times).sum();
                if back * weights[link.to] != there * weights[from] {
                    return Err(GraphError::OneWay { from, to: link.to });
                }
            }
        }
        Ok(Graph::from_parts(weights, links))
    }

    fn from_parts(weights: Vec<u32>, links: Vec<Vec<GraphLink>>) -> Graph {
        let degrees = links.iter().map(|list| list.iter().map(|link| link.times).sum::<u32>());
        let reach = 1 + degrees.max().unwrap_or(0);
        Graph { weights, links, reach }
    }

    /// The graph of a board, one vertex a cell, row by row.
    ///
    /// ```
    /// use ishi_grid::frontier::{Graph, Wrap};
    /// let graph = Graph::for_board(3, 2, Wrap::Plane);
    /// assert_eq!(graph.len(), 6);
    /// ```
    #[must_use]
    pub fn for_board(width: usize, height: usize, wrap: Wrap) -> Graph {
        let orbits: Vec<usize> = (0..width * height).collect();
        Graph::for_quotient(width, height, wrap, &orbits)
    }

    /// The quotient of a board: cell `y * width + x` belongs to vertex `orbits[y * width + x]`. The cells of a vertex
    /// must have the same neighbours, counted by vertex (as the orbits of a symmetry do).
    #[must_use]
    pub fn for_quotient(width: usize, height: usize, wrap: Wrap, orbits: &[usize]) -> Graph {
        let count = orbits.iter().max().map_or(0, |last| last + 1);
        let mut weights = vec![0; count];
        let mut links = vec![Vec::new(); count];
        for (cell, &orbit) in orbits.iter().enumerate() {
            if weights[orbit] == 0 {
                links[orbit] = orbit_links(cell, width, height, wrap, orbits);
            }
            weights[orbit] += 1;
        }
        Graph::from_parts(weights, links)
    }

    /// Number of vertices.
    #[must_use]
    pub fn len(&self) -> usize {
        self.weights.len()
    }

    /// Has it no vertices?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.weights.is_empty()
    }

    /// Cells of all vertices.
    #[must_use]
    pub fn cells(&self) -> u32 {
        self.weights.iter().sum()
    }

    /// One more than the largest degree: the most cells that one cell covers.
    #[must_use]
    pub fn reach(&self) -> u32 {
        self.reach
    }

    /// Cells of one vertex.
    #[must_use]
    pub fn weight(&self, vertex: usize) -> u32 {
        self.weights[vertex]
    }

    /// The links of one vertex.
    #[must_use]
    pub fn links(&self, vertex: usize) -> &[GraphLink] {
        &self.links[vertex]
    }

    /// How often a cell of `from` touches cells of `to`.
    pub(super) fn link_count(&self, from: usize, to: usize) -> u32 {
        self.links[from].iter().filter(|link| link.to == to).map(|link| link.times).sum()
    }

    /// Neighbours that a cell of this vertex lacks, compared with the largest degree.
    pub(super) fn lacking_neighbours(&self, vertex: usize) -> u32 {
        self.reach - 1 - self.links[vertex].iter().map(|link| link.times).sum::<u32>()
    }
}

/// The neighbours of a cell: its index, and whether the step closes a ring of odd length.
pub(super) fn cell_neighbours(cell: usize, width: usize, height: usize, wrap: Wrap) -> Vec<(usize, bool)> {
    let (x, y) = (cell % width, cell / width);
    let mut found = Vec::with_capacity(4);
    let mut add = |x: usize, y: usize, odd: bool| found.push((y * width + x, odd));
    if x > 0 {
        add(x - 1, y, false);
    } else if wrap != Wrap::Plane {
        add(width - 1, y, !width.is_multiple_of(2));
    }
    if y > 0 {
        add(x, y - 1, false);
    } else if wrap == Wrap::Torus {
        add(x, height - 1, !height.is_multiple_of(2));
    }
    if x + 1 < width {
        add(x + 1, y, false);
    } else if wrap != Wrap::Plane {
        add(0, y, !width.is_multiple_of(2));
    }
    if y + 1 < height {
        add(x, y + 1, false);
    } else if wrap == Wrap::Torus {
        add(x, 0, !height.is_multiple_of(2));
    }
    found
}

fn orbit_links(cell: usize, width: usize, height: usize, wrap: Wrap, orbits: &[usize]) -> Vec<GraphLink> {
    let mut times: BTreeMap<(usize, bool), u32> = BTreeMap::new();
    for (other, odd) in cell_neighbours(cell, width, height, wrap) {
        *times.entry((orbits[other], odd)).or_default() += 1;
    }
    times.into_iter().map(|((to, odd), times)| GraphLink { to, times, odd }).collect()
}
