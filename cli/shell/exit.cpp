// SPDX-License-Identifier: Apache-2.0
#include "cli/shell/exit.h"

#include <new>
#include <system_error>

#include <fmt/format.h>

#include "cli/shell/output.h"
#include "cli/shell/partly.h"
#include "crema/base/error.h"

namespace crema::cli {
namespace {

constexpr ExitMeaning kMeanings[] = {
    {kOk, "success"},
    {kBug, "a bug in crema; please report it"},
    {kUsage, "invalid command line, or an existing file would be overwritten"},
    {kInput, "an input was refused"},
    {kFile, "a result could not be written"},
    {kPartly, "some cases of a cohort have failed or are still to be done; the others are done"},
    {kResource, "more memory is needed than is allowed"},
    {kHungUp, "the terminal was closed (SIGHUP)"},
    {kInterrupted, "interrupted (SIGINT)"},
    {kOutputClosed, "the reader closed the output (SIGPIPE), as head does; files are complete"},
    {kTerminated, "terminated (SIGTERM)"},
};

constexpr const char* kNoMemory = "there is not enough memory; try fewer threads or a smaller image.";

/// No thread can be started where there is no memory for its stack; oneTBB has words for it, the standard
/// library a code.
bool no_thread(const std::exception& error) {
  const auto* const system = dynamic_cast<const std::system_error*>(&error);
  if (system != nullptr && system->code() == std::errc::resource_unavailable_try_again) return true;
  return std::string_view(error.what()).starts_with("pthread_create has failed");
}

}  // namespace

std::span<const ExitMeaning> exit_meanings() { return kMeanings; }

Failure explain(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const UsageError& e) {
    return {kUsage, e.sentence.text(Spelling::program)};
  } catch (const InputError& e) {
    return {kInput, e.sentence.text(Spelling::program)};
  } catch (const FileError& e) {
    return {kFile, e.sentence.text(Spelling::program)};
  } catch (const ResourceError& e) {
    return {kResource, e.sentence.text(Spelling::program)};
  } catch (const OutputClosed&) {
    return {kOutputClosed, ""};
  } catch (const Cancelled& e) {
    return {kInterrupted, e.sentence.text(Spelling::program)};
  } catch (const std::bad_alloc&) {
    return {kResource, kNoMemory};
  } catch (const std::exception& e) {
    if (no_thread(e)) return {kResource, kNoMemory};
    return {kBug, fmt::format("{}; this is a bug in crema, please report it.", e.what())};
  } catch (...) {
    return {kBug, "unknown error; this is a bug in crema, please report it."};
  }
}

}  // namespace crema::cli
