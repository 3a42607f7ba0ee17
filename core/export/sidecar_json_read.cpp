#include "core/export/sidecar_json_read.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>

#include "core/export/sidecar_json.h"

namespace ck {
namespace {

using Json = nlohmann::json;

constexpr int kNewestVersion = 2;
constexpr int kDeepest = 32;

// Reads values of one JSON object and keeps the first that is missing or invalid.
class Fields {
 public:
  Fields(const Json& object, std::string where, std::string& problem)
      : object_(object), where_(std::move(where)), problem_(problem) {}

  int integer(const char* key, std::int64_t low, std::int64_t high) const {
    const Json* value = find(key);
    if (value != nullptr && value->is_number_integer()) {
      const bool tooBig = value->is_number_unsigned() &&
                          value->get<std::uint64_t>() > static_cast<std::uint64_t>(high);
      const auto number = tooBig ? std::int64_t{0} : value->get<std::int64_t>();
      if (!tooBig && number >= low && number <= high) return static_cast<int>(number);
    }
    complain(key, fmt::format("a whole number from {} to {}", low, high));
    return static_cast<int>(low);
  }

  double number(const char* key) const {
    const Json* value = find(key);
    if (value != nullptr && value->is_number()) {
      const auto number = value->get<double>();
      if (std::isfinite(number)) return number;
    }
    complain(key, "a number");
    return 0.0;
  }

  std::string text(const char* key) const {
    const Json* value = find(key);
    if (value != nullptr && value->is_string()) return value->get<std::string>();
    complain(key, "a text");
    return {};
  }

  bool has(const char* key) const { return find(key) != nullptr; }

  bool flag(const char* key) const {
    const Json* value = find(key);
    if (value != nullptr && value->is_boolean()) return value->get<bool>();
    complain(key, "true or false");
    return false;
  }

  // Exactly this many numbers, or zeros.
  template <class Number = float>
  std::vector<Number> numbers(const char* key, std::size_t length) const {
    const Json* value = find(key);
    std::vector<Number> result(length, Number(0));
    if (value == nullptr || !value->is_array() || value->size() != length) {
      complain(key, fmt::format("a list of {} numbers", length));
      return result;
    }
    for (std::size_t i = 0; i < length; ++i) {
      if (!(*value)[i].is_number()) {
        complain(key, fmt::format("a list of {} numbers", length));
        return result;
      }
      result[i] = static_cast<Number>((*value)[i].template get<double>());
    }
    return result;
  }

  // The elements of a glm vector.
  template <class Vector>
  Vector vector(const char* key) const {
    const auto values = numbers<typename Vector::value_type>(key, Vector::length());
    Vector result(0);
    for (int i = 0; i < Vector::length(); ++i) result[i] = values[static_cast<std::size_t>(i)];
    return result;
  }

  Fields object(const char* key) const {
    const Json* value = find(key);
    if (value != nullptr && value->is_object()) return {*value, path(key), problem_};
    complain(key, "an object");
    return {emptyObject(), path(key), problem_};
  }

  // One Fields per object of a list.
  std::vector<Fields> list(const char* key) const {
    const Json* value = find(key);
    std::vector<Fields> entries;
    if (value == nullptr || !value->is_array()) {
      complain(key, "a list");
      return entries;
    }
    for (std::size_t i = 0; i < value->size(); ++i) {
      if (!(*value)[i].is_object()) {
        complain(key, "a list of objects");
        return entries;
      }
      entries.emplace_back((*value)[i], fmt::format("{}[{}]", path(key), i), problem_);
    }
    return entries;
  }

  // Reports an unknown value.
  void complain(const char* key, const std::string& wanted) const {
    if (problem_.empty()) problem_ = fmt::format("'{}' should be {}", path(key), wanted);
  }

 private:
  static const Json& emptyObject() {
    static const Json empty = Json::object();
    return empty;
  }
  std::string path(const char* key) const { return where_.empty() ? key : where_ + "." + key; }
  const Json* find(const char* key) const {
    const auto at = object_.find(key);
    return at == object_.end() ? nullptr : &*at;
  }

