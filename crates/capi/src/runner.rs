//! The host's threads.

use crate::status::CallbackFailed;
use crate::user::{User, palpate_destroy_function};
use palpate::bvh::Tasks;
use palpate::detect::{Chunk, Executor, Serial};
use std::any::Any;
use std::ffi::c_void;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Mutex;

/// One task of a loop of palpate: to be called once for every index. Does not throw.
pub type palpate_task_function = Option<unsafe extern "C" fn(context: *mut c_void, index: usize)>;

/// Runs a loop on the host's threads: calls `task(context, index)` once for every index below `count`, in any order, on any
/// threads, and returns when all are done: 0, or another number if it failed. Must not throw, and must not call palpate with the
/// scene.
pub type palpate_parallel_for_function = Option<
    unsafe extern "C" fn(
        user: *mut c_void,
        count: usize,
        task: palpate_task_function,
        context: *mut c_void,
    ) -> i32,
>;

/// The host's threads, as an executor.
pub(crate) struct Runner {
    parallel_for: unsafe extern "C" fn(*mut c_void, usize, palpate_task_function, *mut c_void) -> i32,
    user: User,
    threads: usize,
}

impl Runner {
    pub(crate) fn new(
        parallel_for: unsafe extern "C" fn(*mut c_void, usize, palpate_task_function, *mut c_void) -> i32,
        (user, destroy): (*mut c_void, palpate_destroy_function),
        threads: usize,
    ) -> Self {
        Self { parallel_for, user: User::new(user, destroy), threads }
    }

    /// Calls `job` once for each index below `count`, on the host's threads.
    fn run_all(&self, count: usize, job: &(dyn Fn(usize) + Sync)) {
        let work = Work {
            job,
            count,
            is_run: (0..count).map(|_| Mutex::new(false)).collect(),
            cause: Mutex::new(None),
        };
        let context = (&raw const work).cast_mut().cast();
        // SAFETY: by the rules of the header; `work` lives until it returns.
        let code = unsafe { (self.parallel_for)(self.user.pointer, count, Some(run_one), context) };
        if let Some(cause) = work.cause.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner) {
            resume_unwind(cause);
        }
        let is_done =
            |is_run: &Mutex<bool>| *is_run.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if code != 0 || !work.is_run.iter().all(is_done) {
            CallbackFailed { what: "parallel_for, or it has left out an index: it", code }.unwind();
        }
    }
}

/// A loop under way.
struct Work<'a> {
    job: &'a (dyn Fn(usize) + Sync),
    count: usize,
    /// Which indices have been run: a host that runs one twice at the same time would break the loop.
    is_run: Vec<Mutex<bool>>,
    /// The first panic, or failure of a callback.
    cause: Mutex<Option<Box<dyn Any + Send>>>,
}

unsafe extern "C" fn run_one(context: *mut c_void, index: usize) {
    // SAFETY: the context is that of `run_all`, which waits.
    let work = unsafe { &*context.cast::<Work<'_>>() };
    let outcome = catch_unwind(AssertUnwindSafe(|| {
        if index >= work.count {
            return;
        }
        let mut is_run = work.is_run[index].lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if !std::mem::replace(&mut *is_run, true) {
            (work.job)(index);
        }
    }));
    if let Err(cause) = outcome {
        let mut first = work.cause.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        first.get_or_insert(cause);
    }
}

/// Items that tasks with different indices change.
struct Items<T>(*mut T);

// SAFETY: each index is run once, and changes its own item.
unsafe impl<T: Send> Sync for Items<T> {}

impl<T> Items<T> {
    /// # Safety
    /// `index` is that of an item, and nobody else has it.
    #[allow(clippy::mut_from_ref)] // by the promise
    unsafe fn at(&self, index: usize) -> &mut T {
        // SAFETY: the caller's promise.
        unsafe { &mut *self.0.add(index) }
    }
}

impl Executor for Runner {
    fn for_each(&self, chunks: &mut [Chunk], job: &(dyn Fn(usize, &mut Chunk) + Sync)) {
        // A single chunk is not worth dispatching.
        if chunks.len() < 2 {
            return Serial.for_each(chunks, job);
        }
        let items = Items(chunks.as_mut_ptr());
        // SAFETY: each index is run once, and is less than the length.
        self.run_all(chunks.len(), &|index| job(index, unsafe { items.at(index) }));
    }

    fn tasks(&self) -> &dyn Tasks {
        self
    }
}

impl Tasks for Runner {
    fn run(&self, tasks: &mut [&mut (dyn FnMut() + Send)]) {
        let items = Items(tasks.as_mut_ptr());
        // SAFETY: each index is run once, and is less than the length.
        self.run_all(tasks.len(), &|index| unsafe { items.at(index) }());
    }

    fn width(&self) -> usize {
        self.threads
    }
}
