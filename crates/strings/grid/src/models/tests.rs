use std::collections::BTreeMap;

use super::*;

/// All boards with so many empty points that meet the liberty constraints, as masks of empty points: found by
/// filling in what an undominated point needs, so that sizes over 5x5 are in reach.
fn boards(width: usize, height: usize, empties: usize) -> Vec<u64> {
    let closed: Vec<u64> = liberty_constraints(width, height)
        .iter()
        .map(|constraint| match constraint {
            Constraint::Liberty(points) => points.iter().map(|point| 1u64 << point).sum(),
            _ => unreachable!(),
        })
        .collect();
    let mut found = Vec::new();
    choose(&closed, empties, 0, 0, &mut found);
    found.sort_unstable();
    found
}

/// Branches on the first point without an empty one in its neighbourhood; what was tried is forbidden in later
/// branches, so that each board is found once.
fn choose(closed: &[u64], left: usize, empty: u64, stones: u64, found: &mut Vec<u64>) {
    let Some(&open) = closed.iter().find(|&&points| points & empty == 0) else {
        return spread(closed.len(), left, empty, stones, 0, found);
    };
    let covered = closed.iter().filter(|&&points| points & empty != 0).count();
    if left == 0 || 5 * left < closed.len() - covered {
        return;
    }
    let mut tried = stones;
    let mut free = open & !stones;
    while free != 0 {
        let bit = free & free.wrapping_neg();
        choose(closed, left - 1, empty | bit, tried, found);
        tried |= bit;
        free &= !bit;
    }
}

/// The empty points that are left may be anywhere.
fn spread(points: usize, left: usize, empty: u64, stones: u64, from: usize, found: &mut Vec<u64>) {
    if left == 0 {
        found.push(empty);
        return;
    }
    for point in from..points {
        if (empty | stones) >> point & 1 == 0 {
            spread(points, left - 1, empty | 1 << point, stones, point + 1, found);
        }
    }
}

fn fits(model: &StringsModel, empty: u64) -> bool {
    let stone = |point: usize| empty >> point & 1 == 0;
    model.constraints().iter().all(|constraint| constraint.is_met_by(stone, model.point_count()))
}

/// The fewest empty points, by looking at every board.
fn brute_force(model: &StringsModel) -> u32 {
    (0..1u64 << model.point_count()).filter(|&empty| fits(model, empty)).map(u64::count_ones).min().unwrap()
}

fn model(width: usize, height: usize, formulation: StringsFormulation) -> StringsModel {
    StringsModel::new(width, height, formulation).unwrap()
}

#[test]
fn cuts_keep_the_optimum_of_small_boards() {
    for (width, height) in (1..=4).flat_map(|width| (1..=4).map(move |height| (width, height))) {
        let plain = brute_force(&model(width, height, StringsFormulation::Section2));
        for formulation in [StringsFormulation::Section3, StringsFormulation::Ishi] {
            assert_eq!(brute_force(&model(width, height, formulation)), plain, "{width}x{height}");
        }
    }
}

/// How many of these boards meet the cuts.
fn kept(listed: &[u64], model: &StringsModel) -> usize {
    listed.iter().filter(|&&empty| fits(model, empty)).count()
}

/// The domination numbers of grids (Alanko et al. 2011), with the search above; the boards below the number are none.
#[test]
fn cuts_keep_the_optimum_where_there_are_corner_cuts() {
    for ((width, height), empties, by_paper, by_ishi) in [
        ((5, 5), 7, 7, 7),
        ((5, 6), 8, 13, 7),
        ((6, 5), 8, 13, 7),
        ((7, 5), 9, 3, 3),
        ((6, 6), 10, 64, 64),
        ((7, 7), 12, 1, 1),
    ] {
        assert_eq!(boards(width, height, empties - 1).len(), 0, "{width}x{height}");
        let optimal = boards(width, height, empties);
        for (formulation, left) in
            [(StringsFormulation::Section3, by_paper), (StringsFormulation::Ishi, by_ishi)]
        {
            let cut = model(width, height, formulation);
            let name = format!("{width}x{height}, {}: of {}", formulation.short_name(), optimal.len());
            assert_eq!(kept(&optimal, &cut), left, "{name}");
            // Of boards that meet the corner cuts, every class keeps one.
            let corners = match formulation {
                StringsFormulation::Section3 => cuts::paper_corner_cuts(width, height),
                _ => cuts::corner_cuts(width, height),
            };
            let cornered =
                |empty: u64| corners.iter().all(|c| c.is_met_by(|p| empty >> p & 1 == 0, width * height));
            let maps = cuts::board_symmetries(width, height);
            for &empty in optimal.iter().filter(|&&empty| cornered(empty)) {
                let image = |map: &Vec<usize>| {
                    (0..width * height).filter(|&p| empty >> p & 1 == 1).map(|p| 1u64 << map[p]).sum()
                };
                assert!(maps.iter().map(image).any(|image: u64| fits(&cut, image)), "{name}: {empty:x}");
            }
        }
    }
}

