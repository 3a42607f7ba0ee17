#pragma once

#include <QString>
#include <functional>

#include "core/view/view_settings.h"

namespace ck::ui {

class Document;

// Changes how the project is looked at: lines over actors, the wipe, the scale of the error view.
// `text` names the change. Consecutive changes with the same text are merged.
void changeView(Document& document, const QString& text,
                const std::function<void(ViewSettings&)>& change);

}  // namespace ck::ui
