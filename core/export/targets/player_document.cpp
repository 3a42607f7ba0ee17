#include "core/export/targets/player_document.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "core/anim/playback.h"
#include "core/base/assert.h"
#include "core/base/base64.h"
#include "core/base/version.h"
#include "core/error/bake_error.h"
#include "core/export/targets/crowd_shader.h"
#include "core/export/targets/joint_table.h"
#include "core/morph/morph_set.h"
#include "players/players.h"
#include "shaders/shaders.h"

namespace ck {
namespace {

using Json = nlohmann::ordered_json;

// Textures up to this side are there wherever WebGL 2 is in use.
constexpr int kSafeSide = 4096;

Json vectorOf(const glm::dvec3& v) {
  return Json::array({v.x, v.y, v.z});
}
Json boundsOf(const Bounds& bounds) {
  return {{"low", vectorOf(bounds.low)}, {"high", vectorOf(bounds.high)}};
}

Bounds unionOf(const std::vector<AtlasClip>& clips) {
  Bounds whole = clips.empty() ? Bounds{} : clips.front().bounds;
  for (const AtlasClip& clip : clips) {
    whole.low = glm::min(whole.low, clip.bounds.low);
    whole.high = glm::max(whole.high, clip.bounds.high);
  }
  return whole;
}

Json clipsOf(const Atlas& atlas) {
  Json clips = Json::array();
  for (const AtlasClip& clip : atlas.clips) {
    clips.push_back({{"name", clip.name},
                     {"seconds", clip.durationSeconds},
                     {"loop", loopModeName(clip.loop)},
                     {"firstFrame", clip.firstFrame},
                     {"frames", clip.frameCount},
                     {"groundSpeed", clip.groundSpeedMetersPerSecond},
                     {"bounds", boundsOf(clip.bounds)}});
    if (clip.rootMotion.empty()) continue;
    Json& way = clips.back()["rootMotion"] = Json::array();
    for (const RootPlace& place : clip.rootMotion) {
      for (int axis = 0; axis < 3; ++axis) way.push_back(place.position[axis]);
      way.push_back(place.yaw);
    }
  }
  return clips;
}

Json socketsOf(const Atlas& atlas) {
  Json sockets = Json::array();
  for (std::size_t joint = 0; joint < atlas.joints.size(); ++joint) {
    const AtlasJoint& socket = atlas.joints[joint];
    if (!socket.isSocket) continue;
    Json rows = Json::array();
    for (int i = 0; i < 12; ++i) rows.push_back(socket.inverseBind[i % 4][i / 4]);
    sockets.push_back({{"name", socket.name}, {"joint", joint}, {"inverseBind", std::move(rows)}});
  }
  return sockets;
}

Json shadersOf(const Atlas& atlas) {
  const auto part = [&](CrowdShaderPart wanted) {
    return crowdShader(atlas, ShaderDialect::GlslEs300, {wanted});
  };
  std::string vertex = fillVertexShader(ShaderDialect::GlslEs300);
  // Players write #version and precision themselves.
  vertex.erase(0, vertex.find("//"));
  return {{"common", part(CrowdShaderPart::Common)}, {"atlas", part(CrowdShaderPart::Atlas)},
          {"actors", part(CrowdShaderPart::Actors)}, {"palette", part(CrowdShaderPart::Palette)},
          {"fill", part(CrowdShaderPart::Fill)},     {"fillVertex", vertex}};
}

std::string impostorShader() {
  const auto text = shaderText("far/on_screen.glsl");
  CK_ASSERT(text);
  return std::string(*text);
}

// For each target of each mesh, the baked morph that has its weight, or -1: its weight stays 0.
Json morphsOfMeshes(const Character& character, const Atlas& atlas) {
  std::vector<std::vector<int>> morphOf;
  for (const Mesh& mesh : character.meshes) morphOf.emplace_back(mesh.morphTargets.size(), -1);
  const MorphSet set = morphSetOf(character);
  const std::vector<int> stored = storedMorphs(set, atlas.morphs.names);
  for (std::size_t m = 0; m < set.size(); ++m) {
    for (const MorphMember& member : set[m].members) {
      morphOf[static_cast<std::size_t>(member.mesh)][static_cast<std::size_t>(member.target)] =
          stored[m];
    }
  }
  return morphOf;
}

// The weights of a clip, little-endian.
std::vector<std::byte> weightBytes(const AtlasClipMorphs& clip, const MorphForm& form) {
  std::vector<std::byte> bytes;
  for (const std::uint16_t number : clip.weights) {
    for (int bit = 0; bit < form.bits; bit += 8) {
      bytes.push_back(static_cast<std::byte>((number >> bit) & 0xff));
    }
  }
  return bytes;
}

Json morphsOf(const TargetInput& input) {
  const AtlasMorphs& morphs = input.atlas.morphs;
  Json clips = Json::array();
  for (const AtlasClipMorphs& clip : morphs.clips) {
    Json slots = Json::array();
    for (const MorphSlot& slot : clip.kept) {
      slots.push_back({{"morph", slot.morph}, {"low", slot.low}, {"size", slot.size}});
    }
    clips.push_back({{"slots", slots}, {"weights", base64(weightBytes(clip, morphs.form))}});
  }
  return {{"names", morphs.names},
          {"defaults", morphs.defaults},
          {"meshes", morphsOfMeshes(input.character, input.atlas)},
          {"slotsPerFrame", morphs.form.slotCount},
          {"bitsPerWeight", morphs.form.bits},
          {"clips", clips}};
}

bool startsWith(std::string_view line, std::string_view word) {
  return line.substr(0, word.size()) == word;
}

std::string_view embedded(std::string_view path) {
  const auto text = playerText(path);
  CK_ASSERT(text);
  return *text;
}

// Adds a module without its imports of neighbours.
void addModule(std::string& text, std::string_view module, bool isInner) {
  std::istringstream lines{std::string(module)};
  for (std::string line; std::getline(lines, line);) {
    if (startsWith(line, "import ") && line.find("from '.") != std::string::npos) continue;
    if (isInner && startsWith(line, "export ")) line.erase(0, std::string_view("export ").size());
    text += line + "\n";
  }
}

}  // namespace

std::string playerDocument(const TargetInput& input, const BakeError& error,
                           const PlayerFiles& files) {
  const Atlas& atlas = input.atlas;
  const JointTable table = jointTable(atlas);
  Json document = {
      {"format", "crowdkiln-crowd"},
      {"version", 1},
      {"generator", fmt::format("Crowdkiln {}", version())},
      {"name", input.name},
      {"setId", input.setId},
      {"files", {{"texels", files.texels}, {"mesh", files.mesh}, {"impostors", files.impostors}}},
      {"encoding", encodingName(encodingOf(atlas.recipe))},
      {"texture",
       {{"width", atlasWidth(atlas)},
        {"height", atlasHeight(atlas)},
        {"format", texelFormatName(texelFormatOf(atlas))},
        {"bytes", atlas.texels.size()}}},
      {"joints", atlas.joints.size()},
      {"influences", atlas.recipe.influences},
      {"clips", clipsOf(atlas)},
      {"bounds", boundsOf(unionOf(atlas.clips))},
      {"error",
       {{"paletteMm", error.palette.vertices.max}, {"directMm", error.direct.vertices.max}}},
      {"table",
       {{"width", table.width},
        {"height", table.height},
        {"data", base64(std::as_bytes(std::span(table.values)))}}},
      {"shaders", shadersOf(atlas)}};
  if (input.impostors != nullptr) document["shaders"]["impostors"] = impostorShader();
  if (!atlas.morphs.empty()) document["morphs"] = morphsOf(input);
  if (Json sockets = socketsOf(atlas); !sockets.empty()) document["sockets"] = std::move(sockets);
  return document.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

Result<BakeError> errorOf(const TargetInput& input, const JobContext& job) {
  if (input.error != nullptr) return *input.error;
  return measureBakeError(input.character, input.atlas, job);
}

Result<ErrorFigure> playerShows(const TargetInput& input, const JobContext& job) {
  auto error = errorOf(input, job);
  if (!error) return tl::unexpected(error.error());
  return std::move(error->palette.vertices);
}

std::vector<std::string> playerLosses(const TargetInput& input) {
  std::vector<std::string> losses;
  const int side = std::max(atlasWidth(input.atlas), atlasHeight(input.atlas));
  if (side > kSafeSide) {
    losses.push_back(fmt::format(
        "The atlas is {} x {} texels; some machines have textures of at most {} a side and cannot "
        "play it.",
        atlasWidth(input.atlas), atlasHeight(input.atlas), kSafeSide));
  }
  addWayLoss(input.atlas, losses);
  return losses;
}

void addWayLoss(const Atlas& atlas, std::vector<std::string>& losses) {
  const auto hasWay = [](const AtlasClip& clip) { return !clip.rootMotion.empty(); };
  if (std::ranges::none_of(atlas.clips, hasWay)) return;
  losses.emplace_back(
      "Actors do not walk by the extracted ways of clips: who places them reads rootMotion of the "
      "sidecar.");
}

std::string playerModule(std::span<const std::string_view> inner, std::string_view main) {
  std::string text;
  std::string_view own = embedded(main);
  // The imports of packages stay in front.
  while (startsWith(own, "import ") || startsWith(own, "//")) {
    const std::size_t end = own.find('\n') + 1;
    addModule(text, own.substr(0, end), false);
    own.remove_prefix(end);
  }
  for (const std::string_view path : inner) addModule(text, embedded(path), true);
  addModule(text, own, false);
  return text;
}

}  // namespace ck
