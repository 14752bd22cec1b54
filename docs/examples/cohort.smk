# SPDX-License-Identifier: Apache-2.0
# Snakemake does the shards of a plan: crema cohort plan data -o results --shards 50 && snakemake -s cohort.smk -j 50
rule merge:
    input: expand("results/logs/{shard}.done", shard=glob_wildcards("results/plan/{shard,[0-9]+}.tsv").shard)
    shell: "crema cohort merge results"
rule shard:
    input: "results/plan/{shard}.tsv"
    output: touch("results/logs/{shard}.done")
    shell: "crema cohort run --shard {wildcards.shard} --threads {threads} -o results || [ $? = 5 ]"
