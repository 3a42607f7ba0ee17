#include "core/export/targets/playcanvas.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>

#include "core/base/byte_stream.h"
#include "core/base/parallel_for.h"
#include "core/base/version.h"
#include "core/export/image_file.h"
#include "core/export/targets/folder_texts.h"
#include "core/export/targets/one_picture.h"
#include "core/export/targets/player_document.h"
#include "core/export/targets/shown_error.h"
#include "core/morph/morph_set.h"
#include "core/scene/gloss.h"
#include "core/skinning/cpu_skinning.h"

namespace ck {
namespace {

using Json = nlohmann::ordered_json;

// Numbers of scripts/esm/vat/vat-data.mjs.
constexpr int kMostTexels = 4096;
constexpr std::uint32_t kMagic = 0x54415650;  // "PVAT"
constexpr std::uint32_t kVersion = 1;
constexpr std::uint32_t kJsonChunk = 0x4E4F534A;    // "JSON"
constexpr std::uint32_t kBinaryChunk = 0x004E4942;  // "BIN"
constexpr double kSteps = 65535.0;
// A side of the box that is 0 would divide by 0.
constexpr double kThinnestMeters = 1e-6;
// Frames are interpolated, so more a second than a screen shows gain little, and have to be small.
constexpr double kMostHz = 120.0;
constexpr double kUsualHz = 60.0;
constexpr double kFewestHz = 10.0;
constexpr double kMostExtraBytes = 32.0 * 1024 * 1024;

// A frame of the texture: what it shows.
struct Frame {
  int clip = 0;
  double unit = 0.0;
};

// The intervals of a clip, one way: those of the bake, unless they are more than `mostHz` a second.
int intervalsOf(const AtlasClip& clip, double mostHz) {
  // A clip of that rate keeps its frames, although files round their times.
  const double most = std::floor(clip.durationSeconds * mostHz + 0.01);
  return static_cast<int>(std::clamp(most, 1.0, momentCount(clip) - 1.0));
}

int wholeIntervals(const AtlasClip& clip, double mostHz) {
  return (clip.loop == LoopMode::PingPong ? 2 : 1) * intervalsOf(clip, mostHz);
}

std::size_t framesAt(const Atlas& atlas, double mostHz) {
  std::size_t frames = 0;
  for (const AtlasClip& clip : atlas.clips) {
    frames += static_cast<std::size_t>(wholeIntervals(clip, mostHz)) + 1;
  }
  return frames;
}

// The highest rate at which all frames fit into the texture.
std::optional<double> fittingRate(const Atlas& atlas, std::size_t vertices) {
  constexpr std::size_t kTexelBytes = 8;
  const std::size_t most = std::size_t(kMostTexels) * kMostTexels / vertices;
  for (double rate = kMostHz; rate >= kFewestHz; rate -= 1.0) {
    const std::size_t frames = framesAt(atlas, rate);
    const auto bytes = static_cast<double>(frames * vertices * kTexelBytes);
    if (rate > kUsualHz && bytes > kMostExtraBytes) continue;
    if (frames <= most) return rate;
  }
  return std::nullopt;
}

std::size_t vertexCountOf(const Character& character) {
  std::size_t count = 0;
  for (const Mesh& mesh : character.meshes) count += mesh.positions.size();
  return count;
}

// Everything but the texels.
struct Layout {
  std::vector<PlayCanvasClip> clips;
  std::vector<Frame> frames;  // of all clips, one after the other
  double mostHz = kMostHz;
};

tl::unexpected<Error> tooMany(const Atlas& atlas, std::size_t vertices) {
  double seconds = 0.0;
  for (const AtlasClip& clip : atlas.clips) seconds += cycleSeconds(clip);
  return fail(ErrorCode::LimitExceeded,
              fmt::format("PlayCanvas holds {} x {} texels, one for each vertex of each frame. "
                          "With {} vertices that is {} frames, and the clips last {:.0f} s; export "
                          "fewer or shorter clips, or a character with fewer vertices",
                          kMostTexels, kMostTexels, vertices,
                          std::size_t(kMostTexels) * kMostTexels / vertices, seconds));
}

Result<Layout> layoutOf(const Character& character, const Atlas& atlas) {
  const std::size_t vertices = vertexCountOf(character);
  if (vertices == 0) {
    return fail(
        ErrorCode::InvalidInput,
        fmt::format("{}: PlayCanvas shows vertices, and the character has none", character.name));
  }
  const std::optional<double> rate = fittingRate(atlas, vertices);
  if (!rate) return tooMany(atlas, vertices);
  Layout layout;
  layout.mostHz = *rate;
  for (std::size_t c = 0; c < atlas.clips.size(); ++c) {
    const AtlasClip& clip = atlas.clips[c];
    const int oneWay = intervalsOf(clip, *rate);
    const double cycle = cycleSeconds(clip);
    PlayCanvasClip stored;
    stored.firstFrame = static_cast<int>(layout.frames.size());
    stored.intervals = wholeIntervals(clip, *rate);
    if (cycle > 0.0) stored.seconds = cycle;
    for (int f = 0; f <= stored.intervals; ++f) {
      const int forth = f > oneWay ? 2 * oneWay - f : f;
      layout.frames.push_back({static_cast<int>(c), static_cast<double>(forth) / oneWay});
    }
    layout.clips.push_back(stored);
  }
  return layout;
}

// All vertices of a frame.
struct PosedFrame {
  std::vector<glm::vec3> positions;
  std::vector<std::uint16_t> normals;
  std::vector<bool> mirrored;
};

// A unit vector on an octahedron, unfolded to two bytes.
std::uint16_t packedNormal(const glm::dvec3& normal) {
  const double sum = std::abs(normal.x) + std::abs(normal.y) + std::abs(normal.z);
  glm::dvec2 folded = glm::dvec2(normal) / std::max(sum, 1e-30);
  if (normal.z < 0.0) {
    const glm::dvec2 sign(folded.x >= 0.0 ? 1.0 : -1.0, folded.y >= 0.0 ? 1.0 : -1.0);
    folded = (1.0 - glm::abs(glm::dvec2(folded.y, folded.x))) * sign;
  }
  const auto byteOf = [](double value) {
    return static_cast<unsigned>(std::lround(std::clamp(value * 0.5 + 0.5, 0.0, 1.0) * 255.0));
  };
  return static_cast<std::uint16_t>(byteOf(folded.x) | byteOf(folded.y) << 8U);
}

PosedFrame posed(const Character& character, const Atlas& atlas, const MorphSet& morphs,
                 const Frame& frame) {
  const auto clip = static_cast<std::size_t>(frame.clip);
  const std::vector<glm::dmat4> skins =
      atlasSkinMatrices(atlas, frame.clip, frame.unit, Reading::Palette);
  std::vector<float> weights = defaultWeights(morphs);
  if (!atlas.morphs.empty()) {
    const std::vector<float> baked =
        bakedMorphWeights(atlas.morphs, frame.clip, frame.unit, frameGridOf(atlas.clips[clip]));
    const std::vector<int> stored = storedMorphs(morphs, atlas.morphs.names);
    for (std::size_t m = 0; m < weights.size(); ++m) {
      if (stored[m] >= 0) weights[m] = baked[static_cast<std::size_t>(stored[m])];
    }
  }
  PosedFrame result;
  for (std::size_t m = 0; m < character.meshes.size(); ++m) {
    const std::vector<float> ofMesh =
        weightsOfMesh(morphs, character, static_cast<int>(m), weights);
    const SkinnedMesh mesh = skinMesh(character.meshes[m], skins, {.morphWeights = ofMesh});
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
      result.positions.emplace_back(mesh.positions[v]);
      result.normals.push_back(packedNormal(mesh.mirrored[v] ? -mesh.normals[v] : mesh.normals[v]));
      result.mirrored.push_back(mesh.mirrored[v]);
    }
  }
  return result;
}

std::vector<std::uint32_t> indicesOf(const Character& character,
                                     const std::vector<bool>& mirrored) {
  std::vector<std::uint32_t> indices;
  std::uint32_t first = 0;
  for (const Mesh& mesh : character.meshes) {
    for (std::size_t i = 0; i < mesh.indices.size(); i += 3) {
      const std::uint32_t a = first + mesh.indices[i];
      std::uint32_t b = first + mesh.indices[i + 1];
      std::uint32_t c = first + mesh.indices[i + 2];
      if (mirrored[a] && mirrored[b] && mirrored[c]) std::swap(b, c);
      indices.insert(indices.end(), {a, b, c});
    }
    first += static_cast<std::uint32_t>(mesh.positions.size());
  }
  return indices;
}

// Positions as the player decodes them.
glm::dvec3 decoded(const PlayCanvasTexture& texture, std::size_t vertex, int frame) {
  const std::size_t texel =
      vertex * static_cast<std::size_t>(texture.frameCount) + static_cast<std::size_t>(frame);
  const std::uint16_t* stored = texture.texels.data() + texel * 4;
  const glm::dvec3 share = glm::dvec3(stored[0], stored[1], stored[2]) / kSteps;
  return texture.low + share * (texture.high - texture.low);
}

// The parts of the binary chunk.
class BinaryPart {
 public:
  template <class Value>
  Json add(std::span<const Value> values) {
    const auto raw = std::as_bytes(values);
    Json view = {{"byteOffset", bytes_.size()}, {"byteLength", raw.size()}};
    bytes_.insert(bytes_.end(), raw.begin(), raw.end());
    while (bytes_.size() % 4 != 0) bytes_.push_back(std::byte{0});
    return view;
  }
  const std::vector<std::byte>& bytes() const { return bytes_; }

