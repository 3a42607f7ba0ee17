#include "core/export/impostor_json.h"

#include <fmt/format.h>

#include "core/base/json_fields.h"
#include "core/base/version.h"

namespace ck {
namespace {

constexpr std::string_view kFormat = "crowdkiln-impostors";
constexpr int kVersion = 1;
constexpr std::size_t kMostEntries = 1 << 20;
constexpr int kMostWhole = 1 << 24;
constexpr double kMost = 1e9;
constexpr std::string_view kErrorWords =
    "How far off an impostor is, in metres at scale 1, between two directions and two moments: "
    "half "
    "a pixel, plus the chord of half a step of direction at half the body's thickness, plus how "
    "far "
    "joints move in half the time between two moments (root mean square over joints, of the clip "
    "that moves most).";

void describeVector(JsonFields& fields, const char* key, glm::vec3& value) {
  std::vector<double> numbers = {double(value.x), double(value.y), double(value.z)};
  fields.exactly(key, numbers);
  value = glm::vec3(glm::dvec3(numbers[0], numbers[1], numbers[2]));
}

void describePicture(JsonFields& fields, ExportedTargetFile& file) {
  fields.text("name", file.name);
  if (file.name.empty() || file.name[0] == '.' ||
      file.name.find_first_of(std::string_view("/\\\0", 3)) != std::string::npos) {
    fields.wrong("name", "is not a file name without folders");
  }
  fields.seed("bytes", file.bytes);
  fields.text("xxh3", file.xxh3);
}

void describeAll(JsonFields& root, ImpostorDocument& document) {
  Impostors& impostors = document.impostors;
  root.text("name", document.name);
  {
    JsonFields pictures = root.object("pictures");
    if (pictures.writes()) {
      pictures.derived("width", impostorWidth(impostors));
      pictures.derived("height", impostorHeight(impostors));
    }
    {
      JsonFields color = pictures.object("color");
      describePicture(color, document.color);
    }
    JsonFields form = pictures.object("form");
    describePicture(form, document.form);
  }
  {
    JsonFields cells = root.object("cells");
    cells.integer("width", impostors.cellWidth, 1, kMostWhole);
    cells.integer("height", impostors.cellHeight, 1, kMostWhole);
    cells.integer("columns", impostors.columns, 1, kMostWhole);
  }
  root.number("metersPerPixel", impostors.metersPerPixel, 0.0, kMost);
  root.number("errorMeters", impostors.errorMeters, 0.0, kMost);
  if (root.writes()) root.derived("errorSays", kErrorWords);
  root.texts("clips", impostors.clips, kMostEntries, "is not a list of names");
  root.list("rings", impostors.rings, kMostImpostorRings,
            [](JsonFields& entry, ImpostorRing& ring) {
              entry.number("elevationDegrees", ring.elevationDegrees, -90.0, 90.0);
              entry.integer("first", ring.first, 0, kMostWhole);
              entry.integer("count", ring.count, 1, kMostWhole);
            });
  std::size_t at = 0;
  root.list("directions", impostors.directions, kMostEntries,
            [&](JsonFields& entry, ImpostorDirection& seen) {
              describeVector(entry, "right", seen.right);
              describeVector(entry, "up", seen.up);
              describeVector(entry, "towards", seen.towards);
              if (at == impostors.depthPixels.size()) impostors.depthPixels.push_back(0.0f);
              auto depth = static_cast<double>(impostors.depthPixels[at]);
              entry.number("depthPixels", depth, 0.0, kMost);
              impostors.depthPixels[at++] = static_cast<float>(depth);
            });
  root.list("moments", impostors.moments, kMostEntries,
            [](JsonFields& entry, ImpostorMoment& moment) {
              entry.integer("clip", moment.clip, 0, kMostWhole);
              entry.integer("frame", moment.frame, 0, kMostWhole);
              describeVector(entry, "center", moment.center);
              describeVector(entry, "half", moment.half);
            });
  root.wholes("momentOfFrame", impostors.momentOfFrame, kMostEntries, 0, kMostWhole,
              "is not a list of numbers of moments");
}

}  // namespace

std::string impostorText(ImpostorDocument document) {
  JsonDraft draft;
  JsonFields root(draft);
  root.derived("format", kFormat);
  root.derived("version", kVersion);
  root.derived("generator", fmt::format("Crowdkiln {}", version()));
  describeAll(root, document);
  return draft.shortText() + "\n";
}

Result<ImpostorDocument> impostorsFromText(std::string_view text) {
  const auto parsed = JsonDocument::parse(text);
  if (!parsed) return tl::unexpected(parsed.error());
  std::optional<Error> problem;
  JsonFields root(parsed->root(), "", problem, JsonFields::Missing::IsWrong);
  std::string format;
  root.text("format", format);
  if (problem || format != kFormat) {
    return fail(ErrorCode::InvalidInput, "this does not describe impostors");
  }
  int found = kVersion;
  root.integer("version", found, 1, 1'000'000);
  if (found > kVersion) {
    return fail(ErrorCode::Unsupported,
                fmt::format("it has version {}, and this program reads up to {}", found, kVersion));
  }
  ImpostorDocument document;
  describeAll(root, document);
  if (problem) return tl::unexpected(*problem);
  if (auto sound = checkImpostors(document.impostors); !sound) {
    return tl::unexpected(sound.error());
  }
  return document;
}

}  // namespace ck
