#include "ui/clips/clip_editor.h"

#include <QBoxLayout>
#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLocale>
#include <QSignalBlocker>
#include <algorithm>
#include <cmath>

#include "ui/clips/clip_model.h"
#include "ui/document/selection.h"
#include "ui/document/text.h"
#include "ui/parts/actor_expression.h"
#include "ui/parts/number_edit.h"
#include "ui/theme/theme.h"

namespace ck::ui {
namespace {

// Typed times are in milliseconds: a time this close to a key means the key.
constexpr double kSnapSeconds = 0.0006;

double snapped(const std::vector<double>& keys, double seconds) {
  const auto after = std::lower_bound(keys.begin(), keys.end(), seconds);
  if (after != keys.end() && *after - seconds <= kSnapSeconds) return *after;
  if (after != keys.begin() && seconds - *(after - 1) <= kSnapSeconds) return *(after - 1);
  return seconds;
}

}  // namespace

std::optional<Trim> trimWithin(const Clip& source, double startSeconds, double endSeconds) {
  constexpr double kShortest = 0.001;
  const double first = source.startSeconds;
  const double last = source.startSeconds + source.durationSeconds;
  if (!(last - first > kShortest)) return std::nullopt;
  const std::vector<double> keys = keyTimes(source);
  const double start = std::clamp(snapped(keys, startSeconds), first, last - kShortest);
  const double end = std::clamp(snapped(keys, endSeconds), start + kShortest, last);
  if (start <= first + 1e-9 && end >= last - 1e-9) return std::nullopt;
  return Trim{start, end};
}

ClipEditor::ClipEditor(ClipModel& model, ClipSelection& selection, QWidget* parent)
    : QWidget(parent),
      model_(model),
      selection_(selection),
      halves_(new QBoxLayout(QBoxLayout::LeftToRight, this)),
      numbers_(new QWidget),
      choices_(new QWidget) {
  halves_->setContentsMargins(6, 0, 6, 0);
  halves_->setSpacing(6);
  for (QWidget* half : {numbers_, choices_}) {
    auto* row = new QHBoxLayout(half);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(6);
    halves_->addWidget(half, half == choices_ ? 1 : 0);
  }
  start_ = addNumber(tr("S&tart"), tr("Start of the cut"),
                     tr("Where the clip begins, in seconds of its file"));
  end_ = addNumber(tr("&End"), tr("End of the cut"),
                   tr("Where the clip ends, in seconds of its file"));
  rate_ = addNumber(tr("Clip &rate"), tr("Rate of the clip"),
                    tr("How many times faster than in the file the clip is baked: 2 makes it half "
                       "as long; 0.01 to 100. The rate of an actor comes on top"));
  qobject_cast<QHBoxLayout*>(numbers_->layout())->addStretch(1);
  addChoices();
  connectNumbers();
  connect(&selection, &ClipSelection::changed, this, &ClipEditor::show);
  connect(&model, &QAbstractItemModel::dataChanged, this, &ClipEditor::show);
  connect(&model, &QAbstractItemModel::modelReset, this, &ClipEditor::show);
  show();
}

NumberEdit* ClipEditor::addNumber(const QString& title, const QString& name, const QString& tip) {
  auto* edit = new NumberEdit;
  edit->setAccessibleName(name);
  edit->setToolTip(tip);
  edit->setFixedWidth(56);
  auto* label = new QLabel(title);
  label->setBuddy(edit);
  numbers_->layout()->addWidget(label);
  numbers_->layout()->addWidget(edit);
  return edit;
}

QSize ClipEditor::minimumSizeHint() const {
  const QSize numbers = numbers_->minimumSizeHint();
  const QSize choices = choices_->minimumSizeHint();
  return {std::max(numbers.width(), choices.width()) + 12,
          halves_->direction() == QBoxLayout::LeftToRight
              ? std::max(numbers.height(), choices.height())
              : numbers.height() + choices.height() + 6};
}

void ClipEditor::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  const int together = numbers_->minimumSizeHint().width() + choices_->minimumSizeHint().width();
  const auto direction =
      width() >= together + 24 ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom;
  if (direction != halves_->direction()) {
    halves_->setDirection(direction);
    updateGeometry();
  }
  halves_->activate();
  choices_->layout()->activate();
  showVerdict();
}

