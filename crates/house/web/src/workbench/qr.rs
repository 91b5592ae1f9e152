//! QR codes (ISO/IEC 18004) of addresses: byte mode, versions 1 to 5, level L of error correction, which is up to 106 bytes.

use ishi_draw::SvgElement;

/// Codewords for data, and for error correction, of the versions from 1 on.
const CODEWORDS: [(usize, usize); 5] = [(19, 7), (34, 10), (55, 15), (80, 20), (108, 26)];

/// Codewords that the mode, the length and the end take.
const FRAME: usize = 2;

/// Modules of the smallest version, and how many each next one has more, on each side.
const LEAST_SIDE: usize = 21;
const STEP: usize = 4;

/// The quiet zone around it.
const QUIET: usize = 4;

/// A code: which modules are dark.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct QrCode {
    side: usize,
    /// Row after row, from the top.
    dark: Vec<bool>,
}

impl QrCode {
    /// The code of a text. `None` if it has more than 106 bytes.
    pub(super) fn encode(text: &str) -> Option<QrCode> {
        let codes = (0..8).map(|mask| QrCode::with_mask(text, mask)).collect::<Option<Vec<QrCode>>>()?;
        codes.into_iter().min_by_key(QrCode::count_equal_neighbours)
    }

    fn with_mask(text: &str, mask: usize) -> Option<QrCode> {
        let version = CODEWORDS.iter().position(|&(data, _)| text.len() + FRAME <= data)?;
        let codewords = make_codewords(text.as_bytes(), CODEWORDS[version]);
        let mut grid = ModuleGrid::new(version);
        grid.draw_patterns(version);
        grid.draw_format(mask);
        grid.draw_data(&codewords, mask);
        Some(QrCode {
            side: grid.side,
            dark: grid.modules.into_iter().map(|module| module == Some(true)).collect(),
        })
    }

    /// Scanners like codes best whose modules change often.
    fn count_equal_neighbours(&self) -> usize {
        let side = self.side;
        let right =
            (0..self.dark.len()).filter(|at| (at + 1) % side != 0 && self.dark[*at] == self.dark[at + 1]);
        let below = (side..self.dark.len()).filter(|at| self.dark[*at] == self.dark[at - side]);
        right.count() + below.count()
    }

    /// Black on white, whatever the colours of the page.
    pub(super) fn to_svg(&self) -> String {
        let whole = self.side + 2 * QUIET;
        let mut path = String::new();
        for (at, _) in self.dark.iter().enumerate().filter(|(_, dark)| **dark) {
            path += &format!("M{} {}h1v1h-1z", at % self.side + QUIET, at / self.side + QUIET);
        }
        let svg = SvgElement::document(whole, whole).class("qr").attr("aria-hidden", "true");
        let svg =
            svg.attr("shape-rendering", "crispEdges").with(SvgElement::rect(0, 0, whole, whole).fill("#fff"));
        svg.with(SvgElement::path(path).fill("#000")).to_string()
    }
}

/// Data with their error correction.
fn make_codewords(text: &[u8], (data, correction): (usize, usize)) -> Vec<u8> {
    // Mode 4 is bytes; half a codeword each for mode and end.
    let length = text.len() as u8;
    let mut codewords = vec![0x40 | length >> 4];
    let mut rest = length & 15;
    for &byte in text {
        codewords.push(rest << 4 | byte >> 4);
        rest = byte & 15;
    }
    codewords.push(rest << 4);
    codewords.extend([0xEC, 0x11].into_iter().cycle().take(data - codewords.len()));
    let check = divide_remainder(&codewords, correction);
    codewords.extend(check);
    codewords
}

/// A product in the field of 256 elements that QR codes use.
fn multiply(a: u8, b: u8) -> u8 {
    (0..8).rev().fold(0u8, |product, bit| {
        let doubled = product << 1 ^ if product & 0x80 != 0 { 0x1D } else { 0 };
        if b >> bit & 1 == 1 { doubled ^ a } else { doubled }
    })
}

/// The code of Reed and Solomon: what is left of the data divided by the generator of this degree.
fn divide_remainder(data: &[u8], degree: usize) -> Vec<u8> {
    // Coefficients without the leading 1.
    let mut generator = vec![0u8; degree];
    generator[degree - 1] = 1;
    let mut root = 1;
    for _ in 0..degree {
        for at in 0..degree {
            generator[at] = multiply(generator[at], root) ^ generator.get(at + 1).copied().unwrap_or(0);
        }
        root = multiply(root, 2);
    }
    let mut rest = vec![0u8; degree];
    for &byte in data {
        let factor = byte ^ rest[0];
        rest.rotate_left(1);
        rest[degree - 1] = 0;
        rest.iter_mut().zip(&generator).for_each(|(left, &step)| *left ^= multiply(step, factor));
    }
    rest
}

/// The modules as they are drawn; none where nothing is drawn yet.
struct ModuleGrid {
    side: usize,
    modules: Vec<Option<bool>>,
}

impl ModuleGrid {
    fn new(version: usize) -> ModuleGrid {
        let side = LEAST_SIDE + STEP * version;
        ModuleGrid { side, modules: vec![None; side * side] }
    }

    fn set(&mut self, row: usize, column: usize, dark: bool) {
        self.modules[row * self.side + column] = Some(dark);
    }

