#include "ui/windows/playback_menu.h"

#include <QMenu>
#include <algorithm>
#include <optional>

#include "ui/actions/action_table.h"
#include "ui/document/document.h"
#include "ui/document/selection.h"
#include "ui/document/session.h"
#include "ui/document/text.h"
#include "ui/playback/playback.h"
#include "ui/windows/view_menus.h"

namespace ck::ui {
namespace {

constexpr int kByClip = -1;
constexpr int kMixed = -2;

// The shown project and selection, as far as they decide which actions are possible.
class SelectedActors {
 public:
  SelectedActors(const Document& document, const Session& session, const Selection& selection)
      : document_(document), session_(session), selection_(selection) {}

  const std::vector<int>& numbers() const { return selection_.actors(); }
  QString whyNone() const {
    if (!session_.hasRig()) return QMenu::tr("Import a rig first");
    return selection_.actors().empty() ? QMenu::tr("Select actors first (Ctrl+A selects all)")
                                       : QString();
  }
  QString whyNotCommanded() const {
    const QString reason = whyNone();
    if (!reason.isEmpty()) return reason;
    const bool full = std::ranges::all_of(numbers(), [this](int actor) {
      return actorOf(actor).commands.size() >= kMostPlayCommands;
    });
    return full ? QMenu::tr("They have %1 commands, which is the limit; clear them first")
                      .arg(kMostPlayCommands)
                : QString();
  }
  QString whyNotCleared() const {
    const QString reason = whyNone();
    if (!reason.isEmpty()) return reason;
    const bool none = std::ranges::all_of(
        numbers(), [this](int actor) { return actorOf(actor).commands.empty(); });
    return none ? QMenu::tr("They have no commands") : QString();
  }
  int loop() const {
    std::optional<int> all;
    for (const int actor : numbers()) {
      const auto loop = actorOf(actor).loop;
      const int one = loop ? int(*loop) : kByClip;
      if (all && *all != one) return kMixed;
      all = one;
    }
    return all.value_or(kMixed);
  }

 private:
  // The selection may be stale while the document changes.
  const Actor& actorOf(int actor) const {
    static const Actor gone;
    const ActorList& actors = document_.project().actors;
    return std::size_t(actor) < actors.size() ? actors[std::size_t(actor)] : gone;
  }

  const Document& document_;
  const Session& session_;
  const Selection& selection_;
};

// One undo step for all of the actors.
template <class Change>
void editActors(Document& document, const QString& undoText, const std::vector<int>& actors,
                const Change& change) {
  document.edit(
      undoText.arg(counted(qlonglong(actors.size()), QMenu::tr("actor"), QMenu::tr("actors"))),
      [&](Project& project) {
        for (const int actor : actors) {
          if (std::size_t(actor) >= project.actors.size()) continue;
          Actor next = project.actors[std::size_t(actor)];
          change(next);
          project.actors.set(std::size_t(actor), next);
        }
      });
}

}  // namespace

QMenu* makePlaybackMenu(ActionTable& actions, Document& document, const Session& session,
                        Playback& playback, const Selection& selection, QWidget* parent) {
  auto* menu = new QMenu(QMenu::tr("&Playback"), parent);
  menu->setObjectName(QLatin1String(kPlaybackMenu));
  menu->setToolTipsVisible(true);
  const SelectedActors selected(document, session, selection);
  const auto add = [&](PlayAction play, ActionRow row) {
    row.run = [&playback, &selection, play] { playback.command(selection.actors(), play); };
    row.whyNot = [selected] { return selected.whyNotCommanded(); };
    actions.add(*menu, row);
  };
  add(PlayAction::Play, {"actors.play", QMenu::tr("&Play"),
                         QMenu::tr("The selected actors go on forwards from this moment on"),
                         QMenu::tr("Ctrl+Alt+P"), "play"});
  add(PlayAction::Pause,
      {"actors.pause", QMenu::tr("P&ause"),
       QMenu::tr("The selected actors stand still as they are, in the middle of a fade too"),
       QMenu::tr("Ctrl+Alt+H"), "pause"});
  add(PlayAction::Reverse,
      {"actors.reverse", QMenu::tr("&Reverse"),
       QMenu::tr("The selected actors play the other way round from this moment on"),
       QMenu::tr("Ctrl+Alt+R"), "undo-2"});
  add(PlayAction::Restart, {"actors.restart", QMenu::tr("Re&start"),
                            QMenu::tr("The selected actors begin again: clip, fade and way"),
                            QMenu::tr("Ctrl+Alt+S"), "skip-back"});
  add(PlayAction::Retrace,
      {"actors.retrace", QMenu::tr("Re&trace"),
       QMenu::tr("The selected actors go back the way they came, and stand still where they began"),
       QMenu::tr("Ctrl+Alt+E"), "rotate-ccw"});
  menu->addSeparator();
  auto* loops = new ChoiceGroup(
      actions, "actors.loop", *menu,
      {{QMenu::tr("&Once"), int(LoopMode::Once),
        QMenu::tr("The selected actors stop at the end of their clips")},
       {QMenu::tr("&Loop"), int(LoopMode::Loop),
        QMenu::tr("The selected actors begin their clips again at the end")},
       {QMenu::tr("P&ing-pong"), int(LoopMode::PingPong),
        QMenu::tr("The selected actors play their clips to and fro")},
       {QMenu::tr("&By clip"), kByClip, QMenu::tr("The selected actors loop as their clips say")}},
      [selected] { return selected.loop(); },
      [&document, &selection](int value) {
        editActors(document, QMenu::tr("Loop of %1"), selection.actors(), [value](Actor& actor) {
          actor.loop.reset();
          if (value != kByClip) actor.loop = LoopMode(value);
        });
      });
  const auto offerLoops = [loops, selected] {
    loops->refresh();
    for (QAction* action : loops->actions()) {
      loops->offer(action->data().toInt(), selected.whyNone());
    }
  };
  QObject::connect(&document, &Document::changed, loops, offerLoops);
  QObject::connect(&selection, &Selection::changed, loops, offerLoops);
  QObject::connect(&session, &Session::rigsChanged, loops, offerLoops);
  offerLoops();
  menu->addSeparator();
  actions.add(
      *menu,
      {"actors.clear", QMenu::tr("&Clear commands"),
       QMenu::tr("The selected actors play by the crowd's clock, as if they had been told nothing"),
       kNoKey, "x",
       [&document, &selection] {
         editActors(document, QMenu::tr("Commands of %1"), selection.actors(),
                    [](Actor& actor) { actor.commands.clear(); });
       },
       [selected] { return selected.whyNotCleared(); }});
  return menu;
}

}  // namespace ck::ui
