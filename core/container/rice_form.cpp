#include "core/container/rice_form.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

#include "core/base/byte_stream.h"
#include "core/base/parallel_for.h"
#include "core/container/rice_bits.h"
#include "core/container/rice_coder.h"

namespace ck {
namespace {

using namespace rice;

// The numbers of a piece, of 16 bits each.
struct PieceNumbers {
  const std::byte* first;  // of the first joint in the first frame of the piece
  std::size_t jointBytes;
  std::size_t frameBytes;

  const std::byte* row(std::size_t joint, std::size_t frame) const {
    return first + joint * jointBytes + frame * frameBytes;
  }
};

CK_LANES_INLINE void take(const PieceNumbers& from, std::size_t frame, const Octet& octet,
                          std::array<I8, kMostChannels>& numbers) {
  numbers.fill(allOf(0));
  for (std::size_t lane = 0; lane < octet.count; ++lane) {
    const std::byte* row = from.row(octet.joints[lane], frame);
    for (std::size_t first = 0; 2 * first < from.frameBytes; first += 4) {
      std::uint16_t texel[4];
      std::memcpy(texel, row + 2 * first, sizeof texel);
      for (std::size_t i = 0; i < 4; ++i) numbers[first + i][static_cast<int>(lane)] = texel[i];
    }
  }
}

// Adds up how many bits each way would need, by octet.
class PieceJudge {
 public:
  CK_LANES_INLINE PieceJudge(const RicePiece& piece, const PieceNumbers& from, OctetPieces& all,
                             std::vector<Costs>& costs)
      : piece_(piece), from_(from), all_(all), costs_(costs), poses_(blankPoses(all)) {}

  template <bool kIsFirst>
  CK_LANES_INLINE void codeFrame(std::size_t frame) {
    OctetCoder<RiceStep::Judge, kIsFirst> coder(piece_.model, frame, poses_.data());
    for (std::size_t index = 0; index < all_.octets.size(); ++index) {
      take(from_, frame, all_.octets[index], coder.numbers);
      coder.code(all_.octets[index], nullptr, &costs_[index]);
    }
  }

 private:
  const RicePiece& piece_;
  const PieceNumbers& from_;
  OctetPieces& all_;
  std::vector<Costs>& costs_;
  std::vector<float> poses_;
};

class PieceWriter {
 public:
  CK_LANES_INLINE PieceWriter(const RicePiece& piece, const PieceNumbers& from, OctetPieces& all,
                              RiceWriter& writer)
      : piece_(piece),
        from_(from),
        all_(all),
        writer_(writer),
        poses_(blankPoses(all)),
        low_(piece.model, all.octets),
        codes_(all.octets.size()) {}

  template <bool kIsFirst>
  CK_LANES_INLINE void codeFrame(std::size_t frame) {
    OctetCoder<RiceStep::Write, kIsFirst> coder(piece_.model, frame, poses_.data());
    for (std::size_t index = 0; index < all_.octets.size(); ++index) {
      take(from_, frame, all_.octets[index], coder.numbers);
      coder.code(all_.octets[index], &codes_[index]);
    }
    const CodedPlaces& places = all_.places.front();
    writer_.code(flat(codes_), low_.numbers(), kIsFirst ? places.first : places.later);
    for (std::size_t index = 0; index < all_.octets.size(); ++index) {
      low_.learn(index, all_.octets[index], codes_[index], kIsFirst);
    }
  }

