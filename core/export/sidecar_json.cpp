#include "core/export/sidecar_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <nlohmann/json.hpp>

#include "core/atlas/local_poses.h"
#include "core/atlas/pose_codec.h"
#include "core/atlas/recipe_settings.h"
#include "core/base/json_fields.h"
#include "core/base/json_text.h"
#include "core/container/atlas_file.h"
#include "core/export/error_json.h"
#include "core/import/joint_map_file.h"
#include "core/scene/clip_edit_json.h"
#include "core/system/files.h"

namespace ck {
namespace {

using Json = nlohmann::json;

constexpr int kVersion = 1;
constexpr std::string_view kFormat = "crowdkiln-atlas";
constexpr auto kMostWhole = std::numeric_limits<std::int32_t>::max();
constexpr std::size_t kMostEntries = std::numeric_limits<std::int32_t>::max();

std::string addressText(LayoutKind layout) {
  if (layout == LayoutKind::Linear) {
    return "texel k of joint j at frame f (counted through the whole atlas): n = f * "
           "texelsPerFrame "
           "+ j * texelsPerJoint + k; x = n mod width; y = floor(n / width); y counts from the top "
           "row of the picture";
  }
  return "texel k of joint j at frame f (counted through the whole atlas): block = floor(f / "
         "framesPerBlock); x = (block mod blocksPerRow) * blockWidth + j * texelsPerJoint + k; y = "
         "floor(block / blocksPerRow) * framesPerBlock + (f mod framesPerBlock); y counts from the "
         "top row of the picture";
}

// How channels are stored, described for every image format that can hold them.
std::string texelText(TexelFormat format) {
  std::string text =
      fmt::format("channels R, G, B, A as q / {:.0f} in 0..1", texelFormatInfo(format).top);
  if (isFloat(format)) text = "channels R, G, B, A as floats";
  if (format == TexelFormat::Rgb10A2Ui) {
    text =
        "a word of 32 bits without a sign: R is its bits 0 to 9, G 10 to 19, B 20 to 29, A 30 and "
        "31";
  } else if (isWords(format)) {
    text = fmt::format("channels {} as whole numbers of 32 bits without a sign",
                       texelFormatInfo(format).channels == 2 ? "R, G" : "R, G, B, A");
  }
  for (const ExportFormat& each : kExportFormats) {
    if (!each.isImage || each.stored(format).empty()) continue;
    text += fmt::format("; {} holds {}", each.ending, each.stored(format));
  }
  return text;
}

bool hasRootMotion(const Atlas& atlas) {
  return std::ranges::any_of(atlas.clips,
                             [](const AtlasClip& clip) { return !clip.rootMotion.empty(); });
}

bool hasLoopOffset(const Atlas& atlas) {
  return std::ranges::any_of(atlas.clips,
                             [](const AtlasClip& clip) { return clip.edit.loopOffset != 0.0; });
}

bool hasSockets(const Atlas& atlas) {
  return std::ranges::any_of(atlas.joints, &AtlasJoint::isSocket);
}

bool hasStepFrames(const Atlas& atlas) {
  return std::ranges::any_of(atlas.clips,
                             [](const AtlasClip& clip) { return !clip.stepFrames.empty(); });
}

bool leavesFramesOut(const Atlas& atlas) {
  return std::ranges::any_of(atlas.clips,
                             [](const AtlasClip& clip) { return !clip.keptMoments.empty(); });
}

std::string timeText(const Atlas& atlas) {
  std::string source = "source time = startSeconds + u * durationSeconds * shape.rate";
  if (hasLoopOffset(atlas)) {
    source +=
        "; of a clip with shape.loopOffset, w in place of u, with w = u + loopOffset, less 1 from "
        "1 on";
  }
  if (leavesFramesOut(atlas)) {
    return fmt::format(
        "u in 0..1 of the clip; K = its keptMoments, or 0, 1, 2, ... frames - 1 - number of its "
        "stepFrames where the key is missing; S = its stepFrames, or none: X = u * last of K; i = "
        "floor(X); k = number of K <= i, less 1; a = (X - K[k]) / (K[k + 1] - K[k]); f = k + "
        "number "
        "of S <= i; at u = 1 instead f = frames - 2 and a = 1; read frames firstFrame + f and "
        "firstFrame + f + 1; {}",
        source);
  }
  if (!hasStepFrames(atlas)) {
    return fmt::format(
        "u in 0..1 of the clip: X = u * (frames - 1); i = min(floor(X), frames - 2); a = X - i; "
        "read frames firstFrame + i and firstFrame + i + 1; {}",
        source);
  }
  return fmt::format(
      "u in 0..1 of the clip, M = frames - number of its stepFrames (none where the key is "
      "missing): X = u * (M - 1); i = floor(X); a = X - i; f = i + number of stepFrames <= i; at u "
      "= 1 instead f = frames - 2 and a = 1; read frames firstFrame + f and firstFrame + f + 1; {}",
      source);
}

std::string_view rangeText(RangedTexels ranged) {
  switch (ranged) {
    case RangedTexels::None:
      return "texels are values as they are; ";
    case RangedTexels::First:
      return "texel 0 is low + value * size with the range of the joint, texel 1 value * 2 - 1; ";
    case RangedTexels::Each:
      return "each texel k is low + value * size with range k of the joint; ";
  }
  return {};
}

// How the texels of a joint become its pose.
std::string poseText(const BakeRecipe& recipe) {
  const EncodingInfo& encoding = encodingInfo(recipe);
  const auto& stored = codecOf(encoding).stored;
  if (isPacked(encoding)) {
    return fmt::format("{}{}", wordsOf(encoding.packing).inWords,
                       isLocal(encoding) ? stored.front() : "");
  }
  return fmt::format("{}{}", rangeText(encoding.ranged),
                     stored[static_cast<std::size_t>(*recipe.components)]);
}

// The decoding rules as in docs/atlas-json.md, so that the file is self-contained.
void writeDecoding(JsonFields decode, const Sidecar& sidecar) {
  const Atlas& atlas = sidecar.atlas;
  const PoseCodec& codec = codecOf(encodingInfo(atlas.recipe));
  decode.derived("address", addressText(atlas.recipe.layout));
  decode.derived("texel", texelText(texelFormatOf(atlas)));
  decode.derived("pose", poseText(atlas.recipe));
  decode.derived(
      "range",
      "ranges.values has sets of rangesPerJoint entries: one set for the atlas, one per joint, or "
      "clip * joints + joint, as ranges.mode says (atlas, joint, joint-clip)");
  decode.derived(
      "vertex",
      fmt::format("v' = sum over influences of weight * {}; v in metres, Y up, at bind time",
                  codec.vertex));
  decode.derived("influences",
                 fmt::format("the {} heaviest joints of a vertex count, their weights divided by "
                             "their sum",
                             atlas.recipe.influences));
  decode.derived("space",
                 "model space: metres, right-handed, +Y up, characters face +Z; rig.sourceToModel "
                 "(column by column) brings points of the rig file there");
  if (sidecar.rig && !sidecar.rig->bindScales.empty()) {
    decode.derived("bindScales",
                   "v of a mesh in rig.bindScales is its scale times the point of the rig file in "
                   "model space, times its stretch (column by column) if it has one; its morph "
                   "deltas likewise");
  }
  decode.derived("time", timeText(atlas));
  decode.derived("play",
                 "u of a clip that has played for c = seconds / durationSeconds cycles: loop c - "
                 "floor(c); once min(c, 1); ping-pong: s = c - 2 floor(c / 2), u = s or, where s > "
                 "1, 2 - s");
  decode.derived("direct", codec.direct);
  decode.derived("relative", codec.relative);
  if (hasRootMotion(atlas)) {
    decode.derived(
        "rootMotion",
        "rootMotion of a clip has 4 numbers for each of its M moments: x, y, z in metres and the "
        "turn in radians about +Y, from +Z towards +X, where its way has come to since the first; "
        "at u they lerp between moments i = floor(u * (M - 1)) and i + 1. The clip is in place; "
        "an actor that walks by it stands at base * D^n * W(u), with W = translate(x, y, z) * "
        "rotateY(turn), D = W(1) and n the number of passes of a loop; n = 0 for once and "
        "ping-pong");
  }
  if (hasSockets(atlas)) {
    decode.derived(
        "sockets",
        "the place of a socket in model space, a rigid matrix: the skin matrix of its joint, which "
        "is what moves v, times inverse(inverseBind); times its actor's place in the world");
  }
  if (atlas.morphs.empty()) return;
  decode.derived(
      "morphs",
      fmt::format(
          "weights has slotsPerFrame {} for each frame of the clip: slot s of frame i of the clip "
          "is slots[s].low + slots[s].size * weights[i * slotsPerFrame + s] / {}, the weight of "
          "targets[slots[s].morph]; between frames it lerps by a; other targets have their "
          "default. v is moved by the sum of weight * delta of the rig file before it is skinned",
          atlas.morphs.form.bits == 8 ? "bytes" : "whole numbers", atlas.morphs.form.steps()));
}

// Any finite number.
void describe(JsonFields& fields, const char* key, double& value) {
  constexpr double kMost = std::numeric_limits<double>::max();
  fields.number(key, value, -kMost, kMost);
}

// With all digits of the double, unlike JsonFields::number() of a float.
void describe(JsonFields& fields, const char* key, float& value) {
  double number = value;
  describe(fields, key, number);
  value = static_cast<float>(number);
}

template <class Vector>
void describe(JsonFields& fields, const char* key, Vector& value) {
  std::vector<double> numbers(static_cast<std::size_t>(Vector::length()));
  for (int i = 0; i < Vector::length(); ++i) {
    numbers[static_cast<std::size_t>(i)] = static_cast<double>(value[i]);
  }
  fields.exactly(key, numbers);
  for (int i = 0; i < Vector::length(); ++i) {
    value[i] = static_cast<typename Vector::value_type>(numbers[static_cast<std::size_t>(i)]);
  }
}

bool isHash(const std::string& digits) {
  const auto isDigit = [](unsigned char c) { return std::isxdigit(c) != 0; };
  return digits.size() == 16 && std::ranges::all_of(digits, isDigit);
}

void describeHash(JsonFields& fields, const char* key, std::uint64_t& hash) {
  std::string digits = hashText(hash);
  fields.text(key, digits);
  if (!isHash(digits)) return fields.wrong(key, "is not 16 hexadecimal digits");
  std::from_chars(digits.data(), digits.data() + digits.size(), hash, 16);
}

template <class Item>
std::size_t indexIn(const std::vector<Item>& items, const Item& item) {
  return static_cast<std::size_t>(&item - items.data());
}

void describeShape(JsonFields& root, Atlas& atlas) {
  constexpr int kLargest = 1 << 16;
  JsonFields encoding = root.object("encoding");
  encoding.choice("name", *atlas.recipe.encoding, encodingName, encodingFromName);
  encoding.derived("form", codecOf(encodingInfo(atlas.recipe)).name);
  encoding.choice("components", *atlas.recipe.components, componentsName, Components::R);
  encoding.derived("texelFormat", texelFormatName(texelFormatOf(atlas)));
  encoding.integer("texelsPerJoint", atlas.shape.block.x, 1, 16);
  if (encoding.writes()) encoding.derived("rangesPerJoint", rangesPerJoint(codeOf(atlas)));
  JsonFields layout = root.object("layout");
  layout.choice("name", atlas.recipe.layout, layoutKindName, LayoutKind::Linear);
  layout.integer("width", atlas.shape.extent.x, 1, kLargest);
  layout.integer("height", atlas.shape.extent.y, 1, kLargest);
  layout.integer("texelsPerFrame", atlas.shape.block.y, 1, kMostWhole);
  // The width of the linear layout may use the full 32-bit range.
  layout.integer("blockWidth", atlas.shape.extent.z, 1, kMostWhole);
  layout.integer("framesPerBlock", atlas.shape.block.z, 1, kMostWhole);
  layout.integer("blocksPerRow", atlas.shape.block.w, 1, kLargest);
  atlas.shape.extent.w = atlas.recipe.layout == LayoutKind::Linear ? 1 : 0;
}

// The clip edit that was applied before the bake.
void describeEdit(JsonFields fields, ClipEdit& edit) {
  describe(fields, "rate", edit.rate);
  if (fields.has("trim", edit.trim.has_value())) {
    JsonFields trim = fields.object("trim");
    edit.trim = edit.trim.value_or(Trim{});
    describe(trim, "startSeconds", edit.trim->startSeconds);
    describe(trim, "endSeconds", edit.trim->endSeconds);
  }
  describeClipEdit(fields, edit);
}

// Four numbers for each moment: x, y, z, turn.
void describeRootMotion(JsonFields& fields, AtlasClip& clip) {
  if (!fields.has("rootMotion", !clip.rootMotion.empty())) return;
  constexpr std::size_t kEach = 4;
  const std::size_t count = static_cast<std::size_t>(momentCount(clip)) * kEach;
  std::vector<double> numbers;
  for (const RootPlace& place : clip.rootMotion) {
    for (int axis = 0; axis < 3; ++axis) numbers.push_back(double{place.position[axis]});
    numbers.push_back(double{place.yaw});
  }
  const std::string what = fmt::format("is not a list of {} numbers, 4 for each moment", count);
  constexpr double kMost = std::numeric_limits<float>::max();
  fields.numbers("rootMotion", numbers, count, -kMost, kMost, what);
  if (fields.writes()) return;
  if (numbers.size() != count) return fields.wrong("rootMotion", what);
  for (std::size_t i = 0; i < count; i += kEach) {
    const auto number = [&](std::size_t k) { return static_cast<float>(numbers[i + k]); };
    clip.rootMotion.push_back({{number(0), number(1), number(2)}, number(3)});
  }
}

void describeClip(JsonFields& fields, const Sidecar& sidecar, AtlasClip& clip) {
  fields.text("name", clip.name);
  clip.sourceName = sourceNameOf(clip);
  fields.text("sourceName", clip.sourceName);
  describeEdit(fields.object("shape"), clip.edit);
  fields.integer("firstFrame", clip.firstFrame, 0, kMostWhole);
  fields.integer("frames", clip.frameCount, 2, kMostWhole);
  if (fields.has("stepFrames", !clip.stepFrames.empty())) {
    fields.wholes("stepFrames", clip.stepFrames, kMostEntries, 1, kMostWhole,
                  "is not a list of whole numbers from 1");
  }
  if (fields.has("keptMoments", !clip.keptMoments.empty())) {
    fields.wholes("keptMoments", clip.keptMoments, kMostEntries, 0, kMostWhole - 1,
                  "is not a list of whole numbers from 0");
  }
  if (fields.writes()) {
    const glm::ivec2 first = gpu::ck_atlasTexel(sidecar.atlas.shape, clip.firstFrame, 0, 0);
    fields.derived("firstColumn", first.x);
    fields.derived("firstRow", first.y);
  }
  describe(fields, "startSeconds", clip.startSeconds);
  describe(fields, "durationSeconds", clip.durationSeconds);
  fields.choice("loop", clip.loop, loopModeName, LoopMode::PingPong);
  fields.choice("seam", clip.seam, seamName, Seam::Exclusive);
  describe(fields, "groundSpeedMetersPerSecond", clip.groundSpeedMetersPerSecond);
  describeRootMotion(fields, clip);
  JsonFields bounds = fields.object("bounds");
  describe(bounds, "low", clip.bounds.low);
  describe(bounds, "high", clip.bounds.high);
}

void describeClips(JsonFields& root, Sidecar& sidecar) {
  std::vector<ExportedEvents>& events = sidecar.clipEvents;
  const bool hasEvents = !events.empty();
  bool anyEvents = false;
  root.list("clips", sidecar.atlas.clips, kMostEntries, [&](JsonFields& fields, AtlasClip& clip) {
    describeClip(fields, sidecar, clip);
    const std::size_t number = indexIn(sidecar.atlas.clips, clip);
    if (events.size() <= number) events.resize(number + 1);
    ExportedEvents& own = events[number];
    if (fields.has("events", !own.list.empty())) {
      anyEvents = true;
      fields.list("events", own.list, kMostEntries, [](JsonFields& entry, ExportedEvent& event) {
        entry.text("name", event.name);
        entry.number("unit", event.unit, 0.0, 1.0);
        entry.flag("added", event.added);
      });
    }
    if (fields.has("eventsLeftOut", hasEvents)) {
      anyEvents = true;
      fields.integer("eventsLeftOut", own.leftOut, 0, kMostWhole);
    }
  });
  if (!anyEvents) events.clear();
}

void describeJoint(JsonFields& fields, AtlasJoint& joint) {
  fields.text("name", joint.name);
  fields.integer("parent", joint.parent, -1, 1 << 16);
  describe(fields, "pivot", joint.pivot);
  if (fields.has("socket", joint.isSocket)) fields.flag("socket", joint.isSocket);
  // The first three rows, in order.
  glm::mat4& bind = joint.inverseBind;
  std::vector<double> rows(12);
  for (int i = 0; i < 12; ++i) {
    rows[static_cast<std::size_t>(i)] = static_cast<double>(bind[i % 4][i / 4]);
  }
  fields.exactly("inverseBind", rows);
  for (int i = 0; i < 12; ++i) {
    bind[i % 4][i / 4] = static_cast<float>(rows[static_cast<std::size_t>(i)]);
  }
}

// For programs that hang things on joints: the sockets by name. Written, and not read: the joints
// say which are sockets.
void writeSockets(JsonFields& root, const Atlas& atlas) {
  if (!root.writes() || !hasSockets(atlas)) return;
  std::vector<int> sockets;
  for (std::size_t joint = 0; joint < atlas.joints.size(); ++joint) {
    if (atlas.joints[joint].isSocket) sockets.push_back(static_cast<int>(joint));
  }
  root.list("sockets", sockets, kMostEntries, [&atlas](JsonFields& entry, const int& joint) {
    entry.derived("name", atlas.joints[static_cast<std::size_t>(joint)].name);
    entry.derived("joint", joint);
  });
}

// `frames` is the number of frames of the clip.
void describeClipMorphs(JsonFields& fields, std::size_t frames, const AtlasMorphs& all,
                        AtlasClipMorphs& clip) {
  fields.list("slots", clip.kept, kMostEntries, [&](JsonFields& entry, MorphSlot& slot) {
    entry.integer("morph", slot.morph, 0, static_cast<std::int64_t>(all.names.size()) - 1);
    describe(entry, "low", slot.low);
    describe(entry, "size", slot.size);
  });
  describe(fields, "lossMm", clip.lossMm);
  const std::size_t count =
      clip.kept.empty() ? 0 : frames * static_cast<std::size_t>(all.form.slotCount);
  const int most = all.form.steps();
  const std::string what = fmt::format("is not a list of {} numbers from 0 to {}", count, most);
  fields.wholes("weights", clip.weights, count, static_cast<std::uint16_t>(most), what);
  if (clip.weights.size() != count) fields.wrong("weights", what);
}

// Missing for characters without morphs. Weights are plain numbers instead of texels.
void describeMorphs(JsonFields& root, Atlas& atlas) {
  AtlasMorphs& all = atlas.morphs;
  if (!root.has("morphs", !all.empty())) return;
  JsonFields morphs = root.object("morphs");
  morphs.integer("slotsPerFrame", all.form.slotCount, 1, kMostMorphSlots);
  if (morphs.has("bitsPerWeight", all.form.bits != MorphForm{}.bits)) {
    morphs.integer("bitsPerWeight", all.form.bits, 8, 16);
  }
  if (auto ok = checkMorphForm(all.form); !ok) morphs.wrong("bitsPerWeight", "is not 8 or 16");
  morphs.list("targets", all.names, kMostEntries, [&](JsonFields& entry, std::string& name) {
    const std::size_t target = indexIn(all.names, name);
    entry.text("name", name);
    if (all.defaults.size() <= target) all.defaults.push_back(0.0f);
    describe(entry, "default", all.defaults[target]);
  });
  morphs.list("clips", all.clips, kMostEntries, [&](JsonFields& entry, AtlasClipMorphs& morphed) {
    const std::size_t number = indexIn(all.clips, morphed);
    if (number >= atlas.clips.size()) return;
    const AtlasClip& clip = atlas.clips[number];
    entry.derived("clip", clip.name);
    describeClipMorphs(entry, static_cast<std::size_t>(clip.frameCount), all, morphed);
  });
  if (all.clips.size() != atlas.clips.size()) {
    morphs.wrong("clips", fmt::format("is not a list of {} clips", atlas.clips.size()));
  }
}

void describeRanges(JsonFields ranges, Atlas& atlas) {
  ranges.choice("mode", *atlas.recipe.rangeMode, rangeModeName, RangeMode::JointClip);
  ranges.list("values", atlas.ranges, kMostEntries, [](JsonFields& entry, TexelRange& range) {
    describe(entry, "low", range.low);
    describe(entry, "size", range.size);
  });
}

void describeSource(JsonFields source, Sidecar& sidecar) {
  source.text("path", sidecar.atlas.sourcePath);
  describeHash(source, "xxh3", sidecar.atlas.sourceHash);
  describe(source, "unitScale", sidecar.atlas.unitScale);
  if (!source.has("clipFiles", !sidecar.clipSources.empty())) return;
  source.list("clipFiles", sidecar.clipSources, kMostEntries,
              [](JsonFields& entry, ClipSource& clip) {
                entry.text("path", clip.path);
                describeHash(entry, "xxh3", clip.hash);
                describeClipFit(entry, clip.fit);
              });
}

// Whether a name is a file name without path separators.
bool isPlainName(const std::string& name) {
  return !name.empty() && name != "." && name != ".." &&
         name.find_first_of(std::string_view("/\\\0", 3)) == std::string::npos;
}

// Whether a name is a plain name, or a path of plain names below the folder.
bool isPathBelow(const std::string& name) {
  std::size_t from = 0;
  for (;;) {
    const std::size_t to = name.find('/', from);
    if (!isPlainName(name.substr(from, to - from))) return false;
    if (to == std::string::npos) return true;
    from = to + 1;
  }
}

void describeRig(JsonFields& root, Sidecar& sidecar) {
  if (!root.has("rig", sidecar.rig.has_value())) return;
  if (!sidecar.rig) sidecar.rig.emplace();
  ExportedRig& rig = *sidecar.rig;
  JsonFields fields = root.object("rig");
  // Column by column, as glTF has matrices.
  std::vector<double> numbers(16);
  for (int i = 0; i < 16; ++i) numbers[std::size_t(i)] = rig.sourceToModel[i / 4][i % 4];
  fields.exactly("sourceToModel", numbers);
  for (int i = 0; i < 16; ++i) rig.sourceToModel[i / 4][i % 4] = numbers[std::size_t(i)];
  fields.text("sourceUpAxis", rig.sourceUpAxis);
  fields.list("rigidMeshes", rig.rigidMeshes, kMostEntries, [](JsonFields& entry, RigidMesh& one) {
    entry.text("mesh", one.mesh);
    entry.integer("joint", one.joint, 0, 1 << 16);
  });
  if (fields.has("bindScales", !rig.bindScales.empty())) {
    fields.list("bindScales", rig.bindScales, kMostEntries, [](JsonFields& entry, BindScale& one) {
      entry.text("mesh", one.mesh);
      describe(entry, "scale", one.scale);
      if (!(one.scale > 0.0)) entry.wrong("scale", "is not a number above 0");
      if (!entry.has("stretch", one.stretch != glm::dmat3(1.0))) return;
      std::vector<double> stretch(9);
      for (int i = 0; i < 9; ++i) stretch[std::size_t(i)] = one.stretch[i / 3][i % 3];
      entry.exactly("stretch", stretch);
      for (int i = 0; i < 9; ++i) one.stretch[i / 3][i % 3] = stretch[std::size_t(i)];
    });
  }
  std::vector<std::vector<int>>& bounds = rig.frameBoundsMm;
  std::vector<AtlasClip>& clips = sidecar.atlas.clips;
  bounds.resize(clips.size());
  std::size_t clip = 0;
  const auto describeBounds = [&](JsonFields& entry, std::vector<int>& box) {
    if (clip >= clips.size()) return;
    entry.derived("clip", clips[clip].name);
    const std::size_t count = static_cast<std::size_t>(clips[clip++].frameCount) * 6;
    const std::string what = fmt::format("is not a list of {} whole numbers", count);
    entry.wholes("boxes", box, count, -kMostWhole, kMostWhole, what);
    if (box.size() != count) entry.wrong("boxes", what);
  };
  if (!fields.writes()) bounds.clear();
  fields.list("frameBoundsMm", bounds, kMostEntries, describeBounds);
  if (bounds.size() != clips.size()) {
    fields.wrong("frameBoundsMm", fmt::format("is not a list of {} clips", clips.size()));
  }
  constexpr std::string_view kBox = "is not a list of 6 whole numbers";
  fields.wholes("boundsMm", rig.boundsMm, 6, -kMostWhole, kMostWhole, kBox);
  if (rig.boundsMm.size() != 6) fields.wrong("boundsMm", kBox);
}

void describeSetId(JsonFields& fields, std::string& setId) {
  if (!fields.has("setId", !setId.empty())) return;
  fields.text("setId", setId);
  if (!isSetId(setId)) fields.wrong("setId", "is not 16 hexadecimal digits");
}

void describeTarget(JsonFields& fields, ExportedTarget& target) {
  fields.text("kind", target.kind);
  describeSetId(fields, target.setId);
  if (fields.has("vertex", target.shown.has_value())) {
    if (!target.shown) target.shown.emplace();
    JsonFields vertex = fields.object("vertex");
    describe(vertex, "maxMm", target.shown->max);
    describe(vertex, "p99Mm", target.shown->p99);
    describe(vertex, "rmsMm", target.shown->rms);
  }
  fields.texts("losses", target.losses, kMostEntries, "is not a list of sentences");
  fields.list("files", target.files, kMostEntries, [](JsonFields& entry, ExportedTargetFile& file) {
    entry.text("name", file.name);
    if (!isPathBelow(file.name)) entry.wrong("name", "is not a path below the folder");
    entry.seed("bytes", file.bytes);
    entry.text("xxh3", file.xxh3);
    if (!isHash(file.xxh3)) entry.wrong("xxh3", "is not 16 hexadecimal digits");
  });
}

void describeFile(JsonFields& fields, ExportedFile& file) {
  fields.text("name", file.name);
  if (!isPlainName(file.name)) fields.wrong("name", "is not a file name without folders");
  std::string kind(exportFormat(file.kind).name);
  fields.text("kind", kind);
  const auto known = exportKindFromName(kind);
  if (!known || *known == ExportKind::Json) {
    fields.wrong("kind", fmt::format("is not {}", imageFormatNames()));
  }
  file.kind = known.value_or(ExportKind::Ckatlas);
  fields.seed("bytes", file.bytes);
  fields.text("xxh3", file.xxh3);
  if (!isHash(file.xxh3)) fields.wrong("xxh3", "is not 16 hexadecimal digits");
}

// The export that the set belongs to, where one is stated.
void describeExport(JsonFields& root, Sidecar& sidecar) {
  describeSetId(root, sidecar.setId);
  if (!root.has("cast", !sidecar.cast.empty())) return;
  constexpr std::string_view kWhat = "is not a list of names of sets, this one among them";
  root.texts("cast", sidecar.cast, kMostEntries, kWhat);
  const bool namesSets = std::ranges::all_of(sidecar.cast, isPlainName);
  if (namesSets && std::ranges::count(sidecar.cast, sidecar.name) == 1) return;
  root.wrong("cast", kWhat);
}

// `error` is only written.
void describeSidecar(JsonFields& root, Sidecar& sidecar, const BakeError* error) {
  Atlas& atlas = sidecar.atlas;
  root.text("name", sidecar.name);
  describeExport(root, sidecar);
  describeShape(root, atlas);
  describeRecipe(root, atlas.recipe, false);
  describeClips(root, sidecar);
  const std::vector<int> tracks = root.writes() ? tracksOf(atlas) : std::vector<int>();
  root.list("joints", atlas.joints, kMostEntries, [&](JsonFields& entry, AtlasJoint& joint) {
    describeJoint(entry, joint);
    const int track = tracks.empty() ? -1 : tracks[indexIn(atlas.joints, joint)];
    if (track >= 0) entry.derived("track", track);
    // The number in the mesh (core/export/targets/glb.h).
    if (sidecar.rig && entry.writes()) {
      entry.derived("node", static_cast<int>(indexIn(atlas.joints, joint)));
    }
  });
  writeSockets(root, atlas);
  describeRanges(root.object("ranges"), atlas);
  if (root.writes()) writeDecoding(root.object("decode"), sidecar);
  describeSource(root.object("source"), sidecar);
  describeMorphs(root, atlas);
  if (error != nullptr) writeError(root, *error);
  describeRig(root, sidecar);
  root.list("files", sidecar.files, kMostEntries, describeFile);
  if (root.has("targets", !sidecar.targets.empty())) {
    root.list("targets", sidecar.targets, kMostEntries, describeTarget);
  }
  if (!root.has("stale", !sidecar.stale.empty())) return;
  root.list("stale", sidecar.stale, kMostEntries, describeTarget);
}

// The path of the first difference between `said` and `due`, or empty. `said` may have additional
// members.
std::string firstDifference(const Json& said, const Json& due, const std::string& path) {
  if (due.is_object() && said.is_object()) {
    for (const auto& [key, value] : due.items()) {
      std::string inner = path.empty() ? key : fmt::format("{}.{}", path, key);
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

// Whether there are texts under "decode". They are for readers and may change with versions, so
// they are not compared.
bool saysHowToDecode(const Json& said) {
  const auto decode = said.find("decode");
  if (decode == said.end() || !decode->is_object() || decode->empty()) return false;
  return std::all_of(decode->begin(), decode->end(),
                     [](const Json& words) { return words.is_string(); });
}

}  // namespace

std::string sidecarText(Sidecar sidecar, const BakeError* error) {
  JsonDraft draft;
  JsonFields root(draft);
  root.derived("format", kFormat);
  root.derived("version", kVersion);
  describeSidecar(root, sidecar, error);
  return draft.longText() + "\n";
}

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
  if (problem || format != kFormat) {
    return fail(ErrorCode::InvalidInput, "this is not the sidecar of an atlas");
  }
  int version = 0;
  root.integer("version", version, 1, 1'000'000);
  if (version > kVersion) {
    return fail(
        ErrorCode::Unsupported,
        fmt::format("it has version {}, and this program reads up to {}", version, kVersion));
  }
  Sidecar sidecar;
  describeSidecar(root, sidecar, nullptr);
  if (problem) return tl::unexpected(*problem);
  return sidecar;
}

Result<void> checkRestated(std::string_view text, const Sidecar& sidecar) {
  const auto said = parseJson(text);
  Json due = *parseJson(sidecarText(sidecar));
  if (!said) return tl::unexpected(said.error());
  if (saysHowToDecode(*said)) due["decode"] = (*said)["decode"];
  const std::string where = firstDifference(*said, due, "");
  if (where.empty()) return {};
  return fail(ErrorCode::InvalidInput,
              fmt::format("'{}' contradicts the rest of it; export the set again", where));
}

}  // namespace ck
