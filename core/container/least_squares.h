#pragma once

#include <array>
#include <cmath>
#include <cstddef>

namespace ck {

// Learns the weights by which N numbers predict another one, from pairs seen before: least squares
// in which older pairs fade. Only additions, multiplications, divisions and square roots, in a
// fixed order, so that every machine computes the same bits (docs/ckatlas-packed.md).
template <std::size_t N>
class LeastSquares {
 public:
  using Numbers = std::array<double, N>;

  double predict(const Numbers& from) const {
    double sum = 0.0;
    for (std::size_t i = 0; i < N; ++i) sum += weights_[i] * from[i];
    return sum;
  }

  // Takes in that `from` came with `to`, which counts by `trust`.
  void learn(const Numbers& from, double to, double trust) {
    for (std::size_t i = 0; i < N; ++i) {
      const double own = trust * from[i];
      for (std::size_t j = 0; j <= i; ++j) {
        squares_[i][j] = kFade * squares_[i][j] + own * from[j];
      }
      products_[i] = kFade * products_[i] + own * to;
    }
    if (++seen_ % kSolveEvery == 0) solve();
  }

 private:
  static constexpr double kFade = 0.985;
  static constexpr int kSolveEvery = 8;
  // What pulls the weights to those of the start: the first one a half, the others none.
  static constexpr double kPull = 8.0;
  static constexpr double kLeast = 1e-9;

  // Cholesky. The weights stay as they were where that is not possible.
  void solve() {
    std::array<Numbers, N> lower = {};
    Numbers inverse = {};
    Numbers solved = {};
    for (std::size_t i = 0; i < N; ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        double sum = squares_[i][j];
        for (std::size_t k = 0; k < j; ++k) sum -= lower[i][k] * lower[j][k];
        lower[i][j] = sum * inverse[j];
      }
      double sum = squares_[i][i] + kPull;
      for (std::size_t k = 0; k < i; ++k) sum -= lower[i][k] * lower[i][k];
      if (!(sum > kLeast)) return;
      inverse[i] = 1.0 / std::sqrt(sum);
    }
    for (std::size_t i = 0; i < N; ++i) {
      double sum = i == 0 ? products_[i] + 0.5 * kPull : products_[i];
      for (std::size_t k = 0; k < i; ++k) sum -= lower[i][k] * solved[k];
      solved[i] = sum * inverse[i];
    }
    for (std::size_t i = N; i-- > 0;) {
      double sum = solved[i];
      for (std::size_t k = i + 1; k < N; ++k) sum -= lower[k][i] * solved[k];
      solved[i] = sum * inverse[i];
    }
    weights_ = solved;
  }

  std::array<Numbers, N> squares_ = {};  // the lower half
  Numbers products_ = {};
  Numbers weights_ = {0.5};
  int seen_ = 0;
};

}  // namespace ck
