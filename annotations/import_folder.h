// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "annotations/record.h"
#include "annotations/shapes/drawing.h"
#include "cohort/find/cohort.h"
#include "files/staged.h"

namespace crema::annotations {

/// A folder that becomes a cohort: masks, tables, the record, and a manifest that lists all of it. Nothing is
/// seen before publish().
class ImportFolder {
 public:
  /// Throws UsageError where the folder is not new or empty, FileError where it cannot be made.
  explicit ImportFolder(std::filesystem::path folder);
  ~ImportFolder();
  ImportFolder(const ImportFolder&) = delete;
  ImportFolder& operator=(const ImportFolder&) = delete;

  void put(const std::string& case_name, const std::string& rater, const Drawing& drawing);
  void put_text(const std::string& name, const std::string& text);
  void publish(const Record& record);

 private:
  void flush();

  std::filesystem::path folder_, work_;
  bool made_ = false;
  std::unique_ptr<files::StagedSet> batch_;
  std::size_t in_batch_ = 0;
  std::vector<cohort::Entry> entries_;
  std::vector<std::string> texts_;
};

}  // namespace crema::annotations
