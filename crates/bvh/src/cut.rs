//! Cells removed from a tree and added to it, one by one: only the path to the root changes.

use crate::Bvh;
use crate::build::MAXIMUM_DEPTH;
use crate::cells::{Cells, around};
use crate::frame::Lanes;
use crate::links::NONE;
use crate::tree::{Node, WIDTH};
use palpate_math::Aabb;

/// Queries allow for the rounding errors of coordinates up to this size, in the frame of the tree.
const REACH: f32 = 4.0;

fn split(place: u32) -> (usize, usize) {
    (place as usize / WIDTH, place as usize % WIDTH)
}

/// A tree that is prepared for cuts has room for one entry more for each of so many.
const ROOM: usize = 8;

impl Bvh {
    /// Removes cells from a tree over cells: they are no longer reported. The numbers of the others do not change, and
    /// neither does [`len`](Self::len); [`bounds`](Self::bounds) may become too large until the next rebuild. Numbers that
    /// are removed already are skipped. Refits go on without the removed cells.
    ///
    /// Cost: the depth of the tree for each cell, and one pass over the tree when it is first cut after a rebuild, unless it was
    /// [prepared](Self::prepare_cuts).
    pub fn remove_cells(&mut self, removed: &[u32]) {
        if self.is_empty() || removed.is_empty() {
            return;
        }
        self.link();
        self.links.is_cut = true;
        for &number in removed {
            self.remove_cell(number);
        }
    }

    /// Adds the cells from number [`len`](Self::len) on to a tree over cells. Returns false, and leaves the tree to be
    /// rebuilt, if it has no cells or cells at several times, if a vertex is too far from it, or if it has become too deep.
    ///
    /// Cost: the depth of the tree for each cell.
    ///
    /// # Panics
    /// If a cell has a vertex without a position.
    pub fn add_cells<const N: usize>(&mut self, cells: &Cells<'_, N, 1>) -> bool {
        if self.is_empty() || self.buffers.cell_kind != [N, 1] {
            return false;
        }
        let [positions] = cells.positions;
        let frame = self.frame;
        let is_far = |&id: &u32| frame.map(&positions[id as usize]).iter().any(|x| x.abs() > REACH);
        if cells.ids.iter().skip(self.len()).flatten().any(is_far) {
            return false;
        }
        self.link();
        self.links.is_cut = true;
        let known = self.buffers.vertices.len();
        self.buffers.vertices.extend(positions[known..].iter().map(|position| frame.map(position)));
        for number in self.len()..cells.ids.len() {
            let ids = &cells.ids[number];
            if !self.buffers.all_used {
                self.buffers.used.extend(ids);
            }
            self.bounds = self.bounds.merged(&Aabb::from_points(ids.map(|id| positions[id as usize])));
            self.buffers.cells.extend(ids);
            let entry = around::<N, 1>(ids, &self.buffers.vertices);
            if !self.add_entry(number as u32, entry) {
                return false;
            }
        }
        true
    }

    /// Removes the cells without vertices from a tree that was just built over all.
    pub(crate) fn remove_empty_cells<const N: usize>(&mut self, cells: &[[u32; N]]) {
        let is_removed = |ids: &[u32; N]| ids[0] == NONE;
        if cells.iter().any(is_removed) {
            let removed: Vec<u32> =
                (0..).zip(cells).filter(|(_, ids)| is_removed(ids)).map(|(id, _)| id).collect();
            self.remove_cells(&removed);
        }
    }

    /// Makes what the first cut after a rebuild would make. Cost: one pass over the tree, unless it was made.
    pub fn prepare_cuts(&mut self) {
        if !self.is_empty() {
            self.link();
        }
    }

    /// Whether a cut costs no pass over the tree.
    pub fn is_prepared_for_cuts(&self) -> bool {
        self.is_empty() || !self.links.slots.is_empty()
    }

