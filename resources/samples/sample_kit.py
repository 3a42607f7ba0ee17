"""The tools that the sample generators share: small maths, implicit shapes, a mesh
container, painting in texture space, motion building blocks, PNG and GLB.

Everything is deterministic and needs only numpy. Dedicated to the public
domain (CC0 1.0) like the samples themselves.
"""
import json
import math
import struct
import zlib

import numpy as np

TEX = 512                                   # edge of a base-colour texture in texels
FPS = 30                                    # keys a second
TAU = 2 * math.pi
deg = math.radians


# --------------------------------------------------------------------------
# Small maths
# --------------------------------------------------------------------------
def lerp(a, b, t):
    return a + (b - a) * t


def smooth(a, b, x):
    t = np.clip((np.asarray(x, float) - a) / (b - a), 0.0, 1.0)
    return t * t * (3.0 - 2.0 * t)


def unit(v):
    v = np.asarray(v, float)
    return v / math.sqrt(float((v * v).sum()))


def curve(table):
    """Monotone cubic (Fritsch-Carlson) through (x, y...) rows."""
    t = np.array(table, float)
    xs, ys = t[:, 0], t[:, 1:]
    h = np.diff(xs)[:, None]
    d = np.diff(ys, axis=0) / h
    m = np.zeros_like(ys)
    m[0], m[-1] = d[0], d[-1]
    for i in range(1, len(xs) - 1):
        for k in range(ys.shape[1]):
            if d[i - 1, k] * d[i, k] > 0:
                w1 = 2 * h[i, 0] + h[i - 1, 0]
                w2 = h[i, 0] + 2 * h[i - 1, 0]
                m[i, k] = (w1 + w2) / (w1 / d[i - 1, k] + w2 / d[i, k])

    def f(x):
        x = np.clip(np.asarray(x, float), xs[0], xs[-1])
        i = np.clip(np.searchsorted(xs, x, side="right") - 1, 0, len(xs) - 2)
        hh = xs[i + 1] - xs[i]
        u = ((x - xs[i]) / hh)[..., None]
        hh = hh[..., None]
        return ((2 * u**3 - 3 * u**2 + 1) * ys[i] + (u**3 - 2 * u**2 + u) * hh * m[i]
                + (-2 * u**3 + 3 * u**2) * ys[i + 1] + (u**3 - u**2) * hh * m[i + 1])
    return f


# --------------------------------------------------------------------------
# Implicit shapes, used to give the hand-laid topology an organic surface
# --------------------------------------------------------------------------
def length(v):
    return np.sqrt((v * v).sum(-1))


def smin(a, b, k):
    h = np.maximum(k - np.abs(a - b), 0.0) / k
    return np.minimum(a, b) - h * h * k * 0.25


def smax(a, b, k):
    return -smin(-a, -b, k)


def ellipsoid(p, c, r):
    q = (p - np.asarray(c)) / np.asarray(r)
    k0 = length(q)
    k1 = length(q / np.asarray(r))
    return k0 * (k0 - 1.0) / np.maximum(k1, 1e-9)


def capsule(p, a, b, ra, rb):
    a, b = np.asarray(a, float), np.asarray(b, float)
    ab = b - a
    h = np.clip(((p - a) * ab).sum(-1) / (ab * ab).sum(), 0, 1)
    return length(p - a - h[:, None] * ab) - lerp(ra, rb, h)


def gradient(f, p, e=2e-4):
    g = np.empty_like(p)
    for k in range(3):
        d = np.zeros(3)
        d[k] = e
        g[:, k] = (f(p + d) - f(p - d)) / (2 * e)
    return g


def project(f, p, steps=8):
    p = p.copy()
    for _ in range(steps):
        g = gradient(f, p)
        d = f(p)
        step = d / np.maximum((g * g).sum(-1), 1e-6)
        step = np.clip(step * length(g), -0.02, 0.02) / np.maximum(length(g), 1e-6)
        p -= step[:, None] * g
    return p


