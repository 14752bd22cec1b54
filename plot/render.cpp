// SPDX-License-Identifier: Apache-2.0
// librsvg reads the picture and cairo writes it. They are loaded for PNG or PDF only: linked,
// they would cost every run of the program ten milliseconds. They and fontconfig end their process where
// there is no memory, so that they work in one of their own.
#include "plot/render.h"

#include <cmath>
#include <cstddef>
#include <memory>
#include <new>
#include <string_view>

#include <dlfcn.h>
#include <fmt/format.h>

#include "crema/base/error.h"
#include "plot/child.h"

namespace crema::plot {
namespace {

// What librsvg 2.46 and cairo 1.16 have declared for good. Their headers bring those of GLib, X11 and fonts,
// sixty packages, for one structure and a dozen functions.
struct Picture;  ///< RsvgHandle
struct Surface;  ///< cairo_surface_t
struct Context;  ///< cairo_t
struct Rectangle {
  double x, y, width, height;
};
using Write = int(void* to, const unsigned char* bytes, unsigned count);
constexpr int kCairoSuccess = 0, kCairoNoMemory = 1;  // cairo_status_t
constexpr int kArgb32 = 0;                            // cairo_format_t
constexpr int kCreationDate = 5;                      // cairo_pdf_metadata_t

/// One function of the library.
template <class Function>
class Loaded {
 public:
  Loaded(void* library, const char* name)
      : function_(library == nullptr ? nullptr : reinterpret_cast<Function*>(::dlsym(library, name))) {}
  template <class... Arguments>
  auto operator()(Arguments... arguments) const {
    return function_(arguments...);
  }
  [[nodiscard]] Function* get() const { return function_; }
  [[nodiscard]] explicit operator bool() const { return function_ != nullptr; }

