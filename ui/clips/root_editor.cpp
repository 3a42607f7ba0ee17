#include "ui/clips/root_editor.h"

#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QSignalBlocker>
#include <QSlider>
#include <algorithm>
#include <cmath>

#include "ui/clips/clip_model.h"
#include "ui/document/name_text.h"
#include "ui/document/selection.h"
#include "ui/document/text.h"
#include "ui/parts/number_edit.h"
#include "ui/parts/panel_parts.h"

namespace ck::ui {
namespace {

constexpr int kSliderSteps = 200;
constexpr double kLastShare = 0.999;

constexpr bool RootEdit::*kAxes[] = {&RootEdit::x, &RootEdit::y, &RootEdit::z, &RootEdit::yaw};

}  // namespace

RootEditor::RootEditor(ClipModel& model, ClipSelection& selection, QWidget* parent)
    : QWidget(parent),
      model_(model),
      selection_(selection),
      halves_(new QBoxLayout(QBoxLayout::LeftToRight, this)),
      way_(new QWidget),
      loop_(new QWidget),
      motion_(named(new QComboBox, tr("Way over the ground"),
                    tr("What becomes of the clip's way over the ground: the joints keep it, it is "
                       "taken out, or it is taken out and actors walk by it"))),
      joint_(named(new QComboBox, tr("Joint that carries the way"),
                   tr("The joint whose way is taken out; found, it is the one that moves most of "
                      "the figure over the ground"))),
      slider_(named(new QSlider(Qt::Horizontal), tr("Start of the loop"),
                    tr("Where the loop starts, as a share of its length"))),
      offset_(named(new NumberEdit, tr("Start of the loop in percent"),
                    tr("Where the loop starts, in percent of its length; what comes before is "
                       "played at its end"))) {
  halves_->setContentsMargins(6, 0, 6, 0);
  halves_->setSpacing(6);
  for (QWidget* half : {way_, loop_}) {
    auto* row = new QHBoxLayout(half);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(6);
    halves_->addWidget(half, half == loop_ ? 1 : 0);
  }
  addWay();
  addLoopOffset();
  connect(&selection, &ClipSelection::changed, this, &RootEditor::show);
  connect(&model, &QAbstractItemModel::dataChanged, this, &RootEditor::show);
  connect(&model, &QAbstractItemModel::modelReset, this, &RootEditor::show);
  show();
}

QSize RootEditor::minimumSizeHint() const {
  const QSize way = way_->minimumSizeHint();
  const QSize loop = loop_->minimumSizeHint();
  const bool beside = halves_->direction() == QBoxLayout::LeftToRight;
  return {std::max(way.width(), loop.width()) + 12,
          beside ? std::max(way.height(), loop.height()) : way.height() + loop.height() + 6};
}

void RootEditor::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  const int together = way_->minimumSizeHint().width() + loop_->minimumSizeHint().width();
  const auto direction =
      width() >= together + 24 ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom;
  if (direction == halves_->direction()) return;
  halves_->setDirection(direction);
  updateGeometry();
}

void RootEditor::addWay() {
  for (QComboBox* box : {motion_, joint_}) {
    box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    box->setMinimumContentsLength(box == motion_ ? 12 : 7);
  }
  for (const auto& [title, motion] : rootMotionChoices()) motion_->addItem(title, int(motion));
  way_->layout()->addWidget(labelFor(motion_, tr("&Way")));
  way_->layout()->addWidget(motion_);
  way_->layout()->addWidget(labelFor(joint_, tr("o&f")));
  way_->layout()->addWidget(joint_);
  const std::array titles = {tr("X"), tr("Y"), tr("Z"), tr("Turn")};
  const std::array names = {tr("Way to the side"), tr("Way up and down"), tr("Way ahead"),
                            tr("Turn of the way")};
  const std::array tips = {tr("Takes the way to the side out"), tr("Takes the way up and down out"),
                           tr("Takes the way ahead out"),
                           tr("Takes the turn about the vertical axis out; only where actors walk "
                              "by it")};
  for (std::size_t axis = 0; axis < axes_.size(); ++axis) {
    axes_[axis] = named(new QCheckBox(titles[axis]), names[axis], tips[axis]);
    way_->layout()->addWidget(axes_[axis]);
    connect(axes_[axis], &QCheckBox::clicked, this, [this, axis] {
      const bool on = axes_[axis]->checkState() != Qt::Unchecked;
      edit(tr("Axes of the way of clips"), [=](ClipEdit& one) { one.root.*kAxes[axis] = on; });
    });
  }
  connect(motion_, &QComboBox::activated, this, [this] {
    model_.setRootMotion(selection_.clips(), RootMotion(motion_->currentData().toInt()));
  });
  connect(joint_, &QComboBox::activated, this, [this] {
    const std::string name = joint_->currentData().toString().toStdString();
    edit(tr("Root joint of clips"), [&name](ClipEdit& one) { one.root.joint = name; });
  });
}

