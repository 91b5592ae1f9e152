//! Problems out of a game: the position of a lesson with its question, the answer, and what refutes the moves that are likely wrong.
//!
//! A problem shows stones on a board and no game before them, so it is searched as it stands. Every move of it is searched twice, the second
//! time in the mirror image, which the network sees otherwise. What the two do not agree on is no part of the problem.

use ishi_go::{Color, Move, Point, Position};
use ishi_knowledge::rules::suggest_moves;
use ishi_knowledge::words::color_name;
use ishi_sgf::{GameBuilder, GameTree, NodeId, move_text};
use ishi_words::Language;

use super::answer_tree::{AnswerTree, TreeMove};
use super::lesson::{Lesson, is_nearly_best};
use super::lesson_words::{goal_sentence, lesson_question, lesson_title, loss_text, try_sentence};
use super::plan::local_run;
use super::review::LossClass;
use super::say::{SpokenLine, TeachingPart, points_text, speak_answer, speak_teaching};
use super::words::difference_text;
use super::{Explainer, MoveVerdict, PositionValue, position_after};

/// Standard errors by which the first search must find a move worse or better.
const SURE: f64 = 2.0;
/// Standard errors by which the second search must say so, too.
const CONFIRMED: f64 = 1.0;
/// Moves of a line at most.
const LINE: usize = 7;
/// Other moves that are looked at, those that the search likes first.
const LIKELY: usize = 5;
/// Wrong moves that are told, the one that was played among them.
const WRONG: usize = 2;

/// Beside fewer points than these it is told what a wrong move loses of the chance to win, if that is much.
const FEW_POINTS: f64 = 3.0;
/// A smaller share of the chance to win would be told as 0 %.
const NO_SHARE: f64 = 0.005;

/// A move of a problem.
#[derive(Clone, Debug, PartialEq)]
pub struct TriedMove {
    /// The move, and how it goes on: that refutes a wrong one.
    pub moves: Vec<(Color, Point)>,
    /// What can still be tried after the answer, or after the reply to a wrong move, with the replies; none where reading proves nothing.
    pub tree: Option<AnswerTree>,
    /// What it loses beside the answer, in points, in the mean of both searches; 0 if it is right.
    pub lost_points: f64,
    /// The same of the probability of winning, 0 to 1.
    pub lost_win_rate: f64,
}

/// A problem out of a game.
#[derive(Clone, Debug)]
pub struct LessonProblem<'a> {
    /// The lesson that it is from.
    pub lesson: &'a Lesson,
    /// The stones, with nothing played before.
    pub position: Position,
    /// The answer, and after it moves that are as good.
    pub right: Vec<TriedMove>,
    /// Moves that both searches find worse, that of the game first.
    pub wrong: Vec<TriedMove>,
}

/// Cuts a problem out of a lesson; none if the two searches do not agree on the answer, if a ko forbids a move (a board of stones does not
/// say so), or if the search was stopped.
pub fn cut_problem<'a>(explainer: &Explainer, lesson: &'a Lesson) -> Option<LessonProblem<'a>> {
    let position = stones_alone(&lesson.position)?;
    let answer = answer_of(lesson)?;
    let cutter = ProblemCutter { explainer, lesson, position: &position, answer };
    let best = cutter.judge_twice(answer)?;
    let played = lesson.head.key.mv.point();
    let answered = TriedMove { tree: lesson.trees.answer.clone(), ..cutter.try_move(answer, &best, &best)? };
    let (mut right, mut wrong) = (vec![answered], Vec::new());
    let others = cutter.likely_moves().into_iter().filter(|&mv| mv != answer && Some(mv) != played);
    for mv in played.into_iter().chain(others.take(LIKELY)) {
        let values = cutter.judge_twice(mv)?;
        let (verdict, loses_little) = (agreed_verdict(&values, &best), cutter.loses_little(&values, &best));
        match part_of_move(verdict, loses_little, Some(mv) == played) {
            MovePart::Spoils => return None,
            MovePart::Right => right.push(cutter.try_move(mv, &best, &best)?),
            MovePart::Wrong if wrong.len() < WRONG => {
                wrong.push(cutter.refute(cutter.try_move(mv, &values, &best)?));
            }
            MovePart::Wrong | MovePart::LeftOut => {}
        }
    }
    let is_sound = !wrong.is_empty() && !explainer.is_stopped();
    is_sound.then_some(LessonProblem { lesson, position, right, wrong })
}

