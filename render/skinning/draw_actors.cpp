#include "render/skinning/draw_actors.h"

#include <epoxy/gl.h>

#include <algorithm>
#include <cstddef>

#include "render/morph/morph_stage.h"

namespace ck::render {
namespace {

const void* offset(std::size_t bytes) {
  return reinterpret_cast<const void*>(bytes);
}

// Locations in crowd/tangent.glsl and crowd/actor.vert.
constexpr GLuint kTangentAttribute = 11;
constexpr GLuint kColorAttribute = 12;
constexpr GLuint kSecondUvAttribute = 13;

void attachVertices(CharacterGpu& character) {
  constexpr GLsizei kStride = sizeof(GpuVertex);
  glBindBuffer(GL_ARRAY_BUFFER, character.vertices.name());
  for (GLuint attribute = 0; attribute < 6; ++attribute) glEnableVertexAttribArray(attribute);
  glVertexAttribPointer(0, 3, GL_FLOAT, GL_FALSE, kStride, offset(offsetof(GpuVertex, position)));
  glVertexAttribPointer(1, 4, GL_SHORT, GL_TRUE, kStride, offset(offsetof(GpuVertex, normal)));
  glVertexAttribPointer(2, 2, GL_FLOAT, GL_FALSE, kStride, offset(offsetof(GpuVertex, uv)));
  glVertexAttribIPointer(3, 4, GL_UNSIGNED_SHORT, kStride, offset(offsetof(GpuVertex, skinJoints)));
  glVertexAttribPointer(4, 4, GL_FLOAT, GL_FALSE, kStride, offset(offsetof(GpuVertex, weights)));
  glVertexAttribIPointer(5, 1, GL_UNSIGNED_INT, kStride, offset(offsetof(GpuVertex, material)));
  if (character.hasTangents()) {
    glBindBuffer(GL_ARRAY_BUFFER, character.tangents.name());
    glEnableVertexAttribArray(kTangentAttribute);
    glVertexAttribIPointer(kTangentAttribute, 1, GL_UNSIGNED_INT, 0, nullptr);
  }
  if (character.features.colors) {
    glBindBuffer(GL_ARRAY_BUFFER, character.colors.name());
    glEnableVertexAttribArray(kColorAttribute);
    glVertexAttribPointer(kColorAttribute, 4, GL_UNSIGNED_SHORT, GL_TRUE, 0, nullptr);
  }
  if (character.features.secondUvs) {
    glBindBuffer(GL_ARRAY_BUFFER, character.secondUvs.name());
    glEnableVertexAttribArray(kSecondUvAttribute);
    glVertexAttribPointer(kSecondUvAttribute, 2, GL_FLOAT, GL_FALSE, 0, nullptr);
  }
  glBindBuffer(GL_ARRAY_BUFFER, 0);
}

void bindImages(const CharacterGpu& character) {
  glActiveTexture(GL_TEXTURE0 + unit::kImages);
  glBindTexture(GL_TEXTURE_2D_ARRAY, character.images->texture.name());
  character.materials.bind(unit::kMaterials);
  if (character.features.any()) character.surfaces.bind(unit::kSurfaces);
  if (!character.dataImages->texture) return;
  glActiveTexture(GL_TEXTURE0 + unit::kDataImages);
  glBindTexture(GL_TEXTURE_2D_ARRAY, character.dataImages->texture.name());
  if (character.hasNormalMaps()) character.normalMaterials.bind(unit::kNormalMaterials);
}

// How a kind of pass is drawn.
struct PassInfo {
  int number;            // CK_PASS in crowd/actor.vert
  const char* fragment;  // empty without pixels
  const char* feedback;  // the output that can be captured, or null
};

// Indexed by DrawPass::Kind.
constexpr PassInfo kPasses[] = {
    {0, "crowd/lit.frag", nullptr},            // Color
    {0, "crowd/lit.frag", nullptr},            // ShadedColor
    {1, "crowd/ids.frag", nullptr},            // ActorIds
    {2, "", "vWorld"},                         // Positions
    {3, "crowd/depth.frag", nullptr},          // Depth
    {4, "crowd/motion.frag", "vMotion"},       // Motion
    {5, "crowd/tangents.frag", "vTangent"},    // Tangents
    {6, "", "vNormal"},                        // Normals
    {7, "crowd/wire.frag", nullptr},           // Wireframe
    {0, "crowd/impostor_cell.frag", nullptr},  // Impostor
};

const PassInfo& infoOf(DrawPass::Kind kind) {
  return kPasses[static_cast<std::size_t>(kind)];
}

bool lightsMaterials(DrawPass::Kind kind) {
  return kind == DrawPass::Kind::Color || kind == DrawPass::Kind::ShadedColor;
}

bool paintsMaterials(DrawPass::Kind kind) {
  return lightsMaterials(kind) || kind == DrawPass::Kind::Impostor;
}

// The value of CK_CUT (crowd/surface.glsl).
int cutOf(const DrawPass& pass, const CharacterGpu& character) {
  constexpr int kSolid = 1;
  constexpr int kOverlaid = 2;
  constexpr int kPointedAt = 3;
  constexpr int kShadow = 4;
  constexpr int kPictured = 5;
  if (!cutsSurfaces(pass, character)) return 0;
  if (pass.kind == DrawPass::Kind::Impostor) return kPictured;
  if (lightsMaterials(pass.kind)) return pass.overlaid ? kOverlaid : kSolid;
  return pass.kind == DrawPass::Kind::Depth ? kShadow : kPointedAt;
}

// 1 for a feature, 2 if it has images.
int levelOf(bool has, bool hasImages) {
  return !has ? 0 : hasImages ? 2 : 1;
}

// Whether all back faces can be culled.
bool isCulled(const CharacterGpu& character, const ActorStream& actors) {
  return character.welded.frontsOnly && !actors.anyMirrored();
}

}  // namespace

bool showsTangents(const DrawPass& pass, const CharacterGpu& character) {
  return (pass.kind == DrawPass::Kind::Tangents && character.hasTangents()) ||
         (lightsMaterials(pass.kind) && character.hasNormalMaps());
}

bool cutsSurfaces(const DrawPass& pass, const CharacterGpu& character) {
  return character.features.cut && pass.kind != DrawPass::Kind::Positions &&
         pass.kind != DrawPass::Kind::Normals;
}

Result<const Program*> programFor(ShaderLibrary& shaders, const PoseShader& pose,
                                  const DrawPass& pass, const CharacterGpu& character) {
  const PassInfo& info = infoOf(pass.kind);
  const bool litBefore = pass.litBefore && pass.kind == DrawPass::Kind::Color;
  ProgramRequest request;
  request.vertex = "crowd/actor.vert";
  request.fragment = litBefore ? "crowd/lit_before.frag" : info.fragment;
  if (info.feedback != nullptr) request.feedback = {info.feedback};
  request.defines = pose.defines;
  const auto define = [&request](const char* name, auto value) {
    request.defines.push_back({name, value});
  };
  define("CK_POSE_FILE", pose.file);
  define("CK_RECORD_FILE", pose.recordFile);
  define("CK_PASS", info.number);
  define("CK_MORPHS", pass.morphs != nullptr);
  define("CK_TANGENTS", showsTangents(pass, character));
  const SurfaceFeatures& features = character.features;
  const bool paints = paintsMaterials(pass.kind);
  const int cut = cutOf(pass, character);
  define("CK_CUT", cut);
  define("CK_COLORS", (paints || cut > 0) && features.colors);
  define("CK_SECOND_UVS", (paints || cut > 0) && features.secondUvs);
  if (paints || cut > 0) {
    define("CK_IMAGES", character.hasImages);
    define("CK_TINT_MASKS", character.tintMasked);
    define("CK_PLACED_MAPS", features.placedMaps);
  }
  if (paints) define("CK_LIT_BEFORE", litBefore);
  if (lightsMaterials(pass.kind)) {
    define("CK_GLOSS", levelOf(features.gloss, features.glossMaps));
    define("CK_GLOW", levelOf(features.glow, features.glowMaps));
    define("CK_UNLIT", features.unlit);
  }
  if (pass.kind == DrawPass::Kind::ShadedColor) define("CK_SHADOWS", 1);
  if (pass.dissolves) define("CK_DISSOLVE", 1);
  return shaders.program(request);
}

Result<void> readyMorphs(const SkinningTick& tick) {
  return tick.morphs != nullptr ? tick.morphs->makeRows() : Result<void>();
}

GlHandle makeActorVertexArray(CharacterGpu& character, ActorStream* actors) {
  GlHandle vertexArray = GlHandle::generate(GlKind::VertexArray);
  glBindVertexArray(vertexArray.name());
  attachVertices(character);
  if (actors != nullptr) actors->attach();
  glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, character.indices.name());
  glBindVertexArray(0);
  return vertexArray;
}

