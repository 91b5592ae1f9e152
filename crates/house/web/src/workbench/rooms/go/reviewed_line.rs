//! A review on its table: the line of moves that it is of, remarks for a record, and what pages say beside the board.

use ishi_go::{Color, Move};
use ishi_go_play::explain::review::LossClass;
use ishi_sgf::NodeId;
use maud::{Markup, html};

use super::game::{color_name, is_played, node_move};
use super::reviewed::{GoLesson, GoReview, ReviewedMove, line_words, loss_badge};
use super::table::GoTable;
use crate::workbench::rooms::lessons::{render_learner_choice, render_verdict};
use crate::workbench::texts::args;
use crate::workbench::visitor::Visitor;

/// Losses from the worst on.
const LOSSES: [LossClass; 3] = [LossClass::Blunder, LossClass::Mistake, LossClass::Doubtful];

/// What a player's moves lost.
#[derive(Default, Debug, PartialEq)]
struct LossTally {
    moves: usize,
    /// Moves of each class, in the order of [`LOSSES`].
    classes: [usize; 3],
    /// Points, all together.
    points: f64,
}

impl LossTally {
    fn add_move(&mut self, row: &ReviewedMove) {
        self.moves += 1;
        // A move that turned out better than was thought loses nothing.
        self.points += row.lost_points.max(0.0);
        let class = LossClass::from_lost_win_rate(row.lost_win_rate);
        if let Some(place) = LOSSES.iter().position(|&loss| Some(loss) == class) {
            self.classes[place] += 1;
        }
    }

    /// Points a move: `1.3`.
    fn mean_text(&self) -> String {
        format!("{:.1}", self.points / self.moves.max(1) as f64)
    }
}

impl GoReview {
    /// The nodes of its moves: the first line of the tree on which they were played. `None` if there is none any more.
    pub(super) fn find_line(&self, table: &GoTable) -> Option<Vec<NodeId>> {
        let (tree, size) = (&table.tree, table.size().ok()?);
        if self.rows.is_empty() {
            return None;
        }
        // Nodes to look at, with the moves before them; those of the first variation last, so that they come first.
        let mut open = vec![(NodeId::ROOT, 0)];
        while let Some((node, before)) = open.pop() {
            let after = match node_move(size, tree.node(node)) {
                None => before,
                Some(played) if self.has_move(before, played) => before + 1,
                Some(_) => continue,
            };
            if after == self.rows.len() {
                let path = tree.path_to(node).into_iter();
                return Some(path.filter(|&node| is_played(tree, size, node)).collect());
            }
            let children: Vec<NodeId> = tree.children(node).collect();
            open.extend(children.into_iter().rev().map(|child| (child, after)));
        }
        None
    }

    fn has_move(&self, before: usize, (color, mv): (Color, Move)) -> bool {
        self.rows.get(before).is_some_and(|row| row.color == color.letter() && row.vertex == mv.to_string())
    }

    /// What it says of the moves of its line, for a record: each loss, and the lessons at their moves.
    pub(super) fn write_remarks(&self, table: &GoTable, visitor: &Visitor) -> Vec<(NodeId, String)> {
        let line = self.find_line(table).unwrap_or_default();
        let remark = |(index, (&node, row)): (usize, (&NodeId, &ReviewedMove))| {
            let lesson = self.lessons.iter().find(|lesson| lesson.number == index + 1);
            let badge = loss_badge(row.lost_win_rate, visitor);
            let mut text = self.describe_row(row, visitor);
            if let Some((sign, meaning)) = badge {
                text = format!("{sign} {meaning}: {text}");
            }
            if let Some(lesson) = lesson {
                text = format!("{text}\n{}", lesson.answer.say(visitor).trim());
            }
            (badge.is_some() || lesson.is_some()).then_some((node, text))
        };
        line.iter().zip(&self.rows).enumerate().filter_map(remark).collect()
    }

