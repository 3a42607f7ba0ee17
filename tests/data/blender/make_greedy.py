"""Runs inside Blender: makes a .blend that takes a mesh of another .blend and a picture, both by their paths.

    blender --background --factory-startup --python make_greedy.py -- OUT.blend LIBRARY.blend PICTURE.png

All three are made. A figure of one bone has the picture on its mesh 'Body' and moves the mesh 'Taken' of the library.
"""

import sys

import bpy

BLEND, LIBRARY, PICTURE = sys.argv[sys.argv.index("--") + 1 :]


def make_library():
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.ops.mesh.primitive_cube_add()
    bpy.context.object.data.name = "Secret"
    picture = bpy.data.images.new("Picture", 4, 4)
    picture.filepath_raw, picture.file_format = PICTURE, "PNG"
    picture.save()
    bpy.ops.wm.save_as_mainfile(filepath=LIBRARY)


def follow(thing, rig):
    thing.parent = rig
    thing.modifiers.new("Deform", "ARMATURE").object = rig
    thing.vertex_groups.new(name="Hips").add(range(len(thing.data.vertices)), 1.0, "REPLACE")


def make_figure():
    bpy.ops.wm.read_factory_settings(use_empty=True)
    rig = bpy.data.objects.new("Figure", bpy.data.armatures.new("Bones"))
    bpy.context.scene.collection.objects.link(rig)
    bpy.context.view_layer.objects.active = rig
    bpy.ops.object.mode_set(mode="EDIT")
    bone = rig.data.edit_bones.new("Hips")
    bone.head, bone.tail = (0, 0, 0), (0, 0, 1)
    bpy.ops.object.mode_set(mode="OBJECT")
    bpy.ops.mesh.primitive_cube_add()
    body = bpy.context.object
    body.name = "Body"
    follow(body, rig)
    material = bpy.data.materials.new("Skin")
    material.use_nodes = True
    shown = material.node_tree.nodes.new("ShaderNodeTexImage")
    shown.image = bpy.data.images.load(PICTURE)
    material.node_tree.links.new(shown.outputs["Color"], material.node_tree.nodes["Principled BSDF"].inputs["Base Color"])
    body.data.materials.append(material)
    with bpy.data.libraries.load(LIBRARY, link=True) as (_, taken):
        taken.meshes = ["Secret"]
    thing = bpy.data.objects.new("Taken", taken.meshes[0])
    bpy.context.scene.collection.objects.link(thing)
    thing.parent = rig
    thing.modifiers.new("Deform", "ARMATURE").object = rig
    bpy.ops.wm.save_as_mainfile(filepath=BLEND, relative_remap=False)


make_library()
make_figure()
