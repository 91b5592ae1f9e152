//! Exact local search on the board of Go: what becomes of a chain when both sides read it out.
