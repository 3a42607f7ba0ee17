#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/atlas/atlas.h"
#include "core/base/result.h"
#include "core/export/exr_picture.h"
#include "core/export/png_picture.h"

namespace ck {

// A kind of file that an atlas is exported as. One more is an enumerator here and a row of
// kExportFormats below. The sidecar comes last: it lists the other files.
enum class ExportKind { Ckatlas, Exr, Png, Json };

// Which files to write. Iterates in the order of ExportKind.
using ExportKinds = std::set<ExportKind>;

// One row of the table of export formats. The sidecar holds no texels: its functions are nullptr.
struct ExportFormat {
  ExportKind kind;
  std::string_view name;     // "exr": the word of --export, and `kind` in documents
  std::string_view ending;   // ".atlas.exr", behind the name of the set
  std::string_view summary;  // one line for people
  bool isPicture;            // texels alone, which the sidecar explains
  bool isSuggested;          // chosen at first in the editor
  // What the file stores of a channel, in words; empty where it cannot hold texels of that format.
  // q is the whole number of a channel.
  std::string (*stored)(TexelFormat format);
  // The bytes of the file. `atlas` has texels that the format can hold. The same atlas gives the
  // same bytes. Fails with Internal.
  Result<std::vector<std::byte>> (*write)(const Atlas& atlas);
  // The texels of such a file. `described` is the atlas without texels. Fails with InvalidInput
  // where the file is damaged or holds another atlas.
  Result<std::vector<std::byte>> (*read)(std::span<const std::byte> bytes, const Atlas& described);
};

// The container, which holds everything of an atlas.
std::string storedInContainer(TexelFormat format);
Result<std::vector<std::byte>> containerBytes(const Atlas& atlas);
Result<std::vector<std::byte>> texelsFromContainer(std::span<const std::byte> bytes,
                                                   const Atlas& described);

// Indexed by ExportKind.
inline constexpr ExportFormat kExportFormats[] = {
    {ExportKind::Ckatlas, "ckatlas", ".ckatlas", "exact, opens in Crowdkiln and kiln", false, true,
     storedInContainer, containerBytes, texelsFromContainer},
    {ExportKind::Exr, "exr", ".atlas.exr", "float picture", true, false, storedInExr, exrBytes,
     texelsFromExr},
    {ExportKind::Png, "png", ".atlas.png", "16-bit picture", true, true, storedInPng, pngBytes,
     texelsFromPng},
    {ExportKind::Json, "json", ".atlas.json", "how to read it, always with a picture", false, true,
     nullptr, nullptr, nullptr},
};

constexpr const ExportFormat& exportFormat(ExportKind kind) {
  return kExportFormats[static_cast<std::size_t>(kind)];
}
std::optional<ExportKind> exportKindFromName(std::string_view name);

// `kinds`, with the sidecar where a picture needs one.
ExportKinds withSidecar(ExportKinds kinds);

// The names of the formats that hold texels, or of those that hold texels of one format, for a
// sentence: "ckatlas, exr or png".
std::string imageFormatNames();
std::string imageFormatNames(TexelFormat format);

}  // namespace ck
