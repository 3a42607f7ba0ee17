#include "core/export/sidecar_json.h"

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

Json encodingJson(const Atlas& atlas) {
  const EncodingInfo& info = encodingInfo(atlas.encoding);
  return {{"name", info.name},
          {"texelFormat", texelFormatName(info.format)},
          {"texelsPerJoint", info.texelsPerJoint}};
}

Json layoutJson(const Atlas& atlas) {
  return {{"name", layoutKindName(atlas.layout)},  {"width", atlasWidth(atlas)},
          {"height", atlasHeight(atlas)},          {"blockWidth", atlas.shape.extent.z},
          {"framesPerBlock", atlas.shape.block.z}, {"blocksPerRow", atlas.shape.block.w}};
}

// The same rules in words as docs/atlas-json.md has them, so that the file explains itself.
Json decodeJson() {
  return {
      {"address",
       "texel k of joint j at frame f (counted through the whole atlas): block = floor(f / "
       "framesPerBlock); x = (block mod blocksPerRow) * blockWidth + j * texelsPerJoint + k; y = "
       "floor(block / blocksPerRow) * framesPerBlock + (f mod framesPerBlock); y counts from the "
       "top "
       "row of the picture"},
      {"texel", "channels R, G, B, A as q / 65535 in 0..1; the PNG holds q, the EXR q / 65535"},
      {"pose",
       "texel 0: (px, py, pz, s) = low + value * size with the range of the joint; texel 1: "
       "quaternion (x, y, z, w) = value * 2 - 1, then normalised"},
      {"range",
       "ranges.values has one entry for the atlas, one per joint, or clip * joints + joint, as "
       "ranges.mode says (atlas, joint, joint-clip)"},
      {"vertex",
       "v' = sum over influences of weight * (s * rotate(quaternion, v - pivot) + p); v in metres, "
       "Y "
       "up, at bind time"},
      {"time",
       "u in 0..1 of the clip: X = u * (frames - 1); i = min(floor(X), frames - 2); a = X - i; "
       "read "
       "frames firstFrame + i and firstFrame + i + 1; source time = startSeconds + u * "
       "durationSeconds"},
      {"direct",
       "between two frames: p and s lerp by a, quaternions lerp by a and are normalised; their "
       "signs "
       "agree within a clip"},
      {"relative",
       "for a joint with a parent q: Q = conj(Rq) Rj and w = conj(Rq) (pj - pq) / sq at both "
       "frames; "
       "Rj = Rq nlerp(Q0, Q1, a) along the shorter arc, pj = pq + sq Rq lerp(w0, w1, a), s lerps; "
       "parents come first; roots as in direct"},
  };
}

Json clipsJson(const Atlas& atlas) {
  Json clips = Json::array();
  for (const AtlasClip& clip : atlas.clips) {
    const glm::ivec2 first = gpu::ck_atlasTexel(atlas.shape, clip.firstFrame, 0, 0);
    clips.push_back(
        {{"name", clip.name},
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
  }
  return clips;
}

Json jointsJson(const Atlas& atlas) {
  Json joints = Json::array();
  for (const AtlasJoint& joint : atlas.joints) {
    joints.push_back(
        {{"name", joint.name}, {"parent", joint.parent}, {"pivot", numbers(joint.pivot)}});
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
                        const std::vector<SidecarFile>& files, const BakeError* error) {
  Json fileList = Json::array();
  for (const SidecarFile& file : files) {
    fileList.push_back(
        {{"name", file.name}, {"kind", file.kind}, {"bytes", file.bytes}, {"xxh3", file.xxh3}});
  }
  Json document = {{"format", "crowdkiln-atlas"},
                   {"version", 1},
                   {"name", name},
                   {"encoding", encodingJson(atlas)},
                   {"layout", layoutJson(atlas)},
                   {"influences", atlas.influences},
                   {"interpolate", atlas.interpolate},
                   {"clips", clipsJson(atlas)},
                   {"joints", jointsJson(atlas)},
                   {"ranges", rangesJson(atlas)},
                   {"decode", decodeJson()},
                   {"source",
                    {{"path", atlas.sourcePath},
                     {"xxh3", hashText(atlas.sourceHash)},
                     {"unitScale", atlas.unitScale}}}};
  if (error != nullptr) {
    document["error"] = errorJson(error->palette);
    document["errorDirect"] = errorJson(error->direct);
  }
  document["files"] = std::move(fileList);
  return document.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace ck
