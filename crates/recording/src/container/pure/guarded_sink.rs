//! A sink whose panics are errors.

use super::guard::caught_writing;
use crate::container::{Chunking, Element, Outcome, Sink, Stream};

/// A sink of a library that may panic. Then the operation is an error, and so is every one after it: the file is
/// abandoned, since nobody knows how much of it was written.
pub(crate) struct GuardedSink<S> {
    sink: S,
    failed: bool,
}

impl<S: Sink> GuardedSink<S> {
    pub(crate) fn new(sink: S) -> Self {
        Self { sink, failed: false }
    }

    fn run<T>(&mut self, operation: impl FnOnce(&mut S) -> Outcome<T>) -> Outcome<T> {
        if self.failed {
            return Err("the HDF5 library failed before".to_string());
        }
        // Set while the operation runs, so that only one that returns clears it.
        self.failed = true;
        caught_writing(|| {
            let result = operation(&mut self.sink);
            self.failed = false;
            result
        })
    }
}

impl<S: Sink> Sink for GuardedSink<S> {
    fn group(&mut self, path: &str) -> Outcome<()> {
        self.run(|sink| sink.group(path))
    }

    fn text_attribute(&mut self, group: &str, name: &str, value: &str) -> Outcome<()> {
        self.run(|sink| sink.text_attribute(group, name, value))
    }

    fn integer_attribute(&mut self, group: &str, name: &str, values: &[i64]) -> Outcome<()> {
        self.run(|sink| sink.integer_attribute(group, name, values))
    }

    fn soft_link(&mut self, group: &str, name: &str, target: &str) -> Outcome<()> {
        self.run(|sink| sink.soft_link(group, name, target))
    }

    fn dataset(&mut self, path: &str, element: &Element, dimensions: &[u64], bytes: &[u8]) -> Outcome<()> {
        self.run(|sink| sink.dataset(path, element, dimensions, bytes))
    }

    fn stream(&mut self, path: &str, element: &Element, row: &[u64], chunking: Chunking) -> Outcome<Stream> {
        self.run(|sink| sink.stream(path, element, row, chunking))
    }

    fn append(&mut self, stream: Stream, bytes: &[u8]) -> Outcome<()> {
        self.run(|sink| sink.append(stream, bytes))
    }

    fn close(mut self: Box<Self>) -> Outcome<()> {
        self.run(|_| Ok(()))?;
        caught_writing(|| Box::new(self.sink).close())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    /// Accepts groups, and panics at one of the given name.
    struct Panicking(&'static str);

    impl Sink for Panicking {
        fn group(&mut self, path: &str) -> Outcome<()> {
            assert_ne!(path, self.0, "of the library");
            if path == "refused" { Err("refused".to_string()) } else { Ok(()) }
        }

        fn text_attribute(&mut self, _: &str, _: &str, _: &str) -> Outcome<()> {
            Ok(())
        }

        fn integer_attribute(&mut self, _: &str, _: &str, _: &[i64]) -> Outcome<()> {
            Ok(())
        }

        fn soft_link(&mut self, _: &str, _: &str, _: &str) -> Outcome<()> {
            Ok(())
        }

        fn dataset(&mut self, _: &str, _: &Element, _: &[u64], _: &[u8]) -> Outcome<()> {
            Ok(())
        }

        fn stream(&mut self, _: &str, _: &Element, _: &[u64], _: Chunking) -> Outcome<Stream> {
            Ok(Stream(0))
        }

        fn append(&mut self, _: Stream, _: &[u8]) -> Outcome<()> {
            Ok(())
        }

        fn close(self: Box<Self>) -> Outcome<()> {
            assert_ne!(self.0, "close", "of the library");
            Ok(())
        }
    }

    #[test]
    fn a_panic_is_an_error_and_the_file_is_abandoned() {
        let mut sink = Box::new(GuardedSink::new(Panicking("bad")));
        assert_eq!(sink.group("good"), Ok(()));
        assert_eq!(sink.group("refused").unwrap_err(), "refused");
        assert_eq!(sink.group("good"), Ok(()), "an error abandons nothing");
        assert_eq!(sink.group("bad").unwrap_err(), "the HDF5 library failed while it was writing");
        assert_eq!(sink.group("good").unwrap_err(), "the HDF5 library failed before");
        assert_eq!(sink.append(Stream(0), &[]).unwrap_err(), "the HDF5 library failed before");
        assert_eq!(sink.close().unwrap_err(), "the HDF5 library failed before");
    }

    #[test]
    fn a_panic_at_the_end_is_an_error() {
        assert!(Box::new(GuardedSink::new(Panicking("close"))).close().is_err());
        assert_eq!(Box::new(GuardedSink::new(Panicking("bad"))).close(), Ok(()));
    }
}
