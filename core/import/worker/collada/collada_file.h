#pragma once

#include <glm/glm.hpp>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/import/worker/assembly/source_scene.h"

// Reads the animations of a Collada file directly from its XML. Assimp, which reads nodes and
// meshes, loses rotations of 180 degrees and more, splines and clip names, and crashes on animated
// morph weights.
namespace ck::worker {

// The curve of one or more numbers over time in seconds (COLLADA 1.4.1, chapter 4, "Curve
// Interpolation").
struct ColladaCurve {
  enum class Kind { Linear, Step, Bezier, Hermite };
  std::vector<double> times;
  int width = 1;               // numbers per key
  std::vector<double> values;  // times.size() * width
  std::vector<Kind> kinds;     // interpolation of the segment that starts at each key
  // One per number and key: (seconds, value) for Bezier; slopes for Hermite, where seconds are
  // unused.
  std::vector<glm::dvec2> inTangents;
  std::vector<glm::dvec2> outTangents;

  // The value of number `part` at a time. Constant before the first and after the last key.
  double at(double seconds, int part) const;
  bool isStepped() const;  // whether all keys hold their value until the next
};

// One transform element of a node.
struct ColladaTransform {
  enum class Kind { Translate, Rotate, Scale, Matrix, Other };
  Kind kind = Kind::Other;
  std::vector<double> numbers;  // 3, 4 (axis and degrees), 3 or 16 (rows)
};

// A curve that animates numbers of one node transform, or one morph weight.
struct ColladaChannel {
  std::string node;     // id; for a morph channel the node that instantiates the mesh
  int transform = -1;   // index into the node's transforms; -1: a morph weight
  int firstNumber = 0;  // index of the first animated number; for a morph channel the target
  ColladaCurve curve;
};

struct ColladaClip {
  std::string name;              // may be empty
  std::vector<int> channels;     // into ColladaMotion::channels
  double startSeconds = -1e300;  // keys outside are dropped, and curves are cut there
  double endSeconds = 1e300;
};

struct ColladaMotion {
  std::string withoutMotion;  // the file as UTF-8 without animations, for Assimp
  double unitMeters = 1.0;
  char upAxis = 'Y';
  std::vector<std::string> meshNodes;           // ids of nodes that instantiate a mesh
  std::map<std::string, std::string> nameOfId;  // for nodes with both
  // Transforms of animated nodes, by id.
  std::map<std::string, std::vector<ColladaTransform>> transforms;
  std::vector<ColladaChannel> channels;
  std::vector<ColladaClip> clips;
  Notes notes;
};

// Accepts any encoding that XML allows. Curves outside any <animation_clip> form one clip. Errors:
// InvalidInput with the line if the XML is malformed.
Result<ColladaMotion> readColladaMotion(std::string_view file);

}  // namespace ck::worker