/// Table 2 of the paper, both formulations: boards with the most strings, and with one less. The cell of n = 5 with one
/// less cannot be read in the text; 437 is ours.
#[test]
fn boards_are_as_many_as_in_the_paper() {
    for (n, empties, section_2, section_3) in
        [(5, 7, 22, 7), (5, 8, 1545, 437), (6, 10, 288, 64), (6, 11, 20896, 4745)]
    {
        let listed = boards(n, n, empties);
        assert_eq!(kept(&listed, &model(n, n, StringsFormulation::Section2)), section_2);
        assert_eq!(listed.len(), section_2);
        assert_eq!(kept(&listed, &model(n, n, StringsFormulation::Section3)), section_3);
    }
    assert_eq!(kept(&boards(6, 6, 11), &model(6, 6, StringsFormulation::Ishi)), 3733);
}

/// Section 3 letter by letter: rows and columns from 1, of a board of 7 and of 6 lines.
#[test]
fn the_papers_cuts_are_its_own() {
    let at = |n: usize, row: usize, column: usize| (row - 1) * n + column - 1;
    let open = |n, points: &[(usize, usize)]| {
        Constraint::Open(points.iter().map(|&(row, column)| at(n, row, column)).collect())
    };
    // x_a <= x_b for empty points.
    let order = |n, a: (usize, usize), b: (usize, usize)| Constraint::Order(at(n, b.0, b.1), at(n, a.0, a.1));
    let corners = cuts::paper_corner_cuts(7, 7);
    assert_eq!(corners[0], open(7, &[(1, 3), (2, 2), (2, 3), (3, 1), (3, 2)]));
    assert_eq!(corners[3], open(7, &[(7, 5), (6, 6), (6, 5), (5, 7), (5, 6)]));
    assert_eq!(corners.len(), 4);
    let odd = [
        order(7, (4, 3), (3, 4)),
        order(7, (4, 3), (4, 5)),
        order(7, (4, 3), (5, 4)),
        order(7, (5, 4), (3, 4)),
        order(7, (4, 5), (3, 4)),
        open(7, &[(4, 4), (3, 4)]),
    ];
    assert_eq!(cuts::paper_centre_cuts(7, 7), odd);
    let even = [
        order(6, (3, 3), (3, 4)),
        order(6, (3, 3), (4, 3)),
        order(6, (3, 3), (4, 4)),
        order(6, (4, 3), (3, 4)),
        order(6, (4, 4), (3, 4)),
    ];
    assert_eq!(cuts::paper_centre_cuts(6, 6), even);
    assert_eq!(cuts::paper_centre_cuts(6, 7), []);
    assert_eq!(cuts::paper_corner_cuts(4, 9), []);
}

#[test]
fn symmetries_are_broken() {
    assert_eq!(cuts::board_symmetries(6, 6).len(), 8);
    assert_eq!(cuts::board_symmetries(6, 5).len(), 4);
    assert_eq!(cuts::board_symmetries(1, 5).len(), 2);
    assert_eq!(cuts::board_symmetries(1, 1).len(), 1);
    // North of the centre is the one that is empty, then west.
    let order = |(x, y): (usize, usize), (u, v): (usize, usize)| Constraint::Order(y * 5 + x, v * 5 + u);
    let expected =
        [order((2, 1), (1, 2)), order((2, 1), (3, 2)), order((2, 1), (2, 3)), order((1, 2), (3, 2))];
    assert_eq!(cuts::order_cuts(5, 5), expected);
    assert_eq!(cuts::order_cuts(6, 6).len(), 4);
    assert_eq!(cuts::order_cuts(6, 4).len(), 3);
    assert_eq!(cuts::order_cuts(1, 1), []);
}

