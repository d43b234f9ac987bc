"""Closed meshes of a bolt and a nut with the thread of ISO 68-1, of two spur gears and of a bowl; metres, axes along z."""

from __future__ import annotations

import numpy as np

PITCH = 2.5e-3  # metres: M20, coarse
MAJOR = 10e-3  # metres: the radius over the crests of the bolt
HEIGHT = np.sqrt(0.75) * PITCH  # metres: H, the height of the sharp triangle of the profile
MINOR = MAJOR - 0.625 * HEIGHT  # metres: the radius at the bottom of the bolt's grooves
# Metres: how much larger the radius of the nut's thread is everywhere. The loosest fit of ISO 965 6H/6g has 0.424 mm in the diameter.
CLEARANCE = 0.2e-3
# Along the axis a nut with its axis on that of the bolt moves by as much in either direction, until the flanks of 60 degrees touch.
AXIAL_PLAY = CLEARANCE * np.tan(np.pi / 6)


def profile(rows, clearance=0.0):
    """The points of one pitch of the profile, n × 2: height and radius. Crest P/8, root P/4, flanks of 60 degrees between them, each divided
    in ``rows``. The next pitch goes on from the first point."""
    across = np.arange(rows) / rows
    half_crest, half_root = PITCH / 16, PITCH / 8
    flank = PITCH / 2 - half_crest - half_root
    down = np.column_stack([half_crest + flank * across, MAJOR + (MINOR - MAJOR) * across])
    up = np.column_stack([PITCH / 2 + half_root + flank * across, MINOR + (MAJOR - MINOR) * across])
    return np.concatenate([down, up]) + [0, clearance]


