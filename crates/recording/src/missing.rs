//! What of an unfinished session cannot be read.

/// What is missing of an unfinished session, because bytes of its journal are damaged. The remaining frames are counted without
/// the missing ones, and keep their times.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Missing {
    /// Frames that are damaged, or depend on cells or shapes of a damaged one. A frame whose append did not return is none.
    /// Exact where a later frame could be read, else at least so many.
    pub frames: usize,
    /// Bytes of the journal that belong to no whole record, a frame at the end that was cut short included.
    pub bytes: u64,
}