#[test]
fn sizes_and_strings_are_checked() {
    let error = StringsModel::new(0, 5, StringsFormulation::Section2).unwrap_err().to_string();
    assert_eq!(error, "a board of 0x5: models are written for sides of 1 to 100");
    assert!(StringsModel::new(5, 101, StringsFormulation::Ishi).is_err());
    let error = model(2, 2, StringsFormulation::Section2).with_at_least(5).unwrap_err().to_string();
    assert_eq!(error, "5 strings: a board of 2x2 has 4 points");
    assert_eq!(model(2, 2, StringsFormulation::Section2).to_cnf(), Err(StringsModelError::NoQuestion));
}

#[test]
fn lp_text() {
    let text = model(2, 2, StringsFormulation::Ishi).with_at_least(2).unwrap().to_lp();
    let expected = "\
\\ Maximum string problem on 2x2: at least 2 strings.
\\ Formulation ishi: their section 2 with ishi's cuts.
\\ A variable for each point: 1 for a stone; colours alternate; no stone without a liberty.
Maximize
 obj: x_1_1 + x_2_1 + x_1_2 + x_2_2
Subject To
 liberty_1_1: x_1_1 + x_2_1 + x_1_2 <= 2
 liberty_2_1: x_2_1 + x_1_1 + x_2_2 <= 2
 liberty_1_2: x_1_2 + x_1_1 + x_2_2 <= 2
 liberty_2_2: x_2_2 + x_2_1 + x_1_2 <= 2
 order_1_1_2_1: x_1_1 - x_2_1 <= 0
 order_1_1_1_2: x_1_1 - x_1_2 <= 0
 order_1_1_2_2: x_1_1 - x_2_2 <= 0
 order_2_1_1_2: x_2_1 - x_1_2 <= 0
 strings: x_1_1 + x_2_1 + x_1_2 + x_2_2 >= 2
Binary
 x_1_1
 x_2_1
 x_1_2
 x_2_2
End
";
    assert_eq!(text, expected);
    let long = model(30, 30, StringsFormulation::Section2).to_lp();
    assert!(long.lines().all(|line| line.len() < 255), "lines that every reader takes");
}

#[test]
fn mps_text() {
    let text = model(2, 1, StringsFormulation::Section2).to_mps();
    let body: Vec<&str> = text.lines().skip_while(|line| line.starts_with('*')).collect();
    let expected = "NAME strings_2x1_section-2|ROWS| N obj| L liberty_1_1| L liberty_2_1|COLUMNS| MARKER 'MARKER' 'INTORG'| \
        x_1_1 obj -1| x_1_1 liberty_1_1 1| x_1_1 liberty_2_1 1| x_2_1 obj -1| x_2_1 liberty_1_1 1| x_2_1 liberty_2_1 1| \
        MARKER 'MARKER' 'INTEND'|RHS| rhs liberty_1_1 1| rhs liberty_2_1 1|BOUNDS| UP bnd x_1_1 1| UP bnd x_2_1 1|ENDATA";
    assert_eq!(body.join("|"), expected);
}

#[test]
fn opb_text() {
    let text = model(2, 1, StringsFormulation::Ishi).to_opb();
    let expected = "\
* #variable= 2 #constraint= 3
* Maximum string problem on 2x1: as many strings as possible.
* Formulation ishi: their section 2 with ishi's cuts.
* A variable for each point: 1 for a stone; colours alternate; no stone without a liberty.
* Variable 1 + (row - 1) * 2 + (column - 1) belongs to a point.
* Minimise minus the number of strings.
min: -1 x1 -1 x2 ;
-1 x1 -1 x2 >= -1 ;
-1 x2 -1 x1 >= -1 ;
-1 x1 +1 x2 >= 0 ;
";
    assert_eq!(text, expected);
    let question = model(2, 1, StringsFormulation::Section2).with_at_least(1).unwrap().to_opb();
    assert!(question.ends_with("+1 x1 +1 x2 >= 1 ;\n") && !question.contains("min:"), "{question}");
}

#[test]
fn variables_have_names() {
    let model = model(4, 3, StringsFormulation::Section2);
    for point in 0..model.point_count() {
        assert_eq!(model.point_of_variable(&model.variable_name(point)), Some(point));
    }
    for wrong in ["x_0_1", "x_5_1", "x_1_4", "y_1_1", "x_1", "x_a_1", ""] {
        assert_eq!(model.point_of_variable(wrong), None, "{wrong}");
    }
}

/// Reads a formula back and decides it by unit propagation and branching.
struct Dimacs {
    variables: usize,
    clauses: Vec<Vec<i64>>,
}

