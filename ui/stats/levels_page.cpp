#include "ui/stats/levels_page.h"

#include <QHeaderView>
#include <QLabel>
#include <QLocale>
#include <QSpinBox>
#include <QTableWidget>
#include <algorithm>

#include "render/view/crowd_detail.h"
#include "ui/document/document.h"
#include "ui/document/text.h"
#include "ui/parts/bind.h"
#include "ui/parts/panel_parts.h"
#include "ui/stats/figure_table.h"

namespace ck::ui {
namespace {

using Way = render::DetailStats::Way;

QColor colorOf(const Way& way) {
  if (way.kind == Way::Kind::Picture) return QColor::fromRgb(kPictureTint);
  if (way.kind == Way::Kind::Point) return QColor::fromRgb(kPointTint);
  return QColor::fromRgb(kLevelTints[std::min(way.level, std::size(kLevelTints) - 1)]);
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
      remark_(styledLabel("muted")),
      triangles_(wholeBox(0, kMostDetailTriangles, 100'000)),
      memory_(wholeBox(0, int(kMostDetailBytes >> 20))) {
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
  triangles_->setSpecialValueText(tr("any number"));
  triangles_->setGroupSeparatorShown(true);
  triangles_->setToolTip(tr("Of all actors in one pass; far ones are off by more pixels for it"));
  memory_->setSpecialValueText(tr("usual"));
  memory_->setSuffix(tr(" MB"));
  memory_->setToolTip(
      tr("Of the graphics card, for the simpler meshes and the pictures of far actors of "
         "all characters"));
  layOutColumn(*this, {}, 4,
               {{table_, 1},
                rowOf({labelFor(triangles_, tr("At most triangles")), triangles_,
                       labelFor(memory_, tr("Memory")), memory_, Cell()}),
                remark_});
  setDetail(std::nullopt, {}, {});
}

void LevelsPage::showWay(int row, const Way& way, const QString& name) {
  QString what = way.kind == Way::Kind::Picture ? tr("Pictures")
                 : way.kind == Way::Kind::Point ? tr("Points")
                 : way.level == 0               ? tr("Whole mesh")
                                                : tr("Mesh %1").arg(way.level);
  if (!name.isEmpty()) what = tr("%1: %2").arg(name, what);
  setFigure(*table_, row, 0, what, FigureKind::Name);
  table_->item(row, 0)->setIcon(dotIcon(colorOf(way)));
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

QString LevelsPage::remark() const {
  return remark_->text();
}

void LevelsPage::bind(Document& document) {
  bindNumber(
      *triangles_, document, tr("Budget of triangles"),
      [](const Project& project) { return int(project.view.detail.mostTriangles); },
      [](Project& project, int most) { project.view.detail.mostTriangles = std::size_t(most); });
  bindNumber(
      *memory_, document, tr("Budget of memory"),
      [](const Project& project) {
        return int((project.view.detail.mostBytes + (1 << 20) - 1) >> 20);
      },
      [](Project& project, int most) { project.view.detail.mostBytes = std::size_t(most) << 20; });
}

void LevelsPage::setDetail(const std::optional<render::DetailStats>& detail,
                           const QStringList& names, const DetailSettings& asked) {
  table_->setVisible(detail.has_value());
  if (!detail) {
    remark_->setText(tr("Every actor is drawn by its whole mesh. Crowds of %1 triangles and more "
                        "have levels of detail, and those over a budget of triangles, unless View "
                        "> Level of detail is off or the view "
                        "compares or shows errors or steps.")
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
    for (const Way& way : one.ways) showWay(row++, way, name);
  }
  std::vector<std::string> whose;
  for (const QString& name : names) whose.push_back(name.toStdString());
  const auto pixels = [](double count) { return QLocale().toString(count, 'g', 2); };
  QString text = tr("Off by up to %1").arg(about(detail->pixels, tr("pixel"), tr("pixels")));
  if (detail->pixels > asked.pixels) text += tr("; %1 are asked for").arg(pixels(asked.pixels));
  text += tr(". In view: %1 of %2 actors.").arg(number(detail->inView), number(detail->actors));
  if (detail->isPending) text += tr(" Simpler meshes and pictures are being made.");
  const std::string refused = render::refusalText(*detail, asked, whose);
  if (!refused.empty()) text += u' ' + textOf(refused);
  remark_->setText(text);
}

}  // namespace ck::ui
