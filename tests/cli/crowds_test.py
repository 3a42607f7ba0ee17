"""Several crowds in a project: what kiln info, render and export make of them."""

import csv
import json

from kiln_driver import SAMPLE, KilnTest


class Crowds(KilnTest):
    def setUp(self):
        super().setUp()
        actors = {"count": 5, "clip": 0, "offset": 0.0, "rate": 1.0, "scale": 1.0, "on": [True, True, True, True, False],
                  "position": [0, 0, 0, 1, 0, 0, 2, 0, 0, 3, 0, 0, 4, 0, 0], "rotationDegrees": [0] * 15,
                  "tint": 0xffffff, "travels": False, "turnRadius": 0.0, "crowd": [0, 0, 1, 1, 1]}
        self.project = {
            "format": "crowdkiln-project", "version": 1, "minReader": 1, "needs": "0.1",
            "characters": [{"sources": [{"path": str(SAMPLE)}], "clips": [{"name": "walk"}]}],
            "crowds": [{"name": "Home", "on": True, "formation": "grid", "seed": 3},
                       {"name": "Away, far", "on": False, "formation": "arc-rows", "seed": 4}],
            "actors": actors}
        self.write()

    def write(self):
        (self.folder / "show.crowd").write_text(json.dumps(self.project))

    def drawn(self, *more):
        document = self.document("render", "show.crowd", "-o", "o.png", "--size", "64x48", *more)
        return document["actors"]

    def test_info_lists_them(self):
        document = self.document("info", "show.crowd")
        self.assertEqual(document["crowds"], [
            {"name": "Home", "on": True, "formation": "grid", "seed": 3, "actors": 2},
            {"name": "Away, far", "on": False, "formation": "arc-rows", "seed": 4, "actors": 3}])
        text = self.kiln("info", "show.crowd").stdout.decode()
        self.assertIn("crowd Home: grid, 2 actors\n", text)
        self.assertIn("crowd Away, far: arc-rows, 3 actors, off\n", text)

    def test_pictures_have_those_that_are_on(self):
        self.assertEqual(self.drawn(), 2)
        self.assertEqual(self.drawn("--crowd", r"Away\, far"), 2)  # one of its actors is off
        self.assertEqual(self.drawn("--crowd", "Home,#1"), 4)
        self.refused("render", "show.crowd", "-o", "x.png", "--crowd", "Nobody", code=2,
                     says="there is 'Home', 'Away, far'")
        self.refused("render", SAMPLE, "-o", "x.png", "--crowd", "Home", code=2, says="has no crowds")
        # Actors that are dealt anew are of no crowd of the project.
        self.assertEqual(self.drawn("--actors", "7", "--formation", "arc-rows"), 7)

    def test_exports_have_those_that_are_on(self):
        document = self.document("export", "show.crowd", "-o", "o")
        self.assertEqual(document["placement"]["actors"], 2)
        actors = json.loads((self.folder / "o" / "show.actors.json").read_text())
        self.assertEqual(actors["actors"]["count"], 2)
        self.assertEqual(actors["crowds"], [{"name": "Home", "on": True}, {"name": "Away, far", "on": False}])
        self.document("export", "show.crowd", "-o", "p", "--crowd", "#0,#1")
        with open(self.folder / "p" / "show.actors.csv", newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual([row["crowd"] for row in rows], ["Home"] * 2 + ["Away, far"] * 3)
        # An exported file comes back by its names.
        self.assertEqual(self.drawn("--place", "p/show.actors.csv", "--crowd", "#0,#1"), 4)

    def test_projects_without_the_list_have_one(self):
        del self.project["crowds"]
        self.project["actors"]["crowd"] = 0
        self.write()
        self.assertEqual([c["name"] for c in self.document("info", "show.crowd")["crowds"]], ["Crowd"])
        self.assertEqual(self.drawn(), 4)
        self.project["actors"]["crowd"] = [0, 0, 0, 0, 1]
        self.write()
        self.refused("info", "show.crowd", code=3, error="InvalidInput", says="crowd")
