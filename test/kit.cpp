// SPDX-License-Identifier: Apache-2.0
// Empty: the library of this file lends its precompiled headers to all test programs
// (cmake/CremaTargets.cmake).
