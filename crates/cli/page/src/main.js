// The page: a session, or two, frame by frame.

import { compare, load } from "./data.js";
import { diffList, element, objectsTable, pairsTable, recordTable, settingsTable } from "./panel.js";
import { Plots } from "./plots.js";
import { View } from "./view.js";

const MODES = { first: "first", second: "second", over: "overlaid", beside: "beside", diff: "diff" };
const TABS = ["contact", "pairs", "objects", "settings", "diff"];

class Report {
  constructor(page) {
    this.page = page;
    this.place = 0;
    this.mode = "first";
    this.tab = "contact";
    this.selected = null;
    this.playing = false;
    this.label = document.getElementById("frame");
    this.slider = document.getElementById("slider");
    this.kept = page.sessions[0].kept;
    this.slider.max = this.kept.length - 1;
    this.slider.addEventListener("input", () => this.goto(Number(this.slider.value)));
    document.getElementById("play").addEventListener("click", () => this.play());
    const canvas = document.getElementById("picture");
    this.view = new View(canvas, page, (hit) => this.select(hit));
    const plots = document.getElementById("plots");
    this.plots = new Plots(plots, page, (frame) => this.gotoFrame(frame));
    this.buttons();
    document.addEventListener("keydown", (event) => this.key(event));
    this.view.resize();
    this.goto(0);
  }

  buttons() {
    const two = this.page.sessions.length > 1;
    const modes = document.getElementById("modes");
    for (const [mode, words] of Object.entries(two ? MODES : {})) {
      const button = element("button", words);
      button.dataset.mode = mode;
      button.addEventListener("click", () => this.setMode(mode));
      modes.append(button);
    }
    const tabs = document.getElementById("tabs");
    for (const tab of TABS.filter((tab) => tab !== "diff" || this.page.diff)) {
      const button = element("button", tab);
      button.dataset.tab = tab;
      button.addEventListener("click", () => this.setTab(tab));
      tabs.append(button);
    }
  }

  key(event) {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step && event.target !== this.slider) this.goto(this.place + step);
    if (event.key === " " && event.target === document.body) this.play();
  }

  setMode(mode) {
    this.mode = mode;
    this.selected = null;
    if (mode === "diff") this.tab = "diff";
    this.refresh();
  }

  setTab(tab) {
    this.tab = tab;
    this.refresh();
  }

  // The kept frame that is nearest to a frame of the session.
  gotoFrame(frame) {
    const distance = (place) => Math.abs(this.kept[place] - frame);
    let best = 0;
    this.kept.forEach((_, place) => {
      if (distance(place) < distance(best)) best = place;
    });
    this.goto(best);
  }

  goto(place) {
    this.place = Math.min(Math.max(place, 0), this.kept.length - 1);
    this.slider.value = this.place;
    this.selected = null;
    this.refresh();
  }

  select(hit) {
    this.selected = hit;
    if (hit) this.tab = "contact";
    this.refresh(false);
  }

  contacts() {
    const { sessions } = this.page;
    if (sessions.length > 1 && this.mode === "diff") return compare(sessions, this.place);
    return sessions.map((session) =>
      this.place < session.kept.length ? session.contactsOf(this.place) : [],
    );
  }

  refresh(moved = true) {
    if (moved) this.shown = this.contacts();
    this.view.show(this.place, this.shown, this.selected?.contact, this.mode);
    const frame = this.kept[this.place];
    if (moved) this.plots.show(frame);
    const time = this.page.sessions[0].times[frame];
    this.label.textContent = `frame ${frame}, ${time.toFixed(4)} s`;
    for (const button of document.querySelectorAll("#modes button"))
      button.classList.toggle("on", button.dataset.mode === this.mode);
    for (const button of document.querySelectorAll("#tabs button"))
      button.classList.toggle("on", button.dataset.tab === this.tab);
    if (!this.playing || !moved) this.panel();
  }

  panel() {
    const { sessions, diff } = this.page;
    const which = this.selected?.number ?? (this.mode === "second" ? 1 : 0);
    const session = sessions[which];
    const content = {
      contact: () =>
        this.selected
          ? recordTable(session, this.selected.contact)
          : element("p", "Click an arrow: its whole record is shown here."),
      pairs: () => pairsTable(session, this.shown[which]),
      objects: () => objectsTable(session, () => this.refresh()),
      settings: () => settingsTable(this.page),
      diff: () => diffList(diff, (frame) => this.gotoFrame(frame)),
    }[this.tab]();
    document.getElementById("content").replaceChildren(content);
  }

  // Plays at the pace of the session; frames that come too late are not drawn.
  play() {
    this.playing = !this.playing;
    document.getElementById("play").textContent = this.playing ? "pause" : "play";
    if (!this.playing) {
      this.view.spare(false);
      this.panel();
      return;
    }
    const times = this.page.sessions[0].times;
    const start = this.place >= this.kept.length - 1 ? 0 : this.place;
    const begun = performance.now();
    let drawn = 0;
    const step = () => {
      if (!this.playing) return;
      const seconds = (performance.now() - begun) / 1000;
      const now = seconds + times[this.kept[start]];
      let next = this.place >= this.kept.length - 1 ? start : this.place;
      while (next < this.kept.length - 1 && times[this.kept[next + 1]] <= now) next += 1;
      if (next !== this.place) {
        this.goto(next);
        drawn += 1;
        const left = next - start - drawn;
        if (left > 0) this.label.textContent += `, ${left} frames left out to keep pace`;
        this.label.textContent += this.view.spared;
        if (seconds / drawn > 0.05) this.view.spare(true);
      }
      if (next >= this.kept.length - 1) this.play();
      else requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  }
}

load().then(
  (page) => {
    window.report = new Report(page);
  },
  (error) => {
    document.getElementById("content").textContent = `The page cannot be shown: ${error.message}`;
    throw error;
  },
);
