"""All that the command line offers, printed from the program and held against tests/data/inventory.

options.txt: every option of every program and command with its values and defaults; codes.txt: exit,
error and note codes; json.txt: the keys of every document; formats.txt: the files that are read and
written. A line that is lost or new fails until the kept list says so too; scripts/inventory.sh writes
the lists.
"""

import json
import os
import re
import shutil
import struct
import subprocess
import unittest
from pathlib import Path

from kiln_driver import KILN, SAMPLE, KilnTest

SOURCE = Path(os.environ["CK_SOURCE_DIR"])
LISTS = SOURCE / "tests" / "data" / "inventory"
EVERYTHING = LISTS / "everything.crowd"
COMMANDS = ["info", "pose", "bake", "fit", "export", "verify", "render", "bench"]


def options_of(program, text):
    """'kiln bake --rate HZ (default: ...)' of each option in the text of --help."""
    # An option's description may stand on lines of its own, far to the right.
    entries = []
    for line in text.splitlines():
        if re.match(r" {1,8}\S", line):
            entries.append(line)
        elif line.startswith(" " * 9) and entries:
            entries[-1] += "  " + line.strip()
        elif line:
            entries.append("")
    for entry in entries:
        found = re.match(r" +(\S.*?)(?: {2,}(.*))?$", entry)
        if not found:
            continue
        said = re.findall(r"\(default[^)]*\)", re.sub(" +", " ", found[2] or ""))
        yield " ".join([program, found[1], *said])


def keys_of(value, path=""):
    """'clips[].name: string' of each value in a document."""
    if isinstance(value, dict) and value:
        for key, inner in value.items():
            yield from keys_of(inner, f"{path}.{key}" if path else key)
    elif isinstance(value, list) and value:
        for inner in value:
            yield from keys_of(inner, path + "[]")
    else:
        kinds = {dict: "object", list: "array", str: "string", bool: "bool", type(None): "null"}
        yield f"{path}: {kinds.get(type(value), 'number')}"


