// The panel beside the picture: the record of a contact, and tables.

export function element(name, text, attributes = {}) {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  Object.assign(made, attributes);
  return made;
}

function table(head, rows) {
  const made = element("table");
  const line = (cells, kind) => {
    const row = element("tr");
    row.append(...cells.map((cell) => element(kind, cell)));
    return row;
  };
  if (head) made.append(line(head, "th"));
  made.append(...rows.map((row) => line(row, "td")));
  return made;
}

function lines(prefix, value, rows) {
  if (Array.isArray(value) || value === null || typeof value !== "object") {
    const plain = Array.isArray(value) ? value.map((item) => String(item)).join("\n") : String(value);
    rows.push([prefix, plain]);
    return;
  }
  for (const [name, inner] of Object.entries(value)) {
    lines(prefix ? `${prefix}.${name}` : name, inner, rows);
  }
}

// The whole record of a contact, every number in full.
export function recordTable(session, contact) {
  const pair = session.pairs[contact.pair];
  const { a, b, direction, depth, depth_bounds, time_of_impact, id } = contact;
  const rows = [["pair", `${pair.a} : ${pair.b} by ${pair.detector}`]];
  const plain = { depth, depth_bounds, direction, time_of_impact, id, a, b };
  lines("", plain, rows);
  if (contact.state) rows.splice(1, 0, ["in the diff", contact.state]);
  const made = table(null, rows);
  made.id = "record";
  made.dataset.record = JSON.stringify({ ...plain, pair: contact.pair });
  return made;
}

export function pairsTable(session, contacts) {
  const rows = session.pairs.map((pair, number) => [
    `${pair.a} : ${pair.b}`,
    pair.detector,
    String(contacts.filter((contact) => contact.pair === number).length),
    pair.flags.join(" "),
  ]);
  const made = table(["pair", "detector", "now", "flags"], rows);
  if (session.unsupported.length === 0) return made;
  const box = element("div");
  const skipped = session.unsupported.map((pair) => pair.join(" : "));
  box.append(made, element("p", `no detector: ${skipped.join(", ")}`));
  return box;
}

export function objectsTable(session, onChange) {
  const made = element("table");
  for (const object of session.objects) {
    const row = element("tr");
    const box = element("input", undefined, {
      type: "checkbox",
      checked: !object.hidden,
      onchange: (event) => {
        object.hidden = !event.target.checked;
        onChange();
      },
    });
    const check = element("td");
    check.append(box);
    row.append(check, element("td", object.name), element("td", object.kind));
    row.append(element("td", object.health));
    made.append(row);
  }
  return made;
}

export function settingsTable(page) {
  const rows = [["palpate", page.version]];
  for (const session of page.sessions) {
    rows.push([session.title, session.files.join("\n")]);
    for (const note of session.notes) rows.push(["note", note]);
    for (const pair of session.pairs) {
      const name = `${pair.a} : ${pair.b}`;
      rows.push([name, `margin ${pair.margin} m\n${JSON.stringify(pair.settings)}`]);
    }
    for (const [name, value] of Object.entries(session.metadata)) rows.push([name, value]);
  }
  return table(null, rows);
}

export function diffList(diff, onFrame) {
  const box = element("div");
  box.append(element("p", diff.verdict, { id: "verdict" }));
  for (const line of diff.input) box.append(element("p", line));
  const list = element("ol");
  for (const finding of diff.findings) {
    const item = element("li");
    const where = finding.frame === null ? "" : `frame ${finding.frame}, `;
    const words = `${finding.kinds.join(", ")}: ${where}${finding.pair ?? ""} ${finding.what}`;
    const link = element("a", words, { href: "#" });
    link.addEventListener("click", (event) => {
      event.preventDefault();
      if (finding.frame !== null) onFrame(finding.frame);
    });
    item.append(link);
    list.append(item);
  }
  box.append(list);
  return box;
}
