//! Cut meshes against meshes built from the cells that are left.
#![allow(clippy::unwrap_used)] // tests, also in what they share

use palpate_contact::NONE;
use palpate_geometry::pick::nearest_cell;
use palpate_geometry::{Geometry, GeometryError, LineMesh, Needs, SurfaceMesh, TetraMesh};
use palpate_math::Point;
use std::collections::BTreeMap;
use std::time::Instant;

const TETRAHEDRA: [[usize; 4]; 6] =
    [[0, 1, 3, 7], [0, 1, 5, 7], [0, 2, 3, 7], [0, 2, 6, 7], [0, 4, 5, 7], [0, 4, 6, 7]];

/// Numbers between 0 and 1, the same in every run.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn below(&mut self, count: usize) -> usize {
        (self.next() * count as f64) as usize
    }

    fn point(&mut self, size: f64) -> Point {
        Point::new(self.next(), self.next(), self.next()) * size
    }
}

/// A block of cubes of six tetrahedra each, whose vertices are shaken.
fn block(numbers: &mut Numbers, steps: usize) -> (Vec<Point>, Vec<[u32; 4]>) {
    let row = steps + 1;
    let place = |number: usize| [number % row, number / row % row, number / (row * row)];
    let positions = (0..row * row * row)
        .map(|number| Point::from(place(number).map(|k| k as f64 + 0.2 * numbers.next())))
        .collect();
    let vertex = |[x, y, z]: [usize; 3], corner: usize| {
        (x + (corner & 1) + row * (y + (corner >> 1 & 1) + row * (z + (corner >> 2 & 1)))) as u32
    };
    let cubes = (0..steps * steps * steps).map(|n| [n % steps, n / steps % steps, n / (steps * steps)]);
    let cells = cubes.flat_map(|place| TETRAHEDRA.map(|ids| ids.map(|corner| vertex(place, corner))));
    (positions, cells.collect())
}

/// The cells that are left, and the number that each cell has among them.
fn left<const N: usize>(cells: &[[u32; N]]) -> (Vec<[u32; N]>, BTreeMap<u32, u32>) {
    let present = (0..).zip(cells).filter(|(_, ids)| ids[0] != NONE);
    let map = (0..).zip(present.clone()).map(|(now, (before, _))| (before, now)).collect();
    (present.map(|(_, ids)| *ids).collect(), map)
}

/// The boundary triangles by their vertices and cells, in any order.
fn boundary(mesh: &TetraMesh) -> Vec<([u32; 3], u32)> {
    let all = mesh.boundary_triangles().iter().copied().zip(mesh.boundary_cells().iter().copied());
    let mut present: Vec<_> = all.filter(|(ids, _)| ids[0] != NONE).collect();
    present.sort_unstable();
    present
}

/// The cells of the triangles at each vertex, and of the first two at each edge by its vertices.
type BoundaryCells = (Vec<Vec<u32>>, Vec<([u32; 2], [u32; 2])>);

/// The cells at the vertices and edges of the boundary, in the order of its triangles.
fn boundary_cells(mesh: &TetraMesh, number: impl Fn(u32) -> u32) -> BoundaryCells {
    let adjacency = mesh.boundary().unwrap().adjacency();
    let cell = |triangle: u32| number(mesh.boundary_cells()[triangle as usize]);
    let at_vertex = |vertex| adjacency.corners_at(vertex).iter().map(|corner| cell(corner / 3)).collect();
    let of_edge = |triangle: u32| if triangle == NONE { NONE } else { cell(triangle) };
    let edges = adjacency.edges.iter().zip(&adjacency.edge_triangles).filter(|(ids, _)| ids[0] != NONE);
    let mut edges: Vec<_> = edges.map(|(&ids, triangles)| (ids, triangles.map(of_edge))).collect();
    edges.sort_unstable();
    ((0..mesh.points().len() as u32).map(at_vertex).collect(), edges)
}

/// A surface that was cut, and one made with its numbers: every number is the same.
fn same_numbers(cut: &SurfaceMesh, again: &SurfaceMesh) {
    let (own, other) = (cut.adjacency(), again.adjacency());
    assert_eq!(cut.triangles(), again.triangles());
    assert_eq!((&own.edges, &own.triangle_edges), (&other.edges, &other.triangle_edges));
    assert_eq!((&own.edge_triangles, &own.parts), (&other.edge_triangles, &other.parts));
    assert_eq!((own.closedness, own.is_closed()), (other.closedness, other.is_closed()));
    for vertex in 0..cut.points().len() as u32 {
        assert_eq!(own.corners_at(vertex), other.corners_at(vertex));
        assert_eq!(cut.points().owner(vertex), again.points().owner(vertex));
    }
    let ranks = |mesh: &SurfaceMesh| {
        let left = (0..mesh.triangles().len() as u32).filter(|&triangle| !mesh.is_removed(triangle));
        left.map(|triangle| mesh.adjacency().rank(triangle)).collect::<Vec<_>>()
    };
    assert_eq!(ranks(cut), ranks(again));
}

