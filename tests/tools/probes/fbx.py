"""Writes a scene as an FBX text file, version 7.4."""

from scene import columns, inverse

SECOND = 46186158000
AXES = {"Y": (1, 2, 0), "Z": (2, 1, 0)}


def commas(numbers):
    flat = [n for row in numbers for n in (row if isinstance(row, (list, tuple)) else [row])]
    return ",".join(str(n) if isinstance(n, int) else f"{n:.9g}" for n in flat)


def array(name, values):
    listed = commas(values)
    return f"{name}: *{listed.count(',') + 1 if listed else 0} {{ a: {listed} }}"


def vector(name, v):
    return f'P: "{name}", "{name}", "", "A",{commas(v)}'


def layer(kind, mapping, *arrays, reference="Direct"):
    return (f'LayerElement{kind}: 0 {{ Version: 101\n\t\tName: ""\n\t\tMappingInformationType: "{mapping}"\n'
            f'\t\tReferenceInformationType: "{reference}"\n\t\t' + "\n\t\t".join(arrays) + " }")


class Fbx:
    def __init__(self, scene):
        self.scene, self.objects, self.links, self.last = scene, [], [], 100
        self.ids = {node.name: 10 + i for i, node in enumerate(scene.nodes)}

    def add(self, kind, name, sort, *inner, properties=(), number=None):
        self.last += 1
        number = number or self.last
        listed = "".join(f"\t\t\t{p}\n" for p in properties)
        block = f"\t\tProperties70: {{\n{listed}\t\t}}\n" if properties else ""
        body = "".join(f"\t\t{line}\n" for line in inner)
        self.objects.append(f'\t{kind}: {number}, "{name}", "{sort}" {{\n{block}{body}\t}}\n')
        return number

    def link(self, child, parent, what=None):
        self.links.append(f'\tC: "OP",{child},{parent}, "{what}"\n' if what else f'\tC: "OO",{child},{parent}\n')

    def geometry(self, mesh, *more, layers=()):
        corners = [v if i + 1 < len(face) else -v - 1 for face in mesh.faces for i, v in enumerate(face)]
        order = [v for face in mesh.faces for v in face]
        parts = [array("Vertices", mesh.positions), array("PolygonVertexIndex", corners), "GeometryVersion: 124"]
        if mesh.normals:
            parts.append(layer("Normal", "ByPolygonVertex", array("Normals", [mesh.normals[v] for v in order])))
        if mesh.uvs:
            parts.append(layer("UV", "ByPolygonVertex", array("UV", [mesh.uvs[v] for v in order])))
        parts.append(layer("Material", "AllSame", "Materials: *1 { a: 0 }", reference="IndexToDirect"))
        kinds = [k for k, has in (("Normal", mesh.normals), ("UV", mesh.uvs), ("Material", True)) if has]
        kinds += [part.split(":")[0][12:] for part in layers]
        parts += [*layers, "Layer: 0 { Version: 100\n" + "\n".join(
            f'\t\tLayerElement: {{ Type: "LayerElement{k}"\n\t\tTypedIndex: 0 }}' for k in kinds) + " }"]
        return self.add("Geometry", f"Geometry::{mesh.name}", "Mesh", *parts, *more)

    def curve(self, layer_id, owner, what, curve, width):
        node = self.add("AnimationCurveNode", f"AnimCurveNode::{what[-1]}", "",
                        properties=[f'P: "d|{axis}", "Number", "", "A",0' for axis in ("XYZ" if width == 3 else ["DeformPercent"])])
        self.link(node, layer_id)
        self.link(node, owner, what)
        for i in range(width):
            values = [v[i] if isinstance(v, (list, tuple)) else v for v in curve.values]
            flags, data = [], []
            for k in range(len(values)):
                # 2: held, 4: linear, 8: cubic; 0x400 | 0x800: slopes of the user, broken.
                kind = {"step": 2, "linear": 4, "cubic": 8 | 0x400 | 0x800}[curve.kind(k)]
                slopes = [0.0, 0.0]
                if curve.kind(k) == "cubic" and k + 1 < len(values):
                    slopes = [s[i] if isinstance(s, (list, tuple)) else s for s in curve.slopes[k:k + 2]]
                flags.append(kind)
                data += [float_bits(slopes[0]), float_bits(slopes[1]), 0, 0]
            made = self.add("AnimationCurve", "AnimCurve::", "", "KeyVer: 4008",
                            array("KeyTime", [round(t * SECOND) for t in curve.times]),
                            array("KeyValueFloat", [float(v) for v in values]), array("KeyAttrFlags", flags),
                            array("KeyAttrDataFloat", data), array("KeyAttrRefCount", [1] * len(values)))
            self.link(made, node, f"d|{'XYZ'[i]}" if width == 3 else "d|DeformPercent")

    def text(self, version=7400):
        up, front, right = AXES[self.scene.up]
        ints = {"UpAxis": up, "UpAxisSign": 1, "FrontAxis": front, "FrontAxisSign": 1 if self.scene.up == "Y" else -1,
                "CoordAxis": right, "CoordAxisSign": 1}
        listed = "".join(f'\t\tP: "{k}", "int", "Integer", "",{v}\n' for k, v in ints.items())
        return ("; FBX 7.4.0 project file\n"
                f"FBXHeaderExtension: {{\n\tFBXHeaderVersion: 1003\n\tFBXVersion: {version}\n}}\n"
                f"GlobalSettings: {{\n\tVersion: 1000\n\tProperties70: {{\n{listed}"
                f'\t\tP: "UnitScaleFactor", "double", "Number", "",{100 * self.scene.unit:.9g}\n'
                '\t\tP: "TimeMode", "enum", "", "",6\n\t}\n}\n'
                "Objects: {\n" + "".join(self.objects) + "}\nConnections: {\n" + "".join(self.links) + "}\n").encode()


