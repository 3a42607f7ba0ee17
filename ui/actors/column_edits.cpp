#include "ui/actors/column_edits.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QColor>
#include <QCursor>
#include <QMenu>
#include <QToolTip>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/base/json_fields.h"
#include "core/crowd/crowd_spawn.h"
#include "core/project/actors/actor_edits.h"
#include "core/project/characters.h"
#include "ui/actors/actor_model.h"
#include "ui/document/document.h"
#include "ui/document/text.h"
#include "ui/parts/panel_parts.h"
#include "ui/theme/theme.h"

namespace ck::ui {
namespace {

constexpr double kSteps = 8.0;

QString say(const char* text) {
  return QCoreApplication::translate("ColumnEdits", text);
}

// The seed after this one.
std::uint64_t nextSeed(std::uint64_t seed) {
  return (seed * 31 + 17) % 99991;
}

// Numbers that begin again after a turn.
std::optional<double> turnOf(const ActorColumn& column) {
  if (column.unit == "cycles") return 1.0;
  if (column.unit == "degrees") return 360.0;
  return std::nullopt;
}

QString flagText(bool on) {
  return on ? QStringLiteral("yes") : QStringLiteral("no");
}

}  // namespace

ColumnEdits::ColumnEdits(Document& document, ActorModel& model, const ActorColumn& column,
                         std::vector<int> actors)
    : document_(document), model_(model), column_(&column), actors_(std::move(actors)) {}

std::vector<double> ColumnEdits::values() const {
  std::vector<double> all;
  all.reserve(actors_.size());
  for (const int actor : actors_) all.push_back(column_->get(model_.actor(actor)));
  return all;
}

QString ColumnEdits::text() const {
  QStringList lines;
  for (const int index : actors_) {
    const Actor& actor = model_.actor(index);
    const double value = column_->get(actor);
    if (isNumber(*column_)) {
      lines << QString::number(shortestDouble(float(value)), 'g', 9);
    } else if (column_->kind == ActorKind::Flag) {
      lines << flagText(value != 0.0);
    } else {
      lines << model_.display(actor, *column_);
    }
  }
  return lines.join(QLatin1Char('\n'));
}

std::optional<double> ColumnEdits::valueOf(const QString& line, int character) const {
  if (isNumber(*column_)) {
    bool understood = false;
    const double number = line.toDouble(&understood);
    return understood && std::isfinite(number) ? std::optional(number) : std::nullopt;
  }
  if (column_->kind == ActorKind::Flag) {
    for (const bool on : {false, true}) {
      if (line == flagText(on) || line == QString::number(on ? 1 : 0)) return on ? 1.0 : 0.0;
    }
    return std::nullopt;
  }
  if (column_->kind == ActorKind::Colour) {
    const QColor colour(line);
    return colour.isValid() ? std::optional(double(colour.rgb() & 0xffffff)) : std::nullopt;
  }
  const auto place = model_.choices(*column_, character).indexOf(line);
  return place < 0 ? std::nullopt : std::optional(column_->range.low + double(place));
}

QString ColumnEdits::paste(const QString& text) {
  QString plain = text;
  plain.remove(QLatin1Char('\r'));
  if (plain.endsWith(QLatin1Char('\n'))) plain.chop(1);
  const QStringList lines = plain.split(QLatin1Char('\n'));
  if (plain.isEmpty()) return say("The clipboard holds no text: copy values first");
  if (lines.size() != 1 && std::size_t(lines.size()) != actors_.size()) {
    return say("The clipboard holds %1 lines for %2")
        .arg(lines.size())
        .arg(counted(qlonglong(actors_.size()), say("actor"), say("actors")));
  }
  std::vector<double> all;
  for (std::size_t i = 0; i < actors_.size(); ++i) {
    const QString line = lines[lines.size() == 1 ? 0 : qsizetype(i)].trimmed();
    const auto value = valueOf(line, model_.actor(actors_[i]).character);
    if (!value) {
      return say("'%1' is no value for %2 of actor %3")
          .arg(line.left(40), columnTitle(*column_))
          .arg(actors_[i] + 1);
    }
    all.push_back(*value);
  }
  model_.setValues(actors_, *column_, all);
  return {};
}

std::optional<std::pair<double, double>> ColumnEdits::randomRange() const {
  if (column_->unit == "cycles") return std::pair(0.0, 1.0);
  const std::vector<double> all = values();
  if (all.empty()) return std::nullopt;
  const auto [low, high] = std::ranges::minmax(all);
  return low < high ? std::optional(std::pair(low, high)) : std::nullopt;
}

QString ColumnEdits::whyNotRandom() const {
  if (isNumber(*column_) && !randomRange()) {
    return say("They all have the same value: type R(low,high) into the field");
  }
  if (column_->kind == ActorKind::Colour && !randomRange()) {
    return say("They all have the same colour");
  }
  if (isReference(*column_)) {
    const bool any = std::ranges::any_of(actors_, [this](int actor) {
      const auto choices = model_.choices(*column_, model_.actor(actor).character);
      return choices.size() + qsizetype(column_->range.low) > 0;
    });
    if (!any) return say("There is nothing to choose from");
  }
  return {};
}

void ColumnEdits::randomise() {
  if (!whyNotRandom().isEmpty()) return;
  const std::uint64_t seed = nextSeed(document_.project().randomSeed);
  // Numbers have streams of their own; the others share one, which no column has.
  const auto unit = [&](std::size_t i) {
    return randomUnit(seed, std::uint64_t(actors_[i]), std::uint64_t(column_->stream));
  };
  std::vector<double> all = values();
  if (isNumber(*column_)) {
    const auto [low, high] = *randomRange();
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = low + (high - low) * unit(i);
  } else if (column_->kind == ActorKind::Flag) {
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = unit(i) < 0.5 ? 0.0 : 1.0;
  } else if (column_->kind == ActorKind::Colour) {
    std::vector<std::size_t> order(all.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, unit);
    const std::vector<double> before = all;
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = before[order[i]];
  } else {
    for (std::size_t i = 0; i < all.size(); ++i) {
      const int character = model_.actor(actors_[i]).character;
      std::vector<double> choices;
      const auto count = model_.choices(*column_, character).size();
      // The choices are the baked clips, if any; "none" is no choice of a name.
      const bool named = isReference(*column_);
      for (qsizetype k = 0; k < count; ++k) {
        const double value = column_->range.low + double(k);
        if (!named || value >= 0.0) choices.push_back(value);
      }
      if (column_->kind == ActorKind::Clip) {
        const auto& clips = clipsOf(document_.project(), character);
        const auto isTicked = [&](double clip) { return clips[std::size_t(clip)].ticked; };
        if (std::ranges::any_of(choices, isTicked)) std::erase_if(choices, std::not_fn(isTicked));
      }
      if (choices.empty()) continue;
      all[i] = choices[std::size_t(unit(i) * double(choices.size()))];
    }
  }
  const QString text = say("Random %1").arg(columnTitle(*column_));
  document_.edit(text, [&](Project& project) {
    project.randomSeed = seed;
    for (std::size_t i = 0; i < all.size(); ++i) {
      const auto at = std::size_t(actors_[i]);
      Actor actor = project.actors[at];
      setValue(project, actor, *column_, all[i]);
      project.actors.set(at, actor);
    }
  });
}

QString ColumnEdits::whyNotSteps() const {
  if (!isNumber(*column_)) return say("Only numbers have steps");
  if (turnOf(*column_) || randomRange()) return {};
  return say("They all have the same value");
}

void ColumnEdits::quantise() {
  if (!whyNotSteps().isEmpty()) return;
  std::vector<double> all = values();
  double low = 0.0;
  double step = turnOf(*column_).value_or(0.0) / kSteps;
  if (step == 0.0) {
    const auto [from, to] = *randomRange();
    low = from;
    step = (to - from) / (kSteps - 1.0);  // eight values with both ends
  }
  for (double& value : all) value = low + std::round((value - low) / step) * step;
  model_.setValues(actors_, *column_, all);
}

double ColumnEdits::defaultValue() const {
  return column_->get(Actor{});
}

void ColumnEdits::setDefault() {
  model_.setValues(actors_, *column_, std::vector<double>(actors_.size(), defaultValue()));
}

void addColumnActions(QMenu& menu, const ColumnEdits& edits, const QString& title, QWidget* where) {
  menu.setToolTipsVisible(true);
  const QString none =
      edits.actors().empty() ? say("Select actors first (Ctrl+A selects all)") : QString();
  const auto add = [&](const QString& text, const QString& whyNot, auto run,
                       const QString& tip = {}, const char* iconName = nullptr) {
    QAction* action = menu.addAction(text, where, run);
    if (iconName) action->setIcon(icon(QLatin1String(iconName)));
    const QString reason = none.isEmpty() ? whyNot : none;
    action->setEnabled(reason.isEmpty());
    action->setToolTip(reason.isEmpty() ? tip : reason);
  };
  add(
      say("Copy values of %1").arg(title), {},
      [edits] { QApplication::clipboard()->setText(edits.text()); },
      say("A line for every actor, in the order of the table"), "copy");
  add(
      say("Paste values into %1").arg(title), {},
      [edits = edits, where]() mutable {
        const QString wrong = edits.paste(QApplication::clipboard()->text());
        if (!wrong.isEmpty()) QToolTip::showText(QCursor::pos(), wrong, where);
      },
      say("A line for every actor, or one for all"));
  add(
      say("Randomise %1").arg(title), edits.whyNotRandom(),
      [edits = edits]() mutable { edits.randomise(); },
      say("Other values each time, by the next seed of R(a,b)"), "dices");
  add(
      say("Quantise %1 to 8 steps").arg(title), edits.whyNotSteps(),
      [edits = edits]() mutable { edits.quantise(); },
      say("Offsets to eighths of a cycle, angles to 45 degrees, others to eight values"));
  add(
      say("Default of %1").arg(title), {}, [edits = edits]() mutable { edits.setDefault(); },
      say("As a new actor has it"), "rotate-ccw");
}

}  // namespace ck::ui
