"""The content of a probe, free of any format: nodes, meshes and clips, and where they are at a time, by formula.

Lengths and axes are those of the file. Rotations are about one axis of a node, in degrees, so that every
format can hold them: a quaternion between two of them turns at an even speed, as an angle does.
"""

import copy
import math
from dataclasses import dataclass, field


def identity():
    return [[float(r == c) for c in range(4)] for r in range(4)]


def multiply(a, b):
    return [[sum(a[r][i] * b[i][c] for i in range(4)) for c in range(4)] for r in range(4)]


def moved(v):
    m = identity()
    for r in range(3):
        m[r][3] = v[r]
    return m


def stretched(v):
    m = identity()
    for r in range(3):
        m[r][r] = v[r]
    return m


def turned(axis, degrees):
    a, b = [(1, 2), (2, 0), (0, 1)]["xyz".index(axis)]
    m = identity()
    sine, cosine = math.sin(math.radians(degrees)), math.cos(math.radians(degrees))
    m[a][a] = m[b][b] = cosine
    m[a][b], m[b][a] = -sine, sine
    return m


def quaternion(axis, degrees):
    """x, y, z, w."""
    sine = math.sin(math.radians(degrees) / 2)
    return [sine * (axis == a) for a in "xyz"] + [math.cos(math.radians(degrees) / 2)]


def inverse(m):
    """Of an affine matrix, by cofactors."""
    a = [row[:3] for row in m[:3]]
    cross = [[a[(c + 1) % 3][(r + 1) % 3] * a[(c + 2) % 3][(r + 2) % 3] -
              a[(c + 1) % 3][(r + 2) % 3] * a[(c + 2) % 3][(r + 1) % 3] for c in range(3)] for r in range(3)]
    size = sum(a[0][i] * cross[i][0] for i in range(3))
    back = [[cross[r][c] / size for c in range(3)] for r in range(3)]
    shift = [-sum(back[r][i] * m[i][3] for i in range(3)) for r in range(3)]
    return [back[r] + [shift[r]] for r in range(3)] + [[0.0, 0.0, 0.0, 1.0]]


def point(m, p):
    return [sum(m[r][i] * p[i] for i in range(3)) + m[r][3] for r in range(3)]


def direction(m, n):
    """A normal, which goes by the inverse transpose."""
    back = inverse(m)
    v = [sum(back[i][r] * n[i] for i in range(3)) for r in range(3)]
    length = math.sqrt(sum(x * x for x in v))
    return [x / length for x in v]


def columns(m):
    return [m[r][c] for c in range(4) for r in range(4)]


def rows(m):
    return [m[r][c] for r in range(4) for c in range(4)]


@dataclass
class Node:
    name: str
    parent: str | None = None
    t: tuple = (0.0, 0.0, 0.0)
    axis: str = "z"
    degrees: float = 0.0
    s: tuple = (1.0, 1.0, 1.0)
    matrix: list | None = None  # in place of the three
    isJoint: bool = True

    def local(self, t=None, degrees=None, s=None):
        if self.matrix:
            return self.matrix
        turn = turned(self.axis, self.degrees if degrees is None else degrees)
        return multiply(multiply(moved(t or self.t), turn), stretched(s or self.s))


@dataclass
class Curve:
    """kinds: one for all keys or one a key, of the segment behind it; slopes per second for cubic keys."""

    times: list
    values: list
    kinds: list | str = "linear"
    slopes: list | None = None

    def kind(self, key):
        return self.kinds if isinstance(self.kinds, str) else self.kinds[key]

    def at(self, time):
        parts = [v if isinstance(v, (tuple, list)) else (v,) for v in self.values]
        found = [self.part([p[i] for p in parts], i, time) for i in range(len(parts[0]))]
        return found if isinstance(self.values[0], (tuple, list)) else found[0]

    def part(self, values, i, time):
        k = max([k for k, t in enumerate(self.times) if t <= time + 1e-9], default=-1)
        if k < 0 or k + 1 == len(self.times):
            return values[max(k, 0)]
        if self.kind(k) == "step":
            return values[k]
        step = self.times[k + 1] - self.times[k]
        u = (time - self.times[k]) / step
        if self.kind(k) == "linear":
            return values[k] + u * (values[k + 1] - values[k])
        out, into = ((s[i] if isinstance(s, (tuple, list)) else s) for s in self.slopes[k:k + 2])
        return (values[k] * (2 * u**3 - 3 * u**2 + 1) + step * out * (u**3 - 2 * u**2 + u) +
                values[k + 1] * (3 * u**2 - 2 * u**3) + step * into * (u**3 - u**2))


@dataclass
class Clip:
    name: str
    curves: list = field(default_factory=list)  # (node, "t" | "r" | "s", Curve)
    morphs: list = field(default_factory=list)  # (target, Curve)

    def span(self):
        times = [t for *_, curve in self.curves + self.morphs for t in curve.times]
        return min(times), max(times)


@dataclass
class Mesh:
    positions: list
    faces: list  # polygons
    normals: list | None = None  # one per vertex
    uvs: list | None = None  # v runs up
    influences: list | None = None  # {joint: weight} per vertex; None: it follows its node
    node: str = "strip"
    binds: dict | None = None  # joint -> where it was when the mesh was bound; None: where it rests
    morphs: list = field(default_factory=list)  # (name, {vertex: delta}, {vertex: delta of the normal})
    name: str = "strip"

    def triangles(self):
        return [(f[0], f[i], f[i + 1]) for f in self.faces for i in range(1, len(f) - 1)]


