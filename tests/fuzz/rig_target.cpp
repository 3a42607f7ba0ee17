#include "tests/fuzz/rig_target.h"

#include <cstdio>
#include <filesystem>

#include "core/import/character_file.h"
#include "core/import/worker/assembly/assemble.h"

namespace ck::fuzz {

void assembleAndSend(worker::SourceScene scene) {
  const auto character = worker::assembleCharacter(std::move(scene));
  if (!character) return;
  if (const auto sound = validate(*character); !sound) {
    std::fprintf(stderr, "not valid: %s\n", sound.error().message.c_str());
    __builtin_trap();
  }
  const auto received = characterFromBytes(characterToBytes(*character));
  if (!received) {
    std::fprintf(stderr, "refused by the host: %s\n", received.error().message.c_str());
    __builtin_trap();
  }
  if (!(*received == *character)) __builtin_trap();
}

void feedReader(RigReader read, const std::uint8_t* data, std::size_t size) {
  static const std::filesystem::path folder = [] {
    const auto path = std::filesystem::temp_directory_path() / "crowdkiln_fuzz";
    std::filesystem::create_directories(path);
    return path;
  }();
  worker::SourceFolder beside(folder / "rig");
  const worker::Progress progress = [](float, std::string_view) {};
  auto scene = read({{reinterpret_cast<const std::byte*>(data), size}, beside, progress});
  if (scene) assembleAndSend(std::move(*scene));
}

}  // namespace ck::fuzz
