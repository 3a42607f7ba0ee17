#include "tests/fuzz/fbx_records.h"

#include <zlib.h>

#include <algorithm>
#include <cstring>

namespace ck::fuzz {
namespace {

constexpr std::size_t kHeadBytes = 27;
constexpr std::size_t kMostNodes = 20'000;
constexpr std::size_t kMostPlainBytes = 1 << 20;
constexpr std::string_view kArrays = "fdlibc";

std::size_t widthOf(char kind) {
  switch (kind) {
    case 'C':
    case 'B':
    case 'c':
    case 'b':
      return 1;
    case 'Y':
      return 2;
    case 'I':
    case 'F':
    case 'i':
    case 'f':
      return 4;
    case 'D':
    case 'L':
    case 'd':
    case 'l':
      return 8;
    default:
      return 0;
  }
}

template <class Number>
void add(std::string& to, Number number) {
  to.append(reinterpret_cast<const char*>(&number), sizeof number);
}

// An array as a value with plain numbers.
std::string arrayOf(char kind, std::string_view numbers) {
  std::string value(1, kind);
  add(value, static_cast<std::uint32_t>(numbers.size() / widthOf(kind)));
  add(value, std::uint32_t{0});
  add(value, static_cast<std::uint32_t>(numbers.size()));
  return value.append(numbers);
}

class Parser {
 public:
  Parser(std::string_view bytes, bool wide) : bytes_(bytes), wide_(wide) {}

  bool nodes(std::size_t& at, std::size_t end, std::vector<FbxRecord>& to, int depth) {
    const std::size_t counts = wide_ ? 24 : 12;
    while (at + counts + 1 <= end) {
      std::size_t facts[3] = {};
      for (int i = 0; i < 3; ++i) {
        const std::size_t place = at + static_cast<std::size_t>(i) * counts / 3;
        if (wide_) {
          facts[i] = number<std::uint64_t>(place);
        } else {
          facts[i] = number<std::uint32_t>(place);
        }
      }
      const std::size_t length = static_cast<std::uint8_t>(bytes_[at + counts]);
      if (facts[0] == 0) {
        at += counts + 1;
        return true;
      }
      if (facts[0] > end || facts[0] <= at || depth > 40 || ++made_ > kMostNodes) return false;
      FbxRecord& node = to.emplace_back();
      std::size_t inner = at + counts + 1 + length;
      if (inner > facts[0]) return false;
      node.name = bytes_.substr(at + counts + 1, length);
      for (std::size_t v = 0; v < facts[1]; ++v) {
        if (!value(inner, facts[0], node.values.emplace_back())) return false;
      }
      if (inner < facts[0] && !nodes(inner, facts[0], node.children, depth + 1)) return false;
      at = facts[0];
    }
    return true;
  }

 private:
  template <class Number>
  Number number(std::size_t at) const {
    Number found = 0;
    if (at + sizeof found <= bytes_.size()) std::memcpy(&found, bytes_.data() + at, sizeof found);
    return found;
  }

  bool value(std::size_t& at, std::size_t end, std::string& to) const {
    if (at >= end) return false;
    const char kind = bytes_[at];
    std::size_t size = 1 + widthOf(kind);
    if (kind == 'S' || kind == 'R') size = 5 + std::size_t{number<std::uint32_t>(at + 1)};
    const bool isArray = kArrays.find(kind) != std::string_view::npos;
    if (isArray) size = 13 + std::size_t{number<std::uint32_t>(at + 9)};
    if (size == 1 || size > end - at) return false;
    to = bytes_.substr(at, size);
    if (isArray && number<std::uint32_t>(at + 5) == 1 && !unpack(to)) return false;
    at += size;
    return true;
  }

  static bool unpack(std::string& value) {
    std::uint32_t count = 0;
    std::memcpy(&count, value.data() + 1, 4);
    uLongf size = std::uint64_t{count} * widthOf(value[0]);
    if (size > kMostPlainBytes) return false;
    std::string plain(size, '\0');
    if (uncompress(reinterpret_cast<Bytef*>(plain.data()), &size,
                   reinterpret_cast<const Bytef*>(value.data() + 13), value.size() - 13) != Z_OK) {
      return false;
    }
    value = arrayOf(value[0], plain);
    return true;
  }

  std::string_view bytes_;
  bool wide_;
  std::size_t made_ = 0;
};

void write(std::string& to, const FbxRecord& node, bool wide) {
  const std::size_t begin = to.size();
  const std::size_t counts = wide ? 24 : 12;
  to.append(counts, '\0');
  to += static_cast<char>(std::min<std::size_t>(node.name.size(), 255));
  to += node.name.substr(0, 255);
  const std::size_t values = to.size();
  for (const std::string& value : node.values) to += value;
  const std::size_t valueBytes = to.size() - values;
  for (const FbxRecord& child : node.children) write(to, child, wide);
  if (!node.children.empty()) to.append(counts + 1, '\0');
  std::string facts;
  for (const std::size_t fact : {to.size(), node.values.size(), valueBytes}) {
    if (wide) {
      add(facts, std::uint64_t{fact});
    } else {
      add(facts, static_cast<std::uint32_t>(fact));
    }
  }
  to.replace(begin, counts, facts);
}

class Mutation {
 public:
  Mutation(FbxRecords& records, std::mt19937& random) : records_(records), random_(random) {}

