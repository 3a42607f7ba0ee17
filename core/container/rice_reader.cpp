#include "core/container/rice_reader.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <functional>

#include "core/base/byte_stream.h"
#include "core/base/parallel_for.h"
#include "core/container/rice_bits.h"
#include "core/container/rice_coder.h"

namespace ck {
namespace {

using namespace rice;

// Pieces that are read side by side: more fill more lanes, but their state takes room in the cache.
constexpr std::size_t kMostTogether = 8;
// With so many joints a piece fills its lanes alone, and the state of eight would take gigabytes.
constexpr std::size_t kManyJoints = 1024;
// Codes do not depend on what is predicted, so that those of several frames are read first.
constexpr std::size_t kFramesAtOnce = 8;

// One piece of one clip, as it lies in the packed bytes.
struct PackedPiece {
  std::size_t clip;
  std::span<const std::size_t> frames;  // of the clip, where texels of the piece go
  std::span<const std::byte> head, counts, bits;
};

// The streams of a piece, with bytes behind them that may be read.
class PieceStreams {
 public:
  explicit PieceStreams(const PackedPiece& piece)
      : bytes_(piece.counts.size() + piece.bits.size() + 2 * RiceReader::kPadding),
        reader_(bytes_.data(), piece.counts.size(), bitsOf(piece), piece.bits.size()) {
    std::ranges::copy(piece.counts, bytes_.data());
    std::ranges::copy(piece.bits, bitsOf(piece));
  }

  PieceStreams(PieceStreams&&) = default;
  PieceStreams& operator=(PieceStreams&&) = default;

  RiceReader& reader() { return reader_; }

 private:
  std::byte* bitsOf(const PackedPiece& piece) {
    return bytes_.data() + piece.counts.size() + RiceReader::kPadding;
  }

  std::vector<std::byte> bytes_;
  RiceReader reader_;
};

// A piece while it is read.
struct OpenPiece {
  PieceStreams streams;
  std::span<const std::size_t> frames;
  std::byte* texels;
  bool isGood = true;
};

// Reads pieces side by side, the longest first.
class PiecesReader {
 public:
  CK_LANES_INLINE PiecesReader(std::span<OpenPiece> pieces, const ClipModel& model,
                               OctetPieces& all)
      : pieces_(pieces),
        all_(all),
        model_(model),
        jointBytes_(model.channels * static_cast<std::size_t>(model.bits) / 8),
        low_(model, all.octets),
        codes_(kFramesAtOnce * all.octets.size()),
        poses_(blankPoses(all)),
        rows_(pieces.size()) {}

  CK_LANES_INLINE void run() {
    const std::size_t longest = pieces_.front().frames.size();
    for (std::size_t first = 0; first < longest; first += kFramesAtOnce) {
      const std::size_t end = std::min(first + kFramesAtOnce, longest);
      for (std::size_t frame = first; frame < end; ++frame) readCodes(frame);
      if (std::ranges::none_of(pieces_, &OpenPiece::isGood)) return;
      for (std::size_t frame = first; frame < end; ++frame) {
        frame == 0 ? readNumbers<true>(frame) : readNumbers<false>(frame);
      }
    }
  }

 private:
  std::span<OctetNumbers> codesOf(std::size_t frame) {
    const std::size_t octets = all_.octets.size();
    return std::span(codes_).subspan(frame % kFramesAtOnce * octets, octets);
  }

  CK_LANES_INLINE void readCodes(std::size_t frame) {
    const std::span<OctetNumbers> codes = codesOf(frame);
    for (std::size_t i = 0; i < pieces_.size(); ++i) {
      OpenPiece& piece = pieces_[i];
      if (!piece.isGood || frame >= piece.frames.size()) continue;
      const CodedPlaces& places = all_.places[i];
      piece.isGood = piece.streams.reader().code(flat(codes), low_.numbers(),
                                                 frame == 0 ? places.first : places.later);
    }
    for (std::size_t index = 0; index < codes.size(); ++index) {
      low_.learn(index, all_.octets[index], codes[index], frame == 0);
    }
  }

