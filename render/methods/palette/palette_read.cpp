#include "render/methods/palette/palette_read.h"

#include <epoxy/gl.h>
#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <map>
#include <mutex>
#include <string>

#include "core/base/log.h"
#include "render/gl/buffer.h"
#include "render/gl/framebuffer.h"
#include "render/gl/program.h"

namespace ck::render {
namespace {

constexpr int kJoints = 48;
constexpr int kSlots = 64;
constexpr GLsizei kVertices = 1024;
constexpr int kTries = 3;

// The shortest of several runs, after one for compiling and warming up.
double millisecondsToRead() {
  using Clock = std::chrono::steady_clock;
  double best = std::numeric_limits<double>::max();
  for (int i = 0; i <= kTries; ++i) {
    const auto start = Clock::now();
    glDrawArraysInstanced(GL_POINTS, 0, kVertices, kSlots);
    glFinish();
    const double ms = std::chrono::duration<double, std::milli>(Clock::now() - start).count();
    if (i > 0) best = std::min(best, ms);
  }
  return best;
}

// The choice, and the measured time of both ways; 0 if they were not measured.
struct PaletteReadChoice {
  PaletteRead read = PaletteRead::TextureBuffer;
  double textureMs = 0.0;
  double storageMs = 0.0;
};

// Chooses the faster way, and the buffer texture where there is only one.
PaletteReadChoice measurePaletteRead(const ContextFacts& facts, ShaderLibrary& shaders) {
  PaletteReadChoice choice;
  if (!facts.vertexStorage) return choice;
  const auto texture =
      shaders.program({"palette/read_probe.vert", "palette/read_probe.frag", {}, {}});
  const auto storage = shaders.program(
      {"palette/read_probe.vert", "palette/read_probe.frag", {{"CK_PALETTE_STORAGE", "1"}}, {}});
  if (!texture || !storage) return choice;
  const std::vector<glm::vec4> rows(static_cast<std::size_t>(kJoints) * kSlots * 3,
                                    glm::vec4(0.5f));
  BufferTexture palette(TexelKind::Rgba32F);
  auto room = palette.upload(rows, BufferUse::Static, "a small palette");
  if (!room) return choice;
  const KeptFramebuffer kept;
  auto target = Target::make(1, 1, TargetFormat::Rgba8);
  if (!target) return choice;
  glBindFramebuffer(GL_FRAMEBUFFER, target->name());
  const GlHandle empty = GlHandle::generate(GlKind::VertexArray);
  glBindVertexArray(empty.name());
  glEnable(GL_RASTERIZER_DISCARD);
  (*texture)->use();
  (*texture)->set("ckJointCount", kJoints);
  palette.bind(unit::kPalette);
  choice.textureMs = millisecondsToRead();
  (*storage)->use();
  (*storage)->set("ckJointCount", kJoints);
  (*storage)->setStorage("CkPaletteRows", block::kPaletteRows);
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, block::kPaletteRows, palette.name());
  choice.storageMs = millisecondsToRead();
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, block::kPaletteRows, 0);
  glDisable(GL_RASTERIZER_DISCARD);
  glBindVertexArray(0);
  if (choice.storageMs < choice.textureMs) choice.read = PaletteRead::StorageBuffer;
  return choice;
}

}  // namespace

std::string whyNotRead(PaletteRead read, const ContextFacts& facts) {
  if (read != PaletteRead::StorageBuffer || facts.vertexStorage) return {};
  return fmt::format(
      "vertex shaders read storage buffers from OpenGL 4.3 on, where the driver lets them, and "
      "this is {}; choose the texture buffer",
      facts.version);
}

PaletteRead fasterPaletteRead(const ContextFacts& facts, ShaderLibrary& shaders) {
  static std::mutex mutex;
  static std::map<std::string, PaletteRead> known;
  const std::scoped_lock lock(mutex);
  const auto [at, isNew] = known.try_emplace(facts.renderer + facts.version);
  if (!isNew) return at->second;
  const PaletteReadChoice choice = measurePaletteRead(facts, shaders);
  at->second = choice.read;
  if (choice.storageMs > 0.0) {
    log().info(
        "Palettes are read through a {}: {:.2f} ms as a texture buffer, {:.2f} ms as a storage "
        "buffer",
        choice.read == PaletteRead::StorageBuffer ? "storage buffer" : "texture buffer",
        choice.textureMs, choice.storageMs);
  }
  return choice.read;
}

}  // namespace ck::render
