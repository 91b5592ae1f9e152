//! LP, MPS and OPB: the linear formats.

use std::fmt::Write;

use super::{LinearModel, ModelRow, RowSense, VariableMeaning};

/// Terms on a line of an LP file; some readers take lines of at most 255 letters.
const TERMS_A_LINE: usize = 8;

/// Variables that are 0 or 1 in every solution.
fn is_binary(meaning: VariableMeaning) -> bool {
    !matches!(meaning, VariableMeaning::Row(_) | VariableMeaning::LeaderRow(_))
}

/// What the file is, and which piece each slot is of.
fn format_header(model: &LinearModel, comment: &str, minus: bool) -> String {
    let mut out = format!(
        "{comment} A deck, {} formulation: {} variables, {} rows.\n",
        model.formulation,
        model.variable_count(),
        model.row_count()
    );
    if minus {
        out += &format!("{comment} Minimise minus the value, in units.\n");
    }
    for (slot, name) in model.names.iter().enumerate() {
        let name: String = name.chars().filter(|letter| !letter.is_control()).collect();
        out += &format!("{comment} x{}: {name}\n", slot + 1);
    }
    out
}

fn row_terms<'a>(model: &'a LinearModel, row: &ModelRow) -> &'a [(u32, i64)] {
    &model.terms[row.terms.clone()]
}

pub(super) fn format_lp(model: &LinearModel) -> String {
    let mut out = format_header(model, "\\", false);
    out += "Maximize\n obj: ";
    // All variables in order, those without a coefficient too: some solvers number them as they meet them.
    let objective = model.objective.iter().enumerate().map(|(at, &coefficient)| (at as u32, coefficient));
    write_lp_sum(model, objective, &mut out);
    out += "\nSubject To\n";
    for row in &model.rows {
        let sign = match row.sense {
            RowSense::AtMost => "<=",
            RowSense::AtLeast => ">=",
            RowSense::Equal => "=",
        };
        append_text(&mut out, format_args!(" {}: ", row.label));
        if row.terms.is_empty() {
            write_lp_sum(model, [(0, 0)], &mut out);
        }
        write_lp_sum(model, row_terms(model, row).iter().copied(), &mut out);
        append_text(&mut out, format_args!(" {sign} {}\n", row.right));
    }
    out += "Bounds\n";
    for meaning in model.variables.iter().filter(|&&meaning| !is_binary(meaning)) {
        append_text(&mut out, format_args!(" {meaning} free\n"));
    }
    out += "Binary\n";
    for meaning in model.variables.iter().filter(|&&meaning| is_binary(meaning)) {
        append_text(&mut out, format_args!(" {meaning}\n"));
    }
    out + "End\n"
}

fn write_lp_sum(model: &LinearModel, terms: impl IntoIterator<Item = (u32, i64)>, out: &mut String) {
    for (number, (at, coefficient)) in terms.into_iter().enumerate() {
        let sign = match (number, coefficient < 0) {
            (0, false) => "",
            (0, true) => "- ",
            (_, false) => " + ",
            (_, true) => " - ",
        };
        *out += sign;
        if number > 0 && number % TERMS_A_LINE == 0 {
            *out += "\n  ";
        }
        if coefficient.unsigned_abs() != 1 {
            append_text(out, format_args!("{} ", coefficient.unsigned_abs()));
        }
        append_text(out, format_args!("{}", model.variables[at as usize]));
    }
}

pub(super) fn format_mps(model: &LinearModel) -> String {
    let mut out = format_header(model, "*", true);
    out += "NAME deck\nROWS\n N obj\n";
    let mut columns: Vec<Vec<(u32, i64)>> = vec![Vec::new(); model.variables.len()];
    for (number, row) in model.rows.iter().enumerate() {
        let letter = match row.sense {
            RowSense::AtMost => 'L',
            RowSense::AtLeast => 'G',
            RowSense::Equal => 'E',
        };
        append_text(&mut out, format_args!(" {letter} {}\n", row.label));
        for &(at, coefficient) in row_terms(model, row) {
            columns[at as usize].push((number as u32, coefficient));
        }
    }
    out += "COLUMNS\n";
    let mut whole = false;
    for (at, meaning) in model.variables.iter().enumerate() {
        if is_binary(*meaning) != whole {
            whole = !whole;
            out += if whole { " MARKER 'MARKER' 'INTORG'\n" } else { " MARKER 'MARKER' 'INTEND'\n" };
        }
        append_text(&mut out, format_args!(" {meaning} obj {}\n", -model.objective[at]));
        for &(row, coefficient) in &columns[at] {
            append_text(
                &mut out,
                format_args!(" {meaning} {} {coefficient}\n", model.rows[row as usize].label),
            );
        }
    }
    if whole {
        out += " MARKER 'MARKER' 'INTEND'\n";
    }
    out += "RHS\n";
    for row in model.rows.iter().filter(|row| row.right != 0) {
        append_text(&mut out, format_args!(" rhs {} {}\n", row.label, row.right));
    }
    out += "BOUNDS\n";
    for meaning in &model.variables {
        if is_binary(*meaning) {
            append_text(&mut out, format_args!(" UP bnd {meaning} 1\n"));
        } else {
            append_text(&mut out, format_args!(" FR bnd {meaning}\n"));
        }
    }
    out + "ENDATA\n"
}

pub(super) fn format_opb(model: &LinearModel) -> String {
    // The first line is read by programs; "=" rows count once.
    let mut out = format!("* #variable= {} #constraint= {}\n", model.variable_count(), model.row_count());
    for (at, meaning) in model.variables.iter().enumerate() {
        append_text(&mut out, format_args!("* x{} = {meaning}\n", at + 1));
    }
    out += &format_header(model, "*", true);
    out += "min:";
    for (at, &coefficient) in model.objective.iter().enumerate().filter(|&(_, &coefficient)| coefficient != 0)
    {
        append_text(&mut out, format_args!(" {:+} x{}", -coefficient, at + 1));
    }
    out += " ;\n";
    for row in &model.rows {
        // The format has no sign for "at most".
        let (factor, sign) = match row.sense {
            RowSense::AtMost => (-1, ">="),
            RowSense::AtLeast => (1, ">="),
            RowSense::Equal => (1, "="),
        };
        if row.terms.is_empty() {
            out += "+0 x1 ";
        }
        for &(at, coefficient) in row_terms(model, row) {
            append_text(&mut out, format_args!("{:+} x{} ", coefficient * factor, at + 1));
        }
        append_text(&mut out, format_args!("{sign} {} ;\n", row.right * factor));
    }
    out
}

/// Writing to a string does not fail.
fn append_text(out: &mut String, what: std::fmt::Arguments<'_>) {
    let _ = out.write_fmt(what);
}
