//! Thin tools in sheets, slabs and organs, moved out by their deepest contacts.

use super::bodies::{Placed, Tool, placed};
use super::least_exit::{Hull, least_exit};
use super::meshes::{OPENED, border, distance_from, piercings, place_on, prepared, scaled, without_cap};
use super::sheets::{Division, dome, flat, half_cylinder, slab, turned};
use super::turns::{across, tilted};
use super::{MM, SIZE, end, folder, is_asked, poses};
use nalgebra::Rotation3;
use palpate_contact::{CollisionData, Side};
use palpate_detect::{Choice, Context, Registry};
use palpate_geometry::SurfaceMesh;
use palpate_math::{Point, Vector};
use palpate_tests::compound::Body;
use palpate_tests::meshes::{CLOSED, Triangles};
use palpate_tests::{Random, Shape};
use std::collections::BTreeMap;
use std::path::Path;

/// Moves after which a body is given up.
const MOST_MOVES: usize = 12;

/// Contacts that are deeper than this are moved out of.
const DEEP: f64 = 1e-6 * SIZE;

/// By how much more than the depth a body is moved.
const BEYOND: f64 = 1e-9 * SIZE;

/// What a body is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Group {
    Flat,
    Curved,
    Opened,
    Closed,
    Slab,
}

struct Target {
    name: String,
    group: Group,
    mesh: SurfaceMesh,
    border: Vec<[Point; 2]>,
    /// Of a flat sheet or a slab.
    hull: Option<Hull>,
}

impl Target {
    fn new(name: impl Into<String>, group: Group, triangles: Triangles) -> Self {
        let mesh = prepared(triangles);
        let border = border(&mesh);
        Self { name: name.into(), group, mesh, border, hull: None }
    }
}

/// How a body came out.
#[derive(Clone, Copy)]
struct Outcome {
    tool: Tool,
    /// The number of the pose.
    number: usize,
    moves: usize,
    apart: bool,
    /// The way walked, by the least exit or by the depth of the tip.
    ratio: f64,
    /// Whether it is without deep contacts, but still in the surface.
    hidden: bool,
}

/// A box of these half extents, turned; a flat one has four corners.
fn hull(half: Vector, turn: &Rotation3<f64>) -> Hull {
    let levels: &[f64] = if half.z > 0.0 { &[-1.0, 1.0] } else { &[0.0] };
    let signs = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)];
    let all = levels.iter().flat_map(|&z| signs.map(|(x, y)| Vector::new(x, y, z)));
    let corners = all.map(|sign| turn * Point::from(sign.component_mul(&half))).collect();
    Hull { corners, axes: [Vector::x(), Vector::y(), Vector::z()].map(|axis| turn * axis) }
}

/// As it is, or turned anyhow.
fn turn_of(random: &mut Random, number: usize) -> Rotation3<f64> {
    if number == 0 { Rotation3::identity() } else { random.rotation().to_rotation_matrix() }
}

fn flat_sheets() -> Vec<Target> {
    let mut targets = Vec::new();
    for (number, cell) in [2.0, 5.0, 1.0].into_iter().enumerate() {
        for division in Division::ALL.into_iter().take(if number == 2 { 1 } else { 4 }) {
            let name = format!("flat, {division:?}, {cell} mm").to_lowercase();
            let mut random = Random::named(&name, 0);
            let turn = turn_of(&mut random, number);
            let sheet = turned(flat(cell * MM, division, &mut random), &turn);
            let hull = hull(Vector::new(0.5, 0.5, 0.0) * SIZE, &turn);
            targets.push(Target { hull: Some(hull), ..Target::new(name, Group::Flat, sheet) });
        }
    }
    targets
}

fn curved_sheets() -> Vec<Target> {
    let mut targets = Vec::new();
    for (cell, division) in [(2.5, Division::Regular), (5.0, Division::InTurn), (4.0, Division::Shaken)] {
        let sheet = flat(cell * MM, division, &mut Random::named("curved", cell as u64));
        let curved = [("half cylinder", half_cylinder(sheet.clone())), ("dome", dome(sheet))];
        targets.extend(curved.map(|(form, sheet)| {
            let name = format!("{form}, {division:?}, {cell} mm").to_lowercase();
            Target::new(name, Group::Curved, sheet)
        }));
    }
    targets
}

