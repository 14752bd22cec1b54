// SPDX-License-Identifier: Apache-2.0
#include "files/io/atomic.h"

#include <thread>

#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "files/io/system/temporary.h"
#include "files/testing.h"

namespace crema::files::testing {
namespace {

namespace fs = std::filesystem;

std::string text_of(const fs::path& path) {
  const Bytes bytes = slurp(path);
  return {bytes.begin(), bytes.end()};
}

TEST(Atomic, WritesTheWholeTextAndNothingElse) {
  const Folder folder;
  const std::string text(3'000'000, 'x');
  write_text(folder / "a.json", text);
  EXPECT_EQ(text_of(folder / "a.json"), text);
  EXPECT_EQ(folder.entries(), 1u);
}

TEST(Atomic, OverwritesOnlyWhenAsked) {
  const Folder folder;
  write_text(folder / "a", "old");
  EXPECT_THROW(write_text(folder / "a", "new"), UsageError);
  EXPECT_EQ(text_of(folder / "a"), "old");
  write_text(folder / "a", "new", kForce);
  EXPECT_EQ(text_of(folder / "a"), "new");
  EXPECT_EQ(folder.entries(), 1u);
}

TEST(Atomic, DoesNotOverwriteAFileThatAppearsMeanwhile) {
  const Folder folder;
  {
    Temporary file(folder / "a");
    file.close();
    folder.put("a", std::string("theirs"));
    EXPECT_THROW(file.publish({}), UsageError);
  }
  EXPECT_EQ(text_of(folder / "a"), "theirs");
  EXPECT_EQ(folder.entries(), 1u);
}

TEST(Atomic, HonoursTheUmask) {
  const Folder folder;
  const mode_t before = ::umask(027);
  write_text(folder / "a", "x");
  ::umask(before);
  struct stat status {};
  ASSERT_EQ(::stat((folder / "a").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777u, 0640u);
}

TEST(Atomic, NeverReplacesFoldersAndDevices) {
  const Folder folder;
  fs::create_directory(folder / "d");
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  EXPECT_THROW(write_text(folder / "d", "x", kForce), UsageError);
  EXPECT_THROW(write_text(folder / "pipe", "x", kForce), UsageError);
  EXPECT_EQ(folder.entries(), 2u);
}

TEST(Atomic, NamesTheMissingFolder) {
  const Folder folder;
  try {
    write_text(folder / "no" / "a", "x");
    ADD_FAILURE();
  } catch (const FileError& error) {
    EXPECT_TRUE(has(error.what(), "does not exist; create it")) << error.what();
  }
}

TEST(Atomic, LeavesNothingWhenTheDiskRefuses) {
  const Folder folder;
  folder.put("old", std::string("old"));
  rlimit before{};
  ::getrlimit(RLIMIT_FSIZE, &before);
  const auto handler = ::signal(SIGXFSZ, SIG_IGN);
  const rlimit small{1000, before.rlim_max};
  ::setrlimit(RLIMIT_FSIZE, &small);
  EXPECT_THROW(write_text(folder / "new", std::string(5000, 'x')), FileError);
  EXPECT_THROW(write_text(folder / "old", std::string(5000, 'x'), kForce), FileError);
  ::setrlimit(RLIMIT_FSIZE, &before);
  ::signal(SIGXFSZ, handler);
  EXPECT_EQ(folder.entries(), 1u);
  EXPECT_EQ(text_of(folder / "old"), "old");
}

TEST(Atomic, PublishesAllFilesOrNone) {
  const Folder folder;
  const Bytes bytes{1, 2, 3};
  fs::create_directory(folder / "b.hdr");
  const std::vector<Output> outputs{{folder / "b.img", {bytes}}, {folder / "b.hdr", {bytes}}};
  EXPECT_THROW(write_atomically(outputs, {}), UsageError);
  EXPECT_EQ(folder.entries(), 1u);
  std::vector<Output> twice{{folder / "c", {bytes}}, {folder / "c", {bytes}}};
  EXPECT_THROW(write_atomically(twice, {}), UsageError);
  EXPECT_FALSE(fs::exists(folder / "c"));
  EXPECT_EQ(folder.entries(), 1u);
}

TEST(Atomic, PutsAllOlderFilesBackWhenOneCannotBeReplaced) {
  const Folder folder;
  folder.put("b.img", std::string("old"));
  const Bytes bytes{1, 2, 3};
  // No file can have such a name, which shows when it is given.
  const std::vector<Output> outputs{{folder / "b.img", {bytes}}, {folder / std::string(300, 'b'), {bytes}}};
  EXPECT_THROW(write_atomically(outputs, kForce), FileError);
  EXPECT_EQ(text_of(folder / "b.img"), "old");
  EXPECT_EQ(folder.entries(), 1u);
}

TEST(Atomic, ReplacesAllFilesThatBelongTogether) {
  const Folder folder;
  folder.put("b.img", std::string("old"));
  folder.put("b.hdr", std::string("old"));
  const Bytes bytes{'n', 'e', 'w'};
  const std::vector<Output> outputs{{folder / "b.img", {bytes}}, {folder / "b.hdr", {bytes}}};
  EXPECT_THROW(write_atomically(outputs, {}), UsageError);
  EXPECT_EQ(text_of(folder / "b.img"), "old");
  write_atomically(outputs, kForce);
  EXPECT_EQ(text_of(folder / "b.img"), "new");
  EXPECT_EQ(text_of(folder / "b.hdr"), "new");
  EXPECT_EQ(folder.entries(), 2u);
}

/// Runs f in a process that on SIGTERM removes its temporaries and leaves with 143; returns how it ended.
template <class F>
int code_of_child(F&& f) {
  const pid_t child = ::fork();
  if (child == 0) {
    ::signal(SIGTERM, [](int) {
      remove_temporaries();
      ::usleep(500);  // other threads go on until the process has ended
      ::_exit(143);
    });
    f();
    ::_exit(1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WEXITSTATUS(status);
}

TEST(Atomic, PutsASignalOffWhileFilesChangeTheirNames) {
  const Folder folder;
  EXPECT_EQ(code_of_child([&] {
              const Naming naming;
              ::raise(SIGTERM);
              folder.put("done", std::string("x"));
            }),
            143);
  EXPECT_TRUE(fs::exists(folder / "done"));
}

TEST(Atomic, RemovesTemporariesFromASignalHandler) {
  const Folder folder;
  EXPECT_EQ(code_of_child([&] {
              const Temporary one(folder / "a"), two(folder / "b");
              ::raise(SIGTERM);
            }),
            143);
  EXPECT_EQ(folder.entries(), 0u);
}

TEST(Atomic, RemovesOnlyWhatIsUnfinished) {
  const Folder folder;
  EXPECT_EQ(code_of_child([&] {
              write_text(folder / "a", "x");
              const Temporary open(folder / "b");
              ::raise(SIGTERM);
            }),
            143);
  EXPECT_EQ(folder.entries(), 1u);
}

TEST(Atomic, LetsNoThreadCreateATemporaryOnceASignalRemovedThem) {
#ifdef __SANITIZE_THREAD__
  GTEST_SKIP() << "the thread sanitizer lets no thread start after a fork";
#endif
  const Folder folder;
  for (int round = 0; round < 30; ++round) {
    EXPECT_EQ(code_of_child([&] {
                std::thread([&] {
                  while (true) const Temporary again(folder / "a");
                }).detach();
                ::usleep(static_cast<useconds_t>(50 * (round % 10)));
                ::raise(SIGTERM);
              }),
              143);
    ASSERT_EQ(folder.entries(), 0u) << round;
  }
}

}  // namespace
}  // namespace crema::files::testing
