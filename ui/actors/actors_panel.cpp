#include "ui/actors/actors_panel.h"

#include <QBoxLayout>
#include <QFrame>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QSpinBox>
#include <QToolButton>
#include <algorithm>

#include "ui/actors/actor_delegate.h"
#include "ui/actors/actor_editor.h"
#include "ui/actors/actor_filter.h"
#include "ui/actors/actor_model.h"
#include "ui/actors/actor_table.h"
#include "ui/actors/mask_dialog.h"
#include "ui/actors/spawn_bar.h"
#include "ui/document/document.h"
#include "ui/document/selection.h"
#include "ui/parts/bind.h"
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
      selection_(selection),
      model_(new ActorModel(document, this)),
      shown_(new ActorFilter(*model_, this)),
      spawn_(new SpawnBar(document, session)),
      filter_(new QLineEdit),
      wrong_(new QLabel),
      count_(new QLabel),
      table_(new ActorTable(*shown_, selection)) {
  setObjectName(QStringLiteral("panel"));
  filter_->setPlaceholderText(tr("Filter, like  clip:run rate>1.1"));
  filter_->setAccessibleName(tr("Filter actors"));
  filter_->setToolTip(
      tr("Shows the actors that fit: a word looks in the clip's name, character:doe in a column's, "
         "rate>1.1 compares a column. Enter selects what is shown"));
  filter_->setClearButtonEnabled(true);
  filter_->addAction(icon("search", colors::kMuted), QLineEdit::LeadingPosition);
  connect(filter_, &QLineEdit::textChanged, this, &ActorsPanel::applyFilter);
  connect(filter_, &QLineEdit::returnPressed, this, &ActorsPanel::selectShown);
  wrong_->setObjectName(QStringLiteral("wrong"));
  wrong_->hide();
  count_->setObjectName(QStringLiteral("heading"));
  connect(&table_->delegate(), &ActorDelegate::valueEntered, this, &ActorsPanel::enterValue);

  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(10, 6, 10, 8);
  layout->setSpacing(7);
  layout->addWidget(spawn_);
  layout->addWidget(rule());
  layout->addLayout(makeHeading(document));
  auto* editor = new ActorEditor(document, *model_, *shown_, selection);
  connect(editor, &ActorEditor::masksAsked, this, [this, &document, &session] {
    auto* masks = new MaskDialog(document, session, window());
    masks->setAttribute(Qt::WA_DeleteOnClose);
    masks->show();
  });
  layout->addWidget(editor);
  layout->addWidget(filter_);
  layout->addWidget(wrong_);
  layout->addWidget(table_, 1);

  connect(&selection, &Selection::changed, this, &ActorsPanel::showCount);
  connect(shown_, &QAbstractItemModel::modelReset, this, &ActorsPanel::showCount);
  showCount();
}

// The number of selected actors, and the seed for random values in their fields.
QLayout* ActorsPanel::makeHeading(Document& document) {
  auto* seed = new QSpinBox;
  seed->setRange(0, 999999);
  seed->setMinimumWidth(80);
  seed->setAccessibleName(tr("Seed of R(a,b)"));
  seed->setToolTip(tr("R(a,b) in the fields below: the same seed gives the same values again"));
  bindNumber(
      *seed, document, tr("Seed of random values"),
      [](const Project& p) { return int(std::min<std::uint64_t>(p.randomSeed, 999999)); },
      [](Project& p, int v) { p.randomSeed = std::uint64_t(v); });
  auto* label = new QLabel(tr("R seed"));
  label->setObjectName(QStringLiteral("muted"));
  label->setBuddy(seed);
  auto* dice = new QToolButton;
  dice->setIcon(icon("dices"));
  dice->setToolTip(tr("Another seed for R(a,b)"));
  dice->setAccessibleName(tr("Another seed for R(a,b)"));
  connect(dice, &QToolButton::clicked, seed,
          [seed] { seed->setValue((seed->value() * 31 + 17) % 99991); });
  auto* row = new QHBoxLayout;
  row->setSpacing(6);
  // The label's text changes with every filter, but the panel's size must not.
  count_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  count_->setWordWrap(true);
  row->addWidget(count_, 1);
  row->addWidget(label);
  row->addWidget(seed);
  row->addWidget(dice);
  return row;
}

// A value typed into a cell of the selection applies to the whole selection.
void ActorsPanel::enterValue(const QModelIndex& index, const QVariant& value) {
  const int actor = shown_->mapToSource(index).row();
  const std::vector<int> actors =
      selection_.contains(actor) ? selection_.actors() : std::vector<int>{actor};
  model_->setActors(actors, model_->column(index.column()), value, actor);
}

void ActorsPanel::applyFilter() {
  const QString wrong = shown_->setFilter(filter_->text());
  wrong_->setText(wrong);
  wrong_->setVisible(!wrong.isEmpty());
  showCount();
}

void ActorsPanel::selectShown() {
  table_->selectAll();
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
  count_->setToolTip(text);
}

}  // namespace ck::ui