/// Slabs of half a cell to 20 cells of 3 mm.
fn slabs() -> Vec<Target> {
    let mut targets = Vec::new();
    for (number, thick) in [0.5, 1.0, 2.0, 5.0, 20.0].into_iter().enumerate() {
        let name = format!("slab, {thick} cells");
        let size = Vector::new(60.0, 60.0, 3.0 * thick) * MM;
        let turn = turn_of(&mut Random::named(&name, 0), number % 2);
        let mesh = turned(slab([20, 20, thick.max(1.0) as u32], size), &turn);
        let hull = hull(size / 2.0, &turn);
        targets.push(Target { hull: Some(hull), ..Target::new(name, Group::Slab, mesh) });
    }
    targets
}

fn real_meshes(folder: &Path) -> Vec<Target> {
    let contents = |file: &str| {
        let contents = scaled(&folder.join(file));
        (contents.positions, contents.triangles)
    };
    let opened =
        OPENED.map(|file| Target::new(format!("{file}, open"), Group::Opened, without_cap(&contents(file))));
    let closed = CLOSED.into_iter().filter(|file| OPENED.contains(file) || poses().is_some());
    let closed = closed.map(|file| (file, contents(file))).filter(|(_, mesh)| !mesh.1.is_empty());
    let closed = closed.map(|(file, mesh)| Target::new(format!("{file}, closed"), Group::Closed, mesh));
    opened.into_iter().chain(closed).collect()
}

/// Whether the tool goes through the surface at its tip alone: its axis once, and lines beside it not twice.
fn goes_in_once(target: &Target, tool: &Placed) -> bool {
    let [tip, other] = tool.axis;
    let first = across(&(tip - other).normalize()) * tool.radius;
    let second = (tip - other).normalize().cross(&first);
    let count = |by: Vector| piercings(&[tip + by, other + by], &target.mesh, 0.0).len();
    let beside = [first, -first, second, -second, first + second, first * 3.0];
    let lines = tool.body.parts().iter().filter_map(|part| match part {
        Shape::Capsule { pose, length, .. } => {
            Some([-0.5, 0.5].map(|end| pose * Point::new(0.0, end * length, 0.0)))
        }
        _ => None,
    });
    let once = lines.map(|ends| piercings(&ends, &target.mesh, 0.0).len()).all(|count| count <= 1);
    once && count(Vector::zeros()) == 1 && beside.into_iter().all(|by| count(by) <= 1)
}

/// A tool with its tip 1 to 10 mm behind the surface, and that depth; `away` from the border by 20 mm, or
/// anywhere.
fn stuck(target: &Target, tool: Tool, away: bool, random: &mut Random) -> Option<(Placed, f64)> {
    for _ in 0..300 {
        let (place, normal) = place_on(&target.mesh, random);
        if away && distance_from(&target.border, &place) < 20.0 * MM {
            continue;
        }
        // A sheet is entered from any side.
        let is_closed = matches!(target.group, Group::Closed | Group::Slab);
        let outward = if target.mesh.winds_inward() { -normal } else { normal };
        let inward = if is_closed || random.one_in(2) { -outward } else { outward };
        let (direction, angle) = tilted(&inward, 40.0_f64.to_radians(), random);
        let depth = random.between(MM, 10.0 * MM);
        let placed = placed(tool, place + direction * (depth / angle.cos()), &direction, random);
        if target.hull.is_some() || goes_in_once(target, &placed) {
            return Some((placed, depth));
        }
    }
    None
}

/// The least exit from a target with a known hull.
fn exit(target: &Target, body: &Body, axis: &[Point; 2]) -> Option<f64> {
    let hull = target.hull.as_ref()?;
    Some(least_exit(hull, body, &(axis[0] - axis[1]).normalize()))
}

