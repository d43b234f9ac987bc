//! A guard: whatever a solver has done in a step, nothing passes through anything.
//!
//! Solvers end a step with some error; where constraints contradict each other there is no solution at all. The guard has
//! the last word: it gets the places at the start of the step and those that the solver wants at its end, and shortens
//! displacements until every two elements that could meet are *proved* not to. It looks at no contact and at no row.
//!
//! **The proof.** Elements are convex: vertices, edges and triangles of meshes (radii included), convex solids,
//! half-spaces. If one direction separates two convex sets at the start and at the end of the step, with every point moving on
//! a straight way, it separates them throughout, since along it the gap of any two points is linear in time. That
//! holds for bodies that turn, too: the straight ways of a turning body's points deform it on the way, but every stage of that is
//! an affine image of the body, and its end is the body turned. A thread cannot get to the other side of a triangle, nor a vertex
//! to the inside of a closed surface, nor two loops be linked, without a stage in which two elements meet. The
//! direction is that between the closest points at the start. For a longer motion that it does not decide the exact query of the
//! first impact does ([`palpate_math::continuous`]), or the direction at the end.
//!
//! **The shortening.** Where neither proves it, the gap at the start is divided between the two by planes across the
//! direction, and what leads beyond its plane is taken from each displacement: what slides along the other keeps its
//! motion. The start is on the right side of every plane, so a displacement only becomes shorter, and there is always an end that
//! suits all: at the worst the places of the start.
//!
//! **Which pairs are examined.** Those that the motion as it is could bring together: of two elements on straight ways, those that are
//! no farther apart at the start than their points come nearer to each other. What was shortened goes another way, so that its elements
//! are searched for again, until a search finds nothing new. Beside a body that turns, the lengths of the displacements decide, which
//! no shortening makes greater.
//!
//! **Tools** ([`Moves::Tool`]) are moved by the host: the other side of a pair gives up its motion first. What does not give
//! way (clamped particles, fixed bodies, other tools) cuts a tool short; [`Report::contradictions`] says by how much, so that a
//! haptic host can push back.
//!
//! **Implicit bodies** have no direction that separates: in the frame of the body it is proved by their Lipschitz constant that the value
//! over the other side stays positive on the way, and is what it has to be at the end (`need` times the constant; within 4e-9 of the
//! size of a cell). The plane of a shortening is that across the gradient.
//!
//! **Not guarded**: elements that touch or cross at the start ([`Report::crossing`] counts them); elements of one mesh that
//! share a vertex; two unbounded bodies.
//!
//! Sources: L. Wu, B. Wu, Y. Yang, H. Wang, "A safe and fast repulsion method for GPU-based cloth self collisions" (2020), and
//! A. H. Chen, J. Hsu, Z. Liu, M. Macklin, Y. Yang, C. Yuksel, "Offset geometric contact" (2025), for displacements bounded by
//! distances at the start, whatever the solver does; M. Li et al., "Incremental potential contact" (2020), for steps cut
//! before the first impact; L. M. Bregman, "The method of successive projection for finding a common point of convex sets"
//! (1965), for planes one after the other.

mod closest;
mod element;
mod extent;
mod hold;
mod implicit;
mod mesh;
mod moves;
mod near;
mod report;
mod rigid;
mod search;
mod step;

pub use hold::{Guard, GuardedBody, Start};
pub use moves::Moves;
pub use report::{Contradiction, Mover, Report, Shortened};
