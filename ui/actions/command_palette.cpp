#include "ui/actions/command_palette.h"

#include <QAccessible>
#include <QGuiApplication>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QMenu>
#include <QMenuBar>
#include <QPainter>
#include <QPointer>
#include <QSettings>
#include <QStandardItemModel>
#include <QStyledItemDelegate>
#include <QTextLayout>
#include <QWidgetAction>
#include <algorithm>
#include <optional>
#include <vector>

#include "ui/actions/action_table.h"
#include "ui/parts/panel_parts.h"
#include "ui/theme/theme.h"

namespace ck::ui {
namespace {

constexpr int kWidth = 560;
constexpr int kRowPixels = 30;
constexpr int kMostRows = 12;
constexpr int kLast = 5;
const QString kLastKey = QStringLiteral("palette/last");

// How good a text is for words: 0 for a text that begins with them; nothing without one of them.
std::optional<int> rankOf(const QString& text, const QStringList& words, QList<int>* hits) {
  int rank = 0;
  for (const QString& word : words) {
    qsizetype best = -1;
    for (qsizetype at = text.indexOf(word, 0, Qt::CaseInsensitive); at >= 0;
         at = text.indexOf(word, at + 1, Qt::CaseInsensitive)) {
      const bool begins = at == 0 || !text[at - 1].isLetterOrNumber();
      if (best < 0 || begins) best = at;
      if (begins) break;
    }
    if (best < 0) return {};
    rank += best == 0 ? 0 : text[best - 1].isLetterOrNumber() ? 2 : 1;
    if (hits) *hits << int(best) << int(word.size());
  }
  return rank;
}

// A row: icon, text with what was found in bold, menu and key; or the reason why it is off.
class CommandDelegate : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;

  QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const override {
    return {0, kRowPixels};
  }

  void paint(QPainter* painter, const QStyleOptionViewItem& option,
             const QModelIndex& index) const override {
    constexpr int kIcon = 16;
    constexpr int kGap = 10;
    const QString reason = index.data(CommandPalette::ReasonRole).toString();
    const bool isOff = !reason.isEmpty();
    const bool isCurrent = option.state & QStyle::State_Selected;
    // The style sheet gives the list's own palette one colour for all states.
    const QPalette palette = QGuiApplication::palette();
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    if (isCurrent) {
      painter->setPen(Qt::NoPen);
      painter->setBrush(palette.brush(isOff ? QPalette::Button : QPalette::Highlight));
      painter->drawRoundedRect(option.rect, 4, 4);
    }
    const bool isChosen = isCurrent && !isOff;
    const QColor text =
        isChosen ? palette.highlightedText().color()
                 : palette.color(isOff ? QPalette::Disabled : QPalette::Active, QPalette::Text);
    const QColor quiet = isChosen ? text : colors::kMuted;
    QRect room = option.rect.adjusted(kGap, 0, -kGap, 0);
    index.data(Qt::DecorationRole)
        .value<QIcon>()
        .paint(painter, QRect(room.left(), room.center().y() - kIcon / 2 + 1, kIcon, kIcon),
               Qt::AlignCenter, isOff ? QIcon::Disabled : QIcon::Normal);
    room.setLeft(room.left() + kIcon + kGap);
    const auto drawAtRight = [&](const QString& words, const QColor& color, int most) {
      if (words.isEmpty()) return;
      const QString shown = option.fontMetrics.elidedText(words, Qt::ElideRight, most);
      painter->setPen(color);
      painter->drawText(room, Qt::AlignRight | Qt::AlignVCenter, shown);
      room.setRight(room.right() - option.fontMetrics.horizontalAdvance(shown) - kGap);
    };
    if (isOff) {
      drawAtRight(reason, colors::kWarning, room.width() * 3 / 5);
    } else {
      const QString key = index.data(CommandPalette::KeyRole).toString();
      if (!key.isEmpty()) {
        const int wide = option.fontMetrics.horizontalAdvance(key) + 12;
        const QRectF chip(room.right() - wide, room.center().y() - 9 + 0.5, wide, 19);
        painter->setBrush(Qt::NoBrush);
        painter->setPen(isChosen ? text : palette.color(QPalette::Disabled, QPalette::Text));
        painter->drawRoundedRect(chip, 4, 4);
        painter->setPen(quiet);
        painter->drawText(chip, Qt::AlignCenter, key);
        room.setRight(room.right() - wide - kGap);
      }
      drawAtRight(index.data(CommandPalette::MenuRole).toString(), quiet, room.width() / 2);
    }
    drawText(*painter, room, option.font, index, text);
    painter->restore();
  }

