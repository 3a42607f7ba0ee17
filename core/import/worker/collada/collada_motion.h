#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/import/worker/assembly/source_scene.h"

// The motion of a Collada file, read from its own text: the general library that reads nodes and
// meshes loses turns of half a circle and more, splines and clip names, and dies of morph weights.
namespace ck::worker {

// One animated number, or several at once: a curve over seconds (COLLADA 1.4.1, chapter 4,
// "Curve Interpolation").
struct ColladaCurve {
  enum class Kind { Linear, Step, Bezier, Hermite };
  std::vector<double> times;
  int width = 1;               // numbers per key
  std::vector<double> values;  // times.size() * width
  std::vector<Kind> kinds;     // of the piece that begins at each key
  // Of each number of each key: seconds and value for Bezier, slopes for Hermite (seconds unused).
  std::vector<glm::dvec2> inTangents;
  std::vector<glm::dvec2> outTangents;

  // The number `part` at a time; held before the first and after the last key.
  double at(double seconds, int part) const;
};

// One element of a node's list of transforms.
struct ColladaTransform {
  enum class Kind { Translate, Rotate, Scale, Matrix, Other };
  Kind kind = Kind::Other;
  std::vector<double> numbers;  // 3, 4 (axis and degrees), 3, 16 (rows)
};

// A curve that moves some numbers of one transform of a node, or one morph weight.
struct ColladaChannel {
  std::string node;     // id; of a morph channel the node that shows the mesh
  int transform = -1;   // into the node's list; -1: a morph weight
  int firstNumber = 0;  // into its numbers; for a morph channel the target
  ColladaCurve curve;
};

struct ColladaClip {
  std::string name;              // may be empty
  std::vector<int> channels;     // into ColladaMotion::channels
  double startSeconds = -1e300;  // keys outside are left out; curves are cut there
  double endSeconds = 1e300;
};

struct ColladaMotion {
  std::string withoutMotion;  // the file as UTF-8 without its animations, for the other reader
  double unitMeters = 1.0;
  char upAxis = 'Y';
  std::vector<std::string> meshNodes;           // ids of the nodes that show a mesh
  std::map<std::string, std::string> nameOfId;  // of nodes that have both
  std::map<std::string, std::vector<ColladaTransform>> transforms;  // of animated nodes, by id
  std::vector<ColladaChannel> channels;
  std::vector<ColladaClip> clips;
  Notes notes;
};

// Reads any encoding that XML allows. Curves without an <animation_clip> are one clip together.
// Errors: InvalidInput with the line where the XML is broken.
Result<ColladaMotion> readColladaMotion(std::string_view file);

// Adds the clips to a scene whose nodes still have their ids as names. Where keys and what lies
// between them cannot be told by straight interpolation of translation, rotation and scale, keys
// are added in between (at most 60 a second).
void addColladaClips(const ColladaMotion& motion, SourceScene& scene);

// Sets units and axes as the file states them, without the rounding of the general library.
void setColladaSpace(const ColladaMotion& motion, SourceInfo& source);

// Notes "MeshDropped" for every node that should show a mesh and has none: the general library
// leaves out morphed meshes without a skin. Before nameByIds.
void noteLostMeshes(const ColladaMotion& motion, SourceScene& scene);

// Gives nodes and meshes the names that artists see, instead of ids.
void nameByIds(const ColladaMotion& motion, SourceScene& scene);

}  // namespace ck::worker
