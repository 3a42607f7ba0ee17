#include "render/view/crowd_renderer.h"

#include <epoxy/gl.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>

#include "core/base/assert.h"
#include "render/frame/tick_clock.h"
#include "render/gl/edge_mode.h"
#include "render/gl/framebuffer.h"
#include "render/methods/palette/palette_read.h"
#include "render/shadows/shadow_maps.h"
#include "render/skinning/method_offers.h"
#include "render/view/actor_lines.h"
#include "render/view/blend_layers.h"
#include "render/view/character_set.h"
#include "render/view/crowd_detail.h"
#include "render/view/error_scale.h"
#include "render/view/motion_steps.h"
#include "render/view/playing.h"

namespace ck::render {
namespace {

using Clock = std::chrono::steady_clock;

double millisecondsSince(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

// Automatic shadows must not be the largest cost of a crowd: every shadow map draws the whole
// crowd.
constexpr std::size_t kMostAutoTriangles = 40'000'000;

// A view of the crowd; sizes in pixels.
struct View {
  const CrowdView& crowd;
  const Camera& camera;
  const RenderSettings& settings;
  int width = 0;
  int height = 0;

  double aspect() const { return static_cast<double>(width) / static_cast<double>(height); }
  ViewMode mode() const { return settings.view.pose.viewMode; }
};

std::vector<CrowdStamp> stampsOf(const CrowdView& crowd) {
  std::vector<CrowdStamp> stamps;
  for (const Crowd& one : crowd.crowds()) stamps.push_back(one.stamp());
  return stamps;
}

// One half of a view, or the whole view.
PixelBox halfOf(int half, bool halved, const View& view) {
  if (!halved) return {0, 0, view.width, view.height};
  const int divider = dividerOf(view.settings.view.wipe, view.width);
  return {half == 0 ? 0 : divider, 0, half == 0 ? divider : view.width - divider, view.height};
}

}  // namespace

int dividerOf(double wipe, int widthPixels) {
  return static_cast<int>(std::clamp(wipe, 0.0, 1.0) * widthPixels);
}

struct CrowdRenderer::Parts {
  Parts(ContextFacts context, std::size_t skinnedPageVertices)
      : facts(std::move(context)), characters(shaders, facts, skinnedPageVertices) {}

  ContextFacts facts;
  ShaderLibrary shaders;
  Environment environment{shaders};
  StaticScene scene{shaders, facts};
  CharacterSet characters;
  CrowdDetail detail{shaders, facts};
  std::vector<Playing> playing;      // the characters with actors, as of the last prepare()
  std::vector<Playing> drawn;        // the same, or their levels of detail
  std::optional<Target> keptTarget;  // for drawAndFinish()
  FrameStats stats;
  std::optional<PassTimers> timers;
  TickClock clock;
  RenderSettings tickedBy;                       // settings of the last tick
  std::uint32_t selectedCharacter = UINT32_MAX;  // character of the first selected actor, if any
  std::vector<std::uint32_t> selected;           // to be highlighted by the next tick
  bool plansDetail = false;  // whether the last prepare() knew what the crowd is looked at by
  bool stale = true;         // whether something besides the crowd has changed since the last tick
  std::optional<glm::vec3> eye;  // the eye for near actors
  double tickSeconds = 0.0;      // time between the last two ticks of one crowd
  MotionSteps motion;
  bool ticked = false;                      // whether the last prepare() made a tick
  std::optional<ErrorViewStats> errorView;  // as of the last tick; its scale is the automatic one
  bool recast = true;                       // whether characters were set since the last tick
  std::optional<Bounds> casters;            // as of the last tick; computed on demand
  ShadowMaps shadowMaps;
  BlendLayers blendLayers{shaders};
  ActorLines lines{shaders};
  glm::vec3 linesSeenFrom{0.0f};

  // Whether any character shows its atlas; otherwise all show their source.
  bool anyAtlas() const {
    return std::any_of(playing.begin(), playing.end(), [](const Playing& one) {
      return one.characterRenderer->atlas() != nullptr;
    });
  }
  bool halved(const RenderSettings& settings) const {
    return isHalved(settings.view.pose.viewMode) && anyAtlas();
  }

