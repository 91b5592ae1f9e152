//! One pattern: what must stand, what must hold of its chains, and the moves.

use std::fmt;

use ishi_go::{Board, Color, Point};
use ishi_words::{CodedError, CodedMessage, ErrorFacts, coded, facts};
use serde::{Serialize, Serializer};

use super::diagram::{DiagramSquare, DiagramTurn, PatternDiagram};
use crate::joseki::book::MoveKind;

/// What is claimed of a chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ChainClaim {
    /// It has so many liberties, no more and no fewer.
    Liberties(u8),
    /// It has so many liberties or more.
    AtLeast(u8),
    /// It has so many liberties or fewer.
    AtMost(u8),
    /// It belongs to a group that lives.
    Alive,
    /// It belongs to a group that is dead.
    Dead,
}

impl ChainClaim {
    /// The most liberties that are spoken of.
    pub const MOST: u8 = 99;

    /// Do so many liberties agree? `None` if this claims a fate.
    pub fn agrees_with_liberties(self, liberties: usize) -> Option<bool> {
        match self {
            ChainClaim::Liberties(n) => Some(liberties == n.into()),
            ChainClaim::AtLeast(n) => Some(liberties >= n.into()),
            ChainClaim::AtMost(n) => Some(liberties <= n.into()),
            ChainClaim::Alive | ChainClaim::Dead => None,
        }
    }
}

/// As in texts: `liberties 2`, `liberties 2+`, `liberties 2-`, `alive`, `dead`.
impl fmt::Display for ChainClaim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ChainClaim::Liberties(n) => write!(f, "liberties {n}"),
            ChainClaim::AtLeast(n) => write!(f, "liberties {n}+"),
            ChainClaim::AtMost(n) => write!(f, "liberties {n}-"),
            ChainClaim::Alive => f.write_str("alive"),
            ChainClaim::Dead => f.write_str("dead"),
        }
    }
}

/// Something that must hold of the chain on a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ChainAttribute {
    /// A stone of the chain.
    pub at: DiagramSquare,
    /// What holds.
    pub claim: ChainClaim,
}

/// What becomes of a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GroupFate {
    /// It lives.
    Alive,
    /// It is dead.
    Dead,
}

/// Who knows what becomes of groups. Liberties are on the board; this is not.
pub trait FateOracle {
    /// What becomes of the group of a stone; `None` if that is not known or not decided. A claim about it does then not hold.
    fn group_fate(&self, board: &Board, stone: Point) -> Option<GroupFate>;
}

/// Nobody knows: patterns that ask for fates do not match.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoFates;

impl FateOracle for NoFates {
    fn group_fate(&self, _: &Board, _: Point) -> Option<GroupFate> {
        None
    }
}

/// Sentences, without line breaks; empty where there is none.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct BilingualWords {
    /// English.
    pub en: String,
    /// Japanese.
    pub ja: String,
}

impl BilingualWords {
    /// Checks that each sentence is one line without spaces at its ends.
    ///
    /// # Errors
    /// The sentence that is not.
    pub fn check_sentences(&self) -> Result<(), PatternError> {
        check_line("English", "the English words", &self.en)?;
        check_line("Japanese", "the Japanese words", &self.ja)
    }
}

/// A move of a pattern and what follows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PatternBranch {
    /// Who moves, in the pattern's own colours.
    #[serde(serialize_with = "serialize_letter")]
    pub color: Color,
    /// Where.
    #[serde(rename = "point")]
    pub at: DiagramSquare,
    /// What kind of move it is.
    pub kind: MoveKind,
    /// How often it was played.
    pub played: u32,
    /// How often its player won; at most `played`.
    pub won: u32,
    /// Why.
    #[serde(flatten)]
    pub words: BilingualWords,
    /// The answers.
    pub replies: Vec<PatternBranch>,
}

fn serialize_letter<S: Serializer>(color: &Color, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_char(color.letter())
}

