#include "core/import/worker/md5/md5_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace ck::worker {

glm::dquat md5Rotation(const glm::dvec3& xyz) {
  const double rest = 1.0 - glm::dot(xyz, xyz);
  const glm::dquat q(rest > 0.0 ? -std::sqrt(rest) : 0.0, xyz.x, xyz.y, xyz.z);
  const double length = glm::length(q);
  return length > 0.0 ? q / length : glm::dquat(1.0, 0.0, 0.0, 0.0);
}

Result<void> readMd5Head(TextScan& scan) {
  if (auto ok = scan.expect("MD5Version"); !ok) return ok;
  const auto version = scan.whole("the version", 0, 1'000'000);
  if (!version) return tl::unexpected(version.error());
  if (*version != 10) {
    return fail(ErrorCode::Unsupported,
                fmt::format("this is version {} of MD5; only version 10 is read", *version));
  }
  if (scan.accept("commandline")) {
    if (auto ok = scan.text("the exporter's command line"); !ok) return tl::unexpected(ok.error());
  }
  return {};
}

Result<glm::dvec3> readMd5Vector(TextScan& scan, std::string_view what) {
  if (auto ok = scan.expect("("); !ok) return tl::unexpected(ok.error());
  glm::dvec3 v(0.0);
  for (int i = 0; i < 3; ++i) {
    const auto part = scan.number(what);
    if (!part) return tl::unexpected(part.error());
    v[i] = *part;
  }
  if (auto ok = scan.expect(")"); !ok) return tl::unexpected(ok.error());
  return v;
}

void setMd5Space(SourceInfo& source) {
  source.upAxis = "Z";
  source.sourceToModel = glm::dmat4(1.0);
  source.sourceToModel[1] = glm::dvec4(0.0, 0.0, -1.0, 0.0);
  source.sourceToModel[2] = glm::dvec4(0.0, 1.0, 0.0, 0.0);
}

}  // namespace ck::worker
