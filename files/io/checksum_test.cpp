// SPDX-License-Identifier: Apache-2.0
#include "files/io/checksum.h"

#include <gtest/gtest.h>

#include "files/testing.h"

namespace crema::files::testing {
namespace {

TEST(Checksum, IsTheOneOfTheStandard) {
  const Folder folder;
  const auto path = folder.put("abc", Bytes{'a', 'b', 'c'});
  EXPECT_EQ(sha256_of(path), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST(Checksum, OfAMissingFileIsAnError) {
  const Folder folder;
  EXPECT_THROW(sha256_of(folder / "none"), FileError);
}

}  // namespace
}  // namespace crema::files::testing
