// SPDX-License-Identifier: Apache-2.0
#include "cli/help/parameters.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "crema/base/json.h"
#include "crema/base/text.h"
#include "crema/base/version.h"
#include "crema/tables/settings.h"
#include "plot/svg.h"

namespace crema::cli {
namespace {

std::string mapped(std::string text, int (*letter)(int)) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [letter](unsigned char c) { return static_cast<char>(letter(c)); });
  return text;
}

/// "--threshold-output" and "RATER..." as "threshold_output" and "raters".
std::string id_of(const OptionText& option) {
  std::string id = option.positional ? mapped(split(option.value, '.').front(), std::tolower) + "s"
                                     : option.called.substr(2);
  std::replace(id.begin(), id.end(), '-', '_');
  return id;
}

/// Of a number, as the table of settings has it; other options than settings take none.
Holds number_of(const std::string& id) {
  for (const Setting& setting : settings())
    if (setting.name == id) {
      if (setting.type == "int | None") return Holds::whole;
      if (setting.type == "float | None") return Holds::real;
    }
  return Holds::text;
}

/// Whether the words are all that can be said: "FILE" among them stands for anything.
bool only_words(const std::string& value) {
  return std::none_of(value.begin(), value.end(), [](char c) { return (c >= 'A' && c <= 'Z') || c == ','; });
}

Holds held_by(const OptionText& option, const std::string& id) {
  if (option.takes == Takes::nothing) return Holds::nothing;
  if (option.positional) return Holds::masks;
  if (!choices(option).empty() && only_words(option.value)) return Holds::word;
  if (option.value == "OUT") return Holds::image_out;
  if (takes_path(option)) return option.group == "Output" ? Holds::file_out : Holds::file;
  return number_of(id);
}

std::string element(std::string_view name, std::string_view text) {
  return fmt::format("      <{0}>{1}</{0}>\n", name, plot::svg::escaped(text));
}

struct Tag {
  std::string_view name, attributes, channel;
};

Tag tag_of(Holds holds) {
  switch (holds) {
    case Holds::nothing:
      return {"boolean", "", ""};
    case Holds::text:
      return {"string", "", ""};
    case Holds::word:
      return {"string-enumeration", "", ""};
    case Holds::whole:
      return {"integer", "", ""};
    case Holds::real:
      return {"double", "", ""};
    case Holds::masks:
      return {"image", " type=\"label\" multiple=\"true\"", "input"};
    case Holds::file:
      return {"file", "", "input"};
    case Holds::image_out:
      return {"image", " type=\"label\"", "output"};
    case Holds::file_out:
      return {"file", "", "output"};
  }
  return {};
}

std::string slicer_parameter(const Parameter& parameter) {
  const Tag tag = tag_of(parameter.holds);
  const OptionText& option = parameter.option;
  std::string label = parameter.id;
  std::replace(label.begin(), label.end(), '_', ' ');
  std::string text = fmt::format("    <{}{}>\n", tag.name, tag.attributes) + element("name", parameter.id);
  for (const std::string& name : option.names)
    if (name == option.called || !name.starts_with("--"))
      text += element(name.starts_with("--") ? "longflag" : "flag", name);
  text += element("label", label) + element("description", option.text);
  if (parameter.holds == Holds::nothing) text += element("default", "false");
  for (const std::string& word : parameter.words) text += element("element", word);
  if (option.positional) text += element("index", "0");
  if (!tag.channel.empty()) text += element("channel", tag.channel);
  return text + fmt::format("    </{}>\n", tag.name);
}

std::string key_of(const Parameter& parameter) {
  return fmt::format("[{}]", mapped(parameter.id, std::toupper));
}

std::string_view boutiques_type(Holds holds) {
  if (holds == Holds::nothing) return "Flag";
  if (holds == Holds::whole || holds == Holds::real) return "Number";
  return holds == Holds::masks || holds == Holds::file ? "File" : "String";
}

Json boutiques_input(const Parameter& parameter) {
  const OptionText& option = parameter.option;
  Json input{{"id", parameter.id},
             {"name", option.positional ? option.value : option.called},
             {"description", option.text},
             {"type", boutiques_type(parameter.holds)},
             {"value-key", key_of(parameter)},
             {"optional", !option.required}};
  if (!option.positional) input["command-line-flag"] = option.called;
  if (parameter.holds == Holds::whole) input["integer"] = true;
  if (!parameter.words.empty()) input["value-choices"] = Json(parameter.words);
  if (option.positional) {
    input["list"] = true;
    input["min-list-entries"] = 1;
    input["max-list-entries"] = 64;
  }
  return input;
}

bool is_output(const Parameter& parameter) {
  return parameter.holds == Holds::image_out || parameter.holds == Holds::file_out;
}

}  // namespace

std::vector<Parameter> parameters_of(const CommandText& command) {
  std::vector<Parameter> parameters;
  for (const OptionText& option : command.options) {
    if (option.takes == Takes::help || option.takes == Takes::xml) continue;
    Parameter one{.id = id_of(option), .option = option};
    one.holds = held_by(option, one.id);
    if (one.holds == Holds::word) one.words = choices(option);
    parameters.push_back(std::move(one));
  }
  return parameters;
}

std::string slicer_description(const CommandText& command) {
  const std::vector<Parameter> parameters = parameters_of(command);
  std::string text = fmt::format(
      "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<executable>\n"
      "  <category>Segmentation</category>\n  <title>{}</title>\n  <description>{}</description>\n"
      "  <version>{}</version>\n  <license>Apache-2.0</license>\n",
      plot::svg::escaped(command.command.summary), plot::svg::escaped(command.command.description),
      version());
  for (const std::string& group : groups(command)) {
    if (group == "Help") continue;
    const bool first = group == "Input" || group == "Method" || group == "Output";
    text += fmt::format("  <parameters{}>\n    <label>{}</label>\n    <description>{}</description>\n",
                        first ? "" : " advanced=\"true\"", group, group);
    for (const Parameter& one : parameters)
      if (one.option.group == group) text += slicer_parameter(one);
    text += "  </parameters>\n";
  }
  return text + "</executable>\n";
}

std::string boutiques_description(const CommandText& command) {
  const std::vector<Parameter> parameters = parameters_of(command);
  std::string line = fmt::format("crema {}", command.command.name);
  Json inputs = Json::array(), outputs = Json::array();
  for (const Parameter& one : parameters) {
    line += " " + key_of(one);
    inputs.push_back(boutiques_input(one));
    if (is_output(one))
      outputs.push_back({{"id", one.id + "_written"},
                         {"name", fmt::format("what {} names", one.option.called)},
                         {"path-template", key_of(one)},
                         {"optional", true}});
  }
  const Json result{{"name", fmt::format("crema {}", command.command.name)},
                    {"description", command.command.description},
                    {"tool-version", version()},
                    {"schema-version", "0.5"},
                    {"command-line", line},
                    {"inputs", std::move(inputs)},
                    {"output-files", std::move(outputs)}};
  return result.text() + "\n";
}

}  // namespace crema::cli
