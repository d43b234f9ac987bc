//! Signed integers of any size, for exact arithmetic on scaled coordinates.
//!
//! Up to [`INLINE`] words are stored in place: coordinates whose magnitudes are within a few powers of ten of each other
//! need no heap.

use std::cmp::Ordering;

use smallvec::SmallVec;

/// Words of 64 bits stored without the heap.
const INLINE: usize = 8;

type Words = SmallVec<[u64; INLINE]>;

/// A signed integer: a sign and a magnitude without leading zero words; zero has no words and is not negative.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Integer {
    negative: bool,
    /// Least significant first.
    words: Words,
}

impl Clone for Integer {
    fn clone(&self) -> Self {
        // The derived one does not copy the words at once.
        Self { negative: self.negative, words: SmallVec::from_slice(&self.words) }
    }
}

impl Integer {
    /// Returns `value * 2^-exponent`, which must be an integer. `value` is finite.
    pub(super) fn from_f64(value: f64, exponent: i32) -> Self {
        let (mantissa, own_exponent) = split(value);
        if mantissa == 0 {
            return Self::default();
        }
        debug_assert!(own_exponent >= exponent, "{value:e} is not a multiple of 2^{exponent}");
        let shift = usize::try_from(own_exponent - exponent).unwrap_or(0);
        let mut integer = Self { negative: value < 0.0, words: SmallVec::from_slice(&[mantissa]) };
        integer.shift_left(shift);
        integer
    }

    /// The sign: -1, 0 or 1.
    pub(super) fn sign(&self) -> i32 {
        match (self.words.is_empty(), self.negative) {
            (true, _) => 0,
            (false, true) => -1,
            (false, false) => 1,
        }
    }

    pub(super) fn is_zero(&self) -> bool {
        self.words.is_empty()
    }

    /// Multiplies by `2^bits`.
    pub(super) fn shift_left(&mut self, bits: usize) {
        if self.words.is_empty() || bits == 0 {
            return;
        }
        let (whole, part) = (bits / 64, bits % 64);
        if part > 0 {
            let mut carry = 0;
            for word in &mut self.words {
                let shifted = (*word << part) | carry;
                carry = *word >> (64 - part);
                *word = shifted;
            }
            if carry > 0 {
                self.words.push(carry);
            }
        }
        if whole > 0 {
            let length = self.words.len();
            self.words.resize(length + whole, 0);
            self.words.copy_within(0..length, whole);
            self.words[..whole].fill(0);
        }
    }

    /// Adds `other`, or subtracts it.
    fn add_signed(&mut self, other: &Self, subtract: bool) {
        if other.words.is_empty() {
            return;
        }
        let other_negative = other.negative != subtract;
        if self.words.is_empty() {
            self.words = SmallVec::from_slice(&other.words);
            self.negative = other_negative;
        } else if self.negative == other_negative {
            add_magnitude(&mut self.words, &other.words);
        } else {
            match compare_magnitudes(&self.words, &other.words) {
                Ordering::Equal => *self = Self::default(),
                Ordering::Greater => subtract_magnitude(&mut self.words, &other.words),
                Ordering::Less => {
                    let mut difference = Words::from_slice(&other.words);
                    subtract_magnitude(&mut difference, &self.words);
                    self.words = difference;
                    self.negative = other_negative;
                }
            }
        }
    }

    pub(super) fn add(&mut self, other: &Self) {
        self.add_signed(other, false);
    }

    pub(super) fn subtract(&mut self, other: &Self) {
        self.add_signed(other, true);
    }

    /// Returns `self - other`.
    pub(super) fn minus(&self, other: &Self) -> Self {
        let mut difference = self.clone();
        difference.subtract(other);
        difference
    }

    /// Returns the product (schoolbook: quadratic cost).
    pub(super) fn times(&self, other: &Self) -> Self {
        if self.words.is_empty() || other.words.is_empty() {
            return Self::default();
        }
        let mut words: Words = SmallVec::from_elem(0, self.words.len() + other.words.len());
        for (place, &left) in self.words.iter().enumerate() {
            let mut carry = 0;
            for (word, &right) in words[place..].iter_mut().zip(&other.words) {
                let sum = u128::from(left) * u128::from(right) + u128::from(*word) + u128::from(carry);
                (*word, carry) = (low(sum), high(sum));
            }
            words[place + other.words.len()] = carry;
        }
        trim(&mut words);
        Self { negative: self.negative != other.negative, words }
    }

    /// The number of bits of the magnitude.
    pub(super) fn bits(&self) -> usize {
        self.words.last().map_or(0, |top| 64 * self.words.len() - top.leading_zeros() as usize)
    }

    /// Returns `self * 2^-shift` to some 50 bits; zero if that is below one.
    pub(super) fn approximate(&self, shift: usize) -> f64 {
        let (whole, part) = (shift / 64, shift % 64);
        let mut value = 0.0;
        for (place, &word) in self.words.iter().enumerate().skip(whole) {
            value += word as f64 * 2.0_f64.powi(64 * (place - whole) as i32 - part as i32);
        }
        if self.negative { -value } else { value }
    }

    /// Returns the integer with its lowest bit set.
    pub(super) fn with_lowest_bit(mut self) -> Self {
        match self.words.first_mut() {
            Some(word) => *word |= 1,
            None => self.words.push(1),
        }
        self
    }

