#pragma once

class QAbstractItemView;

namespace ck::ui {

// Shows the texts of a list with their marks written out (shownText()); they are edited as they
// are.
void showNames(QAbstractItemView& view);

}  // namespace ck::ui
