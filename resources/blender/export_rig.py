"""Runs inside Blender: writes the figures of a .blend as one GLB, in the way that the import expects.

    blender --background --factory-startup --disable-autoexec --python export_rig.py -- IN.blend OUT.glb

Says what it does on standard error, one JSON document a line: {"progress", "step"}, {"note": {"level",
"code", "message"}} and, before it ends with 1, {"error"}. Nothing is saved: objects, modifiers and tracks are
rearranged in memory only. Settings that a version of the exporter does not have are left out.
"""

import json
import os
import re
import sys

import bpy

# Modifiers whose result follows the pose or the time; applied once, they stand still.
MOVING = {
    "CLOTH", "CORRECTIVE_SMOOTH", "DYNAMIC_PAINT", "EXPLODE", "FLUID", "HOOK", "LATTICE", "MESH_CACHE",
    "MESH_DEFORM", "MESH_SEQUENCE_CACHE", "OCEAN", "SHRINKWRAP", "SOFT_BODY", "SURFACE_DEFORM", "WAVE",
}  # fmt: skip

SETTINGS = {
    "export_format": "GLB",
    "use_active_scene": True,
    # Not the selection: then each prop would get a clip of its own that holds it still.
    "use_active_collection": True,
    "use_active_collection_with_nested": True,
    "export_yup": True,
    "export_apply": False,  # done here, because the exporter would drop shape keys
    "export_extras": True,  # custom properties of actions: events, ground speed
    "export_cameras": False,
    "export_lights": False,
    "export_skins": True,
    "export_all_influences": True,
    "export_def_bones": False,
    "export_morph": True,
    "export_morph_normal": True,
    "export_animations": True,
    "export_animation_mode": "ACTIONS",  # from 3.6 on
    "export_merge_animation": "NLA_TRACK",  # from 4.2 on
    "export_nla_strips": True,
    "export_anim_single_armature": False,
    "export_frame_range": False,
    "export_force_sampling": True,
    "export_optimize_animation_size": False,
    "export_reset_pose_bones": True,
    "export_rest_position_armature": True,
    "export_draco_mesh_compression_enable": False,
    "will_save_settings": False,
}


class Refused(Exception):
    pass


def say(**what):
    sys.stderr.write("\n" + json.dumps(what) + "\n")
    sys.stderr.flush()


def progress(fraction, step):
    say(progress=fraction, step=step)


def note(level, code, message):
    say(note={"level": level, "code": code, "message": message})


def listed(names):
    names = sorted(set(names))
    more = f" and {len(names) - 5} more" if len(names) > 5 else ""
    return ", ".join(f"'{name}'" for name in names[:5]) + more


def open_file(path):
    try:
        bpy.ops.wm.open_mainfile(filepath=path, load_ui=False, use_scripts=False)
    except RuntimeError as error:
        lines = [line.strip() for line in str(error).splitlines() if line.strip()]
        reason = (lines[0] if lines else "no reason given").removeprefix("Error: ").replace(f"'{path}'", "it")
        raise Refused(f"Blender {bpy.app.version_string} cannot open it ({reason})") from error
    for library in bpy.data.libraries:
        if not os.path.exists(bpy.path.abspath(library.filepath)):
            note("warning", "BlenderLibraryMissing",
                 f"the linked file '{library.filepath}' is missing; what comes from it is left out")
    note_closed_files()


# Blender's prison shows that files outside the folder of the .blend are there, and opens none of them.
def note_closed_files():
    closed = []
    for path in bpy.utils.blend_paths(absolute=True):
        try:
            with open(path, "rb"):
                pass
        except PermissionError:
            closed.append(path)
        except OSError:
            pass
    if closed:
        note("warning", "BlenderFileClosed",
             f"the .blend may not read {listed(closed)}; what comes from there is left out: pack it into the .blend or "
             "put it into its folder")


# The exported objects: the meshes that are seen and follow an armature, with their armatures; without any such mesh
# all meshes that are seen.


def armature_of(thing):
    for modifier in thing.modifiers:
        if modifier.type == "ARMATURE" and modifier.object is not None:
            return modifier.object
    above = thing.parent
    while above is not None:
        if above.type == "ARMATURE":
            return above
        above = above.parent
    return None