 private:
  std::vector<std::byte> bytes_;
};

Json vectorOf(const glm::dvec3& v) {
  return Json::array({v.x, v.y, v.z});
}

// The frames a second of all clips on average: the format has one number, for information.
double averageRate(const PlayCanvasTexture& texture) {
  double intervals = 0.0;
  double seconds = 0.0;
  for (const PlayCanvasClip& clip : texture.clips) {
    intervals += clip.intervals;
    seconds += clip.seconds;
  }
  return seconds > 0.0 ? intervals / seconds : 1.0;
}

Result<std::vector<std::byte>> vatBytes(const TargetInput& input,
                                        const PlayCanvasTexture& texture) {
  const OnePicture picture = onePictureOf(input.character);
  BinaryPart binary;
  Json json = {{"version", kVersion},
               {"generator", fmt::format("Crowdkiln {}", version())},
               {"fps", averageRate(texture)},
               {"vertexCount", texture.vertexCount},
               {"frameCount", texture.frameCount},
               {"texture",
                {{"width", texture.width},
                 {"height", texture.height},
                 {"format", "rgba16u"},
                 {"layout", "quant16"}}},
               {"bounds", {{"min", vectorOf(texture.low)}, {"max", vectorOf(texture.high)}}}};
  json["animations"] = Json::array();
  for (std::size_t c = 0; c < texture.clips.size(); ++c) {
    const PlayCanvasClip& clip = texture.clips[c];
    json["animations"].push_back({{"name", input.atlas.clips[c].name},
                                  {"frameStart", clip.firstFrame},
                                  {"frameCount", clip.intervals},
                                  {"duration", clip.seconds}});
  }
  json["vat"] = binary.add<std::uint16_t>(texture.texels);
  const bool isWide = texture.vertexCount > std::numeric_limits<std::uint16_t>::max();
  if (isWide) {
    json["indices"] = binary.add<std::uint32_t>(texture.indices);
  } else {
    const std::vector<std::uint16_t> narrow(texture.indices.begin(), texture.indices.end());
    json["indices"] = binary.add<std::uint16_t>(narrow);
  }
  json["indices"]["type"] = isWide ? "uint32" : "uint16";
  json["indices"]["count"] = texture.indices.size();
  std::vector<float> uvs;
  for (const auto& ofMesh : picture.uvs) {
    for (const glm::vec2& uv : ofMesh) uvs.insert(uvs.end(), {uv.x, uv.y});
  }
  json["uvs"] = binary.add<float>(uvs);
  if (picture.image) {
    const auto png = pngBytes(*picture.image);
    if (!png) return tl::unexpected(png.error());
    json["albedo"] = binary.add<std::byte>(*png);
    json["albedo"]["mimeType"] = "image/png";
  }
  json["binary"] = {{"byteLength", binary.bytes().size()}};
  std::string text = json.dump(-1, ' ', false, Json::error_handler_t::replace);
  text.append((4 - text.size() % 4) % 4, ' ');
  constexpr std::size_t kHeaders = 12 + 8 + 8;
  ByteWriter out;
  out.reserve(kHeaders + text.size() + binary.bytes().size());
  out.number(kMagic);
  out.number(kVersion);
  out.number(static_cast<std::uint32_t>(kHeaders + text.size() + binary.bytes().size()));
  out.number(static_cast<std::uint32_t>(text.size()));
  out.number(kJsonChunk);
  std::vector<std::byte> bytes = out.take();
  const auto append = [&bytes](std::span<const std::byte> more) {
    bytes.insert(bytes.end(), more.begin(), more.end());
  };
  append(bytesOf(text));
  out.number(static_cast<std::uint32_t>(binary.bytes().size()));
  out.number(kBinaryChunk);
  append(out.take());
  append(binary.bytes());
  return bytes;
}

// The error of straight lines between frames: at the middle of every interval, without rounding.
double straightMm(const TargetInput& input, const Layout& layout) {
  const Atlas& atlas = input.atlas;
  PoseDistance distance(input.character, std::numeric_limits<int>::max(), {});
  double largest = 0.0;
  for (std::size_t c = 0; c < atlas.clips.size(); ++c) {
    const int clip = static_cast<int>(c);
    const bool isBothWays = atlas.clips[c].loop == LoopMode::PingPong;
    const int intervals = layout.clips[c].intervals / (isBothWays ? 2 : 1);
    if (atlas.clips[c].durationSeconds <= 0.0) continue;
    const auto poseAt = [&](double frame) {
      return atlasSkinMatrices(atlas, clip, frame / intervals, Reading::Palette);
    };
    std::vector<glm::dmat4> before = poseAt(0.0);
    for (int frame = 0; frame < intervals; ++frame) {
      const std::vector<glm::dmat4> after = poseAt(frame + 1.0);
      std::vector<glm::dmat4> straight;
      for (std::size_t j = 0; j < after.size(); ++j) {
        straight.push_back(0.5 * before[j] + 0.5 * after[j]);
      }
      largest = std::max(largest, distance.mm(poseAt(frame + 0.5), straight));
      before = after;
    }
  }
  return largest;
}

// Whether a material has more than a colour, a picture that repeats, and a normal map.
bool isMorePainted(const Material& material) {
  return material.alpha != AlphaMode::Opaque || isGlossy(material) ||
         material.emission != glm::vec3(0.0f) || material.unlit ||
         material.base.wrapU != Wrap::Repeat || material.base.wrapV != Wrap::Repeat;
}

}  // namespace