def thread(lower, upper, columns, rows, clearance=0.0):
    """The surface of a right-handed thread between two heights, open at both; a crest is at height 0 where the angle is 0. Normals outward.

    A vertex is a point of the profile at one of ``columns`` angles a turn, so that crests and roots are edges of the mesh."""
    shape = profile(rows, clearance)
    count = len(shape)
    first, last = (int(np.floor(lower / PITCH)) - 2) * count, (int(np.ceil(upper / PITCH)) + 2) * count
    number = np.arange(first, last)
    column = np.arange(columns)
    angle = 2 * np.pi * column / columns
    point = shape[number % count]
    height = (point[:, 0] + number // count * PITCH)[None, :] + PITCH * column[:, None] / columns
    vertices = np.stack(
        [point[None, :, 1] * np.cos(angle)[:, None], point[None, :, 1] * np.sin(angle)[:, None], height], axis=-1)
    a = column[:, None] * len(number) + np.arange(len(number) - count - 1)[None, :]
    # Behind the last column is the first, one pitch higher.
    b = np.where(column[:, None] + 1 < columns, a + len(number), a - column[:, None] * len(number) + count)
    cells = np.stack([np.stack([a, b, b + 1], -1), np.stack([a, b + 1, a + 1], -1)], axis=2).reshape(-1, 3)
    for side, plane in ((1.0, lower), (-1.0, upper)):
        vertices, cells = clipped(vertices.reshape(-1, 3), cells, side, plane)
    return vertices, cells


def clipped(vertices, cells, side, plane):
    """What of a mesh is above a height, or with ``side`` -1 below it. Vertices within a thousandth of the pitch are put onto the plane."""
    vertices = vertices.copy()
    vertices[np.abs(vertices[:, 2] - plane) < 1e-3 * PITCH, 2] = plane
    distance = side * (vertices[:, 2] - plane)
    new, made, kept = list(vertices), {}, []

    def cut(a, b):
        key = (min(a, b), max(a, b))
        if key not in made:
            share = distance[key[0]] / (distance[key[0]] - distance[key[1]])
            made[key] = len(new)
            new.append((1 - share) * vertices[key[0]] + share * vertices[key[1]])
            new[-1][2] = plane
        return made[key]

    straddles = (distance[cells].min(axis=1) < 0) & (distance[cells].max(axis=1) > 0)
    for cell in cells[straddles]:
        polygon = []
        for a, b in zip(cell, np.roll(cell, -1)):
            if distance[a] >= 0:
                polygon.append(a)
            if distance[a] * distance[b] < 0:
                polygon.append(cut(a, b))
        kept += [(polygon[0], polygon[k], polygon[k + 1]) for k in range(1, len(polygon) - 1)]
    whole = (distance[cells].min(axis=1) >= 0) & (distance[cells].max(axis=1) > 0)
    return compact(np.array(new), np.concatenate([cells[whole], np.array(kept, dtype=np.int64).reshape(-1, 3)]))


def compact(vertices, cells):
    used, cells = np.unique(cells, return_inverse=True)
    return vertices[used], cells.reshape(-1, 3)


def loop_at(vertices, height, first=0, last=None):
    """Of a range of vertices those at a height, by their angle."""
    at = first + np.flatnonzero(vertices[first:last, 2] == height)
    return at[np.argsort(np.arctan2(vertices[at, 1], vertices[at, 0]))]


def zipped(vertices, inner, outer, upward):
    """The triangles between two loops round the axis in one plane, each sorted by angle."""
    angles = [np.unwrap(np.arctan2(vertices[loop, 1], vertices[loop, 0])) for loop in (inner, outer)]
    cells, i, j = [], 0, 0
    while i < len(inner) or j < len(outer):
        next_i = angles[0][i + 1] if i + 1 < len(inner) else angles[0][0] + 2 * np.pi
        next_j = angles[1][j + 1] if j + 1 < len(outer) else angles[1][0] + 2 * np.pi
        a, b = inner[i % len(inner)], outer[j % len(outer)]
        if j == len(outer) or (i < len(inner) and next_i <= next_j):
            i += 1
            cells.append((a, b, inner[i % len(inner)]))
        else:
            j += 1
            cells.append((a, b, outer[j % len(outer)]))
    cells = np.array(cells)
    return cells if upward else cells[:, ::-1]


def fan(loop, middle, upward):
    cells = np.column_stack([loop, np.roll(loop, -1), np.full(len(loop), middle)])
    return cells if upward else cells[:, ::-1]


def bolt(length=30e-3, columns=64, rows=2):
    """A threaded rod from height 0 to ``length``: vertices and triangles."""
    vertices, cells = thread(0.0, length, columns, rows)
    lower, upper = loop_at(vertices, 0.0), loop_at(vertices, length)
    middle = len(vertices)
    vertices = np.concatenate([vertices, [[0, 0, 0], [0, 0, length]]])
    return vertices, np.concatenate([cells, fan(lower, middle, False), fan(upper, middle + 1, True)])


def nut(height=10e-3, columns=64, rows=2, flats=30e-3, clearance=CLEARANCE):
    """A hexagonal nut from height 0 to ``height`` that is on :func:`bolt` without contact when its axis is that of the bolt and its height is
    PITCH * angle / 2π."""
    vertices, cells = thread(0.0, height, columns, rows, clearance)
    cells = cells[:, ::-1]
    corner = flats / np.sqrt(3) * np.exp(1j * np.pi / 3 * np.arange(6))
    # Points on the sides, too: from corners alone triangles would reach across the hole.
    ring = (corner[:, None] + (np.roll(corner, -1) - corner)[:, None] * np.arange(10) / 10).ravel()
    ring = np.column_stack([ring.real, ring.imag])
    inner, parts, outer = len(vertices), [cells], []
    vertices = np.concatenate([vertices, *[np.column_stack([ring, np.full(len(ring), z)]) for z in (0.0, height)]])
    for z in (0.0, height):
        outer.append(loop_at(vertices, z, inner))
        parts.append(zipped(vertices, loop_at(vertices, z, 0, inner), outer[-1], z > 0))
    lower, upper = outer
    a, b = np.roll(lower, -1), np.roll(upper, -1)
    return vertices, np.concatenate([*parts, np.column_stack([lower, a, b]), np.column_stack([lower, b, upper])])


TEETH = 25
PITCH_RADIUS = 1.4  # metres, as the gear of MuJoCo's plugin; so are the other numbers
MODULE = 2 * PITCH_RADIUS / TEETH
PRESSURE_ANGLE = 0.4064
GEAR_MIDDLES = 0.0, 2.85  # metres: on the x axis; 0.05 more than two radii
GEAR_PHASES = 0.0, np.pi + np.pi / TEETH  # a tooth of the first in a gap of the second


def gear(half_width=0.1, flank=8, layers=5):
    """A spur gear with involute teeth round the z axis: vertices and triangles."""
    base, tip, root = PITCH_RADIUS * np.cos(PRESSURE_ANGLE), PITCH_RADIUS + MODULE, PITCH_RADIUS - 1.2 * MODULE
    radius = np.linspace(base, tip, flank)
    involute = np.tan(np.arccos(base / radius)) - np.arccos(base / radius)
    half = np.pi / (2 * TEETH) + np.tan(PRESSURE_ANGLE) - PRESSURE_ANGLE - involute
    # Not straight in to the root: a triangle of the cap would be flat.
    side = np.concatenate([[root], radius]), np.concatenate([[half[0] + 0.01], half])
    tooth = np.concatenate([side[0], side[0][::-1]]) * np.exp(1j * np.concatenate([-side[1], side[1][::-1]]))
    outline = (tooth[None, :] * np.exp(2j * np.pi * np.arange(TEETH) / TEETH)[:, None]).ravel()
    n, heights = len(outline), np.linspace(-half_width, half_width, layers)
    vertices = np.concatenate([np.column_stack([outline.real, outline.imag, np.full(n, z)]) for z in heights])
    loop, parts = np.arange(n), []
    for layer in range(layers - 1):
        a, b = layer * n + loop, layer * n + np.roll(loop, -1)
        parts += [np.column_stack([a, b, b + n]), np.column_stack([a, b + n, a + n])]
    middle = len(vertices)
    vertices = np.concatenate([vertices, [[0, 0, -half_width], [0, 0, half_width]]])
    parts += [fan(loop, middle, False), fan((layers - 1) * n + loop, middle + 1, True)]
    return vertices, np.concatenate(parts)


BOWL_RADIUS, BOWL_HEIGHT, BOWL_HALF_WALL = 1.0, 0.4, 0.02  # metres, as the bowl of MuJoCo's example


def bowl_distance(points):
    """The signed distance to a spherical shell round the origin that is open above a height, with a rounded rim."""
    across, up = np.hypot(points[:, 0], points[:, 1]), points[:, 2]
    width = np.sqrt(BOWL_RADIUS**2 - BOWL_HEIGHT**2)
    to_rim = np.hypot(across - width, up - BOWL_HEIGHT)
    to_sphere = np.abs(np.hypot(across, up) - BOWL_RADIUS)
    return np.where(BOWL_HEIGHT * across < width * up, to_rim, to_sphere) - BOWL_HALF_WALL
