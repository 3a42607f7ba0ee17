#include "render/view/character_renderer.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/anim/pose.h"
#include "core/base/assert.h"
#include "core/view/footprints.h"
#include "render/shadows/shadow_reach.h"
#include "render/skinning/method_offers.h"
#include "render/view/drawable_view.h"

namespace ck::render {
namespace {

Result<void> checkSettings(const PoseSettings& settings, ViewMode shown) {
  if (settings.influences != 1 && settings.influences != 2 && settings.influences != 4) {
    return fail(ErrorCode::InvalidInput,
                fmt::format("{} influences cannot be drawn; 1, 2 or 4 can", settings.influences));
  }
  if (shown == ViewMode::Source || shown == ViewMode::Error || shown == ViewMode::Blends) return {};
  std::string refusal = whyNotSampled(settings.method, settings.sampling);
  if (refusal.empty()) return {};
  return fail(ErrorCode::Unsupported, std::move(refusal));
}

// Estimates, as shares of the body height, of how far poses deviate from the rest pose and vertices
// from their joints.
constexpr double kRestReach = 0.25;
constexpr double kFleshReach = 0.25;

// Whether the baked poses are drawn from compact records.
bool usesCompact(const PoseSettings& settings, ViewMode shown) {
  return settings.sampling == Sampling::Compact && settings.method == Method::Atlas &&
         shown != ViewMode::Source && shown != ViewMode::Error && shown != ViewMode::Blends;
}

// Whether a pass of the frame shows tangents.
bool needsTangents(const CharacterGpu& character, ViewMode shown) {
  if (shown == ViewMode::Tangents) return character.hasTangents();
  return shown != ViewMode::Motion && character.hasNormalMaps();
}

// The comparison of blends always applies fades.
bool showsFades(const PoseSettings& settings) {
  return settings.fades || settings.viewMode == ViewMode::Blends;
}

// The maximum edge length in pixels for light at vertices, as a function of the sine between vertex
// and triangle normals: 64 for flat sides, where only highlights change, 12 for a body as round as
// the townsperson, 4 for a square bar with smooth normals.
double largestEdge(double turn) {
  return 3.4 / (turn + 0.053);
}

// In llvmpipe 22.3.6 light costs 18 ns per vertex, and 330 ns per pixel under triangles of pixel
// size (80 to 1,000 actors of 5,718 vertices). About half of the box is covered.
constexpr double kVerticesPerPixel = 10.0;

// The places of actors among the chosen ones, which are ascending. Actors that are not chosen are
// left out.
std::vector<std::uint32_t> placesIn(const ActorChoice& chosen,
                                    std::span<const std::uint32_t> actors) {
  if (chosen.isAll()) return {actors.begin(), actors.end()};
  std::vector<std::uint32_t> places;
  const std::span<const std::uint32_t> all = chosen.actors();
  for (const std::uint32_t actor : actors) {
    const auto at = std::ranges::lower_bound(all, actor);
    if (at == all.end() || *at != actor) continue;
    places.push_back(static_cast<std::uint32_t>(at - all.begin()));
  }
  return places;
}

// The number of pixels of the box; the whole image if a part of the box is behind the eye.
double coveredPixels(const Bounds& box, const SceneLook& look, int width, int height) {
  glm::dvec2 low(1.0);
  glm::dvec2 high(-1.0);
  for (const glm::dvec3& corner : cornersOf(box)) {
    const glm::dvec4 clip = glm::dmat4(look.viewProjection) * glm::dvec4(corner, 1.0);
    if (clip.w <= 0.0) return static_cast<double>(width) * height;
    const glm::dvec2 at = glm::clamp(glm::dvec2(clip) / clip.w, -1.0, 1.0);
    low = glm::min(low, at);
    high = glm::max(high, at);
  }
  const glm::dvec2 share = glm::max(high - low, glm::dvec2(0.0)) * 0.5;
  return share.x * width * share.y * height;
}

}  // namespace

CharacterRenderer::CharacterRenderer(std::shared_ptr<CharacterGpu> character,
                                     std::shared_ptr<AtlasGpu> atlas, const CharacterTools& tools)
    : character_(std::move(character)),
      atlas_(std::move(atlas)),
      tools_(tools),
      morphs_(std::make_unique<MorphStage>(*character_, tools.shaders, tools.facts)) {}

Result<std::unique_ptr<CharacterRenderer>> CharacterRenderer::make(
    std::shared_ptr<CharacterGpu> character, std::shared_ptr<AtlasGpu> atlas,
    std::span<const int> hiddenMeshes, const CharacterTools& tools) {
  CK_ASSERT(character != nullptr);
  std::unique_ptr<CharacterRenderer> characterRenderer(
      new CharacterRenderer(std::move(character), std::move(atlas), tools));
  characterRenderer->chooseRuns(hiddenMeshes);
  const std::vector<Footprint> poses =
      characterRenderer->atlas_ ? atlasFootprints(*characterRenderer->atlas_->atlas)
                                : restFootprint(*characterRenderer->character_->character);
  auto casters = uploadShadowCasters(poses);
  if (!casters) return tl::unexpected(casters.error());
  characterRenderer->casters_ = std::move(*casters);
  characterRenderer->findReach(poses);
  return characterRenderer;
}

std::unique_ptr<CharacterRenderer> CharacterRenderer::makeLevel(
    const CharacterRenderer& whole, std::shared_ptr<CharacterGpu> level) {
  std::unique_ptr<CharacterRenderer> made(
      new CharacterRenderer(std::move(level), whole.atlas_, whole.tools_));
  made->chooseRuns(whole.hiddenMeshes_);
  made->casters_.footprints = whole.casters_.footprints;
  made->casters_.count = whole.casters_.count;
  made->reach_ = whole.reach_;
  return made;
}

// Computed from all poses and the body size at rest. The result is the same for a new bake and an
// atlas that was read from a file.
void CharacterRenderer::findReach(std::span<const Footprint> poses) {
  const Bounds rest = bindBounds(*character_->character);
  const double tall = rest.high.y - rest.low.y;
  const glm::dvec2 wide = glm::max(glm::abs(glm::dvec2(rest.low.x, rest.low.z)),
                                   glm::abs(glm::dvec2(rest.high.x, rest.high.z)));
  reach_.low = rest.low.y - kRestReach * tall;
  reach_.high = rest.high.y + kRestReach * tall;
  reach_.side = glm::length(wide) + kRestReach * tall;
  for (const Footprint& pose : poses) {
    reach_.low = std::min(reach_.low, pose.meanLow.w - kFleshReach * tall);
    reach_.high = std::max(reach_.high, pose.diagonal.w + kFleshReach * tall);
    reach_.side = std::max(reach_.side, pose.offDiagonal.w + kFleshReach * tall);
  }
}

const Bounds& CharacterRenderer::reachedBox() const {
  if (reached_) return *reached_;
  const double side = reach_.side;
  const double farthest = std::hypot(side, std::max(std::abs(reach_.low), std::abs(reach_.high)));
  Bounds box{glm::dvec3(1e300), glm::dvec3(-1e300)};
  largestScale_ = 0.0;
  for (const gpu::CkPlace& actor : records_.places()) {
    const glm::dvec3 place(actor.position);
    const double scale = std::abs(static_cast<double>(actor.scale.x));
    // A rotation about the vertical axis does not change the height.
    const bool upright =
        std::abs(actor.rotation.x) + std::abs(actor.rotation.z) < 1e-4f && actor.scale.x > 0.0f;
    const glm::dvec3 low = upright ? glm::dvec3(-side, reach_.low, -side) : glm::dvec3(-farthest);
    const glm::dvec3 high = upright ? glm::dvec3(side, reach_.high, side) : glm::dvec3(farthest);
    largestScale_ = std::max(largestScale_, scale);
    box.low = glm::min(box.low, place + low * scale);
    box.high = glm::max(box.high, place + high * scale);
  }
  reached_ = box;
  return *reached_;
}

bool CharacterRenderer::lightPaysAtVertices(const SceneLook& look, double pixelsAtMeter, int width,
                                            int height) const {
  if (actors() == 0) return false;
  const SurfaceMeasures& surface = character_->surface();
  const Bounds& box = reachedBox();
  const glm::dvec3 eye(look.eye);
  // Parallel lines of sight show everything as large as what is looked at.
  const double away =
      look.towardsEye ? static_cast<double>(look.focusMeters)
                      : glm::distance(eye, glm::clamp(eye, box.low, glm::max(box.low, box.high)));
  const double meters = static_cast<double>(surface.edgeMeters) * largestScale_;
  const double edge = meters * pixelsAtMeter / std::max(away, 1e-6);
  if (edge > largestEdge(static_cast<double>(surface.medianTurn))) return false;
  return static_cast<double>(positions()) <=
         kVerticesPerPixel * coveredPixels(box, look, width, height);
}

// Merges adjacent runs to reduce draws.
void CharacterRenderer::chooseRuns(std::span<const int> hiddenMeshes) {
  const auto add = [](std::vector<IndexRun>& runs, const IndexRun& run) {
    if (!runs.empty() && runs.back().first + runs.back().count == run.first) {
      runs.back().count += run.count;
    } else {
      runs.push_back(run);
    }
  };
  hiddenMeshes_.assign(hiddenMeshes.begin(), hiddenMeshes.end());
  const std::vector<std::uint32_t>& starts = character_->welded.meshStarts;
  triangles_ = character_->indexCount() / 3;
  std::vector<bool> hidden(starts.size(), false);
  for (const int mesh : hiddenMeshes) {
    if (mesh >= 0 && static_cast<std::size_t>(mesh) + 1 < starts.size()) {
      hidden[static_cast<std::size_t>(mesh)] = true;
    }
  }
  const Character& character = *character_->character;
  for (std::size_t mesh = 0; mesh + 1 < starts.size(); ++mesh) {
    const IndexRun run{starts[mesh], starts[mesh + 1] - starts[mesh]};
    const int material = character.meshes[mesh].material;
    if (hidden[mesh] || run.count == 0 || material < 0) continue;
    if (character.materials[static_cast<std::size_t>(material)].alpha == AlphaMode::Blend) {
      add(blendedRuns_, run);
    }
  }
  if (std::find(hidden.begin(), hidden.end(), true) == hidden.end()) return;
  triangles_ = 0;
  for (std::size_t mesh = 0; mesh + 1 < starts.size(); ++mesh) {
    const IndexRun run{starts[mesh], starts[mesh + 1] - starts[mesh]};
    if (hidden[mesh] || run.count == 0) continue;
    triangles_ += run.count / 3;
    add(runs_, run);
  }
  if (runs_.empty()) runs_.push_back({0, 0});  // all meshes are hidden
}

ViewMode CharacterRenderer::viewModeFor(const PoseSettings& settings) const {
  return atlas_ ? settings.viewMode : ViewMode::Source;
}

std::array<CharacterRenderer::SkinnerKey, 2> CharacterRenderer::keysFor(
    const PoseSettings& settings) {
  const SkinnerKey source{Method::Cpu, PoseFrom::Source, &actors_};
  const bool compared = settings.viewMode == ViewMode::Compared;
  const SkinnerKey baked{settings.method, PoseFrom::Atlas,
                         usesCompact(settings, settings.viewMode) ? &compactActors_ : &actors_,
                         settings.skinOn, compared ? nullptr : reference_};
  switch (viewModeFor(settings)) {
    case ViewMode::Source:
      return {source, source};
    case ViewMode::Baked:
    case ViewMode::Motion:
    case ViewMode::Tangents:
      return {baked, baked};
    case ViewMode::Error: {
      const SkinnerKey error{Method::Cpu, PoseFrom::AtlasError, &actors_};
      return {error, error};
    }
    case ViewMode::Split:
      return {source, baked};
    case ViewMode::Blends:
      return {SkinnerKey{Method::Palette, PoseFrom::Atlas, &actors_},
              SkinnerKey{Method::Atlas, PoseFrom::Atlas, &actors_}};
    case ViewMode::Compared:
      return {baked,
              SkinnerKey{settings.method, PoseFrom::Atlas, &actors_, settings.skinOn, reference_}};
  }
  return {source, source};
}

Result<std::shared_ptr<Skinner>> CharacterRenderer::made(const SkinnerKey& key) const {
  const SkinnerInput input{.character = *character_,
                           .atlas = atlas_.get(),
                           .actors = *key.actors,
                           .shaders = tools_.shaders,
                           .facts = tools_.facts,
                           .store = &tools_.skinned,
                           .skinOn = key.skinOn,
                           .from = key.from};
  return key.reference ? key.reference->make(input) : makeSkinner(key.method, input);
}

// Keeps the skinners that are still needed.
Result<void> CharacterRenderer::wakeHalves(const PoseSettings& settings) {
  const std::array<SkinnerKey, 2> keys = keysFor(settings);
  std::array<Half, 2> now;
  for (std::size_t half = 0; half < now.size(); ++half) {
    now[half].key = keys[half];
    for (const Half& other : {halves_[0], halves_[1], now[0]}) {
      if (other.skinner && other.key == keys[half]) now[half].skinner = other.skinner;
    }
    if (now[half].skinner) continue;
    auto skinner = made(keys[half]);
    if (!skinner) return tl::unexpected(skinner.error());
    now[half].skinner = std::move(*skinner);
  }
  halves_ = std::move(now);
  return {};
}

// The places are those of the last tick if neither they nor the choice have changed.
void CharacterRenderer::gather(const ActorRecords& all) {
  const std::span<const std::uint32_t> actors = chosen_.actors();
  const std::uint64_t places = all.placesStamp();
  if (places == 0 || places != gatheredPlaces_ || chosen_.stamp() != gatheredChoice_ ||
      paint_ != gatheredPaint_) {
    gathered_.places.resize(actors.size());
    std::ranges::transform(actors, gathered_.places.begin(),
                           [&all](std::uint32_t actor) { return all.places()[actor]; });
    for (gpu::CkPlace& place : gathered_.places) place.look = repainted(place.look, paint_);
    for (std::size_t i = 0; i < chosen_.shares().size(); ++i) {
      int& look = gathered_.places[i].look;
      look = withShare(look, chosen_.shares()[i]);
    }
    gatheredPaint_ = paint_;
    gatheredPlaces_ = places;
    gatheredChoice_ = chosen_.stamp();
    gatheredStamp_ = newStamp();
  }
  gathered_.frames.resize(actors.size());
  std::ranges::transform(actors, gathered_.frames.begin(),
                         [&all](std::uint32_t actor) { return all.frames()[actor]; });
  records_ = {gathered_.places, gathered_.frames, gatheredStamp_};
}

// `selected` are indices into the records. The GPU makes its own from those of the crowd; actors
// that dissolve are few for a moment, and are uploaded.
Result<void> CharacterRenderer::readyActors(const Crowd& crowd, const CrowdRecords& uploaded,
                                            const PoseSettings& settings,
                                            std::span<const std::uint32_t> selected) {
  records_ = crowd.instances();
  if (!chosen_.isAll()) gather(records_);
  if (!showsFades(settings) && crowd.fadingActors() > 0) {
    unfaded_.assign(records_.places().begin(), records_.places().end());
    for (gpu::CkPlace& place : unfaded_) place.look = withoutFade(place.look);
    records_ = {unfaded_, records_.frames()};
  }
  const ViewMode shown = viewModeFor(settings);
  const bool compact = usesCompact(settings, shown);
  const bool alone = shown != ViewMode::Split && shown != ViewMode::Compared;
  shadowActors_ = compact && alone ? &compactActors_ : &actors_;
  actorBytes_ = 0;
  const ActorLook look{.tint565 = chosen_.isAll() ? std::nullopt : paint_,
                       .fades = showsFades(settings)};
  const auto ready = [&](ActorStream& stream) {
    auto done = chosen_.shares().empty()
                    ? stream.compute({uploaded, chosen_, look}, selected, tools_.shaders)
                    : stream.upload(records_, selected);
    actorBytes_ += stream.uploadedBytes();
    return done;
  };
  if (compact) {
    if (auto done = ready(compactActors_); !done) return done;
  }
  return shadowActors_ == &actors_ ? ready(actors_) : Result<void>();
}

Result<void> CharacterRenderer::update(Skinner& skinner, const Crowd& crowd,
                                       const PoseSettings& settings) {
  SkinningTick tick{.crowd = crowd,
                    .chosen = chosen_,
                    .records = records_,
                    .pose = settings,
                    .morphs = morphs_->active() ? morphs_.get() : nullptr,
                    .tangents = tangents_,
                    .hiddenMeshes = hiddenMeshes_};
  tick.pose.fades = showsFades(settings);
  if (settings.viewMode == ViewMode::Blends) tick.pose.sampling = Sampling::Interpolated;
  return skinner.update(tick);
}

Result<void> CharacterRenderer::tick(const Crowd& crowd, const CrowdRecords& uploaded,
                                     const ActorChoice& chosen, const RenderSettings& asked,
                                     std::span<const std::uint32_t> selected, int selectedActor,
                                     std::optional<glm::vec3> eye) {
  chosen_ = chosen;
  const std::vector<std::uint32_t> marked = placesIn(chosen, selected);
  if (selectedActor >= 0) {
    const auto wanted = static_cast<std::uint32_t>(selectedActor);
    const std::vector<std::uint32_t> place = placesIn(chosen, {&wanted, 1});
    selectedActor = place.empty() ? -1 : static_cast<int>(place.front());
  }
  const PoseSettings settings =
      settledFor(asked.view.pose, atlas_ != nullptr ? atlas_->atlas.get() : nullptr);
  reference_ = asked.reference;
  if (auto valid = checkSettings(settings, viewModeFor(settings)); !valid) return valid;
  tools_.skinned.limit(settings.skinnedBudgetBytes);
  if (auto ready = readyActors(crowd, uploaded, settings, marked); !ready) return ready;
  if (records_.placesStamp() == 0 || records_.placesStamp() != reachedStamp_) reached_.reset();
  reachedStamp_ = records_.placesStamp();
  tangents_ = needsTangents(*character_, settings.viewMode);
  if (auto woken = wakeHalves(settings); !woken) return woken;
  auto morphed = morphs_->update({crowd, chosen_, atlas_ ? atlas_->atlas.get() : nullptr, records_,
                                  showsFades(settings), selectedActor, eye},
                                 settings.morphs);
  if (!morphed) return morphed;
  if (auto updated = update(*halves_[0].skinner, crowd, settings); !updated) return updated;
  return isSplit() ? update(*halves_[1].skinner, crowd, settings) : Result<void>();
}

Result<void> CharacterRenderer::draw(int half, DrawPass pass) const {
  if (pass.overlaid && !isBlended()) return {};
  pass.runs = pass.overlaid ? blendedRuns_ : runs_;
  pass.previous = &previous_;
  pass.morphs = morphs_->active() ? morphs_.get() : nullptr;
  pass.dissolves = !chosen_.shares().empty();
  return halves_[static_cast<std::size_t>(half)].skinner->draw(pass);
}

// Morphs are those of the whole mesh's vertices.
Result<std::size_t> CharacterRenderer::drawShadow(const ShadowCascades& cascades, int map,
                                                  DrawPass pass,
                                                  const CharacterRenderer* shape) const {
  const Skinner& skinner = *halves_[1].skinner;
  if (!skinner.drawsParts()) {
    if (auto drawn = draw(1, pass); !drawn) return tl::unexpected(drawn.error());
    return actors() * triangles_;
  }
  const std::vector<ActorRun> runs = castersIn(cascades, map, records_.places(), reach_);
  if (runs.empty()) return std::size_t{0};
  const CharacterRenderer& shown = shape != nullptr ? *shape : *this;
  pass.actors = runs;
  pass.runs = shown.runs_;
  pass.dissolves = !chosen_.shares().empty();
  if (shape != nullptr) {
    pass.shape = shape->character_.get();
  } else {
    pass.morphs = morphs_->active() ? morphs_.get() : nullptr;
  }
  if (auto drawn = skinner.draw(pass); !drawn) return tl::unexpected(drawn.error());
  std::size_t casters = 0;
  for (const ActorRun& run : runs) casters += run.count;
  return casters * shown.triangles_;
}

Result<void> CharacterRenderer::drawFootprints(Environment& environment, const SceneLook& look,
                                               Shadows shadows) {
  return environment.drawFootprints(look, casters_, *shadowActors_, shadows);
}

// In a split view, the right half is fed back.
Result<void> CharacterRenderer::keepPositions() {
  const std::size_t vertices = std::max<std::size_t>(positions(), 1);
  keptPositions_ = 0;
  if (previous_.sizeBytes() != vertices * sizeof(glm::vec3)) {
    auto room = previous_.allocate(vertices * sizeof(glm::vec3),
                                   "the positions that the motion view compares with");
    if (!room) return room;
  }
  const DrawPass pass{.kind = DrawPass::Kind::Positions, .feedbackBuffer = previous_.name()};
  if (auto drawn = draw(1, pass); !drawn) return drawn;
  keptPositions_ = vertices;
  return {};
}

void CharacterRenderer::addTo(FrameStats& stats) const {
  const std::size_t count = actors();
  stats.actors += count;
  stats.vertices += positions();
  stats.triangles += count * triangles_;
  stats.skinningBytes += morphs_->heldBytes();
  if (stats.ticked) {
    stats.uploadedBytes += actorBytes_ + (morphs_->active() ? morphs_->uploadedBytes() : 0);
  }
  const auto add = [&](const SkinnerCost& cost) {
    stats.drawCalls += cost.drawCalls;
    stats.fetchesPerVertex = std::max(stats.fetchesPerVertex, cost.fetchesPerVertex);
    stats.skinningBytes += cost.heldBytes;
    // Without actors the cost is that of the last tick that had some.
    if (stats.ticked && count > 0) stats.uploadedBytes += cost.uploadedBytes;
    if (!stats.paletteRead) stats.paletteRead = cost.paletteRead;
  };
  SkinnerCost right = halves_[1].skinner->cost(count, runs_);
  if (isBlended()) right.drawCalls += halves_[1].skinner->cost(count, blendedRuns_).drawCalls;
  stats.skinnedOnCpu = stats.skinnedOnCpu || right.onCpu;
  add(right);
  if (isSplit()) add(halves_[0].skinner->cost(count, runs_));
}

}  // namespace ck::render
