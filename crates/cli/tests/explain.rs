//! `palpate explain` as a user runs it.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking, also in what its cases share")]

#[allow(dead_code, reason = "shared with the tests of the other subcommands, which use more of it")]
#[path = "command/run.rs"]
mod run;

use run::{files, palpate, palpate_with_input, text};
use serde_json::{Value, json};

/// The polygons of the worked example, and its start simplex.
fn worked_example() -> Value {
    json!({
        "id": "worked example",
        "a": {"type": "Polygon", "vertices": [[4, 11], [4, 5], [9, 9]]},
        "b": {"type": "Polygon", "vertices": [[5, 7], [12, 7], [10, 2], [7, 3]]},
        "start": [[4, 2], [-8, -2], [-1, -2]]
    })
}

/// The directions of the second box's own axes.
const TURN: [[f64; 3]; 3] = [
    [2.0 / 3.0, 2.0 / 3.0, -1.0 / 3.0],
    [-1.0 / 3.0, 2.0 / 3.0, 2.0 / 3.0],
    [2.0 / 3.0, -1.0 / 3.0, 2.0 / 3.0],
];

fn boxes(center: [f64; 3]) -> Value {
    json!({
        "a": {"type": "OrientedBox", "center": [0, 0, 0], "half_extents": [1, 0.5, 0.75]},
        "b": {"type": "OrientedBox", "center": center, "half_extents": [0.5, 0.5, 0.5], "axes": TURN}
    })
}

fn lines(cases: &[Value]) -> Vec<u8> {
    cases.iter().flat_map(|case| format!("{case}\n").into_bytes()).collect()
}

fn explained(cases: &[Value]) -> Vec<Value> {
    let outcome = palpate_with_input(&["explain", "-"], &lines(cases)).well();
    outcome.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|number| number.as_f64().unwrap()).collect()
}

#[track_caller]
fn near(found: &Value, wanted: &[f64], within: f64) {
    for (found, wanted) in numbers(found).into_iter().zip(wanted) {
        assert!((found - wanted).abs() <= within, "found {found}, wanted {wanted}");
    }
}

/// W. Bittle, "EPA (Expanding Polytope Algorithm)", dyn4j.org: the example worked by hand. The article's numbers
/// have two digits, and its distances come from normals rounded to these: 0.62 is 2 / sqrt(10), 0.92 (by another
/// sum 0.94) is 6 / sqrt(41).
#[test]
fn the_worked_example_takes_the_two_iterations_of_its_article() {
    let told = &explained(&[worked_example()])[0];
    assert_eq!(told["id"], "worked example");
    assert_eq!((&told["gjk"]["iterations"], &told["gjk"]["ended"]), (&json!([]), &json!("inside")));
    assert_eq!(told["gjk"]["simplex"], json!([[4.0, 2.0], [-8.0, -2.0], [-1.0, -2.0]]));
    let iterations = told["epa"]["iterations"].as_array().unwrap();
    assert_eq!(iterations.len(), 2);

    let first = &iterations[0];
    assert_eq!((&first["feature"], &first["facet"]), (&json!("edge"), &json!([[4.0, 2.0], [-8.0, -2.0]])));
    near(&first["normal"], &[-0.32, 0.95], 0.005);
    near(&json!([first["distance"]]), &[2.0 / 10.0_f64.sqrt()], 1e-14);
    near(&json!([first["distance"]]), &[0.62], 0.015);
    assert_eq!(first["support"], json!([-6.0, 9.0]));

    let second = &iterations[1];
    assert_eq!(second["facet"], json!([[-1.0, -2.0], [4.0, 2.0]]));
    near(&second["normal"], &[0.62, -0.78], 0.005);
    near(&json!([second["distance"]]), &[0.94], 0.005);
    near(&second["bounds"], &[6.0 / 41.0_f64.sqrt(); 2], 1e-12);
    assert_eq!(told["epa"]["ended"], "converged");

    // The article's normal moves B; palpate's direction moves A.
    let contact = &told["contact"];
    near(&contact["direction"], &[-0.62, 0.78], 0.005);
    near(&json!([contact["depth"]]), &[6.0 / 41.0_f64.sqrt()], 1e-14);
    let (a, b, way) =
        (numbers(&contact["point_a"]), numbers(&contact["point_b"]), numbers(&contact["direction"]));
    let depth = contact["depth"].as_f64().unwrap();
    near(&json!([a[0] + depth * way[0], a[1] + depth * way[1]]), &b, 1e-12);
}

