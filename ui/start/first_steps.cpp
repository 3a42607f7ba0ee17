#include "ui/start/first_steps.h"

#include <QBoxLayout>
#include <QGridLayout>
#include <QLabel>
#include <QPushButton>
#include <QSettings>
#include <algorithm>

#include "core/project/characters.h"
#include "ui/document/document.h"
#include "ui/document/session.h"
#include "ui/parts/panel_parts.h"
#include "ui/theme/theme.h"

namespace ck::ui {
namespace {

const QString kSeen = QStringLiteral("firstSteps/seen");
constexpr QSize kMark(16, 16);

bool sameTicks(const Project& before, const Project& now) {
  return std::ranges::equal(clipsOf(before, 0), clipsOf(now, 0), {}, &ProjectClip::ticked,
                            &ProjectClip::ticked);
}

bool sameOffsets(const Project& before, const Project& now) {
  if (before.actors.size() != now.actors.size()) return true;
  const auto changed = now.actors.differences(before.actors);
  return std::ranges::none_of(
      changed, [&](std::size_t i) { return now.actors[i].offset != before.actors[i].offset; });
}

}  // namespace

FirstSteps::FirstSteps(Document& document, const Session& session, QWidget* parent)
    : QFrame(parent) {
  setObjectName(QStringLiteral("firstSteps"));
  setAttribute(Qt::WA_StyledBackground);
  setAccessibleName(tr("First steps"));
  auto* steps = new QGridLayout;
  steps->setHorizontalSpacing(9);
  steps->setVerticalSpacing(5);
  const QString texts[kSteps] = {tr("<b>Tick clips</b> in the list on the left: those are baked"),
                                 tr("<b>Press Bake</b> (Ctrl+B): their poses go into the atlas"),
                                 tr("<b>Select actors and change their offset</b> on the right")};
  for (int i = 0; i < kSteps; ++i) {
    marks_[std::size_t(i)] = richLabel();
    steps->addWidget(marks_[std::size_t(i)], i, 0);
    steps->addWidget(richLabel(texts[i]), i, 1);
  }
  steps->setColumnStretch(1, 1);
  auto* heading = styledLabel("heading");
  heading->setText(tr("This is a sample. Three steps to know your way:"));
  auto* drop = styledLabel("muted");
  drop->setText(tr("Or drop your own rig anywhere."));
  auto* close = new QPushButton(tr("Got it"));
  connect(close, &QPushButton::clicked, this, &FirstSteps::close);
  layOutColumn(*this, QMargins(14, 10, 12, 10), 8, {heading, steps, rowOf({drop, {}, close}, 12)});
  hide();
  connect(&document, &Document::replaced, this, &QWidget::hide);
  connect(&document, &Document::changed, this, &FirstSteps::compare);
  connect(&session, &Session::bakeStateChanged, this, [this, &session] {
    const bool wasBaking = std::exchange(isBaking_, session.isBaking());
    if (wasBaking && !isBaking_ && session.bakeState(0) == BakeState::UpToDate) done(kBake);
  });
}

void FirstSteps::begin() {
  isDone_ = {};
  showSteps();
  setVisible(!QSettings().value(kSeen).toBool());
  emit resized();
}

void FirstSteps::compare(const Project& before, const Project& now) {
  if (isHidden()) return;
  if (!sameTicks(before, now)) done(kTick);
  if (!sameOffsets(before, now)) done(kOffset);
}

void FirstSteps::done(Step step) {
  if (isHidden() || isDone_[step]) return;
  isDone_[step] = true;
  showSteps();
  if (std::ranges::all_of(isDone_, std::identity())) close();
}

void FirstSteps::close() {
  QSettings().setValue(kSeen, true);
  hide();
  emit resized();
}

void FirstSteps::showSteps() {
  for (std::size_t i = 0; i < marks_.size(); ++i) {
    const QIcon mark =
        isDone_[i] ? icon("circle-check", colors::kGood) : icon("circle", colors::kMuted);
    marks_[i]->setPixmap(mark.pixmap(kMark, devicePixelRatioF()));
    marks_[i]->setAccessibleName(isDone_[i] ? tr("done") : tr("to do"));
  }
}

}  // namespace ck::ui
