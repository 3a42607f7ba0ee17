#pragma once

#include "core/scene/clip.h"
#include "core/scene/clip_edit.h"

namespace ck {

// Keeps the part of a track within a trim, with keys at both ends. Exact: linear, stepped and cubic
// tracks continue the original curve up to there. A track that begins or ends inside the trim is
// held there as before. Does nothing to an empty track.
template <class Value>
void cutTrack(Track<Value>& track, const Trim& trim);

// Plays a track `rate` times as fast; `startSeconds` stays where it is.
template <class Value>
void retimeTrack(Track<Value>& track, double startSeconds, double rate);

// Calls `change` for every track of a clip, of whatever property.
template <class Change>
void forTracks(Clip& clip, Change&& change) {
  for (JointTracks& tracks : clip.jointTracks) {
    change(tracks.translation);
    change(tracks.rotation);
    change(tracks.scale);
  }
  for (MorphTrack& track : clip.morphTracks) change(track.weight);
}

}  // namespace ck
