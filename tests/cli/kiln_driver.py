"""Ways to drive the real kiln from outside; docs/cli.md is what its tests hold it to.

Needs KILN (the program) and CK_SOURCE_DIR in the environment; CK_SHARED_DIR names a folder with
reference poses, whose tests are skipped where it is not there. Python's standard library only.
"""

import json
import os
import shutil
import struct
import subprocess
import tempfile
import unittest
import zlib
from pathlib import Path

KILN = os.environ["KILN"]
SAMPLE = Path(os.environ["CK_SOURCE_DIR"]) / "resources" / "samples" / "humanoid.glb"
SHARED = Path(os.environ.get("CK_SHARED_DIR", "/nowhere"))

ERROR_CODES = set(
    """FileNotFound FileUnreadable Unsupported InvalidInput LimitExceeded Cancelled ImportFailed
    ImportCrashed ImportTimeout ImportMemory ImportBadResult ImportNoWorker CannotWrite NoGraphics
    Internal""".split()
)

# Of which commands and codes the sentence was seen as text.
WRITTEN = set()


class KilnTest(unittest.TestCase):
    """A temporary folder and ways to run kiln in it."""

    maxDiff = 2000

    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="kiln-test-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def kiln(self, *arguments, **environment):
        return subprocess.run(
            [KILN, *map(str, arguments)],
            cwd=self.folder,
            env={**os.environ, **environment},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=300,
        )

    def document(self, *arguments, code=0, **environment):
        """The one JSON document on standard output."""
        done = self.kiln(*arguments, "--json", **environment)
        self.assertEqual(done.returncode, code, done.stderr.decode(errors="replace"))
        return json.loads(done.stdout.decode("utf-8"))

    def render(self, *arguments):
        """The document of a picture that is drawn."""
        done = self.kiln("render", *arguments, "--json")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return json.loads(done.stdout)

    def refused(self, *arguments, code, error=None, says="", **environment):
        """One clear sentence, as a document. The first time that a command ends with a code, as text, too."""
        if (arguments[:1], code) not in WRITTEN or "CK_BOTH" in os.environ:
            WRITTEN.add((arguments[:1], code))
            done = self.kiln(*arguments, **environment)
            sentence = done.stderr.decode()
            self.assertEqual(done.returncode, code, sentence)
            self.assertEqual(done.stdout, b"")
            self.assertEqual(len(sentence.strip().splitlines()), 1, sentence)
            self.assertIn(says, sentence)
        document = self.document(*arguments, code=code, **environment)
        self.assertEqual(len(document["error"]["message"].splitlines()), 1, document)
        self.assertEqual(set(document), {"error"})
        self.assertIn(document["error"]["code"], ERROR_CODES)
        if error:
            self.assertEqual(document["error"]["code"], error)
        self.assertIn(says, document["error"]["message"])
        return document["error"]

    def marked(self, extras):
        """The sample, its clip 'walk' with these extras."""
        path = self.folder / "marked.glb"
        glb = read_glb(SAMPLE)
        walk = next(clip for clip in glb["animations"] if clip["name"] == "walk")
        walk["extras"] = {**walk.get("extras", {}), **extras}
        path.write_bytes(with_json(SAMPLE.read_bytes(), glb))
        return path

    def bytes_of(self, folder):
        return {
            p.relative_to(folder).as_posix(): p.read_bytes()
            for p in Path(folder).rglob("*")
            if p.is_file()
        }


def read_glb(path):
    data = Path(path).read_bytes()
    length = struct.unpack_from("<I", data, 12)[0]
    return json.loads(data[20 : 20 + length])


def with_json(data, document):
    """A GLB with another document before its binary chunk."""
    length = struct.unpack_from("<I", data, 12)[0]
    text = json.dumps(document).encode()
    text += b" " * (-len(text) % 4)
    body = struct.pack("<I4s", len(text), b"JSON") + text + data[20 + length :]
    return data[:8] + struct.pack("<I", 12 + len(body)) + body


def read_png(path):
    """Width, height and RGBA bytes of an 8-bit PNG."""
    data = Path(path).read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    at, packed = 8, b""
    while at < len(data):
        length, kind = struct.unpack_from(">I4s", data, at)
        body = data[at + 8 : at + 8 + length]
        if kind == b"IHDR":
            width, height, depth, colour = struct.unpack_from(">IIBB", body)
            assert (depth, colour) == (8, 6)
        if kind == b"IDAT":
            packed += body
        at += 12 + length
    raw = zlib.decompress(packed)
    stride = width * 4
    assert len(raw) == height * (stride + 1)
    pixels, above = bytearray(), bytes(stride)
    for y in range(height):
        kind = raw[y * (stride + 1)]
        row = bytearray(raw[y * (stride + 1) + 1 : (y + 1) * (stride + 1)])
        for x in range(stride):
            left = row[x - 4] if x >= 4 else 0
            corner = above[x - 4] if x >= 4 else 0
            row[x] = (row[x] + unfiltered(kind, left, above[x], corner)) & 255
        pixels += row
        above = row
    return width, height, bytes(pixels)


def unfiltered(kind, left, above, corner):
    """The number that the filter of a PNG row (RFC 2083, 6) took off a byte."""
    if kind == 4:
        p = left + above - corner
        return min((left, above, corner), key=lambda v: abs(p - v))
    return (0, left, above, (left + above) // 2)[kind]


def differing(a, b, tolerance):
    """Share of pixels of which a channel differs by more than the tolerance."""
    assert len(a) == len(b)
    pixels = range(0, len(a), 4)
    off = sum(any(abs(a[i + c] - b[i + c]) > tolerance for c in range(3)) for i in pixels)
    return off / len(pixels)
