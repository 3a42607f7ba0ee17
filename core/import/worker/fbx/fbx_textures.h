#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/import/worker/assembly/source_scene.h"
#include "core/import/worker/confinement/source_folder.h"
#include "core/import/worker/fbx/fbx_scene.h"

namespace ck::worker {

// A texture as it lies on a surface, before it is known which of the mesh's sets of texture
// coordinates are used.
struct FbxMap {
  SurfaceMap map;             // without uvSet
  std::string_view uvs = {};  // the name of the set; empty: the first one of the mesh
};

// Reads the textures of a file, and each of their images once: embedded or beside the file.
class FbxTextures {
 public:
  FbxTextures(const FbxScene& file, SourceFolder& folder, SourceScene& scene);

  // Reads a Texture or LayeredTexture, of which the first layer is taken, with a note if it has
  // more. Without an image if there is none, with a note if it cannot be read.
  FbxMap read(int object);

 private:
  // The video that holds the content of another one, which names the same file: exporters embed a
  // picture once. The same video if it is none or holds its own.
  int videoWithContent(int video) const;
  int imageOf(int texture);
  Result<Image> decoded(int texture, int video);

  const FbxScene& file_;
  SourceFolder& folder_;
  SourceScene& scene_;
  std::map<int, int> known_;
  // The videos with content, by the properties that name their file, and its name.
  std::map<std::pair<std::string_view, std::string_view>, int> embedded_;
};

}  // namespace ck::worker
