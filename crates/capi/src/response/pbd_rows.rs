//! Rows of position-based dynamics, copied to the host.

use super::pbd::{palpate_pbd, palpate_pbd_state};
use crate::handle::enter;
use crate::input::{Out, copy_out};
use crate::status::{Failure, PALPATE_BUFFER_TOO_SMALL, palpate_status};
use crate::types::{PALPATE_NONE, palpate_pair_id};
use crate::wall::call;
use palpate::response::pbd::{Entry, Rows};

/// One particle of a row.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct palpate_pbd_entry {
    /// The particle.
    pub particle: u32,
    /// 0.
    pub reserved: u32,
    /// Its weight in the point of side A minus that in the point of side B: the gradient of the gap is `weight * direction`.
    pub weight: f64,
    /// The factor on its inverse mass.
    pub scale: f64,
}

/// One row: a contact as a constraint on the gap, in metres, which a solver keeps at 0 or more.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct palpate_pbd_row {
    /// The pair.
    pub pair: palpate_pair_id,
    /// The `id` of the contact.
    pub id: u64,
    /// The children of side A and B, or `PALPATE_NONE`.
    pub children: [u32; 2],
    /// Unit direction along which the gap grows when side A moves.
    pub direction: [f64; 3],
    /// Two unit vectors that complete it to a right-handed frame.
    pub tangents: [[f64; 3]; 2],
    /// The gap in the given state, metres.
    pub gap: f64,
    /// The multipliers along the direction and both tangents, kilogram metres.
    pub multipliers: [f64; 3],
    /// Where the row's particles begin in the list of entries.
    pub first_entry: u32,
    /// The number of its particles.
    pub entry_count: u32,
    /// The rigid bodies of the row, or `PALPATE_NONE`; two of them if both sides are rigid, the first of side A.
    pub bodies: [u32; 2],
    /// The gradient of the gap with respect to each body's centre of mass.
    pub body_gradients: [[f64; 3]; 2],
    /// The gradient with respect to a rotation about it.
    pub body_turns: [[f64; 3]; 2],
}

/// Copies all rows and their particles to arrays of the host, which may be null to ask for the counts: those that are needed are
/// written to `row_count` and `entry_count`. Errors: `PALPATE_BUFFER_TOO_SMALL` if one of both is too short; then neither is
/// written. `state` has as many particles and bodies as when the rows were gathered.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn palpate_pbd_rows(
    pbd: *mut palpate_pbd,
    state: *const palpate_pbd_state,
    rows: *mut palpate_pbd_row,
    row_capacity: usize,
    row_count: *mut usize,
    entries: *mut palpate_pbd_entry,
    entry_capacity: usize,
    entry_count: *mut usize,
) -> palpate_status {
    // SAFETY: by the rules of the header.
    call(|| unsafe {
        enter(pbd, "the PBD rows")?.with_state(state, |own, pairs, state| {
            let (out_rows, out_entries) =
                (Out::new(row_count, "row_count")?, Out::new(entry_count, "entry_count")?);
            let total: usize = own.iter().map(|row| row.entries().len()).sum();
            out_rows.put(own.len());
            out_entries.put(total);
            if own.len() > row_capacity || total > entry_capacity {
                let text = format!(
                    "the capacities are {row_capacity} rows and {entry_capacity} entries: wanted {} and {total}",
                    own.len()
                );
                return Err(Failure::new(PALPATE_BUFFER_TOO_SMALL, text));
            }
            let mut first_entry = 0;
            let copied = own.iter().map(|row| {
                let mut made = palpate_pbd_row {
                    pair: pairs.of(row.key().pair),
                    id: row.key().contact.id,
                    children: row.key().contact.children,
                    direction: row.direction().into(),
                    tangents: row.tangents().map(Into::into),
                    gap: row.gap(state.positions()),
                    multipliers: row.multipliers(),
                    first_entry,
                    entry_count: row.entries().len() as u32,
                    bodies: [PALPATE_NONE; 2],
                    body_gradients: [[0.0; 3]; 2],
                    body_turns: [[0.0; 3]; 2],
                };
                first_entry += made.entry_count;
                for (place, (body, [linear, angular])) in row.body_gradients(state.bodies).take(2).enumerate() {
                    made.bodies[place] = body as u32;
                    made.body_gradients[place] = linear.into();
                    made.body_turns[place] = angular.into();
                }
                made
            });
            copy_out(copied, (rows, row_capacity), row_count, "rows")?;
            let flat = entries_of(own);
            copy_out(flat.into_iter(), (entries, entry_capacity), entry_count, "entries")
        })
    })
}

/// The particles of all rows, row after row.
fn entries_of(rows: &Rows) -> Vec<palpate_pbd_entry> {
    let entry = |entry: &Entry| palpate_pbd_entry {
        particle: entry.particle,
        reserved: 0,
        weight: entry.weight,
        scale: entry.scale,
    };
    rows.iter().flat_map(|row| row.entries()).map(entry).collect()
}
