#include "core/import/character_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <type_traits>

#include "core/base/byte_stream.h"
#include "core/base/utf8.h"
#include "core/system/files.h"

namespace ck {
namespace {

constexpr std::size_t kLongestName = 255;
constexpr std::size_t kLongestText = 4'096;
constexpr std::size_t kLongestPath = 16'384;
constexpr std::size_t kMostJoints = 65'536;
constexpr std::size_t kMostSkinJoints = 1'000'000;
constexpr std::size_t kMostMeshes = 65'535;
constexpr std::size_t kMostVertices = 20'000'000;
constexpr std::size_t kMostIndices = 240'000'000;
constexpr std::size_t kMostTargets = 4'096;
constexpr std::size_t kMostClips = 10'000;
constexpr std::size_t kMostEvents = 100'000;
constexpr std::size_t kMostKeys = 200'000'000;
constexpr std::size_t kMostMaterials = 65'535;
constexpr std::size_t kMostNotes = 100'000;
constexpr int kLargestImage = 8'192;
constexpr int kDeepestRig = 4'096;
constexpr double kLargestNumber = 1e15;

static_assert(sizeof(int) == 4);
static_assert(sizeof(glm::vec2) == 8 && sizeof(glm::vec3) == 12 && sizeof(glm::vec4) == 16);
static_assert(sizeof(Influence) == 8);

tl::unexpected<Error> bad(std::string what) {
  return fail(ErrorCode::ImportBadResult, std::move(what));
}

// Whether a text is UTF-8 without control characters, as the worker promises.
bool isClean(std::string_view text) {
  const auto control = [](char c) {
    const unsigned char byte = static_cast<unsigned char>(c);
    return byte < 0x20 || byte == 0x7F;
  };
  return isUtf8(text) && std::none_of(text.begin(), text.end(), control);
}

// The order of x, y, z and w in memory depends on glm's configuration.
struct FileQuat {
  float w, x, y, z;
};
std::vector<FileQuat> inFileOrder(const std::vector<glm::quat>& rotations) {
  std::vector<FileQuat> result;
  result.reserve(rotations.size());
  for (const glm::quat& q : rotations) result.push_back({q.w, q.x, q.y, q.z});
  return result;
}

// Each struct lists its fields once, in fields(), for a form that is a Writer or a Reader: both
// have the same functions. The reader checks the ranges of single values; checks across sections
// are done by ck::validate().
template <class Field>
void visit(auto& form, Field& field) {
  if constexpr (std::is_arithmetic_v<Field>) {
    form.number(field);
  } else if constexpr (std::is_same_v<Field, std::string>) {
    form.text(field, kLongestName);
  } else {
    fields(form, field);
  }
}

struct Writer : ByteWriter {
  using ByteWriter::number;

  void operator()(auto&... fields) { (visit(*this, fields), ...); }
  void number(bool value) { number(std::uint8_t{value}); }
  void choice(auto value, auto) { number(static_cast<std::uint8_t>(value)); }
  void text(const std::string& value, std::size_t) { ByteWriter::text(value); }
  void path(const std::string& value) { ByteWriter::text(value); }
  void array(const auto& items, std::size_t) { ByteWriter::array(items); }
  void array(const std::vector<glm::quat>& rotations, std::size_t) {
    ByteWriter::array(inFileOrder(rotations));
  }
  void list(auto& items, std::size_t, std::size_t) {
    number(std::uint64_t{items.size()});
    for (auto& item : items) fields(*this, item);
  }
  void require(bool) {}
};

struct Reader : ByteReader {
  using ByteReader::ByteReader;

  void operator()(auto&... fields) { (visit(*this, fields), ...); }
  template <class Number>
  void number(Number& value) {
    read(value);
    if constexpr (std::is_same_v<Number, double>) require(std::abs(value) < kLargestNumber);
  }
  void number(bool& value) { value = ByteReader::number<std::uint8_t>() != 0; }
  template <class Enum>
  void choice(Enum& value, Enum last) {
    value = static_cast<Enum>(ByteReader::number<std::uint8_t>());
    require(value <= last);
  }
  // Text for people: UTF-8 without control characters.
  void text(std::string& value, std::size_t longest) {
    value = ByteReader::text(longest);
    require(isClean(value));
  }
  void path(std::string& value) { value = ByteReader::text(kLongestPath); }
  template <class Item>
  void array(std::vector<Item>& items, std::size_t most) {
    items = ByteReader::array<Item>(most);
  }
  void array(std::vector<glm::quat>& rotations, std::size_t most) {
    const auto read = ByteReader::array<FileQuat>(most);
    rotations.reserve(read.size());
    for (const auto& [w, x, y, z] : read) rotations.emplace_back(w, x, y, z);
  }
  // At most `most` structs, which take at least `smallest` bytes each.
  void list(auto& items, std::size_t smallest, std::size_t most) {
    const auto stated = ByteReader(*this).number<std::uint64_t>();
    if (!inList_ && stated > most && stated <= left() / smallest) excess_ = {stated, most};
    items.resize(count<std::uint64_t>(smallest, most));
    inList_ = true;
    for (auto& item : items) {
      fields(*this, item);
      if (!good()) return;
    }
    inList_ = false;
  }
  void require(bool condition) {
    if (!condition) setBad();
  }

