#!/usr/bin/env python3
"""Decodes an exported atlas (NAME.atlas.json and its PNG, EXR or raw file) as docs/atlas-json.md says.

Written from that page alone, with the standard library alone, so that it shares nothing with the
program that wrote the files. Prints the skin matrices of all joints as JSON.

  decode_atlas.py NAME.atlas.json --clip Walk --frame 0 --frame 7
  decode_atlas.py NAME.atlas.json --clip Walk --unit 0.4 --reading direct --picture exr
  decode_atlas.py NAME.atlas.json --check ../docs/atlas.schema.json
  decode_atlas.py --serve     answers a list of such arguments (JSON) in each line of standard input
                              by a line {"exitCode", "out", "said"}
"""

import argparse
import contextlib
import io
import json
import math
import os
import re
import struct
import sys
import traceback
import zlib


def fail(message):
    sys.exit(f"decode_atlas.py: {message}")


# --- PNG, RGBA of 8 or 16 bits -----------------------------------------------------------------


def unfilter(kind, line, above, step):
    """Undoes one of the five filters of the PNG specification, in place."""
    for i in range(len(line)):
        left = line[i - step] if i >= step else 0
        up = above[i]
        corner = above[i - step] if i >= step else 0
        if kind == 1:
            predicted = left
        elif kind == 2:
            predicted = up
        elif kind == 3:
            predicted = (left + up) // 2
        elif kind == 4:
            estimate = left + up - corner
            distances = (abs(estimate - left), abs(estimate - up), abs(estimate - corner))
            predicted = (left, up, corner)[distances.index(min(distances))]
        else:
            fail(f"PNG filter {kind} does not exist")
        line[i] = (line[i] + predicted) & 255