GlHandle makePackedVertexArray(CharacterGpu& character, ActorStream& actors, Buffer& influences) {
  GlHandle vertexArray = makeActorVertexArray(character, &actors);
  glBindVertexArray(vertexArray.name());
  glBindBuffer(GL_ARRAY_BUFFER, influences.name());
  glVertexAttribPointer(3, 4, GL_FLOAT, GL_FALSE, sizeof(glm::vec4), nullptr);
  glDisableVertexAttribArray(4);
  glBindBuffer(GL_ARRAY_BUFFER, 0);
  glBindVertexArray(0);
  return vertexArray;
}

std::vector<IndexRun> drawnRuns(const CharacterGpu& character, const DrawPass& pass) {
  if (!pass.runs.empty()) return {pass.runs.begin(), pass.runs.end()};
  return {{0, static_cast<std::uint32_t>(character.indexCount())}};
}

ActorPass::ActorPass(const Program& program, const GlHandle& vertexArray,
                     const CharacterGpu& character, const ActorStream& actors, const DrawPass& pass)
    : character_(character),
      pass_(pass),
      feedsBack_(infoOf(pass.kind).feedback != nullptr && pass.feedbackBuffer != 0) {
  const bool culled = isCulled(character, actors);
  setLook(program, pass.look);
  if (pass.morphs != nullptr) pass.morphs->bind(program);
  if (pass.kind == DrawPass::Kind::Motion) {
    program.set("ckMotionVertices", static_cast<int>(character.vertexCount()));
    program.set("ckCameraStep", pass.cameraStep);
    if (pass.previous != nullptr) pass.previous->bind(unit::kPrevious);
  }
  if (pass.kind == DrawPass::Kind::ActorIds) {
    program.set("ckFirstId", static_cast<int>(pass.firstId));
  }
  if (pass.kind == DrawPass::Kind::Wireframe) {
    program.set("ckOnlySelected", pass.onlySelected ? 1 : 0);
  }
  if (pass.litBefore) {
    program.set("ckSeenAbove", culled ? -1.0f : -character.surface().largestTurn);
  }
  glBindVertexArray(vertexArray.name());
  if (feedsBack_) {
    glEnable(GL_RASTERIZER_DISCARD);
    glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, pass.feedbackBuffer);
    glBeginTransformFeedback(GL_POINTS);
    return;
  }
  if (paintsMaterials(pass.kind) || cutsSurfaces(pass, character)) bindImages(character);
  if (pass.vertexStageOnly) glEnable(GL_RASTERIZER_DISCARD);
  if (culled) glEnable(GL_CULL_FACE);
}

