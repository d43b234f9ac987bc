//! A sheet and another body in difficult relative positions.

use super::case::SheetCase;
use super::form::{Sheet, SheetForm, sheet};
use super::other::{Reach, other};
use super::place::{Place, border_place, inner_place, width};
use super::{OtherKind, SheetCell};
use crate::compound::Body;
use crate::laws::solids::{SolidKind, grid_box};
use crate::random::Random;
use crate::{Shape, meshes};
use nalgebra::{Translation3, UnitQuaternion};
use palpate_geometry::Pose;
use palpate_math::{Point, Vector};

/// Relative position of a sheet and another body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SheetStand {
    /// Overlapping at random; many pass the border.
    General,
    /// The body passes through the inside of the sheet, its tip behind and its handle in front.
    Through,
    /// The body passes the border closely, inside or outside.
    Grazed,
    /// The body's tip is at the sheet, and moves through it.
    Tip,
    /// Apart, within or beyond the margin.
    Apart,
    /// Closed meshes near each other; their judge puts them on each other's surface.
    Surfaces,
}

impl SheetStand {
    /// All relative positions.
    pub const ALL: [Self; 6] =
        [Self::General, Self::Through, Self::Grazed, Self::Tip, Self::Apart, Self::Surfaces];

    /// Whether a cell has this relative position.
    pub fn suits(self, cell: &SheetCell) -> bool {
        match cell {
            SheetCell::Closed(_) => self == Self::Surfaces,
            SheetCell::Slab(_) => matches!(self, Self::General | Self::Through | Self::Tip),
            SheetCell::Sheet(_) => self != Self::Surfaces,
        }
    }
}

/// The two near the origin, about one unit long.
struct Draft {
    sheet: Sheet,
    b: Body,
    margin: f64,
    way: Vector,
}

/// A case of a cell.
pub fn sheet_case(cell: &SheetCell, stand: SheetStand, number: usize) -> SheetCase {
    let mut random = Random::named(&format!("sheets {} {stand:?}", cell.name()), number as u64);
    let Draft { mut sheet, b, margin, way } = draft(cell, stand, number, &mut random);
    let exponent = random.between(-2.0, 1.0);
    let factor = 10.0_f64.powf(exponent);
    let away = random.pick(&[0.0, 1.0, 1.0, 20.0]);
    let motion = random.pose(1.0_f64.max(away));
    let place = |shape: &Shape| shape.moved(&motion).scaled(factor);
    if let Some(rectangle) = &mut sheet.rectangle {
        rectangle.place = (motion, factor);
    }
    SheetCase {
        cell: *cell,
        stand,
        number,
        form: sheet.form,
        a: Body::Whole(place(&sheet.shape)),
        b: b.map(place),
        margin: margin * factor,
        unit: factor,
        way: motion.rotation * way * factor,
        flat: sheet.flat,
        convex: sheet.convex,
        rectangle: sheet.rectangle,
    }
}

fn draft(cell: &SheetCell, stand: SheetStand, number: usize, random: &mut Random) -> Draft {
    if let SheetCell::Closed([a, b]) = cell {
        let [a, b] = [a, b].map(|kind| closed(*kind, random));
        let sheet = solid_as_sheet(a);
        return Draft { sheet, b: Body::Whole(b), margin: 0.0, way: Vector::zeros() };
    }
    let sheet = match cell {
        SheetCell::Slab(_) => solid_as_sheet(slab(random)),
        _ => sheet(SheetForm::of(number), random),
    };
    let margin = if random.one_in(4) { 0.05 } else { 0.0 };
    let b = other(cell.other(), random);
    let (b, way) = match stand {
        SheetStand::General => (general(&sheet.shape, &b, random), Vector::zeros()),
        SheetStand::Through => through(&sheet.shape, &b, random),
        SheetStand::Grazed => grazed(&sheet.shape, &b, random),
        SheetStand::Tip => tip(&sheet.shape, &b, random),
        SheetStand::Apart | SheetStand::Surfaces => return apart(sheet, &b, random),
    };
    Draft { sheet, b, margin, way }
}

