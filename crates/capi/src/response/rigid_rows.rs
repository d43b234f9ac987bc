//! Rows of rigid bodies, copied to the host.

use super::rigid::palpate_rigid;
use crate::handle::enter;
use crate::input::copy_out;
use crate::status::palpate_status;
use crate::types::{PALPATE_NONE, palpate_pair_id};
use crate::wall::call;

/// One contact as three velocity constraints: 0 the normal, 1 and 2 the tangents.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct palpate_rigid_row {
    /// The pair.
    pub pair: palpate_pair_id,
    /// The `id` of the contact.
    pub id: u64,
    /// The children of side A and B, or `PALPATE_NONE`.
    pub children: [u32; 2],
    /// The rigid bodies of side A and B, or `PALPATE_NONE`.
    pub bodies: [u32; 2],
    /// Unit direction that moves A out of B.
    pub direction: [f64; 3],
    /// Two unit vectors that complete it to a right-handed frame.
    pub tangents: [[f64; 3]; 2],
    /// The Jacobian: for each constraint and side the linear, then the angular part.
    pub jacobian: [[[f64; 6]; 2]; 3],
    /// Effective masses in kilograms; 0 if neither side moves.
    pub effective_masses: [f64; 3],
    /// The gap when the contact was found, less the thickness; metres.
    pub gap: f64,
    /// The velocity that the normal constraint has to reach, metres per second.
    pub target: f64,
    /// The accumulated impulses, newton seconds; 0 or more along the normal.
    pub impulses: [f64; 3],
}

/// Copies all rows to an array of the host; `row_count` is set to how many there are. Errors: `PALPATE_BUFFER_TOO_SMALL`; nothing is
/// written to `rows` then.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn palpate_rigid_rows(
    rigid: *mut palpate_rigid,
    rows: *mut palpate_rigid_row,
    row_capacity: usize,
    row_count: *mut usize,
) -> palpate_status {
    call(|| {
        // SAFETY: by the rules of the header.
        let rigid = unsafe { enter(rigid, "the rigid rows") }?;
        let copied = rigid.rows.iter().map(|row| palpate_rigid_row {
            pair: rigid.pairs.of(row.key().pair),
            id: row.key().contact.id,
            children: row.key().contact.children,
            bodies: row.bodies().map(|body| body.map_or(PALPATE_NONE, |body| body as u32)),
            direction: row.direction().into(),
            tangents: row.tangents().map(Into::into),
            jacobian: [0, 1, 2].map(|constraint| {
                row.jacobian(constraint)
                    .map(|[linear, angular]| [linear.x, linear.y, linear.z, angular.x, angular.y, angular.z])
            }),
            effective_masses: row.effective_masses(),
            gap: row.gap(),
            target: row.target(),
            impulses: row.impulses(),
        });
        copy_out(copied, (rows, row_capacity), row_count, "rows")
    })
}
