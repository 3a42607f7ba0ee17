#!/usr/bin/env python3
"""Writes layered.fbx, a limb as Maya writes one: joint orients, a layer with splines, and an additive layer
on top with a weight of its own. Writes layered.fbx.analytic.json beside it: every joint and vertex from
Autodesk's formulae, in Python's own floats, shared with no reader.

  make_layered_rig.py [FOLDER]
"""

import json
import math
import struct
import sys
from pathlib import Path

SECOND = 46186158000
CUBIC, USER = 0x8, 0x400
LENGTH = 4.0  # seconds
WEIGHT = 0.6  # of the additive layer

JOINTS = [  # name, translation in centimetres, joint orient (PreRotation) in degrees
    ("Hip", (0, 10, 0), (0, 0, 90)),
    ("Knee", (45, 0, 0), (0, 25, -20)),
    ("Ankle", (45, 0, 0), (90, 10, 15)),
    ("Toe", (45, 0, 0), (-30, 0, 40)),
]
# Curves: layer, joint, property, component, and keys of seconds, value, slope before and slope after.
CURVES = [
    (0, 0, "Lcl Rotation", "X", [(0, 0, 0, 40), (1.5, 35, 10, -20), (2.5, -25, -60, 30), (4, 0, 40, 0)]),
    (0, 0, "Lcl Rotation", "Y", [(0, -20, 0, 0), (2, 20, 0, 0), (4, -20, 0, 0)]),
    (0, 0, "Lcl Translation", "Y", [(0, 10, 0, 30), (1, 25, 0, 0), (4, 10, -20, 0)]),
    (0, 1, "Lcl Rotation", "Z", [(0, 10, 0, 90), (1.2, 80, 0, 0), (2.7, -30, -100, 70), (4, 10, 90, 0)]),
    (0, 2, "Lcl Rotation", "Y", [(0, 0, 0, -60), (2.2, 45, 120, -40), (4, 0, -60, 0)]),
    (1, 1, "Lcl Rotation", "X", [(0, 0, 0, 50), (1.8, 90, 0, 0), (4, 0, -50, 0)]),
    (1, 1, "Lcl Rotation", "Y", [(0, 0, 0, 0), (2.4, 40, 30, 30), (4, 0, 0, 0)]),
    (1, 2, "Lcl Rotation", "Z", [(0, 30, 0, -80), (1, -20, 0, 0), (4, 30, 60, 0)]),
    (1, 0, "Lcl Translation", "Z", [(0, 0, 0, 60), (2, 40, 0, 0), (4, 0, -60, 0)]),
]
RINGS, SIDES, RADIUS = 13, 10, 9.0
TIMES = [0.0, 0.8, 1.7, 2.6, 3.5]


# --- the formulae ------------------------------------------------------------------------------


def multiply(a, b):
    return [[sum(a[r][k] * b[k][c] for k in range(4)) for c in range(4)] for r in range(4)]


def apply(m, p):
    return [m[r][0] * p[0] + m[r][1] * p[1] + m[r][2] * p[2] + m[r][3] for r in range(3)]


def moved(t):
    return [[1, 0, 0, t[0]], [0, 1, 0, t[1]], [0, 0, 1, t[2]], [0, 0, 0, 1]]


def rigid_inverse(m):
    rotation = [[m[c][r] for c in range(3)] for r in range(3)]
    back = [-sum(rotation[r][k] * m[k][3] for k in range(3)) for r in range(3)]
    return [rotation[r] + [back[r]] for r in range(3)] + [[0, 0, 0, 1]]


def about(axis, degrees):
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    i, j = (axis + 1) % 3, (axis + 2) % 3
    m = moved((0, 0, 0))
    m[i][i], m[i][j], m[j][i], m[j][j] = c, -s, s, c
    return m


def turned(degrees):
    """Order XYZ: x first."""
    return multiply(about(2, degrees[2]), multiply(about(1, degrees[1]), about(0, degrees[0])))


def part_of(m, weight):
    """The rotation about the same axis by a part of the angle (Rodrigues)."""
    axis = [m[2][1] - m[1][2], m[0][2] - m[2][0], m[1][0] - m[0][1]]
    length = math.sqrt(sum(a * a for a in axis))
    if length < 1e-12:
        return moved((0, 0, 0))
    angle = math.atan2(length, m[0][0] + m[1][1] + m[2][2] - 1) * weight
    x, y, z = (a / length for a in axis)
    c, s, d = math.cos(angle), math.sin(angle), 1 - math.cos(angle)
    return [[c + x * x * d, x * y * d - z * s, x * z * d + y * s, 0],
            [y * x * d + z * s, c + y * y * d, y * z * d - x * s, 0],
            [z * x * d - y * s, z * y * d + x * s, c + z * z * d, 0], [0, 0, 0, 1]]


