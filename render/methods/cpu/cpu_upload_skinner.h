#pragma once

#include <vector>

#include "render/skinning/draw_actors.h"

namespace ck::render {

// Method `cpu`: every vertex of every actor is skinned on the CPU and uploaded. Slow, plain, and
// the reference of the other methods; the only one that can show the source.
class CpuUploadSkinner : public Skinner {
 public:
  explicit CpuUploadSkinner(const SkinnerInput& input);

  // Fails with LimitExceeded, which says how many actors would fit.
  Result<void> update(const SkinningTick& tick) override;
  Result<void> draw(const DrawPass& pass) const override;
  int fetchesPerVertex() const override { return 0; }
  std::size_t uploadedBytes() const override {
    return texture_.sizeBytes() + tangentTexture_.sizeBytes();
  }
  std::size_t heldBytes() const override { return uploadedBytes(); }
  bool skinsOnCpu() const override { return true; }

 private:
  // Two texels of the buffer texture.
  struct Vertex {
    glm::vec4 positionError{0.0f};  // world, metres; w: distance to the source
    glm::vec4 normal{0.0f};
  };
  Result<void> checkSize(std::size_t actors) const;
  // The morphed bind vertices of an actor.
  struct Bind {
    std::vector<glm::vec3> positions;
    std::vector<glm::vec3> normals;
  };
  Result<void> uploadTangents(bool shown);
  Bind bindOf(std::size_t actor, const MorphStage* morphs) const;
  static void skin(const std::vector<GpuVertex>& welded, const Bind& bind,
                   const std::vector<glm::dmat4>& matrices, int influences,
                   std::span<Vertex> vertices);
  void skinTangents(const std::vector<glm::dmat4>& matrices, int influences,
                    std::span<glm::vec4> tangents) const;

  SkinnerInput input_;
  GlHandle vertexArray_;
  BufferTexture texture_;
  std::vector<Vertex> vertices_;
  BufferTexture tangentTexture_;     // one texel per vertex, if tangents are shown
  std::vector<glm::vec4> tangents_;  // empty if tangents are not shown
};

}  // namespace ck::render
