//! Curved surfaces of a cylinder behind the planes that touch them.
//!
//! A sector of a cylinder's side, or of the disk at its end, is covered by a plane facet: every point of the sector is
//! straight behind a place of the facet, seen along a radius. It is `t² / 2r` behind it, to second order, if `t` is the place's
//! distance from the line where both touch. Where the value rises by at least `m` per metre on the way, the values of the
//! sector are no less than those of the facet plus `m t² / 2r`.

use super::cell::CellValue;
use super::polygon::{Place, Polygon};
use palpate_math::Vector;

/// Which surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Surface {
    /// The side: all places of the facet are at the radius.
    Side,
    /// The disk at an end: the second coordinate of a place is its distance from the axis, before it is moved.
    End,
}

/// A sector of a curved surface behind a facet, whose first coordinate is along the tangent.
#[derive(Clone, Copy, Debug)]
pub(super) struct Curve {
    pub(super) surface: Surface,
    /// Metres of the facet's coordinates.
    pub(super) unit: f64,
    pub(super) radius: f64,
    /// The outward normal at the middle of the sector, and the tangent: units in metres.
    pub(super) normal: Vector,
    pub(super) tangent: Vector,
    /// The cosine and the sine of half the sector's angle.
    pub(super) half: [f64; 2],
    /// The greatest distance in metres of the surface from the facet.
    pub(super) sag: f64,
}

/// What is added to the value over a polygon: a constant, and half the square of the first coordinate times a factor.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Bow {
    constant: f64,
    pub(super) factor: f64,
}

impl Bow {
    pub(super) fn value(&self, [x, _]: &Place) -> f64 {
        self.constant + 0.5 * self.factor * x * x
    }

    pub(super) fn slope(&self, [x, _]: &Place) -> f64 {
        self.factor * x
    }
}

/// How far a surface is behind a polygon.
#[derive(Clone, Copy, Debug)]
pub(super) struct Behind {
    /// The greatest square of the first coordinate, in metres.
    widest: f64,
    /// Twice the greatest factor of that square in the distance.
    most: f64,
    /// The greatest distance in metres.
    pub(super) sag: f64,
}

impl Curve {
    /// Returns how far places of the facet are from the surface points behind them, at most, toward the lower and the upper end
    /// of each axis, in spacings.
    pub(super) fn grown(&self, spacing: &Vector) -> [Vector; 2] {
        let turned = match self.surface {
            Surface::Side => Vector::zeros(),
            // The radius is turned by up to half the sector's angle.
            Surface::End => self.tangent.abs() * self.half[1],
        };
        [-self.normal, self.normal].map(|out| {
            let reach = (out.map(|along| along.max(0.0)) + turned) * self.sag;
            reach.component_div(spacing)
        })
    }

    /// Returns how far the surface is behind a polygon.
    pub(super) fn behind(&self, polygon: &Polygon) -> Behind {
        let widest = polygon.corners.iter().map(|[x, _]| x * x).fold(0.0, f64::max);
        let nearest = || self.unit * polygon.corners.iter().map(|[_, y]| *y).fold(f64::INFINITY, f64::min);
        let most = match self.surface {
            Surface::Side => 2.0 / (self.radius * (1.0 + self.half[0])),
            Surface::End => 1.0 / nearest().max(0.0),
        };
        let widest = self.unit * self.unit * widest;
        Behind { widest, most, sag: (0.5 * most * widest).min(self.sag) }
    }

    /// Returns a lower bound of how much more the value of a cell is on the surface than on the facet, over a polygon, given the
    /// positions of its corners in the cell.
    pub(super) fn bow<'p>(
        &self,
        value: &CellValue,
        spacing: &Vector,
        corners: impl Iterator<Item = &'p Vector>,
        behind: &Behind,
    ) -> Bow {
        let square = self.unit * self.unit;
        let Behind { widest, most, sag } = *behind;
        let rise = self.least_rise(value, spacing, corners, sag);
        if rise >= 0.0 {
            let least = match self.surface {
                Surface::Side => 1.0,
                Surface::End => {
                    let [cos, _] = self.half;
                    2.0 * cos / (1.0 + cos)
                }
            };
            return Bow { constant: 0.0, factor: square * rise * least / self.radius };
        }
        if 0.5 * most * widest <= self.sag {
            Bow { constant: 0.0, factor: square * rise * most }
        } else {
            Bow { constant: rise * sag, factor: 0.0 }
        }
    }

    /// Returns a lower bound of the value's rise per metre from a polygon along the radius to the surface behind it.
    fn least_rise<'p>(
        &self,
        value: &CellValue,
        spacing: &Vector,
        corners: impl Iterator<Item = &'p Vector>,
        sag: f64,
    ) -> f64 {
        let reach = Vector::repeat(sag).component_div(spacing);
        let (mut low, mut high) = (Vector::repeat(f64::INFINITY), Vector::repeat(f64::NEG_INFINITY));
        for position in corners {
            (low, high) = (low.inf(position), high.sup(position));
        }
        let [least, most] = value.slopes(&(low - reach), &(high + reach));
        let (middle, spread) = ((least + most) * 0.5, (most - least) * 0.5);
        let (middle, spread) = (middle.component_div(spacing), spread.component_div(spacing));
        let rise = -middle.dot(&self.normal) - spread.dot(&self.normal.abs());
        if self.surface == Surface::Side {
            return rise;
        }
        // The radius is turned by up to half the sector's angle.
        let [cos, sin] = self.half;
        let across = middle.dot(&self.tangent).abs() + spread.dot(&self.tangent.abs());
        (if rise > 0.0 { rise * cos } else { rise }) - across * sin
    }
}