impl PatternBranch {
    /// A move without counts, words and answers.
    pub fn new(color: Color, at: DiagramSquare) -> PatternBranch {
        PatternBranch {
            color,
            at,
            kind: MoveKind::Normal,
            played: 0,
            won: 0,
            words: BilingualWords::default(),
            replies: Vec::new(),
        }
    }

    /// Moves of this tree, itself among them.
    pub fn len(&self) -> usize {
        1 + self.replies.iter().map(PatternBranch::len).sum::<usize>()
    }

    /// Never: a branch is a move.
    pub fn is_empty(&self) -> bool {
        false
    }
}

/// A pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    /// Its name: lower case letters, digits and `-`; one of a kind in its library.
    pub name: String,
    /// Where it comes from, one line.
    pub source: String,
    /// How often it was seen on a board while its move was looked for; 0 if nobody counted.
    pub seen: u32,
    /// What it is about.
    pub words: BilingualWords,
    /// What must stand.
    pub diagram: PatternDiagram,
    /// What must hold of chains.
    pub attributes: Vec<ChainAttribute>,
    /// Its moves, at least one. The first is the one by which it is found.
    pub moves: Vec<PatternBranch>,
}

/// What a pattern asks for and what it is found by, whatever way it lies and whatever its colours.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PatternForm {
    diagram: PatternDiagram,
    attributes: Vec<ChainAttribute>,
    color: Color,
    anchor: DiagramSquare,
}

/// Why a pattern is none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PatternError(CodedMessage);

impl fmt::Display for PatternError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for PatternError {}

impl CodedError for PatternError {
    fn facts(&self) -> ErrorFacts {
        self.0.facts()
    }
}

/// The longest line of moves in a tree.
pub(super) const DEEPEST: usize = 64;

impl Pattern {
    /// Where its first move is.
    pub fn first_square(&self) -> DiagramSquare {
        self.moves[0].at
    }

    /// Its form: two patterns of the same form match at the same places. Names, words, counts and later moves are not part of it.
    pub fn standard_form(&self) -> PatternForm {
        let forms = DiagramTurn::ALL
            .into_iter()
            .flat_map(|turn| [false, true].map(|is_exchanged| (turn, is_exchanged)));
        forms
            .map(|(turn, is_exchanged)| self.form_under(turn, is_exchanged))
            .min()
            .expect("there are eight turns")
    }

    /// Its form as it is, under a symmetry and with colours exchanged or not.
    fn form_under(&self, turn: DiagramTurn, is_exchanged: bool) -> PatternForm {
        let PatternDiagram { width, height, .. } = self.diagram;
        let image = |square| turn.map_square(square, width, height);
        let turned = self.diagram.turned_by(turn);
        // A claim is about a chain, whichever of its stones it stands on.
        let attribute = |&ChainAttribute { at, claim }: &ChainAttribute| ChainAttribute {
            at: turned.first_of_chain(image(at)),
            claim,
        };
        let mut attributes: Vec<ChainAttribute> = self.attributes.iter().map(attribute).collect();
        attributes.sort_unstable();
        attributes.dedup();
        let color = self.moves[0].color;
        PatternForm {
            diagram: if is_exchanged { turned.with_colors_exchanged() } else { turned },
            attributes,
            color: if is_exchanged { !color } else { color },
            anchor: image(self.first_square()),
        }
    }

    /// Moves in its tree.
    pub fn move_count(&self) -> usize {
        self.moves.iter().map(PatternBranch::len).sum()
    }