def chosen_objects():
    scene = bpy.context.scene
    meshes = [o for o in scene.objects if o.type == "MESH"]
    of_rigs = [o for o in meshes if armature_of(o) is not None]
    kept = [o for o in of_rigs if o.visible_get()]
    if not kept:
        kept = of_rigs
    hidden = [o.name for o in of_rigs if o not in kept]
    if hidden:
        note("info", "MeshHidden", f"meshes that the .blend hides were left out: {listed(hidden)}")
    armatures = []
    for mesh in kept:
        rig = armature_of(mesh)
        if rig not in armatures:
            armatures.append(rig)
    if not kept:
        armatures = [o for o in scene.objects if o.type == "ARMATURE"]
        kept = [o for o in meshes if o.visible_get()]
    else:
        others = [o.name for o in meshes if o.visible_get() and armature_of(o) is None]
        if others:
            note("info", "BlenderMeshUnrigged",
                 f"meshes that follow no armature were left out: {listed(others)}")
    if not kept and not armatures:
        raise Refused("it has no armature and no mesh in its active scene; open it in Blender, make the scene of the "
                      "figure the active one and save it")
    return kept, armatures


def with_ancestors(objects):
    found = []
    for thing in objects:
        while thing is not None and thing not in found:
            found.append(thing)
            thing = thing.parent
    return found


def make_editable(objects):
    for thing in objects:
        for data in (thing, thing.data):
            if data is not None and (data.library or data.override_library):
                try:
                    data.make_local()
                except RuntimeError:
                    pass


# Hidden and excluded objects are not evaluated: a collection of their own shows them, and it alone is exported.
def collect(objects):
    scene = bpy.context.scene
    collection = bpy.data.collections.new("Export")
    scene.collection.children.link(collection)
    for thing in objects:
        collection.objects.link(thing)
        thing.hide_viewport = False
    layer = bpy.context.view_layer
    layer.update()
    for thing in objects:
        thing.hide_set(False)
    layer.active_layer_collection = layer.layer_collection.children[collection.name]


def note_constraints(objects):
    moved = [o.name for o in objects if o.type != "ARMATURE" and any(not c.mute for c in o.constraints)]
    if moved:
        note("warning", "BlenderConstraintDropped",
             f"constraints move {listed(moved)}, which stay where their parents take them; parent them to bones")


# Modifiers. All but armatures become part of the mesh, in the rest pose and as the viewport shows them.


def evaluated(thing):
    depsgraph = bpy.context.evaluated_depsgraph_get()
    depsgraph.update()
    return bpy.data.meshes.new_from_object(
        thing.evaluated_get(depsgraph), preserve_all_data_layers=True, depsgraph=depsgraph)


def positions(mesh):
    numbers = [0.0] * (len(mesh.vertices) * 3)
    mesh.vertices.foreach_get("co", numbers)
    return numbers


def copy_animation(source, target):
    old = source.animation_data
    if old is None:
        return
    new = target.animation_data_create()
    new.action = old.action
    for track in old.nla_tracks:
        copy = new.nla_tracks.new()
        copy.name = track.name
        for strip in track.strips:
            if strip.action is not None:
                copy.strips.new(strip.name, int(strip.frame_start), strip.action)
    for driver in old.drivers:
        new.drivers.from_existing(src_driver=driver)


# A mesh with shape keys is evaluated once for each of them, alone and at its full weight. That is right for all
# modifiers that make the same vertices of every shape.
def apply_with_keys(thing):
    keys = thing.data.shape_keys
    blocks = list(keys.key_blocks)
    thing.show_only_shape_key = True
    shapes = []
    for index, block in enumerate(blocks):
        block.mute = False
        thing.active_shape_key_index = index
        shapes.append(evaluated(thing))
    thing.show_only_shape_key = False
    if any(len(shape.vertices) != len(shapes[0].vertices) for shape in shapes):
        return False
    thing.data = shapes[0]
    for block, shape in zip(blocks, shapes):
        added = thing.shape_key_add(name=block.name, from_mix=False)
        added.data.foreach_set("co", positions(shape))
        added.slider_min, added.slider_max = block.slider_min, block.slider_max
        added.value = block.value
    made = thing.data.shape_keys
    for block, added in zip(blocks, made.key_blocks):
        added.relative_key = made.key_blocks[block.relative_key.name]
    copy_animation(keys, made)
    return True


