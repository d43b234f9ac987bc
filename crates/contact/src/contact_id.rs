//! Contact ids, composed of the features of both sides.

/// The contribution of one side to the id of a contact.
///
/// ```text
/// bits 63..61  60..32  31..29  28..0
///      kind A  number  kind B  number
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum IdPart {
    /// The side as a whole: a shape without elements, or a contact not assigned to one.
    Whole,
    /// A vertex of a mesh, or a point of a point set.
    Vertex(u32),
    /// An edge: for a line mesh its cell, for a surface its number in the adjacency.
    Edge(u32),
    /// A triangle.
    Triangle(u32),
    /// A tetrahedron.
    Tetrahedron(u32),
    /// A corner of a shape's face, or an end of its axis: a point of a manifold.
    Corner(u32),
    /// A side of a shape's face, by the corner where it starts: a point of a manifold.
    Side(u32),
    /// The interior: the single contact for the deepest point inside the other side, by the number of the part.
    Inside(u32),
}

/// The id of a contact, composed of one [part](IdPart) per side: unique among the contacts of one result, and stable
/// from step to step. Contacts of a compound's children are also distinguished by their `child`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ContactId(u64);

/// Bits of a number.
const NUMBER_BITS: u32 = 29;

impl IdPart {
    /// Numbers from here on do not fit: meshes of more than half a billion elements.
    pub const LIMIT: u32 = 1 << NUMBER_BITS;

    fn code(self) -> u64 {
        let (kind, number) = match self {
            Self::Whole => (0, 0),
            Self::Vertex(number) => (1, number),
            Self::Edge(number) => (2, number),
            Self::Triangle(number) => (3, number),
            Self::Tetrahedron(number) => (4, number),
            Self::Corner(number) => (5, number),
            Self::Side(number) => (6, number),
            Self::Inside(number) => (7, number),
        };
        debug_assert!(
            number < Self::LIMIT,
            "an element's number is {number}, wanted less than {}",
            Self::LIMIT
        );
        kind << NUMBER_BITS | u64::from(number & (Self::LIMIT - 1))
    }

    fn of_code(code: u64) -> Self {
        let number = (code & u64::from(Self::LIMIT - 1)) as u32;
        match code >> NUMBER_BITS {
            0 => Self::Whole,
            1 => Self::Vertex(number),
            2 => Self::Edge(number),
            3 => Self::Triangle(number),
            4 => Self::Tetrahedron(number),
            5 => Self::Corner(number),
            6 => Self::Side(number),
            _ => Self::Inside(number),
        }
    }
}

impl ContactId {
    /// Creates the id from the parts of side A and side B.
    pub fn new(a: IdPart, b: IdPart) -> Self {
        Self(a.code() << 32 | b.code())
    }

    /// Returns the number stored in [`Contact::id`](crate::Contact::id).
    pub fn number(self) -> u64 {
        self.0
    }

    /// Decodes the number in a contact, side A first.
    pub fn parts(number: u64) -> [IdPart; 2] {
        [IdPart::of_code(number >> 32), IdPart::of_code(number & 0xffff_ffff)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_two_parts_have_an_id_of_their_own_that_tells_them() {
        let last = IdPart::LIMIT - 1;
        let numbered = [
            IdPart::Vertex,
            IdPart::Edge,
            IdPart::Triangle,
            IdPart::Tetrahedron,
            IdPart::Corner,
            IdPart::Side,
            IdPart::Inside,
        ];
        let parts = numbered.into_iter().flat_map(|part| [0, 1, 77, last].map(part));
        let parts: Vec<IdPart> = std::iter::once(IdPart::Whole).chain(parts).collect();
        let mut ids = std::collections::HashSet::new();
        for &a in &parts {
            for &b in &parts {
                let id = ContactId::new(a, b).number();
                assert_eq!(ContactId::parts(id), [a, b]);
                assert!(ids.insert(id));
            }
        }
        assert_eq!(ContactId::new(IdPart::Whole, IdPart::Whole).number(), 0);
    }
}