/// The same polygons without a start simplex: GJK finds its own, EPA ends with the same edge.
#[test]
fn without_a_start_every_iteration_of_both_loops_is_told() {
    let mut case = worked_example();
    case.as_object_mut().unwrap().remove("start");
    let told = &explained(&[case])[0];
    let gjk = told["gjk"]["iterations"].as_array().unwrap();
    assert_eq!(gjk[0]["simplex"], json!([]));
    assert_eq!((&gjk[0]["nearest"], &gjk[0]["bounds"][1]), (&Value::Null, &Value::Null));
    for pair in gjk.windows(2) {
        let simplex = pair[1]["simplex"].as_array().unwrap();
        assert_eq!(simplex.last(), Some(&pair[0]["support"]), "the newest vertex comes last");
        let (nearest, direction) = (numbers(&pair[1]["nearest"]), numbers(&pair[1]["direction"]));
        assert_eq!(direction, nearest.iter().map(|x| -x).collect::<Vec<_>>());
    }
    near(&told["contact"]["direction"], &[-0.62, 0.78], 0.005);
}

/// Two coincident unit boxes, from a simplex with a corner at the origin (a question below the article).
#[test]
fn coincident_boxes_end_with_depth_one_along_an_axis() {
    let cube = json!({"type": "OrientedBox", "center": [0, 0, 0], "half_extents": [0.5, 0.5, 0.5]});
    let start = json!([[0, 0, 0], [0, 1, 1], [-1, 1, 0], [-1, 0, 1]]);
    let told = &explained(&[json!({"a": cube, "b": cube, "start": start})])[0];
    assert_eq!(told["dimension"], 3);
    assert_eq!(told["contact"]["depth"], 1.0);
    let mut direction: Vec<f64> = numbers(&told["contact"]["direction"]).iter().map(|x| x.abs()).collect();
    direction.sort_by(f64::total_cmp);
    assert_eq!(direction, [0.0, 0.0, 1.0]);
}

/// The overlap of two boxes along each of the fifteen candidate axes (Gottschalk, Lin, Manocha 1996, section 5);
/// the least is the depth.
fn least_overlap(half_a: [f64; 3], half_b: [f64; 3], center: [f64; 3]) -> f64 {
    let unit = |k: usize| [0, 1, 2].map(|index| if index == k { 1.0 } else { 0.0 });
    let dot = |p: [f64; 3], q: [f64; 3]| p[0] * q[0] + p[1] * q[1] + p[2] * q[2];
    let cross = |p: [f64; 3], q: [f64; 3]| {
        [p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]]
    };
    let axes_a = [unit(0), unit(1), unit(2)];
    let edges = axes_a.iter().flat_map(|&p| TURN.map(|q| cross(p, q)));
    let extent = |axes: [[f64; 3]; 3], half: [f64; 3], n: [f64; 3]| -> f64 {
        axes.iter().zip(half).map(|(&axis, half)| half * dot(axis, n).abs()).sum()
    };
    let overlap = |n: [f64; 3]| {
        let reach = extent(axes_a, half_a, n) + extent(TURN, half_b, n);
        (reach - dot(center, n).abs()) / dot(n, n).sqrt()
    };
    axes_a.into_iter().chain(TURN).chain(edges).map(overlap).fold(f64::INFINITY, f64::min)
}

/// The bounds converge, the facets agree with their normals, and the depth agrees with another method.
#[test]
fn in_space_the_iterations_lead_to_the_least_overlap_of_the_boxes() {
    for center in [[1.2, 0.5, 0.3], [0.4, 0.9, -0.6], [-0.2, 0.1, 0.9], [0.5, -0.9, 0.7]] {
        let told = &explained(&[boxes(center)])[0];
        let iterations = told["epa"]["iterations"].as_array().unwrap();
        assert!(!iterations.is_empty());
        for step in iterations {
            let normal = numbers(&step["normal"]);
            let height = |point: &Value| numbers(point).iter().zip(&normal).map(|(x, n)| x * n).sum::<f64>();
            for corner in step["facet"].as_array().unwrap() {
                near(&json!([height(corner)]), &[step["distance"].as_f64().unwrap()], 1e-13);
            }
            assert!(numbers(&step["bounds"])[1] <= height(&step["support"]) + 1e-13);
        }
        let wanted = least_overlap([1.0, 0.5, 0.75], [0.5, 0.5, 0.5], center);
        assert!(wanted > 0.0);
        near(&json!([told["contact"]["depth"]]), &[wanted], 1e-13);
        near(&told["contact"]["depth_bounds"], &[wanted; 2], 1e-12);
    }
}

