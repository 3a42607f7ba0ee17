#include "ui/document/notice_causes.h"

#include <spdlog/spdlog.h>

#include <QCoreApplication>
#include <QStringList>

#include "core/base/log.h"
#include "core/import/host/sandbox.h"
#include "core/project/characters.h"
#include "core/stage/scene.h"
#include "ui/document/document.h"
#include "ui/document/name_text.h"
#include "ui/document/text.h"

namespace ck::ui {
namespace {

QString tr(const char* text) {
  return QCoreApplication::translate("Notices", text);
}

// setClips() gives actors whose clip is gone the first one.
void leaveMissingClips(Project& project, const Session& session, int number) {
  const CharacterPtr rig = session.character(number);
  if (!rig) return;
  setClips(project, number, withoutMissingClips(baseCharacter(project, number), *rig).clips);
}

}  // namespace

std::optional<Notice> missingClipsNotice(Document& document, const Session& session, int number) {
  const std::vector<MissingClip> missing = session.missing(number);
  if (missing.empty()) return std::nullopt;
  const Project& project = document.project();
  QStringList names;
  int actors = 0;
  for (const MissingClip& clip : missing) {
    names << QStringLiteral("'%1'").arg(nameText(clip.title));
    actors += clip.actors;
  }
  const QString file = fileNameOf(baseCharacter(project, number).sources.front().path);
  const QString gone =
      missing.size() == 1
          ? tr("Clip %1 is gone from %2. %3 wait for it in the first pose and play it again when "
               "it is back.")
          : tr("Clips %1 are gone from %2. %3 wait for them in the first pose and play them again "
               "when they are back.");
  const QString text = gone.arg(names.join(QStringLiteral(", ")), file,
                                counted(qlonglong(actors), tr("actor"), tr("actors")));
  Notice notice{Notice::Level::Warning, text, {}};
  notice.cause = [&session, number] { return !session.missing(number).empty(); };
  const ProjectClip& clip = clipsOf(project, number).front();
  if (!clipNamed(*session.character(number), clip.name)) return notice;
  const QString instead = tr("Play '%1'").arg(nameText(titleOf(clip)));
  notice.actions.push_back({instead, [&document, &session, number, instead] {
                              document.edit(instead, [&](Project& changed) {
                                leaveMissingClips(changed, session, number);
                              });
                            }});
  return notice;
}

std::optional<Notice> sandboxNotice() {
  static std::string told;
  const Notes notes = sandboxNotes();
  if (notes.empty() || notes.front().message == told) return std::nullopt;
  told = notes.front().message;
  return Notice{Notice::Level::Warning, sentenceOf(told), {}, [] { return true; }};
}

Notice aboutCharacters(const Document& document, Notice notice) {
  notice.cause = [&document, before = document.project().characters] {
    return document.project().characters == before;
  };
  return notice;
}

Notice aboutFiles(const Session& session, const LoadedPtr& loaded, Notice notice) {
  const bool refused = loaded->state == CharacterState::Refused;
  if (session.numberOf(loaded) >= 0) {
    notice.cause = [&session, loaded, refused] {
      return session.numberOf(loaded) >= 0 && (loaded->state == CharacterState::Refused) == refused;
    };
  } else {
    notice.cause = [&session, imports = session.imports()] { return session.imports() == imports; };
  }
  return notice;
}

// The files of a character that are not those of the project's last save.
static QStringList changedSinceSave(const Project& project, const LoadedCharacter& loaded) {
  QStringList changed;
  const auto& saved = project.file.sourceHashes;
  for (const SourceFile& source : loaded.inputs.sources) {
    const auto before = saved.find(source.path);
    const auto now = loaded.source->hashes.find(source.path);
    if (before == saved.end() || now == loaded.source->hashes.end()) continue;
    if (before->second != now->second) changed << fileNameOf(source.path);
  }
  return changed;
}

std::vector<Notice> changeNotices(Document& document, const Session& session,
                                  const LoadedPtr& loaded, bool opens) {
  std::vector<Notice> notices;
  const int number = session.numberOf(loaded);
  if (number < 0) return notices;
  const QStringList changed = changedSinceSave(document.project(), *loaded);
  if (opens && !changed.isEmpty()) {
    const QString text = loaded->atlas ? tr("%1 has changed since the project was saved.")
                                       : tr("%1 has changed since the project was saved; its clips "
                                            "are baked again.");
    Notice notice{Notice::Level::Hint, text.arg(changed.join(QStringLiteral(", ")))};
    notices.push_back(aboutFiles(session, loaded, std::move(notice)));
  }
  if (auto missing = missingClipsNotice(document, session, number)) {
    log().warn("{}", utf8Of(missing->text));
    notices.push_back(std::move(*missing));
  }
  return notices;
}

}  // namespace ck::ui
