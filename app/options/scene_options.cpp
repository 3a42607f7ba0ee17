#include "app/options/scene_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/options/choices.h"
#include "app/options/numbers.h"
#include "core/project/characters.h"
#include "core/system/files.h"

namespace ck::cli {
namespace {

bool isThere(const std::string& file) {
  std::error_code failed;
  return std::filesystem::exists(pathFromText(file), failed);
}

}  // namespace

void addCrowdOptions(CLI::App& app, SceneOptions& options) {
  app.add_option("--actors", options.actors, "Actors in the crowd (default: 100)")
      ->check(CLI::Range(0, 1000000))
      ->option_text("N");
  app.add_option("--seed", options.seed, "Seed of everything random (default: 1)")
      ->option_text("N");
  addChoice(app, "--formation", options.formation,
            wordsFor({Formation::Grid, Formation::Disc, Formation::Circle, Formation::Scatter,
                      Formation::Poisson, Formation::Arcs},
                     formationName),
            "How the actors stand");
}

void addPlaceOption(CLI::App& app, SceneOptions& options) {
  CLI::Option* place = app.add_option("--place", options.place,
                                      "Actors of a file that 'kiln export' or the editor wrote")
                           ->option_text("FILE.actors.json|csv");
  for (const char* name : {"--actors", "--seed", "--formation", "--vary-morph"}) {
    place->excludes(app.get_option(name));
  }
}

void addWithOption(CLI::App& app, SceneOptions& options) {
  app.add_option("--with", options.further,
                 "Another character in the same crowd: a rig or a .crowd project; as many actors "
                 "as the first has, or SHARE times that")
      ->allow_extra_args(false)
      ->option_text("FILE[=SHARE]");
}

void addPropOption(CLI::App& app, SceneOptions& options) {
  app.add_option("--prop", options.props,
                 "A mesh that stands in the scene: a file that rigs are read from, its place in "
                 "metres (default: 0,0), degrees about the vertical, and times its size")
      ->allow_extra_args(false)
      ->option_text("MESH[@X,Z[,YAW[,SCALE]]]");
}

SpawnSettings spawnSettings(const SceneOptions& options) {
  return {.count = options.actors,
          .formation = options.formation,
          .seed = options.seed,
          .variedMorphs = options.variedMorphs};
}

UsageResult<FurtherCharacter> furtherFrom(const std::string& text) {
  const std::size_t sign = text.rfind('=');
  if (sign == std::string::npos || isThere(text)) return FurtherCharacter{text};
  const std::string file = text.substr(0, sign);
  const std::string word = text.substr(sign + 1);
  const auto share = numberFrom<double>(word);
  if (share && *share > 0.0 && *share <= 1e6) return FurtherCharacter{file, *share};
  if (!share && !isThere(file)) return FurtherCharacter{text};
  return tl::unexpected(
      fmt::format("--with: '{}' behind '{}=' is no share, which is a number above 0 and up to "
                  "1000000",
                  word, file));
}

bool hasFurtherRigs(const SceneOptions& options) {
  return std::ranges::any_of(options.further, [](const std::string& text) {
    const auto further = furtherFrom(text);
    return further && !isProjectPath(further->file);
  });
}

UsageResult<Prop> propFrom(const std::string& text) {
  Prop prop{.source = {text}};
  const std::size_t sign = text.rfind('@');
  if (sign == std::string::npos || isThere(text)) return prop;
  const std::string file = text.substr(0, sign);
  const std::string place = text.substr(sign + 1);
  const std::vector<double> numbers = numbersFrom(place);
  const bool inRange =
      std::ranges::all_of(numbers, [](double number) { return std::abs(number) < 1e6; });
  if (numbers.size() < 2 || numbers.size() > 4 || !inRange) {
    const bool isOfNumbers = place.find_first_not_of("0123456789+-.,eE") == std::string::npos;
    if (!isOfNumbers && !isThere(file)) return prop;
    return tl::unexpected(
        fmt::format("--prop: '{}' behind '{}@' is no place, which is X,Z[,YAW[,SCALE]] with "
                    "numbers below a million",
                    place, file));
  }
  prop.source.path = file;
  prop.position = {numbers[0], 0.0, numbers[1]};
  if (numbers.size() > 2) prop.yawDegrees = static_cast<float>(numbers[2]);
  if (numbers.size() > 3) prop.scale = static_cast<float>(numbers[3]);
  if (prop.scale > 0.0f) return prop;
  return tl::unexpected(
      fmt::format("--prop: '{}': the scale is {:g}, and must be above 0", text, numbers[3]));
}

}  // namespace ck::cli
