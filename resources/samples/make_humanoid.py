#!/usr/bin/env python3
"""Builds humanoid.glb, the bundled sample character.

Everything (shape, texture, skeleton, motion) is computed here; nothing is read
from disk. The same script always writes the same bytes.

    python3 make_humanoid.py [output.glb]

Needs Python 3.9+ and numpy. The result is dedicated to the public domain
(CC0 1.0).

Conventions: metres, +Y up, the character faces +Z, its left is +X, soles on
y = 0, bind pose is an A-pose, all joints have an identity rest rotation.
"""
import math
import os
import sys

import numpy as np

from sample_kit import (TEX, FPS, TAU, deg, lerp, smooth, unit, curve, length, smin, smax, ellipsoid,
                        capsule, project, raycast, Mesh, rect, tube, weld_ids, vertex_normals, triangulate,
                        bind_weights, ambient_occlusion, rgb, noise, line, seg_dist, map_texels, bleed, png,
                        rx, ry, rz, euler, axis_angle, to_quat, part_of, basis, bump, blink, hermite,
                        write_glb)

# --------------------------------------------------------------------------
# Skeleton
# --------------------------------------------------------------------------
ARM = math.radians(42.0)                    # how far the arms hang in the A-pose
ARM_DIR = np.array([math.cos(ARM), -math.sin(ARM), 0.0])
PALM_DIR = np.array([-math.sin(ARM), -math.cos(ARM), 0.0])
FRONT = np.array([0.0, 0.0, 1.0])

SHOULDER = np.array([0.158, 1.360, -0.012])
UPPER_ARM, LOWER_ARM = 0.262, 0.238
ELBOW = SHOULDER + ARM_DIR * UPPER_ARM + FRONT * -0.004
WRIST = SHOULDER + ARM_DIR * (UPPER_ARM + LOWER_ARM) + FRONT * 0.004
HIP = np.array([0.090, 0.920, 0.000])
KNEE = np.array([0.094, 0.505, 0.014])
ANKLE = np.array([0.098, 0.085, -0.014])
BALL = np.array([0.104, 0.026, 0.106])      # toe joint
EYE = np.array([0.0345, 1.5955, 0.0640])
EYE_R = 0.0270


def hand_point(along, palm=0.0, front=0.0):
    return WRIST + ARM_DIR * along + PALM_DIR * palm + FRONT * front


FINGER_Z = [0.0300, 0.0105, -0.0095, -0.0285]     # index .. little
FINGER_LEN = [0.070, 0.078, 0.073, 0.058]
FINGER_ROOT = [0.084, 0.088, 0.086, 0.080]

LEFT = {
    "shoulder": ("chest", np.array([0.030, 1.395, 0.000])),
    "upper_arm": ("shoulder", SHOULDER),
    "lower_arm": ("upper_arm", ELBOW),
    "hand": ("lower_arm", WRIST),
    "thumb_1": ("hand", hand_point(0.022, 0.008, 0.026)),
    "thumb_2": ("thumb_1", hand_point(0.055, 0.018, 0.052)),
    "index_1": ("hand", hand_point(FINGER_ROOT[0], 0.001, FINGER_Z[0])),
    "index_2": ("index_1", hand_point(FINGER_ROOT[0] + 0.034, 0.002, FINGER_Z[0])),
    "fingers_1": ("hand", hand_point(0.085, 0.001, -0.009)),
    "fingers_2": ("fingers_1", hand_point(0.120, 0.002, -0.009)),
    "upper_leg": ("hips", HIP),
    "lower_leg": ("upper_leg", KNEE),
    "foot": ("lower_leg", ANKLE),
    "toe": ("foot", BALL),
    "eye": ("head", EYE),
}


def build_skeleton():
    joints = [
        ("hips", None, np.array([0.0, 0.960, 0.0])),
        ("spine", "hips", np.array([0.0, 1.050, -0.004])),
        ("chest", "spine", np.array([0.0, 1.190, -0.010])),
        ("neck", "chest", np.array([0.0, 1.432, -0.022])),
        ("head", "neck", np.array([0.0, 1.500, -0.012])),
    ]
    for side, sx in (("L", 1.0), ("R", -1.0)):
        for name, (parent, pos) in LEFT.items():
            if parent in LEFT:
                parent = parent + "_" + side
            joints.append((name + "_" + side, parent, pos * np.array([sx, 1, 1])))
    return joints


JOINTS = build_skeleton()
JOINT_NAMES = [name for name, _, _ in JOINTS]
JOINT_ID = {name: i for i, (name, _, _) in enumerate(JOINTS)}
JOINT_PARENT = [JOINT_ID[p] if p else -1 for _, p, _ in JOINTS]
JOINT_POS = np.array([p for _, _, p in JOINTS])


# --------------------------------------------------------------------------
# Parts and their places in the texture
# --------------------------------------------------------------------------
PARTS = ["jacket", "trousers", "head", "mouth", "hair", "eye", "brow", "ear",
         "teeth", "hand", "shoe", "buckle"]
PART_ID = {n: i for i, n in enumerate(PARTS)}

UV_HEAD = rect(4, 4, 252, 256)
UV_HAIR = rect(260, 4, 508, 126)
UV_TORSO = rect(260, 134, 508, 330)
UV_SLEEVE = rect(4, 268, 124, 508)
UV_TROUSERS = rect(132, 268, 248, 508)
UV_SHOE = rect(260, 338, 384, 426)
UV_PALM = rect(392, 338, 446, 396)
UV_FINGER = rect(454, 338, 508, 396)
UV_EAR = rect(392, 404, 440, 452)
UV_EYE = rect(260, 434, 336, 510)
UV_BROW = rect(448, 404, 508, 424)
UV_TEETH = rect(448, 432, 508, 452)
UV_MOUTH = rect(392, 460, 448, 508)
UV_BUCKLE = rect(460, 464, 500, 500)


# --------------------------------------------------------------------------
# Jacket: a torso tube with arm holes, the sleeves grow out of the holes
# --------------------------------------------------------------------------
#             y      half-w   front   back   centre-z
TORSO = curve([
    (0.940, 0.1460, 0.098, 0.100, -0.004),
    (0.975, 0.1490, 0.100, 0.104, -0.004),
    (1.010, 0.1520, 0.106, 0.106, -0.004),
    (1.060, 0.1450, 0.106, 0.100, -0.004),
    (1.130, 0.1440, 0.107, 0.102, -0.006),
    (1.210, 0.1560, 0.114, 0.112, -0.010),
    (1.290, 0.1620, 0.115, 0.116, -0.014),
    (1.345, 0.1540, 0.106, 0.112, -0.018),
    (1.385, 0.1360, 0.092, 0.100, -0.022),
    (1.415, 0.1060, 0.081, 0.085, -0.024),
    (1.440, 0.0800, 0.075, 0.073, -0.023),
    (1.460, 0.0720, 0.073, 0.067, -0.021),
    (1.500, 0.0690, 0.071, 0.063, -0.020),
])
# distance along arm, radius
SLEEVE = curve([
    (-0.10, 0.052), (-0.025, 0.0570), (0.04, 0.0620), (0.11, 0.0590), (0.19, 0.0540), (0.262, 0.0515),
    (0.33, 0.0505), (0.40, 0.0475), (0.445, 0.0475), (0.462, 0.0400), (0.485, 0.0365), (0.55, 0.036),
])


def torso_sdf(p):
    t = TORSO(p[:, 1])
    a, f, b, cz = t[:, 0], t[:, 1], t[:, 2], t[:, 3]
    z = p[:, 2] - cz
    zz = np.where(z > 0, z / f, z / b)
    xx = np.abs(p[:, 0]) / a
    n = (xx ** 2.4 + np.abs(zz) ** 2.4) ** (1 / 2.4)
    return (n - 1.0) * 0.5 * (a + np.minimum(f, b))


def arm_axis(p, side=1.0):
    q = p * np.array([side, 1, 1]) - SHOULDER
    s = (q * ARM_DIR).sum(-1)
    r = q - s[:, None] * ARM_DIR
    return s, r


def arm_sdf(p, side):
    s, r = arm_axis(p, side)
    sc = np.clip(s, -0.025, 0.60)
    rad = SLEEVE(sc)[:, 0]
    q = r + (s - sc)[:, None] * ARM_DIR
    return length(q) - rad


def jacket_sdf(p):
    d = torso_sdf(p)
    d = smin(d, arm_sdf(p, 1.0), 0.055)
    return smin(d, arm_sdf(p, -1.0), 0.055)


def spine_weights(y):
    a = float(smooth(0.965, 1.075, y))
    b = float(smooth(1.120, 1.250, y))
    c = float(smooth(1.415, 1.475, y))
    return {"hips": 1 - a, "spine": a * (1 - b), "chest": a * b * (1 - 0.75 * c), "neck": a * b * c * 0.75}


