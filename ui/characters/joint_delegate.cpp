#include "ui/characters/joint_delegate.h"

#include <QAbstractItemView>
#include <QComboBox>
#include <QCompleter>
#include <QLineEdit>
#include <QTimer>
#include <algorithm>

#include "ui/characters/match_model.h"
#include "ui/parts/panel_parts.h"

namespace ck::ui {
namespace {

constexpr int kMostEntries = 14;

// The entry that was typed or chosen, or else the first that the completer offers; -1 for none.
int entryOf(const QComboBox& box) {
  const QString typed = box.lineEdit()->text().trimmed();
  const int exact = box.findText(typed, Qt::MatchFixedString);
  if (exact >= 0 || typed.isEmpty()) return exact;
  QCompleter& completer = *box.completer();
  completer.setCompletionPrefix(typed);
  // A word that several joints have names none of them.
  return completer.completionCount() == 1 ? box.findText(completer.currentCompletion()) : -1;
}

}  // namespace

JointDelegate::JointDelegate(const MatchModel& model, QObject* parent)
    : QStyledItemDelegate(parent), model_(model) {}

QWidget* JointDelegate::createEditor(QWidget* parent, const QStyleOptionViewItem&,
                                     const QModelIndex&) const {
  auto* box = named(new QComboBox(parent), tr("Joint of the rig"));
  box->setEditable(true);
  box->setInsertPolicy(QComboBox::NoInsert);
  box->setMaxVisibleItems(kMostEntries);
  box->addItem(tr("by the rules"), MatchModel::byRules());
  box->addItem(tr("none"), QString());
  for (const QString& joint : model_.rigJoints()) box->addItem(joint, joint);
  auto* completer = new QCompleter(box->model(), box);
  completer->setFilterMode(Qt::MatchContains);
  completer->setCaseSensitivity(Qt::CaseInsensitive);
  completer->setMaxVisibleItems(kMostEntries);
  box->setCompleter(completer);
  auto* self = const_cast<JointDelegate*>(this);  // the signals of a delegate are not const
  const auto finish = [self, box] {
    if (!box->isVisible()) return;  // the key has ended the edit
    emit self->commitData(box);
    emit self->closeEditor(box);
  };
  // Later, because a key that chose the entry still goes from the box to the table, which then ends
  // the edit by itself.
  connect(box, &QComboBox::activated, box, [box, finish] { QTimer::singleShot(0, box, finish); });
  return box;
}

void JointDelegate::setEditorData(QWidget* editor, const QModelIndex& index) const {
  auto* box = qobject_cast<QComboBox*>(editor);
  const QVariant chosen = index.data(Qt::EditRole);
  // Without a choice, it begins with the joint that a rule found.
  const int entry = box->findData(chosen.isValid() ? chosen : index.data());
  box->setCurrentIndex(std::max(entry, 0));
  box->lineEdit()->selectAll();
}

void JointDelegate::setModelData(QWidget* editor, QAbstractItemModel* model,
                                 const QModelIndex& index) const {
  auto* box = qobject_cast<QComboBox*>(editor);
  const int entry = entryOf(*box);
  if (entry < 0) return;
  const QVariant wanted = box->itemData(entry);
  const QVariant chosen = index.data(Qt::EditRole);
  const bool asFound = !chosen.isValid() && wanted.isValid() && wanted == index.data();
  if (wanted != chosen && !asFound) model->setData(index, wanted, Qt::EditRole);
}

}  // namespace ck::ui
