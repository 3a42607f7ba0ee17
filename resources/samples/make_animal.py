#!/usr/bin/env python3
"""Builds animal.glb, the bundled four-legged sample: a fallow doe.

Everything (shape, texture, skeleton, motion) is computed here; nothing is read
from disk. The same script always writes the same bytes.

    python3 make_animal.py [output.glb]

Needs Python 3.9+ and numpy. The result is dedicated to the public domain
(CC0 1.0).

Conventions: metres, +Y up, the animal faces +Z, its left is +X, hooves on
y = 0, it stands with the head up, all joints have an identity rest rotation.
"""
import math
import os
import sys

import numpy as np

from sample_kit import (TEX, FPS, TAU, deg, lerp, smooth, unit, length, Mesh, rect, weld_ids, vertex_normals,
                        triangulate, bind_weights, ambient_occlusion, rgb, noise, line, map_texels, bleed, png,
                        rx, ry, rz, euler, to_quat, basis, bump, hermite, write_glb)

# --------------------------------------------------------------------------
# Skeleton
# --------------------------------------------------------------------------
LEGS = {        # root, second, third joint and fetlock of the left legs
    "foreleg": np.array([[0.100, 0.790, 0.400], [0.101, 0.588, 0.246], [0.096, 0.338, 0.279], [0.094, 0.112, 0.271]]),
    "hindleg": np.array([[0.095, 0.845, -0.350], [0.116, 0.606, -0.262], [0.102, 0.392, -0.486], [0.096, 0.112, -0.476]]),
}
LINKS = ["upper", "lower", "cannon", "hoof"]
MIRROR = {"L": np.array([1.0, 1, 1]), "R": np.array([-1.0, 1, 1])}


def build_skeleton():
    joints = [
        ("hips", None, (0.0, 0.860, -0.360)),
        ("spine", "hips", (0.0, 0.865, -0.110)),
        ("chest", "spine", (0.0, 0.845, 0.150)),
        ("neck_1", "chest", (0.0, 0.850, 0.385)),
        ("neck_2", "neck_1", (0.0, 1.090, 0.505)),
        ("head", "neck_2", (0.0, 1.345, 0.612)),
        ("ear_L", "head", (0.040, 1.405, 0.622)),
        ("ear_R", "head", (-0.040, 1.405, 0.622)),
        ("tail", "hips", (0.0, 0.934, -0.528)),
    ]
    for leg, parent in (("foreleg", "chest"), ("hindleg", "hips")):
        for side in "LR":
            up = parent
            for link, pos in zip(LINKS, LEGS[leg]):
                name = "%s_%s_%s" % (leg, link, side)
                joints.append((name, up, pos * MIRROR[side]))
                up = name
    return joints


JOINTS = build_skeleton()
JOINT_NAMES = [name for name, _, _ in JOINTS]
JOINT_ID = {name: i for i, name in enumerate(JOINT_NAMES)}
JOINT_PARENT = [JOINT_ID[p] if p else -1 for _, p, _ in JOINTS]
JOINT_POS = np.array([p for _, _, p in JOINTS])

# --------------------------------------------------------------------------
# Parts and their places in the texture
# --------------------------------------------------------------------------
PARTS = ["body", "head", "foreleg", "hindleg", "ear", "tail", "eye"]
PART_ID = {n: i for i, n in enumerate(PARTS)}
UV_BODY = rect(4, 4, 508, 196)
UV_HEAD = rect(4, 204, 228, 396)
UV_LEG = {"foreleg": rect(236, 204, 364, 508), "hindleg": rect(372, 204, 508, 508)}
UV_EAR = rect(4, 404, 100, 508)
UV_TAIL = rect(108, 404, 160, 508)
UV_EYE = rect(168, 404, 228, 464)

# --------------------------------------------------------------------------
# Trunk, neck and head: one tube of rings from the buttocks to the nose. Only
# the left half is laid out; its mirror image is welded on along the middle.
# --------------------------------------------------------------------------
#    top y   top z  bottom y bottom z  half-w   bias   power
RINGS = np.array([
    (0.858, -0.572, 0.742, -0.566, 0.050, 0.00, 2.1),
    (0.915, -0.548, 0.675, -0.540, 0.094, 0.00, 2.2),     # 1 hind leg from here
    (0.960, -0.478, 0.640, -0.474, 0.128, 0.00, 2.3),
    (0.985, -0.400, 0.622, -0.398, 0.146, 0.02, 2.4),
    (0.994, -0.315, 0.620, -0.318, 0.152, 0.04, 2.4),     # 4 to here
    (0.988, -0.225, 0.628, -0.238, 0.148, 0.03, 2.3),
    (0.976, -0.135, 0.627, -0.150, 0.149, 0.00, 2.2),
    (0.968, -0.045, 0.608, -0.058, 0.158, -0.03, 2.2),
    (0.966, 0.040, 0.588, 0.030, 0.166, -0.06, 2.2),
    (0.970, 0.115, 0.566, 0.105, 0.167, -0.09, 2.2),
    (0.981, 0.180, 0.555, 0.172, 0.161, -0.12, 2.2),
    (0.994, 0.236, 0.552, 0.230, 0.152, -0.14, 2.2),      # 11 foreleg from here
    (1.001, 0.288, 0.559, 0.292, 0.143, -0.14, 2.2),
    (1.004, 0.335, 0.580, 0.354, 0.133, -0.12, 2.2),
    (1.010, 0.375, 0.620, 0.412, 0.121, -0.09, 2.2),      # 14 to here
    (1.024, 0.402, 0.674, 0.456, 0.113, -0.06, 2.1),
    (1.048, 0.421, 0.734, 0.489, 0.105, -0.04, 2.1),
    (1.085, 0.437, 0.800, 0.514, 0.097, -0.02, 2.1),
    (1.133, 0.454, 0.873, 0.538, 0.088, 0.00, 2.1),
    (1.188, 0.471, 0.953, 0.561, 0.079, 0.00, 2.1),
    (1.244, 0.490, 1.034, 0.584, 0.071, 0.00, 2.1),
    (1.300, 0.510, 1.113, 0.605, 0.064, 0.00, 2.1),
    (1.350, 0.532, 1.186, 0.625, 0.059, 0.00, 2.1),
    (1.389, 0.557, 1.236, 0.648, 0.0565, 0.04, 2.1),       # 23 head
    (1.416, 0.586, 1.258, 0.674, 0.0575, 0.08, 2.1),
    (1.428, 0.616, 1.268, 0.692, 0.059, 0.12, 2.1),
    (1.427, 0.647, 1.263, 0.709, 0.062, 0.16, 2.1),
    (1.414, 0.676, 1.251, 0.724, 0.062, 0.18, 2.2),       # 27 eyes
    (1.393, 0.703, 1.238, 0.740, 0.056, 0.16, 2.2),
    (1.364, 0.730, 1.224, 0.758, 0.047, 0.10, 2.2),
    (1.332, 0.758, 1.210, 0.779, 0.0390, 0.02, 2.2),
    (1.303, 0.786, 1.197, 0.802, 0.0345, -0.04, 2.2),
    (1.278, 0.813, 1.186, 0.824, 0.0325, -0.06, 2.3),
    (1.259, 0.838, 1.178, 0.845, 0.0320, -0.04, 2.4),
    (1.244, 0.859, 1.176, 0.861, 0.0300, 0.00, 2.4),
    (1.230, 0.874, 1.180, 0.873, 0.0245, 0.04, 2.3),
    (1.217, 0.882, 1.190, 0.880, 0.0140, 0.04, 2.2),
])
HALF = 12                               # quads over half a ring
HEAD_RING = 23
HOLES = {"hindleg": (1, 4), "foreleg": (11, 14)}
HOLE_COLUMNS = (7, 10)

