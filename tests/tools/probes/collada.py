"""Writes a scene as Collada 1.4.1."""

from scene import identity, inverse, rows


def text(numbers):
    return " ".join(f"{n:.9g}" for row in numbers for n in (row if isinstance(row, (list, tuple)) else [row]))


def source(name, values, width=1, words=False):
    count = len(values) if words or width == 1 else sum(len(v) if isinstance(v, (list, tuple)) else 1 for v in values)
    sort, listed = ("Name_array", " ".join(values)) if words else ("float_array", text(values))
    params = "".join(f'<param name="{p}" type="{"name" if words else "float"}"/>' for p in "XYZW"[:max(1, min(width, 3))])
    if width == 16:
        params = '<param name="T" type="float4x4"/>'
    return (f'<source id="{name}"><{sort} id="{name}-a" count="{count}">{listed}</{sort}><technique_common>'
            f'<accessor source="#{name}-a" count="{count // width}" stride="{width}">{params}</accessor>'
            "</technique_common></source>\n")


def animation(name, target, curve, width=1):
    kinds = [{"linear": "LINEAR", "step": "STEP", "cubic": "HERMITE"}[curve.kind(k)] for k in range(len(curve.times))]
    parts = (source(name + "-in", curve.times) + source(name + "-out", curve.values, width) +
             source(name + "-kind", kinds, words=True))
    inputs = [("INPUT", "in"), ("OUTPUT", "out"), ("INTERPOLATION", "kind")]
    if "HERMITE" in kinds:
        # Slopes a second become slopes a segment.
        steps = [b - a for a, b in zip(curve.times, curve.times[1:])] or [1]

        def scaled(k, step):
            slope = curve.slopes[k]
            values = slope if isinstance(slope, (list, tuple)) else [slope]
            return [n for value in values for n in (0, value * step)]

        last = len(curve.times) - 1
        parts += source(name + "-into", [scaled(k, steps[max(k - 1, 0)]) for k in range(last + 1)], 2 * width)
        parts += source(name + "-from", [scaled(k, steps[min(k, last - 1)]) for k in range(last + 1)], 2 * width)
        inputs += [("IN_TANGENT", "into"), ("OUT_TANGENT", "from")]
    listed = "".join(f'<input semantic="{s}" source="#{name}-{part}"/>' for s, part in inputs)
    return (f'<animation id="{name}">\n{parts}<sampler id="{name}-s">{listed}</sampler>\n'
            f'<channel source="#{name}-s" target="{target}"/>\n</animation>\n')


def geometry(mesh, name, positions=None, normals=None, polygons="polylist"):
    normals = normals or mesh.normals
    inputs, width = '<input semantic="VERTEX" source="#{0}-v" offset="0"/>', 1
    if normals:
        inputs += '<input semantic="NORMAL" source="#{0}-n" offset="0"/>'
    if mesh.uvs:
        inputs += '<input semantic="TEXCOORD" source="#{0}-t" offset="0" set="0"/>'
    corners = " ".join(str(v) for face in mesh.faces for v in face)
    return (f'<geometry id="{name}" name="{mesh.name}"><mesh>\n' + source(name + "-p", positions or mesh.positions, 3) +
            (source(name + "-n", normals, 3) if normals else "") + (source(name + "-t", mesh.uvs, 2) if mesh.uvs else "") +
            f'<vertices id="{name}-v"><input semantic="POSITION" source="#{name}-p"/></vertices>\n'
            f'<polylist count="{len(mesh.faces)}" material="cloth">{inputs.format(name)}'
            f'<vcount>{" ".join(str(len(f)) for f in mesh.faces)}</vcount><p>{corners}</p></polylist>\n</mesh></geometry>\n')


def controllers(scene, mesh, name, shape):
    """The controllers around a geometry, and the url of the outermost one."""
    made, url = "", name
    if mesh.morphs:
        for t, (target, deltas, turns) in enumerate(mesh.morphs):
            count = range(len(mesh.positions))
            placed = [[a + b for a, b in zip(mesh.positions[v], deltas.get(v, (0, 0, 0)))] for v in count]
            made += f"<!--{t}-->"
            yield "geometry", geometry(mesh, f"{name}-{target}", placed)
        names = [f"{name}-{target}" for target, *_ in mesh.morphs]
        made = (f'<controller id="{name}-morph"><morph source="#{name}" method="NORMALIZED">' +
                source(f"{name}-targets", names, words=True).replace("Name_array", "IDREF_array") +
                source(f"{name}-weights", [0.0] * len(names)) +
                f'<targets><input semantic="MORPH_TARGET" source="#{name}-targets"/>'
                f'<input semantic="MORPH_WEIGHT" source="#{name}-weights"/></targets></morph></controller>\n')
        yield "controller", made
        url = name + "-morph"
    if mesh.influences:
        joints = [n.name for n in scene.nodes if n.isJoint]
        binds = mesh.binds or scene.globals()
        pairs = [(j, w) for row in mesh.influences for j, w in row.items()]
        listed = " ".join(f"{joints.index(j)} {i}" for i, (j, _) in enumerate(pairs))
        yield "controller", (
            f'<controller id="{name}-skin"><skin source="#{url}"><bind_shape_matrix>{text(rows(shape))}'
            "</bind_shape_matrix>\n" + source(f"{name}-joints", joints, words=True) +
            source(f"{name}-binds", [rows(inverse(binds[j])) for j in joints], 16) +
            source(f"{name}-shares", [w for _, w in pairs]) +
            f'<joints><input semantic="JOINT" source="#{name}-joints"/>'
            f'<input semantic="INV_BIND_MATRIX" source="#{name}-binds"/></joints>\n'
            f'<vertex_weights count="{len(mesh.influences)}"><input semantic="JOINT" source="#{name}-joints" offset="0"/>'
            f'<input semantic="WEIGHT" source="#{name}-shares" offset="1"/>'
            f'<vcount>{" ".join(str(len(w)) for w in mesh.influences)}</vcount><v>{listed}</v></vertex_weights>'
            "</skin></controller>\n")
        url = name + "-skin"
    yield "url", url