Result<PlayCanvasTexture> playCanvasTexture(const Character& character, const Atlas& atlas,
                                            const JobContext& job) {
  auto layout = layoutOf(character, atlas);
  if (!layout) return tl::unexpected(layout.error());
  PlayCanvasTexture texture;
  texture.clips = std::move(layout->clips);
  const std::vector<Frame>& frames = layout->frames;
  const std::size_t vertices = vertexCountOf(character);
  const std::size_t texels = vertices * frames.size();
  texture.vertexCount = static_cast<int>(vertices);
  texture.frameCount = static_cast<int>(frames.size());
  while (static_cast<std::size_t>(texture.width) < texels && texture.width < kMostTexels) {
    texture.width *= 2;
  }
  const auto width = static_cast<std::size_t>(texture.width);
  texture.height = static_cast<int>((texels + width - 1) / width);

  const MorphSet morphs = morphSetOf(character);
  std::vector<PosedFrame> poses(frames.size());
  const bool done = parallelFor(frames.size(), job, [&](std::size_t f) {
    poses[f] = posed(character, atlas, morphs, frames[f]);
  });
  if (!done) return fail(ErrorCode::Cancelled, "the export was stopped");
  texture.indices = indicesOf(character, poses.front().mirrored);
  texture.low = glm::dvec3(std::numeric_limits<double>::max());
  texture.high = -texture.low;
  for (const PosedFrame& pose : poses) {
    for (const glm::vec3& position : pose.positions) {
      texture.low = glm::min(texture.low, glm::dvec3(position));
      texture.high = glm::max(texture.high, glm::dvec3(position));
    }
  }
  texture.high = glm::max(texture.high, texture.low + kThinnestMeters);
  texture.texels.assign(width * static_cast<std::size_t>(texture.height) * 4, 0);
  const glm::dvec3 stepsPerMeter = kSteps / (texture.high - texture.low);
  for (std::size_t f = 0; f < poses.size(); ++f) {
    for (std::size_t v = 0; v < vertices; ++v) {
      const glm::dvec3 steps = (glm::dvec3(poses[f].positions[v]) - texture.low) * stepsPerMeter;
      std::uint16_t* out = texture.texels.data() + (v * poses.size() + f) * 4;
      for (int axis = 0; axis < 3; ++axis) {
        out[axis] = static_cast<std::uint16_t>(std::lround(std::clamp(steps[axis], 0.0, kSteps)));
      }
      out[3] = poses[f].normals[v];
    }
  }
  return texture;
}

