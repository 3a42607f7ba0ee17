#include "render/morph/morph_stage.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "render/skinning/source_clips.h"

namespace ck::render {
namespace {

constexpr std::int32_t kNoRow = -1;
constexpr std::int32_t kHeroRow = -2;

}  // namespace

MorphStage::MorphStage(const CharacterGpu& character, ShaderLibrary& shaders,
                       const ContextFacts& facts)
    : character_(character),
      shaders_(shaders),
      facts_(facts),
      set_(morphSetOf(*character.character)),
      differences_(differenceSet(*character.character, set_, character.welded.originalOf)) {}

// Entries vertex by vertex, so that a vertex reads its own in a row.
Result<void> MorphStage::uploadShapes(const std::vector<int>& shown) {
  if (shapesUploaded_ && shown == shown_) return {};
  shapesUploaded_ = false;
  shown_ = shown;
  rowTexels_ = (shown.size() + 3) / 4;
  const std::size_t places = differences_.vertices.size();
  std::vector<std::vector<glm::vec4>> ofPlace(places);
  for (std::size_t column = 0; column < shown.size(); ++column) {
    const DifferenceMesh& morph = differences_.morphs[static_cast<std::size_t>(shown[column])];
    for (std::size_t i = 0; i < morph.places.size(); ++i) {
      std::vector<glm::vec4>& entries = ofPlace[morph.places[i]];
      entries.emplace_back(morph.positions[i], static_cast<float>(column));
      entries.emplace_back(morph.normals[i], 0.0f);
    }
  }
  std::vector<glm::ivec4> vertices(character_.vertexCount(), glm::ivec4(0, 0, -1, 0));
  std::vector<glm::vec4> all;
  for (std::size_t place = 0; place < places; ++place) {
    vertices[differences_.vertices[place]] =
        glm::ivec4(static_cast<int>(all.size()), static_cast<int>(ofPlace[place].size()),
                   static_cast<int>(place), 0);
    all.insert(all.end(), ofPlace[place].begin(), ofPlace[place].end());
  }
  if (all.empty()) all.emplace_back(0.0f);
  auto stored = vertices_.upload(std::as_bytes(std::span(vertices)), BufferUse::Static,
                                 "the vertices that morph");
  if (!stored) return stored;
  stored = entries_.upload(std::as_bytes(std::span(all)), BufferUse::Static,
                           "the differences of morph targets");
  shapesUploaded_ = stored.has_value();
  return stored;
}

// All weights of the source at the actor's moment.
std::vector<float> MorphStage::sourceWeights(const MorphTick& tick, std::size_t actor) const {
  const SourceClips sources(*character_.character, tick.atlas, tick.crowd);
  const auto at = [&](int clip, double unit) {
    const SourceMoment moment = sources.momentOf(clip, unit);
    if (moment.clip == nullptr) return defaultWeights(set_);
    std::vector<float> weights = sampleMorphs(set_, *moment.clip, moment.seconds);
    if (moment.closing <= 0.0) return weights;
    const auto first = sampleMorphs(set_, *moment.clip, moment.clip->startSeconds);
    for (std::size_t i = 0; i < weights.size(); ++i) {
      weights[i] += static_cast<float>(moment.closing) * (first[i] - weights[i]);
    }
    return weights;
  };
  std::vector<float> weights = at(tick.crowd.clipOf(actor), tick.crowd.unitOf(actor));
  const auto fade = tick.fades ? tick.crowd.fadeOf(actor) : std::nullopt;
  if (!fade) return weights;
  const std::vector<float> second = at(fade->clip, fade->unit);
  for (std::size_t i = 0; i < weights.size(); ++i) {
    weights[i] += static_cast<float>(fade->blend) * (second[i] - weights[i]);
  }
  return weights;
}

Result<void> MorphStage::updateHero(const MorphTick& tick, const MorphView& view,
                                    const ShownMorphs& shown) {
  const bool there = tick.hero >= 0 && static_cast<std::size_t>(tick.hero) < tick.crowd.size();
  if (!there) {
    hero_ = -1;
    return {};
  }
  if (accumulator_ == nullptr || !(accumulator_->settings() == view.accumulator)) {
    auto made = MorphAccumulator::make(differences_, view.accumulator, shaders_, facts_);
    if (!made) return tl::unexpected(made.error());
    accumulator_ = std::move(*made);
  }
  const auto actor = static_cast<std::size_t>(tick.hero);
  std::vector<float> weights = sourceWeights(tick, actor);
  shown.setOwn(actor, weights);
  for (float& weight : weights) {
    weight = std::clamp(weight, -kLargestMorphWeight, kLargestMorphWeight);
  }
  const int clip = tick.crowd.clipOf(actor);
  // A seek makes another origin.
  const bool jumped =
      tick.hero != hero_ || clip != heroClip_ || tick.crowd.stamp().origin != heroStamp_.origin;
  hero_ = tick.hero;
  heroClip_ = clip;
  heroStamp_ = tick.crowd.stamp();
  auto work = accumulator_->update(weights, jumped);
  if (!work) return tl::unexpected(work.error());
  stats_.hero = true;
  stats_.changed = std::move(work->changed);
  stats_.passes = work->passes;
  stats_.rebased = work->rebased;
  stats_.weights = std::move(weights);
  slots_[actor] = kHeroRow;
  active_ = true;
  return {};
}

void MorphStage::fillRows(const MorphTick& tick, const MorphView& view, const ShownMorphs& shown) {
  constexpr float kNothing = 1e-6f;
  rows_.clear();
  const double nearSquared = view.nearMeters * view.nearMeters;
  for (std::size_t actor = 0; actor < tick.records.size() && !shown_.empty(); ++actor) {
    if (tick.eye) {
      const glm::vec3 way = glm::vec3(tick.records[actor].positionAlphaA) - *tick.eye;
      if (static_cast<double>(glm::dot(way, way)) > nearSquared) continue;
    }
    const std::vector<float> weights = shown.weightsOf(actor, tick.fades);
    const std::size_t row = rows_.size();
    bool moves = false;
    rows_.resize(row + rowTexels_ * 4, 0.0f);
    for (std::size_t column = 0; column < shown_.size(); ++column) {
      const auto morph = static_cast<std::size_t>(shown_[column]);
      const float off = weights[morph] - set_[morph].defaultWeight;
      rows_[row + column] = off;
      moves = moves || std::abs(off) > kNothing;
    }
    if (!moves) {
      rows_.resize(row);
      continue;
    }
    slots_[actor] = static_cast<std::int32_t>(row / (rowTexels_ * 4));
    ++stats_.nearActors;
  }
  active_ = active_ || stats_.nearActors > 0;
}

Result<void> MorphStage::update(const MorphTick& tick, const MorphView& view) {
  stats_ = {};
  active_ = false;
  slots_.assign(tick.records.size(), kNoRow);
  if (!view.on || set_.empty() || tick.records.empty()) return {};
  const auto start = std::chrono::steady_clock::now();
  const ShownMorphs shown(set_, tick.atlas, tick.crowd);
  if (auto stored = uploadShapes(shown.shownByAny()); !stored) return stored;
  fillRows(tick, view, shown);
  if (auto updated = updateHero(tick, view, shown); !updated) return updated;
  if (active_) {
    auto stored = slotTexture_.upload(std::as_bytes(std::span(slots_)), BufferUse::Stream,
                                      "the rows of morph weights");
    if (!stored) return stored;
    if (rows_.empty()) rows_.resize(4, 0.0f);
    stored = rowTexture_.upload(std::as_bytes(std::span(rows_)), BufferUse::Stream,
                                "the morph weights of near actors");
    if (!stored) return stored;
  }
  stats_.milliseconds =
      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  return {};
}

void MorphStage::bind(const Program& program) const {
  vertices_.bind(unit::kMorphVertices);
  entries_.bind(unit::kMorphEntries);
  rowTexture_.bind(unit::kMorphRows);
  slotTexture_.bind(unit::kMorphSlots);
  glm::vec2 step(0.0f);
  if (stats_.hero) {
    accumulator_->bind(unit::kMorphSums);
    if (accumulator_->sums() == MorphSums::Fixed) {
      step = {1.0f / differences_.scale.position, 1.0f / differences_.scale.normal};
    }
  }
  program.set("ckMorphRowTexels", static_cast<int>(rowTexels_));
  program.set("ckMorphStep", step);
}

template <class Add>
void MorphStage::eachShown(std::size_t actor, Add&& add) const {
  const std::int32_t slot = actor < slots_.size() ? slots_[actor] : kNoRow;
  if (slot == kNoRow) return;
  const float* row = rows_.data() + static_cast<std::size_t>(std::max(slot, 0)) * rowTexels_ * 4;
  const std::size_t count = slot == kHeroRow ? set_.size() : shown_.size();
  for (std::size_t i = 0; i < count; ++i) {
    const bool hero = slot == kHeroRow;
    const std::size_t morph = hero ? i : static_cast<std::size_t>(shown_[i]);
    const float off = hero ? stats_.weights[i] - set_[i].defaultWeight : row[i];
    if (off != 0.0f) add(differences_.morphs[morph], off);
  }
}

void MorphStage::shape(std::size_t actor, std::span<glm::vec3> positions,
                       std::span<glm::vec3> normals) const {
  eachShown(actor, [&](const DifferenceMesh& morph, float off) {
    for (std::size_t i = 0; i < morph.places.size(); ++i) {
      const std::uint32_t vertex = differences_.vertices[morph.places[i]];
      positions[vertex] += off * morph.positions[i];
      normals[vertex] += off * morph.normals[i];
    }
  });
}

void MorphStage::skinAgain(std::size_t actor, const SkinPose& pose, int influences) const {
  std::vector<glm::vec3> moved(differences_.vertices.size() * 2, glm::vec3(0.0f));
  std::vector<char> touched(differences_.vertices.size(), 0);
  eachShown(actor, [&](const DifferenceMesh& morph, float off) {
    for (std::size_t i = 0; i < morph.places.size(); ++i) {
      const std::size_t place = morph.places[i];
      touched[place] = 1;
      moved[place * 2] += off * morph.positions[i];
      moved[place * 2 + 1] += off * morph.normals[i];
    }
  });
  for (std::size_t place = 0; place < touched.size(); ++place) {
    if (touched[place] == 0) continue;
    const GpuVertex& bind = character_.welded.vertices[differences_.vertices[place]];
    glm::vec4 rows[3] = {};
    float sum = 0.0f;
    for (std::size_t i = 0; i < static_cast<std::size_t>(influences); ++i) {
      if (bind.weights[i] <= 0.0f) break;
      const std::size_t at = std::size_t{bind.skinJoints[i]} * 3;
      for (std::size_t row = 0; row < 3; ++row) rows[row] += bind.weights[i] * pose.rows[at + row];
      sum += bind.weights[i];
    }
    if (sum <= 0.0f) continue;
    const glm::vec4 from(bind.position + moved[place * 2], 1.0f);
    const glm::vec3 normal =
        glm::vec3(bind.normal[0], bind.normal[1], bind.normal[2]) / 32767.0f + moved[place * 2 + 1];
    const glm::vec3 x(rows[0]);
    const glm::vec3 y(rows[1]);
    const glm::vec3 z(rows[2]);
    PackedVertex& out = pose.vertices[differences_.vertices[place]];
    out.position =
        glm::vec3(glm::dot(rows[0], from), glm::dot(rows[1], from), glm::dot(rows[2], from)) / sum;
    const glm::vec3 turned(glm::dot(glm::cross(y, z), normal), glm::dot(glm::cross(z, x), normal),
                           glm::dot(glm::cross(x, y), normal));
    // Shapes may cancel a normal out.
    out.normal = packNormal(turned * glm::inversesqrt(std::max(glm::dot(turned, turned), 1e-30f)));
  }
}

}  // namespace ck::render
