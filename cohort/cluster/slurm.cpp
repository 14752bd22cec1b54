// SPDX-License-Identifier: Apache-2.0
#include "cohort/cluster/slurm.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>
#include <unistd.h>

#include "cohort/cluster/process.h"
#include "cohort/cluster/sbatch_options.h"
#include "crema/base/error.h"
#include "crema/base/text.h"
#include "files/io/checksum.h"

namespace crema::cohort {
namespace {

constexpr std::string_view kHead =
    "#!/bin/bash\n# Names stand in single quotes so that nothing in them is expanded.\n"
    "# shellcheck disable=SC2016\n";

/// 60 seconds before the time limit Slurm sends USR1. A task that is requeued for ever would never be
/// noticed. The last task of an array has the job number of the whole array: only with both numbers is
/// no other task queued again with it. Both waits together are shorter than what is left of the minute. The
/// program is "$!" and no variable of ours: a signal may come before a line that sets one.
constexpr std::string_view kSignal = "--signal=B:USR1@60";
constexpr SbatchName kDependency{"--dependency", 'd'};
constexpr std::string_view kAgain =
    R"(# A minute before the time limit Slurm sends USR1: the task stops, what is done stays done, and it is queued
# again to go on, at most 20 times. A program that does not stop within 20 seconds is killed; a controller that
# does not answer is called again.
stop() {
  kill -TERM "$!" 2>/dev/null
  for _ in {1..20}; do
    kill -0 "$!" 2>/dev/null || return
    sleep 1
  done
  kill -KILL "$!" 2>/dev/null
}
again() {
  stop
  if [ "${SLURM_RESTART_COUNT:-0}" -lt 20 ]; then
    echo "time limit: queued again"
    for pause in 1 2 4 8; do
      scontrol requeue "${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID" && exit 143
      sleep "$pause"
    done
    echo "scontrol requeue failed: not queued again; the next crema cohort submit goes on"
  fi
  exit 143
}
trap again USR1
trap 'stop; exit 143' TERM
)";

/// "1234" or "1234;cluster", with the end of its line, becomes 1234.
std::string sbatch(const std::vector<std::string>& words) {
  const Ended ended = run_process(words, Complaints::shown);
  if (ended.code == Ended::kNotFound)
    throw FileError(
        "sbatch is not found; go to a machine on which Slurm's commands are, or see the lines for other "
        "schedulers in docs/cohort.md.");
  const std::string number = ended.output.substr(0, ended.output.find_first_not_of("0123456789"));
  if (ended.code != 0 || number.empty())
    throw FileError(fmt::format("sbatch refused {} (code {}); what it said is above.",
                                printable(words.back()), ended.code));
  return number;
}

/// A word as it stands in a script. A control character is no part of a name that anybody wants on a cluster,
/// and tools between here and there would read it as the end of a line.
std::string in_script(const std::string& text) {
  if (std::any_of(text.begin(), text.end(),
                  [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }))
    throw UsageError(
        fmt::format("{}: has a control character in its name, which no script for Slurm may hold; "
                    "give it another name.",
                    printable(text)));
  return shell_quote(text);
}

std::string command_line(const SlurmJob& job) {
  std::string line;
  for (const std::string& word : job.command) line += in_script(word) + " ";
  return line;
}

/// Where a job's output goes. A percent sign means something there, and so does a backslash.
std::string log_option(const SlurmJob& job, std::string_view name) {
  const std::string folder = (job.folder / "logs").string();
  if (folder.find('\\') != std::string::npos)
    throw UsageError(
        fmt::format("{}: has a backslash in its name, which Slurm takes for something else; give it "
                    "another name.",
                    printable(folder)));
  std::string option = "--output=";
  for (const char c : folder) option += c == '%' ? std::string("%%") : std::string(1, c);
  return fmt::format("{}/{}", option, name);
}

std::vector<std::string> command(const SlurmJob& job, const std::vector<std::string>& own,
                                 const std::vector<std::string>& more, const std::filesystem::path& script) {
  in_script(job.folder.string());  // for its refusal
  std::vector<std::string> words{"sbatch", "--parsable", "--requeue", "--open-mode=append"};
  words.insert(words.end(), own.begin(), own.end());
  words.insert(words.end(), more.begin(), more.end());
  words.push_back(script.string());
  return words;
}

/// What crema's job waits for, and what somebody wants it to wait for besides: all of it. Of two such options
/// sbatch would take the last one alone.
std::string dependency(const std::string& own, const std::vector<std::string>& words) {
  const std::optional<std::string> more = option_in(words, kDependency);
  return fmt::format("--dependency={}{}{}", own, more && !more->empty() ? "," : "", more.value_or(""));
}

/// "1-3,7%2"
std::string array_text(const SlurmJob& job) {
  std::string text;
  for (std::size_t begin = 0; begin < job.tasks.size();) {
    std::size_t end = begin + 1;
    while (end < job.tasks.size() && job.tasks[end] == job.tasks[end - 1] + 1) ++end;
    text += fmt::format("{}{}", text.empty() ? "" : ",", job.tasks[begin]);
    if (end > begin + 1) text += fmt::format("-{}", job.tasks[end - 1]);
    begin = end;
  }
  return job.max_running > 0 ? fmt::format("{}%{}", text, job.max_running) : text;
}

/// What the plan measured, unless somebody knows better.
void add_needs(const SlurmJob& job, std::vector<std::string>& words) {
  const auto given = [&](SbatchName option) { return option_in(job.options, option).has_value(); };
  if (job.needs.minutes > 0 && !given({"--time", 't'}))
    words.push_back(fmt::format("--time={}", job.needs.minutes));
  if (job.needs.megabytes > 0 && !given({"--mem"}) && !given({"--mem-per-cpu"}) &&
      !given({"--mem-per-gpu"}) && !given({"--exclusive"}))
    words.push_back(fmt::format("--mem={}M", job.needs.megabytes));
}

}  // namespace

