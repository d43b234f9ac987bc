#!/usr/bin/env python3
"""`packages.py order` prints the crates that are published, each after those that it needs.
`cargo package --list -p NAME | packages.py contents NAME` fails where a package has what does not belong there, or lacks what does."""

import json
import subprocess
import sys


def order() -> list[str]:
    told = subprocess.run(["cargo", "metadata", "--format-version", "1", "--no-deps", "--locked"], check=True, capture_output=True, text=True)
    packages = [package for package in json.loads(told.stdout)["packages"] if package["publish"] != []]
    names = {package["name"] for package in packages}
    needs = {
        package["name"]: {need["name"] for need in package["dependencies"] if need["kind"] != "dev"} & names
        for package in packages
    }
    ordered: list[str] = []
    while needs:
        ready = sorted(name for name, wanted in needs.items() if wanted <= set(ordered))
        if not ready:
            sys.exit(f"these need each other: {', '.join(sorted(needs))}")
        ordered += ready
        for name in ready:
            del needs[name]
    return ordered


def contents(name: str, files: list[str]) -> None:
    for wanted in ("Cargo.toml", "LICENSE-APACHE", "LICENSE-MIT", "README.md"):
        if wanted not in files:
            sys.exit(f"{name}: {wanted} is missing")
    folders = ("src/", "examples/", "page/", "Cargo.", "LICENSE-", "README.md", ".cargo_vcs_info.json", "build.rs")
    others = [file for file in files if not file.startswith(folders)]
    if others:
        sys.exit(f"{name}: {', '.join(others[:10])} do not belong into a package")
    print(f"{name}: {len(files)} files")


if __name__ == "__main__":
    if sys.argv[1] == "order":
        print("\n".join(order()))
    else:
        contents(sys.argv[2], sys.stdin.read().split("\n")[:-1])
