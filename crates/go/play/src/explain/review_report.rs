//! Reviews of games as data, for programs: what `ishi review --json` prints and Python gets as a dictionary.

use ishi_go::{Color, Point};
use ishi_knowledge::words::phase_name;
use ishi_words::Language;
use serde::{Deserialize, Serialize};

use super::answer_tree::{AnswerTree, TreeMove, TreeNode, lines_of_tries};
use super::lesson::{Lesson, PhaseSummary};
use super::lesson_words::{lesson_question, lesson_title, phase_sentence, praise_sentence, tried_line_name};
use super::owners::MatterKind;
use super::place::BoardPlace;
use super::review::{GameReview, MoveValue};
use super::say::teaching_text;
use super::words::difference_text;

/// A review, to be written as JSON or the like, with its sentences in one language.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct ReviewReport {
    /// All moves.
    pub moves: Vec<ReviewedMoveReport>,
    /// Numbers of the moves after which another side is ahead, for good.
    pub turning_points: Vec<usize>,
    /// In the order of the game.
    pub lessons: Vec<LessonReport>,
    /// What went well, a sentence each.
    pub praise: Vec<String>,
    /// Opening, middle game and endgame.
    pub phases: Vec<PhaseReport>,
}

/// A move, and what it lost.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ReviewedMoveReport {
    /// From 1.
    pub number: usize,
    /// Who played: `black` or `white`.
    pub color: String,
    /// Where, as `D4`, or `pass`.
    pub vertex: String,
    /// Black's lead after it, in points after komi.
    pub black_lead: f64,
    /// Black's probability of winning after it, 0 to 1.
    pub black_win_rate: f64,
    /// What it lost for its side, in points.
    pub lost_points: f64,
    /// What it lost for its side of the probability of winning.
    pub lost_win_rate: f64,
    /// By how many points the loss may be off: nine in ten are off by less. None where nothing was lost, or nothing is known of it.
    #[serde(default)]
    pub lost_margin: Option<f64>,
    /// The move that is better, where it lost something.
    pub better: Option<String>,
}

/// A lesson: mistakes that belong together, and the surest of them.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct LessonReport {
    /// The move whose loss is the surest.
    pub number: usize,
    /// All of them.
    pub numbers: Vec<usize>,
    /// Whose: `black` or `white`.
    pub color: String,
    /// That move, as `D4`, or `pass`.
    pub vertex: String,
    /// What that move lost, in points.
    pub lost_points: f64,
    /// What that move lost of the probability of winning.
    pub lost_win_rate: f64,
    /// What all of them lost, in points.
    pub lost_in_all: f64,
    /// The better move.
    pub better: Option<String>,
    /// Where it is, if one area carries it.
    pub place: Option<BoardPlace>,
    /// What it is about, if one area carries it.
    pub matter: Option<MatterKind>,
    /// What it is called.
    pub title: String,
    /// What the player is asked.
    pub question: String,
    /// The verdict, its reason, the refutation, the better move.
    pub text: String,
    /// How the answer goes on, as reading proves.
    #[serde(default)]
    pub answer_tree: Option<AnswerTreeReport>,
    /// How the move whose loss is the surest is refuted, as reading proves.
    #[serde(default)]
    pub refutation_tree: Option<AnswerTreeReport>,
}

/// What a side has done for good, and what the other can still try.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct AnswerTreeReport {
    /// What is done: `catches`, `saves`, `connects`, `cuts`, `kills` or `lives`.
    pub goal: String,
    /// Who has done it: `black` or `white`.
    pub color: String,
    /// The stones that it is about, one for each chain.
    pub stones: Vec<String>,
    /// The moves that do it, as `B D4`: the answer alone, or the wrong move and the reply.
    pub moves: Vec<String>,
    /// What the other side may try then.
    pub tries: Vec<TreeMoveReport>,
    /// What is tried, and what it comes to, in words.
    pub text: String,
}

/// A move of a tree.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TreeMoveReport {
    /// The move, as `B D4`.
    #[serde(rename = "move")]
    pub mv: String,
    /// Replies to a try, of which the first goes on; tries after a reply.
    pub replies: Vec<TreeMoveReport>,
}

/// A part of the game.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PhaseReport {
    /// Its English name.
    pub phase: String,
    /// Its first move.
    pub first: usize,
    /// Its last move.
    pub last: usize,
    /// What Black gained in it, in points.
    pub black_gain: f64,
    /// Black's lead after it, in points.
    pub black_lead: f64,
    /// Numbers of the moves that lost most in it, of each player one, if that is two points or more. Black's is first.
    #[serde(default)]
    pub worst_moves: Vec<usize>,
    /// How it went, in a sentence or two.
    pub text: String,
}

