#include "ui/stats/levels_page.h"

#include <QHeaderView>
#include <QLabel>
#include <QLocale>
#include <QTableWidget>
#include <algorithm>

#include "core/view/detail_settings.h"
#include "render/view/crowd_detail.h"
#include "ui/parts/panel_parts.h"
#include "ui/stats/figure_table.h"

namespace ck::ui {
namespace {

using Way = render::DetailStats::Way;

QColor colorOf(const Way& way, int level) {
  if (way.kind == Way::Kind::Picture) return QColor::fromRgb(kPictureTint);
  if (way.kind == Way::Kind::Point) return QColor::fromRgb(kPointTint);
  return QColor::fromRgb(
      kLevelTints[std::min<std::size_t>(std::size_t(level), std::size(kLevelTints) - 1)]);
}

QString number(std::size_t value) {
  return QLocale().toString(qulonglong(value));
}

}  // namespace

LevelsPage::LevelsPage(QWidget* parent)
    : QWidget(parent),
      table_(makeFigureTable({tr("Drawn as"), tr("Triangles"), tr("Influences"), tr("Joints"),
                              tr("Off by, mm"), tr("Up to, px"), tr("Actors"), tr("Share")},
                             tr("Levels of detail"))),
      remark_(styledLabel("muted")) {
  const auto explain = [this](int column, const QString& tip) {
    table_->horizontalHeaderItem(column)->setToolTip(tip);
  };
  explain(0, tr("In the colour of View > Lines over actors > Colours of levels of detail"));
  explain(1, tr("Of an actor"));
  explain(2, tr("Of a vertex at most"));
  explain(3, tr("Joints that move vertices; small ones are folded into their parents"));
  explain(4, tr("How far the surface is from that of the whole mesh, for an actor of scale 1"));
  explain(5, tr("How high an actor of scale 1 is on the screen at most that is drawn so"));
  explain(6, tr("In view now"));
  explain(7, tr("Of the actors in view"));
  remark_->setWordWrap(true);
  layOutColumn(*this, {}, 4, {{table_, 1}, remark_});
  setDetail(std::nullopt, {}, 1.0);
}

void LevelsPage::showWay(int row, const Way& way, int level, const QString& name) {
  QString what = way.kind == Way::Kind::Picture ? tr("Pictures")
                 : way.kind == Way::Kind::Point ? tr("Points")
                 : level == 0                   ? tr("Whole mesh")
                                                : tr("Mesh %1").arg(level);
  if (!name.isEmpty()) what = tr("%1: %2").arg(name, what);
  setFigure(*table_, row, 0, what, FigureKind::Name);
  table_->item(row, 0)->setIcon(dotIcon(colorOf(way, level)));
  const bool isMesh = way.kind == Way::Kind::Mesh;
  const QString none = tr("-");
  const double share = inView_ > 0 ? 100.0 * double(way.actors) / double(inView_) : 0.0;
  const QString cells[] = {
      isMesh ? number(way.triangles) : none,
      isMesh ? QLocale().toString(way.influences) : none,
      isMesh ? number(way.joints) : none,
      way.errorMeters ? fixedText(*way.errorMeters * 1e3, 1) : none,
      way.mostPixels ? fixedText(*way.mostPixels, *way.mostPixels < 10.0 ? 1 : 0) : tr("any"),
      number(way.actors),
      tr("%1 %").arg(fixedText(share, 1))};
  int column = 1;
  for (const QString& cell : cells) {
    setFigure(*table_, row, column++, cell, FigureKind::Number);
  }
}

void LevelsPage::setDetail(const std::optional<render::DetailStats>& detail,
                           const QStringList& names, double askedPixels) {
  table_->setVisible(detail.has_value());
  if (!detail) {
    remark_->setText(
        tr("Every actor is drawn by its whole mesh. Crowds of %1 triangles and more have "
           "levels of detail, unless View > Level of detail is off or the view shows errors "
           "or the source.")
            .arg(number(render::CrowdDetail::kFewTriangles)));
    return;
  }
  inView_ = detail->inView;
  std::size_t rows = 0;
  for (const render::DetailStats::Cast& one : detail->cast) rows += one.ways.size();
  table_->setRowCount(int(rows));
  int row = 0;
  for (const render::DetailStats::Cast& one : detail->cast) {
    const QString name =
        detail->cast.size() > 1 ? names.value(qsizetype(one.character)) : QString();
    int level = 0;
    for (const Way& way : one.ways) showWay(row++, way, level++, name);
  }
  const auto pixels = [](double count) { return QLocale().toString(count, 'g', 2); };
  QString text = detail->pixels > askedPixels
                     ? tr("Off by up to %1 pixels to keep up; %2 are allowed.")
                           .arg(pixels(detail->pixels), pixels(askedPixels))
                     : tr("Off by up to %1 pixels.").arg(pixels(detail->pixels));
  text += tr(" In view: %1 of %2 actors.").arg(number(detail->inView), number(detail->actors));
  if (detail->isPending) text += tr(" Simpler meshes and pictures are being made.");
  remark_->setText(text);
}

}  // namespace ck::ui
