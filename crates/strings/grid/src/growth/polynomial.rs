//! Monic polynomials with whole coefficients of any length, as linear recurrences have them.

use std::fmt;

use num_bigint::{BigInt, Sign};

/// A polynomial whose first coefficient is 1.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Polynomial {
    /// The coefficients, that of the highest power first.
    coefficients: Vec<BigInt>,
}

impl Polynomial {
    /// From the coefficients, that of the highest power first.
    ///
    /// ```
    /// use ishi_grid::growth::Polynomial;
    /// // Two roots: 2 and -1.
    /// let polynomial = Polynomial::new(vec![1.into(), (-1).into(), (-2).into()]);
    /// assert_eq!(polynomial.degree(), 2);
    /// assert_eq!(polynomial.value_at(&2.into()), 0.into());
    /// ```
    ///
    /// # Panics
    /// When the first is not 1.
    #[must_use]
    pub fn new(coefficients: Vec<BigInt>) -> Polynomial {
        assert!(coefficients.first() == Some(&BigInt::from(1)), "the first coefficient must be 1");
        Polynomial { coefficients }
    }

    /// The characteristic polynomial of a square matrix (Faddeev and Le Verrier).
    ///
    /// ```
    /// use ishi_grid::growth::Polynomial;
    /// // The matrix of the Fibonacci numbers.
    /// let polynomial = Polynomial::characteristic(&[vec![1, 1], vec![1, 0]]);
    /// assert_eq!(polynomial, Polynomial::new(vec![1.into(), (-1).into(), (-1).into()]));
    /// ```
    #[must_use]
    pub fn characteristic(matrix: &[Vec<u64>]) -> Polynomial {
        let size = matrix.len();
        let mut coefficients = vec![BigInt::from(1)];
        // A product of the matrix and a polynomial in it.
        let mut part = vec![vec![BigInt::ZERO; size]; size];
        for k in 1..=size {
            for (i, row) in part.iter_mut().enumerate() {
                row[i] += &coefficients[k - 1];
            }
            let entry =
                |i: usize, j: usize| -> BigInt { (0..size).map(|l| &part[l][j] * matrix[i][l]).sum() };
            part = (0..size).map(|i| (0..size).map(|j| entry(i, j)).collect()).collect();
            let trace: BigInt = (0..size).map(|i| &part[i][i]).sum();
            coefficients.push(-trace / k);
        }
        Polynomial { coefficients }
    }

    /// The coefficients, that of the highest power first.
    #[must_use]
    pub fn coefficients(&self) -> &[BigInt] {
        &self.coefficients
    }

    /// The highest power.
    #[must_use]
    pub fn degree(&self) -> usize {
        self.coefficients.len() - 1
    }

    /// Without the roots that are 0.
    ///
    /// ```
    /// use ishi_grid::growth::Polynomial;
    /// let polynomial = Polynomial::new(vec![1.into(), (-1).into(), 0.into()]);
    /// assert_eq!(polynomial.nonzero_roots(), Polynomial::new(vec![1.into(), (-1).into()]));
    /// ```
    #[must_use]
    pub fn nonzero_roots(&self) -> Polynomial {
        let kept = self.coefficients.iter().rposition(|c| c.sign() != Sign::NoSign).unwrap_or(0);
        Polynomial { coefficients: self.coefficients[..=kept].to_vec() }
    }

    /// The polynomial whose roots are the products of `factors` roots of this one, with repetitions: of degree
    /// `degree + factors - 1` over `factors`.
    #[must_use]
    pub fn root_products(&self, factors: usize) -> Polynomial {
        let degree = (1..=factors).fold(1, |ways, i| ways * (self.degree() + i - 1) / i);
        let sums = self.power_sums(degree * factors);
        // The power sums of the products are complete symmetric functions of powers of the roots.
        let of_products: Vec<BigInt> =
            (1..=degree).map(|power| complete_symmetric(&sums, power, factors)).collect();
        Polynomial { coefficients: coefficients_from_power_sums(&of_products) }
    }

    /// Sums of the roots' powers 1, 2, ..., `most` (Newton).
    fn power_sums(&self, most: usize) -> Vec<BigInt> {
        let coefficient = |i: usize| self.coefficients.get(i).cloned().unwrap_or_default();
        let mut sums: Vec<BigInt> = Vec::new();
        for k in 1..=most {
            let before: BigInt = (1..k).map(|i| coefficient(i) * &sums[k - i - 1]).sum();
            sums.push(-(before + coefficient(k) * k));
        }
        sums
    }

    /// The value at a whole number.
    #[must_use]
    pub fn value_at(&self, x: &BigInt) -> BigInt {
        self.coefficients.iter().fold(BigInt::ZERO, |sum, c| sum * x + c)
    }

    /// The only positive root to the power of `power`, cut to so many decimals. Nothing if the coefficients change their sign not just
    /// once: then there is not just one (Descartes).
    ///
    /// ```
    /// use ishi_grid::growth::Polynomial;
    /// let golden = Polynomial::new(vec![1.into(), (-1).into(), (-1).into()]);
    /// assert_eq!(golden.positive_root(1, 6).as_deref(), Some("1.618033"));
    /// ```
    #[must_use]
    pub fn positive_root(&self, power: u32, decimals: u32) -> Option<String> {
        let signs: Vec<Sign> =
            self.coefficients.iter().map(BigInt::sign).filter(|sign| *sign != Sign::NoSign).collect();
        if signs.windows(2).filter(|pair| pair[0] != pair[1]).count() != 1 {
            return None;
        }
        let mut extra = 8;
        loop {
            let scale = BigInt::from(10).pow(decimals + extra);
            let low = self.scaled_root(&scale);
            let cut = |root: BigInt| root.pow(power) / scale.pow(power - 1) / BigInt::from(10).pow(extra);
            let (from, to) = (cut(low.clone()), cut(low + 1));
            if from == to {
                let unit = BigInt::from(10).pow(decimals);
                let tail = (&from % &unit).to_string();
                return Some(format!("{}.{tail:0>width$}", &from / &unit, width = decimals as usize));
            }
            extra *= 2;
        }
    }