def hermite(keys, t):
    if t >= keys[-1][0]:
        return keys[-1][1]
    k = max(i for i, key in enumerate(keys) if key[0] <= t)
    a, b = keys[k], keys[k + 1]
    step = b[0] - a[0]
    x = (t - a[0]) / step
    return ((2 * x**3 - 3 * x**2 + 1) * a[1] + (x**3 - 2 * x**2 + x) * step * a[3]
            + (3 * x**2 - 2 * x**3) * b[1] + (x**3 - x**2) * step * b[2])


def value(layer, joint, name, t, rest):
    result = list(rest)
    for l, j, p, component, keys in CURVES:
        if (l, j, p) == (layer, joint, name):
            result["XYZ".index(component)] = hermite(keys, t)
    return result


def pose(t):
    """Global matrices of the joints; the rest pose for None."""
    matrices = []
    for j, (_, translation, orient) in enumerate(JOINTS):
        local = turned((0, 0, 0))
        place = list(translation)
        if t is not None:
            base = turned(value(0, j, "Lcl Rotation", t, (0, 0, 0)))
            added = part_of(turned(value(1, j, "Lcl Rotation", t, (0, 0, 0))), WEIGHT)
            local = multiply(base, added)
            offset = value(1, j, "Lcl Translation", t, (0, 0, 0))
            place = [p + WEIGHT * o for p, o in zip(value(0, j, "Lcl Translation", t, translation), offset)]
        local = multiply(moved(place), multiply(turned(orient), local))
        matrices.append(multiply(matrices[-1], local) if matrices else local)
    return matrices


def tube():
    """Control points at bind with pairs of joint and weight, and quads."""
    bind = pose(None)
    points, weights = [], []
    for ring in range(RINGS):
        at = ring * 4 / RINGS
        bone, along = int(at), at - int(at)
        for side in range(SIDES):
            angle = 2 * math.pi * side / SIDES
            points.append(apply(bind[bone], (along * 45, RADIUS * math.cos(angle), RADIUS * math.sin(angle))))
            above = max(bone - 1, 0)
            share = 0.5 * max(0.0, 1 - 2 * along) if bone > 0 else 0.0
            weights.append([(bone, 1 - share)] + ([(above, share)] if share > 0 else []))
    quads = []
    for ring in range(RINGS - 1):
        for side in range(SIDES):
            a, b = ring * SIDES + side, ring * SIDES + (side + 1) % SIDES
            quads.append((a, b, b + SIDES, a + SIDES))
    return points, weights, quads


def skinned(matrices):
    points, weights, _ = tube()
    skins = [multiply(now, rigid_inverse(then)) for now, then in zip(matrices, pose(None))]
    result = []
    for point, pairs in zip(points, weights):
        parts = [(w, apply(skins[j], point)) for j, w in pairs]
        result.append([sum(w * p[i] for w, p in parts) for i in range(3)])
    return result


def sample(t):
    matrices = pose(t)
    points, _, _ = tube()
    columns = [[m[r][c] for c in range(4) for r in range(4)] for m in matrices]
    return {"joints": [{"name": j[0], "matrix": c} for j, c in zip(JOINTS, columns)],
            "meshes": [{"name": "Limb", "vertexCount": len(points), "vertexIndices": list(range(len(points))),
                        "meshPositions": points, "positions": skinned(matrices)}]}


# --- the file ----------------------------------------------------------------------------------


def array(name, numbers):
    return f"{name}: *{len(numbers)} {{\na: " + ",".join(str(n) for n in numbers) + "\n}\n"


def prop(name, *values):
    return f'P: "{name}", "Vector", "", "A",' + ",".join(str(v) for v in values) + "\n"


def float_bits(number):
    return struct.unpack("<i", struct.pack("<f", number))[0]


