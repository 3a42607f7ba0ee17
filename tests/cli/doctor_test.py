"""The findings of kiln about clips, its messages about bakes that fail, and bakes of projects."""

import json
import unittest

from kiln_driver import SAMPLE, SHARED, KilnTest, read_glb, with_json

DOE = SAMPLE.with_name("animal.glb")
STRIP_X = SAMPLE.parents[2] / "tests" / "data" / "rigs" / "strip.x"


def sample(path, change):
    """Writes the sample with its document changed."""
    glb = read_glb(SAMPLE)
    change(glb)
    path.write_bytes(with_json(SAMPLE.read_bytes(), glb))
    return path


def only_clip(path, name):
    """Writes the sample with its walk as the only clip, under another name."""

    def change(glb):
        walk = next(c for c in glb["animations"] if c["name"] == "walk")
        glb["animations"] = [{**walk, "name": name}]

    return sample(path, change)


def codes(findings):
    return [finding["code"] for finding in findings]


class Doctor(KilnTest):
    def test_sound_samples_have_clips_without_findings(self):
        for rig in (SAMPLE, DOE):
            document = self.document("info", rig)
            self.assertTrue(document["clips"])
            for clip in document["clips"]:
                self.assertEqual(clip["findings"], [], clip["name"])

    def test_findings_are_printed(self):
        def leave_one_key_at_rest(glb):
            # Rotations of the sample's walk end a sixth early: it does not close any more.
            for animation in glb["animations"]:
                if animation["name"] != "walk":
                    continue
                inputs = {s["input"] for s in animation["samplers"]}
                for sampler in animation["samplers"]:
                    for key in ("input", "output"):
                        old = glb["accessors"][sampler[key]]
                        glb["accessors"].append({**old, "count": 1})
                        glb["accessors"][-1].pop("min", None)
                        glb["accessors"][-1].pop("max", None)
                        sampler[key] = len(glb["accessors"]) - 1
                assert inputs
        path = sample(self.folder / "pose.glb", leave_one_key_at_rest)
        document = self.document("info", path)
        walk = next(c for c in document["clips"] if c["name"] == "walk")
        self.assertTrue(walk["pose"])
        self.assertEqual(walk["keys"], 1)
        self.assertEqual(codes(walk["findings"]), ["PosePlayed"])
        finding = walk["findings"][0]
        self.assertEqual(set(finding), {"code", "level", "message", "fix"})
        self.assertEqual((finding["level"], finding["fix"]), ("look", "Hold as a pose"))
        self.assertFalse(any(c["pose"] for c in document["clips"] if c["name"] != "walk"))
        text = self.kiln("info", path).stdout.decode()
        self.assertIn("clip walk: a pose (1 key)", text)
        self.assertIn(finding["message"] + " [PosePlayed]", text)

    def test_findings_follow_several_files(self):
        only_clip(self.folder / "walk_one.glb", "Take 001")
        document = self.document("info", SAMPLE, "walk_one.glb")
        self.assertIn("walk_one", [c["name"] for c in document["clips"]])
        # The second file has the walk of the first, under its own name.
        found = {c["name"]: codes(c["findings"]) for c in document["clips"]}
        self.assertEqual(found.pop("walk_one"), ["SameClip"])
        self.assertTrue(all(own == [] for own in found.values()))
        self.assertIsInstance(document["findings"], list)

    @unittest.skipUnless(SHARED.is_dir(), "no folder of shared models")
    def test_shared_rigs(self):
        models = SHARED / "models"
        for rig in ["fox/Fox.glb", "cesium_man/CesiumMan.glb", "robot_expressive/RobotExpressive.glb"]:
            for clip in self.document("info", models / rig)["clips"]:
                # The feet of the robot sink in its own file where it crouches and falls.
                sinks = "robot" in rig and clip["name"] in ("Death", "Jump", "Running", "WalkJump")
                self.assertEqual(codes(clip["findings"]), ["BelowGround"] if sinks else [],
                                 rig + " " + clip["name"])
        odd = self.document("info", models / "own_odd_clips" / "own_odd_clips.gltf")
        found = {c["name"]: codes(c["findings"]) for c in odd["clips"]}
        self.assertEqual(found["single_key"], ["PosePlayed"])
        self.assertEqual(found["const"], ["PosePlayed"])
        pilgrim = self.document("info", models / "own_pilgrim" / "pilgrim.glb")
        drift = next(c for c in pilgrim["clips"] if c["name"] == "walk")["findings"]
        self.assertEqual(codes(drift), ["RootDrift"])
        self.assertIn("travels 1.2 m", drift[0]["message"])
        poses = self.document("info", models / "kaykit_barbarian" / "Barbarian.glb")["clips"]
        found = {c["name"]: codes(c["findings"]) for c in poses if c["findings"]}
        # Its boots sink where it lies, sits or comes out of the ground.
        sunk = [name for name, own in found.items() if own == ["BelowGround"]]
        self.assertNotIn("Idle", sunk)
        found = {name: own for name, own in found.items() if name not in sunk}
        self.assertEqual(found.pop("T-Pose"), ["RestClip"])
        self.assertEqual(set(map(tuple, found.values())), {("PosePlayed",)})
        self.assertTrue(all(c["pose"] for c in poses if c["name"] in found))

    def test_still_joints_are_merged_and_verified(self):
        def keep_the_hips(glb):
            walk = next(c for c in glb["animations"] if c["name"] == "walk")
            hips = walk["channels"][0]["target"]["node"]
            walk["channels"] = [c for c in walk["channels"] if c["target"]["node"] == hips]
            glb["animations"] = [walk]

        path = sample(self.folder / "stiff.glb", keep_the_hips)
        whole = self.document("bake", path, "-o", "whole", "--export", "ckatlas,json")
        merged = self.document("bake", path, "-o", "merged", "--export", "ckatlas,json",
                               "--merge-still-joints")
        self.assertEqual(codes(self.document("info", path)["findings"]), ["StillJoints"])
        self.assertEqual(self.document("info", path, "--merge-still-joints")["findings"], [])
        self.assertEqual(merged["atlas"]["joints"], 1)
        self.assertGreater(whole["atlas"]["joints"], 5)
        self.assertIn("StillJointsMerged", codes(merged["notes"]))
        self.assertEqual(self.document("verify", "merged")["error"], merged["error"])
        # The same vertices, posed by the CPU reference.
        at = ["--clip", "walk", "--time", "0.3"]
        poses = [self.document("pose", path, *at, *more)["meshes"] for more in ([], ["--merge-still-joints"])]
        for one, other in zip(*poses):
            for a, b in zip(one["positions"], other["positions"]):
                self.assertAlmostEqual(a, b, delta=1e-5)

    @unittest.skipUnless(SHARED.is_dir(), "no folder of shared models")
    def test_merged_joints_move_no_vertex_of_shared_rigs(self):
        for name, joints in [("robot_expressive/RobotExpressive.glb", (57, 48)), ("fox/Fox.glb", (24, 21))]:
            rig = SHARED / "models" / name
            merge = ["--merge-still-joints"]
            counts = [self.document("info", rig, *more)["skinJoints"] for more in ([], merge)]
            self.assertEqual(tuple(counts), joints)
            at = ["--clip", "#1", "--time", "0.37"]
            poses = [self.document("pose", rig, *at, *more)["meshes"] for more in ([], merge)]
            worst = max(abs(a - b) for one, other in zip(*poses)
                        for a, b in zip(one["positions"], other["positions"]))
            self.assertLess(worst, 1e-5)


