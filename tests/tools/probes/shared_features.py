"""Features that several formats have: one scene each, written in every format that can hold it."""

import collada
import directx
import fbx
import gltf
import idtech
from scene import Clip, Curve, Mesh, Node, columns, identity, inverse, moved, multiply, point, strip, stretched, turned, unit

ALL = ("glTF", "FBX", "Collada", "MD5", "X")
FREE = ("glTF", "FBX", "Collada", "X")  # that hold more than skins and frames of joints


class Probes:
    """The list that make_probes.py writes."""

    def __init__(self):
        self.rows, self.list, self.files = [], [], {}

    def row(self, section, feature):
        if (section, feature) not in self.rows:
            self.rows.append((section, feature))

    def add(self, section, feature, format, files, expected, notes=(), mayBeRefused=False):
        """`files`: names and bytes, the rig first. `notes`: codes that name what may differ."""
        self.row(section, feature)
        number = f"{len(self.rows):03}"
        names = []
        for name, data in files:
            # A file that holds one clip gives it its name.
            path = name if name.endswith(("md5anim", "bvh")) else f"{feature_name(feature)}{name[name.rindex('.'):]}"
            names.append(f"{number}-{format}/{path}")
            self.files[names[-1]] = data
        self.list.append({"section": section, "feature": feature, "format": format, "files": names,
                          "expected": expected, "notes": list(notes), "mayBeRefused": mayBeRefused})

    def beside(self, name, data):
        """A further file beside the one that was added last."""
        folder = self.list[-1]["files"][0].rpartition("/")[0]
        self.files[f"{folder}/{name}"] = data

    def gltf(self, section, feature, made, expected, notes=(), mayBeRefused=False):
        """The same as glTF and as GLB."""
        self.add(section, feature, "glTF", [("a.gltf", made.text())], expected, notes, mayBeRefused)
        self.add(section, feature, "GLB", [("a.glb", made.binary())], expected, notes, mayBeRefused)

    def scene(self, section, feature, scene, formats=ALL, notes=(), normals=True, expected=None, **options):
        """`options`: arguments of a format's writer, by its name."""
        self.row(section, feature)
        due = expected or scene.expected(normals)
        if "glTF" in formats:
            self.gltf(section, feature, gltf.write(scene, **options.get("glTF", {})), due, notes)
        if "FBX" in formats:
            self.add(section, feature, "FBX", [("a.fbx", fbx.write(scene, **options.get("FBX", {})))], due, notes)
        if "Collada" in formats:
            self.add(section, feature, "Collada", [("a.dae", collada.write(scene, **options.get("Collada", {})))], due, notes)
        if "X" in formats:
            self.add(section, feature, "X", [("a.x", directx.write(scene, **options.get("X", {})))], due, notes)
        if "MD5" in formats:
            plain = {**due, "poses": [{k: v for k, v in p.items() if k != "normals"} for p in due["poses"]]}
            files = [("a.md5mesh", idtech.md5mesh(scene))]
            files += [(f"{clip.name}.md5anim", idtech.md5anim(scene, clip)) for clip in scene.clips]
            self.add(section, feature, "MD5", files, plain, notes)


def feature_name(feature):
    return "".join(c if c.isascii() and c.isalnum() else "_" for c in feature.lower())


