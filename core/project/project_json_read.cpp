#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <unordered_set>

#include "core/base/files.h"
#include "core/morph/actor_morphs.h"
#include "core/project/cast.h"
#include "core/project/project_json.h"

namespace ck {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr int kReader = 1;  // the version of the format that this program writes
constexpr std::size_t kMostBytes = 256u * 1024u * 1024u;
constexpr int kDeepest = 64;
constexpr int kMostActors = 1'000'000;
constexpr std::size_t kMostEntries = 100'000;
constexpr std::size_t kMostCharacters = 1'000;
constexpr std::size_t kMostEvents = 1000;  // of a clip
constexpr std::size_t kMostMasks = 1000;
constexpr std::size_t kLongestText = 32'768;
constexpr double kFarthest = 1e9;

// Thrown while the parser runs, to end it; caught in this file.
struct Refusal {
  Error error;
};

Error invalid(std::string message) {
  return {ErrorCode::InvalidInput, std::move(message)};
}

// Refuses what the parser itself lets through: deep nesting and doubled keys.
class Guard {
 public:
  bool operator()(int depth, Json::parse_event_t event, const Json& parsed) {
    using Event = Json::parse_event_t;
    if (event == Event::object_start || event == Event::array_start) {
      if (depth >= kDeepest) {
        throw Refusal{{ErrorCode::LimitExceeded,
                       fmt::format("values are nested more than {} deep", kDeepest)}};
      }
    }
    if (event == Event::object_start) keys_.emplace_back();
    if (event == Event::object_end) keys_.pop_back();
    if (event == Event::key && !keys_.back().insert(parsed.get<std::string>()).second) {
      throw Refusal{invalid(fmt::format("the key '{}' is there twice", parsed.get<std::string>()))};
    }
    return true;
  }

 private:
  std::vector<std::unordered_set<std::string>> keys_;
};

Result<Json> parseChecked(std::string_view text) {
  try {
    Guard guard;
    return Json::parse(text.begin(), text.end(),
                       [&guard](int depth, Json::parse_event_t event, const Json& parsed) {
                         return guard(depth, event, parsed);
                       });
  } catch (const Refusal& refusal) {
    return tl::unexpected(refusal.error);
  } catch (const Json::parse_error& problem) {
    const std::size_t at = std::min(problem.byte, text.size());
    const auto line =
        1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n');
    return tl::unexpected(
        invalid(fmt::format("line {}: {}", line,
                            problem.byte > text.size() ? "the project file ends too early"
                                                       : "this is not valid JSON")));
  } catch (const Json::exception& problem) {
    return tl::unexpected(invalid(fmt::format("a value cannot be read: {}", problem.what())));
  }
}

// Reads the entries of one object with their ranges. A missing key gives what `value` holds
// already; the first thing that is wrong is kept and ends the reading.
class Fields {
 public:
  Fields(const Json& object, std::string where, std::optional<Error>& problem)
      : object_(object), where_(std::move(where)), problem_(problem) {
    if (!object_.is_object()) wrong("", "is not an object");
  }

  const Json* find(const char* key) const {
    if (problem_ || !object_.is_object()) return nullptr;
    const auto found = object_.find(key);
    return found == object_.end() ? nullptr : &*found;
  }

  void number(const char* key, double& value, double low, double high) {
    const Json* json = find(key);
    if (json == nullptr) return;
    if (!json->is_number()) return wrong(key, "is not a number");
    const double read = json->get<double>();
    if (!(read >= low && read <= high)) {
      return wrong(key, fmt::format("is {}, not between {} and {}", read, low, high));
    }
    value = read;
  }

  template <class Integer>
  void integer(const char* key, Integer& value, std::int64_t low, std::int64_t high) {
    const Json* json = find(key);
    if (json == nullptr) return;
    if (!json->is_number_integer()) return wrong(key, "is not a whole number");
    const bool huge =
        json->is_number_unsigned() && json->get<std::uint64_t>() > static_cast<std::uint64_t>(high);
    if (huge || json->get<std::int64_t>() < low || json->get<std::int64_t>() > high) {
      return wrong(key, fmt::format("is {}, not between {} and {}", json->dump(), low, high));
    }
    value = static_cast<Integer>(json->get<std::int64_t>());
  }

  // Any number that fits into 64 bits without sign.
  void seed(const char* key, std::uint64_t& value) {
    const Json* json = find(key);
    if (json == nullptr) return;
    if (!json->is_number_unsigned()) return wrong(key, "is not a whole number of 0 or more");
    value = json->get<std::uint64_t>();
  }

