#pragma once

#include <QObject>
#include <QString>
#include <functional>
#include <vector>

#include "core/base/result.h"
#include "core/project/actors/actor_clipboard.h"
#include "ui/document/notices.h"

namespace ck {
struct ActorColumn;
struct Project;
}  // namespace ck

namespace ck::ui {

class Document;
class Selection;

// The actions on the selected actors as a group. Every edit is one undo step. Actors that come into
// being are selected.
class ActorCommands : public QObject {
  Q_OBJECT

 public:
  ActorCommands(Document& document, Selection& selection, QObject* parent = nullptr);

  // Why nothing can be done with the selection; empty if it can.
  QString needsSelection() const;

  void duplicate();
  void remove();
  void hide();
  void showAll();

  // On the system's clipboard, as text and as kActorsMime.
  void copy();
  void cut();
  void paste();
  void pasteSettings();

  void group();
  void ungroup();
  void putInGroup(int group);  // -1: in none

  void selectLikeThese(const ActorColumn& column);
  void selectGroup(int group);
  void selectHidden();
  void selectByHand();

 signals:
  // Loud: what could not be done, or was done in another way.
  void noticed(const ck::ui::Notice& notice);
  // The system's clipboard holds something else; notices about it may be done with.
  void clipboardChanged();
  // Quiet: what has been done.
  void reported(const QString& text);

 private:
  QString counted(std::size_t actors) const;
  QString clipboardText();
  void pasteBy(const QString& text,
               const std::function<Result<Pasted>(Project&, const std::string&)>& paste);
  void takeAway(const QString& step, const std::vector<int>& actors);
  void say(const Error& error);

  Document& document_;
  Selection& selection_;
  int clipboards_ = 0;  // how often the clipboard has changed
};

inline constexpr const char* kActorsMime = "application/x-crowdkiln-actors";

}  // namespace ck::ui
