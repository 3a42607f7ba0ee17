#include "core/container/rice_octet.h"

#include <algorithm>

namespace ck::rice {
namespace {

using namespace lanes;

// What is expected of errors before there are any: of places, and of all others.
constexpr int kPlaceTrail = 8;
constexpr int kOtherTrail = 60;

void setLane(F8& v, std::size_t lane, float value) {
  v[static_cast<int>(lane)] = value;
}

// Everything that the model says.
void setModel(Octet& octet, const ClipModel& model) {
  const auto top = static_cast<float>((1 << model.bits) - 1);
  octet.low.fill(all(0.0f));
  octet.step.fill(all(0.0f));
  octet.perStep.fill(all(0.0f));
  octet.bindOffset = {all(0.0f), all(0.0f), all(0.0f)};
  for (std::size_t lane = 0; lane < octet.count; ++lane) {
    const ModelJoint& joint = model.joints[octet.joints[lane]];
    for (std::size_t channel = 0; channel < model.channels; ++channel) {
      const auto size = static_cast<float>(joint.ranges[channel].size);
      setLane(octet.low[channel], lane, static_cast<float>(joint.ranges[channel].low));
      setLane(octet.step[channel], lane, size / top);
      setLane(octet.perStep[channel], lane, size > 0.0f ? top / size : 0.0f);
    }
    setLane(octet.bindOffset.x, lane, static_cast<float>(joint.offset[0]));
    setLane(octet.bindOffset.y, lane, static_cast<float>(joint.offset[1]));
    setLane(octet.bindOffset.z, lane, static_cast<float>(joint.offset[2]));
  }
}

}  // namespace

std::vector<Octet> octetsOf(const ClipModel& model) {
  const std::size_t count = model.joints.size();
  std::vector<std::size_t> depths(count, 0);
  std::size_t deepest = 0;
  for (std::size_t joint = 0; joint < count; ++joint) {
    const int parent = model.joints[joint].parent;
    if (parent >= 0) depths[joint] = depths[static_cast<std::size_t>(parent)] + 1;
    deepest = std::max(deepest, depths[joint]);
  }
  std::vector<std::vector<std::size_t>> byDepth(deepest + 1);
  for (std::size_t joint = 0; joint < count; ++joint) byDepth[depths[joint]].push_back(joint);
  std::vector<Octet> octets;
  for (const auto& joints : byDepth) {
    for (std::size_t first = 0; first < joints.size(); first += kCount) {
      Octet& octet = octets.emplace_back();
      octet.count = std::min(joints.size() - first, std::size_t{kCount});
      octet.joints.fill(count + 1);
      octet.parents.fill(count);  // the world
      for (std::size_t lane = 0; lane < octet.count; ++lane) {
        octet.joints[lane] = joints[first + lane];
        const int parent = model.joints[octet.joints[lane]].parent;
        if (parent >= 0) octet.parents[lane] = static_cast<std::size_t>(parent);
      }
    }
  }
  for (Octet& octet : octets) setModel(octet, model);
  return octets;
}

void begin(Octet& octet, const ClipModel& model, std::span<const std::byte> head) {
  const std::size_t texels = model.channels / 4;
  octet.ways.fill(allOf(0));
  octet.keeps.fill(allOf(0));
  const LastChannel unknown = {
      {allOf(0), allOf(0), allOf(0), allOf(0)}, all(0.0f), all(0.0f), all(0.0f), allOf(0)};
  octet.lasts.fill(unknown);
  for (std::size_t lane = 0; lane < octet.count; ++lane) {
    const auto l = static_cast<int>(lane);
    for (std::size_t texel = 0; texel < texels; ++texel) {
      const int said = std::to_integer<int>(head[octet.joints[lane] * texels + texel]);
      octet.ways[texel][l] = (said >> kWayShift) & 3;
      for (std::size_t i = 0; i < 4; ++i) {
        const std::size_t channel = 4 * texel + i;
        if (((said >> i) & 1) != 0) octet.keeps[channel][l] = -1;
      }
      const int at = (said >> kLastShift) & 3;
      const std::size_t channel = 4 * texel + static_cast<std::size_t>(at);
      LastChannel& last = octet.lasts[texel];
      last.isAt[at][l] = -1;
      last.low[l] = octet.low[channel][l];
      last.step[l] = octet.step[channel][l];
      last.perStep[l] = octet.perStep[channel][l];
      last.keeps[l] = octet.keeps[channel][l];
    }
  }
  octet.moves.fill(false);
  octet.codedFirst.clear();
  octet.coded.clear();
  for (std::size_t channel = 0; channel < model.channels; ++channel) {
    for (std::size_t lane = 0; lane < octet.count; ++lane) {
      const auto place = static_cast<std::uint8_t>(channel * kCount + lane);
      octet.codedFirst.push_back(place);
      if (octet.keeps[channel][static_cast<int>(lane)] != 0) continue;
      octet.coded.push_back(place);
      octet.moves[channel] = true;
    }
  }
  octet.before.fill(allOf(0));
  octet.before2.fill(allOf(0));
  octet.before3.fill(allOf(0));
  for (std::size_t channel = 0; channel < model.channels; ++channel) {
    const bool isPlace = model.roles[channel / 4] == TexelRole::Place && channel % 4 < 3;
    octet.trails[channel] = allOf(isPlace ? kPlaceTrail : kOtherTrail);
  }
  octet.offsets = {octet.bindOffset, octet.bindOffset, octet.bindOffset};
  const Quat none = {all(0.0f), all(0.0f), all(0.0f), all(1.0f)};
  octet.turns = {none, none, none};
}

}  // namespace ck::rice
