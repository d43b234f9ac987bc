//! Pairs of solids in difficult relative positions.

use super::case::SolidCase;
use super::form::{Form, solid};
use super::overlap::surely_overlap;
use super::solid::Solid;
use super::{Cell, SolidKind, cell_name};
use crate::compound::Body;
use crate::random::Random;
use crate::{Shape, meshes};
use nalgebra::{Translation3, UnitQuaternion};
use palpate_geometry::{Pose, Sidedness};
use palpate_math::{Point, Vector};

/// Relative position of two solids.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stand {
    /// Overlapping in general position.
    General,
    /// One inside the other, or protruding slightly.
    Inside,
    /// Plates, rods and needles, crossed.
    Slender,
    /// Axis-aligned boxes that overlap slightly, or by almost nothing.
    Aligned,
    /// Lattice boxes that touch by faces, edges or corners.
    Touching,
    /// At least one in several parts.
    Parts,
    /// One inside the other, moving out in steps.
    Leaving,
    /// Apart, within or beyond the margin.
    Apart,
    /// An open surface without thickness, wholly inside a solid.
    Sheet,
}

impl Stand {
    /// All relative positions.
    pub const ALL: [Self; 9] = [
        Self::General,
        Self::Inside,
        Self::Slender,
        Self::Aligned,
        Self::Touching,
        Self::Parts,
        Self::Leaving,
        Self::Apart,
        Self::Sheet,
    ];

    /// Whether two kinds support this relative position.
    pub fn suits(self, cell: &Cell) -> bool {
        use SolidKind::{Compound, Implicit, SurfaceMesh, TetraMesh};
        match self {
            Self::Parts => {
                cell.iter().any(|kind| [SurfaceMesh, TetraMesh, Implicit, Compound].contains(kind))
            }
            Self::Sheet => cell.contains(&SurfaceMesh),
            _ => true,
        }
    }

    /// Whether the two share a point, except in a few unlucky cases.
    pub fn is_overlap(self) -> bool {
        self != Self::Apart
    }
}

/// Overlap by which two bodies certainly share a point, for bodies of about unit size.
const SHARED: f64 = 1e-6;

/// Attempts to make a pair that overlaps.
const TRIES: usize = 8;

/// A case of a cell; `None` if no pair could be made.
pub fn solid_case(cell: &Cell, stand: Stand, number: usize) -> Option<SolidCase> {
    let mut random = Random::named(&format!("solids {} {stand:?}", cell_name(cell)), number as u64);
    let draft = (0..TRIES).find_map(|_| draft(cell, stand, &mut random))?;
    let Draft { a, b, margin, way, shared } = draft;
    // At a random position and scale; lattice shapes stay on a lattice.
    let exact = stand == Stand::Touching;
    let factor = if exact {
        2.0_f64.powi(random.below(8) as i32 - 5)
    } else {
        let exponent = random.between(-2.0, 1.0);
        10.0_f64.powf(exponent)
    };
    let away = random.pick(&[0.0, 1.0, 1.0, 20.0]);
    let motion = if exact {
        Pose::from_parts(Translation3::from(random.lattice_point(4, 1.0).coords), random.exact_rotation())
    } else {
        random.pose(1.0_f64.max(away))
    };
    let place = |body: &Body| body.map(|shape| shape.moved(&motion).scaled(factor));
    let (a, b) = (place(&a), place(&b));
    let way = motion.rotation * way * factor;
    let sidedness = [Sidedness::Pseudonormals; 2];
    Some(SolidCase { cell: *cell, stand, number, a, b, margin: margin * factor, way, shared, sidedness })
}

/// The two near the origin, about one unit long.
struct Draft {
    a: Body,
    b: Body,
    margin: f64,
    way: Vector,
    shared: Vec<[u32; 2]>,
}

fn draft(cell: &Cell, stand: Stand, random: &mut Random) -> Option<Draft> {
    let pair = match stand {
        Stand::General => anyhow(cell, [Form::Chunky; 2].map(|form| odd(form, random)), random),
        Stand::Slender => {
            let forms = [Form::Plate, Form::Rod, Form::Needle];
            crossed(cell, [random.pick(&forms), random.pick(&forms)], random)
        }
        Stand::Parts => {
            let other = random.pick(&[Form::Chunky, Form::Plate, Form::Parts]);
            let forms = if random.one_in(2) { [Form::Parts, other] } else { [other, Form::Parts] };
            anyhow(cell, forms, random)
        }
        Stand::Inside => inside(cell, 1.4, random)?,
        Stand::Leaving => inside(cell, 0.9, random)?,
        Stand::Aligned => aligned(cell, random),
        Stand::Touching => touching(cell, random),
        Stand::Apart => return Some(apart(cell, random)),
        Stand::Sheet => sheet_inside(cell, random)?,
    };
    let [a, b] = pair;
    let shared = match stand {
        // The first parts are placed to touch.
        Stand::Touching => vec![[a.number(0), b.number(0)]],
        Stand::Sheet => part_numbers(&a, &b, |x, y| holds(x, y) || holds(y, x)),
        _ => part_numbers(&a, &b, |x, y| surely_overlap(x, y, SHARED)),
    };
    let way = if stand == Stand::Leaving {
        let (out, reach) = (random.direction(), |body: &Body| body_reach(body));
        out * (1.1 * (reach(&a) + reach(&b)))
    } else {
        Vector::zeros()
    };
    let margin = if random.one_in(4) { 0.05 } else { 0.0 };
    (!shared.is_empty()).then_some(Draft { a, b, margin, way, shared })
}

