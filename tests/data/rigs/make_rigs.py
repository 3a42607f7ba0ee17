#!/usr/bin/env python3
"""Writes the rigs of this folder: one strip of four rows on three joints, in every format that is read.

The strip stands along +Y, is 3 m tall and faces +Z. Joints 'root', 'middle' and 'tip' are at heights of
0, 1 and 2 m. In the clip 'bend' (1 s) middle turns by 90 and tip by -30 degrees about +Z; in 'rise'
(2 s) root moves by (0.5, 1, 0) m. Both are linear. tests/import/tst_own_rigs.cpp knows the same by
formula. Files have other units and axes than ours where their format says which: FBX is in
centimetres, Collada in half metres with Z up, MD5 has Z up, X is left-handed.
"""

import base64
import json
import math
import struct
from pathlib import Path

HERE = Path(__file__).parent
JOINTS = ["root", "middle", "tip"]
VERTICES = [(x, float(y), 0.0) for y in range(4) for x in (-0.25, 0.25)]
UVS = [(x, y / 3) for y in range(4) for x in (0.0, 1.0)]
ROW_WEIGHTS = [{0: 1.0}, {0: 0.75, 1: 0.25}, {1: 0.25, 2: 0.75}, {2: 1.0}]
WEIGHTS = [ROW_WEIGHTS[v // 2] for v in range(8)]
TRIANGLES = [t for y in (0, 2, 4) for t in ((y, y + 1, y + 3), (y, y + 3, y + 2))]
COLOUR = (0.8, 0.4, 0.2)
DEGREES = {"middle": 90.0, "tip": -30.0}  # at the end of 'bend'
RISE = (0.5, 1.0, 0.0)  # at the end of 'rise'


def text(*numbers):
    return " ".join(f"{n:.9g}" for n in numbers)


def commas(numbers):
    return ",".join(str(n) if isinstance(n, int) else f"{n:.9g}" for n in numbers)


def column_matrix(x, y, z):
    """16 numbers, columns one after another, that move by (x, y, z)."""
    return [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, y, z, 1]


def row_matrix(x, y, z):
    return [1, 0, 0, x, 0, 1, 0, y, 0, 0, 1, z, 0, 0, 0, 1]


def about_z(degrees):
    """A quaternion x, y, z, w."""
    half = math.radians(degrees) / 2
    return (0.0, 0.0, math.sin(half), math.cos(half))


def gltf():
    data, views, accessors = b"", [], []

    def add(kind, values, component=5126, bounds=False):
        nonlocal data
        width = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}[kind]
        packed = struct.pack(f"<{len(values)}{'f' if component == 5126 else 'B'}", *values)
        data += b"\0" * (-len(data) % 4)
        views.append({"buffer": 0, "byteOffset": len(data), "byteLength": len(packed)})
        data += packed
        entry = {"bufferView": len(views) - 1, "componentType": component, "type": kind,
                 "count": len(values) // width}
        if bounds:
            entry["min"] = [min(values[i::width]) for i in range(width)]
            entry["max"] = [max(values[i::width]) for i in range(width)]
        accessors.append(entry)
        return len(accessors) - 1

    def flat(rows):
        return [number for row in rows for number in row]

    attributes = {
        "POSITION": add("VEC3", flat(VERTICES), bounds=True),
        "NORMAL": add("VEC3", [0, 0, 1] * 8),
        "TEXCOORD_0": add("VEC2", flat(UVS)),
        "JOINTS_0": add("VEC4", flat((*w, 0, 0, 0)[:4] for w in map(tuple, WEIGHTS)), 5121),
        "WEIGHTS_0": add("VEC4", flat((*w.values(), 0, 0, 0)[:4] for w in WEIGHTS)),
    }
    indices = add("SCALAR", flat(TRIANGLES), 5121)
    binds = add("MAT4", flat(column_matrix(0, -y, 0) for y in range(3)))
    bend = {"name": "bend", "samplers": [], "channels": []}
    times = add("SCALAR", [0, 1], bounds=True)
    for joint, degrees in DEGREES.items():
        turns = add("VEC4", flat([about_z(0), about_z(degrees)]))
        bend["channels"].append({"sampler": len(bend["samplers"]),
                                 "target": {"node": JOINTS.index(joint), "path": "rotation"}})
        bend["samplers"].append({"input": times, "output": turns})
    rise = {"name": "rise",
            "samplers": [{"input": add("SCALAR", [0, 2], bounds=True),
                          "output": add("VEC3", [0, 0, 0, *RISE])}],
            "channels": [{"sampler": 0, "target": {"node": 0, "path": "translation"}}]}
    nodes = [{"name": "root", "children": [1]},
             {"name": "middle", "translation": [0, 1, 0], "children": [2]},
             {"name": "tip", "translation": [0, 1, 0]},
             {"name": "strip", "mesh": 0, "skin": 0}]
    uri = "data:application/octet-stream;base64," + base64.b64encode(data).decode()
    document = {
        "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0, 3]}], "nodes": nodes,
        "meshes": [{"name": "strip", "primitives": [
            {"attributes": attributes, "indices": indices, "material": 0}]}],
        "materials": [{"name": "cloth",
                       "pbrMetallicRoughness": {"baseColorFactor": [*COLOUR, 1]}}],
        "skins": [{"joints": [0, 1, 2], "inverseBindMatrices": binds}],
        "animations": [bend, rise], "accessors": accessors, "bufferViews": views,
        "buffers": [{"byteLength": len(data), "uri": uri}],
    }
    return json.dumps(document, indent=1) + "\n"


def fbx():
    second = 46186158000
    objects, links = [], []

    def array(name, values):
        return f"{name}: *{len(values)} {{ a: {commas(values)} }}"

    def add(kind, number, name, sort, *inner, properties=()):
        rows = "".join(f"\t\t\t{p}\n" for p in properties)
        block = f"\t\tProperties70: {{\n{rows}\t\t}}\n" if properties else ""
        body = "".join(f"\t\t{line}\n" for line in inner)
        objects.append(f'\t{kind}: {number}, "{name}", "{sort}" {{\n{block}{body}\t}}\n')

    def link(child, parent, what=None):
        links.append(f'\tC: "OP",{child},{parent}, "{what}"\n' if what
                     else f'\tC: "OO",{child},{parent}\n')

    def vector(name, x, y, z):
        return f'P: "{name}", "{name}", "", "A",{x:.9g},{y:.9g},{z:.9g}'

    for i, joint in enumerate(JOINTS):
        add("Model", 10 + i, f"Model::{joint}", "LimbNode", "Version: 232",
            properties=[vector("Lcl Translation", 0, 100 if i else 0, 0)])
        link(10 + i, 9 + i if i else 0)
    add("Model", 20, "Model::strip", "Mesh", "Version: 232", properties=[vector("Lcl Scaling", 1, 1, 1)])
    corners = [corner for a, b, c in TRIANGLES for corner in (a, b, -c - 1)]
    order = [corner for triangle in TRIANGLES for corner in triangle]
    layer = ["Version: 101", 'Name: ""', 'MappingInformationType: "ByPolygonVertex"',
             'ReferenceInformationType: "Direct"']
    add("Geometry", 21, "Geometry::strip", "Mesh",
        array("Vertices", [100 * n for vertex in VERTICES for n in vertex]),
        array("PolygonVertexIndex", corners), "GeometryVersion: 124",
        "LayerElementNormal: 0 { " + "\n\t\t".join([*layer, array("Normals", [0, 0, 1] * 18)]) + " }",
        "LayerElementUV: 0 { " + "\n\t\t".join([*layer, array("UV", [n for v in order for n in UVS[v]])]) + " }",
        'LayerElementMaterial: 0 { Version: 101\n\t\tName: ""\n\t\tMappingInformationType: "AllSame"\n'
        '\t\tReferenceInformationType: "IndexToDirect"\n\t\tMaterials: *1 { a: 0 } }',
        "Layer: 0 { Version: 100\n" + "\n".join(
            f'\t\tLayerElement: {{ Type: "LayerElement{kind}"\n\t\tTypedIndex: 0 }}'
            for kind in ("Normal", "UV", "Material")) + " }")
    add("Material", 22, "Material::cloth", "", "Version: 102", 'ShadingModel: "lambert"',
        properties=[f'P: "DiffuseColor", "Color", "", "A",{commas(COLOUR)}'])
    add("Deformer", 30, "Deformer::", "Skin", "Version: 101")
    for child, parent in ((20, 0), (21, 20), (22, 20), (30, 21)):
        link(child, parent)
    for i in range(3):
        moved = [v for v in range(8) if i in WEIGHTS[v]]
        add("Deformer", 31 + i, "SubDeformer::", "Cluster", "Version: 100",
            array("Indexes", moved), array("Weights", [WEIGHTS[v][i] for v in moved]),
            array("Transform", column_matrix(0, -100 * i, 0)),
            array("TransformLink", column_matrix(0, 100 * i, 0)))
        link(31 + i, 30)
        link(10 + i, 31 + i)

    def clip(number, name, seconds, moves):
        stop = seconds * second
        add("AnimationStack", number, f"AnimStack::{name}", "",
            properties=[f'P: "LocalStop", "KTime", "Time", "",{stop}'])
        add("AnimationLayer", number + 1, "AnimLayer::base", "")
        link(number + 1, number)
        at = number + 2
        for joint, what, ends in moves:
            add("AnimationCurveNode", at, f"AnimCurveNode::{what[0]}", "",
                properties=[f'P: "d|{axis}", "Number", "", "A",0' for axis in "XYZ"])
            link(at, number + 1)
            link(at, 10 + JOINTS.index(joint), f"Lcl {what}")
            for i, axis in enumerate("XYZ"):
                add("AnimationCurve", at + 1 + i, "AnimCurve::", "", "KeyVer: 4008",
                    array("KeyTime", [0, stop]),
                    array("KeyValueFloat", [0, ends[i]]), array("KeyAttrFlags", [24836]),
                    array("KeyAttrDataFloat", [0, 0, 0, 0]), array("KeyAttrRefCount", [2]))
                link(at + 1 + i, at, f"d|{axis}")
            at += 4

    clip(100, "bend", 1, [(j, "Rotation", (0, 0, d)) for j, d in DEGREES.items()])
    clip(200, "rise", 2, [("root", "Translation", [100 * n for n in RISE])])
    return (
        "; FBX 7.4.0 project file\n"
        "FBXHeaderExtension: {\n\tFBXHeaderVersion: 1003\n\tFBXVersion: 7400\n}\n"
        'GlobalSettings: {\n\tVersion: 1000\n\tProperties70: {\n'
        '\t\tP: "UpAxis", "int", "Integer", "",1\n\t\tP: "UpAxisSign", "int", "Integer", "",1\n'
        '\t\tP: "FrontAxis", "int", "Integer", "",2\n\t\tP: "FrontAxisSign", "int", "Integer", "",1\n'
        '\t\tP: "CoordAxis", "int", "Integer", "",0\n\t\tP: "CoordAxisSign", "int", "Integer", "",1\n'
        '\t\tP: "UnitScaleFactor", "double", "Number", "",1\n\t\tP: "TimeMode", "enum", "", "",6\n'
        "\t}\n}\n"
        "Objects: {\n" + "".join(objects) + "}\nConnections: {\n" + "".join(links) + "}\n")


def dae():
    def ours(x, y, z):
        """Half metres, Z up."""
        return (2 * x, -2 * z, 2 * y)

    def source(name, values, width=1, kind="float"):
        sort = {"float": "float_array", "name": "Name_array", "float4x4": "float_array"}[kind]
        listed = " ".join(values) if kind == "name" else text(*values)
        return (f'<source id="{name}"><{sort} id="{name}-a" count="{len(values)}">{listed}</{sort}>'
                f'<technique_common><accessor source="#{name}-a" count="{len(values) // width}" '
                f'stride="{width}">' + "".join(
                    f'<param name="{p}" type="{kind}"/>'
                    for p in ("XYZ"[:width] if width < 4 else "T")) +
                "</accessor></technique_common></source>\n")

    def animation(name, target, times, ends, width=1):
        zeros = [0] * width
        return (f'<animation id="{name}">\n' + source(name + "-in", times) +
                source(name + "-out", [*zeros, *ends], width) +
                source(name + "-kind", ["LINEAR", "LINEAR"], kind="name") +
                f'<sampler id="{name}-s"><input semantic="INPUT" source="#{name}-in"/>'
                f'<input semantic="OUTPUT" source="#{name}-out"/>'
                f'<input semantic="INTERPOLATION" source="#{name}-kind"/></sampler>\n'
                f'<channel source="#{name}-s" target="{target}"/>\n</animation>\n')

    positions = [n for vertex in VERTICES for n in ours(*vertex)]
    primitives = " ".join(f"{v} 0 {v}" for triangle in TRIANGLES for v in triangle)
    shares = sorted({w for weights in WEIGHTS for w in weights.values()})
    pairs = " ".join(f"{j} {shares.index(w)}" for weights in WEIGHTS for j, w in weights.items())
    joints = ""
    for i, joint in reversed(list(enumerate(JOINTS))):
        joints = (f'<node id="{joint}-id" sid="{joint}" name="{joint}" type="JOINT">'
                  f'<translate sid="place">{text(*ours(0, 1 if i else 0, 0))}</translate>'
                  f'<rotate sid="turn">0 -1 0 0</rotate>\n{joints}</node>\n')
    return (
        '<?xml version="1.0" encoding="utf-8"?>\n'
        '<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">\n'
        '<asset><unit name="half metre" meter="0.5"/><up_axis>Z_UP</up_axis></asset>\n'
        '<library_effects><effect id="cloth-fx"><profile_COMMON><technique sid="common"><lambert>'
        f"<diffuse><color>{text(*COLOUR, 1)}</color></diffuse>"
        "</lambert></technique></profile_COMMON></effect></library_effects>\n"
        '<library_materials><material id="cloth" name="cloth"><instance_effect url="#cloth-fx"/>'
        "</material></library_materials>\n"
        '<library_geometries><geometry id="mesh" name="strip"><mesh>\n' +
        source("positions", positions, 3) + source("normals", list(ours(0, 0, 0.5)), 3) +
        source("uvs", [n for uv in UVS for n in uv], 2) +
        '<vertices id="vertices"><input semantic="POSITION" source="#positions"/></vertices>\n'
        f'<triangles count="{len(TRIANGLES)}" material="cloth">'
        '<input semantic="VERTEX" source="#vertices" offset="0"/>'
        '<input semantic="NORMAL" source="#normals" offset="1"/>'
        f'<input semantic="TEXCOORD" source="#uvs" offset="2"/><p>{primitives}</p></triangles>\n'
        '</mesh></geometry></library_geometries>\n<library_controllers><controller id="skin">'
        f'<skin source="#mesh"><bind_shape_matrix>{text(*row_matrix(0, 0, 0))}</bind_shape_matrix>\n' +
        source("joints", JOINTS, kind="name") +
        source("binds", [n for i in range(3) for n in row_matrix(*ours(0, -i, 0))], 16, "float4x4") +
        source("weights", shares) +
        '<joints><input semantic="JOINT" source="#joints"/>'
        '<input semantic="INV_BIND_MATRIX" source="#binds"/></joints>\n'
        '<vertex_weights count="8"><input semantic="JOINT" source="#joints" offset="0"/>'
        '<input semantic="WEIGHT" source="#weights" offset="1"/>'
        f'<vcount>{" ".join(str(len(w)) for w in WEIGHTS)}</vcount><v>{pairs}</v></vertex_weights>\n'
        "</skin></controller></library_controllers>\n<library_animations>\n" +
        "".join(animation(f"bend-{j}", f"{j}-id/turn.ANGLE", [0, 1], [d]) for j, d in DEGREES.items()) +
        animation("rise-root", "root-id/place", [0, 2], ours(*RISE), 3) +
        "</library_animations>\n<library_animation_clips>\n"
        '<animation_clip id="bend" name="bend" start="0" end="1">'
        '<instance_animation url="#bend-middle"/><instance_animation url="#bend-tip"/>'
        "</animation_clip>\n"
        '<animation_clip id="rise" name="rise" start="0" end="2">'
        '<instance_animation url="#rise-root"/></animation_clip>\n'
        '</library_animation_clips>\n<library_visual_scenes><visual_scene id="scene">\n' + joints +
        '<node id="strip" name="strip"><instance_controller url="#skin"><skeleton>#root-id</skeleton>'
        '<bind_material><technique_common><instance_material symbol="cloth" target="#cloth"/>'
        "</technique_common></bind_material></instance_controller></node>\n"
        "</visual_scene></library_visual_scenes>\n"
        '<scene><instance_visual_scene url="#scene"/></scene>\n</COLLADA>\n')


def x():
    """Left-handed: z has the other sign, and triangles the other order."""
    def decimals(numbers, between=","):
        # Readers take the comma of "1,0" for a decimal one.
        return between.join(repr(round(float(n), 9)) for n in numbers)

    def matrix(x, y, z):
        return f"FrameTransformMatrix {{ {decimals(column_matrix(x, y, z))};; }}"

    def vectors(rows, count):
        return f"{count}; " + ", ".join(decimals(row, ";") + ";" for row in rows) + ";"

    faces = "; ".join([f"{len(TRIANGLES)}", ", ".join(f"3;{a},{c},{b};" for a, b, c in TRIANGLES)]) + ";"
    skin = ""
    for i, joint in enumerate(JOINTS):
        moved = [v for v in range(8) if i in WEIGHTS[v]]
        skin += (f'  SkinWeights {{ "{joint}"; {len(moved)}; {commas(moved)}; '
                 f"{decimals(WEIGHTS[v][i] for v in moved)}; {decimals(column_matrix(0, -i, 0))};; }}\n")
    frames = ""
    for i, joint in reversed(list(enumerate(JOINTS))):
        frames = f"Frame {joint} {{\n {matrix(0, 1 if i else 0, 0)}\n{frames}}}\n"

    def turn(joint, degrees):
        keys = ", ".join(f"{tick};4;{decimals((q[3], *q[:3]))};;"
                         for tick, q in ((0, about_z(0)), (1000, about_z(-degrees))))
        return f" Animation {{ {{{joint}}} AnimationKey {{ 0; 2; {keys}; }} }}\n"

    return (
        "xof 0303txt 0032\nAnimTicksPerSecond { 1000; }\n" + frames +
        f"Frame strip {{\n {matrix(0, 0, 0)}\n Mesh strip {{\n  {vectors(VERTICES, 8)}\n  {faces}\n"
        f"  MeshNormals {{ {vectors([(0, 0, -1)] * 8, 8)} {faces} }}\n"
        f"  MeshTextureCoords {{ {vectors(UVS, 8)} }}\n"
        f"  MeshMaterialList {{ 1; 6; 0,0,0,0,0,0; Material cloth {{ {';'.join(map(str, COLOUR))};1.0;; "
        "0.0; 0.0;0.0;0.0;; 0.0;0.0;0.0;; } }\n"
        f"  XSkinMeshHeader {{ 2; 4; 3; }}\n{skin} }}\n}}\n"
        "AnimationSet bend {\n" + "".join(turn(j, d) for j, d in DEGREES.items()) + "}\n"
        "AnimationSet rise {\n Animation { {root} AnimationKey { 2; 2; 0;3;0.0,0.0,0.0;;, "
        f"2000;3;{decimals(RISE)};;; }} }}\n}}\n")


def md5_place(x, y, z):
    """Z up."""
    return f"( {text(x, -z, y)} )"


def md5mesh():
    joints = "".join(f'\t"{joint}"\t{i - 1} {md5_place(0, i, 0)} ( 0 0 0 )\n'
                     for i, joint in enumerate(JOINTS))
    vertices, weights = "", []
    for v, (place, uv) in enumerate(zip(VERTICES, UVS)):
        vertices += f"\tvert {v} ( {text(*uv)} ) {len(weights)} {len(WEIGHTS[v])}\n"
        for joint, weight in WEIGHTS[v].items():
            local = md5_place(place[0], place[1] - joint, place[2])
            weights.append(f"\tweight {len(weights)} {joint} {weight:.9g} {local}\n")
    triangles = "".join(f"\ttri {i} {a} {c} {b}\n" for i, (a, b, c) in enumerate(TRIANGLES))
    return (f'MD5Version 10\ncommandline "make_rigs.py"\n\nnumJoints 3\nnumMeshes 1\n\njoints {{\n{joints}}}'
            f'\n\nmesh {{\n\tshader "cloth"\n\n\tnumverts 8\n{vertices}\n\tnumtris {len(TRIANGLES)}\n'
            f"{triangles}\n\tnumweights {len(weights)}\n{''.join(weights)}}}\n")


def md5anim(seconds, frames, pose):
    """pose(share) is a place and degrees of each joint at that share of the clip."""
    rate = (frames - 1) / seconds
    hierarchy = "".join(f'\t"{joint}"\t{i - 1} 63 {6 * i}\n' for i, joint in enumerate(JOINTS))
    bounds = "\t( -4 -4 -4 ) ( 4 4 4 )\n" * frames
    base = "".join(f"\t{md5_place(0, 1 if i else 0, 0)} ( 0 0 0 )\n" for i in range(3))
    body = ""
    for frame in range(frames):
        body += f"\nframe {frame} {{\n"
        for place, degrees in pose(frame / (frames - 1)):
            # A turn about our +Z is one about -Y here; w is negative in this format.
            sine = math.sin(math.radians(degrees) / 2)
            body += f"\t{md5_place(*place)[2:-2]} {text(0, sine, 0)}\n"
        body += "}\n"
    return (f'MD5Version 10\ncommandline "make_rigs.py"\n\nnumFrames {frames}\nnumJoints 3\n'
            f"frameRate {rate:g}\nnumAnimatedComponents 18\n\nhierarchy {{\n{hierarchy}}}\n\n"
            f"bounds {{\n{bounds}}}\n\nbaseframe {{\n{base}}}\n{body}")


def bend_pose(share):
    return [((0, 1 if i else 0, 0), share * DEGREES.get(joint, 0)) for i, joint in enumerate(JOINTS)]


def rise_pose(share):
    return [(tuple(share * n for n in RISE), 0)] + [((0, 1, 0), 0)] * 2


def bvh():
    frames = ""
    for frame in range(5):
        (place, _), *turns = bend_pose(frame / 4)
        frames += text(*place, 0, 0, 0, *(n for _, degrees in turns for n in (degrees, 0, 0))) + "\n"
    channels = "Zrotation Xrotation Yrotation"
    return (f"HIERARCHY\nROOT root\n{{\n\tOFFSET 0 0 0\n\tCHANNELS 6 Xposition Yposition Zposition {channels}\n"
            f"\tJOINT middle\n\t{{\n\t\tOFFSET 0 1 0\n\t\tCHANNELS 3 {channels}\n"
            f"\t\tJOINT tip\n\t\t{{\n\t\t\tOFFSET 0 1 0\n\t\t\tCHANNELS 3 {channels}\n"
            "\t\t\tEnd Site\n\t\t\t{\n\t\t\t\tOFFSET 0 1 0\n\t\t\t}\n\t\t}\n\t}\n}\n"
            f"MOTION\nFrames: 5\nFrame Time: 0.25\n{frames}")


for name, content in {
    "strip.gltf": gltf(), "strip.fbx": fbx(), "strip.dae": dae(), "strip.x": x(),
    "strip.md5mesh": md5mesh(), "bend.md5anim": md5anim(1, 5, bend_pose),
    "rise.md5anim": md5anim(2, 3, rise_pose), "bend.bvh": bvh(),
}.items():
    (HERE / name).write_text(content)
