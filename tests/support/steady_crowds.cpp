#include "tests/support/steady_crowds.h"

namespace ck::test {
namespace {

CrowdClip clipOf(const char* name, LoopMode loop, int firstFrame, int frames, double seconds) {
  CrowdClip clip;
  clip.name = name;
  clip.atlasClip = firstFrame > 0 ? 0 : -1;
  clip.firstFrame = firstFrame;
  clip.frameCount = frames;
  clip.durationSeconds = seconds;
  clip.loop = loop;
  clip.groundSpeedMetersPerSecond = 1.4;
  return clip;
}

constexpr int kSteady = 4;  // the first clips; of them so many loop:
constexpr int kLoops = 2;
constexpr int kKinds = 8;

Actor actorOf(int i, int clips) {
  Actor actor;
  actor.clip = i % clips;
  actor.offset = 0.37f * static_cast<float>(i);
  actor.rate = 0.8f + 0.1f * static_cast<float>(i % 5);
  if (i % 11 == 3) actor.rate = -actor.rate;
  actor.position = {static_cast<float>(i * 131 % 401) - 200.0f, 0.0f,
                    static_cast<float>(i * 61 % 397) - 200.0f};
  actor.rotationDegrees = {0.0f, 31.0f * static_cast<float>(i), i % 13 == 5 ? 20.0f : 0.0f};
  actor.scale = 0.9f + 0.05f * static_cast<float>(i % 4);
  actor.tint = 0x10305u * static_cast<std::uint32_t>(i % 97);
  actor.travels = i % 3 == 0;
  actor.turnRadius = (i % 2 == 0 ? 1.0f : -1.0f) * (2.0f + 0.7f * static_cast<float>(i % 9));
  return actor;
}

}  // namespace

std::vector<CrowdClip> clipsOfAllKinds() {
  std::vector<CrowdClip> clips = {clipOf("loop", LoopMode::Loop, 100, 41, 1.3),
                                  clipOf("long", LoopMode::Loop, 300, 60'001, 3600.0),
                                  clipOf("once", LoopMode::Once, 200, 21, 500.0),
                                  clipOf("there and back", LoopMode::PingPong, 230, 31, 1.9),
                                  clipOf("steps", LoopMode::Loop, 270, 22, 2.1),
                                  clipOf("still", LoopMode::Loop, 0, 10, 1.0),
                                  clipOf("way", LoopMode::Loop, 150, 11, 1.1),
                                  clipOf("uneven", LoopMode::Once, 300, 7, 450.0)};
  clips[4].stepFrames = {4, 11};
  clips[7].stepFrames = {9};
  clips[7].keptMoments = {0, 1, 5, 9, 29, 30};
  for (int moment = 0; moment < 11; ++moment) {
    RootPlace place;
    place.position = glm::vec3(0.0f, 0.0f, 0.12f * static_cast<float>(moment));
    clips[6].rootMotion.push_back(place);
  }
  return clips;
}

std::vector<Actor> actorsOfAllKinds(int count) {
  std::vector<Actor> actors;
  for (int i = 0; i < count; ++i) {
    Actor& actor = actors.emplace_back(actorOf(i, kKinds));
    if (i % 17 == 4) actor.turnRadius = 0.0f;  // straight ahead
    if (i % 19 == 6) {
      actor.fadeClip = (actor.clip + 1) % kKinds;
      actor.fade = 0.7f;
    }
    if (i % 23 == 7) {
      actor.fadeClip = (actor.clip + 1) % kKinds;
      actor.fadeSeconds = 300.0f;
      actor.fadeAtSeconds = 450.0f;
    }
    if (i % 29 == 8) actor.commands = {{100.0f, PlayAction::Pause}, {590.0f, PlayAction::Reverse}};
  }
  return actors;
}

std::vector<Actor> steadyActors(int count) {
  std::vector<Actor> actors;
  for (int i = 0; i < count; ++i) {
    Actor& actor = actors.emplace_back(actorOf(i, kSteady));
    actor.offset = 0.13f * static_cast<float>(i % 19) - 0.4f;
    // Actors that walk to the end of a clip are not steady.
    if (actor.clip >= kLoops) actor.travels = false;
  }
  return actors;
}

}  // namespace ck::test
