//! The nodes of the scene.

use super::super::beside::Beside;
use super::accessor::{Data, add_cells};
use super::container::{buffers, chunks};
use super::document::{Document, Node};
use crate::cells::{Collector, syntax};
use crate::{Contents, Format, MeshIoError, Place};
use nalgebra::Matrix3;
use palpate_math::{Limits, Point, Vector};
use std::collections::HashMap;

/// Nodes within nodes, at most.
const DEPTH: usize = 1000;

/// Extensions that do not change a mesh, by how their names begin; and positions as small numbers, which are read.
const EXTENSIONS: [&str; 6] = [
    "KHR_materials_",
    "KHR_texture_",
    "EXT_texture_",
    "KHR_lights_",
    "KHR_animation_",
    "KHR_mesh_quantization",
];

pub(in super::super) fn read_binary(
    bytes: &[u8],
    beside: &Beside<'_>,
    limits: &Limits,
) -> Result<Contents, MeshIoError> {
    let (text, own) = chunks(bytes, beside.file())?;
    read(text, own, Format::Glb, beside, limits)
}

pub(in super::super) fn read_text(
    bytes: &[u8],
    beside: &Beside<'_>,
    limits: &Limits,
) -> Result<Contents, MeshIoError> {
    read(super::super::lines::without_mark(bytes), None, Format::Gltf, beside, limits)
}

fn read(
    text: &[u8],
    own: Option<&[u8]>,
    format: Format,
    beside: &Beside<'_>,
    limits: &Limits,
) -> Result<Contents, MeshIoError> {
    let file = beside.file();
    let document: Document = serde_json::from_slice(text).map_err(|error| {
        syntax(
            file,
            Place::Line(error.line()),
            "the document",
            &format_args!("not valid ({error})"),
            "glTF 2.0",
        )
    })?;
    let refused = |what, found: &str, wanted| {
        Err(MeshIoError::Unsupported { file: file.to_owned(), what, found: found.to_owned(), wanted })
    };
    if !document.asset.version.starts_with("2.") {
        return refused("the version", &document.asset.version, "2.0");
    }
    let is_known = |name: &&String| EXTENSIONS.iter().any(|known| name.starts_with(known));
    if let Some(name) = document.extensions_required.iter().find(|name| !is_known(name)) {
        let wanted = "a mesh without required extensions: export it without compression";
        return refused("a required extension", name, wanted);
    }
    let bytes = buffers(&document, own, beside)?;
    let data = Data::new(&document, bytes, file, limits, text.len() as u64);
    let mut scene = Scene {
        cells: Collector::new(file, format, limits),
        is_done: vec![false; document.nodes.len()],
        data: &data,
    };
    scene.nodes()?;
    scene.cells.finish()
}

/// An affine map: x to `linear` x + `shift`.
#[derive(Clone, Copy)]
struct Map {
    linear: Matrix3<f64>,
    shift: Vector,
}

impl Map {
    fn after(self, first: Self) -> Self {
        Self { linear: self.linear * first.linear, shift: self.linear * first.shift + self.shift }
    }
}

struct Scene<'a> {
    cells: Collector,
    is_done: Vec<bool>,
    data: &'a Data<'a>,
}

