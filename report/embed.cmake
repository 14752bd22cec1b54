# SPDX-License-Identifier: Apache-2.0
# Turns the page's files into C++: cmake -DPAGE=folder -DMODULES=a,b -DAPP_MODULES=a,c -DCOHORT_MODULES=d -DWASM=file
# -DAPP_WASM=file -DOUTPUT=file.cpp -P embed.cmake
# Modules are put one behind the other, without what they import and export; no two may share a name at their top.

# The bytes of a file as a function that returns them.
function(literal name file)
  file(SIZE ${file} left)
  set(at 0)
  set(parts "")
  while(left GREATER 0)
    file(READ ${file} piece OFFSET ${at} LIMIT 8000 HEX)
    string(REGEX REPLACE "(..)" "\\\\x\\1" piece "${piece}")
    string(APPEND parts "\n    \"${piece}\"")
    math(EXPR at "${at} + 8000")
    math(EXPR left "${left} - 8000")
  endwhile()
  file(SIZE ${file} size)
  file(APPEND ${OUTPUT}.new "std::string_view ${name}() {\n  static constexpr char text[] =${parts};\n  return {text, ${size}};\n}\n\n")
endfunction()

# Modules as one script, in a file.
function(join_modules list file)
  set(script "")
  string(REPLACE "," ";" modules "${list}")
  foreach(module IN LISTS modules)
    file(READ ${PAGE}/${module}.js text)
    string(REGEX REPLACE "(^|\n)import [^\n]*" "\\1" text "${text}")
    string(REGEX REPLACE "(^|\n)export " "\\1" text "${text}")
    string(REGEX REPLACE "// SPDX-License-Identifier[^\n]*\n" "" text "${text}")
    string(APPEND script "// ${module}.js\n${text}")
  endforeach()
  file(WRITE ${file} "${script}")
endfunction()

# A function that tells the SHA-256 of a file.
function(hash name file)
  file(SHA256 ${file} sum)
  file(APPEND ${OUTPUT}.new "std::string_view ${name}() { return \"${sum}\"; }\n\n")
endfunction()

# A module where there is one.
function(module name file)
  if(file)
    literal(${name} ${file})
  else()
    file(APPEND ${OUTPUT}.new "std::string_view ${name}() { return {}; }\n\n")
  endif()
endfunction()

join_modules("${MODULES}" ${OUTPUT}.js)
join_modules("${APP_MODULES}" ${OUTPUT}.app.js)
join_modules("${COHORT_MODULES}" ${OUTPUT}.cohort.js)
file(WRITE ${OUTPUT}.new "// Made of report/page by report/embed.cmake.\n#include \"report/embedded.h\"\n\nnamespace crema::report::embedded {\n\n")
literal(frame ${PAGE}/frame.html)
literal(style ${PAGE}/style.css)
literal(script ${OUTPUT}.js)
hash(script_sha256 ${OUTPUT}.js)
literal(cohort_style ${PAGE}/cohort/cohort.css)
literal(cohort_script ${OUTPUT}.cohort.js)
hash(cohort_script_sha256 ${OUTPUT}.cohort.js)
literal(app_sections ${PAGE}/app.html)
literal(app_style ${PAGE}/app.css)
literal(app_script ${OUTPUT}.app.js)
hash(app_script_sha256 ${OUTPUT}.app.js)
module(wasm "${WASM}")
module(app_wasm "${APP_WASM}")
file(APPEND ${OUTPUT}.new "}  // namespace crema::report::embedded\n")
file(RENAME ${OUTPUT}.new ${OUTPUT})
