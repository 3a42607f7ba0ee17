#include "ui/windows/variant_menu.h"

#include <QLabel>
#include <QWidgetAction>

#include "render/skinning/atlas_variants.h"
#include "ui/document/document.h"
#include "ui/document/playback.h"
#include "ui/document/session.h"
#include "ui/document/text.h"
#include "ui/viewport/viewport_frame.h"
#include "ui/viewport/viewport_widget.h"
#include "ui/windows/choice_menu.h"

namespace ck::ui {
namespace {

// Texel fetches for poses per vertex. `pose` is resolved for the atlas. `softwareGl`: vertices are
// skinned on the CPU by default.
int fetchesOf(const PoseSettings& pose, const Atlas& atlas, bool blend, bool softwareGl) {
  const bool onProcessor =
      pose.skinOn == SkinOn::Cpu || (pose.skinOn == SkinOn::Auto && softwareGl);
  if (onProcessor && methodInfo(pose.method).obeys.skinOn) return 1;  // of the skinned vertex
  return render::fetchesPerVertex(
      pose.method, atlas,
      {.sampling = pose.sampling, .influences = pose.influences, .blend = blend});
}

QList<Choice> samplingChoices() {
  QList<Choice> choices;
  for (const Sampling sampling :
       {Sampling::AsBaked, Sampling::Interpolated, Sampling::HardwareLinear, Sampling::Nearest}) {
    choices.append({samplingTitle(sampling), int(sampling)});
  }
  return choices;
}

}  // namespace

VariantMenu::VariantMenu(Document& document, const Session& session, const Playback& playback,
                         const ViewportWidget& viewport, QWidget* parent)
    : QMenu(tr("&Reading of the atlas"), parent),
      document_(document),
      session_(session),
      playback_(playback),
      viewport_(viewport) {
  setToolTipsVisible(true);
  addHeading(tr("Between frames"));
  samplings_ = new ChoiceGroup(*this, document, tr("Reading between frames"), samplingChoices(),
                               &PoseSettings::sampling);
  addHeading(tr("Influences per vertex"));
  influences_ = new ChoiceGroup(*this, document, tr("Influences in the view"),
                                {{tr("As baked"), 0},
                                 {tr("4 influences"), 4},
                                 {tr("2 influences"), 2},
                                 {tr("1 influence"), 1}},
                                &PoseSettings::influences);
  addHeading(tr("Vertices are skinned on"));
  processors_ = new ChoiceGroup(
      *this, document, tr("Where vertices are skinned"),
      {{tr("Whichever is faster"), int(SkinOn::Auto),
        tr("The processor where OpenGL runs in software, which would skin slower than the "
           "processor does by itself")},
       {tr("Graphics card"), int(SkinOn::Gpu)},
       {tr("Processor"), int(SkinOn::Cpu)}},
      &PoseSettings::skinOn);
  addHeading(tr("Actors are posed anew"));
  const QString inTurn = tr("Each actor moves on in every picture, whatever its pose");
  turns_ = new ChoiceGroup(*this, document, tr("How often actors are posed"),
                           {{tr("In every tick"), 1, inTurn},
                            {tr("In every other tick, in turn"), 2, inTurn},
                            {tr("In every 4th tick, in turn"), 4, inTurn},
                            {tr("In every 8th tick, in turn"), 8, inTurn}},
                           &PoseSettings::updateEvery);
  connect(&document, &Document::changed, this, &VariantMenu::refresh);
  connect(&session, &Session::changed, this, &VariantMenu::refresh);
  connect(&playback, &Playback::crowdChanged, this, &VariantMenu::refresh);
  connect(&viewport, &ViewportWidget::ready, this, &VariantMenu::refresh);
  refresh();
}

// This style does not draw the title of a QMenu section.
void VariantMenu::addHeading(const QString& text) {
  if (!actions().isEmpty()) addSeparator();
  auto* label = new QLabel(text);
  label->setObjectName(QStringLiteral("muted"));
  label->setContentsMargins(14, 5, 14, 3);
  auto* heading = new QWidgetAction(this);
  heading->setDefaultWidget(label);
  heading->setEnabled(false);
  addAction(heading);
}

bool VariantMenu::isSoftwareGl() const {
  return viewport_.renderer() && viewport_.renderer()->facts().software;
}

bool VariantMenu::isFading() const {
  return playback_.crowd() && playback_.crowd()->fadingActors() > 0;
}

PoseSettings VariantMenu::settled(const PoseSettings& pose) const {
  const render::DrawableView drawn = render::renderSettingsFor(
      {.pose = pose}, session_.entries(), isFading(), {.software = isSoftwareGl()});
  return render::settledFor(drawn.settings.pose, session_.atlas().get());
}

QString VariantMenu::words() const {
  const PoseSettings pose = settled(document_.project().view.pose);
  return tr("%1, %2").arg(samplingTitle(pose.sampling)).arg(pose.influences);
}

void VariantMenu::showCost(QAction& action, const PoseSettings& asked) const {
  const Atlas* atlas = session_.atlas().get();
  if (atlas == nullptr) return setOwnTip(action, tr("Costs are known after baking"));
  const int fetches = fetchesOf(settled(asked), *atlas, isFading(), isSoftwareGl());
  setOwnTip(action,
            tr("%1 per vertex").arg(counted(fetches, tr("texel fetch"), tr("texel fetches"))));
}

void VariantMenu::refresh() {
  const PoseSettings& now = document_.project().view.pose;
  for (QAction* action : samplings_->actions()) {
    PoseSettings asked = now;
    asked.sampling = Sampling(action->data().toInt());
    showCost(*action, asked);
    const QString refusal =
        sentenceOf(render::whyNotSampled(asked, session_.entries(), isFading()));
    setEnabledBecause(*action, refusal.isEmpty(), refusal);
  }
  // A refused sampling does not disable the influences.
  for (QAction* action : influences_->actions()) {
    PoseSettings asked = now;
    asked.influences = action->data().toInt();
    showCost(*action, asked);
  }
  const auto offerTo = [&now](const ChoiceGroup& group, bool MethodOptions::*option) {
    const QString reason =
        tr("For %1 only").arg(textOf(methodsObeying(option, &MethodInfo::title)));
    for (QAction* action : group.actions()) {
      setEnabledBecause(*action, methodInfo(now.method).obeys.*option, reason);
    }
  };
  offerTo(*processors_, &MethodOptions::skinOn);
  offerTo(*turns_, &MethodOptions::updateEvery);
  emit wordsChanged();
}

}  // namespace ck::ui
