#include "core/import/import_process.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <unordered_map>

#include "core/anim/pose.h"
#include "core/base/byte_stream.h"
#include "core/base/files.h"
#include "core/base/json_fields.h"
#include "core/base/log.h"
#include "core/base/process.h"
#include "core/import/add_clips.h"
#include "core/import/blender_export.h"
#include "core/import/character_file.h"
#include "core/import/clip_names.h"
#include "core/import/file_axes.h"
#include "core/import/joint_map_file.h"
#include "core/import/rig_format.h"
#include "core/import/settle_rig.h"
#include "core/import/still_joints.h"
#include "core/morph/morph_set.h"

namespace ck {
namespace fs = std::filesystem;
namespace {

constexpr std::uint64_t kFileLimitBytes = 2'000'000'000;
constexpr std::uint64_t kResultLimitBytes = 4'000'000'000;
constexpr std::uint64_t kErrorLimitBytes = std::uint64_t{64} * 1024;
constexpr std::uint64_t kGibi = 1ull << 30;
// What a worker may take for every byte that it reads, beyond what it takes for any file.
constexpr std::uint64_t kMemoryPerByte = 256;
constexpr std::uint64_t kLeastMemory = kGibi * 3 / 2;

std::string shownName(const fs::path& file) {
  const std::string name = pathText(file.filename());
  return name.empty() ? pathText(file) : name;
}

// An error message about a file: "walk.fbx: why".
tl::unexpected<Error> refuse(const fs::path& file, ErrorCode code, std::string_view why) {
  return fail(code, fmt::format("{}: {}", shownName(file), why), pathText(file));
}

// Checks that need no reading of the file.
Result<void> checkFile(const fs::path& file) {
  const std::string native = file.string();
  const bool tooLong = native.size() >= 4'096 ||
                       std::any_of(file.begin(), file.end(),
                                   [](const fs::path& part) { return part.string().size() > 255; });
  if (tooLong)
    return refuse("this path", ErrorCode::FileNotFound, "it is longer than the system allows");
  struct stat facts = {};
  if (::stat(native.c_str(), &facts) != 0) {
    std::error_code failed;
    const std::filesystem::path whole = std::filesystem::absolute(file, failed);
    return refuse(file, ErrorCode::FileNotFound,
                  fmt::format("there is no such file in {}",
                              pathText((failed ? file : whole).parent_path())));
  }
  if (S_ISDIR(facts.st_mode)) {
    return refuse(file, ErrorCode::FileUnreadable, "this is a folder, not a rig file");
  }
  if (!S_ISREG(facts.st_mode)) {
    return refuse(file, ErrorCode::FileUnreadable, "this is a device or a pipe, not a file");
  }
  if (::access(native.c_str(), R_OK) != 0) {
    return refuse(file, ErrorCode::FileUnreadable, "the system does not allow reading it");
  }
  if (facts.st_size == 0) return refuse(file, ErrorCode::InvalidInput, "the file is empty");
  if (static_cast<std::uint64_t>(facts.st_size) > kFileLimitBytes) {
    return refuse(file, ErrorCode::LimitExceeded,
                  fmt::format("the file has {:.1f} GB, more than the limit of {:.0f} GB",
                              static_cast<double>(facts.st_size) / 1e9, kFileLimitBytes / 1e9));
  }
  return {};
}

std::uint64_t freeMemoryBytes() {
  std::ifstream facts("/proc/meminfo");
  std::string word;
  std::uint64_t kibi = 0;
  while (facts >> word) {
    if (word == "MemAvailable:" && facts >> kibi) return kibi * 1024;
  }
  return 2 * kGibi;
}

// About the bytes that a worker can read: the rig file and what lies beside it.
std::uint64_t readableBytes(const fs::path& file) {
  constexpr int kMostFiles = 2'000;
  std::error_code failed;
  std::uint64_t bytes = fs::file_size(file, failed);
  if (failed) bytes = 0;
  const fs::path folder = fs::canonical(file, failed).parent_path();
  int files = 0;
  for (fs::recursive_directory_iterator at(folder, failed), end;
       !failed && at != end && ++files <= kMostFiles; at.increment(failed)) {
    std::error_code unknown;
    const std::uint64_t size = at->is_regular_file(unknown) ? at->file_size(unknown) : 0;
    if (!unknown) bytes += std::min(size, kFileLimitBytes);
  }
  return bytes;
}

std::uint64_t mostMemory(const ImportLimits& limits) {
  if (limits.memoryBytes > 0) return limits.memoryBytes;
  return std::clamp(freeMemoryBytes() / 10 * 8, kGibi, 8 * kGibi);
}

// A small file has no use for gigabytes, whatever it says.
std::uint64_t memoryLimit(const ImportLimits& limits, const fs::path& file) {
  if (limits.memoryBytes > 0) return limits.memoryBytes;
  return std::min(mostMemory(limits), kLeastMemory + readableBytes(file) * kMemoryPerByte);
}

// The size of the whole result by its first bytes; 0 if these are none of a result.
std::uint64_t announcedBytes(std::span<const std::byte> first) {
  ByteReader header(first);
  const auto magic = header.number<std::uint32_t>();
  header.number<std::uint32_t>();
  const auto total = header.number<std::uint64_t>();
  return header.good() && magic == blob::kMagic ? total : 0;
}

// What the worker reported on standard error.
struct WorkerTalk {
  std::mutex mutex;
  std::optional<Error> error;
  std::string lastWords;  // the last line that is not a message of ours, e.g. a library's assertion
};

ErrorCode codeOf(const std::string& name) {
  constexpr std::array kAllowed = {ErrorCode::FileNotFound,  ErrorCode::FileUnreadable,
                                   ErrorCode::Unsupported,   ErrorCode::InvalidInput,
                                   ErrorCode::LimitExceeded, ErrorCode::ImportMemory};
  for (const ErrorCode code : kAllowed) {
    if (errorCodeName(code) == name) return code;
  }
  return ErrorCode::ImportFailed;
}

// Logs each distinct message once, however many files are imported.
void logOnce(const std::string& text) {
  static std::mutex mutex;
  static std::set<std::string> said;
  const std::lock_guard lock(mutex);
  if (said.size() < 100 && said.insert(text).second) log().warn("{}", text);
}

void hear(std::string_view line, WorkerTalk& talk, const JobContext& job) {
  const auto document = JsonDocument::parse(line);
  const std::lock_guard lock(talk.mutex);
  if (!document || !line.starts_with('{')) {
    talk.lastWords = line.substr(0, 300);
    return;
  }
  std::optional<Error> problem;
  JsonFields fields(document->root(), "", problem);
  if (fields.has("progress")) {
    double fraction = 0.0;
    std::string step;
    fields.number("progress", fraction, 0.0, 1.0);
    fields.text("step", step);
    if (!problem) job.report(static_cast<float>(fraction), step);
  } else if (fields.has("error")) {
    std::string code;
    std::string message;
    JsonFields error = fields.object("error");
    error.text("code", code);
    error.text("message", message);
    if (!problem) talk.error = Error{codeOf(code), message};
  } else if (fields.has("log")) {
    std::string text;
    fields.text("log", text);
    logOnce(text);
  }
}

tl::unexpected<Error> crashed(const fs::path& file, const WorkerTalk& talk) {
  if (!talk.lastWords.empty()) log().info("import worker, last words: {}", talk.lastWords);
  const RigFormat* format = rigFormatByEnding(file);
  const bool gltf =
      format != nullptr && (format->kind == RigKind::Gltf || format->kind == RigKind::Glb);
  return refuse(
      file, ErrorCode::ImportCrashed,
      fmt::format("the {} reader failed on this file; nothing in the project has changed. "
                  "{}",
                  format == nullptr ? "rig" : format->name,
                  gltf ? "Check the file or export it again" : "Export it again, or as glTF"));
}

Result<Character> readResult(const fs::path& file, const std::vector<std::byte>& bytes) {
  ByteReader header(bytes);
  const auto magic = header.number<std::uint32_t>();
  const auto version = header.number<std::uint32_t>();
  if (header.good() && magic == blob::kMagic && version != blob::kVersion) {
    return refuse(file, ErrorCode::ImportNoWorker,
                  "kiln-import belongs to another version of the program; install both together");
  }
  auto character = characterFromBytes(bytes);
  if (!character) {
    log().info("import result refused: {}", character.error().message);
    return refuse(file, ErrorCode::ImportBadResult,
                  fmt::format("what the reader made of it is damaged ({}); nothing in the project "
                              "has changed",
                              character.error().message));
  }
  return character;
}

Result<Character> conclude(const fs::path& file, const ProcessOutcome& outcome,
                           const WorkerTalk& talk, const ImportLimits& limits,
                           std::uint64_t memoryBytes) {
  const auto timeout = [&file](int seconds, const char* kind) {
    return refuse(
        file, ErrorCode::ImportTimeout,
        fmt::format("reading it was not finished after {} s{}; nothing in the project has "
                    "changed",
                    seconds, kind));
  };
  switch (outcome.end) {
    case ProcessOutcome::End::Stopped:
      return refuse(file, ErrorCode::Cancelled, "the import was stopped");
    case ProcessOutcome::End::TimedOut:
      return timeout(limits.wallSeconds, "");
    case ProcessOutcome::End::OutputTooLarge:
      return refuse(file, ErrorCode::ImportBadResult,
                    "the reader sent more than any rig holds; nothing in the project has changed");
    case ProcessOutcome::End::Signalled:
      if (outcome.signalNumber == SIGXCPU) return timeout(limits.cpuSeconds, " of computing");
      if (outcome.signalNumber == SIGSYS) {
        return refuse(file, ErrorCode::ImportCrashed,
                      "reading it was ended, because the reader tried what no rig file needs; the "
                      "file may be made to attack this computer; nothing in the project has "
                      "changed");
      }
      if (outcome.signalNumber == SIGSTOP) {
        return refuse(file, ErrorCode::ImportCrashed,
                      "its reader was suspended by another program; nothing in the project has "
                      "changed");
      }
      return crashed(file, talk);
    case ProcessOutcome::End::Exited:
      break;
  }
  if (outcome.exitCode == 0) return readResult(file, outcome.output);
  // The exit code that a shell uses for a program that cannot be executed.
  if (!talk.error && (outcome.exitCode == 126 || outcome.exitCode == 127)) {
    return refuse(
        file, ErrorCode::ImportNoWorker,
        "it cannot be read because kiln-import is not a program of this system; install it "
        "again");
  }
  if (!talk.error) return crashed(file, talk);
  if (talk.error->code == ErrorCode::ImportMemory) {
    return refuse(file, ErrorCode::ImportMemory,
                  fmt::format("reading it needs more than {:.1f} GB of memory",
                              static_cast<double>(memoryBytes) / kGibi));
  }
  return refuse(file, talk.error->code, talk.error->message);
}

// A rig whose file does not say its axes and unit gets them from its skeleton.
Character upright(Character rig, const ImportSettings& settings) {
  if (saysAxes(rig.source)) return rig;
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

Character adjusted(Character read, const ImportSettings& settings) {
  Character character = settled(std::move(read), settings.sockets);
  if (settings.joinMorphs) joinEqualMorphs(character);
  if (settings.mergeStillJoints) mergeStillJoints(character);
  double factor = 1.0;
  if (settings.unitScale > 0.0) factor = settings.unitScale / character.source.unitScale;
  if (settings.heightMeters > 0.0) {
    const Bounds bounds = bindBounds(character);
    const double height = bounds.high.y - bounds.low.y;
    // To the bit what an import at the unit of the result makes of it.
    const double unit = character.source.unitScale;
    if (height > 0.0) factor = unit * (settings.heightMeters / height) / unit;
  }
  return factor == 1.0 ? character : scaled(character, factor);
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
Result<Character> readByWorker(const fs::path& file, const fs::path& path, const fs::path& worker,
                               const ImportLimits& limits, const JobContext& job) {
  const std::uint64_t memoryBytes = memoryLimit(limits, path);
  ProcessRequest request;
  request.program = worker;
  std::error_code ignored;
  request.arguments = {"--memory",
                       fmt::format("{}", memoryBytes),
                       "--cpu-seconds",
                       fmt::format("{}", limits.cpuSeconds),
                       "--",
                       fs::absolute(path, ignored).string()};
  // A result is never larger than what the worker had to make it.
  request.outputLimitBytes = std::min(kResultLimitBytes, memoryBytes);
  request.announced = announcedBytes;
  request.announcementBytes = blob::kHeaderBytes;
  request.errorLimitBytes = kErrorLimitBytes;
  request.wallSeconds = limits.wallSeconds;
  WorkerTalk talk;
  const auto outcome = runProcess(
      request, [&](std::string_view line) { hear(line, talk, job); }, job.stop);
  if (!outcome) {
    return refuse(file, ErrorCode::ImportNoWorker,
                  fmt::format("it cannot be read because {} does not start: {}", pathText(worker),
                              outcome.error().message));
  }
  return conclude(file, *outcome, talk, limits, memoryBytes);
}

// Blender exports its own file, and the worker reads that like any other.
Result<Character> importBlend(const fs::path& file, const fs::path& worker,
                              const ImportLimits& limits, const JobContext& job) {
  const auto hash = [&file]() -> Result<std::uint64_t> {
    const auto bytes = readFile(file, kFileLimitBytes);
    if (!bytes) return tl::unexpected(bytes.error());
    return hashBytes(*bytes);
  }();
  if (!hash) return refuse(file, hash.error().code, "it cannot be read");
  auto exported = exportByBlender(file, worker, mostMemory(limits), job.part(0.0f, 0.8f));
  if (!exported) return refuse(file, exported.error().code, exported.error().message);
  auto character = readByWorker(file, exported->glb, worker, limits, job.part(0.8f, 1.0f));
  if (!character) return character;
  character->source.format = rigFormat(RigKind::Blend).name;
  character->source.hash = *hash;
  character->notes.insert(character->notes.begin(), exported->notes.begin(), exported->notes.end());
  return character;
}

// What the poses of clips of further files depend on: the bytes of a file, and the choices for it.
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
  const fs::path worker = findImportWorker();
  if (worker.empty()) {
    return refuse(file, ErrorCode::ImportNoWorker,
                  "it cannot be read because kiln-import was not found beside the program or in "
                  "../libexec/crowdkiln; install it again");
  }
  auto character = isBlenderFile(file) ? importBlend(file, worker, limits, job)
                                       : readByWorker(file, file, worker, limits, job);
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
    auto both = addClips(*rig, settled(std::move(*clips)), files[f].fit, &fits.emplace_back());
    fits.back().path = pathText(files[f].path);
    if (both) {
      *rig = std::move(*both);
    } else {
      refused = both.error();
    }
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

fs::path findImportWorker() {
  std::error_code error;
  const auto runnable = [&error](const fs::path& path) {
    return fs::is_regular_file(path, error) && ::access(path.c_str(), X_OK) == 0;
  };
#ifdef CK_WORKER_FAULTS
  if (const char* named = std::getenv("CROWDKILN_IMPORT_WORKER"); named != nullptr && *named != 0) {
    const fs::path path(named);
    return path.is_absolute() && fs::exists(path, error) ? path : fs::path();
  }
#endif
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (error) return {};
  const fs::path folder = program.parent_path();
  for (const fs::path& candidate :
       {folder / "kiln-import", folder / ".." / "libexec" / "crowdkiln" / "kiln-import"}) {
    if (runnable(candidate)) return candidate.lexically_normal();
  }
  return {};
}

}  // namespace ck
