#include "core/import/joint_map_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <span>

#include "core/system/files.h"

namespace ck {
namespace {

constexpr std::uint64_t kMostBytes = std::uint64_t{16} << 20;
constexpr double kLargestUnit = 1e9;

std::string lowered(std::string text) {
  std::ranges::transform(text, text.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  });
  return text;
}

void describeJoints(JsonFields fields, std::map<std::string, std::string>& joints) {
  if (!fields.writes()) {
    for (const std::string& key : fields.keys()) joints[key];
  }
  for (auto& [from, to] : joints) fields.text(from.c_str(), to);
}

// Refuses keys that are not in `known`, so that a slip of the pen is no silent default.
void knowsAll(JsonFields& fields, std::span<const std::string_view> known) {
  if (fields.writes()) return;
  for (const std::string& key : fields.keys()) {
    if (std::ranges::find(known, key) == known.end()) fields.wrong(key, "is no key of a joint map");
  }
}

void describeMap(JsonFields& root, JointMap& map) {
  constexpr std::string_view kKeys[] = {"joints", "rest", "up", "metersPerUnit", "files"};
  knowsAll(root, kKeys);
  describeClipFit(root, map.fit);
  if (!root.has("files", !map.files.empty())) return;
  JsonFields files = root.object("files");
  if (!files.writes()) {
    for (const std::string& key : files.keys()) map.files[key];
  }
  for (auto& [name, fit] : map.files) {
    JsonFields entry = files.object(name.c_str());
    knowsAll(entry, std::span(kKeys).first(4));
    describeClipFit(entry, fit);
  }
}

}  // namespace

const ClipFit& JointMap::fitOf(const std::filesystem::path& file) const {
  const std::string wanted = lowered(pathText(file.filename()));
  const auto found = std::ranges::find_if(
      files, [&wanted](const auto& entry) { return lowered(entry.first) == wanted; });
  return found == files.end() ? fit : found->second;
}

void describeClipFit(JsonFields& fields, ClipFit& fit) {
  if (fields.has("joints", !fit.joints.empty()))
    describeJoints(fields.object("joints"), fit.joints);
  if (fields.has("rest", fit.rest != RestFit::Auto)) {
    fields.choice("rest", fit.rest, restFitName, RestFit::ApplyOffset);
  }
  if (fields.has("up", fit.up != UpAxis::Auto)) {
    fields.choice("up", fit.up, upAxisName, UpAxis::Z);
  }
  if (fields.has("metersPerUnit", fit.metersPerUnit != 0.0)) {
    fields.number("metersPerUnit", fit.metersPerUnit, 0.0, kLargestUnit);
  }
}

Result<JointMap> jointMapFromText(std::string_view text) {
  const auto document = JsonDocument::parse(text);
  if (!document) return tl::unexpected(document.error());
  std::optional<Error> problem;
  JsonFields root(document->root(), "", problem);
  JointMap map;
  describeMap(root, map);
  if (problem) return tl::unexpected(*problem);
  return map;
}

Result<JointMap> readJointMap(const std::filesystem::path& file) {
  const auto bytes = readFile(file, kMostBytes);
  if (!bytes) return tl::unexpected(bytes.error());
  auto map = jointMapFromText({reinterpret_cast<const char*>(bytes->data()), bytes->size()});
  if (map) return map;
  Error error = map.error();
  error.message = fmt::format("{}: {}", pathText(file.filename()), error.message);
  return tl::unexpected(std::move(error));
}

std::string jointMapText(const JointMap& map) {
  JsonDraft draft;
  JsonFields root(draft);
  JointMap written = map;
  describeMap(root, written);
  return draft.longText() + "\n";
}

Result<void> writeJointMap(const std::filesystem::path& file, const JointMap& map) {
  const std::string text = jointMapText(map);
  return writeFileAtomically(file, std::as_bytes(std::span(text)), Links::Follow);
}

}  // namespace ck
