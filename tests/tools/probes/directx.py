"""Writes a scene as DirectX X text. X is left-handed: z has the other sign, and polygons the other order."""

from scene import columns, inverse, quaternion


def decimals(numbers, between=","):
    # Readers take the comma of "1,0" for a decimal one.
    return between.join(repr(round(float(n), 9)) for n in numbers)


def mirrored(m):
    return [[m[r][c] * (-1 if (r == 2) != (c == 2) else 1) for c in range(4)] for r in range(4)]


def matrix(m):
    return decimals(columns(mirrored(m)))


def flipped(v):
    return (v[0], v[1], -v[2])


def vectors(rows):
    return f"{len(rows)}; " + ", ".join(decimals(row, ";") + ";" for row in rows) + ";"


def polygons(faces):
    return (f"{len(faces)}; " +
            ", ".join(f"{len(f)};{','.join(str(v) for v in (f[0], *reversed(f[1:])))};" for f in faces) + ";")


def mesh_text(scene, mesh, material):
    skin = ""
    if mesh.influences:
        joints = [n.name for n in scene.nodes if any(n.name in w for w in mesh.influences)]
        binds = mesh.binds or scene.globals()
        skin = f"  XSkinMeshHeader {{ 4; 4; {len(joints)}; }}\n"
        for joint in joints:
            held = [v for v, w in enumerate(mesh.influences) if joint in w]
            skin += (f'  SkinWeights {{ "{joint}"; {len(held)}; {",".join(map(str, held))}; '
                     f"{decimals(mesh.influences[v][joint] for v in held)}; {matrix(inverse(binds[joint]))};; }}\n")
    normals = uvs = ""
    if mesh.normals:
        normals = f"  MeshNormals {{ {vectors([flipped(n) for n in mesh.normals])} {polygons(mesh.faces)} }}\n"
    if mesh.uvs:
        uvs = f"  MeshTextureCoords {{ {vectors([(u, 1 - v) for u, v in mesh.uvs])} }}\n"
    none = ",".join("0" for _ in mesh.faces)
    return (f" Mesh {mesh.name}_shape {{\n  {vectors([flipped(p) for p in mesh.positions])}\n  {polygons(mesh.faces)}\n"
            f"{normals}{uvs}  MeshMaterialList {{ 1; {len(mesh.faces)}; {none}; {material} }}\n{skin} }}\n")


def write(scene, ticks=1000, material="Material cloth { 0.8;0.4;0.2;1.0;; 0.0; 0.0;0.0;0.0;; 0.0;0.0;0.0;; }",
          matrices=False, rate=None):
    """`matrices`: keys are whole matrices. `ticks`: a second; None leaves it to the reader. `rate`: of the keys, else `ticks` or 4800."""
    def frame(node):
        below = "".join(frame(n) for n in scene.nodes if n.parent == node.name)
        meshes = "".join(mesh_text(scene, m, material) for m in scene.meshes if m.node == node.name)
        return (f"Frame {node.name} {{\n FrameTransformMatrix {{ {matrix(node.local())};; }}\n{meshes}{below}}}\n")

    rate = rate or ticks or 4800
    text = "xof 0303txt 0032\n" + (f"AnimTicksPerSecond {{ {ticks}; }}\n" if ticks else "")
    text += "".join(frame(n) for n in scene.nodes if n.parent is None)
    for clip in scene.clips:
        text += f"AnimationSet {clip.name} {{\n"
        for name in dict.fromkeys(n for n, *_ in clip.curves):
            node, keys = scene.node(name), ""
            curves = {what: c for n, what, c in clip.curves if n == name}
            for what, curve in curves.items():
                if matrices:
                    keys = key(4, curve.times, rate, [matrix(node.local(*(
                        curves[w].at(t) if w in curves else None for w in "trs"))) for t in curve.times], 16)
                elif what == "r":
                    # Quaternions are w, x, y, z, of the turn the other way round.
                    turns = [quaternion(node.axis, v) for v in curve.values]
                    turns = [(q[3], q[0], q[1], -q[2]) for q in turns]
                    keys += key(0, curve.times, rate, [decimals(q) for q in turns], 4)
                else:
                    values = [flipped(v) if what == "t" else v for v in curve.values]
                    keys += key({"s": 1, "t": 2}[what], curve.times, rate, [decimals(v) for v in values], 3)
            text += f" Animation {{ {{{name}}} {keys}}}\n"
        text += "}\n"
    return text.encode()


def key(kind, times, rate, values, width):
    listed = ", ".join(f"{round(t * rate)};{width};{v};;" for t, v in zip(times, values))
    return f"AnimationKey {{ {kind}; {len(times)}; {listed}; }} "
