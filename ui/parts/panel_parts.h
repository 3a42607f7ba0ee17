#pragma once

#include <QMargins>
#include <QString>
#include <initializer_list>
#include <vector>

class QBoxLayout;
class QCheckBox;
class QDoubleSpinBox;
class QHBoxLayout;
class QLabel;
class QLayout;
class QLineEdit;
class QSpinBox;
class QTableView;
class QToolButton;
class QWidget;

namespace ck::ui {

// Widgets and layouts that several panels use. A returned object has no parent until it is added to
// a layout.

// A widget or a layout in a row or a column. `stretch` is its share of the free space. The default
// is empty space.
struct Cell {
  Cell() = default;
  Cell(QWidget* widget, int stretch = 0) : widget(widget), stretch(stretch) {}
  Cell(QLayout* layout, int stretch = 0) : layout(layout), stretch(stretch) {}

  QWidget* widget = nullptr;
  QLayout* layout = nullptr;
  int stretch = 1;
};
using Cells = std::vector<Cell>;

// The default spacing is that of the layout around it, or of the style.
QHBoxLayout* rowOf(const Cells& cells, int spacing = -1);
// The row as a widget. Its label leads to its first field.
QWidget* rowWidget(const Cells& cells);
// Makes a column the layout of `widget`.
QBoxLayout* layOutColumn(QWidget& widget, const QMargins& margins, int spacing, const Cells& cells);

// A label that shows its text as it is, whatever names in it look like; the two below are of this
// kind.
QLabel* plainLabel(const QString& text = {}, QWidget* parent = nullptr);
// A label of rich text, in which names are escaped (QString::toHtmlEscaped()).
QLabel* richLabel(const QString& text = {}, QWidget* parent = nullptr);
// A label that leads to `field`.
QLabel* labelFor(QWidget* field, const QString& text);
// A label with a name of the style sheet: "figures", "heading", "muted", "wrong".
QLabel* styledLabel(const char* style);

// A button with an icon of the theme and no text. Its accessible name is `name`, or else its tool
// tip.
QToolButton* iconButton(const QString& iconName, const QString& tip, const QString& name = {});

// A field for a word to look for. `prompt` is shown while it is empty, and its accessible name.
QLineEdit* searchField(const QString& prompt);

// Number fields (ui/parts/number_field.h). `unit` is shown behind the number and begins with a
// blank.
QSpinBox* wholeBox(int low, int high, int step = 1);
QDoubleSpinBox* numberBox(double low, double high, double step, const QString& unit = {});

// Sets the accessible name and the tool tip.
template <class Widget>
Widget* named(Widget* widget, const QString& name, const QString& tip = {}) {
  widget->setAccessibleName(name);
  widget->setToolTip(tip);
  return widget;
}

// A number with this many decimals, as the user's language writes it.
QString fixedText(double value, int decimals);
// As plain text with two decimals; "< 0.01" for what is not 0 but would read as 0.
QString figureText(double value);

// Shows a flag that `set` of `all` selected items have: mixed where they differ.
void showFlag(QCheckBox& box, std::size_t set, std::size_t all);

inline constexpr int kListRowPixels = 24;

// Configures a table as a list with a single selected row: no grid, no row numbers, and the last
// column stretches. `widths` are those of the first columns, in pixels.
void showAsList(QTableView& table, std::initializer_list<int> widths = {});
// The selected row of such a list, or -1.
int selectedRow(const QTableView& table);

}  // namespace ck::ui
