#include "ui/files/export_dialog.h"

#include <QBoxLayout>
#include <QCheckBox>
#include <QDialogButtonBox>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScreen>
#include <QScrollArea>
#include <QSpinBox>
#include <algorithm>

#include "core/export/set/foreign_files.h"
#include "core/project/actors/placement.h"
#include "core/project/source_files.h"
#include "core/system/files.h"
#include "ui/bake/bake_panel.h"
#include "ui/document/text.h"
#include "ui/parts/panel_parts.h"
#include "ui/theme/theme.h"

namespace ck::ui {
namespace {

constexpr int kDetailsWidth = 380;
constexpr int kMostImpostorMegabytes = 1024;

// ".atlas.&exr"
QString endingOf(const ExportFormat& format) {
  QString ending = textOf(format.ending);
  return ending.insert(ending.lastIndexOf(QLatin1Char('.')) + 1, QLatin1Char('&'));
}

void addHeading(QGridLayout& grid, const QString& text) {
  constexpr int kAbove = 8;
  const int row = grid.rowCount();
  if (row > 1) grid.setRowMinimumHeight(row, kAbove);
  grid.addWidget(richLabel(QStringLiteral("<b>%1</b>").arg(text)), row + 1, 0, 1, 3);
}

// The names of the files and folders that the neutral set adds.
QStringList neutralNames(const QString& name) {
  QStringList names;
  for (const ExportTarget& target : exportTargets()) {
    if (isNeutral(target)) names << name + textOf(target.ending);
  }
  return names << name + textOf(kPlacementJson) << name + textOf(kPlacementCsv);
}

// Why nothing can be written to a folder, which is made if it is not there; empty if it can.
QString whyNotInto(const QString& folder) {
  QFileInfo there(folder);
  while (!there.exists() && there.absolutePath() != there.absoluteFilePath()) {
    there.setFile(there.absolutePath());
  }
  const QString name = QDir::toNativeSeparators(there.absoluteFilePath());
  if (!there.isDir()) return ExportDialog::tr("%1 is a file, not a folder").arg(name);
  if (!there.isWritable()) return ExportDialog::tr("%1 may not be written to").arg(name);
  return {};
}

}  // namespace

ExportDialog::Choice ExportDialog::suggested() {
  Choice choice;
  for (const ExportFormat& format : kExportFormats) {
    if (format.isSuggested) choice.kinds.insert(format.kind);
  }
  return choice;
}

ExportDialog::ExportDialog(const QString& folder, const QString& name, bool bakesFirst,
                           const Choice& choice, QWidget* parent)
    : QDialog(parent),
      folder_(new QLineEdit(QDir::toNativeSeparators(folder))),
      name_(new QLineEdit(name)),
      written_(styledLabel("muted")),
      wrong_(styledLabel("wrong")),
      neutral_(styledLabel("muted")),
      skinUv_(new QCheckBox(tr("Joints and weights as &UV channels too"))),
      impostorMegabytes_(new QSpinBox),
      files_(styledLabel("figures")) {
  setWindowTitle(tr("Export"));
  setMinimumWidth(680);
  folder_->setAccessibleName(tr("Folder"));
  auto* browse = new QPushButton(icon("folder-open"), tr("&Browse..."));
  browse->setAutoDefault(false);
  connect(browse, &QPushButton::clicked, this, &ExportDialog::browse);
  auto* form = new QFormLayout;
  form->setHorizontalSpacing(14);
  form->setVerticalSpacing(8);
  auto* folderLabel = plainLabel(tr("&Folder"));
  folderLabel->setBuddy(folder_);
  form->addRow(folderLabel, rowOf({{folder_, 1}, {browse}}, 8));
  form->addRow(tr("&Name"), name_);
  form->addRow(QString(), written_);
  wrong_->setWordWrap(true);
  form->addRow(QString(), wrong_);

  auto* choices = new QWidget;
  auto* grid = new QGridLayout(choices);
  grid->setContentsMargins(0, 0, 8, 0);
  grid->setHorizontalSpacing(14);
  grid->setVerticalSpacing(6);
  grid->setColumnStretch(1, 1);
  const auto addTargets = [&](bool engines) {
    for (const ExportTarget& target : exportTargets()) {
      if (isNeutral(target) || isEngine(target) != engines) continue;
      targets_[target.kind] =
          addRow(*grid, textOf(target.title), target.summary, choice.targets.contains(target.kind));
    }
  };
  addHeading(*grid, tr("Play it in"));
  addTargets(true);
  addHeading(*grid, tr("Far actors"));
  addTargets(false);
  impostorMegabytes_->setRange(1, kMostImpostorMegabytes);
  impostorMegabytes_->setSuffix(tr(" MB"));
  impostorMegabytes_->setValue(
      int(std::min<std::size_t>(choice.impostorBytes >> 20, kMostImpostorMegabytes)));
  impostorMegabytes_->setToolTip(
      tr("Of a graphics card, for the pictures of each character: more of it shows more moments "
         "and directions with more pixels"));
  impostorMemory_ = rowWidget(
      {labelFor(impostorMegabytes_, tr("&Memory of impostors")), impostorMegabytes_, Cell()});
  grid->addWidget(impostorMemory_, grid->rowCount(), 1);
  addHeading(*grid, tr("The atlas"));
  for (const ExportFormat& format : kExportFormats) {
    const bool always = format.kind == ExportKind::Json;
    formats_.push_back(addRow(*grid, endingOf(format), format.summary,
                              always || choice.kinds.contains(format.kind)));
    if (!always) continue;
    formats_.back().box->setEnabled(false);
    formats_.back().box->setToolTip(tr("Nothing can be read without it"));
  }
  addHeading(*grid, tr("Always"));
  neutral_->setWordWrap(true);
  grid->addWidget(neutral_, grid->rowCount(), 0, 1, 3);
  skinUv_->setChecked(choice.skinUv != SkinUv::None);
  skinUv_->setToolTip(tr("In TEXCOORD_2 to 5 of the mesh, for engines that strip skins"));
  connect(skinUv_, &QCheckBox::toggled, this, &ExportDialog::showFiles);
  grid->addWidget(skinUv_, grid->rowCount(), 0, 1, 3);
  grid->setRowStretch(grid->rowCount(), 1);
  choices_ = new QScrollArea;
  choices_->setWidget(choices);
  choices_->setWidgetResizable(true);
  choices_->setFrameShape(QFrame::NoFrame);
  choices_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);

