#include "core/container/atlas_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <span>

#include "core/atlas/atlas_check.h"
#include "core/atlas/atlas_layout.h"
#include "core/base/assert.h"
#include "core/base/byte_stream.h"
#include "core/base/files.h"
#include "core/base/utf8.h"
#include "core/container/packed_texels.h"

namespace ck {
namespace {

// The format is described in docs/ckatlas.md.
constexpr std::array<unsigned char, 8> kMagic = {'C', 'K', 'A', 'T', 'L', 'A', 'S', 0x1A};
constexpr std::uint32_t kVersion = 8;        // with clips in a form that version 7 lacks
constexpr std::uint32_t kPackedVersion = 7;  // with packed texels
constexpr std::uint32_t kClipsVersion = 6;   // with the hash of the files of clips
constexpr std::uint32_t kEditsVersion = 5;   // with root motion, sockets or further clip edits
constexpr std::uint32_t kErrorVersion = 4;   // without these, if there are none
constexpr std::uint32_t kMorphVersion = 3;   // without an error, if none is stated
constexpr std::uint32_t kPlainVersion = 2;   // without morph weights, if there are none
constexpr std::uint32_t kOldestVersion = 1;  // without components and inverse bind matrices
constexpr std::uint32_t kStepFrames = 1;     // flag: clips list their step frames
constexpr std::uint32_t kStatesError = 2;    // flag, from version 5 on: the error follows
constexpr std::uint32_t kMorphForm = 4;      // flag, from version 3 on: not 8 weights of 8 bits
constexpr std::uint32_t kCompact = 8;        // flag: poses are rounded
constexpr std::uint32_t kReduced = 16;       // flag: clips list the moments that have frames
constexpr std::uint32_t kInSet = 32;         // flag: the id of the set follows the header
constexpr std::size_t kHeaderBytes = 24;     // magic, version, flags, total size
constexpr std::size_t kSetIdBytes = 8;
constexpr std::size_t kPackedClipBytes = 9;  // form and size
constexpr std::size_t kChecksumBytes = 8;
constexpr std::uint64_t kLargestFile = std::uint64_t{8} << 30;

// Whether a clip is packed in a form that version 7 does not know.
constexpr auto isLater = [](const auto& packed) {
  return static_cast<int>(packed.form) >= kClipFormsOfVersion7;
};

tl::unexpected<Error> bad(std::string what) {
  return fail(ErrorCode::InvalidInput, std::move(what));
}

// The two sides of the functions below, which list the values of a file in their order. The names
// of the functions say how the file stores a value.
class BodyWriter {
 public:
  BodyWriter(ByteWriter& out, std::uint32_t fileVersion, std::uint32_t fileFlags)
      : version(fileVersion), flags(fileFlags), out_(out) {}

  void number(auto value) { out_.number(value); }
  void text(std::string_view value) { out_.text(value); }
  void source(std::string_view path) { out_.text(sourcePath != nullptr ? *sourcePath : path); }
  void byte(auto value, int, const char*) { out_.number(static_cast<std::uint8_t>(value)); }
  void count(const auto& items, std::size_t) {
    out_.number(static_cast<std::uint32_t>(items.size()));
  }
  void array(const auto& items) { out_.array(items); }
  void bytes(const std::vector<std::uint16_t>& numbers) {
    out_.array(std::vector<std::uint8_t>(numbers.begin(), numbers.end()));
  }
  void texels(const std::vector<std::byte>& texels) {
    if (version < kPackedVersion) return array(texels);
    out_.number(std::uint64_t{texels.size()});
    count(packed, 0);
    for (const PackedClip& clip : packed) {
      byte(clip.form, 0, nullptr);
      number(std::uint64_t{clip.bytes.size()});
    }
    for (const PackedClip& clip : packed) out_.raw(clip.bytes);
  }

  const std::uint32_t version;
  const std::uint32_t flags;
  const std::string* sourcePath = nullptr;  // ContainerExtras::sourcePath
  std::span<const PackedClip> packed = {};  // what is written instead of the texels

 private:
  ByteWriter& out_;
};

class BodyReader {
 public:
  BodyReader(ByteReader& in, std::uint32_t fileVersion, std::uint32_t fileFlags)
      : version(fileVersion), flags(fileFlags), in_(in) {}

