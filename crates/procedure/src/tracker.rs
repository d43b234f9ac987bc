//! A shaft in a tissue, from step to step.

use crate::ProcedureError;
use crate::crossing::{Crossing, CrossingId, Passing, Stay, Tissue};
use crate::event::{Candidate, Event};
use crate::matching::{Before, Matching};
use crate::path::Path;
use crate::search;
use crate::shaft::{Shaft, ShaftPlace};
use palpate_contact::Feature;
use palpate_geometry::{Geometry, SurfaceFeature, SurfaceMesh};
use palpate_math::Point;

/// Follows a shaft through one tissue: where it crosses the surface, the cells on its way, and what changes. Several tissues
/// have a tracker each.
///
/// The crossings are those of the shaft moved by an infinitely small amount, the same everywhere, so that it passes through
/// triangles only: where it meets an edge or a vertex, it crosses exactly one triangle or, where it grazes, none or two. Of a
/// shaft whose rear end is outside, the crossings in exceed those out by one if the tip is inside, else by none.
///
/// A crossing keeps its id while it slides over triangles and along the shaft, and through cuts that leave its vertices. Which
/// crossing is which is decided by the least motion that explains the change ([`Event`]).
///
/// ```
/// use palpate_geometry::{Geometry, Needs, SurfaceMesh};
/// use palpate_math::Point;
/// use palpate_procedure::{Event, Shaft, ShaftTracker};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let corners = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]].map(Point::from);
/// let mut organ = SurfaceMesh::new(corners.to_vec(), vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])?;
/// organ.prepare(Needs::TREE | Needs::NORMALS);
/// let mut tracker = ShaftTracker::new(0.01);
/// for step in 0..10 {
///     let tip = Point::new(0.25, 0.25, -0.1 + 0.02 * f64::from(step));
///     let needle = Shaft::new(&[&[tip, Point::new(0.25, 0.25, -1.0)]])?;
///     tracker.update(&needle, &organ)?;
/// }
/// assert_eq!(tracker.crossings().len(), 1);
/// assert!((tracker.depth() - 0.08).abs() < 1e-12);
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Default)]
pub struct ShaftTracker {
    touch: f64,
    crossings: Vec<Crossing>,
    before: Vec<Before>,
    last: Vec<Crossing>,
    length: f64,
    matching: Matching,
    path: Path,
    events: Vec<Event>,
    candidate: Option<Candidate>,
    is_allowed: bool,
    drawn: u64,
}

impl ShaftTracker {
    /// Makes a tracker to which the tip touches a surface if it is no farther from it than `touch`, metres.
    pub fn new(touch: f64) -> Self {
        Self { touch, ..Self::default() }
    }

    /// Finds the path by looking at every tetrahedron near the shaft, some five times slower. A path that is followed from face
    /// to face may lack tetrahedra where others are turned inside out and it does not pass through these.
    #[must_use]
    pub fn with_turned_cells(mut self) -> Self {
        self.path.looks_at_all = true;
        self
    }

