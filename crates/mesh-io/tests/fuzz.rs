//! Mutated files of every format: each is read or refused, without a panic, in bounded time, and twice alike.
//!
//! `PALPATE_FUZZ` sets the number of inputs per format.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking, also in what its cases share")]
#![allow(clippy::print_stdout, reason = "a long run says what it did")]

use palpate_math::Limits;
use palpate_mesh_io::{Contents, Format, MeshIoError, read_bytes, read_bytes_beside};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::io::{Read, Write};
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

/// Points on a circle, and a few off it.
fn points() -> Vec<[f64; 3]> {
    (0..12)
        .map(|k| {
            let angle = f64::from(k) * std::f64::consts::TAU / 12.0;
            [angle.cos(), angle.sin(), if k % 3 == 0 { 0.5 } else { 0.0 }]
        })
        .collect()
}

fn rows(separator: &str) -> String {
    points().iter().map(|[x, y, z]| format!("{x}{separator}{y}{separator}{z}\n")).collect()
}

fn le32(numbers: &[u32]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}

fn obj() -> Vec<Vec<u8>> {
    let vertices: String = rows(" ").lines().map(|row| format!("v {row}\n")).collect();
    let first = format!(
        "# a remark\no a\n{vertices}vn 0 0 1\nvt 0 0\ng one\nf 1 2 3\nf 1/1 2/1/1 3//1 \\\n 4\nf -1 -2 -3\nl 1 2 3\n\
         f 1 2 3 4 5 6 7 8 9 10 11 12\n"
    );
    vec![first.replace('\n', "\r\n").into_bytes(), first.into_bytes()]
}

fn stl() -> Vec<Vec<u8>> {
    let facet = "facet normal 0 0 1\n outer loop\n  vertex 0 0 0\n  vertex 1 0 0\n  vertex 0 1e0 0\n endloop\nendfacet\n";
    let text = format!("solid a\n{facet}{facet}endsolid a\n").into_bytes();
    let mut binary = b"solid, binary".to_vec();
    binary.resize(80, 0);
    binary.extend(le32(&[3]));
    for _ in 0..3 {
        binary.extend(
            [0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.5_f32].map(f32::to_le_bytes).concat(),
        );
        binary.extend([0, 0]);
    }
    vec![text, binary]
}

fn ply() -> Vec<Vec<u8>> {
    let head = |format: &str| {
        format!(
            "ply\nformat {format} 1.0\ncomment a remark\nelement vertex 12\nproperty double x\nproperty double y\nproperty double z\n\
             element face 2\nproperty list uchar int vertex_indices\nelement edge 1\nproperty int vertex1\nproperty int vertex2\n\
             element tristrips 1\nproperty list int int vertex_indices\nelement other 1\nproperty list uchar short a\nproperty char b\n\
             end_header\n"
        )
    };
    let text =
        format!("{}{}3 0 1 2\n5 0 1 2 3 4\n0 2\n7 0 1 2 3 -1 4 5\n2 7 8 9\n", head("ascii"), rows(" "));
    let text = text.replace("7 0 1 2 3 -1 4 5", "8 0 1 2 3 -1 4 5 6");
    let mut binary = head("binary_little_endian").into_bytes();
    binary.extend(points().iter().flatten().flat_map(|x| x.to_le_bytes()));
    binary.push(3);
    binary.extend(le32(&[0, 1, 2]));
    binary.push(4);
    binary.extend(le32(&[0, 1, 2, 3, 0, 2, 4, 0, 1, 2, 3]));
    binary.extend([1, 7, 0, 9]);
    vec![text.into_bytes(), binary]
}

fn off() -> Vec<Vec<u8>> {
    let text = format!("OFF\n12 3 0\n{}3 0 1 2\n4 0 1 2 3 255 0 0\n6 0 2 4 6 8 10\n", rows(" "));
    vec![text.replacen("OFF\n", "COFF ", 1).into_bytes(), text.into_bytes()]
}

