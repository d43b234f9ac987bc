//! What comes from C: pointers, texts, arrays, options.

use crate::status::{Failure, Outcome, PALPATE_BUFFER_TOO_SMALL};
use std::ffi::{CStr, c_char};
use std::path::PathBuf;

/// Places for results, checked before a call does anything.
pub(crate) struct Out<T>(*mut T);

impl<T> Out<T> {
    /// Errors: null.
    pub(crate) fn new(pointer: *mut T, what: &str) -> Outcome<Self> {
        if pointer.is_null() { Err(Failure::null(what)) } else { Ok(Self(pointer)) }
    }

    /// A place that may be null.
    pub(crate) fn optional(pointer: *mut T) -> Option<Self> {
        (!pointer.is_null()).then_some(Self(pointer))
    }

    /// Writes the result.
    pub(crate) fn put(&self, value: T) {
        // SAFETY: by the rules of the header a pointer for a result is null or may be written to.
        unsafe { self.0.write(value) }
    }
}

/// A text. Errors: null, not UTF-8.
///
/// # Safety
/// `pointer` is null or ends with a zero byte.
pub(crate) unsafe fn text<'a>(pointer: *const c_char, what: &str) -> Outcome<&'a str> {
    if pointer.is_null() {
        return Err(Failure::null(what));
    }
    // SAFETY: the caller's promise.
    let bytes = unsafe { CStr::from_ptr(pointer) };
    bytes.to_str().map_err(|error| {
        Failure::argument(format!("{what} is not UTF-8 from byte {} on: wanted UTF-8", error.valid_up_to()))
    })
}

/// A text, or nothing for null. Errors: not UTF-8.
///
/// # Safety
/// As [`text`].
pub(crate) unsafe fn optional_text<'a>(pointer: *const c_char, what: &str) -> Outcome<Option<&'a str>> {
    if pointer.is_null() {
        return Ok(None);
    }
    // SAFETY: the caller's promise.
    unsafe { text(pointer, what) }.map(Some)
}

/// A path. Errors: as [`text`].
///
/// # Safety
/// As [`text`].
pub(crate) unsafe fn path(pointer: *const c_char, what: &str) -> Outcome<PathBuf> {
    // SAFETY: the caller's promise.
    unsafe { text(pointer, what) }.map(PathBuf::from)
}

/// An array of `count` values. Errors: null with a count, a count that overflows.
///
/// # Safety
/// `pointer` is null or points to `count` values that nobody changes meanwhile.
pub(crate) unsafe fn array<'a, T>(pointer: *const T, count: usize, what: &str) -> Outcome<&'a [T]> {
    if count == 0 {
        return Ok(&[]);
    }
    checked_array(pointer, count, what)?;
    // SAFETY: the caller's promise; not null, aligned, and of a size that fits.
    Ok(unsafe { std::slice::from_raw_parts(pointer, count) })
}

/// An array to be changed. Errors: as [`array`].
///
/// # Safety
/// As [`array`], and nobody reads it meanwhile.
pub(crate) unsafe fn array_mut<'a, T>(pointer: *mut T, count: usize, what: &str) -> Outcome<&'a mut [T]> {
    if count == 0 {
        return Ok(&mut []);
    }
    checked_array(pointer, count, what)?;
    // SAFETY: as above.
    Ok(unsafe { std::slice::from_raw_parts_mut(pointer, count) })
}

fn checked_array<T>(pointer: *const T, count: usize, what: &str) -> Outcome {
    if pointer.is_null() {
        return Err(Failure::null(what));
    }
    if !pointer.is_aligned() {
        let wanted = align_of::<T>();
        return Err(Failure::argument(format!("{what} is not aligned: wanted a multiple of {wanted} bytes")));
    }
    match count.checked_mul(size_of::<T>().max(1)) {
        Some(bytes) if isize::try_from(bytes).is_ok() => Ok(()),
        _ => Err(Failure::range(format!("the count of {what} is {count}: wanted what fits into memory"))),
    }
}

/// A value of the host that may be missing.
///
/// # Safety
/// `pointer` is null or points to a living value.
pub(crate) unsafe fn optional_ref<'a, T>(pointer: *const T) -> Option<&'a T> {
    // SAFETY: the caller's promise.
    unsafe { pointer.as_ref() }
}

