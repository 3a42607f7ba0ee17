#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/view/view_settings.h"
#include "render/frame/pass_timers.h"
#include "render/gl/context.h"
#include "render/morph/morph_stats.h"

namespace ck::render {

// What one frame cost.
struct FrameStats {
  std::size_t characters = 0;  // that have actors
  std::size_t actors = 0;
  std::size_t vertices = 0;   // of all actors together, in one pass
  std::size_t triangles = 0;  // the same, as shown
  // Of one actor; where they differ, rounded means over all. Of the first character without actors.
  std::size_t verticesPerActor = 0;
  std::size_t trianglesPerActor = 0;
  std::size_t props = 0;          // things that stand in the scene
  int drawCalls = 0;              // for crowd and props in one pass, without ground and overlays
  int shadowMaps = 0;             // each draws the crowd once more, its depth alone
  int fetchesPerVertex = 0;       // texel fetches of the pose in the vertex stage, at most
  std::size_t skinningBytes = 0;  // matrices and vertices that the method has made and holds
  bool skinnedOnCpu = false;      // whether vertices were skinned on the processor
  // What vertex shaders read the palette through, never Auto; nothing where they read none.
  std::optional<PaletteRead> paletteRead;
  std::size_t atlasBytes = 0;     // of all characters, shared ones once
  std::size_t uploadedBytes = 0;  // this frame: 0 between two ticks
  bool ticked = false;            // whether the actors were posed for this frame
  double updateMs = 0.0;          // CPU time of preparing and uploading actors
  double drawMs = 0.0;  // CPU time of submitting (software GL: includes much of the drawing)
  std::vector<PassCost> passes;
  MorphStats
      morphs;  // of the selected actor's character; without a selected actor, of all together

  int crowdPasses() const { return 1 + shadowMaps; }
};

// The names of the passes.
namespace pass_name {
inline constexpr const char* kTick = "tick";        // poses and uploads
inline constexpr const char* kShadows = "shadows";  // the crowd's depth, once a shadow map
inline constexpr const char* kCrowd = "crowd";
inline constexpr const char* kGround = "ground";  // and all else that stands still
}  // namespace pass_name

// The figures as CSV (RFC 4180): a line of names, then one line a figure: name, value, unit.
// Numbers have a '.' whatever the locale.
std::string statsCsv(const FrameStats& stats, const ContextFacts& facts);

}  // namespace ck::render
