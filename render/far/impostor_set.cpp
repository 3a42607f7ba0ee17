#include "render/far/impostor_set.h"

#include <epoxy/gl.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>

#include "core/base/assert.h"
#include "render/far/guard_band.h"
#include "render/gl/context.h"
#include "render/gl/framebuffer.h"

namespace ck::render {
namespace {

constexpr GLenum kUnit = GL_TEXTURE0 + static_cast<GLenum>(unit::kImpostors);
// Drawing all pictures of a set takes about this many triangles at most.
constexpr std::size_t kMostTriangles = 24000000;
constexpr std::size_t kFewestCells = 600;

// The index runs of meshes that are not hidden.
std::vector<IndexRun> visibleRuns(const CharacterGpu& character, std::span<const int> hidden) {
  std::vector<IndexRun> runs;
  const std::vector<std::uint32_t>& starts = character.welded.meshStarts;
  for (std::size_t mesh = 0; mesh + 1 < starts.size(); ++mesh) {
    const IndexRun run{starts[mesh], starts[mesh + 1] - starts[mesh]};
    const bool isHidden = std::ranges::find(hidden, static_cast<int>(mesh)) != hidden.end();
    if (!isHidden && run.count > 0) runs.push_back(run);
  }
  if (runs.empty()) runs.push_back({0, 0});
  return runs;
}

std::size_t mostCells(const std::vector<IndexRun>& runs) {
  std::size_t triangles = 0;
  for (const IndexRun& run : runs) triangles += run.count / 3;
  return std::max(kFewestCells, kMostTriangles / std::max<std::size_t>(triangles, 1));
}

// The eye of a projection, as ckEyePoint has it: the point that the rows x, y and w take to 0.
glm::vec4 eyeOf(const glm::mat4& viewProjection) {
  const glm::dmat4 rows = glm::transpose(glm::dmat4(viewProjection));
  const glm::dvec4& x = rows[0];
  const glm::dvec4& y = rows[1];
  const glm::dvec4& w = rows[3];
  const auto minor = [&](int a, int b, int c) {
    return glm::determinant(glm::dmat3(x[a], x[b], x[c], y[a], y[b], y[c], w[a], w[b], w[c]));
  };
  glm::dvec4 eye(minor(1, 2, 3), -minor(0, 2, 3), minor(0, 1, 3), -minor(0, 1, 2));
  const double reach = glm::length(glm::dvec3(eye));
  if (std::abs(eye.w) > 1e-9 * reach) return glm::vec4(eye / eye.w);
  eye = glm::dvec4(glm::dvec3(eye) / reach, 0.0);
  return glm::vec4(glm::dot(rows[2], eye) > 0.0 ? -eye : eye);  // nearer is less deep
}

Image emptyLayer(const Impostors& impostors) {
  Image image{"", impostorWidth(impostors), impostorHeight(impostors), {}};
  image.rgba.resize(4 * static_cast<std::size_t>(image.width) *
                    static_cast<std::size_t>(image.height));
  return image;
}

// The exported description of a plan, with empty pictures.
Impostors describedBy(const ImpostorPlan& plan, const Atlas& atlas) {
  Impostors impostors;
  for (const AtlasClip& clip : atlas.clips) impostors.clips.push_back(clip.name);
  impostors.moments = plan.moments;
  impostors.momentOfFrame = plan.momentOfFrame;
  impostors.directions = plan.directions;
  for (const ImpostorDirection& seen : plan.directions) {
    impostors.depthPixels.push_back(impostorDepthPixels(plan, seen));
  }
  int first = 0;
  for (int ring = 0; ring < kImpostorRings; ++ring) {
    const int count = directionsOnRing(ring, plan.onHorizon);
    impostors.rings.push_back({kImpostorRingDegrees * ring, first, count});
    first += count;
  }
  impostors.cellWidth = plan.cellWidth;
  impostors.cellHeight = plan.cellHeight;
  const double cells = static_cast<double>(plan.moments.size() * plan.directions.size());
  impostors.columns =
      static_cast<int>(std::ceil(std::sqrt(cells * plan.cellHeight / plan.cellWidth)));
  impostors.metersPerPixel = plan.metersPerPixel;
  impostors.errorMeters = plan.errorMeters;
  impostors.color = emptyLayer(impostors);
  impostors.form = emptyLayer(impostors);
  return impostors;
}

// Copies the cells of a direction from a layer of the texture, whose bottom row is the first.
void copyCells(const ImpostorPlan& plan, const std::uint8_t* layer, std::size_t direction,
               Image& into) {
  const auto width = static_cast<std::size_t>(plan.cellWidth);
  const auto height = static_cast<std::size_t>(plan.cellHeight);
  const auto columns = static_cast<std::size_t>(plan.columns);
  const auto all = static_cast<std::size_t>(into.width) / width;
  for (std::size_t moment = 0; moment < plan.moments.size(); ++moment) {
    const std::size_t cell = direction * plan.moments.size() + moment;
    for (std::size_t y = 0; y < height; ++y) {
      const std::size_t from =
          ((moment / columns * height + height - 1 - y) * columns + moment % columns) * width;
      const std::size_t to = ((cell / all * height + y) * all + cell % all) * width;
      std::copy_n(layer + 4 * from, 4 * width, into.rgba.data() + 4 * to);
    }
  }
}

// CK_PASS of the shaders in shaders/far, or -1 for passes that far actors are not in.
int passNumber(const DrawPass& pass) {
  if (pass.overlaid) return -1;
  switch (pass.kind) {
    case DrawPass::Kind::Color:
    case DrawPass::Kind::ShadedColor:
      return 0;
    case DrawPass::Kind::ActorIds:
      return 1;
    case DrawPass::Kind::Depth:
      return 3;
    default:
      return -1;
  }
}

}  // namespace

ImpostorSet::ImpostorSet(ImpostorPlan plan, std::shared_ptr<CharacterGpu> character,
                         std::shared_ptr<AtlasGpu> atlas, ShaderLibrary& shaders)
    : plan_(std::move(plan)),
      character_(std::move(character)),
      atlas_(std::move(atlas)),
      shaders_(shaders),
      largestPixels_(largestPoint()) {}

Result<std::unique_ptr<ImpostorSet>> ImpostorSet::make(std::shared_ptr<CharacterGpu> character,
                                                       std::shared_ptr<AtlasGpu> atlas,
                                                       std::span<const int> hiddenMeshes,
                                                       ShaderLibrary& shaders,
                                                       const ContextFacts& facts,
                                                       std::size_t budgetBytes) {
  CK_ASSERT(character != nullptr && atlas != nullptr);
  const std::vector<IndexRun> runs = visibleRuns(*character, hiddenMeshes);
  auto plan = planImpostors(*atlas->atlas, character->welded, runs, budgetBytes, mostCells(runs));
  if (!plan) return tl::unexpected(plan.error());
  std::unique_ptr<ImpostorSet> set(
      new ImpostorSet(std::move(*plan), std::move(character), std::move(atlas), shaders));
  const KeptFramebuffer kept;
  if (auto room = set->reserve(); !room) return tl::unexpected(room.error());
  if (auto stored = set->uploadPlan(); !stored) return tl::unexpected(stored.error());
  auto painter = ImpostorPainter::make(set->plan_, set->texture_.name(), runs, *set->character_,
                                       *set->atlas_, shaders, facts);
  if (!painter) return tl::unexpected(painter.error());
  set->painter_ = std::move(*painter);
  return set;
}

Result<void> ImpostorSet::reserve() {
  GLint side = 0;
  GLint layers = 0;
  glGetIntegerv(GL_MAX_TEXTURE_SIZE, &side);
  glGetIntegerv(GL_MAX_ARRAY_TEXTURE_LAYERS, &layers);
  const int width = plan_.columns * plan_.cellWidth;
  const int height = plan_.rows * plan_.cellHeight;
  if (std::max(width, height) > side || 2 * directions() > layers) {
    return fail(ErrorCode::LimitExceeded,
                fmt::format("pictures of far actors need {} layers of {} x {} pixels, which this "
                            "graphics driver cannot hold",
                            2 * directions(), width, height));
  }
  texture_ = GlHandle::generate(GlKind::Texture);
  drainGlErrors();
  glActiveTexture(kUnit);
  glBindTexture(GL_TEXTURE_2D_ARRAY, texture_.name());
  for (int level = 0; level < plan_.levels; ++level) {
    glTexImage3D(GL_TEXTURE_2D_ARRAY, level, GL_RGBA8, width >> level, height >> level,
                 2 * directions(), 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
  }
  glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_NEAREST);
  glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
  glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
  glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_MAX_LEVEL, plan_.levels - 1);
  glActiveTexture(GL_TEXTURE0);
  if (!outOfGlMemory()) return {};
  return fail(ErrorCode::LimitExceeded,
              fmt::format("the graphics driver has no memory for pictures of far actors ({} MB)",
                          plan_.bytes / 1000000));
}

