#pragma once

#include <QWidget>

class QToolButton;

namespace ck::ui {

// A heading that shows and hides what is below it. Whether it is open is remembered.
class Fold : public QWidget {
 public:
  // `key` is that of the setting in QSettings. Folded if nothing is remembered. Takes `content`.
  Fold(const QString& title, const QString& tip, const QString& key, QWidget* content,
       QWidget* parent = nullptr);

  bool isOpen() const;
  void setOpen(bool open);

 private:
  void show(bool open);

  QToolButton* heading_;
  QWidget* content_;
};

}  // namespace ck::ui
