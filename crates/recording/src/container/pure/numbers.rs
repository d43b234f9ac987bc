//! Numbers of a dataset, and their conversion to another type as the HDF5 library converts them.

use super::guard::text;
use crate::container::Outcome;
use rust_hdf5::{DatatypeMessage, H5Dataset};

/// Numbers as they are read.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Numbers {
    Integers(Vec<i64>),
    Floats(Vec<f64>),
}

/// The type that numbers are converted to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Target {
    /// Integers from the first to the second.
    Integers(i64, i64),
    Single,
    Double,
}

impl Numbers {
    pub(super) fn len(&self) -> usize {
        match self {
            Self::Integers(values) => values.len(),
            Self::Floats(values) => values.len(),
        }
    }

    /// As many zeros.
    pub(super) fn zeros(target: Target, len: usize) -> Self {
        match target {
            Target::Integers(..) => Self::Integers(vec![0; len]),
            Target::Single | Target::Double => Self::Floats(vec![0.0; len]),
        }
    }

    /// Element `at` becomes `value`, if both are of one kind.
    pub(super) fn copy(&mut self, at: usize, other: &Self, from: usize, len: usize) -> Outcome<()> {
        match (self, other) {
            (Self::Integers(to), Self::Integers(other)) => {
                to[at..at + len].copy_from_slice(&other[from..from + len])
            }
            (Self::Floats(to), Self::Floats(other)) => {
                to[at..at + len].copy_from_slice(&other[from..from + len])
            }
            _ => return Err("integers and floats in one dataset".to_string()),
        }
        Ok(())
    }

    /// All elements are that of `other`, which has one.
    pub(super) fn fill(&mut self, other: &Self) -> Outcome<()> {
        match (self, other) {
            (Self::Integers(to), Self::Integers(other)) => to.fill(other.first().copied().unwrap_or(0)),
            (Self::Floats(to), Self::Floats(other)) => to.fill(other.first().copied().unwrap_or(0.0)),
            _ => return Err("integers and floats in one dataset".to_string()),
        }
        Ok(())
    }

    /// Converted as the HDF5 library does: integers are clamped to the range, floats rounded to the nearest, or for
    /// integers towards zero. Errors: NaN as an integer.
    pub(super) fn convert(self, target: Target) -> Outcome<Self> {
        Ok(match (self, target) {
            (Self::Integers(mut values), Target::Integers(lowest, highest)) => {
                values.iter_mut().for_each(|value| *value = (*value).clamp(lowest, highest));
                Self::Integers(values)
            }
            (Self::Integers(values), Target::Single) => {
                Self::Floats(values.iter().map(|&value| f64::from(value as f32)).collect())
            }
            (Self::Integers(values), Target::Double) => {
                Self::Floats(values.iter().map(|&value| value as f64).collect())
            }
            (Self::Floats(values), Target::Integers(lowest, highest)) => {
                if values.iter().any(|value| value.is_nan()) {
                    return Err("NaN, wanted an integer".to_string());
                }
                // The conversion by `as` truncates and saturates.
                Self::Integers(values.iter().map(|&value| (value as i64).clamp(lowest, highest)).collect())
            }
            (Self::Floats(mut values), Target::Single) => {
                values.iter_mut().for_each(|value| *value = f64::from(*value as f32));
                Self::Floats(values)
            }
            (floats @ Self::Floats(_), Target::Double) => floats,
        })
    }
}

/// What numbers of a type are converted to. Errors: the type has no numbers that palpate reads.
pub(super) fn target(datatype: &DatatypeMessage) -> Outcome<Target> {
    match *datatype {
        DatatypeMessage::FixedPoint {
            size: size @ (1 | 2 | 4 | 8),
            signed,
            bit_offset: 0,
            bit_precision,
            ..
        } if u32::from(bit_precision) == size * 8 => {
            let bits = size * 8;
            Ok(match (signed, bits) {
                (true, 64) => Target::Integers(i64::MIN, i64::MAX),
                // Larger ones are refused where they are read.
                (false, 64) => Target::Integers(0, i64::MAX),
                (true, _) => Target::Integers(-(1 << (bits - 1)), (1 << (bits - 1)) - 1),
                (false, _) => Target::Integers(0, (1 << bits) - 1),
            })
        }
        DatatypeMessage::FloatingPoint { size: 4, .. } => Ok(Target::Single),
        DatatypeMessage::FloatingPoint { size: 8, .. } => Ok(Target::Double),
        ref other => Err(format!("found elements of type {other}, wanted numbers")),
    }
}

