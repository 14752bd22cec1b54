// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "crema/error.h"
#include "crema/version.h"
#include "plot/svg.h"
#include "report/compact_json.h"
#include "report/embedded.h"
#include "report/frame.h"
#include "report/html.h"
#include "report/packed.h"
#include "report/payload.h"
#include "report/report.h"
#include "report/sections.h"

namespace crema::report {
namespace {

std::string painted_json(const Payload& payload) {
  std::string text;
  for (const auto& [name, levels] : payload.painted)
    text += fmt::format("{}{}:\"{}\"", text.empty() ? "" : ",", in_quotes(name), packed(levels));
  return "{" + text + "}";
}

const char* why_no_what_if(const PageFacts& facts) {
  if (embedded::wasm().empty())
    return "This page was made by a crema that was built without WebAssembly and cannot fuse again; the "
           "tables above have what was computed.";
  if (facts.slices)
    return "This page holds some slices alone and cannot fuse again; the tables above have what was "
           "computed.";
  return "To fuse again takes JavaScript and WebAssembly, which are missing here; the tables above have what "
         "was computed.";
}

}  // namespace

std::string make_page(const raters::Case& counted, const Findings& findings, const Settings& settings,
                      const PageFacts& facts) {
  if (counted.reduction->crowns.empty())
    throw InputError("no rater drew anything, so that there is nothing to show; give other masks.");
  const Material material{counted, findings, settings, facts};
  const Payload payload = make_payload(counted, findings, facts);
  std::string data = data_block("data", "application/json", payload.json) +
                     data_block("voxels", "application/base64", packed(payload.voxels)) +
                     data_block("painted", "application/json", painted_json(payload));
  if (!embedded::wasm().empty() && !facts.slices)
    data += data_block("wasm", "application/base64", plot::svg::base64(embedded::wasm()));
  if (!payload.grey.empty()) data += data_block("grey", "application/base64", packed(payload.grey));
  const std::string title = escaped(findings.names.name);
  const std::string sections = body(material, why_no_what_if(facts)) + provenance_section(material);
  return framed({.title = title + ": raters and consensus",
                 .brand = "report",
                 .heading = "<bdi>" + title + "</bdi>",
                 .links = links_to({{"look", "Look"},
                                    {"components-section", "Components"},
                                    {"whatif", "What if"},
                                    {"agreement", "Agreement"},
                                    {"methods", "Methods"},
                                    {"cite", "Cite"},
                                    {"provenance", "Provenance"}},
                                   sections),
                 .sections = sections,
                 .made = fmt::format("{}{}", version(), facts.run.date.empty() ? "" : ", " + facts.run.date),
                 .data = data,
                 .style = "",
                 .script = embedded::script(),
                 .sha = embedded::script_sha256(),
                 .wasm = !embedded::wasm().empty()});
}

}  // namespace crema::report