class Inventory(KilnTest):
    def compare(self, name, lines):
        found = list(dict.fromkeys(lines))
        if os.environ.get("CK_INVENTORY") == "write":
            (LISTS / name).write_text("\n".join(found) + "\n")
        kept = (LISTS / name).read_text().splitlines()
        lost = [f"- {line}" for line in kept if line not in found]
        new = [f"+ {line}" for line in found if line not in kept]
        self.assertFalse(lost + new, "\n" + "\n".join(lost + new))

    def test_options(self):
        lines = []
        for program in ["kiln", "crowdkiln", "kiln-import"]:
            for command in [None, *(COMMANDS if program == "kiln" else [])]:
                arguments = [str(Path(KILN).parent / program), *([command] if command else [])]
                done = subprocess.run([*arguments, "--help"], capture_output=True, check=True)
                lines += options_of(" ".join([program, *arguments[1:]]), done.stdout.decode())
        self.compare("options.txt", lines)

    def test_codes(self):
        shell = (SOURCE / "app" / "options" / "shell.cpp").read_text()
        interrupted = re.search(r"kInterrupted = (\d+)", (SOURCE / "app/options/shell.h").read_text())[1]
        exits, cases = {}, []
        for case, code in re.findall(r"case ErrorCode::(\w+):|return (\w+);", shell):
            if case:
                cases.append(case)
            for each in cases if code else []:
                exits[each] = interrupted if code == "kInterrupted" else code
            cases = [] if code else cases
        errors = (SOURCE / "docs" / "errors.md").read_text()
        self.assertEqual(exits, dict(re.findall(r"^\| `(\w+)` \| (\d+) \|", errors, re.M)))
        lines = [f"error {code}: exit {exit}" for code, exit in exits.items()]
        usage = (SOURCE / "docs" / "cli.md").read_text()
        lines += [f"exit {code}" for code in re.findall(r"^\| (\d+) \|", usage, re.M)]
        noted = dict(re.findall(r"^\| `(\w+)` \| ([iw]) \|", (SOURCE / "docs/notes.md").read_text(), re.M))
        sources = [p for room in ["app", "core", "render", "ui"] for p in (SOURCE / room).rglob("*.cpp")]
        sources += (SOURCE / "resources" / "blender").glob("*.py")
        code = "\n".join(p.read_text() for p in sources)
        self.assertEqual(set(re.findall(r'Note::Level::\w+,\s*"(\w+)"', code)) - set(noted), set())
        self.assertEqual([name for name in noted if f'"{name}"' not in code], [])
        self.compare("codes.txt", lines + [f"note {name}: {level}" for name, level in noted.items()])

    def test_json(self):
        rig = self.marked({"events": [{"name": "left", "seconds": 0.25}]})
        walk = ["--clips", "walk"]
        small = ["--size", "32x32", "--time", "1"]
        bake = ["bake", rig, *walk, "--export", "ckatlas,exr,png,json"]
        documents = {
            "info": ["info", rig],
            "project info": ["info", EVERYTHING],
            "pose": ["pose", rig, "--clip", "walk", "--vertices", "2"],
            "pose --times": ["pose", rig, "--clip", "walk", "--times", "0,0.5"],
            "bake": [*bake, "-o", "atlas", "--max-error", "9", "--max-bytes", "9M"],
            "bake T16": [*bake, "-o", "t16", "--encoding", "T16", "--root", "extract",
                         "--loop-offset", "0.25"],
            "fit": ["fit", rig, *walk, "--max-error", "9"],
            "fit where nothing fits": ["fit", rig, "--clips", "walk,run", "--encoding", "P16",
                                       "--max-error", "9", "--max-bytes", "20K"],
            "verify": ["verify", "atlas", "--max-error", "9"],
            "render": ["render", rig, *walk, "-o", "a.png", *small, "--errors", "--events",
                       "--with", SAMPLE.parent / "animal.glb", "--method", "prepass"],
            "render live": ["render", rig, "-o", "b.png", *small, "--method", "live",
                            "--packed-influences"],
            "render of a project": ["render", EVERYTHING, "-o", "c.png", *small],
            "render --sheet": ["render", rig, *walk, "-o", "d.png", "--sheet", "2", "--size", "9x9"],
            "render --view error": ["render", rig, *walk, "-o", "e.png", *small, "--view", "error"],
            "export": ["export", EVERYTHING, "-o", "sets", "--export", "ckatlas"],
            "bench": ["bench", "import", rig],
            "bench bake": ["bench", "bake", rig, *walk],
            "error": ["info", "gone.glb"],
        }
        codes = {"error": 3, "fit where nothing fits": 1}
        keys = {}
        for name, arguments in documents.items():
            document = self.document(*arguments, code=codes.get(name, 0))
            keys[name] = set(keys_of(document))
        for name, folder in [("sidecar", "atlas"), ("sidecar T16", "t16")]:
            sidecar = json.loads(next((self.folder / folder).glob("*.json")).read_text())
            keys[name] = set(keys_of(sidecar))
        placed = json.loads(next((self.folder / "sets").glob("*.actors.json")).read_text())
        keys["actors"] = set(keys_of(placed))
        table = next((self.folder / "sets").glob("*.actors.csv")).read_text().splitlines()[0]
        lines = [f"table of actors > {column}" for column in table.split(",")]
        for name, found in keys.items():
            # Of further documents of a command only what the first has not, and the other way round.
            first = keys[name.split()[0]] if " " in name and name.split()[0] in keys else set()
            lines += [f"{name} > {key}" for key in sorted(found - first)]
            lost = {re.split(r"[.:[]", key)[0] for key in first}
            lost -= {re.split(r"[.:[]", key)[0] for key in found}
            lines += [f"{name} lacks {key}" for key in sorted(lost)]
        self.compare("json.txt", lines)

    def test_formats(self):
        lines = []
        for ending in "glb vrm vrma gltf fbx dae md5mesh md5anim bvh x blend iqm obj crowd".split():
            (self.folder / f"rig.{ending}").write_text("no rig")
            error = self.document("info", f"rig.{ending}", code=3)["error"]["code"]
            lines.append(f"read by its ending *.{ending}: " + ("no" if error == "Unsupported" else "yes"))
        for rig in sorted((SOURCE / "tests" / "data" / "rigs").glob("*.*")):
            if rig.suffix == ".py":
                continue
            done = self.kiln("info", rig, "--json")
            lines.append(f"read {rig.name}: {json.loads(done.stdout).get('format')}")
        self.document("bake", SAMPLE, "-o", "atlas", "--clips", "walk", "--export", "ckatlas,exr,png,json")
        for file in sorted((self.folder / "atlas").iterdir()):
            lines.append("written by bake: *" + "".join(file.suffixes))
        version = struct.unpack_from("<I", next((self.folder / "atlas").glob("*.ckatlas")).read_bytes(), 8)[0]
        lines.append(f"version of *.ckatlas: {version}")
        self.render(SAMPLE, "-o", "a.png", "--size", "9x9", "--stats", "a.csv")
        for ending in ["png", "csv"]:
            self.assertTrue((self.folder / f"a.{ending}").stat().st_size > 0)
            lines.append(f"written by render: *.{ending}")
        self.compare("formats.txt", lines)


if __name__ == "__main__":
    unittest.main()