  // The length and the limit of a list that is too long. Lists within lists are not watched.
  struct Excess {
    std::uint64_t count = 0;
    std::size_t most = 0;
  };
  const Excess& excess() const { return excess_; }

 private:
  Excess excess_;
  bool inList_ = false;
};

void fields(auto& form, glm::dvec3& v) {
  form(v.x, v.y, v.z);
}
void fields(auto& form, glm::vec4& v) {
  form(v.x, v.y, v.z, v.w);
}
void fields(auto& form, glm::dquat& q) {
  form(q.w, q.x, q.y, q.z);
}
void fields(auto& form, glm::dmat4& m) {
  for (int c = 0; c < 4; ++c) form(m[c].x, m[c].y, m[c].z, m[c].w);
}

void fields(auto& form, std::string& name) {
  form.text(name, kLongestName);
}

void fields(auto& form, Note& note) {
  form.choice(note.level, Note::Level::Warning);
  form(note.code);
  form.text(note.message, kLongestText);
}

void fields(auto& form, Joint& joint) {
  form(joint.name, joint.parent, joint.preTransform, joint.rest.translation, joint.rest.rotation,
       joint.rest.scale);
}

void fields(auto& form, SkinJoint& skinJoint) {
  form(skinJoint.joint, skinJoint.inverseBind, skinJoint.isSocket);
}

void fields(auto& form, MorphTarget& target) {
  form(target.name, target.channel);
  form.require(target.channel >= -1);
  form.array(target.vertices, kMostVertices);
  form.array(target.positionDeltas, kMostVertices);
  form.array(target.normalDeltas, kMostVertices);
  form.array(target.tangentDeltas, kMostVertices);
}

void fields(auto& form, Mesh& mesh) {
  form(mesh.name, mesh.material);
  form.array(mesh.positions, kMostVertices);
  form.array(mesh.normals, kMostVertices);
  form.array(mesh.tangents, kMostVertices);
  form.array(mesh.uvs, kMostVertices);
  form.array(mesh.secondUvs, kMostVertices);
  form.array(mesh.colors, kMostVertices);
  form.array(mesh.influenceStarts, kMostVertices + 1);
  form.array(mesh.influences, kMostIndices);
  form.array(mesh.indices, kMostIndices);
  form.array(mesh.defaultMorphWeights, kMostTargets);
  form.list(mesh.morphTargets, 4 + 4 + 4 * 8, kMostTargets);
}

void keyTimes(auto& form, auto& track) {
  form.choice(track.interpolation, Interpolation::Cubic);
  form.array(track.times, kMostKeys);
  for (const double time : track.times) form.require(std::abs(time) <= 2.0 * kLongestClipSeconds);
  form.require(track.empty() || track.times.back() - track.times.front() <= kLongestClipSeconds);
}
void fields(auto& form, Track<float>& track) {
  keyTimes(form, track);
  form.array(track.values, 3 * kMostKeys);
}
void fields(auto& form, Track<glm::vec3>& track) {
  keyTimes(form, track);
  form.array(track.values, 3 * kMostKeys);
}
void fields(auto& form, Track<glm::quat>& track) {
  keyTimes(form, track);
  form.array(track.values, 3 * kMostKeys);
  const std::size_t perKey = track.interpolation == Interpolation::Cubic ? 3 : 1;
  form.require(track.values.size() == track.times.size() * perKey);
  for (std::size_t v = perKey / 2; v < track.values.size(); v += perKey) {
    const float length = glm::length(track.values[v]);
    form.require(length > 0.5f && length < 2.0f);
  }
}
constexpr std::size_t kEmptyTrack = 1 + 8 + 8;

void fields(auto& form, JointTracks& tracks) {
  form(tracks.joint, tracks.translation, tracks.rotation, tracks.scale);
}

void fields(auto& form, MorphTrack& track) {
  form(track.mesh, track.target, track.weight);
}

void fields(auto& form, ClipEvent& event) {
  form(event.name, event.seconds);
}

void fields(auto& form, Clip& clip) {
  form(clip.name, clip.startSeconds, clip.durationSeconds, clip.groundSpeedMetersPerSecond);
  form.require(clip.durationSeconds >= 0.0 && clip.durationSeconds <= kLongestClipSeconds);
  form.list(clip.jointTracks, 4 + 3 * kEmptyTrack, kMostJoints);
  form.list(clip.morphTracks, 8 + kEmptyTrack, kMostMeshes * 16);
  form.list(clip.events, 4 + 8, kMostEvents);
}

void fields(auto& form, glm::vec2& v) {
  form(v.x, v.y);
}
void fields(auto& form, glm::vec3& v) {
  form(v.x, v.y, v.z);
}

void fields(auto& form, SurfaceMap& map) {
  form(map.image, map.uvSet);
  form.choice(map.wrapU, Wrap::Clamp);
  form.choice(map.wrapV, Wrap::Clamp);
  form(map.offset, map.rotation, map.scale);
}
constexpr std::size_t kMapBytes = 4 + 4 + 1 + 1 + 5 * 4;

void fields(auto& form, Material& material) {
  form(material.name, material.baseColor, material.base, material.normal, material.normalScale);
  form.choice(material.alpha, AlphaMode::Blend);
  form(material.alphaCutoff, material.metallic, material.roughness, material.metalRoughness,
       material.emission, material.emissive, material.unlit, material.alphaIsTintMask,
       material.doubleSided);
}
constexpr std::size_t kMaterialBytes = 4 + 16 + 4 * kMapBytes + 4 + 1 + 3 * 4 + 12 + 3;

void fields(auto& form, Image& image) {
  form(image.name, image.width, image.height);
  form.require(image.width >= 1 && image.width <= kLargestImage);
  form.require(image.height >= 1 && image.height <= kLargestImage);
  form.array(image.rgba, std::size_t{kLargestImage} * kLargestImage * 4);
  form.array(image.file, image.rgba.size());
}

enum Section : std::uint32_t {
  kSource = 1,
  kNotes,
  kJoints,
  kSkinJoints,
  kMeshes,
  kClips,
  kMaterials,
  kPictures
};

void sectionFields(auto& form, Character& character, std::uint32_t section) {
  SourceInfo& source = character.source;
  switch (section) {
    case kSource:
      form.path(character.name);
      form.path(source.path);
      form(source.format, source.unitScale, source.upAxis, source.sourceToModel, source.hash);
      return form.list(character.socketCandidates, 4, kMostJoints);
    case kNotes:
      return form.list(character.notes, 9, kMostNotes);
    case kJoints:
      return form.list(character.rig.joints, 4 + 4 + 16 * 8 + 10 * 8, kMostJoints);
    case kSkinJoints:
      return form.list(character.rig.skinJoints, 4 + 16 * 8 + 1, kMostSkinJoints);
    case kMeshes:
      return form.list(character.meshes, 4 + 4 + 11 * 8, kMostMeshes);
    case kClips:
      return form.list(character.clips, 4 + 6 * 8, kMostClips);
    case kMaterials:
      return form.list(character.materials, kMaterialBytes, kMostMaterials);
    case kPictures:
      return form.list(character.images, 4 + 8 + 8 + 8, kMostMaterials);
  }
}

struct Header {
  std::uint32_t magic = blob::kMagic;
  std::uint32_t version = blob::kVersion;
  std::uint64_t totalBytes = 0;
  std::uint64_t hash = 0;  // hash of all bytes after the header
  std::uint32_t sectionCount = blob::kSectionCount;
  std::uint32_t zero = 0;
};
void fields(auto& form, Header& header) {
  form(header.magic, header.version, header.totalBytes, header.hash, header.sectionCount,
       header.zero);
}

struct TableEntry {
  std::uint32_t id = 0;
  std::uint32_t zero = 0;
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
};
void fields(auto& form, TableEntry& entry) {
  form(entry.id, entry.zero, entry.offset, entry.size);
}

std::span<const std::byte> behindHeader(std::span<const std::byte> bytes) {
  return bytes.subspan(blob::kHeaderBytes);
}

// Sections are contiguous and in the order of their ids.
Result<void> readSections(std::span<const std::byte> bytes, Character& character) {
  Reader table(behindHeader(bytes));
  std::size_t expected = blob::kHeaderBytes + blob::kSectionCount * blob::kTableEntryBytes;
  for (std::uint32_t s = 1; s <= blob::kSectionCount; ++s) {
    TableEntry entry;
    fields(table, entry);
    if (!table.good() || entry.id != s || entry.zero != 0 || entry.offset != expected ||
        expected > bytes.size() || entry.size > bytes.size() - expected) {
      return bad(fmt::format("section {} does not lie where it should", s));
    }
    Reader in(bytes.subspan(expected, static_cast<std::size_t>(entry.size)));
    sectionFields(in, character, s);
    if (in.excess().count > 0) {
      constexpr std::string_view kLists[] = {"sockets", "notes", "joints",    "joints of skins",
                                             "meshes",  "clips", "materials", "pictures"};
      return fail(ErrorCode::LimitExceeded,
                  fmt::format("the file has {} {}, more than the limit of {}; export fewer of them "
                              "into one file",
                              in.excess().count, kLists[s - 1], in.excess().most));
    }
    if (!in.atEnd()) return bad(fmt::format("section {} holds values that make no sense", s));
    expected += static_cast<std::size_t>(entry.size);
  }
  if (expected != bytes.size()) return bad("there are bytes behind the last section");
  return {};
}

// Limits that ck::validate() does not check.
Result<void> checkDepth(const Rig& rig) {
  std::vector<int> depths;
  depths.reserve(rig.joints.size());
  for (std::size_t j = 0; j < rig.joints.size(); ++j) {
    const int parent = rig.joints[j].parent;
    if (parent < -1 || parent >= static_cast<int>(j)) return bad("joints are not parents-first");
    depths.push_back(parent < 0 ? 1 : depths[static_cast<std::size_t>(parent)] + 1);
    if (depths.back() > kDeepestRig) return bad("the hierarchy is too deep");
  }
  return {};
}

// About the bytes of all meshes, images and keys.
std::size_t largePartsOf(const Character& character) {
  const auto bytesOf = [](const auto& items) { return items.size() * sizeof(items[0]); };
  std::size_t bytes = 1 << 16;
  for (const Mesh& mesh : character.meshes) {
    bytes += bytesOf(mesh.positions) + bytesOf(mesh.normals) + bytesOf(mesh.tangents) +
             bytesOf(mesh.uvs) + bytesOf(mesh.secondUvs) + bytesOf(mesh.colors) +
             bytesOf(mesh.influenceStarts) + bytesOf(mesh.influences) + bytesOf(mesh.indices);
    for (const MorphTarget& target : mesh.morphTargets) {
      bytes += bytesOf(target.vertices) + bytesOf(target.positionDeltas) +
               bytesOf(target.normalDeltas) + bytesOf(target.tangentDeltas);
    }
  }
  for (const Image& image : character.images) bytes += image.rgba.size() + image.file.size();
  const auto bytesOfTrack = [&bytesOf](const auto& track) {
    return kEmptyTrack + bytesOf(track.times) + bytesOf(track.values);
  };
  for (const Clip& clip : character.clips) {
    for (const JointTracks& tracks : clip.jointTracks) {
      bytes += sizeof(tracks.joint) + bytesOfTrack(tracks.translation) +
               bytesOfTrack(tracks.rotation) + bytesOfTrack(tracks.scale);
    }
    for (const MorphTrack& track : clip.morphTracks) {
      bytes += sizeof(track.mesh) + sizeof(track.target) + bytesOfTrack(track.weight);
    }
  }
  return bytes;
}

}  // namespace

std::vector<std::byte> characterToBytes(const Character& character) {
  // One buffer of the right size: a character may take a good part of the memory there is.
  Writer out;
  out.reserve(largePartsOf(character));
  Writer table;
  out.zeros(blob::kHeaderBytes + blob::kSectionCount * blob::kTableEntryBytes);
  for (std::uint32_t s = 1; s <= blob::kSectionCount; ++s) {
    TableEntry entry{.id = s, .offset = out.size()};
    // A Writer changes nothing.
    sectionFields(out, const_cast<Character&>(character), s);
    entry.size = out.size() - entry.offset;
    fields(table, entry);
  }
  out.overwrite(blob::kHeaderBytes, table);
  Header header{.totalBytes = out.size(), .hash = hashBytes(behindHeader(out.bytes()))};
  Writer head;
  fields(head, header);
  out.overwrite(0, head);
  return out.take();
}

Result<Character> characterFromBytes(std::span<const std::byte> bytes) {
  Reader in(bytes);
  Header header;
  fields(in, header);
  if (!in.good() || header.magic != blob::kMagic) return bad("this is not a character");
  if (header.version != blob::kVersion) {
    return bad(
        fmt::format("this is version {} of the form, not {}", header.version, blob::kVersion));
  }
  if (header.totalBytes != bytes.size()) {
    return bad(
        fmt::format("there are {} bytes where {} were promised", bytes.size(), header.totalBytes));
  }
  if (header.sectionCount != blob::kSectionCount || header.zero != 0) {
    return bad("the number of sections is not right");
  }
  if (hashBytes(behindHeader(bytes)) != header.hash) return bad("the checksum does not match");
  Character character;
  if (auto ok = readSections(bytes, character); !ok) return tl::unexpected(ok.error());
  if (auto ok = checkDepth(character.rig); !ok) return tl::unexpected(ok.error());
  if (auto ok = validate(character); !ok) return bad(ok.error().message);
  return character;
}

}  // namespace ck
