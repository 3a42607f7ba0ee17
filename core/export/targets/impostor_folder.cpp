#include "core/export/targets/impostor_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "core/base/assert.h"
#include "core/export/image_file.h"
#include "core/export/targets/folder_texts.h"
#include "core/system/files.h"

namespace ck {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kLargestDocument = std::uint64_t{64} << 20;
constexpr std::string_view kEnding = ".impostors.json";

tl::unexpected<Error> about(const fs::path& path, const Error& error) {
  if (!error.file.empty()) return tl::unexpected(error);
  const std::string name = pathText(path);
  return fail(error.code, fmt::format("{}: {}", name, error.message), name);
}

TargetFile pictureFile(std::span<const std::byte> png, const std::string& name,
                       ExportedTargetFile& described) {
  described = {name, png.size(), hashText(hashBytes(png))};
  return {name, {png.begin(), png.end()}};
}

Result<Image> readPicture(const fs::path& folder, const ExportedTargetFile& file,
                          const Impostors& impostors, const FolderReading& how) {
  const fs::path path = folder / pathFromText(file.name);
  const TexelGrid grid = {impostorWidth(impostors), impostorHeight(impostors), TexelFormat::Rgba8};
  if (auto ok = checkClaim(file.bytes, grid); !ok) return about(path, ok.error());
  Result<std::vector<std::byte>> texels;
  if (how.ownFiles) {
    const auto bytes = describedBytes(path, file.bytes, file.xxh3);
    if (!bytes) return tl::unexpected(bytes.error());
    texels = texelsFromPng(*bytes, grid);
  } else {
    texels = decodedByWorker({path, "png", file.bytes, file.xxh3, grid}, how.job);
  }
  if (!texels) return about(path, texels.error());
  Image image{"", grid.width, grid.height, {}};
  image.rgba.resize(texels->size());
  std::memcpy(image.rgba.data(), texels->data(), texels->size());
  return image;
}

}  // namespace

Result<std::vector<TargetFile>> impostorFilesIn(const TargetInput& input, const std::string& folder,
                                                const JobContext& job) {
  CK_ASSERT(input.impostors != nullptr);
  ImpostorDocument document;
  document.name = input.name;
  const Impostors& drawn = *input.impostors;
  if (auto made = input.pictures->make(std::array{&drawn.color, &drawn.form}, job); !made) {
    return tl::unexpected(made.error());
  }
  TargetFile color =
      pictureFile(input.pictures->of(drawn.color), input.name + ".color.png", document.color);
  TargetFile form =
      pictureFile(input.pictures->of(drawn.form), input.name + ".form.png", document.form);
  document.impostors = drawn;
  std::vector<TargetFile> files;
  files.push_back({input.name + std::string(kEnding), bytesOf(impostorText(std::move(document)))});
  files.push_back(std::move(color));
  files.push_back(std::move(form));
  for (TargetFile& file : files) file.path = folder + file.path;
  return files;
}

Result<std::vector<TargetFile>> impostorFiles(const TargetInput& input, const JobContext& job) {
  if (job.stopRequested()) return fail(ErrorCode::Cancelled, "the export was stopped");
  if (input.impostors == nullptr) {
    return fail(ErrorCode::InvalidInput, "no pictures of far actors were drawn");
  }
  return impostorFilesIn(input,
                         input.name + std::string(exportTarget(TargetKind::Impostors).ending), job);
}

std::vector<std::string> impostorLosses(const TargetInput& input) {
  std::vector<std::string> losses;
  addImpostorLosses(input, losses);
  return losses;
}

void addImpostorLosses(const TargetInput& input, std::vector<std::string>& losses) {
  if (input.impostors == nullptr) return;
  losses.push_back(
      fmt::format("Impostors show the nearest of {} moments and {} directions, {:.1f} cm off; they "
                  "have no morphs, normal maps, gloss or emission.",
                  input.impostors->moments.size(), input.impostors->directions.size(),
                  100.0 * input.impostors->errorMeters));
}

Result<Impostors> readImpostors(const fs::path& folder, const std::string& name,
                                const FolderReading& how) {
  const fs::path path = folder / pathFromText(name + std::string(kEnding));
  const auto bytes = readFile(path, kLargestDocument);
  if (!bytes) return tl::unexpected(bytes.error());
  auto document = impostorsFromText({reinterpret_cast<const char*>(bytes->data()), bytes->size()});
  if (!document) return about(path, document.error());
  if (document->name != name) {
    return about(path,
                 {ErrorCode::InvalidInput,
                  fmt::format("its pictures are called '{}'; export the set again", document->name),
                  {}});
  }
  Impostors impostors = std::move(document->impostors);
  auto color = readPicture(folder, document->color, impostors, how);
  if (!color) return tl::unexpected(color.error());
  auto form = readPicture(folder, document->form, impostors, how);
  if (!form) return tl::unexpected(form.error());
  impostors.color = std::move(*color);
  impostors.form = std::move(*form);
  return impostors;
}

}  // namespace ck
