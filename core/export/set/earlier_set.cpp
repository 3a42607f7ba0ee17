#include "core/export/set/earlier_set.h"

#include <cstdint>
#include <string_view>

#include "core/system/files.h"

namespace ck {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kLargestSidecar = std::uint64_t{64} << 20;

}  // namespace

EarlierSet readEarlierSet(const fs::path& folder, const std::string& name) {
  EarlierSet earlier;
  for (const ExportFormat& format : kExportFormats) {
    std::error_code failed;
    const fs::path path = folder / pathFromText(fileNameOf(name, format.kind));
    if (fs::is_regular_file(path, failed)) earlier.kinds.insert(format.kind);
  }
  const auto bytes =
      readFile(folder / pathFromText(fileNameOf(name, ExportKind::Json)), kLargestSidecar);
  if (!bytes) return earlier;
  auto sidecar = sidecarFromText({reinterpret_cast<const char*>(bytes->data()), bytes->size()});
  if (!sidecar) return earlier;
  earlier.setId = std::move(sidecar->setId);
  earlier.files = std::move(sidecar->files);
  earlier.targets = std::move(sidecar->targets);
  earlier.stale = std::move(sidecar->stale);
  return earlier;
}

std::set<std::string> targetFilesOf(const EarlierSet& earlier) {
  std::set<std::string> files;
  for (const auto* targets : {&earlier.targets, &earlier.stale}) {
    for (const ExportedTarget& target : *targets) {
      for (const ExportedTargetFile& file : target.files) files.insert(file.name);
    }
  }
  return files;
}

}  // namespace ck
