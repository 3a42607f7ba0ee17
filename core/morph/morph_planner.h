#pragma once

#include <span>
#include <vector>

namespace ck {

// A shape whose weight is not what it was.
struct MorphChange {
  int morph = 0;  // into the set
  float before = 0.0f;
  float now = 0.0f;
};

// What an accumulator has to do to show new weights.
struct MorphPlan {
  bool rebase = false;               // start again from the shape without any morph
  std::vector<MorphChange> changes;  // ascending; from weight 0 where it starts again
};

// Passes of at most `batch` changes each.
int morphPasses(const MorphPlan& plan, int batch);

// When sums are trusted. Integer sums always are; float sums drift, so they are made anew on every
// jump, when all weights are zero, and after kFloatUpdates changes, which keeps them within a
// hundredth of a millimetre even where a third of sixteen shapes jumps in every frame.
enum class MorphSums { Fixed, Float };
inline constexpr int kFloatUpdates = 240;

// Remembers what an accumulator holds and plans what is to be done.
class MorphPlanner {
 public:
  MorphPlanner(std::size_t morphCount, MorphSums sums);

  // `jumped`: a seek, another clip or a reset came between. With `onlyChanged` off every plan
  // starts again and names every shape, as a renderer without accumulators would.
  MorphPlan next(std::span<const float> weights, bool jumped, bool onlyChanged = true);

 private:
  MorphSums sums_;
  std::vector<float> held_;
  bool holds_ = false;
  int updates_ = 0;
};

}  // namespace ck
