//! Vector instructions: which there are, and code that is compiled for each.

/// Instruction sets that kernels are compiled for, from plain to rich. All give the same answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Isa {
    /// 64-bit words only: any machine.
    Portable,
    /// AVX2, BMI1, BMI2, LZCNT, POPCNT, FMA: most x86 processors since 2013.
    Avx2,
    /// AVX-512 F, BW, CD, DQ, VL, VBMI, VBMI2, VPOPCNTDQ, BITALG: Intel since Ice Lake, AMD since Zen 4.
    Avx512,
}

impl Isa {
    /// The richest set that this machine has.
    pub fn best() -> Isa {
        *Isa::available().last().unwrap_or(&Isa::Portable)
    }

    /// All sets that this machine has, from plain to rich.
    pub fn available() -> &'static [Isa] {
        #[cfg(target_arch = "x86_64")]
        {
            macro_rules! has { ($($feature:tt),+) => { $(std::arch::is_x86_feature_detected!($feature))&&+ } }
            let avx2 = has!("avx2", "bmi1", "bmi2", "lzcnt", "popcnt", "fma");
            let avx512 = has!("avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl")
                && has!("avx512vbmi", "avx512vbmi2", "avx512vpopcntdq", "avx512bitalg");
            match (avx2, avx2 && avx512) {
                (_, true) => return &[Isa::Portable, Isa::Avx2, Isa::Avx512],
                (true, false) => return &[Isa::Portable, Isa::Avx2],
                (false, false) => {}
            }
        }
        &[Isa::Portable]
    }
}
