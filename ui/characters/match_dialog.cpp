#include "ui/characters/match_dialog.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalBlocker>
#include <QTableView>
#include <algorithm>
#include <utility>

#include "core/anim/pose.h"
#include "core/import/file_axes.h"
#include "core/import/joint_map_file.h"
#include "core/import/rig_format.h"
#include "core/project/characters.h"
#include "core/system/files.h"
#include "ui/characters/joint_delegate.h"
#include "ui/characters/match_model.h"
#include "ui/document/document.h"
#include "ui/document/notices.h"
#include "ui/document/text.h"
#include "ui/parts/number_field.h"
#include "ui/parts/panel_parts.h"
#include "ui/theme/theme.h"

namespace ck::ui {
namespace {

constexpr double kLargestUnit = 1e6;  // metres

// The height of a skeleton at rest, in metres.
double heightOf(const Rig& skeleton) {
  double low = 0.0;
  double high = 0.0;
  for (const glm::dmat4& joint : restMatrices(skeleton)) {
    low = std::min(low, joint[3].y);
    high = std::max(high, joint[3].y);
  }
  return high - low;
}

QString axisTitle(UpAxis axis) {
  return textOf(upAxisName(axis)).toUpper();
}

}  // namespace

MatchDialog::MatchDialog(Document& document, Session& session, TaskRunner& tasks, QWidget* parent)
    : QDialog(parent),
      session_(session),
      file_(named(new QComboBox, tr("File"), tr("The files of the character"))),
      summary_(styledLabel("heading")),
      problem_(styledLabel("wrong")),
      search_(searchField(tr("Search joints"))),
      onlyLeftOut_(new QCheckBox(tr("&Only unmatched"))),
      model_(new MatchModel(this)),
      filter_(new MatchFilter(*model_, this)),
      table_(named(new QTableView, tr("Joints of the file"))),
      rest_(new QComboBox),
      restFacts_(styledLabel("muted")),
      up_(new QComboBox),
      unit_(numberBox(0.0, kLargestUnit, 0.01)),
      height_(styledLabel("muted")),
      state_(styledLabel("muted")),
      openMap_(new QPushButton(tr("Open &map..."))),
      saveMap_(new QPushButton(tr("&Save map..."))),
      apply_(new QPushButton(tr("&Apply"))) {
  setAttribute(Qt::WA_DeleteOnClose);
  setWindowTitle(tr("Fit files"));
  problem_->setWordWrap(true);
  onlyLeftOut_->setToolTip(tr("Joints that the file moves, but nothing of the rig"));
  makeTable();
  tools_ = rowWidget({{search_, 1}, onlyLeftOut_});
  QWidget* fields = makeFields();
  QWidget* buttons = makeButtons();
  layOutColumn(*this, {14, 12, 14, 12}, 8,
               {rowOf({labelFor(file_, tr("&File")), {file_, 1}}, 8),
                summary_,
                problem_,
                tools_,
                {table_, 1},
                fields,
                buttons});
  resize(720, 600);

  connect(file_, &QComboBox::currentIndexChanged, this, [this](int index) {
    if (index < 0 || index == source_) return;
    source_ = index;
    showSource();
  });
  connect(search_, &QLineEdit::textChanged, filter_, &MatchFilter::setWord);
  connect(onlyLeftOut_, &QCheckBox::toggled, filter_, &MatchFilter::setOnlyLeftOut);
  connect(model_, &MatchModel::draftChanged, this, [this] {
    fit().joints = model_->draft().joints;
    filter_->invalidate();
    showWords();
  });
  connect(&session, &Session::changed, this, &MatchDialog::follow);
  connect(&document, &Document::replaced, this, &QDialog::close);
  // A cancelled reading is not awaited any more.
  connect(&tasks, &TaskRunner::finished, this, [this] {
    const bool reads = awaited_ && awaited_->isReading();
    if (!awaited_ || reads || awaited_->state != CharacterState::Reading) return;
    awaited_ = nullptr;
    showWords();
  });
}

void MatchDialog::makeTable() {
  table_->setModel(filter_);
  table_->setItemDelegateForColumn(MatchModel::Matched, new JointDelegate(*model_, table_));
  showAsList(*table_, {190, 54, 190, 110});
  table_->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  table_->setEditTriggers(
      QAbstractItemView::AllEditTriggers &
      ~(QAbstractItemView::CurrentChanged | QAbstractItemView::SelectedClicked));
  // The current cell is the one that can be edited, so that typing begins to look for a joint.
  connect(table_->selectionModel(), &QItemSelectionModel::currentChanged, this,
          [this](const QModelIndex& now) {
            if (!now.isValid() || now.column() == MatchModel::Matched) return;
            table_->selectionModel()->setCurrentIndex(now.siblingAtColumn(MatchModel::Matched),
                                                      QItemSelectionModel::NoUpdate);
          });
  connect(table_, &QTableView::activated, this, [this](const QModelIndex& index) {
    table_->edit(index.siblingAtColumn(MatchModel::Matched));
  });
}

QWidget* MatchDialog::makeFields() {
  rest_->addItem(tr("Automatic"), int(RestFit::Auto));
  rest_->addItem(tr("Keep local rotations"), int(RestFit::KeepRotations));
  rest_->addItem(tr("Apply the offset"), int(RestFit::ApplyOffset));
  rest_->setToolTip(
      tr("What becomes of joints that rest turned against those of the rig: their local rotations "
         "are kept as they are, or the motion is carried over relative to both rest poses"));
  up_->addItem(tr("As found"), int(UpAxis::Auto));
  for (const UpAxis axis : {UpAxis::X, UpAxis::Y, UpAxis::Z}) {
    up_->addItem(axisTitle(axis), int(axis));
  }
  unit_->setDecimals(6);
  numberFieldOf(unit_)->setDefaultNumber(0.0);
  unit_->setMinimumWidth(150);
  auto* widget = new QWidget;
  auto* form = new QFormLayout(widget);
  form->setContentsMargins(0, 0, 0, 0);
  form->setHorizontalSpacing(12);
  form->setVerticalSpacing(6);
  const auto addRow = [form](const QString& title, QWidget* field, QLabel* facts) {
    form->addRow(labelFor(field, title), rowOf({field, {facts, 1}}, 10));
  };
  addRow(tr("&Rest poses"), named(rest_, tr("Rest poses"), rest_->toolTip()), restFacts_);
  auto* upFacts = plainLabel();
  addRow(tr("&Up axis"), named(up_, tr("Up axis")), upFacts);
  addRow(tr("Metres per &unit"), named(unit_, tr("Metres per unit")), height_);
  connect(rest_, &QComboBox::activated, this, &MatchDialog::takeRest);
  connect(up_, &QComboBox::activated, this, &MatchDialog::takeUp);
  connect(unit_, &QDoubleSpinBox::valueChanged, this, &MatchDialog::takeUnit);
  return widget;
}

QWidget* MatchDialog::makeButtons() {
  apply_->setObjectName(QStringLiteral("primary"));
  apply_->setToolTip(tr("Read the files again with these choices; it can be undone"));
  auto* close = new QPushButton(tr("&Close"));
  for (QPushButton* button : {openMap_, saveMap_, apply_, close}) button->setAutoDefault(false);
  state_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  state_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
  connect(openMap_, &QPushButton::clicked, this, [this] { askMap(false); });
  connect(saveMap_, &QPushButton::clicked, this, [this] { askMap(true); });
  connect(apply_, &QPushButton::clicked, this, &MatchDialog::apply);
  connect(close, &QPushButton::clicked, this, &QDialog::close);
  auto* widget = new QWidget;
  widget->setLayout(rowOf({openMap_, saveMap_, {state_, 1}, apply_, close}, 8));
  return widget;
}

void MatchDialog::showFiles(const LoadedPtr& loaded, int source) {
  loaded_ = loaded;
  awaited_ = nullptr;
  number_ = session_.numberOf(loaded);
  const int sources = int(loaded->inputs.sources.size());
  source_ = source >= 0 ? std::min(source, sources - 1) : std::min(1, sources - 1);
  for (int i = 1; i < sources && source < 0; ++i) {
    source_ = i;
    const ClipFitReport* file = report();
    if (file && leavesJointsOut(*file)) break;
    source_ = std::min(1, sources - 1);
  }
  draft_ = loaded->inputs;
  fill();
}

// The request of Apply is shown as soon as the project has it, or it is refused. Undo brings other
// files, or none.
void MatchDialog::follow() {
  if (!loaded_) return;
  if (awaited_ &&
      (session_.numberOf(awaited_) >= 0 || awaited_->state == CharacterState::Refused)) {
    loaded_ = std::exchange(awaited_, nullptr);
    if (draft_ == applied_) draft_ = loaded_->inputs;
    shownState_ = CharacterState::Reading;
  }
  const int number = session_.numberOf(loaded_);
  if (number >= 0) {
    number_ = number;
  } else if (number_ >= 0 && !awaited_ && loaded_->state != CharacterState::Refused) {
    loaded_ = session_.loaded(number_);
    if (!loaded_) {
      close();
      return;
    }
    draft_ = loaded_->inputs;
    shownState_ = CharacterState::Reading;
  }
  if (loaded_->state != shownState_) fill();
  showWords();
}

void MatchDialog::fill() {
  shownState_ = loaded_->state;
  const std::vector<SourceFile>& sources = loaded_->inputs.sources;
  source_ = std::clamp(source_, 0, int(sources.size()) - 1);
  const QSignalBlocker blocker(file_);
  file_->clear();
  for (const SourceFile& source : sources) {
    const bool rig = &source == &sources.front();
    file_->addItem(rig ? tr("%1 (the rig)").arg(fileNameOf(source.path)) : fileNameOf(source.path));
    file_->setItemData(file_->count() - 1, textOf(source.path), Qt::ToolTipRole);
  }
  file_->setCurrentIndex(source_);
  showSource();
}

const ClipFitReport* MatchDialog::report() const {
  return reportOf(loaded_->fits, loaded_->inputs, source_);
}

void MatchDialog::showSource() {
  const ClipFit& read = loaded_->inputs.sources[std::size_t(source_)].fit;
  const ClipFitReport* file = report();
  model_->show(file ? *file : ClipFitReport{}, loaded_->fits.rig, read);
  model_->setDraft(fit());
  filter_->invalidate();
  for (QWidget* one : {static_cast<QWidget*>(table_), tools_}) one->setVisible(!isRig());
  for (QPushButton* one : {openMap_, saveMap_}) one->setVisible(!isRig());
  showFields();
  showWords();
  if (!table_->currentIndex().isValid() && filter_->rowCount() > 0) table_->selectRow(0);
}

UpAxis MatchDialog::up() const {
  return isRig() ? draft_.settings.upAxis : draft_.sources[std::size_t(source_)].fit.up;
}

double MatchDialog::metersPerUnit() const {
  return isRig() ? draft_.settings.unitScale
                 : draft_.sources[std::size_t(source_)].fit.metersPerUnit;
}

void MatchDialog::showFields() {
  const ClipFitReport* file = report();
  const CharacterPtr rig = loaded_->character();
  const bool states =
      isRig() ? rig != nullptr && saysAxes(rig->source) : file != nullptr && !file->foundAxes;
  const RigFormat* format = file ? rigFormatByEnding(pathFromText(file->path)) : nullptr;
  const bool statesUp = isRig() ? rig != nullptr && saysUp(rig->source.format)
                                : file != nullptr && (format == nullptr || saysUp(format->name));
  const QString stated = tr("The file itself states it");
  up_->setCurrentIndex(up_->findData(int(up())));
  up_->setEnabled(!statesUp || up() != UpAxis::Auto);
  up_->setItemText(0, file  ? tr("As found: %1").arg(axisTitle(file->up))
                      : rig ? tr("As found: %1").arg(textOf(rig->source.upAxis))
                            : tr("As found"));
  up_->setToolTip(statesUp ? stated : tr("Which way is up in the file"));
  // The size of a rig may always be changed.
  unit_->setEnabled(isRig() || !states || metersPerUnit() > 0.0);
  const bool known = loaded_->inputs.settings == draft_.settings && metersPerUnit() <= 0.0;
  const double found = file ? file->metersPerUnit : rig ? rig->source.unitScale : 0.0;
  unit_->setSpecialValueText(known && found > 0.0
                                 ? tr("As found: %1").arg(QLocale().toString(found, 'g', 4))
                                 : tr("As found"));
  unit_->setToolTip(unit_->isEnabled() ? tr("How long the file's unit is; 0: as found") : stated);
  {
    const QSignalBlocker blocker(unit_);
    unit_->setValue(metersPerUnit());
  }
  rest_->setEnabled(!isRig());
  rest_->setCurrentIndex(rest_->findData(int(isRig() ? RestFit::Auto : fit().rest)));
  rest_->setItemText(0, !file          ? tr("Automatic")
                        : file->offset ? tr("Automatic: apply the offset")
                                       : tr("Automatic: keep local rotations"));
  showHeight();
}

void MatchDialog::showHeight() {
  const ClipFitReport* file = report();
  const CharacterPtr rig = loaded_->character();
  const ImportInputs& read = loaded_->inputs;
  double height = file ? heightOf(file->skeleton) : isRig() && rig ? heightOf(*rig) : 0.0;
  const double before =
      isRig() ? (rig ? rig->source.unitScale : 0.0) : (file ? file->metersPerUnit : 0.0);
  const double asked =
      isRig() ? read.settings.unitScale : read.sources[std::size_t(source_)].fit.metersPerUnit;
  const UpAxis upRead = isRig() ? read.settings.upAxis : read.sources[std::size_t(source_)].fit.up;
  const double now = metersPerUnit();
  if (now != asked) height *= now > 0.0 && before > 0.0 ? now / before : 0.0;
  if (up() != upRead) height = 0.0;
  height_->setText(height > 0.0  ? tr("The figure is %1 m tall").arg(fixedText(height, 2))
                   : file || rig ? tr("The height is known when this is applied")
                                 : QString());
}

void MatchDialog::showWords() {
  if (!loaded_) return;
  const ClipFitReport* file = report();
  const bool reading = awaited_ || loaded_->state == CharacterState::Reading;
  summary_->setText(isRig() ? tr("The rig")
                    : file  ? model_->summary()
                            : tr("The file was not read"));
  problem_->setText(loaded_->problem);
  problem_->setVisible(!loaded_->problem.isEmpty());
  const auto [degrees, joint] = model_->largestRest();
  restFacts_->setText(
      !file ? QString()
      : degrees < 0.05
          ? tr("Both rest alike")
          : tr("They differ by up to %1\u00b0 (%2)").arg(fixedText(degrees, 1), joint));
  onlyLeftOut_->setEnabled(file != nullptr);
  state_->setText(reading ? tr("Reading...") : isChanged() ? tr("Not applied yet") : QString());
  apply_->setEnabled(isChanged() && !(awaited_ && awaited_->inputs == draft_));
}

void MatchDialog::takeRest() {
  if (!isRig()) fit().rest = RestFit(rest_->currentData().toInt());
  showWords();
}

void MatchDialog::takeUp() {
  (isRig() ? draft_.settings.upAxis : fit().up) = UpAxis(up_->currentData().toInt());
  showHeight();
  showWords();
}

void MatchDialog::takeUnit(double metersPerUnit) {
  if (isRig()) {
    draft_.settings.unitScale = metersPerUnit;
    draft_.settings.heightMeters = 0.0;
  } else {
    fit().metersPerUnit = metersPerUnit;
  }
  showHeight();
  showWords();
}

void MatchDialog::askMap(bool save) {
  const QString filter = tr("Joint maps (*.json)");
  const QString beside =
      QFileInfo(textOf(loaded_->inputs.sources[std::size_t(source_)].path)).path();
  if (save) {
    QString path = QFileDialog::getSaveFileName(this, tr("Save the joint map"), beside, filter);
    if (path.isEmpty()) return;
    if (QFileInfo(path).suffix().isEmpty()) path += QStringLiteral(".json");
    saveMap(path);
  } else {
    const QString path = QFileDialog::getOpenFileName(this, tr("Open a joint map"), beside, filter);
    if (!path.isEmpty()) openMap(path);
  }
}

bool MatchDialog::saveMap(const QString& path) {
  const Result<void> written = writeJointMap(pathFromText(utf8Of(path)), {fit(), {}});
  if (!written) complain(written.error());
  return written.has_value();
}

bool MatchDialog::openMap(const QString& path) {
  const Result<JointMap> map = readJointMap(pathFromText(utf8Of(path)));
  if (!map) {
    complain(map.error());
    return false;
  }
  fit() = map->fitOf(pathFromText(loaded_->inputs.sources[std::size_t(source_)].path));
  model_->setDraft(fit());
  showFields();
  showWords();
  return true;
}

void MatchDialog::complain(const Error& error) {
  const QString text = errorNotice(error).text;
  problem_->setText(text);
  problem_->show();
}

void MatchDialog::apply() {
  if (!isChanged()) return;
  applied_ = draft_;
  awaited_ = session_.fit(awaited_ ? awaited_ : loaded_, draft_);
  showWords();
}

}  // namespace ck::ui
