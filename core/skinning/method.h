#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/atlas/atlas.h"

namespace ck {

// The ways to draw a crowd, in the order of every list. Cpu stays last: the size of kMethods
// follows from it. ARCHITECTURE.md says how to add a method.
enum class Method { Palette, Atlas, Matrix, Live, Prepass, Pool, Cpu };

// What the vertex shader of a method reads of a pose; the number of its texel fetches follows.
enum class VertexReads {
  Atlas,    // stored texels of each influence, as the atlas is read
  Palette,  // one skin matrix of each influence
  Pool,     // the skin matrix of each influence at one frame or two
  Vertex,   // a vertex that was skinned before, in one texel
  Nothing,
};

// The settings that change what a method draws. It passes the others over.
struct MethodOptions {
  bool sampling = true;           // how the atlas is read between frames
  bool hardwareLinear = false;    // ... also by the texture unit
  bool compact = false;           // ... also from the compact actor record
  bool skinOn = false;            // where vertices are skinned, and how much memory they take
  bool updateEvery = false;       // actors posed in turn
  bool paletteRead = false;       // how vertex shaders read the palette
  bool packedInfluences = false;  // joint and weight in one float
  bool masks = false;             // fades limited to some joints
};

// One row of the table that command line, files, menus, help and documentation tests read.
struct MethodInfo {
  Method method = Method::Palette;
  std::string_view name;              // of --method and in files
  std::string_view title;             // in menus
  std::string_view remark;            // in menus, in parentheses behind the title
  std::string_view tip;               // what the method does: a clause without a full stop
  Reading reading = Reading::Direct;  // between two frames and between two clips
  VertexReads reads = VertexReads::Nothing;
  bool posesClips = false;    // poses the clips themselves, without the atlas
  bool matricesOnly = false;  // draws atlases of whole matrices alone
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

// The methods that obey an option, as words of a sentence: "the method live", "the methods palette
// and prepass", "all methods but live". `word` is how each is called.
std::string methodsObeying(bool MethodOptions::*option,
                           std::string_view MethodInfo::*word = &MethodInfo::name);

}  // namespace ck
