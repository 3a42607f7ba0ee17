#pragma once

#include <QActionGroup>
#include <QMenu>
#include <functional>

#include "core/project/project.h"
#include "core/view/view_options.h"

namespace ck::ui {

class Document;
class Playback;
class Session;
class ViewportWidget;

// Sets the tip of an enabled action.
void setOwnTip(QAction& action, const QString& tip);
// Enables or disables an action. The tool tip and status tip of a disabled action give the reason.
void setEnabledBecause(QAction& action, bool enabled, const QString& reason);

// Binds a switch to a setting of the view, which is no undo step.
void bindSwitch(QAction& action, Document& document, const ViewOption& row);

// An entry of a menu for one value of a setting.
struct Choice {
  QString text;
  double value = 0.0;
  QString tip = {};
};

// The entries of a menu for a setting with a few useful values. The entry of the current value is
// checked; none is checked if the setting has another value.
class ChoiceGroup : public QActionGroup {
  Q_OBJECT

 public:
  using Get = std::function<double(const Project&)>;
  using Set = std::function<void(Project&, double)>;

  // Appends the entries to the menu and becomes its child.
  ChoiceGroup(QMenu& menu, const QList<Choice>& choices, std::function<double()> get,
              const std::function<void(double)>& set);
  // For a setting of the project: a choice is one undo step called `undoText`, unless it is one of
  // the view (Document::setView()).
  ChoiceGroup(QMenu& menu, Document& document, const QString& undoText,
              const QList<Choice>& choices, const Get& get, const Set& set);
  // For a setting of the view, with the entries of its row or with others.
  ChoiceGroup(QMenu& menu, Document& document, const ViewOption& row);
  ChoiceGroup(QMenu& menu, Document& document, const ViewOption& row, const QList<Choice>& choices);

  // Disables the entry of that value with a reason; an empty reason enables it.
  void offer(int value, const QString& refusal);
  // Checks the entry of the current value.
  void refresh();

 private:
  std::function<double()> get_;
};

// The menu of a setting of the view, with the entries of its row.
QMenu* makeSettingMenu(const ViewOption& row, Document& document, QWidget* parent);
// The detail of far actors: off, or how many pixels they may be off.
QMenu* makeDetailMenu(Document& document, QWidget* parent);

// How the view reads the atlas: sampling, number of influences, where vertices are skinned, and how
// often actors are posed. Choices that the atlas does not support are disabled with a reason;
// others show their cost.
class VariantMenu : public QMenu {
  Q_OBJECT

 public:
  VariantMenu(Document& document, const Session& session, const Playback& playback,
              const ViewportWidget& viewport, QWidget* parent = nullptr);

  // A short text for a button: "Interpolated, 4".
  QString words() const;

 signals:
  void wordsChanged();

 private:
  // How an atlas would be read for `pose`: settings that can be drawn, resolved for the atlas
  // of the shown character.
  PoseSettings settled(const PoseSettings& pose) const;
  bool isSoftwareGl() const;
  void addHeading(const QString& text);
  void refresh();
  // Shows the cost that a setting has together with the other choices.
  void showCost(QAction& action, const PoseSettings& asked) const;

  Document& document_;
  const Session& session_;
  const Playback& playback_;
  const ViewportWidget& viewport_;
  ChoiceGroup* samplings_;
  ChoiceGroup* influences_;
  ChoiceGroup* processors_;
  ChoiceGroup* turns_;
};

// Options for comparing ways to draw the same crowd, for measurements. Choices that the context,
// the method or the atlas does not support are disabled with a reason. All arguments must outlive
// the menu.
QMenu* makeDiagnosticsMenu(Document& document, const Session& session, const Playback& playback,
                           ViewportWidget& viewport, QWidget* parent);

}  // namespace ck::ui
