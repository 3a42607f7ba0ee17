#include "render/methods/prepass/prepass_skinner.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <numeric>

#include "core/base/assert.h"
#include "core/base/log.h"
#include "render/gl/draw_commands.h"
#include "render/methods/palette/palette_skinner.h"
#include "render/methods/palette/palette_slots.h"
#include "render/methods/prepass/vertex_prepass.h"
#include "render/morph/morph_stage.h"

namespace ck::render {

namespace {

// The way that was requested, or the best one that the context supports.
PrepassWay prepassWayFor(SkinOn skinOn, const ContextFacts& facts) {
  const bool cpu = skinOn == SkinOn::Cpu || (skinOn == SkinOn::Auto && facts.software);
  if (cpu) return PrepassWay::Cpu;
  return facts.compute ? PrepassWay::Compute : PrepassWay::Feedback;
}

std::vector<std::uint32_t> firstActors(std::size_t count) {
  std::vector<std::uint32_t> actors(count);
  std::iota(actors.begin(), actors.end(), 0u);
  return actors;
}

class PrepassSkinner : public ActorSkinner {
 public:
  PrepassSkinner(const SkinnerInput& input, PrepassWay way)
      : ActorSkinner(input),
        palette_(*input.atlas, input.facts, input.shaders),
        prepass_(way, input.character, input.shaders),
        lease_(*input.store),
        commands_(std::make_unique<DrawCommands>(input.facts)) {}

  // Fails with LimitExceeded, which says how many actors fit, and Internal (a shader).
  Result<void> update(const SkinningTick& tick) override {
    CK_ASSERT(tick.pose.updateEvery >= 1);
    draws_.clear();
    if (tick.records.empty()) return {};
    Result<void> done;
    if (tick.pose.updateEvery > 1) {
      done = updateInTurn(tick);
    } else {
      written_ = {};
      const PaletteSlots slots = sharedSlots(tick.records, isBetweenFrames(tick.pose.sampling));
      // Actors at equal moments may have different morphs.
      const bool shares = tick.morphs == nullptr && slots.size() * 2 <= tick.records.size();
      done = shares ? updateShared(tick, slots) : updateAll(tick);
    }
    if (!done) {
      written_ = {};
      return done;
    }
    if (shared_) {
      draws_ = {{0, tick.records.size()}};
    } else {
      for (const SkinnedStore::Run& run : lease_.runs())
        draws_.push_back({run.firstActor, run.actors});
    }
    return {};
  }

  Result<void> draw(const DrawPass& pass) const override {
    DrawPass own = pass;
    own.morphs = nullptr;  // the stored vertices are already morphed
    const auto found = program({.file = "pose/skinned_pose.glsl",
                                .defines = {{"CK_FOLD_WORLD", inWorld_}, {"CK_SHARED", shared_}}},
                               own);
    if (!found) return tl::unexpected(found.error());
    if (draws_.empty()) return {};
    const Program& program = **found;
    program.set("ckVertexCount", static_cast<int>(input_.character.vertexCount()));
    if (shared_) slots_.bind(unit::kSlots);
    // One command per run of actors and run of indices.
    std::vector<DrawCommand> commands;
    const std::vector<IndexRun> visible = drawnRuns(input_.character, own);
    for (const ActorRun& run : draws_) {
      for (const IndexRun& indices : visible) {
        commands.push_back({indices.count, static_cast<std::uint32_t>(run.count), indices.first, 0,
                            static_cast<std::uint32_t>(run.first)});
      }
    }
    if (auto stored = commands_->set(commands); !stored) return stored;
    const ActorPass started(program, vertexArray_, input_.character, input_.actors, own);
    for (std::size_t index = 0; index < draws_.size(); ++index) {
      const SkinnedStore::Run& run = lease_.runs()[index];
      const ActorRun& actors = draws_[index];
      input_.store->page(run.page).bind(unit::kSkinned);
      if (showsTangents(own, input_.character))
        input_.store->tangents(run.page).bind(unit::kTangents);
      program.set("ckFirstVertex", static_cast<int>(run.firstVertex));
      program.set("ckFirstActor", static_cast<int>(actors.first));
      if (!started.feedsBack()) {
        commands_->submit({index * visible.size(), visible.size(), input_.character.wideIndices},
                          [this](std::size_t first) { input_.actors.attach(first); });
        continue;
      }
      if (actors.first > 0) input_.actors.attach(actors.first);
      started.draw(actors.count);
      if (actors.first > 0) input_.actors.attach(0);
    }
    return {};
  }

