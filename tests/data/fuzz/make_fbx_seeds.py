#!/usr/bin/env python3
"""Writes the seeds of scripts/fuzz.sh into fbx/: one small rig as binary FBX with short and with long
offsets, its arrays plain and deflated, so that mutations begin behind the header."""
import struct
import zlib
from pathlib import Path

SECOND = 46186158000


class Node:
    def __init__(self, name, *values, children=()):
        self.name, self.values, self.children = name, values, children


def array(kind, numbers, packed):
    data = b"".join(struct.pack("<" + {"d": "d", "i": "i", "l": "q", "f": "f"}[kind], n) for n in numbers)
    body = zlib.compress(data) if packed else data
    return kind.encode() + struct.pack("<III", len(numbers), int(packed), len(body)) + body


def value(v, packed):
    if isinstance(v, tuple):
        return array(*v, packed)
    if isinstance(v, bytes):
        return b"R" + struct.pack("<I", len(v)) + v
    if isinstance(v, str):
        text = v.encode()
        return b"S" + struct.pack("<I", len(text)) + text
    if isinstance(v, float):
        return b"D" + struct.pack("<d", v)
    return b"L" + struct.pack("<q", v)


def written(node, place, wide, packed):
    values = b"".join(value(v, packed) for v in node.values)
    head = 3 * (8 if wide else 4) + 1 + len(node.name)
    at = place + head + len(values)
    children = b""
    for child in node.children:
        children += written(child, at + len(children), wide, packed)
    if node.children:
        children += b"\0" * (25 if wide else 13)
    end = at + len(children)
    numbers = struct.pack("<QQQ" if wide else "<III", end, len(node.values), len(values))
    return numbers + struct.pack("<B", len(node.name)) + node.name.encode() + values + children


def properties(**entries):
    rows = [Node("P", name.replace("_", " "), "Vector", "", "", *map(float, v)) for name, v in entries.items()]
    return Node("Properties70", children=rows)