    /// Makes the ways up, unless they are there.
    fn link(&mut self) {
        if !self.links.slots.is_empty() {
            return;
        }
        if self.nodes.is_empty() {
            // All entries were one leaf without a node.
            let mut root = Node::EMPTY;
            root.counts[0] = self.entries.len() as u8;
            root.len = 1;
            root.set_bounds(0, &self.entries.iter().fold(Lanes::EMPTY, |whole, entry| whole.merged(entry)));
            self.nodes.push(root);
        }
        // Room for what cuts add: a list that grows in the midst of a cut is copied.
        let (room, room_of_nodes) = (self.entries.len() / ROOM, self.nodes.len() / ROOM);
        self.entries.reserve(room);
        self.ids.reserve(room);
        self.nodes.reserve(room_of_nodes);
        let links = &mut self.links;
        links.slots.reserve(self.entries.len() + room);
        links.leaves.reserve(self.entries.len() + room);
        links.parents.reserve(self.nodes.len() + room_of_nodes);
        links.slots.resize(self.entries.len(), NONE);
        links.leaves.clear();
        links.leaves.resize(self.entries.len(), NONE);
        links.parents.clear();
        links.parents.resize(self.nodes.len(), NONE);
        for (index, node) in (0..).zip(&self.nodes) {
            for lane in 0..node.len {
                let (child, place) = (node.child(lane as usize), index * WIDTH as u32 + lane);
                if child.is_leaf() {
                    links.leaves[child.range()].fill(place);
                    for slot in child.range() {
                        links.slots[self.ids[slot] as usize] = slot as u32;
                    }
                } else {
                    links.parents[child.first as usize] = place;
                }
            }
        }
    }

    fn remove_cell(&mut self, number: u32) {
        let Some(slot) = self.links.slots.get_mut(number as usize).map(|slot| std::mem::replace(slot, NONE))
        else {
            return;
        };
        if slot == NONE {
            return;
        }
        let (node, lane) = split(self.links.leaves[slot as usize]);
        let range = self.nodes[node].child(lane).range();
        let last = range.end - 1;
        self.swap_entries(slot as usize, last);
        self.entries[last] = Lanes::EMPTY;
        let count = self.buffers.cell_kind[0];
        self.buffers.cells[last * count..(last + 1) * count].fill(NONE);
        self.nodes[node].counts[lane] -= 1;
        if self.nodes[node].counts[lane] == 0 {
            self.remove_lane(node, lane);
        } else {
            let union =
                self.entries[range.start..last].iter().fold(Lanes::EMPTY, |all, entry| all.merged(entry));
            self.nodes[node].set_bounds(lane, &union);
            self.fit_above(node);
        }
    }

    /// Exchanges two entries of a leaf; the number of the second is being removed.
    fn swap_entries(&mut self, slot: usize, last: usize) {
        if slot == last {
            return;
        }
        self.entries.swap(slot, last);
        self.ids.swap(slot, last);
        let count = self.buffers.cell_kind[0];
        for k in 0..count {
            self.buffers.cells.swap(slot * count + k, last * count + k);
        }
        self.links.slots[self.ids[slot] as usize] = slot as u32;
    }

    /// Removes a child without entries, and the nodes above that have no other.
    fn remove_lane(&mut self, mut node: usize, mut lane: usize) {
        loop {
            let last = self.nodes[node].len as usize - 1;
            let moved = self.nodes[node].child(last);
            let bounds = self.nodes[node].bounds(last);
            let of_node = &mut self.nodes[node];
            of_node.first[lane] = moved.first;
            of_node.counts[lane] = of_node.counts[last];
            of_node.set_bounds(lane, &bounds);
            of_node.set_bounds(last, &Lanes::EMPTY);
            (of_node.first[last], of_node.counts[last]) = (0, 0);
            of_node.len -= 1;
            if lane != last {
                self.set_place(moved, (node * WIDTH + lane) as u32);
            }
            let above = self.links.parents[node];
            if self.nodes[node].len > 0 || above == NONE {
                break;
            }
            (node, lane) = split(above);
        }
        self.fit_above(node);
    }

