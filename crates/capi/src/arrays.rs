//! Vertices and cells of the host, by pointer, count and stride.

use crate::status::{Failure, Outcome};
use palpate::math::Point;
use std::borrow::Cow;
use std::ffi::c_void;
use std::ops::Deref;

/// Coordinates are `double`.
pub const PALPATE_F64: u32 = 0;
/// Coordinates are `float`.
pub const PALPATE_F32: u32 = 1;

/// Coordinates are right-handed, as palpate's.
pub const PALPATE_MIRROR_NONE: u32 = 0;
/// Coordinates are left-handed: x is negated.
pub const PALPATE_MIRROR_X: u32 = 1;
/// Coordinates are left-handed: y is negated, as suits Unreal.
pub const PALPATE_MIRROR_Y: u32 = 2;
/// Coordinates are left-handed: z is negated, as suits Unity.
pub const PALPATE_MIRROR_Z: u32 = 3;

/// Points of the host, read during the call. All zero but `data` and `count`: `double`, without gaps, metres, right-handed.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct palpate_points {
    /// x, y, z of the first point; of any alignment. May be null if `count` is 0.
    pub data: *const c_void,
    /// The number of points.
    pub count: usize,
    /// Bytes from one point to the next; 0 for points without gaps.
    pub stride: usize,
    /// `PALPATE_F64` or `PALPATE_F32`.
    pub scalar: u32,
    /// `PALPATE_MIRROR_…`: the axis that is negated.
    pub mirror: u32,
    /// Metres per unit: 0.01 for centimetres. 0 is read as 1.
    pub unit: f64,
}

/// Indices are `uint32_t`.
pub const PALPATE_U32: u32 = 0;
/// Indices are `uint16_t`.
pub const PALPATE_U16: u32 = 1;
/// Indices are `int32_t`; none is negative.
pub const PALPATE_I32: u32 = 2;

/// Cells of the host, read during the call: 2 vertex ids of a segment, 3 of a triangle, 4 of a tetrahedron. All zero but
/// `data` and `count`: `uint32_t`, without gaps, in the order given.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct palpate_cells {
    /// The first vertex id of the first cell; of any alignment. May be null if `count` is 0.
    pub data: *const c_void,
    /// The number of cells, not of indices.
    pub count: usize,
    /// Bytes from one cell to the next; 0 for cells without gaps.
    pub stride: usize,
    /// `PALPATE_U32`, `PALPATE_U16` or `PALPATE_I32`.
    pub index: u32,
    /// 1 to exchange the last two vertices of every cell, which turns triangles round; 0 by default. palpate wants triangles
    /// counter-clockwise seen from outside, in right-handed coordinates. Mirrored vertices turn triangles round, too: those
    /// that are clockwise from outside in a left-handed frame need 0.
    pub is_reversed: u32,
}

/// Points or cells beyond this cannot be numbered in the ids of contacts.
const MOST: usize = 1 << 29;

/// The bytes between items, and that all items can be addressed.
fn stride_of(
    what: &str,
    (data, count, stride): (*const c_void, usize, usize),
    size: usize,
) -> Outcome<usize> {
    let stride = if stride == 0 { size } else { stride };
    if count > MOST {
        return Err(Failure::range(format!("the count of {what} is {count}: wanted {MOST} at most")));
    }
    if stride < size {
        let text = format!("the stride of {what} is {stride} bytes: wanted 0, or at least {size}");
        return Err(Failure::argument(text));
    }
    if count > 0 && data.is_null() {
        return Err(Failure::null(&format!("data of {what}")));
    }
    let bytes = count.checked_mul(stride).and_then(|bytes| isize::try_from(bytes).ok());
    let text = || format!("{count} {what} with a stride of {stride} bytes: wanted what fits into memory");
    bytes.map(|_| stride).ok_or_else(|| Failure::range(text()))
}

/// Points of the host as they are, or converted.
pub(crate) enum Points<'a> {
    Host(&'a [Point]),
    Converted(&'a mut Vec<Point>),
}

impl Deref for Points<'_> {
    type Target = [Point];

    fn deref(&self) -> &[Point] {
        match self {
            Self::Host(points) => points,
            Self::Converted(points) => points,
        }
    }
}

