#include "render/view/crowd_detail.h"

#include <epoxy/gl.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

#include "render/far/far_actors.h"
#include "render/far/far_dots.h"
#include "render/view/detail_supply.h"
#include "render/view/drawable_view.h"

namespace ck::render {
namespace {

DetailView detailViewOf(const DetailEye& eye) {
  const Camera& camera = eye.camera;
  const double aspect = static_cast<double>(eye.width) / static_cast<double>(eye.height);
  const double atTarget = eye.height / metersHigh(camera);  // pixels of a metre
  DetailView view;
  view.viewProjection =
      glm::dmat4(projectionMatrix(camera, aspect)) * glm::dmat4(viewMatrix(camera));
  view.eye = eyeOf(camera);
  view.isParallel = camera.orthographic;
  view.pixelsAtMeter = camera.orthographic ? atTarget : atTarget * camera.distance;
  return view;
}

// Shadow maps have a low sun: a body's shadow is at most this many times as long as it is high.
constexpr double kShadowLengths = 3.0;

// Actors are planned anew when they may have walked by this share of their height.
constexpr double kWalkedShare = 0.1;
constexpr double kMillisecondsBeside = 20.0;  // of making pictures beside a frame
// The area that a body covers, as the side of a square, in shares of its height.
constexpr double kCoveredSide = 0.4;

// Up to this height points stand for actors, for each allowed pixel and at most.
constexpr double kPointPixels = 2.5;
constexpr double kMostPointPixels = 6.0;
// Actors up to this height are squares while pictures are made.
constexpr double kWaitingPixels = 48.0;

std::optional<int> levelPaint(bool isShown, std::size_t level) {
  if (!isShown) return std::nullopt;
  return tint565(kLevelTints[std::min(level, std::size(kLevelTints) - 1)]);
}

}  // namespace

struct CrowdDetail::Character {
  CharacterRenderer* whole = nullptr;
  std::uint64_t stamp = 0;  // of `whole`
  CharacterPtr character;
  DetailSupply supply;
  int mostInfluences = 4;           // of the whole mesh, as settled
  bool isWhole = false;             // all meshes are whole, because clips are posed
  std::vector<ActorPieces> pieces;  // of the whole mesh, and of the simpler ones
  DetailWays ways;
  DetailPlan plan;
  // The crowd as it was planned last: seconds, and the stamp of its places.
  double plannedAt = 0.0;
  std::uint64_t plannedPlaces = 0;
  std::size_t actors = 0;  // of the crowd, as of the last tick
  // The records of all actors; pictures and points, and those of them that dissolve.
  std::shared_ptr<CrowdRecords> records = std::make_shared<CrowdRecords>();
  FarActors pictured;
  FarActors dotted;
  FarActors passingPictured;
  FarActors passingDotted;
  // Draws the actors that dissolve as a mesh, while there are any; one per level.
  struct Passing {
    std::unique_ptr<CharacterRenderer> mesh;
    ActorPieces pieces;
  };
  std::vector<Passing> passing;

