"""Settings of detectors as dataclasses, made from the Rust library by ``make_settings.py``: do not edit.

A field that is ``None`` has the default of the detector, or of the alias by which it is named. What the detectors' defaults are is in
``docs/settings.md``.

>>> import palpate
>>> scene = palpate.Scene()
>>> boxes = [scene.add(name, palpate.oriented_box([1, 1, 1])) for name in "ab"]
>>> pair = scene.add_pair(*boxes, settings=palpate.settings.ManifoldSettings(manifold=False))
>>> scene.settings(pair)["manifold"], scene.step().contacts
(False, 1)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class ClosedSurfaceCapsuleSettings:
    """Settings of closed_surface_mesh_capsule."""

    #: Whether contacts on internal edges and vertices, where an adjacent triangle is closer to the body, are kept. `as_given`:
    #: ignored on closed surfaces and tetra meshes, on one-sided sheets by `surface_mesh_convex` alone; kept elsewhere. Ignore
    #: them on floors and organs that bodies slide over. `keep` also disables manifolds on flat patches.
    internal_edges: Literal["as_given", "ignore", "keep"] | None = None

    #: Whether a contact area is reported by several points (up to four, two for a capsule or a segment) or by one.
    manifold: bool | None = None


@dataclass(frozen=True)
class ClosedSurfaceMeshSettings:
    """Settings of closed_surface_mesh_surface_mesh."""

    #: Whether edges are tested beside vertices. Without them, bodies that cross with no vertex inside have no contact.
    edges: bool | None = None

    #: The surface whose vertices and edges are tested against the other.
    vertices: Literal["both", "first", "second"] | None = None


@dataclass(frozen=True)
class ConvexSettings:
    """Settings of convex_convex."""

    #: Whether the deepest points of up to four steps are kept as a persistent manifold. Contacts then depend on earlier steps.
    accumulate: bool | None = None

    #: How far the anchors of an accumulated point may separate, relative to the bounding radius of the smaller body.
    breaking: float | None = None

    #: Whether overlapping polyhedra start from the contact of the last step: faster, the same up to rounding.
    coherent: bool | None = None

    #: Whether a contact area is reported by several points (up to four, two for a capsule or a segment) or by one.
    manifold: bool | None = None

    #: The maximum gap between the certified bounds of a depth, relative to the size of the bodies; for curved and implicit
    #: bodies.
    tolerance: float | None = None


@dataclass(frozen=True)
class ImplicitManifoldSettings:
    """Settings of implicit_capsule, implicit_convex."""

    #: Whether a contact area is reported by several points (up to four, two for a capsule or a segment) or by one.
    manifold: bool | None = None

    #: The maximum gap between the certified bounds of a depth, relative to the size of the bodies; for curved and implicit
    #: bodies.
    tolerance: float | None = None


@dataclass(frozen=True)
class ImplicitPlaneSettings:
    """Settings of implicit_plane."""

    #: Sidedness of the surface or the plane. `as_given`: a closed surface is a solid, an open one a two-sided sheet, a plane
    #: as it was made. `one`: an open surface and a plane push to their front. `two`: pushes to the side on which the other
    #: body is.
    sides: Literal["as_given", "one", "two"] | None = None

    #: The maximum gap between the certified bounds of a depth, relative to the size of the bodies; for curved and implicit
    #: bodies.
    tolerance: float | None = None


@dataclass(frozen=True)
class ImplicitSettings:
    """Settings of implicit_line_mesh, implicit_surface_mesh, implicit_tetra_mesh, implicit_implicit."""

    #: The maximum gap between the certified bounds of a depth, relative to the size of the bodies; for curved and implicit
    #: bodies.
    tolerance: float | None = None


@dataclass(frozen=True)
class LineMeshConvexSettings:
    """Settings of line_mesh_convex."""

    #: Whether a contact area is reported by several points (up to four, two for a capsule or a segment) or by one.
    manifold: bool | None = None

    #: The maximum gap between the certified bounds of a depth, relative to the size of the bodies; for curved and implicit
    #: bodies.
    tolerance: float | None = None


@dataclass(frozen=True)
class ManifoldSettings:
    """Settings of capsule_capsule, capsule_oriented_box, oriented_box_oriented_box."""

    #: Whether a contact area is reported by several points (up to four, two for a capsule or a segment) or by one.
    manifold: bool | None = None


@dataclass(frozen=True)
class PlaneBodySettings:
    """Settings of plane_capsule, plane_cylinder, plane_oriented_box, plane_convex."""

    #: Whether a contact area is reported by several points (up to four, two for a capsule or a segment) or by one.
    manifold: bool | None = None

    #: Sidedness of the surface or the plane. `as_given`: a closed surface is a solid, an open one a two-sided sheet, a plane
    #: as it was made. `one`: an open surface and a plane push to their front. `two`: pushes to the side on which the other
    #: body is.
    sides: Literal["as_given", "one", "two"] | None = None


@dataclass(frozen=True)
class PlaneSettings:
    """Settings of point_set_plane, plane_sphere, plane_convex_ccd."""

    #: Sidedness of the surface or the plane. `as_given`: a closed surface is a solid, an open one a two-sided sheet, a plane
    #: as it was made. `one`: an open surface and a plane push to their front. `two`: pushes to the side on which the other
    #: body is.
    sides: Literal["as_given", "one", "two"] | None = None


@dataclass(frozen=True)
class SurfaceBodySettings:
    """Settings of surface_mesh_sphere."""

    #: Whether contacts on internal edges and vertices, where an adjacent triangle is closer to the body, are kept. `as_given`:
    #: ignored on closed surfaces and tetra meshes, on one-sided sheets by `surface_mesh_convex` alone; kept elsewhere. Ignore
    #: them on floors and organs that bodies slide over. `keep` also disables manifolds on flat patches.
    internal_edges: Literal["as_given", "ignore", "keep"] | None = None

    #: Sidedness of the surface or the plane. `as_given`: a closed surface is a solid, an open one a two-sided sheet, a plane
    #: as it was made. `one`: an open surface and a plane push to their front. `two`: pushes to the side on which the other
    #: body is.
    sides: Literal["as_given", "one", "two"] | None = None


@dataclass(frozen=True)
class SurfaceCapsuleSettings:
    """Settings of line_mesh_surface_mesh, surface_mesh_capsule."""

    #: Whether contacts on internal edges and vertices, where an adjacent triangle is closer to the body, are kept. `as_given`:
    #: ignored on closed surfaces and tetra meshes, on one-sided sheets by `surface_mesh_convex` alone; kept elsewhere. Ignore
    #: them on floors and organs that bodies slide over. `keep` also disables manifolds on flat patches.
    internal_edges: Literal["as_given", "ignore", "keep"] | None = None

    #: Whether a contact area is reported by several points (up to four, two for a capsule or a segment) or by one.
    manifold: bool | None = None

    #: Sidedness of the surface or the plane. `as_given`: a closed surface is a solid, an open one a two-sided sheet, a plane
    #: as it was made. `one`: an open surface and a plane push to their front. `two`: pushes to the side on which the other
    #: body is.
    sides: Literal["as_given", "one", "two"] | None = None


@dataclass(frozen=True)
class SurfaceMeshConvexSettings:
    """Settings of surface_mesh_convex."""

    #: Whether contacts on internal edges and vertices, where an adjacent triangle is closer to the body, are kept. `as_given`:
    #: ignored on closed surfaces and tetra meshes, on one-sided sheets by `surface_mesh_convex` alone; kept elsewhere. Ignore
    #: them on floors and organs that bodies slide over. `keep` also disables manifolds on flat patches.
    internal_edges: Literal["as_given", "ignore", "keep"] | None = None

    #: Whether a contact area is reported by several points (up to four, two for a capsule or a segment) or by one.
    manifold: bool | None = None

    #: Sidedness of the surface or the plane. `as_given`: a closed surface is a solid, an open one a two-sided sheet, a plane
    #: as it was made. `one`: an open surface and a plane push to their front. `two`: pushes to the side on which the other
    #: body is.
    sides: Literal["as_given", "one", "two"] | None = None

    #: The maximum gap between the certified bounds of a depth, relative to the size of the bodies; for curved and implicit
    #: bodies.
    tolerance: float | None = None


@dataclass(frozen=True)
class SurfaceSettings:
    """Settings of point_set_surface_mesh."""

    #: Sidedness of the surface or the plane. `as_given`: a closed surface is a solid, an open one a two-sided sheet, a plane
    #: as it was made. `one`: an open surface and a plane push to their front. `two`: pushes to the side on which the other
    #: body is.
    sides: Literal["as_given", "one", "two"] | None = None


@dataclass(frozen=True)
class TetraMeshConvexSettings:
    """Settings of tetra_mesh_convex."""

    #: Whether contacts on internal edges and vertices, where an adjacent triangle is closer to the body, are kept. `as_given`:
    #: ignored on closed surfaces and tetra meshes, on one-sided sheets by `surface_mesh_convex` alone; kept elsewhere. Ignore
    #: them on floors and organs that bodies slide over. `keep` also disables manifolds on flat patches.
    internal_edges: Literal["as_given", "ignore", "keep"] | None = None

    #: Whether a contact area is reported by several points (up to four, two for a capsule or a segment) or by one.
    manifold: bool | None = None

    #: The maximum gap between the certified bounds of a depth, relative to the size of the bodies; for curved and implicit
    #: bodies.
    tolerance: float | None = None


@dataclass(frozen=True)
class TetraMeshSettings:
    """Settings of tetra_mesh_sphere, tetra_mesh_capsule."""

    #: Whether contacts on internal edges and vertices, where an adjacent triangle is closer to the body, are kept. `as_given`:
    #: ignored on closed surfaces and tetra meshes, on one-sided sheets by `surface_mesh_convex` alone; kept elsewhere. Ignore
    #: them on floors and organs that bodies slide over. `keep` also disables manifolds on flat patches.
    internal_edges: Literal["as_given", "ignore", "keep"] | None = None
