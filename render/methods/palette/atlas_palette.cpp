#include "render/methods/palette/atlas_palette.h"

#include <algorithm>

#include "render/methods/palette/palette_slots.h"
#include "render/skinning/atlas_decode.h"

namespace ck::render {

AtlasPalette::AtlasPalette(const AtlasGpu& atlas, const ContextFacts& facts, ShaderLibrary& shaders)
    : atlas_(atlas),
      pass_(paletteFillFor(facts), static_cast<int>(atlas.atlas->joints.size()), shaders) {}

Result<void> AtlasPalette::uploadParents() {
  if (parents_.sizeBytes() > 0) return {};
  std::vector<std::int32_t> parents;
  for (const AtlasJoint& joint : atlas_.atlas->joints) parents.push_back(joint.parent);
  return parents_.upload(parents, BufferUse::Static, "the joints' parents");
}

Result<void> AtlasPalette::fill(const PaletteJob& job, bool interpolate) {
  if (auto known = uploadParents(); !known) return known;
  PaletteSource source;
  const bool fades = anyShowsTwoClips(job.poses);
  source.defines = {{"CK_LIVE", "0"},
                    {"CK_INTERPOLATE", interpolate ? "1" : "0"},
                    {"CK_FADE", fades ? "1" : "0"}};
  define(decodeOf(atlas_), source.defines);
  source.bind = [this](const Program& program) {
    bindAtlas(program, atlas_, Sampling::Nearest);
    parents_.bind(unit::kParents);
  };
  return pass_.run(job, source);
}

}  // namespace ck::render
