# Compilers, flags, libraries and the precompiled header: what every target shares.
include_guard()

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
add_compile_options(-fPIC)  # one setting for libraries and programs: they share the precompiled header
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
set(CMAKE_FIND_PACKAGE_PREFER_CONFIG ON)

# "Dev": optimised, short debug information, assertions of the standard library off, ours on.
set(CMAKE_CXX_FLAGS_DEV "-O2 -g1" CACHE STRING "" FORCE)
set(CMAKE_C_FLAGS_DEV "-O2 -g1" CACHE STRING "" FORCE)
set(CMAKE_CXX_FLAGS_RELEASE "-O2" CACHE STRING "" FORCE)
mark_as_advanced(CMAKE_CXX_FLAGS_DEV CMAKE_C_FLAGS_DEV)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Dev CACHE STRING "" FORCE)
endif()

add_compile_options(-Wall -Wextra -Wshadow -Wno-missing-field-initializers
                    $<$<COMPILE_LANGUAGE:CXX>:-Wnon-virtual-dtor>)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # g++ 12 reports bounds and overlaps in inlined std::string code that is right (GCC bugs 105329, 105651);
  # the sanitizer build watches for real ones.
  add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-fcoroutines> -fpch-preprocess -Wno-psabi -Wno-array-bounds
                      -Wno-restrict -Wno-stringop-overflow -Wno-stringop-overread)
else()
  add_compile_options("SHELL:-Xclang -fno-pch-timestamp" -Wno-missing-braces -Wno-unused-command-line-argument
                      $<$<COMPILE_LANGUAGE:CXX>:-Wno-mismatched-tags>)
endif()
if(WT_WERROR)
  add_compile_options(-Werror)
endif()
if(WT_SANITIZE)
  add_compile_options(-fsanitize=${WT_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer -O1)
  add_link_options(-fsanitize=${WT_SANITIZE})
  add_compile_definitions(WT_SANITIZED=1)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    # clang 14 cannot assemble coroutines in comdat sections with this check.
    add_compile_options(-fno-sanitize=function)
  endif()
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  add_link_options(-fuse-ld=lld)
endif()
add_compile_definitions(_FILE_OFFSET_BITS=64)
include_directories(${CMAKE_SOURCE_DIR})

find_program(WT_CCACHE ccache)
if(WT_CCACHE AND NOT DEFINED CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env
      CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
      CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} ${WT_CCACHE})
endif()

find_package(absl REQUIRED)
find_package(Threads REQUIRED)
find_package(OpenSSL REQUIRED)
find_package(Boost 1.81 REQUIRED)
find_package(ZLIB REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(zstd REQUIRED IMPORTED_TARGET libzstd)
pkg_check_modules(lz4 REQUIRED IMPORTED_TARGET liblz4)
pkg_check_modules(isal REQUIRED IMPORTED_TARGET libisal)
pkg_check_modules(xxhash REQUIRED IMPORTED_TARGET libxxhash)
find_package(Snappy REQUIRED)
find_library(WT_RE2 re2 REQUIRED)  # its pkg-config file asks for -pthread, which the precompiled header lacks

# One precompiled header for all targets; targets take it over with REUSE_FROM.
file(WRITE ${CMAKE_BINARY_DIR}/pch/pch.cc "// carrier of the precompiled header\n")
add_library(wt_pch OBJECT ${CMAKE_BINARY_DIR}/pch/pch.cc)
target_precompile_headers(wt_pch PRIVATE ${CMAKE_SOURCE_DIR}/cmake/pch.h)
target_link_libraries(wt_pch PRIVATE absl::status absl::statusor)
