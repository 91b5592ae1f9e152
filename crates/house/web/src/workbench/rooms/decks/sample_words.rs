//! The sample of thirty pieces in the language of the page. Its cards are invented for ishi, so that they have names in every language.

use ishi_deck_documents::samples;

use super::table::DeckTable;
use crate::workbench::error::PageError;
use crate::workbench::texts::text_id;
use crate::workbench::visitor::Visitor;

/// What the sample names: its title, its pieces, its groups and its attributes.
const NAMES: [(&str, &str); 40] = [
    ("Ash Wolf", text_id("decks-sample-ash-wolf")),
    ("Black Stone", text_id("decks-sample-black-stone")),
    ("Bone Lantern", text_id("decks-sample-bone-lantern")),
    ("Cinder Drake", text_id("decks-sample-cinder-drake")),
    ("Corner Keeper", text_id("decks-sample-corner-keeper")),
    ("Elder Oak", text_id("decks-sample-elder-oak")),
    ("Ember Fox", text_id("decks-sample-ember-fox")),
    ("Herb Witch", text_id("decks-sample-herb-witch")),
    ("Jade Dragon", text_id("decks-sample-jade-dragon")),
    ("Kiln Golem", text_id("decks-sample-kiln-golem")),
    ("Kraken Child", text_id("decks-sample-kraken-child")),
    ("Mist Heron", text_id("decks-sample-mist-heron")),
    ("Moss Bear", text_id("decks-sample-moss-bear")),
    ("Night Owl", text_id("decks-sample-night-owl")),
    ("Pearl Diver", text_id("decks-sample-pearl-diver")),
    ("Phoenix of Dawn", text_id("decks-sample-phoenix-of-dawn")),
    ("Phoenix of Dusk", text_id("decks-sample-phoenix-of-dusk")),
    ("Rain Dancer", text_id("decks-sample-rain-dancer")),
    ("Reef Turtle", text_id("decks-sample-reef-turtle")),
    ("Sea Dragon", text_id("decks-sample-sea-dragon")),
    ("Seed Sprite", text_id("decks-sample-seed-sprite")),
    ("Smith of Sparks", text_id("decks-sample-smith-of-sparks")),
    ("Storm Eel", text_id("decks-sample-storm-eel")),
    ("Thorn Stag", text_id("decks-sample-thorn-stag")),
    ("Tide Otter", text_id("decks-sample-tide-otter")),
    ("Torchbearer", text_id("decks-sample-torchbearer")),
    ("Twin Dragon", text_id("decks-sample-twin-dragon")),
    ("Vine Snake", text_id("decks-sample-vine-snake")),
    ("Wandering Bard", text_id("decks-sample-wandering-bard")),
    ("White Stone", text_id("decks-sample-white-stone")),
    ("thirty pieces", text_id("decks-sample-thirty-pieces")),
    ("Phoenix", text_id("decks-sample-group-phoenix")),
    ("Stone", text_id("decks-sample-group-stone")),
    ("dark", text_id("decks-sample-kind-dark")),
    ("dragon", text_id("decks-sample-kind-dragon")),
    ("fire", text_id("decks-sample-kind-fire")),
    ("human", text_id("decks-sample-kind-human")),
    ("stone", text_id("decks-sample-kind-stone")),
    ("water", text_id("decks-sample-kind-water")),
    ("wood", text_id("decks-sample-kind-wood")),
];

/// The sample, with what is wanted of a deck of it.
pub(super) fn make_sample_table(visitor: &Visitor) -> Result<DeckTable, PageError> {
    let table = DeckTable::from_text(tell_sample(visitor, samples::POOL), None, None)?;
    Ok(DeckTable { wish: tell_sample(visitor, samples::REQUEST), ..table })
}

/// A document of the sample with the names of this language: those that stand as strings, and those that are keys.
fn tell_sample(visitor: &Visitor, document: &str) -> String {
    NAMES.iter().fold(document.to_string(), |text, &(name, id)| {
        let told = format!("\"{}\"", visitor.text(id));
        if told == format!("\"{name}\"") {
            return text;
        }
        text.replace(&format!("\"{name}\""), &told).replace(&format!("{name} = "), &format!("{told} = "))
    })
}

#[cfg(test)]
mod tests {
    use ishi_words::Language;

    use super::super::form::resource_name;
    use super::super::table::build_problem;
    use super::*;

    #[test]
    fn the_sample_is_told_in_each_language() {
        let [english, japanese] = [Language::English, Language::Japanese].map(Visitor::for_language);
        assert_eq!(tell_sample(&english, samples::POOL), samples::POOL);
        assert_eq!(tell_sample(&english, samples::REQUEST), samples::REQUEST);
        let table = make_sample_table(&japanese).unwrap();
        assert_eq!(table.title, "30枚の見本");
        let pool = table.parse_pool().unwrap();
        let is_japanese = |text: &str| text.contains(|sign| ('\u{3040}'..'\u{a000}').contains(&sign));
        let pieces = pool.pool.pieces.iter().map(|piece| piece.name.as_str());
        let groups = pool.pool.groups.iter().map(|group| group.name.as_str());
        let all: Vec<&str> =
            pieces.chain(groups).chain(pool.pool.attributes.iter().map(String::as_str)).collect();
        assert_eq!(all.len(), NAMES.len() - 1, "all but the title: {all:?}");
        assert!(all.iter().all(|name| is_japanese(name)), "{all:?}");
        assert_eq!(pool.pool.resources, ["cost"]);
        assert_eq!(["cost", "gold"].map(|name| resource_name(&japanese, name)), ["コスト", "gold"]);
        let wish = table.parse_wish(&pool).unwrap();
        assert!(!build_problem(&pool, &wish).unwrap().is_empty());
    }
}
