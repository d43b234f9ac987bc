#!/usr/bin/env python3
"""Writes a CycloneDX 1.5 bill of materials for each artefact of palpate:

    python3 release/bills.py FOLDER

palpate-<version>-crate.cdx.json, -command, -c, -wheel: what is linked into it, by cargo's own resolution for this machine's target
(`cargo tree`, without procedural macros and build scripts, which are not in it), with names, versions, checksums, licences and suppliers
from `Cargo.lock` and `cargo metadata`. PALPATE_SUPPORT_UNTIL=YYYY-MM-DD adds the end of support of palpate's own parts.
The same sources give the same bytes: there is no time stamp, and the serial number is a hash of the rest.
"""

import json
import os
import re
import subprocess
import sys
import tomllib
import uuid
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
REGISTRY = "registry+https://github.com/rust-lang/crates.io-index"
ARTEFACTS = {
    "crate": ("palpate", "library"),
    "command": ("palpate-cli", "application"),
    "c": ("palpate-capi", "library"),
    "wheel": ("palpate-python", "library"),
}


def cargo(*arguments: str) -> str:
    return subprocess.run(["cargo", *arguments], cwd=ROOT, check=True, capture_output=True, text=True).stdout


def reference(name: str, version: str) -> str:
    return f"pkg:cargo/{name}@{version}"


def component(package: dict, checksum: str | None, until: str | None, kind: str = "library") -> dict:
    """A part as CycloneDX names it."""
    is_own = package["source"] is None
    supplier = ", ".join(re.sub(r" *<[^>]*>", "", author) for author in package["authors"]) or f"the authors of {package['name']}"
    part = {
        "type": kind,
        "bom-ref": reference(package["name"], package["version"]),
        "supplier": {"name": supplier},
        "author": supplier,
        "name": package["name"],
        "version": package["version"],
        "description": " ".join((package["description"] or "").split()),
        "scope": "required",
        "licenses": [{"expression": package["license"].replace("/", " OR ")}],
        "purl": reference(package["name"], package["version"]),
    }
    if checksum:
        part["hashes"] = [{"alg": "SHA-256", "content": checksum}]
    if package["repository"]:
        part["externalReferences"] = [{"type": "vcs", "url": package["repository"]}]
    level = "actively maintained" if is_own else "open source, maintained by its authors; no end of support published"
    part["properties"] = [{"name": "support:level", "value": level}]
    if is_own and until:
        part["properties"].append({"name": "support:end-of-support", "value": until})
    return part


def bill(artefact: str, packages: dict, checksums: dict, until: str | None) -> dict:
    root_name, kind = ARTEFACTS[artefact]
    printed = cargo("tree", "--locked", "-p", root_name, "-e", "normal,no-proc-macro", "--prefix", "depth", "-f", " {p}")
    edges: dict[str, set[str]] = {}
    above: list[str] = []
    parts = {}
    for line in printed.splitlines():
        match = re.match(r"(\d+) (\S+) v(\S+)", line)
        if not match:
            continue
        depth, key = int(match[1]), (match[2], match[3])
        ref = reference(*key)
        parts[ref] = key
        edges.setdefault(ref, set())
        del above[depth:]
        if above:
            edges[above[-1]].add(ref)
        above.append(ref)
    root_ref = next(iter(parts))
    made = {ref: component(packages[key], checksums.get(key), until) for ref, key in parts.items()}
    root = {**made.pop(root_ref), "type": kind}
    document = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {
            "component": root,
            "supplier": root["supplier"],
            "tools": {"components": [{"type": "application", "name": "release/bills.py", "version": root["version"]}]},
        },
        "components": [made[ref] for ref in sorted(made)],
        "dependencies": [{"ref": ref, "dependsOn": sorted(edges[ref])} for ref in sorted(edges)],
    }
    document["serialNumber"] = "urn:uuid:" + str(uuid.uuid5(uuid.NAMESPACE_URL, json.dumps(document, sort_keys=True)))
    return document


def main() -> None:
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    metadata = json.loads(cargo("metadata", "--format-version", "1", "--locked"))
    packages = {(package["name"], package["version"]): package for package in metadata["packages"]}
    lock = tomllib.loads((ROOT / "Cargo.lock").read_text())
    checksums = {(package["name"], package["version"]): package.get("checksum") for package in lock["package"]}
    until = os.environ.get("PALPATE_SUPPORT_UNTIL")
    without = sorted(f"{name} {version}" for (name, version), package in packages.items() if not package["license"])
    if without:
        sys.exit(f"no licence is stated by: {', '.join(without)}")
    for artefact in ARTEFACTS:
        document = bill(artefact, packages, checksums, until)
        version = document["metadata"]["component"]["version"]
        path = folder / f"palpate-{version}-{artefact}.cdx.json"
        path.write_text(json.dumps(document, indent=1, sort_keys=True) + "\n")
        print(f"{path.name}: {len(document['components'])} parts")


if __name__ == "__main__":
    main()
