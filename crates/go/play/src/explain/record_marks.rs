//! What a review says of each move as properties of its record, which other programs show: Black's lead as the value of the node (`V`, SGF
//! FF 4), Black's chance as Sabaki keeps it for its graph (`SBKV`, per cent), and bad moves with the marks of FF 4 (`DO`, `BM`).

use ishi_sgf::Node;

use super::review::LossClass;

/// Marks of a move that exclude each other (FF[4]).
const MOVE_MARKS: [&str; 4] = ["BM", "DO", "IT", "TE"];

/// Writes what is known after a move to its node: Black's lead in points, Black's probability of winning, and what the move lost of that of its
/// side. Values of another analysis are replaced; a mark that somebody has given the move stays.
///
/// ```
/// use ishi_go_play::explain::record_marks::write_move_value;
/// let mut game = ishi_sgf::read_collection(b"(;SZ[9];B[aa])").unwrap().collection.games.remove(0);
/// let first = game.main_line().nth(1).unwrap();
/// write_move_value(game.node_mut(first), -7.26, 0.3125, 0.2);
/// assert!(ishi_sgf::Collection::from_game(game).to_sgf().contains("B[aa]V[-7.3]SBKV[31.25]BM[1]"));
/// ```
pub fn write_move_value(node: &mut Node, black_lead: f64, black_win_rate: f64, lost_win_rate: f64) {
    node.set_text("V", &write_lead(black_lead));
    node.set_text("SBKV", &format!("{:.2}", 100.0 * black_win_rate));
    if MOVE_MARKS.iter().any(|mark| node.property(mark).is_some()) {
        return;
    }
    match LossClass::from_lost_win_rate(lost_win_rate) {
        Some(LossClass::Blunder) => node.set_text("BM", "2"),
        Some(LossClass::Mistake) => node.set_text("BM", "1"),
        Some(LossClass::Doubtful) => node.set_text("DO", ""),
        None => {}
    }
}

/// A lead in tenths of a point. What is none has no sign.
fn write_lead(lead: f64) -> String {
    let tenths = format!("{lead:.1}");
    if tenths == "-0.0" { "0.0".to_string() } else { tenths }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The properties of a move of a record, once this is written to it.
    fn written(record: &str, lost_win_rate: f64) -> String {
        let mut game = ishi_sgf::read_collection(record.as_bytes()).unwrap().collection.games.remove(0);
        let first = game.main_line().nth(1).unwrap();
        write_move_value(game.node_mut(first), 3.0, 0.75, lost_win_rate);
        let sgf = ishi_sgf::Collection::from_game(game).to_sgf();
        sgf.split_once(";B").unwrap().1.trim().trim_end_matches(')').to_string()
    }

    #[test]
    fn bad_moves_have_the_marks_of_the_format() {
        let marks = [0.0, 0.1, 0.2, 0.5].map(|lost| written("(;SZ[9];B[aa])", lost));
        let value = "[aa]V[3.0]SBKV[75.00]";
        assert_eq!(marks, ["", "DO[]", "BM[1]", "BM[2]"].map(|mark| format!("{value}{mark}")));
    }

    #[test]
    fn a_lead_of_none_has_no_sign() {
        let told = [-0.04, 0.04, -0.0, -0.06, -12.0].map(write_lead);
        assert_eq!(told, ["0.0", "0.0", "0.0", "-0.1", "-12.0"]);
    }

    #[test]
    fn values_are_replaced_and_marks_of_others_stay() {
        assert_eq!(written("(;SZ[9];B[aa]V[9]TE[1])", 0.5), "[aa]V[3.0]TE[1]SBKV[75.00]");
    }
}
