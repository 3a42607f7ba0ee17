#include "render/methods/matrix/matrix_skinner.h"

#include <algorithm>

#include "render/gl/draw_commands.h"
#include "render/methods/atlas/atlas_skinner.h"
#include "render/skinning/method_offers.h"

namespace ck::render {
namespace {

class MatrixSkinner : public AtlasSkinner {
 public:
  explicit MatrixSkinner(const SkinnerInput& input) : AtlasSkinner(input), commands_(input.facts) {
    const std::vector<std::uint32_t>& starts = input.character.welded.meshStarts;
    for (std::size_t mesh = 0; mesh + 1 < starts.size(); ++mesh) {
      if (starts[mesh + 1] > starts[mesh]) {
        meshes_.push_back({starts[mesh], starts[mesh + 1] - starts[mesh]});
      }
    }
  }

  // Fails with Unsupported if the atlas holds no matrices (whyNotDrawn()) or cannot be read that
  // way (whyNotSampled()).
  Result<void> update(const SkinningTick& tick) override {
    std::string refusal = whyNotDrawn(Method::Matrix, encodingOf(input_.atlas->atlas->recipe));
    if (!refusal.empty()) return fail(ErrorCode::Unsupported, std::move(refusal));
    if (auto ready = AtlasSkinner::update(tick); !ready) return ready;
    std::vector<DrawCommand> commands;
    for (const IndexRun& mesh : meshes_) {
      commands.push_back(
          {mesh.count, static_cast<std::uint32_t>(tick.records.size()), mesh.first, 0, 0});
    }
    return commands_.set(commands);
  }

  Result<void> draw(const DrawPass& pass) const override {
    const auto program = startedFor(pass);
    if (!program) return tl::unexpected(program.error());
    if (input_.actors.size() == 0) return {};
    const ActorPass started(**program, vertexArray_, input_.character, input_.actors, pass);
    if (started.feedsBack()) {
      started.draw(input_.actors.size());
    } else {
      for (const DrawCommands::Part& part : partsOf(pass.runs)) commands_.submit(part);
    }
    return {};
  }

  bool drawsParts() const override { return false; }

  SkinnerCost cost(std::size_t actors, std::span<const IndexRun> runs) const override {
    SkinnerCost cost = AtlasSkinner::cost(actors, runs);
    cost.uploadedBytes = commands_.uploadedBytes();
    cost.drawCalls = 0;
    if (actors == 0) return cost;
    for (const DrawCommands::Part& part : partsOf(runs)) {
      cost.drawCalls += commands_.callsFor(part.count);
    }
    return cost;
  }

 private:
  // The commands of each run of whole meshes, in order; all commands if there are no runs.
  std::vector<DrawCommands::Part> partsOf(std::span<const IndexRun> runs) const {
    const bool wide = input_.character.wideIndices;
    if (runs.empty()) return {{0, meshes_.size(), wide}};
    std::vector<DrawCommands::Part> parts;
    for (const IndexRun& run : runs) {
      const auto inside = [&run](const IndexRun& mesh) {
        return mesh.first >= run.first && mesh.first + mesh.count <= run.first + run.count;
      };
      const auto first = std::find_if(meshes_.begin(), meshes_.end(), inside);
      const auto last = std::find_if_not(first, meshes_.end(), inside);
      parts.push_back({static_cast<std::size_t>(first - meshes_.begin()),
                       static_cast<std::size_t>(last - first), wide});
    }
    return parts;
  }

  std::vector<IndexRun> meshes_;  // meshes with triangles, in index order
  DrawCommands commands_;         // one per mesh
};

}  // namespace

template <>
SkinnerResult skinnerOf<Method::Matrix>(const SkinnerInput& input) {
  return std::make_unique<MatrixSkinner>(input);
}

}  // namespace ck::render
