#pragma once

#include <QWidget>

class QToolButton;

namespace ck::ui {

// A heading that shows and hides what is below it. Whether it is open is kept in the user's
// settings.
class Fold : public QWidget {
  Q_OBJECT

 public:
  // `key` names it in the settings and must not change; `open`: as it is at first. Takes `content`.
  Fold(const QString& key, const QString& title, QWidget* content, bool open,
       QWidget* parent = nullptr);

  bool isOpen() const;
  void setOpen(bool open);
  // Sets the text of the heading after the title, e.g. the settings inside.
  void setSummary(const QString& summary);

  // Opens the folds around a widget, so that it can be seen.
  static void reveal(const QWidget& widget);

 private:
  void show(bool open);

  QString key_;
  QString title_;
  QToolButton* heading_;
  QWidget* content_;
};

}  // namespace ck::ui
