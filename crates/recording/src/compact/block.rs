//! A block of frames as bytes.

use super::planes;
use crate::frame::{Placement, Primitive, State};
use palpate_math::Point;

/// The states and placements of a frame.
pub(crate) type FrameStates = (Vec<State>, Vec<Placement>);

/// The bytes of frames, each with the same objects. With a `step` in metres coordinates are rounded to its multiples, else they
/// are exact. Errors: a coordinate that is too far for the step.
pub(crate) fn encode(frames: &[FrameStates], step: f64) -> Result<Vec<u8>, String> {
    let mut out = Vec::new();
    let objects = frames.first().map_or(0, |frame| frame.0.len());
    for object in 0..objects {
        let points: Option<Vec<&[Point]>> = frames.iter().map(|frame| points(&frame.0[object])).collect();
        match points {
            Some(points) if step > 0.0 => encode_rounded(&points, step, &mut out)?,
            Some(points) => encode_exact(&points, &mut out),
            None => {
                let rows = frames.iter().map(|frame| row(&frame.0[object]));
                encode_rows(
                    rows.collect::<Option<Vec<_>>>().ok_or("an object that changes its form")?,
                    &mut out,
                );
            }
        }
    }
    let placements = frames.first().map_or(0, |frame| frame.1.len());
    for number in 0..placements {
        let rows = frames.iter().map(|frame| frame.1.get(number).map(|placement| placement.to_row()));
        encode_rows(
            rows.collect::<Option<Vec<_>>>().ok_or("a mesh that is placed in some frames only")?,
            &mut out,
        );
    }
    Ok(out)
}

fn points(state: &State) -> Option<&[Point]> {
    if let State::Points(points) = state { Some(points) } else { None }
}

fn row(state: &State) -> Option<[f64; 10]> {
    if let State::Primitive(primitive) = state { Some(primitive.to_row()) } else { None }
}

fn encode_counts(frames: &[&[Point]], out: &mut Vec<u8>) {
    frames.iter().for_each(|points| out.extend((points.len() as u32).to_le_bytes()));
}

fn encode_exact(frames: &[&[Point]], out: &mut Vec<u8>) {
    encode_counts(frames, out);
    let mut values = Vec::new();
    let mut before: Vec<u64> = Vec::new();
    for points in frames {
        let bits: Vec<u64> = points.iter().flat_map(|point| point.iter().map(|x| x.to_bits())).collect();
        before.resize(bits.len(), 0);
        values.extend(bits.iter().zip(&before).map(|(now, before)| (now ^ before).to_le_bytes()));
        before = bits;
    }
    planes::append(out, &values);
}

fn encode_rounded(frames: &[&[Point]], step: f64, out: &mut Vec<u8>) -> Result<(), String> {
    encode_counts(frames, out);
    let mut values = Vec::new();
    let mut before: Vec<i32> = Vec::new();
    for points in frames {
        let mut steps = Vec::with_capacity(3 * points.len());
        for x in points.iter().flat_map(|point| point.iter()) {
            let rounded = libm::round(x / step);
            if rounded.abs() > f64::from(i32::MAX) {
                return Err(format!(
                    "a coordinate of {x} m, wanted less than {} m",
                    step * f64::from(i32::MAX)
                ));
            }
            steps.push(rounded as i32);
        }
        before.resize(steps.len(), 0);
        values.extend(steps.iter().zip(&before).map(|(now, before)| {
            let change = now.wrapping_sub(*before);
            // Small changes of both signs have small numbers.
            ((change << 1) ^ (change >> 31)).to_le_bytes()
        }));
        before = steps;
    }
    planes::append(out, &values);
    Ok(())
}

fn encode_rows(rows: Vec<[f64; 10]>, out: &mut Vec<u8>) {
    let mut before = [0_u64; 10];
    let mut values = Vec::new();
    for row in rows {
        let bits = row.map(f64::to_bits);
        values.extend(bits.iter().zip(before).map(|(now, before)| (now ^ before).to_le_bytes()));
        before = bits;
    }
    planes::append(out, &values);
}

