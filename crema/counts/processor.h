// SPDX-License-Identifier: Apache-2.0
#pragma once

/// In front of a function: it is compiled for processors with wider instructions, too, and the best form is
/// taken when the program starts. Nothing is contracted, so that all of them give the same numbers.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_THREAD__)
#define CREMA_FOR_EACH_PROCESSOR __attribute__((target_clones("avx2", "default")))
#else
#define CREMA_FOR_EACH_PROCESSOR
#endif
