//! The processor's instruction sets for vectors.

use std::fmt;

use pulp::{Arch, WithSimd};

use super::amx::TileUnit;

/// Instructions that this processor has: a set for vectors, for each of which the evaluation is compiled, and perhaps tiles.
#[derive(Clone, Copy, Debug)]
pub struct Instructions {
    vectors: Arch,
    tiles: bool,
}

impl Instructions {
    /// The best ones.
    pub fn best() -> Instructions {
        Instructions { vectors: Arch::new(), tiles: TileUnit::is_available() }
    }

    /// The best ones that compute in single precision.
    pub fn best_exact() -> Instructions {
        Instructions { tiles: false, ..Instructions::best() }
    }

    /// Do they compute in single precision? With tiles the trunk's factors have eight bits.
    pub fn are_exact(self) -> bool {
        !self.tiles
    }

    /// All that this processor has, the portable one first, which needs none, and the best one last.
    pub fn available() -> Vec<Instructions> {
        let mut all = vec![Arch::Scalar];
        #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
        {
            all.extend(pulp::x86::V3::try_new().map(Arch::V3));
            all.extend(pulp::x86::V4::try_new().map(Arch::V4));
        }
        #[cfg(target_arch = "aarch64")]
        all.extend(pulp::aarch64::Neon::try_new().map(Arch::Neon));
        let exact = all.into_iter().map(|vectors| Instructions { vectors, tiles: false });
        let best = Instructions::best();
        exact.chain(best.tiles.then_some(best)).collect()
    }

    /// The tiles, set up for this thread, if they are among the instructions.
    pub(super) fn tile_unit(self) -> Option<TileUnit> {
        self.tiles.then(TileUnit::set_up).flatten()
    }

    #[inline(always)]
    pub(super) fn dispatch<Op: WithSimd>(self, op: Op) -> Op::Output {
        self.vectors.dispatch(op)
    }
}

impl Default for Instructions {
    fn default() -> Instructions {
        Instructions::best()
    }
}

impl fmt::Display for Instructions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.tiles {
            return f.pad("AMX");
        }
        f.pad(match self.vectors {
            Arch::Scalar => "portable",
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            Arch::V3(_) => "AVX2",
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            Arch::V4(_) => "AVX-512",
            #[cfg(target_arch = "aarch64")]
            Arch::Neon(_) => "NEON",
            _ => "other",
        })
    }
}
