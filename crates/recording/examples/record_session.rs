//! Records a short session, an elastic sheet pressed by a capsule, and reads it back.
//!
//! `cargo run -p palpate-recording --example record_session -- session.vtkhdf`
//!
//! With the second argument `alone`, it records only the sheet: a file with one object has no blocks.

use palpate_recording::{
    Frame, ObjectInfo, PairInfo, Point, Primitive, Reader, SessionInfo, State, Topology, TopologyChange,
    Writer, WriterOptions,
};
use std::error::Error;

const SIDE: u32 = 20;
const FRAMES: usize = 60;

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).ok_or("usage: record_session FILE [alone]")?;
    let alone = std::env::args().nth(2).is_some_and(|word| word == "alone");
    let mut session = SessionInfo {
        objects: vec![
            ObjectInfo {
                name: "sheet".into(),
                kind: "surface_mesh".into(),
                topology: Topology::Triangles(triangles(SIDE - 1)),
                ..ObjectInfo::default()
            },
            ObjectInfo { name: "tool".into(), kind: "capsule".into(), ..ObjectInfo::default() },
            ObjectInfo {
                name: "table".into(),
                kind: "plane".into(),
                two_sided: Some(false),
                ..ObjectInfo::default()
            },
        ],
        pairs: vec![PairInfo { a: "sheet".into(), b: "tool".into(), ..PairInfo::default() }],
        time_step: Some(0.01),
        metadata: [("origin".to_string(), "palpate's example".to_string())].into(),
    };
    if alone {
        session.objects.truncate(1);
        session.pairs.clear();
    }
    let mut writer =
        Writer::create(&path, &session, WriterOptions { overwrite: true, ..WriterOptions::default() })?;
    for index in 0..FRAMES {
        let mut frame = frame(index);
        frame.states.truncate(session.objects.len());
        writer.append(&frame)?;
    }
    writer.finish()?;

    let mut reader = Reader::open(&path)?;
    let verified = reader.verify()?;
    #[expect(clippy::print_stdout, reason = "an example may print")]
    {
        println!(
            "{path}: {} objects, {} frames, all as written",
            reader.info().objects.len(),
            verified.frames
        );
    }
    Ok(())
}

/// Triangles of the sheet with `rows` rows of squares.
fn triangles(rows: u32) -> Vec<[u32; 3]> {
    let squares = (0..rows).flat_map(|row| (0..SIDE - 1).map(move |column| row * SIDE + column));
    squares.flat_map(|at| [[at, at + 1, at + SIDE], [at + 1, at + SIDE + 1, at + SIDE]]).collect()
}

fn frame(index: usize) -> Frame {
    let time = 0.01 * index as f64;
    let depth = 0.02 * (1.0 - (time - 0.3).abs() / 0.3);
    let sheet = (0..SIDE * SIDE).map(|point| {
        let (row, column) = (f64::from(point / SIDE) - 9.5, f64::from(point % SIDE) - 9.5);
        let dent = depth / (1.0 + 0.1 * (row * row + column * column));
        Point::new(0.01 * column, 0.1 - dent, 0.01 * row)
    });
    let upright = |y| Primitive {
        position: Point::new(0.0, y, 0.0),
        rotation_wxyz: [1.0, 0.0, 0.0, 0.0],
        size: [0.0; 3],
    };
    let tool = Primitive { size: [0.007, 0.1, 0.0], ..upright(0.157 - depth) };
    // In the last third of the session the edge of the sheet is cut off.
    let cut = TopologyChange { object: 0, topology: Topology::Triangles(triangles(SIDE - 3)) };
    Frame {
        time,
        states: vec![State::Points(sheet.collect()), State::Primitive(tool), State::Primitive(upright(0.0))],
        changes: if index == 40 { vec![cut] } else { Vec::new() },
        ..Frame::default()
    }
}
