#include "render/frame/frame_stats.h"

#include <fmt/format.h>

namespace ck::render {
namespace {

std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"') result += '"';
    result += c;
  }
  return result + '"';
}

std::string mebibytes(std::size_t bytes) {
  return fmt::format("{:.1f} MB", static_cast<double>(bytes) / (1 << 20));
}

// "mesh 2 of guard (31 actors)"
std::string refusedName(const DetailStats::Refusal& one, std::span<const std::string> names) {
  const bool isPicture = one.kind == DetailStats::Way::Kind::Picture;
  const std::string what = isPicture        ? "the pictures"
                           : one.level == 0 ? "the whole mesh"
                                            : fmt::format("mesh {}", one.level);
  const std::string whose =
      one.character < names.size() ? fmt::format(" of {}", names[one.character]) : "";
  const char* plural = one.actors == 1 ? "" : "s";
  const std::string often =
      one.actors > 0 ? fmt::format("{} actor{}", one.actors, plural) : mebibytes(one.bytes);
  return fmt::format("{}{} ({})", what, whose, often);
}

}  // namespace

std::string refusalText(const DetailStats& stats, const DetailSettings& settings,
                        std::span<const std::string> names) {
  std::string triangles;
  std::string memory;
  for (const DetailStats::Refusal& one : stats.refusals) {
    std::string& list = one.actors > 0 ? triangles : memory;
    list += (list.empty() ? "" : ", ") + refusedName(one, names);
  }
  std::string text;
  if (!triangles.empty()) {
    text =
        fmt::format("The budget of {} triangles refuses: {}.", settings.mostTriangles, triangles);
  }
  if (stats.isOverBudget) {
    text += fmt::format("{}There is nothing simple enough to keep to {} triangles.",
                        text.empty() ? "" : " ", settings.mostTriangles);
  }
  if (!memory.empty()) {
    text += fmt::format("{}The budget of {} of memory refuses: {}.", text.empty() ? "" : " ",
                        mebibytes(settings.mostBytes), memory);
  }
  return text;
}

std::string statsCsv(const FrameStats& stats, const ContextFacts& facts) {
  std::string csv = "figure,value,unit\r\n";
  const auto line = [&csv](std::string_view figure, const std::string& value,
                           std::string_view unit) {
    csv += fmt::format("{},{},{}\r\n", figure, value, unit);
  };
  const auto count = [&line](std::string_view figure, std::size_t value, std::string_view unit) {
    line(figure, std::to_string(value), unit);
  };
  line("renderer", quoted(facts.renderer), "");
  line("opengl", quoted(facts.version), "");
  line("software", facts.software ? "yes" : "no", "");
  const auto passes = static_cast<std::size_t>(stats.crowdPasses());
  count("characters", stats.characters, "");
  count("props", stats.props, "");
  count("actors", stats.actors, "");
  count("draws", passes * static_cast<std::size_t>(stats.drawCalls), "a frame");
  count("crowd passes", passes, "a frame");
  count("vertices", passes * stats.vertices, "a frame");
  count("triangles", passes * stats.triangles, "a frame");
  count("fetches", static_cast<std::size_t>(stats.fetchesPerVertex), "a vertex");
  count("atlas", stats.atlasBytes, "bytes");
  count("uploaded", stats.uploadedBytes, "bytes");
  line("tick in this frame", stats.ticked ? "yes" : "no", "");
  if (stats.detail) {
    count("in view", stats.detail->inView, "actors");
    for (std::size_t mesh = 0; mesh < stats.detail->meshes.size(); ++mesh) {
      count(fmt::format("mesh {}", mesh), stats.detail->meshes[mesh].actors, "actors");
    }
    count("pictures", stats.detail->pictures, "actors");
    count("points", stats.detail->points, "actors");
    line("allowed", fmt::format("{:.2f}", stats.detail->pixels), "pixels");
  }
  const char* cpuUnit = facts.software ? "ms of processor time, all threads" : "ms";
  for (const PassCost& pass : stats.passes) {
    line(fmt::format("{} cpu", pass.name), fmt::format("{:.3f}", pass.cpuMs), quoted(cpuUnit));
    if (pass.gpuMs) {
      line(fmt::format("{} gpu", pass.name), fmt::format("{:.3f}", *pass.gpuMs), "ms");
    }
  }
  return csv;
}

}  // namespace ck::render
