//! What two jaws hold of a tissue.
//!
//! Two contacts of opposed jaws hold a body by friction if the line between them lies in both friction cones (V.-D. Nguyen,
//! "Constructing force-closure grasps", International Journal of Robotics Research 7, 1988): such contacts are *opposed*.

use crate::ProcedureError;
use crate::crossing::Tissue;
use crate::divisible::measure;
use crate::path::Path;
use crate::shaft::Shaft;
use crate::tracker::surface_of;
use palpate_contact::{Contact, Side};
use palpate_geometry::SurfaceMesh;
use palpate_math::{Point, Vector};

/// Identifies a grasp of a tracker as long as it lasts; never used again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GraspId(pub u64);

/// What two jaws hold.
#[derive(Clone, Debug, PartialEq)]
pub struct Grasp {
    /// The same from step to step while the jaws hold.
    pub id: GraspId,
    /// For each jaw the triangles of the tissue's surface that it touches, ascending.
    pub triangles: [Vec<u32>; 2],
    /// Their areas, square metres.
    pub areas: [f64; 2],
    /// The tetrahedra between opposed contacts, ascending; none of a surface.
    pub cells: Vec<u32>,
    /// Opposed contacts: for each contact of the first jaw that has one, its best of the second, by index.
    pub pairs: Vec<[usize; 2]>,
    /// How far the best pair is from slipping: the cosine of the larger angle between the line of the two contacts and their
    /// normals, less that of the angle of friction. 0 on the edge of slipping, at most 1.
    pub closure: f64,
}

/// Follows what two jaws hold of one tissue.
#[derive(Debug, Default)]
pub struct GraspTracker {
    grasp: Option<Grasp>,
    path: Path,
    drawn: u64,
}

impl GraspTracker {
    /// Makes a tracker that has seen nothing.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the grasp of the last step.
    pub fn grasp(&self) -> Option<&Grasp> {
        self.grasp.as_ref()
    }

    /// Looks at the contacts of the two jaws (side A) with the tissue (side B), where `friction` is Coulomb's coefficient. A grasp
    /// begins with the first opposed contacts, and ends when there are none. Errors as
    /// [`ShaftTracker::update`](crate::ShaftTracker::update); then nothing is changed.
    ///
    /// Cost: the product of the numbers of contacts, a query of the tree for each, and the cells along the lines between opposed
    /// ones.
    pub fn update<'a>(
        &mut self,
        jaws: [&[Contact]; 2],
        friction: f64,
        tissue: impl Into<Tissue<'a>>,
    ) -> Result<Option<&Grasp>, ProcedureError> {
        let tissue = tissue.into();
        let surface = surface_of(&tissue)?;
        let (pairs, closure) = opposed(jaws, friction);
        if pairs.is_empty() {
            self.grasp = None;
            return Ok(None);
        }
        let id = match &self.grasp {
            Some(grasp) => grasp.id,
            None => {
                self.drawn += 1;
                GraspId(self.drawn)
            }
        };
        let triangles = jaws.map(|contacts| touched(surface, contacts));
        let areas = triangles
            .each_ref()
            .map(|triangles| triangles.iter().map(|&at| measure(&surface.corners(at))).sum());
        let mut cells = Vec::new();
        if let Tissue::Tetra(mesh) = tissue {
            for pair in &pairs {
                let ends = [0, 1].map(|jaw| place(&jaws[jaw][pair[jaw]]));
                self.path.look_at_all(&Shaft::new(&[&ends])?, mesh);
                cells.extend(self.path.stays.iter().map(|stay| stay.cell));
            }
            cells.sort_unstable();
            cells.dedup();
        }
        self.grasp = Some(Grasp { id, triangles, areas, cells, pairs, closure });
        Ok(self.grasp.as_ref())
    }
}

/// The place of a contact on the tissue.
fn place(contact: &Contact) -> Point {
    contact.feature(Side::B).surface_point()
}

/// Returns the opposed contacts of two jaws, and how far the best are from slipping.
fn opposed(jaws: [&[Contact]; 2], friction: f64) -> (Vec<[usize; 2]>, f64) {
    let least = 1.0 / friction.hypot(1.0);
    let (mut pairs, mut closure) = (Vec::new(), f64::NEG_INFINITY);
    for (first, contact) in jaws[0].iter().enumerate() {
        let margins = jaws[1].iter().map(|other| cosine(contact, other) - least);
        let best = margins.enumerate().max_by(|x, y| x.1.total_cmp(&y.1).then(y.0.cmp(&x.0)));
        if let Some((second, margin)) = best.filter(|(_, margin)| *margin >= 0.0) {
            pairs.push([first, second]);
            closure = closure.max(margin);
        }
    }
    (pairs, closure)
}

/// The cosine of the larger angle between the line of two contacts and the directions in which the jaws push.
fn cosine(contact: &Contact, other: &Contact) -> f64 {
    let line = (place(other) - place(contact)).try_normalize(0.0).unwrap_or_default();
    let push = |contact: &Contact| Vector::from(contact.direction_of(Side::B));
    push(contact).dot(&line).min(push(other).dot(&-line))
}

/// Returns the triangles of a surface at contacts, ascending.
fn touched(surface: &SurfaceMesh, contacts: &[Contact]) -> Vec<u32> {
    let nearest = |contact: &Contact| surface.nearest(&place(contact), f64::INFINITY);
    let triangle = |contact| nearest(contact).map(|nearest| surface.owner(nearest.feature));
    let mut triangles: Vec<u32> = contacts.iter().filter_map(triangle).collect();
    triangles.sort_unstable();
    triangles.dedup();
    triangles
}
