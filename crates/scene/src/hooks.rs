//! Hooks into the step of a scene: events, and the filter of contacts.

use crate::events::EventLog;
use crate::{ContactFilter, Event, Scene};

impl Scene {
    /// Turns the [events](Self::events) on or off. The first step after they are turned on has an event for each of its
    /// contacts: all began.
    pub fn set_events(&mut self, is_on: bool) {
        self.event_log = EventLog::new(is_on);
    }

    /// The events of the last step that succeeded; none unless they are [turned on](Self::set_events). They are in the
    /// order of the pairs' ids; those of a pair first in the order of its contacts (began or persists), then in the order
    /// of the contacts of the step before (ended). A pair that is culled, removed, or has a geometry that was removed ends
    /// all its contacts in the next step; one with new settings compares with its last step.
    ///
    /// Cost: linear in the contacts of both steps, with a sort for pairs whose contacts change their order; settled steps
    /// do not allocate.
    pub fn events(&self) -> &[Event] {
        self.event_log.events()
    }

    /// Finds the events of the step that was just committed.
    pub(crate) fn find_events(&mut self) {
        if self.event_log.is_on {
            let active = self.active.iter().map(|&place| &self.pairs[place]);
            self.event_log.update(active.chain(&self.group_pairs.pairs));
        }
    }

    /// Sets the filter that every contact passes from the next step on, in the order of the pairs and of their contacts; `None`
    /// for none. What it drops is in no list, event, snapshot or count; the outcome and the flags of its pair stay.
    pub fn set_filter(&mut self, filter: Option<Box<dyn ContactFilter>>) {
        self.filter = filter;
    }
}
