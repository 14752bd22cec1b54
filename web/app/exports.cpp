// SPDX-License-Identifier: Apache-2.0
// What the app calls besides what a report calls; texts end with a zero.
#include <algorithm>
#include <cstring>
#include <new>
#include <string_view>

#include "crema/base/error.h"
#include "crema/base/json.h"
#include "crema/base/text.h"
#include "web/app/app.h"
#include "web/app/memory_files.h"

namespace {

using crema::Json;
using Bytes = std::vector<std::uint8_t>;

crema::report::Shown shown;
Bytes saved;
std::string answer;

/// Where something lies in the memory of the module.
template <class T>
Json place_of(const T& bytes) {
  return {reinterpret_cast<std::uintptr_t>(bytes.data()), bytes.size()};
}

Json structure_json(const crema::report::StructurePart& part) {
  Json json{{"json", place_of(part.payload.json)},
            {"voxels", place_of(part.payload.voxels)},
            {"html", place_of(part.html)},
            {"painted", Json::array()}};
  for (const auto& [name, levels] : part.payload.painted)
    json["painted"].push_back({{"name", name}, {"levels", place_of(levels)}});
  return json;
}

/// In the program's words; where they name a setting, that it is not one of the page.
std::string reported(const crema::Sentence& sentence) {
  const std::string text = sentence.text(crema::Spelling::program);
  const bool names = text != sentence.text(crema::Spelling::python);
  return names ? text + " The page does not have this setting; use the program: crema fuse." : text;
}

/// With what the page can do about it.
Json refused(const crema::Sentence& sentence) {
  const auto offers = crema::report::offers_of(sentence);
  Json json{{"error", offers.empty() ? reported(sentence) : sentence.text(crema::Spelling::program)},
            {"offers", Json::array()}};
  for (const auto& [name, value] : offers) json["offers"].push_back({{"name", name}, {"value", value}});
  return json;
}

template <class F>
const char* answered(F make) {
  try {
    answer = make().text();
  } catch (const crema::Error& error) {
    answer = refused(error.sentence).text();
  } catch (const std::bad_alloc&) {
    answer = Json{{"error", "The browser does not have enough memory for this; use the program: crema fuse."}}
                 .text();
  } catch (const std::exception& error) {
    answer = Json{{"error", error.what()}}.text();
  }
  return answer.c_str();
}

}  // namespace

#define CREMA_EXPORT extern "C" __attribute__((visibility("default"), used))

/// Forgets all files.
CREMA_EXPORT void crema_forget() {
  crema::report::memory_files().clear();
  shown = {};
  saved = {};
}

/// Where the bytes of a file are to be written; 0: there is no room.
CREMA_EXPORT void* crema_file(const char* name, int bytes) {
  try {
    auto& files = crema::report::memory_files();
    files.push_back({name, Bytes(static_cast<std::size_t>(bytes))});
    return files.back().bytes.data();
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}

/// What was dropped, as parse_dropped() reads it: what becomes of it, as places in memory; with "error" where
/// nothing does.
CREMA_EXPORT const char* crema_show(const char* request) {
  return answered([&] {
    shown = crema::report::show_files(crema::report::parse_dropped(request));
    const crema::report::GreyPart& grey = shown.grey;
    Json json{{"chooser", place_of(shown.parts.chooser)},
              {"end", place_of(shown.parts.end)},
              {"labels", place_of(shown.parts.labels)},
              {"grey", place_of(grey.planes)},
              {"grey_scale",
               {{"bytes", grey.bytes}, {"low", grey.low}, {"step", grey.step}, {"window", grey.window}}},
              {"structures", Json::array()}};
    for (const crema::report::StructurePart& part : shown.parts.structures)
      json["structures"].push_back(structure_json(part));
    return json;
  });
}

/// What was decided as a file; the first line is its ending, below is the text of the decisions.
CREMA_EXPORT const char* crema_apply(const char* request) {
  return answered([&] {
    const std::string_view text = request;
    const std::size_t end = std::min(text.find('\n'), text.size());
    saved = crema::report::apply_to_files(shown, text.substr(end), std::string(text.substr(0, end)));
    return Json{{"file", place_of(saved)}};
  });
}

/// The consensus as a file; the first line is its ending, the others are as crema_ask() has them.
CREMA_EXPORT const char* crema_save(const char* request) {
  return answered([&] {
    const std::string_view text = request;
    const std::size_t end = std::min(text.find('\n'), text.size());
    saved = crema::report::fuse_files(shown, text.substr(end), std::string(text.substr(0, end)));
    return Json{{"file", place_of(saved)}};
  });
}
