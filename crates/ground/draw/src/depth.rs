//! Round things with depth, in the light of a lamp at the upper left: what they are filled with, and their shadow.

/// The fillings, as markup for a picture that uses them. They have names, so that a page has them once.
pub const DEPTH_FILLINGS: &str = concat!(
    r##"<defs><radialGradient id="stone-black" cx="0.36" cy="0.3" r="0.75"><stop offset="0" stop-color="#6a6a6a"/>"##,
    r##"<stop offset="0.4" stop-color="#2b2b2b"/><stop offset="1" stop-color="#0a0a0a"/></radialGradient>"##,
    r##"<radialGradient id="stone-white" cx="0.36" cy="0.3" r="0.8"><stop offset="0" stop-color="#ffffff"/>"##,
    r##"<stop offset="0.55" stop-color="#f5f3ed"/><stop offset="1" stop-color="#c6c1b5"/></radialGradient>"##,
    r##"<radialGradient id="stone-shadow"><stop offset="0.7" stop-color="#000" stop-opacity="0.5"/>"##,
    r##"<stop offset="1" stop-color="#000" stop-opacity="0"/></radialGradient></defs>"##,
);

/// How a dark and a light one are filled.
pub const DEPTH_FILLS: [&str; 2] = ["url(#stone-black)", "url(#stone-white)"];

/// How the shadow is filled: a disc a tenth larger, a little below and to the right.
pub const DEPTH_SHADOW: &str = "url(#stone-shadow)";
