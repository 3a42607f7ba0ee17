// kiln-import: reads one rig file within limits that it sets itself, and writes the character to
// standard output; with --picture, it decodes a picture of texels. It is started by the program,
// not by users. --self-test reports whether the limits work on this system. With --program-folder
// it becomes another program (Blender), which inherits such limits.
#include <fcntl.h>
#include <fmt/format.h>
#include <malloc.h>
#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <map>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "core/base/result.h"
#include "core/export/export_format.h"
#include "core/import/character_file.h"
#include "core/import/host/sandbox.h"
#include "core/import/worker/confinement/confinement.h"
#include "core/import/worker/confinement/escape_attempts.h"
#include "core/import/worker/confinement/source_folder.h"
#include "core/import/worker/confinement/worker_channel.h"
#include "core/import/worker/confinement/worker_faults.h"
#include "core/import/worker/formats/rig_reader.h"
#include "core/system/files.h"
#include "core/system/standard_streams.h"

namespace {

namespace fs = std::filesystem;

// Deep hierarchies cause deep recursion in libraries. Unused stack memory costs nothing.
constexpr std::size_t kStackBytes = 256u << 20;
constexpr int kRefused = 3;
constexpr int kBroken = 6;

// The picture of an atlas that is to be decoded.
struct Picture {
  std::string kind;  // name of an ExportFormat; empty: the file is a rig
  ck::TexelGrid grid;
  std::string hash;  // hashText() of the file
};

struct Task {
  std::filesystem::path path;
  int file = -1;  // open to be read
  int host = -1;  // a socket to the program that knows the folder of the rig
  Picture picture;
  ck::worker::WorkerChannel channel;
  int exitCode = kBroken;
};

ck::Error errorOfMemory() {
  return {ck::ErrorCode::ImportMemory, "reading it needs more memory than the limit"};
}

ck::Result<std::vector<std::byte>> readRig(Task& task) {
  ck::worker::SourceFolder folder([&task](ck::FileRequest request, std::string_view name) {
    return ck::requestFile(task.host, request, name);
  });
  const auto character = ck::worker::importFile(
      {task.path, task.file, folder},
      [&task](float fraction, std::string_view step) { task.channel.progress(fraction, step); });
  if (!character) return tl::unexpected(character.error());
  return ck::characterToBytes(*character);
}

// The texels alone.
ck::Result<std::vector<std::byte>> readPicture(const Task& task) {
  const auto kind = ck::exportKindFromName(task.picture.kind);
  const ck::ExportFormat* format = kind ? &ck::exportFormat(*kind) : nullptr;
  if (format == nullptr || format->decode == nullptr) {
    return ck::fail(ck::ErrorCode::Unsupported, "it is no picture of an atlas");
  }
  const auto bytes = ck::readAndClose(task.file, ck::worker::kFileLimitBytes);
  if (!bytes) return tl::unexpected(bytes.error());
  if (ck::hashText(ck::hashBytes(*bytes)) != task.picture.hash) {
    return ck::fail(ck::ErrorCode::InvalidInput, ck::kOfAnotherSet);
  }
  return format->decode(*bytes, task.picture.grid);
}

int runTask(Task& task) {
  try {
    ck::worker::provokeFaultBefore();
    const auto result = task.picture.kind.empty() ? readRig(task) : readPicture(task);
    if (!result) {
      task.channel.error(result.error());
      return kRefused;
    }
    ck::worker::provokeFaultAfter(*result);
    return task.channel.result(*result) ? 0 : kBroken;
  } catch (const std::bad_alloc&) {
    task.channel.error(errorOfMemory());
  } catch (const std::length_error&) {
    task.channel.error(errorOfMemory());
  } catch (const std::exception& exception) {
    task.channel.error({ck::ErrorCode::ImportFailed, exception.what()});
  }
  return kRefused;
}

void* threadMain(void* argument) {
  Task* task = static_cast<Task*>(argument);
  task->exitCode = runTask(*task);
  return nullptr;
}

// Runs the task on a thread with a large stack, or on this thread if none can be created.
int runWithLargeStack(Task& task) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, kStackBytes);
  pthread_t thread = {};
  const int code = pthread_create(&thread, &attributes, threadMain, &task);
  pthread_attr_destroy(&attributes);
  if (code != 0) {
    task.channel.log("import worker: no thread with a large stack; deep hierarchies may fail");
    return runTask(task);
  }
  pthread_join(thread, nullptr);
  return task.exitCode;
}

