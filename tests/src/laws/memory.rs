//! The memory of a detector changes only the time.

use crate::compare::{ROUNDING, same_within};
use crate::random::Random;
use crate::{ALL_NEEDS, Case, Subject};
use palpate_detect::Context;

/// Frames of the motion.
const FRAMES: usize = 6;

/// The law of memory: one detector over a sequence of frames gives the same results as a fresh one in each frame.
pub(crate) fn memory(subject: &Subject<'_>, case: &Case) -> Result<usize, String> {
    let mut random = Random::named("memory", case.number as u64);
    let (mut a, mut b) = (case.a.prepared(), case.b.prepared());
    let mut bound = subject.bind(case, a.as_ref(), b.as_ref())?;
    let context = Context::new().with_margin(case.margin);
    let mut judged = 0;
    for frame in 0..FRAMES {
        // The first frame is the case itself; a jump out and back tests what is left over from contact.
        let by = match frame {
            0 => 0.0,
            3 => 4.0,
            _ => 0.02,
        };
        let shift = random.direction() * (by * case.b.rounding_radius().max(0.1 * case.size()));
        let moved = case.with_shapes(case.a.clone(), case.b.shifted(&shift));
        moved.a.place(a.as_mut());
        moved.b.place(b.as_mut());
        a.prepare(ALL_NEEDS);
        b.prepare(ALL_NEEDS);
        let found = subject.run(&mut bound, a.as_ref(), b.as_ref(), &context)?;
        // A fresh detector, bound at the first frame, so that two geometries of one kind keep their order.
        let (first_a, first_b) = (case.a.prepared(), case.b.prepared());
        let (fresh_a, fresh_b) = (moved.a.prepared(), moved.b.prepared());
        let mut fresh = subject.bind(case, first_a.as_ref(), first_b.as_ref())?;
        let wanted = subject.run(&mut fresh, fresh_a.as_ref(), fresh_b.as_ref(), &context)?;
        same_within(&moved, &wanted, &found, ROUNDING)
            .map_err(|reason| format!("frame {frame}: {reason}"))?;
        judged += wanted.len();
    }
    Ok(judged)
}
