#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <vector>

#include "core/container/atlas_file.h"
#include "core/system/files.h"
#include "tests/fuzz/struct_mutation.h"
#include "tests/fuzz/target_list.h"
#include "tests/fuzz/text_target.h"

// Reads any bytes as a .ckatlas, as they are and sealed: the size and the checksum are made right,
// so that mutations reach what is behind them. An input that passes is an atlas: it can be packed
// in every way, and is the same again. Built and run by scripts/fuzz.sh.

namespace {

using ck::fuzz::Bytes;
using ck::fuzz::bytesOf;

void seal(Bytes& bytes) {
  constexpr std::size_t kSizeAt = 12;
  const std::uint64_t total = bytes.size();
  if (total < 36) return;
  std::memcpy(bytes.data() + kSizeAt, &total, sizeof total);
  const std::uint64_t hash =
      ck::hashBytes(std::span<const std::byte>(bytes).first(total - sizeof total));
  std::memcpy(bytes.data() + total - sizeof hash, &hash, sizeof hash);
}

// Changes atlases as a damaged or malicious writer may write them.
class AtlasMutation : public ck::fuzz::StructMutation {
 public:
  using StructMutation::StructMutation;

  void change(ck::AtlasFile& file) {
    ck::Atlas& atlas = file.atlas;
    switch (below(12)) {
      case 0:
        atlas.shape.block[static_cast<int>(below(4))] = index();
        return;
      case 1:
        atlas.shape.extent[static_cast<int>(below(4))] = index();
        return;
      case 2:
        return changeCode(atlas);
      case 3:
        if (auto* joint = any(atlas.joints)) changeJoint(*joint);
        return;
      case 4:
        if (auto* clip = any(atlas.clips)) changeEdit(clip->edit);
        return;
      case 5:
        return changeFigures(file);
      case 6:
        return changeMorphs(atlas.morphs);
      case 7:
        return changeRest(atlas);
      case 8:
        if (below(8) == 0) return atlas.clips.clear();
        changeOrder(atlas.joints);
        return changeOrder(atlas.clips);
      default:
        if (auto* clip = any(atlas.clips)) changeClip(*clip);
        return;
    }
  }

 private:
  float real() { return static_cast<float>(number()); }
  void spoil(std::string& name) { name = below(2) == 0 ? "\xff" : "other"; }

  void changeCode(ck::Atlas& atlas) {
    switch (below(4)) {
      case 0:
        atlas.recipe.encoding = ck::allEncodings()[below(ck::allEncodings().size())].encoding;
        return;
      case 1:
        atlas.recipe.components = static_cast<ck::Components>(below(3));
        return;
      case 2:
        atlas.recipe.layout = static_cast<ck::LayoutKind>(below(3));
        atlas.shape.extent.w = atlas.recipe.layout == ck::LayoutKind::Linear ? 1 : 0;
        return;
      default:
        atlas.recipe.rangeMode = static_cast<ck::RangeMode>(below(3));
        return;
    }
  }

  void changeJoint(ck::AtlasJoint& joint) {
    switch (below(5)) {
      case 0:
        joint.parent = index();
        return;
      case 1:
        joint.pivot.y = real();
        return;
      case 2:
        joint.inverseBind[static_cast<int>(below(4))][static_cast<int>(below(4))] = real();
        return;
      case 3:
        joint.isSocket = !joint.isSocket;
        return;
      default:
        return spoil(joint.name);
    }
  }

  void changeEdit(ck::ClipEdit& edit) {
    switch (below(7)) {
      case 0:
        edit.rate = number();
        return;
      case 1:
        edit.trim = ck::Trim{number(), number()};
        return;
      case 2:
        edit.loopOffset = number();
        return;
      case 3:
        edit.smallestKeyGapSeconds = number();
        return;
      case 4:
        edit.root.motion = static_cast<ck::RootMotion>(below(3));
        return;
      case 5:
        edit.dropScale = !edit.dropScale;
        return;
      default:
        return spoil(edit.root.joint);
    }
  }

  void changeClip(ck::AtlasClip& clip) {
    switch (below(12)) {
      case 11:
        clip.keptMoments = {below(2) == 0 ? 0 : index(), index(), index()};
        std::ranges::sort(clip.keptMoments);
        return;
      case 0:
        clip.firstFrame = index();
        return;
      case 1:
        clip.frameCount = index();
        return;
      case 2:
        clip.stepFrames = {index(), index()};
        std::ranges::sort(clip.stepFrames);
        return;
      case 3:
        clip.startSeconds = number();
        return;
      case 4:
        clip.durationSeconds = number();
        return;
      case 5:
        clip.groundSpeedMetersPerSecond = number();
        return;
      case 6:
        clip.bounds.low.x = number();
        return;
      case 7:
        clip.bounds.high.z = number();
        return;
      case 8:
        clip.edit.root.motion = ck::RootMotion::Extract;
        clip.rootMotion.resize(static_cast<std::size_t>(std::clamp(clip.frameCount, 0, 64)));
        if (auto* place = any(clip.rootMotion)) {
          if (below(2) == 0) place->yaw = real();
          if (below(4) == 0) place->position.z = real();
        }
        return;
      case 9:
        return spoil(clip.name);
      default:
        return spoil(clip.sourceName);
    }
  }