def float_bits(value):
    """Text files write the bits of a float as a whole number."""
    import struct
    return struct.unpack("<i", struct.pack("<f", value))[0]


def write(scene, material=None, models=None, layers=(), version=7400, geometric=()):
    """`material`: properties; `models`: more properties of nodes by name; `layers`: of the first mesh."""
    out = Fbx(scene)
    meshes = {mesh.node for mesh in scene.meshes}
    for node in scene.nodes:
        turn = [node.degrees * (node.axis == a) for a in "xyz"]
        properties = [vector("Lcl Translation", node.t), vector("Lcl Rotation", turn), vector("Lcl Scaling", node.s)]
        properties += (models or {}).get(node.name, ['P: "InheritType", "enum", "", "",1'])
        if node.name in meshes:
            properties += geometric
        out.add("Model", f"Model::{node.name}", "Mesh" if node.name in meshes else "LimbNode" if node.isJoint else "Null",
                "Version: 232", properties=properties, number=out.ids[node.name])
        out.link(out.ids[node.name], out.ids[node.parent] if node.parent else 0)
    color = material or ['P: "DiffuseColor", "Color", "", "A",0.8,0.4,0.2']
    cloth = out.add("Material", "Material::cloth", "", "Version: 102", 'ShadingModel: "lambert"', properties=color)
    channels = []
    for m, mesh in enumerate(scene.meshes):
        shape = out.geometry(mesh, layers=layers if m == 0 else ())
        out.link(shape, out.ids[mesh.node])
        out.link(cloth, out.ids[mesh.node])
        if mesh.influences:
            add_skin(out, mesh, shape)
        if mesh.morphs:
            blend = out.add("Deformer", "Deformer::", "BlendShape", "Version: 100")
            out.link(blend, shape)
            for name, deltas, turns in mesh.morphs:
                channel = out.add("Deformer", f"SubDeformer::{name}", "BlendShapeChannel", "Version: 100",
                                  "DeformPercent: 0", array("FullWeights", [100]))
                out.link(channel, blend)
                parts = [array("Indexes", list(deltas)), array("Vertices", list(deltas.values()))]
                if turns:
                    parts.append(array("Normals", [turns.get(v, (0, 0, 0)) for v in deltas]))
                out.link(out.add("Geometry", f"Geometry::{name}", "Shape", "Version: 100", *parts), channel)
                channels.append(channel)
    for clip in scene.clips:
        first, last = clip.span()
        stack = out.add("AnimationStack", f"AnimStack::{clip.name}", "",
                        properties=[f'P: "LocalStart", "KTime", "Time", "",{round(first * SECOND)}',
                                    f'P: "LocalStop", "KTime", "Time", "",{round(last * SECOND)}'])
        base = out.add("AnimationLayer", "AnimLayer::base", "")
        out.link(base, stack)
        for node, what, curve in clip.curves:
            if what == "r":
                curve = as_vectors(curve, scene.node(node).axis)
            out.curve(base, out.ids[node], "Lcl " + {"t": "Translation", "r": "Rotation", "s": "Scaling"}[what], curve, 3)
        for target, curve in clip.morphs:
            out.curve(base, channels[target], "DeformPercent", percent(curve), 1)
    return out.text(version)


def as_vectors(curve, axis):
    def wide(v):
        return tuple(v * (axis == a) for a in "xyz")
    return type(curve)(curve.times, [wide(v) for v in curve.values], curve.kinds,
                       [wide(s) for s in curve.slopes] if curve.slopes else None)


def percent(curve):
    return type(curve)(curve.times, [100 * v for v in curve.values], curve.kinds,
                       [100 * s for s in curve.slopes] if curve.slopes else None)


def add_skin(out, mesh, shape):
    binds = mesh.binds or out.scene.globals()
    skin = out.add("Deformer", "Deformer::", "Skin", "Version: 101")
    out.link(skin, shape)
    for node in out.scene.nodes:
        held = [v for v, w in enumerate(mesh.influences) if node.name in w]
        if not held:
            continue
        # Transform: from the mesh to the joint when they were bound.
        cluster = out.add("Deformer", "SubDeformer::", "Cluster", "Version: 100", array("Indexes", held),
                          array("Weights", [float(mesh.influences[v][node.name]) for v in held]),
                          array("Transform", columns(inverse(binds[node.name]))),
                          array("TransformLink", columns(binds[node.name])))
        out.link(cluster, skin)
        out.link(out.ids[node.name], cluster)