ActorPass::~ActorPass() {
  if (feedsBack_) {
    glEndTransformFeedback();
    glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, 0);
  }
  glDisable(GL_RASTERIZER_DISCARD);
  glDisable(GL_CULL_FACE);
  glBindVertexArray(0);
}

void ActorPass::draw(std::size_t actors) const {
  const auto count = static_cast<GLsizei>(actors);
  if (feedsBack_) {
    glDrawArraysInstanced(GL_POINTS, 0, static_cast<GLsizei>(character_.vertexCount()), count);
    return;
  }
  const std::size_t indexBytes = character_.wideIndices ? 4 : 2;
  for (const IndexRun& run : drawnRuns(character_, pass_)) {
    glDrawElementsInstanced(GL_TRIANGLES, static_cast<GLsizei>(run.count),
                            character_.wideIndices ? GL_UNSIGNED_INT : GL_UNSIGNED_SHORT,
                            offset(run.first * indexBytes), count);
  }
}

Result<void> ActorSkinner::drawAll(const Result<const Program*>& program,
                                   const DrawPass& pass) const {
  if (!program) return tl::unexpected(program.error());
  const std::size_t actors = input_.actors.size();
  if (actors == 0) return {};
  GlHandle shapeArray;
  if (pass.shape != nullptr) shapeArray = makeActorVertexArray(*pass.shape, &input_.actors);
  const ActorPass started(**program, shapeArray ? shapeArray : vertexArray_, shapeOf(pass),
                          input_.actors, pass);
  if (pass.actors.empty()) {
    started.draw(actors);
    return {};
  }
  const auto begin = [&](std::size_t first) {
    input_.actors.attach(first);
    (*program)->set("ckFirstActor", static_cast<int>(first));
  };
  for (const ActorRun& run : pass.actors) {
    begin(run.first);
    started.draw(run.count);
  }
  begin(0);
  return {};
}

}  // namespace ck::render
