// The picture: camera, lights, sessions side by side or over each other, and picking.

import * as THREE from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import { Arrows } from "./arrows.js";
import { Bodies } from "./body.js";

const TINTS = [null, 0x3f7fd0];

// Without a graphics card every sample of every pixel is computed: one has to do.
function isSoftware() {
  const context = document.createElement("canvas").getContext("webgl2");
  const info = context?.getExtension("WEBGL_debug_renderer_info");
  return /swiftshader|llvmpipe/i.test(info ? context.getParameter(info.UNMASKED_RENDERER_WEBGL) : "");
}

export class View {
  constructor(canvas, page, onPick) {
    this.page = page;
    this.canvas = canvas;
    this.onPick = onPick;
    this.renderer = new THREE.WebGLRenderer({ canvas, antialias: !isSoftware() });
    this.renderer.setScissorTest(true);
    this.camera = new THREE.PerspectiveCamera(35, 1, 0.001, 1000);
    const { low, high } = page.bounds;
    this.center = new THREE.Vector3(...low).add(new THREE.Vector3(...high)).multiplyScalar(0.5);
    this.radius = new THREE.Vector3(...low).distanceTo(new THREE.Vector3(...high)) / 2 || 1;
    this.layers = page.sessions.map((session, number) => this.layer(session, TINTS[number]));
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.addEventListener("change", () => this.draw());
    this.home();
    let pressed = null;
    canvas.addEventListener("pointerdown", (event) => {
      pressed = [event.clientX, event.clientY];
    });
    canvas.addEventListener("pointerup", (event) => {
      const moved = pressed && Math.hypot(event.clientX - pressed[0], event.clientY - pressed[1]);
      if (moved !== null && moved < 4) this.pick(event);
    });
    new ResizeObserver(() => this.resize()).observe(canvas.parentElement);
    [this.mode, this.isCoarse, this.spared] = ["first", false, ""];
  }

  layer(session, tint) {
    const scene = new THREE.Scene();
    scene.background = new THREE.Color(0x1d2126);
    scene.add(new THREE.HemisphereLight(0xffffff, 0x50463c, 1.6));
    const sun = new THREE.DirectionalLight(0xffffff, 1.8);
    sun.position.set(1, 2, 1.5);
    scene.add(sun);
    const bodies = new Bodies(session, this.radius * 2.5, tint);
    const arrows = new Arrows(session, this.radius * 0.08, this.page.deepest);
    scene.add(bodies.group, arrows.mesh);
    return { session, scene, bodies, arrows };
  }

  home() {
    const distance = (this.radius * 1.15) / Math.sin((this.camera.fov * Math.PI) / 360);
    const from = new THREE.Vector3(0.55, 0.45, 1).setLength(distance);
    this.camera.position.copy(this.center).add(from);
    this.camera.near = distance / 200;
    this.camera.far = distance * 20;
    this.controls.target.copy(this.center);
    this.controls.update();
  }

  // Which sessions are in which part of the picture: [number, left part, width].
  places() {
    const [first, second] = [0, 1].map((number) => [number, 0, 1]);
    const halves = [0, 0.5].map((left, number) => [number, left, 0.5]);
    const both = [first, second];
    return { second: [second], beside: halves, over: both, diff: both }[this.mode] ?? [first];
  }

  show(frame, contacts, selected, mode) {
    this.mode = mode;
    for (const [number] of this.places()) {
      const layer = this.layers[number];
      layer.bodies.show(Math.min(frame, layer.session.kept.length - 1));
      layer.arrows.show(contacts[number], selected, mode === "diff");
      // Over each other the first one's objects are enough where they are the same.
      layer.bodies.group.visible = !(mode === "diff" && number === 1);
    }
    this.draw();
  }

  resize() {
    const { clientWidth, clientHeight } = this.canvas.parentElement;
    this.renderer.setPixelRatio(Math.min(window.devicePixelRatio, 2));
    this.renderer.setSize(clientWidth, clientHeight, false);
    this.draw();
  }

  // Draws coarsely, or in full: playing keeps its pace where drawing is slow. Once coarse it stays so until the end.
  spare(isSlow) {
    if (isSlow === this.isCoarse) return;
    this.isCoarse = isSlow;
    this.renderer.setPixelRatio(isSlow ? 0.5 : Math.min(window.devicePixelRatio, 2));
    const counts = this.layers.map((layer) => layer.bodies.coarsen(isSlow));
    const [drawn, all] = [0, 1].map((place) => counts.reduce((sum, count) => sum + count[place], 0));
    this.spared = isSlow && all ? `, ${drawn} of ${all} triangles while playing` : "";
    this.draw();
  }

  draw() {
    const { clientWidth, clientHeight } = this.canvas;
    if (!clientWidth || !clientHeight) return;
    this.places().forEach(([number, left, width], place) => {
      const over = place > 0 && left === 0;
      this.camera.aspect = (clientWidth * width) / clientHeight;
      this.camera.updateProjectionMatrix();
      const part = [left * clientWidth, 0, width * clientWidth, clientHeight];
      this.renderer.setViewport(...part);
      this.renderer.setScissor(...part);
      this.renderer.autoClearColor = !over;
      const scene = this.layers[number].scene;
      const background = scene.background;
      if (over) scene.background = null;
      this.renderer.render(scene, this.camera);
      scene.background = background;
    });
  }

  // Where a point of a session is on the screen, in pixels of the page.
  project(point, session) {
    const [, left, width] = this.places().find(([number]) => number === session);
    const box = this.canvas.getBoundingClientRect();
    this.camera.aspect = (box.width * width) / box.height;
    this.camera.updateProjectionMatrix();
    this.camera.updateMatrixWorld();
    const seen = new THREE.Vector3(...point).project(this.camera);
    return [
      box.left + (left + ((seen.x + 1) / 2) * width) * box.width,
      box.top + ((1 - seen.y) / 2) * box.height,
    ];
  }

  pick(event) {
    const box = this.canvas.getBoundingClientRect();
    const x = (event.clientX - box.left) / box.width;
    const y = (event.clientY - box.top) / box.height;
    const hits = this.places().flatMap(([number, left, width]) => {
      if (x < left || x > left + width) return [];
      this.camera.aspect = (box.width * width) / box.height;
      this.camera.updateProjectionMatrix();
      const ray = new THREE.Raycaster();
      const at = new THREE.Vector2(((x - left) / width) * 2 - 1, 1 - 2 * y);
      ray.setFromCamera(at, this.camera);
      const { mesh, contacts } = this.layers[number].arrows;
      const found = ray.intersectObject(mesh)[0];
      return found ? [{ number, contact: contacts[found.instanceId], at: found.distance }] : [];
    });
    hits.sort((one, two) => one.at - two.at);
    this.onPick(hits[0] ?? null);
  }
}
