#!/usr/bin/env python3
"""make_seeds.py FOLDER: gathers the files that scripts/fuzz.sh and mutate_imports change, a folder for each
target: small rigs of every feature that tests/tools/probes writes, and those files of tests/data that a target's
reader reads. tests/data/fuzz/TARGET holds what no other test has."""
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ENDINGS = {"gltf": [".gltf", ".glb"], "fbx": [".fbx"], "collada": [".dae"], "md5": [".md5mesh", ".md5anim"],
           "bvh": [".bvh"], "x": [".x"], "project": [".crowd"], "sidecar": [".atlas.json"], "atlas": [".ckatlas"]}


def main():
    out = Path(sys.argv[1])
    shutil.rmtree(out, ignore_errors=True)
    probes = out / "probes"
    probes.mkdir(parents=True)
    subprocess.run([sys.executable, "-B", ROOT / "tests/tools/probes/make_probes.py", probes], check=True)
    data = ROOT / "tests/data"
    files = [file for folder in (probes, data / "rigs", data / "projects", data / "atlases")
             for file in sorted(folder.rglob("*")) if file.is_file()]
    for target, endings in ENDINGS.items():
        (out / target).mkdir()
        for number, file in enumerate(files):
            if file.name.endswith(tuple(endings)):
                shutil.copyfile(file, out / target / f"{number:04}-{file.name}")
    for folder in (data / "fuzz").iterdir():
        if folder.is_dir():
            shutil.copytree(folder, out / folder.name, dirs_exist_ok=True)
    shutil.rmtree(probes)


main()
