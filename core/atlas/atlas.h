#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/anim/playback.h"
#include "core/atlas/atlas_morphs.h"
#include "core/atlas/encoding.h"
#include "core/base/result.h"
#include "core/base/shared_glsl.h"
#include "core/scene/character.h"
#include "core/scene/clip_edit.h"

namespace ck {

// Where the frames of an atlas lie (shaders/shared/atlas_address.glsl).
enum class LayoutKind {
  Rows,  // one frame a row, clips stacked; a new block of columns where the height limit is reached
  Tiles,   // one clip a square tile, time down a tile, tiles side by side and then below
  Linear,  // one line of texels, frame after frame, broken at the width of the texture
};
std::string_view layoutKindName(LayoutKind kind);  // "rows", "tiles", "linear"
std::optional<LayoutKind> layoutKindFromName(std::string_view name);

// How the clip closes (TECHNIQUES 1.3).
enum class Seam {
  None,       // the last key pose is not the first: not a loop
  Inclusive,  // the last key pose equals the first
  Exclusive,  // the clip ends one step before the first pose; the bake adds the closing step
};
std::string_view seamName(Seam seam);  // "none", "inclusive", "exclusive"

// One baked clip. frameCount counts the duplicated end frame of a loop; the bake time of frame i is
// startSeconds + i * durationSeconds * shape.rate / (frameCount - 1) on the file's timeline.
struct AtlasClip {
  std::string name;
  std::string sourceName = {};  // as in Character::clips; empty: `name`
  ClipEdit shape = {};          // what was done to the source before it was baked
  int firstFrame = 0;
  int frameCount = 2;            // >= 2
  double startSeconds = 0.0;     // on the file's timeline
  double durationSeconds = 0.0;  // as played; the closing step of an exclusive seam included
  LoopMode loop = LoopMode::Loop;
  Seam seam = Seam::None;
  double groundSpeedMetersPerSecond = 0.0;
  Bounds bounds = {};  // of all skinned vertices over all frames, model space
  bool operator==(const AtlasClip& other) const;
};

// The clip of the rig file that it was baked from.
const std::string& sourceNameOf(const AtlasClip& clip);

struct AtlasJoint {
  std::string name;
  int parent = -1;        // the nearest ancestor in the atlas; earlier in the list
  glm::vec3 pivot{0.0f};  // where the joint was at bind time, model space
  // Model space at bind time -> the joint's space at bind time, in metres: the bind pose has no
  // scale but that of rotations and mirrors. The last row is 0 0 0 1. Needed by the trs form.
  glm::mat4 inverseBind{1.0f};
  bool operator==(const AtlasJoint&) const = default;
};

// Which values share one range.
enum class RangeMode { Atlas, Joint, JointClip };
std::string_view rangeModeName(RangeMode mode);  // "atlas", "joint", "joint-clip"
std::optional<RangeMode> rangeModeFromName(std::string_view name);

// The baked poses of a character's clips and all that is needed to read them. Immutable once made.
struct Atlas {
  Encoding encoding = Encoding::P16;
  Components components = Components::Trs;
  LayoutKind layout = LayoutKind::Rows;
  gpu::CkAtlasShape shape = {};
  RangeMode rangeMode = RangeMode::Joint;  // Joint where the encoding has no ranges
  std::vector<AtlasJoint> joints;          // one per skin joint of the rig
  std::vector<AtlasClip> clips;
  // Sets of rangesPerJoint entries. Joint mode: one set per joint. Atlas mode: one. JointClip mode:
  // clip-major, clips x joints.
  std::vector<TexelRange> ranges;
  std::vector<std::byte> texels;  // width * height * bytesPerTexel, top row first
  AtlasMorphs morphs;             // weights of morph targets beside the joints
  // How it was made, for the record and for verify.
  std::string sourcePath;
  std::uint64_t sourceHash = 0;
  double unitScale = 1.0;  // as given to the import (--height and --unit-scale folded in)
  int influences = 4;      // 1, 2 or 4: what the shader is meant to use
  bool interpolate = true;
};
using AtlasPtr = std::shared_ptr<const Atlas>;

bool operator==(const Atlas& a, const Atlas& b);

int atlasWidth(const Atlas& atlas);
int atlasHeight(const Atlas& atlas);
TexelFormat texelFormatOf(const Atlas& atlas);
std::size_t texelBytesOf(const Atlas& atlas);  // that its shape asks for

TexelCode codeOf(const Atlas& atlas);
PoseForm formOf(const Atlas& atlas);

// The ranges of a joint's texels in a clip: rangesPerJoint of them, so none for some encodings.
std::span<const TexelRange> rangesFor(const Atlas& atlas, int clip, int joint);

// The stored pose of a joint at frame `frame` of the whole atlas; `clip` is the clip that the frame
// belongs to. In the form of the encoding.
JointPose storedPose(const Atlas& atlas, int clip, int frame, int joint);

// Reads between frames.
enum class Reading {
  Palette,  // relative to the parent joint (TECHNIQUES 1.6): what the palette method shows
  Direct,   // each joint by itself: what methods that fetch per vertex and most engines show
};

// Skin matrices (model space -> model space, one per joint) at `unit` in [0, 1] of a clip; between
// frames as `reading` says, or the nearest frame with interpolate = false.
std::vector<glm::dmat4> atlasSkinMatrices(const Atlas& atlas, int clip, double unit,
                                          Reading reading, bool interpolate = true);

}  // namespace ck
