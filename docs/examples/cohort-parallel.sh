#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# GNU parallel does the shards of a plan, here or on machines that share a disk (--sshlogin a,b --workdir .).
crema cohort plan data -o results --shards 50
parallel crema cohort run --shard {#} --threads 1 --quiet -o results ::: results/plan/*.tsv
crema cohort merge results
