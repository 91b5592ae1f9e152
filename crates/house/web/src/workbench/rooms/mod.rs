//! The rooms: a module each, with its own routes and what it keeps in memory.

pub(super) mod addresses;
mod answers;
mod blunder;
mod both_languages;
pub(crate) mod damage;
pub(crate) mod decks;
mod deep_pictures;
pub(crate) mod go;
mod history;
pub(crate) mod home;
pub(crate) mod joseki;
mod kept_list;
mod keys;
pub(crate) mod laboratory;
mod lessons;
mod memory;
pub(crate) mod othello;
mod own_collections;
pub(crate) mod patterns;
mod practice;
mod recall;
mod shared_page;
mod standing;
mod steps;
pub(crate) mod strings;
pub(crate) mod tables;

pub(crate) use memory::RoomState;

use std::time::{SystemTime, UNIX_EPOCH};

/// Milliseconds since 1970.
fn now_ms() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}
