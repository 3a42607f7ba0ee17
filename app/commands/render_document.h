#pragma once

#include <string>
#include <vector>

#include "app/commands/scene_image.h"
#include "app/options/json.h"
#include "core/error/bake_error.h"

namespace ck::cli {

// The document of an image that was written as `bytes`. `errors` has one entry per character, if
// they were measured.
Json renderDocument(const RenderOptions& options, const Scene& scene, const DrawnImage& image,
                    const std::vector<BakeError>& errors, std::span<const std::byte> bytes);

// How a crowd with levels of detail was drawn.
Json detailJson(const render::DetailStats& detail);

// "OUT.png: 1280 x 720, 100 actors in 4 draw calls, ...", then the error of each measured character
// below its title.
std::string renderText(const RenderOptions& options, const Scene& scene, const DrawnImage& image,
                       const std::vector<BakeError>& errors);

// The view of a scene with the poses of its image. If only the source was drawn, the view as it
// was requested.
ViewSettings drawnView(const Scene& scene, const DrawnImage& image);

}  // namespace ck::cli
