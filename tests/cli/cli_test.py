"""Drives the real kiln from outside and holds it to docs/cli.md.

Needs KILN (the program) and CK_SOURCE_DIR in the environment; CK_SHARED_DIR names a folder with
reference poses, whose tests are skipped where it is not there. Python's standard library only.
"""

import json
import os
import pty
import shutil
import signal
import struct
import subprocess
import tempfile
import time
import unittest
import zlib
from pathlib import Path

KILN = os.environ["KILN"]
SAMPLE = Path(os.environ["CK_SOURCE_DIR"]) / "resources" / "samples" / "humanoid.glb"
SHARED = Path(os.environ.get("CK_SHARED_DIR", "/nowhere"))

ERROR_CODES = set(
    """FileNotFound FileUnreadable Unsupported InvalidInput LimitExceeded Cancelled ImportFailed
    ImportCrashed ImportTimeout ImportMemory ImportBadResult ImportNoWorker CannotWrite NoGraphics
    Internal""".split()
)


class KilnTest(unittest.TestCase):
    """A temporary folder and ways to run kiln in it."""

    maxDiff = 2000

    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="kiln-test-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def kiln(self, *arguments, **environment):
        return subprocess.run(
            [KILN, *map(str, arguments)],
            cwd=self.folder,
            env={**os.environ, **environment},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=300,
        )

    def document(self, *arguments, code=0, **environment):
        """The one JSON document on standard output."""
        done = self.kiln(*arguments, "--json", **environment)
        self.assertEqual(done.returncode, code, done.stderr.decode(errors="replace"))
        return json.loads(done.stdout.decode("utf-8"))

    def refused(self, *arguments, code, error=None, says="", **environment):
        """One clear sentence, as text and as a document."""
        done = self.kiln(*arguments, **environment)
        sentence = done.stderr.decode()
        self.assertEqual(done.returncode, code, sentence)
        self.assertEqual(done.stdout, b"")
        self.assertEqual(len(sentence.strip().splitlines()), 1, sentence)
        self.assertIn(says, sentence)
        document = self.document(*arguments, code=code, **environment)
        self.assertEqual(set(document), {"error"})
        self.assertIn(document["error"]["code"], ERROR_CODES)
        if error:
            self.assertEqual(document["error"]["code"], error)
        self.assertIn(says, document["error"]["message"])
        return document["error"]

    def bytes_of(self, folder):
        return {p.name: p.read_bytes() for p in Path(folder).iterdir()}


def read_glb(path):
    data = Path(path).read_bytes()
    length = struct.unpack_from("<I", data, 12)[0]
    return json.loads(data[20 : 20 + length])


def read_png(path):
    """Width, height and RGBA bytes of an 8-bit PNG."""
    data = Path(path).read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    at, packed = 8, b""
    while at < len(data):
        length, kind = struct.unpack_from(">I4s", data, at)
        body = data[at + 8 : at + 8 + length]
        if kind == b"IHDR":
            width, height, depth, colour = struct.unpack_from(">IIBB", body)
            assert (depth, colour) == (8, 6)
        if kind == b"IDAT":
            packed += body
        at += 12 + length
    raw = zlib.decompress(packed)
    stride = width * 4
    assert len(raw) == height * (stride + 1)
    pixels, above = bytearray(), bytes(stride)
    for y in range(height):
        kind = raw[y * (stride + 1)]
        row = bytearray(raw[y * (stride + 1) + 1 : (y + 1) * (stride + 1)])
        for x in range(stride):
            left = row[x - 4] if x >= 4 else 0
            corner = above[x - 4] if x >= 4 else 0
            row[x] = (row[x] + unfiltered(kind, left, above[x], corner)) & 255
        pixels += row
        above = row
    return width, height, bytes(pixels)


