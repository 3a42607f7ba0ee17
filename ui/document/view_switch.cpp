#include "ui/document/view_switch.h"

#include "ui/document/document.h"

namespace ck::ui {

void changeView(Document& document, const QString& text,
                const std::function<void(ViewSettings&)>& change) {
  document.edit(
      text, [&change](Project& project) { change(project.view); }, QStringLiteral("view/") + text);
}

}  // namespace ck::ui
