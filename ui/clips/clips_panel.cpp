#include "ui/clips/clips_panel.h"

#include <QAction>
#include <QBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QMenu>
#include <QScopedValueRollback>
#include <QSortFilterProxyModel>
#include <QStyledItemDelegate>
#include <QToolButton>
#include <QToolTip>
#include <QTreeView>
#include <algorithm>

#include "core/project/characters.h"
#include "ui/clips/clip_model.h"
#include "ui/doctor/examination.h"
#include "ui/document/document.h"
#include "ui/document/name_text.h"
#include "ui/document/selection.h"
#include "ui/document/session.h"
#include "ui/document/text.h"
#include "ui/parts/panel_parts.h"
#include "ui/playback/clip_thumbnails.h"
#include "ui/playback/playback.h"
#include "ui/theme/theme.h"

namespace ck::ui {
namespace {

// A press on a tick box makes its row the current one, too, which Qt leaves to other presses: keys
// mean the row that was ticked last.
class TickDelegate : public QStyledItemDelegate {
 public:
  explicit TickDelegate(QTreeView& view) : QStyledItemDelegate(&view), view_(view) {}

  bool editorEvent(QEvent* event, QAbstractItemModel* model, const QStyleOptionViewItem& option,
                   const QModelIndex& index) override {
    const bool taken = QStyledItemDelegate::editorEvent(event, model, option, index);
    if (taken && event->type() == QEvent::MouseButtonPress) {
      const bool isSelected = view_.selectionModel()->isSelected(index);
      view_.selectionModel()->setCurrentIndex(
          index, isSelected ? QItemSelectionModel::NoUpdate
                            : QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
    }
    return taken;
  }

 private:
  QTreeView& view_;
};

}  // namespace

ClipsPanel::ClipsPanel(Document& document, Session& session, Playback& playback,
                       ClipSelection& selection, ClipThumbnails* thumbnails, QWidget* parent)
    : QWidget(parent),
      document_(document),
      session_(session),
      playback_(playback),
      selection_(selection),
      model_(new ClipModel(document, session, thumbnails, this)),
      shown_(new QSortFilterProxyModel(this)),
      search_(searchField(tr("Search clips"))),
      view_(named(new QTreeView, tr("Clips"))),
      total_(styledLabel("muted")),
      whose_(styledLabel("figures")),
      add_(new QToolButton),
      doctor_(new QToolButton) {
  setObjectName(QStringLiteral("panel"));
  setMinimumWidth(264);
  shown_->setSourceModel(model_);
  shown_->setFilterCaseSensitivity(Qt::CaseInsensitive);
  connect(search_, &QLineEdit::textChanged, shown_, &QSortFilterProxyModel::setFilterFixedString);
  makeView();
  addKeys();
  whose_->setTextFormat(Qt::RichText);
  whose_->setWordWrap(true);
  total_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
  add_->setObjectName(QStringLiteral("textTool"));
  add_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  add_->setIcon(icon("plus"));
  add_->setText(tr("Add clips..."));
  layOutColumn(*this, {8, 4, 8, 8}, 6,
               {whose_, search_, {view_, 1}, rowOf({add_, doctor_, {total_, 1}})});
  doctor_->setObjectName(QStringLiteral("textTool"));
  doctor_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  doctor_->hide();

  connect(add_, &QToolButton::clicked, this, &ClipsPanel::addClipsAsked);
  connect(doctor_, &QToolButton::clicked, this, [this] { emit doctorAsked(-1); });
  connect(view_, &QTreeView::clicked, this, [this](const QModelIndex& index) {
    const bool marked = !index.data().toString().isEmpty();
    if (index.column() != ClipModel::Findings || !marked) return;
    emit doctorAsked(shown_->mapToSource(index).row());
  });
  connect(&session, &Session::rigsChanged, this, &ClipsPanel::offerClips);
  connect(&playback, &Playback::shownCharacterChanged, this, &ClipsPanel::showCharacter);
  connect(&document, &Document::changed, this, &ClipsPanel::showCharacter);
  connect(&playback, &Playback::soloChanged, model_, &ClipModel::setSolo);
  connect(model_, &ClipModel::refused, this, [this](const QString& why) {
    QToolTip::showText(
        view_->viewport()->mapToGlobal(view_->visualRect(view_->currentIndex()).bottomLeft()), why,
        view_);
  });
  connect(model_, &ClipModel::rigChanged, this, [this] {
    currentName_.clear();
    selectedNames_.clear();
  });
  connect(model_, &QAbstractItemModel::dataChanged, this, &ClipsPanel::showTotal);
  connect(model_, &QAbstractItemModel::modelReset, this, &ClipsPanel::showTotal);
  connect(shown_, &QAbstractItemModel::modelReset, this, &ClipsPanel::restoreSelection);
  connect(&session, &Session::costChanged, this, &ClipsPanel::showTotal);
  connect(&playback, &Playback::shownClipChanged, this, &ClipsPanel::followPlayback);
  showCharacter();
}

void ClipsPanel::setExamination(const Examination& examination) {
  examination_ = &examination;
  model_->setExamination(examination);
  connect(&examination, &Examination::changed, this, &ClipsPanel::showFindings);
  showFindings();
}

void ClipsPanel::showFindings() {
  if (!examination_->isCurrent() && examination_->hasPatient()) return;  // it will say more
  const std::vector<ClipFinding>& all = examination_->findings();
  const auto bad = std::ranges::count(all, FindingLevel::Bad, &ClipFinding::level);
  const QString words =
      all.empty() ? tr("The doctor finds nothing to mend")
                  : tr("The doctor has %1")
                        .arg(counted(qlonglong(all.size()), tr("finding"), tr("findings")));
  doctor_->setVisible(examination_->hasPatient());
  doctor_->setText(all.empty() ? QString() : QLocale().toString(qulonglong(all.size())));
  doctor_->setIcon(all.empty() ? icon("check-check", colors::kGood)
                   : bad > 0   ? icon("circle-alert", colors::kError)
                               : icon("triangle-alert", colors::kWarning));
  named(doctor_, tr("Doctor"), words)->setAccessibleDescription(words);
  showColumns();
}

void ClipsPanel::showCharacter() {
  const Project& project = document_.project();
  model_->setCharacter(playback_.shownCharacter());
  whose_->setVisible(characterCount(project) > 1);
  if (characterCount(project) > 1) {
    const QString title = nameText(characterTitle(project, playback_.shownCharacter()));
    const QString why = model_->whyNotEditable();
    whose_->setText(why.isEmpty() ? tr("<b>%1</b>").arg(title.toHtmlEscaped())
                                  : tr("<b>%1</b> (read only)").arg(title.toHtmlEscaped()));
    whose_->setToolTip(why.isEmpty() ? tr("The character that is chosen in the panel Characters")
                                     : why);
  }
  offerClips();
  showTotal();
}

void ClipsPanel::offerClips() {
  const QString why = model_->whyNotEditable();
  add_->setEnabled(why.isEmpty() && session_.character(model_->character()) != nullptr);
  add_->setToolTip(why.isEmpty()
                       ? tr("Add the clips of other files, matched by joint name (Ctrl+Shift+I)")
                       : why);
}

void ClipsPanel::makeView() {
  view_->setModel(shown_);
  view_->setItemDelegate(new TickDelegate(*view_));
  view_->setRootIsDecorated(false);
  view_->setUniformRowHeights(true);
  view_->setAlternatingRowColors(true);
  view_->setAllColumnsShowFocus(true);
  view_->setIconSize({ClipModel::kThumbnailPixels, ClipModel::kThumbnailPixels});
  view_->setSelectionMode(QAbstractItemView::ExtendedSelection);
  view_->setEditTriggers(QAbstractItemView::EditKeyPressed | QAbstractItemView::DoubleClicked);
  view_->setContextMenuPolicy(Qt::CustomContextMenu);
  view_->setTextElideMode(Qt::ElideMiddle);
  view_->setTabKeyNavigation(false);
  view_->setDragDropMode(QAbstractItemView::InternalMove);
  view_->setDefaultDropAction(Qt::MoveAction);
  view_->setDragDropOverwriteMode(false);
  QHeaderView& header = *view_->header();
  header.setStretchLastSection(false);
  header.setMinimumSectionSize(34);
  header.setSectionResizeMode(ClipModel::Name, QHeaderView::Stretch);
  int column = ClipModel::Length;
  for (const int width : {60, 52, 46, 96, 78, 34}) header.resizeSection(column++, width);
  connect(view_->model(), &QAbstractItemModel::dataChanged, this, &ClipsPanel::widenNumbers);
  connect(view_->model(), &QAbstractItemModel::modelReset, this, &ClipsPanel::widenNumbers);
  connect(view_, &QWidget::customContextMenuRequested, this, &ClipsPanel::showMenu);
  connect(view_->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
          &ClipsPanel::takeSelection);
  connect(view_->selectionModel(), &QItemSelectionModel::selectionChanged, this,
          &ClipsPanel::takeSelection);
}

// Long clips have more digits than the columns have room for. The names then get narrower.
void ClipsPanel::widenNumbers() {
  for (const int column : {ClipModel::Frames, ClipModel::Cost}) {
    // Public in the base class alone.
    const int wanted = static_cast<const QAbstractItemView*>(view_)->sizeHintForColumn(column);
    if (wanted > view_->columnWidth(column)) view_->setColumnWidth(column, wanted);
  }
}

void ClipsPanel::addKeys() {
  const auto key = [this](const char* id, const QString& text, const QKeySequence& sequence,
                          auto&& run) {
    auto* action = new QAction(text, this);
    action->setObjectName(QLatin1String(id));
    action->setShortcut(sequence);
    action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    connect(action, &QAction::triggered, this, run);
    view_->addAction(action);
  };
  key("clips.up", tr("Move clips up"), Qt::ALT | Qt::Key_Up, [this] { moveSelected(-1); });
  key("clips.down", tr("Move clips down"), Qt::ALT | Qt::Key_Down, [this] { moveSelected(1); });
  key("clips.tick", tr("Tick or untick clips"), Qt::CTRL | Qt::Key_Space,
      [this] { toggleTicks(); });
}

void ClipsPanel::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  showColumns();
}

// A narrow panel keeps the columns with costs: frames and kilobytes. Clips that are all right need
// no column for what is not; where there is one, names need the room of the kilobytes.
void ClipsPanel::showColumns() {
  const auto ofClip = [](const ClipFinding& one) { return one.clip >= 0; };
  const bool found = examination_ && std::ranges::any_of(examination_->findings(), ofClip);
  view_->setColumnHidden(ClipModel::Findings, !found);
  view_->setColumnHidden(ClipModel::Cost, found && width() < 360);
  view_->setColumnHidden(ClipModel::Length, width() < 400);
  view_->setColumnHidden(ClipModel::SeamColumn, width() < 480);
}

int ClipsPanel::currentRow() const {
  const QModelIndex index = view_->currentIndex();
  return index.isValid() ? shown_->mapToSource(index).row() : -1;
}

void ClipsPanel::takeSelection() {
  if (restoring_) return;
  std::vector<int> rows;
  selectedNames_.clear();
  for (const QModelIndex& index : view_->selectionModel()->selectedRows()) {
    rows.push_back(shown_->mapToSource(index).row());
    selectedNames_.push_back(model_->clip(rows.back()).name);
  }
  const int current = currentRow();
  currentName_ = current >= 0 ? model_->clip(current).name : std::string();
  playback_.setShownClip(current);
  selection_.set(std::move(rows));
}

void ClipsPanel::restoreSelection() {
  std::vector<int> rows;
  {
    const QScopedValueRollback guard(restoring_, true);
    for (int row = 0; row < model_->rowCount(); ++row) {
      const std::string& name = model_->clip(row).name;
      const QModelIndex index = shown_->mapFromSource(model_->index(row, 0));
      const auto whole = QItemSelectionModel::Rows;
      if (!currentName_.empty() && name == currentName_) {
        view_->selectionModel()->setCurrentIndex(index, QItemSelectionModel::NoUpdate);
      }
      if (std::ranges::count(selectedNames_, name) == 0) continue;
      rows.push_back(row);
      view_->selectionModel()->select(index, QItemSelectionModel::Select | whole);
    }
  }
  if (currentRow() >= 0) playback_.setShownClip(currentRow());
  selection_.set(std::move(rows));
  if (currentName_.empty()) followPlayback();
}

// When an actor is selected, the timeline shows its clip, so that clip becomes the current one.
void ClipsPanel::followPlayback() {
  const int row = playback_.shownIndex();
  if (restoring_ || row >= model_->rowCount()) return;
  if (row == currentRow() && !selection_.clips().empty()) return;
  const QModelIndex index = shown_->mapFromSource(model_->index(row, 0));
  if (!index.isValid()) return;
  view_->selectionModel()->setCurrentIndex(
      index, QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
}

void ClipsPanel::showTotal() {
  const int clips = model_->rowCount();
  int ticked = 0;
  for (int row = 0; row < clips; ++row) ticked += model_->clip(row).ticked ? 1 : 0;
  if (clips == 0) {
    const bool there = session_.character(model_->character()) != nullptr;
    total_->setText(there ? tr("This rig has no clips") : QString());
    return;
  }
  QString text = tr("%1 of %2").arg(ticked).arg(clips);
  if (const auto* cost = session_.cost(model_->character()); cost && *cost) {
    int frames = 0;
    for (const auto& clip : (*cost)->clips) frames += clip.frames;
    text += QStringLiteral(", ") + counted(frames, tr("frame"), tr("frames"));
  }
  total_->setText(text);
}

void ClipsPanel::moveSelected(int by) {
  const std::vector<int> rows = selection_.clips();
  if (rows.empty()) return;
  const int before = by < 0 ? rows.front() - 1 : rows.back() + 2;
  if (before < 0 || before > model_->rowCount()) return;
  model_->move(rows, before);
}

// Toggled to the opposite of the current clip's value, so that all become equal.
void ClipsPanel::toggleTicks() {
  const int current = currentRow();
  if (current < 0 || selection_.clips().empty()) return;
  const bool ticked = !model_->clip(current).ticked;
  model_->edit(ticked ? tr("Tick clips") : tr("Untick clips"), selection_.clips(),
               [ticked](ProjectClip& clip) { clip.ticked = ticked; });
}

template <class Value>
void ClipsPanel::addChoices(QMenu& menu, const QString& title, Value ProjectClip::*member,
                            void (ClipModel::*set)(const std::vector<int>& rows, Value value),
                            const QList<std::pair<QString, Value>>& choices) {
  QMenu* inner = menu.addMenu(title);
  const std::vector<int> rows = selection_.clips();
  for (const auto& [text, value] : choices) {
    QAction* action =
        inner->addAction(text, this, [=, this, value = value] { (model_->*set)(rows, value); });
    action->setCheckable(true);
    action->setChecked(std::ranges::all_of(
        rows, [&, value = value](int row) { return model_->clip(row).*member == value; }));
  }
}

QMenu* ClipsPanel::makeMenu() {
  auto* menu = new QMenu(this);
  const std::vector<int> rows = selection_.clips();
  const int row = currentRow();
  if (rows.empty() || row < 0) return menu;
  const bool soloed = playback_.solo() == row;
  menu->addAction(icon("headphones"),
                  soloed ? tr("End solo") : tr("Solo: all with this rig play it"), this,
                  [this, row, soloed] { playback_.setSolo(soloed ? -1 : row); });
  menu->setToolTipsVisible(true);
  if (doctor_->isVisibleTo(this)) {
    menu->addAction(tr("Ask the doctor"), this, [this, row] { emit doctorAsked(row); })
        ->setToolTip(tr("Shows what is odd about the clip, and mends it"));
  }
  menu->addAction(icon("sliders-horizontal"), tr("Fit files..."), this, &ClipsPanel::fitAsked)
      ->setToolTip(tr("Match joints, rest poses, axes and size of the character's files"));
  menu->addSeparator();
  if (!model_->isEditable()) {
    menu->addAction(model_->whyNotEditable())->setEnabled(false);
    return menu;
  }
  menu->addAction(tr("Rename\tF2"), this,
                  [this] { view_->edit(view_->currentIndex().siblingAtColumn(0)); });
  menu->addSeparator();
  menu->addAction(tr("Tick or untick\tCtrl+Space"), this, &ClipsPanel::toggleTicks);
  menu->addAction(rows.size() > 1 ? tr("Tick only these") : tr("Tick only this"), this,
                  [this, rows] { model_->tickOnly(rows); });
  menu->addAction(tr("Tick all"), this, [this] { model_->tickAll(true); });
  menu->addAction(tr("Untick all"), this, [this] { model_->tickAll(false); });
  menu->addAction(tr("Invert the ticks"), this, [this] { model_->invertTicks(); });
  menu->addSeparator();
  addChoices(*menu, tr("At its end"), &ProjectClip::loop, &ClipModel::setLoop, loopChoices());
  addChoices(*menu, tr("Seam"), &ProjectClip::seam, &ClipModel::setSeam,
             {{tr("As measured"), SeamChoice::Auto},
              {tr("Closes: the last pose is the first"), SeamChoice::Inclusive},
              {tr("Adds a step: it ends one step before"), SeamChoice::Exclusive},
              {tr("Open: it does not close"), SeamChoice::None}});
  QMenu* way = menu->addMenu(tr("Way over the ground"));
  for (const auto& [title, motion] : rootMotionChoices()) {
    QAction* choice = way->addAction(title);
    choice->setCheckable(true);
    choice->setChecked(std::ranges::all_of(rows, [this, motion = motion](int one) {
      return model_->clip(one).edit.root.motion == motion;
    }));
    connect(choice, &QAction::triggered, this,
            [this, rows, motion = motion] { model_->setRootMotion(rows, motion); });
  }
  menu->addSeparator();
  QAction* up = menu->addAction(tr("Move up\tAlt+Up"), this, [this] { moveSelected(-1); });
  up->setEnabled(rows.front() > 0);
  QAction* down = menu->addAction(tr("Move down\tAlt+Down"), this, [this] { moveSelected(1); });
  down->setEnabled(rows.back() + 1 < model_->rowCount());
  menu->addSeparator();
  menu->addAction(tr("As in the file"), this, [this, rows] { model_->reset(rows); })
      ->setToolTip(tr("Takes cuts, rates, names and choices away"));
  return menu;
}

void ClipsPanel::showMenu(const QPoint& place) {
  if (selection_.clips().empty()) return;
  QMenu* menu = makeMenu();
  menu->setAttribute(Qt::WA_DeleteOnClose);
  menu->popup(view_->viewport()->mapToGlobal(place));
}

}  // namespace ck::ui
