//! Union-find.
//!
//! Source: R. E. Tarjan, "Efficiency of a Good But Not Linear Set Union Algorithm", JACM 22 (1975), with path halving.

/// Disjoint sets of the numbers 0 to n - 1, initially singletons. A set is represented by its lowest number.
#[derive(Clone, Debug)]
pub struct DisjointSets {
    parents: Vec<u32>,
}

impl DisjointSets {
    /// Makes `count` singletons.
    pub fn new(count: usize) -> Self {
        Self { parents: (0..count as u32).collect() }
    }

    /// Returns the lowest number in the set of `member`, one of the numbers.
    pub fn lowest(&mut self, member: u32) -> u32 {
        let mut member = member;
        while self.parents[member as usize] != member {
            let parent = self.parents[member as usize];
            self.parents[member as usize] = self.parents[parent as usize];
            member = parent;
        }
        member
    }

    /// Merges the sets of two numbers.
    pub fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.lowest(a), self.lowest(b));
        self.parents[a.max(b) as usize] = a.min(b);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joined_sets_have_one_lowest_member() {
        let mut sets = DisjointSets::new(6);
        sets.join(4, 5);
        sets.join(2, 5);
        sets.join(1, 0);
        assert_eq!([0, 1, 2, 3, 4, 5].map(|member| sets.lowest(member)), [0, 0, 2, 3, 2, 2]);
    }
}