    /// Sets where a child is.
    fn set_place(&mut self, child: crate::tree::Child, place: u32) {
        if child.is_leaf() {
            self.links.leaves[child.range()].fill(place);
        } else {
            self.links.parents[child.first as usize] = place;
        }
    }

    /// Fits the boxes on the way from a node up.
    fn fit_above(&mut self, mut node: usize) {
        while self.links.parents[node] != NONE {
            let union = self.nodes[node].union();
            let (above, lane) = split(self.links.parents[node]);
            if self.nodes[above].bounds(lane) == union {
                break;
            }
            self.nodes[above].set_bounds(lane, &union);
            node = above;
        }
    }

    /// Adds an entry where it enlarges the tree least; false if the tree would become too deep.
    fn add_entry(&mut self, number: u32, entry: Lanes) -> bool {
        let slot = self.entries.len() as u32;
        self.entries.push(entry);
        self.ids.push(number);
        self.links.slots.push(slot);
        self.links.leaves.push(NONE);
        let mut node = 0;
        for _ in 0..MAXIMUM_DEPTH - 1 {
            let growth = |lane: usize| {
                let bounds = self.nodes[node].bounds(lane);
                bounds.merged(&entry).half_area() - bounds.half_area()
            };
            let lanes = self.nodes[node].len as usize;
            let best = (0..lanes).min_by(|&a, &b| growth(a).total_cmp(&growth(b)));
            let inner = best.filter(|&lane| !self.nodes[node].child(lane).is_leaf());
            if let Some(lane) = inner {
                let bounds = self.nodes[node].bounds(lane).merged(&entry);
                self.nodes[node].set_bounds(lane, &bounds);
                node = self.nodes[node].first[lane] as usize;
                continue;
            }
            let leaf = (slot, entry);
            match best {
                Some(lane) if lanes == WIDTH => self.divide(node, lane, leaf),
                _ => self.attach(node, leaf),
            }
            return true;
        }
        false
    }

    /// Adds a leaf of one entry to a node with a free lane.
    fn attach(&mut self, node: usize, (slot, entry): (u32, Lanes)) {
        let of_node = &mut self.nodes[node];
        let lane = of_node.len as usize;
        (of_node.first[lane], of_node.counts[lane]) = (slot, 1);
        of_node.set_bounds(lane, &entry);
        of_node.len += 1;
        self.links.leaves[slot as usize] = (node * WIDTH + lane) as u32;
    }

