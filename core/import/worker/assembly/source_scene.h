#pragma once

#include <string>
#include <vector>

#include "core/scene/character.h"

// What a reader of one format finds in a file, before it becomes a Character: nodes, skins, meshes
// and clips with the file's own indices, in the file's own units and axes.
namespace ck::worker {

struct SourceNode {
  std::string name;            // as in the file; may be empty or repeated
  int parent = -1;             // any index, -1 for a root
  Trs rest;                    // where restIsTrs
  glm::dmat4 restMatrix{1.0};  // else
  bool restIsTrs = true;
  bool inScene = true;
};

struct SourceSkin {
  std::string name;
  std::vector<int> nodes;                // into SourceScene::nodes
  std::vector<glm::dmat4> inverseBinds;  // one per node: mesh space at bind time -> joint space
};

// One primitive at one node. The positions are in mesh space. Influences index the skin's list of
// nodes and are as the file has them: any weight, any order, any number per vertex, even none.
struct SourceMesh {
  Mesh mesh;  // name may be empty or repeated
  int node = -1;
  int skin = -1;  // -1: the mesh follows its node
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
  std::vector<ClipEvent> events = {};        // names are clean, times finite
};

struct SourceScene {
  std::vector<SourceNode> nodes;
  std::vector<SourceSkin> skins;
  std::vector<SourceMesh> meshes;
  std::vector<SourceClip> clips;
  std::vector<Material> materials;
  std::vector<Picture> pictures;
  SourceInfo source;
  Notes notes;
};

// Makes a Character: repairs and names what needs it, chooses the joints (every joint of a skin,
// every animated node above or between them, every animated node that carries a mesh), folds the
// static nodes between them into Joint::preTransform, applies source.sourceToModel and notes every
// change. Errors: InvalidInput, LimitExceeded.
Result<Character> assembleCharacter(SourceScene scene);

}  // namespace ck::worker
