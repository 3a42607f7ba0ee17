#include "ui/atlas_view/atlas_image.h"

#include <algorithm>
#include <cmath>

#include "core/atlas/atlas_map.h"

namespace ck::ui {
namespace {

int brightness(float value, const AtlasLook& look) {
  const float span = look.high - look.low;
  if (!(span > 0.0f)) return value > look.low ? 255 : 0;
  const float unit = (value - look.low) / span;
  return int(std::lround(std::clamp(unit, 0.0f, 1.0f) * 255.0f));
}

QRgb colorOf(const glm::vec4& value, const AtlasLook& look) {
  const auto& on = look.channels;
  const auto shown = std::count(on.begin(), on.end(), true);
  if (shown == 1) {
    const auto channel = std::find(on.begin(), on.end(), true) - on.begin();
    const int grey = brightness(value[int(channel)], look);
    return qRgb(grey, grey, grey);
  }
  const auto part = [&](int channel) {
    return on[std::size_t(channel)] ? brightness(value[channel], look) : 0;
  };
  return qRgb(part(0), part(1), part(2));
}

}  // namespace

AtlasLook soloed(AtlasLook look, int channel) {
  look.channels.fill(false);
  look.channels[std::size_t(channel)] = true;
  return look;
}

AtlasLook toggled(AtlasLook look, int channel) {
  auto& on = look.channels;
  const auto shown = std::count(on.begin(), on.end(), true);
  bool& asked = on[std::size_t(channel)];
  if (asked && shown == 1) return look;
  if (!asked && (channel == 3 || on[3])) return soloed(look, channel);
  asked = !asked;
  return look;
}

QImage atlasImage(const Atlas& atlas, const AtlasLook& look, const QRectF& texels,
                  const QSize& size) {
  QImage image(size, QImage::Format_ARGB32_Premultiplied);
  if (image.isNull()) return image;
  image.fill(Qt::transparent);
  const int wide = atlasWidth(atlas);
  const int high = atlasHeight(atlas);
  std::vector<int> columns(std::size_t(size.width()));
  for (int i = 0; i < size.width(); ++i) {
    const double x = texels.x() + (i + 0.5) * texels.width() / size.width();
    columns[std::size_t(i)] = int(std::floor(x));
  }
  for (int j = 0; j < size.height(); ++j) {
    const int y = int(std::floor(texels.y() + (j + 0.5) * texels.height() / size.height()));
    if (y < 0 || y >= high) continue;
    auto* line = reinterpret_cast<QRgb*>(image.scanLine(j));
    for (int i = 0; i < size.width(); ++i) {
      const int x = columns[std::size_t(i)];
      if (x < 0 || x >= wide) continue;
      line[i] = colorOf(texelValue(atlas, x, y), look);
    }
  }
  return image;
}

}  // namespace ck::ui