@dataclass
class Scene:
    nodes: list
    meshes: list
    clips: list
    unit: float = 1.0  # metres
    up: str = "Y"

    def copy(self):
        return copy.deepcopy(self)

    def node(self, name):
        return next(n for n in self.nodes if n.name == name)

    def globals(self, clip=None, time=0.0):
        found = {}
        for node in self.nodes:
            moves = {what: c.at(time) for n, what, c in clip.curves if n == node.name} if clip else {}
            local = node.local(moves.get("t"), moves.get("r"), moves.get("s"))
            found[node.name] = multiply(found[node.parent], local) if node.parent else local
        return found

    def toModel(self):
        axes = identity()
        if self.up == "Z":
            axes = [[1, 0, 0, 0], [0, 0, 1, 0], [0, -1, 0, 0], [0, 0, 0, 1]]
        if self.up == "X":
            axes = [[0, -1, 0, 0], [1, 0, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]
        return multiply(axes, stretched([self.unit] * 3))

    def pose(self, clip=None, time=0.0):
        """Joints by name, vertices with their normals, and the vector area of all polygons, in metres, Y up."""
        globals_, rest, model = self.globals(clip, time), self.globals(), self.toModel()
        points, normals, area = [], [], [0.0, 0.0, 0.0]
        for m, mesh in enumerate(self.meshes):
            weights = [0.0] * len(mesh.morphs)
            for target, curve in clip.morphs if clip and m == 0 else []:
                weights[target] = curve.at(time)
            placed = []
            for v, p in enumerate(mesh.positions):
                n = list(mesh.normals[v]) if mesh.normals else [0, 0, 1]
                for (_, deltas, turns), w in zip(mesh.morphs, weights):
                    p = [x + w * d for x, d in zip(p, deltas.get(v, (0, 0, 0)))]
                    n = [x + w * d for x, d in zip(n, turns.get(v, (0, 0, 0)))]
                skin = globals_[mesh.node]
                if mesh.influences:
                    total = sum(mesh.influences[v].values())
                    skin = [[0.0] * 4 for _ in range(4)]
                    for joint, weight in mesh.influences[v].items():
                        bind = (mesh.binds or rest)[joint]
                        matrix = multiply(globals_[joint], inverse(bind))
                        skin = [[x + weight / total * y for x, y in zip(*both)] for both in zip(skin, matrix)]
                whole = multiply(model, skin)
                placed.append(point(whole, p))
                normals.append(direction(whole, n))
            points += placed
            for a, b, c in mesh.triangles():
                u = [placed[b][i] - placed[a][i] for i in range(3)]
                w = [placed[c][i] - placed[a][i] for i in range(3)]
                for i in range(3):
                    area[i] += 0.5 * (u[(i + 1) % 3] * w[(i + 2) % 3] - u[(i + 2) % 3] * w[(i + 1) % 3])
        joints = {name: point(multiply(model, g), (0, 0, 0)) for name, g in globals_.items()}
        return {"clip": clip.name if clip else None, "time": time, "joints": joints, "points": points,
                "normals": normals, "area": area}

    def expected(self, normals=True, moments=4):
        """Poses at rest and at moments of all clips that lie on no grid of keys; and what the clips are."""
        poses = [] if self.clips else [self.pose()]
        for clip in self.clips:
            first, last = clip.span()
            shares = [0.0, *(0.137 + 0.21 * i for i in range(moments)), 1.0] if last > first else [0.0]
            poses += [self.pose(clip, first + share * (last - first)) for share in shares]
        for pose in poses:
            if not normals or any(not mesh.normals for mesh in self.meshes):
                del pose["normals"]
        clips = [{"name": c.name, "start": c.span()[0], "duration": c.span()[1] - c.span()[0]} for c in self.clips]
        return {"poses": poses, "clips": clips}


def strip(influences=None, clips=True):
    """Four rows of two vertices on three joints, each 1 above the other, which turn about +Z."""
    joints = [Node("root"), Node("middle", "root", (0, 1, 0)), Node("tip", "middle", (0, 1, 0))]
    positions = [(x, float(y), 0.1 * y) for y in range(4) for x in (-0.25, 0.35)]
    given = influences or [{"root": 1}, {"root": 0.75, "middle": 0.25}, {"middle": 0.25, "tip": 0.75}, {"tip": 1}]
    mesh = Mesh(positions, [(y, y + 1, y + 3, y + 2) for y in (0, 2, 4)],
                normals=[unit((0.1 * x, -0.3, 1)) for x, *_ in positions],
                uvs=[(x, y / 3) for y in range(4) for x in (0.0, 1.0)],
                influences=[dict(given[v // 2]) for v in range(8)])
    turn = Clip("bend", [("middle", "r", Curve([0, 1], [0, 90])), ("tip", "r", Curve([0, 1], [0, -30]))])
    return Scene([*joints, Node("strip", isJoint=False)], [mesh], [turn] if clips else [])


def unit(v):
    length = math.sqrt(sum(x * x for x in v))
    return tuple(x / length for x in v)
