// The objects of a session in three dimensions.

import * as THREE from "three";
import { objectColour } from "./colours.js";

// A shape of the field's kinds, in its own frame: axis along y.
function shapeGeometry(kind, size, extent) {
  const [a, b, c] = size;
  switch (kind) {
    case "sphere":
      return new THREE.SphereGeometry(a, 40, 24);
    case "capsule":
      return new THREE.CapsuleGeometry(a, b, 12, 32);
    case "cylinder":
      return new THREE.CylinderGeometry(a, a, b, 40);
    case "cone":
      return new THREE.ConeGeometry(a, b, 40);
    case "oriented_box":
      return new THREE.BoxGeometry(2 * a, 2 * b, 2 * c);
    case "ellipsoid":
      return new THREE.SphereGeometry(1, 40, 24).scale(a, b, c);
    case "plane":
      return new THREE.PlaneGeometry(extent, extent).rotateX(-Math.PI / 2);
    default:
      return null;
  }
}

function meshGeometry(segment) {
  const geometry = new THREE.BufferGeometry();
  const points = new Float32Array(segment.points * 3);
  geometry.setAttribute("position", new THREE.BufferAttribute(points, 3));
  if (segment.indices) geometry.setIndex(new THREE.BufferAttribute(segment.indices, 1));
  return geometry;
}

// Meshes of more triangles are drawn with fewer while playing where drawing is slow.
const MANY = 20000;
const GRID = 48;

// Fewer triangles between the same vertices: those in one cell of a grid over the first frame are one.
function preview({ positions, indices, points }) {
  const first = new Map();
  const standIn = (vertex) => {
    const cell = positions.subarray(3 * vertex, 3 * vertex + 3).map((x) => (x * GRID) >> 16);
    const key = cell.join();
    if (!first.has(key)) first.set(key, vertex);
    return first.get(key);
  };
  const standIns = Uint32Array.from({ length: points }, (_, vertex) => standIn(vertex));
  const kept = [];
  for (let at = 0; at < indices.length; at += 3) {
    const [a, b, c] = indices.subarray(at, at + 3).map((vertex) => standIns[vertex]);
    if (a !== b && b !== c && c !== a) kept.push(a, b, c);
  }
  return Uint32Array.from(kept);
}

function drawable(geometry, segment, colour, opacity) {
  const look = { color: colour, transparent: opacity < 1, opacity };
  if (segment.cells?.kind === "lines") {
    return new THREE.LineSegments(geometry, new THREE.LineBasicMaterial(look));
  }
  if (segment.points && !segment.cells) {
    const dots = { ...look, size: 4, sizeAttenuation: false };
    return new THREE.Points(geometry, new THREE.PointsMaterial(dots));
  }
  const Material = segment.points > 20000 ? THREE.MeshLambertMaterial : THREE.MeshPhongMaterial;
  const material = new Material({
    ...look,
    side: THREE.DoubleSide,
    flatShading: segment.points > 0,
    depthWrite: opacity === 1,
  });
  return new THREE.Mesh(geometry, material);
}

// All objects of a session; `show(frame)` moves them to a kept frame.
export class Bodies {
  constructor(session, extent, tint) {
    this.session = session;
    this.group = new THREE.Group();
    this.parts = [];
    session.objects.forEach((object, number) => {
      for (const segment of object.segments) {
        const shape = shapeGeometry(segment.shape, segment.size ?? [], extent);
        const geometry = shape ?? (segment.points ? meshGeometry(segment) : null);
        if (!geometry) continue;
        const colour = objectColour(number);
        if (tint) colour.lerp(new THREE.Color(tint), 0.6);
        const opacity = object.kind === "plane" ? 0.25 : tint ? 0.45 : 0.7;
        const mesh = drawable(geometry, segment, colour, opacity);
        mesh.name = object.name;
        this.group.add(mesh);
        this.parts.push({ object, segment, mesh, shown: -1, movesMesh: !shape });
      }
    });
  }

  // Draws large meshes by fewer triangles, or by all again; returns how many there are then, and of how many.
  coarsen(isOn) {
    let [drawn, all] = [0, 0];
    for (const part of this.parts) {
      const { indices, cells } = part.segment;
      if (!part.movesMesh || cells?.kind !== "triangles" || indices.length < 3 * MANY) continue;
      if (isOn) part.few ??= new THREE.BufferAttribute(preview(part.segment), 1);
      part.all ??= part.mesh.geometry.index;
      part.mesh.geometry.setIndex(isOn ? part.few : part.all);
      drawn += part.mesh.geometry.index.count / 3;
      all += indices.length / 3;
    }
    return [drawn, all];
  }

  show(frame) {
    for (const part of this.parts) {
      const { object, segment, mesh } = part;
      mesh.visible = !object.hidden && frame >= segment.first && frame <= segment.last;
      if (!mesh.visible) continue;
      if (object.poseRows) this.place(mesh, object, frame);
      const row = segment.moves ? frame - segment.first : 0;
      if (part.movesMesh && part.shown !== row) {
        fill(mesh.geometry, segment, row);
        part.shown = row;
      }
    }
  }

  place(mesh, object, frame) {
    const row = object.poses.rows > 1 ? frame * 7 : 0;
    const pose = object.poseRows.subarray(row, row + 7);
    mesh.position.set(pose[0], pose[1], pose[2]);
    mesh.quaternion.set(pose[3], pose[4], pose[5], pose[6]);
  }
}

function fill(geometry, segment, row) {
  const target = geometry.getAttribute("position");
  const count = segment.points * 3;
  const stored = segment.positions.subarray(row * count, (row + 1) * count);
  const { low, step } = segment;
  const array = target.array;
  for (let index = 0; index < count; index += 3) {
    array[index] = low[0] + (stored[index] + 32768) * step[0];
    array[index + 1] = low[1] + (stored[index + 1] + 32768) * step[1];
    array[index + 2] = low[2] + (stored[index + 2] + 32768) * step[2];
  }
  target.needsUpdate = true;
  geometry.boundingSphere = null;
}
