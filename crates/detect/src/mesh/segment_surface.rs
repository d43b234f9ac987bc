//! Closest points of a segment and a surface element; shared by the detectors of segments against surfaces.

use palpate_geometry::{SurfaceFeature, SurfaceMesh, SurfaceNearest};
use palpate_math::Point;
use palpate_math::nearest::{
    SegmentFeature, SegmentTriangle, is_segment_beyond, point_segment, segment_segment, segment_triangle,
};

/// The closest points of a segment and an element of a surface.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SegmentOnSurface {
    /// The point on the surface.
    pub(crate) on_surface: SurfaceNearest,
    /// The point on the segment.
    pub(crate) on_segment: Point,
    /// The parameter along the segment: the weight of its end.
    pub(crate) t: f64,
    /// The part of the segment.
    pub(crate) part: SegmentFeature,
}

/// Returns the candidate triangle nearest to a segment; ties go to the first. `None` if all are certainly beyond the reach, in metres.
pub(crate) fn nearest_triangle(
    surface: &SurfaceMesh,
    [start, end]: [&Point; 2],
    candidates: &[u32],
    reach: f64,
) -> Option<(u32, SegmentTriangle)> {
    let mut nearest: Option<(u32, SegmentTriangle)> = None;
    for &triangle in candidates {
        let corners = surface.corners(triangle);
        let least = nearest.map_or(f64::INFINITY, |(_, local)| local.distance_squared);
        if is_segment_beyond([start, end], &corners, reach.min(least.sqrt())) {
            continue;
        }
        let local = segment_triangle(start, end, &corners[0], &corners[1], &corners[2]);
        if local.distance_squared < least {
            nearest = Some((triangle, local));
        }
    }
    nearest
}

/// Returns the closest points of the segment and the element that `local` found on triangle `triangle`, computed from
/// the element itself, so that all its triangles give bitwise equal results and the weights are those of the
/// element's own vertices.
pub(crate) fn segment_on_surface(
    surface: &SurfaceMesh,
    triangle: u32,
    local: &SegmentTriangle,
    [start, end]: [&Point; 2],
) -> SegmentOnSurface {
    let feature = surface.feature_of(triangle, local.feature);
    match feature {
        SurfaceFeature::Vertex(vertex) => segment_on_vertex(surface, vertex, [start, end]),
        SurfaceFeature::Edge(edge) => segment_on_edge(surface, edge, [start, end]),
        SurfaceFeature::Face(_) => {
            let on_surface =
                SurfaceNearest { feature, weights: local.weights, point: local.point_on_triangle };
            let part = part_at(local.t);
            SegmentOnSurface { on_surface, on_segment: local.point_on_segment, t: local.t, part }
        }
    }
}

/// Returns the closest point of the segment to a vertex.
pub(crate) fn segment_on_vertex(
    surface: &SurfaceMesh,
    vertex: u32,
    [start, end]: [&Point; 2],
) -> SegmentOnSurface {
    let point = surface.points().positions()[vertex as usize];
    let near = point_segment(&point, start, end);
    let feature = SurfaceFeature::Vertex(vertex);
    let on_surface = SurfaceNearest { feature, weights: [1.0, 0.0, 0.0], point };
    SegmentOnSurface { on_surface, on_segment: near.point, t: near.t, part: near.feature }
}

/// Returns the closest points of the segment and an edge.
pub(crate) fn segment_on_edge(
    surface: &SurfaceMesh,
    edge: u32,
    [start, end]: [&Point; 2],
) -> SegmentOnSurface {
    let [from, to] = surface.edge_ends(edge);
    let pair = segment_segment(&from, &to, start, end);
    let weights = [1.0 - pair.s, pair.s, 0.0];
    let feature = SurfaceFeature::Edge(edge);
    let on_surface = SurfaceNearest { feature, weights, point: pair.point_a };
    SegmentOnSurface { on_surface, on_segment: pair.point_b, t: pair.t, part: pair.feature_b }
}

/// Returns the part of a segment at parameter `t`.
pub(crate) fn part_at(t: f64) -> SegmentFeature {
    if t == 0.0 {
        SegmentFeature::Start
    } else if t == 1.0 {
        SegmentFeature::End
    } else {
        SegmentFeature::Interior
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two triangles slope down from one edge like a roof; the second has the edge in the opposite direction.
    #[test]
    fn both_triangles_of_an_edge_give_the_same_bits_and_its_own_weights() {
        let corners = [[0.0, 0.0, 0.0], [3.0, 0.1, 0.2], [1.0, 2.0, -3.0], [1.5, -2.0, -3.0]];
        let surface =
            SurfaceMesh::new(corners.map(Point::from).to_vec(), vec![[0, 1, 2], [1, 0, 3]]).unwrap();
        let mut on_the_edge = 0;
        for k in 0..50 {
            let s = f64::from(k) / 50.0;
            let (start, end) = (Point::new(0.2 + 2.0 * s, -0.7, 1.0), Point::new(0.5 + 2.0 * s, 0.9, 1.1));
            let [first, second] = [0, 1].map(|triangle| {
                let [a, b, c] = surface.corners(triangle);
                let local = segment_triangle(&start, &end, &a, &b, &c);
                segment_on_surface(&surface, triangle, &local, [&start, &end])
            });
            if let (SurfaceFeature::Edge(0), SurfaceFeature::Edge(0)) =
                (first.on_surface.feature, second.on_surface.feature)
            {
                on_the_edge += 1;
                assert_eq!(first.on_surface, second.on_surface);
                assert_eq!((first.t, first.on_segment), (second.t, second.on_segment));
                let [w0, w1, _] = first.on_surface.weights;
                let [from, to] = surface.edge_ends(0);
                let place = Point::from(from.coords * w0 + to.coords * w1);
                assert!((place - first.on_surface.point).norm() < 1e-14 && w0 + w1 == 1.0);
            }
        }
        assert!(on_the_edge > 10, "{on_the_edge}");
    }
}
