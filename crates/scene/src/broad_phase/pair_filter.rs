//! Box test of all pairs, one by one or through a tree.
//!
//! A pair is near if the boxes of its two geometries are no farther apart than its margin along every axis. Boxes are
//! swept over the step and widened by a bound of the rounding error, so that a pair that is not near has no contact,
//! not even one reported because of rounding.

use super::Link;
use super::link_tree::{Candidate, LinkTree};
use palpate_math::Aabb;

/// Number of pairs per geometry from which on the tree is faster than testing every pair (measured, see
/// `times_of_list_and_tree` in the tests); below it updating the tree costs more than it saves.
const TREE_FROM_PAIRS_PER_GEOMETRY: usize = 16;

/// The pairs of groups, as the broad phase sees them.
pub(crate) struct GroupLinks<M> {
    pub(crate) widest_margin: f64,
    /// The margin of two geometries, the lower number first; `None` if they are not a pair.
    pub(crate) margin: M,
}

/// The boxes of all geometries and the pairs between them.
#[derive(Default)]
pub(crate) struct BroadPhase {
    links: Vec<Link>,
    boxes: Vec<Aabb>,
    near: Vec<usize>,
    /// The near pairs of groups, by the numbers of their geometries, ascending.
    near_of_groups: Vec<(u32, u32)>,
    tree: LinkTree,
}

impl BroadPhase {
    /// Appends a pair.
    pub(crate) fn push(&mut self, link: Link) {
        self.links.push(link);
        self.tree.forget_links();
    }

    /// Removes the pair at index `place`; the indices of later pairs decrease by one.
    pub(crate) fn remove(&mut self, place: usize) {
        self.links.remove(place);
        self.tree.forget_links();
    }

    /// Changes the margin of the pair at index `place`.
    pub(crate) fn set_margin(&mut self, place: usize, margin: f64) {
        self.links[place].margin = margin;
        self.tree.forget_links();
    }

    /// Finds the pairs that are near, given the boxes of all geometries in the order of their ids.
    pub(crate) fn update<M: Fn(u32, u32) -> Option<f64>>(
        &mut self,
        bounds: impl Iterator<Item = Aabb>,
        groups: Option<GroupLinks<M>>,
    ) {
        self.boxes.clear();
        self.boxes.extend(bounds.map(|bounds| bounds.padded()));
        self.near_of_groups.clear();
        let are_many = self.links.len() >= TREE_FROM_PAIRS_PER_GEOMETRY * self.boxes.len();
        if groups.is_some() || are_many {
            self.by_tree(groups.as_ref());
        } else {
            self.one_by_one();
        }
    }

    /// The pairs of groups that are near, by the numbers of their geometries, ascending.
    pub(crate) fn near_of_groups(&self) -> &[(u32, u32)] {
        &self.near_of_groups
    }

    /// The indices of the near pairs, ascending.
    pub(crate) fn near(&self) -> &[usize] {
        &self.near
    }

    fn one_by_one(&mut self) {
        self.near.clear();
        let links = self.links.iter().enumerate();
        self.near.extend(links.filter(|(_, link)| is_near(link, &self.boxes)).map(|(place, _)| place));
    }

    fn by_tree<M: Fn(u32, u32) -> Option<f64>>(&mut self, groups: Option<&GroupLinks<M>>) {
        self.near.clear();
        let (links, boxes, near) = (&self.links, &self.boxes, &mut self.near);
        let of_groups = &mut self.near_of_groups;
        let widest = groups.map_or(0.0, |groups| groups.widest_margin);
        self.tree.candidates(links, boxes, (groups.is_some(), widest), |candidate| match candidate {
            Candidate::Link(place) if is_near(&links[place], boxes) => near.push(place),
            Candidate::Link(_) => {}
            Candidate::Members(low, high) => {
                let margin = groups.and_then(|groups| (groups.margin)(low, high));
                if margin.is_some_and(|margin| is_near(&Link { a: low, b: high, margin }, boxes)) {
                    of_groups.push((low, high));
                }
            }
        });
        near.sort_unstable();
        of_groups.sort_unstable();
    }
}

