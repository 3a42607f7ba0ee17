"""How kiln render draws: what options and projects say, and what contradicts them."""

import json
import unittest

from kiln_driver import SAMPLE, KilnTest, differing, read_glb, read_png

DOE = SAMPLE.parent / "animal.glb"


class Drawing(KilnTest):
    SMALL = ["--size", "320x180", "--actors", "12"]
    FIXED = ["--camera", "4,2,6:0,1,0", "--no-grid"]

    def codes(self, document):
        return [note["code"] for note in document["notes"]]

    def bytes(self, name):
        return (self.folder / name).read_bytes()

    def project(self, name, character={}, variants=[], **more):
        """A project of the sample, with these further keys of the character and of the project."""
        first = {"sources": [{"path": str(SAMPLE)}],
                 "clips": [{"name": a["name"]} for a in read_glb(SAMPLE)["animations"]]}
        project = {"format": "crowdkiln-project", "version": 1, "minReader": 1, "needs": "0.1",
                   "characters": [{**first, **character}, *variants],
                   "actors": {"count": 3, "clip": [1, 2, 5], "position": [0, 0, 0, 1, 0, 0, 2, 0, 0]}}
        (self.folder / name).write_text(json.dumps({**project, **more}))
        return name

    def test_rejects_what_does_nothing(self):
        for says, *asked in [
            ("--mask", "--fade-to", "dance", "--mask", "spine"),
            ("--packed-influences", "--packed-influences"),
            ("--palette-read", "--method", "pool", "--palette-read", "texture"),
            ("--palette-read", "--view", "error", "--palette-read", "texture"),
            ("--skin-on", "--method", "atlas", "--skin-on", "cpu"),
            ("--error-scale", "--error-scale", "2"),
            ("--wipe", "--wipe", "0.3"),
            ("--prepass-mb", "--method", "live", "--prepass-mb", "4"),
            ("--prepass-mb", "--skin-on", "gpu", "--prepass-mb", "4"),
            ("--update-every", "--update-every", "2"),
            ("--update-every", "--method", "prepass", "--view", "error", "--update-every", "2"),
            ("--sampling", "--method", "live", "--sampling", "nearest"),
            ("--sampling", "--view", "source", "--sampling", "nearest"),
            ("--shadows", "--view", "motion", "--shadows", "off"),
            ("--method", "--view", "blends", "--fade-to", "dance", "--method", "atlas"),
            ("--method", "--view", "source", "--method", "atlas"),
            ("--fade-seconds", "--fade-to", "dance", "--fade-at", "1"),
            ("--fade-seconds", "--fade-to", "dance", "--fade-phase", "start"),
            ("--fade-seconds", "--fade-to", "dance", "--fade-eased"),
            ("--fade-seconds", "--fade-to", "dance", "--fade", "0.3", "--fade-seconds", "1"),
            ("--fade-to", "--view", "blends"),
            ("--play: 'stop@1' is not", "--play", "stop@1"),
            ("--play: 'pause' is not", "--play", "pause"),
            ("--play: 'play@1' is earlier", "--play", "pause@2", "--play", "play@1"),
            ("--sheet", "--sheet", "2", "--play", "pause@1"),
            ("motion", "--sheet", "2", "--view", "motion"),
            ("blends", "--sheet", "2", "--view", "blends"),
            ("--sheet", "--sheet", "2", "--time", "1"),
            ("--sheet", "--sheet", "2", "--actors", "9"),
            ("--sheet", "--sheet", "2", "--seed", "2"),
            ("--sheet", "--sheet", "2", "--formation", "disc"),
            ("--sheet", "--sheet", "2", "--camera", "4,2,6:0,1,0"),
        ]:
            with self.subTest(asked=asked):
                small = self.SMALL[:2] if "--sheet" in asked else self.SMALL
                self.refused("render", SAMPLE, "-o", "o.png", *small, *asked, code=2, says=says)
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_rejects_to_write_over_what_it_reads(self):
        self.project("own.crowd")
        (self.folder / "set.json").write_text('{"actors": 3}')
        for name in ["rig.glb", "rig.png", "rig.csv", "rig.glb=2.csv"]:
            (self.folder / name).write_bytes(DOE.read_bytes())
        before = self.bytes_of(self.folder)
        for says, *asked in [
            ("--stats", SAMPLE, "--stats", "./o.png"),
            ("--stats", SAMPLE, "--stats", "rig.glb"),
            ("--stats", SAMPLE, "--settings", "set.json", "--stats", "set.json"),
            ("--stats", "own.crowd", "--stats", "own.crowd"),
            ("--stats", "rig.csv", "--stats", "rig.csv"),
            ("--stats", SAMPLE, "--with", "rig.csv", "--stats", "rig.csv"),
            ("--stats", SAMPLE, "--with", "rig.csv=2", "--stats", "./rig.csv"),
            ("--stats", SAMPLE, "--with", "rig.glb=2.csv", "--stats", "rig.glb=2.csv"),
            ("--stats", SAMPLE, "--prop", "rig.csv@1,1", "--stats", "RIG/../rig.csv"),
            ("--output", "rig.png", "-o", "rig.png"),
            ("--output", SAMPLE, "--with", "rig.png=2", "-o", "rig.png"),
            ("--output", SAMPLE, "--prop", "rig.png@1,1", "-o", "rig.png"),
            ("atlas", SAMPLE, "-o", "rig.atlas.png"),
        ]:
            with self.subTest(asked=asked):
                output = [] if "-o" in asked else ["-o", "o.png"]
                self.refused("render", *asked, *output, *self.SMALL, code=2, says=says)
        self.assertEqual(self.bytes_of(self.folder), before)

    def test_what_is_usual_may_be_said_anywhere(self):
        for asked in (["--skin-on", "auto", "--method", "atlas"],
                      ["--palette-read", "auto", "--method", "atlas"],
                      ["--sampling", "as-baked", "--method", "live"],
                      ["--sampling", "as-baked", "--view", "source"],
                      ["--update-every", "1"]):
            with self.subTest(asked=asked):
                self.render(SAMPLE, "-o", "said.png", *self.SMALL, *asked)
                self.render(SAMPLE, "-o", "o.png", *self.SMALL, *asked[2:])
                self.assertEqual(self.bytes("said.png"), self.bytes("o.png"))

    def test_a_held_fade_replaces_one_that_passes(self):
        passing = {"fade-to": "dance", "fade-seconds": 2, "fade-at": 0.5, "fade-phase": "synced",
                   "fade-eased": True}
        (self.folder / "set.json").write_text(json.dumps(passing))
        at = [*self.SMALL, *self.FIXED, "--time", "0.7"]
        self.render(SAMPLE, "-o", "o.png", *at, "--settings", "set.json", "--fade", "0.3")
        self.render(SAMPLE, "-o", "said.png", *at, "--fade-to", "dance", "--fade", "0.3")
        self.assertEqual(self.bytes("o.png"), self.bytes("said.png"))

    def test_commands_hold_the_middle_of_a_fade(self):
        fade = [*self.SMALL, *self.FIXED, "--fade-to", "dance", "--fade-seconds", "1"]
        self.render(SAMPLE, "-o", "middle.png", *fade, "--time", "0.5")
        self.render(SAMPLE, "-o", "later.png", *fade, "--time", "0.75")
        for commands, time in ((["pause@0.5"], "9"), (["reverse@1"], "1.5"),
                               (["pause@0.25", "play@4"], "4.25"), (["restart@3"], "3.5")):
            with self.subTest(commands=commands):
                told = [word for command in commands for word in ("--play", command)]
                self.render(SAMPLE, "-o", "told.png", *fade, *told, "--time", time)
                self.assertEqual(self.bytes("told.png"), self.bytes("middle.png"))
                self.assertNotEqual(self.bytes("told.png"), self.bytes("later.png"))

    def test_rejects_shares_and_places_that_are_none(self):
        for share in ["0", "-1", "1e9", "nan", "much", ""]:
            self.refused("render", SAMPLE, "--with", f"{DOE}={share}", "-o", "o.png", code=2,
                         says="share")
        for place in ["5", "5,x", "1,2,3,4,5", "1e9,0", ""]:
            self.refused("render", SAMPLE, "--prop", f"{DOE}@{place}", "-o", "o.png", code=2,
                         says="place")
        self.refused("render", SAMPLE, "--prop", f"{DOE}@5,5,90,-1", "-o", "o.png", code=2,
                     says="scale")
        # Names of files may end like one.
        for name in ["doe=0.glb", "doe.glb=0", "doe@5.glb"]:
            (self.folder / name).write_bytes(DOE.read_bytes())
            self.render(SAMPLE, "--with", name, "--prop", name, "-o", "o.png", *self.SMALL)
        for name in ["no-doe=0.glb", "no-doe@5.glb"]:
            self.refused("render", SAMPLE, "--with", name, "-o", "o.png", code=3, says=name)
        for name in ["doe.glb=2", "doe.glb@1,1"]:
            (self.folder / name).write_bytes(DOE.read_bytes())
            self.render(SAMPLE, "--with", name, "--prop", name, "-o", "o.png", *self.SMALL)

    def test_whole_matrices_are_baked_for_the_method_that_needs_them(self):
        chosen = self.render(SAMPLE, "-o", "a.png", *self.SMALL, *self.FIXED, "--method", "matrix")
        self.assertIn("EncodingChosen", self.codes(chosen))
        asked = self.render(SAMPLE, "-o", "b.png", *self.SMALL, *self.FIXED, "--method", "matrix",
                            "--encoding", "M16")
        self.assertNotIn("EncodingChosen", self.codes(asked))
        self.assertEqual(self.bytes("a.png"), self.bytes("b.png"))
        self.refused("render", SAMPLE, "-o", "o.png", "--method", "matrix", "--encoding", "T16",
                     code=2, says="--encoding T16")
        both = self.render(SAMPLE, "--with", DOE, "-o", "o.png", *self.SMALL, "--method", "matrix",
                           "--encoding", "M32")
        self.assertEqual([c["actors"] for c in both["cast"]], [6, 6])
        self.refused("render", self.project("set.crowd"), "-o", "o.png", "--method", "matrix", code=3, says="P16")

    def test_further_rigs_are_baked_as_the_options_say(self):
        options = ["--encoding", "T8", "--components", "r", "--rate", "15"]
        document = self.render(SAMPLE, "--with", DOE, "-o", "o.png", *self.SMALL, "--errors",
                               *options)
        baked = [self.document("bake", rig, "-o", "atlas", *options) for rig in (SAMPLE, DOE)]
        self.assertEqual(len(document["errors"]), len(baked))
        for one, witness in zip(document["errors"], baked):
            self.assertEqual(one["error"], witness["error"])
        dropped = [n["message"] for n in document["notes"] if n["code"] == "ComponentsDropped"]
        self.assertEqual([m.startswith("animal.glb: ") for m in dropped], [False, True])

    def test_atlases_are_read_as_asked_for(self):
        at = [*self.SMALL, *self.FIXED, "--time", "0.413", "--method", "atlas"]
        self.render(SAMPLE, "-o", "between.png", *at)
        self.render(SAMPLE, "-o", "frames.png", *at, "--interpolate", "off")
        self.assertNotEqual(self.bytes("between.png"), self.bytes("frames.png"))
        for sampling, interpolate, like in [
            ("nearest", "on", "frames.png"), ("as-baked", "off", "frames.png"),
            ("interpolated", "off", "between.png"),
        ]:
            with self.subTest(sampling=sampling):
                document = self.render(SAMPLE, "-o", "o.png", *at, "--sampling", sampling,
                                       "--interpolate", interpolate)
                self.assertEqual(document["sampling"], sampling)
                self.assertEqual(self.bytes("o.png"), self.bytes(like))
        for sampling, like in [("hardware-linear", "between.png"), ("compact", "frames.png")]:
            self.render(SAMPLE, "-o", "o.png", *at, "--sampling", sampling)
            pictures = [read_png(self.folder / name)[2] for name in ("o.png", like)]
            self.assertLess(differing(*pictures, 24), 0.005, sampling)
        for asked in (["--sampling", "compact"], ["--sampling", "hardware-linear"],
                      ["--method", "atlas", "--sampling", "compact", "--fade-to", "dance"],
                      # Only the tick before, with which motion compares, still fades.
                      ["--method", "atlas", "--sampling", "compact", "--fade-to", "dance",
                       "--fade-seconds", "1", "--time", "1", "--view", "motion"],
                      ["--method", "atlas", "--sampling", "hardware-linear", "--layout", "linear"]):
            self.refused("render", SAMPLE, "-o", "o.png", *self.SMALL, *asked, code=2,
                         says="--sampling")

    def test_actors_are_posed_in_turn(self):
        self.project("one.crowd", actors={"count": 1, "clip": [2]})
        one = ["--size", "160x160", *self.FIXED, "--method", "prepass", "--tick-rate", "4"]
        self.render("one.crowd", "-o", "now.png", *one, "--time", "1")
        self.render("one.crowd", "-o", "before.png", *one, "--time", "0.75")
        staggered = self.render("one.crowd", "-o", "o.png", *one, "--time", "1", "--update-every",
                                "2")
        self.assertEqual((staggered["updateEvery"], staggered["posedAtSeconds"]), (2, 1.0))
        self.assertEqual(staggered["drawnBefore"], 1)
        measured = self.render("one.crowd", "-o", "measured.png", *one, "--time", "1",
                               "--update-every", "2", "--stats", "costs.csv")
        self.assertEqual(measured["drawnBefore"], 2)
        self.assertEqual(self.bytes("measured.png"), self.bytes("o.png"))
        # The first actor's turn was in the tick before.
        shown, now, before = [read_png(self.folder / name)[2]
                              for name in ("o.png", "now.png", "before.png")]
        self.assertLess(differing(shown, before, 8), 0.004)
        self.assertGreater(differing(shown, now, 8), 0.01)
        self.refused("render", SAMPLE, "-o", "o.png", "--method", "prepass", "--update-every", "17",
                     code=2, says="--update-every")

    def test_projects_are_drawn_as_their_view_says(self):
        self.project("bare.crowd")
        view = {"method": "atlas", "sampling": "nearest", "tickRateHz": 4, "grid": False,
                "influences": 1, "shadows": "off"}
        self.project("viewed.crowd", view=view)
        at = ["--size", "320x180", "--time", "0.6"]
        viewed = self.render("viewed.crowd", "-o", "a.png", *at)
        self.assertEqual((viewed["method"], viewed["sampling"], viewed["posedAtSeconds"]),
                         ("atlas", "nearest", 0.5))
        self.project("thin.crowd", view={"influences": 1})
        said = ["--method", "atlas", "--sampling", "nearest", "--tick-rate", "4", "--no-grid",
                "--shadows", "off"]
        self.render("thin.crowd", "-o", "b.png", *at, *said)
        self.assertEqual(self.bytes("a.png"), self.bytes("b.png"))
        self.render("bare.crowd", "-o", "b.png", *at, *said)
        self.assertNotEqual(self.bytes("a.png"), self.bytes("b.png"))
        overruled = self.render("viewed.crowd", "-o", "b.png", *at, "--method", "palette",
                                "--sampling", "as-baked", "--tick-rate", "10")
        self.assertEqual(
            (overruled["method"], overruled["sampling"], overruled["posedAtSeconds"]),
            ("palette", "as-baked", 0.6))
        self.project("wrong.crowd", view={"method": "matrix", "sampling": "compact"})
        fallen = self.render("wrong.crowd", "-o", "b.png", *at)
        self.assertEqual((fallen["method"], fallen["sampling"]), ("palette", "as-baked"))
        self.assertEqual(self.codes(fallen).count("ViewNotDrawn"), 2)
        self.refused("render", "wrong.crowd", "-o", "b.png", "--packed-influences", code=2,
                     says="the method is palette")
        self.render("wrong.crowd", "-o", "b.png", *at, "--skin-on", "cpu")
        for unread in (["--method", "live"], ["--view", "source"]):
            self.assertEqual(self.codes(self.render("wrong.crowd", "-o", "b.png", *at, *unread)), [])
        self.project("compact.crowd", view={"method": "atlas", "sampling": "compact"})
        before = self.render("compact.crowd", "-o", "b.png", "--size", "64x64", "--time", "1",
                             "--view", "motion", "--fade-to", "dance", "--fade-seconds", "1")
        self.assertEqual((before["sampling"], self.codes(before)), ("as-baked", ["ViewNotDrawn"]))
        self.project("turns.crowd", view={"method": "prepass", "updateEvery": 4})
        self.assertEqual(self.render("turns.crowd", "-o", "b.png", *at)["updateEvery"], 4)
        alone = self.render("turns.crowd", "-o", "b.png", *at, "--view", "error")
        self.assertEqual(alone["updateEvery"], 1)
        back = self.render("viewed.crowd", "-o", "b.png", *at, "--tick-rate", "0")
        self.assertEqual(back["posedAtSeconds"], 0.6)

    def test_the_error_view_has_figures(self):
        asked = ["render", SAMPLE, "-o", "e.png", "--influences", "1", "--time", "0.4", "--view",
                 "error"]
        shown = self.document(*asked, *self.SMALL)["errorView"]
        self.assertTrue(shown["automatic"])
        self.assertLessEqual(shown["maxMm"], shown["scaleMm"])
        self.assertLess(shown["scaleMm"], 2.5 * shown["maxMm"])
        meshes = self.document("pose", SAMPLE, "--vertices", "1")["meshes"]
        self.assertIn(shown["mesh"], [mesh["name"] for mesh in meshes])
        self.assertIn(shown["actor"], range(12))
        automatic = self.bytes("e.png")
        scale = ["--error-scale", shown["scaleMm"]]
        fixed = self.document(*asked, *self.SMALL, *scale)["errorView"]
        self.assertEqual(fixed, {**shown, "automatic": False})
        self.assertEqual(self.bytes("e.png"), automatic)
        self.document(*asked, *self.SMALL, "--error-scale", shown["scaleMm"] * 10)
        self.assertNotEqual(self.bytes("e.png"), automatic)
        text = self.kiln(*asked, *self.SMALL).stdout.decode()
        self.assertIn("from the source", text)
        self.assertNotIn("errorView", self.document("render", SAMPLE, "-o", "o.png", *self.SMALL))
        sheet = self.document("render", SAMPLE, "-o", "s.png", "--clips", "walk,idle", "--sheet",
                              "3", "--size", "80x160", "--view", "error", "--influences", "1")
        self.assertGreaterEqual(sheet["errorView"]["scaleMm"], sheet["errorView"]["maxMm"])
        self.assertNotIn("actor", sheet["errorView"])
        self.project("scaled.crowd", view={"errorScaleMm": 7.5})
        kept = self.document("render", "scaled.crowd", "-o", "o.png", *self.SMALL[:2], "--view",
                             "error")
        self.assertEqual(kept["errorView"]["scaleMm"], 7.5)

    def test_lines_and_the_wipe(self):
        at = [*self.SMALL, *self.FIXED]
        self.render(SAMPLE, "-o", "plain.png", *at)
        plain = self.bytes("plain.png")
        seen = {plain}
        for lines in ("skeleton", "axes", "bounds", "wireframe", "skeleton,bounds"):
            document = self.render(SAMPLE, "-o", "lines.png", *at, "--show", lines)
            self.assertNotIn("ViewNotDrawn", self.codes(document))
            seen.add(self.bytes("lines.png"))
        self.assertEqual(len(seen), 6)
        many = self.render(SAMPLE, "-o", "lines.png", "--size", "320x180", "--actors", "80",
                           "--show", "bounds")
        self.assertIn("ViewNotDrawn", self.codes(many))
        self.refused("render", SAMPLE, "-o", "o.png", "--show", "bones", code=2, says="skeleton")
        for wipe in ("nan", "-0.1", "1.5"):
            self.refused("render", SAMPLE, "-o", "o.png", "--view", "split", "--wipe", wipe, code=2,
                         says="--wipe")
        small = self.SMALL[:2] + self.FIXED
        self.project("divided.crowd", view={"wipe": 0.2, "skeleton": True})
        self.render("divided.crowd", "-o", "of.png", *small, "--view", "split")
        self.project("whole.crowd")
        self.render("whole.crowd", "-o", "by.png", *small, "--view", "split", "--wipe", "0.2",
                    "--show", "skeleton")
        self.assertEqual(self.bytes("of.png"), self.bytes("by.png"))
        self.render("whole.crowd", "-o", "other.png", *small, "--view", "split", "--wipe", "0.7",
                    "--show", "skeleton")
        self.assertNotEqual(self.bytes("other.png"), self.bytes("by.png"))

    def test_rigs_beside_a_project_of_matrices_are_baked_likewise(self):
        self.project("set.crowd", view={"method": "matrix"},
                     character={"bake": {"encoding": "M16", "layout": "linear"}})
        document = self.render("set.crowd", "--with", DOE, "-o", "o.png", *self.SMALL)
        self.assertEqual(document["method"], "matrix")
        self.assertIn("EncodingChosen", self.codes(document))
        asked = self.render("set.crowd", "--with", DOE, "-o", "o.png", *self.SMALL, "--errors",
                            "--encoding", "M32")
        self.assertNotIn("EncodingChosen", self.codes(asked))
        witness = self.document("bake", DOE, "-o", "atlas", "--encoding", "M32")
        self.assertEqual(asked["errors"][1]["error"], witness["error"])
        self.project("other.crowd", character={"bake": {"encoding": "M16", "layout": "linear"}})
        both = self.render("set.crowd", "--with", "other.crowd=2", "-o", "o.png", *self.SMALL)
        self.assertNotIn("EncodingChosen", self.codes(both))
        witness = self.document("bake", SAMPLE, "-o", "atlas", "--encoding", "M32", "--layout", "linear")
        for more in ([], ["--with", "other.crowd=2"]):
            own = self.render("set.crowd", *more, "-o", "o.png", *self.SMALL, "--errors", "--encoding", "M32")
            self.assertEqual((own["method"], own["overridden"]), ("matrix", ["encoding", "actors"]))
            self.assertEqual(own["errors"][0]["error"], witness["error"])

    def test_sheets_are_read_as_asked_for(self):
        sheet = ["--sheet", "2", "--size", "40x60", "--method", "atlas"]
        self.assertEqual(self.render(SAMPLE, "-o", "o.png", *sheet)["sampling"], "as-baked")
        compact = self.render(SAMPLE, "-o", "o.png", *sheet, "--sampling", "compact")
        self.assertEqual(compact["sampling"], "compact")

    def test_masks_hold_for_what_stands_beside_live(self):
        fade = [*self.SMALL, *self.FIXED, "--time", "0.4", "--fade-to", "dance", "--fade", "1",
                "--method", "live"]
        pictures = {}
        for name, more in [("live", ["--mask", "spine"]),
                           ("source", ["--mask", "spine", "--view", "source"]),
                           ("whole", ["--view", "source"])]:
            self.render(SAMPLE, "-o", name + ".png", *fade, *more)
            pictures[name] = read_png(self.folder / (name + ".png"))[2]
        self.assertLess(differing(pictures["live"], pictures["source"], 24), 0.002)
        self.assertGreater(differing(pictures["whole"], pictures["source"], 24), 0.005)

    def test_the_document_says_what_a_palette_was_read_through(self):
        read = self.render(SAMPLE, "-o", "o.png", *self.SMALL, "--method", "live",
                           "--palette-read", "texture")
        self.assertEqual((read["paletteRead"], self.codes(read)), ("texture", []))
        self.assertEqual(self.render(SAMPLE, "-o", "o.png", *self.SMALL, "--method", "atlas")
                         ["paletteRead"], "none")
        skinned = self.render(SAMPLE, "-o", "o.png", *self.SMALL, "--skin-on", "cpu",
                              "--palette-read", "texture")
        self.assertEqual((skinned["paletteRead"], self.codes(skinned)), ("none", ["OptionUnused"]))

    def test_storage_that_the_driver_lacks_falls_back_to_a_texture(self):
        storage = ["render", SAMPLE, "-o", "o.png", *self.SMALL, "--palette-read", "storage"]
        old = {"MESA_GL_VERSION_OVERRIDE": "4.1", "MESA_GLSL_VERSION_OVERRIDE": "410",
               "MESA_EXTENSION_OVERRIDE": "-GL_ARB_compute_shader"}
        for skin_on, read, says in [("gpu", "texture", "OpenGL 4.3"), ("cpu", "none", "processor")]:
            with self.subTest(skin_on):
                document = self.document(*storage, "--skin-on", skin_on, **old)
                if "Mesa" not in document["gl"]:
                    self.skipTest("only Mesa can be told to hide a version")
                self.assertEqual(document["paletteRead"], read)
                self.assertEqual(self.codes(document), ["OptionUnused"])
                self.assertIn(says, document["notes"][0]["message"])

    def test_notes_say_what_is_not_to_be_seen(self):
        far = self.render(SAMPLE, "-o", "o.png", *self.SMALL, "--vary-morph", "smile",
                          "--camera", "0,2,99:0,1,0")
        self.assertEqual(self.codes(far), ["FacesFar"])
        later = self.render(SAMPLE, "-o", "o.png", *self.SMALL, "--view", "blends", "--fade-to",
                            "dance", "--fade-seconds", "1", "--fade-at", "5")
        self.assertEqual(self.codes(later), ["NobodyFades"])
        self.project("set.crowd", variants=[{"title": "bare", "hiddenMeshes": ["wings"], "variantOf": 0}])
        hidden = self.render("set.crowd", "-o", "o.png", "--size", "64x64")
        self.assertEqual(self.codes(hidden), ["HiddenMeshMissing"])
        self.assertIn("bare: there is no mesh 'wings'", hidden["notes"][0]["message"])

    def test_texts_count_and_times_have_no_minus_zero(self):
        one = [SAMPLE, "-o", "o.png", "--size", "64x64", "--actors", "1"]
        self.assertIn(b"1 actor in 1 draw call,", self.kiln("render", *one).stdout)
        self.project("one.crowd", actors={"count": 1},
                     character={"clips": [{"name": "walk", "events": [{"name": "step", "seconds": 0}]}]})
        back = self.kiln("render", "one.crowd", *one[1:5], "--events", "--time", "-3",
                         "--json").stdout
        self.assertEqual(json.loads(back)["events"][0]["seconds"], 0)
        still = self.kiln("render", *one, "--time", "-0", "--json").stdout
        self.assertNotRegex(back + still, rb"-0\.0[,\s]")

    def test_costs_are_those_of_a_second_picture(self):
        def costs():
            document = self.render(SAMPLE, "-o", "o.png", *self.SMALL, "--stats", "costs.csv")
            self.assertEqual(document["drawnBefore"], 1)
            lines = (self.folder / "costs.csv").read_text().splitlines()
            return {line.split(",")[0]: line.split(",")[1] for line in lines}

        self.assertEqual(costs()["tick in this frame"], "yes")
        plain = self.render(SAMPLE, "-o", "plain.png", *self.SMALL)
        self.assertEqual(plain["drawnBefore"], 0)
        self.assertEqual(self.bytes("o.png"), self.bytes("plain.png"))
        self.refused("render", SAMPLE, "-o", "o.png", "--stats", SAMPLE, code=2, says="--stats")


if __name__ == "__main__":
    unittest.main()