/// Occasionally another form than the plain one.
fn odd(form: Form, random: &mut Random) -> Form {
    if random.one_in(3) { random.pick(&[Form::Shell, Form::Plate, Form::Rod, Form::Parts]) } else { form }
}

/// The numbers of the part pairs that satisfy a predicate.
fn part_numbers(a: &Body, b: &Body, is_so: impl Fn(&Solid, &Solid) -> bool) -> Vec<[u32; 2]> {
    let mut numbers = Vec::new();
    for (i, x) in a.parts().iter().enumerate() {
        for (j, y) in b.parts().iter().enumerate() {
            if is_so(&Solid::new(x), &Solid::new(y)) {
                numbers.push([a.number(i), b.number(j)]);
            }
        }
    }
    numbers
}

/// Whether a corner of a sheet is inside a solid.
fn holds(solid: &Solid, sheet: &Solid) -> bool {
    let is_sheet =
        matches!(&sheet.shape, Shape::SurfaceMesh { cells, .. } if !crate::oracle::is_closed(cells));
    is_sheet && sheet.shape.vertices().iter().any(|corner| solid.signed(corner) < -SHARED)
}

fn body_reach(body: &Body) -> f64 {
    body.parts().iter().map(|part| part.reach_from(&Point::origin())).fold(0.0, f64::max)
}

/// A solid, or a compound of two or three.
pub(crate) fn body(kind: SolidKind, form: Form, random: &mut Random) -> Body {
    if kind != SolidKind::Compound {
        return Body::Whole(solid(kind, form, random));
    }
    let kinds = &SolidKind::ALL[..8];
    let mut child = || {
        let shape = solid(random.pick(kinds), form, random).scaled(0.6);
        let turn = if form == Form::Block { UnitQuaternion::identity() } else { random.rotation() };
        let scale = if form == Form::Block { 0.5 / 0.6 } else { 1.0 };
        let place = if form == Form::Block { Vector::zeros() } else { random.vector() * 0.4 };
        shape.scaled(scale).moved(&Pose::from_parts(Translation3::from(place), turn))
    };
    let children = vec![child(), child()];
    Body::Children(children)
}

fn turned(body: &Body, random: &mut Random) -> Body {
    let turn = Pose::from_parts(Translation3::identity(), random.rotation());
    body.map(|shape| shape.moved(&turn))
}

fn shifted(body: &Body, by: &Vector) -> Body {
    body.map(|shape| shape.shifted(by))
}

/// The support function of a body along a direction.
fn reach_along(body: &Body, direction: &Vector) -> f64 {
    let reach =
        |part: &Shape| Solid::new(part).reach(direction).unwrap_or_else(|| part.reach_from(&Point::origin()));
    body.parts().iter().map(reach).fold(f64::NEG_INFINITY, f64::max)
}

/// B displaced along a random direction, no farther than where it still reaches A.
fn anyhow(cell: &Cell, forms: [Form; 2], random: &mut Random) -> [Body; 2] {
    let a = body(cell[0], forms[0], random);
    let ratio = random.between(0.3, 1.5);
    let b = body(cell[1], forms[1], random).map(|shape| shape.scaled(ratio));
    let (a, b) = (turned(&a, random), turned(&b, random));
    let direction = random.direction();
    let far = reach_along(&a, &direction) + reach_along(&b, &-direction);
    let b = shifted(&b, &(direction * (far * random.between(0.0, 1.0))));
    [a, b]
}

/// Thin bodies through each other: nearly at right angles, or in general position.
fn crossed(cell: &Cell, forms: [Form; 2], random: &mut Random) -> [Body; 2] {
    let [a, b] = [0, 1].map(|side| body(cell[side], forms[side], random));
    let turn = if random.one_in(2) {
        let tilt = UnitQuaternion::from_scaled_axis(random.vector() * random.pick(&[0.0, 1e-3, 0.1]));
        tilt * random.exact_rotation()
    } else {
        random.rotation()
    };
    let b = b.map(|shape| shape.moved(&Pose::from_parts(Translation3::identity(), turn)));
    let shift = random.vector() * random.pick(&[0.02, 0.1, 0.4]);
    [a, shifted(&b, &shift)]
}

