//! Additive CCD, the yardstick: M. Li, D. M. Kaufman, C. Jiang, "Codimensional Incremental Potential Contact", ACM TOG
//! 40 (2021), section 5 and algorithm 1, DOI 10.1145/3450626.3459767.
//!
//! The mean displacement is subtracted; the features advance by nine tenths of the time in which the largest
//! displacements could close their distance, until a tenth of the initial distance is left. The distances are those of C.
//! Ericson, "Real-Time Collision Detection" (2005), sections 5.1.5 and 5.1.9.

use palpate::math::{Point, Vector};

use super::{Kind, Query};

/// The part of the distance that is kept.
const KEPT: f64 = 0.1;

/// The number of steps after which an impact is reported.
const STEPS: usize = 1_000_000;

/// Returns the time of an impact, or `None`.
pub fn additive_ccd(kind: Kind, query: &Query) -> Option<f64> {
    let mut x = query.vertices.map(|vertex| vertex.start);
    let mut p = query.vertices.map(|vertex| vertex.end - vertex.start);
    let mean = (p[0] + p[1] + p[2] + p[3]) / 4.0;
    for displacement in &mut p {
        *displacement -= mean;
    }
    let largest = |p: &[Vector]| p.iter().map(Vector::norm_squared).fold(0.0, f64::max).sqrt();
    let (first, second) = p.split_at(if kind == Kind::EdgeEdge { 2 } else { 1 });
    let speed = largest(first) + largest(second);
    let mut distance = distance_squared(kind, &x).sqrt();
    if distance == 0.0 {
        return Some(0.0);
    }
    if speed == 0.0 {
        return None;
    }
    let gap = KEPT * distance;
    let mut time = 0.0;
    for _ in 0..STEPS {
        let step = (1.0 - KEPT) * distance / speed;
        for (position, displacement) in x.iter_mut().zip(&p) {
            *position += displacement * step;
        }
        distance = distance_squared(kind, &x).sqrt();
        if time > 0.0 && distance < gap {
            break;
        }
        time += step;
        if time > 1.0 {
            return None;
        }
    }
    Some(time)
}

fn distance_squared(kind: Kind, x: &[Point; 4]) -> f64 {
    match kind {
        Kind::EdgeEdge => edge_edge(x),
        Kind::VertexFace => vertex_face(x),
    }
}

fn vertex_face([p, a, b, c]: &[Point; 4]) -> f64 {
    let (ab, ac, ap) = (b - a, c - a, p - a);
    let (d1, d2) = (ab.dot(&ap), ac.dot(&ap));
    if d1 <= 0.0 && d2 <= 0.0 {
        return ap.norm_squared();
    }
    let bp = p - b;
    let (d3, d4) = (ab.dot(&bp), ac.dot(&bp));
    if d3 >= 0.0 && d4 <= d3 {
        return bp.norm_squared();
    }
    let vc = d1 * d4 - d3 * d2;
    if vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
        return (ap - ab * (d1 / (d1 - d3))).norm_squared();
    }
    let cp = p - c;
    let (d5, d6) = (ab.dot(&cp), ac.dot(&cp));
    if d6 >= 0.0 && d5 <= d6 {
        return cp.norm_squared();
    }
    let vb = d5 * d2 - d1 * d6;
    if vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
        return (ap - ac * (d2 / (d2 - d6))).norm_squared();
    }
    let va = d3 * d6 - d5 * d4;
    if va <= 0.0 && d4 - d3 >= 0.0 && d5 - d6 >= 0.0 {
        return (bp - (c - b) * ((d4 - d3) / ((d4 - d3) + (d5 - d6)))).norm_squared();
    }
    let sum = va + vb + vc;
    (ap - ab * (vb / sum) - ac * (vc / sum)).norm_squared()
}

fn edge_edge([a0, a1, b0, b1]: &[Point; 4]) -> f64 {
    let (u, v, r) = (a1 - a0, b1 - b0, a0 - b0);
    let (a, e, f) = (u.norm_squared(), v.norm_squared(), v.dot(&r));
    if a == 0.0 && e == 0.0 {
        return r.norm_squared();
    }
    if a == 0.0 {
        return (r - v * (f / e).clamp(0.0, 1.0)).norm_squared();
    }
    let c = u.dot(&r);
    if e == 0.0 {
        return (r + u * (-c / a).clamp(0.0, 1.0)).norm_squared();
    }
    let b = u.dot(&v);
    let below = a * e - b * b;
    let mut s = if below > 0.0 { ((b * f - c * e) / below).clamp(0.0, 1.0) } else { 0.0 };
    let mut t = (b * s + f) / e;
    if t < 0.0 {
        t = 0.0;
        s = (-c / a).clamp(0.0, 1.0);
    } else if t > 1.0 {
        t = 1.0;
        s = ((b - c) / a).clamp(0.0, 1.0);
    }
    (r + u * s - v * t).norm_squared()
}

#[cfg(test)]
mod tests {
    use super::*;
    use palpate::math::continuous::MovingPoint;

    fn falling(height: f64) -> Query {
        let rest = |x: f64, y: f64| MovingPoint::at_rest(Point::new(x, y, 0.0));
        let vertex = MovingPoint::new(Point::new(0.25, 0.25, height), Point::new(0.25, 0.25, height - 2.0));
        Query {
            vertices: [vertex, rest(0.0, 0.0), rest(1.0, 0.0), rest(0.0, 1.0)],
            has_impact: height <= 2.0,
        }
    }

    #[test]
    fn a_falling_vertex_is_stopped_a_tenth_before() {
        let time = additive_ccd(Kind::VertexFace, &falling(1.0)).unwrap();
        assert!((0.45 - 1e-9..0.5).contains(&time), "{time}");
        assert_eq!(additive_ccd(Kind::VertexFace, &falling(2.5)), None);
        assert_eq!(additive_ccd(Kind::VertexFace, &falling(0.0)), Some(0.0));
    }

    #[test]
    fn crossing_edges_meet() {
        let rest = |x: f64, y: f64| MovingPoint::at_rest(Point::new(x, y, 0.0));
        let down = |x: f64, y: f64| MovingPoint::new(Point::new(x, y, 1.0), Point::new(x, y, -1.0));
        let query = |y: f64| Query {
            vertices: [rest(-1.0, 0.0), rest(1.0, 0.0), down(0.0, y - 1.0), down(0.0, y + 1.0)],
            has_impact: true,
        };
        assert!(additive_ccd(Kind::EdgeEdge, &query(0.5)).is_some());
        assert!(additive_ccd(Kind::EdgeEdge, &query(3.0)).is_none());
    }
}
