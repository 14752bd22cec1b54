// SPDX-License-Identifier: Apache-2.0
#include "cohort/run/stamps.h"

#include <chrono>
#include <optional>

#include <sys/stat.h>

#include "crema/base/error.h"
#include "crema/base/json_parse.h"
#include "files/io/system/held.h"
#include "files/io/system/regular.h"

namespace crema::cohort {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kSecond = 1'000'000'000;
/// File systems count time in steps of up to two seconds.
constexpr std::int64_t kSettled = 2 * kSecond;

std::optional<FileStamp> stamp_of(const fs::path& path) {
  struct stat status {};
  if (!files::status_of(path, status)) return std::nullopt;
  return FileStamp{path.string(), status.st_size, status.st_mtim.tv_sec * kSecond + status.st_mtim.tv_nsec};
}

std::int64_t now() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

std::string line_of_case(const std::string& name, const CaseStamp& stamp) {
  Json files = Json::array();
  for (const FileStamp& one : stamp.files)
    files.push_back(Json(Json::Array{one.path, one.bytes, one.modified}));
  return line_of(Json{{"case", name}, {"result", stamp.result}, {"files", std::move(files)}}) + "\n";
}

}  // namespace

Stamps::Stamps(const fs::path& file) {
  try {
    const std::string text = files::read_text(file);
    for (std::size_t at = 0, end = 0; (end = text.find('\n', at)) != std::string::npos; at = end + 1) {
      const Json json = parse_json(std::string_view(text).substr(at, end - at));
      CaseStamp& stamp = cases_[std::string(text_in(member(json, "case")))];
      stamp.result = text_in(member(json, "result"));
      for (const Json& one : list_in(member(json, "files")))
        if (const Json::Array& fields = list_in(one); fields.size() == 3)
          stamp.files.push_back({std::string(text_in(fields[0])), whole_in(fields[1]), whole_in(fields[2])});
    }
  } catch (const Error&) {
    cases_.clear();
  }
}

bool Stamps::vouch_for(const std::string& name, std::string_view result,
                       const std::vector<fs::path>& files) const {
  const auto found = cases_.find(name);
  if (found == cases_.end() || found->second.result != result || found->second.files.size() != files.size())
    return false;
  for (std::size_t f = 0; f < files.size(); ++f)
    if (found->second.files[f].path != files[f].string() || stamp_of(files[f]) != found->second.files[f])
      return false;
  return true;
}

void Stamps::set(const std::string& name, std::string result, const std::vector<fs::path>& inputs,
                 const std::vector<fs::path>& outputs) {
  CaseStamp stamp{std::move(result), {}};
  const std::int64_t settled = now() - kSettled;
  for (const fs::path& path : inputs) {
    const std::optional<FileStamp> one = stamp_of(path);
    if (!one || one->modified > settled) return;
    stamp.files.push_back(*one);
  }
  for (const fs::path& path : outputs) {
    const std::optional<FileStamp> one = stamp_of(path);
    if (!one) return;
    stamp.files.push_back(*one);
  }
  const std::lock_guard lock(mutex_);
  cases_[name] = std::move(stamp);
}

void Stamps::keep(const std::string& name, const Stamps& from) {
  const auto found = from.cases_.find(name);
  if (found == from.cases_.end()) return;
  const std::lock_guard lock(mutex_);
  cases_[name] = found->second;
}

std::string Stamps::text() const {
  std::string text;
  for (const auto& [name, stamp] : cases_) text += line_of_case(name, stamp);
  return text;
}

}  // namespace crema::cohort