/// The better move that is told, or else the one that the review found.
fn answer_of(lesson: &Lesson) -> Option<Point> {
    let told = lesson.teaching.better.as_ref().map(|better| better.mv);
    told.or_else(|| lesson.head.key.better?.point())
}

/// The stones of a position without the moves before; none if a ko forbids a move.
fn stones_alone(position: &Position) -> Option<Position> {
    let board = position.board();
    if board.ko_point().is_some() {
        return None;
    }
    let size = position.size();
    let stones = size.points().filter_map(|point| Some((board.color(point)?, point)));
    let mut alone = Position::from_setup(size, *position.rules(), stones, position.to_move()).ok()?;
    alone.set_komi(position.komi()).ok()?;
    Some(alone)
}

/// What both searches say of a move beside the answer; none if they do not agree.
fn agreed_verdict(values: &[PositionValue; 2], best: &[PositionValue; 2]) -> Option<MoveVerdict> {
    let by = |n: usize, sure: f64| values[n].compare_with(&best[n], sure);
    let sure = [by(0, SURE), by(1, CONFIRMED)];
    let both = |verdict: MoveVerdict| sure.iter().all(|&found| found == verdict);
    let is_nowhere_worse = [0, 1].into_iter().all(|n| by(n, CONFIRMED) != MoveVerdict::Worse);
    let decided = [MoveVerdict::Worse, MoveVerdict::Better].into_iter().find(|&verdict| both(verdict));
    decided.or_else(|| is_nowhere_worse.then_some(MoveVerdict::AsGood))
}

/// What a move is in a problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum MovePart {
    /// As good as the answer.
    Right,
    /// Worse, and by more than next to nothing.
    Wrong,
    /// Neither: the searches do not agree on it, or it loses next to nothing.
    LeftOut,
    /// With it there is no problem: the answer is not right, or the move of the game not wrong.
    Spoils,
}

/// What a move is in a problem. `verdict` is what both searches say of it beside the answer, none if they do not agree.
fn part_of_move(verdict: Option<MoveVerdict>, loses_little: bool, is_of_game: bool) -> MovePart {
    match verdict {
        Some(MoveVerdict::Better) => MovePart::Spoils,
        // What loses next to nothing is told as wrong by nobody: a lesson takes it for an answer.
        Some(MoveVerdict::Worse) if !loses_little => MovePart::Wrong,
        _ if is_of_game => MovePart::Spoils,
        Some(MoveVerdict::AsGood) if loses_little => MovePart::Right,
        _ => MovePart::LeftOut,
    }
}

/// What a move loses beside the answer, in points and of the chance to win, in the mean of both searches; 0 if nothing.
fn mean_loss(values: &[PositionValue; 2], best: &[PositionValue; 2]) -> [f64; 2] {
    [0, 1].map(|part| {
        let lost = [0, 1].map(|n| best[n].difference_from(&values[n])[part]);
        f64::midpoint(lost[0], lost[1]).max(0.0)
    })
}

struct ProblemCutter<'a> {
    explainer: &'a Explainer,
    lesson: &'a Lesson,
    position: &'a Position,
    answer: Point,
}

