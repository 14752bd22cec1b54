// SPDX-License-Identifier: Apache-2.0
#include "cli/text/background_text.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "cli/help/help.h"
#include "cli/text/table.h"
#include "crema/tables/method.h"

namespace crema::cli {
namespace {

/// Few enough for one line: the box, some margins, the image, tenfold and hundredfold background.
std::vector<std::size_t> shown_sizes(const BackgroundStudy& study) {
  std::vector<std::size_t> shown;
  for (std::size_t s = 0; s < study.sizes.size(); ++s) {
    const auto [kind, extra, voxels, background] = study.sizes[s];
    const bool margin = kind == ImageSize::Kind::box && (s == 0 || extra == 4 || extra == 16 || extra == 64);
    const bool padded = kind == ImageSize::Kind::padded && (extra == 10 || extra == 100);
    if (margin || padded || kind == ImageSize::Kind::image) shown.push_back(s);
  }
  return shown;
}

std::string column_name(const ImageSize& size) {
  return size.kind == ImageSize::Kind::padded ? fmt::format("{} × bg", size.extra) : to_string(size);
}

template <class F>
Cells row_of(std::string name, const std::vector<std::size_t>& shown, F cell) {
  Cells cells{std::move(name)};
  for (const std::size_t s : shown) cells.push_back(cell(s));
  return cells;
}

void add_sizes(const BackgroundStudy& study, const std::vector<std::size_t>& shown,
               std::vector<Cells>& rows) {
  const auto size = [&](std::size_t s) -> const ImageSize& { return study.sizes[s]; };
  const auto wide = static_cast<double>(std::max<std::int64_t>(study.union_voxels, 1));
  rows.push_back(row_of("image", shown, [&](std::size_t s) { return column_name(size(s)); }));
  rows.push_back(row_of("  voxels", shown, [&](std::size_t s) { return fmt::format("{}", size(s).voxels); }));
  rows.push_back(
      row_of("  background", shown, [&](std::size_t s) { return fmt::format("{}", size(s).background); }));
  rows.push_back(row_of("  unions", shown, [&](std::size_t s) {
    return fmt::format("{:.3g}", static_cast<double>(size(s).voxels) / wide);
  }));
}

template <class F>
void add_block(const BackgroundStudy& study, const std::vector<std::size_t>& shown,
               const std::string& heading, std::vector<Cells>& rows, F cell) {
  rows.push_back({heading});
  for (const ExtentCurve& curve : study.curves)
    rows.push_back(row_of("  " + to_string(curve), shown, [&](std::size_t s) { return cell(curve.at[s]); }));
}

std::string decimal(double value) { return fmt::format("{:.1f}", value); }
std::string size_text(const Extent& extent) { return fmt::format("{}", extent.voxels); }
std::string volume_text(const Extent& extent) { return decimal(extent.soft_volume); }
std::string entropy_text(const Extent& extent) { return decimal(extent.entropy); }

/// The paper's table 9 for this case.
std::string full_against_focused(const BackgroundStudy& study, std::size_t width) {
  std::vector<Cells> rows{{"STAPLE, w=mean", "full image", "focused box"}};
  for (const ExtentCurve& curve : study.curves) {
    if (curve.method->origin != Origin::paper || curve.alpha != 1) continue;
    const Extent &full = curve.at[study.image], &box = curve.at.front();
    rows.push_back({"  entropy", entropy_text(full), entropy_text(box)});
    rows.push_back({"  size", size_text(full), size_text(box)});
    rows.push_back({"  soft volume", volume_text(full), volume_text(box)});
  }
  return table(rows, {.width = width});
}

/// The paper's figure 1b for this case: the size that each prior leads to, beside what it tends to.
std::string limits(const BackgroundStudy& study, std::size_t width) {
  std::vector<Cells> rows{{"STAPLE, prior A/N^alpha", "box", "image", "100 × bg", "limit"}};
  for (const ExtentCurve& curve : study.curves) {
    if (curve.method->origin != Origin::paper || !curve.alpha) continue;
    const auto least = static_cast<std::size_t>(*curve.alpha);
    const std::int64_t limit = least < study.drawn_by_least.size() ? study.drawn_by_least[least] : 0;
    rows.push_back({fmt::format("  alpha = {}, {}", least, to_string(curve).substr(7)),
                    size_text(curve.at.front()), size_text(curve.at[study.image]), size_text(curve.at.back()),
                    fmt::format("{} (marked by {} or more)", limit, least + 1)});
  }
  return table(rows, {.width = width});
}

std::string joined(const Cells& names) { return fmt::format("{}", fmt::join(names, ", ")); }

std::string change_text(double first, double last) {
  const auto percent = percent_of_change(first, last);
  if (!percent) return last == 0 ? "stays 0" : fmt::format("rises from 0 to {:.6g}", last);
  if (first == last) return "stays";
  if (*percent >= 1000) return fmt::format("rises {:.0f}-fold", last / first);
  return fmt::format("{} by {:.3g} %", *percent < 0 ? "falls" : "rises", std::abs(*percent));
}

std::string moved_text(const ExtentCurve& curve) {
  const Extent &first = curve.at.front(), &last = curve.at.back();
  std::string text =
      fmt::format("{}: size {}", to_string(curve),
                  change_text(static_cast<double>(first.voxels), static_cast<double>(last.voxels)));
  if (curve.method->kind == Kind::soft)
    text += fmt::format(", entropy {}", change_text(first.entropy, last.entropy));
  return text;
}

}  // namespace

std::string background_tables(const BackgroundStudy& study, std::size_t width) {
  const auto shown = shown_sizes(study);
  std::vector<Cells> rows;
  add_sizes(study, shown, rows);
  add_block(study, shown, "size (voxels with a level above 0.5)", rows, size_text);
  add_block(study, shown, "soft volume (sum of levels, in voxels)", rows, volume_text);
  add_block(study, shown, "entropy (nats)", rows, entropy_text);
  return table(rows, {.width = width}) + "\n" + full_against_focused(study, width) + "\n" +
         limits(study, width);
}

std::string background_findings(const BackgroundStudy& study, std::size_t width) {
  std::string text = fmt::format("From the {} to {}:\n", study.image > 0 ? "tight box" : "image",
                                 to_string(study.sizes.back()));
  Cells unreported, flat;
  for (const ExtentCurve& curve : study.curves) {
    if (moves(curve))
      text += wrap(moved_text(curve), 2, width);
    else
      (curve.sees_background ? flat : unreported).push_back(to_string(curve));
  }
  if (!flat.empty())
    text += wrap(fmt::format("use the background, same result throughout: {}", joined(flat)), 2, width);
  return text + wrap(fmt::format("do not use it, solved once: {}", joined(unreported)), 2, width);
}

}  // namespace crema::cli
