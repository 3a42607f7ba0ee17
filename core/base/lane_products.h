#pragma once

#include <cstdint>

#include "core/base/lanes.h"

// Products of 32-bit numbers with 64 bits, eight at a time. As lanes.h, for .cpp files only.
namespace ck::lanes {

// A function for processors with AVX2 alone, to be called where hasAvx2(). Otherwise as
// CK_LANES_CLONES; for what needs to know which of both it is compiled for.
#if defined(__x86_64__)
#define CK_LANES_AVX2 __attribute__((target("avx2")))
inline bool hasAvx2() {
  return __builtin_cpu_supports("avx2") != 0;
}
#else
#define CK_LANES_AVX2
inline bool hasAvx2() {
  return false;
}
#endif

using W4 = std::uint64_t __attribute__((vector_size(32)));

// The elements 1, 3, 5 and 7 at the places of 0, 2, 4 and 6.
CK_LANES_INLINE U8 oddAsEven(const U8& v) {
  return (U8)((W4)v >> 32);
}

// Never called: GCC offers the instructions of a set only after something was declared for it.
CK_LANES_AVX2 void declaredForAvx2();

// The products, 64 bits each, of the elements 0, 2, 4 and 6. `avx2`: whether the calling function
// is CK_LANES_AVX2. GCC 12 multiplies three times where it is not told that one instruction does.
template <bool avx2>
CK_LANES_INLINE W4 evenProducts(const U8& a, const U8& b) {
#if defined(__x86_64__) && !defined(__clang__)
  if constexpr (avx2) return (W4)__builtin_ia32_pmuludq256((I8)a, (I8)b);
#endif
  constexpr std::uint64_t kEven = 0xffffffffu;
  return ((W4)a & kEven) * ((W4)b & kEven);
}

// The lower and upper 32 bits of eight products.
struct alignas(32) Products {
  U8 low, high;
};
template <bool avx2>
CK_LANES_INLINE Products productsOf(const U8& a, const U8& b) {
  const U8 even = (U8)evenProducts<avx2>(a, b);
  const U8 odd = (U8)evenProducts<avx2>(oddAsEven(a), oddAsEven(b));
  return {__builtin_shufflevector(even, odd, 0, 8, 2, 10, 4, 12, 6, 14),
          __builtin_shufflevector(even, odd, 1, 9, 3, 11, 5, 13, 7, 15)};
}

}  // namespace ck::lanes
