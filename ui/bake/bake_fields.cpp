#include "ui/bake/bake_fields.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLocale>
#include <QSignalBlocker>
#include <QSpinBox>

#include "ui/bake/bake_panel.h"
#include "ui/bake/bake_presets.h"
#include "ui/document/document.h"
#include "ui/document/text.h"
#include "ui/parts/bind.h"

namespace ck::ui {
namespace {

// Item data of the entries for automatic and custom values.
constexpr int kAuto = -1;

const char* const kOwnTip = "ownTip";

QString tr(const char* text) {
  return BakePanel::tr(text);
}

void setTip(QWidget& box, const QString& tip) {
  box.setProperty(kOwnTip, tip);
  box.setToolTip(tip);
}

QString componentsTitle(int components) {
  switch (components) {
    case int(Components::Trs):
      return tr("Position, rotation, scale");
    case int(Components::Tr):
      return tr("Position, rotation");
    case int(Components::R):
      return tr("Rotation");
    default:
      return tr("Automatic");
  }
}

template <class Enum>
int numberOf(const std::optional<Enum>& value) {
  return value ? int(*value) : kAuto;
}

template <class Enum>
std::optional<Enum> valueOf(int number) {
  return number == kAuto ? std::nullopt : std::optional(Enum(number));
}

}  // namespace

QComboBox* makePresetBox(Document& document) {
  auto* box = new QComboBox;
  QString tips;
  for (const BakePreset preset : kBakePresets) {
    box->addItem(presetName(preset), int(preset));
    box->setItemData(box->count() - 1, presetSummary(preset), Qt::ToolTipRole);
    tips += QStringLiteral("<br><b>%1</b>: %2").arg(presetName(preset), presetSummary(preset));
  }
  box->addItem(tr("Custom"), kAuto);
  setTip(*box, tr("All settings at once.") + tips);
  bindChoice(*box, document, tr("Preset"),
             ofBake([](const BakeSettings& b) { return numberOf(presetOf(b)); }),
             toBake([](BakeSettings& b, int v) {
               if (v != kAuto) b = withPreset(b, BakePreset(v));
             }));
  // "Custom" cannot be selected; it is shown when no preset matches.
  QObject::connect(box, &QComboBox::activated, box, [box, &document] {
    const QSignalBlocker quiet(box);
    box->setCurrentIndex(
        box->findData(numberOf(presetOf(document.project().characters.front().bake))));
  });
  return box;
}

QComboBox* makeEncodingBox(Document& document) {
  auto* box = new QComboBox;
  QString tips;
  for (const EncodingInfo& encoding : allEncodings()) {
    box->addItem(textOf(encoding.name), int(encoding.encoding));
    box->setItemData(box->count() - 1, textOf(encoding.summary), Qt::ToolTipRole);
    tips +=
        QStringLiteral("<br><b>%1</b>: %2").arg(textOf(encoding.name), textOf(encoding.summary));
  }
  setTip(*box, tr("How a joint's pose becomes texels.") + tips);
  bindChoice(*box, document, tr("Encoding"),
             ofBake([](const BakeSettings& b) { return int(b.encoding); }),
             toBake([](BakeSettings& b, int v) {
               b.encoding = Encoding(v);
               // Components that the encoding cannot leave out would be refused.
               const TexelCode code{b.encoding, b.components.value_or(Components::Trs)};
               if (!isPossible(code)) b.components.reset();
               if (rangesPerJoint({b.encoding, Components::Trs}) == 0) b.rangeMode.reset();
             }));
  return box;
}

QComboBox* makeComponentsBox(Document& document) {
  auto* box = new QComboBox;
  for (const int components :
       {kAuto, int(Components::Trs), int(Components::Tr), int(Components::R)}) {
    box->addItem(componentsTitle(components), components);
  }
  setTip(*box, tr("What is stored of every joint, a texel each. Automatic: the fewest that lose "
                  "less than 0.1 mm"));
  bindChoice(*box, document, tr("Components"),
             ofBake([](const BakeSettings& b) { return numberOf(b.components); }),
             toBake([](BakeSettings& b, int v) { b.components = valueOf<Components>(v); }));
  return box;
}

QComboBox* makeRangeBox(Document& document) {
  auto* box = new QComboBox;
  box->addItem(tr("Automatic"), kAuto);
  box->addItem(tr("One for the atlas"), int(RangeMode::Atlas));
  box->addItem(tr("Per joint"), int(RangeMode::Joint));
  box->addItem(tr("Per joint and clip"), int(RangeMode::JointClip));
  setTip(*box, tr("Which values share one range: the smaller the group, the finer the steps, and "
                  "the more numbers a shader needs. Automatic: per joint, and per clip too for %1")
                   .arg(textOf(encodingNames(measuresClips))));
  bindChoice(*box, document, tr("Ranges"),
             ofBake([](const BakeSettings& b) { return numberOf(b.rangeMode); }),
             toBake([](BakeSettings& b, int v) { b.rangeMode = valueOf<RangeMode>(v); }));
  return box;
}

QComboBox* makeLayoutBox(Document& document) {
  auto* box = new QComboBox;
  box->addItem(tr("Rows"), int(LayoutKind::Rows));
  box->addItem(tr("Tiles"), int(LayoutKind::Tiles));
  box->addItem(tr("Linear"), int(LayoutKind::Linear));
  setTip(*box,
         tr("Where the frames lie. Rows: one frame a row, clips stacked. Tiles: a square "
            "texture, one clip a tile; longer clips are resampled to fit. Linear: one line of "
            "texels in the smallest square with a power of two for its side"));
  bindChoice(*box, document, tr("Layout"),
             ofBake([](const BakeSettings& b) { return int(b.layout); }),
             toBake([](BakeSettings& b, int v) { b.layout = LayoutKind(v); }));
  return box;
}

QSpinBox* makeTileBox(Document& document) {
  auto* box = new QSpinBox;
  box->setRange(2, 16384);
  box->setSingleStep(64);
  box->setAccessibleName(tr("Side of a tile in texels"));
  setTip(*box, tr("Side of a tile in texels: the joints of a frame across, frames down"));
  bindNumber(*box, document, tr("Tile"), ofBake([](const BakeSettings& b) { return b.tile; }),
             toBake([](BakeSettings& b, int v) { b.tile = v; }));
  return box;
}

QCheckBox* makePowerOfTwoBox(Document& document) {
  auto* box = new QCheckBox(tr("Powers of t&wo"));
  setTip(*box,
         tr("Width and height are powers of two, as old hardware and some engines want them"));
  bindTruth(*box, document, tr("Powers of two"),
            ofBake([](const BakeSettings& b) { return b.powerOfTwo; }),
            toBake([](BakeSettings& b, bool v) { b.powerOfTwo = v; }));
  return box;
}

QSpinBox* makeSizeBox(Document& document, bool height) {
  auto* box = new QSpinBox;
  box->setRange(0, 1 << 16);
  box->setSingleStep(64);
  box->setSpecialValueText(tr("By need"));
  box->setAccessibleName(height ? tr("Height of the texture") : tr("Width of the texture"));
  setTip(*box, height ? tr("Height of the texture in texels; 0: as is needed")
                      : tr("Width of the texture in texels; 0: as is needed"));
  bindNumber(
      *box, document, height ? tr("Texture height") : tr("Texture width"),
      ofBake([height](const BakeSettings& b) { return height ? b.textureHeight : b.textureWidth; }),
      toBake(
          [height](BakeSettings& b, int v) { (height ? b.textureHeight : b.textureWidth) = v; }));
  return box;
}

QComboBox* makeInfluencesBox(Document& document) {
  auto* box = new QComboBox;
  for (const int count : {1, 2, 4}) box->addItem(tr("%1 per vertex").arg(count), count);
  setTip(*box, tr("Joints that may pull a vertex: fewer fetches, less soft bends"));
  bindChoice(*box, document, tr("Influences"),
             ofBake([](const BakeSettings& b) { return b.influences; }),
             toBake([](BakeSettings& b, int v) { b.influences = v; }));
  return box;
}

QComboBox* makeReadingBox(Document& document) {
  auto* box = new QComboBox;
  box->addItem(tr("Through a palette"), int(Reading::Palette));
  box->addItem(tr("Joint by joint"), int(Reading::Direct));
  setTip(*box,
         tr("How the atlas is meant to be read between frames. Through a palette: each joint "
            "relative to its parent. Joint by joint: as shaders do that fetch per vertex. The "
            "error of both is measured"));
  bindChoice(*box, document, tr("Reading"),
             ofBake([](const BakeSettings& b) { return int(b.reading); }),
             toBake([](BakeSettings& b, int v) { b.reading = Reading(v); }));
  return box;
}

void setBoxEnabled(QWidget& box, bool enabled, const QString& reason) {
  box.setEnabled(enabled);
  const QString own = box.property(kOwnTip).toString();
  box.setToolTip(enabled ? own : QStringLiteral("%1\n%2").arg(reason, own));
}

void showLosses(QComboBox& box, const Result<BakeCost>* cost) {
  const bool known = cost && *cost && (*cost)->components.loss;
  for (int i = 0; i < box.count(); ++i) {
    const int components = box.itemData(i).toInt();
    QString text = componentsTitle(components);
    if (known && components != kAuto) {
      const double mm = lossMm(*(*cost)->components.loss, Components(components));
      // A loss below the shown precision is "none", which also fits into the box.
      text += mm < 0.005 ? tr(": complete")
                         : tr(": off by %1 mm").arg(QLocale().toString(mm, 'f', mm < 10.0 ? 2 : 0));
    } else if (known) {
      text += QStringLiteral(": %1").arg(
          componentsTitle(int((*cost)->components.components)).toLower());
    }
    box.setItemText(i, text);
  }
}

QString costText(const BakeCost& cost, bool interpolate) {
  const QLocale locale;
  int frames = 0;
  for (const auto& clip : cost.clips) frames += clip.frames;
  QString text = tr("<b>%1</b>, %2 x %3, %4 texels<br>")
                     .arg(sizeText(cost.bytes))
                     .arg(cost.width)
                     .arg(cost.height)
                     .arg(locale.toString(qulonglong(cost.texels)));
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
                   locale.toString(100.0 * cost.unusedShare, 'f', 0));
  return text;
}

}  // namespace ck::ui
