"""A rig, a project with nothing but that rig, and a folder that was baked from it mean the same to every command."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

from kiln_driver import SAMPLE, KilnTest

ROOT = Path(os.environ["CK_SOURCE_DIR"])
DOE = SAMPLE.parent / "animal.glb"
STRIP = ROOT / "tests" / "data" / "rigs" / "strip.gltf"
FIGURES = ["atlas", "clips", "fetchesPerVertex", "error", "errorDirect"]


class InputsTest(KilnTest):
    def project(self, name, *characters, **more):
        document = {"format": "crowdkiln-project", "version": 1, "minReader": 1, "needs": "0.1",
                    "characters": list(characters), **more}
        (self.folder / name).write_text(json.dumps(document))
        return name

    def decoded(self, folder, name, clip, frames):
        """Skin matrices of stored frames, by a decoder that shares nothing with the program."""
        words = [word for frame in frames for word in ("--frame", str(frame))]
        done = subprocess.run(
            [sys.executable, "-B", ROOT / "tests/tools/decode_atlas.py",
             self.folder / folder / f"{name}.atlas.json", "--clip", clip, "--picture", "raw", *words],
            capture_output=True, check=True, timeout=120)
        return json.loads(done.stdout)

    def assert_same(self, first, second, keys=FIGURES):
        for key in keys:
            self.assertEqual(first[key], second[key], key)


class Inputs(InputsTest):
    RAW = ["--export", "ckatlas,raw,json"]

    def setUp(self):
        super().setUp()
        self.one = self.project("one.crowd", {"sources": [{"path": str(SAMPLE)}]})

    def test_all_three_are_baked_alike(self):
        edits = ["--clips", "run,walk", "--encoding", "T16", "--rate", "12", "--height", "2", "--influences", "2"]
        for options in (["--clips", "walk"], edits):
            rig = self.document("bake", SAMPLE, "-o", "r", *options, *self.RAW)
            one = self.document("bake", self.one, "-o", "p", *options, *self.RAW)
            again = self.document("bake", "r", "-o", "f", *self.RAW)
            for other in (one, again):
                self.assert_same(rig, other, [*FIGURES, "components"] if "components" in other else FIGURES)
            self.assertEqual(rig["overridden"], [])
            self.assertEqual(sorted(one["overridden"]), sorted(o[2:] for o in options if o.startswith("--")))
            frames = [0, 3, 7]
            witness = self.decoded("r", "humanoid", "walk", frames)
            self.assertEqual(self.decoded("p", "one", "walk", frames), witness)
            self.assertEqual(self.decoded("f", "humanoid", "walk", frames), witness)
            for folder, name in [("p", "one"), ("f", "humanoid")]:
                self.assertEqual((self.folder / folder / f"{name}.atlas.raw").read_bytes(),
                                 (self.folder / "r" / "humanoid.atlas.raw").read_bytes())

    def test_a_folder_is_baked_by_its_recipe(self):
        for options in (["--frames", "9", "--layout", "tiles", "--tile", "128"],
                        ["--rate", "7", "--power-of-two", "on", "--seam", "none"],
                        ["--encoding", "M16", "--root", "strip", "--event", "walk:0.25=step"],
                        ["--reduce", "1", "--encoding", "P8", "--range", "joint", "--texture-size", "512x512"]):
            first = self.document("bake", SAMPLE, "-o", "r", "--clips", "walk,run", *options, *self.RAW)
            again = self.document("bake", "r", "-o", "f", *self.RAW)
            self.assert_same(first, again)
            self.assertEqual((self.folder / "f/humanoid.atlas.raw").read_bytes(),
                             (self.folder / "r/humanoid.atlas.raw").read_bytes(), options)
            events = [json.loads((self.folder / f / "humanoid.atlas.json").read_text())["clips"][0].get("events")
                      for f in "rf"]
            self.assertEqual(events[0], events[1])
        # Settings of the input are overridden, other clips of the rig included.
        wide = self.document("bake", "r", "-o", "f", "--clips", "idle", "--encoding", "P16", "--range", "auto",
                             "--texture-size", "auto", "--reduce", "0")
        self.assert_same(wide, self.document("bake", SAMPLE, "-o", "g", "--clips", "idle"))
        self.assertEqual(set(wide["overridden"]), {"clips", "encoding", "range", "texture-size", "reduce"})

    def test_all_three_are_verified_alike(self):
        options = ["--clips", "walk", "--rate", "12"]
        baked = self.document("bake", SAMPLE, "-o", "r", *options)
        before = {p.name for p in self.folder.rglob("*")}
        rig = self.document("verify", SAMPLE, *options)
        one = self.document("verify", self.one, *options)
        folder = self.document("verify", "r")
        for other in (rig, one, folder):
            self.assert_same(baked, other)
            self.assertTrue(other["sets"] and all(s["same"] for s in other["sets"]))
        self.assertEqual({p.name for p in self.folder.rglob("*")}, before)
        self.assertEqual((rig["files"], one["files"]), ([], []))
        self.assertEqual((rig["overridden"], one["overridden"]), ([], ["clips", "rate"]))
        self.document("verify", SAMPLE, *options, "--max-error", "0.01", code=1)
        self.refused("verify", "r", "--rate", "10", code=2, says="--rate: a folder is verified as it lies there")

    def test_all_three_are_exported_alike(self):
        options = ["--clips", "walk", "--export", "three,raw"]
        self.document("bake", SAMPLE, "-o", "b", *options)
        rig = self.document("export", SAMPLE, "-o", "r", *options)
        self.assertEqual(self.bytes_of(self.folder / "r"), self.bytes_of(self.folder / "b"))
        self.assertNotIn("placement", rig)
        one = self.document("export", self.one, "-o", "p", *options)
        self.assertIn("placement", one)
        self.assertEqual(one["overridden"], ["clips"])
        self.assertEqual((self.folder / "p/one.atlas.raw").read_bytes(),
                         (self.folder / "r/humanoid.atlas.raw").read_bytes())
        folder = self.document("export", "b", "-o", "f", "--export", "three,raw")
        self.assertEqual(self.bytes_of(self.folder / "f"), self.bytes_of(self.folder / "b"))
        self.assertEqual(folder["sets"], rig["sets"])
        # Other texels are baked from the source.
        self.document("export", "b", "-o", "t", "--export", "raw", "--encoding", "T16")
        self.document("bake", SAMPLE, "-o", "w", "--clips", "walk", "--export", "raw", "--encoding", "T16")
        self.assertEqual((self.folder / "t/humanoid.atlas.raw").read_bytes(),
                         (self.folder / "w/humanoid.atlas.raw").read_bytes())

    def test_all_three_are_posed_and_described_alike(self):
        self.document("bake", SAMPLE, "-o", "r", "--clips", "walk", "--export", "ckatlas,json")
        for options in (["--clip", "walk", "--time", "0.3", "--vertices", "4"],
                        ["--clip", "walk", "--times", "0,0.25"], ["--clip", "run", "--vertices", "1"]):
            rig = self.document("pose", SAMPLE, *options)
            self.assertEqual(self.document("pose", self.one, *options), rig)
            self.assertEqual(self.document("pose", "r", *options), rig)
        tall = self.document("pose", self.one, "--height", "3", "--vertices", "1")
        self.assertEqual(tall["overridden"], ["height"])
        self.assertEqual(tall["joints"], self.document("pose", SAMPLE, "--height", "3")["joints"])
        rig = self.document("info", SAMPLE)
        for words in (["one.crowd", "--character", "humanoid"], ["r", "--character", "#0"]):
            told = self.document("info", *words)
            for key in ["joints", "meshes", "materials", "clips", "heightMeters", "findings"]:
                self.assertEqual(told[key], rig[key], key)
        folder = self.document("info", "r")
        self.assertEqual([s["name"] for s in folder["sets"]], ["humanoid"])
        self.assertTrue(folder["sets"][0]["sourceIsThere"])

    def test_all_three_are_searched_alike(self):
        few = ["--clips", "walk", "--influences", "4", "--encoding", "P16", "--layout", "rows", "--max-error", "5"]
        # The search decides what the project says of that.
        self.project("own.crowd", {"sources": [{"path": str(SAMPLE)}],
                                   "bake": {"encoding": "T8", "rateHz": 5, "influences": 1, "reduceMm": 2}})
        self.document("bake", SAMPLE, "-o", "r", "--clips", "walk,run", "--rate", "9")
        rig = self.document("fit", SAMPLE, *few)
        for words in ("own.crowd", "r"):
            found = self.document("fit", words, *few)
            self.assertEqual(found["candidates"], rig["candidates"])
            self.assertEqual(found["command"][:3], ["kiln", "bake", words])
            best = found["candidates"][found["best"]]
            baked = self.document(*found["command"][1:])
            self.assertEqual((baked["atlas"]["bytes"], baked["error"]), (best["bytes"], best["error"]))

    def test_all_three_are_drawn_alike(self):
        options = ["--actors", "3", "--size", "96x64", "--time", "0.4"]
        self.document("bake", SAMPLE, "-o", "r", "--clips", "walk,run")
        rig = self.render(SAMPLE, "-o", "a.png", "--clips", "walk,run", *options)
        one = self.render(self.one, "-o", "b.png", "--clips", "walk,run", *options)
        self.render("r", "-o", "c.png", *options)
        pictures = [(self.folder / f"{name}.png").read_bytes() for name in "abc"]
        self.assertEqual(pictures[0], pictures[1])
        self.assertEqual(pictures[0], pictures[2])
        self.assertEqual((rig["overridden"], one["overridden"]), ([], ["clips", "actors"]))
        # Another encoding is baked from the source.
        for words in (self.one, "r"):
            drawn = self.render(words, "-o", "d.png", "--encoding", "M16", "--method", "matrix", *options)
            self.assertEqual((drawn["method"], drawn["overridden"]), ("matrix", ["encoding"]))


class Characters(InputsTest):
    def setUp(self):
        super().setUp()
        self.project("cast.crowd", {"sources": [{"path": str(SAMPLE)}]},
                     {"title": "bare", "variantOf": 0, "hiddenMeshes": ["hat"]},
                     {"title": "Doe", "sources": [{"path": str(DOE)}],
                      "clips": [{"name": "walk", "title": "Stroll"}]},
                     actors={"count": 3, "character": [0, 2, 1], "position": [0, 0, 0, 2, 0, 0, 4, 0, 0]})

    def test_all_are_meant_where_none_is_named(self):
        baked = self.document("bake", "cast.crowd", "-o", "o", "--export", "ckatlas")
        self.assertEqual([c["name"] for c in baked["characters"]], ["cast", "cast-Doe"])
        self.assertEqual([o["name"] for o in baked["others"]], ["cast-Doe"])
        verified = self.document("verify", "cast.crowd")
        for ours, theirs in zip(verified["characters"], baked["characters"]):
            self.assert_same(ours, theirs)
        for words in (["pose", "cast.crowd", "--vertices", "1"],
                      ["fit", "cast.crowd", "--max-error", "900", "--encoding", "P16", "--rate", "5"]):
            notes = self.document(*words)["notes"]
            said = [note["message"] for note in notes if note["code"] == "FirstCharacter"]
            self.assertEqual(len(said), 1)
            self.assertIn("--character", said[0])

    def test_one_is_named_by_title_or_number(self):
        doe = self.document("bake", DOE, "-o", "doe", "--rate", "9")
        for name in ("Doe", "#2"):
            baked = self.document("bake", "cast.crowd", "-o", "o", "--character", name, "--rate", "9")
            self.assertEqual(baked["name"], "cast-Doe")
            for key in ["maxMm", "maxDegrees", "vertexMaxMm", "worst"]:
                self.assertEqual(baked["error"][key], self.named(doe["error"][key]), key)
            self.assertNotIn("others", baked)
            posed = self.document("pose", "cast.crowd", "--character", name, "--clip", "Stroll", "--vertices", "2")
            self.assertEqual(posed, self.document("pose", DOE, "--clip", "walk", "--vertices", "2"))
        # The set of a character keeps its name, and a variant has that of its base.
        self.assertEqual(self.document("verify", "cast.crowd", "--character", "bare")["name"], "cast")
        exported = self.document("export", "cast.crowd", "-o", "e", "--character", "Doe", "--export", "ckatlas")
        self.assertEqual([s["name"] for s in exported["sets"]], ["cast-Doe"])
        self.assertNotIn("placement", exported)
        drawn = self.render("cast.crowd", "-o", "o.png", "--size", "64x64", "--character", "Doe")
        self.assertEqual(drawn["actors"], 1)
        folder = self.document("bake", "cast.crowd", "-o", "all", "--export", "ckatlas,json")
        self.assertEqual(len(folder["characters"]), 2)
        one = self.document("verify", "all", "--character", "cast-Doe")
        self.assertEqual((one["name"], one["error"]), ("cast-Doe", folder["others"][0]["error"]))

    def named(self, figures):
        """The figures, by the title that the project gives the clip."""
        return json.loads(json.dumps(figures).replace('"clip": "walk"', '"clip": "Stroll"'))

    def test_fit_of_one_says_its_bake(self):
        words = ["--character", "Doe", "--max-error", "900", "--encoding", "P16", "--rate", "6"]
        found = self.document("fit", "cast.crowd", *words)
        self.assertIn("Doe", found["command"])
        best = found["candidates"][found["best"]]
        baked = self.document(*found["command"][1:])
        self.assertEqual((baked["name"], baked["error"]), ("cast-Doe", best["error"]))

    def test_what_has_no_effect_is_refused(self):
        rig = ["bake", SAMPLE, "-o", "o"]
        self.refused(*rig, "--character", "humanoid", code=2, says="a rig is one character")
        self.refused(*rig, "--against", SAMPLE, code=2, says="--against is for atlas folders")
        self.refused(*rig, "--rest", "keep", code=2, says="--rest is about files that add clips")
        self.refused("bake", "cast.crowd", "-o", "o", "--character", "Roe", code=2, says="'humanoid', 'bare', 'Doe'")
        self.refused("bake", "cast.crowd", "-o", "o", "--clips", "Stroll", code=2, says="there is no clip 'Stroll'")
        self.refused("bake", "cast.crowd", "-o", "o", "--tile", "64", code=2, says="--layout tiles")
        self.refused("info", "cast.crowd", "--height", "2", code=2, says="--character")
        self.assertFalse((self.folder / "o").exists())


class GoneSources(InputsTest):
    def setUp(self):
        super().setUp()
        (self.folder / "in").mkdir()
        shutil.copy(STRIP, self.folder / "in" / "strip.gltf")
        self.baked = self.document("bake", "in/strip.gltf", "-o", "o")

    def test_a_rig_is_found_by_its_hash_beside_the_folder(self):
        (self.folder / "in" / "strip.gltf").rename(self.folder / "other.gltf")
        for words in (["verify", "o"], ["bake", "o", "-o", "p"]):
            self.assertEqual(self.document(*words)["error"], self.baked["error"])

    def test_a_source_that_is_gone_is_asked_for_by_those_that_need_it(self):
        (self.folder / "in" / "strip.gltf").rename(self.folder / "in" / "away.gltf")
        for words in (["bake", "o", "-o", "p"], ["fit", "o", "--max-error", "5"], ["pose", "o"], ["verify", "o"],
                      ["export", "o", "-o", "p", "--encoding", "T16"], ["info", "o", "--character", "strip"]):
            self.refused(*words, code=3, error="FileNotFound", says="--against")
            self.document(*words, "--against", "in/away.gltf")
        told = self.document("info", "o")["sets"][0]
        self.assertEqual((told["name"], told["sourceIsThere"]), ("strip", False))
        self.assert_same(told, self.baked, ["atlas", "clips", "fetchesPerVertex"])
