#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/import/worker/assembly/source_scene.h"
#include "core/import/worker/confinement/source_folder.h"

// The parts of the glTF reader. Each reads the parsed document and adds to the scene. Node indices
// are those of the document.
namespace tinygltf {
class Model;
struct Animation;
}  // namespace tinygltf

namespace ck::worker {

// The numbers of an accessor, in rows of `components`.
struct NumberRows {
  std::size_t rows = 0;
  std::size_t components = 0;
  std::vector<float> values;
};

// Reads an accessor of any component type as floats. Normalised integers are scaled to [-1, 1] or
// [0, 1]; others keep their value. Sparse values are applied. A missing buffer view reads as zeros.
// `components` is the required row length (0: any), `mostRows` the limit. Errors name the accessor.
Result<NumberRows> readFloats(const tinygltf::Model& model, int accessor, std::size_t components,
                              std::size_t mostRows);

// Reads an accessor as unsigned integers, for indices and joints. Negative numbers and fractions
// are an error.
Result<std::vector<std::uint32_t>> readIntegers(const tinygltf::Model& model, int accessor,
                                                std::size_t components, std::size_t mostRows);

// The number of rows of an accessor, without reading it; 0 for an invalid index.
std::size_t accessorRows(const tinygltf::Model& model, int accessor);

Result<void> addGltfNodes(const tinygltf::Model& model, SourceScene& scene);
Result<void> addGltfSkins(const tinygltf::Model& model, SourceScene& scene);
Result<void> addGltfMeshes(const tinygltf::Model& model, SourceScene& scene);
void addGltfMaterials(const tinygltf::Model& model, SourceFolder& folder, SourceScene& scene);
// Called after the meshes, because morph tracks refer to them.
void addGltfClips(const tinygltf::Model& model, SourceScene& scene);

// The events in an animation's extras, under "events" or "markers": a list of {"name", "seconds"}
// (or "time"), or an object of names with a time or a list of times, as Blender exports custom
// properties. The glTF standard has no events.
std::vector<ClipEvent> gltfEvents(const tinygltf::Animation& source, const std::string& shownName,
                                  Notes& notes);

}  // namespace ck::worker