fn vtk_legacy() -> Vec<Vec<u8>> {
    let head = "# vtk DataFile Version 3.0\na test\nASCII\nDATASET";
    let grid = format!(
        "{head} UNSTRUCTURED_GRID\nPOINTS 12 double\n{}CELLS 4 18\n4 0 1 2 3\n3 0 1 2\n5 0 1 2 3 4\n2 5 6\nCELL_TYPES 4\n10 5 7 3\n",
        rows(" ")
    );
    let offsets = format!(
        "{head} POLYDATA\nFIELD FieldData 1\na 1 2 int\n7 8\nPOINTS 12 double\n{}METADATA\nINFORMATION 0\n\n\
         POLYGONS 3 7\nOFFSETS vtktypeint64\n0 3 7\nCONNECTIVITY vtktypeint64\n0 1 2 3 4 5 6\n",
        rows(" ")
    )
    .replace("Version 3.0", "Version 5.1");
    let mut binary = format!("{head} POLYDATA\nPOINTS 12 double\n").replace("ASCII", "BINARY").into_bytes();
    binary.extend(points().iter().flatten().flat_map(|x| x.to_be_bytes()));
    binary.extend(b"\nPOLYGONS 1 5\n");
    binary.extend([4, 0, 1, 2, 3_i32].map(i32::to_be_bytes).concat());
    binary.extend(b"\nLINES 1 3\n");
    binary.extend([2, 0, 1_i32].map(i32::to_be_bytes).concat());
    vec![grid.into_bytes(), offsets.into_bytes(), binary]
}

fn vtk_xml(kind: &str) -> Vec<Vec<u8>> {
    let file = |attributes: &str, points: &str, appended: &str| {
        let array = |name: &str, values: &str| {
            format!("<DataArray type=\"Int64\" Name=\"{name}\" format=\"ascii\">{values}</DataArray>\n")
        };
        let cells = array("connectivity", "0 1 2 3 0 1 2") + &array("offsets", "4 7");
        let (counts, cells) = if kind == "PolyData" {
            ("NumberOfPolys=\"2\" NumberOfLines=\"0\"", format!("<Polys>\n{cells}</Polys>\n<Lines></Lines>"))
        } else {
            ("NumberOfCells=\"2\"", format!("<Cells>\n{cells}{}</Cells>", array("types", "10 5")))
        };
        format!(
            "<?xml version=\"1.0\"?>\n<VTKFile type=\"{kind}\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt32\" {attributes}>\n\
             <{kind}>\n<Piece NumberOfPoints=\"12\" {counts}>\n<Points>\n\
             <DataArray type=\"Float64\" NumberOfComponents=\"3\" {points}</DataArray>\n</Points>\n{cells}\n</Piece>\n</{kind}>\n{appended}</VTKFile>\n"
        )
    };
    let data: Vec<u8> = points().iter().flatten().flat_map(|x| x.to_le_bytes()).collect();
    let text = file("", &format!("format=\"ascii\">\n{}", rows(" ")), "");
    let mut packed = Vec::new();
    flate2::read::ZlibEncoder::new(data.as_slice(), flate2::Compression::default())
        .read_to_end(&mut packed)
        .unwrap();
    let compressed = [le32(&[1, data.len() as u32, 0, packed.len() as u32]), packed].concat();
    let head = |block: Vec<u8>| [le32(&[1, data.len() as u32, 0, block.len() as u32]), block].concat();
    let lz4 = head(lz4_flex::block::compress(&data));
    let mut writer = lzma_rust2::XzWriter::new(Vec::new(), lzma_rust2::XzOptions::default()).unwrap();
    writer.write_all(&data).unwrap();
    let lzma = head(writer.finish().unwrap());
    let bare = [le32(&[data.len() as u32]), data].concat();
    let mut files = vec![text.into_bytes()];
    for (attributes, data) in [
        ("", bare),
        ("compressor=\"vtkZLibDataCompressor\"", compressed),
        ("compressor=\"vtkLZ4DataCompressor\"", lz4),
        ("compressor=\"vtkLZMADataCompressor\"", lzma),
    ] {
        let appended = "<AppendedData encoding=\"raw\">_@</AppendedData>\n";
        let whole = file(attributes, "format=\"appended\" offset=\"0\">", appended).into_bytes();
        let at = whole.iter().position(|&byte| byte == b'@').unwrap();
        files.push([&whole[..at], &data, &whole[at + 1..]].concat());
    }
    files
}