// Lists what code that was taken over could try in a prison, and how each attempt ended. Sanitizer
// builds have limits only.
bool wallsHold([[maybe_unused]] ck::worker::Prison prison,
               [[maybe_unused]] const ck::worker::Confine& confine) {
#ifdef CK_SANITIZED
  return true;
#else
  const auto attempts = ck::worker::attemptEscapes(prison, confine);
  bool hold = !attempts.empty();
  for (const ck::worker::Attempt& attempt : attempts) {
    using End = ck::worker::AttemptEnd;
    fmt::print("{}: {}: {}\n", prison == ck::worker::Prison::OfReaders ? "reader" : "other program",
               attempt.what,
               attempt.end == End::Refused  ? "refused"
               : attempt.end == End::Killed ? "the process is ended"
               : attempt.end == End::Open   ? "not tried, no wall of this system stops it"
                                            : "NOT PREVENTED");
    hold = hold && attempt.end != End::Succeeded && attempt.end != End::NotTried;
  }
  return hold;
#endif
}

int selfTest(const ck::worker::ConfinementLimits& limits) {
  using ck::worker::Prison;
  const auto confineReader = [&limits](const fs::path&, const fs::path&) {
    return ck::worker::confineReader(limits);
  };
  const auto confineOther = [&limits](const fs::path& folder, const fs::path& own) {
    return ck::worker::confineProgram({"/bin/true", own, {folder}}, limits);
  };
  const bool readersHold = wallsHold(Prison::OfReaders, confineReader);
  const bool hold = wallsHold(Prison::OfPrograms, confineOther) && readersHold;
  const auto missing = ck::worker::confineReader(limits);
  for (const ck::Wall wall : missing) fmt::print("{}\n", ck::wallIsMissing(wall));
  ck::Character character;
  character.rig.joints.push_back({});
  character.rig.joints[0].name = "Root";
  const auto back = ck::characterFromBytes(ck::characterToBytes(character));
  const bool good = back && *back == character && hold;
  fmt::print("kiln-import {}\n", good ? "works" : "is broken");
  return good ? 0 : kBroken;
}

// Tells the host which walls of the prison are missing. False if none may be.
bool isClosed(const std::vector<ck::Wall>& missing, ck::worker::WorkerChannel& channel) {
  channel.missing(missing);
  return missing.empty() || !ck::isSandboxRequired();
}

// A home of its own keeps the program from settings and scripts of the user, and the system's
// folders alone from another Python that comes first in PATH, whose packages are not Blender's. Its
// standard output is not read; its messages come by standard error.
void moveInto(const std::filesystem::path& folder) {
  for (const char* name : {"HOME", "TMPDIR", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME",
                           "XDG_RUNTIME_DIR"}) {
    ::setenv(name, folder.c_str(), 1);
  }
  for (const char* name :
       {"DISPLAY", "WAYLAND_DISPLAY", "PYTHONPATH", "PYTHONHOME", "BLENDER_USER_RESOURCES",
        "BLENDER_USER_CONFIG", "BLENDER_USER_SCRIPTS"}) {
    ::unsetenv(name);
  }
  ::setenv("PATH", "/usr/bin:/bin", 1);
  if (::chdir(folder.c_str()) != 0) std::perror("kiln-import");
  const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (nowhere >= 0) ::dup2(nowhere, STDOUT_FILENO);
}

