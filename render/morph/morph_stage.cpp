#include "render/morph/morph_stage.h"

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>

#include "core/base/assert.h"
#include "core/crowd/source_clips.h"
#include "core/skinning/tangent_skinning.h"

namespace ck::render {
namespace {

constexpr std::int32_t kNoRow = -1;
constexpr std::int32_t kSelectedRow = -2;

using Clock = std::chrono::steady_clock;

double millisecondsSince(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

}  // namespace

MorphStage::MorphStage(const CharacterGpu& character, ShaderLibrary& shaders,
                       const ContextFacts& facts)
    : character_(character),
      shaders_(shaders),
      facts_(facts),
      set_(morphSetOf(*character.character)),
      differences_(differenceSet(*character.character, set_, character.welded.originalOf)) {}

// Entries are sorted by vertex, so that a vertex reads consecutive texels.
Result<void> MorphStage::uploadShapes() {
  const std::vector<int>& shown = rows_.morphs();
  if (vertices_.sizeBytes() > 0 && shown == uploadedShapes_) return {};
  uploadedShapes_.clear();
  const std::size_t places = differences_.vertices.size();
  std::vector<std::vector<glm::vec4>> ofPlace(places);
  for (std::size_t column = 0; column < shown.size(); ++column) {
    const DifferenceMesh& morph = differences_.morphs[static_cast<std::size_t>(shown[column])];
    for (std::size_t i = 0; i < morph.places.size(); ++i) {
      std::vector<glm::vec4>& entries = ofPlace[morph.places[i]];
      entries.emplace_back(morph.positions[i], static_cast<float>(column));
      entries.emplace_back(morph.normals[i], 0.0f);
      if (differences_.turnsTangents) entries.emplace_back(morph.tangents[i], 0.0f);
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
  auto stored = vertices_.upload(vertices, BufferUse::Static, "the vertices that morph");
  if (!stored) return stored;
  stored = entries_.upload(all, BufferUse::Static, "the differences of morph targets");
  if (stored) uploadedShapes_ = shown;
  return stored;
}

Result<void> MorphStage::readCrowd(const MorphTick& tick) {
  if (crowdOrigin_ == tick.crowd.stamp().origin) return {};
  crowdOrigin_ = 0;
  ownSet_ = false;
  if (rowsAtlas_ != tick.atlas) {
    rows_ = MorphRows(set_, tick.atlas, tick.crowd);
    rowsAtlas_ = tick.atlas;
    framesSet_ = false;
  } else if (!rows_.readAgain(set_, tick.atlas, tick.crowd)) {
    framesSet_ = false;
  }
  if (auto stored = uploadShapes(); !stored) return stored;
  crowdOrigin_ = tick.crowd.stamp().origin;
  return {};
}

// All weights of the source clip at the actor's time.
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

Result<void> MorphStage::updateSelected(const MorphTick& tick, const MorphView& view) {
  const bool there =
      tick.selectedActor >= 0 && static_cast<std::size_t>(tick.selectedActor) < tick.records.size();
  if (!there) {
    selected_ = -1;
    return {};
  }
  if (accumulator_ == nullptr || !(accumulator_->settings() == view.accumulator)) {
    auto made = MorphAccumulator::make(differences_, view.accumulator, shaders_, facts_);
    if (!made) return tl::unexpected(made.error());
    accumulator_ = std::move(*made);
  }
  const auto place = static_cast<std::size_t>(tick.selectedActor);
  const std::size_t actor = tick.chosen[place];
  std::vector<float> weights = sourceWeights(tick, actor);
  setOwnMorphs(set_, tick.crowd, actor, weights);
  for (float& weight : weights) {
    weight = std::clamp(weight, -kLargestMorphWeight, kLargestMorphWeight);
  }
  const int clip = tick.crowd.clipOf(actor);
  // A seek changes the origin.
  const bool jumped = static_cast<int>(actor) != selected_ || clip != selectedClip_ ||
                      tick.crowd.stamp().origin != selectedStamp_.origin;
  selected_ = static_cast<int>(actor);
  selectedClip_ = clip;
  selectedStamp_ = tick.crowd.stamp();
  auto work = accumulator_->update(weights, jumped);
  if (!work) return tl::unexpected(work.error());
  stats_.selectedActor = true;
  stats_.changed = std::move(work->changed);
  stats_.passes = work->passes;
  stats_.rebased = work->rebased;
  stats_.weights = std::move(weights);
  slots_[place] = kSelectedRow;
  active_ = true;
  return {};
}

void MorphStage::findNear(const MorphTick& tick, const MorphView& view) {
  near_.clear();
  if (rows_.texels() == 0) return;
  // The selected actor uses the accumulator.
  const std::size_t selectedActor =
      tick.selectedActor < 0 ? tick.records.size() : static_cast<std::size_t>(tick.selectedActor);
  const double nearSquared = view.nearMeters * view.nearMeters;
  for (std::size_t actor = 0; actor < tick.records.size(); ++actor) {
    const gpu::CkActor record = tick.records[actor];
    if (actor == selectedActor) continue;
    if (!rows_.moves(record, tick.chosen[actor])) continue;
    if (tick.eye) {
      const glm::vec3 way = glm::vec3(record.positionAlphaA) - *tick.eye;
      if (static_cast<double>(glm::dot(way, way)) > nearSquared) continue;
    }
    slots_[actor] = static_cast<std::int32_t>(near_.size());
    near_.push_back(nearActor(record, rows_.ownOf(tick.chosen[actor])));
  }
  stats_.nearActors = near_.size();
  active_ = !near_.empty();
}

// The accumulator has no tangents: those of one actor are few.
void MorphStage::appendSelectedTangents(std::vector<std::int32_t>& slots) const {
  std::vector<glm::vec4> tangents = differences_.tangents;
  for (std::size_t m = 0; m < set_.size(); ++m) {
    const float weight = stats_.weights[m];
    if (weight == 0.0f) continue;
    const DifferenceMesh& morph = differences_.morphs[m];
    for (std::size_t i = 0; i < morph.places.size(); ++i) {
      tangents[morph.places[i]] += glm::vec4(weight * morph.tangents[i], 0.0f);
    }
  }
  for (const glm::vec4& tangent : tangents) {
    const glm::vec3 along(tangent);
    const float length = glm::length(along);
    slots.push_back(std::bit_cast<std::int32_t>(
        length > 0.0f ? packTangent(glm::vec4(along / length, tangent.w)) : 0u));
  }
}

Result<void> MorphStage::makeRows() {
  if (rowsMade_) return {};
  const auto start = Clock::now();
  if (!framesSet_) {
    if (auto stored = weights_.setFrames(rows_); !stored) return stored;
    framesSet_ = true;
  }
  if (!ownSet_) {
    if (auto stored = weights_.setOwn(rows_); !stored) return stored;
    ownSet_ = true;
  }
  if (auto made = weights_.run(near_, shaders_); !made) return made;
  std::vector<std::int32_t> slots = slots_;
  if (stats_.selectedActor && differences_.turnsTangents) appendSelectedTangents(slots);
  auto stored = slotTexture_.upload(slots, BufferUse::Stream, "the rows of morph weights");
  if (!stored) return stored;
  uploadedBytes_ = slotTexture_.sizeBytes() + weights_.uploadedBytes();
  stats_.milliseconds += millisecondsSince(start);
  rowsMade_ = true;
  return {};
}

Result<void> MorphStage::update(const MorphTick& tick, const MorphView& view) {
  stats_ = {};
  active_ = false;
  uploadedBytes_ = 0;
  rowsMade_ = false;
  records_ = tick.records;
  chosen_ = tick.chosen;
  slots_.assign(tick.records.size(), kNoRow);
  if (!view.on || set_.empty() || tick.records.empty()) return {};
  const auto start = Clock::now();
  if (auto read = readCrowd(tick); !read) return read;
  findNear(tick, view);
  if (auto updated = updateSelected(tick, view); !updated) return updated;
  stats_.milliseconds = millisecondsSince(start);
  return {};
}

std::size_t MorphStage::heldBytes() const {
  const std::size_t selectedActor = accumulator_ != nullptr ? accumulator_->heldBytes() : 0;
  return vertices_.sizeBytes() + entries_.sizeBytes() + slotTexture_.sizeBytes() +
         rows_.frames().size_bytes() + weights_.heldBytes() + selectedActor;
}

void MorphStage::bind(const Program& program) const {
  CK_ASSERT(rowsMade_);
  vertices_.bind(unit::kMorphVertices);
  entries_.bind(unit::kMorphEntries);
  weights_.bindRows(unit::kMorphRows);
  slotTexture_.bind(unit::kMorphSlots);
  glm::vec2 step(0.0f);
  if (stats_.selectedActor) {
    accumulator_->bind(unit::kMorphSums);
    if (accumulator_->sums() == MorphSums::Fixed) {
      step = {1.0f / differences_.scale.position, 1.0f / differences_.scale.normal};
    }
  }
  program.set("ckMorphRowTexels", rows_.texels());
  program.set("ckMorphStep", step);
  const bool turns = differences_.turnsTangents;
  const bool selected = turns && stats_.selectedActor;
  program.set("ckMorphTangents",
              glm::ivec4(turns ? 3 : 2, selected ? static_cast<int>(slots_.size()) : -1, 0, 0));
}

WeightsFrom MorphStage::weightsFrom(std::size_t actor) const {
  const std::int32_t slot = actor < slots_.size() ? slots_[actor] : kNoRow;
  if (slot == kSelectedRow) return WeightsFrom::Selected;
  return slot == kNoRow ? WeightsFrom::Default : WeightsFrom::Rows;
}

template <class Add>
void MorphStage::eachMorph(std::size_t actor, Add&& add) const {
  const std::int32_t slot = actor < slots_.size() ? slots_[actor] : kNoRow;
  if (slot == kNoRow) return;
  if (slot == kSelectedRow) {
    for (std::size_t morph = 0; morph < set_.size(); ++morph) {
      const float off = stats_.weights[morph] - set_[morph].defaultWeight;
      if (off != 0.0f) add(static_cast<int>(morph), off);
    }
    return;
  }
  thread_local std::vector<float> row;
  row.resize(static_cast<std::size_t>(rows_.texels()) * 4);
  rows_.read(records_[actor], chosen_[actor], row);
  for (std::size_t column = 0; column < rows_.morphs().size(); ++column) {
    if (row[column] != 0.0f) add(rows_.morphs()[column], row[column]);
  }
}

void MorphStage::shape(std::size_t actor, std::span<glm::vec3> positions,
                       std::span<glm::vec3> normals, std::span<glm::vec4> tangents) const {
  const bool turns = differences_.turnsTangents && !tangents.empty();
  eachMorph(actor, [&](int shown, float off) {
    const DifferenceMesh& morph = differences_.morphs[static_cast<std::size_t>(shown)];
    for (std::size_t i = 0; i < morph.places.size(); ++i) {
      const std::uint32_t vertex = differences_.vertices[morph.places[i]];
      positions[vertex] += off * morph.positions[i];
      normals[vertex] += off * morph.normals[i];
      if (turns) tangents[vertex] += glm::vec4(off * morph.tangents[i], 0.0f);
    }
  });
}

void MorphStage::shapesOf(std::size_t actor, std::vector<ShownShape>& shapes) const {
  shapes.clear();
  eachMorph(actor, [&](int morph, float off) { shapes.push_back({morph, off}); });
}

}  // namespace ck::render