void ClipEditor::addChoices() {
  const auto addBox = [this](const QString& title, const QString& name, const QString& tip) {
    auto* box = new QComboBox;
    box->setAccessibleName(name);
    box->setToolTip(tip);
    box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    box->setMinimumContentsLength(9);
    auto* label = new QLabel(title);
    label->setBuddy(box);
    choices_->layout()->addWidget(label);
    choices_->layout()->addWidget(box);
    return box;
  };
  ends_ = addBox(tr("E&nds"), tr("At the end of the clip"),
                 tr("What happens at the end of the clip; as measured, it loops where its seam "
                    "closes"));
  ends_->addItem(tr("As measured"), -1);
  for (const LoopMode mode : {LoopMode::Loop, LoopMode::Once, LoopMode::PingPong}) {
    ends_->addItem(loopTitle(mode), int(mode));
  }
  seam_ = addBox(tr("Sea&m"), tr("Seam of the clip"),
                 tr("How the last pose leads back to the first, as measured or set by hand"));
  seamTip_ = seam_->toolTip();
  seam_->addItem(tr("As measured"), int(SeamChoice::Auto));
  seam_->addItem(seamTitle(Seam::Inclusive), int(SeamChoice::Inclusive));
  seam_->addItem(seamTitle(Seam::Exclusive), int(SeamChoice::Exclusive));
  seam_->addItem(seamTitle(Seam::None), int(SeamChoice::None));
  verdict_ = new QLabel;
  verdict_->setObjectName(QStringLiteral("muted"));
  inPlace_ = new QCheckBox(tr("In p&lace"));
  inPlace_->setToolTip(
      tr("Takes the clip's way over the ground out; actors that walk then cover it"));
  choices_->layout()->addWidget(inPlace_);
  qobject_cast<QHBoxLayout*>(choices_->layout())->addWidget(verdict_, 1);
  verdict_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  connect(ends_, &QComboBox::activated, this, [this] {
    const int mode = ends_->currentData().toInt();
    model_.setLoop(selection_.clips(), mode < 0 ? std::nullopt : std::optional(LoopMode(mode)));
  });
  connect(seam_, &QComboBox::activated, this,
          [this] { model_.setSeam(selection_.clips(), SeamChoice(seam_->currentData().toInt())); });
  connect(inPlace_, &QCheckBox::clicked, this, [this] {
    model_.setInPlace(selection_.clips(), inPlace_->checkState() != Qt::Unchecked);
  });
}

void ClipEditor::connectNumbers() {
  connect(start_, &NumberEdit::entered, this, [this](const QString& text) {
    enter(
        *start_, text, tr("Start of clips"), [this](int row) { return startOf(row); },
        [this](ProjectClip& clip, int row, double value) {
          setTrim(clip, row, value, endOf(row));
        });
  });
  connect(end_, &NumberEdit::entered, this, [this](const QString& text) {
    enter(
        *end_, text, tr("End of clips"), [this](int row) { return endOf(row); },
        [this](ProjectClip& clip, int row, double value) {
          setTrim(clip, row, startOf(row), value);
        });
  });
  connect(rate_, &NumberEdit::entered, this, [this](const QString& text) {
    enter(
        *rate_, text, tr("Rate of clips"), [this](int row) { return model_.clip(row).edit.rate; },
        [](ProjectClip& clip, int, double value) {
          clip.edit.rate = std::clamp(value, kSlowestClipRate, kFastestClipRate);
        });
  });
}

double ClipEditor::startOf(int row) const {
  const ProjectClip& clip = model_.clip(row);
  if (clip.edit.trim) return clip.edit.trim->startSeconds;
  const Clip* source = model_.source(row);
  return source ? source->startSeconds : 0.0;
}

double ClipEditor::endOf(int row) const {
  const ProjectClip& clip = model_.clip(row);
  if (clip.edit.trim) return clip.edit.trim->endSeconds;
  const Clip* source = model_.source(row);
  return source ? source->startSeconds + source->durationSeconds : 0.0;
}