 private:
  static void drawText(QPainter& painter, const QRect& room, const QFont& font,
                       const QModelIndex& index, const QColor& color) {
    QFont bold = font;
    bold.setWeight(QFont::DemiBold);
    const QString words =
        QFontMetrics(bold).elidedText(index.data().toString(), Qt::ElideRight, room.width());
    QList<QTextLayout::FormatRange> found;
    const auto hits = index.data(CommandPalette::HitsRole).value<QList<int>>();
    for (qsizetype i = 0; i + 1 < hits.size(); i += 2) {
      QTextCharFormat format;
      format.setFontWeight(QFont::Bold);
      found.append({hits[i], hits[i + 1], format});
    }
    QTextLayout layout(words, font);
    layout.setFormats(found);
    layout.beginLayout();
    layout.createLine().setLineWidth(1e6);
    layout.endLayout();
    painter.setPen(color);
    layout.draw(&painter,
                QPointF(room.left(), room.center().y() - layout.boundingRect().height() / 2 + 1));
  }
};

QString headingOf(const QAction& action) {
  const auto* made = qobject_cast<const QWidgetAction*>(&action);
  const auto* label = made ? qobject_cast<const QLabel*>(made->defaultWidget()) : nullptr;
  return label ? label->text() : QString();
}

}  // namespace

CommandPalette::CommandPalette(ActionTable& actions, QMenuBar& menus)
    : QDialog(menus.window(), Qt::Popup | Qt::FramelessWindowHint),
      actions_(actions),
      menus_(menus),
      model_(new QStandardItemModel(this)),
      field_(searchField(tr("Find any command"))),
      list_(named(new QListView, tr("Commands"))),
      nothing_(styledLabel("muted")) {
  setObjectName(QStringLiteral("palette"));
  setAttribute(Qt::WA_DeleteOnClose);
  setWindowTitle(tr("Commands"));
  actions.refresh();
  gather(menus.actions(), {}, {});
  for (QAction* action : actions.actions()) {
    const bool known = std::ranges::count(commands_, action, &Command::action) > 0;
    if (!known && action->isVisible()) commands_.append({action, {}, {}, plainText(*action)});
  }
  list_->setObjectName(QStringLiteral("palette"));
  list_->setModel(model_);
  list_->setItemDelegate(new CommandDelegate(this));
  list_->setUniformItemSizes(true);
  list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  list_->setEditTriggers(QAbstractItemView::NoEditTriggers);
  list_->setFocusPolicy(Qt::NoFocus);
  list_->setMouseTracking(true);
  field_->installEventFilter(this);
  auto* keys = styledLabel("muted");
  keys->setText(tr("Enter runs%1Tab shows where it is%1Esc closes").arg(QString(5, QChar(0xa0))));
  nothing_->setContentsMargins(10, 6, 10, 6);
  keys->setContentsMargins(10, 2, 10, 2);
  layOutColumn(*this, {9, 9, 9, 8}, 7, {field_, list_, nothing_, keys});
  setFixedWidth(std::min(kWidth, menus.window()->width() - 40));
  connect(field_, &QLineEdit::textChanged, this, &CommandPalette::find);
  connect(list_, &QAbstractItemView::entered, list_, &QAbstractItemView::setCurrentIndex);
  connect(list_, &QAbstractItemView::clicked, this, &CommandPalette::run);
  connect(list_->selectionModel(), &QItemSelectionModel::currentChanged, this,
          &CommandPalette::tellCurrent);
}

void CommandPalette::offer(const QString& id, const QString& menu, const QString& text,
                           const std::function<void()>& run) {
  auto* action = new QAction(text, this);
  action->setObjectName(id);
  connect(action, &QAction::triggered, this, run);
  commands_.append({action, {}, menu, text});
}

void CommandPalette::start() {
  find();
  const QWidget& window = *menus_.window();
  move(window.mapToGlobal(QPoint((window.width() - width()) / 2, window.height() / 8)));
  show();
  field_->setFocus();
}

// Choices of a submenu are called "Shadows: Soft".
void CommandPalette::gather(const QList<QAction*>& entries, const QList<QAction*>& path,
                            const QString& heading) {
  QString under = heading;
  for (QAction* action : entries) {
    if (const QString label = headingOf(*action); !label.isEmpty()) {
      under = label + QStringLiteral(": ");
    } else if (const QMenu* menu = action->menu()) {
      const QString title =
          path.isEmpty() ? QString() : heading + plainText(*action) + QStringLiteral(": ");
      gather(menu->actions(), path + QList{action}, title);
    } else if (action->isVisible() && actions_.actions().contains(action)) {
      const QString top = plainText(*path.front());
      commands_.append({action, path + QList{action}, top, under + plainText(*action)});
    }
  }
}

