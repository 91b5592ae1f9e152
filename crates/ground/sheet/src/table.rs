//! Tables.

use ishi_draw::escape_prose;

use crate::markdown::escape_markdown;
use crate::width::{pad_text, text_width};

/// A table. A column whose name begins with `#` holds numbers and stands to the right.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SheetTable {
    columns: Vec<String>,
    right: Vec<bool>,
    rows: Vec<Vec<String>>,
    /// The least widths of the columns in text, in columns of a terminal.
    text_widths: Vec<usize>,
    /// Spaces between each column and the next in text, where they differ from the usual.
    text_gaps: Vec<usize>,
    /// Do rows stand farther in than the columns' names, in text?
    is_indented: bool,
}

impl SheetTable {
    /// A table without rows.
    ///
    /// ```
    /// use ishi_sheet::SheetTable;
    /// let mut table = SheetTable::new(["player", "#Elo"]);
    /// table.add_row(["go-random", "-700"]);
    /// ```
    pub fn new<const N: usize>(columns: [&str; N]) -> SheetTable {
        let name = |column: &&str| column.strip_prefix('#').unwrap_or(column).to_string();
        SheetTable {
            right: columns.iter().map(|column| column.starts_with('#')).collect(),
            columns: columns.iter().map(name).collect(),
            ..SheetTable::default()
        }
    }

    /// The same with another name of the first column, which may begin with anything.
    #[must_use]
    pub fn with_first_name(mut self, name: impl Into<String>) -> SheetTable {
        if let Some(first) = self.columns.first_mut() {
            *first = name.into();
        }
        self
    }

    /// The same with columns that are at least so wide in text and a space apart, so that tables of one kind look alike. Without this
    /// columns are as wide as they must be, and two spaces apart.
    #[must_use]
    pub fn with_text_widths(self, widths: &[usize]) -> SheetTable {
        SheetTable { text_widths: widths.to_vec(), ..self }
    }

    /// The same with so many spaces behind each column in text. Columns that are not named have the usual number.
    #[must_use]
    pub fn with_text_gaps(self, gaps: &[usize]) -> SheetTable {
        SheetTable { text_gaps: gaps.to_vec(), ..self }
    }

    /// The same with rows that stand two characters farther in than the columns' names, in text.
    #[must_use]
    pub fn with_indented_rows(self) -> SheetTable {
        SheetTable { is_indented: true, ..self }
    }

    /// The columns, and whether they hold numbers.
    pub fn columns(&self) -> impl Iterator<Item = (&str, bool)> {
        self.columns.iter().zip(&self.right).map(|(name, &right)| (name.as_str(), right))
    }

    /// The rows; each has a cell for every column.
    pub fn rows(&self) -> &[Vec<String>] {
        &self.rows
    }

    /// Adds a column of numbers.
    pub fn add_number_column(&mut self, name: &str) {
        self.columns.push(name.to_string());
        self.right.push(true);
    }

    /// The table without this column, if the column has no entry.
    #[must_use]
    pub fn without_empty_column(mut self, name: &str) -> SheetTable {
        let place = self.columns.iter().position(|column| column == name);
        let Some(place) = place.filter(|&place| self.rows.iter().all(|row| row[place].is_empty())) else {
            return self;
        };
        self.columns.remove(place);
        self.right.remove(place);
        self.rows.iter_mut().for_each(|row| _ = row.remove(place));
        self
    }

    /// Adds a row; cells that are missing are empty.
    pub fn add_row<T: Into<String>>(&mut self, cells: impl IntoIterator<Item = T>) {
        let mut cells: Vec<String> = cells.into_iter().map(Into::into).collect();
        cells.resize(self.columns.len(), String::new());
        self.rows.push(cells);
    }

    /// The same with every text in other words: names of columns, and cells.
    #[must_use]
    pub fn with_texts(&self, tell: &mut dyn FnMut(&str) -> String) -> SheetTable {
        let mut told = |cells: &Vec<String>| cells.iter().map(|cell| tell(cell)).collect::<Vec<String>>();
        SheetTable {
            columns: told(&self.columns),
            rows: self.rows.iter().map(told).collect(),
            right: self.right.clone(),
            text_widths: self.text_widths.clone(),
            text_gaps: self.text_gaps.clone(),
            is_indented: self.is_indented,
        }
    }

    /// The table as CSV, its columns' names first.
    pub fn to_csv(&self) -> String {
        let line =
            |cells: &[String]| cells.iter().map(|cell| csv_cell(cell)).collect::<Vec<_>>().join(",") + "\n";
        line(&self.columns) + &self.rows.iter().map(|row| line(row)).collect::<String>()
    }

    /// The table for a terminal: its columns' names, if they have any, and below them the rows.
    pub fn to_text(&self) -> String {
        let margin = if self.is_indented { "  " } else { "" };
        let rows: Vec<Vec<String>> = self.rows.iter().map(|row| indent_first_cell(row, margin)).collect();
        let widths = self.widths_of(&rows);
        let head = self.has_names().then_some(&self.columns);
        head.into_iter().chain(&rows).map(|cells| self.text_line(cells, &widths)).collect()
    }

    fn has_names(&self) -> bool {
        self.columns.iter().any(|column| !column.is_empty())
    }

