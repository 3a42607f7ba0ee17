// mutate_imports SEEDS: changes the rigs in the folder SEEDS (tests/fuzz/make_seeds.py) and imports
// every changed file with the real worker, and with the host in a process of its own. Prints, by
// format, how many were read or refused with which code, how many workers died, and the most memory
// that a worker took; in a long run after every 10,000 inputs, so that one that is ended has told
// what it found. A host that dies, hangs, gets a result that it refuses, or returns a rig that is
// not valid is a failure: the input is kept and the exit code is 1. Files are written to $TMPDIR;
// with TMPDIR=/dev/shm no disk is waited for.
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <array>
#include <atomic>
#include <cstdio>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "core/base/log.h"
#include "core/import/import_process.h"
#include "core/system/files.h"
#include "tests/fuzz/byte_mutation.h"
#include "tests/fuzz/fbx_records.h"
#include "tests/fuzz/gltf_mutation.h"

namespace {

namespace fs = std::filesystem;
using ck::ErrorCode;

constexpr std::size_t kCodes = static_cast<std::size_t>(ErrorCode::Internal) + 1;
// A host that takes longer than its worker may is stuck.
constexpr ck::ImportLimits kLimits{.cpuSeconds = 20, .wallSeconds = 60};
constexpr unsigned kHostSeconds = 120;
// The results are printed after so many inputs.
constexpr std::uint64_t kInputsATable = 10'000;

struct Options {
  fs::path seeds;
  fs::path keep = "mutate_imports_failures";
  std::uint64_t seed = 1;
  std::size_t first = 1;
  std::size_t count = 5'000;
  unsigned jobs = std::max(1u, std::thread::hardware_concurrency());
};

// The rigs of one format.
struct Rigs {
  std::string ending;
  std::vector<std::string> files;
};

// The reports of hosts, in memory that they share with this process.
struct Tally {
  std::atomic<std::uint64_t> read;
  std::array<std::atomic<std::uint64_t>, kCodes> refused;
  std::atomic<std::int64_t> workerKilobytes;
  std::atomic<std::int64_t> hostKilobytes;
  std::atomic<std::uint64_t> next;  // number of the input that is being imported
};

void raise(std::atomic<std::int64_t>& to, std::int64_t value) {
  std::int64_t before = to;
  while (before < value && !to.compare_exchange_weak(before, value)) {
  }
}

std::vector<Rigs> readSeeds(const fs::path& folder) {
  std::vector<Rigs> all;
  for (const char* ending :
       {".gltf", ".glb", ".fbx", ".dae", ".md5mesh", ".md5anim", ".bvh", ".x"}) {
    std::vector<fs::path> paths;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
      if (entry.path().extension() == ending) paths.push_back(entry.path());
    }
    std::ranges::sort(paths);
    Rigs rigs{ending, {}};
    for (const fs::path& path : paths) {
      const auto bytes = ck::readFile(path, std::uint64_t{1} << 30);
      if (!bytes) continue;
      rigs.files.emplace_back(reinterpret_cast<const char*>(bytes->data()), bytes->size());
    }
    if (!rigs.files.empty()) all.push_back(std::move(rigs));
  }
  return all;
}

// The changed file of a number. Every number has the same file in every run of one seed.
std::string inputOf(const Rigs& rigs, std::uint64_t seed, std::uint64_t number) {
  std::seed_seq sequence{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32),
                         static_cast<std::uint32_t>(number)};
  std::mt19937 random(sequence);
  const std::string& file = rigs.files[random() % rigs.files.size()];
  const std::string& other = rigs.files[random() % rigs.files.size()];
  if (random() % 4 == 0) return ck::fuzz::mutatedBytes(file, other, random);
  if (rigs.ending == ".gltf" || rigs.ending == ".glb") {
    return ck::fuzz::mutatedGltf(file, random);
  }
  ck::fuzz::FbxRecords records;
  if (rigs.ending == ".fbx" && ck::fuzz::takeApart(file, records)) {
    ck::fuzz::change(records, random);
    return ck::fuzz::putTogether(records);
  }
  return ck::fuzz::mutatedText(file, random);
}

std::int64_t mostKilobytes(int who) {
  struct rusage use = {};
  ::getrusage(who, &use);
  return use.ru_maxrss;
}

// Of one host: imports every `step`-th input. Returns the exit code of its process.
int importAll(const Rigs& rigs, const Options& options, const fs::path& folder, Tally& tally,
              std::uint64_t first, std::uint64_t end, std::uint64_t step) {
  const fs::path path = folder / ("rig" + rigs.ending);
  for (std::uint64_t number = first; number < end; number += step) {
    tally.next = number;
    const std::string input = inputOf(rigs, options.seed, number);
    if (!ck::writeFileAtomically(path, std::as_bytes(std::span(input)))) return 2;
    ::alarm(kHostSeconds);
    const auto character = ck::importCharacter(path, {}, kLimits);
    raise(tally.workerKilobytes, mostKilobytes(RUSAGE_CHILDREN));
    raise(tally.hostKilobytes, mostKilobytes(RUSAGE_SELF));
    if (!character) {
      const ErrorCode code = character.error().code;
      ++tally.refused[static_cast<std::size_t>(code)];
      if (code == ErrorCode::ImportBadResult || code == ErrorCode::ImportNoWorker ||
          code == ErrorCode::Internal) {
        fmt::print("{}\n", character.error().message);
        return 1;
      }
      continue;
    }
    ++tally.read;
    if (const auto sound = ck::validate(*character); !sound) {
      fmt::print("not valid: {}\n", sound.error().message);
      return 1;
    }
  }
  return 0;
}