def read_png(path):
    """Width, height and rows of values in 0..1: R, G, B, A, R, ..."""
    with open(path, "rb") as file:
        data = file.read()
    if data[:8] != b"\x89PNG\r\n\x1a\n":
        fail(f"{path} is not a PNG")
    at, packed, header = 8, b"", None
    while at + 12 <= len(data):
        (length,) = struct.unpack(">I", data[at : at + 4])
        kind, body = data[at + 4 : at + 8], data[at + 8 : at + 8 + length]
        (crc,) = struct.unpack(">I", data[at + 8 + length : at + 12 + length])
        if zlib.crc32(kind + body) != crc:
            fail(f"{path}: chunk {kind} is damaged")
        if kind == b"IHDR":
            header = struct.unpack(">IIBBBBB", body)
        elif kind == b"IDAT":
            packed += body
        elif kind in (b"gAMA", b"sRGB", b"iCCP", b"cHRM"):
            fail(f"{path} has a {kind.decode()} chunk, which has no meaning for numbers")
        at += 12 + length
    width, height, depth, colour, _, _, interlace = header
    if depth not in (8, 16) or (colour, interlace) != (6, 0):
        fail(f"{path} is not RGBA of 8 or 16 bits")
    raw = zlib.decompress(packed)
    stride = width * depth // 2
    kind, top = ("B", 255) if depth == 8 else ("H", 65535)
    rows, above = [], bytearray(stride)
    for y in range(height):
        start = y * (stride + 1)
        line = bytearray(raw[start + 1 : start + 1 + stride])
        if raw[start] != 0:
            unfilter(raw[start], line, above, depth // 2)
        rows.append([q / top for q in struct.unpack(f">{width * 4}{kind}", line)])
        above = line
    return width, height, rows


# --- OpenEXR, four float channels in scan lines, packed with ZIP --------------------------------


def read_exr(path):
    """The same of an EXR picture, whose values are floats already."""
    with open(path, "rb") as file:
        data = file.read()
    magic, version = struct.unpack("<II", data[:8])
    if magic != 20000630 or version != 2:
        fail(f"{path} is not an EXR picture of scan lines")
    attributes, at = {}, 8
    while data[at] != 0:
        start, name_end = at, data.index(b"\0", at)
        type_end = data.index(b"\0", name_end + 1)
        (size,) = struct.unpack("<i", data[type_end + 1 : type_end + 5])
        at = type_end + 5 + size
        attributes[data[start:name_end].decode()] = data[at - size : at]
    at += 1
    if attributes["compression"] != b"\x03":
        fail(f"{path} is not packed with ZIP")
    channels, rest = [], attributes["channels"]
    while rest[0] != 0:
        end = rest.index(b"\0")
        channels.append((rest[:end].decode(), struct.unpack("<i", rest[end + 1 : end + 5])[0]))
        rest = rest[end + 17 :]
    if channels != [("A", 2), ("B", 2), ("G", 2), ("R", 2)]:
        fail(f"{path} has other channels: {channels}")
    left, top, right, bottom = struct.unpack("<4i", attributes["dataWindow"])
    width, height = right - left + 1, bottom - top + 1
    rows = [None] * height
    for (offset,) in struct.iter_unpack("<Q", data[at : at + 8 * ((height + 15) // 16)]):
        y, size = struct.unpack("<ii", data[offset : offset + 8])
        count = min(16, height - (y - top))
        whole = count * width * 16
        packed = data[offset + 8 : offset + 8 + size]
        lines = packed if size == whole else unpacked(packed)
        for line in range(count):
            values = struct.unpack(f"<{width * 4}f", lines[line * width * 16 : (line + 1) * width * 16])
            planes = [values[c * width : (c + 1) * width] for c in (3, 2, 1, 0)]
            rows[y - top + line] = [value for texel in zip(*planes) for value in texel]
    return width, height, rows


def unpacked(packed):
    """Undoes deflate, the differences and the split into halves, as OpenEXR's ZIP has them."""
    raw = bytearray(zlib.decompress(packed))
    for i in range(1, len(raw)):
        raw[i] = (raw[i - 1] + raw[i] - 128) & 255
    half = (len(raw) + 1) // 2
    mixed = bytearray(len(raw))
    mixed[0::2], mixed[1::2] = raw[:half], raw[half:]
    return bytes(mixed)


# --- the raw file ------------------------------------------------------------------------------

# Letters of the module struct, channels, and by what a whole number is divided.
RAW = {"RGBA16": ("H", 4, 65535), "RGBA8": ("B", 4, 255), "RGBA32F": ("f", 4, 1), "RGBA16F": ("e", 4, 1),
       "RGBA32UI": ("I", 4, 1), "RG32UI": ("I", 2, 1), "RGB10_A2UI": ("I", 1, 1)}


def read_raw(path, width, height, texel_format):
    """Rows of four values a texel; words stay whole numbers."""
    kind, channels, top = RAW[texel_format]
    with open(path, "rb") as file:
        data = file.read()
    values = struct.unpack(f"<{width * height * channels}{kind}", data)
    if top > 1:
        values = [q / top for q in values]
    pad = [0] * (4 - channels)
    texels = [list(values[i : i + channels]) + pad for i in range(0, len(values), channels)]
    return [[value for texel in texels[y * width : (y + 1) * width] for value in texel] for y in range(height)]


def unpacked_words(words):
    """The position and scale before their range, and the quaternion, of a packed texel."""
    if len(words) == 4:
        halves = [half / 65535 for word in words for half in (word % 65536, word // 65536)]
        return halves[:4], [c * 2 - 1 for c in halves[4:]]
    first, second = words
    tens = lambda word: [word >> shift & 1023 for shift in (0, 10, 20)]
    others = [(q - 511) / (511 * math.sqrt(2)) for q in tens(second)]
    largest = math.sqrt(max(0, 1 - sum(c * c for c in others)))
    others.insert(second >> 30, -largest if first >> 30 & 1 else largest)
    return [q / 1023 for q in tens(first)] + [0], others


def fields(number, *bits):
    """Whole numbers of so many bits each, from the lowest bit on."""
    result = []
    for count in bits:
        result.append(number & ((1 << count) - 1))
        number >>= count
    return result


def smallest_three(others, middle, place):
    """The quaternion of three whole numbers and the place of the one that is left out, which is positive."""
    turn = [(q - middle) / (middle * math.sqrt(2)) for q in others]
    turn.insert(place, math.sqrt(max(0, 1 - sum(c * c for c in turn))))
    return turn


# --- quaternions x, y, z, w --------------------------------------------------------------------


def multiply(a, b):
    ax, ay, az, aw = a
    bx, by, bz, bw = b
    return (
        aw * bx + bw * ax + ay * bz - az * by,
        aw * by + bw * ay + az * bx - ax * bz,
        aw * bz + bw * az + ax * by - ay * bx,
        aw * bw - ax * bx - ay * by - az * bz,
    )


def conjugate(q):
    return (-q[0], -q[1], -q[2], q[3])


def normalised(q):
    length = math.sqrt(sum(c * c for c in q))
    return tuple(c / length for c in q)


def rotation_rows(q):
    x, y, z, w = q
    return (
        (1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)),
        (2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)),
        (2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)),
    )


def rotate(q, v):
    return tuple(sum(r * c for r, c in zip(row, v)) for row in rotation_rows(q))


def lerp(a, b, t):
    return tuple(x + (y - x) * t for x, y in zip(a, b))


def nlerp(a, b, t, shorter=False):
    if shorter and sum(x * y for x, y in zip(a, b)) < 0:
        b = tuple(-c for c in b)
    return normalised(lerp(a, b, t))


# --- matrices of three rows ---------------------------------------------------------------------


def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def inverse_transposed(rows):
    """The inverse of the transposed matrix."""
    x, y, z = rows
    volume = dot(x, cross(y, z))
    return [[c / volume for c in row] for row in (cross(y, z), cross(z, x), cross(x, y))]


def transposed(rows):
    return [list(column) for column in zip(*rows)]


def product(a, b):
    columns = transposed(b)
    return [[dot(row, column) for column in columns] for row in a]


def applied(rows, v):
    return tuple(dot(row, v) for row in rows)


def lerp_number(a, b, t):
    return a + (b - a) * t


def product4(a, b):
    return [[sum(a[r][k] * b[k][c] for k in range(4)) for c in range(4)] for r in range(4)]


def inverse_rigid(rows):
    """The inverse of three rows of a turn, mirrored or not, and a shift."""
    turn = [[rows[c][r] for c in range(3)] for r in range(3)]
    shift = [-sum(turn[r][c] * rows[c][3] for c in range(3)) for r in range(3)]
    return [turn[r] + [shift[r]] for r in range(3)] + [[0.0, 0.0, 0.0, 1.0]]


def mixed(a, b, t):
    return [list(lerp(one, two, t)) for one, two in zip(a, b)]


def sees(rows):
    longest = max(math.sqrt(dot(row, row)) for row in rows)
    volume = dot(rows[0], cross(rows[1], rows[2]))
    return longest > 1e-6 and abs(volume) > 1e-3 * longest**3


def kept(first, second, t):
    """Between two matrices, with the lengths and angles of columns that lie between theirs."""
    stretches = []
    for rows in (first, second):
        columns = transposed(rows)
        lengths = [math.sqrt(dot(c, c)) for c in columns]
        cosines = [
            [dot(a, b) / max(l * m, 1e-20) for b, m in zip(columns, lengths)] for a, l in zip(columns, lengths)
        ]
        stretches.append((lengths, cosines))
    lengths = lerp(stretches[0][0], stretches[1][0], t)
    cosines = mixed(stretches[0][1], stretches[1][1], t)
    wanted = [
        [l * m * (1.0 if i == j else cosines[i][j]) for j, m in enumerate(lengths)] for i, l in enumerate(lengths)
    ]
    rows = mixed(first, second, t)
    size = lambda m: math.sqrt(sum(dot(row, row) for row in m))
    for _ in range(3):
        volume = dot(rows[0], cross(rows[1], rows[2]))
        if abs(volume) <= 1e-4 * lengths[0] * lengths[1] * lengths[2]:
            break
        other = product(inverse_transposed(rows), wanted)
        grow = math.sqrt(size(other) / size(rows))
        rows = [[(grow * a + b / grow) / 2 for a, b in zip(one, two)] for one, two in zip(rows, other)]
    return rows


# --- the atlas ---------------------------------------------------------------------------------


class Atlas:
    def __init__(self, sidecar_path, kind):
        with open(sidecar_path, encoding="utf-8") as file:
            self.side = json.load(file)
        if self.side["format"] != "crowdkiln-atlas" or self.side["version"] != 1:
            fail(f"{sidecar_path} is not a sidecar of version 1")
        pictures = [f for f in self.side["files"] if f["kind"] == kind]
        if not pictures:
            fail(f"{sidecar_path} lists no {kind.upper()}")
        path = os.path.join(os.path.dirname(sidecar_path), pictures[0]["name"])
        if os.path.getsize(path) != pictures[0]["bytes"]:
            fail(f"{path} is not the file that the sidecar was written for")
        layout = self.side["layout"]
        if kind == "raw":
            form = self.side["encoding"]["texelFormat"]
            self.rows = read_raw(path, layout["width"], layout["height"], form)
            return
        width, height, self.rows = read_png(path) if kind == "png" else read_exr(path)
        if (width, height) != (layout["width"], layout["height"]):
            fail(f"{path} has another size than the sidecar says")

    def clip_index(self, name):
        for index, clip in enumerate(self.side["clips"]):
            if clip["name"] == name:
                return index
        fail(f"there is no clip '{name}'")

    def texel(self, frame, joint, k):
        layout = self.side["layout"]
        along = joint * self.side["encoding"]["texelsPerJoint"] + k
        if layout["name"] == "linear":
            y, x = divmod(frame * layout["texelsPerFrame"] + along, layout["width"])
        else:
            block, row = divmod(frame, layout["framesPerBlock"])
            block_row, block_column = divmod(block, layout["blocksPerRow"])
            x = block_column * layout["blockWidth"] + along
            y = block_row * layout["framesPerBlock"] + row
        return self.rows[y][4 * x : 4 * x + 4]

    def value(self, clip, frame, joint, k):
        """Texel k of a joint, its range applied where it has one."""
        return self.ranged(clip, joint, k, self.texel(frame, joint, k))

    def ranged(self, clip, joint, k, texel):
        ranges, per_joint = self.side["ranges"], self.side["encoding"]["rangesPerJoint"]
        if k >= per_joint:
            return texel
        joint_count = len(self.side["joints"])
        index = {"atlas": 0, "joint": joint, "joint-clip": clip * joint_count + joint}[ranges["mode"]]
        entry = ranges["values"][index * per_joint + k]
        return [l + c * s for l, c, s in zip(entry["low"], texel, entry["size"])]

    def pose(self, clip, frame, joint):
        """Position, scale along three axes and rotation of a joint at a frame of a clip; of a matrix
        where the pivot is and its linear part."""
        frame += self.side["clips"][clip]["firstFrame"]
        encoding = self.side["encoding"]
        read = lambda k: self.value(clip, frame, joint, k)
        if encoding["form"] in ("matrix", "pivot-matrix"):
            rows = [read(k) for k in range(3)]
            linear, place = [row[:3] for row in rows], tuple(row[3] for row in rows)
            if encoding["form"] == "matrix":
                place = tuple(p + a for p, a in zip(place, applied(linear, self.side["joints"][joint]["pivot"])))
            return place, linear
        if encoding["form"] == "local":
            return self.local_pose(clip, frame, joint)
        if encoding["texelFormat"] in ("RGBA32UI", "RG32UI"):
            channels = 4 if encoding["texelFormat"] == "RGBA32UI" else 2
            place, turn = unpacked_words(self.texel(frame, joint, 0)[:channels])
            place = self.ranged(clip, joint, 0, place)
            return tuple(place[:3]), (place[3],) * 3, normalised(turn)
        if encoding["form"] == "dual-quaternion":
            dual, turn = read(0), [c * 2 - 1 for c in read(1)]
            size = math.sqrt(sum(c * c for c in turn))
            dual, turn = [c / size for c in dual], normalised(turn)
            moved = multiply(dual, conjugate(turn))
            place = rotate(turn, self.side["joints"][joint]["pivot"])
            return tuple(p + 2 * m for p, m in zip(place, moved)), (1.0,) * 3, turn
        if encoding["form"] == "pivot":
            place, turn = read(0), read(1)
            # Whole numbers without a range span -1 to 1.
            if encoding["rangesPerJoint"] == 1:
                turn = [c * 2 - 1 for c in turn]
            return tuple(place[:3]), (place[3],) * 3, normalised(turn)
        components = encoding["components"]
        position, scale = tuple(self.side["joints"][joint]["pivot"]), (1.0, 1.0, 1.0)
        if components in ("trs", "tr"):
            position = tuple(read(0)[:3])
        if components == "trs":
            scale = tuple(read(2)[:3])
        return position, scale, normalised(read(0 if components == "r" else 1))

    def local_pose(self, clip, frame, joint):
        """As the parent sees it. `frame` counts through the atlas."""
        entry, joints = self.side["joints"][joint], len(self.side["joints"])
        wide = self.side["encoding"]["texelFormat"] == "RG32UI"
        words = self.texel(frame, joint, 0)
        if wide:
            a, b, place = fields(words[0], 15, 15, 2)
            c, scale = fields(words[1], 15, 17)
            turn, scale = smallest_three((a, b, c), 16383, place), scale / 131071
        else:
            *others, place = fields(words[0], 10, 10, 10, 2)
            turn, scale = smallest_three(others, 511, place), 0.0
        moved = [0, 0, 0]
        if "track" in entry and wide:
            low, high = self.texel(frame, joints + entry["track"], 0)[:2]
            moved = [q / 2097151 for q in fields(low + (high << 32), 21, 21, 21)]
        elif "track" in entry:
            first, second = (self.texel(frame, joints + 2 * entry["track"] + k, 0)[0] for k in (0, 1))
            moved = [(1024 * h + l) / 1048575 for h, l in zip(fields(first, 10, 10, 10), fields(second, 10, 10, 10))]
        *position, size = self.ranged(clip, joint, 0, moved + [scale])
        return tuple(position), (size,) * 3, normalised(turn)

    def from_roots(self, poses):
        """Poses from those that the parents see."""
        result = []
        for entry, (place, scale, turn) in zip(self.side["joints"], poses):
            if entry["parent"] >= 0:
                above_place, above_scale, above_turn = result[entry["parent"]]
                moved = rotate(above_turn, tuple(c * s for c, s in zip(place, above_scale)))
                place = tuple(p + m for p, m in zip(above_place, moved))
                turn = normalised(multiply(above_turn, turn))
            result.append((place, scale, turn))
        return result

    def frame_poses(self, clip, frame):
        poses = [self.pose(clip, frame, joint) for joint in range(len(self.side["joints"]))]
        return self.from_roots(poses) if self.side["encoding"]["form"] == "local" else poses

    def frame_at(self, clip, unit):
        """The frame of the clip before a moment, and the way to the next frame."""
        frames = self.side["clips"][clip]["frames"]
        steps = self.side["clips"][clip].get("stepFrames", [])
        kept = self.side["clips"][clip].get("keptMoments", range(frames - len(steps)))
        x = unit * kept[-1]
        if x >= kept[-1]:
            return frames - 2, 1.0
        k = sum(moment <= x for moment in kept) - 1
        frame = k + sum(step <= x for step in steps)
        return frame, (x - kept[k]) / (kept[k + 1] - kept[k])

    def poses_at(self, clip, unit, reading):
        i, a = self.frame_at(clip, unit)
        if reading == "nearest":
            return self.frame_poses(clip, i + (a >= 0.5))
        local = self.side["encoding"]["form"] == "local"
        if local and reading == "relative":
            frame = i + self.side["clips"][clip]["firstFrame"]
            joints = range(len(self.side["joints"]))
            seen = [[self.local_pose(clip, f, joint) for joint in joints] for f in (frame, frame + 1)]
            return self.from_roots([(lerp(one[0], two[0], a), lerp(one[1], two[1], a),
                                     nlerp(one[2], two[2], a, shorter=True)) for one, two in zip(*seen)])
        first, second = self.frame_poses(clip, i), self.frame_poses(clip, i + 1)
        if self.side["encoding"]["form"] in ("matrix", "pivot-matrix"):
            return self.matrices_between(first, second, a, reading)
        result = []
        for joint, (one, two) in enumerate(zip(first, second)):
            parent = self.side["joints"][joint]["parent"]
            scale = lerp(one[1], two[1], a)
            sized = parent >= 0 and all(abs(c) > 1e-6 for c in first[parent][1] + second[parent][1])
            if reading == "direct" or not sized:
                result.append((lerp(one[0], two[0], a), scale, nlerp(one[2], two[2], a, shorter=local)))
                continue
            seen = []
            for pose, above in ((one, first[parent]), (two, second[parent])):
                back = conjugate(above[2])
                away = tuple(p - q for p, q in zip(pose[0], above[0]))
                seen.append((multiply(back, pose[2]), tuple(c / s for c, s in zip(rotate(back, away), above[1]))))
            place, size, turn = result[parent]
            between = nlerp(seen[0][0], seen[1][0], a, shorter=True)
            offset = rotate(turn, tuple(c * s for c, s in zip(lerp(seen[0][1], seen[1][1], a), size)))
            position = tuple(p + o for p, o in zip(place, offset))
            result.append((position, scale, normalised(multiply(turn, between))))
        return result

    def matrices_between(self, first, second, a, reading):
        result = []
        for joint, (one, two) in enumerate(zip(first, second)):
            parent = self.side["joints"][joint]["parent"]
            if reading == "direct":
                result.append((lerp(one[0], two[0], a), mixed(one[1], two[1], a)))
                continue
            if parent < 0 or not (sees(first[parent][1]) and sees(second[parent][1])):
                result.append((lerp(one[0], two[0], a), kept(one[1], two[1], a)))
                continue
            seen = []
            for (place, linear), (above_place, above) in ((one, first[parent]), (two, second[parent])):
                back = transposed(inverse_transposed(above))
                away = tuple(p - q for p, q in zip(place, above_place))
                seen.append((applied(back, away), product(back, linear)))
            above_place, above = result[parent]
            moved = applied(above, lerp(seen[0][0], seen[1][0], a))
            place = tuple(p + m for p, m in zip(above_place, moved))
            result.append((place, product(above, kept(seen[0][1], seen[1][1], a))))
        return result

    def root_place(self, clip, cycles):
        """Where the extracted way of a clip has come to, column-major; None without one."""
        entry = self.side["clips"][clip]
        numbers = entry.get("rootMotion")
        if numbers is None:
            return None
        moments = [numbers[i : i + 4] for i in range(0, len(numbers), 4)]

        def moved(place):
            sine, cosine = math.sin(place[3]), math.cos(place[3])
            return [[cosine, 0.0, sine, place[0]], [0.0, 1.0, 0.0, place[1]],
                    [-sine, 0.0, cosine, place[2]], [0.0, 0.0, 0.0, 1.0]]

        passes = math.floor(cycles) if entry["loop"] == "loop" else 0
        x = (cycles - passes) * (len(moments) - 1)
        i = min(int(math.floor(x)), len(moments) - 2)
        rows = moved([lerp_number(a, b, x - i) for a, b in zip(moments[i], moments[i + 1])])
        for _ in range(passes):
            rows = product4(moved(moments[-1]), rows)
        return [rows[r][c] for c in range(4) for r in range(4)]

    def sockets(self, joints):
        """The places of the sockets in model space, by the skin matrices of the joints."""
        result = []
        for socket in self.side.get("sockets", []):
            matrix = joints[socket["joint"]]["matrix"]
            skin = [[matrix[4 * c + r] for c in range(4)] for r in range(4)]
            bind = self.side["joints"][socket["joint"]]["inverseBind"]
            rows = product4(skin, inverse_rigid([bind[0:4], bind[4:8], bind[8:12]]))
            result.append({"name": socket["name"],
                           "matrix": [rows[r][c] for c in range(4) for r in range(4)]})
        return result

    def skin_rows(self, joint, pose):
        """The three rows of a joint's skin matrix: linear part and translation."""
        form = self.side["encoding"]["form"]
        if form in ("matrix", "pivot-matrix"):
            position, rows = pose
        else:
            position, scale, turn = pose
            rows = [[c * s for c, s in zip(row, scale)] for row in rotation_rows(turn)]
        if form != "trs":
            lever = applied(rows, joint["pivot"])
            return rows, [p - l for p, l in zip(position, lever)]
        bind = joint["inverseBind"]
        columns = [(bind[c], bind[4 + c], bind[8 + c]) for c in range(4)]
        whole = [[dot(row, column) for column in columns] for row in rows]
        return whole, [p + row[3] for p, row in zip(position, whole)]

    def matrices(self, poses):
        """Column-major skin matrices, with the joints' names."""
        result = []
        for joint, pose in zip(self.side["joints"], poses):
            rows, moved = self.skin_rows(joint, pose)
            matrix = []
            for column in range(3):
                matrix += [rows[0][column], rows[1][column], rows[2][column], 0.0]
            result.append({"name": joint["name"], "matrix": matrix + moved + [1.0]})
        return result


# --- as much of JSON Schema as the sidecar's schema uses ----------------------------------------

TYPES = {"object": dict, "array": list, "string": str, "boolean": bool, "number": (int, float)}


def check_value(value, schema, root, where):
    if "$ref" in schema:
        schema = root["$defs"][schema["$ref"].rsplit("/", 1)[1]]
    kind = schema.get("type")
    if kind == "integer" and (not isinstance(value, int) or isinstance(value, bool)):
        fail(f"{where} is not a whole number")
    if kind in TYPES and not isinstance(value, TYPES[kind]):
        fail(f"{where} is not of type {kind}")
    if "enum" in schema and value not in schema["enum"]:
        fail(f"{where} is none of {schema['enum']}")
    if "pattern" in schema and not re.search(schema["pattern"], value):
        fail(f"{where} does not match {schema['pattern']}")
    if "minimum" in schema and value < schema["minimum"]:
        fail(f"{where} is below {schema['minimum']}")
    if "exclusiveMaximum" in schema and value >= schema["exclusiveMaximum"]:
        fail(f"{where} is not below {schema['exclusiveMaximum']}")
    if "exclusiveMinimum" in schema and value <= schema["exclusiveMinimum"]:
        fail(f"{where} is not above {schema['exclusiveMinimum']}")
    if "minLength" in schema and len(value) < schema["minLength"]:
        fail(f"{where} is too short")
    if isinstance(value, list):
        if not schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", 1 << 30):
            fail(f"{where} has {len(value)} entries")
        for index, item in enumerate(value):
            check_value(item, schema.get("items", {}), root, f"{where}[{index}]")
    if isinstance(value, dict):
        for key in schema.get("required", []):
            if key not in value:
                fail(f"{where} lacks '{key}'")
        known = schema.get("properties", {})
        for key, item in value.items():
            other = schema.get("additionalProperties", {} if not known else None)
            if key in known:
                check_value(item, known[key], root, f"{where}.{key}")
            elif other is None:
                fail(f"{where} has '{key}', which the schema does not name")
            else:
                check_value(item, other, root, f"{where}.{key}")


def answer(words):
    """Returns the text that a command line prints."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("sidecar")
    parser.add_argument("--clip")
    parser.add_argument("--frame", type=int, action="append", default=[])
    parser.add_argument("--unit", type=float, action="append", default=[])
    parser.add_argument("--reading", choices=["relative", "direct", "nearest"], default="relative")
    parser.add_argument("--picture", choices=["png", "exr", "raw"], default="png")
    parser.add_argument("--check", metavar="SCHEMA", help="only hold the sidecar against a schema")
    arguments = parser.parse_args(words)
    if arguments.check:
        with open(arguments.check, encoding="utf-8") as file:
            schema = json.load(file)
        with open(arguments.sidecar, encoding="utf-8") as file:
            check_value(json.load(file), schema, schema, "sidecar")
        return ""
    atlas = Atlas(arguments.sidecar, arguments.picture)
    clip = atlas.clip_index(arguments.clip)
    poses = []
    for frame in arguments.frame:
        poses.append({"frame": frame, "joints": atlas.matrices(atlas.frame_poses(clip, frame))})
    for unit in arguments.unit:
        passes = math.ceil(unit) - 1 if unit > 0 else 0
        joints = atlas.matrices(atlas.poses_at(clip, unit - passes, arguments.reading))
        poses.append({"unit": unit, "joints": joints, "sockets": atlas.sockets(joints),
                      "rootPlace": atlas.root_place(clip, unit)})
    return json.dumps({"clip": arguments.clip, "poses": poses})


def serve():
    """Answers line by line. Python takes longer to start than to answer."""
    for line in sys.stdin:
        said = io.StringIO()
        reply = {"exitCode": 0, "out": "", "said": ""}
        with contextlib.redirect_stderr(said):
            try:
                reply["out"] = answer(json.loads(line))
            except SystemExit as end:
                reply["exitCode"] = end.code if isinstance(end.code, int) else 1
                said.write("" if isinstance(end.code, int) else end.code)
            except Exception:
                reply["exitCode"] = 1
                traceback.print_exc()
        reply["said"] = said.getvalue()
        print(json.dumps(reply), flush=True)


if __name__ == "__main__":
    if sys.argv[1:] == ["--serve"]:
        serve()
    else:
        sys.stdout.write(answer(sys.argv[1:]))
