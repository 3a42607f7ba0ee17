#!/usr/bin/env python3
"""make_long_glb.py SECONDS OUT.glb: a clip of so many seconds for 60 joints, with 30 keys a second and nothing at rest,
for what docs/bench/bake-ways.md says of long clips."""
import array
import json
import math
import random
import struct
import sys

JOINTS = 60
RATE = 30
FLOAT, UNSIGNED_BYTE, UNSIGNED_SHORT = 5126, 5121, 5123


class Buffer:
    def __init__(self):
        self.bytes, self.views, self.accessors = bytearray(), [], []

    def add(self, numbers, kind, width, component=FLOAT, bounds=False):
        self.bytes += bytes(-len(self.bytes) % 4)
        data = numbers.tobytes()
        self.views.append({"buffer": 0, "byteOffset": len(self.bytes), "byteLength": len(data)})
        self.bytes += data
        accessor = {"bufferView": len(self.views) - 1, "componentType": component, "count": len(numbers) // width, "type": kind}
        if bounds:
            accessor["min"] = [min(numbers[axis::width]) for axis in range(width)]
            accessor["max"] = [max(numbers[axis::width]) for axis in range(width)]
        self.accessors.append(accessor)
        return len(self.accessors) - 1


def height(joint):
    return 1.0 if joint == 0 else 0.1 + height((joint - 1) // 2)


def turns(frames):
    waves = [(random.uniform(0.05, 0.25), random.uniform(0.3, 6), random.uniform(0, 6.28), random.uniform(0.02, 0.1),
              random.uniform(3, 9)) for _ in range(3)]
    keys = array.array("f")
    for frame in range(frames):
        t = frame / RATE
        x, y, z = (a * math.sin(w * t + o) + b * math.sin(v * t) for a, w, o, b, v in waves)
        size = 1 / math.sqrt(1 + x * x + y * y + z * z)
        keys.extend((x * size, y * size, z * size, size))
    return keys


def mesh(buffer):
    places, joints, weights, corners = array.array("f"), array.array("B"), array.array("f"), array.array("H")
    for joint in range(JOINTS):
        first = len(places) // 3
        for k in range(20):
            places.extend((0.05 * math.cos(k), height(joint) + 0.005 * k, 0.05 * math.sin(k)))
            joints.extend((joint, (joint - 1) // 2 if joint else 0, 0, 0))
            weights.extend((0.7, 0.3, 0, 0) if joint else (1, 0, 0, 0))
        for k in range(18):
            corners.extend((first + k, first + k + 1, first + k + 2))
    return {"attributes": {"POSITION": buffer.add(places, "VEC3", 3, bounds=True),
                           "JOINTS_0": buffer.add(joints, "VEC4", 4, UNSIGNED_BYTE),
                           "WEIGHTS_0": buffer.add(weights, "VEC4", 4)},
            "indices": buffer.add(corners, "SCALAR", 1, UNSIGNED_SHORT)}


def main():
    frames = int(float(sys.argv[1]) * RATE) + 1
    random.seed(1)
    buffer = Buffer()
    times = buffer.add(array.array("f", [frame / RATE for frame in range(frames)]), "SCALAR", 1, bounds=True)
    nodes, channels, samplers = [], [], []

    def animate(node, path, output):
        samplers.append({"input": times, "output": output})
        channels.append({"sampler": len(samplers) - 1, "target": {"node": node, "path": path}})

    for joint in range(JOINTS):
        node = {"name": f"joint{joint}", "translation": [0, 0.1 if joint else 1.0, 0]}
        children = [child for child in range(1, JOINTS) if (child - 1) // 2 == joint]
        nodes.append({**node, "children": children} if children else node)
        animate(joint, "rotation", buffer.add(turns(frames), "VEC4", 4))
    way = array.array("f")
    for frame in range(frames):
        t = frame / RATE
        way.extend((0.5 * math.sin(0.7 * t), 1 + 0.05 * math.sin(5 * t), 0.5 * math.cos(0.31 * t)))
    animate(0, "translation", buffer.add(way, "VEC3", 3))
    body = mesh(buffer)
    binds = array.array("f")
    for joint in range(JOINTS):
        binds.extend((1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -height(joint), 0, 1))
    skin = {"joints": list(range(JOINTS)), "inverseBindMatrices": buffer.add(binds, "MAT4", 16)}
    nodes.append({"name": "mesh", "mesh": 0, "skin": 0})
    text = json.dumps({
        "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0, JOINTS]}], "nodes": nodes,
        "meshes": [{"primitives": [body]}], "skins": [skin],
        "animations": [{"name": "long", "channels": channels, "samplers": samplers}],
        "buffers": [{"byteLength": len(buffer.bytes)}], "bufferViews": buffer.views, "accessors": buffer.accessors,
    }).encode()
    text += b" " * (-len(text) % 4)
    data = bytes(buffer.bytes) + bytes(-len(buffer.bytes) % 4)
    with open(sys.argv[2], "wb") as out:
        out.write(struct.pack("<4sII", b"glTF", 2, 28 + len(text) + len(data)))
        out.write(struct.pack("<I4s", len(text), b"JSON") + text)
        out.write(struct.pack("<I4s", len(data), b"BIN\0") + data)


if __name__ == "__main__":
    main()
