#!/usr/bin/env python3
"""make_atlas_seeds.py KILN: writes the seeds of scripts/fuzz.sh into atlas/: a small rig baked in several
encodings and layouts, packed in every form."""
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
RIG = "tests/data/rigs/strip.gltf"  # from ROOT, so that the files name no folder of a machine
SETS = [("P16", "rows", "small"), ("P16", "rows", "fast"), ("P16", "linear", "none"), ("T16", "rows", "small"),
        ("T8", "tiles", "small"), ("T32", "rows", "fast"), ("M16F", "linear", "small"), ("T8", "rows", "small"),
        ("T8", "rows", "fast"), ("T16", "rows", "small", "r"), ("M16", "rows", "small"), ("T32", "rows", "none"),
        ("M16F", "rows", "none")]


def main():
    (HERE / "atlas").mkdir(exist_ok=True)
    for encoding, layout, pack, *components in SETS:
        with tempfile.TemporaryDirectory() as folder:
            options = ["--encoding", encoding, "--layout", layout, "--pack", pack, "--export", "ckatlas"]
            if components:
                options += ["--components", *components]
            if layout == "tiles":
                options += ["--tile", "16"]
            subprocess.run([Path(sys.argv[1]).resolve(), "bake", RIG, "-o", folder, *options], check=True,
                           stdout=subprocess.DEVNULL, cwd=ROOT)
            name = "-".join([encoding, *components, layout, pack]).lower() + ".ckatlas"
            (HERE / "atlas" / name).write_bytes((Path(folder) / "strip.ckatlas").read_bytes())


if __name__ == "__main__":
    main()
