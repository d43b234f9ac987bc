//! Point cloud: the convex hull of points, without its faces.

use super::lanes::Lanes;
use super::{Core, Extreme, SmallHull, scan};
use crate::error::ConvexError;
use crate::vector::VectorSpace;

/// The convex hull of points, with supports found by a linear scan over all of them, four at a time.
///
/// Interior and duplicate points are allowed and only cost time. In 2D this is a convex polygon, given by its corners.
#[derive(Clone, Debug)]
pub struct Points<V> {
    points: Vec<V>,
    lanes: Lanes,
    bounding_radius: f64,
    center: V,
}

impl<V: VectorSpace> Points<V> {
    /// Creates a point cloud. Errors: no points; a non-finite coordinate. Cost: linear.
    pub fn new(points: Vec<V>) -> Result<Self, ConvexError> {
        if points.is_empty() {
            return Err(ConvexError::NoPoints);
        }
        if let Some(index) = points.iter().position(|point| !point.squared().is_finite()) {
            return Err(ConvexError::NotFinite { index, point: format!("{:?}", points[index]) });
        }
        let lanes = Lanes::new(&points);
        let bounding_radius = scan::bounding_radius(&points);
        let center = scan::center(&points);
        Ok(Self { points, lanes, bounding_radius, center })
    }

    /// Returns the points, in the order given; a support's id is an index into them.
    pub fn points(&self) -> &[V] {
        &self.points
    }
}

impl<V: VectorSpace> Core<V> for Points<V> {
    const CURVED: bool = false;

    #[inline(always)]
    fn support(&self, direction: V, _near: u32) -> Extreme<V> {
        let index = self.lanes.farthest(direction).min(self.points.len() - 1);
        Extreme { point: self.points[index], id: index as u32 }
    }

    #[inline(always)]
    fn vertex(&self, id: u32) -> Option<V> {
        self.points.get(id as usize).copied()
    }

    #[inline(always)]
    fn bounding_radius(&self) -> f64 {
        self.bounding_radius
    }

    #[inline(always)]
    fn few(&self) -> Option<&SmallHull> {
        self.lanes.few()
    }

    #[inline(always)]
    fn center(&self) -> V {
        self.center
    }
}
