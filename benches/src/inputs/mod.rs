//! Inputs of the detectors: shapes and meshes with the dimensions of a surgical scene, in metres.

mod cloud;
mod organ;
mod primitive;
mod ring;
mod thread;
mod tissue;

pub(crate) use cloud::{cloud_in_ball, cloud_in_box};
pub(crate) use organ::{ORGAN_RADIUS, organ, organ_surface_point};
pub(crate) use primitive::{Posed, Primitive};
pub(crate) use ring::{RING, ring};
pub(crate) use thread::{THREAD_RADIUS, thread};
pub(crate) use tissue::tissue;
