# Installs, configures, builds and runs the consumer project, and looks at the library's symbols.
# Arguments: BUILD, SOURCE, SCRATCH, VERSION, NM, C_COMPILER, CXX_COMPILER.

function(run what)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE code OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(code)
    message(FATAL_ERROR "${what} failed (${code}):\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

file(REMOVE_RECURSE ${SCRATCH})
run("installing" ${CMAKE_COMMAND} --install ${BUILD} --prefix ${SCRATCH}/prefix --component wavetank)

# Only the public names leave the library.
file(GLOB_RECURSE libraries ${SCRATCH}/prefix/*/libwavetank.so)
list(LENGTH libraries count)
if(NOT count EQUAL 1)
  message(FATAL_ERROR "expected one libwavetank.so under ${SCRATCH}/prefix, found: ${libraries}")
endif()
run("nm" ${NM} -D --defined-only --demangle --format=posix ${libraries})
string(REPLACE ";" "," output "${output}")
string(REPLACE "\n" ";" symbols "${output}")
set(own "^((typeinfo|typeinfo name|vtable|VTT|guard variable) for )?(non-virtual thunk to |virtual thunk to )?(wavetank::v1::|wt_)")
set(public 0)
foreach(symbol ${symbols})
  if(symbol MATCHES "${own}")
    math(EXPR public "${public} + 1")
  elseif(NOT symbol STREQUAL "")
    message(SEND_ERROR "libwavetank.so shows a symbol that is not of wavetank::v1 or wt_: ${symbol}")
  endif()
endforeach()
if(public EQUAL 0)
  message(FATAL_ERROR "libwavetank.so shows no public symbol")
endif()

run("configuring the consumer" ${CMAKE_COMMAND} -G Ninja -S ${SOURCE} -B ${SCRATCH}/build
    -DCMAKE_PREFIX_PATH=${SCRATCH}/prefix -DWAVETANK_VERSION=${VERSION}
    -DCMAKE_C_COMPILER=${C_COMPILER} -DCMAKE_CXX_COMPILER=${CXX_COMPILER})
run("building the consumer" ${CMAKE_COMMAND} --build ${SCRATCH}/build)
run("running the consumer" ${SCRATCH}/build/consumer)
run("running the C consumer" ${SCRATCH}/build/consumer_c)
message(STATUS "the consumer runs; ${public} public symbols")