Result<std::vector<TargetFile>> playCanvasFiles(const TargetInput& input, const JobContext& job) {
  const auto texture = playCanvasTexture(input.character, input.atlas, job);
  if (!texture) return tl::unexpected(texture.error());
  auto vat = vatBytes(input, *texture);
  if (!vat) return tl::unexpected(vat.error());
  const FolderTexts texts = folderTexts("playcanvas", input,
                                        {{"vertices", std::to_string(texture->vertexCount)},
                                         {"frames", std::to_string(texture->frameCount)}});
  std::vector<TargetFile> files = copiedTexts(texts, {"README.md", "index.html"});
  files.push_back({texts.folder + input.name + ".vat", std::move(*vat)});
  return files;
}

std::vector<std::string> playCanvasLosses(const TargetInput& input) {
  const auto layout = layoutOf(input.character, input.atlas);
  if (!layout) return {layout.error().message};
  const Character& character = input.character;
  std::vector<std::string> losses;
  if (layout->mostHz < kUsualHz) {
    losses.push_back(
        fmt::format("{} vertices leave room for {} frames, so clips have at most {:.0f} a second.",
                    vertexCountOf(character), layout->frames.size(), layout->mostHz));
  }
  losses.push_back(
      fmt::format("Vertices move in straight lines between frames, which is up to {:.1f} mm; a "
                  "bake at a higher rate, up to {:.0f} Hz, makes it less.",
                  straightMm(input, *layout), layout->mostHz));
  glm::dvec3 low(std::numeric_limits<double>::max());
  glm::dvec3 high = -low;
  for (const AtlasClip& clip : input.atlas.clips) {
    low = glm::min(low, clip.bounds.low);
    high = glm::max(high, clip.bounds.high);
  }
  losses.push_back(
      fmt::format("Positions have 16 bits over one box of all clips, which is up to "
                  "{:.3f} mm, and normals 2 bytes, about a degree.",
                  500.0 * glm::length(high - low) / kSteps));
  losses.emplace_back(kActorLoss);
  const OnePicture picture = onePictureOf(character);
  if (std::ranges::any_of(character.materials,
                          [](const Material& material) { return material.normal.image >= 0; })) {
    losses.emplace_back("There is one picture, that of colours: normal maps are left out.");
  }
  if (std::ranges::any_of(character.materials, isMorePainted) ||
      std::ranges::any_of(character.meshes,
                          [](const Mesh& mesh) { return !mesh.colors.empty(); })) {
    losses.emplace_back(
        "Surfaces are opaque and rough, and pictures repeat: alpha, metal, gloss, emission and "
        "vertex "
        "colours are left out.");
  }
  if (picture.cutsRepeats) {
    losses.emplace_back(
        "Several pictures become one, so a picture that repeats over a surface does so no more.");
  }
  if (picture.isShrunk) {
    losses.push_back(fmt::format("Pictures are made smaller, so that all fit into {} x {} texels.",
                                 kMostTexels, kMostTexels));
  }
  if (std::ranges::any_of(character.materials, &Material::alphaIsTintMask)) {
    losses.emplace_back("Actors have no tint.");
  }
  if (!input.atlas.morphs.empty()) {
    losses.emplace_back("Morph targets move as in the clips only.");
  }
  addWayLoss(input.atlas, losses);
  losses.emplace_back("Actors are scaled evenly only, and culled as one crowd.");
  return losses;
}