void RootEditor::addLoopOffset() {
  constexpr int kShortest = 60;
  slider_->setRange(0, kSliderSteps - 1);
  slider_->setMinimumWidth(kShortest);
  offset_->setFixedWidth(48);
  loop_->layout()->addWidget(labelFor(offset_, tr("&Loop from %")));
  loop_->layout()->addWidget(offset_);
  loop_->layout()->addWidget(slider_);
  const QString drag = QStringLiteral("loop offset");
  connect(slider_, &QSlider::valueChanged, this,
          [this, drag](int step) { setLoopOffset(double(step) / kSliderSteps, drag); });
  connect(slider_, &QSlider::sliderReleased, this, [this] { model_.endMerge(); });
  connect(offset_, &NumberEdit::entered, this, [this](const QString& text) {
    const auto formula = offset_->read(text, 1);
    if (!formula) return;
    const std::vector<int> rows = selection_.clips();
    std::size_t place = 0;
    bool isBeyond = false;
    model_.edit(tr("Start of loops"), rows, [&](ProjectClip& clip) {
      const auto row = std::size_t(rows[place]);
      const double percent = (*formula)({100.0 * clip.edit.loopOffset, place, rows.size(), row});
      clip.edit.loopOffset = std::clamp(percent / 100.0, 0.0, kLastShare);
      isBeyond = isBeyond || clip.edit.loopOffset != percent / 100.0;
      ++place;
    });
    show();
    if (isBeyond) {
      offset_->explain(tr("A loop starts at 0 to %1 % of its length; the nearest was taken")
                           .arg(fixedText(100.0 * kLastShare, 1)));
    }
  });
}

void RootEditor::edit(const QString& text, const std::function<void(ClipEdit&)>& change,
                      const QString& mergeKey) {
  model_.edit(
      text, selection_.clips(), [&change](ProjectClip& one) { change(one.edit); }, mergeKey);
}

void RootEditor::setLoopOffset(double share, const QString& mergeKey) {
  edit(
      tr("Start of loops"), [share](ClipEdit& one) { one.loopOffset = share; }, mergeKey);
}

void RootEditor::fillJoints() {
  const CharacterPtr rig = model_.rig();
  if (rig == rig_ && joint_->count() > 0) return;
  rig_ = rig;
  joint_->clear();
  joint_->addItem(tr("found"), QString());
  if (!rig) return;
  for (const Joint& joint : rig->rig.joints)
    joint_->addItem(nameText(joint.name), textOf(joint.name));
}

void RootEditor::show() {
  const std::vector<int>& rows = selection_.clips();
  // The clip list may be about to shrink.
  if (!rows.empty() && rows.back() >= model_.rowCount()) return;
  fillJoints();
  setEnabled(!rows.empty() && model_.isEditable());
  setToolTip(rows.empty() ? tr("Select a clip first") : model_.whyNotEditable());
  const auto editOf = [this](int row) -> const ClipEdit& { return model_.clip(row).edit; };
  const auto all = [&](const auto& same) {
    return !rows.empty() && std::ranges::all_of(rows, [&](int row) {
      return same(editOf(row)) == same(editOf(rows.front()));
    });
  };
  const auto motion = [](const ClipEdit& edit) { return edit.root.motion; };
  const auto joint = [](const ClipEdit& edit) { return edit.root.joint; };
  motion_->setPlaceholderText(rows.empty() ? QString() : tr("mixed"));
  joint_->setPlaceholderText(rows.empty() ? QString() : tr("mixed"));
  motion_->setCurrentIndex(all(motion) ? motion_->findData(int(motion(editOf(rows.front())))) : -1);
  joint_->setCurrentIndex(all(joint) ? joint_->findData(textOf(joint(editOf(rows.front())))) : -1);
  const auto takes = [&](RootMotion least) {
    return std::ranges::any_of(rows, [&](int row) { return motion(editOf(row)) >= least; });
  };
  joint_->setEnabled(takes(RootMotion::Strip));
  for (std::size_t axis = 0; axis < axes_.size(); ++axis) {
    const auto set =
        std::ranges::count_if(rows, [&](int row) { return editOf(row).root.*kAxes[axis]; });
    showFlag(*axes_[axis], std::size_t(set), rows.size());
    axes_[axis]->setEnabled(takes(axis == 3 ? RootMotion::Extract : RootMotion::Strip));
  }
  offset_->showNumbers(
      rows, [&](int row) { return 100.0 * editOf(row).loopOffset; }, 1);
  if (slider_->isSliderDown()) return;
  const QSignalBlocker quiet(slider_);
  slider_->setValue(
      rows.empty() ? 0 : int(std::lround(editOf(rows.front()).loopOffset * kSliderSteps)));
}

}  // namespace ck::ui
