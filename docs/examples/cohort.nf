// SPDX-License-Identifier: Apache-2.0
// Nextflow does the shards of a plan: crema cohort plan data -o results --shards 50 && nextflow run cohort.nf
params.run = 'results'
run = file(params.run).toAbsolutePath()
process shard {
  input: val number
  output: val number
  script: "crema cohort run --shard $number --wait --threads $task.cpus -o '$run' || [ \$? = 5 ]"
}
process tables {
  input: val numbers
  script: "crema cohort merge '$run' || [ \$? = 5 ]"
}
workflow {
  Channel.fromPath("${params.run}/plan/[0-9]*.tsv").map { it.baseName.toInteger() } | shard | collect | tables
}
