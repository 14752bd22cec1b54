// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "annotations/import.h"
#include "annotations/import_folder.h"

namespace crema::annotations {

/// What each annotator drew on a picture, by the annotator's number.
using PictureObjects = std::map<std::size_t, std::vector<const Object*>>;

/// Makes a case of each object that enough annotators drew, on the box of all outlines and a margin around
/// it, and lists all objects in tables.
class ObjectImport {
 public:
  ObjectImport(const Dataset& dataset, const InstanceOptions& options, ImportFolder& folder)
      : dataset_(dataset), options_(options), folder_(folder) {}

  void take(std::size_t picture, const std::string& name, const PictureObjects& drawn, Record& record,
            Examples& unmarked);
  /// Puts the tables and says what came of it. Throws InputError where no object was drawn by enough.
  void finish(ImportReport& report);

 private:
  void take_category(std::size_t picture, const std::string& name, std::size_t category,
                     const std::vector<Seen>& objects, Record& record);
  [[nodiscard]] const std::string& who(const Seen& object) const;
  void put_case(const CaseRecord& one, Extent box, const std::vector<Seen>& objects,
                const std::vector<std::size_t>& cluster);
  void list_splits(const std::string& name, std::size_t category, const std::vector<Seen>& objects,
                   const std::vector<Split>& splits);

  const Dataset& dataset_;
  InstanceOptions options_;
  ImportFolder& folder_;
  std::vector<std::size_t> looked_;  ///< the annotators of the picture at hand; objects have places in it
  std::string table_, splits_;
  std::int64_t kept_ = 0, too_few_ = 0, split_count_ = 0, crowds_ = 0;
};

}  // namespace crema::annotations
