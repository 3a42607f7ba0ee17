#include "render/view/crowd_renderer.h"

#include <epoxy/gl.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>

#include "core/base/assert.h"
#include "render/gl/framebuffer.h"
#include "render/skinning/book_records.h"
#include "render/skinning/skinner.h"
#include "render/view/surroundings.h"

namespace ck::render {
namespace {

using Clock = std::chrono::steady_clock;

double millisecondsSince(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

SceneLook lookOf(const Camera& camera, const RenderSettings& settings, int width, int height) {
  SceneLook look;
  const double aspect = static_cast<double>(width) / static_cast<double>(height);
  look.viewProjection = projectionMatrix(camera, aspect) * viewMatrix(camera);
  look.eye = glm::vec3(eyeOf(camera));
  look.fogMeters = static_cast<float>(std::max(70.0, camera.distance * 3.6));
  look.errorScaleMeters = static_cast<float>(std::max(settings.errorScaleMm, 1e-6) * 0.001);
  return look;
}

// What a skinner is made for.
struct SkinnerKey {
  Method method = Method::Atlas;
  PoseFrom from = PoseFrom::Atlas;
  ActorStream* actors = nullptr;
  bool nextInB = false;
  bool operator==(const SkinnerKey&) const = default;
};

struct SkinnerSlot {
  SkinnerKey key;
  std::unique_ptr<Skinner> skinner;
};

// A part of the picture and the poses shown in it.
struct Shot {
  SkinnerSlot* slot = nullptr;
  int left = 0;
  int width = 0;
};

Result<void> checkSettings(const RenderSettings& settings, Shown shown) {
  if (settings.influences != 1 && settings.influences != 2 && settings.influences != 4) {
    return fail(ErrorCode::InvalidInput,
                fmt::format("{} influences cannot be drawn; 1, 2 or 4 can", settings.influences));
  }
  const bool ofAtlas =
      settings.sampling == Sampling::Compact || settings.sampling == Sampling::HardwareLinear;
  const bool showsMethod = shown != Shown::Source && shown != Shown::Error;
  if (ofAtlas && showsMethod && settings.method != Method::Atlas) {
    return fail(ErrorCode::Unsupported,
                fmt::format("'{}' is a way of the method atlas; choose it, or nearest or "
                            "interpolated",
                            samplingName(settings.sampling)));
  }
  return {};
}

// Whether the picture's baked poses come from compact records.
bool usesCompact(const RenderSettings& settings, Shown shown) {
  return settings.sampling == Sampling::Compact && settings.method == Method::Atlas &&
         shown != Shown::Source && shown != Shown::Error;
}

}  // namespace

struct CrowdRenderer::Parts {
  ContextFacts facts;
  ShaderLibrary shaders;
  Surroundings surroundings{shaders};
  ActorStream actors;
  ActorStream compactActors{ActorRecord::Compact};
  ActorStream bookActors;  // with the frames of the write-up's timing
  std::optional<CharacterGpu> character;
  std::optional<AtlasGpu> atlas;
  SkinnerSlot baked;
  SkinnerSlot source;
  SkinnerSlot bookTimed;
  std::span<const gpu::CkActor> records;  // of the crowd that is being drawn, or `unfaded`
  std::vector<gpu::CkActor> unfaded;
  ActorStream* shadowActors = &actors;  // that shadows and rings are drawn from
  std::size_t actorBytes = 0;           // uploaded this frame
  std::optional<Target> keptTarget;     // of drawAndFinish()
  FrameStats stats;

  void dropSkinners() {
    baked.skinner.reset();
    source.skinner.reset();
    bookTimed.skinner.reset();
  }

  // What is shown: without an atlas, the source.
  Shown shownBy(const RenderSettings& settings) const {
    return atlas ? settings.shown : Shown::Source;
  }

