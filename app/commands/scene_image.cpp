#include "app/commands/scene_image.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "app/options/numbers.h"
#include "core/crowd/actor.h"
#include "core/skinning/tangent_skinning.h"
#include "core/view/stand_ins.h"
#include "render/gl/framebuffer.h"
#include "render/view/drawable_view.h"
#include "render/view/error_scale.h"
#include "render/view/framing.h"

namespace ck::cli {
namespace {

// The crowd at time 0. The second clip and the morphs belong to the first character and apply to
// its actors and those of its variants.
UsageResult<MixedCrowd> crowdFor(const RenderOptions& options, const Scene& scene) {
  const CharacterStage& first = *scene.characters.front().stage;
  const Character& character = *first.source.character;
  if (auto ok = checkVariedMorphs(options.scene.variedMorphs, character); !ok) {
    return tl::unexpected(ok.error());
  }
  const auto second = fadeClip(options.fade, scene.characters.front().clips, character.rig);
  if (!second) return tl::unexpected(second.error());
  const auto morphs = morphWeights(options.morphs, character);
  if (!morphs) return tl::unexpected(morphs.error());
  const auto commands = playCommands(options.play);
  if (!commands) return tl::unexpected(commands.error());
  const bool fades = *second >= 0;
  std::vector<Actor> actors = scene.project.actors.toVector();
  for (Actor& actor : actors) {
    if (!commands->empty()) actor.commands = *commands;
    if (scene.characters[static_cast<std::size_t>(actor.character)].stage.get() == &first) {
      if (fades) applyFade(options.fade, *second, actor);
      for (const MorphWeight& morph : *morphs) setMorph(actor, morph.name, morph.weight);
    } else if (fades) {
      actor.mask = -1;
    }
  }
  std::vector<std::vector<CrowdClip>> clips;
  for (const SceneCharacter& one : scene.characters) clips.push_back(one.clips);
  return MixedCrowd(actors, clips, fades ? masksOf(options.fade) : scene.project.masks);
}

// Hangs stand-ins on the sockets, if the view or an option asks for that.
UsageResult<void> hangStandIns(const RenderOptions& options, const ViewSettings& view,
                               std::vector<render::CharacterEntry>& entries) {
  if (!view.sockets) return {};
  StandIns standIns;
  bool any = false;
  for (render::CharacterEntry& entry : entries) {
    any = any || (entry.character && hasSockets(entry.character->rig));
    entry.character = standIns.of(entry.character);
  }
  if (any || !options.drawing.has("--show-sockets")) return {};
  return tl::unexpected(std::string(
      "--show-sockets: no character has a socket; --socket NAME bakes a node as one, and kiln info "
      "lists the nodes"));
}

UsageResult<render::Camera> cameraFor(const RenderOptions& options, const MixedCrowd& crowd,
                                      const Scene& scene, const PixelSize& size) {
  const std::string& text = options.camera;
  if (text == "frame") {
    render::Camera camera;
    const double aspect = static_cast<double>(size.width) / size.height;
    render::frameActors(camera, crowd, entriesOf(scene), aspect);
    return camera;
  }
  const std::size_t colon = text.find(':');
  const auto eye = numbersFrom(text.substr(0, colon));
  const auto target = colon == std::string::npos ? eye : numbersFrom(text.substr(colon + 1));
  if (eye.size() == 3 && target.size() == 3) {
    const glm::dvec3 from(eye[0], eye[1], eye[2]);
    const glm::dvec3 to(target[0], target[1], target[2]);
    if (glm::distance(from, to) > 1e-6) return render::lookFrom(from, to);
  }
  return tl::unexpected(fmt::format(
      "--camera: '{}' is neither 'frame' nor X,Y,Z:X,Y,Z with two different points", text));
}

// Refuses views that a contact sheet cannot show.
UsageResult<void> checkSheet(ViewMode mode) {
  if (mode == ViewMode::Motion) {
    return tl::unexpected(
        std::string("--view motion: a contact sheet shows moments, which have no motion"));
  }
  if (mode == ViewMode::Blends) {
    return tl::unexpected(
        std::string("--view blends: a contact sheet shows every clip by itself, without fades"));
  }
  return {};
}

// Refuses views that would be empty or meaningless.
UsageResult<void> checkView(const RenderOptions& options, const Scene& scene) {
  const ViewMode mode = scene.project.view.pose.viewMode;
  const auto fades = [&scene](const Actor& actor) {
    const auto& clips = scene.characters[static_cast<std::size_t>(actor.character)].clips;
    return actor.on && actor.fadeClip >= 0 &&
           static_cast<std::size_t>(actor.fadeClip) < clips.size();
  };
  if (mode == ViewMode::Blends && options.fade.clip.empty() &&
      std::ranges::none_of(scene.project.actors.toVector(), fades)) {
    return tl::unexpected(std::string(
        "--view blends: nobody has a second clip to blend with; name one by --fade-to"));
  }
  const auto hasAny = [](const SceneCharacter& one) {
    return hasTangents(*one.stage->source.character);
  };
  if (mode != ViewMode::Tangents || std::ranges::any_of(scene.characters, hasAny)) return {};
  return fail(ErrorCode::Unsupported,
              fmt::format("{}: no mesh has tangents, so that there are none to show; export them "
                          "with the meshes, or choose another view",
                          scene.characters.front().stage->source.character->name));
}

// Notes about requested things that the image does not show.
Notes notesOn(const RenderOptions& options, const DrawnImage& image) {
  Notes notes = options.drawing.unused(image.settings, image.stats);
  const PoseSettings& pose = image.settings.view.pose;
  if (pose.viewMode == ViewMode::Blends && image.fading == 0) {
    notes.push_back({Note::Level::Info, "NobodyFades",
                     fmt::format("nobody shows two clips at {} s, so that both halves are alike",
                                 options.seconds)});
  }
  const bool asksForMorphs = !options.morphs.empty() || !options.scene.variedMorphs.empty();
  if (asksForMorphs && pose.viewMode != ViewMode::Source && image.stats.actors > 0 &&
      image.stats.morphs.nearActors == 0) {
    notes.push_back({Note::Level::Info, "FacesFar",
                     fmt::format("no actor within {:g} m of the camera (--morph-near) shows other "
                                 "morph weights than the defaults",
                                 pose.morphs.nearMeters)});
  }
  return notes;
}

// The time at which the actors of an image were last posed.
double posedAtSeconds(double seconds, double tickRateHz) {
  if (!(tickRateHz > 0.0)) return seconds;
  // A tick at exactly the image's time must not be lost to rounding.
  constexpr double kRounding = 1e-9;
  return std::floor(seconds * tickRateHz + kRounding) / tickRateHz;
}

// In steps, because one step counts a limited number of cycles. A crowd passes millions of events
// in an hour: all are counted, but only those that will be listed are stored.
PassedEvents eventsSinceStart(const MixedCrowd& crowd, double end, bool listed) {
  const std::size_t mostKept = listed ? 10'000 : 0;
  const int steps = static_cast<int>(std::clamp(std::abs(end) / 10.0, 1.0, 10000.0));
  PassedEvents events;
  for (int i = 0; i < steps; ++i) {
    for (const FiredEvent& fired : crowd.eventsBetween(end * i / steps, end * (i + 1) / steps)) {
      if (events.count++ >= mostKept) continue;
      events.first.push_back(
          {fired, crowd.sourceIndexOf(fired.actor), crowd.placeOf(fired.actor).character});
    }
  }
  return events;
}

// How the crowd is drawn.
struct Shot {
  render::CrowdRenderer& renderer;
  render::Camera camera;
  const render::RenderSettings& settings;
  PixelSize size;
  double tickSeconds;  // time between two ticks

