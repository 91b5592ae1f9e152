//! Who listens: which principles are told, how long lines are, and which words are used.

use std::str::FromStr;

use ishi_words::Language;

/// Words that are explained to a beginner in one explanation.
const MOST_TERMS: usize = 2;

/// For whom an explanation is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Listener {
    /// Knows the rules: short lines, no errors of numbers, and technical words are explained.
    Beginner,
    /// Plays games.
    #[default]
    Kyu,
    /// Plays well: longer lines, exact numbers, and no principle that every dan player knows.
    Dan,
}

impl FromStr for Listener {
    type Err = String;

    fn from_str(text: &str) -> Result<Listener, String> {
        let found = Listener::ALL.into_iter().find(|listener| listener.name() == text);
        found.ok_or_else(|| format!("{text:?} is no listener: it must be beginner, kyu or dan"))
    }
}

impl Listener {
    /// All, the weakest first.
    pub const ALL: [Listener; 3] = [Listener::Beginner, Listener::Kyu, Listener::Dan];

    /// Its name in commands.
    pub fn name(self) -> &'static str {
        match self {
            Listener::Beginner => "beginner",
            Listener::Kyu => "kyu",
            Listener::Dan => "dan",
        }
    }

    /// How many moves of a line are told at most.
    pub fn moves_of_line(self) -> usize {
        match self {
            Listener::Beginner => 3,
            Listener::Kyu => 5,
            Listener::Dan => 8,
        }
    }

    /// The technical words of a text with what they mean, for a beginner; nothing for others.
    pub fn explain_terms(self, text: &str, language: Language) -> Option<String> {
        if self != Listener::Beginner {
            return None;
        }
        let found = TERMS.iter().map(|term| language.choose(term.english, term.japanese));
        let told: Vec<String> = found
            .filter(|(word, _)| text.contains(word))
            .take(MOST_TERMS)
            .map(|(_, meaning)| meaning.to_string())
            .collect();
        (!told.is_empty()).then(|| told.join(language.choose(" ", "")))
    }
}

/// A technical word as texts have it, and what it means.
struct Term {
    english: (&'static str, &'static str),
    japanese: (&'static str, &'static str),
}

#[rustfmt::skip]
const TERMS: [Term; 10] = [
    Term { english: ("atari", "Atari: the next move takes these stones."), japanese: ("アタリ", "アタリは、次の一手で石を取れる形です。") },
    Term { english: ("in a ladder", "Ladder: one atari after another drives the stones to the edge."), japanese: ("シチョウ", "シチョウは、アタリの連続で端まで追って取る手筋です。") },
    Term { english: ("in a net", "Net: a move at a distance that leaves the stones no way out."), japanese: ("ゲタ", "ゲタは、離れた所からかけて逃げ道をふさぐ手筋です。") },
    Term { english: (" ko ", "Ko: the sides may take one stone in turn, but not at once."), japanese: ("コウ", "コウは、一つの石を互いに取り返せる形で、すぐには取り返せません。") },
    Term { english: ("hane", "Hane: a move that bends around a stone of the other side."), japanese: ("ハネ", "ハネは、相手の石の頭に斜めに回り込む手です。") },
    Term { english: ("knight's move", "Knight's move: one line across and two lines on."), japanese: ("ケイマ", "ケイマは、一路と二路ずれた桂馬跳びの形です。") },
    Term { english: ("3-3 point", "3-3 point: on the third line from both edges of a corner."), japanese: ("三々", "三々は、隅の両方の辺から三線目の点です。") },
    Term { english: ("pincers", "Pincer: a move that keeps stones from extending along the side."), japanese: ("挟", "ハサミは、辺にヒラく余地をなくす手です。") },
    Term { english: ("moyo", "Moyo: a large area that is not territory yet."), japanese: ("模様", "模様は、まだ地になっていない大きな勢力圏です。") },
    Term { english: ("cuts ", "To cut: to keep two groups of the other side apart."), japanese: ("切り", "切るとは、相手の石を二つに分けることです。") },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn listeners_have_names() {
        for listener in Listener::ALL {
            assert_eq!(listener.name().parse(), Ok(listener));
        }
        assert!("expert".parse::<Listener>().unwrap_err().contains("must be beginner, kyu or dan"));
    }

    #[test]
    fn terms_are_explained_to_beginners_alone() {
        let text = "It catches 3 stones at C5 in a ladder after an atari.";
        let told = Listener::Beginner.explain_terms(text, Language::English).unwrap();
        assert!(told.contains("Ladder: ") && told.contains("Atari: "), "{told}");
        assert_eq!(Listener::Kyu.explain_terms(text, Language::English), None);
        assert_eq!(Listener::Beginner.explain_terms("It takes 3 stones.", Language::English), None);
        let japanese = Listener::Beginner.explain_terms("C5の石をゲタで捕らえます。", Language::Japanese);
        assert_eq!(japanese.as_deref(), Some("ゲタは、離れた所からかけて逃げ道をふさぐ手筋です。"));
    }
}
