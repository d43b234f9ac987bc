//! The exit of a segment from a sheet that it pierces: all sides and ends of all triangles in the order of their distance
//! from the segment, joined one after another (Kruskal 1956), until the piercing point can leave.

use super::distance::{on_segments, on_triangle, piercing, segment_on_triangle};
use super::surface::Surface;
use palpate_math::Point;
use std::collections::BTreeMap;

/// Piercing points closer together than this, as a parameter of the segment, are one.
const SAME: f64 = 1e-9;

/// How a segment leaves a sheet.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Way {
    /// By this end, through the element of these vertices.
    End(usize, Vec<u32>),
    /// Over the edge of these vertices, at this parameter of the segment.
    Over([u32; 2], f64),
}

/// What happens at a distance.
#[derive(Clone, Debug)]
enum Event {
    End { end: usize, triangle: usize },
    Side { ids: [u32; 2], at: f64, triangles: Vec<usize> },
}

/// All triangles, each with its connected part so far.
struct Parts {
    part: Vec<usize>,
    /// Per triangle, the sense in which the segment passes through it, with the winding of the first triangle.
    senses: Vec<(f64, i32)>,
}

impl Parts {
    fn join(&mut self, triangles: &[usize]) {
        let least =
            triangles.iter().map(|&triangle| self.part[triangle]).min().expect("a side has triangles");
        for &triangle in triangles {
            let other = self.part[triangle];
            self.part.iter_mut().filter(|part| **part == other).for_each(|part| *part = least);
        }
    }

    /// How many more piercing points of a part have one sense than the other.
    fn net(&self, of: usize) -> i32 {
        let own = (0..self.part.len()).filter(|&other| self.part[other] == self.part[of]);
        let mut places: Vec<(f64, i32)> =
            own.map(|index| self.senses[index]).filter(|(t, _)| !t.is_nan()).collect();
        places.sort_by(|x, y| x.0.total_cmp(&y.0));
        let at_one_place = places.chunk_by(|x, y| y.0 - x.0 <= SAME);
        let sense = |place: &[(f64, i32)]| {
            place.iter().map(|at| at.1).max().unwrap_or(0).max(0)
                + place.iter().map(|at| at.1).min().unwrap_or(0).min(0)
        };
        at_one_place.map(sense).sum()
    }
}

/// The least exit of a segment from a sheet, starting at a triangle that it pierces, and the ways as short to `verge`;
/// `may_exit` are the ends that may.
pub(super) fn least_exit(
    surface: &Surface,
    ends: &[Point; 2],
    triangle: usize,
    may_exit: [bool; 2],
    verge: f64,
) -> (f64, Vec<Way>) {
    let sides = sides(surface);
    let mut events = events(surface, &sides, ends, may_exit);
    events.sort_by(|x, y| x.0.total_cmp(&y.0));
    let mut parts = Parts {
        part: (0..surface.triangles.len()).collect(),
        senses: senses(surface, &sides, ends, triangle),
    };
    let mut free = vec![false; surface.triangles.len()];
    let mut last = None;
    for index in 0..events.len() {
        let (distance, event) = &events[index];
        let way = match event {
            Event::End { end, triangle: of } => {
                free[*of] = true;
                by_end(surface, ends, *end, *of)
            }
            Event::Side { ids, at, triangles } => {
                parts.join(triangles);
                free[triangles[0]] |= triangles.len() == 1;
                last = Some(Way::Over(*ids, *at));
                Way::Over(*ids, *at)
            }
        };
        let leaves = (0..free.len()).any(|other| free[other] && parts.part[other] == parts.part[triangle]);
        let is_level = events.get(index + 1).is_none_or(|next| next.0 > distance + 1e-3 * verge);
        let way =
            if leaves { Some(way) } else { last.clone().filter(|_| is_level && parts.net(triangle) == 0) };
        if let Some(way) = way {
            // Others as near, whichever of them the segment reaches.
            let near = events.iter().filter(|other| (other.0 - distance).abs() <= verge);
            let mut ways = vec![way];
            for (_, event) in near {
                let other = match event {
                    Event::End { end, triangle } => by_end(surface, ends, *end, *triangle),
                    Event::Side { ids, at, .. } => Way::Over(*ids, *at),
                };
                if !ways.contains(&other) {
                    ways.push(other);
                }
            }
            return (*distance, ways);
        }
    }
    (f64::INFINITY, Vec::new())
}

