#include "ui/bake/preset_box.h"

#include <QAbstractItemView>
#include <QComboBox>
#include <QPainter>
#include <QSignalBlocker>
#include <QStyledItemDelegate>

#include "core/project/project.h"
#include "core/view/drawn_as.h"
#include "ui/bake/bake_panel.h"
#include "ui/bake/bake_presets.h"
#include "ui/bake/preset_figures.h"
#include "ui/bake/verdict.h"
#include "ui/document/document.h"
#include "ui/parts/bind.h"
#include "ui/parts/panel_parts.h"
#include "ui/theme/theme.h"

namespace ck::ui {
namespace {

constexpr int kCustom = -1;
// Item data beside the preset's number.
constexpr int kFiguresRole = Qt::UserRole + 1;  // "1.9 MB, 0.05 px"
constexpr int kVerdictRole = Qt::UserRole + 2;  // of the error; invalid if it is not known
constexpr int kSummaryRole = Qt::UserRole + 3;

constexpr int kListWidth = 420;
constexpr int kItemHeight = 62;  // a line, and two of the summary
constexpr int kPadding = 8;
constexpr int kIconSide = 14;

QString tr(const char* text) {
  return BakePanel::tr(text);
}

// The name with the figures at the right, and below them in two lines what the preset is for.
class PresetDelegate : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;

  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    const bool plain = index.data(kSummaryRole).toString().isEmpty();
    return {kListWidth,
            plain ? QStyledItemDelegate::sizeHint(option, index).height() : kItemHeight};
  }

  void paint(QPainter* painter, const QStyleOptionViewItem& option,
             const QModelIndex& index) const override {
    const QString summary = index.data(kSummaryRole).toString();
    if (summary.isEmpty()) return QStyledItemDelegate::paint(painter, option, index);
    const bool selected = option.state.testFlag(QStyle::State_Selected);
    painter->save();
    painter->fillRect(option.rect,
                      selected ? colors::kAccent : option.palette.color(QPalette::Base));
    const QRect inner = option.rect.adjusted(kPadding, 4, -kPadding, -4);
    QRect first(inner.left(), inner.top(), inner.width(), inner.height() / 3);
    const QRect below(inner.left(), first.bottom() + 1, inner.width(), inner.height() * 2 / 3);
    QFont bold = option.font;
    bold.setWeight(QFont::DemiBold);
    painter->setFont(bold);
    painter->setPen(selected ? QColor(Qt::white) : colors::kText);
    painter->drawText(first, Qt::AlignLeft | Qt::AlignVCenter, index.data().toString());
    painter->setFont(option.font);
    if (const QVariant known = index.data(kVerdictRole); known.isValid()) {
      const auto verdict = Verdict(known.toInt());
      const QColor color = selected ? QColor(Qt::white) : verdictColor(verdict);
      const QRect mark(first.right() - kIconSide, first.center().y() - kIconSide / 2, kIconSide,
                       kIconSide);
      icon(verdictIcon(verdict), color).paint(painter, mark);
      painter->setPen(color);
      first.setRight(mark.left() - 6);
    } else {
      painter->setPen(selected ? QColor(Qt::white) : colors::kMuted);
    }
    painter->drawText(first, Qt::AlignRight | Qt::AlignVCenter,
                      index.data(kFiguresRole).toString());
    painter->setPen(selected ? QColor(Qt::white) : colors::kMuted);
    painter->drawText(below, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextWordWrap, summary);
    painter->restore();
  }
};

void showFigures(QComboBox& box, const Project& project, const PresetFigures& all) {
  for (int i = 0; i < box.count(); ++i) {
    const int number = box.itemData(i).toInt();
    if (number == kCustom) continue;
    const auto preset = BakePreset(number);
    const PresetFigures::Figures* figures = all.of(preset);
    QString text = tr("not measured yet");
    QString tip = presetSummary(preset);
    QVariant verdict;
    if (figures && !figures->problem.isEmpty()) {
      text = tr("cannot be baked");
      tip = figures->problem;
      verdict = int(Verdict::Bad);
    } else if (figures && figures->error) {
      const bool direct = drawnReading(project.view) == Reading::Direct;
      const ErrorFigures& error = direct ? figures->error->direct : figures->error->palette;
      const Verdict one = verdictOf(error.screen.max, pixelLimit(project));
      verdict = int(one);
      text = tr("%1, %2 px  %3")
                 .arg(sizeText(figures->bytes), figureText(error.screen.max), verdictWord(one));
      tip += tr("\nIt takes %1 and is off by %2 mm at the vertices, %3 px on the screen as it is "
                "seen below")
                 .arg(sizeText(figures->bytes), figureText(error.vertices.max),
                      figureText(error.screen.max));
    }
    box.setItemData(i, text, kFiguresRole);
    box.setItemData(i, verdict, kVerdictRole);
    box.setItemData(i, tip, Qt::ToolTipRole);
    box.setItemData(i, QStringLiteral("%1, %2").arg(presetName(preset), text),
                    Qt::AccessibleTextRole);
  }
}

// Returns the names and summaries of the presets as rich text.
QString addPresets(QComboBox& box) {
  QString tips;
  for (const BakePreset preset : kBakePresets) {
    box.addItem(presetName(preset), int(preset));
    box.setItemData(box.count() - 1, presetSummary(preset), Qt::ToolTipRole);
    box.setItemData(box.count() - 1, presetSummary(preset), kSummaryRole);
    tips += QStringLiteral("<br><b>%1</b>: %2").arg(presetName(preset), presetSummary(preset));
  }
  return tips;
}

int presetNumber(const ProjectCharacter& character) {
  const auto preset = presetOf(character.bake);
  return preset ? int(*preset) : kCustom;
}

}  // namespace

QComboBox* makePresetBox(const Document& document, ShownCharacter& shown,
                         const PresetFigures& figures) {
  auto* box = new QComboBox;
  box->setToolTip(QStringLiteral("<qt>") + tr("All settings at once.") + addPresets(*box));
  box->addItem(tr("Custom"), kCustom);
  box->setItemData(box->count() - 1, tr("Settings that are no preset's"), Qt::ToolTipRole);
  box->setItemDelegate(new PresetDelegate(box));
  box->view()->setMinimumWidth(kListWidth);
  bindChoice(*box, shown, tr("Preset"), presetNumber, [](ProjectCharacter& character, int value) {
    BakeSettings& bake = character.bake;
    if (value != kCustom) bake = withPreset(bake, BakePreset(value));
  });
  // "Custom" cannot be selected; it is shown when no preset matches.
  QObject::connect(box, &QComboBox::activated, box, [box, &shown] {
    const QSignalBlocker quiet(box);
    box->setCurrentIndex(box->findData(presetNumber(shown.value())));
  });
  const auto show = [box, &document, &figures] { showFigures(*box, document.project(), figures); };
  QObject::connect(&figures, &PresetFigures::changed, box, show);
  QObject::connect(&document, &Document::changed, box,
                   [show](const Project& before, const Project& now) {
                     if (before.errorLimits != now.errorLimits ||
                         drawnReading(before.view) != drawnReading(now.view)) {
                       show();
                     }
                   });
  show();
  return box;
}

}  // namespace ck::ui
