//! A pair in a frame of a session.

use super::chain::Chain;
use crate::args::ExplainArguments;
use crate::error::CommandError;
use crate::output::{Output, refuse_own_input};
use crate::picture::{Body, View};
use crate::{json, terminal, text};
use palpate::explain::Explanation;
use palpate::geometry::{TypedGeometry, cells_left};
use palpate::math::{Aabb, Point, Vector};
use palpate::replay::{Replay, ReplayError};
use palpate::scene::PairId;
use serde::Serialize;
use std::io::Write;
use std::path::Path;

/// The result as JSON.
#[derive(Serialize)]
struct Said<'a> {
    frame: usize,
    time: f64,
    a: &'a str,
    b: &'a str,
    /// Whether the session names the pair, or names none.
    is_in_session: bool,
    #[serde(flatten)]
    chain: Chain<'a>,
}

/// Whether a session names a pair of these objects; it has all pairs if it names none.
fn is_named(replay: &Replay, names: [&str; 2]) -> bool {
    let pairs = replay.reader().map(|reader| &reader.info().pairs[..]).unwrap_or_default();
    let [a, b] = names;
    let is_same = |one: &str, two: &str| (one, two) == (a, b) || (two, one) == (a, b);
    pairs.is_empty() || pairs.iter().any(|pair| is_same(&pair.a, &pair.b))
}

/// Explains a pair. Errors: a session that cannot be replayed, a frame that it does not have, an output that cannot be written.
pub(super) fn run(arguments: &ExplainArguments) -> Result<(), CommandError> {
    let options = arguments.read.replay_options(&arguments.mesh, arguments.margin)?;
    let frame = arguments.frame.unwrap_or_default();
    let point = arguments.point.as_deref().map(place).transpose()?;
    let pairs: Vec<String> = arguments.pair.iter().cloned().collect();
    let mut replay = crate::replay::pairs::replay(&arguments.files, &pairs, options)?;
    replay.load(frame)?;
    let pair = replay.pairs().next().ok_or(ReplayError::NoFrames)?;
    let chain = replay.explain(pair, point)?;
    let [a, b] = replay.names(pair)?;
    let is_in_session = is_named(&replay, [a, b]);
    let said = Said { frame, time: replay.time(), a, b, is_in_session, chain: Chain::new(&chain) };
    if let Some(out) = &arguments.out {
        refuse_own_input(out, &arguments.files)?;
        match out.extension().and_then(|ending| ending.to_str()) {
            Some("json") => {
                let mut output = Output::create(Some(out))?;
                let written = output.write_all(json::lines(&said).as_bytes());
                written.map_err(|error| CommandError::io(out, "writing", error))?;
                output.finish()?;
            }
            Some("png") => picture(&replay, pair, &chain, point, out)?,
            _ => {
                return Err(CommandError::Argument {
                    argument: "--out",
                    found: out.display().to_string(),
                    wanted: "a name that ends in .json or .png".to_owned(),
                });
            }
        }
    }
    if arguments.json {
        return terminal::print_json(&said);
    }
    let filtered = "The session does not detect this pair: it is none of those that it names, or its groups leave it out. If it did:\n";
    let lines = format!("{}{chain}", if is_in_session { "" } else { filtered });
    terminal::print(&lines.lines().map(|line| text::line(line) + "\n").collect::<String>())
}

fn place(text: &str) -> Result<Point, CommandError> {
    let numbers: Result<Vec<f64>, _> = text.split(',').map(|number| number.trim().parse()).collect();
    match numbers.as_deref() {
        Ok(&[x, y, z]) if [x, y, z].iter().all(|x| x.is_finite()) => Ok(Point::new(x, y, z)),
        _ => Err(CommandError::Argument {
            argument: "--point",
            found: text.to_owned(),
            wanted: "three numbers as 0.1,0,-0.2".to_owned(),
        }),
    }
}

/// Draws the meshes and capsules of the pair, with its contacts: round the deepest one, or the place.
fn picture(
    replay: &Replay,
    pair: PairId,
    chain: &Explanation,
    point: Option<Point>,
    out: &Path,
) -> Result<(), CommandError> {
    let scene = replay.scene();
    let found = scene.pair(pair).map_err(ReplayError::from)?;
    let (mut meshes, mut bodies, mut all) = (Vec::new(), Vec::new(), Aabb::EMPTY);
    for id in [found.a(), found.b()] {
        let geometry = scene.geometry(id).map_err(ReplayError::from)?;
        let placement = scene.placement(id).map_err(ReplayError::from)?;
        let world = |point: &Point| placement.map_or(*point, |pose| pose * point);
        match TypedGeometry::of(geometry) {
            TypedGeometry::Capsule(capsule) => {
                bodies.push(Body::Capsule(capsule.ends(), capsule.radius()));
                all = all.merged(&geometry.bounds());
            }
            TypedGeometry::Sphere(ball) => {
                bodies.push(Body::Capsule([ball.center(), ball.center()], ball.radius()));
                all = all.merged(&geometry.bounds());
            }
            typed => {
                let Some(points) = geometry.as_points() else { continue };
                let radius = points.radius();
                let points: Vec<Point> = points.positions().iter().map(world).collect();
                points.iter().for_each(|point| all = all.merged(&Aabb { min: *point, max: *point }));
                let triangles = match typed {
                    TypedGeometry::SurfaceMesh(mesh) => cells_left(mesh.triangles()).copied().collect(),
                    TypedGeometry::TetraMesh(mesh) => {
                        cells_left(mesh.boundary_triangles()).copied().collect()
                    }
                    _ => Vec::new(),
                };
                meshes.push((points, triangles, radius));
            }
        }
    }
    let size = all.diagonal_length();
    for (points, triangles, radius) in &meshes {
        bodies.push(match triangles.is_empty() {
            true => Body::Thread(points, radius.max(size * 1e-3)),
            false => Body::Mesh(points, triangles),
        });
    }
    let deepest = chain.contacts.iter().max_by(|one, two| one.depth.total_cmp(&two.depth));
    let center = point.or(deepest.map(|contact| contact.a.surface_point()));
    let center = center.unwrap_or_else(|| all.min + (all.max - all.min) * 0.5);
    let (contacts, from) = (chain.contacts.clone(), Vector::new(0.4, 0.5, 1.0));
    View { bodies, contacts, center, radius: 0.5 * size, from }.draw().write(out)
}