/// The way by an end through the nearest element of a triangle.
fn by_end(surface: &Surface, ends: &[Point; 2], end: usize, triangle: usize) -> Way {
    let (ids, corners) = &surface.triangles[triangle];
    let mut element: Vec<u32> =
        on_triangle(&ends[end], corners).part.0.into_iter().map(|corner| ids[corner]).collect();
    element.sort_unstable();
    Way::End(end, element)
}

/// The element of the sheet through which all of the ways lead, and the end, if they lead by one; `None` if they differ.
pub(super) fn one_way(ways: &[Way]) -> Option<&Way> {
    let first = ways.first()?;
    ways.iter().all(|way| way == first).then_some(first)
}

/// The triangles of every side.
fn sides(surface: &Surface) -> BTreeMap<[u32; 2], Vec<usize>> {
    let mut sides: BTreeMap<[u32; 2], Vec<usize>> = BTreeMap::new();
    for (index, (ids, _)) in surface.triangles.iter().enumerate() {
        for k in 0..3 {
            let (from, to) = (ids[k], ids[(k + 1) % 3]);
            sides.entry([from.min(to), from.max(to)]).or_default().push(index);
        }
    }
    sides
}

fn events(
    surface: &Surface,
    sides: &BTreeMap<[u32; 2], Vec<usize>>,
    ends: &[Point; 2],
    may_exit: [bool; 2],
) -> Vec<(f64, Event)> {
    let place = |id: u32, triangle: usize| {
        let (ids, corners) = &surface.triangles[triangle];
        corners[ids.iter().position(|own| *own == id).expect("the triangle has the vertex")]
    };
    let of_sides = sides.iter().map(|(ids, triangles)| {
        let near = on_segments(ends, &ids.map(|id| place(id, triangles[0])));
        // A third triangle at a side is not adjacent to the others.
        let triangles = triangles[..triangles.len().min(2)].to_vec();
        (near.distance, Event::Side { ids: *ids, at: near.s, triangles })
    });
    let of_ends = (0..2).filter(|&end| may_exit[end]).flat_map(|end| {
        surface.triangles.iter().enumerate().map(move |(triangle, (_, corners))| {
            (on_triangle(&ends[end], corners).distance, Event::End { end, triangle })
        })
    });
    of_sides.chain(of_ends).collect()
}

/// Per triangle the parameter where the segment pierces it (NaN where it does not) and in which sense.
fn senses(
    surface: &Surface,
    sides: &BTreeMap<[u32; 2], Vec<usize>>,
    ends: &[Point; 2],
    first: usize,
) -> Vec<(f64, i32)> {
    let mut winding = vec![0; surface.triangles.len()];
    winding[first] = 1;
    let mut open = vec![first];
    while let Some(triangle) = open.pop() {
        for other in sides.values().filter(|both| both.len() == 2 && both.contains(&triangle)).flatten() {
            if winding[*other] == 0 {
                let turned = runs_along(surface, triangle, *other);
                winding[*other] = if turned { -winding[triangle] } else { winding[triangle] };
                open.push(*other);
            }
        }
    }
    let of = |(index, (_, corners)): (usize, &([u32; 3], [Point; 3]))| {
        let normal = (corners[1] - corners[0]).cross(&(corners[2] - corners[0]));
        let along = (ends[1] - ends[0]).dot(&normal);
        let touched = segment_on_triangle(ends, corners);
        let t = piercing(ends, corners).map(|(t, _)| t).or_else(|| touched.pierced.then_some(touched.t));
        let sense = i32::from(along > 0.0) - i32::from(along < 0.0);
        (t.unwrap_or(f64::NAN), winding[index] * sense)
    };
    surface.triangles.iter().enumerate().map(of).collect()
}

/// Whether two triangles use their common side in the same direction.
fn runs_along(surface: &Surface, one: usize, other: usize) -> bool {
    let runs = |triangle: usize| {
        let ids = surface.triangles[triangle].0;
        [0, 1, 2].map(|k| [ids[k], ids[(k + 1) % 3]])
    };
    runs(one).iter().any(|run| runs(other).contains(run))
}
