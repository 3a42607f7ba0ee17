#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/anim/playback.h"
#include "core/anim/root_motion.h"
#include "core/atlas/atlas_morphs.h"
#include "core/atlas/bake_recipe.h"
#include "core/base/result.h"
#include "core/base/shared_glsl.h"
#include "core/scene/character.h"
#include "core/scene/clip_edit.h"

namespace ck {

// How the end of a clip joins its start (docs/techniques.md 1.3).
enum class Seam {
  None,       // the last key pose differs from the first: not a loop
  Inclusive,  // the last key pose equals the first
  Exclusive,  // the clip ends one step before its first pose; the bake adds the closing step
};
std::string_view seamName(Seam seam);  // "none", "inclusive", "exclusive"

// One baked clip. frameCount includes the duplicated end frame of a loop, and both frames of every
// step frame (core/anim/playback.h). Of N moments, moment i lies at startSeconds + i *
// durationSeconds * edit.rate / (N - 1) on the file's timeline.
struct AtlasClip {
  std::string name;
  std::string sourceName = {};  // as in Character::clips; empty: `name`
  ClipEdit edit = {};           // the clip edit that was applied before baking
  int firstFrame = 0;
  int frameCount = 2;                // >= 2
  std::vector<int> stepFrames = {};  // moments with two frames, ascending, from 1 to the last one
  // The moments that have frames, ascending, from 0 to the last one, at most kLongestGap apart;
  // they are frameCount less stepFrames, and contain these. Empty: all moments have.
  std::vector<int> keptMoments = {};
  double startSeconds = 0.0;     // on the file's timeline
  double durationSeconds = 0.0;  // as played; includes the closing step of an exclusive seam
  LoopMode loop = LoopMode::Loop;
  Seam seam = Seam::None;
  double groundSpeedMetersPerSecond = 0.0;
  // The extracted way over the ground (RootMotion::Extract), one entry per moment; else empty.
  std::vector<RootPlace> rootMotion = {};
  Bounds bounds = {};  // box of all skinned vertices over all frames, model space
  bool operator==(const AtlasClip& other) const;
};

// Name of the clip in the rig file.
const std::string& sourceNameOf(const AtlasClip& clip);

// The formulae of core/anim/playback.h for a clip. Frames count from the clip's first.
int momentCount(const AtlasClip& clip);
FramePair framesAt(const AtlasClip& clip, double unit);
int nearestFrame(const AtlasClip& clip, double unit);

struct AtlasJoint {
  std::string name;
  int parent = -1;        // the nearest ancestor in the atlas; earlier in the list
  glm::vec3 pivot{0.0f};  // position of the joint at bind time, model space
  // Model space at bind time -> the joint's space at bind time, in metres. The scale of the bind
  // pose is removed, except for mirroring. The last row is 0 0 0 1. Used by the trs form.
  glm::mat4 inverseBind{1.0f};
  bool isSocket = false;  // moves no vertex (SkinJoint::isSocket)
  bool operator==(const AtlasJoint&) const = default;
};

// The baked poses of a character's clips, with all data needed to read them. Immutable once made.
struct Atlas {
  // The settings of the bake, as they were carried out: the encoding, components and ranges are
  // stated (Joint if the encoding has no ranges).
  BakeRecipe recipe = {
      .encoding = Encoding::P16, .components = Components::Trs, .rangeMode = RangeMode::Joint};
  gpu::CkAtlasShape shape = {};
  std::vector<AtlasJoint> joints;  // one per skin joint of the rig
  std::vector<AtlasClip> clips;
  // Sets of rangesPerJoint entries. Atlas mode has one set, Joint mode one per joint, JointClip
  // mode clips x joints sets, clip-major.
  std::vector<TexelRange> ranges;
  std::vector<std::byte> texels;  // width * height * bytesPerTexel, top row first
  AtlasMorphs morphs;             // baked weights of morph targets
  // How the atlas was made; `kiln verify` uses this.
  std::string sourcePath;
  std::uint64_t sourceHash = 0;
  // SourceInfo::clipsHash. Only .ckatlas files keep it, so operator== leaves it out.
  std::uint64_t clipsHash = 0;
  double unitScale = 1.0;  // as used by the import (includes --height and --unit-scale)
};
using AtlasPtr = std::shared_ptr<const Atlas>;

bool operator==(const Atlas& a, const Atlas& b);

int atlasWidth(const Atlas& atlas);
int atlasHeight(const Atlas& atlas);
TexelFormat texelFormatOf(const Atlas& atlas);
std::size_t texelBytesOf(const Atlas& atlas);  // that its shape asks for

// The clip of every frame of the atlas.
std::vector<int> clipOfFrames(const Atlas& atlas);

TexelCode codeOf(const Atlas& atlas);
PoseForm formOf(const Atlas& atlas);

// The ranges of a joint's texels in a clip: rangesPerJoint entries, so none for float encodings.
std::span<const TexelRange> rangesFor(const Atlas& atlas, int clip, int joint);

// The stored pose of a joint, in the encoding's form. `frame` counts through the whole atlas;
// `clip` is the clip that contains it.
JointPose storedPose(const Atlas& atlas, int clip, int frame, int joint);

// How a pose between two frames is computed.
enum class Reading {
  Palette,  // relative to the parent joint (docs/techniques.md 2.3), as the method palette does
  Direct,   // each joint by itself, as methods that fetch per vertex and most engines do
};

// Skin matrices (model space -> model space, one per joint) at `unit` in [0, 1] of a clip.
// Interpolates between frames according to `reading`, or takes the nearest frame if `interpolate`
// is false.
std::vector<glm::dmat4> atlasSkinMatrices(const Atlas& atlas, int clip, double unit,
                                          Reading reading, bool interpolate = true);

}  // namespace ck
