#pragma once

#include <vector>

#include "app/commands/options.h"
#include "core/bake/bake_error.h"
#include "core/crowd/mixed_crowd.h"
#include "render/view/crowd_renderer.h"

namespace ck::cli {

// The events that actors have passed since the start: the first ones, and the total number.
struct PassedEvents {
  struct One {
    FiredEvent fired;
    std::size_t actor = 0;  // index among all actors, including hidden ones
    std::size_t character = 0;
  };
  std::vector<One> first;
  std::size_t count = 0;
};

// The result of drawing, for the document.
struct Drawn {
  render::Frame frame;
  render::FrameStats stats;
  render::ContextFacts facts;
  std::size_t coveredPixels = 0;
  std::size_t fading = 0;  // actors that show two clips
  int drawnBefore = 0;     // frames drawn before, to warm up and for earlier ticks
  PassedEvents events = {};
  double posedAtSeconds = 0.0;
  render::RenderSettings settings = {};
  Notes notes = {};                    // notes about drawing
  std::vector<BakeError> errors = {};  // one per character, if requested
};

// The parameters of a drawing.
struct Shot {
  render::Camera camera;
  render::RenderSettings settings;
  PixelSize size;
  double seconds = 0.0;      // the time that the image shows
  double tickSeconds = 0.0;  // time between the last two ticks
  bool listsEvents = false;
  bool isMeasured = false;  // whether measurements are reported
};

// Draws the crowd at the current time, with ground and sky. With `isMeasured` a frame is drawn
// before, so that the measurements do not include compiling shaders. Fails as drawing does.
Result<Drawn> drawCrowd(render::CrowdRenderer& renderer, MixedCrowd& crowd, const Shot& shot);

}  // namespace ck::cli
