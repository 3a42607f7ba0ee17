#include "render/methods/live/live_skinner.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <optional>

#include "core/anim/live_poser.h"
#include "core/base/log.h"
#include "core/crowd/source_clips.h"
#include "render/methods/palette/palette_skinner.h"
#include "render/scene/welded_character.h"

namespace ck::render {
namespace {

bool sameMotion(const CrowdClip& a, const CrowdClip& b) {
  return a.name == b.name && a.atlasClip == b.atlasClip && a.durationSeconds == b.durationSeconds;
}

class LiveSkinner : public PaletteReader {
 public:
  explicit LiveSkinner(const SkinnerInput& input)
      : PaletteReader(input),
        palette_(input.facts, static_cast<int>(input.character.character->rig.skinJoints.size()),
                 input.shaders) {}

  Result<void> update(const SkinningTick& tick) override {
    if (auto morphs = readyMorphs(tick); !morphs) return morphs;
    influences_ = tick.pose.influences;
    if (auto packed = pack(tick.pose.packedInfluences); !packed) return packed;
    getReady(tick.crowd);
    if (auto known = uploadBinds(); !known) return known;
    const std::vector<LivePose> poses = posesOf(tick);
    const int posed = static_cast<int>(ready_->poser.posedJoints().size());
    rows_.resize(poses.size() * static_cast<std::size_t>(posed) * 3);
    ready_->poser.pose(poses, rows_);
    if (!rows_.empty()) {
      auto stored = joints_.upload(rows_, BufferUse::Stream, "the posed joints");
      if (!stored) return stored;
    }
    const PaletteSource source{.defines = {{"CK_JOINT_FILE", "palette/live_matrix.glsl"}},
                               .bind = [this, posed](const Program& program) {
                                 program.set("ckPosedCount", posed);
                                 joints_.bind(unit::kLiveJoints);
                                 binds_.bind(unit::kBinds);
                               }};
    return palette_.run({.actors = input_.actors,
                         .foldWorld = true,
                         .readAsStorage = tick.pose.paletteRead == PaletteRead::StorageBuffer},
                        source);
  }

  Result<void> draw(const DrawPass& pass) const override {
    return drawPalette(palette_, nullptr, pass, packs_);
  }
  SkinnerCost cost(std::size_t actors, std::span<const IndexRun> runs) const override {
    return {.drawCalls = instancedCalls(actors, runs),
            .fetchesPerVertex = kPaletteFetches * influences_,
            .uploadedBytes = palette_.uploadedBytes() + joints_.sizeBytes(),
            .paletteRead = readOf(palette_)};
  }

 private:
  // Prepared clips and masks, and the crowd's properties that they were made for.
  struct Ready {
    std::vector<CrowdClip> clips;
    std::vector<JointMask> masks;
    SourceClips sources;
    std::vector<int> liveClip;  // per clip of the crowd: index in the poser, or -1
    LivePoser poser;
  };
  // The clips of a crowd change when an artist edits them, not in every tick.
  void getReady(const Crowd& crowd) {
    const std::span<const CrowdClip> clips = crowd.clips();
    const std::span<const JointMask> masks = crowd.masks();
    if (ready_ &&
        std::equal(clips.begin(), clips.end(), ready_->clips.begin(), ready_->clips.end(),
                   sameMotion) &&
        std::equal(masks.begin(), masks.end(), ready_->masks.begin(), ready_->masks.end())) {
      return;
    }
    const Character& character = *input_.character.character;
    const Atlas* atlas = input_.atlas != nullptr ? input_.atlas->atlas.get() : nullptr;
    SourceClips sources(character, atlas, crowd);
    std::vector<Clip> known;
    std::vector<int> liveClip;
    for (std::size_t c = 0; c < sources.size(); ++c) {
      const Clip* clip = sources.clip(static_cast<int>(c));
      liveClip.push_back(clip != nullptr ? static_cast<int>(known.size()) : -1);
      if (clip != nullptr) known.push_back(*clip);
    }
    std::vector<std::vector<float>> weights;
    for (const JointMask& mask : masks) weights.push_back(maskWeights(character.rig, mask));
    ready_ = Ready{.clips = {clips.begin(), clips.end()},
                   .masks = {masks.begin(), masks.end()},
                   .sources = std::move(sources),
                   .liveClip = std::move(liveClip),
                   .poser = LivePoser(character.rig, known)};
    ready_->poser.setMasks(std::move(weights));
  }

  LiveMoment momentOf(int clip, double unit) const {
    const int live = ready_->liveClip[static_cast<std::size_t>(clip)];
    if (live < 0) return {};
    const SourceMoment moment = ready_->sources.momentOf(clip, unit);
    return {.clip = live,
            .seconds = moment.seconds - moment.clip->startSeconds,
            .closing = static_cast<float>(moment.closing)};
  }

  std::vector<LivePose> posesOf(const SkinningTick& tick) const {
    std::vector<LivePose> poses(tick.records.size());
    for (std::size_t i = 0; i < poses.size(); ++i) {
      const std::size_t actor = tick.chosen[i];
      poses[i].first = momentOf(tick.crowd.clipOf(actor), tick.crowd.unitOf(actor));
      const auto fade = tick.pose.fades ? tick.crowd.fadeOf(actor) : std::nullopt;
      if (!fade) continue;
      poses[i].second = momentOf(fade->clip, fade->unit);
      poses[i].blend = static_cast<float>(fade->blend);
      poses[i].mask = tick.crowd.maskOf(actor);
    }
    return poses;
  }

  // For every skin joint, its posed joint and the rows of its inverse bind matrix. Two skin joints
  // of one joint have different matrices.
  Result<void> uploadBinds() {
    if (binds_.sizeBytes() > 0) return {};
    const std::span<const int> posed = ready_->poser.posedJoints();
    std::vector<glm::vec4> texels;
    for (const SkinJoint& skinJoint : input_.character.character->rig.skinJoints) {
      const auto at = std::lower_bound(posed.begin(), posed.end(), skinJoint.joint);
      texels.emplace_back(static_cast<float>(at - posed.begin()), 0.0f, 0.0f, 0.0f);
      const glm::dmat4& bind = skinJoint.inverseBind;
      for (int row = 0; row < 3; ++row) {
        texels.emplace_back(bind[0][row], bind[1][row], bind[2][row], bind[3][row]);
      }
    }
    return binds_.upload(texels, BufferUse::Static, "the inverse bind matrices");
  }

  // Puts the vertex array of this form in use.
  Result<void> pack(bool packs) {
    if (packs == packs_) return {};
    if (!otherArray_) {
      const PackedInfluences packed = packInfluences(input_.character.welded.vertices);
      auto stored = packed_.upload(packed.vertices, BufferUse::Static, "the packed influences");
      if (!stored) return stored;
      otherArray_ = makePackedVertexArray(input_.character, input_.actors, packed_);
      log().info("Packed influences of {}: weights are off by {:.2g} at most",
                 input_.character.character->name, packed.worstWeightError);
    }
    std::swap(vertexArray_, otherArray_);
    packs_ = packs;
    return {};
  }

  Buffer packed_;        // packed influences, if requested
  GlHandle otherArray_;  // the vertex array that is not in use: packed, or not
  bool packs_ = false;
  PalettePass palette_;
  BufferTexture joints_;
  BufferTexture binds_;
  std::optional<Ready> ready_;
  std::vector<glm::vec4> rows_;
};

}  // namespace

template <>
SkinnerResult skinnerOf<Method::Live>(const SkinnerInput& input) {
  return std::make_unique<LiveSkinner>(input);
}

}  // namespace ck::render