  void select(std::span<const std::uint32_t> actors);
  void lookFrom(std::optional<glm::vec3> place, double nearMeters);
  void lookThrough(const Camera& camera, double nearMeters);
  Result<void> prepare(const CrowdView& crowd, const RenderSettings& settings,
                       const std::optional<DetailEye>& seenBy);
  Result<void> tick(const CrowdView& crowd, const RenderSettings& asked);
  void findWorstVertex(bool goesOn);
  double errorScaleMm(const RenderSettings& settings) const;
  Result<void> castShadows(const View& view, DrawPass& pass);
  DrawPass passFor(const View& view) const;
  Result<void> drawCrowd(const DrawPass& pass, const View& view);
  // The shadows of this frame, with Auto resolved.
  Shadows shadowsOf(const RenderSettings& settings) const;
  bool lightsBefore(const CharacterRenderer& characterRenderer, const DrawPass& pass,
                    const View& view) const;
  Result<void> drawIds(DrawPass pass, int half, int width, int height);
  Result<std::vector<std::uint32_t>> idsIn(const PixelBox& box, const View& view);
  bool isBlended(const DrawPass& pass, const View& view) const;
  Result<void> drawOverlaid(DrawPass pass, const View& view, unsigned framebuffer);
  Result<void> drawAround(const DrawPass& pass, const View& view);
  Result<void> drawMarks(const View& view);
  template <class Draw>
  Result<void> drawHalves(const View& view, Draw&& draw) const;
  Result<void> updateLines(const View& view, const glm::vec3& from);
  Result<void> drawLines(const DrawPass& pass, const View& view);
  void countFrame(const RenderSettings& settings);
};

CrowdRenderer::CrowdRenderer(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
CrowdRenderer::~CrowdRenderer() = default;

const ContextFacts& CrowdRenderer::facts() const {
  return parts_->facts;
}
const FrameStats& CrowdRenderer::stats() const {
  return parts_->stats;
}
void CrowdRenderer::completeDetail() {
  resetGlState();
  parts_->detail.complete();
}

Result<std::unique_ptr<CrowdRenderer>> CrowdRenderer::make(std::size_t skinnedPageVertices) {
  auto facts = readContextFacts();
  if (!facts) return tl::unexpected(facts.error());
  auto parts = std::make_unique<Parts>(std::move(*facts), skinnedPageVertices);
  parts->timers.emplace(parts->facts.software);
  if (auto ready = parts->environment.prepare(); !ready) return tl::unexpected(ready.error());
  if (auto ready = parts->scene.set({}); !ready) return tl::unexpected(ready.error());
  return std::unique_ptr<CrowdRenderer>(new CrowdRenderer(std::move(parts)));
}

Result<void> CrowdRenderer::setCharacters(std::span<const CharacterEntry> entries) {
  Parts& parts = *parts_;
  resetGlState();
  parts.playing.clear();
  parts.stale = true;
  parts.recast = true;
  for (const CharacterEntry& entry : entries) {
    if (entry.atlas != nullptr) logRefusals(encodingOf(entry.atlas->recipe));
  }
  parts.drawn.clear();
  auto set = parts.characters.set(entries);
  parts.detail.setCast(parts.characters.entries(), parts.characters.characterRenderers());
  return set;
}

Result<void> CrowdRenderer::setCharacter(CharacterPtr character) {
  CK_ASSERT(character != nullptr);
  CharacterEntry entry{std::move(character), nullptr, {}};
  // Reject an atlas that was baked from another rig.
  const std::vector<CharacterEntry>& before = parts_->characters.entries();
  const AtlasPtr kept = before.empty() ? nullptr : before.front().atlas;
  if (kept != nullptr && checkFit(*entry.character, *kept)) entry.atlas = kept;
  return setCharacters(std::span(&entry, 1));
}

Result<void> CrowdRenderer::setAtlas(AtlasPtr atlas) {
  std::vector<CharacterEntry> cast = parts_->characters.entries();
  if (cast.empty() || cast.front().character == nullptr) {
    if (atlas == nullptr) return {};
    return fail(ErrorCode::InvalidInput, "an atlas needs its character first");
  }
  cast.front().atlas = std::move(atlas);
  return setCharacters(cast);
}

Result<void> CrowdRenderer::setProps(std::span<const PlacedProp> props) {
  resetGlState();
  parts_->casters.reset();
  return parts_->scene.set(props);
}

void CrowdRenderer::Parts::select(std::span<const std::uint32_t> actors) {
  if (std::equal(actors.begin(), actors.end(), selected.begin(), selected.end())) return;
  selected.assign(actors.begin(), actors.end());
  stale = true;
}

// Near actors are determined again when the eye has moved by a tenth of the distance.
void CrowdRenderer::Parts::lookFrom(std::optional<glm::vec3> place, double nearMeters) {
  motion.look(std::nullopt);
  const bool same = place.has_value() == eye.has_value() &&
                    (!place || static_cast<double>(glm::distance(*place, *eye)) < 0.1 * nearMeters);
  if (same) return;
  eye = place;
  const bool any = std::any_of(playing.begin(), playing.end(), [](const Playing& one) {
    return one.characterRenderer->morphsAtAll();
  });
  stale = stale || any;
}

void CrowdRenderer::Parts::lookThrough(const Camera& camera, double nearMeters) {
  lookFrom(glm::vec3(eyeOf(camera)), nearMeters);
  motion.look(glm::dmat4(viewMatrix(camera)));
}

// Makes a tick if it is due.
Result<void> CrowdRenderer::Parts::prepare(const CrowdView& crowd, const RenderSettings& settings,
                                           const std::optional<DetailEye>& seenBy) {
  const std::vector<CrowdStamp> stamps = stampsOf(crowd);
  const double seconds = crowd.crowds().empty() ? 0.0 : crowd.crowds().front().timeSeconds();
  resetGlState();
  ticked = stale || ticksDiffer(settings, tickedBy) ||
           clock.isDue(stamps, seconds, settings.view.tickRateHz);
  plansDetail = seenBy && crowd.crowds().size() <= characters.characterRenderers().size();
  const bool replanned = plansDetail ? detail.plan(crowd, *seenBy, settings,
                                                   selectedByCharacter(crowd, selected), ticked)
                                     : detail.leaveOut();
  ticked = ticked || replanned;
  const bool goesOn = clock.goesOn(stamps);
  const bool movesOn = goesOn && !clock.isAt(stamps);
  const MotionSteps::Moment moment{settings.view.pose.viewMode == ViewMode::Motion, goesOn,
                                   movesOn};
  if (!ticked) return motion.betweenTicks(playing, moment);
  stale = true;  // until the tick has succeeded
  if (auto kept = motion.beforeTick(playing, moment); !kept) return kept;
  if (auto done = tick(crowd, settings); !done) return done;
  if (auto kept = motion.afterTick(playing, moment); !kept) return kept;
  findWorstVertex(movesOn && settings.view.pose == tickedBy.view.pose);
  const double passed = clock.made(stamps, seconds);
  if (movesOn || !goesOn) tickSeconds = passed;
  tickedBy = settings;
  casters.reset();
  stale = false;
  return {};
}

Result<void> CrowdRenderer::Parts::tick(const CrowdView& crowd, const RenderSettings& asked) {
  RenderSettings settings = asked;
  if (asked.view.pose.paletteRead == PaletteRead::Auto) {
    settings.view.pose.paletteRead = fasterPaletteRead(facts, shaders);
  }
  playing.clear();
  drawn.clear();
  const auto characterRenderers = characters.characterRenderers();
  if (characterRenderers.empty())
    return fail(ErrorCode::InvalidInput, "there is no character to draw yet");
  const std::span<const Crowd> crowds = crowd.crowds();
  if (crowds.size() > characterRenderers.size()) {
    return fail(ErrorCode::InvalidInput,
                fmt::format("the crowd has {} characters, and {} are there "
                            "to be drawn",
                            crowds.size(), characterRenderers.size()));
  }
  const auto chosen = selectedByCharacter(crowd, selected);
  const bool selectedActor = !selected.empty() && selected.front() < crowd.size();
  const ActorPlace selectedPlace =
      selectedActor ? crowd.placeOf(selected.front()) : ActorPlace{UINT32_MAX, 0};
  selectedCharacter = selectedPlace.character;
  for (std::size_t c = 0; c < crowds.size(); ++c) {
    CharacterRenderer* const characterRenderer = characterRenderers[c].get();
    // Settings are refused for an empty crowd as well, so the first character is always asked.
    if (characterRenderer == nullptr || (c > 0 && crowds[c].size() == 0)) continue;
    const int ownSelected = c == selectedCharacter ? static_cast<int>(selectedPlace.index) : -1;
    const auto character = static_cast<std::uint32_t>(c);
    if (auto ticked = detail.tick(character, *characterRenderer, crowds[c], settings, chosen[c],
                                  ownSelected, eye, plansDetail, drawn);
        !ticked) {
      if (crowds.size() == 1) return ticked;
      Error error = ticked.error();
      error.message = fmt::format("{}: {}", characters.entries()[c].character->name, error.message);
      return tl::unexpected(std::move(error));
    }
    playing.push_back({characterRenderer, character});
  }
  return {};
}

// While time goes on the automatic scale only grows, so that a clip that loops keeps its colours.
void CrowdRenderer::Parts::findWorstVertex(bool goesOn) {
  const double before = goesOn && !recast && errorView ? errorView->scaleMm : 0.0;
  recast = false;
  errorView.reset();
  for (const auto& [characterRenderer, character, all] : playing) {
    const auto worst = characterRenderer->worstVertex();
    const double mm = worst ? worst->meters * 1000.0 : -1.0;
    if (!worst || (errorView && mm <= errorView->maxMm)) continue;
    errorView = ErrorViewStats{.maxMm = std::max(mm, 0.0),
                               .character = character,
                               .actor = worst->actor,
                               .vertex = worst->vertex};
  }
  if (errorView) errorView->scaleMm = std::max(errorScaleFor(errorView->maxMm), before);
}

double CrowdRenderer::Parts::errorScaleMm(const RenderSettings& settings) const {
  if (settings.view.errorScaleMm > 0.0) return settings.view.errorScaleMm;
  return errorView ? errorView->scaleMm : errorScaleFor(0.0);
}

// Whether the light on these actors is computed at their vertices.
bool CrowdRenderer::Parts::lightsBefore(const CharacterRenderer& characterRenderer,
                                        const DrawPass& pass, const View& view) const {
  if (pass.kind != DrawPass::Kind::Color || pass.vertexStageOnly) return false;
  // A normal map changes normals between vertices.
  const CharacterGpu& character = *characterRenderer.character();
  if (character.hasNormalMaps() || character.features.onlyAtPixels()) return false;
  const LightAt lightAt = view.settings.lightAt;
  if (lightAt != LightAt::Auto) return lightAt == LightAt::Vertices;
  return facts.software && characterRenderer.lightPaysAtVertices(pass.look, pass.pixelsAtMeter,
                                                                 view.width, view.height);
}

// Calls draw(half) for the view, or for both halves, each within its part of the image.
template <class Draw>
Result<void> CrowdRenderer::Parts::drawHalves(const View& view, Draw&& draw) const {
  if (!halved(view.settings)) return draw(0);
  glEnable(GL_SCISSOR_TEST);
  Result<void> drawn;
  for (int half = 0; half < 2 && drawn; ++half) {
    const PixelBox box = halfOf(half, true, view);
    glScissor(box.x, 0, box.width, box.height);
    if (box.width > 0) drawn = draw(half);
  }
  glScissor(0, 0, view.width, view.height);
  glDisable(GL_SCISSOR_TEST);
  return drawn;
}

Result<void> CrowdRenderer::Parts::drawCrowd(const DrawPass& pass, const View& view) {
  return drawHalves(view, [&](int half) -> Result<void> {
    for (const Playing& one : drawn) {
      DrawPass own = pass;
      own.litBefore = lightsBefore(*one.characterRenderer, pass, view);
      if (auto done = one.characterRenderer->draw(half, own); !done) return done;
    }
    if (pass.kind == DrawPass::Kind::Wireframe) return {};
    return detail.drawFar(pass, view.width, view.height);
  });
}

// Lines are those of the last tick. Which actors are nearest changes with the eye, too.
Result<void> CrowdRenderer::Parts::updateLines(const View& view, const glm::vec3& from) {
  const bool limited = lines.actors() < lines.wantedActors() && from != linesSeenFrom &&
                       clock.isAt(stampsOf(view.crowd));
  if (!ticked && !limited) return {};
  linesSeenFrom = from;
  return lines.update(view.crowd, playing, view.settings, selected, from, halved(view.settings));
}

Result<void> CrowdRenderer::Parts::drawLines(const DrawPass& pass, const View& view) {
  if (view.settings.view.wireframe) {
    const DrawPass wire{
        .kind = DrawPass::Kind::Wireframe, .look = pass.look, .onlySelected = !selected.empty()};
    const EdgeMode edges;
    if (auto drawn = drawCrowd(wire, view); !drawn) return drawn;
  }
  return drawHalves(view, [&](int half) {
    return lines.draw(half, pass.look, pass.pixelsAtMeter, view.width, view.height);
  });
}

Result<void> CrowdRenderer::Parts::drawAround(const DrawPass& pass, const View& view) {
  const Shadows shadows = shadowsOf(view.settings);
  auto done = scene.drawProps(pass);
  if (done) done = environment.drawGround(pass.look, view.camera, view.settings.view.grid, scene);
  if (done) done = environment.drawSky(pass.look);
  if (done) done = drawFootprints(drawn, environment, pass.look, shadows);
  if (!done) return done;
  done = detail.drawFarFootprints(environment, pass.look, shadows, view.width, view.height);
  if (done) done = scene.drawFootprints(environment, pass.look, shadows);
  return done ? detail.drawFarPoints(pass, view.width, view.height) : done;
}

// Legends, and the line between the halves.
Result<void> CrowdRenderer::Parts::drawMarks(const View& view) {
  if (view.mode() == ViewMode::Error && anyAtlas())
    return environment.drawLegend(view.width, view.height);
  if (view.mode() == ViewMode::Motion) return environment.drawWheel(view.width, view.height);
  if (halved(view.settings)) {
    glEnable(GL_SCISSOR_TEST);
    const int divider = dividerOf(view.settings.view.wipe, view.width);
    glScissor(std::max(divider - 1, 0), 0, 2, view.height);
    glClearColor(0.45f, 0.47f, 0.50f, 1.0f);
    glClear(GL_COLOR_BUFFER_BIT);
    glDisable(GL_SCISSOR_TEST);
  }
  return {};
}

// Whether the picture shows surfaces that cover in part. Other views show what can be pointed at.
bool CrowdRenderer::Parts::isBlended(const DrawPass& pass, const View& view) const {
  if (pass.kind != DrawPass::Kind::Color && pass.kind != DrawPass::Kind::ShadedColor) return false;
  if (view.mode() == ViewMode::Error && anyAtlas()) return scene.isBlended();
  return scene.isBlended() || std::any_of(playing.begin(), playing.end(), [](const Playing& one) {
           return one.characterRenderer->isBlended();
         });
}

// Lays them over the rest of the picture, which is in the layers, and gives the result to
// `framebuffer`.
Result<void> CrowdRenderer::Parts::drawOverlaid(DrawPass pass, const View& view,
                                                unsigned framebuffer) {
  pass.overlaid = true;
  blendLayers.begin();
  Result<void> drawn;
  if (view.mode() != ViewMode::Error || !anyAtlas()) drawn = drawCrowd(pass, view);
  if (drawn) drawn = scene.drawProps(pass);
  auto laid = blendLayers.finish(framebuffer);
  return drawn ? laid : drawn;
}

Shadows CrowdRenderer::Parts::shadowsOf(const RenderSettings& settings) const {
  const ViewMode mode = settings.view.pose.viewMode;
  if (mode == ViewMode::Motion || mode == ViewMode::Tangents) return Shadows::Off;
  Shadows shadows = settings.view.shadows;
  if (shadows == Shadows::Auto) {
    const bool affordable = !facts.software && trianglesOf(drawn) <= kMostAutoTriangles;
    shadows = affordable ? Shadows::Cascades : Shadows::Soft;
  }
  // Colours that show a distance must not be shaded.
  return shadows == Shadows::Cascades && mode == ViewMode::Error ? Shadows::Soft : shadows;
}

DrawPass CrowdRenderer::Parts::passFor(const View& view) const {
  DrawPass pass{.look = lookOf(view.camera, view.aspect())};
  pass.pixelsAtMeter = view.height * view.camera.distance / metersHigh(view.camera);
  pass.look.errorScaleMeters = static_cast<float>(errorScaleMm(view.settings) * 0.001);
  if (view.mode() == ViewMode::Tangents) pass.kind = DrawPass::Kind::Tangents;
  if (view.mode() != ViewMode::Motion) return pass;
  pass.kind = DrawPass::Kind::Motion;
  pass.cameraStep = glm::mat4(motion.cameraStep());
  pass.look.motionScaleMeters = static_cast<float>(
      std::max(view.settings.motionScaleMetersPerSecond * std::abs(tickSeconds), 1e-9));
  return pass;
}

// In a split view, the right half casts the shadows of both.
Result<void> CrowdRenderer::Parts::castShadows(const View& view, DrawPass& pass) {
  if (!casters) {
    casters = reachedBy(drawn);
    if (const auto box = scene.box()) {
      casters = Bounds{glm::min(casters->low, box->low), glm::max(casters->high, box->high)};
    }
  }
  // No character is loaded, e.g. while all are still being read.
  if (!(casters->low.x <= casters->high.x)) return {};
  const ShadowCascades plan = planCascades(view.camera, view.aspect(), *casters);
  int map = 0;
  auto cast = shadowMaps.draw(plan, [&](const DrawPass& depth) {
    const auto triangles = detail.drawShadows(drawn, plan, map++, depth);
    stats.shadowTriangles += triangles.value_or(0);
    return triangles ? scene.drawProps(depth) : Result<void>(tl::unexpected(triangles.error()));
  });
  if (!cast || plan.look.count == 0) return cast;
  pass.kind = DrawPass::Kind::ShadedColor;
  pass.look.shadows = plan.look;
  shadowMaps.bind();
  return {};
}

void CrowdRenderer::Parts::countFrame(const RenderSettings& settings) {
  FrameStats kept;
  kept.drawMs = stats.drawMs;
  kept.updateMs = stats.updateMs;
  kept.shadowMaps = stats.shadowMaps;
  kept.shadowTriangles = stats.shadowTriangles;
  stats = std::move(kept);
  stats.ticked = ticked;
  stats.passes = timers->costs();
  stats.errorView = errorView;
  if (stats.errorView) stats.errorView->scaleMm = errorScaleMm(settings);
  stats.linedActors = lines.actors();
  stats.linedActorsWanted = ActorLines::wanted(settings) ? lines.wantedActors() : 0;
  stats.props = scene.props();
  stats.drawCalls += scene.drawCalls();
  addCharacters(stats, drawn, selectedCharacter);
  detail.addTo(stats, playing);
}

Result<void> CrowdRenderer::draw(const CrowdView& crowd, const Camera& camera,
                                 const RenderSettings& settings, unsigned framebuffer, int width,
                                 int height, std::span<const std::uint32_t> selected) {
  Parts& parts = *parts_;
  if (width < 1 || height < 1) return {};  // a minimised window
  const Clock::time_point start = Clock::now();
  const PassTimers::Frame timed(*parts.timers);
  parts.shaders.startFrame();
  parts.timers->begin(pass_name::kTick);
  parts.select(selected);
  parts.lookThrough(camera, settings.view.pose.morphs.nearMeters);
  auto ready = parts.prepare(crowd, settings, DetailEye{camera, width, height});
  if (!ready) return ready;
  const View view{crowd, camera, settings, width, height};
  if (ready = parts.updateLines(view, glm::vec3(eyeOf(camera))); !ready) return ready;
  parts.stats.updateMs = millisecondsSince(start);
  const Clock::time_point drawing = Clock::now();
  DrawPass pass = parts.passFor(view);
  parts.stats.shadowTriangles = 0;
  const bool casts = crowd.size() > 0 || parts.scene.props() > 0;
  if (parts.shadowsOf(settings) == Shadows::Cascades && casts) {
    parts.timers->begin(pass_name::kShadows);
    if (auto cast = parts.castShadows(view, pass); !cast) return cast;
  }
  parts.stats.shadowMaps = pass.look.shadows.count;
  parts.timers->begin(pass_name::kCrowd);
  const bool blended = parts.isBlended(pass, view);
  if (blended) {
    if (auto room = parts.blendLayers.reserve(width, height); !room) return room;
  }
  glBindFramebuffer(GL_FRAMEBUFFER, blended ? parts.blendLayers.solid() : framebuffer);
  glViewport(0, 0, width, height);
  glClearColor(0.0f, 0.0f, 0.0f, 1.0f);
  glClearDepth(1.0);
  glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
  auto around = parts.drawCrowd(pass, view);
  parts.timers->begin(pass_name::kGround);
  if (around) around = parts.drawAround(pass, view);
  // Before what covers in part, because only its layers have the depth then.
  if (around) around = parts.drawLines(pass, view);
  if (around && blended) around = parts.drawOverlaid(pass, view, framebuffer);
  if (around) around = parts.drawMarks(view);
  glBindVertexArray(0);
  glUseProgram(0);
  glActiveTexture(GL_TEXTURE0);
  // OpenGL's default: QPainter uploads the glyphs of texts over the picture with it.
  glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
  parts.timers->endFrame();
  parts.stats.drawMs = millisecondsSince(drawing);
  parts.countFrame(settings);
  return around;
}

Result<Frame> CrowdRenderer::drawToFrame(const CrowdView& crowd, const Camera& camera,
                                         const RenderSettings& settings, int width, int height,
                                         std::span<const std::uint32_t> selected) {
  const KeptFramebuffer kept;
  auto target = Target::make(width, height, TargetFormat::Rgba8);
  if (!target) return tl::unexpected(target.error());
  if (auto fits = checkPictureMemory(width, height); !fits) return tl::unexpected(fits.error());
  auto drawn = draw(crowd, camera, settings, target->name(), width, height, selected);
  if (!drawn) return tl::unexpected(drawn.error());
  return Frame{width, height, target->readRgba()};
}

Result<void> CrowdRenderer::drawAndFinish(const CrowdView& crowd, const Camera& camera,
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
  parts.stale = true;
  if (!vertexStageOnly) {
    auto drawn = draw(crowd, camera, settings, target->name(), width, height);
    glFinish();
    return drawn;
  }
  auto ready = parts.prepare(crowd, settings, DetailEye{camera, width, height});
  if (!ready) return ready;
  parts.stats.shadowMaps = 0;
  parts.stats.shadowTriangles = 0;
  glBindFramebuffer(GL_FRAMEBUFFER, target->name());
  glViewport(0, 0, width, height);
  const View view{crowd, camera, settings, width, height};
  auto drawn =
      parts.drawCrowd({.look = lookOf(view.camera, view.aspect()), .vertexStageOnly = true}, view);
  glFinish();
  parts.countFrame(settings);
  return drawn;
}

Result<int> CrowdRenderer::pick(const CrowdView& crowd, const Camera& camera,
                                const RenderSettings& settings, int width, int height, int x,
                                int y) {
  const auto under = pickBox(crowd, camera, settings, width, height, {x, y, 1, 1});
  if (!under) return tl::unexpected(under.error());
  return under->empty() ? -1 : static_cast<int>(under->front());
}

// Drawn objects get consecutive ids.
Result<void> CrowdRenderer::Parts::drawIds(DrawPass pass, int half, int width, int height) {
  pass.kind = DrawPass::Kind::ActorIds;
  pass.firstId = 1;
  for (const Playing& one : drawn) {
    if (auto done = one.characterRenderer->draw(half, pass); !done) return done;
    pass.firstId += static_cast<std::uint32_t>(one.characterRenderer->actors());
  }
  if (auto far = detail.drawFar(pass, width, height); !far) return far;
  return scene.drawProps(pass);
}

// The ids in the pixels of a box that lies within the view; 0 where no actor is.
Result<std::vector<std::uint32_t>> CrowdRenderer::Parts::idsIn(const PixelBox& box,
                                                               const View& view) {
  auto ready = prepare(view.crowd, view.settings, DetailEye{view.camera, view.width, view.height});
  if (!ready) return tl::unexpected(ready.error());
  const KeptFramebuffer kept;
  auto target = Target::make(box.width, box.height, TargetFormat::R32Ui);
  if (!target) return tl::unexpected(target.error());
  // The projection is translated and scaled so that the box fills the target.
  glm::dmat4 onlyBox(1.0);
  onlyBox[0][0] = static_cast<double>(view.width) / box.width;
  onlyBox[1][1] = static_cast<double>(view.height) / box.height;
  onlyBox[3][0] = (view.width - 2.0 * box.x - box.width) / box.width;
  onlyBox[3][1] = (2.0 * box.y + box.height - view.height) / box.height;
  DrawPass pass{.look = lookOf(view.camera, view.aspect())};
  pass.look.viewProjection = glm::mat4(onlyBox * glm::dmat4(pass.look.viewProjection));
  glBindFramebuffer(GL_FRAMEBUFFER, target->name());
  glViewport(0, 0, box.width, box.height);
  const GLuint noActor[4] = {0, 0, 0, 0};
  glClearBufferuiv(GL_COLOR, 0, noActor);
  glClearDepth(1.0);
  glClear(GL_DEPTH_BUFFER_BIT);
  glEnable(GL_SCISSOR_TEST);
  const bool split = halved(view.settings);
  Result<void> drawn;
  for (int half = 0; half < (split ? 2 : 1); ++half) {
    const PixelBox side = halfOf(half, split, view);
    const int from = std::max(side.x - box.x, 0);
    const int to = std::min(side.x + side.width - box.x, box.width);
    if (to <= from || !drawn) continue;
    glScissor(from, 0, to - from, box.height);
    drawn = drawIds(pass, half, box.width, box.height);
  }
  glDisable(GL_SCISSOR_TEST);
  if (!drawn) return tl::unexpected(drawn.error());
  return target->readIds();
}

Result<std::vector<std::uint32_t>> CrowdRenderer::pickBox(const CrowdView& crowd,
                                                          const Camera& camera,
                                                          const RenderSettings& settings, int width,
                                                          int height, const PixelBox& asked) {
  const int left = std::max(asked.x, 0);
  const int top = std::max(asked.y, 0);
  const PixelBox box{left, top, std::min(asked.x + asked.width, width) - left,
                     std::min(asked.y + asked.height, height) - top};
  if (box.width < 1 || box.height < 1) return std::vector<std::uint32_t>{};
  const auto ids = parts_->idsIn(box, {crowd, camera, settings, width, height});
  if (!ids) return tl::unexpected(ids.error());
  return actorsSeen(crowd, parts_->drawn, parts_->detail.farCharacters(), *ids);
}

Result<std::size_t> CrowdRenderer::countCovered(const CrowdView& crowd, const Camera& camera,
                                                const RenderSettings& settings, int width,
                                                int height) {
  const auto ids = parts_->idsIn({0, 0, width, height}, {crowd, camera, settings, width, height});
  if (!ids) return tl::unexpected(ids.error());
  return static_cast<std::size_t>(
      std::count_if(ids->begin(), ids->end(), [](std::uint32_t id) { return id != 0; }));
}

Result<void> CrowdRenderer::pose(const CrowdView& crowd, const RenderSettings& settings,
                                 std::optional<glm::vec3> eye, const Camera* camera) {
  if (camera != nullptr) {
    parts_->lookThrough(*camera, settings.view.pose.morphs.nearMeters);
  } else {
    parts_->lookFrom(eye, settings.view.pose.morphs.nearMeters);
  }
  return parts_->prepare(crowd, settings, std::nullopt);
}

const std::vector<Playing>& CrowdRenderer::playing() const {
  return parts_->playing;
}
glm::mat4 CrowdRenderer::cameraStep() const {
  return glm::mat4(parts_->motion.cameraStep());
}

}  // namespace ck::render
