#include "core/bake/compact_poses.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/atlas/compact_slack.h"
#include "core/bake/texel_ranges.h"
#include "core/base/assert.h"
#include "core/base/parallel_for.h"
#include "core/container/small_form.h"

namespace ck {
namespace {

// Which joints move a vertex, and by how much: its distance from the point that the joint turns it
// about, times its weight.
struct Pulls {
  struct Pull {
    std::uint32_t joint = 0;
    double lever = 0.0;
  };
  std::vector<Pull> all;
  std::vector<std::size_t> ends;  // one per vertex
};

// Distances that are enough for each joint: if a turn of each by 1 / (its distance) moved a vertex
// at that distance by 1, all together move no vertex by more. At least those of the shell.
std::vector<double> enoughFor(const Pulls& pulls, const std::vector<double>& shell,
                              std::vector<double> reach) {
  constexpr int kRounds = 4;
  for (int round = 0; round < kRounds; ++round) {
    // The largest sum of shares of any vertex that a joint moves; never above 1.
    std::vector<double> most(reach.size(), 0.0);
    std::size_t first = 0;
    for (const std::size_t end : pulls.ends) {
      double sum = 0.0;
      for (std::size_t i = first; i < end; ++i) {
        sum += pulls.all[i].lever / reach[pulls.all[i].joint];
      }
      for (; first < end; ++first) {
        double& own = most[pulls.all[first].joint];
        own = std::max(own, sum);
      }
    }
    for (std::size_t joint = 0; joint < reach.size(); ++joint) {
      reach[joint] = std::max(reach[joint] * most[joint], shell[joint]);
    }
  }
  return reach;
}

std::vector<double> reachOf(const Character& character, const Atlas& atlas) {
  const std::vector<double> shell = shellReach(atlas, character);
  std::vector<double> reach = shell;
  Pulls pulls;
  for (const Mesh& mesh : character.meshes) {
    std::vector<double> morphed(mesh.positions.size(), 0.0);
    for (const MorphTarget& target : mesh.morphTargets) {
      for (std::size_t i = 0; i < target.vertices.size(); ++i) {
        morphed[target.vertices[i]] += static_cast<double>(glm::length(target.positionDeltas[i]));
      }
    }
    for (std::size_t vertex = 0; vertex < mesh.positions.size(); ++vertex) {
      const LimitedInfluences kept = limitInfluences(influencesOf(mesh, vertex), atlas.influences);
      for (std::size_t i = 0; i < kept.weights.size(); ++i) {
        if (kept.weights[i] <= 0.0f) continue;
        const auto joint = static_cast<std::uint32_t>(kept.skinJoints[i]);
        const double distance = reachTo(atlas, joint, mesh.positions[vertex]) + morphed[vertex];
        reach[joint] = std::max(reach[joint], distance);
        pulls.all.push_back({joint, static_cast<double>(kept.weights[i]) * distance});
      }
      pulls.ends.push_back(pulls.all.size());
    }
  }
  return enoughFor(pulls, shell, std::move(reach));
}

}  // namespace

bool makeCompact(const Character& character, double mm, Atlas& atlas, const JobContext& job) {
  CK_ASSERT(canBeCompact(encodingInfo(atlas.encoding)) && mm > 0.0);
  atlas.compactMm = mm;
  atlas.compactReach.clear();
  for (const double reach : reachOf(character, atlas)) {
    atlas.compactReach.push_back(static_cast<float>(reach));
  }
  return parallelFor(atlas.clips.size(), job, [&](std::size_t clip) {
    const TexelFormat format = numberFormat(atlas);
    const ClipModel model = clipModel(atlas, clip, true);
    const ClipBlock exact = takeBlock(atlas, clip);
    ClipBlock rounded = exact;
    roundToPredicted(model, format, rounded);
    // What moves evenly between few keys is predicted exactly, until it is rounded.
    const std::size_t before = packSmall(clipModel(atlas, clip), format, exact).size();
    if (packSmall(model, format, rounded).size() < before) putBlock(rounded, clip, atlas);
  });
}

}  // namespace ck
