// SPDX-License-Identifier: Apache-2.0
#include "crema/tables/citation.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "crema/base/version.h"

namespace crema {
namespace {

/// A work, by how the table of methods refers to it.
struct Work {
  std::string_view reference;
  std::string_view key;
  std::string_view fields;  ///< empty: no more is known here than the reference says
};

// Only what the paper and its list of references state.
constexpr Work kWorks[] = {
    {"Hamzaoui et al., MELBA 2023:013", "hamzaoui2023macchiato",
     "  title   = {Morphologically-Aware Consensus Computation via Heuristics-based {IterATive} "
     "Optimization\n"
     "             ({MACCHIatO})},\n"
     "  author  = {Hamzaoui, Dimitri and Montagne, Sarah and Renard-Penna, Rapha{\\\"e}le and Ayache, "
     "Nicholas\n"
     "             and Delingette, Herv{\\'e}},\n"
     "  journal = {Machine Learning for Biomedical Imaging},\n"
     "  number  = {2023:013},\n"
     "  pages   = {361--389},\n"
     "  year    = {2023},\n"
     "  url     = {https://melba-journal.org/2023:013}"},
    {"Warfield, Zou and Wells, IEEE TMI 23(7), 2004", "warfield2004staple",
     "  title   = {Simultaneous truth and performance level estimation ({STAPLE}): an algorithm for the\n"
     "             validation of image segmentation},\n"
     "  author  = {Warfield, S. K. and Zou, K. H. and Wells, W. M.},\n"
     "  journal = {IEEE Transactions on Medical Imaging},\n"
     "  volume  = {23},\n"
     "  number  = {7},\n"
     "  pages   = {903--921},\n"
     "  year    = {2004},\n"
     "  doi     = {10.1109/TMI.2004.828354}"},
    {"Rohlfing and Maurer, IEEE TIP 16(1), 2007", "rohlfing2007shape",
     "  title   = {Shape-Based Averaging},\n"
     "  author  = {Rohlfing, Torsten and Maurer, Calvin R.},\n"
     "  journal = {IEEE Transactions on Image Processing},\n"
     "  volume  = {16},\n"
     "  number  = {1},\n"
     "  pages   = {153--161},\n"
     "  year    = {2007},\n"
     "  doi     = {10.1109/TIP.2006.884936}"},
    {"Aljabar et al., NeuroImage 46(3), 2009", "aljabar2009multiatlas",
     "  title   = {Multi-atlas based segmentation of brain images: Atlas selection and its effect on "
     "accuracy},\n"
     "  author  = {Aljabar, P. and Heckemann, R. A. and Hammers, A. and Hajnal, J. V. and Rueckert, D.},\n"
     "  journal = {NeuroImage},\n"
     "  volume  = {46},\n"
     "  number  = {3},\n"
     "  pages   = {726--738},\n"
     "  year    = {2009},\n"
     "  doi     = {10.1016/j.neuroimage.2009.02.018}"},
    {"Commowick et al., IEEE TMI 31(8), 2012", "commowick2012local",
     "  title   = {Estimating A Reference Standard Segmentation with Spatially Varying Performance "
     "Parameters:\n"
     "             Local {MAP} {STAPLE}},\n"
     "  author  = {Commowick, Olivier and Akhondi-Asl, Alireza and Warfield, Simon K.},\n"
     "  journal = {IEEE Transactions on Medical Imaging},\n"
     "  volume  = {31},\n"
     "  number  = {8},\n"
     "  pages   = {1593--1606},\n"
     "  year    = {2012},\n"
     "  doi     = {10.1109/TMI.2012.2197406}"},
    {"Audelan et al., MICCAI 2020", "audelan2020robust",
     "  title   = {Robust Fusion of Probability Maps},\n"
     "  author  = {Audelan, Beno{\\^i}t and Hamzaoui, Dimitri and Montagne, Sarah and Renard-Penna, "
     "Rapha{\\\"e}le\n"
     "             and Delingette, Herv{\\'e}},\n"
     "  journal = {Medical Image Computing and Computer Assisted Intervention - {MICCAI} 2020},\n"
     "  pages   = {259--268},\n"
     "  year    = {2020}"},
    {"Rohlfing et al., NeuroImage 21(4), 2004", "rohlfing2004", ""},
    {"Langerak et al., IEEE TMI 29(12), 2010", "langerak2010", ""},
    {"Tversky, Psychological Review 84(4), 1977", "tversky1977", ""},
};

const Work& work_of(const Method& method) {
  const auto* const found = std::find_if(std::begin(kWorks), std::end(kWorks), [&](const Work& work) {
    return work.reference == method.reference;
  });
  if (found == std::end(kWorks)) throw std::logic_error("no entry for " + std::string(method.reference));
  return *found;
}

std::string entry(const Work& work) {
  if (work.fields.empty()) return fmt::format("@misc{{{},\n  note = {{{}}}\n}}\n", work.key, work.reference);
  return fmt::format("@article{{{},\n{}\n}}\n", work.key, work.fields);
}

}  // namespace

std::string methods_sentence(std::span<const Method* const> methods) {
  std::string names;
  for (std::size_t i = 0; i < methods.size(); ++i) {
    names += i == 0 ? "" : i + 1 < methods.size() ? ", " : methods.size() == 2 ? " and " : ", and ";
    names += fmt::format("{} [{}]", methods[i]->paper_name, work_of(*methods[i]).key);
  }
  std::string text =
      fmt::format("The raters' masks were fused with crema {} [crema] by {}.", version(), names);
  for (const Method* method : methods)
    text += fmt::format(" {} ({} consensus): {}.", method->paper_name,
                        method->kind == Kind::hard ? "hard" : "soft", method->summary);
  return text;
}

std::string bibtex(std::span<const Method* const> methods) {
  std::string text = fmt::format(
      "@software{{crema,\n  title   = {{crema: Consensus of Raters' Masks}},\n  author  = {{{{crema "
      "contributors}}}},\n  version = {{{}}}\n}}\n",
      version());
  std::vector<const Work*> reported;
  for (const Method* method : methods) {
    const Work& work = work_of(*method);
    if (std::find(reported.begin(), reported.end(), &work) != reported.end()) continue;
    reported.push_back(&work);
    text += '\n';
    text += entry(work);
  }
  return text;
}

}  // namespace crema
