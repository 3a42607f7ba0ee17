#include "ui/fit/finder_panel.h"

#include <QBoxLayout>
#include <QDoubleSpinBox>
#include <QHeaderView>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QTableView>
#include <utility>

#include "ui/bake/bake_panel.h"
#include "ui/document/name_text.h"
#include "ui/document/session.h"
#include "ui/document/text.h"
#include "ui/fit/front_plot.h"
#include "ui/parts/number_field.h"
#include "ui/parts/panel_parts.h"
#include "ui/playback/playback.h"
#include "ui/theme/theme.h"

namespace ck::ui {
namespace {

constexpr double kLargestLimit = 10000.0;
constexpr double kMostKilobytes = 1024.0 * 1024.0;
constexpr double kUsualMm = 1.0;
constexpr int kBoxWidth = 96;  // pixels

QDoubleSpinBox* limitBox(double most, double step, int decimals, const QString& unit,
                         const QString& name, const QString& tip) {
  auto* box = named(numberBox(0.0, most, step, unit), name, tip);
  box->setDecimals(decimals);
  box->setRange(0.0, most);
  box->setSpecialValueText(FinderPanel::tr("any") + unit);
  box->setMinimumWidth(kBoxWidth);
  if (NumberField* field = numberFieldOf(box)) field->setDefaultNumber(0.0);
  return box;
}

}  // namespace

FoundModel::FoundModel(const AtlasSearch& search, QObject* parent)
    : RowModel(parent), search_(search) {
  addColumn(tr("Size"), tr("Of the texture"));
  addColumn(tr("Error"), tr("The largest distance of a vertex from the clips, in millimetres"));
  addColumn(tr("Screen"), tr("The same in pixels, seen as the panel Bake says"));
  addColumn(tr("Fetches"),
            tr("Texels that a shader fetches for a vertex where it reads the atlas itself"));
  addColumn(tr("Remark"), tr("The best row, the knee of the front, and why a row does not fit"),
            Align::Text);
  addColumn(tr("Settings"), tr("What makes this atlas"), Align::Text);
  connect(&search, &AtlasSearch::changed, this,
          [this] { showRows(int(search_.result().rows.size())); });
}

QString FoundModel::remark(std::size_t row) const {
  const FitResult& result = search_.result();
  const FitRow& one = result.rows[row];
  QStringList parts;
  if (result.best == row) parts << tr("best");
  if (one.isKnee) parts << tr("knee");
  const ErrorFigures& figures = figuresOf(one);
  const FitLimits& limits = search_.limits();
  if (limits.error.vertexMm > 0.0 && figures.vertices.max > limits.error.vertexMm) {
    parts << tr("too far off");
  } else if (limits.error.pixels > 0.0 && figures.screen.max > limits.error.pixels) {
    parts << tr("too many pixels");
  }
  if (limits.bytes > 0 && one.bytes > limits.bytes) parts << tr("too large");
  return parts.join(QStringLiteral(", "));
}

QVariant FoundModel::cell(int row, int column, int role) const {
  const FitRow& one = search_.result().rows[std::size_t(row)];
  const ErrorFigures& figures = figuresOf(one);
  if (role == Qt::ForegroundRole) {
    if (search_.result().best == std::size_t(row)) return colors::kGood;
    return one.isWithin ? QVariant() : QVariant(colors::kMuted);
  }
  if (role == Qt::ToolTipRole) {
    return tr("%6\n%1 x %2 texels, %3 frames; worst in %4 at %5 s")
        .arg(one.width)
        .arg(one.height)
        .arg(one.frames)
        .arg(nameText(figures.vertices.worstClip))
        .arg(fixedText(figures.vertices.worstTimeSeconds, 2), fitSettingsText(one.settings));
  }
  if (role != Qt::DisplayRole) return {};
  switch (column) {
    case Size:
      return tr("%1 KB").arg(fixedText(double(one.bytes) / 1024.0, 1));
    case Error:
      return tr("%1 mm").arg(figureText(figures.vertices.max));
    case Screen:
      return tr("%1 px").arg(figureText(figures.screen.max));
    case Fetches:
      return one.fetches;
    case Settings:
      return fitSettingsText(one.settings);
    default:
      return remark(std::size_t(row));
  }
}

FinderPanel::FinderPanel(Document& document, const Session& session, const Playback& playback,
                         QWidget* parent)
    : QWidget(parent),
      shown_(document, session, playback),
      search_(document, session, shown_),
      model_(new FoundModel(search_, this)),
      millimetres_(limitBox(kLargestLimit, 0.1, 2, tr(" mm"), tr("Largest error at vertices"),
                            tr("The largest distance of a vertex to accept; 0: any"))),
      pixels_(limitBox(kLargestLimit, 0.1, 2, tr(" px"), tr("Largest error on the screen"),
                       tr("The largest error on the screen to accept, seen from the distance in "
                          "the panel Bake; 0: any"))),
      kilobytes_(limitBox(kMostKilobytes, 16.0, 0, tr(" KB"), tr("Largest texture"),
                          tr("The most kilobytes of the texture. Alone it asks for the smallest "
                             "error; 0: any"))),
      start_(new QPushButton),
      progress_(named(new QProgressBar, tr("Progress of the search"))),
      table_(named(new QTableView, tr("Atlases that were found"))),
      plot_(new FrontPlot),
      words_(styledLabel("figures")),
      use_(named(new QPushButton(tr("&Use")), tr("Use"),
                 tr("Sets the bake settings of the chosen row, in one undo step (Enter)"))) {
  setObjectName(QStringLiteral("panel"));
  millimetres_->setValue(kUsualMm);
  start_->setMinimumWidth(kBoxWidth);
  progress_->setRange(0, 1000);
  progress_->setTextVisible(false);
  progress_->setMaximumWidth(2 * kBoxWidth);
  table_->setModel(model_);
  showAsList(*table_, {80, 80, 75, 65, 140});
  words_->setWordWrap(true);
  words_->setTextFormat(Qt::RichText);
  layOutColumn(*this, {10, 6, 10, 8}, 6,
               {rowOf({labelFor(millimetres_, tr("&Within")),
                       millimetres_,
                       pixels_,
                       kilobytes_,
                       start_,
                       progress_,
                       {},
                       use_}),
                words_,
                {rowOf({{table_, 3}, {plot_, 2}}), 1}});

  connect(start_, &QPushButton::clicked, this, &FinderPanel::startOrStop);
  connect(use_, &QPushButton::clicked, this, &FinderPanel::useSelected);
  connect(table_, &QTableView::activated, this, &FinderPanel::useSelected);
  connect(words_, &QLabel::linkActivated, this, &FinderPanel::useAdvice);
  connect(table_->selectionModel(), &QItemSelectionModel::selectionChanged, this, [this] {
    plot_->select(selectedRow(*table_));
    use_->setEnabled(selectedRow(*table_) >= 0 && !search_.isRunning());
  });
  // The rows of another character are others.
  connect(&playback, &Playback::shownCharacterChanged, table_, &QTableView::clearSelection);
  connect(plot_, &FrontPlot::rowPicked, table_, &QTableView::selectRow);
  connect(&search_, &AtlasSearch::changed, this, &FinderPanel::showState);
  connect(&search_, &AtlasSearch::failed, this, &FinderPanel::failed);
  connect(&search_, &AtlasSearch::progressed, this,
          [this](double fraction) { progress_->setValue(int(1000.0 * fraction)); });
  showState();
}

void FinderPanel::focusSearch() {
  start_->setFocus();
}

FitLimits FinderPanel::limits() const {
  FitLimits limits;
  limits.error.vertexMm = millimetres_->value();
  limits.error.pixels = pixels_->value();
  limits.bytes = std::size_t(1024.0 * kilobytes_->value());
  return limits;
}

void FinderPanel::startOrStop() {
  if (search_.isRunning()) return search_.stop();
  progress_->setValue(0);
  search_.start(limits());
}

void FinderPanel::useSelected() {
  const int row = selectedRow(*table_);
  if (row < 0 || search_.isRunning()) return;
  search_.use(FitRow(search_.result().rows[std::size_t(row)]));
}

void FinderPanel::useAdvice(const QString& link) {
  const auto index = std::size_t(link.toInt());
  if (index < search_.result().advice.size()) {
    search_.use(FitAdvice(search_.result().advice[index]));
  }
}

// The sentence of the core, with each advice as a link.
QString FinderPanel::adviceText() const {
  const FitResult& result = search_.result();
  QString text = textOf(adviceSentence(result, search_.limits())).toHtmlEscaped();
  for (std::size_t i = 0; i < result.advice.size(); ++i) {
    const QString words = textOf(result.advice[i].text).toHtmlEscaped();
    const auto at = text.lastIndexOf(words);
    if (at < 0) continue;
    text.replace(at, words.size(),
                 QStringLiteral("<a href=\"%1\" style=\"color:%2\">%3</a>")
                     .arg(QString::number(i), colors::kFocus.name(), words));
  }
  return text;
}

QString FinderPanel::stateText() const {
  const FitResult& result = search_.result();
  const QString count = counted(qlonglong(result.rows.size()), tr("atlas"), tr("atlases"));
  if (search_.isRunning()) return tr("Searching; %1 measured").arg(count);
  if (!search_.isAsked()) return tr("Finds the settings of the smallest atlas within the limits");
  const QString stale =
      search_.isCurrent() ? QString() : tr(" What is baked has changed since: search again.");
  if (result.stopped) return tr("Stopped; %1 measured.").arg(count) + stale;
  if (result.rows.empty()) return tr("Nothing was found.") + stale;
  if (!result.best) return adviceText() + stale;
  return tr("%1 of %2 candidates measured; best: <b>%3</b>, <b>%4 mm</b>.")
             .arg(result.rows.size())
             .arg(result.candidates)
             .arg(sizeText(result.rows[*result.best].bytes),
                  figureText(figuresOf(result.rows[*result.best]).vertices.max).toHtmlEscaped()) +
         stale;
}

void FinderPanel::showState() {
  const bool isRunning = search_.isRunning();
  const QString why = search_.whyNot();
  start_->setText(isRunning ? tr("&Stop") : tr("&Search"));
  start_->setAccessibleName(isRunning ? tr("Stop the search") : tr("Search"));
  start_->setEnabled(isRunning || why.isEmpty());
  start_->setToolTip(isRunning ? tr("Ends the search; what was found stays") : why);
  progress_->setVisible(isRunning);
  const QString whose = shown_.heading();
  words_->setText(whose.isEmpty() ? stateText() : tr("%1: %2").arg(whose, stateText()));
  plot_->show(search_.result(), search_.limits());
  const bool hasEnded = std::exchange(wasRunning_, isRunning) && !isRunning;
  if (hasEnded && search_.result().best) table_->selectRow(int(*search_.result().best));
  use_->setEnabled(!isRunning && selectedRow(*table_) >= 0);
}

}  // namespace ck::ui
