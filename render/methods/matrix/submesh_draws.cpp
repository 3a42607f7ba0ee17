#include "render/methods/matrix/submesh_draws.h"

#include <algorithm>

namespace ck::render {

SubmeshDraws::SubmeshDraws(const CharacterGpu& character, const ContextFacts& facts)
    : wideIndices_(character.wideIndices), commands_(facts) {
  const std::vector<std::uint32_t>& starts = character.welded.meshStarts;
  for (std::size_t mesh = 0; mesh + 1 < starts.size(); ++mesh) {
    if (starts[mesh + 1] > starts[mesh]) {
      meshes_.push_back({starts[mesh], starts[mesh + 1] - starts[mesh]});
    }
  }
}

Result<void> SubmeshDraws::update(std::size_t actors) {
  std::vector<DrawCommand> commands;
  for (const IndexRun& mesh : meshes_) {
    commands.push_back({mesh.count, static_cast<std::uint32_t>(actors), mesh.first, 0, 0});
  }
  return commands_.set(commands);
}

std::vector<DrawCommands::Part> SubmeshDraws::partsOf(std::span<const IndexRun> runs) const {
  if (runs.empty()) return {{0, meshes_.size(), wideIndices_}};
  std::vector<DrawCommands::Part> parts;
  for (const IndexRun& run : runs) {
    const auto inside = [&run](const IndexRun& mesh) {
      return mesh.first >= run.first && mesh.first + mesh.count <= run.first + run.count;
    };
    const auto first = std::find_if(meshes_.begin(), meshes_.end(), inside);
    const auto last = std::find_if_not(first, meshes_.end(), inside);
    parts.push_back({static_cast<std::size_t>(first - meshes_.begin()),
                     static_cast<std::size_t>(last - first), wideIndices_});
  }
  return parts;
}

void SubmeshDraws::draw(std::span<const IndexRun> runs) const {
  for (const DrawCommands::Part& part : partsOf(runs)) commands_.submit(part);
}

int SubmeshDraws::calls(std::span<const IndexRun> runs) const {
  int calls = 0;
  for (const DrawCommands::Part& part : partsOf(runs)) calls += commands_.callsFor(part.count);
  return calls;
}

}  // namespace ck::render
