//! Mutated files of every format: each is read or refused, without a panic, in bounded time, and twice alike.
//!
//! `PALPATE_FUZZ` sets the number of inputs per format.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking, also in what its cases share")]
#![allow(clippy::print_stdout, reason = "a long run says what it did")]

mod seeds;

use palpate_math::Limits;
use palpate_mesh_io::{Contents, Format, MeshIoError, read_bytes, read_bytes_beside};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use seeds::{
    BESIDE, abaqus, glb, gltf, gmsh, gmsh_binary, medit, obj, off, ply, stl, tetgen, vega, vtk_legacy,
    vtk_xml,
};
use std::io::Write;
use std::time::{Duration, Instant};

/// Inputs per format where the environment names no number.
const INPUTS: usize = 20_000;

/// The longest time for one input of some kilobytes, on a busy machine.
const LONGEST: Duration = Duration::from_secs(5);

/// The longest mutated file, in bytes.
const LENGTH: usize = 16 << 10;

const NUMBERS: [&str; 22] = [
    "0",
    "-1",
    "1",
    "2",
    "3",
    "4",
    "255",
    "256",
    "65536",
    "2147483647",
    "-2147483648",
    "4294967295",
    "4294967296",
    "9007199254740993",
    "18446744073709551615",
    "99999999999999999999",
    "1e308",
    "-1e999",
    "nan",
    "inf",
    "0.5",
    "1D3",
];

/// Words of the grammars of all formats.
const WORDS: [&str; 71] = [
    "v",
    "f",
    "l",
    "#",
    "\\",
    "solid",
    "facet",
    "outer loop",
    "vertex",
    "endloop",
    "endsolid",
    "ply",
    "format ascii 1.0",
    "format binary_big_endian 1.0",
    "element face 1",
    "element x 99",
    "property list uchar int vertex_index",
    "property float x",
    "end_header",
    "OFF",
    "COFF",
    "BINARY",
    "ASCII",
    "POINTS 3 float",
    "CELLS 1 4",
    "POLYGONS 1 4",
    "OFFSETS vtktypeint64",
    "CONNECTIVITY int",
    "CELL_TYPES 1",
    "METADATA",
    "FIELD a 1",
    "<Piece NumberOfPoints=\"3\">",
    "</Piece>",
    "<DataArray",
    "</DataArray>",
    "format=\"binary\"",
    "<!--",
    "<![CDATA[",
    "&amp;",
    "$Nodes",
    "$EndNodes",
    "$Elements",
    "$MeshFormat",
    "$Entities",
    "$EndEntities",
    "Vertices",
    "Triangles",
    "Tetrahedra 1",
    "End",
    "*VERTICES",
    "*ELEMENTS",
    "*SET a",
    "*INCLUDE b",
    "TET",
    "CUBIC",
    "*NODE",
    "*ELEMENT, TYPE=C3D10",
    "*ELSET, ELSET=a, GENERATE",
    "*END PART",
    "====",
    "\"mesh\":0",
    "\"children\":[0]",
    "\"bufferView\":1",
    "\"byteStride\":",
    "\"mode\":6",
    "\"sparse\":",
    "5121",
    "5125",
    "null",
    "{}",
    "\u{feff}",
];

fn mutated(seeds: &[Vec<u8>], random: &mut ChaCha8Rng) -> Vec<u8> {
    let mut bytes = seeds[random.random_range(0..seeds.len())].clone();
    for _ in 0..[1, 1, 2, 5][random.random_range(0..4)] {
        if bytes.is_empty() {
            break;
        }
        let at = random.random_range(0..bytes.len());
        let part = |bytes: &[u8], at: usize, length: usize| bytes[at..bytes.len().min(at + length)].to_vec();
        match random.random_range(0..11) {
            0 => bytes[at] ^= 1 << random.random_range(0..8),
            1 => bytes[at] = random.random_range(0..=255),
            2 => {
                let other = &seeds[random.random_range(0..seeds.len())];
                let from = random.random_range(0..other.len());
                let piece = part(other, from, random.random_range(1..200));
                bytes.splice(at..at, piece);
            }
            3 => {
                // A line, once more or many times.
                let start = bytes[..at].iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
                let end = bytes[at..]
                    .iter()
                    .position(|&byte| byte == b'\n')
                    .map_or(bytes.len(), |end| at + end + 1);
                let times = [1, 1, 30][random.random_range(0..3)];
                let lines = bytes[start..end].repeat(times);
                bytes.splice(start..start, lines);
            }
            4 | 5 => {
                // The next number.
                if let Some(start) = bytes[at..].iter().position(u8::is_ascii_digit).map(|start| at + start) {
                    let is_of_it = |byte: &u8| byte.is_ascii_digit() || b".e-".contains(byte);
                    let length = bytes[start..].iter().position(|byte| !is_of_it(byte)).unwrap_or(1);
                    let number = NUMBERS[random.random_range(0..NUMBERS.len())];
                    bytes.splice(start..start + length, number.bytes());
                }
            }
            6 => bytes.truncate(at),
            7 => drop(bytes.drain(at..bytes.len().min(at + random.random_range(1..60)))),
            8 | 9 => {
                let word = WORDS[random.random_range(0..WORDS.len())];
                let end = [" ", "\n", "\r\n", ""][random.random_range(0..4)];
                bytes.splice(at..at, format!("{word}{end}").into_bytes());
            }
            _ => {
                let number: [u8; 4] =
                    [0, 1, u32::MAX, 1 << 31, 1 << 16][random.random_range(0..5)].to_le_bytes();
                let end = bytes.len().min(at + 4);
                bytes.splice(at..end, number);
            }
        }
        bytes.truncate(LENGTH);
    }
    bytes
}

