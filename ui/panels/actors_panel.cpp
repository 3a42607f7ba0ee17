#include "ui/panels/actors_panel.h"

#include <QBoxLayout>
#include <QFrame>
#include <QHeaderView>
#include <QItemSelection>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QTableView>

#include "ui/document/document.h"
#include "ui/document/selection.h"
#include "ui/models/actor_filter.h"
#include "ui/models/actor_model.h"
#include "ui/panels/actor_delegate.h"
#include "ui/panels/actor_editor.h"
#include "ui/panels/spawn_bar.h"
#include "ui/theme/theme.h"

namespace ck::ui {
namespace {

QFrame* rule() {
  auto* line = new QFrame;
  line->setObjectName(QStringLiteral("rule"));
  return line;
}

}  // namespace

ActorsPanel::ActorsPanel(Document& document, const Session& session, Selection& selection,
                         QWidget* parent)
    : QWidget(parent),
      document_(document),
      selection_(selection),
      model_(new ActorModel(document, this)),
      shown_(new ActorFilter(*model_, this)),
      spawn_(new SpawnBar(document, session)),
      filter_(new QLineEdit),
      wrong_(new QLabel),
      count_(new QLabel),
      table_(new QTableView) {
  setObjectName(QStringLiteral("panel"));
  filter_->setPlaceholderText(tr("Filter, like  clip:run rate>1.1"));
  filter_->setAccessibleName(tr("Filter actors"));
  filter_->setToolTip(
      tr("Shows the actors that fit: a word looks in the clip's name, rate>1.1 "
         "compares a column. Enter selects what is shown"));
  filter_->setClearButtonEnabled(true);
  filter_->addAction(icon("search", colors::kMuted), QLineEdit::LeadingPosition);
  connect(filter_, &QLineEdit::textChanged, this, &ActorsPanel::applyFilter);
  connect(filter_, &QLineEdit::returnPressed, this, &ActorsPanel::selectShown);
  wrong_->setObjectName(QStringLiteral("wrong"));
  wrong_->hide();
  count_->setObjectName(QStringLiteral("heading"));
  makeTable();

  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(10, 6, 10, 8);
  layout->setSpacing(7);
  layout->addWidget(spawn_);
  layout->addWidget(rule());
  layout->addWidget(count_);
  layout->addWidget(new ActorEditor(document, *model_, selection));
  layout->addWidget(filter_);
  layout->addWidget(wrong_);
  layout->addWidget(table_, 1);

  connect(&selection, &Selection::changed, this, &ActorsPanel::showSelection);
  connect(model_, &QAbstractItemModel::modelReset, this, &ActorsPanel::showSelection);
  connect(model_, &QAbstractItemModel::modelReset, this, &ActorsPanel::showCount);
  showCount();
}

void ActorsPanel::makeTable() {
  table_->setModel(shown_);
  table_->setAccessibleName(tr("Actors"));
  table_->setSelectionBehavior(QAbstractItemView::SelectRows);
  table_->setSelectionMode(QAbstractItemView::ExtendedSelection);
  table_->setAlternatingRowColors(true);
  table_->setShowGrid(false);
  table_->setWordWrap(false);
  table_->setTextElideMode(Qt::ElideMiddle);
  table_->setTabKeyNavigation(false);
  table_->setSortingEnabled(true);
  table_->sortByColumn(-1, Qt::AscendingOrder);
  table_->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
  table_->setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed |
                          QAbstractItemView::AnyKeyPressed);
  // Fixed heights: a hundred thousand rows are measured in no time.
  QHeaderView& rows = *table_->verticalHeader();
  rows.setSectionResizeMode(QHeaderView::Fixed);
  rows.setDefaultSectionSize(24);
  rows.setDefaultAlignment(Qt::AlignRight | Qt::AlignVCenter);
  QHeaderView& header = *table_->horizontalHeader();
  header.setHighlightSections(false);
  header.setMinimumSectionSize(36);
  for (int column = 0; column < kActorFieldCount; ++column) {
    const auto field = ActorField(column);
    table_->setColumnWidth(column, field == ActorField::Clip ? 96 : numberField(field) ? 66 : 52);
  }
  table_->setColumnWidth(int(ActorField::On), 42);
  auto* delegate = new ActorDelegate(table_);
  table_->setItemDelegate(delegate);
  connect(delegate, &ActorDelegate::valueEntered, this, &ActorsPanel::enterValue);
  connect(table_->selectionModel(), &QItemSelectionModel::selectionChanged, this,
          &ActorsPanel::takeSelection);
}

