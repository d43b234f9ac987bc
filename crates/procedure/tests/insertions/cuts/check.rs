//! What a division must be.

use super::material::{Exact, Material, places};
use palpate_contact::NONE;
use palpate_geometry::{Geometry, Needs, TetraMesh};
use palpate_math::Point;
use palpate_math::orient::orient3d;
use palpate_procedure::{Divisible, Division};
use palpate_tests::Random;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// A part of a mesh that hangs together by facets.
#[derive(Debug)]
pub(crate) struct Part {
    pub(crate) cells: Vec<u32>,
    /// Vertices less edges plus faces less cells.
    pub(crate) euler: i64,
}

pub(crate) type Parts = Vec<Part>;

fn live<const N: usize>(cells: &[[u32; N]]) -> impl Iterator<Item = (u32, &[u32; N])> {
    (0..).zip(cells).filter(|(_, ids)| ids[0] != NONE)
}

/// The vertices of a cell but one, ascending.
fn facet<const N: usize>(ids: &[u32; N], but: usize) -> Vec<u32> {
    let mut facet: Vec<u32> = (0..N).filter(|&corner| corner != but).map(|corner| ids[corner]).collect();
    facet.sort_unstable();
    facet
}

fn facets<const N: usize>(cells: &[[u32; N]]) -> HashMap<Vec<u32>, Vec<u32>> {
    let mut facets: HashMap<Vec<u32>, Vec<u32>> = HashMap::new();
    for (cell, ids) in live(cells) {
        (0..N).for_each(|but| facets.entry(facet(ids, but)).or_default().push(cell));
    }
    facets
}

pub(crate) fn parts<const N: usize>(mesh: &impl Divisible<N>) -> Parts {
    let facets = facets(mesh.cells());
    let mut part: BTreeMap<u32, usize> = BTreeMap::new();
    let mut found = Vec::new();
    for (start, _) in live(mesh.cells()) {
        if part.contains_key(&start) {
            continue;
        }
        let (mut cells, mut next) = (vec![start], 0);
        part.insert(start, found.len());
        while let Some(&cell) = cells.get(next) {
            next += 1;
            let ids = &mesh.cells()[cell as usize];
            for &other in (0..N).flat_map(|but| &facets[&facet(ids, but)]) {
                if part.insert(other, found.len()).is_none() {
                    cells.push(other);
                }
            }
        }
        let mut simplices: BTreeSet<Vec<u32>> = BTreeSet::new();
        for &cell in &cells {
            for chosen in 1_usize..1 << N {
                let mut ids: Vec<u32> =
                    (0..N).filter(|k| chosen >> k & 1 == 1).map(|k| mesh.cells()[cell as usize][k]).collect();
                ids.sort_unstable();
                simplices.insert(ids);
            }
        }
        let euler = simplices.iter().map(|ids| if ids.len() % 2 == 1 { 1 } else { -1 }).sum();
        found.push(Part { cells, euler });
    }
    found
}

