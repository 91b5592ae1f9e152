//! The drawing room: whatever ishi draws as SVG is written here, and all text in it is escaped in one place.
//!
//! - [`SvgElement`]: a document, a shape, a group; attributes in the order of the calls, texts escaped.
//! - [`AxisScale`] and [`CurveField`]: values on units of a picture, and curves with their grids.
//! - [`escape_xml`]: text for XML and HTML; [`escape_prose`] leaves the apostrophe in it.
//! - [`DEPTH_FILLINGS`]: stones and discs in the light.
//! - [`page_style`] and [`render_page`]: pages that stand on their own. [`put_maker_into_page`] and [`put_maker_into_picture`]: how a page or a picture was made.
//!
//! ```
//! use ishi_draw::SvgElement;
//! let mut picture = SvgElement::document(20, 10).with_title("One & only");
//! picture.add(SvgElement::circle(5, 5, 2.5).fill("#111111"));
//! assert_eq!(
//!     picture.to_string(),
//!     "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 20 10\"><title>One &amp; only</title>\
//!      <circle cx=\"5\" cy=\"5\" r=\"2.5\" fill=\"#111111\"/></svg>"
//! );
//! ```

mod curve;
mod depth;
mod element;
mod escape;
mod page;

pub use curve::{AxisScale, CurveField};
pub use depth::{DEPTH_FILLINGS, DEPTH_FILLS, DEPTH_SHADOW};
pub use element::{SvgElement, Tenths, blend_colors, line_grid_path, tenths};
pub use escape::{escape_prose, escape_xml};
pub use page::{page_style, put_maker_into_page, put_maker_into_picture, render_page};

/// The README's example is run as those of the documentation are.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeExample;
