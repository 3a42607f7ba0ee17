"""Impostors of kiln bake and kiln export, read by docs/export.md alone.

The witness is `kiln pose`: the posed triangles are drawn here, without OpenGL, as the cells of the
pictures say that they lie, and silhouettes, colours, normals and depths are compared.
"""

import json
import math
import re
import struct
from pathlib import Path

from kiln_driver import SAMPLE, KilnTest, read_glb, read_png

SOURCE = Path(__file__).parents[2]
FINER = 4  # samples per pixel of a picture, on each side
NO_OPENGL = {"__EGL_VENDOR_LIBRARY_FILENAMES": "/nowhere"}


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def signed(byte):
    return byte / 255 * 2 - 1


class Pictures:
    """NAME.impostors/, by the section Impostors of docs/export.md."""

    def __init__(self, folder, name):
        self.about = json.loads((folder / f"{name}.impostors.json").read_text())
        pictures = self.about["pictures"]
        self.width, self.height = pictures["width"], pictures["height"]
        self.color = self.layer(folder / pictures["color"]["name"])
        self.form = self.layer(folder / pictures["form"]["name"])
        self.cell = (self.about["cells"]["width"], self.about["cells"]["height"])

    def layer(self, path):
        width, height, pixels = read_png(path)
        assert (width, height) == (self.width, self.height)
        return pixels

    def scale(self, moment, direction):
        """Metres per pixel."""
        half = self.about["moments"][moment]["half"]
        seen = self.about["directions"][direction]
        across = dot([abs(n) for n in seen["right"]], half)
        high = dot([abs(n) for n in seen["up"]], half)
        return 2 * max(across / (self.cell[0] - 2), high / (self.cell[1] - 2))

    def pixels(self, moment, direction):
        """{(x, y): (color, form)} of a cell, y downwards, of what is covered by half or more."""
        number = direction * len(self.about["moments"]) + moment
        columns = self.about["cells"]["columns"]
        left, top = number % columns * self.cell[0], number // columns * self.cell[1]
        found = {}
        for y in range(self.cell[1]):
            for x in range(self.cell[0]):
                at = 4 * ((top + y) * self.width + left + x)
                form = self.form[at : at + 4]
                if form[3] >= 128:
                    found[x, y] = (self.color[at : at + 4], form)
        return found


class Mesh:
    """The first mesh of an exported GLB, with the picture of its material."""

    def __init__(self, path, folder):
        data, glb = path.read_bytes(), read_glb(path)
        start = 20 + struct.unpack_from("<I", data, 12)[0] + 8
        primitive = glb["meshes"][0]["primitives"][0]

        def values(accessor):
            about = glb["accessors"][accessor]
            view = glb["bufferViews"][about["bufferView"]]
            at = start + view.get("byteOffset", 0) + about.get("byteOffset", 0)
            kind = {5123: "H", 5125: "I", 5126: "f"}[about["componentType"]]
            wide = {"SCALAR": 1, "VEC2": 2}[about["type"]]
            assert "byteStride" not in view or view["byteStride"] == wide * struct.calcsize(kind)
            flat = struct.unpack_from(f"<{about['count'] * wide}{kind}", data, at)
            return flat if wide == 1 else list(zip(*[iter(flat)] * wide))

        self.triangles = list(zip(*[iter(values(primitive["indices"]))] * 3))
        self.uvs = values(primitive["attributes"]["TEXCOORD_0"])
        view = glb["bufferViews"][glb["images"][0]["bufferView"]]
        png = folder / "texture.png"
        png.write_bytes(data[start + view["byteOffset"] :][: view["byteLength"]])
        self.wide, self.high, self.texels = read_png(png)

    def color(self, uv):
        x = min(max(int(uv[0] * self.wide), 0), self.wide - 1)
        y = min(max(int(uv[1] * self.high), 0), self.high - 1)
        return self.texels[4 * (y * self.wide + x) :][:4]


def posed(mesh, matrices):
    """The vertices of a mesh of `kiln pose`, skinned."""
    bind, starts = mesh["bindPositions"], mesh["influenceStarts"]
    vertices = []
    for v in range(len(starts) - 1):
        x, y, z = bind[3 * v : 3 * v + 3]
        total = [0.0, 0.0, 0.0]
        for i in range(starts[v], starts[v + 1]):
            m, weight = matrices[mesh["skinJoints"][i]], mesh["weights"][i]
            for c in range(3):
                total[c] += weight * (m[c] * x + m[4 + c] * y + m[8 + c] * z + m[12 + c])
        vertices.append(total)
    return vertices


