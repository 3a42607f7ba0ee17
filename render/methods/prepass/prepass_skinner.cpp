#include "render/methods/prepass/prepass_skinner.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <numeric>

#include "core/base/assert.h"
#include "core/base/log.h"

namespace ck::render {

PrepassWay prepassWayFor(SkinOn skinOn, const ContextFacts& facts) {
  const bool cpu = skinOn == SkinOn::Cpu || (skinOn == SkinOn::Auto && facts.software);
  if (cpu) return PrepassWay::Cpu;
  return facts.compute ? PrepassWay::Compute : PrepassWay::Feedback;
}

PrepassSkinner::PrepassSkinner(const SkinnerInput& input, PrepassWay way)
    : input_(input),
      vertexArray_(makeActorVertexArray(input.character, &input.actors)),
      palette_(*input.atlas, input.facts, input.shaders),
      prepass_(way, input.character, input.shaders),
      lease_(*input.store),
      commands_(std::make_unique<DrawCommands>(input.facts)) {}

Result<void> PrepassSkinner::skin(const ActorRecords& poses, std::span<const std::uint32_t> actors,
                                  const SkinningTick& tick) {
  auto filled = palette_.fill({poses, inWorld_}, isBetweenFrames(tick.pose.sampling));
  if (!filled) return filled;
  return prepass_.run(
      {palette_.pass(), poses, actors, inWorld_, tick.pose.influences, tick.tangents, tick.morphs},
      *input_.store, lease_);
}

Result<void> PrepassSkinner::updateAll(const SkinningTick& tick) {
  shared_ = false;
  inWorld_ = true;
  auto room = lease_.reserve(tick.records.size(), input_.character.vertexCount(), tick.tangents);
  if (!room) return tl::unexpected(room.error());
  std::vector<std::uint32_t> actors(tick.records.size());
  std::iota(actors.begin(), actors.end(), 0u);
  return skin(tick.records, actors, tick);
}

Result<void> PrepassSkinner::updateShared(const SkinningTick& tick, const PaletteSlots& slots) {
  auto room = lease_.reserve(slots.records.size(), input_.character.vertexCount(), tick.tangents);
  if (!room) return tl::unexpected(room.error());
  // One draw reads one page, so a crowd whose slots need several pages is drawn run by run.
  if (lease_.runs().size() > 1) return updateAll(tick);
  shared_ = true;
  inWorld_ = false;
  auto stored = slots_.upload(slots.slotOf, BufferUse::Stream, "the actors' slots");
  if (!stored) return stored;
  std::vector<std::uint32_t> each(slots.records.size());
  std::iota(each.begin(), each.end(), 0u);
  return skin(slots.records.view(), each, tick);
}

// The actors whose turn it is, those whose clips or morphs have changed, and the selected actor,
// which is being edited.
std::vector<std::uint32_t> PrepassSkinner::dueActors(const SkinningTick& tick, bool all) {
  std::vector<std::uint32_t> due;
  const auto every = static_cast<std::size_t>(tick.pose.updateEvery);
  skinned_.resize(tick.records.size());
  for (std::size_t actor = 0; actor < tick.records.size(); ++actor) {
    const auto fade = tick.pose.fades ? tick.crowd.fadeOf(actor) : std::nullopt;
    const FaceFrom face = tick.morphs != nullptr ? tick.morphs->faceOf(actor) : FaceFrom::Default;
    const Skinned now{tick.crowd.clipOf(actor), fade ? fade->clip : -1, face};
    const bool itsTurn = (actor + static_cast<std::size_t>(turn_)) % every == 0;
    if (all || itsTurn || face == FaceFrom::Selected || now != skinned_[actor]) {
      due.push_back(static_cast<std::uint32_t>(actor));
    }
    skinned_[actor] = now;
  }
  return due;
}

Result<void> PrepassSkinner::updateInTurn(const SkinningTick& tick) {
  shared_ = false;
  inWorld_ = false;
  auto kept = lease_.reserve(tick.records.size(), input_.character.vertexCount(), tick.tangents);
  if (!kept) return tl::unexpected(kept.error());
  const Written now{tick.crowd.stamp(),   tick.records.size(),
                    tick.pose.influences, isBetweenFrames(tick.pose.sampling),
                    tick.pose.fades,      tick.pose.updateEvery};
  const bool all = !*kept || now.stamp.origin != written_.stamp.origin ||
                   now.actors != written_.actors || now.influences != written_.influences ||
                   now.interpolate != written_.interpolate || now.fades != written_.fades ||
                   now.every != written_.every;
  written_ = now;
  if (all) turn_ = 0;  // so earlier draws do not affect the result
  const std::vector<std::uint32_t> due = dueActors(tick, all);
  turn_ = (turn_ + 1) % tick.pose.updateEvery;
  OwnedActorRecords poses;
  poses.reserve(due.size());
  for (const std::uint32_t actor : due) {
    poses.add(tick.records.places()[actor], tick.records.frames()[actor]);
  }
  return skin(poses.view(), due, tick);
}

Result<void> PrepassSkinner::update(const SkinningTick& tick) {
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
    const bool shares = tick.morphs == nullptr && slots.records.size() * 2 <= tick.records.size();
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

Result<void> PrepassSkinner::draw(const DrawPass& pass) const {
  const PoseShader pose{.file = "crowd/skinned_pose.glsl",
                        .defines = {{"CK_FOLD_WORLD", inWorld_}, {"CK_SHARED", shared_}}};
  DrawPass own = pass;
  own.morphs = nullptr;  // the stored vertices are already morphed
  const auto found = programFor(input_.shaders, pose, own, input_.character);
  if (!found) return tl::unexpected(found.error());
  const Program& program = **found;
  program.set("ckVertexCount", static_cast<int>(input_.character.vertexCount()));
  if (shared_) slots_.bind(unit::kSlots);
  return drawActorRuns(program, {input_, vertexArray_, *commands_}, own, draws_,
                       [this, &program, &own](std::size_t index) {
                         const SkinnedStore::Run& run = lease_.runs()[index];
                         input_.store->page(run.page).bind(unit::kSkinned);
                         if (showsTangents(own, input_.character)) {
                           input_.store->tangents(run.page).bind(unit::kTangents);
                         }
                         program.set("ckFirstVertex", static_cast<int>(run.firstVertex));
                         program.set("ckFirstActor", static_cast<int>(draws_[index].first));
                       });
}

int PrepassSkinner::drawCalls(std::size_t actors, std::span<const IndexRun> runs) const {
  if (actors == 0) return 0;
  const int each = commands_->callsFor(std::max<std::size_t>(runs.size(), 1));
  return static_cast<int>(draws_.size()) * each;
}

std::size_t PrepassSkinner::uploadedBytes() const {
  return palette_.pass().uploadedBytes() + prepass_.uploadedBytes() +
         (shared_ ? slots_.sizeBytes() : 0);
}

AutoPaletteSkinner::AutoPaletteSkinner(const SkinnerInput& input)
    : onCpu_(input, PrepassWay::Cpu), onGpu_(input) {
  log().debug("OpenGL runs in software, so the method palette skins on the processor");
}

Result<void> AutoPaletteSkinner::update(const SkinningTick& tick) {
  SkinningTick every = tick;
  every.pose.updateEvery = 1;
  auto done = onCpu_.update(every);
  if (done || done.error().code != ErrorCode::LimitExceeded) {
    chosen_ = &onCpu_;
    return done;
  }
  if (chosen_ != &onGpu_) log().debug("skinned by the graphics driver: {}", done.error().message);
  chosen_ = &onGpu_;
  return onGpu_.update(tick);
}

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
  return std::make_unique<PaletteSkinner>(input);
}

}  // namespace ck::render
