//! What a position is worth, in discs.
