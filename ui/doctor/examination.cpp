#include "ui/doctor/examination.h"

#include <algorithm>

#include "core/project/characters.h"
#include "core/stage/scene.h"
#include "ui/document/document.h"
#include "ui/document/name_text.h"
#include "ui/document/session.h"
#include "ui/document/text.h"
#include "ui/playback/playback.h"

namespace ck::ui {

Examination::Examination(Document& document, const Session& session, const Playback& playback,
                         QObject* parent)
    : QObject(parent), document_(document), session_(session), playback_(playback) {
  connect(&document, &Document::changed, this, [this](const Project& before, const Project& now) {
    if (before.characters != now.characters) follow();
  });
  connect(&session, &Session::changed, this, &Examination::follow);
  connect(&session, &Session::rigsChanged, this, &Examination::follow);
  connect(&playback, &Playback::shownCharacterChanged, this, &Examination::follow);
  connect(&tasks_, &TaskRunner::failed, this, &Examination::failed);
  follow();
}

void Examination::follow() {
  const int shown = playback_.shownCharacter();
  const LoadedCharacter& loaded = session_.of(shown);
  std::optional<Patient> patient;
  if (loaded.source) {
    patient = Patient{loaded.character(),
                      settingsFor(baseCharacter(document_.project(), shown), *loaded.source)};
    std::vector<ProjectClip>& clips = patient->settings.clips;
    clips = inOrderOf(clipsOf(document_.project(), shown), clips);
    // Hidden meshes of the figure move as well.
    patient->settings.hiddenMeshes.clear();
    patient->settings.title.clear();
  }
  if (patient == asked_) return;
  // Another rig has other findings; those of other settings stay until the new ones are there.
  if (!patient || !asked_ || patient->character != asked_->character) findings_.clear();
  asked_ = std::move(patient);
  if (!asked_) {
    tasks_.cancelAll();
    emit changed();
    return;
  }
  using Findings = std::vector<ClipFinding>;
  const auto work = [patient = *asked_](const JobContext& job) {
    return examineClips(*patient.character, patient.settings, job);
  };
  const auto take = [this, patient = *asked_](const Findings& findings) {
    findings_ = findings;
    examined_ = patient;
    emit changed();
  };
  tasks_.run(QStringLiteral("doctor"), tr("Examining clips"), work, take);
  emit changed();
}

std::vector<ClipFinding> Examination::of(int clip) const {
  std::vector<ClipFinding> found;
  if (!isCurrent()) return found;
  std::ranges::copy_if(findings_, std::back_inserter(found),
                       [clip](const ClipFinding& one) { return one.clip == clip; });
  return found;
}

QString Examination::titleOf(const ClipFinding& finding) const {
  const bool ofClip =
      asked_ && finding.clip >= 0 && std::size_t(finding.clip) < asked_->settings.clips.size();
  if (ofClip) return nameText(ck::titleOf(asked_->settings.clips[std::size_t(finding.clip)]));
  return nameText(characterTitle(document_.project(), playback_.shownCharacter()));
}

QString Examination::whyNotFixed() const {
  if (!hasPatient()) return tr("Import a rig first");
  const int shown = playback_.shownCharacter();
  if (isFromProject(baseCharacter(document_.project(), shown))) {
    return tr("The clips of %1 are edited in its own project")
        .arg(nameText(characterTitle(document_.project(), shown)));
  }
  return isCurrent() ? QString() : tr("The clips are being examined");
}

int Examination::fixable() const {
  return int(
      std::ranges::count_if(findings_, [](const ClipFinding& one) { return !one.fix.empty(); }));
}

void Examination::fix(const ClipFinding& finding) {
  if (finding.fix.empty() || !whyNotFixed().isEmpty()) return;
  edit(tr("%1: %2").arg(textOf(finding.fix), titleOf(finding)), {finding});
}

void Examination::fixAll() {
  if (fixable() == 0 || !whyNotFixed().isEmpty()) return;
  edit(tr("Fix all that the doctor found"), findings_);
}

// The clips keep their places, so that the actors keep theirs.
void Examination::edit(const QString& text, const std::vector<ClipFinding>& findings) {
  const int base = baseOf(document_.project(), playback_.shownCharacter());
  document_.edit(text, [&](Project& project) {
    for (const ClipFinding& one : findings) {
      applyFix(project.characters[std::size_t(base)], one);
    }
  });
}

}  // namespace ck::ui