 private:
  const RicePiece& piece_;
  const PieceNumbers& from_;
  OctetPieces& all_;
  RiceWriter& writer_;
  std::vector<float> poses_;
  LowBits low_;
  std::vector<OctetNumbers> codes_;
};

template <class Coder>
CK_LANES_INLINE void codeFrames(Coder coder, std::size_t frames) {
  coder.template codeFrame<true>(0);
  for (std::size_t frame = 1; frame < frames; ++frame) coder.template codeFrame<false>(frame);
}

struct Paths {
  CK_LANES_CLONES static void judgeBest(const RicePiece& piece, const PieceNumbers& from,
                                        OctetPieces& all, std::vector<Costs>& costs) {
    codeFrames(PieceJudge(piece, from, all, costs), piece.frames);
  }
  static void judgePlain(const RicePiece& piece, const PieceNumbers& from, OctetPieces& all,
                         std::vector<Costs>& costs) {
    codeFrames(PieceJudge(piece, from, all, costs), piece.frames);
  }
  CK_LANES_CLONES static void writeBest(const RicePiece& piece, const PieceNumbers& from,
                                        OctetPieces& all, RiceWriter& writer) {
    codeFrames(PieceWriter(piece, from, all, writer), piece.frames);
  }
  static void writePlain(const RicePiece& piece, const PieceNumbers& from, OctetPieces& all,
                         RiceWriter& writer) {
    codeFrames(PieceWriter(piece, from, all, writer), piece.frames);
  }
};

// The bytes that say how a piece is predicted, by joint and texel: at first only what stays.
std::vector<std::byte> keptChannels(const RicePiece& piece, const PieceNumbers& from) {
  const std::size_t channels = piece.model.channels;
  std::vector<std::byte> head(piece.model.joints.size() * channels / 4);
  for (std::size_t joint = 0; joint < piece.model.joints.size(); ++joint) {
    const std::byte* first = from.row(joint, 0);
    std::array<bool, kMostChannels> moves = {};
    for (std::size_t frame = 1; frame < piece.frames; ++frame) {
      const std::byte* row = from.row(joint, frame);
      for (std::size_t i = 0; i < channels; ++i) {
        moves[i] = moves[i] || row[2 * i] != first[2 * i] || row[2 * i + 1] != first[2 * i + 1];
      }
    }
    for (std::size_t i = 0; i < channels; ++i) {
      if (!moves[i]) head[(joint * channels + i) / 4] |= std::byte{1} << (i % 4);
    }
  }
  return head;
}

// The way, and the channel of a rotation that follows from the length of 1, that take fewest bits.
std::byte bestWay(const Costs& costs, std::size_t lane, std::size_t texel, TexelRole role) {
  const auto cost = [&](std::size_t way, std::size_t channel) {
    return costs.at[texel][way][channel][static_cast<int>(lane)];
  };
  int best = 0;
  int least = 0;
  for (std::size_t way = 0; way < kWays; ++way) {
    int sum = 0;
    for (std::size_t i = 0; i < 4; ++i) sum += cost(way, i);
    for (std::size_t last = 0; last < (role == TexelRole::Rotation ? 4u : 1u); ++last) {
      const int total =
          role == TexelRole::Rotation ? sum - cost(way, last) + cost(kWays, last) : sum;
      if ((way > 0 || last > 0) && total >= least) continue;
      least = total;
      best = static_cast<int>((way << kWayShift) | (last << kLastShift));
    }
  }
  return static_cast<std::byte>(best);
}

// Numbers of 8 bits as ones of 16.
std::vector<std::byte> widened(const ClipBlock& block) {
  std::vector<std::byte> wide(2 * block.bytes.size());
  for (std::size_t i = 0; i < block.bytes.size(); ++i) wide[2 * i] = block.bytes[i];
  return wide;
}

struct WrittenPiece {
  std::vector<std::byte> head, counts, bits;
};

WrittenPiece packPiece(const ClipModel& model, std::size_t frames, const PieceNumbers& numbers,
                       LanePath path) {
  WrittenPiece packed;
  RicePiece piece = {model, frames, {}};
  packed.head = keptChannels(piece, numbers);
  piece.head = packed.head;
  OctetPieces octets = octetsOf({&piece, 1});
  std::vector<Costs> costs(octets.octets.size());
  (path == LanePath::Best ? Paths::judgeBest : Paths::judgePlain)(piece, numbers, octets, costs);
  const std::size_t texels = model.channels / 4;
  for (std::size_t o = 0; o < costs.size(); ++o) {
    const Octet& octet = octets.octets[o];
    for (std::size_t lane = 0; lane < octet.count; ++lane) {
      for (std::size_t texel = 0; texel < texels; ++texel) {
        packed.head[octet.joints[lane] * texels + texel] |=
            bestWay(costs[o], lane, texel, model.roles[texel]);
      }
    }
  }
  octets = octetsOf({&piece, 1});
  RiceWriter writer;
  (path == LanePath::Best ? Paths::writeBest : Paths::writePlain)(piece, numbers, octets, writer);
  packed.counts = writer.takeCounts();
  packed.bits = writer.takeBits();
  return packed;
}

}  // namespace

bool hasRiceForm(const ClipModel& model) {
  return model.bits <= kNumberBits &&
         std::ranges::find(model.roles, TexelRole::Rotation) != model.roles.end();
}

std::vector<std::byte> packRice(const ClipModel& model, const ClipBlock& block,
                                const JobContext& job, LanePath path) {
  const std::vector<std::byte> wide = model.bits == 8 ? widened(block) : std::vector<std::byte>();
  const std::byte* numbers = model.bits == 8 ? wide.data() : block.bytes.data();
  const std::size_t frameBytes = 2 * model.channels;
  std::vector<WrittenPiece> pieces(pieceCount(model.frames));
  parallelFor(pieces.size(), job, [&](std::size_t index) {
    const PieceNumbers from = {numbers + index * kPieceFrames * frameBytes,
                               model.frames * frameBytes, frameBytes};
    pieces[index] = packPiece(model, pieceFrames(model.frames, index), from, path);
  });
  ByteWriter out;
  for (const WrittenPiece& piece : pieces) {
    out.number(static_cast<std::uint32_t>(piece.counts.size()));
    out.number(static_cast<std::uint32_t>(piece.bits.size()));
  }
  for (const WrittenPiece& piece : pieces) {
    out.raw(piece.head);
    out.raw(piece.counts);
    out.raw(piece.bits);
  }
  return out.take();
}

}  // namespace ck
