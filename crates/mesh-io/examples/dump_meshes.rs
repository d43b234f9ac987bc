//! Prints each mesh file that is named, as one line of JSON: its points and cells, or the error.
//!
//! `cargo run -p palpate-mesh-io --example dump_meshes -- FILE...`; with `-` the names come from the input, one per
//! line.

#![allow(clippy::print_stdout, reason = "the output of the program")]

use palpate_mesh_io::read;
use std::fmt::Write;

fn main() {
    let mut names: Vec<String> = std::env::args().skip(1).collect();
    if names == ["-"] {
        names = std::io::stdin().lines().map_while(Result::ok).collect();
    }
    for name in names {
        println!("{}", dumped(&name));
    }
}

fn dumped(name: &str) -> String {
    let contents = match read(name) {
        Ok(contents) => contents,
        Err(error) => return format!("{{\"error\": {}}}", quoted(&error.to_string())),
    };
    // Numbers print as the shortest that read back as the same bits.
    let points: Vec<String> =
        contents.positions.iter().map(|p| format!("[{:?}, {:?}, {:?}]", p.x, p.y, p.z)).collect();
    let counts = |counts: &std::collections::BTreeMap<String, usize>| {
        let all: Vec<String> =
            counts.iter().map(|(sort, count)| format!("{}: {count}", quoted(sort))).collect();
        all.join(", ")
    };
    let parts: Vec<String> =
        contents.parts.iter().map(|part| format!("[{}, {:?}]", quoted(&part.name), part.counts())).collect();
    format!(
        "{{\"points\": [{}], \"lines\": {:?}, \"triangles\": {:?}, \"tetrahedra\": {:?}, \"split_polygons\": {}, \"left_out\": {{{}}}, \"cut_cells\": {{{}}}, \"straightened\": {{{}}}, \"parts\": [{}]}}",
        points.join(", "),
        contents.lines,
        contents.triangles,
        contents.tetrahedra,
        contents.split_polygons,
        counts(&contents.left_out),
        counts(&contents.cut_cells),
        counts(&contents.straightened),
        parts.join(", ")
    )
}

fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for character in text.chars() {
        match character {
            '"' | '\\' => quoted.extend(['\\', character]),
            character if character.is_control() => {
                let _ = write!(quoted, "\\u{:04x}", character as u32);
            }
            character => quoted.push(character),
        }
    }
    quoted.push('"');
    quoted
}
