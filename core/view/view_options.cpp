#include "core/view/view_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <type_traits>

#include "core/base/assert.h"

namespace ck {
namespace {

using Words = std::span<const std::string_view>;

// The row of a member of ViewSettings, or of a struct within it.
template <auto... Path>
constexpr ViewOption viewRow(ViewKey file, ViewArgument line, ViewEffect effect = {},
                             ViewMenu menu = {}, Words words = {}, Words offered = {}) {
  using Value = std::remove_cvref_t<decltype((std::declval<ViewSettings&>().*....*Path))>;
  constexpr ViewKind kKind = std::is_same_v<Value, bool>       ? ViewKind::Flag
                             : std::is_enum_v<Value>           ? ViewKind::Choice
                             : std::is_floating_point_v<Value> ? ViewKind::Number
                                                               : ViewKind::Whole;
  return {file,
          line,
          effect,
          menu,
          kKind,
          words,
          offered,
          [](const ViewSettings& view) { return static_cast<double>((view.*....*Path)); },
          [](ViewSettings& view, double value) { (view.*....*Path) = static_cast<Value>(value); }};
}

constexpr bool isDetailed(ViewMode mode, const MethodInfo& method) {
  return mode == ViewMode::Baked && method.method != Method::Cpu;
}
constexpr bool isNotSource(ViewMode mode, const MethodInfo&) {
  return mode != ViewMode::Source;
}
constexpr bool readsAtlas(ViewMode mode, const MethodInfo&) {
  return mode != ViewMode::Source && mode != ViewMode::Blends;
}
// Whether the view draws with the method, alone or on one side.
constexpr bool drawsByMethod(ViewMode mode, const MethodInfo& method) {
  return readsAtlas(mode, method) && mode != ViewMode::Error;
}

constexpr auto kMethodNames = [] {
  std::array<std::string_view, kMethods.size()> names;
  for (std::size_t i = 0; i < names.size(); ++i) names[i] = kMethods[i].name;
  return names;
}();

// The words that the command line offers, in the order of its help.
constexpr std::string_view kOfferedSamplings[] = {"as-baked", "nearest", "interpolated",
                                                  "hardware-linear", "compact"};
constexpr std::string_view kOfferedViews[] = {"baked",  "source", "split",   "error",
                                              "blends", "motion", "tangents"};
constexpr std::string_view kOfferedShadows[] = {"cascades", "soft", "off"};

constexpr std::string_view kMovesOn = "Each actor moves on in every picture, whatever its pose";
constexpr ViewChoice kUpdates[] = {{1, "In every tick", kMovesOn},
                                   {2, "In every other tick, in turn", kMovesOn},
                                   {4, "In every 4th tick, in turn", kMovesOn},
                                   {8, "In every 8th tick, in turn", kMovesOn}};

constexpr ViewChoice kSkinOns[] = {
    {double(SkinOn::Auto), "Whichever is faster",
     "The processor where OpenGL runs in software, which would skin slower than the processor does "
     "by itself"},
    {double(SkinOn::Gpu), "Graphics card"},
    {double(SkinOn::Cpu), "Processor"}};

constexpr ViewChoice kShadows[] = {
    {double(Shadows::Auto), "&Automatic",
     "Cascades on a graphics card, for crowds of up to 40 million triangles; soft ones beyond and "
     "in software OpenGL"},
    {double(Shadows::Cascades), "&Cascades",
     "Shadow maps of the key light: bodies cast on the ground and on each other"},
    {double(Shadows::Soft), "&Soft", "The spread of the joints on the ground: two quads an actor"},
    {double(Shadows::Off), "&None", "Nothing is cast"}};

constexpr std::string_view kStays =
    "Between two ticks poses and places stay, and pictures cost their drawing alone";
constexpr ViewChoice kTickRates[] = {
    {0, "&Every picture", "Actors are posed for every picture of a crowd that has moved on"},
    {60, "60 times a second", kStays},
    {30, "30 times a second", kStays},
    {20, "20 times a second", kStays},
    {10, "10 times a second", kStays},
    {5, "5 times a second", kStays}};

constexpr ViewChoice kPaletteReads[] = {
    {double(PaletteRead::Auto), "&As is faster here",
     "As was measured when the view was made; the log says how"},
    {double(PaletteRead::TextureBuffer), "Through a &texture buffer",
     "Methods palette and live, OpenGL 3.3"},
    {double(PaletteRead::StorageBuffer), "From a &storage buffer",
     "Methods palette and live, OpenGL 4.3"}};

constexpr std::string_view kDefaultShape = "Actors further from the eye keep the default shape";
constexpr ViewChoice kMorphsNear[] = {
    {5, "Up to 5 m", kDefaultShape},
    {10, "Up to 10 m", kDefaultShape},
    {25, "Up to 25 m", kDefaultShape},
    {50, "Up to 50 m", kDefaultShape},
    {100, "Up to 100 m", kDefaultShape},
    {1e6, "&Everywhere", "However far away: costs most in large crowds"}};

constexpr std::string_view kLastColour =
    "Vertices that far from the source, or farther, have the last colour of the error view";
constexpr ViewChoice kErrorScales[] = {
    {0, "&Fit", "The least of 1, 2 and 5 times a power of ten that no vertex in the view exceeds"},
    {0.01, "0.01 mm", kLastColour},
    {0.1, "0.1 mm", kLastColour},
    {0.5, "0.5 mm", kLastColour},
    {1, "1 mm", kLastColour},
    {5, "5 mm", kLastColour},
    {10, "10 mm", kLastColour},
    {50, "50 mm", kLastColour},
    {100, "100 mm", kLastColour}};

constexpr ViewChoice kKeepsUp[] = {
    {1, "&Keep up: less detail",
     "While the crowd plays, more pixels may be off, until pictures come quickly"},
    {0, "&All detail: slower pictures", "Pictures take as long as they take"}};

constexpr ViewChoice kInfluences[] = {
    {0, "As baked"}, {4, "4 influences"}, {2, "2 influences"}, {1, "1 influence"}};

// The views that a setting has an effect in.
constexpr bool showsMethod(ViewMode mode, const MethodInfo& method) {
  if (mode == ViewMode::Blends) return false;
  return mode != ViewMode::Source || method.posesClips || method.method == Method::Cpu;
}
constexpr bool casts(ViewMode mode, const MethodInfo&) {
  return mode != ViewMode::Motion && mode != ViewMode::Tangents;
}
// Blends show the method palette beside another one.
constexpr bool readsPalette(ViewMode mode, const MethodInfo& method) {
  return mode == ViewMode::Blends || drawsByMethod(mode, method);
}
constexpr bool showsErrors(ViewMode mode, const MethodInfo&) {
  return mode == ViewMode::Error;
}
bool isDivided(ViewMode mode, const MethodInfo&) {
  return isHalved(mode);
}

using View = ViewSettings;
using Pose = PoseSettings;
using Detail = DetailSettings;
using Obeys = MethodOptions;
constexpr bool kAlways = true;
constexpr double kMebibyte = 1 << 20;

constexpr ViewOption kRows[] = {
    viewRow<&View::pose, &Pose::method>(
        {"method", kAlways},
        {"--method", "How the crowd is skinned (default: palette, or as the project has it)"},
        {showsMethod}, {}, kMethodNames),
    viewRow<&View::pose, &Pose::sampling>({"sampling", kAlways},
                                          {"--sampling",
                                           "How the atlas is read between frames (compact: method "
                                           "atlas; hardware-linear: atlas and matrix)"},
                                          {readsAtlas, &Obeys::sampling, double(Sampling::AsBaked)},
                                          {}, kSamplingNames, kOfferedSamplings),
    viewRow<&View::pose, &Pose::influences>({"influences", kAlways, 0, 4}, {}, {},
                                            {"", "", kInfluences}),
    viewRow<&View::pose, &Pose::updateEvery>(
        {"updateEvery", kAlways},
        {"--update-every", "Pose each actor in every N-th tick only, in turn (method prepass)", "N",
         1, 16},
        {drawsByMethod, &Obeys::updateEvery, 1.0}, {"", "", kUpdates}),
    viewRow<&View::pose, &Pose::skinOn>(
        {"skinOn", kAlways}, {"--skin-on", "Where palette and prepass skin vertices"},
        {drawsByMethod, &Obeys::skinOn, double(SkinOn::Auto)}, {"", "", kSkinOns}, kSkinOnNames),
    viewRow<&View::pose, &Pose::viewMode>({}, {"--view", "What is shown"}, {}, {}, kViewModeNames,
                                          kOfferedViews),
    viewRow<&View::shadows>(
        {"shadows", kAlways},
        {"--shadows", "What actors cast (default: cascades, or as the project has it)"}, {casts},
        {"&Shadows", "", kShadows}, kShadowsNames, kOfferedShadows),
    viewRow<&View::tickRateHz>({"tickRateHz", kAlways},
                               {"--tick-rate",
                                "Poses a second: the picture shows the last one up to its time (0: "
                                "one for the picture; default: 0, or as the project has it)",
                                "HZ", 0, 1000},
                               {}, {"&Poses a second", "", kTickRates}),
    viewRow<&View::pose, &Pose::paletteRead>(
        {"paletteRead"},
        {"--palette-read",
         "What palette and live read matrices through (auto: the faster one; default: auto, or as "
         "the project has it)"},
        {readsPalette, &Obeys::paletteRead, double(PaletteRead::Auto)},
        {"&Palette is read", "", kPaletteReads}, kPaletteReadNames),
    viewRow<&View::pose, &Pose::packedInfluences>(
        {"packedInfluences"},
        {"--packed-influences", "Joint and weight in one float (method live)"},
        {drawsByMethod, &Obeys::packedInfluences},
        {"Packed &influences",
         "Method live: joint and half of the weight in one float; the log says what weights lose"}),
    viewRow<&View::pose, &Pose::skinnedBudgetBytes>(
        {},
        {"--prepass-mb",
         "Memory that skinned vertices may take, in MiB (method prepass, and palette on the "
         "processor; default: 1024)",
         "MIB", 1, 1 << 20, kMebibyte},
        {drawsByMethod, &Obeys::skinOn}),
    viewRow<&View::pose, &Pose::morphs, &MorphView::nearMeters>(
        {"facesWithinMeters", false, 0, 1e9},
        {"--morph-near",
         "How far from the camera morph targets are still shown (default: 25, or as the project "
         "has it)",
         "METRES", 0, 1e6},
        {isNotSource}, {"&Faces are shown", "", kMorphsNear}),
    viewRow<&View::errorScaleMm>(
        {"errorScaleMm"},
        {"--error-scale",
         "With --view error: the distance from the source that the last colour stands for (0: "
         "chosen by the largest one that is shown; default: 0, or as the project has it)",
         "MM", 0, 1e6},
        {showsErrors}, {"&Error colours up to", "", kErrorScales}),
    viewRow<&View::wipe>({"wipe"},
                         {"--wipe",
                          "With --view split and blends: where the picture is divided, as a share "
                          "of its width (default: 0.5, or as the project has it)",
                          "SHARE", 0, 1},
                         {isDivided}),
    viewRow<&View::detail, &Detail::mode>(
        {"detail.mode", kAlways},
        {"--lod",
         "How much of far actors of a large crowd is drawn: what can be seen, or with off the "
         "whole of all actors (default: auto, or as the project has it)"},
        {isDetailed, nullptr, double(DetailMode::Full)}, {}, kDetailModeNames),
    viewRow<&View::detail, &Detail::pixels>(
        {"detail.pixels", kAlways},
        {"--lod-pixels",
         "How many pixels far actors may be off (default: 1, or as the project has it)", "PIXELS",
         kFewestDetailPixels, kMostDetailPixels},
        {isDetailed}),
    viewRow<&View::detail, &Detail::keepsUp>({"detail.keepsUp", kAlways}, {}, {},
                                             {"&Where the computer is too slow", "", kKeepsUp}),
    viewRow<&View::detail, &Detail::mostTriangles>(
        {"detail.triangles", false, 0, kMostDetailTriangles},
        {"--lod-triangles",
         "How many triangles all actors may have in one pass; far ones are off by more pixels "
         "where that is needed (default: any number, or as the project has it)",
         "N", 1, kMostDetailTriangles},
        {isDetailed}),
    viewRow<&View::detail, &Detail::mostBytes>(
        {"detail.bytes", false, 0, kMostDetailBytes},
        {"--lod-mb",
         "Graphics memory for the simpler meshes and the pictures of far actors, in MiB (default: "
         "16 of pictures for each character, or as the project has it)",
         "MIB", 1, kMostDetailBytes >> 20, kMebibyte},
        {isDetailed}),
    viewRow<&View::lines, &LineSettings::skeleton>(
        {"skeleton"}, {"--show", "skeleton"}, {},
        {"&Skeleton",
         "A line from joint to joint, through the body. Of the selected actors, or of all"}),
    viewRow<&View::lines, &LineSettings::jointAxes>(
        {"jointAxes"}, {"--show", "axes"}, {},
        {"Joint &axes",
         "The axes of every joint: x red, y green, z blue. Of the selected actors, or of all"}),
    viewRow<&View::lines, &LineSettings::bounds>(
        {"bounds"}, {"--show", "bounds"}, {},
        {"&Bounds",
         "The box of the posed vertices in the actor's own "
         "space. Of the selected actors, or of all"}),
    viewRow<&View::wireframe>(
        {"wireframe"}, {"--show", "wireframe"}, {},
        {"&Wireframe", "The edges of all triangles. Of the selected actors, or of all"}),
    viewRow<&View::detail, &Detail::tinted>(
        {"levels"}, {"--show", "levels"}, {},
        {"Colours of &levels of detail",
         "Of large crowds: from green, whole, towards red, the simplest mesh; violet ones are "
         "pictures, blue ones points."}),
    viewRow<&View::grid>({"grid", kAlways},
                         {"--no-grid", "Leave the ground grid out", "", 0, 0, 0.0}, {},
                         {"&Grid", "Show the ground grid"}),
    viewRow<&View::sockets>(
        {"sockets"},
        {"--show-sockets", "Hang a cross of the axes on every socket, as the method poses it"}, {},
        {"Soc&kets", "Hang a cross of the axes on every socket of the characters"}),
};

}  // namespace

std::span<const ViewOption> viewOptions() {
  return kRows;
}

const ViewOption& viewOption(std::string_view keyOrOption) {
  const auto* row = std::ranges::find_if(kRows, [keyOrOption](const ViewOption& each) {
    return each.file.key == keyOrOption || each.line.option == keyOrOption;
  });
  CK_ASSERT(row != std::end(kRows));
  return *row;
}

std::string whyNoEffect(const ViewOption& row, ViewMode mode, Method method) {
  const MethodInfo& info = methodInfo(method);
  if (row.effect.worksIn != nullptr && !row.effect.worksIn(mode, info)) {
    return fmt::format("{} does nothing with --view {}; leave one of the two out", row.line.option,
                       viewModeName(mode));
  }
  // Blends show fixed methods.
  if (row.effect.obeyed == nullptr || mode == ViewMode::Blends || info.obeys.*row.effect.obeyed)
    return {};
  return fmt::format("{} is for {}, and the method is {}", row.line.option,
                     methodsObeying(row.effect.obeyed), info.name);
}

}  // namespace ck