impl ProblemCutter<'_> {
    /// What two searches think of the position after a move, for its side; none if it is illegal.
    fn judge_twice(&self, mv: Point) -> Option<[PositionValue; 2]> {
        let color = self.position.to_move();
        let first = self.explainer.value_after(self.position, mv.into())?;
        let second = self.explainer.value_of_image_after(self.position, mv.into())?;
        Some([first, second].map(|value| value.for_side(color)))
    }

    /// Does a move lose next to nothing, as an answer to a lesson may? Where the searches are unsure, it may lose much and yet not be worse.
    fn loses_little(&self, values: &[PositionValue; 2], best: &[PositionValue; 2]) -> bool {
        let [points, share] = mean_loss(values, best);
        is_nearly_best(points, self.lesson.head.key.lost_points)
            && LossClass::from_lost_win_rate(share).is_none()
    }

    /// Moves that come to mind: those of the search, then those of the rules.
    fn likely_moves(&self) -> Vec<Point> {
        let searched = self.explainer.search_position(self.position);
        let suggested = suggest_moves(self.position, &self.lesson.explanation.analysis);
        let mut likely: Vec<Point> = Vec::new();
        let found = searched.moves.iter().filter_map(|found| found.mv.point());
        for mv in found.chain(suggested.iter().map(|suggestion| suggestion.mv)) {
            if !likely.contains(&mv) {
                likely.push(mv);
            }
        }
        likely
    }

    /// A move with what it loses, and how it goes on: in the same place, and to where one side comes to the answer's point.
    fn try_move(
        &self,
        mv: Point,
        values: &[PositionValue; 2],
        best: &[PositionValue; 2],
    ) -> Option<TriedMove> {
        let color = self.position.to_move();
        let report = self.explainer.search_position(&position_after(self.position, mv.into())?);
        let expected = report.moves.first().map_or(&[][..], |found| found.variation.as_slice());
        let mut moves = vec![(color, mv)];
        let colors = [!color, color].into_iter().cycle();
        moves.extend(colors.zip(expected).map_while(|(color, mv)| Some((color, mv.point()?))));
        moves.truncate(LINE);
        let to_answer = moves.iter().position(|&(_, mv)| mv == self.answer).map_or(0, |n| n + 1);
        // The opponent's move belongs to it, wherever that is.
        let told = local_run(&moves, self.lesson.head.cause.carrying()).max(to_answer).max(2);
        moves.truncate(told);
        let [lost_points, lost_win_rate] = mean_loss(values, best);
        Some(TriedMove { moves, tree: None, lost_points, lost_win_rate })
    }

    /// A wrong move with what can still be tried after the reply that refutes it, where reading proves that.
    fn refute(&self, tried: TriedMove) -> TriedMove {
        let refuted = || {
            let &first = tried.moves.first()?;
            let expected = tried.moves.get(1).map(|&(_, reply)| reply);
            let (board, stop) = (self.position.board(), &*self.explainer.stop);
            AnswerTree::of_refutation(board, first, self.lesson.trees.goal?, expected, stop)
        };
        TriedMove { tree: refuted(), ..tried }
    }
}

impl LessonProblem<'_> {
    /// The problem as a game tree, as collections of problems have them: the stones and the question in the root, each move that is right or
    /// wrong as a variation. Right moves have `TE` and a comment that begins with "RIGHT", wrong ones have `BM` and their refutation. Where reading
    /// proves how it goes on, tries and replies follow: the end of each line after a right move has "RIGHT", too.
    pub fn to_tree(&self, language: Language) -> GameTree {
        let mut writer = ProblemWriter { problem: self, language, tree: self.root(language) };
        for (n, tried) in self.right.iter().enumerate() {
            writer.add_right(tried, n == 0);
        }
        for tried in &self.wrong {
            writer.add_wrong(tried);
        }
        writer.tree
    }

    fn root(&self, language: Language) -> GameTree {
        let (position, head) = (&self.position, &self.lesson.head);
        let (size, board) = (position.size(), position.board());
        let mut root = GameBuilder::new(size);
        root.set_application("ishi", env!("CARGO_PKG_VERSION"))
            .set_game_name(&lesson_title(head, self.lesson.teaching.listener, language))
            .set_komi(position.komi())
            .set_rules(&position.rules().to_string());
        for color in Color::ALL {
            let stones: Vec<Point> =
                size.points().filter(|&point| board.color(point) == Some(color)).collect();
            root.add_setup(color, &stones);
        }
        root.set_to_play(position.to_move()).add_comment(&lesson_question(head, language));
        root.into_tree()
    }

    fn is_of_game(&self, tried: &TriedMove) -> bool {
        let played = self.lesson.head.key.mv;
        tried.moves.first().is_some_and(|&(_, mv)| Move::Play(mv) == played)
    }
}

