#include "ui/bake/bake_fields.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFormLayout>
#include <QLabel>
#include <QLocale>
#include <QSignalBlocker>
#include <QSpinBox>
#include <functional>

#include "ui/bake/bake_panel.h"
#include "ui/document/text.h"
#include "ui/parts/bind.h"
#include "ui/parts/figures_label.h"
#include "ui/parts/panel_parts.h"
#include "ui/playback/shown_character.h"

namespace ck::ui {
namespace {

// Item data of the entries for automatic and custom values.
constexpr int kAuto = -1;
constexpr int kTitleRole = Qt::UserRole + 1;  // of the components: the title without a loss
constexpr double kUsualRateHz = 30.0;
constexpr int kUsualFrames = 32;

// How the frames of a clip are chosen.
enum Timing { KeyGrid, Rate, Frames };

QString tr(const char* text) {
  return BakePanel::tr(text);
}

// Get and set the bake settings of a character, for the functions of bind.h. Both take a
// function of the settings or a pointer to their member.
template <class Get>
auto ofBake(Get get) {
  return [get](const ProjectCharacter& character) { return std::invoke(get, character.bake); };
}
template <class Set>
auto toBake(Set set) {
  return [set](ProjectCharacter& character, auto value) {
    if constexpr (std::is_member_pointer_v<Set>) {
      character.bake.*set = value;
    } else {
      set(character.bake, value);
    }
  };
}

// Disables a field while the character is not edited here or `whyNot` gives a reason; its tool tip
// then begins with the reason.
template <class WhyNot>
void disableFor(QWidget& field, ShownCharacter& shown, WhyNot whyNot) {
  follow(field, shown, [&field, &shown, tip = field.toolTip(), whyNot](const auto& character) {
    QString reason = shown.whyNotEdited();
    if (reason.isEmpty()) reason = whyNot(character.bake);
    field.setEnabled(reason.isEmpty());
    field.setToolTip(reason.isEmpty() || tip.isEmpty() ? reason + tip : reason + u'\n' + tip);
  });
}

void disableUnedited(QWidget& field, ShownCharacter& shown) {
  disableFor(field, shown, [](const BakeSettings&) { return QString(); });
}

// The number of an item for a value; kAuto for none.
template <class T>
int numberOf(const T& value) {
  if constexpr (requires { value.has_value(); }) {
    return value ? int(*value) : kAuto;
  } else {
    return int(value);
  }
}

template <class T>
T valueOf(int number) {
  if constexpr (requires { typename T::value_type; }) {
    return number == kAuto ? T() : T(typename T::value_type(number));
  } else {
    return T(number);
  }
}

// A choice of values for a setting; `name` is that of the undo step.
template <class T>
struct Choice {
  QString title;
  T value;
  QString meaning;  // a sentence
};
template <class T, class Settings>
QComboBox* choiceBox(ShownCharacter& shown, const QString& name, T Settings::*setting,
                     const QList<Choice<T>>& choices, const QString& tip) {
  auto* box = new QComboBox;
  for (const Choice<T>& choice : choices) {
    box->addItem(choice.title, numberOf(choice.value));
    box->setItemData(box->count() - 1, choice.meaning, Qt::ToolTipRole);
  }
  box->setToolTip(tip);
  bindChoice(*box, shown, name,
             ofBake([setting](const BakeSettings& b) { return numberOf(b.*setting); }),
             toBake([setting](BakeSettings& b, int v) { b.*setting = valueOf<T>(v); }));
  return box;
}

// A field with the meaning of what `box`, which is bound, shows below it.
QWidget* withMeaning(ShownCharacter& shown, QWidget* field, const QComboBox* box) {
  auto* meaning = new FiguresLabel;
  meaning->setStyle(QStringLiteral("muted"));
  follow(*meaning, shown, [box, meaning](const ProjectCharacter&) {
    meaning->setText(box->currentData(Qt::ToolTipRole).toString());
  });
  auto* column = new QWidget;
  layOutColumn(*column, {}, 2, {field, meaning});
  column->setFocusProxy(field);
  disableUnedited(*column, shown);
  return column;
}

QComboBox* makeEncodingBox(ShownCharacter& shown) {
  auto* box = new QComboBox;
  box->addItem(tr("Auto"), kAuto);
  box->setItemData(0, tr("P16, or M16 where clips stretch parts in a way that P16 cannot hold"),
                   Qt::ToolTipRole);
  QString tips;
  for (const EncodingInfo& encoding : allEncodings()) {
    box->addItem(textOf(encoding.name), int(encoding.encoding));
    box->setItemData(box->count() - 1, sentenceOf(encoding.summary), Qt::ToolTipRole);
    tips +=
        QStringLiteral("<br><b>%1</b>: %2").arg(textOf(encoding.name), textOf(encoding.summary));
  }
  box->setToolTip(QStringLiteral("<qt>") + tr("How a joint's pose becomes texels.") + tips);
  bindChoice(*box, shown, tr("Encoding"),
             ofBake([](const BakeSettings& b) { return numberOf(b.encoding); }),
             toBake([](BakeSettings& b, int v) {
               b.encoding = valueOf<std::optional<Encoding>>(v);
               // Components that the encoding cannot leave out would be refused.
               if (!isPossible(codeOf(b))) b.components.reset();
               if (rangesPerJoint({encodingOf(b), Components::Trs}) == 0) b.rangeMode.reset();
               if (isLocal(encodingInfo(b)) && b.rangeMode == RangeMode::Atlas) {
                 b.rangeMode.reset();
               }
             }));
  return box;
}

QComboBox* makeComponentsBox(ShownCharacter& shown) {
  auto* box = choiceBox(
      shown, tr("Components"), &BakeSettings::components,
      {{tr("Automatic"), std::nullopt, tr("The fewest that lose less than 0.1 mm")},
       {tr("Position, rotation, scale"), Components::Trs,
        tr("All that a joint can do, a texel each")},
       {tr("Position, rotation"), Components::Tr, tr("Joints keep their size: a texel less")},
       {tr("Rotation"), Components::R,
        tr("Joints only turn: one texel. Joints that shift stay behind")}},
      tr("What is stored of every joint, a texel each. Automatic: the fewest that "
         "lose less than 0.1 mm"));
  for (int i = 0; i < box->count(); ++i) box->setItemData(i, box->itemText(i), kTitleRole);
  disableFor(*box, shown, [](const BakeSettings& b) {
    if (isPossible({encodingOf(b), Components::Tr})) return QString();
    const EncodingInfo& encoding = encodingInfo(b);
    return tr("%1 keeps the whole pose in %2 texels; nothing can be left out")
        .arg(textOf(encoding.name))
        .arg(encoding.texelsPerJoint);
  });
  return box;
}

QComboBox* makeRangeBox(ShownCharacter& shown) {
  auto* box =
      choiceBox(shown, tr("Ranges"), &BakeSettings::rangeMode,
                {{tr("Automatic"), std::nullopt,
                  tr("Per joint, and per clip too where the encoding needs it")},
                 {tr("One for the atlas"), RangeMode::Atlas,
                  tr("The coarsest steps, and nearly no numbers for the shader")},
                 {tr("Per joint"), RangeMode::Joint, tr("Joints that move little get finer steps")},
                 {tr("Per joint and clip"), RangeMode::JointClip,
                  tr("The finest steps, and the most numbers for the shader")}},
                tr("Which values share one range: the smaller the group, the finer the steps, "
                   "and the more numbers a shader needs. Automatic: per joint, and per clip too "
                   "for %1")
                    .arg(textOf(encodingNames(measuresClips))));
  disableFor(*box, shown, [](const BakeSettings& b) {
    if (rangesPerJoint({encodingOf(b), Components::Trs}) > 0) return QString();
    return tr("%1 stores plain numbers and needs no ranges").arg(textOf(encodingInfo(b).name));
  });
  return box;
}

QDoubleSpinBox* makeReduceBox(ShownCharacter& shown) {
  auto* box = named(numberBox(0.0, 100.0, 0.05, tr(" mm")), tr("Reduce"),
                    tr("Leaves out frames that interpolation gives back, as far as no vertex moves "
                       "by more than this: the texture gets smaller where a clip moves evenly"));
  box->setDecimals(2);
  box->setSpecialValueText(tr("Off"));
  bindNumber(*box, shown, tr("Reduce frames"), ofBake(&BakeSettings::reduceMm),
             toBake(&BakeSettings::reduceMm));
  disableFor(*box, shown, [](const BakeSettings& b) {
    if (b.interpolate) return QString();
    return tr("Without interpolation nothing gives back the frames that are left out");
  });
  return box;
}

QDoubleSpinBox* makeSeamBox(ShownCharacter& shown) {
  // One step below 0 is no limit of its own.
  constexpr double kStep = 0.5;
  auto* box = named(numberBox(-kStep, kMostSeamMm, kStep, tr(" mm")), tr("Seam limit"),
                    tr("How far a vertex may be moved to close a loop: a clip whose ends are "
                       "farther apart anywhere stays open. By size: 1/500 of the figure's longest "
                       "side"));
  box->setDecimals(2);
  box->setSpecialValueText(tr("By size"));
  bindNumber(*box, shown, tr("Seam limit"),
             ofBake([](const BakeSettings& b) { return b.seamMm.value_or(-kStep); }),
             toBake([](BakeSettings& b, double v) {
               b.seamMm = v < 0.0 ? std::nullopt : std::optional(v);
             }));
  disableUnedited(*box, shown);
  return box;
}

// The layout, and the side of its tiles.
QWidget* makeLayoutRow(ShownCharacter& shown) {
  auto* layout = choiceBox(
      shown, tr("Layout"), &BakeSettings::layout,
      {{tr("Rows"), LayoutKind::Rows, tr("One frame a row, clips stacked")},
       {tr("Tiles"), LayoutKind::Tiles,
        tr("A square texture, one clip a tile; longer clips are resampled to fit")},
       {tr("Linear"), LayoutKind::Linear,
        tr("One line of texels, broken at the side of the smallest square that holds it")}},
      tr("Where the frames lie. Rows: one frame a row, clips stacked. Tiles: a square texture, one "
         "clip a tile; longer clips are resampled to fit. Linear: one line of texels in the "
         "smallest square with a power of two for its side"));
  layout->setAccessibleName(tr("Layout"));
  auto* tile = named(wholeBox(2, 16384, 64), tr("Side of a tile in texels"),
                     tr("Side of a tile in texels: the joints of a frame across, frames down"));
  bindNumber(*tile, shown, tr("Tile"), ofBake(&BakeSettings::tile), toBake(&BakeSettings::tile));
  QWidget* row = rowWidget({{layout, 1}, {tile, 1}});
  follow(*tile, shown, [tile](const ProjectCharacter& character) {
    tile->setVisible(character.bake.layout == LayoutKind::Tiles);
  });
  return withMeaning(shown, row, layout);
}

QSpinBox* sizeBox(ShownCharacter& shown, const QString& name, int BakeSettings::*side,
                  const QString& title, const QString& tip) {
  auto* box = named(wholeBox(0, 1 << 16, 64), title, tip);
  box->setSpecialValueText(tr("By need"));
  bindNumber(*box, shown, name, ofBake(side), toBake(side));
  return box;
}

QWidget* makeSizeRow(ShownCharacter& shown) {
  auto* width =
      sizeBox(shown, tr("Texture width"), &BakeSettings::textureWidth, tr("Width of the texture"),
              tr("Width of the texture in texels; 0: as is needed"));
  auto* height =
      sizeBox(shown, tr("Texture height"), &BakeSettings::textureHeight,
              tr("Height of the texture"), tr("Height of the texture in texels; 0: as is needed"));
  QWidget* row = rowWidget({{width, 1}, plainLabel(QString(QChar(0x00d7))), {height, 1}});
  disableUnedited(*row, shown);
  return row;
}

QCheckBox* makePowerOfTwoBox(ShownCharacter& shown) {
  auto* box = new QCheckBox(tr("Powers of t&wo"));
  box->setToolTip(
      tr("Width and height are powers of two, as old hardware and some engines want them"));
  bindTruth(*box, shown, tr("Powers of two"), ofBake(&BakeSettings::powerOfTwo),
            toBake(&BakeSettings::powerOfTwo));
  disableFor(*box, shown, [](const BakeSettings& b) {
    if (b.layout == LayoutKind::Rows) return QString();
    return tr("Tiles and linear are squares with a power of two for their side anyway");
  });
  return box;
}

QWidget* makeTimingRow(ShownCharacter& shown) {
  auto* timing = new QComboBox;
  timing->setAccessibleName(tr("Frames"));
  const auto add = [timing](const QString& title, Timing value, const QString& meaning) {
    timing->addItem(title, value);
    timing->setItemData(timing->count() - 1, meaning, Qt::ToolTipRole);
  };
  add(tr("Key grid"), KeyGrid, tr("A frame at every key of the clip"));
  add(tr("Rate"), Rate, tr("So many frames a second"));
  add(tr("Count"), Frames, tr("So many frames for every clip, however long it is"));
  timing->setToolTip(
      tr("Key grid: exactly where the source has keys. Rate: so many frames a second. Count: so "
         "many frames per clip"));
  const auto chosen = ofBake([](const BakeSettings& b) {
    return b.frames > 0 ? Frames : b.rateHz > 0 ? Rate : KeyGrid;
  });
  auto* rate = named(numberBox(1.0, 240.0, 1.0, tr(" fps")), tr("Frames per second"));
  bindNumber(*rate, shown, tr("Frame rate"),
             ofBake([](const BakeSettings& b) { return b.rateHz > 0 ? b.rateHz : kUsualRateHz; }),
             toBake(&BakeSettings::rateHz));
  auto* frames = named(wholeBox(2, 4096), tr("Frames per clip"));
  bindNumber(*frames, shown, tr("Frames per clip"),
             ofBake([](const BakeSettings& b) { return b.frames > 0 ? b.frames : kUsualFrames; }),
             toBake(&BakeSettings::frames));
  bindChoice(*timing, shown, tr("Frame timing"), chosen, toBake([](BakeSettings& b, int v) {
    b.frames = v == Frames ? kUsualFrames : 0;
    b.rateHz = v == Rate ? kUsualRateHz : 0.0;
  }));
  QWidget* row = rowWidget({{timing, 1}, {rate, 1}, {frames, 1}});
  follow(*row, shown, [rate, frames, chosen](const ProjectCharacter& character) {
    rate->setVisible(chosen(character) == Rate);
    frames->setVisible(chosen(character) == Frames);
  });
  return withMeaning(shown, row, timing);
}

QWidget* makeMorphRow(ShownCharacter& shown) {
  auto* count = named(wholeBox(1, kMostMorphSlots), tr("Morph slots"));
  count->setToolTip(
      tr("Morph targets that a clip keeps the weights of: those that move most. Others have their "
         "default"));
  bindNumber(*count, shown, tr("Morph slots"),
             ofBake([](const BakeSettings& b) { return b.morphs.slotCount; }),
             toBake([](BakeSettings& b, int v) { b.morphs.slotCount = v; }));
  auto* bits = new QComboBox;
  bits->setAccessibleName(tr("Bits of morph weights"));
  const auto add = [bits](int value, const QString& meaning) {
    bits->addItem(tr("%1 bits").arg(value), value);
    bits->setItemData(bits->count() - 1, meaning, Qt::ToolTipRole);
  };
  add(8, tr("255 steps from the smallest weight of the clip to its largest"));
  add(16, tr("65,535 steps, for targets that move vertices far; twice the bytes"));
  bits->setToolTip(tr("How finely the weights of morph targets are stored"));
  bindChoice(*bits, shown, tr("Bits of morph weights"),
             ofBake([](const BakeSettings& b) { return b.morphs.bits; }),
             toBake([](BakeSettings& b, int v) { b.morphs.bits = v; }));
  return withMeaning(shown, rowWidget({{count, 1}, {bits, 1}}), bits);
}

}  // namespace

BakeBoxes addBakeRows(QFormLayout& form, ShownCharacter& shown) {
  const BakeBoxes boxes{makeEncodingBox(shown), makeComponentsBox(shown),
                        new QCheckBox(tr("I&nterpolate frames"))};
  bindTruth(*boxes.interpolate, shown, tr("Interpolation"), ofBake(&BakeSettings::interpolate),
            toBake(&BakeSettings::interpolate));
  follow(*boxes.interpolate, shown, [&shown, box = boxes.interpolate](const ProjectCharacter&) {
    box->setEnabled(shown.whyNotEdited().isEmpty());
  });
  const auto add = [&](const QString& label, QComboBox* box) {
    form.addRow(label, withMeaning(shown, box, box));
  };
  add(tr("&Encoding"), boxes.encoding);
  add(tr("Co&mponents"), boxes.components);
  add(tr("Ran&ges"), makeRangeBox(shown));
  form.addRow(tr("Redu&ce"), makeReduceBox(shown));
  form.addRow(tr("&Seams"), makeSeamBox(shown));
  form.addRow(tr("La&yout"), makeLayoutRow(shown));
  form.addRow(tr("Text&ure"), makeSizeRow(shown));
  form.addRow(QString(), makePowerOfTwoBox(shown));
  form.addRow(tr("F&rames"), makeTimingRow(shown));
  form.addRow(QString(), boxes.interpolate);
  add(tr("&Influences"),
      choiceBox(shown, tr("Influences"), &BakeSettings::influences,
                {{tr("%1 per vertex").arg(1), 1, tr("The fewest fetches; bends are hard")},
                 {tr("%1 per vertex").arg(2), 2, tr("Softer bends, twice the fetches of one")},
                 {tr("%1 per vertex").arg(4), 4, tr("As most rigs are made")}},
                tr("Joints that may pull a vertex: fewer fetches, less soft bends")));
  form.addRow(tr("Morp&hs"), makeMorphRow(shown));
  add(tr("Rea&ding"),
      choiceBox(
          shown, tr("Reading"), &BakeSettings::reading,
          {{tr("Through a palette"), Reading::Palette,
            tr("Each joint relative to its parent: closest to the source between frames")},
           {tr("Joint by joint"), Reading::Direct,
            tr("Each joint by itself, as shaders read that fetch per vertex")}},
          tr("How the atlas is meant to be read between frames. The error of both is measured")));
  return boxes;
}

void showChosen(QComboBox& box, const ProjectCharacter& character, const Result<BakeCost>* cost) {
  const bool known = !character.bake.encoding && cost && *cost;
  box.setItemText(
      box.findData(kAuto),
      known ? tr("Auto (%1)").arg(textOf(encodingName((*cost)->encoding))) : tr("Auto"));
}

void showLosses(QComboBox& box, const Result<BakeCost>* cost) {
  const bool known = cost && *cost && (*cost)->components.loss;
  for (int i = 0; i < box.count(); ++i) {
    const int components = box.itemData(i).toInt();
    QString text = box.itemData(i, kTitleRole).toString();
    if (known && components != kAuto) {
      const double mm = lossMm(*(*cost)->components.loss, Components(components));
      // A loss below the shown precision is "none", which also fits into the box.
      text += mm < 0.005 ? tr(": complete")
                         : tr(": off by %1 mm").arg(fixedText(mm, mm < 10.0 ? 2 : 0));
    } else if (known) {
      const int chosen = box.findData(int((*cost)->components.components));
      text += QStringLiteral(": %1").arg(box.itemData(chosen, kTitleRole).toString().toLower());
    }
    box.setItemText(i, text);
  }
}

QString costLine(const BakeCost& cost, bool interpolate) {
  return tr("<b>%1</b>, %2 \u00d7 %3 texels, %4 fetches in a shader")
      .arg(sizeText(cost.bytes))
      .arg(cost.width)
      .arg(cost.height)
      .arg(interpolate ? cost.fetchesInterpolated : cost.fetchesNearest);
}

QString costText(const BakeCost& cost, bool interpolate) {
  const QLocale locale;
  int frames = 0;
  for (const auto& clip : cost.clips) frames += clip.frames;
  QString text = tr("%1 texels<br>").arg(locale.toString(qulonglong(cost.texels)));
  text += tr("Fetches: %1 nearest, %2 interpolated<br>")
              .arg(interpolate ? QString::number(cost.fetchesNearest)
                               : tr("<b>%1</b>").arg(cost.fetchesNearest),
                   interpolate ? tr("<b>%1</b>").arg(cost.fetchesInterpolated)
                               : QString::number(cost.fetchesInterpolated));
  text += tr("%1 of %2<br>")
              .arg(counted(frames, tr("frame"), tr("frames")),
                   counted(qlonglong(cost.clips.size()), tr("clip"), tr("clips")));
  text += tr("%1 of %2 joints that fit, %3 % unused")
              .arg(locale.toString(cost.joints), locale.toString(cost.jointsThatFit),
                   fixedText(100.0 * cost.unusedShare, 0));
  return text;
}

}  // namespace ck::ui
