// SPDX-License-Identifier: Apache-2.0
#include "crema/base/sentence.h"

#include <gtest/gtest.h>

#include "crema/base/error.h"

namespace crema {
namespace {

const Sentence kAdvice = "cut it with " + Sentence::setting("threshold_output", "0.5") + ", or ask " +
                         Sentence::command("certify");

TEST(Sentence, EachFrontEndSpellsSettingsInItsOwnWay) {
  EXPECT_EQ(kAdvice.text(Spelling::program), "cut it with --threshold-output 0.5, or ask crema certify");
  EXPECT_EQ(kAdvice.text(Spelling::python), "cut it with threshold_output=0.5, or ask crema.certify");
}

TEST(Sentence, ASettingWithoutAValueIsNamedAlone) {
  const Sentence named = Sentence::setting("max_memory") + " is too low";
  EXPECT_EQ(named.text(Spelling::program), "--max-memory is too low");
  EXPECT_EQ(named.text(Spelling::python), "max_memory= is too low");
  EXPECT_EQ(named.text(), "max_memory is too low");
}

TEST(Sentence, AFlagThatSwitchesHasNoValue) {
  EXPECT_EQ(Sentence(Sentence::setting("overwrite", "True")).text(Spelling::program), "--force");
  EXPECT_EQ(Sentence(Sentence::setting("overwrite", "True")).text(Spelling::python), "overwrite=True");
  EXPECT_EQ(Sentence(Sentence::setting("empty_test", "False")).text(Spelling::program), "--no-empty-test");
}

TEST(Sentence, AShellGetsOneWord) {
  const auto flag = [](std::string_view value) {
    return Sentence(Sentence::setting("segment", value)).text(Spelling::program);
  };
  EXPECT_EQ(flag("liver"), "--segment liver");
  EXPECT_EQ(flag("my first organ"), "--segment 'my first organ'");
  EXPECT_EQ(flag("*.npz"), "--segment '*.npz'");
  EXPECT_EQ(flag("organ's"), "--segment 'organ'\\''s'");
}

TEST(Sentence, PythonHasWordsInQuotes) {
  const Sentence word = Sentence::setting("logits", "softmax");
  EXPECT_EQ(word.text(Spelling::python), "logits=\"softmax\"");
  EXPECT_EQ(word.text(Spelling::program), "--logits softmax");
  EXPECT_EQ(Sentence(Sentence::setting("label", "1")).text(Spelling::python), "label=1");
}

TEST(Sentence, AnErrorKeepsWhatItNames) {
  const UsageError error(kAdvice);
  EXPECT_EQ(std::string(error.what()), "cut it with threshold_output=0.5, or ask crema.certify");
  EXPECT_EQ(error.sentence, kAdvice);
}

}  // namespace
}  // namespace crema
