//! Words and settings that people and programs write: on command lines, in files, in forms, in commands of protocols.

use std::fmt::{Debug, Display};
use std::str::FromStr;

use ishi_analysis::labels::Moment;
use ishi_analysis::protocol::{AnalysisSearcher, AnalysisSettings};
use ishi_arena::process::EngineCommand;
use ishi_arena::{EndReason, TimeControl};
use ishi_deck::models::Formulation;
use ishi_deck::scores::PairMeasure;
use ishi_deck::scores::log::{Day, LogFormat};
use ishi_deck::scores::trial::PredictionMethod;
use ishi_deck_documents::SolveMethod;
use ishi_deck_documents::request::AllowedGap;
use ishi_deck_documents::text::DocumentFormat;
use ishi_evolve::DeStrategy;
use ishi_go_play::explain::listener::Listener;
use ishi_go_play::go_mcts::MctsParams;
use ishi_go_play::go_mcts::tabu::TabuKind;
use ishi_go_play::go_network::NetworkParams;
use ishi_go_play::go_rank::{Chooser, Rank, RankParams};
use ishi_go_play::problems::ExpectedAnswer;
use ishi_grid::models::StringsFormulation;
use ishi_grid::sequences::Sequence;
use ishi_gtp::FinalScore;
use ishi_judge::samples::SampleField;
use ishi_knowledge::Style;
use ishi_knowledge::show::AnalysisLevel;
use ishi_mip::MipSolver;
use ishi_othello_learn::evolution::LearningOptions;
use ishi_othello_play::book::BookFormat;
use ishi_othello_play::levels::Level;
use ishi_othello_play::ntuple::{NetworkPhases, SquareTuple};
use ishi_othello_play::rating::Rating;
use ishi_patterns::joseki::book::MoveKind;
use ishi_patterns::joseki::corner::CornerPoint;
use ishi_patterns::library::{DiagramSquare, MovePurpose};
use ishi_rng::checksum::{seal_line, split_sealed_line};
use ishi_words::Language;

/// What is read is written so that it is read again the same.
fn check_round_trip<T: FromStr + Display + PartialEq + Debug>(text: &str) {
    let Ok(read) = text.parse::<T>() else { return };
    let written = read.to_string();
    assert_eq!(written.parse::<T>().ok(), Some(read), "{text:?} was written as {written:?}");
}

/// Words of settings, parameters of players and answers that are expected: what is read is written so that it is read again the same, and
/// numbers are within their bounds.
pub fn check_settings(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    check_words(text);
    check_names(text);
    check_player_params(text);
    if let Ok(expected) = text.parse::<ExpectedAnswer>() {
        let _ = expected.fits_answer("1 1 PASS");
        check_round_trip::<ExpectedAnswer>(text);
    }
    if let Ok(AllowedGap::Score(gap) | AllowedGap::Share(gap)) = text.parse::<AllowedGap>() {
        assert!(gap.is_finite() && gap >= 0.0, "{gap}");
    }
    if let Some(FinalScore::Win(_, margin)) = FinalScore::parse(text) {
        assert!(margin > 0.0, "{margin}");
    }
    let _ = (text.parse::<LearningOptions>(), text.parse::<NetworkPhases>());
    let _ = (DocumentFormat::from_name(text), BookFormat::from_file_name(text));
    assert_eq!(split_sealed_line(&seal_line(text, ' '), ' '), Ok((text, true)));
    let _ = split_sealed_line(text, ' ');
}

/// Words that are written as they are read.
fn check_words(text: &str) {
    check_round_trip::<ishi_othello::Color>(text);
    check_round_trip::<ishi_othello::Move>(text);
    check_round_trip::<ishi_othello::Square>(text);
    check_round_trip::<Chooser>(text);
    check_round_trip::<Day>(text);
    check_round_trip::<DeStrategy>(text);
    check_round_trip::<EndReason>(text);
    check_round_trip::<EngineCommand>(text);
    check_round_trip::<Formulation>(text);
    check_round_trip::<Level>(text);
    check_round_trip::<LogFormat>(text);
    check_round_trip::<MipSolver>(text);
    check_round_trip::<Moment>(text);
    check_round_trip::<MoveKind>(text);
    check_round_trip::<MovePurpose>(text);
    check_round_trip::<PairMeasure>(text);
    check_round_trip::<PredictionMethod>(text);
    check_round_trip::<Rank>(text);
    check_round_trip::<Rating>(text);
    check_round_trip::<SquareTuple>(text);
    check_round_trip::<Style>(text);
    check_round_trip::<TabuKind>(text);
    check_round_trip::<TimeControl>(text);
}

/// Words that have a name, and points that are read by functions of their own.
fn check_names(text: &str) {
    let names = [
        text.parse().ok().map(AnalysisLevel::name),
        text.parse().ok().map(Listener::name),
        text.parse().ok().map(SolveMethod::name),
        Sequence::from_name(text).map(|sequence| sequence.entry().name),
    ];
    assert!(names.into_iter().flatten().all(|name| name == text), "{text:?}");
    if let Some(point) = CornerPoint::parse(text) {
        assert_eq!(CornerPoint::parse(&point.to_string()), Some(point));
    }
    if let Some(square) = DiagramSquare::parse(text) {
        assert_eq!(DiagramSquare::parse(&square.to_string()), Some(square));
    }
    if let Ok(formulation) = text.parse::<StringsFormulation>() {
        assert_eq!(formulation.short_name().parse(), Ok(formulation));
    }
    let _ = (text.parse::<Language>(), text.parse::<SampleField>());
}

/// Parameters of players: what differs from the usual is written so that it is read again the same.
fn check_player_params(text: &str) {
    if let Ok(params) = text.parse::<MctsParams>() {
        assert_eq!(params.spec().parse::<MctsParams>(), Ok(params));
    }
    if let Ok(params) = text.parse::<NetworkParams>() {
        assert_eq!(params.spec().parse::<NetworkParams>(), Ok(params));
    }
    if let Ok(params) = text.parse::<RankParams>() {
        assert_eq!(params.spec().parse::<RankParams>(), Ok(params));
    }
    let _ = (AnalysisSearcher::from_spec(text), AnalysisSettings::default().set_from_list(text));
}