/// The cut mesh made again from the cells that are left and its numbers.
fn compare_numbers(cut: &TetraMesh, needs: Needs) {
    let (cells, map) = left(cut.cells());
    let inverted: Vec<u32> = cut.inverted_cells().iter().map(|cell| map[cell]).collect();
    let again = TetraMesh::with_inverted(cut.points().positions().to_vec(), cells, &inverted).unwrap();
    let [triangles, edges] = cut.boundary_numbers();
    let again = again.with_removed(&cut.removed_cells()).unwrap();
    let mut again = again.with_boundary_numbers([&triangles, &edges]).unwrap();
    again.prepare(needs);
    assert_eq!((cut.cells(), cut.boundary_cells()), (again.cells(), again.boundary_cells()));
    assert_eq!(cut.inverted_cells(), again.inverted_cells());
    same_numbers(cut.boundary().unwrap(), again.boundary().unwrap());
}

/// Everything that can be asked of a mesh, of the cut one and of the new one.
fn compare_tetra(cut: &mut TetraMesh, numbers: &mut Numbers, size: f64) -> usize {
    let (cells, map) = left(cut.cells());
    let mut new = TetraMesh::new(cut.points().positions().to_vec(), cells).unwrap();
    let needs = Needs::TREE | Needs::BOUNDARY;
    cut.prepare(needs);
    new.prepare(needs);
    let mapped: Vec<_> = boundary(cut).into_iter().map(|(ids, cell)| (ids, map[&cell])).collect();
    assert_eq!(mapped, boundary(&new));
    assert_eq!(boundary_cells(cut, |cell| map[&cell]), boundary_cells(&new, |cell| cell));
    let [of_cut, of_new] = [&*cut, &new].map(|mesh| mesh.boundary().unwrap());
    assert_eq!(of_cut.is_closed(), of_new.is_closed());
    assert_eq!(of_cut.adjacency().closedness, of_new.adjacency().closedness);
    assert_eq!(of_cut.adjacency().border_vertices, of_new.adjacency().border_vertices);
    for vertex in 0..cut.points().len() as u32 {
        let owner = |owner: u32| if owner == NONE { NONE } else { map[&owner] };
        assert_eq!(owner(cut.points().owner(vertex)), new.points().owner(vertex));
    }
    compare_numbers(cut, needs);
    let mut inside = 0;
    for _ in 0..40 {
        let point = numbers.point(size);
        let (own, other) = (cut.holding_cell(&point), new.holding_cell(&point));
        assert_eq!(own.map(|cell| map[&cell]), other);
        let [own, other] = [&*cut, &new].map(|mesh| mesh.signed_distance(&point, f64::INFINITY));
        let distance =
            |found: &Option<(palpate_geometry::SignedDistance, _)>| found.as_ref().map(|f| f.0.distance);
        assert_eq!(distance(&own), distance(&other));
        let [own, other] = [&*cut as &dyn Geometry, &new].map(|mesh| nearest_cell(mesh, &point));
        assert_eq!(own.map(|found| found.distance), other.map(|found| found.distance));
        inside += usize::from(cut.holding_cell(&point).is_some());
    }
    inside
}

