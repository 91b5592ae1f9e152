//! Prices in discs.

/// A corner at least, before the last squares: where taking it can wait, a search says that it is worth nothing now.
pub(super) const CORNER: f64 = 5.0;
/// One that the very next move takes: whatever else the move does, this is what a player must see first.
pub(super) const CORNER_AT_ONCE: f64 = 12.0;
/// A move more for the opponent, or one less for oneself.
pub(super) const MOVE: f64 = 0.5;
/// A safe move.
pub(super) const SAFE_MOVE: f64 = 0.9;
/// A disc that nobody can turn any more.
pub(super) const STABLE_DISC: f64 = 0.9;
/// An empty square beside the discs turned.
pub(super) const OPEN_SQUARE: f64 = 0.6;
/// The last move of a region.
pub(super) const LAST_MOVE: f64 = 2.5;
/// A pass.
pub(super) const PASS: f64 = 2.5;
/// A disc of the result that is turned back at once.
pub(super) const DISC_TURNED: f64 = 0.25;
/// An own disc beside an empty square.
pub(super) const FRONTIER_DISC: f64 = 0.3;
/// A pass, or the last move of a region, where the game is followed to its end, as a part of the loss.
pub(super) const PART_OF_LOSS: f64 = 0.5;
/// What the discs of a part of the board at the end of a game count in the comparison with other causes: those that have a name
/// say more, where they explain as much.
pub(super) const RANK_OF_FINAL_DISCS: f64 = 0.49;
/// The same of what the evaluation sees in a part of the board: all that the loss has is somewhere, so that this is dear whatever the cause.
pub(super) const RANK_OF_AREA: f64 = 0.4;
/// The same of a single answer that the mistake allows: a corner, an edge or safe moves say more, where they explain about as much.
pub(super) const RANK_OF_ANSWER: f64 = 0.6;
/// The same of what sets a move apart from the best one, and of moves in a quarter of the board: what is counted on more of it says more.
pub(super) const RANK_OF_FACT: f64 = 0.4;
/// To leave a quiet move or a pull for one that opens the position.
pub(super) const QUIET_LEFT: f64 = 2.0;
/// Being left with hardly a move, besides the moves themselves: who has none must soon play what is bad.
pub(super) const NO_MOVES: f64 = 3.0;