/// One scaled down at a point inside the other, to `part` of the room there.
fn inside(cell: &Cell, part: f64, random: &mut Random) -> Option<[Body; 2]> {
    let large_is_a = random.one_in(2);
    let (large, small) = if large_is_a { (cell[0], cell[1]) } else { (cell[1], cell[0]) };
    let form = random.pick(&[Form::Chunky, Form::Chunky, Form::Shell, Form::Plate]);
    let large = turned(&body(large, form, random), random);
    let form = random.pick(&[Form::Chunky, Form::Plate, Form::Rod, Form::Needle, Form::Parts]);
    let small = turned(&body(small, form, random), random);
    let (place, room) = roomy_place(&large, random)?;
    let factor = part * room * random.between(0.3, 1.0) / body_reach(&small);
    let small = small.map(|shape| shape.scaled(factor).shifted(&place.coords));
    Some(if large_is_a { [large, small] } else { [small, large] })
}

/// A point inside a body, one of the deeper of some.
fn roomy_place(body: &Body, random: &mut Random) -> Option<(Point, f64)> {
    let solids: Vec<Solid> = body.parts().iter().map(Solid::new).collect();
    let places: Vec<Point> = solids.iter().flat_map(Solid::places).collect();
    let reach = body_reach(body);
    let mut best: Option<(Point, f64)> = None;
    for _ in 0..30 {
        let place =
            if random.one_in(3) { random.pick(&places) } else { Point::from(random.vector() * reach) };
        let room = solids.iter().map(|solid| -solid.signed(&place)).fold(f64::NEG_INFINITY, f64::max);
        if room > 0.01 && best.is_none_or(|best| room > best.1) {
            best = Some((place, room));
            if random.one_in(3) {
                break;
            }
        }
    }
    best
}

/// Axis-aligned, face over face.
fn aligned(cell: &Cell, random: &mut Random) -> [Body; 2] {
    let forms = [Form::Block, Form::Plate, Form::Rod, Form::Chunky];
    let [a, b] = [0, 1].map(|side| body(cell[side], random.pick(&forms), random));
    let axis = random.below(3);
    let up = Vector::ith(axis, 1.0);
    let exponent = random.between(-4.0, -0.7);
    let far = reach_along(&a, &up) + reach_along(&b, &-up) - 10.0_f64.powf(exponent);
    let mut aside = random.vector() * 0.3;
    aside[axis] = far;
    [a, shifted(&b, &aside)]
}

/// On a lattice, so that they touch to the bit: the lowest point of one at the highest of the other.
fn touching(cell: &Cell, random: &mut Random) -> [Body; 2] {
    let [a, b] = [0, 1].map(|side| body(cell[side], Form::Block, random));
    let round = [&a, &b].iter().any(|body| body.parts().iter().any(is_round));
    let along = |body: &Body, axis: usize| {
        reach_along(&Body::Whole(body.parts()[0].clone()), &Vector::ith(axis, 1.0))
    };
    // Round bodies touch at their highest point, which is above the centre.
    let axis = if round { 1 } else { random.below(3) };
    let mut shift = Vector::from_fn(|k, _| {
        if round { 0.0 } else { (along(&a, k) + along(&b, k)) * random.pick(&[-1.0, -0.5, 0.0, 0.5, 1.0]) }
    });
    shift[axis] = along(&a, axis) + along(&b, axis);
    [a, shifted(&b, &shift)]
}

fn is_round(shape: &Shape) -> bool {
    matches!(shape, Shape::Sphere { .. } | Shape::Capsule { .. } | Shape::Cylinder { .. })
}

fn apart(cell: &Cell, random: &mut Random) -> Draft {
    let forms = [Form::Chunky, Form::Plate, Form::Rod, Form::Parts];
    let [a, b] = [0, 1].map(|side| turned(&body(cell[side], random.pick(&forms), random), random));
    let direction = random.direction();
    let gap = random.between(0.01, 0.1);
    let far = reach_along(&a, &direction) + reach_along(&b, &-direction) + gap;
    let b = shifted(&b, &(direction * far));
    let margin = gap * random.between(1.0, 10.0);
    Draft { a, b, margin, way: Vector::zeros(), shared: Vec::new() }
}

/// An open sheet in place of the surface.
fn sheet_inside(cell: &Cell, random: &mut Random) -> Option<[Body; 2]> {
    let other = if cell[0] == SolidKind::SurfaceMesh { 1 } else { 0 };
    let form = random.pick(&[Form::Chunky, Form::Chunky, Form::Shell, Form::Plate]);
    let large = turned(&body(cell[other], form, random), random);
    let (place, room) = roomy_place(&large, random)?;
    let n = 1 + random.below(3) as u32;
    let (vertices, cells) = if random.one_in(3) {
        ((0..3).map(|_| Point::from(random.vector())).collect(), vec![[0, 1, 2]])
    } else {
        meshes::sheet(random, n)
    };
    let sheet = Shape::SurfaceMesh { vertices, cells, radius: 0.0 };
    let factor = room * random.between(0.2, 0.9) / sheet.reach_from(&Point::origin());
    let sheet = Body::Whole(sheet.scaled(factor).shifted(&place.coords));
    Some(if other == 0 { [large, sheet] } else { [sheet, large] })
}
