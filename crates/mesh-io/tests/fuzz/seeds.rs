//! Files of every format, to be mutated.

use std::io::{Read, Write};

/// Points on a circle, and a few off it.
pub(super) fn points() -> Vec<[f64; 3]> {
    (0..12)
        .map(|k| {
            let angle = f64::from(k) * std::f64::consts::TAU / 12.0;
            [angle.cos(), angle.sin(), if k % 3 == 0 { 0.5 } else { 0.0 }]
        })
        .collect()
}

pub(super) fn rows(separator: &str) -> String {
    points().iter().map(|[x, y, z]| format!("{x}{separator}{y}{separator}{z}\n")).collect()
}

pub(super) fn le32(numbers: &[u32]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}

pub(super) fn obj() -> Vec<Vec<u8>> {
    let vertices: String = rows(" ").lines().map(|row| format!("v {row}\n")).collect();
    let first = format!(
        "# a remark\no a\n{vertices}vn 0 0 1\nvt 0 0\ng one\nf 1 2 3\nf 1/1 2/1/1 3//1 \\\n 4\nf -1 -2 -3\nl 1 2 3\n\
         f 1 2 3 4 5 6 7 8 9 10 11 12\n"
    );
    vec![first.replace('\n', "\r\n").into_bytes(), first.into_bytes()]
}

pub(super) fn stl() -> Vec<Vec<u8>> {
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

pub(super) fn ply() -> Vec<Vec<u8>> {
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

pub(super) fn off() -> Vec<Vec<u8>> {
    let text = format!("OFF\n12 3 0\n{}3 0 1 2\n4 0 1 2 3 255 0 0\n6 0 2 4 6 8 10\n", rows(" "));
    vec![text.replacen("OFF\n", "COFF ", 1).into_bytes(), text.into_bytes()]
}

pub(super) fn vtk_legacy() -> Vec<Vec<u8>> {
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

pub(super) fn vtk_xml(kind: &str) -> Vec<Vec<u8>> {
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

pub(super) fn gmsh() -> Vec<Vec<u8>> {
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
pub(super) fn gmsh_binary() -> Vec<Vec<u8>> {
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

pub(super) fn medit() -> Vec<Vec<u8>> {
    let vertices: String = rows(" ").lines().map(|row| format!("{row} 0\n")).collect();
    let text = format!(
        "MeshVersionFormatted 2\nDimension\n3\n# a remark\nVertices\n12\n{vertices}Corners 2\n1 2\nTriangles 2\n1 2 3 7\n2 3 4 0\n\
         Tetrahedra\n1\n1 2 3 4 2\nPyramids 1 1 2 5 3 4 0\nTetrahedraP2 1 1 2 3 4 5 6 7 8 9 10 1\nHexahedra 1 1 2 3 4 5 6 7 8 3\n\
         Edges 1\n1 2 0\nEnd\n"
    );
    vec![text.replace('\n', "\r\n").into_bytes(), text.into_bytes()]
}

/// What divides the nodes from the elements.
pub(super) const BESIDE: &[u8] = b"====";

pub(super) fn tetgen() -> Vec<Vec<u8>> {
    let numbered = |base: usize| -> String {
        rows(" ").lines().enumerate().map(|(k, row)| format!("{} {row} 1\n", k + base)).collect()
    };
    let first = format!("# nodes\n12 3 0 1\n{}====2 4 1\n1 1 2 3 4 1\n2 2 3 4 5 2\n# end\n", numbered(1));
    let second = format!("12 3 0 1\n{}====1 10 0\n0 0 1 2 3 4 5 6 7 8 9\n", numbered(0));
    vec![first.into_bytes(), second.into_bytes()]
}

pub(super) fn vega() -> Vec<Vec<u8>> {
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

pub(super) fn abaqus() -> Vec<Vec<u8>> {
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
pub(super) fn gltf_parts(uri: &str) -> (String, Vec<u8>) {
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

pub(super) fn gltf() -> Vec<Vec<u8>> {
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

pub(super) fn glb() -> Vec<Vec<u8>> {
    let (mut text, buffer) = gltf_parts("");
    while text.len() % 4 != 0 {
        text.push(' ');
    }
    let length = 12 + 8 + text.len() + 8 + buffer.len();
    let head = [b"glTF".to_vec(), le32(&[2, length as u32, text.len() as u32]), b"JSON".to_vec()].concat();
    vec![[head, text.into_bytes(), le32(&[buffer.len() as u32]), b"BIN\0".to_vec(), buffer].concat()]
}