  void flag(const char* key, bool& value) {
    const Json* json = find(key);
    if (json == nullptr) return;
    if (!json->is_boolean()) return wrong(key, "is neither true nor false");
    value = json->get<bool>();
  }

  void text(const char* key, std::string& value) {
    const Json* json = find(key);
    if (json == nullptr) return;
    if (!json->is_string() || json->get_ref<const std::string&>().size() > kLongestText) {
      return wrong(key, "is not a text of ordinary length");
    }
    value = json->get<std::string>();
  }

  // One of the words that `nameOf` gives for `choices`.
  template <class Enum, class Name>
  void choice(const char* key, Enum& value, std::initializer_list<Enum> choices, Name&& nameOf) {
    std::string word(nameOf(value));
    text(key, word);
    if (problem_) return;
    for (const Enum each : choices) {
      if (nameOf(each) == word) {
        value = each;
        return;
      }
    }
    notOffered(key, word);
  }

  // What a later version offers is not damage, but it cannot be played here.
  void notOffered(const char* key, const std::string& word) {
    problem_ =
        Error{ErrorCode::Unsupported,
              fmt::format("{}{} is '{}', which this version does not offer", where_, key, word)};
  }

  // The same where the key may be missing, which leaves `value` empty.
  template <class Enum, class Name>
  void optionalChoice(const char* key, std::optional<Enum>& value,
                      std::initializer_list<Enum> choices, Name&& nameOf) {
    if (find(key) == nullptr) return;
    Enum chosen = *choices.begin();
    choice(key, chosen, choices, nameOf);
    if (!problem_) value = chosen;
  }

  void wrong(std::string_view key, std::string_view what) {
    if (!problem_) problem_ = invalid(fmt::format("{}{} {}", where_, key, what));
  }

