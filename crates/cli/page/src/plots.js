// Contacts, depth and time over the frames, with a line at the frame that is shown.

import uPlot from "uplot";

const SERIES = [
  ["contacts", "contacts", (session) => session.stats.contacts],
  ["depth, mm", "depth", (session) => session.stats.depth.map(toMillimetres)],
  ["detection, ms", "time", (session) => session.stats.milliseconds],
];
const COLOURS = ["#d9734f", "#5b9bd5"];

function toMillimetres(depth) {
  return depth === null ? null : depth * 1000;
}

export class Plots {
  constructor(holder, page, onFrame) {
    this.page = page;
    this.frame = 0;
    const frames = Math.max(...page.sessions.map((session) => session.stats.contacts.length));
    this.numbers = Array.from({ length: frames }, (_, frame) => frame);
    const rows = SERIES.map(([label, name, values]) => ({
      label,
      name,
      data: page.sessions.map(values),
      names: page.sessions.map((session) => session.title),
    }));
    if (page.diff) {
      const counts = this.numbers.map(() => 0);
      for (const { frame, differences } of page.diff.differing_frames) counts[frame] = differences;
      rows.push({
        label: "differences",
        name: "diff",
        data: [counts],
        names: ["differences"],
      });
    }
    this.plots = rows.map((row) => this.plot(holder, row, onFrame));
  }

  plot(holder, row, onFrame) {
    const box = document.createElement("div");
    box.className = "plot";
    box.dataset.name = row.name;
    holder.append(box);
    const axis = {
      stroke: "#b8c0c8",
      grid: { stroke: "#343a41" },
      ticks: { stroke: "#343a41" },
    };
    const options = {
      width: box.clientWidth || 300,
      height: box.clientHeight || 110,
      legend: { show: false },
      cursor: { drag: { x: false, y: false } },
      scales: { x: { time: false } },
      axes: [
        { ...axis, size: 28 },
        { ...axis, size: 52, label: row.label, labelSize: 16 },
      ],
      series: [
        {},
        ...row.data.map((_, number) => ({
          label: row.names[number],
          stroke: COLOURS[number],
          width: 1.3,
          points: { show: false },
        })),
      ],
      hooks: { draw: [(plot) => this.marker(plot)] },
    };
    const plot = new uPlot(options, [this.numbers, ...row.data], box);
    plot.over.addEventListener("click", () => {
      if (plot.cursor.idx !== null) onFrame(plot.cursor.idx);
    });
    new ResizeObserver(() => plot.setSize({ width: box.clientWidth, height: box.clientHeight })).observe(box);
    return plot;
  }

  marker(plot) {
    const x = plot.valToPos(this.frame, "x", true);
    const { top, height } = plot.bbox;
    plot.ctx.save();
    plot.ctx.strokeStyle = "#ffffff";
    plot.ctx.lineWidth = 2;
    plot.ctx.beginPath();
    plot.ctx.moveTo(x, top);
    plot.ctx.lineTo(x, top + height);
    plot.ctx.stroke();
    plot.ctx.restore();
  }

  show(frame) {
    this.frame = frame;
    this.plots.forEach((plot) => plot.redraw(false));
  }

  // Where a frame is on the screen in one of the plots, in pixels of the page.
  place(number, frame) {
    const plot = this.plots[number];
    const box = plot.over.getBoundingClientRect();
    return [box.left + plot.valToPos(frame, "x"), box.top + box.height / 2];
  }
}
