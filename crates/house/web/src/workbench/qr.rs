//! QR codes of addresses (ISO/IEC 18004), as pictures.

use ishi_draw::SvgElement;
use qrcodegen::{QrCode, QrCodeEcc};

/// Modules of the quiet zone around a code.
const QUIET: i32 = 4;

/// The code of a text, black on white whatever the colours of the page. `None` if the text is too long for any code (2,953 bytes).
pub(super) fn draw_qr_code(text: &str) -> Option<String> {
    // A screen is clean: the least correction makes the fewest modules.
    let code = QrCode::encode_text(text, QrCodeEcc::Low).ok()?;
    let whole = code.size() + 2 * QUIET;
    let svg = SvgElement::document(whole, whole).class("qr").attr("aria-hidden", "true");
    let svg =
        svg.attr("shape-rendering", "crispEdges").with(SvgElement::rect(0, 0, whole, whole).fill("#fff"));
    Some(svg.with(SvgElement::path(trace_dark_modules(&code)).fill("#000")).to_string())
}

/// A square for each dark module.
fn trace_dark_modules(code: &QrCode) -> String {
    let rows = (0..code.size()).flat_map(|y| (0..code.size()).map(move |x| (x, y)));
    let dark = rows.filter(|&(x, y)| code.get_module(x, y));
    dark.map(|(x, y)| format!("M{} {}h1v1h-1z", x + QUIET, y + QUIET)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The modules of a picture, the quiet zone among them.
    fn read_modules(svg: &str) -> Vec<(i32, i32)> {
        let squares = svg.split("d=\"").nth(1).unwrap().split('"').next().unwrap();
        let corner = |square: &str| {
            let (x, rest) = square.split_once(' ').unwrap();
            (x.parse().unwrap(), rest.split('h').next().unwrap().parse().unwrap())
        };
        squares.split('M').skip(1).map(corner).collect()
    }

    /// What every reader looks for first: a frame of seven modules in three corners, and nothing in the quiet zone.
    #[test]
    fn a_code_has_its_three_finder_patterns_and_a_quiet_zone() {
        let svg = draw_qr_code("http://ishi:8642/").unwrap();
        assert!(svg.starts_with("<svg") && svg.contains("viewBox=\"0 0 29 29\""), "{svg}");
        assert!(!svg.contains("style="), "the content policy forbids it: {svg}");
        let modules = read_modules(&svg);
        assert!(modules.iter().all(|&(x, y)| (4..25).contains(&x) && (4..25).contains(&y)));
        for (left, top) in [(4, 4), (18, 4), (4, 18)] {
            for step in 0..7 {
                for at in
                    [(left + step, top), (left + step, top + 6), (left, top + step), (left + 6, top + step)]
                {
                    assert!(modules.contains(&at), "{at:?} must be dark");
                }
            }
            assert!(modules.contains(&(left + 3, top + 3)) && !modules.contains(&(left + 1, top + 1)));
        }
    }

    #[test]
    fn codes_grow_with_their_text_up_to_the_largest() {
        let dark =
            [17, 60, 500].map(|length| read_modules(&draw_qr_code(&"x".repeat(length)).unwrap()).len());
        assert!(dark[0] < dark[1] && dark[1] < dark[2], "{dark:?}");
        assert_eq!(draw_qr_code(&"x".repeat(2954)), None);
    }
}