  // By the index of a way.
  const CharacterRenderer& mesh(std::size_t way) const {
    return way == 0 ? *whole : *supply.levels()[way - 1].mesh;
  }
  std::size_t levelNumber(std::size_t way) const {
    return way == 0 ? 0 : supply.levels()[way - 1].number;
  }
  std::size_t trianglesOf(std::size_t way) const {
    return way < ways.meshErrors.size() ? mesh(way).triangles() : 0;
  }
  std::array<const FarActors*, 4> far() const {
    return {&pictured, &passingPictured, &dotted, &passingDotted};
  }
  std::size_t farActors() const {
    std::size_t all = 0;
    for (const FarActors* some : far()) all += some->size();
    return actors > 0 ? all : 0;
  }
  // Metres that actors may walk before they are planned anew.
  double walkAllowance() const {
    return std::max(kWalkedShare * (whole->reach().high - whole->reach().low), 1e-9);
  }
  FarBody body() const {
    const ActorReach& reach = whole->reach();
    const double high = reach.high - reach.low;
    return {0.5 * (reach.low + reach.high), kCoveredSide * high};
  }
};

CrowdDetail::CrowdDetail(ShaderLibrary& shaders, const ContextFacts& facts)
    : shaders_(shaders), facts_(facts) {}
CrowdDetail::~CrowdDetail() = default;

void CrowdDetail::setCast(std::span<const CharacterEntry> entries,
                          std::span<const std::unique_ptr<CharacterRenderer>> cast) {
  entries_.assign(entries.begin(), entries.end());
  task_.reset();
  std::vector<std::unique_ptr<Character>> before = std::move(cast_);
  cast_.clear();
  for (const std::unique_ptr<CharacterRenderer>& renderer : cast) {
    auto one = std::make_unique<Character>();
    one->whole = renderer.get();
    if (renderer) {
      one->character = renderer->character()->character;
      one->stamp = renderer->stamp();
    }
    for (const auto& other : before) {
      if (!other || !one->character || other->character != one->character) continue;
      one->supply.shareMeshesOf(other->supply);
      if (other->stamp != one->stamp) continue;
      std::swap(*one, *other);
      break;
    }
    cast_.push_back(std::move(one));
  }
}

bool CrowdDetail::isWanted(const CrowdView& crowd, const RenderSettings& settings) {
  if (!hasDetail(settings, entries_)) return false;
  triangles_ = 0;
  for (std::size_t c = 0; c < crowd.crowds().size() && c < cast_.size(); ++c) {
    const std::size_t actors = crowd.crowds()[c].size();
    const CharacterRenderer* whole = cast_[c]->whole;
    if (whole == nullptr || actors == 0) continue;
    triangles_ += actors * whole->triangles();
  }
  const std::size_t most = settings.view.detail.mostTriangles;
  return triangles_ >= kFewTriangles || (most > 0 && triangles_ > most);
}

// Clips are posed for whole meshes alone.
void CrowdDetail::setWays(Character& one, const PoseSettings& pose) {
  one.mostInfluences = settledFor(pose, one.whole->atlas()->atlas.get()).influences;
  one.isWhole = methodInfo(pose.method).posesClips || pose.viewMode == ViewMode::Source;
  one.ways = waysFor(one, pixels_);
}

// Where far ones may be off by so many pixels.
DetailWays CrowdDetail::waysFor(const Character& one, double pixels) const {
  DetailWays ways;
  if (!one.isWhole) {
    for (const DetailSupply::Level& level : one.supply.levels()) {
      ways.meshErrors.push_back(level.errorMeters);
    }
  }
  if (one.supply.isPending() && triangles_ < kWaitingTriangles) return ways;
  const bool waits = one.supply.isPending() && !one.supply.hasPictures();
  // Without pictures, points are squares.
  ways.pointPixels = waits ? kWaitingPixels : std::min(kPointPixels * pixels, kMostPointPixels);
  if (!one.supply.hasPictures()) return ways;
  const double most =
      std::min<double>(one.supply.pictures()->cellPixels(), one.supply.pictures()->largestPixels());
  ways.picture = DetailWays::Picture{one.supply.pictures()->errorMeters(), most};
  return ways;
}

// A new budget discards all levels and pictures, which are then made again.
void CrowdDetail::budgetMemory(std::size_t mostBytes) {
  const auto characters = std::ranges::count_if(
      cast_, [](const std::unique_ptr<Character>& one) { return one->whole != nullptr; });
  const std::size_t each =
      mostBytes > 0
          ? std::max<std::size_t>(
                mostBytes / std::max<std::size_t>(static_cast<std::size_t>(characters), 1), 1)
          : 0;
  if (std::exchange(memoryEach_, each) == each) return;
  for (const std::unique_ptr<Character>& one : cast_) {
    one->pieces.clear();
    one->passing.clear();
    one->supply.drop();
  }
  on_ = false;
}

// By the actors that the last plan found in view.
void CrowdDetail::keepToBudget(const RenderSettings& settings) {
  const auto trianglesAt = [&](double factor) {
    std::size_t triangles = 0;
    for (const std::unique_ptr<Character>& one : cast_) {
      if (one->actors == 0) continue;
      const double pixels = askedPixels_ * factor;
      const std::vector<std::size_t> counts = one->plan.countsAt(waysFor(*one, pixels), pixels);
      for (std::size_t way = 0; way < counts.size(); ++way) {
        triangles += counts[way] * one->trianglesOf(way);
      }
    }
    return triangles;
  };
  budget_.update(settings.view.detail.mostTriangles, trianglesAt, settings.detailRemembers);
}

std::vector<DetailStats::Refusal> CrowdDetail::refusals() const {
  std::vector<DetailStats::Refusal> all;
  for (std::uint32_t c = 0; c < cast_.size(); ++c) {
    const Character& one = *cast_[c];
    if (one.actors == 0) continue;
    for (DetailStats::Refusal refusal : one.supply.refused()) {
      refusal.character = c;
      all.push_back(refusal);
    }
    if (budget_.factor() == 1.0) continue;
    const auto asked = one.plan.countsAt(waysFor(one, askedPixels_), askedPixels_);
    const auto given = one.plan.countsAt(waysFor(one, pixels_), pixels_);
    std::size_t askedSoFar = 0;
    std::size_t givenSoFar = 0;
    for (std::size_t way = 0; way < one.ways.meshErrors.size(); ++way) {
      askedSoFar += asked[way];
      givenSoFar += given[way];
      if (askedSoFar <= givenSoFar) continue;
      all.push_back(
          {.character = c, .level = one.levelNumber(way), .actors = askedSoFar - givenSoFar});
    }
  }
  return all;
}

bool CrowdDetail::plan(const CrowdView& crowd, const DetailEye& eye, const RenderSettings& settings,
                       std::span<const std::vector<std::uint32_t>> selected, bool isDue) {
  if (!isWanted(crowd, settings)) return leaveOut();
  budgetMemory(settings.view.detail.mostBytes);
  const bool isAsked = isDue && takeTask(crowd, settings, selected);
  const bool isSame =
      on_ && !isAsked && seenBy_ == eye.camera && seenSize_ == glm::ivec2(eye.width, eye.height);
  if (isSame && !isPending() && dissolving() == 0) return false;
  seenBy_ = eye.camera;
  seenSize_ = {eye.width, eye.height};
  askedPixels_ = settings.view.detail.pixels;
  pixels_ = askedPixels_ * budget_.factor();
  const bool planned = planActors(crowd, eye, settings, selected);
  keepToBudget(settings);
  if (pixels_ == askedPixels_ * budget_.factor()) return planned;
  pixels_ = askedPixels_ * budget_.factor();
  const bool again = planActors(crowd, eye, settings, selected);
  return planned || again;
}

// How far actors may have walked since the last plan, in shares of what a plan allows for; infinite
// if that is not known.
double CrowdDetail::walkedSince(std::size_t character, const Crowd& crowd) const {
  const Character& one = *cast_[character];
  const std::uint64_t places = crowd.instances().placesStamp();
  if (one.whole == nullptr || places == one.plannedPlaces) return 0.0;
  const std::optional<double> fastest = crowd.fastestWalk();
  if (!fastest) return std::numeric_limits<double>::infinity();
  return *fastest * std::abs(crowd.timeSeconds() - one.plannedAt) / one.walkAllowance();
}

// A crowd that plays where it stands is planned once, one that walks when it has gone a bit.
// Returns whether anything else is asked for.
bool CrowdDetail::takeTask(const CrowdView& crowd, const RenderSettings& settings,
                           std::span<const std::vector<std::uint32_t>> selected) {
  Task task{{}, settings, {selected.begin(), selected.end()}};
  task.settings.detailSeconds.reset();
  bool isNear = true;
  for (std::size_t c = 0; c < crowd.crowds().size(); ++c) {
    const Crowd& own = crowd.crowds()[c];
    task.places.push_back(own.steadyStamp());
    // Pictures that must not depend on earlier ones are planned wherever an actor may have walked.
    const double walked = own.size() == 0 ? 0.0 : walkedSince(c, own);
    isNear = isNear && (settings.detailRemembers ? walked < 1.0 : walked == 0.0);
  }
  const bool isOther = !isNear || task_ != task;
  if (isOther) task_ = std::move(task);
  return isOther;
}

bool CrowdDetail::planActors(const CrowdView& crowd, const DetailEye& eye,
                             const RenderSettings& settings,
                             std::span<const std::vector<std::uint32_t>> selected) {
  const bool wasOn = std::exchange(on_, true);
  bool changed = !wasOn;
  actors_ = crowd.size();
  DetailTask task;
  task.view = detailViewOf(eye);
  task.allowedPixels = pixels_;
  task.remembers = settings.detailRemembers;
  // After a view at full detail all actors are new.
  if (wasOn) task.seconds = settings.detailSeconds;
  for (const std::unique_ptr<Character>& one : cast_) one->actors = 0;
  for (std::size_t c = 0; c < crowd.crowds().size(); ++c) {
    if (cast_[c]->whole != nullptr) cast_[c]->actors = crowd.crowds()[c].size();
  }
  for (std::size_t c = 0; c < crowd.crowds().size(); ++c) {
    Character& one = *cast_[c];
    const Crowd& own = crowd.crowds()[c];
    if (one.actors == 0) continue;
    one.supply.goOn(*one.whole, memoryEach_, shaders_, facts_, kMillisecondsBeside);
    setWays(one, settings.view.pose);
    task.records = own.instances();
    task.reach = one.whole->reach();
    task.whole = {};
    if (selected[c].size() <= kMostWhole) task.whole = selected[c];
    const MorphView& morphs = settings.view.pose.morphs;
    task.wholeMeters = morphs.on && one.whole->morphsAtAll() ? morphs.nearMeters : 0.0;
    const bool casts =
        settings.view.shadows == Shadows::Cascades || settings.view.shadows == Shadows::Auto;
    task.view.marginMeters = casts ? kShadowLengths * (task.reach.high - task.reach.low) : 0.0;
    if (own.fastestWalk() != 0.0) task.view.marginMeters += one.walkAllowance();
    one.plannedAt = own.timeSeconds();
    one.plannedPlaces = task.records.placesStamp();
    task.mostDissolving = Dissolves::kMost - (dissolving() - one.plan.dissolving());
    if (one.plan.update(task, one.ways)) changed = true;
  }
  return changed;
}

bool CrowdDetail::isPending() const {
  return std::ranges::any_of(cast_, [](const std::unique_ptr<Character>& one) {
    return one->actors > 0 && one->supply.isPending();
  });
}

std::size_t CrowdDetail::dissolving() const {
  std::size_t all = 0;
  for (const std::unique_ptr<Character>& one : cast_) {
    if (one->actors > 0) all += one->plan.dissolving();
  }
  return all;
}

bool CrowdDetail::leaveOut() {
  return std::exchange(on_, false);
}

Result<void> CrowdDetail::tickFar(Character& one, const Crowd& crowd,
                                  const RenderSettings& settings) {
  const auto tint = [&settings](std::uint32_t color) {
    return settings.view.detail.tinted ? std::optional<int>(tint565(color)) : std::nullopt;
  };
  const ActorLook picture{.tint565 = tint(kPictureTint), .fades = settings.view.pose.fades};
  const ActorLook point{.tint565 = tint(kPointTint), .fades = settings.view.pose.fades};
  one.pictured.setLook(picture);
  one.passingPictured.setLook(picture);
  one.dotted.setLook(point);
  one.passingDotted.setLook(point);
  const ActorChoice pictures = one.plan.choice(one.ways.picturesAt());
  const ActorChoice points = one.plan.choice(one.ways.pointsAt());
  const ActorRecords all = crowd.instances();
  const auto pass = [&](FarActors& far, std::size_t way) {
    const ActorChoice passing = one.plan.passing(way);
    std::vector<std::uint8_t> marks;
    for (const std::uint32_t actor : passing.actors())
      marks.push_back(one.records->isMarked(actor));
    return far.upload(all, passing.actors(), marks, passing.shares());
  };
  auto done = one.pictured.choose(one.records, pictures);
  if (done) done = pass(one.passingPictured, one.ways.picturesAt());
  if (done) done = one.dotted.choose(one.records, points);
  return done ? pass(one.passingDotted, one.ways.pointsAt()) : done;
}

Result<void> CrowdDetail::tick(std::uint32_t character, CharacterRenderer& whole,
                               const Crowd& crowd, const RenderSettings& settings,
                               std::span<const std::uint32_t> selected, int selectedActor,
                               std::optional<glm::vec3> eye, bool mayDivide,
                               std::vector<Playing>& drawn) {
  Character& one = *cast_[character];
  const bool isDetailed = on_ && crowd.size() > 0;
  // Few selected actors are whole, and meshes have marks of their own.
  std::span<const std::uint32_t> marked;
  if (isDetailed && selected.size() > kMostWhole) marked = selected;
  if (auto stored = one.records->upload(crowd, marked); !stored) return stored;
  if (isDetailed) {
    if (auto far = tickFar(one, crowd, settings); !far) return far;
  }
  one.pieces.resize(one.supply.levels().size() + 1);
  one.passing.resize(isDetailed ? one.supply.levels().size() + 1 : 0);
  PieceTick tick{crowd,
                 *one.records,
                 isDetailed ? one.plan.choice(0) : ActorChoice(),
                 settings,
                 selected,
                 selectedActor,
                 eye,
                 std::nullopt,
                 character,
                 isDetailed || mayDivide};
  if (isDetailed) tick.paint = levelPaint(settings.view.detail.tinted, 0);
  auto done = one.pieces[0].tick(whole, tick, drawn);
  if (!isDetailed) return done;
  if (done) done = tickPassing(one, 0, tick, drawn);
  RenderSettings simpler = settings;
  simpler.view.pose.morphs.on = false;
  for (std::size_t way = 1; way < one.ways.meshErrors.size() && done; ++way) {
    const DetailSupply::Level& level = one.supply.levels()[way - 1];
    simpler.view.pose.influences = std::min(one.mostInfluences, level.influences);
    const PieceTick own{crowd,
                        *one.records,
                        one.plan.choice(way),
                        simpler,
                        selected,
                        selectedActor,
                        eye,
                        levelPaint(settings.view.detail.tinted, level.number),
                        character};
    if (!own.chosen.actors().empty()) done = one.pieces[way].tick(*level.mesh, own, drawn);
    if (done) done = tickPassing(one, way, own, drawn);
  }
  return done;
}

// Actors that dissolve have renderers of their own, so that no other actor is drawn with shares.
Result<void> CrowdDetail::tickPassing(Character& one, std::size_t way, PieceTick tick,
                                      std::vector<Playing>& drawn) {
  Character::Passing& passing = one.passing[way];
  tick.chosen = one.plan.passing(way);
  if (tick.chosen.actors().empty()) {
    passing = {};
    return {};
  }
  if (!passing.mesh) {
    const CharacterRenderer& mesh = one.mesh(way);
    passing.mesh = CharacterRenderer::makeLevel(mesh, mesh.character());
  }
  return passing.pieces.tick(*passing.mesh, tick, drawn);
}

Result<void> CrowdDetail::drawFar(const DrawPass& pass, int width, int height) const {
  auto done = drawEach(pass, false, width, height);
  if (!done || pass.kind != DrawPass::Kind::ActorIds) return done;
  return drawEach(pass, true, width, height);
}

Result<void> CrowdDetail::drawFarPoints(const DrawPass& pass, int width, int height) const {
  glDepthMask(GL_FALSE);
  glEnable(GL_BLEND);
  glBlendFuncSeparate(GL_ONE, GL_ONE_MINUS_SRC_ALPHA, GL_ZERO, GL_ONE);
  auto done = drawEach(pass, true, width, height);
  glDisable(GL_BLEND);
  glDepthMask(GL_TRUE);
  return done;
}

// Draws the pictures or the points of all characters.
Result<void> CrowdDetail::drawEach(DrawPass pass, bool points, int width, int height) const {
  if (!on_ || pass.overlaid || pass.vertexStageOnly) return {};
  Result<void> done;
  for (const std::unique_ptr<Character>& one : cast_) {
    if (one->farActors() == 0) continue;
    const ImpostorSet* pictures = one->supply.hasPictures() ? one->supply.pictures() : nullptr;
    for (const bool dissolves : {false, true}) {
      pass.dissolves = dissolves;
      const FarActors& dotted = dissolves ? one->passingDotted : one->dotted;
      const FarActors& pictured = dissolves ? one->passingPictured : one->pictured;
      if (!points) {
        if (pictures) done = pictures->draw(pictured, pass, width, height);
      } else if (pictures) {
        done = pictures->drawPoints(dotted, pass, width, height);
      } else {
        done = drawFarDots(shaders_, dotted, pass, one->body(), width, height);
      }
      if (!done) return done;
    }
    pass.firstId += static_cast<std::uint32_t>(one->actors);
  }
  return done;
}

Result<void> CrowdDetail::drawFarFootprints(Environment& environment, const SceneLook& look,
                                            Shadows shadows, int width, int height) const {
  if (!on_ || shadows == Shadows::Off) return {};
  Result<void> done;
  // Maps hold no far actors; from afar an ellipse looks like what they would hold.
  if (shadows == Shadows::Cascades) shadows = Shadows::Soft;
  for (const std::unique_ptr<Character>& one : cast_) {
    if (one->farActors() == 0 || !done) continue;
    const FarShape shape{
        .width = width, .height = height, .pointPixels = one->ways.pointPixels.value_or(0.0)};
    for (const FarActors* some : {&one->pictured, &one->passingPictured}) {
      if (done) done = one->whole->drawFarFootprints(environment, look, *some, shadows, shape);
    }
  }
  return done;
}

// The coarsest level whose error is allowed, if it is coarser than what is drawn, or null.
const CharacterRenderer* CrowdDetail::casterOf(const Playing& drawn, double texelMeters) const {
  const Character& one = *cast_[drawn.character];
  const CharacterRenderer* caster = nullptr;
  if (!on_ || one.isWhole) return caster;
  for (const DetailSupply::Level& level : one.supply.levels()) {
    const bool isCoarser = level.mesh->triangles() < drawn.characterRenderer->triangles();
    if (isCoarser && level.errorMeters <= texelMeters) caster = level.mesh.get();
  }
  return caster;
}

Result<std::size_t> CrowdDetail::drawShadows(std::span<const Playing> drawn,
                                             const ShadowCascades& cascades, int map,
                                             const DrawPass& pass) const {
  std::size_t triangles = 0;
  for (const Playing& one : drawn) {
    const auto texel = static_cast<double>(cascades.look.texelMeters[map]);
    const auto cast = one.characterRenderer->drawShadow(cascades, map, pass, casterOf(one, texel));
    if (!cast) return cast;
    triangles += *cast;
  }
  return triangles;
}

int CrowdDetail::farDraws() const {
  int draws = 0;
  for (const std::unique_ptr<Character>& one : cast_) {
    if (!on_ || one->farActors() == 0) continue;
    for (const FarActors* some : one->far()) draws += some->size() > 0 ? 1 : 0;
  }
  return draws;
}

std::vector<std::uint32_t> CrowdDetail::farCharacters() const {
  std::vector<std::uint32_t> characters;
  for (std::size_t c = 0; on_ && c < cast_.size(); ++c) {
    if (cast_[c]->farActors() > 0) characters.push_back(static_cast<std::uint32_t>(c));
  }
  return characters;
}

void CrowdDetail::complete() {
  seenSize_ = {};  // so that the next frame is planned with what was made
  for (const std::unique_ptr<Character>& one : cast_) {
    if (one->whole != nullptr) one->supply.complete(*one->whole, shaders_, facts_);
  }
}

void CrowdDetail::addTo(FrameStats& all, std::span<const Playing> playing) const {
  for (const Playing& one : playing) {
    if (all.ticked) all.uploadedBytes += cast_[one.character]->records->uploadedBytes();
  }
  all.detail = stats();
  if (!all.detail) return;
  all.actors = all.detail->actors;
  all.drawCalls += farDraws();
  all.characters = 0;
  for (const std::unique_ptr<Character>& one : cast_) {
    if (one->actors == 0) continue;
    ++all.characters;
    if (one->supply.pictures()) all.skinningBytes += one->supply.pictures()->bytes();
    if (all.ticked) {
      for (const FarActors* some : one->far()) all.uploadedBytes += some->uploadedBytes();
    }
  }
}

DetailStats::Cast CrowdDetail::castOf(std::uint32_t character) const {
  using Way = DetailStats::Way;
  const Character& one = *cast_[character];
  const double high = one.whole->reach().high - one.whole->reach().low;
  const std::size_t joints = one.character->rig.skinJoints.size();
  DetailStats::Cast cast{character, {}};
  for (std::size_t level = 0; level < one.ways.meshErrors.size(); ++level) {
    Way way{.level = one.levelNumber(level)};
    way.errorMeters = one.ways.meshErrors[level];
    way.actors = one.plan.count(level);
    way.triangles = one.trianglesOf(level);
    way.influences = one.mostInfluences;
    way.joints = joints;
    if (level > 0) {
      const DetailSupply::Level& simpler = one.supply.levels()[level - 1];
      way.influences = std::min(one.mostInfluences, simpler.influences);
      way.joints -= static_cast<std::size_t>(simpler.collapsedJoints);
      way.mostPixels = pixels_ / *way.errorMeters * high;
    }
    cast.ways.push_back(way);
  }
  if (one.ways.picture) {
    Way way{.kind = Way::Kind::Picture, .errorMeters = one.ways.picture->errorMeters};
    way.mostPixels = std::min(pixels_ / *way.errorMeters * high, one.ways.picture->mostPixels);
    way.actors = one.plan.count(one.ways.picturesAt());
    cast.ways.push_back(way);
  }
  if (one.ways.pointPixels) {
    Way way{.kind = Way::Kind::Point, .mostPixels = one.ways.pointPixels};
    way.actors = one.plan.count(one.ways.pointsAt());
    cast.ways.push_back(way);
  }
  return cast;
}

std::optional<DetailStats> CrowdDetail::stats() const {
  if (!on_) return std::nullopt;
  DetailStats stats;
  stats.pixels = pixels_;
  stats.dissolving = dissolving();
  stats.refusals = refusals();
  stats.isOverBudget = !budget_.isKept();
  stats.actors = actors_;
  for (std::uint32_t c = 0; c < cast_.size(); ++c) {
    if (cast_[c]->actors == 0) continue;
    stats.isPending =
        stats.isPending || (cast_[c]->supply.hasBegun() && cast_[c]->supply.isPending());
    stats.cast.push_back(castOf(c));
    for (const DetailStats::Way& way : stats.cast.back().ways) {
      stats.inView += way.actors;
      if (way.kind == DetailStats::Way::Kind::Picture) stats.pictures += way.actors;
      if (way.kind == DetailStats::Way::Kind::Point) stats.points += way.actors;
      if (way.kind != DetailStats::Way::Kind::Mesh) continue;
      stats.meshes.resize(std::max(stats.meshes.size(), way.level + 1));
      stats.meshes[way.level].actors += way.actors;
      stats.meshes[way.level].triangles += way.actors * way.triangles;
    }
  }
  return stats;
}

}  // namespace ck::render
