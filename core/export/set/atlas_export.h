#pragma once

#include <filesystem>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/atlas/atlas.h"
#include "core/base/job.h"
#include "core/export/export_format.h"
#include "core/export/sidecar_json.h"
#include "core/export/targets/export_target.h"
#include "core/import/import_process.h"

namespace ck {

// The endings of files of a scene.
inline constexpr std::string_view kSceneEndings[] = {".actors.json", ".actors.csv"};

struct ExportSettings {
  // The files to write for an atlas `name`: `name` + ExportFormat::ending. An image is always
  // written with the sidecar.
  ExportKinds kinds = {ExportKind::Ckatlas, ExportKind::Json};
  // For the sidecar: the files besides the rig that clips came from, in order.
  std::vector<ClipSource> clipSources = {};
  // For the sidecar: events, one entry per clip of the atlas, or none.
  std::vector<ExportedEvents> clipEvents = {};
  // Further files to write. Each of these needs `character`, and the sidecar is written with them.
  std::set<TargetKind> targets = {};
  SkinUv skinUv = SkinUv::None;  // of the mesh
  // Draws the pictures of TargetKind::Impostors, which needs it; the web page and three.js then
  // draw far actors with them.
  DrawImpostors drawImpostors = {};
  // The character that the atlas was baked from, at the atlas's scale; must outlive the export.
  // With it the sidecar has ExportedRig.
  const Character* character = nullptr;
  // The files that are read for this export. None may lie where the set is written.
  std::vector<std::filesystem::path> inputs = {};
  // Whether files of an earlier export of the set that are not named by `kinds` and `targets` are
  // removed. Without it they are written anew, and those that cannot be are stale.
  bool only = false;
};

// One set of an export.
struct SetToExport {
  const Atlas& atlas;
  std::string name;
  std::string sourcePath;  // that the files state instead of Atlas::sourcePath; UTF-8
  ExportSettings settings;
  const BakeError* error = nullptr;  // to state in the sidecar and the container
};

// Stands for the id of an export in texts that are made before it is known.
inline constexpr std::string_view kNoSetId = "0000000000000000";

// A file of an export that belongs to all of its sets: the actors of a project.
struct SceneFile {
  std::string_view ending;  // one of kSceneEndings; appended to the name of the first set
  std::string text;
  // Where `text` has kNoSetId, which is replaced by the id of the export; npos: nowhere.
  std::size_t setIdAt = std::string::npos;
};

// The clip sources of an import from these files, the rig first: paths as given with their hashes.
// Empty if a file cannot be read or a path is not UTF-8.
std::vector<ClipSource> clipSourcesOf(const std::vector<ImportFile>& files);

// The written files of one set.
struct ExportedSet {
  std::vector<ExportedFile> files;      // the sidecar last
  std::vector<ExportedTarget> targets;  // in the order of TargetKind
  std::vector<ExportedTarget> stale;    // of an earlier export, which could not be written anew
  Notes notes;                          // of SetFolder::notes() with the first set, and of `stale`
};

// The written files of an export.
struct ExportedScene {
  std::string setId;  // of all files
  std::vector<ExportedSet> sets = {};
  std::vector<ExportedTargetFile> sceneFiles = {};
};

// Checks that the formats can hold this encoding. Fails with InvalidInput and names the formats
// that can.
Result<void> checkExport(Encoding encoding, const ExportSettings& settings);

// Writes sets and the files of their scene to a work folder inside `folder` (whose parent may be
// read-only or on another file system). Each file is read back and compared with its atlas texel by
// texel, and with its events. Then the files of all sets are moved into place together, or none
// (SetFolder). Existing sets of these names are brought up to date as a whole: formats and targets
// that the folder has already are written anew, those that cannot be stay and are listed as stale
// (see also ExportSettings::only). Files of others in the folders of targets, or where a file of
// one would lie, stay (foreign_files.h).
//
// All files carry one set id, made of the contents: equal exports have equal ids on any machine,
// whatever formats and targets are written.
//
// Fails with CannotWrite (the system's reason), InvalidInput (see checkExport(), and what a target
// cannot hold), NoGraphics and LimitExceeded (drawImpostors), Internal if a file reads back
// differently, and Cancelled; the folder is then unchanged.
Result<ExportedScene> exportSets(std::span<const SetToExport> sets,  // at least one
                                 std::span<const SceneFile> sceneFiles,
                                 const std::filesystem::path& folder, JobContext job = {});

// As above, for one set without a scene.
Result<ExportedSet> exportAtlas(const Atlas& atlas, const std::string& name,
                                const std::filesystem::path& folder, const ExportSettings& settings,
                                const BakeError* error = nullptr, JobContext job = {});

}  // namespace ck