    /// Looks at the shaft and the tissue as they are now. Errors: a surface that is open, derived data that is not prepared;
    /// then nothing is changed.
    ///
    /// Cost: for each segment the triangles along it; for a tetrahedral mesh the cells crossed, and n log n of all cells after
    /// a change of topology. Nothing is allocated once the lists are as long as they get.
    pub fn update<'a>(&mut self, shaft: &Shaft, tissue: impl Into<Tissue<'a>>) -> Result<(), ProcedureError> {
        let tissue = tissue.into();
        let surface = surface_of(&tissue)?;
        std::mem::swap(&mut self.crossings, &mut self.last);
        self.crossings.clear();
        search::find(shaft, surface, &mut self.crossings);
        self.events.clear();
        self.find_ids(shaft, surface);
        if let Tissue::Tetra(mesh) = tissue {
            self.path.find(shaft, mesh, mesh.version().topology, &self.crossings);
        }
        self.find_candidate(shaft, surface);
        self.length = shaft.length();
        Ok(())
    }

    /// Returns the crossings, the nearest to the tip first: the channel of the needle and of the thread behind it, with its
    /// places on both sides.
    pub fn crossings(&self) -> &[Crossing] {
        &self.crossings
    }

    /// Returns a crossing.
    pub fn crossing(&self, id: CrossingId) -> Option<&Crossing> {
        self.crossings.iter().find(|crossing| crossing.id == id)
    }

    /// Returns the parts of the shaft in the cells of a tetrahedral mesh, the nearest to the tip first; none for a surface.
    pub fn path(&self) -> &[Stay] {
        &self.path.stays
    }

    /// Returns what changed in the last step: first of crossings, the nearest to the tip first, then of the tip.
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// Returns the surface near the tip, if the tip is outside and near it.
    pub fn candidate(&self) -> Option<&Candidate> {
        self.candidate.as_ref()
    }

    /// Whether the tip is inside, if the rear end is outside.
    pub fn tip_is_inside(&self) -> bool {
        self.crossings.first().is_some_and(|first| first.passing == Passing::In)
    }

    /// Returns how far the tip is in, along the shaft from the crossing nearest to it, metres; 0 if it is outside.
    pub fn depth(&self) -> f64 {
        if self.tip_is_inside() { self.crossings[0].place.arc } else { 0.0 }
    }

    /// Returns the tetrahedron that holds the tip, if any.
    pub fn tip_cell(&self) -> Option<u32> {
        self.path.stays.first().filter(|stay| stay.places[0].arc == 0.0).map(|stay| stay.cell)
    }

    /// The host lets the tip through the surface near it, until the tip has punctured it or left it:
    /// [`is_let_through`](Self::is_let_through) leaves out the contact that stops it.
    pub fn allow(&mut self) {
        self.is_allowed = self.candidate.is_some();
    }

    /// Whether the surface contact at a place of the shaft is left out: inside the tissue, within `distance` (metres, along the
    /// shaft) of a crossing, and of the tip if it is [allowed](Self::allow) through. All other contacts of the shaft with this
    /// tissue stay.
    pub fn is_let_through(&self, place: &ShaftPlace, distance: f64) -> bool {
        let arc = place.arc;
        let near = |at: f64| (arc - at).abs() <= distance;
        let behind = self.crossings.iter().find(|crossing| crossing.place.arc >= arc);
        let is_inside = match behind {
            Some(behind) => behind.passing == Passing::In,
            None => self.crossings.last().is_some_and(|last| last.passing == Passing::Out),
        };
        is_inside
            || self.crossings.iter().any(|crossing| near(crossing.place.arc))
            || self.is_allowed && near(0.0)
    }

    /// Forgets everything but the ids that were given.
    pub fn reset(&mut self) {
        self.crossings.clear();
        self.path.stays.clear();
        self.events.clear();
        (self.candidate, self.is_allowed, self.length) = (None, false, 0.0);
    }

    /// Gives every crossing the id that it had, or a new one, and lists the events.
    fn find_ids(&mut self, shaft: &Shaft, surface: &SurfaceMesh) {
        self.before.clear();
        let positions = surface.points().positions();
        self.before.extend(self.last.iter().map(|last| {
            let [a, b, c] = last.vertices.map(|id| positions.get(id as usize).copied().unwrap_or(last.point));
            let [u, v, w] = last.weights;
            let point = Point::from(a.coords * u + b.coords * v + c.coords * w);
            Before { passing: last.passing, point, arc: last.place.arc }
        }));
        self.matching.find(&self.before, &self.crossings, [self.length, shaft.length()]);
        let matched = &self.matching.matched;
        for (crossing, was) in self.crossings.iter_mut().zip(matched) {
            let Some(last) = was.map(|was| &self.last[was]) else {
                self.drawn += 1;
                let id = CrossingId(self.drawn);
                crossing.id = id;
                self.events.push(match crossing.passing {
                    Passing::In => Event::Punctured { id, allowed: self.is_allowed },
                    Passing::Out => Event::Exited { id },
                });
                continue;
            };
            let id = last.id;
            crossing.id = id;
            if last.triangle != crossing.triangle {
                self.events.push(Event::Slid { id, triangles: [last.triangle, crossing.triangle] });
            }
            let sections = [last.place.section, crossing.place.section];
            if sections[0] != sections[1] {
                self.events.push(Event::Passed { id, sections });
            }
        }
        let is_gone = |index: &usize| !matched.contains(&Some(*index));
        let gone =
            (0..self.last.len()).filter(is_gone).map(|index| Event::Withdrawn { id: self.last[index].id });
        self.events.extend(gone);
    }

    fn find_candidate(&mut self, shaft: &Shaft, surface: &SurfaceMesh) {
        let before = self.candidate.take();
        if !self.tip_is_inside() {
            self.candidate = self.near_tip(shaft, surface);
        }
        match (before, self.candidate) {
            (None, Some(candidate)) => self.events.push(Event::Touched(candidate)),
            (Some(_), None) if !self.tip_is_inside() => self.events.push(Event::Left),
            _ => {}
        }
        self.is_allowed &= self.candidate.is_some();
    }

    fn near_tip(&self, shaft: &Shaft, surface: &SurfaceMesh) -> Option<Candidate> {
        let tip = shaft.tip();
        let nearest = surface.nearest(&tip, (self.touch * self.touch).next_up())?;
        let triangle = surface.owner(nearest.feature);
        let inward = -surface.outward(SurfaceFeature::Face(triangle));
        Some(Candidate {
            feature: nearest.feature,
            triangle,
            point: nearest.point,
            distance: (nearest.point - tip).norm(),
            cosine: inward.dot(&shaft.forward()),
        })
    }
}

impl Candidate {
    /// Returns the element near the tip as a contact of the tip with the surface names it. The shaft and the tissue are those of
    /// the update that found it. Errors: a tissue that is not prepared.
    pub fn contact_feature(&self, shaft: &Shaft, tissue: Tissue<'_>) -> Result<Feature, ProcedureError> {
        let surface = surface_of(&tissue)?;
        Ok(surface.contact_feature(&surface.nearest_on(self.triangle, &shaft.tip()), self.point))
    }
}

/// Returns the surface that a shaft crosses.
pub(crate) fn surface_of<'a>(tissue: &Tissue<'a>) -> Result<&'a SurfaceMesh, ProcedureError> {
    let missing = |what, needs| ProcedureError::NotPrepared { what, needs };
    match *tissue {
        Tissue::Surface(surface) if !surface.is_closed() => Err(ProcedureError::Open),
        Tissue::Surface(surface) => match (surface.tree(), surface.normals()) {
            (None, _) => Err(missing("tree", "Needs::TREE")),
            (_, None) => Err(missing("normals", "Needs::NORMALS")),
            _ => Ok(surface),
        },
        Tissue::Tetra(mesh) if mesh.tree().is_none() => Err(missing("tree", "Needs::TREE")),
        Tissue::Tetra(mesh) => mesh.boundary().ok_or(missing("boundary", "Needs::BOUNDARY")),
    }
}
