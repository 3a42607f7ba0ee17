#include "core/atlas/atlas_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/atlas/atlas_check.h"
#include "core/atlas/atlas_layout.h"
#include "core/base/byte_stream.h"
#include "core/base/files.h"

namespace ck {
namespace {

// The format is described in docs/ckatlas.md.
constexpr std::array<unsigned char, 8> kMagic = {'C', 'K', 'A', 'T', 'L', 'A', 'S', 0x1A};
constexpr std::uint32_t kVersion = 3;
constexpr std::uint32_t kPlainVersion = 2;   // without morph weights, if there are none
constexpr std::uint32_t kOldestVersion = 1;  // without components and inverse bind matrices
constexpr std::size_t kHeaderBytes = 24;     // magic, version, flags, total size
constexpr std::size_t kChecksumBytes = 8;
constexpr std::uint64_t kLargestFile = std::uint64_t{8} << 30;

tl::unexpected<Error> bad(std::string what) {
  return fail(ErrorCode::InvalidInput, std::move(what));
}

void putVec(ByteWriter& out, const glm::vec4& v) {
  for (int i = 0; i < 4; ++i) out.number(v[i]);
}
void getVec(ByteReader& in, glm::vec4& v) {
  for (int i = 0; i < 4; ++i) in.read(v[i]);
}
template <class Vec3>
void putVec3(ByteWriter& out, const Vec3& v) {
  for (int i = 0; i < 3; ++i) out.number(v[i]);
}
template <class Vec3>
void getVec3(ByteReader& in, Vec3& v) {
  for (int i = 0; i < 3; ++i) in.read(v[i]);
}
// The first three rows of an affine matrix.
void putRows(ByteWriter& out, const glm::mat4& m) {
  for (int row = 0; row < 3; ++row) {
    for (int column = 0; column < 4; ++column) out.number(m[column][row]);
  }
}
void getRows(ByteReader& in, glm::mat4& m) {
  m = glm::mat4(1.0f);
  for (int row = 0; row < 3; ++row) {
    for (int column = 0; column < 4; ++column) in.read(m[column][row]);
  }
}
void putIvec(ByteWriter& out, const glm::ivec4& v) {
  for (int i = 0; i < 4; ++i) out.number(std::int32_t{v[i]});
}
void getIvec(ByteReader& in, glm::ivec4& v) {
  for (int i = 0; i < 4; ++i) v[i] = in.number<std::int32_t>();
}

void putEdit(ByteWriter& out, const ClipEdit& edit) {
  out.number(edit.rate);
  out.number(static_cast<std::uint8_t>(edit.inPlace ? 1 : 0));
  out.number(static_cast<std::uint8_t>(edit.trim ? 1 : 0));
  if (!edit.trim) return;
  out.number(edit.trim->startSeconds);
  out.number(edit.trim->endSeconds);
}

bool getEdit(ByteReader& in, ClipEdit& edit) {
  in.read(edit.rate);
  const auto inPlace = in.number<std::uint8_t>();
  const auto trimmed = in.number<std::uint8_t>();
  edit.inPlace = inPlace == 1;
  if (trimmed == 1) {
    edit.trim.emplace();
    in.read(edit.trim->startSeconds);
    in.read(edit.trim->endSeconds);
  }
  return inPlace <= 1 && trimmed <= 1;
}

void putClip(ByteWriter& out, const AtlasClip& clip) {
  out.text(clip.name);
  out.text(clip.sourceName);
  putEdit(out, clip.edit);
  out.number(std::int32_t{clip.firstFrame});
  out.number(std::int32_t{clip.frameCount});
  out.number(clip.startSeconds);
  out.number(clip.durationSeconds);
  out.number(static_cast<std::uint8_t>(clip.loop));
  out.number(static_cast<std::uint8_t>(clip.seam));
  out.number(clip.groundSpeedMetersPerSecond);
  putVec3(out, clip.bounds.low);
  putVec3(out, clip.bounds.high);
}

// Reads a byte that must be below `count`, the number of enumerators.
template <class Value>
bool getEnum(ByteReader& in, Value& value, int count) {
  const auto byte = in.number<std::uint8_t>();
  value = static_cast<Value>(byte);
  return byte < count;
}

bool getClip(ByteReader& in, std::uint32_t version, AtlasClip& clip) {
  clip.name = in.text();
  if (version > 1) {
    clip.sourceName = in.text();
    if (!getEdit(in, clip.edit)) return false;
  }
  in.read(clip.firstFrame);
  in.read(clip.frameCount);
  in.read(clip.startSeconds);
  in.read(clip.durationSeconds);
  const bool loopKnown = getEnum(in, clip.loop, 3);
  const bool seamKnown = getEnum(in, clip.seam, 3);
  in.read(clip.groundSpeedMetersPerSecond);
  getVec3(in, clip.bounds.low);
  getVec3(in, clip.bounds.high);
  return loopKnown && seamKnown;
}

void putMorphs(ByteWriter& out, const AtlasMorphs& morphs) {
  out.number(static_cast<std::uint32_t>(morphs.names.size()));
  for (std::size_t i = 0; i < morphs.names.size(); ++i) {
    out.text(morphs.names[i]);
    out.number(morphs.defaults[i]);
  }
  for (const AtlasClipMorphs& clip : morphs.clips) {
    out.number(static_cast<std::uint32_t>(clip.kept.size()));
    for (const MorphSlot& slot : clip.kept) {
      out.number(std::int32_t{slot.morph});
      out.number(slot.low);
      out.number(slot.size);
    }
    out.number(clip.lossMm);
    out.array(clip.weights);
  }
}

void getMorphs(ByteReader& in, std::size_t clipCount, AtlasMorphs& morphs) {
  morphs.names.resize(in.count<std::uint32_t>(8));
  morphs.defaults.resize(morphs.names.size());
  for (std::size_t i = 0; i < morphs.names.size(); ++i) {
    morphs.names[i] = in.text();
    in.read(morphs.defaults[i]);
  }
  morphs.clips.resize(clipCount);
  for (AtlasClipMorphs& clip : morphs.clips) {
    clip.kept.resize(in.count<std::uint32_t>(12));
    for (MorphSlot& slot : clip.kept) {
      in.read(slot.morph);
      in.read(slot.low);
      in.read(slot.size);
    }
    in.read(clip.lossMm);
    clip.weights = in.array<std::uint8_t>();
  }
}

void putBody(ByteWriter& out, const Atlas& atlas) {
  out.text(encodingInfo(atlas.encoding).name);
  out.text(layoutKindName(atlas.layout));
  out.number(static_cast<std::uint8_t>(atlas.components));
  out.number(static_cast<std::uint8_t>(atlas.rangeMode));
  putIvec(out, atlas.shape.block);
  putIvec(out, atlas.shape.extent);
  out.number(static_cast<std::uint32_t>(atlas.joints.size()));
  for (const AtlasJoint& joint : atlas.joints) {
    out.text(joint.name);
    out.number(std::int32_t{joint.parent});
    putVec3(out, joint.pivot);
    putRows(out, joint.inverseBind);
  }
  out.number(static_cast<std::uint32_t>(atlas.clips.size()));
  for (const AtlasClip& clip : atlas.clips) putClip(out, clip);
  out.number(static_cast<std::uint32_t>(atlas.ranges.size()));
  for (const TexelRange& range : atlas.ranges) {
    putVec(out, range.low);
    putVec(out, range.size);
  }
  out.text(atlas.sourcePath);
  out.number(std::uint64_t{atlas.sourceHash});
  out.number(atlas.unitScale);
  out.number(std::int32_t{atlas.influences});
  out.number(static_cast<std::uint8_t>(atlas.interpolate ? 1 : 0));
  out.array(atlas.texels);
  if (!atlas.morphs.empty()) putMorphs(out, atlas.morphs);
}

// Minimal sizes of entries. A count is accepted only if the remaining bytes can hold that many.
constexpr std::size_t kJointBytes = 4 + 4 + 12;  // the smaller size, that of version 1
constexpr std::size_t kClipBytes = 4 + 4 + 4 + 8 + 8 + 1 + 1 + 8 + 48;
constexpr std::size_t kRangeBytes = 32;

Result<void> getKinds(ByteReader& in, std::uint32_t version, Atlas& atlas) {
  const auto encodingName = in.text();
  const auto layoutName = in.text();
  if (!in.good()) return bad("the file ends within its description");
  const auto encoding = encodingFromName(encodingName);
  const auto layout = layoutKindFromName(layoutName);
  if (!encoding || !layout) {
    return bad("the file has an encoding or layout that this version does not know");
  }
  atlas.encoding = *encoding;
  atlas.layout = *layout;
  if (version > 1 && !getEnum(in, atlas.components, 3)) {
    return bad("the file has components that this version does not know");
  }
  if (!getEnum(in, atlas.rangeMode, 3)) return bad("the file has ranges of an unknown kind");
  return {};
}

Result<void> getLists(ByteReader& in, std::uint32_t version, Atlas& atlas) {
  atlas.joints.resize(in.count<std::uint32_t>(kJointBytes));
  for (AtlasJoint& joint : atlas.joints) {
    joint.name = in.text();
    in.read(joint.parent);
    getVec3(in, joint.pivot);
    if (version > 1) {
      getRows(in, joint.inverseBind);
    } else {
      joint.inverseBind[3] = glm::vec4(-joint.pivot, 1.0f);
    }
  }
  atlas.clips.resize(in.count<std::uint32_t>(kClipBytes));
  for (AtlasClip& clip : atlas.clips) {
    if (!getClip(in, version, clip)) {
      return bad("the file has a clip with an unknown loop mode, seam or shape");
    }
  }
  atlas.ranges.resize(in.count<std::uint32_t>(kRangeBytes));
  for (TexelRange& range : atlas.ranges) {
    getVec(in, range.low);
    getVec(in, range.size);
  }
  return {};
}

Result<Atlas> getBody(ByteReader in, std::uint32_t version) {
  Atlas atlas;
  if (auto ok = getKinds(in, version, atlas); !ok) return tl::unexpected(ok.error());
  getIvec(in, atlas.shape.block);
  getIvec(in, atlas.shape.extent);
  if (auto ok = getLists(in, version, atlas); !ok) return tl::unexpected(ok.error());
  atlas.sourcePath = in.text();
  in.read(atlas.sourceHash);
  in.read(atlas.unitScale);
  in.read(atlas.influences);
  const auto interpolate = in.number<std::uint8_t>();
  if (interpolate > 1) return bad("the file has a switch that is neither on nor off");
  atlas.interpolate = interpolate == 1;
  const std::span<const std::byte> texels = in.take(in.number<std::uint64_t>());
  if (version > kPlainVersion) {
    getMorphs(in, atlas.clips.size(), atlas.morphs);
    if (in.good() && atlas.morphs.empty())
      return bad("the file has no morph targets where it should");
  }
  if (!in.good()) return bad("the file ends too early");
  if (in.left() != 0) return bad(fmt::format("{} bytes follow its end", in.left()));
  atlas.texels.assign(texels.begin(), texels.end());
  if (auto ok = checkAtlas(atlas); !ok) return tl::unexpected(ok.error());
  return atlas;
}

}  // namespace

std::vector<std::byte> atlasToBytes(const Atlas& atlas) {
  ByteWriter out;
  for (const unsigned char byte : kMagic) out.number(std::uint8_t{byte});
  out.number(atlas.morphs.empty() ? kPlainVersion : kVersion);
  out.number(std::uint32_t{0});
  out.number(std::uint64_t{0});
  putBody(out, atlas);
  ByteWriter totalBytes;
  totalBytes.number(std::uint64_t{out.size() + kChecksumBytes});
  out.overwrite(kHeaderBytes - totalBytes.size(), totalBytes);
  out.number(hashBytes(out.bytes()));
  return out.take();
}

Result<Atlas> atlasFromBytes(std::span<const std::byte> bytes) {
  const auto sameByte = [](std::byte a, unsigned char b) {
    return std::to_integer<unsigned char>(a) == b;
  };
  if (bytes.size() < kMagic.size() ||
      !std::equal(kMagic.begin(), kMagic.end(), bytes.begin(),
                  [&](unsigned char b, std::byte a) { return sameByte(a, b); })) {
    return bad("this is not a .ckatlas file");
  }
  ByteReader header(bytes.subspan(kMagic.size()));
  const auto version = header.number<std::uint32_t>();
  const auto flags = header.number<std::uint32_t>();
  const auto totalBytes = header.number<std::uint64_t>();
  if (!header.good()) return bad("the file ends within its header");
  if (version > kVersion) {
    return bad(
        fmt::format("the file has version {}, and this program reads up to {}; a newer "
                    "Crowdkiln opens it",
                    version, kVersion));
  }
  if (version < kOldestVersion || flags != 0) return bad("the file has a damaged header");
  if (totalBytes != bytes.size()) {
    return bad(fmt::format("the file has {} bytes and should have {}", bytes.size(), totalBytes));
  }
  if (header.left() < kChecksumBytes) return bad("the file ends within its header");
  const std::span<const std::byte> sealed = bytes.first(bytes.size() - kChecksumBytes);
  ByteReader tail(bytes.last(kChecksumBytes));
  if (tail.number<std::uint64_t>() != hashBytes(sealed)) {
    return bad("the file is damaged: its checksum does not fit");
  }
  return getBody(ByteReader(sealed.subspan(kHeaderBytes)), version);
}

Result<void> writeAtlasFile(const Atlas& atlas, const std::filesystem::path& path) {
  return writeFileAtomically(path, atlasToBytes(atlas));
}

Result<Atlas> readAtlasFile(const std::filesystem::path& path) {
  const auto bytes = readFile(path, kLargestFile);
  if (!bytes) return tl::unexpected(bytes.error());
  auto atlas = atlasFromBytes(*bytes);
  if (!atlas) {
    const std::string name = pathText(path);
    return fail(atlas.error().code, fmt::format("{}: {}", name, atlas.error().message), name);
  }
  return atlas;
}

}  // namespace ck
