#include <algorithm>

#include "core/crowd/crowd.h"

namespace ck {

std::vector<CrowdClip> crowdClips(const Atlas& atlas, std::span<const std::string> clipNames) {
  std::vector<CrowdClip> clips;
  clips.reserve(clipNames.size());
  for (const std::string& name : clipNames) {
    const auto found =
        std::find_if(atlas.clips.begin(), atlas.clips.end(),
                     [&name](const AtlasClip& clip) { return sourceNameOf(clip) == name; });
    CrowdClip clip;
    clip.name = name;
    if (found != atlas.clips.end()) {
      clip.atlasClip = static_cast<int>(found - atlas.clips.begin());
      clip.firstFrame = found->firstFrame;
      clip.frameCount = found->frameCount;
      clip.durationSeconds = found->durationSeconds;
      clip.loop = found->loop;
      clip.groundSpeedMetersPerSecond = found->groundSpeedMetersPerSecond;
    }
    clips.push_back(clip);
  }
  return clips;
}

std::vector<CrowdClip> sourceCrowdClips(const Character& character,
                                        std::span<const std::string> clipNames) {
  std::vector<CrowdClip> clips;
  clips.reserve(clipNames.size());
  for (const std::string& name : clipNames) {
    const auto found = std::find_if(character.clips.begin(), character.clips.end(),
                                    [&name](const Clip& clip) { return clip.name == name; });
    CrowdClip clip;
    clip.name = name;
    if (found != character.clips.end()) {
      clip.durationSeconds = found->durationSeconds;
      clip.groundSpeedMetersPerSecond = found->groundSpeedMetersPerSecond;
    }
    clips.push_back(clip);
  }
  return clips;
}

}  // namespace ck
