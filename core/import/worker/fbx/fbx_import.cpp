#include "core/import/worker/fbx/fbx_import.h"

#include "core/import/worker/fbx/fbx_clips.h"
#include "core/import/worker/fbx/fbx_materials.h"
#include "core/import/worker/fbx/fbx_meshes.h"
#include "core/import/worker/fbx/fbx_unread.h"

namespace ck::worker {

bool looksLikeFbx(const RigHead& head) {
  return head.text.starts_with("Kaydara FBX Binary") || head.holds("FBXHeaderExtension") ||
         (head.text.starts_with(";") && head.holds("FBX"));
}

Result<SourceScene> readFbx(const RigSource& source) {
  source.progress(0.1f, "Reading the file");
  const auto tree = readFbxTree(source.bytes);
  if (!tree) return tl::unexpected(tree.error());
  const auto file = makeFbxScene(*tree);
  if (!file) return tl::unexpected(file.error());
  SourceScene scene;
  source.progress(0.4f, "Reading the hierarchy");
  auto animations = readFbxAnimations(*file, scene.notes);
  const auto nodes = addFbxNodes(*file, animations, scene);
  if (!nodes) return tl::unexpected(nodes.error());
  noteUnread(*file, animations, *nodes, scene.notes);
  const FbxMaterials materials = addFbxMaterials(*file, source.folder, scene);
  source.progress(0.6f, "Reading meshes");
  const auto shapes = addFbxMeshes(*file, *nodes, materials, scene);
  if (!shapes) return tl::unexpected(shapes.error());
  source.progress(0.8f, "Reading clips");
  const auto clips = addFbxClips(animations, *nodes, *shapes, scene);
  if (!clips) return tl::unexpected(clips.error());
  if (tree->bytes->isDamaged) return tl::unexpected(fbxDamage());
  return scene;
}

}  // namespace ck::worker
