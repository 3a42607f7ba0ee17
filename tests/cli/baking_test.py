"""Bakes of kiln, and their verification."""

import json
import math
import re
import shutil
import struct
import unittest

from kiln_driver import SAMPLE, SHARED, KilnTest, read_glb, with_json



class Bake(KilnTest):
    def test_rejects_what_cannot_be_written(self):
        (self.folder / "file").write_text("in the way")
        self.refused("bake", SAMPLE, "-o", "file/o", code=4, error="CannotWrite")
        self.refused("bake", SAMPLE, "-o", "/proc/o", code=4, error="CannotWrite")

    def test_verify_gives_the_same_figures(self):
        baked = self.document("bake", SAMPLE, "-o", "o", "--export", "ckatlas,exr,png,json")
        for arguments in [["--against", SAMPLE], []]:
            verified = self.document("verify", "o", *arguments)
            for key in ["atlas", "clips", "fetchesPerVertex", "error", "errorDirect", "files"]:
                self.assertEqual(
                    sorted(baked[key], key=str) if key == "files" else baked[key],
                    sorted(verified[key], key=str) if key == "files" else verified[key],
                )
        self.assertEqual({s["kind"] for s in verified["sets"]}, {"ckatlas", "exr", "png"})
        self.assertTrue(all(s["same"] for s in verified["sets"]))
        self.assertLess(baked["error"]["maxMm"], 1.0)
        for part in ("error", "errorDirect"):
            figures = baked[part]
            for key in ["maxMm", "p99Mm", "rmsMm", "maxDegrees", "shellMeters", "worst"]:
                self.assertIn(key, figures)
            vertex, pixels = figures["vertex"], figures["pixels"]
            self.assertEqual(figures["vertexMaxMm"], vertex["maxMm"])
            self.assertEqual(set(vertex), {"maxMm", "p99Mm", "rmsMm", "worst"})
            self.assertEqual(set(vertex["worst"]), {"clip", "mesh", "vertex", "joint", "timeSeconds"})
            self.assertEqual(
                (pixels["atMeters"], pixels["viewHeight"], pixels["fieldOfViewDegrees"]), (5, 1080, 40)
            )
            self.assertEqual(pixels["worst"], vertex["worst"])
            pixels_per_mm = 0.001 * 1080 / (2 * 5 * math.tan(math.radians(20)))
            for unit, key in [("maxMm", "max"), ("p99Mm", "p99"), ("rmsMm", "rms")]:
                self.assertAlmostEqual(pixels[key], pixels_per_mm * vertex[unit], places=9)
        said = self.kiln("verify", "o").stdout.decode()
        for words in ["vertices: ", "shell, 3 cm from joints: ", "screen, 5 m away, 1080 pixels high"]:
            self.assertEqual(said.count(words), 2, said)
        for file in baked["files"]:
            self.assertEqual((self.folder / "o" / file["name"]).stat().st_size, file["bytes"])
            self.assertRegex(file["xxh3"], "^[0-9a-f]{16}$")
        self.assertEqual(baked["atlas"]["texelsPerJoint"], 2)
        self.assertEqual(baked["fetchesPerVertex"], {"nearest": 8, "interpolated": 16})
        size = baked["atlas"]["width"] * baked["atlas"]["height"] * 8
        self.assertEqual(baked["atlas"]["bytes"], size)

    def test_every_encoding_and_layout_verifies(self):
        for encoding, bytes_per_texel, most in [("T32", 16, 1.0), ("T16", 8, 1.0), ("T8", 4, 8.0)]:
            for layout in [["rows"], ["tiles", "--tile", "256"], ["linear"]]:
                folder = encoding + layout[0]
                pictures = "ckatlas,exr" if encoding == "T32" else "ckatlas,exr,png"
                options = ["--encoding", encoding, "--layout", *layout, "--export", pictures]
                baked = self.document("bake", SAMPLE, "-o", folder, "--clips", "walk,run", *options)
                verified = self.document("verify", folder, "--max-error", str(most))
                self.assertEqual(baked["error"], verified["error"])
                self.assertTrue(all(s["same"] for s in verified["sets"]))
                atlas = verified["atlas"]
                self.assertEqual((atlas["encoding"], atlas["layout"]), (encoding, layout[0]))
                self.assertEqual(atlas["bytes"], atlas["width"] * atlas["height"] * bytes_per_texel)
                if layout != ["rows"]:
                    self.assertEqual(atlas["width"] & (atlas["width"] - 1), 0)
                # The figures of what is left out.
                self.assertEqual(baked["components"]["chosen"], "tr")
                losses = baked["components"]["lossMm"]
                self.assertLess(losses["tr"], 0.1)
                self.assertGreater(losses["r"], 100.0)

    def test_poses_about_the_pivot_verify_in_every_size(self):
        for encoding, bytes_per_joint, fetches, most, pictures in [
            ("P16F", 16, 8, 2.0, "ckatlas,exr,raw"), ("P8", 8, 8, 8.0, "ckatlas,exr,png,raw"),
            ("U128", 16, 4, 1.0, "ckatlas,raw"), ("U64", 8, 4, 4.0, "ckatlas,raw"),
            ("D16", 16, 8, 1.0, "ckatlas,exr,png,raw")
        ]:
            options = ["--encoding", encoding, "--export", pictures, "--clips", "walk,run"]
            baked = self.document("bake", SAMPLE, "-o", encoding, *options)
            verified = self.document("verify", encoding, "--max-error", str(most))
            self.assertEqual(baked["error"], verified["error"])
            self.assertTrue(all(s["same"] for s in verified["sets"]))
            self.assertEqual(len(verified["sets"]), pictures.count(",") + 1)
            atlas, joints = verified["atlas"], baked["atlas"]["joints"]
            self.assertEqual((atlas["encoding"], atlas["layout"]), (encoding, "rows"))
            frames = sum(clip["frames"] for clip in baked["clips"])
            self.assertEqual(atlas["bytes"], frames * joints * bytes_per_joint)
            self.assertEqual(baked["fetchesPerVertex"], {"nearest": fetches, "interpolated": 2 * fetches})
        # A frame has the places of joints that move behind the turns of all of them.
        for encoding, bytes_per_joint, bytes_per_track, most in [("R64", 8, 8, 2.0), ("R32", 4, 8, 12.0)]:
            options = ["--encoding", encoding, "--export", "ckatlas,raw", "--clips", "walk,run"]
            baked = self.document("bake", SAMPLE, "-o", encoding, *options)
            verified = self.document("verify", encoding, "--max-error", str(most))
            self.assertEqual(baked["error"], verified["error"])
            self.assertTrue(all(s["same"] for s in verified["sets"]))
            sidecar = json.loads((self.folder / encoding / "humanoid.atlas.json").read_text())
            tracks = [joint["track"] for joint in sidecar["joints"] if "track" in joint]
            self.assertEqual(tracks, list(range(len(tracks))))
            frames = sum(clip["frames"] for clip in baked["clips"])
            frame_bytes = len(sidecar["joints"]) * bytes_per_joint + len(tracks) * bytes_per_track
            self.assertEqual(verified["atlas"]["bytes"], frames * frame_bytes)
            self.assertEqual(baked["fetchesPerVertex"], {"nearest": 12, "interpolated": 12})
        self.refused("bake", SAMPLE, "-o", "x", "--encoding", "R32", "--range", "atlas", code=3,
                     says="choose ranges per joint, or per joint and clip")
        self.refused("bake", SAMPLE, "-o", "x", "--encoding", "U64", "--export", "png", code=2,
                     says="U64 has words of 32 bits (RG32UI); export ckatlas or raw")

    def test_matrices_verify_and_lie_in_a_line_unless_told_otherwise(self):
        for encoding, bytes_per_texel, pictures in [
            ("M32", 16, "ckatlas,exr"), ("M16", 8, "ckatlas,exr,png"), ("M16F", 8, "ckatlas,exr")
        ]:
            options = ["--encoding", encoding, "--export", pictures, "--clips", "walk"]
            baked = self.document("bake", SAMPLE, "-o", encoding, *options)
            verified = self.document("verify", encoding, "--max-error", "2")
            self.assertEqual(baked["error"], verified["error"])
            self.assertTrue(all(s["same"] for s in verified["sets"]))
            atlas = verified["atlas"]
            self.assertEqual((atlas["encoding"], atlas["layout"]), (encoding, "linear"))
            self.assertEqual(atlas["bytes"], atlas["width"] * atlas["height"] * bytes_per_texel)
            self.assertEqual(baked["fetchesPerVertex"], {"nearest": 12, "interpolated": 24})
        rows = self.document("bake", SAMPLE, "-o", "rows", "--clips", "walk", "--encoding", "M16", "--layout", "rows")
        self.assertEqual(rows["atlas"]["layout"], "rows")
        self.refused("bake", SAMPLE, "-o", "x", "--encoding", "M16", "--components", "tr", code=2, says="whole matrices")

    def test_the_method_matrix_draws_all_meshes_at_once_and_refuses_other_atlases(self):
        small = ["--size", "64x64", "--actors", "2", "--method", "matrix"]
        self.document("bake", SAMPLE, "-o", "p16", "--clips", "walk")
        self.refused("render", "p16", "-o", "no.png", *small, code=3, says="bake with M32, M16 or M16F")
        drawn = self.document("render", SAMPLE, "-o", "yes.png", *small, "--encoding", "M16")
        self.assertEqual((drawn["method"], drawn["draws"], drawn["fetchesPerVertex"]), ("matrix", 1, 24))

    def test_layout_options_do_what_they_say(self):
        walk = ["--clips", "walk"]
        square = self.document("bake", SAMPLE, "-o", "a", *walk, "--texture-size", "256x128")
        self.assertEqual((square["atlas"]["width"], square["atlas"]["height"]), (256, 128))
        even = self.document("bake", SAMPLE, "-o", "b", *walk, "--power-of-two", "on")
        self.assertEqual((even["atlas"]["width"], even["atlas"]["height"]), (128, 64))
        self.assertEqual(square["error"], even["error"])
        all_three = self.document(
            "bake", SAMPLE, "-o", "c", *walk, "--encoding", "T16", "--components", "trs"
        )
        self.assertEqual(all_three["fetchesPerVertex"], {"nearest": 12, "interpolated": 24})
        flat = self.document("bake", SAMPLE, "-o", "d", *walk, "--encoding", "T16", "--components", "r")
        self.assertEqual(flat["atlas"]["texelsPerJoint"], 1)
        self.assertIn("ComponentsDropped", [n["code"] for n in flat["notes"]])
        self.assertGreater(flat["error"]["maxMm"], 100.0)
        small = ["--layout", "tiles", "--tile", "70"]
        tiled = self.document("bake", SAMPLE, "-o", "e", "--clips", "idle", "--rate", "60", *small)
        self.assertIn("ResampledToTile", [n["code"] for n in tiled["notes"]])
        self.assertEqual(tiled["clips"][0]["frames"], 70)

    def test_options_that_do_not_fit_are_refused(self):
        bake = ["bake", SAMPLE, "-o", "o", "--clips", "walk"]
        self.refused(*bake, "--encoding", "T32", "--export", "png", code=2, says="floats")
        self.refused(*bake, "--tile", "64", code=2, says="--layout tiles")
        self.refused(*bake, "--texture-size", "big", code=2, says="--texture-size")
        self.refused(*bake, "--components", "r", code=2, says="P16")
        odd = ["--power-of-two", "on", "--texture-size", "100x600"]
        self.refused(*bake, *odd, code=2, says="64 and 128")
        few = ["--layout", "tiles", "--texture-size", "512"]
        self.refused("bake", SAMPLE, "-o", "o", *few, code=3, says="1024 x 1024 would hold them")
        self.refused(*bake, "--layout", "tiles", "--tile", "16", code=3, says="tiles of 128")

    def test_scaled_bake_verifies_with_the_same_figures(self):
        baked = self.document("bake", SAMPLE, "-o", "o", "--height", "2", "--clips", "walk")
        verified = self.document("verify", "o")
        self.assertEqual(baked["error"], verified["error"])
        self.assertEqual(baked["atlas"]["unitScale"], verified["atlas"]["unitScale"])

    def test_bytes_depend_on_nothing_but_input_and_options(self):
        every = ["--export", "ckatlas,exr,png,json"]
        documents, sets = [], []
        for place, threads, kind in [("a", "1", "glb"), ("b", "2", "crowd"), ("c/deep/er", "5", "glb")]:
            folder = self.folder / place
            folder.mkdir(parents=True)
            shutil.copy(SAMPLE, folder / "humanoid.glb")
            project = {"format": "crowdkiln-project", "version": 1, "minReader": 1, "needs": "0.1",
                       "characters": [{"sources": [{"path": "humanoid.glb"}]}]}
            (folder / "humanoid.crowd").write_text(json.dumps(project))
            # By a relative and an absolute path, and as a project with nothing but that rig.
            given = f"{place}/humanoid.{kind}" if threads != "5" else folder / "humanoid.glb"
            documents.append(self.document("bake", given, "-o", f"{place}/o", "--threads", threads, *every))
            sets.append(self.bytes_of(folder / "o"))
        self.assertEqual(documents[0], documents[2])
        self.assertTrue(sets[0] == sets[1] and sets[0] == sets[2])

    def test_limits_that_are_not_met_end_with_1(self):
        narrow = ["--clips", "walk", "--frames", "5"]
        met = self.document("bake", SAMPLE, "-o", "a", *narrow, "--max-error", "2000")
        self.assertTrue(met["limits"][0]["met"])
        missed = self.document("bake", SAMPLE, "-o", "b", *narrow, "--max-error", "0.01", code=1)
        self.assertFalse(missed["limits"][0]["met"])
        self.assertEqual(missed["limits"][0]["value"], missed["error"]["vertex"]["maxMm"])
        direct = self.document(
            "bake", SAMPLE, "-o", "c", *narrow, "--max-error", "0.01", "--reading", "direct", code=1
        )
        self.assertEqual(direct["limits"][0]["value"], direct["errorDirect"]["vertex"]["maxMm"])
        size = met["atlas"]["bytes"]
        self.document("bake", SAMPLE, "-o", "d", *narrow, "--max-bytes", size)
        self.document("bake", SAMPLE, "-o", "d", *narrow, "--max-bytes", size - 1, code=1)
        self.document("bake", SAMPLE, "-o", "d", *narrow, "--max-bytes", "1M")
        self.document("verify", "b", "--max-error", "0.01", code=1)

    def test_shell_and_screen_have_limits_of_their_own(self):
        narrow = ["bake", SAMPLE, "-o", "o", "--clips", "walk", "--frames", "5"]
        baked = self.document(*narrow)
        for option, key, where in [
            ("--max-error", "maxMm", ["vertex"]), ("--max-shell", "maxMm", []), ("--max-pixels", "max", ["pixels"])
        ]:
            for reading, part in [("palette", "error"), ("direct", "errorDirect")]:
                figures = baked[part]
                for step in where:
                    figures = figures[step]
                value = figures[key]
                for command in (narrow, ["verify", "o"]):
                    limit = ["--reading", reading, option]
                    met = self.document(*command, *limit, str(1.01 * value))
                    self.assertEqual(
                        met["limits"], [{"name": option[2:], "limit": 1.01 * value, "value": value, "met": True}]
                    )
                    self.document(*command, *limit, str(0.99 * value), code=1)

    def test_the_screen_is_what_options_say(self):
        bake = ["bake", SAMPLE, "-o", "o", "--clips", "walk", "--frames", "5"]
        near = self.document(*bake, "--max-pixels", "1000@2")["error"]["pixels"]
        far = self.document(*bake, "--screen-distance", "20")["error"]["pixels"]
        self.assertEqual((near["atMeters"], far["atMeters"]), (2, 20))
        self.assertAlmostEqual(near["max"], 10 * far["max"], places=9)
        wide = self.document(*bake, "--screen-height", "2160", "--screen-angle", "90")["error"]["pixels"]
        self.assertEqual((wide["viewHeight"], wide["fieldOfViewDegrees"]), (2160, 90))
        # The sidecar keeps the screen, and verify states another one if it is asked to.
        self.assertEqual(self.document("verify", "o")["error"]["pixels"], wide)
        other = self.document("verify", "o", "--screen-distance", "10")["error"]["pixels"]
        self.assertAlmostEqual(other["max"], 0.5 * wide["max"], places=9)
        self.document(*bake, "--max-pixels", "1000@2", "--screen-distance", "2")
        for wrong in ("@2", "2@", "2@0", "0", "2@nan", "inf", "2 px"):
            self.refused(*bake, "--max-pixels", wrong, code=2, says="is not a number of pixels")
        self.refused(*bake, "--max-pixels", "2@4", "--screen-distance", "5", code=2, says="two distances")
        for option in ("--screen-distance", "--screen-height", "--screen-angle"):
            for wrong in ("0", "-1", "nan", "1e9"):
                self.refused(*bake, option, wrong, code=2, says=option)

    def test_a_fast_key_step_is_said(self):
        walk = SHARED / "models" / "bvh_cmu" / "01_01.bvh"
        if not walk.exists():
            self.skipTest(f"{walk} is not there")
        baked = self.document("bake", walk, "-o", "o")
        note = next(note for note in baked["notes"] if note["code"] == "FastKeySteps")
        self.assertIn("'01_01' (480 frames a second in place of 120, because of the step at", note["message"])
        slower = self.document("bake", walk, "-o", "p", "--rate", "120")
        self.assertNotIn("FastKeySteps", [note["code"] for note in slower["notes"]])
        self.assertGreater(baked["clips"][0]["frames"], 3.9 * slower["clips"][0]["frames"])

    def test_settings_reach_the_atlas(self):
        document = self.document(
            "bake", SAMPLE, "-o", "o", "--clips", "walk,#0", "--frames", "9", "--influences", "2",
            "--loop", "ping-pong", "--interpolate", "off", "--range", "joint-clip",
            "--export", "png",
        )
        self.assertEqual([c["name"] for c in document["clips"]], ["walk", "idle"])
        self.assertEqual([c["frames"] for c in document["clips"]], [9, 9])
        self.assertEqual({c["loop"] for c in document["clips"]}, {"ping-pong"})
        self.assertEqual(document["fetchesPerVertex"], {"nearest": 4, "interpolated": 8})
        self.assertEqual(document["atlas"]["range"], "joint-clip")
        names = {f["name"] for f in document["files"]}
        self.assertEqual(names, {"humanoid.atlas.json", "humanoid.atlas.png"})

    def test_stripped_root_is_recorded_and_verifies(self):
        baked = self.document("bake", SAMPLE, "-o", "o", "--root", "strip", "--clips", "fall")
        sidecar = json.loads((self.folder / "o" / "humanoid.atlas.json").read_text())
        self.assertEqual(sidecar["clips"][0]["shape"]["root"]["motion"], "strip")
        self.assertEqual(self.document("verify", "o")["error"], baked["error"])

    def test_extracted_ways_and_loop_offsets_are_recorded_and_verify(self):
        baked = self.document(
            "bake", SAMPLE, "-o", "o", "--clips", "fall,walk", "--root", "keep", "--root",
            "fall=extract", "--root-axes", "fall=x,z", "--loop-offset", "walk=0.25",
        )
        sidecar = json.loads((self.folder / "o" / "humanoid.atlas.json").read_text())
        fall, walk = sidecar["clips"]
        self.assertEqual(
            fall["shape"]["root"],
            {"motion": "extract", "x": True, "y": False, "z": True, "yaw": False},
        )
        self.assertEqual(len(fall["rootMotion"]), 4 * fall["frames"])
        self.assertEqual(fall["rootMotion"][:4], [0, 0, 0, 0])
        self.assertGreater(max(abs(x) for x in fall["rootMotion"]), 0.1)
        self.assertEqual(walk["shape"]["loopOffset"], 0.25)
        self.assertNotIn("rootMotion", walk)
        self.assertIn("rotateY", sidecar["decode"]["rootMotion"])
        self.assertEqual(self.document("verify", "o")["error"], baked["error"])

    def test_rejects_ways_and_offsets_that_cannot_be(self):
        bake = ["bake", SAMPLE, "-o", "o", "--clips", "fall,walk"]
        self.refused(*bake, "--root", "idle=strip", code=2, says="--clips leaves it out")
        self.refused(*bake, "--root", "fly=strip", code=2, says="there is no clip 'fly'")
        self.refused(*bake, "--root-axes", "x,x", code=2, says="x, y, z and yaw")
        self.refused(*bake, "--root-joint", "tail", code=2, says="a joint of the rig")
        self.refused(*bake, "--loop-offset", "1", code=2, says="from 0 to below 1")
        self.refused(*bake, "--loop-offset", "fall=0.5", code=3, says="does not close")

    def test_sockets_reach_the_sidecar_and_verify(self):
        rig = self.with_node("grip", parent="hand_R", translation=[0.0, 0.08, 0.0])
        self.assertEqual(self.document("info", rig)["socketCandidates"], ["grip"])
        baked = self.document("bake", rig, "-o", "o", "--clips", "walk", "--socket", "grip")
        sidecar = json.loads((self.folder / "o" / "humanoid.atlas.json").read_text())
        joints = sidecar["joints"]
        self.assertEqual([j["name"] for j in joints if j.get("socket")], ["grip"])
        number = next(i for i, j in enumerate(joints) if j["name"] == "grip")
        self.assertEqual(sidecar["sockets"], [{"name": "grip", "joint": number}])
        self.assertEqual(joints[joints[number]["parent"]]["name"], "hand_R")
        self.assertEqual(self.document("verify", "o")["error"], baked["error"])
        missing = self.document("bake", rig, "-o", "p", "--clips", "walk", "--socket", "tail")
        self.assertIn("SocketMissing", [n["code"] for n in missing["notes"]])

    def with_node(self, name, parent, translation):
        """The sample with another node below one of its own, which moves nothing."""
        glb = read_glb(SAMPLE)
        above = next(node for node in glb["nodes"] if node.get("name") == parent)
        above.setdefault("children", []).append(len(glb["nodes"]))
        glb["nodes"].append({"name": name, "translation": translation})
        path = self.folder / "humanoid.glb"
        path.write_bytes(with_json(SAMPLE.read_bytes(), glb))
        return path

    def test_the_encoding_is_chosen_by_what_clips_do(self):
        for folder, options in [("usual", []), ("auto", ["--encoding", "auto"]), ("P16", ["--encoding", "P16"])]:
            baked = self.document("bake", SAMPLE, "-o", folder, "--clips", "walk", *options)
            self.assertEqual(baked["atlas"]["encoding"], "P16")
            self.assertNotIn("EncodingChosen", [note["code"] for note in baked["notes"]])
        texels = {(self.folder / folder / "humanoid.ckatlas").read_bytes()[40:] for folder in ["auto", "P16"]}
        self.assertEqual(len(texels), 1)
        # An arm that is longer than wide shears its hand, which turns.
        glb = read_glb(SAMPLE)
        next(node for node in glb["nodes"] if node.get("name") == "upper_arm_L")["scale"] = [1, 1.7, 1]
        (self.folder / "arm.glb").write_bytes(with_json(SAMPLE.read_bytes(), glb))
        chosen = self.document("bake", "arm.glb", "-o", "chosen", "--clips", "run")
        named = self.document("bake", "arm.glb", "-o", "named", "--clips", "run", "--encoding", "P16")
        self.assertEqual((chosen["atlas"]["encoding"], named["atlas"]["encoding"]), ("M16", "P16"))
        self.assertLess(chosen["error"]["vertexMaxMm"], 1)
        for document, code in [(chosen, "EncodingChosen"), (named, "ScaleDropped")]:
            said = next(note["message"] for note in document["notes"] if note["code"] == code)
            stated = float(re.search(r"up to ([0-9.]+) mm", said)[1])
            # The error also has moments between frames.
            self.assertLess(abs(stated / named["error"]["vertexMaxMm"] - 1), 0.05, said)
        self.assertTrue(self.document("verify", "chosen")["sets"][0]["same"])

    def test_rate_decides_the_frames(self):
        document = self.document("bake", SAMPLE, "-o", "o", "--clips", "idle", "--rate", "15")
        clip = document["clips"][0]
        self.assertEqual(clip["frames"], round(clip["durationSeconds"] * 15) + 1)


    def test_frames_that_interpolation_gives_back_are_left_out(self):
        whole = self.document("bake", SAMPLE, "-o", "0", "--clips", "idle,fall")
        sizes, errors = [whole["atlas"]["bytes"]], [whole["error"]["vertexMaxMm"]]
        for mm in ["0.5", "2", "8"]:
            baked = self.document("bake", SAMPLE, "-o", mm, "--clips", "idle,fall", "--reduce", mm)
            self.assertEqual(baked["atlas"]["reduceMm"], float(mm))
            for clip, even in zip(baked["clips"], whole["clips"]):
                self.assertEqual(clip["moments"], even["frames"])
                self.assertLess(clip["frames"], clip["moments"])
            sidecar = json.loads((self.folder / mm / "humanoid.atlas.json").read_text())
            self.assertEqual((sidecar["version"], sidecar["reduceMm"]), (1, float(mm)))
            note = next(note for note in baked["notes"] if note["code"] == "FramesLeftOut")
            self.assertIn(f"within {mm} mm are left out", note["message"])
            self.assertLess(baked["error"]["vertexMaxMm"], whole["error"]["vertexMaxMm"] + 1.1 * float(mm))
            verified = self.document("verify", mm)
            self.assertEqual(verified["error"], baked["error"])
            self.assertTrue(all(s["same"] for s in verified["sets"]))
            sizes.append(baked["atlas"]["bytes"])
            errors.append(baked["error"]["vertexMaxMm"])
        self.assertEqual(sizes, sorted(sizes, reverse=True))
        self.assertEqual(errors, sorted(errors))
        self.assertLess(sizes[3], 0.6 * sizes[0])

    def test_refuses_to_leave_out_what_nothing_gives_back(self):
        self.refused("bake", SAMPLE, "-o", "o", "--reduce", "1", "--interpolate", "off", code=2,
                     says="--reduce: without interpolation")
        for value in ["-1", "1001", "nan", "much"]:
            self.refused("bake", SAMPLE, "-o", "o", "--reduce", value, code=2, says="--reduce")

    def test_rejects_events_that_are_nowhere(self):
        bake = ["bake", SAMPLE, "-o", "o", "--clips", "walk", "--event"]
        for event in ("walk", "walk:x=step", "walk:0.2", "walk:0.2="):
            self.refused(*bake, event, code=2, says="is not CLIP:SECONDS=NAME")
        self.refused(*bake, "fly:0=step", code=2, says="there is no clip 'fly'")
        self.refused(*bake, "walk:60=step", code=2, says="60 s is not in the clip 'walk'")
        self.refused(*bake, "walk:0=step", "--export", "ckatlas", code=2, says="in the sidecar")

    def test_events_of_file_and_options_reach_the_sidecar_and_the_crowd(self):
        rig = self.marked({"markers": {"left": 0.0}})
        seconds = next(
            c["durationSeconds"] for c in self.document("info", rig)["clips"] if c["name"] == "walk"
        )
        document = self.document(
            "bake", rig, "-o", "o", "--clips", "walk", "--event", f"walk:{seconds / 2}=a:1=b"
        )
        self.assertTrue(all(one["same"] for one in document["sets"]))
        sidecar = json.loads((self.folder / "o" / "marked.atlas.json").read_text())
        events = sidecar["clips"][0]["events"]
        self.assertEqual([event["name"] for event in events], ["left", "a:1=b"])
        self.assertEqual(events[0]["unit"], 0)
        self.assertAlmostEqual(events[1]["unit"], 0.5, places=9)

    def test_a_texture_that_is_too_small_is_refused_with_one_that_fits(self):
        for size, layout in [("128x128", "rows"), ("70x10", "rows"), ("2048x16", "rows"),
                             ("64x64", "rows"), ("64x64", "linear")]:
            asked = ["bake", SAMPLE, "-o", "o", "--layout", layout, "--texture-size"]
            refusal = self.refused(*asked, size, code=3, says="would hold them")
            fits = re.search(r"(\d+) x (\d+) texels would hold them", refusal["message"])
            self.assertIsNotNone(fits, refusal["message"])
            baked = self.document(*asked, "x".join(fits.groups()))
            self.assertEqual([baked["atlas"]["width"], baked["atlas"]["height"]],
                             [int(side) for side in fits.groups()])

    def test_ways_that_are_not_taken_out_are_refused(self):
        for arguments in [("--root-joint", "hips"), ("--root-axes", "x"),
                          ("--root", "strip", "--root-axes", "yaw")]:
            self.refused("bake", SAMPLE, "-o", "o", *arguments, code=2, says="--root")
        self.assertFalse((self.folder / "o").exists())


