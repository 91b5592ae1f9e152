//! A game that was reviewed, as `ishi review` tells it: who played, what the library found, and pictures for pages.

use ishi_go::picture::{BoardPicture, PictureMark, PictureTone};
use ishi_go::{Color, Position};
use ishi_go_play::explain::lesson::Lesson;
use ishi_go_play::explain::picture::{draw_explanation, draw_question};
use ishi_go_play::explain::report::ExplanationReport;
use ishi_go_play::explain::review::{self, find_leader};
use ishi_go_play::explain::review_report::{LessonReport, PhaseReport, ReviewReport, ReviewedMoveReport};
use ishi_knowledge::words::color_name;
use ishi_words::Language;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::record::SgfRecord;
use crate::context::Failure;

/// What is known of a game: what `--json` prints, and a folder of pages keeps.
#[derive(Default, Serialize, Deserialize)]
pub(super) struct GameReview {
    pub(super) file: String,
    pub(super) game: usize,
    pub(super) black: String,
    pub(super) white: String,
    #[serde(default)]
    pub(super) black_rank: Option<String>,
    #[serde(default)]
    pub(super) white_rank: Option<String>,
    /// The result as the record has it.
    pub(super) result: Option<String>,
    pub(super) moves: Vec<ReviewedMoveReport>,
    /// Numbers of the moves after which another side is ahead, for good.
    pub(super) turning_points: Vec<usize>,
    /// Their pictures, for pages.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) turning_pictures: Vec<String>,
    /// The lessons in the order of the game.
    pub(super) lessons: Vec<ReviewedLesson>,
    /// What went well, a sentence each.
    pub(super) praise: Vec<String>,
    /// Opening, middle game and endgame.
    pub(super) phases: Vec<PhaseReport>,
}

/// A lesson, and what is known of its move.
#[derive(Serialize, Deserialize)]
pub(super) struct ReviewedLesson {
    #[serde(flatten)]
    pub(super) lesson: LessonReport,
    /// All that is known of the move whose loss is the surest, as `ishi explain --json` has it.
    #[serde(default)]
    pub(super) explanation: Value,
    /// Pictures for pages: the question, then the answer.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) pictures: Vec<String>,
}

impl GameReview {
    /// What was found of a record's game, which is this one of its file (from 1). It has no pictures.
    pub(super) fn from_found(
        record: &SgfRecord,
        number: usize,
        found: &review::GameReview,
        language: Language,
    ) -> GameReview {
        let info = &record.game.info;
        let name = |name: &Option<String>, side: Color| {
            name.clone().unwrap_or_else(|| language.choose(side.to_string(), "無名".to_string()))
        };
        let ReviewReport { moves, turning_points, lessons, praise, phases } =
            ReviewReport::from_review(found, language);
        let with_explanation = |(told, lesson): (LessonReport, &Lesson)| ReviewedLesson {
            lesson: told,
            explanation: explanation_value(lesson, language),
            pictures: Vec::new(),
        };
        GameReview {
            file: record.name().to_string(),
            game: number,
            black: name(&info.black.name, Color::Black),
            white: name(&info.white.name, Color::White),
            black_rank: info.black.rank.clone(),
            white_rank: info.white.rank.clone(),
            result: info.result.as_ref().map(ToString::to_string),
            moves,
            turning_points,
            turning_pictures: Vec::new(),
            lessons: lessons.into_iter().zip(&found.lessons).map(with_explanation).collect(),
            praise,
            phases,
        }
    }

    /// Adds the pictures of lessons and turning points, for pages.
    pub(super) fn with_pictures(
        mut self,
        record: &SgfRecord,
        found: &review::GameReview,
        language: Language,
    ) -> Result<GameReview, Failure> {
        for (told, Lesson { position, explanation, .. }) in self.lessons.iter_mut().zip(&found.lessons) {
            let question = draw_question(position, &told.lesson.question);
            let answer = draw_explanation(position, explanation, language);
            told.pictures = std::iter::once(&question).chain(&answer).map(BoardPicture::to_svg).collect();
        }
        for &number in &self.turning_points {
            let position = record.position_after(number)?;
            let (leader, ..) = self.leader_from(number);
            let picture = draw_turning_point(&position, &self.moves[number - 1], leader, language);
            self.turning_pictures.push(picture);
        }
        Ok(self)
    }

    /// Who is ahead from a move (from 1) on, see [`find_leader`].
    pub(super) fn leader_from(&self, number: usize) -> (Color, f64, usize) {
        let rates: Vec<f64> = self.moves.iter().map(|row| row.black_win_rate).collect();
        find_leader(&rates, number)
    }

    /// Takes the pictures away, which only pages show.
    pub(super) fn drop_pictures(&mut self) {
        self.turning_pictures.clear();
        self.lessons.iter_mut().for_each(|told| told.pictures.clear());
    }

    /// Is no move worse than another beyond the search's noise?
    pub(super) fn lost_nothing(&self) -> bool {
        self.moves.iter().all(|row| row.lost_points == 0.0 && row.lost_win_rate == 0.0)
    }

    /// How the parts of the game went, and what went well: a sentence each.
    pub(super) fn sentences(&self) -> impl Iterator<Item = &String> {
        self.phases.iter().map(|part| &part.text).chain(&self.praise)
    }
}

/// All that is known of the move of a lesson, with what the lesson says of it.
fn explanation_value(lesson: &Lesson, language: Language) -> Value {
    let report = ExplanationReport::from_explanation(&lesson.explanation, language);
    serde_json::to_value(report.with_teaching(&lesson.teaching, language)).unwrap_or_default()
}

/// The position after a turning point.
fn draw_turning_point(
    position: &Position,
    row: &ReviewedMoveReport,
    leader: Color,
    language: Language,
) -> String {
    let leader = color_name(leader, language);
    let title = match language {
        Language::English => format!("{leader} ahead from move {} ({})", row.number, row.vertex),
        Language::Japanese => format!("{}手目（{}）から{leader}優勢", row.number, row.vertex),
    };
    let picture = BoardPicture::from_board(position.board()).with_title(title);
    let last = position.last_move().and_then(|(_, mv)| mv.point());
    last.map_or(picture.clone(), |last| picture.with_mark(last, PictureMark::Circle, PictureTone::Bad))
        .to_svg()
}
