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
