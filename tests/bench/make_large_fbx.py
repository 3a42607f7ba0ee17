#!/usr/bin/env python3
"""Writes large.fbx (arrays deflated) and large_plain.fbx: a sheet of about that many vertices, skinned to 30
joints with three weights a vertex, to measure memory and time on.

  make_large_fbx.py FOLDER [VERTICES]
"""

import array
import math
import struct
import sys
import zlib
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "data" / "fuzz"))
import make_fbx_seeds as seeds  # noqa: E402
from make_fbx_seeds import Node  # noqa: E402

JOINTS = 30
IDENTITY = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]


def quick_array(kind, numbers, packed):
    if kind == "I":  # one number of 32 bits, which Assimp asks for
        return b"I" + struct.pack("<i", numbers)
    data = array.array({"d": "d", "i": "i", "l": "q", "f": "f"}[kind], numbers).tobytes()
    body = zlib.compress(data, 1) if packed else data
    return kind.encode() + struct.pack("<III", len(numbers), int(packed), len(body)) + body


def sheet(side):
    points, uvs, corners, uv_corners, normals = [], [], [], [], []
    for y in range(side):
        for x in range(side):
            points += [x * 0.01, y * 0.01, math.sin(x * 0.1) * math.cos(y * 0.07)]
            uvs += [x / side, y / side]
    for y in range(side - 1):
        for x in range(side - 1):
            a = y * side + x
            quad = [a, a + 1, a + side + 1, a + side]
            corners += quad[:3] + [~quad[3]]
            uv_corners += quad
            for corner in quad:
                slope = math.sin(corner * 0.37) * 0.1
                normals += [slope, 0.0, math.sqrt(1 - slope * slope)]
    return points, uvs, corners, uv_corners, normals


def rig(side):
    points, uvs, corners, uv_corners, normals = sheet(side)

    def layer(kind, *arrays):
        return Node(kind, ("I", 0), children=[Node("MappingInformationType", "ByPolygonVertex"), *arrays])

    objects = [
        Node("Geometry", 10, "Sheet\0\1Geometry", "Mesh", children=[
            Node("Vertices", ("d", points)), Node("PolygonVertexIndex", ("i", corners)),
            layer("LayerElementNormal", Node("ReferenceInformationType", "Direct"), Node("Normals", ("d", normals))),
            layer("LayerElementUV", Node("ReferenceInformationType", "IndexToDirect"), Node("UV", ("d", uvs)),
                  Node("UVIndex", ("i", uv_corners))),
            Node("Layer", ("I", 0), children=[
                Node("LayerElement", children=[Node("Type", kind), Node("TypedIndex", ("I", 0))])
                for kind in ("LayerElementNormal", "LayerElementUV")])]),
        Node("Model", 11, "Sheet\0\1Model", "Mesh", children=[Node("Version", ("I", 232))]),
        Node("Deformer", 12, "\0\1Deformer", "Skin", children=[Node("Version", ("I", 101))])]
    links = [(10, 11), (11, 0), (12, 10)]
    count = side * side
    for j in range(JOINTS):
        near = {k: w for k, w in zip(((j, (j - 1) % JOINTS, (j - 2) % JOINTS)), (0.5, 0.3, 0.2))}
        own = [(v, near[v * JOINTS // count]) for v in range(count) if v * JOINTS // count in near]
        objects += [
            Node("Model", 100 + j, f"Joint{j}\0\1Model", "LimbNode", children=[Node("Version", ("I", 232))]),
            Node("Deformer", 200 + j, "\0\1SubDeformer", "Cluster", children=[
                Node("Indexes", ("i", [v for v, _ in own])), Node("Weights", ("d", [w for _, w in own])),
                Node("Transform", ("d", IDENTITY)), Node("TransformLink", ("d", IDENTITY))])]
        links += [(100 + j, 99 + j if j else 0), (200 + j, 12), (100 + j, 200 + j)]
    header = Node("FBXHeaderExtension", children=[
        Node("FBXHeaderVersion", ("I", 1003)), Node("FBXVersion", ("I", 7500)), Node("Creator", "make_large_fbx.py")])
    return [header, Node("GlobalSettings", children=[Node("Version", ("I", 1000)), Node("Properties70")]),
            Node("Definitions"), Node("Objects", children=objects),
            Node("Connections", children=[Node("C", "OO", a, b) for a, b in links])]


def main(folder, vertices="250000"):
    seeds.array = quick_array
    nodes = rig(math.isqrt(int(vertices)))
    for name, packed in [("large", True), ("large_plain", False)]:
        data = bytearray(b"Kaydara FBX Binary  \0\x1a\0" + struct.pack("<I", 7500))
        for node in nodes:
            data += seeds.written(node, len(data), True, packed)
        (Path(folder) / f"{name}.fbx").write_bytes(data + b"\0" * 25)


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    main(*sys.argv[1:])
