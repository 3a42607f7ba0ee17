#include "ui/playback/shown_character.h"

#include "core/project/characters.h"
#include "ui/document/document.h"
#include "ui/document/name_text.h"
#include "ui/document/session.h"
#include "ui/document/text.h"
#include "ui/playback/playback.h"

namespace ck::ui {

ShownCharacter::ShownCharacter(Document& document, const Session& session, const Playback& playback,
                               QObject* parent)
    : QObject(parent), document_(document), session_(session), playback_(playback) {
  connect(&document, &Document::changed, this, [this](const Project& before, const Project& now) {
    if (before.characters != now.characters) emit changed();
  });
  connect(&session, &Session::rigsChanged, this, &ShownCharacter::changed);
  connect(&playback, &Playback::shownCharacterChanged, this, [this] {
    // Steps of a field must not become one edit of two characters.
    document_.endMerge();
    emit changed();
  });
}

int ShownCharacter::number() const {
  return playback_.shownCharacter();
}

QString ShownCharacter::title() const {
  return nameText(characterTitle(document_.project(), number()));
}

const ProjectCharacter& ShownCharacter::value() const {
  const std::optional<CharacterSource>& source = session_.of(number()).source;
  if (source && !source->projectFile.empty()) return source->fromProject;
  return baseCharacter(document_.project(), number());
}

QString ShownCharacter::whyNotEdited() const {
  if (!isFromProject(baseCharacter(document_.project(), number()))) return {};
  return tr("%1 comes from another project, which has its clips and its bake settings")
      .arg(title());
}

void ShownCharacter::edit(const QString& text, const std::function<void(ProjectCharacter&)>& change,
                          const QString& mergeKey) {
  if (!whyNotEdited().isEmpty()) return;
  const int base = baseOf(document_.project(), number());
  document_.edit(
      text, [&](Project& project) { change(project.characters[std::size_t(base)]); }, mergeKey);
}

bool ShownCharacter::takeBack(const QString& mergeKey) {
  return document_.takeBack(mergeKey);
}

void ShownCharacter::endMerge() {
  document_.endMerge();
}

QString ShownCharacter::heading() const {
  if (characterCount(document_.project()) < 2) return {};
  const QString name = QStringLiteral("<b>%1</b>").arg(title().toHtmlEscaped());
  return whyNotEdited().isEmpty() ? name : tr("%1 (read only)").arg(name);
}

}  // namespace ck::ui
