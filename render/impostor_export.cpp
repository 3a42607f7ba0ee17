#include "render/impostor_export.h"

#include <memory>

#include "render/far/impostor_set.h"
#include "render/gl/context.h"
#include "render/headless.h"

namespace ck::render {
namespace {

// How long pictures are drawn between two looks at whether the job was stopped.
constexpr double kStepMilliseconds = 100.0;

// The caller keeps the value; uploads share what they are made from.
template <class Value>
std::shared_ptr<const Value> lent(const Value& value) {
  return {std::shared_ptr<const void>(), &value};
}

Result<Impostors> drawn(const Character& character, const Atlas& atlas, std::size_t budgetBytes,
                        const JobContext& job) {
  const auto context = HeadlessContext::make();
  if (!context) return tl::unexpected(context.error());
  const auto facts = readContextFacts();
  if (!facts) return tl::unexpected(facts.error());
  ShaderLibrary shaders;
  auto mesh = uploadCharacter(lent(character));
  if (!mesh) return tl::unexpected(mesh.error());
  auto texels = uploadAtlas(lent(atlas));
  if (!texels) return tl::unexpected(texels.error());
  auto set = ImpostorSet::make(std::make_shared<CharacterGpu>(std::move(*mesh)),
                               std::make_shared<AtlasGpu>(std::move(*texels)), {}, shaders, *facts,
                               budgetBytes);
  if (!set) return tl::unexpected(set.error());
  while (!(*set)->isReady()) {
    if (job.stopRequested()) return fail(ErrorCode::Cancelled, "the export was stopped");
    if (auto went = (*set)->goOn(kStepMilliseconds); !went) return tl::unexpected(went.error());
  }
  return (*set)->readBack();
}

}  // namespace

DrawImpostors impostorsWithin(std::size_t budgetBytes) {
  return [budgetBytes](const Character& character, const Atlas& atlas, const JobContext& job) {
    return drawn(character, atlas, budgetBytes, job);
  };
}

}  // namespace ck::render
