#!/usr/bin/env python3
"""Reads .ckatlas files by their description alone (docs/ckatlas.md, docs/ckatlas-packed.md).

read_ckatlas.py FILE          prints what the file is: version, encoding, clips and their packed sizes
read_ckatlas.py FILE OTHER    unpacks both, compares all texels and the rest, and exits with 1 where they
                              differ; what a version holds beyond its texels is compared, too

An independent witness: shares no line with the program. The checksum is not looked at.
"""
import ctypes
import ctypes.util
import struct
import sys

from ckatlas_rice import RiceClip
from ckatlas_small import BYTES, CHANNEL, PER_TEXEL, SmallClip


class Reader:
    def __init__(self, data):
        self.data = data
        self.at = 0

    def take(self, form):
        values = struct.unpack_from("<" + form, self.data, self.at)
        self.at += struct.calcsize("<" + form)
        return values if len(values) > 1 else values[0]

    def bytes(self, count):
        self.at += count
        if self.at > len(self.data):
            raise ValueError("the file ends too early")
        return self.data[self.at - count:self.at]

    def text(self):
        return self.bytes(self.take("I")).decode()


def read_clip(r, version, flags):
    clip = {"name": r.text()}
    if version > 1:
        clip["source"] = r.text()
        clip["edit"] = [*r.take("dB")]
        if r.take("B"):
            clip["edit"] += r.take("dd")
        if version > 4:
            clip["edit5"] = [r.text(), *r.take("BBBBdBd")]
    clip["first"], clip["frames"] = r.take("ii")
    if flags & 1:
        clip["steps"] = [r.take("i") for _ in range(r.take("I"))]
    if flags & 16:
        clip["kept"] = [r.take("i") for _ in range(r.take("I"))]
    clip["times"] = r.take("ddBBd6d")
    if version > 4:
        clip["way"] = [r.take("4f") for _ in range(r.take("I"))]
    return clip


def read(path):
    """The atlas of a file as a dict; "texels" are those of memory, unpacked where they are packed."""
    with open(path, "rb") as file:
        r = Reader(file.read())
    if r.bytes(8) != b"CKATLAS\x1a":
        raise ValueError(f"{path}: not a .ckatlas")
    a = {}
    version, flags, size = r.take("IIQ")
    if size != len(r.data) or not 1 <= version <= 8:
        raise ValueError(f"{path}: version {version}, {size} bytes")
    set_id = r.take("Q") if flags & 32 else 0
    a["encoding"], a["layout"] = r.text(), r.text()
    a["components"] = r.take("B") if version > 1 else 0
    a["mode"] = r.take("B")
    a["block"], a["extent"] = r.take("4i"), r.take("4i")
    a["joints"] = []
    for _ in range(r.take("I")):
        joint = {"name": r.text(), "parent": r.take("i"), "pivot": r.take("3f")}
        if version > 1:
            joint["inverse"] = r.take("12f")
        if version > 4:
            joint["socket"] = r.take("B")
        a["joints"].append(joint)
    a["clips"] = [read_clip(r, version, flags) for _ in range(r.take("I"))]
    a["ranges"] = [(r.take("4f"), r.take("4f")) for _ in range(r.take("I"))]
    a["path"], a["hash"] = r.text(), r.take("Q")
    clips_hash = r.take("Q") if version > 5 else 0
    a["rest"] = r.take("diB")
    if flags & 8:
        a["compact"] = (r.take("d"), [r.take("f") for _ in range(r.take("Q"))])
    if flags & 16:
        a["reduced"] = r.take("d")
    texel_bytes = r.take("Q")
    packed = None
    if version < 7:
        a["texels"] = bytearray(r.bytes(texel_bytes))
    else:
        table = [r.take("BQ") for _ in range(r.take("I"))]
        packed = [(form, r.bytes(size)) for form, size in table]
    end = r.at
    # The morph targets, of which there are none before version 3, and the error.
    a["behind"] = r.data[end:-8] if version > 2 else bytes(4)
    if packed is not None:
        a["texels"] = bytearray(texel_bytes)
        for number, (form, data) in enumerate(packed):
            unpack_clip(a, number, form, data)
    file = {"version": version, "clipsHash": clips_hash, "setId": set_id, "packed": packed}
    return a, file