  Result<render::Frame> draw(const MixedCrowd& crowd) const {
    return renderer.drawToFrame(crowd, camera, settings, size.width, size.height);
  }
};

// Draws ticks before the image: one for the motion view to compare with, and enough for actors that
// are posed in turn. Returns their number.
Result<int> drawTicksBefore(const Shot& shot, MixedCrowd& crowd) {
  const PoseSettings& pose = shot.settings.view.pose;
  const int turns = methodInfo(pose.method).obeys.updateEvery ? pose.updateEvery - 1 : 0;
  const int ticks = std::max(turns, pose.viewMode == ViewMode::Motion ? 1 : 0);
  if (ticks == 0) return 0;
  crowd.seek(crowd.timeSeconds() - ticks * shot.tickSeconds);
  for (int i = 0; i < ticks; ++i) {
    const auto before = shot.renderer.drawToFrame(crowd, shot.camera, shot.settings, 1, 1);
    if (!before) return tl::unexpected(before.error());
    crowd.advance(shot.tickSeconds);
  }
  return ticks;
}

// Draws the crowd at its current time.
Result<DrawnImage> drawCrowd(const Shot& shot, MixedCrowd& crowd, bool isMeasured) {
  if (isMeasured) {
    if (const auto cold = shot.draw(crowd); !cold) return tl::unexpected(cold.error());
    crowd.seek(crowd.timeSeconds());  // so that the actors are posed again
  }
  const auto ticks = drawTicksBefore(shot, crowd);
  if (!ticks) return tl::unexpected(ticks.error());
  auto frame = shot.draw(crowd);
  // The first picture of a large crowd starts what far actors are drawn with.
  if (frame && shot.renderer.stats().detail && shot.renderer.stats().detail->isPending) {
    shot.renderer.completeDetail();
    frame = shot.draw(crowd);
  }
  if (!frame) return tl::unexpected(frame.error());
  const render::CrowdRenderer& renderer = shot.renderer;
  DrawnImage image{std::move(*frame), renderer.stats(), renderer.facts(), shot.settings};
  const auto covered = shot.renderer.countCovered(crowd, shot.camera, shot.settings,
                                                  shot.size.width, shot.size.height);
  if (!covered) return tl::unexpected(covered.error());
  image.coveredPixels = *covered;
  image.drawnBefore = *ticks + (isMeasured ? 1 : 0);
  image.fading = crowd.fadingActors();
  return image;
}

constexpr int kLargest = 16384;

Bounds allClips(const Atlas& atlas) {
  Bounds bounds = atlas.clips.front().bounds;
  for (const AtlasClip& clip : atlas.clips) {
    bounds.low = glm::min(bounds.low, clip.bounds.low);
    bounds.high = glm::max(bounds.high, clip.bounds.high);
  }
  return bounds;
}

void copyInto(render::Frame& sheet, const render::Frame& cell, int column, int row) {
  const auto rowBytes = static_cast<std::ptrdiff_t>(cell.width) * 4;
  for (int y = 0; y < cell.height; ++y) {
    const auto* from = cell.rgba.data() + y * rowBytes;
    auto* to =
        sheet.rgba.data() + (static_cast<std::ptrdiff_t>(row * cell.height + y) * sheet.width +
                             static_cast<std::ptrdiff_t>(column) * cell.width) *
                                4;
    std::copy(from, from + rowBytes, to);
  }
}

// The figures of the error view in the last frame. `visible` is the crowd of that frame; names are
// those of the characters that it has.
std::optional<ShownErrors> shownErrors(const render::FrameStats& stats,
                                       std::span<const render::CharacterEntry> entries,
                                       const CrowdView& visible) {
  if (!stats.errorView) return std::nullopt;
  const render::ErrorViewStats& shown = *stats.errorView;
  const Character& character = *entries[shown.character].character;
  const Crowd& crowd = visible.crowds()[shown.character];
  ShownErrors errors;
  errors.scaleMm = shown.scaleMm;
  errors.maxMm = shown.maxMm;
  errors.visibleActor = visible.visibleOf(
      {static_cast<std::uint32_t>(shown.character), static_cast<std::uint32_t>(shown.actor)});
  errors.clip = crowd.clips()[static_cast<std::size_t>(crowd.clipOf(shown.actor))].name;
  errors.vertex = shown.vertex;
  for (const Mesh& mesh : character.meshes) {
    errors.mesh = mesh.name;
    if (errors.vertex < mesh.positions.size()) break;
    errors.vertex -= mesh.positions.size();
  }
  return errors;
}

// Writes the figures of the error view's legend into an image of it.
void printScale(render::Frame& frame, const std::optional<ShownErrors>& errors) {
  if (errors) render::printErrorScale(frame, errors->scaleMm, errors->maxMm > errors->scaleMm);
}

// A contact sheet: one row of images per clip of the atlas, with `columns` uniform times from its
// start to its end. Each image shows a single actor. All use one camera that fits the clips.
class ContactSheet {
 public:
  ContactSheet(render::CrowdRenderer& renderer, const render::CharacterEntry& entry,
               const render::RenderSettings& settings, int columns, const PixelSize& cell)
      : renderer_(renderer),
        entry_(entry),
        settings_(settings),
        columns_(columns),
        cell_(cell),
        clips_(crowdClips(*entry.atlas, clipNamesOf(*entry.atlas))) {
    const double aspect = static_cast<double>(cell.width) / cell.height;
    render::frameBox(camera_, allClips(*entry.atlas), aspect);
    // The last image of a loop shows its end, not its start again.
    for (CrowdClip& clip : clips_) clip.loop = LoopMode::Once;
  }

