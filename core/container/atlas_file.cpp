#include "core/container/atlas_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <span>

#include "core/atlas/atlas_check.h"
#include "core/atlas/atlas_layout.h"
#include "core/atlas/recipe_settings.h"
#include "core/base/assert.h"
#include "core/base/byte_stream.h"
#include "core/base/utf8.h"
#include "core/container/packed_texels.h"
#include "core/system/files.h"

namespace ck {
namespace {

// The format is described in docs/ckatlas.md.
constexpr std::array<unsigned char, 8> kMagic = {'C', 'K', 'A', 'T', 'L', 'A', 'S', 0x1A};
constexpr std::uint32_t kVersion = 1;
constexpr std::size_t kSizeAt = 12;          // the total size, behind magic and version
constexpr std::size_t kHeaderBytes = 28;     // magic, version, total size, set id
constexpr std::size_t kPackedClipBytes = 9;  // form and size
constexpr std::size_t kChecksumBytes = 8;
constexpr std::uint64_t kLargestFile = std::uint64_t{8} << 30;

tl::unexpected<Error> bad(std::string what) {
  return fail(ErrorCode::InvalidInput, std::move(what));
}

// The two sides of the functions below, which list the values of a file in their order. The names
// of the functions say how the file stores a value.
class BodyWriter {
 public:
  // `packed` is written instead of the texels, unless it is empty.
  BodyWriter(ByteWriter& out, std::span<const PackedClip> packed) : out_(out), packed_(packed) {}

  void number(auto value) { out_.number(value); }
  void text(std::string_view value) { out_.text(value); }
  void word(auto value, const auto& choice) { out_.text(choice.name(value)); }
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
    number(std::uint64_t{texels.size()});
    byte(!packed_.empty(), 1, nullptr);
    if (packed_.empty()) return out_.raw(texels);
    count(packed_, 0);
    for (const PackedClip& clip : packed_) {
      byte(clip.form, 0, nullptr);
      number(std::uint64_t{clip.bytes.size()});
    }
    for (const PackedClip& clip : packed_) out_.raw(clip.bytes);
  }

  const std::string* sourcePath = nullptr;  // ContainerExtras::sourcePath

 private:
  ByteWriter& out_;
  std::span<const PackedClip> packed_;
};

class BodyReader {
 public:
  explicit BodyReader(ByteReader& in) : in_(in) {}

