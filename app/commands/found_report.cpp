#include "app/commands/found_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>

#include "app/commands/error_report.h"
#include "core/atlas/recipe_settings.h"
#include "core/fit/fit_front.h"

namespace ck::cli {
namespace {

// The first limit that a row does not meet, in words; empty if it meets all.
std::string whyNot(const FitRow& row, const FitLimits& limits) {
  const ErrorFigures& figures = figuresOf(row);
  if (limits.error.vertexMm > 0.0 && figures.vertices.max > limits.error.vertexMm) {
    return fmt::format("{} mm at the vertices, and {:g} are allowed", upText(figures.vertices.max),
                       limits.error.vertexMm);
  }
  if (limits.error.shellMm > 0.0 && figures.shell.max > limits.error.shellMm) {
    return fmt::format("{} mm at the shell, and {:g} are allowed", upText(figures.shell.max),
                       limits.error.shellMm);
  }
  if (limits.error.pixels > 0.0 && figures.screen.max > limits.error.pixels) {
    return fmt::format("{} pixels, and {:g} are allowed", upText(figures.screen.max),
                       limits.error.pixels);
  }
  if (limits.bytes > 0 && row.bytes > limits.bytes) {
    return fmt::format("{}, and {} are allowed", bytesText(row.bytes, true),
                       bytesText(limits.bytes, false));
  }
  return {};
}

Json rowJson(const FitRow& row, const FitLimits& limits) {
  Json json;
  addRecipe(json, row.settings, true);
  if (row.settings.rateHz > 0.0) json["rateHz"] = row.settings.rateHz;
  json["bytes"] = row.bytes;
  json["width"] = row.width;
  json["height"] = row.height;
  json["frames"] = row.frames;
  json["fetches"] = row.fetches;
  json["maxMm"] = figuresOf(row).vertices.max;
  json["pixels"] = figuresOf(row).screen.max;
  json["accepted"] = row.isWithin;
  if (!row.isWithin) json["reason"] = whyNot(row, limits);
  json["front"] = row.isFront;
  json["knee"] = row.isKnee;
  json.update(errorJson(row.error));
  return json;
}

std::string_view adviceName(FitAdvice::Kind kind) {
  switch (kind) {
    case FitAdvice::Kind::AllowError:
      return "allow-error";
    case FitAdvice::Kind::AllowBytes:
      return "allow-bytes";
    case FitAdvice::Kind::DropClip:
      return "drop-clip";
  }
  return {};
}

Json adviceJson(const FitAdvice& advice, const FitLimits& limits) {
  Json json = {{"kind", adviceName(advice.kind)}, {"text", advice.text}};
  if (!advice.clip.empty()) json["clip"] = advice.clip;
  json["candidate"] = rowJson(advice.row, limits);
  return json;
}

std::string settingsText(const BakeSettings& settings) {
  std::string text(encodingName(encodingOf(settings)));
  if (settings.components) text += fmt::format(" {}", componentsName(*settings.components));
  if (settings.rateHz > 0.0) {
    text += fmt::format(", {:.4g} Hz", settings.rateHz);
  } else if (settings.frames > 0) {
    text += fmt::format(", {} frames", settings.frames);
  } else {
    text += ", keys";
  }
  if (settings.reduceMm > 0.0) text += fmt::format(" reduced by {} mm", settings.reduceMm);
  text += fmt::format(", {}", layoutKindName(settings.layout));
  if (settings.rangeMode) text += fmt::format(", range {}", rangeModeName(*settings.rangeMode));
  text += fmt::format(", {} influence{}", settings.influences, settings.influences == 1 ? "" : "s");
  return text;
}

}  // namespace

std::vector<std::string> foundArguments(const BakeSettings& settings, bool isRig) {
  BakeRecipe recipe = settings;
  recipe.rangeMode.reset();
  if (rangeModeFor(settings) != rangeModeFor(recipe)) recipe.rangeMode = settings.rangeMode;
  const BakeRecipe usual = {.encoding = encodingOf(settings),
                            .layout = usualLayout(encodingOf(settings))};
  std::vector<std::string> words;
  const auto add = [&words](const char* name, std::string value) {
    words.emplace_back(name);
    words.push_back(std::move(value));
  };
  if (isRig) add("--encoding", std::string(encodingName(encodingOf(settings))));
  forEachSetting([&](const auto& setting) {
    const auto& value = recipe.*setting.member;
    if (!setting.isSearched || (isRig && value == usual.*setting.member)) return;
    add(setting.option, setting.text(value));
  });
  if (settings.frames > 0) {
    add("--frames", std::to_string(settings.frames));
  } else if (settings.rateHz > 0.0) {
    add("--rate", fmt::format("{}", settings.rateHz));
  } else if (!isRig) {
    add("--rate", "keys");
  }
  return words;
}

std::string quoted(const std::string& word) {
  const bool isPlain = !word.empty() && std::ranges::all_of(word, [](unsigned char c) {
    return std::isalnum(c) != 0 ||
           std::string_view("-_./=,:@+%").find(char(c)) != std::string_view::npos;
  });
  if (isPlain) return word;
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

Json foundJson(const FitResult& result, const FitLimits& limits,
               const std::vector<std::string>& command, const Notes& notes) {
  Json json = {{"planned", result.candidates},
               {"measured", result.rows.size()},
               {"stopped", result.stopped}};
  json["candidates"] =
      jsonList(result.rows, [&limits](const FitRow& row) { return rowJson(row, limits); });
  if (result.best) {
    json["best"] = *result.best;
    json["command"] = command;
  }
  json["advice"] = jsonList(
      result.advice, [&limits](const FitAdvice& advice) { return adviceJson(advice, limits); });
  if (!result.best && !result.stopped) json["sentence"] = adviceSentence(result, limits);
  json["notes"] = notesJson(notes);
  return json;
}

std::string foundText(const FitResult& result, const FitLimits& limits, const std::string& name,
                      const std::vector<std::string>& command) {
  std::string text =
      fmt::format("{}: {} candidates, {} of them baked and measured{}\n", name, result.candidates,
                  result.rows.size(), result.stopped ? "; stopped before the end" : "");
  if (!result.rows.empty()) {
    text += fmt::format("  {:>10} {:>12} {:>10} {:>10} {:>7}  {}\n", "bytes", "texels", "vertices",
                        "screen", "fetches", "settings");
  }
  for (std::size_t i = 0; i < result.rows.size(); ++i) {
    const FitRow& row = result.rows[i];
    std::string marks;
    if (result.best == i) marks += "  <- best";
    if (row.isKnee) marks += "  (knee)";
    text += fmt::format("{} {:>10} {:>12} {:>7.3f} mm {:>7.2f} px {:>7}  {}{}\n",
                        row.isFront ? '*' : ' ', row.bytes,
                        fmt::format("{} x {}", row.width, row.height), figuresOf(row).vertices.max,
                        figuresOf(row).screen.max, row.fetches, settingsText(row.settings), marks);
  }
  if (result.best) {
    std::vector<std::string> words;
    for (const std::string& word : command) words.push_back(quoted(word));
    text += fmt::format("{}\n", fmt::join(words, " "));
  } else if (!result.stopped) {
    text += adviceSentence(result, limits) + "\n";
  }
  return text;
}

}  // namespace ck::cli
