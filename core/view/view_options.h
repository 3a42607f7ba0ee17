#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/view/view_settings.h"

namespace ck {

// The type of a setting of the view. Values of every kind are passed as double.
enum class ViewKind {
  Number,
  Whole,   // an integer
  Flag,    // 0 or 1
  Choice,  // an index into ViewOption::words
};

// An entry of a setting's menu.
struct ViewChoice {
  double value = 0.0;
  std::string_view title;
  std::string_view tip = {};
};

// How project files have a setting, in their object `view`.
struct ViewKey {
  // Behind "detail." it stands in the object of that name. Empty if files do not have the setting.
  // A key must never change.
  std::string_view key = {};
  bool isAlways = false;  // whether it is always written; else only if it is not the default
  // Files with numbers beyond these are refused. If they are equal, those of the option hold.
  double low = 0.0;
  double high = 0.0;
};

// How the command line has it.
struct ViewArgument {
  std::string_view option = {};  // "--wipe"; empty if there is none
  std::string_view help = {};    // for --show: the word that sets the flag
  std::string_view unit = {};    // the text for the value: "METRES"
  double low = 0.0;              // of the value
  double high = 0.0;
  double perUnit = 1.0;  // the setting is the value times this; a flag is set to it
};

// When it has an effect. Options without one are refused.
struct ViewEffect {
  bool (*worksIn)(ViewMode mode, const MethodInfo& method) = nullptr;
  bool MethodOptions::*obeyed = nullptr;         // marks the methods that the setting affects
  std::optional<double> neutral = std::nullopt;  // this value is never refused
};

// How the editor has it.
struct ViewMenu {
  std::string_view title = {};  // of the menu or its entry, with '&' before its key
  std::string_view tip = {};
  std::span<const ViewChoice> choices = {};
};

// One setting of the view. The default is that of ViewSettings{}.
struct ViewOption {
  ViewKey file = {};
  ViewArgument line = {};
  ViewEffect effect = {};
  ViewMenu menu = {};
  ViewKind kind = ViewKind::Number;
  std::span<const std::string_view> words = {};    // for ViewKind::Choice, by value
  std::span<const std::string_view> offered = {};  // words that the option accepts; empty: all
  double (*get)(const ViewSettings& view) = nullptr;
  void (*set)(ViewSettings& view, double value) = nullptr;
};

// All settings, in the order of the command line's help and of project files. A new setting needs a
// row here and a member of ViewSettings.
std::span<const ViewOption> viewOptions();

// The row with this key, or with this option. It must exist.
const ViewOption& viewOption(std::string_view keyOrOption);

// Why the option has no effect with the view mode and the method; empty if it has one.
std::string whyNoEffect(const ViewOption& row, ViewMode mode, Method method);

}  // namespace ck
