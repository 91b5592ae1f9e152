//! Joseki (定石): what is played in the corners, as a directed acyclic graph of positions.
//!
//! A node is a position of a corner, whichever corner, mirror image and colours it was played in ([`corner`]); transpositions meet in
//! it. Its branches are the moves that were played there, with their counts, results and age ([`book`]). [`learn`] fills the graph from
//! records, [`text`] writes it for people to edit, [`packed`] in little more than a byte a move.

pub mod book;
pub mod corner;
pub mod learn;
pub mod packed;
pub mod text;
