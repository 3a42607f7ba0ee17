#include "core/crowd/crowd_clip.h"

#include <algorithm>

namespace ck {

std::vector<CrowdClip> crowdClips(const Atlas& atlas, std::span<const std::string> clipNames) {
  std::vector<CrowdClip> clips;
  for (const std::string& name : clipNames) {
    CrowdClip& clip = clips.emplace_back();
    clip.name = name;
    const auto found = std::ranges::find(atlas.clips, name, sourceNameOf);
    if (found == atlas.clips.end()) continue;
    clip.atlasClip = static_cast<int>(found - atlas.clips.begin());
    clip.firstFrame = found->firstFrame;
    clip.frameCount = found->frameCount;
    clip.stepFrames = found->stepFrames;
    clip.keptMoments = found->keptMoments;
    clip.durationSeconds = found->durationSeconds;
    clip.loop = found->loop;
    clip.groundSpeedMetersPerSecond = found->groundSpeedMetersPerSecond;
    clip.rootMotion = found->rootMotion;
  }
  return clips;
}

std::vector<CrowdClip> sourceCrowdClips(const Character& character,
                                        std::span<const std::string> clipNames) {
  std::vector<CrowdClip> clips;
  for (const std::string& name : clipNames) {
    CrowdClip& clip = clips.emplace_back();
    clip.name = name;
    const auto found = clipNamed(character, name);
    if (!found) continue;
    clip.durationSeconds = character.clips[*found].durationSeconds;
    clip.groundSpeedMetersPerSecond = character.clips[*found].groundSpeedMetersPerSecond;
  }
  return clips;
}

}  // namespace ck
