//! A moving surface against a moving convex body.

use super::element_impacts::{ElementImpacts, Elements, swept_bounds};
use super::moving_element::{Part, Place};
use crate::ccd::moving::{AnySurface, MovingSurface, SurfaceView};
use crate::pairs::NoSettings;
use crate::{About, AnyConvex, Context, ConvexBody, PairDetector, Status};
use palpate_contact::{CollisionData, Feature, IdPart};
use palpate_geometry::Needs;
use palpate_math::continuous::MovingPoint;
use palpate_math::{Point, Vector};

/// First contacts of the triangles of a moving surface, with its thickness, or of the boundary of a tetrahedral mesh, with a
/// moving convex body, which turns as [`RigidMotion`](palpate_geometry::RigidMotion) says. A vertex or an edge that several
/// triangles share has one contact, and none if the body meets a triangle at it, or an edge at the vertex, no later. A body that leaves the
/// inside of a solid has none; one that is outside within the margin has, wherever it moves.
#[derive(Default)]
pub struct SurfaceMeshConvexCcd {
    impacts: ElementImpacts,
}

/// Triangles at a vertex that are looked at; of a vertex with more it is not known whether a body leaves there.
const FAN: usize = 256;

impl MovingSurface<'_> {
    /// Whether `says` holds of all triangles at a vertex of `triangle`, going round by its edges. `false` if they do not
    /// close.
    fn all_at_vertex(&self, triangle: u32, vertex: u32, says: impl Fn(u32) -> bool) -> bool {
        let edges = &self.mesh.adjacency().triangle_edges;
        let at_vertex = |triangle: u32, not: Option<u32>| {
            let of_triangle = edges[triangle as usize].into_iter();
            of_triangle.filter(|&edge| Some(edge) != not).find(|&edge| self.edge(edge).contains(&vertex))
        };
        let (mut current, mut through) = (triangle, None);
        for _ in 0..FAN {
            if !says(current) {
                return false;
            }
            let Some(edge) = at_vertex(current, through) else { return false };
            let Some(next) = self.triangles_of(edge).find(|&other| other != current) else { return false };
            if next == triangle {
                return true;
            }
            (current, through) = (next, Some(edge));
        }
        false
    }
}

impl Elements for MovingSurface<'_> {
    fn element(&self, number: u32) -> ([MovingPoint; 3], usize) {
        (self.vertices.element(self.mesh.triangles()[number as usize]), 3)
    }

    fn feature(&self, number: u32, place: &Place, point: Point) -> (Feature, IdPart) {
        let ids = self.mesh.triangles()[number as usize];
        match place.part {
            Part::Vertex(which) => {
                let vertex = ids[which];
                (Feature::vertex(vertex, self.vertices.owner(vertex), point), IdPart::Vertex(vertex))
            }
            Part::Edge(which) => {
                let edge = self.mesh.adjacency().triangle_edges[number as usize][which];
                let ends = self.edge(edge);
                let weight = |vertex: u32| {
                    ids.iter().position(|&id| id == vertex).map_or(0.0, |corner| place.weights[corner])
                };
                let cell = self.cell(self.triangle_of(edge));
                (Feature::edge(ends, ends.map(weight), cell, point), IdPart::Edge(edge))
            }
            Part::Face => {
                let cell = self.cell(number);
                (Feature::triangle(ids, place.weights, cell, point), IdPart::Triangle(number))
            }
        }
    }

    fn radius(&self) -> f64 {
        self.vertices.radius()
    }

    fn over_boundary(&self, part: IdPart, void: &mut dyn FnMut(IdPart)) {
        match part {
            IdPart::Triangle(triangle) => {
                let adjacency = self.mesh.adjacency();
                for edge in adjacency.triangle_edges[triangle as usize] {
                    void(IdPart::Edge(edge));
                }
                for vertex in self.mesh.triangles()[triangle as usize] {
                    void(IdPart::Vertex(vertex));
                }
            }
            IdPart::Edge(edge) => {
                for vertex in self.edge(edge) {
                    void(IdPart::Vertex(vertex));
                }
            }
            _ => {}
        }
    }

    fn leaves(&self, number: u32, place: &Place, time: f64, velocity: &Vector, offset: &Vector) -> bool {
        if !self.solid || self.vertices.radius() > 0.0 {
            return false;
        }
        let is_out = |triangle: u32| {
            let normal = self.normal(triangle, time);
            normal.dot(velocity) > 0.0 && normal.dot(offset) <= 0.0
        };
        match place.part {
            Part::Face => is_out(number),
            Part::Edge(which) => {
                let edge = self.mesh.adjacency().triangle_edges[number as usize][which];
                self.triangles_of(edge).all(is_out)
            }
            Part::Vertex(which) => {
                let vertex = self.mesh.triangles()[number as usize][which];
                self.all_at_vertex(number, vertex, is_out)
            }
        }
    }
}

impl PairDetector for SurfaceMeshConvexCcd {
    type A = AnySurface;
    type B = AnyConvex;
    type Settings = NoSettings;

    const NAME: &'static str = "surface_mesh_convex_ccd";
    const NEEDS: [Needs; 2] = [Needs::SWEPT, Needs::MOTION];
    const CONTINUOUS: bool = true;
    const ABOUT: About = About {
        elements_a: "vertex, edge, triangle",
        elements_b: "point",
        at_most: "one per vertex, edge and triangle",
        sides: "two: both sides of a sheet; of a closed surface the outside",
        method: "conservative advancement of each triangle whose swept box overlaps that of the body, vertices at constant \
            velocity, the body's rotation at constant angular velocity; a triangle that is met at an edge or a corner has the \
            contact of that feature, unless a triangle or an edge that it bounds is met no later; triangle order",
        cost: "O(log triangles + candidates), some distance queries of each candidate",
        source: "Mirtich 1996, Impulse-based dynamic simulation, 2.3",
    };

    fn new(_: NoSettings) -> Self {
        Self::default()
    }

    fn detect(
        &mut self,
        a: SurfaceView<'_>,
        b: ConvexBody<'_>,
        context: &Context<'_>,
        out: &mut CollisionData,
    ) -> Status {
        let Some(a) = MovingSurface::of(a) else { return Status::default() };
        let Some(tree) = a.mesh.swept_tree() else { return Status::default() };
        self.impacts.begin();
        let candidates = &mut self.impacts.candidates;
        tree.overlap(&swept_bounds(&b, a.vertices.radius() + context.margin()), |triangle| {
            candidates.push(triangle)
        });
        self.impacts.finish(&a, b, context, out)
    }
}
