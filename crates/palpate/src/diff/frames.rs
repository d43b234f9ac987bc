//! Alignment of the frames of two sources.

/// Frames of the first and of the second source that belong together, by their indices.
pub(super) type Aligned = (Option<usize>, Option<usize>);

/// Aligns frames given by number and time: by number where both have the same numbers, else by time where times rise in both
/// (a session that lost a frame counts on), else by number.
pub(super) fn align(was: &[(u64, f64)], is: &[(u64, f64)]) -> Vec<Aligned> {
    let numbers = |frames: &[(u64, f64)]| frames.iter().map(|frame| frame.0).collect::<Vec<_>>();
    let rises = |frames: &[(u64, f64)]| frames.windows(2).all(|two| two[0].1 < two[1].1);
    if numbers(was) != numbers(is) && rises(was) && rises(is) {
        merge(was, is, |frame| frame.1)
    } else {
        merge(was, is, |frame| frame.0 as f64)
    }
}

fn merge(was: &[(u64, f64)], is: &[(u64, f64)], key: impl Fn(&(u64, f64)) -> f64) -> Vec<Aligned> {
    let (mut one, mut two) = (0, 0);
    let mut aligned = Vec::new();
    while one < was.len() || two < is.len() {
        match (was.get(one).map(&key), is.get(two).map(&key)) {
            (Some(a), Some(b)) if a < b => aligned.push((Some(one), None)),
            (Some(a), Some(b)) if a > b => aligned.push((None, Some(two))),
            (Some(_), Some(_)) => aligned.push((Some(one), Some(two))),
            (a, _) => aligned.push((a.map(|_| one), if a.is_none() { Some(two) } else { None })),
        }
        let (a, b) = aligned[aligned.len() - 1];
        one += usize::from(a.is_some());
        two += usize::from(b.is_some());
    }
    aligned
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lost_frame_does_not_shift_the_others() {
        let all = [(0, 0.0), (1, 0.5), (2, 1.0)];
        let same = [(Some(0), Some(0)), (Some(1), Some(1)), (Some(2), Some(2))];
        assert_eq!(align(&all, &all), same);
        let of_file = [(0, 0.0), (2, 1.0)];
        let of_session = [(0, 0.0), (1, 1.0)];
        for lost in [of_file, of_session] {
            assert_eq!(align(&all, &lost), [(Some(0), Some(0)), (Some(1), None), (Some(2), Some(1))]);
            assert_eq!(align(&lost, &all), [(Some(0), Some(0)), (None, Some(1)), (Some(1), Some(2))]);
        }
        let later = [(0, 0.0), (1, 0.75), (2, 1.0)];
        assert_eq!(align(&all, &later), same, "a changed time is no lost frame");
        assert_eq!(align(&all, &[]).len(), 3);
        let still = [(0, 0.0), (1, 0.0)];
        assert_eq!(align(&still, &[(1, 0.0)]), [(Some(0), None), (Some(1), Some(0))]);
    }
}