/// Removed, divided and moved at random.
// Proves: REQ-CUT-IDS
#[test]
fn a_cut_volume_equals_a_new_one() {
    let mut numbers = Numbers(1);
    let (positions, cells) = block(&mut numbers, 4);
    let mut mesh = TetraMesh::new(positions, cells).unwrap();
    let mut inside = 0;
    for round in 0..40 {
        let present: Vec<u32> =
            (0..mesh.cells().len() as u32).filter(|&cell| !mesh.is_removed(cell)).collect();
        let mut removed: Vec<u32> = (0..4).map(|_| present[numbers.below(present.len())]).collect();
        removed.dedup();
        removed.sort_unstable();
        removed.dedup();
        mesh.remove_cells(&removed).unwrap();
        if round % 4 == 1 {
            let cell = *present.iter().find(|&&cell| !mesh.is_removed(cell)).unwrap();
            let [a, b, c, d] = mesh.corners(cell).map(|corner| corner.coords);
            let parts = mesh.split_cell(cell, &Point::from((a + b + c + d * 2.0) / 5.0)).unwrap();
            assert_eq!(parts.len(), 4);
            mesh.remove_cells(&[parts.start + 1]).unwrap();
        }
        if round % 3 == 2 {
            let moved: Vec<Point> =
                mesh.points().positions().iter().map(|p| p + numbers.point(0.01).coords).collect();
            mesh.set_positions(&moved).unwrap();
        }
        // In every third round several cuts come together.
        if round % 3 != 0 {
            inside += compare_tetra(&mut mesh, &mut numbers, 4.0);
        }
    }
    assert!(inside > 100, "{inside}");
    let before = boundary(&mesh).len();
    let last = mesh.cells().len() as u32;
    let first = (0..).find(|&cell| !mesh.is_removed(cell)).unwrap();
    let map = mesh.compact();
    assert!(!mesh.is_cut() && mesh.cells().len() < last as usize && map.len() == last as usize);
    assert_eq!((map.get(first), map.get(last)), (Some(0), None));
    assert!(first == 0 || map.get(0).is_none());
    assert_eq!(boundary(&mesh).len(), before);
    compare_tetra(&mut mesh, &mut numbers, 4.0);
}

/// The first triangle that is left.
fn present(mesh: &SurfaceMesh) -> u32 {
    (0..).find(|&cell| !mesh.is_removed(cell)).unwrap()
}

/// A closed surface of a block, opened, divided, and cut in two.
// Proves: REQ-CUT-IDS
#[test]
fn a_cut_surface_equals_a_new_one() {
    let mut numbers = Numbers(2);
    let (positions, cells) = block(&mut numbers, 4);
    let volume = TetraMesh::new(positions.clone(), cells).unwrap();
    let mut mesh = SurfaceMesh::new(positions, volume.boundary_triangles().to_vec()).unwrap();
    assert!(mesh.is_closed());
    let mut in_parts = 0;
    for round in 0..40 {
        let present: Vec<u32> =
            (0..mesh.triangles().len() as u32).filter(|&cell| !mesh.is_removed(cell)).collect();
        mesh.remove_cells(&[present[numbers.below(present.len())]]).unwrap();
        if round == 20 {
            // A cut all round.
            let crosses = |&cell: &u32| mesh.corners(cell).iter().any(|corner| (corner.z - 2.0).abs() < 0.3);
            let removed: Vec<u32> =
                present.iter().copied().filter(|&cell| !mesh.is_removed(cell)).filter(crosses).collect();
            mesh.remove_cells(&removed).unwrap();
        }
        if round % 5 == 1 {
            let cell = (0..).find(|&cell| !mesh.is_removed(cell)).unwrap();
            let [a, b, c] = mesh.corners(cell).map(|corner| corner.coords);
            mesh.split_cell(cell, &Point::from((a + b + c) / 3.0)).unwrap();
        }
        let (triangles, map) = left(mesh.triangles());
        let mut new = SurfaceMesh::new(mesh.points().positions().to_vec(), triangles).unwrap();
        let again = new.clone().with_removed(&mesh.removed_cells()).unwrap();
        same_numbers(&mesh, &again.with_edge_numbers(&mesh.edge_numbers()).unwrap());
        let needs = Needs::TREE | Needs::NORMALS;
        mesh.prepare(needs);
        new.prepare(needs);
        assert!(!mesh.is_closed() && !new.is_closed());
        let (own, other) = (mesh.adjacency(), new.adjacency());
        assert_eq!(own.closedness, other.closedness);
        assert_eq!(own.border_vertices, other.border_vertices);
        for (&before, &now) in &map {
            assert_eq!(own.part_of(before), other.part_of(now));
        }
        in_parts += usize::from(!other.parts.is_empty());
        for vertex in 0..mesh.points().len() as u32 {
            let corners = own.corners_at(vertex).iter().map(|corner| 3 * map[&(corner / 3)] + corner % 3);
            assert!(corners.eq(other.corners_at(vertex).iter().copied()));
        }
        assert_eq!(mesh.health(), new.health());
        for _ in 0..40 {
            let point = numbers.point(4.0);
            let [own, other] =
                [&mesh, &new].map(|mesh| mesh.signed_distance(&point, f64::INFINITY).unwrap().0);
            assert_eq!((own.distance, own.nearest), (other.distance, other.nearest));
        }
    }
    assert!(in_parts > 5, "{in_parts}");
    let (first, map) = (present(&mesh), mesh.compact());
    assert_eq!(map.get(first), Some(0));
    assert!(first == 0 || map.get(0).is_none());
}