def build_jacket():
    m = Mesh()
    N = 24
    rows_y = [0.986, 1.015, 1.055, 1.105, 1.160, 1.215,
              1.256, 1.294, 1.332, 1.370, 1.402, 1.426, 1.448]
    H0, H1 = 6, 10                      # arm hole rows
    az = [2 * math.pi * j / N for j in range(N)]
    vv = lambda y: 0.09 + 0.82 * (1.448 - y) / (1.448 - 0.986)
    us = [abs(((j + N // 2) % N) - N // 2) / (N / 2) for j in range(N)]

    rows, vrow = [], []

    def ring(y, grow=0.0, v=None, drop=0.0):
        t = TORSO(np.array([y]))[0]
        out = []
        for j in range(N):
            s, c = math.sin(az[j]), math.cos(az[j])
            e = 2 / 2.4
            x = (t[0] + grow) * math.copysign(abs(s) ** e, s)
            d = (t[1] if c > 0 else t[2]) + grow
            z = t[3] + d * math.copysign(abs(c) ** e, c)
            yy = y - drop * max(0.0, c) ** 2
            out.append(m.add((x, yy, z), w=spine_weights(y)))
        rows.append(out)
        vrow.append(vv(y) if v is None else v)
        return out

    ring(0.978, -0.012, v=1.0)                  # hem, tucked in
    ring(0.962, 0.001, v=0.975)
    ring(0.984, 0.001, v=0.930)                 # rib
    for y in rows_y:
        ring(y)
    off = 3
    ring(1.466, 0.001, v=0.075, drop=0.004)     # stand collar
    ring(1.484, 0.004, v=0.045, drop=0.012)
    ring(1.487, -0.004, v=0.020, drop=0.012)
    ring(1.452, -0.013, v=0.0)
    free_rows = range(off, off + len(rows_y))
    fixed = set(i for k, r in enumerate(rows) if k not in free_rows for i in r)

    # hole boundary: 4 x 4 quads around column N/4 -> a loop of 16
    holes = {}
    for side, cc in ((1.0, N // 4), (-1.0, 3 * N // 4)):
        lo, hi = off + H0, off + H1
        step = 1 if side > 0 else -1
        cols = [(cc + step * k) % N for k in (-2, -1, 0, 1, 2)]     # front .. back
        loop = [(lo, cols[2]), (lo, cols[1])]
        loop += [(r, cols[0]) for r in range(lo, hi + 1)]
        loop += [(hi, cols[k]) for k in (1, 2, 3)]
        loop += [(r, cols[4]) for r in range(hi, lo - 1, -1)]
        loop += [(lo, cols[3])]
        holes[side] = (loop, set(cols[:4] if side > 0 else cols[1:]), lo, hi)
        nrm = unit([0.93, -0.20, 0.0])
        up = unit(np.array([0, 1, 0]) - nrm * nrm[1])
        for k, (r, c) in enumerate(loop):
            ang = -math.pi / 2 + 2 * math.pi * k / 16
            q = SHOULDER + np.array([-0.012, -0.004, 0]) + 0.070 * (up * math.sin(ang) * 1.10 + FRONT * math.cos(ang))
            m.p[rows[r][c]] = q * np.array([side, 1, 1])

    for k in range(len(rows) - 1):
        for j in range(N):
            skip = False
            for side, (loop, cset, lo, hi) in holes.items():
                jj = j
                if lo <= k < hi and jj in cset:
                    skip = True
            if skip:
                continue
            jn = (j + 1) % N
            ids = [rows[k][j], rows[k][jn], rows[k + 1][jn], rows[k + 1][j]]
            uj, un = us[j], us[jn]
            uvs = [UV_TORSO(uj, vrow[k]), UV_TORSO(un, vrow[k]), UV_TORSO(un, vrow[k + 1]), UV_TORSO(uj, vrow[k + 1])]
            m.face(ids, "jacket", uvs)

    # sleeves
    svals = [0.032, 0.070, 0.120, 0.180, 0.224, 0.252, 0.276, 0.310, 0.360, 0.412, 0.446, 0.462, 0.496]
    for side in (1.0, -1.0):
        loop = holes[side][0]
        prev = [rows[r][c] for r, c in loop]
        tag = "_L" if side > 0 else "_R"
        for i in prev:
            m.w[i] = {"upper_arm" + tag: 0.42, "shoulder" + tag: 0.30, "chest": 0.28}
        # u: 0 on the outer/top line, 1 on the inner/bottom line; front and back share it
        ang = [-math.pi / 2 + 2 * math.pi * k / 16 for k in range(16)]
        uu = [abs(((k + 8) % 16) - 8) / 8.0 for k in range(16)]
        uu = [1 - x for x in uu]
        uvp = [UV_SLEEVE(u, 0.0) for u in uu]
        ring_list = []
        tail = [(0.499, -0.005), (0.482, -0.017)]     # cuff rolls in
        for n, sg in enumerate(svals + tail):
            s, shrink = (sg, 0.0) if not isinstance(sg, tuple) else sg
            r = float(SLEEVE(np.array([s]))[0, 0]) + shrink
            f = smooth(-0.03, 0.12, s)
            nrm = unit(lerp(np.array([0.93, -0.20, 0]), ARM_DIR, f))
            up = unit(np.array([0, 1, 0]) - nrm * nrm[1])
            cen = SHOULDER + ARM_DIR * s
            cur, uvc = [], []
            e1 = float(smooth(UPPER_ARM - 0.060, UPPER_ARM + 0.060, s))
            e2 = 0.35 * float(smooth(0.455, 0.505, s))
            ua = float(lerp(0.60, 1.0, smooth(0.0, 0.11, s)))
            w = {"upper_arm" + tag: ua * (1 - e1), "lower_arm" + tag: e1 * (1 - e2), "hand" + tag: e1 * e2,
                 "shoulder" + tag: (1 - ua) * 0.6, "chest": (1 - ua) * 0.4}
            v = min(1.0, 0.02 + 0.98 * (s / 0.505)) if not isinstance(sg, tuple) else [0.99, 1.0][n - len(svals)]
            for k in range(16):
                q = cen + r * (up * math.sin(ang[k]) + FRONT * math.cos(ang[k]))
                cur.append(m.add(q * np.array([side, 1, 1]), w=w))
                uvc.append(UV_SLEEVE(uu[k], v))
            if side < 0:
                m.strip(prev, cur, "jacket", True, uvp, uvc)
            else:
                m.strip(prev[::-1], cur[::-1], "jacket", True, uvp[::-1], uvc[::-1])
            if s > 0.2:
                fixed.update(cur)
            prev, uvp = cur, uvc
            ring_list.append(cur)
    p = np.array(m.p)
    amount = np.zeros(len(p))
    for i in range(len(p)):
        if i in fixed:
            continue
        d = length(np.abs(p[i]) * np.array([1, 1, 0]) - SHOULDER * np.array([1, 1, 0]) + np.array([0, 0, p[i][2] * 0.5]))
        amount[i] = 0.5 * float(smooth(0.26, 0.10, d))
    # shoulder influence on the torso before smoothing
    for i in range(len(p)):
        x, y = abs(p[i][0]), p[i][1]
        if "chest" in m.w[i] and "upper_arm_L" not in m.w[i] and "upper_arm_R" not in m.w[i]:
            s = float(smooth(0.035, 0.125, x) * smooth(1.27, 1.36, y) * smooth(1.46, 1.42, y)) * 0.65
            tag = "_L" if p[i][0] > 0 else "_R"
            wc = m.w[i]["chest"]
            m.w[i]["chest"] = wc * (1 - s)
            m.w[i]["shoulder" + tag] = wc * s
    free = np.array([i not in fixed for i in range(len(p))])
    pf = p.copy()
    pf[free] = project(jacket_sdf, p[free])
    m.p = list(pf)
    m.relax(jacket_sdf, amount, 14)
    p = np.array(m.p)
    d = length(np.abs(p) * np.array([1, 1, 0]) + p * np.array([0, 0, 1]) - SHOULDER)
    amt = 0.5 * smooth(0.24, 0.10, d)
    m.smooth_weights(JOINT_NAMES, amt, 7)
    # gentle cloth folds, strongest at elbow, waist and arm pit
    p = np.array(m.p)
    for side in (1.0, -1.0):
        s, r = arm_axis(p, side)
        rr = np.maximum(length(r), 1e-6)
        on = (p[:, 0] * side > 0.2) & (s > 0.05) & (s < 0.455)
        fold = 0.0022 * np.sin(s * 2 * math.pi / 0.047 + 2.4 * np.arctan2(r[:, 2], r[:, 1]))
        fold *= 0.35 + smooth(0.10, 0.02, np.abs(s - UPPER_ARM)) + 0.8 * smooth(0.34, 0.44, s)
        p[on] += (r / rr[:, None] * fold[:, None])[on] * np.array([side, 1, 1])
    m.p = list(p)
    return m.orient_outward()


# --------------------------------------------------------------------------
# Trousers: hips that split into two legs
# --------------------------------------------------------------------------
PELVIS = curve([
    (0.820, 0.1460, 0.094, 0.108, -0.006),
    (0.880, 0.1460, 0.096, 0.114, -0.006),
    (0.930, 0.1400, 0.095, 0.107, -0.005),
    (0.960, 0.1370, 0.093, 0.100, -0.004),
    (1.020, 0.1330, 0.092, 0.094, -0.004),
])
#               y      radius-x  radius-z  centre-x  centre-z
LEG = curve([
    (0.060, 0.0540, 0.0755, 0.0985, -0.0175),
    (0.110, 0.0505, 0.0640, 0.0985, -0.0155),
    (0.200, 0.0500, 0.0560, 0.0980, -0.014),
    (0.330, 0.0555, 0.0625, 0.0965, -0.014),
    (0.430, 0.0560, 0.0605, 0.0950, -0.003),
    (0.505, 0.0575, 0.0620, 0.0945, 0.005),
    (0.600, 0.0640, 0.0700, 0.0920, 0.004),
    (0.720, 0.0720, 0.0830, 0.0870, 0.000),
    (0.820, 0.0765, 0.0910, 0.0800, -0.004),
    (0.900, 0.0700, 0.0880, 0.0740, -0.006),
])


def pelvis_sdf(p):
    t = PELVIS(np.clip(p[:, 1], 0.82, 1.02))
    a, f, b, cz = t[:, 0], t[:, 1], t[:, 2], t[:, 3]
    z = p[:, 2] - cz
    n = (np.abs(p[:, 0] / a) ** 2.3 + np.abs(np.where(z > 0, z / f, z / b)) ** 2.3) ** (1 / 2.3)
    side = (n - 1) * 0.5 * (a + f)
    bottom = 0.862 - p[:, 1] - 0.010
    return smax(side, bottom, 0.05)


def leg_sdf(p, side):
    t = LEG(p[:, 1])
    x = (p[:, 0] * side - t[:, 2]) / t[:, 0]
    z = (p[:, 2] - t[:, 3]) / t[:, 1]
    d = (np.sqrt(x * x + z * z) - 1) * 0.5 * (t[:, 0] + t[:, 1])
    return smax(d, p[:, 1] - 0.92, 0.04)


def trousers_sdf(p):
    d = smin(leg_sdf(p, 1.0), leg_sdf(p, -1.0), 0.012)
    return smin(pelvis_sdf(p), d, 0.045)


def leg_weights(y, tag):
    k = float(smooth(KNEE[1] - 0.075, KNEE[1] + 0.075, y))
    return {"upper_leg" + tag: k, "lower_leg" + tag: 1 - k}


def build_trousers():
    m = Mesh()
    N = 24
    vv = lambda y: (1.01 - y) / (1.01 - 0.045)
    rows, fixed = [], set()
    us = [abs(((j + 12) % N) - 12) / 12 for j in range(N)]
    #       y      grow (belt is a raised band)
    for y, g in [(1.004, -0.006), (0.972, 0.000), (0.9695, 0.0055), (0.9395, 0.0065), (0.937, 0.0010),
                 (0.916, 0.0), (0.890, 0.0), (0.866, 0.0)]:
        t = PELVIS(np.array([y]))[0]
        out = []
        for j in range(N):
            a = 2 * math.pi * j / N
            s, c = math.sin(a), math.cos(a)
            e = 2 / 2.3
            x = (t[0] + g) * math.copysign(abs(s) ** e, s)
            z = t[3] + ((t[1] if c > 0 else t[2]) + g) * math.copysign(abs(c) ** e, c)
            belt = 1.0 if g > 0.003 else 0.0
            out.append(m.add((x, y, z), UV_TROUSERS(us[j], vv(y)), {"hips": 1.0}, (belt, 0)))
        if y > 0.92:
            fixed.update(out)
        rows.append(out)
    for a, b in zip(rows, rows[1:]):
        m.strip(a, b, "trousers")
    last = rows[-1]
    zf, zb = m.p[last[0]][2], m.p[last[12]][2]
    # the last hip ring bows down to the crotch in the middle
    for j in range(N):
        m.p[last[j]] = m.p[last[j]] + np.array([0, -0.022 * (1 - abs(math.sin(2 * math.pi * j / N))) ** 1.5, 0])
    crotch = [m.add((0, 0.836, lerp(zb, zf, t)), UV_TROUSERS(t2, vv(0.85)), {"hips": 1.0})
              for t, t2 in ((0.25, 0.75), (0.5, 0.5), (0.75, 0.25))]
    lv = [0.824, 0.775, 0.710, 0.640, 0.582, 0.542, 0.512, 0.484, 0.448, 0.390, 0.310, 0.220, 0.145, 0.094]
    for side in (1.0, -1.0):
        tag = "_L" if side > 0 else "_R"
        if side > 0:
            prev = [last[j] for j in range(13)] + crotch
        else:
            prev = [last[(-j) % N] for j in range(13)] + crotch
        tail = [(0.064, 0.002), (0.060, -0.006), (0.085, -0.022)]
        for item in lv + tail:
            y, g = item if isinstance(item, tuple) else (item, 0.0)
            t = LEG(np.array([y]))[0]
            cur = []
            for k in range(16):
                a = math.radians(135 - 22.5 * k)         # 0 = outwards, 90 = front
                x = t[2] + (t[0] + g) * math.cos(a)
                z = t[3] + (t[1] + g) * math.sin(a)
                # the hem drops towards the heel, the upper rings tilt into the crotch
                dy = -0.012 * math.sin(-a) * float(smooth(0.20, 0.06, y)) if y < 0.2 else 0.0
                dy += 0.0 if y < 0.7 else 0.010 * math.cos(a) * float(smooth(0.70, 0.826, y))
                u = k / 12 if k <= 12 else 1 - (k - 12) / 4
                vtx = vv(y) if g == 0 and not isinstance(item, tuple) else {0.064: 0.978, 0.060: 0.989, 0.085: 1.0}[y]
                w = leg_weights(y, tag)
                if y > 0.7:
                    hw = 0.5 * float(smooth(0.76, 0.84, y))
                    w = {"upper_leg" + tag: 1 - hw, "hips": hw}
                cur.append(m.add((x * side, y + dy, z), UV_TROUSERS(u, vtx), w))
            if side > 0:
                m.strip(prev, cur, "trousers")
            else:
                m.strip(prev[::-1], cur[::-1], "trousers")
            if y < 0.6:
                fixed.update(cur)
            prev = cur
    for j in range(N):
        x = m.p[last[j]][0]
        tag = "_L" if x > 0 else "_R"
        f = 0.30 * float(smooth(0.03, 0.11, abs(x)))
        m.w[last[j]] = {"hips": 1 - f, "upper_leg" + tag: f} if f > 0 else {"hips": 1.0}
    p = np.array(m.p)
    free = np.array([i not in fixed for i in range(len(p))])
    p[free] = project(trousers_sdf, p[free])
    m.p = list(p)
    amount = 0.5 * smooth(0.66, 0.80, p[:, 1]) * smooth(0.925, 0.88, p[:, 1]) * free
    m.relax(trousers_sdf, amount, 12)
    p = np.array(m.p)
    p[np.array(crotch), 0] = 0.0
    for r in rows:
        p[r[0], 0] = p[r[12], 0] = 0.0
    m.p = list(p)
    m.smooth_weights(JOINT_NAMES, 0.5 * smooth(0.70, 0.80, p[:, 1]) * smooth(0.96, 0.91, p[:, 1]), 6)
    # folds at the knee, the crotch and where the cloth stacks on the shoe
    p = np.array(m.p)
    for side in (1.0, -1.0):
        t = LEG(p[:, 1])
        q = np.stack([p[:, 0] - side * t[:, 2], 0 * p[:, 1], p[:, 2] - t[:, 3]], 1)
        rr = np.maximum(length(q), 1e-6)
        on = (p[:, 0] * side > 0.0) & (p[:, 1] < 0.75) & (p[:, 1] > 0.08)
        a = np.arctan2(q[:, 2], q[:, 0] * side)
        amp = 0.0026 * smooth(0.12, 0.03, np.abs(p[:, 1] - KNEE[1])) + 0.0040 * smooth(0.28, 0.12, p[:, 1])
        fold = amp * np.sin(p[:, 1] * 2 * math.pi / 0.075 + 1.7 * np.sin(a + 0.6))
        p[on] += (q / rr[:, None] * fold[:, None])[on]
    m.p = list(p)
    m.orient_outward()

    b = Mesh()                                # buckle: a small bevelled plate
    z0 = 0.093 + 0.0065
    o = [(-0.019, -0.014), (0.019, -0.014), (0.019, 0.014), (-0.019, 0.014)]
    back = [b.add((x, 0.9545 + y, z0 - 0.008), UV_BUCKLE(0.5 + x * 25, 0.5 - y * 34), {"hips": 1.0}) for x, y in o]
    edge = [b.add((x, 0.9545 + y, z0 + 0.001), UV_BUCKLE(0.5 + x * 23, 0.5 - y * 31), {"hips": 1.0}) for x, y in o]
    top = [b.add((x * .8, 0.9545 + y * .72, z0 + 0.004), UV_BUCKLE(0.5 + x * 18, 0.5 - y * 24), {"hips": 1.0}) for x, y in o]
    b.strip(back, edge, "buckle")
    b.strip(edge, top, "buckle")
    b.face(top, "buckle")
    b.orient_outward()
    m.append(b)
    return m


# --------------------------------------------------------------------------
# Head
# --------------------------------------------------------------------------
HEAD_C = np.array([0.0, 1.595, 0.004])
MOUTH_Y = 1.5335


def head_sdf(p):
    q = p.copy()
    q[:, 0] = np.abs(q[:, 0])
    d = ellipsoid(q, (0, 1.640, -0.014), (0.0870, 0.0900, 0.1020))              # cranium
    d = smin(d, ellipsoid(q, (0, 1.572, 0.016), (0.0725, 0.0800, 0.0740)), 0.040)   # face
    d = smin(d, ellipsoid(q, (0, 1.532, 0.036), (0.0490, 0.0430, 0.0500)), 0.030)   # jaw
    d = smin(d, ellipsoid(q, (0, 1.5060, 0.0730), (0.0240, 0.0160, 0.0170)), 0.026)  # chin
    d = smin(d, ellipsoid(q, (0.041, 1.5620, 0.0520), (0.0270, 0.0250, 0.0270)), 0.028)  # cheek
    d = smin(d, capsule(q, (0, 1.400, -0.028), (0, 1.560, -0.022), 0.0465, 0.0475), 0.020)  # neck
    d = smin(d, ellipsoid(q, (0.030, 1.6260, 0.0640), (0.0310, 0.0120, 0.0220)), 0.022)   # brow ridge
    socket = ellipsoid(q, (0.0350, 1.5960, 0.1080), (0.0270, 0.0170, 0.0240))
    d = smax(d, -socket, 0.020)
    nose = capsule(q, (0, 1.6120, 0.0800), (0, 1.5700, 0.1000), 0.0075, 0.0100)
    nose = smin(nose, ellipsoid(q, (0, 1.5660, 0.1030), (0.0125, 0.0110, 0.0130)), 0.010)
    nose = smin(nose, ellipsoid(q, (0.0115, 1.5625, 0.0930), (0.0080, 0.0075, 0.0100)), 0.008)
    d = smin(d, nose, 0.013)
    lips = ellipsoid(q, (0, MOUTH_Y + 0.0050, 0.0800), (0.0250, 0.0070, 0.0110))
    lips = np.minimum(lips, ellipsoid(q, (0, MOUTH_Y - 0.0060, 0.0790), (0.0210, 0.0080, 0.0105)))
    return smin(d, lips, 0.012)


def zcast(x, y):
    """Front surface of the head at (x, y)."""
    x, y = np.asarray(x, float), np.asarray(y, float)
    o = np.stack([x, y, np.full_like(x, -0.02)], -1)
    d = np.zeros_like(o)
    d[:, 2] = 1
    return raycast(head_sdf, o, d, 0.16)


HEAD_AZ = [0, 3.4, 6.8, 10.4, 15.8, 22.0, 29.0, 37.0, 46.0, 58, 73, 90, 108, 130, 154, 180]
HEAD_EL = [52, 42, 33, 25.5, 19, 13, 7, 1, -5, -11, -16, -21, -26, -30.5, -35, -39.5, -45, -51, -58, -66]


def head_uv(az, el):
    """az, el in degrees -> atlas; the face gets most of the room."""
    u = math.copysign(1, az) * az
    u = 0.62 * min(u, 60) / 60 + 0.38 * max(u - 60, 0) / 120
    if el > 25:
        v = 0.10 * (52 - el) / 27
    elif el > -50:
        v = 0.10 + 0.76 * (25 - el) / 75
    else:
        v = 0.86 + 0.14 * (-50 - el) / 42
    return UV_HEAD(u, v)


def direction(az, el):
    a, e = math.radians(az), math.radians(el)
    return np.array([math.sin(a) * math.cos(e), math.sin(e), math.cos(a) * math.cos(e)])


def angles_of(p):
    d = p - HEAD_C
    return math.degrees(math.atan2(d[0], d[2])), math.degrees(math.atan2(d[1], math.hypot(d[0], d[2])))


def eye_outline(phi):
    """Lid edge relative to the eye centre; phi 0 = outer corner, 90 = up."""
    c, s = math.cos(phi), math.sin(phi)
    x = 0.0188 * math.copysign(abs(c) ** 0.86, c)
    y = (0.0107 if s > 0 else 0.0098) * math.copysign(abs(s) ** 0.92, s) + 0.0012 * c
    return x, y


def on_eye(x, y, extra):
    r = EYE_R + extra
    return np.array([EYE[0] + x, EYE[1] + y, EYE[2] + math.sqrt(max(r * r - x * x - y * y, 1e-8))])


def smile_field(p):
    x, y, z = abs(p[0]), p[1], p[2]
    sx = 1.0 if p[0] >= 0 else -1.0
    if z < 0.01:
        return np.zeros(3)
    corner = math.exp(-(((x - 0.027) / 0.015) ** 2 + ((y - MOUTH_Y) / 0.016) ** 2))
    cheek = math.exp(-(((x - 0.040) / 0.018) ** 2 + ((y - 1.562) / 0.018) ** 2))
    lid = math.exp(-(((x - 0.035) / 0.016) ** 2 + ((y - 1.583) / 0.007) ** 2))
    mid = math.exp(-((x / 0.016) ** 2 + ((y - MOUTH_Y) / 0.012) ** 2))
    u = min(x / 0.027, 1.0) ** 2 if x < 0.027 else math.exp(-((x - 0.027) / 0.015) ** 2)
    bow = u * math.exp(-((y - MOUTH_Y) / 0.017) ** 2)
    return np.array([sx * (0.0060 * corner + 0.003 * cheek),
                     0.0098 * bow + 0.0055 * cheek + 0.0022 * lid - 0.0020 * mid,
                     -0.0050 * corner + 0.0050 * cheek - 0.0010 * mid])


def jaw_field(p):
    """How much a skin point follows the lower jaw (0..1)."""
    x, y, z = abs(p[0]), p[1], p[2]
    w = float(smooth(MOUTH_Y + 0.004, MOUTH_Y - 0.012, y)) * float(smooth(-0.005, 0.050, z))
    w *= float(smooth(1.462, 1.492, y)) * float(smooth(0.072, 0.035, x))
    return w


JAW_OPEN = np.array([0.0, -0.0230, -0.0070])


def open_field(p):
    d = JAW_OPEN * jaw_field(p)
    x = abs(p[0])
    sx = 1.0 if p[0] >= 0 else -1.0
    corner = math.exp(-(((x - 0.027) / 0.012) ** 2 + ((p[1] - MOUTH_Y) / 0.014) ** 2)) * (1.0 if p[2] > 0 else 0)
    cheek = math.exp(-(((x - 0.045) / 0.018) ** 2 + ((p[1] - 1.545) / 0.02) ** 2)) * (1.0 if p[2] > 0 else 0)
    return d + np.array([-sx * (0.0045 * corner + 0.002 * cheek), -0.003 * corner, 0.0])


def build_head():
    m = Mesh()
    azs = HEAD_AZ + [-a for a in HEAD_AZ[-2:0:-1]]
    n = len(azs)
    K = {a: i for i, a in enumerate(azs)}
    R = {e: i for i, e in enumerate(HEAD_EL)}

    def tilted(a, e):
        """The lowest rows rise towards the nape, so that they ring the neck."""
        return e if e > -45 else -45 + (e + 45) * lerp(1.0, 0.45, float(smooth(55, 135, abs(a))))

    dirs = np.array([direction(a, tilted(a, e)) for e in HEAD_EL for a in azs])
    pts = raycast(head_sdf, HEAD_C, dirs, 0.19).reshape(len(HEAD_EL), n, 3)
    head = {"head": 1.0}

    def face_vertex(p, uv, a=(0.0, 0.0), extra=None):
        mo = {"smile": smile_field(p), "mouthOpen": open_field(p)}
        if extra:
            mo.update(extra)
        return m.add(p, uv, head, a, {k: v for k, v in mo.items() if float(length(v)) > 1e-5})

    rows = []
    e0, e1, a0, a1 = R[13], R[-11], 6.8, 46.0         # eye block
    q0, q1, b1 = R[-26], R[-45], 22.0                # mouth block
    eye_cols = [a for a in HEAD_AZ if a0 <= a <= a1]

    def hidden(r, j):
        a = abs(azs[j])
        if e0 < r < e1 and a0 < a < a1:
            return True
        return q0 < r < q1 and a < b1

    for r, e in enumerate(HEAD_EL):
        row = []
        for j, a in enumerate(azs):
            if hidden(r, j):
                row.append(-1)
                continue
            i = face_vertex(pts[r, j], head_uv(a, e))
            if e <= -58:
                f = 0.30 if e == -66 else 0.12
                f *= float(smooth(40, 120, abs(a))) * 0.8 + 0.2
                m.w[i] = {"head": 1 - f, "neck": f}
            row.append(i)
        rows.append(row)
    for r in range(len(rows) - 1):
        for j in range(n):
            k = (j + 1) % n
            am = 0.5 * (abs(azs[j]) + abs(azs[k]))
            if e0 <= r < e1 and a0 < am < a1:
                continue
            if q0 <= r < q1 and am < b1:
                continue
            hl = float(HAIR_LINE(np.array([am if j != n - 1 else 0.0]))[0, 0])
            if min(pts[r + 1, j][1], pts[r + 1, k][1]) > hl + 0.016 and (am < 60 or am > 110):
                continue                               # never seen below the hair
            m.face([rows[r + 1][j], rows[r + 1][k], rows[r][k], rows[r][j]], "head")
    # neck
    prev = rows[-1]
    for y, rad, w in ((1.470, 0.0485, 0.45), (1.446, 0.0490, 0.85), (1.420, 0.053, 1.0)):
        cur = []
        for j, a in enumerate(azs):
            s, c = math.sin(math.radians(a)), math.cos(math.radians(a))
            yy = min(y + 0.004 * c, m.p[prev[j]][1] - 0.008)
            p = np.array([rad * s, yy, -0.023 + rad * c])
            ww = {"neck": w, "head": 1 - w} if w < 1 else {"neck": 0.75, "chest": 0.25}
            cur.append(m.add(p, head_uv(a, -66 - (1.49 - y) / 0.07 * 26), ww))
        m.strip(cur, prev, "head")
        prev = cur

    # eyes: loops from the block boundary to the lid edge
    for sx in (1.0, -1.0):
        loop = []
        for a in reversed(eye_cols):
            loop.append((e0, a))                       # top, outer -> inner
        for r in range(e0 + 1, e1):
            loop.append((r, a0))                       # inner side, down
        for a in eye_cols:
            loop.append((e1, a))                       # bottom, inner -> outer
        for r in range(e1 - 1, e0, -1):
            loop.append((r, a1))                       # outer side, up
        ids = [rows[r][K[a * sx]] for r, a in loop]
        L = len(ids)
        phis = []
        for i in ids:
            d = m.p[i] * np.array([sx, 1, 1]) - EYE
            phis.append(math.atan2(d[1] / 0.0225, d[0] / 0.0265))
        # even out a little
        phis = np.unwrap(phis)
        for _ in range(2):
            ext = np.concatenate([[phis[-1] - 2 * math.pi * np.sign(phis[-1] - phis[0])], phis,
                                  [phis[0] + 2 * math.pi * np.sign(phis[-1] - phis[0])]])
            phis = 0.5 * phis + 0.25 * (ext[:-2] + ext[2:])
        prev = ids
        az_e, el_e = angles_of(np.array([EYE[0], EYE[1], 0.09]))
        for name, k, extra, lash in (("crease", 1.26, None, 0.0), ("fold", 1.17, 0.0016, 0.25),
                                     ("lid", 1.08, 0.0026, 0.45), ("edge", 1.0, 0.0024, 1.0), ("inner", 0.96, -0.0012, 1.0)):
            cur = []
            for j in range(L):
                ph = phis[j]
                x, y = eye_outline(ph)
                up = math.sin(ph) > 0
                mo = {}
                s01 = max(0.0, math.sin(ph))
                if extra is None:
                    p = zcast([EYE[0] + x * k], [EYE[1] + y * k])[0]
                    e = on_eye(x * k, y * k, 0.0018 if name == "crease" else 0.0)
                    p[2] = max(p[2], e[2])
                    if name == "crease" and up:
                        mo["blink"] = np.array([0, -0.0015, 0.0]) * s01
                else:
                    p = on_eye(x * k, y * k, extra)
                    frac = {"fold": 0.30, "lid": 0.62, "edge": 1.0, "inner": 1.04}[name]
                    yl = -0.0098 * abs(math.sin(ph)) ** 0.92 + 0.0012 * math.cos(ph)
                    yclose = yl + 0.0030 * abs(math.sin(ph))
                    if up:
                        q = on_eye(x * k, lerp(y * k, yclose, frac), extra + 0.0004)
                        mo["blink"] = q - p
                    else:
                        q = on_eye(x * k, lerp(y * k, yclose, frac * (1 if name in ("edge", "inner") else 0.6)), extra)
                        mo["blink"] = q - p
                        mo["smile"] = np.array([0, 0.0018, 0.0004]) * abs(math.sin(ph))
                q = p * np.array([sx, 1, 1])
                mo = {kk: v * np.array([sx, 1, 1]) for kk, v in mo.items()}
                kk = {"crease": 1.26, "fold": 1.0, "lid": 0.75, "edge": 0.5, "inner": 0.36}[name]
                uv = head_uv(az_e + math.degrees(x * kk / 0.094), el_e + math.degrees(y * kk / 0.094))
                amount = lash * (1.0 if up else 0.5)
                if extra is None:
                    cur.append(face_vertex(q, uv, (0.0, amount), mo))
                else:
                    cur.append(m.add(q, uv, head, (0.0, amount), mo))
            if sx > 0:
                m.strip(prev, cur, "head")
            else:
                m.strip(prev[::-1], cur[::-1], "head")
            prev = cur

    # mouth: lips and a small cavity
    loop = []
    cols = [-a for a in HEAD_AZ[::-1] if 0 < a <= b1] + [a for a in HEAD_AZ if a <= b1]
    for a in reversed(cols):
        loop.append((q0, a))                           # top, left -> right
    for r in range(q0 + 1, q1):
        loop.append((r, -b1))
    for a in cols:
        loop.append((q1, a))                           # bottom
    for r in range(q1 - 1, q0, -1):
        loop.append((r, b1))
    ids = [rows[r][K[a]] for r, a in loop]
    L = len(ids)

    def mouth_angle(j):
        # corners sit in the middle of the side columns
        i = ids[j]
        d = m.p[i] - np.array([0, MOUTH_Y, 0])
        return math.atan2(d[1] / 0.016, d[0] / 0.031)

    phis = [mouth_angle(j) for j in range(L)]
    prev = ids
    #        half-width, height above and below, push along z, lip paint
    defs = (("skin", 0.0300, 0.0112, 0.0150, None, 0.0), ("outer", 0.0270, 0.0078, 0.0098, 0.0, 0.25),
            ("ridge", 0.0258, 0.0044, 0.0056, 0.0014, 1.0), ("line", 0.0250, -0.0005, -0.0005, -0.0030, 1.0))
    for name, w, hu, hl, push, lip in defs:
        cur = []
        for ph in phis:
            c, s = math.cos(ph), math.sin(ph)
            x = w * math.copysign(abs(c) ** 0.8, c)
            cupid = 1.0 - 0.22 * math.exp(-(x / 0.004) ** 2) * (1 if name in ("outer",) and s > 0 else 0)
            h = hu if s > 0 else -hl
            bend = 0.0030 * (x / 0.026) ** 2 - 0.0006
            y = MOUTH_Y + bend + h * abs(s) ** 0.9 * cupid
            p = zcast([x], [y])[0]
            if push is not None:
                p[2] += push * (abs(s) ** 0.5 if push > 0 else 0.35 + 0.65 * abs(s) ** 0.5)
            lower = s < 0
            if name == "line" and lower:
                p[2] -= 0.0014 * abs(s)                  # tucked under the upper lip
            fall = max(0.0, 1 - (x / (w * 1.01)) ** 2) ** 0.55
            d_open = open_field(p)
            if name in ("outer", "ridge", "line"):
                sx = 1 if x >= 0 else -1
                if lower:
                    d_open = JAW_OPEN * (0.25 + 0.75 * fall) * (1 if name == "line" else 0.98)
                else:
                    d_open = np.array([0, 0.0035 * fall, 0]) + JAW_OPEN * 0.25 * (1 - fall)
                d_open = d_open + np.array([-sx * 0.0050 * (abs(x) / w) ** 3, 0, 0])
            d_smile = smile_field(np.array([x, MOUTH_Y + (y - MOUTH_Y) * 0.3, p[2]]))
            # the lips get more texels than their share
            spread = {"skin": (p[0], p[1]), "outer": (x, MOUTH_Y + bend + (0.0096 if s > 0 else 0.0125) * s),
                      "ridge": (x, MOUTH_Y + bend + (0.0070 if s > 0 else 0.0088) * s),
                      "line": (x, MOUTH_Y + bend + 0.0030 * s)}[name]
            uv = head_uv(*angles_of(np.array([spread[0], spread[1], p[2]])))
            mo = {"mouthOpen": d_open, "smile": d_smile}
            cur.append(m.add(p, uv, head, (lip, (0.62 if lower else 0.85) if name == "line" else 0.0), mo))
        m.strip(prev, cur, "head")
        prev = cur
    lipline = prev
    bag = []
    for k, (sc, hh, dz) in enumerate(((1.0, 0.0001, 0.0), (0.98, 0.0095, -0.0065), (0.80, 0.013, -0.026))):
        cur = []
        for j, ph in enumerate(phis):
            c, s = math.cos(ph), math.sin(ph)
            base = m.p[lipline[j]]
            mo = dict(m.m[lipline[j]])
            p = np.array([base[0] * sc, base[1] + (0 if k == 0 else hh * s), base[2] + dz])
            rr = [1.0, 0.7, 0.35][k]
            uv = UV_MOUTH(0.5 + 0.5 * rr * c, 0.5 - 0.5 * rr * s)
            cur.append(m.add(p, uv, head, (0.0, 0.0), mo))
        bag.append(cur)
    # the lip line is shared by position, but the cavity has its own texels
    for j in range(L):
        k2 = (j + 1) % L
        m.face([lipline[j], lipline[k2], bag[1][k2], bag[1][j]], "mouth",
               [m.uv[bag[0][j]], m.uv[bag[0][k2]], m.uv[bag[1][k2]], m.uv[bag[1][j]]])
    m.strip(bag[1], bag[2], "mouth")
    cm = {"mouthOpen": JAW_OPEN * 0.5}
    centre = m.add((0, MOUTH_Y, 0.046), UV_MOUTH(0.5, 0.5), head, (0, 0), cm)
    m.fan(bag[2], centre, "mouth")
    m.orient_outward()

    # upper teeth: a short curved band behind the lip
    t = Mesh()
    tr = []
    for y, back in ((MOUTH_Y + 0.0060, 0.0), (MOUTH_Y - 0.0030, 0.0), (MOUTH_Y - 0.0034, 0.004)):
        row = []
        for k in range(7):
            u = k / 6 * 2 - 1
            x = 0.0180 * u
            z = zcast([x], [MOUTH_Y])[0][2] - 0.0105 - back
            row.append(t.add((x, y + 0.001 * u * u, z), UV_TEETH(abs(u), (MOUTH_Y + 0.0060 - y) / 0.0100), head, (0, 0),
                             {"mouthOpen": np.array([0, 0.0015, 0]), "smile": smile_field(np.array([x, MOUTH_Y, 0.09])) * np.array([0.5, 1, 1])}))
        tr.append(row)
    for a, b in zip(tr, tr[1:]):
        t.strip(b, a, "teeth", closed=False)
    m.append(t)
    return m


def build_eyes():
    m = Mesh()
    w = {"eye_L": 1.0}
    S = 12
    centre = m.add(EYE + np.array([0, 0, EYE_R]), UV_EYE(0.5, 0.5), w)
    prev = None
    for ang in (16, 31, 45, 60):
        cur = []
        for k in range(S):
            a = 2 * math.pi * k / S
            s = math.sin(math.radians(ang))
            dx, dy = s * math.cos(a), s * math.sin(a) * 0.54
            p = EYE + EYE_R * np.array([dx, dy, math.sqrt(1 - dx * dx - dy * dy)])
            r = 0.5 / math.sin(math.radians(60))
            cur.append(m.add(p, UV_EYE(0.5 + r * dx, 0.5 - r * dy), w))
        if prev is None:
            m.fan(cur, centre, "eye")
        else:
            m.strip(cur, prev, "eye")
        prev = cur
    # outward = away from the eye centre
    ids = m.faces[0][0]
    nrm = np.cross(m.p[ids[1]] - m.p[ids[0]], m.p[ids[2]] - m.p[ids[0]])
    if nrm[2] < 0:
        m.flip()
    r = Mesh()
    r.append(m)
    o = Mesh()
    o.p = [p - np.array([2 * EYE[0], 0, 0]) for p in m.p]        # same texture, not mirrored: highlights agree
    o.uv, o.a, o.m = list(m.uv), list(m.a), [dict() for _ in m.p]
    o.w = [{"eye_R": 1.0} for _ in m.p]
    o.faces = [(list(i), list(u), q) for i, u, q in m.faces]
    r.append(o)
    return r


def build_brow():
    m = Mesh()
    prev = None
    pts = [(0.0120, 1.6228), (0.0150, 1.6245), (0.0260, 1.6295), (0.0380, 1.6310), (0.0480, 1.6280), (0.0570, 1.6205)]
    hs = [0.0034, 0.0052, 0.0058, 0.0050, 0.0038, 0.0010]
    for k, ((x, y), h) in enumerate(zip(pts, hs)):
        cur = []
        for i, (dy, out) in enumerate(((-1.0, -0.002), (-0.45, 0.0030), (0.45, 0.0030), (1.0, -0.002))):
            yy = y + dy * h
            out = min(out, -0.0015) if k in (0, 5) else out         # the ends sink into the skin
            p = zcast([x], [yy])[0]
            p = p + np.array([0.3 * max(out, 0), 0, out])
            lift = np.array([0, 0.0030, 0.0])
            cur.append(m.add(p, UV_BROW(k / 5, i / 3), {"head": 1.0}, (0, 0),
                             {"smile": lift, "mouthOpen": np.array([0, 0.0045, 0.0005]), "blink": np.array([0, -0.0022, 0.0])}))
        if prev:
            m.strip(prev, cur, "brow", closed=False)
        prev = cur
    ids = m.faces[4][0]
    nrm = np.cross(m.p[ids[1]] - m.p[ids[0]], m.p[ids[2]] - m.p[ids[0]])
    if nrm[2] < 0:
        m.flip()
    r = Mesh()
    r.append(m)
    r.append(m.mirrored())
    return r


def build_ear():
    m = Mesh()
    base = np.array([0.0790, 1.5840, -0.012])
    out = unit([0.93, 0.0, -0.36])
    fwd = unit(np.cross([0, 1, 0], out))           # towards the face
    if fwd[2] < 0:
        fwd = -fwd
    S = 10
    prev = None
    # ring scale, push outwards, hollow
    for k, (sc, o) in enumerate(((0.62, -0.012), (0.92, 0.0080), (0.94, 0.0140), (0.66, 0.0105), (0.25, 0.0080))):
        cur = []
        for j in range(S):
            a = 2 * math.pi * j / S + math.pi / 2
            rx = 0.0165 * (1 - 0.34 * max(0.0, -math.sin(a)))
            ry = 0.0275
            x = rx * sc * math.cos(a) - 0.006 * math.sin(a) * sc
            y = ry * sc * math.sin(a)
            lift = o + (0.005 * -math.cos(a) * sc - 0.0105 * max(0.0, -math.sin(a)) if k >= 1 else 0.0)
            p = base + fwd * x + np.array([0, y, 0]) + out * lift
            cur.append(m.add(p, UV_EAR(0.5 + 0.5 * (1 - k / 4.3) * math.cos(a), 0.5 - 0.5 * (1 - k / 4.3) * math.sin(a)),
                             {"head": 1.0}, (1.0 if k >= 3 else 0.0, 0)))
        if prev:
            m.strip(prev, cur, "ear")
        prev = cur
    c = m.add(base + out * 0.0075, UV_EAR(0.5, 0.5), {"head": 1.0}, (1.0, 0))
    m.fan(prev, c, "ear")
    m.orient_outward()
    r = Mesh()
    r.append(m)
    r.append(m.mirrored())
    return r


# --------------------------------------------------------------------------
# Hair: a thick shell with clumps and a swept fringe
# --------------------------------------------------------------------------
#                  |az|   y of the hair line
HAIR_LINE = curve([(0, 1.6660), (25, 1.6680), (45, 1.6600), (58, 1.6380), (68, 1.6000), (76, 1.5860), (84, 1.6060),
                   (92, 1.6240), (104, 1.6120), (116, 1.5700), (135, 1.5240), (160, 1.5080), (180, 1.5060)])


def build_hair():
    m = Mesh()
    N = 32
    azs = np.array([360.0 * j / N for j in range(N)])
    azs = (azs + 180) % 360 - 180
    pole = unit([0.012, 1.0, -0.30])
    ts = [0.0, 0.015, 0.07, 0.17, 0.28, 0.39, 0.50, 0.61, 0.73, 0.86]
    edge_dir = []
    for a in azs:
        y = float(HAIR_LINE(np.array([abs(a)]))[0, 0])
        # find elevation that meets the skull at that height
        els = np.linspace(-62, 60, 245)
        d = np.array([direction(a, e) for e in els])
        p = raycast(head_sdf, HEAD_C, d, 0.19)
        k = int(np.argmin(np.abs(p[:, 1] - y)))
        edge_dir.append(d[k])
    thick = [-0.006, 0.0060, 0.0125, 0.0175, 0.0200, 0.0215, 0.0225, 0.0235, 0.0245, 0.0250]
    rows = []
    for r, t in enumerate(ts):
        ds = []
        for j in range(N):
            a, b = edge_dir[j], pole
            om = math.acos(float(np.clip(np.dot(a, b), -1, 1)))
            ds.append(unit((math.sin((1 - t) * om) * a + math.sin(t * om) * b) / math.sin(om)))
        ds = np.array(ds)
        p = raycast(head_sdf, HEAD_C, ds, 0.19)
        cur = []
        for j in range(N):
            a = float(azs[j])
            front = math.exp(-(a / 48.0) ** 2)
            side = math.exp(-((abs(a) - 88) / 30.0) ** 2)
            th = thick[r]
            if r >= 1:
                body = float(smooth(0.0, 0.3, t))
                th *= 1.0 - 0.38 * math.exp(-((abs(a) - 180) / 55.0) ** 2) * float(smooth(0.15, 0.45, t) * smooth(1.0, 0.75, t))
                th *= 1.0 - 0.50 * math.exp(-((abs(a) - 180) / 50.0) ** 2) * float(smooth(0.38, 0.05, t))
                th *= 1.0 - 0.42 * side * (1 - body * 0.55)
                # fringe: stands up and sweeps to the left
                sweep = math.exp(-((a - 18) / 42.0) ** 2)
                th += 0.020 * sweep * float(smooth(0.03, 0.18, t)) * float(smooth(0.75, 0.25, t))
                # clumps
                wave = math.cos(math.radians(a * 8 + 150 * t + 25))
                th += 0.0034 * wave * float(smooth(0.0, 0.12, t)) * float(smooth(1.0, 0.6, t))
            q = p[j] + ds[j] * th
            if r == 1 or r == 2:
                drop = 0.010 * front + 0.004
                tooth = 0.5 + 0.5 * math.cos(math.radians(a * 8 + 25))
                q[1] -= (drop * (0.4 + 0.6 * tooth)) * (1.0 if r == 1 else 0.45)
                if front > 0.05:
                    q[0] += 0.006 * front
            v = 1.0 - t * 0.98
            cur.append(m.add(q, UV_HAIR(abs(a) / 180.0, v), {"head": 1.0}, (math.cos(math.radians(a * 8 + 150 * t + 25)), 1 - t)))
        rows.append(cur)
    for a, b in zip(rows, rows[1:]):
        m.strip(a, b, "hair")
    top = raycast(head_sdf, HEAD_C, np.array([pole]), 0.19)[0] + pole * 0.0255
    c = m.add(top, UV_HAIR(0.5, 0.0), {"head": 1.0})
    m.fan(rows[-1], c, "hair")
    return m.orient_outward()


# --------------------------------------------------------------------------
# Hands
# --------------------------------------------------------------------------
def build_hands():
    m = Mesh()
    # palm
    S = 10
    secs = [(-0.040, 0.0260, 0.0220, 0.0), (0.000, 0.0265, 0.0205, 0.0), (0.020, 0.0320, 0.0200, 0.001),
            (0.046, 0.0390, 0.0185, 0.001), (0.078, 0.0400, 0.0150, -0.001), (0.0950, 0.0355, 0.0095, -0.001)]
    pts, frames, radii, ws = [], [], [], []
    for s, rz, rn, zc in secs:
        pts.append(hand_point(s, 0.0, zc))
        frames.append((-PALM_DIR, FRONT))
        radii.append((rn, rz))
        k = float(smooth(-0.030, 0.022, s))
        ws.append({"lower_arm_L": 1 - k, "hand_L": k})
    p = Mesh()
    rows = tube(p, pts, frames, radii, S, UV_PALM, "hand", ws)
    c = p.add(hand_point(0.0965), UV_PALM(0.5, 1.0), {"hand_L": 1.0})
    p.fan(rows[-1], c, "hand")
    m.append(p.orient_outward())

    def finger(start, dirs, lens, r0, r1, names, wroot, side_axis):
        f = Mesh()
        stations = [-0.35, 0.25, 0.48, 0.62, 0.96]
        total = sum(lens)
        ptsf, frs, rad, wsf = [], [], [], []
        for t in stations:
            s = t * total
            if s <= lens[0]:
                pt = start + dirs[0] * s
                d = dirs[0]
            else:
                pt = start + dirs[0] * lens[0] + dirs[1] * (s - lens[0])
                d = dirs[1]
            n = unit(-PALM_DIR - d * float(np.dot(-PALM_DIR, d)))
            b = unit(np.cross(d, n))
            r = lerp(r0, r1, max(0.0, t)) * (1.0 if t < 0.95 else 0.80)
            ptsf.append(pt)
            frs.append((n, b))
            rad.append((r * 0.95, r))
            k0 = float(smooth(-0.012, 0.012, s))
            k1 = float(smooth(lens[0] - 0.010, lens[0] + 0.010, s))
            wsf.append({wroot: 1 - k0, names[0]: k0 * (1 - k1), names[1]: k0 * k1})
        rws = tube(f, ptsf, frs, rad, 6, UV_FINGER, "hand", wsf)
        tip = f.add(ptsf[-1] + dirs[1] * r1 * 0.50, UV_FINGER(0.5, 1.0), wsf[-1])
        f.fan(rws[-1], tip, "hand")
        m.append(f.orient_outward())

    for k in range(4):
        names = ("index_1_L", "index_2_L") if k == 0 else ("fingers_1_L", "fingers_2_L")
        spread = (FINGER_Z[k] - 0.001) * 1.6
        d1 = unit(ARM_DIR + PALM_DIR * 0.05 + FRONT * spread)
        d2 = unit(ARM_DIR + PALM_DIR * 0.22 + FRONT * spread * 0.5)
        ln = FINGER_LEN[k]
        finger(hand_point(FINGER_ROOT[k], 0.001, FINGER_Z[k]), (d1, d2), (ln * 0.5, ln * 0.5), 0.0112, 0.0088, names, "hand_L", FRONT)
    t1 = LEFT["thumb_1"][1]
    t2 = LEFT["thumb_2"][1]
    d1 = unit(t2 - t1)
    l1 = float(length(t2 - t1))
    d2 = unit(d1 + ARM_DIR * 0.55)
    finger(t1, (d1, d2), (l1, 0.034), 0.0155, 0.0100, ("thumb_1_L", "thumb_2_L"), "hand_L", FRONT)
    r = Mesh()
    r.append(m)
    r.append(m.mirrored())
    return r


# --------------------------------------------------------------------------
# Shoes: cross sections along the foot
# --------------------------------------------------------------------------
#               z      width-in width-out  top    centre-x  sole-height lift
SHOE = curve([
    (-0.086, 0.018, 0.018, 0.046, 0.0960, 0.030, 0.012),
    (-0.078, 0.029, 0.029, 0.064, 0.0960, 0.030, 0.006),
    (-0.058, 0.037, 0.037, 0.096, 0.0960, 0.029, 0.001),
    (-0.020, 0.040, 0.039, 0.122, 0.0970, 0.027, 0.000),
    (0.018, 0.040, 0.040, 0.112, 0.0980, 0.026, 0.000),
    (0.056, 0.043, 0.043, 0.084, 0.0995, 0.024, 0.000),
    (0.092, 0.047, 0.048, 0.066, 0.1010, 0.024, 0.000),
    (0.125, 0.048, 0.050, 0.058, 0.1020, 0.024, 0.001),
    (0.152, 0.044, 0.046, 0.052, 0.1010, 0.025, 0.005),
    (0.172, 0.034, 0.034, 0.045, 0.0990, 0.027, 0.010),
    (0.184, 0.018, 0.018, 0.037, 0.0980, 0.029, 0.016),
])


def build_shoes():
    m = Mesh()
    zs = [-0.084, -0.060, -0.015, 0.030, 0.065, 0.092, 0.118, 0.145, 0.168, 0.184]
    rows = []
    for k, z in enumerate(zs):
        wi, wo, top, cx, sh, lift = SHOE(np.array([z]))[0]
        # profile: (side -1..1, y, is-sole)
        prof = [(-0.60, lift, 1.0), (-1.02, lift + 0.006, 1.0), (-1.07, sh - 0.001, 1.0), (-1.0, sh + 0.002, 0.0)]
        up = []
        for a in (34, 66):
            r = math.radians(a)
            up.append((-math.cos(r) ** 0.75, sh + (top - sh) * math.sin(r) ** 0.9, 0.0))
        half = prof + up
        pts = half + [(0.0, top, 0.0)] + [(-s, y, f) for s, y, f in reversed(half)]
        cur = []
        n = len(pts)
        kz = float(smooth(BALL[2] - 0.030, BALL[2] + 0.026, z))
        for j, (s, y, f) in enumerate(pts):
            x = cx + (s * wo if s > 0 else s * wi)
            u = (z + 0.086) / 0.270
            v = 1 - min(j, n - 1 - j) / ((n - 1) / 2)
            cur.append(m.add((x, y, z), UV_SHOE(u, v), {"foot_L": 1 - kz, "toe_L": kz}, (f, 0)))
        rows.append(cur)
    for a, b in zip(rows, rows[1:]):
        m.strip(a, b, "shoe")
    for row, u in ((rows[0], False), (rows[-1], True)):
        n = len(row)
        half = n // 2
        # close with quads between the two sides
        for j in range(half - 1):
            a, b = j, n - 1 - j
            ids = [row[a], row[a + 1], row[b - 1], row[b]]
            m.face(ids[::-1] if not u else ids, "shoe")
        ids = [row[half - 1], row[half], row[half + 1]]
        m.face(ids[::-1] if not u else ids, "shoe")
    m.orient_outward()
    r = Mesh()
    r.append(m)
    r.append(m.mirrored())
    return r


# --------------------------------------------------------------------------
# Assembly: triangles, normals, morph normals, ambient occlusion
# --------------------------------------------------------------------------
TARGETS = ["smile", "blink", "mouthOpen"]


def assemble():
    m = Mesh()
    for part in (build_jacket(), build_trousers(), build_head(), build_eyes(), build_brow(), build_ear(),
                 build_hair(), build_hands(), build_shoes()):
        m.append(part)
    B = triangulate(m, PARTS)
    weld, nw = weld_ids(B.pos)
    B.nrm = vertex_normals(B.pos, B.tris, weld, nw)
    B.morph_pos, B.morph_nrm = {}, {}
    for t in TARGETS:
        d = np.array([m.m[i].get(t, np.zeros(3)) for i in B.order])
        d[length(d) < 2e-5] = 0
        # equal positions move equally
        acc = np.zeros((nw, 3))
        cnt = np.zeros(nw)
        np.add.at(acc, weld, d)
        np.add.at(cnt, weld, 1)
        d = np.round((acc / cnt[:, None])[weld], 6)
        n2 = vertex_normals(B.pos + d, B.tris, weld, nw)
        dn = n2 - B.nrm
        dn[length(dn) < 0.01] = 0
        B.morph_pos[t], B.morph_nrm[t] = d, np.round(dn, 5)
    bind_weights(B, m, JOINT_NAMES, weld, nw)
    B.ao = ambient_occlusion(B, weld, nw)
    return B


HEAD_SCALE = 1.055
HEAD_PARTS = ["head", "mouth", "hair", "eye", "brow", "ear", "teeth"]


def enlarge_head(B):
    """A slightly larger head reads better from afar. Done after painting, as
    the paint is placed by coordinates of the unscaled head."""
    def f(p):
        k = (HEAD_SCALE - 1) * smooth(1.455, 1.500, p[:, 1])[:, None]
        return p + k * (p - np.array([0, 1.490, -0.015]))
    sel = np.zeros(len(B.pos), bool)
    for q in HEAD_PARTS:
        sel[B.tris[B.tri_part == PART_ID[q]].reshape(-1)] = True
    B.pos[sel] = np.round(f(B.pos[sel]), 6)
    for t in TARGETS:
        B.morph_pos[t] = np.round(B.morph_pos[t] * HEAD_SCALE, 6)
    for n in ("eye_L", "eye_R"):
        JOINT_POS[JOINT_ID[n]] = f(JOINT_POS[[JOINT_ID[n]]])[0]


# --------------------------------------------------------------------------
# Texture: every texel knows its point on the body and is painted in 3D
# --------------------------------------------------------------------------
SKIN, SKIN_WARM, SKIN_DARK = rgb("#edbd98"), rgb("#e08f72"), rgb("#b9755a")
LIP = rgb("#c9685f")
HAIR_A, HAIR_B, HAIR_C = rgb("#4a2c1d"), rgb("#7b4c2e"), rgb("#2c1811")
CLOTH, RIB = rgb("#f1f1ef"), rgb("#c3c4c6")
DENIM, DENIM_D = rgb("#566480"), rgb("#3b4660")
BELT, METAL = rgb("#5b3a26"), rgb("#d9c07a")
SHOE_A, SHOE_B, SOLE = rgb("#3c4149"), rgb("#6a717c"), rgb("#efece4")


def paint_texture(B):
    # inner and outer leg share texels: the outer side is written last
    cx = B.pos[B.tris].mean(1)[:, 0]
    key = np.where(B.tri_part == PART_ID["trousers"], np.round(np.abs(cx), 5), (cx > 0) * 1.0)
    order = np.argsort(key, kind="stable")
    texels = map_texels(B, order)
    cover, part, P, N, A, AO, UVp = texels.cover, texels.part, texels.P, texels.N, texels.A, texels.AO, texels.UV
    n = TEX
    rgbm = np.zeros((n, n, 3))
    mask = np.zeros((n, n))

    for name in PARTS:
        sel = cover & (part == PART_ID[name])
        if not sel.any():
            continue
        p, nn, a, uv = P[sel], N[sel], A[sel], UVp[sel]
        x, y, z = np.abs(p[:, 0]), p[:, 1], p[:, 2]
        c = np.zeros((len(p), 3))
        m = np.zeros(len(p))
        occ = 0.55

        def mix(col, k):
            nonlocal c
            k = np.clip(k, 0, 1)[:, None]
            c = c * (1 - k) + np.asarray(col) * k

        if name == "jacket":
            c[:] = CLOTH
            m[:] = 1
            s, r = arm_axis(np.stack([x, y, z], 1))
            inside_sleeve = (uv[:, 0] < 130 / TEX)
            body = ~inside_sleeve
            mix(CLOTH * 0.955, 0.8 * smooth(0.45, 0.65, noise(p, 26, 3)))
            # yoke panel over shoulders and outer sleeve
            yoke = smooth(1.332, 1.336, y - 0.10 * np.maximum(x - 0.03, 0)) * body
            c *= (1 - 0.16 * yoke)[:, None]
            mix(RIB * 0.70, line(y - 0.10 * np.maximum(x - 0.03, 0) - 1.334, 0.0014, 0.0016) * body * 0.8)
            sl = inside_sleeve
            stripe = line(z + 0.012, 0.0135, 0.0012) * sl * (nn[:, 1] > 0) * smooth(0.452, 0.446, s)
            mix(RIB * 0.62, 0.9 * stripe)
            # ribs: hem, cuffs, collar
            rib = np.maximum((y < 0.9865) * body * 1.0, np.maximum((s > 0.4555) * sl * 1.0, (uv[:, 1] * TEX < 134 + 196 * 0.0835) * body))
            ang = np.arctan2(p[:, 0], z + 0.005)
            ripples = 0.5 + 0.5 * np.where(sl, np.cos(np.arctan2(r[:, 2], r[:, 1]) * 30), np.cos(ang * 84))
            mix(RIB * 0.80, rib)
            c *= (1 - 0.13 * rib * ripples)[:, None]
            edge = np.maximum(line(y - 0.9865, 0.001, 0.0025) * body, line(s - 0.4555, 0.001, 0.0025) * sl)
            c *= (1 - 0.28 * edge)[:, None]
            # zip
            front = (z > 0) & body
            zipm = line(x, 0.0048, 0.0008) * front * (y < 1.487)
            mix(rgb("#8d9096"), zipm)
            teeth = line(x, 0.0021, 0.0006) * front * (y < 1.487)
            mix(rgb("#e8e6df"), teeth * (0.5 + 0.5 * np.sign(np.sin(y * 2 * math.pi / 0.008))) * 0.8)
            m = np.where(zipm > 0.5, 0.25, m)
            c *= (1 - 0.22 * line(x - 0.0115, 0.0008, 0.0014) * front * (y < 1.44))[:, None]
            # slanted pockets
            pk = seg_dist(x, y, 0.070, 1.092, 0.098, 1.028)
            c *= (1 - 0.22 * smooth(0.0085, 0.0075, pk) * front)[:, None]
            mix(RIB * 0.45, smooth(0.0026, 0.0014, pk) * front)
            # seams: side, arm hole
            mix(RIB * 0.74, 0.7 * line(z + 0.012, 0.0010, 0.0014) * body * (x > 0.10) * (y < 1.27))
            c *= (1 - 0.25 * line((uv[:, 1] * TEX - 268) / 240, 0.004, 0.006) * sl)[:, None]
            # elbow creases
            c *= (1 - 0.07 * smooth(0.05, 0.0, np.abs(s - UPPER_ARM)) * (0.5 + 0.5 * np.sin(s * 2 * math.pi / 0.016)) * sl)[:, None]
            occ = 0.62
        elif name == "trousers":
            c[:] = DENIM
            m[:] = 0.0
            mix(DENIM_D, 0.22 * noise(p, 24, 5) + 0.22 * noise(p * np.array([1, 0.25, 1]), 240, 6))
            mix(DENIM * 1.22, 0.55 * np.exp(-((y - 0.68) / 0.12) ** 2) * smooth(0.3, 0.95, nn[:, 2]))
            mix(DENIM * 1.18, 0.5 * np.exp(-((y - 0.50) / 0.05) ** 2) * smooth(0.3, 0.95, nn[:, 2]))
            mix(DENIM_D * 0.85, 0.6 * smooth(0.20, 0.07, y))
            m[:] = 0.12
            mix(DENIM_D * 0.75, line(z - 0.0, 0.0012, 0.0014) * (y < 0.93) * (np.abs(nn[:, 0]) > 0.75) * 0.9)
            # fly, pockets
            fr = (z > 0.0)
            mix(DENIM_D * 0.72, line(x - 0.0, 0.0010, 0.0014) * fr * (y > 0.845) * (y < 0.94))
            mix(rgb("#c9a46a"), 0.7 * line(x - 0.020, 0.0006, 0.0010) * fr * (y > 0.872) * (y < 0.94))
            pk = seg_dist(x, y, 0.075, 0.938, 0.128, 0.885)
            mix(DENIM_D * 0.65, smooth(0.0024, 0.0010, pk) * fr)
            mix(rgb("#c9a46a"), 0.6 * line(pk - 0.0052, 0.0005, 0.0010) * fr)
            bk = np.maximum(np.abs(x - 0.062) - 0.032, np.abs(y - 0.880) - 0.036)
            bk = np.maximum(bk, (np.abs(x - 0.062) * 0.5 + (0.852 - y)) - 0.012)
            mix(DENIM_D * 0.75, line(bk, 0.0010, 0.0014) * (z < -0.03) * 0.9)
            mix(rgb("#c9a46a"), 0.55 * line(bk + 0.004, 0.0005, 0.0010) * (z < -0.03))
            # turn-up
            cuff = smooth(0.098, 0.096, y)
            c *= (1 + 0.16 * cuff)[:, None]
            mix(DENIM_D * 0.6, line(y - 0.098, 0.0010, 0.0018))
            belt = a[:, 0] > 0.5
            c[belt] = BELT
            k = line(np.abs(y - 0.9545) - 0.0125, 0.0006, 0.001) * belt
            mix(BELT * 1.5, 0.5 * k)
            mix(BELT * 0.6, 0.4 * smooth(0.4, 0.8, noise(p, 60, 9)) * belt)
            loop = np.minimum(np.abs(x - 0.062) + 10 * (z < 0), np.abs(x - 0.075) + 10 * (z > 0))
            lp = smooth(0.0062, 0.0056, loop) * (y > 0.930) * (y < 0.978)
            mix(DENIM_D, lp)
            m = np.where(belt & (lp < 0.5), 0.0, m)
        elif name == "head":
            c[:] = SKIN
            mix(SKIN_WARM, 0.42 * np.exp(-(((x - 0.046) / 0.019) ** 2 + ((y - 1.562) / 0.015) ** 2)) * (z > 0.02))
            mix(SKIN_WARM, 0.34 * np.exp(-((x / 0.014) ** 2 + ((y - 1.566) / 0.011) ** 2)) * (z > 0.09))
            mix(SKIN_DARK, 0.20 * np.exp(-(((x - 0.034) / 0.026) ** 2 + ((y - 1.606) / 0.012) ** 2)) * (z > 0.04))
            mix(SKIN_DARK, 0.18 * smooth(1.500, 1.470, y))
            mix(SKIN_WARM, 0.22 * np.exp(-((x / 0.012) ** 2 + ((y - 1.506) / 0.010) ** 2)) * (z > 0.06))
            mix(SKIN_DARK, 0.16 * np.exp(-((x / 0.014) ** 2 + ((y - 1.5190) / 0.0026) ** 2)) * (z > 0.06))
            # nostrils
            mix(rgb("#7a4032"), 0.85 * np.exp(-(((x - 0.0068) / 0.0034) ** 2 + ((y - 1.5565) / 0.0026) ** 2)) * (z > 0.08))
            mix(SKIN_DARK, 0.35 * np.exp(-(((x - 0.0165) / 0.003) ** 2 + ((y - 1.563) / 0.007) ** 2)) * (z > 0.06))
            mix(LIP, smooth(0.10, 0.75, a[:, 0]) * 0.85)
            mix(np.where((y < 1.56)[:, None], rgb("#6b2a28"), rgb("#2b1812")), smooth(0.50, 0.80, a[:, 1]))
            mix(SKIN_DARK, 0.5 * smooth(0.15, 0.45, a[:, 1]) * (a[:, 1] < 0.7) * (y > 1.56))
            # shadow of the hair on the brow and scalp colour below it
            hl = HAIR_LINE(np.degrees(np.arctan2(x, z - HEAD_C[2])))[:, 0]
            mix(SKIN_DARK, 0.45 * smooth(hl - 0.022, hl - 0.004, y))
            mix(HAIR_C, smooth(hl - 0.003, hl + 0.002, y))
            occ = 0.36
        elif name == "mouth":
            r = np.hypot(uv[:, 0] * TEX - 420, uv[:, 1] * TEX - 484) / 28
            c[:] = rgb("#6e2226")
            mix(rgb("#2a0a0d"), smooth(0.9, 0.4, r))
            mix(rgb("#c25a5c"), 0.75 * np.exp(-(((uv[:, 0] * TEX - 420) / 12) ** 2 + ((uv[:, 1] * TEX - 497) / 7) ** 2)))
            occ = 0.0
        elif name == "hair":
            c[:] = HAIR_A
            q = np.clip(a[:, 0], -1, 1)              # cos of the clump phase; its multiples are strands
            strand = 0.6 * (8 * q**4 - 8 * q**2 + 1) + 0.4 * np.cos(7 * np.arccos(q) + 5 * a[:, 1])
            mix(HAIR_B, 0.34 * smooth(0.0, 1.0, strand))
            mix(HAIR_B, 0.55 * smooth(0.1, 1.0, a[:, 0]))
            mix(HAIR_C, 0.50 * smooth(-0.3, -1.0, a[:, 0]))
            mix(HAIR_C, 0.6 * smooth(0.80, 1.0, a[:, 1]))
            shine = np.exp(-((y - 1.715 - 0.006 * np.sin(np.arctan2(p[:, 0], z) * 9)) / 0.010) ** 2)
            mix(rgb("#a8704a"), 0.35 * shine * (0.55 + 0.45 * strand))
            occ = 0.5
        elif name == "eye":
            r = np.hypot(uv[:, 0] * TEX - 298, uv[:, 1] * TEX - 472) / 38 * math.sin(math.radians(60))
            r = np.degrees(np.arcsin(np.clip(r, 0, 1)))                            # from the pupil
            th = np.arctan2(uv[:, 1] * TEX - 472, uv[:, 0] * TEX - 298)
            c[:] = rgb("#f6f3ee")
            mix(rgb("#d8c3b8"), 0.7 * smooth(30, 60, r))
            iris = smooth(25.5, 24.0, r)
            mix(rgb("#3f7f86"), iris)
            mix(rgb("#8fd0c0"), iris * 0.65 * smooth(-0.2, 1.0, np.sin(th)) * smooth(19, 12, r))
            mix(rgb("#1b3d45"), iris * smooth(20, 24.5, r))
            mix(rgb("#2e646c"), iris * 0.5 * (0.5 + 0.5 * np.sin(th * 22)) * smooth(9, 11, r) * smooth(19, 16, r))
            mix(rgb("#0c0f12"), smooth(12.6, 11.4, r))
            gl = np.hypot(uv[:, 0] * TEX - 298 - 5.3, uv[:, 1] * TEX - 472 + 5.7)
            mix(rgb("#ffffff"), smooth(4.1, 3.0, gl))
            g2 = np.hypot(uv[:, 0] * TEX - 298 + 5.3, uv[:, 1] * TEX - 472 - 6.2)
            mix(rgb("#ffffff"), 0.5 * smooth(3.2, 1.6, g2))
            c *= (1 - 0.30 * smooth(-4, -22, uv[:, 1] * TEX - 472))[:, None]
            occ = 0.0
        elif name == "brow":
            c[:] = lerp(HAIR_A, HAIR_C, 0.4)
            occ = 0.0
        elif name == "ear":
            c[:] = SKIN
            mix(SKIN_WARM, 0.45 * smooth(0.0, 0.6, a[:, 0]))
            mix(SKIN_DARK, 0.45 * smooth(0.5, 1.0, a[:, 0]))
            occ = 0.4
        elif name == "teeth":
            c[:] = rgb("#f7f3ea")
            occ = 0.0
        elif name == "hand":
            c[:] = SKIN
            s = ((np.stack([x, y, z], 1) - WRIST) * ARM_DIR).sum(-1)
            mix(SKIN_WARM, 0.30 * smooth(0.06, 0.16, s))
            mix(SKIN_WARM, 0.16 * smooth(0.45, 0.7, noise(p, 40, 7)))
            mix(SKIN_DARK, 0.25 * smooth(0.0, -0.02, s))
            occ = 0.55
        elif name == "shoe":
            c[:] = SHOE_A
            toe = smooth(0.132, 0.134, z)
            mix(SHOE_B, toe)
            mix(SHOE_A * 0.6, line(z - 0.132, 0.0010, 0.0016))
            mix(SHOE_B, smooth(-0.058, -0.060, z))
            # side band and laces
            band = seg_dist(z, y, -0.045, 0.085, 0.060, 0.034)
            mix(SOLE, smooth(0.0085, 0.0070, band) * (np.abs(nn[:, 0]) > 0.35))
            tongue = smooth(0.30, 0.36, nn[:, 1]) * (z > 0.022) * (z < 0.118) * smooth(0.020, 0.018, np.abs(x - 0.0995))
            mix(SHOE_A * 0.7, tongue)
            lace = (0.5 + 0.5 * np.cos(z * 2 * math.pi / 0.017)) > 0.55
            mix(SOLE, tongue * lace)
            sole = smooth(0.35, 0.65, a[:, 0])
            mix(SOLE, sole)
            mix(SOLE * 0.55, sole * line(y - 0.013, 0.0008, 0.0012))
            mix(rgb("#77726a"), (nn[:, 1] < -0.8) * 1.0)
            occ = 0.5
        elif name == "buckle":
            c[:] = METAL
            r = np.maximum(np.abs(uv[:, 0] * TEX - 480) / 20, np.abs(uv[:, 1] * TEX - 482) / 18)
            mix(METAL * 0.45, smooth(0.40, 0.36, r))
            occ = 0.2
        ao = AO[sel]
        tint = np.stack([1 - occ * 1.0 * (1 - ao), 1 - occ * 1.12 * (1 - ao), 1 - occ * 1.18 * (1 - ao)], 1)
        c = c * tint
        rgbm[sel] = c
        mask[sel] = m
    done = bleed(rgbm, mask, cover)
    rgbm[~done] = SKIN
    out = np.concatenate([rgbm, mask[..., None]], -1)
    return (np.clip(out, 0, 1) * 255 + 0.5).astype(np.uint8)


# --------------------------------------------------------------------------
# Motion
# --------------------------------------------------------------------------
class Pose:
    """The pose of a clip at one moment. Angles in radians."""

    def __init__(self):
        self.hips = np.zeros(3)                  # offset from the bind position
        self.hips_r = np.eye(3)
        self.spine = np.eye(3)
        self.chest = np.eye(3)
        self.neck = np.eye(3)
        self.head = None                         # global; or
        self.head_l = np.eye(3)                  # local
        self.eyes = (0.0, 0.0)                   # yaw, pitch
        self.arm = {s: dict(flex=0.0, out=deg(9), twist=0.0, elbow=deg(14), pron=0.0, wrist=0.0, dev=0.0,
                            clav=0.0, clav_f=0.0, curl=0.30, index=0.0, thumb=0.10) for s in "LR"}
        self.foot = {s: dict(pos=np.zeros(3), yaw=deg(7) * (1 if s == "L" else -1), pitch=0.0, roll=0.0, toe=0.0,
                             knee=0.0) for s in "LR"}
        self.w = [0.0, 0.0, 0.0]


LEG_1 = float(length(KNEE - HIP))
LEG_2 = float(length(ANKLE - KNEE))
STRETCH = []                 # how far the legs reach, for the verbose report


def solve(p):
    """Pose -> (hips position, local rotations)."""
    G = [None] * len(JOINTS)
    J = JOINT_ID
    hips = JOINT_POS[0] + p.hips
    G[J["hips"]] = p.hips_r
    G[J["spine"]] = G[J["hips"]] @ p.spine
    G[J["chest"]] = G[J["spine"]] @ p.chest
    chest = G[J["chest"]]
    if p.head is not None:
        head = p.head
        G[J["neck"]] = chest @ part_of(chest.T @ head, 0.45)
    else:
        G[J["neck"]] = chest @ p.neck
        head = G[J["neck"]] @ p.head_l
    G[J["head"]] = head
    for s, sg in (("L", 1.0), ("R", -1.0)):
        G[J["eye_" + s]] = head @ euler(p.eyes[0], p.eyes[1])
        a = p.arm[s]
        lift = a["clav"] + 0.30 * max(0.0, a["out"] - deg(35)) + 0.10 * max(0.0, a["flex"] - deg(40))
        clav = chest @ ry(-sg * a["clav_f"]) @ rz(sg * min(lift, deg(42)))
        G[J["shoulder_" + s]] = clav
        out = a["out"] - lift * 0.9
        D = rz(-sg * (math.pi / 2 - ARM))
        S = clav @ rz(sg * out) @ rx(-a["flex"]) @ ry(-sg * a["twist"])
        G[J["upper_arm_" + s]] = S @ D
        E = S @ rx(-a["elbow"])
        G[J["lower_arm_" + s]] = E @ ry(-sg * a["pron"] * 0.5) @ D
        H = E @ ry(-sg * a["pron"]) @ rz(-sg * a["wrist"]) @ rx(-a["dev"])
        hand = H @ D
        G[J["hand_" + s]] = hand
        c = a["curl"]
        for name, k in (("fingers", 1.0), ("index", 1.0)):
            cc = c + (a["index"] if name == "index" else 0.0)
            G[J[name + "_1_" + s]] = hand @ rz(-sg * cc * 0.9)
            G[J[name + "_2_" + s]] = hand @ rz(-sg * cc * 2.0)
        d = LEFT["thumb_2"][1] - LEFT["thumb_1"][1]
        ax = np.cross(d, PALM_DIR - FRONT * 0.8)
        ax = ax * np.array([1, sg, sg])                  # mirrored axial vector
        G[J["thumb_1_" + s]] = hand @ axis_angle(ax, a["thumb"])
        G[J["thumb_2_" + s]] = hand @ axis_angle(ax, a["thumb"] * 2.1)

        f = p.foot[s]
        mir = np.array([sg, 1, 1])
        F = ry(f["yaw"]) @ rx(f["pitch"]) @ rz(f["roll"])
        hip = hips + p.hips_r @ (HIP * mir - JOINT_POS[0])
        ankle = ANKLE * mir + f["pos"]
        d = ankle - hip
        dist = float(length(d))
        STRETCH.append(dist / (LEG_1 + LEG_2))
        reach = (LEG_1 + LEG_2) * 0.9985
        dist_c = min(dist, reach)
        dirn = d / dist
        pole = ry(f["yaw"] * 0.8 + sg * f["knee"]) @ FRONT
        if "pole" in f:
            pole = f["pole"]
        perp = unit(pole - dirn * float(np.dot(pole, dirn)))
        ca = (LEG_1 ** 2 + dist_c ** 2 - LEG_2 ** 2) / (2 * LEG_1 * dist_c)
        ca = min(1.0, max(-1.0, ca))
        knee = hip + dirn * (LEG_1 * ca) + perp * (LEG_1 * math.sqrt(1 - ca * ca))
        hinge = np.cross(dirn, perp)
        b1, b2 = (KNEE - HIP) * mir, (ANKLE - KNEE) * mir
        bd = unit((ANKLE - HIP) * mir)
        hb = np.cross(bd, FRONT)
        G[J["upper_leg_" + s]] = basis(knee - hip, hinge) @ basis(b1, hb).T
        G[J["lower_leg_" + s]] = basis(ankle - knee, hinge) @ basis(b2, hb).T
        G[J["foot_" + s]] = F
        G[J["toe_" + s]] = F @ rx(f["toe"])
    loc = []
    for i in range(len(JOINTS)):
        par = JOINT_PARENT[i]
        loc.append(to_quat(G[i] if par < 0 else G[par].T @ G[i]))
    return hips, loc


def bake(name, keys, fn, loop=True, extras=None):
    """fn(t) with t in seconds; keys includes both ends."""
    hips, rot, wts = [], [], []
    del STRETCH[:]
    for k in range(keys):
        p = fn(k / FPS)
        h, q = solve(p)
        hips.append(h)
        rot.append(q)
        wts.append(p.w)
    hips, rot, wts = np.array(hips), np.array(rot), np.array(wts)
    if loop:
        hips[-1], rot[-1], wts[-1] = hips[0], rot[0], wts[0]
    for k in range(1, keys):
        flip = (rot[k] * rot[k - 1]).sum(-1) < 0
        rot[k][flip] *= -1
    if loop:                                   # the seam must hold the very same numbers
        for i in range(rot.shape[1]):
            if (rot[-1, i] != rot[0, i]).any():
                raise RuntimeError("rotation track does not close: %s %s" % (name, JOINTS[i][0]))
    if os.environ.get("HUMANOID_VERBOSE"):
        print(name, "leg stretch %.4f" % max(STRETCH), [(i // 2, "LR"[i % 2], round(v, 4)) for i, v in enumerate(STRETCH) if v > 0.99])
    ex = {"loop": loop}
    ex.update(extras or {})
    return {"name": name, "keys": keys, "hips": np.round(hips, 6), "rot": rot, "weights": np.clip(np.round(wts, 5), 0, 1), "extras": ex}


class Gait:
    """Foot path in the body's frame: heel pivot, flat, ball pivot, swing."""

    def __init__(self, keys, speed, flat, heel_off, toe_off, z0, strike, push, swing):
        self.T = keys / FPS
        self.v = speed
        self.tA, self.tB, self.tO = flat / FPS, heel_off / FPS, toe_off / FPS
        self.z0, self.p0, self.p1 = z0, strike, push
        self.swing = swing
        self.heel = np.array([0, -ANKLE[1] + 0.003, -0.052])
        self.ball = BALL - ANKLE
        self.ball[0] = 0

    def stance(self, t):
        z = self.z0 - self.v * t
        flat = np.array([0.0, 0.0, z])
        if t < self.tA:
            u = t / self.tA
            pitch = -self.p0 * (1 - u) ** 1.5 if self.tA > 0 else 0
            return flat + self.heel - rx(pitch) @ self.heel, pitch, 0.0
        if t <= self.tB:
            return flat, 0.0, 0.0
        u = (t - self.tB) / (self.tO - self.tB)
        pitch = self.p1 * u ** 1.6
        return flat + self.ball - rx(pitch) @ self.ball, pitch, -pitch

    def at(self, t):
        t = t % self.T
        if t > self.T - 1e-9:
            t = 0.0
        if t <= self.tO + 1e-9:
            return self.stance(t)
        e = 1e-4
        a0, pa0, toa0 = self.stance(self.tO - e)
        a1, pa1, toa1 = self.stance(self.tO)
        b0, pb0, _ = self.stance(0.0)
        b1, pb1, _ = self.stance(e)
        d = self.T - self.tO
        x = (t - self.tO) / d
        va, vb = (a1 - a0) / e * d, (b1 - b0) / e * d
        sw = self.swing
        y = hermite([(0, a1[1], va[1] + 0.16)] + [(f, yy, s) for f, yy, s in sw["y"]] + [(1, b0[1], max(vb[1], -0.45))], x)
        z = hermite([(0, a1[2], va[2])] + [(f, zz, s) for f, zz, s in sw["z"]] + [(1, b0[2], vb[2])], x)
        pitch = hermite([(0, pa1, (pa1 - pa0) / e * d * 0.6)] + [(f, pp, s) for f, pp, s in sw["pitch"]] + [(1, pb0, (pb1 - pb0) / e * d * 0.25)], x)
        toe = hermite([(0, toa1, 0.0), (0.35, deg(4), None), (1, 0.0, 0.0)], x)
        return np.array([0, y, z]), pitch, toe


def clip_walk():
    T = 32 / FPS
    g = Gait(32, 1.35, 3, 10, 18, 0.318, deg(15), deg(56), {
        "y": [(0.30, 0.118, None), (0.68, 0.038, None), (0.929, 0.030, -0.14)],
        "z": [(0.30, -0.235, None), (0.68, 0.175, None)],
        "pitch": [(0.30, deg(46), None), (0.68, deg(-4), None)]})

    def fn(t):
        u = t / T
        a = TAU * u
        p = Pose()
        p.hips = np.array([0.017 * math.cos(a - TAU * 0.27), -0.041 - 0.011 * math.cos(2 * a - TAU * 0.07), 0.006 * math.sin(2 * a)])
        p.hips_r = euler(-deg(7.5) * math.cos(a), deg(2.5) + deg(1.0) * math.cos(2 * a - 0.6), deg(3.0) * math.cos(a - TAU * 0.17))
        p.spine = euler(deg(5.0) * math.cos(a - 0.15), deg(1.0), -deg(2.4) * math.cos(a - TAU * 0.19))
        p.chest = euler(deg(8.5) * math.cos(a - 0.30), deg(1.5) + deg(1.2) * math.cos(2 * a - 1.6), -deg(2.2) * math.cos(a - TAU * 0.22))
        p.head = euler(deg(1.6) * math.cos(a - 0.5), deg(1.0) - deg(1.2) * math.cos(2 * a - 0.9), deg(1.0) * math.cos(a - TAU * 0.3))
        for s, ph, sg in (("L", 0.0, 1.0), ("R", 0.5, -1.0)):
            b = a + TAU * ph
            f = p.foot[s]
            pos, pitch, toe = g.at(t + ph * T)
            f["pos"] = np.array([-sg * 0.020, pos[1], pos[2]])
            f["pitch"], f["toe"] = pitch, toe
            f["yaw"] = sg * deg(5)
            f["knee"] = deg(2)
            m = p.arm[s]
            sw = -math.cos(b - 0.22)
            lag = -math.cos(b - 0.75)
            m["flex"] = deg(3) + deg(23) * sw + deg(2) * math.sin(2 * b)
            m["out"] = deg(8.5) - deg(1.5) * sw
            m["twist"] = deg(5) + deg(5) * sw
            m["elbow"] = deg(24) + deg(13) * lag
            m["pron"] = deg(14)
            m["wrist"] = deg(4) + deg(5) * -math.cos(b - 1.3)
            m["dev"] = deg(6) * -math.cos(b - 1.2)
            m["clav_f"] = deg(3.5) * sw
            m["curl"] = 0.38 + 0.07 * lag
            m["thumb"] = 0.14
        p.w = [0.30 + 0.16 * math.sin(a - 1.0), blink(t, 0.43), 0.0]
        return p
    c = [[round((k + o) / FPS, 6) for k in (3, 10)] for o in (0, 16)]
    return bake("walk", 33, fn, True, {"groundSpeedMetersPerSecond": 1.35, "flatContacts": {"foot_L": c[0], "foot_R": c[1]}})


def clip_run():
    T = 20 / FPS
    g = Gait(20, 3.2, 1, 3, 7, 0.241, deg(6), deg(58), {
        "y": [(0.22, 0.285, None), (0.45, 0.355, None), (0.75, 0.150, None)],
        "z": [(0.22, -0.520, None), (0.45, -0.130, None), (0.75, 0.310, None)],
        "pitch": [(0.22, deg(86), None), (0.45, deg(66), None), (0.75, deg(-2), None)]})

    def fn(t):
        u = t / T
        a = TAU * u
        p = Pose()
        p.hips = np.array([0.010 * math.cos(a - TAU * 0.17), -0.058 - 0.034 * math.cos(2 * a - TAU * 0.34), 0.008 * math.sin(2 * a)])
        p.hips_r = euler(-deg(10) * math.cos(a - 0.1), deg(8) + deg(2.0) * math.cos(2 * a - 1.0), deg(3.0) * math.cos(a - TAU * 0.14))
        p.spine = euler(deg(8) * math.cos(a - 0.2), deg(3), -deg(2.2) * math.cos(a - TAU * 0.16))
        p.chest = euler(deg(14) * math.cos(a - 0.3), deg(3) + deg(2) * math.cos(2 * a - 2.0), -deg(2) * math.cos(a - TAU * 0.2))
        p.head = euler(deg(2) * math.cos(a - 0.5), deg(4) - deg(1.6) * math.cos(2 * a - 1.2), deg(1.2) * math.cos(a - TAU * 0.25))
        for s, ph, sg in (("L", 0.0, 1.0), ("R", 0.5, -1.0)):
            b = a + TAU * ph
            f = p.foot[s]
            pos, pitch, toe = g.at(t + ph * T)
            f["pos"] = np.array([-sg * 0.034, pos[1], pos[2]])
            f["pitch"], f["toe"] = pitch, toe
            f["yaw"] = sg * deg(3)
            m = p.arm[s]
            sw = -math.cos(b - 0.15)
            lag = -math.cos(b - 0.7)
            m["flex"] = deg(-4) + deg(42) * sw
            m["out"] = deg(15) - deg(5) * sw
            m["twist"] = deg(17) + deg(9) * sw
            m["elbow"] = deg(88) + deg(14) * lag
            m["pron"] = deg(10)
            m["wrist"] = deg(6) + deg(6) * -math.cos(b - 1.5)
            m["clav_f"] = deg(6) * sw
            m["clav"] = deg(4)
            m["curl"] = 0.85
            m["thumb"] = 0.35
        p.w[0] = 0.10
        p.w[2] = 0.16 + 0.06 * math.cos(2 * a)
        return p
    c = [[round((k + o) / FPS, 6) for k in (1, 3)] for o in (0, 10)]
    return bake("run", 21, fn, True, {"groundSpeedMetersPerSecond": 3.2, "flatContacts": {"foot_L": c[0], "foot_R": c[1]}})


def stand(p, t, T, amount=1.0):
    """Breathing and a slow weight shift; returns the phase. Loops over T."""
    a = TAU * t / T
    br = math.sin(2 * a)
    sw = math.sin(a)
    p.hips = np.array([0.020 * sw, -0.012 - 0.003 * math.cos(2 * a) - 0.003 * sw * sw, 0.004 * math.sin(a + 0.8)]) * amount
    p.hips_r = euler(deg(1.5) * math.sin(a + 0.5) * amount, deg(0.6) * br, -deg(1.8) * sw * amount)
    p.spine = euler(-deg(1.0) * math.sin(a + 0.2) * amount, -deg(0.5) - deg(0.7) * math.sin(2 * a + 0.5), deg(1.6) * math.sin(a - 0.15) * amount)
    p.chest = euler(-deg(1.0) * math.sin(a - 0.2), -deg(1.5) - deg(1.6) * math.sin(2 * a + 0.3), deg(1.0) * math.sin(a - 0.35))
    for s, sg in (("L", 1.0), ("R", -1.0)):
        m = p.arm[s]
        m["flex"] = deg(2) + deg(2.0) * math.sin(a - 0.9 + (0.5 if sg < 0 else 0))
        m["out"] = deg(8) + deg(1.2) * math.sin(2 * a + 0.1)
        m["twist"] = deg(20)
        m["elbow"] = deg(20) + deg(2.5) * math.sin(2 * a - 0.7)
        m["pron"] = deg(10)
        m["clav"] = deg(1.5) * math.sin(2 * a + 0.4)
        m["wrist"] = deg(5)
        m["curl"] = 0.36 + 0.03 * math.sin(2 * a - 1.2)
    return a


def clip_idle():
    T = 4.0

    def fn(t):
        p = Pose()
        a = stand(p, t, T)
        look = bump(t, 1.45, 1.80, 2.45, 2.95)
        ahead = bump(t, 1.40, 1.50, 1.75, 2.0)
        p.head = euler(deg(1.5) * math.sin(a - 0.4) + deg(24) * look, deg(1.5) * math.sin(2 * a - 0.8) - deg(2) * look, deg(1.6) * math.sin(a - 0.6) - deg(3) * look)
        p.eyes = (deg(12) * ahead + deg(4) * look, -deg(1) * look)
        p.w = [0.16 + 0.14 * look, blink(t, 0.55, 1.42, 2.60, 3.45), 0.0]
        return p
    return bake("idle", 121, fn)


def clip_wave():
    T = 2.5

    def fn(t):
        p = Pose()
        a = stand(p, t, T, 0.7)
        up = bump(t, 0.10, 0.62, 1.85, 2.42)
        early = bump(t, 0.02, 0.50, 1.78, 2.36)
        late = bump(t, 0.20, 0.72, 1.92, 2.48)
        env = bump(t, 0.48, 0.72, 1.70, 1.98)
        ph = TAU * 2.15 * (t - 0.55)
        m = p.arm["R"]
        m["out"] = lerp(m["out"], deg(96), up)
        m["flex"] = lerp(m["flex"], deg(18), up)
        m["twist"] = lerp(m["twist"], deg(-74), early)
        m["elbow"] = lerp(m["elbow"], deg(92), up) + env * deg(17) * math.sin(ph)
        m["pron"] = lerp(m["pron"], deg(-14), late)
        m["wrist"] = lerp(m["wrist"], deg(-4), late)
        m["dev"] = env * deg(20) * math.sin(ph - 0.75)
        m["curl"] = lerp(m["curl"], 0.05, late) + env * 0.06 * math.sin(ph - 1.2)
        m["thumb"] = lerp(0.10, -0.12, late)
        p.chest = p.chest @ euler(deg(3) * up, -deg(2) * up, deg(5) * early + env * deg(1.2) * math.sin(ph - 0.3))
        p.spine = p.spine @ euler(0, 0, deg(2.5) * early)
        p.hips = p.hips + np.array([0.022 * early, -0.002 * early, 0])
        p.head = euler(deg(1.0) * math.sin(a) - deg(4) * up, -deg(3) * up + env * deg(1.5) * math.sin(ph * 0.5), deg(1) * math.sin(a - 0.4) - deg(7) * up)
        p.w = [0.16 + 0.74 * bump(t, 0.15, 0.5, 1.95, 2.45), blink(t, 0.16, 2.02), 0.22 * bump(t, 0.5, 0.8, 1.3, 1.7)]
        return p
    return bake("wave", 76, fn)


def clip_cheer():
    T = 2.0
    crouch = [(0, 0, 0.0), (0.30, -0.120, 0.0), (0.433, -0.02, 1.15), (0.4667, 0.022, 1.25)]
    t0, t1 = 0.4667, 0.9333
    v = 9.81 * (t1 - t0) / 2

    def hip_y(t):
        if t <= t0:
            return hermite(crouch, t)
        if t <= t1:
            x = t - t0
            return 0.022 + v * 0.62 * x * (1 - x / (t1 - t0))
        k = v * 0.62
        return hermite([(t1, 0.022, -k * 0.8), (1.10, -0.105, 0.0), (1.34, 0.004, 0.05), (1.60, -0.022, 0.0), (1.80, -0.004, None), (2.0, 0, 0)], t)

    def fn(t):
        p = Pose()
        stand(p, t, T, 0.0)
        hy = hip_y(t) - 0.012
        air = bump(t, t0 - 0.02, t0 + 0.10, t1 - 0.10, t1 + 0.01)
        down = bump(t, 0.03, 0.28, 0.33, 0.47)
        land = bump(t, t1 - 0.02, 1.09, 1.14, 1.40)
        p.hips = np.array([0, hy, -0.030 * down - 0.028 * land])
        p.hips_r = euler(0, deg(14) * down + deg(9) * land - deg(5) * air, 0)
        p.spine = euler(0, deg(8) * down + deg(5) * land - deg(6) * air - deg(0.5), 0)
        arms = bump(t, 0.30, 0.56, 1.42, 1.97)
        back = bump(t, 0.0, 0.27, 0.30, 0.46)
        pump = bump(t, 0.90, 1.10, 1.40, 1.70)
        ph = TAU * 2.0 * (t - 1.0)
        p.chest = euler(deg(3) * pump * math.sin(ph * 0.5), deg(7) * down + deg(3) * land - deg(10) * arms - deg(1.5), deg(3) * pump * math.sin(ph * 0.5))
        p.head = euler(0, deg(7) * down - deg(13) * arms + deg(6) * land, deg(4) * pump * math.sin(ph * 0.5 - 0.4))
        for s, sg in (("L", 1.0), ("R", -1.0)):
            m = p.arm[s]
            osc = math.sin(ph + (0.0 if sg > 0 else 0.5))
            m["out"] = lerp(m["out"] + deg(10) * back, deg(150) + deg(10) * pump * osc, arms)
            m["flex"] = lerp(m["flex"] - deg(42) * back, deg(10), arms)
            m["twist"] = lerp(m["twist"], deg(-22), arms)
            m["elbow"] = lerp(m["elbow"] + deg(14) * back, deg(28) - deg(24) * pump * osc + deg(14) * (1 - air) , arms)
            fist = bump(t, 0.34, 0.60, 1.55, 1.95)
            m["curl"] = lerp(m["curl"], 0.85, fist)
            m["thumb"] = lerp(0.10, 0.5, fist)
            m["wrist"] = lerp(m["wrist"], deg(-6), arms)
            f = p.foot[s]
            lift = 0.0
            if t0 < t < t1:
                lift = max(0.0, hip_y(t) - 0.022)
            pre = bump(t, 0.36, t0, t0, t0 + 0.12)
            post = bump(t, t1 - 0.12, t1 - 0.01, t1, t1 + 0.09)
            pitch = deg(34) * max(pre, post) + deg(26) * air
            pitch = min(pitch, deg(40))
            b = BALL - ANKLE
            b = np.array([0, b[1], b[2]])
            piv = ry(f["yaw"]) @ (b - rx(pitch) @ b)
            tuck = 0.085 * bump(t, t0, 0.66, 0.74, t1)
            f["pos"] = np.array([sg * 0.015, lift + tuck, -tuck * 0.9]) + piv
            f["pitch"] = pitch
            f["toe"] = -pitch * (1 - air)
            f["knee"] = deg(8) * (down + land + air)
        p.w = [0.16 + 0.70 * bump(t, 0.25, 0.55, 1.5, 1.95), blink(t, 0.10, 1.02, 1.75), 0.85 * bump(t, 0.38, 0.60, 1.20, 1.70)]
        return p
    return bake("cheer", 61, fn)


def clip_dance():
    beat = 0.5

    def fn(t):
        p = Pose()
        b = t / beat                            # 8 beats
        half = bump(t, 1.75, 2.20, 3.50, 4.0) if t > 1.0 else 0.0
        # two-beat side sway, one-beat bounce
        a1 = TAU * b                            # one beat
        a2 = TAU * b / 2                        # two beats
        a4 = TAU * b / 4
        bounce = -0.034 - 0.022 * math.cos(a1)
        sway = math.sin(a4)
        p.hips = np.array([0.060 * sway + 0.010 * math.sin(a2), bounce, 0.012 * math.sin(a2 + 0.6)])
        p.hips_r = euler(deg(12) * math.sin(a2), deg(3) + deg(3) * math.cos(a1 - 0.4), -deg(6) * math.sin(a4 + 0.2) - deg(3) * math.sin(a2))
        p.spine = euler(-deg(9) * math.sin(a2 - 0.25), deg(1) - deg(3) * math.cos(a1 - 0.9), deg(5) * math.sin(a4 - 0.1) + deg(3) * math.sin(a2 - 0.3))
        p.chest = euler(-deg(12) * math.sin(a2 - 0.5), -deg(2) + deg(4) * math.cos(a1 - 1.4), deg(5) * math.sin(a4 - 0.5))
        p.head = euler(-deg(8) * math.sin(a2 - 0.7) + deg(6) * math.sin(a4), deg(1) + deg(6) * math.cos(a1 - 1.9), deg(6) * math.sin(a4 - 0.9))
        for s, sg in (("L", 1.0), ("R", -1.0)):
            m = p.arm[s]
            alt = math.sin(a2 + (0.0 if sg > 0 else math.pi))
            alt_l = math.sin(a2 - 0.6 + (0.0 if sg > 0 else math.pi))
            # groove: bent arms swing across
            m["flex"] = lerp(deg(18) + deg(26) * alt, deg(14) + deg(10) * alt, half)
            m["out"] = lerp(deg(22) - deg(7) * alt, deg(104) + deg(24) * alt, half)
            m["twist"] = lerp(deg(20) + deg(16) * alt_l, deg(-84) + deg(12) * alt_l, half)
            m["elbow"] = lerp(deg(84) + deg(18) * alt_l, deg(74) - deg(26) * alt_l, half)
            m["pron"] = lerp(deg(20), deg(-8), half)
            m["wrist"] = deg(8) + deg(14) * math.sin(a1 - 1.2) * (0.4 + 0.6 * half)
            m["dev"] = deg(10) * alt_l
            m["clav"] = deg(4) + deg(5) * alt
            m["clav_f"] = deg(6) * alt
            m["curl"] = lerp(0.62, 0.18, half) + 0.08 * math.sin(a1 - 1.6)
            m["thumb"] = lerp(0.3, 0.0, half)
            # feet: tap out and back while the weight is on the other one
            f = p.foot[s]
            f["yaw"] = sg * deg(10)
            base = 0.035
            t4 = (t + (0.0 if sg < 0 else 1.0)) % 2.0       # right foot works in the first second
            out = float(smooth(0.06, 0.36, t4) * (1 - smooth(0.62, 0.92, t4)))
            l1 = math.sin(math.pi * min(1, max(0, (t4 - 0.06) / 0.30))) ** 2
            l2 = math.sin(math.pi * min(1, max(0, (t4 - 0.62) / 0.30))) ** 2
            tap = bump(t4, 0.10, 0.32, 0.62, 0.90)
            pitch = deg(24) * tap
            bb = BALL - ANKLE
            bb = np.array([0, bb[1], bb[2]])
            piv = ry(f["yaw"]) @ (bb - rx(pitch) @ bb)
            f["pos"] = np.array([sg * (base + 0.120 * out), 0.060 * max(l1, l2), 0.030 * out]) + piv
            f["pitch"] = pitch
            f["toe"] = -pitch
            f["knee"] = deg(6) + deg(8) * tap
        p.w = [0.55 + 0.25 * math.sin(a4) ** 2, blink(t, 0.9, 2.35, 3.3), 0.12 + 0.25 * half * (0.5 - 0.5 * math.cos(a1))]
        return p
    return bake("dance", 121, fn)


def clip_fall():
    """Hit from the front: staggers, the knees give, lands on the back and stays."""
    T = 48 / FPS

    def key(t, *rows):
        return hermite([(r[0], r[1], r[2] if len(r) > 2 else None) for r in rows], t)

    def fn(t):
        p = Pose()
        # rotation of the whole body about X (backwards is negative)
        lean = key(t, (0, 0, 0), (0.20, deg(-10)), (0.45, deg(-19)), (0.70, deg(-44)), (0.92, deg(-84)), (1.0, deg(-90), deg(-20)), (1.12, deg(-86.0), 0), (1.27, deg(-90), 0), (1.6, deg(-90), 0))
        y = key(t, (0, -0.012, 0), (0.20, -0.02), (0.42, -0.20), (0.66, -0.56), (0.84, -0.812, -0.4), (0.95, -0.796, 0), (1.06, -0.822, 0), (1.6, -0.824, 0))
        z = key(t, (0, 0, 0), (0.20, -0.06), (0.45, -0.20), (0.70, -0.37), (0.92, -0.43), (1.10, -0.44, 0), (1.6, -0.44, 0))
        roll = key(t, (0, 0, 0), (0.35, deg(5)), (0.75, deg(9)), (1.05, deg(3)), (1.3, deg(4), 0), (1.6, deg(4), 0))
        p.hips = np.array([0.01 * math.sin(t * 3) * (1 - t / T), y, z])
        p.hips_r = rx(lean) @ euler(roll, 0, roll * 0.4)
        sp = key(t, (0, 0, 0), (0.18, deg(16)), (0.45, deg(20)), (0.72, deg(26)), (0.95, deg(12)), (1.06, deg(0)), (1.2, deg(3), 0), (1.6, 0, 0))
        p.spine = euler(roll * 0.3, sp * 0.45, 0)
        p.chest = euler(-roll * 0.4, sp * 0.5, -roll * 0.3)
        hd = key(t, (0, 0, 0), (0.14, deg(-14)), (0.35, deg(8)), (0.75, deg(26)), (1.00, deg(20)), (1.12, deg(-8)), (1.25, deg(-1), 0), (1.6, deg(-3), 0))
        turn = key(t, (0, 0, 0), (0.9, deg(4)), (1.2, deg(20)), (1.6, deg(26), 0))
        p.neck = euler(turn * 0.4, hd * 0.5, 0)
        p.head_l = euler(turn * 0.6, hd * 0.5, 0)
        for s, sg in (("L", 1.0), ("R", -1.0)):
            m = p.arm[s]
            d = 0.0 if sg > 0 else 0.05
            q = t - d
            m["out"] = key(q, (-0.06, deg(8), 0), (0.0, deg(8)), (0.22, deg(34)), (0.45, deg(62)), (0.72, deg(66)), (1.0, deg(58)), (1.2, deg(52 if sg > 0 else 66), 0), (1.7, deg(52 if sg > 0 else 66), 0))
            m["flex"] = key(q, (-0.06, deg(2), 0), (0.0, deg(2)), (0.20, deg(46)), (0.42, deg(58)), (0.66, deg(20)), (0.90, deg(-14)), (1.04, deg(-3)), (1.12, deg(6)), (1.26, deg(-1), 0), (1.7, deg(-1), 0))
            m["elbow"] = key(q, (-0.06, deg(20), 0), (0.0, deg(20)), (0.25, deg(54)), (0.55, deg(38)), (0.90, deg(30)), (1.08, deg(18)), (1.3, deg(12), 0), (1.7, deg(12), 0))
            m["twist"] = key(q, (-0.06, deg(20), 0), (0.0, deg(20)), (0.45, deg(-10)), (1.1, deg(-55)), (1.7, deg(-58), 0))
            m["pron"] = key(q, (-0.06, deg(10), 0), (0.0, deg(10)), (1.1, deg(-18)), (1.7, deg(-18), 0))
            m["curl"] = key(q, (-0.06, 0.36, 0), (0.0, 0.36), (0.30, 0.04), (0.9, 0.10), (1.2, 0.42), (1.7, 0.40, 0))
            m["wrist"] = key(q, (-0.06, deg(5), 0), (0.0, deg(5)), (0.4, deg(-14)), (1.0, deg(-10)), (1.2, deg(8)), (1.7, deg(6), 0))
            f = p.foot[s]
            if sg > 0:      # left: one stagger step back, then slides out
                fz = key(t, (0, 0, 0), (0.10, 0, 0), (0.34, -0.20, 0), (0.62, -0.20, 0), (1.0, 0.31), (1.12, 0.362, 0), (1.6, 0.362, 0))
                fy = key(t, (0, 0, 0), (0.08, 0, 0), (0.22, 0.07, 0), (0.34, 0, 0), (0.60, 0, 0), (0.80, 0.15, 0), (1.04, 0.0, 0), (1.6, 0.0, 0))
            else:
                fz = key(t, (0, 0, 0), (0.50, 0.0, 0), (0.84, 0.22), (1.10, 0.29, 0), (1.6, 0.29, 0))
                fy = key(t, (0, 0, 0), (0.50, 0, 0), (0.74, 0.12, 0), (0.97, 0.0, 0), (1.08, 0.018, 0), (1.18, 0, 0), (1.6, 0.0, 0))
            ft = key(t, (0, 0, 0), (0.50, 0), (0.75, deg(-20)), (1.0, deg(-62 if sg > 0 else -66)), (1.12, deg(-56), 0), (1.3, deg(-62 if sg > 0 else -55), 0), (1.6, deg(-62 if sg > 0 else -55), 0))
            side = key(t, (0, 0.0, 0), (0.5, 0.02), (1.0, 0.075), (1.2, 0.09, 0), (1.6, 0.09, 0))
            heel = np.array([0, -ANKLE[1] + 0.003, -0.052])
            f["yaw"] = sg * (deg(7) + key(t, (0, 0, 0), (0.6, 0), (1.15, deg(26)), (1.6, deg(28), 0)))
            h = heel - rx(ft) @ heel
            f["pos"] = np.array([sg * side, fy, fz]) + ry(f["yaw"]) @ h
            f["pitch"] = ft
            f["toe"] = key(t, (0, 0, 0), (0.5, 0), (1.0, deg(12)), (1.6, deg(14), 0))
            k = float(smooth(0.4, 1.1, t))
            f["pole"] = unit(lerp(FRONT, np.array([sg * 0.28, 1.0, 0.15]), k))
        p.w = [0.16 * float(1 - smooth(0, 0.15, t)), max(blink(t, 0.05), 0.9 * float(smooth(1.05, 1.22, t))),
               0.80 * bump(t, 0.06, 0.22, 0.80, 1.25) + 0.14 * float(smooth(1.1, 1.4, t))]
        return p
    return bake("fall", 49, fn, False)


def build_clips():
    return [clip_idle(), clip_walk(), clip_run(), clip_wave(), clip_cheer(), clip_dance(), clip_fall()]


# --------------------------------------------------------------------------
# glTF
# --------------------------------------------------------------------------
def main():
    out = sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(os.path.abspath(__file__)), "humanoid.glb")
    B = assemble()
    image = png(paint_texture(B))
    enlarge_head(B)
    clips = build_clips()
    joints = [(name, JOINT_PARENT[i], JOINT_POS[i]) for i, name in enumerate(JOINT_NAMES)]
    write_glb(out, B, image, clips, {"name": "humanoid", "material": "townsperson", "generator": "make_humanoid.py",
                                     "targets": TARGETS, "joints": joints})
    print("%d vertices, %d triangles, %d joints, %d clips, %d bytes"
          % (len(B.pos), len(B.tris), len(JOINTS), len(clips), os.path.getsize(out)))


if __name__ == "__main__":
    main()
