#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/commands/draw_options.h"
#include "app/commands/scene_stage.h"
#include "app/options/actor_options.h"
#include "core/crowd/mixed_crowd.h"
#include "render/view/crowd_renderer.h"

namespace ck::cli {

// The options of `kiln render`.
struct RenderOptions {
  SceneOptions scene;
  FadeOptions fade;
  std::vector<std::string> play;  // texts of --play
  DrawOptions drawing;
  std::string output;
  std::string camera = "frame";
  std::string size;  // empty: the default
  double seconds = 0.0;
  int sheetColumns = 0;             // 0: a crowd
  bool events = false;              // whether events are listed
  bool errors = false;              // whether bakes are measured
  ScreenOptions screen;             // for the error on the screen
  std::vector<std::string> morphs;  // NAME=W
  std::string stats;                // a CSV file, or empty
};

// The events that actors have passed from time 0, included, to the image's time, excluded: the
// first ones, and the total number.
struct PassedEvents {
  struct One {
    FiredEvent fired;
    std::size_t actor = 0;  // index among all actors, including hidden ones
    std::size_t character = 0;
  };
  std::vector<One> first;
  std::size_t count = 0;
};

// The figures of an image of the error view.
struct ShownErrors {
  double scaleMm = 0.0;  // the distance of the last colour
  double maxMm = 0.0;    // the largest distance of a drawn vertex from the source, in the world
  // Where it is. On a contact sheet there is one actor.
  std::size_t visibleActor = 0;
  std::size_t actor = 0;  // index among all actors, including hidden ones
  std::string clip;
  std::string mesh;
  std::size_t vertex = 0;  // of that mesh, in the file's order
};

// An image, and what is known about drawing it.
struct DrawnImage {
  render::Frame frame;
  render::FrameStats stats;
  render::ContextFacts facts;
  render::RenderSettings settings = {};
  double posedAtSeconds = 0.0;             // the time at which the actors were last posed
  Notes notes = {};                        // of the scene and of drawing
  std::optional<ShownErrors> errors = {};  // nothing in other views
  // The figures of a crowd:
  std::size_t coveredPixels = 0;
  std::size_t fading = 0;  // actors that show two clips
  int drawnBefore = 0;     // frames drawn before, to warm up and for earlier ticks
  PassedEvents events = {};
};

// Draws a contact sheet, or the crowd with ground and sky at a time. If statistics are requested, a
// frame is drawn before, so that they do not include compiling shaders. Needs a current context.
// Fails as drawing does, and with wrong usage where options contradict each other or the scene.
UsageResult<DrawnImage> drawScene(const RenderOptions& options, const Scene& scene,
                                  const PixelSize& size, const JobContext& job);

}  // namespace ck::cli
