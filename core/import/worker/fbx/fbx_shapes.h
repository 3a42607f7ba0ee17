#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/import/worker/assembly/source_scene.h"
#include "core/import/worker/fbx/fbx_scene.h"

namespace ck::worker {

// The blend shapes of a file. A channel has one shape, or several of which each is complete at a
// percent of its own (in-betweens). Every shape becomes a morph target.
struct FbxShapes {
  // Where the targets of a channel are: one mesh can have become several, by materials.
  struct Target {
    int mesh = -1;        // into SourceScene::meshes
    int firstTarget = 0;  // into its morphTargets: that of the first shape
  };
  struct Channel {
    int object = -1;
    double percent = 0.0;              // where no clip says otherwise
    std::vector<double> fullPercents;  // of the shapes, ascending, none of them 0
    std::vector<Target> targets;

    // The weight of a shape when the channel is at `percent`: 1 at its own percent, 0 at those of
    // its neighbours and at 0, linear between, and continued beyond the ends.
    double weightOf(std::size_t shape, double percent) const;
  };
  std::vector<Channel> channels;
};

// A shape of a mesh, by control points.
struct FbxShape {
  std::string name;
  std::vector<std::uint32_t> points;  // strictly ascending, below the number of control points
  std::vector<glm::dvec3> deltas;
  std::vector<glm::dvec3> normalDeltas;  // one per point, or empty
};

// A channel of a mesh with its shapes, in the order of their percents.
struct FbxMeshChannel {
  FbxShapes::Channel channel;
  std::vector<FbxShape> shapes;
};

// Reads all channels of a mesh with that many control points. Adds notes.
std::vector<FbxMeshChannel> readFbxChannels(const FbxScene& file, int geometry,
                                            std::size_t pointCount, Notes& notes);

}  // namespace ck::worker