#  centre x, y, z, tilt (front lower), half-width, front, back
LEG_RINGS = {
    "foreleg": [
        (0.104, 0.655, 0.312, 12, 0.050, 0.078, 0.084),
        (0.102, 0.612, 0.288, 8, 0.044, 0.064, 0.070),
        (0.100, 0.565, 0.270, 2, 0.039, 0.050, 0.054),
        (0.099, 0.510, 0.268, 0, 0.034, 0.042, 0.040),
        (0.098, 0.450, 0.272, 0, 0.0285, 0.0335, 0.0300),
        (0.097, 0.396, 0.276, 0, 0.0245, 0.0275, 0.0240),
        (0.096, 0.358, 0.279, 0, 0.0250, 0.0275, 0.0225),
        (0.096, 0.326, 0.280, 0, 0.0250, 0.0275, 0.0225),
        (0.0955, 0.290, 0.278, 0, 0.0205, 0.0215, 0.0205),
        (0.095, 0.230, 0.275, 0, 0.0165, 0.0175, 0.0175),
        (0.0945, 0.170, 0.272, 0, 0.0163, 0.0170, 0.0178),
        (0.094, 0.128, 0.270, 0, 0.0198, 0.0195, 0.0235),
        (0.094, 0.104, 0.273, 0, 0.0200, 0.0195, 0.0255),
        (0.094, 0.078, 0.283, 10, 0.0180, 0.0190, 0.0205),
        (0.094, 0.054, 0.294, 12, 0.0225, 0.0240, 0.0235),
        (0.094, 0.046, 0.297, 12, 0.0250, 0.0280, 0.0260),
        (0.094, 0.026, 0.303, 6, 0.0270, 0.0350, 0.0290),
        (0.094, 0.000, 0.309, 0, 0.0285, 0.0430, 0.0310),
    ],
    "hindleg": [
        (0.108, 0.662, -0.405, 8, 0.068, 0.128, 0.116),
        (0.110, 0.604, -0.378, 12, 0.058, 0.122, 0.112),
        (0.110, 0.552, -0.380, 25, 0.049, 0.095, 0.092),
        (0.108, 0.507, -0.402, 34, 0.040, 0.068, 0.067),
        (0.106, 0.467, -0.431, 38, 0.032, 0.047, 0.048),
        (0.104, 0.432, -0.460, 34, 0.0265, 0.0335, 0.041),
        (0.102, 0.402, -0.480, 22, 0.0255, 0.0285, 0.043),
        (0.101, 0.372, -0.489, 8, 0.0250, 0.0260, 0.0355),
        (0.100, 0.335, -0.489, 0, 0.0210, 0.0215, 0.0260),
        (0.099, 0.280, -0.487, 0, 0.0172, 0.0185, 0.0190),
        (0.098, 0.210, -0.482, 0, 0.0165, 0.0178, 0.0185),
        (0.097, 0.150, -0.478, 0, 0.0168, 0.0178, 0.0190),
        (0.096, 0.120, -0.475, 0, 0.0205, 0.0205, 0.0250),
        (0.096, 0.098, -0.471, 0, 0.0200, 0.0200, 0.0255),
        (0.096, 0.075, -0.461, 10, 0.0180, 0.0190, 0.0205),
        (0.096, 0.054, -0.451, 12, 0.0220, 0.0235, 0.0235),
        (0.096, 0.046, -0.448, 12, 0.0245, 0.0275, 0.0255),
        (0.096, 0.026, -0.442, 6, 0.0265, 0.0345, 0.0285),
        (0.096, 0.000, -0.436, 0, 0.0280, 0.0420, 0.0305),
    ],
}
HOOF_FRONT = {"foreleg": 0.0430 + 0.309 - 0.271, "hindleg": 0.0420 - 0.436 + 0.476}   # fetlock to toe tip along z


MIDDLES = np.stack([(RINGS[:, 0] + RINGS[:, 2]) / 2, (RINGS[:, 1] + RINGS[:, 3]) / 2], 1)
ARC = np.concatenate([[0], np.cumsum(np.hypot(*np.diff(MIDDLES, axis=0).T))])       # length along the tube
HEAD_ARC = ARC[HEAD_RING]


def ring_point(row, f):
    """f = 0 on the back line .. 1 on the belly line."""
    ty, tz, by, bz, w, bias, n = row
    c, s = math.cos(math.pi * f), math.sin(math.pi * f)
    cc = math.copysign(abs(c) ** (2 / n), c)
    x = w * max(0.0, s) ** (2 / n) * (1 + bias * c)
    if f in (0.0, 1.0):
        x = 0.0
    return np.array([x, (ty + by) / 2 + (ty - by) / 2 * cc, (tz + bz) / 2 + (tz - bz) / 2 * cc])


def seg_weight(p, a, b, near, far):
    """1 within near of the segment a-b of the side view, 0 beyond far."""
    q, d = p[1:] - a[1:], b[1:] - a[1:]
    h = min(1.0, max(0.0, float(q @ d) / float(d @ d)))
    return float(smooth(far, near, math.hypot(*(q - h * d))))


def trunk_weights(k, p):
    """Joint weights of a point of ring k (which may lie between rings)."""
    a = float(smooth(-0.235, 0.010, p[2]))
    b = float(smooth(0.030, 0.270, p[2]))
    c = float(smooth(12.6, 19.0, k))
    d = float(smooth(17.5, 23.0, k))
    e = float(smooth(21.6, 25.0, k))
    w = {"hips": 1 - a, "spine": a * (1 - b), "chest": a * b * (1 - c), "neck_1": a * b * c * (1 - d),
         "neck_2": a * b * c * d * (1 - e), "head": a * b * c * d * e}
    if k < HEAD_RING - 5:
        fore, hind = LEGS["foreleg"], LEGS["hindleg"]
        out = float(smooth(0.030, 0.105, abs(p[0])))
        f = 0.60 * out * max(seg_weight(p, fore[0], fore[1], 0.05, 0.19),
                             0.7 * seg_weight(p, fore[0], np.array([0, 0.94, 0.27]), 0.04, 0.15)) * (1 - c)
        h = 0.72 * out * seg_weight(p, hind[0] + np.array([0, -0.03, 0]), hind[1], 0.06, 0.21)
        for name, v in (("foreleg_upper_L", f), ("hindleg_upper_L", h)):
            w = {n: x * (1 - v) for n, x in w.items()}
            w[name] = v
    return w


def leg_weights(leg, c):
    """Weights by the place of a ring's centre along the chain of joints."""
    J = LEGS[leg]
    best, where = 9.0, 0.0
    lens = [float(length(J[i + 1] - J[i])) for i in range(3)]
    for i in range(3):
        d = J[i + 1] - J[i]
        h = min(1.0, max(0.0, float((c - J[i]) @ d) / float(d @ d)))
        r = float(length(c - J[i] - d * h))
        if r < best - 1e-9:
            best, where = r, sum(lens[:i]) + h * lens[i]
    if c[1] < J[3][1]:
        where = sum(lens) + J[3][1] - c[1]
    s1, s2, s3 = lens[0], lens[0] + lens[1], sum(lens)
    k1 = 0.062
    a = float(smooth(s1 - k1, s1 + k1, where))
    b = float(smooth(s2 - 0.040, s2 + 0.040, where))
    d = float(smooth(s3 - 0.022, s3 + 0.022, where))
    v = [1 - a, a * (1 - b), a * b * (1 - d), a * b * d]
    return {"%s_%s_L" % (leg, n): x for n, x in zip(LINKS, v)}


def build_leg(m, leg, loop, around):
    """Grows out of the loop of 12 trunk vertices, starting at its upper front corner.
    around: the loop's places between back line (0) and belly line (1), for painting."""
    uvf = UV_LEG[leg]
    n = len(loop)
    ang = [math.pi / 4 + TAU * k / n for k in range(n)]
    us = [k / n for k in range(n + 1)]
    rows = LEG_RINGS[leg]
    ys = np.array([0.745] + [r[1] for r in rows] + [-0.015, -0.030])
    vs = (ys[0] - ys) / (ys[0] - ys[-1])
    prev, pv = loop, vs[0]

    def strip(a, b, va, vb):
        for j in range(n):
            k = (j + 1) % n
            m.face([a[j], a[k], b[k], b[j]], leg, [uvf(us[j], va), uvf(us[j + 1], va), uvf(us[j + 1], vb), uvf(us[j], vb)])

    for i, (x, y, z, tilt, w, rf, rb) in enumerate(rows):
        c = np.array([x, y, z])
        t = deg(tilt)
        fwd = np.array([0, -math.sin(t), math.cos(t)])
        ws = leg_weights(leg, c)
        cur = []
        hoof = float(smooth(0.060, 0.020, y))
        for a, f in zip(ang, around):
            s, co = math.sin(a), math.cos(a)
            e = 2 / 2.2
            q = c + fwd * (rf if co > 0 else rb) * math.copysign(abs(co) ** e, co)
            q = q + np.array([w * math.copysign(abs(s) ** e, s), 0, 0])
            q[0] = x + (q[0] - x) * (1 - 0.42 * hoof * float(smooth(0.2, 1.0, co)))      # pointed toe
            q[1] = max(q[1], 0.0)
            cur.append(m.add(q, w=ws, a=(f, s)))
        strip(prev, cur, pv, vs[i + 1])
        prev, pv = cur, vs[i + 1]
    x, _, z = rows[-1][:3]
    inner = [m.add([x + (m.p[i][0] - x) * 0.55, 0.003, z + (m.p[i][2] - z) * 0.55], w=ws, a=m.a[i]) for i in prev]
    strip(prev, inner, pv, vs[-2])
    mid = m.add([x, 0.004, z], w=ws)
    for j in range(n):
        m.face([inner[j], inner[(j + 1) % n], mid], leg, [uvf(us[j], vs[-2]), uvf(us[j + 1], vs[-2]), uvf(us[j], vs[-1])])
    return {i for i in range(len(m.p)) if m.p[i][1] < 0.50}


