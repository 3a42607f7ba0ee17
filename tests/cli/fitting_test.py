"""The searches of kiln fit."""

import os
import shlex
import signal
import subprocess
import unittest

from kiln_driver import KILN, SAMPLE, KilnTest

# Three clips and few settings are searched in a second or two.
FEW = ["--clips", "walk,run", "--influences", "4"]


class Fit(KilnTest):
    def bake(self, command, *more):
        """The document of the call that a search says."""
        self.assertEqual(command[:2], ["kiln", "bake"])
        return self.document(*command[1:], *more)

    def test_the_command_makes_what_was_found(self):
        found = self.document("fit", SAMPLE, "--max-error", "5", *FEW)
        best = found["candidates"][found["best"]]
        self.assertTrue(best["accepted"])
        self.assertLessEqual(best["maxMm"], 5.0)
        self.assertFalse(found["stopped"])
        self.assertEqual(found["advice"], [])
        self.assertGreater(found["planned"], 100)
        self.assertLess(found["measured"], 40)
        self.assertEqual(found["measured"], len(found["candidates"]))
        baked = self.bake(found["command"])
        self.assertEqual(baked["atlas"]["bytes"], best["bytes"])
        self.assertEqual(baked["error"], best["error"])
        self.assertEqual(baked["errorDirect"], best["errorDirect"])
        self.assertEqual(baked["limits"][0]["met"], True)
        for key in ["encoding", "layout", "influences", "width", "height"]:
            self.assertEqual(baked["atlas"][key], best[key])
        self.assertEqual(sum(clip["frames"] for clip in baked["clips"]), best["frames"])
        self.assertEqual(baked["fetchesPerVertex"]["interpolated"], best["fetches"])
        # Smaller than what a bake makes by itself, and every smaller row is farther off.
        usual = self.document("bake", SAMPLE, "-o", "usual", *FEW)
        self.assertLess(best["bytes"], usual["atlas"]["bytes"])
        for row in found["candidates"]:
            if row["bytes"] < best["bytes"]:
                self.assertFalse(row["accepted"])
                self.assertIn("mm at the vertices, and 5 are allowed", row["reason"])

    def test_rows_are_a_front_by_bytes(self):
        rows = self.document("fit", SAMPLE, "--max-error", "1", *FEW)["candidates"]
        self.assertEqual(rows, sorted(rows, key=lambda row: row["bytes"]))
        for row in rows:
            better = [
                other
                for other in rows
                if other is not row
                and other["bytes"] <= row["bytes"]
                and other["maxMm"] <= row["maxMm"]
                and (other["bytes"], other["maxMm"]) != (row["bytes"], row["maxMm"])
            ]
            self.assertLessEqual(row["front"], not better)
        self.assertLessEqual(sum(row["knee"] for row in rows), 1)
        self.assertGreater(sum(row["front"] for row in rows), 2)

    def test_what_is_given_is_kept(self):
        options = ["--encoding", "T16", "--components", "tr", "--rate", "15", "--layout", "linear"]
        found = self.document("fit", SAMPLE, "--max-bytes", "1M", *FEW, *options)
        self.assertEqual(found["planned"], 3)
        for row in found["candidates"]:
            self.assertEqual(
                (row["encoding"], row["components"], row["rateHz"], row["layout"], row["influences"]),
                ("T16", "tr", 15, "linear", 4),
            )
        # Components alone are for the encodings that can leave some out.
        found = self.document("fit", SAMPLE, "--max-bytes", "1M", "--components", "tr", *FEW)
        self.assertEqual({row["components"] for row in found["candidates"]}, {"tr"})
        found = self.document(
            "fit", SAMPLE, "--max-error", "5", "--height", "1.5", "--reading", "direct", "--root",
            "strip", *FEW
        )
        words = shlex.join(found["command"])
        for option in ["--height 1.5", "--reading direct", "--root strip", "--clips walk", "--max-error 5"]:
            self.assertIn(option, words)
        best = found["candidates"][found["best"]]
        self.assertEqual(best["maxMm"], best["errorDirect"]["vertex"]["maxMm"])
        self.assertEqual(self.bake(found["command"])["errorDirect"], best["errorDirect"])

    def test_pixels_are_seen_from_their_distance(self):
        found = self.document("fit", SAMPLE, "--max-pixels", "1@12", *FEW)
        best = found["candidates"][found["best"]]
        self.assertLessEqual(best["pixels"], 1.0)
        self.assertEqual(best["error"]["pixels"]["atMeters"], 12)
        baked = self.bake(found["command"])
        self.assertEqual(baked["error"]["pixels"], best["error"]["pixels"])

    def test_says_what_would_fit(self):
        free = self.document("fit", SAMPLE, "--max-error", "1", *FEW)
        bytes_needed = free["candidates"][free["best"]]["bytes"]
        limits = ["--max-error", "1", "--max-bytes", str(bytes_needed - 1)]
        found = self.document("fit", SAMPLE, *limits, *FEW, code=1)
        self.assertNotIn("best", found)
        self.assertNotIn("command", found)
        kinds = [advice["kind"] for advice in found["advice"]]
        self.assertEqual(kinds, ["allow-error", "allow-bytes", "drop-clip"])
        allow_error, allow_bytes, drop = found["advice"]
        self.assertLess(allow_error["candidate"]["bytes"], bytes_needed)
        self.assertGreater(allow_error["candidate"]["maxMm"], 1.0)
        self.assertEqual(allow_bytes["candidate"]["bytes"], bytes_needed)
        self.assertIn(drop["clip"], ["walk", "run"])
        self.assertTrue(drop["candidate"]["accepted"])
        self.assertTrue(found["sentence"].startswith("Nothing within 1 mm takes at most "))
        self.assertIn(f"drop '{drop['clip']}'", found["sentence"])
        said = self.kiln("fit", SAMPLE, *limits, *FEW)
        self.assertEqual(said.returncode, 1)
        self.assertTrue(said.stdout.decode().endswith(found["sentence"] + "\n"))

    def test_notes_are_those_of_the_bake(self):
        """They tell why an error is large: a seam that was closed, for example."""
        options = ["--clips", "walk", "--influences", "1", "--encoding", "P16"]
        found = self.document("fit", SAMPLE, "--max-error", "500", *options)
        self.assertIn("InfluencesLimited", [note["code"] for note in found["notes"]])
        self.assertEqual(found["notes"], self.bake(found["command"])["notes"])
        # Where nothing is within the limit, those of the first advice.
        nothing = self.document("fit", SAMPLE, "--max-error", "0.001", *options, code=1)
        self.assertIn("InfluencesLimited", [note["code"] for note in nothing["notes"]])
        said = self.kiln("fit", SAMPLE, "--max-error", "0.001", *options).stderr.decode()
        for note in nothing["notes"]:
            self.assertIn(note["message"], said)

    def test_text_ends_with_the_command(self):
        rig = self.folder / "a rig's file.glb"
        rig.write_bytes(SAMPLE.read_bytes())
        said = self.kiln("fit", rig, "--max-error", "5", *FEW)
        self.assertEqual(said.returncode, 0, said.stderr)
        lines = said.stdout.decode().splitlines()
        self.assertRegex(lines[0], r"^a rig's file: \d+ candidates, \d+ of them baked and measured$")
        self.assertEqual(sum("<- best" in line for line in lines), 1)
        words = shlex.split(lines[-1])
        self.assertEqual(words[:3], ["kiln", "bake", str(rig)])
        baked = self.bake(words)
        best = next(line for line in lines if "<- best" in line)
        self.assertIn(str(baked["atlas"]["bytes"]), best)

    def test_the_same_on_any_number_of_threads(self):
        one = self.kiln("fit", SAMPLE, "--max-error", "3", "--json", "--threads", "1", *FEW)
        two = self.kiln("fit", SAMPLE, "--max-error", "3", "--json", "--threads", "3", *FEW)
        self.assertEqual(one.returncode, 0, one.stderr)
        self.assertEqual(one.stdout, two.stdout)

    def test_refuses_what_it_cannot_search(self):
        self.refused("fit", SAMPLE, code=2, says="a search needs a limit: --max-error MM")
        self.refused("fit", SAMPLE, "--max-error", "0", code=2, says="--max-error")
        self.refused("fit", SAMPLE, "--max-bytes", "many", code=2, says="is not a size such as")
        self.refused("fit", SAMPLE, "--max-pixels", "1@0", code=2, says="--max-pixels")
        self.refused("fit", "no.glb", "--max-error", "1", code=3, error="FileNotFound")
        self.refused(
            "fit", SAMPLE, "--max-error", "1", "--clips", "jump", code=2, says="there is no clip 'jump'"
        )
        self.refused(
            "fit", SAMPLE, "--max-error", "1", "--encoding", "P16", "--components", "tr",
            code=2, says="cannot be baked as P16",
        )
        (self.folder / "x.crowd").write_text("{}")
        self.refused("fit", "x.crowd", "--max-error", "1", code=3, says="is not a Crowdkiln project")

    def test_stopped_it_says_so(self):
        process = subprocess.Popen(
            [KILN, "fit", str(SAMPLE), "--max-error", "0.02", "--json", "--threads", "1"],
            cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env={**os.environ},
        )
        try:
            process.wait(timeout=1.0)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=120)
        # A machine may be done, or still be reading the file.
        self.assertIn(process.returncode, (0, 1, 130), err)
        if process.returncode == 130 and b'"error": {' not in out[:20]:
            self.assertIn(b'"stopped": true', out)


if __name__ == "__main__":
    unittest.main()
