//! The account of what has been read of a file, against the limits.

use crate::container::Outcome;
use crate::container::limits::check_expansion;
use palpate_math::Limits;
use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// How many bytes the datasets that were opened so far expand to, and the size of the files that they are in.
pub(super) struct Account {
    limits: Limits,
    file_bytes: Cell<u64>,
    spent: Cell<u64>,
    seen: RefCell<BTreeSet<PathBuf>>,
}

impl Account {
    pub(super) fn new(limits: Limits, file_bytes: u64) -> Self {
        let (file_bytes, spent) = (Cell::new(file_bytes), Cell::new(0));
        Self { limits, file_bytes, spent, seen: RefCell::default() }
    }

    pub(super) fn limits(&self) -> &Limits {
        &self.limits
    }

    /// The size of the file and of the others that it has led to.
    pub(super) fn file_bytes(&self) -> u64 {
        self.file_bytes.get()
    }

    /// Another file that data come from, by its canonical path.
    pub(super) fn add_file(&self, path: &Path, bytes: u64) {
        if self.seen.borrow_mut().insert(path.to_path_buf()) {
            self.file_bytes.set(self.file_bytes.get().saturating_add(bytes));
        }
    }

    /// Notes that data of so many bytes are to be read. Errors: with what was read before, they are too many.
    pub(super) fn charge(&self, bytes: Option<u64>) -> Outcome<()> {
        let total = bytes.and_then(|bytes| bytes.checked_add(self.spent.get()));
        check_expansion(total, self.file_bytes.get(), &self.limits)?;
        self.spent.set(total.unwrap_or(u64::MAX));
        Ok(())
    }
}