void ClipEditor::setTrim(ProjectClip& clip, int row, double start, double end) const {
  const Clip* source = model_.source(row);
  if (source) clip.edit.trim = trimWithin(*source, start, end);
}

bool ClipEditor::enter(NumberEdit& edit, const QString& text, const QString& step, const Get& get,
                       const std::function<void(ProjectClip&, int row, double)>& set) {
  const Result<ActorFormula> formula = readExpression(text, 1);
  if (!formula) {
    edit.showWrong(textOf(formula.error().message));
    return false;
  }
  const std::vector<int> rows = selection_.clips();
  std::size_t place = 0;
  model_.edit(step, rows, [&](ProjectClip& clip) {
    const int row = rows[place];
    set(clip, row, (*formula)({get(row), place, rows.size(), std::size_t(row)}));
    ++place;
  });
  show();
  return true;
}

void ClipEditor::showNumber(NumberEdit& edit, const Get& get, int decimals) const {
  const std::vector<int>& rows = selection_.clips();
  if (rows.empty()) {
    edit.showNothing();
    return;
  }
  double low = get(rows.front());
  double high = low;
  for (const int row : rows) {
    low = std::min(low, get(row));
    high = std::max(high, get(row));
  }
  edit.showRange(low, high, decimals);
}

void ClipEditor::show() {
  const std::vector<int>& rows = selection_.clips();
  // The clip list may be about to shrink.
  if (!rows.empty() && rows.back() >= model_.rowCount()) return;
  setEnabled(!rows.empty() && model_.isEditable());
  setToolTip(rows.empty() ? tr("Select a clip first") : model_.whyNotEditable());
  showNumber(
      *start_, [this](int row) { return startOf(row); }, 3);
  showNumber(
      *end_, [this](int row) { return endOf(row); }, 3);
  showNumber(
      *rate_, [this](int row) { return model_.clip(row).edit.rate; }, 2);
  showSeam();
  std::size_t inPlace = 0;
  for (const int row : rows) inPlace += model_.clip(row).edit.inPlace ? 1 : 0;
  const QSignalBlocker blocker(inPlace_);
  inPlace_->setTristate(inPlace != 0 && inPlace != rows.size());
  inPlace_->setCheckState(inPlace == 0             ? Qt::Unchecked
                          : inPlace == rows.size() ? Qt::Checked
                                                   : Qt::PartiallyChecked);
}

void ClipEditor::showSeam() {
  const std::vector<int>& rows = selection_.clips();
  const auto common = [&](auto&& get) {
    const bool same = std::all_of(rows.begin(), rows.end(),
                                  [&](int row) { return get(row) == get(rows.front()); });
    return same && !rows.empty() ? get(rows.front()) : -2;
  };
  const QSignalBlocker blockEnds(ends_);
  const QSignalBlocker blockSeam(seam_);
  for (QComboBox* box : {ends_, seam_}) {
    box->setPlaceholderText(rows.empty() ? QString() : tr("mixed"));
  }
  ends_->setCurrentIndex(ends_->findData(common([this](int row) {
    const auto& loop = model_.clip(row).loop;
    return loop ? int(*loop) : -1;
  })));
  seam_->setCurrentIndex(
      seam_->findData(common([this](int row) { return int(model_.clip(row).seam); })));
  const BakeWindow* baked = rows.size() == 1 ? model_.window(rows.front()) : nullptr;
  measured_ = baked
                  ? tr("%1, %2 mm")
                        .arg(seamTitle(baked->measured), QLocale().toString(baked->seamMm, 'f', 1))
                  : QString();
  seam_->setToolTip(measured_.isEmpty() ? seamTip_
                                        : tr("%1. Measured: %2").arg(seamTip_, measured_));
  showVerdict();
}

// Hides a text that does not fit completely; the tool tip has it as well.
void ClipEditor::showVerdict() {
  const int wide = verdict_->fontMetrics().horizontalAdvance(measured_);
  const int used = inPlace_->geometry().right() + 6;
  verdict_->setText(used + wide <= choices_->width() ? measured_ : QString());
}

}  // namespace ck::ui
