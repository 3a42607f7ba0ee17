#!/usr/bin/env python3
"""container_table.py KILN [MODELS]: packs the atlases of the sample rigs, and of rigs of the folder MODELS that
are there, in every form, and prints docs/bench/container.md. Times are those of `kiln bench container`."""
import json
import os
import platform
import subprocess
import sys
import tempfile
from pathlib import Path

SAMPLES = Path(__file__).resolve().parents[1] / "resources" / "samples"
SHARED = ["woman_packt/Woman.gltf", "robot_expressive/RobotExpressive.glb", "fox/Fox.glb",
          "cesium_man/CesiumMan.glb"]
# What ACL needs for the ten clips of Woman, at its own error of 0.01 cm at 3 cm.
ACL = 224000
FORMS = ["none", "fast", "small"]

HEAD = """# Sizes and times of containers

What `kiln bake --pack none|fast|small` writes for the same atlas ([ckatlas-packed.md](../ckatlas-packed.md)), made by
`scripts/container_table.py KILN MODELS` on {machine}. `none` is what versions up to 6 write, texels as they are; all
forms are without loss, so the error (the largest at a vertex, of the relative reading) is that of the bake. `compact` are bakes
with `--compact` and so many millimetres: rounded to what `small` predicts, which `fast` does not gain by. Bytes are those of whole files, names and matrices included. Times are megabytes of texels for a second of processor time of one
thread, and in brackets relative to copying the texels.
"""


def document(kiln, *arguments):
    done = subprocess.run([kiln, *map(str, arguments), "--json"], check=True, capture_output=True,
                          stdin=subprocess.DEVNULL)
    return json.loads(done.stdout)


def row(kiln, rig, encoding, compact=None):
    options = ["--encoding", encoding, *(["--compact", compact] if compact else [])]
    bench = document(kiln, "bench", "container", rig, *options)
    found = {(r["name"].split()[1], r["variant"]): r for r in bench["rows"]}
    with tempfile.TemporaryDirectory() as folder:
        baked = document(kiln, "bake", rig, "-o", folder, "--export", "ckatlas", *options)
    sizes = [found["write", form]["atlasBytes"] for form in FORMS]
    speeds = [f"{found[way, form]['unitsPerSecond'] / 1e6:.3g} ({found[way, form]['ratioToLimit']:.2g})"
              for form in FORMS[1:] for way in ("write", "read")]
    error = baked["error"]["vertexMaxMm"]
    cells = [rig.stem, f"{encoding}, compact {compact}" if compact else encoding, f"{baked['atlas']['bytes']:,}", *(f"{size:,}" for size in sizes),
             f"{sizes[2] / sizes[0]:.3f}", *speeds, f"{error:.3f}"]
    return "| " + " | ".join(cells) + " |", sizes


def machine():
    model = next((line.split(":")[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")),
                 platform.processor())
    return f"{model}, {os.cpu_count()} cores"


def main():
    kiln = sys.argv[1]
    rigs = [SAMPLES / "humanoid.glb", SAMPLES / "animal.glb"]
    if len(sys.argv) > 2:
        rigs += [path for path in (Path(sys.argv[2]) / name for name in SHARED) if path.exists()]
    print(HEAD.format(machine=machine()))
    print("| rig | encoding | texels | none | fast | small | small / none | write fast | read fast | write small"
          " | read small | error, mm |")
    print("|---|---|" + "---:|" * 10)
    woman = {}
    for rig in rigs:
        for compact in (None, "0.1", "1"):
            line, sizes = row(kiln, rig, "P16", compact)
            print(line)
            if rig.stem == "Woman":
                woman[compact] = sizes
    for encoding in ["T16", "T8", "T32", "M16", "M16F", "M32"]:
        print(row(kiln, rigs[0], encoding)[0])
    if woman:
        plain, compact = woman[None], woman["0.1"]
        print(f"\nACL compresses the clips of Woman to {ACL:,} bytes, at an error of 0.01 cm at 3 cm from joints and a"
              f" unit of one metre:\n`fast` is {plain[1] / ACL:.2f} of that, `small` {plain[2] / ACL:.2f}, with"
              " nothing lost beyond the encoding.\nWith `--compact 0.1`, so that no vertex moves by more than ACL's"
              f" error, `small` is {compact[2] / ACL:.2f}; with 1 mm, a seven-thousandth of her height,"
              f" {woman['1'][2] / ACL:.2f}.")


if __name__ == "__main__":
    main()
