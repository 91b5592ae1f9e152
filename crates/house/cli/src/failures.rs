//! What errors of libraries mean for a command: whose fault they are, and so its exit code.

use ishi_analysis::labels::{JudgeProcessError, LabelsError};
use ishi_deck_documents::DocumentError;
use ishi_go_play::analyst::JudgeError;
use ishi_lab::LabError;
use ishi_lab::store::StoreError;
use ishi_web::ServerError;

use crate::context::Failure;

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Failure {
        if error.is_input() { Failure::input(error) } else { Failure::outside(error) }
    }
}

impl From<LabError> for Failure {
    fn from(error: LabError) -> Failure {
        if error.is_input() { Failure::input(error) } else { Failure::outside(error) }
    }
}

impl From<ServerError> for Failure {
    fn from(error: ServerError) -> Failure {
        if error.is_input() { Failure::input(error) } else { Failure::outside(error) }
    }
}

/// A document that cannot be read, or not be understood.
impl From<DocumentError> for Failure {
    fn from(error: DocumentError) -> Failure {
        if error.outside { Failure::outside(error) } else { Failure::input(error) }
    }
}

/// A judge that fails stands outside.
impl From<JudgeError> for Failure {
    fn from(error: JudgeError) -> Failure {
        match error {
            JudgeError::Stopped => Failure::Interrupted,
            JudgeError::Failed(why) => Failure::Outside(why),
        }
    }
}

impl From<LabelsError> for Failure {
    fn from(error: LabelsError) -> Failure {
        match error {
            LabelsError::Judge(JudgeProcessError::Stopped) => Failure::Interrupted,
            error if error.is_input() => Failure::input(error),
            error => Failure::outside(error),
        }
    }
}