/// Moves a tool by its deepest contact until none is deep.
fn push_out(registry: &Registry, target: &Target, stuck: (Placed, f64)) -> Outcome {
    let (Placed { tool, mut body, mut axis, .. }, depth) = stuck;
    let least = exit(target, &body, &axis).unwrap_or(depth);
    let mut geometry = body.prepared();
    let bound = registry.bind(geometry.as_ref(), &target.mesh, Choice::default());
    let mut bound = bound.expect("there is a detector of tools and surfaces");
    let (mut out, mut moves, mut way, mut apart) = (CollisionData::new(), 0, 0.0, false);
    loop {
        let run = bound.run(geometry.as_ref(), &target.mesh, &Context::new(), &mut out);
        run.expect("both are prepared");
        let Some(deepest) = out.deepest().filter(|contact| contact.depth > DEEP) else {
            apart = true;
            break;
        };
        if moves == MOST_MOVES {
            break;
        }
        let step = deepest.direction_of(Side::A) * (deepest.depth + BEYOND);
        body = body.map(|shape| shape.shifted(&step));
        axis = axis.map(|end| end + step);
        body.place(geometry.as_mut());
        (moves, way) = (moves + 1, way + step.norm());
    }
    let part_overlaps =
        |part: &Shape| exit(target, &Body::Whole(part.clone()), &axis).unwrap_or(0.0) > 2.0 * DEEP;
    let overlaps = apart && body.parts().iter().any(part_overlaps);
    let is_through = apart && !piercings(&axis, &target.mesh, 10.0 * DEEP).is_empty();
    Outcome { tool, number: 0, moves, apart, ratio: way / least, hidden: overlaps || is_through }
}

impl Outcome {
    fn is_in_after(&self, moves: usize) -> bool {
        !self.apart || self.moves > moves
    }
}

/// The outcomes of a line of a table.
#[derive(Default)]
struct Line(Vec<Outcome>);

impl Line {
    fn count(&self, counts: impl Fn(&Outcome) -> bool) -> usize {
        self.0.iter().filter(|outcome| counts(outcome)).count()
    }

    /// How many are not apart after so many moves.
    fn after(&self, moves: usize) -> usize {
        self.count(|outcome| outcome.is_in_after(moves))
    }

    fn median(&self, of: impl Fn(&Outcome) -> f64) -> f64 {
        let mut values: Vec<f64> = self.0.iter().map(of).collect();
        values.sort_by(f64::total_cmp);
        values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
    }

    fn median_moves(&self) -> usize {
        self.median(|outcome| outcome.moves as f64) as usize
    }

    fn worst(&self) -> f64 {
        self.0.iter().map(|outcome| outcome.ratio).fold(0.0, f64::max)
    }

    fn print(&self, name: &str) {
        println!(
            "{name:42}{:6}{:7}{:6}{:9}{:9}{:9}{:8}{:8.2}{:8.2}{:11}",
            self.0.len(),
            self.median_moves(),
            self.0.iter().map(|outcome| outcome.moves).max().unwrap_or(0),
            self.after(1),
            self.after(4),
            self.after(MOST_MOVES),
            self.count(|outcome| outcome.hidden),
            self.median(|outcome| outcome.ratio),
            self.worst(),
            self.count(|outcome| outcome.ratio > 1.5),
        );
    }
}

fn print_head(title: &str) {
    println!(
        "{title:42}{:>6}{:>7}{:>6}{:>9}{:>9}{:>9}{:>8}{:>8}{:>8}{:>11}",
        "poses", "median", "most", "after 1", "after 4", "after 12", "hidden", "way", "worst", "way > 1.5"
    );
}

/// Whether a group has to keep to the number of moves, and to the way.
fn wanted(group: Group) -> [bool; 2] {
    match group {
        Group::Flat | Group::Slab => [true, true],
        Group::Curved | Group::Opened => [true, false],
        Group::Closed => [false, false],
    }
}

