//! Numbers as people read them.

/// A number with groups of three digits and so many decimals.
///
/// ```
/// assert_eq!(ishi_sheet::format_number(1234.5, 2), "1,234.50");
/// ```
pub fn format_number(value: f64, decimals: usize) -> String {
    let text = format!("{:.decimals$}", value.abs());
    let (whole, rest) =
        text.split_once('.').map_or((text.as_str(), String::new()), |(w, r)| (w, format!(".{r}")));
    let mut grouped = String::new();
    for (place, digit) in whole.chars().enumerate() {
        if place > 0 && (whole.len() - place).is_multiple_of(3) && value.is_finite() {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    let zero = text.chars().all(|c| "0.".contains(c));
    let sign = if value < 0.0 && !zero { "-" } else { "" };
    format!("{sign}{grouped}{rest}")
}