fn solid_as_sheet(shape: Shape) -> Sheet {
    Sheet { form: SheetForm::Rectangle, shape, flat: true, convex: true, rectangle: None }
}

/// A closed flat box of fine triangles, between half a triangle and twenty triangles thick.
fn slab(random: &mut Random) -> Shape {
    let n = [5 + random.below(8) as u32, 5 + random.below(8) as u32];
    let wide = random.between(0.06, 0.2);
    let exponent = random.between(-1.0, 4.3);
    let thick = 2.0_f64.powf(exponent);
    let half = Vector::new(f64::from(n[0]), thick, f64::from(n[1])) * (0.5 * wide);
    let (vertices, cells) = grid_box(half, [n[0], (thick.round() as u32).max(1), n[1]]);
    Shape::SurfaceMesh { vertices, cells, radius: 0.0 }
}

/// A tetrahedron, a box or a bumpy ball, closed.
fn closed(kind: SolidKind, random: &mut Random) -> Shape {
    let half = Vector::from_fn(|_, _| random.between(0.2, 0.7));
    if kind == SolidKind::TetraMesh {
        if random.one_in(2) {
            let vertices = (0..4).map(|_| Point::from(random.vector())).collect();
            return Shape::TetraMesh { vertices, cells: vec![[0, 1, 2, 3]] };
        }
        let n = [0; 3].map(|_| 1 + random.below(2) as u32);
        let shake = random.pick(&[0.0, 0.1]);
        let (vertices, cells) = meshes::tetra_block(random, n, shake);
        return Shape::TetraMesh { vertices, cells };
    }
    let (vertices, cells) = match random.below(4) {
        0 => {
            let vertices: Vec<Point> = (0..4).map(|_| Point::from(random.vector())).collect();
            (vertices, vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])
        }
        1 => meshes::box_surface(Point::from(-half), Point::from(half)),
        2 => grid_box(half, [0; 3].map(|_| 1 + random.below(3) as u32)),
        _ => meshes::bumpy(random, 1, 0.2),
    };
    Shape::SurfaceMesh { vertices, cells, radius: 0.0 }
}

/// Scaled, and turned about the origin.
fn turned(b: &Body, factor: f64, turn: UnitQuaternion<f64>) -> Body {
    b.map(|shape| shape.scaled(factor).moved(&Pose::from_parts(Translation3::identity(), turn)))
}

/// A rotation after which the body's lower end points against a direction, or is tilted by up to sixty
/// degrees.
fn upright(normal: &Vector, random: &mut Random) -> UnitQuaternion<f64> {
    if random.one_in(4) {
        return random.rotation();
    }
    let lean = random.pick(&[0.0, 0.02, 0.5, 0.8]);
    let axis = (normal + random.direction() * lean).normalize();
    let across = axis.cross(&Vector::ith(axis.iamin(), 1.0)).normalize();
    let frame = nalgebra::Rotation3::from_basis_unchecked(&[across, axis, across.cross(&axis)]);
    let spin = UnitQuaternion::from_scaled_axis(Vector::y() * random.between(0.0, 6.2));
    UnitQuaternion::from_rotation_matrix(&frame) * spin
}

/// On a random side.
fn either(normal: Vector, random: &mut Random) -> Vector {
    if random.one_in(2) { normal } else { -normal }
}

fn general(sheet: &Shape, b: &Body, random: &mut Random) -> Body {
    let b = turned(b, random.between(0.2, 1.5), random.rotation());
    let border = random.one_in(2).then(|| border_place(sheet, random)).flatten();
    let place = border.unwrap_or_else(|| inner_place(sheet, random));
    let reach = Reach::new(&b);
    let direction = random.direction();
    let end = reach.farthest(&direction) * random.between(0.0, 1.0);
    b.map(|shape| shape.shifted(&(place.point.coords - end)))
}