/// The parts of a cell add up to it exactly and are turned as it is; no facet has more than two cells; no facet lies open within
/// the mesh but where the cut has parted two cells that both have it.
pub(crate) fn check<const N: usize>(
    (before, mesh): (&[[u32; N]], &impl Divisible<N>),
    material: &Material,
    division: &Division,
    least: f64,
    what: &str,
) {
    let cells = mesh.cells();
    let mut sums: BTreeMap<u32, Vec<Exact>> = BTreeMap::new();
    let zero = || vec![Exact::zero(); if N == 3 { 3 } else { 1 }];
    for (cell, parent) in division.cells.clone().zip(&division.parents) {
        let (part, whole) =
            (material.measures(&cells[cell as usize]), material.measures(&before[*parent as usize]));
        let alike = part.iter().zip(&whole).all(|(x, y)| x.sign() == y.sign());
        assert!(alike && part.iter().any(|x| x.sign() != 0), "{what}: cell {cell} of {parent}");
        let sum = sums.entry(*parent).or_insert_with(zero);
        sum.iter_mut().zip(&part).for_each(|(sum, part)| *sum = sum.add(part));
        sizes(&cells[cell as usize], &before[*parent as usize], mesh.positions(), least, what);
    }
    assert!(sums.keys().eq(&division.removed), "{what}: the parents are the cells removed");
    for (parent, sum) in &sums {
        let whole = material.measures(&before[*parent as usize]);
        assert!(
            sum.iter().zip(&whole).all(|(x, y)| x.equals(y)),
            "{what}: the parts of cell {parent} add up"
        );
    }
    let was: BTreeSet<Vec<u32>> =
        facets(before).into_iter().filter(|(_, cells)| cells.len() == 1).map(|(facet, _)| facet).collect();
    let most_before = facets(before).values().map(Vec::len).max();
    let now = facets(cells);
    assert!(
        now.values().map(Vec::len).max() <= most_before.max(Some(2)),
        "{what}: facets of one or two cells"
    );
    // With copies laid on what they copy, open facets lie in facets that were open.
    let place = places(division);
    let mut by_place: HashMap<Vec<u32>, usize> = HashMap::new();
    for (facet, cells) in &now {
        let mut key: Vec<u32> = facet.iter().map(|&id| place(id)).collect();
        key.sort_unstable();
        *by_place.entry(key).or_default() += cells.len();
    }
    for (key, count) in by_place {
        assert!(count <= 2 || Some(count) <= most_before, "{what}: {count} cells at {key:?}");
        if count == 1 {
            let of = |id: u32| match id.checked_sub(division.first_vertex) {
                Some(new) => division.vertices[new as usize].of,
                None => [id; 2],
            };
            let support: BTreeSet<u32> = key.iter().flat_map(|&id| of(id)).collect();
            let support: Vec<u32> = support.into_iter().collect();
            assert!(was.contains(&support), "{what}: {key:?} of {support:?} is open");
        }
    }
}

/// In plain numbers too a part is turned as the whole, and none is smaller than allowed.
fn sizes<const N: usize>(part: &[u32; N], whole: &[u32; N], positions: &[Point], least: f64, what: &str) {
    if N != 4 {
        return;
    }
    let volume = |ids: &[u32; N]| {
        let at = |k: usize| &positions[ids[k] as usize];
        orient3d(at(0), at(1), at(2), at(3)) / 6.0
    };
    let [of_part, of_whole] = [part, whole].map(volume);
    assert!(of_part * of_whole > 0.0, "{what}: {of_part:e} of {of_whole:e}");
    assert!(of_part.abs() >= least.min(of_whole.abs()) * (1.0 - 1e-9), "{what}: {of_part:e} < {least:e}");
}

/// A mesh made anew of the cells that are left answers alike.
pub(crate) fn equals_new(mesh: &mut TetraMesh, random: &mut Random, size: f64, what: &str) {
    let (numbers, cells): (Vec<u32>, Vec<[u32; 4]>) = live(mesh.cells()).unzip();
    let mut new = TetraMesh::new(mesh.points().positions().to_vec(), cells).expect("valid");
    let needs = Needs::TREE | Needs::BOUNDARY;
    mesh.prepare(needs);
    new.prepare(needs);
    let boundary = |mesh: &TetraMesh| {
        let mut all: Vec<[u32; 3]> =
            mesh.boundary_triangles().iter().filter(|ids| ids[0] != NONE).copied().collect();
        all.iter_mut().for_each(|ids| {
            let least = (0..3).min_by_key(|&k| ids[k]).unwrap_or(0);
            ids.rotate_left(least);
        });
        all.sort_unstable();
        all
    };
    assert_eq!(boundary(mesh), boundary(&new), "{what}");
    let closedness = |mesh: &TetraMesh| mesh.boundary().expect("valid").adjacency().closedness;
    assert_eq!(closedness(mesh), closedness(&new), "{what}");
    for _ in 0..20 {
        let point = Point::from(random.vector() * size);
        let cell = new.holding_cell(&point).map(|cell| numbers[cell as usize]);
        assert_eq!(mesh.holding_cell(&point), cell, "{what}");
        let [own, other] = [&*mesh, &new]
            .map(|mesh| mesh.signed_distance(&point, f64::INFINITY).map(|(found, _)| found.distance));
        assert_eq!(own, other, "{what}");
    }
}
