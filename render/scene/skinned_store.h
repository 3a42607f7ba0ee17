#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "render/gl/buffer.h"
#include "render/gl/context.h"

namespace ck::render {

// The memory for vertices that are skinned before drawing, shared by all characters. A vertex has
// 16 bytes (PackedVertex), one texel of a buffer texture; vertices of characters with tangents have
// 4 bytes more, in a separate texture. Memory is divided into pages, because drivers limit the size
// of a buffer. Skinners lease parts of pages, so small crowds share a page. An actor's vertices are
// never split over two pages.
class SkinnedStore {
 public:
  static constexpr std::size_t kVertexBytes = 16;
  static constexpr std::size_t kTangentBytes = 4;
  static constexpr std::size_t kDefaultBudgetBytes = std::size_t{1} << 30;

  struct Limits {
    std::size_t pageVertices = 0;                   // maximum of one buffer
    std::size_t budgetBytes = kDefaultBudgetBytes;  // maximum of all pages
    std::size_t smallestPageVertices = std::size_t{1} << 18;
  };
  // The limits of the context, with at most `pageVertices` vertices per page; 0: the context's
  // limit.
  static Limits limitsOf(const ContextFacts& facts, std::size_t pageVertices = 0);

  explicit SkinnedStore(const Limits& limits) : limits_(limits) {}

  // Consecutive actors of a lease in one page.
  struct Run {
    std::size_t page = 0;
    std::size_t firstVertex = 0;  // of the first actor, in the page
    std::size_t firstActor = 0;   // index in the lease
    std::size_t actors = 0;
  };

  // The memory of one skinner, returned on destruction. The store must outlive it.
  class Lease {
   public:
    explicit Lease(SkinnedStore& store) : store_(store) {}
    ~Lease() { store_.giveBack(*this); }
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;

    // Reserves memory for this many actors. Returns true if it has not moved; the content is then
    // kept, otherwise undefined. Fails with LimitExceeded, which says how many actors would fit;
    // the lease is then empty. `tangents` selects pages with tangents.
    Result<bool> reserve(std::size_t actors, std::size_t verticesPerActor, bool tangents = false);

    // Ascending by actor; covers all reserved actors.
    std::span<const Run> runs() const { return runs_; }
    std::size_t sizeBytes() const;

   private:
    friend class SkinnedStore;
    SkinnedStore& store_;
    std::vector<Run> runs_;   // for the requested actors
    std::vector<Run> rooms_;  // for the allocated capacity
    std::size_t verticesPerActor_ = 0;
    bool tangents_ = false;
  };

  BufferTexture& page(std::size_t index) { return pages_[index]->vertices; }
  // The tangents of the page's vertices; empty if the page has none.
  BufferTexture& tangents(std::size_t index) { return pages_[index]->tangents; }
  std::size_t sizeBytes() const;  // of all pages

  // Sets the budget for new pages.
  void limit(std::size_t budgetBytes) { limits_.budgetBytes = budgetBytes; }

 private:
  struct Taken {
    std::size_t first = 0;
    std::size_t count = 0;
  };
  struct Page {
    BufferTexture vertices{TexelKind::Rgba32I};
    BufferTexture tangents{TexelKind::R32I};
    bool hasTangents = false;
    std::size_t size = 0;      // in vertices
    std::vector<Taken> taken;  // ascending and disjoint
  };
  struct Hole {
    std::size_t page = 0;
    std::size_t first = 0;
    std::size_t count = 0;
  };

  void giveBack(Lease& lease);
  // Number of free vertices in pages of this kind and in pages that could be added.
  std::size_t freeVertices(bool tangents) const;
  // Places as many actors as fit, and returns their number.
  std::size_t place(Lease& lease, std::size_t actors);
  Hole largestHole(bool tangents) const;
  bool addPage(std::size_t wantedVertices, std::size_t leastVertices, bool tangents);

  Limits limits_;
  std::vector<std::unique_ptr<Page>> pages_;  // null where a page was freed
};

}  // namespace ck::render
