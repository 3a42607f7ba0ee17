#include "core/import/worker/collada/collada_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <glm/glm.hpp>
#include <optional>
#include <pugixml.hpp>
#include <set>
#include <sstream>
#include <unordered_map>

#include "core/import/worker/collada/collada_check.h"
#include "core/import/worker/collada/collada_sampler.h"
#include "core/import/worker/collada/collada_text.h"
#include "core/import/worker/text/names.h"

namespace ck::worker {
namespace {

constexpr std::size_t kMostNumbers = 50'000'000;
constexpr int kDeepest = 4'096;
constexpr double kLargestValue = 1e15;

constexpr const char* kMisfit = "its keys and values do not fit each other";

// The course of a curve beyond its keys, by COLLADA 1.5 or as Maya's exporters say it.
Beyond beyondOf(std::string_view word) {
  if (word == "GRADIENT" || word == "LINEAR") return Beyond::KeepSlope;
  if (word == "CYCLE") return Beyond::Repeat;
  if (word == "CYCLE_RELATIVE") return Beyond::RepeatRelative;
  if (word == "OSCILLATE") return Beyond::Mirror;
  return Beyond::Constant;
}

// The part of an address after its transform: "ANGLE" or "X" in "rotateX.ANGLE", the index in
// "matrix(3)" or "matrix(0)(3)".
struct Address {
  std::string node;
  std::string sid;
  std::string member;
  std::vector<int> indices;
};

Address addressOf(std::string_view target) {
  Address address;
  const std::size_t slash = target.find('/');
  std::string_view rest = target;
  if (slash != std::string_view::npos) {
    address.node = target.substr(0, slash);
    rest = target.substr(target.rfind('/') + 1);
  }
  const std::size_t brace = rest.find('(');
  std::string_view head = rest.substr(0, brace);
  for (std::size_t at = brace; at != std::string_view::npos; at = rest.find('(', at + 1)) {
    const std::string_view digits = rest.substr(at + 1);
    // Some exporters write a name that ends in the index: (Weight_0_1).
    const std::size_t end = std::min(digits.find(')'), digits.size());
    const std::string_view inside = digits.substr(0, end);
    const std::string_view number = inside.substr(inside.find_last_of('_') + 1);
    int index = -1;
    std::from_chars(number.data(), number.data() + number.size(), index);
    address.indices.push_back(index);
  }
  if (slash == std::string_view::npos) {
    address.node = head;
    return address;
  }
  const std::size_t dot = head.rfind('.');
  address.sid = head.substr(0, dot);
  if (dot != std::string_view::npos) address.member = head.substr(dot + 1);
  return address;
}

// The elements that place a node, and how many numbers are read of each.
struct TransformElement {
  std::string_view name;
  ColladaTransform::Kind kind;
  std::size_t numbers;
};
constexpr TransformElement kTransformElements[] = {
    {"translate", ColladaTransform::Kind::Translate, 3},
    {"rotate", ColladaTransform::Kind::Rotate, 4},
    {"scale", ColladaTransform::Kind::Scale, 3},
    {"matrix", ColladaTransform::Kind::Matrix, 16},
    {"lookat", ColladaTransform::Kind::Other, 0},
    {"skew", ColladaTransform::Kind::Other, 0},
};

const TransformElement* transformElement(std::string_view name) {
  const auto* const found = std::ranges::find(kTransformElements, name, &TransformElement::name);
  return found == std::end(kTransformElements) ? nullptr : found;
}

ColladaTransform transformOf(const pugi::xml_node& element, const TransformElement& form) {
  ColladaTransform transform{form.kind, numbersOf(element.text().get())};
  transform.numbers.resize(form.numbers, 0.0);
  for (double& number : transform.numbers) {
    if (!std::isfinite(number)) number = 0.0;
  }
  return transform;
}

// The range of numbers of a transform that an address refers to: first index and count.
std::optional<std::pair<int, int>> numbersMeant(const Address& address,
                                                const ColladaTransform& transform) {
  const int all = static_cast<int>(transform.numbers.size());
  if (address.indices.size() == 2) {
    const int column = address.indices[0];
    const int row = address.indices[1];
    if (all != 16 || column < 0 || column > 3 || row < 0 || row > 3) return std::nullopt;
    return std::pair(column + 4 * row, 1);
  }
  if (address.indices.size() == 1) {
    if (address.indices[0] < 0 || address.indices[0] >= all) return std::nullopt;
    return std::pair(address.indices[0], 1);
  }
  const std::string& member = address.member;
  if (member.empty()) return std::pair(0, all);
  if (member == "ANGLE" && transform.kind == ColladaTransform::Kind::Rotate) return std::pair(3, 1);
  const std::size_t axis = std::string_view("XYZ").find(member);
  if (member.size() == 1 && axis != std::string_view::npos && all <= 4 && all > 0) {
    return std::pair(static_cast<int>(axis), 1);
  }
  return std::nullopt;
}

class ColladaReader : pugi::xml_tree_walker {
 public:
  Result<ColladaMotion> run(std::string_view file) {
    const pugi::xml_parse_result parsed =
        document_.load_buffer(file.data(), file.size(), pugi::parse_default, pugi::encoding_auto);
    if (!parsed) return broken(file, parsed);
    root_ = document_.child("COLLADA");
    if (!root_) return fail(ErrorCode::InvalidInput, "this XML is no Collada: it has no <COLLADA>");
    readAsset();
    if (!root_.traverse(*this)) {
      return fail(ErrorCode::LimitExceeded,
                  fmt::format("elements are nested more than {} deep", kDeepest));
    }
    readAnimations();
    readClips();
    cutMotion();
    if (const auto sound = checkCollada(root_); !sound) return tl::unexpected(sound.error());
    return std::move(motion_);
  }

