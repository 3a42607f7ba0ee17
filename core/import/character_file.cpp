#include "core/import/character_file.h"

#include <fmt/format.h>

#include <cmath>

#include "core/base/files.h"
#include "core/import/character_sections.h"

namespace ck {
namespace {

constexpr int kDeepestRig = 4'096;

tl::unexpected<Error> bad(std::string what) {
  return fail(ErrorCode::ImportBadResult, std::move(what));
}

std::span<const std::byte> behindHeader(std::span<const std::byte> bytes) {
  return bytes.subspan(blob::kHeaderBytes);
}

struct Header {
  std::uint32_t magic = 0;
  std::uint32_t version = 0;
  std::uint64_t totalBytes = 0;
  std::uint64_t hash = 0;  // hash of all bytes after the header
  std::uint32_t sectionCount = 0;
  std::uint32_t zero = 0;
};

Header readHeader(ByteReader& in) {
  Header header;
  header.magic = in.number<std::uint32_t>();
  header.version = in.number<std::uint32_t>();
  header.totalBytes = in.number<std::uint64_t>();
  header.hash = in.number<std::uint64_t>();
  header.sectionCount = in.number<std::uint32_t>();
  header.zero = in.number<std::uint32_t>();
  return header;
}

// Sections are contiguous and in the order of their ids.
Result<void> readSections(std::span<const std::byte> bytes, Character& character) {
  ByteReader table(behindHeader(bytes));
  std::size_t expected = blob::kHeaderBytes + blob::kSectionCount * blob::kTableEntryBytes;
  for (std::uint32_t s = 1; s <= blob::kSectionCount; ++s) {
    const std::uint32_t id = table.number<std::uint32_t>();
    const std::uint32_t zero = table.number<std::uint32_t>();
    const std::uint64_t offset = table.number<std::uint64_t>();
    const std::uint64_t size = table.number<std::uint64_t>();
    if (!table.good() || id != s || zero != 0 || offset != expected || expected > bytes.size() ||
        size > bytes.size() - expected) {
      return bad(fmt::format("section {} does not lie where it should", s));
    }
    ByteReader in(bytes.subspan(expected, static_cast<std::size_t>(size)));
    blob::read(in, character, static_cast<blob::Section>(s));
    if (!in.atEnd()) return bad(fmt::format("section {} holds values that make no sense", s));
    expected += static_cast<std::size_t>(size);
  }
  if (expected != bytes.size()) return bad("there are bytes behind the last section");
  return {};
}

// Limits that ck::validate() does not check.
Result<void> checkDepth(const Rig& rig) {
  std::vector<int> depths;
  depths.reserve(rig.joints.size());
  for (std::size_t j = 0; j < rig.joints.size(); ++j) {
    const int parent = rig.joints[j].parent;
    if (parent < -1 || parent >= static_cast<int>(j)) return bad("joints are not parents-first");
    depths.push_back(parent < 0 ? 1 : depths[static_cast<std::size_t>(parent)] + 1);
    if (depths.back() > kDeepestRig) return bad("the hierarchy is too deep");
  }
  return {};
}

}  // namespace

std::vector<std::byte> characterToBytes(const Character& character) {
  // One buffer: a character may take a good part of the memory there is.
  ByteWriter out;
  out.zeros(blob::kHeaderBytes + blob::kSectionCount * blob::kTableEntryBytes);
  ByteWriter table;
  for (std::uint32_t s = 1; s <= blob::kSectionCount; ++s) {
    const std::size_t offset = out.size();
    blob::write(out, character, static_cast<blob::Section>(s));
    table.number(s);
    table.number(std::uint32_t{0});
    table.number(static_cast<std::uint64_t>(offset));
    table.number(static_cast<std::uint64_t>(out.size() - offset));
  }
  out.overwrite(blob::kHeaderBytes, table);
  ByteWriter header;
  header.number(blob::kMagic);
  header.number(blob::kVersion);
  header.number(static_cast<std::uint64_t>(out.size()));
  header.number(hashBytes(behindHeader(out.bytes())));
  header.number(blob::kSectionCount);
  header.number(std::uint32_t{0});
  out.overwrite(0, header);
  return out.take();
}

Result<Character> characterFromBytes(std::span<const std::byte> bytes) {
  ByteReader in(bytes);
  const Header header = readHeader(in);
  if (!in.good() || header.magic != blob::kMagic) return bad("this is not a character");
  if (header.version != blob::kVersion) {
    return bad(
        fmt::format("this is version {} of the form, not {}", header.version, blob::kVersion));
  }
  if (header.totalBytes != bytes.size()) {
    return bad(
        fmt::format("there are {} bytes where {} were promised", bytes.size(), header.totalBytes));
  }
  if (header.sectionCount != blob::kSectionCount || header.zero != 0) {
    return bad("the number of sections is not right");
  }
  if (hashBytes(behindHeader(bytes)) != header.hash) return bad("the checksum does not match");
  Character character;
  if (auto ok = readSections(bytes, character); !ok) return tl::unexpected(ok.error());
  if (auto ok = checkDepth(character.rig); !ok) return tl::unexpected(ok.error());
  if (auto ok = validate(character); !ok) return bad(ok.error().message);
  return character;
}

}  // namespace ck
