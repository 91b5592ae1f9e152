//! Pages that stand on their own: nothing has to be loaded; light and dark, narrow and wide.

use crate::escape_xml;

/// The style of a page: the colours that all pages have, further ones in light and dark, and rules of the page's own.
pub fn page_style(light: &str, dark: &str, rules: &str) -> String {
    format!(
        "
:root {{ color-scheme: light dark; --ink: #1c1c1a; --paper: #fdfcf9; --soft: #6b6a64; --line: #d9d6cc; {light} }}
@media (prefers-color-scheme: dark) {{ :root {{ --ink: #e8e6df; --paper: #191917; --soft: #a09d93; --line: #3b3a35;
  {dark} }} }}
* {{ box-sizing: border-box; }}
body {{ margin: 0 auto; max-width: 60rem; padding: 1rem; background: var(--paper); color: var(--ink);
  font: 16px/1.5 system-ui, sans-serif; overflow-wrap: break-word; }}
{rules}"
    )
}

/// A page in this language; title, style and body are markup already.
pub fn render_page(lang: &str, title: &str, style: &str, body: &str) -> String {
    format!(
        "<!doctype html>\n<html lang=\"{lang}\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{title}</title>\n\
         <style>{style}</style>\n</head>\n<body>\n{body}\n</body>\n</html>\n"
    )
}

/// A page that says in its head how it was made: `<meta name="made-by">`. What has no head stays as it is.
///
/// ```
/// let page = ishi_draw::put_maker_into_page("<head></head><body>&lt;/head></body>", "ishi review '<\">.sgf'");
/// let mark = "<meta name=\"made-by\" content=\"ishi review &#39;&lt;&quot;&gt;.sgf&#39;\">";
/// assert_eq!(page, format!("<head>{mark}</head><body>&lt;/head></body>"));
/// ```
pub fn put_maker_into_page(page: &str, made_by: &str) -> String {
    let mark = format!("<meta name=\"made-by\" content=\"{}\"></head>", escape_xml(made_by));
    page.replacen("</head>", &mark, 1)
}

/// A picture of its own, an SVG file, that says how it was made: `<metadata>`, which is not drawn. What is no picture stays as it is.
///
/// ```
/// let picture = ishi_draw::put_maker_into_picture("<svg><svg></svg></svg>\n", "ishi explain '<\">.sgf'");
/// let mark = "<metadata>made by ishi explain &#39;&lt;&quot;&gt;.sgf&#39;</metadata>";
/// assert_eq!(picture, format!("<svg><svg></svg>{mark}</svg>\n"));
/// ```
pub fn put_maker_into_picture(picture: &str, made_by: &str) -> String {
    // The title must stay the first element, and pictures may stand in pictures.
    let Some(end) = picture.rfind("</svg>") else { return picture.to_string() };
    let (drawn, rest) = picture.split_at(end);
    format!("{drawn}<metadata>made by {}</metadata>{rest}", escape_xml(made_by))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SvgElement;

    #[test]
    fn a_picture_says_how_it_was_made_and_is_drawn_as_before() {
        let picture =
            SvgElement::document(20, 10).with_title("One").with(SvgElement::circle(5, 5, 2)).to_file();
        let marked = put_maker_into_picture(&picture, "ishi 0.1.0, seed 1");
        let mark = "<metadata>made by ishi 0.1.0, seed 1</metadata>";
        assert_eq!(marked.replacen(mark, "", 1), picture);
        assert!(marked.contains("viewBox=\"0 0 20 10\"><title>One</title>"), "{marked}");
        assert!(marked.ends_with(&format!("{mark}</svg>\n")), "{marked}");
        assert_eq!(put_maker_into_picture("no picture", "ishi"), "no picture");
    }
}
