#include "core/import/character_sections.h"

#include <algorithm>
#include <cmath>

#include "core/base/utf8.h"

namespace ck::blob {
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
constexpr int kLargestPicture = 8'192;
constexpr double kLargestNumber = 1e15;
constexpr double kLongestSeconds = 24.0 * 3600.0;

static_assert(sizeof(glm::vec2) == 8 && sizeof(glm::vec3) == 12 && sizeof(glm::vec4) == 16);
static_assert(sizeof(Influence) == 8);

double sane(ByteReader& in) {
  const double value = in.number<double>();
  if (!(std::abs(value) < kLargestNumber)) in.setBad();
  return value;
}

void write(ByteWriter& out, const glm::dvec3& v) {
  for (int i = 0; i < 3; ++i) out.number(v[i]);
}
glm::dvec3 readVector(ByteReader& in) {
  glm::dvec3 v(0.0);
  for (int i = 0; i < 3; ++i) v[i] = sane(in);
  return v;
}

void write(ByteWriter& out, const glm::dmat4& m) {
  for (int c = 0; c < 4; ++c) {
    for (int r = 0; r < 4; ++r) out.number(m[c][r]);
  }
}
glm::dmat4 readMatrix(ByteReader& in) {
  glm::dmat4 m(1.0);
  for (int c = 0; c < 4; ++c) {
    for (int r = 0; r < 4; ++r) m[c][r] = sane(in);
  }
  return m;
}

void write(ByteWriter& out, const glm::dquat& q) {
  for (const double part : {q.w, q.x, q.y, q.z}) out.number(part);
}
glm::dquat readRotation(ByteReader& in) {
  const double w = sane(in);
  const double x = sane(in);
  const double y = sane(in);
  const double z = sane(in);
  return glm::dquat(w, x, y, z);
}

// Whether a name is UTF-8 without control characters, as the worker promises.
bool cleanName(std::string_view name) {
  const auto control = [](char c) {
    const unsigned char byte = static_cast<unsigned char>(c);
    return byte < 0x20 || byte == 0x7F;
  };
  return isUtf8(name) && std::none_of(name.begin(), name.end(), control);
}

std::string readName(ByteReader& in) {
  std::string name = in.text(kLongestName);
  if (!cleanName(name)) in.setBad();
  return name;
}

void writeSource(ByteWriter& out, const Character& character) {
  const SourceInfo& source = character.source;
  out.text(character.name);
  out.text(source.path);
  out.text(source.format);
  out.number(source.unitScale);
  out.text(source.upAxis);
  write(out, source.sourceToModel);
  out.number(source.hash);
}
void readSource(ByteReader& in, Character& character) {
  SourceInfo& source = character.source;
  character.name = in.text(kLongestPath);
  source.path = in.text(kLongestPath);
  source.format = readName(in);
  source.unitScale = sane(in);
  source.upAxis = readName(in);
  source.sourceToModel = readMatrix(in);
  source.hash = in.number<std::uint64_t>();
}

void writeNotes(ByteWriter& out, const Character& character) {
  out.number(static_cast<std::uint64_t>(character.notes.size()));
  for (const Note& note : character.notes) {
    out.number(static_cast<std::uint8_t>(note.level));
    out.text(note.code);
    out.text(note.message);
  }
}
void readNotes(ByteReader& in, Character& character) {
  character.notes.resize(in.count<std::uint64_t>(9, kMostNotes));
  for (Note& note : character.notes) {
    note.level = in.number<std::uint8_t>() == 0 ? Note::Level::Info : Note::Level::Warning;
    note.code = readName(in);
    note.message = in.text(kLongestText);
    if (!cleanName(note.message)) in.setBad();
    if (!in.good()) return;
  }
}

void writeJoints(ByteWriter& out, const Character& character) {
  out.number(static_cast<std::uint64_t>(character.rig.joints.size()));
  for (const Joint& joint : character.rig.joints) {
    out.text(joint.name);
    out.number(static_cast<std::int32_t>(joint.parent));
    write(out, joint.preTransform);
    write(out, joint.rest.translation);
    write(out, joint.rest.rotation);
    write(out, joint.rest.scale);
  }
}
void readJoints(ByteReader& in, Character& character) {
  character.rig.joints.resize(in.count<std::uint64_t>(4 + 4 + 16 * 8 + 10 * 8, kMostJoints));
  for (Joint& joint : character.rig.joints) {
    joint.name = readName(in);
    joint.parent = in.number<std::int32_t>();
    joint.preTransform = readMatrix(in);
    joint.rest.translation = readVector(in);
    joint.rest.rotation = readRotation(in);
    joint.rest.scale = readVector(in);
    if (!in.good()) return;
  }
}

void writeSkinJoints(ByteWriter& out, const Character& character) {
  out.number(static_cast<std::uint64_t>(character.rig.skinJoints.size()));
  for (const SkinJoint& skinJoint : character.rig.skinJoints) {
    out.number(static_cast<std::int32_t>(skinJoint.joint));
    write(out, skinJoint.inverseBind);
  }
}
void readSkinJoints(ByteReader& in, Character& character) {
  character.rig.skinJoints.resize(in.count<std::uint64_t>(4 + 16 * 8, kMostSkinJoints));
  for (SkinJoint& skinJoint : character.rig.skinJoints) {
    skinJoint.joint = in.number<std::int32_t>();
    skinJoint.inverseBind = readMatrix(in);
    if (!in.good()) return;
  }
}

void writeMesh(ByteWriter& out, const Mesh& mesh) {
  out.text(mesh.name);
  out.number(static_cast<std::int32_t>(mesh.material));
  out.array(mesh.positions);
  out.array(mesh.normals);
  out.array(mesh.tangents);
  out.array(mesh.uvs);
  out.array(mesh.influenceStarts);
  out.array(mesh.influences);
  out.array(mesh.indices);
  out.array(mesh.defaultMorphWeights);
  out.number(static_cast<std::uint64_t>(mesh.morphTargets.size()));
  for (const MorphTarget& target : mesh.morphTargets) {
    out.text(target.name);
    out.array(target.vertices);
    out.array(target.positionDeltas);
    out.array(target.normalDeltas);
    out.array(target.tangentDeltas);
  }
}
void readMesh(ByteReader& in, Mesh& mesh) {
  mesh.name = readName(in);
  mesh.material = in.number<std::int32_t>();
  mesh.positions = in.array<glm::vec3>(kMostVertices);
  mesh.normals = in.array<glm::vec3>(kMostVertices);
  mesh.tangents = in.array<glm::vec4>(kMostVertices);
  mesh.uvs = in.array<glm::vec2>(kMostVertices);
  mesh.influenceStarts = in.array<std::uint32_t>(kMostVertices + 1);
  mesh.influences = in.array<Influence>(kMostIndices);
  mesh.indices = in.array<std::uint32_t>(kMostIndices);
  mesh.defaultMorphWeights = in.array<float>(kMostTargets);
  mesh.morphTargets.resize(in.count<std::uint64_t>(4 + 4 * 8, kMostTargets));
  for (MorphTarget& target : mesh.morphTargets) {
    target.name = readName(in);
    target.vertices = in.array<std::uint32_t>(kMostVertices);
    target.positionDeltas = in.array<glm::vec3>(kMostVertices);
    target.normalDeltas = in.array<glm::vec3>(kMostVertices);
    target.tangentDeltas = in.array<glm::vec3>(kMostVertices);
    if (!in.good()) return;
  }
}

void writeMeshes(ByteWriter& out, const Character& character) {
  out.number(static_cast<std::uint64_t>(character.meshes.size()));
  for (const Mesh& mesh : character.meshes) writeMesh(out, mesh);
}
void readMeshes(ByteReader& in, Character& character) {
  character.meshes.resize(in.count<std::uint64_t>(4 + 4 + 9 * 8, kMostMeshes));
  for (Mesh& mesh : character.meshes) {
    readMesh(in, mesh);
    if (!in.good()) return;
  }
}

template <class Value>
void writeTrack(ByteWriter& out, const Track<Value>& track) {
  out.number(static_cast<std::uint8_t>(track.interpolation));
  out.array(track.times);
  out.number(static_cast<std::uint64_t>(track.values.size()));
  // Write x, y, z and w one by one: their order in memory depends on glm's configuration.
  for (const Value& value : track.values) {
    if constexpr (std::is_same_v<Value, glm::quat>) {
      for (const float part : {value.w, value.x, value.y, value.z}) out.number(part);
    } else if constexpr (std::is_same_v<Value, glm::vec3>) {
      for (const float part : {value.x, value.y, value.z}) out.number(part);
    } else {
      out.number(value);
    }
  }
}

template <class Value>
Track<Value> readTrack(ByteReader& in) {
  Track<Value> track;
  const std::uint8_t interpolation = in.number<std::uint8_t>();
  if (interpolation > static_cast<std::uint8_t>(Interpolation::Cubic)) in.setBad();
  track.interpolation = static_cast<Interpolation>(interpolation);
  track.times = in.array<double>(kMostKeys);
  for (const double time : track.times) {
    if (!(std::abs(time) <= 2.0 * kLongestSeconds)) in.setBad();
  }
  if (!track.empty() && track.times.back() - track.times.front() > kLongestSeconds) in.setBad();
  std::vector<Value> values(in.count<std::uint64_t>(sizeof(Value), 3 * kMostKeys));
  for (Value& value : values) {
    if constexpr (std::is_same_v<Value, glm::quat>) {
      value.w = in.number<float>();
      value.x = in.number<float>();
      value.y = in.number<float>();
      value.z = in.number<float>();
    } else if constexpr (std::is_same_v<Value, glm::vec3>) {
      value.x = in.number<float>();
      value.y = in.number<float>();
      value.z = in.number<float>();
    } else {
      value = in.number<float>();
    }
    if (!in.good()) return {};
  }
  track.values = std::move(values);
  return track;
}

Track<glm::quat> readRotations(ByteReader& in) {
  Track<glm::quat> track = readTrack<glm::quat>(in);
  const bool cubic = track.interpolation == Interpolation::Cubic;
  if (track.values.size() != track.times.size() * (cubic ? 3u : 1u)) in.setBad();
  for (std::size_t k = 0; in.good() && k < track.times.size(); ++k) {
    const float length = glm::length(track.values[cubic ? 3 * k + 1 : k]);
    if (!(length > 0.5f && length < 2.0f)) in.setBad();
  }
  return track;
}

void writeClips(ByteWriter& out, const Character& character) {
  out.number(static_cast<std::uint64_t>(character.clips.size()));
  for (const Clip& clip : character.clips) {
    out.text(clip.name);
    out.number(clip.startSeconds);
    out.number(clip.durationSeconds);
    out.number(clip.groundSpeedMetersPerSecond);
    out.number(static_cast<std::uint64_t>(clip.jointTracks.size()));
    for (const JointTracks& tracks : clip.jointTracks) {
      out.number(static_cast<std::int32_t>(tracks.joint));
      writeTrack(out, tracks.translation);
      writeTrack(out, tracks.rotation);
      writeTrack(out, tracks.scale);
    }
    out.number(static_cast<std::uint64_t>(clip.morphTracks.size()));
    for (const MorphTrack& track : clip.morphTracks) {
      out.number(static_cast<std::int32_t>(track.mesh));
      out.number(static_cast<std::int32_t>(track.target));
      writeTrack(out, track.weight);
    }
    out.number(static_cast<std::uint64_t>(clip.events.size()));
    for (const ClipEvent& event : clip.events) {
      out.text(event.name);
      out.number(event.seconds);
    }
  }
}
void readClip(ByteReader& in, Clip& clip) {
  constexpr std::size_t kEmptyTrack = 1 + 8 + 8;
  clip.name = readName(in);
  clip.startSeconds = sane(in);
  clip.durationSeconds = sane(in);
  clip.groundSpeedMetersPerSecond = sane(in);
  if (!(clip.durationSeconds >= 0.0 && clip.durationSeconds <= kLongestSeconds)) in.setBad();
  clip.jointTracks.resize(in.count<std::uint64_t>(4 + 3 * kEmptyTrack, kMostJoints));
  for (JointTracks& tracks : clip.jointTracks) {
    tracks.joint = in.number<std::int32_t>();
    tracks.translation = readTrack<glm::vec3>(in);
    tracks.rotation = readRotations(in);
    tracks.scale = readTrack<glm::vec3>(in);
    if (!in.good()) return;
  }
  clip.morphTracks.resize(in.count<std::uint64_t>(8 + kEmptyTrack, kMostMeshes * 16));
  for (MorphTrack& track : clip.morphTracks) {
    track.mesh = in.number<std::int32_t>();
    track.target = in.number<std::int32_t>();
    track.weight = readTrack<float>(in);
    if (!in.good()) return;
  }
  clip.events.resize(in.count<std::uint64_t>(4 + 8, kMostEvents));
  for (ClipEvent& event : clip.events) {
    event.name = readName(in);
    event.seconds = sane(in);
    if (!in.good()) return;
  }
}
void readClips(ByteReader& in, Character& character) {
  character.clips.resize(in.count<std::uint64_t>(4 + 6 * 8, kMostClips));
  for (Clip& clip : character.clips) {
    readClip(in, clip);
    if (!in.good()) return;
  }
}

void writeMaterials(ByteWriter& out, const Character& character) {
  out.number(static_cast<std::uint64_t>(character.materials.size()));
  for (const Material& material : character.materials) {
    out.text(material.name);
    for (int c = 0; c < 4; ++c) out.number(material.baseColor[c]);
    out.number(static_cast<std::int32_t>(material.basePicture));
    out.number(static_cast<std::int32_t>(material.normalPicture));
    out.number(material.normalScale);
    out.number(static_cast<std::uint8_t>(material.alphaIsTintMask ? 1 : 0));
    out.number(static_cast<std::uint8_t>(material.doubleSided ? 1 : 0));
  }
}
void readMaterials(ByteReader& in, Character& character) {
  character.materials.resize(in.count<std::uint64_t>(4 + 16 + 4 + 4 + 4 + 1 + 1, kMostMaterials));
  for (Material& material : character.materials) {
    material.name = readName(in);
    for (int c = 0; c < 4; ++c) material.baseColor[c] = in.number<float>();
    material.basePicture = in.number<std::int32_t>();
    material.normalPicture = in.number<std::int32_t>();
    material.normalScale = in.number<float>();
    material.alphaIsTintMask = in.number<std::uint8_t>() != 0;
    material.doubleSided = in.number<std::uint8_t>() != 0;
    if (!in.good()) return;
  }
}

void writePictures(ByteWriter& out, const Character& character) {
  out.number(static_cast<std::uint64_t>(character.pictures.size()));
  for (const Picture& picture : character.pictures) {
    out.text(picture.name);
    out.number(static_cast<std::int32_t>(picture.width));
    out.number(static_cast<std::int32_t>(picture.height));
    out.array(picture.rgba);
  }
}
void readPictures(ByteReader& in, Character& character) {
  character.pictures.resize(in.count<std::uint64_t>(4 + 8 + 8, kMostMaterials));
  for (Picture& picture : character.pictures) {
    picture.name = readName(in);
    picture.width = in.number<std::int32_t>();
    picture.height = in.number<std::int32_t>();
    if (picture.width < 1 || picture.width > kLargestPicture || picture.height < 1 ||
        picture.height > kLargestPicture) {
      in.setBad();
    }
    picture.rgba = in.array<std::uint8_t>(std::size_t{kLargestPicture} * kLargestPicture * 4);
    if (!in.good()) return;
  }
}

}  // namespace

void write(ByteWriter& out, const Character& character, Section section) {
  switch (section) {
    case Section::Source:
      return writeSource(out, character);
    case Section::Notes:
      return writeNotes(out, character);
    case Section::Joints:
      return writeJoints(out, character);
    case Section::SkinJoints:
      return writeSkinJoints(out, character);
    case Section::Meshes:
      return writeMeshes(out, character);
    case Section::Clips:
      return writeClips(out, character);
    case Section::Materials:
      return writeMaterials(out, character);
    case Section::Pictures:
      return writePictures(out, character);
  }
}

void read(ByteReader& in, Character& character, Section section) {
  switch (section) {
    case Section::Source:
      return readSource(in, character);
    case Section::Notes:
      return readNotes(in, character);
    case Section::Joints:
      return readJoints(in, character);
    case Section::SkinJoints:
      return readSkinJoints(in, character);
    case Section::Meshes:
      return readMeshes(in, character);
    case Section::Clips:
      return readClips(in, character);
    case Section::Materials:
      return readMaterials(in, character);
    case Section::Pictures:
      return readPictures(in, character);
  }
}

}  // namespace ck::blob
