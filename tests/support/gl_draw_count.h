#pragma once

namespace ck::test {

// Counts the calls that draw indexed triangles, from its making to its end, by standing between the
// program and the driver; every call is passed on. Buffers that vertices are fed back to are filled
// by other calls. One at a time, on the thread that draws; a context must be current.
class DrawCount {
 public:
  DrawCount();
  ~DrawCount();
  DrawCount(const DrawCount&) = delete;
  DrawCount& operator=(const DrawCount&) = delete;

  // Several draws of one indirect call are one.
  int calls() const;
};

}  // namespace ck::test
