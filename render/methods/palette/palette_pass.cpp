#include "render/methods/palette/palette_pass.h"

#include <epoxy/gl.h>
#include <fmt/format.h>

#include <algorithm>

#include "render/gl/framebuffer.h"

namespace ck::render {
namespace {

constexpr int kGroup = 64;  // work group size, as in palette/fill.comp
constexpr int kMostGroups = 65535;
constexpr int kRowsPerJoint = 3;
constexpr GLuint kPaletteBinding = 0;

Result<void> tooMany(std::size_t slots, std::size_t most, std::string_view what) {
  return fail(ErrorCode::LimitExceeded,
              fmt::format("a palette of {} poses does not fit: the graphics driver's {} hold {} "
                          "of them; show fewer actors, or share poses",
                          slots, what, most));
}

}  // namespace

std::size_t PalettePass::sizeBytes() const {
  return static_cast<std::size_t>(capacity_) * static_cast<std::size_t>(jointCount_) *
         kRowsPerJoint * sizeof(glm::vec4);
}

// Capacity grows by half, so that a growing crowd does not allocate in every tick.
Result<void> PalettePass::reserve(std::size_t slots, bool roomToGrow) {
  if (slots <= static_cast<std::size_t>(capacity_)) {
    extent_.slotCount = static_cast<int>(slots);
    return {};
  }
  GLint most = 0;
  glGetIntegerv(compute_ ? GL_MAX_TEXTURE_BUFFER_SIZE : GL_MAX_TEXTURE_SIZE, &most);
  const auto limit = static_cast<std::size_t>(most);
  const auto joints = static_cast<std::size_t>(jointCount_);
  std::size_t fit = limit / joints * limit;
  if (compute_) {
    GLint64 block = 0;
    glGetInteger64v(GL_MAX_SHADER_STORAGE_BLOCK_SIZE, &block);
    const std::size_t texels = std::min(limit, static_cast<std::size_t>(block) / sizeof(glm::vec4));
    fit = texels / (joints * kRowsPerJoint);
  }
  if (slots > fit) return tooMany(slots, fit, compute_ ? "buffers" : "textures");
  capacity_ = static_cast<int>(std::min(fit, roomToGrow ? slots + slots / 2 : slots));
  if (!compute_) {
    extent_.rows = std::min(capacity_, most);
    extent_.columns = (capacity_ + extent_.rows - 1) / extent_.rows;
    capacity_ = extent_.rows * extent_.columns;
  }
  extent_.slotCount = static_cast<int>(slots);
  auto stored = compute_ ? rows_.allocate(sizeBytes(), "the palette") : reserveTargets();
  if (!stored) capacity_ = 0;
  return stored;
}

Result<void> PalettePass::reserveTargets() {
  const KeptFramebuffer kept;
  drainGlErrors();
  if (!framebuffer_) framebuffer_ = GlHandle::generate(GlKind::Framebuffer);
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_.name());
  constexpr GLenum kTargets[] = {GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT1, GL_COLOR_ATTACHMENT2};
  for (std::size_t row = 0; row < targets_.size(); ++row) {
    targets_[row] = GlHandle::generate(GlKind::Texture);
    glActiveTexture(GL_TEXTURE0 + static_cast<GLenum>(unit::kPalette) + static_cast<GLenum>(row));
    glBindTexture(GL_TEXTURE_2D, targets_[row].name());
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA32F, jointCount_ * extent_.columns, extent_.rows, 0,
                 GL_RGBA, GL_FLOAT, nullptr);
    glFramebufferTexture2D(GL_FRAMEBUFFER, kTargets[row], GL_TEXTURE_2D, targets_[row].name(), 0);
  }
  glDrawBuffers(3, kTargets);
  const bool complete = glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
  if (outOfGlMemory()) {
    return fail(ErrorCode::LimitExceeded,
                fmt::format("the graphics driver has no memory for the palette ({} MB)",
                            sizeBytes() / 1000000));
  }
  if (!complete) {
    return fail(ErrorCode::NoGraphics,
                "this graphics driver cannot draw into three float targets at once, which the "
                "method palette needs; use the method atlas");
  }
  return {};
}

Result<const Program*> PalettePass::fillProgram(const PaletteJob& job,
                                                const PaletteSource& source) {
  ProgramRequest request;
  if (compute_) {
    request.vertex = "palette/fill.comp";
  } else {
    request.vertex = "palette/fill.vert";
    request.fragment = "palette/fill.frag";
  }
  request.defines = source.defines;
  request.defines.push_back({"CK_FOLD_WORLD", job.foldWorld});
  request.defines.push_back({"CK_SLOT_ACTORS", !job.slotActors.empty()});
  return shaders_.program(request);
}

