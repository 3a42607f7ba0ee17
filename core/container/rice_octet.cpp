#include "core/container/rice_octet.h"

#include <algorithm>

#include "core/base/assert.h"
#include "core/container/rice_bits.h"

namespace ck::rice {
namespace {

using namespace lanes;

// The expected codes before there are any: of places, and of all others.
constexpr int kPlaceTrail = 8;
constexpr int kOtherTrail = 60;
// Bits of numbers in the first frame; 8 fewer for numbers of 8 bits.
constexpr int kFirstLow = 11;

std::vector<std::vector<std::size_t>> jointsByDepth(const ClipModel& model) {
  const std::size_t count = model.joints.size();
  std::vector<std::size_t> depths(count, 0);
  std::vector<std::vector<std::size_t>> byDepth(1);
  for (std::size_t joint = 0; joint < count; ++joint) {
    const int parent = model.joints[joint].parent;
    if (parent >= 0) depths[joint] = depths[static_cast<std::size_t>(parent)] + 1;
    if (depths[joint] >= byDepth.size()) byDepth.resize(depths[joint] + 1);
    byDepth[depths[joint]].push_back(joint);
  }
  return byDepth;
}

Octet blankOctet(const OctetPieces& all) {
  const F8 zero = lanes::all(0.0f);
  Octet octet;
  octet.poses.fill(all.unusedPose());
  octet.parents.fill(all.worldPose());
  octet.low.fill(zero);
  octet.step.fill(zero);
  octet.perStep.fill(zero);
  octet.ways.fill({allOf(0), zero, false});
  octet.keeps.fill(allOf(0));
  const LastChannel unknown = {
      {allOf(0), allOf(0), allOf(0), allOf(0)}, zero, zero, zero, allOf(0)};
  octet.lasts.fill(unknown);
  octet.before.fill(allOf(0));
  octet.before2.fill(allOf(0));
  octet.before3.fill(allOf(0));
  const Vec origin = {zero, zero, zero};
  octet.offsets = {origin, origin, origin};
  const Quat none = {zero, zero, zero, lanes::all(1.0f)};
  octet.turns = {none, none, none};
  return octet;
}

// Sets the facts of the model about the joint of a lane.
void setModel(Octet& octet, int lane, const ClipModel& model, const ModelJoint& joint) {
  const auto top = static_cast<float>((1 << model.bits) - 1);
  for (std::size_t channel = 0; channel < model.channels; ++channel) {
    const auto size = static_cast<float>(joint.ranges[channel].size);
    octet.low[channel][lane] = static_cast<float>(joint.ranges[channel].low);
    octet.step[channel][lane] = size / top;
    octet.perStep[channel][lane] = size > 0.0f ? top / size : 0.0f;
  }
  for (Vec* offset : {&octet.offsets.mean, &octet.offsets.last, &octet.offsets.before}) {
    offset->x[lane] = static_cast<float>(joint.offset[0]);
    offset->y[lane] = static_cast<float>(joint.offset[1]);
    offset->z[lane] = static_cast<float>(joint.offset[2]);
  }
}

// Sets the facts that the bytes of a batch have about the joint of a lane, one for each texel.
void setHead(Octet& octet, int lane, const ClipModel& model, std::span<const std::byte> texels) {
  for (std::size_t texel = 0; texel < texels.size(); ++texel) {
    const int said = std::to_integer<int>(texels[texel]);
    RiceWay& way = octet.ways[texel];
    way.number[lane] = (said >> kWayShift) & 3;
    way.onward[lane] = onwardOf(model.roles[texel], way.number[lane]);
    way.anyAlone = way.anyAlone || way.number[lane] == kAlone;
    for (std::size_t i = 0; i < 4; ++i) {
      const std::size_t channel = 4 * texel + i;
      const bool keeps = ((said >> i) & 1) != 0;
      if (keeps) octet.keeps[channel][lane] = -1;
      if (!keeps) octet.moves[channel] = true;
    }
    const int at = (said >> kLastShift) & 3;
    const std::size_t channel = 4 * texel + static_cast<std::size_t>(at);
    LastChannel& last = octet.lasts[texel];
    last.isAt[at][lane] = -1;
    last.low[lane] = octet.low[channel][lane];
    last.step[lane] = octet.step[channel][lane];
    last.perStep[lane] = octet.perStep[channel][lane];
    last.keeps[lane] = octet.keeps[channel][lane];
  }
}

// The lanes that the joints of one depth have, from an octet on: those of the first piece, then
// those of the next.
struct Depth {
  const std::vector<std::size_t>& joints;
  std::size_t firstOctet;

