#include "ui/actors/actors_panel.h"

#include <QAction>
#include <QApplication>
#include <QBoxLayout>
#include <QEvent>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QMenu>
#include <QScrollArea>
#include <QScrollBar>
#include <QSpinBox>
#include <QStyle>
#include <QToolButton>
#include <algorithm>

#include "core/project/actors/actor_edits.h"
#include "core/project/crowds.h"
#include "ui/actors/actor_editor.h"
#include "ui/actors/actor_filter.h"
#include "ui/actors/actor_model.h"
#include "ui/actors/actor_table.h"
#include "ui/actors/column_choice.h"
#include "ui/actors/column_edits.h"
#include "ui/actors/crowd_bar.h"
#include "ui/actors/crowd_commands.h"
#include "ui/actors/mask_dialog.h"
#include "ui/actors/spawn_bar.h"
#include "ui/document/document.h"
#include "ui/document/selection.h"
#include "ui/document/text.h"
#include "ui/parts/bind.h"
#include "ui/parts/fold.h"
#include "ui/parts/panel_parts.h"
#include "ui/parts/tick_menu.h"

namespace ck::ui {
namespace {

constexpr int kLeastFieldsPixels = 64;  // two rows
constexpr int kLeastRows = 12;          // of the table, where the panel has room for them

// Fields as high as they need, which scroll where the panel is too low for them.
class FieldsArea : public QScrollArea {
 public:
  explicit FieldsArea(QWidget* fields) {
    setWidget(fields);
    setWidgetResizable(true);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
    setFocusPolicy(Qt::NoFocus);
    setObjectName(QStringLiteral("fields"));
    fields->setObjectName(QStringLiteral("panel"));
  }