  // Fails as drawing does, with LimitExceeded, and with Cancelled.
  Result<render::Frame> draw(const JobContext& job) {
    const int rows = static_cast<int>(clips_.size());
    const std::int64_t width = std::int64_t{columns_} * cell_.width;
    const std::int64_t height = std::int64_t{rows} * cell_.height;
    if (rows == 0) return fail(ErrorCode::InvalidInput, "the atlas has no clips to show");
    if (width > kLargest || height > kLargest) {
      return fail(ErrorCode::LimitExceeded,
                  fmt::format("a sheet of {} clips would have {} x {} pixels, more than {} a side; "
                              "choose fewer --clips or a smaller --size",
                              rows, width, height, kLargest));
    }
    if (auto fits = render::checkPictureMemory(width, height); !fits) {
      return tl::unexpected(fits.error());
    }
    if (auto scaled = chooseScale(job); !scaled) return tl::unexpected(scaled.error());
    render::Frame sheet;
    sheet.width = static_cast<int>(width);
    sheet.height = static_cast<int>(height);
    sheet.rgba.resize(static_cast<std::size_t>(width * height) * 4);
    for (int cell = 0; cell < rows * columns_; ++cell) {
      if (job.stopRequested()) return fail(ErrorCode::Cancelled, "interrupted");
      job.report(static_cast<float>(cell) / static_cast<float>(rows * columns_), "drawing");
      auto drawn = drawCell(cell, cell_);
      if (!drawn) return drawn;
      copyInto(sheet, *drawn, cell % columns_, cell / columns_);
    }
    return sheet;
  }