#[test]
fn a_surface_that_is_declared_closed_stays_a_solid_and_one_that_is_healed_closes() {
    let mut numbers = Numbers(3);
    let (positions, cells) = block(&mut numbers, 2);
    let triangles = TetraMesh::new(positions.clone(), cells).unwrap().boundary_triangles().to_vec();
    let mut declared = SurfaceMesh::new(positions.clone(), triangles.clone()).unwrap().with_closed(true);
    declared.remove_cells(&[3]).unwrap();
    declared.prepare(Needs::TREE | Needs::NORMALS);
    assert!(declared.is_closed());
    let middle = Point::new(1.0, 1.0, 1.0);
    assert!(declared.signed_distance(&middle, f64::INFINITY).unwrap().0.distance < 0.0);
    let mut mesh = SurfaceMesh::new(positions, triangles.clone()).unwrap();
    mesh.prepare(Needs::TREE | Needs::NORMALS);
    mesh.remove_cells(&[3, 8]).unwrap();
    assert!(!mesh.is_closed());
    assert_eq!(mesh.add_cells(&[], &[triangles[8], triangles[3]]).unwrap(), 48..50);
    assert!(mesh.is_closed());
    mesh.prepare(Needs::TREE | Needs::NORMALS);
    assert!(mesh.signed_distance(&middle, f64::INFINITY).unwrap().0.distance < 0.0);
}

#[test]
fn a_cut_thread_equals_a_new_one() {
    let mut numbers = Numbers(4);
    let mut mesh = LineMesh::polyline((0..60).map(|_| numbers.point(1.0)).collect()).unwrap();
    for round in 0..30 {
        let present: Vec<u32> =
            (0..mesh.cells().len() as u32).filter(|&cell| !mesh.is_removed(cell)).collect();
        let cell = present[numbers.below(present.len())];
        if round % 3 == 0 {
            mesh.split_cell(cell, &numbers.point(1.0)).unwrap();
        } else {
            mesh.remove_cells(&[cell]).unwrap();
        }
        if round % 2 == 0 {
            mesh.prepare(Needs::TREE);
        }
        let (cells, map) = left(mesh.cells());
        let new = LineMesh::new(mesh.points().positions().to_vec(), cells).unwrap();
        for vertex in 0..mesh.points().len() as u32 {
            let owner = mesh.points().owner(vertex);
            assert_eq!(map.get(&owner).copied().unwrap_or(NONE), new.points().owner(vertex));
        }
        for _ in 0..20 {
            let point = numbers.point(1.0);
            let [own, other] = [&mesh, &new].map(|mesh| nearest_cell(mesh, &point).unwrap());
            assert_eq!((map[&own.feature.cell], own.distance), (other.feature.cell, other.distance));
        }
    }
    let before = mesh.cells().len();
    assert_eq!(mesh.compact().len(), before);
    assert!(!mesh.is_cut());
}

#[test]
fn bad_cuts_are_named_and_change_nothing() {
    let (positions, cells) = block(&mut Numbers(5), 2);
    let count = cells.len();
    let mut mesh = TetraMesh::new(positions, cells).unwrap();
    mesh.remove_cells(&[4]).unwrap();
    let before = (mesh.version(), mesh.cells().to_vec(), mesh.points().len());
    let refused = |found: Result<(), GeometryError>, wanted: &str| {
        let error = found.unwrap_err().to_string();
        assert!(error.contains(wanted), "{error}");
    };
    refused(mesh.remove_cells(&[1, 4]), "cell 4 is already removed: wanted cells of the 48");
    refused(mesh.remove_cells(&[1, 1]), "cell 1 is named twice");
    refused(mesh.remove_cells(&[count as u32]), "cell 48 is not in the mesh");
    refused(mesh.split_cell(0, &Point::new(f64::NAN, 0.0, 0.0)).map(|_| ()), "NaN");
    refused(mesh.add_cells(&[], &[[0, 1, 2, 999]]).map(|_| ()), "vertex 999");
    assert_eq!((mesh.version(), mesh.cells().to_vec(), mesh.points().len()), before);
    // A cut mesh is no input for a new one.
    assert!(TetraMesh::new(mesh.points().positions().to_vec(), mesh.cells().to_vec()).is_err());
}

