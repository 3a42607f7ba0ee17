#include "render/far/impostor_painter.h"

#include <epoxy/gl.h>

#include <algorithm>
#include <cmath>

#include "render/gl/context.h"
#include "render/skinning/method_offers.h"

namespace ck::render {
namespace {

constexpr GLenum kColorUnit = GL_TEXTURE0 + static_cast<GLenum>(unit::kBlendSum);
constexpr GLenum kFormUnit = GL_TEXTURE0 + static_cast<GLenum>(unit::kBlendWeight);

// A part of a sheet has about this many vertices, so that it takes software renderers a few frames'
// worth of milliseconds.
constexpr std::size_t kVerticesAtOnce = 60000;
constexpr int kMostRowPixels = 6144;

GlHandle layer(GLenum textureUnit, int width, int height) {
  GlHandle texture = GlHandle::generate(GlKind::Texture);
  glActiveTexture(textureUnit);
  glBindTexture(GL_TEXTURE_2D, texture.name());
  glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
  glBindTexture(GL_TEXTURE_2D, 0);
  return texture;
}

Method methodFor(const Atlas& atlas) {
  return whyNotDrawn(Method::Atlas, encodingOf(atlas.recipe)).empty() ? Method::Atlas
                                                                      : Method::Palette;
}

// Each direction but the first is the one that is farthest from all before it.
std::vector<std::size_t> farthestFirst(std::span<const ImpostorDirection> directions) {
  std::vector<std::size_t> order;
  std::vector<float> nearest(directions.size(), -2.0f);  // cosine to the nearest in `order`
  while (order.size() < directions.size()) {
    const auto next = static_cast<std::size_t>(std::ranges::min_element(nearest) - nearest.begin());
    order.push_back(next);
    for (std::size_t d = 0; d < directions.size(); ++d) {
      const float cosine = glm::dot(directions[d].towards, directions[next].towards);
      nearest[d] = std::max(nearest[d], cosine);
    }
    nearest[next] = 2.0f;  // never again
  }
  return order;
}

}  // namespace

float impostorDepthPixels(const ImpostorPlan& plan, const ImpostorDirection& direction) {
  float most = 1.0f;
  for (const ImpostorMoment& moment : plan.moments) {
    const float deep = glm::dot(glm::abs(direction.towards), moment.half);
    most = std::max(
        most, deep / impostorMetersPerPixel(moment, direction, plan.cellWidth, plan.cellHeight));
  }
  return most;
}

ImpostorPainter::ImpostorPainter(const ImpostorPlan& plan, unsigned texture,
                                 std::vector<IndexRun> runs, CharacterGpu& character,
                                 AtlasGpu& atlas, ShaderLibrary& shaders, const ContextFacts& facts)
    : plan_(plan),
      texture_(texture),
      runs_(std::move(runs)),
      nobody_({}, {}),
      input_{.character = character,
             .atlas = &atlas,
             .actors = actors_,
             .shaders = shaders,
             .facts = facts},
      order_(farthestFirst(plan.directions)) {}

Result<std::unique_ptr<ImpostorPainter>> ImpostorPainter::make(
    const ImpostorPlan& plan, unsigned texture, std::vector<IndexRun> runs, CharacterGpu& character,
    AtlasGpu& atlas, ShaderLibrary& shaders, const ContextFacts& facts) {
  std::unique_ptr<ImpostorPainter> painter(
      new ImpostorPainter(plan, texture, std::move(runs), character, atlas, shaders, facts));
  painter->pose_.method = methodFor(*atlas.atlas);
  painter->pose_.sampling = Sampling::Nearest;
  painter->pose_.influences = atlas.atlas->recipe.influences;
  painter->pose_.fades = false;
  auto skinner = makeSkinner(painter->pose_.method, painter->input_);
  if (!skinner) return tl::unexpected(skinner.error());
  painter->skinner_ = std::move(*skinner);
  if (auto room = painter->reserve(); !room) return tl::unexpected(room.error());
  return painter;
}

Result<void> ImpostorPainter::reserve() {
  enlarged_ = std::clamp(kMostRowPixels / (plan_.columns * plan_.cellWidth), 1, 4);
  const std::size_t rowVertices =
      static_cast<std::size_t>(plan_.columns) * input_.character.vertexCount();
  rowsAtOnce_ = std::clamp(
      static_cast<int>(kVerticesAtOnce / std::max<std::size_t>(rowVertices, 1)), 1, plan_.rows);
  const int width = plan_.columns * plan_.cellWidth * enlarged_;
  const int height = rowsAtOnce_ * plan_.cellHeight * enlarged_;
  drainGlErrors();
  color_ = layer(kColorUnit, width, height);
  form_ = layer(kFormUnit, width, height);
  glActiveTexture(GL_TEXTURE0);
  depth_ = GlHandle::generate(GlKind::Renderbuffer);
  glBindRenderbuffer(GL_RENDERBUFFER, depth_.name());
  glRenderbufferStorage(GL_RENDERBUFFER, GL_DEPTH_COMPONENT24, width, height);
  glBindRenderbuffer(GL_RENDERBUFFER, 0);
  drawn_ = GlHandle::generate(GlKind::Framebuffer);
  averaged_ = GlHandle::generate(GlKind::Framebuffer);
  emptyArray_ = GlHandle::generate(GlKind::VertexArray);
  const GLenum targets[] = {GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT1};
  glBindFramebuffer(GL_FRAMEBUFFER, averaged_.name());
  glDrawBuffers(2, targets);
  glBindFramebuffer(GL_FRAMEBUFFER, drawn_.name());
  glDrawBuffers(2, targets);
  glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, color_.name(), 0);
  glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT1, GL_TEXTURE_2D, form_.name(), 0);
  glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, depth_.name());
  const bool complete = glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
  if (outOfGlMemory() || !complete) {
    return fail(ErrorCode::LimitExceeded,
                "the graphics driver has no memory for drawing pictures of far actors");
  }
  return {};
}