#[test]
fn shapes_apart_and_every_convex_kind_are_told() {
    let at = |x: f64, kind: &str| {
        let mut shape = json!({"type": kind, "center": [x, 0.1, 0.2]});
        let sizes = match kind {
            "Sphere" => json!({"radius": 0.5}),
            "OrientedBox" => json!({"half_extents": [0.5, 0.5, 0.5]}),
            "Ellipsoid" => json!({"radii": [0.5, 0.25, 0.5]}),
            _ => json!({"radius": 0.5, "length": 1}),
        };
        shape.as_object_mut().unwrap().extend(sizes.as_object().unwrap().clone());
        shape
    };
    let hull = |x: f64| {
        let vertices = json!([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]);
        json!({"type": "Convex", "vertices": vertices, "position": [x, 0, 0], "margin": 0.05})
    };
    let kinds = ["Sphere", "Capsule", "Cylinder", "Cone", "OrientedBox", "Ellipsoid"];
    let cases = |x: f64| -> Vec<Value> {
        kinds.iter().map(|kind| json!({"a": at(x, kind), "b": hull(0.0)})).collect()
    };
    for told in explained(&cases(9.0)) {
        assert_eq!((&told["epa"], &told["gjk"]["ended"]), (&Value::Null, &json!("converged")));
        assert!(told["contact"]["depth"].as_f64().unwrap() < -6.0);
        near(&told["contact"]["direction"], &[1.0, 0.0, 0.0], 0.2);
    }
    for told in explained(&cases(0.3)) {
        assert!(told["contact"]["depth"].as_f64().unwrap() > 0.0, "{told}");
    }
}

#[test]
fn pictures_hold_a_panel_for_every_iteration() {
    let folder = tempfile::tempdir().unwrap();
    let cases = folder.path().join("cases.jsonl");
    std::fs::write(&cases, lines(&[worked_example(), boxes([1.2, 0.5, 0.3])])).unwrap();
    let written = |ending: &str| {
        let out = folder.path().join(format!("out.{ending}"));
        assert_eq!(palpate(&["explain", text(&cases), "--out", text(&out)]).well().stdout, "");
        std::fs::read_to_string(out).unwrap()
    };
    let list: Vec<Value> = serde_json::from_str(&written("json")).unwrap();
    let count = |case: &Value, part: &str| case[part]["iterations"].as_array().unwrap().len();
    let iterations: usize = list.iter().map(|case| count(case, "gjk") + count(case, "epa")).sum();
    let svg = written("svg");
    assert!(svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\"") && svg.ends_with("</svg>\n"));
    assert_eq!(svg.matches("class=\"name\"").count(), iterations + 2, "and one for each end of GJK");
    assert!(svg.contains("normal (-0.316, 0.949) at 0.632") && svg.contains("support (-6, 9)"));
    assert!(svg.contains("edge hidden"), "the far side of a polyhedron");
    assert!(!svg.contains("NaN") && !svg.contains("inf"));
    let html = written("html");
    assert_eq!((html.matches("<svg").count(), html.matches("<table>").count()), (2, 2));
    assert!(html.contains("<td>normal (0.625, -0.781) at 0.937</td>"));
    assert_eq!(written("jsonl").lines().count(), 2);
    assert_eq!(files(folder.path()), ["cases.jsonl", "out.html", "out.json", "out.jsonl", "out.svg"]);
}

/// The picture in the documentation is the one that the command draws now.
#[test]
fn the_picture_in_the_documentation_is_up_to_date() {
    let docs = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    let folder = tempfile::tempdir().unwrap();
    for name in ["explain", "explain-3d"] {
        let (cases, out) = (docs.join(format!("{name}.jsonl")), folder.path().join(format!("{name}.svg")));
        palpate(&["explain", text(&cases), "--out", text(&out)]).well();
        let kept = std::fs::read_to_string(docs.join(format!("{name}.svg"))).unwrap();
        assert!(std::fs::read_to_string(out).unwrap() == kept, "{name}.svg is not what the command draws");
    }
}

#[test]
fn a_long_search_is_drawn_without_its_middle() {
    let cylinder = json!({"type": "Cylinder", "center": [0, 0, 0], "radius": 1, "length": 2});
    let ellipsoid = json!({"type": "Ellipsoid", "center": [1, 0.2, 0.1], "radii": [1, 2, 0.5],
        "quat_wxyz": [0.5, 0.5, 0.5, 0.5]});
    let case = json!({"id": "<a & b>", "a": cylinder, "b": ellipsoid});
    let folder = tempfile::tempdir().unwrap();
    let (cases, out) = (folder.path().join("cases.jsonl"), folder.path().join("out.svg"));
    std::fs::write(&cases, lines(&[case])).unwrap();
    palpate(&["explain", text(&cases), "--out", text(&out)]).well();
    let svg = std::fs::read_to_string(out).unwrap();
    assert_eq!(svg.matches("class=\"name\"").count(), 24);
    assert!(svg.contains("iterations are left out before this one"));
    assert!(svg.contains("&lt;a &amp; b&gt;") && !svg.contains("<a &"));
}