// Becomes the program of these words; returns only if it cannot be started.
int becomeProgram(const ck::worker::ConfinedProgram& confined,
                  const ck::worker::ConfinementLimits& limits, std::vector<std::string> words) {
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  moveInto(confined.folder);
  ck::worker::WorkerChannel channel;
  if (!isClosed(ck::worker::confineProgram(confined, limits), channel)) return ck::kSandboxOpen;
  ::execv(arguments[0], arguments.data());
  std::perror(arguments[0]);
  return 127;
}

// Large blocks are given back as soon as they are free, not when the last one is. All others come
// from one heap that grows by large steps, because the second heap that a thread would get asks the
// system for every few pages, which took an eighth of the time of an import.
void limitHeap() {
  ::mallopt(M_MMAP_THRESHOLD, 512 * 1024);
  ::mallopt(M_ARENA_MAX, 1);
  ::mallopt(M_TOP_PAD, 4 * 1024 * 1024);
}

int run(int argc, char** argv) {
  CLI::App app("Reads a rig file for Crowdkiln and writes it to standard output");
  ck::worker::ConfinementLimits limits;
  std::vector<std::string> words;
  std::string programFolder;
  std::vector<std::string> readable;
  Task task;
  bool wantsSelfTest = false;
  app.add_option("--memory", limits.memoryBytes, "Most bytes of memory");
  app.add_option("--cpu-seconds", limits.cpuSeconds, "Most seconds of computing");
  app.add_flag("--self-test", wantsSelfTest, "Say whether the worker works on this system");
  app.add_option("--landlock", limits.landlockVersion, "Newest version of Landlock to use");
  app.add_flag_callback("--require-sandbox", ck::requireSandbox,
                        "End before the file is read where the system cannot confine the worker");
  app.add_option("--program-folder", programFolder, "Become the program, which writes there only");
  app.add_option("--readable", readable, "A folder that the program may read")
      ->allow_extra_args(false);
  Picture& picture = task.picture;
  app.add_option("--picture", picture.kind, "Decode a picture of texels, of this kind");
  const CLI::Range edges(1, 1 << 16);
  app.add_option("--width", picture.grid.width, "Texels in a row of the picture")->check(edges);
  app.add_option("--height", picture.grid.height, "Rows of the picture")->check(edges);
  app.add_option("--hash", picture.hash, "Hash of the picture's file; another one is refused");
  std::map<std::string, ck::TexelFormat> formats;
  for (const ck::TexelFormatInfo& info : ck::kTexelFormats) {
    formats.emplace(info.name, info.format);
  }
  app.add_option("--format", picture.grid.format, "Format of a texel of the picture")
      ->transform(CLI::CheckedTransformer(formats));
  app.add_option("file", words, "The rig file; or the program with its arguments");
  CLI11_PARSE(app, argc, argv);
  if (wantsSelfTest) return selfTest(limits);
  if (words.empty() || (programFolder.empty() && words.size() > 1)) {
    fmt::print(stderr, "kiln-import: name a rig file\n");
    return 2;
  }
  if (!programFolder.empty()) {
    return becomeProgram({words.front(), programFolder, {readable.begin(), readable.end()}}, limits,
                         words);
  }
  limitHeap();
  task.path = words.front();
  struct stat input = {};
  if (::fstat(STDIN_FILENO, &input) == 0 && S_ISSOCK(input.st_mode)) task.host = STDIN_FILENO;
  const auto opened = ck::openToRead(task.path);
  if (!opened) {
    task.channel.error(opened.error());
    return kRefused;
  }
  task.file = *opened;
  if (picture.kind.empty()) ck::worker::loadReaderOf(task.path);
  if (!isClosed(ck::worker::confineReader(limits), task.channel)) return ck::kSandboxOpen;
  const int code = runWithLargeStack(task);
  std::fflush(nullptr);
  // Nothing remains to be done, and freeing a large scene takes longer than creating it.
  std::_Exit(code);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    ck::holdStandardStreams();
    return run(argc, argv);
  } catch (...) {
    return ck::lastWords("kiln-import: ");
  }
}
