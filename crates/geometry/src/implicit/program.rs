//! The least value of a convex polynomial of the second degree behind planes: the dual method of Goldfarb and Idnani (1983,
//! "A numerically stable dual method for solving strictly convex quadratic programs") in a few dimensions.

use super::factors::Factors;
use arrayvec::ArrayVec;
use nalgebra::{SMatrix, SVector};

/// The most planes: the six sides of a box, and those of a body.
pub(super) const PLANES: usize = 16;

/// Iteration limit; as many as there are planes in the end are typical.
const MOST_STEPS: usize = 32;

/// How far beyond a plane is rounding error, relative to the terms of its height.
const ROUNDING: f64 = 1e-14;

/// A way is parallel to the planes it has reached if this is what is left of it.
const PARALLEL: f64 = 1e-12;

/// What is behind: `normal · x` is at most `offset`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Behind<const N: usize = 3> {
    pub(super) normal: SVector<f64, N>,
    pub(super) offset: f64,
}

/// Where the polynomial is least, and the weights of the planes: with the normals times these its slope is zero.
#[derive(Clone, Copy, Debug)]
pub(super) struct Solution<const N: usize = 3> {
    pub(super) place: SVector<f64, N>,
    pub(super) weights: [f64; PLANES],
}

/// Solves `slope · x + x · bend x / 2` behind planes; the bend has positive eigenvalues only. `None` if it has others, or if
/// rounding error prevents it.
pub(super) fn solve<const N: usize>(
    bend: &SMatrix<f64, N, N>,
    slope: &SVector<f64, N>,
    planes: &ArrayVec<Behind<N>, PLANES>,
) -> Option<Solution<N>> {
    let factors = Factors::of(bend)?;
    let mut inverse = SMatrix::<f64, N, N>::identity();
    for mut column in inverse.column_iter_mut() {
        column.copy_from(&factors.solve(&column.clone_owned()));
    }
    let mut found = Solution { place: -(inverse * slope), weights: [0.0; PLANES] };
    let mut active: ArrayVec<usize, N> = ArrayVec::new();
    let mut steps = 0;
    while let Some(next) = farthest_beyond(&found.place, planes, &active, &inverse) {
        let Behind { normal, offset } = planes[next];
        let mut weight = 0.0;
        loop {
            steps += 1;
            if steps > MOST_STEPS {
                return None;
            }
            let turned = inverse * normal;
            let shares = shares(planes, &active, &inverse, &turned)?;
            let mut way = turned;
            for (&plane, share) in active.iter().zip(shares.iter()) {
                way -= inverse * planes[plane].normal * *share;
            }
            let rate = normal.dot(&way);
            let room = active.iter().zip(shares.iter()).enumerate();
            let room = room.filter(|(_, (_, share))| **share > 0.0);
            let room = room.map(|(place, (&plane, share))| (found.weights[plane] / share, place));
            let first = room.reduce(|a, b| if b.0 < a.0 { b } else { a });
            let reaches = active.len() < N && rate > PARALLEL * normal.dot(&turned);
            let whole = if reaches { (normal.dot(&found.place) - offset) / rate } else { f64::INFINITY };
            let step = first.map_or(whole, |(step, _)| step.min(whole));
            if !step.is_finite() {
                return None;
            }
            if reaches {
                found.place -= way * step;
            }
            for (&plane, share) in active.iter().zip(shares.iter()) {
                found.weights[plane] = (found.weights[plane] - step * share).max(0.0);
            }
            weight += step;
            match first {
                Some((step, place)) if step < whole => {
                    found.weights[active[place]] = 0.0;
                    active.remove(place);
                }
                _ => {
                    found.weights[next] = weight;
                    active.push(next);
                    break;
                }
            }
        }
    }
    Some(found)
}

/// Returns the plane that a place is farthest beyond.
fn farthest_beyond<const N: usize>(
    place: &SVector<f64, N>,
    planes: &ArrayVec<Behind<N>, PLANES>,
    active: &ArrayVec<usize, N>,
    inverse: &SMatrix<f64, N, N>,
) -> Option<usize> {
    let mut farthest = (0.0, None);
    for (number, Behind { normal, offset }) in planes.iter().enumerate() {
        let height = normal.dot(place) - offset;
        let rounding = || ROUNDING * (normal.abs().dot(&place.abs()) + offset.abs());
        if height > 0.0 && height > rounding() && !active.contains(&number) {
            let square = height * height / normal.dot(&(inverse * normal));
            if square > farthest.0 {
                farthest = (square, Some(number));
            }
        }
    }
    farthest.1
}

/// Returns how much of the active planes' normals is in a way.
fn shares<const N: usize>(
    planes: &ArrayVec<Behind<N>, PLANES>,
    active: &ArrayVec<usize, N>,
    inverse: &SMatrix<f64, N, N>,
    turned: &SVector<f64, N>,
) -> Option<SVector<f64, N>> {
    if active.is_empty() {
        return Some(SVector::zeros());
    }
    let (mut products, mut right) = (SMatrix::<f64, N, N>::identity(), SVector::<f64, N>::zeros());
    for (row, &one) in active.iter().enumerate() {
        let normal = planes[one].normal;
        right[row] = normal.dot(turned);
        for (column, &other) in active.iter().enumerate() {
            products[(row, column)] = normal.dot(&(inverse * planes[other].normal));
        }
    }
    Some(Factors::of(&products)?.solve(&right))
}

#[cfg(test)]
mod tests {
    use super::super::grid::Random;
    use super::*;
    use nalgebra::Matrix3;
    use palpate_math::Vector;

    /// The slope is balanced by the planes that are reached, and by these only. Where there is no answer, no place is
    /// behind all.
    #[test]
    fn the_slope_is_balanced_by_the_planes_that_are_reached() {
        let mut random = Random(31);
        let (mut reached, mut none) = ([0; 4], 0);
        for case in 0..8000 {
            let factor = Matrix3::from_fn(|_, _| random.number());
            let bend = factor * factor.transpose() + Matrix3::identity() * 0.1;
            let slope = random.vector() * [0.1, 3.0][case % 2];
            let mut planes = ArrayVec::new();
            for axis in 0..3 {
                planes.push(Behind { normal: Vector::ith(axis, 1.0), offset: 1.0 });
                planes.push(Behind { normal: Vector::ith(axis, -1.0), offset: 1.0 });
            }
            for _ in 0..case % 5 {
                planes.push(Behind { normal: random.vector(), offset: random.number() });
            }
            let Some(Solution { place, weights }) = solve(&bend, &slope, &planes) else {
                for _ in 0..500 {
                    let place = random.vector();
                    let is_behind = |plane: &Behind| plane.normal.dot(&place) <= plane.offset;
                    assert!(!planes.iter().all(is_behind), "{case}: {place}");
                }
                none += 1;
                continue;
            };
            let mut left = slope + bend * place;
            let mut count = 0;
            for (Behind { normal, offset }, weight) in planes.iter().zip(weights) {
                let height = normal.dot(&place) - offset;
                assert!(height < 1e-12 && weight >= 0.0, "{case}: {height} {weight}");
                assert!(weight == 0.0 || height.abs() < 1e-11, "{case}: {height} {weight}");
                left += normal * weight;
                count += usize::from(weight > 0.0);
            }
            assert!(left.norm() < 1e-9, "{case}: {left}");
            reached[count.min(3)] += 1;
        }
        assert!(
            reached.into_iter().all(|count| count > 40) && none > 10 && none < 1600,
            "{reached:?} {none}"
        );
    }
}
