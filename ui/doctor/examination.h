#pragma once

#include <QObject>
#include <QString>
#include <optional>
#include <vector>

#include "core/project/clip_doctor.h"
#include "ui/document/task_runner.h"

namespace ck::ui {

class Document;
class Playback;
class Session;

// The findings of the clip doctor about the shown character (core/project/clip_doctor.h). It
// examines in the background whenever the character or its settings change; the newest examination
// wins. Every fix is one undo step.
class Examination : public QObject {
  Q_OBJECT

 public:
  // All must outlive it.
  Examination(Document& document, const Session& session, const Playback& playback,
              QObject* parent = nullptr);

  // In the order of the clips. Findings of the settings before until isCurrent().
  const std::vector<ClipFinding>& findings() const { return findings_; }
  // Whether the findings are those of the settings as they are now.
  bool isCurrent() const { return examined_ && examined_ == asked_; }
  // Whether there is a rig to examine.
  bool hasPatient() const { return asked_.has_value(); }

  // The findings about one clip of the shown character; nothing until isCurrent().
  std::vector<ClipFinding> of(int clip) const;
  // The title of the clip that a finding is about; the character's for one about all clips.
  QString titleOf(const ClipFinding& finding) const;

  // Why nothing can be fixed now; empty if it can.
  QString whyNotFixed() const;
  int fixable() const;  // number of findings with a fix
  // Does nothing if the finding has no fix, or while whyNotFixed().
  void fix(const ClipFinding& finding);
  void fixAll();

 signals:
  void changed();
  // The background task has failed.
  void failed(const ck::Error& error);

 private:
  struct Patient {
    CharacterPtr character;
    ProjectCharacter settings;
    bool operator==(const Patient&) const = default;
  };
  void follow();
  void edit(const QString& text, const std::vector<ClipFinding>& findings);

  Document& document_;
  const Session& session_;
  const Playback& playback_;
  TaskRunner tasks_{nullptr, TaskRunner::Priority::Background};
  std::optional<Patient> asked_;
  std::optional<Patient> examined_;
  std::vector<ClipFinding> findings_;
};

}  // namespace ck::ui
