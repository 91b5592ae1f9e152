//! Sizes of boards on the command line.

/// Reads `9` or `9x13` (columns and rows), each side within the limits.
pub fn parse_size(text: &str, least: usize, most: usize) -> Result<(usize, usize), String> {
    let (width, height) = text.split_once(['x', 'X']).unwrap_or((text, text));
    let side = |text: &str| text.trim().parse().ok().filter(|side| (least..=most).contains(side));
    let wrong =
        || format!("write lines such as 19, or columns and rows such as 19x25, {least} to {most} each");
    side(width).zip(side(height)).ok_or_else(wrong)
}