  SkinnerCost cost(std::size_t actors, std::span<const IndexRun> runs) const override {
    const int each = commands_->callsFor(std::max<std::size_t>(runs.size(), 1));
    return {.drawCalls = actors == 0 ? 0 : static_cast<int>(draws_.size()) * each,
            .fetchesPerVertex = shared_ ? 2 : 1,
            .uploadedBytes = palette_.uploadedBytes() + prepass_.uploadedBytes() +
                             (shared_ ? slots_.uploadedBytes() : 0),
            .heldBytes = palette_.sizeBytes() + lease_.sizeBytes(),
            .onCpu = prepass_.way() == PrepassWay::Cpu};
  }

 private:
  // The state in which all vertices were last skinned. If it changes, all are skinned again.
  struct Written {
    std::uint64_t crowdOrigin = 0;
    std::uint64_t choice = 0;
    std::size_t actors = 0;
    int influences = 0;
    bool interpolate = true;
    bool fades = true;
    int every = 1;
    bool operator==(const Written&) const = default;
  };
  // The state in which an actor was last skinned. If it changes, the actor is skinned even if it is
  // not its turn.
  struct Skinned {
    int clip = -1;
    int second = -1;  // -1 if there is none
    WeightsFrom weights = WeightsFrom::Default;
    bool operator==(const Skinned&) const = default;
  };

  Result<void> updateAll(const SkinningTick& tick) {
    shared_ = false;
    inWorld_ = true;
    if (auto room = reserve(tick.records.size(), tick); !room) return tl::unexpected(room.error());
    return skin(firstActors(tick.records.size()), {}, tick);
  }

  Result<void> updateShared(const SkinningTick& tick, const PaletteSlots& slots) {
    if (auto room = reserve(slots.size(), tick); !room) return tl::unexpected(room.error());
    // One draw reads one page, so a crowd whose slots need several pages is drawn run by run.
    if (lease_.runs().size() > 1) return updateAll(tick);
    shared_ = true;
    inWorld_ = false;
    if (auto stored = slots_.set(slots.slotOf, "the actors' slots"); !stored) return stored;
    return skin(firstActors(slots.size()), slots.actorOf, tick);
  }

  Result<void> updateInTurn(const SkinningTick& tick) {
    shared_ = false;
    inWorld_ = false;
    const auto kept = reserve(tick.records.size(), tick);
    if (!kept) return tl::unexpected(kept.error());
    const Written now{.crowdOrigin = tick.crowd.stamp().origin,
                      .choice = tick.chosen.stamp(),
                      .actors = tick.records.size(),
                      .influences = tick.pose.influences,
                      .interpolate = isBetweenFrames(tick.pose.sampling),
                      .fades = tick.pose.fades,
                      .every = tick.pose.updateEvery};
    const bool all = !*kept || now != written_;
    written_ = now;
    if (all) turn_ = 0;  // so earlier draws do not affect the result
    const std::vector<std::uint32_t> due = dueActors(tick, all);
    turn_ = (turn_ + 1) % tick.pose.updateEvery;
    return skin(due, due, tick);
  }

