#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/atlas/atlas.h"
#include "core/atlas/error_figures.h"
#include "core/base/job.h"
#include "core/base/result.h"
#include "core/export/image_file.h"
#include "core/export/impostors.h"
#include "core/export/sidecar_json.h"
#include "core/scene/character.h"

namespace ck {

// The targets of an export: the parts of the neutral set that need the character, pictures of far
// actors, and engines. A new target needs an enumerator here and a row in kExportTargets.
enum class TargetKind { Glb, Shaders, Impostors, Web, Three, Babylon, PlayCanvas };

// How joint indices and weights are written to UV channels as well, for engines that strip skins.
enum class SkinUv {
  None,
  Separate,  // TEXCOORD_2 and 3: joints 0 1, joints 2 3; TEXCOORD_4 and 5: their weights
  Packed,    // TEXCOORD_2 and 3: joint + weight * 0.999 of each influence
};
std::string_view skinUvName(SkinUv skinUv);  // "none", "separate", "packed"
std::optional<SkinUv> skinUvFromName(std::string_view name);

// A file before it is written.
struct TargetFile {
  std::string path;  // below the folder of the export, with '/': "soldier.three/crowd.js"
  std::vector<std::byte> bytes;
};

// The input of a target's files. References must outlive the calls below.
struct TargetInput {
  const Character& character;  // that the atlas was baked from, at the atlas's scale
  const Atlas& atlas;          // checked
  std::string name;            // of the set, a safe file name
  const BakeError* error = nullptr;
  std::string setId = {};  // of the export (isSetId()); empty: of none
  SkinUv skinUv = SkinUv::None;
  std::span<const ClipSource> clipSources = {};     // as in ExportSettings
  std::span<const ExportedEvents> clipEvents = {};  // as in ExportSettings
  // For TargetKind::Impostors, and for players, which draw far actors with them; null: none.
  const Impostors* impostors = nullptr;
  // The files of the character's images and of the impostors, for all targets of an export.
  std::shared_ptr<PictureFiles> pictures = std::make_shared<PictureFiles>();
};

// One row of the table of targets.
struct ExportTarget {
  TargetKind kind;
  std::string_view name;    // value of --export, and `kind` in documents
  std::string_view ending;  // of its file or folder, appended to the set's name; a folder ends in /
  std::string_view title;   // for the artist: "three.js"
  std::string_view summary;  // one line for the artist
  // The files; their paths are the set's name + `ending`, or in that folder. Equal input gives
  // equal bytes. Fails with InvalidInput if the target cannot hold the atlas (what, and what to do
  // instead), LimitExceeded and Cancelled.
  Result<std::vector<TargetFile>> (*files)(const TargetInput& input, const JobContext& job);
  // The losses of this input, one sentence each, with the distance that it costs where it is one.
  // nullptr: there are none.
  std::vector<std::string> (*losses)(const TargetInput& input);
  // How far the vertices that the engine shows are from the clips, in millimetres: the maximum of
  // all moments, p99 and rms. nullptr: the target plays nothing by itself. Fails like files(), and
  // with Cancelled.
  Result<ErrorFigure> (*shown)(const TargetInput& input, const JobContext& job);
};

std::span<const ExportTarget> exportTargets();
const ExportTarget& exportTarget(TargetKind kind);
// Whether a program plays the files by itself.
bool isEngine(const ExportTarget& target);
// Whether it is part of the neutral set, which is written beside every engine.
bool isNeutral(const ExportTarget& target);
std::optional<TargetKind> targetKindFromName(std::string_view name);

}  // namespace ck
