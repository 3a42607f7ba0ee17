#include "render/far/far_dots.h"

#include "render/far/guard_band.h"

namespace ck::render {

Result<void> drawFarDots(ShaderLibrary& shaders, const FarActors& actors, const DrawPass& pass,
                         const FarBody& body, int width, int height) {
  const bool ids = pass.kind == DrawPass::Kind::ActorIds;
  const bool paints =
      pass.kind == DrawPass::Kind::Color || pass.kind == DrawPass::Kind::ShadedColor;
  if (!(ids || paints) || pass.overlaid || actors.size() == 0 || width < 1 || height < 1) return {};
  ProgramRequest request{"far/dot.vert", "far/point.frag", {{"CK_PASS", ids ? 1 : 0}}, {}};
  if (pass.dissolves) request.defines.push_back({"CK_DISSOLVE", 1});
  auto program = shaders.program(request);
  if (!program) return tl::unexpected(program.error());
  const GuardBand guard(width, height);
  guard.set(**program);
  setLook(**program, pass.look);
  (*program)->set("ckBody", glm::vec2(body.middleMeters, body.sideMeters));
  if (ids) (*program)->set("ckFirstId", static_cast<int>(pass.firstId));
  actors.draw(**program);
  return {};
}

}  // namespace ck::render