fn gmsh() -> Vec<Vec<u8>> {
    let tagged: String = rows(" ").lines().zip(1..).map(|(row, tag)| format!("{tag} {row}\n")).collect();
    let second = format!(
        "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n1\n3 1 \"organ\"\n$EndPhysicalNames\n$Nodes\n12\n{tagged}$EndNodes\n\
         $Elements\n4\n1 1 2 1 1 7 2\n2 2 2 1 1 7 2 9\n3 4 3 1 1 1 7 2 9 4\n4 15 1 1 7\n$EndElements\n"
    );
    let tags: String = (1..=12).map(|tag| format!("{tag}\n")).collect();
    let fourth = format!(
        "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Nodes\n1 12 1 12\n2 1 0 12\n{tags}{}$EndNodes\n\
         $Elements\n2 3 1 3\n2 1 2 2\n1 7 2 9\n2 1 2 3\n3 1 4 1\n3 7 2 9 4\n$EndElements\n",
        rows(" ")
    );
    vec![second.into_bytes(), fourth.into_bytes()]
}

/// Binary files of both versions and byte orders.
fn gmsh_binary() -> Vec<Vec<u8>> {
    let mut files = Vec::new();
    for big in [false, true] {
        let order = |bytes: &[u8]| {
            let mut bytes = bytes.to_vec();
            if big {
                bytes.reverse();
            }
            bytes
        };
        let i32s =
            |numbers: &[i32]| numbers.iter().flat_map(|x| order(&x.to_le_bytes())).collect::<Vec<u8>>();
        let u64s =
            |numbers: &[u64]| numbers.iter().flat_map(|x| order(&x.to_le_bytes())).collect::<Vec<u8>>();
        let f64s =
            |numbers: &[f64]| numbers.iter().flat_map(|x| order(&x.to_le_bytes())).collect::<Vec<u8>>();
        let names = b"$PhysicalNames\n1\n3 1 \"organ\"\n$EndPhysicalNames\n";
        let head = |version: &str| {
            [format!("$MeshFormat\n{version} 1 8\n").as_bytes(), &i32s(&[1]), b"\n$EndMeshFormat\n", names]
                .concat()
        };
        let nodes: Vec<u8> =
            points().iter().zip(1..).flat_map(|(p, tag)| [i32s(&[tag]), f64s(p)].concat()).collect();
        let elements = [
            i32s(&[2, 2, 2, 1, 1, 1, 1, 2, 3, 2, 1, 1, 2, 3, 4]),
            i32s(&[4, 1, 2, 3, 1, 1, 1, 2, 3, 4, 5, 1, 2, 4, 1, 1, 1, 2, 3, 4, 5, 6, 7, 8]),
        ];
        let (head_of_second, head_of_fourth) = (head("2.2"), head("4.1"));
        let elements_of_second = elements.concat();
        let second = [
            head_of_second.as_slice(),
            b"$Nodes\n12\n",
            &nodes,
            b"\n$EndNodes\n$Elements\n4\n",
            &elements_of_second,
            b"\n$EndElements\n",
        ];
        files.push(second.concat());
        let entities =
            [u64s(&[1, 0, 0, 1]), i32s(&[5]), f64s(&[0.0; 3]), u64s(&[0]), i32s(&[1]), f64s(&[0.0; 6])];
        let boundary = [u64s(&[1]), i32s(&[1]), u64s(&[1]), i32s(&[-5])];
        let coordinates: Vec<f64> = points().concat();
        let tags: Vec<u64> = (1..=12).collect();
        let nodes =
            [u64s(&[1, 12, 1, 12]), i32s(&[3, 1, 0]), u64s(&[12]), u64s(&tags), f64s(&coordinates)].concat();
        let elements = [
            u64s(&[2, 3, 1, 3]),
            i32s(&[2, 1, 2]),
            u64s(&[1, 1, 1, 2, 3]),
            i32s(&[3, 1, 4]),
            u64s(&[2, 2, 1, 2, 3, 4, 3, 5, 6, 7, 8]),
        ]
        .concat();
        let (entities, boundary) = (entities.concat(), boundary.concat());
        let fourth = [
            head_of_fourth.as_slice(),
            b"$Entities\n",
            &entities,
            &boundary,
            b"\n$EndEntities\n$Nodes\n",
            &nodes,
            b"\n$EndNodes\n$Elements\n",
            &elements,
            b"\n$EndElements\n",
        ];
        files.push(fourth.concat());
    }
    files
}