  // The worst of all images in the error view.
  const std::optional<ShownErrors>& errors() const { return errors_; }

 private:
  Result<render::Frame> drawCell(int cell, const PixelSize& size) {
    Actor actor;
    actor.clip = cell / columns_;
    const CrowdClip& clip = clips_[static_cast<std::size_t>(actor.clip)];
    const double unit = columns_ > 1 ? static_cast<double>(cell % columns_) / (columns_ - 1) : 0.0;
    Crowd crowd(std::array{actor}, clips_);
    crowd.seek(unit * clip.durationSeconds);
    auto drawn = renderer_.drawToFrame(crowd, camera_, settings_, size.width, size.height);
    if (!drawn) return drawn;
    const auto errors = shownErrors(renderer_.stats(), std::span(&entry_, 1), crowd);
    // Once a row: there is little room.
    if (cell % columns_ == columns_ - 1) printScale(*drawn, errors);
    if (errors && (!errors_ || errors->maxMm > errors_->maxMm)) errors_ = errors;
    return drawn;
  }

  // All images of the error view have one scale, which needs the worst of them.
  Result<void> chooseScale(const JobContext& job) {
    if (settings_.view.pose.viewMode != ViewMode::Error || settings_.view.errorScaleMm > 0.0)
      return {};
    const int cells = static_cast<int>(clips_.size()) * columns_;
    for (int cell = 0; cell < cells && !job.stopRequested(); ++cell) {
      if (auto drawn = drawCell(cell, {1, 1}); !drawn) return tl::unexpected(drawn.error());
    }
    settings_.view.errorScaleMm = render::errorScaleFor(errors_ ? errors_->maxMm : 0.0);
    errors_.reset();
    return {};
  }

