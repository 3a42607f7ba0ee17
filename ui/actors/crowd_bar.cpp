#include "ui/actors/crowd_bar.h"

#include <QAction>
#include <QBoxLayout>
#include <QCheckBox>
#include <QComboBox>
#include <QLocale>
#include <QMenu>
#include <QSignalBlocker>
#include <QToolButton>

#include "ui/actors/crowd_commands.h"
#include "ui/document/document.h"
#include "ui/document/name_text.h"
#include "ui/document/text.h"
#include "ui/parts/panel_parts.h"

namespace ck::ui {

CrowdBar::CrowdBar(Document& document, CrowdCommands& commands, QWidget* parent)
    : QWidget(parent),
      document_(document),
      commands_(commands),
      crowds_(named(new QComboBox, tr("Crowd"),
                    tr("The crowd whose formation is edited, and which the brush adds to"))),
      on_(named(new QCheckBox(tr("On")), tr("Crowd is on"),
                tr("Its actors are shown and exported"))),
      row_(rowOf({labelFor(crowds_, tr("C&rowd")), {crowds_, 1}, on_}, 6)) {
  crowds_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  crowds_->setMinimumContentsLength(8);
  row_->setContentsMargins(0, 0, 0, 0);
  setLayout(row_);
  connect(crowds_, &QComboBox::activated, &commands, &CrowdCommands::choose);
  connect(on_, &QCheckBox::clicked, &commands, &CrowdCommands::setOn);
  connect(&document, &Document::changed, this, [this](const Project& before, const Project& now) {
    const bool same = before.crowds == now.crowds && before.actors == now.actors &&
                      before.desk.crowd == now.desk.crowd;
    if (!same) showState();
  });
  showState();
}

void CrowdBar::addButton(QAction* action) {
  auto* button = new QToolButton;
  button->setDefaultAction(action);
  button->setAccessibleName(action->text().remove(QLatin1Char('&')));
  row_->addWidget(button);
}

void CrowdBar::setMenu(QMenu* menu) {
  QToolButton* button = iconButton("list", tr("More about crowds"), tr("More about crowds"));
  button->setPopupMode(QToolButton::InstantPopup);
  button->setMenu(menu);
  row_->addWidget(button);
}

void CrowdBar::showState() {
  const Project& project = document_.project();
  const std::vector<int> sizes = crowdSizes(project);
  const QSignalBlocker blocker(crowds_);
  crowds_->clear();
  for (std::size_t c = 0; c < sizes.size(); ++c) {
    const ProjectCrowd& crowd = project.crowds[c];
    const QString name = tr("%1 (%2)").arg(nameText(crowd.name), QLocale().toString(sizes[c]));
    crowds_->addItem(crowd.on ? name : tr("%1, off").arg(name));
  }
  crowds_->setCurrentIndex(chosenCrowd(project));
  on_->setChecked(chosen(project).on);
  setVisible(sizes.size() > 1);
}

}  // namespace ck::ui