  files_->setWordWrap(true);
  files_->setMinimumHeight(52);
  files_->setAlignment(Qt::AlignTop);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel);
  export_ = buttons->addButton(bakesFirst ? tr("Bake and export") : tr("Export"),
                               QDialogButtonBox::AcceptRole);
  export_->setDefault(true);
  connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(18, 16, 18, 14);
  layout->setSpacing(12);
  if (bakesFirst) {
    auto* warning = plainLabel(
        tr("The settings have changed since the bake: it is baked again before it is exported, and "
           "sizes and errors below are those of the old one."));
    warning->setWordWrap(true);
    warning->setStyleSheet(QStringLiteral("color:%1;").arg(colors::kWarning.name()));
    layout->addWidget(warning);
  }
  layout->addLayout(form);
  layout->addWidget(choices_, 1);
  layout->addWidget(files_);
  layout->addWidget(buttons);
  connect(folder_, &QLineEdit::textChanged, this, &ExportDialog::showFiles);
  connect(name_, &QLineEdit::textChanged, this, &ExportDialog::showFiles);
  showFiles();
  fitChoices();
}

// Grows with what is said of the engines, as far as the screen allows; the rest is scrolled to.
void ExportDialog::fitChoices() {
  constexpr int kAround = 120;  // of the screen, for its bars
  QWidget& choices = *choices_->widget();
  choices.layout()->activate();
  const int width = std::max(this->width(), minimumWidth());
  const int inner =
      width - layout()->contentsMargins().left() - layout()->contentsMargins().right();
  const int wanted = choices.layout()->totalHeightForWidth(inner);
  choices_->setMinimumHeight(0);
  layout()->activate();
  const int others = layout()->totalHeightForWidth(width) - choices_->sizeHint().height();
  const int most = screen()->availableGeometry().height() - kAround;
  resize(width, std::min(others + wanted, most));
}

ExportDialog::Row ExportDialog::addRow(QGridLayout& grid, const QString& title,
                                       std::string_view summary, bool ticked) {
  Row row = {new QCheckBox(title), styledLabel("muted"), styledLabel("figures")};
  row.box->setChecked(ticked);
  row.details->setText(sentenceOf(summary));
  row.details->setWordWrap(true);
  row.details->setMinimumWidth(kDetailsWidth);
  row.figures->setAlignment(Qt::AlignRight | Qt::AlignTop);
  const int at = grid.rowCount();
  grid.addWidget(row.box, at, 0, Qt::AlignTop);
  grid.addWidget(row.details, at, 1, Qt::AlignTop);
  grid.addWidget(row.figures, at, 2, Qt::AlignTop);
  connect(row.box, &QCheckBox::toggled, this, [this] {
    showFiles();
    fitChoices();
  });
  return row;
}

QString ExportDialog::folder() const {
  return QDir::fromNativeSeparators(folder_->text());
}

QString ExportDialog::name() const {
  return textOf(safeFileName(utf8Of(name_->text())));
}

ExportDialog::Choice ExportDialog::choice() const {
  Choice choice;
  for (const ExportFormat& format : kExportFormats) {
    if (formats_[std::size_t(format.kind)].box->isChecked()) choice.kinds.insert(format.kind);
  }
  for (const auto& [kind, row] : targets_) {
    if (row.box->isChecked()) choice.targets.insert(kind);
  }
  choice.skinUv = skinUv_->isChecked() ? SkinUv::Separate : SkinUv::None;
  choice.impostorBytes = std::size_t(impostorMegabytes_->value()) << 20;
  return choice;
}