Result<void> ImpostorSet::uploadPlan() {
  constexpr const char* kWhat = "the pictures of far actors";
  std::vector<glm::vec4> moments;
  for (const ImpostorMoment& moment : plan_.moments) {
    moments.emplace_back(moment.center, 0.0f);
    moments.emplace_back(moment.half, 0.0f);
  }
  if (auto stored = frames_.upload(plan_.momentOfFrame, BufferUse::Static, kWhat); !stored) {
    return stored;
  }
  return moments_.upload(moments, BufferUse::Static, kWhat);
}

// A direction that is not drawn yet is replaced by the nearest one that is.
Result<void> ImpostorSet::uploadDirections() {
  const std::span<const ImpostorDirection> all = plan_.directions;
  std::vector<std::size_t> drawn(all.size());
  std::iota(drawn.begin(), drawn.end(), std::size_t{0});
  if (!isReady()) {
    const auto done = painter_->doneDirections();
    drawn.assign(done.begin(), done.end());
  }
  std::vector<glm::vec4> directions;
  for (const ImpostorDirection& wanted : all) {
    const auto nearest = std::ranges::max_element(
        drawn, {}, [&](std::size_t other) { return glm::dot(wanted.towards, all[other].towards); });
    const ImpostorDirection& shown = all[*nearest];
    directions.emplace_back(shown.right, static_cast<float>(*nearest));
    directions.emplace_back(shown.up, 0.0f);
    directions.emplace_back(shown.towards, impostorDepthPixels(plan_, shown));
  }
  return directions_.upload(directions, BufferUse::Static, "the pictures of far actors");
}

