#include "ui/parts/name_views.h"

#include <QAbstractItemView>
#include <QLocale>
#include <QStyledItemDelegate>

#include "ui/document/text.h"

namespace ck::ui {
namespace {

class NameDelegate : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;
  QString displayText(const QVariant& value, const QLocale& locale) const override {
    return shownText(QStyledItemDelegate::displayText(value, locale));
  }
};

}  // namespace

void showNames(QAbstractItemView& view) {
  view.setItemDelegate(new NameDelegate(&view));
}

}  // namespace ck::ui
