#!/usr/bin/env python3
"""make_seeds.py FOLDER: gathers the files that scripts/fuzz.sh and mutate_imports change, a folder for each
target: small rigs of every feature that tests/tools/probes writes, those files of tests/data that a target's
reader reads, and what tests/cli/refusal_tables.py makes of them. tests/data/fuzz/TARGET holds what no other test has."""
import json
import shutil
import struct
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/cli"))
import refusal_tables as tables
from atlas_fields import Fields

ENDINGS = {"gltf": [".gltf", ".glb"], "fbx": [".fbx"], "collada": [".dae"], "md5": [".md5mesh", ".md5anim"],
           "bvh": [".bvh"], "x": [".x"], "project": [".crowd"], "sidecar": [".atlas.json"], "atlas": [".ckatlas"]}

# Values that no kept sidecar has: places of tests/data/fuzz/sidecar/a.atlas.json and their values.
SIDECAR_PLACES = [
    ("joints.0.socket", True),
    ("clips.0.shape.loopOffset", 0.25),
    ("clips.0.shape.trim", {"startSeconds": 0.25, "endSeconds": 0.5}),
    ("clips.0.events", [{"name": "step", "unit": 0.5, "added": True}]),
    ("decode", {}),
    ("decode", tables.REMOVED),
    ("decode", {"address": 1}),
    ("decode", []),
]


def refused_documents(base, rows, before=""):
    """The texts of a table; rows whose places the base does not have are left out."""
    for place, value, *_ in rows:
        try:
            yield before + json.dumps(tables.changed(base, place, value))
        except (IndexError, KeyError, TypeError):
            pass


def refused(kept):
    """The files that tests/cli/refusals_test.py hands to kiln, by targets; `kept` is the folder of what is kept for them."""
    project = json.dumps(tables.PROJECT)
    yield "project", project
    for text in refused_documents(tables.PROJECT, tables.PROJECTS):
        yield "project", text
    for old, new, *_ in tables.PROJECT_TEXTS:
        yield "project", project.replace(old, new, 1)
    for name in ["a", "b", "e"]:
        base = json.loads((kept / f"sidecar/{name}.atlas.json").read_text())
        for text in refused_documents(base, [*tables.SIDECARS, *SIDECAR_PLACES]):
            yield "sidecar", text
    # The first byte chooses the reader (fuzz_texts.cpp).
    for text, *_ in tables.CSV:
        yield "texts", "A" + text
    actors = (kept / "texts/actors.json").read_text()
    for text in refused_documents(json.loads(actors[1:]), tables.PLACEMENTS, actors[0]):
        yield "texts", text
    whole = (kept / "atlas/p16-linear.ckatlas").read_bytes()
    for place, value, *_ in tables.CKATLAS:
        at, form = Fields(whole).places[place]
        data = bytearray(whole)
        struct.pack_into("<" + form, data, at, value)
        yield "atlas", bytes(data)


def main():
    out = Path(sys.argv[1])
    shutil.rmtree(out, ignore_errors=True)
    probes = out / "probes"
    probes.mkdir(parents=True)
    subprocess.run([sys.executable, "-B", ROOT / "tests/tools/probes/make_probes.py", probes], check=True)
    data = ROOT / "tests/data"
    files = [file for folder in (probes, data / "rigs", data / "projects")
             for file in sorted(folder.rglob("*")) if file.is_file()]
    for target, endings in ENDINGS.items():
        (out / target).mkdir()
        for number, file in enumerate(files):
            if file.name.endswith(tuple(endings)):
                shutil.copyfile(file, out / target / f"{number:04}-{file.name}")
    for folder in (data / "fuzz").iterdir():
        if folder.is_dir():
            shutil.copytree(folder, out / folder.name, dirs_exist_ok=True)
    for number, (target, content) in enumerate(refused(data / "fuzz")):
        (out / target / f"refused-{number:04}").write_bytes(content if isinstance(content, bytes) else content.encode())
    shutil.rmtree(probes)


main()
