#pragma once

#include "core/import/worker/assembly/source_scene.h"
#include "core/import/worker/collada/collada_file.h"

namespace ck::worker {

// Adds the clips to a scene whose node names are still ids. Tracks follow the curves as
// motionTrack() does (motion_tracks.h), within the window of their clip (ColladaClip).
void addColladaClips(const ColladaMotion& motion, SourceScene& scene);

// Sets units and axes as in the file; Assimp rounds them.
void setColladaSpace(const ColladaMotion& motion, SourceInfo& source);

// Does both for a scene that Assimp read without motion, and gives nodes and meshes the names that
// artists see. Adds the note "MeshDropped" for every node whose mesh is missing.
void completeCollada(const ColladaMotion& motion, SourceScene& scene);

}  // namespace ck::worker
