#include "ui/document/live_bake.h"

#include "core/project/characters.h"
#include "core/stage/pipeline.h"
#include "ui/document/document.h"
#include "ui/document/session.h"

namespace ck::ui {

LiveBake::LiveBake(const Document& document, Session& session)
    : QObject(&session), document_(document), session_(session) {
  // Sent after each change of the document, and when a bake has ended.
  connect(&session, &Session::bakeStateChanged, this, &LiveBake::follow);
}

void LiveBake::setOn(bool on) {
  if (on_ == on) return;
  on_ = on;
  emit switched(on);
  follow();
}

void LiveBake::follow() {
  for (int c = 0; on_ && c < characterCount(document_.project()); ++c) {
    if (baseOf(document_.project(), c) == c && isDue(c)) session_.bakeNow(c);
  }
}

bool LiveBake::isDue(int character) const {
  const LoadedCharacter& loaded = session_.of(character);
  if (!loaded.atlas) return false;
  const BakeState state = session_.bakeState(character);
  const bool givesWay = state == BakeState::Baking && loaded.bakeSeconds > kShortSeconds;
  if (state != BakeState::Outdated && !givesWay) return false;
  // Settings that were refused or cancelled would be so again.
  const BakeSettings inputs = bakeInputs(session_.settings(character));
  return inputs != loaded.asked && inputs != loaded.bakedBy;
}

}  // namespace ck::ui
