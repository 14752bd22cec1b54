// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "crema/agreement/certify_map.h"
#include "crema/sentence.h"

namespace crema::cli {

/// What is known about a run of `crema certify` besides its counts.
struct CertifyRecord {
  std::vector<std::string> command;
  std::string consensus;
  std::vector<std::string> raters;
  Warnings warnings;
  double seconds = 0;
};

/// One JSON object about one certificate; docs/formats.md has the schema.
std::string to_json(const CertifyRecord& record, const Reduction& reduction, Distance distance,
                    const MapCertificate& certificate, const Options& options);

}  // namespace crema::cli