  std::size_t laneOf(std::size_t piece, std::size_t index) const {
    return firstOctet * kCount + piece * joints.size() + index;
  }
};

void addLanes(const Depth& depth, std::span<const RicePiece> pieces, OctetPieces& all) {
  const std::size_t joints = pieces.front().model.joints.size();
  const std::size_t octets = (pieces.size() * depth.joints.size() + kCount - 1) / kCount;
  all.octets.resize(depth.firstOctet + octets, blankOctet(all));
  for (std::size_t piece = 0; piece < pieces.size(); ++piece) {
    const ClipModel& model = pieces[piece].model;
    const std::size_t texels = model.channels / 4;
    for (std::size_t index = 0; index < depth.joints.size(); ++index) {
      const std::size_t joint = depth.joints[index];
      const std::size_t place = depth.laneOf(piece, index);
      const std::size_t lane = place % kCount;
      Octet& octet = all.octets[place / kCount];
      octet.count = lane + 1;
      octet.pieces[lane] = piece;
      octet.joints[lane] = joint;
      octet.poses[lane] = piece * joints + joint;
      const int parent = model.joints[joint].parent;
      if (parent >= 0) octet.parents[lane] = piece * joints + static_cast<std::size_t>(parent);
      setModel(octet, static_cast<int>(lane), model, model.joints[joint]);
      setHead(octet, static_cast<int>(lane), model,
              pieces[piece].head.subspan(joint * texels, texels));
    }
  }
}

// By eights of the joints of a piece: channel by channel, joint by joint.
void addPlaces(const Depth& depth, std::span<const RicePiece> pieces, OctetPieces& all) {
  const std::size_t channels = pieces.front().model.channels;
  for (std::size_t piece = 0; piece < pieces.size(); ++piece) {
    for (std::size_t first = 0; first < depth.joints.size(); first += kCount) {
      const std::size_t end = std::min(first + kCount, depth.joints.size());
      for (std::size_t channel = 0; channel < channels; ++channel) {
        for (std::size_t index = first; index < end; ++index) {
          const std::size_t lane = depth.laneOf(piece, index);
          const std::size_t octet = lane / kCount;
          const auto place = static_cast<std::uint32_t>((octet * kMostChannels + channel) * kCount +
                                                        lane % kCount);
          all.places[piece].first.push_back(place);
          const I8& keeps = all.octets[octet].keeps[channel];
          if (keeps[static_cast<int>(lane % kCount)] == 0) {
            all.places[piece].later.push_back(place);
          }
        }
      }
    }
  }
}

}  // namespace

float onwardOf(TexelRole role, int way) {
  if (role == TexelRole::Rotation) return way == 1 ? 1.0f : way == 2 ? 0.5f : 0.0f;
  return way == 2 ? 1.0f : 0.0f;
}

OctetPieces octetsOf(std::span<const RicePiece> pieces) {
  CK_ASSERT(std::ranges::is_sorted(pieces, std::greater(), &RicePiece::frames));
  OctetPieces all;
  all.poseCount = pieces.size() * pieces.front().model.joints.size();
  all.places.resize(pieces.size());
  for (const auto& joints : jointsByDepth(pieces.front().model)) {
    const Depth depth = {joints, all.octets.size()};
    addLanes(depth, pieces, all);
    addPlaces(depth, pieces, all);
  }
  return all;
}

LowBits::LowBits(const ClipModel& model, std::span<const Octet> octets)
    : channels_(model.channels), trails_(octets.size()), low_(octets.size()) {
  for (std::size_t channel = 0; channel < channels_; ++channel) {
    const bool isPlace = model.roles[channel / 4] == TexelRole::Place && channel % 4 < 3;
    for (std::size_t index = 0; index < octets.size(); ++index) {
      trails_[index].setChannel(channel, allOf(isPlace ? kPlaceTrail : kOtherTrail));
      low_[index].setChannel(channel, allOf(kFirstLow - (kNumberBits - model.bits)));
    }
  }
}

}  // namespace ck::rice
