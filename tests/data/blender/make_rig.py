"""Runs inside Blender: makes a .blend to import, and writes where Blender itself has its bones and vertices.

    blender --background --factory-startup --python make_rig.py -- OUT.blend REFERENCE.json FORBIDDEN

An armature of three bones that is moved, turned and scaled, two actions (one played, one stashed) and one that
nothing uses, a tube with a subsurf modifier before its armature, a head on a bone with a shape key under a mirror
modifier, a hidden mesh, and a script that would write the file FORBIDDEN as soon as the .blend is opened.
"""

import json
import math
import sys

import bpy
from mathutils import Euler, Quaternion, Vector

BLEND, REFERENCE, FORBIDDEN = sys.argv[sys.argv.index("--") + 1 :]
BONES = ["Hips", "Spine", "Arm \"left\""]


def make_armature():
    data = bpy.data.armatures.new("Bones")
    rig = bpy.data.objects.new("Figure", data)
    bpy.context.scene.collection.objects.link(rig)
    bpy.context.view_layer.objects.active = rig
    bpy.ops.object.mode_set(mode="EDIT")
    heads = [(0, 0, 0), (0, 0, 1), (0, 0.1, 1.8)]
    tails = [(0, 0, 1), (0, 0.1, 1.8), (0.9, 0.2, 2.0)]
    parent = None
    for name, head, tail in zip(BONES, heads, tails):
        bone = data.edit_bones.new(name)
        bone.head, bone.tail, bone.roll, bone.parent = head, tail, 0.3, parent
        parent = bone
    bpy.ops.object.mode_set(mode="OBJECT")
    rig.location = (0.5, -0.25, 0.1)
    rig.rotation_euler = Euler((0.1, 0.2, 0.7))
    rig.scale = (1.25, 1.25, 1.25)
    return rig


def make_action(rig, name, frames, poses):
    action = bpy.data.actions.new(name)
    rig.animation_data_create().action = action
    for frame, pose in zip(frames, poses):
        for bone, (angles, move) in pose.items():
            part = rig.pose.bones[bone]
            part.rotation_mode = "QUATERNION"
            part.rotation_quaternion = Euler(angles).to_quaternion()
            part.location = move
            part.keyframe_insert("rotation_quaternion", frame=frame)
            part.keyframe_insert("location", frame=frame)
    rig.animation_data.action = None
    for bone in rig.pose.bones:
        bone.rotation_quaternion = Quaternion()
        bone.location = (0, 0, 0)
    return action


def make_tube(rig):
    sides, rings = 8, 7
    points = []
    for ring in range(rings):
        for side in range(sides):
            angle = 2 * math.pi * side / sides
            points.append((0.3 * math.cos(angle), 0.3 * math.sin(angle), 2.0 * ring / (rings - 1)))
    faces = []
    for ring in range(rings - 1):
        for side in range(sides):
            a, b = ring * sides + side, ring * sides + (side + 1) % sides
            faces.append((a, b, b + sides, a + sides))
    mesh = bpy.data.meshes.new("Tube")
    mesh.from_pydata(points, [], faces)
    tube = bpy.data.objects.new("Body", mesh)
    bpy.context.scene.collection.objects.link(tube)
    tube.parent = rig
    for name in BONES:
        tube.vertex_groups.new(name=name)
    for index, point in enumerate(points):
        upper = min(max(point[2] - 0.5, 0.0), 1.0)
        tube.vertex_groups[0].add([index], 1.0 - upper, "REPLACE")
        tube.vertex_groups[1].add([index], upper, "REPLACE")
    tube.modifiers.new("Smooth", "SUBSURF").levels = 1
    deform = tube.modifiers.new("Deform", "ARMATURE")
    deform.object = rig
    return tube


def make_head(rig):
    points = [(0.1, -0.2, 1.9), (0.4, -0.2, 1.9), (0.4, 0.2, 1.9), (0.1, 0.2, 1.9), (0.25, 0.0, 2.4)]
    mesh = bpy.data.meshes.new("HeadMesh")
    mesh.from_pydata(points, [], [(0, 1, 4), (1, 2, 4), (2, 3, 4), (3, 0, 4), (3, 2, 1, 0)])
    material = bpy.data.materials.new("Skin")
    material.use_nodes = True
    material.node_tree.nodes["Principled BSDF"].inputs["Base Color"].default_value = (0.8, 0.2, 0.1, 1)
    mesh.materials.append(material)
    head = bpy.data.objects.new("Head", mesh)
    bpy.context.scene.collection.objects.link(head)
    head.parent = rig
    head.vertex_groups.new(name=BONES[1]).add(range(5), 1.0, "REPLACE")
    head.shape_key_add(name="Basis")
    tall = head.shape_key_add(name="Tall")
    tall.data[4].co = (0.25, 0.0, 3.0)
    mirror = head.modifiers.new("Both sides", "MIRROR")
    mirror.use_mirror_merge = False
    head.modifiers.new("Deform", "ARMATURE").object = rig
    keys = head.data.shape_keys
    for frame, value in ((1, 0.0), (11, 1.0)):
        tall.value = value
        tall.keyframe_insert("value", frame=frame)
    tall.value = 0.0
    action = keys.animation_data.action
    action.name = "WalkFace"
    keys.animation_data.action = None
    return head, keys, action


