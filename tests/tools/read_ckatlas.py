#!/usr/bin/env python3
"""Reads .ckatlas files by their description alone (docs/ckatlas.md, docs/ckatlas-packed.md).

read_ckatlas.py FILE          prints what the file is: encoding, clips and their packed sizes
read_ckatlas.py FILE RAW      unpacks its texels, compares them with those of a raw file (docs/atlas-json.md),
                              and exits with 1 where they differ

An independent witness: shares no line with the program. The checksum is not looked at.
"""
import ctypes
import ctypes.util
import struct
import sys

from ckatlas_rice import BYTES, CHANNEL, PER_TEXEL, RiceClip


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


def read_clip(r):
    clip = {"name": r.text(), "source": r.text(), "edit": [*r.take("dB")]}
    if r.take("B"):
        clip["trim"] = r.take("dd")
    clip["edit"] += [r.text(), *r.take("BBBBdBd")]
    clip["first"], clip["frames"] = r.take("ii")
    for moments in ("steps", "kept"):
        clip[moments] = [r.take("i") for _ in range(r.take("I"))]
    clip["times"] = r.take("ddBBd6d")
    clip["way"] = [r.take("4f") for _ in range(r.take("I"))]
    return clip


def read_morphs(r, clips):
    names = r.take("I")
    if names == 0:
        return None
    slots, bits = r.take("ii")
    morphs = {"slots": slots, "bits": bits, "targets": [(r.text(), r.take("f")) for _ in range(names)], "clips": []}
    for _ in range(clips):
        kept = [r.take("iff") for _ in range(r.take("I"))]
        loss = r.take("d")
        morphs["clips"].append((kept, loss, r.bytes(r.take("Q") * bits // 8)))
    return morphs


def read_figure(r):
    return [*r.take("3d"), r.text(), r.text(), r.text(), *r.take("id")]


def read_error(r):
    if not r.take("B"):
        return None
    return [r.take("3d"), *([read_figure(r), r.take("d"), read_figure(r)] for _ in range(2))]


def read(path):
    """The atlas of a file as a dict; "texels" are those of memory, unpacked where they are packed."""
    with open(path, "rb") as file:
        r = Reader(file.read())
    if r.bytes(8) != b"CKATLAS\x1a":
        raise ValueError(f"{path}: not a .ckatlas")
    a = {}
    version, size, a["setId"] = r.take("IQQ")
    if size != len(r.data) or version != 1:
        raise ValueError(f"{path}: version {version}, {size} bytes")
    a["encoding"], a["layout"] = r.text(), r.text()
    a["components"], a["mode"], a["influences"], a["interpolate"], a["reduced"], a["seam"] = r.take("BBiBdd")
    a["block"], a["extent"] = r.take("4i"), r.take("4i")
    a["source"] = (r.text(), *r.take("QQd"))
    a["joints"] = []
    for _ in range(r.take("I")):
        joint = {"name": r.text(), "parent": r.take("i"), "pivot": r.take("3f")}
        joint["inverse"], joint["socket"] = r.take("12f"), r.take("B")
        a["joints"].append(joint)
    a["clips"] = [read_clip(r) for _ in range(r.take("I"))]
    a["ranges"] = [(r.take("4f"), r.take("4f")) for _ in range(r.take("I"))]
    a["morphs"] = read_morphs(r, len(a["clips"]))
    texel_bytes, is_packed = r.take("QB")
    if is_packed:
        table = [r.take("BQ") for _ in range(r.take("I"))]
        a["packed"] = [(form, r.bytes(size)) for form, size in table]
        a["texels"] = bytearray(texel_bytes)
        for number, (form, data) in enumerate(a["packed"]):
            unpack_clip(a, number, form, data)
    else:
        a["packed"] = None
        a["texels"] = bytearray(r.bytes(texel_bytes))
    a["error"] = read_error(r)
    if r.at != len(r.data) - 8:
        raise ValueError(f"{path}: {len(r.data) - 8 - r.at} bytes follow its end")
    return a


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
    block = RiceClip(a, number, data).run() if form == 1 else unpack_planes(data, shape)
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


def main():
    a = read(sys.argv[1])
    print(f"{a['encoding']} in {a['layout']}, {len(a['texels'])} bytes of texels")
    for number, clip in enumerate(a["clips"]):
        packed = ""
        if a["packed"]:
            form, data = a["packed"][number]
            packed = f", {['planes', 'rice'][form]}: {len(data)} bytes"
        print(f"  {clip['name']}: {clip['frames']} frames{packed}")
    if len(sys.argv) < 3:
        return 0
    with open(sys.argv[2], "rb") as file:
        raw = file.read()
    if a["texels"] != raw:
        first = next((i for i, (own, due) in enumerate(zip(a["texels"], raw)) if own != due), min(len(a["texels"]), len(raw)))
        print(f"different from byte {first} on")
        return 1
    print("both hold the same texels")
    return 0


if __name__ == "__main__":
    sys.exit(main())
