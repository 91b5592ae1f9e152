//! Which encoding the text of a game is in, and where characters end in it.
//!
//! Brackets and backslashes are looked for character by character, because in Shift_JIS, GBK, Big5 and
//! ISO-2022-JP they may be the second byte of a character. Decoding is `encoding_rs`, guessing is `chardetng`
//! (the libraries of Firefox) with one correction for what records of Go contain: names in Chinese characters.

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{
    BIG5, EUC_JP, EUC_KR, Encoding, GB18030, GBK, ISO_2022_JP, SHIFT_JIS, UTF_8, UTF_16BE, UTF_16LE,
    WINDOWS_1252,
};

/// Labels found in records that the WHATWG standard does not list.
const MORE_LABELS: [(&str, &Encoding); 9] = [
    ("cp932", SHIFT_JIS),
    ("ms-kanji", SHIFT_JIS),
    ("cp936", GBK),
    ("gb", GBK),
    ("cp949", EUC_KR),
    ("uhc", EUC_KR),
    ("cp950", BIG5),
    ("utf", UTF_8),
    ("latin-1", WINDOWS_1252),
];

/// The encoding that a CA value names.
pub(crate) fn encoding_by_label(label: &str) -> Option<&'static Encoding> {
    let dashed = label.trim().to_ascii_lowercase().replace('_', "-");
    Encoding::for_label_no_replacement(label.trim().as_bytes())
        .or_else(|| Encoding::for_label_no_replacement(dashed.as_bytes()))
        .or_else(|| MORE_LABELS.iter().find(|(name, _)| *name == dashed).map(|&(_, encoding)| encoding))
        // A file whose parentheses could be read byte by byte is not in UTF-16, whatever it says.
        .filter(|&encoding| encoding != UTF_16LE && encoding != UTF_16BE)
}

/// The encoding of the whole file by its first bytes: a byte order mark, or the zero bytes of UTF-16.
/// Gives the length of the mark too.
pub(crate) fn encoding_by_first_bytes(bytes: &[u8]) -> Option<(&'static Encoding, usize)> {
    if let Some(found) = Encoding::for_bom(bytes) {
        return Some(found);
    }
    let sample = &bytes[..bytes.len().min(64)];
    let zeros = |parity: usize| sample.iter().skip(parity).step_by(2).filter(|&&b| b == 0).count();
    let (even, odd) = (zeros(0), zeros(1));
    let many = sample.len() >= 8 && sample.len() / 4 <= even + odd;
    match (even, odd) {
        (0, _) if many => Some((UTF_16LE, 0)),
        (_, 0) if many => Some((UTF_16BE, 0)),
        _ => None,
    }
}

/// The encoding that these bytes are probably in.
pub(crate) fn guess_encoding(bytes: &[u8]) -> &'static Encoding {
    if [b"\x1b$B", b"\x1b$@"].iter().any(|mark| bytes.windows(3).any(|w| w == *mark)) {
        return ISO_2022_JP;
    }
    if is_mostly_utf8(bytes) {
        return UTF_8;
    }
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(bytes, true);
    correct_guess(detector.guess(None, Utf8Detection::Deny), bytes)
}

/// A few Chinese characters and nothing else look to the detector like EUC-JP or like the Chinese characters of
/// EUC-KR. Without kana and without Hangul they are more likely GBK.
fn correct_guess(guess: &'static Encoding, bytes: &[u8]) -> &'static Encoding {
    let script = match guess {
        guess if guess == EUC_JP => '\u{3040}'..='\u{30ff}',
        guess if guess == EUC_KR => '\u{ac00}'..='\u{d7a3}',
        _ => return guess,
    };
    let (text, _) = guess.decode_without_bom_handling(bytes);
    let own = text.chars().any(|c| script.contains(&c));
    if !own && decodes_cleanly(GBK, bytes) { GBK } else { guess }
}

/// Is this UTF-8, perhaps with a few names cut in mid-character? Pure ASCII is.
pub(crate) fn is_mostly_utf8(bytes: &[u8]) -> bool {
    // By length: a character of three bytes hardly comes about by chance in another encoding.
    const CHARACTER: [usize; 4] = [0, 1, 4, 4];
    const CUT: usize = 1;
    const ERROR: usize = 4;
    let (mut good, mut bad, mut at) = (0, 0, 0);
    for chunk in bytes.utf8_chunks() {
        good += chunk.valid().chars().map(|c| CHARACTER[c.len_utf8() - 1]).sum::<usize>();
        let invalid = chunk.invalid();
        at += chunk.valid().len() + invalid.len();
        let cut = bytes.get(at).is_none_or(u8::is_ascii);
        bad += match invalid.first() {
            None => 0,
            Some(0xc2..=0xf4) if cut => CUT,
            Some(_) => ERROR,
        };
    }
    good >= bad
}

/// Are these bytes free of errors in this encoding?
pub(crate) fn decodes_cleanly(encoding: &'static Encoding, bytes: &[u8]) -> bool {
    encoding.decode_without_bom_handling_and_without_replacement(bytes).is_some()
}

/// How characters follow each other in an encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CharacterScheme {
    /// Every byte below 128 is ASCII wherever it stands: UTF-8 and the single-byte encodings.
    Plain,
    ShiftJis,
    Gbk,
    Big5,
    Euc,
    Iso2022Jp,
}

/// Finds the ends of characters; keeps the state of ISO-2022-JP.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CharacterStepper {
    scheme: CharacterScheme,
    two_bytes: bool,
}