def soften(m, amount, iterations):
    """Plain Laplacian smoothing with an amount 0..1 per vertex."""
    nb = m.neighbours()
    p = np.array(m.p)
    mid = np.abs(p[:, 0]) < 1e-9
    for _ in range(iterations):
        avg = np.array([p[n].mean(0) if n else p[i] for i, n in enumerate(nb)])
        p = p + np.asarray(amount)[:, None] * (avg - p)
        p[mid, 0] = 0.0
    m.p = list(p)


def swell(p, n, centre, radius, height):
    """Pushes points near the centre (seen from the side) along their normals."""
    d = (p - np.asarray(centre)) / np.asarray(radius)
    d[:, 0] = 0
    g = np.exp(-(d * d).sum(1)) * smooth(0.02, 0.07, np.abs(p[:, 0]))
    return p + n * (g * height)[:, None]


def build_trunk():
    m = Mesh()
    rows = []
    for k, row in enumerate(RINGS):
        cur = []
        for j in range(HALF + 1):
            p = ring_point(row, j / HALF)
            cur.append(m.add(p, w=trunk_weights(k, p), a=(j / HALF, ARC[k])))
        rows.append(cur)
    body_uv = lambda s, f: UV_BODY(0.01 + 0.985 * s / HEAD_ARC, f)
    head_uv = lambda s, f: UV_HEAD(0.97 * (s - HEAD_ARC) / (ARC[-1] - HEAD_ARC), f)
    lo, hi = HOLE_COLUMNS
    holes = {k: c for leg, (a, b) in HOLES.items() for k in range(a, b) for c in [range(lo, hi)]}
    for k in range(len(rows) - 1):
        part, uv = ("body", body_uv) if k < HEAD_RING else ("head", head_uv)
        for j in range(HALF):
            if k in holes and j in holes[k]:
                continue
            m.face([rows[k][j], rows[k][j + 1], rows[k + 1][j + 1], rows[k + 1][j]], part,
                   [uv(ARC[k], j / HALF), uv(ARC[k], (j + 1) / HALF), uv(ARC[k + 1], (j + 1) / HALF), uv(ARC[k + 1], j / HALF)])
    rear = m.add([0, 0.800, -0.578], w={"hips": 1.0}, a=(0.5, 0))
    nose = m.add([0, 1.203, 0.8835], w={"head": 1.0}, a=(0.5, ARC[-1]))
    for j in range(HALF):
        m.face([rear, rows[0][j + 1], rows[0][j]], "body", [UV_BODY(0.0, (j + 0.5) / HALF), body_uv(0, (j + 1) / HALF), body_uv(0, j / HALF)])
        m.face([rows[-1][j], rows[-1][j + 1], nose], "head", [head_uv(ARC[-1], j / HALF), head_uv(ARC[-1], (j + 1) / HALF), UV_HEAD(1.0, (j + 0.5) / HALF)])
    fixed = set()
    for leg, (a, b) in HOLES.items():
        loop = [rows[b][lo]] + [rows[k][lo] for k in range(b - 1, a, -1)] + [rows[a][lo]]
        loop += [rows[a][j] for j in range(lo + 1, hi)] + [rows[a][hi]]
        loop += [rows[k][hi] for k in range(a + 1, b)] + [rows[b][hi]]
        loop += [rows[b][j] for j in range(hi - 1, lo, -1)]
        fixed |= build_leg(m, leg, loop, [m.a[i][0] for i in loop])
    # the mirror image, welded along the middle
    count = len(m.p)
    m.append(m.mirrored())
    same = {i + count: i for i in range(count) if abs(m.p[i][0]) < 1e-12}
    m.faces = [([same.get(i, i) for i in ids], u, q) for ids, u, q in m.faces]
    m.orient_outward()

    p = np.array(m.p)
    near = np.zeros(len(p))
    for i, q in enumerate(p):
        qq = np.abs(q) * np.array([1, 1, 0]) + np.array([0, 0, q[2]])
        for c in ((0.12, 0.685, 0.325), (0.12, 0.70, -0.42)):
            near[i] = max(near[i], float(smooth(0.26, 0.08, length(qq - np.array(c)))))
        if i % count in fixed:
            near[i] = 0.0
    soften(m, 0.5 * near, 10)
    trunk = np.array([0.0 if (i % count in fixed or q[1] > 1.18) else 0.35 for i, q in enumerate(p)])
    soften(m, trunk, 2)
    p = np.array(m.p)
    n = mesh_normals(m)
    for c, r, h in SWELLS:
        p = swell(p, n, c, r, h)
    m.p = list(p)
    m.smooth_weights(JOINT_NAMES, 0.5 * near, 6)
    return m


#   centre (y, z matter)    radius               height
SWELLS = [
    ((0, 0.86, 0.315), (1, 0.115, 0.060), 0.017),          # shoulder blade
    ((0, 0.74, 0.385), (1, 0.060, 0.055), 0.016),          # point of the shoulder
    ((0, 0.70, 0.275), (1, 0.080, 0.050), 0.014),          # upper arm
    ((0, 0.77, -0.400), (1, 0.130, 0.090), 0.019),         # thigh
    ((0, 0.93, -0.270), (1, 0.040, 0.045), 0.013),         # hip bone
    ((0, 0.72, -0.190), (1, 0.090, 0.050), -0.016),        # flank
    ((0, 0.88, 0.150), (1, 0.080, 0.050), -0.010),         # behind the shoulder
    ((0, 1.382, 0.690), (1, 0.018, 0.032), 0.009),         # brow
    ((0, 1.300, 0.690), (1, 0.040, 0.030), 0.004),         # cheek
    ((0, 1.300, 0.768), (1, 0.016, 0.030), -0.003),        # below the eye
]


def mesh_normals(m):
    B = triangulate(m, PARTS)
    weld, nw = weld_ids(B.pos)
    n = np.zeros((len(m.p), 3))
    n[B.order] = vertex_normals(B.pos, B.tris, weld, nw)
    return n


def both_sides(m):
    m.orient_outward()
    r = Mesh()
    r.append(m)
    r.append(m.mirrored())
    return r


EYE = np.array([0.0425, 1.3490, 0.7010])
EYE_R = 0.0230
EYE_AXIS = unit([0.86, 0.12, 0.42])


def build_eyes():
    m = Mesh()
    d = EYE_AXIS
    side = unit(np.cross(d, [0, 1, 0]))
    up = np.cross(side, d)
    rings = []
    n = 10
    for e in (100, 72, 46, 22):
        s, c = math.sin(deg(e)), math.cos(deg(e))
        cur = []
        for k in range(n):
            a = TAU * k / n
            r = EYE_R
            q = EYE + d * (c * r) + (side * math.cos(a) * 1.10 + up * math.sin(a) * 0.88) * (s * r)
            t = e / 100 * 0.5
            cur.append(m.add(q, UV_EYE(0.5 + t * math.cos(a), 0.5 - t * math.sin(a)), {"head": 1.0}))
        rings.append(cur)
    for a, b in zip(rings, rings[1:]):
        m.strip(a, b, "eye")
    m.fan(rings[-1], m.add(EYE + d * EYE_R, UV_EYE(0.5, 0.5), {"head": 1.0}), "eye")
    return both_sides(m)


EAR_BASE = JOINT_POS[JOINT_ID["ear_L"]]
EAR_DIR = unit([0.70, 0.66, -0.26])
EAR_OPEN = unit(np.array([0.42, -0.05, 0.90]) - EAR_DIR * float(np.dot(EAR_DIR, [0.42, -0.05, 0.90])))
EAR_LEN = 0.168