/// What a block holds: for each object whether it has points, the objects that are placed, and the number of frames.
pub(crate) struct Shape<'a> {
    pub(crate) has_points: &'a [bool],
    pub(crate) placed: &'a [usize],
    pub(crate) frames: usize,
    pub(crate) step: f64,
}

/// The frames of a block. `None` if the bytes are not those of one.
pub(crate) fn decode(mut bytes: &[u8], shape: &Shape<'_>) -> Option<Vec<FrameStates>> {
    let mut frames: Vec<FrameStates> = (0..shape.frames).map(|_| (Vec::new(), Vec::new())).collect();
    for &has_points in shape.has_points {
        let states: Vec<State> = if has_points {
            decode_points(&mut bytes, shape)?.into_iter().map(State::Points).collect()
        } else {
            let rows = decode_rows(&mut bytes, shape.frames)?;
            rows.into_iter().map(|row| State::Primitive(Primitive::from_row(row))).collect()
        };
        frames.iter_mut().zip(states).for_each(|(frame, state)| frame.0.push(state));
    }
    for &object in shape.placed {
        let rows = decode_rows(&mut bytes, shape.frames)?;
        frames.iter_mut().zip(rows).for_each(|(frame, row)| frame.1.push(Placement::from_row(object, row)));
    }
    bytes.is_empty().then_some(frames)
}

fn decode_points(bytes: &mut &[u8], shape: &Shape<'_>) -> Option<Vec<Vec<Point>>> {
    let (counts, rest) = bytes.split_at_checked(shape.frames.checked_mul(4)?)?;
    *bytes = rest;
    let counts: Vec<usize> = counts
        .chunks_exact(4)
        .map(|count| u32::from_le_bytes([count[0], count[1], count[2], count[3]]) as usize)
        .collect();
    let all = counts.iter().try_fold(0_usize, |all, count| all.checked_add(count.checked_mul(3)?))?;
    let coordinates = if shape.step > 0.0 {
        let values = planes::take::<4>(bytes, all)?.into_iter().map(u32::from_le_bytes);
        let changes = values.map(|value| ((value >> 1) as i32) ^ -((value & 1) as i32));
        undo(
            changes,
            &counts,
            |change, before: i32| before.wrapping_add(change),
            |steps| f64::from(steps) * shape.step,
        )
    } else {
        let values = planes::take::<8>(bytes, all)?.into_iter().map(u64::from_le_bytes);
        undo(values, &counts, |change, before: u64| before ^ change, f64::from_bits)
    };
    Some(coordinates)
}

/// The points of each frame from the changes of their numbers.
fn undo<T: Copy + Default>(
    mut changes: impl Iterator<Item = T>,
    counts: &[usize],
    apply: impl Fn(T, T) -> T,
    number: impl Fn(T) -> f64,
) -> Vec<Vec<Point>> {
    let mut before: Vec<T> = Vec::new();
    let mut frames = Vec::with_capacity(counts.len());
    for &count in counts {
        before.resize(3 * count, T::default());
        before.iter_mut().zip(&mut changes).for_each(|(before, change)| *before = apply(change, *before));
        let points = before.chunks_exact(3).map(|x| Point::new(number(x[0]), number(x[1]), number(x[2])));
        frames.push(points.collect());
    }
    frames
}

fn decode_rows(bytes: &mut &[u8], frames: usize) -> Option<Vec<[f64; 10]>> {
    let values = planes::take::<8>(bytes, frames.checked_mul(10)?)?;
    let mut before = [0_u64; 10];
    let rows = values.chunks_exact(10).map(|row| {
        before.iter_mut().zip(row).for_each(|(before, change)| *before ^= u64::from_le_bytes(*change));
        before.map(f64::from_bits)
    });
    Some(rows.collect())
}
