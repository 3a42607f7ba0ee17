#include "ui/actors/spawn_bar.h"

#include <QAction>
#include <QBoxLayout>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFileInfo>
#include <QGridLayout>
#include <QIcon>
#include <QLabel>
#include <QMenu>
#include <QPainter>
#include <QPixmap>
#include <QPushButton>
#include <QSpinBox>
#include <QToolButton>
#include <algorithm>

#include "core/crowd/formations.h"
#include "core/project/characters.h"
#include "core/project/crowds.h"
#include "ui/document/document.h"
#include "ui/document/prop_session.h"
#include "ui/document/session.h"
#include "ui/document/text.h"
#include "ui/parts/bind.h"
#include "ui/parts/fold.h"
#include "ui/parts/number_field.h"
#include "ui/parts/panel_parts.h"
#include "ui/theme/theme.h"

namespace ck::ui {

namespace {

// Width of fields and the gap between them, in pixels.
constexpr int kNumberWidth = 96;  // "1,000,000"
constexpr int kSeedWidth = 86;
constexpr int kSmallWidth = 74;
constexpr int kWordWidth = 120;  // a number with a word
constexpr int kHeadingWidth = 62;
constexpr int kGap = 6;
constexpr int kLargestSeed = 999999;
constexpr double kFarthestCenter = 10'000.0;

int chosenSize(const Project& project) {
  return crowdSizes(project)[std::size_t(chosenCrowd(project))];
}

// Dealt actors of the chosen crowd beside the ground mesh.
int countBeside(const Project& project, const GroundMesh& ground) {
  int beside = 0;
  for (std::size_t i = 0; i < project.actors.size(); ++i) {
    const Actor& actor = project.actors[i];
    if (actor.crowd != chosenCrowd(project) || actor.byHand) continue;
    if (!ground.heightAt({actor.position.x, actor.position.z})) ++beside;
  }
  return beside;
}

}  // namespace

QString formationTitle(Formation formation) {
  const QString titles[] = {SpawnBar::tr("Grid"),    SpawnBar::tr("Disc"),
                            SpawnBar::tr("Scatter"), SpawnBar::tr("Circle"),
                            SpawnBar::tr("Path"),    SpawnBar::tr("Poisson scatter"),
                            SpawnBar::tr("Arc rows")};
  return titles[int(formation)];
}

QIcon formationIcon(Formation formation) {
  constexpr int kPixels = 48;
  SpawnSettings settings{.formation = formation, .seed = 4, .spacingMeters = 1.0};
  settings.path = {{-2.0f, 1.6f}, {-0.9f, -1.0f}, {0.6f, 0.9f}, {2.0f, -1.6f}};
  settings.arcs = {.innerMeters = 2.5, .stepMeters = 1.0, .aisles = 0};
  const int count = formation == Formation::Circle || formation == Formation::Path ? 8 : 16;
  const std::vector<FormationPlace> places = formationPlaces(settings, count);
  double most = 0.1;
  for (const FormationPlace& place : places) {
    most = std::max({most, std::abs(place.meters.x), std::abs(place.meters.y)});
  }
  QPixmap picture(kPixels, kPixels);
  picture.fill(Qt::transparent);
  QPainter painter(&picture);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(Qt::NoPen);
  painter.setBrush(colors::kText);
  const double scale = (kPixels * 0.5 - 6.0) / most;
  for (const FormationPlace& place : places) {
    painter.drawEllipse(
        QPointF(kPixels * 0.5 + place.meters.x * scale, kPixels * 0.5 + place.meters.y * scale),
        3.6, 3.6);
  }
  return QIcon(picture);
}

SpawnBar::SpawnBar(Document& document, const Session& session, Selection& selection,
                   QWidget* parent)
    : QWidget(parent),
      dealer_(document, session, selection),
      count_(named(wholeBox(0, 1000000), tr("Number of actors"),
                   tr("How many actors, those placed by hand included. Those that are there keep "
                      "their clips and offsets"))),
      formation_(named(new QComboBox, tr("Formation"))),
      spacing_(named(numberBox(0.05, 1000.0, 0.1, tr(" m")), tr("Spacing"),
                     tr("Distance of neighbours"))),
      seed_(named(wholeBox(0, kLargestSeed), tr("Seed"),
                  tr("The same seed gives the same crowd on every machine"))),
      ground_(iconButton("mountain", tr("Ground"), tr("Ground"))),
      grounds_(new QMenu(this)),
      fieldRow_(rowOf({}, kGap)),
      toolRow_(rowOf({}, kGap)),
      arcs_(new QWidget),
      noteText_(styledLabel("muted")),
      release_(named(new QPushButton(tr("Deal them too")), tr("Deal them too"),
                     tr("Formations move and remove the actors placed by hand as well"))) {
  count_->setGroupSeparatorShown(true);
  for (const Formation formation : kFormations) {
    formation_->addItem(formationIcon(formation), formationTitle(formation), int(formation));
  }
  formation_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  formation_->setMinimumContentsLength(6);
  bound(
      count_, tr("Number of actors"), [](const Project& p) { return chosenSize(p); },
      [](SpawnSettings& s, int count) { s.count = count; });
  numberFieldOf(count_)->setDefaultNumber(SpawnSettings().count);
  bound(
      spacing_, tr("Spacing"), [](const Project& p) { return chosen(p).spawn.spacingMeters; },
      [](SpawnSettings& s, double meters) { s.spacingMeters = meters; });
  bound(
      seed_, tr("Seed"),
      [](const Project& p) {
        return int(std::min<std::uint64_t>(chosen(p).spawn.seed, kLargestSeed));
      },
      [](SpawnSettings& s, int seed) { s.seed = std::uint64_t(seed); });
  makeFields();
  QToolButton* dice = iconButton("dices", tr("Another seed (Ctrl+R)"), tr("Another seed"));
  layOut(dice);
  connect(formation_, &QComboBox::activated, this,
          [this] { setFormation(Formation(formation_->currentData().toInt())); });
  connect(dice, &QToolButton::clicked, this, &SpawnBar::reseed);
  connect(release_, &QPushButton::clicked, this, [this] {
    dealer_.document().edit(tr("Deal actors placed by hand"), [this](Project& project) {
      releaseByHand(project, chosenCrowd(project));
      dealer_.change(project, [](SpawnSettings&) {});
    });
  });
  ground_->setPopupMode(QToolButton::InstantPopup);
  ground_->setMenu(grounds_);
  connect(grounds_, &QMenu::aboutToShow, this, &SpawnBar::fillGroundMenu);
  connect(&document, &Document::changed, this, &SpawnBar::showState);
  connect(&session, &Session::rigsChanged, this, &SpawnBar::showState);
  connect(&session.props(), &PropSession::changed, this, &SpawnBar::showState);
  showState();
}

// Binds a box to a value of the project that `set` changes in the settings.
template <class Box, class Get, class Set>
Box* SpawnBar::bound(Box* box, const QString& text, Get get, Set set) {
  bindNumber(*box, dealer_.document(), text, get,
             [this, set](Project& project, decltype(box->value()) value) {
               dealer_.change(project, [&](SpawnSettings& settings) { set(settings, value); });
             });
  return box;
}

// The fields that formations have for themselves. They carry their names as prefixes, because a row
// of labels would be too wide.
void SpawnBar::makeFields() {
  const QList<Formation> around = {Formation::Grid,    Formation::Disc,    Formation::Circle,
                                   Formation::Scatter, Formation::Poisson, Formation::Arcs};
  const auto add = [this](auto* box, const QString& prefix, int width,
                          const QList<Formation>& formations) {
    box->setPrefix(prefix);
    box->setMinimumWidth(width);
    fields_ << Field{box, formations};
    fieldRow_->addWidget(box, width);
  };
  for (const int axis : {0, 1}) {
    auto* box = numberBox(-kFarthestCenter, kFarthestCenter, 0.5);
    box->setDecimals(1);
    named(box, axis == 0 ? tr("Centre X") : tr("Centre Z"),
          tr("Where the middle of the formation is, in metres"));
    bound(
        box, tr("Centre"), [axis](const Project& p) { return chosen(p).spawn.centerMeters[axis]; },
        [axis](SpawnSettings& s, double meters) { s.centerMeters[axis] = meters; });
    add(box, axis == 0 ? tr("x ") : tr("z "), kSmallWidth, around);
  }
  QSpinBox* columns =
      named(wholeBox(0, 100000), tr("Columns"), tr("Actors side by side; 0: as many as rows"));
  columns->setSpecialValueText(tr("square"));
  columns->setSuffix(tr(" abreast"));
  bound(
      columns, tr("Columns"), [](const Project& p) { return chosen(p).spawn.columns; },
      [](SpawnSettings& s, int count) { s.columns = count; });
  add(columns, {}, kWordWidth, {Formation::Grid});
  QSpinBox* rings = named(wholeBox(1, 1000), tr("Rings"),
                          tr("How many circles, one spacing apart from each other"));
  rings->setSuffix(tr(" rings"));
  rings->setSpecialValueText(tr("1 ring"));
  bound(
      rings, tr("Rings"), [](const Project& p) { return chosen(p).spawn.rings; },
      [](SpawnSettings& s, int count) { s.rings = count; });
  add(rings, {}, kWordWidth, {Formation::Circle});
  QSpinBox* rows =
      named(wholeBox(1, 1000), tr("Rows"), tr("How many walk side by side, one spacing apart"));
  rows->setSuffix(tr(" abreast"));
  bound(
      rows, tr("Rows"), [](const Project& p) { return chosen(p).spawn.pathRows; },
      [](SpawnSettings& s, int count) { s.pathRows = count; });
  add(rows, {}, kWordWidth, {Formation::Path});
  auto* heading = numberBox(-360.0, 360.0, 15.0, QStringLiteral("°"));
  heading->setDecimals(0);
  named(heading, tr("Heading"),
        tr("Degrees to the left: of a grid as a whole, of actors on circles away from the centre, "
           "of actors on a path away from the way ahead"));
  bound(
      heading, tr("Heading"), [](const Project& p) { return chosen(p).spawn.headingDegrees; },
      [](SpawnSettings& s, double degrees) { s.headingDegrees = degrees; });
  add(heading, {}, kHeadingWidth,
      {Formation::Grid, Formation::Circle, Formation::Path, Formation::Arcs});
  makeArcFields();
  QToolButton* closed =
      iconButton("repeat", tr("The path leads back to its first point"), tr("Closed path"));
  closed->setCheckable(true);
  follow(*closed, dealer_.document(),
         [closed](const Project& p) { closed->setChecked(chosen(p).spawn.pathClosed); });
  connect(closed, &QToolButton::clicked, this, [this](bool on) {
    dealer_.edit(tr("Closed path"), [on](SpawnSettings& s) { s.pathClosed = on; });
  });
  fields_ << Field{closed, {Formation::Path}};
  fieldRow_->addWidget(closed);
}

// The fields of rows of seats, in a grid of their own.
void SpawnBar::makeArcFields() {
  struct ArcField {
    QString label;
    QString tip;
    double ArcRows::*member;
    double low;
    double high;
    double step;
    QString unit;
  };
  const QString meters = tr(" m");
  const QString degrees = QStringLiteral("°");
  const ArcField rows[] = {
      {tr("Radius"), tr("Of the first row"), &ArcRows::innerMeters, 0.0, kFarthestCenter, 0.5,
       meters},
      {tr("From"), tr("Where rows begin; 0 is towards the front (+z), 90 to the right"),
       &ArcRows::fromDegrees, -360.0, 360.0, 5.0, degrees},
      {tr("To"), tr("Where rows end"), &ArcRows::toDegrees, -360.0, 720.0, 5.0, degrees},
      {tr("Row step"), tr("From a row to the next one"), &ArcRows::stepMeters, 0.01, 100.0, 0.1,
       meters},
      {tr("Rise"), tr("Of each row over the one before"), &ArcRows::riseMeters, -100.0, 100.0, 0.05,
       meters},
      {tr("Aisle"), tr("Width of the ways between blocks of seats"), &ArcRows::aisleMeters, 0.0,
       100.0, 0.1, meters}};
  auto* grid = new QGridLayout(arcs_);
  grid->setContentsMargins(0, 0, 0, 0);
  grid->setHorizontalSpacing(kGap);
  grid->setVerticalSpacing(kGap);
  int place = 0;
  const auto put = [&](auto* box, const QString& label) {
    const int column = place % 2 * 2;
    grid->addWidget(labelFor(box, label), place / 2, column);
    grid->addWidget(box, place / 2, column + 1);
    grid->setColumnStretch(column + 1, 1);
    ++place;
  };
  for (const ArcField& row : rows) {
    auto* box = named(numberBox(row.low, row.high, row.step, row.unit), row.label, row.tip);
    if (row.unit == degrees) box->setDecimals(0);
    box->setMinimumWidth(kSmallWidth);
    bound(
        box, row.label,
        [member = row.member](const Project& p) { return chosen(p).spawn.arcs.*member; },
        [member = row.member](SpawnSettings& s, double value) { s.arcs.*member = value; });
    put(box, row.label);
  }
  QSpinBox* aisles = named(wholeBox(0, 100), tr("Aisles"), tr("Ways without seats between blocks"));
  bound(
      aisles, tr("Aisles"), [](const Project& p) { return chosen(p).spawn.arcs.aisles; },
      [](SpawnSettings& s, int count) { s.arcs.aisles = count; });
  put(aisles, tr("Aisles"));
  fields_ << Field{arcs_, {Formation::Arcs}};
}

// Two fields per row, tools beside them, and a row of the formation's own fields. The labels on the
// right are not aligned, because one is long.
void SpawnBar::layOut(QWidget* dice) {
  // Wide enough for usual values; the largest possible values may be clipped.
  count_->setMinimumWidth(kNumberWidth);
  spacing_->setMinimumWidth(kNumberWidth);
  seed_->setMinimumWidth(kSeedWidth);
  auto* layout = new QGridLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setHorizontalSpacing(kGap);
  layout->setVerticalSpacing(6);
  layout->setColumnStretch(1, 1);
  layout->setColumnStretch(2, 3);
  layout->addWidget(labelFor(count_, tr("&Actors")), 0, 0);
  layout->addWidget(count_, 0, 1);
  layout->addLayout(rowOf({labelFor(formation_, tr("&Formation")), {formation_, 1}}, kGap), 0, 2);
  layout->addWidget(labelFor(spacing_, tr("&Spacing")), 1, 0);
  layout->addWidget(spacing_, 1, 1);
  toolRow_->addWidget(labelFor(seed_, tr("See&d")));
  toolRow_->addWidget(seed_, 1);
  toolRow_->addWidget(dice);
  toolRow_->addWidget(ground_);
  layout->addLayout(toolRow_, 1, 2);
  layout->addLayout(fieldRow_, 2, 0, 1, 3);
  release_->setObjectName(QStringLiteral("small"));
  // The panel's width must not follow the text.
  noteText_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  noteText_->setWordWrap(true);
  note_ = rowWidget({{noteText_, 1}, release_});
  layout->addWidget(arcs_, 3, 0, 1, 3);
  layout->addWidget(note_, 4, 0, 1, 3);
}

void SpawnBar::addTool(QAction* action, std::optional<Formation> formation) {
  auto* button = new QToolButton;
  button->setDefaultAction(action);
  button->setAccessibleName(action->text().remove(QLatin1Char('&')));
  (formation ? fieldRow_ : toolRow_)->addWidget(button);
  if (formation) fields_ << Field{button, {*formation}};
  showState();
}

void SpawnBar::reseed() {
  seed_->setValue((seed_->value() * 31 + 17) % 99991);
}

void SpawnBar::setFormation(Formation formation) {
  dealer_.edit(
      tr("Formation"), [formation](SpawnSettings& s) { s.formation = formation; },
      QStringLiteral("spawn/formation"));
  const SpawnSettings& spawn = chosen(dealer_.document().project()).spawn;
  if (spawn.formation == Formation::Path && !hasPath(spawn)) emit pathWanted();
}

void SpawnBar::focusCount() {
  Fold::reveal(*this);
  count_->setFocus(Qt::ShortcutFocusReason);
  count_->selectAll();
}

void SpawnBar::fillGroundMenu() {
  const Project& project = dealer_.document().project();
  grounds_->clear();
  const auto add = [&](const QString& text, int prop) {
    QAction* action = grounds_->addAction(text, this, [this, prop] { setGround(prop); });
    action->setCheckable(true);
    action->setChecked(chosen(project).spawn.groundProp == prop);
  };
  add(tr("Flat ground"), -1);
  for (int i = 0; i < int(project.props.size()); ++i) {
    const QString name = QFileInfo(textOf(project.props[std::size_t(i)].source.path)).fileName();
    add(project.props.size() > 1 ? tr("%1 (prop %2)").arg(name).arg(i + 1) : name, i);
    const bool there = dealer_.session().props().isThere(i);
    grounds_->actions().last()->setEnabled(there);
    if (!there) grounds_->actions().last()->setToolTip(tr("Its file is not read"));
  }
  grounds_->setToolTipsVisible(true);
}

void SpawnBar::setGround(int prop) {
  dealer_.edit(tr("Ground"), [prop](SpawnSettings& s) { s.groundProp = prop; });
}

void SpawnBar::showState() {
  const Project& project = dealer_.document().project();
  formation_->setCurrentIndex(formation_->findData(int(chosen(project).spawn.formation)));
  // First those that go: a field that is shown beside them would widen the panel for ever.
  for (const bool shown : {false, true}) {
    for (const Field& field : fields_) {
      const bool has = field.formations.contains(chosen(project).spawn.formation);
      if (has == shown) field.widget->setVisible(shown);
    }
  }
  showGround(project);
  showNote(project);
  setEnabled(dealer_.session().hasRig() && dealer_.session().hasClips());
}

void SpawnBar::showGround(const Project& project) {
  const int prop = chosen(project).spawn.groundProp;
  const bool any = !project.props.empty();
  ground_->setEnabled(any);
  QString tip = tr("Ground: flat. Choose a prop whose surface the actors stand on");
  if (!any) tip = tr("Ground: flat. Add a prop to have another (Crowd > Add prop)");
  if (prop >= 0 && std::size_t(prop) < project.props.size()) {
    tip = tr("Ground: the surface of %1")
              .arg(QFileInfo(textOf(project.props[std::size_t(prop)].source.path)).fileName());
  }
  ground_->setToolTip(tip);
  ground_->setIcon(icon("mountain", prop >= 0 ? colors::kFocus : colors::kText));
}

// Says what the settings do not reach, if there is anything.
void SpawnBar::showNote(const Project& project) {
  QStringList parts;
  const int byHand = countByHand(project, chosenCrowd(project));
  if (byHand > 0) parts << tr("%L1 placed by hand stay").arg(byHand);
  if (chosen(project).spawn.groundProp >= 0) {
    const GroundMeshPtr ground = dealer_.ground();
    const int beside = ground ? countBeside(project, *ground) : 0;
    if (!ground) parts << tr("the ground is not read");
    if (beside > 0) parts << tr("%L1 beside the ground").arg(beside);
  }
  const SpawnSettings& spawn = chosen(project).spawn;
  if (spawn.formation == Formation::Path) {
    const int dealt = chosenSize(project) - byHand;
    const int inRow = (dealt + spawn.pathRows - 1) / spawn.pathRows;
    if (!hasPath(spawn)) {
      parts << tr("no path is drawn");
    } else if (inRow > roomOnPath(spawn)) {
      parts << tr("the path has room for %L1 at this spacing")
                   .arg(roomOnPath(spawn) * spawn.pathRows);
    }
  }
  const QString text = parts.join(tr(", "));
  noteText_->setText(text);
  noteText_->setToolTip(text);
  release_->setVisible(byHand > 0);
  note_->setVisible(!text.isEmpty());
}

}  // namespace ck::ui