  void number(auto& value) { in_.read(value); }
  void text(std::string& value) { value = in_.text(); }
  // The name of one of the values of a setting.
  void word(auto& value, const auto& choice) {
    const auto known = std::ranges::find(choice.values, in_.text(), choice.name);
    if (known == choice.values.end()) return fail(choice.wrong);
    value = *known;
  }
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
    number(texelBytes);
    byte(isPacked, 1, "the file has texels in a form that this version does not know");
    if (!isPacked) {
      const auto all = in_.take(texelBytes);
      return texels.assign(all.begin(), all.end());
    }
    count(packed, kPackedClipBytes);
    std::vector<std::uint64_t> sizes(packed.size());
    for (std::size_t clip = 0; clip < packed.size(); ++clip) {
      byte(packed[clip].form, kClipForms - 1,
           "the file has clips packed in a form that this version does not know");
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

  const char* problem = nullptr;
  std::uint64_t texelBytes = 0;
  bool isPacked = false;
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
  file.byte(edit.root.motion, 2, unknown);
  bool isTrimmed = edit.trim.has_value();
  file.byte(isTrimmed, 1, unknown);
  if (isTrimmed) {
    if constexpr (!isConst<decltype(edit)>) edit.trim.emplace();
    file.number(edit.trim->startSeconds);
    file.number(edit.trim->endSeconds);
  }
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
  // The first three rows of an affine matrix.
  for (int i = 0; i < 12; ++i) file.number(joint.inverseBind[i % 4][i / 4]);
  file.byte(joint.isSocket, 1, "the file has a joint that neither is nor is not a socket");
}

constexpr std::size_t kPlaceBytes = 12 + 4;

void describeClip(auto& file, auto& clip) {
  constexpr const char* kUnknown = "the file has a clip with an unknown loop mode, seam or shape";
  file.text(clip.name);
  file.text(clip.sourceName);
  describeEdit(file, clip.edit, kUnknown);
  file.number(clip.firstFrame);
  file.number(clip.frameCount);
  for (auto* moments : {&clip.stepFrames, &clip.keptMoments}) {
    file.count(*moments, sizeof(std::int32_t));
    for (auto& moment : *moments) file.number(moment);
  }
  file.number(clip.startSeconds);
  file.number(clip.durationSeconds);
  file.byte(clip.loop, 2, kUnknown);
  file.byte(clip.seam, 2, kUnknown);
  file.number(clip.groundSpeedMetersPerSecond);
  describeVector(file, clip.bounds.low);
  describeVector(file, clip.bounds.high);
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

void describeMorphs(auto& file, auto& morphs, std::size_t clips) {
  file.count(morphs.names, 8);
  if (morphs.names.empty()) return;
  file.number(morphs.form.slotCount);
  file.number(morphs.form.bits);
  if constexpr (!isConst<decltype(morphs)>) {
    morphs.defaults.resize(morphs.names.size());
    morphs.clips.resize(clips);
  }
  for (std::size_t i = 0; i < morphs.names.size(); ++i) {
    file.text(morphs.names[i]);
    file.number(morphs.defaults[i]);
  }
  for (auto& clip : morphs.clips) describeClipMorphs(file, morphs.form, clip);
}

// Minimal sizes of entries. A count is accepted only if the remaining bytes can hold that many.
constexpr std::size_t kJointBytes = 4 + 4 + 12 + 48 + 1;
constexpr std::size_t kEditBytes = 8 + 1 + 1 + 4 + 4 + 8 + 1 + 8;
constexpr std::size_t kClipBytes = 4 + 4 + kEditBytes + 4 + 4 + 4 + 4 + 8 + 8 + 1 + 1 + 8 + 48 + 4;
constexpr std::size_t kRangeBytes = 32;

// Encodings and choices are there by name, other automatic ones and switches as a byte; a number
// that is left to the bake is -1.
void describeRecipe(auto& file, auto& recipe) {
  forEachSetting([&]<class Member>(const RecipeSetting<Member>& setting) {
    auto& value = recipe.*setting.member;
    if constexpr (std::is_same_v<Member, std::optional<Encoding>>) {
      file.word(*value, setting);
    } else if constexpr (kIsAutomatic<Member>) {
      const auto last = std::ranges::max(setting.values);
      file.byte(*value, static_cast<int>(last), setting.wrong);
    } else if constexpr (kIsChoice<Member>) {
      file.word(value, setting);
    } else if constexpr (std::is_same_v<Member, bool>) {
      file.byte(value, 1, setting.wrong);
    } else if constexpr (kIsAutomaticNumber<Member>) {
      double number = value.value_or(-1.0);
      file.number(number);
      if constexpr (!isConst<decltype(value)>) {
        if (number != -1.0) value = number;
      }
    } else {
      file.number(value);
    }
  });
}

void describeBody(auto& file, auto& atlas) {
  describeRecipe(file, atlas.recipe);
  describeVector(file, atlas.shape.block);
  describeVector(file, atlas.shape.extent);
  file.source(atlas.sourcePath);
  file.number(atlas.sourceHash);
  file.number(atlas.clipsHash);
  file.number(atlas.unitScale);
  file.count(atlas.joints, kJointBytes);
  for (auto& joint : atlas.joints) describeJoint(file, joint);
  file.count(atlas.clips, kClipBytes);
  for (auto& clip : atlas.clips) describeClip(file, clip);
  file.count(atlas.ranges, kRangeBytes);
  for (auto& range : atlas.ranges) {
    describeVector(file, range.low);
    describeVector(file, range.size);
  }
  describeMorphs(file, atlas.morphs, atlas.clips.size());
  file.texels(atlas.texels);
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

// The error behind the body, if the file states one.
Result<std::optional<BakeError>> readError(BodyReader& file, const ByteReader& in) {
  bool isStated = false;
  file.byte(isStated, 1, "the file neither states an error nor states none");
  if (!isStated) return std::optional<BakeError>();
  BakeError error;
  describeError(file, error);
  if (!in.good()) return std::optional<BakeError>();
  if (!isPossible(error)) return bad("the file states an error that makes no sense");
  return std::optional(seenFrom(error, error.view));
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

Result<AtlasFile> readBody(ByteReader in, std::uint64_t fileBytes) {
  AtlasFile whole;
  Atlas& atlas = whole.atlas;
  BodyReader file(in);
  describeBody(file, atlas);
  auto error = readError(file, in);
  if (file.problem != nullptr) return bad(file.problem);
  if (!in.good()) return bad("the file ends too early");
  if (!error) return tl::unexpected(error.error());
  if (in.left() != 0) return bad(fmt::format("{} bytes follow its end", in.left()));
  whole.error = std::move(*error);
  if (auto ok = checkDescription(atlas, file.texelBytes); !ok) return tl::unexpected(ok.error());
  if (file.isPacked) {
    if (auto ok = takePacked(file, fileBytes, atlas); !ok) return tl::unexpected(ok.error());
  }
  if (auto ok = checkTexels(atlas); !ok) return tl::unexpected(ok.error());
  return whole;
}

// The whole file, with `packed` instead of the texels if there are any.
std::vector<std::byte> wholeFile(const Atlas& atlas, const ContainerExtras& extras,
                                 std::span<const PackedClip> packed) {
  CK_ASSERT(extras.setId.empty() || isSetId(extras.setId));
  ByteWriter out;
  for (const unsigned char byte : kMagic) out.number(std::uint8_t{byte});
  out.number(kVersion);
  out.number(std::uint64_t{0});
  out.number(hashFromText(extras.setId).value_or(0));
  BodyWriter file(out, packed);
  file.sourcePath = extras.sourcePath;
  describeBody(file, atlas);
  file.byte(extras.error != nullptr, 1, nullptr);
  if (extras.error != nullptr) describeError(file, *extras.error);
  ByteWriter totalBytes;
  totalBytes.number(std::uint64_t{out.size() + kChecksumBytes});
  out.overwrite(kSizeAt, totalBytes);
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

std::vector<std::byte> atlasToBytes(const Atlas& atlas, const ContainerExtras& extras,
                                    int threadCount) {
  if (!blocksHoldAll(atlas)) return unpackedAtlasToBytes(atlas, extras);
  std::vector<std::byte> bytes = wholeFile(atlas, extras, packTexels(atlas, threadCount));
  if (mayUnpackTo(bytes.size(), atlas.texels.size())) return bytes;
  return unpackedAtlasToBytes(atlas, extras);
}

std::vector<std::byte> unpackedAtlasToBytes(const Atlas& atlas, const ContainerExtras& extras) {
  return wholeFile(atlas, extras, {});
}

namespace {

// The set id, or 0, of a file that begins with these bytes and has `fileBytes` of them.
Result<std::uint64_t> checkHeader(std::span<const std::byte> bytes, std::uint64_t fileBytes) {
  const auto magic = std::as_bytes(std::span(kMagic));
  if (bytes.size() < magic.size() || !std::ranges::equal(magic, bytes.first(magic.size()))) {
    return bad("this is not a .ckatlas file");
  }
  ByteReader header(bytes.subspan(kMagic.size()));
  const auto version = header.number<std::uint32_t>();
  const auto totalBytes = header.number<std::uint64_t>();
  const auto setId = header.number<std::uint64_t>();
  if (!header.good()) return bad("the file ends within its header");
  if (version > kVersion) {
    return fail(ErrorCode::Unsupported,
                fmt::format("the file has version {}, and this program reads up to {}; a newer "
                            "Crowdkiln opens it",
                            version, kVersion));
  }
  if (version < kVersion) return bad("the file has a damaged header");
  if (totalBytes != fileBytes) {
    return bad(fmt::format("the file has {} bytes and should have {}", fileBytes, totalBytes));
  }
  if (fileBytes < kHeaderBytes + kChecksumBytes) return bad("the file ends within its header");
  return setId;
}

}  // namespace

Result<AtlasFile> atlasFileFromBytes(std::span<const std::byte> bytes) {
  const auto setId = checkHeader(bytes, bytes.size());
  if (!setId) return tl::unexpected(setId.error());
  const std::span<const std::byte> sealed = bytes.first(bytes.size() - kChecksumBytes);
  ByteReader tail(bytes.last(kChecksumBytes));
  if (tail.number<std::uint64_t>() != hashBytes(sealed)) {
    return bad("the file is damaged: its checksum does not fit");
  }
  auto file = readBody(ByteReader(sealed.subspan(kHeaderBytes)), bytes.size());
  if (file && *setId != 0) file->setId = hashText(*setId);
  return file;
}

Result<Atlas> atlasFromBytes(std::span<const std::byte> bytes) {
  auto file = atlasFileFromBytes(bytes);
  if (!file) return tl::unexpected(file.error());
  return std::move(file->atlas);
}

std::string setIdOfAtlasFile(const std::filesystem::path& path) {
  const auto first = readBeginning(path, kHeaderBytes);
  ByteReader in(first);
  for (const unsigned char byte : kMagic) {
    if (in.number<std::uint8_t>() != byte) return {};
  }
  in.number<std::uint32_t>();  // version
  in.number<std::uint64_t>();  // size
  const auto id = in.number<std::uint64_t>();
  return in.good() && id != 0 ? hashText(id) : std::string();
}

Result<void> writeAtlasFile(const Atlas& atlas, const std::filesystem::path& path) {
  return writeFileAtomically(path, atlasToBytes(atlas));
}

Result<AtlasFile> readFullAtlasFile(const std::filesystem::path& path) {
  const auto file = [&path]() -> Result<AtlasFile> {
    std::error_code failed;
    const std::uint64_t size = std::filesystem::file_size(path, failed);
    // Whatever cannot be read says why below.
    const auto head = readBeginning(path, kHeaderBytes);
    if (const auto setId = checkHeader(head, size); !failed && !head.empty() && !setId) {
      return tl::unexpected(setId.error());
    }
    const auto bytes = readFile(path, kLargestFile);
    if (!bytes) return tl::unexpected(bytes.error());
    return atlasFileFromBytes(*bytes);
  }();
  if (file || !file.error().file.empty()) return file;
  const std::string name = pathText(path);
  const bool isDamaged = file.error().code == ErrorCode::InvalidInput;
  return fail(file.error().code,
              fmt::format("{}: {}{}", name, file.error().message,
                          isDamaged ? "; bake or export it again" : ""),
              name);
}

Result<Atlas> readAtlasFile(const std::filesystem::path& path) {
  auto file = readFullAtlasFile(path);
  if (!file) return tl::unexpected(file.error());
  return std::move(file->atlas);
}

}  // namespace ck