void CommandPalette::find() {
  model_->clear();
  const QStringList words = field_->text().split(u' ', Qt::SkipEmptyParts);
  if (words.isEmpty()) {
    for (const QString& id : QSettings().value(kLastKey).toStringList()) {
      if (const Command* command = commandOf(id)) append(*command, {});
    }
    nothing_->setText(tr("Type a word of a command: bake, camera, export"));
  } else {
    struct Found {
      int rank;
      const Command* command;
      QList<int> hits;
    };
    std::vector<Found> found;
    const auto look = [&](bool byTip) {
      for (const Command& command : commands_) {
        const QString more = byTip ? command.action->property("ownTip").toString() : QString();
        QList<int> hits;
        std::optional<int> rank = rankOf(command.text, words, &hits);
        if (!rank) {
          hits.clear();
          for (const QString& word : words) rankOf(command.text, {word}, &hits);
          constexpr int kElsewhere = 100;
          rank = rankOf(command.text + u' ' + command.menu + u' ' + more, words, nullptr);
          if (rank) *rank += kElsewhere;
        }
        if (rank) found.push_back({*rank, &command, hits});
      }
    };
    look(false);
    if (found.empty()) look(true);
    std::ranges::stable_sort(found, {}, &Found::rank);
    for (const Found& one : found) append(*one.command, one.hits);
    nothing_->setText(tr("No command has these words"));
  }
  const int rows = model_->rowCount();
  list_->setVisible(rows > 0);
  nothing_->setVisible(rows == 0);
  list_->setFixedHeight(std::min(rows, kMostRows) * kRowPixels);
  list_->setCurrentIndex(model_->index(0, 0));
  tellCurrent();
  adjustSize();
}

void CommandPalette::append(const Command& command, const QList<int>& hits) {
  const auto& [action, path, menu, text] = command;
  const QString key = action->shortcut().toString(QKeySequence::NativeText);
  const QString reason = whyDisabled(*action);
  auto* item = new QStandardItem(action->icon(), text);
  item->setData(menu, MenuRole);
  item->setData(key, KeyRole);
  item->setData(reason, ReasonRole);
  item->setData(QVariant::fromValue(hits), HitsRole);
  item->setData(action->objectName(), IdRole);
  QStringList said{text};
  if (action->isChecked()) said << tr("on");
  if (!menu.isEmpty()) said << tr("menu %1").arg(menu);
  if (!key.isEmpty()) said << key;
  if (!reason.isEmpty()) said << tr("not available: %1").arg(reason);
  item->setData(said.join(QStringLiteral(", ")), Qt::AccessibleTextRole);
  item->setToolTip(action->property("ownTip").toString());
  model_->appendRow(item);
}

const CommandPalette::Command* CommandPalette::commandOf(const QString& id) const {
  const auto has = [&id](const Command& command) { return command.action->objectName() == id; };
  const auto one = std::ranges::find_if(commands_, has);
  return one == commands_.end() ? nullptr : &*one;
}

const CommandPalette::Command* CommandPalette::current() const {
  return commandOf(list_->currentIndex().data(IdRole).toString());
}

// The focus stays in the field, so screen readers hear of the current row by its description.
void CommandPalette::tellCurrent() {
  const QModelIndex index = list_->currentIndex();
  field_->setAccessibleDescription(index.isValid() ? index.data(Qt::AccessibleTextRole).toString()
                                                   : nothing_->text());
  QAccessibleEvent changed(field_, QAccessible::DescriptionChanged);
  QAccessible::updateAccessibility(&changed);
}

void CommandPalette::run() {
  const Command* command = current();
  if (!command || !command->action->isEnabled()) return;
  const QPointer<QAction> action = command->action;
  QStringList last = QSettings().value(kLastKey).toStringList();
  last.removeAll(action->objectName());
  last.prepend(action->objectName());
  QSettings().setValue(kLastKey, last.mid(0, kLast));
  close();
  if (action) action->trigger();
}

void CommandPalette::showInMenu() {
  const Command* command = current();
  if (!command || command->path.isEmpty()) return;
  const QList<QAction*> path = command->path;
  close();
  menus_.setActiveAction(path.front());
  for (qsizetype i = 1; i < path.size(); ++i) path[i - 1]->menu()->setActiveAction(path[i]);
}

bool CommandPalette::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() != QEvent::KeyPress) return QDialog::eventFilter(watched, event);
  switch (static_cast<QKeyEvent*>(event)->key()) {
    case Qt::Key_Up:
    case Qt::Key_Down:
    case Qt::Key_PageUp:
    case Qt::Key_PageDown:
      QCoreApplication::sendEvent(list_, event);
      return true;
    case Qt::Key_Return:
    case Qt::Key_Enter:
      run();
      return true;
    case Qt::Key_Tab:
      showInMenu();
      return true;
    default:
      return QDialog::eventFilter(watched, event);
  }
}

}  // namespace ck::ui
