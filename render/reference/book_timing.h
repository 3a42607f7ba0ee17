#pragma once

namespace ck::render {

// The frames that the write-up's crowd code shows, for comparing: it guesses the second frame from
// the length of the tick instead of taking the one after the first (TECHNIQUES 1.1 and 1.4).
struct BookFrames {
  int frame = 0;        // floor of the time now
  int next = 0;         // floor of the time one tick later
  double weight = 1.0;  // of `next`; 1 where both are the same frame, which is then held
};

// `unit` in [0, 1] is the moment in the clip, `nextUnit` the moment one tick later; `frameCount` >=
// 1 stored frames, the duplicated end frame included.
BookFrames bookFrames(double unit, double nextUnit, int frameCount);

}  // namespace ck::render
