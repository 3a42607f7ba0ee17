"""The options and inputs of kiln: usage, info, pose."""

import json
import shutil
import unittest
from pathlib import Path

from kiln_driver import SAMPLE, SHARED, KilnTest, read_glb, with_json


class Usage(KilnTest):
    def test_rejects_what_is_no_command(self):
        self.refused(code=2, says="info, pose, bake, fit, export, verify, render, bench")
        self.refused("burn", code=2, says="info, pose, bake, fit, export, verify, render, bench")

    def test_rejects_options_of_other_versions_and_lists_its_own(self):
        self.refused("bake", SAMPLE, "-o", "o", "--retarget", "m.json", code=2, says="--layout")
        self.refused("bake", SAMPLE, "-o", "o", "--encoding", "Q9", code=2, says="P16")
        self.refused("bake", SAMPLE, "-o", "o", "--layout", "spiral", code=2, says="rows")
        self.refused("bake", SAMPLE, "-o", "o", "--root", "walk=away", code=2,
                     says="keep, strip or extract")
        self.refused("bake", SAMPLE, "-o", "o", "--export", "ckatlas,tiff", code=2, says="exr")
        self.refused("render", SAMPLE, "-o", "o.png", "--method", "book", code=2, says="live")
        self.refused("bench", "faces", code=2, says="crowd")
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_help_and_refusals_list_the_methods_of_the_manual(self):
        refusal = self.kiln("render", SAMPLE, "-o", "o.png", "--method", "book").stderr.decode()
        offered = refusal.split("there is: ")[1].split(" (see ")[0]
        self.assertIn(f"--method {offered}", self.kiln("render", "--help").stdout.decode())
        manual = (Path(__file__).parents[2] / "docs" / "cli.md").read_text()
        for name in offered.split(", "):
            self.assertRegex(manual, f"`(--method )?{name}`")

    def test_rejects_values_out_of_range(self):
        for option, value in [
            ("--influences", "3"),
            ("--morph-slots", "0"),
            ("--morph-slots", "65"),
            ("--morph-bits", "12"),
            ("--frames", "1"),
            ("--frames", "2.5"),
            ("--rate", "0"),
            ("--rate", "-30"),
            ("--rate", "fast"),
            ("--height", "-1"),
            ("--height", "nan"),
            ("--unit-scale", "nan"),
            ("--rate", "nan"),
            ("--max-error", "nan"),
            ("--clips", "walk,walk"),
            ("--threads", "0"),
            ("--max-error", "0"),
            ("--max-bytes", "many"),
            ("--max-bytes", "-4K"),
            ("--clips", "idle,flying"),
            ("--clips", "#99"),
            ("--interpolate", "maybe"),
        ]:
            with self.subTest(option=option, value=value):
                self.refused("bake", SAMPLE, "-o", "o", option, value, code=2)
        for option, value in [
            ("--size", "0x5"),
            ("--size", "1280"),
            ("--size", "99999x5"),
            ("--camera", "1,2,3"),
            ("--camera", "1,2,3:1,2,3"),
            ("--camera", "1,2:3,4,5"),
            ("--actors", "-1"),
            ("--formation", "ring"),
            ("--time", "nan"),
        ]:
            with self.subTest(option=option, value=value):
                self.refused("render", SAMPLE, "-o", "o.png", option, value, code=2)
        self.refused("bake", SAMPLE, "-o", "o", "--rate", "30", "--frames", "9", code=2)
        self.refused("bake", SAMPLE, code=2, says="output")
        self.refused("pose", SAMPLE, "--clip", "flying", code=2, says="'walk'")
        self.refused("pose", SAMPLE, "--morph", "smile", code=2, says="NAME=WEIGHT")
        self.refused("pose", SAMPLE, "--morph", "frown=1", code=2, says="frown")
        self.refused("pose", SAMPLE, "--vertices", "some", code=2)
        self.refused("pose", SAMPLE, "--time", "0.5", code=2, says="--clip")
        self.refused("render", SAMPLE, "-o", "o.jpg", code=2, says=".png")

    def test_help_is_no_error(self):
        for arguments in [[], ["info"], ["pose"], ["bake"], ["verify"], ["render"], ["bench"]]:
            done = self.kiln(*arguments, "--help")
            self.assertEqual(done.returncode, 0)
            self.assertIn(b"Usage", done.stdout)

    def test_settings_file_says_the_same_as_options(self):
        (self.folder / "s.json").write_text(
            json.dumps({"rate": 10, "clips": ["walk", "run"], "export": "ckatlas", "influences": 2})
        )
        by_file = self.document("bake", SAMPLE, "-o", "a", "--settings", "s.json")
        by_hand = self.document(
            "bake", SAMPLE, "-o", "b", "--rate", "10", "--clips", "walk,run",
            "--export", "ckatlas", "--influences", "2",
        )
        self.assertEqual(by_file, by_hand)
        self.assertEqual([c["name"] for c in by_file["clips"]], ["walk", "run"])
        over = self.document("bake", SAMPLE, "-o", "c", "--settings", "s.json", "--clips", "idle")
        self.assertEqual([c["name"] for c in over["clips"]], ["idle"])
        (self.folder / "bad.json").write_text('{"colour": "red"}')
        self.refused("bake", SAMPLE, "-o", "d", "--settings", "bad.json", code=2,
                     says="bad.json: --colour is not offered")
        (self.folder / "slow.json").write_text('{"rate": -1}')
        self.refused("bake", SAMPLE, "-o", "d", "--settings", "slow.json", code=2, says="slow.json: --rate: ")
        # Values of the call itself are not blamed on the file.
        said = self.refused("bake", SAMPLE, "-o", "d", "--settings", "s.json", "--frames", "no", code=2)
        self.assertTrue(said["message"].startswith("--frames: "), said["message"])
        (self.folder / "list.json").write_text("[1]")
        frames = self.document("bake", SAMPLE, "-o", "e", "--settings", "s.json", "--frames", "7")
        self.assertEqual({c["frames"] for c in frames["clips"]}, {7})
        (self.folder / "more.json").write_text('{"clips": "idle"}')
        self.document("bake", SAMPLE, "-o", "f", "--settings=more.json")
        self.assertTrue((self.folder / "f").is_dir())
        # A stranger's settings say nothing of where files are written.
        for key in ["settings", "json", "output", "stats", "only"]:
            (self.folder / "own.json").write_text(json.dumps({key: "from-file"}))
            self.refused(
                "bake", SAMPLE, "-o", "g", "--settings", "own.json", code=2, says=f"'{key}' cannot"
            )
        for key in ["output=away", "-output", "o=away", "", "a b"]:
            (self.folder / "own.json").write_text(json.dumps({key: True}))
            self.refused("bake", SAMPLE, "--settings", "own.json", code=2, says=f"'{key}' is no name of an option")
        for many in [{"clips": ["walk"] * 20000}, {f"key-{n}": n for n in range(20000)}]:
            (self.folder / "own.json").write_text(json.dumps(many))
            self.refused("bake", SAMPLE, "-o", "g", "--settings", "own.json", code=2, says="more than 10000 values")
        # Nor by a value that looks like an option.
        for key, value in [("require-sandbox", "--output=away"), ("join-morphs", ["--output=away"]), ("o", "away"),
                           ("clips", "--output=away"), ("clips", ["walk", "--output=away"]), ("clips", ["", "-o", "away"])]:
            (self.folder / "own.json").write_text(json.dumps({key: value}))
            done = self.kiln("bake", SAMPLE, "--settings", "own.json")
            self.assertEqual(done.returncode, 2, (key, value, done.stderr))
        self.assertFalse((self.folder / "away").exists())
        self.refused("bake", SAMPLE, "-o", "g", "--rate", "no", code=2, says="kiln bake --help")
        self.refused("bake", SAMPLE, "-o", "d", "--settings", "list.json", code=2)
        for deep in ["[" * 200000, '{"clips": ' * 100000 + "1" + "}" * 100000]:
            (self.folder / "deep.json").write_text(deep)
            self.refused("bake", SAMPLE, "-o", "d", "--settings", "deep.json", code=2, says="deep.json")
        (self.folder / "twice.json").write_text('{"rate": 10, "rate": 20}')
        self.refused("bake", SAMPLE, "-o", "d", "--settings", "twice.json", code=2, says="rate")
        self.refused("bake", SAMPLE, "-o", "d", "--settings", "none.json", code=2, says="none.json")

    def test_settings_file_takes_names_with_commas_whole(self):
        glb = read_glb(SAMPLE)
        for clip in glb["animations"]:
            clip["name"] = {"walk": "walk, fast", "run": "run"}.get(clip["name"], clip["name"])
        rig = self.folder / "commas.glb"
        rig.write_bytes(with_json(SAMPLE.read_bytes(), glb))
        settings = self.folder / "s.json"
        for clips in [["walk, fast", "run"], "walk\\, fast,run"]:
            settings.write_text(json.dumps({"clips": clips, "rate": 10}))
            by_file = self.document("bake", rig, "-o", "a", "--settings", settings)
            self.assertEqual([clip["name"] for clip in by_file["clips"]], ["walk, fast", "run"])
        by_hand = self.document("bake", rig, "-o", "b", "--clips", "walk\\, fast,run", "--rate", "10")
        self.assertEqual(by_hand, by_file)
        self.refused("bake", rig, "-o", "c", "--clips", "walk, fast", code=2,
                     says="a comma in a name is written '\\,', or the clip is named by #INDEX")


