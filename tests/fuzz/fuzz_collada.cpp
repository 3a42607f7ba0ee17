#include "core/import/worker/collada/collada_clips.h"
#include "tests/fuzz/rig_target.h"
#include "tests/fuzz/target_list.h"

namespace {

// Reads any bytes as the motion of a Collada file, and puts it on nodes without meshes: those that
// Assimp would read, which is no part of this. Built and run by scripts/fuzz.sh.
int feedCollada(const std::uint8_t* data, std::size_t size) {
  const auto motion = ck::worker::readColladaMotion({reinterpret_cast<const char*>(data), size});
  if (!motion) return 0;
  ck::worker::SourceScene scene;
  for (const auto& [id, transforms] : motion->transforms) {
    ck::worker::SourceNode node;
    node.name = id;
    node.parent = static_cast<int>(scene.nodes.size()) - 1;
    scene.nodes.push_back(std::move(node));
  }
  ck::worker::completeCollada(*motion, scene);
  ck::fuzz::assembleAndSend(std::move(scene));
  return 0;
}

}  // namespace

CK_FUZZ_TARGET(collada, feedCollada, ck::fuzz::mutateBytes)
