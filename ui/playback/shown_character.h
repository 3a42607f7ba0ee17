#pragma once

#include <QObject>
#include <QString>
#include <functional>

#include "core/project/project.h"

namespace ck::ui {

class Document;
class Playback;
class Session;

// The settings of the character that the panels show (Playback::shownCharacter()), for widgets that
// are bound to them (ui/parts/bind.h). A variant has the settings of its base. The settings of a
// character that comes from another project are those of that project, and are not edited here.
class ShownCharacter : public QObject {
  Q_OBJECT

 public:
  using Value = ProjectCharacter;

  // All must outlive it.
  ShownCharacter(Document& document, const Session& session, const Playback& playback,
                 QObject* parent = nullptr);

  int number() const;
  QString title() const;
  // Valid until the document or the session changes.
  const ProjectCharacter& value() const;
  QString whyNotEdited() const;  // empty if it can be edited

  // As in Document. edit() does nothing while whyNotEdited().
  void edit(const QString& text, const std::function<void(ProjectCharacter&)>& change,
            const QString& mergeKey = {});
  bool takeBack(const QString& mergeKey);
  void endMerge();

  // The title as rich text where the project has several characters, else empty. Says "read only"
  // where it cannot be edited.
  QString heading() const;

 signals:
  // Another character is shown, or the value has changed.
  void changed();

 private:
  Document& document_;
  const Session& session_;
  const Playback& playback_;
};

}  // namespace ck::ui