fn medit() -> Vec<Vec<u8>> {
    let vertices: String = rows(" ").lines().map(|row| format!("{row} 0\n")).collect();
    let text = format!(
        "MeshVersionFormatted 2\nDimension\n3\n# a remark\nVertices\n12\n{vertices}Corners 2\n1 2\nTriangles 2\n1 2 3 7\n2 3 4 0\n\
         Tetrahedra\n1\n1 2 3 4 2\nPyramids 1 1 2 5 3 4 0\nTetrahedraP2 1 1 2 3 4 5 6 7 8 9 10 1\nHexahedra 1 1 2 3 4 5 6 7 8 3\n\
         Edges 1\n1 2 0\nEnd\n"
    );
    vec![text.replace('\n', "\r\n").into_bytes(), text.into_bytes()]
}

/// What divides the nodes from the elements.
const BESIDE: &[u8] = b"====";

fn tetgen() -> Vec<Vec<u8>> {
    let numbered = |base: usize| -> String {
        rows(" ").lines().enumerate().map(|(k, row)| format!("{} {row} 1\n", k + base)).collect()
    };
    let first = format!("# nodes\n12 3 0 1\n{}====2 4 1\n1 1 2 3 4 1\n2 2 3 4 5 2\n# end\n", numbered(1));
    let second = format!("12 3 0 1\n{}====1 10 0\n0 0 1 2 3 4 5 6 7 8 9\n", numbered(0));
    vec![first.into_bytes(), second.into_bytes()]
}

fn vega() -> Vec<Vec<u8>> {
    let vertices: String =
        rows(" ").lines().enumerate().map(|(k, row)| format!("{} {row}\n", k + 1)).collect();
    let file = |elements: &str| {
        format!(
            "# a remark\n*VERTICES\n12 3 0 0\n{vertices}\n*ELEMENTS\n{elements}*MATERIAL soft\nENU, 1000, 1e6, 0.45\n\
             *SET half\n2, 1\n*REGION\nhalf, soft\n"
        )
        .into_bytes()
    };
    vec![
        file("TET\n2 4 0\n1 1 2 3 4\n2 2 3 4 5\n"),
        file("CUBIC\n2 8 0\n1 1 2 3 4 5 6 7 8\n2 3 4 5 6 7 8 9 10\n"),
    ]
}

