#pragma once

#include <glm/glm.hpp>
#include <optional>
#include <string>
#include <vector>

namespace ck {

// Where a camera stands that orbits a target, as render::Camera. Metres and radians.
struct CameraPlace {
  glm::dvec3 target{0.0, 0.9, 0.0};
  double distance = 6.0;
  double yaw = 0.6;
  double pitch = 0.35;
  bool orthographic = false;
  bool operator==(const CameraPlace&) const = default;
};

struct CameraBookmark {
  std::string title;
  CameraPlace camera;
  bool operator==(const CameraBookmark&) const = default;
};

// How the artist left the project: what comes back when it is opened again. Part of the file, but,
// bookmarks excepted, not of the undo history.
struct Desk {
  std::optional<CameraPlace> camera = {};
  std::vector<CameraBookmark> bookmarks = {};
  std::vector<int> selected = {};  // actors, ascending
  int crowd = 0;                   // the one that is edited, an index into Project::crowds
  bool operator==(const Desk&) const = default;
};

}  // namespace ck
