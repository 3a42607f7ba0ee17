#include "core/crowd/crowd_spawn.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "core/crowd/actor.h"
#include "core/crowd/formations.h"

namespace ck {
namespace {

constexpr int kMostActors = 1'000'000;

// Every choice uses its own random stream, so that adding a choice does not change the others.
enum Stream : std::uint64_t {
  kClipStream = 1,
  kOffsetStream,
  kRateStream,
  kHeadingStream,
  kTintStream,
  kCharacterStream = 9,  // 6 to 8 and from 20 on: formations.cpp
  kMorphStream = 1000,   // plus the index of the morph target
};

// Light colours, which keep a rig's shading readable whether they tint the clothes or the whole
// body.
constexpr std::uint32_t kTints[] = {0xe8e2d6, 0xd9a441, 0xc8553d, 0x8fb8de, 0x588157, 0xe0b1cb,
                                    0x7a9e9f, 0xb5838d, 0xf2cc8f, 0x6d83c4, 0xa3b18a, 0xd98f5c,
                                    0x9a8fbf, 0xc9ada7, 0x5fa8a0, 0xe07a5f};

// The finaliser of splitmix64 (Steele, Lea, Flood 2014): every input bit affects every output bit.
std::uint64_t mix(std::uint64_t x) {
  x ^= x >> 30;
  x *= 0xbf58476d1ce4e5b9u;
  x ^= x >> 27;
  x *= 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

int countOf(const SpawnSettings& settings) {
  return std::clamp(settings.count, 0, kMostActors);
}

void vary(Actor& actor, const SpawnSettings& settings, double headingSpread, std::uint64_t index) {
  const auto random = [&](Stream stream) { return randomUnit(settings.seed, index, stream); };
  actor.offset = static_cast<float>(random(kOffsetStream));
  if (actor.offset >= 1.0f) actor.offset = 0.0f;
  actor.rate = static_cast<float>(0.9 + 0.2 * random(kRateStream));
  actor.rotationDegrees.y += static_cast<float>((random(kHeadingStream) - 0.5) * headingSpread);
  actor.tint = kTints[static_cast<std::size_t>(random(kTintStream) * std::size(kTints))];
}

// Weights in steps of 0.01, which users can read, sorted by name as Actor requires.
void varyMorphs(Actor& actor, const SpawnSettings& settings, std::uint64_t index) {
  for (std::size_t m = 0; m < settings.variedMorphs.size(); ++m) {
    const double unit = randomUnit(settings.seed, index, kMorphStream + m);
    setMorph(actor, settings.variedMorphs[m], static_cast<float>(std::round(unit * 100.0) * 0.01));
  }
}

}  // namespace

double randomUnit(std::uint64_t seed, std::uint64_t index, std::uint64_t stream) {
  constexpr std::uint64_t kGolden = 0x9e3779b97f4a7c15u;
  const std::uint64_t bits = mix(mix(mix(seed + kGolden) + index + kGolden) + stream + kGolden);
  return static_cast<double>(bits >> 11) * 0x1.0p-53;
}

// Assigns clips as shuffled hands: each group of `clipCount` actors has every clip once.
std::vector<int> dealtClips(const SpawnSettings& settings) {
  const int count = countOf(settings);
  const int clips = std::max(1, settings.clipCount);
  std::vector<int> dealt(static_cast<std::size_t>(count));
  std::vector<int> hand(static_cast<std::size_t>(clips));
  for (int first = 0; first < count; first += clips) {
    std::iota(hand.begin(), hand.end(), 0);
    for (int i = clips - 1; i > 0 && settings.varied; --i) {
      const double unit = randomUnit(
          settings.seed, static_cast<std::uint64_t>(first) + static_cast<unsigned>(i), kClipStream);
      std::swap(hand[static_cast<std::size_t>(i)], hand[static_cast<std::size_t>(unit * (i + 1))]);
    }
    const int length = std::min(clips, count - first);
    std::copy_n(hand.begin(), length, dealt.begin() + first);
  }
  return dealt;
}

std::vector<int> dealtCharacters(const SpawnSettings& settings, int characterCount) {
  const int count = countOf(settings);
  std::vector<int> dealt(static_cast<std::size_t>(count), 0);
  double sum = 0.0;
  const auto shareOf = [&settings](int character) {
    const auto c = static_cast<std::size_t>(character);
    return c < settings.shares.size() ? std::max(settings.shares[c], 0.0) : 0.0;
  };
  for (int c = 0; c < characterCount; ++c) sum += shareOf(c);
  if (!(sum > 0.0)) return dealt;
  // The running sum is rounded, so that every actor gets a character.
  double upTo = 0.0;
  std::size_t next = 0;
  for (int c = 0; c < characterCount; ++c) {
    upTo += shareOf(c);
    const auto end = static_cast<std::size_t>(std::lround(upTo / sum * count));
    for (; next < std::min(end, dealt.size()); ++next) dealt[next] = c;
  }
  for (std::size_t i = dealt.size(); i-- > 1;) {
    const double unit = randomUnit(settings.seed, i, kCharacterStream);
    std::swap(dealt[i], dealt[static_cast<std::size_t>(unit * static_cast<double>(i + 1))]);
  }
  return dealt;
}

void mirror(Actor& actor, bool alongX, bool alongZ) {
  // A heading turns from +Z to +X. Mirroring keeps what leans forward and swaps left and right.
  float& heading = actor.rotationDegrees.y;
  if (alongX) heading = -heading;
  if (alongZ) heading = 180.0f - heading;
  if (alongX) actor.position.x = -actor.position.x;
  if (alongZ) actor.position.z = -actor.position.z;
  if (alongZ) heading = std::remainder(heading, 360.0f);
  if (alongX == alongZ) return;
  actor.rotationDegrees.z = -actor.rotationDegrees.z;
  actor.turnRadius = -actor.turnRadius;
}

SpawnSettings mirrored(SpawnSettings settings, bool alongX, bool alongZ) {
  const glm::dvec2 signs(alongX ? -1.0 : 1.0, alongZ ? -1.0 : 1.0);
  settings.centerMeters *= signs;
  for (glm::vec2& point : settings.path) point *= glm::vec2(signs);
  ArcRows& arcs = settings.arcs;
  if (alongX) {
    arcs.fromDegrees = -std::exchange(arcs.toDegrees, -arcs.fromDegrees);
  }
  if (alongZ) {
    arcs.fromDegrees = 180.0 - std::exchange(arcs.toDegrees, 180.0 - arcs.fromDegrees);
  }
  settings.mirrorX = settings.mirrorX != alongX;
  settings.mirrorZ = settings.mirrorZ != alongZ;
  return settings;
}

std::vector<Actor> spawnActors(const SpawnSettings& settings) {
  if (settings.mirrorX || settings.mirrorZ) {
    std::vector<Actor> actors = spawnActors(mirrored(settings, settings.mirrorX, settings.mirrorZ));
    for (Actor& actor : actors) mirror(actor, settings.mirrorX, settings.mirrorZ);
    return actors;
  }
  const int count = countOf(settings);
  std::vector<Actor> actors(static_cast<std::size_t>(count));
  if (count == 0) return actors;
  const std::vector<FormationPlace> places = formationPlaces(settings, count);
  const std::vector<int> clips = dealtClips(settings);
  // A formation without a drawn path looks like a disc.
  const bool pathless = settings.formation == Formation::Path && !hasPath(settings);
  const double spread = headingSpreadDegrees(pathless ? Formation::Disc : settings.formation);
  for (std::size_t i = 0; i < actors.size(); ++i) {
    Actor& actor = actors[i];
    actor.clip = clips[i];
    actor.position.x = static_cast<float>(places[i].meters.x);
    actor.position.z = static_cast<float>(places[i].meters.y);
    actor.position.y = static_cast<float>(places[i].riseMeters);
    actor.rotationDegrees.y = static_cast<float>(places[i].headingDegrees);
    if (settings.varied) vary(actor, settings, spread, i);
    varyMorphs(actor, settings, i);
  }
  return actors;
}

}  // namespace ck