  template <bool kIsFirst>
  CK_LANES_INLINE void readNumbers(std::size_t frame) {
    for (std::size_t i = 0; i < pieces_.size(); ++i) {
      OpenPiece& piece = pieces_[i];
      if (frame < piece.frames.size()) rows_[i] = piece.texels + piece.frames[frame];
    }
    OctetCoder<RiceStep::Read, kIsFirst> coder(model_, frame, poses_.data());
    const std::span<OctetNumbers> codes = codesOf(frame);
    for (std::size_t index = 0; index < codes.size(); ++index) {
      Octet& octet = all_.octets[index];
      // The pieces of the last lanes end first.
      const auto hasEnded = [&](std::size_t lane) {
        return pieces_[octet.pieces[lane]].frames.size() <= frame;
      };
      while (octet.count > 0 && hasEnded(octet.count - 1)) --octet.count;
      if (octet.count == 0) continue;
      coder.code(octet, &codes[index]);
      put(octet, coder.numbers);
    }
  }

  // Writes the numbers of an octet to the texels, four words of each joint at a time.
  CK_LANES_INLINE void put(const Octet& octet, const std::array<I8, kMostChannels>& numbers) {
    for (std::size_t at = 0; at < jointBytes_; at += sizeof(F4)) {
      F8 words[4];
      for (std::size_t i = 0; i < 4; ++i) {
        words[i] =
            std::bit_cast<F8>(at + 4 * i < jointBytes_ ? word(numbers, at / 4 + i) : allOf(0));
      }
      transpose(words);
      const std::size_t size = std::min(jointBytes_ - at, sizeof(F4));
      for (std::size_t lane = 0; lane < kCount; ++lane) {
        if (lane >= octet.count) break;
        const F8& both = words[lane % 4];
        const F4 joint = lane < 4 ? lowHalf(both) : highHalf(both);
        std::byte* to = rows_[octet.pieces[lane]] + octet.joints[lane] * jointBytes_ + at;
        if (size == sizeof joint) {
          store(to, joint);
        } else {
          std::memcpy(to, &joint, size);
        }
      }
    }
  }
  // Two or four numbers as they lie in memory.
  CK_LANES_INLINE I8 word(const std::array<I8, kMostChannels>& numbers, std::size_t index) const {
    if (model_.bits == 16) return numbers[2 * index] | (numbers[2 * index + 1] << 16);
    return numbers[4 * index] | (numbers[4 * index + 1] << 8) | (numbers[4 * index + 2] << 16) |
           (numbers[4 * index + 3] << 24);
  }