def apply_modifiers(thing):
    others = [m for m in thing.modifiers if m.type != "ARMATURE"]
    shown = [m for m in others if m.show_viewport]
    if shown:
        moving = [m.name for m in shown if m.type in MOVING]
        if moving:
            note("warning", "BlenderModifierStill",
                 f"mesh '{thing.name}': what the modifiers {listed(moving)} do as the figure moves is lost; they "
                 "were applied in the rest pose")
        off = [m for m in thing.modifiers if m.type == "ARMATURE" and m.show_viewport]
        for modifier in off:
            modifier.show_viewport = False
        applied = True
        if thing.data.shape_keys is not None:
            applied = apply_with_keys(thing)
        else:
            properties = {key: thing.data[key] for key in thing.data.keys()}
            thing.data = evaluated(thing)
            for key, value in properties.items():
                thing.data[key] = value
        for modifier in off:
            modifier.show_viewport = True
        if not applied:
            note("warning", "BlenderModifierDropped",
                 f"mesh '{thing.name}': the modifiers {listed(m.name for m in shown)} make other vertices of some "
                 "shape keys and were not applied; the shape keys were kept")
    for modifier in others:
        thing.modifiers.remove(modifier)


# Clips. Every action becomes a track of its own name; the exporter makes one clip of all tracks of one name.


def curves_of(action):
    if hasattr(action, "fcurves"):
        return list(action.fcurves)
    bags = [bag for layer in action.layers for strip in layer.strips for bag in strip.channelbags]
    return [curve for bag in bags for curve in bag.fcurves]


def bones_of(action):
    names = set()
    for curve in curves_of(action):
        found = re.match(r'pose\.bones\["((?:[^"\\]|\\.)*)"\]', curve.data_path)
        if found:
            names.add(bpy.utils.unescape_identifier(found.group(1)))
    return names


def used_by(owner):
    """(action, name of its track or None for the active one) of an object or of shape keys."""
    data = owner.animation_data
    if data is None:
        return []
    found = [(data.action, None)] if data.action is not None else []
    for track in data.nla_tracks:
        found += [(strip.action, track.name) for strip in track.strips if strip.action is not None]
    return found


def is_named(track):
    return track is not None and not track.startswith(("NlaTrack", "[Action Stash]"))


def actions_of_rigs(armatures):
    """Action by action the armatures that it moves: those that use it, else the one with most of its bones."""
    chosen = {rig.name: [] for rig in armatures}
    unused = []
    for rig in armatures:
        for action, _ in used_by(rig):
            if action not in chosen[rig.name]:
                chosen[rig.name].append(action)
    taken = {action for actions in chosen.values() for action in actions}
    for action in bpy.data.actions:
        bones = bones_of(action)
        if action in taken or not bones:
            continue
        shares = [len(bones & set(rig.data.bones.keys())) for rig in armatures]
        if not shares or max(shares) == 0:
            unused.append(action.name)
            continue
        chosen[armatures[shares.index(max(shares))].name].append(action)
    if unused:
        note("info", "BlenderActionUnused",
             f"actions that move no bone of the figure were left out: {listed(unused)}")
    return chosen


def set_tracks(owner, clips):
    """Plays each (name of the clip, action) as one track; nothing else moves the owner."""
    data = owner.animation_data or owner.animation_data_create()
    data.use_tweak_mode = False
    data.action = None
    for track in list(data.nla_tracks):
        data.nla_tracks.remove(track)
    for name, action in clips:
        track = data.nla_tracks.new()
        track.name = name
        track.strips.new(action.name, int(action.frame_range[0]), action)


def arrange_clips(meshes, armatures):
    chosen = actions_of_rigs(armatures)
    of_track, active = {}, None
    for rig in armatures:
        for action, track in used_by(rig):
            if is_named(track):
                of_track.setdefault(track, action.name)
            if track is None and active is None:
                active = action.name
    # Shape keys and props play with the action whose track has the same name, or which is active as well.
    others = [o for o in with_ancestors(meshes) if o not in armatures]
    others += [m.data.shape_keys for m in meshes if m.data.shape_keys is not None]
    plans = []
    for owner in others:
        if active is None:
            active = next((action.name for action, track in used_by(owner) if track is None), None)
        clips, names = [], set()
        for action, track in used_by(owner):
            if action in [a for _, a in clips]:
                continue
            name = of_track.get(track) if is_named(track) else (active if track is None else None)
            if name is None or name in names:
                name = action.name
            names.add(name)
            clips.append((name, action))
        if clips:
            plans.append((owner, clips))
    for rig in armatures:
        plans.append((rig, [(action.name, action) for action in chosen[rig.name]]))
    for owner, clips in plans:
        set_tracks(owner, clips)
    kept = {action for _, clips in plans for _, action in clips}
    for action in list(bpy.data.actions):
        if action not in kept:
            bpy.data.actions.remove(action)  # the exporter samples over the frames of all that there are


