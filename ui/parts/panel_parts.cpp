#include "ui/parts/panel_parts.h"

#include <QBoxLayout>
#include <QCheckBox>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QSpinBox>
#include <QTableView>
#include <QToolButton>
#include <algorithm>

#include "ui/document/text.h"
#include "ui/parts/number_field.h"
#include "ui/theme/theme.h"

namespace ck::ui {
namespace {

void add(QBoxLayout& layout, const Cells& cells) {
  for (const Cell& cell : cells) {
    if (cell.widget) {
      layout.addWidget(cell.widget, cell.stretch);
    } else if (cell.layout) {
      layout.addLayout(cell.layout, cell.stretch);
    } else {
      layout.addStretch(cell.stretch);
    }
  }
}

}  // namespace

QHBoxLayout* rowOf(const Cells& cells, int spacing) {
  auto* row = new QHBoxLayout;
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(spacing);
  add(*row, cells);
  return row;
}

QWidget* rowWidget(const Cells& cells) {
  auto* widget = new QWidget;
  widget->setLayout(rowOf(cells, 6));
  const auto isField = [](const Cell& cell) { return !qobject_cast<QLabel*>(cell.widget); };
  widget->setFocusProxy(std::ranges::find_if(cells, isField)->widget);
  return widget;
}

QBoxLayout* layOutColumn(QWidget& widget, const QMargins& margins, int spacing,
                         const Cells& cells) {
  auto* column = new QVBoxLayout(&widget);
  column->setContentsMargins(margins);
  column->setSpacing(spacing);
  add(*column, cells);
  return column;
}

QLabel* plainLabel(const QString& text, QWidget* parent) {
  auto* label = new QLabel(shownText(text), parent);
  label->setTextFormat(Qt::PlainText);
  return label;
}

QLabel* richLabel(const QString& text, QWidget* parent) {
  auto* label = new QLabel(text, parent);
  label->setTextFormat(Qt::RichText);
  return label;
}

QLabel* labelFor(QWidget* field, const QString& text) {
  QLabel* label = plainLabel(text);
  label->setBuddy(field);
  return label;
}

QLabel* styledLabel(const char* style) {
  QLabel* label = plainLabel();
  label->setObjectName(QLatin1String(style));
  return label;
}

QToolButton* iconButton(const QString& iconName, const QString& tip, const QString& name) {
  auto* button = named(new QToolButton, name.isEmpty() ? tip : name, tip);
  button->setIcon(icon(iconName));
  return button;
}

QLineEdit* searchField(const QString& prompt) {
  auto* field = named(new QLineEdit, prompt);
  field->setPlaceholderText(prompt);
  field->setClearButtonEnabled(true);
  field->addAction(icon(QStringLiteral("search"), colors::kMuted), QLineEdit::LeadingPosition);
  return field;
}

QSpinBox* wholeBox(int low, int high, int step) {
  QSpinBox* box = wholeField();
  box->setRange(low, high);
  box->setSingleStep(step);
  return box;
}

QDoubleSpinBox* numberBox(double low, double high, double step, const QString& unit) {
  QDoubleSpinBox* box = numberField();
  box->setRange(low, high);
  box->setSingleStep(step);
  box->setSuffix(unit);
  return box;
}

QString fixedText(double value, int decimals) {
  return QLocale().toString(value, 'f', decimals);
}

QString figureText(double value) {
  const QString text = fixedText(value, 2);
  return value > 0.0 && text == fixedText(0.0, 2) ? QStringLiteral("< ") + fixedText(0.01, 2)
                                                  : text;
}

void showFlag(QCheckBox& box, std::size_t set, std::size_t all) {
  box.setTristate(set != 0 && set != all);
  box.setCheckState(set == 0 ? Qt::Unchecked : set == all ? Qt::Checked : Qt::PartiallyChecked);
}

void showAsList(QTableView& table, std::initializer_list<int> widths) {
  table.setSelectionBehavior(QAbstractItemView::SelectRows);
  table.setSelectionMode(QAbstractItemView::SingleSelection);
  table.setAlternatingRowColors(true);
  table.setShowGrid(false);
  table.setWordWrap(false);
  table.setTabKeyNavigation(false);
  table.verticalHeader()->hide();
  table.verticalHeader()->setDefaultSectionSize(kListRowPixels);
  table.horizontalHeader()->setHighlightSections(false);
  table.horizontalHeader()->setStretchLastSection(true);
  int column = 0;
  for (const int width : widths) table.setColumnWidth(column++, width);
}

int selectedRow(const QTableView& table) {
  const QModelIndexList rows = table.selectionModel()->selectedRows();
  return rows.isEmpty() ? -1 : rows.first().row();
}

}  // namespace ck::ui
