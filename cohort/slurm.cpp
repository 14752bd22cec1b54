// SPDX-License-Identifier: Apache-2.0
#include "cohort/slurm.h"

#include <array>
#include <cerrno>
#include <cstring>

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include "crema/error.h"
#include "crema/text.h"

namespace crema::cohort {
namespace {

constexpr int kNotFound = 127;

struct Ended {
  int code = 0;
  std::string output;
};

/// Runs a program and takes what it prints; no shell reads the words.
Ended run(const std::vector<std::string>& words) {
  std::array<int, 2> pipe{};
  if (::pipe(pipe.data()) != 0) throw FileError(fmt::format("no pipe: {}.", std::strerror(errno)));
  std::vector<char*> arguments;
  for (const std::string& word : words)
    arguments.push_back(const_cast<char*>(word.c_str()));  // NOLINT: execvp
  arguments.push_back(nullptr);
  const pid_t child = ::fork();
  if (child < 0) throw FileError(fmt::format("no process: {}.", std::strerror(errno)));
  if (child == 0) {
    ::dup2(pipe[1], STDOUT_FILENO);
    ::close(pipe[0]);
    ::close(pipe[1]);
    ::execvp(arguments.front(), arguments.data());
    ::_exit(kNotFound);
  }
  ::close(pipe[1]);
  Ended ended;
  std::array<char, 4096> buffer{};
  ssize_t got = 0;
  while ((got = ::read(pipe[0], buffer.data(), buffer.size())) > 0 || (got < 0 && errno == EINTR))
    if (got > 0) ended.output.append(buffer.data(), static_cast<std::size_t>(got));
  ::close(pipe[0]);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  ended.code = WIFEXITED(status) ? WEXITSTATUS(status) : 1;
  return ended;
}

/// "1234" or "1234;cluster", with the end of its line, becomes 1234.
std::string sbatch(const SlurmJob& job, const std::vector<std::string>& more,
                   const std::filesystem::path& file) {
  std::vector<std::string> words{"sbatch", "--parsable"};
  words.insert(words.end(), job.options.begin(), job.options.end());
  words.insert(words.end(), more.begin(), more.end());
  words.push_back(file.string());
  const Ended ended = run(words);
  if (ended.code == kNotFound)
    throw FileError(
        "sbatch is not found; go to a machine on which Slurm's commands are, or see the wrappers "
        "for Snakemake and GNU parallel in docs/cohort.md.");
  const std::string number = ended.output.substr(0, ended.output.find_first_not_of("0123456789"));
  if (ended.code != 0 || number.empty())
    throw FileError(fmt::format("sbatch refused {} (code {}); what it said is above.",
                                printable(file.string()), ended.code));
  return number;
}

/// Inside single quotes of a shell.
std::string quoted(const std::filesystem::path& path) {
  std::string text = "'";
  for (const char c : path.string()) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

/// A folder with a blank in its name has to stand in quotes, and a percent sign means something there.
std::string log_file(const SlurmJob& job, std::string_view name) {
  std::string folder;
  for (const char c : (job.folder / "logs").string())
    folder += c == '%' ? std::string("%%") : std::string(1, c);
  return fmt::format("#SBATCH --output=\"{}/{}\"\n", folder, name);
}

}  // namespace

std::string array_script(const SlurmJob& job) {
  return fmt::format(
      "#!/bin/sh\n#SBATCH --job-name=crema\n#SBATCH --array=1-{}\n#SBATCH --requeue\n"
      "#SBATCH --open-mode=append\n{}"
      "exec {} cohort run --shard \"$SLURM_ARRAY_TASK_ID\" --threads \"${{SLURM_CPUS_PER_TASK:-1}}\" -o {}\n",
      job.shards, log_file(job, "%A_%a.txt"), quoted(job.program), quoted(job.folder));
}

std::string merge_script(const SlurmJob& job) {
  return fmt::format(
      "#!/bin/sh\n#SBATCH --job-name=crema-merge\n#SBATCH --requeue\n#SBATCH --open-mode=append\n{}"
      "exec {} cohort merge {}\n",
      log_file(job, "%j_merge.txt"), quoted(job.program), quoted(job.folder));
}

Submitted submit(const SlurmJob& job, const std::filesystem::path& array_file,
                 const std::filesystem::path& merge_file) {
  Submitted submitted;
  submitted.array = sbatch(job, {}, array_file);
  // Also behind tasks that failed: what they did is gathered, what they did not is told.
  submitted.merge = sbatch(job, {"--dependency=afterany:" + submitted.array}, merge_file);
  return submitted;
}

}  // namespace crema::cohort
