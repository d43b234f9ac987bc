//! Compounds, child by child: time per pair.

use crate::inputs::{Primitive, cloud_in_ball, organ, ring, thread, tissue};
use crate::sample::Sample;
use crate::workload::{BoundPair, Make};
use crate::{Case, Fallible, Workload};
use palpate::detect::Registry;
use palpate::geometry::{Compound, Geometry, LineMesh, Needs, PointSet, SurfaceMesh, TetraMesh};
use palpate::math::Point;
use std::sync::Arc;

/// Number of pairs in one pass.
const PAIRS: usize = 100;

/// Vertices or cells of a mesh, metres of its radius.
const CELLS: usize = 1_000;
const MESH: f64 = 0.03;

/// Distance of children and partners from the centre, in metres.
const SPREAD: f64 = 0.03;

/// An instrument of eight children that touches a partner of every kind.
pub fn compounds() -> Vec<Case> {
    let partners: [(&'static str, Make); 12] = [
        ("plane", |size| touching(Partner::Primitive(Primitive::Plane), size)),
        ("sphere", |size| touching(Partner::Primitive(Primitive::Sphere), size)),
        ("capsule", |size| touching(Partner::Primitive(Primitive::Capsule), size)),
        ("cylinder", |size| touching(Partner::Primitive(Primitive::Cylinder), size)),
        ("box", |size| touching(Partner::Primitive(Primitive::OrientedBox), size)),
        ("hull", |size| touching(Partner::Primitive(Primitive::Hull), size)),
        ("ring", |size| touching(Partner::Ring, size)),
        ("cloud of 1k", |size| touching(Partner::Cloud, size)),
        ("thread of 1k", |size| touching(Partner::Thread, size)),
        ("organ of 1k", |size| touching(Partner::Organ, size)),
        ("tissue of 1k", |size| touching(Partner::Tissue, size)),
        ("compound", |size| touching(Partner::Compound, size)),
    ];
    let case = |(input, make)| Case { name: "compound", input, size: PAIRS, item: "pair", make };
    partners.into_iter().map(case).collect()
}

/// The partner of a compound.
#[derive(Clone, Copy)]
enum Partner {
    Primitive(Primitive),
    Ring,
    Cloud,
    Thread,
    Organ,
    Tissue,
    Compound,
}

impl Partner {
    fn sample(self, sample: &mut Sample) -> Fallible<Box<dyn Geometry>> {
        let near = Point::from(sample.in_ball() * SPREAD);
        Ok(match self {
            Self::Primitive(kind) => kind.sample(sample, near, 0.0)?.palpate,
            Self::Ring => Box::new(ring(sample, near)?),
            Self::Cloud => Box::new(PointSet::new(cloud_in_ball(sample, near, MESH, CELLS))?),
            Self::Thread => Box::new(LineMesh::polyline(at(near, thread(sample, CELLS)))?),
            Self::Organ => {
                let (positions, triangles) = organ(CELLS);
                Box::new(SurfaceMesh::new(at(near, positions), triangles)?)
            }
            Self::Tissue => {
                let (positions, cells) = tissue(CELLS);
                Box::new(TetraMesh::new(at(near, positions), cells)?)
            }
            Self::Compound => Box::new(instrument(sample)?),
        })
    }
}

/// The points scaled to the mesh size used here and moved to a position.
fn at(place: Point, positions: Vec<Point>) -> Vec<Point> {
    let reach = positions.iter().fold(0.0_f64, |most, position| most.max(position.coords.norm()));
    positions.into_iter().map(|position| place + position.coords * (MESH / reach)).collect()
}

/// Two of each of four primitives.
fn instrument(sample: &mut Sample) -> Fallible<Compound> {
    use Primitive::{Capsule, Cylinder, OrientedBox, Sphere};
    let mut children = Vec::new();
    for kind in [Sphere, Capsule, Cylinder, OrientedBox].repeat(2) {
        children.push(kind.sample(sample, Point::origin(), SPREAD)?.palpate);
    }
    Ok(Compound::new(children))
}

fn touching(partner: Partner, size: usize) -> Fallible<Workload> {
    let registry = Registry::standard();
    let mut sample = Sample::new(31);
    Workload::of_touching(size, || {
        let (a, mut b) = (instrument(&mut sample)?, partner.sample(&mut sample)?);
        b.prepare(Needs::TREE | Needs::NORMALS | Needs::BOUNDARY);
        Ok(BoundPair::new(&registry, None, Arc::new(a), Arc::from(b))?)
    })
}