def raycast(f, o, d, tmax=0.3):
    """Farthest crossing along o + t d (o inside, star shaped enough)."""
    o = np.broadcast_to(np.asarray(o, float), d.shape)
    t = np.full(len(d), tmax)
    lo = np.zeros(len(d))
    n = 150
    found = np.zeros(len(d), bool)
    for i in range(n, -1, -1):
        tt = tmax * i / n
        inside = f(o + d * tt) < 0
        new = inside & ~found
        lo[new] = tt
        t[new] = tt + tmax / n
        found |= inside
    for _ in range(24):
        mid = 0.5 * (lo + t)
        inside = f(o + d * mid[:, None]) < 0
        lo = np.where(inside, mid, lo)
        t = np.where(inside, t, mid)
    return o + d * t[:, None]


# --------------------------------------------------------------------------
# Mesh container. Faces keep a texture coordinate per corner, so that parts
# stay welded while they are modelled and are split only along real seams.
# --------------------------------------------------------------------------
class Mesh:
    def __init__(self):
        self.p, self.uv, self.w, self.a = [], [], [], []
        self.m = []                       # morph deltas: dict name -> vec3
        self.faces = []                   # (ids, uvs, part)

    def add(self, p, uv=(0, 0), w=None, a=(0.0, 0.0), m=None):
        self.p.append(np.asarray(p, float))
        self.uv.append(tuple(uv))
        self.w.append(dict(w or {}))
        self.a.append(tuple(a))
        self.m.append(dict(m or {}))
        return len(self.p) - 1

    def face(self, ids, part, uvs=None):
        ids = list(ids)
        uvs = list(uvs) if uvs else [self.uv[i] for i in ids]
        keep = [k for k in range(len(ids)) if ids[k] != ids[k - 1]]
        if len(keep) >= 3:
            self.faces.append(([ids[k] for k in keep], [uvs[k] for k in keep], part))

    def strip(self, a, b, part, closed=True, uva=None, uvb=None):
        n = len(a)
        for j in range(n if closed else n - 1):
            k = (j + 1) % n
            uvs = None
            if uva is not None:
                uvs = [uva[j], uva[k], uvb[k], uvb[j]]
            self.face([a[j], a[k], b[k], b[j]], part, uvs)

    def fan(self, ring, centre, part):
        for j in range(len(ring)):
            self.face([ring[j], ring[(j + 1) % len(ring)], centre], part)

    def orient_outward(self):
        """Flip the whole part if its signed volume is negative."""
        v = 0.0
        c = np.mean(self.p, axis=0)
        for ids, _, _ in self.faces:
            for k in range(1, len(ids) - 1):
                a, b, d = (self.p[ids[0]] - c, self.p[ids[k]] - c, self.p[ids[k + 1]] - c)
                v += float(np.dot(a, np.cross(b, d)))
        if v < 0:
            self.flip()
        return self

    def flip(self):
        self.faces = [(i[::-1], u[::-1], q) for i, u, q in self.faces]

    def mirrored(self):
        o = Mesh()
        s = np.array([-1.0, 1, 1])
        swap = lambda n: n[:-1] + "R" if n.endswith("_L") else (n[:-1] + "L" if n.endswith("_R") else n)
        o.p = [p * s for p in self.p]
        o.uv = list(self.uv)
        o.a = list(self.a)
        o.w = [{swap(k): v for k, v in w.items()} for w in self.w]
        o.m = [{k: v * s for k, v in m.items()} for m in self.m]
        o.faces = [(list(i), list(u), q) for i, u, q in self.faces]
        o.flip()
        return o

    def append(self, o):
        base = len(self.p)
        self.p += o.p
        self.uv += o.uv
        self.a += o.a
        self.w += o.w
        self.m += o.m
        self.faces += [([i + base for i in ids], u, q) for ids, u, q in o.faces]

    def neighbours(self):
        nb = [set() for _ in self.p]
        for ids, _, _ in self.faces:
            for k in range(len(ids)):
                a, b = ids[k], ids[(k + 1) % len(ids)]
                nb[a].add(b)
                nb[b].add(a)
        return [sorted(s) for s in nb]

    def relax(self, sdf, amount, iterations):
        """Laplacian smoothing (per-vertex amount 0..1), kept on the surface."""
        nb = self.neighbours()
        p = np.array(self.p)
        amount = np.asarray(amount)[:, None]
        free = amount[:, 0] > 0
        for _ in range(iterations):
            avg = np.array([p[n].mean(0) if n else p[i] for i, n in enumerate(nb)])
            p = p + amount * (avg - p)
            p[free] = project(sdf, p[free], 3)
        self.p = list(p)

    def smooth_weights(self, names, amount, iterations):
        """Laplacian smoothing of the weights; names lists the skeleton's joints."""
        nb = self.neighbours()
        joint_id = {name: i for i, name in enumerate(names)}
        w = np.zeros((len(self.p), len(names)))
        for i, d in enumerate(self.w):
            for k, v in d.items():
                w[i, joint_id[k]] = v
        amount = np.asarray(amount)[:, None]
        for _ in range(iterations):
            avg = np.array([w[n].mean(0) if n else w[i] for i, n in enumerate(nb)])
            w = w + amount * (avg - w)
        self.w = [{names[k]: float(r[k]) for k in np.nonzero(r > 1e-5)[0]} for r in w]