impl Dimacs {
    fn read(text: &str) -> Dimacs {
        let mut lines = text.lines().filter(|line| !line.starts_with('c'));
        let head: Vec<&str> = lines.next().unwrap().split(' ').collect();
        let clauses: Vec<Vec<i64>> = lines
            .map(|line| {
                let mut numbers: Vec<i64> = line.split(' ').map(|number| number.parse().unwrap()).collect();
                assert_eq!(numbers.pop(), Some(0));
                numbers
            })
            .collect();
        assert_eq!(head[..2], ["p", "cnf"]);
        assert_eq!(head[3].parse(), Ok(clauses.len()));
        let variables = head[2].parse().unwrap();
        let most = clauses.iter().flatten().map(|literal| literal.unsigned_abs() as usize).max();
        assert!(most.unwrap_or(0) <= variables);
        Dimacs { variables, clauses }
    }

    fn satisfiable(&self, mut values: BTreeMap<i64, bool>) -> bool {
        let value = |values: &BTreeMap<i64, bool>, literal: i64| {
            values.get(&literal.abs()).map(|v| *v == (literal > 0))
        };
        loop {
            let before = values.len();
            for clause in &self.clauses {
                if clause.iter().any(|&literal| value(&values, literal) == Some(true)) {
                    continue;
                }
                let open: Vec<i64> =
                    clause.iter().copied().filter(|&l| value(&values, l).is_none()).collect();
                match open.as_slice() {
                    [] => return false,
                    &[literal] => drop(values.insert(literal.abs(), literal > 0)),
                    _ => {}
                }
            }
            if values.len() == before {
                break;
            }
        }
        let Some(free) = (1..=self.variables as i64).find(|variable| !values.contains_key(variable)) else {
            return true;
        };
        [false, true].into_iter().any(|choice| {
            let mut values = values.clone();
            values.insert(free, choice);
            self.satisfiable(values)
        })
    }
}

/// For every assignment of the points, the formula is satisfiable just if the constraints hold.
#[test]
fn cnf_says_the_same_as_the_model() {
    for (width, height, formulation) in [
        (3, 2, StringsFormulation::Section2),
        (3, 3, StringsFormulation::Section2),
        (3, 3, StringsFormulation::Ishi),
        (1, 1, StringsFormulation::Section2),
    ] {
        for strings in 0..=width * height {
            let model = model(width, height, formulation).with_at_least(strings).unwrap();
            let formula = Dimacs::read(&model.to_cnf().unwrap());
            for empty in 0..1u64 << model.point_count() {
                let values = (0..model.point_count()).map(|p| (p as i64 + 1, empty >> p & 1 == 0)).collect();
                assert_eq!(
                    formula.satisfiable(values),
                    fits(&model, empty),
                    "{width}x{height} {strings} {empty:b}"
                );
            }
        }
    }
}

/// Corner cuts as clauses.
#[test]
fn cnf_has_the_cuts() {
    for formulation in [StringsFormulation::Section3, StringsFormulation::Ishi] {
        let model = model(5, 5, formulation).with_at_least(18).unwrap();
        let formula = Dimacs::read(&model.to_cnf().unwrap());
        let mut kept = 0;
        for empty in boards(5, 5, 7) {
            let values = (0..25).map(|p| (p + 1, empty >> p & 1 == 0)).collect();
            let holds = formula.satisfiable(values);
            assert_eq!(holds, fits(&model, empty), "{empty:b}");
            kept += usize::from(holds);
        }
        assert_eq!(kept, 7, "{}", formulation.short_name());
    }
}

#[test]
fn a_broken_constraint_is_named() {
    let model = model(3, 1, StringsFormulation::Section2);
    let crowded: Board = "O X .".parse().unwrap();
    assert_eq!(model.violated_constraint(&crowded), Some(&Constraint::Liberty(vec![0, 1])));
    assert_eq!(model.violated_constraint(&model.board_with_stones(|point| point != 1)), None);
}

/// Programs refuse a file in which two constraints have one name.
#[test]
fn constraints_have_different_names() {
    for (width, height) in [(3, 3), (5, 5), (5, 7), (6, 5), (7, 9), (8, 8), (9, 5)] {
        for formulation in
            [StringsFormulation::Section2, StringsFormulation::Section3, StringsFormulation::Ishi]
        {
            let model = StringsModel::new(width, height, formulation).unwrap();
            let names: Vec<String> =
                model.constraints().iter().map(|one| model.linear_form(one).name).collect();
            let different: std::collections::BTreeSet<&String> = names.iter().collect();
            assert_eq!(different.len(), names.len(), "{width}x{height}, {}", formulation.short_name());
        }
    }
}
