"""Bodies in many worlds that palpate keeps apart: rows from contacts, a solver in numpy, and continuous detection with the last word."""

from __future__ import annotations

import numpy as np

ITERATIONS = 15
DETECTIONS = 4  # at most, in a step


def product(p, q):
    """Products of quaternions, n × 4."""
    w, v, u, s = p[:, :1], p[:, 1:], q[:, 1:], q[:, :1]
    return np.hstack([w * s - (v * u).sum(axis=1, keepdims=True), w * u + s * v + np.cross(v, u)])


def turned(turn, vectors):
    """Vectors, n × 3, turned by quaternions, n × 4."""
    t = 2 * np.cross(turn[:, 1:], vectors)
    return vectors + turn[:, :1] * t + np.cross(turn[:, 1:], t)


def turn_of(rotation):
    """The quaternions of rotation vectors, n × 3."""
    angle = np.linalg.norm(rotation, axis=1, keepdims=True)
    return np.hstack([np.cos(angle / 2), 0.5 * np.sinc(angle / 2 / np.pi) * rotation])


def twist(before, after):
    """The angles round z between quaternions, n × 4."""
    turn = product(after, before * [1, -1, -1, -1])
    angle = 2 * np.arctan2(turn[:, 3], turn[:, 0])
    return (angle + np.pi) % (2 * np.pi) - np.pi


def deepest_of_slots(slot, depth, count):
    """The slots that have a contact, and of each the number of the deepest one."""
    order = np.lexsort((-depth, slot))
    slots, first = np.unique(slot[order], return_index=True)
    assert len(slots) == 0 or slots[-1] < count
    return slots, order[first]


class Stepped:
    """n worlds with the same bodies. A subclass has ``places`` (n × anything), ``velocities`` (n × degrees of freedom) and says:

    ``moved(which, ways)``: the places of some worlds after displacements. ``states(ids, places)``: the states of ``batch.Worlds``.
    ``rows(found, places)``: jacobian, n × rows × freedoms, the same times the inverse masses, and gaps, n × rows, infinite without a row.
    ``near``, ``motion``: worlds with static detection and a margin, and with continuous detection, each with its ids. ``kept``: the gap that rows keep, so
    that continuous detection, which keeps 0, mostly finds nothing. ``gravity``: an acceleration of each freedom.
    """

    def __init__(self, step_length, kept, is_held, gravity=0.0):
        self.step_length, self.kept, self.is_held, self.gravity = step_length, kept, is_held, gravity
        self.again, self.stopped = 0, 0

    def step(self):
        """One step: rows where the motion leads, a solution, and proof that the way there is free; where it is not, rows again where the
        free part of the way ends. A world for which that fails stays where it is."""
        step = self.step_length
        free = self.velocities + step * self.gravity
        ways, places, left = self.velocities * step, self.places.copy(), np.arange(len(self.places))
        for _ in range(DETECTIONS if self.is_held else 1):
            place, found = self.near_contacts(left, ways)
            self.velocities[left] = self.solved(found, place, free[left], ways[left] / step)
            ways[left] = self.velocities[left] * step
            wanted = self.moved(left, ways[left])
            first = self.impacts(left, wanted) if self.is_held else np.ones(len(left))
            places[left[first == 1]] = wanted[first == 1]
            ways[left] *= 0.999 * first[:, None]
            left = left[first < 1]
            if len(left) == 0:
                break
            self.again += len(left)
        self.velocities[left] = 0
        self.stopped += len(left)
        self.places = places

    def near_contacts(self, which, ways):
        """Where ways lead, and the contacts there. Deep ones may point out on the wrong side: the way then ends at its first impact."""
        worlds, ids = self.near
        place = self.moved(which, ways[which])
        found = worlds.step(self.states(ids, place))
        deep = np.unique(found.query_of_contact()[found.contacts.depth > 0] // worlds.pairs)
        if self.is_held and len(deep):
            ways[which[deep]] *= 0.999 * self.impacts(which[deep], place[deep])[:, None]
            place = self.moved(which, ways[which])
            found = worlds.step(self.states(ids, place))
        return place, found

    def impacts(self, which, wanted):
        """The first impact of each motion as a part of it; 1 without one."""
        worlds, ids = self.motion
        found = worlds.step(self.states(ids, wanted), self.states(ids, self.places[which]))
        first = np.ones(len(which))
        np.minimum.at(first, found.query_of_contact() // worlds.pairs, found.contacts.time_of_impact)
        return first

    def solved(self, found, places, velocities, placed):
        """Velocities that keep the gaps, by projected Gauss–Seidel on normal impulses without friction; all worlds at once, row after
        row. The contacts were found at places to which the velocities ``placed`` lead."""
        jacobian, answers, gaps = self.rows(found, places)
        matrix = np.einsum("wki,wli->wkl", jacobian, answers)
        target = np.maximum(self.kept - gaps, -1.0) / self.step_length
        residual = np.einsum("wki,wi->wk", jacobian, velocities - placed) - target
        diagonal = np.maximum(np.einsum("wkk->wk", matrix), 1e-30)
        impulses, used = np.zeros(gaps.shape), np.flatnonzero(np.isfinite(gaps).any(axis=0))
        for _ in range(ITERATIONS):
            for row in used:
                new = np.maximum(impulses[:, row] - residual[:, row] / diagonal[:, row], 0)
                residual += matrix[:, :, row] * (new - impulses[:, row])[:, None]
                impulses[:, row] = new
        return velocities + np.einsum("wk,wki->wi", impulses, answers)
