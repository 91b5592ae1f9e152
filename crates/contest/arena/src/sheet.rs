//! The counts of a match as a table, in a language: what text and pages show.

use ishi_go::Color;
use ishi_sheet::SheetTable;
use ishi_words::Language;

use crate::report::MatchStanding;

/// Wins, draws, losses and score of contestant 0 as Black, as White and in all. `name` stands over the rows.
///
/// ```
/// use ishi_arena::{MatchStanding, ResultTally, tally_table};
/// use ishi_words::Language;
/// let as_black = ResultTally { wins: 3, draws: 0, losses: 1 };
/// let standing = MatchStanding { by_color: [as_black, ResultTally::default()], ..MatchStanding::default() };
/// let text = tally_table(&standing, "", Language::English).to_text();
/// assert!(text.contains("\nA as Black     3      0       1  0.750\n"), "{text}");
/// ```
pub fn tally_table(standing: &MatchStanding, name: &str, language: Language) -> SheetTable {
    let [wins, draws, losses, score] =
        language.choose(["#wins", "#draws", "#losses", "#score"], ["#勝", "#分", "#敗", "#得点率"]);
    let mut table = SheetTable::new(["", wins, draws, losses, score]).with_first_name(name);
    let rows = [
        (language.choose("A as Black", "Aが黒"), standing.by_color[Color::Black.index()]),
        (language.choose("A as White", "Aが白"), standing.by_color[Color::White.index()]),
        (language.choose("A in all", "A合計"), standing.total_tally()),
    ];
    for (label, tally) in rows {
        let counts = [tally.wins, tally.draws, tally.losses].map(|count| count.to_string());
        let score = format!("{:.3}", tally.score());
        table.add_row([label.to_string()].into_iter().chain(counts).chain([score]));
    }
    table
}
