#include "core/export/export_format.h"

#include <algorithm>

#include "core/base/words.h"
#include "core/container/atlas_file.h"

namespace ck {
namespace {

constexpr bool rowsAreInOrder() {
  for (std::size_t i = 0; i < std::size(kExportFormats); ++i) {
    if (kExportFormats[i].kind != static_cast<ExportKind>(i)) return false;
  }
  return kExportFormats[std::size(kExportFormats) - 1].kind == ExportKind::Json;
}
static_assert(rowsAreInOrder(),
              "kExportFormats has one row for each ExportKind, in their order, the sidecar last");

template <class Which>
std::string namesWhere(Which&& which) {
  std::vector<std::string_view> names;
  for (const ExportFormat& format : kExportFormats) {
    if (format.stored != nullptr && which(format)) names.push_back(format.name);
  }
  return inWords(names, "or");
}

}  // namespace

std::string storedInContainer(TexelFormat format) {
  return isFloat(format) ? "the floats" : isWords(format) ? "the words" : "q";
}

Result<std::vector<std::byte>> containerBytes(const Atlas& atlas, const std::string& setId) {
  return atlasToBytes(atlas, {.setId = setId});
}

Result<std::vector<std::byte>> texelsFromContainer(std::span<const std::byte> bytes,
                                                   const Atlas& described) {
  auto stored = atlasFromBytes(bytes);
  if (!stored) return tl::unexpected(stored.error());
  std::vector<std::byte> texels;
  texels.swap(stored->texels);
  if (*stored == described) return texels;
  return fail(ErrorCode::InvalidInput, "it is not the atlas that the sidecar describes");
}

std::optional<ExportKind> exportKindFromName(std::string_view name) {
  for (const ExportFormat& format : kExportFormats) {
    if (format.name == name) return format.kind;
  }
  return std::nullopt;
}

std::string fileNameOf(const std::string& name, ExportKind kind) {
  return name + std::string(exportFormat(kind).ending);
}

ExportKinds withSidecar(ExportKinds kinds) {
  const auto isImage = [](ExportKind kind) { return exportFormat(kind).isImage; };
  if (std::ranges::any_of(kinds, isImage)) kinds.insert(ExportKind::Json);
  return kinds;
}

std::string imageFormatNames() {
  return namesWhere([](const ExportFormat&) { return true; });
}
std::string imageFormatNames(TexelFormat format) {
  return namesWhere([format](const ExportFormat& each) { return !each.stored(format).empty(); });
}

}  // namespace ck
