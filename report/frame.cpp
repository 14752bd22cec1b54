// SPDX-License-Identifier: Apache-2.0
#include "report/frame.h"

#include <fmt/format.h>

#include "report/embedded.h"
#include "report/html.h"
#include "report/policy.h"

namespace crema::report {

std::string framed(const Frame& frame) {
  const std::string policy = policy_for(frame.sha, frame.wasm ? " 'wasm-unsafe-eval'" : "",
                                        frame.frames ? Frames::beside : Frames::none);
  const std::string style = std::string(embedded::style()).append(frame.style);
  return filled(embedded::frame(), {{"policy", policy},
                                    {"title", frame.title},
                                    {"style", style},
                                    {"brand", frame.brand},
                                    {"heading", frame.heading},
                                    {"links", frame.links},
                                    {"sections", frame.sections},
                                    {"made", frame.made},
                                    {"data", frame.data},
                                    {"script", frame.script}});
}

std::string links_to(const std::vector<Part>& parts, const std::string& sections) {
  std::string links;
  for (const Part& part : parts)
    if (sections.find(fmt::format("<section id=\"{}\"", part.id)) != std::string::npos)
      links += fmt::format("<a href=\"#{}\">{}</a>\n", part.id, part.name);
  return "<nav aria-label=\"Parts of the page\">\n" + links + "</nav>\n";
}

std::string data_block(std::string_view id, std::string_view type, std::string_view content) {
  return fmt::format("<script type=\"{}\" id=\"{}\">{}</script>\n", type, id, content);
}

}  // namespace crema::report