 private:
  const Json& object_;
  std::string where_;
  std::optional<Error>& problem_;
};

const Json& emptyObject() {
  static const Json kEmpty = Json::object();
  return kEmpty;
}

const Json& emptyArray() {
  static const Json kEmpty = Json::array();
  return kEmpty;
}

// The object under a key, or an empty one.
const Json& part(Fields& root, const char* key) {
  const Json* json = root.find(key);
  return json == nullptr ? emptyObject() : *json;
}

const Json* arrayOf(Fields& fields, const char* key, std::size_t most) {
  const Json* json = fields.find(key);
  if (json == nullptr) return nullptr;
  if (json->is_array() && json->size() <= most) return json;
  fields.wrong(key, fmt::format("is not a list of at most {} entries", most));
  return nullptr;
}

// The path of a file of this machine, relative to `folder`.
void readPath(Fields& fields, const fs::path& folder, std::string& path,
              const std::optional<Error>& problem) {
  std::string text;
  fields.text("path", text);
  if (problem) return;
  const bool network =
      text.starts_with("//") || text.starts_with("\\\\") || text.find("://") != std::string::npos;
  if (text.empty() || network || text.find('\0') != std::string::npos) {
    return fields.wrong("path", fmt::format("'{}' does not name a file of this machine", text));
  }
  std::error_code failed;
  const fs::path base = folder.empty() ? fs::current_path(failed) : fs::absolute(folder, failed);
  path = pathText((base / pathFromText(text)).lexically_normal());
}

void readSources(Fields& root, const fs::path& folder, Project& project,
                 std::optional<Error>& problem) {
  const Json* list = arrayOf(root, "sources", kMostEntries);
  for (const Json& entry : list == nullptr ? emptyArray() : *list) {
    Fields fields(entry, "sources.", problem);
    readPath(fields, folder, project.sources.emplace_back().path, problem);
    if (problem) return;
  }
}

void readShape(Fields& fields, ClipShape& shape) {
  fields.number("rate", shape.rate, kSlowestClipRate, kFastestClipRate);
  fields.flag("inPlace", shape.inPlace);
  const Json* trim = fields.find("trimSeconds");
  if (trim == nullptr) return;
  const auto isTime = [](const Json& time) {
    return time.is_number() && std::abs(time.get<double>()) <= kFarthest;
  };
  if (!trim->is_array() || trim->size() != 2 || !isTime((*trim)[0]) || !isTime((*trim)[1])) {
    return fields.wrong("trimSeconds", "is not a start and an end in seconds");
  }
  shape.trim = Trim{(*trim)[0].get<double>(), (*trim)[1].get<double>()};
  if (!(shape.trim->startSeconds < shape.trim->endSeconds)) {
    fields.wrong("trimSeconds", "ends before it starts");
  }
}

std::vector<ClipEvent> readEvents(Fields& clip, const std::string& where,
                                  std::optional<Error>& problem) {
  std::vector<ClipEvent> events;
  const Json* list = arrayOf(clip, "events", kMostEvents);
  for (const Json& entry : list == nullptr ? emptyArray() : *list) {
    Fields fields(entry, where + "events.", problem);
    ClipEvent event;
    fields.text("name", event.name);
    fields.number("seconds", event.seconds, -kFarthest, kFarthest);
    events.push_back(std::move(event));
  }
  return events;
}

void readMasks(Fields& root, Project& project, std::optional<Error>& problem) {
  const Json* list = arrayOf(root, "masks", kMostMasks);
  for (const Json& entry : list == nullptr ? emptyArray() : *list) {
    Fields fields(entry, "masks.", problem);
    JointMask mask;
    fields.text("name", mask.name);
    const Json* parts = arrayOf(fields, "parts", kMostEntries);
    for (const Json& each : parts == nullptr ? emptyArray() : *parts) {
      Fields partFields(each, "masks.parts.", problem);
      MaskPart part;
      double weight = 1.0;
      partFields.text("joint", part.joint);
      partFields.number("weight", weight, 0.0, 1.0);
      partFields.flag("subtree", part.subtree);
      part.weight = static_cast<float>(weight);
      mask.parts.push_back(std::move(part));
    }
    project.masks.push_back(std::move(mask));
  }
}

// `where` stands in front of the keys that sentences name.
std::vector<ProjectClip> readClips(Fields& owner, const std::string& where,
                                   std::optional<Error>& problem) {
  std::vector<ProjectClip> clips;
  const Json* list = arrayOf(owner, "clips", kMostEntries);
  for (const Json& entry : list == nullptr ? emptyArray() : *list) {
    Fields fields(entry, where, problem);
    ProjectClip clip;
    fields.text("name", clip.name);
    fields.flag("ticked", clip.ticked);
    fields.optionalChoice("loop", clip.loop, {LoopMode::Loop, LoopMode::Once, LoopMode::PingPong},
                          loopModeName);
    fields.choice(
        "seam", clip.seam,
        {SeamChoice::Auto, SeamChoice::Inclusive, SeamChoice::Exclusive, SeamChoice::None},
        seamChoiceName);
    fields.text("title", clip.title);
    readShape(fields, clip.shape);
    clip.events = readEvents(fields, where, problem);
    clips.push_back(std::move(clip));
  }
  return clips;
}

void readBake(Fields fields, BakeSettings& bake, std::optional<Error>& problem) {
  std::string word(encodingInfo(bake.encoding).name);
  fields.text("encoding", word);
  if (const auto encoding = encodingFromName(word)) {
    bake.encoding = *encoding;
  } else if (!problem) {
    fields.notOffered("encoding", word);
  }
  fields.choice("layout", bake.layout, {LayoutKind::Rows, LayoutKind::Tiles, LayoutKind::Linear},
                layoutKindName);
  fields.optionalChoice("range", bake.rangeMode,
                        {RangeMode::Atlas, RangeMode::Joint, RangeMode::JointClip}, rangeModeName);
  fields.optionalChoice("components", bake.components,
                        {Components::Trs, Components::Tr, Components::R}, componentsName);
  fields.integer("tile", bake.tile, 2, 1 << 16);
  fields.flag("powerOfTwo", bake.powerOfTwo);
  fields.integer("textureWidth", bake.textureWidth, 0, 1 << 16);
  fields.integer("textureHeight", bake.textureHeight, 0, 1 << 16);
  fields.choice("reading", bake.reading, {Reading::Palette, Reading::Direct},
                [](Reading reading) -> std::string_view {
                  return reading == Reading::Palette ? "palette" : "direct";
                });
  fields.number("rateHz", bake.rateHz, 0.0, 100'000.0);
  fields.integer("frames", bake.frames, 0, 10'000'000);
  fields.integer("influences", bake.influences, 1, 4);
  if (bake.influences == 3) fields.wrong("influences", "is 3, not 1, 2 or 4");
  fields.flag("interpolate", bake.interpolate);
  fields.integer("maxTextureSize", bake.maxTextureSize, 16, 1 << 20);
}

void readCast(Fields& root, const fs::path& folder, Project& project,
              std::optional<Error>& problem) {
  const Json* list = arrayOf(root, "cast", kMostCharacters - 1);
  std::unordered_set<std::string> titles;
  for (const Json& entry : list == nullptr ? emptyArray() : *list) {
    Fields fields(entry, "cast.", problem);
    CastMember& member = project.cast.emplace_back();
    fields.text("title", member.title);
    if (!titles.insert(member.title).second || member.title.empty()) {
      fields.wrong("title", fmt::format("'{}' is empty or there twice", member.title));
    }
    if (fields.find("path") != nullptr) readPath(fields, folder, member.source.path, problem);
    const Json* hidden = arrayOf(fields, "hiddenMeshes", kMostEntries);
    for (const Json& name : hidden == nullptr ? emptyArray() : *hidden) {
      if (!name.is_string()) return fields.wrong("hiddenMeshes", "is not a list of names");
      member.hiddenMeshes.push_back(name.get<std::string>());
    }
    if (!member.source.path.empty()) {
      member.clips = readClips(fields, "cast.clips.", problem);
      readBake(Fields(part(fields, "bake"), "cast.bake.", problem), member.bake, problem);
    }
    if (problem) return;
  }
}

void readSpawn(Fields fields, SpawnSettings& spawn) {
  fields.integer("count", spawn.count, 0, kMostActors);
  fields.choice("formation", spawn.formation,
                {Formation::Grid, Formation::Disc, Formation::Scatter}, formationName);
  fields.seed("seed", spawn.seed);
  fields.number("spacingMeters", spawn.spacingMeters, 0.0, kFarthest);
  fields.integer("clipCount", spawn.clipCount, 1, static_cast<std::int64_t>(kMostEntries));
  fields.flag("varied", spawn.varied);
  const Json* shares = arrayOf(fields, "shares", kMostCharacters);
  for (const Json& share : shares == nullptr ? emptyArray() : *shares) {
    const double value = share.is_number() ? share.get<double>() : -1.0;
    if (!(value >= 0.0 && value <= kFarthest)) {
      return fields.wrong("shares", "is not a list of numbers of 0 or more");
    }
    spawn.shares.push_back(value);
  }
  const Json* morphs = arrayOf(fields, "variedMorphs", kMostEntries);
  if (morphs == nullptr) return;
  for (const Json& name : *morphs) {
    if (!name.is_string()) return fields.wrong("variedMorphs", "names something that is no text");
    spawn.variedMorphs.push_back(name.get<std::string>());
  }
}

// One property of all actors: a single value for all or a list.
class Column {
 public:
  Column(Fields& fields, const char* key, std::size_t count, std::size_t perActor = 1)
      : fields_(fields), key_(key), json_(fields.find(key)) {
    if (json_ != nullptr && json_->is_array() && json_->size() != count * perActor) {
      fields.wrong(key, fmt::format("has {} entries for {} actors", json_->size(), count));
      json_ = nullptr;
    }
  }

  void number(std::size_t index, float& value, double limit) {
    const Json* json = at(index);
    if (json == nullptr) return;
    if (!json->is_number() || !(std::abs(json->get<double>()) <= limit)) {
      return wrong(index, fmt::format("is not a number between {} and {}", -limit, limit));
    }
    value = static_cast<float>(json->get<double>());
  }

  // Null where there is none.
  std::optional<float> optionalNumber(std::size_t index, double limit) {
    const Json* json = at(index);
    if (json == nullptr || json->is_null()) return std::nullopt;
    float value = 0.0f;
    number(index, value, limit);
    return value;
  }

  void fraction(std::size_t index, float& value) {
    number(index, value, 1.0);
    if (value < 0.0f) wrong(index, "is not a number between 0 and 1");
  }

  void vector(std::size_t index, glm::vec3& value) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      number(index * 3 + axis, value[static_cast<int>(axis)], kFarthest);
    }
  }