    /// The root times `scale`, rounded down.
    fn scaled_root(&self, scale: &BigInt) -> BigInt {
        let below = |x: &BigInt| {
            let terms = self.coefficients.iter().enumerate();
            let value = terms.fold(BigInt::ZERO, |sum, (i, c)| sum * x + c * scale.pow(i as u32));
            value.sign() != Sign::Plus
        };
        let (mut low, mut high) = (BigInt::ZERO, scale.clone());
        while below(&high) {
            high *= 2;
        }
        while &high - &low > BigInt::from(1) {
            let middle = (&low + &high) / 2;
            if below(&middle) {
                low = middle;
            } else {
                high = middle;
            }
        }
        low
    }

    /// What follows on as many numbers as the degree says, if the polynomial is a recurrence's characteristic one.
    ///
    /// ```
    /// use ishi_grid::growth::Polynomial;
    /// let fibonacci = Polynomial::new(vec![1.into(), (-1).into(), (-1).into()]);
    /// assert_eq!(fibonacci.next_number(&[5.into(), 8.into()]), 13.into());
    /// ```
    ///
    /// # Panics
    /// When there are fewer numbers.
    #[must_use]
    pub fn next_number(&self, numbers: &[BigInt]) -> BigInt {
        let last = &numbers[numbers.len() - self.degree()..];
        -last.iter().rev().zip(&self.coefficients[1..]).map(|(number, c)| number * c).sum::<BigInt>()
    }
}

/// The complete symmetric function of degree `factors` of the `power`-th powers, from the power sums.
fn complete_symmetric(sums: &[BigInt], power: usize, factors: usize) -> BigInt {
    let mut functions = vec![BigInt::from(1)];
    for k in 1..=factors {
        let sum: BigInt = (1..=k).map(|i| &sums[i * power - 1] * &functions[k - i]).sum();
        functions.push(sum / k);
    }
    functions.pop().unwrap_or_default()
}

/// Newton's identities the other way round.
fn coefficients_from_power_sums(sums: &[BigInt]) -> Vec<BigInt> {
    let mut coefficients = vec![BigInt::from(1)];
    for k in 1..=sums.len() {
        let sum: BigInt = (1..=k).map(|i| &sums[i - 1] * &coefficients[k - i]).sum();
        coefficients.push(-sum / k);
    }
    coefficients
}

impl fmt::Display for Polynomial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, coefficient) in self.coefficients.iter().enumerate() {
            let power = self.degree() - i;
            let (negative, size) = (coefficient.sign() == Sign::Minus, coefficient.magnitude());
            if coefficient.sign() == Sign::NoSign && self.degree() > 0 {
                continue;
            }
            if i > 0 {
                f.write_str(if negative { " - " } else { " + " })?;
            }
            if power == 0 || *size != 1u8.into() {
                write!(f, "{size}")?;
            }
            match power {
                0 => {}
                1 => f.write_str("x")?,
                _ => write!(f, "x^{power}")?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn polynomial(coefficients: &[i64]) -> Polynomial {
        Polynomial::new(coefficients.iter().copied().map(BigInt::from).collect())
    }

    #[test]
    fn the_characteristic_polynomial_of_a_companion_matrix_is_its_last_row() {
        let found = Polynomial::characteristic(&[vec![0, 1, 0], vec![0, 0, 1], vec![22, 13, 5]]);
        assert_eq!(found, polynomial(&[1, -5, -13, -22]));
        assert_eq!(
            Polynomial::characteristic(&[vec![1, 1], vec![0, 0]]).nonzero_roots().to_string(),
            "x - 1"
        );
    }

    #[test]
    fn products_of_roots() {
        // (x - 2)(x - 3): 4, 6, 9, and 8, 12, 18, 27.
        let two = polynomial(&[1, -5, 6]);
        assert_eq!(two.root_products(1), two);
        assert_eq!(two.root_products(2), polynomial(&[1, -19, 114, -216]));
        let three = two.root_products(3);
        assert_eq!(three.degree(), 4);
        assert!([8, 12, 18, 27].iter().all(|root| three.value_at(&BigInt::from(*root)) == BigInt::ZERO));
        assert_eq!(polynomial(&[1, -5, -13, -22]).root_products(4).degree(), 15);
    }

    #[test]
    fn positive_roots_to_many_decimals() {
        assert_eq!(polynomial(&[1, 0, -2]).positive_root(1, 20).unwrap(), "1.41421356237309504880");
        assert_eq!(polynomial(&[1, 0, -2]).positive_root(3, 5).unwrap(), "2.82842");
        assert_eq!(polynomial(&[1, -5, 6]).positive_root(1, 5), None);
        assert_eq!(polynomial(&[1, 1]).positive_root(1, 5), None);
    }

    #[test]
    fn a_recurrence_goes_on() {
        let fibonacci = polynomial(&[1, -1, -1]);
        assert_eq!(
            fibonacci.next_number(&[BigInt::from(1), BigInt::from(5), BigInt::from(8)]),
            BigInt::from(13)
        );
        assert_eq!(fibonacci.to_string(), "x^2 - x - 1");
    }
}