  // The actors whose turn it is, those whose clips or morphs have changed, and the selected actor,
  // which is being edited.
  std::vector<std::uint32_t> dueActors(const SkinningTick& tick, bool all) {
    std::vector<std::uint32_t> due;
    const auto every = static_cast<std::size_t>(tick.pose.updateEvery);
    skinned_.resize(tick.records.size());
    for (std::size_t actor = 0; actor < tick.records.size(); ++actor) {
      const auto fade = tick.pose.fades ? tick.crowd.fadeOf(tick.chosen[actor]) : std::nullopt;
      const WeightsFrom weights =
          tick.morphs != nullptr ? tick.morphs->weightsFrom(actor) : WeightsFrom::Default;
      const Skinned now{tick.crowd.clipOf(tick.chosen[actor]), fade ? fade->clip : -1, weights};
      const bool itsTurn = (actor + static_cast<std::size_t>(turn_)) % every == 0;
      if (all || itsTurn || weights == WeightsFrom::Selected || now != skinned_[actor]) {
        due.push_back(static_cast<std::uint32_t>(actor));
      }
      skinned_[actor] = now;
    }
    return due;
  }

  Result<bool> reserve(std::size_t actors, const SkinningTick& tick) {
    return lease_.reserve(actors, input_.character.vertexCount(), tick.tangents);
  }
  // Writes the vertices of these actors of the lease. `slotActors` as of PaletteJob.
  Result<void> skin(std::span<const std::uint32_t> actors,
                    std::span<const std::uint32_t> slotActors, const SkinningTick& tick) {
    if (actors.empty()) return {};
    auto filled = palette_.fill({.actors = input_.actors,
                                 .slotActors = slotActors,
                                 .foldWorld = inWorld_,
                                 .showsTwoClips = anyShowsTwoClips(tick.records)},
                                isBetweenFrames(tick.pose.sampling));
    if (!filled) return filled;
    return prepass_.run({.palette = palette_,
                         .actors = actors,
                         .foldWorld = inWorld_,
                         .records = input_.actors,
                         .places = tick.records.places(),
                         .influences = tick.pose.influences,
                         .tangents = tick.tangents,
                         .morphs = tick.morphs},
                        *input_.store, lease_);
  }

  AtlasPalette palette_;
  VertexPrepass prepass_;
  SkinnedStore::Lease lease_;
  IndexTexture slots_;
  std::unique_ptr<DrawCommands> commands_;
  bool shared_ = false;
  bool inWorld_ = true;
  std::vector<ActorRun> draws_;
  Written written_;
  int turn_ = 0;
  std::vector<Skinned> skinned_;  // one per actor
};

// Skins on the CPU as long as there is memory, otherwise on the GPU.
class AutoPaletteSkinner : public Skinner {
 public:
  explicit AutoPaletteSkinner(const SkinnerInput& input)
      : onCpu_(input, PrepassWay::Cpu), onGpu_(makePaletteSkinner(input)) {
    log().debug("OpenGL runs in software, so the method palette skins on the processor");
  }

  Result<void> update(const SkinningTick& tick) override {
    SkinningTick every = tick;
    every.pose.updateEvery = 1;
    auto done = onCpu_.update(every);
    if (done || done.error().code != ErrorCode::LimitExceeded) {
      chosen_ = &onCpu_;
      return done;
    }
    if (chosen_ == &onCpu_) log().debug("skinned by the graphics driver: {}", done.error().message);
    chosen_ = onGpu_.get();
    return onGpu_->update(tick);
  }
  Result<void> draw(const DrawPass& pass) const override { return chosen_->draw(pass); }
  bool drawsParts() const override { return chosen_->drawsParts(); }
  SkinnerCost cost(std::size_t actors, std::span<const IndexRun> runs) const override {
    return chosen_->cost(actors, runs);
  }

 private:
  PrepassSkinner onCpu_;
  std::unique_ptr<Skinner> onGpu_;
  Skinner* chosen_ = &onCpu_;
};

}  // namespace

template <>
SkinnerResult skinnerOf<Method::Prepass>(const SkinnerInput& input) {
  return std::make_unique<PrepassSkinner>(input, prepassWayFor(input.skinOn, input.facts));
}

template <>
SkinnerResult skinnerOf<Method::Palette>(const SkinnerInput& input) {
  if (input.skinOn == SkinOn::Cpu) return std::make_unique<PrepassSkinner>(input, PrepassWay::Cpu);
  if (input.skinOn == SkinOn::Auto && input.facts.software) {
    return std::make_unique<AutoPaletteSkinner>(input);
  }
  return makePaletteSkinner(input);
}

}  // namespace ck::render