struct ProblemWriter<'a> {
    problem: &'a LessonProblem<'a>,
    language: Language,
    tree: GameTree,
}

impl ProblemWriter<'_> {
    /// A node with a move.
    fn add_move(&mut self, parent: NodeId, color: Color, mv: Point) -> NodeId {
        let node = self.tree.add_child(parent);
        let place = move_text(self.problem.position.size(), mv.into());
        self.tree.node_mut(node).set_text(["B", "W"][color.index()], &place);
        node
    }

    /// Why the answer of the lesson is right.
    fn say_answer(&self) -> String {
        join_lines(speak_answer(&self.problem.lesson.teaching, self.language))
    }

    /// What the move of the game costs, and how it is refuted.
    fn say_mistake(&self) -> String {
        let mut lines = speak_teaching(&self.problem.lesson.teaching, self.language);
        lines.retain(|line| matches!(line.part, TeachingPart::Reason | TeachingPart::Line));
        join_lines(lines)
    }

    /// What the opponent does after a wrong move; none if the search expects nothing.
    fn say_reply(&self, tried: &TriedMove) -> Option<String> {
        let &(color, reply) = tried.moves.get(1)?;
        let answer = self.problem.right.first()?.moves.first()?.1;
        let other = color_name(color, self.language);
        let is_local = local_run(&tried.moves[..2], self.problem.lesson.head.cause.carrying()) == 2;
        Some(match (reply == answer, is_local) {
            (true, _) => self.language.choose(
                format!("{other} takes the point of the answer, {reply}."),
                format!("正解の点{reply}に{other}が先に打ちます。"),
            ),
            (false, true) => self
                .language
                .choose(format!("{other} answers at {reply}."), format!("{other}は{reply}と応じます。")),
            (false, false) => self.language.choose(
                format!("{other} need not answer it, and plays {reply}."),
                format!("{other}は受けずに{reply}と打てます。"),
            ),
        })
    }

    /// The node of a move that may be there already.
    fn go_along(&mut self, parent: NodeId, (color, mv): (Color, Point)) -> NodeId {
        let place = move_text(self.problem.position.size(), mv.into());
        let name = ["B", "W"][color.index()];
        let is_it =
            |&child: &NodeId| self.tree.node(child).value(name).is_some_and(|value| value.to_text() == place);
        let known = self.tree.children(parent).find(is_it);
        known.unwrap_or_else(|| self.add_move(parent, color, mv))
    }

    /// Tries after a node with their replies. Of several replies the first goes on, and at the end of each line it is said what is reached.
    fn add_tries(&mut self, parent: NodeId, tree: &AnswerTree, tries: &[TreeMove], is_right: bool) {
        for attempt in tries {
            let node = self.go_along(parent, (attempt.color, attempt.mv));
            self.add_remark(node, &try_sentence(tree, self.language));
            for (n, reply) in attempt.replies.iter().enumerate() {
                let next = self.go_along(node, (reply.color, reply.mv));
                if reply.replies.is_empty() {
                    self.add_end(next, tree, n == 0, is_right);
                }
                self.add_tries(next, tree, &reply.replies, is_right);
            }
        }
    }

    /// What is reached at the end of a line.
    fn add_end(&mut self, node: NodeId, tree: &AnswerTree, is_first: bool, is_right: bool) {
        let also = self.language.choose("This works, too. ", "この手も成立します。");
        let reached = goal_sentence(tree, self.language);
        let text = format!("{}{reached}", if is_first { "" } else { also });
        if is_right {
            self.tree.node_mut(node).set_text("TE", "1");
        }
        self.add_remark(node, &if is_right { format!("RIGHT\n{text}") } else { text });
    }

    /// Says something at a node that says nothing yet.
    fn add_remark(&mut self, node: NodeId, text: &str) {
        let node = self.tree.node_mut(node);
        if node.value("C").is_none() {
            node.set_text("C", text);
        }
    }

    /// A right move. What comes after it stands in its tree, where reading proves that; else it is told in words, as other answers of the opponent
    /// are right, too.
    fn add_right(&mut self, tried: &TriedMove, is_answer: bool) {
        let Some(&(color, mv)) = tried.moves.first() else { return };
        let node = self.add_move(NodeId::ROOT, color, mv);
        let text = match is_answer {
            true => self.say_answer(),
            false => {
                let name = format!("{} {mv}", color_name(color, self.language));
                self.language.choose(format!("{name} is as good."), format!("{name}も同じくらいの好手です。"))
            }
        };
        let first = self.tree.node_mut(node);
        first.set_text("TE", "1");
        first.set_text("C", format!("RIGHT\n{text}").trim_end());
        if let Some(tree) = &tried.tree {
            self.add_tries(node, tree, &tree.tries, true);
        }
    }

    /// What a wrong move loses.
    fn say_loss(&self, tried: &TriedMove) -> String {
        if self.problem.is_of_game(tried) {
            // What is said of the move of the game counts by the review.
            let key = &self.problem.lesson.head.key;
            return loss_text(key.lost_points, key.lost_win_rate, self.language);
        }
        let TriedMove { lost_points: points, lost_win_rate: share, .. } = *tried;
        match LossClass::from_lost_win_rate(share) {
            // Few points alone would not say why it is wrong.
            Some(_) if points < FEW_POINTS => difference_text(points, 100.0 * share, self.language),
            None if share < NO_SHARE => points_text(points, self.language),
            _ => loss_text(points, share, self.language),
        }
    }

    fn add_wrong(&mut self, tried: &TriedMove) {
        let is_of_game = self.problem.is_of_game(tried);
        let lost = self.say_loss(tried);
        let head =
            self.language.choose(format!("Wrong: it loses {lost}."), format!("不正解：{lost}の損です。"));
        let rest = if is_of_game { self.say_mistake() } else { self.say_reply(tried).unwrap_or_default() };
        let mut at = NodeId::ROOT;
        for (n, &(color, mv)) in tried.moves.iter().enumerate() {
            at = self.add_move(at, color, mv);
            if n == 0 {
                let node = self.tree.node_mut(at);
                node.set_text("BM", "1");
                node.set_text("C", format!("{head}\n{rest}").trim_end());
            }
        }
        if let Some(tree) = &tried.tree {
            let refuted = tree.moves.iter().fold(NodeId::ROOT, |at, &mv| self.go_along(at, mv));
            self.add_tries(refuted, tree, &tree.tries, false);
            if tree.tries.is_empty() {
                self.add_remark(refuted, &goal_sentence(tree, self.language));
            }
        }
    }
}