 private:
  static tl::unexpected<Error> broken(std::string_view file, const pugi::xml_parse_result& parsed) {
    if (parsed.status == pugi::status_out_of_memory) {
      return fail(ErrorCode::ImportMemory, "reading it needs more memory than the limit");
    }
    const auto end = file.begin() + std::clamp<std::ptrdiff_t>(
                                        parsed.offset, 0, static_cast<std::ptrdiff_t>(file.size()));
    return fail(ErrorCode::InvalidInput,
                fmt::format("line {}: the XML is broken here ({}); the file is cut short or "
                            "damaged, so export it again",
                            1 + std::count(file.begin(), end, '\n'), parsed.description()));
  }

  void readAsset() {
    const pugi::xml_node asset = root_.child("asset");
    const auto meters = numbersOf(asset.child("unit").attribute("meter").value());
    if (meters.size() == 1 && meters[0] > 1e-9 && meters[0] < 1e9) motion_.unitMeters = meters[0];
    const std::string_view up = trimmedText(asset.child("up_axis").text().get());
    if (up == "X_UP" || up == "Z_UP") motion_.upAxis = up[0];
  }

  // Maps each id to its first element. Ends the walk if the nesting is too deep for recursion, here
  // and when pugixml frees it.
  bool for_each(pugi::xml_node& element) override {
    if (element.type() != pugi::node_element) return true;
    const std::string_view kind = element.name();
    if (const char* id = element.attribute("id").value(); *id != 0) {
      byId_.try_emplace(id, element);
      const std::string_view name = trimmedText(element.attribute("name").value());
      if (kind == "node" && !name.empty()) motion_.nameOfId.try_emplace(id, name);
    }
    if (kind == "instance_controller") instances_.push_back(element);
    if (kind == "wrap_s" || kind == "wrap_t") {
      const std::string_view wrap = trimmedText(element.text().get());
      wraps_ += wrap.empty() || wrap == "WRAP" ? 0 : 1;
    }
    if (kind == "instance_controller" || kind == "instance_geometry") {
      const char* node = element.parent().attribute("id").value();
      if (*node != 0) motion_.meshNodes.emplace_back(node);
    }
    return depth() < kDeepest;
  }

  pugi::xml_node target(const char* reference) const {
    if (*reference != '#') return {};
    const auto found = byId_.find(reference + 1);
    return found == byId_.end() ? pugi::xml_node() : found->second;
  }

  // The text of a <source>'s array, and the number of values per key.
  std::pair<const char*, int> arrayOf(const pugi::xml_node& source) const {
    const pugi::xml_node accessor = source.child("technique_common").child("accessor");
    pugi::xml_node array = target(accessor.attribute("source").value());
    if (!array) array = source.child("float_array");
    if (!array) array = source.child("Name_array");
    return {array.text().get(), std::clamp(accessor.attribute("stride").as_int(1), 1, 64)};
  }

