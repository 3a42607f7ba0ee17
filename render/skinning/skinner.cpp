#include "render/skinning/skinner.h"

#include <fmt/format.h>

#include <array>
#include <utility>

namespace ck::render {
namespace {

using SkinnerMaker = SkinnerResult (*)(const SkinnerInput&);

template <std::size_t... index>
constexpr auto makersOf(std::index_sequence<index...>) {
  return std::array<SkinnerMaker, sizeof...(index)>{&skinnerOf<kMethods[index].method>...};
}
constexpr auto kMakers = makersOf(std::make_index_sequence<kMethods.size()>());

}  // namespace

SkinnerResult makeSkinner(Method method, const SkinnerInput& input) {
  if (input.from != PoseFrom::Source && input.atlas == nullptr) {
    return fail(ErrorCode::Unsupported, "the baked crowd cannot be shown before it is baked");
  }
  if (input.from != PoseFrom::Atlas && method != Method::Cpu) {
    return fail(ErrorCode::Unsupported,
                fmt::format("the method {} draws what a crowd plays only; the method cpu shows the "
                            "source",
                            methodName(method)));
  }
  return kMakers[static_cast<std::size_t>(method)](input);
}

}  // namespace ck::render
