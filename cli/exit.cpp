// SPDX-License-Identifier: Apache-2.0
#include "cli/exit.h"

#include <new>

#include <fmt/format.h>

#include "crema/error.h"

namespace crema::cli {
namespace {

constexpr ExitMeaning kMeanings[] = {
    {kOk, "all went well"},
    {kBug, "a bug in crema; please report it"},
    {kUsage, "the command line makes no sense, or would overwrite something"},
    {kInput, "an input was refused"},
    {kFile, "a result could not be written"},
    {kPartial, "some cases of several failed"},
    {kResource, "more memory would be needed than is allowed"},
    {kInterrupted, "interrupted (SIGINT)"},
    {kTerminated, "terminated (SIGTERM)"},
};

}  // namespace

std::span<const ExitMeaning> exit_meanings() { return kMeanings; }

Failure explain(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const UsageError& e) {
    return {kUsage, e.what()};
  } catch (const InputError& e) {
    return {kInput, e.what()};
  } catch (const FileError& e) {
    return {kFile, e.what()};
  } catch (const ResourceError& e) {
    return {kResource, e.what()};
  } catch (const Cancelled& e) {
    return {kInterrupted, e.what()};
  } catch (const std::bad_alloc&) {
    return {kResource, "there is not enough memory; try fewer threads or a smaller image."};
  } catch (const std::exception& e) {
    return {kBug, fmt::format("{}; this is a bug in crema, please report it.", e.what())};
  } catch (...) {
    return {kBug, "something unknown went wrong; this is a bug in crema, please report it."};
  }
}

}  // namespace crema::cli
