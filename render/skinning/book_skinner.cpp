#include "render/skinning/book_skinner.h"

#include <epoxy/gl.h>
#include <fmt/format.h>

#include <algorithm>

#include "core/base/transform.h"
#include "render/gl/context.h"
#include "render/skinning/book_records.h"

namespace ck::render {
namespace {

constexpr std::size_t kBatchBytes = kBookBatch * sizeof(gpu::CkActor);
static_assert(kBatchBytes % 256 == 0, "every driver can bind a block that starts here");

// The texture's texels, time across, three rows a joint: place, rotation, scale of the joint.
std::vector<glm::vec4> bookTexels(const Atlas& atlas, const Rig& rig) {
  const std::vector<int> clipOf = clipOfFrames(atlas);
  std::vector<glm::vec4> texels(clipOf.size() * atlas.joints.size() * 3);
  for (std::size_t joint = 0; joint < atlas.joints.size(); ++joint) {
    const Trs own = decompose(affineInverse(rig.skinJoints[joint].inverseBind)).trs;
    const glm::vec3 lever = glm::vec3(own.translation) - atlas.joints[joint].pivot;
    for (std::size_t frame = 0; frame < clipOf.size(); ++frame) {
      const JointPose pose =
          storedPose(atlas, clipOf[frame], static_cast<int>(frame), static_cast<int>(joint));
      const glm::quat turn = pose.rotation * glm::quat(own.rotation);
      const glm::vec3 place = pose.position + pose.scale * (pose.rotation * lever);
      const std::size_t row = joint * 3;
      texels[row * clipOf.size() + frame] = glm::vec4(place, 0.0f);
      texels[(row + 1) * clipOf.size() + frame] = glm::vec4(turn.x, turn.y, turn.z, turn.w);
      texels[(row + 2) * clipOf.size() + frame] =
          glm::vec4(glm::vec3(own.scale) * pose.scale, 0.0f);
    }
  }
  return texels;
}

}  // namespace

BookSkinner::BookSkinner(const SkinnerInput& input)
    : input_(input), vertexArray_(makeActorVertexArray(input.character, nullptr)) {}

Result<std::unique_ptr<Skinner>> BookSkinner::make(const SkinnerInput& input) {
  std::unique_ptr<BookSkinner> skinner(new BookSkinner(input));
  if (auto ready = skinner->upload(); !ready) return tl::unexpected(ready.error());
  return std::unique_ptr<Skinner>(std::move(skinner));
}

Result<void> BookSkinner::upload() {
  const Rig& rig = input_.character.character->rig;
  const int width = input_.atlas->frameCount;
  const int height = static_cast<int>(rig.skinJoints.size()) * 3;
  GLint textureLimit = 0;
  GLint blockLimit = 0;
  glGetIntegerv(GL_MAX_TEXTURE_SIZE, &textureLimit);
  glGetIntegerv(GL_MAX_UNIFORM_BLOCK_SIZE, &blockLimit);
  const std::size_t bindBytes = rig.skinJoints.size() * sizeof(glm::mat4);
  if (std::max(width, height) > textureLimit || bindBytes > static_cast<std::size_t>(blockLimit)) {
    return fail(ErrorCode::LimitExceeded,
                fmt::format("the method book holds {} frames by {} rows in one texture and {} "
                            "matrices in one block, and this graphics driver takes {} texels and "
                            "{} bytes; choose another method",
                            width, height, rig.skinJoints.size(), textureLimit, blockLimit));
  }
  std::vector<glm::mat4> binds;
  for (const SkinJoint& joint : rig.skinJoints) binds.emplace_back(joint.inverseBind);
  auto stored = inverseBinds_.upload(std::as_bytes(std::span(binds)), BufferUse::Static,
                                     "the inverse bind matrices");
  if (!stored) return stored;
  const std::vector<glm::vec4> texels = bookTexels(*input_.atlas->atlas, rig);
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

Result<void> BookSkinner::update(const SkinningTick& tick) {
  if (tick.influences != 4 || tick.sampling != Sampling::Interpolated) {
    return fail(ErrorCode::Unsupported,
                "the method book has four influences and interpolates; choose these, or the method "
                "atlas");
  }
  records_ = bookRecords(tick.crowd, tick.records, tick.bookTickSeconds);
  for (std::size_t i = 0; i < records_.size(); ++i) {
    records_[i].scaleAlphaB.w = input_.actors.isSelected(i) ? 1.0f : 0.0f;
  }
  // A block is bound whole, the last one too.
  records_.resize((records_.size() + kBookBatch - 1) / kBookBatch * kBookBatch);
  return blocks_.upload(std::as_bytes(std::span(records_)), BufferUse::Stream, "the actors");
}

int BookSkinner::drawCalls(std::size_t actors) const {
  return static_cast<int>((actors + kBookBatch - 1) / kBookBatch);
}

Result<void> BookSkinner::draw(const DrawPass& pass) const {
  const ShaderVariant variant{.pose = ShaderPose::Book,
                              .record = ActorRecord::Block,
                              .bookJoints = static_cast<int>(input_.atlas->atlas->joints.size()),
                              .pass = pass.kind};
  auto found = input_.shaders.program(requestFor(variant));
  if (!found) return tl::unexpected(found.error());
  const Program& program = **found;
  program.use();
  glActiveTexture(GL_TEXTURE0 + unit::kAtlas);
  glBindTexture(GL_TEXTURE_2D, texture_.name());
  glBindBufferBase(GL_UNIFORM_BUFFER, block::kInverseBinds, inverseBinds_.existingName());
  drawActorBatches(program, vertexArray_, input_.character, input_.actors, pass, kBookBatch,
                   [&](std::size_t first) {
                     program.set("ckFirstActor", static_cast<int>(first));
                     glBindBufferRange(GL_UNIFORM_BUFFER, block::kActors, blocks_.existingName(),
                                       static_cast<GLintptr>(first * sizeof(gpu::CkActor)),
                                       kBatchBytes);
                   });
  return {};
}

}  // namespace ck::render
