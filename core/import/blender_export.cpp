#include "core/import/blender_export.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <mutex>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>

#include "core/base/json_fields.h"
#include "core/base/log.h"
#include "core/import/host/sandbox.h"
#include "core/import/rig_format.h"
#include "core/system/files.h"
#include "core/system/process.h"
#include "resources/blender/blender_texts.h"

namespace ck {
namespace fs = std::filesystem;
namespace {

constexpr int kSeconds = 300;
constexpr std::uint64_t kLeastMemory = std::uint64_t{4} << 30;
constexpr std::uint64_t kErrorLimitBytes = std::uint64_t{1} << 20;
constexpr std::size_t kMostNotes = 100;
constexpr std::string_view kScript = "export_rig.py";

// Texts come from a process that has read a file of a stranger.
std::string shown(std::string_view text) {
  std::string clean(text.substr(0, 600));
  std::replace_if(
      clean.begin(), clean.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; }, ' ');
  return clean;
}

// The messages of Blender and its script on standard error.
struct Talk {
  std::mutex mutex;
  bool hasBegun = false;  // the first message was heard, which is not yet Blender's
  Notes notes;
  std::optional<std::string> refusal;
  std::string lastWords;
};

void hear(std::string_view line, Talk& talk, const JobContext& job) {
  const auto document =
      line.starts_with('{') ? JsonDocument::parse(line) : Result<JsonDocument>(fail({}, ""));
  const std::lock_guard lock(talk.mutex);
  if (!document) {
    talk.lastWords = shown(line);
    return;
  }
  std::optional<Error> problem;
  JsonFields fields(document->root(), "", problem);
  const bool isFirst = !std::exchange(talk.hasBegun, true);
  if (fields.has("progress")) {
    double fraction = 0.0;
    std::string step;
    fields.number("progress", fraction, 0.0, 1.0);
    fields.text("step", step);
    if (!problem) job.report(static_cast<float>(fraction), shown(step));
  } else if (fields.has("note")) {
    std::string level;
    Note note;
    JsonFields said = fields.object("note");
    said.text("level", level);
    said.text("code", note.code);
    said.text("message", note.message);
    const bool isCode = std::all_of(note.code.begin(), note.code.end(),
                                    [](unsigned char c) { return std::isalpha(c) != 0; });
    if (problem || !isCode || note.code.size() > 40 || talk.notes.size() >= kMostNotes) return;
    note.level = level == "warning" ? Note::Level::Warning : Note::Level::Info;
    note.message = shown(note.message);
    talk.notes.push_back(std::move(note));
  } else if (fields.has("error")) {
    std::string message;
    fields.text("error", message);
    if (!problem) talk.refusal = shown(message);
  } else if (isFirst && fields.has("missing")) {
    hearMissingWalls(fields);
  } else if (fields.has("log")) {
    std::string text;
    fields.text("log", text);
    log().info("{}", shown(text));
  }
}

Result<void> conclude(const ProcessOutcome& outcome, const Talk& talk) {
  const auto timeout = [](const char* kind) {
    return fail(ErrorCode::ImportTimeout,
                fmt::format("Blender was not finished with it after {} s{}; nothing in the project "
                            "has changed",
                            kSeconds, kind));
  };
  if (!talk.lastWords.empty()) log().info("Blender, last words: {}", talk.lastWords);
  switch (outcome.end) {
    case ProcessOutcome::End::Stopped:
      return fail(ErrorCode::Cancelled, "the import was stopped");
    case ProcessOutcome::End::TimedOut:
      return timeout("");
    case ProcessOutcome::End::Signalled:
      if (outcome.signalNumber == SIGXCPU) return timeout(" of computing");
      break;
    case ProcessOutcome::End::OutputTooLarge:
      break;
    case ProcessOutcome::End::Exited:
      if (talk.refusal) return fail(ErrorCode::ImportFailed, *talk.refusal);
      if (outcome.exitCode == 0) return {};
      if (isSandboxRequired() && outcome.exitCode == kSandboxOpen) {
        return fail(ErrorCode::ImportNoWorker, sandboxRefusal());
      }
      if (outcome.exitCode == 126 || outcome.exitCode == 127) {
        return fail(ErrorCode::ImportNoWorker,
                    fmt::format("Blender does not start ({}); install it again", talk.lastWords));
      }
      break;
  }
  return fail(ErrorCode::ImportCrashed,
              "Blender failed on this file; nothing in the project has changed. Export it from "
              "Blender as glTF (File > Export > glTF 2.0)");
}

std::optional<std::string> environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr || *value == 0 ? std::nullopt : std::optional<std::string>(value);
}

bool isProgram(const fs::path& path) {
  std::error_code error;
  return path.is_absolute() && fs::is_regular_file(path, error) &&
         ::access(path.c_str(), X_OK) == 0;
}

