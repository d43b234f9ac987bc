//! A binary heap of facets, least bound first.

/// Facets by bound, least first; the order of equal bounds depends only on the pushes and pops.
#[derive(Clone, Debug, Default)]
pub(crate) struct Queue {
    heap: Vec<(f64, u32)>,
}

impl Queue {
    pub(crate) fn clear(&mut self) {
        self.heap.clear();
    }

    #[cfg(test)]
    pub(crate) fn room(&self) -> usize {
        self.heap.capacity()
    }

    /// Makes room for so many facets.
    pub(crate) fn make_room(&mut self, facets: usize) {
        reserve(&mut self.heap, facets);
    }

    #[inline(always)]
    pub(crate) fn push(&mut self, bound: f64, facet: u32) {
        self.heap.push((bound, facet));
        let heap = &mut self.heap[..];
        let mut at = heap.len() - 1;
        while at > 0 {
            let parent = (at - 1) / 2;
            if heap[parent].0 <= bound {
                break;
            }
            heap[at] = heap[parent];
            at = parent;
        }
        heap[at] = (bound, facet);
    }

    #[inline(always)]
    pub(crate) fn pop(&mut self) -> Option<(f64, u32)> {
        let last = self.heap.pop()?;
        let heap = &mut self.heap[..];
        let Some(&first) = heap.first() else {
            return Some(last);
        };
        let mut at = 0;
        loop {
            let mut child = 2 * at + 1;
            if child + 1 < heap.len() {
                child += usize::from(heap[child + 1].0 < heap[child].0);
            } else if child >= heap.len() {
                break;
            }
            if heap[child].0 >= last.0 {
                break;
            }
            heap[at] = heap[child];
            at = child;
        }
        heap[at] = last;
        Some(first)
    }
}

/// Makes room for so many entries in all.
pub(super) fn reserve<T>(list: &mut Vec<T>, entries: usize) {
    list.reserve_exact(entries.saturating_sub(list.len()));
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    #[test]
    fn facets_come_out_least_bound_first() {
        let mut random = ChaCha8Rng::seed_from_u64(1);
        let mut queue = Queue::default();
        let bounds: Vec<f64> = (0..500).map(|_| f64::from(random.random_range(0..100))).collect();
        for (facet, &bound) in bounds.iter().enumerate() {
            queue.push(bound, facet as u32);
        }
        let out: Vec<f64> =
            std::iter::from_fn(|| queue.pop()).map(|(_, facet)| bounds[facet as usize]).collect();
        assert_eq!(out.len(), bounds.len());
        assert!(out.is_sorted());
    }
}
