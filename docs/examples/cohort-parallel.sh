#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# GNU parallel does the shards of a plan, here or on several machines that share a disk (--sshlogin).
crema cohort plan data -o results --shards 50
seq 50 | parallel crema cohort run --shard {} --threads 1 --quiet -o results
crema cohort merge results
