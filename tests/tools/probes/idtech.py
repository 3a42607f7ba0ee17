"""Writes joints and clips of a scene as BVH, and a skinned scene as MD5 with a file for each clip.

Both hold frames at an even rate. MD5 has Z up: a scene's (x, y, z) is (x, -z, y) there.
"""

import math

from scene import inverse, point


def text(*numbers):
    return " ".join(f"{n:.9g}" for n in numbers)


def frames_of(clip, rate):
    first, last = clip.span()
    return [first + i / rate for i in range(round((last - first) * rate) + 1)]


def locals_of(scene, clip, time):
    """Place and degrees of all joints."""
    for node in (n for n in scene.nodes if n.isJoint):
        moves = {what: c.at(time) for n, what, c in clip.curves if n == node.name} if clip else {}
        yield node, moves.get("t", node.t), moves.get("r", node.degrees)


def bvh(scene, clip, rate=4, order="zxy"):
    channels = " ".join(f"{a.upper()}rotation" for a in order)

    def joint(node, depth):
        tabs = "\t" * depth
        below = [n for n in scene.nodes if n.isJoint and n.parent == node.name]
        kind, places = ("JOINT", "") if depth else ("ROOT", "Xposition Yposition Zposition ")
        body = "".join(joint(n, depth + 1) for n in below)
        body = body or f"{tabs}\tEnd Site\n{tabs}\t{{\n{tabs}\t\tOFFSET 0 1 0\n{tabs}\t}}\n"
        offset = text(*node.t) if depth else "0 0 0"
        return (f"{tabs}{kind} {node.name}\n{tabs}{{\n{tabs}\tOFFSET {offset}\n"
                f"{tabs}\tCHANNELS {3 if depth else 6} {places}{channels}\n{body}{tabs}}}\n")

    root = next(n for n in scene.nodes if n.isJoint)
    rows = ""
    times = frames_of(clip, rate)
    for time in times:
        values = []
        for node, place, degrees in locals_of(scene, clip, time):
            values += list(place) if node is root else []
            values += [degrees * (node.axis == a) for a in order]
        rows += text(*values) + "\n"
    return (f"HIERARCHY\n{joint(root, 0)}MOTION\nFrames: {len(times)}\nFrame Time: {1 / rate:.9g}\n{rows}").encode()


def place(v):
    return (v[0], -v[2], v[1])


def turn(axis, degrees):
    """x, y, z of a quaternion whose w is negative in this format."""
    sine = -math.sin(math.radians(degrees) / 2)
    return place([sine * (axis == a) for a in "xyz"])


def md5mesh(scene, shader="cloth"):
    joints = [n for n in scene.nodes if n.isJoint]
    rest = scene.globals()
    listed = "".join(f'\t"{n.name}"\t{joints.index(scene.node(n.parent)) if n.parent else -1} '
                     f"( {text(*place([rest[n.name][i][3] for i in range(3)]))} ) ( 0 0 0 )\n" for n in joints)
    bodies = ""
    for mesh in scene.meshes:
        vertices, weights = "", []
        for v, position in enumerate(mesh.positions):
            vertices += f"\tvert {v} ( {text(mesh.uvs[v][0], 1 - mesh.uvs[v][1])} ) {len(weights)} {len(mesh.influences[v])}\n"
            for joint, weight in mesh.influences[v].items():
                local = place(point(inverse(rest[joint]), position))
                weights.append(f"\tweight {len(weights)} {[n.name for n in joints].index(joint)} {weight:.9g} ( {text(*local)} )\n")
        triangles = "".join(f"\ttri {i} {a} {c} {b}\n" for i, (a, b, c) in enumerate(mesh.triangles()))
        bodies += (f'mesh {{\n\tshader "{shader}"\n\n\tnumverts {len(mesh.positions)}\n{vertices}\n'
                   f"\tnumtris {len(mesh.triangles())}\n{triangles}\n\tnumweights {len(weights)}\n{''.join(weights)}}}\n\n")
    return (f'MD5Version 10\ncommandline ""\n\nnumJoints {len(joints)}\nnumMeshes {len(scene.meshes)}\n\n'
            f"joints {{\n{listed}}}\n\n{bodies}").encode()


def md5anim(scene, clip, rate=4):
    joints = [n for n in scene.nodes if n.isJoint]
    times = frames_of(clip, rate)
    hierarchy = "".join(f'\t"{n.name}"\t{joints.index(scene.node(n.parent)) if n.parent else -1} 63 {6 * i}\n'
                        for i, n in enumerate(joints))
    base = "".join(f"\t( {text(*place(n.t))} ) ( 0 0 0 )\n" for n in joints)
    body = ""
    for i, time in enumerate(times):
        lines = "".join(f"\t{text(*place(t))} {text(*turn(n.axis, d))}\n" for n, t, d in locals_of(scene, clip, time))
        body += f"\nframe {i} {{\n{lines}}}\n"
    bounds = "\t( -4 -4 -4 ) ( 4 4 4 )\n" * len(times)
    return (f'MD5Version 10\ncommandline ""\n\nnumFrames {len(times)}\nnumJoints {len(joints)}\nframeRate {rate:g}\n'
            f"numAnimatedComponents {6 * len(joints)}\n\nhierarchy {{\n{hierarchy}}}\n\nbounds {{\n{bounds}}}\n\n"
            f"baseframe {{\n{base}}}\n{body}").encode()