/// The tip half a triangle to fifteen triangles behind the sheet; a way out, or sideways.
fn through(sheet: &Shape, b: &Body, random: &mut Random) -> (Body, Vector) {
    let place = inner_place(sheet, random);
    let normal = either(place.normal, random);
    let b = turned(b, random.between(0.3, 1.5), upright(&normal, random));
    let reach = Reach::new(&b);
    let exponent = random.between(-1.0, 3.9);
    let long = reach.along(&normal) + reach.along(&-normal);
    let behind = (width(sheet) * 2.0_f64.powf(exponent)).min(random.between(0.4, 0.8) * long);
    let end = reach.farthest(&-normal);
    // The axis passes through the place.
    let aside = if long > 0.0 { behind / long } else { 0.0 };
    let middle = end + (reach.farthest(&normal) - end) * aside;
    let shift = place.point.coords - middle;
    let shift = shift + normal * (-behind - (end + shift - place.point.coords).dot(&normal));
    let way = if random.one_in(2) {
        normal * (1.1 * behind)
    } else {
        let aside = random.direction();
        (aside - normal * aside.dot(&normal)) * random.between(0.01, 1.0)
    };
    (b.map(|shape| shape.shifted(&shift)), way)
}

/// Past the border by almost nothing, inside or outside; and a way across it.
fn grazed(sheet: &Shape, b: &Body, random: &mut Random) -> (Body, Vector) {
    let Place { point, normal, outward } = border_place(sheet, random).expect("a sheet has a border");
    let normal = either(normal, random);
    let b = turned(b, random.between(0.2, 1.2), upright(&normal, random));
    let reach = Reach::new(&b);
    let exponent = random.between(-12.0, -3.0);
    let far = 10.0_f64.powf(exponent) * random.pick(&[-1.0, 1.0]);
    // From outside the body's innermost point is at the border, from inside its outermost.
    let facing = if random.one_in(2) { -outward } else { outward };
    let end = reach.farthest(&facing);
    let shift = point.coords - end + outward * far;
    let exponent = random.between(-9.0, -1.0);
    let way = (outward + random.direction() * 0.5) * (10.0_f64.powf(exponent) * random.pick(&[-1.0, 1.0]));
    (b.map(|shape| shape.shifted(&shift)), way)
}

/// The tip at the sheet, and a way through it.
fn tip(sheet: &Shape, b: &Body, random: &mut Random) -> (Body, Vector) {
    let place = inner_place(sheet, random);
    let normal = either(place.normal, random);
    let b = turned(b, random.between(0.2, 1.2), upright(&normal, random));
    let end = Reach::new(&b).farthest(&-normal);
    let off = normal * (1e-6 * random.between(-1.0, 1.0));
    let exponent = random.between(-6.0, -0.5);
    let way = (random.direction() * 0.5 - normal) * 10.0_f64.powf(exponent);
    let back = way * random.between(0.0, 0.5);
    let shift = place.point.coords - end + off - back;
    (b.map(|shape| shape.shifted(&shift)), way)
}

fn apart(sheet: Sheet, b: &Body, random: &mut Random) -> Draft {
    let b = turned(b, random.between(0.2, 1.2), random.rotation());
    let direction = random.direction();
    let gap = random.between(0.01, 0.1);
    let far = Reach::new(&Body::Whole(sheet.shape.clone())).along(&direction);
    let far = far + Reach::new(&b).along(&-direction) + gap;
    let margin = gap * random.between(1.0, 10.0);
    let b = b.map(|shape| shape.shifted(&(direction * far)));
    Draft { sheet, b, margin, way: Vector::zeros() }
}

/// Whether a kind may be judged by its depth over a whole flat face.
pub(super) fn has_face_depth(kind: OtherKind) -> bool {
    !matches!(
        kind,
        OtherKind::PointSet
            | OtherKind::Sheet
            | OtherKind::Solid(SolidKind::Implicit)
            | OtherKind::Solid(SolidKind::Compound)
    )
}
