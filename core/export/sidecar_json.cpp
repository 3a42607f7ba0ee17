#include "core/export/sidecar_json.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/base/files.h"

namespace ck {
namespace {

using Json = nlohmann::ordered_json;

Json numbers(const glm::vec3& v) {
  return Json::array({v.x, v.y, v.z});
}
Json numbers(const glm::dvec3& v) {
  return Json::array({v.x, v.y, v.z});
}
Json numbers(const glm::vec4& v) {
  return Json::array({v.x, v.y, v.z, v.w});
}

std::string_view formName(Encoding encoding) {
  switch (encodingInfo(encoding).form) {
    case PoseForm::Pivot:
      return "pivot";
    case PoseForm::Trs:
      return "trs";
    case PoseForm::Matrix:
      return encodingInfo(encoding).atOrigin ? "matrix" : "pivot-matrix";
  }
  return {};
}

Json encodingJson(const Atlas& atlas) {
  const EncodingInfo& info = encodingInfo(atlas.encoding);
  const TexelCode code = codeOf(atlas);
  return {{"name", info.name},
          {"form", formName(atlas.encoding)},
          {"components", componentsName(atlas.components)},
          {"texelFormat", texelFormatName(info.format)},
          {"texelsPerJoint", texelsPerJoint(code)},
          {"rangesPerJoint", rangesPerJoint(code)}};
}

Json layoutJson(const Atlas& atlas) {
  return {{"name", layoutKindName(atlas.layout)}, {"width", atlasWidth(atlas)},
          {"height", atlasHeight(atlas)},         {"texelsPerFrame", atlas.shape.block.y},
          {"blockWidth", atlas.shape.extent.z},   {"framesPerBlock", atlas.shape.block.z},
          {"blocksPerRow", atlas.shape.block.w}};
}

// The first three rows, in order.
Json rowsOf(const glm::mat4& m) {
  Json rows = Json::array();
  for (int i = 0; i < 12; ++i) rows.push_back(m[i % 4][i / 4]);
  return rows;
}

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
  std::string text = isFloat(format) ? "channels R, G, B, A as floats"
                                     : fmt::format("channels R, G, B, A as q / {:.0f} in 0..1",
                                                   texelFormatInfo(format).top);
  for (const ExportFormat& each : kExportFormats) {
    if (!each.isPicture || each.stored(format).empty()) continue;
    text += fmt::format("; {} holds {}", each.ending, each.stored(format));
  }
  return text;
}

std::string rangeText(RangedTexels ranged) {
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

std::string poseText(const Atlas& atlas) {
  const std::string value = rangeText(encodingInfo(atlas.encoding).ranged);
  if (formOf(atlas) == PoseForm::Pivot) {
    return value + "texel 0: (px, py, pz, s); texel 1: quaternion (x, y, z, w), then normalised";
  }
  if (formOf(atlas) == PoseForm::Matrix) {
    return value +
           "texels 0, 1 and 2 are the rows (a, b, c, d) of a matrix: (a, b, c) those of A, d "
           "those of " +
           (encodingInfo(atlas.encoding).atOrigin ? "t" : "p");
  }
  switch (atlas.components) {
    case Components::Trs:
      return value +
             "texel 0: (px, py, pz); texel 1: quaternion (x, y, z, w), then normalised; texel 2: "
             "scale (sx, sy, sz)";
    case Components::Tr:
      return value +
             "texel 0: (px, py, pz); texel 1: quaternion (x, y, z, w), then normalised; the scale "
             "is 1";
    case Components::R:
      return value +
             "texel 0: quaternion (x, y, z, w), then normalised; the position is the joint's "
             "pivot; the scale is 1";
  }
  return {};
}

std::string movedText(Encoding encoding) {
  switch (encodingInfo(encoding).form) {
    case PoseForm::Pivot:
      return "(s * rotate(quaternion, v - pivot) + p)";
    case PoseForm::Trs:
      return "(rotate(quaternion, s * (inverseBind * v)) + p), s by axes, inverseBind its three "
             "upper rows";
    case PoseForm::Matrix:
      return encodingInfo(encoding).atOrigin ? "(A v + t)" : "(A (v - pivot) + p)";
  }
  return {};
}

std::string vertexText(Encoding encoding) {
  const std::string moved = movedText(encoding);
  return "v' = sum over influences of weight * " + moved + "; v in metres, Y up, at bind time";
}

std::string directText(PoseForm form) {
  if (form == PoseForm::Matrix) return "between two frames: rows lerp by a";
  return "between two frames: p and s lerp by a, quaternions lerp by a and are normalised; their "
         "signs agree within a clip";
}

std::string relativeText(Encoding encoding) {
  if (encodingInfo(encoding).form != PoseForm::Matrix) {
    return "for a joint with a parent q: Q = conj(Rq) Rj and w = conj(Rq) (pj - pq) / sq at both "
           "frames; Rj = Rq nlerp(Q0, Q1, a) along the shorter arc, pj = pq + Rq (sq * lerp(w0, "
           "w1, a)), scales by axes, s lerps; parents come first; roots as in direct";
  }
  return std::string(encodingInfo(encoding).atOrigin ? "p = A pivot + t; " : "") +
         "for a joint with a parent q: L = inverse(Aq) Aj and w = inverse(Aq) (pj - pq) at both "
         "frames; Aj = Aq M, pj = pq + Aq lerp(w0, w1, a), with M = lerp(L0, L1, a) brought to the "
         "lengths of columns that are between those of L0 and L1 and the cosines between them, by "
         "the polar iteration of docs/atlas-json.md; parents come first; roots with L = A, w = p";
}

// A description of the decoding rules as in docs/atlas-json.md, so that the file is self-contained.
Json decodeJson(const Atlas& atlas) {
  Json decode = {
      {"address", addressText(atlas.layout)},
      {"texel", texelText(encodingInfo(atlas.encoding).format)},
      {"pose", poseText(atlas)},
      {"range",
       "ranges.values has sets of rangesPerJoint entries: one set for the atlas, one per joint, or "
       "clip * joints + joint, as ranges.mode says (atlas, joint, joint-clip)"},
      {"vertex", vertexText(atlas.encoding)},
      {"time",
       "u in 0..1 of the clip: X = u * (frames - 1); i = min(floor(X), frames - 2); a = X - i; "
       "read "
       "frames firstFrame + i and firstFrame + i + 1; source time = startSeconds + u * "
       "durationSeconds * shape.rate"},
      {"direct", directText(formOf(atlas))},
      {"relative", relativeText(atlas.encoding)},
  };
  if (!atlas.morphs.empty()) {
    decode["morphs"] =
        "weights has slotsPerFrame bytes for each frame of the clip: slot s of frame i of the clip "
        "is slots[s].low + slots[s].size * weights[i * slotsPerFrame + s] / 255, the weight of "
        "targets[slots[s].morph]; between frames it lerps by a; other targets have their default. "
        "v is moved by the sum of weight * delta of the rig file before it is skinned";
  }
  return decode;
}

// The clip edit that was applied before the bake.
Json editJson(const ClipEdit& edit) {
  Json json = {{"rate", edit.rate}, {"inPlace", edit.inPlace}};
  if (edit.trim) {
    json["trim"] = {{"startSeconds", edit.trim->startSeconds},
                    {"endSeconds", edit.trim->endSeconds}};
  }
  return json;
}

Json clipsJson(const Atlas& atlas, const std::vector<std::vector<CrowdEvent>>& events) {
  Json clips = Json::array();
  for (std::size_t c = 0; c < atlas.clips.size(); ++c) {
    const AtlasClip& clip = atlas.clips[c];
    const glm::ivec2 first = gpu::ck_atlasTexel(atlas.shape, clip.firstFrame, 0, 0);
    clips.push_back(
        {{"name", clip.name},
         {"sourceName", sourceNameOf(clip)},
         {"shape", editJson(clip.edit)},
         {"firstFrame", clip.firstFrame},
         {"frames", clip.frameCount},
         {"firstColumn", first.x},
         {"firstRow", first.y},
         {"startSeconds", clip.startSeconds},
         {"durationSeconds", clip.durationSeconds},
         {"loop", loopModeName(clip.loop)},
         {"seam", seamName(clip.seam)},
         {"groundSpeedMetersPerSecond", clip.groundSpeedMetersPerSecond},
         {"bounds", {{"low", numbers(clip.bounds.low)}, {"high", numbers(clip.bounds.high)}}}});
    if (c >= events.size()) continue;
    for (const CrowdEvent& event : events[c]) {
      clips.back()["events"].push_back({{"name", event.name}, {"unit", event.unit}});
    }
  }
  return clips;
}

Json jointsJson(const Atlas& atlas) {
  Json joints = Json::array();
  for (const AtlasJoint& joint : atlas.joints) {
    joints.push_back({{"name", joint.name},
                      {"parent", joint.parent},
                      {"pivot", numbers(joint.pivot)},
                      {"inverseBind", rowsOf(joint.inverseBind)}});
  }
  return joints;
}

Json rangesJson(const Atlas& atlas) {
  Json values = Json::array();
  for (const TexelRange& range : atlas.ranges) {
    values.push_back({{"low", numbers(range.low)}, {"size", numbers(range.size)}});
  }
  return {{"mode", rangeModeName(atlas.rangeMode)}, {"values", std::move(values)}};
}

// Morph weights as plain numbers instead of texels.
Json morphsJson(const Atlas& atlas) {
  Json names = Json::array();
  for (std::size_t i = 0; i < atlas.morphs.names.size(); ++i) {
    names.push_back({{"name", atlas.morphs.names[i]}, {"default", atlas.morphs.defaults[i]}});
  }
  Json clips = Json::array();
  for (std::size_t c = 0; c < atlas.morphs.clips.size(); ++c) {
    const AtlasClipMorphs& clip = atlas.morphs.clips[c];
    Json slots = Json::array();
    for (const MorphSlot& slot : clip.kept) {
      slots.push_back({{"morph", slot.morph}, {"low", slot.low}, {"size", slot.size}});
    }
    clips.push_back({{"clip", atlas.clips[c].name},
                     {"slots", std::move(slots)},
                     {"lossMm", clip.lossMm},
                     {"weights", clip.weights}});
  }
  return {
      {"slotsPerFrame", kMorphSlots}, {"targets", std::move(names)}, {"clips", std::move(clips)}};
}

Json errorJson(const ErrorFigures& figures) {
  return {{"maxMm", figures.maxMm},
          {"p99Mm", figures.p99Mm},
          {"rmsMm", figures.rmsMm},
          {"maxDegrees", figures.maxDegrees},
          {"vertexMaxMm", figures.vertexMaxMm},
          {"worst",
           {{"clip", figures.worstClip},
            {"joint", figures.worstJoint},
            {"timeSeconds", figures.worstTimeSeconds}}}};
}

}  // namespace

std::string sidecarText(const Atlas& atlas, const std::string& name,
                        const std::vector<SidecarFile>& files, const BakeError* error,
                        const SidecarExtras& extras) {
  Json fileList = Json::array();
  for (const SidecarFile& file : files) {
    fileList.push_back({{"name", file.name},
                        {"kind", exportFormat(file.kind).name},
                        {"bytes", file.bytes},
                        {"xxh3", file.xxh3}});
  }
  Json document = {{"format", "crowdkiln-atlas"},
                   {"version", 2},
                   {"name", name},
                   {"encoding", encodingJson(atlas)},
                   {"layout", layoutJson(atlas)},
                   {"influences", atlas.influences},
                   {"interpolate", atlas.interpolate},
                   {"clips", clipsJson(atlas, extras.clipEvents)},
                   {"joints", jointsJson(atlas)},
                   {"ranges", rangesJson(atlas)},
                   {"decode", decodeJson(atlas)},
                   {"source",
                    {{"path", atlas.sourcePath},
                     {"xxh3", hashText(atlas.sourceHash)},
                     {"unitScale", atlas.unitScale}}}};
  if (!atlas.morphs.empty()) document["morphs"] = morphsJson(atlas);
  for (const ClipSource& clip : extras.clipSources) {
    document["source"]["clipFiles"].push_back({{"path", clip.path}, {"xxh3", hashText(clip.hash)}});
  }
  if (error != nullptr) {
    document["error"] = errorJson(error->palette);
    document["errorDirect"] = errorJson(error->direct);
  }
  document["files"] = std::move(fileList);
  return document.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace ck