// Images are read as a mesh of the picture's size reads them: smaller levels of detail have other
// mean colours, which would be seen where a mesh becomes a picture. Masks would thin out by it.
void ImpostorPainter::setMapBias(float levels) const {
  if (input_.character.features.cut) return;
  glActiveTexture(GL_TEXTURE0 + static_cast<GLenum>(unit::kImages));
  glBindTexture(GL_TEXTURE_2D_ARRAY, input_.character.images->texture.name());
  glTexParameterf(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_LOD_BIAS, levels);
  glActiveTexture(GL_TEXTURE0);
}

int ImpostorPainter::rowsNow() const {
  return std::min(rowsAtOnce_, plan_.rows - row_);
}

Result<void> ImpostorPainter::paintNext() {
  const int rows = rowsNow();
  resetGlState();
  if (auto drawn = drawCells(rows); !drawn) return drawn;
  if (auto done = average(rows); !done) return done;
  row_ += rows;
  if (row_ < plan_.rows) return {};
  row_ = 0;
  ++done_;
  return {};
}

// One metre of this scene is one pixel of the pictures.
Result<void> ImpostorPainter::drawCells(int rows) {
  const ImpostorDirection& seen = plan_.directions[directionNow()];
  const auto first = static_cast<std::size_t>(row_ * plan_.columns);
  const std::size_t end =
      std::min(first + static_cast<std::size_t>(rows * plan_.columns), plan_.moments.size());
  records_.places.clear();
  records_.frames.clear();
  for (std::size_t m = first; m < end; ++m) {
    const auto cell = static_cast<int>(m - first);
    const ImpostorMoment& moment = plan_.moments[m];
    const float scale =
        1.0f / impostorMetersPerPixel(moment, seen, plan_.cellWidth, plan_.cellHeight);
    const float x =
        (static_cast<float>(cell % plan_.columns) + 0.5f) * static_cast<float>(plan_.cellWidth);
    const float y =
        (static_cast<float>(cell / plan_.columns) + 0.5f) * static_cast<float>(plan_.cellHeight);
    gpu::CkPlace place{};
    place.position = seen.right * x + seen.up * y - moment.center * scale;
    place.rotation = glm::vec4(0.0f, 0.0f, 0.0f, 1.0f);
    place.scale = glm::vec3(scale);
    records_.add(place, gpu::CkFrames{moment.frame, 0.0f, -1, 0.0f});
  }
  if (auto stored = actors_.upload(records_.view(), {}); !stored) return stored;
  if (auto posed = skinner_->update({.crowd = nobody_, .records = records_.view(), .pose = pose_});
      !posed) {
    return posed;
  }
  const glm::vec2 size(plan_.columns * plan_.cellWidth, rows * plan_.cellHeight);
  const glm::vec4 x(seen.right * (2.0f / size.x), -1.0f);
  const glm::vec4 y(seen.up * (2.0f / size.y), -1.0f);
  const glm::vec4 z(seen.towards * (-1.0f / impostorDepthPixels(plan_, seen)), 0.0f);
  DrawPass pass{.kind = DrawPass::Kind::Impostor, .runs = runs_};
  pass.look.viewProjection = glm::transpose(glm::mat4(x, y, z, glm::vec4(0.0f, 0.0f, 0.0f, 1.0f)));
  pass.look.towardsEye = seen.towards;
  glBindFramebuffer(GL_FRAMEBUFFER, drawn_.name());
  glViewport(0, 0, static_cast<int>(size.x) * enlarged_, static_cast<int>(size.y) * enlarged_);
  const GLfloat nothing[4] = {0.0f, 0.0f, 0.0f, 0.0f};
  glClearBufferfv(GL_COLOR, 0, nothing);
  glClearBufferfv(GL_COLOR, 1, nothing);
  glClearDepth(1.0);
  glClear(GL_DEPTH_BUFFER_BIT);
  // Parts of a body beyond the box's depth are drawn at its limit instead of cut off.
  glEnable(GL_DEPTH_CLAMP);
  setMapBias(std::log2(static_cast<float>(enlarged_)));
  auto drawn = skinner_->draw(pass);
  setMapBias(0.0f);
  glDisable(GL_DEPTH_CLAMP);
  return drawn;
}

