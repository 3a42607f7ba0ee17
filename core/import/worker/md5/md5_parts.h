#pragma once

#include <string_view>

#include "core/import/worker/assembly/source_scene.h"
#include "core/import/worker/text/text_scan.h"

// Functions shared by both MD5 readers.
namespace ck::worker {

inline constexpr int kMostMd5Joints = 65'535;

// "MD5Version 10" and the command line of the exporter.
Result<void> readMd5Head(TextScan& scan);
// "( x y z )"
Result<glm::dvec3> readMd5Vector(TextScan& scan, std::string_view what);
// Sets the conversion from Z up to Y up.
void setMd5Space(SourceInfo& source);
// The rotation that MD5 stores as three numbers; w is never positive.
glm::dquat md5Rotation(const glm::dvec3& xyz);

}  // namespace ck::worker
