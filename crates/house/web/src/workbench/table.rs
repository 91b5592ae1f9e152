//! Tables of pages: a head that names the columns, their rows, and a frame that scrolls where a table is wider than the page.

use maud::{Markup, html};

/// A column by its name.
#[derive(Clone, Copy)]
pub(crate) enum TableColumn<'a> {
    Words(&'a str),
    /// Numbers, which are set to the right.
    Numbers(&'a str),
}

/// A table of these columns; its rows are `tr`.
pub(crate) fn render_table(columns: &[TableColumn<'_>], rows: Markup) -> Markup {
    html! {
        table {
            thead { tr {
                @for column in columns {
                    @match column {
                        TableColumn::Words(name) => th scope="col" { (name) },
                        TableColumn::Numbers(name) => th.number scope="col" { (name) },
                    }
                }
            } }
            tbody { (rows) }
        }
    }
}

/// [`render_table()`] in a frame of this name, which scrolls.
pub(crate) fn render_scrolling_table(name: &str, columns: &[TableColumn<'_>], rows: Markup) -> Markup {
    html! {
        div.scroll tabindex="0" role="region" aria-label=(name) { (render_table(columns, rows)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_of_numbers_are_set_to_the_right() {
        let columns = [TableColumn::Words("move"), TableColumn::Numbers("<visits>")];
        let rows = html! { tr { td { "D4" } td.number { (7) } } };
        let table = render_scrolling_table("best moves", &columns, rows).into_string();
        let head = "<th scope=\"col\">move</th><th class=\"number\" scope=\"col\">&lt;visits&gt;</th>";
        let body = "<tbody><tr><td>D4</td><td class=\"number\">7</td></tr></tbody>";
        assert_eq!(
            table,
            format!(
                "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"best moves\">\
                 <table><thead><tr>{head}</tr></thead>{body}</table></div>"
            )
        );
    }
}
