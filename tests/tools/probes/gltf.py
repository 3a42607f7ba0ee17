"""Writes a scene as glTF with everything in it, or as GLB."""

import base64
import json
import struct

from scene import columns, inverse, quaternion

WIDTH = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}
CODE = {5120: "b", 5121: "B", 5122: "h", 5123: "H", 5125: "I", 5126: "f"}


class Gltf:
    """A document and its bytes; `write` gives the file."""

    def __init__(self):
        self.data = b""
        self.json = {"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": []}], "nodes": []}

    def list(self, name):
        return self.json.setdefault(name, [])

    def view(self, packed, **more):
        self.data += b"\0" * (-len(self.data) % 4)
        self.list("bufferViews").append({"buffer": 0, "byteOffset": len(self.data), "byteLength": len(packed), **more})
        self.data += packed
        return len(self.json["bufferViews"]) - 1

    def add(self, kind, values, component=5126, bounds=False, **more):
        values = [n for row in values for n in (row if isinstance(row, (list, tuple)) else [row])]
        width = WIDTH[kind]
        entry = {"bufferView": self.view(struct.pack(f"<{len(values)}{CODE[component]}", *values)),
                 "componentType": component, "type": kind, "count": len(values) // width, **more}
        if bounds:
            entry["min"] = [min(values[i::width]) for i in range(width)]
            entry["max"] = [max(values[i::width]) for i in range(width)]
        self.list("accessors").append(entry)
        return len(self.json["accessors"]) - 1

    def text(self):
        uri = "data:application/octet-stream;base64," + base64.b64encode(self.data).decode()
        buffers = [{"byteLength": len(self.data), "uri": uri}] if self.data else []
        return json.dumps({**self.json, **({"buffers": buffers} if buffers else {})}).encode()

    def binary(self):
        data = self.data + b"\0" * (-len(self.data) % 4)
        text = json.dumps({**self.json, "buffers": [{"byteLength": len(data)}]} if data else self.json).encode()
        text += b" " * (-len(text) % 4)
        parts = struct.pack("<I4s", len(text), b"JSON") + text
        if data:
            parts += struct.pack("<I4s", len(data), b"BIN\0") + data
        return struct.pack("<4sII", b"glTF", 2, 12 + len(parts)) + parts


def write(scene, material=None):
    out = Gltf()
    place = {node.name: i for i, node in enumerate(scene.nodes)}
    for node in scene.nodes:
        entry = {"name": node.name}
        if node.matrix:
            entry["matrix"] = columns(node.matrix)
        else:
            entry.update(translation=list(node.t), rotation=quaternion(node.axis, node.degrees), scale=list(node.s))
        children = [place[n.name] for n in scene.nodes if n.parent == node.name]
        if children:
            entry["children"] = children
        out.json["nodes"].append(entry)
        if node.parent is None:
            out.json["scenes"][0]["nodes"].append(place[node.name])
    if material is not None:
        out.json["materials"] = [material]
    for m, mesh in enumerate(scene.meshes):
        attributes = {"POSITION": out.add("VEC3", mesh.positions, bounds=True)}
        if mesh.normals:
            attributes["NORMAL"] = out.add("VEC3", mesh.normals)
        if mesh.uvs:
            attributes["TEXCOORD_0"] = out.add("VEC2", [(u, 1 - v) for u, v in mesh.uvs])
        if mesh.influences:
            add_skin(out, scene, mesh, attributes, place)
        primitive = {"attributes": attributes, "indices": out.add("SCALAR", mesh.triangles(), 5123)}
        if material is not None:
            primitive["material"] = 0
        entry = {"name": mesh.name, "primitives": [primitive]}
        if mesh.morphs:
            primitive["targets"] = [morph(out, mesh, deltas, turns) for _, deltas, turns in mesh.morphs]
            entry["extras"] = {"targetNames": [name for name, *_ in mesh.morphs]}
            entry["weights"] = [0.0] * len(mesh.morphs)
        out.list("meshes").append(entry)
        out.json["nodes"][place[mesh.node]]["mesh"] = m
    for clip in scene.clips:
        add_clip(out, scene, clip, place)
    return out


def add_skin(out, scene, mesh, attributes, place):
    joints = [n.name for n in scene.nodes if n.isJoint]
    sets = -(-max(len(w) for w in mesh.influences) // 4)
    for s in range(sets):
        lists = [list(w.items())[4 * s:4 * s + 4] for w in mesh.influences]
        lists = [row + [(joints[0], 0.0)] * (4 - len(row)) for row in lists]
        attributes[f"JOINTS_{s}"] = out.add("VEC4", [[joints.index(j) for j, _ in row] for row in lists], 5121)
        attributes[f"WEIGHTS_{s}"] = out.add("VEC4", [[w for _, w in row] for row in lists])
    binds = mesh.binds or scene.globals()
    out.list("skins").append({"joints": [place[j] for j in joints],
                              "inverseBindMatrices": out.add("MAT4", [columns(inverse(binds[j])) for j in joints])})
    out.json["nodes"][place[mesh.node]]["skin"] = len(out.json["skins"]) - 1


def morph(out, mesh, deltas, turns):
    count = range(len(mesh.positions))
    target = {"POSITION": out.add("VEC3", [deltas.get(v, (0, 0, 0)) for v in count], bounds=True)}
    if turns:
        target["NORMAL"] = out.add("VEC3", [turns.get(v, (0, 0, 0)) for v in count])
    return target


def add_clip(out, scene, clip, place):
    entry = {"name": clip.name, "samplers": [], "channels": []}

    def channel(node, path, curve, kind, values):
        mode = {"linear": "LINEAR", "step": "STEP", "cubic": "CUBICSPLINE"}[curve.kind(0)]
        entry["channels"].append({"sampler": len(entry["samplers"]), "target": {"node": place[node], "path": path}})
        entry["samplers"].append({"input": out.add("SCALAR", curve.times, bounds=True), "interpolation": mode,
                                  "output": out.add(kind, values)})

    def keys(curve, convert=lambda v: v):
        if curve.kind(0) != "cubic":
            return [convert(v) for v in curve.values]
        return [x for v, s in zip(curve.values, curve.slopes) for x in (s, v, s)]

    for node, what, curve in clip.curves:
        axis = scene.node(node).axis
        if what == "r":
            channel(node, "rotation", curve, "VEC4", keys(curve, lambda v, a=axis: quaternion(a, v)))
        else:
            channel(node, {"t": "translation", "s": "scale"}[what], curve, "VEC3", keys(curve))
    if clip.morphs:
        curves = dict(clip.morphs)
        first = next(iter(curves.values()))
        still = type(first)(first.times, [0.0] * len(first.times), first.kinds, [0.0] * len(first.times))
        lists = [keys(curves.get(t, still)) for t in range(len(scene.meshes[0].morphs))]
        if first.kind(0) == "cubic":  # all in-tangents of a key, its values, its out-tangents
            values = [column[3 * k + part] for k in range(len(first.times)) for part in range(3) for column in lists]
        else:
            values = [column[k] for k in range(len(first.times)) for column in lists]
        channel(scene.meshes[0].node, "weights", first, "SCALAR", values)
    out.list("animations").append(entry)
