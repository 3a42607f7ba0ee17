#include "render/reference/book_skinner.h"

#include <epoxy/gl.h>
#include <fmt/format.h>

#include <algorithm>

#include "core/atlas/pose_reading.h"
#include "core/base/transform.h"
#include "render/gl/context.h"
#include "render/reference/book_timing.h"
#include "render/skinning/draw_actors.h"

namespace ck::render {
namespace {

// Number of actors per uniform block, as in the book.
constexpr std::size_t kBookBatch = 80;
constexpr std::size_t kBatchBytes = kBookBatch * sizeof(gpu::CkActor);
static_assert(kBatchBytes % 256 == 0, "every driver can bind a block that starts here");

// The joint's own position, rotation and scale, from any pose form.
Trs jointTrs(PoseForm form, const JointPose& pose, const AtlasJoint& joint, const Trs& bind) {
  if (form == PoseForm::Matrix) {
    return decompose(skinMatrixOf(form, pose, joint) * toMatrix(bind)).trs;
  }
  const glm::dquat rotation(pose.rotation);
  const glm::dvec3 position(pose.position);
  const glm::dvec3 scale(pose.scale);
  if (form == PoseForm::Trs) return {position, rotation, scale};
  const glm::dvec3 lever = bind.translation - glm::dvec3(joint.pivot);
  return {position + scale * (rotation * lever), rotation * bind.rotation, bind.scale * scale};
}

// The texels: time across, three rows per joint for position, rotation and scale.
std::vector<glm::vec4> bookTexels(const Atlas& atlas, std::span<const glm::dmat4> inverseBinds) {
  const std::vector<int> clipOf = clipOfFrames(atlas);
  const std::size_t width = clipOf.size();
  std::vector<glm::vec4> texels(width * atlas.joints.size() * 3);
  for (std::size_t joint = 0; joint < atlas.joints.size(); ++joint) {
    const Trs bind = decompose(affineInverse(inverseBinds[joint])).trs;
    for (std::size_t frame = 0; frame < width; ++frame) {
      const JointPose pose =
          storedPose(atlas, clipOf[frame], static_cast<int>(frame), static_cast<int>(joint));
      const Trs own = jointTrs(formOf(atlas), pose, atlas.joints[joint], bind);
      const glm::quat turn(own.rotation);
      const std::size_t at = joint * 3 * width + frame;
      texels[at] = glm::vec4(glm::vec3(own.translation), 0.0f);
      texels[at + width] = glm::vec4(turn.x, turn.y, turn.z, turn.w);
      texels[at + 2 * width] = glm::vec4(glm::vec3(own.scale), 0.0f);
    }
  }
  return texels;
}

// The inverse bind matrix for the pose form; the trs form has its own.
std::vector<glm::dmat4> inverseBindsOf(const Atlas& atlas, const Rig& rig) {
  std::vector<glm::dmat4> binds;
  for (std::size_t joint = 0; joint < atlas.joints.size(); ++joint) {
    binds.push_back(formOf(atlas) == PoseForm::Trs ? glm::dmat4(atlas.joints[joint].inverseBind)
                                                   : rig.skinJoints[joint].inverseBind);
  }
  return binds;
}

class BookSkinner : public Skinner {
 public:
  BookSkinner(const SkinnerInput& input, double tickSeconds)
      : input_(input),
        tickSeconds_(tickSeconds),
        vertexArray_(makeActorVertexArray(input.character, nullptr)) {}

  // Creates the texture from the atlas.
  Result<void> upload() {
    const Rig& rig = input_.character.character->rig;
    const int width = input_.atlas->frameCount;
    const int height = static_cast<int>(rig.skinJoints.size()) * 3;
    GLint textureLimit = 0;
    GLint blockLimit = 0;
    glGetIntegerv(GL_MAX_TEXTURE_SIZE, &textureLimit);
    glGetIntegerv(GL_MAX_UNIFORM_BLOCK_SIZE, &blockLimit);
    const std::size_t bindBytes = rig.skinJoints.size() * sizeof(glm::mat4);
    if (std::max(width, height) > textureLimit ||
        bindBytes > static_cast<std::size_t>(blockLimit)) {
      return fail(ErrorCode::LimitExceeded,
                  fmt::format("the method book holds {} frames by {} rows in one texture and {} "
                              "matrices in one block, and this graphics driver takes {} texels and "
                              "{} bytes; choose another method",
                              width, height, rig.skinJoints.size(), textureLimit, blockLimit));
    }
    const std::vector<glm::dmat4> exact = inverseBindsOf(*input_.atlas->atlas, rig);
    const std::vector<glm::mat4> binds(exact.begin(), exact.end());
    auto stored = inverseBinds_.upload(binds, BufferUse::Static, "the inverse bind matrices");
    if (!stored) return stored;
    const std::vector<glm::vec4> texels = bookTexels(*input_.atlas->atlas, exact);
    texture_ = GlHandle::generate(GlKind::Texture);
    drainGlErrors();
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D, texture_.name());
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA32F, width, height, 0, GL_RGBA, GL_FLOAT, texels.data());
    glBindTexture(GL_TEXTURE_2D, 0);
    if (!outOfGlMemory()) return {};
    return fail(ErrorCode::LimitExceeded,
                fmt::format("the graphics driver has no memory for the texture of the method book "
                            "({} MB)",
                            texels.size() * sizeof(glm::vec4) / 1000000));
  }