impl CharacterStepper {
    pub(crate) fn new(encoding: &'static Encoding) -> CharacterStepper {
        let schemes = [
            (SHIFT_JIS, CharacterScheme::ShiftJis),
            (GBK, CharacterScheme::Gbk),
            (GB18030, CharacterScheme::Gbk),
            (BIG5, CharacterScheme::Big5),
            (EUC_KR, CharacterScheme::Euc),
            (EUC_JP, CharacterScheme::Euc),
            (ISO_2022_JP, CharacterScheme::Iso2022Jp),
        ];
        let scheme = schemes
            .iter()
            .find(|(e, _)| *e == encoding)
            .map_or(CharacterScheme::Plain, |&(_, scheme)| scheme);
        CharacterStepper { scheme, two_bytes: false }
    }

    /// Bytes of the character at the start of `rest`: 1 or 2, or 3 for a shift of ISO-2022-JP.
    pub(crate) fn next_character_length(&mut self, rest: &[u8]) -> usize {
        match *rest {
            [_] | [] => 1,
            [lead, trail, ..] if self.scheme != CharacterScheme::Iso2022Jp => {
                let pair =
                    is_character_pair(self.scheme, lead, trail) && !(trail == b']' && ends_value(&rest[2..]));
                1 + usize::from(pair)
            }
            [0x1b, b'$', b'@' | b'B', ..] => self.apply_shift(true),
            [0x1b, b'(', _, ..] => self.apply_shift(false),
            [b'\n' | b'\r', ..] => {
                self.two_bytes = false;
                1
            }
            [0x21..=0x7e, 0x21..=0x7e, ..] if self.two_bytes => 2,
            _ => 1,
        }
    }

    fn apply_shift(&mut self, two_bytes: bool) -> usize {
        self.two_bytes = two_bytes;
        3
    }
}

fn is_character_pair(scheme: CharacterScheme, lead: u8, trail: u8) -> bool {
    match scheme {
        CharacterScheme::Plain | CharacterScheme::Iso2022Jp => false,
        CharacterScheme::ShiftJis => {
            matches!(lead, 0x81..=0x9f | 0xe0..=0xfc) && matches!(trail, 0x40..=0x7e | 0x80..=0xfc)
        }
        // A digit is the second byte of a four-byte character of GB18030, whose two halves look alike.
        CharacterScheme::Gbk => {
            matches!(lead, 0x81..=0xfe) && matches!(trail, b'0'..=b'9' | 0x40..=0x7e | 0x80..=0xfe)
        }
        CharacterScheme::Big5 => matches!(lead, 0x81..=0xfe) && matches!(trail, 0x40..=0x7e | 0xa1..=0xfe),
        CharacterScheme::Euc => {
            matches!(lead, 0x81..=0xfe) && matches!(trail, b'A'..=b'Z' | b'a'..=b'z' | 0x81..=0xfe)
        }
    }
}

/// Servers cut names in mid-character: then the `]` after a lone first byte closes the value. It does if a
/// property or the end of the file follows, which text after a character does not look like.
fn ends_value(rest: &[u8]) -> bool {
    const FAR: usize = 48;
    let window = &rest[..rest.len().min(FAR)];
    let structure = |b: &u8| b.is_ascii_whitespace() || matches!(b, b';' | b'(' | b')');
    let skipped = window.iter().take_while(|b| structure(b)).count();
    let letters = window[skipped..].iter().take_while(|b| b.is_ascii_uppercase()).count();
    match window.get(skipped + letters) {
        None => rest.len() <= FAR && letters == 0,
        Some(b'[') => letters > 0,
        Some(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_from_the_wild() {
        for (label, name) in [
            ("UTF-8", "UTF-8"),
            ("utf8", "UTF-8"),
            ("Shift_JIS", "Shift_JIS"),
            ("MS_KANJI", "Shift_JIS"),
            ("windows-31j", "Shift_JIS"),
            ("GB2312", "GBK"),
            ("CP936", "GBK"),
            ("gb18030", "gb18030"),
            ("EUC_KR", "EUC-KR"),
            ("big5", "Big5"),
            (" ISO-8859-1 ", "windows-1252"),
            ("ISO-2022-JP", "ISO-2022-JP"),
        ] {
            assert_eq!(encoding_by_label(label).map(Encoding::name), Some(name), "{label}");
        }
        assert_eq!(encoding_by_label("klingon"), None);
        assert_eq!(encoding_by_label("UTF-16LE"), None);
    }

    #[test]
    fn names_of_players_are_guessed() {
        for (name, encoding) in [
            ("聂卫平", GBK),
            ("马晓春", GBK),
            ("李昌镐 九段", GBK),
            ("이창호", EUC_KR),
            ("조훈현", EUC_KR),
            ("趙治勲", SHIFT_JIS),
            ("井山裕太", SHIFT_JIS),
            ("趙治勲", ISO_2022_JP),
            ("林海峰", BIG5),
            ("周俊勳", BIG5),
            ("Müller", WINDOWS_1252),
            ("Müller", UTF_8),
        ] {
            let (bytes, _, _) = encoding.encode(name);
            assert_eq!(guess_encoding(&bytes).name(), encoding.name(), "{name}");
        }
    }

    #[test]
    fn a_bracket_may_be_half_a_character() {
        // U+30BE is 83 5D in Shift_JIS.
        let mut stepper = CharacterStepper::new(SHIFT_JIS);
        assert_eq!(stepper.next_character_length(b"\x83]\x83]"), 2);
        assert_eq!(stepper.next_character_length(b"\x83]]"), 2);
        assert_eq!(stepper.next_character_length(b"\x83];B[aa]"), 1);
        assert_eq!(stepper.next_character_length(b"\x83])"), 1);
        assert_eq!(CharacterStepper::new(UTF_8).next_character_length(b"\x83]"), 1);
    }
}