impl palpate_points {
    /// The points, without a copy where they are as palpate's own. Errors: an unknown scalar or mirror, a unit that is not
    /// finite and positive, a stride or a count that cannot be. The coordinates are not checked.
    ///
    /// # Safety
    /// There are as many points as the counts say, for as long as the result is used.
    pub(crate) unsafe fn read<'a>(&self, what: &str, scratch: &'a mut Vec<Point>) -> Outcome<Points<'a>> {
        let (size, is_float) = match self.scalar {
            PALPATE_F64 => (24, false),
            PALPATE_F32 => (12, true),
            other => {
                return Err(Failure::argument(format!("the scalar of {what} is {other}: wanted 0 or 1")));
            }
        };
        if self.mirror > PALPATE_MIRROR_Z {
            let text = format!("the mirror of {what} is {}: wanted 0 to 3", self.mirror);
            return Err(Failure::argument(text));
        }
        let unit = if self.unit == 0.0 { 1.0 } else { self.unit };
        if !(unit > 0.0 && unit.is_finite()) {
            let text = format!("the unit of {what} is {}: wanted a number greater than 0", self.unit);
            return Err(Failure::argument(text));
        }
        let stride = stride_of(what, (self.data, self.count, self.stride), size)?;
        if self.count == 0 {
            return Ok(Points::Host(&[]));
        }
        let is_plain = unit == 1.0 && self.mirror == PALPATE_MIRROR_NONE;
        if is_plain && !is_float && stride == size && self.data.cast::<Point>().is_aligned() {
            // SAFETY: a point is three `double`, aligned as they are; the caller's promise.
            return Ok(Points::Host(unsafe { std::slice::from_raw_parts(self.data.cast(), self.count) }));
        }
        let mut signs = [unit; 3];
        if self.mirror != PALPATE_MIRROR_NONE {
            signs[self.mirror as usize - 1] = -unit;
        }
        // SAFETY: the caller's promise; the arithmetic was checked.
        unsafe {
            match (is_float, is_plain) {
                (true, true) if stride == size && self.data.cast::<f32>().is_aligned() => {
                    widen(scratch, std::slice::from_raw_parts(self.data.cast(), 3 * self.count));
                }
                (true, true) => fill::<f32>(scratch, self.data.cast(), (self.count, stride), f64::from, None),
                (true, false) => {
                    fill::<f32>(scratch, self.data.cast(), (self.count, stride), f64::from, Some(signs));
                }
                (false, _) => {
                    fill::<f64>(scratch, self.data.cast(), (self.count, stride), |x| x, Some(signs))
                }
            }
        }
        Ok(Points::Converted(scratch))
    }

    /// The points as a list of their own. Errors and safety: as [`read`](Self::read).
    pub(crate) unsafe fn copied(&self, what: &str) -> Outcome<Vec<Point>> {
        let mut scratch = Vec::new();
        // SAFETY: the caller's promise.
        Ok(match unsafe { self.read(what, &mut scratch) }? {
            Points::Host(points) => points.to_vec(),
            Points::Converted(points) => std::mem::take(points),
        })
    }
}

/// Replaces the points by single numbers, three for each: a loop that the compiler does several at a time.
fn widen(to: &mut Vec<Point>, from: &[f32]) {
    to.resize(from.len() / 3, Point::origin());
    // SAFETY: a point is three numbers in a row, as asserted below.
    let numbers = unsafe { std::slice::from_raw_parts_mut(to.as_mut_ptr().cast::<f64>(), from.len()) };
    for (number, single) in numbers.iter_mut().zip(from) {
        *number = f64::from(*single);
    }
}

/// Replaces the points by those that are `stride` bytes apart.
///
/// # Safety
/// `count` points of three values each can be read.
unsafe fn fill<T: Copy>(
    to: &mut Vec<Point>,
    from: *const u8,
    (count, stride): (usize, usize),
    number: impl Fn(T) -> f64,
    factors: Option<[f64; 3]>,
) {
    to.clear();
    to.extend((0..count).map(|item| {
        // SAFETY: the caller's promise.
        let values = unsafe { from.add(item * stride).cast::<[T; 3]>().read_unaligned() };
        let [x, y, z] = values.map(&number);
        match factors {
            Some([a, b, c]) => Point::new(x * a, y * b, z * c),
            None => Point::new(x, y, z),
        }
    }));
}

impl palpate_cells {
    /// The cells. Errors: an unknown index type, a negative index, a stride or a count that cannot be. Whether the vertices
    /// exist is not checked.
    ///
    /// # Safety
    /// There are as many cells as the counts say, for as long as the result is used.
    pub(crate) unsafe fn read<'a, const N: usize>(&self, what: &str) -> Outcome<Cow<'a, [[u32; N]]>> {
        let width = match self.index {
            PALPATE_U32 | PALPATE_I32 => 4,
            PALPATE_U16 => 2,
            other => {
                let text = format!("the index type of {what} is {other}: wanted 0, 1 or 2");
                return Err(Failure::argument(text));
            }
        };
        let is_reversed = crate::input::flag(self.is_reversed, &format!("is_reversed of {what}"))?;
        let size = width * N;
        let stride = stride_of(what, (self.data, self.count, self.stride), size)?;
        if self.count == 0 {
            return Ok(Cow::Borrowed(&[]));
        }
        let is_plain = self.index == PALPATE_U32 && !is_reversed && stride == size;
        if is_plain && self.data.cast::<u32>().is_aligned() {
            // SAFETY: a cell is so many `uint32_t`, aligned as they are; the caller's promise.
            return Ok(Cow::Borrowed(unsafe { std::slice::from_raw_parts(self.data.cast(), self.count) }));
        }
        let mut cells = Vec::with_capacity(self.count);
        for item in 0..self.count {
            // SAFETY: the arithmetic was checked.
            let from = unsafe { self.data.cast::<u8>().add(item * stride) };
            // SAFETY: the caller's promise.
            let mut cell: [u32; N] = unsafe {
                match self.index {
                    PALPATE_U16 => from.cast::<[u16; N]>().read_unaligned().map(u32::from),
                    _ => from.cast::<[u32; N]>().read_unaligned(),
                }
            };
            if self.index == PALPATE_I32
                && let Some(negative) = cell.iter().find(|&&id| id > i32::MAX as u32)
            {
                let text = format!("{what} {item} has the vertex {}: wanted 0 or more", *negative as i32);
                return Err(Failure::range(text));
            }
            if is_reversed {
                cell.swap(N - 2, N - 1);
            }
            cells.push(cell);
        }
        Ok(Cow::Owned(cells))
    }
}

// A point of Rust is three numbers in a row.
const _: () = assert!(size_of::<Point>() == 24 && align_of::<Point>() == align_of::<f64>());
