#pragma once

#include <QObject>
#include <QString>

#include "core/project/actors/crowd_edits.h"
#include "ui/document/crowd_dealer.h"
#include "ui/document/notices.h"

namespace ck::ui {

// The actions on the crowds of the project. They act on the chosen crowd; every edit is one undo
// step. Choosing is none.
class CrowdCommands : public QObject {
  Q_OBJECT

 public:
  // All must outlive it.
  CrowdCommands(Document& document, const Session& session, Selection& selection,
                QObject* parent = nullptr);

  // Why the chosen crowd cannot be removed; empty if it can.
  QString needsAnother() const;

  void choose(int crowd);
  // Adds a crowd to the right of everybody who is there.
  void add();
  void duplicate();
  void mirror(MirrorAxis axis);
  // Returns whether the name is free.
  bool rename(const QString& name);
  void setOn(bool on);
  // Shows the chosen crowd alone.
  void showAlone();
  void selectActors();
  void remove();

 signals:
  void noticed(const ck::ui::Notice& notice);

 private:
  Document& document_;
  CrowdDealer dealer_;
};

}  // namespace ck::ui
