"""Writes package/palpate/settings.py: the settings structs of the Rust library as dataclasses, from its registry.

    python make_settings.py
"""

import json
import pathlib
import textwrap

from palpate import _palpate

HEAD = '''"""Settings of detectors as dataclasses, made from the Rust library by ``make_settings.py``: do not edit.

A field that is ``None`` has the default of the detector, or of the alias by which it is named. What the detectors' defaults are is in
``docs/settings.md``.

>>> import palpate
>>> scene = palpate.Scene()
>>> boxes = [scene.add(name, palpate.oriented_box([1, 1, 1])) for name in "ab"]
>>> pair = scene.add_pair(*boxes, settings=palpate.settings.ManifoldSettings(manifold=False))
>>> scene.settings(pair)["manifold"], scene.step().contacts
(False, 1)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal
'''

TYPES = {"boolean": "bool", "number": "float"}


def text() -> str:
    """The text of the module."""
    structs: dict[str, dict[str, dict]] = {}
    for detector in json.loads(_palpate.detectors()):
        if detector["settings"]:
            fields = structs.setdefault(detector["settings_type"], {"fields": {}, "detectors": []})
            fields["fields"].update({setting["name"]: setting for setting in detector["settings"]})
            fields["detectors"].append(detector["name"])
    out = [HEAD]
    for name, struct in sorted(structs.items()):
        used = textwrap.fill(f"Settings of {', '.join(struct['detectors'])}.", 118, break_long_words=False)
        used = used.replace("\n", "\n    ")
        out.append(f'\n\n@dataclass(frozen=True)\nclass {name}:\n    """{used}"""\n')
        for field, setting in sorted(struct["fields"].items()):
            values = setting["values"]
            kind = TYPES.get(values) if isinstance(values, str) else f"Literal[{', '.join(json.dumps(v) for v in values)}]"
            comment = textwrap.wrap(setting["meaning"], 120)
            out.append("\n" + "".join(f"    #: {line}\n" for line in comment) + f"    {field}: {kind} | None = None\n")
    return "".join(out)


if __name__ == "__main__":
    path = pathlib.Path(__file__).parent / "package" / "palpate" / "settings.py"
    path.write_text(text(), encoding="utf-8")
