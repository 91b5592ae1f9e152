//! Products of matrices by the processor's tiles (Intel's AMX): sixteen-bit factors (bfloat16), sums in single precision.
//!
//! The compiler's own functions for tiles are not stable yet, so the instructions stand here as assembly. This file alone knows them.

// Assembly and the system call that asks Linux for the tiles need `unsafe`; a `TileUnit` proves that both are there.
#![allow(unsafe_code)]

use super::kernel::Channels;

/// Channels of a point that one row of a tile holds.
pub(crate) const NARROW_GROUP: usize = 32;
/// Values of one point as bfloat16, the upper halves of single precision: a line of the cache.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(crate) struct NarrowChannels(pub(crate) [u16; NARROW_GROUP]);
/// Rows of a product.
pub(crate) const TILE_ROWS: usize = 32;
/// What a product gives: two groups of the output for each row.
#[repr(C, align(64))]
pub(crate) struct TileSums(pub(crate) [[Channels; TILE_ROWS]; 2]);

/// Factors of a tile: for each pair of channels of the input a row, in it for each of 16 channels of the output the factors of the pair.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(crate) struct FactorTile(pub(crate) [[[u16; 2]; 16]; 16]);

/// The tiles of this thread's processor, set up while this lives.
pub(crate) struct TileUnit {
    /// The setting belongs to the thread.
    _not_send: std::marker::PhantomData<*const ()>,
}

/// A single-precision number as bfloat16, rounded to the nearest, ties to even. It must be finite.
#[inline(always)]
pub(crate) fn to_narrow(value: f32) -> u16 {
    let bits = value.to_bits();
    (bits.wrapping_add(0x7fff + ((bits >> 16) & 1)) >> 16) as u16
}

#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
mod on_linux {
    use std::arch::asm;
    use std::sync::OnceLock;

    use super::*;

    /// `arch_prctl(ARCH_REQ_XCOMP_PERM, XFEATURE_XTILEDATA)`.
    const SYS_ARCH_PRCTL: usize = 158;
    const REQUEST_PERMISSION: usize = 0x1023;
    const TILE_DATA: usize = 18;
    /// Bits of CPUID's leaf 7, register edx.
    const AMX_BF16: u32 = 1 << 22;
    const AMX_TILE: u32 = 1 << 24;

    /// Eight tiles of 16 rows of 64 bytes.
    #[repr(C, align(64))]
    struct TileConfiguration([u8; 64]);

    static CONFIGURATION: TileConfiguration = {
        let mut bytes = [0; 64];
        bytes[0] = 1;
        let mut tile = 0;
        while tile < 8 {
            bytes[16 + 2 * tile] = 64;
            bytes[48 + tile] = 16;
            tile += 1;
        }
        TileConfiguration(bytes)
    };

    fn processor_has_tiles() -> bool {
        use std::arch::x86_64::{__cpuid, __cpuid_count};
        // SAFETY: every processor of this architecture has the instruction. Newer compilers than the oldest we build with know that.
        #[allow(unused_unsafe)]
        let leaf_7_edx = unsafe { if __cpuid(0).eax < 7 { 0 } else { __cpuid_count(7, 0).edx } };
        leaf_7_edx & AMX_BF16 != 0 && leaf_7_edx & AMX_TILE != 0
    }

    /// Linux gives tiles to a process that asks.
    fn system_permits_tiles() -> bool {
        let result: isize;
        // SAFETY: the call changes nothing but what the process may use. The kernel changes rcx and r11.
        unsafe {
            asm!(
                "syscall",
                inlateout("rax") SYS_ARCH_PRCTL => result,
                in("rdi") REQUEST_PERMISSION,
                in("rsi") TILE_DATA,
                out("rcx") _,
                out("r11") _,
                options(nostack)
            );
        }
        result == 0
    }

    impl TileUnit {
        pub(crate) fn is_available() -> bool {
            static AVAILABLE: OnceLock<bool> = OnceLock::new();
            *AVAILABLE.get_or_init(|| processor_has_tiles() && system_permits_tiles())
        }

        /// Sets the tiles up for this thread, where there are any.
        pub(crate) fn set_up() -> Option<TileUnit> {
            TileUnit::is_available().then(|| {
                // SAFETY: the processor has the instruction, and the system permits it.
                unsafe {
                    asm!("ldtilecfg [{}]", in(reg) &raw const CONFIGURATION.0, options(nostack, readonly));
                }
                TileUnit { _not_send: std::marker::PhantomData }
            })
        }