def node_text(scene, node, instances):
    below = "".join(node_text(scene, n, instances) for n in scene.nodes if n.parent == node.name)
    place = (f'<matrix sid="all">{text(rows(node.matrix))}</matrix>' if node.matrix else
             f'<translate sid="t">{text(node.t)}</translate>'
             f'<rotate sid="r">{text([float(node.axis == a) for a in "xyz"])} {node.degrees:.9g}</rotate>'
             f'<scale sid="s">{text(node.s)}</scale>')
    kind = ' type="JOINT"' if node.isJoint else ""
    return (f'<node id="{node.name}" sid="{node.name}" name="{node.name}"{kind}>{place}'
            f'{instances.get(node.name, "")}\n{below}</node>\n')


def write(scene, effect="<lambert><diffuse><color>0.8 0.4 0.2 1</color></diffuse></lambert>", shape=None,
          images="", ranges=True, more=""):
    """`shape` is the bind shape matrix; `ranges`: whether clips are stated, else all curves are one motion."""
    geometries, skins, instances, root = "", "", {}, next(n.name for n in scene.nodes if n.parent is None)
    for m, mesh in enumerate(scene.meshes):
        name = f"mesh{m}"
        geometries += geometry(mesh, name)
        for kind, part in controllers(scene, mesh, name, shape or identity()):
            if kind == "geometry":
                geometries += part
            elif kind == "controller":
                skins += part
            else:
                sort = "controller" if part != name else "geometry"
                skeleton = f"<skeleton>#{root}</skeleton>" if mesh.influences else ""
                instances[mesh.node] = instances.get(mesh.node, "") + (
                    f'<instance_{sort} url="#{part}">{skeleton}<bind_material><technique_common><instance_material '
                    f'symbol="cloth" target="#cloth"/></technique_common></bind_material></instance_{sort}>')
    animations, clips = "", ""
    for c, clip in enumerate(scene.clips):
        made = []
        for i, (node, what, curve) in enumerate(clip.curves):
            made.append(f"c{c}-{i}")
            width = 1 if what == "r" else 3
            animations += animation(made[-1], f"{node}/{what}" + (".ANGLE" if what == "r" else ""), curve, width)
        for target, curve in clip.morphs:
            made.append(f"c{c}-m{target}")
            animations += animation(made[-1], f"mesh0-weights({target})", curve)
        first, last = clip.span()
        clips += (f'<animation_clip id="clip{c}" name="{clip.name}" start="{first:.9g}" end="{last:.9g}">' +
                  "".join(f'<instance_animation url="#{a}"/>' for a in made) + "</animation_clip>\n")
    clips = f"<library_animation_clips>\n{clips}</library_animation_clips>\n" if clips and ranges else ""
    nodes = "".join(node_text(scene, n, instances) for n in scene.nodes if n.parent is None)
    return (
        '<?xml version="1.0" encoding="utf-8"?>\n'
        '<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">\n'
        f'<asset><unit meter="{scene.unit:.9g}"/><up_axis>{scene.up}_UP</up_axis></asset>\n' + images +
        '<library_effects><effect id="cloth-fx"><profile_COMMON>' + (effect if "<technique" in effect else
            f'<technique sid="common">{effect}</technique>') + "</profile_COMMON></effect></library_effects>\n"
        '<library_materials><material id="cloth" name="cloth"><instance_effect url="#cloth-fx"/></material>'
        "</library_materials>\n"
        f"<library_geometries>\n{geometries}</library_geometries>\n" +
        (f"<library_controllers>\n{skins}</library_controllers>\n" if skins else "") +
        (f"<library_animations>\n{animations}</library_animations>\n" if animations else "") + clips + more +
        f'<library_visual_scenes><visual_scene id="scene">\n{nodes}</visual_scene></library_visual_scenes>\n'
        '<scene><instance_visual_scene url="#scene"/></scene>\n</COLLADA>\n').encode()