class Info(KilnTest):
    def test_rejects_what_is_no_rig(self):
        (self.folder / "text.glb").write_text("hello")
        self.refused("info", "text.glb", code=3, says="text.glb")

    def test_files_that_are_no_rigs_are_told_by_what_they_are(self):
        plaza = SAMPLE.parent / "plaza" / "plaza.crowd"
        self.document("bake", SAMPLE, "-o", "o", "--clips", "walk", "--export", "ckatlas,png")
        for name in ["humanoid.atlas.json", "humanoid.ckatlas", "humanoid.atlas.png"]:
            says = f"{name}: this is a file of a baked atlas, not a rig file; name the folder that it is in"
            for command in [["info"], ["pose"], ["bake", "-o", "p"], ["render", "-o", "p.png"],
                            ["fit", "--max-error", "1"], ["render", SAMPLE, "-o", "p.png", "--with"]]:
                self.refused(*command, f"o/{name}", code=3, error="InvalidInput", says=says)
        # Behind a rig there are files of clips.
        self.refused("pose", SAMPLE, "o", code=3, error="FileUnreadable", says="o: this is a folder, not a rig file")
        self.refused("bake", SAMPLE, "-o", "p", plaza, code=3, error="InvalidInput",
                     says="plaza.crowd: this is a project, not a rig file")
        self.refused("pose", "no.crowd", code=3, error="FileNotFound")

    def test_file_of_blender_without_blender_says_what_to_install(self):
        (self.folder / "figure.blend").write_bytes(b"BLENDER-v304")
        says = "figure.blend: install Blender (CROWDKILN_BLENDER names no program), or export it as glTF"
        for command in [["info"], ["pose"], ["bake", "-o", "out"], ["render", "-o", "out.png"]]:
            self.refused(command[0], "figure.blend", *command[1:], code=3, error="Unsupported", says=says,
                         CROWDKILN_BLENDER="/nowhere/blender")

    def test_document_agrees_with_the_file(self):
        info = self.document("info", SAMPLE)
        for key in ["file", "format", "unitScale", "upAxis", "joints", "meshes", "clips", "notes"]:
            self.assertIn(key, info)
        self.assertEqual(len(info["sourceToModel"]), 16)
        self.assertEqual((info["format"], info["unitScale"], info["upAxis"]), ("GLB", 1, "Y"))
        glb = read_glb(SAMPLE)
        self.assertEqual([c["name"] for c in info["clips"]], [a["name"] for a in glb["animations"]])
        for clip, animation in zip(info["clips"], glb["animations"]):
            inputs = [glb["accessors"][s["input"]] for s in animation["samplers"]]
            start = min(i["min"][0] for i in inputs)
            end = max(i["max"][0] for i in inputs)
            self.assertAlmostEqual(clip["startSeconds"], start, places=6)
            self.assertAlmostEqual(clip["durationSeconds"], end - start, places=6)
            self.assertEqual(clip["keys"], max(i["count"] for i in inputs))
            self.assertAlmostEqual(
                clip["keyRateHz"], (clip["keys"] - 1) / clip["durationSeconds"], places=3
            )
        self.assertEqual({c["name"]: c["seam"] for c in info["clips"]}["walk"], "inclusive")
        self.assertEqual({c["name"]: c["seam"] for c in info["clips"]}["fall"], "none")
        nodes = {n.get("name") for n in glb["nodes"]}
        for index, joint in enumerate(info["joints"]):
            self.assertIn(joint["name"], nodes)
            self.assertLess(joint["parent"], index)
        mesh = info["meshes"][0]
        primitive = glb["meshes"][0]["primitives"][0]
        self.assertEqual(
            mesh["vertices"], glb["accessors"][primitive["attributes"]["POSITION"]]["count"]
        )
        self.assertEqual(
            mesh["triangles"] * 3, glb["accessors"][primitive["indices"]]["count"]
        )
        self.assertEqual(mesh["morphTargets"], glb["meshes"][0]["extras"]["targetNames"])

    def test_text_names_the_clips(self):
        text = self.kiln("info", SAMPLE).stdout.decode()
        self.assertIn("walk", text)
        self.assertEqual(self.kiln("info", SAMPLE, "--quiet").stdout, b"")

    def test_height_scales(self):
        info = self.document("info", SAMPLE, "--height", "3.6")
        self.assertAlmostEqual(info["heightMeters"], 3.6, places=4)

    def test_clips_of_further_files_are_added(self):
        shutil.copy(SAMPLE, self.folder / "more.glb")
        info = self.document("info", SAMPLE, "more.glb")
        self.assertEqual(len(info["clips"]), 2 * len(read_glb(SAMPLE)["animations"]))


    def test_events_of_the_file_are_listed(self):
        rig = self.marked({"events": [{"name": "left", "seconds": 0.25}]})
        clip = next(c for c in self.document("info", rig)["clips"] if c["name"] == "walk")
        self.assertEqual(clip["events"], [{"name": "left", "seconds": 0.25}])
        self.assertIn("events: left at 0.250 s", self.kiln("info", rig).stdout.decode())
        clip = next(c for c in self.document("info", SAMPLE)["clips"] if c["name"] == "walk")
        self.assertEqual(clip["events"], [])

    def test_a_joint_map_names_partners(self):
        rigs = Path(__file__).parents[1] / "data" / "rigs"
        text = (rigs / "bend.bvh").read_text()
        for number, name in enumerate(["root", "middle", "tip"]):
            text = text.replace(name, f"Bone.{number}")
        (self.folder / "bend.bvh").write_text(text)
        files = [rigs / "strip.gltf", "bend.bvh"]
        self.refused("info", *files, code=3, error="InvalidInput", says="0 of 3 joints")
        joints = {"Bone.0": "root", "Bone.1": "middle", "Bone.2": "tip"}
        (self.folder / "map.json").write_text(json.dumps({"joints": joints}))
        fits = self.document("info", *files, "--map", "map.json")["fits"]
        self.assertEqual([fit["file"] for fit in fits], ["bend.bvh"])
        partners = {row["name"]: (row["rigJoint"], row["rule"]) for row in fits[0]["joints"]}
        self.assertEqual(partners, {name: (joints[name], "by hand") for name in joints})
        lines = self.kiln("info", *files, "--map", "map.json").stdout.decode()
        self.assertIn("3 of 3 joints matched (3 by hand)", lines)
        # The choices are in the sidecar, and verify reads the files by them.
        options = ["--clips", "bend (2)", "--map", "map.json", "--up", "z", "--rest", "keep"]
        baked = self.document("bake", *files, "-o", "o", *options)
        verified = self.document("verify", "o")
        self.assertEqual(baked["error"], verified["error"])
        (self.folder / "map.json").write_text(json.dumps({"joint": joints}))
        self.refused("info", *files, "--map", "map.json", code=3, says="joint is no key")
        self.refused("info", *files, "--map", "gone.json", code=3, error="FileNotFound")

    def test_axes_of_files_that_do_not_say_are_chosen(self):
        bvh = Path(__file__).parents[1] / "data" / "rigs" / "bend.bvh"
        upright = self.document("info", bvh)
        self.assertEqual(upright["upAxis"], "Y")
        self.assertIn("AxesFound", [note["code"] for note in upright["notes"]])
        self.assertEqual(self.document("info", bvh, "--up", "z")["upAxis"], "Z")
        x, md5 = bvh.with_name("strip.x"), bvh.with_name("strip.md5mesh")
        self.assertEqual(self.document("info", x)["upAxis"], "Y")
        self.assertEqual(self.document("info", md5)["upAxis"], "Z")
        self.assertEqual(self.document("info", md5, "--up", "y")["upAxis"], "Y")
        # The sidecar keeps the choice, and verify reads the file by it.
        baked = self.document("bake", x, "-o", "o", "--up", "z")
        self.assertEqual(baked["error"], self.document("verify", "o")["error"])
        for ending in ["gltf", "fbx", "dae"]:
            rig = bvh.with_name(f"strip.{ending}")
            self.refused("info", rig, "--up", "z", code=2, says="--up is about files that do not say")
            self.document("info", rig, bvh, "--up", "z")


