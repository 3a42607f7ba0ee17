#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/atlas/atlas.h"
#include "core/atlas/error_figures.h"
#include "core/base/result.h"
#include "core/export/export_format.h"
#include "core/import/clip_fit.h"

namespace ck {

// A file of a set. A sidecar describes the others.
struct ExportedFile {
  std::string name;  // without folders
  ExportKind kind = ExportKind::Ckatlas;
  std::uint64_t bytes = 0;
  std::string xxh3;  // XXH3-64 of the file's bytes, 16 hex digits
};

// A file besides the rig that clips of an atlas came from. It is recorded so that the file can be
// found again.
struct ClipSource {
  std::string path;        // as it was given, UTF-8
  std::uint64_t hash = 0;  // XXH3-64 of its bytes
  ClipFit fit = {};        // how it was fitted to the rig
  bool operator==(const ClipSource&) const = default;
};

// An event of a clip in a sidecar.
struct ExportedEvent {
  std::string name;
  double unit = 0.0;   // position in the clip, in [0, 1]
  bool added = false;  // by the artist; else it is in the rig file, at this time
  bool operator==(const ExportedEvent&) const = default;
};

// The events of a clip in a sidecar.
struct ExportedEvents {
  std::vector<ExportedEvent> list = {};
  int leftOut = 0;  // events of the rig file within the clip that the artist took out or moved
  bool operator==(const ExportedEvents&) const = default;
};

// A mesh of which every vertex follows one joint with all its weight.
struct RigidMesh {
  std::string mesh;
  int joint = 0;  // of the atlas
  bool operator==(const RigidMesh&) const = default;
};

// A mesh that was bound at another scale or stretch than that of the rig file: Mesh::bindScale.
struct BindScale {
  std::string mesh;
  double scale = 1.0;
  glm::dmat3 stretch{1.0};  // Mesh::bindStretch; omitted if it is the identity
  bool operator==(const BindScale&) const = default;
};

// The facts that a sidecar has about the character besides the atlas.
struct ExportedRig {
  glm::dmat4 sourceToModel{1.0};   // the rig file's space -> model space
  std::string sourceUpAxis = "Y";  // of the rig file: "X", "Y" or "Z"
  std::vector<RigidMesh> rigidMeshes = {};
  std::vector<BindScale> bindScales = {};  // of meshes where it is not 1; omitted if empty
  // For each clip, the box around all vertices at each frame, rounded outwards to millimetres:
  // lowest x, y, z, highest x, y, z, frame after frame (core/export/exported_rig.h).
  std::vector<std::vector<int>> frameBoundsMm = {};
  std::vector<int> boundsMm = {0, 0, 0, 0, 0, 0};  // the box around all of them
  bool operator==(const ExportedRig&) const = default;
};

// A file of a target (core/export/targets/export_target.h). Sidecars list them apart from the files
// that hold texels.
struct ExportedTargetFile {
  std::string name;  // with the target's folder and '/'
  std::uint64_t bytes = 0;
  std::string xxh3;
  bool operator==(const ExportedTargetFile&) const = default;
};
struct ExportedTarget {
  std::string kind;                       // ExportTarget::name, or ExportFormat::name if stale
  std::string setId = {};                 // of the export that wrote it, if stale; may be unknown
  std::optional<ErrorFigure> shown = {};  // ExportTarget::shown: max, p99 and rms alone
  std::vector<std::string> losses = {};
  std::vector<ExportedTargetFile> files = {};
  bool operator==(const ExportedTarget&) const = default;
};

// The content of `name.atlas.json` (docs/atlas-json.md, docs/atlas.schema.json).
struct Sidecar {
  std::string name;
  // The id of the export that the set belongs to (isSetId()); empty: of none.
  std::string setId = {};
  // The names of the sets of that export, this one among them, in the order of the characters.
  // Empty if the set is alone.
  std::vector<std::string> cast = {};
  Atlas atlas = {};  // its texels are not stored
  std::vector<ExportedFile> files = {};
  std::vector<ClipSource> clipSources = {};  // "source.clipFiles"; omitted if empty
  // "events" and "eventsLeftOut" of every clip; one entry per Atlas::clips, or none if no clip has
  // either.
  std::vector<ExportedEvents> clipEvents = {};
  std::optional<ExportedRig> rig = {};  // unset if the character was not known
  std::vector<ExportedTarget> targets = {};
  // Files of earlier exports of this set that lie in the folder and could not be written anew, by
  // target or format. They show an older bake.
  std::vector<ExportedTarget> stale = {};
};

// The text of a sidecar. `error` may be nullptr.
std::string sidecarText(Sidecar sidecar, const BakeError* error = nullptr);

// Parses a sidecar. Fails with InvalidInput (what is missing or invalid) and Unsupported (a newer
// version). The returned atlas has no texels and has not been checked as a whole.
Result<Sidecar> sidecarFromText(std::string_view text);

// Checks that a text contains all data that this program would write for its atlas, with equal
// values. This includes derived fields like rows and formats, which other readers use. Error
// figures are ignored. The atlas must have passed checkAtlas().
Result<void> checkRestated(std::string_view text, const Sidecar& sidecar);

}  // namespace ck
