//! Abaqus' input files (`.inp`), as CalculiX, Gmsh and meshio write them too: `*NODE`, `*ELEMENT`, `*ELSET`, `*PART`,
//! `*INCLUDE`. Sets of elements and parts become parts; everything else is passed over.
//!
//! Source: "Abaqus keywords reference guide". Nodes and elements that are generated, and instances that are moved, are
//! refused: a mesh would be read in part or in a wrong place.

mod element_type;
mod keyword;
mod reading;

pub(super) use reading::read;
