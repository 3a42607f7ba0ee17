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
#include "core/export/image_file.h"

namespace ck {

// A kind of exported file. A new kind needs an enumerator here and a row of kExportFormats below.
// The sidecar is the last one, because it lists the other files.
enum class ExportKind { Ckatlas, Exr, Png, Raw, Json };

// Which files to write. Iterates in the order of ExportKind.
using ExportKinds = std::set<ExportKind>;

// One row of the table of export formats. The sidecar holds no texels, so its functions are
// nullptr.
struct ExportFormat {
  ExportKind kind;
  std::string_view name;     // value of --export, and `kind` in documents
  std::string_view ending;   // appended to the set's name, e.g. ".atlas.exr"
  std::string_view summary;  // one line for the user
  bool isImage;              // holds texels only, which the sidecar describes
  bool isSuggested;          // selected by default in the editor
  // A description of how a channel with integer value q is stored; empty if the format cannot hold
  // texels of this format.
  std::string (*stored)(TexelFormat format);
  // The bytes of the file, which states the id of its export (isSetId()) if it is not empty and the
  // format has a place for it. The format must be able to hold the atlas's texels. Equal input
  // gives equal bytes. Fails with Internal.
  Result<std::vector<std::byte>> (*write)(const Atlas& atlas, const std::string& setId);
  // The texels of a picture. Fails with InvalidInput if the file is damaged or another picture.
  Result<std::vector<std::byte>> (*decode)(std::span<const std::byte> bytes, const TexelGrid& grid);
  // Whether a library parses the picture. kiln-import does it for files of others.
  bool isParsed = false;
};

// For the container, which stores an atlas completely and has no `decode`.
std::string storedInContainer(TexelFormat format);
Result<std::vector<std::byte>> containerBytes(const Atlas& atlas, const std::string& setId = {});
// The texels of a container. `described` is the atlas without texels. Fails with InvalidInput if
// the file is damaged or holds another atlas.
Result<std::vector<std::byte>> texelsFromContainer(std::span<const std::byte> bytes,
                                                   const Atlas& described);

// Indexed by ExportKind.
inline constexpr ExportFormat kExportFormats[] = {
    {ExportKind::Ckatlas, "ckatlas", ".ckatlas", "exact, opens in Crowdkiln and kiln", false, true,
     storedInContainer, containerBytes, nullptr},
    {ExportKind::Exr, "exr", ".atlas.exr", "float picture", true, false, storedInExr, exrBytes,
     texelsFromExr, true},
    {ExportKind::Png, "png", ".atlas.png", "16-bit picture", true, true, storedInPng, pngBytes,
     texelsFromPng, true},
    {ExportKind::Raw, "raw", ".atlas.raw", "texels as they are, for loaders", true, false,
     storedInRaw, rawBytes, texelsFromRaw},
    {ExportKind::Json, "json", ".atlas.json", "how to read it, always with a picture", false, true,
     nullptr, nullptr, nullptr},
};

// Why a file is refused that has another hash than its sidecar says.
inline constexpr const char* kOfAnotherSet =
    "it is not the file that the sidecar was written for; export the set again";

constexpr const ExportFormat& exportFormat(ExportKind kind) {
  return kExportFormats[static_cast<std::size_t>(kind)];
}
std::optional<ExportKind> exportKindFromName(std::string_view name);

// The name of a file of the set `name`: "soldier.atlas.exr".
std::string fileNameOf(const std::string& name, ExportKind kind);

// Adds the sidecar if `kinds` contains an image.
ExportKinds withSidecar(ExportKinds kinds);

// The names of the formats that hold texels, or texels of one format, for a message: "ckatlas, exr
// or png".
std::string imageFormatNames();
std::string imageFormatNames(TexelFormat format);

}  // namespace ck
