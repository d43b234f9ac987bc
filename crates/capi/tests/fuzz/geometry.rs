//! Random numbers, ids, pointers and geometries: sound ones, and others.

use palpate_capi::*;
use palpate_tests::Random;
use std::ffi::c_void;
use std::ptr::{null, null_mut};

/// A number that is often odd.
pub(crate) fn number(random: &mut Random) -> f64 {
    match random.below(12) {
        0 => 0.0,
        1 => -1.0,
        2 => f64::NAN,
        3 => f64::INFINITY,
        4 => 1e-300,
        5 => 1e300,
        _ => random.between(-1.0, 1.0),
    }
}

/// A number that is seldom odd.
pub(crate) fn sound(random: &mut Random) -> f64 {
    if random.below(40) == 0 { number(random) } else { random.between(0.05, 0.8) }
}

pub(crate) fn three(random: &mut Random) -> [f64; 3] {
    if random.below(20) == 0 {
        return [number(random), number(random), number(random)];
    }
    [0; 3].map(|_| random.between(-1.0, 1.0))
}

pub(crate) fn pose(random: &mut Random) -> palpate_pose {
    let rotation = match random.below(8) {
        0 => [number(random), 0.0, 0.0, 0.0],
        1 => [0.6, 0.8, 0.0, 0.0],
        2 => [0.0, 0.6, 0.0, -0.8],
        _ => [1.0, 0.0, 0.0, 0.0],
    };
    palpate_pose { position: three(random), rotation }
}

/// An id that may be of the scene, null, foreign or nonsense.
pub(crate) fn id(random: &mut Random, known: &[u64]) -> u64 {
    match random.below(12) {
        0 => 0,
        1 => u64::from(random.below(5) as u32),
        2 => 1 << 63,
        3 => known.first().map_or(7, |id| id ^ 1 << 40),
        _ if known.is_empty() => 1,
        _ => known[random.below(known.len())],
    }
}

/// A pointer, or null now and then.
pub(crate) fn maybe<T>(random: &mut Random, value: &T) -> *const T {
    if random.below(25) == 0 { null() } else { value }
}

pub(crate) fn maybe_mut<T>(random: &mut Random, value: &mut T) -> *mut T {
    if random.below(25) == 0 { null_mut() } else { value }
}

unsafe extern "C" fn unsure(
    user: *mut c_void,
    point: *const f64,
    value: *mut f64,
    gradient: *mut f64,
) -> i32 {
    // SAFETY: the numbers are those of a sample, and `user` is a number, not a pointer.
    unsafe {
        let at = [*point, *point.add(1), *point.add(2)];
        let length = at.iter().map(|x| x * x).sum::<f64>().sqrt();
        *value = length - 0.5;
        for (k, x) in at.iter().enumerate() {
            *gradient.add(k) = if length > 0.0 { x / length } else { f64::from(u8::from(k == 1)) };
        }
        // Some of them fail in a part of space.
        i32::from(user as usize % 4 == 3 && at[0] > 0.1)
    }
}

/// Makes a geometry of any kind, or none.
pub(crate) unsafe fn geometry(random: &mut Random) -> *mut palpate_geometry {
    let (pose, center, mut made) = (pose(random), three(random), null_mut());
    let (radius, length) = (sound(random), sound(random));
    let sizes = [sound(random), sound(random), sound(random)];
    // SAFETY: all pointers are null or of living values.
    unsafe {
        match random.below(10) {
            0 => palpate_geometry_sphere(maybe(random, &center).cast(), radius, &mut made),
            1 => palpate_geometry_capsule(maybe(random, &pose), radius, length, &mut made),
            2 => palpate_geometry_cylinder(&pose, radius, length, &mut made),
            3 => palpate_geometry_box(&pose, maybe(random, &sizes).cast(), &mut made),
            4 => palpate_geometry_plane(center.as_ptr(), sizes.as_ptr(), random.below(3) as u32, &mut made),
            5 => palpate_geometry_ellipsoid(&pose, sizes.as_ptr(), &mut made),
            6 => implicit(random, &pose, &mut made),
            7 => {
                let mut children = [geometry(random), geometry(random)];
                let count = random.below(3);
                palpate_geometry_compound(children.as_mut_ptr(), count, &mut made);
                children[count..].iter().for_each(|&child| palpate_geometry_free(child));
                PALPATE_OK
            }
            _ => mesh(random, &mut made),
        };
    }
    made
}