  render::CrowdRenderer& renderer_;
  const render::CharacterEntry& entry_;
  render::RenderSettings settings_;
  int columns_;
  PixelSize cell_;
  std::vector<CrowdClip> clips_;
  render::Camera camera_;
  std::optional<ShownErrors> errors_;
};

}  // namespace

UsageResult<DrawnImage> drawScene(const RenderOptions& options, const Scene& scene,
                                  const PixelSize& size, const JobContext& job) {
  const ViewSettings& view = scene.project.view;
  const bool isSheet = options.sheetColumns > 0;
  if (isSheet) {
    if (auto ok = checkSheet(view.pose.viewMode); !ok) return tl::unexpected(ok.error());
  }
  if (auto ok = options.drawing.check(scene, !options.fade.mask.empty()); !ok) {
    return tl::unexpected(ok.error());
  }
  auto crowd = crowdFor(options, scene);
  if (!crowd) return tl::unexpected(crowd.error());
  const double posedAt = posedAtSeconds(options.seconds, view.tickRateHz);
  const double tickSeconds = view.tickRateHz > 0.0 ? 1.0 / view.tickRateHz : 1.0 / 60.0;
  // The motion view draws the previous tick as well.
  crowd->seek(view.pose.viewMode == ViewMode::Motion ? posedAt - tickSeconds : posedAt);
  const bool fadedBefore = crowd->fadingActors() > 0;
  crowd->seek(posedAt);
  const auto made = render::CrowdRenderer::make();
  if (!made) return tl::unexpected(made.error());
  render::CrowdRenderer& renderer = **made;
  const bool fading = fadedBefore || crowd->fadingActors() > 0;
  std::vector<render::CharacterEntry> entries = entriesOf(scene);
  if (auto shown = hangStandIns(options, view, entries); !shown) {
    return tl::unexpected(shown.error());
  }
  render::DrawableView drawable =
      render::renderSettingsFor(view, entries, fading, renderer.facts());
  // An unsupported method falls back if the project requested it, and is an error if an option did.
  if (options.drawing.has("--method") && !drawable.methodRefusal.empty()) {
    return fail(ErrorCode::Unsupported, drawable.methodRefusal);
  }
  if (options.drawing.has("--sampling") && !drawable.samplingRefusal.empty()) {
    return tl::unexpected("--sampling: " + drawable.samplingRefusal);
  }
  drawable.settings.detailRemembers = false;
  drawable.settings.view.tickRateHz = 0.0;  // the crowd stands at the time of its last pose
  if (auto ok = checkView(options, scene); !ok) return tl::unexpected(ok.error());
  const auto camera = cameraFor(options, *crowd, scene, size);
  if (!camera) return tl::unexpected(camera.error());
  if (auto ok = renderer.setCharacters(entries); !ok) return tl::unexpected(ok.error());

  Result<DrawnImage> image = DrawnImage{};
  if (isSheet) {
    ContactSheet cells(renderer, entries.front(), drawable.settings, options.sheetColumns, size);
    auto sheet = cells.draw(job);
    if (!sheet) return tl::unexpected(sheet.error());
    image = DrawnImage{std::move(*sheet), renderer.stats(), renderer.facts(), drawable.settings};
    image->errors = cells.errors();
  } else {
    std::vector<render::PlacedProp> props;
    for (const auto& [prop, shape] : scene.props) {
      props.push_back({shape, prop.position, prop.yawDegrees, prop.scale});
    }
    if (auto ok = renderer.setProps(props); !ok) return tl::unexpected(ok.error());
    image = drawCrowd({renderer, *camera, drawable.settings, size, tickSeconds}, *crowd,
                      !options.stats.empty());
    if (!image) return tl::unexpected(image.error());
    image->errors = shownErrors(image->stats, entries, *crowd);
    if (image->errors) {
      image->errors->actor = crowd->sourceIndexOf(image->errors->visibleActor);
      printScale(image->frame, image->errors);
    }
    image->events = eventsSinceStart(*crowd, options.seconds, options.events);
  }
  image->posedAtSeconds = posedAt;
  image->notes = scene.notes;
  for (const Notes& more : {drawable.notes, notesOn(options, *image)}) {
    image->notes.insert(image->notes.end(), more.begin(), more.end());
  }
  return std::move(*image);
}

}  // namespace ck::cli
