//! How exactly a recording keeps coordinates.

use super::RecordError;
use crate::recording::{Frame, Point, State};

/// How exactly a recording keeps the points of meshes. Poses, sizes and times are exact in any case, and the contacts of a replay
/// are those of the points that were kept. Bits that are not kept are zeros, which compress away.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub enum Precision {
    /// Every bit: a replay has the same contacts, to the last bit.
    #[default]
    Exact,
    /// Coordinates as single floats: a relative error of at most 6e-8.
    Single,
    /// No point is farther than this many metres from where it was: coordinates are multiples of a power of two.
    Within(f64),
}

impl Precision {
    /// What is rounded, for the metadata of a session; `None` if nothing is. Errors: a distance that is not greater than 0.
    pub(super) fn words(self) -> Result<Option<String>, RecordError> {
        match self {
            Self::Exact => Ok(None),
            Self::Single => Ok(Some("coordinates of points are single floats".to_owned())),
            Self::Within(error) if error.is_finite() && error > 0.0 => {
                Ok(Some(format!("points are within {error} m of where they were")))
            }
            Self::Within(error) => Err(RecordError::Option {
                option: "precision",
                found: format!("within {error} m"),
                wanted: "a number greater than 0".to_owned(),
            }),
        }
    }

    /// Rounds the points of a frame.
    pub(super) fn round(self, frame: &mut Frame) {
        let each = |frame: &mut Frame, round: &dyn Fn(f64) -> f64| {
            for state in &mut frame.states {
                if let State::Points(points) = state {
                    points
                        .iter_mut()
                        .for_each(|point: &mut Point| point.iter_mut().for_each(|x| *x = round(*x)));
                }
            }
        };
        match self {
            Self::Exact => {}
            Self::Single => each(frame, &|x| f64::from(x as f32)),
            Self::Within(error) => {
                // The diagonal of a cube of half a step is the error.
                let step = libm::exp2(libm::floor(libm::log2(2.0 * error / libm::sqrt(3.0))));
                each(frame, &|x| libm::round(x / step) * step);
            }
        }
    }
}
