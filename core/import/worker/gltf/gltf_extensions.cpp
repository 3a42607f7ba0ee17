#include "core/import/worker/gltf/gltf_extensions.h"

#include <fmt/format.h>
#include <tiny_gltf.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <string_view>

#include "core/import/worker/text/names.h"

namespace ck::worker {
namespace {

enum class Reading {
  Read,      // as its specification says
  Noted,     // only the look lacks something
  Scenery,   // no part of a character: one note for all
  Harmless,  // nothing that is seen
};

struct Row {
  std::string_view name;
  Reading reading;
  std::string_view lacks = {};  // what is not shown, for the note: "the clear coat"
};

// Extensions that are not in the table are refused where a file requires them, and noted where it
// only uses them.
constexpr Row kRows[] = {
    {"KHR_mesh_quantization", Reading::Read},
    {"EXT_meshopt_compression", Reading::Read},
    {"KHR_meshopt_compression", Reading::Read},
    {"KHR_draco_mesh_compression", Reading::Read},
    {"KHR_animation_pointer", Reading::Read},  // with a note of its own
    {"EXT_texture_webp", Reading::Read},
    {"KHR_texture_basisu", Reading::Read},  // with a note on every picture that is not
    {"KHR_texture_transform", Reading::Read},
    {"KHR_materials_emissive_strength", Reading::Read},
    {"KHR_materials_pbrSpecularGlossiness", Reading::Read},
    {"KHR_materials_unlit", Reading::Read},
    {"KHR_materials_variants", Reading::Read},  // with a note of its own
    {"KHR_node_visibility", Reading::Read},
    {"EXT_mesh_gpu_instancing", Reading::Read},

    {"KHR_materials_anisotropy", Reading::Noted, "the direction of a brushed shine"},
    {"KHR_materials_clearcoat", Reading::Noted, "the clear coat"},
    {"KHR_materials_diffuse_transmission", Reading::Noted, "light that shines through"},
    {"KHR_materials_dispersion", Reading::Noted, "the colours of refracted light"},
    {"KHR_materials_ior", Reading::Noted, "the index of refraction"},
    {"KHR_materials_iridescence", Reading::Noted, "iridescence"},
    {"KHR_materials_sheen", Reading::Noted, "the sheen of cloth"},
    {"KHR_materials_specular", Reading::Noted, "the strength and colour of reflections"},
    {"KHR_materials_transmission", Reading::Noted, "what is behind glass"},
    {"KHR_materials_volume", Reading::Noted, "the colour of thick glass"},
    {"KHR_materials_volume_scatter", Reading::Noted, "light scattered below the surface"},
    {"EXT_texture_avif", Reading::Noted, "AVIF pictures"},
    {"MSFT_texture_dds", Reading::Noted, "DDS pictures"},
    {"MSFT_lod", Reading::Noted, "the coarser levels of detail"},

    {"VRM", Reading::Noted, "expressions, swinging hair and cloth, and toon shading"},
    {"VRMC_vrm", Reading::Noted, "expressions and the aim of the eyes"},
    {"VRMC_springBone", Reading::Noted, "swinging hair and cloth"},
    {"VRMC_materials_mtoon", Reading::Noted, "toon shading"},
    {"VRMC_node_constraint", Reading::Noted, "the pull of joints on each other"},

    {"KHR_lights_punctual", Reading::Scenery},
    {"EXT_lights_ies", Reading::Scenery},
    {"EXT_lights_image_based", Reading::Scenery},

    {"VRMC_vrm_animation", Reading::Harmless},
    {"KHR_xmp", Reading::Harmless},
    {"KHR_xmp_json_ld", Reading::Harmless},
    {"KHR_node_hoverability", Reading::Harmless},
    {"KHR_node_selectability", Reading::Harmless},
    {"EXT_mesh_features", Reading::Harmless},
    {"EXT_structural_metadata", Reading::Harmless},
    {"FB_ngon_encoding", Reading::Harmless},
    {"GODOT_single_root", Reading::Harmless},
};

const Row* rowOf(std::string_view name) {
  const auto* found = std::ranges::find(kRows, name, &Row::name);
  return found == std::end(kRows) ? nullptr : found;
}

// The names of materials that have an extension, by extension.
std::map<std::string, std::vector<std::string>> materialsByExtension(const tinygltf::Model& model) {
  std::map<std::string, std::vector<std::string>> result;
  for (const tinygltf::Material& material : model.materials) {
    for (const auto& [name, value] : material.extensions) result[name].push_back(material.name);
  }
  return result;
}

std::string plural(std::size_t count, std::string_view word) {
  return fmt::format("{} {}{}", count, word, count == 1 ? "" : "s");
}

void noteScenery(const tinygltf::Model& model, bool otherLights, Notes& notes) {
  if (model.cameras.empty() && model.lights.empty() && !otherLights) return;
  std::string things;
  if (!model.cameras.empty()) things = plural(model.cameras.size(), "camera");
  if (!model.lights.empty() || otherLights) {
    if (!things.empty()) things += " and ";
    things += model.lights.empty() ? "its lights" : plural(model.lights.size(), "light");
  }
  inform(notes, "SceneryLeftOut",
         fmt::format("the file has {}, which are no part of a character", things));
}

}  // namespace

Result<void> checkRequiredExtension(const std::string& name) {
  if (rowOf(name) != nullptr) return {};
  return fail(ErrorCode::Unsupported,
              fmt::format("the file needs the extension {}, which is not supported; export it "
                          "without that option",
                          cleanText(name, 80)));
}

void noteExtensions(const tinygltf::Model& model, Notes& notes) {
  const auto materials = materialsByExtension(model);
  std::set<std::string> names(model.extensionsUsed.begin(), model.extensionsUsed.end());
  names.insert(model.extensionsRequired.begin(), model.extensionsRequired.end());
  for (const auto& [name, owners] : materials) names.insert(name);
  bool otherLights = false;
  for (const std::string& name : names) {
    const Row* row = rowOf(name);
    otherLights = otherLights || (row != nullptr && row->reading == Reading::Scenery &&
                                  name != "KHR_lights_punctual");
    if (row != nullptr && row->reading != Reading::Noted) continue;
    const auto owners = materials.find(name);
    std::string where;
    if (owners != materials.end()) {
      where = fmt::format(" ({}, '{}' first)", plural(owners->second.size(), "material"),
                          cleanText(owners->second.front()));
    }
    warn(notes, "ExtensionIgnored",
         row == nullptr
             ? fmt::format("what the extension {} describes is not read{}", cleanText(name, 80),
                           where)
             : fmt::format("{} is not read: {} will not be shown{}", name, row->lacks, where));
  }
  noteScenery(model, otherLights, notes);
}

}  // namespace ck::worker