impl ReviewReport {
    /// Of this review, its sentences in this language.
    pub fn from_review(review: &GameReview, language: Language) -> ReviewReport {
        let praise = review.praise.iter().map(|(color, praise)| praise_sentence(praise, *color, language));
        ReviewReport {
            moves: review.moves.iter().map(ReviewedMoveReport::from_value).collect(),
            turning_points: review.turning_points.clone(),
            lessons: review
                .lessons
                .iter()
                .map(|lesson| LessonReport::from_lesson(lesson, language))
                .collect(),
            praise: praise.collect(),
            phases: review.phases.iter().map(|part| PhaseReport::from_part(part, language)).collect(),
        }
    }
}

impl ReviewedMoveReport {
    fn from_value(value: &MoveValue) -> ReviewedMoveReport {
        ReviewedMoveReport {
            number: value.number,
            color: value.color.to_string(),
            vertex: value.mv.to_string(),
            black_lead: value.black_lead,
            black_win_rate: value.black_win_rate,
            lost_points: value.lost_points,
            lost_win_rate: value.lost_win_rate,
            lost_margin: value.better.map(|_| value.lost_margin).filter(|margin| margin.is_finite()),
            better: value.better.map(|better| better.to_string()),
        }
    }
}

impl LessonReport {
    fn from_lesson(lesson: &Lesson, language: Language) -> LessonReport {
        let head = &lesson.head;
        let told_tree =
            |tree: &Option<AnswerTree>| tree.as_ref().map(|tree| AnswerTreeReport::from_tree(tree, language));
        LessonReport {
            number: head.key.number,
            numbers: head.numbers.clone(),
            color: head.color.to_string(),
            vertex: head.key.mv.to_string(),
            lost_points: head.key.lost_points,
            lost_win_rate: head.key.lost_win_rate,
            lost_in_all: head.lost_points,
            better: head.key.better.map(|better| better.to_string()),
            place: head.place,
            matter: head.cause.carrying().map(|reason| reason.kind),
            title: lesson_title(head, lesson.teaching.listener, language),
            question: lesson_question(head, language),
            text: teaching_text(&lesson.teaching, language),
            answer_tree: told_tree(&lesson.trees.answer),
            refutation_tree: told_tree(&lesson.trees.refutation),
        }
    }

    /// What its worst move lost, in words: what is nothing is not told.
    pub fn loss_text(&self, language: Language) -> String {
        let difference = difference_text(self.lost_points, 100.0 * self.lost_win_rate, language);
        match language {
            Language::English => format!("lost {difference}"),
            Language::Japanese => format!("{difference}の損"),
        }
    }
}

impl AnswerTreeReport {
    fn from_tree(tree: &AnswerTree, language: Language) -> AnswerTreeReport {
        AnswerTreeReport {
            goal: tree.goal.name().to_string(),
            color: tree.side.to_string(),
            stones: tree.goal.stones().iter().map(Point::to_string).collect(),
            moves: tree.moves.iter().map(|&(color, mv)| name_move(color, mv)).collect(),
            tries: tree.tries.iter().map(TreeMoveReport::from_move).collect(),
            text: tried_line_name(tree, language),
        }
    }

    /// Its lines, each to where a try has failed, as `B C7 W D7 B E6`. Of several replies the first goes on.
    pub fn lines(&self) -> Vec<String> {
        lines_of_tries(&self.moves, &self.tries).into_iter().map(|line| line.join(" ")).collect()
    }
}

impl TreeNode for TreeMoveReport {
    type Written = String;

    fn own_move(&self) -> String {
        self.mv.clone()
    }

    fn replies(&self) -> &[TreeMoveReport] {
        &self.replies
    }
}

impl TreeMoveReport {
    fn from_move(mv: &TreeMove) -> TreeMoveReport {
        let replies = mv.replies.iter().map(TreeMoveReport::from_move).collect();
        TreeMoveReport { mv: name_move(mv.color, mv.mv), replies }
    }
}

/// Colour and vertex, as `B D4`.
fn name_move(color: Color, mv: Point) -> String {
    format!("{} {mv}", color.letter())
}

impl PhaseReport {
    fn from_part(part: &PhaseSummary, language: Language) -> PhaseReport {
        PhaseReport {
            phase: phase_name(part.phase, Language::English).to_string(),
            first: part.first,
            last: part.last,
            black_gain: part.lead_after - part.lead_before,
            black_lead: part.lead_after,
            worst_moves: part.worst.iter().flatten().map(|loss| loss.number).collect(),
            text: phase_sentence(part, language),
        }
    }
}
