//! Mending of a surface mesh.

use super::holes::fill;
use super::orient::agree;
use super::split::split;
use super::weld::welded;
use super::{MendOptions, MendReport};
use crate::derived::Adjacency;
use crate::health::{Components, Orientation};
use crate::{GeometryError, SurfaceMesh, cells_left};
use palpate_contact::NONE;
use palpate_math::{Aabb, Point, triangle};
use std::collections::{HashMap, HashSet};

impl SurfaceMesh {
    /// Returns a mended surface, and what was changed: vertices welded, triangles with a vertex twice and duplicates dropped,
    /// flat triangles exchanged with their neighbours, triangles turned to agree with their neighbours, vertices between several
    /// fans divided, holes filled, closed components that wind inward and lie in no other turned inside out, unused vertices
    /// dropped. Self-intersections stay; [`health`](Self::health) of the result says what is left.
    ///
    /// Thickness and a declaration as closed are kept; a given sidedness is not. Of a cut surface what is left is mended.
    /// Errors: an option that is not finite or negative, or more edges than can be filled. Cost: that of making a few meshes,
    /// and the cube of the edges of each hole.
    pub fn mended(&self, options: &MendOptions) -> Result<(Self, MendReport), GeometryError> {
        checked(options)?;
        let mut report = MendReport::default();
        let positions = self.points().positions();
        let lowest = welded(positions, options.weld);
        report.welded_vertices = (0..).zip(&lowest).filter(|(vertex, lowest)| vertex != *lowest).count();
        let mut triangles: Vec<[u32; 3]> =
            cells_left(self.triangles()).map(|ids| ids.map(|id| lowest[id as usize])).collect();
        let before = triangles.len();
        triangles.retain(|&[a, b, c]| a != b && b != c && c != a);
        report.dropped_degenerate = before - triangles.len();
        report.dropped_duplicates = drop_duplicates(&mut triangles);
        report.exchanged_edges = exchange_flat(positions, &mut triangles);
        report.turned_triangles = agree(&mut triangles);
        let mut positions = positions.to_vec();
        report.split_vertices = split(&mut positions, &mut triangles);
        let filled = fill(&positions, &mut triangles, options.fill_edges);
        (report.filled_holes, report.added_triangles, report.open_holes) =
            (filled.holes, filled.triangles, filled.open);
        report.turned_components = turn_components(&positions, &mut triangles);
        report.dropped_vertices =
            drop_unused(&mut positions, &mut triangles).saturating_sub(report.welded_vertices);
        let mesh = SurfaceMesh::new(positions, triangles)?.with_radius(self.radius())?;
        let mesh = if self.is_declared { mesh.with_closed(self.is_closed()) } else { mesh };
        Ok((mesh, report))
    }
}

fn checked(options: &MendOptions) -> Result<(), GeometryError> {
    let what = "the distance of vertices to weld".to_owned();
    if !options.weld.is_finite() {
        return Err(GeometryError::NotFinite { what, value: options.weld });
    }
    if options.weld < 0.0 {
        return Err(GeometryError::Negative { what, value: options.weld });
    }
    if options.fill_edges > MendOptions::MOST_EDGES {
        let (value, most) = (options.fill_edges as f64, MendOptions::MOST_EDGES as f64);
        return Err(GeometryError::TooLarge {
            what: "the number of edges of a hole".to_owned(),
            value,
            most,
        });
    }
    Ok(())
}

/// Of several triangles with the same vertices keeps the first. Of two that wind against each other, where more triangles share
/// all their edges, as the wall between two bodies, none is kept.
fn drop_duplicates(triangles: &mut Vec<[u32; 3]>) -> usize {
    let before = triangles.len();
    let mut uses: HashMap<[u32; 2], u32> = HashMap::new();
    let sides = |&[a, b, c]: &[u32; 3]| [[a, b], [b, c], [c, a]].map(|[a, b]| [a.min(b), a.max(b)]);
    triangles.iter().flat_map(sides).for_each(|side| *uses.entry(side).or_default() += 1);
    let key = |ids: &[u32; 3]| {
        let mut sorted = *ids;
        sorted.sort_unstable();
        sorted
    };
    let is_even = |ids: &[u32; 3]| {
        let [a, b, c] = *ids;
        // Around an even permutation of ascending numbers one step goes down, around an odd one two.
        [a > b, b > c, c > a].iter().filter(|&&descends| descends).count() == 1
    };
    let mut counts: HashMap<[u32; 3], [u32; 2]> = HashMap::new();
    for ids in triangles.iter() {
        counts.entry(key(ids)).or_default()[usize::from(is_even(ids))] += 1;
    }
    let mut seen = HashSet::new();
    triangles.retain(|ids| {
        let [odd, even] = counts[&key(ids)];
        let is_wall = odd == even && sides(ids).iter().all(|side| uses[side] > odd + even);
        !is_wall && seen.insert(key(ids))
    });
    before - triangles.len()
}

