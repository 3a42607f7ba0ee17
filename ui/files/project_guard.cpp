#include "ui/files/project_guard.h"

#include <QFileInfo>
#include <QMessageBox>
#include <QPushButton>

#include "ui/document/document.h"
#include "ui/viewport/notification_bar.h"

namespace ck::ui {

ProjectGuard::ProjectGuard(QWidget& window, Document& document, NotificationBar& notices,
                           QObject* parent)
    : QObject(parent), window_(window), document_(document), notices_(notices) {
  connect(&document, &Document::replaced, this, [this] {
    if (document_.path().isEmpty()) lock_.release();
    follow();
  });
  connect(&watch_, &ProjectWatch::changed, this, &ProjectGuard::tellChanged);
  connect(&watch_, &ProjectWatch::folderTouched, this, &ProjectGuard::tellShared);
}

void ProjectGuard::follow() {
  const QString path = document_.path();
  follow(path.isEmpty() ? std::nullopt : ProjectWatch::hashOf(path));
}

void ProjectGuard::follow(std::optional<std::uint64_t> known) {
  ++told_;
  // A window that has the project open already needs no notice: opening it here has said so.
  shared_ = lock_.isShared();
  watch_.follow(document_.path(), known);
  notices_.review();
}

ProjectGuard::Answer ProjectGuard::askBeforeSave() {
  if (!watch_.isForeign()) return Answer::Save;
  const QString name = QFileInfo(document_.path()).fileName();
  QMessageBox box(
      QMessageBox::Question, tr("Crowdkiln"),
      tr("%1 was changed by another program since this window read or saved it.").arg(name),
      QMessageBox::Save | QMessageBox::Discard | QMessageBox::Reset | QMessageBox::Cancel,
      &window_);
  box.setInformativeText(
      tr("Replace: the other version is kept as %1.bak alone. Reload: your version is one undo "
         "step away.")
          .arg(name));
  box.button(QMessageBox::Save)->setText(tr("Save as..."));
  box.button(QMessageBox::Discard)->setText(tr("Replace"));
  box.button(QMessageBox::Reset)->setText(tr("Reload"));
  box.setTextFormat(Qt::PlainText);
  box.setDefaultButton(QMessageBox::Save);
  switch (box.exec()) {
    case QMessageBox::Save:
      return Answer::SaveAs;
    case QMessageBox::Discard:
      return Answer::Save;
    case QMessageBox::Reset:
      return Answer::Reload;
    default:
      return Answer::Cancel;
  }
}

void ProjectGuard::tellChanged() {
  const auto isSo = [this, told = ++told_] { return told == told_; };
  const auto keep = [this] {
    watch_.accept();
    ++told_;
    document_.markModified();
  };
  notices_.review();
  notices_.push(
      {Notice::Level::Warning,
       tr("%1 was changed on disk by another program.").arg(QFileInfo(document_.path()).fileName()),
       {{tr("Reload"), [this] { emit reloadAsked(); }}, {tr("Keep mine"), keep}},
       isSo});
}

void ProjectGuard::tellShared() {
  const bool before = std::exchange(shared_, lock_.isShared());
  if (before || !shared_) return notices_.review();
  notices_.push({Notice::Level::Warning,
                 tr("%1 is open in another window now, too. Where both save, the later one is "
                    "asked first.")
                     .arg(QFileInfo(document_.path()).fileName()),
                 {{tr("Save as..."), [this] { emit saveAsAsked(); }}},
                 [this] { return shared_; }});
}

}  // namespace ck::ui