Result<ErrorFigure> playCanvasShown(const TargetInput& input, const JobContext& job) {
  const Atlas& atlas = input.atlas;
  const auto texture = playCanvasTexture(input.character, atlas, job.part(0.0f, 0.3f));
  if (!texture) return tl::unexpected(texture.error());
  ShownBy player;
  player.influences = std::numeric_limits<int>::max();
  player.corners = [&](int clip) {
    const PlayCanvasClip& stored = texture->clips[static_cast<std::size_t>(clip)];
    std::vector<double> corners;
    for (int f = 1; f < stored.intervals; ++f) {
      corners.push_back(stored.seconds * f / stored.intervals);
    }
    return corners;
  };
  // As vat-characters.mjs and the chunk vatCoreVS do.
  player.poseAt = [&](int clip, double seconds, ShownPose& pose) {
    constexpr double kBeforeEnd = 1e-4;
    const PlayCanvasClip& stored = texture->clips[static_cast<std::size_t>(clip)];
    const double frame =
        std::min(seconds / stored.seconds * stored.intervals, stored.intervals - kBeforeEnd);
    const int before = static_cast<int>(frame);
    pose.positions.resize(static_cast<std::size_t>(texture->vertexCount));
    for (std::size_t v = 0; v < pose.positions.size(); ++v) {
      pose.positions[v] =
          glm::mix(decoded(*texture, v, stored.firstFrame + before),
                   decoded(*texture, v, stored.firstFrame + before + 1), frame - before);
    }
  };
  return shownError(input.character, atlas, player, job.part(0.3f, 1.0f));
}

}  // namespace ck