  void number(auto& value) { in_.read(value); }
  void text(std::string& value) { value = in_.text(); }
  void source(std::string& path) { path = in_.text(); }
  // A byte of at most `last`; `unknown` is the message for another one.
  template <class Value>
  void byte(Value& value, int last, const char* unknown) {
    const auto read = in_.number<std::uint8_t>();
    value = static_cast<Value>(read);
    if (read > last) fail(unknown);
  }
  // The number of the items that follow, each of at least `smallest` bytes.
  void count(auto& items, std::size_t smallest) {
    items.resize(in_.count<std::uint32_t>(smallest));
  }
  template <class Item>
  void array(std::vector<Item>& items) {
    items = in_.array<Item>();
  }
  void bytes(std::vector<std::uint16_t>& numbers) {
    const auto read = in_.array<std::uint8_t>();
    numbers.assign(read.begin(), read.end());
  }
  // Packed texels are kept for unpackTexels().
  void texels(std::vector<std::byte>& texels) {
    if (version < kPackedVersion) {
      array(texels);
      texelBytes = texels.size();
      return;
    }
    number(texelBytes);
    count(packed, kPackedClipBytes);
    std::vector<std::uint64_t> sizes(packed.size());
    for (std::size_t clip = 0; clip < packed.size(); ++clip) {
      const int forms = version == kPackedVersion ? kClipFormsOfVersion7 : kClipForms;
      byte(packed[clip].form, forms - 1,
           "the file has clips packed in a form that this version does not know");
      if (packed[clip].form == ClipForm::Stepped && (flags & kCompact) == 0) {
        fail("the file has steps of compact poses, and poses that are not");
      }
      number(sizes[clip]);
    }
    for (std::size_t clip = 0; clip < packed.size(); ++clip)
      packed[clip].bytes = in_.take(sizes[clip]);
  }
  // The first problem ends the reading.
  void fail(const char* message) {
    if (in_.good()) problem = message;
    in_.setBad();
  }

  const std::uint32_t version;
  const std::uint32_t flags;
  const char* problem = nullptr;
  std::uint64_t texelBytes = 0;
  std::vector<PackedSpan> packed;  // one for each clip

