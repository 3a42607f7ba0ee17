#include "tests/fuzz/gltf_mutation.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "tests/fuzz/json_mutation.h"

namespace ck::fuzz {
namespace {

constexpr std::uint32_t kMagic = 0x46546C67;  // "glTF"
constexpr std::uint32_t kJson = 0x4E4F534A;
constexpr std::uint32_t kBin = 0x004E4942;

std::uint32_t wordAt(std::string_view bytes, std::size_t at) {
  std::uint32_t word = 0;
  if (at + 4 <= bytes.size()) std::memcpy(&word, bytes.data() + at, 4);
  return word;
}

void addWord(std::string& to, std::size_t word) {
  const auto whole = static_cast<std::uint32_t>(word);
  to.append(reinterpret_cast<const char*>(&whole), 4);
}

void addChunk(std::string& to, std::uint32_t kind, std::string content, char filler) {
  content.resize((content.size() + 3) / 4 * 4, filler);
  addWord(to, content.size());
  addWord(to, kind);
  to += content;
}

struct Glb {
  std::string json;
  std::string bin;
  bool isOne = false;

  explicit Glb(std::string_view bytes) {
    if (wordAt(bytes, 0) != kMagic || bytes.size() < 20) return;
    isOne = true;
    const std::size_t size = std::min<std::size_t>(wordAt(bytes, 12), bytes.size() - 20);
    json = bytes.substr(20, size);
    const std::size_t rest = 20 + size;
    if (rest + 8 <= bytes.size()) bin = bytes.substr(rest + 8);
  }

  std::string bytes() const {
    std::string chunks;
    addChunk(chunks, kJson, json, ' ');
    if (!bin.empty()) addChunk(chunks, kBin, bin, '\0');
    std::string whole;
    addWord(whole, kMagic);
    addWord(whole, 2);
    addWord(whole, 12 + chunks.size());
    return whole + chunks;
  }
};

// Of a buffer numbers are changed rather than bytes: most are floats.
void changeNumber(std::string& bin, std::mt19937& random) {
  static constexpr float kNumbers[] = {0.0f,    1.0f,  -1.0f,  1e30f, -1e-30f,
                                       3.4e38f, 0.25f, 100.0f, 1e9f,  2e-45f};
  if (bin.size() < 4) return;
  const std::size_t at = random() % (bin.size() / 4) * 4;
  std::uint32_t word = static_cast<std::uint32_t>(random());
  switch (random() % 4) {
    case 0:
      std::memcpy(&word, &kNumbers[random() % std::size(kNumbers)], 4);
      break;
    case 1:
      word = random() % 8;
      break;
    case 2:
      word = 0x7FC00000 - random() % 2 * 0x00400000;  // not a number, infinite
      break;
    default:
      break;
  }
  std::memcpy(bin.data() + at, &word, 4);
}

}  // namespace

std::string mutatedGltf(std::string_view bytes, std::mt19937& random) {
  Glb glb(bytes);
  if (!glb.isOne) return mutatedJson(bytes, random);
  if (glb.bin.empty() || random() % 2 == 0) {
    glb.json = mutatedJson(glb.json, random);
  } else {
    for (auto steps = 1 + random() % 4; steps > 0; --steps) changeNumber(glb.bin, random);
  }
  return glb.bytes();
}

}  // namespace ck::fuzz