/// The final test, independent of how the pair was found.
fn is_near(link: &Link, boxes: &[Aabb]) -> bool {
    let (a, b) = (&boxes[link.a as usize], &boxes[link.b as usize]);
    a.grown(link.margin).overlaps(b)
}

#[cfg(test)]
mod tests {
    use super::*;
    use palpate_math::Point;
    use rand::{Rng, RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    type Margin = fn(u32, u32) -> Option<f64>;

    const NO_GROUPS: Option<GroupLinks<Margin>> = None;

    fn by_tree(broad_phase: &mut BroadPhase) {
        broad_phase.by_tree(NO_GROUPS.as_ref());
    }

    fn cube(center: [f64; 3], half: f64) -> Aabb {
        Aabb::from_point(Point::from(center)).grown(half)
    }

    fn random_cubes(rng: &mut impl Rng, count: usize, spread: f64, half: f64) -> Vec<Aabb> {
        let mut coordinate = || rng.random_range(-spread..spread);
        (0..count).map(|_| cube([coordinate(), coordinate(), coordinate()], half)).collect()
    }

    /// Widens every box and applies every margin explicitly: the distance along each axis.
    fn brute_force(links: &[Link], boxes: &[Aabb]) -> Vec<usize> {
        let is_near = |link: &Link| {
            let (a, b) = (&boxes[link.a as usize], &boxes[link.b as usize]);
            let gap = |axis: usize| (a.min[axis] - b.max[axis]).max(b.min[axis] - a.max[axis]);
            !a.is_empty() && !b.is_empty() && (0..3).all(|axis| gap(axis) <= link.margin)
        };
        (0..links.len()).filter(|&place| is_near(&links[place])).collect()
    }

    fn with_links(links: &[Link]) -> BroadPhase {
        let mut broad_phase = BroadPhase::default();
        links.iter().for_each(|&link| broad_phase.push(link));
        broad_phase
    }

    fn random_links(rng: &mut impl Rng, geometries: u32, count: usize) -> Vec<Link> {
        let margins = [0.0, 0.0, 0.05, 0.3];
        let mut link = || Link {
            a: rng.random_range(0..geometries),
            b: rng.random_range(0..geometries),
            margin: margins[rng.random_range(0..margins.len())],
        };
        (0..count).map(|_| link()).collect()
    }

    #[test]
    fn list_and_tree_agree_with_brute_force_while_boxes_move() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let (mut near, mut apart) = (0, 0);
        for round in 0..40 {
            let count = rng.random_range(2..60);
            let count_links = rng.random_range(0..400);
            let links = random_links(&mut rng, count, count_links);
            let mut broad_phase = with_links(&links);
            for step in 0..4 {
                let mut boxes = random_cubes(&mut rng, count as usize, 1.0, 0.1);
                // Occasionally a plane, and a mesh without vertices: their boxes are not in the tree.
                if round % 2 == 0 {
                    boxes[step % count as usize] = Aabb::ALL;
                    boxes[(step + 1) % count as usize] = Aabb::EMPTY;
                }
                let wanted = brute_force(&links, &boxes);
                near += wanted.len();
                apart += links.len() - wanted.len();
                broad_phase.boxes.clone_from(&boxes);
                broad_phase.one_by_one();
                assert_eq!(broad_phase.near(), wanted, "one by one");
                by_tree(&mut broad_phase);
                assert_eq!(broad_phase.near(), wanted, "by tree");
            }
        }
        assert!(near > 2000 && apart > 10_000, "near {near}, apart {apart}");
    }

    #[test]
    fn added_and_removed_pairs_are_tracked() {
        let mut rng = ChaCha8Rng::seed_from_u64(2);
        let mut links = random_links(&mut rng, 20, 300);
        let mut broad_phase = with_links(&links);
        broad_phase.boxes = random_cubes(&mut rng, 20, 0.6, 0.1);
        for round in 0..30 {
            by_tree(&mut broad_phase);
            assert_eq!(broad_phase.near(), brute_force(&links, &broad_phase.boxes));
            let place = rng.random_range(0..links.len());
            if round % 2 == 0 {
                links.remove(place);
                broad_phase.remove(place);
            } else {
                links[place].margin = 10.0;
                broad_phase.set_margin(place, 10.0);
            }
        }
    }