  const Json& object_;
  std::string where_;
  std::string& problem_;
};

// The index of a value in `names`, as an enumerator.
template <class Value>
Value oneOf(const Fields& fields, const char* key, std::string_view (*nameOf)(Value), int count) {
  const std::string name = fields.text(key);
  for (int i = 0; i < count; ++i) {
    if (nameOf(static_cast<Value>(i)) == name) return static_cast<Value>(i);
  }
  fields.complain(key, "a name that this version knows");
  return static_cast<Value>(0);
}

std::uint64_t hashField(const Fields& fields, const char* key) {
  const std::string digits = fields.text(key);
  std::uint64_t hash = 0;
  const auto [end, problem] =
      std::from_chars(digits.data(), digits.data() + digits.size(), hash, 16);
  if (digits.size() != 16 || problem != std::errc() || end != digits.data() + digits.size()) {
    fields.complain(key, "16 hexadecimal digits");
  }
  return hash;
}

void readShape(const Fields& root, int version, Atlas& atlas) {
  constexpr int kLargest = 1 << 16;
  const Fields encodingFields = root.object("encoding");
  const auto encoding = encodingFromName(encodingFields.text("name"));
  if (!encoding) encodingFields.complain("name", "an encoding that this version knows");
  atlas.encoding = encoding.value_or(Encoding::P16);
  const Fields layoutFields = root.object("layout");
  const auto layout = layoutKindFromName(layoutFields.text("name"));
  if (!layout) layoutFields.complain("name", "a layout that this version knows");
  atlas.layout = layout.value_or(LayoutKind::Rows);
  if (version > 1) {
    const auto components = componentsFromName(encodingFields.text("components"));
    if (!components) encodingFields.complain("components", "trs, tr or r");
    atlas.components = components.value_or(Components::Trs);
  }
  // The width of the linear layout may use the full 32-bit range.
  constexpr auto kMost = std::numeric_limits<std::int32_t>::max();
  const int blockWidth = layoutFields.integer("blockWidth", 1, kMost);
  const int perFrame = version > 1 ? layoutFields.integer("texelsPerFrame", 1, kMost) : blockWidth;
  atlas.shape.block = {encodingFields.integer("texelsPerJoint", 1, 16), perFrame,
                       layoutFields.integer("framesPerBlock", 1, kMost),
                       layoutFields.integer("blocksPerRow", 1, kLargest)};
  atlas.shape.extent = {layoutFields.integer("width", 1, kLargest),
                        layoutFields.integer("height", 1, kLargest), blockWidth,
                        atlas.layout == LayoutKind::Linear ? 1 : 0};
}

ClipEdit readClipShape(const Fields& fields) {
  ClipEdit shape;
  shape.rate = fields.number("rate");
  shape.inPlace = fields.flag("inPlace");
  if (fields.has("trim")) {
    const Fields trim = fields.object("trim");
    shape.trim = Trim{trim.number("startSeconds"), trim.number("endSeconds")};
  }
  return shape;
}

AtlasClip readClip(const Fields& fields, int version) {
  constexpr auto kMost = std::numeric_limits<std::int32_t>::max();
  AtlasClip clip;
  clip.name = fields.text("name");
  if (version > 1) {
    clip.sourceName = fields.text("sourceName");
    clip.shape = readClipShape(fields.object("shape"));
  }
  clip.firstFrame = fields.integer("firstFrame", 0, kMost);
  clip.frameCount = fields.integer("frames", 2, kMost);
  clip.startSeconds = fields.number("startSeconds");
  clip.durationSeconds = fields.number("durationSeconds");
  clip.loop = oneOf<LoopMode>(fields, "loop", loopModeName, 3);
  clip.seam = oneOf<Seam>(fields, "seam", seamName, 3);
  clip.groundSpeedMetersPerSecond = fields.number("groundSpeedMetersPerSecond");
  const Fields bounds = fields.object("bounds");
  clip.bounds.low = bounds.vector<glm::dvec3>("low");
  clip.bounds.high = bounds.vector<glm::dvec3>("high");
  return clip;
}

AtlasJoint readJoint(const Fields& fields, int version) {
  AtlasJoint joint{.name = fields.text("name"),
                   .parent = fields.integer("parent", -1, 1 << 16),
                   .pivot = fields.vector<glm::vec3>("pivot")};
  if (version == 1) {
    joint.inverseBind[3] = glm::vec4(-joint.pivot, 1.0f);
    return joint;
  }
  const std::vector<float> rows = fields.numbers("inverseBind", 12);
  for (int i = 0; i < 12; ++i) {
    joint.inverseBind[i % 4][i / 4] = rows[static_cast<std::size_t>(i)];
  }
  return joint;
}

AtlasClipMorphs readClipMorphs(const Fields& fields, std::size_t frames, std::size_t targets) {
  AtlasClipMorphs clip;
  for (const Fields& slot : fields.list("slots")) {
    clip.kept.push_back({.morph = slot.integer("morph", 0, static_cast<std::int64_t>(targets) - 1),
                         .low = static_cast<float>(slot.number("low")),
                         .size = static_cast<float>(slot.number("size"))});
  }
  clip.lossMm = fields.number("lossMm");
  const std::size_t count = clip.kept.empty() ? 0 : frames * kMorphSlots;
  for (const double byte : fields.numbers<double>("weights", count)) {
    if (!(byte >= 0.0 && byte <= 255.0)) fields.complain("weights", "numbers from 0 to 255");
    clip.weights.push_back(static_cast<std::uint8_t>(std::clamp(byte, 0.0, 255.0)));
  }
  return clip;
}

// Missing in sidecars of characters without morphs.
void readMorphs(const Fields& root, Atlas& atlas) {
  if (!root.has("morphs")) return;
  const Fields morphs = root.object("morphs");
  for (const Fields& target : morphs.list("targets")) {
    atlas.morphs.names.push_back(target.text("name"));
    atlas.morphs.defaults.push_back(static_cast<float>(target.number("default")));
  }
  const std::vector<Fields> clips = morphs.list("clips");
  if (clips.size() != atlas.clips.size()) {
    return morphs.complain("clips", fmt::format("a list of {} clips", atlas.clips.size()));
  }
  for (std::size_t c = 0; c < clips.size(); ++c) {
    atlas.morphs.clips.push_back(readClipMorphs(
        clips[c], static_cast<std::size_t>(atlas.clips[c].frameCount), atlas.morphs.names.size()));
  }
}

void readAtlas(const Fields& root, int version, Atlas& atlas) {
  readShape(root, version, atlas);
  atlas.influences = root.integer("influences", 1, 4);
  atlas.interpolate = root.flag("interpolate");
  for (const Fields& fields : root.list("clips")) {
    atlas.clips.push_back(readClip(fields, version));
  }
  readMorphs(root, atlas);
  for (const Fields& fields : root.list("joints")) {
    atlas.joints.push_back(readJoint(fields, version));
  }
  const Fields ranges = root.object("ranges");
  atlas.rangeMode = oneOf<RangeMode>(ranges, "mode", rangeModeName, 3);
  for (const Fields& fields : ranges.list("values")) {
    atlas.ranges.push_back(
        {.low = fields.vector<glm::vec4>("low"), .size = fields.vector<glm::vec4>("size")});
  }
  const Fields source = root.object("source");
  atlas.sourcePath = source.text("path");
  atlas.sourceHash = hashField(source, "xxh3");
  atlas.unitScale = source.number("unitScale");
}

void readClipSources(const Fields& root, std::vector<ClipSource>& clipSources) {
  const Fields source = root.object("source");
  if (!source.has("clipFiles")) return;
  for (const Fields& fields : source.list("clipFiles")) {
    clipSources.push_back({fields.text("path"), hashField(fields, "xxh3")});
  }
}

void readEvents(const Fields& root, std::vector<std::vector<CrowdEvent>>& clipEvents) {
  bool any = false;
  for (const Fields& clip : root.list("clips")) {
    clipEvents.emplace_back();
    if (!clip.has("events")) continue;
    any = true;
    for (const Fields& fields : clip.list("events")) {
      CrowdEvent event{fields.text("name"), fields.number("unit")};
      if (!(event.unit >= 0.0 && event.unit <= 1.0)) fields.complain("unit", "between 0 and 1");
      clipEvents.back().push_back(std::move(event));
    }
  }
  if (!any) clipEvents.clear();
}

// Whether a name is a file name without path separators.
bool isPlainName(const std::string& name) {
  return !name.empty() && name != "." && name != ".." &&
         name.find_first_of(std::string_view("/\\\0", 3)) == std::string::npos;
}

void readFiles(const Fields& root, std::vector<SidecarFile>& files) {
  for (const Fields& fields : root.list("files")) {
    SidecarFile file;
    file.name = fields.text("name");
    file.bytes = static_cast<std::uint64_t>(std::max(0.0, fields.number("bytes")));
    hashField(fields, "xxh3");
    file.xxh3 = fields.text("xxh3");
    if (!isPlainName(file.name)) fields.complain("name", "a file name without folders");
    const auto kind = exportKindFromName(fields.text("kind"));
    if (!kind || *kind == ExportKind::Json) fields.complain("kind", imageFormatNames());
    file.kind = kind.value_or(ExportKind::Ckatlas);
    files.push_back(std::move(file));
  }
}

// The path of the first difference between `said` and `due`, or empty. `said` may have additional
// members.
std::string firstDifference(const Json& said, const Json& due, const std::string& path) {
  if (due.is_object() && said.is_object()) {
    for (const auto& [key, value] : due.items()) {
      const std::string inner = path.empty() ? key : path + "." + key;
      if (!said.contains(key)) return inner;
      if (std::string where = firstDifference(said[key], value, inner); !where.empty())
        return where;
    }
    return {};
  }
  if (due.is_array() && said.is_array() && due.size() == said.size()) {
    for (std::size_t i = 0; i < due.size(); ++i) {
      const std::string inner = fmt::format("{}[{}]", path, i);
      if (std::string where = firstDifference(said[i], due[i], inner); !where.empty()) return where;
    }
    return {};
  }
  return said == due ? std::string() : path;
}

// Removes what a sidecar of version 1 does not have.
void leaveOutWhatIsNew(Json& due) {
  due.erase("version");
  for (const char* key : {"form", "components", "rangesPerJoint"}) due["encoding"].erase(key);
  due["layout"].erase("texelsPerFrame");
  for (Json& joint : due["joints"]) joint.erase("inverseBind");
  for (Json& clip : due["clips"]) {
    clip.erase("sourceName");
    clip.erase("shape");
  }
}

// Whether there are texts under "decode". They are for readers and may change with versions, so
// they are not compared.
bool saysHowToDecode(const Json& said) {
  const auto decode = said.find("decode");
  if (decode == said.end() || !decode->is_object() || decode->empty()) return false;
  return std::all_of(decode->begin(), decode->end(),
                     [](const Json& words) { return words.is_string(); });
}

// The parser handles any depth, but its result does not. Check the depth before parsing.
bool tooDeep(std::string_view text) {
  int depth = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted) {
      if (c == '\\') ++i;
      if (c == '"') quoted = false;
    } else if (c == '"') {
      quoted = true;
    } else if (c == '[' || c == '{') {
      if (++depth > kDeepest) return true;
    } else if (c == ']' || c == '}') {
      --depth;
    }
  }
  return false;
}

