"""The package itself: types, documents, examples, the notebook, licences."""

import doctest
import email
import importlib.metadata
import io
import json
import os
import pathlib
import pkgutil
import re
import runpy
import subprocess
import sys
from contextlib import redirect_stdout

import numpy as np
import pytest
from conftest import HERE

import palpate
from palpate import _palpate


def modules():
    """All modules of the package."""
    found = pkgutil.walk_packages(palpate.__path__, "palpate.")
    return ["palpate", *(module.name for module in found if not module.name.endswith("__main__"))]


def test_examples_of_the_docstrings():
    tried = 0
    for name in modules():
        module = __import__(name, fromlist=["_"])
        result = doctest.testmod(module, optionflags=doctest.NORMALIZE_WHITESPACE)
        assert result.failed == 0, name
        tried += result.attempted
    assert tried > 60, tried


# Proves: REQ-PY-TYPED
def test_everything_public_is_documented_and_typed():
    for name in palpate.__all__:
        thing = getattr(palpate, name)
        if callable(thing) and not isinstance(thing, np.dtype):
            assert thing.__doc__, name
    assert (pathlib.Path(palpate.__file__).parent / "py.typed").exists()


# Proves: REQ-PY-TYPED
def test_the_types_are_those_of_the_module():
    pytest.importorskip("mypy")
    configuration = str(HERE / "pyproject.toml")
    stubs = ["mypy.stubtest", "palpate._palpate", "--concise", "--mypy-config-file", configuration]
    for check in (stubs, ["mypy", "--config-file", configuration, "--package", "palpate"]):
        run = subprocess.run([sys.executable, "-m", *check], capture_output=True, text=True, check=False)
        assert run.returncode == 0, run.stdout + run.stderr


def test_the_settings_are_those_of_rust():
    make_settings = runpy.run_path(str(HERE / "make_settings.py"))
    assert pathlib.Path(palpate.settings.__file__).read_text(encoding="utf-8") == make_settings["text"]()


def blocks(path):
    """The blocks of Python in a document."""
    return re.findall(r"^```python\n(.*?)^```", path.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


# Proves: REQ-PY-EXAMPLES
@pytest.mark.parametrize("document", ["README.md", "docs/python.md", "docs/machines.md"])
def test_examples_of_the_documents(document, tmp_path, monkeypatch, session):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "session.vtkhdf").write_bytes(session[0].read_bytes())
    found, names = blocks(HERE.parents[1] / document), {"__name__": "__example__"}
    assert found
    for text in found:
        if text.startswith("# Not run"):
            continue
        out = io.StringIO()
        with redirect_stdout(out):
            exec(compile(text, document, "exec"), names)
        # What a comment "prints …" after a print says.
        wanted = re.findall(r"# prints (.*)", text)
        assert out.getvalue().split("\n")[: len(wanted)] == wanted, (text, out.getvalue())


def test_the_array_job_of_slurm(tmp_path, session):
    text = (HERE.parents[1] / "docs" / "machines.md").read_text(encoding="utf-8")
    (script,) = re.findall(r"^```bash\n(#!/bin/sh.*?)^```", text, re.MULTILINE | re.DOTALL)
    (tmp_path / "sessions").mkdir()
    for name in ("one", "two", "three"):
        (tmp_path / "sessions" / f"{name}.vtkhdf").write_bytes(session[0].read_bytes())
    shim = tmp_path / "palpate"
    shim.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m palpate "$@"\n', encoding="utf-8")
    shim.chmod(0o755)
    for number in range(10):
        environment = {**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}", "SLURM_ARRAY_TASK_ID": str(number)}
        subprocess.run(["sh", "-c", script], cwd=tmp_path, env=environment, check=True, capture_output=True)
    made = sorted(path.name for path in (tmp_path / "results").iterdir())
    assert made == ["one.h5", "three.h5", "two.h5"]


# Proves: REQ-PY-EXAMPLES
def test_the_notebook(tmp_path, monkeypatch):
    pytest.importorskip("matplotlib").use("agg")
    notebook = json.loads((HERE / "examples" / "first_contacts.ipynb").read_text(encoding="utf-8"))
    monkeypatch.chdir(tmp_path)
    names, compared = {}, 0
    for cell in notebook["cells"]:
        if cell["cell_type"] != "code":
            continue
        out = io.StringIO()
        with redirect_stdout(out):
            exec(compile("".join(cell["source"]), "notebook", "exec"), names)
        wanted = "".join(text for output in cell["outputs"] for text in output.get("text", []))
        assert out.getvalue() == wanted
        compared += bool(wanted)
    assert compared >= 3


# Proves: REQ-PY-LICENCES
def test_the_licences_of_what_is_in_the_wheel():
    files = importlib.metadata.files("palpate") or []
    boms = [file for file in files if "sboms" in str(file) and file.suffix == ".json"]
    if not boms:
        pytest.skip("not installed from a wheel")
    allowed = {"MIT", "Apache-2.0", "Unicode-3.0", "Unlicense", "BSD-2-Clause", "BSD-3-Clause", "Zlib", "0BSD", "CC0-1.0",
               "BSL-1.0", "MIT-0", "Apache-2.0 WITH LLVM-exception"}
    count = 0
    for bom in boms:
        for component in json.loads(bom.read_text(encoding="utf-8"))["components"]:
            licences = [entry.get("expression") or entry["license"].get("id", entry["license"].get("name"))
                        for entry in component.get("licenses", [])]
            assert licences, component["name"]
            for text in licences:
                # One of the choices of every part that is joined by AND.
                for part in text.replace("(", "").replace(")", "").split(" AND "):
                    assert any(choice.strip() in allowed for choice in re.split(r" OR |/", part)), (component["name"], text)
            count += 1
    assert count > 50, count


def test_the_metadata():
    text = importlib.metadata.metadata("palpate")
    assert isinstance(text, email.message.Message)
    needs = importlib.metadata.requires("palpate") or []
    assert [need for need in needs if "extra" not in need] == ["numpy>=1.23"]
    assert _palpate.__version__ == text["Version"] or text["Version"].startswith(_palpate.__version__)
