"""Features that one format has, or that formats write too differently for one scene."""

import math
import struct

import collada
import directx
import fbx
import gltf
from pictures import COLOR, JPEG, WEBP, bmp, ktx2, png, tga
from scene import Clip, Curve, Node, columns, identity, moved, multiply, stretched, strip, turned
from shared_features import box, rigid

def still(**material):
    due = strip().expected(False)
    if material:
        due["material"] = material
    return due


def painted(material, pictures=((png(), "image/png"),), samplers=None, used=(), required=()):
    """The strip with a glTF material whose textures are pictures in the file."""
    made = gltf.write(strip(), material)
    for i, (data, kind) in enumerate(pictures):
        made.list("images").append({"bufferView": made.view(data), "mimeType": kind})
        made.list("textures").append({"source": i, **({"sampler": 0} if samplers else {})})
    if samplers:
        made.json["samplers"] = samplers
    if used:
        made.json["extensionsUsed"] = list(used)
    if required:
        made.json["extensionsRequired"] = list(required)
    return made


def looks(probes):
    section = "Materials"
    notes = ["MaterialSimplified", "ExtensionIgnored"]

    def look(feature, material, due, **how):
        said = how.pop("notes", notes)
        probes.gltf(section, feature, painted(material, **how), still(**due), said)

    plain = {"baseColorFactor": [0.2, 0.4, 0.6, 1], "metallicFactor": 0.25, "roughnessFactor": 0.75}
    look("base colour", {"pbrMetallicRoughness": plain}, {"baseColor": [0.2, 0.4, 0.6, 1]})
    look("picture of base colour", {"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}, {"base": {"texel": COLOR}})
    look("metal and roughness", {"pbrMetallicRoughness": {**plain, "metallicRoughnessTexture": {"index": 0}}},
         {"metallic": 0.25, "roughness": 0.75, "metalRoughness": {"texel": COLOR}})
    look("emission", {"emissiveFactor": [0.1, 0.5, 1], "emissiveTexture": {"index": 0}},
         {"emission": [0.1, 0.5, 1], "emissive": {"texel": COLOR}})
    strength = {"KHR_materials_emissive_strength": {"emissiveStrength": 4}}
    look("strength of emission", {"emissiveFactor": [0.1, 0.5, 1], "extensions": strength}, {"emission": [0.4, 2, 4]}, used=strength)
    look("alpha by a limit", {"alphaMode": "MASK", "alphaCutoff": 0.3}, {"alpha": 1, "cutoff": 0.3})
    look("alpha by share", {"alphaMode": "BLEND", "pbrMetallicRoughness": {"baseColorFactor": [1, 1, 1, 0.4]}},
         {"alpha": 2, "baseColor": [1, 1, 1, 0.4]})
    look("two sides", {"doubleSided": True}, {"doubleSided": True})
    look("one side", {"doubleSided": False}, {"doubleSided": False})
    unlit = {"KHR_materials_unlit": {}}
    look("unlit", {"extensions": unlit}, {"unlit": True}, used=unlit)
    glossy = {"KHR_materials_pbrSpecularGlossiness": {"diffuseFactor": [1, 1, 1, 1], "diffuseTexture": {"index": 0},
                                                      "specularFactor": [0.04, 0.04, 0.04], "glossinessFactor": 0.7}}
    look("specular and gloss", {"extensions": glossy},
         {"baseColor": [1, 1, 1, 1], "base": {"texel": COLOR, "within": 4}, "roughness": 0.3, "metallic": 0}, used=glossy)
    textured = {"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}
    look("wrapping of pictures", textured, {"base": {"wrapU": 2, "wrapV": 1}}, samplers=[{"wrapS": 33071, "wrapT": 33648}])
    shift = {"KHR_texture_transform": {"offset": [0.25, 0.5], "rotation": 0.3, "scale": [2, 3]}}
    look("shifted, turned and scaled pictures",
         {"pbrMetallicRoughness": {"baseColorTexture": {"index": 0, "extensions": shift}}},
         {"base": {"offset": [0.25, 0.5], "rotation": 0.3, "scale": [2, 3]}}, used=shift,
         notes=[*notes, "TextureTransformIgnored"])
    look("a normal map", {"normalTexture": {"index": 0}}, {"normal": {"texel": (128, 128, 255)}},
         pictures=[(png((128, 128, 255, 255)), "image/png")], notes=["TangentsComputed"])
    for name, data, kind in [("PNG", png(), "image/png"), ("BMP", bmp(), "image/bmp"), ("TGA", tga(), "image/x-tga")]:
        look(f"{name} pictures", textured, {"base": {"texel": COLOR}}, pictures=[(data, kind)])
    close = {"base": {"texel": COLOR, "within": 4}}
    look("JPEG pictures", textured, close, pictures=[(JPEG, "image/jpeg")])
    for name, data, kind, extension in [("WebP", WEBP, "image/webp", "EXT_texture_webp"),
                                        ("plain KTX2", ktx2(), "image/ktx2", "KHR_texture_basisu")]:
        made = painted(textured, pictures=[(data, kind)], used=[extension], required=[extension])
        made.json["textures"] = [{"extensions": {extension: {"source": 0}}}]
        probes.gltf(section, f"{name} pictures", made, still(**close), ["PictureUnreadable"])
    damaged = painted(textured, pictures=[(png()[:40], "image/png")])
    probes.gltf(section, "damaged pictures", damaged, still(base={}), ["PictureUnreadable"])
    beside = gltf.write(strip(), textured)
    beside.json.update(images=[{"uri": "cloth.png"}], textures=[{"source": 0}])
    probes.add(section, "pictures beside the file", "glTF", [("a.gltf", beside.text())], still(base={"texel": COLOR}))
    probes.beside("cloth.png", png())
    missing = gltf.write(strip(), textured)
    missing.json.update(images=[{"uri": "gone.png"}], textures=[{"source": 0}])
    probes.gltf(section, "pictures that are not there", missing, still(base={}), ["PictureUnreadable"])

    variants = painted({"pbrMetallicRoughness": plain}, used=["KHR_materials_variants"])
    variants.json["materials"].append({"name": "other"})
    variants.json["extensions"] = {"KHR_materials_variants": {"variants": [{"name": "red"}]}}
    variants.json["meshes"][0]["primitives"][0]["extensions"] = {
        "KHR_materials_variants": {"mappings": [{"material": 1, "variants": [0]}]}}
    probes.gltf(section, "variants (the first look is shown)", variants, still(baseColor=[0.2, 0.4, 0.6, 1]),
                ["VariantsUnused", "MaterialVariants", "ExtensionIgnored"])

    number = 'P: "{}", "Number", "", "A",{}'.format
    color = 'P: "{}", "Color", "", "A",{}'.format
    base = color("DiffuseColor", "0.2,0.4,0.6")

    def look_fbx(feature, properties, due):
        probes.add(section, feature, "FBX", [("a.fbx", fbx.write(strip(), [base, *properties]))], still(**due), notes)

    look_fbx("base colour", [], {"baseColor": [0.2, 0.4, 0.6, 1]})
    look_fbx("emission", [color("EmissiveColor", "0.1,0.5,1"), number("EmissiveFactor", 1)], {"emission": [0.1, 0.5, 1]})
    look_fbx("alpha by share", [color("TransparentColor", "1,1,1"), number("TransparencyFactor", 0.6)],
             {"alpha": 2, "baseColor": [0.2, 0.4, 0.6, 0.4]})

    def look_dae(feature, effect, due, images="", extra=()):
        probes.add(section, feature, "Collada", [("a.dae", collada.write(strip(), effect=effect, images=images))], still(**due),
                   [*notes, *extra])

    shade = "<lambert>{}<diffuse><color>0.2 0.4 0.6 1</color></diffuse>{}</lambert>".format
    look_dae("base colour", shade("", ""), {"baseColor": [0.2, 0.4, 0.6, 1]})
    look_dae("emission", shade("<emission><color>0.1 0.5 1 1</color></emission>", ""), {"emission": [0.1, 0.5, 1]})
    look_dae("alpha by share", shade("", '<transparent opaque="A_ONE"><color>1 1 1 0.4</color></transparent>'
                                     "<transparency><float>1</float></transparency>"),
             {"alpha": 2, "baseColor": [0.2, 0.4, 0.6, 0.4]})
    sampled = ('<newparam sid="s"><surface type="2D"><init_from>cloth</init_from></surface></newparam>'
               '<newparam sid="p"><sampler2D><source>s</source><wrap_s>{}</wrap_s><wrap_t>{}</wrap_t></sampler2D></newparam>'
               '<technique sid="common"><lambert><diffuse><texture texture="p" texcoord="UV"/></diffuse></lambert></technique>').format
    images = '<library_images><image id="cloth"><init_from>cloth.png</init_from></image></library_images>\n'
    look_dae("picture of base colour", sampled("WRAP", "WRAP"), {"base": {"texel": COLOR}}, images)
    probes.beside("cloth.png", png())
    look_dae("wrapping of pictures", sampled("CLAMP", "MIRROR"), {"base": {"wrapU": 2, "wrapV": 1}}, images, ["WrapIgnored"])
    probes.beside("cloth.png", png())
    look_dae("pictures that are not there", sampled("WRAP", "WRAP"), {"base": {}}, images, ["PictureUnreadable"])

    def look_x(feature, face, due, after=""):
        material = f"Material cloth {{ {face};; 0.0; 0.0;0.0;0.0;; {after} }}"
        probes.add(section, feature, "X", [("a.x", directx.write(strip(), material=material))], still(**due), notes)

    look_x("base colour", "0.2;0.4;0.6;1.0", {"baseColor": [0.2, 0.4, 0.6, 1]}, "0.0;0.0;0.0;;")
    look_x("emission", "0.2;0.4;0.6;1.0", {"emission": [0.1, 0.5, 1]}, "0.1;0.5;1.0;;")
    look_x("alpha by share", "0.2;0.4;0.6;0.4", {"alpha": 2, "baseColor": [0.2, 0.4, 0.6, 0.4]}, "0.0;0.0;0.0;;")
    look_x("picture of base colour", "1.0;1.0;1.0;1.0", {"base": {"texel": COLOR}}, '0.0;0.0;0.0;; TextureFilename { "cloth.png"; }')
    probes.beside("cloth.png", png())


def packing(probes):
    section = "How glTF stores it"
    sparse = strip()
    made = gltf.write(sparse)
    positions = made.json["accessors"][0]
    indices = made.view(struct.pack("<2H", 1, 6))
    values = made.view(struct.pack("<6f", 9, 9, 9, -9, 9, 9))
    for v, p in ((1, (9, 9, 9)), (6, (-9, 9, 9))):
        sparse.meshes[0].positions[v] = p
    positions["sparse"] = {"count": 2, "indices": {"bufferView": indices, "componentType": 5123}, "values": {"bufferView": values}}
    probes.gltf(section, "sparse accessors", made, sparse.expected())
    none = strip()
    none.meshes[0].morphs = [("wide", {3: (0.5, 0, 0)}, {})]
    none.clips[0].morphs = [(0, Curve([0, 1], [0.0, 1.0]))]
    made = gltf.write(none)
    target = made.json["accessors"][made.json["meshes"][0]["primitives"][0]["targets"][0]["POSITION"]]
    del target["bufferView"]
    target["sparse"] = {"count": 1, "indices": {"bufferView": made.view(struct.pack("<H", 3)), "componentType": 5123},
                        "values": {"bufferView": made.view(struct.pack("<3f", 0.5, 0, 0))}}
    probes.gltf(section, "sparse morph targets", made, none.expected(False))
    small = strip()
    made = gltf.write(small)
    attributes = made.json["meshes"][0]["primitives"][0]["attributes"]
    # Sixteen bits for 0 to 4 m, undone by the bind matrices.
    attributes["POSITION"] = made.add("VEC4", [[round((n + 1) / 4 * 65535) for n in p] + [0] for p in small.meshes[0].positions],
                                      5123, normalized=True)
    accessor = made.json["accessors"][attributes["POSITION"]]
    accessor["type"] = "VEC3"
    made.json["bufferViews"][accessor["bufferView"]]["byteStride"] = 8
    undo = multiply(moved((-1, -1, -1)), stretched((4, 4, 4)))
    from scene import inverse
    binds = made.add("MAT4", [columns(multiply(inverse(small.globals()[n.name]), undo)) for n in small.nodes if n.isJoint])
    made.json["skins"][0]["inverseBindMatrices"] = binds
    made.json.update(extensionsUsed=["KHR_mesh_quantization"], extensionsRequired=["KHR_mesh_quantization"])
    probes.gltf(section, "quantised positions", made, small.expected(False), ["NormalsComputed"])
    bytes_ = strip()
    made = gltf.write(bytes_)
    attributes = made.json["meshes"][0]["primitives"][0]["attributes"]
    names = [n.name for n in bytes_.nodes if n.isJoint]
    attributes["WEIGHTS_0"] = made.add("VEC4", [[round(255 * w.get(n, 0)) for n in names] + [0] for w in bytes_.meshes[0].influences],
                                       5121, normalized=True)
    attributes["JOINTS_0"] = made.add("VEC4", [[0, 1, 2, 0]] * 8, 5121)
    for weights in bytes_.meshes[0].influences:
        weights.update({n: round(255 * w) / 255 for n, w in weights.items()})
    probes.gltf(section, "weights in bytes", made, bytes_.expected())
    for mode, feature, order, faces in [(5, "triangle strips", [0, 1, 2, 3, 4, 5], [(0, 1, 2), (2, 1, 3), (2, 3, 4), (4, 3, 5)]),
                                        (6, "triangle fans", [0, 1, 3, 5, 4], [(0, 1, 3), (0, 3, 5), (0, 5, 4)])]:
        scene = strip(clips=False)
        mesh = scene.meshes[0]
        for part in ("positions", "normals", "uvs", "influences"):
            setattr(mesh, part, getattr(mesh, part)[:6])
        mesh.faces = faces
        made = gltf.write(scene)
        primitive = made.json["meshes"][0]["primitives"][0]
        primitive.update(mode=mode, indices=made.add("SCALAR", order, 5123))
        probes.gltf(section, feature, made, scene.expected())
    for mode, feature in ((0, "points"), (1, "lines")):
        made = gltf.write(strip())
        made.json["meshes"][0]["primitives"].append({"mode": mode, "attributes": {"POSITION": made.add("VEC3", [(9, 9, 9), (8, 9, 9)])}})
        probes.gltf(section, f"{feature} beside triangles", made, strip().expected(), ["PrimitiveSkipped"])
    made = gltf.write(strip())
    made.json.update(extensionsUsed=["EXT_from_tomorrow"], extensionsRequired=["EXT_from_tomorrow"])
    probes.gltf(section, "an unknown extension that is required", made, {"refused": True}, mayBeRefused=True)


def scenes(probes):
    section = "Scenes of glTF"
    made = gltf.write(strip())
    made.json["cameras"] = [{"type": "perspective", "perspective": {"yfov": 1, "znear": 0.1}}]
    made.json["nodes"].append({"name": "eye", "camera": 0, "translation": [0, 1, 5]})
    made.json["nodes"].append({"name": "sun", "extensions": {"KHR_lights_punctual": {"light": 0}}})
    made.json["extensions"] = {"KHR_lights_punctual": {"lights": [{"type": "directional"}]}}
    made.json["extensionsUsed"] = ["KHR_lights_punctual"]
    made.json["scenes"][0]["nodes"] += [4, 5]
    probes.gltf(section, "cameras and lights, which are no part of a character", made, strip().expected())

    copies = rigid()
    places = [(0, 0, 0), (1, 0, 0), (0, 0, 2)]
    made = gltf.write(copies)
    made.json["nodes"][4]["extensions"] = {"EXT_mesh_gpu_instancing": {"attributes": {"TRANSLATION": made.add("VEC3", places)}}}
    made.json["extensionsUsed"] = ["EXT_mesh_gpu_instancing"]
    for i, place in enumerate(places[1:]):
        node = Node(f"copy{i}", "part", place, isJoint=False)
        copies.nodes.append(node)
        copies.meshes.append(box(node=node.name))
    probes.gltf(section, "instances", made, copies.expected(), ["InstancesUnused", "InstancingIgnored", "ExtensionIgnored"])

    hidden = rigid()
    made = gltf.write(hidden)
    made.json["nodes"][4]["extensions"] = {"KHR_node_visibility": {"visible": False}}
    made.json["extensionsUsed"] = ["KHR_node_visibility"]
    hidden.meshes.pop()
    probes.gltf(section, "hidden nodes", made, hidden.expected(), ["MeshHidden", "VisibilityFixed", "ExtensionIgnored"])

    pointed = strip()
    made = gltf.write(pointed)
    channel = made.json["animations"][0]["channels"][0]
    node = channel["target"].pop("node")
    channel["target"] = {"path": "pointer", "extensions": {"KHR_animation_pointer": {"pointer": f"/nodes/{node}/rotation"}}}
    made.json["extensionsUsed"] = ["KHR_animation_pointer"]
    probes.gltf(section, "clips that move by pointers", made, pointed.expected(), ["ChannelDropped", "PointerUnused"])

    marked = strip()
    made = gltf.write(marked)
    made.json["animations"][0]["extras"] = {"events": [{"name": "left", "seconds": 0.25}, {"name": "right", "seconds": 0.75}]}
    due = marked.expected()
    due["clips"][0]["events"] = [{"name": "left", "seconds": 0.25}, {"name": "right", "seconds": 0.75}]
    probes.gltf(section, "events of clips", made, due)

    empty = strip()
    made = gltf.write(empty)
    made.json["animations"].append({"name": "nothing", "samplers": [], "channels": []})
    probes.gltf(section, "a clip without channels", made, empty.expected(), ["ClipEmpty"])
    twin = strip()
    made = gltf.write(twin)
    for node in made.json["nodes"][:3]:
        node["name"] = "bone"
    probes.gltf(section, "joints of one name", made, twin.expected(), ["NamesMadeUnique"])
    broken = strip()
    broken.clips.append(Clip("odd", [("root", "t", Curve([0, 1, 2], [(0, 0, 0), (1, 0, 0), (2, 0, 0)]))]))
    made = gltf.write(broken)
    accessor = made.json["accessors"][made.json["animations"][1]["samplers"][0]["output"]]
    at = made.json["bufferViews"][accessor["bufferView"]]["byteOffset"] + 12
    made.data = made.data[:at] + struct.pack("<f", math.nan) + made.data[at + 4:]
    broken.clips[1].curves[0] = ("root", "t", Curve([0, 2], [(0, 0, 0), (2, 0, 0)]))
    probes.gltf(section, "keys that are not numbers", made, broken.expected(), ["KeysDropped"])
    huge = strip()
    huge.meshes[0].positions[3] = (math.nan, 0, 0)
    made = gltf.write(huge)
    for accessor in made.json["accessors"]:
        accessor.pop("min", None)
        accessor.pop("max", None)
    probes.gltf(section, "positions that are not numbers", made, {"refused": True}, mayBeRefused=True)


def streams(probes):
    section = "Meshes"
    scene = strip()
    mesh = scene.meshes[0]
    colors = [(v / 8, 1 - v / 8, 0.5, 1.0) for v in range(8)]
    due = scene.expected(False)
    due["corners"] = [{"point": list(p), "color": list(c)} for p, c in zip(mesh.positions, colors)]
    note = ["VertexColorsUnused", "StreamDropped"]
    made = gltf.write(scene)
    made.json["meshes"][0]["primitives"][0]["attributes"]["COLOR_0"] = made.add("VEC4", colors)
    probes.gltf(section, "vertex colours", made, due, note)
    # FBX and Collada hold colours as they are shown (sRGB); ours are linear.
    shown = {**due, "corners": [{"point": c["point"], "color": [linear(n) for n in c["color"][:3]] + [1]} for c in due["corners"]]}
    order = [v for face in mesh.faces for v in face]
    layer = fbx.layer("Color", "ByPolygonVertex", fbx.array("Colors", [colors[v] for v in order]))
    probes.add(section, "vertex colours", "FBX", [("a.fbx", fbx.write(scene, layers=[layer]))], shown, note)
    text = collada.write(scene).decode()
    text = text.replace('<vertices id="mesh0-v">', collada.source("mesh0-c", colors, 4) + '<vertices id="mesh0-v">')
    text = text.replace('<input semantic="TEXCOORD"', '<input semantic="COLOR" source="#mesh0-c" offset="0"/><input semantic="TEXCOORD"', 1)
    probes.add(section, "vertex colours", "Collada", [("a.dae", text.encode())], shown, note)
    text = directx.write(scene).decode()
    listed = ", ".join(f"{v}; {directx.decimals(c, ';')};;" for v, c in enumerate(colors))
    text = text.replace("  MeshMaterialList", f"  MeshVertexColors {{ 8; {listed}; }}\n  MeshMaterialList", 1)
    probes.add(section, "vertex colours", "X", [("a.x", text.encode())], shown, note)

    second = [(0.5 * u, 1 - 0.25 * v) for u, v in mesh.uvs]
    due = scene.expected(False)
    due["corners"] = [{"point": list(p), "uv2": list(uv)} for p, uv in zip(mesh.positions, second)]
    due["material"] = {"emissive": {"uvSet": 1}}
    made = gltf.write(scene, {"emissiveFactor": [1, 1, 1], "emissiveTexture": {"index": 0, "texCoord": 1},
                              "pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}})
    made.list("images").append({"bufferView": made.view(png()), "mimeType": "image/png"})
    made.json["textures"] = [{"source": 0}]
    made.json["meshes"][0]["primitives"][0]["attributes"]["TEXCOORD_1"] = made.add("VEC2", second)
    probes.gltf(section, "a second set of texture coordinates", made, due, ["StreamDropped"])

    odd = strip()
    made = gltf.write(odd)
    accessor = made.json["accessors"][made.json["meshes"][0]["primitives"][0]["attributes"]["NORMAL"]]
    at = made.json["bufferViews"][accessor["bufferView"]]["byteOffset"]
    made.data = made.data[:at] + struct.pack("<3f", 0, 0, 0) + made.data[at + 12:]
    due = one_bad_normal(odd)
    probes.gltf(section, "one normal without a length", made, due, ["NormalsComputed"])
    odd.meshes[0].normals[0] = (0, 0, 0)
    for format_, write, ending in (("FBX", fbx.write, "fbx"), ("Collada", collada.write, "dae"), ("X", directx.write, "x")):
        probes.add(section, "one normal without a length", format_, [(f"a.{ending}", write(odd))], due, ["NormalsComputed"])


def one_bad_normal(scene):
    """All normals as in the file but the first, which is computed: its face's, as no other shares it."""
    scene = scene.copy()
    a, b, c = (scene.meshes[0].positions[v] for v in scene.meshes[0].triangles()[0])
    u, w = [y - x for x, y in zip(a, b)], [y - x for x, y in zip(a, c)]
    scene.meshes[0].normals[0] = tuple(u[(i + 1) % 3] * w[(i + 2) % 3] - u[(i + 2) % 3] * w[(i + 1) % 3] for i in range(3))
    return scene.expected()


def linear(shown):
    return shown / 12.92 if shown <= 0.04045 else ((shown + 0.055) / 1.055) ** 2.4


def named_as_the_file(due, name):
    due["clips"][0]["name"] = name
    for pose in due["poses"]:
        pose["clip"] = name


def collada_clips(probes):
    section = "Clips of Collada"

    def probe(feature, text, due, notes=()):
        probes.add(section, feature, "Collada", [("a.dae", text if isinstance(text, bytes) else text.encode())], due, notes)

    one = strip()
    due = one.expected()
    named_as_the_file(due, "curves_without_any_clip")
    probe("curves without any clip", collada.write(one, ranges=False), due)
    stated = strip()
    text = collada.write(stated).decode().replace('start="0" end="1"', 'start="0.25" end="2"')
    cut = strip()
    cut.clips = [Clip("bend", [(n, w, Curve([0.25, 1, 2], [c.at(0.25), c.at(1), c.at(1)])) for n, w, c in stated.clips[0].curves])]
    probe("a clip that states its range", text, cut.expected())
    left = strip()
    left.clips.append(Clip("Clip 2", [("root", "t", Curve([0, 2], [(0, 0, 0), (0, 1, 0)]))]))
    text = collada.write(left).decode()
    start = text.index('<animation_clip id="clip1"')
    text = text[:start] + text[text.index("</library_animation_clips>"):]
    probe("curves that no clip names", text, left.expected())
    again = strip()
    again.clips = [Clip("bend", [("middle", "r", Curve([0, 1, 2], [0, 90, 180])), ("root", "t", Curve([0, 2], [(0, 0, 0), (1, 0, 0)]))])]
    text = collada.write(again).decode()
    text = text.replace(">0 1 2<", ">0 1<", 1).replace('count="3">0 90 180<', 'count="2">0 90<').replace("LINEAR LINEAR LINEAR", "LINEAR LINEAR")
    text = text.replace('<sampler id="c0-0-s">', '<sampler id="c0-0-s" post_behavior="CYCLE_RELATIVE">')
    probe("curves that repeat beyond their keys", text, again.expected())
    matrices = strip()
    clip = matrices.clips[0]
    body = ""
    for i, (name, _, curve) in enumerate(clip.curves):
        node = matrices.node(name)
        values = [[m[r][c] for r in range(4) for c in range(4)] for m in (node.local(degrees=v) for v in curve.values)]
        body += collada.animation(f"m{i}", f"{name}/all", Curve(curve.times, values), 16)
        node.matrix = node.local()
    still_ = matrices.copy()
    still_.clips = []
    text = collada.write(still_).decode().replace("<library_visual_scenes>", f"<library_animations>{body}</library_animations><library_visual_scenes>")
    due = strip().expected()
    named_as_the_file(due, "keys_of_matrices")
    probe("keys of matrices", text, due)
    relative = strip()
    relative.meshes[0].morphs = [("wide", {3: (0.5, 0, 0), 5: (0.3, 0.1, 0)}, {})]
    relative.clips[0].morphs = [(0, Curve([0, 1], [0.0, 1.0]))]
    due = relative.expected(False)
    written = relative.copy()
    text = collada.write(written).decode().replace("NORMALIZED", "RELATIVE")
    start, end = text.index('<geometry id="mesh0-wide"'), text.index("</geometry>", text.index('<geometry id="mesh0-wide"'))
    moves = [[0, 0, 0]] * 8
    moves = [list(relative.meshes[0].morphs[0][1].get(v, (0, 0, 0))) for v in range(8)]
    part = collada.geometry(relative.meshes[0], "mesh0-wide", moves)
    text = text[:start] + part + text[end + len("</geometry>\n"):]
    probe("morph targets that are differences", text, due, ["MeshDropped"])
    hidden = strip()
    body = collada.animation("v", "strip/visibility", Curve([0, 1], [0, 1], "step"))
    text = collada.write(hidden).decode().replace("</library_animations>", body + "</library_animations>")
    shown = hidden.expected()
    shown["poses"].append({**shown["poses"][0], "points": [], "normals": []})
    probe("curves that hide nodes", text, shown, ["VisibilityFixed"])
    skewed = rigid()
    text = collada.write(skewed).decode().replace('<node id="part" sid="part" name="part">', '<node id="part" sid="part" name="part"><skew>45 0 1 0 1 0 0</skew>')
    skewed.node("part").matrix = multiply([[1, 1, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]], skewed.node("part").local())
    probe("<skew>", text, skewed.expected(), ["SkewIgnored", "TransformIgnored"])
    looking = rigid()
    text = collada.write(looking).decode().replace('<node id="part" sid="part" name="part">',
                                                  '<node id="part" sid="part" name="part"><lookat>0 0 0 0 0 -1 0 1 0</lookat>')
    probe("<lookat>", text, looking.expected(), ["TransformIgnored"])
    instanced = rigid()
    text = collada.write(instanced).decode()
    start = text.index('<node id="part"')
    end = text.index("</node>", start) + len("</node>\n")
    part = text[start:end]
    text = text[:start] + '<node id="holder"><instance_node url="#part"/></node>\n' + text[end:]
    text = text.replace("<library_visual_scenes>", f"<library_nodes>{part}</library_nodes><library_visual_scenes>")
    probe("<instance_node>", text, instanced.expected())
    for kind, order, faces in [("tristrips", "0 1 2 3 4 5", [(0, 1, 2), (2, 1, 3), (2, 3, 4), (4, 3, 5)]),
                               ("trifans", "0 1 3 5 4", [(0, 1, 3), (0, 3, 5), (0, 5, 4)])]:
        scene = strip()
        scene.meshes[0].faces = faces
        text = collada.write(scene).decode()
        start, end = text.index("<polylist"), text.index("</polylist>") + len("</polylist>")
        inputs = text[text.index("<input", start):text.index("<vcount>")]
        text = text[:start] + f'<{kind} count="1" material="cloth">{inputs}<p>{order}</p></{kind}>' + text[end:]
        due = scene.expected()
        used = {v for f in faces for v in f}
        for pose in due["poses"]:
            pose["points"] = [p for v, p in enumerate(pose["points"]) if v in used]
            pose["normals"] = [p for v, p in enumerate(pose["normals"]) if v in used]
        probe(f"<{kind}>", text, due, ["MeshDropped"])


def others(probes):
    section = "Clips of X"
    plain = strip()
    probes.add(section, "4800 ticks a second where the file is silent", "X", [("a.x", directx.write(plain, ticks=None))], plain.expected())
    frames = directx.write(plain, ticks=None, rate=30)
    probes.add(section, "frames where the file is silent", "X", [("a.x", frames)], plain.expected())
    probes.add(section, "texts in UTF-16", "X", [("a.x", directx.write(plain).decode().encode("utf-16"))], plain.expected())
    both = strip()
    both.clips[0].curves.append(("middle", "t", Curve([0, 1], [(0, 1, 0), (0, 1.5, 0)])))
    probes.add(section, "keys of matrices", "X", [("a.x", directx.write(both, matrices=True))], both.expected())
    section = "FBX alone"
    old = fbx.write(strip(), version=6100)
    probes.add(section, "versions before 7.0", "FBX", [("a.fbx", old)], {"refused": True}, mayBeRefused=True)
    shifted = rigid()
    shifted.clips = []
    written = shifted.copy()
    for v, p in enumerate(shifted.meshes[1].positions):
        shifted.meshes[1].positions[v] = (p[0], p[1] + 0.5, p[2])
    models = {"part": [fbx.vector("GeometricTranslation", (0, 0.5, 0))]}
    probes.add(section, "geometric transforms", "FBX", [("a.fbx", fbx.write(written, models=models))], shifted.expected())
    apart = rigid()
    apart.clips = []
    written = apart.copy()
    written.node("tip").s = (2, 2, 2)
    written.meshes[0].binds = apart.globals()
    apart.node("tip").s = (2, 2, 2)
    apart.meshes[0].binds = strip().globals()
    apart.node("part").s = (0.5, 0.5, 0.5)
    models = {"part": ['P: "InheritType", "enum", "", "",2']}
    probes.add(section, "scale that is not inherited", "FBX", [("a.fbx", fbx.write(written, models=models))], apart.expected())


def add(probes):
    for part in (looks, streams, packing, scenes, collada_clips, others):
        part(probes)
