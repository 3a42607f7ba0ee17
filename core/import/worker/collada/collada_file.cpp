#include "core/import/worker/collada/collada_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <pugixml.hpp>
#include <set>
#include <sstream>
#include <unordered_map>

#include "core/import/worker/text/names.h"

namespace ck::worker {
namespace {

constexpr std::size_t kMostNumbers = 50'000'000;
constexpr int kDeepest = 4'096;

constexpr std::string_view kBlanks = " \t\r\n";

std::string_view trimmed(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
  return text.substr(0, text.find_last_not_of(kBlanks) + 1);
}

std::vector<std::string_view> wordsOf(std::string_view text) {
  std::vector<std::string_view> words;
  for (std::size_t at = text.find_first_not_of(kBlanks); at != std::string_view::npos;) {
    const std::size_t end = std::min(text.find_first_of(kBlanks, at), text.size());
    words.push_back(text.substr(at, end - at));
    if (words.size() >= kMostNumbers) break;
    at = text.find_first_not_of(kBlanks, end);
  }
  return words;
}

// Words that are not numbers become NaN; track repair drops such keys.
std::vector<double> numbersOf(std::string_view text) {
  std::vector<double> numbers;
  for (std::string_view word : wordsOf(text)) {
    if (word.starts_with('+')) word.remove_prefix(1);
    double value = 0.0;
    const auto end = std::from_chars(word.data(), word.data() + word.size(), value);
    const bool good = end.ec == std::errc() && end.ptr == word.data() + word.size();
    numbers.push_back(good ? value : std::numeric_limits<double>::quiet_NaN());
  }
  return numbers;
}

double cubic(double p0, double c0, double c1, double p1, double s) {
  const double r = 1.0 - s;
  return r * r * r * p0 + 3.0 * r * r * s * c0 + 3.0 * r * s * s * c1 + s * s * s * p1;
}

// The spline parameter at which the curve's time is `seconds`. Control points that run backwards in
// time are clamped, so that the curve has one value per time.
double bezierPlace(double t0, double c0, double c1, double t1, double seconds) {
  c0 = std::clamp(c0, t0, t1);
  c1 = std::clamp(c1, t0, t1);
  double low = 0.0;
  double high = 1.0;
  for (int step = 0; step < 50; ++step) {
    const double middle = 0.5 * (low + high);
    (cubic(t0, c0, c1, t1, middle) < seconds ? low : high) = middle;
  }
  return 0.5 * (low + high);
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
    const std::string_view up = trimmed(asset.child("up_axis").text().get());
    if (up == "X_UP" || up == "Z_UP") motion_.upAxis = up[0];
  }

