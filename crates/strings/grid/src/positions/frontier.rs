//! A frontier with its chains.
//!
//! Chains cannot cross, so a frontier is written like brackets, four bits a column: an empty point, the only stone
//! of a chain on the frontier, its first, a middle one, or its last. A middle or last stone belongs to the chain that was
//! opened last and is not closed yet, as in Tromp and Farneback, "Combinatorics of Go", section 3. Only stones and first
//! stones name their chain's colour and whether it has a liberty.

/// Columns of a frontier at most.
pub(super) const WIDEST: usize = 16;

const EMPTY: u64 = 0;
/// The codes of single stones and of first stones: this plus two bits, colour and liberty.
const SINGLE: u64 = 1;
const FIRST: u64 = 5;
const MIDDLE: u64 = 9;
const LAST: u64 = 10;

/// What can be put on a point.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Placement {
    Empty,
    /// A stone of colour 0 or 1.
    Stone(u8),
}

/// The frontier as chains.
#[derive(Clone, Copy, Debug)]
pub(super) struct ChainFrontier {
    width: usize,
    /// The chain on each column, 0 for an empty point.
    chain: [u8; WIDEST],
    /// The colour of each chain.
    colour: [u8; WIDEST + 2],
    /// Has the chain a liberty? By chain.
    free: [bool; WIDEST + 2],
}

/// The shape of the frontier where a point is put.
#[derive(Clone, Copy, Debug)]
pub(super) struct FrontierSpot {
    /// Column.
    pub(super) x: usize,
    /// Is it in the first row, so that nothing is above?
    pub(super) top: bool,
    /// The last column touches the first one.
    pub(super) around: bool,
}

impl FrontierSpot {
    /// Cell `cell` of a board, row by row; `around` for a cylinder. With two columns or one, a cylinder has no
    /// neighbours that the board has not.
    pub(super) fn new(cell: usize, width: usize, around: bool) -> FrontierSpot {
        FrontierSpot {
            x: cell % width,
            top: cell < width,
            around: around && width > 2 && (cell + 1).is_multiple_of(width),
        }
    }
}

/// How a frontier is written.
#[derive(Clone, Copy, Debug)]
pub(super) struct KeyStyle {
    /// Keep apart chains that have liberties; otherwise each of their stones stands for itself.
    pub(super) tracked: bool,
    /// Turn the colours so that the first stone has colour 0.
    pub(super) turned: bool,
}

impl ChainFrontier {
    /// Reads a key.
    pub(super) fn from_key(key: u64, width: usize) -> ChainFrontier {
        let mut frontier =
            ChainFrontier { width, chain: [0; WIDEST], colour: [0; WIDEST + 2], free: [false; WIDEST + 2] };
        let (mut open, mut depth, mut chains) = ([0u8; WIDEST], 0, 0u8);
        for x in 0..width {
            let code = key >> (4 * x) & 15;
            frontier.chain[x] = match code {
                EMPTY => 0,
                MIDDLE => open[depth - 1],
                LAST => {
                    depth -= 1;
                    open[depth]
                }
                _ => {
                    chains += 1;
                    let bits = (code - 1) as u8 & 3;
                    frontier.colour[chains as usize] = bits & 1;
                    frontier.free[chains as usize] = bits & 2 != 0;
                    if code >= FIRST {
                        open[depth] = chains;
                        depth += 1;
                    }
                    chains
                }
            };
        }
        frontier
    }

    /// The key.
    pub(super) fn to_key(self, style: KeyStyle) -> u64 {
        const NOWHERE: u8 = u8::MAX;
        let turn = u8::from(style.turned && self.turns_colours());
        let mut before = [NOWHERE; WIDEST + 2];
        let mut key = 0;
        for (x, chain) in self.chain[..self.width].iter().enumerate() {
            let id = *chain as usize;
            if id == 0 {
                continue;
            }
            let last = std::mem::replace(&mut before[id], x as u8);
            let code = if last == NOWHERE || (self.free[id] && !style.tracked) {
                SINGLE + u64::from(self.colour[id] ^ turn) + (u64::from(self.free[id]) << 1)
            } else {
                // What was the only stone becomes the first, what was the last one a middle one.
                let at = 4 * u32::from(last);
                key = if key >> at & 15 == LAST {
                    key - ((LAST - MIDDLE) << at)
                } else {
                    key + ((FIRST - SINGLE) << at)
                };
                LAST
            };
            key |= code << (4 * x);
        }
        key
    }

    /// The frontier from right to left.
    pub(super) fn mirrored(&self) -> ChainFrontier {
        let mut mirrored = *self;
        mirrored.chain[..self.width].reverse();
        mirrored
    }

    /// Has the first stone colour 1, so that [`KeyStyle::turned`] turns the colours?
    pub(super) fn turns_colours(&self) -> bool {
        let first = self.chain[..self.width].iter().find(|chain| **chain > 0);
        first.is_some_and(|chain| self.colour[*chain as usize] == 1)
    }

    /// Puts a point; the frontier after it and by how much the number of chains grows. `None` if a chain is left
    /// without a liberty for ever.
    pub(super) fn put_point(&self, spot: FrontierSpot, put: Placement) -> Option<(ChainFrontier, i32)> {
        let mut next = *self;
        let up = (!spot.top).then_some(self.chain[spot.x]);
        let left = (spot.x > 0).then(|| self.chain[spot.x - 1]);
        let right = spot.around.then_some(self.chain[0]);
        let near = [up, left, right];
        let Placement::Stone(colour) = put else {
            near.into_iter().flatten().for_each(|chain| next.free[chain as usize] = true);
            next.chain[spot.x] = 0;
            return Some((next, 0));
        };
        // No chain has this number, as there is at most one for each point of the frontier.
        let new = self.width as u8 + 1;
        let (mut free, mut more) = (false, 1);
        for (i, chain) in near.into_iter().enumerate() {
            let Some(chain) = chain else { continue };
            if chain == 0 {
                free = true;
            } else if self.colour[chain as usize] == colour {
                free |= self.free[chain as usize];
                // A chain that touches the stone from two sides is joined once.
                let again = near[..i].contains(&Some(chain));
                more -= i32::from(!again);
                next.chain[..self.width].iter_mut().filter(|it| **it == chain).for_each(|it| *it = new);
            }
        }
        let above = next.chain[spot.x];
        next.chain[spot.x] = new;
        next.colour[new as usize] = colour;
        next.free[new as usize] = free;
        // The point above leaves. A chain without a liberty that has no other point in the frontier gets none any more.
        let lost = !spot.top && above > 0 && !next.free[above as usize];
        if lost && !next.chain[..self.width].contains(&above) {
            return None;
        }
        Some((next, more))
    }

    /// Has every chain a liberty?
    pub(super) fn all_free(&self) -> bool {
        self.chain[..self.width].iter().all(|chain| *chain == 0 || self.free[*chain as usize])
    }

    /// What the point on a column needs and gives: the digits of the domination relaxation, see
    /// [`super::find_maximum()`].
    pub(super) fn point_needs(&self, x: usize) -> PointNeeds {
        let chain = self.chain[x];
        if chain == 0 {
            PointNeeds::Empty
        } else if !self.free[chain as usize]
            && self.chain[..self.width].iter().filter(|it| **it == chain).count() == 1
        {
            PointNeeds::Below
        } else {
            PointNeeds::Nothing
        }
    }
}

/// What a point of the frontier asks of the point below it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum PointNeeds {
    /// An empty point.
    Empty,
    /// A stone that asks nothing of the point below alone.
    Nothing,
    /// The last stone of a chain without liberties.
    Below,
}