def rect(x0, y0, x1, y1):
    """Texture rectangle in texels -> function (u, v in 0..1) -> uv."""
    def f(u, v):
        return (round((x0 + (x1 - x0) * float(u)) / TEX, 6), round((y0 + (y1 - y0) * float(v)) / TEX, 6))
    return f


def tube(m, pts, frames, radii, sides, uvf, part, ws, a=(0.0, 0.0)):
    rows = []
    for k, (c, (fx, fy), r) in enumerate(zip(pts, frames, radii)):
        cur = []
        for j in range(sides):
            an = 2 * math.pi * j / sides
            u = abs(((j + sides // 2) % sides) - sides // 2) / (sides / 2)
            cur.append(m.add(c + fx * (r[0] * math.cos(an)) + fy * (r[1] * math.sin(an)), uvf(u, k / len(pts)), ws[k], a))
        rows.append(cur)
    for a_, b_ in zip(rows, rows[1:]):
        m.strip(a_, b_, part)
    return rows


# --------------------------------------------------------------------------
# Assembly: triangles, normals, weights, ambient occlusion
# --------------------------------------------------------------------------
def weld_ids(p):
    seen, out = {}, []
    for q in np.round(p, 5) + 0.0:
        out.append(seen.setdefault(tuple(q), len(seen)))
    return np.array(out), len(seen)


def vertex_normals(p, tris, weld, nweld):
    a, b, c = p[tris[:, 0]], p[tris[:, 1]], p[tris[:, 2]]
    fn = np.cross(b - a, c - a)
    area = length(fn)
    fn = fn / np.maximum(area, 1e-12)[:, None]
    acc = np.zeros((nweld, 3))
    for k in range(3):
        o, x, y = p[tris[:, k]], p[tris[:, (k + 1) % 3]], p[tris[:, (k + 2) % 3]]
        u, v = x - o, y - o
        cosang = (u * v).sum(-1) / np.maximum(length(u) * length(v), 1e-12)
        ang = np.arccos(np.clip(cosang, -1, 1)) * np.sqrt(np.maximum(area, 1e-12))
        np.add.at(acc, weld[tris[:, k]], fn * ang[:, None])
    n = acc / np.maximum(length(acc), 1e-12)[:, None]
    return n[weld]


class Baked:
    pass


def triangulate(m, parts):
    """Mesh -> Baked: corners with different texture coordinates become different vertices."""
    part_id = {n: i for i, n in enumerate(parts)}
    index, order, tris, tri_part = {}, [], [], []
    for ids, uvs, part in m.faces:
        c = []
        for i, uv in zip(ids, uvs):
            key = (i, uv)
            if key not in index:
                index[key] = len(order)
                order.append((i, uv, part))
            c.append(index[key])
        if len(c) == 4:
            p = [m.p[i] for i in ids]
            if length(p[0] - p[2]) <= length(p[1] - p[3]):
                t = [(c[0], c[1], c[2]), (c[0], c[2], c[3])]
            else:
                t = [(c[0], c[1], c[3]), (c[1], c[2], c[3])]
        else:
            t = [(c[0], c[k], c[k + 1]) for k in range(1, len(c) - 1)]
        for q in t:
            a, b, d = (m.p[order[x][0]] for x in q)
            if float(length(np.cross(b - a, d - a))) > 1e-10:
                tris.append(q)
                tri_part.append(part_id[part])
    B = Baked()
    B.pos = np.round(np.array([m.p[i] for i, _, _ in order]), 6)
    B.uv = np.array([uv for _, uv, _ in order])
    B.tris = np.array(tris)
    B.tri_part = np.array(tri_part)
    B.paint = np.array([m.a[i] for i, _, _ in order])
    B.order = [i for i, _, _ in order]
    return B


def bind_weights(B, m, names, weld, nw):
    """Keeps the four strongest joints of a vertex, the same ones at equal positions."""
    joint_id = {name: i for i, name in enumerate(names)}
    W = np.zeros((nw, len(names)))
    cnt = np.zeros(nw)
    for k, i in enumerate(B.order):
        for name, v in m.w[i].items():
            W[weld[k], joint_id[name]] += v
        cnt[weld[k]] += 1
    W = W[weld]
    top = np.argsort(-W, axis=1, kind="stable")[:, :4]
    w4 = np.take_along_axis(W, top, 1)
    w4 = w4 / w4.sum(1, keepdims=True)
    w4[w4 < 0.004] = 0
    w4 = w4 / w4.sum(1, keepdims=True)
    top[w4 == 0] = 0
    B.joints, B.weights = top, w4.astype(np.float32)
    B.weights[:, 0] += (1.0 - B.weights.sum(1)).astype(np.float32)


def ambient_occlusion(B, weld, nw):
    """Disc to disc occlusion in the bind pose."""
    p = np.zeros((nw, 3))
    n = np.zeros((nw, 3))
    p[weld] = B.pos
    n[weld] = B.nrm
    area = np.zeros(nw)
    a, b, c = (B.pos[B.tris[:, k]] for k in range(3))
    fa = 0.5 * length(np.cross(b - a, c - a)) / 3
    for k in range(3):
        np.add.at(area, weld[B.tris[:, k]], fa)
    occ = np.zeros(nw)
    for i in range(0, nw, 256):
        d = p[None, :, :] - p[i:i + 256, None, :]
        r2 = (d * d).sum(-1) + 1e-9
        r = np.sqrt(r2)
        cr = np.clip((d * n[i:i + 256, None, :]).sum(-1) / r, 0, 1)
        ce = np.clip(-(d * n[None, :, :]).sum(-1) / r, 0, 1)
        f = area[None, :] / (math.pi * r2 + area[None, :]) * cr * ce
        f[r < 1e-4] = 0
        f *= np.exp(-r / 0.18)
        occ[i:i + 256] = f.sum(1)
    ao = 1.0 / (1.0 + 2.2 * occ)
    return ao[weld]


# --------------------------------------------------------------------------
# Texture: every texel knows its point on the body and is painted in 3D
# --------------------------------------------------------------------------
def rgb(h):
    return np.array([int(h[i:i + 2], 16) / 255.0 for i in (1, 3, 5)])


def noise(p, scale, seed):
    """Smooth value noise in 3D."""
    q = p * scale + seed * 17.13
    i = np.floor(q).astype(np.int64)
    f = q - i
    f = f * f * (3 - 2 * f)

    def h(x, y, z):
        v = (x * 374761393 + y * 668265263 + z * 2147483647 + seed * 144665) & 0xFFFFFFFF
        v = ((v ^ (v >> 13)) * 1274126177) & 0xFFFFFFFF
        return ((v ^ (v >> 16)) & 0xFFFF) / 65535.0
    out = 0
    for dx in (0, 1):
        for dy in (0, 1):
            for dz in (0, 1):
                w = (f[:, 0] if dx else 1 - f[:, 0]) * (f[:, 1] if dy else 1 - f[:, 1]) * (f[:, 2] if dz else 1 - f[:, 2])
                out = out + w * h(i[:, 0] + dx, i[:, 1] + dy, i[:, 2] + dz)
    return out


def line(d, half, soft):
    return 1.0 - smooth(half, half + soft, np.abs(d))


def seg_dist(x, y, ax, ay, bx, by):
    dx, dy = bx - ax, by - ay
    t = np.clip(((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy), 0, 1)
    return np.hypot(x - ax - t * dx, y - ay - t * dy)


class Texels:
    """The content of every texel: covered at all, part, point, normal, paint values, occlusion, uv."""


def map_texels(B, order):
    """Rasterises the triangles in texture space; later ones of the order win shared texels."""
    n = TEX
    cover = np.zeros((n, n), bool)
    part = np.full((n, n), -1)
    P = np.zeros((n, n, 3))
    N = np.zeros((n, n, 3))
    A = np.zeros((n, n, 2))
    AO = np.ones((n, n))
    UVp = np.zeros((n, n, 2))
    for t, pt in zip(B.tris[order], B.tri_part[order]):
        q = B.uv[t] * n - 0.5
        lo = np.maximum(np.floor(q.min(0) - 0.8).astype(int), 0)
        hi = np.minimum(np.ceil(q.max(0) + 0.8).astype(int), n - 1)
        e1, e2 = q[1] - q[0], q[2] - q[0]
        det = e1[0] * e2[1] - e1[1] * e2[0]
        if abs(det) < 1e-7:
            continue
        X, Y = np.meshgrid(np.arange(lo[0], hi[0] + 1), np.arange(lo[1], hi[1] + 1))
        dx, dy = X - q[0][0], Y - q[0][1]
        b1 = (dx * e2[1] - dy * e2[0]) / det
        b2 = (e1[0] * dy - e1[1] * dx) / det
        b0 = 1 - b1 - b2
        tol = 0.03
        ok = (b0 >= -tol) & (b1 >= -tol) & (b2 >= -tol)
        if not ok.any():
            continue
        ys, xs = Y[ok], X[ok]
        w = np.stack([b0[ok], b1[ok], b2[ok]], -1)
        cover[ys, xs] = True
        part[ys, xs] = pt
        pos = B.pos[t] * np.array([1, 1, 1])
        P[ys, xs] = w @ pos
        N[ys, xs] = w @ B.nrm[t]
        A[ys, xs] = w @ B.paint[t]
        AO[ys, xs] = w @ B.ao[t]
        UVp[ys, xs] = np.stack([(xs + 0.5) / n, (ys + 0.5) / n], -1)
    t = Texels()
    t.cover, t.part, t.P, t.N, t.A, t.AO, t.UV = cover, part, P, N, A, AO, UVp
    return t


def bleed(rgbm, mask, cover):
    """Spreads colours past the borders of the islands; returns the texels reached."""
    n = len(cover)
    done = cover.copy()
    for _ in range(5):
        acc = np.zeros((n, n, 3))
        am = np.zeros((n, n))
        cnt = np.zeros((n, n))
        for dy in (-1, 0, 1):
            for dx in (-1, 0, 1):
                if dx or dy:
                    s = np.roll(np.roll(done, dy, 0), dx, 1)
                    acc += np.roll(np.roll(rgbm, dy, 0), dx, 1) * s[..., None]
                    am += np.roll(np.roll(mask, dy, 0), dx, 1) * s
                    cnt += s
        new = ~done & (cnt > 0)
        rgbm[new] = acc[new] / cnt[new][:, None]
        mask[new] = am[new] / cnt[new]
        done |= new
    return done


def png(img):
    h, w, ch = img.shape
    raw = img.astype(np.int16)
    rows = bytearray()
    up = np.zeros((w, ch), np.int16)
    for y in range(h):
        line_ = raw[y]
        left = np.concatenate([np.zeros((1, ch), np.int16), line_[:-1]])
        upleft = np.concatenate([np.zeros((1, ch), np.int16), up[:-1]])
        pa, pb = np.abs(up - upleft), np.abs(left - upleft)
        pc = np.abs(left + up - 2 * upleft)
        pred = np.where((pa <= pb) & (pa <= pc), left, np.where(pb <= pc, up, upleft))
        best = None
        for f, pr in ((0, 0 * line_), (1, left), (2, up), (4, pred)):
            d = ((line_ - pr) & 255).astype(np.uint8)
            cost = int(np.abs(d.astype(np.int8).astype(int)).sum())
            if best is None or cost < best[0]:
                best = (cost, f, d)
        rows.append(best[1])
        rows += best[2].tobytes()
        up = line_

    def chunk(t, d):
        return struct.pack(">I", len(d)) + t + d + struct.pack(">I", zlib.crc32(t + d))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", w, h, 8, 6, 0, 0, 0))
            + chunk(b"sRGB", b"\0") + chunk(b"IDAT", zlib.compress(bytes(rows), 9)) + chunk(b"IEND", b""))


# --------------------------------------------------------------------------
# Motion
# --------------------------------------------------------------------------
def rx(a):
    c, s = math.cos(a), math.sin(a)
    return np.array([[1, 0, 0], [0, c, -s], [0, s, c]])


def ry(a):
    c, s = math.cos(a), math.sin(a)
    return np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]])


