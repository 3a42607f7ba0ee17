#include "ui/windows/choice_menu.h"

#include <cmath>

#include "ui/document/document.h"

namespace ck::ui {
namespace {

const char* const kOwnTip = "ownTip";

QMenu* makeMenu(const QString& title, QWidget* parent) {
  auto* menu = new QMenu(title, parent);
  menu->setToolTipsVisible(true);
  return menu;
}

// -1, which no entry has, for a number with decimals.
int wholeOf(double number) {
  return number == std::floor(number) && number < 1e9 ? int(number) : -1;
}

}  // namespace

ChoiceGroup::ChoiceGroup(QMenu& menu, const QList<Choice>& choices, std::function<int()> get,
                         std::function<void(int)> set)
    : QActionGroup(&menu), get_(std::move(get)) {
  setExclusionPolicy(ExclusionPolicy::ExclusiveOptional);
  for (const Choice& choice : choices) {
    QAction* action = addAction(choice.text);
    action->setCheckable(true);
    action->setData(choice.value);
    setOwnTip(*action, choice.tip);
    connect(action, &QAction::triggered, this, [this, set, value = choice.value] {
      set(value);
      refresh();
    });
  }
  menu.addActions(actions());
  refresh();
}

ChoiceGroup::ChoiceGroup(QMenu& menu, Document& document, const QString& undoText,
                         const QList<Choice>& choices, const Get& get, const Set& set)
    : ChoiceGroup(
          menu, choices, [&document, get] { return get(document.project()); },
          [&document, undoText, set](int value) {
            document.edit(undoText, [&](Project& project) { set(project, value); });
          }) {
  connect(&document, &Document::changed, this, &ChoiceGroup::refresh);
}

void ChoiceGroup::offer(int value, const QString& refusal) {
  for (QAction* action : actions()) {
    if (action->data().toInt() == value) setEnabledBecause(*action, refusal.isEmpty(), refusal);
  }
}

void ChoiceGroup::refresh() {
  const int value = get_();
  for (QAction* action : actions()) action->setChecked(action->data().toInt() == value);
}

QMenu* makeShadowsMenu(Document& document, QWidget* parent) {
  QMenu* menu = makeMenu(QMenu::tr("&Shadows"), parent);
  new ChoiceGroup(
      *menu, document, QMenu::tr("Shadows"),
      {{QMenu::tr("&Automatic"), int(Shadows::Auto),
        QMenu::tr("Cascades on a graphics card, for crowds of up to 40 million triangles; soft "
                  "ones beyond and in software OpenGL")},
       {QMenu::tr("&Cascades"), int(Shadows::Cascades),
        QMenu::tr("Shadow maps of the key light: bodies cast on the ground and on each other")},
       {QMenu::tr("&Soft"), int(Shadows::Soft),
        QMenu::tr("The spread of the joints on the ground: two quads an actor")},
       {QMenu::tr("&None"), int(Shadows::Off), QMenu::tr("Nothing is cast")}},
      [](const Project& p) { return int(p.view.shadows); },
      [](Project& p, int shadows) { p.view.shadows = Shadows(shadows); });
  return menu;
}

QMenu* makeTickRateMenu(Document& document, QWidget* parent) {
  QMenu* menu = makeMenu(QMenu::tr("&Poses a second"), parent);
  QList<Choice> choices = {
      {QMenu::tr("&Every picture"), 0,
       QMenu::tr("Actors are posed for every picture of a crowd that has moved on")}};
  for (const int hertz : {60, 30, 20, 10, 5}) {
    choices.append({QMenu::tr("%1 times a second").arg(hertz), hertz,
                    QMenu::tr("Between two ticks poses and places stay, and pictures cost their "
                              "drawing alone")});
  }
  new ChoiceGroup(
      *menu, document, QMenu::tr("Poses a second"), choices,
      [](const Project& p) { return wholeOf(p.view.tickRateHz); },
      [](Project& p, int hertz) { p.view.tickRateHz = hertz; });
  return menu;
}

QMenu* makeFacesMenu(Document& document, QWidget* parent) {
  QMenu* menu = makeMenu(QMenu::tr("&Faces are shown"), parent);
  QList<Choice> choices;
  for (const int meters : {5, 10, 25, 50, 100}) {
    choices.append({QMenu::tr("Up to %1 m").arg(meters), meters,
                    QMenu::tr("Actors further from the eye keep the default shape")});
  }
  choices.append({QMenu::tr("&Everywhere"), 1'000'000,
                  QMenu::tr("However far away: costs most in large crowds")});
  new ChoiceGroup(
      *menu, document, QMenu::tr("Distance of faces"), choices,
      [](const Project& p) { return wholeOf(p.view.pose.morphs.nearMeters); },
      [](Project& p, int meters) { p.view.pose.morphs.nearMeters = meters; });
  return menu;
}

void setOwnTip(QAction& action, const QString& tip) {
  action.setProperty(kOwnTip, tip);
  setEnabledBecause(action, true, {});
}

void setEnabledBecause(QAction& action, bool enabled, const QString& reason) {
  action.setEnabled(enabled);
  const QString own = action.property(kOwnTip).toString();
  action.setToolTip(enabled ? own : QStringLiteral("%1\n%2").arg(own, reason));
  action.setStatusTip(enabled ? own : reason);
}

}  // namespace ck::ui
