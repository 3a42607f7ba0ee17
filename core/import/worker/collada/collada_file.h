#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/import/worker/assembly/key_curve.h"
#include "core/import/worker/assembly/source_scene.h"

// Reads the animations of a Collada file directly from its XML. Assimp, which reads nodes and
// meshes, loses rotations of 180 degrees and more, splines and clip names, and crashes on animated
// morph weights.
namespace ck::worker {

// One transform element of a node.
struct ColladaTransform {
  enum class Kind { Translate, Rotate, Scale, Matrix, Other };
  Kind kind = Kind::Other;
  std::vector<double> numbers;  // 3, 4 (axis and degrees), 3 or 16 (rows)
};

// The curves that animate numbers of one node transform, or one morph weight.
struct ColladaChannel {
  std::string node;     // id; for a morph channel the node that instantiates the mesh
  int transform = -1;   // index into the node's transforms; -1: a morph weight
  int firstNumber = 0;  // index of the first animated number; for a morph channel the target
  std::vector<KeyCurve> curves;  // one per animated number, with keys at the same times
};

// A clip covers the range of time that the file states for it, where its curves hold or repeat as
// they do beyond their keys; else from the first to the last key of its channels.
struct ColladaClip {
  std::string name;           // may be empty
  std::vector<int> channels;  // into ColladaMotion::channels
  std::optional<double> startSeconds;
  std::optional<double> endSeconds;  // not before startSeconds; without one, the last key
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

// Accepts any encoding that XML allows. Channels that no <animation_clip> names form a clip of
// their own, the last one. Errors: InvalidInput with the line if the XML is malformed.
Result<ColladaMotion> readColladaMotion(std::string_view file);

}  // namespace ck::worker
