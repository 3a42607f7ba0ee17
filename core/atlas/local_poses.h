#pragma once

#include <span>
#include <vector>

#include "core/atlas/atlas.h"

namespace ck {

// Atlases of local poses (isLocal()) store each joint as its parent sees it. These functions walk
// from the roots to the poses of other encodings, and find the tracks: positions of joints that
// move against their parents, behind the texels of all joints of a frame.

// For each joint the number of its track, or -1: tracks are in the order of the joints, and a joint
// has one where any of its ranges has a size. `ranges` are those of Atlas::ranges in the modes
// Joint and JointClip.
std::vector<int> tracksOf(std::span<const TexelRange> ranges, std::size_t jointCount);
// No tracks for other encodings.
std::vector<int> tracksOf(const Atlas& atlas);
int trackCount(std::span<const int> tracks);

// The column, in place of a joint for texelOffset() and ck_atlasTexel(), at which a track begins.
int trackColumn(const Atlas& atlas, int track);

// The texels of a frame in columns: those of joints, then those of tracks.
std::size_t columnCount(const Atlas& atlas);

// The stored pose of a joint as its parent sees it. `tracks` are tracksOf(atlas).
JointPose storedLocalPose(const Atlas& atlas, std::span<const int> tracks, int clip, int frame,
                          int joint);

// Poses in pivot form from those that parents see.
void walkFromRoots(std::span<const AtlasJoint> joints, std::span<JointPose> poses);

}  // namespace ck