Result<void> writeScript(const fs::path& path) {
  const std::string_view text = blenderText(kScript).value_or("");
  return writeNewFile(path, std::as_bytes(std::span(text)));
}

}  // namespace

bool isBlenderFile(const fs::path& file) {
  std::array<char, 7> head = {};
  std::ifstream in(file, std::ios::binary);
  in.read(head.data(), head.size());
  const std::string_view start(head.data(), static_cast<std::size_t>(in.gcount()));
  if (start == "BLENDER") return true;
  const RigFormat* named = rigFormatByEnding(file);
  const bool packed = start.starts_with("\x28\xB5\x2F\xFD") || start.starts_with("\x1F\x8B");
  return packed && named != nullptr && named->kind == RigKind::Blend;
}

fs::path findBlender() {
  if (const auto named = environment("CROWDKILN_BLENDER")) {
    return isProgram(*named) ? fs::path(*named) : fs::path();
  }
  std::stringstream folders(environment("PATH").value_or(""));
  for (std::string folder; std::getline(folders, folder, ':');) {
    const fs::path program = fs::path(folder) / "blender";
    if (isProgram(program)) return program;
  }
  return {};
}

Result<PrivateFolder> PrivateFolder::make() {
  std::error_code error;
  std::string pattern = (fs::temp_directory_path(error) / "crowdkiln-blender-XXXXXX").string();
  if (error || ::mkdtemp(pattern.data()) == nullptr) {
    return fail(ErrorCode::CannotWrite, "no folder for temporary files can be made");
  }
  PrivateFolder folder;
  folder.path_ = pattern;
  return folder;
}

PrivateFolder::~PrivateFolder() {
  std::error_code ignored;
  if (!path_.empty()) fs::remove_all(path_, ignored);
}
PrivateFolder::PrivateFolder(PrivateFolder&& other) noexcept
    : path_(std::exchange(other.path_, {})) {}
PrivateFolder& PrivateFolder::operator=(PrivateFolder&& other) noexcept {
  std::swap(path_, other.path_);
  return *this;
}

Result<BlenderExport> exportByBlender(const fs::path& file, const fs::path& worker,
                                      std::uint64_t memoryBytes, JobContext job) {
  const fs::path blender = findBlender();
  if (blender.empty()) {
    const bool named = environment("CROWDKILN_BLENDER").has_value();
    return fail(ErrorCode::Unsupported,
                fmt::format("install Blender ({}), or export it as glTF (File > Export > glTF 2.0)",
                            named ? "CROWDKILN_BLENDER names no program"
                                  : "blender was not found in PATH"));
  }
  auto folder = PrivateFolder::make();
  if (!folder) return tl::unexpected(folder.error());
  BlenderExport result;
  result.folder = std::move(*folder);
  result.glb = result.folder.path() / "figure.glb";
  const fs::path script = result.folder.path() / kScript;
  if (auto ok = writeScript(script); !ok) return tl::unexpected(ok.error());

  ProcessRequest request;
  request.program = worker;
  std::error_code ignored;
  const fs::path full = fs::absolute(file, ignored);
  request.arguments = {"--memory",
                       fmt::format("{}", std::max(memoryBytes, kLeastMemory)),
                       "--cpu-seconds",
                       fmt::format("{}", kSeconds),
                       "--program-folder",
                       result.folder.path().string(),
                       "--readable",
                       fs::canonical(file, ignored).parent_path().string(),
                       "--readable",
                       fs::canonical(full.parent_path(), ignored).string(),
                       "--",
                       blender.string(),
                       "--background",
                       "--factory-startup",
                       "--disable-autoexec",
                       "-noaudio",
                       "--python-exit-code",
                       "1",
                       "--python",
                       script.string(),
                       "--",
                       full.string(),
                       result.glb.string()};
  if (isSandboxRequired()) {
    request.arguments.insert(request.arguments.begin(), "--require-sandbox");
  }
  request.outputLimitBytes = kErrorLimitBytes;
  request.errorLimitBytes = kErrorLimitBytes;
  request.wallSeconds = kSeconds;
  request.endsGroup = true;
  Talk talk;
  const auto outcome = runProcess(
      request, [&](std::string_view line) { hear(line, talk, job); }, job.stop);
  if (!outcome) {
    return fail(ErrorCode::ImportNoWorker,
                fmt::format("{} does not start: {}", pathText(worker), outcome.error().message));
  }
  if (auto ok = conclude(*outcome, talk); !ok) return tl::unexpected(ok.error());
  if (!fs::is_regular_file(result.glb, ignored)) {
    return fail(ErrorCode::ImportFailed, "Blender has exported nothing");
  }
  result.notes = std::move(talk.notes);
  return result;
}

}  // namespace ck
