# SPDX-License-Identifier: Apache-2.0
# Snakemake does the shards of a plan: crema cohort plan data -o results --shards 50 && snakemake -s cohort.smk -j 50
# A mask that is newer than the end of its shard lets the shard run again, which does the cases that differ.
import csv, json, os
def masks(wildcards):
    with open("results/run.json") as run, open(f"results/plan/{wildcards.shard}.tsv", newline="") as plan:
        data = json.load(run)["data"]
        paths = [os.path.join(data, row["path"]) for row in csv.DictReader(plan, delimiter="\t")]
    return [path for path in paths if os.path.exists(path)]
rule merge:
    input: expand("results/logs/{shard}.done", shard=glob_wildcards("results/plan/{shard,[0-9]+}.tsv").shard)
    shell: "crema cohort merge results || [ $? = 5 ]"
rule shard:
    input: "results/plan/{shard}.tsv", masks
    output: touch("results/logs/{shard}.done")
    shell: "crema cohort run --shard {wildcards.shard} --wait --threads {threads} -o results || [ $? = 5 ]"
