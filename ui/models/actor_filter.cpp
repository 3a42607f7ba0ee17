#include "ui/models/actor_filter.h"

#include <QRegularExpression>

#include "ui/models/actor_model.h"

namespace ck::ui {

ActorFilter::ActorFilter(ActorModel& model, QObject* parent)
    : QSortFilterProxyModel(parent), model_(model) {
  setSourceModel(&model);
  setSortRole(ActorModel::kSortRole);
  // Typing into a sorted column must not move the row away under the pointer.
  setDynamicSortFilter(false);
}

std::optional<ActorFilter::Term> ActorFilter::readTerm(const QString& word, QString& wrong) {
  static const QRegularExpression comparison(QStringLiteral("^([A-Za-z]+)(<=|>=|<|>|=)(.+)$"));
  const auto match = comparison.match(word);
  if (match.hasMatch()) {
    for (int i = 0; i < kActorFieldCount; ++i) {
      const auto field = ActorField(i);
      if (fieldTitle(field).compare(match.captured(1), Qt::CaseInsensitive) != 0) continue;
      Term term{field, match.captured(2), 0.0, match.captured(3)};
      bool understood = true;
      if (field == ActorField::Walks || field == ActorField::On) {
        term.number = term.text == QLatin1String("yes") || term.text == QLatin1String("1");
      } else if (numberField(field)) {
        term.number = term.text.toDouble(&understood);
      }
      if (!understood) wrong = tr("'%1' is not a number").arg(term.text);
      return understood ? std::optional(term) : std::nullopt;
    }
    wrong = tr("There is no column '%1'").arg(match.captured(1));
    return std::nullopt;
  }
  if (word.startsWith(QLatin1String("clip:"), Qt::CaseInsensitive)) {
    return Term{std::nullopt, {}, 0.0, word.mid(5)};
  }
  return Term{std::nullopt, {}, 0.0, word};
}

QString ActorFilter::setFilter(const QString& text) {
  std::vector<Term> terms;
  for (const QString& word : text.split(QLatin1Char(' '), Qt::SkipEmptyParts)) {
    QString wrong;
    const auto term = readTerm(word, wrong);
    if (!term) return wrong;
    terms.push_back(*term);
  }
  terms_ = std::move(terms);
  invalidateFilter();
  return {};
}

bool ActorFilter::filterAcceptsRow(int row, const QModelIndex&) const {
  for (const Term& term : terms_) {
    const Actor& actor = model_.actor(row);
    if (!term.field || *term.field == ActorField::Clip || *term.field == ActorField::Tint) {
      const QString shown = term.field == ActorField::Tint
                                ? model_.index(row, int(ActorField::Tint)).data().toString()
                                : model_.clipName(actor.clip);
      if (!shown.contains(term.text, Qt::CaseInsensitive)) return false;
      continue;
    }
    double value = 0.0;
    if (const NumberField* number = numberField(*term.field)) {
      value = number->get(actor);
    } else {
      value = (*term.field == ActorField::Walks ? actor.travels : actor.on) ? 1.0 : 0.0;
    }
    // Equality as the table shows it, to two decimals.
    const bool equal = std::abs(value - term.number) < 0.005;
    const bool fits = term.comparison == QLatin1String("=")    ? equal
                      : term.comparison == QLatin1String("<")  ? value < term.number
                      : term.comparison == QLatin1String(">")  ? value > term.number
                      : term.comparison == QLatin1String("<=") ? value <= term.number
                                                               : value >= term.number;
    if (!fits) return false;
  }
  return true;
}

}  // namespace ck::ui