def linear(byte):
    n = byte / 255
    return n / 12.92 if n <= 0.04045 else ((n + 0.055) / 1.055) ** 2.4


def drawn(pictures, moment, direction, vertices, mesh):
    """{(x, y): (linear colour, normal, depth in metres)} of a cell, the mean of what is in a pixel."""
    about, seen = pictures.about["moments"][moment], pictures.about["directions"][direction]
    scale = pictures.scale(moment, direction)
    wide, high = (FINER * n for n in pictures.cell)
    places = []
    for vertex in vertices:
        off = [a - b for a, b in zip(vertex, about["center"])]
        places.append(
            (
                wide / 2 + FINER * dot(off, seen["right"]) / scale,
                high / 2 - FINER * dot(off, seen["up"]) / scale,
                dot(off, seen["towards"]),
            )
        )
    nearest = {}
    for corners in mesh.triangles:
        (ax, ay, az), (bx, by, bz), (cx, cy, cz) = (places[i] for i in corners)
        area = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
        if area == 0:
            continue
        for y in range(max(math.ceil(min(ay, by, cy) - 0.5), 0), min(math.floor(max(ay, by, cy) - 0.5) + 1, high)):
            for x in range(max(math.ceil(min(ax, bx, cx) - 0.5), 0), min(math.floor(max(ax, bx, cx) - 0.5) + 1, wide)):
                px, py = x + 0.5, y + 0.5
                u = ((bx - px) * (cy - py) - (by - py) * (cx - px)) / area
                v = ((cx - px) * (ay - py) - (cy - py) * (ax - px)) / area
                w = 1 - u - v
                if min(u, v, w) < 0:
                    continue
                depth = u * az + v * bz + w * cz
                if (x, y) not in nearest or depth > nearest[x, y][0]:
                    nearest[x, y] = (depth, corners, (u, v, w))
    sums = {}
    for (x, y), (depth, corners, shares) in nearest.items():
        uv = [sum(s * mesh.uvs[i][k] for s, i in zip(shares, corners)) for k in (0, 1)]
        a, b, c = (vertices[i] for i in corners)
        e, f = [q - p for p, q in zip(a, b)], [q - p for p, q in zip(a, c)]
        normal = [e[1] * f[2] - e[2] * f[1], e[2] * f[0] - e[0] * f[2], e[0] * f[1] - e[1] * f[0]]
        length = math.sqrt(dot(normal, normal))
        turn = -1 if dot(normal, seen["towards"]) < 0 else 1
        texel = mesh.color(uv)
        one = [linear(n) for n in texel[:3]] + [texel[3] / 255]
        one += [turn * dot(normal, seen[k]) / length for k in ("right", "up")] + [depth, 1]
        all_ = sums.setdefault((x // FINER, y // FINER), [0.0] * 8)
        for i, n in enumerate(one):
            all_[i] += n
    least = FINER * FINER / 2
    return {at: [n / s[7] for n in s[:7]] for at, s in sums.items() if s[7] >= least}


def faults(value, schema, where="$"):
    """The parts of a value that the used part of JSON Schema forbids."""
    kinds = {"object": dict, "array": list, "string": str, "integer": int, "number": (int, float)}
    if "type" in schema and not isinstance(value, kinds[schema["type"]]):
        return [f"{where} is no {schema['type']}"]
    found = []
    if "enum" in schema and value not in schema["enum"]:
        found.append(f"{where} is {value}")
    if isinstance(value, dict):
        found += [f"{where}.{key} is missing" for key in schema["required"] if key not in value]
        found += [f"{where}.{key} is not described" for key in value if key not in schema["properties"]]
        for key in value.keys() & schema["properties"].keys():
            found += faults(value[key], schema["properties"][key], f"{where}.{key}")
    if isinstance(value, list):
        if not schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", 1 << 30):
            found.append(f"{where} has {len(value)} entries")
        for i, one in enumerate(value):
            found += faults(one, schema["items"], f"{where}[{i}]")
    if isinstance(value, str) and not re.search(schema.get("pattern", ""), value):
        found.append(f"{where} is {value}")
    if isinstance(value, (int, float)) and not (
        schema.get("minimum", value) <= value <= schema.get("maximum", value)
        and value > schema.get("exclusiveMinimum", -math.inf)
    ):
        found.append(f"{where} is {value}")
    return found


def mean(rows):
    rows = list(rows)
    return [sum(column) / len(rows) for column in zip(*rows)]


class Impostors(KilnTest):
    def test_pictures_are_those_of_the_posed_mesh(self):
        self.document("bake", SAMPLE, "-o", "o", "--clips", "walk,wave", "--export", "ckatlas,glb", "--impostors", "8M")
        pictures = Pictures(self.folder / "o" / "humanoid.impostors", "humanoid")
        sidecar = json.loads((self.folder / "o" / "humanoid.atlas.json").read_text())
        mesh = Mesh(self.folder / "o" / "humanoid.mesh.glb", self.folder)
        about = pictures.about
        self.assertEqual((about["format"], about["version"]), ("crowdkiln-impostors", 1))
        self.assertEqual(about["clips"], [clip["name"] for clip in sidecar["clips"]])
        moments, directions = len(about["moments"]), len(about["directions"])
        for moment, direction in [(0, 0), (moments // 3, about["rings"][1]["first"] + 3), (moments - 1, directions - 2)]:
            with self.subTest(moment=moment, direction=direction):
                self.compare(pictures, sidecar, mesh, moment, direction)

    def compare(self, pictures, sidecar, mesh, moment, direction):
        about = pictures.about["moments"][moment]
        clip = sidecar["clips"][about["clip"]]
        unit = (about["frame"] - clip["firstFrame"]) / (clip["frames"] - 1)
        seconds = clip["startSeconds"] + unit * clip["durationSeconds"]
        pose = self.document("pose", SAMPLE, "--clip", clip["name"], "--times", seconds)
        vertices = posed(pose["meshes"][0], pose["moments"][0]["skinMatrices"])
        due = drawn(pictures, moment, direction, vertices, mesh)
        found = pictures.pixels(moment, direction)
        self.assertGreater(len(due), 100)
        both = due.keys() & found.keys()
        self.assertGreater(len(both) / len(due.keys() | found.keys()), 0.95)
        theirs = mean(due[at] for at in both)
        scale = pictures.scale(moment, direction)
        deep = scale * pictures.about["directions"][direction]["depthPixels"]
        ours = mean(
            [(n / 255) ** 2 for n in color[:3]]
            + [color[3] / 255, signed(form[0]), signed(form[1]), signed(form[2]) * deep]
            for color, form in (found[at] for at in both)
        )
        # Colours come from the level of detail of the texture that suits the pictures; here from the largest.
        for name, a, b, least in zip(
            ["red", "green", "blue", "tint", "normal x", "normal y", "depth"],
            ours,
            theirs,
            [0.02, 0.02, 0.02, 0.04, 0.05, 0.05, 0.5 * scale],
        ):
            self.assertAlmostEqual(a, b, delta=least, msg=name)

    def test_frames_and_directions_have_pictures(self):
        self.document("bake", SAMPLE, "-o", "o", "--clips", "walk,wave", "--export", "ckatlas", "--impostors", "1M")
        about = json.loads((self.folder / "o" / "humanoid.impostors" / "humanoid.impostors.json").read_text())
        sidecar = json.loads((self.folder / "o" / "humanoid.atlas.json").read_text())
        schema = json.loads((SOURCE / "docs" / "impostors.schema.json").read_text())
        self.assertEqual(faults(about, schema), [])
        self.assertNotEqual(faults({**about, "version": 2}, schema), [])
        # Level 0 and all smaller ones, 8 bytes a pixel.
        width, height = about["pictures"]["width"], about["pictures"]["height"]
        self.assertLess(width * height * 8, 1 << 20)
        self.assertGreater(about["errorMeters"], about["metersPerPixel"] / 2)
        for number, clip in enumerate(sidecar["clips"]):
            frames = range(clip["firstFrame"], clip["firstFrame"] + clip["frames"])
            own = [m["frame"] for m in about["moments"] if m["clip"] == number]
            self.assertEqual(own, sorted(own))
            for frame in frames:
                shown = about["moments"][about["momentOfFrame"][frame]]
                self.assertEqual(shown["clip"], number)
                # The nearest, round the seam of a loop, but for rounding.
                around = clip["frames"] - 1 if clip["loop"] == "loop" else 1 << 30
                away = [min(abs(frame - f), around - abs(frame - f)) for f in own]
                here = abs(frame - shown["frame"])
                self.assertLessEqual(min(here, around - here), min(away) + 1)
        first = 0
        for ring, elevation in zip(about["rings"], [0, 30, 60, 90]):
            self.assertEqual((ring["elevationDegrees"], ring["first"]), (elevation, first))
            for i in range(ring["count"]):
                turn, lift = 2 * math.pi * i / ring["count"], math.radians(elevation)
                due = [math.cos(lift) * math.sin(turn), math.sin(lift), math.cos(lift) * math.cos(turn)]
                for a, b in zip(about["directions"][first + i]["towards"], due):
                    self.assertAlmostEqual(a, b, delta=1e-6)
            first += ring["count"]
        self.assertEqual(first, len(about["directions"]))

    def test_export_writes_what_a_bake_writes(self):
        self.document("bake", SAMPLE, "-o", "o", "--clips", "walk", "--export", "ckatlas,three,web", "--impostors")
        self.document("bake", SAMPLE, "-o", "plain", "--clips", "walk", "--export", "ckatlas")
        document = self.document(
            "export", "plain", "--against", SAMPLE, "-o", "again", "--export", "ckatlas,three,web,impostors"
        )
        kinds = [target["kind"] for target in document["sets"][0]["targets"]]
        self.assertEqual(kinds, ["glb", "shaders", "impostors", "web", "three"])
        baked = self.bytes_of(self.folder / "o")
        self.assertEqual(baked, self.bytes_of(self.folder / "again"))
        # The folder of three.js stands alone.
        for file in ["impostors.json", "color.png", "form.png"]:
            self.assertEqual(baked[f"humanoid.impostors/humanoid.{file}"], baked[f"humanoid.three/humanoid.{file}"])
        # --only removes those of an export without them.
        self.document("bake", SAMPLE, "-o", "o", "--clips", "walk", "--export", "ckatlas", "--only")
        self.assertEqual(set(self.bytes_of(self.folder / "o")), {"humanoid.ckatlas"})

    def test_verify_decodes_them(self):
        self.document("bake", SAMPLE, "-o", "o", "--clips", "walk", "--export", "ckatlas", "--impostors", "512K")
        verified = self.document("verify", "o")
        self.assertEqual([t["kind"] for t in verified["targets"]], ["impostors"])
        path = self.folder / "o" / "humanoid.impostors" / "humanoid.form.png"
        whole = path.read_bytes()
        path.write_bytes(whole[:-1] + b"\0")
        self.refused("verify", "o", code=3, says="humanoid.form.png")
        path.write_bytes(whole)
        # Another atlas, whose set is told to have them.
        self.document("bake", SAMPLE, "-o", "p", "--clips", "wave", "--export", "ckatlas", "--impostors", "512K")
        for file in ["humanoid.ckatlas"]:
            (self.folder / "p" / file).replace(self.folder / "o" / file)
        mixed = self.document("verify", "o", code=1)
        self.assertEqual(mixed["findings"][0]["kind"], "mixed")

    def test_what_cannot_be_drawn_is_told(self):
        common = ["bake", SAMPLE, "-o", "o", "--clips", "walk", "--impostors"]
        self.refused(*common, code=5, error="NoGraphics", **NO_OPENGL)
        self.refused(*common, "1K", code=3, error="LimitExceeded", says="and 1 KB are allowed")
        # The memory that the sentence names is enough, and less is not.
        said = self.refused(*common, "1", code=3, error="LimitExceeded", says="in 1 clip take at least")
        needed = int(re.search(r"at least (\d+) KB", said["message"])[1])
        self.refused(*common, f"{needed - 1}K", code=3, error="LimitExceeded", says=f"at least {needed} KB")
        self.document("bake", SAMPLE, "-o", "least", "--clips", "walk", "--impostors", f"{needed}K")
        self.refused(*common, "soon", code=2, says="soon")
        self.assertFalse((self.folder / "o").exists())