  // Channels are in <animation> elements, which may nest.
  void readAnimations() {
    for (pugi::xml_node library : root_.children("library_animations")) {
      for (pugi::xml_node outer : library.children("animation")) {
        readChannelsBelow(outer);
      }
    }
  }

  void readChannelsBelow(const pugi::xml_node& animation) {
    for (pugi::xml_node child : animation.children()) {
      if (std::string_view(child.name()) == "animation") readChannelsBelow(child);
      if (std::string_view(child.name()) == "channel") readChannel(child);
    }
  }

  void readChannel(const pugi::xml_node& element) {
    const std::string_view path = element.attribute("target").value();
    const pugi::xml_node source = target(element.attribute("source").value());
    const Address address = addressOf(path);
    if (address.sid == "visibility") {
      ++visibilities_;
      return;
    }
    ColladaChannel channel;
    if (const pugi::xml_node weights = morphWeights(address)) {
      if (!aimAtMorph(weights, address, channel)) {
        return drop(path, "no mesh in the scene has that morph");
      }
      readMorphs(element, source, weights, address, channel);
      return;
    }
    if (path.find('/') == std::string_view::npos) {
      return drop(path, "it names nothing that can move");
    }
    const auto meant = aimAtNode(address, channel);
    if (!meant) return drop(path, "no node or transform of that name is there");
    const auto sampler = readSampler(source, static_cast<std::size_t>(*meant));
    if (!sampler || !addCurves(*sampler, channel)) return drop(path, kMisfit);
    keep(element, std::move(channel));
  }

  // A channel without an index moves all weights of the morph.
  void readMorphs(const pugi::xml_node& element, const pugi::xml_node& source,
                  const pugi::xml_node& weights, const Address& address, ColladaChannel channel) {
    const std::string_view path = element.attribute("target").value();
    const bool isOne = !address.indices.empty();
    const std::size_t count = isOne ? 1 : wordsOf(arrayOf(weights).first).size();
    const auto sampler = readSampler(source, count);
    if (!sampler || count == 0 || !addCurves(*sampler, channel)) return drop(path, kMisfit);
    std::vector<KeyCurve> curves = std::move(channel.curves);
    for (std::size_t c = 0; c < curves.size(); ++c) {
      channel.firstNumber = isOne ? address.indices[0] : static_cast<int>(c);
      channel.curves = {std::move(curves[c])};
      keep(element, channel);
    }
  }

  void keep(const pugi::xml_node& element, ColladaChannel channel) {
    parents_.push_back(element.parent());
    motion_.channels.push_back(std::move(channel));
  }

  void drop(std::string_view target, const char* why) {
    if (dropped_++ == 0) firstDropped_ = fmt::format("'{}': {}", cleanText(target, 100), why);
  }

  // The number of values that the channel animates.
  std::optional<int> aimAtNode(const Address& address, ColladaChannel& channel) {
    const auto found = byId_.find(address.node);
    if (found == byId_.end() || std::string_view(found->second.name()) != "node") {
      return std::nullopt;
    }
    std::vector<ColladaTransform>& list = motion_.transforms[address.node];
    const bool isNew = list.empty();
    int place = 0;
    std::optional<std::pair<int, int>> meant;
    for (pugi::xml_node child : found->second.children()) {
      const TransformElement* form = transformElement(child.name());
      if (form == nullptr) continue;
      if (isNew) list.push_back(transformOf(child, *form));
      if (!meant && child.attribute("sid").value() == address.sid) {
        channel.transform = place;
        meant = numbersMeant(address, list[static_cast<std::size_t>(place)]);
      }
      ++place;
    }
    if (!meant) return std::nullopt;
    channel.node = address.node;
    channel.firstNumber = meant->first;
    return meant->second;
  }

  // The <source> of morph weights that an address means: "weights-id(2)", or
  // "controller-id/weights-id(2)" with the id or the sid of the source.
  pugi::xml_node morphWeights(const Address& address) const {
    const auto found = byId_.find(address.node);
    if (found == byId_.end() || address.indices.size() > 1) return {};
    const pugi::xml_node element = found->second;
    if (std::string_view(element.name()) == "source" && address.sid.empty()) {
      return std::string_view(element.parent().name()) == "morph" ? element : pugi::xml_node();
    }
    for (const pugi::xml_node source : element.child("morph").children("source")) {
      if (source.attribute("id").value() == address.sid) return source;
      if (source.attribute("sid").value() == address.sid) return source;
    }
    return {};
  }

