"""What kiln bake and kiln export write for other programs."""

import json
import shutil

from kiln_driver import SAMPLE, KilnTest

ENGINES = ["web", "three", "babylon", "playcanvas"]


class Exporting(KilnTest):
    def test_rejects_what_it_cannot_export(self):
        self.refused("export", SAMPLE, "-o", "o", code=2, says="kiln bake")
        self.refused("export", "nowhere", "-o", "o", code=2)
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
        self.document("export", "o", "-o", "o", "--export", "ckatlas")
        self.assertEqual(
            set(self.bytes_of(self.folder / "o")), {"humanoid.ckatlas"}
        )

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
