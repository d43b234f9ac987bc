//! A small software renderer for pictures of contacts: no window, no graphics card, the same pixels on every
//! machine.

mod camera;
mod contacts;
mod image;
mod layer;
mod legend;
mod light;
mod palette;
mod surface;
mod text;
mod view;

pub(crate) use image::Image;
pub(crate) use view::{Body, View};
