//! Minimum domination of small weighted graphs by frontier dynamic programming: the general, simple twin of the fast
//! solver of plain boards.
//!
//! Vertices are taken one after the other in a given order. A processed vertex that still has an unprocessed neighbour
//! lies on the *frontier* and is in one of three states: it must still be covered, it is covered, or it is chosen.
//! Positions that agree on the frontier have the same future, so that they are merged.
//!
//! Costs are counted as **loss**: `reach * size - cells`, where `reach` is one more than the largest degree. The loss of
//! a dominating set is the sum, over all cells, of the covers beyond the first, plus for every chosen cell the
//! neighbours that it lacks; it is never negative and it is local, so the loss to come can be bounded from below by
//! relaxed problems on disjoint [regions](bounds::RegionBounds) which just add up (pattern databases: J. Culberson and
//! J. Schaeffer, "Pattern databases", Computational Intelligence 14, 1998; added up: A. Felner, R. Korf and S. Hanan,
//! "Additive pattern database heuristics", JAIR 22, 2004). The frontier method itself for domination of grids:
//! S. Alanko, S. Crevals, A. Isopoussu, P. Ostergard and V. Pettersson, "Computing the domination number of grid
//! graphs", Electronic J. of Combinatorics 18 (2011).
//!
//! Graphs may be quotients of boards by a [symmetry]: a vertex is then an orbit, its weight the number of its
//! cells. On [boards that wrap](solve_wrapped()) around an odd number of lines stones cannot alternate in colour everywhere;
//! there a vertex on the frontier also has a spin, see [`wrapped`](mod@wrapped).

pub mod bounds;
mod fold;
pub mod graph;
mod plan;
pub mod sweep;
pub mod symmetry;
pub mod values;
pub mod wrapped;

#[cfg(test)]
mod tests;

pub use graph::{Graph, GraphError, Wrap};
pub use sweep::{SweepError, SweepOptions};

pub use wrapped::{WrappedError, WrappedSolution, solve_wrapped};
