#pragma once

#include <string>
#include <string_view>

#include "core/export/impostors.h"
#include "core/export/sidecar_json.h"

namespace ck {

// NAME.impostors.json, which describes the two pictures that lie beside it (docs/export.md;
// docs/impostors.schema.json).
struct ImpostorDocument {
  std::string name;     // of the set
  Impostors impostors;  // without pixels
  // Names without folders.
  ExportedTargetFile color;
  ExportedTargetFile form;
  bool operator==(const ImpostorDocument&) const = default;
};

std::string impostorText(ImpostorDocument document);
// Fails with InvalidInput if it is damaged, and with Unsupported for a later version.
Result<ImpostorDocument> impostorsFromText(std::string_view text);

}  // namespace ck
