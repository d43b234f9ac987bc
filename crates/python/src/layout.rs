//! The layout of a record, for the tests of its dtype in Python.

/// A record: its name, its size in bytes, and the name and place of every field.
pub(crate) type Layout = (&'static str, usize, Vec<(&'static str, usize)>);

/// The layout of a record.
macro_rules! layout {
    ($name:literal, $record:ty, $($field:ident),+ $(,)?) => {
        ($name, size_of::<$record>(), vec![$((stringify!($field), std::mem::offset_of!($record, $field))),+])
    };
}

pub(crate) use layout;
