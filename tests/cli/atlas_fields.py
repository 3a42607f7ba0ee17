"""The places of a .ckatlas by names."""

import struct


class Fields:
    """The places of a .ckatlas by names, up to its ranges, as docs/ckatlas.md describes it."""

    def __init__(self, data):
        self.data = data
        self.at = 8
        self.places = {}
        self.take("version", "I")
        self.take("size", "Q")
        self.take("set id", "Q")
        for name in ("encoding", "layout"):
            self.text(name)
        self.take("components", "B")
        self.take("range mode", "B")
        self.take("influences", "i")
        self.take("interpolate", "B")
        self.take("reduced", "d")
        self.take("seam limit", "d")
        self.skip("4i")
        self.take("extent", "i")
        self.skip("3i")
        self.text("source")
        self.skip("2Q")
        self.take("unit scale", "d")
        for joint in range(self.take("joint count", "I")):
            self.text(f"name of joint {joint}")
            self.take(f"parent of joint {joint}", "i")
            self.take(f"pivot of joint {joint}", "f")
            self.skip("2f")
            self.take(f"inverse bind of joint {joint}", "f")
            self.skip("11f")
            self.take(f"socket of joint {joint}", "B")
        for clip in range(self.take("clip count", "I")):
            self.text(f"name of clip {clip}")
            self.text(f"source of clip {clip}")
            self.take(f"rate of clip {clip}", "d")
            self.take(f"root motion of clip {clip}", "B")
            if self.take(f"trim of clip {clip}", "B"):
                self.skip("2d")
            self.text(f"root of clip {clip}")
            self.skip("=BBBBdBd")
            self.take(f"first frame of clip {clip}", "i")
            self.take(f"frames of clip {clip}", "i")
            for moments in ("steps", "kept moments"):
                count = self.take(f"{moments} of clip {clip}", "I")
                self.at += 4 * count
            self.take(f"start of clip {clip}", "d")
            self.take(f"duration of clip {clip}", "d")
            self.take(f"loop of clip {clip}", "B")
            self.take(f"seam of clip {clip}", "B")
            self.skip("d")
            self.take(f"box of clip {clip}", "d")
            self.skip("5d")
            count = self.take(f"places of clip {clip}", "I")
            self.at += 16 * count
        for each in range(self.take("range count", "I")):
            self.take(f"range {each}", "f")
            self.skip("7f")
        self.take("morph count", "I")

    def skip(self, form):
        self.at += struct.calcsize("<" + form.lstrip("="))

    def take(self, name, form):
        self.places[name] = (self.at, form)
        self.skip(form)
        return struct.unpack_from("<" + form, self.data, self.places[name][0])[0]

    def text(self, name):
        size = struct.unpack_from("<I", self.data, self.at)[0]
        self.places[name] = (self.at + 4, f"{size}s")
        self.at += 4 + size