  bool aimAtMorph(const pugi::xml_node& weights, const Address& address, ColladaChannel& channel) {
    if (!address.indices.empty() && address.indices[0] < 0) return false;
    const std::string morph = std::string("#") + weights.parent().parent().attribute("id").value();
    for (const pugi::xml_node& instance : instances_) {
      const std::string_view url = instance.attribute("url").value();
      const pugi::xml_node skin = target(instance.attribute("url").value()).child("skin");
      if (url == morph || skin.attribute("source").value() == morph) {
        channel.node = instance.parent().attribute("id").value();
        return true;
      }
    }
    return false;
  }

  // Reads the first `width` numbers of every key; nothing if keys and values do not fit.
  std::optional<ColladaSampler> readSampler(const pugi::xml_node& element, std::size_t width) {
    std::map<std::string_view, pugi::xml_node> inputs;
    for (pugi::xml_node input : element.children("input")) {
      inputs[input.attribute("semantic").value()] = target(input.attribute("source").value());
    }
    ColladaSampler sampler;
    sampler.width = width;
    sampler.times = numbersOf(arrayOf(inputs["INPUT"]).first);
    const auto [text, stride] = arrayOf(inputs["OUTPUT"]);
    const std::vector<double> values = numbersOf(text);
    const std::size_t keys = sampler.times.size();
    const std::size_t perKey = static_cast<std::size_t>(stride);
    if (keys == 0 || perKey < width || values.size() < keys * perKey) return std::nullopt;
    numbersRead_ += values.size();
    if (numbersRead_ > kMostNumbers) return std::nullopt;
    for (std::size_t k = 0; k < keys; ++k) {
      for (std::size_t i = 0; i < width; ++i) sampler.values.push_back(values[k * perKey + i]);
    }
    readKinds(arrayOf(inputs["INTERPOLATION"]).first, sampler);
    readTangents(arrayOf(inputs["IN_TANGENT"]), sampler, sampler.inTangents, -1.0);
    readTangents(arrayOf(inputs["OUT_TANGENT"]), sampler, sampler.outTangents, 1.0);
    if (sampler.outTangents.empty()) sampler.inTangents.clear();
    sampler.before = beyondOf(behaviour(element, inputs["INPUT"], "pre_behavior", "pre_infinity"));
    sampler.after = beyondOf(behaviour(element, inputs["INPUT"], "post_behavior", "post_infinity"));
    return sampler;
  }

  // COLLADA 1.5 has an attribute of the sampler; Maya's exporters for 1.4 write an element beside
  // the key times or below the animation.
  static std::string_view behaviour(const pugi::xml_node& sampler, const pugi::xml_node& times,
                                    const char* attribute, const char* element) {
    if (sampler.attribute(attribute)) return sampler.attribute(attribute).value();
    for (const pugi::xml_node& place :
         {times, sampler.child("extra"), sampler.parent().child("extra")}) {
      for (const pugi::xml_node technique : place.children("technique")) {
        const pugi::xml_node found = technique.child(element);
        if (found) return trimmedText(found.text().get());
      }
    }
    return {};
  }

  static void readKinds(const char* text, ColladaSampler& sampler) {
    using Kind = ColladaSampler::Kind;
    for (const std::string_view word : wordsOf(text)) {
      sampler.kinds.push_back(word == "STEP"      ? Kind::Step
                              : word == "BEZIER"  ? Kind::Bezier
                              : word == "HERMITE" ? Kind::Hermite
                                                  : Kind::Linear);
    }
    const Kind rest = sampler.kinds.empty() ? Kind::Linear : sampler.kinds.back();
    sampler.kinds.resize(sampler.times.size(), rest);
  }

