#pragma once

#include <string>
#include <vector>

#include "core/scene/character.h"

// The content of a file as a format's reader returns it: nodes, skins, meshes and clips with the
// file's indices, units and axes.
namespace ck::worker {

struct SourceNode {
  std::string name;            // as in the file; may be empty or repeated
  int parent = -1;             // any valid index, -1 for a root
  Trs rest;                    // used if restIsTrs
  glm::dmat4 restMatrix{1.0};  // used otherwise
  bool restIsTrs = true;
  bool inScene = true;
};

struct SourceSkin {
  std::vector<int> nodes;                // into SourceScene::nodes
  std::vector<glm::dmat4> inverseBinds;  // one per node: mesh space at bind time -> joint space
};

// One primitive at one node. Positions are in mesh space. There is one normal per vertex: a reader
// calls computeNormals() (shape_normals.h) where the file has none. Influences index the skin's
// list of nodes. They are as in the file: any weights, order and number per vertex, even none.
struct SourceMesh {
  Mesh mesh;  // the name may be empty or repeated
  int node = -1;
  int skin = -1;  // -1: the mesh follows its node
  // How much of each vertex the file skins by dual quaternions, the rest by matrices: 0 to 1, one
  // per vertex. Empty: all by matrices.
  std::vector<float> dualShares = {};
};

struct SourceNodeTracks {
  int node = -1;
  Track<glm::vec3> translation;
  Track<glm::quat> rotation;
  Track<glm::vec3> scale;
};

struct SourceClip {
  std::string name;
  double groundSpeedMetersPerSecond = 0.0;
  std::vector<SourceNodeTracks> nodeTracks;  // at most one entry per node
  std::vector<MorphTrack> morphTracks;       // mesh: into SourceScene::meshes
  std::vector<ClipEvent> events = {};        // names are sanitised, times are finite
};

struct SourceScene {
  std::vector<SourceNode> nodes;
  std::vector<SourceSkin> skins;
  std::vector<SourceMesh> meshes;
  std::vector<SourceClip> clips;
  std::vector<Material> materials;
  std::vector<Image> images;
  SourceInfo source;
  Notes notes;
};

}  // namespace ck::worker
