#include "core/project/actors/spawn.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/anim/pose.h"
#include "core/project/characters.h"

namespace ck {
namespace {

// Every choice uses its own random stream, so that adding a choice does not change the others.
constexpr std::uint64_t kRadiusStream = 101;
constexpr std::uint64_t kSideStream = 102;
constexpr std::uint64_t kMixStream = 104;

// A tint without a mask colours the whole rig, so it is mixed with white.
std::uint32_t pale(std::uint32_t tint) {
  return 0x808080u + ((tint >> 1) & 0x7f7f7fu);
}

bool hasTintMask(const Character& character) {
  return std::ranges::any_of(character.materials, &Material::alphaIsTintMask);
}

// Which of the assigned clips have a ground speed.
std::vector<bool> walksOf(const SpawnPart& part) {
  std::vector<bool> walks(part.clipNames.size(), false);
  if (part.character == nullptr) return walks;
  const std::vector<Clip>& clips = part.character->clips;
  for (std::size_t i = 0; i < walks.size(); ++i) {
    walks[i] = std::ranges::any_of(clips, [&](const Clip& clip) {
      return clip.name == part.clipNames[i] && clip.groundSpeedMetersPerSecond != 0.0;
    });
  }
  return walks;
}

// Sets clips, paths and tints for the actors of one character. `theirs` are their indices.
void dress(std::vector<Actor>& actors, const std::vector<std::size_t>& theirs,
           const SpawnPart& part, const SpawnSettings& settings) {
  SpawnSettings own = settings;
  own.count = static_cast<int>(theirs.size());
  own.clipCount = std::max(1, static_cast<int>(part.clips.size()));
  const std::vector<int> dealt = dealtClips(own);
  const std::vector<bool> walks = walksOf(part);
  const bool masked = part.character != nullptr && hasTintMask(*part.character);
  for (std::size_t k = 0; k < theirs.size(); ++k) {
    const std::size_t i = theirs[k];
    Actor& actor = actors[i];
    const auto clip = static_cast<std::size_t>(dealt[k]);
    actor.clip = clip < part.clips.size() ? part.clips[clip] : 0;
    if (!settings.varied) continue;
    if (!masked) actor.tint = pale(actor.tint);
    if (clip < part.hasWay.size() && part.hasWay[clip]) {
      actor.travels = true;
      continue;
    }
    if (clip >= walks.size() || !walks[clip]) continue;
    const double radius =
        settings.spacingMeters * (1.5 + 2.0 * randomUnit(settings.seed, i, kRadiusStream));
    const double side = randomUnit(settings.seed, i, kSideStream) < 0.5 ? -1.0 : 1.0;
    actor.travels = true;
    actor.turnRadius = static_cast<float>(radius * side);
    if (settings.mirrorX != settings.mirrorZ) actor.turnRadius = -actor.turnRadius;
  }
}

std::vector<std::size_t> actorsOf(const Project& project, int crowd) {
  std::vector<std::size_t> theirs;
  for (std::size_t i = 0; i < project.actors.size(); ++i) {
    if (project.actors[i].crowd == crowd) theirs.push_back(i);
  }
  return theirs;
}

}  // namespace

double spacingFor(const Character& character) {
  const Bounds bounds = bindBounds(character);
  const glm::dvec3 size = bounds.high - bounds.low;
  const double largest = std::max({size.x, size.y, size.z});
  if (!(largest > 0.0) || !std::isfinite(largest)) return SpawnSettings{}.spacingMeters;
  // Two digits, so that the editor's field shows a short number.
  const double unit = std::pow(10.0, std::floor(std::log10(largest)) - 1.0);
  return std::max(1.0, std::round(largest * 0.9 / unit)) * unit;
}

std::vector<Actor> spawnCrowd(std::span<const SpawnPart> parts, const SpawnSettings& settings) {
  std::vector<Actor> actors = spawnActors(settings);
  if (parts.empty()) return actors;
  const std::vector<int> characters = dealtCharacters(settings, static_cast<int>(parts.size()));
  std::vector<std::vector<std::size_t>> theirs(parts.size());
  for (std::size_t i = 0; i < actors.size(); ++i) {
    actors[i].character = characters[i];
    theirs[static_cast<std::size_t>(characters[i])].push_back(i);
  }
  for (std::size_t c = 0; c < parts.size(); ++c) dress(actors, theirs[c], parts[c], settings);
  return actors;
}

std::vector<Actor> spawnFor(const Character& character, const std::vector<std::string>& clipNames,
                            const SpawnSettings& settings) {
  SpawnPart part{&character, {}, clipNames, {}};
  for (int i = 0; i < std::max(1, settings.clipCount); ++i) part.clips.push_back(i);
  SpawnSettings alone = settings;
  alone.shares.clear();
  return spawnCrowd(std::span(&part, 1), alone);
}

std::vector<SpawnPart> spawnParts(const Project& project,
                                  std::span<const CharacterPtr> characters) {
  std::vector<SpawnPart> parts;
  for (int c = 0; c < characterCount(project); ++c) {
    SpawnPart part;
    const auto index = static_cast<std::size_t>(c);
    if (index < characters.size()) part.character = characters[index].get();
    const std::vector<ProjectClip>& clips = clipsOf(project, c);
    const auto isThere = [&part](const ProjectClip& clip) {
      return part.character == nullptr || clipNamed(*part.character, clip.name);
    };
    const bool any = std::ranges::any_of(
        clips, [&](const ProjectClip& clip) { return clip.ticked && isThere(clip); });
    for (std::size_t i = 0; i < clips.size(); ++i) {
      if ((any && !clips[i].ticked) || !isThere(clips[i])) continue;
      part.clips.push_back(static_cast<int>(i));
      part.clipNames.push_back(clips[i].name);
      part.hasWay.push_back(clips[i].edit.root.motion == RootMotion::Extract);
    }
    parts.push_back(std::move(part));
  }
  return parts;
}

void mixIn(Project& project, int crowd, int character, std::span<const SpawnPart> parts) {
  SpawnSettings& spawn = project.crowds[static_cast<std::size_t>(crowd)].spawn;
  std::vector<double>& shares = spawn.shares;
  if (shares.empty()) shares.push_back(1.0);
  shares.resize(static_cast<std::size_t>(characterCount(project)), 0.0);
  double others = 0.0;
  int playing = 0;
  for (std::size_t c = 0; c < shares.size(); ++c) {
    if (static_cast<int>(c) == character || !(shares[c] > 0.0)) continue;
    others += shares[c];
    ++playing;
  }
  shares[static_cast<std::size_t>(character)] = playing > 0 ? others / playing : 1.0;
  // The actors with the smallest random numbers, which are spread over the crowd.
  std::vector<std::size_t> chosen = actorsOf(project, crowd);
  const std::size_t count = chosen.size();
  std::ranges::stable_sort(
      chosen, {}, [&spawn](std::size_t i) { return randomUnit(spawn.seed, i, kMixStream); });
  chosen.resize(count / static_cast<std::size_t>(playing + 1));
  std::ranges::sort(chosen);
  std::vector<Actor> actors = project.actors.toVector();
  for (const std::size_t i : chosen) {
    actors[i].character = character;
    actors[i].fadeClip = -1;
    actors[i].travels = false;
    actors[i].turnRadius = 0.0f;
  }
  dress(actors, chosen, parts[static_cast<std::size_t>(character)], spawn);
  for (const std::size_t i : chosen) project.actors.set(i, actors[i]);
}

void dealActors(Project& project, int crowd, std::span<const SpawnPart> parts) {
  SpawnSettings settings = project.crowds[static_cast<std::size_t>(crowd)].spawn;
  const std::vector<std::size_t> theirs = actorsOf(project, crowd);
  settings.count = static_cast<int>(theirs.size());
  const std::vector<Actor> dealt = spawnCrowd(parts, settings);
  for (std::size_t i = 0; i < theirs.size(); ++i) {
    Actor actor = project.actors[theirs[i]];
    if (actor.character == dealt[i].character) continue;
    actor.character = dealt[i].character;
    actor.clip = dealt[i].clip;
    actor.fadeClip = -1;
    actor.travels = dealt[i].travels;
    actor.turnRadius = dealt[i].turnRadius;
    actor.tint = dealt[i].tint;
    project.actors.set(theirs[i], actor);
  }
}

}  // namespace ck
