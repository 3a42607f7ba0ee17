#pragma once

#include <cstddef>
#include <cstdint>

// libFuzzer's own mutations. Returns the new size, at most `maxSize`.
extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t maxSize);

namespace ck::fuzz {

// A reader of outside bytes under libFuzzer. All are in one program, which is instrumented and
// linked once.
struct Target {
  // Feeds one input to the reader. Traps if an input that passes is not as it must be.
  int (*feed)(const std::uint8_t* data, std::size_t size);
  // Changes an input in place and returns its new size, at most `maxSize`.
  std::size_t (*mutate)(std::uint8_t* data, std::size_t size, std::size_t maxSize, unsigned seed);
};

// Makes the program run `target` where it is started as fuzz_NAME. Called before main().
bool addTarget(const char* name, const Target& target);

// For targets that need no mutations of their own.
inline std::size_t mutateBytes(std::uint8_t* data, std::size_t size, std::size_t maxSize,
                               unsigned) {
  return LLVMFuzzerMutate(data, size, maxSize);
}

}  // namespace ck::fuzz

#define CK_FUZZ_TARGET(name, feed, mutate)            \
  [[maybe_unused]] static const bool ck_fuzz_##name = \
      ck::fuzz::addTarget(#name, ck::fuzz::Target{feed, mutate});