    /// What it says of each move of its line, with the node of the move.
    pub(super) fn rows_with_nodes<'a>(
        &'a self,
        table: &GoTable,
    ) -> impl Iterator<Item = (NodeId, &'a ReviewedMove)> + use<'a> {
        self.find_line(table).unwrap_or_default().into_iter().zip(&self.rows)
    }

    /// The lines of its lessons for a record: the node that they follow, what they are called, and their moves.
    pub(super) fn taught_lines<'a>(
        &'a self,
        table: &GoTable,
        visitor: &Visitor,
    ) -> Vec<(NodeId, &'a str, &'a [String])> {
        let line = self.find_line(table).unwrap_or_default();
        let lines = |lesson: &'a GoLesson| {
            let played = line.get(lesson.number.checked_sub(1)?).copied()?;
            let before = table.tree.node(played).parent()?;
            let better = (before, visitor.text("go-the-better-line"), lesson.better_line.as_slice());
            let refuted = (played, visitor.text("go-what-followed"), lesson.refutation.as_slice());
            let tried =
                lesson.tried.iter().map(|line| (before, line.title.say(visitor), line.moves.as_slice()));
            Some([better, refuted].into_iter().chain(tried).collect::<Vec<_>>())
        };
        self.lessons.iter().filter_map(lines).flatten().collect()
    }

    /// What a move lost, and how the game stands after it.
    fn describe_row(&self, row: &ReviewedMove, visitor: &Visitor) -> String {
        let (points, share) = (row.lost_points, 100.0 * row.lost_win_rate);
        let (black, lead) = (100.0 * row.black_win_rate, row.black_lead);
        visitor.text_with(
            "go-move-lost-and-stands",
            args![
                points = format!("{points:.1}"),
                share = format!("{share:.0}"),
                black = format!("{black:.0}"),
                lead = format!("{lead:+.1}")
            ],
        )
    }

    fn tally_losses(&self, color: Color) -> LossTally {
        let mut tally = LossTally::default();
        self.rows.iter().filter(|row| row.color == color.letter()).for_each(|row| tally.add_move(row));
        tally
    }

    /// How many moves of each player lost something, and how much a move lost on average.
    fn render_tally(&self, visitor: &Visitor) -> Markup {
        html! {
            table.tally {
                thead { tr {
                    th scope="col" { (visitor.text("go-player")) }
                    @for loss in LOSSES {
                        th.number scope="col" { strong.bad { (loss.sign()) } " " (loss.name(visitor.language)) }
                    }
                    th.number scope="col" { (visitor.text("go-points-lost-a-move")) }
                } }
                tbody {
                    @for color in Color::ALL {
                        @let tally = self.tally_losses(color);
                        tr {
                            th scope="row" { (color_name(color, visitor)) }
                            @for count in tally.classes { td.number { (count) } }
                            td.number { (tally.mean_text()) }
                        }
                    }
                }
            }
            p.quiet { (visitor.text("go-what-signs-of-losses-say")) }
        }
    }

    /// `Move 34 D4`, by its number from 1.
    fn name_move(&self, number: usize, visitor: &Visitor) -> String {
        let vertex = self.rows[number - 1].vertex.as_str();
        visitor.text_with("go-move-number-at", args![number, vertex])
    }

    /// The parts of the game, turning points and lessons in words.
    pub(super) fn render_summary(&self, table: &GoTable, visitor: &Visitor) -> Markup {
        let jump = |number: usize| {
            html! {
                button type="button" data-move=(number) { (self.name_move(number, visitor)) }
            }
        };
        html! {
            (self.render_tally(visitor))
            // The numbers of their moves lead there (`ui/lines.ts`).
            @for sentence in &self.summary { p.summary { (sentence.say(visitor)) } }
            @if let Some(judge) = &self.judge { p.quiet { (visitor.text_with("go-judged-by", args![judge])) } }
            @if !self.turning_points.is_empty() {
                h3 { (visitor.text("go-turning-points")) }
                div.row { @for &number in &self.turning_points { (jump(number)) } }
            }
            h3 { (visitor.text("go-lessons")) }
            @if self.lessons.is_empty() {
                p { (visitor.text("go-no-move-lost-much")) }
            } @else { (render_learner_choice(visitor, person_letter(table))) }
            @for lesson in &self.lessons { (self.render_lesson(lesson, &table.key, visitor)) }
        }
    }

    /// A lesson. The page leads to its place, hears answers on the board and plays its lines (`ui/lesson.ts`).
    fn render_lesson(&self, lesson: &GoLesson, key: &str, visitor: &Visitor) -> Markup {
        let say = |id| visitor.text(id);
        let row = &self.rows[lesson.number - 1];
        let lines = [("better", say("go-the-better-line"), &lesson.better_line)];
        let refuted = ("refuted", say("go-what-followed"), &lesson.refutation);
        let answers = lesson.answering_vertices().join(" ");
        html! {
            div.lesson data-number=(lesson.number) data-color=(row.color) data-played=(row.vertex)
                data-better=[lesson.better.as_deref()] data-answers=(answers) {
                h4 {
                    (lesson.title.say(visitor))
                    @if let Some((sign, meaning)) = loss_badge(row.lost_win_rate, visitor) { " " strong.bad { (sign) } " " (meaning) }
                }
                p.question { (lesson.question.say(visitor)) }
                div.row {
                    button.main type="button" data-lesson="try" { (say("go-try-it-here")) }
                    @for &number in &lesson.numbers {
                        button type="button" data-move=(number) { (self.name_move(number, visitor)) }
                    }
                }
                (render_verdict(visitor))
                // What a search finds of an answer that is none of these (`lesson_answer`).
                div.searched data-path=(format!("/go/{key}/lesson")) data-searching=(say("go-searching-point"))
                    data-waits=(say("go-the-judge-answers-another-question")) data-unsearched=(say("go-point-was-not-searched")) {}
                details.answer {
                    summary { (say("go-answer")) }
                    p.told { (lesson.answer.say(visitor).trim()) }
                    div.row {
                        @for (kind, words, line) in lines.into_iter().chain([refuted]) {
                            @if !line.is_empty() {
                                button type="button" data-lesson=(kind) data-line=(line.join(",")) { (words) (say("workbench-colon")) (line_words(line)) }
                            }
                        }
                    }
                    @if !lesson.tried.is_empty() {
                        h5 { (say("go-if-the-other-side-resists")) }
                        @for (number, line) in lesson.tried.iter().enumerate() {
                            div.row {
                                span { (line.title.say(visitor)) }
                                button type="button" data-lesson=(format!("tried-{number}")) data-line=(line.moves.join(",")) {
                                    (line_words(&line.moves))
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// The letter of the person who played against an engine; empty if there is none.
fn person_letter(table: &GoTable) -> &'static str {
    match &table.seats {
        [black, white] if black.is_person() && !white.is_person() => "B",
        [black, white] if !black.is_person() && white.is_person() => "W",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use ishi_words::Language;

    use super::*;

    fn moved(color: char, lost_points: f64, lost_win_rate: f64) -> ReviewedMove {
        let (vertex, black_lead, black_win_rate) = ("C3".to_string(), 0.0, 0.5);
        ReviewedMove { color, vertex, black_lead, black_win_rate, lost_points, lost_win_rate }
    }

    #[test]
    fn losses_are_counted_for_each_player() {
        let rows = vec![
            moved('B', 12.0, 0.4),
            moved('W', -1.0, -0.1),
            moved('B', 3.0, 0.2),
            moved('W', 0.5, 0.02),
            moved('B', -2.0, 0.08),
        ];
        let review = GoReview::of_lessons(rows, Vec::new());
        let black = LossTally { moves: 3, classes: [1, 1, 1], points: 15.0 };
        assert_eq!(review.tally_losses(Color::Black), black);
        assert_eq!((black.mean_text(), LossTally::default().mean_text()), ("5.0".into(), "0.0".into()));
        assert_eq!(review.tally_losses(Color::White), LossTally { moves: 2, classes: [0; 3], points: 0.5 });
        let mut lesson = GoLesson::with_answer(1, "", "");
        (lesson.better, lesson.better_line) = (Some("D4".into()), vec!["B D4".into(), "W C3".into()]);
        assert_eq!(lesson.answering_vertices(), ["D4"], "of an older version");
        lesson.answers = vec!["D4".into(), "E3".into()];
        assert_eq!(lesson.answering_vertices(), ["D4", "E3"]);
        let page = review.render_tally(&Visitor::for_language(Language::Japanese)).into_string();
        assert!(page.contains("黒") && page.contains("<td class=\"number\">5.0</td>"), "{page}");
    }

    #[test]
    fn signs_of_losses_are_explained_below_their_numbers() {
        let review = GoReview::of_lessons(Vec::new(), Vec::new());
        for (language, words) in [
            (Language::English, "?!, ? and ?? stand at moves that lost 7 %, 15 % and 30 %"),
            (Language::Japanese, "?!、?、?? は、勝率をそれぞれ 7 %、15 %、30 %"),
        ] {
            let page = review.render_tally(&Visitor::for_language(language)).into_string();
            assert!(page.contains(words), "{page}");
        }
        let signs =
            [0.069, 0.07, 0.15, 0.30].map(|lost| LossClass::from_lost_win_rate(lost).map(LossClass::sign));
        assert_eq!(signs, [None, Some("?!"), Some("?"), Some("??")]);
    }

    #[test]
    fn moves_are_named_as_the_language_does() {
        let review = GoReview::of_lessons(vec![moved('B', 1.0, 0.1), moved('W', 0.0, 0.0)], Vec::new());
        let name = |language| review.name_move(2, &Visitor::for_language(language));
        assert_eq!([name(Language::English), name(Language::Japanese)], ["Move 2 C3", "2手目 C3"]);
    }
}