class ClipNames(KilnTest):
    def test_the_only_clip_is_called_like_its_file(self):
        only_clip(self.folder / "jump_high.glb", "Armature|mixamo.com|Layer0")
        document = self.document("info", "jump_high.glb")
        clip = document["clips"][0]
        self.assertEqual((clip["name"], clip["nameInFile"]),
                         ("jump_high", "Armature|mixamo.com|Layer0"))
        self.assertIn("ClipsRenamed", codes(document["notes"]))
        only_clip(self.folder / "leap.glb", "mixamo.com")
        names = [c["name"] for c in self.document("info", "jump_high.glb", "leap.glb")["clips"]]
        self.assertEqual(names, ["jump_high", "leap"])
        # Scripts that name the clip as its file does still work.
        baked = self.document("bake", "jump_high.glb", "-o", "o", "--clips",
                              "Armature|mixamo.com|Layer0", "--export", "json")
        self.assertEqual(baked["clips"][0]["name"], "jump_high")

    def test_x_says_that_its_axis_was_mirrored(self):
        document = self.document("info", STRIP_X)
        note = next(n for n in document["notes"] if n["code"] == "AxisMirrored")
        self.assertEqual(note["level"], "info")
        self.assertIn("z axis was mirrored", note["message"])


class FailedBake(KilnTest):
    def test_no_clips_says_how_to_give_some(self):
        sample(self.folder / "bare.glb", lambda glb: glb.pop("animations"))
        words = "bare.glb has no clips to bake; name files with clips after it, e.g. kiln bake"
        self.refused("bake", "bare.glb", "-o", "o", code=3, error="InvalidInput", says=words)
        self.refused("render", "bare.glb", "-o", "o.png", code=3, error="InvalidInput",
                     says="name files with clips after it, e.g. kiln render")
        self.assertFalse((self.folder / "o").exists())
        only_clip(self.folder / "walk.glb", "walk")
        self.document("bake", "bare.glb", "walk.glb", "-o", "o", "--export", "json")

    def test_notes_of_the_import_are_printed(self):
        only_clip(self.folder / "walk.glb", "Take 001")
        too_small = ["bake", "walk.glb", "-o", "o", "--texture-size", "4"]
        done = self.kiln(*too_small)
        self.assertEqual(done.returncode, 3)
        lines = done.stderr.decode().splitlines()
        self.assertIn("[ClipsRenamed]", lines[0])
        self.assertTrue(lines[-1].startswith("kiln: "), lines)
        document = self.document(*too_small, code=3)
        self.assertEqual(codes(document["error"]["notes"]), ["ClipsRenamed"])
        self.assertEqual(self.kiln(*too_small, "--quiet").stderr.decode().count("\n"), 1)
        drawn = self.kiln("render", "walk.glb", "-o", "o.png", "--texture-size", "4")
        self.assertIn("[ClipsRenamed]", drawn.stderr.decode())