    /// A square of rings around a middle; what lies outside is left out.
    fn draw_rings(&mut self, row: usize, column: usize, reach: isize, is_dark: impl Fn(isize) -> bool) {
        for (down, right) in
            (-reach..=reach).flat_map(|down| (-reach..=reach).map(move |right| (down, right)))
        {
            let place = row.checked_add_signed(down).zip(column.checked_add_signed(right));
            if let Some((row, column)) = place.filter(|&(row, column)| row < self.side && column < self.side)
            {
                self.set(row, column, is_dark(down.abs().max(right.abs())));
            }
        }
    }

    /// Finders in three corners, lines between them, and from version 2 on a smaller square in the fourth corner.
    fn draw_patterns(&mut self, version: usize) {
        let last = self.side - 4;
        for (row, column) in [(3, 3), (3, last), (last, 3)] {
            self.draw_rings(row, column, 4, |ring| ring != 2 && ring != 4);
        }
        if version > 0 {
            self.draw_rings(self.side - 7, self.side - 7, 2, |ring| ring != 1);
        }
        for at in 8..self.side - 8 {
            self.set(6, at, at % 2 == 0);
            self.set(at, 6, at % 2 == 0);
        }
        self.set(self.side - 8, 8, true);
    }

    /// Level and mask, twice, with a code of their own.
    fn draw_format(&mut self, mask: usize) {
        // Level L is 1.
        let data = 1 << 3 | mask as u32;
        let rest = (10..15).rev().fold(data << 10, |rest, bit| {
            if rest >> bit & 1 == 1 { rest ^ 0x537 << (bit - 10) } else { rest }
        });
        let format = (data << 10 | rest) ^ 0x5412;
        let side = self.side;
        for at in 0..15 {
            let dark = format >> at & 1 == 1;
            let row = match at {
                0..6 => at,
                6..8 => at + 1,
                _ => side - 15 + at,
            };
            let column = match at {
                0..8 => side - 1 - at,
                8 => 7,
                _ => 14 - at,
            };
            self.set(row, 8, dark);
            self.set(8, column, dark);
        }
    }

    /// The codewords in columns of two, from the right, up and down, with the mask over them.
    fn draw_data(&mut self, codewords: &[u8], mask: usize) {
        let mut bits = codewords.iter().flat_map(|word| (0..8).rev().map(move |bit| word >> bit & 1 == 1));
        let pairs = (0..self.side).rev().filter(|column| *column != 6).collect::<Vec<usize>>();
        for (turn, pair) in pairs.chunks(2).enumerate() {
            for step in 0..self.side {
                let row = if turn % 2 == 0 { self.side - 1 - step } else { step };
                for &column in pair {
                    if self.modules[row * self.side + column].is_none() {
                        let bit = bits.next().unwrap_or(false);
                        self.set(row, column, bit != is_masked(mask, row, column));
                    }
                }
            }
        }
    }
}

/// Does this mask turn the module round?
fn is_masked(mask: usize, row: usize, column: usize) -> bool {
    let (sum, product) = (row + column, row * column);
    let rest = match mask {
        0 => sum % 2,
        1 => row % 2,
        2 => column % 3,
        3 => sum % 3,
        4 => (row / 2 + column / 3) % 2,
        5 => product % 2 + product % 3,
        6 => (product % 2 + product % 3) % 2,
        _ => (sum % 2 + product % 3) % 2,
    };
    rest == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The rows as numbers.
    fn rows(code: &QrCode) -> Vec<u32> {
        let number = |row: &[bool]| row.iter().fold(0, |number, &dark| number << 1 | u32::from(dark));
        code.dark.chunks(code.side).map(number).collect()
    }

    /// As segno 1.6 makes them (`segno.make(text, error="l", mode="byte", mask=2, boost_error=False)`).
    #[test]
    fn codes_are_those_of_another_program() {
        let first = QrCode::with_mask("http://ishi:8642/", 2).unwrap();
        assert_eq!(
            rows(&first),
            [
                0x1fca7f, 0x105d41, 0x17495d, 0x175f5d, 0x17465d, 0x105541, 0x1fd57f, 0x000800, 0x1f7baa,
                0x0a3e7f, 0x13c986, 0x1a399c, 0x154cd9, 0x00123d, 0x1fdde6, 0x10449e, 0x175c58, 0x175676,
                0x175524, 0x1053b4, 0x1fd07a
            ]
        );
        let second = QrCode::with_mask("http://192.168.1.20:8642/go/abcx", 2).unwrap();
        assert_eq!(
            rows(&second),
            [
                0x1fca47f, 0x1050a41, 0x174915d, 0x175585d, 0x174a45d, 0x1050341, 0x1fd557f, 0x000e200,
                0x1f77baa, 0x06a7c82, 0x0a48a6b, 0x102a111, 0x1feb877, 0x163ac0a, 0x16682ab, 0x1082209,
                0x10c19f4, 0x001651c, 0x1fd4d5f, 0x1042319, 0x1757bfd, 0x1753774, 0x1755485, 0x105f179,
                0x1fdcaff
            ]
        );
    }

    #[test]
    fn addresses_of_a_usual_length_have_a_code() {
        let sides = [1, 17, 18, 106].map(|length| QrCode::encode(&"x".repeat(length)).unwrap().side);
        assert_eq!(sides, [21, 21, 25, 37]);
        assert_eq!(QrCode::encode(&"x".repeat(107)), None);
        let svg = QrCode::encode("http://ishi:8642/").unwrap().to_svg();
        assert!(
            svg.starts_with("<svg") && svg.contains("viewBox=\"0 0 29 29\"") && !svg.contains("style="),
            "{svg}"
        );
    }
}
