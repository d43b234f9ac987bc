//! Surfaces that intersect themselves, recorded: a replay has their sides and their flag as they were decided.

use crate::record;
use palpate::detect::Flags;
use palpate::geometry::Sidedness;
use palpate::prelude::*;

/// Two tetrahedra of size 1, the second moved along x.
fn two(shift: f64) -> (Vec<Point>, Vec<[u32; 3]>) {
    let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let points = [0.0, shift].map(|shift| corners.map(|[x, y, z]| Point::new(x + shift, y, z)));
    let cells = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]];
    let cells = [0, 4].map(|first| cells.map(|ids| ids.map(|id| id + first)));
    (points.concat(), cells.concat())
}

fn surface(shift: f64) -> SurfaceMesh {
    let (points, cells) = two(shift);
    SurfaceMesh::new(points, cells).unwrap()
}

/// One intersects itself from the start and is moved apart, one is clean and moves into itself, one is replaced by another that
/// intersects itself: everybody keeps what was decided when it was made, live and replayed.
#[test]
fn the_flag_of_a_surface_that_intersects_itself_is_replayed() {
    let dirty = Flags::WINDING_NUMBER | Flags::SELF_INTERSECTING;
    let mut scene = Scene::standard();
    let ball = scene.add("ball", Sphere::new(Point::new(0.3, 0.2, 0.2), 0.1).unwrap()).unwrap();
    let ids = [("crossing", 0.25), ("folding", 2.0), ("replaced", 2.0)]
        .map(|(name, shift)| scene.add(name, surface(shift)).unwrap());
    let pairs = ids.map(|id| scene.add_pair(id, ball, PairOptions::default()).unwrap());
    let mut seen = Vec::new();
    let found = record::record(&mut scene, 4, |scene, step| {
        seen.push(pairs.map(|pair| scene.pair(pair).unwrap().status().flags));
        match step {
            1 => scene.geometry_mut::<SurfaceMesh>(ids[0]).unwrap().set_positions(&two(2.0).0).unwrap(),
            2 => scene.geometry_mut::<SurfaceMesh>(ids[1]).unwrap().set_positions(&two(0.25).0).unwrap(),
            _ => *scene.geometry_mut::<SurfaceMesh>(ids[2]).unwrap() = surface(0.25),
        }
    });
    seen.push(pairs.map(|pair| scene.pair(pair).unwrap().status().flags));
    let none = Flags::empty();
    assert_eq!(seen, [[dirty, none, none], [dirty, none, none], [dirty, none, none], [dirty, none, dirty]]);
    assert!(found["ball"] >= 12, "{found:?}");
    let sides = ids.map(|id| scene.geometry_as::<SurfaceMesh>(id).unwrap().sidedness());
    assert_eq!(sides, [Sidedness::WindingNumber, Sidedness::Pseudonormals, Sidedness::WindingNumber]);
}

/// A description says it only beside the sidedness that was decided.
#[test]
fn a_description_has_the_flag_beside_a_sidedness_alone() {
    let text = palpate::describe::to_json(&surface(0.25)).unwrap();
    assert_eq!((&text["sidedness"], &text["self_intersecting"]), (&"winding_number".into(), &true.into()));
    assert!(palpate::describe::to_json(&surface(2.0)).unwrap().get("self_intersecting").is_none());
    let mut alone = text.clone();
    alone["sidedness"] = "auto".into();
    let error = palpate::describe::from_json(&alone).err().unwrap().to_string();
    let wanted = "self_intersecting: found true, wanted false, or the sidedness that was decided beside it";
    assert_eq!(error, wanted);
}
