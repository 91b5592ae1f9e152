//! Training samples out of records and labels: what the network of `ishi-judge` sees of a position, and what is known of it.

use ishi_go::{Color, Rules};
use ishi_judge::planes::{self, BoardTooLarge, POINTS};
use ishi_judge::{PlaneEncoder, TrainingSample};
use ishi_patterns::records::RecordedGame;

use super::games::{GameTerms, position_at};
use super::label::PositionLabel;
use super::plan::Moment;

/// Why a label makes no sample.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LabelSampleError {
    /// The board has too many lines.
    #[error(transparent)]
    TooLarge(#[from] BoardTooLarge),
    /// Label and game do not fit together.
    #[error("{0}")]
    Label(String),
}

/// A position with what its game says: the move that was played, and who won. The sample's game is the record's line. After a
/// pass that the game does not have, it says neither.
///
/// # Errors
/// If the board has more than 19 lines.
///
/// # Panics
/// If the record has fewer moves.
///
/// ```
/// use ishi_go::{Color, Rules};
/// use ishi_judge::PlaneEncoder;
/// use ishi_analysis::labels::{Moment, samples};
/// use ishi_analysis::labels::games::GameTerms;
/// use ishi_patterns::records;
/// let game = &records::parse_records("a\t-\t-\t9\t7\t0\t-\tW+R\t?\t?\tB\tccdd").unwrap()[0];
/// let terms = GameTerms::from_record(game, Rules::CHINESE);
/// let sample = samples::sample_from_game(&mut PlaneEncoder::default(), game, terms, Moment::after_moves(1)).unwrap();
/// assert_eq!((sample.to_move, sample.game_winner), (Color::White, Some(1.0)));
/// assert_eq!((sample.played, sample.lead), (Some(game.moves[1]), None));
/// ```
pub fn sample_from_game(
    encoder: &mut PlaneEncoder,
    record: &RecordedGame,
    terms: GameTerms,
    moment: Moment,
) -> Result<TrainingSample, BoardTooLarge> {
    let position = position_at(record, terms, moment);
    let planes = encoder.encode_position(&position)?;
    let to_move = position.to_move();
    // Files of more than four thousand million lines are not split by game.
    let game = u32::try_from(record.line).unwrap_or(u32::MAX);
    if moment.passed {
        return Ok(TrainingSample::new(planes, to_move, game));
    }
    Ok(TrainingSample {
        played: record.moves.get(moment.moves).copied(),
        game_winner: record.winner.map(|winner| if winner == to_move { 1.0 } else { 0.0 }),
        ..TrainingSample::new(planes, to_move, game)
    })
}

/// A position with what its game and a judge say.
///
/// # Errors
/// If the label is of another game, has rules that are not known, or the board has more than 19 lines.
pub fn sample_from_label(
    encoder: &mut PlaneEncoder,
    record: &RecordedGame,
    label: &PositionLabel,
) -> Result<TrainingSample, LabelSampleError> {
    let PositionLabel { moment, komi, .. } = *label;
    let moves = moment.moves;
    if moves > record.moves.len() {
        let problem = format!("moves played: {moves}, but the game has {} moves", record.moves.len());
        return Err(LabelSampleError::Label(problem));
    }
    let rules: Rules = label
        .rules
        .parse()
        .map_err(|error: ishi_go::RulesError| LabelSampleError::Label(format!("rules: {error}")))?;
    let sample = sample_from_game(encoder, record, GameTerms { rules, komi }, moment)?;
    let sign = if sample.to_move == Color::Black { 1.0 } else { -1.0 };
    let win_rate = if sample.to_move == Color::Black { label.win_rate } else { 1.0 - label.win_rate };
    Ok(TrainingSample {
        policy: Some(label.policy.clone()),
        judge_winner: Some(win_rate as f32),
        lead: Some((sign * label.lead) as f32),
        spread: label.spread.map(|spread| spread as f32),
        owners: Some(owners_by_index(label, record, sample.to_move)),
        ..sample
    })
}

/// Owners of points by [`planes::point_index`], the side to move's above 0.
fn owners_by_index(label: &PositionLabel, record: &RecordedGame, to_move: Color) -> [i8; POINTS] {
    let sign = if to_move == Color::Black { 1 } else { -1 };
    let mut owners = [0; POINTS];
    for (point, owner) in record.size.points().zip(&label.owners) {
        owners[planes::point_index(point)] = sign * owner;
    }
    owners
}