/// The numbers of a slice of a dataset, of any width and byte order. An empty `counts` means a scalar.
pub(super) fn read(dataset: &H5Dataset, starts: &[usize], counts: &[usize]) -> Outcome<Numbers> {
    let is_float = matches!(dataset.datatype().map_err(text)?, DatatypeMessage::FloatingPoint { .. });
    Ok(match (is_float, counts.is_empty()) {
        (true, true) => Numbers::Floats(dataset.read_numeric_as().map_err(text)?),
        (true, false) => Numbers::Floats(dataset.read_numeric_slice_as(starts, counts).map_err(text)?),
        (false, true) => Numbers::Integers(dataset.read_numeric_as().map_err(text)?),
        (false, false) => Numbers::Integers(dataset.read_numeric_slice_as(starts, counts).map_err(text)?),
    })
}

/// The number in the bytes of a fill value.
pub(super) fn from_bytes(datatype: &DatatypeMessage, bytes: &[u8]) -> Outcome<Numbers> {
    let order = match datatype {
        DatatypeMessage::FixedPoint { byte_order, .. }
        | DatatypeMessage::FloatingPoint { byte_order, .. } => byte_order,
        other => return Err(format!("found elements of type {other}, wanted numbers")),
    };
    let mut bytes = bytes.to_vec();
    if matches!(order, rust_hdf5::ByteOrder::BigEndian) {
        bytes.reverse();
    }
    let negative = bytes.last().is_some_and(|&last| last >= 0x80);
    let extended = |fill: u8| {
        let mut wide = [fill; 8];
        bytes.iter().zip(&mut wide).for_each(|(&byte, wide)| *wide = byte);
        wide
    };
    Ok(match (datatype, bytes.len()) {
        (DatatypeMessage::FloatingPoint { .. }, 4) => {
            let [a, b, c, d, ..] = extended(0);
            Numbers::Floats(vec![f64::from(f32::from_le_bytes([a, b, c, d]))])
        }
        (DatatypeMessage::FloatingPoint { .. }, 8) => Numbers::Floats(vec![f64::from_le_bytes(extended(0))]),
        (DatatypeMessage::FixedPoint { signed, .. }, 1..=8) => {
            let fill = if *signed && negative { 0xff } else { 0 };
            Numbers::Integers(vec![i64::from_le_bytes(extended(fill))])
        }
        (other, size) => return Err(format!("a fill value of {size} bytes for elements of type {other}")),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_clamped_rounded_and_cut_off() {
        let byte = target(&DatatypeMessage::u8_type()).unwrap();
        let short = Target::Integers(-32768, 32767);
        let converted = |numbers: Numbers, target| numbers.convert(target).unwrap();
        let integers = |values: &[i64]| Numbers::Integers(values.to_vec());
        let floats = |values: &[f64]| Numbers::Floats(values.to_vec());
        assert_eq!(converted(integers(&[-1, 7, 300]), byte), integers(&[0, 7, 255]));
        assert_eq!(converted(floats(&[-1.9, 2.9, 1e9]), short), integers(&[-1, 2, 32767]));
        assert_eq!(converted(integers(&[16_777_217]), Target::Single), floats(&[16_777_216.0]));
        assert_eq!(converted(floats(&[0.1]), Target::Single), floats(&[f64::from(0.1_f32)]));
        assert_eq!(converted(floats(&[0.1]), Target::Double), floats(&[0.1]));
        assert!(floats(&[f64::NAN]).convert(short).is_err());
    }

    #[test]
    fn fill_values_have_the_byte_order_of_their_type() {
        let bytes = 2.5_f64.to_le_bytes();
        assert_eq!(from_bytes(&DatatypeMessage::f64_type(), &bytes), Ok(Numbers::Floats(vec![2.5])));
        assert_eq!(from_bytes(&DatatypeMessage::u8_type(), &[200]), Ok(Numbers::Integers(vec![200])));
        let minus = DatatypeMessage::i64_type();
        assert_eq!(from_bytes(&minus, &(-3_i64).to_le_bytes()), Ok(Numbers::Integers(vec![-3])));
    }
}
