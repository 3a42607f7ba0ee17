#include "ui/actors/actor_filter.h"

#include <QRegularExpression>
#include <algorithm>
#include <cmath>

#include "ui/actors/actor_model.h"

namespace ck::ui {

ActorFilter::ActorFilter(ActorModel& model, QObject* parent)
    : QAbstractProxyModel(parent), model_(model) {
  setSourceModel(&model);
  connect(&model, &QAbstractItemModel::dataChanged, this, &ActorFilter::forwardChange);
  connect(&model, &QAbstractItemModel::modelAboutToBeReset, this, [this] { beginResetModel(); });
  connect(&model, &QAbstractItemModel::modelReset, this, [this] {
    // If clips were renamed, the words of the filter match other clips.
    QString wrong;
    wanted_ = readWords(text_, wrong);
    arrange();
  });
  beginResetModel();
  arrange();
}

QString ActorFilter::setFilter(const QString& text) {
  QString wrong;
  std::vector<Fits> wanted = readWords(text, wrong);
  if (!wrong.isEmpty()) return wrong;
  beginResetModel();
  text_ = text;
  wanted_ = std::move(wanted);
  arrange();
  return {};
}

std::vector<ActorFilter::Fits> ActorFilter::readWords(const QString& text, QString& wrong) const {
  std::vector<Fits> wanted;
  for (const QString& word : text.split(QLatin1Char(' '), Qt::SkipEmptyParts)) {
    if (!wrong.isEmpty()) break;
    if (Fits fits = readWord(word, wrong)) wanted.push_back(std::move(fits));
  }
  return wanted;
}

void ActorFilter::sort(int column, Qt::SortOrder order) {
  if (column == sortColumn_ && order == sortOrder_) return;
  beginResetModel();
  sortColumn_ = column;
  sortOrder_ = order;
  arrange();
}

ActorFilter::Fits ActorFilter::readWord(const QString& word, QString& wrong) const {
  static const QRegularExpression comparison(QStringLiteral("^([A-Za-z]+)(<=|>=|<|>|=|:)(.+)$"));
  const auto match = comparison.match(word);
  if (!match.hasMatch()) return withText(model_.columnOf(QStringLiteral("Clip")), word);
  const int section = model_.sectionOf(match.captured(1));
  if (section >= 0) {
    return readComparison(model_.column(section), match.captured(2), match.captured(3), wrong);
  }
  wrong = tr("There is no column '%1'").arg(match.captured(1));
  return {};
}

ActorFilter::Fits ActorFilter::readComparison(const ActorColumn& column, const QString& comparison,
                                              const QString& text, QString& wrong) const {
  const auto get = column.get;
  if (column.kind == ActorKind::Flag) {
    const bool wanted = text == QLatin1String("yes") || text == QLatin1String("1");
    return [get, wanted](const Actor& actor) { return (get(actor) != 0.0) == wanted; };
  }
  if (!isNumber(column)) return withText(column, text);
  bool understood = false;
  const double limit = text.toDouble(&understood);
  if (!understood) {
    wrong = tr("'%1' is not a number").arg(text);
    return {};
  }
  if (comparison == QLatin1String("<"))
    return [get, limit](const Actor& actor) { return get(actor) < limit; };
  if (comparison == QLatin1String(">"))
    return [get, limit](const Actor& actor) { return get(actor) > limit; };
  if (comparison == QLatin1String("<="))
    return [get, limit](const Actor& actor) { return get(actor) <= limit; };
  if (comparison == QLatin1String(">="))
    return [get, limit](const Actor& actor) { return get(actor) >= limit; };
  // Compares as the table displays, with two decimals.
  return [get, limit](const Actor& actor) { return std::abs(get(actor) - limit) < 0.005; };
}

// Columns that are shown as words fit where they hold the text. There are few different words, so
// each is looked at once.
ActorFilter::Fits ActorFilter::withText(const ActorColumn& column, const QString& text) const {
  if (column.kind == ActorKind::Colour) {
    return [this, &column, text](const Actor& actor) {
      return model_.display(actor, column).contains(text, Qt::CaseInsensitive);
    };
  }
  std::vector<std::vector<char>> fits;  // by character, then by choice - firstChoice()
  for (int character = 0; character < model_.characterCount(); ++character) {
    std::vector<char>& ofCharacter = fits.emplace_back();
    for (const QString& choice : model_.choices(column, character)) {
      ofCharacter.push_back(choice.contains(text, Qt::CaseInsensitive) ? 1 : 0);
    }
  }
  return [&column, fits](const Actor& actor) {
    const auto character = std::size_t(actor.character);
    const auto choice = std::size_t(int(column.get(actor) - column.range.low));
    return character < fits.size() && choice < fits[character].size() &&
           fits[character][choice] != 0;
  };
}

void ActorFilter::arrange() {
  const int count = model_.rowCount();
  actors_.clear();
  actors_.reserve(std::size_t(count));
  for (int actor = 0; actor < count; ++actor) {
    const Actor& one = model_.actor(actor);
    const bool fits = std::all_of(wanted_.begin(), wanted_.end(),
                                  [&one](const Fits& wanted) { return wanted(one); });
    if (fits) actors_.push_back(actor);
  }
  if (sortColumn_ >= 0 && sortColumn_ < columnCount()) {
    const std::vector<double> keys = model_.sortKeys(model_.column(sortColumn_));
    const auto key = [&keys](int actor) { return keys[std::size_t(actor)]; };
    std::stable_sort(actors_.begin(), actors_.end(), [&](int a, int b) {
      return sortOrder_ == Qt::AscendingOrder ? key(a) < key(b) : key(a) > key(b);
    });
  }
  rows_.assign(std::size_t(count), -1);
  for (std::size_t row = 0; row < actors_.size(); ++row) {
    rows_[std::size_t(actors_[row])] = int(row);
  }
  endResetModel();
}

void ActorFilter::forwardChange(const QModelIndex& topLeft, const QModelIndex& bottomRight) {
  if (actors_.empty()) return;
  int first = 0;
  int last = int(actors_.size()) - 1;
  if (topLeft.row() == bottomRight.row()) {
    first = last = rowOf(topLeft.row());
    if (first < 0) return;
  }
  emit dataChanged(index(first, topLeft.column()), index(last, bottomRight.column()));
}

int ActorFilter::rowOf(int actor) const {
  return std::size_t(actor) < rows_.size() ? rows_[std::size_t(actor)] : -1;
}

std::vector<int> ActorFilter::inOrder(std::vector<int> actors) const {
  std::ranges::stable_sort(actors, {}, [this](int actor) {
    const int row = rowOf(actor);
    return row < 0 ? int(rows_.size()) : row;
  });
  return actors;
}

QModelIndex ActorFilter::mapFromSource(const QModelIndex& source) const {
  const int row = source.isValid() ? rowOf(source.row()) : -1;
  return row < 0 ? QModelIndex() : createIndex(row, source.column());
}

QModelIndex ActorFilter::mapToSource(const QModelIndex& shown) const {
  if (!shown.isValid() || std::size_t(shown.row()) >= actors_.size()) return {};
  return model_.index(actors_[std::size_t(shown.row())], shown.column());
}

QModelIndex ActorFilter::index(int row, int column, const QModelIndex& parent) const {
  const bool there = !parent.isValid() && row >= 0 && std::size_t(row) < actors_.size() &&
                     column >= 0 && column < columnCount();
  return there ? createIndex(row, column) : QModelIndex();
}

QModelIndex ActorFilter::parent(const QModelIndex&) const {
  return {};
}

int ActorFilter::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : int(actors_.size());
}

int ActorFilter::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : model_.columnCount();
}

QVariant ActorFilter::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation == Qt::Vertical && std::size_t(section) < actors_.size()) {
    section = actors_[std::size_t(section)];
  }
  return model_.headerData(section, orientation, role);
}

}  // namespace ck::ui
