"""How kiln packs the texels of containers, held against a reader of its own."""

import json
import os
import re
import subprocess
import sys
import unittest
from pathlib import Path

from kiln_driver import SAMPLE, KilnTest

READER = Path(os.environ["CK_SOURCE_DIR"]) / "tests" / "tools" / "read_ckatlas.py"


class Packing(KilnTest):
    def baked(self, folder, *options):
        """The container of a bake; its texels lie beside it as they are."""
        self.document("bake", SAMPLE, "-o", folder, "--export", "ckatlas,raw", *options)
        return self.folder / folder / "humanoid.ckatlas"

    def read(self, container):
        """The answer of the other reader about a container, which holds the texels of the raw file beside it."""
        done = subprocess.run([sys.executable, "-B", READER, container, container.with_name("humanoid.atlas.raw")],
                              capture_output=True, text=True, timeout=300)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("both hold the same texels", done.stdout)
        return done.stdout

    def test_another_reader_unpacks_the_same_texels(self):
        for encoding in ["P16", "P16F", "P8", "U128", "U64", "D16", "R64", "R32", "T16", "T8", "M16", "M16F", "T32", "M32"]:
            packed = self.baked(encoding, "--clips", "walk", "--encoding", encoding, "--rate", "30")
            raw = packed.with_name("humanoid.atlas.raw")
            # Poses that have rotations in numbers of 8 or 16 bits are packed by rules.
            used = "rice" if encoding in ("P16", "P8", "U128", "D16", "T16", "T8") else "planes"
            said = self.read(packed)
            self.assertRegex(said, f"walk: \\d+ frames, {used}: \\d+ bytes")
            self.assertLess(int(re.search(f"{used}: (\\d+) bytes", said).group(1)), raw.stat().st_size)

    def test_another_reader_knows_clips_that_leave_frames_out(self):
        said = self.read(self.baked("packed", "--clips", "idle,fall", "--reduce", "2"))
        self.assertEqual(said.count("frames, rice:"), 2)

    def test_another_reader_knows_all_that_a_container_can_have(self):
        self.read(self.baked("edited", "--clips", "walk", "--root", "extract", "--loop-offset", "0.25"))
        self.read(self.baked("morphs", "--clips", "walk", "--morph-bits", "16", "--morph-slots", "2"))

    def test_the_reader_finds_what_differs(self):
        packed = self.baked("o", "--clips", "walk", "--rate", "4")
        raw = packed.with_name("humanoid.atlas.raw")
        data = bytearray(raw.read_bytes())
        data[-100] ^= 1
        raw.write_bytes(data)
        done = subprocess.run([sys.executable, "-B", READER, packed, raw], capture_output=True, timeout=300)
        self.assertEqual(done.returncode, 1)
        self.assertIn(b"different from byte", done.stdout)

    def test_another_reader_unpacks_clips_of_several_pieces(self):
        options = ["--clips", "walk", "--frames", "2050"]
        packed = self.baked("packed", *options)
        self.read(packed)
        for threads in ["1", "2", "4"]:
            again = self.baked("t" + threads, *options, "--threads", threads)
            self.assertEqual(again.read_bytes(), packed.read_bytes())

    def test_refuses_options_that_were_dropped(self):
        for option, value in [("--pack", "fast"), ("--compact", "0.1")]:
            self.refused("bake", SAMPLE, "-o", "o", option, value, code=2, says=f"{option} is not offered")
            (self.folder / "settings.json").write_text(json.dumps({option[2:]: value}))
            self.refused("bake", SAMPLE, "-o", "o", "--settings", "settings.json", code=2, says=option)


if __name__ == "__main__":
    unittest.main()