// Level 0 is averaged from what was drawn, each other level from the one before.
Result<void> ImpostorPainter::average(int rows) {
  glBindFramebuffer(GL_FRAMEBUFFER, averaged_.name());
  glDisable(GL_DEPTH_TEST);
  glBindVertexArray(emptyArray_.name());
  Result<void> done;
  for (int level = 0; level < plan_.levels && done; ++level) {
    auto program = input_.shaders.program(
        {"scene/blend.vert", "far/average.frag", {{"CK_FIRST_LEVEL", level == 0}}, {}});
    if (!program) {
      done = tl::unexpected(program.error());
      break;
    }
    const int height = plan_.cellHeight >> level;
    (*program)->set("ckWindow", level == 0 ? enlarged_ : 2);
    (*program)->set("ckLayer", static_cast<int>(2 * directionNow()));
    (*program)->set("ckFirstRow", level == 0 ? row_ * height : 0);
    const auto color = static_cast<GLint>(2 * directionNow());
    glFramebufferTextureLayer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, texture_, level, color);
    glFramebufferTextureLayer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT1, texture_, level, color + 1);
    glViewport(0, 0, plan_.columns * (plan_.cellWidth >> level), plan_.rows * height);
    glEnable(GL_SCISSOR_TEST);
    glScissor(0, row_ * height, plan_.columns * (plan_.cellWidth >> level), rows * height);
    sampleSource(level);
    glDrawArrays(GL_TRIANGLES, 0, 3);
  }
  glDisable(GL_SCISSOR_TEST);
  glEnable(GL_DEPTH_TEST);
  glActiveTexture(GL_TEXTURE0 + static_cast<GLenum>(unit::kImpostors));
  glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_BASE_LEVEL, 0);
  glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_MAX_LEVEL, plan_.levels - 1);
  glActiveTexture(GL_TEXTURE0);
  glBindVertexArray(0);
  return done;
}

// A level that is written must not be among those that can be read.
void ImpostorPainter::sampleSource(int level) const {
  glActiveTexture(kColorUnit);
  glBindTexture(GL_TEXTURE_2D, color_.name());
  glActiveTexture(kFormUnit);
  glBindTexture(GL_TEXTURE_2D, form_.name());
  glActiveTexture(GL_TEXTURE0 + static_cast<GLenum>(unit::kImpostors));
  glBindTexture(GL_TEXTURE_2D_ARRAY, texture_);
  const int source = level == 0 ? plan_.levels - 1 : level - 1;
  glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_BASE_LEVEL, source);
  glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_MAX_LEVEL, source);
}

}  // namespace ck::render