/// Copies values to an array of the caller. `count` is set to how many there are. Errors: more than `capacity`.
pub(crate) fn copy_out<T>(
    values: impl ExactSizeIterator<Item = T>,
    (to, capacity): (*mut T, usize),
    count: *mut usize,
    what: &str,
) -> Outcome {
    let needed = values.len();
    Out::new(count, "count")?.put(needed);
    if needed > capacity {
        let text = format!("the capacity of {what} is {capacity}: wanted {needed}");
        return Err(Failure::new(PALPATE_BUFFER_TOO_SMALL, text));
    }
    if needed > 0 {
        checked_array(to.cast_const(), needed, what)?;
    }
    for (place, value) in values.enumerate() {
        // SAFETY: by the rules of the header the array has `capacity` places, and `place` is less.
        unsafe { to.add(place).write(value) }
    }
    Ok(())
}

/// Copies a text with a final zero byte. `length` is set to its bytes without that. Errors: it does not fit.
pub(crate) fn copy_text(text: &str, (to, capacity): (*mut c_char, usize), length: *mut usize) -> Outcome {
    Out::new(length, "length")?.put(text.len());
    if text.len() >= capacity {
        let wanted = text.len() + 1;
        let text = format!("the capacity of the buffer is {capacity}: wanted {wanted}");
        return Err(Failure::new(PALPATE_BUFFER_TOO_SMALL, text));
    }
    if to.is_null() {
        return Err(Failure::null("the buffer"));
    }
    // SAFETY: by the rules of the header the buffer has `capacity` bytes, and the text with its end is no longer.
    unsafe {
        std::ptr::copy_nonoverlapping(text.as_ptr(), to.cast(), text.len());
        to.add(text.len()).write(0);
    }
    Ok(())
}

/// A struct of options: its first field is `uint32_t struct_size`, and later versions have more fields at the end. All
/// patterns of bytes are values.
///
/// # Safety
/// The type is `repr(C)`, begins with a `u32`, and all patterns of bytes are values of it.
pub(crate) unsafe trait Options: Copy + Default {
    /// The name in errors.
    const NAME: &'static str;
    /// The size of the first version.
    const FIRST_SIZE: usize;
}

/// A size of a struct above which it is none.
const LARGEST_STRUCT: usize = 4096;

/// Reads options; the defaults for null. Fields that the caller's version lacks have their default. Errors: a size that is
/// none of a version; fields of a later version that are not zero.
///
/// # Safety
/// `pointer` is null or points to as many bytes as its `struct_size` says.
pub(crate) unsafe fn options<T: Options>(pointer: *const T) -> Outcome<T> {
    let mut options = T::default();
    if pointer.is_null() {
        return Ok(options);
    }
    // SAFETY: every version begins with its size.
    let size = unsafe { pointer.cast::<u32>().read_unaligned() } as usize;
    let known = size_of::<T>();
    if !(T::FIRST_SIZE..=LARGEST_STRUCT).contains(&size) {
        return Err(Failure::argument(format!(
            "struct_size of {} is {size}: wanted {known}, as set by its _default function",
            T::NAME
        )));
    }
    let bytes = pointer.cast::<u8>();
    for place in known..size {
        // SAFETY: within the caller's struct.
        if unsafe { bytes.add(place).read() } != 0 {
            let name = T::NAME;
            return Err(Failure::argument(format!(
                "{name} has {size} bytes, and byte {place} is not 0: wanted at most {known}, which this version knows"
            )));
        }
    }
    // SAFETY: both have so many bytes, and all patterns are values.
    unsafe {
        std::ptr::copy_nonoverlapping(bytes, (&raw mut options).cast::<u8>(), size.min(known));
    }
    Ok(options)
}

/// Implements [`Options`] for a struct whose first version it is.
macro_rules! options_struct {
    ($($name:ident $first:expr;)*) => {$(
        // SAFETY: `repr(C)`, a `u32` first, only numbers and pointers.
        unsafe impl $crate::input::Options for $name {
            const NAME: &'static str = stringify!($name);
            const FIRST_SIZE: usize = $first;
        }
    )*};
}

pub(crate) use options_struct;

/// One of the flags 0 and 1. Errors: another number.
pub(crate) fn flag(value: u32, what: &str) -> Outcome<bool> {
    match value {
        0 => Ok(false),
        1 => Ok(true),
        _ => Err(Failure::argument(format!("{what} is {value}: wanted 0 or 1"))),
    }
}
