#include "render/scene/skinned_store.h"

#include <epoxy/gl.h>
#include <fmt/format.h>

#include <algorithm>

#include "core/base/assert.h"

namespace ck::render {
namespace {

std::size_t bytesEach(bool tangents) {
  return SkinnedStore::kVertexBytes + (tangents ? SkinnedStore::kTangentBytes : 0);
}

// Three digits, so that a single body does not show as 0.
std::string mebibytes(std::size_t bytes) {
  return fmt::format("{:.3f} MiB", static_cast<double>(bytes) / 1048576.0);
}

// The limit is the driver's, or other leases use the memory.
Result<bool> tooScattered(std::size_t actors, std::size_t fit, std::size_t bytesPerActor) {
  return fail(ErrorCode::LimitExceeded,
              fmt::format("the skinned vertices of {} actors take {}, and the graphics driver has "
                          "room for {} actors of this character in one piece; show fewer, or "
                          "choose the method palette",
                          actors, mebibytes(actors * bytesPerActor), fit));
}

Result<bool> tooMany(std::size_t actors, std::size_t fit, std::size_t bytesPerActor,
                     std::size_t budgetBytes) {
  return fail(ErrorCode::LimitExceeded,
              fmt::format("the skinned vertices of {} actors take {}, and there is room for {} "
                          "actors of this character in the {} that all characters may take; show "
                          "fewer, allow more memory, or choose the method palette",
                          actors, mebibytes(actors * bytesPerActor), fit, mebibytes(budgetBytes)));
}

}  // namespace

SkinnedStore::Limits SkinnedStore::limitsOf(const ContextFacts& facts, std::size_t pageVertices) {
  Limits limits;
  limits.pageVertices = static_cast<std::size_t>(facts.maxBufferTexels);
  if (facts.compute) {
    GLint64 block = 0;
    glGetInteger64v(GL_MAX_SHADER_STORAGE_BLOCK_SIZE, &block);
    limits.pageVertices =
        std::min(limits.pageVertices, static_cast<std::size_t>(block) / kVertexBytes);
  }
  // Shaders address vertices with signed 32-bit integers, and some drivers address bytes of a
  // buffer so.
  limits.pageVertices = std::min(limits.pageVertices, (std::size_t{1} << 31) / kVertexBytes - 1);
  if (pageVertices > 0) limits.pageVertices = std::min(limits.pageVertices, pageVertices);
  return limits;
}

std::size_t SkinnedStore::sizeBytes() const {
  std::size_t bytes = 0;
  for (const auto& page : pages_) {
    if (page) bytes += page->size * bytesEach(page->hasTangents);
  }
  return bytes;
}

std::size_t SkinnedStore::freeVertices(bool tangents) const {
  const std::size_t left = limits_.budgetBytes - std::min(limits_.budgetBytes, sizeBytes());
  std::size_t vertices = left / bytesEach(tangents);
  for (const auto& page : pages_) {
    if (!page || page->hasTangents != tangents) continue;
    vertices += page->size;
    for (const Taken& taken : page->taken) vertices -= taken.count;
  }
  return vertices;
}

std::size_t SkinnedStore::Lease::sizeBytes() const {
  std::size_t vertices = 0;
  for (const Run& room : rooms_) vertices += room.actors * verticesPerActor_;
  return vertices * bytesEach(tangents_);
}

Result<bool> SkinnedStore::Lease::reserve(std::size_t actors, std::size_t verticesPerActor,
                                          bool tangents) {
  CK_ASSERT(verticesPerActor > 0);
  std::size_t room = 0;
  for (const Run& run : rooms_) room += run.actors;
  const bool same = verticesPerActor == verticesPerActor_ && tangents == tangents_;
  const bool keeps = same && room >= actors && room / 4 <= actors;
  if (!keeps) {
    store_.giveBack(*this);
    verticesPerActor_ = verticesPerActor;
    tangents_ = tangents;
    const std::size_t bytesPerActor = verticesPerActor * bytesEach(tangents);
    // Checked before allocating, because drivers may write all of the memory they allocate.
    const std::size_t most = store_.freeVertices(tangents) / verticesPerActor;
    if (actors > most) return tooMany(actors, most, bytesPerActor, store_.limits_.budgetBytes);
    // Reserves extra capacity, so that a growing crowd does not move in every tick.
    const std::size_t fit = store_.place(*this, std::min(most, actors + actors / 4));
    if (fit < actors) {
      store_.giveBack(*this);
      return tooScattered(actors, fit, bytesPerActor);
    }
  }
  runs_.clear();
  for (Run run : rooms_) {
    run.actors = std::min(run.actors, actors - std::min(actors, run.firstActor));
    if (run.actors > 0) runs_.push_back(run);
  }
  return keeps;
}

void SkinnedStore::giveBack(Lease& lease) {
  for (const Run& room : lease.rooms_) {
    std::unique_ptr<Page>& page = pages_[room.page];
    std::erase_if(page->taken,
                  [&room](const Taken& taken) { return taken.first == room.firstVertex; });
    if (page->taken.empty()) page.reset();
  }
  lease.rooms_.clear();
  lease.runs_.clear();
}

SkinnedStore::Hole SkinnedStore::largestHole(bool tangents) const {
  Hole best;
  for (std::size_t index = 0; index < pages_.size(); ++index) {
    if (!pages_[index] || pages_[index]->hasTangents != tangents) continue;
    const Page& page = *pages_[index];
    std::size_t first = 0;
    const auto look = [&](std::size_t end) {
      if (end - first > best.count) best = {index, first, end - first};
    };
    for (const Taken& taken : page.taken) {
      look(taken.first);
      first = taken.first + taken.count;
    }
    look(page.size);
  }
  return best;
}

bool SkinnedStore::addPage(std::size_t wantedVertices, std::size_t leastVertices, bool tangents) {
  const std::size_t held = sizeBytes();
  const std::size_t left = limits_.budgetBytes - std::min(limits_.budgetBytes, held);
  const std::size_t most = std::min(limits_.pageVertices, left / bytesEach(tangents));
  if (most < leastVertices) return false;
  auto page = std::make_unique<Page>();
  page->size = std::min(std::max(wantedVertices, limits_.smallestPageVertices), most);
  if (!page->vertices.allocate(page->size * kVertexBytes, "skinned vertices")) return false;
  page->hasTangents = tangents;
  if (tangents && !page->tangents.allocate(page->size * kTangentBytes, "skinned tangents")) {
    return false;
  }
  const auto free = std::find(pages_.begin(), pages_.end(), nullptr);
  if (free != pages_.end()) {
    *free = std::move(page);
  } else {
    pages_.push_back(std::move(page));
  }
  return true;
}

std::size_t SkinnedStore::place(Lease& lease, std::size_t actors) {
  const std::size_t each = lease.verticesPerActor_;
  std::size_t done = 0;
  while (done < actors) {
    const std::size_t rest = actors - done;
    Hole hole = largestHole(lease.tangents_);
    if (hole.count < rest * each &&
        addPage(rest * each, std::max(each, hole.count + 1), lease.tangents_)) {
      hole = largestHole(lease.tangents_);
    }
    const std::size_t fit = std::min(rest, hole.count / each);
    if (fit == 0) break;
    lease.rooms_.push_back({hole.page, hole.first, done, fit});
    std::vector<Taken>& taken = pages_[hole.page]->taken;
    taken.push_back({hole.first, fit * each});
    std::sort(taken.begin(), taken.end(),
              [](const Taken& a, const Taken& b) { return a.first < b.first; });
    done += fit;
  }
  return done;
}

}  // namespace ck::render