def rig():
    identity = ("d", [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1])
    curve = [Node("KeyTime", ("l", [0, SECOND // 2, SECOND])), Node("KeyValueFloat", ("f", [0, 90, 30])),
             Node("KeyAttrFlags", ("i", [0x408])), Node("KeyAttrDataFloat", ("f", [3, -2, 0.5, 0])),
             Node("KeyAttrRefCount", ("i", [3])),
             Node("Post-Extrapolation", children=[Node("Type", "R"), Node("Repetition", 2)])]
    layer = [Node("MappingInformationType", "ByPolygonVertex"), Node("ReferenceInformationType", "IndexToDirect"),
             Node("UV", ("d", [0, 0, 1, 0, 1, 1, 0, 1])), Node("UVIndex", ("i", [0, 1, 2, 3]))]
    def mapped(kind, mapping, values, numbers):
        return Node(kind, 0, children=[Node("MappingInformationType", mapping), Node("ReferenceInformationType", "Direct"),
                                       Node(values, ("d", numbers))])

    layers = [Node("LayerElementUV", 0, children=layer),
              mapped("LayerElementNormal", "ByVertice", "Normals", [0, 0, 1] * 4),
              mapped("LayerElementTangent", "ByPolygon", "Tangents", [1, 0, 0]),
              mapped("LayerElementBinormal", "AllSame", "Binormals", [0, 1, 0]),
              mapped("LayerElementColor", "AllSame", "Colors", [1, 0.5, 0, 1])]
    bmp = b"BM" + struct.pack("<IIIIiiHHIIiiII", 58, 0, 54, 40, 1, 1, 1, 24, 0, 0, 0, 0, 0, 0) + b"\x80\x40\x20\0"
    objects = [
        Node("Geometry", 1, "Body\0\1Geometry", "Mesh", children=[
            Node("Vertices", ("d", [0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0])),
            Node("PolygonVertexIndex", ("i", [0, 1, 2, -4])), *layers]),
        Node("Model", 2, "Body\0\1Model", "Mesh", children=[properties(GeometricTranslation=(0, 1, 0))]),
        Node("Model", 3, "Hips\0\1Model", "LimbNode", children=[properties(
            PreRotation=(10, 20, 30), RotationPivot=(0, 1, 0), Lcl_Scaling=(2, 1, 1), InheritType=(1,))]),
        Node("Model", 4, "Head\0\1Model", "LimbNode", children=[properties(InheritType=(2,))]),
        Node("Deformer", 5, "\0\1Deformer", "Skin", children=[
            Node("SkinningType", "Blend"), Node("Indexes", ("i", [0, 1])), Node("BlendWeights", ("d", [1, 0.5]))]),
        Node("Deformer", 6, "\0\1SubDeformer", "Cluster", children=[
            Node("Mode", "Additive"), Node("Indexes", ("i", [0, 1])), Node("Weights", ("d", [1, 0.5])),
            Node("Transform", identity), Node("TransformLink", identity)]),
        Node("Deformer", 7, "\0\1Deformer", "BlendShape"),
        Node("Deformer", 8, "Smile\0\1SubDeformer", "BlendShapeChannel", children=[
            Node("DeformPercent", 25.0), Node("FullWeights", ("d", [50, 100]))]),
        Node("Geometry", 9, "Half\0\1Geometry", "Shape", children=[
            Node("Indexes", ("i", [2])), Node("Vertices", ("d", [0, 0, 1]))]),
        Node("Geometry", 10, "Whole\0\1Geometry", "Shape", children=[
            Node("Indexes", ("i", [2, 3])), Node("Vertices", ("d", [0, 0, 2, 0, 0, 1]))]),
        Node("Material", 11, "Skin\0\1Material", "", children=[properties(DiffuseColor=(1, 0.5, 0.2), Opacity=(0.5,))]),
        Node("Texture", 19, "T\0\1Texture", "", children=[Node("FileName", "a.bmp")]),
        Node("Video", 20, "V\0\1Video", "Clip", children=[Node("Content", bmp)]),
        Node("Deformer", 21, "\0\1SubDeformer", "Cluster", children=[
            Node("Indexes", ("i", [1, 2, 3])), Node("Weights", ("d", [0.5, 1, 1]))]),
        Node("AnimationCurveNode", 22, "V\0\1AnimCurveNode", ""),
        Node("Constraint", 23, "C\0\1Constraint", "", children=[properties(Active=(1,))]),
        Node("Deformer", 24, "C\0\1Deformer", "VertexCacheDeformer"),
        Node("AnimationStack", 12, "Take\0\1AnimStack", "", children=[properties(LocalStop=(SECOND,))]),
        Node("AnimationLayer", 13, "Base\0\1AnimLayer", ""),
        Node("AnimationLayer", 14, "Top\0\1AnimLayer", "", children=[properties(Weight=(50,))]),
        Node("AnimationCurveNode", 15, "R\0\1AnimCurveNode", ""), Node("AnimationCurveNode", 16, "R\0\1AnimCurveNode", ""),
        Node("AnimationCurveNode", 17, "D\0\1AnimCurveNode", ""), Node("AnimationCurve", 18, "\0\1AnimCurve", "", children=curve),
    ]
    whole = [(2, 0), (3, 0), (4, 3), (1, 2), (5, 1), (6, 5), (3, 6), (7, 1), (8, 7), (9, 8), (10, 8), (11, 2), (13, 12),
             (14, 12), (15, 13), (16, 14), (17, 13), (20, 19), (21, 5), (4, 21), (22, 13), (24, 1)]
    parts = [(15, 3, "Lcl Rotation"), (16, 3, "Lcl Scaling"), (17, 8, "DeformPercent"), (18, 15, "d|X"), (18, 16, "d|Y"),
             (18, 17, "d|DeformPercent"), (19, 11, "NormalMap"), (22, 2, "Visibility"), (18, 22, "d|Visibility"),
             (4, 23, "Constrained Object")]
    links = [Node("C", "OO", a, b) for a, b in whole] + [Node("C", "OP", a, b, p) for a, b, p in parts]
    return [Node("GlobalSettings", children=[properties(UnitScaleFactor=(1,), UpAxis=(2,), FrontAxis=(1,), FrontAxisSign=(-1,))]),
            Node("Objects", children=objects), Node("Connections", children=links)]


def main():
    folder = Path(__file__).parent / "fbx"
    folder.mkdir(exist_ok=True)
    for name, version, packed in [("short_plain", 7400, False), ("long_deflated", 7700, True)]:
        wide = version >= 7500
        data = b"Kaydara FBX Binary  \0\x1a\0" + struct.pack("<I", version)
        for node in rig():
            data += written(node, len(data), wide, packed)
        (folder / (name + ".fbx")).write_bytes(data + b"\0" * (25 if wide else 13))


if __name__ == "__main__":
    main()
