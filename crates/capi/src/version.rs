//! The version of the interface, and what a build was made of.

use crate::input::Out;
use crate::status::{Failure, Outcome, palpate_status};
use crate::types::{palpate_contact, palpate_pose};
use crate::wall::call;
use std::ffi::c_char;

/// The version of the binary interface: libraries of one version have the same functions and structs, and may have more. It
/// is the number in the soname, `libpalpate.so.1`.
pub const PALPATE_ABI_VERSION: u32 = 1;

/// What the library was built with.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct palpate_build_info {
    /// Set by the caller to `sizeof(palpate_build_info)` of its header.
    pub struct_size: u32,
    /// `PALPATE_ABI_VERSION` of the library.
    pub abi_version: u32,
    /// The version of palpate, as "0.1.0". Static.
    pub version: *const c_char,
    /// `sizeof(palpate_contact)`.
    pub contact_size: u32,
    /// `sizeof(palpate_pose)`.
    pub pose_size: u32,
    /// `sizeof(void *)`.
    pub pointer_size: u32,
    /// 1 if the library was built with optimisation, 0 for a debug build.
    pub is_optimized: u32,
}

const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), "\0");

/// Describes the library. `info->struct_size` must be set. Errors: `PALPATE_NULL`, `PALPATE_INVALID_ARGUMENT` for a
/// `struct_size` of another header's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn palpate_get_build_info(info: *mut palpate_build_info) -> palpate_status {
    call(|| {
        let out = Out::new(info, "info")?;
        // SAFETY: not null, and it begins with its size.
        let found = unsafe { info.cast::<u32>().read() };
        let wanted = size_of::<palpate_build_info>() as u32;
        if found != wanted {
            let text = format!("struct_size of palpate_build_info is {found}: wanted {wanted}");
            return Err(Failure::argument(text));
        }
        out.put(palpate_build_info {
            struct_size: wanted,
            abi_version: PALPATE_ABI_VERSION,
            version: VERSION.as_ptr().cast(),
            contact_size: size_of::<palpate_contact>() as u32,
            pose_size: size_of::<palpate_pose>() as u32,
            pointer_size: size_of::<*const ()>() as u32,
            is_optimized: u32::from(!cfg!(debug_assertions)),
        });
        Ok(())
    })
}

/// Checks that a program can use the library: `PALPATE_CHECK_ABI()` of the header passes its own numbers. Errors:
/// `PALPATE_INVALID_ARGUMENT` with both numbers in the text.
#[unsafe(no_mangle)]
pub extern "C" fn palpate_check_abi(
    abi_version: u32,
    contact_size: u32,
    pointer_size: u32,
) -> palpate_status {
    let same = |what: &str, found: u32, wanted: u32| -> Outcome {
        if found == wanted {
            return Ok(());
        }
        let text =
            format!("the {what} of the program's header is {found}: wanted {wanted}, as in the library");
        Err(Failure::argument(text))
    };
    call(|| {
        same("ABI version", abi_version, PALPATE_ABI_VERSION)?;
        same("size of a contact", contact_size, size_of::<palpate_contact>() as u32)?;
        same("size of a pointer", pointer_size, size_of::<*const ()>() as u32)
    })
}
