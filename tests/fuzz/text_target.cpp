#include "tests/fuzz/text_target.h"

#include <unistd.h>

#include <cstring>
#include <random>
#include <string>

#include "tests/fuzz/json_mutation.h"
#include "tests/fuzz/target_list.h"

namespace ck::fuzz {

std::size_t mutateJsonInput(std::uint8_t* data, std::size_t size, std::size_t maxSize,
                            unsigned seed, std::size_t kept) {
  std::mt19937 random(seed);
  if (size <= kept || random() % 2 == 0) return LLVMFuzzerMutate(data, size, maxSize);
  const std::string_view text(reinterpret_cast<const char*>(data) + kept, size - kept);
  const std::string changed = mutatedJson(text, random);
  if (changed == text || changed.size() > maxSize - kept) {
    return LLVMFuzzerMutate(data, size, maxSize);
  }
  std::memcpy(data + kept, changed.data(), changed.size());
  return kept + changed.size();
}

const std::filesystem::path& ownFolder() {
  struct Folder {
    std::filesystem::path path =
        std::filesystem::temp_directory_path() / ("crowdkiln_fuzz." + std::to_string(::getpid()));
    Folder() { std::filesystem::create_directories(path); }
    ~Folder() {
      std::error_code ignored;
      std::filesystem::remove_all(path, ignored);
    }
  };
  static const Folder folder;
  return folder.path;
}

}  // namespace ck::fuzz