ExportSettings ExportDialog::settings() const {
  const Choice chosen = choice();
  ExportSettings settings;
  settings.kinds = withSidecar(chosen.kinds);
  settings.kinds.insert(ExportKind::Json);
  settings.targets = chosen.targets;
  settings.drawImpostors = render::impostorsWithin(chosen.impostorBytes);
  for (const ExportTarget& target : exportTargets()) {
    if (isNeutral(target)) settings.targets.insert(target.kind);
  }
  settings.skinUv = chosen.skinUv;
  return settings;
}

void ExportDialog::setForecast(TargetKind kind, const Result<TargetForecast>& forecast) {
  const auto found = targets_.find(kind);
  if (found == targets_.end()) return;
  Row& row = found->second;
  if (!forecast) {
    row.details->setText(sentenceOf(forecast.error().message));
    row.details->setStyleSheet(QStringLiteral("color:%1;").arg(colors::kError.name()));
    row.box->setChecked(false);
    row.box->setEnabled(false);
    return;
  }
  for (const std::string& loss : forecast->losses) row.losses << sentenceOf(loss);
  row.box->setToolTip(row.losses.join(QLatin1Char('\n')));
  QString figures = sizeText(forecast->bytes);
  if (forecast->maxMm) figures = tr("%1 mm\n%2").arg(fixedText(*forecast->maxMm, 2), figures);
  row.figures->setText(figures);
  row.figures->setToolTip(tr(
      "How far the vertices that it shows are from the clips at most, and the size of its files"));
  showFiles();
  fitChoices();
}

void ExportDialog::browse() {
  const QString chosen = QFileDialog::getExistingDirectory(this, tr("Export into"), folder());
  if (!chosen.isEmpty()) folder_->setText(QDir::toNativeSeparators(chosen));
}

void ExportDialog::setTitles(const std::vector<std::string>& titles) {
  titles_ = titles;
  if (titles_.empty()) titles_.emplace_back();
  showFiles();
}

void ExportDialog::setProject(const Project& project, const QString& file) {
  inputs_ = {pathFromText(utf8Of(file))};
  for (const std::string& path : sourcePaths(project)) inputs_.push_back(pathFromText(path));
  showFiles();
}

QStringList ExportDialog::names() const {
  const ExportSettings wanted = settings();
  QStringList names;
  for (const std::string& set : castSetNames(titles_, utf8Of(name()))) {
    for (const ExportKind kind : wanted.kinds) names << textOf(fileNameOf(set, kind));
    for (const TargetKind kind : wanted.targets) {
      names << textOf(set) + textOf(exportTarget(kind).ending);
    }
  }
  return names << name() + textOf(kPlacementJson) << name() + textOf(kPlacementCsv);
}

QString ExportDialog::whatIsWrong() const {
  const QString why = whyNotInto(folder());
  if (!why.isEmpty()) return why;
  std::vector<SetChange> changes;
  for (QString each : names()) {
    const bool isFolder = each.endsWith(QLatin1Char('/'));
    if (isFolder) each.chop(1);
    changes.push_back({utf8Of(each), isFolder});
  }
  const auto stay = checkInputsStay(pathFromText(utf8Of(folder())), changes, inputs_);
  return stay ? QString() : textOf(stay.error().message);
}

void ExportDialog::accept() {
  showFiles();
  if (export_->isEnabled()) return QDialog::accept();
  folder_->setFocus();
  folder_->selectAll();
}

void ExportDialog::showFiles() {
  // The losses of a chosen engine are shown as text, those of the others in their tool tips.
  for (const auto& [kind, row] : targets_) {
    if (!row.box->isEnabled()) continue;
    QStringList lines = {sentenceOf(exportTarget(kind).summary)};
    if (row.box->isChecked()) lines << row.losses;
    row.details->setText(lines.join(QLatin1Char('\n')));
  }
  impostorMemory_->setVisible(targets_.at(TargetKind::Impostors).box->isChecked());
  neutral_->setText(neutralNames(name()).join(QStringLiteral(", ")));
  const QStringList names = this->names();
  QStringList replaced;
  for (const QString& each : names) {
    if (QFileInfo::exists(QDir(folder()).filePath(each))) replaced << each;
  }
  QString text = names.join(QStringLiteral(", "));
  if (!replaced.isEmpty()) {
    text += tr("\nReplaces what is there: %1").arg(replaced.join(QStringLiteral(", ")));
  }
  files_->setText(text);
  const bool isChosen = !folder_->text().isEmpty() && !name_->text().isEmpty();
  const QString wrong = isChosen ? whatIsWrong() : QString();
  wrong_->setText(wrong);
  wrong_->setVisible(!wrong.isEmpty());
  written_->setText(tr("Written as %1, which all file systems take").arg(name()));
  written_->setVisible(isChosen && name() != name_->text());
  export_->setEnabled(isChosen && wrong.isEmpty());
  export_->setToolTip(isChosen ? wrong : tr("Choose a folder and a name"));
}

}  // namespace ck::ui
