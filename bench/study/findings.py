# SPDX-License-Identifier: Apache-2.0
"""All that the paper says, and whether it is seen here."""

import findings_blocks
import findings_laws
import findings_scores
import findings_sizes
import findings_soft
import findings_staple

PARTS = [findings_sizes, findings_soft, findings_scores, findings_blocks, findings_staple, findings_laws]


def all_findings(found):
    return [look(found) for part in PARTS for look in part.ALL]