/// The share of the poses of a group that may need more than four moves, or go farther than 1.5 times the least exit.
///
/// Near a border the exit of a chord may be shorter than that of the body, and on curved or thin surfaces the way through
/// the nearest place may not be that of the body.
fn may_fail(group: Group) -> f64 {
    match group {
        Group::Flat => 0.03,
        Group::Curved => 0.05,
        Group::Opened | Group::Slab => 0.12,
        Group::Closed => 1.0,
    }
}

fn failures_of(group: Group, line: &Line) -> Vec<String> {
    let [by_moves, by_way] = wanted(group);
    let mut failures = Vec::new();
    let mut fail = |counts: &dyn Fn(&Outcome) -> bool, share: f64, what: &str| {
        let failed: Vec<&Outcome> = line.0.iter().filter(|outcome| counts(outcome)).collect();
        let first = failed.iter().take(8).map(|failed| format!("{:?} {}", failed.tool, failed.number));
        let first = first.collect::<Vec<_>>().join(", ");
        if failed.len() as f64 > share * line.0.len() as f64 {
            failures.push(format!("{group:?}: {} of {} {what}: {first}", failed.len(), line.0.len()));
        }
    };
    if by_moves {
        fail(&|outcome| outcome.is_in_after(4), may_fail(group), "are not apart after 4 moves");
        fail(&|outcome| outcome.hidden, 0.0, "overlap without a contact");
    }
    if by_way {
        fail(&|outcome| outcome.ratio > 1.5, may_fail(group), "walk more than 1.5 times the least exit");
    }
    if by_moves && line.median_moves() > 1 {
        failures.push(format!("{group:?}: half need {} moves", line.median_moves()));
    }
    failures
}

/// All poses of every tool in a target, away from its border and anywhere.
fn outcomes(registry: &Registry, target: &Target, tool: Tool, mut take: impl FnMut(bool, Outcome)) {
    for number in 0..poses().unwrap_or(4) {
        for away in [true, false] {
            let name = format!("{}, {tool:?}, {away}", target.name);
            let mut random = Random::named(&name, number as u64);
            if let Some(stuck) = stuck(target, tool, away, &mut random) {
                take(away, Outcome { number, ..push_out(registry, target, stuck) });
            }
        }
    }
}

#[test]
fn deepest_contacts_lead_out_of_sheets_slabs_and_organs() {
    let Some(folder) = folder() else { return };
    let registry = Registry::standard();
    let mut targets: Vec<Target> = flat_sheets();
    targets.extend(curved_sheets().into_iter().chain(slabs()).chain(real_meshes(&folder)));
    let mut by_tool: BTreeMap<(Group, bool, Tool), Line> = BTreeMap::new();
    let mut failures = Vec::new();
    print_head("target");
    for target in targets.iter().filter(|target| is_asked(&target.name)) {
        let mut lines = [Line::default(), Line::default()];
        for tool in Tool::ALL {
            outcomes(&registry, target, tool, |away, outcome| {
                // A closed surface has no border to be away from.
                let anywhere = !away && !target.border.is_empty();
                by_tool.entry((target.group, anywhere, tool)).or_default().0.push(outcome);
                lines[usize::from(anywhere)].0.push(outcome);
            });
        }
        for (line, where_) in lines.iter().zip(["", ", any place"]).filter(|(line, _)| !line.0.is_empty()) {
            let name = format!("{}{where_}", target.name);
            line.print(&name);
        }
    }
    let mut by_group: BTreeMap<Group, Line> = BTreeMap::new();
    for ((group, ..), line) in &by_tool {
        by_group.entry(*group).or_default().0.extend(line.0.iter().cloned());
    }
    for (group, line) in &by_group {
        line.print(&format!("{group:?}").to_lowercase());
        failures.extend(failures_of(*group, line));
    }
    println!();
    print_head("tool");
    for ((group, anywhere, tool), line) in &by_tool {
        let place = if *anywhere { ", any place" } else { "" };
        line.print(&format!("{group:?}, {tool:?}{place}").to_lowercase());
    }
    end(&failures);
}
