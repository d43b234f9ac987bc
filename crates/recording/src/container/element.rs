//! Element types and shapes of datasets.

/// The element types that palpate writes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Element {
    /// 8-bit unsigned integer.
    U8,
    /// 32-bit unsigned integer.
    U32,
    /// 64-bit unsigned integer.
    U64,
    /// 64-bit signed integer.
    I64,
    /// 32-bit float.
    F32,
    /// 64-bit float.
    F64,
    /// UTF-8 text of this many bytes, padded with zeros.
    Text(usize),
    /// A record of named fields, in sequence without padding.
    Record(Vec<Field>),
    /// A fixed number of elements.
    Array(Box<Element>, u32),
}

/// One field of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Field {
    /// Its name.
    pub(crate) name: &'static str,
    /// Its element.
    pub(crate) element: Element,
}

impl Element {
    /// Size of one element in bytes.
    pub(crate) fn size(&self) -> usize {
        match self {
            Self::U8 => 1,
            Self::U32 | Self::F32 => 4,
            Self::U64 | Self::I64 | Self::F64 => 8,
            Self::Text(size) => *size,
            Self::Record(fields) => fields.iter().map(|field| field.element.size()).sum(),
            Self::Array(element, count) => element.size() * *count as usize,
        }
    }
}

/// Shape and element size of a dataset that is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Shape {
    /// Extents; empty for a scalar.
    pub(crate) dimensions: Vec<u64>,
    /// Rows per chunk; `None` if the dataset is contiguous.
    pub(crate) chunk_rows: Option<u64>,
    /// Size of one element in bytes.
    pub(crate) element_size: usize,
}

impl Shape {
    /// The first extent; 1 for a scalar.
    pub(crate) fn rows(&self) -> u64 {
        self.dimensions.first().copied().unwrap_or(1)
    }

    /// Elements per row; the product of all extents but the first.
    pub(crate) fn row_elements(&self) -> u64 {
        self.dimensions.iter().skip(1).product()
    }
}
