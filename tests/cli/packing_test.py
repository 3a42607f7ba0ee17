"""How kiln packs the texels of containers, held against a reader of its own."""

import json
import os
import subprocess
import sys
import unittest
from pathlib import Path

from kiln_driver import SAMPLE, KilnTest

READER = Path(os.environ["CK_SOURCE_DIR"]) / "tests" / "tools" / "read_ckatlas.py"


class Packing(KilnTest):
    def baked(self, folder, *options):
        self.document("bake", SAMPLE, "-o", folder, "--export", "ckatlas", *options)
        return self.folder / folder / "humanoid.ckatlas"

    def read(self, *files):
        """What the other reader says of files; it fails where they differ."""
        done = subprocess.run(
            [sys.executable, "-B", READER, *files], capture_output=True, text=True, timeout=300
        )
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout

    def test_another_reader_unpacks_the_same_texels(self):
        clips = ["--clips", "walk"]
        for encoding in ["P16", "P16F", "P8", "U128", "U64", "D16", "R64", "R32", "T16", "T8", "M16", "M16F", "T32"]:
            options = [*clips, "--encoding", encoding, "--rate", "12"]
            none = self.baked(encoding + "-none", *options, "--pack", "none")
            for form in ["small", "fast"]:
                packed = self.baked(f"{encoding}-{form}", *options, "--pack", form)
                self.assertLess(packed.stat().st_size, none.stat().st_size)
                said = self.read(packed, none)
                self.assertIn("both hold the same atlas", said)
                # Matrices are smaller in planes; floats of 32 bits and words of 10 have no other form, and
                # halves none of rules.
                turns = encoding in ("P16", "P8", "U128", "D16", "T16", "T8")
                small = form == "small" and (turns or encoding == "P16F")
                used = "small" if small else "rice" if turns else "planes"
                self.assertRegex(said, f"walk: \\d+ frames, {used}: \\d+ bytes")
            self.assertIn("both hold the same atlas", self.read(none, none))

    def test_another_reader_unpacks_compact_poses(self):
        clips = ["--clips", "walk,cheer", "--rate", "12"]
        for encoding in ["P16", "U128", "T16"]:
            options = [*clips, "--encoding", encoding]
            fine = self.baked(encoding + "-fine", *options, "--pack", "small")
            compact = self.baked(encoding + "-compact", *options, "--compact", "0.5")
            self.assertLess(compact.stat().st_size, 0.9 * fine.stat().st_size)
            none = self.baked(encoding + "-none", *options, "--compact", "0.5", "--pack", "none")
            said = self.read(compact, none)
            self.assertIn("both hold the same atlas", said)
            self.assertEqual(said.count("frames, stepped:"), 2)
            self.assertTrue(all(s["same"] for s in self.document("verify", encoding + "-compact")["sets"]))

    def test_another_reader_knows_clips_that_leave_frames_out(self):
        options = ["--clips", "idle,fall", "--reduce", "2"]
        packed = self.baked("packed", *options, "--pack", "small")
        self.assertIn("both hold the same atlas", self.read(packed, self.baked("fast", *options)))
        none = self.baked("none", *options, "--pack", "none")
        self.assertIn("both hold the same atlas", self.read(packed, none))
        compact = self.baked("compact", *options, "--compact", "0.5")
        self.assertLess(compact.stat().st_size, packed.stat().st_size)

    def test_compact_poses_state_what_they_lose(self):
        errors = []
        for mm in ["0", "0.1", "1", "10"]:
            self.document("bake", SAMPLE, "-o", mm, "--clips", "walk", "--compact", mm)
            sidecar = json.loads((self.folder / mm / "humanoid.atlas.json").read_text())
            self.assertEqual(sidecar.get("compactMm", 0), float(mm))
            errors.append(sidecar["error"]["vertex"]["maxMm"])
            self.assertTrue(all(s["same"] for s in self.document("verify", mm)["sets"]))
        self.assertEqual(errors, sorted(errors))
        self.assertGreater(errors[3], 1)
        for error, mm in zip(errors, [0, 0.1, 1, 10]):
            self.assertLess(error, errors[0] + 1.5 * mm + 0.001)

    def test_refuses_to_round_what_is_no_number_of_16_bits(self):
        for encoding in ["P8", "U64", "D16", "P16F", "M16", "T32"]:
            self.refused("bake", SAMPLE, "-o", "o", "--encoding", encoding, "--compact", "1", code=2,
                         says=f"--compact: {encoding} has no numbers of 16 bits that could be rounded; "
                              "P16, U128 and T16 have")
        for value in ["-1", "1001", "nan", "much"]:
            self.refused("bake", SAMPLE, "-o", "o", "--compact", value, code=2, says="--compact")

    def test_the_reader_finds_what_differs(self):
        options = ["--clips", "walk", "--rate", "4", "--pack"]
        small = self.baked("small", *options, "small")
        other = self.baked("other", *options, "none")
        data = bytearray(other.read_bytes())
        data[-100] ^= 1
        other.write_bytes(data)
        done = subprocess.run([sys.executable, "-B", READER, small, other], capture_output=True, timeout=300)
        self.assertEqual(done.returncode, 1)
        self.assertIn(b"different:", done.stdout)

    def test_forms_have_defaults_and_are_read_everywhere(self):
        default = self.baked("default")
        self.assertEqual(default.read_bytes(), self.baked("fast", "--pack", "fast").read_bytes())
        compact = self.baked("compact", "--compact", "0.5")
        self.assertEqual(compact.read_bytes(), self.baked("c", "--compact", "0.5", "--pack", "small").read_bytes())
        for form in ["small", "fast"]:
            one = self.baked(form + "1", "--pack", form, "--threads", "1").read_bytes()
            for threads in ["2", "4"]:
                self.assertEqual(
                    self.baked(form + threads, "--pack", form, "--threads", threads).read_bytes(), one
                )
        # Fast is nearly as small.
        sizes = [self.baked(form, "--pack", form).stat().st_size for form in ["small", "fast", "none"]]
        self.assertLess(sizes[1], 1.25 * sizes[0])
        self.assertLess(4 * sizes[1], sizes[2])

    def test_another_reader_unpacks_clips_of_several_pieces(self):
        options = ["--clips", "walk", "--frames", "2050"]
        packed = self.baked("packed", *options)
        self.assertIn("both hold the same atlas", self.read(packed, self.baked("none", *options, "--pack", "none")))
        for threads in ["1", "2", "4"]:
            again = self.baked("t" + threads, *options, "--threads", threads)
            self.assertEqual(again.read_bytes(), packed.read_bytes())
        for form in ["small", "fast", "none"]:
            folder = form + "-all"
            self.document("bake", SAMPLE, "-o", folder, "--clips", "walk", "--pack", form)
            self.assertTrue(all(s["same"] for s in self.document("verify", folder)["sets"]))
            again = "again-" + form
            self.document("export", folder, "-o", again, "--export", "ckatlas", "--pack", "none")
            none = self.folder / again / "humanoid.ckatlas"
            if form == "small":
                first = none.read_bytes()
            self.assertEqual(none.read_bytes(), first)

    def test_refuses_forms_that_there_are_not(self):
        self.refused("bake", SAMPLE, "-o", "o", "--pack", "tiny", code=2, says="small, fast, none")


if __name__ == "__main__":
    unittest.main()
