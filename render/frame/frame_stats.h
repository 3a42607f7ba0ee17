#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/view/view_settings.h"
#include "render/frame/pass_timers.h"
#include "render/gl/context.h"

namespace ck::render {

// Measurements of the morphs in the last tick.
struct MorphStats {
  bool selectedActor = false;  // whether there is one
  std::vector<int> changed;    // morphs of the selected actor, as indices into the MorphSet
  std::vector<float> weights;  // of the selected actor, one per morph
  int passes = 0;
  bool rebased = false;
  std::size_t nearActors = 0;  // with other weights than the defaults, without the selected actor
  double milliseconds = 0.0;   // CPU time
};

// The figures of the error view: the distance of drawn vertices from the source.
struct ErrorViewStats {
  double scaleMm = 0.0;  // the distance of the last colour
  double maxMm = 0.0;    // of all visible vertices of all actors, in the world
  // The vertex with that distance.
  std::size_t character = 0;
  std::size_t actor = 0;     // index in the crowd of that character
  std::uint32_t vertex = 0;  // of the character: its meshes in order
};

// How a crowd with levels of detail is drawn.
struct DetailStats {
  struct Mesh {
    std::size_t actors = 0;
    std::size_t triangles = 0;
  };
  std::vector<Mesh> meshes;  // of all characters, from the whole mesh to the simplest
  std::size_t pictures = 0;  // actors
  std::size_t points = 0;
  std::size_t inView = 0;      // actors that are drawn in any way
  std::size_t dissolving = 0;  // of these, drawn in two ways at the moment
  std::size_t actors = 0;      // of the crowd
  double pixels = 1.0;         // how far anything may be off
  bool isPending = false;      // whether simpler ways to draw are still being made

  // A way in which actors of one character are drawn.
  struct Way {
    enum class Kind { Mesh, Picture, Point };
    Kind kind = Kind::Mesh;
    std::size_t level = 0;  // of meshes, from the whole one
    // The figures of meshes, else 0: triangles of an actor, influences of a vertex at most, and the
    // skin joints that move anything.
    std::size_t triangles = 0;
    int influences = 0;
    std::size_t joints = 0;
    std::optional<double> errorMeters = {};  // at scale 1; nothing for points
    // Actors of scale 1 are drawn so up to this height on the screen, but for selected ones;
    // nothing where it is unlimited.
    std::optional<double> mostPixels = {};
    std::size_t actors = 0;  // as of the last tick
  };
  // From the whole mesh to points. Ways that are not made yet are missing.
  struct Cast {
    std::uint32_t character = 0;
    std::vector<Way> ways;
  };
  std::vector<Cast> cast;  // the characters with actors

  // A request that a budget of DetailSettings has refused.
  struct Refusal {
    std::uint32_t character = 0;
    Way::Kind kind = Way::Kind::Mesh;
    std::size_t level = 0;  // of meshes, from the whole one
    // The actors that this mesh or a finer one would draw without the budget of triangles.
    std::size_t actors = 0;
    std::size_t bytes = 0;  // that the budget of memory had no room for
  };
  std::vector<Refusal> refusals;
  // Even if far actors are off by 64 times the pixels, the estimate exceeds the budget of
  // triangles.
  bool isOverBudget = false;
};

// The refusals of the budgets, by name, as sentences for an artist; empty if there are none.
// `names` are those of the characters.
std::string refusalText(const DetailStats& stats, const DetailSettings& settings,
                        std::span<const std::string> names);

// Measurements of one frame.
struct FrameStats {
  std::size_t characters = 0;  // number of characters with actors
  std::size_t actors = 0;
  std::size_t vertices = 0;   // of all actors, in one pass
  std::size_t triangles = 0;  // of all visible triangles of all actors, in one pass
  // For one actor, rounded means if characters differ. Without actors, of the first character.
  std::size_t verticesPerActor = 0;
  std::size_t trianglesPerActor = 0;
  std::size_t props = 0;            // number of props
  int drawCalls = 0;                // for crowd and props in one pass, without ground and overlays
  int shadowMaps = 0;               // number of maps; each draws depths of the crowd once more
  std::size_t shadowTriangles = 0;  // of actors, in all these maps
  int fetchesPerVertex = 0;         // maximum number of texel fetches for poses in the vertex stage
  std::size_t skinningBytes = 0;    // memory of matrices and vertices that the method computed
  bool skinnedOnCpu = false;        // whether vertices were skinned on the CPU
  // How vertex shaders read the palette; never Auto. Nothing if there is no palette.
  std::optional<PaletteRead> paletteRead;
  std::size_t atlasBytes = 0;     // of all characters; shared atlases count once
  std::size_t uploadedBytes = 0;  // in this frame; 0 between two ticks
  bool ticked = false;            // whether actors were posed for this frame
  double updateMs = 0.0;          // CPU time of preparing and uploading actors
  // CPU time of submitting (with software OpenGL it includes most of the drawing).
  double drawMs = 0.0;
  std::vector<PassCost> passes;
  std::optional<ErrorViewStats> errorView;  // nothing in other views, and without actors
  // Actors with a skeleton, axes or a box, and how many would have them without ActorLines::kMost.
  std::size_t linedActors = 0;
  std::size_t linedActorsWanted = 0;
  std::optional<DetailStats> detail;  // nothing at full detail
  MorphStats morphs;                  // of the selected actor's character, else over all characters

  int crowdPasses() const { return 1 + shadowMaps; }
};

// Names of the passes.
namespace pass_name {
inline constexpr const char* kTick = "tick";        // posing and uploading
inline constexpr const char* kShadows = "shadows";  // the crowd's depth, once per shadow map
inline constexpr const char* kCrowd = "crowd";
inline constexpr const char* kGround = "ground";  // and other static objects
}  // namespace pass_name

// The measurements as CSV (RFC 4180): a header line, then one line per figure with name, value and
// unit. Numbers have a '.' in every locale.
std::string statsCsv(const FrameStats& stats, const ContextFacts& facts);

}  // namespace ck::render
