#pragma once

#include <QString>
#include <functional>
#include <vector>

namespace ck::ui {

// A message over the viewport, which stays until it is closed or one of its actions is used.
struct Notice {
  enum class Level { Hint, Warning, Error };
  struct Action {
    QString label;
    std::function<void()> run;
  };
  Level level = Level::Hint;
  QString text;
  std::vector<Action> actions = {};
};

}  // namespace ck::ui
