#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "core/base/job.h"
#include "core/base/result.h"
#include "core/export/image_file.h"

namespace ck {

struct FolderReading {
  // Whether this process has just written the files. Pictures of others are decoded by kiln-import,
  // which takes some milliseconds each.
  bool ownFiles = false;
  JobContext job = {};
};

// A picture file of texels as another file describes it.
struct DescribedPicture {
  std::filesystem::path path;
  std::string kind;  // ExportFormat::name
  std::uint64_t bytes = 0;
  std::string xxh3;
  TexelGrid grid;
};

// Refuses a file that is too small for that many texels before memory is allocated: images do not
// compress better than deflate. Fails with InvalidInput.
Result<void> checkClaim(std::uint64_t fileBytes, const TexelGrid& grid);

// The bytes of a file that has the size and hash of its description. Fails with InvalidInput, and
// as readFile().
Result<std::vector<std::byte>> describedBytes(const std::filesystem::path& path,
                                              std::uint64_t bytes, const std::string& xxh3);

// Lets kiln-import decode a picture, which it refuses if its hash is not that of its description.
// Fails with InvalidInput and as runImportWorker().
Result<std::vector<std::byte>> decodedByWorker(const DescribedPicture& picture,
                                               const JobContext& job);

}  // namespace ck
