#include "core/export/set/atlas_export.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/base/assert.h"
#include "core/base/parallel_for.h"
#include "core/base/utf8.h"
#include "core/container/atlas_file.h"
#include "core/export/atlas_folder.h"
#include "core/export/exported_rig.h"
#include "core/export/image_file.h"
#include "core/export/set/earlier_set.h"
#include "core/export/set/foreign_files.h"
#include "core/export/targets/glb.h"
#include "core/export/targets/impostor_folder.h"
#include "core/export/writer/set_folder.h"
#include "core/system/files.h"

namespace ck {
namespace {

constexpr std::uint64_t kLargestClipFile = 2'000'000'000;  // that imports read

namespace fs = std::filesystem;

tl::unexpected<Error> cannotWrite(const fs::path& path, const std::string& reason) {
  const std::string name = pathText(path);
  return fail(ErrorCode::CannotWrite, fmt::format("{}: cannot be written: {}", name, reason), name);
}

// The name of a target's file or folder, without the '/' of a folder.
std::string nameOf(const std::string& set, const ExportTarget& target) {
  std::string_view ending = target.ending;
  if (ending.ends_with('/')) ending.remove_suffix(1);
  return set + std::string(ending);
}

bool isSetName(std::string_view name) {
  const auto ends = [name](std::string_view ending) {
    if (ending.ends_with('/')) ending.remove_suffix(1);
    return name.ends_with(ending) && name.size() > ending.size();
  };
  return std::ranges::any_of(exportTargets(), ends, &ExportTarget::ending) ||
         std::ranges::any_of(kExportFormats, ends, &ExportFormat::ending) ||
         std::ranges::any_of(kSceneEndings, ends);
}

// Writes the file of that kind of the set `name`.
Result<ExportedFile> writeFile(const std::string& name, ExportKind kind,
                               std::span<const std::byte> bytes, const fs::path& folder) {
  const std::string fileName = fileNameOf(name, kind);
  const auto written = writeNewFile(folder / pathFromText(fileName), bytes);
  if (!written) return tl::unexpected(written.error());
  return ExportedFile{fileName, kind, bytes.size(), hashText(hashBytes(bytes))};
}

// One set of an export while it is made.
struct SetInWork {
  const SetToExport& asked;
  EarlierSet earlier;
  Sidecar sidecar;    // as far as it is known before the files are written; without texels
  ExportKinds kinds;  // to write
  std::set<TargetKind> targets;  // to write
  std::size_t images = 0;        // of `kinds`, without the sidecar
  ExportedSet written = {};
};

// Reads the written files from disk and compares them with the atlases and, where a sidecar was
// written, with their events.
Result<void> compareWritten(std::span<const SetInWork> sets, const fs::path& folder,
                            const JobContext& job) {
  std::size_t due = 0;
  for (const SetInWork& set : sets) due += set.images;
  if (due == 0) return {};
  auto found = readAtlasFolder(folder, {.ownFiles = true, .job = job});
  if (!found) {
    return fail(ErrorCode::Internal,
                fmt::format("what was written does not read back: {}", found.error().message));
  }
  for (FoundAtlas& one : *found) {
    const auto set = std::ranges::find_if(
        sets, [&](const SetInWork& each) { return each.asked.name == one.name; });
    const bool isAsked = set != sets.end() && one.atlas.sourcePath == set->asked.sourcePath;
    if (isAsked) one.atlas.sourcePath = set->asked.atlas.sourcePath;
    if (!isAsked || one.atlas != set->asked.atlas) {
      return fail(ErrorCode::Internal,
                  fmt::format("the {} file of {} that was written holds another atlas",
                              exportFormat(one.kind).name, one.name));
    }
    if (!set->kinds.contains(ExportKind::Json)) continue;
    if (one.clipEvents == set->asked.settings.clipEvents) continue;
    return fail(ErrorCode::Internal, "the sidecar that was written holds other events");
  }
  if (found->size() == due) return {};
  return fail(ErrorCode::Internal,
              fmt::format("{} image sets were written and {} read back", due, found->size()));
}

Result<void> compareImpostors(const Impostors& drawn, const std::string& name,
                              const fs::path& folder) {
  std::string inside = name + std::string(exportTarget(TargetKind::Impostors).ending);
  const auto found = readImpostors(folder / pathFromText(inside), name, {.ownFiles = true});
  if (!found) {
    return fail(
        ErrorCode::Internal,
        fmt::format("the impostors that were written do not read back: {}", found.error().message));
  }
  if (*found == drawn) return {};
  return fail(ErrorCode::Internal, "the impostors that were written read back differently");
}

tl::unexpected<Error> stopped() {
  return fail(ErrorCode::Cancelled, "the export was stopped");
}

// The container states the error as well.
Result<std::vector<std::byte>> bytesOf(ExportKind kind, const SetToExport& set,
                                       const std::string& setId, int threadCount) {
  if (kind != ExportKind::Ckatlas) return exportFormat(kind).write(set.atlas, setId);
  return atlasToBytes(set.atlas, {set.error, setId, &set.sourcePath}, threadCount);
}

Result<ExportedTargetFile> writeTargetFile(const TargetFile& file, const fs::path& folder) {
  const fs::path path = folder / pathFromText(file.path);
  std::error_code problem;
  fs::create_directories(path.parent_path(), problem);
  if (problem) return cannotWrite(path.parent_path(), problem.message());
  if (auto ok = writeNewFile(path, file.bytes); !ok) return tl::unexpected(ok.error());
  const auto back = hashOfFile(path, file.bytes.size());
  if (!back) return tl::unexpected(back.error());
  const std::uint64_t hash = hashBytes(file.bytes);
  if (*back != hash) {
    return fail(ErrorCode::Internal, fmt::format("{} reads back differently", file.path));
  }
  return ExportedTargetFile{file.path, file.bytes.size(), hashText(hash)};
}

Result<ExportedTarget> writeTarget(const ExportTarget& target, const TargetInput& input,
                                   const fs::path& folder, const JobContext& job) {
  const auto about = [&](const Error& error) {
    return fail(error.code, fmt::format("{}: {}", target.name, error.message), error.file);
  };
  const auto files = target.files(input, job);
  if (!files) return about(files.error());
  ExportedTarget written;
  written.kind = target.name;
  if (target.losses != nullptr) written.losses = target.losses(input);
  if (target.shown != nullptr) {
    const auto shown = target.shown(input, job);
    if (!shown) return about(shown.error());
    ErrorFigure& stated = written.shown.emplace();
    stated.max = shown->max;
    stated.p99 = shown->p99;
    stated.rms = shown->rms;
  }
  // A disk makes many files safe in the time of a few.
  constexpr int kWriters = 8;
  JobContext writing = job;
  if (writing.threadCount == 0) writing.threadCount = kWriters;
  std::vector<Result<ExportedTargetFile>> made(files->size());
  const bool done = parallelFor(
      made.size(), writing, [&](std::size_t i) { made[i] = writeTargetFile((*files)[i], folder); });
  if (!done) return stopped();
  for (Result<ExportedTargetFile>& one : made) {
    if (!one) return tl::unexpected(one.error());
    written.files.push_back(std::move(*one));
  }
  return written;
}

Sidecar sidecarOf(const SetToExport& set) {
  Sidecar sidecar = {.name = set.name,
                     .atlas = set.atlas,
                     .clipSources = set.settings.clipSources,
                     .clipEvents = set.settings.clipEvents};
  sidecar.atlas.texels = {};
  sidecar.atlas.sourcePath = set.sourcePath;
  if (set.settings.character != nullptr) {
    sidecar.rig = exportedRig(*set.settings.character, set.atlas);
  }
  return sidecar;
}

// Hashes all that an export is made from, by the texts of its sidecars, its texels and the texts of
// its scene. 0 stands for none, so it is never the result.
std::string setIdOf(std::span<const SetInWork> sets, std::span<const SceneFile> sceneFiles) {
  std::string contents;
  for (const SetInWork& set : sets) {
    contents += sidecarText(set.sidecar, set.asked.error);
    contents += hashText(hashBytes(set.asked.atlas.texels));
    for (const AtlasClipMorphs& clip : set.asked.atlas.morphs.clips) {
      contents += hashText(hashBytes(std::as_bytes(std::span(clip.weights))));
    }
    contents += skinUvName(set.asked.settings.skinUv);
  }
  for (const SceneFile& file : sceneFiles) contents += file.text;
  return hashText(std::max<std::uint64_t>(1, hashBytes(std::as_bytes(std::span(contents)))));
}

// Adds what the folder has already to what is to be written, as far as the atlas allows it. The
// rest is stale.
void addEarlier(SetInWork& set) {
  const ExportSettings& settings = set.asked.settings;
  const TexelFormat format = encodingInfo(set.asked.atlas.recipe).format;
  for (const ExportKind kind : set.earlier.kinds) {
    const auto stored = exportFormat(kind).stored;
    if (stored == nullptr || !stored(format).empty()) set.kinds.insert(kind);
  }
  for (const ExportedFile& file : set.earlier.files) {
    if (set.kinds.contains(file.kind)) continue;
    set.written.stale.push_back({.kind = std::string(exportFormat(file.kind).name),
                                 .setId = set.earlier.setId,
                                 .files = {{file.name, file.bytes, file.xxh3}}});
  }
  std::vector<ExportedTarget> before = set.earlier.targets;
  for (ExportedTarget& target : before) target.setId = set.earlier.setId;
  before.insert(before.end(), set.earlier.stale.begin(), set.earlier.stale.end());
  for (ExportedTarget& target : before) {
    const auto kind = targetKindFromName(target.kind);
    const auto image = exportKindFromName(target.kind);
    if ((kind && set.targets.contains(*kind)) || (image && set.kinds.contains(*image))) continue;
    const bool canDraw = kind != TargetKind::Impostors || settings.drawImpostors;
    if (kind && canDraw && settings.character != nullptr) {
      set.targets.insert(*kind);
    } else {
      set.written.stale.push_back(std::move(target));
    }
  }
}

SetInWork planned(const SetToExport& asked, const fs::path& folder) {
  const ExportSettings& settings = asked.settings;
  SetInWork set{.asked = asked,
                .earlier = readEarlierSet(folder, asked.name),
                .sidecar = sidecarOf(asked),
                .kinds = settings.kinds,
                .targets = settings.targets};
  if (!settings.only) addEarlier(set);
  set.kinds = withSidecar(set.kinds);
  if (!set.targets.empty()) set.kinds.insert(ExportKind::Json);
  set.images = set.kinds.size() - set.kinds.count(ExportKind::Json);
  return set;
}

// Whether a target of an earlier export is left as it is where it cannot be written anew.
bool mayBeStale(const SetInWork& set, TargetKind kind, const Error& error) {
  return !set.asked.settings.targets.contains(kind) &&
         (error.code == ErrorCode::InvalidInput || error.code == ErrorCode::LimitExceeded ||
          error.code == ErrorCode::NoGraphics);
}

void leaveStale(SetInWork& set, TargetKind kind) {
  const std::string_view name = exportTarget(kind).name;
  for (const auto* targets : {&set.earlier.targets, &set.earlier.stale}) {
    const auto old = std::ranges::find(*targets, name, &ExportedTarget::kind);
    if (old == targets->end()) continue;
    set.written.stale.push_back(*old);
    if (old->setId.empty()) set.written.stale.back().setId = set.earlier.setId;
    set.written.stale.back().shown.reset();
    return;
  }
}

// Writes the pictures of the atlas and the container.
Result<void> writeImages(SetInWork& set, const std::string& setId, const fs::path& folder,
                         const JobContext& job) {
  for (const ExportKind kind : set.kinds) {
    if (kind == ExportKind::Json) continue;
    if (job.stopRequested()) return stopped();
    const auto bytes = bytesOf(kind, set.asked, setId, job.threadCount);
    if (!bytes) return tl::unexpected(bytes.error());
    auto file = writeFile(set.asked.name, kind, *bytes, folder);
    if (!file) return tl::unexpected(file.error());
    set.written.files.push_back(std::move(*file));
    job.report(0.0f, "Writing files");
  }
  return {};
}

// The pictures of far actors, if they are to be written; stale where they cannot be drawn anew.
Result<std::optional<Impostors>> impostorsOf(SetInWork& set, const JobContext& job) {
  if (!set.targets.contains(TargetKind::Impostors)) return std::optional<Impostors>();
  const ExportSettings& settings = set.asked.settings;
  auto drawn = settings.drawImpostors(*settings.character, set.asked.atlas, job);
  if (drawn) return std::optional<Impostors>(std::move(*drawn));
  if (!mayBeStale(set, TargetKind::Impostors, drawn.error())) {
    return tl::unexpected(drawn.error());
  }
  set.targets.erase(TargetKind::Impostors);
  leaveStale(set, TargetKind::Impostors);
  return std::optional<Impostors>();
}

Result<void> writeTargets(SetInWork& set, const TargetInput& input, const fs::path& folder,
                          const JobContext& job) {
  float done = 0.0f;
  const auto count = static_cast<float>(set.targets.size());
  for (const TargetKind kind : set.targets) {
    if (job.stopRequested()) return stopped();
    auto target =
        writeTarget(exportTarget(kind), input, folder, job.part(done / count, (done + 1) / count));
    ++done;
    if (target) {
      set.written.targets.push_back(std::move(*target));
    } else if (mayBeStale(set, kind, target.error())) {
      leaveStale(set, kind);
    } else {
      return tl::unexpected(target.error());
    }
  }
  return {};
}

Result<void> writeSidecar(SetInWork& set, const std::string& setId,
                          const std::vector<std::string>& cast, const fs::path& folder) {
  if (!set.kinds.contains(ExportKind::Json)) return {};
  Sidecar& sidecar = set.sidecar;
  sidecar.setId = setId;
  if (cast.size() > 1) sidecar.cast = cast;
  sidecar.files = set.written.files;
  sidecar.targets = set.written.targets;
  sidecar.stale = set.written.stale;
  const std::string text = sidecarText(sidecar, set.asked.error);
  auto file = writeFile(set.asked.name, ExportKind::Json, std::as_bytes(std::span(text)), folder);
  if (!file) return tl::unexpected(file.error());
  set.written.files.push_back(std::move(*file));
  return {};
}

// Writes all files of a set to `folder`, the sidecar last.
Result<void> writeSet(SetInWork& set, const std::string& setId,
                      const std::vector<std::string>& cast, const fs::path& folder,
                      const JobContext& job) {
  const ExportSettings& settings = set.asked.settings;
  const auto pictures = std::make_shared<PictureFiles>();
  Result<void> written;
  Result<void> packed;
  // Poses are packed one after the other, so pictures are packed meanwhile.
  const std::size_t works = set.targets.contains(TargetKind::Glb) ? 2 : 1;
  const bool done = parallelFor(works, job, [&](std::size_t work) {
    if (work == 0) written = writeImages(set, setId, folder, job);
    if (work == 1) packed = pictures->make(imagesOf(*settings.character), job);
  });
  if (!done) return stopped();
  if (!written) return written;
  if (!packed) return packed;
  const auto impostors = impostorsOf(set, job);
  if (!impostors) return tl::unexpected(impostors.error());
  if (!set.targets.empty()) {
    TargetInput input = {.character = *settings.character,
                         .atlas = set.asked.atlas,
                         .name = set.asked.name,
                         .error = set.asked.error,
                         .setId = setId,
                         .skinUv = settings.skinUv,
                         .clipSources = settings.clipSources,
                         .clipEvents = settings.clipEvents};
    if (*impostors) input.impostors = &**impostors;
    input.pictures = pictures;
    if (auto ok = writeTargets(set, input, folder, job.part(0.3f, 0.9f)); !ok) return ok;
  }
  if (*impostors) {
    if (auto same = compareImpostors(**impostors, set.asked.name, folder); !same) return same;
  }
  return writeSidecar(set, setId, cast, folder);
}

Result<std::vector<ExportedTargetFile>> writeScene(std::span<const SceneFile> sceneFiles,
                                                   const std::string& name,
                                                   const std::string& setId,
                                                   const fs::path& folder) {
  std::vector<ExportedTargetFile> files;
  for (const SceneFile& file : sceneFiles) {
    std::string text = file.text;
    if (file.setIdAt != std::string::npos) text.replace(file.setIdAt, setId.size(), setId);
    const auto bytes = std::as_bytes(std::span(text));
    auto written =
        writeTargetFile({name + std::string(file.ending), {bytes.begin(), bytes.end()}}, folder);
    if (!written) return tl::unexpected(written.error());
    files.push_back(std::move(*written));
  }
  return files;
}

// The names of the folder that a set replaces: those that it writes, and with ExportSettings::only
// those of the earlier export that it does not.
std::vector<SetChange> changesOf(const SetInWork& set) {
  std::vector<SetChange> changes;
  const auto add = [&](const ExportTarget& target) {
    changes.push_back({nameOf(set.asked.name, target), target.ending.ends_with('/')});
  };
  const auto wrote = [&](const ExportTarget& target) {
    return std::ranges::find(set.written.targets, target.name, &ExportedTarget::kind) !=
           set.written.targets.end();
  };
  const auto had = [&](const ExportTarget& target) {
    const auto isIt = [&](const ExportedTarget& old) { return old.kind == target.name; };
    return std::ranges::any_of(set.earlier.targets, isIt) ||
           std::ranges::any_of(set.earlier.stale, isIt);
  };
  const bool only = set.asked.settings.only;
  for (const ExportTarget& target : exportTargets()) {
    if (wrote(target) || (only && had(target))) add(target);
  }
  for (const ExportFormat& format : kExportFormats) {
    const bool isOld = only && set.earlier.kinds.contains(format.kind);
    if (!isOld && !set.kinds.contains(format.kind)) continue;
    changes.push_back({fileNameOf(set.asked.name, format.kind), false});
  }
  return changes;
}

Note staleNote(const std::string& set, const ExportedTarget& target) {
  return {Note::Level::Warning, "ExportStale",
          fmt::format("{}: '{}' cannot be written for this bake and still shows an older one; "
                      "export into another folder, or remove it with --only",
                      set, target.kind)};
}

// Refuses what cannot be exported before anything is written.
Result<void> checkSet(const SetToExport& set) {
  const std::string& name = set.name;
  const ExportSettings& settings = set.settings;
  if (name.empty() || !isUtf8(name) || pathFromText(name).filename() != pathFromText(name) ||
      name[0] == '.') {
    return fail(ErrorCode::CannotWrite, fmt::format("'{}' cannot be the name of a file", name));
  }
  CK_ASSERT(settings.targets.empty() || settings.character != nullptr);
  CK_ASSERT(!settings.targets.contains(TargetKind::Impostors) || settings.drawImpostors);
  return checkExport(encodingOf(set.atlas.recipe), settings);
}

// Moves what was written into place, with the files of others that lie there.
Result<void> publishSets(SetFolder& place, std::span<const SetInWork> sets,
                         std::span<const ExportedTargetFile> sceneFiles, const fs::path& folder,
                         const JobContext& job) {
  if (auto locked = place.lock(job); !locked) return locked;
  std::vector<SetChange> all;
  for (const SetInWork& set : sets) {
    const std::vector<SetChange> changes = changesOf(set);
    if (auto ok = checkInputsStay(folder, changes, set.asked.settings.inputs); !ok) return ok;
    // Another export may have written the set meanwhile.
    const EarlierSet now = readEarlierSet(folder, set.asked.name);
    if (auto kept = keepForeignFiles(folder, now, changes, place.work()); !kept) return kept;
    all.insert(all.end(), changes.begin(), changes.end());
  }
  for (const ExportedTargetFile& file : sceneFiles) all.push_back({file.name, false});
  if (job.stopRequested()) return stopped();
  return place.publish(all);
}

}  // namespace

std::vector<ClipSource> clipSourcesOf(const std::vector<ImportFile>& files) {
  std::vector<ClipSource> sources;
  for (std::size_t f = 1; f < files.size(); ++f) {
    const auto hash = hashOfFile(files[f].path, kLargestClipFile);
    const std::string path = pathText(files[f].path);
    if (!hash || !isUtf8(path)) return {};
    sources.push_back({path, *hash, files[f].fit});
  }
  return sources;
}

Result<void> checkExport(Encoding encoding, const ExportSettings& settings) {
  const EncodingInfo& info = encodingInfo(encoding);
  for (const ExportKind kind : settings.kinds) {
    const ExportFormat& format = exportFormat(kind);
    if (format.stored == nullptr || !format.stored(info.format).empty()) continue;
    return fail(ErrorCode::InvalidInput,
                fmt::format("{} cannot hold these texels: {} has {} ({}); export {}, or bake as "
                            "another encoding",
                            format.name, info.name,
                            isFloat(info.format)   ? "floats"
                            : isWords(info.format) ? "words of 32 bits"
                                                   : "whole numbers",
                            texelFormatName(info.format), imageFormatNames(info.format)));
  }
  return {};
}

Result<ExportedScene> exportSets(std::span<const SetToExport> asked,
                                 std::span<const SceneFile> sceneFiles, const fs::path& folder,
                                 JobContext job) {
  CK_ASSERT(!asked.empty());
  std::vector<SetInWork> sets;
  std::vector<std::string> cast;
  for (const SetToExport& set : asked) {
    if (auto ok = checkSet(set); !ok) return tl::unexpected(ok.error());
    sets.push_back(planned(set, folder));
    if (auto ok = checkInputsStay(folder, changesOf(sets.back()), set.settings.inputs); !ok) {
      return tl::unexpected(ok.error());
    }
    cast.push_back(set.name);
  }
  const auto place = SetFolder::open(folder, isSetName);
  if (!place) return tl::unexpected(place.error());
  const fs::path& work = (*place)->work();
  ExportedScene scene{.setId = setIdOf(sets, sceneFiles)};
  float done = 0.0f;
  const auto count = static_cast<float>(sets.size());
  for (SetInWork& set : sets) {
    const JobContext own = job.part(0.7f * done / count, 0.7f * (done + 1) / count);
    ++done;
    if (auto ok = writeSet(set, scene.setId, cast, work, own); !ok) {
      return tl::unexpected(ok.error());
    }
  }
  auto written = writeScene(sceneFiles, cast.front(), scene.setId, work);
  if (!written) return tl::unexpected(written.error());
  scene.sceneFiles = std::move(*written);
  if (job.stopRequested()) return stopped();
  job.report(0.7f, "Reading back");
  if (auto same = compareWritten(sets, work, job); !same) return tl::unexpected(same.error());
  if (auto ok = publishSets(**place, sets, scene.sceneFiles, folder, job); !ok) {
    return tl::unexpected(ok.error());
  }
  for (SetInWork& set : sets) {
    for (const ExportedTarget& target : set.written.stale) {
      set.written.notes.push_back(staleNote(set.asked.name, target));
    }
    scene.sets.push_back(std::move(set.written));
  }
  Notes& notes = scene.sets.front().notes;
  notes.insert(notes.begin(), (*place)->notes().begin(), (*place)->notes().end());
  job.report(1.0f, "Exported");
  return scene;
}

Result<ExportedSet> exportAtlas(const Atlas& atlas, const std::string& name, const fs::path& folder,
                                const ExportSettings& settings, const BakeError* error,
                                JobContext job) {
  const SetToExport set = {atlas, name, atlas.sourcePath, settings, error};
  auto scene = exportSets({&set, 1}, {}, folder, std::move(job));
  if (!scene) return tl::unexpected(scene.error());
  return std::move(scene->sets.front());
}

}  // namespace ck