void check_options(const SlurmJob& job) {
  for (const auto& [words, flag] :
       {std::pair(&job.options, "--sbatch"), std::pair(&job.merge_options, "--sbatch-merge")}) {
    if (option_in(*words, {"--array", 'a'}))
      throw UsageError(
          fmt::format("{}: crema sets --array itself, from the shards that have something to do; limit how "
                      "many run at once with --max-running.",
                      flag));
    if (option_in(*words, {"--job-name", 'J'}))
      throw UsageError(
          fmt::format("{}: crema sets --job-name itself, so that the jobs of a run follow each other and are "
                      "found in the queue; give yours as --comment.",
                      flag));
    if (option_in(*words, kDependency).value_or("").find('?') != std::string::npos)
      throw UsageError(
          fmt::format("{}: jobs of a run wait for each other and for all that --dependency names, so that "
                      "\"any of them\" (?) cannot be said; put commas there.",
                      flag));
  }
}

std::string job_name(const SlurmJob& job) {
  constexpr std::size_t kMaxLetters = 32;
  const std::string path = job.folder.string();
  const std::span<const std::uint8_t> bytes(reinterpret_cast<const std::uint8_t*>(path.data()), path.size());
  std::string name = "crema-";
  for (const char c : job.folder.filename().string().substr(0, kMaxLetters)) {
    const bool stays = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-';
    name += stays ? c : '_';
  }
  return name + "-" + files::sha256_of(std::span(&bytes, 1)).substr(0, 8);
}

std::string array_script(const SlurmJob& job) {
  const std::string several = job.per_task > 1 ? fmt::format(" --per-task {}", job.per_task) : "";
  return fmt::format(
      "{}{}{}cohort run --shard auto{} --threads \"${{SLURM_CPUS_PER_TASK:-1}}\" -o {} &\n"
      "wait \"$!\"\n",
      kHead, kAgain, command_line(job), several, in_script(job.folder.string()));
}

std::string merge_script(const SlurmJob& job) {
  return fmt::format("{}exec {}cohort merge {}\n", kHead, command_line(job), in_script(job.folder.string()));
}

std::vector<std::string> array_command(const SlurmJob& job, const std::filesystem::path& script) {
  std::vector<std::string> own{"--job-name=" + job_name(job), dependency("singleton", job.options),
                               "--array=" + array_text(job), log_option(job, "%A_%a.txt"),
                               std::string(kSignal)};
  add_needs(job, own);
  return command(job, own, without(job.options, kDependency), script);
}

std::vector<std::string> merge_command(const SlurmJob& job, const std::filesystem::path& script,
                                       const std::string& array) {
  // Also behind tasks that failed: what they did is gathered, what they did not is listed.
  const std::string after = array.empty() ? "" : fmt::format("afterany:{},", array);
  std::vector<std::string> more = shared_options(job.options);
  const std::vector<std::string> of_merge = without(job.merge_options, kDependency);
  more.insert(more.end(), of_merge.begin(), of_merge.end());
  return command(job,
                 {fmt::format("--job-name={}-merge", job_name(job)), log_option(job, "%j_merge.txt"),
                  dependency(after + "singleton", job.merge_options)},
                 more, script);
}

ClusterFacts cluster_facts() {
  ClusterFacts facts;
  const Ended ended = run_process({"scontrol", "show", "config"}, Complaints::dropped);
  if (ended.code != 0) return facts;
  for (const std::string& line : split(ended.output, '\n')) {
    const std::size_t equals = line.find('=');
    if (equals == std::string::npos) continue;
    const std::string_view name = trimmed(std::string_view(line).substr(0, equals));
    const std::string_view value = trimmed(std::string_view(line).substr(equals + 1));
    int size = 0;
    if (name == "MaxArraySize" &&
        std::from_chars(value.data(), value.data() + value.size(), size).ec == std::errc() && size > 1)
      facts.max_tasks = size - 1;  // the highest number of a task is one less
    if (name == "SelectTypeParameters") facts.counts_memory = value.find("MEMORY") != std::string_view::npos;
  }
  return facts;
}

std::vector<std::string> queued_jobs(const SlurmJob& job) {
  const std::string name = job_name(job);
  const Ended ended = run_process({"squeue", "--noheader", fmt::format("--user={}", ::getuid()),
                                   fmt::format("--name={0},{0}-merge", name), "--format=%i"},
                                  Complaints::dropped);
  std::vector<std::string> jobs;
  if (ended.code == 0)
    for (const std::string& line : split(ended.output, '\n'))
      if (!trimmed(line).empty()) jobs.emplace_back(trimmed(line));
  return jobs;
}

Submitted submit(const SlurmJob& job, const std::filesystem::path& array_file,
                 const std::filesystem::path& merge_file) {
  Submitted submitted;
  if (!job.tasks.empty()) submitted.array = sbatch(array_command(job, array_file));
  try {
    submitted.merge = sbatch(merge_command(job, merge_file, submitted.array));
  } catch (const FileError& e) {
    if (submitted.array.empty()) throw;
    throw FileError(fmt::format("{} The tasks are submitted, as job {}; merge when they have ended.",
                                e.sentence.marked(), submitted.array));
  }
  return submitted;
}

}  // namespace crema::cohort