class Pose(KilnTest):
    def test_rejects_two_scales(self):
        self.refused("pose", SAMPLE, "--height", "2", "--unit-scale", "0.1", code=2)

    def test_shape_of_the_document(self):
        pose = self.document("pose", SAMPLE, "--clip", "walk", "--time", "0.25", "--vertices", "7")
        self.assertEqual(pose["clip"], "walk")
        self.assertEqual(pose["timeSeconds"], 0.25)
        self.assertTrue(all(len(j["model"]) == 16 for j in pose["joints"]))
        mesh = pose["meshes"][0]
        self.assertEqual(len(mesh["vertexIndices"]), 7)
        for key in ["bindPositions", "positions", "normals"]:
            self.assertEqual(len(mesh[key]), 21)
        for i in range(0, 21, 3):
            self.assertAlmostEqual(sum(c * c for c in mesh["normals"][i : i + 3]), 1, places=6)
        whole = self.document("pose", SAMPLE, "--clip", "#1", "--time", "0.25")
        for place, index in enumerate(mesh["vertexIndices"]):
            self.assertEqual(
                whole["meshes"][0]["positions"][index * 3 : index * 3 + 3],
                mesh["positions"][place * 3 : place * 3 + 3],
            )

    def test_moments_pose_the_same_vertices(self):
        def by_hand(document, moment):
            skins, mesh = moment["skinMatrices"], document["meshes"][0]
            bound = list(mesh["bindPositions"])
            for target, weight in zip(mesh["morphTargets"], moment["morphWeights"][0]):
                for entry, vertex in enumerate(target["vertices"]):
                    for axis in range(3):
                        delta = target["positionDeltas"][entry * 3 + axis]
                        bound[vertex * 3 + axis] += weight * delta
            starts, posed = mesh["influenceStarts"], []
            for v in range(len(starts) - 1):
                point = bound[v * 3 : v * 3 + 3] + [1.0]
                for row in range(3):
                    posed.append(sum(
                        mesh["weights"][i]
                        * sum(skins[mesh["skinJoints"][i]][c * 4 + row] * point[c] for c in range(4))
                        for i in range(starts[v], starts[v + 1])))
            return posed

        several = self.document("pose", SAMPLE, "--clip", "wave", "--times", "0,0.75,1.3",
                                "--morph", "mouthOpen=0.5")
        self.assertEqual([m["timeSeconds"] for m in several["moments"]], [0, 0.75, 1.3])
        for moment in several["moments"]:
            single = self.document("pose", SAMPLE, "--clip", "wave", "--time", moment["timeSeconds"],
                                   "--morph", "mouthOpen=0.5")
            for a, b in zip(by_hand(several, moment), single["meshes"][0]["positions"]):
                self.assertAlmostEqual(a, b, places=5)
        for says, *asked in [
            ("--times", "--clip", "wave", "--times", "0,x"),
            ("--clip", "--times", "0"),
            ("--time", "--clip", "wave", "--times", "0", "--time", "1"),
            ("--vertices", "--clip", "wave", "--times", "0", "--vertices", "2"),
        ]:
            self.refused("pose", SAMPLE, *asked, code=2, says=says)

    def test_rest_pose_leaves_the_mesh_at_bind(self):
        pose = self.document("pose", SAMPLE)
        self.assertIsNone(pose["clip"])
        mesh = pose["meshes"][0]
        worst = max(abs(a - b) for a, b in zip(mesh["positions"], mesh["bindPositions"]))
        self.assertLess(worst, 1e-5)

    def test_morph_weights_move_vertices_in_proportion(self):
        def moved(weight):
            mesh = self.document("pose", SAMPLE, "--morph", f"smile={weight}")["meshes"][0]
            return max(abs(a - b) for a, b in zip(mesh["positions"], mesh["bindPositions"]))

        one, half = moved("1"), moved("0.5")
        self.assertGreater(one, 0.001)
        self.assertAlmostEqual(half, one / 2, places=5)

    def test_agrees_with_the_reference(self):
        for folder, file in [("fox", "Fox.glb"), ("cesium_man", "CesiumMan.glb")]:
            model = SHARED / "models" / folder / file
            found = sorted((SHARED / "models" / "reference" / folder).glob("*.three.json"))
            if not model.exists() or not found:
                self.skipTest("the folder with reference poses is not there")
            reference = json.loads(found[0].read_text())
            for sample in reference["clips"]:
                pose = self.document(
                    "pose", model, "--clip", f"#{sample['clipIndex']}",
                    "--time", repr(sample["time"]), "--vertices", "1",
                )
                joints = {j["name"]: j["model"] for j in pose["joints"]}
                size = max(abs(x) for j in sample["joints"] for x in j["matrix"])
                for joint in sample["joints"]:
                    ours = joints[joint["name"]]
                    worst = max(abs(a - b) for a, b in zip(ours, joint["matrix"]))
                    self.assertLess(worst, 1e-4 * size, (file, sample["time"], joint["name"]))


if __name__ == "__main__":
    unittest.main()
