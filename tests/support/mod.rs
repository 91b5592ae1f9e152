//! What several files of tests share.

#[macro_use]
pub(crate) mod program;
pub(crate) mod made_up_games;
pub(crate) mod workbench;