  void changeFigures(ck::AtlasFile& file) {
    if (!file.error || below(8) == 0) file.error.emplace();
    ck::BakeError& error = *file.error;
    ck::ErrorFigures& figures = below(2) == 0 ? error.palette : error.direct;
    ck::ErrorFigure& figure = below(2) == 0 ? figures.shell : figures.vertices;
    switch (below(8)) {
      case 0:
        figure.max = number();
        return;
      case 1:
        figure.worstTimeSeconds = number();
        return;
      case 2:
        figure.worstVertex = index();
        return;
      case 3:
        return spoil(below(2) == 0 ? figure.worstClip : figure.worstMesh);
      case 4:
        return spoil(figure.worstJoint);
      case 5:
        figures.maxDegrees = number();
        return;
      case 6:
        error.view.distanceMeters = number();
        return;
      default:
        (below(2) == 0 ? error.view.imageHeightPixels : error.view.verticalFieldOfViewDegrees) =
            number();
        return;
    }
  }

  void changeMorphs(ck::AtlasMorphs& morphs) {
    ck::AtlasClipMorphs* clip = any(morphs.clips);
    ck::MorphSlot* slot = clip == nullptr ? nullptr : any(clip->kept);
    switch (below(8)) {
      case 7:
        (below(2) == 0 ? morphs.form.slotCount : morphs.form.bits) = index();
        return;
      case 0:
        if (auto* name = any(morphs.names)) spoil(*name);
        return;
      case 1:
        if (auto* usual = any(morphs.defaults)) *usual = real();
        return;
      case 2:
        if (clip != nullptr) clip->lossMm = number();
        return;
      case 3:
        if (clip != nullptr) resize(clip->weights);
        return;
      case 4:
        if (clip != nullptr) changeOrder(clip->kept);
        return;
      case 5:
        if (slot != nullptr) slot->morph = index();
        return;
      default:
        if (slot != nullptr) (below(2) == 0 ? slot->low : slot->size) = real();
        return;
    }
  }

  void changeRest(ck::Atlas& atlas) {
    switch (below(9)) {
      case 8:
        atlas.recipe.reduceMm = below(2) == 0 ? number() : 1.0;
        atlas.recipe.seamMm = below(2) == 0 ? number() : 1.0;
        return;
      case 0:
        if (auto* range = any(atlas.ranges)) (below(2) == 0 ? range->low : range->size).y = real();
        return;
      case 1:
        return resize(atlas.ranges);
      case 2:
        return resize(atlas.texels);
      case 3:
        // No number, as a float.
        if (atlas.texels.size() < 4) return;
        std::fill_n(
            atlas.texels.begin() + static_cast<std::ptrdiff_t>(below(atlas.texels.size() / 4) * 4),
            4, std::byte{0xff});
        return;
      case 4:
        return spoil(atlas.sourcePath);
      case 5:
        atlas.unitScale = number();
        return;
      case 6:
        atlas.recipe.influences = index();
        return;
      default:
        atlas.clipsHash = below(2);
        atlas.recipe.interpolate = !atlas.recipe.interpolate;
        return;
    }
  }
};

// Through a file, whole and damaged.
void passThroughFile(const ck::AtlasFile& file) {
  const std::filesystem::path path = ck::fuzz::ownFolder() / "one.ckatlas";
  if (!ck::writeAtlasFile(file.atlas, path)) __builtin_trap();
  const auto again = ck::readAtlasFile(path);
  if (!again || *again != file.atlas) __builtin_trap();
  std::error_code failed;
  std::filesystem::resize_file(path, 20, failed);
  if (ck::readAtlasFile(path)) __builtin_trap();
}

int feedAtlas(const std::uint8_t* data, std::size_t size) {
  Bytes bytes = bytesOf(data, size);
  (void)ck::atlasFileFromBytes(bytes);
  seal(bytes);
  const auto file = ck::atlasFileFromBytes(bytes);
  if (!file) return 0;
  const ck::BakeError* error = file->error ? &*file->error : nullptr;
  const ck::ContainerExtras extras = {error, file->setId};
  for (const Bytes& written :
       {ck::atlasToBytes(file->atlas, extras, 1), ck::unpackedAtlasToBytes(file->atlas, extras)}) {
    const auto again = ck::atlasFileFromBytes(written);
    if (!again || again->atlas != file->atlas || again->error != file->error ||
        again->setId != file->setId) {
      __builtin_trap();
    }
  }
  if (size % 8 == 0) passThroughFile(*file);
  return 0;
}

// One of two mutations changes the atlas, not its bytes.
std::size_t mutateAtlas(std::uint8_t* data, std::size_t size, std::size_t maxSize, unsigned seed) {
  if (seed % 2 == 0) return LLVMFuzzerMutate(data, size, maxSize);
  Bytes bytes = bytesOf(data, size);
  seal(bytes);
  auto file = ck::atlasFileFromBytes(bytes);
  if (!file) return LLVMFuzzerMutate(data, size, maxSize);
  // Packed as it is, or changed and not packed: packing looks at texels that may not be there any
  // more.
  const bool packs = seed / 2 % 2 == 0;
  if (!packs) {
    AtlasMutation mutation(seed);
    for (unsigned steps = 0; steps <= seed / 4 % 3; ++steps) mutation.change(*file);
  }
  const ck::ContainerExtras extras = {file->error ? &*file->error : nullptr, file->setId};
  const Bytes changed = packs ? ck::atlasToBytes(file->atlas, extras, 1)
                              : ck::unpackedAtlasToBytes(file->atlas, extras);
  if (changed.size() > maxSize) return LLVMFuzzerMutate(data, size, maxSize);
  std::memcpy(data, changed.data(), changed.size());
  return changed.size();
}

}  // namespace

CK_FUZZ_TARGET(atlas, feedAtlas, mutateAtlas)
