#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/crowd/actor_records.h"
#include "render/gl/buffer.h"
#include "render/gl/framebuffer.h"
#include "render/gl/shader_library.h"
#include "render/skinning/actor_list.h"
#include "render/skinning/crowd_records.h"

namespace ck::render {

// The format of an actor's record in the vertex shader (shaders/crowd/actor_record.glsl).
enum class ActorRecord {
  Full,     // CkActor, 64 bytes
  Compact,  // CompactActor, 40 bytes
};

// The compact record. It has one scale for all axes; crowds use no other.
struct CompactActor {
  glm::vec4 positionScale{0.0f};
  glm::vec4 rotation{0.0f};
  int frame = 0;  // the nearest stored frame, numbered through the atlas
  int look = 0;   // CkPlace::look
};
static_assert(sizeof(CompactActor) == 40);
static_assert(sizeof(gpu::CkActor) == 64);

// The records of the actors that are drawn, and their selection flags, as per-instance attributes
// and, in the full format, as texels. The GPU computes them from the records of their crowd, which
// are there already; or they are uploaded.
class ActorStream {
 public:
  explicit ActorStream(ActorRecord form = ActorRecord::Full) : form_(form) {}

  // Actors of a crowd, by its records on the GPU.
  struct Source {
    const CrowdRecords& crowd;
    ActorChoice chosen = {};  // without shares
    ActorLook look = {};
  };
  // Has the actors' records computed on the GPU (crowd/steady_record.vert), as of the last upload
  // of their crowd. Uploads the list of actors if it is another one than the last, and the
  // selection if it has changed. `selected` holds indices into the chosen actors; others are
  // ignored. Fails with LimitExceeded and Internal (a shader).
  Result<void> compute(const Source& source, std::span<const std::uint32_t> selected,
                       ShaderLibrary& shaders);

  // Uploads records. `selected` holds indices into `records`; others are ignored. Fails with
  // LimitExceeded.
  Result<void> upload(const ActorRecords& records, std::span<const std::uint32_t> selected);

  // Sets attributes 6 to 10 of the bound vertex array to this stream, starting at `firstActor`.
  void attach(std::size_t firstActor = 0);
  // Binds the full records as ckActors, four texels each.
  void bindTexels() const { records_.bind(unit::kActors); }

  ActorRecord form() const { return form_; }
  std::size_t size() const { return size_; }
  // Whether any actor has a mirroring scale.
  bool anyMirrored() const { return anyMirrored_; }
  bool isSelected(std::size_t actor) const { return marks_[actor] != 0; }
  // By the last upload() or compute(), without the crowd's records.
  std::size_t uploadedBytes() const { return uploadedBytes_; }
  // Reads the full records back. Waits for the GPU.
  std::vector<gpu::CkActor> read() const;

 private:
  Result<void> run(const Source& source, std::size_t actors, ShaderLibrary& shaders);
  Result<void> uploadMarks(std::size_t actors, std::span<const std::uint32_t> selected);

  ActorRecord form_;
  BufferTexture records_{TexelKind::Rgba32I};  // CkActor or CompactActor
  Buffer selected_;
  std::size_t size_ = 0;
  std::size_t uploadedBytes_ = 0;
  bool anyMirrored_ = false;
  std::vector<std::uint8_t> marks_;
  // The state of compute().
  ActorList list_;  // if not all actors are chosen
  GlHandle vertexArray_;
  std::optional<Target> nowhere_;  // transform feedback needs a framebuffer
};

}  // namespace ck::render
