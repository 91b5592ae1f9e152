//! Where ishi's way differs from that of D. Fotland, "Knowledge representation in The Many Faces of Go" (1993), each difference as a choice.
//!
//! The document leaves some things open, and some are done otherwise here. [`Style::ishi`] is what is played by default;
//! [`Style::many_faces`] follows the document in all of it. Every field can be set by itself, so that what one difference does can be
//! measured apart from the others.

use std::fmt;
use std::str::FromStr;

/// One difference: its key, what it is about, and its two values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The key of the field, as `influence`.
    pub key: &'static str,
    /// What the field decides, in one line.
    pub about: &'static str,
    /// The value of [`Style::ishi`].
    pub ishi: &'static str,
    /// The value of [`Style::many_faces`].
    pub many_faces: &'static str,
}

/// The text names no style.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StyleError(String);

impl fmt::Display for StyleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for StyleError {}

/// Fields with a type of two values each: ishi's, then the document's.
macro_rules! differences {
    ($(
        $(#[$about_type:meta])*
        $field:ident : $type:ident = $key:literal, $about:literal,
        $(#[$about_ishi:meta])* $ishi:ident $ishi_name:literal,
        $(#[$about_many:meta])* $many:ident $many_name:literal;
    )*) => {
        $(
            $(#[$about_type])*
            #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
            pub enum $type {
                $(#[$about_ishi])*
                $ishi,
                $(#[$about_many])*
                $many,
            }
        )*

        /// How positions are judged and moves are chosen, one field for each difference from the document.
        ///
        /// ```
        /// use ishi_knowledge::{Style, style::InfluenceLaw};
        /// let style: Style = "influence=inverse-distance".parse().unwrap();
        /// assert_eq!(style.influence, InfluenceLaw::InverseDistance);
        /// assert_eq!(style.to_string(), "influence=inverse-distance");
        /// assert_eq!("many-faces".parse(), Ok(Style::many_faces()));
        /// assert_eq!(Style::default(), Style::ishi());
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub struct Style {
            $(
                $(#[$about_type])*
                pub $field: $type,
            )*
        }

        impl Style {
            /// All differences, those of judging before those of choosing.
            pub const DIFFERENCES: &'static [Difference] = &[
                $(Difference { key: $key, about: $about, ishi: $ishi_name, many_faces: $many_name },)*
            ];

            /// Ishi's own way, which is the default.
            pub const fn ishi() -> Style {
                Style { $($field: $type::$ishi,)* }
            }

            /// The way of the document, in all of it.
            pub const fn many_faces() -> Style {
                Style { $($field: $type::$many,)* }
            }

            /// Sets one field by its key.
            ///
            /// # Errors
            /// There is no such key, or the field has no such value.
            pub fn set(&mut self, key: &str, value: &str) -> Result<(), StyleError> {
                match (key, value) {
                    $(
                        ($key, $ishi_name) => self.$field = $type::$ishi,
                        ($key, $many_name) => self.$field = $type::$many,
                        ($key, _) => return Err(StyleError(format!(
                            "{key}={value} is unknown: write {} or {}", $ishi_name, $many_name
                        ))),
                    )*
                    _ => return Err(StyleError(format!(
                        "a style has no field {key:?}: it has {}", keys().join(", ")
                    ))),
                }
                Ok(())
            }

            /// The value of a field by its key; `None` if there is no such field.
            pub fn get(&self, key: &str) -> Option<&'static str> {
                match key {
                    $($key => Some(if self.$field == $type::$ishi { $ishi_name } else { $many_name }),)*
                    _ => None,
                }
            }

            /// The fields that follow the document, in the order of [`Style::DIFFERENCES`].
            fn follows(&self) -> Vec<bool> {
                vec![$(self.$field == $type::$many,)*]
            }
        }
    };
}

differences! {
    /// How influence fades with distance (section 5).
    influence: InfluenceLaw = "influence", "how influence fades with distance",
    /// By a constant factor a line, and it ends after some lines.
    Fading "fading",
    /// As one over the distance, without an end.
    InverseDistance "inverse-distance";

    /// What influence does not pass besides stones (section 5).
    walls: InfluenceWalls = "walls", "connections that influence does not pass",
    /// The other side's connections that hold.
    OtherSides "other-side",
    /// Either side's connections that hold.
    All "all";

    /// From which lead a side is ahead (section 4).
    balance: Margins = "balance", "from which lead a side is ahead or behind",
    /// Shares of the board's points, the same for either side of even.
    BoardShare "board-share",
    /// From 20 points on ahead and from 40 well ahead; from 10 behind and from 20 well behind.
    Points "points";

    /// How the phase of a game is found (section 4).
    phase: PhaseRule = "phase", "what tells opening, middle game and endgame",
    /// By the number of stones on the board.
    Stones "stones",
    /// Opening while a corner has no joseki, endgame after 120 moves if all groups are stable.
    Situation "situation";

    /// By what the value of sente falls from 7 to 1 point (section 4).
    sente: SenteRule = "sente", "by what the value of the move falls from 7 to 1",
    /// By the stones on the board.
    Stones "stones",
    /// By the moves that were played, on larger boards by move 220.
    Moves "moves";

    /// How fine eyes are counted (section 5).
    eyes: EyeUnit = "eyes", "how fine eyes are counted",
    /// In halves.
    Halves "halves",
    /// In eighths.
    Eighths "eighths";

    /// Which vital points of an eye space are kept (section 5).
    vital: VitalPoints = "vital", "vital points of an eye space",
    /// One.
    One "one",
    /// All that save or take an eye.
    All "all";

    /// Which points two chains share, and the types of connections that follow (section 5).
    shared: SharedPoints = "shared", "points that two chains share, and the types that follow from them",
    /// Empty points by the steps to the farther of them; types by the shape of two stones.
    Steps "steps",
    /// Liberties of one from which the other lies one to three lines away, straight on; types by their number.
    StraightLines "straight-lines";

    /// What groups could make eyes of (section 5).
    potential: PotentialEyes = "potential", "where a group could make eyes",
    /// Extensions along the edge, open lines, vital points, friends, prey.
    Seen "seen",
    /// The document's five types, with every border to extend and to protect.
    FiveTypes "five-types";

    /// Which ways out of a group are kept (section 5).
    escapes: EscapePoints = "escapes", "points by which a group gets out",
    /// The best one in each of the four directions.
    Best "best",
    /// All of them, in lists by what lies ahead.
    Lists "lists";

    /// Do urgent moves come before all others (section 4)?
    urgent_first: UrgentFirst = "urgent-first", "urgent groups and urgent pattern moves before all others",
    /// No: by their value as all others.
    No "no",
    /// Yes: if a reasonable one is found, no other is considered.
    Yes "yes";

    /// What the kind of a joseki or pattern move does (section 7).
    move_kinds: MoveKinds = "move-kinds", "what the kinds of joseki and pattern moves do",
    /// Bad moves are left out, the others are alike.
    Alike "alike",
    /// Urgent before others, hard and trick moves only when behind, bad never.
    Acting "acting";

    /// How sequences of joseki and patterns are played out (section 4).
    variations: Variations = "variations", "how joseki and pattern sequences are played out",
    /// As they were played most often.
    MostPlayed "most-played",
    /// With their variations.
    Unfolded "unfolded";

    /// How a position is made quiet (section 4).
    quiescence: Quiescence = "quiescence", "how a position is settled before it is counted",
    /// One line, the biggest first.
    OneLine "one-line",
    /// A search with choice, and with patterns of forced local sequences.
    Search "search";

    /// Moves that make sure of what is nearly dead, when ahead (section 6).
    finishing: Finishing = "finishing", "moves more at nearly dead groups when ahead",
    /// None.
    No "no",
    /// Yes.
    Yes "yes";

    /// Bluff invasions, and moves that help hopeless groups, when behind (section 6).
    desperate: Desperate = "desperate", "bluffs and help for hopeless groups when behind",
    /// None.
    No "no",
    /// Yes.
    Yes "yes";

    /// Do patterns have a purpose (section 6)?
    purposes: PatternPurposes = "purposes", "patterns by purpose: cut, enclose, invade, endgame, life, shape",
    /// No.
    No "no",
    /// Yes.
    Yes "yes";
}

/// Names of presets.
const PRESETS: [(&str, Style); 2] = [("ishi", Style::ishi()), ("many-faces", Style::many_faces())];

fn keys() -> Vec<&'static str> {
    Style::DIFFERENCES.iter().map(|difference| difference.key).collect()
}

impl Style {
    /// The style of a preset's name.
    ///
    /// # Errors
    /// There is no such preset.
    pub fn from_preset(name: &str) -> Result<Style, StyleError> {
        let found = PRESETS.iter().find(|(known, _)| *known == name);
        let known = PRESETS.map(|(known, _)| known).join(" or ");
        found
            .map(|&(_, style)| style)
            .ok_or_else(|| StyleError(format!("preset={name} is unknown: write {known}")))
    }

    /// Keys and values of the fields that differ from [`Style::ishi`].
    pub fn changed_pairs(&self) -> Vec<(&'static str, &'static str)> {
        let all = Style::DIFFERENCES.iter().zip(self.follows());
        all.filter(|(_, follows)| *follows).map(|(field, _)| (field.key, field.many_faces)).collect()
    }
}

impl Default for Style {
    fn default() -> Style {
        Style::ishi()
    }
}

impl fmt::Display for Style {
    /// The preset's name, or `KEY=VALUE,...` of what differs from ishi's way.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some((name, _)) = PRESETS.iter().find(|(_, style)| style == self) {
            return f.write_str(name);
        }
        let pairs: Vec<String> =
            self.changed_pairs().iter().map(|(key, value)| format!("{key}={value}")).collect();
        f.write_str(&pairs.join(","))
    }
}

impl FromStr for Style {
    type Err = StyleError;

    /// Reads a preset's name, `KEY=VALUE`, or several of them with commas between, of which later ones go before.
    fn from_str(text: &str) -> Result<Style, StyleError> {
        let mut style = Style::ishi();
        for part in text.split(',').filter(|part| !part.is_empty()) {
            match part.split_once('=') {
                None | Some(("preset", _)) => style = Style::from_preset(part.trim_start_matches("preset="))?,
                Some((key, value)) => style.set(key, value)?,
            }
        }
        Ok(style)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_field_can_be_set_by_itself_and_tells_itself() {
        let mut all = Style::ishi();
        for difference in Style::DIFFERENCES {
            let mut one = Style::ishi();
            one.set(difference.key, difference.many_faces).unwrap();
            assert_ne!(one, Style::ishi(), "{}", difference.key);
            assert_eq!(one.changed_pairs(), [(difference.key, difference.many_faces)]);
            assert_eq!(one.to_string().parse(), Ok(one));
            one.set(difference.key, difference.ishi).unwrap();
            assert_eq!(one, Style::ishi());
            all.set(difference.key, difference.many_faces).unwrap();
        }
        assert_eq!(all, Style::many_faces());
        assert_eq!(Style::many_faces().to_string(), "many-faces");
        assert_eq!(Style::ishi().to_string(), "ishi");
    }

    #[test]
    fn later_parts_go_before_and_errors_say_what_is_right() {
        let style: Style = "many-faces,influence=fading".parse().unwrap();
        assert_eq!((style.influence, style.eyes), (InfluenceLaw::Fading, EyeUnit::Eighths));
        let error = |text: &str| text.parse::<Style>().unwrap_err().to_string();
        assert_eq!(error("many"), "preset=many is unknown: write ishi or many-faces");
        assert_eq!(error("eyes=thirds"), "eyes=thirds is unknown: write halves or eighths");
        assert!(error("eye=halves").starts_with("a style has no field \"eye\": it has influence, walls"));
    }
}
