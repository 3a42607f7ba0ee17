#include "app/commands/cast_errors.h"

#include <fmt/format.h>

namespace ck::cli {
namespace {

std::string figuresText(const ErrorFigures& figures) {
  return fmt::format("{:.3f} mm at most, 99 % below {:.3f}, worst in {} at {} ({:.3f} s)",
                     figures.maxMm, figures.p99Mm, figures.worstClip, figures.worstJoint,
                     figures.worstTimeSeconds);
}

}  // namespace

Result<std::vector<BakeError>> measureCastErrors(const CastStage& stage, const JobContext& job) {
  std::vector<BakeError> errors;
  const auto count = static_cast<float>(stage.members.size());
  for (std::size_t m = 0; m < stage.members.size(); ++m) {
    const render::CharacterEntry& entry = stage.members[m].entry;
    std::size_t same = 0;
    while (stage.members[same].entry.atlas != entry.atlas) ++same;
    if (same < m) {
      errors.push_back(errors[same]);
      continue;
    }
    const auto at = static_cast<float>(m);
    auto error =
        measureBakeError(*entry.character, *entry.atlas, job.part(at / count, (at + 1.0f) / count));
    if (!error) {
      Error named = error.error();
      named.message = fmt::format("{}: {}", stage.members[m].title, named.message);
      return tl::unexpected(std::move(named));
    }
    errors.push_back(std::move(*error));
  }
  return errors;
}

std::string castErrorsText(const CastStage& stage, const std::vector<BakeError>& errors) {
  std::string text;
  for (std::size_t m = 0; m < errors.size(); ++m) {
    text += fmt::format("  {}: {}; joint by joint {}\n", stage.members[m].title,
                        figuresText(errors[m].palette), figuresText(errors[m].direct));
  }
  return text;
}

}  // namespace ck::cli