// A position like "line 3, column 7: ...", as editors count.
tl::unexpected<Error> noJson(std::string_view text, const std::exception& error) {
  const auto* broken = dynamic_cast<const Json::parse_error*>(&error);
  if (broken == nullptr) {
    return fail(ErrorCode::InvalidInput,
                "a value in it is of another kind than it must be; export the set again");
  }
  const std::string_view before = text.substr(0, broken->byte > 0 ? broken->byte - 1 : 0);
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  const std::size_t lineEnd = before.rfind('\n');
  const std::size_t column = before.size() - (lineEnd == before.npos ? 0 : lineEnd + 1) + 1;
  return fail(
      ErrorCode::InvalidInput,
      fmt::format("line {}, column {}: this is not JSON any more; the file is damaged or cut "
                  "short, so export the set again",
                  line, column));
}

}  // namespace

Result<Sidecar> sidecarFromText(std::string_view text) {
  if (tooDeep(text)) return fail(ErrorCode::InvalidInput, "the lists in it are nested too deeply");
  try {
    const Json document = Json::parse(text);
    std::string problem;
    if (!document.is_object() || document.value("format", "") != "crowdkiln-atlas") {
      return fail(ErrorCode::InvalidInput, "this is not the sidecar of an atlas");
    }
    const Fields root(document, "", problem);
    const int version = root.integer("version", 1, 1'000'000);
    if (problem.empty() && version > kNewestVersion) {
      return fail(ErrorCode::Unsupported,
                  fmt::format("it has version {}, and this program reads up to {}", version,
                              kNewestVersion));
    }
    Sidecar sidecar;
    sidecar.name = root.text("name");
    sidecar.version = version;
    readAtlas(root, version, sidecar.atlas);
    readFiles(root, sidecar.files);
    readClipSources(root, sidecar.extras.clipSources);
    readEvents(root, sidecar.extras.clipEvents);
    if (!problem.empty()) return fail(ErrorCode::InvalidInput, problem);
    return sidecar;
  } catch (const std::exception& error) {
    return noJson(text, error);
  }
}

Result<void> checkRestated(std::string_view text, const Sidecar& sidecar) {
  try {
    const Json said = Json::parse(text);
    Json due = Json::parse(
        sidecarText(sidecar.atlas, sidecar.name, sidecar.files, nullptr, sidecar.extras));
    if (sidecar.version == 1) leaveOutWhatIsNew(due);
    if (saysHowToDecode(said)) due["decode"] = said["decode"];
    const std::string where = firstDifference(said, due, "");
    if (where.empty()) return {};
    return fail(ErrorCode::InvalidInput,
                fmt::format("'{}' contradicts the rest of it; export the set again", where));
  } catch (const std::exception& error) {
    return noJson(text, error);
  }
}

}  // namespace ck
