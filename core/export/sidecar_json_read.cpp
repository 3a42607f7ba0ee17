#include "core/export/sidecar_json_read.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>

#include "core/base/json_fields.h"
#include "core/export/sidecar_json.h"

namespace ck {
namespace {

using Json = nlohmann::json;

constexpr int kNewestVersion = 2;
constexpr auto kMostWhole = std::numeric_limits<std::int32_t>::max();
constexpr std::size_t kMostEntries = std::numeric_limits<std::int32_t>::max();

void readNumber(JsonFields& fields, const char* key, double& value) {
  constexpr double kMost = std::numeric_limits<double>::max();
  fields.number(key, value, -kMost, kMost);
}

float readFloat(JsonFields& fields, const char* key) {
  double value = 0.0;
  readNumber(fields, key, value);
  return static_cast<float>(value);
}

template <class Vector>
void readVector(JsonFields& fields, const char* key, Vector& value) {
  const std::vector<double> numbers = fields.exactly(Vector::length(), key);
  for (int i = 0; i < Vector::length(); ++i) {
    value[i] = static_cast<typename Vector::value_type>(numbers[static_cast<std::size_t>(i)]);
  }
}

std::uint64_t readHash(JsonFields& fields, const char* key) {
  std::string digits;
  fields.text(key, digits);
  std::uint64_t hash = 0;
  const auto [end, problem] =
      std::from_chars(digits.data(), digits.data() + digits.size(), hash, 16);
  if (digits.size() != 16 || problem != std::errc() || end != digits.data() + digits.size()) {
    fields.wrong(key, "is not 16 hexadecimal digits");
  }
  return hash;
}

void readShape(JsonFields& root, int version, Atlas& atlas) {
  constexpr int kLargest = 1 << 16;
  JsonFields encoding = root.object("encoding");
  std::string name;
  encoding.text("name", name);
  const auto known = encodingFromName(name);
  if (!known) encoding.notOffered("name", name);
  atlas.encoding = known.value_or(Encoding::P16);
  JsonFields layout = root.object("layout");
  layout.choice("name", atlas.layout, {LayoutKind::Rows, LayoutKind::Tiles, LayoutKind::Linear},
                layoutKindName);
  if (version > 1) {
    encoding.choice("components", atlas.components,
                    {Components::Trs, Components::Tr, Components::R}, componentsName);
  }
  // The width of the linear layout may use the full 32-bit range.
  encoding.integer("texelsPerJoint", atlas.shape.block.x, 1, 16);
  layout.integer("framesPerBlock", atlas.shape.block.z, 1, kMostWhole);
  layout.integer("blocksPerRow", atlas.shape.block.w, 1, kLargest);
  layout.integer("width", atlas.shape.extent.x, 1, kLargest);
  layout.integer("height", atlas.shape.extent.y, 1, kLargest);
  layout.integer("blockWidth", atlas.shape.extent.z, 1, kMostWhole);
  atlas.shape.extent.w = atlas.layout == LayoutKind::Linear ? 1 : 0;
  atlas.shape.block.y = atlas.shape.extent.z;
  if (version > 1) layout.integer("texelsPerFrame", atlas.shape.block.y, 1, kMostWhole);
}

void readClipEdit(JsonFields fields, ClipEdit& edit) {
  readNumber(fields, "rate", edit.rate);
  fields.flag("inPlace", edit.inPlace);
  if (!fields.has("trim")) return;
  JsonFields trim = fields.object("trim");
  edit.trim.emplace();
  readNumber(trim, "startSeconds", edit.trim->startSeconds);
  readNumber(trim, "endSeconds", edit.trim->endSeconds);
}

AtlasClip readClip(JsonFields& fields, int version) {
  AtlasClip clip;
  fields.text("name", clip.name);
  if (version > 1) {
    fields.text("sourceName", clip.sourceName);
    readClipEdit(fields.object("shape"), clip.edit);
  }
  fields.integer("firstFrame", clip.firstFrame, 0, kMostWhole);
  fields.integer("frames", clip.frameCount, 2, kMostWhole);
  readNumber(fields, "startSeconds", clip.startSeconds);
  readNumber(fields, "durationSeconds", clip.durationSeconds);
  fields.choice("loop", clip.loop, {LoopMode::Loop, LoopMode::Once, LoopMode::PingPong},
                loopModeName);
  fields.choice("seam", clip.seam, {Seam::None, Seam::Inclusive, Seam::Exclusive}, seamName);
  readNumber(fields, "groundSpeedMetersPerSecond", clip.groundSpeedMetersPerSecond);
  JsonFields bounds = fields.object("bounds");
  readVector(bounds, "low", clip.bounds.low);
  readVector(bounds, "high", clip.bounds.high);
  return clip;
}

AtlasJoint readJoint(JsonFields& fields, int version) {
  AtlasJoint joint;
  fields.text("name", joint.name);
  fields.integer("parent", joint.parent, -1, 1 << 16);
  readVector(fields, "pivot", joint.pivot);
  if (version == 1) {
    joint.inverseBind[3] = glm::vec4(-joint.pivot, 1.0f);
    return joint;
  }
  const std::vector<double> rows = fields.exactly(12, "inverseBind");
  for (int i = 0; i < 12; ++i) {
    joint.inverseBind[i % 4][i / 4] = static_cast<float>(rows[static_cast<std::size_t>(i)]);
  }
  return joint;
}

AtlasClipMorphs readClipMorphs(JsonFields& fields, std::size_t frames, std::size_t targets) {
  AtlasClipMorphs clip;
  for (JsonFields& slot : fields.objects("slots", kMostEntries)) {
    MorphSlot& kept = clip.kept.emplace_back();
    slot.integer("morph", kept.morph, 0, static_cast<std::int64_t>(targets) - 1);
    kept.low = readFloat(slot, "low");
    kept.size = readFloat(slot, "size");
  }
  readNumber(fields, "lossMm", clip.lossMm);
  const std::size_t count = clip.kept.empty() ? 0 : frames * kMorphSlots;
  const std::string what = fmt::format("is not a list of {} numbers from 0 to 255", count);
  const std::vector<double> weights = fields.numbers("weights", count, 0.0, 255.0, what);
  if (weights.size() != count) fields.wrong("weights", what);
  for (const double weight : weights) clip.weights.push_back(static_cast<std::uint8_t>(weight));
  return clip;
}

// Missing in sidecars of characters without morphs.
void readMorphs(JsonFields& root, Atlas& atlas) {
  if (!root.has("morphs")) return;
  JsonFields morphs = root.object("morphs");
  for (JsonFields& target : morphs.objects("targets", kMostEntries)) {
    target.text("name", atlas.morphs.names.emplace_back());
    atlas.morphs.defaults.push_back(readFloat(target, "default"));
  }
  std::vector<JsonFields> clips = morphs.objects("clips", kMostEntries);
  if (clips.size() != atlas.clips.size()) {
    return morphs.wrong("clips", fmt::format("is not a list of {} clips", atlas.clips.size()));
  }
  for (std::size_t c = 0; c < clips.size(); ++c) {
    atlas.morphs.clips.push_back(readClipMorphs(
        clips[c], static_cast<std::size_t>(atlas.clips[c].frameCount), atlas.morphs.names.size()));
  }
}

void readAtlas(JsonFields& root, int version, Atlas& atlas) {
  readShape(root, version, atlas);
  root.integer("influences", atlas.influences, 1, 4);
  root.flag("interpolate", atlas.interpolate);
  for (JsonFields& fields : root.objects("clips", kMostEntries)) {
    atlas.clips.push_back(readClip(fields, version));
  }
  readMorphs(root, atlas);
  for (JsonFields& fields : root.objects("joints", kMostEntries)) {
    atlas.joints.push_back(readJoint(fields, version));
  }
  JsonFields ranges = root.object("ranges");
  ranges.choice("mode", atlas.rangeMode, {RangeMode::Atlas, RangeMode::Joint, RangeMode::JointClip},
                rangeModeName);
  for (JsonFields& fields : ranges.objects("values", kMostEntries)) {
    TexelRange& range = atlas.ranges.emplace_back();
    readVector(fields, "low", range.low);
    readVector(fields, "size", range.size);
  }
  JsonFields source = root.object("source");
  source.text("path", atlas.sourcePath);
  atlas.sourceHash = readHash(source, "xxh3");
  readNumber(source, "unitScale", atlas.unitScale);
}

void readClipSources(JsonFields& root, std::vector<ClipSource>& clipSources) {
  JsonFields source = root.object("source");
  if (!source.has("clipFiles")) return;
  for (JsonFields& fields : source.objects("clipFiles", kMostEntries)) {
    ClipSource& clip = clipSources.emplace_back();
    fields.text("path", clip.path);
    clip.hash = readHash(fields, "xxh3");
  }
}

void readEvents(JsonFields& root, std::vector<std::vector<CrowdEvent>>& clipEvents) {
  bool any = false;
  for (JsonFields& clip : root.objects("clips", kMostEntries)) {
    std::vector<CrowdEvent>& events = clipEvents.emplace_back();
    if (!clip.has("events")) continue;
    any = true;
    for (JsonFields& fields : clip.objects("events", kMostEntries)) {
      CrowdEvent& event = events.emplace_back();
      fields.text("name", event.name);
      fields.number("unit", event.unit, 0.0, 1.0);
    }
  }
  if (!any) clipEvents.clear();
}

// Whether a name is a file name without path separators.
bool isPlainName(const std::string& name) {
  return !name.empty() && name != "." && name != ".." &&
         name.find_first_of(std::string_view("/\\\0", 3)) == std::string::npos;
}

void readFiles(JsonFields& root, std::vector<SidecarFile>& files) {
  for (JsonFields& fields : root.objects("files", kMostEntries)) {
    SidecarFile& file = files.emplace_back();
    fields.text("name", file.name);
    fields.seed("bytes", file.bytes);
    readHash(fields, "xxh3");
    fields.text("xxh3", file.xxh3);
    if (!isPlainName(file.name)) fields.wrong("name", "is not a file name without folders");
    std::string kind;
    fields.text("kind", kind);
    const auto known = exportKindFromName(kind);
    if (!known || *known == ExportKind::Json) {
      fields.wrong("kind", fmt::format("is not {}", imageFormatNames()));
    }
    file.kind = known.value_or(ExportKind::Ckatlas);
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

}  // namespace

Result<Sidecar> sidecarFromText(std::string_view text) {
  const auto document = JsonDocument::parse(text);
  if (!document) {
    return fail(
        document.error().code,
        document.error().message + "; the file is damaged or cut short, so export the set again");
  }
  std::optional<Error> problem;
  JsonFields root(document->root(), "", problem, JsonFields::Missing::IsWrong);
  std::string format;
  root.text("format", format);
  if (problem || format != "crowdkiln-atlas") {
    return fail(ErrorCode::InvalidInput, "this is not the sidecar of an atlas");
  }
  Sidecar sidecar;
  root.integer("version", sidecar.version, 1, 1'000'000);
  if (sidecar.version > kNewestVersion) {
    return fail(ErrorCode::Unsupported,
                fmt::format("it has version {}, and this program reads up to {}", sidecar.version,
                            kNewestVersion));
  }
  root.text("name", sidecar.name);
  readAtlas(root, sidecar.version, sidecar.atlas);
  readFiles(root, sidecar.files);
  readClipSources(root, sidecar.extras.clipSources);
  readEvents(root, sidecar.extras.clipEvents);
  if (problem) return tl::unexpected(*problem);
  return sidecar;
}

Result<void> checkRestated(std::string_view text, const Sidecar& sidecar) {
  const Json said = Json::parse(text, nullptr, false);
  Json due =
      Json::parse(sidecarText(sidecar.atlas, sidecar.name, sidecar.files, nullptr, sidecar.extras));
  if (sidecar.version == 1) leaveOutWhatIsNew(due);
  if (saysHowToDecode(said)) due["decode"] = said["decode"];
  const std::string where = firstDifference(said, due, "");
  if (where.empty()) return {};
  return fail(ErrorCode::InvalidInput,
              fmt::format("'{}' contradicts the rest of it; export the set again", where));
}

}  // namespace ck