# Pose markers become events of the clip.
def keep_markers(rate):
    for action in bpy.data.actions:
        markers = getattr(action, "pose_markers", [])
        if len(markers) == 0 or "events" in action.keys() or "markers" in action.keys():
            continue
        events = {}
        for marker in markers:
            events.setdefault(marker.name, []).append(marker.frame / rate)
        action["events"] = events


def note_missing_pictures(meshes):
    missing = set()
    materials = {slot.material for mesh in meshes for slot in mesh.material_slots if slot.material is not None}
    for material in materials:
        nodes = material.node_tree.nodes if material.node_tree is not None else []
        for image in [n.image for n in nodes if n.type == "TEX_IMAGE" and n.image is not None]:
            path = bpy.path.abspath(image.filepath, library=image.library)
            if image.source == "FILE" and image.packed_file is None and not os.path.exists(path):
                missing.add(image.name)
    if missing:
        note("warning", "PictureUnreadable",
             f"pictures of the .blend are neither packed into it nor where it looks for them: {listed(missing)}")


def export(path):
    if not hasattr(bpy.types, "EXPORT_SCENE_OT_gltf"):
        import addon_utils

        addon_utils.enable("io_scene_gltf2")
    try:
        known = {p.identifier for p in bpy.ops.export_scene.gltf.get_rna_type().properties}
    except (AttributeError, KeyError) as error:
        raise Refused(f"Blender {bpy.app.version_string} has no glTF exporter; install the whole of Blender") from error
    try:
        bpy.ops.export_scene.gltf(filepath=path, **{k: v for k, v in SETTINGS.items() if k in known})
    except RuntimeError as error:
        if "numpy" in str(error):
            raise Refused("Blender's glTF exporter needs numpy for Python; install python3-numpy") from error
        lines = [line.strip() for line in str(error).splitlines() if line.strip()]
        reason = lines[-1][:300] if lines else "no reason given"
        raise Refused(f"the glTF exporter of Blender {bpy.app.version_string} fails on it ({reason})") from error
    if not os.path.exists(path):
        raise Refused(f"the glTF exporter of Blender {bpy.app.version_string} wrote nothing")


def main(source, target):
    progress(0.05, "Blender opens the file")
    open_file(source)
    if bpy.context.object is not None and bpy.context.object.mode != "OBJECT":
        bpy.ops.object.mode_set(mode="OBJECT")
    render = bpy.context.scene.render
    # The exporter counts whole frames per second.
    render.fps, render.fps_base = max(1, round(render.fps / render.fps_base)), 1.0
    meshes, armatures = chosen_objects()
    objects = with_ancestors(meshes + armatures)
    make_editable(objects)
    collect(objects)
    note_constraints(objects)
    note_missing_pictures(meshes)
    for rig in armatures:
        rig.data.pose_position = "REST"
    for index, mesh in enumerate(meshes):
        progress(0.2 + 0.2 * index / len(meshes), "Blender applies modifiers")
        apply_modifiers(mesh)
    for rig in armatures:
        rig.data.pose_position = "POSE"
    arrange_clips(meshes, armatures)
    keep_markers(render.fps)
    progress(0.4, "Blender exports the figure")
    export(target)
    progress(1.0, "Blender has exported the figure")


if __name__ == "__main__":
    try:
        main(*sys.argv[sys.argv.index("--") + 1 :])
    except Refused as refused:
        say(error=str(refused))
        sys.exit(1)
    except Exception as error:  # a fault of this script, or an object that no version of it has met
        say(error=f"Blender {bpy.app.version_string} could not prepare it ({type(error).__name__}: {error})")
        sys.exit(1)
