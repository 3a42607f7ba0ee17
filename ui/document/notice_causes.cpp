#include "ui/document/notice_causes.h"

#include "ui/document/document.h"

namespace ck::ui {

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

}  // namespace ck::ui
