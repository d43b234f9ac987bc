//! What a shaft has in common with a tissue, as C sees it.

use crate::types::{PALPATE_NONE, palpate_feature};
use palpate::procedure::{Crossing, Event, Passing, ShaftPlace, Stay};

/// A place on a shaft.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct palpate_shaft_place {
    /// The section: 0 for the needle, 1 for the thread that follows it.
    pub section: u32,
    /// The segment within the section, from its front.
    pub segment: u32,
    /// The weight of the segment's rear end.
    pub weight: f64,
    /// The arc length from the tip, over all sections, metres.
    pub arc: f64,
}

/// Toward the tip the shaft passes into the tissue.
pub const PALPATE_PASSING_IN: u32 = 0;
/// Toward the tip the shaft passes out of the tissue.
pub const PALPATE_PASSING_OUT: u32 = 1;

/// A place where a shaft passes through the surface of a tissue.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct palpate_shaft_crossing {
    /// The same from step to step, while the crossing slides along the shaft and over triangles, and through cuts; never 0.
    pub id: u64,
    /// `PALPATE_PASSING_…`.
    pub passing: u32,
    /// The triangle of the surface, or of the boundary of a tetrahedral mesh.
    pub triangle: u32,
    /// Its vertices.
    pub vertices: [u32; 3],
    /// 0.
    pub reserved: u32,
    /// Barycentric weights of the vertices.
    pub weights: [f64; 3],
    /// The place on the shaft.
    pub place: palpate_shaft_place,
    /// World frame, metres.
    pub point: [f64; 3],
    /// The cosine of the angle between the shaft and the normal of the triangle: 1 where the shaft is perpendicular to the
    /// surface.
    pub cosine: f64,
}

/// A part of a shaft in one tetrahedron.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct palpate_shaft_stay {
    /// The tetrahedron.
    pub cell: u32,
    /// 0.
    pub reserved: u32,
    /// Where the part begins on the shaft: its end nearer to the tip.
    pub first: palpate_shaft_place,
    /// Where it ends.
    pub last: palpate_shaft_place,
    /// Barycentric weights of the cell's vertices at both.
    pub weights: [[f64; 4]; 2],
}

/// The tip has come near the surface, which it may puncture.
pub const PALPATE_SHAFT_TOUCHED: u32 = 0;
/// The tip is not near the surface any more, and has not punctured it.
pub const PALPATE_SHAFT_LEFT: u32 = 1;
/// The shaft has entered the tissue: a new crossing.
pub const PALPATE_SHAFT_PUNCTURED: u32 = 2;
/// The shaft has come out of the tissue: a new crossing.
pub const PALPATE_SHAFT_EXITED: u32 = 3;
/// The shaft was pulled out of a crossing, or has left it over its end.
pub const PALPATE_SHAFT_WITHDRAWN: u32 = 4;
/// The crossing lies in another triangle.
pub const PALPATE_SHAFT_SLID: u32 = 5;
/// The crossing lies on another section: the thread has followed the needle.
pub const PALPATE_SHAFT_PASSED: u32 = 6;

/// A change from one step of a shaft to the next.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct palpate_shaft_event {
    /// The crossing, or 0 for an event of the tip.
    pub id: u64,
    /// `PALPATE_SHAFT_…`.
    pub kind: u32,
    /// Of a puncture 1 if the host had allowed it, else 0.
    pub is_allowed: u32,
    /// The triangles (slid) or the sections (passed) before and now; else `PALPATE_NONE`.
    pub changed: [u32; 2],
}

/// The tip of a shaft, and the surface that it may puncture.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct palpate_shaft_tip {
    /// How far the tip is in, along the shaft from the crossing nearest to it, metres; 0 if it is outside.
    pub depth: f64,
    /// The length of the shaft, metres.
    pub length: f64,
    /// 1 if the tip is inside, given that the rear end is outside.
    pub is_inside: u32,
    /// The tetrahedron that holds the tip, or `PALPATE_NONE`.
    pub cell: u32,
    /// 1 if the tip is outside and near the surface: the host decides whether it punctures it.
    pub is_near: u32,
    /// 0.
    pub reserved: u32,
    /// The distance of the tip from the surface that it is near, metres; else infinite.
    pub distance: f64,
    /// The cosine of the angle between the shaft's direction and the inward normal there: 1 where the tip points straight in,
    /// less than 0 where it points away.
    pub cosine: f64,
    /// The element of the surface nearest to the tip, and the point. The surface contact of the tip has the same element.
    pub feature: palpate_feature,
}

impl palpate_shaft_place {
    pub(super) fn of(place: &ShaftPlace) -> Self {
        let ShaftPlace { section, segment, weight, arc } = *place;
        Self { section, segment, weight, arc }
    }
}

impl palpate_shaft_crossing {
    pub(super) fn of(crossing: &Crossing) -> Self {
        Self {
            id: crossing.id.0,
            passing: match crossing.passing {
                Passing::In => PALPATE_PASSING_IN,
                Passing::Out => PALPATE_PASSING_OUT,
            },
            triangle: crossing.triangle,
            vertices: crossing.vertices,
            reserved: 0,
            weights: crossing.weights,
            place: palpate_shaft_place::of(&crossing.place),
            point: crossing.point.into(),
            cosine: crossing.cosine,
        }
    }
}

impl palpate_shaft_stay {
    pub(super) fn of(stay: &Stay) -> Self {
        let [first, last] = stay.places.each_ref().map(palpate_shaft_place::of);
        Self { cell: stay.cell, reserved: 0, first, last, weights: stay.weights }
    }
}

impl palpate_shaft_event {
    /// `None` for an event that this version of C does not know.
    pub(super) fn of(event: &Event) -> Option<Self> {
        let plain = Self { id: 0, kind: 0, is_allowed: 0, changed: [PALPATE_NONE; 2] };
        Some(match *event {
            Event::Touched(_) => Self { kind: PALPATE_SHAFT_TOUCHED, ..plain },
            Event::Left => Self { kind: PALPATE_SHAFT_LEFT, ..plain },
            Event::Punctured { id, allowed } => {
                Self { id: id.0, kind: PALPATE_SHAFT_PUNCTURED, is_allowed: u32::from(allowed), ..plain }
            }
            Event::Exited { id } => Self { id: id.0, kind: PALPATE_SHAFT_EXITED, ..plain },
            Event::Withdrawn { id } => Self { id: id.0, kind: PALPATE_SHAFT_WITHDRAWN, ..plain },
            Event::Slid { id, triangles } => {
                Self { id: id.0, kind: PALPATE_SHAFT_SLID, changed: triangles, ..plain }
            }
            Event::Passed { id, sections } => {
                Self { id: id.0, kind: PALPATE_SHAFT_PASSED, changed: sections, ..plain }
            }
            _ => return None,
        })
    }
}
