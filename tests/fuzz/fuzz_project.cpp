#include <cstdio>

#include "core/project/project_json.h"
#include "core/system/files.h"
#include "tests/fuzz/target_list.h"
#include "tests/fuzz/text_target.h"

namespace {

// Writes over a file, so that there is a backup, and reads what is there, damaged as well.
void passThroughFile(const ck::Project& project, std::string_view damaged) {
  const std::filesystem::path path = ck::fuzz::ownFolder() / "town.crowd";
  if (!ck::writeProjectFile(project, path) || !ck::writeProjectFile(project, path)) {
    __builtin_trap();
  }
  if (!ck::readProjectFile(path)) __builtin_trap();
  if (!ck::writeFileAtomically(path, std::as_bytes(std::span(damaged)))) __builtin_trap();
  (void)ck::readProjectFile(path);
  if (!ck::writeProjectFile(project, path)) __builtin_trap();
  // Damaged without a backup, and not there at all.
  const std::filesystem::path other = ck::fuzz::ownFolder() / "other.crowd";
  if (!ck::writeFileAtomically(other, std::as_bytes(std::span(damaged)))) __builtin_trap();
  (void)ck::readProjectFile(other);
  if (ck::readProjectFile(ck::fuzz::ownFolder() / "gone.crowd")) __builtin_trap();
  if (ck::writeProjectFile(project, ck::fuzz::ownFolder() / "gone" / "one.crowd")) {
    __builtin_trap();
  }
}

// Reads any text as a .crowd file. A text that passes is written, read again, and then the same.
// Built and run by scripts/fuzz.sh.
int feedProject(const std::uint8_t* data, std::size_t size) {
  const std::filesystem::path folder("/crowds/town");
  const auto project = ck::projectFromJson({reinterpret_cast<const char*>(data), size}, folder);
  if (!project) return 0;
  const std::string written = ck::projectToJson(*project, folder);
  const auto again = ck::projectFromJson(written, folder);
  if (!again) {
    std::fprintf(stderr, "not read again: %s\n%s\n", again.error().message.c_str(),
                 written.c_str());
    __builtin_trap();
  }
  if (const std::string second = ck::projectToJson(*again, folder); second != written) {
    std::fprintf(stderr, "%s\nbecame\n%s\n", written.c_str(), second.c_str());
    __builtin_trap();
  }
  if (size % 4 == 0)
    passThroughFile(*project, std::string_view(written).substr(written.size() / 2));
  return 0;
}

std::size_t mutateProject(std::uint8_t* data, std::size_t size, std::size_t maxSize,
                          unsigned seed) {
  return ck::fuzz::mutateJsonInput(data, size, maxSize, seed);
}

}  // namespace

CK_FUZZ_TARGET(project, feedProject, mutateProject)