  // Two numbers per value (seconds and value). Older files have only the value; the time is then a
  // third of the way to the neighbouring key.
  static void readTangents(std::pair<const char*, int> source, const ColladaSampler& sampler,
                           std::vector<glm::dvec2>& tangents, double side) {
    const std::vector<double> numbers = numbersOf(source.first);
    const std::size_t count = sampler.values.size();
    if (count == 0 || (numbers.size() != count && numbers.size() != 2 * count)) return;
    const bool pairs = numbers.size() == 2 * count;
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t key = i / sampler.width;
      const std::size_t last = sampler.times.size() - 1;
      const std::size_t other = side < 0.0 ? (key == 0 ? 0 : key - 1) : std::min(key + 1, last);
      const double third = sampler.times[key] + (sampler.times[other] - sampler.times[key]) / 3.0;
      const glm::dvec2 tangent =
          pairs ? glm::dvec2(numbers[2 * i], numbers[2 * i + 1]) : glm::dvec2(third, numbers[i]);
      const bool good = std::isfinite(tangent.x) && std::abs(tangent.y) < kLargestValue;
      tangents.push_back(good ? tangent : glm::dvec2(third, sampler.values[i]));
    }
  }

  // Adds one curve per number, with the keys that have finite times in ascending order, and the
  // first of several keys with equal times.
  bool addCurves(const ColladaSampler& sampler, ColladaChannel& channel) {
    std::map<double, std::size_t> order;
    bool inOrder = true;
    for (std::size_t k = 0; k < sampler.times.size(); ++k) {
      bool good = std::abs(sampler.times[k]) < 1e9;
      for (std::size_t i = 0; i < sampler.width; ++i) {
        good = good && std::abs(sampler.values[k * sampler.width + i]) < kLargestValue;
      }
      inOrder = inOrder && (!good || order.empty() || sampler.times[k] >= order.rbegin()->first);
      if (!good || !order.try_emplace(sampler.times[k], k).second) ++badKeys_;
    }
    if (order.empty()) return false;
    if (!inOrder) ++unsorted_;
    for (std::size_t part = 0; part < sampler.width; ++part) {
      channel.curves.push_back(curveOf(sampler, part, order));
    }
    return true;
  }

