#pragma once

#include <QString>
#include <functional>
#include <vector>

namespace ck::ui {

// A message that stays over the viewport until it is closed or acted on.
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
