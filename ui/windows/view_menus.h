#pragma once

#include <QActionGroup>
#include <QMenu>
#include <functional>

#include "core/project/project.h"
#include "core/view/view_options.h"
#include "ui/actions/action_table.h"

namespace ck::ui {

class Document;
class Playback;
class Session;
class ViewportWidget;

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

  // Appends the entries to the menu and becomes its child. The id of a row is `id`, a full stop and
  // the value.
  ChoiceGroup(ActionTable& actions, const QString& id, QMenu& menu, const QList<Choice>& choices,
              std::function<double()> get, const std::function<void(double)>& set);
  // For the view of the project.
  ChoiceGroup(ActionTable& actions, const QString& id, QMenu& menu, Document& document,
              const QList<Choice>& choices, const Get& get, const Set& set);
  // For a setting of the view, with the entries of its row or with others. The id is "view." and
  // its key.
  ChoiceGroup(ActionTable& actions, QMenu& menu, Document& document, const ViewOption& row);
  ChoiceGroup(ActionTable& actions, QMenu& menu, Document& document, const ViewOption& row,
              const QList<Choice>& choices);

  // Disables the entry of that value with a reason; an empty reason enables it.
  void offer(int value, const QString& refusal);
  // Checks the entry of the current value.
  void refresh();

 private:
  std::function<double()> get_;
};

// Adds the switch of a setting of the view, which is no undo step.
QAction* addSwitch(ActionTable& actions, QMenu& menu, Document& document, const ViewOption& row,
                   const ActionKeys& keys = {}, const char* icon = nullptr);

// Adds the menus of the view's settings: shadows, tick rate, detail, faces and, as the last, the
// scale of the error view, which is returned. The document must outlive them.
QMenu* addViewSettings(ActionTable& actions, QMenu& menu, Document& document);

// How the view reads the atlas: sampling, number of influences, where vertices are skinned, and how
// often actors are posed. Choices that the atlas does not support are disabled with a reason;
// others show their cost.
class VariantMenu : public QMenu {
  Q_OBJECT

 public:
  VariantMenu(ActionTable& actions, Document& document, const Session& session,
              const Playback& playback, const ViewportWidget& viewport, QWidget* parent);

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

// Fills a menu with options for comparing how the same crowd is drawn, for measurements. Choices
// that the context, the method or the atlas does not support are disabled with a reason. All
// arguments must outlive the menu.
void fillDiagnosticsMenu(ActionTable& actions, QMenu& menu, Document& document,
                         const Session& session, const Playback& playback,
                         ViewportWidget& viewport);

}  // namespace ck::ui