class Verify(KilnTest):
    def test_rejects_folders_without_a_whole_atlas(self):
        self.refused("verify", "nowhere", code=3)
        (self.folder / "empty").mkdir()
        self.refused("verify", "empty", code=3)

    def test_rejects_a_damaged_set(self):
        self.document("bake", SAMPLE, "-o", "o", "--clips", "walk", "--export", "ckatlas,png,json")
        good = self.bytes_of(self.folder / "o")
        for name, bytes_before in good.items():
            for damage in ["cut", "altered"]:
                with self.subTest(name=name, damage=damage):
                    changed = bytearray(bytes_before)
                    if damage == "cut":
                        changed = changed[: len(changed) // 2]
                    else:
                        changed[len(changed) // 2] ^= 0x15
                    (self.folder / "o" / name).write_bytes(changed)
                    self.refused("verify", "o", "--against", SAMPLE, code=3)
                    (self.folder / "o" / name).write_bytes(bytes_before)
        self.document("verify", "o", "--against", SAMPLE)

    def test_rejects_figures_that_were_not_measured(self):
        self.document("bake", SAMPLE, "-o", "o", "--clips", "walk")
        path = self.folder / "o" / "humanoid.atlas.json"
        text = path.read_text()
        sidecar = json.loads(text)
        for part, *keys in [
            ("error", "maxMm"), ("errorDirect", "vertexMaxMm"), ("error", "vertex", "p99Mm"),
            ("errorDirect", "pixels", "max"),
        ]:
            changed = json.loads(text)
            figures = changed[part]
            for key in keys[:-1]:
                figures = figures[key]
            figures[keys[-1]] *= 0.5
            path.write_text(json.dumps(changed))
            self.refused("verify", "o", code=3, says=".".join([part, *keys]))
        changed = json.loads(text)
        changed["error"]["worst"]["joint"] = "nobody"
        path.write_text(json.dumps(changed))
        self.refused("verify", "o", code=3, says="nobody")
        del changed["error"]["p99Mm"]
        path.write_text(json.dumps(changed))
        self.refused("verify", "o", code=3, says="incomplete")
        path.write_text(text)
        self.document("verify", "o")

    def test_figures_that_another_version_rounded_are_accepted(self):
        self.document("bake", SAMPLE, "-o", "o", "--clips", "walk", "--export", "json,png")
        path = self.folder / "o" / "humanoid.atlas.json"
        sidecar = json.loads(path.read_text())
        sidecar["error"]["maxMm"] *= 1.0005
        sidecar["error"]["worst"]["timeSeconds"] += 0.001
        path.write_text(json.dumps(sidecar))
        self.document("verify", "o")
        sidecar["error"]["maxMm"] *= 1.5
        path.write_text(json.dumps(sidecar))
        self.refused("verify", "o", code=3, says="error.maxMm")

    def strip_with_a_morph(self):
        """The strip with a morph target 'bulge', which the clip 'bend' shows, and two events."""
        rig = json.loads((SAMPLE.parents[2] / "tests" / "data" / "rigs" / "strip.gltf").read_text())
        # The normals (0, 0, 1) serve as differences, and the times 0 and 1 s as weights.
        rig["meshes"][0]["primitives"][0]["targets"] = [{"POSITION": 1}]
        rig["meshes"][0]["extras"] = {"targetNames": ["bulge"]}
        bend = rig["animations"][0]
        bend["channels"].append(
            {"sampler": len(bend["samplers"]), "target": {"node": 3, "path": "weights"}}
        )
        bend["samplers"].append({"input": 7, "output": 7})
        bend["extras"] = {"events": {"left": 0.25, "right": 0.75}}
        path = self.folder / "strip.gltf"
        path.write_text(json.dumps(rig))
        return path

    def test_rejects_wrong_lengths_weights_and_events(self):
        rig = self.strip_with_a_morph()
        event = ["--event", "rise:1=jump"]
        self.document("bake", rig, "-o", "o", "--export", "png,json", *event)
        path = self.folder / "o" / "strip.atlas.json"
        text = path.read_text()
        sidecar = json.loads(text)
        bend, rise = sidecar["clips"]
        self.assertEqual([event["added"] for event in bend["events"]], [False, False])
        self.assertEqual(rise["events"], [{"name": "jump", "unit": 0.5, "added": True}])
        self.assertEqual((bend["eventsLeftOut"], rise["eventsLeftOut"]), (0, 0))
        self.document("verify", "o")

        def forged(change, says):
            changed = json.loads(text)
            change(changed)
            path.write_text(json.dumps(changed))
            self.refused("verify", "o", code=3, error="InvalidInput", says=says)

        def set_length(changed):
            changed["clips"][0]["durationSeconds"] = 1.5

        def set_exclusive(changed):
            changed["clips"][0].update(seam="exclusive", durationSeconds=1.5)

        def set_weight(changed):
            changed["morphs"]["clips"][0]["weights"][8] += 2

        def set_loss(changed):
            changed["morphs"]["clips"][0]["lossMm"] = 0.25

        def rename_event(changed):
            changed["clips"][0]["events"][0]["name"] = "lift"

        def move_event(changed):
            changed["clips"][0]["events"][1]["unit"] = 0.7

        def drop_events(changed):
            del changed["clips"][0]["events"]

        forged(set_length, "clip 'bend' is 1.5000 s long there and 1.0000 s here")
        forged(set_exclusive, "clip 'bend' is 1.5000 s long there and 2.0000 s here")
        forged(set_weight, "clip 'bend' gives 'bulge'")
        forged(set_loss, "clip 'bend' states that they lose 0.2500 mm")
        forged(rename_event, "clip 'bend' has no event 'lift' at 0.2500 s")
        forged(move_event, "clip 'bend' has no event 'right' at 0.7000 s")
        forged(drop_events, "clip 'bend' lacks the event 'left'")
        path.write_text(text)
        self.document("verify", "o")

    def test_keeps_morph_weights_in_the_form_that_is_asked_for(self):
        def baked(*options):
            document = self.document("bake", SAMPLE, "-o", "o", "--clips", "cheer", "--export",
                                     "png,json,ckatlas", *options)
            self.document("verify", "o")
            sidecar = json.loads((self.folder / "o" / "humanoid.atlas.json").read_text())
            return document, sidecar["clips"][0], sidecar["morphs"]

        times = None
        for slots, bits in (8, 8), (3, 16), (64, 16), (2, 8):
            document, clip, morphs = baked("--morph-slots", str(slots), "--morph-bits", str(bits))
            self.assertEqual(morphs["slotsPerFrame"], slots)
            self.assertEqual(morphs.get("bitsPerWeight", 8), bits)
            entry = morphs["clips"][0]
            self.assertEqual(len(entry["slots"]), min(slots, 3))
            self.assertEqual(len(entry["weights"]), slots * clip["frames"])
            most = (1 << bits) - 1
            self.assertEqual(max(entry["weights"]), most)
            self.assertEqual("MorphsReduced" in [note["code"] for note in document["notes"]], slots == 2)
            # The weights of the rig by another way than the bake's.
            step = clip["durationSeconds"] / (clip["frames"] - 1)
            times = [clip["startSeconds"] + i * step for i in range(clip["frames"])]
            posed = self.document("pose", SAMPLE, "--clip", "cheer", "--times", ",".join(map(repr, times)))
            names = [target["name"] for target in posed["meshes"][0]["morphTargets"]]
            for i, moment in enumerate(posed["moments"]):
                for at, slot in enumerate(entry["slots"]):
                    name = morphs["targets"][slot["morph"]]["name"]
                    due = moment["morphWeights"][0][names.index(name)]
                    shown = slot["low"] + slot["size"] * entry["weights"][i * slots + at] / most
                    self.assertLessEqual(abs(shown - due), slot["size"] / (2 * most) + 1e-6)
        self.assertGreater(len(times), 2)

    def test_damaged_sidecar_is_told_with_its_line(self):
        self.document("bake", SAMPLE, "-o", "o", "--clips", "walk")
        path = self.folder / "o" / "humanoid.atlas.json"
        lines = path.read_text().split("\n")
        lines[3] = lines[3] + " }"
        path.write_text("\n".join(lines))
        self.refused("verify", "o", code=3, says="humanoid.atlas.json: line ")
        lines[3] = lines[3][:-2]
        path.write_text("\n".join(lines[:20]))
        self.refused("verify", "o", code=3, says="cut short")

    def test_source_that_is_gone_is_asked_for(self):
        shutil.copy(SAMPLE, self.folder / "man.glb")
        self.document("bake", "man.glb", "-o", "o", "--clips", "walk")
        (self.folder / "away").mkdir()
        (self.folder / "man.glb").rename(self.folder / "away" / "moved.glb")
        self.refused("verify", "o", code=3, error="FileNotFound", says="--against")
        self.document("verify", "o", "--against", "away/moved.glb")

    def test_source_is_found_from_any_folder_and_after_a_move(self):
        place = self.folder / "here"
        place.mkdir()
        shutil.copy(SAMPLE, place / "man.glb")
        baked = self.document("bake", "here/man.glb", "-o", "here/o", "--clips", "walk")
        self.assertEqual(self.document("verify", "here/o")["error"], baked["error"])
        place.rename(self.folder / "there")
        self.assertEqual(self.document("verify", "there/o")["error"], baked["error"])

    def test_clips_of_further_files_are_asked_for(self):
        shutil.copy(SAMPLE, self.folder / "more.glb")
        clips = ["--clips", "walk,walk (2)"]
        baked = self.document("bake", SAMPLE, "more.glb", "-o", "o", *clips)
        for arguments in [[], ["--against", SAMPLE, "more.glb"]]:
            verified = self.document("verify", "o", *arguments)
            self.assertEqual(baked["error"], verified["error"])
        (self.folder / "o" / "humanoid.atlas.json").rename(self.folder / "sidecar")
        self.refused("verify", "o", code=3, says="walk (2)")
        (self.folder / "sidecar").rename(self.folder / "o" / "humanoid.atlas.json")
        (self.folder / "away").mkdir()
        (self.folder / "more.glb").rename(self.folder / "away" / "more.glb")
        self.refused("verify", "o", code=3, error="FileNotFound", says="'../more.glb'")

    def test_source_that_changed_is_told(self):
        shutil.copy(SAMPLE, self.folder / "man.glb")
        self.document("bake", "man.glb", "-o", "o", "--clips", "walk")
        # A byte behind the JSON's last brace is padding: the rig stays the same.
        data = bytearray((self.folder / "man.glb").read_bytes())
        length = struct.unpack_from("<I", data, 12)[0]
        text = json.loads(data[20 : 20 + length])
        text["asset"]["copyright"] = "changed"
        packed = json.dumps(text).encode()
        packed += b" " * (-len(packed) % 4)
        rest = bytes(data[20 + length :])
        whole = struct.pack("<III", 0x46546C67, 2, 20 + len(packed) + len(rest))
        (self.folder / "man.glb").write_bytes(
            whole + struct.pack("<II", len(packed), 0x4E4F534A) + packed + rest
        )
        self.refused("verify", "o", code=3, says="hash")
        told = self.document("verify", "o", "--against", "man.glb")
        self.assertEqual([n["code"] for n in told["notes"]], ["SourceDiffers"])

    def test_every_atlas_of_the_folder_is_reported(self):
        shutil.copy(SAMPLE, self.folder / "second.glb")
        first = self.document("bake", SAMPLE, "-o", "o", "--clips", "walk", "--export", "ckatlas,png")
        second = self.document("bake", "second.glb", "-o", "o", "--clips", "run", "--rate", "9")
        verified = self.document("verify", "o")
        self.assertEqual(verified["name"], "humanoid")
        self.assertEqual(verified["error"], first["error"])
        self.assertEqual([o["name"] for o in verified["others"]], ["second"])
        self.assertEqual(verified["others"][0]["error"], second["error"])

    def test_other_rig_does_not_fit(self):
        fox = SHARED / "models" / "fox" / "Fox.glb"
        if not fox.exists():
            self.skipTest("the folder with other rigs is not there")
        self.document("bake", SAMPLE, "-o", "o", "--clips", "walk")
        self.refused("verify", "o", "--against", fox, code=3)


if __name__ == "__main__":
    unittest.main()