  void readClips() {
    if (wraps_ > 0) {
      warn(motion_.notes, "WrapIgnored",
           fmt::format("{} samplers mirror their pictures or end them at their edges; the pictures "
                       "are repeated",
                       wraps_));
    }
    if (dropped_ > 0) {
      warn(motion_.notes, "ChannelDropped",
           fmt::format("{} channels were left out, the first of them {}", dropped_, firstDropped_));
    }
    if (visibilities_ > 0) {
      warn(motion_.notes, "VisibilityFixed",
           fmt::format("{} channels show and hide nodes, which are always shown", visibilities_));
    }
    if (badKeys_ > 0) {
      warn(motion_.notes, "KeysDropped",
           fmt::format("{} keys were not a number or lay at a time that has a key already, and "
                       "were left out",
                       badKeys_));
    }
    if (unsorted_ > 0) {
      warn(motion_.notes, "KeysSorted",
           fmt::format("the keys of {} curves were out of order and were sorted", unsorted_));
    }
    for (pugi::xml_node library : root_.children("library_animation_clips")) {
      for (pugi::xml_node element : library.children("animation_clip")) {
        if (motion_.clips.size() < 10'000) readClip(element);
      }
    }
    addUnnamedMotion();
  }

  // Channels that no clip names are a clip as well, unless they are still. It is called like the
  // <animation> around all of them, where there is one.
  void addUnnamedMotion() {
    std::set<int> named;
    for (const ColladaClip& clip : motion_.clips) {
      named.insert(clip.channels.begin(), clip.channels.end());
    }
    ColladaClip rest;
    std::set<pugi::xml_node> outer;
    for (std::size_t c = 0; c < motion_.channels.size(); ++c) {
      if (named.contains(static_cast<int>(c))) continue;
      rest.channels.push_back(static_cast<int>(c));
      pugi::xml_node animation = parents_[c];
      while (std::string_view(animation.parent().name()) == "animation") {
        animation = animation.parent();
      }
      outer.insert(animation);
    }
    const auto isStill = [this](int channel) {
      const auto& curves = motion_.channels[static_cast<std::size_t>(channel)].curves;
      return std::all_of(curves.begin(), curves.end(), [](const KeyCurve& curve) {
        return std::all_of(curve.keys.begin(), curve.keys.end(), [&](const KeyCurve::Key& key) {
          return key.value == curve.keys.front().value;
        });
      });
    };
    if (rest.channels.empty()) return;
    if (!motion_.clips.empty() && std::ranges::all_of(rest.channels, isStill)) return;
    if (outer.size() == 1) rest.name = trimmedText(outer.begin()->attribute("name").value());
    motion_.clips.push_back(std::move(rest));
  }

  void readClip(const pugi::xml_node& element) {
    ColladaClip clip;
    clip.name = trimmedText(element.attribute("name").value());
    if (clip.name.empty()) clip.name = trimmedText(element.attribute("id").value());
    std::set<pugi::xml_node> animations;
    for (pugi::xml_node instance : element.children("instance_animation")) {
      animations.insert(target(instance.attribute("url").value()));
    }
    animations.erase(pugi::xml_node());
    for (std::size_t c = 0; c < motion_.channels.size(); ++c) {
      pugi::xml_node at = parents_[c];
      while (at && !animations.contains(at)) at = at.parent();
      if (at) clip.channels.push_back(static_cast<int>(c));
    }
    // A clip that states its end begins at 0 where it states no start.
    const bool hasEnd = element.attribute("end");
    if (hasEnd || element.attribute("start")) {
      clip.startSeconds = element.attribute("start").as_double(0.0);
      if (hasEnd) clip.endSeconds = element.attribute("end").as_double(-1.0);
      const double end = clip.endSeconds.value_or(*clip.startSeconds + 1.0);
      if (!(end > *clip.startSeconds) || !std::isfinite(end) || *clip.startSeconds < -1e9) {
        warn(
            motion_.notes, "ClipRangeIgnored",
            fmt::format("clip '{}' is stated to last from {} s to {} s; all of its keys are played",
                        cleanText(clip.name), cleanText(element.attribute("start").value()),
                        cleanText(element.attribute("end").value())));
        clip.startSeconds.reset();
        clip.endSeconds.reset();
      }
    }
    motion_.clips.push_back(std::move(clip));
  }

  // Assimp fails at <skew>, so its matrix stands in its place.
  static void rewriteSkews(pugi::xml_node element) {
    for (pugi::xml_node child : element.children()) {
      if (std::string_view(child.name()) != "skew") {
        rewriteSkews(child);
        continue;
      }
      const std::string matrix = skewMatrix(numbersOf(child.text().get()));
      child.set_name("matrix");
      child.text().set(matrix.c_str());
    }
  }

  // The rows of I + tan(angle) b a^T: what lies along the first axis, a, is moved along the second.
  static std::string skewMatrix(const std::vector<double>& numbers) {
    glm::dmat4 skew(1.0);
    const bool good = numbers.size() == 7 && std::ranges::all_of(numbers, [](double number) {
                        return std::abs(number) < kLargestValue;
                      });
    if (good) {
      const glm::dvec3 along(numbers[1], numbers[2], numbers[3]);
      const glm::dvec3 moved(numbers[4], numbers[5], numbers[6]);
      const double lengths = glm::length(along) * glm::length(moved);
      const double share = lengths > 0.0 ? std::tan(glm::radians(numbers[0])) / lengths : 0.0;
      for (int i = 0; i < 9; ++i) skew[i % 3][i / 3] += share * moved[i / 3] * along[i % 3];
    }
    std::string text;
    for (int i = 0; i < 16; ++i) text += fmt::format("{} ", skew[i % 4][i / 4]);
    return text.substr(0, text.size() - 1);
  }

  void cutMotion() {
    while (root_.remove_child("library_animations")) {
    }
    while (root_.remove_child("library_animation_clips")) {
    }
    rewriteSkews(root_);
    std::ostringstream text;
    document_.save(text, "", pugi::format_raw, pugi::encoding_utf8);
    motion_.withoutMotion = std::move(text).str();
  }

  pugi::xml_document document_;
  pugi::xml_node root_;
  std::unordered_map<std::string, pugi::xml_node> byId_;
  std::vector<pugi::xml_node> instances_;  // <instance_controller>
  std::vector<pugi::xml_node> parents_;    // one per channel
  int dropped_ = 0;
  std::string firstDropped_;
  int visibilities_ = 0;
  int wraps_ = 0;
  int badKeys_ = 0;
  int unsorted_ = 0;
  std::size_t numbersRead_ = 0;
  ColladaMotion motion_;
};

}  // namespace

Result<ColladaMotion> readColladaMotion(std::string_view file) {
  return ColladaReader().run(file);
}

}  // namespace ck::worker