Result<void> PalettePass::run(const PaletteJob& job, const PaletteSource& source) {
  extent_.slotCount = 0;
  readsStorage_ = job.readAsStorage && vertexStorage_;
  if (auto stored = slotActors_.set(job.slotActors, "the actors of the palette"); !stored)
    return stored;
  if (job.slotCount() == 0) return {};
  if (auto room = reserve(job.slotCount(), job.roomToGrow); !room) return room;
  auto program = fillProgram(job, source);
  if (!program) return tl::unexpected(program.error());
  source.bind(**program);
  job.actors.bindTexels();
  if (!job.slotActors.empty()) slotActors_.bind(unit::kSlotActors);
  (*program)->set("ckJointCount", jointCount_);
  (*program)->set("ckSlotCount", extent_.slotCount);
  (*program)->set("ckSlotRows", extent_.rows);
  if (compute_) {
    runCompute();
  } else {
    runFragment();
  }
  return {};
}

void PalettePass::runCompute() {
  const long long threads = static_cast<long long>(extent_.slotCount) * jointCount_;
  const auto groups = static_cast<int>((threads + kGroup - 1) / kGroup);
  const int across = std::min(groups, kMostGroups);
  const int down = (groups + across - 1) / across;
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, kPaletteBinding, rows_.name());
  glDispatchCompute(static_cast<GLuint>(across), static_cast<GLuint>(down), 1);
  glMemoryBarrier(GL_TEXTURE_FETCH_BARRIER_BIT | GL_SHADER_STORAGE_BARRIER_BIT);
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, kPaletteBinding, 0);
}

void PalettePass::runFragment() {
  const KeptFramebuffer kept;
  GLint viewport[4] = {};
  glGetIntegerv(GL_VIEWPORT, viewport);
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_.name());
  glViewport(0, 0, jointCount_ * extent_.columns, extent_.rows);
  glDisable(GL_DEPTH_TEST);
  // A core context requires a vertex array for drawing, even without attributes.
  if (!emptyArray_) emptyArray_ = GlHandle::generate(GlKind::VertexArray);
  glBindVertexArray(emptyArray_.name());
  glDrawArrays(GL_TRIANGLES, 0, 3);
  glBindVertexArray(0);
  glEnable(GL_DEPTH_TEST);
  glViewport(viewport[0], viewport[1], viewport[2], viewport[3]);
}

void PalettePass::bind(const Program& program) const {
  program.set("ckJointCount", jointCount_);
  if (readsStorage_) {
    program.setStorage("CkPaletteRows", block::kPaletteRows);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, block::kPaletteRows, rows_.name());
    return;
  }
  if (compute_) {
    rows_.bind(unit::kPalette);
    return;
  }
  program.set("ckSlotRows", extent_.rows);
  for (std::size_t row = 0; row < targets_.size(); ++row) {
    glActiveTexture(GL_TEXTURE0 + static_cast<GLenum>(unit::kPalette) + static_cast<GLenum>(row));
    glBindTexture(GL_TEXTURE_2D, targets_[row].name());
  }
}

void PalettePass::read(std::vector<glm::vec4>& rows) {
  rows.resize(static_cast<std::size_t>(extent_.slotCount) * static_cast<std::size_t>(jointCount_) *
              kRowsPerJoint);
  if (rows.empty()) return;
  if (!compute_) {
    readTargets(rows);
    return;
  }
  glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
  rows_.read(rows);
}

void PalettePass::readTargets(std::vector<glm::vec4>& rows) {
  const auto width =
      static_cast<std::size_t>(jointCount_) * static_cast<std::size_t>(extent_.columns);
  std::vector<glm::vec4> texels(width * static_cast<std::size_t>(extent_.rows));
  const auto joints = static_cast<std::size_t>(jointCount_);
  for (std::size_t row = 0; row < targets_.size(); ++row) {
    glActiveTexture(GL_TEXTURE0 + static_cast<GLenum>(unit::kPalette));
    glBindTexture(GL_TEXTURE_2D, targets_[row].name());
    glGetTexImage(GL_TEXTURE_2D, 0, GL_RGBA, GL_FLOAT, texels.data());
    for (std::size_t i = 0; i < rows.size() / kRowsPerJoint; ++i) {
      const std::size_t slot = i / joints;
      const std::size_t high = static_cast<std::size_t>(extent_.rows);
      const std::size_t column = slot / high * joints + i % joints;
      rows[i * kRowsPerJoint + row] = texels[slot % high * width + column];
    }
  }
}

Result<void> AtlasPalette::fill(const PaletteJob& job, bool interpolate) {
  if (parents_.sizeBytes() == 0) {
    std::vector<std::int32_t> parents;
    for (const AtlasJoint& joint : atlas_.atlas->joints) parents.push_back(joint.parent);
    auto stored = parents_.upload(parents, BufferUse::Static, "the joints' parents");
    if (!stored) return stored;
  }
  PaletteSource source{.defines = decodeDefines(atlas_), .bind = [this](const Program& program) {
                         bindAtlas(program, atlas_, Sampling::Nearest);
                         parents_.bind(unit::kParents);
                       }};
  source.defines.push_back({"CK_JOINT_FILE", "palette/joint_matrix.glsl"});
  source.defines.push_back({"CK_INTERPOLATE", interpolate});
  source.defines.push_back({"CK_FADE", job.showsTwoClips});
  return run(job, source);
}

}  // namespace ck::render