fn abaqus() -> Vec<Vec<u8>> {
    let nodes: String =
        rows(", ").lines().enumerate().map(|(k, row)| format!("{}, {row}\n", k + 1)).collect();
    let text = format!(
        "*HEADING\n a test\n** a remark\n*PART, NAME=one\n*Node, nset=all\n{nodes}*Element, type=C3D4, elset=body\n10, 1, 2, 3, 7\n\
         *ELEMENT, TYPE=S3\n12, 1, 2, 3\n*ELEMENT, TYPE=C3D8R\n13, 1, 2, 3, 4,\n5, 6, 7, 8\n*ELEMENT, TYPE=SPRINGA\n14, 1, 2\n\
         *ELSET, ELSET=some, GENERATE\n10, 14, 1\n*ELSET, ELSET=first\n10, 12\n*END PART\n*INSTANCE, NAME=a, PART=one\n*END INSTANCE\n\
         *STEP\n*STATIC\n1., 1.\n"
    );
    vec![text.into_bytes()]
}

/// The document of two nodes, and its buffer.
fn gltf_parts(uri: &str) -> (String, Vec<u8>) {
    let mut buffer: Vec<u8> = points().iter().flatten().flat_map(|&x| (x as f32).to_le_bytes()).collect();
    buffer.extend([0, 1, 2, 2, 1, 3, 5, 6, 7_u16].iter().flat_map(|id| id.to_le_bytes()));
    buffer.extend([0, 0]);
    let text = format!(
        "{{\"asset\":{{\"version\":\"2.0\"}},\"scene\":0,\"scenes\":[{{\"nodes\":[0,2]}}],\"nodes\":[{{\"name\":\"a\",\"mesh\":0,\"children\":[1],\
         \"scale\":[2,2,2],\"rotation\":[0,0,0,1],\"translation\":[1,0,0]}},{{\"mesh\":1,\"matrix\":[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1]}},{{}}],\
         \"meshes\":[{{\"name\":\"b\",\"primitives\":[{{\"attributes\":{{\"POSITION\":0}},\"indices\":1}}]}},\
         {{\"primitives\":[{{\"attributes\":{{\"POSITION\":2}},\"mode\":5}}]}}],\
         \"accessors\":[{{\"bufferView\":0,\"componentType\":5126,\"count\":12,\"type\":\"VEC3\"}},\
         {{\"bufferView\":1,\"componentType\":5123,\"count\":9,\"type\":\"SCALAR\"}},\
         {{\"bufferView\":0,\"byteOffset\":12,\"componentType\":5126,\"count\":5,\"type\":\"VEC3\",\"sparse\":{{\"count\":2,\
         \"indices\":{{\"bufferView\":1,\"byteOffset\":2,\"componentType\":5123}},\"values\":{{\"bufferView\":0}}}}}}],\
         \"bufferViews\":[{{\"buffer\":0,\"byteLength\":144}},{{\"buffer\":0,\"byteOffset\":144,\"byteLength\":18}}],\
         \"buffers\":[{{{uri}\"byteLength\":164}}]}}"
    );
    (text, buffer)
}

fn gltf() -> Vec<Vec<u8>> {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let (_, buffer) = gltf_parts("");
    let mut code = String::new();
    for group in buffer.chunks(3) {
        let all = group.iter().chain(&[0, 0]).take(3).fold(0_u32, |all, &byte| all << 8 | u32::from(byte));
        (0..4).for_each(|digit| code.push(DIGITS[(all >> (18 - 6 * digit)) as usize & 63] as char));
    }
    let (text, _) = gltf_parts(&format!("\"uri\":\"data:application/octet-stream;base64,{code}\","));
    vec![text.into_bytes()]
}

fn glb() -> Vec<Vec<u8>> {
    let (mut text, buffer) = gltf_parts("");
    while text.len() % 4 != 0 {
        text.push(' ');
    }
    let length = 12 + 8 + text.len() + 8 + buffer.len();
    let head = [b"glTF".to_vec(), le32(&[2, length as u32, text.len() as u32]), b"JSON".to_vec()].concat();
    vec![[head, text.into_bytes(), le32(&[buffer.len() as u32]), b"BIN\0".to_vec(), buffer].concat()]
}

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