 private:
  ByteReader& in_;
};

// Whether an atlas or a part of it is written, not read.
template <class Reference>
constexpr bool isConst = std::is_const_v<std::remove_reference_t<Reference>>;

void describeVector(auto& file, auto& vector) {
  for (int i = 0; i < vector.length(); ++i) file.number(vector[i]);
}

void describeEdit(auto& file, auto& edit, const char* unknown) {
  file.number(edit.rate);
  file.byte(edit.root.motion, file.version < kEditsVersion ? 1 : 2, unknown);
  bool isTrimmed = edit.trim.has_value();
  file.byte(isTrimmed, 1, unknown);
  if (isTrimmed) {
    if constexpr (!isConst<decltype(edit)>) edit.trim.emplace();
    file.number(edit.trim->startSeconds);
    file.number(edit.trim->endSeconds);
  }
  if (file.version < kEditsVersion) return;
  file.text(edit.root.joint);
  for (auto* axis : {&edit.root.x, &edit.root.y, &edit.root.z, &edit.root.yaw}) {
    file.byte(*axis, 1, unknown);
  }
  file.number(edit.loopOffset);
  file.byte(edit.dropScale, 1, unknown);
  file.number(edit.smallestKeyGapSeconds);
}

void describeJoint(auto& file, auto& joint) {
  file.text(joint.name);
  file.number(joint.parent);
  describeVector(file, joint.pivot);
  if (file.version == 1) return;
  // The first three rows of an affine matrix.
  for (int i = 0; i < 12; ++i) file.number(joint.inverseBind[i % 4][i / 4]);
  if (file.version < kEditsVersion) return;
  file.byte(joint.isSocket, 1, "the file has a joint that neither is nor is not a socket");
}

constexpr std::size_t kPlaceBytes = 12 + 4;

void describeClip(auto& file, auto& clip) {
  constexpr const char* kUnknown = "the file has a clip with an unknown loop mode, seam or shape";
  file.text(clip.name);
  if (file.version > 1) {
    file.text(clip.sourceName);
    describeEdit(file, clip.edit, kUnknown);
  }
  file.number(clip.firstFrame);
  file.number(clip.frameCount);
  if ((file.flags & kStepFrames) != 0) {
    file.count(clip.stepFrames, sizeof(std::int32_t));
    for (auto& moment : clip.stepFrames) file.number(moment);
  }
  if ((file.flags & kReduced) != 0) {
    file.count(clip.keptMoments, sizeof(std::int32_t));
    for (auto& moment : clip.keptMoments) file.number(moment);
  }
  file.number(clip.startSeconds);
  file.number(clip.durationSeconds);
  file.byte(clip.loop, 2, kUnknown);
  file.byte(clip.seam, 2, kUnknown);
  file.number(clip.groundSpeedMetersPerSecond);
  describeVector(file, clip.bounds.low);
  describeVector(file, clip.bounds.high);
  if (file.version < kEditsVersion) return;
  file.count(clip.rootMotion, kPlaceBytes);
  for (auto& place : clip.rootMotion) {
    describeVector(file, place.position);
    file.number(place.yaw);
  }
}

void describeClipMorphs(auto& file, const MorphForm& form, auto& clip) {
  file.count(clip.kept, 12);
  for (auto& slot : clip.kept) {
    file.number(slot.morph);
    file.number(slot.low);
    file.number(slot.size);
  }
  file.number(clip.lossMm);
  if (form.bits == 8) return file.bytes(clip.weights);
  file.array(clip.weights);
}

// Minimal sizes of entries. A count is accepted only if the remaining bytes can hold that many.
constexpr std::size_t kJointBytes = 4 + 4 + 12;  // the smaller size, that of version 1
constexpr std::size_t kClipBytes = 4 + 4 + 4 + 8 + 8 + 1 + 1 + 8 + 48;
constexpr std::size_t kRangeBytes = 32;

// What follows the names of encoding and layout.
void describeBody(auto& file, auto& atlas) {
  if (file.version > 1) {
    file.byte(atlas.components, 2, "the file has components that this version does not know");
  }
  file.byte(atlas.rangeMode, 2, "the file has ranges of an unknown kind");
  describeVector(file, atlas.shape.block);
  describeVector(file, atlas.shape.extent);
  file.count(atlas.joints, kJointBytes);
  for (auto& joint : atlas.joints) describeJoint(file, joint);
  file.count(atlas.clips, kClipBytes);
  for (auto& clip : atlas.clips) describeClip(file, clip);
  file.count(atlas.ranges, kRangeBytes);
  for (auto& range : atlas.ranges) {
    describeVector(file, range.low);
    describeVector(file, range.size);
  }
  file.source(atlas.sourcePath);
  file.number(atlas.sourceHash);
  if (file.version >= kClipsVersion) file.number(atlas.clipsHash);
  file.number(atlas.unitScale);
  file.number(atlas.influences);
  file.byte(atlas.interpolate, 1, "the file has a switch that is neither on nor off");
  if ((file.flags & kCompact) != 0) {
    file.number(atlas.compactMm);
    file.array(atlas.compactReach);
  }
  if ((file.flags & kReduced) != 0) file.number(atlas.reduceMm);
  file.texels(atlas.texels);
  if (file.version < kMorphVersion) return;
  auto& morphs = atlas.morphs;
  file.count(morphs.names, 8);
  if (morphs.names.empty()) return;
  if ((file.flags & kMorphForm) != 0) {
    file.number(morphs.form.slotCount);
    file.number(morphs.form.bits);
  }
  if constexpr (!isConst<decltype(atlas)>) {
    morphs.defaults.resize(morphs.names.size());
    morphs.clips.resize(atlas.clips.size());
  }
  for (std::size_t i = 0; i < morphs.names.size(); ++i) {
    file.text(morphs.names[i]);
    file.number(morphs.defaults[i]);
  }
  for (auto& clip : morphs.clips) describeClipMorphs(file, morphs.form, clip);
}

bool hasStepFrames(const Atlas& atlas) {
  return std::ranges::any_of(atlas.clips,
                             [](const auto& clip) { return !clip.stepFrames.empty(); });
}

// Whether the atlas has what only version 5 and later can hold.
bool needsEdits(const Atlas& atlas) {
  const auto edited = [](const AtlasClip& clip) {
    ClipEdit older{.trim = clip.edit.trim, .rate = clip.edit.rate};
    if (clip.edit.root.motion == RootMotion::Strip) older.root.motion = RootMotion::Strip;
    return clip.edit != older || !clip.rootMotion.empty();
  };
  return std::ranges::any_of(atlas.clips, edited) ||
         std::ranges::any_of(atlas.joints, &AtlasJoint::isSocket);
}

void describeFigure(auto& file, auto& figure) {
  file.number(figure.max);
  file.number(figure.p99);
  file.number(figure.rms);
  file.text(figure.worstClip);
  file.text(figure.worstJoint);
  file.text(figure.worstMesh);
  file.number(figure.worstVertex);
  file.number(figure.worstTimeSeconds);
}

// Without the figures of the screen, which follow from those at vertices.
void describeError(auto& file, auto& error) {
  file.number(error.view.distanceMeters);
  file.number(error.view.imageHeightPixels);
  file.number(error.view.verticalFieldOfViewDegrees);
  for (auto* reading : {&error.palette, &error.direct}) {
    describeFigure(file, reading->shell);
    file.number(reading->maxDegrees);
    describeFigure(file, reading->vertices);
  }
}

bool isPossible(const ErrorFigure& figure) {
  for (const double value : {figure.max, figure.p99, figure.rms}) {
    if (!(value >= 0.0 && std::isfinite(value))) return false;
  }
  return std::isfinite(figure.worstTimeSeconds) && figure.worstVertex >= -1 &&
         isUtf8(figure.worstClip) && isUtf8(figure.worstJoint) && isUtf8(figure.worstMesh);
}

bool isPossible(const BakeError& error) {
  for (const ErrorFigures* reading : {&error.palette, &error.direct}) {
    if (!isPossible(reading->shell) || !isPossible(reading->vertices)) return false;
    if (!(reading->maxDegrees >= 0.0 && reading->maxDegrees <= 180.0)) return false;
  }
  const ScreenView& view = error.view;
  return view.distanceMeters >= kNearestView && view.distanceMeters <= kFarthestView &&
         view.imageHeightPixels >= 1.0 && view.imageHeightPixels <= kTallestView &&
         view.verticalFieldOfViewDegrees >= kNarrowestView &&
         view.verticalFieldOfViewDegrees <= kWidestView;
}

// Takes the error, and its size behind it, from the end of the body.
Result<BakeError> takeError(std::span<const std::byte>& body) {
  constexpr std::size_t kSizeBytes = sizeof(std::uint32_t);
  if (body.size() < kSizeBytes) return bad("the file ends too early");
  const std::size_t size = ByteReader(body.last(kSizeBytes)).number<std::uint32_t>();
  body = body.first(body.size() - kSizeBytes);
  if (size > body.size()) return bad("the file states an error that is longer than the file");
  ByteReader in(body.last(size));
  body = body.first(body.size() - size);
  BakeError error;
  BodyReader file(in, kVersion, 0);
  describeError(file, error);
  if (!in.atEnd() || !isPossible(error)) return bad("the file states an error that makes no sense");
  return seenFrom(error, error.view);
}

// Fills in what a file holds in packed form. `fileBytes` bounds the memory that is taken.
Result<void> takePacked(const BodyReader& file, std::uint64_t fileBytes, Atlas& atlas) {
  if (file.packed.size() != atlas.clips.size()) {
    return bad("the file does not have a packed form for each of its clips");
  }
  if (!mayUnpackTo(fileBytes, file.texelBytes)) {
    return bad(
        fmt::format("the file of {} bytes says that it unpacks to {}", fileBytes, file.texelBytes));
  }
  atlas.texels.resize(file.texelBytes);
  const auto broken = unpackTexels(file.packed, atlas);
  if (!broken) return {};
  return bad(fmt::format("the texels of clip '{}' cannot be unpacked", atlas.clips[*broken].name));
}

Result<AtlasFile> readBody(ByteReader in, std::uint32_t version, std::uint32_t flags,
                           std::uint64_t fileBytes) {
  AtlasFile whole;
  Atlas& atlas = whole.atlas;
  const auto encoding = encodingFromName(in.text());
  const auto layout = layoutKindFromName(in.text());
  if (!in.good()) return bad("the file ends within its description");
  if (!encoding || !layout) {
    return bad("the file has an encoding or layout that this version does not know");
  }
  atlas.encoding = *encoding;
  atlas.layout = *layout;
  BodyReader file(in, version, flags);
  describeBody(file, atlas);
  if (file.problem != nullptr) return bad(file.problem);
  const bool empty = version == kClipsVersion ? atlas.clipsHash == 0
                                              : version == kEditsVersion && !needsEdits(atlas);
  if (in.good() && empty) {
    return bad("the file has nothing that its version is for");
  }
  if (in.good() && version == kVersion && std::ranges::none_of(file.packed, isLater)) {
    return bad("the file has nothing that its version is for");
  }
  if (in.good() && version == kMorphVersion && atlas.morphs.empty()) {
    return bad("the file has no morph targets where it should");
  }
  if (in.good() && (flags & kStepFrames) != 0 && !hasStepFrames(atlas)) {
    return bad("the file has no step frames where it should");
  }
  if (in.good() && (flags & kMorphForm) != 0 && atlas.morphs.form == MorphForm{}) {
    return bad("the file has no other form of morph weights where it should");
  }
  if (in.good() && (flags & kCompact) != 0 && !(atlas.compactMm > 0.0)) {
    return bad("the file has no compact poses where it should");
  }
  if (in.good() && (flags & kReduced) != 0 && !(atlas.reduceMm > 0.0)) {
    return bad("the file leaves out no frames where it should");
  }
  if (!in.good()) return bad("the file ends too early");
  if (in.left() != 0) return bad(fmt::format("{} bytes follow its end", in.left()));
  if (version == 1) {
    for (AtlasJoint& joint : atlas.joints) joint.inverseBind[3] = glm::vec4(-joint.pivot, 1.0f);
  }
  if (auto ok = checkDescription(atlas, file.texelBytes); !ok) return tl::unexpected(ok.error());
  if (version >= kPackedVersion) {
    if (auto ok = takePacked(file, fileBytes, atlas); !ok) return tl::unexpected(ok.error());
    whole.pack = packOf(file.packed);
  }
  if (auto ok = checkTexels(atlas); !ok) return tl::unexpected(ok.error());
  return whole;
}

// The whole file, with `packed` instead of the texels if there are any.
std::vector<std::byte> wholeFile(const Atlas& atlas, const ContainerExtras& extras,
                                 std::span<const PackedClip> packed) {
  const BakeError* error = extras.error;
  ByteWriter out;
  for (const unsigned char byte : kMagic) out.number(std::uint8_t{byte});
  const bool hasLaterForm = std::ranges::any_of(packed, isLater);
  const std::uint32_t version = hasLaterForm           ? kVersion
                                : !packed.empty()      ? kPackedVersion
                                : atlas.clipsHash != 0 ? kClipsVersion
                                : needsEdits(atlas)    ? kEditsVersion
                                : error != nullptr     ? kErrorVersion
                                : atlas.morphs.empty() ? kPlainVersion
                                                       : kMorphVersion;
  std::uint32_t flags = hasStepFrames(atlas) ? kStepFrames : 0;
  if (version >= kEditsVersion && error != nullptr) flags |= kStatesError;
  if (atlas.morphs.form != MorphForm{}) flags |= kMorphForm;
  if (atlas.compactMm != 0.0) flags |= kCompact;
  if (atlas.reduceMm != 0.0) flags |= kReduced;
  if (!extras.setId.empty()) flags |= kInSet;
  out.number(version);
  out.number(flags);
  out.number(std::uint64_t{0});
  if (!extras.setId.empty()) {
    CK_ASSERT(isSetId(extras.setId));
    out.number(*hashFromText(extras.setId));
  }
  out.text(encodingInfo(atlas.encoding).name);
  out.text(layoutKindName(atlas.layout));
  BodyWriter file(out, version, flags);
  file.packed = packed;
  file.sourcePath = extras.sourcePath;
  describeBody(file, atlas);
  if (error != nullptr) {
    const std::size_t before = out.size();
    describeError(file, *error);
    out.number(static_cast<std::uint32_t>(out.size() - before));
  }
  ByteWriter totalBytes;
  totalBytes.number(std::uint64_t{out.size() + kChecksumBytes});
  out.overwrite(kHeaderBytes - totalBytes.size(), totalBytes);
  out.number(hashBytes(out.bytes()));
  return out.take();
}

}  // namespace

bool isSetId(std::string_view text) {
  const auto id = hashFromText(text);
  return id && *id != 0 && hashText(*id) == text;
}

bool mayUnpackTo(std::uint64_t fileBytes, std::uint64_t texelBytes) {
  constexpr std::uint64_t kAlways = std::uint64_t{64} << 20;
  constexpr std::uint64_t kPerByte = 256;
  return texelBytes <= kAlways || (texelBytes - kAlways) / kPerByte <= fileBytes;
}

std::vector<std::byte> atlasToBytes(const Atlas& atlas, const ContainerExtras& extras, Pack pack,
                                    int threadCount) {
  if (pack == Pack::None || !blocksHoldAll(atlas)) return wholeFile(atlas, extras, {});
  std::vector<std::byte> bytes = wholeFile(atlas, extras, packTexels(atlas, pack, threadCount));
  if (mayUnpackTo(bytes.size(), atlas.texels.size())) return bytes;
  return wholeFile(atlas, extras, {});
}

Result<AtlasFile> atlasFileFromBytes(std::span<const std::byte> bytes) {
  const auto magic = std::as_bytes(std::span(kMagic));
  if (bytes.size() < magic.size() || !std::ranges::equal(magic, bytes.first(magic.size()))) {
    return bad("this is not a .ckatlas file");
  }
  ByteReader header(bytes.subspan(kMagic.size()));
  const auto version = header.number<std::uint32_t>();
  const auto flags = header.number<std::uint32_t>();
  const auto totalBytes = header.number<std::uint64_t>();
  if (!header.good()) return bad("the file ends within its header");
  if (version > kVersion) {
    return fail(ErrorCode::Unsupported,
                fmt::format("the file has version {}, and this program reads up to {}; a newer "
                            "Crowdkiln opens it",
                            version, kVersion));
  }
  const std::uint32_t known = kStepFrames | kCompact | kReduced | kInSet |
                              (version >= kMorphVersion ? kMorphForm : 0) |
                              (version >= kEditsVersion ? kStatesError : 0);
  if (version < kOldestVersion || (flags & ~known) != 0) {
    return bad("the file has a damaged header");
  }
  if (totalBytes != bytes.size()) {
    return bad(fmt::format("the file has {} bytes and should have {}", bytes.size(), totalBytes));
  }
  if (header.left() < kChecksumBytes) return bad("the file ends within its header");
  const std::span<const std::byte> sealed = bytes.first(bytes.size() - kChecksumBytes);
  ByteReader tail(bytes.last(kChecksumBytes));
  if (tail.number<std::uint64_t>() != hashBytes(sealed)) {
    return bad("the file is damaged: its checksum does not fit");
  }
  std::span<const std::byte> body = sealed.subspan(kHeaderBytes);
  std::string setId;
  if ((flags & kInSet) != 0) {
    ByteReader in(body);
    const auto id = in.number<std::uint64_t>();
    if (!in.good() || id == 0) return bad("the file has no set id where it should");
    setId = hashText(id);
    body = body.subspan(kSetIdBytes);
  }
  std::optional<BakeError> stated;
  if (version == kErrorVersion || (flags & kStatesError) != 0) {
    auto error = takeError(body);
    if (!error) return tl::unexpected(error.error());
    stated = std::move(*error);
  }
  auto file = readBody(ByteReader(body), version, flags, bytes.size());
  if (file) {
    file->error = std::move(stated);
    file->setId = std::move(setId);
  }
  return file;
}

Result<Atlas> atlasFromBytes(std::span<const std::byte> bytes) {
  auto file = atlasFileFromBytes(bytes);
  if (!file) return tl::unexpected(file.error());
  return std::move(file->atlas);
}

std::string setIdOfAtlasFile(const std::filesystem::path& path) {
  const auto first = readBeginning(path, kHeaderBytes + kSetIdBytes);
  ByteReader in(first);
  for (const unsigned char byte : kMagic) {
    if (in.number<std::uint8_t>() != byte) return {};
  }
  in.number<std::uint32_t>();
  const auto flags = in.number<std::uint32_t>();
  in.number<std::uint64_t>();
  const auto id = in.number<std::uint64_t>();
  return in.good() && (flags & kInSet) != 0 ? hashText(id) : std::string();
}

Result<void> writeAtlasFile(const Atlas& atlas, const std::filesystem::path& path, Pack pack) {
  return writeFileAtomically(path, atlasToBytes(atlas, {}, pack));
}

Result<Atlas> readAtlasFile(const std::filesystem::path& path) {
  const auto bytes = readFile(path, kLargestFile);
  if (!bytes) return tl::unexpected(bytes.error());
  auto atlas = atlasFromBytes(*bytes);
  if (!atlas) {
    const std::string name = pathText(path);
    const bool isDamaged = atlas.error().code == ErrorCode::InvalidInput;
    return fail(atlas.error().code,
                fmt::format("{}: {}{}", name, atlas.error().message,
                            isDamaged ? "; bake or export it again" : ""),
                name);
  }
  return atlas;
}

}  // namespace ck
