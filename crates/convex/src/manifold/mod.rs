//! Contact manifolds: up to four points that represent the contact area of two bodies.
//!
//! A query finds one direction and one deepest point. The opposing faces of the two bodies along that direction
//! ([`Faces`]) are projected onto a plane and clipped against each other (Sutherland, Hodgman 1974,
//! doi:10.1145/360767.360802); every corner of the intersection is a point of both faces with a depth of its own, and
//! at most four corners are kept: the deepest, and those that span the largest area with it.
//!
//! ```text
//!      ┌────────┐              A's face and B's face, seen along the direction:
//!      │ A   1──┼──2           1 a corner of B, 2 and 4 where edges cross, 3 a corner of A.
//!      │     │▒▒│  │  B
//!      └─────4──3  │
//!            └─────┘
//! ```
//!
//! Every corner knows the features that made it (a corner of A, a corner of B, an edge of each): this is its feature
//! id, which is stable from step to step while the same features touch.

mod cap;
mod clip;
mod clip_few;
mod clipped_corner;
mod curved;
mod faces;
mod facets;
mod hull_edge;
mod hull_faces;
mod hull_planes;
mod hull_triangle;
mod hull_vertex_blocks;
mod kept_face_room;
mod manifold_point;
mod manifold_reduction;
mod outline;
mod over_plane;
mod points;
mod projected_face;
mod small_faces;
mod star;
mod support_face;
mod tolerance;

pub use cap::Cap;
pub use curved::Curved;
pub use faces::Faces;
pub use hull_faces::{FacedHull, HullFaces};
pub use hull_triangle::HullTriangle;
pub use manifold_point::ManifoldPoint;
pub use manifold_reduction::kept as reduce_to_four;
pub use points::Manifold;
pub use support_face::{BoxFace, Line, SupportFace};