def rz(a):
    c, s = math.cos(a), math.sin(a)
    return np.array([[c, -s, 0], [s, c, 0], [0, 0, 1.0]])


def euler(yaw=0.0, pitch=0.0, roll=0.0):
    return ry(yaw) @ rx(pitch) @ rz(roll)


def axis_angle(axis, a):
    x, y, z = unit(axis)
    c, s = math.cos(a), math.sin(a)
    k = 1 - c
    return np.array([[c + x * x * k, x * y * k - z * s, x * z * k + y * s],
                     [y * x * k + z * s, c + y * y * k, y * z * k - x * s],
                     [z * x * k - y * s, z * y * k + x * s, c + z * z * k]])


def to_quat(m):
    t = m[0, 0] + m[1, 1] + m[2, 2]
    if t > 0:
        s = math.sqrt(t + 1) * 2
        q = [(m[2, 1] - m[1, 2]) / s, (m[0, 2] - m[2, 0]) / s, (m[1, 0] - m[0, 1]) / s, s / 4]
    else:
        i = int(np.argmax([m[0, 0], m[1, 1], m[2, 2]]))
        j, k = (i + 1) % 3, (i + 2) % 3
        s = math.sqrt(max(0.0, 1 + m[i, i] - m[j, j] - m[k, k])) * 2
        q = [0, 0, 0, 0]
        q[i] = s / 4
        q[j] = (m[j, i] + m[i, j]) / s
        q[k] = (m[k, i] + m[i, k]) / s
        q[3] = (m[k, j] - m[j, k]) / s
    return unit(q)