  template <class Integer>
  void integer(std::size_t index, Integer& value, std::uint64_t high) {
    const Json* json = at(index);
    if (json == nullptr) return;
    if (!json->is_number_unsigned() || json->get<std::uint64_t>() > high) {
      return wrong(index, fmt::format("is not a whole number between 0 and {}", high));
    }
    value = static_cast<Integer>(json->get<std::uint64_t>());
  }

  // "clip" or the name of a loop mode.
  void loop(std::size_t index, std::optional<LoopMode>& value) {
    const Json* json = at(index);
    if (json == nullptr) return;
    const std::string word = json->is_string() ? json->get<std::string>() : std::string();
    if (word == "clip") return;
    for (const LoopMode mode : {LoopMode::Loop, LoopMode::Once, LoopMode::PingPong}) {
      if (loopModeName(mode) == word) value = mode;
    }
    if (!value) wrong(index, "is none of clip, loop, once and ping-pong");
  }

  // "own", "synced" or "start".
  void phase(std::size_t index, FadePhase& value) {
    const Json* json = at(index);
    if (json == nullptr) return;
    const std::string word = json->is_string() ? json->get<std::string>() : std::string();
    for (const FadePhase phase : {FadePhase::Own, FadePhase::Synced, FadePhase::Start}) {
      if (fadePhaseName(phase) != word) continue;
      value = phase;
      return;
    }
    wrong(index, "is none of own, synced and start");
  }

