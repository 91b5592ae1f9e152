//! Problems as records: a position, and the right first moves.
//!
//! A problem is the position before the first move of the main line. Right are the moves there whose variation has a comment with the word
//! `RIGHT` or `CORRECT` (in capitals, or alone or followed by a sign at the start: `Correct!`); if no variation has one, the first move of the main line
//! is right.

use ishi_go::{Color, Move, Point, Rules};
use ishi_sgf::{GameTree, GoGame, NodeId, PropertyValue};

use super::Problem;

/// Reads a game as a problem.
///
/// # Errors
/// What is wrong with it, and what would be right.
///
/// ```
/// use ishi_go_play::problems::sgf;
/// let record = b"(;SZ[9]AB[ba][bb][ab]AW[ca][cb][bc][ac];B[cc]C[no](;W[dd]))(;SZ[9]AB[ai]AW[bi](;W[ih])(;W[ah]C[RIGHT]))";
/// let reading = ishi_sgf::read_collection(record).unwrap();
/// let problem = sgf::read_problem(&reading.collection.games[1], "taking").unwrap();
/// assert!(problem.expected.fits_answer("A2") && !problem.expected.fits_answer("J2"));
/// assert!(problem.args.starts_with("white "));
/// ```
pub fn read_problem(tree: &GameTree, name: &str) -> Result<Problem, String> {
    let (start, children) =
        find_start(tree).ok_or("no move follows its position: the right first move must follow")?;
    let game = GoGame::read_line_to(tree, start).map_err(|error| error.to_string())?;
    let position = game.replay_position(Rules::CHINESE, None).map_err(|error| error.to_string())?.position;
    let moves: Vec<(NodeId, Color, Move)> = children
        .into_iter()
        .filter_map(|child| first_move(tree, child).map(|(c, mv)| (child, c, mv)))
        .collect();
    let &(_, to_move, main) = moves.first().ok_or("no move follows its position")?;
    let marked = moves.iter().filter(|&&(child, color, _)| color == to_move && is_right(tree, child));
    let mut right: Vec<Move> = marked.map(|&(_, _, mv)| mv).collect();
    if right.is_empty() {
        right.push(main);
    }
    let points: Option<Vec<Point>> = right.iter().map(|mv| mv.point()).collect();
    let points = points.ok_or("its right first move is a pass: it must be a point")?;
    let board = position.board();
    let of = |color| board.size().points().filter(|&p| board.color(p) == Some(color)).collect::<Vec<Point>>();
    let stones = [of(Color::Black), of(Color::White)];
    if stones.iter().all(Vec::is_empty) {
        return Err("no stone stands before its first move: there must be a position (AB, AW)".to_string());
    }
    if let Some(&taken) = points.iter().find(|&&point| board.color(point).is_some()) {
        return Err(format!("its right first move {taken} is on a stone"));
    }
    let problem =
        Problem::from_right_moves(name, &problem_group(tree), board.size(), to_move, stones, &points);
    Ok(Problem { komi: Some(position.komi()), ..problem.map_err(|error| error.to_string())? })
}

/// What problems are counted with: what the record calls their kind and how hard it says they are (GE, DI).
fn problem_group(tree: &GameTree) -> String {
    let of = |name: &str| {
        tree.root().value(name).map(PropertyValue::to_simple_text).filter(|text| !text.is_empty())
    };
    let parts: Vec<String> = ["GE", "DI"].into_iter().filter_map(of).collect();
    if parts.is_empty() { "sgf".to_string() } else { parts.join(" ") }
}

/// The node before the first move of the main line, and what follows it.
fn find_start(tree: &GameTree) -> Option<(NodeId, Vec<NodeId>)> {
    let line: Vec<NodeId> = tree.main_line().collect();
    let first = line.iter().position(|&node| has_move(tree, node))?;
    let before = line[first.checked_sub(1)?];
    Some((before, tree.children(before).collect()))
}

fn has_move(tree: &GameTree, node: NodeId) -> bool {
    ["B", "W"].iter().any(|name| tree.node(node).value(name).is_some())
}

fn first_move(tree: &GameTree, node: NodeId) -> Option<(Color, Move)> {
    let game = GoGame::read_line_to(tree, node).ok()?;
    let step = game.steps.iter().find(|step| step.node == node)?;
    step.moves.first().map(|played| (played.color, played.mv))
}

/// Does a comment of this node or below it say that this is right?
fn is_right(tree: &GameTree, node: NodeId) -> bool {
    let mut open = vec![node];
    while let Some(node) = open.pop() {
        if tree.node(node).value("C").is_some_and(|comment| says_right(&comment.to_text())) {
            return true;
        }
        open.extend(tree.children(node));
    }
    false
}

fn says_right(comment: &str) -> bool {
    let words = comment.split(|c: char| !c.is_alphanumeric());
    let first = comment.trim().split(char::is_whitespace).next().unwrap_or("").to_lowercase();
    // "Right!" and "right", not "Right side" or "rightly".
    let is_alone = |word: &str| match first.strip_prefix(word) {
        Some("") => comment.trim().len() == word.len(),
        Some(rest) => !rest.starts_with(char::is_alphanumeric),
        None => false,
    };
    words.into_iter().any(|word| word == "RIGHT" || word == "CORRECT")
        || ["right", "correct"].into_iter().any(is_alone)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Problem, String> {
        read_problem(&ishi_sgf::read_collection(text.as_bytes()).unwrap().collection.games[0], "test")
    }

    #[test]
    fn comments_tell_right_variations() {
        for comment in
            ["RIGHT", "This is CORRECT.", "Correct!", "correct", "Right. White dies.", "\n+ RIGHT +"]
        {
            assert!(says_right(comment), "{comment:?}");
        }
        for comment in
            ["", "INCORRECT", "incorrect", "the right side", "Right side first", "BRIGHT", "Correctly"]
        {
            assert!(!says_right(comment), "{comment:?}");
        }
    }

    #[test]
    fn the_mark_may_stand_deep_and_more_than_one_move_be_right() {
        let problem = read(
            "(;SZ[9]AB[ai]AW[bi];C[solve it](;W[ee]C[wrong];B[ah])(;W[ah])(;W[bh];B[ah];W[ag]C[RIGHT])(;W[ci]C[Correct!]))",
        );
        let problem = problem.unwrap();
        assert_eq!(problem.expected.to_string(), "[B2|C1]");
        assert_eq!(problem.group, "sgf");
        let main = read("(;SZ[9]GE[tesuji]DI[20k]AB[ai]AW[bi];W[ah];B[ee])").unwrap();
        assert_eq!((main.expected.to_string().as_str(), main.group.as_str()), ("[A2]", "tesuji 20k"));
    }

    #[test]
    fn a_move_far_from_the_stones_is_asked_on_the_whole_board() {
        let problem = read("(;SZ[19]AB[cc]AW[dd];B[qq])").unwrap();
        assert_eq!((problem.query.as_str(), problem.args.as_str()), ("reg_genmove", "black"));
    }

    #[test]
    fn what_is_no_problem_is_refused() {
        for (text, says) in [
            ("(;SZ[9]AB[aa])", "no move follows"),
            ("(;SZ[9]B[aa])", "no move follows"),
            ("(;SZ[9];B[aa])", "no stone"),
            ("(;SZ[9]AB[aa];W[])", "pass"),
            ("(;SZ[9]AB[aa];W[aa])", "on a stone"),
            ("(;GM[2];B[aa])", "GM"),
        ] {
            let error = read(text).unwrap_err();
            assert!(error.contains(says), "{text}: {error}");
        }
    }
}
