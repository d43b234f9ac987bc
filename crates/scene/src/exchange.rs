//! Buffers that one thread fills and publishes, and that other threads read without waiting.
//!
//! The writer fills a free buffer and exchanges it for the published one. A reader takes the published buffer; if the
//! exchange is in progress it keeps its current buffer and does not wait. Buffers that no reader holds are reused, so
//! that publishing buffers that have reached their size does not allocate, and a reader never frees one.

use parking_lot::Mutex;
use std::sync::Arc;

/// Location of the published buffer. The lock is held only for the exchange of one pointer.
type Exchange<T> = Arc<Mutex<Arc<T>>>;

/// The writer's side.
#[derive(Debug)]
pub(crate) struct Publisher<T> {
    exchange: Exchange<T>,
    /// All buffers. A buffer without other owners is free.
    buffers: Vec<Arc<T>>,
}

/// A reader's side.
#[derive(Debug)]
pub(crate) struct Reader<T> {
    exchange: Exchange<T>,
    held: Arc<T>,
}

impl<T: Default> Default for Publisher<T> {
    fn default() -> Self {
        Self { exchange: Arc::default(), buffers: Vec::new() }
    }
}

impl<T> Clone for Reader<T> {
    fn clone(&self) -> Self {
        Self { exchange: Arc::clone(&self.exchange), held: Arc::clone(&self.held) }
    }
}

impl<T: Default> Publisher<T> {
    /// Whether any reader exists.
    pub(crate) fn has_readers(&self) -> bool {
        Arc::strong_count(&self.exchange) > 1
    }

    /// Whether anything was published.
    pub(crate) fn has_published(&self) -> bool {
        !self.buffers.is_empty()
    }

    /// A reader that starts with the published buffer.
    pub(crate) fn reader(&self) -> Reader<T> {
        let held = Arc::clone(&self.exchange.lock());
        Reader { exchange: Arc::clone(&self.exchange), held }
    }

    /// Fills a free buffer, which is as it was filled some time before or new, and publishes it.
    pub(crate) fn publish(&mut self, fill: impl FnOnce(&mut T)) {
        let free = self.buffers.iter_mut().position(|buffer| Arc::get_mut(buffer).is_some());
        let place = free.unwrap_or_else(|| {
            self.buffers.push(Arc::default());
            self.buffers.len() - 1
        });
        let buffer = &mut self.buffers[place];
        fill(Arc::get_mut(buffer).expect("only the list of buffers holds a free one"));
        let shown = Arc::clone(buffer);
        let hidden = std::mem::replace(&mut *self.exchange.lock(), shown);
        drop(hidden);
    }
}

impl<T> Reader<T> {
    /// The newest buffer, or the current one of the reader if an exchange is in progress. Never waits.
    pub(crate) fn read(&mut self) -> &Arc<T> {
        if let Some(shown) = self.exchange.try_lock().map(|shown| Arc::clone(&shown)) {
            self.held = shown;
        }
        &self.held
    }

    /// The buffer of the last [`read`](Self::read).
    pub(crate) fn held(&self) -> &Arc<T> {
        &self.held
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;
    use std::thread;

    /// The lock is held by another thread for as long as the reads last: a read that waited for it would never return.
    // Proves: REQ-READERS
    #[test]
    fn a_reader_that_finds_the_lock_taken_keeps_its_buffer() {
        let mut publisher = Publisher::<u32>::default();
        publisher.publish(|number| *number = 1);
        let mut reader = publisher.reader();
        publisher.publish(|number| *number = 2);
        let (exchange, (locked, is_locked), (done, is_done)) =
            (Arc::clone(&publisher.exchange), mpsc::channel(), mpsc::channel());
        thread::scope(|scope| {
            scope.spawn(move || {
                let lock = exchange.lock();
                locked.send(()).unwrap();
                is_done.recv().unwrap();
                drop(lock);
            });
            is_locked.recv().unwrap();
            for _ in 0..1000 {
                assert_eq!(**reader.read(), 1);
            }
            done.send(()).unwrap();
        });
        assert_eq!(**reader.read(), 2);
    }

    #[test]
    fn buffers_that_nobody_holds_are_filled_again() {
        let mut publisher = Publisher::<Vec<u32>>::default();
        let mut readers = [publisher.reader(), publisher.reader()];
        for round in 0..50 {
            publisher.publish(|numbers| {
                numbers.clear();
                numbers.push(round);
            });
            let reader = &mut readers[round as usize % 2];
            assert_eq!(**reader.read(), [round]);
        }
        // One published, one being filled, and one more for each reader.
        assert!(publisher.buffers.len() <= 4, "{} buffers", publisher.buffers.len());
        assert!(publisher.has_readers() && publisher.has_published());
        drop(readers);
        assert!(!publisher.has_readers());
    }
}
