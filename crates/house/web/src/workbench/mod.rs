//! The workbench: pages to play, look, understand, edit and experiment.
//!
//! Server-rendered HTML and SVG; htmx sends what is clicked and puts in what comes back, server-sent events bring what engines think. A page
//! works on what the store keeps, so that a reload or a second tab loses nothing.
//!
//! - `router`: all addresses, and what every request goes through. [`page`]: the frame of every page. [`assets`]: style sheet and scripts, which [`asset_files`] answers with.
//! - [`visitor`]: language and theme of who asks. [`preferences`]: how they are chosen.
//! - [`texts`]: what people read, from Fluent files, a folder for each language; what errors of libraries say among it. [`line_words`]: by which words the page finds lines of moves.
//! - [`guard`]: who may ask. [`token`]: what they must know. [`random_text`]: what nobody guesses. [`entrance`]: the way in, with its addresses in [`address`]. [`error`]: what goes wrong, in words.
//! - [`made_by`]: how saved records, pages, pictures and data were made. [`answer`]: answers that many rooms give. [`chart`]: curves and intervals whose values can be looked up. [`table`]: tables.
//! - [`phone`]: the way to a phone, by a code ([`qr`]).
//! - [`live`]: events for open pages; [`audience`]: those of one thing, in every language. [`thoughts`]: searches on threads of their own, which end when nobody looks.
//! - [`judge_sessions`]: programs that judge what pages ask, each kept ready for the next question.
//! - [`desk`]: what all pages share. [`documents`]: the one way in which rooms keep what they have. `rooms`: a module for each room, with its own `routes()`.
//!
//! This module only names the others, and what all of them and the rest of the crate use: nothing below may need what stands above it.

mod address;
mod answer;
mod asset_files;
mod assets;
mod audience;
mod budget;
mod chart;
mod desk;
mod documents;
mod entrance;
mod error;
mod guard;
mod health;
mod judge_sessions;
mod line_words;
mod live;
mod made_by;
mod page;
mod phone;
mod preferences;
mod qr;
mod random_text;
pub(crate) mod rooms;
pub(crate) mod router;
#[cfg(test)]
mod rulings;
mod table;
mod texts;
mod thoughts;
mod token;
mod visitor;

pub(crate) use address::{CODE_PATH, entry_path};
pub use desk::WorkbenchSettings;
pub(crate) use desk::{DeskState, WorkbenchState};
pub(crate) use error::{PageAnswer, RequestError};
pub(crate) use rooms::tables::unpack_soon;
pub use token::{AccessToken, TokenError};