  // A place in a list of `count` entries called `what`, or -1 for none.
  void choice(std::size_t index, int& value, std::uint64_t count, std::string_view what) {
    const Json* json = at(index);
    if (json == nullptr) return;
    const bool none = json->is_number_integer() && *json == -1;
    if (!none && (!json->is_number_unsigned() || json->get<std::uint64_t>() >= count)) {
      return wrong(index, fmt::format("is neither -1 nor one of {} {}", count, what));
    }
    value = json->get<int>();
  }

  void flag(std::size_t index, bool& value) {
    const Json* json = at(index);
    if (json == nullptr) return;
    if (!json->is_boolean()) return wrong(index, "is neither true nor false");
    value = json->get<bool>();
  }

 private:
  const Json* at(std::size_t index) const {
    if (json_ == nullptr || !json_->is_array()) return json_;
    return &(*json_)[index];
  }
  void wrong(std::size_t index, std::string_view what) {
    fields_.wrong(fmt::format("{}[{}]", key_, index), what);
    json_ = nullptr;
  }

  Fields& fields_;
  const char* key_;
  const Json* json_;
};

// A column for every morph target of which an actor has a weight of its own.
void readMorphs(Fields& actorFields, std::vector<Actor>& actors, std::optional<Error>& problem) {
  const Json& morphs = part(actorFields, "morphs");
  Fields fields(morphs, "actors.morphs.", problem);
  if (problem) return;
  for (const auto& [name, values] : morphs.items()) {
    Column column(fields, name.c_str(), actors.size());
    for (std::size_t i = 0; i < actors.size(); ++i) {
      setMorph(actors[i], name, column.optionalNumber(i, kLargestMorphWeight));
    }
  }
}

void readActors(Fields fields, Project& project, std::optional<Error>& problem) {
  std::size_t count = 0;
  fields.integer("count", count, 0, kMostActors);
  Column character(fields, "character", count);
  Column clip(fields, "clip", count);
  Column offset(fields, "offset", count);
  Column rate(fields, "rate", count);
  Column position(fields, "position", count, 3);
  Column rotation(fields, "rotationDegrees", count, 3);
  Column scale(fields, "scale", count);
  Column tint(fields, "tint", count);
  Column on(fields, "on", count);
  Column travels(fields, "travels", count);
  Column turnRadius(fields, "turnRadius", count);
  Column loop(fields, "loop", count);
  Column fadeClip(fields, "fadeClip", count);
  Column fade(fields, "fade", count);
  Column fadeSeconds(fields, "fadeSeconds", count);
  Column fadeAt(fields, "fadeAtSeconds", count);
  Column fadePhase(fields, "fadePhase", count);
  Column fadeEased(fields, "fadeEased", count);
  Column mask(fields, "mask", count);
  std::vector<Actor> actors(count);
  for (std::size_t i = 0; i < count; ++i) {
    Actor& actor = actors[i];
    character.integer(i, actor.character, project.cast.size());
    const std::size_t clips = clipsOf(project, actor.character).size();
    clip.integer(i, actor.clip, clips == 0 ? 0 : clips - 1);
    offset.number(i, actor.offset, kFarthest);
    rate.number(i, actor.rate, kFarthest);
    position.vector(i, actor.position);
    rotation.vector(i, actor.rotationDegrees);
    scale.number(i, actor.scale, kFarthest);
    tint.integer(i, actor.tint, 0xffffff);
    on.flag(i, actor.on);
    travels.flag(i, actor.travels);
    turnRadius.number(i, actor.turnRadius, kFarthest);
    loop.loop(i, actor.loop);
    fadeClip.choice(i, actor.fadeClip, clips, "clips");
    fade.fraction(i, actor.fade);
    fadeSeconds.number(i, actor.fadeSeconds, kFarthest);
    if (actor.fadeSeconds < 0.0f) fields.wrong("fadeSeconds", "is below 0");
    fadeAt.number(i, actor.fadeAtSeconds, kFarthest);
    fadePhase.phase(i, actor.fadePhase);
    fadeEased.flag(i, actor.fadeEased);
    mask.choice(i, actor.mask, project.masks.size(), "masks");
  }
  readMorphs(fields, actors, problem);
  project.actors = ActorList(actors);
}

