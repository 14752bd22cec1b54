# SPDX-License-Identifier: Apache-2.0
# Snakemake does the shards of a plan: crema cohort plan data -o results --shards 50 && snakemake -s cohort.smk -j 50
rule merge:
    input: expand("results/logs/{shard}.done", shard=range(1, 51))
    shell: "crema cohort merge results"
rule shard:
    output: touch("results/logs/{shard}.done")
    shell: "crema cohort run --shard {wildcards.shard} -o results || [ $? = 5 ]"
