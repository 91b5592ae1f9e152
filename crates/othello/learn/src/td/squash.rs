//! From the sum of a network to the expected result of the game.

/// What makes the expected result, -1 for lost to 1 for won, of a network's sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SquashFunction {
    /// The hyperbolic tangent; the error is that of cross-entropy, so its slope does not enter.
    Tanh,
    /// The sum itself, cut off beyond -1 and 1; the error is the squared one.
    Linear,
}

impl SquashFunction {
    /// The expected result.
    #[inline(always)]
    pub fn expected_result(self, sum: f32) -> f32 {
        match self {
            SquashFunction::Tanh => portable_tanh(sum),
            SquashFunction::Linear => sum.clamp(-1.0, 1.0),
        }
    }
}

/// The hyperbolic tangent to 2e-6, with basic operations only: the same on every machine.
#[inline(always)]
fn portable_tanh(x: f32) -> f32 {
    // e^2|x| = 2^(whole + rest); the rest by a polynomial (Taylor to the 6th power, rest within a half).
    let power = (2.0 * std::f32::consts::LOG2_E * x.abs()).min(60.0);
    let whole = (power + 0.5) as i32;
    let rest = (power - whole as f32) * std::f32::consts::LN_2;
    let series = 1.0
        + rest
            * (1.0
                + rest / 2.0
                    * (1.0 + rest / 3.0 * (1.0 + rest / 4.0 * (1.0 + rest / 5.0 * (1.0 + rest / 6.0)))));
    let exp = series * f32::from_bits(((whole + 127) as u32) << 23);
    (1.0 - 2.0 / (exp + 1.0)).copysign(x)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tanh_is_the_hyperbolic_tangent() {
        for step in -2000..=2000 {
            let x = step as f32 / 100.0;
            assert!(
                (f64::from(SquashFunction::Tanh.expected_result(x)) - f64::from(x).tanh()).abs() < 2e-6,
                "{x}"
            );
        }
        assert_eq!(SquashFunction::Tanh.expected_result(f32::INFINITY), 1.0);
    }
}
