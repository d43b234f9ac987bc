//! Compounds.

use super::{make, palpate_geometry, take};
use crate::input::array;
use crate::status::{Failure, palpate_status};
use palpate::geometry::Compound;
use std::collections::HashSet;

/// Makes a compound of `count` geometries, numbered from 0. They are taken over, and freed if the call fails. Children have
/// world coordinates, like any geometry; a compound among them is replaced by its own children.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn palpate_geometry_compound(
    children: *const *mut palpate_geometry,
    count: usize,
    geometry: *mut *mut palpate_geometry,
) -> palpate_status {
    // SAFETY: by the rules of the header.
    let named = unsafe { array(children, count, "children") };
    let owned = named.map(|named| {
        let mut seen = HashSet::new();
        let once = named.iter().filter(|&&child| seen.insert(child));
        // SAFETY: by the rules of the header; each is taken once.
        let owned: Result<Vec<_>, Failure> =
            once.map(|&child| unsafe { take(child) }).collect::<Vec<_>>().into_iter().collect();
        (owned, seen.len() == named.len())
    });
    make(geometry, || match owned? {
        (children, true) => Ok(Box::new(Compound::new(children?))),
        (_, false) => Err(Failure::argument("a geometry is named twice as a child: wanted each once")),
    })
}