def fbx():
    points, weights, quads = tube()
    bind = pose(None)
    objects, links = [], []

    def add(number, kind, name, detail, body):
        objects.append(f'{kind}: {number}, "{kind}::{name}", "{detail}" {{\n{body}}}\n')

    for j, (name, translation, orient) in enumerate(JOINTS):
        body = "Properties70: {\n" + prop("Lcl Translation", *translation) + prop("PreRotation", *orient)
        add(100 + j, "Model", name, "LimbNode", body + prop("RotationActive", 1) + prop("InheritType", 1) + "}\n")
        links.append(f'C: "OO",{100 + j},{99 + j if j else 0}')
    corners = [n for a, b, c, d in quads for n in (a, b, c, ~d)]
    add(10, "Geometry", "", "Mesh", array("Vertices", [n for p in points for n in p])
        + array("PolygonVertexIndex", corners))
    add(11, "Model", "Limb", "Mesh", "")
    add(12, "Deformer", "", "Skin", "")
    links += ['C: "OO",10,11', 'C: "OO",11,0', 'C: "OO",12,10']
    for j in range(len(JOINTS)):
        own = [(v, w) for v, pairs in enumerate(weights) for joint, w in pairs if joint == j]
        to_bone = rigid_inverse(bind[j])
        add(200 + j, "Deformer", "", "Cluster", array("Indexes", [v for v, _ in own])
            + array("Weights", [w for _, w in own])
            + array("Transform", [to_bone[r][c] for c in range(4) for r in range(4)])
            + array("TransformLink", [bind[j][r][c] for c in range(4) for r in range(4)]))
        links += [f'C: "OO",{200 + j},12', f'C: "OO",{100 + j},{200 + j}']
    add(20, "AnimationStack", "Sway", "", "Properties70: {\n" + prop("LocalStop", int(LENGTH * SECOND)) + "}\n")
    add(21, "AnimationLayer", "BaseLayer", "", "")
    add(22, "AnimationLayer", "Added", "",
        "Properties70: {\n" + prop("BlendMode", 0) + prop("Weight", WEIGHT * 100) + "}\n")
    links += ['C: "OO",21,20', 'C: "OO",22,20']
    nodes = {}
    for c, (layer, joint, name, component, keys) in enumerate(CURVES):
        if (layer, joint, name) not in nodes:
            nodes[layer, joint, name] = 300 + len(nodes)
            rest = JOINTS[joint][1] if (layer, name) == (0, "Lcl Translation") else (0, 0, 0)
            defaults = "".join(prop(f"d|{axis}", v) for axis, v in zip("XYZ", rest))
            add(nodes[layer, joint, name], "AnimationCurveNode", "N", "", "Properties70: {\n" + defaults + "}\n")
            links += [f'C: "OO",{nodes[layer, joint, name]},{21 + layer}',
                      f'C: "OP",{nodes[layer, joint, name]},{100 + joint}, "{name}"']
        data = []
        for k, key in enumerate(keys):
            following = keys[k + 1][2] if k + 1 < len(keys) else 0
            data += [float_bits(key[3]), float_bits(following), 218434821, 0]
        add(400 + c, "AnimationCurve", "", "", array("KeyTime", [round(k[0] * SECOND) for k in keys])
            + array("KeyValueFloat", [k[1] for k in keys]) + array("KeyAttrFlags", [CUBIC | USER] * len(keys))
            + array("KeyAttrDataFloat", data) + array("KeyAttrRefCount", [1] * len(keys)))
        links.append(f'C: "OP",{400 + c},{nodes[layer, joint, name]}, "d|{component}"')
    return ("; FBX 7.4.0 project file\nFBXHeaderExtension: {\nFBXVersion: 7400\n}\n"
            "GlobalSettings: {\nProperties70: {\n" + prop("UpAxis", 1) + prop("UnitScaleFactor", 1) + "}\n}\n"
            "Objects: {\n" + "".join(objects) + "}\nConnections: {\n" + "\n".join(links) + "\n}\n")


def rounded(thing):
    if isinstance(thing, float):
        return round(thing, 7)
    if isinstance(thing, list):
        return [rounded(t) for t in thing]
    return {k: rounded(v) for k, v in thing.items()} if isinstance(thing, dict) else thing


if __name__ == "__main__":
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent
    clips = [dict(sample(t), clip="Sway", clipIndex=0, clipStart=0, duration=LENGTH, time=t) for t in TIMES]
    reference = {"generator": "make_layered_rig.py", "model": "layered.fbx",
                 "file": {"unitMeters": 0.01, "upAxis": 2}, "rest": sample(None), "clips": clips}
    (folder / "layered.fbx").write_text(fbx())
    (folder / "layered.fbx.analytic.json").write_text(json.dumps(rounded(reference)) + "\n")