def build_ears():
    """A cupped leaf: front and back sheets that share their rim."""
    m = Mesh()
    side = np.cross(EAR_DIR, EAR_OPEN)
    rows = []
    #        along  half-w  cup
    table = [(-0.06, 0.016, 0.010), (0.08, 0.027, 0.022), (0.24, 0.037, 0.026), (0.44, 0.042, 0.022), (0.64, 0.036, 0.015),
             (0.82, 0.022, 0.008), (0.94, 0.010, 0.003)]
    cols = [-1.0, -0.72, -0.30, 0.30, 0.72, 1.0]
    for s, w, cup in table:
        c = EAR_BASE + EAR_DIR * (s * EAR_LEN) + EAR_OPEN * (-0.020 * s * s)
        head = 0.75 * (1 - float(smooth(-0.05, 0.30, s)))
        ws = {"ear_L": 1 - head, "head": head}
        front, back = [], []
        for x in cols:
            q = c + side * (x * w) - EAR_OPEN * (cup * (1 - x * x) - cup * 0.5)
            front.append(m.add(q, UV_EAR(0.24 + 0.22 * x, 1 - s), ws, (1.0 - abs(x), s)))
            if abs(x) == 1:
                back.append(front[-1])
            else:
                back.append(m.add(q - EAR_OPEN * (0.004 + 0.006 * (1 - s) * (1 - x * x)), UV_EAR(0.76 + 0.22 * x, 1 - s), ws, (0.0, s)))
        rows.append((front, back))
    tip = m.add(EAR_BASE + EAR_DIR * EAR_LEN - EAR_OPEN * 0.021, (0, 0), {"ear_L": 1.0}, (0.0, 1.0))
    uv = lambda f, x, s: UV_EAR((0.24 if f else 0.76) + 0.22 * x, min(1.0, 1 - s))
    for (fa, ba), (fb, bb), (sa, _, _), (sb, _, _) in zip(rows, rows[1:], table, table[1:]):
        for j in range(len(cols) - 1):
            x0, x1 = cols[j], cols[j + 1]
            m.face([fa[j], fa[j + 1], fb[j + 1], fb[j]], "ear", [uv(1, x0, sa), uv(1, x1, sa), uv(1, x1, sb), uv(1, x0, sb)])
            m.face([ba[j + 1], ba[j], bb[j], bb[j + 1]], "ear", [uv(0, x1, sa), uv(0, x0, sa), uv(0, x0, sb), uv(0, x1, sb)])
    (fa, ba), sa = rows[-1], table[-1][0]
    for j in range(len(cols) - 1):
        m.face([fa[j], fa[j + 1], tip], "ear", [uv(1, cols[j], sa), uv(1, cols[j + 1], sa), uv(1, 0, 1)])
        m.face([ba[j + 1], ba[j], tip], "ear", [uv(0, cols[j + 1], sa), uv(0, cols[j], sa), uv(0, 0, 1)])
    return both_sides(m)


#         y      z       half-w  half-d
TAIL = [(0.945, -0.515, 0.024, 0.018), (0.932, -0.546, 0.028, 0.019), (0.904, -0.573, 0.031, 0.019), (0.866, -0.589, 0.031, 0.018),
        (0.824, -0.597, 0.028, 0.016), (0.784, -0.599, 0.020, 0.012), (0.756, -0.598, 0.009, 0.006)]


def build_tail():
    m = Mesh()
    n = 8
    prev = None
    for i, (y, z, w, d) in enumerate(TAIL):
        a, b = TAIL[max(i - 1, 0)], TAIL[min(i + 1, len(TAIL) - 1)]
        along = unit([0, b[0] - a[0], b[1] - a[1]])
        out = np.cross([1.0, 0, 0], along)                     # away from the rump
        k = float(smooth(-0.3, 2.0, i))
        cur, uvs = [], []
        v = i / len(TAIL)
        for j in range(n):
            t = TAU * j / n
            q = np.array([0, y, z]) + out * (math.cos(t) * d) + np.array([math.sin(t) * w, 0, 0])
            cur.append(m.add(q, w={"hips": 1 - k, "tail": k}, a=(math.cos(t), math.sin(t))))
            uvs.append(UV_TAIL(j / n, v))
        end = UV_TAIL(1.0, v)
        if prev:
            pc, pu, pe = prev
            for j in range(n):
                k2 = (j + 1) % n
                m.face([pc[j], pc[k2], cur[k2], cur[j]], "tail", [pu[j], pu[k2] if k2 else pe, uvs[k2] if k2 else end, uvs[j]])
        prev = (cur, uvs, end)
    tip = m.add([0, 0.743, -0.596], w={"tail": 1.0}, a=(0, 0))
    for j in range(n):
        k2 = (j + 1) % n
        m.face([prev[0][j], prev[0][k2], tip], "tail", [prev[1][j], prev[1][k2] if k2 else prev[2], UV_TAIL((j + 0.5) / n, 1.0)])
    return m.orient_outward()


def assemble():
    m = Mesh()
    for part in (build_trunk(), build_eyes(), build_ears(), build_tail()):
        m.append(part)
    B = triangulate(m, PARTS)
    weld, nw = weld_ids(B.pos)
    B.nrm = vertex_normals(B.pos, B.tris, weld, nw)
    bind_weights(B, m, JOINT_NAMES, weld, nw)
    B.ao = ambient_occlusion(B, weld, nw)
    return B


POLL = np.array([0.0, 1.345, 0.612])
MUZZLE_DIR = np.array([0.0, -0.57, 0.82])
HEAD_SCALE = 1.10


def reshape(p):
    """Shorter muzzle, larger head, neck carried further forward. Applied after painting, as
    the paint is placed by the drawn coordinates."""
    x, y, z = p[:, 0], p[:, 1], p[:, 2]
    k = smooth(1.15, 1.33, y + 0.55 * (z - 0.60))
    along = (p - np.array([0, 1.335, 0.705])) @ MUZZLE_DIR
    short = 0.17 * np.maximum(0.0, along - 0.02) ** 2 / (np.maximum(0.0, along - 0.02) + 0.02)
    q = p - (k * short)[:, None] * MUZZLE_DIR
    q = q + ((HEAD_SCALE - 1) * k)[:, None] * (q - POLL)
    t = smooth(0.98, 1.36, y + 0.5 * (z - 0.40)) * smooth(0.25, 0.40, z)
    return q + t[:, None] * np.array([0.0, -0.055, 0.075])


def reshape_all(B):
    B.pos = np.round(reshape(B.pos), 6)
    weld, nw = weld_ids(B.pos)
    B.nrm = vertex_normals(B.pos, B.tris, weld, nw)
    for name in ("neck_1", "neck_2", "head", "ear_L", "ear_R"):
        JOINT_POS[JOINT_ID[name]] = reshape(JOINT_POS[[JOINT_ID[name]]])[0]


# --------------------------------------------------------------------------
# Coat: painted in 3D. The tan parts take the actor's tint.
# --------------------------------------------------------------------------
TAN, TAN_DARK, TAN_LIGHT = rgb("#bb7c48"), rgb("#7e492d"), rgb("#d3a679")
CREAM, WHITE, SOOT = rgb("#efe2cc"), rgb("#fbf6ec"), rgb("#2f241f")
PINK, HOOF, GREY = rgb("#d8a890"), rgb("#3b332f"), rgb("#9d7c63")
COAT_TINT = 0.70                    # a coat stays a coat under vivid tints


def scatter(i, stream):
    """A portable pseudo-random number in 0..1."""
    x = (i * 0x9E3779B97F4A7C15 + stream * 0xBF58476D1CE4E5B9 + 7) & (2 ** 64 - 1)
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB), (31, 1)):
        x = ((x ^ (x >> shift)) * factor) & (2 ** 64 - 1)
    return (x >> 11) / 2 ** 53


def coat_spots():
    """Rows of white spots on back, flank and haunch: (x, y, z, radius)."""
    spots = []
    for r, (f, first, last, step) in enumerate([(0.085, 2.0, 14.2, 0.62), (0.20, 1.8, 13.2, 0.74), (0.295, 1.7, 12.6, 0.72),
                                                (0.39, 1.6, 11.8, 0.74), (0.485, 1.8, 11.0, 0.80)]):
        count = int((last - first) / step)
        for k in range(count):
            i = r * 100 + k
            jit = 1.0 if r else 0.35
            at = first + (k + 0.5 * (r % 2)) * step + jit * 0.34 * (scatter(i, 1) - 0.5)
            ff = f + jit * 0.055 * (scatter(i, 2) - 0.5)
            if r > 1 and scatter(i, 3) < 0.14:
                continue
            lo = int(at)
            row = lerp(RINGS[lo], RINGS[lo + 1], at - lo)
            spots.append(np.append(ring_point(row, ff), 0.0105 + 0.0065 * scatter(i, 4) - (0.002 if r == 0 else 0)))
    return spots


