//! Values on units of a picture: scales, and curves over moves or games.

use std::fmt::Display;

use crate::element::{SvgElement, tenths};

/// Values from `low` to `high` on units from `from` to `to`, which may be less than `from`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AxisScale {
    /// The least value.
    pub low: f64,
    /// The largest one.
    pub high: f64,
    /// Where the least stands.
    pub from: f64,
    /// Where the largest stands.
    pub to: f64,
}

impl AxisScale {
    /// Where a value stands; what lies beyond stands at the end.
    ///
    /// ```
    /// use ishi_draw::AxisScale;
    /// let scale = AxisScale { low: 0.0, high: 10.0, from: 100.0, to: 50.0 };
    /// assert_eq!([2.0, 10.0, f64::INFINITY].map(|value| scale.place_of(value)), [90.0, 50.0, 50.0]);
    /// ```
    pub fn place_of(&self, value: f64) -> f64 {
        let share = ((value - self.low) / (self.high - self.low)).clamp(0.0, 1.0);
        let share = if share.is_nan() { 0.0 } else { share };
        self.from + share * (self.to - self.from)
    }

    /// The middle of its units.
    pub fn middle(&self) -> f64 {
        (self.from + self.to) / 2.0
    }
}

/// The field of a curve: moves, games or the like from left to right, values from bottom to top.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CurveField {
    /// From left to right.
    pub across: AxisScale,
    /// From bottom to top.
    pub upward: AxisScale,
}

impl CurveField {
    /// Where a point stands.
    pub fn place_of(&self, at: f64, value: f64) -> [f64; 2] {
        [self.across.place_of(at), self.upward.place_of(value)]
    }

    /// The area between a curve and the level of a value.
    pub fn area_to_level(&self, curve: &[[f64; 2]], value: f64) -> SvgElement {
        let level = self.upward.place_of(value);
        let ends = [curve.first(), curve.last()].map(|end| end.map(|&[x, _]| [x, level]));
        let points: Vec<[f64; 2]> = ends[0].into_iter().chain(curve.iter().copied()).chain(ends[1]).collect();
        SvgElement::polygon(&points).class("area")
    }

    /// A line at the level of a value, over the whole width.
    pub fn level_line(&self, value: f64) -> SvgElement {
        let y = self.upward.place_of(value);
        SvgElement::line([self.across.from, y, self.across.to, y].map(tenths))
    }

    /// What the level of a value is called, so many units left of the field.
    pub fn level_name(&self, value: f64, gap: f64, name: impl Display) -> SvgElement {
        let y = self.upward.place_of(value) + 4.0;
        SvgElement::text(tenths(self.across.from - gap), tenths(y), name).attr("text-anchor", "end")
    }

    /// A line over the whole height.
    pub fn upright_line(&self, at: f64) -> SvgElement {
        let x = self.across.place_of(at);
        SvgElement::line([x, self.upward.to, x, self.upward.from].map(tenths))
    }

    /// The name of a place, at this height below the field.
    pub fn place_name(&self, at: f64, y: f64, name: impl Display) -> SvgElement {
        SvgElement::text(tenths(self.across.place_of(at)), tenths(y), name).attr("text-anchor", "middle")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_draws_levels_and_areas() {
        let field = CurveField {
            across: AxisScale { low: 0.0, high: 4.0, from: 10.0, to: 50.0 },
            upward: AxisScale { low: -1.0, high: 1.0, from: 40.0, to: 20.0 },
        };
        let curve = [field.place_of(1.0, 0.5), field.place_of(2.0, -0.5)];
        assert_eq!(curve, [[20.0, 25.0], [30.0, 35.0]]);
        let area = field.area_to_level(&curve, 0.0).to_string();
        assert_eq!(area, "<polygon class=\"area\" points=\"20.0,30.0 20.0,25.0 30.0,35.0 30.0,30.0\"/>");
        let line = field.level_line(0.0).class("grid").to_string();
        assert_eq!(line, "<line class=\"grid\" x1=\"10.0\" y1=\"30.0\" x2=\"50.0\" y2=\"30.0\"/>");
        assert!(field.area_to_level(&[], 0.0).to_string().contains("points=\"\""));
    }

    #[test]
    fn a_scale_without_extent_puts_all_at_its_beginning() {
        let scale = AxisScale { low: 1.0, high: 1.0, from: 5.0, to: 9.0 };
        assert_eq!(scale.place_of(1.0), 5.0);
    }
}