        /// `sums[group][row]` is the sum over all steps of `input[first + offsets[step] + row]` by the step's two tiles of `factors`.
        ///
        /// # Panics
        /// If there are not two tiles for each step, or a row lies outside the input.
        #[inline(always)]
        pub(crate) fn multiply(
            &self,
            input: &[NarrowChannels],
            first: usize,
            offsets: &[usize],
            factors: &[FactorTile],
            sums: &mut TileSums,
        ) {
            assert_eq!(factors.len(), 2 * offsets.len(), "two tiles for each step");
            let farthest = offsets.iter().copied().max().unwrap_or(0);
            assert!(first + farthest + TILE_ROWS <= input.len(), "rows beyond the input");
            if offsets.is_empty() {
                return;
            }
            // SAFETY: the tiles are set up as long as `self` lives. Each step reads 32 rows of 64 bytes from an offset that was checked
            // above, and two tiles of 1024 bytes; what is written are the 4096 bytes of `sums`.
            unsafe {
                asm!(
                    "tilezero tmm0",
                    "tilezero tmm1",
                    "tilezero tmm2",
                    "tilezero tmm3",
                    "2:",
                    "mov {at}, qword ptr [{offset}]",
                    "shl {at}, 6",
                    "add {at}, {input}",
                    "tileloadd tmm4, [{at} + {stride}*1]",
                    "tileloadd tmm6, [{factor} + {stride}*1]",
                    "tileloadd tmm7, [{factor} + {stride}*1 + 1024]",
                    "tdpbf16ps tmm0, tmm4, tmm6",
                    "tdpbf16ps tmm1, tmm4, tmm7",
                    "tileloadd tmm5, [{at} + {stride}*1 + 1024]",
                    "tdpbf16ps tmm2, tmm5, tmm6",
                    "tdpbf16ps tmm3, tmm5, tmm7",
                    "add {offset}, 8",
                    "add {factor}, 2048",
                    "cmp {offset}, {end}",
                    "jb 2b",
                    "tilestored [{sums} + {stride}*1], tmm0",
                    "tilestored [{sums} + {stride}*1 + 1024], tmm2",
                    "tilestored [{sums} + {stride}*1 + 2048], tmm1",
                    "tilestored [{sums} + {stride}*1 + 3072], tmm3",
                    at = out(reg) _,
                    offset = inout(reg) offsets.as_ptr() => _,
                    end = in(reg) offsets.as_ptr_range().end,
                    factor = inout(reg) factors.as_ptr() => _,
                    input = in(reg) input.as_ptr().add(first),
                    sums = in(reg) sums.0.as_mut_ptr(),
                    stride = in(reg) size_of::<NarrowChannels>(),
                    out("tmm0") _, out("tmm1") _, out("tmm2") _, out("tmm3") _,
                    out("tmm4") _, out("tmm5") _, out("tmm6") _, out("tmm7") _,
                    options(nostack)
                );
            }
        }
    }

    impl Drop for TileUnit {
        fn drop(&mut self) {
            // SAFETY: the tiles were set up. Without this every switch of threads would save them.
            unsafe { asm!("tilerelease", options(nostack, nomem)) }
        }
    }
}

#[cfg(not(all(target_arch = "x86_64", target_os = "linux")))]
impl TileUnit {
    pub(crate) fn is_available() -> bool {
        false
    }

    pub(crate) fn set_up() -> Option<TileUnit> {
        None
    }

    pub(crate) fn multiply(
        &self,
        _: &[NarrowChannels],
        _: usize,
        _: &[usize],
        _: &[FactorTile],
        _: &mut TileSums,
    ) {
        unreachable!("there is no such unit");
    }
}

#[cfg(test)]
mod tests {
    use ishi_rng::Seed;

    use super::*;

    fn to_wide(narrow: u16) -> f32 {
        f32::from_bits(u32::from(narrow) << 16)
    }

    #[test]
    fn numbers_are_rounded_to_the_nearest() {
        for (value, rounded) in [
            (0.0, 0.0),
            (1.0, 1.0),
            (-1.5, -1.5),
            (1.0 + 1.0 / 256.0, 1.0),
            (1.0 + 3.0 / 256.0, 1.0 + 2.0 / 128.0),
            (1.0 + 1.1 / 256.0, 1.0 + 1.0 / 128.0),
            (-3.333, -3.328_125),
        ] {
            assert_eq!(to_wide(to_narrow(value)), rounded, "{value}");
        }
    }

    /// Against plain sums of the same rounded numbers.
    #[test]
    fn products_are_sums_of_products() {
        let Some(unit) = TileUnit::set_up() else {
            println!("skipped: this processor has no tiles");
            return;
        };
        let mut rng = Seed::new(1).stream("products", 0);
        let mut number = || to_narrow(rng.next_unit() as f32 - 0.5);
        let input: Vec<NarrowChannels> =
            (0..100).map(|_| NarrowChannels(std::array::from_fn(|_| number()))).collect();
        let offsets = [0, 7, 50, 66, 3];
        let factors: Vec<FactorTile> = (0..2 * offsets.len())
            .map(|_| FactorTile(std::array::from_fn(|_| std::array::from_fn(|_| [number(), number()]))))
            .collect();
        let mut sums = TileSums([[[f32::NAN; 16]; TILE_ROWS]; 2]);
        let first = 2;
        unit.multiply(&input, first, &offsets, &factors, &mut sums);
        for (group, rows) in sums.0.iter().enumerate() {
            for (row, sums) in rows.iter().enumerate() {
                for (output, &sum) in sums.iter().enumerate() {
                    let expected: f64 = offsets.iter().enumerate().fold(0.0, |total, (step, offset)| {
                        let values = &input[first + offset + row].0;
                        let tile = &factors[2 * step + group].0;
                        (0..NARROW_GROUP).fold(total, |total, channel| {
                            let factor = to_wide(tile[channel / 2][output][channel % 2]);
                            total + f64::from(to_wide(values[channel])) * f64::from(factor)
                        })
                    });
                    assert!(
                        (f64::from(sum) - expected).abs() < 1e-4,
                        "{group} {row} {output}: {sum} {expected}"
                    );
                }
            }
        }
    }
}