// A value typed into a cell of the selection goes to the whole selection.
void ActorsPanel::enterValue(const QModelIndex& index, const QVariant& value) {
  const QModelIndex source = shown_->mapToSource(index);
  const auto field = ActorField(source.column());
  const bool truth = field == ActorField::Walks || field == ActorField::On;
  if (!selection_.contains(source.row()) || selection_.actors().size() < 2) {
    model_->setData(source, value, truth ? Qt::CheckStateRole : Qt::EditRole);
    return;
  }
  if (const NumberField* number = numberField(field)) {
    model_->editActors(selection_.actors(), field, [&](Actor& actor, std::size_t) {
      setNumber(actor, *number, value.toDouble());
    });
  } else if (field == ActorField::Clip) {
    model_->editActors(selection_.actors(), field,
                       [&](Actor& actor, std::size_t) { actor.clip = value.toInt(); });
  } else if (truth) {
    const bool on = value.toBool();
    model_->editActors(selection_.actors(), field, [&](Actor& actor, std::size_t) {
      (field == ActorField::On ? actor.on : actor.travels) = on;
    });
  } else if (value.value<QColor>().isValid()) {
    model_->editActors(selection_.actors(), field, [&](Actor& actor, std::size_t) {
      actor.tint = value.value<QColor>().rgb() & 0xffffff;
    });
  }
}

void ActorsPanel::applyFilter() {
  const QString wrong = shown_->setFilter(filter_->text());
  wrong_->setText(wrong);
  wrong_->setVisible(!wrong.isEmpty());
  showSelection();
  showCount();
}

void ActorsPanel::selectShown() {
  std::vector<int> actors;
  for (int row = 0; row < shown_->rowCount(); ++row) {
    actors.push_back(shown_->mapToSource(shown_->index(row, 0)).row());
  }
  selection_.set(std::move(actors));
}

void ActorsPanel::showSelection() {
  showCount();
  if (syncing_) return;
  syncing_ = true;
  QItemSelection rows;
  // Neighbours become one range: selecting all of a large crowd is one step.
  int first = -1;
  const int count = shown_->rowCount();
  for (int row = 0; row <= count; ++row) {
    const bool in =
        row < count && selection_.contains(shown_->mapToSource(shown_->index(row, 0)).row());
    if (in && first < 0) first = row;
    if (in || first < 0) continue;
    rows.select(shown_->index(first, 0), shown_->index(row - 1, kActorFieldCount - 1));
    first = -1;
  }
  table_->selectionModel()->select(rows, QItemSelectionModel::ClearAndSelect);
  if (selection_.actors().size() == 1) {
    table_->scrollTo(shown_->mapFromSource(model_->index(selection_.actors().front(), 0)));
  }
  syncing_ = false;
}

void ActorsPanel::takeSelection() {
  if (syncing_) return;
  syncing_ = true;
  std::vector<int> actors;
  for (const QItemSelectionRange& range : table_->selectionModel()->selection()) {
    for (int row = range.top(); row <= range.bottom(); ++row) {
      actors.push_back(shown_->mapToSource(shown_->index(row, 0)).row());
    }
  }
  selection_.set(std::move(actors));
  syncing_ = false;
}

void ActorsPanel::showCount() {
  const QLocale locale;
  const auto total = qlonglong(model_->rowCount());
  QString text = selection_.actors().empty()
                     ? tr("None of %1 selected (Ctrl+A: all)").arg(locale.toString(total))
                     : tr("%1 of %2 selected")
                           .arg(locale.toString(qlonglong(selection_.actors().size())),
                                locale.toString(total));
  if (shown_->rowCount() != total) {
    text += tr(", %1 shown").arg(locale.toString(shown_->rowCount()));
  }
  count_->setText(text);
}

}  // namespace ck::ui