def from_quat(q):
    x, y, z, w = q
    return np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
                     [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
                     [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)]])


def part_of(m, f):
    """The rotation m taken f of the way."""
    q = to_quat(m)
    if q[3] < 0:
        q = -q
    h = math.acos(min(1.0, q[3]))
    if h < 1e-6:
        return np.eye(3)
    s = math.sin(h * f) / math.sin(h)
    return from_quat(unit([q[0] * s, q[1] * s, q[2] * s, math.cos(h * f)]))


def basis(d, h):
    d = unit(d)
    h = unit(h - d * float(np.dot(h, d)))
    return np.stack([d, h, np.cross(d, h)], 1)


def bump(t, a, b, c, d):
    """0 before a, 1 between b and c, 0 after d."""
    return float(smooth(a, b, t) * (1 - smooth(c, d, t)))


def blink(t, *times):
    """A blink takes about a sixth of a second."""
    v = 0.0
    for s in times:
        x = t - s
        if 0 <= x <= 0.20:
            v = max(v, float(smooth(0, 0.067, x) * (1 - smooth(0.09, 0.20, x))))
    return v


def hermite(knots, x):
    """C1 spline through rows (x, value, slope or None)."""
    k = [list(r) for r in knots]
    for i in range(1, len(k) - 1):
        if k[i][2] is None:
            k[i][2] = (k[i + 1][1] - k[i - 1][1]) / (k[i + 1][0] - k[i - 1][0])
    for a, b in zip(k, k[1:]):
        if x <= b[0] or b is k[-1]:
            h = b[0] - a[0]
            u = min(1.0, max(0.0, (x - a[0]) / h))
            return ((2 * u**3 - 3 * u**2 + 1) * a[1] + (u**3 - 2 * u**2 + u) * h * a[2]
                    + (-2 * u**3 + 3 * u**2) * b[1] + (u**3 - u**2) * h * b[2])