# Where texels lie.

def pose_places(a, clip):
    """The offset in the texels of each joint in each frame of a clip, joint by joint; a texel of a track is as
    a joint."""
    (per_joint, per_frame, high, wide), (width, _, block_width, linear) = a["block"], a["extent"]
    size = PER_TEXEL.get(a["encoding"], 4) * BYTES[CHANNEL[a["encoding"]]]
    for joint in range(per_frame // per_joint):
        for frame in range(clip["first"], clip["first"] + clip["frames"]):
            along = joint * per_joint
            if linear:
                place = frame * per_frame + along
            else:
                block, row = divmod(frame, high)
                y, x = divmod(block, wide)
                place = (y * high + row) * width + x * block_width + along
            yield place * size, per_joint * size


def unpack_clip(a, number, form, data):
    clip = a["clips"][number]
    kind = CHANNEL[a["encoding"]]
    channels = PER_TEXEL.get(a["encoding"], 4) * a["block"][0]
    shape = (a["block"][1] // a["block"][0], clip["frames"], channels, BYTES[kind])
    if form == 0:
        block = unpack_planes(data, shape)
    elif form == 3:
        block = RiceClip(a, number, data).run()
    else:
        block = SmallClip(a, number, data, form == 2).run()
    at = 0
    for place, size in pose_places(a, clip):
        a["texels"][place:place + size] = block[at:at + size]
        at += size


# The form of planes.

def zstd(data, size):
    name = ctypes.util.find_library("zstd") or "libzstd.so.1"
    library = ctypes.CDLL(name)
    library.ZSTD_decompress.restype = ctypes.c_size_t
    out = ctypes.create_string_buffer(size)
    got = library.ZSTD_decompress(out, ctypes.c_size_t(size), data, ctypes.c_size_t(len(data)))
    if got != size:
        raise ValueError("a packed clip is damaged")
    return out.raw


def unpack_planes(data, shape):
    joints, frames, channels, width = shape
    count = joints * frames * channels
    planes = zstd(data, count * width)
    mask = (1 << 8 * width) - 1
    block = bytearray(count * width)
    at = 0
    for joint in range(joints):
        for channel in range(channels):
            value = step = 0
            for frame in range(frames):
                folded = sum(planes[plane * count + at] << 8 * plane for plane in range(width))
                step = (step + ((folded >> 1) ^ -(folded & 1))) & mask
                value = (value + step) & mask
                if frame == 0:
                    step = 0
                place = ((joint * frames + frame) * channels + channel) * width
                block[place:place + width] = value.to_bytes(width, "little")
                at += 1
    return block


def same(a, b):
    """Whether two atlases are alike in what both of their versions have."""
    if isinstance(a, dict):
        return all(same(a[key], b[key]) for key in a.keys() & b.keys())
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(same, a, b))
    return a == b


def main():
    first, file = read(sys.argv[1])
    size = len(first["texels"])
    print(f"version {file['version']}, {first['encoding']} in {first['layout']}, {size} bytes of texels")
    for number, clip in enumerate(first["clips"]):
        packed = ""
        if file["packed"]:
            form, data = file["packed"][number]
            packed = f", {['planes', 'small', 'stepped', 'rice'][form]}: {len(data)} bytes"
        print(f"  {clip['name']}: {clip['frames']} frames{packed}")
    if len(sys.argv) < 3:
        return 0
    second, _ = read(sys.argv[2])
    different = [key for key in first if not same(first[key], second[key])]
    if different:
        print("different: " + ", ".join(different))
        return 1
    print("both hold the same atlas")
    return 0


if __name__ == "__main__":
    sys.exit(main())