  std::span<OpenPiece> pieces_;
  OctetPieces& all_;
  const ClipModel& model_;
  const std::size_t jointBytes_;
  LowBits low_;
  std::vector<OctetNumbers> codes_;  // of kFramesAtOnce frames
  std::vector<float> poses_;
  std::vector<std::byte*> rows_;  // where the texels of a frame begin, by piece
};

// As CK_LANES_CLONES, but that codes are read with instructions for bits as well.
#if defined(__x86_64__)
#define CK_BIT_LANES __attribute__((target("avx2,bmi,bmi2")))
bool hasBitLanes() {
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
         __builtin_cpu_supports("bmi2");
}
#else
#define CK_BIT_LANES
bool hasBitLanes() {
  return false;
}
#endif

struct Paths {
  CK_BIT_LANES static void readBest(std::span<OpenPiece> pieces, const ClipModel& model,
                                    OctetPieces& all) {
    PiecesReader(pieces, model, all).run();
  }
  static void readPlain(std::span<OpenPiece> pieces, const ClipModel& model, OctetPieces& all) {
    PiecesReader(pieces, model, all).run();
  }
};

// Adds the pieces of a clip, whose head has so many bytes in each. False if sizes do not add up.
bool addPieces(const RiceClip& clip, std::size_t index, std::size_t headBytes,
               std::vector<PackedPiece>& pieces) {
  const std::size_t count = pieceCount(clip.frames.size());
  if (clip.packed.size() / kSizeBytes < count) return false;
  ByteReader sizes(clip.packed);
  std::span<const std::byte> rest = clip.packed.subspan(kSizeBytes * count);
  const auto take = [&](std::size_t size, std::span<const std::byte>& part) {
    if (size > rest.size()) return false;
    part = rest.first(size);
    rest = rest.subspan(size);
    return true;
  };
  const std::size_t before = pieces.size();
  bool fits = true;
  for (std::size_t i = 0; fits && i < count; ++i) {
    const auto countBytes = sizes.number<std::uint32_t>();
    const auto bitBytes = sizes.number<std::uint32_t>();
    PackedPiece piece = {
        index,
        std::span(clip.frames).subspan(i * kPieceFrames, pieceFrames(clip.frames.size(), i)),
        {},
        {},
        {}};
    fits =
        take(headBytes, piece.head) && take(countBytes, piece.counts) && take(bitBytes, piece.bits);
    pieces.push_back(piece);
  }
  fits = fits && rest.empty();
  if (!fits) pieces.erase(pieces.begin() + static_cast<std::ptrdiff_t>(before), pieces.end());
  return fits;
}

// Reads pieces side by side, and says of each whether it is whole.
void readTogether(std::span<const PackedPiece> group, std::span<const RiceClip> clips,
                  const ModelOfClip& modelOf, LanePath path, std::span<char> isWhole) {
  std::vector<ClipModel> models;
  for (const PackedPiece& piece : group) models.push_back(modelOf(piece.clip));
  std::vector<RicePiece> pieces;
  std::vector<OpenPiece> open;
  for (std::size_t i = 0; i < group.size(); ++i) {
    pieces.push_back({models[i], group[i].frames.size(), group[i].head});
    open.push_back({PieceStreams(group[i]), group[i].frames, clips[group[i].clip].texels});
  }
  OctetPieces all = octetsOf(pieces);
  models.erase(models.begin() + 1, models.end());  // octets have their ranges
  const bool isBest = path == LanePath::Best && hasBitLanes();
  (isBest ? Paths::readBest : Paths::readPlain)(open, models.front(), all);
  for (std::size_t i = 0; i < group.size(); ++i) {
    isWhole[i] = open[i].isGood && open[i].streams.reader().atEnd() ? 1 : 0;
  }
}

// Cuts pieces of so many joints into groups that are read together, of about as many frames each,
// so that all threads have work.
std::vector<std::size_t> groupEnds(std::span<const PackedPiece> pieces, std::size_t joints,
                                   std::size_t threads) {
  const std::size_t most = joints < kManyJoints ? kMostTogether : 1;
  std::size_t total = 0;
  for (const PackedPiece& piece : pieces) total += piece.frames.size();
  const std::size_t share = total / std::max(threads, (pieces.size() + most - 1) / most);
  std::vector<std::size_t> ends;
  std::size_t first = 0;
  std::size_t frames = 0;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const std::size_t more = pieces[i].frames.size();
    if (i > first && (i - first == most || frames + more / 2 > share)) {
      ends.push_back(i);
      first = i;
      frames = 0;
    }
    frames += more;
  }
  if (!pieces.empty()) ends.push_back(pieces.size());
  return ends;
}

}  // namespace

void unpackRice(std::span<RiceClip> clips, const ModelOfClip& modelOf, const JobContext& job,
                LanePath path) {
  if (clips.empty()) return;
  const ClipModel any = modelOf(0);
  const std::size_t headBytes = any.joints.size() * any.channels / 4;
  std::vector<PackedPiece> pieces;
  for (std::size_t index = 0; index < clips.size(); ++index) {
    clips[index].isRead = addPieces(clips[index], index, headBytes, pieces);
  }
  // Pieces of like length keep each other's lanes in use to their ends.
  std::ranges::stable_sort(pieces, std::greater(),
                           [](const PackedPiece& piece) { return piece.frames.size(); });
  const std::vector<std::size_t> ends = groupEnds(pieces, any.joints.size(), threadsOf(job));
  std::vector<char> isWhole(pieces.size(), 0);
  parallelFor(ends.size(), job, [&](std::size_t group) {
    const std::size_t first = group == 0 ? 0 : ends[group - 1];
    const std::size_t count = ends[group] - first;
    readTogether(std::span(pieces).subspan(first, count), clips, modelOf, path,
                 std::span(isWhole).subspan(first, count));
  });
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    if (isWhole[i] == 0) clips[pieces[i].clip].isRead = false;
  }
}

}  // namespace ck
