//! Search for overlapping pairs with a tree over the boxes of the geometries.

use super::Link;
use palpate_bvh::Bvh;
use palpate_math::Aabb;

/// A refitted tree is rebuilt once its queries cost this many times as much as when it was built.
const REBUILD_AT_WEAR: f64 = 2.0;

/// A pair whose boxes may overlap within the margin.
pub(crate) enum Candidate {
    /// The index of a link.
    Link(usize),
    /// The numbers of two geometries without a link, the lower first.
    Members(u32, u32),
}

/// A tree over the bounded boxes, and the pairs indexed by their two geometries. Buffers are reused: while geometries
/// and pairs stay the same, nothing is allocated.
#[derive(Default)]
pub(crate) struct LinkTree {
    /// The geometries in the tree, in leaf order: those with a bounded box.
    members: Vec<u32>,
    /// Their boxes, grown by half the largest margin.
    boxes: Vec<Aabb>,
    tree: Bvh,
    /// The links between two members: lower id, higher id, index of the link; ascending.
    by_ids: Vec<(u32, u32, usize)>,
    /// The indices of all other links: self-contact, or with an unbounded box.
    others: Vec<usize>,
    /// The geometries of `others`, the lower number first, ascending.
    linked: Vec<(u32, u32)>,
    widest_margin: f64,
    up_to_date: bool,
}

impl LinkTree {
    /// Marks the stored pairs as outdated.
    pub(crate) fn forget_links(&mut self) {
        self.up_to_date = false;
    }

    /// Visits the indices of all links whose boxes are within their margin, and possibly others; in unspecified order,
    /// each once. With `(true, margin)` also visits all other pairs of two geometries whose boxes are within the
    /// margin.
    pub(crate) fn candidates(
        &mut self,
        links: &[Link],
        boxes: &[Aabb],
        (all, margin): (bool, f64),
        mut visit: impl FnMut(Candidate),
    ) {
        let members = || (0..boxes.len() as u32).filter(|&id| is_bounded(&boxes[id as usize]));
        let same_members = members().eq(self.members.iter().copied());
        if !same_members {
            self.members.clear();
            self.members.extend(members());
        }
        if !same_members || !self.up_to_date {
            self.sort_links(links, boxes);
        }
        self.update_tree(boxes, same_members, self.widest_margin.max(margin));
        self.others.iter().for_each(|&place| visit(Candidate::Link(place)));
        self.tree.self_overlap(|first, second| {
            // Members ascend, so the lower leaf is the lower geometry.
            let (low, high) = (self.members[first as usize], self.members[second as usize]);
            let mut is_linked = false;
            for place in self.links_of(low, high) {
                is_linked = true;
                visit(Candidate::Link(place));
            }
            if all && !is_linked {
                visit(Candidate::Members(low, high));
            }
        });
        if all && self.members.len() < boxes.len() {
            self.with_unbounded(links, boxes, visit);
        }
    }

    /// Visits the pairs with an unbounded box that are not links.
    fn with_unbounded(&mut self, links: &[Link], boxes: &[Aabb], mut visit: impl FnMut(Candidate)) {
        let numbers = |place: usize| (links[place].a.min(links[place].b), links[place].a.max(links[place].b));
        self.linked.clear();
        self.linked.extend(self.others.iter().map(|&place| numbers(place)));
        self.linked.sort_unstable();
        for id in (0..boxes.len() as u32).filter(|&id| !is_bounded(&boxes[id as usize])) {
            for other in 0..boxes.len() as u32 {
                // Two unbounded boxes are visited once.
                let is_second = !is_bounded(&boxes[other as usize]) && other <= id;
                let pair = (id.min(other), id.max(other));
                if !is_second
                    && !boxes[other as usize].is_empty()
                    && self.linked.binary_search(&pair).is_err()
                {
                    visit(Candidate::Members(pair.0, pair.1));
                }
            }
        }
    }

    fn sort_links(&mut self, links: &[Link], boxes: &[Aabb]) {
        self.by_ids.clear();
        self.others.clear();
        self.widest_margin = 0.0;
        for (place, link) in links.iter().enumerate() {
            let of_members = is_bounded(&boxes[link.a as usize]) && is_bounded(&boxes[link.b as usize]);
            if of_members && link.a != link.b {
                self.by_ids.push((link.a.min(link.b), link.a.max(link.b), place));
                self.widest_margin = self.widest_margin.max(link.margin);
            } else {
                self.others.push(place);
            }
        }
        self.by_ids.sort_unstable();
        self.up_to_date = true;
    }

    fn links_of(&self, low: u32, high: u32) -> impl Iterator<Item = usize> + '_ {
        let start = self.by_ids.partition_point(|&(a, b, _)| (a, b) < (low, high));
        let same = self.by_ids[start..].iter().take_while(move |&&(a, b, _)| (a, b) == (low, high));
        same.map(|&(_, _, place)| place)
    }

    /// Refits the tree, or rebuilds it if its members changed or its quality has decayed.
    fn update_tree(&mut self, boxes: &[Aabb], same_members: bool, widest_margin: f64) {
        let half = 0.5 * widest_margin;
        self.boxes.clear();
        self.boxes.extend(self.members.iter().map(|&id| boxes[id as usize].grown(half)));
        if same_members {
            self.tree.refit(&self.boxes);
        }
        if !same_members || self.tree.wear() > REBUILD_AT_WEAR {
            self.tree.rebuild(&self.boxes);
        }
    }
}

/// Whether the box can be in the tree. An empty box can, and overlaps nothing.
fn is_bounded(bounds: &Aabb) -> bool {
    bounds.is_empty() || bounds.min.iter().chain(bounds.max.iter()).all(|coordinate| coordinate.is_finite())
}