  Result<void> update(const SkinningTick& tick) override {
    if (tick.pose.influences != 4 || tick.pose.sampling != Sampling::Interpolated) {
      return fail(
          ErrorCode::Unsupported,
          "the method book has four influences and interpolates; choose these, or the method "
          "atlas");
    }
    if (tick.pose.fades && tick.crowd.fadingActors() > 0) {
      return fail(ErrorCode::Unsupported,
                  "the method book shows one clip an actor; switch fades off, or choose another");
    }
    if (auto morphs = readyMorphs(tick); !morphs) return morphs;
    const OwnedActorRecords timed = bookRecords(tick.crowd, tick.records, tickSeconds_);
    const ActorRecords records = timed.view();
    records_.clear();
    for (std::size_t i = 0; i < records.size(); ++i) {
      records_.push_back(records[i]);
      records_[i].scaleAlphaB.w = input_.actors.isSelected(i) ? 1.0f : 0.0f;
    }
    // Blocks are bound as a whole, so the last one is padded.
    records_.resize((records_.size() + kBookBatch - 1) / kBookBatch * kBookBatch);
    return blocks_.upload(records_, BufferUse::Stream, "the actors");
  }

  Result<void> draw(const DrawPass& pass) const override {
    const PoseShader pose{
        .file = "reference/book_pose.glsl",
        .defines = {{"CK_BATCH", static_cast<int>(kBookBatch)},
                    {"CK_JOINTS", static_cast<int>(input_.atlas->atlas->joints.size())}},
        .recordFile = "reference/block_record.glsl"};
    const auto found = programFor(input_.shaders, pose, pass, input_.character);
    if (!found) return tl::unexpected(found.error());
    const Program& program = **found;
    glActiveTexture(GL_TEXTURE0 + unit::kAtlas);
    glBindTexture(GL_TEXTURE_2D, texture_.name());
    glBindBufferBase(GL_UNIFORM_BUFFER, block::kInverseBinds, inverseBinds_.name());
    const ActorPass started(program, vertexArray_, input_.character, input_.actors, pass);
    const std::size_t actors = input_.actors.size();
    for (std::size_t first = 0; first < actors; first += kBookBatch) {
      program.set("ckFirstActor", static_cast<int>(first));
      glBindBufferRange(GL_UNIFORM_BUFFER, block::kActors, blocks_.name(),
                        static_cast<GLintptr>(first * sizeof(gpu::CkActor)), kBatchBytes);
      started.draw(std::min(kBookBatch, actors - first));
    }
    return {};
  }

  SkinnerCost cost(std::size_t actors, std::span<const IndexRun> runs) const override {
    const auto batches = static_cast<int>((actors + kBookBatch - 1) / kBookBatch);
    return {.drawCalls = batches * instancedCalls(actors, runs),
            .fetchesPerVertex = 24,
            .uploadedBytes = blocks_.sizeBytes()};
  }

 private:
  SkinnerInput input_;
  double tickSeconds_;
  GlHandle vertexArray_;
  GlHandle texture_;
  Buffer inverseBinds_;
  Buffer blocks_;  // CkActor records in whole batches
  std::vector<gpu::CkActor> records_;
};

}  // namespace

ReferencePtr bookMethod(double tickSeconds) {
  return std::make_shared<ReferenceMethod>(
      ReferenceMethod{.title = "Book",
                      .beside = "Ours",
                      .tip = "skinned as the write-up does",
                      .make = [tickSeconds](const SkinnerInput& input) -> SkinnerResult {
                        auto skinner = std::make_unique<BookSkinner>(input, tickSeconds);
                        if (auto ready = skinner->upload(); !ready)
                          return tl::unexpected(ready.error());
                        return skinner;
                      }});
}

}  // namespace ck::render