  void step() {
    lists_.clear();
    collect(records_.nodes);
    std::vector<FbxRecord>& list = *lists_[below(lists_.size())];
    if (list.empty()) return;
    const std::size_t at = below(list.size());
    switch (below(8)) {
      case 0:
        list.erase(list.begin() + static_cast<std::ptrdiff_t>(at));
        break;
      case 1:
        if (sizeOf(list[at]) < 2'000) list.push_back(FbxRecord(list[at]));
        break;
      case 2:
        std::swap(list[at], list[below(list.size())]);
        break;
      case 3: {
        // A node of elsewhere.
        const std::vector<FbxRecord>& other = *lists_[below(lists_.size())];
        if (other.empty()) break;
        FbxRecord copy = other[below(other.size())];
        if (sizeOf(copy) < 2'000) list.insert(list.begin(), std::move(copy));
        break;
      }
      default:
        changeValues(list[at]);
        break;
    }
  }

 private:
  std::size_t below(std::size_t end) { return end == 0 ? 0 : random_() % end; }

  void collect(std::vector<FbxRecord>& list) {
    lists_.push_back(&list);
    for (FbxRecord& node : list) collect(node.children);
  }

  static std::size_t sizeOf(const FbxRecord& node) {
    std::size_t size = 1;
    for (const FbxRecord& child : node.children) size += sizeOf(child);
    return size;
  }

  double real() {
    static constexpr double kReals[] = {0, 1, -1, 0.5, 90, 360, 1e-9, 1e9, 1e20, -1e300, 1e-310};
    return kReals[below(std::size(kReals))];
  }
  std::int64_t whole() {
    static constexpr std::int64_t kWholes[] = {
        0, 1, -1, 2, 3, -4, 7, 100, 65535, 1 << 24, INT32_MAX, INT32_MIN, INT64_MAX, 46186158000};
    return kWholes[below(std::size(kWholes))];
  }

  void setNumber(char kind, char* at) {
    switch (kind) {
      case 'D':
      case 'd': {
        const double number = real();
        std::memcpy(at, &number, 8);
        break;
      }
      case 'F':
      case 'f': {
        const float number = static_cast<float>(std::clamp(real(), -3e38, 3e38));
        std::memcpy(at, &number, 4);
        break;
      }
      default: {
        const std::int64_t number = whole();
        std::memcpy(at, &number, widthOf(kind));
        break;
      }
    }
  }

  void changeText(std::string& value) {
    std::string text = value.substr(5);
    if (below(3) == 0) {
      text.resize(below(text.size() + 1));
    } else if (!text.empty()) {
      text[below(text.size())] = static_cast<char>(random_());
    }
    value.resize(1);
    add(value, static_cast<std::uint32_t>(text.size()));
    value += text;
  }

  void changeArray(std::string& value) {
    const std::size_t width = widthOf(value[0]);
    std::string numbers = value.substr(13);
    const std::size_t count = numbers.size() / width;
    switch (below(4)) {
      case 0:
        numbers.resize(below(count + 1) * width);
        break;
      case 1:
        if (count < 50'000) numbers.append(numbers, 0, below(count + 1) * width);
        break;
      default:
        if (count > 0) setNumber(value[0], numbers.data() + below(count) * width);
        break;
    }
    value = arrayOf(value[0], numbers);
  }

  void changeValues(FbxRecord& node) {
    if (node.values.empty()) {
      if (below(4) == 0) node.name = records_.nodes[below(records_.nodes.size())].name;
      return;
    }
    std::string& value = node.values[below(node.values.size())];
    if (below(10) == 0) {
      // Another number of values, or one of another kind.
      if (below(2) == 0) {
        node.values.pop_back();
      } else {
        std::string added = "D";
        add(added, real());
        node.values.push_back(added);
      }
    } else if (value[0] == 'S' || value[0] == 'R') {
      changeText(value);
    } else if (kArrays.find(value[0]) != std::string_view::npos) {
      changeArray(value);
    } else {
      setNumber(value[0], value.data() + 1);
    }
  }

  FbxRecords& records_;
  std::mt19937& random_;
  std::vector<std::vector<FbxRecord>*> lists_;
};

}  // namespace

bool takeApart(std::string_view bytes, FbxRecords& records) {
  if (bytes.size() < kHeadBytes || !bytes.starts_with("Kaydara FBX Binary")) return false;
  std::uint32_t version = 0;
  std::memcpy(&version, bytes.data() + 23, 4);
  records = {std::string(bytes.substr(0, kHeadBytes)), version >= 7500, {}};
  std::size_t at = kHeadBytes;
  return Parser(bytes, records.wide).nodes(at, bytes.size(), records.nodes, 0) &&
         !records.nodes.empty();
}

std::string putTogether(const FbxRecords& records) {
  std::string bytes = records.head;
  for (const FbxRecord& node : records.nodes) write(bytes, node, records.wide);
  return bytes.append(records.wide ? 25 : 13, '\0');
}

void change(FbxRecords& records, std::mt19937& random) {
  Mutation mutation(records, random);
  for (auto steps = 1 + random() % 4; steps > 0 && !records.nodes.empty(); --steps) {
    mutation.step();
  }
}

}  // namespace ck::fuzz
