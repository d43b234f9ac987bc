"""Opens pages of `palpate report` in headless Chromium and uses them: slider, plots, picking, diff.

usage: check_report.py PALPATE FOLDER [--recordings SHARED/recordings] [--picture FILE.png]

Needs chromium, and `pip install websocket-client h5py numpy`. FOLDER receives the pages. A page must not write an error to
the console; the record of the picked contact must be that of the file of contacts, to the last bit.
"""

import argparse
import base64
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

import h5py
import numpy as np
import websocket

NONE = 0xFFFFFFFF
WIDTH, HEIGHT = 1400, 900


class Browser:
    """Headless Chromium with one page, driven by the DevTools protocol."""

    def __init__(self):
        self.folder = tempfile.mkdtemp()
        name = shutil.which("chromium") or shutil.which("chromium-browser")
        self.process = subprocess.Popen(
            [name, "--headless=new", "--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
             "--disable-background-networking", "--no-first-run", "--remote-debugging-port=0",
             f"--user-data-dir={self.folder}", f"--window-size={WIDTH},{HEIGHT}", "about:blank"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        port_file = pathlib.Path(self.folder) / "DevToolsActivePort"
        for _ in range(300):
            if port_file.exists() and len(port_file.read_text().split()) == 2:
                break
            time.sleep(0.1)
        port, path = port_file.read_text().split()
        self.socket = websocket.create_connection(
            f"ws://127.0.0.1:{port}{path}", timeout=120, suppress_origin=True, max_size=None)
        self.count = 0
        self.errors = []
        self.requests = []
        self.session = None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ["Runtime", "Log", "Page", "Network"]:
            self.call(f"{domain}.enable")
        self.call("Emulation.setDeviceMetricsOverride", width=WIDTH, height=HEIGHT, deviceScaleFactor=1, mobile=False)

    def call(self, method, **parameters):
        """Calls a method and returns its result; notes errors of the page that arrive meanwhile."""
        self.count += 1
        message = {"id": self.count, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        self.socket.send(json.dumps(message))
        while True:
            answer = json.loads(self.socket.recv())
            if answer.get("id") == self.count:
                assert "error" not in answer, (method, answer)
                return answer["result"]
            self.note(answer)

    def note(self, event):
        method, parameters = event.get("method"), event.get("params", {})
        if method == "Runtime.exceptionThrown":
            self.errors.append(json.dumps(parameters["exceptionDetails"])[:500])
        if method == "Runtime.consoleAPICalled" and parameters["type"] in ("error", "assert"):
            self.errors.append(json.dumps(parameters["args"])[:500])
        if method == "Log.entryAdded" and parameters["entry"]["level"] == "error":
            self.errors.append(json.dumps(parameters["entry"])[:500])
        if method == "Network.requestWillBeSent":
            self.requests.append(parameters["request"]["url"])

    def value(self, expression):
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in result, (expression, result["exceptionDetails"])
        return result["result"].get("value")

    def open(self, path):
        self.errors, self.requests = [], []
        self.call("Page.navigate", url=pathlib.Path(path).resolve().as_uri())
        deadline = time.time() + 100
        while not self.value("Boolean(window.report)"):
            assert time.time() < deadline and not self.errors, (path, self.errors)
            time.sleep(0.1)

    def click(self, place):
        for kind in ["mouseMoved", "mousePressed", "mouseReleased"]:
            button = "none" if kind == "mouseMoved" else "left"
            self.call("Input.dispatchMouseEvent", type=kind, x=place[0], y=place[1], button=button, clickCount=1)

    def center(self, selector):
        return self.value(
            f"(() => {{ const b = document.querySelector({json.dumps(selector)}).getBoundingClientRect();"
            " return [b.left + b.width / 2, b.top + b.height / 2]; })()")

    def picture(self, path):
        data = self.call("Page.captureScreenshot", format="png")["data"]
        pathlib.Path(path).write_bytes(base64.b64decode(data))

    def is_drawn(self):
        """Whether the picture has more than its background."""
        return self.value(
            "(() => { report.view.draw(); const from = document.getElementById('picture');"
            " const c = document.createElement('canvas'); c.width = 64; c.height = 64; const g = c.getContext('2d');"
            " g.drawImage(from, 0, 0, 64, 64); const p = g.getImageData(0, 0, 64, 64).data; const seen = new Set();"
            " for (let i = 0; i < p.length; i += 4) seen.add((p[i] << 16) | (p[i + 1] << 8) | p[i + 2]);"
            " return seen.size; })()") > 20

    def close(self):
        self.socket.close()
        self.process.terminate()
        self.process.wait(20)
        shutil.rmtree(self.folder, ignore_errors=True)


def frame(browser):
    return int(browser.value("document.getElementById('frame').textContent").split()[1].rstrip(","))


def check_sound(browser, path):
    remote = [url for url in browser.requests if not url.startswith(("file:", "data:", "blob:"))]
    assert not browser.errors and not remote, (path, browser.errors, remote)
    assert browser.is_drawn(), f"{path}: nothing is drawn"


def move_slider(browser):
    """Moves the slider with the mouse, and the plots follow."""
    last = browser.value("report.kept.length - 1")
    box = browser.value("(() => { const b = document.getElementById('slider').getBoundingClientRect();"
                        " return [b.left, b.top + b.height / 2, b.width]; })()")
    browser.click([box[0] + box[2] / 2, box[1]])
    place = browser.value("report.place")
    assert abs(place - last / 2) <= 0.03 * last + 1, (place, last)
    assert browser.value("report.plots.frame") == browser.value("report.kept[report.place]")
    return place


def click_spike(browser):
    """Clicks the greatest depth in the plot, and is in that frame."""
    spike = browser.value("(() => { const d = report.page.sessions[0].stats.depth; let best = 0;"
                          " d.forEach((x, i) => { if ((x ?? -1e9) > (d[best] ?? -1e9)) best = i; }); return best; })()")
    browser.click(browser.value(f"report.plots.place(1, {spike})"))
    assert abs(frame(browser) - spike) <= 2, (frame(browser), spike)
    browser.value(f"report.gotoFrame({spike})")
    assert frame(browser) == spike
    return spike


def pick_contact(browser):
    """Clicks contacts on the screen until one is picked; returns its record as the page shows it."""
    count = browser.value("report.shown[0].length")
    assert count > 0
    for number in range(count):
        # A little along the arrow: the point itself may be inside of a neighbour's arrow.
        place = browser.value(
            f"(() => {{ const c = report.shown[0][{number}]; const l = report.view.layers[0].arrows.length * 0.5;"
            " return report.view.project(c.a.point.map((x, i) => x + l * c.direction[i]), 0); })()")
        browser.click(place)
        text = browser.value("document.getElementById('record')?.dataset.record")
        if text:
            return json.loads(text)
    raise AssertionError("no contact could be picked")


def side(row):
    """A side of a contact of the file as the page shows it."""
    kinds = ["point", "vertex", "edge", "triangle", "tetrahedron"]
    shown = {"kind": kinds[row["kind"]]}
    if row["kind"] > 0:
        count = int(row["vertex_count"])
        shown["vertices"] = [int(x) for x in row["vertices"][:count]]
        shown["weights"] = [float(x) for x in row["weights"][:count]]
    for name in ["cell", "child"]:
        if row[name] != NONE:
            shown[name] = int(row[name])
    shown["point"] = [float(x) for x in row["point"]]
    return shown


def check_record(record, contacts, number):
    """The record is one of the file's contacts in this frame, with every number."""
    with h5py.File(contacts) as file:
        at = int(np.flatnonzero(file["frames"][:] == number)[0])
        first, end = file["frame_offsets"][at:at + 2]
        rows, pairs = file["contacts"][first:end], file["pair"][first:end]
    for row, pair in zip(rows, pairs):
        wanted = {
            "depth": float(row["depth"]),
            "depth_bounds": [float(row["depth"]), float(row["depth_upper"])],
            "direction": [float(x) for x in row["direction"]],
            "time_of_impact": None if np.isnan(row["time_of_impact"]) else float(row["time_of_impact"]),
            "id": str(row["id"]),
            "a": side(row["a"]),
            "b": side(row["b"]),
            "pair": int(pair),
        }
        if wanted == record:
            return
    raise AssertionError(f"frame {number}: no contact of {contacts} is {record}")


def switch_to_diff(browser, differing):
    """Switches to the diff, whose list leads to the first frame that differs."""
    for mode in ["second", "over", "beside", "diff"]:
        browser.click(browser.center(f"button[data-mode={mode}]"))
        assert browser.value("report.mode") == mode and browser.is_drawn(), mode
    assert "differences" in browser.value("document.getElementById('verdict').textContent")
    browser.click(browser.center("#content li a"))
    assert frame(browser) == differing, (frame(browser), differing)
    states = browser.value("report.shown.flat().map((contact) => contact.state)")
    assert any(state != "same" for state in states), states
    browser.click(browser.center("button[data-tab=objects]"))
    browser.click(browser.center("button[data-mode=first]"))


def run(palpate, *arguments, status=0):
    done = subprocess.run([palpate, *map(str, arguments)], capture_output=True, text=True)
    assert done.returncode == status, (arguments, done.returncode, done.stderr)
    return done.stdout


def changed_demo(folder, demo):
    """The demo with one vertex of the organ elsewhere from frame 40 on, without checksums."""
    changed = folder / "changed.vtkhdf"
    shutil.copy(demo, changed)
    with h5py.File(changed, "r+") as file:
        header = json.loads(file["palpate/session"][()].item() if file["palpate/session"].shape == ()
                            else file["palpate/session"][0])
        header["checksums"] = False
        header.pop("times_crc32", None)
        for item in header["objects"]:
            item.pop("topologies", None)
        for name in ["session", "session_crc32", "frame_crc32"]:
            del file[f"palpate/{name}"]
        file["palpate/session"] = json.dumps(header)
        tool = next(item for item in header["objects"] if item["kind"] == "capsule")
        poses = file[tool["data"].lstrip("/")]
        rows = poses[:]
        rows[40:, 1] -= 2e-4
        poses[:] = rows
    return changed


def measure_rate(browser):
    """Frames drawn a second while it plays through."""
    return browser.value(
        "new Promise((done) => { const n = Math.min(report.kept.length, 40); const begun = performance.now();"
        " let i = 0; const step = () => { report.playing = true; report.goto(i % report.kept.length); i += 1;"
        " report.view.renderer.getContext().finish();"
        " if (i < n) requestAnimationFrame(step); else { report.playing = false;"
        " done(n * 1000 / (performance.now() - begun)); } }; step(); })")


def measure_playing(browser):
    """Frames drawn a second while the page plays by itself, for at most 8 seconds, and what it says that it drops."""
    rate, said = browser.value(
        "new Promise((done) => { report.goto(0); let drawn = 0; const own = report.goto.bind(report); let said = '';"
        " report.goto = (place) => { own(place); report.view.renderer.getContext().finish(); drawn += 1; };"
        " const begun = performance.now(); report.play(); const watch = () => {"
        " const seconds = (performance.now() - begun) / 1000; said = report.playing ? report.label.textContent : said;"
        " if (report.playing && seconds < 8) return requestAnimationFrame(watch);"
        " if (report.playing) report.play(); delete report.goto; done([drawn / seconds, said]); }; watch(); })")
    return rate, said.split(", ", 2)[-1]


def check_demo(browser, palpate, folder, picture):
    run(palpate, "demo", "--make", folder / "demo.vtkhdf")
    demo = folder / "demo.vtkhdf"
    run(palpate, "replay", demo, "--out", folder / "demo.h5")
    run(palpate, "report", demo, "--out", folder / "demo.html")
    browser.open(folder / "demo.html")
    move_slider(browser)
    number = click_spike(browser)
    check_record(pick_contact(browser), folder / "demo.h5", number)
    if picture:
        browser.picture(picture)
    browser.value("report.play()")
    check_sound(browser, "demo.html")
    changed = changed_demo(folder, demo)
    out = json.loads(run(palpate, "report", demo, changed, "--out", folder / "two.html", "--json"))
    assert out["diff"]["first"]["frame"] >= 40, out["diff"]["first"]
    browser.open(folder / "two.html")
    switch_to_diff(browser, out["diff"]["findings"][0]["frame"])
    browser.picture(folder / "two.png")
    check_sound(browser, "two.html")


def check_recordings(browser, palpate, folder, shared):
    """Every recording of the folder: its page opens, is drawn, and plays."""
    for place in sorted(path for path in shared.rglob("*") if path.is_dir()):
        files = sorted(place.glob("*.vtkhdf"))
        if not files:
            continue
        objects = [path for path in files if path.stem != "organ_tets"] or files
        if len(objects) == 1 and len(files) > 1:
            objects = files
        pair = ["--pair", f"{objects[0].stem}:{objects[0].stem}"] if len(objects) == 1 else []
        page = folder / f"{place.name}.html"
        begun = time.time()
        run(palpate, "report", *objects, *pair, "--out", page, "--limit", "expanded_bytes=2000000000")
        made = time.time() - begun
        begun = time.time()
        browser.open(page)
        opened = time.time() - begun
        rate = measure_rate(browser)
        playing, dropped = measure_playing(browser)
        check_sound(browser, page)
        browser.picture(folder / f"{place.name}.png")
        said = browser.value("document.getElementById('said').textContent")
        print(f"{place.name}: {page.stat().st_size / 1e6:.1f} MB, made in {made:.1f} s, opened in {opened:.1f} s, "
              f"{rate:.0f} frames a second in full, {playing:.0f} when it plays: {dropped}. {said}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("palpate")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--recordings", type=pathlib.Path)
    parser.add_argument("--picture", type=pathlib.Path)
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    browser = Browser()
    try:
        check_demo(browser, arguments.palpate, arguments.folder, arguments.picture)
        if arguments.recordings:
            check_recordings(browser, arguments.palpate, arguments.folder, arguments.recordings)
    finally:
        browser.close()
    print("the pages are sound")


if __name__ == "__main__":
    sys.exit(main())
