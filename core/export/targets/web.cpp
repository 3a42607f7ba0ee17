#include "core/export/targets/web.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <set>
#include <span>
#include <sstream>
#include <string_view>
#include <utility>

#include "core/base/assert.h"
#include "core/base/base64.h"
#include "core/export/image_file.h"
#include "core/export/targets/folder_texts.h"
#include "core/export/targets/glb.h"
#include "core/export/targets/impostor_folder.h"
#include "core/export/targets/player_document.h"
#include "core/scene/gloss.h"
#include "core/view/footprints.h"
#include "players/players.h"
#include "shaders/shaders.h"

namespace ck {
namespace {

constexpr std::array<std::string_view, 11> kInner = {
    "core/actors.js",    "core/crowd_set.js", "core/passes.js", "core/png.js",
    "core/impostors.js", "web/gl.js",         "web/glb.js",     "web/camera.js",
    "web/input.js",      "web/stage.js",      "web/figures.js"};

// Shaders of the editor that the page shares, so that it has the editor's light and ground.
constexpr std::array<std::string_view, 8> kShaders = {
    "scene/sky.vert",    "scene/sky.frag",          "scene/ground.vert",
    "scene/ground.frag", "scene/footprint.frag",    "scene/footprint_shape.glsl",
    "crowd/look.glsl",   "crowd/surface_light.glsl"};

// The text of a shader with what it includes, each file once, and without its #version.
void addShader(std::string& text, std::string_view path, std::set<std::string>& seen) {
  if (!seen.insert(std::string(path)).second) return;
  const auto embedded = shaderText(path);
  CK_ASSERT(embedded);
  std::istringstream lines{std::string(*embedded)};
  for (std::string line; std::getline(lines, line);) {
    constexpr std::string_view kInclude = "#include \"";
    if (line.rfind("#version", 0) == 0) continue;
    if (line.rfind(kInclude, 0) == 0) {
      addShader(text, line.substr(kInclude.size(), line.rfind('"') - kInclude.size()), seen);
    } else {
      text += line + "\n";
    }
  }
}

std::string sceneShaders() {
  nlohmann::ordered_json texts;
  for (const std::string_view path : kShaders) {
    std::string text;
    std::set<std::string> seen;
    addShader(text, path, seen);
    const std::string_view name = path.substr(path.find('/') + 1);
    texts[std::string(name)] = text;
  }
  return texts.dump(1);
}

// zlib's format (RFC 1950) as base64: what DecompressionStream('deflate') reads.
Result<std::string> packed(std::span<const std::byte> bytes) {
  uLongf size = compressBound(static_cast<uLong>(bytes.size()));
  std::vector<std::byte> deflated(size);
  const int done = compress2(reinterpret_cast<Bytef*>(deflated.data()), &size,
                             reinterpret_cast<const Bytef*>(bytes.data()),
                             static_cast<uLong>(bytes.size()), Z_BEST_COMPRESSION);
  if (done != Z_OK) return fail(ErrorCode::Internal, fmt::format("zlib failed: {}", done));
  deflated.resize(size);
  return base64(deflated);
}

// A JSON text that may stand in a script element.
std::string inScript(std::string json) {
  for (std::size_t at = json.find('<'); at != std::string::npos; at = json.find('<', at)) {
    json.replace(at, 1, "\\u003c");
  }
  return json;
}

}  // namespace

Result<std::vector<TargetFile>> webFiles(const TargetInput& input, const JobContext& job) {
  const auto error = errorOf(input, job);
  if (!error) return tl::unexpected(error.error());
  const auto mesh = glbBytes(input, job);
  if (!mesh) return tl::unexpected(mesh.error());
  const auto texels = rawBytes(input.atlas);
  if (!texels) return tl::unexpected(texels.error());
  const std::vector<Footprint> shadows = atlasFootprints(input.atlas);
  const auto packedMesh = packed(*mesh);
  if (!packedMesh) return tl::unexpected(packedMesh.error());
  const auto packedTexels = packed(*texels);
  if (!packedTexels) return tl::unexpected(packedTexels.error());
  const auto packedShadows = packed(std::as_bytes(std::span(shadows)));
  if (!packedShadows) return tl::unexpected(packedShadows.error());
  // The description and both pictures; a page without impostors says so.
  std::array<std::string, 3> impostors = {"null", "", ""};
  if (input.impostors != nullptr) {
    const auto files = impostorFilesIn(input, "", job);
    if (!files) return tl::unexpected(files.error());
    const std::vector<std::byte>& about = files->front().bytes;
    impostors = {inScript({reinterpret_cast<const char*>(about.data()), about.size()}),
                 base64((*files)[1].bytes), base64((*files)[2].bytes)};
  }
  const auto style = playerText("web/page.css");
  CK_ASSERT(style);
  const FolderTexts texts = {"web",
                             "",
                             {{"style", std::string(*style)},
                              {"script", playerModule(kInner, "web/page.js")},
                              {"shaders", inScript(sceneShaders())},
                              {"texels", *packedTexels},
                              {"footprints", *packedShadows},
                              {"mesh", *packedMesh},
                              {"impostorColor", impostors[1]},
                              {"impostorForm", impostors[2]},
                              {"impostors", impostors[0]},
                              {"document", inScript(playerDocument(input, *error, {}))},
                              {"htmlName", htmlText(input.name)}}};
  std::vector<TargetFile> files = copiedTexts(texts, {"page.html"});
  files.front().path = input.name + ".html";
  return files;
}

std::vector<std::string> webLosses(const TargetInput& input) {
  std::vector<std::string> losses = playerLosses(input);
  addImpostorLosses(input, losses);
  if (std::ranges::any_of(input.character.materials,
                          [](const Material& material) { return material.normal.image >= 0; })) {
    losses.emplace_back("Normal maps are left out: the page shows base colours.");
  }
  if (std::ranges::any_of(input.character.materials, isGlossy)) {
    losses.emplace_back("Metal and gloss are left out: every surface is rough.");
  }
  if (std::ranges::any_of(input.character.materials, [](const Material& material) {
        return material.alpha == AlphaMode::Blend;
      })) {
    losses.emplace_back(
        "Transparent surfaces that overlap are laid over one another in the order of the actors.");
  }
  return losses;
}

}  // namespace ck
