#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/atlas/atlas.h"

namespace ck {

// The skinning methods, in the order of all lists. Cpu must stay last, because the size of kMethods
// depends on it. ARCHITECTURE.md says how to add a method.
enum class Method { Palette, Atlas, Matrix, Live, Prepass, Pool, Cpu };

// The data that a method's vertex shader reads per pose. It determines the number of texel fetches.
enum class VertexReads {
  Atlas,    // stored texels of each influence, according to the sampling
  Palette,  // one skin matrix per influence
  Pool,     // the skin matrix of each influence, at one or two frames
  Vertex,   // a vertex that was skinned before, one texel
  Nothing,
};

// The settings that affect a method. It ignores the others.
struct MethodOptions {
  bool sampling = true;           // how the atlas is read between frames
  bool hardwareLinear = false;    // ... including filtering by the texture unit
  bool compact = false;           // ... including the compact actor record
  bool skinOn = false;            // where vertices are skinned, and the memory for them
  bool updateEvery = false;       // posing actors in turn
  bool paletteRead = false;       // how vertex shaders read the palette
  bool packedInfluences = false;  // joint and weight in one float
  bool masks = false;             // limiting fades to some joints
};

// One row of the table of methods, which command line, files, menus, help and documentation tests
// read.
struct MethodInfo {
  Method method = Method::Palette;
  std::string_view name;              // value of --method and in files
  std::string_view title;             // in menus
  std::string_view remark;            // in menus, in parentheses after the title
  std::string_view tip;               // of the menu's entry, after the title and a colon
  Reading reading = Reading::Direct;  // between two frames and between two clips
  VertexReads reads = VertexReads::Nothing;
  bool posesClips = false;    // poses the clips without the atlas
  bool matricesOnly = false;  // draws atlases in matrix form only
  MethodOptions obeys = {};
};

inline constexpr std::array<MethodInfo, static_cast<std::size_t>(Method::Cpu) + 1> kMethods = {{
    {.method = Method::Palette,
     .name = "palette",
     .title = "Palette",
     .remark = "default",
     .tip = "every joint once a tick, then vertices only read",
     .reading = Reading::Palette,
     .reads = VertexReads::Palette,
     .obeys = {.skinOn = true, .paletteRead = true}},
    {.method = Method::Atlas,
     .name = "atlas",
     .title = "Atlas",
     .remark = "vertex fetch",
     .tip = "every vertex reads the texture",
     .reads = VertexReads::Atlas,
     .obeys = {.hardwareLinear = true, .compact = true}},
    {.method = Method::Matrix,
     .name = "matrix",
     .title = "Matrix",
     .remark = "vertex fetch",
     .tip = "the same of whole matrices, mesh by mesh",
     .reads = VertexReads::Atlas,
     .matricesOnly = true,
     .obeys = {.hardwareLinear = true}},
    {.method = Method::Live,
     .name = "live",
     .title = "Live",
     .remark = "posed on the CPU",
     .tip = "the clips themselves, posed on the processor every tick",
     .reading = Reading::Palette,
     .reads = VertexReads::Palette,
     .posesClips = true,
     .obeys = {.sampling = false, .paletteRead = true, .packedInfluences = true, .masks = true}},
    {.method = Method::Prepass,
     .name = "prepass",
     .title = "Prepass",
     .remark = "vertices skinned once",
     .tip = "every vertex is skinned once a tick and then drawn by every pass",
     .reading = Reading::Palette,
     .reads = VertexReads::Vertex,
     .obeys = {.skinOn = true, .updateEvery = true}},
    {.method = Method::Pool,
     .name = "pool",
     .title = "Pool",
     .remark = "matrices of every frame",
     .tip = "the matrices of all baked frames are made once, for far actors",
     .reads = VertexReads::Pool},
    {.method = Method::Cpu,
     .name = "cpu",
     .title = "CPU",
     .remark = "the reference",
     .tip = "skinned on the processor, to compare with"},
}};
static_assert(
    [] {
      for (std::size_t i = 0; i < kMethods.size(); ++i) {
        if (kMethods[i].method != static_cast<Method>(i) || kMethods[i].name.empty()) return false;
      }
      return true;
    }(),
    "kMethods needs a row for each value of Method, in its order");

inline constexpr const MethodInfo& methodInfo(Method method) {
  return kMethods[static_cast<std::size_t>(method)];
}
inline constexpr std::string_view methodName(Method method) {
  return methodInfo(method).name;
}
std::optional<Method> methodFromName(std::string_view name);

// The methods that an option affects, as words of a message: "the method live", "the methods
// palette and prepass", "all methods but live". `word` is the singular.
std::string methodsObeying(bool MethodOptions::*option,
                           std::string_view MethodInfo::*word = &MethodInfo::name);

}  // namespace ck
