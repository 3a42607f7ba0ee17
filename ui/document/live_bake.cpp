#include "ui/document/live_bake.h"

#include "core/project/pipeline.h"
#include "ui/document/document.h"
#include "ui/document/session.h"

namespace ck::ui {

LiveBake::LiveBake(Document& document, Session& session)
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
  if (!on_ || !session_.atlas(0)) return;
  const LoadedCharacter& first = session_.of(0);
  const BakeState state = session_.bakeState();
  const bool givesWay = state == BakeState::Baking && first.bakeSeconds > kShortSeconds;
  if (state != BakeState::Outdated && !givesWay) return;
  // Settings that were refused or cancelled would be so again.
  const BakeSettings inputs =
      bakeInputs(withoutMissingClips(document_.project().characters.front(), *first.character()));
  if (inputs != first.asked && inputs != first.bakedBy) session_.bakeNow();
}

}  // namespace ck::ui
