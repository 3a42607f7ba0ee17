#!/usr/bin/env python3
"""Draws an FBX beside its reference poses, to be looked at: for three moments of a clip a row with the
reference's vertices (orange) and joints (blue), the picture of `kiln render`, and both on top of each other.

  draw_reference.py build/dev/bin/kiln RIG.fbx REFERENCE.json OUT.png [CLIP]
"""

import json
import math
import os
import struct
import subprocess
import sys
import tempfile
import zlib

from decode_atlas import unfilter

SIZE = 480
FIELD_OF_VIEW = 0.7  # radians, of kiln's camera
VERTEX, JOINT = (255, 140, 30), (40, 110, 255)


def to_model(file, p):
    """Metres, Y up, as the import turns files. The up axis is ufbx's number: 2 is +Y, 4 is +Z."""
    x, y, z = (c * file["unitMeters"] for c in p)
    return (x, y, z) if file["upAxis"] == 2 else (x, z, -y)


def subtract(a, b):
    return [p - q for p, q in zip(a, b)]


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def unit(v):
    length = math.sqrt(sum(c * c for c in v))
    return [c / length for c in v]


def project(eye, target, p):
    back = unit(subtract(eye, target))
    right = unit(cross((0, 1, 0), back))
    up = cross(back, right)
    seen = subtract(p, eye)
    depth = -sum(a * b for a, b in zip(seen, back))
    factor = SIZE / 2 / math.tan(FIELD_OF_VIEW / 2) / max(depth, 1e-6)
    return (SIZE / 2 + factor * sum(a * b for a, b in zip(seen, right)),
            SIZE / 2 - factor * sum(a * b for a, b in zip(seen, up)))


def dot(picture, x, y, radius, color):
    for py in range(round(y) - radius, round(y) + radius + 1):
        for px in range(round(x) - radius, round(x) + radius + 1):
            if 0 <= px < SIZE and 0 <= py < SIZE:
                picture[py][3 * px : 3 * px + 3] = bytes(color)


def read_png(path):
    """Rows of RGB bytes of a picture of 8 bits, with or without alpha."""
    with open(path, "rb") as file:
        data = file.read()
    at, packed = 8, b""
    while at + 12 <= len(data):
        (length,) = struct.unpack(">I", data[at : at + 4])
        kind, body = data[at + 4 : at + 8], data[at + 8 : at + 8 + length]
        if kind == b"IHDR":
            width, height, _, colour = struct.unpack(">IIBB", body[:10])
        packed += body if kind == b"IDAT" else b""
        at += 12 + length
    step = 4 if colour == 6 else 3
    raw, stride, rows, above = zlib.decompress(packed), width * step, [], bytearray(width * step)
    for y in range(height):
        line = bytearray(raw[y * (stride + 1) + 1 : (y + 1) * (stride + 1)])
        if raw[y * (stride + 1)] != 0:
            unfilter(raw[y * (stride + 1)], line, above, step)
        rows.append(bytearray(c for i, c in enumerate(line) if i % step != 3))
        above = line
    return rows


def rendered(kiln, rig, clip, seconds, lift, eye, target):
    with tempfile.TemporaryDirectory() as folder:
        project_file, image = os.path.join(folder, "one.crowd"), os.path.join(folder, "one.png")
        with open(project_file, "w") as out:
            json.dump({"format": "crowdkiln-project", "version": 1, "minReader": 1,
                       "characters": [{"sources": [{"path": os.path.relpath(os.path.abspath(rig), folder)}],
                                       "clips": [{"name": clip, "ticked": True, "loop": "once"}],
                                       "bake": {"encoding": "M32", "layout": "linear"}}],
                       "actors": {"count": 1, "clip": [0], "position": [0, lift, 0]}}, out)
        camera = ":".join(",".join(f"{c:.9g}" for c in v) for v in (eye, target))
        subprocess.run([kiln, "render", project_file, "-o", image, "--quiet", "--time", f"{seconds:.9g}",
                        "--size", f"{SIZE}x{SIZE}", f"--camera={camera}"], check=True)
        return read_png(image)


def write_png(path, rows):
    def chunk(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    head = struct.pack(">IIBBBBB", len(rows[0]) // 3, len(rows), 8, 2, 0, 0, 0)
    body = zlib.compress(b"".join(b"\0" + bytes(row) for row in rows))
    with open(path, "wb") as out:
        out.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", body) + chunk(b"IEND", b""))


def main(kiln, rig, reference_file, output, clip=None):
    with open(reference_file) as text:
        reference = json.load(text)
    samples = [c for c in reference["clips"] if clip in (None, c["clip"]) and not c.get("betweenFrames")]
    samples = [c for c in samples if c["clip"] == samples[0]["clip"]]
    samples = [samples[i] for i in sorted({0, len(samples) // 3, 2 * len(samples) // 3})]
    posed = []
    for sample in samples:
        vertices = [to_model(reference["file"], p) for m in sample["meshes"] for p in m["positions"]]
        joints = [to_model(reference["file"], j["matrix"][12:15]) for j in sample["joints"]]
        posed.append((vertices, joints))
    every = [p for vertices, joints in posed for p in vertices or joints]
    low, high = ([f(c) for c in zip(*every)] for f in (min, max))
    lift = max(0.0, -low[1])  # what is below the ground is not seen
    low[1], high[1] = low[1] + lift, high[1] + lift
    posed = [[[(x, y + lift, z) for x, y, z in points] for points in lists] for lists in posed]
    target = [(a + b) / 2 for a, b in zip(low, high)]
    distance = 0.55 * math.dist(low, high) / math.tan(FIELD_OF_VIEW / 2) + 1e-3
    eye = [t + distance * d for t, d in zip(target, (0.53, 0.34, 0.78))]
    rows = []
    for sample, (vertices, joints) in zip(samples, posed):
        seconds = sample["time"] - sample.get("clipStart", 0.0)
        picture = rendered(kiln, rig, sample["clip"], seconds, lift, eye, target)
        plain = [bytearray(b"\xf4" * (3 * SIZE)) for _ in range(SIZE)]
        both = [bytearray(row) for row in picture]
        for canvas, radius in ((plain, 2), (both, 1)):
            for p in vertices:
                dot(canvas, *project(eye, target, p), radius, VERTEX)
            for p in joints:
                dot(canvas, *project(eye, target, p), radius + 1, JOINT)
        rows += [a + b + c for a, b, c in zip(plain, picture, both)]
    write_png(output, rows)


if __name__ == "__main__":
    if len(sys.argv) not in (5, 6):
        sys.exit(__doc__)
    main(*sys.argv[1:])