# --------------------------------------------------------------------------
# glTF
# --------------------------------------------------------------------------
class Gltf:
    def __init__(self):
        self.bin = bytearray()
        self.views, self.accessors = [], []

    def view(self, data, target=None):
        while len(self.bin) % 4:
            self.bin.append(0)
        v = {"buffer": 0, "byteOffset": len(self.bin), "byteLength": len(data)}
        if target:
            v["target"] = target
        self.bin += data
        self.views.append(v)
        return len(self.views) - 1

    def accessor(self, arr, ctype, kind, target=None, minmax=False):
        fmt = {5126: "<f4", 5121: "u1", 5123: "<u2"}[ctype]
        arr = np.ascontiguousarray(arr.astype(fmt))
        a = {"bufferView": self.view(arr.tobytes(), target), "componentType": ctype, "count": len(arr), "type": kind}
        if minmax:
            flat = arr.reshape(len(arr), -1)
            a["min"] = [float(v) for v in flat.min(0)]
            a["max"] = [float(v) for v in flat.max(0)]
        self.accessors.append(a)
        return len(self.accessors) - 1

    def sparse(self, arr, minmax=False):
        arr = arr.astype("<f4")
        idx = np.nonzero(np.abs(arr).max(1) > 0)[0]
        a = {"componentType": 5126, "count": len(arr), "type": "VEC3"}
        if minmax:
            a["min"] = [float(v) for v in arr.min(0)]
            a["max"] = [float(v) for v in arr.max(0)]
        a["sparse"] = {"count": len(idx),
                       "indices": {"bufferView": self.view(idx.astype("<u2").tobytes()), "componentType": 5123},
                       "values": {"bufferView": self.view(np.ascontiguousarray(arr[idx]).tobytes())}}
        self.accessors.append(a)
        return len(self.accessors) - 1


