#include "core/crowd/morph_rows.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <utility>

namespace ck {
namespace {

// The morphs of the set that are baked in clips of the crowd, ascending.
std::vector<int> bakedMorphs(const MorphSet& set, const Atlas& atlas, const Crowd& crowd) {
  std::set<int> baked;
  for (const CrowdClip& clip : crowd.clips()) {
    if (clip.atlasClip < 0) continue;
    for (const MorphSlot& slot :
         atlas.morphs.clips[static_cast<std::size_t>(clip.atlasClip)].kept) {
      const std::string& name = atlas.morphs.names[static_cast<std::size_t>(slot.morph)];
      for (const int morph : morphsNamed(set, name)) baked.insert(morph);
    }
  }
  return {baked.begin(), baked.end()};
}

bool showsSecond(const gpu::CkActor& record) {
  return record.frames.y >= 0 && gpu::ck_lookBlend(record.look) > 0.0f;
}

}  // namespace

MorphRows::MorphRows(const MorphSet& set, const Atlas* atlas, const Crowd& crowd) {
  chooseColumns(set, atlas, crowd);
  if (atlas != nullptr && frameTexels_ > 0) readFrames(set, *atlas);
  readOwn(set, crowd);
}

bool MorphRows::readAgain(const MorphSet& set, const Atlas* atlas, const Crowd& crowd) {
  MorphRows columns;
  columns.chooseColumns(set, atlas, crowd);
  if (columns.morphs_ != morphs_ || columns.frameTexels_ != frameTexels_) {
    *this = MorphRows(set, atlas, crowd);
    return false;
  }
  own_.clear();
  ownOf_.clear();
  readOwn(set, crowd);
  return true;
}

void MorphRows::chooseColumns(const MorphSet& set, const Atlas* atlas, const Crowd& crowd) {
  if (atlas != nullptr && !atlas->morphs.empty()) morphs_ = bakedMorphs(set, *atlas, crowd);
  frameTexels_ = texels();
  std::vector<int> others;
  for (const std::string& name : crowd.morphNames()) {
    for (const int morph : morphsNamed(set, name)) {
      if (columnOf(morph) < 0) others.push_back(morph);
    }
  }
  std::sort(others.begin(), others.end());
  others.erase(std::unique(others.begin(), others.end()), others.end());
  morphs_.insert(morphs_.end(), others.begin(), others.end());
}

int MorphRows::columnOf(int morph) const {
  const auto found = std::find(morphs_.begin(), morphs_.end(), morph);
  return found == morphs_.end() ? -1 : static_cast<int>(found - morphs_.begin());
}

void MorphRows::readFrames(const MorphSet& set, const Atlas& atlas) {
  const AtlasMorphs& morphs = atlas.morphs;
  std::vector<std::pair<int, std::size_t>> columns;  // with the name of the atlas that fills them
  for (std::size_t i = 0; i < morphs.names.size(); ++i) {
    for (const int morph : morphsNamed(set, morphs.names[i])) {
      const int column = columnOf(morph);
      if (column >= 0 && column / 4 < frameTexels_) columns.emplace_back(column, i);
    }
  }
  for (const AtlasClip& clip : atlas.clips) {
    frameCount_ = std::max(frameCount_, clip.firstFrame + clip.frameCount);
  }
  const auto texelsEach = static_cast<std::size_t>(frameTexels_);
  frames_.assign(static_cast<std::size_t>(frameCount_) * texelsEach, glm::vec4(0.0f));
  const auto put = [&](int frame, int column, float weight) {
    const auto texel = static_cast<std::size_t>(column / 4);
    const int morph = morphs_[static_cast<std::size_t>(column)];
    frames_[static_cast<std::size_t>(frame) * texelsEach + texel][column % 4] =
        weight - set[static_cast<std::size_t>(morph)].defaultWeight;
  };
  for (std::size_t c = 0; c < atlas.clips.size(); ++c) {
    const AtlasClip& clip = atlas.clips[c];
    for (int frame = 0; frame < clip.frameCount; ++frame) {
      const std::vector<float> weights = storedMorphWeights(morphs, static_cast<int>(c), frame);
      for (const auto& [column, name] : columns) {
        put(clip.firstFrame + frame, column, weights[name]);
      }
    }
  }
  std::vector<char> own(static_cast<std::size_t>(frameCount_) + 1, 0);
  for (std::size_t i = 0; i < frames_.size(); ++i) {
    constexpr float kNothing = 1e-6f;
    if (glm::any(glm::greaterThan(glm::abs(frames_[i]), glm::vec4(kNothing)))) {
      own[i / texelsEach] = 1;
    }
  }
  for (std::size_t f = 0; f + 1 < own.size(); ++f) {
    moves_.push_back(static_cast<char>(own[f] | own[f + 1]));
  }
}

void MorphRows::readOwn(const MorphSet& set, const Crowd& crowd) {
  std::vector<std::vector<int>> morphs;  // one list per morph name of the crowd
  for (const std::string& name : crowd.morphNames()) morphs.push_back(morphsNamed(set, name));
  ownOf_.reserve(crowd.size());
  for (std::size_t actor = 0; actor < crowd.size(); ++actor) {
    glm::ivec2 run(static_cast<int>(own_.size()), 0);
    for (const CrowdMorph& own : crowd.morphsOf(actor)) {
      if (!(std::abs(own.weight) <= kLargestMorphWeight)) continue;
      for (const int morph : morphs[static_cast<std::size_t>(own.name)]) {
        const float off = own.weight - set[static_cast<std::size_t>(morph)].defaultWeight;
        own_.emplace_back(static_cast<float>(columnOf(morph)), off, 0.0f, 0.0f);
        ++run.y;
      }
    }
    ownOf_.push_back(run);
  }
}

bool MorphRows::frameMoves(int frame) const {
  return frame >= 0 && frame < frameCount_ && moves_[static_cast<std::size_t>(frame)] != 0;
}

bool MorphRows::moves(const gpu::CkActor& record, std::size_t visible) const {
  if (ownOf_[visible].y > 0 || frameMoves(record.frames.x)) return true;
  return showsSecond(record) && frameMoves(record.frames.y);
}

glm::vec4 MorphRows::frameAt(int frame, int texel, float alpha) const {
  if (texel >= frameTexels_ || frameCount_ == 0) return glm::vec4(0.0f);
  const auto at = [&](int f) {
    const int held = std::clamp(f, 0, frameCount_ - 1);
    return frames_[static_cast<std::size_t>(held) * static_cast<std::size_t>(frameTexels_) +
                   static_cast<std::size_t>(texel)];
  };
  return glm::mix(at(frame), at(frame + 1), alpha);
}

void MorphRows::read(const gpu::CkActor& record, std::size_t visible, std::span<float> row) const {
  const bool second = showsSecond(record);
  for (int texel = 0; texel < texels(); ++texel) {
    glm::vec4 weights = frameAt(record.frames.x, texel, record.positionAlphaA.w);
    if (second) {
      const glm::vec4 other = frameAt(record.frames.y, texel, record.scaleAlphaB.w);
      weights = glm::mix(weights, other, gpu::ck_lookBlend(record.look));
    }
    for (int i = 0; i < 4; ++i)
      row[static_cast<std::size_t>(texel) * 4 + static_cast<std::size_t>(i)] = weights[i];
  }
  const glm::ivec2 run = ownOf_[visible];
  for (int i = run.x; i < run.x + run.y; ++i) {
    const glm::vec4& own = own_[static_cast<std::size_t>(i)];
    row[static_cast<std::size_t>(own.x)] = own.y;
  }
}

}  // namespace ck
