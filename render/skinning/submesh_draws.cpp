#include "render/skinning/submesh_draws.h"

#include <epoxy/gl.h>

#include <algorithm>

namespace ck::render {
namespace {

// As OpenGL has it.
struct IndirectCommand {
  std::uint32_t indexCount = 0;
  std::uint32_t actorCount = 0;
  std::uint32_t firstIndex = 0;
  std::int32_t baseVertex = 0;
  std::uint32_t firstActor = 0;
};
static_assert(sizeof(IndirectCommand) == 20);

const void* offset(std::size_t bytes) {
  return reinterpret_cast<const void*>(bytes);
}

}  // namespace

SubmeshDraws::SubmeshDraws(const CharacterGpu& character, const ContextFacts& facts)
    : wideIndices_(character.wideIndices), indirect_(facts.multiDrawIndirect) {
  const std::vector<std::uint32_t>& starts = character.welded.meshStarts;
  for (std::size_t mesh = 0; mesh + 1 < starts.size(); ++mesh) {
    if (starts[mesh + 1] > starts[mesh]) {
      meshes_.push_back({starts[mesh], starts[mesh + 1] - starts[mesh]});
    }
  }
}

Result<void> SubmeshDraws::update(std::size_t actors) {
  uploadedBytes_ = 0;
  if (actors == actors_) return {};
  if (!indirect_) {
    actors_ = actors;
    return {};
  }
  std::vector<IndirectCommand> commands;
  for (const IndexRun& mesh : meshes_) {
    commands.push_back({mesh.count, static_cast<std::uint32_t>(actors), mesh.first, 0, 0});
  }
  uploadedBytes_ = commands.size() * sizeof(IndirectCommand);
  auto stored = commands_.upload(std::as_bytes(std::span(commands)), BufferUse::Stream,
                                 "the draws of the meshes");
  if (stored) actors_ = actors;
  return stored;
}

void SubmeshDraws::draw(std::span<const IndexRun> runs) const {
  const GLenum type = wideIndices_ ? GL_UNSIGNED_INT : GL_UNSIGNED_SHORT;
  const std::size_t indexBytes = wideIndices_ ? 4 : 2;
  const IndexRun all{0, meshes_.empty() ? 0 : meshes_.back().first + meshes_.back().count};
  if (indirect_) glBindBuffer(GL_DRAW_INDIRECT_BUFFER, commands_.existingName());
  for (const IndexRun& run : runs.empty() ? std::span(&all, 1) : runs) {
    const auto inside = [&run](const IndexRun& mesh) {
      return mesh.first >= run.first && mesh.first + mesh.count <= run.first + run.count;
    };
    const auto first = std::find_if(meshes_.begin(), meshes_.end(), inside);
    const auto last = std::find_if_not(first, meshes_.end(), inside);
    if (indirect_ && first != last) {
      const auto at = static_cast<std::size_t>(first - meshes_.begin()) * sizeof(IndirectCommand);
      glMultiDrawElementsIndirect(GL_TRIANGLES, type, offset(at),
                                  static_cast<GLsizei>(last - first), 0);
    }
    for (auto mesh = first; !indirect_ && mesh != last; ++mesh) {
      glDrawElementsInstanced(GL_TRIANGLES, static_cast<GLsizei>(mesh->count), type,
                              offset(mesh->first * indexBytes), static_cast<GLsizei>(actors_));
    }
  }
  if (indirect_) glBindBuffer(GL_DRAW_INDIRECT_BUFFER, 0);
}

int SubmeshDraws::calls() const {
  return indirect_ ? 1 : static_cast<int>(meshes_.size());
}

}  // namespace ck::render
