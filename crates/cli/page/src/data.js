// Decodes what the page contains: a description as JSON, and the numbers, compressed.

const RECORD_BYTES = 232;
const NONE = 0xffffffff;
export const KINDS = ["point", "vertex", "edge", "triangle", "tetrahedron"];

async function bytes(id) {
  const text = document.getElementById(id).textContent;
  const packed = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).arrayBuffer();
}

// Positions are stored as differences from frame to frame, in steps of the box of the object.
function positions(buffer, part, frames) {
  const count = part.points * 3;
  const stored = new Int16Array(buffer, part.offset, count * frames);
  for (let index = count; index < stored.length; index++) {
    stored[index] += stored[index - count];
  }
  return stored;
}

function feature(view, offset) {
  const kind = view.getUint32(offset, true);
  const count = Math.min(view.getUint32(offset + 4, true), 4);
  const id = (place) => view.getUint32(offset + place, true);
  const number = (place) => view.getFloat64(offset + place, true);
  const side = { kind: KINDS[kind] ?? "point" };
  if (kind > 0) {
    side.vertices = Array.from({ length: count }, (_, i) => id(8 + 4 * i));
    side.weights = Array.from({ length: count }, (_, i) => number(32 + 8 * i));
  }
  if (id(24) !== NONE) side.cell = id(24);
  if (id(28) !== NONE) side.child = id(28);
  side.point = [0, 1, 2].map((axis) => number(64 + 8 * axis));
  return side;
}

// The record of a contact, with the numbers of the file of contacts.
function record(view, offset) {
  const number = (place) => view.getFloat64(offset + place, true);
  const time = number(216);
  return {
    a: feature(view, offset),
    b: feature(view, offset + 88),
    direction: [176, 184, 192].map(number),
    depth: number(200),
    depth_bounds: [number(200), number(208)],
    time_of_impact: Number.isNaN(time) ? null : time,
    id: view.getBigUint64(offset + 224, true).toString(),
  };
}

// A session: `contacts(frame)` decodes the contacts of a kept frame.
function session(description, buffer) {
  for (const object of description.objects) {
    for (const segment of object.segments) {
      const frames = segment.moves ? segment.last - segment.first + 1 : 1;
      if (segment.points) segment.positions = positions(buffer, segment, frames);
      if (segment.cells) {
        segment.indices = new Uint32Array(buffer, segment.cells.offset, segment.cells.count);
      }
    }
    if (object.poses) {
      object.poseRows = new Float32Array(buffer, object.poses.offset, object.poses.rows * 7);
    }
  }
  const view = new DataView(buffer);
  const contacts = (frame) => {
    const [first, end] = description.contacts.starts.slice(frame, frame + 2);
    const list = [];
    for (let row = first; row < end; row++) {
      const contact = record(view, description.contacts.offset + row * RECORD_BYTES);
      const pairs = description.contacts.pairs + 4 * row;
      contact.pair = view.getUint32(pairs, true);
      list.push(contact);
    }
    return list;
  };
  return { ...description, contactsOf: contacts };
}

export async function load() {
  const page = JSON.parse(document.getElementById("page").textContent);
  const sessions = [];
  for (const [number, description] of page.sessions.entries()) {
    sessions.push(session(description, await bytes(`numbers-${number}`)));
  }
  return { ...page, sessions };
}

// What is the same in two sessions: the names of the pair, the id and both children.
export function key(session, contact) {
  const pair = session.pairs[contact.pair];
  return [pair.a, pair.b, contact.id, contact.a.child ?? "", contact.b.child ?? ""].join("|");
}

// Both lists of contacts with a state each: same, changed, lost or added.
export function compare(sessions, frame) {
  const [was, is] = sessions.map((session) => session.contactsOf(frame));
  const known = new Map(is.map((contact) => [key(sessions[1], contact), contact]));
  const plain = (contact) => JSON.stringify({ ...contact, pair: 0 });
  for (const contact of was) {
    const other = known.get(key(sessions[0], contact));
    known.delete(key(sessions[0], contact));
    contact.state = "lost";
    if (other) {
      contact.state = plain(contact) === plain(other) ? "same" : "changed";
      other.state = contact.state;
      other.partner = contact;
    }
  }
  for (const contact of known.values()) contact.state = "added";
  return [was, is];
}