  Result<void> footprints();
  Result<void> wake(SkinnerSlot& slot, const SkinnerKey& key);
  Result<void> wakeBaked(const RenderSettings& settings);
  Result<std::vector<Shot>> shotsFor(const RenderSettings& settings, int width);
  Result<void> uploadActors(const Crowd& crowd, const RenderSettings& settings,
                            std::span<const std::uint32_t> selected);
  Result<std::vector<Shot>> prepare(const Crowd& crowd, const RenderSettings& settings, int width,
                                    std::span<const std::uint32_t> selected);
  Result<void> drawShots(const std::vector<Shot>& shots, const DrawPass& pass, int width,
                         int height);
  Result<void> drawAround(const SceneLook& look, const Camera& camera,
                          const RenderSettings& settings, int width, int height);
  void countFrame(const std::vector<Shot>& shots);
};

CrowdRenderer::CrowdRenderer(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
CrowdRenderer::~CrowdRenderer() = default;

const ContextFacts& CrowdRenderer::facts() const {
  return parts_->facts;
}
const FrameStats& CrowdRenderer::stats() const {
  return parts_->stats;
}

Result<std::unique_ptr<CrowdRenderer>> CrowdRenderer::make() {
  auto facts = readContextFacts();
  if (!facts) return tl::unexpected(facts.error());
  auto parts = std::make_unique<Parts>();
  parts->facts = std::move(*facts);
  if (auto ready = parts->surroundings.prepare(); !ready) return tl::unexpected(ready.error());
  return std::unique_ptr<CrowdRenderer>(new CrowdRenderer(std::move(parts)));
}

Result<void> CrowdRenderer::Parts::footprints() {
  const std::vector<Footprint> all =
      atlas ? atlasFootprints(*atlas->atlas) : restFootprint(*character->character);
  return surroundings.setFootprints(all);
}

Result<void> CrowdRenderer::setCharacter(CharacterPtr character) {
  CK_ASSERT(character != nullptr);
  Parts& parts = *parts_;
  resetGlState();
  auto uploaded = uploadCharacter(std::move(character));
  if (!uploaded) return tl::unexpected(uploaded.error());
  parts.dropSkinners();
  parts.character = std::move(*uploaded);
  // An atlas of another rig has nothing to say about this one.
  const std::size_t joints = parts.character->character->rig.skinJoints.size();
  if (parts.atlas && parts.atlas->atlas->joints.size() != joints) parts.atlas.reset();
  return parts.footprints();
}

Result<void> CrowdRenderer::setAtlas(AtlasPtr atlas) {
  Parts& parts = *parts_;
  resetGlState();
  if (atlas == nullptr) {
    parts.dropSkinners();
    parts.atlas.reset();
    return parts.character ? parts.footprints() : Result<void>();
  }
  if (!parts.character) {
    return fail(ErrorCode::InvalidInput, "an atlas needs its character first");
  }
  const std::size_t joints = parts.character->character->rig.skinJoints.size();
  if (atlas->joints.size() != joints || atlas->clips.empty()) {
    return fail(ErrorCode::InvalidInput,
                fmt::format("the atlas has {} joints and {} clips, and {} has {} joints; bake it "
                            "again",
                            atlas->joints.size(), atlas->clips.size(),
                            parts.character->character->name, joints));
  }
  auto uploaded = uploadAtlas(std::move(atlas));
  if (!uploaded) return tl::unexpected(uploaded.error());
  parts.dropSkinners();
  parts.atlas = std::move(*uploaded);
  return parts.footprints();
}

Result<void> CrowdRenderer::Parts::wake(SkinnerSlot& slot, const SkinnerKey& key) {
  if (slot.skinner != nullptr && slot.key == key) return {};
  slot.skinner.reset();
  auto made = makeSkinner(
      key.method, key.from,
      {*character, atlas ? &*atlas : nullptr, *key.actors, shaders, facts, key.nextInB});
  if (!made) return tl::unexpected(made.error());
  slot.key = key;
  slot.skinner = std::move(*made);
  return {};
}

Result<void> CrowdRenderer::Parts::wakeBaked(const RenderSettings& settings) {
  ActorStream& stream = usesCompact(settings, settings.shown) ? compactActors : actors;
  return wake(baked, {settings.method, PoseFrom::Atlas, &stream});
}

Result<std::vector<Shot>> CrowdRenderer::Parts::shotsFor(const RenderSettings& settings,
                                                         int width) {
  const SkinnerKey fromSource{Method::Cpu, PoseFrom::Source, &actors};
  std::vector<Shot> shots;
  Result<void> woken;
  switch (shownBy(settings)) {
    case Shown::Source:
      woken = wake(source, fromSource);
      shots = {{&source, 0, width}};
      break;
    case Shown::Baked:
      woken = wakeBaked(settings);
      shots = {{&baked, 0, width}};
      break;
    case Shown::Error:
      woken = wake(baked, {Method::Cpu, PoseFrom::AtlasError, &actors});
      shots = {{&baked, 0, width}};
      break;
    case Shown::Split:
      woken = wake(source, fromSource);
      if (woken) woken = wakeBaked(settings);
      shots = {{&source, 0, width / 2}, {&baked, width / 2, width - width / 2}};
      break;
    case Shown::BookTiming:
      woken = wakeBaked(settings);
      if (woken) woken = wake(bookTimed, {Method::Atlas, PoseFrom::Atlas, &bookActors, true});
      shots = {{&baked, 0, width / 2}, {&bookTimed, width / 2, width - width / 2}};
      break;
  }
  if (!woken) return tl::unexpected(woken.error());
  return shots;
}

Result<void> CrowdRenderer::Parts::uploadActors(const Crowd& crowd, const RenderSettings& settings,
                                                std::span<const std::uint32_t> selected) {
  records = crowd.instances();
  if (!settings.fades && crowd.fadingActors() > 0) {
    unfaded.assign(records.begin(), records.end());
    for (gpu::CkActor& record : unfaded) record.frames.w &= ~1023;
    records = unfaded;
  }
  const Shown shown = shownBy(settings);
  const bool compact = usesCompact(settings, shown);
  shadowActors = compact && shown != Shown::Split ? &compactActors : &actors;
  actorBytes = 0;
  const auto upload = [&](ActorStream& stream, std::span<const gpu::CkActor> all) {
    auto stored = stream.upload(all, selected);
    actorBytes += stream.uploadedBytes();
    return stored;
  };
  if (compact) {
    if (auto stored = upload(compactActors, records); !stored) return stored;
  }
  if (shown == Shown::BookTiming) {
    const auto timed = bookRecords(crowd, records, settings.bookTickSeconds);
    if (auto stored = upload(bookActors, timed); !stored) return stored;
  }
  return shadowActors == &actors ? upload(actors, records) : Result<void>();
}

Result<std::vector<Shot>> CrowdRenderer::Parts::prepare(const Crowd& crowd,
                                                        const RenderSettings& settings, int width,
                                                        std::span<const std::uint32_t> selected) {
  if (!character) return fail(ErrorCode::InvalidInput, "there is no character to draw yet");
  if (auto valid = checkSettings(settings, shownBy(settings)); !valid) {
    return tl::unexpected(valid.error());
  }
  resetGlState();
  if (auto stored = uploadActors(crowd, settings, selected); !stored) {
    return tl::unexpected(stored.error());
  }
  auto shots = shotsFor(settings, width);
  if (!shots) return shots;
  for (const Shot& shot : *shots) {
    SkinningTick tick{crowd,
                      records,
                      settings.sampling,
                      settings.influences,
                      settings.fades,
                      methodReading(settings.method),
                      settings.poseSteps,
                      settings.bookTickSeconds};
    if (shot.slot == &bookTimed) {
      tick.sampling = Sampling::Interpolated;
      tick.fades = false;
    }
    if (auto updated = shot.slot->skinner->update(tick); !updated) {
      return tl::unexpected(updated.error());
    }
  }
  return shots;
}

Result<void> CrowdRenderer::Parts::drawShots(const std::vector<Shot>& shots, const DrawPass& pass,
                                             int width, int height) {
  const bool split = shots.size() > 1;
  for (const Shot& shot : shots) {
    if (split) {
      glEnable(GL_SCISSOR_TEST);
      glScissor(shot.left, 0, shot.width, height);
    }
    if (auto drawn = shot.slot->skinner->draw(pass); !drawn) return drawn;
  }
  if (split) glScissor(0, 0, width, height);
  glDisable(GL_SCISSOR_TEST);
  return {};
}

Result<void> CrowdRenderer::Parts::drawAround(const SceneLook& look, const Camera& camera,
                                              const RenderSettings& settings, int width,
                                              int height) {
  if (auto ground = surroundings.drawGround(look, camera, settings.grid); !ground) return ground;
  if (auto sky = surroundings.drawSky(look); !sky) return sky;
  auto marks = surroundings.drawFootprints(look, *shadowActors, settings.shadows != Shadows::Off);
  if (!marks) return marks;
  const Shown shown = shownBy(settings);
  if (shown == Shown::Error) return surroundings.drawLegend(width, height);
  if (shown == Shown::Split || shown == Shown::BookTiming) {
    glEnable(GL_SCISSOR_TEST);
    glScissor(width / 2 - 1, 0, 2, height);
    glClearColor(0.45f, 0.47f, 0.50f, 1.0f);
    glClear(GL_COLOR_BUFFER_BIT);
    glDisable(GL_SCISSOR_TEST);
  }
  return {};
}

void CrowdRenderer::Parts::countFrame(const std::vector<Shot>& shots) {
  stats.actors = records.size();
  stats.verticesPerActor = character->vertexCount();
  stats.trianglesPerActor = character->indexCount() / 3;
  stats.drawCalls = 0;
  stats.fetchesPerVertex = 0;
  stats.uploadedBytes = actorBytes;
  for (const Shot& shot : shots) {
    stats.drawCalls += shot.slot->skinner->drawCalls(records.size());
    stats.fetchesPerVertex =
        std::max(stats.fetchesPerVertex, shot.slot->skinner->fetchesPerVertex());
    stats.uploadedBytes += shot.slot->skinner->uploadedBytes();
  }
  stats.atlasBytes = atlas ? atlas->atlas->texels.size() : 0;
}

Result<void> CrowdRenderer::draw(const Crowd& crowd, const Camera& camera,
                                 const RenderSettings& settings, unsigned framebuffer, int width,
                                 int height, std::span<const std::uint32_t> selected) {
  Parts& parts = *parts_;
  if (width < 1 || height < 1) return {};  // a window that is folded away
  const Clock::time_point start = Clock::now();
  auto shots = parts.prepare(crowd, settings, width, selected);
  if (!shots) return tl::unexpected(shots.error());
  parts.stats.updateMs = millisecondsSince(start);

  const Clock::time_point drawing = Clock::now();
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
  glViewport(0, 0, width, height);
  glClearColor(0.0f, 0.0f, 0.0f, 1.0f);
  glClearDepth(1.0);
  glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
  DrawPass pass;
  pass.look = lookOf(camera, settings, width, height);
  if (auto drawn = parts.drawShots(*shots, pass, width, height); !drawn) return drawn;
  auto around = parts.drawAround(pass.look, camera, settings, width, height);
  glBindVertexArray(0);
  glUseProgram(0);
  glActiveTexture(GL_TEXTURE0);
  parts.stats.drawMs = millisecondsSince(drawing);
  parts.countFrame(*shots);
  return around;
}

Result<Frame> CrowdRenderer::drawToFrame(const Crowd& crowd, const Camera& camera,
                                         const RenderSettings& settings, int width, int height,
                                         std::span<const std::uint32_t> selected) {
  const KeptFramebuffer kept;
  auto target = Target::make(width, height, TargetFormat::Rgba8);
  if (!target) return tl::unexpected(target.error());
  auto drawn = draw(crowd, camera, settings, target->name(), width, height, selected);
  if (!drawn) return tl::unexpected(drawn.error());
  return Frame{width, height, target->readRgba()};
}

Result<void> CrowdRenderer::drawAndFinish(const Crowd& crowd, const Camera& camera,
                                          const RenderSettings& settings, int width, int height,
                                          bool vertexStageOnly) {
  Parts& parts = *parts_;
  const KeptFramebuffer kept;
  std::optional<Target>& target = parts.keptTarget;
  if (!target || target->width() != width || target->height() != height) {
    auto made = Target::make(width, height, TargetFormat::Rgba8);
    if (!made) return tl::unexpected(made.error());
    target = std::move(*made);
  }
  if (!vertexStageOnly) {
    auto drawn = draw(crowd, camera, settings, target->name(), width, height);
    glFinish();
    return drawn;
  }
  auto shots = parts.prepare(crowd, settings, width, {});
  if (!shots) return tl::unexpected(shots.error());
  glBindFramebuffer(GL_FRAMEBUFFER, target->name());
  glViewport(0, 0, width, height);
  DrawPass pass;
  pass.look = lookOf(camera, settings, width, height);
  pass.vertexStageOnly = true;
  auto drawn = parts.drawShots(*shots, pass, width, height);
  glFinish();
  parts.countFrame(*shots);
  return drawn;
}

Result<int> CrowdRenderer::pick(const Crowd& crowd, const Camera& camera,
                                const RenderSettings& settings, int width, int height, int x,
                                int y) {
  const auto under = pickBox(crowd, camera, settings, width, height, {x, y, 1, 1});
  if (!under) return tl::unexpected(under.error());
  return under->empty() ? -1 : static_cast<int>(under->front());
}

Result<std::vector<std::uint32_t>> CrowdRenderer::pickBox(const Crowd& crowd, const Camera& camera,
                                                          const RenderSettings& settings, int width,
                                                          int height, const PixelBox& asked) {
  const int left = std::max(asked.x, 0);
  const int top = std::max(asked.y, 0);
  const PixelBox box{left, top, std::min(asked.x + asked.width, width) - left,
                     std::min(asked.y + asked.height, height) - top};
  if (box.width < 1 || box.height < 1) return std::vector<std::uint32_t>{};
  Parts& parts = *parts_;
  auto shots = parts.prepare(crowd, settings, width, {});
  if (!shots) return tl::unexpected(shots.error());
  const KeptFramebuffer kept;
  auto target = Target::make(box.width, box.height, TargetFormat::R32Ui);
  if (!target) return tl::unexpected(target.error());
  // The picture is moved and blown up until the box in question is all of it.
  glm::dmat4 onlyBox(1.0);
  onlyBox[0][0] = static_cast<double>(width) / box.width;
  onlyBox[1][1] = static_cast<double>(height) / box.height;
  onlyBox[3][0] = (width - 2.0 * box.x - box.width) / box.width;
  onlyBox[3][1] = (2.0 * box.y + box.height - height) / box.height;
  DrawPass pass;
  pass.kind = DrawPass::Kind::ActorIds;
  pass.look = lookOf(camera, settings, width, height);
  pass.look.viewProjection = glm::mat4(onlyBox * glm::dmat4(pass.look.viewProjection));
  glBindFramebuffer(GL_FRAMEBUFFER, target->name());
  glViewport(0, 0, box.width, box.height);
  const GLuint nobody[4] = {0, 0, 0, 0};
  glClearBufferuiv(GL_COLOR, 0, nobody);
  glClearDepth(1.0);
  glClear(GL_DEPTH_BUFFER_BIT);
  glEnable(GL_SCISSOR_TEST);
  Result<void> drawn;
  for (const Shot& shot : *shots) {
    const int from = std::max(shot.left - box.x, 0);
    const int to = std::min(shot.left + shot.width - box.x, box.width);
    if (to <= from || !drawn) continue;
    glScissor(from, 0, to - from, box.height);
    drawn = shot.slot->skinner->draw(pass);
  }
  glDisable(GL_SCISSOR_TEST);
  if (!drawn) return tl::unexpected(drawn.error());
  std::vector<char> seen(crowd.size() + 1, 0);
  for (const std::uint32_t id : target->readIds()) {
    if (id < seen.size()) seen[id] = 1;
  }
  std::vector<std::uint32_t> actors;
  for (std::uint32_t id = 1; id < seen.size(); ++id) {
    if (seen[id] != 0) actors.push_back(id - 1);
  }
  return actors;
}

Result<std::vector<glm::vec3>> CrowdRenderer::readBackPositions(const Crowd& crowd,
                                                                const RenderSettings& settings) {
  Parts& parts = *parts_;
  auto shots = parts.prepare(crowd, settings, 1, {});
  if (!shots) return tl::unexpected(shots.error());
  const CharacterGpu& character = *parts.character;
  const std::size_t welded = character.vertexCount();
  std::vector<glm::vec3> fedBack(crowd.size() * welded);
  Buffer buffer;
  auto room = buffer.allocate(std::max<std::size_t>(fedBack.size() * sizeof(glm::vec3), 4),
                              "the positions to read back");
  if (!room) return tl::unexpected(room.error());
  // A context without a window has no framebuffer to draw nothing into.
  const KeptFramebuffer kept;
  auto target = Target::make(1, 1, TargetFormat::Rgba8);
  if (!target) return tl::unexpected(target.error());
  glBindFramebuffer(GL_FRAMEBUFFER, target->name());
  DrawPass pass;
  pass.kind = DrawPass::Kind::Positions;
  pass.feedbackBuffer = buffer.name();
  // Of two halves the right one: what is baked, or what the book times.
  if (auto drawn = shots->back().slot->skinner->draw(pass); !drawn) {
    return tl::unexpected(drawn.error());
  }
  buffer.read(std::as_writable_bytes(std::span(fedBack)));
  const std::vector<std::uint32_t>& weldedOf = character.welded.weldedOf;
  std::vector<glm::vec3> positions;
  positions.reserve(crowd.size() * weldedOf.size());
  for (std::size_t actor = 0; actor < crowd.size(); ++actor) {
    for (const std::uint32_t vertex : weldedOf) {
      positions.push_back(fedBack[actor * welded + vertex]);
    }
  }
  return positions;
}

Bounds crowdBounds(const Crowd& crowd, const Character& character) {
  const Bounds body = bindBounds(character);
  // A body turns about its actor's place, so its reach to the side counts in every direction.
  const double side =
      std::hypot(std::max(-body.low.x, body.high.x), std::max(-body.low.z, body.high.z));
  std::vector<gpu::CkActor> records(crowd.size());
  crowd.writeInstances(records);
  Bounds bounds = {{-side, body.low.y, -side}, {side, body.high.y, side}};
  for (std::size_t i = 0; i < records.size(); ++i) {
    const glm::dvec3 place(records[i].positionAlphaA);
    const glm::dvec3 scale(records[i].scaleAlphaB);
    const glm::dvec3 a = place + glm::dvec3(-side, body.low.y, -side) * scale;
    const glm::dvec3 b = place + glm::dvec3(side, body.high.y, side) * scale;
    const glm::dvec3 low = glm::min(a, b);
    const glm::dvec3 high = glm::max(a, b);
    bounds.low = i == 0 ? low : glm::min(bounds.low, low);
    bounds.high = i == 0 ? high : glm::max(bounds.high, high);
  }
  return bounds;
}

}  // namespace ck::render