    /// Checks what every pattern of a library keeps to.
    ///
    /// # Errors
    /// The first thing that is wrong, and what would be right.
    pub fn check_pattern(&self) -> Result<(), PatternError> {
        let wrong = |problem: CodedMessage| Err(PatternError(problem));
        let PatternDiagram { width, height, edges, .. } = self.diagram;
        check_name(&self.name)?;
        check_line("source", "the source", &self.source)?;
        self.words.check_sentences()?;
        if !(1..=8).contains(&width) || !(1..=8).contains(&height) {
            return wrong(coded![
                "pattern-frame",
                "a frame of {width}x{height} points: it must be 1x1 to 8x8",
                width,
                height
            ]);
        }
        if !edges.is_plain() {
            return wrong(coded![
                "pattern-edges",
                "edges must be none, the bottom, or the lower left corner"
            ]);
        }
        if self.diagram.asked_points() & !self.diagram.frame_points() != 0 {
            return wrong(coded![
                "pattern-points-outside",
                "points outside its frame of {width}x{height}",
                width,
                height
            ]);
        }
        for &ChainAttribute { at, claim } in &self.attributes {
            if self.diagram.stone_points() & at.bit() == 0 {
                return wrong(coded![
                    "pattern-claim-without-stone",
                    "{at} {claim}: there need not be a stone (X, O or % is right)",
                    at,
                    claim
                ]);
            }
            if let ChainClaim::Liberties(n) | ChainClaim::AtLeast(n) | ChainClaim::AtMost(n) = claim
                && !(1..=ChainClaim::MOST).contains(&n)
            {
                return wrong(coded![
                    "pattern-claim-of-liberties",
                    "{at} {claim}: there must be 1 to {most} liberties",
                    at,
                    claim,
                    most = ChainClaim::MOST
                ]);
            }
        }
        let Some(first) = self.moves.first() else {
            return wrong(coded!["pattern-no-move", "it has no move; there must be one at least"]);
        };
        for mv in &self.moves {
            if self.diagram.vacant_points() & mv.at.bit() == 0 {
                return wrong(coded![
                    "pattern-move-not-empty",
                    "{color} {at}: the point need not be empty (. is right)",
                    color = mv.color,
                    at = mv.at
                ]);
            }
        }
        if self.seen > 0 && first.played > self.seen {
            return wrong(coded![
                "pattern-played-unseen",
                "played {played} times but seen {seen} times only",
                played = first.played,
                seen = self.seen
            ]);
        }
        check_branches(&self.moves, self.diagram.frame_points(), 1)
    }
}

fn check_branches(branches: &[PatternBranch], frame: u64, depth: usize) -> Result<(), PatternError> {
    for (n, branch) in branches.iter().enumerate() {
        let PatternBranch { color, at, played, won, .. } = *branch;
        let wrong = |problem: CodedMessage| {
            let facts = facts!["pattern-branch", color, at, reason = problem.facts()];
            Err(PatternError(CodedMessage::new(format_args!("{color} {at}: {problem}"), facts)))
        };
        if depth > DEEPEST {
            return wrong(coded!["pattern-deep", "{most} moves in a line at most", most = DEEPEST]);
        }
        if frame & at.bit() == 0 {
            return wrong(coded!["pattern-outside", "outside the frame"]);
        }
        if won > played {
            return wrong(coded![
                "pattern-won",
                "won {won} of {played} games: it must be no more than were played",
                won,
                played
            ]);
        }
        if branches[..n].iter().any(|other| (other.color, other.at) == (color, at)) {
            return wrong(coded!["pattern-twice", "it stands twice"]);
        }
        branch.words.check_sentences()?;
        check_branches(&branch.replies, frame, depth + 1)?;
    }
    Ok(())
}

fn check_name(name: &str) -> Result<(), PatternError> {
    let good = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    if name.is_empty() || name.len() > 60 || !name.chars().all(good) {
        return Err(PatternError(coded![
            "pattern-name",
            "name {name}: it must be up to 60 of a-z, 0-9 and -",
            name = format!("{name:?}")
        ]));
    }
    Ok(())
}

/// `part` is the code of what has this text, `what` its name in a sentence.
fn check_line(part: &str, what: &str, text: &str) -> Result<(), PatternError> {
    if text.trim() != text || text.chars().any(char::is_control) {
        let message = format!("{what} {text:?}: it must be one line without spaces at its ends");
        let facts = facts!["pattern-line", part, text = format!("{text:?}")];
        return Err(PatternError(CodedMessage::new(message, facts)));
    }
    Ok(())
}