    /// Returns an `f64` not above `self * 2^-depth`, and one not below it. `self` is not negative, the
    /// product at most 1.
    pub(super) fn bounds(&self, depth: usize) -> [f64; 2] {
        if self.words.is_empty() {
            return [0.0; 2];
        }
        let dropped = self.bits().saturating_sub(53);
        let (whole, part) = (dropped / 64, dropped % 64);
        let mut mantissa = self.words[whole] >> part;
        if part > 0
            && let Some(next) = self.words.get(whole + 1)
        {
            mantissa |= next << (64 - part);
        }
        let inexact = self.words[..whole].iter().any(|&word| word > 0)
            || (part > 0 && self.words[whole] << (64 - part) > 0);
        let exponent = dropped as i32 - i32::try_from(depth).unwrap_or(i32::MAX / 2);
        if exponent < -1022 {
            return [0.0, TINY];
        }
        let power = f64::from_bits(((exponent + 1023) as u64) << 52);
        [mantissa as f64 * power, (mantissa + u64::from(inexact)) as f64 * power]
    }
}

/// `2^-969`, above every product of a 53-bit integer with a power of two below the normal numbers.
const TINY: f64 = f64::from_bits((1023 - 969) << 52);

/// Returns the integer mantissa of `|value|`, odd or zero, and its exponent.
pub(super) fn split(value: f64) -> (u64, i32) {
    let bits = value.to_bits();
    let exponent = ((bits >> 52) & 0x7ff) as i32;
    let fraction = bits & ((1 << 52) - 1);
    let (mantissa, exponent) =
        if exponent == 0 { (fraction, -1074) } else { (fraction | 1 << 52, exponent - 1075) };
    if mantissa == 0 {
        return (0, 0);
    }
    let zeros = mantissa.trailing_zeros();
    (mantissa >> zeros, exponent + zeros as i32)
}

#[allow(clippy::cast_possible_truncation, reason = "the low half is wanted")]
const fn low(value: u128) -> u64 {
    value as u64
}

const fn high(value: u128) -> u64 {
    (value >> 64) as u64
}

fn trim(words: &mut Words) {
    while words.last() == Some(&0) {
        words.pop();
    }
}

fn compare_magnitudes(a: &Words, b: &Words) -> Ordering {
    a.len().cmp(&b.len()).then_with(|| a.iter().rev().cmp(b.iter().rev()))
}

fn add_magnitude(a: &mut Words, b: &Words) {
    if a.len() < b.len() {
        a.resize(b.len(), 0);
    }
    let mut carry = false;
    for (place, word) in a.iter_mut().enumerate() {
        let other = b.get(place).copied().unwrap_or(0);
        if place >= b.len() && !carry {
            break;
        }
        let (sum, first) = word.overflowing_add(other);
        let (sum, second) = sum.overflowing_add(u64::from(carry));
        (*word, carry) = (sum, first || second);
    }
    if carry {
        a.push(1);
    }
}

/// Subtracts `b`, which is not greater.
fn subtract_magnitude(a: &mut Words, b: &Words) {
    let mut borrow = false;
    for (place, word) in a.iter_mut().enumerate() {
        let other = b.get(place).copied().unwrap_or(0);
        if place >= b.len() && !borrow {
            break;
        }
        let (difference, first) = word.overflowing_sub(other);
        let (difference, second) = difference.overflowing_sub(u64::from(borrow));
        (*word, borrow) = (difference, first || second);
    }
    trim(a);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::Sample;

    fn integer(value: i128) -> Integer {
        let magnitude = value.unsigned_abs();
        let mut words = SmallVec::from_slice(&[low(magnitude), high(magnitude)]);
        trim(&mut words);
        Integer { negative: value < 0, words }
    }

    #[test]
    fn it_agrees_with_the_machine() {
        let mut sample = Sample::new(1);
        for _ in 0..20_000 {
            let bits = sample.integer(62);
            let mut number = || (sample.number() * 2.0_f64.powi(bits)) as i128;
            let (a, b) = (number(), number());
            let mut sum = integer(a);
            sum.add(&integer(b));
            assert_eq!(sum, integer(a + b));
            assert_eq!(integer(a).minus(&integer(b)), integer(a - b));
            assert_eq!(integer(a).times(&integer(b)), integer(a * b));
            let mut shifted = integer(a);
            shifted.shift_left(64);
            assert_eq!(shifted, integer(a << 64));
            assert_eq!(integer(a).sign(), a.signum() as i32);
        }
    }

    #[test]
    fn long_products_carry() {
        let mut power = integer(1);
        power.shift_left(700);
        let ones = power.minus(&integer(1));
        // (2^700 - 1)^2 = 2^1400 - 2^701 + 1.
        let mut expected = integer(1);
        expected.shift_left(1400);
        let mut middle = integer(1);
        middle.shift_left(701);
        expected.subtract(&middle);
        expected.add(&integer(1));
        assert_eq!(ones.times(&ones), expected);
        assert_eq!(expected.minus(&expected), Integer::default());
    }

    #[test]
    fn floats_are_exact() {
        assert_eq!(Integer::from_f64(-0.75, -2), integer(-3));
        assert_eq!(Integer::from_f64(3.0 * 2.0_f64.powi(70), 0), integer(3 << 70));
        assert_eq!(Integer::from_f64(f64::from_bits(5), -1074), integer(5));
        assert_eq!(Integer::from_f64(-0.0, 0), Integer::default());
        assert_eq!(split(f64::MIN_POSITIVE), (1, -1022));
    }

    #[test]
    fn bounds_enclose() {
        assert_eq!(integer(3).bounds(2), [0.75, 0.75]);
        assert_eq!(integer(0).bounds(9), [0.0, 0.0]);
        let third = integer(((1_i128 << 100) - 1) / 3);
        let [lower, upper] = third.bounds(100);
        assert!(lower < upper && upper - lower < 1e-16 && lower <= 1.0 / 3.0 && upper >= 1.0 / 3.0);
        let [lower, upper] = integer(1).bounds(5000);
        assert!(lower == 0.0 && upper == TINY);
    }
}