fn join_lines(lines: Vec<SpokenLine>) -> String {
    lines.into_iter().map(|line| line.text).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use ishi_go::Rules;
    use ishi_sgf::{Collection, GoGame, read_collection};

    use super::super::answer_tree::ProvedGoal;
    use super::super::scripted::{game_with_a_blunder, lesson_of_blunder, scripted_explainer};
    use super::*;

    #[test]
    fn a_mistake_becomes_a_problem_whose_record_can_be_read() {
        let lesson = lesson_of_blunder();
        let problem = cut_problem(&scripted_explainer(), &lesson).unwrap();
        let blunder = problem.wrong[0].clone();
        assert_eq!(Move::Play(blunder.moves[0].1), game_with_a_blunder()[4].1);
        assert!((blunder.lost_points - 8.0).abs() < 1e-9, "{blunder:?}");
        assert!(blunder.moves.len() >= 2, "with its answer");
        assert_eq!(
            Some(problem.right[0].moves[0].1),
            lesson.teaching.better.as_ref().map(|better| better.mv)
        );
        assert!(problem.right.len() > 1, "the judge likes other moves as well");

        let collection = Collection { games: vec![problem.to_tree(Language::English)] };
        let read = read_collection(collection.to_sgf().as_bytes()).unwrap();
        assert!(read.warnings.is_empty(), "{:?}", read.warnings);
        let tree = &read.collection.games[0];
        let question = tree.root().value("C").unwrap().to_text();
        assert!(question.starts_with("Before move 5, Black to play: "), "{question}");
        let main = GoGame::read_main_line(tree).unwrap();
        let position = main.replay_position(Rules::CHINESE, Some(0)).unwrap().position;
        assert_eq!(position.board().hash(), lesson.position.board().hash());
        assert_eq!((position.to_move(), position.komi()), (Color::Black, lesson.position.komi()));

        let children: Vec<NodeId> = tree.children(NodeId::ROOT).collect();
        let has = |name: &str| children.iter().filter(|&&node| tree.node(node).value(name).is_some()).count();
        assert_eq!((has("TE"), has("BM")), (problem.right.len(), problem.wrong.len()));
        let comment = |node: NodeId| tree.node(node).value("C").unwrap().to_text();
        assert!(comment(children[0]).starts_with("RIGHT\nBetter: Black "), "{}", comment(children[0]));
        let wrong = children[problem.right.len()];
        assert!(comment(wrong).starts_with("Wrong: it loses about 8 points."), "{}", comment(wrong));
        for &node in &children {
            let line = GoGame::read_line_to(tree, tree.children(node).next().unwrap_or(node)).unwrap();
            assert!(line.replay_position(Rules::CHINESE, None).unwrap().illegal.is_empty());
        }
    }

    /// What reading proves goes on after the first move: tries with their replies, each line to what is reached. Readers of problems find the right
    /// moves as before.
    #[test]
    fn tries_and_replies_follow_right_and_wrong_moves() {
        let lesson = lesson_of_blunder();
        let mut problem = cut_problem(&scripted_explainer(), &lesson).unwrap();
        let size = problem.position.size();
        let point = |vertex: &str| size.parse_point(vertex).unwrap();
        let (black, white) = (Color::Black, Color::White);
        let end = |color, vertex: &str| TreeMove { color, mv: point(vertex), replies: Vec::new() };
        let tree = |goal, side, moves: Vec<(Color, Point)>, tries| {
            Some(AnswerTree { goal, side, stones: 2, is_taken: false, moves, tries })
        };
        let first = problem.right[0].moves[0];
        let attempt =
            TreeMove { color: white, mv: point("H8"), replies: vec![end(black, "H7"), end(black, "G8")] };
        problem.right[0].tree = tree(ProvedGoal::Catches(point("E7")), black, vec![first], vec![attempt]);
        let wrong: Vec<(Color, Point)> = problem.wrong[0].moves[..2].to_vec();
        let attempt = TreeMove { color: black, mv: point("H8"), replies: vec![end(white, "H7")] };
        problem.wrong[0].tree = tree(ProvedGoal::Saves(point("E7")), white, wrong, vec![attempt]);
        let written = |language| Collection { games: vec![problem.to_tree(language)] }.to_sgf();
        let record = written(Language::English);
        let english = record.replace('\n', "");
        for part in [
            ";W[hb]C[White tries to get away.](;B[hc]TE[1]C[RIGHTThe 2 stones at E7 are caught.])",
            "(;B[gb]TE[1]C[RIGHTThis works, too. The 2 stones at E7 are caught.])",
            ";B[hb]C[Black tries to capture.];W[hc]C[The 2 stones at E7 are not caught.]",
        ] {
            assert!(english.contains(part), "{part}: {english}");
        }
        let japanese = written(Language::Japanese);
        for part in ["白が逃げようとする手です。", "E7の2子は逃げられません。", "E7の2子は取られません。"]
        {
            assert!(japanese.contains(part), "{part}: {japanese}");
        }
        let read = read_collection(record.as_bytes()).unwrap();
        assert!(read.warnings.is_empty(), "{:?}", read.warnings);
        let asked = crate::problems::sgf::read_problem(&read.collection.games[0], "test").unwrap();
        let is_right = |mv: Point| asked.expected.fits_answer(&mv.to_string());
        assert!(problem.right.iter().all(|tried| is_right(tried.moves[0].1)), "{english}");
        assert!(!problem.wrong.iter().any(|tried| is_right(tried.moves[0].1)), "{english}");
    }

    /// A wrong move that nobody has played in the game is told with the opponent's move, in both languages.
    #[test]
    fn a_wrong_move_is_told_with_what_the_opponent_plays() {
        let lesson = lesson_of_blunder();
        let problem = cut_problem(&scripted_explainer(), &lesson).unwrap();
        let answer = problem.right[0].moves[0].1;
        let reply = |vertices: &[&str], language| {
            let size = problem.position.size();
            let points = vertices.iter().map(|vertex| size.parse_point(vertex).unwrap());
            let moves = [Color::Black, Color::White].into_iter().zip(points).collect();
            let tried = TriedMove { moves, tree: None, lost_points: 8.0, lost_win_rate: 0.2 };
            let writer = ProblemWriter { problem: &problem, language, tree: problem.root(language) };
            writer.say_reply(&tried)
        };
        let english = |vertices: &[&str]| reply(vertices, Language::English).unwrap();
        let takes = format!("White takes the point of the answer, {answer}.");
        assert_eq!(english(&["J9", &answer.to_string()]), takes);
        assert_eq!(english(&["J9", "H9"]), "White answers at H9.");
        assert_eq!(english(&["J9", "A1"]), "White need not answer it, and plays A1.");
        assert_eq!(reply(&["J9"], Language::English), None);
        let japanese = "白は受けずにA1と打てます。";
        assert_eq!(reply(&["J9", "A1"], Language::Japanese).as_deref(), Some(japanese));
    }

    /// A move of which the searches are unsure is neither right nor wrong.
    #[test]
    fn only_what_loses_next_to_nothing_is_right() {
        let value = |lead: f64| PositionValue { lead, win_rate: 0.5, ..PositionValue::default() };
        let best = [value(5.0), value(6.0)];
        assert_eq!(mean_loss(&[value(3.0), value(5.0)], &best), [1.5, 0.0]);
        assert_eq!(mean_loss(&[value(6.0), value(6.0)], &best), [0.0, 0.0], "better is no loss");
        let (lesson, explainer) = (lesson_of_blunder(), scripted_explainer());
        let (answer, position) = (answer_of(&lesson).unwrap(), stones_alone(&lesson.position).unwrap());
        let cutter = ProblemCutter { explainer: &explainer, lesson: &lesson, position: &position, answer };
        assert!(cutter.loses_little(&[value(4.5), value(5.5)], &best), "half a point beside eight");
        assert!(!cutter.loses_little(&[value(3.0), value(5.0)], &best));
        let lost_chances = PositionValue { win_rate: 0.4, ..value(5.0) };
        assert!(!cutter.loses_little(&[lost_chances, lost_chances], &best), "a tenth of the chance to win");
    }

    /// Few points do not hide what a wrong move loses of the chance to win, and no move "loses 0 %".
    #[test]
    fn a_wrong_move_is_told_with_what_makes_it_wrong() {
        let lesson = lesson_of_blunder();
        let problem = cut_problem(&scripted_explainer(), &lesson).unwrap();
        let told = |lost_points: f64, lost_win_rate: f64, language| {
            let moves = vec![(Color::Black, problem.position.size().parse_point("J9").unwrap())];
            let mut writer = ProblemWriter { problem: &problem, language, tree: problem.root(language) };
            writer.add_wrong(&TriedMove { moves, tree: None, lost_points, lost_win_rate });
            let node = writer.tree.children(NodeId::ROOT).next().unwrap();
            writer.tree.node(node).value("C").unwrap().to_text()
        };
        let english = |points: f64, share: f64| told(points, share, Language::English);
        assert_eq!(english(0.6, 0.35), "Wrong: it loses 0.6 points and 35 % of the chance to win.");
        assert_eq!(english(0.2, 0.35), "Wrong: it loses 35 % of the chance to win.");
        assert_eq!(english(8.0, 0.35), "Wrong: it loses about 8 points.");
        assert_eq!(english(2.0, 0.03), "Wrong: it loses about 2 points.");
        assert_eq!(english(0.4, 0.03), "Wrong: it loses 3 % of the chance to win.");
        assert_eq!(english(0.4, 0.004), "Wrong: it loses about 1 point.");
        assert_eq!(told(0.6, 0.35, Language::Japanese), "不正解：0.6目、勝率35%の損です。");
    }

    /// Right, wrong, neither, or no problem at all; the move of the game has to be wrong, and by more than next to nothing.
    #[test]
    fn a_problem_needs_a_move_of_the_game_that_loses_something() {
        use MoveVerdict::{AsGood, Better, Worse};
        let of_game = |verdict, loses_little| part_of_move(verdict, loses_little, true);
        assert_eq!(of_game(Some(Worse), false), MovePart::Wrong);
        assert_eq!(of_game(Some(Worse), true), MovePart::Spoils, "it loses next to nothing");
        let not_wrong = [Some(AsGood), Some(Better), None];
        assert!(not_wrong.iter().all(|&verdict| of_game(verdict, false) == MovePart::Spoils));
        let other = |verdict, loses_little| part_of_move(verdict, loses_little, false);
        assert_eq!(other(Some(Worse), false), MovePart::Wrong);
        assert_eq!(other(Some(Worse), true), MovePart::LeftOut);
        assert_eq!(other(Some(AsGood), true), MovePart::Right);
        assert_eq!(other(Some(AsGood), false), MovePart::LeftOut);
        assert_eq!(other(Some(Better), true), MovePart::Spoils, "then the answer is none");
        assert_eq!(other(None, true), MovePart::LeftOut);
    }

    /// Whoever does not agree with the game's searches cuts no problem: here a move as good as the answer was called a mistake.
    #[test]
    fn an_answer_that_is_not_confirmed_is_no_problem() {
        let mut lesson = lesson_of_blunder();
        let as_good = cut_problem(&scripted_explainer(), &lesson).unwrap().right[1].moves[0].1;
        lesson.head.key.mv = Move::Play(as_good);
        assert!(cut_problem(&scripted_explainer(), &lesson).is_none());
    }

    #[test]
    fn what_two_searches_do_not_agree_on_is_left_out() {
        let value = |lead: f64| PositionValue {
            lead,
            win_rate: 0.5 + lead / 50.0,
            lead_error: 0.5,
            win_rate_error: 0.02,
            ..PositionValue::default()
        };
        let best = [value(5.0), value(5.0)];
        let verdict = |a: f64, b: f64| agreed_verdict(&[value(a), value(b)], &best);
        assert_eq!(verdict(0.0, 0.0), Some(MoveVerdict::Worse));
        assert_eq!(verdict(0.0, 5.0), None, "the second does not say so");
        assert_eq!(verdict(9.0, 9.0), Some(MoveVerdict::Better));
        assert_eq!(verdict(5.1, 4.9), Some(MoveVerdict::AsGood));
    }
}
