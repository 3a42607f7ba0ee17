#pragma once

#include <cstddef>
#include <cstdint>
#include <map>

#include "render/gl/program.h"
#include "render/gl/shader_source.h"

namespace ck::render {

// The key of a program: its files below shaders/, the defines and the captured outputs.
struct ProgramRequest {
  std::string vertex;    // or a compute shader, recognised by the ending `.comp`
  std::string fragment;  // empty for transform feedback only
  std::vector<ShaderDefine> defines;
  std::vector<std::string> feedback;
  bool feedbackApart = false;  // capture each output into its own buffer
  // clang-tidy 14 takes the zero that comparisons of strings are compared with for a pointer.
  auto operator<=>(const ProgramRequest&) const = default;  // NOLINT(modernize-use-nullptr)
};

// The texture units of all programs, by sampler name.
namespace unit {
inline constexpr int kAtlas = 0;        // ckAtlas
inline constexpr int kJoints = 1;       // ckJoints
inline constexpr int kFrameClips = 2;   // ckFrameClips
inline constexpr int kImages = 3;       // ckImages
inline constexpr int kMaterials = 4;    // ckMaterials
inline constexpr int kSkinned = 5;      // ckSkinned, ckSkinnedVertices
inline constexpr int kFootprints = 6;   // ckFootprints
inline constexpr int kPalette = 7;      // ckPalette, or ckPaletteX; then Y and Z on the next two
inline constexpr int kSlots = 10;       // ckSlots, ckTargets
inline constexpr int kActors = 11;      // ckActors
inline constexpr int kParents = 12;     // ckParents
inline constexpr int kLiveJoints = 13;  // ckLiveJoints
inline constexpr int kBinds = 14;       // ckBinds, ckBindVertices
inline constexpr int kSlotActors = 15;  // ckSlotActors
inline constexpr int kShadowMap = 16;   // ckShadowMap
inline constexpr int kPrevious = 17;    // ckPrevious
inline constexpr int kTangents = 18;    // ckSkinnedTangents, ckUploadedTangents
inline constexpr int kDataImages = 19;  // ckDataImages
inline constexpr int kNormalMaterials = 20;     // ckNormalMaterials
inline constexpr int kSurfaces = 21;            // ckSurfaces
inline constexpr int kBlendSum = 22;            // ckBlendSum
inline constexpr int kBlendWeight = 23;         // ckBlendWeight
inline constexpr int kMorphSlots = 24;          // ckMorphSlots, ckNearActors
inline constexpr int kMorphRows = 25;           // ckMorphRows
inline constexpr int kMorphVertices = 26;       // ckMorphVertices, ckFrameWeights
inline constexpr int kMorphEntries = 27;        // ckMorphEntries, ckOwnWeights
inline constexpr int kMorphSums = 28;           // ckMorphSums
inline constexpr int kTargetActors = 29;        // ckTargetActors
inline constexpr int kImpostors = 30;           // ckImpostors
inline constexpr int kImpostorFrames = 31;      // ckImpostorFrames
inline constexpr int kImpostorMoments = 32;     // ckImpostorMoments
inline constexpr int kImpostorDirections = 33;  // ckImpostorDirections
inline constexpr int kClips = 34;               // ckClips
}  // namespace unit

// The binding points of the uniform blocks.
namespace block {
inline constexpr unsigned kActors = 0;        // ckActorBlock
inline constexpr unsigned kInverseBinds = 1;  // ckInverseBindBlock
inline constexpr unsigned kPaletteRows = 2;   // CkPaletteRows, a storage buffer
}  // namespace block

// A cache of programs, compiled on first use.
class ShaderLibrary {
 public:
  // More programs than this are kept only while frames use them. A driver holds one to three
  // megabytes for each, and an artist who tries every method with every encoding asks for hundreds.
  static constexpr std::size_t kKept = 64;

  explicit ShaderLibrary(ShaderLoad load = embeddedShaders()) : load_(std::move(load)) {}

  // The program, which is in use after the call. It lives until the second startFrame() from now at
  // least. Fails with Internal.
  Result<const Program*> program(const ProgramRequest& request);

  // Tells that a frame begins, and drops what was used least recently of more than kKept programs.
  void startFrame();

 private:
  struct Kept {
    Program program;
    std::uint64_t usedIn = 0;  // the last frame that asked for it
  };
  Result<Program> link(const ProgramRequest& request) const;

  ShaderLoad load_;
  std::map<ProgramRequest, Kept> programs_;
  std::uint64_t frame_ = 1;
};

}  // namespace ck::render
