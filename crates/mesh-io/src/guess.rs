//! What a file is that no reader knows, and the nearest way to a mesh.

use crate::MeshIoError;
use crate::ending::inner_ending;
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// A class of files that are no meshes, or none that is read.
struct Class {
    /// What one is, behind "which is".
    what: &'static str,
    endings: &'static [&'static str],
    /// What to do, behind a semicolon.
    advice: &'static str,
}

const CLASSES: [Class; 9] = [
    Class {
        what: "a CAD model",
        endings: &[
            "stp", "step", "igs", "iges", "brep", "brp", "x_t", "x_b", "sat", "sldprt", "sldasm", "fcstd",
            "ipt", "prt", "catpart", "3dm", "jt",
        ],
        advice: "mesh it first, e.g. by gmsh -2 -o mesh.stl",
    },
    Class {
        what: "a scene of a modelling program",
        endings: &[
            "fbx", "blend", "dae", "3ds", "max", "ma", "mb", "c4d", "lwo", "usd", "usda", "usdc", "usdz",
            "abc", "x3d", "wrl", "3mf", "x",
        ],
        advice: "export it as .glb or .obj, e.g. from Blender",
    },
    Class {
        what: "an image",
        endings: &[
            "dcm", "dicom", "nii", "nrrd", "nhdr", "mha", "mhd", "hdr", "img", "tif", "tiff", "png", "jpg",
            "jpeg", "vti",
        ],
        advice: "segment it and export the surface as .vtp, .ply or .stl, e.g. from 3D Slicer",
    },
    Class {
        what: "a mesh of finite elements that is not read",
        endings: &[
            "exo", "e", "ex2", "cgns", "med", "cdb", "bdf", "nas", "fem", "k", "key", "feb", "unv", "mphtxt",
            "xdmf", "xmf", "meshb", "avs", "ucd", "su2", "dat",
        ],
        advice: "convert it, e.g. by meshio convert IN mesh.vtu, or gmsh -save -o mesh.msh",
    },
    Class {
        what: "a data set of VTK that is not read",
        endings: &["vts", "vtr", "vtm", "vtmb", "pvd", "pvtu", "pvtp", "vth", "vthb"],
        advice: "save it as .vtu or .vtp, e.g. from ParaView",
    },
    Class {
        what: "a part of a mesh of TetGen",
        endings: &["face", "edge", "neigh", "poly", "smesh", "vol", "var", "mtr"],
        advice: "name its .node or .ele",
    },
    Class {
        what: "a cloud of points",
        endings: &["xyz", "pts", "pcd", "las", "laz", "e57", "asc"],
        advice: "make a surface of it first, e.g. by MeshLab's screened Poisson reconstruction",
    },
    Class {
        what: "an archive",
        endings: &["zip", "7z", "tar", "tgz", "rar", "xz", "bz2", "zst"],
        advice: "unpack it",
    },
    Class {
        what: "a recording",
        endings: &["vtkhdf", "hdf", "h5", "hdf5"],
        advice: "palpate inspect and palpate replay read recordings in VTKHDF",
    },
];

/// How files begin.
const BEGINNINGS: [(&[u8], &str); 19] = [
    (b"ply\n", "PLY"),
    (b"ply\r", "PLY"),
    (b"OFF", "OFF"),
    (b"COFF", "OFF"),
    (b"NOFF", "OFF"),
    (b"# vtk DataFile", "VTK legacy"),
    (b"<VTKFile type=\"UnstructuredGrid\"", "VTU"),
    (b"<VTKFile type=\"PolyData\"", "VTP"),
    (b"$MeshFormat", "Gmsh"),
    (b"MeshVersionFormatted", "MEDIT"),
    (b"glTF", "GLB"),
    (b"solid ", "STL"),
    (b"\x89HDF\r\n\x1a\n", "HDF5"),
    (b"ISO-10303-21", "a CAD model (STEP)"),
    (b"Kaydara FBX", "a scene of a modelling program (FBX)"),
    (b"BLENDER", "a scene of a modelling program (Blender)"),
    (b"NRRD", "an image (NRRD)"),
    (b"PK\x03\x04", "an archive (ZIP)"),
    (b"\x1f\x8b", "compressed by gzip"),
];

