"""The files that kiln bake and kiln export write for other programs."""

import json
import os
import re
import shutil
from pathlib import Path

from kiln_driver import SAMPLE, KilnTest

ENGINES = ["web", "three", "babylon", "playcanvas"]


class Exporting(KilnTest):
    def test_rejects_what_it_cannot_export(self):
        self.refused("export", "nowhere", "-o", "o", code=3, error="FileNotFound")
        (self.folder / "empty").mkdir()
        self.refused("export", "empty", "-o", "o", code=3)
        self.refused("export", "empty", "-o", "o", "--export", "unity", code=2, says="babylon")
        (self.folder / "p.crowd").write_text("{}")
        self.refused("export", "p.crowd", "-o", "o", "--against", SAMPLE, code=2)
        self.assertEqual({p.name for p in self.folder.iterdir()}, {"empty", "p.crowd"})

    def test_neutral_set_is_always_written(self):
        document = self.document("bake", SAMPLE, "-o", "o", "--clips", "walk")
        self.assertEqual([t["kind"] for t in document["targets"]], ["glb", "shaders"])
        self.assertEqual(
            set(self.bytes_of(self.folder / "o")), {f["name"] for f in document["files"]}
        )
        sidecar = json.loads((self.folder / "o" / "humanoid.atlas.json").read_text())
        self.assertEqual(
            [f["name"] for t in sidecar["targets"] for f in t["files"]],
            [name for t in document["targets"] for name in t["files"]],
        )
        frames = sidecar["clips"][0]["frames"]
        self.assertEqual(len(sidecar["rig"]["frameBoundsMm"][0]["boxes"]), 6 * frames)
        only = self.document("bake", SAMPLE, "-o", "p", "--clips", "walk", "--export", "png")
        self.assertNotIn("targets", only)

    def test_export_writes_what_a_bake_writes(self):
        kinds = ",".join(["ckatlas", "raw", *ENGINES])
        baked = self.document("bake", SAMPLE, "-o", "o", "--clips", "walk,fall", "--export", kinds)
        self.document("bake", SAMPLE, "-o", "plain", "--clips", "walk,fall", "--export", "ckatlas")
        document = self.document(
            "export", "plain", "--against", SAMPLE, "-o", "again", "--export", kinds
        )
        self.assertEqual(document["sets"][0]["name"], "humanoid")
        for target in baked["targets"][2:]:
            self.assertIn(target["kind"], ENGINES)
            self.assertGreater(target["vertex"]["maxMm"], 0)
            self.assertLess(target["vertex"]["rmsMm"], target["vertex"]["maxMm"])
        self.assertEqual(
            self.bytes_of(self.folder / "o"), self.bytes_of(self.folder / "again")
        )
        self.document("export", "o", "-o", "o", "--export", "ckatlas", "--only")
        self.assertEqual(
            set(self.bytes_of(self.folder / "o")), {"humanoid.ckatlas"}
        )

    def test_examples_leave_folders_that_can_be_verified(self):
        readme = Path(os.environ["CK_SOURCE_DIR"], "README.md").read_text()
        examples = re.findall(r"^kiln (bake +soldier\.glb -o out [^#\n]*)", readme, re.MULTILINE)
        self.assertGreater(len(examples), 1)
        for example in examples:
            words = [SAMPLE if word == "soldier.glb" else word for word in example.split()]
            self.document(*words, "--clips", "walk")
            self.document("verify", "out", "--against", SAMPLE)
        self.document("bake", SAMPLE, "-o", "o", "--clips", "walk", "--export", "three")
        self.refused("verify", "o", code=3, error="FileNotFound",
                     says="humanoid.atlas.json is there without its texels; write humanoid.ckatlas as well")

    def test_players_are_added_to_the_texels_of_the_folder(self):
        self.document("bake", SAMPLE, "-o", "o", "--clips", "walk", "--export", "ckatlas,png")
        before = self.bytes_of(self.folder / "o")
        self.document("export", "o", "-o", "o", "--export", "three")
        after = self.bytes_of(self.folder / "o")
        for name in ["humanoid.ckatlas", "humanoid.atlas.png"]:
            self.assertEqual(after[name], before[name])
        self.assertIn("three", [t["kind"] for t in self.document("verify", "o")["targets"]])

    def test_the_atlas_beside_a_project_stays(self):
        shutil.copytree(SAMPLE.parent, self.folder / "samples")
        plaza = self.folder / "samples" / "plaza"
        self.document("export", plaza / "plaza.crowd", "-o", plaza, "--export", "web")
        self.assertTrue((plaza / "plaza.ckatlas").exists())
        # The source is named as seen from where the set is used, not from the project.
        self.document("export", plaza / "plaza.crowd", "-o", "elsewhere")
        self.document("verify", "elsewhere")

    def test_what_is_read_is_not_replaced(self):
        def copied(name):
            path = self.folder / name
            path.parent.mkdir(exist_ok=True)
            shutil.copy(SAMPLE, path)
            return name

        inside = copied("humanoid.three/humanoid.glb")
        self.refused("bake", inside, "-o", ".", "--clips", "walk", "--export", "three", code=4, says="humanoid.three")
        rig, added = copied("humanoid.glb"), copied("humanoid.mesh.glb")
        self.refused("bake", rig, added, "-o", ".", "--clips", "walk", code=4, says=added)
        settings = self.folder / "humanoid.atlas.json"
        settings.write_text('{"rate": 10}')
        arguments = ["--settings", settings, "--clips", "walk", "--export", "ckatlas"]
        self.refused("bake", rig, "-o", ".", *arguments, code=4, says="humanoid.atlas.json")
        self.assertEqual(settings.read_text(), '{"rate": 10}')
        self.document("bake", rig, "-o", "o", *arguments)

    def test_options_of_files_that_are_not_written_are_refused(self):
        bake = ["bake", SAMPLE, "-o", "o", "--clips", "walk"]
        self.refused(*bake, "--export", "ckatlas", "--skin-uv", "packed", code=2,
                     says="which is not written; add glb to --export, or leave --skin-uv out")
        self.refused(*bake, "--encoding", "M32", "--power-of-two", "on", code=2, says="for --layout rows")
        self.refused(*bake, "--layout", "tiles", "--power-of-two", "on", code=2, says="the layout is tiles")
        self.assertFalse((self.folder / "o").exists())
        # Usual values are not in the way, nor are options that act.
        usual = ["--skin-uv", "none", "--layout", "linear", "--power-of-two", "off"]
        self.document(*bake, "--export", "png", *usual)
        self.document(*bake, "--export", "ckatlas,three", "--skin-uv", "packed")
        found = self.document("fit", SAMPLE, "--max-error", "5", "--clips", "walk", "--encoding", "M32",
                              "--influences", "4", "--power-of-two", "on")
        self.document(*found["command"][1:])

    def test_an_atlas_that_binds_joints_elsewhere_is_baked_again(self):
        """As versions did that kept a scale which the joints of a mesh share."""
        self.document("bake", SAMPLE, "-o", "o", "--clips", "walk", "--export", "json,png")
        sidecar = self.folder / "o" / "humanoid.atlas.json"
        atlas = json.loads(sidecar.read_text())
        atlas["joints"][3]["pivot"][0] += 1
        sidecar.write_text(json.dumps(atlas))
        for call in [("export", "o", "-o", "p", "--export", "three"), ("verify", "o")]:
            self.refused(*call, code=3, says="read the units of humanoid.glb otherwise; bake it again")
        self.assertFalse((self.folder / "p").exists())

    def test_files_of_others_stay_where_a_set_is_replaced(self):
        bake = ["bake", SAMPLE, "-o", "o", "--clips", "walk"]
        self.document(*bake, "--export", "ckatlas,three")
        mine = ["humanoid.three/notes/mine.txt", "humanoid.shaders/custom.glsl", "humanoid.html"]
        for name in mine:
            path = self.folder / "o" / name
            path.parent.mkdir(exist_ok=True)
            path.write_text("mine")
        link = self.folder / "o" / "humanoid.three" / "link"
        link.symlink_to("notes")
        self.document(*bake, "--only")
        for name in mine:
            self.assertEqual((self.folder / "o" / name).read_text(), "mine")
        self.assertTrue(link.is_symlink())
        # Files that the set had written are gone; others in the folder stay.
        self.assertEqual(
            {p.name for p in (self.folder / "o" / "humanoid.three").iterdir()}, {"notes", "link"}
        )
        self.document("verify", "o")

    def test_verify_knows_the_files_of_targets(self):
        self.document("bake", SAMPLE, "-o", "o", "--clips", "walk", "--export", "ckatlas,three")
        verified = self.document("verify", "o")
        self.assertEqual([t["kind"] for t in verified["targets"]], ["glb", "shaders", "three"])
        module = self.folder / "o" / "humanoid.three" / "crowd.js"
        text = module.read_bytes()
        module.write_bytes(text[:-1] + b" ")
        self.refused("verify", "o", code=3, says="crowd.js")
        module.write_bytes(text)
        shutil.rmtree(self.folder / "o" / "humanoid.three")
        verified = self.document("verify", "o")
        self.assertEqual([t["kind"] for t in verified["targets"]], ["glb", "shaders"])
