//! The shaft: a needle, and the thread that follows it.

use crate::ProcedureError;
use palpate_math::{Point, Vector};

/// How much longer than a segment a search along it is, relative to its length: rounding error.
const LONGER: f64 = 1.0 + 1e-9;

/// A line of points from the tip backward: a needle, a guide wire, a thread; or several one after the other, where the thread
/// follows the needle. Arc lengths are counted from the tip, metres.
#[derive(Clone, Debug, Default)]
pub struct Shaft {
    points: Vec<Point>,
    /// The arc length of each point.
    arcs: Vec<f64>,
    /// The first segment of each section.
    sections: Vec<u32>,
}

/// A place on the shaft.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ShaftPlace {
    /// The section: 0 for the needle, 1 for the thread that follows it.
    pub section: u32,
    /// The segment within the section, from its front.
    pub segment: u32,
    /// The weight of the segment's rear end.
    pub weight: f64,
    /// The arc length from the tip, over all sections, metres.
    pub arc: f64,
}

impl Shaft {
    /// Makes a shaft of sections, each a row of points (world frame, metres) from its front backward. Where a section does
    /// not begin where the one before ends, a segment joins the two; it belongs to the rear one. Errors: fewer than two
    /// points, a coordinate that is not finite.
    pub fn new(sections: &[&[Point]]) -> Result<Self, ProcedureError> {
        let mut shaft = Self::default();
        shaft.set(sections)?;
        Ok(shaft)
    }

    /// Replaces all points, keeping the memory. Errors as [`new`](Self::new); then nothing is changed.
    pub fn set(&mut self, sections: &[&[Point]]) -> Result<(), ProcedureError> {
        let count: usize = sections.iter().map(|points| points.len()).sum();
        if count < 2 {
            return Err(ProcedureError::TooFewPoints { points: count });
        }
        let finite = |point: &Point| point.coords.iter().all(|x| x.is_finite());
        for (section, points) in sections.iter().enumerate() {
            if let Some(point) = points.iter().position(|point| !finite(point)) {
                return Err(ProcedureError::NotFinite { section, point });
            }
        }
        self.points.clear();
        self.arcs.clear();
        self.sections.clear();
        for points in sections {
            let joined = self.points.last().is_some_and(|last| points.first() == Some(last));
            self.sections.push(self.points.len().saturating_sub(1) as u32);
            for point in points.iter().skip(usize::from(joined)) {
                let arc = match (self.points.last(), self.arcs.last()) {
                    (Some(last), Some(arc)) => arc + (point - last).norm(),
                    _ => 0.0,
                };
                self.points.push(*point);
                self.arcs.push(arc);
            }
        }
        Ok(())
    }

    /// Returns the points, from the tip backward.
    pub fn points(&self) -> &[Point] {
        &self.points
    }

    /// Returns the tip.
    pub fn tip(&self) -> Point {
        self.points[0]
    }

    /// Returns the length, metres.
    pub fn length(&self) -> f64 {
        self.arcs.last().copied().unwrap_or(0.0)
    }

    /// Returns the number of segments of all sections.
    pub fn segments(&self) -> u32 {
        self.points.len() as u32 - 1
    }

    /// Returns the unit direction at the tip, forward; zero if the first segment has no length.
    pub fn forward(&self) -> Vector {
        (self.points[0] - self.points[1]).try_normalize(0.0).unwrap_or_default()
    }

    /// Returns the two ends of a segment, counted over all sections.
    pub(crate) fn segment(&self, segment: u32) -> [&Point; 2] {
        let front = segment as usize;
        [&self.points[front], &self.points[front + 1]]
    }

    /// Returns the segment of a place, counted over all sections.
    pub(crate) fn index(&self, place: &ShaftPlace) -> u32 {
        self.sections[place.section as usize] + place.segment
    }

    /// Returns the unit direction from a segment's rear end to its front, and a length that reaches beyond the front by more than
    /// rounding error; `None` for a segment without length.
    pub(crate) fn toward_front(&self, segment: u32) -> Option<(Vector, f64)> {
        let [front, rear] = self.segment(segment);
        let along = front - rear;
        Some((along.try_normalize(0.0)?, along.norm() * LONGER))
    }

    /// Returns a place on a segment, counted over all sections.
    pub fn place(&self, segment: u32, weight: f64) -> ShaftPlace {
        let front = segment as usize;
        let arc = self.arcs[front] + (self.arcs[front + 1] - self.arcs[front]) * weight;
        let section = self.sections.partition_point(|&first| first <= segment).saturating_sub(1);
        ShaftPlace { section: section as u32, segment: segment - self.sections[section], weight, arc }
    }

    /// Returns the place of a segment of a section, as contacts name it.
    pub fn place_in(&self, section: u32, segment: u32, weight: f64) -> Option<ShaftPlace> {
        let first = *self.sections.get(section as usize)?;
        (first + segment < self.segments()).then(|| self.place(first + segment, weight))
    }

    /// Returns the point at a place.
    pub fn point(&self, place: &ShaftPlace) -> Point {
        let [front, rear] = self.segment(self.index(place));
        front + (rear - front) * place.weight
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_follows_the_needle() {
        let at = |x: f64| Point::new(x, 0.0, 0.0);
        let shaft = Shaft::new(&[&[at(4.0), at(3.0), at(1.0)], &[at(1.0), at(-1.0)]]).unwrap();
        assert_eq!((shaft.length(), shaft.segments(), shaft.forward()), (5.0, 3, Vector::x()));
        let on_thread = shaft.place(2, 0.25);
        assert_eq!(on_thread, ShaftPlace { section: 1, segment: 0, weight: 0.25, arc: 3.5 });
        assert_eq!(shaft.point(&on_thread), at(0.5));
        assert_eq!(shaft.place_in(1, 0, 0.25), Some(on_thread));
        assert_eq!(shaft.place_in(1, 1, 0.25), None);
        let apart = Shaft::new(&[&[at(4.0), at(3.0)], &[at(1.0), at(0.0)]]).unwrap();
        assert_eq!((apart.segments(), apart.place(1, 0.5).section, apart.place(1, 0.5).segment), (3, 1, 0));
    }

    #[test]
    fn what_is_no_shaft_is_refused_by_name() {
        let text = |sections: &[&[Point]]| Shaft::new(sections).unwrap_err().to_string();
        assert_eq!(text(&[&[Point::origin()]]), "the shaft has 1 point: wanted at least 2");
        let bad = [Point::origin(), Point::new(0.0, f64::NAN, 0.0)];
        assert_eq!(
            text(&[&[Point::origin(); 2], &bad]),
            "point 1 of section 1 of the shaft is not finite: wanted finite coordinates"
        );
    }
}
