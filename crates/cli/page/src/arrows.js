// Contacts as arrows: from the point on side A along the direction that moves A out of B.

import * as THREE from "three";
import { mergeGeometries } from "three/addons/utils/BufferGeometryUtils.js";
import { STATES, depthColour } from "./colours.js";

const UP = new THREE.Vector3(0, 1, 0);

function arrowGeometry() {
  const ball = new THREE.SphereGeometry(0.12, 12, 8);
  const shaft = new THREE.CylinderGeometry(0.04, 0.04, 0.7, 8).translate(0, 0.35, 0);
  const head = new THREE.ConeGeometry(0.11, 0.3, 12).translate(0, 0.85, 0);
  return mergeGeometries([ball, shaft, head]);
}

export class Arrows {
  constructor(session, length, deepest) {
    this.length = length;
    this.deepest = deepest;
    this.contacts = [];
    const starts = session.contacts.starts;
    const most = Math.max(1, ...starts.slice(1).map((end, i) => end - starts[i]));
    this.mesh = new THREE.InstancedMesh(arrowGeometry(), new THREE.MeshLambertMaterial(), most);
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = 2;
  }

  // Shows contacts, of which `selected` is larger; coloured by depth, or by state.
  show(contacts, selected, byState) {
    this.contacts = contacts;
    const matrix = new THREE.Matrix4();
    const turn = new THREE.Quaternion();
    contacts.forEach((contact, number) => {
      const direction = new THREE.Vector3(...contact.direction);
      turn.setFromUnitVectors(UP, direction);
      const size = this.length * (contact === selected ? 1.7 : 1);
      const scale = new THREE.Vector3(size, size, size);
      matrix.compose(new THREE.Vector3(...contact.a.point), turn, scale);
      this.mesh.setMatrixAt(number, matrix);
      const colour = byState
        ? new THREE.Color(STATES[contact.state])
        : depthColour(contact.depth, this.deepest);
      this.mesh.setColorAt(number, contact === selected ? new THREE.Color(0xffffff) : colour);
    });
    this.mesh.count = contacts.length;
    this.mesh.instanceMatrix.needsUpdate = true;
    if (this.mesh.instanceColor) this.mesh.instanceColor.needsUpdate = true;
    this.mesh.boundingSphere = null;
  }
}
