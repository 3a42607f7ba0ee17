#pragma once

#include <cstddef>
#include <vector>

namespace ck::worker {

// The course of a curve before its first and after its last key.
enum class Beyond {
  Constant,
  KeepSlope,
  Repeat,
  RepeatRelative,  // each repetition starts where the one before has ended
  Mirror,
};

// A curve of one number over time, as FBX and Collada define it: between two keys the value is
// held, linear, or a cubic Bezier curve in the plane of time and value (Autodesk, FBX SDK,
// FbxAnimCurve; COLLADA 1.4.1, chapter 4, "Curve Interpolation").
class KeyCurve {
 public:
  enum class Between { HoldThis, HoldNext, Linear, Cubic };
  struct Key {
    double seconds = 0.0;
    double value = 0.0;
    Between after = Between::Cubic;  // from this key to the next
    // The handles of a cubic segment, relative to the key: of its end at this key, and of the
    // segment before. Times are not negative and at most those of the segment. Handles of a linear
    // segment lie on it, so that KeepSlope knows its slope.
    double rightSeconds = 0.0;
    double rightValue = 0.0;
    double leftSeconds = 0.0;
    double leftValue = 0.0;
  };
  std::vector<Key> keys;  // times strictly ascending; at least one
  Beyond before = Beyond::Constant;
  Beyond after = Beyond::Constant;
  // How often the keys are repeated; negative: without end.
  int timesBefore = -1;
  int timesAfter = -1;

  // The value at a time. Where a key ends or begins a held segment the curve jumps; `side` asks for
  // its limit from earlier times (-1) or from later ones (1), or for the key's own value (0).
  double at(double seconds, int side = 0) const;
  // Whether the curve is linear or constant between all times of addTimes(), without a jump.
  bool isStraight() const;
  // Adds the times within [from, to] at which the curve has a key, in repetitions too; about a
  // million of them at most.
  void addTimes(double from, double to, std::vector<double>& seconds) const;

 private:
  // The key before the time that was asked for last: most times lie behind the same one.
  mutable std::size_t lastKey_ = 0;
};

}  // namespace ck::worker
