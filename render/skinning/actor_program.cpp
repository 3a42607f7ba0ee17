#include "render/skinning/actor_program.h"

namespace ck::render {
namespace {

bool paintsMaterials(DrawPass::Kind kind) {
  return kind == DrawPass::Kind::Color || kind == DrawPass::Kind::ShadedColor;
}

int passNumber(DrawPass::Kind kind) {
  switch (kind) {
    case DrawPass::Kind::Color:
    case DrawPass::Kind::ShadedColor:
      return 0;
    case DrawPass::Kind::ActorIds:
      return 1;
    case DrawPass::Kind::Positions:
      return 2;
    case DrawPass::Kind::Depth:
      return 3;
    case DrawPass::Kind::Motion:
      return 4;
    case DrawPass::Kind::Tangents:
      return 5;
  }
  return 0;
}

const char* fragmentFile(DrawPass::Kind kind, bool litBefore) {
  switch (kind) {
    case DrawPass::Kind::Color:
    case DrawPass::Kind::ShadedColor:
      return litBefore ? "crowd/lit_before.frag" : "crowd/lit.frag";
    case DrawPass::Kind::ActorIds:
      return "crowd/ids.frag";
    case DrawPass::Kind::Depth:
      return "crowd/depth.frag";
    case DrawPass::Kind::Motion:
      return "crowd/motion.frag";
    case DrawPass::Kind::Tangents:
      return "crowd/tangents.frag";
    case DrawPass::Kind::Positions:
      return "";
  }
  return "";
}

std::vector<std::string> feedbackOf(DrawPass::Kind kind) {
  if (kind == DrawPass::Kind::Positions) return {"vWorld"};
  if (kind == DrawPass::Kind::Motion) return {"vMotion"};
  if (kind == DrawPass::Kind::Tangents) return {"vTangent"};
  return {};
}

}  // namespace

bool showsTangents(const DrawPass& pass, const CharacterGpu& character) {
  return (pass.kind == DrawPass::Kind::Tangents && character.hasTangents()) ||
         (paintsMaterials(pass.kind) && character.hasNormalMaps());
}

Result<const Program*> programFor(ShaderLibrary& shaders, const PoseShader& pose,
                                  const DrawPass& pass, const CharacterGpu& character) {
  const bool litBefore = pass.litBefore && pass.kind == DrawPass::Kind::Color;
  ProgramRequest request;
  request.vertex = "crowd/actor.vert";
  request.fragment = fragmentFile(pass.kind, litBefore);
  request.feedback = feedbackOf(pass.kind);
  request.defines = pose.defines;
  const auto define = [&request](const char* name, auto value) {
    request.defines.push_back({name, value});
  };
  define("CK_POSE_FILE", pose.file);
  define("CK_RECORD_FILE", pose.recordFile);
  define("CK_PASS", passNumber(pass.kind));
  define("CK_MORPHS", pass.morphs != nullptr);
  define("CK_TANGENTS", showsTangents(pass, character));
  if (paintsMaterials(pass.kind)) {
    define("CK_PICTURES", character.pictured);
    define("CK_TINT_MASKS", character.tintMasked);
    define("CK_LIT_BEFORE", litBefore);
  }
  if (pass.kind == DrawPass::Kind::ShadedColor) define("CK_SHADOWS", 1);
  const auto program = shaders.program(request);
  if (program) (*program)->use();
  return program;
}

}  // namespace ck::render
