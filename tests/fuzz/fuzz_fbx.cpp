#include <cstddef>
#include <cstdint>
#include <filesystem>

#include "core/import/worker/assembly/assemble.h"
#include "core/import/worker/formats/rig_reader.h"

// Reads any bytes as FBX and puts the rig together, as kiln-import does, without its limits. Built
// and run by scripts/fuzz.sh.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::filesystem::path folder = [] {
    const auto path = std::filesystem::temp_directory_path() / "crowdkiln_fuzz";
    std::filesystem::create_directories(path);
    return path;
  }();
  ck::worker::SourceFolder beside(folder / "rig.fbx");
  const ck::worker::Progress progress = [](float, std::string_view) {};
  auto scene =
      ck::worker::readFbx({{reinterpret_cast<const std::byte*>(data), size}, beside, progress});
  if (!scene) return 0;
  const auto character = ck::worker::assembleCharacter(std::move(*scene));
  // What passes must be what the headers promise.
  if (character && !ck::validate(*character)) __builtin_trap();
  return 0;
}
