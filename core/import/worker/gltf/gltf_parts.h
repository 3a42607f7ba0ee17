#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/import/worker/assembly/source_scene.h"
#include "core/import/worker/confinement/source_folder.h"

// The parts of the glTF reader. Each takes the parsed document and adds to the scene; node indices
// are those of the document.
namespace tinygltf {
class Model;
struct Animation;
}  // namespace tinygltf

namespace ck::worker {

// Numbers of an accessor in rows of `components`.
struct NumberRows {
  std::size_t rows = 0;
  std::size_t components = 0;
  std::vector<float> values;
};

// Reads an accessor of any component type as floats: normalised integers are scaled to [-1, 1] or
// [0, 1], others keep their value; sparse values are filled in; a missing buffer view reads as
// zeros. `components` is what one row must have (0: any), `mostRows` the limit. Errors name the
// accessor.
Result<NumberRows> readFloats(const tinygltf::Model& model, int accessor, std::size_t components,
                              std::size_t mostRows);

// The same as whole numbers, for indices and joints. Negative numbers and fractions are an error.
Result<std::vector<std::uint32_t>> readIntegers(const tinygltf::Model& model, int accessor,
                                                std::size_t components, std::size_t mostRows);

// Rows of an accessor without reading it; 0 where the index is not one.
std::size_t accessorRows(const tinygltf::Model& model, int accessor);

Result<void> addGltfNodes(const tinygltf::Model& model, SourceScene& scene);
Result<void> addGltfSkins(const tinygltf::Model& model, SourceScene& scene);
Result<void> addGltfMeshes(const tinygltf::Model& model, SourceScene& scene);
void addGltfMaterials(const tinygltf::Model& model, SourceFolder& folder, SourceScene& scene);
// After the meshes: morph tracks need them.
void addGltfClips(const tinygltf::Model& model, SourceScene& scene);

// The events that an animation's extras name, under "events" or "markers": a list of
// {"name", "seconds"} (or "time"), or names with a time or a list of times, as custom properties
// come out of Blender. glTF itself has none.
std::vector<ClipEvent> gltfEvents(const tinygltf::Animation& source, const std::string& shownName,
                                  Notes& notes);

}  // namespace ck::worker