  // Maps each id to its first element. Ends the walk if the nesting is too deep for recursion, here
  // and when pugixml frees it.
  bool for_each(pugi::xml_node& element) override {
    if (element.type() != pugi::node_element) return true;
    const std::string_view kind = element.name();
    if (const char* id = element.attribute("id").value(); *id != 0) {
      byId_.try_emplace(id, element);
      const std::string_view name = trimmed(element.attribute("name").value());
      if (kind == "node" && !name.empty()) motion_.nameOfId.try_emplace(id, name);
    }
    if (kind == "instance_controller") instances_.push_back(element);
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

  // Channels are in <animation> elements, which may nest. Each channel stores its outermost and its
  // own element.
  void readAnimations() {
    for (pugi::xml_node library : root_.children("library_animations")) {
      for (pugi::xml_node outer : library.children("animation")) {
        ++outerCount_;
        outerName_ = trimmed(outer.attribute("name").value());
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
    const Address address = addressOf(path);
    ColladaChannel channel;
    if (path.find('/') == std::string_view::npos) {
      if (!aimAtMorph(address, channel)) return drop(path, "it names nothing that can move");
    } else {
      if (address.sid == "visibility") return;
      const auto meant = aimAtNode(address, channel);
      if (!meant) return drop(path, "no node or transform of that name is there");
      channel.curve.width = *meant;
    }
    const pugi::xml_node sampler = target(element.attribute("source").value());
    if (!readCurve(sampler, channel.curve)) {
      return drop(path, "its keys and values do not fit each other");
    }
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

  // "weights-id(2)": target 2 of the controller with this source.
  bool aimAtMorph(const Address& address, ColladaChannel& channel) {
    const auto found = byId_.find(address.node);
    if (found == byId_.end() || address.indices.size() != 1 || address.indices[0] < 0) return false;
    channel.firstNumber = address.indices[0];
    const std::string morph =
        std::string("#") + found->second.parent().parent().attribute("id").value();
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

  bool readCurve(const pugi::xml_node& sampler, ColladaCurve& curve) {
    std::map<std::string_view, pugi::xml_node> inputs;
    for (pugi::xml_node input : sampler.children("input")) {
      inputs[input.attribute("semantic").value()] = target(input.attribute("source").value());
    }
    curve.times = numbersOf(arrayOf(inputs["INPUT"]).first);
    const auto [text, stride] = arrayOf(inputs["OUTPUT"]);
    const std::vector<double> values = numbersOf(text);
    const std::size_t keys = curve.times.size();
    const std::size_t width = static_cast<std::size_t>(curve.width);
    const std::size_t perKey = static_cast<std::size_t>(stride);
    if (keys == 0 || perKey < width || values.size() < keys * perKey) return false;
    numbersRead_ += values.size();
    if (numbersRead_ > kMostNumbers) return false;
    for (std::size_t k = 0; k < keys; ++k) {
      for (std::size_t i = 0; i < width; ++i) curve.values.push_back(values[k * perKey + i]);
    }
    readKinds(arrayOf(inputs["INTERPOLATION"]).first, curve);
    readTangents(arrayOf(inputs["IN_TANGENT"]), curve, curve.inTangents, -1.0);
    readTangents(arrayOf(inputs["OUT_TANGENT"]), curve, curve.outTangents, 1.0);
    if (curve.outTangents.empty()) curve.inTangents.clear();
    return sortKeys(curve);
  }

  static void readKinds(const char* text, ColladaCurve& curve) {
    using Kind = ColladaCurve::Kind;
    for (const std::string_view word : wordsOf(text)) {
      curve.kinds.push_back(word == "STEP"      ? Kind::Step
                            : word == "BEZIER"  ? Kind::Bezier
                            : word == "HERMITE" ? Kind::Hermite
                                                : Kind::Linear);
    }
    const Kind rest = curve.kinds.empty() ? Kind::Linear : curve.kinds.back();
    curve.kinds.resize(curve.times.size(), rest);
  }

  // Two numbers per value (seconds and value). Older files have only the value; the time is then a
  // third of the way to the neighbouring key.
  static void readTangents(std::pair<const char*, int> source, const ColladaCurve& curve,
                           std::vector<glm::dvec2>& tangents, double side) {
    const std::vector<double> numbers = numbersOf(source.first);
    const std::size_t count = curve.values.size();
    const std::size_t width = static_cast<std::size_t>(curve.width);
    if (count == 0 || (numbers.size() != count && numbers.size() != 2 * count)) return;
    const bool pairs = numbers.size() == 2 * count;
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t key = i / width;
      const std::size_t last = curve.times.size() - 1;
      const std::size_t other = side < 0.0 ? (key == 0 ? 0 : key - 1) : std::min(key + 1, last);
      const double third = curve.times[key] + (curve.times[other] - curve.times[key]) / 3.0;
      const glm::dvec2 tangent =
          pairs ? glm::dvec2(numbers[2 * i], numbers[2 * i + 1]) : glm::dvec2(third, numbers[i]);
      const bool good = std::isfinite(tangent.x) && std::isfinite(tangent.y);
      tangents.push_back(good ? tangent : glm::dvec2(third, curve.values[i]));
    }
  }

  // Keeps keys with finite times in ascending order, and the first of several keys with equal
  // times.
  bool sortKeys(ColladaCurve& curve) {
    const std::size_t width = static_cast<std::size_t>(curve.width);
    std::map<double, std::size_t> order;
    bool inOrder = true;
    for (std::size_t k = 0; k < curve.times.size(); ++k) {
      bool good = std::abs(curve.times[k]) < 1e9;
      for (std::size_t i = 0; i < width; ++i)
        good = good && std::abs(curve.values[k * width + i]) < 1e15;
      inOrder = inOrder && (!good || order.empty() || curve.times[k] >= order.rbegin()->first);
      if (!good || !order.try_emplace(curve.times[k], k).second) ++badKeys_;
    }
    if (order.empty()) return false;
    if (order.size() == curve.times.size() && inOrder) return true;
    ColladaCurve sorted;
    sorted.width = curve.width;
    for (const auto& [time, key] : order) {
      sorted.times.push_back(time);
      sorted.kinds.push_back(curve.kinds[key]);
      for (std::size_t i = key * width; i < (key + 1) * width; ++i) {
        sorted.values.push_back(curve.values[i]);
        if (curve.inTangents.empty() || curve.outTangents.empty()) continue;
        sorted.inTangents.push_back(curve.inTangents[i]);
        sorted.outTangents.push_back(curve.outTangents[i]);
      }
    }
    if (!inOrder) ++unsorted_;
    curve = std::move(sorted);
    return true;
  }

  void readClips() {
    if (dropped_ > 0) {
      warn(motion_.notes, "ChannelDropped",
           fmt::format("{} channels were left out, the first of them {}", dropped_, firstDropped_));
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
    if (!motion_.clips.empty() || motion_.channels.empty()) return;
    ColladaClip all;
    if (outerCount_ == 1) all.name = outerName_;
    for (std::size_t c = 0; c < motion_.channels.size(); ++c) {
      all.channels.push_back(static_cast<int>(c));
    }
    motion_.clips.push_back(std::move(all));
  }

  void readClip(const pugi::xml_node& element) {
    ColladaClip clip;
    clip.name = trimmed(element.attribute("name").value());
    if (clip.name.empty()) clip.name = trimmed(element.attribute("id").value());
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
    const double start = element.attribute("start").as_double(0.0);
    const double end = element.attribute("end").as_double(0.0);
    if (end > start && std::isfinite(start) && std::isfinite(end)) {
      clip.startSeconds = start;
      clip.endSeconds = end;
    }
    motion_.clips.push_back(std::move(clip));
  }

  void cutMotion() {
    while (root_.remove_child("library_animations")) {
    }
    while (root_.remove_child("library_animation_clips")) {
    }
    std::ostringstream text;
    document_.save(text, "", pugi::format_raw, pugi::encoding_utf8);
    motion_.withoutMotion = std::move(text).str();
  }

  pugi::xml_document document_;
  pugi::xml_node root_;
  std::unordered_map<std::string, pugi::xml_node> byId_;
  std::vector<pugi::xml_node> instances_;  // <instance_controller>
  std::vector<pugi::xml_node> parents_;    // one per channel
  std::string outerName_;
  int outerCount_ = 0;
  int dropped_ = 0;
  std::string firstDropped_;
  int badKeys_ = 0;
  int unsorted_ = 0;
  std::size_t numbersRead_ = 0;
  ColladaMotion motion_;
};

}  // namespace

double ColladaCurve::at(double seconds, int part) const {
  const auto value = [this, part](std::size_t key) {
    return values[key * static_cast<std::size_t>(width) + static_cast<std::size_t>(part)];
  };
  const auto after = std::upper_bound(times.begin(), times.end(), seconds);
  if (after == times.begin()) return value(0);
  if (after == times.end()) return value(times.size() - 1);
  const std::size_t next = static_cast<std::size_t>(after - times.begin());
  const std::size_t key = next - 1;
  const double t0 = times[key];
  const double t1 = times[next];
  const double unit = (seconds - t0) / (t1 - t0);
  Kind kind = kinds[key];
  if (inTangents.empty() && kind != Kind::Step) kind = Kind::Linear;
  if (kind == Kind::Step) return value(key);
  if (kind == Kind::Linear) return value(key) + (value(next) - value(key)) * unit;
  const std::size_t w = static_cast<std::size_t>(width);
  const glm::dvec2 out = outTangents[key * w + static_cast<std::size_t>(part)];
  const glm::dvec2 in = inTangents[next * w + static_cast<std::size_t>(part)];
  if (kind == Kind::Hermite) {
    return cubic(value(key), value(key) + out.y / 3.0, value(next) - in.y / 3.0, value(next), unit);
  }
  return cubic(value(key), out.y, in.y, value(next), bezierPlace(t0, out.x, in.x, t1, seconds));
}

bool ColladaCurve::isStepped() const {
  return std::all_of(kinds.begin(), kinds.end(), [](Kind kind) { return kind == Kind::Step; });
}

Result<ColladaMotion> readColladaMotion(std::string_view file) {
  return ColladaReader().run(file);
}

}  // namespace ck::worker
