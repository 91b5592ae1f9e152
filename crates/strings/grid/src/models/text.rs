//! LP, MPS and OPB: the linear formats.

use std::fmt::{self, Write};

use super::{LinearForm, Sense, StringsModel};

/// Terms on a line of an LP file; CPLEX reads lines of at most 560 letters.
const TERMS_A_LINE: usize = 12;

pub(super) fn write_lp(model: &StringsModel, out: &mut dyn Write) -> fmt::Result {
    write_lp_rows(model, out)?;
    writeln!(out, "Binary")?;
    for point in 0..model.point_count() {
        writeln!(out, " {}", model.variable_name(point))?;
    }
    writeln!(out, "End")
}

pub(super) fn write_relaxed_lp(model: &StringsModel, out: &mut dyn Write) -> fmt::Result {
    write_lp_rows(model, out)?;
    writeln!(out, "Bounds")?;
    for point in 0..model.point_count() {
        writeln!(out, " 0 <= {} <= 1", model.variable_name(point))?;
    }
    writeln!(out, "End")
}

fn write_lp_rows(model: &StringsModel, out: &mut dyn Write) -> fmt::Result {
    for line in model.title_lines() {
        writeln!(out, "\\ {line}")?;
    }
    writeln!(out, "Maximize\n obj: {}", lp_sum(model, &all_terms(model)))?;
    writeln!(out, "Subject To")?;
    for constraint in model.constraints() {
        let LinearForm { name, terms, sense, bound } = model.linear_form(constraint);
        let sign = match sense {
            Sense::AtMost => "<=",
            Sense::AtLeast => ">=",
            Sense::Equal => "=",
        };
        writeln!(out, " {name}: {} {sign} {bound}", lp_sum(model, &terms))?;
    }
    Ok(())
}

fn all_terms(model: &StringsModel) -> Vec<(i32, usize)> {
    (0..model.point_count()).map(|point| (1, point)).collect()
}

fn lp_sum(model: &StringsModel, terms: &[(i32, usize)]) -> String {
    let mut text = String::new();
    for (number, &(coefficient, point)) in terms.iter().enumerate() {
        text += match (number, coefficient < 0) {
            (0, false) => "",
            (0, true) => "- ",
            (_, false) => " + ",
            (_, true) => " - ",
        };
        if number > 0 && number % TERMS_A_LINE == 0 {
            text += "\n  ";
        }
        text += &model.variable_name(point);
    }
    text
}

pub(super) fn write_mps(model: &StringsModel, out: &mut dyn Write) -> fmt::Result {
    for line in model.title_lines() {
        writeln!(out, "* {line}")?;
    }
    writeln!(out, "* Minimise minus the number of strings.")?;
    writeln!(out, "NAME strings_{}x{}_{}", model.width(), model.height(), model.formulation().short_name())?;
    writeln!(out, "ROWS\n N obj")?;
    let rows: Vec<LinearForm> =
        model.constraints().iter().map(|constraint| model.linear_form(constraint)).collect();
    let mut columns: Vec<Vec<(&str, i32)>> = vec![vec![("obj", -1)]; model.point_count()];
    for row in &rows {
        let letter = match row.sense {
            Sense::AtMost => 'L',
            Sense::AtLeast => 'G',
            Sense::Equal => 'E',
        };
        writeln!(out, " {letter} {}", row.name)?;
        for &(coefficient, point) in &row.terms {
            columns[point].push((&row.name, coefficient));
        }
    }
    writeln!(out, "COLUMNS\n MARKER 'MARKER' 'INTORG'")?;
    for (point, entries) in columns.iter().enumerate() {
        for (row, coefficient) in entries {
            writeln!(out, " {} {row} {coefficient}", model.variable_name(point))?;
        }
    }
    writeln!(out, " MARKER 'MARKER' 'INTEND'\nRHS")?;
    for row in rows.iter().filter(|row| row.bound != 0) {
        writeln!(out, " rhs {} {}", row.name, row.bound)?;
    }
    writeln!(out, "BOUNDS")?;
    for point in 0..model.point_count() {
        writeln!(out, " UP bnd {} 1", model.variable_name(point))?;
    }
    writeln!(out, "ENDATA")
}

pub(super) fn write_opb(model: &StringsModel, out: &mut dyn Write) -> fmt::Result {
    // The first line is read by programs.
    writeln!(out, "* #variable= {} #constraint= {}", model.point_count(), model.constraints().len())?;
    for line in model.title_lines() {
        writeln!(out, "* {line}")?;
    }
    writeln!(out, "* Variable 1 + (row - 1) * {} + (column - 1) belongs to a point.", model.width())?;
    if model.strings().is_none() {
        writeln!(out, "* Minimise minus the number of strings.")?;
        writeln!(out, "min: {};", opb_sum(&all_terms(model), -1))?;
    }
    for constraint in model.constraints() {
        let LinearForm { terms, sense, bound, .. } = model.linear_form(constraint);
        match sense {
            Sense::AtLeast => writeln!(out, "{}>= {bound} ;", opb_sum(&terms, 1))?,
            Sense::Equal => writeln!(out, "{}= {bound} ;", opb_sum(&terms, 1))?,
            // The format has no sign for "at most".
            Sense::AtMost if bound == 0 => writeln!(out, "{}>= 0 ;", opb_sum(&terms, -1))?,
            Sense::AtMost => writeln!(out, "{}>= -{bound} ;", opb_sum(&terms, -1))?,
        }
    }
    Ok(())
}

fn opb_sum(terms: &[(i32, usize)], factor: i32) -> String {
    terms.iter().map(|(coefficient, point)| format!("{:+} x{} ", coefficient * factor, point + 1)).collect()
}
