// SPDX-License-Identifier: Apache-2.0
// itk_voting OUT.nii[.gz] RATER.nii[.gz]...: ITK's label voting from files to a file; ties become 2.
#include <cstdio>
#include <exception>

#include "test/itk/peer.h"

int main(int argc, char** argv) {
  namespace peer = crema::itk_peer;
  if (argc < 3) {
    std::fputs("itk_voting OUT RATER...\n", stderr);
    return 2;
  }
  try {
    peer::write(peer::vote(peer::read({argv + 2, argv + argc})), argv[1]);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "itk_voting: %s\n", error.what());
    return 1;
  }
  return 0;
}