impl Scene<'_> {
    /// The nodes of the scene that is shown; without scenes all nodes; without nodes all meshes.
    fn nodes(&mut self) -> Result<(), MeshIoError> {
        let document = self.data.document;
        let identity = Map { linear: Matrix3::identity(), shift: Vector::zeros() };
        if document.nodes.is_empty() {
            return (0..document.meshes.len()).try_for_each(|mesh| self.mesh(mesh, None, identity));
        }
        let roots = if document.scenes.is_empty() {
            let mut is_root = vec![true; document.nodes.len()];
            for &child in document.nodes.iter().flat_map(|node| &node.children) {
                if let Some(is_root) = is_root.get_mut(child) {
                    *is_root = false;
                }
            }
            (0..document.nodes.len()).filter(|&node| is_root[node]).collect()
        } else {
            self.data.item(&document.scenes, document.scene.unwrap_or(0), "a scene")?.nodes.clone()
        };
        // Children in the order of the document: the last of the stack comes first.
        let mut stack: Vec<(usize, Map, usize)> =
            roots.into_iter().rev().map(|node| (node, identity, 1)).collect();
        while let Some((index, parent, depth)) = stack.pop() {
            let node = self.data.item(&document.nodes, index, "a node")?;
            if std::mem::replace(&mut self.is_done[index], true) || depth > DEPTH {
                let what = format!("node {index}");
                return Err(self.data.error(
                    &what,
                    &"in the scene twice, or too deep in it",
                    "a tree of nodes",
                ));
            }
            let map = parent.after(self.map(index, node)?);
            if let Some(mesh) = node.mesh {
                if node.skin.is_some() {
                    self.cells.left_out("skins");
                }
                self.mesh(mesh, Some((index, node)), map)?;
            }
            stack.extend(node.children.iter().rev().map(|&child| (child, map, depth + 1)));
        }
        Ok(())
    }

    fn map(&self, index: usize, node: &Node) -> Result<Map, MeshIoError> {
        let map = match &node.matrix {
            Some(m) => Map {
                linear: Matrix3::new(m[0], m[4], m[8], m[1], m[5], m[9], m[2], m[6], m[10]),
                shift: Vector::new(m[12], m[13], m[14]),
            },
            None => {
                let [x, y, z, w] = node.rotation.unwrap_or([0.0, 0.0, 0.0, 1.0]);
                let rotation = Matrix3::new(
                    1.0 - 2.0 * (y * y + z * z),
                    2.0 * (x * y - w * z),
                    2.0 * (x * z + w * y),
                    2.0 * (x * y + w * z),
                    1.0 - 2.0 * (x * x + z * z),
                    2.0 * (y * z - w * x),
                    2.0 * (x * z - w * y),
                    2.0 * (y * z + w * x),
                    1.0 - 2.0 * (x * x + y * y),
                );
                let scale = Vector::from(node.scale.unwrap_or([1.0; 3]));
                let shift = Vector::from(node.translation.unwrap_or([0.0; 3]));
                Map { linear: rotation * Matrix3::from_diagonal(&scale), shift }
            }
        };
        let is_finite = map.linear.iter().chain(map.shift.iter()).all(|x| x.is_finite());
        if is_finite {
            Ok(map)
        } else {
            Err(self.data.error(&format!("the transform of node {index}"), &"not finite", "finite numbers"))
        }
    }

    fn mesh(&mut self, index: usize, node: Option<(usize, &Node)>, map: Map) -> Result<(), MeshIoError> {
        let mesh = self.data.item(&self.data.document.meshes, index, "a mesh")?;
        let mut known: HashMap<[u64; 3], u64> = HashMap::new();
        let before = self.cells.counts();
        for primitive in &mesh.primitives {
            let Some(position) = primitive.attributes.position else { continue };
            let rows = self.data.rows(position, 3)?;
            let mut vertices = Vec::with_capacity(rows.len() / 3);
            for row in rows.chunks_exact(3) {
                let point = Point::from(map.linear * Vector::new(row[0], row[1], row[2]) + map.shift);
                // Positive and negative zero are the same position.
                let key = [point.x, point.y, point.z].map(|x| (x + 0.0).to_bits());
                let next = self.cells.point_count() as u64;
                let id = *known.entry(key).or_insert(next);
                if id == next {
                    self.cells.point(point.into(), Place::Unknown)?;
                }
                vertices.push(id);
            }
            let ids = match primitive.indices {
                Some(indices) => {
                    let indices = self.data.rows(indices, 1)?;
                    indices
                        .into_iter()
                        .map(|index| self.data.vertex(index, &vertices))
                        .collect::<Result<_, _>>()?
                }
                None => vertices,
            };
            if !primitive.targets.is_empty() {
                self.cells.left_out("sets of morph targets");
            }
            let reversed = map.linear.determinant() < 0.0;
            add_cells(self.data, &mut self.cells, primitive.mode.unwrap_or(4), &ids, reversed)?;
        }
        let named = node.and_then(|(_, node)| node.name.clone()).or_else(|| mesh.name.clone());
        let number = node.map_or(index, |(node, _)| node);
        let name =
            named.unwrap_or_else(|| format!("{} {number}", if node.is_some() { "node" } else { "mesh" }));
        self.cells.add_to_part(&name, before, Place::Unknown)
    }
}
