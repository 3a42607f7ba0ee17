"""The actors of a project as files: what kiln export writes, kiln render --place draws."""

import csv
import io
import json
import unittest

from kiln_driver import SAMPLE, KilnTest, read_glb

DOE = SAMPLE.parent / "animal.glb"
FORMULAS = tuple("=+-@\t\r\n")


class Placing(KilnTest):
    VIEW = ["--size", "320x180", "--camera", "4,2,6:1,1,0", "--time", "0.7"]
    OWN = "=SUM(1;2)"
    OTHER = 'doe, "small";=1+1'

    def project(self, name, **more):
        """Two characters whose names and clips are formulas, seen whole and by separators."""
        clips = [{"name": a["name"]} for a in read_glb(SAMPLE)["animations"]]
        clips[1]["title"] = "-walk"
        clips[2]["title"] = "'run;@now"
        doe = [{"name": a["name"], "ticked": i < 2} for i, a in enumerate(read_glb(DOE)["animations"])]
        project = {
            "format": "crowdkiln-project", "version": 1, "minReader": 1, "needs": "0.1",
            "characters": [{"title": self.OWN, "sources": [{"path": str(SAMPLE)}], "clips": clips},
                           {"title": self.OTHER, "sources": [{"path": str(DOE)}], "clips": doe},
                           {"title": "variant", "variantOf": 1}],
            **more,
        }
        (self.folder / name).write_text(json.dumps(project))
        return name

    ACTORS = {
        "count": 5, "character": [0, 0, 1, 0, 2], "clip": [1, 2, 1, 5, 0],
        "offset": [0.1, 0.2, 0.3, 0.4, 0.5], "rate": [1, -0.5, 1, 2, 1],
        "position": [0, 0, 0, 1.1, 0, 0, 2.2, 0, 0.3, -1, 0.25, 0, 0, 0, -2],
        "rotationDegrees": [0, 10, 0, 0, 200, 5, 0, 0, 0, 12.5, 0, 0, 0, 90, 0],
        "scale": [1, 0.8, 1, 1.1, 1], "tint": [16711680, 255, 65280, 16777215, 8421504],
        "on": [True, True, True, True, True], "fadeClip": [2, -1, 0, -1, -1],
        "fade": [0.3, 0, 0.5, 0, 0], "morphs": {"smile": [1, None, None, 0.5, None]},
    }

    def bytes(self, name):
        return (self.folder / name).read_bytes()

    def test_actors_are_drawn_as_the_project_draws_them(self):
        self.project("full.crowd", actors=self.ACTORS)
        self.project("bare.crowd", actors={"count": 1, "clip": 0})
        document = self.document("export", "full.crowd", "-o", "out", "--export", "ckatlas")
        self.assertEqual(document["placement"]["actors"], 5)
        files = document["placement"]["files"]
        self.assertEqual([f["name"] for f in files], ["full.actors.json", "full.actors.csv"])
        for file in files:
            self.assertEqual((self.folder / "out" / file["name"]).stat().st_size, file["bytes"])
        drawn = self.render("full.crowd", "-o", "full.png", *self.VIEW)
        self.assertEqual(drawn["actors"], 5)
        self.render("bare.crowd", "-o", "bare.png", *self.VIEW)
        self.assertNotEqual(self.bytes("full.png"), self.bytes("bare.png"))
        for file in files:
            self.render("bare.crowd", "-o", "o.png", *self.VIEW, "--place", "out/" + file["name"])
            self.assertEqual(self.bytes("o.png"), self.bytes("full.png"), file["name"])

    def test_other_programs_read_both_files(self):
        self.project("full.crowd", actors=self.ACTORS)
        self.document("export", "full.crowd", "-o", "out", "--export", "ckatlas")
        text = (self.folder / "out" / "full.actors.csv").read_bytes()
        self.assertEqual(text.count(b"\r\n"), 6)
        self.assertEqual(text.count(b"\n"), 6)
        table = list(csv.DictReader(io.StringIO(text.decode("utf-8"), newline="")))
        placed = json.loads((self.folder / "out" / "full.actors.json").read_text())
        self.assertEqual((placed["format"], placed["version"]), ("crowdkiln-actors", 1))
        actors = placed["actors"]
        for i, row in enumerate(table):
            character = placed["characters"][self.ACTORS["character"][i]]
            # An apostrophe of ours is in front of what would be a formula.
            self.assertEqual(row["character"].replace("'", ""), character["title"])
            clip = character["clips"][self.ACTORS["clip"][i]]
            self.assertEqual(row["clip"].replace("'", ""), clip.replace("'", ""))
            self.assertEqual(row["set"], character["set"])
            self.assertTrue((self.folder / "out" / (row["set"] + ".ckatlas")).exists())
            self.assertEqual(int(row["tint"][1:], 16), self.ACTORS["tint"][i])
            for axis, key in enumerate(["position.x", "position.y", "position.z"]):
                self.assertEqual(float(row[key]), self.ACTORS["position"][3 * i + axis])
                self.assertEqual(float(row[key]), actors["position"][3 * i + axis])
            for key in ["offset", "rate", "scale", "fade"]:
                self.assertEqual(float(row[key]), self.ACTORS[key][i])
            smile = self.ACTORS["morphs"]["smile"][i]
            self.assertEqual(row["morph:smile"], "" if smile is None else f"{smile:g}")
        self.assertEqual(len(table), 5)
        self.assertEqual([c["set"] for c in placed["characters"]][1:],
                         [placed["characters"][1]["set"]] * 2)

    def test_no_spreadsheet_finds_a_formula(self):
        self.project("full.crowd", actors=self.ACTORS)
        self.document("export", "full.crowd", "-o", "out", "--export", "ckatlas")
        text = (self.folder / "out" / "full.actors.csv").read_text(encoding="utf-8")
        self.assertIn("SUM", text)
        for separator in ",;\t":
            for row in csv.reader(io.StringIO(text, newline=""), delimiter=separator):
                for cell in row:
                    try:
                        float(cell)
                    except ValueError:
                        self.assertFalse(cell.startswith(FORMULAS), (separator, cell))

    def test_actors_fit_a_rig_of_that_name(self):
        (self.folder / "crowd.actors.csv").write_text(
            "character,clip,position.x,rotationDegrees.y\nhumanoid,dance,0,90\n,walk,1.5,\n")
        actors = {"count": 2, "clip": [next(i for i, a in enumerate(read_glb(SAMPLE)["animations"])
                                            if a["name"] == name) for name in ["dance", "walk"]],
                  "position": [0, 0, 0, 1.5, 0, 0], "rotationDegrees": [0, 90, 0, 0, 0, 0]}
        own = {"format": "crowdkiln-project", "version": 1, "minReader": 1, "needs": "0.1",
               "actors": actors,
               "characters": [{"sources": [{"path": str(SAMPLE)}],
                               "clips": [{"name": a["name"]} for a in read_glb(SAMPLE)["animations"]]}]}
        (self.folder / "own.crowd").write_text(json.dumps(own))
        self.render("own.crowd", "-o", "own.png", *self.VIEW)
        self.render(SAMPLE, "-o", "placed.png", *self.VIEW, "--place", "crowd.actors.csv")
        self.assertEqual(self.bytes("own.png"), self.bytes("placed.png"))
        # A second character of the command line is there as well.
        (self.folder / "both.csv").write_text("character,clip\nhumanoid,walk\nanimal,\nanimal,\n")
        both = self.render(SAMPLE, "--with", DOE, "-o", "o.png", *self.VIEW, "--place", "both.csv")
        self.assertEqual([c["actors"] for c in both["cast"]], [1, 2])

    def test_rejects_what_does_not_fit(self):
        self.project("full.crowd", actors=self.ACTORS)
        (self.folder / "good.csv").write_text("clip\nwalk\n")
        for asked in (["--actors", "9"], ["--seed", "2"], ["--formation", "disc"],
                      ["--vary-morph", "smile"], ["--sheet", "2"]):
            self.refused("render", SAMPLE, "-o", "o.png", "--place", "good.csv", *asked, code=2,
                         says="--place")
        self.refused("render", SAMPLE, "-o", "o.png", "--place", "good.csv", "--stats", "good.csv",
                     code=2, says="--stats: good.csv")
        self.refused("render", SAMPLE, "-o", "o.png", "--place", "gone.csv", code=3, says="gone.csv")
        for says, text in [("'humanoid' has no clip 'fly'; it has 'idle', 'walk'", "clip\nfly\n"),
                           ("the project has no character 'cat'; it has 'humanoid'",
                            "character\ncat\n"),
                           ("bad.csv: line 1: there is no column 'colour'", "colour\nred\n"),
                           ("this is not a file of actors", "{}")]:
            (self.folder / "bad.csv").write_text(text)
            self.refused("render", SAMPLE, "-o", "o.png", "--place", "bad.csv", code=3, says=says,
                         error="InvalidInput")
        self.assertFalse((self.folder / "o.png").exists())

    def test_damaged_project_names_its_backup(self):
        self.project("p.crowd", actors=self.ACTORS)
        whole = self.bytes("p.crowd")
        (self.folder / "p.crowd").write_bytes(whole[: len(whole) // 2])
        sentence = self.refused("info", "p.crowd", code=3, error="InvalidInput")["message"]
        self.assertNotIn("p.crowd.bak", sentence)
        (self.folder / "p.crowd.bak").write_bytes(whole)
        self.refused("info", "p.crowd", code=3, says="p.crowd.bak")
        self.refused("export", "p.crowd", "-o", "o", code=3, says="p.crowd.bak")
        document = self.document("info", "p.crowd.bak")
        self.assertEqual(len(document["cast"]), 3)


if __name__ == "__main__":
    unittest.main()