Result<void> ImpostorSet::goOn(double milliseconds) {
  if (isReady()) return {};
  const KeptFramebuffer kept;
  GLint viewport[4] = {};
  glGetIntegerv(GL_VIEWPORT, viewport);
  const auto start = std::chrono::steady_clock::now();
  const std::chrono::duration<double, std::milli> limit(milliseconds);
  const std::size_t before = painter_->doneDirections().size();
  Result<void> done;
  do {
    done = painter_->paintNext();
    glFinish();  // or all would be drawn at once in the next frame
  } while (done && !painter_->isDone() && std::chrono::steady_clock::now() - start < limit);
  const bool isMore = painter_->doneDirections().size() > before;
  if (done && painter_->isDone()) painter_.reset();
  if (done && isMore) done = uploadDirections();
  glViewport(viewport[0], viewport[1], viewport[2], viewport[3]);
  return done;
}

Result<void> ImpostorSet::drawWith(const char* vertex, const char* fragment,
                                   const FarActors& actors, const DrawPass& pass, int width,
                                   int height) const {
  CK_ASSERT(isShowable());
  const int number = passNumber(pass);
  if (number < 0 || actors.size() == 0 || width < 1 || height < 1) return {};
  ProgramRequest request{vertex, fragment, {{"CK_PASS", number}}, {}};
  if (pass.kind == DrawPass::Kind::ShadedColor) request.defines.push_back({"CK_SHADOWS", 1});
  if (pass.dissolves) request.defines.push_back({"CK_DISSOLVE", 1});
  auto program = shaders_.program(request);
  if (!program) return tl::unexpected(program.error());
  const GuardBand guard(width, height);
  guard.set(**program);
  setLook(**program, pass.look);
  (*program)->set("ckEyePoint", eyeOf(pass.look.viewProjection));
  (*program)->set("ckCells",
                  glm::vec4(plan_.cellWidth, plan_.cellHeight, plan_.columns, plan_.levels - 1));
  glm::vec4 rings[kImpostorRings] = {};
  float first = 0.0f;
  for (int ring = 0; ring < kImpostorRings; ++ring) {
    const auto count = static_cast<float>(directionsOnRing(ring, plan_.onHorizon));
    rings[ring] = glm::vec4(count, first, 0.0f, 0.0f);
    first += count;
  }
  (*program)->set("ckRings", std::span<const glm::vec4>(rings));
  if (number == 1) (*program)->set("ckFirstId", static_cast<int>(pass.firstId));
  frames_.bind(unit::kImpostorFrames);
  moments_.bind(unit::kImpostorMoments);
  directions_.bind(unit::kImpostorDirections);
  glActiveTexture(kUnit);
  glBindTexture(GL_TEXTURE_2D_ARRAY, texture_.name());
  glActiveTexture(GL_TEXTURE0);
  if (pass.vertexStageOnly) glEnable(GL_RASTERIZER_DISCARD);
  actors.draw(**program);
  glDisable(GL_RASTERIZER_DISCARD);
  return {};
}

