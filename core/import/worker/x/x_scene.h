#pragma once

#include <string>
#include <vector>

#include "core/import/worker/assembly/polygons.h"
#include "core/import/worker/x/x_words.h"
#include "core/scene/clip.h"

namespace ck::worker {

// The content of an X file, with right-handed axes: z is mirrored, and polygons run the other way
// around, so that they face where they did.

struct XMaterial {
  std::string name;          // empty: unnamed
  bool isReference = false;  // to the material of that name outside of meshes
  glm::vec4 color{1.0f};
  glm::vec3 emission{0.0f};
  std::vector<std::string> images;  // as the file names them
  std::string normalMap;
};

// A frame that moves vertices, as it was bound. Joints of XMesh::influences index XMesh::bones.
struct XBone {
  std::string frame;
  glm::dmat4 inverseBind{1.0};
};

struct XMesh {
  std::string name;
  int frame = -1;           // into XScene::frames; -1: outside of all
  Polygons polygons;        // materials index `materials`
  bool hasNormals = false;  // whether the file has normals for the corners of its faces
  std::vector<XMaterial> materials;
  std::vector<XBone> bones;
  std::vector<std::uint32_t> influenceStarts;  // by point, and the end; empty without bones
  std::vector<Influence> influences;
  std::size_t badPolygons = 0;  // left out, because they have fewer than three corners
};

struct XFrame {
  std::string name;
  int parent = -1;
  glm::dmat4 matrix{1.0};
};

// Keys of one frame. Times are in ticks.
struct XMotion {
  std::string frame;
  Track<glm::vec3> translation;
  Track<glm::quat> rotation;
  Track<glm::vec3> scale;
};

struct XClip {
  std::string name;
  std::vector<XMotion> motions;
};

struct XScene {
  std::vector<XFrame> frames;
  std::vector<XMesh> meshes;
  std::vector<XMaterial> materials;  // outside of meshes
  std::vector<XClip> clips;
  double ticksPerSecond = 0.0;  // 0: the file does not say
};

// Reads the objects of an X file. Objects of other kinds are skipped. Every count is held against
// the bytes that are left, and every index against its list, because files lie about both.
// Errors: InvalidInput with the line, LimitExceeded.
Result<XScene> readXScene(const XBody& body);

}  // namespace ck::worker