/// Exchanges the longest edge of every flat triangle with its neighbour there, where that makes two that are not flat.
fn exchange_flat(positions: &[Point], triangles: &mut [[u32; 3]]) -> usize {
    let at = |id: u32| &positions[id as usize];
    let is_flat = |[a, b, c]: [u32; 3]| triangle::is_flat(at(a), at(b), at(c));
    let adjacency = Adjacency::new(triangles);
    let mut counts = vec![0_u32; adjacency.edges.len()];
    adjacency.triangle_edges.iter().flatten().for_each(|&edge| counts[edge as usize] += 1);
    let mut edges: HashSet<[u32; 2]> = adjacency.edges.iter().copied().collect();
    let (mut is_changed, mut exchanged) = (vec![false; triangles.len()], 0);
    for flat in 0..triangles.len() {
        if is_changed[flat] || !is_flat(triangles[flat]) {
            continue;
        }
        let length = |corner: usize| {
            let ids = triangles[flat];
            (at(ids[corner]) - at(ids[(corner + 1) % 3])).norm_squared()
        };
        let corner = (0..3).max_by(|&a, &b| length(a).total_cmp(&length(b))).unwrap_or(0);
        let edge = adjacency.triangle_edges[flat][corner] as usize;
        let other =
            adjacency.edge_triangles[edge].into_iter().find(|&other| other != flat as u32 && other != NONE);
        let Some(other) =
            other.map(|other| other as usize).filter(|&other| counts[edge] == 2 && !is_changed[other])
        else {
            continue;
        };
        let [a, b, c] = [0, 1, 2].map(|step| triangles[flat][(corner + step) % 3]);
        let Some(&d) = triangles[other].iter().find(|id| **id != a && **id != b) else { continue };
        let turns_with = (0..3).any(|k| triangles[other][k] == b && triangles[other][(k + 1) % 3] == a);
        let new = [[c, a, d], [d, b, c]];
        if c == d || !turns_with || edges.contains(&[c.min(d), c.max(d)]) || new.into_iter().any(is_flat) {
            continue;
        }
        [triangles[flat], triangles[other]] = new;
        (is_changed[flat], is_changed[other]) = (true, true);
        edges.insert([c.min(d), c.max(d)]);
        exchanged += 1;
    }
    exchanged
}

/// Turns closed components that wind inward and whose box lies in that of no other. One that does may be a cavity.
fn turn_components(positions: &[Point], triangles: &mut [[u32; 3]]) -> usize {
    let adjacency = Adjacency::new(triangles);
    let mut counts = vec![0_u32; adjacency.edges.len()];
    let mut upward = vec![0_u32; adjacency.edges.len()];
    for (ids, edges) in triangles.iter().zip(&adjacency.triangle_edges) {
        for (corner, &edge) in edges.iter().enumerate() {
            counts[edge as usize] += 1;
            upward[edge as usize] += u32::from(ids[corner] < ids[(corner + 1) % 3]);
        }
    }
    let sound: Vec<bool> = counts.iter().zip(&upward).map(|(&count, &up)| count == 2 && up == 1).collect();
    let list = Components::new(positions, triangles, &adjacency, &sound).list;
    let part = |triangle: u32| adjacency.part_of(triangle);
    let mut boxes: HashMap<u32, Aabb> = HashMap::new();
    for (triangle, ids) in (0..).zip(triangles.iter()) {
        let bounds = boxes.entry(part(triangle)).or_insert(Aabb::EMPTY);
        ids.iter().for_each(|&id| bounds.include(&positions[id as usize]));
    }
    let lies_within = |own: u32| {
        let bounds = boxes[&own];
        let holds = |other: &Aabb| other.contains_point(&bounds.min) && other.contains_point(&bounds.max);
        boxes.iter().any(|(&other, found)| other != own && holds(found))
    };
    let inward: HashSet<u32> = list
        .iter()
        .filter(|component| component.closed && component.orientation == Orientation::Inward)
        .map(|component| part(component.first_triangle))
        .filter(|&own| !lies_within(own))
        .collect();
    for (triangle, ids) in (0..).zip(triangles.iter_mut()) {
        if inward.contains(&part(triangle)) {
            ids.swap(1, 2);
        }
    }
    inward.len()
}

