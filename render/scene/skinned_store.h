#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "render/gl/buffer.h"
#include "render/gl/context.h"

namespace ck::render {

// The vertices of all actors that are skinned before they are drawn, whatever their character: 16
// bytes each (PackedVertex), one texel of a buffer texture, and 4 bytes more for those of
// characters with tangents, in a texture of their own. They lie in pages, because drivers limit
// what one buffer may hold; skinners lease room in them, so that small crowds of many characters
// share a page. An actor's vertices never straddle two pages.
class SkinnedStore {
 public:
  static constexpr std::size_t kVertexBytes = 16;
  static constexpr std::size_t kTangentBytes = 4;
  static constexpr std::size_t kDefaultBudgetBytes = std::size_t{1} << 30;

  struct Limits {
    std::size_t pageVertices = 0;                   // that one buffer can hold
    std::size_t budgetBytes = kDefaultBudgetBytes;  // of all pages together
    std::size_t smallestPageVertices = std::size_t{1} << 18;
  };
  // What the context allows; at most `pageVertices` a page, 0: as many as the context allows.
  static Limits limitsOf(const ContextFacts& facts, std::size_t pageVertices = 0);

  explicit SkinnedStore(const Limits& limits) : limits_(limits) {}

  // Some actors of a lease, one after another in one page.
  struct Run {
    std::size_t page = 0;
    std::size_t firstVertex = 0;  // in the page, of the first actor
    std::size_t firstActor = 0;   // of the lease
    std::size_t actors = 0;
  };

  // The room of one skinner; given back at its end. The store must outlive it.
  class Lease {
   public:
    explicit Lease(SkinnedStore& store) : store_(store) {}
    ~Lease() { store_.giveBack(*this); }
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;

    // Room for so many actors. True where it has not moved, so that what was written is still
    // there; content is undefined otherwise. Fails with LimitExceeded, which says how many actors
    // would fit; nothing is held then. With `tangents` in pages that have room for them.
    Result<bool> reserve(std::size_t actors, std::size_t verticesPerActor, bool tangents = false);

    // By actor, ascending, together as many as were reserved.
    std::span<const Run> runs() const { return runs_; }
    std::size_t sizeBytes() const;

   private:
    friend class SkinnedStore;
    SkinnedStore& store_;
    std::vector<Run> runs_;   // of the actors asked for
    std::vector<Run> rooms_;  // of as many as there is room for
    std::size_t verticesPerActor_ = 0;
    bool tangents_ = false;
  };

  BufferTexture& page(std::size_t index) { return pages_[index]->vertices; }
  // Of the same vertices; empty where the page was not asked for with tangents.
  BufferTexture& tangents(std::size_t index) { return pages_[index]->tangents; }
  std::size_t sizeBytes() const;  // of all pages

  // The budget from now on, for pages to come.
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
    std::vector<Taken> taken;  // ascending, apart from one another
  };
  struct Hole {
    std::size_t page = 0;
    std::size_t first = 0;
    std::size_t count = 0;
  };

  void giveBack(Lease& lease);
  // Vertices that there is room for, in pages of that kind and in pages to come.
  std::size_t freeVertices(bool tangents) const;
  // Places all actors or as many as fit; says how many.
  std::size_t place(Lease& lease, std::size_t actors);
  Hole largestHole(bool tangents) const;
  bool addPage(std::size_t wantedVertices, std::size_t leastVertices, bool tangents);

  Limits limits_;
  std::vector<std::unique_ptr<Page>> pages_;  // null where one was given up
};

}  // namespace ck::render