void readView(Fields fields, ViewSettings& settings) {
  fields.choice("method", settings.method,
                {Method::Palette, Method::Atlas, Method::Matrix, Method::Live, Method::Prepass,
                 Method::Pool, Method::Cpu},
                methodName);
  fields.flag("grid", settings.grid);
  fields.choice("sampling", settings.sampling,
                {ViewSampling::AsBaked, ViewSampling::Interpolated, ViewSampling::HardwareLinear,
                 ViewSampling::Nearest, ViewSampling::Compact},
                viewSamplingName);
  const int influences = settings.influences;
  fields.integer("influences", settings.influences, 0, 4);
  if (settings.influences == 3) {
    fields.wrong("influences", "is 3, not 0 (as baked), 1, 2 or 4");
    settings.influences = influences;
  }
  fields.choice("skinOn", settings.skinOn, {SkinOn::Auto, SkinOn::Gpu, SkinOn::Cpu}, skinOnName);
  fields.integer("updateEvery", settings.updateEvery, 1, 16);
  fields.choice("shadows", settings.shadows,
                {Shadows::Auto, Shadows::Off, Shadows::Soft, Shadows::Cascades}, shadowsName);
  fields.number("tickRateHz", settings.tickRateHz, 0.0, 1000.0);
  fields.choice("paletteRead", settings.paletteRead,
                {PaletteRead::Auto, PaletteRead::TextureBuffer, PaletteRead::StorageBuffer},
                paletteReadName);
  fields.flag("packedInfluences", settings.packedInfluences);
  fields.number("facesWithinMeters", settings.facesWithinMeters, 0.0, kFarthest);
}

Result<void> checkReader(Fields& root, const std::optional<Error>& problem) {
  std::string format;
  root.text("format", format);
  if (problem || format != "crowdkiln-project") {
    return tl::unexpected(invalid("this is not a Crowdkiln project"));
  }
  int minReader = 0;
  std::string needs = "a version that is not out yet";
  root.integer("minReader", minReader, 1, 1'000'000);
  root.text("needs", needs);
  if (problem) return tl::unexpected(*problem);
  if (minReader == 0) return tl::unexpected(invalid("the key 'minReader' is missing"));
  if (minReader > kReader) {
    return fail(ErrorCode::Unsupported,
                fmt::format("the project needs Crowdkiln {} or newer", needs));
  }
  return {};
}

}  // namespace

Result<Project> projectFromJson(std::string_view text, const fs::path& folder) {
  if (text.size() > kMostBytes) {
    return fail(ErrorCode::LimitExceeded,
                fmt::format("the project has {} bytes, more than the limit of {}", text.size(),
                            kMostBytes));
  }
  const auto json = parseChecked(text);
  if (!json) return tl::unexpected(json.error());
  std::optional<Error> problem;
  Fields root(*json, "", problem);
  if (auto ok = checkReader(root, problem); !ok) return tl::unexpected(ok.error());

  Project project;
  readSources(root, folder, project, problem);
  Fields import(part(root, "import"), "import.", problem);
  import.number("heightMeters", project.import.heightMeters, 0.0, kFarthest);
  import.number("unitScale", project.import.unitScale, 0.0, kFarthest);
  project.clips = readClips(root, "clips.", problem);
  readCast(root, folder, project, problem);
  readBake(Fields(part(root, "bake"), "bake.", problem), project.bake, problem);
  readSpawn(Fields(part(root, "spawn"), "spawn.", problem), project.spawn);
  root.seed("randomSeed", project.randomSeed);
  readView(Fields(part(root, "view"), "view.", problem), project.view);
  root.number("playbackSpeed", project.playbackSpeed, -1000.0, 1000.0);
  readMasks(root, project, problem);
  readActors(Fields(part(root, "actors"), "actors.", problem), project, problem);
  if (problem) return tl::unexpected(*problem);
  return project;
}

}  // namespace ck