pub(crate) unsafe fn implicit(
    random: &mut Random,
    pose: &palpate_pose,
    made: &mut *mut palpate_geometry,
) -> palpate_status {
    let mut callbacks = palpate_function_callbacks_default();
    callbacks.sample = Some(unsure);
    callbacks.user = random.below(4) as *mut c_void;
    callbacks.is_distance = random.below(2) as u32;
    callbacks.lipschitz = if random.below(8) == 0 { number(random) } else { 1.0 };
    (callbacks.box_min, callbacks.box_max) = ([-0.5; 3], [0.5; 3]);
    let mut function = null_mut();
    // SAFETY: all pointers are null or of living values.
    unsafe {
        palpate_function_callback(&callbacks, &mut function);
        let status = palpate_geometry_implicit(pose, 1.0, function, made);
        palpate_function_free(function);
        status
    }
}

/// Six points, and room for a wide stride.
const CORNERS: [[f32; 3]; 16] = {
    let mut corners = [[0.25; 3]; 16];
    (corners[0], corners[1], corners[2]) = ([0.0, 0.0, 0.0], [0.5, 0.0, 0.0], [0.0, 0.5, 0.0]);
    (corners[3], corners[4], corners[5]) = ([0.0, 0.0, 0.5], [0.5, 0.5, 0.1], [-0.3, 0.2, 0.4]);
    corners
};
const IDS: [u16; 16] = [0, 2, 1, 3, 0, 1, 3, 2, 0, 3, 2, 1, 1, 2, 3, 4];

pub(crate) fn points(random: &mut Random) -> palpate_points {
    palpate_points {
        data: if random.below(30) == 0 { null() } else { CORNERS.as_ptr().cast() },
        count: if random.below(30) == 0 { usize::MAX - random.below(9) } else { random.below(7) },
        stride: if random.below(20) == 0 { random.below(20) } else { 0 },
        scalar: PALPATE_F32,
        mirror: random.below(5) as u32,
        unit: if random.below(10) == 0 { number(random) } else { 1.0 },
    }
}

pub(crate) fn cells(random: &mut Random) -> palpate_cells {
    palpate_cells {
        data: IDS.as_ptr().cast(),
        count: random.below(5),
        stride: 0,
        index: PALPATE_U16,
        is_reversed: random.below(3) as u32,
    }
}

pub(crate) unsafe fn mesh(random: &mut Random, made: &mut *mut palpate_geometry) -> palpate_status {
    let (points, cells, mut options) = (points(random), cells(random), palpate_mesh_options_default());
    options.radius = if random.below(3) == 0 { number(random) } else { 0.0 };
    options.closed = random.below(4) as u32;
    // Never more than there is.
    options.struct_size = if random.below(20) == 0 { random.below(24) as u32 } else { options.struct_size };
    // SAFETY: no more is read than the arrays have: three numbers of six points, four ids of four cells.
    unsafe {
        palpate_geometry_mesh(
            random.below(5) as u32,
            maybe(random, &points),
            maybe(random, &cells),
            maybe(random, &options),
            made,
        )
    }
}

/// A detector: fails, answers nothing, sound contacts or nonsense, by the number in its user data.
pub(crate) const HOST: unsafe extern "C" fn(
    *mut c_void,
    u64,
    u64,
    f64,
    *mut *const palpate_contact,
    *mut usize,
) -> i32 = host;

unsafe extern "C" fn host(
    user: *mut c_void,
    _: u64,
    _: u64,
    _: f64,
    contacts: *mut *const palpate_contact,
    count: *mut usize,
) -> i32 {
    thread_local! {
        static FOUND: std::cell::UnsafeCell<[palpate_contact; 2]> =
            std::cell::UnsafeCell::new([palpate_contact_default(); 2]);
    }
    let kind = user as usize;
    FOUND.with(|found| {
        // SAFETY: one call of a thread at a time, and the places are those of results.
        unsafe {
            *found.get() = [palpate_contact_default(); 2];
            let list = &mut *found.get();
            list[1].id = u64::from(kind != 1);
            match kind {
                2 => list[0].direction = [f64::NAN; 3],
                3 => (list[0].a.kind, list[0].a.vertex_count) = (9, 200),
                4 => list[0].a.vertices[3] = 5,
                5 => list[0].depth = -9.0,
                6 => list[1].b.child = 3,
                7 => (list[1].a.kind, list[1].a.vertex_count, list[1].a.vertices[0]) = (1, 1, 2),
                _ => {}
            }
            *contacts = if kind == 8 { null() } else { list.as_ptr() };
            *count = if kind == 9 { usize::MAX } else { kind % 3 };
        }
    });
    i32::from(kind == 10)
}

/// A filter that keeps every second kind of contacts, or fails.
pub(crate) const FILTER: unsafe extern "C" fn(*mut c_void, u64, u64, *const palpate_contact) -> i32 = filter;

unsafe extern "C" fn filter(user: *mut c_void, _: u64, _: u64, contact: *const palpate_contact) -> i32 {
    // SAFETY: a contact of the library.
    let id = unsafe { (*contact).id };
    if user as usize == 3 { 7 } else { i32::from(id % 2 == 0) }
}
