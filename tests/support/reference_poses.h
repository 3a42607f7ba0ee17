#pragma once

#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "core/morph/morph_set.h"

namespace ck::test {

// How far a character is from a file of reference poses (shared/models/reference).
struct PoseDifference {
  double joints = 0.0;    // largest difference of a joint matrix, relative to the model's size
  double vertices = 0.0;  // largest distance of a vertex, relative to the model's size
  int jointsCompared = 0;
  int verticesCompared = 0;
  double weights = 0.0;  // largest difference of a morph target's weight, where `morph` is set
  int weightsCompared = 0;
  int verticesUnmatched = 0;  // of the reference, with no vertex of ours at their place
  std::vector<std::string> missingJoints;  // of the reference, not in the character
  std::string worstJoint;                  // where: clip, time and name
  std::string worstVertex;
  std::string skipped;  // what could not be compared, and why
};

struct PoseComparison {
  // The reference's matrices and positions are in the file's space and go through sourceToModel
  // first; else they are model space already.
  bool inFileSpace = false;
  bool skipBetweenFrames = true;
  // A clip of the reference that the character does not have moves nothing: compare the rest pose.
  bool restWithoutClip = false;
  // The importer kept the file's vertices in order; else they are matched by their place at bind.
  bool vertexOrderKept = true;
  // Where set, bind positions of a mesh come from here, morphed by weights of the character's
  // MorphSet, which are compared with the reference's; else from skinMesh().
  std::function<std::vector<glm::vec3>(int mesh, std::span<const float> weights)> morph = {};
};

// Poses the character at every sample of the reference and compares joints by name and vertices by
// index. Throws std::runtime_error where the reference cannot be read.
PoseDifference comparePoses(const Character& character, const std::filesystem::path& reference,
                            const PoseComparison& how = {});

// All files below a folder with that ending, sorted.
std::vector<std::filesystem::path> filesBelow(const std::filesystem::path& folder,
                                              const std::string& ending);

}  // namespace ck::test