    /// Puts a node over a leaf and a new one.
    fn divide(&mut self, node: usize, lane: usize, leaf: (u32, Lanes)) {
        let (old, bounds) = (self.nodes[node].child(lane), self.nodes[node].bounds(lane));
        let index = self.nodes.len();
        let mut below = Node::EMPTY;
        (below.first[0], below.counts[0], below.len) = (old.first, old.count as u8, 1);
        below.set_bounds(0, &bounds);
        self.nodes.push(below);
        self.links.parents.push((node * WIDTH + lane) as u32);
        self.set_place(old, (index * WIDTH) as u32);
        self.attach(index, leaf);
        let of_node = &mut self.nodes[node];
        (of_node.first[lane], of_node.counts[lane]) = (index as u32, 0);
        of_node.set_bounds(lane, &bounds.merged(&leaf.1));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::Sample;
    use palpate_math::Point;
    use palpate_math::nearest::point_triangle_distance_squared;

    /// Cells in random places, some in groups.
    fn cells(sample: &mut Sample, count: u32) -> (Vec<[u32; 3]>, Vec<Point>) {
        let positions: Vec<Point> = (0..3 * count)
            .map(|k| Point::from(sample.vector() * if k % 2 == 0 { 1.0 } else { 0.2 }))
            .collect();
        ((0..count).map(|k| [3 * k, 3 * k + 1, 3 * k + 2]).collect(), positions)
    }

    fn found(tree: &Bvh, query: &Aabb) -> Vec<u32> {
        let mut found = Vec::new();
        tree.overlap(query, |id| found.push(id));
        found.sort_unstable();
        found
    }

    /// Every box is that of what is below it, and every node precedes its children.
    fn check_boxes(tree: &Bvh) {
        for (index, node) in tree.nodes.iter().enumerate() {
            for lane in 0..node.len as usize {
                let (child, bounds) = (node.child(lane), node.bounds(lane));
                if child.is_leaf() {
                    let entries = &tree.entries[child.range()];
                    assert_eq!(entries.iter().fold(Lanes::EMPTY, |all, entry| all.merged(entry)), bounds);
                } else {
                    assert!(child.first as usize > index);
                    assert_eq!(tree.nodes[child.first as usize].union(), bounds);
                }
            }
        }
    }

    /// Removed and added at random, refitted and rebuilt in between: the same as by brute force, but for what touches in
    /// single precision only.
    #[test]
    fn a_cut_tree_reports_what_is_left() {
        let mut sample = Sample::new(91);
        let (mut hits, mut within) = (0, 0);
        for count in [1, 4, 5, 40, 700] {
            let (mut ids, mut positions) = cells(&mut sample, count);
            let mut tree = Bvh::default();
            tree.rebuild_cells(&Cells { ids: &ids, positions: [&positions] });
            for round in 0..30 {
                let pick = |sample: &mut Sample| ((sample.number() + 1.0) * 0.5 * ids.len() as f64) as u32;
                let removed: Vec<u32> = (0..1 + count / 20).map(|_| pick(&mut sample)).collect();
                tree.remove_cells(&removed);
                for number in removed {
                    ids[number as usize] = [u32::MAX; 3];
                }
                if round % 3 == 1 {
                    let first = positions.len() as u32;
                    positions.extend((0..6).map(|_| Point::from(sample.vector() * 1.3)));
                    ids.extend([[first, first + 1, first + 2], [first + 3, first + 4, first + 5]]);
                    if !tree.add_cells(&Cells { ids: &ids, positions: [&positions] }) {
                        tree.rebuild_cells_fast(&Cells { ids: &ids, positions: [&positions] });
                    }
                }
                let cells = |positions| Cells { ids: &ids, positions: [positions] };
                match round % 7 {
                    2 => {
                        positions.iter_mut().for_each(|position| *position += sample.vector() * 0.05);
                        tree.refit_cells(&cells(&positions));
                    }
                    4 => tree.rebuild_cells(&cells(&positions)),
                    6 => tree.rebuild_cells_fast(&cells(&positions)),
                    _ => {}
                }
                assert_eq!(tree.len(), ids.len());
                let bounds = |ids: &[u32; 3]| Aabb::from_points(ids.map(|id| positions[id as usize]));
                let is_left = |ids: &[u32; 3]| ids[0] != u32::MAX;
                for _ in 0..20 {
                    let query = sample.cuboid(0.5);
                    let reported = found(&tree, &query);
                    for (number, ids) in (0..).zip(&ids) {
                        let is_reported = reported.binary_search(&number).is_ok();
                        let overlaps = |grown: f64| is_left(ids) && bounds(ids).grown(grown).overlaps(&query);
                        assert!(is_reported || !overlaps(0.0), "{count} {round}: {number} is missing");
                        assert!(!is_reported || overlaps(1e-5), "{count} {round}: {number} is no hit");
                    }
                    hits += reported.len();
                    let point = query.min;
                    let distance = |id: u32| {
                        let [a, b, c] = ids[id as usize].map(|id| positions[id as usize]);
                        point_triangle_distance_squared(&point, &a, &b, &c)
                    };
                    let all = (0..ids.len() as u32).filter(|&id| is_left(&ids[id as usize]));
                    let nearest = all
                        .map(|id| (id, distance(id)))
                        .min_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0)));
                    assert_eq!(tree.nearest(&point, f64::INFINITY, distance), nearest, "{count} {round}");
                    let radius = 0.3 + 0.3 * sample.number();
                    let mut visits = vec![None; ids.len()];
                    tree.in_ball(&point, radius, |id, is_certain| {
                        assert_eq!(visits[id as usize].replace(is_certain), None);
                    });
                    for (number, (visit, ids)) in (0..).zip(visits.into_iter().zip(&ids)) {
                        let is_within = is_left(ids) && distance(number) <= radius * radius;
                        assert!(visit.is_some() || !is_within, "{count} {round}: {number} is missing");
                        assert!(is_within || visit != Some(true), "{count} {round}: {number} is not within");
                        within += usize::from(visit == Some(true));
                    }
                }
                check_boxes(&tree);
            }
        }
        assert!(hits > 5_000 && within > 5_000, "{hits} hits, {within} within");
    }

    /// Added triangles that reach far beyond the others, with their closest points near one another: either the tree is left
    /// to be rebuilt, or it finds the closest.
    #[test]
    fn triangles_that_reach_far_out_are_told_apart() {
        let mut sample = Sample::new(93);
        let (mut rebuilt, mut kept) = (0, 0);
        for round in 0..200 {
            let reach = [1.5, 30.0, 1e3, 1e5][round % 4];
            let (mut ids, mut positions) = cells(&mut sample, 20);
            let place = Point::from(sample.vector() * 2.0);
            let first = positions.len() as u32;
            let added = (0..12).flat_map(|_| {
                let along = [0; 2].map(|_| sample.vector() * reach);
                [place - along[0], place + along[0], place + along[1]]
            });
            let added: Vec<Point> = added.collect();
            // The vertices may be there before, in use by no cell.
            let is_there = round / 4 % 2 == 0;
            if is_there {
                positions.extend(&added);
            }
            let mut tree = Bvh::default();
            tree.rebuild_cells(&Cells { ids: &ids, positions: [&positions] });
            if !is_there {
                positions.extend(&added);
            }
            ids.extend((0..12).map(|k| [0, 1, 2].map(|corner| first + 3 * k + corner)));
            let cells = Cells { ids: &ids, positions: [&positions] };
            if tree.add_cells(&cells) {
                kept += 1;
            } else {
                tree.rebuild_cells_fast(&cells);
                rebuilt += 1;
            }
            for _ in 0..40 {
                let point = place + sample.vector() * 1e-3;
                let distance = |id: u32| {
                    let [a, b, c] = ids[id as usize].map(|id| positions[id as usize]);
                    point_triangle_distance_squared(&point, &a, &b, &c)
                };
                let all = (0..ids.len() as u32).map(|id| (id, distance(id)));
                let nearest = all.min_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0)));
                assert_eq!(tree.nearest(&point, f64::INFINITY, distance), nearest, "{round} {reach}");
            }
        }
        assert!(rebuilt > 100 && kept > 20, "{rebuilt} {kept}");
    }

    #[test]
    fn a_tree_without_any_cell_left_reports_nothing() {
        let (ids, positions) = cells(&mut Sample::new(92), 20);
        let mut tree = Bvh::default();
        tree.rebuild_cells(&Cells { ids: &ids, positions: [&positions] });
        tree.remove_cells(&(0..20).collect::<Vec<u32>>());
        assert!(found(&tree, &Aabb::ALL).is_empty());
        assert_eq!(tree.nearest(&Point::origin(), f64::INFINITY, |_| 0.0), None);
        let mut pairs = 0;
        tree.self_overlap(|_, _| pairs += 1);
        tree.overlap_pairs(&tree, |_, _| pairs += 1);
        assert_eq!(pairs, 0);
        tree.refit_cells(&Cells { ids: &ids, positions: [&positions] });
        assert!(found(&tree, &Aabb::ALL).is_empty());
    }
}