/// Reads a file; of TetGen both, the nodes before [`BESIDE`].
fn read_one(bytes: &[u8], format: Format) -> Result<Contents, MeshIoError> {
    let at =
        bytes.windows(BESIDE.len()).position(|part| part == BESIDE).filter(|_| format == Format::TetGenEle);
    let Some(at) = at else { return read_bytes(bytes, format, "mesh") };
    let (nodes, elements) = (&bytes[..at], &bytes[at + BESIDE.len()..]);
    let beside = |name: &str| (name == "mesh.node").then(|| nodes.to_vec());
    read_bytes_beside(elements, format, "mesh.ele", &Limits::DEFAULT, &beside)
}

fn fuzz(format: Format, seeds: &[Vec<u8>]) {
    for seed in seeds {
        let contents = read_one(seed, format).unwrap();
        assert!(contents.positions.len() >= 3, "{}", contents.summary());
    }
    let inputs = std::env::var("PALPATE_FUZZ").ok().and_then(|count| count.parse().ok()).unwrap_or(INPUTS);
    let mut random = ChaCha8Rng::seed_from_u64(format as u64);
    let (mut read, mut refused, mut slowest) = (0, 0, Duration::ZERO);
    for number in 0..inputs {
        let bytes = mutated(seeds, &mut random);
        let start = Instant::now();
        let first = read_one(&bytes, format);
        let time = start.elapsed();
        assert!(time < LONGEST, "{format}, input {number}: {time:?}");
        slowest = slowest.max(time);
        let second = read_one(&bytes, format);
        match (first, second) {
            (Ok(first), Ok(second)) => {
                assert!(first == second, "{format}, input {number}");
                assert!(
                    first.positions.iter().all(|p| p.iter().all(|x| x.is_finite())),
                    "{format}, input {number}"
                );
                assert!(first.positions.len() <= bytes.len() && first.triangles.len() <= bytes.len());
                for part in &first.parts {
                    assert!(first.part(&part.name).is_some(), "{format}, input {number}");
                }
                let _ = first.into_mesh();
                read += 1;
            }
            (Err(first), Err(second)) => {
                let (first, second) = (first.to_string(), second.to_string());
                assert!(first == second && first.starts_with("mesh") && !first.contains('\n'), "{first}");
                refused += 1;
            }
            (first, second) => panic!("{format}, input {number}: {first:?}, then {second:?}"),
        }
    }
    assert!(refused > inputs / 5 && read > inputs / 40, "{format}: {refused} refused, {read} read");
    println!("counted: damaged mesh files read: {inputs}");
    if std::env::var_os("PALPATE_FUZZ").is_some() {
        println!("{format}: {inputs} inputs, {read} read, {refused} refused, slowest {slowest:?}");
    }
}

#[test]
fn mutated_obj() {
    fuzz(Format::Obj, &obj());
}

#[test]
fn mutated_stl() {
    fuzz(Format::Stl, &stl());
}

#[test]
fn mutated_ply() {
    fuzz(Format::Ply, &ply());
}

#[test]
fn mutated_off() {
    fuzz(Format::Off, &off());
}

#[test]
fn mutated_vtk_legacy() {
    fuzz(Format::VtkLegacy, &vtk_legacy());
}

#[test]
fn mutated_vtu() {
    fuzz(Format::Vtu, &vtk_xml("UnstructuredGrid"));
}

#[test]
fn mutated_vtp() {
    fuzz(Format::Vtp, &vtk_xml("PolyData"));
}

/// Compressed by gzip, and changed before or behind it.
#[test]
fn mutated_gzip() {
    let pack = |bytes: &[u8]| {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    };
    let packed: Vec<Vec<u8>> = obj().iter().map(|bytes| pack(bytes)).collect();
    let whole = read_one(&packed[1], Format::Obj).unwrap();
    assert_eq!(whole, read_one(&obj()[1], Format::Obj).unwrap());
    let mut random = ChaCha8Rng::seed_from_u64(61);
    let inputs =
        std::env::var("PALPATE_FUZZ").ok().and_then(|count| count.parse().ok()).unwrap_or(INPUTS / 4);
    let (mut read, mut refused) = (0, 0);
    for number in 0..inputs {
        let bytes =
            if number % 2 == 0 { mutated(&packed, &mut random) } else { pack(&mutated(&obj(), &mut random)) };
        match read_one(&bytes, Format::Obj) {
            Ok(_) => read += 1,
            Err(error) => {
                assert!(error.to_string().starts_with("mesh"), "{error}");
                refused += 1;
            }
        }
    }
    assert!(refused > inputs / 5 && read > inputs / 40, "{refused} refused, {read} read");
}

#[test]
fn mutated_gmsh_binary() {
    fuzz(Format::Gmsh, &gmsh_binary());
}

#[test]
fn mutated_medit() {
    fuzz(Format::Medit, &medit());
}

#[test]
fn mutated_tetgen() {
    fuzz(Format::TetGenEle, &tetgen());
}

#[test]
fn mutated_vega() {
    fuzz(Format::Vega, &vega());
}

#[test]
fn mutated_abaqus() {
    fuzz(Format::Abaqus, &abaqus());
}

#[test]
fn mutated_gltf() {
    fuzz(Format::Gltf, &gltf());
}

#[test]
fn mutated_glb() {
    fuzz(Format::Glb, &glb());
}

#[test]
fn mutated_gmsh() {
    fuzz(Format::Gmsh, &gmsh());
}
