#!/usr/bin/env python3
"""`site.py gather FOLDER REFERENCE` copies the pages of docs/ to a folder for mdBook, with the other files of the repository that they link to
(in `files/`), and a link to the reference of the crates where there is one. `site.py check SITE` fails where a link of the site leads nowhere."""

import os
import re
import shutil
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

ROOT = Path(__file__).resolve().parent.parent
LINK = re.compile(r"\]\(([^)#:\s]+)(#[^)]*)?\)")


def gather(folder: Path, reference: Path) -> None:
    shutil.copytree(ROOT / "docs", folder, dirs_exist_ok=True)
    for page in folder.rglob("*.md"):
        original = ROOT / "docs" / page.relative_to(folder)

        def moved(link: re.Match[str]) -> str:
            target = (original.parent / link[1]).resolve()
            if target.is_relative_to(ROOT / "docs") or not target.exists():
                return link[0]
            kept = folder / "files" / target.relative_to(ROOT)
            # A page outside of docs/ is shown as it is; a folder by its list of files.
            kept.parent.mkdir(parents=True, exist_ok=True)
            if target.is_dir():
                kept.mkdir(exist_ok=True)
                kept = kept / "index.txt"
                kept.write_text("".join(f"{file.name}\n" for file in sorted(target.iterdir())))
            else:
                kept = kept.with_suffix(".txt") if kept.suffix == ".md" else kept
                shutil.copy(target, kept)
            return f"]({os.path.relpath(kept, page.parent)})"

        page.write_text(LINK.sub(moved, page.read_text()))
    if (reference / "palpate").is_dir():
        summary = folder / "SUMMARY.md"
        entry = "# Link\n\n- [The Rust crates](rust.md)"
        summary.write_text(summary.read_text().replace("# Link\n", entry, 1))
        (folder / "rust.md").write_text("# The Rust crates\n\n[The reference](reference/palpate/index.html) of `palpate` and its crates, made by rustdoc.\n")


class Links(HTMLParser):
    """The links of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.found += [value for name, value in attributes if name in ("href", "src") and value]


def check(site: Path) -> None:
    pages, links, wrong = 0, 0, []
    for page in site.rglob("*.html"):
        if "reference" in page.relative_to(site).parts or page.name in ("404.html", "toc.html"):
            continue
        pages += 1
        parser = Links()
        parser.feed(page.read_text())
        for link in parser.found:
            path = unquote(link.split("#")[0].split("?")[0])
            if not path or re.match(r"[a-z]+:", path):
                continue
            links += 1
            if not (page.parent / path).exists():
                wrong.append(f"{page.relative_to(site)}: {link}")
    print(f"{pages} pages, {links} links, {len(wrong)} lead nowhere")
    if wrong:
        sys.exit("\n".join(wrong))


if __name__ == "__main__":
    if sys.argv[1] == "gather":
        gather(Path(sys.argv[2]), Path(sys.argv[3]))
    else:
        check(Path(sys.argv[2]))
