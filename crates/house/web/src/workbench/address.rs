//! Addresses of the way in, for all who lead there.

/// Where strangers enter.
pub(super) const ENTRANCE: &str = "/enter";

/// Where visitors get a code for another browser.
pub(crate) const CODE_PATH: &str = "/enter/code";

/// The path that a code lets in at.
pub(crate) fn entry_path(code: &str) -> String {
    format!("{ENTRANCE}?code={code}")
}