#[test]
fn a_bad_case_gets_an_error_and_the_others_are_explained() {
    let polygon = json!({"type": "Polygon", "vertices": [[0, 0], [1, 0], [0, 1]]});
    let sphere = json!({"type": "Sphere", "center": [0, 0, 0], "radius": 1});
    let with = |vertices: Value| json!({"a": {"type": "Polygon", "vertices": vertices}, "b": polygon});
    let start = |start: Value| json!({"a": polygon, "b": polygon, "start": start});
    let cases = [
        (json!([1]), "the case: found a list of 1, wanted an object"),
        (json!({"a": polygon}), "b: found nothing, wanted a geometry"),
        (
            json!({"a": sphere, "b": {"type": "Wedge"}}),
            "b.type: found \"Wedge\", wanted one of Sphere, Capsule",
        ),
        (json!({"a": polygon, "b": sphere}), "b.type: found \"Sphere\", wanted Polygon"),
        (json!({"a": sphere, "b": polygon}), "a.type: found \"Sphere\", wanted Polygon"),
        (json!({"a": sphere, "b": "self"}), "b: found \"self\", wanted an object"),
        (with(json!([])), "a.vertices: found a list of 0, wanted a list of at least one point"),
        (with(json!([[0, 0], [1]])), "a.vertices[1]: found a list of 1, wanted 2 finite numbers"),
        (with(json!([[0, "x"]])), "a.vertices[0][1]: found \"x\", wanted a finite number"),
        (with(json!([[0, 1e200]])), "a.vertices[0]: found a list of 2, wanted coordinates whose squares"),
        (start(json!([])), "start: found a list of 0, wanted a list of 1 to 3 vertices"),
        (start(json!([[0, 0], [7, 7]])), "start[1]: found [7.0, 7.0], wanted a vertex of a minus a vertex"),
        (start(json!([[1, 0], [1, 0]])), "start[1]: found [1.0, 0.0], wanted a vertex other than start[0]"),
    ];
    let mut input: Vec<Value> = cases.iter().map(|(case, _)| case.clone()).collect();
    input.push(worked_example());
    let outcome = palpate_with_input(&["explain", "-"], &[lines(&input), b"{\n".to_vec()].concat());
    outcome.refused(1, &["14 of 15 cases got an error line, the first for line 1"]);
    let answers: Vec<Value> =
        outcome.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    for (index, (_, wanted)) in cases.iter().enumerate() {
        let error = answers[index]["error"].as_str().unwrap();
        assert!(error.starts_with(wanted), "found {error:?}, wanted {wanted:?}");
        assert_eq!(answers[index]["line"], index + 1);
    }
    assert_eq!(answers[13]["epa"]["ended"], "converged");
    assert!(answers[14]["error"].as_str().unwrap().starts_with("not valid JSON"));

    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out.html");
    palpate_with_input(&["explain", "-", "--out", text(&out)], &lines(&input)).refused(1, &["13 of 14"]);
    assert_eq!(std::fs::read_to_string(out).unwrap().matches("class=\"error\"").count(), 13);
}

#[test]
fn files_that_cannot_be_are_refused_and_nothing_is_left_behind() {
    let folder = tempfile::tempdir().unwrap();
    let cases = folder.path().join("cases.jsonl");
    std::fs::write(&cases, lines(&[worked_example()])).unwrap();
    let refused = |cases: &std::path::Path, out: &str, words: &[&str]| {
        let out = folder.path().join(out);
        palpate(&["explain", text(cases), "--out", text(&out)]).refused(2, words);
        assert_eq!(files(folder.path()), ["cases.jsonl"]);
    };
    refused(&cases, "picture.png", &["--out", "picture.png", ".svg, .html, .json or .jsonl"]);
    refused(&cases, "picture", &["wanted a name that ends in"]);
    refused(&cases, "nowhere/picture.svg", &["nowhere/picture.svg", "creating failed"]);
    refused(&cases, "cases.jsonl", &["is an input file"]);
    refused(&folder.path().join("missing.jsonl"), "picture.svg", &["missing.jsonl", "opening failed"]);
    refused(folder.path(), "picture.svg", &["is a directory"]);
    palpate(&["explain", text(&cases), "--out", text(folder.path())]).refused(2, &["is a directory"]);
}