class BakeProject(KilnTest):
    def write_project(self, name, characters, **more):
        document = {"format": "crowdkiln-project", "version": 1, "minReader": 1, "needs": "0.1",
                    "characters": characters, **more}
        (self.folder / name).write_text(json.dumps(document))
        return name

    def test_all_characters_are_baked_as_the_project_says(self):
        self.write_project("meadow.crowd", [
            {"sources": [{"path": str(SAMPLE)}], "bake": {"encoding": "M16", "layout": "linear"},
             "clips": [{"name": "walk", "title": "Stroll", "events": [{"name": "left", "seconds": 0.25}],
                        "rate": 2.0},
                       {"name": "idle", "ticked": False}]},
            {"title": "again", "variantOf": 0},
            {"title": "Doe", "sources": [{"path": str(DOE)}], "bake": {"rateHz": 15}},
        ])
        document = self.document("bake", "meadow.crowd", "-o", "o")
        self.assertEqual(document["name"], "meadow")
        self.assertEqual([o["name"] for o in document["others"]], ["meadow-Doe"])
        self.assertEqual(document["atlas"]["encoding"], "M16")
        names = [c["name"] for c in document["clips"]]
        self.assertEqual(names[0], "Stroll")
        self.assertNotIn("idle", names)
        self.assertEqual(document["others"][0]["atlas"]["encoding"], "P16")
        for report in (document, document["others"][0]):
            self.assertTrue(report["sets"] and all(s["same"] for s in report["sets"]))
            for file in report["files"]:
                self.assertTrue((self.folder / "o" / file["name"]).is_file())
        sidecar = json.loads((self.folder / "o" / "meadow.atlas.json").read_text())
        events = next(c for c in sidecar["clips"] if c["name"] == "Stroll")["events"]
        self.assertEqual([e["name"] for e in events], ["left"])
        # As kiln export writes it, and as kiln verify reads it.
        self.document("export", "meadow.crowd", "-o", "e")
        exported = self.bytes_of(self.folder / "e")
        for name, data in self.bytes_of(self.folder / "o").items():
            self.assertEqual(exported.get(name), data, name)
        verified = self.document("verify", "o")
        self.assertEqual(verified["error"], document["error"])
        text = self.kiln("bake", "meadow.crowd", "-o", "o").stdout.decode()
        self.assertIn("meadow: ", text)
        self.assertIn("meadow-Doe: ", text)

    def test_limits_hold_for_every_character(self):
        self.write_project("two.crowd", [
            {"sources": [{"path": str(SAMPLE)}]},
            {"title": "Doe", "sources": [{"path": str(DOE)}], "bake": {"encoding": "T8"}},
        ])
        document = self.document("bake", "two.crowd", "-o", "o", "--max-error", "1", "--export",
                                 "ckatlas", code=1)
        self.assertTrue(document["limits"][0]["met"])
        self.assertFalse(document["others"][0]["limits"][0]["met"])

    def test_a_project_names_its_own_files(self):
        name = self.write_project("one.crowd", [{"sources": [{"path": str(SAMPLE)}]}])
        self.refused("bake", name, SAMPLE, "-o", "o", code=2, says="names its own files")
        self.assertFalse((self.folder / "o").exists())

    def test_nothing_is_written_if_one_character_fails(self):
        characters = [{"sources": [{"path": str(SAMPLE)}]},
                      {"title": "Ghost", "sources": [{"path": "gone.glb"}]}]
        self.write_project("bad.crowd", characters)
        self.refused("bake", "bad.crowd", "-o", "o", code=3, error="FileNotFound", says="Ghost: ")
        self.assertFalse((self.folder / "o").exists())
        empty = self.write_project("empty.crowd", [{}])
        self.refused("bake", empty, "-o", "o", code=3, says="the project has no rig")
        characters[1] = {"title": "Still", "sources": [{"path": str(DOE)}],
                         "clips": [{"name": c["name"], "ticked": False}
                                   for c in read_glb(DOE)["animations"]]}
        self.write_project("unticked.crowd", characters)
        self.refused("bake", "unticked.crowd", "-o", "o", code=3, says="is ticked")
        self.refused("bake", "nowhere.crowd", "-o", "o", code=3, error="FileNotFound")
