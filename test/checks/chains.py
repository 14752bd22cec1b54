# SPDX-License-Identifier: Apache-2.0
"""How long the chains of includes are, which take long to compile and long to understand, and how much is public."""

import re

# The most files of a chain, and what crema/crema.h may bring with it.
DEEPEST, PUBLIC, MOST_PUBLIC = 14, "crema/crema.h", 30
INCLUDE = re.compile(r'^#include "([^"]+)"', re.MULTILINE)


def includes_of(texts):
    """Which of these files each of them includes."""
    return {path: [name for name in INCLUDE.findall(text) if name in texts] for path, text in texts.items()}


def longest_chain(path, includes, known):
    """The longest way from a file to one that includes nothing, as the files on it."""
    if path not in known:
        ways = [longest_chain(name, includes, known) for name in includes[path]]
        known[path] = [path, *max(ways, key=len, default=[])]
    return known[path]


def reached(path, includes):
    """All files that a file includes, one way or another, and itself."""
    found, left = set(), [path]
    while left:
        if (name := left.pop()) not in found:
            found.add(name)
            left += includes[name]
    return found


def problems_in(texts):
    """`texts` are files by their paths."""
    includes, known, found = includes_of(texts), {}, []
    for path in includes:
        if len(chain := longest_chain(path, includes, known)) > DEEPEST:
            found.append(f"{path}: {len(chain)} files include each other: {' > '.join(chain)}; the limit is {DEEPEST}")
    public = reached(PUBLIC, includes) if PUBLIC in includes else set()
    if len(public) > MOST_PUBLIC:
        found.append(f"{PUBLIC}: {len(public)} headers are public, the limit is {MOST_PUBLIC}: {sorted(public)}")
    return found
