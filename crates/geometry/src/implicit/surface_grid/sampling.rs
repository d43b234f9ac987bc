//! Sampling settings: resolution and extent.

use crate::GeometryError;
use crate::validate::{not_negative, positive};
use palpate_implicit::internal::Lattice;
use palpate_math::{Aabb, Vector};

/// The resolution and extent of a surface's sampling.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurfaceSampling {
    /// The metres between samples along each axis.
    pub spacing: Vector,
    /// The distance from the surface up to which samples are exact distances, in metres: the diagonal of a cell or
    /// more; infinite to measure all. By default three diagonals.
    pub band: f64,
    /// The padding of the lattice around the surface's box, in metres, 0 or more. By default the diagonal of a cell.
    pub padding: f64,
    /// The number of threads; 0 (the default) for one per core. Affects only the run time.
    pub threads: usize,
    /// The maximum number of samples. By default 2²⁶, which need half a gigabyte, and three times that while they are
    /// computed.
    pub most_samples: usize,
}

impl SurfaceSampling {
    /// Creates settings with `spacing` metres between samples along each axis, and defaults otherwise.
    pub fn new(spacing: f64) -> Self {
        let spacing = Vector::repeat(spacing);
        let diagonal = spacing.norm();
        Self { spacing, band: 3.0 * diagonal, padding: diagonal, threads: 0, most_samples: 1 << 26 }
    }

    /// Creates the lattice over `bounds`.
    pub(super) fn lattice(&self, bounds: &Aabb) -> Result<Lattice, GeometryError> {
        for axis in 0..3 {
            positive("the spacing", self.spacing[axis])?;
        }
        not_negative("the padding", self.padding)?;
        let least = self.spacing.norm();
        if self.band.is_nan() || self.band < least {
            let what = "the band".to_owned();
            return Err(GeometryError::TooSmall { what, value: self.band, least });
        }
        let padding = Vector::repeat(self.padding);
        let (origin, end) = (bounds.min - padding, bounds.max + padding);
        let steps = (end - origin).component_div(&self.spacing).map(|steps| steps.ceil().max(1.0));
        let (samples, most) = (steps.map(|steps| steps + 1.0).product(), self.most_samples as f64);
        if samples.is_nan() || samples > most {
            let what = "the number of samples".to_owned();
            return Err(GeometryError::TooLarge { what, value: samples, most });
        }
        let mut lattice = Lattice::new(origin, self.spacing, [0, 1, 2].map(|axis| steps[axis] as usize + 1))?;
        for axis in 0..3 {
            // Rounding may leave the last point slightly short.
            lattice.size[axis] += usize::from(lattice.end()[axis] < bounds.max[axis]);
        }
        Ok(lattice)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use palpate_math::Point;

    fn bounds() -> Aabb {
        Aabb { min: Point::new(-1.0, 0.0, 2.0), max: Point::new(1.0, 0.5, 2.3) }
    }

    #[test]
    fn the_lattice_covers_the_surface_and_its_padding() {
        let sampling = SurfaceSampling { padding: 0.25, ..SurfaceSampling::new(0.25) };
        let lattice = sampling.lattice(&bounds()).unwrap();
        assert_eq!((lattice.origin, lattice.size), (Point::new(-1.25, -0.25, 1.75), [11, 5, 5]));
        assert!(lattice.end() >= bounds().max);
        let tenths = SurfaceSampling { padding: 0.0, ..SurfaceSampling::new(0.1) };
        for k in 1..200 {
            let max = Point::new(0.1 * f64::from(k), 0.3 * f64::from(k), 1.0 / f64::from(k));
            let box_of_it = Aabb { min: Point::origin(), max };
            let end = tenths.lattice(&box_of_it).unwrap().end();
            assert!((0..3).all(|axis| end[axis] >= max[axis]), "{end} {max}");
        }
    }

    #[test]
    fn what_is_no_sampling_is_refused() {
        let message = |sampling: SurfaceSampling| sampling.lattice(&bounds()).unwrap_err().to_string();
        let sound = SurfaceSampling::new(0.25);
        assert_eq!(message(SurfaceSampling::new(0.0)), "the spacing is 0: wanted a number greater than 0");
        assert!(message(SurfaceSampling::new(f64::NAN)).contains("the spacing is NaN"));
        assert!(message(SurfaceSampling { padding: -1.0, ..sound }).contains("the padding is -1"));
        assert!(message(SurfaceSampling { padding: f64::INFINITY, ..sound }).contains("the padding is inf"));
        let narrow = message(SurfaceSampling { band: 0.25, ..sound });
        assert!(narrow.starts_with("the band is 0.25: wanted 0.43"), "{narrow}");
        assert!(message(SurfaceSampling { band: f64::NAN, ..sound }).contains("the band is NaN"));
        assert_eq!(
            message(SurfaceSampling { padding: 1e300, ..sound }),
            "the padding is 1e300: wanted 1.42724769270596e45 or less"
        );
        let many = message(SurfaceSampling { padding: 1e45, ..sound });
        assert!(many.starts_with("the number of samples is 5.1"), "{many}");
        assert!(many.ends_with(": wanted 67108864 or less"), "{many}");
        let few = SurfaceSampling { most_samples: 100, ..sound };
        assert!(message(few).ends_with("wanted 100 or less"));
    }
}
