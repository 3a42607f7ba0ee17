#include "ui/clips/clip_editor.h"

#include <QBoxLayout>
#include <QComboBox>
#include <QLabel>
#include <algorithm>
#include <cmath>
#include <set>

#include "ui/clips/clip_model.h"
#include "ui/document/name_text.h"
#include "ui/document/selection.h"
#include "ui/document/text.h"
#include "ui/parts/number_edit.h"
#include "ui/parts/panel_parts.h"
#include "ui/parts/scrub_drag.h"

namespace ck::ui {
namespace {

// The step of a field that is dragged: seconds, or times the rate.
constexpr double kDragStep = 0.05;

// Typed times are in milliseconds: a time this close to a key means the key.
constexpr double kSnapSeconds = 0.0006;

double snapped(const std::vector<double>& keys, double seconds) {
  const auto after = std::lower_bound(keys.begin(), keys.end(), seconds);
  if (after != keys.end() && *after - seconds <= kSnapSeconds) return *after;
  if (after != keys.begin() && seconds - *(after - 1) <= kSnapSeconds) return *(after - 1);
  return seconds;
}

// A cut is at least this long, in seconds.
constexpr double kShortest = 0.001;

QString seamTip() {
  return ClipEditor::tr("How the last pose leads back to the first, as measured or set by hand");
}

// A field for the seconds of a clip of minutes, and wider for one of hours.
const QString kUsualSeconds = QStringLiteral("300.000");
constexpr int kSecondsWidth = 66;
int secondsWidth(const QLineEdit& edit) {
  const QFontMetrics metrics = edit.fontMetrics();
  const int more =
      metrics.horizontalAdvance(edit.text()) - metrics.horizontalAdvance(kUsualSeconds);
  return kSecondsWidth + std::max(more, 0);
}

}  // namespace

std::optional<Trim> trimWithin(const Clip& source, double startSeconds, double endSeconds) {
  const double first = source.startSeconds;
  const double last = source.startSeconds + source.durationSeconds;
  if (!(last - first > kShortest)) return std::nullopt;
  const std::vector<double> keys = keyTimes(source);
  const double start = std::clamp(snapped(keys, startSeconds), first, last - kShortest);
  const double end = std::clamp(snapped(keys, endSeconds), start + kShortest, last);
  if (start <= first + 1e-9 && end >= last - 1e-9) return std::nullopt;
  return Trim{start, end};
}

QString whyTrimmed(const QString& title, const Clip& source, const Trim& asked) {
  const double first = source.startSeconds;
  const double last = source.startSeconds + source.durationSeconds;
  const Trim kept =
      trimWithin(source, asked.startSeconds, asked.endSeconds).value_or(Trim{first, last});
  const auto seconds = [](double value) { return fixedText(value, 3); };
  const auto isMoved = [](double value, double from) {
    return std::abs(value - from) > kSnapSeconds;
  };
  if (isMoved(kept.startSeconds, asked.startSeconds)) {
    return asked.startSeconds < first
               ? ClipEditor::tr("%1 begins at %2 s in its file, so the cut starts there")
                     .arg(title, seconds(first))
               : ClipEditor::tr("%1 ends at %2 s in its file, so the cut starts at %3 s")
                     .arg(title, seconds(last), seconds(kept.startSeconds));
  }
  if (!isMoved(kept.endSeconds, asked.endSeconds)) return {};
  return asked.endSeconds > last
             ? ClipEditor::tr("%1 ends at %2 s in its file, so the cut ends there")
                   .arg(title, seconds(last))
             : ClipEditor::tr("The cut of %1 starts at %2 s, so it ends at %3 s, not before")
                   .arg(title, seconds(kept.startSeconds), seconds(kept.endSeconds));
}

ClipEditor::ClipEditor(ClipModel& model, ClipSelection& selection, QWidget* parent)
    : QWidget(parent),
      model_(model),
      selection_(selection),
      halves_(new QBoxLayout(QBoxLayout::LeftToRight, this)),
      numbers_(new QWidget),
      choices_(new QWidget),
      verdict_(styledLabel("muted")) {
  halves_->setContentsMargins(6, 0, 6, 0);
  halves_->setSpacing(6);
  for (QWidget* half : {numbers_, choices_}) {
    auto* row = new QHBoxLayout(half);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(6);
    halves_->addWidget(half, half == choices_ ? 1 : 0);
  }
  addNumbers();
  addChoices();
  connect(&selection, &ClipSelection::changed, this, &ClipEditor::show);
  connect(&model, &QAbstractItemModel::dataChanged, this, &ClipEditor::show);
  connect(&model, &QAbstractItemModel::modelReset, this, &ClipEditor::show);
  show();
}

void ClipEditor::addNumber(const QString& title, const QString& name, const QString& tip,
                           const QString& step, int decimals, const Get& get, const Set& set) {
  auto* edit = named(new NumberEdit, name, tip);
  const bool isSeconds = decimals >= 3;
  edit->setFixedWidth(isSeconds ? kSecondsWidth : 56);
  QLabel* label = labelFor(edit, title);
  numbers_->layout()->addWidget(label);
  numbers_->layout()->addWidget(edit);
  for (QWidget* handle : {static_cast<QWidget*>(label), static_cast<QWidget*>(edit)}) {
    addDrag(handle, step, get, set);
  }
  connect(edit, &NumberEdit::entered, this, [=, this](const QString& text) {
    const auto formula = edit->read(text, 1);
    if (!formula) return;
    const std::vector<int> rows = selection_.clips();
    std::size_t place = 0;
    QString why;
    int others = 0;
    model_.edit(step, rows, [&](ProjectClip& clip) {
      const int row = rows[place];
      const QString reason =
          set(clip, row, (*formula)({get(row), place, rows.size(), std::size_t(row)}));
      if (why.isEmpty()) {
        why = reason;
      } else if (!reason.isEmpty()) {
        ++others;
      }
      ++place;
    });
    show();
    if (others > 0) {
      why =
          tr("%1; so it is with %2").arg(why, counted(others, tr("other clip"), tr("other clips")));
    }
    if (!why.isEmpty()) edit->explain(why);
  });
  fields_.push_back([=, this] {
    edit->showNumbers(selection_.clips(), get, decimals);
    if (isSeconds) edit->setFixedWidth(secondsWidth(*edit));
  });
}

// A drag adds the same number to the number that each clip had at its start.
void ClipEditor::addDrag(QWidget* handle, const QString& step, const Get& get, const Set& set) {
  auto* drag = new ScrubDrag(handle);
  const QString key = QStringLiteral("drag/%1").arg(step);
  const auto move = [=, this](double by) {
    std::size_t place = 0;
    model_.edit(
        step, dragged_,
        [&](ProjectClip& clip) {
          set(clip, dragged_[place], before_[place] + by);
          ++place;
        },
        key);
  };
  connect(drag, &ScrubDrag::started, this, [=, this] {
    model_.endMerge();
    dragged_ = selection_.clips();
    before_.clear();
    for (const int row : dragged_) before_.push_back(get(row));
  });
  connect(drag, &ScrubDrag::moved, this, [=](double steps) { move(steps * kDragStep); });
  connect(drag, &ScrubDrag::cancelled, this, [=, this] { model_.takeBack(key); });
  connect(drag, &ScrubDrag::finished, this, [this] { model_.endMerge(); });
}

void ClipEditor::addNumbers() {
  const auto cut = [this](ProjectClip& clip, int row, double start, double end) {
    const Clip* source = model_.source(row);
    if (!source) return QString();
    clip.edit.trim = trimWithin(*source, start, end);
    return whyTrimmed(nameText(titleOf(clip)), *source, {start, end});
  };
  addNumber(
      tr("S&tart"), tr("Start of the cut"), tr("Where the clip begins, in seconds of its file"),
      tr("Start of clips"), 3, [this](int row) { return model_.cut(row).startSeconds; },
      [=, this](ProjectClip& clip, int row, double value) {
        return cut(clip, row, value, model_.cut(row).endSeconds);
      });
  addNumber(
      tr("&End"), tr("End of the cut"), tr("Where the clip ends, in seconds of its file"),
      tr("End of clips"), 3, [this](int row) { return model_.cut(row).endSeconds; },
      [=, this](ProjectClip& clip, int row, double value) {
        return cut(clip, row, model_.cut(row).startSeconds, value);
      });
  addNumber(
      tr("Clip &rate"), tr("Rate of the clip"),
      tr("How many times faster than in the file the clip is baked: 2 makes it half "
         "as long; 0.01 to 100. The rate of an actor comes on top"),
      tr("Rate of clips"), 2, [this](int row) { return model_.clip(row).edit.rate; },
      [](ProjectClip& clip, int, double value) {
        clip.edit.rate = std::clamp(value, kSlowestClipRate, kFastestClipRate);
        if (clip.edit.rate == value) return QString();
        return tr("A clip is baked %1 to %2 times as fast as in its file, so %3 is at %4")
            .arg(fixedText(kSlowestClipRate, 2), fixedText(kFastestClipRate, 0),
                 nameText(titleOf(clip)), fixedText(clip.edit.rate, 2));
      });
  qobject_cast<QHBoxLayout*>(numbers_->layout())->addStretch(1);
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

QComboBox* ClipEditor::addChoice(const QString& title, const QString& name, const QString& tip,
                                 const std::function<int(const ProjectClip&)>& get) {
  auto* box = named(new QComboBox, name, tip);
  box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  box->setMinimumContentsLength(9);
  choices_->layout()->addWidget(labelFor(box, title));
  choices_->layout()->addWidget(box);
  fields_.push_back([this, box, get] {
    const std::vector<int>& rows = selection_.clips();
    box->setPlaceholderText(rows.empty() ? QString() : tr("mixed"));
    std::set<int> values;
    for (const int row : rows) values.insert(get(model_.clip(row)));
    box->setCurrentIndex(values.size() == 1 ? box->findData(*values.begin()) : -1);
  });
  return box;
}

void ClipEditor::addChoices() {
  auto* ends = addChoice(tr("E&nds"), tr("At the end of the clip"),
                         tr("What happens at the end of the clip; as measured, it loops where its "
                            "seam closes"),
                         [](const ProjectClip& clip) { return clip.loop ? int(*clip.loop) : -1; });
  for (const auto& [title, loop] : loopChoices()) ends->addItem(title, loop ? int(*loop) : -1);
  seam_ = addChoice(tr("Sea&m"), tr("Seam of the clip"), seamTip(),
                    [](const ProjectClip& clip) { return int(clip.seam); });
  seam_->addItem(tr("As measured"), int(SeamChoice::Auto));
  seam_->addItem(seamTitle(Seam::Inclusive), int(SeamChoice::Inclusive));
  seam_->addItem(seamTitle(Seam::Exclusive), int(SeamChoice::Exclusive));
  seam_->addItem(seamTitle(Seam::None), int(SeamChoice::None));
  qobject_cast<QHBoxLayout*>(choices_->layout())->addWidget(verdict_, 1);
  verdict_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  connect(ends, &QComboBox::activated, this, [this, ends] {
    const int mode = ends->currentData().toInt();
    model_.setLoop(selection_.clips(), mode < 0 ? std::nullopt : std::optional(LoopMode(mode)));
  });
  connect(seam_, &QComboBox::activated, this,
          [this] { model_.setSeam(selection_.clips(), SeamChoice(seam_->currentData().toInt())); });
}

void ClipEditor::show() {
  const std::vector<int>& rows = selection_.clips();
  // The clip list may be about to shrink.
  if (!rows.empty() && rows.back() >= model_.rowCount()) return;
  setEnabled(!rows.empty() && model_.isEditable());
  setToolTip(rows.empty() ? tr("Select a clip first") : model_.whyNotEditable());
  for (const auto& showField : fields_) showField();
  const BakeWindow* baked = rows.size() == 1 ? model_.window(rows.front()) : nullptr;
  measured_ = baked ? tr("%1, %2 mm").arg(seamTitle(baked->measured), fixedText(baked->seamMm, 1))
                    : QString();
  seam_->setToolTip(baked ? tr("%1. Measured: %2").arg(seamTip(), measured_) : seamTip());
  showVerdict();
}

// Hides a text that does not fit completely; the tool tip has it as well.
void ClipEditor::showVerdict() {
  const int wide = verdict_->fontMetrics().horizontalAdvance(measured_);
  const int used = seam_->geometry().right() + 6;
  verdict_->setText(used + wide <= choices_->width() ? measured_ : QString());
}

}  // namespace ck::ui
