//! The processor's instruction sets for vectors.

use std::fmt;

use pulp::{Arch, WithSimd};

/// An instruction set for vectors that this processor has. The evaluation is compiled for each.
#[derive(Clone, Copy, Debug)]
pub struct Instructions(Arch);

impl Instructions {
    /// The best one.
    pub fn best() -> Instructions {
        Instructions(Arch::new())
    }

    /// All that this processor has, the portable one first, which needs none, and the best one last.
    pub fn available() -> Vec<Instructions> {
        let mut all = vec![Instructions(Arch::Scalar)];
        #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
        {
            all.extend(pulp::x86::V3::try_new().map(|simd| Instructions(Arch::V3(simd))));
            all.extend(pulp::x86::V4::try_new().map(|simd| Instructions(Arch::V4(simd))));
        }
        #[cfg(target_arch = "aarch64")]
        all.extend(pulp::aarch64::Neon::try_new().map(|simd| Instructions(Arch::Neon(simd))));
        all
    }

    #[inline(always)]
    pub(super) fn dispatch<Op: WithSimd>(self, op: Op) -> Op::Output {
        self.0.dispatch(op)
    }
}

impl Default for Instructions {
    fn default() -> Instructions {
        Instructions::best()
    }
}

impl fmt::Display for Instructions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self.0 {
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