    /// How wide each column is in text.
    fn widths_of(&self, rows: &[Vec<String>]) -> Vec<usize> {
        let width = |column: usize| {
            let cells = rows.iter().map(|row| &row[column]).chain([&self.columns[column]]);
            let widest = cells.map(|cell| text_width(cell)).max().unwrap_or(0);
            widest.max(self.text_widths.get(column).copied().unwrap_or(0))
        };
        (0..self.columns.len()).map(width).collect()
    }

    fn text_line(&self, cells: &[String], widths: &[usize]) -> String {
        let usual_gap = if self.text_widths.is_empty() { 2 } else { 1 };
        let mut line = String::new();
        for (column, (cell, &width)) in cells.iter().zip(widths).enumerate() {
            let gap = self.text_gaps.get(column).copied().unwrap_or(usual_gap);
            line += &pad_text(cell, width, self.right[column]);
            line += &" ".repeat(gap);
        }
        line.trim_end().to_string() + "\n"
    }

    /// The table in Markdown, without a line break at its end.
    pub fn to_markdown(&self) -> String {
        let line = |cells: &[String]| format!("| {} |", cells.join(" | "));
        let escaped =
            |cells: &Vec<String>| line(&cells.iter().map(|cell| escape_markdown(cell)).collect::<Vec<_>>());
        let rule = |right: &bool| if *right { "---:".to_string() } else { "---".to_string() };
        let mut lines = vec![escaped(&self.columns), line(&self.right.iter().map(rule).collect::<Vec<_>>())];
        lines.extend(self.rows.iter().map(escaped));
        lines.join("\n")
    }

    /// The table in HTML, in a frame of the class `wide`. Numbers have the class `n`. `class` gives a row's class, which the cell of
    /// its column `outcome` has.
    pub fn to_html(&self, class: Option<&dyn Fn(usize) -> &'static str>) -> String {
        let head = match self.has_names() {
            true => format!("<thead>{}</thead>", self.html_row("th", &self.columns, "")),
            false => String::new(),
        };
        let row = |(number, row): (usize, &Vec<String>)| {
            self.html_row("td", row, class.map_or("", |class| class(number)))
        };
        let rows: String = self.rows.iter().enumerate().map(row).collect();
        format!("<div class=\"wide\"><table>{head}<tbody>{rows}</tbody></table></div>")
    }

    fn html_row(&self, tag: &str, row: &[String], outcome: &str) -> String {
        let cell = |(column, text): (usize, &String)| {
            let judged = !outcome.is_empty() && self.columns[column] == "outcome";
            let class = match (self.right[column], judged) {
                (true, _) => " class=\"n\"".to_string(),
                (false, true) => format!(" class=\"{outcome}\""),
                (false, false) => String::new(),
            };
            format!("<{tag}{class}>{}</{tag}>", escape_prose(text))
        };
        format!("<tr>{}</tr>", row.iter().enumerate().map(cell).collect::<String>())
    }
}

fn indent_first_cell(row: &[String], margin: &str) -> Vec<String> {
    let mut cells = row.to_vec();
    if let Some(first) = cells.first_mut() {
        *first = format!("{margin}{first}");
    }
    cells
}

/// A cell of a CSV file (RFC 4180).
pub fn csv_cell(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markdown_is_aligned_and_escaped() {
        let mut table = SheetTable::new(["a|b", "#n"]);
        table.add_row(["x_y", "1"]);
        table.add_row(["only one"]);
        assert_eq!(table.to_markdown(), "| a\\|b | n |\n| --- | ---: |\n| x\\_y | 1 |\n| only one |  |");
    }

    #[test]
    fn html_is_escaped_and_numbers_stand_to_the_right() {
        let mut table = SheetTable::new(["a", "#n"]);
        table.add_row(["<script>", "1"]);
        let html = table.to_html(None);
        assert!(html.contains("<td>&lt;script&gt;</td><td class=\"n\">1</td>"), "{html}");
    }

    #[test]
    fn a_given_name_is_no_mark() {
        let table = SheetTable::new(["", "#n"]).with_first_name("#1");
        assert_eq!(table.columns().collect::<Vec<_>>(), [("#1", false), ("n", true)]);
    }

    #[test]
    fn text_has_columns_of_their_widths() {
        let mut table =
            SheetTable::new(["", "#wins", "#score"]).with_text_widths(&[12, 6, 7]).with_indented_rows();
        table.add_row(["as Black", "3", "1.000"]);
        table.add_row(["in all", "12345678", ""]);
        let wanted = "                 wins   score\n  as Black          3   1.000\n  in all     12345678\n";
        assert_eq!(table.to_text(), wanted);
        let mut apart = SheetTable::new(["name", "#n", "", "#share"])
            .with_text_widths(&[6, 3, 0, 7])
            .with_text_gaps(&[3, 1, 2]);
        apart.add_row(["a", "1", "of 20", "5.0 %"]);
        assert_eq!(apart.to_text(), "name       n          share\na          1 of 20    5.0 %\n");
        let mut wide = SheetTable::new(["名前", "#n", "その他"]);
        wide.add_row(["黒", "1", "a"]);
        wide.add_row(["longer", "10", "b"]);
        assert_eq!(wide.to_text(), "名前     n  その他\n黒       1  a\nlonger  10  b\n");
        let mut plain = SheetTable::new(["", "what", "#n"]);
        plain.add_row(["a", "b", "1"]);
        plain.add_row(["longer", "words", "10"]);
        assert_eq!(plain.to_text(), "        what    n\na       b       1\nlonger  words  10\n");
    }
}