def stash(owner, action, name):
    track = owner.animation_data.nla_tracks.new()
    track.name = name
    track.strips.new(action.name, int(action.frame_range[0]), action)
    track.mute = True


def y_up(point):
    return [point[0], point[2], -point[1]]


def sample(rig, meshes, clips):
    """Bone heads and vertices in model space, y up, while one action plays."""
    scene = bpy.context.scene
    samples = []
    for clip, action, faces in clips:
        rig.animation_data.action = action
        for keys, face in faces:
            keys.animation_data.action = face
        first, last = action.frame_range
        for frame in sorted({first, last, (first + last) // 2, first + 3, last - 2}):
            scene.frame_set(int(frame))
            depsgraph = bpy.context.evaluated_depsgraph_get()
            entry = {"clip": clip, "seconds": frame / scene.render.fps, "bones": {}, "meshes": {}}
            for bone in rig.pose.bones:
                entry["bones"][bone.name] = y_up(rig.matrix_world @ bone.head)
            for mesh in meshes:
                shown = mesh.evaluated_get(depsgraph)
                entry["meshes"][mesh.name] = [y_up(mesh.matrix_world @ v.co) for v in shown.data.vertices]
            samples.append(entry)
        rig.animation_data.action = None
        for keys, _ in faces:
            keys.animation_data.action = None
            for block in keys.key_blocks:
                block.value = 0.0  # which no other clip moves
    return samples


def main():
    for thing in list(bpy.data.objects):
        bpy.data.objects.remove(thing)
    scene = bpy.context.scene
    scene.render.fps = 25
    scene.frame_start, scene.frame_end = 3, 6  # shorter than the clips, which must not be cut to it
    rig = make_armature()
    still = {name: ((0, 0, 0), (0, 0, 0)) for name in BONES}
    walk = make_action(rig, "Walk", (1, 11, 21), (
        still, {**still, "Spine": ((0.4, 0.2, -0.3), (0, 0, 0)), "Hips": ((0.1, 0.5, 0), (0.1, 0.2, 0.3))}, still))
    wave = make_action(rig, "Wave (left)", (5, 12), (
        still, {**still, BONES[2]: ((0.9, -0.3, 0.5), (0, 0.1, 0)), "Spine": ((0, 0.7, 0), (0, 0, 0))}))
    spare = make_action(rig, "Spare", (1, 4), (still, {**still, "Hips": ((0, 0.3, 0), (0, 0, 0))}))
    for action in (walk, wave, spare):
        action.use_fake_user = True
    walk.pose_markers.new("step").frame = 6
    body = make_tube(rig)
    head, keys, face = make_head(rig)
    secret = bpy.data.objects.new("Hidden", head.data.copy())
    scene.collection.objects.link(secret)
    secret.parent = rig
    secret.hide_viewport = True
    lone = bpy.data.meshes.new("Floor")
    lone.from_pydata([(0, 0, 0), (9, 0, 0), (0, 9, 0)], [], [(0, 1, 2)])
    floor = bpy.data.objects.new("Floor", lone)
    scene.collection.objects.link(floor)
    driver = floor.driver_add("location", 0).driver
    driver.type = "SCRIPTED"
    driver.expression = f"open({FORBIDDEN + '-driver'!r}, 'w') and 0"
    script = bpy.data.texts.new("startup.py")
    script.write(f"open({FORBIDDEN!r}, 'w').write('run')\n")
    script.use_module = True
    samples = sample(rig, [body, head], [("Walk", walk, [(keys, face)]), ("Wave (left)", wave, []),
                                          ("Spare", spare, [])])
    rig.animation_data.action = walk
    keys.animation_data.action = face
    stash(rig, wave, "[Action Stash]")
    bpy.ops.wm.save_as_mainfile(filepath=BLEND, compress=False)
    with open(REFERENCE, "w") as out:
        json.dump({"samples": samples}, out)


main()
