#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/bake/bake.h"
#include "core/crowd/mixed_crowd.h"
#include "core/scene/character.h"
#include "render/headless.h"
#include "render/view/crowd_renderer.h"
#include "render/view/framing.h"

namespace ck::test {

// A debug context without a window for one test program. Everything that the driver says at medium
// severity or above, hints about speed apart, and every error, is kept for complaints().
class GlStage {
 public:
  GlStage();
  ~GlStage();

  // Why there is no context, or empty.
  const std::string& missing() const { return missing_; }

  // The driver's complaints since the last call, one line each.
  std::string complaints();

 private:
  std::unique_ptr<render::HeadlessContext> context_;
  std::string missing_;
  std::mutex mutex_;
  std::string complaints_;
};

// Fails the test where there is no OpenGL: Mesa draws without a graphics card
// (scripts/packages.txt), so that a context that cannot be made is a fault.
#define CK_NEEDS_GL(stage) \
  QVERIFY2((stage).missing().empty(), qPrintable(QString::fromStdString((stage).missing())))

// A character, its atlas and the clips of a crowd.
struct BakedRig {
  CharacterPtr character;
  AtlasPtr atlas;
  std::vector<CrowdClip> clips;
};

// Bakes with the defaults of the command line, changed by `settings`. Aborts where that fails.
BakedRig bakedRig(Character character, const BakeSettings& settings = {});

// The bundled humanoid, which kiln-import reads, with its atlas; made once in a program. Aborts
// where that fails.
const BakedRig& bakedHumanoid();

// Actors in rows, one clip after another, each with its own offset, rate, heading and scale; the
// numbers follow from the index alone.
std::vector<Actor> variedActors(int count, int clipCount, float spacingMeters = 1.5f);

// The largest distance between two lists of positions of the same length; -1 where they differ in
// length or a number is not finite.
double largestDistance(const std::vector<glm::vec3>& a, const std::vector<glm::dvec3>& b);

// A renderer with the rig and its atlas, or nothing where either is refused. `skinnedPageVertices`
// as of CrowdRenderer::make().
std::unique_ptr<render::CrowdRenderer> rendererFor(const BakedRig& rig,
                                                   std::size_t skinnedPageVertices = 0);

// The number of the write-up's formulation among the ways to draw: methods by their numbers, then
// this one.
inline constexpr int kBook = static_cast<int>(kMethods.size());
// "palette", ..., "book"
std::string wayName(int way);
// Draws by that way.
void drawBy(int way, render::RenderSettings& settings);

// The furthest that a vertex goes from one stored frame to the next, metres.
double longestStep(const BakedRig& rig);

// Pixels that differ by more than `step` in any channel. Writes both frames where the environment
// names a folder in CK_PICTURES.
int differentPixels(const render::Frame& a, const render::Frame& b, int step = 8);

// The settings for a picture of nothing but actors by the method atlas: no grid, no shadows.
render::RenderSettings plainSettings();

}  // namespace ck::test
