#include "ui/document/baked_neighbour.h"

#include "core/bake/bake.h"

namespace ck::ui {

std::filesystem::path atlasBeside(const std::filesystem::path& projectFile) {
  std::filesystem::path path = projectFile;
  return path.replace_extension(".ckatlas");
}

bool atlasFits(const Atlas& atlas, const Character& character, const BakeSettings& settings) {
  if (atlas.sourceHash != character.source.hash) return false;
  if (atlas.unitScale != character.source.unitScale) return false;
  if (atlas.joints.size() != character.rig.skinJoints.size()) return false;
  if (atlas.encoding != settings.encoding || atlas.layout != settings.layout ||
      atlas.rangeMode != rangeModeFor(settings) || atlas.influences != settings.influences ||
      atlas.interpolate != settings.interpolate) {
    return false;
  }
  const Result<BakeCost> cost = bakeCost(character, settings);
  if (!cost || cost->clips.size() != atlas.clips.size()) return false;
  if (cost->components.components != atlas.components) return false;
  for (std::size_t clip = 0; clip < atlas.clips.size(); ++clip) {
    if (cost->clips[clip].name != atlas.clips[clip].name ||
        cost->clips[clip].frames != atlas.clips[clip].frameCount) {
      return false;
    }
    if (clip >= settings.clips.size()) continue;
    const BakeClip& wish = settings.clips[clip];
    if (wish.loop && *wish.loop != atlas.clips[clip].loop) return false;
    if (wish.shape != atlas.clips[clip].shape) return false;
  }
  return cost->width == atlasWidth(atlas) && cost->height == atlasHeight(atlas);
}

}  // namespace ck::ui