    #[test]
    fn the_pair_count_selects_the_method_and_not_the_result() {
        let boxes = [cube([0.0; 3], 1.0), cube([1.5, 0.0, 0.0], 1.0), cube([9.0, 0.0, 0.0], 1.0)];
        for count in [1, 3 * TREE_FROM_PAIRS_PER_GEOMETRY] {
            let links = [[0, 1], [1, 2], [0, 0]].map(|[a, b]| Link { a, b, margin: 0.0 });
            let links: Vec<_> = links.into_iter().cycle().take(3 * count).collect();
            let mut broad_phase = with_links(&links);
            broad_phase.update(boxes.into_iter(), NO_GROUPS);
            let wanted: Vec<_> = (0..3 * count).filter(|place| place % 3 != 1).collect();
            assert_eq!(broad_phase.near(), wanted);
        }
    }

    #[test]
    fn pairs_within_rounding_error_are_near() {
        for unit in [2f64.powi(-30), 1.0, 2f64.powi(30)] {
            let a = Aabb { min: Point::from([-2.0 * unit; 3]), max: Point::from([0.0; 3]) };
            let near_at = |gap: f64, margin: f64| {
                let mut broad_phase = with_links(&[Link { a: 0, b: 1, margin: margin * unit }]);
                let b = Aabb { min: Point::from([gap * unit; 3]), max: Point::from([2.0 * unit; 3]) };
                broad_phase.update([a, b].into_iter(), NO_GROUPS);
                !broad_phase.near().is_empty()
            };
            // 1 + (1 + gap) rounds to 2: two unit spheres with this gap are reported as touching.
            assert!(near_at(f64::EPSILON, 0.0));
            assert!(!near_at(1e-9, 0.0));
            assert!(near_at(0.5, 0.5) && !near_at(0.5 + 1e-9, 0.5));
        }
    }

    #[test]
    fn a_nan_box_never_culls_a_pair() {
        let faulty = Aabb { min: Point::new(0.0, f64::NAN, 0.0), max: Point::from([1.0; 3]) };
        let mut broad_phase = with_links(&[Link { a: 0, b: 1, margin: 0.0 }]);
        broad_phase.update([faulty, cube([50.0; 3], 1.0)].into_iter(), NO_GROUPS);
        assert_eq!(broad_phase.near(), [0]);
    }

    #[test]
    #[ignore = "prints times, asserts none"]
    fn times_of_list_and_tree() {
        let mut rng = ChaCha8Rng::seed_from_u64(3);
        for (count, pairs_each) in [
            (16, 4),
            (16, 7),
            (64, 8),
            (64, 16),
            (64, 31),
            (256, 16),
            (256, 32),
            (256, 127),
            (1024, 64),
            (1024, 500),
        ] {
            let links: Vec<_> = (0..count * pairs_each)
                .map(|n| Link { a: n % count, b: (n % count + n / count + 1) % count, margin: 0.01 })
                .collect();
            let mut broad_phase = with_links(&links);
            let spread = 0.2 * f64::from(count).cbrt();
            let time = |way: fn(&mut BroadPhase), broad_phase: &mut BroadPhase, rng: &mut ChaCha8Rng| {
                let (mut best, mut near) = (f64::INFINITY, 0);
                for _ in 0..50 {
                    broad_phase.boxes = random_cubes(rng, count as usize, spread, 0.1);
                    let start = std::time::Instant::now();
                    way(broad_phase);
                    best = best.min(start.elapsed().as_secs_f64());
                    near = broad_phase.near().len();
                }
                (best * 1e6, near)
            };
            let (single, _) = time(BroadPhase::one_by_one, &mut broad_phase, &mut rng);
            let (tree, near) = time(by_tree, &mut broad_phase, &mut rng);
            println!(
                "{count} geometries, {} pairs, {near} near: {single:.1} us, tree {tree:.1} us",
                links.len()
            );
        }
    }
}
