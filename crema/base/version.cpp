// SPDX-License-Identifier: Apache-2.0
#include "crema/base/version.h"

namespace crema {

std::string_view version() { return CREMA_VERSION; }

}  // namespace crema
