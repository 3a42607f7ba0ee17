#pragma once

#include <vector>

#include "app/commands/options.h"
#include "core/bake/bake_error.h"
#include "core/crowd/mixed_crowd.h"
#include "render/view/crowd_renderer.h"

namespace ck::cli {

// Events that actors have passed since the start: the first of them, and how many there are.
struct PassedEvents {
  struct One {
    FiredEvent fired;
    std::size_t actor = 0;  // of all that there are, hidden ones too
    std::size_t character = 0;
  };
  std::vector<One> first;
  std::size_t count = 0;
};

// What was drawn, for the document.
struct Drawn {
  render::Frame frame;
  render::FrameStats stats;
  render::ContextFacts facts;
  std::size_t coveredPixels = 0;
  std::size_t fading = 0;  // actors that show two clips
  int drawnBefore = 0;     // pictures of the crowd, to warm up and for earlier ticks
  PassedEvents events = {};
  double posedAtSeconds = 0.0;
  render::RenderSettings settings = {};
  Notes notes = {};                    // of the drawing
  std::vector<BakeError> errors = {};  // of every character, where they are asked for
};

// How the crowd is taken.
struct Shot {
  render::Camera camera;
  render::RenderSettings settings;
  PixelSize size;
  double seconds = 0.0;      // the time of the picture
  double tickSeconds = 0.0;  // between the last pose and the one before
  bool listsEvents = false;
  bool isMeasured = false;  // whether its costs are to be told
};

// The crowd as it is now, on ground and sky. With `isMeasured` everything is drawn once before, so
// that the stats are not those of drivers that compile shaders. Fails as drawing does.
Result<Drawn> drawCrowd(render::CrowdRenderer& renderer, MixedCrowd& crowd, const Shot& shot);

}  // namespace ck::cli
