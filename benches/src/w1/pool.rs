//! The hulls of a cell.

use crate::Fallible;

/// A hull as stored.
#[derive(Clone, Debug, Default)]
pub(super) struct HullData {
    pub(super) points: Vec<[f64; 3]>,
    pub(super) triangles: Vec<[u32; 3]>,
}

/// The numbers of a file. Errors: the file cannot be read.
pub(super) fn numbers(path: &std::path::Path) -> Fallible<Vec<f64>> {
    let bytes = std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(bytes.chunks_exact(8).map(|eight| f64::from_le_bytes(std::array::from_fn(|i| eight[i]))).collect())
}

/// The hulls of a pool. Errors: the file ends early.
pub(super) fn hulls(numbers: &[f64]) -> Fallible<Vec<HullData>> {
    let mut rest = numbers.iter().copied();
    let mut next = || rest.next().ok_or("a pool of hulls ends early");
    let count = next()? as usize;
    let mut hulls = Vec::with_capacity(count);
    for _ in 0..count {
        let (points, triangles) = (next()? as usize, next()? as usize);
        let mut hull = HullData::default();
        for _ in 0..points {
            hull.points.push([next()?, next()?, next()?]);
        }
        for _ in 0..triangles {
            hull.triangles.push([next()? as u32, next()? as u32, next()? as u32]);
        }
        hulls.push(hull);
    }
    Ok(hulls)
}