/// Prepared for cuts or not: the same mesh after every cut, also where it moved in between.
#[test]
fn a_mesh_that_is_prepared_for_cuts_is_cut_alike() {
    let mut numbers = Numbers(7);
    let (positions, cells) = block(&mut numbers, 4);
    let plain = Needs::TREE | Needs::BOUNDARY;
    let mut meshes = [(); 2].map(|()| TetraMesh::new(positions.clone(), cells.clone()).unwrap());
    for round in 0..12 {
        for (mesh, needs) in meshes.iter_mut().zip([plain | Needs::CUTS, plain]) {
            mesh.prepare(needs);
            let is_first = round == 0 && needs == plain;
            assert_eq!((mesh.is_prepared(plain), mesh.is_prepared(Needs::CUTS)), (true, !is_first));
        }
        let [one, other] = &meshes;
        assert!(one.cells() == other.cells() && one.boundary_triangles() == other.boundary_triangles());
        let near = Point::new(numbers.next(), numbers.next(), numbers.next()) * 4.0;
        let found = [one, other].map(|mesh| {
            let mut found = Vec::new();
            let query = palpate_math::Aabb::from_point(near).grown(0.8);
            mesh.tree().unwrap().overlap(&query, |cell| found.push(cell));
            (found, nearest_cell(mesh, &near).map(|hit| format!("{hit:?}")))
        });
        assert_eq!(found[0], found[1], "round {round}");
        let removed = (0..).find(|&cell| cell % 7 == 3 && !one.is_removed(cell)).unwrap();
        let moved: Vec<Point> =
            one.points().positions().iter().map(|p| p + numbers.point(0.01).coords).collect();
        for mesh in &mut meshes {
            mesh.set_positions(&moved[..mesh.points().len()]).unwrap();
            mesh.prepare(plain);
            let whole = mesh.corners(removed);
            mesh.split_cell(
                removed,
                &Point::from(whole.iter().map(|p| p.coords).sum::<palpate_math::Vector>() / 4.0),
            )
            .unwrap();
        }
    }
    meshes[0].compact();
    assert!(!meshes[0].is_prepared(Needs::CUTS));
}

/// `PALPATE_CUTS` sets the number of cuts of the block of 50,000 tetrahedra; without it a smaller block is cut a few times.
/// Prints the times, of which nothing is asserted.
#[test]
fn cutting_away_a_hundredth_at_a_time() {
    let cuts: Option<usize> = std::env::var("PALPATE_CUTS").ok().and_then(|given| given.parse().ok());
    let (steps, cuts, is_long) = (cuts.map_or(8, |_| 20), cuts.unwrap_or(5), cuts.is_some());
    let mut numbers = Numbers(6);
    let (positions, cells) = block(&mut numbers, steps);
    let mut mesh = TetraMesh::new(positions, cells).unwrap();
    let needs = Needs::TREE | Needs::BOUNDARY;
    mesh.prepare(needs);
    let (mut ratios, mut times) = (Vec::new(), Vec::new());
    for _ in 0..cuts {
        let present: Vec<u32> =
            (0..mesh.cells().len() as u32).filter(|&cell| !mesh.is_removed(cell)).collect();
        // A hundredth of the cells, nearest to a point: a bite.
        let at = numbers.point(steps as f64);
        let distance = |cell: u32| (mesh.corners(cell)[0] - at).norm_squared();
        let mut nearest: Vec<(f64, u32)> = present.iter().map(|&cell| (distance(cell), cell)).collect();
        nearest.sort_by(|a, b| a.0.total_cmp(&b.0));
        let removed: Vec<u32> =
            nearest.iter().take(present.len().div_ceil(100)).map(|&(_, cell)| cell).collect();
        let start = Instant::now();
        mesh.remove_cells(&removed).unwrap();
        mesh.prepare(needs);
        let cut = start.elapsed().as_secs_f64();
        let (cells, positions) = (left(mesh.cells()).0, mesh.points().positions().to_vec());
        let start = Instant::now();
        let mut new = TetraMesh::new(positions, cells).unwrap();
        new.prepare(needs);
        let rebuild = start.elapsed().as_secs_f64();
        ratios.push(rebuild / cut);
        times.push((cut, rebuild));
        compare_tetra(&mut mesh, &mut numbers, steps as f64);
    }
    if is_long {
        ratios.sort_by(f64::total_cmp);
        times.sort_by(|a, b| a.0.total_cmp(&b.0));
        let (cut, rebuild) = times[times.len() / 2];
        eprintln!("cut {:.3} ms, rebuild {:.3} ms", 1e3 * cut, 1e3 * rebuild);
        eprintln!("times faster: least {:.1}, median {:.1}", ratios[0], ratios[ratios.len() / 2]);
    }
    assert!(mesh.is_cut());
}