  QSize sizeHint() const override { return widget()->sizeHint(); }
  QSize minimumSizeHint() const override {
    const QSize least = widget()->minimumSizeHint();
    return {least.width(), std::min(least.height(), kLeastFieldsPixels)};
  }

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override {
    // A group of fields was shown or hidden.
    if (event->type() == QEvent::LayoutRequest) updateGeometry();
    return QScrollArea::eventFilter(watched, event);
  }
};

}  // namespace

ActorsPanel::ActorsPanel(Document& document, const Session& session, Selection& selection,
                         QWidget* parent)
    : QWidget(parent),
      document_(document),
      selection_(selection),
      model_(new ActorModel(document, this)),
      shown_(new ActorFilter(*model_, this)),
      commands_(new CrowdCommands(document, session, selection, this)),
      crowds_(new CrowdBar(document, *commands_)),
      spawn_(new SpawnBar(document, session, selection)),
      filter_(searchField(tr("Filter, like  clip:run rate>1.1"))),
      wrong_(styledLabel("wrong")),
      count_(styledLabel("heading")),
      total_(styledLabel("muted")),
      table_(new ActorTable(*model_, *shown_, selection)) {
  setObjectName(QStringLiteral("panel"));
  named(filter_, tr("Filter actors"),
        tr("Shows the actors that fit: a word looks in the clip's name, character:doe in a "
           "column's, rate>1.1 compares a column. Enter selects what is shown"));
  connect(filter_, &QLineEdit::textChanged, this, &ActorsPanel::applyFilter);
  connect(filter_, &QLineEdit::returnPressed, table_, &ActorTable::selectAll);
  connect(&document, &Document::replaced, filter_, &QLineEdit::clear);
  wrong_->hide();

  auto* editor = new ActorEditor(document, *model_, *shown_, selection);
  fields_ = new FieldsArea(editor);
  connect(editor, &ActorEditor::masksAsked, this, [this, &document, &session, &selection] {
    const std::vector<int>& chosen = selection.actors();
    const int character =
        chosen.empty() ? 0 : document.project().actors[std::size_t(chosen.front())].character;
    auto* masks = new MaskDialog(document, session, character, window());
    masks->setAttribute(Qt::WA_DeleteOnClose);
    masks->show();
  });
  auto* fold = new Fold(QStringLiteral("formation"), tr("Formation"), spawn_, false);
  follow(*fold, document, [fold](const Project& project) {
    fold->setSummary(
        tr("%1, %2").arg(counted(qlonglong(crowdSizes(project)[std::size_t(chosenCrowd(project))]),
                                 tr("actor"), tr("actors")),
                         formationTitle(chosen(project).spawn.formation).toLower()));
  });
  total_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
  layOutColumn(*this, {10, 4, 10, 6}, 5,
               {crowds_,
                fold,
                rowOf({{filter_, 1}, total_}, 8),
                wrong_,
                {table_, 1},
                makeHeading(document),
                fields_});
  unfold_.setSingleShot(true);
  connect(&unfold_, &QTimer::timeout, this,
          [this] { table_->isDragged() ? unfold_.start() : showFields(); });
  fold->installEventFilter(this);

  connect(table_, &ActorTable::rowMenuAsked, this, [this](const QPoint& place, int section) {
    QMenu* menu = makeRowMenu(section);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->popup(place);
  });
  connect(table_, &ActorTable::headerMenuAsked, this, [this](const QPoint& place, int section) {
    QMenu* menu = makeHeaderMenu(section);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->popup(place);
  });
  connect(&selection, &Selection::changed, this, &ActorsPanel::showCount);
  connect(shown_, &QAbstractItemModel::modelReset, this, &ActorsPanel::showCount);
  showCount();
}

ColumnEdits ActorsPanel::editsOf(int section) const {
  return {document_, *model_, model_->column(section), shown_->inOrder(selection_.actors())};
}

QMenu* ActorsPanel::makeRowMenu(int section) {
  auto* menu = new QMenu(this);
  menu->setToolTipsVisible(true);
  if (fillRowMenu_) fillRowMenu_(*menu);
  if (section < 0) return menu;
  const QString title = columnTitle(model_->column(section));
  menu->addSeparator();
  addColumnActions(*menu, editsOf(section), title, table_);
  return menu;
}

QMenu* ActorsPanel::makeHeaderMenu(int section) {
  auto* menu = new TickMenu(this);
  menu->setToolTipsVisible(true);
  if (section >= 0) {
    const ActorColumn& column = model_->column(section);
    const QString title = columnTitle(column);
    const QHeaderView& header = *table_->horizontalHeader();
    const auto addOrder = [&](const QString& text, int by, Qt::SortOrder order) {
      QAction* action =
          menu->addAction(text, table_, [this, by, order] { table_->sortByColumn(by, order); });
      action->setCheckable(true);
      action->setChecked(header.sortIndicatorSection() == by &&
                         (by < 0 || header.sortIndicatorOrder() == order));
    };
    addOrder(tr("Sort by %1, smallest first").arg(title), section, Qt::AscendingOrder);
    addOrder(tr("Sort by %1, largest first").arg(title), section, Qt::DescendingOrder);
    addOrder(tr("Order of the project"), -1, Qt::AscendingOrder);
    menu->addSeparator();
    QAction* like =
        menu->addAction(tr("Select all with the same %1").arg(title), this, [this, &column] {
          selection_.set(actorsLike(document_.project(), selection_.actors(), column));
        });
    const bool any = !selection_.actors().empty();
    like->setEnabled(any);
    like->setToolTip(any ? tr("As one of the selected actors") : tr("Select actors first"));
    addColumnActions(*menu->addMenu(tr("Selected actors")), editsOf(section), title, table_);
    QAction* hide = menu->addAction(tr("Hide the column %1").arg(title), this, [this, section] {
      table_->columns().setShown(section, false);
    });
    hide->setToolTip(tr("The list below shows it again"));
    menu->addSeparator();
  }
  table_->columns().addActions(*menu);
  return menu;
}

// The line that says how many actors are selected, and the seed for random values in the fields.
QLayout* ActorsPanel::makeHeading(Document& document) {
  auto* seed = named(wholeBox(0, 999999), tr("Seed of R(a,b)"),
                     tr("R(a,b) in the fields below: the same seed gives the same values again"));
  seed->setMinimumWidth(80);
  bindNumber(
      *seed, document, tr("Seed of random values"),
      [](const Project& p) { return int(std::min<std::uint64_t>(p.randomSeed, 999999)); },
      [](Project& p, int v) { p.randomSeed = std::uint64_t(v); });
  QLabel* label = labelFor(seed, tr("R seed"));
  label->setObjectName(QStringLiteral("muted"));
  QToolButton* dice = iconButton("dices", tr("Another seed for R(a,b)"));
  connect(dice, &QToolButton::clicked, seed,
          [seed] { seed->setValue((seed->value() * 31 + 17) % 99991); });
  // Its text changes, but the panel's size must not.
  count_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  seed_ = rowWidget({label, seed, dice});
  return rowOf({{count_, 1}, seed_}, 6);
}

void ActorsPanel::applyFilter() {
  const QString wrong = shown_->setFilter(filter_->text());
  wrong_->setText(wrong);
  wrong_->setVisible(!wrong.isEmpty());
  showCount();
}

// As high as the fields need, but not so high that the table has too few rows.
void ActorsPanel::shareHeight() {
  const int rows = kLeastRows * table_->verticalHeader()->defaultSectionSize() +
                   table_->horizontalHeader()->sizeHint().height() +
                   table_->horizontalScrollBar()->sizeHint().height() + 2 * table_->frameWidth();
  const QMargins margins = layout()->contentsMargins();
  int others = margins.top() + margins.bottom();
  for (int i = 0; i < layout()->count(); ++i) {
    QLayoutItem* item = layout()->itemAt(i);
    if (item->isEmpty()) continue;
    others += layout()->spacing();
    if (item->widget() != table_ && item->widget() != fields_) others += item->sizeHint().height();
  }
  fields_->setMaximumHeight(std::max(kLeastFieldsPixels, height() - others - rows));
}

void ActorsPanel::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  shareHeight();
}