def paint_texture(B):
    t = map_texels(B, np.arange(len(B.tris)))
    rgbm, mask = np.zeros((TEX, TEX, 3)), np.zeros((TEX, TEX))
    for name in PARTS:
        sel = t.cover & (t.part == PART_ID[name])
        c, m = PAINTERS[name](t.P[sel], t.N[sel], t.A[sel], t.UV[sel])
        occ = 0.0 if name == "eye" else 0.62
        dark = 1 - t.AO[sel]
        c = c * np.stack([1 - occ * dark, 1 - occ * 1.08 * dark, 1 - occ * 1.14 * dark], 1)
        rgbm[sel], mask[sel] = c, np.clip(m, 0, 1)
    done = bleed(rgbm, mask, t.cover)
    rgbm[~done] = TAN
    out = np.concatenate([rgbm, mask[..., None]], -1)
    return (np.clip(out, 0, 1) * 255 + 0.5).astype(np.uint8)


class Coat:
    """Colours and tint mask of one part while it is painted."""

    def __init__(self, count, colour, tint):
        self.c = np.tile(np.asarray(colour), (count, 1))
        self.m = np.full(count, float(tint))

    def mix(self, colour, k, tint=None):
        k = np.clip(k, 0, 1)
        self.c = self.c * (1 - k)[:, None] + np.asarray(colour) * k[:, None]
        if tint is not None:
            self.m = self.m * (1 - k) + tint * k


def fur(coat, p, strength=1.0, stretch=(1, 1, 1)):
    q = p * np.array(stretch)
    f = 0.55 * noise(q, 130, 3) + 0.45 * noise(q, 260, 4)
    coat.c = coat.c * (1 + strength * 0.22 * (f - 0.5))[:, None]
    coat.mix(TAN_DARK, strength * 0.14 * smooth(0.45, 0.85, noise(p, 9, 5)))


def bell(x, a, b, c, d):
    """0 before a, 1 between b and c, 0 after d."""
    return smooth(a, b, x) * (1 - smooth(c, d, x))


def paint_coat(p, f):
    """The ground colours that trunk, head and legs share. f: 0 back line .. 1 belly line."""
    y, z = p[:, 1], p[:, 2]
    c = Coat(len(p), TAN, COAT_TINT)
    neck = smooth(0.40, 0.56, z) * smooth(0.85, 1.05, y)
    wob = 0.05 * (noise(p, 14, 1) - 0.5) + 0.03 * (noise(p, 60, 2) - 0.5)
    c.mix(TAN_DARK, 0.62 * smooth(0.36, 0.0, f + wob))
    c.mix(TAN_LIGHT, 0.65 * smooth(0.40, 0.68, f + wob))
    c.mix(GREY, 0.30 * neck * smooth(0.1, 0.6, f))
    fur(c, p, 1.0, (1, 1.4, 0.6))
    c.mix(CREAM, lerp(smooth(0.685, 0.765, f + wob), smooth(0.72, 0.98, f + wob), neck), 0.12)
    return c, wob


def paint_body(p, n, a, uv):
    f, y, z = a[:, 0], p[:, 1], p[:, 2]
    c, wob = paint_coat(p, f)
    body = 1 - smooth(0.30, 0.44, z)
    c.mix(CREAM, 0.70 * line(f + 0.6 * wob - 0.585, 0.005, 0.016) * smooth(-0.29, -0.18, z) * smooth(0.21, 0.06, z), 0.2)
    # creases behind the shoulder and in front of the thigh, lit muscles between
    c.mix(TAN_DARK, 0.26 * np.exp(-((z - 0.185 + 0.25 * (y - 0.75)) / 0.022) ** 2) * bell(y, 0.60, 0.66, 0.80, 0.90))
    c.mix(TAN_DARK, 0.30 * np.exp(-((z + 0.225 - 0.20 * (y - 0.68)) / 0.024) ** 2) * bell(y, 0.58, 0.64, 0.74, 0.86))
    c.mix(TAN_LIGHT, 0.16 * np.exp(-(((z - 0.300) / 0.050) ** 2 + ((y - 0.82) / 0.090) ** 2)))
    c.mix(TAN_LIGHT, 0.18 * np.exp(-(((z + 0.380) / 0.075) ** 2 + ((y - 0.77) / 0.090) ** 2)))
    # eel stripe
    c.mix(SOOT, 0.72 * line(p[:, 0] + 0.006 * (noise(p, 50, 8) - 0.5), 0.0085, 0.010) * (f < 0.3) * body, 0.3)
    # spots
    d, ragged = np.full(len(p), 9.0), 1 + 0.55 * (noise(p, 75, 11) - 0.5) + 0.30 * (noise(p, 190, 12) - 0.5)
    for s in coat_spots():
        d = np.minimum(d, length((np.stack([np.abs(p[:, 0]), y, z], 1) - s[:3]) * np.array([1, 1.08, 0.90])) / (s[3] * ragged))
    c.mix(WHITE, 0.93 * smooth(1.18, 0.68, d), 0.0)
    # mirror: white patch on the buttocks with a dark edge
    e = np.hypot((y - 0.80) / 0.135, p[:, 0] / 0.080) + 0.16 * (noise(p, 45, 9) - 0.5)
    back = smooth(-0.490, -0.525, z)
    c.mix(SOOT, 0.75 * line(e - 1.02, 0.04, 0.14) * back * smooth(0.70, 0.76, y), 0.1)
    c.mix(WHITE, smooth(1.0, 0.88, e) * back, 0.0)
    return c.c, c.m


def paint_head(p, n, a, uv):
    x, y, z, f = np.abs(p[:, 0]), p[:, 1], p[:, 2], a[:, 0]
    c, _ = paint_coat(p, f)
    own = smooth(0.0, 0.10, a[:, 1] - HEAD_ARC)
    c.mix(TAN_DARK, 0.45 * own * smooth(0.40, 0.05, f) * smooth(0.84, 0.70, z))
    c.mix(TAN, 0.55 * own * smooth(0.35, 0.5, f) * smooth(0.80, 0.70, f))
    c.mix(CREAM, 0.8 * own * smooth(0.74, 0.92, f + 0.05 * (noise(p, 60, 2) - 0.5)), 0.1)
    c.mix(GREY * 0.70, 0.55 * smooth(0.79, 0.84, z) * smooth(0.75, 0.40, f), 0.4)
    c.mix(CREAM, 0.55 * line(z - 0.846, 0.004, 0.014) * smooth(0.40, 0.62, f), 0.1)
    # around the eye
    q = np.stack([x, y, z], 1)
    d = length(q - (EYE + EYE_AXIS * EYE_R * 0.5))
    c.mix(CREAM, 0.50 * smooth(0.043, 0.028, d) * smooth(0.004, -0.004, y - EYE[1] + 0.004), 0.1)
    c.mix(CREAM, 0.18 * smooth(0.040, 0.028, d), 0.3)
    c.mix(SOOT, 0.90 * smooth(0.0262, 0.0225, d), 0.0)
    corner = (EYE + np.array([-0.006, -0.017, 0.022]))
    c.mix(SOOT, 0.7 * smooth(0.013, 0.004, length(q - corner)), 0.0)
    # nose and mouth
    nose = smooth(0.856, 0.864, z + 0.35 * (y - 1.225)) * smooth(1.192, 1.200, y)
    c.mix(SOOT, 0.95 * nose, 0.0)
    hole = np.hypot((y - 1.222) / 0.008, (z - 0.868) / 0.012)
    c.mix(rgb("#0d0908"), 0.9 * smooth(1.2, 0.6, hole) * (x > 0.006), 0.0)
    lip = y - 1.1905 - 0.22 * np.maximum(0.872 - z, 0)
    c.mix(SOOT, 0.75 * line(lip, 0.0012, 0.0022) * smooth(0.800, 0.825, z), 0.0)
    c.mix(WHITE, 0.8 * smooth(1.189, 1.180, y) * smooth(0.81, 0.84, z), 0.0)
    return c.c, c.m


def paint_leg(p, n, a, uv):
    y, z = p[:, 1], p[:, 2]
    c, wob = paint_coat(p, a[:, 0])
    inner = smooth(0.1, 0.8, -n[:, 0] * np.sign(p[:, 0]) + 2 * wob)
    down = smooth(0.66, 0.50, y)
    c.mix(lerp(TAN, TAN_LIGHT, 0.55), down * (1 - inner) * 0.85, COAT_TINT)
    c.mix(lerp(CREAM, TAN_LIGHT, 0.25), 0.62 * down * inner * smooth(0.16, 0.40, y), 0.3)
    c.mix(GREY, 0.30 * smooth(0.30, 0.12, y))
    c.mix(CREAM, 0.45 * smooth(0.10, 0.06, y), 0.3)
    hoof = smooth(0.0525, 0.0490, y)
    c.mix(HOOF, hoof, 0.0)
    c.c = c.c * (1 + 0.22 * (hoof * (smooth(0.0, 0.05, y) - 0.5)))[:, None]
    mid = np.abs(p[:, 0]) - np.where(z > 0, 0.094, 0.096)
    front = np.where(z > 0, z - 0.30, z + 0.44)
    c.mix(rgb("#120d0b"), 0.9 * hoof * line(mid, 0.0018, 0.0025) * smooth(-0.005, 0.015, front), 0.0)
    return c.c, c.m


