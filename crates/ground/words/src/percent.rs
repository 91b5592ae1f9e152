//! Texts as parts of addresses.

/// May the character stand in every part of an address as it is? (RFC 3986, 2.3: unreserved characters.)
pub fn is_unreserved(character: char) -> bool {
    character.is_ascii_alphanumeric() || matches!(character, '-' | '.' | '_' | '~')
}

/// The text with `%2F` for a slash, and so on: the bytes of all characters that are not plain where it is to stand.
///
/// ```
/// use ishi_words::{is_unreserved, percent_encode};
/// assert_eq!(percent_encode("a/b 碁", is_unreserved), "a%2Fb%20%E7%A2%81");
/// assert_eq!(percent_encode("a/b c", |character| character != ' '), "a/b%20c");
/// ```
pub fn percent_encode(text: &str, is_plain: impl Fn(char) -> bool) -> String {
    let mut encoded = String::with_capacity(text.len());
    for character in text.chars() {
        if is_plain(character) {
            encoded.push(character);
        } else {
            let mut bytes = [0; 4];
            let bytes = character.encode_utf8(&mut bytes).bytes();
            encoded.extend(bytes.map(|byte| format!("%{byte:02X}")));
        }
    }
    encoded
}
