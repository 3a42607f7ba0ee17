#include "core/export/picture_reading.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/export/export_format.h"
#include "core/import/import_worker.h"
#include "core/system/files.h"

namespace ck {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kLargestImage = std::uint64_t{8} << 30;

tl::unexpected<Error> bad(const fs::path& path, std::string_view what) {
  const std::string name = pathText(path);
  return fail(ErrorCode::InvalidInput, fmt::format("{}: {}", name, what), name);
}

}  // namespace

Result<void> checkClaim(std::uint64_t fileBytes, const TexelGrid& grid) {
  constexpr std::uint64_t kTightest = 1100;
  if (bytesOf(grid) <= kTightest * (fileBytes + 1024)) return {};
  return fail(ErrorCode::InvalidInput, fmt::format("it has {} bytes, too few for {} x {} texels",
                                                   fileBytes, grid.width, grid.height));
}

Result<std::vector<std::byte>> describedBytes(const fs::path& path, std::uint64_t bytes,
                                              const std::string& xxh3) {
  std::error_code failed;
  const std::uint64_t size = fs::file_size(path, failed);
  if (!failed && size != bytes) return bad(path, kOfAnotherSet);
  auto read = readFile(path, kLargestImage);
  if (!read) return tl::unexpected(read.error());
  if (read->size() != bytes || hashText(hashBytes(*read)) != xxh3) return bad(path, kOfAnotherSet);
  return read;
}

Result<std::vector<std::byte>> decodedByWorker(const DescribedPicture& picture,
                                               const JobContext& job) {
  // For the program and its libraries, and for a texel as floats, as it is stored, and in between.
  constexpr std::uint64_t kBasicBytes = std::uint64_t{3} << 29;
  constexpr std::uint64_t kBytesPerTexel = 3 * 4 * sizeof(float);
  const TexelGrid& grid = picture.grid;
  std::error_code failed;
  if (fs::file_size(picture.path, failed) != picture.bytes || failed) {
    return bad(picture.path, kOfAnotherSet);
  }
  WorkerTask task{.file = picture.path, .path = picture.path};
  task.options = {"--picture", picture.kind,
                  "--width",   fmt::format("{}", grid.width),
                  "--height",  fmt::format("{}", grid.height),
                  "--format",  std::string(texelFormatName(grid.format)),
                  "--hash",    picture.xxh3};
  task.outputLimitBytes = bytesOf(grid);
  ImportLimits limits;
  limits.memoryBytes =
      std::min(mostMemory(limits), kBasicBytes + picture.bytes +
                                       kBytesPerTexel * static_cast<std::uint64_t>(grid.width) *
                                           static_cast<std::uint64_t>(grid.height));
  auto texels = runImportWorker(task, limits, job);
  if (!texels || texels->size() == task.outputLimitBytes) return texels;
  return bad(picture.path, "what was read of it is damaged");
}

}  // namespace ck
