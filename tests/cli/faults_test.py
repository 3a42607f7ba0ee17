"""Faults of docs/faults.md, by their numbers: files that are damaged on purpose, with the code or the note that has to
come of each, and surroundings that fail.
"""

import base64
import json
import math
import os
import struct
import subprocess
import unittest
import zlib
from pathlib import Path

from kiln_driver import KILN, SAMPLE, KilnTest

RIGS = Path(os.environ["CK_SOURCE_DIR"]) / "tests" / "data" / "rigs"
NAN, INFINITY = float("nan"), float("inf")
FLOATS, USHORTS, BYTES, SHORTS = (5126, "f"), (5123, "H"), (5121, "B"), (5122, "h")
WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4}
# Numbers of accessors in strip.gltf.
POSITION, WEIGHTS, BEND_TIMES, BEND_TURNS = 0, 4, 7, 8


class Strip:
    """The rig strip.gltf: three joints (root, middle, tip), a mesh of eight vertices, the clips bend and rise."""

    def __init__(self):
        self.gltf = json.loads((RIGS / "strip.gltf").read_text())
        uri = self.gltf["buffers"][0]["uri"]
        self.bytes = bytearray(base64.b64decode(uri.split(",")[1]))
        self.joints = self.gltf["nodes"]
        self.attributes = self.gltf["meshes"][0]["primitives"][0]["attributes"]
        self.bend = self.gltf["animations"][0]

    def numbers(self, accessor):
        """All numbers of an accessor of floats."""
        entry = self.gltf["accessors"][accessor]
        view = self.gltf["bufferViews"][entry["bufferView"]]
        count = entry["count"] * WIDTHS[entry["type"]]
        return list(struct.unpack_from(f"<{count}f", self.bytes, view["byteOffset"]))

    def add(self, numbers, kind="SCALAR", component=FLOATS, normalized=False):
        """Appends an accessor and returns its number."""
        self.bytes += bytes(-len(self.bytes) % 4)
        packed = struct.pack(f"<{len(numbers)}{component[1]}", *numbers)
        view = {"buffer": 0, "byteOffset": len(self.bytes), "byteLength": len(packed)}
        self.gltf["bufferViews"].append(view)
        self.bytes += packed
        entry = {"bufferView": len(self.gltf["bufferViews"]) - 1, "componentType": component[0],
                 "type": kind, "count": len(numbers) // WIDTHS[kind], "normalized": normalized}
        self.gltf["accessors"].append(entry)
        return len(self.gltf["accessors"]) - 1

    def add_picture(self, uri):
        self.gltf["images"] = [{"uri": uri}]
        self.gltf["textures"] = [{"source": 0}]
        self.gltf["materials"][0]["pbrMetallicRoughness"]["baseColorTexture"] = {"index": 0}

    def text(self):
        buffer = {"byteLength": len(self.bytes)}
        if "uri" in self.gltf["buffers"][0]:
            buffer["uri"] = self.gltf["buffers"][0]["uri"]
        if buffer.get("uri", "data:").startswith("data:"):
            packed = base64.b64encode(self.bytes).decode()
            buffer["uri"] = "data:application/octet-stream;base64," + packed
        return json.dumps({**self.gltf, "buffers": [buffer]})


def png(width, height, body):
    def chunk(kind, data):
        return struct.pack(">I4s", len(data), kind) + data + struct.pack(">I", zlib.crc32(kind + data))

    head = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + head + chunk(b"IDAT", zlib.compress(body)) + chunk(b"IEND", b"")


def data_uri(data):
    return "data:image/png;base64," + base64.b64encode(data).decode()


# Each changes a Strip.
def no_bind_matrices(strip):
    del strip.gltf["skins"][0]["inverseBindMatrices"]


def unknown_extension(strip):
    strip.gltf["extensionsUsed"] = strip.gltf["extensionsRequired"] = ["XX_secret"]


def cubic_of_two_values(strip):
    strip.bend["samplers"][0]["interpolation"] = "CUBICSPLINE"


def times(values):
    def change(strip):
        strip.bend["samplers"] = [
            {"input": strip.add(values), "output": strip.add([0, 0, 0, 1] * len(values), "VEC4")}
        ] * 2

    return change


def weights(values):
    def change(strip):
        strip.attributes["WEIGHTS_0"] = strip.add(values * 8, "VEC4")

    return change


def second_set(attribute, kind):
    def change(strip):
        strip.attributes[attribute] = strip.add([0, 0, 0, 0] * 8, "VEC4", kind)

    return change


def names_of_joints(*names):
    def change(strip):
        for joint, name in zip(strip.joints, names):
            joint["name"] = name

    return change


def joint(**values):
    return lambda strip: strip.joints[1].update(values)


def mesh_of_two_skins(strip):
    strip.gltf["skins"].append(dict(strip.gltf["skins"][0]))
    strip.joints.append({"name": "strip 2", "mesh": 0, "skin": 1})
    strip.gltf["scenes"][0]["nodes"].append(4)


def joints_outside_the_scene(strip):
    strip.gltf["scenes"][0]["nodes"] = [3]


def target_without_node(strip):
    for channel in strip.bend["channels"]:
        del channel["target"]["node"]


def clips_of_one_name(strip):
    strip.gltf["animations"][1]["name"] = "bend"


def morph_without_keys(strip):
    deltas = strip.add([0.0] * 24, "VEC3")
    strip.gltf["meshes"][0]["primitives"][0]["targets"] = [{"POSITION": deltas}]
    strip.bend["samplers"].append({"input": BEND_TIMES, "output": strip.add([0.5])})
    strip.bend["channels"].append({"sampler": 2, "target": {"node": 3, "path": "weights"}})


def joint_in_a_circle(strip):
    strip.joints[2]["children"] = [0]


def depth(count):
    def change(strip):
        first = len(strip.joints)
        strip.joints[2]["children"] = [first]
        strip.joints.extend({"children": [first + i + 1]} for i in range(count))
        strip.joints.append({})

    return change


def joints_in_the_skin(count):
    def change(strip):
        first = len(strip.joints)
        strip.joints.extend({} for _ in range(count - 3))
        strip.joints[0]["children"] = [1, *range(first, first + count - 3)]
        strip.gltf["skins"] = [{"joints": [0, 1, 2, *range(first, first + count - 3)]}]

    return change


def vertices(count):
    return lambda strip: strip.gltf["accessors"][POSITION].update(count=count)


def clips(count):
    def change(strip):
        strip.gltf["animations"] = [strip.bend] * count

    return change


def buffer_at(uri):
    return lambda strip: strip.gltf["buffers"][0].update(uri=uri)


def picture(uri):
    return lambda strip: strip.add_picture(uri)


# Number of the fault, a name, how the rig is changed, and what comes of it: the code of an error, or a note, or "" for
# an import without a warning.
GLTF = [
    (1, "no bind matrices", no_bind_matrices, ""),
    (4, "unknown extension", unknown_extension, "Unsupported"),
    (6, "cubic of two values", cubic_of_two_values, "ChannelDropped"),
    (7, "morph weights of one key for two times", morph_without_keys, "ChannelDropped"),
    (8, "weights without joints", second_set("WEIGHTS_1", FLOATS), "WeightsWithoutJoints"),
    (8, "joints without weights", second_set("JOINTS_1", BYTES), "JointsWithoutWeights"),
    (9, "joints of one name", names_of_joints("a", "a", "a"), "NamesMadeUnique"),
    (11, "joints outside the scene", joints_outside_the_scene, "JointsOutsideScene"),
    (12, "channels without a target", target_without_node, "ClipEmpty"),
    (26, "2,000 deep", depth(2000), ""),
    (26, "200,000 deep", depth(200_000), ""),
    (27, "its own ancestor", joint_in_a_circle, "InvalidInput"),
    (33, "buffer above the folder", buffer_at("../../../etc/passwd"), "ImportFailed"),
    (33, "buffer at an absolute path", buffer_at("/etc/passwd"), "ImportFailed"),
    (33, "buffer at an address", buffer_at("file:///etc/passwd"), "ImportFailed"),
    (33, "buffer of another machine", buffer_at("//server/a.bin"), "ImportFailed"),
    (33, "buffer behind a link", buffer_at("link.bin"), "ImportFailed"),
    (32, "buffer of a device", buffer_at("/dev/zero"), "ImportFailed"),
    (32, "buffer of a pipe", buffer_at("pipe"), "ImportFailed"),
    (32, "picture of a pipe", picture("pipe"), "PictureUnreadable"),
    (33, "picture above the folder", picture("../../../etc/passwd"), "PictureUnreadable"),
    (38, "weights of no sum", weights([0, 0, 0, 0]), "VerticesUnweighted"),
    (38, "weights of half a sum", weights([0.25, 0.25, 0, 0]), "WeightsNormalised"),
    (38, "weights of twice the sum", weights([1, 1, 0, 0]), "WeightsNormalised"),
    (38, "negative weights", weights([1.5, -0.5, 0, 0]), "WeightsDropped"),
    (38, "weights that are no numbers", weights([1, NAN, 0, 0]), "WeightsDropped"),
    (39, "times out of order", times([1, 0]), "KeysSorted"),
    (39, "times twice", times([0, 0, 1]), ""),
    (39, "times that are no numbers", times([0, NAN, 1]), "KeysDropped"),
    (39, "times without end", times([0, 1, INFINITY]), "KeysDropped"),
    (39, "times of 1e8 seconds", times([0, 1e8]), "ClipRefused"),
    (40, "joint of no size", joint(scale=[0, 0, 0]), "ScaleZero"),
    (41, "mirrored joint", joint(scale=[-1, 1, 1]), "ScaleMirrored"),
    (42, "rotation of no length", joint(rotation=[0, 0, 0, 0]), "RotationZero"),
    (46, "clips of one name", clips_of_one_name, "NamesMadeUnique"),
    (46, "10,000 clips of one name", clips(10_000), "NamesMadeUnique"),
    (47, "5,000 joints", joints_in_the_skin(5000), ""),
    (47, "65,600 joints", joints_in_the_skin(65_600), "LimitExceeded"),
    (48, "4 billion vertices", vertices(4_000_000_000), "LimitExceeded"),
    (91, "picture of 50,000 x 50,000", picture(data_uri(png(50000, 50000, b""))), "PictureUnreadable"),
    (91, "picture cut short", picture(data_uri(png(4, 4, bytes(68))[:50])), "PictureUnreadable"),
    (91, "picture of another kind", picture(data_uri(b"GIF89a" + bytes(40))), "PictureUnreadable"),
]

# Of rigs that are texts: number, file, what is replaced by what, what comes of it.
TEXTS = [
    (15, "strip.fbx", ("Model::middle", "Model::root"), "NamesMadeUnique"),
    (23, "strip.fbx", ("a: 0,46186158000 }", "a: 46186158000,46186158000 }"), "KeysDropped"),
    (28, "strip.fbx", ("a: 0,90 }", "a: 0,3e20 }"), "KeysDropped"),
    (25, "strip.fbx", ('C: "OO",10,0', 'C: "OO",10,12'), "InvalidInput"),
    (35, "strip.dae", ("<?xml", "\n\n  <?xml"), ""),
    (37, "strip.dae", ("<v>0 2 ", "<v>99999 2 "), "InvalidInput"),
    (37, "strip.md5mesh", ("weight 0 0 ", "weight 0 99999 "), "InvalidInput"),
    (38, "strip.md5mesh", ("weight 0 0 1 ", "weight 0 0 nan "), "InvalidInput"),
]

BONE = b"JOINT a\n{\nOFFSET 0 1 0\nCHANNELS 0\nEnd Site\n{\nOFFSET 0 1 0\n}\n}\n"

FILES = [
    (47, "bones.bvh", b"HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 0\n" + BONE * 65_536, "LimitExceeded"),
    (27, "deep.gltf", b"[" * 100_000, "InvalidInput"),
    (27, "deep.fbx", b"; FBX 7.4.0 project file\n" + b"a: {\n" * 100_000, "LimitExceeded"),
    (31, "empty.glb", b"", "InvalidInput"),
    (31, "one.fbx", b"K", "InvalidInput"),
    (52, "rig.iqm", b"INTERQUAKEMODEL\0" + bytes(200), "Unsupported"),
    (70, "deep.crowd", b"[" * 100_000, "LimitExceeded"),
    (70, "twice.crowd", b'{"format": "crowdkiln-project", "minReader": 1, "minReader": 1}', "InvalidInput"),
    (70, "utf8.crowd", b'{"format": "\xc3\x28"}', "InvalidInput"),
    (68, "later.crowd", b'{"format": "crowdkiln-project", "minReader": 99, "needs": "9.9"}', "Unsupported"),
]

PLACES = [
    (31, "nowhere.glb", "FileNotFound"),
    (31, ".", "FileNotFound"),
    (31, "/dev/null", "FileUnreadable"),
    (32, "pipe", "FileUnreadable"),
    (32, "/dev/zero", "FileUnreadable"),
    (32, "/dev/full", "FileUnreadable"),
    (32, "full.crowd", "FileUnreadable"),
    (70, "large.crowd", "LimitExceeded"),
    (45, "a" * 300 + ".glb", "FileNotFound"),
    (45, "a/" * 3000 + "a.glb", "FileNotFound"),
]


class ImportFaults(KilnTest):
    """Every row ends by its exact code, or is imported with its note."""

    def setUp(self):
        super().setUp()
        os.mkfifo(self.folder / "pipe")
        (self.folder / "link.bin").symlink_to("/etc/passwd")
        (self.folder / "full.crowd").symlink_to("/dev/full")
        with open(self.folder / "large.crowd", "wb") as large:
            large.truncate(300 << 20)

    def expect(self, file, outcome):
        done = self.kiln("info", file, "--json")
        document = json.loads(done.stdout)
        if "error" in document:
            self.assertEqual(document["error"]["code"], outcome, document["error"]["message"])
            self.assertEqual(done.returncode, 3)
            self.assertNotIn("\n", document["error"]["message"])
            return
        self.assertEqual(done.returncode, 0)
        notes = document["notes"]
        if outcome:
            self.assertIn(outcome, [note["code"] for note in notes])
        else:
            self.assertEqual([n["code"] for n in notes if n["level"] == "warning"], [])

    def test_rejects_or_mends_what_a_gltf_can_say(self):
        for number, name, change, outcome in GLTF:
            with self.subTest(fault=number, name=name):
                strip = Strip()
                change(strip)
                (self.folder / "strip.gltf").write_text(strip.text())
                self.expect("strip.gltf", outcome)

    def test_rejects_or_mends_what_other_formats_can_say(self):
        for number, name, (old, new), outcome in TEXTS:
            with self.subTest(fault=number, name=name, new=new):
                text = (RIGS / name).read_text()
                self.assertIn(old, text)
                (self.folder / name).write_text(text.replace(old, new, 1))
                self.expect(name, outcome)

    def test_rejects_what_is_no_rig(self):
        for number, name, data, outcome in FILES:
            with self.subTest(fault=number, name=name):
                (self.folder / name).write_bytes(data)
                self.expect(name, outcome)

    def test_rejects_what_is_no_file(self):
        for number, name, outcome in PLACES:
            with self.subTest(fault=number, name=name[:20]):
                self.expect(name, outcome)

    def test_every_part_of_a_file_is_read_or_refused(self):
        """Fault 29: cut at every 64th."""
        for rig in sorted([*RIGS.glob("strip.*"), RIGS / "bend.bvh", RIGS / "bend.md5anim"]):
            whole = rig.read_bytes()
            name = "cut" + rig.suffix
            codes = set()
            for part in range(64):
                (self.folder / name).write_bytes(whole[: len(whole) * part // 64])
                done = self.kiln("info", name, "--json")
                document = json.loads(done.stdout)
                code = document["error"]["code"] if "error" in document else "imported"
                self.assertEqual(done.returncode, 0 if code == "imported" else 3)
                codes.add(code)
            with self.subTest(name=rig.name):
                self.assertIn("InvalidInput", codes)
                self.assertLessEqual(codes, {"imported", "InvalidInput", "ImportFailed", "ImportCrashed"})

    def positions(self, strip, *arguments):
        (self.folder / "strip.gltf").write_text(strip.text())
        return self.document("pose", "strip.gltf", *arguments)["meshes"][0]["positions"]

    def test_without_bind_matrices_they_are_identities(self):
        """Fault 1: a vertex is moved by its joints from where it lies in the file."""
        strip = Strip()
        no_bind_matrices(strip)
        moved = self.positions(strip)
        lain = strip.numbers(POSITION)
        # The lowest two follow the root at 0 m, the highest two the tip at 2 m.
        for vertex, up in [(0, 0.0), (1, 0.0), (6, 2.0), (7, 2.0)]:
            for axis in range(3):
                expected = lain[3 * vertex + axis] + (up if axis == 1 else 0.0)
                self.assertAlmostEqual(moved[3 * vertex + axis], expected, 6)

    def test_small_numbers_mean_what_floats_mean(self):
        """Faults 2 and 3: weights in bytes and shorts, rotations in shorts."""
        bent = ["--clip", "bend", "--time", "0.5"]
        expected = self.positions(Strip(), *bent)
        for component, most, attribute in [(BYTES, 255, True), (USHORTS, 65535, True), (SHORTS, 32767, False)]:
            strip = Strip()
            source = strip.numbers(WEIGHTS if attribute else BEND_TURNS)
            packed = strip.add([round(most * n) for n in source], "VEC4", component, normalized=True)
            if attribute:
                strip.attributes["WEIGHTS_0"] = packed
            else:
                strip.bend["samplers"][0]["output"] = packed
            # The strip is 3 m long, so a weight or a quaternion that is half a step off moves nothing further.
            for a, b in zip(self.positions(strip, *bent), expected):
                self.assertLess(abs(a - b), 6.0 / most)

    def fbx(self, *replacements):
        text = (RIGS / "strip.fbx").read_text()
        for old, new in replacements:
            self.assertIn(old, text)
            text = text.replace(old, new)
        (self.folder / "strip.fbx").write_text(text)
        return "strip.fbx"

    def test_clips_of_fbx_last_as_long_at_any_rate(self):
        """Faults 19 and 20: key times are in ticks, whatever rate the file names."""
        mode = '"TimeMode", "enum", "", "",'
        for rate in [59.94, 12.5, -1, 0]:
            custom = f'{mode}14\n\t\tP: "CustomFrameRate", "double", "Number", "",{rate}'
            clips = self.document("info", self.fbx((mode + "6", custom)))["clips"]
            self.assertEqual([clip["durationSeconds"] for clip in clips], [1.0, 2.0])

    def test_clips_of_fbx_last_from_first_to_last_key(self):
        """Fault 21: a second of 46,186,158,000 ticks before the start of the clip."""
        name = self.fbx(("a: 0,46186158000 }", "a: -46186158000,0 }"))
        clip = self.document("info", name)["clips"][0]
        self.assertEqual(clip["durationSeconds"], 1.0)
        end = clip["startSeconds"] + 1.0
        joints = self.document("pose", name, "--clip", "bend", "--time", end)["joints"]
        self.assertTurned(joints[1], 90.0)

    def test_turns_of_fbx_keep_their_number(self):
        """Fault 17: two full turns in a second are a quarter of one in an eighth."""
        name = self.fbx(("a: 0,90 }", "a: 0,720 }"))
        for time_, degrees in [("0.125", 90.0), ("0.25", 180.0), ("0.625", 90.0)]:
            joints = self.document("pose", name, "--clip", "bend", "--time", time_)["joints"]
            self.assertTurned(joints[1], degrees)

    def assertTurned(self, joint, degrees):
        """A joint is turned about z by so much against the model."""
        x = joint["model"][:2]
        self.assertAlmostEqual(x[0] / math.hypot(*x), math.cos(math.radians(degrees)), 4)
        self.assertAlmostEqual(x[1] / math.hypot(*x), math.sin(math.radians(degrees)), 4)

    def test_one_mesh_of_two_skins_is_two(self):
        """Fault 10."""
        strip = Strip()
        mesh_of_two_skins(strip)
        (self.folder / "strip.gltf").write_text(strip.text())
        self.assertEqual(len(self.document("info", "strip.gltf")["meshes"]), 2)

    def test_names_are_shown_as_plain_text(self):
        """Fault 43: no name of a file moves a cursor, and every set has a file name."""
        strip = Strip()
        names = ["<b>\x1b[31m\u202e=cmd\x07", "\U0001f600" * 5000, "../../x\ny"]
        names_of_joints(*names)(strip)
        strip.bend["name"] = "=cmd()\x1b[2J\t<b>"
        (self.folder / "strip.gltf").write_text(strip.text())
        document = self.document("info", "strip.gltf")
        for entry in document["joints"] + document["clips"]:
            self.assertTrue(all(ord(c) >= 32 and c != "\x7f" for c in entry["name"]), entry)
            self.assertLessEqual(len(entry["name"].encode()), 255)
        done = self.kiln("info", "strip.gltf")
        self.assertNotIn(b"\x1b", done.stdout + done.stderr)
        self.document("bake", "strip.gltf", "-o", "o")
        self.assertTrue(all(name.startswith("strip") for name in self.bytes_of(self.folder / "o")))

    def test_rejects_in_plain_text(self):
        """Fault 92: what a rig says of itself is quoted on one line, without control characters."""
        word = "a\x1b[2J\nb\x07%n%s"
        for change in [
            lambda strip: strip.gltf.update(extensionsUsed=[word], extensionsRequired=[word]),
            lambda strip: strip.gltf["skins"][0].update(name=word, joints=[]),
            lambda strip: strip.gltf["asset"].update(version=word),
        ]:
            strip = Strip()
            change(strip)
            (self.folder / "strip.gltf").write_text(strip.text())
            done = self.kiln("info", "strip.gltf")
            self.assertEqual(done.returncode, 3)
            self.assertTrue(done.stderr.endswith(b"\n"))
            self.assertTrue(all(byte >= 32 for byte in done.stderr[:-1]), done.stderr)
            self.assertIn(b"%n%s", done.stderr)

    def test_rejects_control_characters_of_names(self):
        """Fault 92: nor do paths and texts of projects reach a terminal as they are."""
        word = "x\x1b[2J\n\x9b"
        (self.folder / "c.crowd").write_text(json.dumps(
            {"format": "crowdkiln-project", "version": 1, "minReader": 99, "needs": word}))
        for name in [word + ".glb", "c.crowd"]:
            done = self.kiln("info", name)
            self.assertEqual(done.returncode, 3)
            self.assertNotIn(b"\x1b", done.stderr)
            self.assertNotIn(b"\xc2\x9b", done.stderr)
            self.assertEqual(done.stderr.count(b"\n"), 1, done.stderr)

    def test_rejects_more_than_a_texture_holds(self):
        """Fault 50: 5,000 joints for an hour, refused before anything is baked."""
        strip = Strip()
        joints_in_the_skin(5000)(strip)
        strip.bend["samplers"] = [
            {"input": strip.add([0, 3600]), "output": strip.add([0, 0, 0, 1] * 2, "VEC4")}
        ] * 2
        (self.folder / "strip.gltf").write_text(strip.text())
        self.refused("bake", "strip.gltf", "-o", "o", "--rate", "60", code=3, error="LimitExceeded", says="MiB")
        self.assertFalse((self.folder / "o").exists())

    def test_rejects_output_that_has_no_place(self):
        """Fault 45."""
        for folder in ["o" * 300, "o/" * 3000]:
            self.refused("bake", SAMPLE, "--clips", "walk", "-o", folder, code=4, error="CannotWrite")


class PlaceFaults(KilnTest):
    """Folders that cannot be written, rigs that are gone, no OpenGL."""

    def test_rejects_a_folder_that_is_read_only(self):
        """Fault 62."""
        out = self.folder / "out"
        self.document("bake", SAMPLE, "-o", "out", "--clips", "walk")
        before = self.bytes_of(out)
        self.folder.chmod(0o755)
        out.chmod(0o555)
        nobody = {"user": 65534, "group": 65534, "extra_groups": []} if os.geteuid() == 0 else {}
        try:
            done = subprocess.run([KILN, "bake", str(SAMPLE), "-o", "out", "--clips", "idle", "--json"],
                                  cwd=self.folder, capture_output=True, timeout=60, **nobody)
        except PermissionError:
            self.skipTest("the programs cannot be run by another user here")
        finally:
            out.chmod(0o755)
        self.assertEqual(done.returncode, 4, done.stderr)
        self.assertEqual(json.loads(done.stdout)["error"]["code"], "CannotWrite")
        self.assertIn("Permission denied", json.loads(done.stdout)["error"]["message"])
        self.assertEqual(self.bytes_of(out), before)

    def test_rejects_a_project_whose_rig_is_gone(self):
        """Fault 71: it opens, and what needs the rig names it."""
        project = {"format": "crowdkiln-project", "version": 1, "minReader": 1,
                   "characters": [{"sources": [{"path": "gone.glb"}], "clips": [{"name": "walk"}]}]}
        (self.folder / "p.crowd").write_text(json.dumps(project))
        self.document("info", "p.crowd")
        self.refused("bake", "p.crowd", "-o", "o", code=3, error="FileNotFound", says="gone.glb")

    def test_bakes_where_there_is_no_opengl(self):
        """Fault 81."""
        none = {"__EGL_VENDOR_LIBRARY_FILENAMES": "/nowhere"}
        self.document("bake", SAMPLE, "-o", "o", "--clips", "walk", **none)
        self.document("export", "o", "-o", "e", **none)
        self.refused("render", SAMPLE, "-o", "o.png", code=5, error="NoGraphics", **none)


if __name__ == "__main__":
    unittest.main()