// The formation was opened or closed.
bool ActorsPanel::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::Resize) shareHeight();
  return QWidget::eventFilter(watched, event);
}

void ActorsPanel::showFields() {
  const bool any = !selection_.actors().empty();
  if (fields_->isVisibleTo(this) == any) return;
  fields_->setVisible(any);
  seed_->setVisible(any);
  shareHeight();
  layout()->activate();
  if (any) table_->showAnchor();
}

void ActorsPanel::showCount() {
  const QLocale locale;
  const auto total = qlonglong(model_->rowCount());
  const auto selected = qlonglong(selection_.actors().size());
  const QString none = total > 0 ? tr("Select actors to edit them, or double-click a cell")
                                 : tr("There are no actors: open Formation and give a number");
  count_->setText(
      selected == 0
          ? none
          : tr("%1 of %2 selected").arg(locale.toString(selected), locale.toString(total)));
  count_->setToolTip(selected == 0 ? tr("%1. Ctrl+A selects all").arg(none) : count_->text());
  // The style sheet knows labels by their names.
  count_->setObjectName(selected == 0 ? QStringLiteral("muted") : QStringLiteral("heading"));
  count_->style()->unpolish(count_);
  count_->style()->polish(count_);
  if (table_->isPressed()) {
    unfold_.start(QApplication::doubleClickInterval());
  } else if (!unfold_.isActive()) {
    showFields();
  }
  total_->setText(
      shown_->rowCount() == total
          ? locale.toString(total)
          : tr("%1 of %2").arg(locale.toString(shown_->rowCount()), locale.toString(total)));
  total_->setToolTip(tr("Actors that the table shows"));
}

}  // namespace ck::ui
