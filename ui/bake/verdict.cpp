#include "ui/bake/verdict.h"

#include <QLabel>
#include <QLayout>
#include <algorithm>
#include <cmath>

#include "core/bake/bake.h"
#include "core/project/project.h"
#include "ui/bake/bake_panel.h"
#include "ui/parts/figures_label.h"
#include "ui/parts/panel_parts.h"
#include "ui/theme/theme.h"

namespace ck::ui {
namespace {

constexpr double kUsualPixels = 1.0;
constexpr int kIconSide = 16;

}  // namespace

Verdict verdictOf(double value, double limit) {
  if (value <= limit) return Verdict::Good;
  return value <= 2.0 * limit ? Verdict::Look : Verdict::Bad;
}

double pixelLimit(const Project& project) {
  return project.errorLimits.pixels > 0.0 ? project.errorLimits.pixels : kUsualPixels;
}

double vertexLimitMm(const Project& project) {
  if (project.errorLimits.vertexMm > 0.0) return project.errorLimits.vertexMm;
  return 1000.0 * pixelLimit(project) / pixelsPerMeter(project.view.screen);
}

Verdict costVerdict(const BakeCost& cost) {
  const bool large = std::max(cost.width, cost.height) > kUsualTextureSide;
  return large ? Verdict::Look : Verdict::Good;
}

QString verdictWord(Verdict verdict) {
  const QString words[] = {BakePanel::tr("Good"), BakePanel::tr("Look"), BakePanel::tr("Bad")};
  return words[int(verdict)];
}

QColor verdictColor(Verdict verdict) {
  const QColor all[] = {colors::kGood, colors::kWarning, colors::kError};
  return all[int(verdict)];
}

QString verdictIcon(Verdict verdict) {
  const char* const names[] = {"circle-check", "triangle-alert", "circle-x"};
  return QLatin1String(names[int(verdict)]);
}

VerdictLine::VerdictLine(const QString& name, QWidget* parent)
    : QWidget(parent),
      name_(name),
      icon_(plainLabel()),
      word_(styledLabel("heading")),
      text_(new FiguresLabel) {
  icon_->setFixedSize(kIconSide, kIconSide);
  icon_->setAccessibleName(name);
  auto* row = rowOf({icon_, word_, {text_, 1}}, 6);
  row->setAlignment(icon_, Qt::AlignTop);
  row->setAlignment(word_, Qt::AlignTop);
  setLayout(row);
  connect(text_, &QLabel::linkActivated, this, &VerdictLine::linkActivated);
}

void VerdictLine::show(std::optional<Verdict> verdict, const QString& text, const QString& tip) {
  showAs(verdict, verdict ? verdictWord(*verdict) : QString(),
         verdict ? QStringLiteral("figures") : QStringLiteral("muted"), text, tip);
}

void VerdictLine::refuse(const QString& word, const QString& text) {
  showAs(Verdict::Bad, word, QStringLiteral("wrong"), text, {});
}

void VerdictLine::showAs(std::optional<Verdict> verdict, const QString& word, const QString& style,
                         const QString& text, const QString& tip) {
  icon_->setVisible(verdict.has_value());
  word_->setVisible(verdict.has_value());
  if (verdict) {
    const QColor color = verdictColor(*verdict);
    icon_->setPixmap(icon(verdictIcon(*verdict), color)
                         .pixmap(QSize(kIconSide, kIconSide), devicePixelRatioF()));
    word_->setText(word);
    word_->setStyleSheet(QStringLiteral("color: %1;").arg(color.name()));
  }
  text_->setStyle(style);
  text_->showText(text);
  layout()->activate();  // at once: a word that has grown would be cut until the next event
  setToolTip(tip);
  setAccessibleName(word.isEmpty() ? name_ : QStringLiteral("%1: %2").arg(name_, word));
}

}  // namespace ck::ui
