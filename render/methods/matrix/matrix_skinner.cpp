#include "render/methods/matrix/matrix_skinner.h"

#include "render/skinning/method_offers.h"

namespace ck::render {

MatrixSkinner::MatrixSkinner(const SkinnerInput& input)
    : input_(input),
      poses_(input),
      meshes_(input.character, input.facts),
      vertexArray_(makeActorVertexArray(input.character, &input.actors)) {}

Result<void> MatrixSkinner::update(const SkinningTick& tick) {
  std::string refusal = whyNotDrawn(Method::Matrix, input_.atlas->atlas->encoding);
  if (!refusal.empty()) return fail(ErrorCode::Unsupported, std::move(refusal));
  if (auto ready = poses_.update(tick); !ready) return ready;
  return meshes_.update(tick.records.size());
}

Result<void> MatrixSkinner::draw(const DrawPass& pass) const {
  const auto program = poses_.startedFor(pass);
  if (!program) return tl::unexpected(program.error());
  drawActorsBy(**program, vertexArray_, input_.character, input_.actors, pass,
               [&] { meshes_.draw(pass.runs); });
  return {};
}

template <>
SkinnerResult skinnerOf<Method::Matrix>(const SkinnerInput& input) {
  return std::make_unique<MatrixSkinner>(input);
}

}  // namespace ck::render
