"""How kiln judges whether clips close."""

import base64
import json
import math
import struct
import unittest

from kiln_driver import KilnTest


def arm_beside_a_wheel(degrees):
    """A glTF text: a wheel that turns 120 degrees a key and closes, and an arm of 1 m that ends elsewhere."""
    data, views, accessors = bytearray(), [], []

    def add(numbers, kind, component=5126, form="f"):
        views.append({"buffer": 0, "byteOffset": len(data), "byteLength": len(numbers) * struct.calcsize(form)})
        data.extend(struct.pack(f"<{len(numbers)}{form}", *numbers))
        data.extend(bytes(-len(data) % 4))
        width = {"SCALAR": 1, "VEC3": 3, "VEC4": 4, "MAT4": 16}[kind]
        accessors.append({"bufferView": len(views) - 1, "componentType": component, "type": kind,
                          "count": len(numbers) // width})
        if kind == "VEC3":
            accessors[-1]["min"] = [min(numbers[i::3]) for i in range(3)]
            accessors[-1]["max"] = [max(numbers[i::3]) for i in range(3)]
        return len(accessors) - 1

    corners = [(-0.6, 0, 0), (-0.4, 0, 0), (-0.5, 0.1, 0), (0.5, 0, 0), (0.52, 0, 0), (0.5, 1, 0)]
    positions = add([x for corner in corners for x in corner], "VEC3")
    joints = add([0, 0, 0, 0] * 3 + [1, 0, 0, 0] * 3, "VEC4", 5121, "B")
    weights = add([1, 0, 0, 0] * 6, "VEC4")
    indices = add([0, 1, 2, 3, 4, 5], "SCALAR", 5123, "H")
    places = [(-0.5, 0, 0), (0.5, 0, 0)]
    binds = add([x for px, py, pz in places for x in (1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -px, -py, -pz, 1)], "MAT4")
    times = add([key / 30 for key in range(31)], "SCALAR")

    def turns(of_key):
        angles = [math.radians(of_key(key)) / 2 for key in range(31)]
        return add([x for a in angles for x in (0, 0, math.sin(a), math.cos(a))], "VEC4")

    samplers = [{"input": times, "output": turns(lambda key: 120 * key)},
                {"input": times, "output": turns(lambda key: degrees * key / 30)}]
    uri = "data:application/octet-stream;base64," + base64.b64encode(data).decode()
    attributes = {"POSITION": positions, "JOINTS_0": joints, "WEIGHTS_0": weights}
    return json.dumps({
        "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0, 1, 2]}],
        "nodes": [{"name": "wheel", "translation": places[0]}, {"name": "arm", "translation": places[1]},
                  {"name": "figure", "mesh": 0, "skin": 0}],
        "meshes": [{"primitives": [{"attributes": attributes, "indices": indices}]}],
        "skins": [{"joints": [0, 1], "inverseBindMatrices": binds}],
        "animations": [{"name": "lift", "samplers": samplers, "channels": [
            {"sampler": i, "target": {"node": i, "path": "rotation"}} for i in range(2)]}],
        "accessors": accessors, "bufferViews": views, "buffers": [{"uri": uri, "byteLength": len(data)}]})


class Seams(KilnTest):
    def test_a_loop_is_closed_by_no_more_than_the_limit(self):
        rig = self.folder / "arm.gltf"
        rig.write_text(arm_beside_a_wheel(15))
        apart = 2000 * math.sin(math.radians(7.5))  # of the end of the arm
        clip = self.document("info", rig)["clips"][0]
        self.assertEqual(clip["seam"], "none")
        self.assertAlmostEqual(clip["seamMm"], apart, delta=0.01)
        for words, seam in [((), "none"), (("--seam-mm", "260"), "none"), (("--seam-mm", "262"), "inclusive"),
                            (("--seam-mm", "0"), "none"), (("--seam-mm", "auto"), "none"),
                            (("--seam", "inclusive"), "inclusive")]:
            baked = self.document("bake", rig, "-o", "o", *words)
            self.assertEqual(baked["clips"][0]["seam"], seam)
            said = [note["message"] for note in baked["notes"] if note["code"] == "SeamClosed"]
            self.assertEqual(len(said), 1 if seam == "inclusive" else 0)
            for message in said:
                self.assertIn(f"'lift' ({apart:.1f} mm)", message)
            chosen = float(words[1]) if words and words[1][0].isdigit() else None
            sidecar = json.loads((self.folder / "o" / "arm.atlas.json").read_text())
            self.assertEqual(sidecar.get("seamMm"), chosen)
            self.assertEqual(self.document("verify", "o")["atlas"].get("seamMm"), chosen)
        # A folder is baked anew by the limit that it was baked with.
        self.document("bake", rig, "-o", "wide", "--seam-mm", "262")
        self.assertEqual(self.document("bake", "wide", "-o", "again", "--rate", "15")["clips"][0]["seam"], "inclusive")
        for value in ["-1", "1001", "nan", "much"]:
            self.refused("bake", rig, "-o", "o", "--seam-mm", value, code=2, says="--seam-mm")


if __name__ == "__main__":
    unittest.main()