/// Drops vertices without triangles; returns how many.
fn drop_unused(positions: &mut Vec<Point>, triangles: &mut [[u32; 3]]) -> usize {
    let mut numbers = vec![NONE; positions.len()];
    triangles.as_flattened().iter().for_each(|&id| numbers[id as usize] = 0);
    for (next, number) in (0..).zip(numbers.iter_mut().filter(|number| **number != NONE)) {
        *number = next;
    }
    triangles.as_flattened_mut().iter_mut().for_each(|id| *id = numbers[*id as usize]);
    let before = positions.len();
    let mut is_used = numbers.iter().map(|&number| number != NONE);
    positions.retain(|_| is_used.next().unwrap_or(true));
    before - positions.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A ball of triangles: rings of `2 * n` vertices between two poles.
    fn ball(n: u32, center: [f64; 3], radius: f64) -> (Vec<Point>, Vec<[u32; 3]>) {
        let around = 2 * n;
        let at = |ring: u32, k: u32| {
            let (polar, turn) = (f64::from(ring) / f64::from(n), f64::from(k) / f64::from(around));
            let (polar, turn) = (polar * std::f64::consts::PI, turn * std::f64::consts::TAU);
            let [x, y, z] = [polar.sin() * turn.cos(), polar.sin() * turn.sin(), polar.cos()];
            Point::new(center[0] + radius * x, center[1] + radius * y, center[2] + radius * z)
        };
        let mut positions = vec![at(0, 0)];
        positions
            .extend((1..n).flat_map(|ring| (0..around).map(move |k| (ring, k))).map(|(ring, k)| at(ring, k)));
        positions.push(at(n, 0));
        let id = |ring: u32, k: u32| match ring {
            0 => 0,
            ring if ring == n => 1 + (n - 1) * around,
            ring => 1 + (ring - 1) * around + k % around,
        };
        let mut triangles = Vec::new();
        for ring in 0..n {
            for k in 0..around {
                let [a, b, c, d] = [id(ring, k), id(ring + 1, k), id(ring + 1, k + 1), id(ring, k + 1)];
                triangles.extend(
                    [[a, b, c], [a, c, d]].into_iter().filter(|&[a, b, c]| a != b && b != c && c != a),
                );
            }
        }
        (positions, triangles)
    }

    fn mended(positions: Vec<Point>, triangles: Vec<[u32; 3]>) -> (SurfaceMesh, MendReport) {
        SurfaceMesh::new(positions, triangles).unwrap().mended(&MendOptions::default()).unwrap()
    }

    #[test]
    fn a_sound_surface_is_not_changed() {
        let (positions, triangles) = ball(6, [0.0; 3], 1.0);
        let (mesh, report) = mended(positions.clone(), triangles.clone());
        assert_eq!(report, MendReport::default());
        assert_eq!(
            (mesh.points().positions(), mesh.triangles()),
            (positions.as_slice(), triangles.as_slice())
        );
    }

    /// Every triangle with its own vertices, one of them missing, one twice, one turned, one vertex of nobody.
    #[test]
    fn a_soup_becomes_the_ball_again() {
        let (positions, triangles) = ball(6, [0.0; 3], 1.0);
        let mut soup: Vec<Point> = triangles.iter().flatten().map(|&id| positions[id as usize]).collect();
        let mut cells: Vec<[u32; 3]> =
            (0..triangles.len() as u32).map(|k| [3 * k, 3 * k + 1, 3 * k + 2]).collect();
        soup.push(Point::new(9.0, 9.0, 9.0));
        cells.push(cells[7]);
        cells[30].swap(0, 1);
        cells.remove(50);
        cells.push([3, 4, 3]);
        let (mesh, report) = mended(soup, cells);
        let health = mesh.health();
        assert!(health.is_closed() && health.is_oriented() && health.is_manifold() && !health.is_inward());
        assert_eq!((health.vertices, health.triangles), (positions.len(), triangles.len()));
        assert_eq!(report.welded_vertices, 3 * triangles.len() - positions.len());
        assert_eq!(
            (report.dropped_degenerate, report.dropped_duplicates, report.turned_triangles),
            (1, 1, 1)
        );
        assert_eq!((report.filled_holes, report.added_triangles, report.dropped_vertices), (1, 1, 1));
        let (_, again) = mesh.mended(&MendOptions::default()).unwrap();
        assert_eq!(again, MendReport::default());
    }

    #[test]
    fn bodies_that_wind_inward_are_turned_and_cavities_are_not() {
        let (mut positions, mut triangles) = ball(5, [0.0; 3], 1.0);
        let (more, cells) = ball(5, [0.1, 0.0, 0.0], 0.5);
        let shift = positions.len() as u32;
        positions.extend(more);
        triangles.extend(cells.iter().map(|&[a, b, c]| [b + shift, a + shift, c + shift]));
        let (_, report) = mended(positions.clone(), triangles.clone());
        assert_eq!(report, MendReport::default());
        triangles.iter_mut().for_each(|ids| ids.swap(0, 1));
        let (mesh, report) = mended(positions, triangles);
        assert_eq!(report.turned_components, 1, "the outer one");
        assert_eq!(mesh.health().inward_components, 0);
    }

    /// Two cubes with a wall between them, whose triangles wind against each other: one body without it.
    #[test]
    fn a_wall_between_two_bodies_goes_and_holes_stay_open_if_asked() {
        let quads = |x: u32| {
            let at = |dx: u32, y: u32, z: u32| (x + dx) * 4 + 2 * y + z;
            [
                [at(0, 0, 0), at(0, 0, 1), at(0, 1, 1), at(0, 1, 0)],
                [at(1, 0, 0), at(1, 1, 0), at(1, 1, 1), at(1, 0, 1)],
                [at(0, 0, 0), at(1, 0, 0), at(1, 0, 1), at(0, 0, 1)],
                [at(0, 1, 0), at(0, 1, 1), at(1, 1, 1), at(1, 1, 0)],
                [at(0, 0, 0), at(0, 1, 0), at(1, 1, 0), at(1, 0, 0)],
                [at(0, 0, 1), at(1, 0, 1), at(1, 1, 1), at(0, 1, 1)],
            ]
        };
        let positions: Vec<Point> =
            (0..12).map(|k| Point::from([k / 4, k / 2 % 2, k % 2].map(f64::from))).collect();
        // Each face from its lowest corner: the wall is cut alike from both sides.
        let cut = |mut quad: [u32; 4]| {
            let lowest = (0..4).min_by_key(|&k| quad[k]).unwrap();
            quad.rotate_left(lowest);
            [[quad[0], quad[1], quad[2]], [quad[0], quad[2], quad[3]]]
        };
        let triangles: Vec<[u32; 3]> = [quads(0), quads(1)].concat().into_iter().flat_map(cut).collect();
        let (mesh, report) = mended(positions.clone(), triangles.clone());
        assert_eq!((report.dropped_duplicates, mesh.triangles().len()), (4, 20));
        let health = mesh.health();
        assert!(
            health.is_closed() && health.is_manifold() && (health.volume - 2.0).abs() < 1e-12,
            "{health:?}"
        );
        let mut open = SurfaceMesh::new(positions, triangles).unwrap();
        open.remove_cells(&[0]).unwrap();
        let (_, report) = open.mended(&MendOptions { fill_edges: 0, ..MendOptions::default() }).unwrap();
        assert_eq!((report.filled_holes, report.open_holes), (0, 1));
        for options in
            [MendOptions { weld: -1.0, ..MendOptions::default() }, MendOptions { fill_edges: 401, weld: 0.0 }]
        {
            assert!(open.mended(&options).is_err());
        }
    }

    /// A cap: the middle of a side is a vertex of a flat triangle there.
    #[test]
    fn a_flat_triangle_is_exchanged_with_its_neighbour() {
        let positions: Vec<Point> =
            [[0.0, 0.0, 0.0], [2.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0]].map(Point::from).to_vec();
        let mut triangles = [[0, 1, 3], [1, 0, 2]];
        assert_eq!(exchange_flat(&positions, &mut triangles), 1);
        assert_eq!(triangles, [[3, 0, 2], [2, 1, 3]]);
    }
}
