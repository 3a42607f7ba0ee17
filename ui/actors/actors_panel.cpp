#include "ui/actors/actors_panel.h"

#include <QBoxLayout>
#include <QFrame>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QSpinBox>
#include <QToolButton>
#include <algorithm>

#include "ui/actors/actor_editor.h"
#include "ui/actors/actor_filter.h"
#include "ui/actors/actor_model.h"
#include "ui/actors/actor_table.h"
#include "ui/actors/mask_dialog.h"
#include "ui/actors/spawn_bar.h"
#include "ui/document/document.h"
#include "ui/document/selection.h"
#include "ui/parts/bind.h"
#include "ui/parts/panel_parts.h"

namespace ck::ui {

ActorsPanel::ActorsPanel(Document& document, const Session& session, Selection& selection,
                         QWidget* parent)
    : QWidget(parent),
      selection_(selection),
      model_(new ActorModel(document, this)),
      shown_(new ActorFilter(*model_, this)),
      spawn_(new SpawnBar(document, session)),
      filter_(searchField(tr("Filter, like  clip:run rate>1.1"))),
      wrong_(styledLabel("wrong")),
      count_(styledLabel("heading")),
      table_(new ActorTable(*model_, *shown_, selection)) {
  setObjectName(QStringLiteral("panel"));
  named(filter_, tr("Filter actors"),
        tr("Shows the actors that fit: a word looks in the clip's name, character:doe in a "
           "column's, rate>1.1 compares a column. Enter selects what is shown"));
  connect(filter_, &QLineEdit::textChanged, this, &ActorsPanel::applyFilter);
  connect(filter_, &QLineEdit::returnPressed, table_, &ActorTable::selectAll);
  wrong_->hide();

  auto* editor = new ActorEditor(document, *model_, *shown_, selection);
  connect(editor, &ActorEditor::masksAsked, this, [this, &document, &session] {
    auto* masks = new MaskDialog(document, session, window());
    masks->setAttribute(Qt::WA_DeleteOnClose);
    masks->show();
  });
  auto* rule = new QFrame;
  rule->setObjectName(QStringLiteral("rule"));
  layOutColumn(*this, {10, 6, 10, 8}, 7,
               {spawn_, rule, makeHeading(document), editor, filter_, wrong_, {table_, 1}});

  connect(&selection, &Selection::changed, this, &ActorsPanel::showCount);
  connect(shown_, &QAbstractItemModel::modelReset, this, &ActorsPanel::showCount);
  showCount();
}

// The number of selected actors, and the seed for random values in their fields.
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
  // The label's text changes with every filter, but the panel's size must not.
  count_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  count_->setWordWrap(true);
  return rowOf({{count_, 1}, label, seed, dice}, 6);
}

void ActorsPanel::applyFilter() {
  const QString wrong = shown_->setFilter(filter_->text());
  wrong_->setText(wrong);
  wrong_->setVisible(!wrong.isEmpty());
  showCount();
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
