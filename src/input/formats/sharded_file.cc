#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <stdexcept>
#include <system_error>
#include <utility>
#include <vector>

#include "input/formats/open_arrays.h"
#include "input/formats/place.h"

namespace mha::input {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kIndexEnd = ".safetensors.index.json";

/// The arrays of several files as one. An index says which file has which; without one every file is asked.
class ShardedFile : public ArrayFile {
 public:
  explicit ShardedFile(std::string name) : ArrayFile(std::move(name)) {}

  /// The file that messages call `name`, next to others of the same checkpoint.
  std::size_t add_shard(const fs::path& path, const std::string& name) {
    shards_.push_back(open_arrays(path.string(), name));
    return shards_.size() - 1;
  }

  void add_array(std::size_t shard, const ArrayInfo& array) {
    add(array);
    places_.push_back({shard, &array});
  }

  /// One that the index names and no file has.
  void add_missing(const std::string& array, const std::string& why) {
    add({array, "none", {}});
    places_.push_back({0, nullptr, why});
  }

  [[nodiscard]] const ArrayFile& shard(std::size_t number) const { return *shards_[number]; }

 private:
  struct Place {
    std::size_t shard;
    const ArrayInfo* array;
    std::string missing = {};
  };

  void check_numbers(std::size_t number) const override {
    const Place& place = places_[number];
    if (place.array == nullptr) refuse(place_of(name(), arrays()[number].name), place.missing);
    shards_[place.shard]->require_numbers(*place.array);
  }

  void read_entries(std::size_t number, Index first, std::span<double> values) const override {
    const Place& place = places_[number];
    shards_[place.shard]->read(*place.array, first, values, Finite::kNotRequired);
  }

  std::vector<std::unique_ptr<ArrayFile>> shards_;
  std::vector<Place> places_;
};

bool is_there(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

std::unique_ptr<ArrayFile> by_index(const fs::path& path, const std::string& name) {
  const std::unique_ptr<ArrayFile> index = json_arrays(*file_bytes(path.string(), name), name);
  constexpr std::string_view kMap = "weight_map.";
  auto whole = std::make_unique<ShardedFile>(name);
  std::map<std::string, std::size_t> shards;
  for (const ArrayInfo& entry : index->arrays()) {
    if (!entry.name.starts_with(kMap)) continue;
    const std::string array = entry.name.substr(kMap.size());
    const auto* const texts = index->texts(entry.name);
    if (texts == nullptr || !entry.shape.empty())
      refuse(place_of(name, entry.name), "is not the name of a file");
    const std::string& file = texts->front();
    // An index must not lead to files elsewhere.
    if (!file.ends_with(".safetensors") || file.find_first_of("/\\") != std::string::npos)
      refuse(place_of(name, entry.name),
             fmt::format("{} is not the name of a file beside it", quoted_key(file)));
    const fs::path shard = path.parent_path() / file;
    if (!shards.contains(file)) {
      if (!is_there(shard)) {
        whole->add_missing(array, fmt::format("its file {} is not there", quoted_key(file)));
        continue;
      }
      shards[file] = whole->add_shard(shard, fmt::format("{}: {}", name, quoted_key(file)));
    }
    const ArrayInfo* const found = whole->shard(shards[file]).find(array);
    if (found != nullptr) {
      whole->add_array(shards[file], *found);
    } else {
      whole->add_missing(array, fmt::format("its file {} does not hold it", quoted_key(file)));
    }
  }
  if (whole->arrays().empty()) refuse(name, "is no index: it has no weight_map");
  return whole;
}

}  // namespace

bool is_index(const std::string& path) { return path.ends_with(kIndexEnd); }

std::unique_ptr<ArrayFile> sharded_file(const std::string& path, const std::string& name) {
  if (is_index(path)) return by_index(path, name);
  std::vector<fs::path> files;
  std::error_code error;
  for (fs::directory_iterator entry(path, error), end; !error && entry != end; entry.increment(error)) {
    const std::string file = entry->path().filename().string();
    if (is_index(file)) return by_index(entry->path(), name);
    if (file.ends_with(".safetensors")) files.push_back(entry->path());
  }
  if (error) refuse(name, error.message());
  if (files.empty()) refuse(name, "is a directory without a .safetensors file");
  std::sort(files.begin(), files.end());
  auto whole = std::make_unique<ShardedFile>(name);
  for (const fs::path& file : files) {
    const std::size_t shard =
        whole->add_shard(file, fmt::format("{}: {}", name, quoted_key(file.filename().string())));
    for (const ArrayInfo& array : whole->shard(shard).arrays()) whole->add_array(shard, array);
  }
  return whole;
}

}  // namespace mha::input
