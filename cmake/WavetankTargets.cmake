# wt_library, wt_test, wt_fuzz, wt_bench: one call in a folder's CMakeLists.txt takes every
# source of that folder, so that adding a file needs no change here.
include_guard()

# wt_library(name [DEPS target…] [LINK library…])
# Static library wt_<name> from the folder's *.cc. DEPS are other wt_ libraries, without the prefix.
function(wt_library name)
  cmake_parse_arguments(A "" "" "DEPS;LINK" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cc)
  if(NOT sources)
    return()
  endif()
  add_library(wt_${name} STATIC ${sources})
  target_precompile_headers(wt_${name} REUSE_FROM wt_pch)
  list(TRANSFORM A_DEPS PREPEND wt_)
  target_link_libraries(wt_${name} PUBLIC ${A_DEPS} ${A_LINK} absl::status absl::statusor)
endfunction()

# wt_test(tier name [DEPS …] [LINK …] [RAPIDCHECK]): program <tier>_<name> with Catch2's main.
function(wt_test tier name)
  cmake_parse_arguments(A "RAPIDCHECK" "TIMEOUT" "DEPS;LINK" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cc)
  if(NOT sources)
    return()
  endif()
  add_executable(${tier}_${name} ${sources})
  target_precompile_headers(${tier}_${name} REUSE_FROM wt_pch)
  list(TRANSFORM A_DEPS PREPEND wt_)
  target_link_libraries(${tier}_${name} PRIVATE ${A_DEPS} ${A_LINK} wt_catch_main)
  if(A_RAPIDCHECK)
    target_link_libraries(${tier}_${name} PRIVATE rapidcheck)
  endif()
  target_compile_definitions(${tier}_${name} PRIVATE WT_SOURCE_DIR="${CMAKE_SOURCE_DIR}"
                             WT_BUILD_DIR="${CMAKE_BINARY_DIR}")
  add_test(NAME ${tier}.${name} COMMAND ${tier}_${name})
  if(NOT A_TIMEOUT)
    set(A_TIMEOUT 300)
  endif()
  set_tests_properties(${tier}.${name} PROPERTIES LABELS ${tier} TIMEOUT ${A_TIMEOUT})
endfunction()

# wt_fuzz(name source.cc [DEPS …]): LLVMFuzzerTestOneInput in source.cc. The suite runs the corpus
# in tests/fuzz/corpus/<name> and a fixed number of mutations of it; with clang, fuzz_<name> is the
# libFuzzer program as well.
function(wt_fuzz name source)
  cmake_parse_arguments(A "" "" "DEPS;LINK" ${ARGN})
  list(TRANSFORM A_DEPS PREPEND wt_)
  add_executable(corpus_${name} ${source} ${CMAKE_SOURCE_DIR}/tests/fuzz/corpus_main.cc)
  target_link_libraries(corpus_${name} PRIVATE ${A_DEPS} ${A_LINK})
  add_test(NAME fuzz.${name} COMMAND corpus_${name} ${CMAKE_SOURCE_DIR}/tests/fuzz/corpus/${name})
  set_tests_properties(fuzz.${name} PROPERTIES LABELS fuzz TIMEOUT 300)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    add_executable(fuzz_${name} ${source})
    target_link_libraries(fuzz_${name} PRIVATE ${A_DEPS} ${A_LINK})
    target_compile_options(fuzz_${name} PRIVATE -fsanitize=fuzzer)
    target_link_options(fuzz_${name} PRIVATE -fsanitize=fuzzer)
  endif()
endfunction()

# wt_bench(name source.cc [DEPS …] [LINK …]): Google Benchmark program bench_<name>.
function(wt_bench name source)
  cmake_parse_arguments(A "" "" "DEPS;LINK" ${ARGN})
  list(TRANSFORM A_DEPS PREPEND wt_)
  add_executable(bench_${name} ${source})
  target_link_libraries(bench_${name} PRIVATE ${A_DEPS} ${A_LINK} benchmark::benchmark)
endfunction()

# Adds each named sub-folder that has a CMakeLists.txt.
macro(wt_subdirectories)
  foreach(folder ${ARGN})
    if(EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/${folder}/CMakeLists.txt)
      add_subdirectory(${folder})
    endif()
  endforeach()
endmacro()
