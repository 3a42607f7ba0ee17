#include "ui/windows/choice_menu.h"

#include <QActionGroup>
#include <cmath>

#include "core/project/project.h"
#include "ui/document/document.h"
#include "ui/windows/main_actions.h"

namespace ck::ui {

ChoiceMenu::ChoiceMenu(const QString& title, Document& document, const QList<Entry>& entries,
                       Binding binding, QWidget* parent)
    : QMenu(title, parent),
      document_(document),
      binding_(std::move(binding)),
      group_(new QActionGroup(this)) {
  setToolTipsVisible(true);
  // Nothing is checked if the project has another value.
  group_->setExclusionPolicy(QActionGroup::ExclusionPolicy::ExclusiveOptional);
  for (const Entry& entry : entries) {
    QAction* action = group_->addAction(entry.text);
    action->setCheckable(true);
    action->setData(entry.value);
    action->setProperty("ownTip", entry.tip);
    setEnabledBecause(*action, true, {});
    connect(action, &QAction::triggered, this, [this, value = entry.value] {
      if (binding_.get(document_.project()) != value) {
        document_.edit(binding_.undoText, [this, value](Project& p) { binding_.set(p, value); });
      }
      refresh();
    });
  }
  addActions(group_->actions());
  connect(&document, &Document::changed, this, &ChoiceMenu::refresh);
  refresh();
}

void ChoiceMenu::offer(int value, const QString& refusal) {
  for (QAction* action : group_->actions()) {
    if (action->data().toInt() == value) setEnabledBecause(*action, refusal.isEmpty(), refusal);
  }
}

void ChoiceMenu::refresh() {
  const int value = binding_.get(document_.project());
  for (QAction* action : group_->actions()) action->setChecked(action->data().toInt() == value);
}

ChoiceMenu* makeShadowsMenu(Document& document, QWidget* parent) {
  const QList<ChoiceMenu::Entry> entries = {
      {ChoiceMenu::tr("&Automatic"), int(Shadows::Auto),
       ChoiceMenu::tr(
           "Cascades on a graphics card, for crowds of up to 40 million triangles; soft ones "
           "beyond and in software OpenGL")},
      {ChoiceMenu::tr("&Cascades"), int(Shadows::Cascades),
       ChoiceMenu::tr("Shadow maps of the key light: bodies cast on the ground and on each other")},
      {ChoiceMenu::tr("&Soft"), int(Shadows::Soft),
       ChoiceMenu::tr("The spread of the joints on the ground: two quads an actor")},
      {ChoiceMenu::tr("&None"), int(Shadows::Off), ChoiceMenu::tr("Nothing is cast")}};
  return new ChoiceMenu(
      ChoiceMenu::tr("&Shadows"), document, entries,
      {ChoiceMenu::tr("Shadows"), [](const Project& p) { return int(p.view.shadows); },
       [](Project& p, int shadows) { p.view.shadows = Shadows(shadows); }},
      parent);
}

ChoiceMenu* makeTickRateMenu(Document& document, QWidget* parent) {
  QList<ChoiceMenu::Entry> entries = {
      {ChoiceMenu::tr("&Every picture"), 0,
       ChoiceMenu::tr("Actors are posed for every picture of a crowd that has moved on")}};
  for (const int hertz : {60, 30, 20, 10, 5}) {
    entries.append({ChoiceMenu::tr("%1 times a second").arg(hertz), hertz,
                    ChoiceMenu::tr("Between two ticks poses and places stay, and pictures cost "
                                   "their drawing alone")});
  }
  return new ChoiceMenu(ChoiceMenu::tr("&Poses a second"), document, entries,
                        {ChoiceMenu::tr("Poses a second"),
                         [](const Project& p) {
                           const double rate = p.view.tickRateHz;
                           return rate == std::floor(rate) ? int(rate) : -1;
                         },
                         [](Project& p, int hertz) { p.view.tickRateHz = hertz; }},
                        parent);
}

ChoiceMenu* makeFacesMenu(Document& document, QWidget* parent) {
  const QString tip = ChoiceMenu::tr("Actors further from the eye keep the default shape");
  QList<ChoiceMenu::Entry> entries;
  for (const int meters : {5, 10, 25, 50, 100}) {
    entries.append({ChoiceMenu::tr("Up to %1 m").arg(meters), meters, tip});
  }
  entries.append({ChoiceMenu::tr("&Everywhere"), 1'000'000,
                  ChoiceMenu::tr("However far away: costs most in large crowds")});
  return new ChoiceMenu(ChoiceMenu::tr("&Faces are shown"), document, entries,
                        {ChoiceMenu::tr("Distance of faces"),
                         [](const Project& p) {
                           const double meters = p.view.pose.morphs.nearMeters;
                           return meters == std::floor(meters) && meters < 1e9 ? int(meters) : -1;
                         },
                         [](Project& p, int meters) { p.view.pose.morphs.nearMeters = meters; }},
                        parent);
}

}  // namespace ck::ui