def chain(count):
    """A strip on many joints, each vertex on all of them."""
    scene = strip()
    scene.nodes = [Node("j0")] + [Node(f"j{i}", f"j{i - 1}", (0, 3 / count, 0)) for i in range(1, count)]
    scene.nodes.append(Node("strip", isJoint=False))
    for v, weights in enumerate(scene.meshes[0].influences):
        weights.clear()
        shares = [1 / (1 + abs(j * 3 / count - v // 2)) for j in range(count)]
        weights.update({f"j{j}": share / sum(shares) for j, share in enumerate(shares)})
    turns = [(f"j{j}", "r", Curve([0, 1], [0, 10 + 3 * j])) for j in range(1, count)]
    scene.clips = [Clip("bend", turns)]
    return scene


def box(x=0.0, node="part"):
    """A bent sheet, so that its vector area is not zero and mirroring shows."""
    positions = [(x, 0, 0), (x + 0.5, 0, 0.1), (x + 0.5, 0.7, 0), (x, 0.6, 0.2)]
    return Mesh(positions, [(0, 1, 2, 3)], normals=[unit((0.1 * i, -0.2, 1)) for i in range(4)],
                uvs=[(0, 0), (1, 0), (1, 1), (0, 1)], node=node, name="part")


def rigid():
    """A part without a skin below a joint that turns, beside a strip with one."""
    scene = strip()
    scene.nodes.append(Node("part", "tip", (0.2, 0.3, 0), isJoint=False))
    scene.meshes.append(box())
    return scene


def skins(probes):
    section = "Skins"
    probes.scene(section, "1 influence a vertex", strip([{"root": 1}, {"middle": 1}, {"middle": 1}, {"tip": 1}]))
    probes.scene(section, "2 influences a vertex", strip())
    probes.scene(section, "4 influences a vertex", chain(4))
    probes.scene(section, "8 influences a vertex", chain(8))
    loose = strip([{"root": 1}, {"root": 0.3, "middle": 0.1}, {"middle": 0.5, "tip": 1.5}, {"tip": 1}])
    # In MD5 weights are summed, not normalised: a file of that kind does not say where its vertices are.
    probes.scene(section, "weights that do not add up to 1", loose, FREE, ["WeightsNormalised"])
    probes.scene(section, "parts without a skin, at joints", rigid(), FREE)
    two = strip()
    two.nodes.append(Node("second", isJoint=False))
    other = strip().meshes[0]
    other.node, other.name, other.positions = "second", "second", [(x + 1, y, z) for x, y, z in other.positions]
    two.meshes.append(other)
    probes.scene(section, "several skins on one skeleton", two)
    bound = strip()
    bound.meshes[0].binds = bound.globals()
    bound.meshes[0].binds["tip"] = multiply(moved((0.3, 1.5, 0)), turned("z", 40))
    probes.scene(section, "bound in another pose than the rest pose", bound, FREE)
    split = two.copy()
    split.meshes[1].binds = split.globals()
    split.meshes[1].binds["middle"] = multiply(moved((1, 1, 0)), turned("z", 15))
    probes.scene(section, "one joint bound twice", split, FREE)

    shaped, shape = strip(), multiply(moved((0.2, 0, 0.5)), multiply(turned("x", 90), stretched((2, 2, 2))))
    written = shaped.copy()
    back = inverse(shape)
    written.meshes[0].positions = [point(back, p) for p in shaped.meshes[0].positions]
    written.meshes[0].normals = None
    probes.add(section, "bind shape matrix", "Collada", [("a.dae", collada.write(written, shape=shape))],
               shaped.expected(False), ["NormalsComputed"])
    ignored = strip()
    placed = ignored.copy()
    placed.node("strip").t = (5, 1, 0)
    probes.gltf(section, "the place of a skinned mesh's node means nothing", gltf.write(placed), ignored.expected())


def nodes(probes):
    section = "Nodes, units and axes"
    for feature, unit_, up, formats in [("centimetres", 0.01, "Y", ("FBX", "Collada")), ("inches", 0.0254, "Y", ("FBX", "Collada")),
                                        ("Z up", 1, "Z", ("FBX", "Collada")), ("X up", 1, "X", ("Collada",))]:
        scene = strip()
        scene.unit, scene.up = unit_, up
        probes.scene(section, feature, scene, formats)
    moving = strip()
    moving.nodes = [Node("mover", isJoint=False), *moving.nodes]
    moving.node("root").parent = "mover"
    moving.clips[0].curves.append(("mover", "t", Curve([0, 1], [(0, 0, 0), (2, 0, 1)])))
    probes.scene(section, "a node above the skeleton that moves", moving, FREE)
    lifted = strip()
    lifted.nodes = [Node("lift", t=(0, 0.5, 0), axis="x", degrees=90, s=(2, 2, 2), isJoint=False), *lifted.nodes]
    lifted.node("root").parent = "lift"
    lifted.meshes[0].binds = strip().globals()
    probes.scene(section, "a node above the skeleton that turns and scales it", lifted, FREE)
    uneven = rigid()
    uneven.node("root").s = (1, 1.5, 0.5)
    uneven.meshes[0].binds = strip().globals()
    probes.scene(section, "uneven scale above joints that turn", uneven, FREE)
    mirrored = rigid()
    mirrored.node("part").s = (-1, 1, 1)
    probes.scene(section, "mirrored parts", mirrored, FREE, ["ScaleMirrored"])
    sheared = rigid()
    sheared.node("part").matrix = multiply(moved((0.2, 0.3, 0)), [[1, 0.4, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]])
    probes.scene(section, "sheared matrices", sheared, ("glTF", "Collada", "X"))
    still = rigid()
    still.clips = []
    probes.scene(section, "a rig without clips", still, FREE)


def clips(probes):
    section = "Clips"
    linear = strip()
    linear.clips = [Clip("go", [("root", "t", Curve([0, 0.5, 1], [(0, 0, 0), (1, 0, 0.5), (1, 2, 0)])),
                                ("middle", "r", Curve([0, 1], [0, 80]))])]
    probes.scene(section, "linear keys", linear)
    step = strip()
    step.clips = [Clip("go", [("root", "t", Curve([0, 0.5, 1], [(0, 0, 0), (1, 0, 0), (2, 0, 0)], "step")),
                              ("middle", "r", Curve([0, 0.5, 1], [0, 40, 90], "step"))])]
    probes.scene(section, "step keys", step, ("glTF", "FBX", "Collada"))
    cubic = strip()
    cubic.clips = [Clip("go", [("root", "t", Curve([0, 0.5, 1], [(0, 0, 0), (1, 0, 0), (1, 2, 0)], "cubic",
                                                   [(2, 0, 0), (0, 1, 3), (0, 0, 0)]))])]
    probes.scene(section, "splines", cubic, ("glTF", "FBX", "Collada"))
    mixed = strip()
    mixed.clips = [Clip("go", [("root", "t", Curve([0, 0.5, 1, 1.5], [(0, 0, 0), (1, 0, 0), (1, 2, 0), (0, 0, 1)],
                                                   ["step", "linear", "cubic", "linear"],
                                                   [(0, 0, 0), (0, 0, 0), (1, 0, 2), (0, 1, 0)])),
                               ("middle", "r", Curve([0, 0.7, 1.5], [0, 60, 90], ["linear", "step", "linear"]))])]
    probes.scene(section, "steps, lines and splines in one curve", mixed, ("FBX", "Collada"))
    uneven = strip()
    uneven.clips = [Clip("go", [("middle", "r", Curve([0, 0.13, 0.171, 0.9], [0, 30, -20, 45])),
                                ("root", "t", Curve([0, 0.333, 0.9], [(0, 0, 0), (0.5, 0, 0), (0, 0.2, 0)]))])]
    probes.scene(section, "uneven keys", uneven, FREE)
    several = strip()
    several.clips.append(Clip("rise", [("root", "t", Curve([0, 2], [(0, 0, 0), (0.5, 1, 0)]))]))
    several.clips.append(Clip("turn", [("root", "r", Curve([0, 1], [0, 90]))]))
    probes.scene(section, "several clips", several)
    late = strip()
    late.clips = [Clip("go", [("middle", "r", Curve([1, 2], [0, 80]))])]
    probes.scene(section, "first key later than 0", late, FREE)
    held = strip()
    held.clips = [Clip("go", [("middle", "r", Curve([0.25, 0.5], [10, 80])), ("root", "t", Curve([0, 1], [(0, 0, 0), (1, 0, 0)]))])]
    probes.scene(section, "curves that end before their clip hold", held, FREE)
    pose = strip()
    pose.clips = [Clip("pose", [("middle", "r", Curve([0], [35]))])]
    probes.scene(section, "a clip of one key", pose)
    scaled = rigid()
    scaled.clips = [Clip("grow", [("part", "s", Curve([0, 1], [(1, 1, 1), (2, 0.5, 3)])), ("tip", "r", Curve([0, 1], [0, 60]))])]
    probes.scene(section, "keys of scale", scaled, FREE)
    spinning = strip()
    spinning.clips = [Clip("spin", [("middle", "r", Curve([0, 1, 2], [0, 360, 1080]))])]
    probes.scene(section, "turns of half a circle and more between keys", spinning, ("FBX", "Collada"))
    scene = strip()
    for format_, rate in (("BVH", 4),):
        due = scene.expected(False)
        for p in due["poses"]:
            p["byJoints"] = True
            del p["joints"]["strip"]
        probes.add(section, "frames of joints", format_, [("bend.bvh", idtech.bvh(scene, scene.clips[0], rate))], due, ["StickFigure"])
        several = strip()
        several.node("middle").axis = "x"
        several.clips[0].curves.append(("root", "t", Curve([0, 1], [(0, 0, 0), (1, 2, 0)])))
        for order in ("xyz", "yzx", "zyx"):
            due = several.expected(False)
            for p in due["poses"]:
                p["byJoints"] = True
                del p["joints"]["strip"]
            probes.add(section, f"rotations in the order {order}", format_,
                       [("bend.bvh", idtech.bvh(several, several.clips[0], rate, order))], due, ["StickFigure"])


def morphs(probes):
    section = "Morph targets"
    deltas = [("wide", {3: (0.5, 0, 0), 5: (0.3, 0.1, 0)}, {}), ("deep", {2: (0, 0, 0.6), 3: (0, 0, -0.2), 7: (0, 0.4, 0)}, {})]
    formats = ("glTF", "FBX", "Collada")

    def shaped(targets=deltas, kinds="linear", slopes=None):
        scene = strip()
        scene.meshes[0].morphs = targets
        curve = Curve([0, 0.5, 1], [0.0, 1.0, 0.25], kinds, slopes)
        scene.clips[0].morphs = [(0, curve), (1, Curve([0, 0.5, 1], [0.5, 0.5, 0.0], kinds, slopes))]
        return scene

    # Normals that no target states turn with the surface, which is no matter of the formats.
    probes.scene(section, "targets on a skin, weights by lines", shaped(), formats, ["MeshDropped"], normals=False)
    probes.scene(section, "weights by steps", shaped(kinds="step"), formats, ["MeshDropped"], normals=False)
    probes.scene(section, "weights by splines", shaped(kinds="cubic", slopes=[1.0, 0.0, -1.0]), formats, ["MeshDropped"], normals=False)
    turned_ = [(name, moves, {v: (0.4, 0, 0) for v in moves}) for name, moves, _ in deltas]
    probes.scene(section, "normals of targets", shaped(turned_), ("glTF", "FBX"))
    plain = strip()
    mesh = plain.meshes[0]
    mesh.influences, mesh.morphs = None, deltas
    plain.clips = [Clip("go", [], [(0, Curve([0, 1], [0.0, 1.0])), (1, Curve([0, 1], [0.5, 0.0]))])]
    probes.scene(section, "targets without a skin", plain, formats, ["MeshDropped"], normals=False)
    probes.list[-1]["mayBeRefused"] = True  # Collada: the file holds nothing else


def surfaces(probes):
    section = "Meshes"
    flat = strip()
    mesh = flat.meshes[0]
    faces, positions, influences, normals, uvs = [], [], [], [], []
    for f, face in enumerate(mesh.faces):
        faces.append(tuple(range(len(positions), len(positions) + len(face))))
        for v in face:
            positions.append(mesh.positions[v])
            influences.append(mesh.influences[v])
            normals.append(unit((0.2 * f, 0.1, 1)))
            uvs.append(mesh.uvs[v])
    flat.meshes[0] = Mesh(positions, faces, normals, uvs, influences)
    probes.scene(section, "flat normals, as in the file", flat, FREE)
    up = strip()
    up.meshes[0].normals = [(0, 1, 0)] * 8
    probes.scene(section, "normals that are not those of the surface", up, FREE)
    bare = strip()
    bare.meshes[0].normals = None
    probes.scene(section, "no normals", bare, FREE, ["NormalsComputed"], normals=False)
    hexagon = strip()
    hexagon.meshes[0].faces = [(0, 1, 3, 5, 4, 2), (4, 5, 7, 6)]
    probes.scene(section, "polygons of many corners", hexagon, ("FBX", "Collada", "X"))
    concave = strip(clips=False)
    mesh = concave.meshes[0]
    mesh.positions = [(0, 0, 0), (2, 0, 0), (2, 2, 0), (1, 0.4, 0), (0, 2, 0)]
    mesh.normals, mesh.uvs, mesh.influences = [(0, 0, 1)] * 5, [(0, 0)] * 5, [{"root": 1}] * 5
    mesh.faces = [(0, 1, 2, 3, 4)]
    due = concave.expected()
    due["surface"] = 2.4  # of the polygon; triangles that overlap have more
    probes.scene(section, "concave polygons", concave, ("FBX", "Collada", "X"), expected=due)
    corners = strip()
    due = corners.expected()
    due["corners"] = [{"point": list(p), "uv": [u, 1 - v]}
                      for p, (u, v) in zip(corners.meshes[0].positions, corners.meshes[0].uvs)]
    probes.scene(section, "texture coordinates", corners, ALL, expected=due)


def names(probes):
    section = "Names"
    for feature, name in [("letters of other scripts", "骨盆"), ("blanks and signs", "Hip left (1)")]:
        scene = strip()
        for node in scene.nodes:
            node.name = name if node.name == "middle" else node.name
            node.parent = name if node.parent == "middle" else node.parent
        for weights in scene.meshes[0].influences:
            if "middle" in weights:
                weights[name] = weights.pop("middle")
        scene.clips[0].curves = [(name if n == "middle" else n, w, c) for n, w, c in scene.clips[0].curves]
        probes.scene(section, feature, scene, ("glTF", "FBX", "MD5"))
    twins = strip()
    twins.clips.append(Clip("bend", [("root", "r", Curve([0, 2], [0, 90]))]))
    due = twins.expected()
    due["poses"] = due["poses"][:5]
    due["clips"][1]["name"] = "bend (2)"
    probes.scene(section, "two clips of one name", twins, ("glTF", "FBX", "Collada", "X"), ["NamesMadeUnique"], expected=due)


def add(probes):
    for part in (skins, nodes, clips, morphs, surfaces, names):
        part(probes)