 private:
  Function* function_;
};

/// What is used of librsvg and of cairo, upon which it stands.
struct Library {
  void* opened = ::dlopen("librsvg-2.so.2", RTLD_NOW | RTLD_LOCAL);

// NOLINTBEGIN(bugprone-macro-parentheses): a name that is declared
#define CREMA_LOADED(name, ...) \
  Loaded<__VA_ARGS__> name { opened, #name }
  // NOLINTEND(bugprone-macro-parentheses)
  CREMA_LOADED(rsvg_handle_new_from_data, Picture*(const unsigned char*, std::size_t, void**));
  CREMA_LOADED(rsvg_handle_get_intrinsic_size_in_pixels, int(Picture*, double*, double*));
  CREMA_LOADED(rsvg_handle_render_document, int(Picture*, Context*, const Rectangle*, void**));
  CREMA_LOADED(g_object_unref, void(void*));
  CREMA_LOADED(cairo_image_surface_create, Surface*(int format, int width, int height));
  CREMA_LOADED(cairo_pdf_surface_create_for_stream, Surface*(Write*, void*, double width, double height));
  CREMA_LOADED(cairo_pdf_surface_set_metadata, void(Surface*, int which, const char*));
  CREMA_LOADED(cairo_surface_write_to_png_stream, int(Surface*, Write*, void*));
  CREMA_LOADED(cairo_surface_finish, void(Surface*));
  CREMA_LOADED(cairo_surface_status, int(Surface*));
  CREMA_LOADED(cairo_surface_destroy, void(Surface*));
  CREMA_LOADED(cairo_create, Context*(Surface*));
  CREMA_LOADED(cairo_status, int(Context*));
  CREMA_LOADED(cairo_destroy, void(Context*));
#undef CREMA_LOADED

  [[nodiscard]] bool complete() const {
    return rsvg_handle_new_from_data && rsvg_handle_get_intrinsic_size_in_pixels &&
           rsvg_handle_render_document && g_object_unref && cairo_image_surface_create &&
           cairo_pdf_surface_create_for_stream && cairo_pdf_surface_set_metadata &&
           cairo_surface_write_to_png_stream && cairo_surface_finish && cairo_surface_status &&
           cairo_surface_destroy && cairo_create && cairo_status && cairo_destroy;
  }
};

/// Loaded once in a process. What is there but cannot be loaded lacks memory.
const Library& library() {
  static const Library loaded;
  if (loaded.opened == nullptr) {
    const char* const reason = ::dlerror();  // NOLINT(concurrency-mt-unsafe): a process of its own
    if (reason == nullptr || std::string_view(reason).find("No such file") == std::string_view::npos)
      throw std::bad_alloc();
  }
  if (!loaded.complete())
    throw UsageError(
        "PNG and PDF are drawn by librsvg, which is not installed; install it (Debian: librsvg2-2), or "
        "write .svg.");
  return loaded;
}

int append(void* text, const unsigned char* bytes, unsigned count) {
  try {
    static_cast<std::string*>(text)->append(reinterpret_cast<const char*>(bytes), count);
    return kCairoSuccess;
  } catch (const std::bad_alloc&) {
    return kCairoNoMemory;
  }
}

[[noreturn]] void fail(double width, double height) {
  throw InputError(fmt::format(
      "a picture of {:.0f} × {:.0f} dots could not be rendered; choose a lower resolution, or write .svg.",
      width, height));
}

template <class Thing, class Destroy>
auto owned(Thing* thing, Destroy destroy) {
  return std::unique_ptr<Thing, Destroy>(thing, destroy);
}

/// Draws the whole picture, that large, on a surface.
bool draw(Picture* picture, Surface* surface, double width, double height) {
  const Library& lib = library();
  const auto context = owned(lib.cairo_create(surface), lib.cairo_destroy.get());
  const Rectangle place{0, 0, width, height};
  return lib.rsvg_handle_render_document(picture, context.get(), &place, nullptr) != 0 &&
         lib.cairo_status(context.get()) == kCairoSuccess &&
         lib.cairo_surface_status(surface) == kCairoSuccess;
}

/// Of a surface that could not be drawn on.
void require_memory(Surface* surface) {
  if (library().cairo_surface_status(surface) == kCairoNoMemory) throw std::bad_alloc();
}

std::string as_png(Picture* picture, double width, double height) {
  const Library& lib = library();
  const auto surface =
      owned(lib.cairo_image_surface_create(kArgb32, static_cast<int>(width), static_cast<int>(height)),
            lib.cairo_surface_destroy.get());
  std::string bytes;
  if (draw(picture, surface.get(), width, height) &&
      lib.cairo_surface_write_to_png_stream(surface.get(), append, &bytes) == kCairoSuccess)
    return bytes;
  require_memory(surface.get());
  fail(width, height);
}

std::string as_pdf(Picture* picture, double width, double height) {
  const Library& lib = library();
  std::string bytes;
  const auto surface = owned(lib.cairo_pdf_surface_create_for_stream(append, &bytes, width, height),
                             lib.cairo_surface_destroy.get());
  // No date: the same picture is the same file.
  lib.cairo_pdf_surface_set_metadata(surface.get(), kCreationDate, "");
  const bool drawn = draw(picture, surface.get(), width, height);
  lib.cairo_surface_finish(surface.get());
  if (drawn && lib.cairo_surface_status(surface.get()) == kCairoSuccess) return bytes;
  require_memory(surface.get());
  fail(width, height);
}

std::string render_here(const std::string& svg, Target target, double dots_per_inch) {
  const Library& lib = library();
  const auto* bytes = reinterpret_cast<const unsigned char*>(svg.data());
  const auto picture =
      owned(lib.rsvg_handle_new_from_data(bytes, svg.size(), nullptr), lib.g_object_unref.get());
  double width = 0, height = 0;
  if (picture == nullptr || lib.rsvg_handle_get_intrinsic_size_in_pixels(picture.get(), &width, &height) == 0)
    fail(width, height);
  // A point is 1/72 of an inch, a unit of the picture 1/96.
  if (target == Target::pdf) return as_pdf(picture.get(), width * 0.75, height * 0.75);
  const double times = dots_per_inch / 96;
  const double across = std::round(width * times), down = std::round(height * times);
  if (across > 30000 || down > 30000) fail(across, down);
  return as_png(picture.get(), across, down);
}

}  // namespace

void require_renderer() {
  in_child([] { return library().complete() ? "yes" : ""; });
}

std::string render(const std::string& svg, Target target, double dots_per_inch) {
  return in_child([&] { return render_here(svg, target, dots_per_inch); });
}

}  // namespace crema::plot
