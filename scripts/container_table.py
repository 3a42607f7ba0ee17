#!/usr/bin/env python3
"""container_table.py KILN [MODELS]: packs the atlases of the sample rigs, and of rigs of the folder MODELS that
are there, and prints docs/bench/container.md. Times are those of `kiln bench container`."""
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
# The bytes that ACL needs for the ten clips of Woman, at its own error of 0.01 cm at 3 cm.
ACL = 224000

HEAD = """# Sizes and times of containers

What `kiln bake --export ckatlas` writes ([ckatlas-packed.md](../ckatlas-packed.md)), made by `scripts/container_table.py KILN MODELS`
on {machine}. Packing is without loss, so the error (the largest at a vertex, of the relative reading) is that of the bake. Bytes are
those of whole files, names and matrices included. Times are megabytes of texels for a second of processor time of one thread, and
in brackets relative to copying the texels.
"""


def document(kiln, *arguments):
    done = subprocess.run([kiln, *map(str, arguments), "--json"], check=True, capture_output=True,
                          stdin=subprocess.DEVNULL)
    return json.loads(done.stdout)


def row(kiln, rig, encoding):
    bench = document(kiln, "bench", "container", rig, "--encoding", encoding)
    found = {r["name"].split()[1]: r for r in bench["rows"]}
    with tempfile.TemporaryDirectory() as folder:
        baked = document(kiln, "bake", rig, "-o", folder, "--export", "ckatlas", "--encoding", encoding)
    size, texels = found["write"]["atlasBytes"], baked["atlas"]["bytes"]
    speeds = [f"{found[way]['unitsPerSecond'] / 1e6:.3g} ({found[way]['ratioToLimit']:.2g})" for way in ("write", "read")]
    cells = [rig.stem, encoding, f"{texels:,}", f"{size:,}", f"{size / texels:.3f}", *speeds,
             f"{baked['error']['vertexMaxMm']:.3f}"]
    return "| " + " | ".join(cells) + " |", size


def machine():
    model = next((line.split(":")[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")),
                 platform.processor())
    return f"{model}, {os.cpu_count()} cores"


def main():
    kiln = sys.argv[1]
    rigs = [SAMPLES / "humanoid.glb", SAMPLES / "animal.glb"]
    if len(sys.argv) > 2:
        rigs += [path for path in (Path(sys.argv[2]) / name for name in SHARED) if path.exists()]
    woman = 0
    print(HEAD.format(machine=machine()))
    print("| rig | encoding | texels | file | file / texels | write | read | error, mm |")
    print("|---|---|" + "---:|" * 6)
    for rig in rigs:
        line, size = row(kiln, rig, "P16")
        print(line)
        if rig.stem == "Woman":
            woman = size
    for encoding in ["T16", "T8", "T32", "M16", "M16F", "M32"]:
        print(row(kiln, rigs[0], encoding)[0])
    if woman:
        print(f"\nACL compresses the clips of Woman to {ACL:,} bytes, at an error of 0.01 cm at 3 cm from joints and a"
              f" unit of one metre:\nthe container is {woman / ACL:.2f} of that, with nothing lost beyond the encoding.")


if __name__ == "__main__":
    main()
