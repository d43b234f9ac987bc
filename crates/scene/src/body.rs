//! The geometry of an object: the scene's own, or one in a snapshot of another scene.

use crate::GeometrySnapshot;
use palpate_geometry::Geometry;
use std::ops::Deref;
use std::sync::Arc;

/// A geometry that the scene owns, or one that another scene shares.
pub(crate) enum Body {
    Own(Box<dyn Geometry>),
    Shared(SharedBody),
}

/// A geometry in a snapshot.
pub(crate) struct SharedBody {
    snapshot: Arc<GeometrySnapshot>,
    slot: usize,
}

impl SharedBody {
    /// The geometry at `slot` of a snapshot; `None` if there is none.
    pub(crate) fn new(snapshot: &Arc<GeometrySnapshot>, slot: usize) -> Option<Self> {
        snapshot.at(slot)?;
        Some(Self { snapshot: Arc::clone(snapshot), slot })
    }
}

impl Body {
    /// Whether the scene owns it.
    pub(crate) fn is_own(&self) -> bool {
        matches!(self, Self::Own(_))
    }

    /// The geometry, if the scene owns it.
    pub(crate) fn own_mut(&mut self) -> Option<&mut dyn Geometry> {
        match self {
            Self::Own(geometry) => Some(&mut **geometry),
            Self::Shared(_) => None,
        }
    }

    /// The step that published it, if another scene shares it.
    pub(crate) fn shared_step(&self) -> Option<u64> {
        match self {
            Self::Own(_) => None,
            Self::Shared(shared) => Some(shared.snapshot.step()),
        }
    }

    /// The geometry itself, if the scene owns it, or a clone; `None` if it cannot be cloned.
    pub(crate) fn into_boxed(self) -> Option<Box<dyn Geometry>> {
        match self {
            Self::Own(geometry) => Some(geometry),
            Self::Shared(_) => self.try_clone(),
        }
    }
}

impl Deref for Body {
    type Target = dyn Geometry;

    fn deref(&self) -> &Self::Target {
        match self {
            Self::Own(geometry) => &**geometry,
            Self::Shared(SharedBody { snapshot, slot }) => {
                snapshot.at(*slot).expect("the snapshot has the geometry, as was seen when it was taken")
            }
        }
    }
}
