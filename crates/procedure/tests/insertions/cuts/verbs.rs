//! Scissors, a cautery, what a blade passes through and when, and a needle in tissue that is cut.

use super::check::parts;
use crate::cost::block;
use palpate_contact::NONE;
use palpate_geometry::{Geometry, LineMesh, Needs, TetraMesh};
use palpate_math::{Point, Vector};
use palpate_procedure::{
    Blade, CrossingId, CutLimits, Shaft, ShaftTracker, Sweep, SweptCell, cauterize, swept_cells,
};
use palpate_tests::Random;

const NEEDS: Needs = Needs::TREE.union(Needs::BOUNDARY);

/// Two edges that close on a plane through a block part it.
#[test]
fn scissors_cut_through() {
    let mut mesh = block(4);
    let row = |y: f64| [Point::new(-4e-3, y, 0.1e-3), Point::new(4e-3, y, 0.3e-3)];
    let sweeps =
        [(-4e-3, 0.2e-3), (4e-3, 0.2e-3)].map(|(from, to)| Sweep::new(&row(from), &row(to)).unwrap());
    let mut blade = Blade::default();
    let divisions = blade.close(&mut mesh, sweeps.each_ref()).unwrap();
    assert!(divisions.iter().all(|division| division.cuts.len() > 20));
    assert_eq!((parts(&mesh).len(), blade.front().len()), (2, 0));
}

#[test]
fn a_cautery_removes_what_it_touches() {
    let mut mesh = block(4);
    let (centre, radius) = (Point::new(0.3e-3, 0.2e-3, 1.9e-3), 0.8e-3);
    let before = mesh.cells().to_vec();
    let removed = cauterize(&mut mesh, &centre, radius).unwrap();
    let touches = |ids: &[u32; 4]| {
        let corners = ids.map(|id| mesh.points().positions()[id as usize]);
        palpate_math::nearest::point_tetrahedron(&centre, corners.each_ref()).distance_squared
            <= radius * radius
    };
    let wanted: Vec<u32> = (0..).zip(&before).filter(|(_, ids)| touches(ids)).map(|(cell, _)| cell).collect();
    assert!(removed == wanted && removed.len() > 20, "{}", removed.len());
    assert!(removed.iter().all(|&cell| mesh.is_removed(cell)));
}

/// A thread of ten segments, cut in the middle of the sixth.
#[test]
fn a_thread_is_cut() {
    let points = (0..=10).map(|k| Point::new(f64::from(k), 0.0, 0.0)).collect();
    let mut thread = LineMesh::polyline(points).unwrap();
    thread.prepare(Needs::TREE);
    let row = |y: f64| [Point::new(5.25, y, -1.0), Point::new(5.25, y, 1.0)];
    let division = Blade::default().cut(&mut thread, &Sweep::new(&row(-1.0), &row(1.0)).unwrap()).unwrap();
    assert_eq!((division.removed, division.vertices.len(), parts(&thread).len()), (vec![5], 2, 2));
    let lengths = division.cells.map(|cell| {
        let [a, b] = thread.segment(cell);
        (b - a).norm()
    });
    assert_eq!(lengths.collect::<Vec<_>>(), [0.25, 0.75]);
}

/// A cell is swept where the blade's edge, at one of many times, passes through it.
#[test]
fn swept_cells_are_those_the_edge_passes_through() {
    let (mut found, mut tested, mut near) = (Vec::new(), 0, 0);
    for number in 0..20 {
        let mut random = Random::named("swept", number);
        let mesh = block(2 + number as u32 % 3);
        let mut row = || [0; 3].map(|_| Point::from(random.vector() * 2e-3));
        let (before, now) = (row(), row());
        swept_cells(&mesh, &Sweep::new(&before, &now).unwrap(), &mut found).unwrap();
        assert!(found.windows(2).all(|two| two[0].times[0] <= two[1].times[0]));
        let mut sampled = vec![[f64::INFINITY, f64::NEG_INFINITY]; mesh.cells().len()];
        // On the two triangles of each segment, the points of one time are on a line through the diagonal.
        for step in 0..=200 {
            let time = f64::from(step) / 200.0;
            for k in 0..2 {
                let at = |from: Point, to: Point| from + (to - from) * time;
                let ends = [at(before[k], now[k]), at(before[k + 1], now[k]), at(before[k + 1], now[k + 1])];
                for s in 0..100 {
                    let s = f64::from(s) / 50.0;
                    let (from, to) = if s < 1.0 { (ends[0], ends[1]) } else { (ends[1], ends[2]) };
                    let point = from + (to - from) * (s % 1.0);
                    if let Some(cell) = mesh.holding_cell(&point) {
                        let times = &mut sampled[cell as usize];
                        *times = [times[0].min(time), times[1].max(time)];
                    }
                }
            }
        }
        for (cell, sampled) in (0..).zip(&sampled).filter(|(_, times)| times[0] <= times[1]) {
            let SweptCell { times, .. } = *found.iter().find(|found| found.cell == cell).expect("found");
            assert!(times[0] <= sampled[0] + 1e-9 && times[1] >= sampled[1] - 1e-9, "{times:?} {sampled:?}");
            near += usize::from(times[0] > sampled[0] - 0.05 && times[1] < sampled[1] + 0.05);
            tested += 1;
        }
    }
    assert!(tested > 300 && near * 10 > tested * 9, "{tested} {near}");
}

/// A needle through the block; a blade cuts beside it, then through it: its crossings keep their ids, and its path has no gap.
#[test]
fn crossings_last_through_a_cut() {
    let mut mesh: TetraMesh = block(6);
    let along = Vector::new(0.1, 0.05, 1.0);
    let points: Vec<Point> =
        (0..=4).map(|k| Point::origin() + along * (6e-3 - 3e-3 * f64::from(k))).collect();
    let shaft = Shaft::new(&[&points]).unwrap();
    let mut tracker = ShaftTracker::new(0.0);
    tracker.update(&shaft, &mesh).unwrap();
    let ids = |tracker: &ShaftTracker| tracker.crossings().iter().map(|c| c.id).collect::<Vec<CrossingId>>();
    let before = ids(&tracker);
    assert_eq!(before.len(), 2);
    let length: f64 = tracker.path().iter().map(|stay| stay.length()).sum();
    let (mut blade, mut cut_through) = (Blade::new(CutLimits::default()), 0);
    for frame in 0..12 {
        let row = |x: f64| {
            [0.0, 1.0, 2.0].map(|k| Point::new(x, (4.0 - 3.0 * k) * 1e-3 + 0.3 * x, 4e-3 - 3.1e-3 * k))
        };
        let x = |frame: i32| (-3.6 + 0.6 * f64::from(frame)) * 1e-3;
        let sweep = Sweep::new(&row(x(frame)), &row(x(frame + 1))).unwrap();
        blade.cut(&mut mesh, &sweep).unwrap();
        mesh.prepare(NEEDS);
        tracker.update(&shaft, &mesh).unwrap();
        // Where the cut has passed the needle, it leaves the one side of the cut and enters the other.
        let now = ids(&tracker);
        assert_eq!([now.first(), now.last()], [before.first(), before.last()], "frame {frame}");
        cut_through = cut_through.max(now.len());
        assert!(now.len() % 2 == 0, "frame {frame}: {now:?}");
        let now: f64 = tracker.path().iter().map(|stay| stay.length()).sum();
        assert!((now - length).abs() < 1e-15, "frame {frame}: {now}, {length}");
    }
    let cut = mesh.cells().iter().filter(|ids| ids[0] == NONE).count();
    assert!(cut > 100 && cut_through == 4, "{cut} {cut_through}");
}
