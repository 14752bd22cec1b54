// SPDX-License-Identifier: Apache-2.0
#include "cli/options/parser.h"

#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "crema/base/error.h"

namespace crema::cli {
namespace {

using Typed = std::vector<std::string>;

/// A command of every kind of option, and what it was handed.
struct Example {
  Parser parser;
  Typed out, slices, threads, raters;
  bool force = false, quiet = false;

  Example() {
    keep("RATER", Takes::many, "RATER...", raters);
    keep("-o,--output", Takes::one, "OUT", out);
    keep("--slice-wise", Takes::optional, "[x|y|z]", slices);
    keep("--threads", Takes::one, "N", threads);
    flag("-f,--force,--overwrite", Takes::nothing, force);
    flag("-q,--quiet", Takes::nothing, quiet);
    flag("-h,--help", Takes::help, quiet);
    parser.require(0);
  }
  void keep(const std::string& names, Takes takes, const std::string& value, Typed& field) {
    OptionText row;
    row.takes = takes;
    row.value = value;
    parser.add(names, row, [&field](const Typed& values) { field = values; });
  }
  void flag(const std::string& names, Takes takes, bool& field) {
    OptionText row;
    row.takes = takes;
    parser.add(names, row, [&field](const Typed&) { field = true; });
  }
};

std::string sentence_for(const Typed& words) {
  Example example;
  try {
    example.parser.parse(words);
  } catch (const UsageError& e) {
    return e.what();
  }
  return "accepted";
}

Typed slices_of(const Typed& words) {
  Example example;
  example.parser.parse(words);
  return example.slices;
}

TEST(Parser, HandsEachOptionItsValueHoweverItIsTyped) {
  for (const Typed& typed : {Typed{"-o", "c.nii"}, {"-oc.nii"}, {"--output", "c.nii"}, {"--output=c.nii"}}) {
    Example example;
    Typed words = {"a.nii"};
    words.insert(words.end(), typed.begin(), typed.end());
    words.emplace_back("b.nii");
    EXPECT_EQ(example.parser.parse(words), Parsed::run);
    EXPECT_EQ(example.out, Typed{"c.nii"});
    EXPECT_EQ(example.raters, (Typed{"a.nii", "b.nii"}));
  }
}

TEST(Parser, AnOptionOfSeveralWordsTakesThoseThatFollowIt) {
  Example example;
  Typed labels;
  example.keep("--label", Takes::many, "LABEL...", labels);
  example.parser.parse(Typed{"a.nii", "--label", "01", "02", "-f", "b.nii", "--label=03"});
  EXPECT_EQ(labels, (Typed{"01", "02", "03"}));
  EXPECT_EQ(example.raters, (Typed{"a.nii", "b.nii"}));
}

TEST(Parser, ACommandThatDescribesItselfNeedsNothingElse) {
  Example example;
  example.flag("--xml", Takes::xml, example.quiet);
  EXPECT_EQ(example.parser.parse(Typed{"--xml"}), Parsed::xml);
  EXPECT_FALSE(example.quiet);
}

TEST(Parser, FlagsOfOneLetterMayBeWrittenTogether) {
  Example example;
  example.parser.parse(Typed{"-fqo", "c.nii", "a"});
  EXPECT_TRUE(example.force && example.quiet);
  EXPECT_EQ(example.out, Typed{"c.nii"});
}

TEST(Parser, AnOptionalValueIsTakenOnlyIfItIsOneOfTheChoicesOrANumber) {
  for (const std::string axis : {"x", "y", "z", "7"})
    EXPECT_EQ(slices_of({"--slice-wise", axis, "a.nii"}), Typed{axis});
  for (const std::string rater : {"x.nii", "xy", "X", "-q"})
    EXPECT_EQ(slices_of({"--slice-wise", rater, "a.nii"}), Typed{"auto"}) << rater;
  EXPECT_EQ(slices_of({"a.nii", "--slice-wise"}), Typed{"auto"});
  EXPECT_EQ(slices_of({"--slice-wise=y", "z"}), Typed{"y"});
}

TEST(Parser, AnyFileNameSurvives) {
  Example example;
  example.parser.parse(Typed{"[a,b]", "-", "--", "--slice-wise", "x", "--"});
  EXPECT_EQ(example.raters, (Typed{"[a,b]", "-", "--slice-wise", "x", "--"}));
}

TEST(Parser, HelpComesBeforeWhatIsMissing) {
  Example example;
  EXPECT_EQ(example.parser.parse(Typed{"--help"}), Parsed::help);
}

TEST(Parser, SaysWhatIsWrong) {
  EXPECT_EQ(sentence_for({"a", "-o"}), "--output needs a value.");
  EXPECT_EQ(sentence_for({"a", "--output="}), "--output needs a value.");
  EXPECT_EQ(sentence_for({"a", "--force=1"}), "--force takes no value.");
  EXPECT_EQ(sentence_for({"a", "--threads", "1", "--threads=2"}), "--threads is given more than once.");
  EXPECT_EQ(sentence_for({"-f"}), "RATER is missing.");
  EXPECT_EQ(sentence_for({"a", "--thread", "2"}), "unknown option --thread. Did you mean --threads?");
  EXPECT_EQ(sentence_for({"a", "-output", "x"}), "unknown option -output. Did you mean --output?");
}

TEST(Parser, WordsNotUnderstoodAreNamedBeforeAllElse) {
  EXPECT_EQ(sentence_for({"--forse"}), "unknown option --forse. Did you mean --force?");
  EXPECT_EQ(sentence_for({"--zzz", "-o"}), "unknown option --zzz. Put a file of that name after --.");
}

TEST(Parser, ASecondWordWhereOneGoesIsUnexpected) {
  Parser parser;
  parser.add("RUN", {}, [](const Typed&) {});
  try {
    parser.parse(Typed{"a", "b"});
    FAIL();
  } catch (const UsageError& e) {
    EXPECT_STREQ(e.what(), "unexpected argument b.");
  }
}

TEST(Parser, OptionsThatExcludeEachOtherAreRefusedTogether) {
  Parser parser;
  OptionText flag;
  flag.takes = Takes::nothing;
  const auto json = parser.add("--json", flag, [](const Typed&) {});
  parser.exclude(parser.add("--markdown", flag, [](const Typed&) {}), json);
  try {
    parser.parse(Typed{"--json", "--markdown"});
    FAIL();
  } catch (const UsageError& e) {
    EXPECT_STREQ(e.what(), "--markdown and --json cannot be used together.");
  }
}

TEST(Parser, ANameIsDeclaredOnce) {
  Example example;
  EXPECT_THROW(example.parser.add("-o,--other", {}, [](const Typed&) {}), std::logic_error);
}

}  // namespace
}  // namespace crema::cli
