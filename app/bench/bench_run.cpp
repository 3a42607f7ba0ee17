#include "app/bench/bench_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <fstream>
#include <thread>

#include "app/commands/render_document.h"
#include "core/project/actors/spawn.h"

namespace ck::cli {
namespace {

using Clock = std::chrono::steady_clock;

double processSeconds() {
  timespec time = {};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

std::string processorName() {
  std::ifstream file("/proc/cpuinfo");
  std::string line;
  while (std::getline(file, line)) {
    const std::size_t colon = line.find(": ");
    if (line.starts_with("model name") && colon != std::string::npos) return line.substr(colon + 2);
  }
  return "unknown";
}

Json rowJson(const BenchRow& row) {
  Json json = {{"name", row.name}};
  if (!row.method.empty()) json["method"] = row.method;
  if (!row.encoding.empty()) json["encoding"] = row.encoding;
  if (!row.variant.empty()) json["variant"] = row.variant;
  if (row.actors) json["actors"] = *row.actors;
  if (row.fetches) json["fetches"] = *row.fetches;
  if (row.errorMm) json["errorMm"] = *row.errorMm;
  if (row.frameMs) json["frameMs"] = *row.frameMs;
  if (row.wallMs) json["wallMs"] = *row.wallMs;
  if (row.vertexStageMs) json["vertexStageMs"] = *row.vertexStageMs;
  if (row.ratioToBook) json["ratioToBook"] = *row.ratioToBook;
  if (row.vertexRatioToBook) json["vertexRatioToBook"] = *row.vertexRatioToBook;
  if (row.pixelsDiffering) json["pixelsDiffering"] = *row.pixelsDiffering;
  if (row.pixelsCovered) json["pixelsCovered"] = *row.pixelsCovered;
  if (row.storedDiffering) json["storedDiffering"] = *row.storedDiffering;
  if (row.verticesPerSecond) json["verticesPerSecond"] = *row.verticesPerSecond;
  if (row.trianglesPerSecond) json["trianglesPerSecond"] = *row.trianglesPerSecond;
  if (row.vertexRatioToLimit) json["vertexRatioToLimit"] = *row.vertexRatioToLimit;
  if (row.actorsAtBookTime) json["actorsAtBookTime"] = *row.actorsAtBookTime;
  if (!row.axis.empty()) json["axis"] = row.axis;
  if (row.along) json["along"] = *row.along;
  if (row.atlasBytes) json["atlasBytes"] = *row.atlasBytes;
  if (row.changed) json["changed"] = *row.changed;
  if (row.batch) json["batch"] = *row.batch;
  if (row.passes) json["passes"] = *row.passes;
  if (row.threads) json["threads"] = *row.threads;
  if (row.processorMs) json["processorMs"] = *row.processorMs;
  if (row.share) json["share"] = *row.share;
  if (row.unitsPerSecond) json["unitsPerSecond"] = *row.unitsPerSecond;
  if (!row.unit.empty()) json["unit"] = row.unit;
  if (row.ratioToLimit) json["ratioToLimit"] = *row.ratioToLimit;
  if (row.triangles) json["triangles"] = *row.triangles;
  if (row.uploadedBytes) json["uploadedBytes"] = *row.uploadedBytes;
  if (row.detail) json["detail"] = detailJson(*row.detail);
  if (row.pictureError) {
    json["pictureError"] = {{"mean", row.pictureError->mean},
                            {"p99", row.pictureError->p99},
                            {"over24", row.pictureError->over24}};
  }
  json["runs"] = row.runs;
  json["spread"] = row.spread;
  return json;
}

std::string drawingText(const BenchRow& row) {
  std::string words = fmt::format(", {:.3g} million triangles/s", *row.trianglesPerSecond * 1e-6);
  if (row.ratioToLimit && row.vertexRatioToLimit) {
    words += fmt::format(", {:.2f} and {:.2f} of the trivial shader's speed", *row.ratioToLimit,
                         *row.vertexRatioToLimit);
  }
  if (row.pixelsDiffering && row.pixelsCovered && row.storedDiffering) {
    words += fmt::format(", {} of {} pixels unlike the book's, {} on stored frames",
                         *row.pixelsDiffering, *row.pixelsCovered, *row.storedDiffering);
  }
  if (row.actorsAtBookTime) {
    words += fmt::format(", {} actors in the book's time", *row.actorsAtBookTime);
  }
  return words;
}

}  // namespace

Json benchDocument(const BenchResult& result) {
  Json json;
  json["machine"] = {{"cpu", processorName()}, {"cores", std::thread::hardware_concurrency()}};
  if (!result.renderer.empty()) {
    json["machine"]["renderer"] = result.renderer;
    json["machine"]["gl"] = result.gl;
  }
  json["limits"] = Json::object();
  if (result.copyGBs) json["limits"]["copyGBs"] = *result.copyGBs;
  if (result.morphPlaces) json["morphPlaces"] = *result.morphPlaces;
  if (!result.computeMissing.empty()) json["computeMissing"] = result.computeMissing;
  json["rows"] = jsonList(result.rows, rowJson);
  return json;
}

std::string benchText(const BenchResult& result) {
  std::string lines =
      fmt::format("{}, {} cores\n", processorName(), std::thread::hardware_concurrency());
  if (!result.renderer.empty()) lines += fmt::format("{}, OpenGL {}\n", result.renderer, result.gl);
  if (result.copyGBs) lines += fmt::format("copying: {:.2f} GB/s\n", *result.copyGBs);
  if (!result.computeMissing.empty()) lines += result.computeMissing + "\n";
  for (const BenchRow& row : result.rows) {
    lines += row.name;
    for (const std::string& word : {row.method, row.encoding, row.variant}) {
      if (!word.empty()) lines += " " + word;
    }
    if (row.along) lines += fmt::format(", {} {}", *row.along, row.axis);
    if (row.actors && row.axis != "actors") lines += fmt::format(", {} actors", *row.actors);
    if (row.changed) lines += fmt::format(", {} targets changed", *row.changed);
    if (row.batch) lines += fmt::format(", {} a pass", *row.batch);
    if (row.passes) lines += fmt::format(", {} passes", *row.passes);
    if (row.processorMs) lines += fmt::format(", {:.2f} ms of processor", *row.processorMs);
    if (row.threads) lines += fmt::format(", {} threads", *row.threads);
    if (row.share) lines += fmt::format(", {:.0f} %", 100.0 * *row.share);
    if (row.fetches) lines += fmt::format(", {} fetches", *row.fetches);
    if (row.errorMm) lines += fmt::format(", {:.3g} mm from the source", *row.errorMm);
    if (row.frameMs) lines += fmt::format(", {:.2f} ms of processor a frame", *row.frameMs);
    if (row.wallMs) lines += fmt::format(", {:.2f} ms", *row.wallMs);
    if (row.vertexStageMs) lines += fmt::format(", {:.2f} ms of it vertices", *row.vertexStageMs);
    if (row.ratioToBook && row.vertexRatioToBook) {
      lines += fmt::format(", {:.2f} and {:.2f} times the book's speed", *row.ratioToBook,
                           *row.vertexRatioToBook);
    }
    if (row.ratioToBook && !row.vertexRatioToBook) {
      lines += fmt::format(", {:.2f} times the book's speed", *row.ratioToBook);
    }
    if (row.triangles) lines += fmt::format(", {} triangles", *row.triangles);
    if (row.detail) {
      lines += fmt::format(", {} in view, {} pictures, {} points", row.detail->inView,
                           row.detail->pictures, row.detail->points);
    }
    if (row.pictureError) {
      lines += fmt::format(", {} pixels unlike", row.pictureError->over24);
    }
    if (row.unitsPerSecond) lines += fmt::format(", {:.4g} {}/s", *row.unitsPerSecond, row.unit);
    if (row.ratioToLimit && row.unitsPerSecond) {
      lines += fmt::format(" ({:.2f} of copying)", *row.ratioToLimit);
    }
    if (row.trianglesPerSecond) lines += drawingText(row);
    lines += fmt::format("; {} runs, spread {:.2f}\n", row.runs, row.spread);
  }
  return lines;
}

std::vector<Actor> benchActors(const BenchRun& run, int count, const Character& character,
                               const std::vector<CrowdClip>& clips) {
  std::vector<std::string> names;
  names.reserve(clips.size());
  for (const CrowdClip& clip : clips) names.push_back(clip.name);
  SpawnSettings settings = spawnSettings(run.options);
  settings.count = count;
  settings.spacingMeters = spacingFor(character);
  settings.clipCount = std::max(1, static_cast<int>(names.size()));
  return spawnFor(character, names, settings);
}

double median(std::vector<double> values) {
  std::ranges::sort(values);
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) * 0.5;
}

double spreadOf(const std::vector<double>& values) {
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  const double middle = median(values);
  return middle > 0.0 ? (*high - *low) / middle : 0.0;
}

Result<Runs> measure(const JobContext& job, std::size_t fewest,
                     const std::function<Result<void>()>& work) {
  if (auto ok = work(); !ok) return tl::unexpected(ok.error());
  Runs runs;
  const Clock::time_point start = Clock::now();
  while (runs.wall.size() < fewest ||
         (Clock::now() - start < std::chrono::milliseconds(250) && runs.wall.size() < 200)) {
    if (job.stopRequested()) return fail(ErrorCode::Cancelled, "interrupted");
    const double processor = processSeconds();
    const Clock::time_point wall = Clock::now();
    if (auto ok = work(); !ok) return tl::unexpected(ok.error());
    runs.wall.push_back(std::chrono::duration<double>(Clock::now() - wall).count());
    runs.processor.push_back(processSeconds() - processor);
  }
  return runs;
}

BenchRow rowOf(std::string name, const Runs& runs) {
  BenchRow row;
  row.name = std::move(name);
  row.wallMs = median(runs.wall) * 1e3;
  row.runs = static_cast<int>(runs.wall.size());
  row.spread = spreadOf(runs.wall);
  return row;
}

BenchRow throughputRow(std::string name, double units, std::string unit, const Runs& runs) {
  BenchRow row = rowOf(std::move(name), runs);
  row.unit = std::move(unit);
  row.unitsPerSecond = units / median(runs.wall);
  return row;
}

}  // namespace ck::cli
