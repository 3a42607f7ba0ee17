#include "core/import/clip_fitting.h"

#include <algorithm>
#include <cmath>

#include "core/anim/pose.h"

namespace ck {
namespace {

double sizeOf(const glm::dmat4& m) {
  return std::cbrt(std::abs(glm::determinant(glm::dmat3(m))));
}

// The rest transform of everything above a joint.
glm::dmat4 frameOf(const Rig& rig, const std::vector<glm::dmat4>& rest, std::size_t joint) {
  const int parent = rig.joints[joint].parent;
  const glm::dmat4& pre = rig.joints[joint].preTransform;
  return parent < 0 ? pre : rest[static_cast<std::size_t>(parent)] * pre;
}

bool nearlyIdentity(const glm::dmat4& m, double reach) {
  for (int c = 0; c < 4; ++c) {
    for (int r = 0; r < 3; ++r) {
      const double wanted = c == r ? 1.0 : 0.0;
      if (std::abs(m[c][r] - wanted) > 1e-4 * (c < 3 ? 1.0 : reach)) return false;
    }
  }
  return true;
}

bool holdsStill(const Track<glm::vec3>& track) {
  double reach = 0.0;
  double moved = 0.0;
  for (const glm::vec3& value : track.values) {
    reach = std::max(reach, glm::length(glm::dvec3(value)));
    moved = std::max(moved, glm::distance(glm::dvec3(value), glm::dvec3(track.values.front())));
  }
  return track.interpolation != Interpolation::Cubic && moved <= 1e-4 * reach;
}

}  // namespace

ClipFitting::ClipFitting(const Rig& rig, const Rig& from, const std::vector<int>& matches) {
  const std::vector<glm::dmat4> rigRest = restMatrices(rig);
  const std::vector<glm::dmat4> fromRest = restMatrices(from);
  std::vector<char> matched(rig.joints.size(), 0);
  for (const int joint : matches) {
    if (joint >= 0) matched[static_cast<std::size_t>(joint)] = 1;
  }
  const auto isTop = [&](int joint) {
    for (int at = rig.joints[static_cast<std::size_t>(joint)].parent; at >= 0;
         at = rig.joints[static_cast<std::size_t>(at)].parent) {
      if (matched[static_cast<std::size_t>(at)] != 0) return false;
    }
    return true;
  };
  fits_.resize(matches.size());
  bool first = true;
  for (std::size_t j = 0; j < matches.size(); ++j) {
    if (matches[j] < 0) continue;
    const auto joint = static_cast<std::size_t>(matches[j]);
    Fit& fit = fits_[j];
    fit.joint = matches[j];
    const glm::dmat4 there = frameOf(from, fromRest, j);
    const glm::dmat4 here = frameOf(rig, rigRest, joint);
    bool singular = false;
    const glm::dmat4 change = affineInverse(here, &singular) * there;
    const double ratio = sizeOf(change);
    if (singular || !(ratio > 1e-9 && ratio < 1e9)) continue;
    if (std::abs(ratio - 1.0) > 1e-4) fit.length = ratio;
    if (isTop(matches[j])) {
      if (first) unitRatio_ = fit.length;
      first = false;
      const glm::dmat4 without = change * toMatrix({.scale = glm::dvec3(1.0 / ratio)});
      const double reach =
          glm::length(from.joints[j].rest.translation) * ratio + 1e-3 * glm::length(change[3]);
      if (!nearlyIdentity(without, reach + 1e-6)) {
        fit.moved = turned_ = true;
        fit.change = change;
        fit.turn = rotationOf(glm::dmat3(change));
      }
    } else {
      const glm::dquat a =
          rotationOf(glm::dmat3(from.joints[j].preTransform)) * from.joints[j].rest.rotation;
      const glm::dquat b =
          rotationOf(glm::dmat3(rig.joints[joint].preTransform)) * rig.joints[joint].rest.rotation;
      const double cosine = std::min(1.0, std::abs(glm::dot(a, b)));
      restsTurned_ += 2.0 * std::acos(cosine) > glm::radians(5.0) ? 1 : 0;
    }
  }
  measureProportions(rig, from, matches);
}

void ClipFitting::measureProportions(const Rig& rig, const Rig& from,
                                     const std::vector<int>& matches) {
  double ours = 0.0;
  double theirs = 0.0;
  std::vector<std::pair<double, double>> bones;
  for (std::size_t j = 0; j < matches.size(); ++j) {
    if (matches[j] < 0) continue;
    const Joint& a = from.joints[j];
    const Joint& b = rig.joints[static_cast<std::size_t>(matches[j])];
    // Compare only bones whose two ends are matched.
    if (a.parent < 0 || matches[static_cast<std::size_t>(a.parent)] != b.parent) continue;
    const auto lengthOf = [](const Joint& joint) {
      return glm::length(transformPoint(joint.preTransform, joint.rest.translation));
    };
    const double length = lengthOf(a) * fits_[j].length;
    bones.emplace_back(length, lengthOf(b));
    theirs += length;
    ours += bones.back().second;
  }
  if (bones.size() < 3 || !(theirs > 0.0 && ours > 0.0)) return;
  const double small = 1e-3 * ours;
  const auto other = std::count_if(bones.begin(), bones.end(), [small](const auto& bone) {
    return std::abs(bone.first - bone.second) > 0.05 * std::max(bone.first, bone.second) + small;
  });
  const auto longEnough = std::count_if(bones.begin(), bones.end(), [small](const auto& bone) {
    return std::max(bone.first, bone.second) > small;
  });
  if (2 * other > longEnough) proportions_ = ours / theirs;
}

JointTracks ClipFitting::fit(const JointTracks& tracks) const {
  const Fit& fit = fits_[static_cast<std::size_t>(tracks.joint)];
  JointTracks result = tracks;
  result.joint = fit.joint;
  Track<glm::vec3>& places = result.translation;
  if (otherProportions() && !places.empty() && holdsStill(places)) places = {};
  const bool cubic = places.interpolation == Interpolation::Cubic;
  for (std::size_t i = 0; i < places.values.size(); ++i) {
    const glm::dvec3 value(places.values[i]);
    glm::dvec3 fitted = value * fit.length;
    if (fit.moved) {
      const bool tangent = cubic && i % 3 != 1;
      fitted = tangent ? glm::dmat3(fit.change) * value : transformPoint(fit.change, value);
    }
    if (fit.moved || fit.length != 1.0 || otherProportions()) {
      places.values[i] = glm::vec3(fitted * proportions());
    }
  }
  if (!fit.moved) return result;
  for (glm::quat& q : result.rotation.values) {
    const glm::dquat turned = fit.turn * glm::dquat(q.w, q.x, q.y, q.z);
    q = glm::quat(static_cast<float>(turned.w), static_cast<float>(turned.x),
                  static_cast<float>(turned.y), static_cast<float>(turned.z));
  }
  return result;
}

}  // namespace ck
