#include "ui/atlas_view/atlas_readout.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>

#include "core/atlas/atlas_map.h"
#include "ui/document/name_text.h"
#include "ui/document/text.h"
#include "ui/parts/panel_parts.h"

namespace ck::ui {
namespace {

QString say(const char* text) {
  return QCoreApplication::translate("AtlasReadout", text);
}

QString number(double value, int decimals) {
  // Avoids "-0.000".
  const double shown = std::abs(value) < 0.5 * std::pow(10.0, -decimals) ? 0.0 : value;
  return fixedText(shown, decimals);
}

QString meters(const glm::vec3& v) {
  return say("x %1 m  y %2 m  z %3 m").arg(number(v.x, 3), number(v.y, 3), number(v.z, 3));
}

QString turn(const glm::quat& q) {
  const double degrees = 2.0 * std::acos(std::min(1.0, std::abs(double(q.w)))) * 57.29577951308232;
  return say("x %1  y %2  z %3  w %4  (%5 degrees)")
      .arg(number(q.x, 4), number(q.y, 4), number(q.z, 4), number(q.w, 4), number(degrees, 1));
}

// The matrix row that a texel holds, with the translation last.
QString matrixRow(const JointPose& pose, int row) {
  const glm::mat3 rows = glm::transpose(pose.linear.value_or(glm::mat3(1.0f)));
  const glm::vec3& turn = rows[row];
  return say("%1  %2  %3  leads to %4 m")
      .arg(number(turn.x, 4), number(turn.y, 4), number(turn.z, 4), number(pose.position[row], 3));
}

// The kind of a texel, and its value in units.
std::pair<QString, QString> decoded(const Atlas& atlas, const TexelPlace& place) {
  const AtlasClip& clip = atlas.clips[std::size_t(place.clip)];
  const auto pose = storedPose(atlas, place.clip, clip.firstFrame + place.frame, place.joint);
  switch (texelKind(atlas, place.texel)) {
    case TexelKind::PositionScale:
      return {say("position and scale"),
              say("%1  scale %2").arg(meters(pose.position), number(pose.scale.x, 3))};
    case TexelKind::Rotation:
      return {say("rotation"), turn(pose.rotation)};
    case TexelKind::Position:
      return {say("position"), meters(pose.position)};
    case TexelKind::Scale:
      return {say("scale"),
              say("x %1  y %2  z %3")
                  .arg(number(pose.scale.x, 3), number(pose.scale.y, 3), number(pose.scale.z, 3))};
    case TexelKind::MatrixRow:
      return {say("row of the matrix"), matrixRow(pose, place.texel)};
    case TexelKind::DualPart:
      return {say("position by a dual quaternion"), meters(pose.position)};
    case TexelKind::Turn:
      return {say("rotation against its parent"), say("in the model %1").arg(turn(pose.rotation))};
    case TexelKind::Track:
      return {say("position against its parent"),
              say("in the model %1").arg(meters(pose.position))};
    case TexelKind::Packed:
      return {say("position, scale and rotation"),
              say("%1  scale %2, %3")
                  .arg(meters(pose.position), number(pose.scale.x, 3), turn(pose.rotation))};
  }
  return {};
}

// The channels as stored: "0x1f02".
QStringList storedChannels(const Atlas& atlas, const QPoint& texel) {
  const TexelFormatInfo& format = texelFormatInfo(texelFormatOf(atlas));
  const glm::uvec4 bits = texelBits(atlas, texel.x(), texel.y());
  QStringList stored;
  for (int channel = 0; channel < format.channels; ++channel) {
    stored << QStringLiteral("0x%1").arg(bits[channel], 2 * format.bytesPerChannel, 16,
                                         QLatin1Char('0'));
  }
  return stored;
}

}  // namespace

AtlasReadout atlasReadout(const Atlas& atlas, const QPoint& texel) {
  AtlasReadout readout;
  if (texel.x() < 0 || texel.y() < 0 || texel.x() >= atlasWidth(atlas) ||
      texel.y() >= atlasHeight(atlas)) {
    return readout;
  }
  readout.raw = storedChannels(atlas, texel).join(QLatin1Char(' '));
  const auto place = texelPlaceAt(atlas, texel.x(), texel.y());
  if (!place) {
    readout.where = say("texel %1, %2 holds no pose").arg(texel.x()).arg(texel.y());
    return readout;
  }
  const AtlasClip& clip = atlas.clips[std::size_t(place->clip)];
  const int moment = momentOfFrame(place->frame, frameGridOf(clip));
  const double seconds = moment * clip.durationSeconds / std::max(1, momentCount(clip) - 1);
  const auto [kind, value] = decoded(atlas, *place);
  readout.where =
      say("%1, frame %2 (%3 s), %4, %5")
          .arg(nameText(clip.name))
          .arg(place->frame)
          .arg(number(seconds, 2), textOf(atlas.joints[std::size_t(place->joint)].name), kind);
  readout.value = value;
  return readout;
}

QStringList texelFigures(const Atlas& atlas, const QPoint& texel) {
  if (isWords(texelFormatOf(atlas))) return storedChannels(atlas, texel);
  const glm::vec4 value = texelValue(atlas, texel.x(), texel.y());
  QStringList figures;
  for (int channel = 0; channel < 4; ++channel) {
    figures << fixedText(double(value[channel]), 3);
  }
  return figures;
}

}  // namespace ck::ui
