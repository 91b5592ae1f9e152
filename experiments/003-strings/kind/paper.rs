//! What the document gives: R. Miyashiro, Y. Yano, M. Muramatsu, RIMS Kokyuroku 1584, 2008.

/// A row of table 1: seconds with CPLEX 10.1 on a Pentium 4 of 2.8 GHz.
pub(super) struct PaperRow {
    pub(super) side: usize,
    /// The figure with the formulation of section 2; none where it was given up.
    pub(super) section_2: Option<f64>,
    /// The figure with the formulation of section 3.
    pub(super) section_3: f64,
}

const fn paper_row(side: usize, section_2: f64, section_3: f64) -> PaperRow {
    PaperRow { side, section_2: Some(section_2), section_3 }
}

/// Table 1. The scan has lost decimal points: one digit stands after each. With these, what the text says holds: a day
/// for n = 17, nearly ten for 18, about 40 for 19, and a third less time on average with section 3.
pub(super) const TABLE_1: [PaperRow; 9] = [
    paper_row(11, 7.3, 7.3),
    paper_row(12, 15.5, 11.4),
    paper_row(13, 53.5, 34.0),
    paper_row(14, 387.4, 155.2),
    paper_row(15, 516.3, 186.9),
    paper_row(16, 1269.6, 1494.7),
    paper_row(17, 86461.1, 46765.9),
    paper_row(18, 823_326.1, 306_715.2),
    PaperRow { side: 19, section_2: None, section_3: 3_440_752.8 },
];

/// Table 2: sides, and boards with the most strings and with one less, by section 2 and by section 3. A cell cannot be read.
pub(super) const TABLE_2: [(usize, [u64; 2], [Option<u64>; 2]); 2] =
    [(5, [22, 1545], [Some(7), None]), (6, [288, 20896], [Some(64), Some(4745)])];

/// How much less time section 3 takes, in per cent of section 2, on average over these sides.
pub(super) fn mean_reduction(sides: impl Fn(usize) -> bool) -> f64 {
    let rows = TABLE_1.iter().filter(|row| sides(row.side));
    let reductions: Vec<f64> =
        rows.filter_map(|row| Some(100.0 * (1.0 - row.section_3 / row.section_2?))).collect();
    reductions.iter().sum::<f64>() / reductions.len() as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the text says of the table, which fixes where the lost decimal points were.
    #[test]
    fn the_text_holds_for_the_table() {
        assert!((mean_reduction(|_| true) - 35.0).abs() < 0.5);
        let days = |seconds: f64| seconds / 86_400.0;
        let row = |side: usize| TABLE_1.iter().find(|row| row.side == side).unwrap();
        assert!((days(row(17).section_2.unwrap()) - 1.0).abs() < 0.01);
        assert!((9.0..10.0).contains(&days(row(18).section_2.unwrap())));
        assert!((39.5..40.5).contains(&days(row(19).section_3)));
        // "Nearly half" for odd sides, from where there is anything to save.
        assert!((mean_reduction(|side| side % 2 == 1 && side > 11) - 50.0).abs() < 5.0);
    }
}
