// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "crema/base/error.h"
#include "crema/base/version.h"
#include "plot/svg.h"
#include "report/case/case_parts.h"
#include "report/case/packed.h"
#include "report/case/report.h"
#include "report/case/sections.h"
#include "report/compact_json.h"
#include "report/embedded.h"
#include "report/frame.h"
#include "report/html.h"

namespace crema::report {
namespace {

std::string painted_json(const Payload& payload) {
  std::string text;
  for (const auto& [name, levels] : payload.painted)
    text += fmt::format("{}{}:\"{}\"", text.empty() ? "" : ",", in_quotes(name), packed(levels));
  return "{" + text + "}";
}

/// What the script reads of one structure; the first one has plain names.
std::string structure_blocks(const Payload& payload, std::size_t number) {
  const std::string behind = number == 0 ? "" : fmt::format("-{}", number);
  return data_block("data" + behind, "application/base64", packed(payload.json)) +
         data_block("voxels" + behind, "application/base64", packed(payload.voxels)) +
         data_block("painted" + behind, "application/json", painted_json(payload));
}

/// The first structure is seen at once, the others wait.
std::string sections_of(const CaseParts& parts) {
  std::string text = parts.chooser + "<div id=\"case\">\n" + parts.structures.front().html + "</div>\n";
  for (std::size_t n = 1; n < parts.structures.size(); ++n)
    text += fmt::format("<template id=\"case-{}\">\n{}</template>\n", n, parts.structures[n].html);
  return text + parts.end;
}

/// What fuses again: in the page, or where it is and which it is.
std::string engine_block(const PageFacts& facts) {
  if (facts.engine.empty())
    return data_block("wasm", "application/base64", plot::svg::base64(embedded::wasm()));
  return data_block("engine", "application/json",
                    compact(Json{{"page", facts.engine}, {"sha256", embedded::wasm_sha256()}}));
}

std::string data_of(const raters::Case& counted, const CaseParts& parts, const PageFacts& facts) {
  std::string data;
  for (std::size_t n = 0; n < parts.structures.size(); ++n)
    data += structure_blocks(parts.structures[n].payload, n);
  if (!parts.labels.empty()) data += data_block("labels-facts", "application/json", parts.labels);
  if (!embedded::wasm().empty() && !facts.slices) data += engine_block(facts);
  if (const GreyPart grey = grey_of_all(counted, facts); !grey.planes.empty())
    data += data_block("grey", "application/base64", packed(grey.planes)) +
            data_block(
                "grey-scale", "application/json",
                compact(Json{
                    {"bytes", grey.bytes}, {"low", grey.low}, {"step", grey.step}, {"window", grey.window}}));
  return data;
}

const char* why_no_what_if(const PageFacts& facts) {
  if (embedded::wasm().empty())
    return "This page was written by a crema built without WebAssembly and cannot fuse again; the tables "
           "above hold the results.";
  if (facts.slices)
    return "This page holds only some slices and cannot fuse again; the tables above hold the results.";
  return "Fusing again needs JavaScript and WebAssembly, which are missing here; the tables above hold the "
         "results.";
}

}  // namespace

std::string make_page(const raters::Case& counted, const std::vector<raters::Outcome>& outcomes,
                      const Settings& settings, const PageFacts& facts, const std::string& case_name) {
  const CaseParts parts = lay_out(counted, outcomes, settings, facts, case_name, why_no_what_if(facts));
  const std::string title = escaped(bidi_safe(case_name));
  const std::string sections = sections_of(parts) + provenance_section(settings, outcomes.front(), facts);
  return framed({.title = title + ": raters and consensus",
                 .brand = "report",
                 .heading = "<bdi>" + title + "</bdi>",
                 .links = links_to({{"look", "Look"},
                                    {"overview", "Labels"},
                                    {"components-section", "Components"},
                                    {"whatif", "What if"},
                                    {"agreement", "Agreement"},
                                    {"methods", "Methods"},
                                    {"cite", "Cite"},
                                    {"provenance", "Provenance"}},
                                   sections),
                 .sections = sections,
                 .made = fmt::format("{}{}", version(), facts.run.date.empty() ? "" : ", " + facts.run.date),
                 .data = data_of(counted, parts, facts),
                 .style = "",
                 .script = embedded::script(),
                 .sha = embedded::script_sha256(),
                 .wasm = !embedded::wasm().empty(),
                 .frames = !facts.engine.empty()});
}

}  // namespace crema::report
