#pragma once

#include <cstddef>
#include <cstdint>
#include <glm/glm.hpp>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/crowd/crowd.h"
#include "render/gl/buffer.h"
#include "render/gl/program.h"

namespace ck::render {

// The place of an actor as one vertex, 52 bytes (shaders/crowd/steady_record.glsl).
struct CrowdPlace {
  glm::vec3 position{0.0f};  // of one that walks round a circle: at time 0, as its rotation
  int look = 0;              // CkPlace::look
  glm::vec4 rotation{0.0f};
  float scale = 1.0f;  // on all axes; crowds use no other
  float radius = 0.0f;
  std::uint32_t number = 0;  // index into the crowd's records; kSelectedActor
  std::int32_t walkLow = 0;  // SteadyWalk::pace in halves; 0: it stands
  std::int32_t walkHigh = 0;
};
static_assert(sizeof(CrowdPlace) == 52);

// Where an actor's selection mark lies in CrowdPlace::number.
inline constexpr std::uint32_t kSelectedActor = 0x80000000u;

CrowdPlace crowdPlace(const gpu::CkPlace& place, std::uint32_t number);

// How actors look besides their records.
struct ActorLook {
  std::optional<int> tint565 = {};  // in place of their own tints
  bool fades = true;                // whether second clips are shown

  // Sets the uniforms that crowd/steady_record.glsl reads, of a program in use.
  void set(const Program& program) const;
};

// The vertex streams of actors: their places, and their frames, 16 bytes each (CkFrames or CkPlay).
struct CrowdStreams {
  Buffer places;
  Buffer frames;

  // Enables and sets the attributes 6 to 11 of the bound vertex array.
  void attach() const;
};

// The records of all actors of a crowd, by their indices, once for all that draws them: meshes
// (ActorStream::compute()) and far actors (FarActors). Records that follow from the crowd's time
// alone (SteadyRecord) are uploaded once and computed in the shader. Of the rest, blocks of 64
// actors are compared with what was uploaded, and uploaded where they differ: at each upload those
// that are not steady, and after an edit those of edited actors (Crowd::changedSince()).
class CrowdRecords {
 public:
  // Brings the records up to the crowd's time. `selected` are actors that are marked as such; in
  // any order. Fails with LimitExceeded; there are no actors then.
  Result<void> upload(const Crowd& crowd, std::span<const std::uint32_t> selected = {});
  // Whether the last upload() has marked an actor as selected.
  bool isMarked(std::uint32_t actor) const { return !marks_.empty() && marks_[actor] != 0; }

  std::size_t size() const { return blocks_.empty() ? 0 : size_; }
  // Whether any actor has a mirroring scale.
  bool anyMirrored() const;
  std::size_t uploadedBytes() const { return uploadedBytes_; }  // by the last upload()
  const CrowdStreams& streams() const { return streams_; }

  // Prepares a program in use whose vertex shader includes crowd/steady_record.glsl: the crowd's
  // time and clips.
  void bind(const Program& program) const;

 private:
  // The records of a block that is not steady, as they were uploaded. Which of them change with
  // time is known until the next edit.
  struct Changing {
    std::vector<CrowdPlace> places;
    std::vector<glm::ivec4> frames;
    std::vector<bool> placeChanges;
    std::vector<bool> framesChange;
  };
  // Neighbouring actors, and the hashes of what was uploaded of them by the last edit; 0 where it
  // has changed since.
  struct Block {
    std::uint64_t places = 0;
    std::uint64_t frames = 0;
    bool isMirrored = false;             // whether any of its actors is
    bool isEdited = true;                // since the last upload
    std::unique_ptr<Changing> changing;  // none: it is steady
  };
  // Which streams of a block differ from what was uploaded.
  struct Difference {
    bool places = false;
    bool frames = false;
  };
  Result<void> makeRoom(const Crowd& crowd);
  bool mark(std::span<const std::uint32_t> selected);
  Difference takeAnew(const Crowd& crowd, std::size_t block);
  Difference takeChanging(const ActorRecords& now, std::size_t block);
  Result<void> noteEdits(const Crowd& crowd, bool isKnown);
  void uploadBlocks(const Crowd& crowd, std::size_t first, std::size_t last);

  CrowdStreams streams_;
  BufferTexture clips_{TexelKind::R32I};
  std::vector<Block> blocks_;
  std::size_t size_ = 0;
  std::vector<std::uint32_t> selected_;  // as given
  std::vector<char> marks_;              // by actor; empty where none is selected
  std::uint64_t stamp_ = 0;              // Crowd::steadyStamp()
  double seconds_ = 0.0;                 // the crowd's time
  std::size_t uploadedBytes_ = 0;
  // Records of the blocks that are being uploaded.
  std::vector<CrowdPlace> placesNow_;
  std::vector<glm::ivec4> framesNow_;
};

}  // namespace ck::render
