#include "tests/support/gl_stage.h"
#include "render/reference/book_skinner.h"
#include "render/reference/reference_positions.h"

#include <fmt/format.h>

#include <QTest>
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <utility>

#include "core/anim/pose.h"
#include "core/base/assert.h"
#include "core/base/log.h"
#include "core/import/import_process.h"
#include "render/gl/context.h"
#include "tests/support/import_worker.h"
#include "tests/support/rigs.h"

namespace ck::test {

GlStage::GlStage() {
  attachLogSink([this](const LogLine& line) {
    if (line.level < LogLine::Level::Warning) return;
    if (line.text.find(render::kGlMessagePrefix) == std::string::npos) return;
    const std::lock_guard<std::mutex> lock(mutex_);
    complaints_ += line.text + '\n';
  });
  auto context = render::HeadlessContext::make(true);
  if (context) {
    context_ = std::move(*context);
  } else {
    missing_ = context.error().message;
  }
}

GlStage::~GlStage() {
  context_.reset();
  attachLogSink({});
}

std::string GlStage::complaints() {
  const std::lock_guard<std::mutex> lock(mutex_);
  return std::exchange(complaints_, {});
}

BakedRig bakedRig(Character character, const BakeSettings& settings) {
  BakedRig rig;
  rig.character = std::make_shared<const Character>(std::move(character));
  auto baked = bake(*rig.character, settings);
  CK_ASSERT(baked.has_value());
  rig.atlas = std::make_shared<const Atlas>(std::move(baked->atlas));
  std::vector<std::string> names;
  for (const Clip& clip : rig.character->clips) names.push_back(clip.name);
  rig.clips = crowdClips(*rig.atlas, names);
  return rig;
}

const BakedRig& bakedHumanoid() {
  static const BakedRig rig = [] {
    useBuiltImportWorker();
    auto imported = importCharacter(sampleHumanoid());
    CK_ASSERT(imported.has_value());
    return bakedRig(std::move(*imported));
  }();
  return rig;
}

std::vector<Actor> variedActors(int count, int clipCount, float spacingMeters) {
  const int columns = std::max(1, static_cast<int>(std::ceil(std::sqrt(count))));
  std::vector<Actor> actors;
  for (int i = 0; i < count; ++i) {
    Actor actor;
    actor.clip = i % clipCount;
    actor.offset = 0.37f * static_cast<float>(i);
    actor.rate = 0.8f + 0.1f * static_cast<float>(i % 5);
    actor.position = {spacingMeters * static_cast<float>(i % columns - columns / 2), 0.0f,
                      spacingMeters * static_cast<float>(i / columns - columns / 2)};
    actor.rotationDegrees = {0.0f, 31.0f * static_cast<float>(i), 0.0f};
    actor.scale = 0.9f + 0.05f * static_cast<float>(i % 4);
    actors.push_back(actor);
  }
  return actors;
}

double largestDistance(const std::vector<glm::vec3>& a, const std::vector<glm::dvec3>& b) {
  if (a.size() != b.size()) return -1.0;
  double largest = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double distance = glm::distance(glm::dvec3(a[i]), b[i]);
    if (!std::isfinite(distance)) return -1.0;
    largest = std::max(largest, distance);
  }
  return largest;
}

std::unique_ptr<render::CrowdRenderer> rendererFor(const BakedRig& rig,
                                                   std::size_t skinnedPageVertices) {
  auto renderer = render::CrowdRenderer::make(skinnedPageVertices);
  if (!renderer || !(*renderer)->setCharacter(rig.character)) return nullptr;
  if (!(*renderer)->setAtlas(rig.atlas)) return nullptr;
  return std::move(*renderer);
}

std::string wayName(int way) {
  return way == kBook ? "book" : std::string(methodName(static_cast<Method>(way)));
}

void drawBy(int way, render::RenderSettings& settings) {
  settings.reference = way == kBook ? render::bookMethod() : nullptr;
  if (way != kBook) settings.view.pose.method = static_cast<Method>(way);
}

double longestStep(const BakedRig& rig) {
  double longest = 0.0;
  render::RenderSettings settings = plainSettings();
  settings.view.pose.sampling = Sampling::Nearest;
  for (std::size_t clip = 0; clip < rig.clips.size(); ++clip) {
    Actor actor;
    actor.clip = static_cast<int>(clip);
    std::vector<glm::dvec3> before;
    const int count = rig.clips[clip].frameCount;
    for (int frame = 0; frame + 1 < count; ++frame) {
      actor.offset = static_cast<float>(frame) / static_cast<float>(count - 1);
      const Crowd crowd(std::vector{actor}, rig.clips);
      const auto now =
          render::referencePositions(*rig.character, rig.atlas.get(), crowd, settings, false);
      for (std::size_t i = 0; i < before.size(); ++i) {
        longest = std::max(longest, glm::distance(before[i], now[i]));
      }
      before = now;
    }
  }
  return longest;
}

namespace {

// Writes frames that are compared below the folder that CK_PICTURES names, so that people can look.
void keepPictures(const render::Frame& a, const render::Frame& b) {
  const std::filesystem::path folder = qgetenv("CK_PICTURES").toStdString();
  if (folder.empty()) return;
  static int pairs = 0;
  const std::string name = fmt::format("{}-{}", QTest::currentTestFunction(), pairs++);
  std::filesystem::create_directories(folder);
  for (const auto& [frame, side] : {std::pair(&a, "a"), std::pair(&b, "b")}) {
    const auto written = render::writePng(*frame, folder / fmt::format("{}-{}.png", name, side));
    if (!written) qWarning("%s", written.error().message.c_str());
  }
}

}  // namespace

int differentPixels(const render::Frame& a, const render::Frame& b, int step) {
  keepPictures(a, b);
  int count = 0;
  for (std::size_t p = 0; p + 3 < std::min(a.rgba.size(), b.rgba.size()); p += 4) {
    for (std::size_t c = 0; c < 3; ++c) {
      if (std::abs(static_cast<int>(a.rgba[p + c]) - static_cast<int>(b.rgba[p + c])) > step) {
        ++count;
        break;
      }
    }
  }
  return count;
}

render::RenderSettings plainSettings() {
  render::RenderSettings settings;
  settings.view.pose.method = Method::Atlas;
  settings.view.grid = false;
  settings.view.shadows = Shadows::Off;
  return settings;
}

}  // namespace ck::test
