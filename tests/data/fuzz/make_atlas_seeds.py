#!/usr/bin/env python3
"""make_atlas_seeds.py KILN: writes the seeds of scripts/fuzz.sh into atlas/, and sidecars of some into sidecar/: a
small rig baked in several encodings and layouts. What is there stays as the version wrote it that made it."""
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
RIG = "tests/data/rigs/strip.gltf"  # from ROOT, so that the files name no folder of a machine
SETS = [("P16", "rows"), ("P16", "linear"), ("T16", "rows"), ("T8", "tiles"), ("T32", "rows"), ("M16F", "linear"),
        ("T8", "rows"), ("T16", "rows", "r"), ("M16", "rows"), ("M16F", "rows")]
# A name, and options. They have sidecars, too.
FURTHER = [("reduced", ["--reduce", "2", "--frames", "40"]), ("reduced-less", ["--reduce", "2"]),
           ("morphs-16", ["--morph-bits", "16", "--morph-slots", "2"]), ("nearest", ["--interpolate", "off"]),
           *((encoding.lower(), ["--encoding", encoding]) for encoding in ["P16F", "P8", "U128", "U64", "R64", "R32", "D16"])]


def bake(kiln, folder, formats, options):
    subprocess.run([kiln, "bake", RIG, "-o", folder, "--export", formats, *options], check=True,
                   stdout=subprocess.DEVNULL, cwd=ROOT)


def main():
    kiln = Path(sys.argv[1]).resolve()
    (HERE / "atlas").mkdir(exist_ok=True)
    for encoding, layout, *components in SETS:
        kept = HERE / "atlas" / ("-".join([encoding, *components, layout]).lower() + ".ckatlas")
        if kept.exists():
            continue
        options = ["--encoding", encoding, "--layout", layout]
        if components:
            options += ["--components", *components]
        if layout == "tiles":
            options += ["--tile", "16"]
        with tempfile.TemporaryDirectory() as folder:
            bake(kiln, folder, "ckatlas", options)
            kept.write_bytes((Path(folder) / "strip.ckatlas").read_bytes())
    for name, options in FURTHER:
        if (HERE / "atlas" / f"{name}.ckatlas").exists():
            continue
        with tempfile.TemporaryDirectory() as folder:
            bake(kiln, folder, "ckatlas,json,raw", options)
            for ending, into in [("ckatlas", "atlas"), ("atlas.json", "sidecar")]:
                (HERE / into / f"{name}.{ending}").write_bytes((Path(folder) / f"strip.{ending}").read_bytes())


if __name__ == "__main__":
    main()
