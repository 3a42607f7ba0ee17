#include "ui/stats/stats_panel.h"

#include <QApplication>
#include <QBoxLayout>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QHeaderView>
#include <QLabel>
#include <QLocale>
#include <QMenu>
#include <QStackedWidget>
#include <QTableWidget>
#include <QTimer>
#include <QToolButton>
#include <algorithm>

#include "ui/bake/bake_panel.h"
#include "ui/bake/verdict.h"
#include "ui/document/name_text.h"
#include "ui/document/text.h"
#include "ui/parts/panel_parts.h"
#include "ui/stats/figure_table.h"
#include "ui/stats/frame_graph.h"
#include "ui/stats/levels_page.h"
#include "ui/theme/theme.h"

namespace ck::ui {
namespace {

// Figures that change more often cannot be read.
constexpr qint64 kRefreshMs = 250;
constexpr int kFigureRows = 4;
constexpr int kWithGraph = 920;  // pixels
constexpr int kWithRemark = 780;
constexpr int kFiguresWidth = 310;  // pixels, for numbers of seven digits
constexpr int kWorstColumn = 4;     // of the errors

render::PassCost meanOf(const std::vector<render::FrameStats>& frames, const std::string& name) {
  render::PassCost mean{name};
  int count = 0;
  int gpuCount = 0;
  for (const render::FrameStats& frame : frames) {
    for (const render::PassCost& pass : frame.passes) {
      if (pass.name != name) continue;
      mean.cpuMs += pass.cpuMs;
      ++count;
      if (pass.gpuMs) mean.gpuMs = mean.gpuMs.value_or(0.0) + *pass.gpuMs;
      gpuCount += pass.gpuMs ? 1 : 0;
    }
  }
  mean.cpuMs /= std::max(count, 1);
  if (mean.gpuMs) *mean.gpuMs /= gpuCount;
  return mean;
}

QString milliseconds(double ms) {
  return QLocale().toString(ms, 'f', ms < 10.0 ? 2 : 1);
}

}  // namespace

StatsPanel::StatsPanel(QWidget* parent)
    : QWidget(parent),
      title_(richLabel()),
      software_(plainLabel(tr("Software renderer: processor time of all threads"))),
      copy_(iconButton(QStringLiteral("copy"), tr("Copy the figures as CSV"))),
      passes_(makeFigureTable({tr("Pass"), tr("CPU ms"), tr("GPU ms")}, tr("Times of the passes"))),
      figures_(makeFigureTable({QString(), QString(), QString(), QString()},
                               tr("Figures of the frame"))),
      errors_(makeFigureTable({QString(), tr("Max"), tr("99 %"), tr("RMS"), tr("Worst")},
                              tr("Errors as drawn"))),
      graph_(new FrameGraph),
      levels_(new LevelsPage),
      late_(new QTimer(this)) {
  setObjectName(QStringLiteral("panel"));
  late_->setSingleShot(true);
  connect(late_, &QTimer::timeout, this, &StatsPanel::refresh);
  software_->setObjectName(QStringLiteral("muted"));
  software_->setStyleSheet(QStringLiteral("color: %1").arg(colors::kWarning.name()));
  software_->hide();
  passes_->horizontalHeaderItem(0)->setToolTip(
      tr("Tick: poses and uploads. Ground: with sky and marks"));
  connect(copy_, &QToolButton::clicked, this, &StatsPanel::copy);
  passes_->setIconSize(QSize(12, 12));
  passes_->setMinimumWidth(200);
  figures_->setMinimumWidth(kFiguresWidth);
  figures_->horizontalHeader()->hide();
  figures_->horizontalHeader()->setSectionResizeMode(0, QHeaderView::ResizeToContents);
  figures_->horizontalHeader()->setSectionResizeMode(2, QHeaderView::Stretch);
  figures_->setRowCount(kFigureRows);
  figures_->setToolTip(
      tr("Of a frame; vertices, triangles and draws of all passes together. Fetches: texels that "
         "are fetched for a vertex, as it is drawn here"));

  errors_->horizontalHeader()->setSectionResizeMode(0, QHeaderView::ResizeToContents);
  errors_->horizontalHeader()->setSectionResizeMode(kWorstColumn, QHeaderView::Stretch);
  errors_->horizontalHeaderItem(kWorstColumn)->setTextAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  errors_->horizontalHeaderItem(0)->setToolTip(tr("Of the reading that the view draws"));
  setError(nullptr, Reading::Palette);
  const auto ask = [this](int row, int column) {
    if (column == kWorstColumn && row < int(shownErrors_.size())) {
      emit worstAsked(ErrorFigure(shownErrors_[std::size_t(row)]));
    }
  };
  connect(errors_, &QTableWidget::cellClicked, this, ask);
  connect(errors_, &QTableWidget::cellActivated, this, ask);

  auto* showsError =
      named(new QToolButton, tr("Show the error"), tr("The error of what is drawn, or the frame"));
  showsError->setText(tr("Error"));
  showsError->setCheckable(true);
  auto* showsLevels = named(new QToolButton, tr("Show the levels of detail"),
                            tr("What actors are drawn as with their distance, or the frame"));
  showsLevels->setText(tr("Levels"));
  showsLevels->setCheckable(true);
  auto* top = new QHBoxLayout;
  top->setSpacing(12);
  top->addWidget(title_);
  top->addStretch(1);
  top->addWidget(software_);
  top->addWidget(copy_);
  top->addWidget(showsLevels);
  top->addWidget(showsError);
  auto* frame = new QWidget;
  auto* body = new QHBoxLayout(frame);
  body->setContentsMargins(0, 0, 0, 0);
  body->setSpacing(10);
  body->addWidget(passes_, 5);
  body->addWidget(figures_, 9);
  body->addWidget(graph_, 6);
  auto* pages = new QStackedWidget;
  pages->addWidget(frame);
  const auto addPage = [pages, frame](QWidget* page, QToolButton* button, QToolButton* other) {
    pages->addWidget(page);
    connect(button, &QToolButton::toggled, pages, [=](bool on) {
      if (on) other->setChecked(false);
      pages->setCurrentWidget(on ? page : frame);
    });
  };
  addPage(errors_, showsError, showsLevels);
  addPage(levels_, showsLevels, showsError);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(8, 6, 8, 8);
  layout->setSpacing(6);
  layout->addLayout(top);
  layout->addWidget(pages, 1);
  clear();
}

void StatsPanel::setRenderer(const render::ContextFacts& facts) {
  facts_ = facts;
  software_->setVisible(facts.software && width() >= kWithRemark);
}

void StatsPanel::setProject(const QStringList& characterNames, const DetailSettings& detail) {
  characterNames_ = characterNames;
  detail_ = detail;
}

void StatsPanel::addFrame(const render::FrameStats& stats) {
  if (!sinceRefresh_.isValid()) sinceRefresh_.start();
  frames_.push_back(stats);
  graph_->add(stats.passes);
  const qint64 left = kRefreshMs - sinceRefresh_.elapsed();
  if (left <= 0) return refresh();
  // The last frame of a view that then stands still is shown late.
  if (!late_->isActive()) late_->start(int(left));
}

void StatsPanel::clear() {
  late_->stop();
  frames_.clear();
  shown_ = {};
  title_->setText(tr("No frame yet"));
  copy_->setEnabled(false);
  passes_->setRowCount(0);
  figures_->clearContents();
  graph_->clear();
  levels_->setDetail(std::nullopt, {}, {});
}

void StatsPanel::refresh() {
  if (frames_.empty()) return;
  const double seconds = std::max(double(sinceRefresh_.restart()), 1.0) / 1000.0;
  shown_ = frames_.back();
  double total = 0.0;
  for (render::PassCost& pass : shown_.passes) {
    pass = meanOf(frames_, pass.name);
    total += pass.gpuMs.value_or(pass.cpuMs);
  }
  std::size_t uploadedBytes = 0;
  for (const render::FrameStats& frame : frames_) uploadedBytes += frame.uploadedBytes;
  meanUploadedBytes_ = uploadedBytes / frames_.size();
  // For a slow renderer, decimals of the frame rate matter.
  const auto rate = [seconds](auto count) {
    const double hertz = double(count) / seconds;
    return QLocale().toString(hertz, 'f', hertz < 9.95 ? 1 : 0);
  };
  const auto ticks = std::ranges::count(frames_, true, &render::FrameStats::ticked);
  title_->setText(tr("<b>%1 ms</b> a frame &nbsp; frames a second: %2 &nbsp; ticks: %3")
                      .arg(milliseconds(total), rate(frames_.size()), rate(ticks)));
  frames_.clear();
  copy_->setEnabled(true);
  if (!isVisible()) return;
  showPasses();
  showFigures();
  levels_->setDetail(shown_.detail, characterNames_, detail_);
  graph_->update();
}

void StatsPanel::showPasses() {
  passes_->setRowCount(int(shown_.passes.size()));
  for (int row = 0; row < passes_->rowCount(); ++row) {
    const render::PassCost& pass = shown_.passes[std::size_t(row)];
    const PassLook look = passLook(pass.name);
    setFigure(*passes_, row, 0, look.title, FigureKind::Name);
    passes_->item(row, 0)->setIcon(dotIcon(look.color));
    setFigure(*passes_, row, 1, milliseconds(pass.cpuMs), FigureKind::Number);
    setFigure(*passes_, row, 2, pass.gpuMs ? milliseconds(*pass.gpuMs) : tr("-"),
              FigureKind::Number);
  }
}

// Two pairs of columns, so that all figures are visible in a low panel.
void StatsPanel::showFigures() {
  const QLocale locale;
  const auto number = [&locale](auto value) { return locale.toString(qulonglong(value)); };
  const auto passes = std::size_t(shown_.crowdPasses());
  const std::size_t drawn = shown_.detail ? shown_.detail->inView : shown_.actors;
  const std::pair<QString, QString> figures[] = {
      {tr("Actors drawn"), number(drawn)},
      {tr("Draws"), number(passes * std::size_t(shown_.drawCalls))},
      {tr("Shadow maps"), number(shown_.shadowMaps)},
      {tr("Fetches"), number(shown_.fetchesPerVertex)},
      {tr("Vertices"), number(passes * shown_.vertices)},
      {tr("Triangles"), number(passes * shown_.triangles)},
      {tr("Uploaded"), sizeText(meanUploadedBytes_)},
      {tr("Atlas"), sizeText(shown_.atlasBytes)}};
  int at = 0;
  for (const auto& [name, value] : figures) {
    const int column = at / kFigureRows * 2;
    setFigure(*figures_, at % kFigureRows, column, name, FigureKind::Name);
    setFigure(*figures_, at++ % kFigureRows, column + 1, value, FigureKind::Number);
  }
}

void StatsPanel::judge(QTableWidgetItem& item, double value, double limit) {
  const bool known = limit > 0.0;
  const Verdict verdict = verdictOf(value, limit);
  item.setForeground(known ? verdictColor(verdict) : colors::kText);
  item.setIcon(known ? icon(verdictIcon(verdict), verdictColor(verdict)) : QIcon());
  if (known) {
    item.setToolTip(tr("%1: the limit is %2").arg(verdictWord(verdict), fixedText(limit, 2)));
  }
}

void StatsPanel::setError(const BakeError* error, Reading drawn, const ErrorLimits& limits,
                          const QString& whose) {
  const bool isDirect = drawn == Reading::Direct;
  const ErrorFigures figures = !error ? ErrorFigures() : isDirect ? error->direct : error->palette;
  const ScreenView view = error ? error->view : ScreenView();
  const QString cm = fixedText(100.0 * kShellMeters, 0);
  const struct {
    QString title;
    QString tip;
    const ErrorFigure& figure;
    double limit;
  } rows[] = {
      {tr("At vertices, mm"), tr("How far vertices are off"), figures.vertices, limits.vertexMm},
      {tr("At the shell (%1 cm), mm").arg(cm),
       tr("How far points %1 cm from joints are off, whatever the mesh is").arg(cm), figures.shell,
       limits.shellMm},
      {tr("On the screen, px"),
       tr("Seen from %1 m, %2 pixels high, %3 degrees")
           .arg(fixedText(view.distanceMeters, 1), fixedText(view.imageHeightPixels, 0),
                fixedText(view.verticalFieldOfViewDegrees, 0)),
       figures.screen, limits.pixels}};
  const QString what = whose.isEmpty() ? tr("Error") : tr("Error of %1").arg(whose);
  errors_->horizontalHeaderItem(0)->setText(
      (isDirect ? tr("%1, joint by joint") : tr("%1, through a palette")).arg(what));
  errors_->setRowCount(int(std::size(rows)));
  shownErrors_.clear();
  int row = 0;
  for (const auto& [title, tip, figure, limit] : rows) {
    setFigure(*errors_, row, 0, title, FigureKind::Name);
    const double values[] = {figure.max, figure.p99, figure.rms};
    for (int column = 1; column < kWorstColumn; ++column) {
      const QString value = error ? figureText(values[column - 1]) : tr("-");
      setFigure(*errors_, row, column, value, FigureKind::Number);
    }
    const QString worst = figure.worstClip.empty()
                              ? QString()
                              : tr("%1, %2, at %3 s")
                                    .arg(nameText(figure.worstClip), nameText(figure.worstJoint),
                                         fixedText(figure.worstTimeSeconds, 2));
    setFigure(*errors_, row, kWorstColumn, worst, FigureKind::Name);
    for (int column = 0; column <= kWorstColumn; ++column) {
      errors_->item(row, column)->setToolTip(tip);
    }
    judge(*errors_->item(row, 1), figure.max, error ? limit : 0.0);
    if (!worst.isEmpty()) {
      errors_->item(row, kWorstColumn)->setToolTip(tr("Go there: click, or Enter"));
      errors_->item(row, kWorstColumn)->setForeground(colors::kFocus);
    }
    shownErrors_.push_back(figure);
    ++row;
  }
}

QString StatsPanel::csv() const {
  return copy_->isEnabled() ? textOf(render::statsCsv(shown_, facts_)) : QString();
}

void StatsPanel::copy() {
  refresh();
  QApplication::clipboard()->setText(csv());
}

// In a narrow panel the tables need the graph's place, and the first line that of the remark.
void StatsPanel::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  graph_->setVisible(width() >= kWithGraph);
  software_->setVisible(facts_.software && width() >= kWithRemark);
}

void StatsPanel::contextMenuEvent(QContextMenuEvent* event) {
  QMenu menu(this);
  QAction* action =
      menu.addAction(icon(QStringLiteral("copy")), tr("Copy as CSV"), this, &StatsPanel::copy);
  action->setEnabled(copy_->isEnabled());
  menu.exec(event->globalPos());
}

}  // namespace ck::ui