def paint_hindleg(p, n, a, uv):
    c, m = paint_leg(p, n, a, uv)
    # the buttocks' white runs down the back of the thigh
    k = smooth(0.35, 0.85, -n[:, 2]) * smooth(0.56, 0.66, p[:, 1]) * smooth(0.2, -0.3, n[:, 0] * np.sign(p[:, 0]))
    return c * (1 - k)[:, None] + WHITE * k[:, None], m * (1 - k)


def paint_ear(p, n, a, uv):
    c = Coat(len(p), lerp(TAN, GREY, 0.3), COAT_TINT)
    fur(c, p, 1.0)
    inside = smooth(0.02, 0.25, a[:, 0]) * (uv[:, 0] * TEX < 52)
    c.mix(CREAM, inside, 0.0)
    c.mix(PINK, 0.75 * inside * smooth(0.30, 0.85, a[:, 0]) * smooth(0.95, 0.55, a[:, 1]), 0.0)
    streak = 0.5 + 0.5 * np.cos(uv[:, 0] * TEX * 0.95 + 3 * noise(p, 60, 2))
    c.mix(WHITE, 0.30 * inside * streak, 0.0)
    c.mix(SOOT, 0.70 * smooth(0.80, 0.98, a[:, 1]), 0.1)
    c.mix(SOOT, 0.35 * smooth(0.12, 0.0, a[:, 0]) * (uv[:, 0] * TEX < 52), 0.1)
    return c.c, c.m


def paint_tail(p, n, a, uv):
    c = Coat(len(p), TAN, COAT_TINT)
    fur(c, p, 1.0)
    c.mix(SOOT, 0.9 * smooth(0.45, 0.80, a[:, 0]), 0.1)
    c.mix(SOOT, 0.9 * smooth(0.80, 0.77, p[:, 1]) * (a[:, 0] > -0.2), 0.1)
    c.mix(WHITE, smooth(0.20, -0.10, a[:, 0]), 0.0)
    return c.c, c.m


def paint_eye(p, n, a, uv):
    x, y = uv[:, 0] * TEX - 198, uv[:, 1] * TEX - 434
    r = np.hypot(x, y) / 30
    c = Coat(len(p), rgb("#1c100a"), 0.0)
    c.mix(rgb("#5a3417"), 0.75 * smooth(0.62, 0.45, r) * smooth(-0.6, 0.8, y / 30 / 0.5))
    c.mix(rgb("#080504"), smooth(0.34, 0.28, np.hypot(x / 1.35, y) / 30))
    c.mix(rgb("#0a0605"), smooth(0.66, 0.80, r))
    c.mix(rgb("#ffffff"), smooth(4.6, 3.2, np.hypot(x + 3.5, y + 5.0)))
    c.mix(rgb("#b9c6d6"), 0.5 * smooth(3.6, 1.6, np.hypot(x - 7, y - 8)))
    return c.c, c.m


PAINTERS = {"body": paint_body, "head": paint_head, "foreleg": paint_leg, "hindleg": paint_hindleg, "ear": paint_ear,
            "tail": paint_tail, "eye": paint_eye}


# --------------------------------------------------------------------------
# Motion
# --------------------------------------------------------------------------
class Pose:
    """The pose of a clip at one moment. Angles in radians, distances in metres."""

    def __init__(self):
        self.hips = np.zeros(3)                  # offset from the bind position
        self.hips_r = np.eye(3)
        self.spine = np.eye(3)                   # local rotations
        self.chest = np.eye(3)
        self.neck = [np.eye(3), np.eye(3)]
        self.head = np.eye(3)
        self.tail = np.eye(3)
        self.ear = {"L": (0.0, 0.0), "R": (0.0, 0.0)}         # turn back, droop
        self.glide = {"L": 0.0, "R": 0.0}                     # shoulder slides forward
        self.foot = {(leg, s): dict(pos=np.zeros(3), pitch=0.0, flex=0.0, knee=0.0) for leg in LEGS for s in "LR"}


STRETCH = []                 # how far the legs reach, for the verbose report
BACKWARD = np.array([0.0, 0.0, -1.0])


def bend_foreleg(bones, d, flex, pole):
    """The forearm and cannon act as one strut, bent by flex at the carpus."""
    a, b, c = bones
    strut = b + rx(flex) @ c
    l1, l2 = float(length(a)), float(length(strut))
    dist = float(length(d))
    STRETCH.append(dist / (l1 + l2))
    dist = min(dist, 0.9985 * (l1 + l2))
    dirn = unit(d)
    perp = unit(pole - dirn * float(np.dot(pole, dirn)))
    ca = min(1.0, max(-1.0, (l1 * l1 + dist * dist - l2 * l2) / (2 * l1 * dist)))
    elbow = dirn * (l1 * ca) + perp * (l1 * math.sqrt(1 - ca * ca))
    hinge = np.cross(dirn, perp)
    bind = np.cross(unit(a + strut), BACKWARD)
    upper = basis(elbow, hinge) @ basis(a, bind).T
    lower = basis(dirn * dist - elbow, hinge) @ basis(strut, bind).T
    return upper, lower, lower @ rx(flex)


def bend_hindleg(bones, d, flex, pole):
    """Stifle and hock open and close together: the cannon keeps its angle to the thigh."""
    a, b, c = bones

    def chain(t):
        return a + rx(t) @ b + rx(t * -0.06 - flex) @ c
    lo, hi = deg(-42), deg(80)
    dist = float(length(d))
    STRETCH.append(dist / float(length(chain(lo))))
    for _ in range(50):
        mid = 0.5 * (lo + hi)
        lo, hi = (mid, hi) if float(length(chain(mid))) > dist else (lo, mid)
    t = 0.5 * (lo + hi)
    v = chain(t)
    side = np.cross(BACKWARD, unit(v))
    upper = basis(d, np.cross(pole, unit(d))) @ basis(v, side).T
    return upper, upper @ rx(t), upper @ rx(t * -0.06 - flex)


def solve(p):
    """Pose -> (hips position, local rotations, glides)."""
    G = [None] * len(JOINTS)
    at = [None] * len(JOINTS)
    J = JOINT_ID
    local = {"hips": p.hips_r, "spine": p.spine, "chest": p.chest, "neck_1": p.neck[0], "neck_2": p.neck[1], "head": p.head,
             "tail": p.tail}
    for s, sg in (("L", 1.0), ("R", -1.0)):
        back, droop = p.ear[s]
        local["ear_" + s] = rz(-sg * droop) @ ry(sg * back)
    for i, name in enumerate(JOINT_NAMES):
        if name not in local:
            continue
        par = JOINT_PARENT[i]
        if par < 0:
            G[i], at[i] = local[name], JOINT_POS[i] + p.hips
        else:
            G[i] = G[par] @ local[name]
            at[i] = at[par] + G[par] @ (JOINT_POS[i] - JOINT_POS[par])
    for leg, bend in (("foreleg", bend_foreleg), ("hindleg", bend_hindleg)):
        base = J["chest"] if leg == "foreleg" else J["hips"]
        for s in "LR":
            f = p.foot[leg, s]
            chain = LEGS[leg] * MIRROR[s]
            root = chain[0] - JOINT_POS[base]
            if leg == "foreleg":
                root = root + np.array([0, 0, p.glide[s]])
            root = at[base] + G[base] @ root
            hoof = rx(f["pitch"])
            target = chain[3] + f["pos"]
            pole = ry(f["knee"] * MIRROR[s][0]) @ BACKWARD
            rots = bend(np.diff(chain, axis=0), target - root, f["flex"], pole)
            for link, r in zip(LINKS, rots + (hoof,)):
                G[J["%s_%s_%s" % (leg, link, s)]] = r
    loc = [to_quat(G[i] if JOINT_PARENT[i] < 0 else G[JOINT_PARENT[i]].T @ G[i]) for i in range(len(JOINTS))]
    return at[0], loc, [p.glide["L"], p.glide["R"]]


