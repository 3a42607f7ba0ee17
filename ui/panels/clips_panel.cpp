#include "ui/panels/clips_panel.h"

#include <QAction>
#include <QBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QMenu>
#include <QSortFilterProxyModel>
#include <QToolButton>
#include <QTreeView>

#include "ui/document/document.h"
#include "ui/document/playback.h"
#include "ui/document/session.h"
#include "ui/document/text.h"
#include "ui/models/clip_model.h"
#include "ui/theme/theme.h"

namespace ck::ui {

ClipsPanel::ClipsPanel(Document& document, Session& session, Playback& playback, QWidget* parent)
    : QWidget(parent),
      document_(document),
      session_(session),
      playback_(playback),
      model_(new ClipModel(document, session, this)),
      shown_(new QSortFilterProxyModel(this)),
      search_(new QLineEdit),
      view_(new QTreeView),
      total_(new QLabel) {
  setObjectName(QStringLiteral("panel"));
  setMinimumWidth(264);
  shown_->setSourceModel(model_);
  shown_->setFilterCaseSensitivity(Qt::CaseInsensitive);
  search_->setPlaceholderText(tr("Search clips"));
  search_->setAccessibleName(tr("Search clips"));
  search_->setClearButtonEnabled(true);
  search_->addAction(icon("search", colors::kMuted), QLineEdit::LeadingPosition);
  connect(search_, &QLineEdit::textChanged, shown_, &QSortFilterProxyModel::setFilterFixedString);

  view_->setModel(shown_);
  view_->setAccessibleName(tr("Clips"));
  view_->setRootIsDecorated(false);
  view_->setUniformRowHeights(true);
  view_->setAlternatingRowColors(true);
  view_->setAllColumnsShowFocus(true);
  view_->setContextMenuPolicy(Qt::CustomContextMenu);
  view_->setTextElideMode(Qt::ElideMiddle);
  view_->setTabKeyNavigation(false);
  QHeaderView& header = *view_->header();
  header.setStretchLastSection(false);
  header.setMinimumSectionSize(34);
  header.setSectionResizeMode(ClipModel::Name, QHeaderView::Stretch);
  const std::pair<int, int> widths[] = {{ClipModel::Length, 62},
                                        {ClipModel::Frames, 62},
                                        {ClipModel::Cost, 42},
                                        {ClipModel::Loop, 52}};
  for (const auto& [column, width] : widths) header.resizeSection(column, width);
  connect(view_, &QWidget::customContextMenuRequested, this, &ClipsPanel::showMenu);
  connect(view_->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
          [this] { playback_.setShownClip(currentRow()); });
  connect(&playback, &Playback::soloChanged, model_, &ClipModel::setSolo);

  auto* add = new QToolButton;
  add->setObjectName(QStringLiteral("textTool"));
  add->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  add->setIcon(icon("plus"));
  add->setText(tr("Add clips..."));
  add->setToolTip(tr("Add the clips of other files, matched by joint name (Ctrl+Shift+I)"));
  connect(add, &QToolButton::clicked, this, &ClipsPanel::addClipsAsked);
  total_->setObjectName(QStringLiteral("muted"));
  total_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);

  auto* bottom = new QHBoxLayout;
  bottom->addWidget(add);
  bottom->addWidget(total_, 1);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(8, 4, 8, 8);
  layout->setSpacing(6);
  layout->addWidget(search_);
  layout->addWidget(view_, 1);
  layout->addLayout(bottom);

  connect(model_, &QAbstractItemModel::dataChanged, this, &ClipsPanel::showTotal);
  connect(model_, &QAbstractItemModel::modelReset, this, &ClipsPanel::showTotal);
  connect(&session, &Session::costChanged, this, &ClipsPanel::showTotal);
  connect(&session, &Session::characterChanged, this,
          [this, add] { add->setEnabled(session_.character() != nullptr); });
  add->setEnabled(session_.character() != nullptr);
  showTotal();
}

// A narrow panel keeps what is paid for: frames and kilobytes.
void ClipsPanel::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  view_->setColumnHidden(ClipModel::Length, width() < 320);
}

int ClipsPanel::currentRow() const {
  const QModelIndex index = view_->currentIndex();
  return index.isValid() ? shown_->mapToSource(index).row() : -1;
}

void ClipsPanel::showTotal() {
  const Project& project = document_.project();
  int ticked = 0;
  for (const ProjectClip& clip : project.clips) ticked += clip.ticked ? 1 : 0;
  if (project.clips.empty()) {
    total_->setText(session_.character() ? tr("This rig has no clips") : QString());
    return;
  }
  const QLocale locale;
  QString text = tr("%1 of %2").arg(ticked).arg(project.clips.size());
  if (session_.cost() && *session_.cost()) {
    int frames = 0;
    for (const auto& clip : (*session_.cost())->clips) frames += clip.frames;
    text += tr(", %1 frames").arg(locale.toString(frames));
  }
  total_->setText(text);
}

void ClipsPanel::showMenu(const QPoint& place) {
  const QModelIndex index = view_->indexAt(place);
  if (!index.isValid()) return;
  const int row = shown_->mapToSource(index).row();
  const ProjectClip& clip = document_.project().clips[std::size_t(row)];
  QMenu menu(this);
  const bool soloed = playback_.solo() == row;
  menu.addAction(icon("headphones"), soloed ? tr("End solo") : tr("Solo: every actor plays it"),
                 this, [this, row, soloed] { playback_.setSolo(soloed ? -1 : row); });
  menu.addSeparator();
  menu.addAction(tr("Tick only this"), this, [this, row] { model_->tickOnly(row); });
  menu.addAction(tr("Tick all"), this, [this] { model_->tickAll(true); });
  menu.addAction(tr("Untick all"), this, [this] { model_->tickAll(false); });
  menu.addSeparator();
  QMenu* ends = menu.addMenu(tr("At its end"));
  const auto choice = [&](const QString& text, std::optional<LoopMode> loop) {
    QAction* action =
        ends->addAction(text, this, [this, row, loop] { model_->setLoop(row, loop); });
    action->setCheckable(true);
    action->setChecked(clip.loop == loop);
  };
  choice(tr("As measured"), std::nullopt);
  for (const LoopMode mode : {LoopMode::Loop, LoopMode::Once, LoopMode::PingPong}) {
    choice(loopTitle(mode), mode);
  }
  menu.exec(view_->viewport()->mapToGlobal(place));
}

}  // namespace ck::ui
