#include "core/base/assert.h"
#include "render/methods/atlas/atlas_skinner.h"
#include "render/methods/book/book_skinner.h"
#include "render/methods/cpu/cpu_upload_skinner.h"
#include "render/methods/live/live_skinner.h"
#include "render/methods/matrix/matrix_skinner.h"
#include "render/methods/palette/palette_skinner.h"
#include "render/methods/pool/pool_skinner.h"
#include "render/methods/prepass/prepass_skinner.h"
#include "render/skinning/skinner.h"

namespace ck::render {
namespace {

std::unique_ptr<Skinner> makePalette(const SkinnerInput& input) {
  if (input.skinOn == SkinOn::Cpu) return std::make_unique<PrepassSkinner>(input, PrepassWay::Cpu);
  if (input.skinOn == SkinOn::Auto && input.facts.software) {
    return std::make_unique<AutoPaletteSkinner>(input);
  }
  return std::make_unique<PaletteSkinner>(input);
}

}  // namespace

Result<std::unique_ptr<Skinner>> makeSkinner(Method method, PoseFrom from,
                                             const SkinnerInput& input) {
  if (from != PoseFrom::Source && input.atlas == nullptr) {
    return fail(ErrorCode::Unsupported, "the baked crowd cannot be shown before it is baked");
  }
  switch (method) {
    case Method::Atlas:
      if (from != PoseFrom::Atlas) {
        return fail(ErrorCode::Unsupported,
                    "the method atlas draws baked poses only; the source needs the method cpu");
      }
      return std::unique_ptr<Skinner>(std::make_unique<AtlasSkinner>(input));
    case Method::Matrix:
      if (from != PoseFrom::Atlas) {
        return fail(ErrorCode::Unsupported, "the method matrix draws baked poses only");
      }
      return std::unique_ptr<Skinner>(std::make_unique<MatrixSkinner>(input));
    case Method::Palette:
      if (from != PoseFrom::Atlas) {
        return fail(ErrorCode::Unsupported, "the method palette draws baked poses only");
      }
      return makePalette(input);
    case Method::Prepass:
      if (from != PoseFrom::Atlas) {
        return fail(ErrorCode::Unsupported, "the method prepass draws baked poses only");
      }
      return std::unique_ptr<Skinner>(
          std::make_unique<PrepassSkinner>(input, prepassWayFor(input.skinOn, input.facts)));
    case Method::Pool:
      if (from != PoseFrom::Atlas) {
        return fail(ErrorCode::Unsupported, "the method pool draws baked poses only");
      }
      return std::unique_ptr<Skinner>(std::make_unique<PoolSkinner>(input));
    case Method::Live:
      if (from != PoseFrom::Atlas) {
        return fail(ErrorCode::Unsupported, "the method live draws what a crowd plays only");
      }
      return std::unique_ptr<Skinner>(std::make_unique<LiveSkinner>(input));
    case Method::Book:
      if (from != PoseFrom::Atlas) {
        return fail(ErrorCode::Unsupported, "the method book draws baked poses only");
      }
      return BookSkinner::make(input);
    case Method::Cpu:
      return std::unique_ptr<Skinner>(std::make_unique<CpuUploadSkinner>(input, from));
  }
  CK_ASSERT(false);
  return fail(ErrorCode::Internal, "unknown method");
}

}  // namespace ck::render