def bake(name, keys, fn, extras=None):
    """fn(t) with t in seconds; keys includes both ends of the loop."""
    del STRETCH[:]
    hips, rot, glide = [np.array(v) for v in zip(*[solve(fn(k / FPS)) for k in range(keys)])]
    hips[-1], rot[-1], glide[-1] = hips[0], rot[0], glide[0]
    for k in range(1, keys):
        flip = (rot[k] * rot[k - 1]).sum(-1) < 0
        rot[k][flip] *= -1
    if (rot[-1] != rot[0]).any():
        raise RuntimeError("rotation track does not close: " + name)
    if os.environ.get("ANIMAL_VERBOSE"):
        print(name, "leg stretch %.4f" % max(STRETCH), [(i // 4, i % 4, round(v, 3)) for i, v in enumerate(STRETCH) if v > 0.995])
    shift = {}
    for k, s in enumerate("LR"):
        i = JOINT_ID["foreleg_upper_" + s]
        rest = JOINT_POS[i] - JOINT_POS[JOINT_PARENT[i]]
        shift[i] = np.round(rest + np.outer(glide[:, k], [0, 0, 1]), 6)
    ex = {"loop": True}
    ex.update(extras or {})
    return {"name": name, "keys": keys, "hips": np.round(hips, 6), "rot": rot, "shift": shift, "extras": ex}


class Gait:
    """Hoof path in the body's frame. In stance the hoof lies flat and moves back with the
    ground, then rolls over the toe; in swing it follows splines. Times in keys. sag: how far
    the hoof is held up at the keys because it dips between them."""

    def __init__(self, leg, keys, speed, flat, lift, z0, push, swing, sag=0.0):
        self.T, self.v, self.flat, self.lift = keys / FPS, speed, flat / FPS, lift / FPS
        self.z0, self.push, self.swing, self.sag = z0, push, swing, sag
        self.toe = np.array([0, -LEGS[leg][3][1], HOOF_FRONT[leg]])

    def stance(self, t):
        flat = np.array([0.0, self.sag, self.z0 - self.v * t])
        if t <= self.flat:
            return flat, 0.0
        pitch = self.push * ((t - self.flat) / (self.lift - self.flat)) ** 1.5
        return flat + self.toe - rx(pitch) @ self.toe, pitch

    def at(self, t):
        """-> hoof offset, hoof pitch, flexion."""
        t = t % self.T
        if t > self.T - 1e-9:
            t = 0.0
        sw = self.swing
        if t <= self.lift + 1e-9:
            pos, pitch = self.stance(min(t, self.lift))
            return pos, pitch, sw["rest"]
        e = 1e-4
        (a0, p0), (a1, p1) = self.stance(self.lift - e), self.stance(self.lift)
        d = self.T - self.lift
        x = (t - self.lift) / d
        va = (a1 - a0) / e * d
        y = hermite([(0, a1[1], va[1])] + sw["y"] + [(1, self.sag, sw.get("land", -0.25))], x)
        z = hermite([(0, a1[2], va[2])] + sw["z"] + [(1, self.z0, -self.v * d)], x)
        pitch = hermite([(0, p1, (p1 - p0) / e * d * 0.5)] + sw["pitch"] + [(1, 0.0, 0.0)], x)
        flex = hermite([(0, sw["rest"], 0.0)] + sw["flex"] + [(1, sw["rest"], 0.0)], x)
        return np.array([0, y, z]), pitch, flex


def step_all(p, t, T, gaits, phases, narrow):
    for (leg, s), ph in phases.items():
        f = p.foot[leg, s]
        pos, f["pitch"], f["flex"] = gaits[leg].at(t - ph * T)
        f["pos"] = pos + np.array([-MIRROR[s][0] * narrow, 0, 0])


WALK_KEYS, WALK_SPEED = 32, 0.92
WALK_PHASE = {("hindleg", "L"): 0.0, ("foreleg", "L"): 0.25, ("hindleg", "R"): 0.5, ("foreleg", "R"): 0.75}


def clip_walk():
    T = WALK_KEYS / FPS
    gaits = {
        "foreleg": Gait("foreleg", WALK_KEYS, WALK_SPEED, 16, 20, 0.335, deg(50), {
            "rest": 0.0, "y": [(0.35, 0.135, None), (0.72, 0.060, None)], "z": [(0.35, -0.120, None), (0.72, 0.310, None)],
            "pitch": [(0.32, deg(85), None), (0.72, deg(8), None)], "flex": [(0.40, deg(62), 0.0)]}),
        "hindleg": Gait("hindleg", WALK_KEYS, WALK_SPEED, 16, 20, 0.300, deg(46), {
            "rest": 0.0, "y": [(0.35, 0.105, None), (0.72, 0.055, None)], "z": [(0.35, -0.120, None), (0.72, 0.290, None)],
            "pitch": [(0.32, deg(62), None), (0.72, deg(4), None)], "flex": [(0.40, deg(6), 0.0)]}),
    }

    def fn(t):
        a = TAU * t / T
        p = Pose()
        step_all(p, t, T, gaits, WALK_PHASE, 0.022)
        nod = math.cos(2 * a - TAU * 0.42)
        p.hips = np.array([0.010 * math.cos(a - TAU * 0.30), -0.016 - 0.007 * math.cos(2 * a - 0.4), 0.004 * math.sin(2 * a)])
        p.hips_r = euler(-deg(3.0) * math.cos(a - 0.2), deg(0.6) * math.cos(2 * a + 0.8), deg(3.2) * math.cos(a - TAU * 0.20))
        p.spine = euler(deg(2.6) * math.cos(a - 0.3), 0.0, -deg(1.8) * math.cos(a - TAU * 0.25))
        p.chest = euler(deg(1.8) * math.cos(a - 0.9), -deg(0.5) * math.cos(2 * a + 0.8), -deg(2.6) * math.cos(a - TAU * 0.33))
        p.neck = [euler(-deg(1.2) * math.cos(a - 0.9), deg(7) + deg(2.4) * nod, deg(0.8) * math.cos(a)),
                  euler(-deg(0.8) * math.cos(a - 1.2), deg(6) + deg(1.6) * nod, 0.0)]
        p.head = euler(-deg(0.6) * math.cos(a - 1.4), -deg(13) - deg(3.4) * math.cos(2 * a - TAU * 0.50), 0.0)
        p.tail = euler(0.0, deg(4), 0.0) @ rz(deg(7) * math.sin(a - 0.6))
        for s, ph, sg in (("L", 0.25, 1.0), ("R", 0.75, -1.0)):
            p.glide[s] = 0.030 * math.cos(a - TAU * ph - 0.1)
            p.ear[s] = (deg(14) + deg(3) * math.cos(2 * a - 0.8), deg(5) + deg(4) * math.cos(2 * a - 1.2 - 0.4 * sg))
        return p
    c = {"%s_hoof_%s" % k: [round(ph * WALK_KEYS / FPS, 6), round((ph * WALK_KEYS + 16) / FPS, 6)] for k, ph in WALK_PHASE.items()}
    return bake("walk", WALK_KEYS + 1, fn, {"groundSpeedMetersPerSecond": WALK_SPEED, "flatContacts": c})


RUN_KEYS, RUN_SPEED = 15, 7.5
RUN_TOUCH = {("hindleg", "R"): 0, ("hindleg", "L"): 2, ("foreleg", "R"): 6, ("foreleg", "L"): 8}


def clip_run():
    T = RUN_KEYS / FPS
    gaits = {
        "foreleg": Gait("foreleg", RUN_KEYS, RUN_SPEED, 2, 2.6, 0.300, deg(40), {
            "rest": 0.0, "land": -0.9, "y": [(0.30, 0.270, None), (0.62, 0.330, None), (0.86, 0.120, None)],
            "z": [(0.20, -0.330, None), (0.55, 0.020, None), (0.84, 0.390, None)],
            "pitch": [(0.25, deg(115), None), (0.58, deg(95), None), (0.86, deg(5), None)],
            "flex": [(0.30, deg(70), None), (0.56, deg(96), None), (0.88, deg(10), None)]}, 0.008),
        "hindleg": Gait("hindleg", RUN_KEYS, RUN_SPEED, 2, 2.6, 0.330, deg(45), {
            "rest": 0.0, "land": -0.9, "y": [(0.25, 0.210, None), (0.60, 0.250, None), (0.86, 0.100, None)],
            "z": [(0.20, -0.470, None), (0.55, -0.030, None), (0.85, 0.430, None)],
            "pitch": [(0.25, deg(95), None), (0.60, deg(60), None), (0.88, deg(-4), None)],
            "flex": [(0.55, deg(8), 0.0)]}, 0.007),
    }
    phases = {k: v / RUN_KEYS for k, v in RUN_TOUCH.items()}

    def fn(t):
        a = TAU * t / T
        key = lambda k: TAU * k / RUN_KEYS
        p = Pose()
        step_all(p, t, T, gaits, phases, 0.030)
        pitch = deg(6.5) * math.cos(a - key(8.0))                 # nose down while the forelegs carry
        curl = math.cos(a - key(13.8))                            # back rounded while gathered
        p.hips = np.array([0.0, 0.000 + 0.030 * math.cos(a - key(10.2)) + 0.016 * math.cos(2 * a - key(10.4)), 0.018 * math.cos(a - key(13.0))])
        p.hips_r = euler(deg(1.5) * math.cos(a - key(2)), pitch - deg(10) * curl, deg(1.5) * math.cos(a - key(1)))
        p.spine = euler(0.0, deg(7) * curl + deg(1.5), 0.0)
        p.chest = euler(-deg(1.5) * math.cos(a - key(3)), deg(6) * curl, 0.0)
        lag = math.cos(a - key(8.6))
        p.neck = [euler(0.0, deg(11) - deg(5) * lag - deg(3) * curl, 0.0), euler(0.0, deg(4) - deg(3) * math.cos(a - key(9.2)), 0.0)]
        p.head = euler(0.0, -deg(13) + deg(3) * math.cos(a - key(9.8)), 0.0)
        p.tail = rx(deg(88) + deg(10) * math.cos(a - key(11)))
        for s, ph in (("L", 8), ("R", 6)):
            p.glide[s] = 0.045 * math.cos(a - key(ph + 0.3))
            p.ear[s] = (deg(48) + deg(5) * lag, deg(6) + deg(5) * math.cos(a - key(11)))
        return p
    c = {"%s_hoof_%s" % k: [round(ph / FPS, 6), round((ph + 2) / FPS, 6)] for k, ph in RUN_TOUCH.items()}
    return bake("run", RUN_KEYS + 1, fn, {"groundSpeedMetersPerSecond": RUN_SPEED, "flatContacts": c})


def flick(t, *times):
    """Ear flicks: a quick turn back and a short after-swing."""
    v = 0.0
    for s in times:
        x = t - s
        if 0 < x < 0.6:
            v += math.sin(TAU * x / 0.24) * math.exp(-5 * x) * float(smooth(0.6, 0.4, x))
    return v


def stand(p, t, T, stance):
    """Breathing, a small weight shift, planted feet. stance: how far each hoof is set forward."""
    a = TAU * t / T
    sway = math.sin(a + 0.4)
    p.hips = np.array([0.014 * sway, -0.006 - 0.002 * math.cos(2 * a), 0.006 * math.sin(a - 0.6)])
    p.hips_r = euler(deg(1.0) * math.sin(a), 0.0, -deg(1.6) * sway)
    p.spine = euler(-deg(0.8) * math.sin(a - 0.2), deg(0.4) * math.sin(3 * a), deg(1.0) * sway)
    p.chest = euler(-deg(0.8) * math.sin(a - 0.5), -deg(0.5) * math.sin(3 * a + 0.4), deg(0.8) * math.sin(a))
    for k, dz in stance.items():
        p.foot[k]["pos"] = np.array([0.0, 0.0, dz])


MOUTH = np.array([[0.0, 1.183, 0.868]])         # drawn place of the lips


def mouth_height(p):
    """Of a pose, in metres above the ground."""
    R, at, prev = p.hips_r, JOINT_POS[0] + p.hips, JOINT_POS[0]
    for name, r in (("spine", p.spine), ("chest", p.chest), ("neck_1", p.neck[0]), ("neck_2", p.neck[1]), ("head", p.head)):
        pos = JOINT_POS[JOINT_ID[name]]
        at = at + R @ (pos - prev)
        R, prev = R @ r, pos
    return float((at + R @ (reshape(MOUTH)[0] - prev))[1])


def lower_mouth(p, height):
    """Bends the base of the neck until the lips are at the height."""
    base, lo, hi = p.neck[0], deg(-40), deg(60)
    for _ in range(40):
        mid = 0.5 * (lo + hi)
        p.neck[0] = base @ rx(mid)
        lo, hi = (mid, hi) if mouth_height(p) > height else (lo, mid)


def clip_graze():
    T = 150 / FPS
    stance = {("foreleg", "L"): 0.170, ("foreleg", "R"): -0.060, ("hindleg", "L"): -0.050, ("hindleg", "R"): 0.080}

    def fn(t):
        a = TAU * t / T
        p = Pose()
        stand(p, t, T, stance)
        p.hips = p.hips + np.array([0.0, -0.012, -0.005])
        p.hips_r = p.hips_r @ rx(deg(4.0))
        p.spine = p.spine @ rx(deg(2.0))
        p.chest = p.chest @ rx(deg(4.5))
        bite = bump(t, 0.25, 0.55, 1.75, 2.05) + bump(t, 2.75, 3.05, 4.35, 4.70)
        nib = bite * math.sin(TAU * 2.4 * t)
        tug = bite * math.sin(TAU * 1.2 * t + 0.6)
        lift = bump(t, 1.90, 2.25, 2.45, 2.85)
        sweep = math.sin(a - 0.5)
        p.neck = [euler(deg(8) * sweep, deg(66), deg(3) * sweep),
                  euler(deg(6) * math.sin(a - 0.8), deg(15) + deg(1.5) * tug - deg(2.0) * lift, 0.0)]
        p.head = euler(deg(4) * math.sin(a - 1.1), -deg(58) + deg(4.5) * nib - deg(6) * lift, deg(5) * math.sin(2 * a))
        lower_mouth(p, 0.035 + 0.012 * tug + 0.070 * lift)
        wag = bump(t, 2.9, 3.1, 3.7, 4.2)
        p.tail = rx(deg(3) + deg(14) * wag) @ rz(deg(3) * math.sin(2 * a) + deg(26) * wag * math.sin(TAU * 2.5 * t))
        p.ear["L"] = (deg(16) + deg(42) * flick(t, 1.10, 3.9) + deg(5) * math.sin(a), deg(6) + deg(12) * flick(t, 1.10))
        p.ear["R"] = (deg(20) + deg(42) * flick(t, 2.35) + deg(5) * math.sin(2 * a + 1), deg(6) + deg(12) * flick(t, 2.35))
        return p
    return bake("graze", 151, fn)


def clip_look():
    T = 90 / FPS
    stance = {("foreleg", "L"): 0.020, ("foreleg", "R"): -0.025, ("hindleg", "L"): -0.070, ("hindleg", "R"): 0.040}

    def fn(t):
        a = TAU * t / T
        p = Pose()
        stand(p, t, T, stance)
        turn = hermite([(0, 0.0, 0.0), (0.45, 1.0, 0.0), (1.15, 0.92, 0.0), (1.75, -0.75, 0.0), (2.45, -0.68, 0.0), (3.0, 0.0, 0.0)], t)
        soon = hermite([(0, 0.0, 0.0), (0.35, 1.0, 0.0), (1.05, 0.96, 0.0), (1.60, -0.80, 0.0), (2.35, -0.72, 0.0), (3.0, 0.0, 0.0)], t)
        p.neck = [euler(deg(17) * turn, deg(1) + deg(1.5) * math.cos(a), 0.0), euler(deg(17) * turn, -deg(3), -deg(3) * turn)]
        p.head = euler(deg(24) * soon, deg(2) + deg(3) * math.sin(2 * a), -deg(5) * soon)
        p.tail = rx(deg(2)) @ rz(deg(18) * bump(t, 1.2, 1.35, 1.7, 2.1) * math.sin(TAU * 2.6 * t))
        p.ear["L"] = (deg(10) - deg(14) * soon + deg(38) * flick(t, 0.75), deg(8) * flick(t, 0.75))
        p.ear["R"] = (deg(10) + deg(14) * soon + deg(38) * flick(t, 2.0), deg(8) * flick(t, 2.0))
        return p
    return bake("look", 91, fn)


def build_clips():
    return [clip_graze(), clip_look(), clip_walk(), clip_run()]


def main():
    out = sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(os.path.abspath(__file__)), "animal.glb")
    B = assemble()
    image = png(paint_texture(B))
    reshape_all(B)
    clips = build_clips()
    joints = [(name, JOINT_PARENT[i], JOINT_POS[i]) for i, name in enumerate(JOINT_NAMES)]
    write_glb(out, B, image, clips, {"name": "animal", "material": "coat", "generator": "make_animal.py", "targets": [],
                                     "joints": joints})
    print("%d vertices, %d triangles, %d joints, %d clips, %d bytes"
          % (len(B.pos), len(B.tris), len(JOINTS), len(clips), os.path.getsize(out)))


if __name__ == "__main__":
    main()