def unfiltered(kind, left, above, corner):
    """What the filter of a PNG row (RFC 2083, 6) took off a byte."""
    if kind == 4:
        p = left + above - corner
        return min((left, above, corner), key=lambda v: abs(p - v))
    return (0, left, above, (left + above) // 2)[kind]


def differing(a, b, tolerance):
    """Share of pixels of which a channel differs by more than the tolerance."""
    assert len(a) == len(b)
    pixels = range(0, len(a), 4)
    off = sum(any(abs(a[i + c] - b[i + c]) > tolerance for c in range(3)) for i in pixels)
    return off / len(pixels)


class Usage(KilnTest):
    def test_rejects_what_is_no_command(self):
        self.refused(code=2, says="info, pose, bake, verify, render, bench")
        self.refused("burn", code=2, says="info, pose, bake, verify, render, bench")

    def test_rejects_options_of_other_versions_and_lists_its_own(self):
        self.refused("bake", SAMPLE, "-o", "o", "--tile", "4", code=2, says="--layout")
        self.refused("bake", SAMPLE, "-o", "o", "--encoding", "T32", code=2, says="P16")
        self.refused("bake", SAMPLE, "-o", "o", "--layout", "tiles", code=2, says="rows")
        self.refused("bake", SAMPLE, "-o", "o", "--root", "strip", code=2, says="keep")
        self.refused("bake", SAMPLE, "-o", "o", "--export", "ckatlas,glb", code=2, says="exr")
        self.refused("render", SAMPLE, "-o", "o.png", "--method", "palette", code=2, says="cpu")
        self.refused("bench", "morphs", code=2, says="crowd")
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_rejects_values_out_of_range(self):
        for option, value in [
            ("--influences", "3"),
            ("--frames", "1"),
            ("--frames", "2.5"),
            ("--rate", "0"),
            ("--rate", "-30"),
            ("--rate", "fast"),
            ("--height", "-1"),
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
        ]:
            with self.subTest(option=option, value=value):
                self.refused("render", SAMPLE, "-o", "o.png", option, value, code=2)
        self.refused("bake", SAMPLE, "-o", "o", "--rate", "30", "--frames", "9", code=2)
        self.refused("bake", SAMPLE, code=2, says="output")
        self.refused("pose", SAMPLE, "--clip", "flying", code=2, says="'walk'")
        self.refused("pose", SAMPLE, "--morph", "smile", code=2, says="NAME=WEIGHT")
        self.refused("pose", SAMPLE, "--morph", "frown=1", code=2, says="frown")
        self.refused("pose", SAMPLE, "--vertices", "some", code=2)

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
        self.refused("bake", SAMPLE, "-o", "d", "--settings", "bad.json", code=2, says="--colour")
        (self.folder / "list.json").write_text("[1]")
        self.refused("bake", SAMPLE, "-o", "d", "--settings", "list.json", code=2)
        self.refused("bake", SAMPLE, "-o", "d", "--settings", "none.json", code=2, says="none.json")


class Info(KilnTest):
    def test_rejects_what_is_no_rig(self):
        (self.folder / "text.glb").write_text("hello")
        self.refused("info", "text.glb", code=3, says="text.glb")

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
        for key in ["maxMm", "p99Mm", "rmsMm", "maxDegrees", "vertexMaxMm", "worst"]:
            self.assertIn(key, baked["errorDirect"])
        for file in baked["files"]:
            self.assertEqual((self.folder / "o" / file["name"]).stat().st_size, file["bytes"])
            self.assertRegex(file["xxh3"], "^[0-9a-f]{16}$")
        self.assertEqual(baked["atlas"]["texelsPerJoint"], 2)
        self.assertEqual(baked["fetchesPerVertex"], {"nearest": 8, "interpolated": 16})
        size = baked["atlas"]["width"] * baked["atlas"]["height"] * 8
        self.assertEqual(baked["atlas"]["bytes"], size)

    def test_scaled_bake_verifies_with_the_same_figures(self):
        baked = self.document("bake", SAMPLE, "-o", "o", "--height", "2", "--clips", "walk")
        verified = self.document("verify", "o")
        self.assertEqual(baked["error"], verified["error"])
        self.assertEqual(baked["atlas"]["unitScale"], verified["atlas"]["unitScale"])

    def test_bytes_depend_on_nothing_but_input_and_options(self):
        every = ["--export", "ckatlas,exr,png,json"]
        documents = [
            self.document("bake", SAMPLE, "-o", folder, "--threads", threads, *every)
            for folder, threads in [("a", "1"), ("b", "2"), ("c/deep/er", "5")]
        ]
        self.assertEqual(documents[0], documents[1])
        self.assertEqual(documents[0], documents[2])
        first = self.bytes_of(self.folder / "a")
        self.assertEqual(first, self.bytes_of(self.folder / "b"))
        self.assertEqual(first, self.bytes_of(self.folder / "c/deep/er"))

    def test_limits_that_are_not_met_end_with_1(self):
        narrow = ["--clips", "walk", "--frames", "5"]
        met = self.document("bake", SAMPLE, "-o", "a", *narrow, "--max-error", "2000")
        self.assertTrue(met["limits"][0]["met"])
        missed = self.document("bake", SAMPLE, "-o", "b", *narrow, "--max-error", "0.01", code=1)
        self.assertFalse(missed["limits"][0]["met"])
        self.assertEqual(missed["limits"][0]["value"], missed["error"]["maxMm"])
        direct = self.document(
            "bake", SAMPLE, "-o", "c", *narrow, "--max-error", "0.01", "--reading", "direct", code=1
        )
        self.assertEqual(direct["limits"][0]["value"], direct["errorDirect"]["maxMm"])
        size = met["atlas"]["bytes"]
        self.document("bake", SAMPLE, "-o", "d", *narrow, "--max-bytes", size)
        self.document("bake", SAMPLE, "-o", "d", *narrow, "--max-bytes", size - 1, code=1)
        self.document("bake", SAMPLE, "-o", "d", *narrow, "--max-bytes", "1M")
        self.document("verify", "b", "--max-error", "0.01", code=1)

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

    def test_rate_decides_the_frames(self):
        document = self.document("bake", SAMPLE, "-o", "o", "--clips", "idle", "--rate", "15")
        clip = document["clips"][0]
        self.assertEqual(clip["frames"], round(clip["durationSeconds"] * 15) + 1)


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

    def test_source_that_is_gone_is_asked_for(self):
        shutil.copy(SAMPLE, self.folder / "man.glb")
        self.document("bake", "man.glb", "-o", "o", "--clips", "walk")
        (self.folder / "man.glb").rename(self.folder / "moved.glb")
        self.refused("verify", "o", code=2, error="FileNotFound", says="--against")
        self.document("verify", "o", "--against", "moved.glb")

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
        self.refused("verify", "o", code=2, says="hash")
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


class Render(KilnTest):
    SMALL = ["--size", "320x180", "--actors", "12"]

    def render(self, *arguments):
        done = self.kiln("render", *arguments, "--json")
        if done.returncode == 5:
            self.skipTest("there is no graphics context here: " + done.stdout.decode())
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return json.loads(done.stdout)

    def test_rejects_a_place_that_cannot_be_written(self):
        self.render(SAMPLE, "-o", "probe.png", *self.SMALL)
        self.refused("render", SAMPLE, "-o", "none/o.png", *self.SMALL, code=4)

    def test_crowd_is_one_draw_and_covers_pixels(self):
        document = self.render(SAMPLE, "-o", "o.png", *self.SMALL)
        self.assertEqual(document["actors"], 12)
        self.assertEqual(document["draws"], 1)
        self.assertEqual(document["method"], "atlas")
        self.assertGreater(document["coveredPixels"], 300)
        width, height, raw = read_png(self.folder / "o.png")
        self.assertEqual((width, height), (320, 180))
        self.assertGreater(len(set(raw[i : i + 3] for i in range(0, len(raw), 4))), 200)
        empty = self.render(SAMPLE, "-o", "e.png", "--size", "320x180", "--actors", "0")
        self.assertEqual(empty["coveredPixels"], 0)

    def test_same_picture_twice_and_another_later(self):
        self.render(SAMPLE, "-o", "a.png", *self.SMALL, "--time", "1")
        self.render(SAMPLE, "-o", "b.png", *self.SMALL, "--time", "1")
        self.render(SAMPLE, "-o", "c.png", *self.SMALL, "--time", "1.2")
        self.render(SAMPLE, "-o", "d.png", *self.SMALL, "--time", "1", "--seed", "5")
        pictures = [(self.folder / f"{n}.png").read_bytes() for n in "abcd"]
        self.assertEqual(pictures[0], pictures[1])
        self.assertNotEqual(pictures[0], pictures[2])
        self.assertNotEqual(pictures[0], pictures[3])

    def test_folder_draws_as_the_file_does(self):
        self.document("bake", SAMPLE, "-o", "atlas")
        self.render(SAMPLE, "-o", "a.png", *self.SMALL)
        self.render("atlas", "-o", "b.png", *self.SMALL)
        self.assertEqual(
            (self.folder / "a.png").read_bytes(), (self.folder / "b.png").read_bytes()
        )

    def test_methods_and_views_draw(self):
        for arguments in [["--method", "cpu"], ["--view", "source"], ["--view", "split"],
                          ["--view", "error"], ["--formation", "scatter"],
                          ["--interpolate", "off", "--influences", "1"]]:
            with self.subTest(arguments=arguments):
                document = self.render(SAMPLE, "-o", "o.png", *self.SMALL, *arguments)
                self.assertGreater(document["coveredPixels"], 300)

    def test_cpu_shows_what_the_atlas_shows(self):
        fixed = [*self.SMALL, "--camera", "4,2,6:0,1,0", "--no-grid", "--time", "0.37"]
        self.render(SAMPLE, "-o", "a.png", *fixed)
        self.render(SAMPLE, "-o", "b.png", *fixed, "--method", "cpu")
        first, second = read_png(self.folder / "a.png")[2], read_png(self.folder / "b.png")[2]
        self.assertLess(differing(first, second, 24), 0.002)
        self.render(SAMPLE, "-o", "c.png", *fixed[:-1], "0.57")
        later = read_png(self.folder / "c.png")[2]
        self.assertGreater(differing(first, later, 24), 0.005)

    def test_sheet_has_a_row_per_clip(self):
        document = self.render(SAMPLE, "-o", "o.png", "--sheet", "3", "--size", "60x80")
        self.assertEqual(document["rows"], [a["name"] for a in read_glb(SAMPLE)["animations"]])
        self.assertEqual(document["size"], [180, 80 * len(document["rows"])])


class Faults(KilnTest):
    def test_rejects_missing_empty_and_odd_files(self):
        (self.folder / "empty.glb").write_bytes(b"")
        (self.folder / "one.glb").write_bytes(b"g")
        os.mkfifo(self.folder / "pipe.glb")
        os.symlink("/dev/zero", self.folder / "zero.glb")
        self.refused("info", "none.glb", code=3, error="FileNotFound", says="none.glb")
        for name in ["empty.glb", "one.glb", "pipe.glb", "zero.glb", "."]:
            with self.subTest(name=name):
                error = self.refused("info", name, code=3)
                self.assertNotEqual(error["code"], "ImportCrashed")

    def test_rejects_truncated_rigs_in_every_command(self):
        data = SAMPLE.read_bytes()
        for share in [0.001, 0.01, 0.3, 0.7, 0.999]:
            (self.folder / "cut.glb").write_bytes(data[: int(len(data) * share)])
            with self.subTest(share=share):
                self.refused("info", "cut.glb", code=3, says="cut.glb")
        for command in [["bake", "cut.glb", "-o", "o"], ["render", "cut.glb", "-o", "o.png"],
                        ["pose", "cut.glb"], ["bench", "bake", "cut.glb"]]:
            with self.subTest(command=command[0]):
                self.refused(*command, code=3, says="cut.glb")
        self.assertEqual([p.name for p in self.folder.iterdir()], ["cut.glb"])

    def test_failure_leaves_the_old_set_as_it_was(self):
        self.document("bake", SAMPLE, "-o", "o", "--clips", "walk")
        before = self.bytes_of(self.folder / "o")
        (self.folder / "humanoid.glb").write_bytes(SAMPLE.read_bytes()[:5000])
        self.refused("bake", "humanoid.glb", "-o", "o", code=3)
        self.assertEqual(self.bytes_of(self.folder / "o"), before)

    def test_missing_worker_is_ours(self):
        self.refused(
            "info", SAMPLE, code=6, error="ImportNoWorker",
            CROWDKILN_IMPORT_WORKER=str(self.folder / "nothing"),
        )

    def test_full_standard_output_is_told(self):
        with open("/dev/full", "wb") as full:
            done = subprocess.run(
                [KILN, "info", str(SAMPLE), "--json"], stdout=full, stderr=subprocess.PIPE
            )
        self.assertEqual(done.returncode, 4)


class Interrupt(KilnTest):
    LONG = ["--rate", "4000"]

    def interrupted(self, *arguments):
        running = subprocess.Popen(
            [KILN, *map(str, arguments)], cwd=self.folder, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        time.sleep(0.6)
        self.assertIsNone(running.poll(), "it ended before it was interrupted")
        running.send_signal(signal.SIGINT)
        out, err = running.communicate(timeout=60)
        self.assertEqual(running.returncode, 130, err)
        return out

    def test_rejects_to_leave_anything_half_written(self):
        self.document("bake", SAMPLE, "-o", "o", "--clips", "walk")
        before = self.bytes_of(self.folder / "o")
        out = self.interrupted("bake", SAMPLE, "-o", "o", *self.LONG, "--json")
        self.assertEqual(json.loads(out)["error"]["code"], "Cancelled")
        self.assertEqual(self.bytes_of(self.folder / "o"), before)
        self.interrupted("bake", SAMPLE, "-o", "new", *self.LONG)
        self.assertEqual([p.name for p in self.folder.iterdir()], ["o"])


class Surroundings(KilnTest):
    def test_rejects_no_path(self):
        name = "b\u00e4r \u2713 'x' $(y) =1.glb"
        shutil.copy(SAMPLE, self.folder / name)
        info = self.document("info", name)
        self.assertEqual(info["file"], name)
        folder = "\u00fcber / \u96e8"
        document = self.document("bake", name, "-o", folder, "--clips", "walk")
        self.assertEqual(
            {p.name for p in (self.folder / folder).iterdir()},
            {f["name"] for f in document["files"]},
        )
        self.assertTrue(document["name"].startswith("b\u00e4r_\u2713"))
        self.document("verify", folder)

    def test_locale_changes_no_byte(self):
        made = subprocess.run(
            ["localedef", "-i", "de_DE", "-f", "UTF-8", str(self.folder / "de_DE.UTF-8")],
            capture_output=True,
        ) if shutil.which("localedef") else None
        if made is None or not (self.folder / "de_DE.UTF-8").is_dir():
            self.skipTest("no German locale can be made here")
        german = {"LC_ALL": "de_DE.UTF-8", "LOCPATH": str(self.folder)}
        options = ["--height", "1.75", "--export", "ckatlas,png,json", "--clips", "run"]
        plain = self.document("bake", SAMPLE, "-o", "a", *options)
        self.assertEqual(self.document("bake", SAMPLE, "-o", "b", *options, **german), plain)
        self.assertEqual(self.bytes_of(self.folder / "a"), self.bytes_of(self.folder / "b"))

    def test_standard_error_is_free_of_progress_unless_it_is_a_terminal(self):
        self.assertNotIn(b"\r", self.kiln("bake", SAMPLE, "-o", "o", "--rate", "500").stderr)

        def on_terminal(*extra):
            ours, theirs = pty.openpty()
            process = subprocess.Popen(
                [KILN, "bake", str(SAMPLE), "-o", "o", "--rate", "500", *extra],
                cwd=self.folder, stdout=subprocess.DEVNULL, stderr=theirs,
            )
            os.close(theirs)
            seen = b""
            while True:
                try:
                    some = os.read(ours, 4096)
                except OSError:
                    break
                if not some:
                    break
                seen += some
            os.close(ours)
            self.assertEqual(process.wait(timeout=60), 0)
            return seen

        self.assertIn(b" %  ", on_terminal())
        self.assertEqual(on_terminal("--quiet"), b"")


class Bench(KilnTest):
    def test_rejects_what_is_not_measured(self):
        self.refused("bench", "weather", code=2, says="bake")

    def test_rows_say_what_was_measured(self):
        document = self.document("bench", "crowd", SAMPLE)
        self.assertEqual({r["actors"] for r in document["rows"]}, {10000, 100000})
        for row in document["rows"]:
            self.assertGreater(row["unitsPerSecond"], 0)
            self.assertGreater(row["ratioToLimit"], 0)
            self.assertGreaterEqual(row["runs"], 5)
            self.assertGreaterEqual(row["spread"], 0)
        self.assertGreater(document["limits"]["copyGBs"], 0)
        self.assertGreaterEqual(document["machine"]["cores"], 1)

    def test_sample_is_taken_where_no_file_is_named(self):
        document = self.document("bench", "bake")
        self.assertEqual(document["rows"][0]["name"], "bake")


if __name__ == "__main__":
    unittest.main()
