//! A table whose scores are learned from lists of decks, as `ishi deck learn` does it.

use ishi_deck::scores::lists::read_deck_lists;
use ishi_deck::scores::{LearnedScores, PairMeasure, ScoringOptions};
use ishi_deck_documents::pool;

use super::table::DeckTable;
use crate::workbench::error::PageError;
use crate::workbench::texts::args;

/// Fewer decks say nothing of what goes together.
const LEAST_DECKS: usize = 2;

/// Cards of a table at most: so many are listed in its page.
const MOST_CARDS: usize = 400;

/// Seconds that its first deck is looked for.
const SECONDS: u32 = 10;

/// Learns scores from the decks of a text, and wants a deck of the usual size.
pub(super) fn learn_table(text: &str, title: Option<String>) -> Result<DeckTable, PageError> {
    let lists = read_deck_lists(text)?;
    let decks = lists.decks.len();
    if decks < LEAST_DECKS {
        return Err(PageError::invalid_input_with(
            "decks-decks-found-it-must-be-at",
            args![decks, least_decks = LEAST_DECKS],
        ));
    }
    let (learned, names) = (lists.count(), lists.vocabulary.names());
    let min_support = choose_support(&learned, names, decks);
    let measure = ScoringOptions::for_measure(PairMeasure::LogConditional);
    let pool = learned.build_pool(names, &ScoringOptions { min_support, ..measure }, 0.0);
    let size = lists.usual_size().min(pool.pieces.len());
    if size < 2 {
        return Err(PageError::invalid_input_with("decks-no-two-cards-are-in-of", args![min_support, decks]));
    }
    pool.check_parts()?;
    let given = title.map(|title| title.trim().to_string()).filter(|title| !title.is_empty());
    let title = given.unwrap_or_else(|| format!("{decks} decks"));
    let leader = if pool.leaders.is_some() { "any" } else { "none" };
    let wish = serde_json::json!({ "size": [size, size], "leader": leader, "time_limit": SECONDS });
    let table = DeckTable::from_text(pool::write_pool(&pool, Some(&title)), None, Some(title))?;
    Ok(DeckTable { wish: wish.to_string(), ..table })
}

/// In how many decks a card has to be: a twentieth, within bounds, and in more where a table would hold too many.
fn choose_support(learned: &LearnedScores, names: &[String], decks: usize) -> u32 {
    let mut least = (decks / 20).clamp(2, 5) as u32;
    while learned.frequent_cards(names, least).len() > MOST_CARDS {
        least += 1;
    }
    least
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workbench::rooms::decks::table::build_problem;

    /// Decks of two sorts: a sort's three cards go together.
    fn two_sorts() -> String {
        let lists = ["4 Ant\n4 Bee\n4 Cow\n", "4 Dog\n4 Elk\n4 Fox\n"];
        lists.iter().cycle().take(20).copied().collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn cards_that_are_played_together_score_more() {
        let table = learn_table(&two_sorts(), None).unwrap();
        assert_eq!(table.title, "20 decks");
        let file = table.parse_pool().unwrap();
        let at = |name: &str| file.pool.pieces.iter().position(|piece| piece.name == name).unwrap();
        let score = |a: &str, b: &str| file.pool.pairs.get(at(a), at(b));
        assert!(score("Ant", "Bee") > score("Ant", "Dog"), "{} {}", score("Ant", "Bee"), score("Ant", "Dog"));
        let wish = table.parse_wish(&file).unwrap();
        assert_eq!(wish.request.size, 3..=3);
        assert!(build_problem(&file, &wish).is_ok());
    }

    #[test]
    fn too_few_decks_are_refused_with_what_is_missing() {
        let error = learn_table("4 Ant\n4 Bee\n", None).unwrap_err();
        assert_eq!(error.status.as_u16(), 422);
        assert!(learn_table("4 Ant\n4 Bee\n\n4 Cow\n4 Dog\n", None).is_err(), "no card is in two decks");
        assert!(learn_table("4 Ant\nwhat\n4 Bee\n", None).is_err());
    }
}