Result<Impostors> ImpostorSet::readBack() const {
  CK_ASSERT(isReady());
  Impostors impostors = describedBy(plan_, *atlas_->atlas);
  if (auto sound = checkImpostors(impostors); !sound) {
    return fail(ErrorCode::LimitExceeded, sound.error().message);
  }
  const int width = plan_.columns * plan_.cellWidth;
  const int height = plan_.rows * plan_.cellHeight;
  const std::size_t layer = 4 * static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
  std::vector<std::uint8_t> layers(layer * 2 * plan_.directions.size());
  drainGlErrors();
  glActiveTexture(kUnit);
  glBindTexture(GL_TEXTURE_2D_ARRAY, texture_.name());
  glPixelStorei(GL_PACK_ALIGNMENT, 4);
  glGetTexImage(GL_TEXTURE_2D_ARRAY, 0, GL_RGBA, GL_UNSIGNED_BYTE, layers.data());
  glActiveTexture(GL_TEXTURE0);
  if (outOfGlMemory()) {
    return fail(ErrorCode::LimitExceeded,
                "the graphics driver has no memory for reading pictures of far actors");
  }
  for (std::size_t direction = 0; direction < plan_.directions.size(); ++direction) {
    for (int part = 0; part < 2; ++part) {
      Image& into = part == 0 ? impostors.color : impostors.form;
      copyCells(plan_, layers.data() + (2 * direction + static_cast<std::size_t>(part)) * layer,
                direction, into);
    }
  }
  return impostors;
}

Result<void> ImpostorSet::draw(const FarActors& actors, const DrawPass& pass, int width,
                               int height) const {
  return drawWith("far/impostor.vert", "far/impostor.frag", actors, pass, width, height);
}

Result<void> ImpostorSet::drawPoints(const FarActors& actors, const DrawPass& pass, int width,
                                     int height) const {
  return drawWith("far/point.vert", "far/point.frag", actors, pass, width, height);
}

}  // namespace ck::render
