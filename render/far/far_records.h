#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <glm/glm.hpp>
#include <span>
#include <vector>

#include "core/crowd/crowd.h"
#include "render/gl/buffer.h"
#include "render/gl/program.h"

namespace ck::render {

// The place of a far actor as one vertex, 52 bytes (shaders/far/actor_record.glsl).
struct FarPlace {
  glm::vec3 position{0.0f};  // of one that walks round a circle: at time 0, as its rotation
  int look = 0;              // CkPlace::look
  glm::vec4 rotation{0.0f};
  float scale = 1.0f;  // on all axes; crowds use no other
  float radius = 0.0f;
  std::uint32_t number = 0;  // index into the crowd's records; kFarSelected
  std::int32_t walkLow = 0;  // SteadyWalk::pace in halves; 0: it stands
  std::int32_t walkHigh = 0;
};
static_assert(sizeof(FarPlace) == 52);

// Where each far actor's selection mark lies in FarPlace::number.
inline constexpr std::uint32_t kFarSelected = 0x80000000u;

FarPlace farPlace(const gpu::CkPlace& place, std::uint32_t number);

// The vertex streams of far actors: their places, and their frames, 16 bytes each (CkFrames or
// CkPlay).
struct FarStreams {
  Buffer places;
  Buffer frames;

  // Enables and sets the attributes 6 to 11 of the bound vertex array.
  void attach() const;
};

// The records of all actors of a crowd, by their indices. What follows from the crowd's time alone
// (SteadyRecord) is uploaded once and computed in the shader. The rest is compared in blocks of 64
// actors at each upload, and blocks that differ are uploaded.
class FarRecords {
 public:
  // Brings the records up to the crowd's time. `selected` are actors that are marked as such; in
  // any order. Fails with LimitExceeded; there are no actors then.
  Result<void> upload(const Crowd& crowd, std::span<const std::uint32_t> selected = {});
  // Whether the last upload() has marked an actor as selected.
  bool isMarked(std::uint32_t actor) const { return !marks_.empty() && marks_[actor] != 0; }

  std::size_t size() const { return blocks_.empty() ? 0 : size_; }
  std::size_t uploadedBytes() const { return uploadedBytes_; }  // by the last upload()
  const FarStreams& streams() const { return streams_; }

  // The crowd's time: the halves of loopTime() and of heldTime().
  glm::ivec4 time() const;
  // Binds ckClips.
  void bindClips() const;

 private:
  // Neighbouring actors, and the hashes of what was uploaded of them.
  struct Block {
    std::uint64_t places = 0;
    std::uint64_t frames = 0;
    bool isSteady = false;
  };
  Result<void> makeRoom(const Crowd& crowd);
  bool mark(std::span<const std::uint32_t> selected);
  void uploadBlocks(const Crowd& crowd, std::size_t first, std::size_t last);

  FarStreams streams_;
  BufferTexture clips_{TexelKind::R32I};
  std::vector<Block> blocks_;
  std::size_t size_ = 0;
  std::vector<std::uint32_t> selected_;  // as given
  std::vector<char> marks_;              // by actor; empty where none is selected
  std::uint64_t stamp_ = 0;              // Crowd::steadyStamp()
  double seconds_ = 0.0;                 // the crowd's time
  std::size_t uploadedBytes_ = 0;
  // Records of the blocks that are being uploaded.
  std::vector<FarPlace> placesNow_;
  std::vector<glm::ivec4> framesNow_;
};

}  // namespace ck::render