/// The endings of those that are meshes.
const ENDINGS: [(&str, &str); 9] = [
    ("PLY", "ply"),
    ("OFF", "off"),
    ("VTK legacy", "vtk"),
    ("VTU", "vtu"),
    ("VTP", "vtp"),
    ("Gmsh", "msh"),
    ("MEDIT", "mesh"),
    ("GLB", "glb"),
    ("STL", "stl"),
];

/// The error about a file whose ending no reader knows; `bytes` are its first ones, empty if it was not opened.
pub(crate) fn unknown(path: &Path, bytes: &[u8]) -> MeshIoError {
    let ending = inner_ending(path);
    let class = CLASSES.iter().find(|class| class.endings.contains(&ending.as_str()));
    let begins = content(bytes);
    let looks_like = match (class, begins) {
        (Some(class), _) => format!(", which is {}", class.what),
        (None, Some(name)) => format!(", and it begins like {name}"),
        (None, None) => String::new(),
    };
    let known = begins.and_then(|name| ENDINGS.iter().find(|(known, _)| *known == name));
    let advice = match (class, known, begins) {
        (Some(class), ..) => format!("; {}", class.advice),
        (None, Some((_, ending)), _) => format!("; give it the ending .{ending}"),
        (None, None, Some("HDF5")) => "; give it the ending .vtkhdf if it is a recording".to_owned(),
        _ => String::new(),
    };
    MeshIoError::UnknownFormat { file: path.display().to_string(), found: ending, looks_like, advice }
}

/// The error about a file whose ending no reader knows, by its content too. A file that is not a regular one is not opened.
pub(crate) fn unknown_file(path: &Path) -> MeshIoError {
    let mut bytes = Vec::new();
    let is_file = std::fs::metadata(path).is_ok_and(|found| found.is_file());
    if let Some(opened) = is_file.then(|| File::open(path).ok()).flatten() {
        // What cannot be read is told by the ending alone.
        let _ = opened.take(512).read_to_end(&mut bytes);
    }
    unknown(path, &bytes)
}

/// What a content begins like.
fn content(bytes: &[u8]) -> Option<&'static str> {
    if bytes.get(128..132) == Some(b"DICM") {
        return Some("an image (DICOM)");
    }
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    // A declaration of XML may come first.
    let text = match text.starts_with(b"<?xml") {
        true => text.iter().position(|&byte| byte == b'\n').map_or(text, |end| &text[end + 1..]),
        false => text,
    };
    BEGINNINGS.iter().find(|(start, _)| text.starts_with(start)).map(|(_, name)| *name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Format;

    #[test]
    fn the_error_says_what_it_is_and_the_nearest_way() {
        let error = |name: &str, bytes: &[u8]| unknown(Path::new(name), bytes).to_string();
        let read =
            "wanted one of obj, stl, ply, off, vtk, vtu, vtp, msh, mesh, node, ele, veg, inp, gltf, glb";
        assert_eq!(
            error("a.stp", b""),
            format!(
                "a.stp: the ending is \"stp\", which is a CAD model: {read}; mesh it first, e.g. by gmsh -2 -o mesh.stl"
            )
        );
        assert!(error("a.nii.gz", b"").contains("the ending is \"nii\", which is an image"));
        assert!(error("a.bdf", b"").contains("convert it, e.g. by meshio"));
        assert_eq!(
            error("scan", b"ply\nformat"),
            format!("scan: the ending is \"\", and it begins like PLY: {read}; give it the ending .ply")
        );
        let xml = b"<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version";
        assert!(error("a.xml", xml).ends_with("give it the ending .vtp"));
        assert!(error("a.bin", b"\x89HDF\r\n\x1a\n").contains("begins like HDF5"));
        assert_eq!(error("a.foo", b"hello"), format!("a.foo: the ending is \"foo\": {read}"));
    }

    /// No ending belongs to two classes, or to a reader.
    #[test]
    fn every_ending_has_one_class() {
        let mut all: Vec<&str> = CLASSES.iter().flat_map(|class| class.endings).copied().collect();
        all.extend(Format::ENDINGS);
        let count = all.len();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), count);
    }
}
