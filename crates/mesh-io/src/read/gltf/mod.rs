//! glTF 2.0, as text (`.gltf`) and binary (`.glb`): the triangles, strips, fans and lines of the scene that is shown, with the
//! transforms of its nodes. Nodes become parts. Corners of one node in one place become one vertex: exporters divide vertices
//! along the seams of textures and normals.
//!
//! Source: Khronos Group, "glTF 2.0 specification" (2021). The crate `gltf` reads it too, but panics on damaged accessors.

mod accessor;
mod container;
mod document;
mod scene;

pub(super) use scene::{read_binary, read_text};
