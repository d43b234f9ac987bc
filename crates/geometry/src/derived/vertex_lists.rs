//! Lists of cell corners at each vertex, which can be cut.

use palpate_contact::NONE;

/// The corners of cells at each vertex, ascending unless inserted by another key: the number of vertices of a cell times the
/// cell, plus the corner.
#[derive(Clone, Debug, Default)]
pub(crate) struct VertexLists {
    places: Vec<Place>,
    corners: Vec<u32>,
}

/// The lists have room for one corner and one vertex more for each of so many.
pub(crate) const ROOM: usize = 8;

/// Where the corners at a vertex are, and how many could be there.
#[derive(Clone, Copy, Debug, Default)]
struct Place {
    from: u32,
    len: u32,
    room: u32,
}

impl VertexLists {
    /// Creates the lists of all corners of cells, given one cell after the other; those of removed cells are skipped.
    pub(crate) fn new(ids: &[u32]) -> Self {
        let present = || (0..).zip(ids).filter(|&(_, &id)| id != NONE);
        let vertices = present().map(|(_, &id)| id as usize + 1).max().unwrap_or(0);
        let mut places = vec![Place::default(); vertices];
        for (_, &id) in present() {
            places[id as usize].room += 1;
        }
        let mut from = 0;
        for place in &mut places {
            place.from = from;
            from += place.room;
        }
        // A list that grows in the midst of a cut is copied.
        let mut corners = Vec::with_capacity(from as usize + from as usize / ROOM);
        corners.resize(from as usize, 0);
        places.reserve(vertices / ROOM);
        for (corner, &id) in present() {
            let place = &mut places[id as usize];
            corners[(place.from + place.len) as usize] = corner;
            place.len += 1;
        }
        Self { places, corners }
    }

    /// Returns the corners at a vertex.
    #[inline]
    pub(crate) fn at(&self, vertex: u32) -> &[u32] {
        match self.places.get(vertex as usize) {
            Some(place) => &self.corners[place.from as usize..(place.from + place.len) as usize],
            None => &[],
        }
    }

    /// Removes a corner from those at a vertex.
    pub(crate) fn remove(&mut self, vertex: u32, corner: u32) {
        let Some(place) = self.places.get_mut(vertex as usize) else { return };
        let list = &mut self.corners[place.from as usize..(place.from + place.len) as usize];
        if let Some(at) = list.iter().position(|&other| other == corner) {
            list.copy_within(at + 1.., at);
            place.len -= 1;
        }
    }

    /// Gives all corners other numbers; the order stays.
    pub(super) fn renumber(&mut self, number: impl Fn(u32) -> u32) {
        for place in &self.places {
            let at = place.from as usize..(place.from + place.len) as usize;
            self.corners[at].iter_mut().for_each(|corner| *corner = number(*corner));
        }
    }

    /// Adds a corner behind those at the vertex.
    pub(crate) fn push(&mut self, vertex: u32, corner: u32) {
        if self.places.len() <= vertex as usize {
            self.places.resize(vertex as usize + 1, Place::default());
        }
        let place = &mut self.places[vertex as usize];
        if place.len == place.room {
            // Moves to the end, with room to grow.
            let old = place.from as usize..(place.from + place.len) as usize;
            (place.from, place.room) = (self.corners.len() as u32, (2 * place.len).max(4));
            self.corners.extend_from_within(old);
            self.corners.resize((place.from + place.room) as usize, 0);
        }
        self.corners[(place.from + place.len) as usize] = corner;
        place.len += 1;
    }

    /// Adds a corner to those at the vertex, which are in the order of a key.
    pub(crate) fn insert<K: Ord>(&mut self, vertex: u32, corner: u32, key: impl Fn(u32) -> K) {
        self.push(vertex, corner);
        let place = self.places[vertex as usize];
        let list = &mut self.corners[place.from as usize..(place.from + place.len) as usize];
        let at = list[..list.len() - 1].partition_point(|&other| key(other) < key(corner));
        list[at..].rotate_right(1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corners_are_removed_and_added_in_order() {
        let mut lists = VertexLists::new(&[0, 4, 1, NONE, NONE, NONE, 1, 0, 4]);
        let at = |lists: &VertexLists| [0, 1, 2, 4, 5].map(|vertex| lists.at(vertex).to_vec());
        assert_eq!(at(&lists), [vec![0, 7], vec![2, 6], vec![], vec![1, 8], vec![]]);
        lists.remove(1, 2);
        lists.remove(1, 5);
        (9..20).for_each(|corner| lists.push(if corner % 2 == 0 { 1 } else { 5 }, corner));
        assert_eq!(lists.at(1), [6, 10, 12, 14, 16, 18]);
        assert_eq!((lists.at(5), lists.at(4)), (&[9, 11, 13, 15, 17, 19][..], &[1, 8][..]));
        lists.insert(4, 20, |corner| corner % 10);
        assert_eq!(lists.at(4), [20, 1, 8]);
    }
}