// One job of a format, in a process of its own: forks hosts, the next after one that failed, until
// all inputs are done. Returns the number of failures.
int runJob(const Rigs& rigs, const Options& options, Tally& tally, std::uint64_t first,
           std::uint64_t end, std::uint64_t step) {
  std::string name = (fs::temp_directory_path() / "mutate_imports.XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) {
    std::perror("mutate_imports");
    return 1;
  }
  const fs::path folder(name);
  int failures = 0;
  while (first < end) {
    std::fflush(nullptr);
    const pid_t host = ::fork();
    if (host == 0) {
      const int code = importAll(rigs, options, folder, tally, first, end, step);
      std::fflush(nullptr);
      ::_exit(code);
    }
    int status = 0;
    if (host < 0 || ::waitpid(host, &status, 0) != host) return failures + 1;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) break;
    ++failures;
    std::error_code ignored;
    fs::create_directories(options.keep, ignored);
    const std::string kept =
        fmt::format("seed{}-{}{}", options.seed, tally.next.load(), rigs.ending);
    fs::copy_file(folder / ("rig" + rigs.ending), options.keep / kept,
                  fs::copy_options::overwrite_existing, ignored);
    fmt::print("FAILED: the host {}; the input is {}\n",
               WIFSIGNALED(status) ? fmt::format("died of signal {}", WTERMSIG(status))
                                   : "got what it must not",
               (options.keep / kept).string());
    std::fflush(stdout);
    first = tally.next + step;
  }
  std::error_code ignored;
  fs::remove_all(folder, ignored);
  return failures;
}

Tally& sharedTally() {
  void* memory =
      ::mmap(nullptr, sizeof(Tally), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  return *new (memory) Tally();
}

// Each job has a tally of its own; this adds them up into one line.
void print(const Rigs& rigs, const std::vector<Tally*>& tallies) {
  std::uint64_t read = 0;
  std::int64_t workers = 0;
  std::int64_t hosts = 0;
  std::array<std::uint64_t, kCodes> refused = {};
  std::uint64_t all = 0;
  for (const Tally* tally : tallies) {
    read += tally->read;
    workers = std::max<std::int64_t>(workers, tally->workerKilobytes);
    hosts = std::max<std::int64_t>(hosts, tally->hostKilobytes);
    for (std::size_t c = 0; c < kCodes; ++c) refused[c] += tally->refused[c];
  }
  std::string codes;
  for (std::size_t c = 0; c < kCodes; ++c) {
    all += refused[c];
    if (refused[c] == 0) continue;
    codes += fmt::format(" {} {}", ck::errorCodeName(static_cast<ErrorCode>(c)), refused[c]);
  }
  fmt::print("{:9}{:9} inputs: read {}{}; most memory of a worker {} MB, of the host {} MB\n",
             rigs.ending, all + read, read, codes, workers / 1024, hosts / 1024);
  std::fflush(stdout);
}

// Imports the inputs from `first` until before `end` that are of the format: those whose numbers
// leave `format` when they are divided by the number of formats. Returns the number of failures.
int importFormat(const std::vector<Rigs>& formats, std::size_t format, const Options& options,
                 std::span<Tally* const> tallies, std::uint64_t first, std::uint64_t end) {
  first += (format + formats.size() - first % formats.size()) % formats.size();
  std::vector<pid_t> jobs;
  std::fflush(nullptr);
  for (Tally* tally : tallies) {
    const std::uint64_t own = first + jobs.size() * formats.size();
    jobs.push_back(::fork());
    if (jobs.back() == 0) {
      const std::uint64_t step = formats.size() * tallies.size();
      ::_exit(std::min(runJob(formats[format], options, *tally, own, end, step), 100));
    }
  }
  int failures = 0;
  for (const pid_t job : jobs) {
    int status = 0;
    const bool ended = job > 0 && ::waitpid(job, &status, 0) == job && WIFEXITED(status);
    failures += ended ? WEXITSTATUS(status) : 1;
  }
  return failures;
}

int run(const Options& options) {
  const std::vector<Rigs> formats = readSeeds(options.seeds);
  if (formats.empty()) {
    fmt::print(stderr, "mutate_imports: there are no rigs in {}\n", options.seeds.string());
    return 2;
  }
  fmt::print("seed {}\n", options.seed);
  std::vector<std::vector<Tally*>> tallies(formats.size());
  for (auto& ofFormat : tallies) {
    for (unsigned j = 0; j < options.jobs; ++j) ofFormat.push_back(&sharedTally());
  }
  int failures = 0;
  const std::uint64_t end = options.first + options.count;
  for (std::uint64_t first = options.first; first < end; first += kInputsATable) {
    const std::uint64_t next = std::min(end, first + kInputsATable);
    for (std::size_t f = 0; f < formats.size(); ++f) {
      failures += importFormat(formats, f, options, tallies[f], first, next);
    }
    for (std::size_t f = 0; f < formats.size(); ++f) print(formats[f], tallies[f]);
    fmt::print("{} host failures in inputs {} to {}\n", failures, options.first, next - 1);
    std::fflush(stdout);
  }
  return failures == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Imports changed rigs and watches the host");
  Options options;
  std::string seeds;
  std::string keep = options.keep.string();
  app.add_option("seeds", seeds, "Folder with rigs (tests/fuzz/make_seeds.py)")->required();
  app.add_option("--seed", options.seed, "Gives the changes");
  app.add_option("--first", options.first, "Number of the first changed file of that seed");
  app.add_option("--count", options.count, "How many changed files, of all formats alike");
  app.add_option("--jobs", options.jobs, "How many at a time")->check(CLI::Range(1, 256));
  app.add_option("--keep", keep, "Folder for inputs that failed");
  CLI11_PARSE(app, argc, argv);
  options.seeds = seeds;
  options.keep = keep;
  return run(options);
}
