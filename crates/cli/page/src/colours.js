// Colours of objects, depths and states.

import * as THREE from "three";

const OBJECTS = [0xb5523c, 0x8a97a8, 0xd2b872, 0x6f9a62, 0x8d6fa8, 0x4f8fa3, 0xa3814f];

export const STATES = {
  same: 0x8c939c,
  changed: 0xe69f00,
  lost: 0x0072b2,
  added: 0xd5302a,
};

export function objectColour(number) {
  return new THREE.Color(OBJECTS[number % OBJECTS.length]);
}

// From blue (apart or touching) over yellow to red (the deepest of the session).
export function depthColour(depth, deepest) {
  const part = deepest > 0 ? Math.min(Math.max(depth / deepest, 0), 1) : 0;
  const stops = [
    [0.16, 0.38, 0.75],
    [0.95, 0.83, 0.25],
    [0.8, 0.1, 0.1],
  ];
  const place = part * 2;
  const low = Math.min(Math.floor(place), 1);
  const mixed = [0, 1, 2].map(
    (channel) => stops[low][channel] + (stops[low + 1][channel] - stops[low][channel]) * (place - low),
  );
  return new THREE.Color().setRGB(...mixed, THREE.SRGBColorSpace);
}
