#include "core/import/import_process.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <span>
#include <unordered_map>

#include "core/anim/pose.h"
#include "core/base/byte_stream.h"
#include "core/base/json_fields.h"
#include "core/base/log.h"
#include "core/import/add_clips.h"
#include "core/import/blender_export.h"
#include "core/import/character_file.h"
#include "core/import/clip_names.h"
#include "core/import/file_axes.h"
#include "core/import/import_worker.h"
#include "core/import/joint_map_file.h"
#include "core/import/rig_format.h"
#include "core/import/settle_rig.h"
#include "core/import/skin_scale.h"
#include "core/import/still_joints.h"
#include "core/morph/morph_set.h"
#include "core/system/files.h"

namespace ck {
namespace fs = std::filesystem;
namespace {

constexpr std::uint64_t kFileLimitBytes = 2'000'000'000;
constexpr std::uint64_t kResultLimitBytes = 4'000'000'000;

// Checks that need no reading of the file.
Result<void> checkFile(const fs::path& file) {
  const std::string native = file.string();
  const bool tooLong = native.size() >= 4'096 ||
                       std::any_of(file.begin(), file.end(),
                                   [](const fs::path& part) { return part.string().size() > 255; });
  if (tooLong)
    return refuseFile("this path", ErrorCode::FileNotFound, "it is longer than the system allows");
  struct stat facts = {};
  if (::stat(native.c_str(), &facts) != 0) {
    std::error_code failed;
    const std::filesystem::path whole = std::filesystem::absolute(file, failed);
    return refuseFile(file, ErrorCode::FileNotFound,
                      fmt::format("there is no such file in {}",
                                  pathText((failed ? file : whole).parent_path())));
  }
  if (S_ISDIR(facts.st_mode)) {
    return refuseFile(file, ErrorCode::FileUnreadable, "this is a folder, not a rig file");
  }
  if (!S_ISREG(facts.st_mode)) {
    return refuseFile(file, ErrorCode::FileUnreadable, "this is a device or a pipe, not a file");
  }
  if (::access(native.c_str(), R_OK) != 0) {
    return refuseFile(file, ErrorCode::FileUnreadable, "the system does not allow reading it");
  }
  if (facts.st_size == 0) return refuseFile(file, ErrorCode::InvalidInput, "the file is empty");
  if (static_cast<std::uint64_t>(facts.st_size) > kFileLimitBytes) {
    return refuseFile(file, ErrorCode::LimitExceeded,
                      fmt::format("the file has {:.1f} GB, more than the limit of {:.0f} GB",
                                  static_cast<double>(facts.st_size) / 1e9, kFileLimitBytes / 1e9));
  }
  return {};
}

// The size of the whole result by its first bytes; 0 if these are none of a result.
std::uint64_t announcedBytes(std::span<const std::byte> first) {
  ByteReader header(first);
  const auto magic = header.number<std::uint32_t>();
  header.number<std::uint32_t>();
  const auto total = header.number<std::uint64_t>();
  return header.good() && magic == blob::kMagic ? total : 0;
}

Result<Character> readResult(const fs::path& file, const std::vector<std::byte>& bytes) {
  ByteReader header(bytes);
  const auto magic = header.number<std::uint32_t>();
  const auto version = header.number<std::uint32_t>();
  if (header.good() && magic == blob::kMagic && version != blob::kVersion) {
    return refuseFile(
        file, ErrorCode::ImportNoWorker,
        "kiln-import belongs to another version of the program; install both together");
  }
  auto character = characterFromBytes(bytes);
  if (!character) {
    log().info("import result refused: {}", character.error().message);
    if (character.error().code == ErrorCode::LimitExceeded) {
      return refuseFile(file, ErrorCode::LimitExceeded, character.error().message);
    }
    return refuseFile(
        file, ErrorCode::ImportBadResult,
        fmt::format("what the reader made of it is damaged ({}); nothing in the project "
                    "has changed",
                    character.error().message));
  }
  return character;
}

// A rig whose file does not say its axes and unit gets them from its skeleton, or as chosen.
Character upright(Character rig, const ImportSettings& settings) {
  if (saysUp(rig.source.format)) return rig;
  if (saysAxes(rig.source)) return withUp(std::move(rig), settings.upAxis);
  rig = restedInMotion(std::move(rig), settings.upAxis);
  const FileAxes axes = findAxes(rig.rig, settings.upAxis, 0.0);
  rig = withAxes(std::move(rig), axes);
  rig.notes.push_back(
      {Note::Level::Info, "AxesFound",
       fmt::format("{} files do not say their axes and unit; {}: {} up, {:.4g} m per unit",
                   rig.source.format,
                   settings.upAxis == UpAxis::Auto ? "found from the skeleton"
                                                   : "the unit was found from the skeleton",
                   rig.source.upAxis, rig.source.unitScale)});
  return rig;
}

// Notes the height of a figure, i.e. of skinned meshes, that is no usual one of a character.
void noteHeight(Character& character) {
  constexpr double kSmallest = 0.3;
  constexpr double kTallest = 10.0;
  const auto bends = [](const Mesh& mesh) {
    return std::ranges::any_of(mesh.influences, [&mesh](const Influence& influence) {
      return influence.skinJoint != mesh.influences.front().skinJoint;
    });
  };
  const bool isFigure = std::ranges::any_of(character.meshes, bends);
  const Bounds bounds = bindBounds(character);
  const double height = bounds.high.y - bounds.low.y;
  if (!isFigure || !(height > 0.0) || (height >= kSmallest && height <= kTallest)) return;
  character.notes.push_back(
      {Note::Level::Info, "HeightUnusual",
       fmt::format("the figure is {} tall at bind; another height can be chosen (--height of kiln)",
                   height < 1.0 ? fmt::format("{:.3g} mm", 1000.0 * height)
                                : fmt::format("{:.4g} m", height))});
}

Character adjusted(Character read, const ImportSettings& settings) {
  Character character = settled(std::move(read), settings.sockets);
  if (settings.joinMorphs) joinEqualMorphs(character);
  if (settings.mergeStillJoints) mergeStillJoints(character);
  foldSkinScale(character);
  double factor = 1.0;
  if (settings.unitScale > 0.0) factor = settings.unitScale / character.source.unitScale;
  if (settings.heightMeters > 0.0) {
    const Bounds bounds = bindBounds(character);
    const double height = bounds.high.y - bounds.low.y;
    // To the bit what an import at the unit of the result makes of it.
    const double unit = character.source.unitScale;
    if (height > 0.0) factor = unit * (settings.heightMeters / height) / unit;
  }
  if (factor != 1.0) character = scaled(character, factor);
  if (!(settings.heightMeters > 0.0)) noteHeight(character);
  return character;
}

// Numbers the partners by the joints of the settled rig.
void numberJoints(ClipFitReport& report, const Rig& read, const Rig& settledRig) {
  std::unordered_map<std::string_view, int> places;
  for (std::size_t j = 0; j < settledRig.joints.size(); ++j) {
    places[settledRig.joints[j].name] = static_cast<int>(j);
  }
  for (ClipFitReport::Row& row : report.rows) {
    if (row.joint < 0) continue;
    const auto found = places.find(read.joints[static_cast<std::size_t>(row.joint)].name);
    row.joint = found == places.end() ? -1 : found->second;
  }
}

// Lets the worker read `path`, which stands for `file` in all messages.
Result<Character> readByWorker(const fs::path& file, const fs::path& path,
                               const ImportLimits& limits, const JobContext& job) {
  WorkerTask task;
  task.file = file;
  task.path = path;
  task.outputLimitBytes = kResultLimitBytes;
  task.announced = announcedBytes;
  task.announcementBytes = blob::kHeaderBytes;
  const auto bytes = runImportWorker(task, limits, job);
  if (!bytes) return tl::unexpected(bytes.error());
  return readResult(file, *bytes);
}

// Blender exports its own file, and the worker reads that like any other.
Result<Character> importBlend(const fs::path& file, const ImportLimits& limits,
                              const JobContext& job) {
  const auto worker = importWorkerFor(file);
  if (!worker) return tl::unexpected(worker.error());
  const auto hash = hashOfFile(file, kFileLimitBytes, job.stop);
  if (!hash) return refuseFile(file, hash.error().code, "it cannot be read");
  auto exported = exportByBlender(file, *worker, mostMemory(limits), job.part(0.0f, 0.8f));
  if (!exported) return refuseFile(file, exported.error().code, exported.error().message);
  auto character = readByWorker(file, exported->glb, limits, job.part(0.8f, 1.0f));
  if (!character) return character;
  character->source.format = rigFormat(RigKind::Blend).name;
  character->source.hash = *hash;
  character->notes.insert(character->notes.begin(), exported->notes.begin(), exported->notes.end());
  return character;
}

// The inputs of the poses of clips of further files: the bytes of a file, and the choices for it.
std::string sealOf(std::uint64_t hash, ClipFit fit) {
  JsonDraft draft;
  JsonFields fields(draft);
  describeClipFit(fields, fit);
  return hashText(hash) + draft.shortText();
}

// Import without scaling, in the file's own units.
Result<Character> importPlain(const fs::path& file, const ImportLimits& limits,
                              const JobContext& job) {
  if (auto ok = checkFile(file); !ok) return tl::unexpected(ok.error());
  auto character =
      isBlenderFile(file) ? importBlend(file, limits, job) : readByWorker(file, file, limits, job);
  if (!character) return character;
  job.report(1.0f, "Imported");
  character->name = pathText(file.stem());
  character->source.path = pathText(file);
  nameClips(*character);
  return character;
}

}  // namespace

Result<Character> importCharacter(const fs::path& file, const ImportSettings& settings,
                                  const ImportLimits& limits, JobContext job) {
  auto character = importPlain(file, limits, job);
  if (!character) return character;
  return adjusted(upright(std::move(*character), settings), settings);
}

Result<Character> importWithClips(const std::vector<ImportFile>& files,
                                  const ImportSettings& settings, const ImportLimits& limits,
                                  JobContext job, std::vector<ClipFitReport>* reports) {
  if (files.empty()) return fail(ErrorCode::FileNotFound, "no file to import was named");
  const float share = 1.0f / static_cast<float>(files.size());
  // The size is applied to the rig last. Clips are adapted before that, in the files' own units.
  auto rig = importPlain(files[0].path, limits, job.part(0.0f, share));
  if (rig) rig = upright(std::move(*rig), settings);
  std::vector<ClipFitReport> fits;
  std::optional<Error> refused;
  std::string seals;
  const std::size_t ownClips = rig ? rig->clips.size() : 0;
  for (std::size_t f = 1; rig && !refused && f < files.size(); ++f) {
    const float from = share * static_cast<float>(f);
    auto clips = importPlain(files[f].path, limits, job.part(from, from + share));
    if (!clips) {
      refused = clips.error();
      break;
    }
    seals += sealOf(clips->source.hash, files[f].fit);
    ClipFitReport report;
    auto both = addClips(*rig, settled(std::move(*clips)), files[f].fit, &report);
    report.path = pathText(files[f].path);
    if (both) {
      // A joint that the file splits is split in the rig, too.
      for (ClipFitReport& earlier : fits) numberJoints(earlier, rig->rig, both->rig);
      *rig = std::move(*both);
    } else {
      refused = both.error();
    }
    fits.push_back(std::move(report));
  }
  if (!rig) return rig;
  // The joints of a refused import are those of the rig alone.
  if (refused) rig->clips.resize(ownClips);
  if (!seals.empty()) rig->source.clipsHash = hashBytes(std::as_bytes(std::span(seals)));
  const Rig read = rig->rig;
  Character result = adjusted(std::move(*rig), settings);
  if (reports != nullptr) {
    for (ClipFitReport& report : fits) numberJoints(report, read, result.rig);
    reports->insert(reports->end(), std::make_move_iterator(fits.begin()),
                    std::make_move_iterator(fits.end()));
  }
  if (refused) return tl::unexpected(*refused);
  return result;
}

}  // namespace ck
