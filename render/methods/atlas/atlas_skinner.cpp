#include "render/methods/atlas/atlas_skinner.h"

namespace ck::render {

AtlasSkinner::AtlasSkinner(const SkinnerInput& input)
    : input_(input), vertexArray_(makeActorVertexArray(input.character, &input.actors)) {
  variant_.record = input.actors.form();
  variant_.nextInB = input.nextInB;
  variant_.decode = decodeOf(*input.atlas);
}

Result<void> AtlasSkinner::update(const SkinningTick& tick) {
  const AtlasVariant wanted{tick.sampling, tick.influences,
                            tick.fades && tick.crowd.fadingActors() > 0};
  if (std::string reason = whyNotSampled(*input_.atlas->atlas, wanted); !reason.empty()) {
    return fail(ErrorCode::Unsupported, std::move(reason));
  }
  variant_.influences = wanted.influences;
  variant_.sampling = wanted.sampling;
  variant_.blend = wanted.blend;
  return readyFaces(tick);
}

Result<const Program*> AtlasSkinner::startedFor(const DrawPass& pass) const {
  ShaderVariant variant = variant_;
  variant.pass = pass.kind;
  variant.shading = shadingOf(input_.character, pass);
  variant.morphs = pass.morphs != nullptr;
  variant.tangents = showsTangents(pass, input_.character);
  auto found = input_.shaders.program(requestFor(variant));
  if (!found) return tl::unexpected(found.error());
  (*found)->use();
  bindAtlas(**found, *input_.atlas, variant.sampling);
  return *found;
}

Result<void> AtlasSkinner::draw(const DrawPass& pass) const {
  const auto program = startedFor(pass);
  if (!program) return tl::unexpected(program.error());
  drawActors(**program, vertexArray_, input_.character, input_.actors, pass);
  return {};
}

int AtlasSkinner::fetchesPerVertex() const {
  return render::fetchesPerVertex(*input_.atlas->atlas,
                                  {variant_.sampling, variant_.influences, variant_.blend});
}

}  // namespace ck::render
