#pragma once

#include <QString>
#include <string_view>

#include "core/base/utf8.h"
#include "ui/document/text.h"

namespace ck::ui {

// A name of a stranger's file as labels and menus show it (visibleText()). Texts that are edited,
// compared or used as a path have textOf().
inline QString nameText(std::string_view utf8) {
  return textOf(visibleText(utf8));
}

}  // namespace ck::ui
