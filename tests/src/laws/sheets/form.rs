//! Sheets of about unit size around the origin.

use super::grid::{Division, grid};
use crate::Shape;
use crate::meshes::Triangles;
use crate::random::Random;
use palpate_geometry::Pose;
use palpate_math::{Point, Vector};

/// Height of the noise of a sheet that is flat but for noise.
pub(super) const NOISE: f64 = 1e-9;

/// The form of a sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SheetForm {
    /// A flat rectangle.
    Rectangle,
    /// The same with noise off its plane.
    Noisy,
    /// A narrow rectangle.
    Strip,
    /// A flat plate with a hole.
    Holed,
    /// A flat plate without one corner.
    Ell,
    /// A plate folded along one or two lines.
    Flap,
    /// A part of a cylinder, a dome or a saddle.
    Curved,
    /// One to four triangles around a vertex.
    Fan,
}

impl SheetForm {
    /// All forms, the rectangle more often.
    const OFTEN: [Self; 9] = [
        Self::Rectangle,
        Self::Flap,
        Self::Noisy,
        Self::Curved,
        Self::Rectangle,
        Self::Holed,
        Self::Strip,
        Self::Fan,
        Self::Ell,
    ];

    /// The form of a case.
    pub(super) fn of(number: usize) -> Self {
        Self::OFTEN[number % Self::OFTEN.len()]
    }
}

/// A flat rectangle, which can be divided again.
#[derive(Clone, Debug)]
pub struct Rectangle {
    /// Half extents along local x and z.
    pub half: [f64; 2],
    /// Thickness.
    pub radius: f64,
    /// Its place, and then its scale.
    pub place: (Pose, f64),
}

impl Rectangle {
    /// The sheet divided in this way, at its place.
    pub(super) fn divided(&self, division: Division, noise: f64, random: &mut Random) -> Shape {
        let (mut vertices, cells) = division.triangles(self.half, random);
        vertices.iter_mut().for_each(|vertex| vertex.y += noise * random.between(-1.0, 1.0));
        let (pose, factor) = &self.place;
        Shape::SurfaceMesh { vertices, cells, radius: self.radius }.moved(pose).scaled(*factor)
    }
}

/// A sheet with what is known of it.
#[derive(Clone, Debug)]
pub(super) struct Sheet {
    /// The form.
    pub form: SheetForm,
    /// The mesh.
    pub shape: Shape,
    /// Whether it is flat, except for noise.
    pub flat: bool,
    /// Whether it is flat and its outline is convex.
    pub convex: bool,
    /// The rectangle that it divides.
    pub rectangle: Option<Rectangle>,
}

/// A sheet of this form.
pub(super) fn sheet(form: SheetForm, random: &mut Random) -> Sheet {
    let radius = if random.one_in(4) { random.between(0.01, 0.05) } else { 0.0 };
    let mut half = || random.between(0.4, 1.0);
    let half = match form {
        SheetForm::Strip => [half(), 0.05 * half()],
        _ => [half(), half()],
    };
    let (mut vertices, cells) = match form {
        SheetForm::Holed | SheetForm::Ell => cut(form, half, random),
        SheetForm::Flap => flap(half, random),
        SheetForm::Curved => curved(half, random),
        SheetForm::Fan => fan(random),
        _ => Division::any(random).triangles(half, random),
    };
    if form == SheetForm::Noisy {
        vertices.iter_mut().for_each(|vertex| vertex.y += NOISE * random.between(-1.0, 1.0));
    }
    let one = form == SheetForm::Fan && cells.len() == 1;
    let whole = matches!(form, SheetForm::Rectangle | SheetForm::Noisy | SheetForm::Strip);
    let convex = whole || one;
    let flat = convex || matches!(form, SheetForm::Holed | SheetForm::Ell);
    let rectangle = whole.then(|| Rectangle { half, radius, place: (Pose::identity(), 1.0) });
    Sheet { form, shape: Shape::SurfaceMesh { vertices, cells, radius }, flat, convex, rectangle }
}

