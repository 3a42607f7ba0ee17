#include "core/export/targets/three.h"

#include <fmt/format.h>

#include <array>
#include <iterator>
#include <string_view>
#include <utility>

#include "core/export/image_file.h"
#include "core/export/targets/folder_texts.h"
#include "core/export/targets/glb.h"
#include "core/export/targets/impostor_folder.h"
#include "core/export/targets/player_document.h"

namespace ck {
namespace {

constexpr std::array<std::string_view, 5> kInner = {
    "core/actors.js", "core/crowd_set.js", "core/passes.js", "core/png.js", "core/impostors.js"};

}  // namespace

Result<std::vector<TargetFile>> threeFiles(const TargetInput& input, const JobContext& job) {
  const auto error = errorOf(input, job);
  if (!error) return tl::unexpected(error.error());
  auto mesh = glbBytes(input, job);
  if (!mesh) return tl::unexpected(mesh.error());
  auto texels = rawBytes(input.atlas);
  if (!texels) return tl::unexpected(texels.error());
  PlayerFiles names = {input.name + ".atlas.raw", input.name + ".mesh.glb", ""};
  std::vector<TargetFile> impostors;
  if (input.impostors != nullptr) {
    names.impostors = input.name + ".impostors.json";
    auto made = impostorFilesIn(input, fmt::format("{}.three/", input.name), job);
    if (!made) return tl::unexpected(made.error());
    impostors = std::move(*made);
  }
  const FolderTexts texts =
      folderTexts("three", input,
                  {{"clip", scriptText(input.atlas.clips.empty() ? "" : input.atlas.clips[0].name)},
                   {"paletteMm", fmt::format("{:.3g}", error->palette.vertices.max)},
                   {"directMm", fmt::format("{:.3g}", error->direct.vertices.max)}});
  std::vector<TargetFile> files = copiedTexts(texts, {"README.md", "index.html", "crowd.d.ts"});
  files.push_back({texts.folder + "crowd.js", bytesOf(playerModule(kInner, "three/crowd.js"))});
  files.push_back(
      {texts.folder + input.name + ".crowd.json", bytesOf(playerDocument(input, *error, names))});
  files.push_back({texts.folder + names.texels, std::move(*texels)});
  files.push_back({texts.folder + names.mesh, std::move(*mesh)});
  std::move(impostors.begin(), impostors.end(), std::back_inserter(files));
  return files;
}

std::vector<std::string> threeLosses(const TargetInput& input) {
  std::vector<std::string> losses = playerLosses(input);
  addImpostorLosses(input, losses);
  return losses;
}

}  // namespace ck
