"""Compares the answers of two builds of `palpate detect` to the same cases.

    python3 compare_answers.py CASES.jsonl OLD.jsonl NEW.jsonl

Ids of contacts may differ, and contacts may be added beside those of the old answer; all else must be the same to the last bit.
What differs is listed by detector and kind of difference, with a count and an example's id. Exit status 1 where anything does.
"""

import collections
import json
import sys


def side(feature):
    """A side without the order of its vertices."""
    pairs = sorted(zip(feature.get("vertices", []), feature.get("weights", [])))
    return (feature["kind"], tuple(pairs), feature.get("cell"), feature.get("child"), tuple(feature["point"]))


def record(contact):
    """A contact without its id."""
    bounds = tuple(contact["depth_bounds"])
    return (side(contact["a"]), side(contact["b"]), tuple(contact["direction"]), contact["depth"], bounds)


def depth(answer):
    return max((contact["depth"] for contact in answer["contacts"]), default=None)


def numbers(contact):
    """A contact's elements, and its numbers."""
    a, b = contact["a"], contact["b"]
    elements = tuple((f["kind"], tuple(sorted(f.get("vertices", []))), f.get("cell"), f.get("child")) for f in (a, b))
    places = [*a["point"], *b["point"], contact["depth"], *contact["depth_bounds"]]
    return elements, places, contact["direction"]


def is_same_to_rounding(old, new):
    """Whether two answers have the same elements, and numbers that differ by a billionth at most."""
    if len(old) != len(new):
        return False
    left = [numbers(contact) for contact in new]
    size = max((abs(x) for _, places, _ in left for x in places), default=0.0)

    def is_near(one, other):
        places = all(abs(x - y) <= 1e-9 * size for x, y in zip(one[1], other[1]))
        return one[0] == other[0] and places and all(abs(x - y) <= 1e-6 for x, y in zip(one[2], other[2]))

    for contact in map(numbers, old):
        match = next((k for k, other in enumerate(left) if is_near(contact, other)), None)
        if match is None:
            return False
        left.pop(match)
    return True


def difference(old, new):
    """What differs between two answers, in a few words; None where nothing does."""
    if ("error" in old) != ("error" in new):
        return "an error comes or goes"
    if "error" in old:
        return None if old["error"] == new["error"] else "another error"
    if old["detector"] != new["detector"]:
        return "another detector"
    if old.get("flags") != new.get("flags"):
        return "other flags"
    if bool(old["contacts"]) != bool(new["contacts"]):
        return "contacts come or go"
    kept = collections.Counter(map(record, new["contacts"]))
    lost = collections.Counter(map(record, old["contacts"])) - kept
    if not lost:
        return None
    if is_same_to_rounding(old["contacts"], new["contacts"]):
        return "the same to rounding"
    if depth(old) != depth(new):
        near = abs(depth(old) - depth(new)) <= 1e-9 * max(abs(depth(old)), abs(depth(new)))
        return "the deepest depth, by rounding" if near else "the deepest depth"
    if len(old["contacts"]) == len(new["contacts"]):
        return "as many contacts, as deep, others among them"
    return "as deep, other contacts"


def main():
    cases, old, new = (open(path) for path in sys.argv[1:4])
    found = collections.defaultdict(list)
    added = collections.Counter()
    count = 0
    for case, before, after in zip(cases, old, new, strict=True):
        name = json.loads(case).get("id")
        before, after = json.loads(before), json.loads(after)
        count += 1
        detector = after.get("detector") or before.get("detector") or "none"
        what = difference(before, after)
        if what:
            found[detector, what].append(name)
        elif len(after.get("contacts", [])) > len(before.get("contacts", [])):
            added[detector] += 1
    for detector, number in sorted(added.items()):
        print(f"{detector}: {number} answers with added contacts")
    for (detector, what), names in sorted(found.items()):
        print(f"{detector}: {len(names)} x {what}, as in {names[0]!r}")
    differing = sum(map(len, found.values()))
    print(f"{count} cases, {differing} differ")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