def write_glb(path, B, image, clips, info):
    """info: name, material, generator, targets (morph names) and joints as rows (name, parent id
    or -1, bind position in metres). The first joint is the only one that moves by translation,
    unless a clip has "shift": joint id -> translations."""
    names = [n for n, _, _ in info["joints"]]
    parents = [p for _, p, _ in info["joints"]]
    places = np.array([p for _, _, p in info["joints"]])
    targets_named = info["targets"]
    g = Gltf()
    attrs = {
        "POSITION": g.accessor(B.pos, 5126, "VEC3", 34962, True),
        "NORMAL": g.accessor(np.round(B.nrm, 6), 5126, "VEC3", 34962),
        "TEXCOORD_0": g.accessor(B.uv, 5126, "VEC2", 34962),
        "JOINTS_0": g.accessor(B.joints, 5121, "VEC4", 34962),
        "WEIGHTS_0": g.accessor(B.weights, 5126, "VEC4", 34962),
    }
    indices = g.accessor(B.tris.reshape(-1), 5123, "SCALAR", 34963, True)
    targets = [{"POSITION": g.sparse(B.morph_pos[t], True), "NORMAL": g.sparse(B.morph_nrm[t])} for t in targets_named]
    ibm = np.tile(np.eye(4), (len(names), 1, 1))
    ibm[:, 3, :3] = -np.round(places, 6)           # column major
    ibm_acc = g.accessor(ibm.reshape(-1, 16), 5126, "MAT4")
    nodes = [{"name": "body", "mesh": 0, "skin": 0}]
    base = len(nodes)
    for i, name in enumerate(names):
        par = parents[i]
        t = places[i] - (places[par] if par >= 0 else 0)
        nd = {"name": name, "translation": [round(float(v), 6) for v in t]}
        ch = [k + base for k in range(len(names)) if parents[k] == i]
        if ch:
            nd["children"] = ch
        nodes.append(nd)
    animations = []
    for clip in clips:
        times = {}

        def time_acc(ts):
            key = tuple(ts)
            if key not in times:
                times[key] = g.accessor(np.array(ts), 5126, "SCALAR", None, True)
            return times[key]
        samplers, channels = [], []
        full = [k / 30.0 for k in range(clip["keys"])]

        def channel(node, path, values, kind):
            const = bool((np.abs(values - values[0]) < 1e-7).all())
            ts = [full[0], full[-1]] if const else full
            vals = values[[0, -1]] if const else values
            if kind == "SCALAR":
                vals = vals.reshape(-1)
            samplers.append({"input": time_acc(ts), "output": g.accessor(vals, 5126, kind), "interpolation": "LINEAR"})
            channels.append({"sampler": len(samplers) - 1, "target": {"node": node, "path": path}})
        channel(base, "translation", clip["hips"], "VEC3")
        for i in range(len(names)):
            channel(base + i, "rotation", clip["rot"][:, i], "VEC4")
        for i, values in clip.get("shift", {}).items():
            channel(base + i, "translation", values, "VEC3")
        if targets_named:
            channel(0, "weights", clip["weights"], "SCALAR")
        an = {"name": clip["name"], "samplers": samplers, "channels": channels, "extras": clip["extras"]}
        animations.append(an)
    img_view = g.view(image)
    while len(g.bin) % 4:
        g.bin.append(0)
    doc = {
        "asset": {"version": "2.0", "generator": info["generator"], "copyright": "CC0 1.0",
                  "extras": {"license": "CC0-1.0", "licenseUrl": "https://creativecommons.org/publicdomain/zero/1.0/"}},
        "scene": 0,
        "scenes": [{"name": info["name"], "nodes": [0, 1]}],
        "nodes": nodes,
        "meshes": [{"name": info["name"], "weights": [0.0] * len(targets_named), "extras": {"targetNames": targets_named},
                    "primitives": [{"attributes": attrs, "indices": indices, "material": 0, "mode": 4, "targets": targets}]}],
        "skins": [{"name": info["name"], "joints": list(range(base, base + len(names))), "skeleton": base,
                   "inverseBindMatrices": ibm_acc}],
        "materials": [{"name": info["material"], "alphaMode": "OPAQUE", "doubleSided": False,
                       "pbrMetallicRoughness": {"baseColorTexture": {"index": 0}, "metallicFactor": 0.0, "roughnessFactor": 0.8},
                       "extras": {"tintMask": "baseColorTexture.a"}}],
        "textures": [{"sampler": 0, "source": 0}],
        "samplers": [{"magFilter": 9729, "minFilter": 9987, "wrapS": 33071, "wrapT": 33071}],
        "images": [{"name": info["material"], "mimeType": "image/png", "bufferView": img_view}],
        "animations": animations,
        "accessors": g.accessors,
        "bufferViews": g.views,
        "buffers": [{"byteLength": len(g.bin)}],
    }
    if not targets_named:
        mesh = doc["meshes"][0]
        del mesh["weights"], mesh["extras"], mesh["primitives"][0]["targets"]
    if not animations:
        del doc["animations"]
    js = json.dumps(doc, separators=(",", ":")).encode()
    js += b" " * (-len(js) % 4)
    with open(path, "wb") as f:
        f.write(struct.pack("<4sII", b"glTF", 2, 12 + 8 + len(js) + 8 + len(g.bin)))
        f.write(struct.pack("<I4s", len(js), b"JSON") + js)
        f.write(struct.pack("<I4s", len(g.bin), b"BIN\0") + bytes(g.bin))