/// A grid without a block of its cells, in the middle or at a corner.
fn cut(form: SheetForm, half: [f64; 2], random: &mut Random) -> Triangles {
    let n = [3 + random.below(8) as u32, 3 + random.below(8) as u32];
    let mut block = [[0, 0], [0, 0]];
    for axis in 0..2 {
        let first = if form == SheetForm::Holed { 1 + random.below(n[axis] as usize - 2) as u32 } else { 0 };
        let room = if form == SheetForm::Holed { n[axis] - 1 - first } else { n[axis] - 1 };
        block[axis] = [first, first + 1 + random.below(room as usize) as u32];
    }
    let (vertices, cells) = grid(half, n, |_, _| random.one_in(2));
    let is_cut = |cell: usize| {
        let place = [cell as u32 / n[1], cell as u32 % n[1]];
        (0..2).all(|axis| place[axis] >= block[axis][0] && place[axis] < block[axis][1])
    };
    let kept = cells.into_iter().enumerate().filter(|(index, _)| !is_cut(index / 2));
    used(vertices, kept.map(|(_, ids)| ids).collect())
}

/// Without the vertices that no triangle has.
fn used(vertices: Vec<Point>, cells: Vec<[u32; 3]>) -> Triangles {
    let mut ids = vec![u32::MAX; vertices.len()];
    let mut kept = Vec::new();
    for id in cells.iter().flatten() {
        if ids[*id as usize] == u32::MAX {
            ids[*id as usize] = kept.len() as u32;
            kept.push(vertices[*id as usize]);
        }
    }
    (kept, cells.iter().map(|cell| cell.map(|id| ids[id as usize])).collect())
}

/// A grid folded along one or two of its lines.
fn flap(half: [f64; 2], random: &mut Random) -> Triangles {
    let n = [1 + random.below(8) as u32, 2 + random.below(8) as u32];
    let (mut vertices, cells) = grid(half, n, |_, _| random.one_in(2));
    let mut lines = vec![1 + random.below(n[1] as usize - 1) as u32];
    if random.one_in(3) && n[1] > lines[0] + 1 {
        lines.insert(0, lines[0] + 1);
    }
    // The outer line first, so that the inner one is still where it was.
    for line in lines {
        let (place, angle) = (vertices[line as usize], random.between(10.0, 120.0_f64).to_radians());
        let beyond = |index: usize| index as u32 % (n[1] + 1) > line;
        for (_, vertex) in vertices.iter_mut().enumerate().filter(|(index, _)| beyond(*index)) {
            let (z, y) = (vertex.z - place.z, vertex.y);
            vertex.z = place.z + z * angle.cos() - y * angle.sin();
            vertex.y = z * angle.sin() + y * angle.cos();
        }
    }
    (vertices, cells)
}

/// A bent grid of fine triangles.
fn curved(half: [f64; 2], random: &mut Random) -> Triangles {
    let n = [6 + random.below(7) as u32, 6 + random.below(7) as u32];
    let (mut vertices, cells) = grid(half, n, |_, _| random.one_in(2));
    let bend = random.between(0.1, 0.9);
    let kind = random.below(3);
    for vertex in &mut vertices {
        let (x, z) = (vertex.x, vertex.z);
        vertex.y = match kind {
            0 => -bend * x * x,
            1 => -bend * (x * x + z * z),
            _ => bend * (x * x - z * z),
        };
    }
    (vertices, cells)
}

/// One to four triangles between random vertices.
fn fan(random: &mut Random) -> Triangles {
    let count = 1 + random.below(4) as u32;
    loop {
        let vertices: Vec<Point> = (0..count + 2).map(|_| Point::from(random.vector())).collect();
        let cells: Vec<[u32; 3]> = (1..=count).map(|k| [0, k, k + 1]).collect();
        let area = |ids: &[u32; 3]| {
            let [a, b, c] = ids.map(|id| vertices[id as usize]);
            Vector::cross(&(b - a), &(c - a)).norm()
        };
        if cells.iter().all(|ids| area(ids) > 0.05) {
            return (vertices, cells);
        }
    }
}
